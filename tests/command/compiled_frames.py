"""What tools see of frames in the middle of a thread's stack, and what they do to them: as on HotSpot, interpreted and
compiled."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
# The methods of the chains. The others' calls are the interpreter's: fourth is synchronized.
COMPILED = {"first", "second", "third", "lambda$static$0", "sixth", "seventh", "eighth", "ninth", "stand", "recurse",
            "run", "initial", "<init>", "greets", "many", "call"}


def run(java, *options):
    """Lines of standard output, of standard error, exit code."""
    agent = harness.agent_library(BUILD, "compiled_frames", java == OURS)
    outcome = harness.run([*harness.java(java), "-Xmx256m", *options, f"-agentpath:{agent}", "-cp", CLASSES,
                           "CompiledFrames"], WORK, 300 * harness.time_scale(), java == OURS)
    return outcome.out.decode().splitlines(), outcome.err.decode().splitlines(), outcome.ended()


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([HOTSPOT / "bin/javac", "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/CompiledFrames.java"],
                   check=True)
    failed = False
    expected, err, ended = run(HOTSPOT)
    if ended != "exit 0" or err or any(line.startswith("FAILED") for line in expected) or len(expected) < 1500:
        failed = True
        print("HotSpot:", ended, *expected, *err, sep="\n")
    for options in ([], ["-Xcomp", "-Xlog:jit=debug:file=jit.log"]):
        lines, err, ended = run(OURS, *harness.vm_options(), *options)
        if (lines, err, ended) != (expected, [], "exit 0"):
            failed = True
            print(f"{options}: {ended}", *err, sep="\n")
            harness.show_difference("output", "\n".join(expected), "\n".join(lines))
    compiled = set(re.findall(r"CompiledFrames[\w$]*\.([\w$<>]+)\(.*: \d+ bytes of bytecode",
                              (WORK / "jit.log").read_text()))
    if not COMPILED <= compiled:
        failed = True
        print("not compiled:", *sorted(COMPILED - compiled))
    sys.exit(1 if failed else 0)


main()
