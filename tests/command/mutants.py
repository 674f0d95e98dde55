"""Damaged class files: ours accepts and refuses the same ones as HotSpot, with the same kind of error, and runs the
accepted ones. Of 100 one may end differently, but ours accepts none that HotSpot refuses.

MUTANTS_PER_CATEGORY and MUTANTS_SEED choose other mutants than the fixed ones."""
import collections
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "TESTS", "WORK"))
PER_CATEGORY = os.environ.get("MUTANTS_PER_CATEGORY", "1000")
SEED = os.environ.get("MUTANTS_SEED", "20240601")
CATEGORIES = ("constant pool", "fields and methods", "Code", "StackMapTable", "exception tables", "other attributes")
AGREEMENT = 0.99

# (HotSpot's answer, our answer): why they may differ. Counted as differences all the same.
REASONS = {
    ("java.lang.StackOverflowError",
     "ok"): "how deep an unbounded recursion of class initialisation gets depends on the frame size",
}


def results(java, ours):
    """Per mutant: how loading ended, and how main ended."""
    options = harness.vm_options() if ours else []
    outcome = harness.run([*harness.java(java), *options, "-Xmx256m", "-cp", WORK, "MutantRunner", "-r",
                           WORK / "mutants.bin"], WORK,
                          900 * harness.time_scale(), ours=ours)
    rows = {}
    for line in outcome.out.decode("utf-8", "replace").splitlines():
        words = line.split(" ")
        if len(words) >= 3 and words[0].isdigit():
            rows[int(words[0])] = (int(words[1]), words[2], " ".join(words[3:]))
    if outcome.code != 0:
        print(f"{java}: {outcome.ended()} behind mutant {max(rows, default=None)}")
        print(outcome.err.decode("utf-8", "replace")[-4000:])
        harness.show_crash_reports(WORK)
    return outcome.code, rows


harness.fresh_directory(WORK)
(WORK / "seeds").mkdir()
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, *sorted((TESTS / "mutate").glob("*.java"))], check=True)
subprocess.run([*harness.javac(HOTSPOT), "-g", "-parameters", "--release", "17", "-Xlint:-options", "-d",
                WORK / "seeds", *sorted((TESTS / "mutate/seeds").glob("*.java"))], check=True)
subprocess.run([*harness.java(HOTSPOT), "-cp", WORK, "Mutator", WORK / "seeds", WORK / "mutants.bin", PER_CATEGORY,
                SEED],
               check=True)

(hotspot_code, hotspot), (our_code, ours) = results(HOTSPOT, False), results(harness.vm_under_test(IMAGE), True)
failed = hotspot_code != 0 or our_code != 0

accepted = collections.Counter(category for category, load, _ in hotspot.values() if load == "ok")
for number, name in enumerate(CATEGORIES):
    total = sum(category == number for category, _, _ in hotspot.values())
    print(f"{name}: {total} mutants, HotSpot accepts {accepted[number]}")
    if total < min(500, int(PER_CATEGORY)):
        failed = True
share = sum(accepted.values()) / max(1, len(hotspot))
print(f"HotSpot accepts {share:.1%} of {len(hotspot)}")
if len(hotspot) < 6 * int(PER_CATEGORY) or share < 0.2 or share > 0.6:
    failed = True

loads, runs, unlike_runs, too_lenient = collections.Counter(), collections.Counter(), [], []
for number, (category, load, ran) in hotspot.items():
    _, our_load, our_ran = ours.get(number, (category, "no answer", ""))
    if load != our_load:
        loads[load, our_load] += 1
        if our_load == "ok":
            too_lenient.append(number)
        print(f"mutant {number} ({CATEGORIES[category]}): HotSpot {load}, ours {our_load}")
    elif load == "ok" and ran != our_ran:
        unlike_runs.append(number)
        print(f"mutant {number} ({CATEGORIES[category]}): main on HotSpot: {ran}, on ours: {our_ran}")
    runs[load == "ok"] += 1
different = sum(loads.values())
for pair, count in loads.most_common():
    print(f"{count} times HotSpot {pair[0]}, ours {pair[1]}: {REASONS.get(pair, 'no known reason')}")
agree = 1 - different / max(1, len(hotspot))
ran_alike = 1 - len(unlike_runs) / max(1, runs[True])
print(f"loading agrees in {agree:.2%}, main of the accepted ones ends alike in {ran_alike:.2%}")
if agree < AGREEMENT or ran_alike < AGREEMENT:
    failed = True
# A wrong refusal costs a program, a wrong acceptance the type safety of all: no share of them is small enough.
print(f"{len(too_lenient)} accepted by ours and refused by HotSpot: {too_lenient}")
if too_lenient:
    failed = True
sys.exit(1 if failed else 0)
