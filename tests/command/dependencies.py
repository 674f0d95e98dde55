"""What compiled code relies on is broken while another thread runs it in a loop: a redefined callee, a call site's
target, a class that is not initialised yet, breakpoints, watched fields, sampled allocations, events of a lambda's
allocation, static finals that JNI assigns. The loop notices each, as in HotSpot's interpreter (its compilers keep what
a final field has had), and its code has been the named compiler's before. HotSpot 17 has no event for a lambda's
allocation."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES, LIBRARY = WORK / "classes", os.environ["LIBRARY"]
# Its options, and the level that the racing method is compiled at; in the background that depends on how fast it is.
TIERS = {"interpreted": (["-Xint"], None), "baseline": (["-XX:TieredStopAtLevel=1"], "1"),
         "optimised": (["-Xbatch"], "4"), "background": ([], "")}
TURN = re.compile(r"\s*\d+\s+\d+\s+\S*\s*(\d)\s+Dependencies::turn \(\d+ bytes\)$")


def run(java, *options):
    agent = harness.agent_library(BUILD, "dependencies", java == OURS)
    outcome = harness.run([*harness.java(java), *options, f"-agentpath:{agent}", "-cp", CLASSES, "Dependencies",
                           *(["silent"] if java != OURS and LIBRARY == "17" else [])], WORK,
                          300 * harness.time_scale(), java == OURS)
    lines = (outcome.out + outcome.err).decode(errors="replace").splitlines()
    return [line for line in lines if "::" not in line] + [outcome.ended()], lines


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-g", "-d", CLASSES, TESTS / "jvmti/Dependencies.java"], check=True)
    failed = False
    expected, _ = run(HOTSPOT, "-Xint")
    if len(expected) != 18 or expected[-1] != "exit 0":
        print("HotSpot:", *expected, sep="\n")
        failed = True
    for tier, (options, level) in TIERS.items():
        said, lines = run(OURS, "-XX:+PrintCompilation", *options)
        made = [found[1] for found in map(TURN.match, lines) if found]
        if said != expected:
            print(f"{tier}:", *said, sep="\n")
            failed = True
        # at the beginning, and anew for each thing that is watched
        if (level is None and made) or (level and made.count(level) < 3):
            print(f"{tier}: turn was compiled at levels {made}")
            failed = True
    sys.exit(1 if failed else 0)


main()
