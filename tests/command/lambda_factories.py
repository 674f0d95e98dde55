"""20,000 lambda factories, made, used and dropped (tests/collector/LambdaFactories.java): what the first 5,000 leave is
what the VM needs to make them; each later one leaves its class, which lives as long as its loader, and hardly more. So
does the process: the few objects that live do not take ever more blocks of the heap. HotSpot's figures are printed
beside ours."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "TESTS", "WORK"))
OURS = harness.vm_under_test(os.environ["IMAGE"])
ROUNDS, FIRST = 20, 5
MOST = {"live": 450, "metadata": 1980, "resident": 4000}          # bytes for each factory
IS_SANITIZED = bool(os.environ.get("VITRINE_TEST_PRELOAD"))        # its allocator keeps what is freed


def growth(java, ours):
    """What each factory after the first 5,000 has left, by kind."""
    options = [] if ours else ["-XX:+UseSerialGC"]
    outcome = harness.run([*harness.java(java), *options, "-Xmx256m", "-cp", WORK, "LambdaFactories", str(ROUNDS)],
                          WORK, 300 * harness.time_scale(), ours=ours)
    rows = [[int(n) for n in line.split()] for line in outcome.out.decode().splitlines()]
    if outcome.code != 0 or len(rows) != ROUNDS:
        harness.show_crash_reports(WORK)
        sys.exit(f"{outcome.ended()}: {(outcome.out + outcome.err).decode(errors='replace')[-2000:]}")
    made = 1000 * (ROUNDS - FIRST)
    return {kind: (last - first) // made for kind, first, last in zip(MOST, rows[FIRST - 1], rows[-1])}


def main():
    harness.fresh_directory(WORK)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "collector/LambdaFactories.java"], check=True)
    theirs, mine = growth(HOTSPOT, False), growth(OURS, True)
    failed = False
    for kind, most in MOST.items():
        print(f"{kind}: {mine[kind]} bytes for each, at most {most} are expected; HotSpot: {theirs[kind]}")
        failed |= mine[kind] > most and not (kind == "resident" and IS_SANITIZED)
    sys.exit(1 if failed else 0)


main()
