"""What is watched stays compiled: under each kind of observation a hot method does and reports what it does on HotSpot,
and in the events its frame is compiled code's: but for the first ones, where names are resolved."""
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
# With -Xcomp, where names are resolved; at 0, where the baseline compiler's code has counted enough.
RARE = {("fail", "4"), ("fail", "8"), ("work", "13"), ("work", "26"), ("work", "0"), ("caught", "0"),
        ("fail", "0")}
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
    subprocess.run([HOTSPOT / "bin/javac", "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/WatchedHot.java"], check=True)
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
        counts = [tuple(map(int, re.findall(r"\d+", line))) for line in lines if line.startswith("interpreted: ")]
        if len(counts) != 17 or any(100 * interpreted > events for interpreted, events in counts):
            failed.append("interpreted")
            print(f"{options}: events of frames that were not compiled:", *counts, sep="\n")
        left = re.findall(LEAVES, (WORK / "jit.log").read_text())
        if len(left) > 100 or not set(left) <= RARE:
            failed.append("leaves")
            print(f"{options}: leaves", *left, sep="\n")
    sys.exit(1 if failed else 0)


main()
