"""Methods that are built into their callers: what tools see of them, which begins in the midst of a loop, and what they
throw is what it is on HotSpot; -XX:+PrintInlining says which they are, as HotSpot's C1 does. So are what constant
method handles call."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES, OTHER = WORK / "classes", WORK / "other"
KINDS = ["entries", "exits", "fields", "steps", "redefined", "break all",
         *(f"break {name}" for name in ("get", "side", "area", "own", "limited", "cell"))]
PRINTS = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining"]
LINE = re.compile(r"( {30,})@ (\d+)   Inlined(?:\$\w+)?::(\w+) \((\d+) bytes\)   (.*)")
# Of `hot`: all that it calls but `turn`, and what they call, by what is looked at before it.
WANTED = {("get", 0), ("set", 0), ("twice", 0), ("side", 1), ("area", 0), ("own", 0), ("cellOf", 0), ("cell", 1),
          ("divide", 0), ("limited", 0)}


def run(java, *arguments):
    """Lines of standard output, of standard error, exit code."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'inlined', java == OURS)}={WORK}"
    command = [str(a) for a in (*harness.java(java), "-Xmx256m", "-Xss512k", "-XX:-OmitStackTraceInFastThrow", agent,
                                *arguments[:-1], "-cp", CLASSES, "Inlined", *arguments[-1])]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale())
    return process.stdout.splitlines(), process.stderr.splitlines(), process.returncode


def without_lines(out):
    return [line for line in out if not re.match(r" {10}.*@ \d+ ", line) and "[jit]" not in line]


def inlined(out):
    """(method, depth of the call) of what is inlined."""
    found = [match for line in out if (match := LINE.fullmatch(line))]
    return {(match[3], (len(match[1]) - 30) // 2) for match in found if match[5] == "inline"}


def observed():
    """Each kind of observation, and what comes after it."""
    expected = run(HOTSPOT, "-Xint", KINDS)
    check(expected[1:] == ([], 0) and len(expected[0]) == 2 * len(KINDS) + 9 and "FAILED" not in "".join(expected[0]),
          "HotSpot", *expected)
    for options in ([], ["-Xbatch"], ["-Xcomp"], ["-XX:SwitchTierEvery=40"], ["-XX:CollectEvery=2000"], ["-XX:-Inline"],
                    ["-XX:CompileThresholdScaling=0.01"]):
        out, err, code = run(OURS, *PRINTS, *options, KINDS)
        if (without_lines(out), err, code) != expected:
            check(False, f"observed {options}", code, *err)
            harness.show_difference("output", "\n".join(expected[0]), "\n".join(without_lines(out)))
        if options == ["-Xbatch"]:
            check(inlined(out) >= WANTED, f"{options}: what is inlined", WANTED - inlined(out))
        if options == ["-XX:-Inline"]:
            check(not inlined(out), "inlined with -XX:-Inline", inlined(out))


def told():
    """What -XX:CompileCommand says of methods; a library's lines say what has not been inlined in its words."""
    why = "" if os.environ["LIBRARY"] == "17" else "failed to inline: "
    commands = [f"-XX:CompileCommand={c}" for c in ("quiet", "dontinline,Inlined.get", "inline,Inlined.set")]
    for java, options in ((HOTSPOT, ["-XX:TieredStopAtLevel=1"]), (OURS, ["-Xbatch"])):
        out, err, code = run(java, *PRINTS, *options, *commands, [])
        found = {(match[3], match[5]) for line in out if (match := LINE.fullmatch(line))}
        check({("get", f"{why}disallowed by CompileCommand"), ("set", "force inline by CompileCommand"),
               ("twice", "inline"), ("side", "inline")} <= found and ("get", "inline") not in found and code == 0,
              f"{java}: commands", *sorted(found), *err)
    out, err, code = run(OURS, "-Xbatch", "-XX:MaxInlineLevel=1", *PRINTS, [])
    found = {(m[3], m[5]) for line in out if (m := LINE.fullmatch(line))}
    check({("twice", "inline"), ("side", f"{why}inlining too deep"), ("set", "inline")} <= found and
          not (code or err), "MaxInlineLevel", *out)


def records():
    """What CompiledMethodLoad says of inlined methods: all that HotSpot's C1 says too."""
    found = []
    for java, options in ((HOTSPOT, ["-XX:TieredStopAtLevel=1"]), (OURS, ["-Xbatch"])):
        out, err, code = run(java, *options, ["break own", "records", "records"])
        lines = {line for line in out if re.fullmatch(r"record( (cell|cellOf|hot)@\d+)+", line)}
        found.append(lines)
        check(code == 0 and not err and "FAILED" not in "".join(out) and
              any(re.fullmatch(r"record cell@\d+ cellOf@\d+ hot@\d+", line) for line in lines),
              f"{java}: records", *out)
    check({line for line in found[0] if "cell@" in line} <= found[1], "records", *found)


def places():
    """Where a thread is at each machine instruction of a method and of another that is inlined in it: in frames of
    both."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    for options, wanted in (["-XX:+Inline"], True), (["-XX:-Inline"], False):
        command = [*harness.java(OURS), "-Xbatch", *PRINTS, *options, agent, "-cp", CLASSES, "Compiled", "inlined"]
        out = subprocess.run([str(a) for a in command], cwd=WORK, env=harness.environment(True), capture_output=True,
                             text=True, timeout=300 * harness.time_scale()).stdout.splitlines()
        is_inlined = any(re.search(r"Compiled::leaf \(\d+ bytes\)   inline$", line) for line in out)
        found = [(line[1], int(line[3]) - (line[1] == "leaf")) for at in out
                 if (line := re.fullmatch(r"(add|leaf) at (\d+), (\d+) frames", at))]
        check(is_inlined == wanted and [m for m, _ in found].count("leaf") >= 2 and
              found[0][0] == found[-1][0] == "add" and
              all(x[1] == y[1] for x, y in zip(found, found[1:]) if (x[0], y[0]) == ("add", "leaf")),
              f"places {options}", *out)


def depths():
    """... and where inlined methods call, allocate and copy: each has its callers below it, none twice, none lost."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    command = [*harness.java(OURS), "-Xbatch", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining",
               "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Compiled.kept",
               "-XX:CompileCommand=dontinline,Compiled.deep", agent, "-cp", CLASSES, "Compiled", "deep"]
    out = subprocess.run([str(a) for a in command], cwd=WORK, env=harness.environment(True), capture_output=True,
                         text=True, timeout=300 * harness.time_scale()).stdout.splitlines()
    found, all_depths = {}, []
    for match in filter(None, (re.fullmatch(r"(\w+) at (\d+), (\d+) frames", line) for line in out)):
        all_depths.append(int(match[3]))
        found.setdefault(match[1], set()).add(all_depths[-1])
    inlined = {m for m in ("low", "middle") if any(re.search(rf"Compiled::{m} .*   inline$", line) for line in out)}
    deep = min(found.get("deep", {0}))
    check(inlined == {"low", "middle"} and
          {m: found.get(m) for m in ("deep", "middle", "low")} == {"deep": {deep}, "middle": {deep + 1},
                                                                   "low": {deep + 2}} and
          found.get("kept") == {deep + 1, deep + 2, deep + 3} and
          all(abs(x - y) <= 1 for x, y in zip(all_depths, all_depths[1:])), "depths", *out)


def between():
    """... and between two calls of an inlined method, which is where its own code is, not at the call before."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    command = [*harness.java(OURS), "-Xbatch", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining",
               "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Compiled.kept", agent, "-cp", CLASSES,
               "Compiled", "pair"]
    out = subprocess.run([str(a) for a in command], cwd=WORK, env=harness.environment(True), capture_output=True,
                         text=True, timeout=300 * harness.time_scale()).stdout.splitlines()
    found = [(line[1], int(line[2]), int(line[3])) for at in out
             if (line := re.fullmatch(r"(\w+) at (\d+), (\d+) frames", at))]
    places = [bci for method, bci, _ in found if method == "pair"]
    deep = min((frames for method, _, frames in found if method == "paired"), default=0)
    check(any(re.search(r"Compiled::pair .*   inline$", line) for line in out) and places == sorted(places) and
          {1, 5, 8, 9, 12} <= set(places) and
          {frames for method, _, frames in found if method == "pair"} == {deep + 1} and
          {frames for method, _, frames in found if method == "kept"} == {deep + 2}, "between", *out)


def stubs():
    """... and in stubs: whatever they call, the callers are below it, by either compiler's code."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    commands = ["quiet", "dontinline,Compiled.leaf", "exclude,Compiled.interpreted"]
    for options in ([], ["-XX:TieredStopAtLevel=1"], ["-XX:-Inline"]):
        command = [*harness.java(OURS), "-Xbatch", *options, *(f"-XX:CompileCommand={c}" for c in commands), agent,
                   "-cp", CLASSES, "Compiled", "stubs"]
        out = subprocess.run([str(a) for a in command], cwd=WORK, env=harness.environment(True), capture_output=True,
                             text=True, timeout=300 * harness.time_scale()).stdout.splitlines()
        found = [(line[1], int(line[2])) for at in out if (line := re.fullmatch(r"(\S+) at -?\d+, (-?\d+) frames", at))]
        names, depths = [name for name, _ in found], [frames for _, frames in found]
        inside = names[names.index("stubs"):len(names) - names[::-1].index("stubs")] if "stubs" in names else []
        deep = min((frames for method, frames in found if method == "stubs"), default=0)
        wanted = {"stubs": {0}, "side": {1}, "locked": {1}, "interpreted": {1}, "leaf": {2}, "fault": {1},
                  "identityHashCode": {1}, "equals": {1}, "holdsLock": {1}}
        seen = {name: {frames - deep for method, frames in found if method == name} for name in wanted}
        check(all(seen[name] <= wanted[name] for name in wanted) and
              {name for name in seen if seen[name]} >= wanted.keys() - {"identityHashCode"} and
              all(abs(x - y) <= 1 for x, y in zip(depths, depths[1:])) and min(depths, default=0) >= deep - 1 and
              "tracedStubs" not in inside,
              f"stubs {options}: {deep} {seen}", *out)


HANDLES = """
import java.lang.invoke.*;
import java.util.function.IntUnaryOperator;

public class Handles {
    static int add(int a, int b) { return a + b; }
    static boolean isOdd(int a) { return (a & 1) != 0; }
    static int other(int a) { return a - 7; }
    int field;
    static final MethodHandle ADD, BOUND, GUARDED;
    static final VarHandle FIELD;
    static final MutableCallSite FIRST, SECOND;
    static final MethodHandle CALLS_FIRST, CALLS_SECOND;
    static {
        try {
            MethodHandles.Lookup l = MethodHandles.lookup();
            MethodType unary = MethodType.methodType(int.class, int.class);
            ADD = l.findStatic(Handles.class, "add", MethodType.methodType(int.class, int.class, int.class));
            BOUND = MethodHandles.insertArguments(ADD, 0, 4);
            GUARDED = MethodHandles.guardWithTest(l.findStatic(Handles.class, "isOdd",
                MethodType.methodType(boolean.class, int.class)), l.findStatic(Handles.class, "other", unary), BOUND);
            FIELD = l.findVarHandle(Handles.class, "field", int.class);
            FIRST = new MutableCallSite(BOUND);
            SECOND = new MutableCallSite(BOUND);
            CALLS_FIRST = FIRST.dynamicInvoker();
            CALLS_SECOND = SECOND.dynamicInvoker();
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }
    static int direct(int i) throws Throwable { return (int) ADD.invokeExact(i, 3); }
    static int bound(int i) throws Throwable { return (int) BOUND.invokeExact(i); }
    static int guarded(int i) throws Throwable { return (int) GUARDED.invokeExact(i); }
    static int variable(Handles o, int i) { return (int) FIELD.getAndAdd(o, i); }
    static int lambda(int i) {
        IntUnaryOperator f = x -> x + i;
        return f.applyAsInt(i);
    }
    interface Step {
        private int own(int i) { return i + 1; }
        default int through(int i) { return own(i); }
    }
    static int privately(Step s, int i) { return s.through(i); }
    static int first(int i) throws Throwable { return (int) CALLS_FIRST.invokeExact(i); }
    static int second(int i) throws Throwable { return (int) CALLS_SECOND.invokeExact(i); }
    public static void main(String[] args) throws Throwable {
        long sum = 0;
        Handles o = new Handles();
        Step step = new Step() { };
        for (int i = 0; i < 30_000; i++)
            sum += direct(i) + bound(i) + guarded(i) + variable(o, i) + lambda(i) + privately(step, i);
        MethodHandle other = MethodHandles.lookup().findStatic(Handles.class, "other",
                MethodType.methodType(int.class, int.class));
        for (int change = 0; change < 20; change++) {
            for (int i = 0; i < 30_000; i++) sum += first(i) + second(i);
            System.out.println("changed to " + change % 2);
            FIRST.setTarget(change % 2 == 0 ? other : BOUND);
            sum += first(change);
        }
        System.out.println(sum);
    }
}
"""


def handles():
    """Method handles that static finals and call sites hold, and VarHandles, are followed to what they call; private
    methods of interfaces, which are called by invokeinterface, are inlined."""
    (CLASSES / "Handles.java").write_text(HANDLES)
    subprocess.run([*harness.javac(HOTSPOT), "-d", CLASSES, CLASSES / "Handles.java"], check=True)
    command = [*harness.java(OURS), "-Xbatch", *PRINTS, "-XX:+PrintCompilation", "-cp", CLASSES, "Handles"]
    out = subprocess.run([str(a) for a in command], cwd=WORK, env=harness.environment(True), capture_output=True,
                         text=True, timeout=300 * harness.time_scale()).stdout
    theirs = subprocess.run([str(a) for a in (*harness.java(HOTSPOT), "-cp", CLASSES, "Handles")], cwd=WORK,
                            capture_output=True, text=True, timeout=300 * harness.time_scale()).stdout
    for method, wanted in (("direct", ["Handles::add"]), ("bound", ["Handles::add"]),
                           ("guarded", ["Handles::isOdd", "Handles::other", "Handles::add"]),
                           ("variable", ["FieldInstanceReadWrite::getAndAdd"]),
                           ("lambda", [r"Handles::lambda\$lambda"]),
                           ("privately", ["Step::through", "Step::own"]),
                           ("first", ["MutableCallSite::getTarget", "Handles::add"]),
                           ("first", ["MutableCallSite::getTarget", "Handles::other"]),
                           ("second", ["MutableCallSite::getTarget", "Handles::add"])):
        made = re.findall(rf"^.* 4 +Handles::{method} \(.*\n((?: {{10}}.*\n)*)", out, re.M)
        inlined_in = [{name for name in wanted
                       if re.search(rf"{name}.*\)   (inline|force inline by annotation)$", block, re.M)}
                      for block in made if "failed to inline" not in block]
        check(set(wanted) in inlined_in, f"handles: {method}", *made)
    # What relies on a call site's target goes when that changes, and nothing else; what changes often is not relied on.
    why = "" if os.environ["LIBRARY"] == "17" else ": marked for deoptimization"
    gone = re.compile(rf" 4 +Handles::(\w+) .*made not entrant{why}$")
    ways = [[m[1] for m in map(gone.search, part.splitlines()) if m] for part in out.split("changed to ")[1:]]
    check([way.count("first") for way in ways] == 16 * [1] + 4 * [0], "handles: made anew", *ways)
    check(not any("second" in way for way in ways), "handles: others stay", *ways)
    check(out.splitlines()[-1] == theirs.splitlines()[-1], "handles: sum", out.splitlines()[-1], theirs)


def main():
    source = (TESTS / "jvmti/Inlined.java").read_text()
    for directory, text in ((CLASSES, source), (OTHER, source.replace("own() { return 1; }", "own() { return 5; }"))):
        harness.fresh_directory(directory)
        (directory / "Inlined.java").write_text(text)
        compile_it = [*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", directory]
        subprocess.run([*compile_it, directory / "Inlined.java"], check=True)
        subprocess.run([*compile_it, TESTS / "jvmti/Compiled.java"], check=True)
    for part in (observed, told, records, places, depths, between, stubs, handles):
        part()
    sys.exit(1 if failed else 0)


main()
