"""What tools see of frames in the middle of a thread's stack, and what they do to them: as on HotSpot, interpreted and
compiled. In the baseline compiler's code our VM says which frames are compiled when something is done to them: all are
but those whose reason to leave is known."""
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
# The methods of the chains. The others' calls are the interpreter's: fourth is synchronized.
COMPILED = {"first", "second", "third", "lambda$static$0", "sixth", "seventh", "eighth", "ninth", "stand", "recurse",
            "run", "initial", "<init>", "greets", "many", "call"}
BASELINE = ["-Xcomp", "-XX:TieredStopAtLevel=1"]
CHAIN = {"first", "second", "third", "fourth", "lambda$static$0", "sixth", "seventh", "eighth", "ninth", "stand"}
COLD = {"<clinit>", "<init>", "many"}
# What is done, or told, and the methods whose frames are compiled then, at least once. Accesses to watched fields are
# watched_hot.py's; no method that is stepped is compiled.
DONE = {
    "suspended": CHAIN | COLD | {"recurse", "call", "waitForGo"}, "trace": CHAIN | COLD | {"recurse", "call"},
    "GetLocal": CHAIN - {"stand"} | COLD, "GetLocalInstance": {"second", "ninth", "<init>"},
    "SetLocal": CHAIN | {"<init>", "many"}, "owned monitor": {"fourth"}, "steps enabled": CHAIN | COLD,
    "NotifyFramePop": CHAIN | COLD | {"recurse", "call"}, "pop": CHAIN | COLD | {"call"},
    # The program does not pop sixth (see there), nor do more native methods call.
    "PopFrame": CHAIN - {"sixth"}, "PopFrame, caller": CHAIN - {"fourth", "lambda$static$0", "sixth"},
    "ForceEarlyReturn": CHAIN, "ForceEarlyReturn, caller": CHAIN - {"fourth", "lambda$static$0", "sixth"},
    "StopThread": CHAIN | COLD, "StopThread of itself": CHAIN, "breakpoint": CHAIN, "entry": {"<init>", "note"},
    "exit": CHAIN | {"<init>", "note"}, "exception": {"fourth", "stand"}, "catch": {"eighth", "fourth", "run"},
    "RedefineClasses": {"call"}, "RetransformClasses": CHAIN | {"call"},
}
# What the events of a breakpoint do, and what else is seen of frames that leave since one has come or gone.
OF_BREAKPOINTS = {"breakpoint", "SetLocal", "PopFrame", "PopFrame, caller", "ForceEarlyReturn", "StopThread of itself",
                  "exit", "pop"}


def run(java, *options, kinds=""):
    """Lines of standard output, of standard error, exit code. kinds: the agent's option."""
    agent = harness.agent_library(BUILD, "compiled_frames", java == OURS)
    outcome = harness.run([*harness.java(java), "-Xmx256m", *options, f"-agentpath:{agent}{kinds}", "-cp", CLASSES,
                           "CompiledFrames"], WORK, 300 * harness.time_scale(), java == OURS)
    return outcome.out.decode().splitlines(), outcome.err.decode().splitlines(), outcome.ended()


def may_be_interpreted(scenario, what, method):
    """Where names are resolved; at a loop's branch, where the thread was stopped; where a watch, or a breakpoint behind
    the call, has come while the frame was there; where one calls again whose callee was popped; what is stepped."""
    return (scenario.startswith(("called for the first time", "cold")) or method == "spin"
            or what in ("access", "modification", "step")
            or (re.search("behind|breakpoint|returned early|popped|steps|with events", scenario) is not None
                and what in OF_BREAKPOINTS)
            or ("popped" in scenario and method == "stand"))


def wrong_kinds(file):
    """Frames that were interpreted and should not have been, and what never was done to compiled ones."""
    wrong, compiled, scenario = collections.Counter(), collections.defaultdict(set), ""
    for line in file.read_text().splitlines():
        if line.startswith("-- "):
            scenario = line[3:]
            continue
        what, method, kind = line.split("\t")
        what = what.removesuffix(", youngest")
        if kind == "compiled":
            compiled[what].add(method)
        elif kind != "native" and not may_be_interpreted(scenario, what, method):
            wrong[f"{scenario}: {what}: {method} is {kind}"] += 1
    return [*wrong, *(f"{what}: not once compiled: {sorted(methods - compiled[what])}"
                      for what, methods in DONE.items() if not methods <= compiled[what])]


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/CompiledFrames.java"],
                   check=True)
    failed = False
    expected, err, ended = run(HOTSPOT)
    if ended != "exit 0" or err or any(line.startswith("FAILED") for line in expected) or len(expected) < 1500:
        failed = True
        print("HotSpot:", ended, *expected, *err, sep="\n")
    for options in ([], BASELINE, ["-Xcomp", "-Xlog:jit=debug:file=jit.log"]):
        lines, err, ended = run(OURS, *harness.vm_options(), *options,
                                kinds=f"=kinds={WORK}/kinds" if options == BASELINE else "")
        if (lines, err, ended) != (expected, [], "exit 0"):
            failed = True
            print(f"{options}: {ended}", *err, sep="\n")
            harness.show_difference("output", "\n".join(expected), "\n".join(lines))
    compiled = set(re.findall(r"CompiledFrames[\w$]*\.([\w$<>]+)\(.*: \d+ bytes of bytecode",
                              (WORK / "jit.log").read_text()))
    if not COMPILED <= compiled:
        failed = True
        print("not compiled:", *sorted(COMPILED - compiled))
    # Where the interpreter takes over at random any frame may be its own.
    wrong = [] if "SwitchTierEvery" in " ".join(harness.vm_options()) else wrong_kinds(WORK / "kinds")
    if wrong:
        failed = True
        print("frames that were not compiled:", *wrong, sep="\n")
    sys.exit(1 if failed else 0)


main()
