"""Damaged class files that our VM accepts are run: linked, initialised, every method called with fixed arguments
(tests/mutate/AcceptedRunner.java). In the check build the VM looks at itself meanwhile. ACCEPTED_SEED and
ACCEPTED_PER_CATEGORY choose other class files."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "TESTS", "WORK"))
SEED = os.environ.get("ACCEPTED_SEED", "20250317")
# Files that differ in the parts that the mutator knows, from a few in the slow builds; and of each some with bits
# flipped anywhere.
PER_CATEGORY = os.environ.get("ACCEPTED_PER_CATEGORY", "400" if harness.time_scale() == 1 else "150")
FLIPS, MOST_PROCESSES = 2, 100
LINE = re.compile(r"^next (\d+) of (\d+), accepted (\d+), methods called (\d+)$", re.M)


def run(first):
    """Numbers of the last line: next, of how many, accepted, called; None: the VM did not get there."""
    outcome = harness.run([*harness.java(harness.vm_under_test(IMAGE)), *harness.vm_options(), "-Xmx256m", "-cp", WORK,
                           "AcceptedRunner", WORK / "mutants.bin", FLIPS, first], WORK, 600 * harness.time_scale(),
                           ours=True)
    out = outcome.out.decode(errors="replace")
    found = LINE.search(out)
    if outcome.code == 0 and found:
        return tuple(map(int, found.groups()))
    print(f"behind {first}: {outcome.ended()}\n{out[-2000:]}\n{outcome.err.decode(errors='replace')[-4000:]}")
    harness.show_crash_reports(WORK)
    return None


harness.fresh_directory(WORK)
(WORK / "seeds").mkdir()
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, *sorted((TESTS / "mutate").glob("*.java"))], check=True)
subprocess.run([*harness.javac(HOTSPOT), "-g", "-parameters", "--release", "17", "-Xlint:-options", "-d",
                WORK / "seeds", *sorted((TESTS / "mutate/seeds").glob("*.java"))], check=True)
subprocess.run([*harness.java(HOTSPOT), "-cp", WORK, "Mutator", WORK / "seeds", WORK / "mutants.bin", PER_CATEGORY,
                SEED],
               check=True)
first = accepted = called = processes = 0
total = 1
while first < total and processes < MOST_PROCESSES:
    numbers = run(first)
    if numbers is None:
        sys.exit(1)
    first, total = numbers[:2]
    accepted += numbers[2]
    called += numbers[3]
    processes += 1
print(f"{first} of {total} mutants and {FLIPS} more of each: {accepted} accepted, {called} methods called, in "
      f"{processes} processes")
# A third of the mutator's own are accepted, and some of the others.
sys.exit(first < total or accepted < total // 3 or called < accepted)
