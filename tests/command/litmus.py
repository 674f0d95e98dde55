"""The memory model (JLS 17.4), interpreted and from each compiler: tests/litmus/Litmus.java sees no outcome that is
forbidden, and sees the one that shows that it could: two plain stores that wait until both loads behind them are done.
PrintCompilation shows that the methods that raced were the named compiler's all the while. LITMUS_TRIALS: how many
trials each test has; LITMUS_MEETINGS: how many of them, at least, must have met the other thread's; LITMUS_CLASSES: how
many classes two threads initialise at the same time."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "TESTS", "WORK"))
OURS = harness.vm_under_test(os.environ["IMAGE"])
TRIALS, MEETINGS, CLASSES = (int(os.environ.get("LITMUS_" + name, default))
                             for name, default in (("TRIALS", "20000"), ("MEETINGS", "10"), ("CLASSES", "500")))
# The tier's options, and the level that PrintCompilation names.
TIERS = {"interpreted": (["-Xint"], None), "baseline": (["-XX:TieredStopAtLevel=1"], "1"),
         "optimised": (["-Xbatch"], "4")}
COMPILED = re.compile(r"\s*\d+\s+(\d+)\s+\S*\s*(\d)\s+(Litmus\$\w+::(?:first|second)) \(\d+ bytes\)(.*)")
INTERNAL = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
RESULT = re.compile(r"(\w+): trials (\d+) forbidden (\d+) weak (\d+)(?: met (\d+))?")


def levels(lines):
    """The levels of the code of each racing method that is in use behind these lines."""
    used = {}
    for line in lines:
        if found := COMPILED.match(line):
            if "made not entrant" in found[4]:
                used.pop(found[1], None)
            else:
                used[found[1]] = (found[3], found[2])
    by_method = {}
    for method, level in used.values():
        by_method.setdefault(method, set()).add(level)
    return by_method


def wrong_with(results, lines, level):
    """What was wrong with a run, in lines; level: of the racing methods, None for the interpreter."""
    racing = lines.index("racing")
    before, behind = levels(lines[:racing]), levels(lines)
    for test, (trials, forbidden, weak, met) in results.items():
        if forbidden:
            yield f"{test}: {forbidden} forbidden outcomes"
        if test != "ClassInitialisation" and trials < TRIALS:
            yield f"{test}: {trials} trials"
        if met is not None and met < MEETINGS:
            yield f"{test}: the threads did not race: {met} trials of {trials} have met"
        for method in ("first", "second") if test != "ClassInitialisation" else ():
            name = f"Litmus${test}::{method}"
            wanted = {level} if level else set()
            if before.get(name, set()) != wanted or behind.get(name, set()) != wanted:
                yield f"{name} was level {before.get(name)} before the race, {behind.get(name)} behind it"
    if results.get("StoreBufferingPlain", (0, 0, 0, 0))[2] == 0:
        yield "no weak outcome was seen where one is allowed: this proves nothing"


def main():
    harness.fresh_directory(WORK)
    subprocess.run([*harness.javac(HOTSPOT), *INTERNAL, "-d", WORK, TESTS / "litmus/Litmus.java"], check=True)
    failed = False
    for tier, (options, level) in TIERS.items():
        outcome = harness.run([*harness.java(OURS), "-XX:+PrintCompilation", *options, *INTERNAL, "-cp", WORK, "Litmus",
                               str(TRIALS), str(MEETINGS), str(CLASSES)], WORK, 1500 * harness.time_scale(), ours=True)
        lines = outcome.out.decode(errors="replace").splitlines()
        if outcome.code != 0 or "racing" not in lines or lines[-1] != "raced":
            print(f"{tier}: {outcome.ended()}\n" + "\n".join(line for line in lines if "::" not in line)
                  + outcome.err.decode(errors="replace"))
            harness.show_crash_reports(WORK)
            failed = True
            continue
        results = {found[1]: (*map(int, found.group(2, 3, 4)), found[5] and int(found[5]))
                   for found in map(RESULT.fullmatch, lines) if found}
        faults = list(wrong_with(results, lines, level))
        weak = results["StoreBufferingPlain"]
        print(f"{tier}: {len(results)} tests, {sum(r[0] for r in results.values())} trials, "
              f"{sum(r[1] for r in results.values())} forbidden outcomes; of plain store buffering {weak[2]} weak ones "
              f"in {weak[0]}")
        for fault in faults:
            print(f"  {fault}")
        failed |= bool(faults)
    sys.exit(1 if failed else 0)


main()
