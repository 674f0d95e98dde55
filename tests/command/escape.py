"""Objects that only the method sees that makes them are not allocated: so many bytes less, and not with HotSpot's
options against it; a tool that wants to know of allocations is sent each, from the one on that follows its request;
and what is wanted after all is there when the heap is full; only where very much is, the method ends with an
OutOfMemoryError. Nor are their monitors entered, and a tool that looks at the thread finds that it holds them."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
SUMS = {"sum": "1003910608", "nested": "-1723401359", "seen": "856832704", "locked": "-1729269184"}
AGAINST = (["-XX:-DoEscapeAnalysis"], ["-XX:-EliminateAllocations"], ["-XX:-Inline"], ["-Xint"])


def run(*arguments):
    """Lines of standard output, of standard error, how it ended."""
    outcome = harness.run([*harness.java(OURS), *arguments], WORK, 300 * harness.time_scale(), True)
    return outcome.out.decode().splitlines(), outcome.err.decode().splitlines(), outcome.ended()


def measured(*options):
    out, err, ended = run("-Xbatch", *options, "-cp", CLASSES, "Escape", "bytes")
    check(not err and ended == "exit 0" and len(out) == len(SUMS), f"bytes {options}", ended, *out, *err)
    found = [re.fullmatch(r"(\w+): (-?\d+), (\d+) objects a turn", line) for line in out]
    check(all(m and SUMS[m[1]] == m[2] for m in found), f"what is computed {options}", *out)
    return {m[1]: int(m[3]) for m in found if m}


def allocated():
    check(measured() == {"sum": 0, "nested": 0, "seen": 1, "locked": 0}, "objects that are allocated")
    for options in AGAINST:
        check(measured(*options) == {"sum": 3, "nested": 2, "seen": 1, "locked": 2}, f"all are allocated {options}")
    check(measured("-XX:-EliminateLocks") == {"sum": 0, "nested": 0, "seen": 1, "locked": 2}, "what is locked is")


def told(mode, *options):
    agent = f"-agentpath:{harness.agent_library(BUILD, 'escape', True)}"
    return run(*options, agent, "-cp", CLASSES, "Escape", mode)


def events():
    """Where all are allocated before, too, nobody has left any out."""
    others = "from another thread: all events"
    for options in ([], ["-XX:CollectEvery=5000"], *AGAINST, ["-XX:DeoptimizeEvery=50"], ["-XX:SwitchTierEvery=100"]):
        none, afterwards = ("none before, ", ", none afterwards") if options == [] else ("", "")
        lines = [f"{name}: -500302, {none}30000 events" for name in ("first", "again")]
        lines += ["watched throughout: all" + afterwards, others]
        out, err, ended = told("events", "-Xbatch", *options)
        if options and options not in AGAINST:
            out = [line.replace("none before, ", "").replace(", none afterwards", "") for line in out]
        check((out, err, ended) == (lines, [], "exit 0"), f"events {options}", ended, *out, *err)
    out, err, ended = told("events", "-Xbatch", "-XX:+PrintCompilation")
    gone = [line for line in out if "Escape::watched" in line and "made not entrant" in line]
    check(len(gone) >= 4, "code that leaves allocations out goes, and what makes them when nobody watches", *gone)


def monitors():
    """Each once, with the youngest frame that has entered it."""
    for options in ([], ["-XX:-EliminateLocks"], *AGAINST, ["-XX:DeoptimizeEvery=50"], ["-XX:CollectEvery=5000"]):
        out, err, ended = told("monitors", "-Xbatch", *options)
        allocated = "none" if options in ([], ["-XX:CollectEvery=5000"]) else "all"
        held = "LEscape$Guard; at 0, LEscape$Point; at 1"
        expected = [f"{allocated} allocated before; held: {held}; afterwards: ; true"]
        if options == ["-XX:DeoptimizeEvery=50"]:
            out, expected = ([line.partition("held")[2] for line in lines] for lines in (out, expected))
        check((out, err, ended) == (expected, [], "exit 0"), f"monitors {options}", ended, *out, *err)


def memory():
    """What is not allocated where the program says `new` is there when it is wanted, though the heap is full."""
    for options in ([], *AGAINST[:2], ["-Xint"], ["-XX:DeoptimizeEvery=1"]):
        counts = "0 errors, 10 handled, 10 others" if options == [] else "10 errors, 0 handled, 0 others"
        expected = [f"399940000: {counts}, then Index 99 out of bounds for length 16, 26"]
        out, err, ended = run("-Xmx32m", "-Xbatch", *options, "-cp", CLASSES, "Escape", "memory")
        check((out, err, ended) == (expected, [], "exit 0"), f"memory {options}", ended, *out, *err)
        many = {(): "some", ("-XX:DeoptimizeEvery=1",): "many"}.get(tuple(options), "none")
        out, err, ended = run("-Xmx32m", "-Xbatch", *options, "-cp", CLASSES, "Escape", "used up")
        expected = [f"1 error, all as they were: true, {many}"]
        check((out, err, ended) == (expected, [], "exit 0"), f"used up {options}", ended, *out, *err)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/Escape.java"], check=True)
    for part in (allocated, events, monitors, memory):
        part()
    sys.exit(1 if failed else 0)


main()
