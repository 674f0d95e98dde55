"""What is watched stays compiled: under each kind of observation a hot method does and reports what it does on HotSpot,
and in the events its frame is compiled code's: but for the first ones, where names are resolved, and where optimised
code leaves for a breakpoint or a watched field until it has done so too often."""
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
LEAVES = r"WatchedHot\.(work|fail|caught)\(\S* leaves at (\d+)"
# With -Xcomp, where names are resolved; at 0 and 22, where the baseline compiler's code has counted enough.
RARE = {("fail", "4"), ("fail", "8"), ("work", "13"), ("work", "0"), ("work", "22"), ("caught", "0"), ("fail", "0")}
# Where breakpoints and accesses to watched fields are. Code is made anew 5,000 times, and two calls may leave then.
EVENTS = {("work", "0"), ("work", "10"), ("work", "13"), ("work", "26"), ("work", "30"), ("fail", "8")}
# Optimised code leaves 16 times before the method is the baseline compiler's: `work` alone, or with two kinds of
# events.
OFTEN = 48
CHANGES = 5000                             # the program's
# A frame of a method that has had optimised code goes on in the interpreter when a local variable of it is set.
SETS_LOCALS = {"all"}
# HotSpot 17 leaves some allocations out, now these, now those; HotSpot 25 samples each where the interval is 0.
SAMPLED = {name: f"{name}: {result}, {events} events; afterwards 2020133, 0 events"
           for name, result, events in (("samples", 2020133, 9600), ("samples, and locals", 2024196, 9600),
                                        ("all", 2020133, 18800))}


def run(java, *options):
    """Lines of standard output, of standard error, how it ended."""
    agent = harness.agent_library(BUILD, "watched_hot", java == OURS)
    outcome = harness.run([*harness.java(java), "-Xmx256m", *options, f"-agentpath:{agent}", "-cp", CLASSES,
                           "WatchedHot"], WORK, 300 * harness.time_scale(), java == OURS)
    return outcome.out.decode().splitlines(), outcome.err.decode().splitlines(), outcome.ended()


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/WatchedHot.java"],
                   check=True)
    failed = []
    expected, err, ended = run(HOTSPOT)
    if ended != "exit 0" or err or any("FAILED" in line for line in expected) or len(expected) != 19:
        failed.append("HotSpot")
        print("HotSpot:", ended, *expected, *err, sep="\n")
    if os.environ["LIBRARY"] == "17":
        expected = [SAMPLED.get(line.partition(":")[0], line) for line in expected]
    # In the third the code that is made anew 5,000 times does not have room, unless the older goes.
    for options in (["-Xbatch"], [], ["-XX:ReservedCodeCacheSize=2500k"], ["-Xcomp"]):
        lines, err, ended = run(OURS, *options, "-Xlog:jit=trace:file=jit.log")
        told = [line for line in lines if not line.startswith("interpreted: ")]
        if (told, err, ended) != (expected, [], "exit 0"):
            failed.append("output")
            print(f"{options}: {ended}", *err, sep="\n")
            harness.show_difference("output", "\n".join(expected), "\n".join(told))
        counts = [(following.partition(":")[0], *map(int, re.findall(r"\d+", line)))
                  for line, following in zip(lines, lines[1:]) if line.startswith("interpreted: ")]
        if len(counts) != 17 or any(interpreted > max(events / (2 if row in SETS_LOCALS else 100), OFTEN)
                                    for row, interpreted, events in counts):
            failed.append("interpreted")
            print(f"{options}: events of frames that were not compiled:", *counts, sep="\n")
        left = collections.Counter(re.findall(LEAVES, (WORK / "jit.log").read_text()))
        other = {place: times for place, times in left.items() if place not in EVENTS}
        if not set(left) <= RARE | EVENTS or sum(other.values()) > 100 or max(left.values()) > 2 * CHANGES:
            failed.append("leaves")
            print(f"{options}: leaves", *left.items(), sep="\n")
    sys.exit(1 if failed else 0)


main()
