"""Hidden classes, lambdas above all, are made by the thousand: what each keeps of the C memory for class metadata
(tests/collector/ClassMemory.java) stays below a bound. HotSpot's figure is printed beside it."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "TESTS", "WORK"))
OURS = harness.vm_under_test(os.environ["IMAGE"])
MOST = {"lambdas": 1900, "comparators": 1980, "weak": 2200}       # bytes; the median
OF_OTHERS = 20                   # bytes that classes of the library's threads may add to the mean: once, 12 KB of 4 MB


def run(java, ours, kind):
    options = harness.vm_options() if ours else ["-XX:+UseSerialGC"]
    outcome = harness.run([*harness.java(java), *options, "-cp", WORK, "ClassMemory", kind, "2000"], WORK,
                          120 * harness.time_scale(), ours=ours)
    figures = re.fullmatch(kind + r": (\d+) (\d+)\n", outcome.out.decode())
    if outcome.code != 0 or figures is None:
        print(f"{kind}: {outcome.ended()}: {(outcome.out + outcome.err).decode(errors='replace')[-2000:]}")
        harness.show_crash_reports(WORK)
        return None
    return int(figures[1]), int(figures[2])


def main():
    harness.fresh_directory(WORK)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "collector/ClassMemory.java"], check=True)
    failed = False
    for kind, most in MOST.items():
        theirs, mine = run(HOTSPOT, False, kind), run(OURS, True, kind)
        print(f"{kind}: median and mean {mine} bytes for a class, at most {most} and {most + OF_OTHERS} are expected; "
              f"HotSpot: {theirs}")
        failed |= theirs is None or mine is None or mine[0] > most or mine[1] > most + OF_OTHERS
    sys.exit(1 if failed else 0)


main()
