"""The optimising compiler: which methods it takes, and why it does not take others; that it computes what HotSpot does,
whichever way frames come into its code and out of it; what it makes of a loop; that it gives up what it guessed wrong;
what profilers see in its code. OPTIMISED_ALL=1: with all options, and ten times as many collections."""
import collections
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
INTERNAL = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
PROGRAM = ["-XX:-OmitStackTraceInFastThrow", *INTERNAL, "-cp", CLASSES]
# What is inlined in main is not compiled alone: inlining.py has that.
ALONE = "-XX:-Inline"
# Who asks for code waits for it: what is optimised then does not depend on how fast anything is.
AT_ONCE = "-Xbatch"
LOOPS = [ALONE, AT_ONCE, *PROGRAM, "OptimisedLoops"]
TAKEN = {"OptimisedLoops": {
         "ints", "longs", "longOrder", "floats", "doubles", "mixed", "everyArray", "at", "put", "length", "far", "upTo",
         "from", "downTo", "byTwo", "changing", "other", "doWhile", "late", "labelled", "exchange", "exchangeFloats",
         "multiply", "sort", "switches", "registers", "floatRegisters", "statics", "changed", "fields", "cast",
         "castShape", "setBack", "fill", "divides", "sumUntil", "caughtInside", "nullInside", "throwsAt",
         "storesInside", "narrow", "oneFloat",
         "enteredOnce", "enteredNested", "enteredDown", "enteredLate", "rare"},
         "OptimisedEscape": {
         "points", "branches", "narrow", "counted", "countTo", "types", "lambdas", "nested", "atBounds", "caught",
         "atNull", "never", "twoInState", "divides", "inlined", "outer", "thrown", "allocates", "locked", "floating",
         "loops", "called", "hoisted", "scanned", "loopOf", "inlinedLoop"},
         "OptimisedObjects": {
         "everyArray", "constantLength", "nested", "several", "manyValues", "heldByNobody", "hoisted", "stores",
         "triangle", "inBranches", "argument", "manyArguments"},
         "OptimisedMonitors": {
         "inLoop", "around", "nested", "oneByOne", "returns", "member", "wide", "floating", "nothing", "ofClass",
         "manyValues", "contend"},
         "OptimisedIntrinsics": {
         "ints", "longs", "doubles", "floats", "exact", "addAll", "multiplyAll", "negated", "chars", "backwards",
         "upTo", "classes", "objects", "indexes", "checked", "itself", "invariant", "manyFloats", "roundings"},
         "OptimisedLeaves": {
         "floatRemainders", "doubleRemainders", "functions", "cold", "manyValues", "texts", "arrays", "identities",
         "instances", "dense", "farKeys", "copies"},
         "OptimisedUnsafe": {
         "plain", "strong", "between", "exchanges", "adds", "aliases", "elements", "changing", "guarded", "never",
         "fresh", "unused", "arrays", "memory", "either", "statics", "bytes", "dense", "collected", "handles"},
         "OptimisedBranches": {
         "simple", "combined", "compared", "kept", "tested", "testedTwice", "nulls", "thrown", "cast"},
         "OptimisedConstants": {"everyType", "references", "ofInterface", "redirected"},
         "OptimisedCalls": {
         "fib", "ackermann", "all", "operands", "turns", "shapes", "members", "lambdas", "memory",
         "nested", "throwing", "held", "endless", "boxes"},
         "OptimisedHandlers": {
         "turns", "again", "types", "operands", "nested", "returned", "thrownHere", "implicit", "inlined", "member",
         "locked", "collected", "manyValues", "joined", "lines", "usedUp", "deep", "refuses"}}
# Methods of it whose handlers are there from the beginning, and those that were not for what only throws on.
CATCH = {"turns", "again", "types", "operands", "returned", "thrownHere", "inlined", "member", "collected",
         "manyValues", "joined", "lines", "usedUp"}
CATCH_LATER = {"nested", "locked"}
# Without tiers fewer calls and loops are left when they are compiled; before anything runs nobody knows what is rare.
LATE = {"castShape", "oneFloat", "put", "far", "narrow", "chars", "backwards"}
RARE = {"rare", "enteredLate", "atBounds", "atNull", "divides", "thrown"}


def run(java, *arguments):
    """Lines of standard output, of standard error, exit code."""
    command = [str(a) for a in (*harness.java(java), "-Xmx256m", *arguments)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale())
    return process.stdout.splitlines(), process.stderr.splitlines(), process.returncode


def compiled(lines, program):
    """By method: in which order what was made of it; O: optimised, b: the baseline compiler's code, or why not."""
    made = {}
    for line in lines:
        match = re.search(r"\[jit\] " + program + r"\.(\w+)\(\S*"
                          r"(: \d+ bytes of bytecode.*| is not optimised: (.*))", line)
        if match:
            how = match[3] or ("O" if line.endswith(", optimised") else "b")
            made.setdefault(match[1], []).append(how)
    return made


def without_log(lines):
    return [line for line in lines if "[jit]" not in line]


ALL = os.environ.get("OPTIMISED_ALL") == "1"
# How many allocations there are between two collections of the programs that collect most.
ALLOCATIONS = 300 if ALL else 3000
# With these all programs run; the others are the first one's alone. The modes of the suite run them as users have them,
# and with -Xcomp.
WIDELY = (["-XX:DeoptimizeEvery=1", "-XX:+Inline"],
          ["-XX:DeoptimizeEvery=20", f"-XX:CollectEvery={ALLOCATIONS}", "-XX:+Inline"], ["-Xcomp"])
# With OPTIMISED_ALL wherever one of these is.
MORE_WIDELY = {"-XX:+BackgroundCompilation", "-Xcomp", "-XX:SwitchTierEvery=100", "-XX:DeoptimizeEvery=1",
               "-XX:+Inline"}


def of_all_programs(options):
    return not options or options in WIDELY or ALL and bool(MORE_WIDELY & set(options))


def computes(program):
    """The same as on HotSpot; and who is asked to compile."""
    expected, wanted = run(HOTSPOT, *PROGRAM, program), TAKEN[program]
    check(expected[1:] == ([], 0) and len(expected[0]) > 8, "HotSpot", *expected)
    for options, all_of in (([], wanted), (["-XX:+BackgroundCompilation"], None), (["-XX:+Inline"], None),
                            (["-XX:+BackgroundCompilation", "-XX:+Inline"], None), (["-Xcomp", "-XX:+Inline"], None),
                            (["-Xcomp", "-XX:SwitchTierEvery=10", "-XX:+Inline"], None),
                            (["-XX:TieredStopAtLevel=4"], wanted),
                            (["-XX:-TieredCompilation"], wanted - LATE), (["-XX:TieredStopAtLevel=1"], None),
                            (["-XX:TieredStopAtLevel=3"], None), (["-Xint"], None),
                            (["-XX:SwitchTierEvery=100"], wanted), (["-XX:DeoptimizeEvery=1000"], wanted),
                            (["-XX:DeoptimizeEvery=1", "-XX:+Inline"], None),
                            (["-XX:DeoptimizeEvery=20", f"-XX:CollectEvery={ALLOCATIONS}", "-XX:+Inline"], None),
                            *([(["-XX:DeoptimizeEvery=1"], wanted),
                               (["-XX:DeoptimizeEvery=3", "-XX:+Inline"], None)] if ALL else []),
                            (["-Xcomp"], wanted - RARE),
                            (["-Xcomp", "-XX:SwitchTierEvery=10"], wanted - RARE),
                            (["-XX:CollectEvery=5000"], wanted),
                            ([f"-XX:CollectEvery={ALLOCATIONS}", "-Xcomp"], wanted - RARE),
                            (["-XX:Tier4BackEdgeThreshold=2000", "-XX:Tier4InvocationThreshold=100"], wanted)):
        if program != "OptimisedLoops" and not of_all_programs(options):
            continue
        out, err, code = run(OURS, "-Xlog:jit=debug", ALONE, AT_ONCE, *options, *PROGRAM, program)
        if (without_log(out), err, code) != expected:
            check(False, f"{program} {options}", code, *err)
            harness.show_difference("output", "\n".join(expected[0]), "\n".join(without_log(out)))
        made = compiled(out, program)
        taken = {name for name, how in made.items() if "O" in how}
        if not {"-XX:+Inline", "-XX:+BackgroundCompilation"} & set(options):
            check(taken >= all_of if all_of else not taken, f"{program} {options}: which are optimised",
                  taken ^ (all_of or set()))
        if options == [] and program == "OptimisedIntrinsics":
            check(made["roundings"] == ["b", "O"], "what is no number is rounded where it is", made["roundings"])
        if options == [] and program == "OptimisedLoops":
            check(made["rare"] == ["b", "O", "b", "O"], "given up, and with the call made again", made["rare"])
            check(made["locked"] == ["b", "O"], "what is synchronized", made["locked"])
            check(all(how[0] == "b" for how in made.values()), "all begin with the baseline compiler's code")


def catches():
    """A frame that catches goes on in optimised code: it does not leave. Where a check fails it leaves to throw, and
    nowhere else; and it is back in the handler, since a check that fails there has it leave again."""
    out, err, code = run(OURS, "-Xlog:jit=trace", ALONE, AT_ONCE, *PROGRAM, "OptimisedHandlers")
    left, made = {}, compiled(out, "OptimisedHandlers")
    for line in out:
        match = re.search(r"OptimisedHandlers\.(\w+)\(\S* leaves at (\d+)", line)
        if match:
            left.setdefault(match[1], []).append(int(match[2]))
    for names, made_of, fewest in ((CATCH, ["b", "O"], 0), (CATCH_LATER, ["b", "O", "b", "O"], 16)):
        for name in names:
            count = len(left.get(name, []))
            check(made[name] == made_of and fewest <= count <= fewest + 20, f"{name} catches", made[name], count)
    places = collections.Counter(left.get("implicit", []))
    check(sum(count > 1000 for count in places.values()) >= 4 and
          sum(count for count in places.values() if count <= 1000) <= 20, "implicit catches", places)
    places = collections.Counter(left.get("failsTwice", []))
    check(sum(count > 1000 for count in places.values()) == 2, "failsTwice is back in its handler", places)


def deoptimizes():
    """Without a reason, and then nothing is given up."""
    left, usual = (sum(" leaves " in line for line in run(OURS, "-Xlog:jit=trace", AT_ONCE, *options, *PROGRAM,
                                                          "OptimisedObjects")[0])
                   for options in (["-XX:DeoptimizeEvery=1000"], []))
    check(left > 10 * usual + 100, "frames leave because of DeoptimizeEvery", left, usual)


def listed():
    """Level 4; the baseline compiler's code is then not entered any more."""
    out, err, code = run(OURS, "-XX:+PrintCompilation", *LOOPS)
    lines = [re.fullmatch(r"\d+ +(\d+)  (....) (\d)       OptimisedLoops::(\w+) \(\d+ bytes\)(.*)", line)
             for line in out]
    up = [(match[3], match[5]) for match in lines if match and match[4] == "upTo"]
    reason = "" if os.environ["LIBRARY"] == "17" else ": not used"
    check(up == [("1", ""), ("4", ""), ("1", f"   made not entrant{reason}")] or
          up == [("1", ""), ("1", f"   made not entrant{reason}"), ("4", "")], "PrintCompilation", up)


def blocks_of(lines, name, after):
    """Of a method's nodes behind a pass: by block its line and its nodes."""
    begin = next(i for i, line in enumerate(lines) if line.startswith(name) and line.endswith(": " + after))
    blocks = []
    for line in lines[begin + 1:]:
        if line.startswith(" block "):
            blocks.append((line, []))
        elif line.startswith("  ") and blocks:
            blocks[-1][1].append(line)
        else:
            break
    return blocks


def nodes():
    """Of the method that is named: the sum of an array's elements has neither the array's length nor a check of bounds
    in its loop, and where an index begins negative it has a check."""
    out, err, code = run(OURS, "-XX:+PrintIR", "-XX:CompileCommand=quiet",
                         *(f"-XX:CompileCommand=print,OptimisedLoops.{name}" for name in ("upTo", "byTwo")), *LOOPS)
    printed = {line.partition("(")[0] for line in out if line.endswith(": build")}
    check(printed == {"OptimisedLoops.upTo", "OptimisedLoops.byTwo"}, "methods whose nodes are printed", printed)

    def in_loop(name, after):
        blocks = blocks_of(out, f"OptimisedLoops.{name}(", after)
        return "\n".join("\n".join(body) for line, body in blocks if "depth 1" in line)

    first, last = in_loop("upTo", "build"), in_loop("upTo", "uses")
    check("check_bounds" in first and "array_length" in first, "before", first)
    check("check_bounds" not in last and "array_length" not in last and "load_element" in last and "poll" in last,
          "the loop of upTo", last)
    last = in_loop("byTwo", "uses")
    check("check_bounds" in last and "array_length" not in last, "the loop of byTwo", last)
    graph = out[out.index('digraph "upTo" {'):]
    check(any(re.fullmatch(r"  b\d+ -> b\d+;", line) for line in graph) and "}" in graph, "a graph", graph[:20])


def branches():
    """What an inlined method gives, true or false, is no value where the caller branches by that; what a branch has
    asked is not checked behind it."""
    names = ("simple", "tested", "nulls")
    out, err, code = run(OURS, "-Xbatch", "-XX:+PrintIR", "-XX:CompileCommand=quiet",
                         *(f"-XX:CompileCommand=print,OptimisedBranches.{name}" for name in names),
                         "-cp", CLASSES, "OptimisedBranches")
    check(not err and code == 0, "branches", *err)

    def nodes_of(name, after):
        return [re.match(r" *-?\d+ +(?:v\d+ +\w+ +)?(\w+)", node)[1]
                for _, body in blocks_of(out, f"OptimisedBranches.{name}(", after) for node in body]

    for name, gone in (("simple", "phi"), ("tested", "instance_of"), ("tested", "check_cast")):
        check(gone in nodes_of(name, "build"), f"{gone} in {name} before", *nodes_of(name, "build"))
        check(gone not in nodes_of(name, "uses"), f"{gone} in {name}", *nodes_of(name, "uses"))
    count = nodes_of("tested", "build").count("instance_of")
    check(nodes_of("tested", "uses").count("branch_instance") == count, "tests", *nodes_of("tested", "uses"))
    guarded = [node for _, body in blocks_of(out, "OptimisedBranches.nulls(", "uses") for node in body
               if "guarded by the branch to " in node]
    check(sum(" load_field " in node for node in guarded) >= 2, "what branches have asked about null", *guarded)


def places():
    """Where a thread is at each machine instruction of a loop: at bytecodes of it, in their frame."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    out, err, code = run(OURS, "-Xcomp", "-Xlog:jit=debug", agent, "-cp", CLASSES, "Compiled", "loop")
    optimised = any("Compiled.looped" in line and line.endswith(", optimised") for line in out)
    found = [re.fullmatch(r"(\w+) at (-?\d+), (\d) frames", line) for line in without_log(out)[1:-1]]
    check(optimised and all(found) and code == 0 and not err, "places", *without_log(out))
    looped = [int(match[2]) for match in found if match and match[1] == "looped"]
    check({match[3] for match in found if match and match[1] == "looped"} == {"3"} and
          {0, 13, 16, 19, 24, 28} <= set(looped) and looped.count(16) == 2, "bytecodes of the loop", looped)


def watched():
    """What is read in a frame where it allocates, waits for a monitor and throws, as on HotSpot 25, whose interpreter
    sees each of them (that of 17 no samples), and as in our interpreter; it stays in its code but where its local
    variables are changed."""
    agent, hotspots = (f"-agentpath:{harness.agent_library(BUILD, 'optimised', ours)}" for ours in (True, False))
    oracle = (OURS, "-Xint", agent) if os.environ["LIBRARY"] == "17" else (HOTSPOT, "-Xint", hotspots)
    expected = run(*oracle, "-cp", CLASSES, "Optimised")
    check(expected[1:] == ([], 0) and len(expected[0]) == 10 and " 100 events" in expected[0][2], "oracle", *expected)
    for options in ([], ["-XX:+BackgroundCompilation"], ["-Xint"], ["-Xcomp"], ["-XX:CollectEvery=300"],
                    ["-XX:SwitchTierEvery=20"]):
        out, err, code = run(OURS, "-Xlog:jit=trace", AT_ONCE, *options, agent, "-cp", CLASSES, "Optimised")
        if (without_log(out), err, code) != expected:
            check(False, f"watched {options}", code, *err)
            harness.show_difference("output", "\n".join(expected[0]), "\n".join(without_log(out)))
        if options == []:
            made = {match[1] for line in out if line.endswith(", optimised")
                    if (match := re.search(r" Optimised\.(\w+)\(", line))}
            check(made >= {"make", "guarded", "wrong", "known"}, "watched methods are optimised", made)
            phase, left = "", {}
            for line in out:
                if "[jit]" not in line:
                    phase = line.partition(":")[0]
                elif re.search(r"Optimised\.(make|guarded)\(.* leaves at ", line):
                    left[phase] = left.get(phase, 0) + 1
            check(left.get("read", 0) >= 50 and left.get("changed", 0) < 10,
                  "frames that leave, by what was before them", left)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", *INTERNAL, "-d", CLASSES, TESTS / "jvmti/Compiled.java",
                    TESTS / "jvmti/Optimised.java",
                    *(TESTS / f"differential/bytecode/{program}.java" for program in TAKEN)], check=True)
    for program in TAKEN:
        computes(program)
    for part in (catches, deoptimizes, listed, nodes, branches, places, watched):
        part()
    sys.exit(1 if failed else 0)


main()
