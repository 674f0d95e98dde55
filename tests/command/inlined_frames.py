"""What tools see of frames whose methods are built into each other, and what they do to them: the scenarios of
compiled_frames.py, each after a warm-up, as on HotSpot. What calls something then has a frame as long as that runs; its
code has one word on the C stack for all that is built into it."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
# The ends of the parts that are built into each other, and what all else is to be.
OPTIONS = ["-Xbatch", "-XX:CompileThresholdScaling=0.01", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining"]
COMMANDS = ["quiet", "dontinline,CompiledFrames.stand", "dontinline,CompiledFrames.note", "inline,CompiledFrames*.*"]
# These have no code of their own then.
ALONE = ["exclude,CompiledFrames$Inlined*.*"]
PARTS = ["dontinline,CompiledFrames$Inlined.sixth", "dontinline,CompiledFrames$Inlined$Outer.second"]
# Most are inlined in each scenario: what is left out is warmed up with what has caught, or is watched.
WANTED = {"first": 80, "second": 10, "third": 10, "fourth": 80, "lambda$static$0": 80, "sixth": 80, "seventh": 80,
          "ninth": 10, "recurse": 1, "call": 1}
# So often that all of it has been compiled as well as can be, which an interpreter does not need.
TURNS = "120"
LINE = re.compile(r" {10,}!? *@ \d+ +(\S+)::(\S+) \(\d+ bytes\) +(.*)")


def run(java, options, commands):
    """Lines of standard output but those of -XX:+PrintInlining, what is inlined, standard error, how it ended."""
    agent = harness.agent_library(BUILD, "compiled_frames", java == OURS)
    outcome = harness.run([*harness.java(java), "-Xmx256m", *options,
                           *(f"-XX:CompileCommand={command}" for command in commands), f"-agentpath:{agent}",
                           "-cp", CLASSES, "CompiledFrames", TURNS if java == OURS else "1"], WORK,
                          300 * harness.time_scale(), java == OURS)
    lines, inlined = [], []
    for line in outcome.out.decode().splitlines():
        if match := LINE.fullmatch(line):
            is_inlined = match[3].startswith(("inline", "force inline")) and "CompiledFrames" in match[1]
            inlined += [match[2]] if is_inlined else []
        elif not re.match(r" {10,}", line):
            lines.append(line)
    return lines, inlined, outcome.err.decode().splitlines(), outcome.ended()


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/CompiledFrames.java"],
                   check=True)
    failed = False
    expected, _, err, ended = run(HOTSPOT, ["-Xint"], [])
    if ended != "exit 0" or err or any(line.startswith("FAILED") for line in expected) or len(expected) < 1500:
        failed = True
        print("HotSpot:", ended, *expected, *err, sep="\n")
    for more, commands in (([], []), ([], PARTS), ([], ALONE), (["-Xcomp"], []), (["-XX:CollectEvery=500"], []),
                           (["-XX:SwitchTierEvery=20"], []), (["-XX:SwitchTierEvery=3"], PARTS),
                           (["-XX:DeoptimizeEvery=1"], []), (["-XX:DeoptimizeEvery=7"], PARTS)):
        lines, inlined, err, ended = run(OURS, [*OPTIONS, *more], [*COMMANDS, *commands])
        if (lines, err, ended) != (expected, [], "exit 0"):
            failed = True
            print(f"{more} {commands}: {ended}", *err, sep="\n")
            harness.show_difference("output", "\n".join(expected), "\n".join(lines))
        missing = [f"{name}: {inlined.count(name)}" for name, count in WANTED.items() if inlined.count(name) < count]
        if not more and not commands and missing:
            failed = True
            print(f"{more} {commands}: inlined too seldom:", *missing, sep="\n")
    sys.exit(1 if failed else 0)


main()
