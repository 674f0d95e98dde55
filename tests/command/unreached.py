"""A breakpoint or a watched field in a line that nothing reaches leaves a hot method optimised, and built into what
calls it: the code leaves there, if it comes so far. Where that happens often the method is the baseline compiler's,
until the breakpoint or watch goes. So is one whose frames a tool has asked for often, for some time. Results and events
are HotSpot's throughout."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
# What the VM says of its code: -Xbatch has it compiled before the program goes on.
SHOWN = ["-Xbatch", "-XX:+PrintCompilation", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining"]
OPTIMISED = re.compile(r" *\d+ +\d+ .* 4 +Unreached::(?:turn|asks) \(\d+ bytes\)$")
INLINED = re.compile(r" +@ \d+ +Unreached::(?:hot|asked) \(\d+ bytes\) +(?:failed to inline: )?(.*)$")
# What the newest optimised code of `turn`, or `asks`, does with its call of `hot`, or `asked`, by the beginning of the
# line that comes behind. Before, it was made in the section before.
WANTED = {"before": "inline", "breakpoint": "inline", "access": "inline", "modification": "inline",
          "in turn": "needs a frame", "cleared": "inline", "not asked": "inline", "popped no more": "inline"}


def run(java, *options, arguments=()):
    agent = harness.agent_library(BUILD, "unreached", java == OURS)
    outcome = harness.run([*harness.java(java), *options, f"-agentpath:{agent}", "-cp", CLASSES, "Unreached",
                           *arguments], WORK,
                          300 * harness.time_scale(), java == OURS)
    return (outcome.out + outcome.err).decode(errors="replace").splitlines() + [outcome.ended()]


def is_program(line):
    return re.match(r"\w[\w ]*: -?\d+, \d+ events, -?\d+$|FAILED|exit ", line) is not None


def wrong_code(lines):
    """Sections whose newest optimised code is not as wanted, or was not made in them."""
    wrong, made = [], None
    for line in lines:
        if OPTIMISED.match(line):
            made = "nothing"
        elif made is not None and INLINED.match(line):
            made = INLINED.match(line)[1]
        elif is_program(line):
            section = next((start for start in WANTED if line.startswith(start)), None)
            if section is not None and made != WANTED[section]:
                wrong.append(f"{line}: optimised code made here: {made}")
            made = None if section is not None else made
    return wrong


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-g", "-d", CLASSES, TESTS / "jvmti/Unreached.java"], check=True)
    failed = False
    expected = run(HOTSPOT)
    if len(expected) != 23 or expected[-1] != "exit 0" or not all(map(is_program, expected)):
        print("HotSpot:", *expected, sep="\n")
        failed = True
    for options in ([], ["-Xint"], ["-Xcomp"], ["-XX:TieredStopAtLevel=1"], SHOWN):
        lines = run(OURS, *options)
        said = [line for line in lines if is_program(line)]
        if said != expected or (options != SHOWN and said != lines):
            print(f"{options}:", *lines, sep="\n")
            failed = True
    wrong = wrong_code(lines)
    if wrong:
        print(*wrong, *(line for line in lines if is_program(line) or "Unreached" in line), sep="\n")
        failed = True
    # Our interpreter says what a breakpoint at each instruction reports: HotSpot does not tell where these begin.
    everywhere = {options: run(OURS, *options, arguments=["everywhere"])
                  for options in (("-Xint",), (), ("-Xbatch",), ("-Xcomp",), ("-Xbatch", "-XX:-Inline"))}
    wanted = everywhere["-Xint",]
    if not re.match(r"4\d places: -?\d+, 1\d{6} events, \d+$", wanted[0]) or \
            any(said != wanted for said in everywhere.values()):
        print("everywhere:", *everywhere.items(), sep="\n")
        failed = True
    sys.exit(1 if failed else 0)


main()
