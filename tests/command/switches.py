"""Threads that switch events, breakpoints, watches and frame pops for themselves, all at the same moment: each is sent
what it wants, and nothing else. As on HotSpot, where a second environment may not have what it takes; 17 begins to
sample with a thread's next buffer only, and a breakpoint's event, or the breakpoint itself, is seldom lost. So HotSpot
says how often what is wanted, and ours that it has come each time."""
import os
from pathlib import Path

import checks
import harness

OURS = harness.vm_under_test(checks.IMAGE)
ROUNDS = 1000


def run(vm, environments, *options):
    ours = vm == OURS
    agent = "-agentpath:" + os.path.abspath(harness.agent_library(checks.BUILD, "switches", ours))
    options = [*options, *harness.vm_options()] if ours else options
    outcome = harness.run([*harness.java(vm), *options, agent, "-cp", checks.CLASSES, "Switches", str(ROUNDS),
                           environments], Path(checks.WORK), checks.LIMIT, ours)
    return outcome.out.decode(), outcome.err.decode(), outcome.ended()


def wanted(text):
    lines = [line.split(", wrong")[0] for line in text.splitlines()]
    return [line for line in lines if checks.LIBRARY != "17" or "SAMPLED_OBJECT_ALLOC" not in line]


def main():
    checks.compile_sources("jvmti", "Switches", "SwitchedWork")
    expected, complaints, ended = run(Path(checks.HOTSPOT), "only", "-Xint")
    expected = expected.replace("FAILED a breakpoint: NOT_FOUND\n", "")      # seen once in hundreds of runs, of 17
    kinds = expected.splitlines()
    checks.check(ended == "exit 0" and len(kinds) == 10 and all("wanted" in line for line in kinds), "HotSpot's run",
                 f"{ended} {expected} {complaints}")
    for environments in ("only", "second"):
        for options in ([], ["-Xint"], ["-Xcomp"], ["-Xcomp", "-XX:SwitchTierEvery=50", "-XX:DeoptimizeEvery=50"]):
            found, complaints, ended = run(OURS, environments, *options)
            what = f"{environments} {options}"
            checks.equal((ended, complaints), ("exit 0", ""), what)
            checks.check(all(line.endswith("wrong 0") for line in found.splitlines()), f"{what}: wrong", found)
            checks.equal(wanted(found), wanted(expected), f"{what}: as on HotSpot")


main()
checks.finish()
