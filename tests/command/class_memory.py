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
MOST = {"lambdas": 1900, "comparators": 1980, "weak": 2200}       # bytes


def run(java, ours, kind):
    options = harness.vm_options() if ours else ["-XX:+UseSerialGC"]
    outcome = harness.run([*harness.java(java), *options, "-cp", WORK, "ClassMemory", kind, "2000"], WORK,
                          120 * harness.time_scale(), ours=ours)
    figure = re.fullmatch(kind + r": (\d+)\n", outcome.out.decode())
    if outcome.code != 0 or figure is None:
        print(f"{kind}: {outcome.ended()}: {(outcome.out + outcome.err).decode(errors='replace')[-2000:]}")
        harness.show_crash_reports(WORK)
        return None
    return int(figure[1])


def main():
    harness.fresh_directory(WORK)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "collector/ClassMemory.java"], check=True)
    failed = False
    for kind, most in MOST.items():
        theirs, mine = run(HOTSPOT, False, kind), run(OURS, True, kind)
        print(f"{kind}: {mine} bytes for a class, at most {most} are expected; HotSpot: {theirs}")
        failed |= theirs is None or mine is None or mine > most
    sys.exit(1 if failed else 0)


main()
