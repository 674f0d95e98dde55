"""Compiled code: that methods are compiled and run there; what is seen at every instruction, by profilers and in crash
reports; what tools do to a thread that loops in it. The code cache: which modes have one; its size; what happens when
it is full, when its classes go, and where the system refuses memory for code."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed
from refused_calls import refuse

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
IS_SANITIZED = bool(os.environ.get("VITRINE_TEST_PRELOAD"))        # its allocator keeps what is freed
SMALL = ["-XX:InitialCodeCacheSize=4k", "-XX:ReservedCodeCacheSize=400k"]
FULL = ["CodeCache is full. Compiler has been disabled.",
        "Try increasing the code cache size using -XX:ReservedCodeCacheSize="]
# Room for the class library's methods that a program begins with, and not for Compiled$Many from so many loaders, which
# has 8 methods that are called.
STUBS = 40                           # code that belongs to no method, without that for each shape of native methods
SHAPES = range(1, 100)
MEDIUM = ["-XX:InitialCodeCacheSize=4k", "-XX:ReservedCodeCacheSize=6000k"]
LOADERS = int(os.environ.get("COMPILED_LOADERS", "2600"))


def run(java, *arguments, preexec=None):
    """Lines of standard output, of standard error, exit code."""
    command = [str(a) for a in (*harness.java(java), "-Xmx256m", *arguments)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale(), preexec_fn=preexec)
    return process.stdout.splitlines(), process.stderr.splitlines(), process.returncode


# What the tests of the baseline compiler say in addition: command.<jdk>.optimised has the other one's.
BASELINE = "-XX:TieredStopAtLevel=1"


def ours(*arguments, preexec=None):
    return run(OURS, *arguments[:-1], "-cp", CLASSES, "Compiled", *arguments[-1].split(), preexec=preexec)


def modes():
    for option, expected in ((None, "true"), ("-Xint", "false"), ("-Xmixed", "true"), ("-Xcomp", "true")):
        out, err, code = ours(*[option] if option else [], "maps")
        check((out, err, code) == ([f"two views: {expected}"], [], 0), f"mode {option}", out, err)


def hot():
    """What runs often enough is compiled, unless only the interpreter is asked for."""
    expected = run(HOTSPOT, "-cp", CLASSES, "CompiledHot")
    hot = {"called200", "turns2000", "leavesAtEnd", "catches", "thrower"}
    for options, compiled in ((["-XX:TieredStopAtLevel=1"], hot), (["-XX:TieredStopAtLevel=2"], hot),
                              (["-XX:TieredStopAtLevel=3"], hot), ([], hot), (["-XX:TieredStopAtLevel=0"], set()),
                              (["-XX:TieredStopAtLevel=4"], hot), (["-Xint", "-XX:TieredStopAtLevel=1"], set()),
                              (["-XX:-TieredCompilation", "-XX:CompileThreshold=200"], hot | {"turns1980"}),
                              (["-Xcomp"], hot | {"called199", "turns1980"})):
        out, err, code = run(OURS, *options, "-Xlog:jit=trace", "-cp", CLASSES, "CompiledHot")
        check(([line for line in out if "[jit]" not in line], err, code) == expected, f"hot {options}", out[-20:], err)
        found = set(re.findall(r"CompiledHot\.(\w+)\(.*: \d+ bytes of bytecode", "\n".join(out))) - {"main"}
        check(found == compiled, f"hot {options}: what is compiled", found)
        left = re.findall(r"CompiledHot\.(turns2000|leavesAtEnd|catches)\(\S* leaves at", "\n".join(out))
        check(left == (["leavesAtEnd"] if compiled else []), f"hot {options}: what leaves", left)


def switches():
    """At every tenth branch or return, more or less, the interpreter goes on; what is computed stays the same."""
    expected = run(HOTSPOT, "-cp", CLASSES, "CompiledHot")
    out, err, code = run(OURS, "-Xcomp", "-XX:SwitchTierEvery=10", "-Xlog:jit=trace", "-cp", CLASSES, "CompiledHot")
    check(([line for line in out if "[jit]" not in line], err, code) == expected, "switches", out[-20:], err)
    left = re.findall(r"CompiledHot\.(called\d+|turns\d+)\(\S* leaves at (\d+)", "\n".join(out))
    counts = {name: sum(1 for found, _ in left if found == name) for name in ("called200", "turns2000")}
    check(5 <= counts["called200"] <= 60 and 100 <= counts["turns2000"] <= 400, "how often they switch", counts)


def depths():
    """A call from compiled code takes a word of the C stack: recursion ends where the interpreter's does."""
    interpreted, compiled = (int(ours_depth(option)) for option in ("-Xint", "-Xcomp"))
    check(interpreted > 3000 and 0.97 * interpreted < compiled < 1.03 * interpreted, "depths", interpreted, compiled)


def ours_depth(option):
    out, err, code = run(OURS, option, "-cp", CLASSES, "CompiledDepth")
    return out[0] if code == 0 and not err else "0"


def sizes():
    """Sizes are understood and refused as HotSpot does it."""
    for value in ("0", "1", "4095", "4096", "100k", "2495K", "2496k", "2049m", "3g", "-1", "abc", "10x"):
        for options in (["-XX:ReservedCodeCacheSize=" + value], ["-Xmaxjitcodesize" + value],
                        ["-XX:InitialCodeCacheSize=4k", "-XX:ReservedCodeCacheSize=" + value]):
            results = [run(java, *options, "-cp", CLASSES, "Compiled", "nothing") for java in (HOTSPOT, OURS)]
            check(results[0] == results[1], f"{options}", *results)


def trace():
    """Where a thread is at each machine instruction in the cache; a bytecode without machine code is not seen. Where a
    loop is entered its variables are loaded, at its first bytecode. The second call of step is by its native stub."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    add = [(0, "add"), (1, "add"), (0, "leaf"), (2, "leaf"), (3, "leaf"), (1, "add"), (5, "add"), (6, "add")]
    places = [(9, "traced"), (14, "traced"), *add, (14, "traced"), (19, "traced"), (0, "virtual"), (2, "virtual"), *add,
              (2, "virtual"), (5, "virtual"), *((bci, "traced") for bci in (19, 22, 23, 25)), (-3, "step")]
    once = [(bci, "looped") for bci in (6, 7, 13, 14, 15, 16, 19)]
    loop = [(27, "tracedLoop"), (32, "tracedLoop"), (0, "looped"), (1, "looped"), (3, "looped"), (4, "looped"),
            *once, *once,
            *((bci, "looped") for bci in (6, 7, 24, 28)), *((bci, "tracedLoop") for bci in (32, 35, 37)), (-3, "step")]
    for program, result, expected in (("trace", "11", places), ("loop", "7", loop)):
        out, err, code = ours("-Xcomp", BASELINE, agent, program)
        found = [re.fullmatch(r"(\w+) at (-?\d+), \d frames", line) for line in out[1:-1]]
        check(out[:1] + out[-1:] == [result, "compiled code: yes"] and all(found) and not err and code == 0 and
              [(int(line[2]), line[1]) for line in found] == expected, f"{program} of compiled code", out, err)
        out, err, code = ours("-Xint", agent, program)
        check(out == [result, "compiled code: no"], f"{program} of interpreted code", out, err)


def leaves():
    """The small methods of a differential program are compiled, and once what they name is resolved most run to their
    end there."""
    out, err, code = run(OURS, "-Xcomp", BASELINE, "-Xlog:jit=trace", "-cp", CLASSES, "CompiledLeaves")
    line_of_one = r"CompiledLeaves(?:\$Fields)?\.(\w+)\(.*: \d+ bytes of bytecode"
    compiled = {name for line in out for name in re.findall(line_of_one, line)}
    expected = {"i_deep", "l_divBy7", "f_tests", "d_toInt", "manyLocals", "set", "sumVolatile", "chainLong", "store",
                "compound", "newNested", "is4", "as9", "dense", "sparse", "machine", "caughtInLoop", "spin", "measure"}
    check(expected <= compiled and code == 0 and not err, "compiled leaves", expected - compiled, err)
    left = {}
    for name in re.findall(r"CompiledLeaves(?:\$Fields)?\.(\w+)\(\S* leaves at", "\n".join(out)):
        left[name] = left.get(name, 0) + 1
    # when something is resolved, or there is something to throw
    most = {"i_add": 0, "i_deep": 0, "l_mul": 0, "f_div": 0, "d_tests": 0, "d_toInt": 0, "i_div": 24, "manyLocals": 0,
            "dense": 0, "sparse": 0, "ternaries": 0, "loops": 0, "chain": 1, "sumStatic": 1, "is0": 1}
    check(all(left.get(name, 0) <= count for name, count in most.items()), "methods that leave",
          {name: left.get(name) for name in most})


def types():
    """What an object is compiled code finds out itself: it leaves to throw alone."""
    out, err, code = run(OURS, "-XX:TieredStopAtLevel=1", "-Xlog:jit=trace", "-cp", CLASSES, "CompiledTypes")
    compiled = set(re.findall(r"CompiledTypes\.(is\w+|as\w+|store\w*)\(.*: \d+ bytes of bytecode", "\n".join(out)))
    left = re.findall(r"CompiledTypes\.(is\w+|mixed|as\w+|store\w*)\(\S* leaves at", "\n".join(out))
    check(len(compiled) > 35 and not [name for name in left if name.startswith(("is", "mixed"))] and len(left) > 1000
          and code == 0 and not err, "types", compiled, sorted(set(left)), len(left), err)


def intrinsics():
    """They stand in a compiled method until one of them has other code; it stays compiled."""
    manifest, jar = WORK / "intrinsic.txt", WORK / "intrinsic.jar"
    manifest.write_text("Premain-Class: CompiledIntrinsic\nCan-Retransform-Classes: true\n")
    subprocess.run([HOTSPOT / "bin/jar", "cfm", jar, manifest, "-C", CLASSES, "CompiledIntrinsic.class"], check=True)
    options = [f"-javaagent:{jar}", "-cp", CLASSES, "CompiledIntrinsic"]
    expected = run(HOTSPOT, "-Xint", *options)           # its compilers go on with the old code
    out, err, code = run(OURS, "-XX:TieredStopAtLevel=1", "-Xlog:jit=trace", *options)
    lines = [line for line in out if "[jit]" not in line]
    check((lines, err, code) == expected and len(set(lines)) == 2, "intrinsics", expected, lines, err)
    work = re.findall(r"CompiledIntrinsic\.work\(I\)I(.*)", "\n".join(out))
    check(len(work) > 0 and ": " in work[0] and not any("leaves at" in line for line in work[1:]), "work", work)


def far_jump():
    """A loop longer than a branch of two bytes reaches."""
    source = WORK / "Far.java"
    body = "".join(f"            s = s * 31 + (i ^ {n % 100});\n" for n in range(4500))
    source.write_text(f"public class Far {{\n    static int far(int n) {{\n        int s = 0;\n"
                      f"        for (int i = 0; i < n; i++) {{\n{body}        }}\n        return s;\n    }}\n"
                      "    public static void main(String[] a) { System.out.println(far(3) + far(200)); }\n}\n")
    subprocess.run([*harness.javac(HOTSPOT), "-d", CLASSES, source], check=True)
    expected = run(HOTSPOT, "-cp", CLASSES, "Far")
    out, err, code = run(OURS, "-Xcomp", "-Xlog:jit=trace", "-cp", CLASSES, "Far")
    ran = [line for line in out if "jit" not in line]
    check((ran, err, code) == expected, "far jump", expected, ran, err)
    check(any("Far.far(I)I: " in line for line in out) and not any("Far.far(I)I leaves" in line for line in out),
          "far jump is compiled", [line for line in out if "Far.far" in line])


def tools():
    """As on HotSpot; each time that a tool stops the thread it leaves compiled code at the branch (20). Optimised code
    leaves at the breakpoint (8) and at the store to the watched field (24); the return (28) is made there. Behind the
    store it leaves when its event ends the watch."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled_loop', True)}"
    expected = run(HOTSPOT, f"-agentpath:{harness.agent_library(BUILD, 'compiled_loop', False)}", "-cp", CLASSES,
                   "CompiledLoop")
    out, err, code = run(OURS, "-Xcomp", "-Xlog:jit=trace", agent, "-cp", CLASSES, "CompiledLoop")
    lines = [line for line in out if "[jit]" not in line]
    check((lines, err, code) == expected and len(lines) > 15, "tools", expected[0], lines, err)
    left = [int(at) for at in re.findall(r"CompiledLoop\.spin\(\)I leaves at (\d+)", "\n".join(out))]
    check(left.count(20) >= 8 and max(map(left.count, (8, 24, 27))) <= 3 and set(left) <= {2, 8, 17, 20, 24, 27},
          "where tools make it leave", left)


def forget_reports():
    for old in WORK.glob("hs_err*"):
        old.unlink()


def report_of(agent, program):
    """What a run prints that ends in a crash, and its report."""
    forget_reports()
    out, err, code = ours("-Xcomp", "-XX:-CreateCoredumpOnCrash", agent, program)
    reports = list(WORK.glob("hs_err*"))
    check(code == 1 and len(reports) == 1, f"a crash, {agent} {program}", code, out, err)
    return "\n".join(out), reports[0].read_text(errors="replace") if reports else ""


def reports_of_copies(agent, program):
    """The same of each copy of the process that crashes while the program runs to its end."""
    forget_reports()
    out, err, code = ours("-Xcomp", "-XX:-CreateCoredumpOnCrash", agent, program)
    check(code == 0 and not err, f"copies crash, {agent} {program}", code, err)
    printed = []
    for line in out:
        copy = re.fullmatch(r"copy (\d+): (\d+)", line)
        if copy is None:
            printed.append(line)
            continue
        report = WORK / f"hs_err_pid{copy[1]}.log"
        check(copy[2] == "1" and report.exists(), f"a copy crashes, {agent} {program}", line, *printed)
        yield "\n".join([*printed, line]), report.read_text(errors="replace") if report.exists() else ""
        printed = []


def line_of(source):
    """Where that stands in the program."""
    return 1 + (TESTS / "jvmti/Compiled.java").read_text().split(source)[0].count("\n")


PLACE = r" @ 0x[0-9a-f]{16} \[0x[0-9a-f]{16}\+0x[0-9a-f]+\]"


def crashes():
    """At some instruction of the method that is called first, of a stub, and of each method: the report names it with
    its bytecode index and line. The first instruction in the cache is of the stub to which the native method returns
    that begins to look."""
    library = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}"
    add, begin = line_of("return leaf(a)"), line_of("step(true)")
    out, text = report_of(f"{library}=crash=1", "trace")
    stub = r"v  ~\w+" + PLACE + "\n"
    check(re.search("Problematic frame:\n# " + stub, out), "crash in a stub", out)
    check(re.search(r"Native frames: .*\n" + stub + r"(.*\n)*V  \[libjvm.so", text) and
          f"\nJ  Compiled.traced()I+9 line {begin}\n" in text, "report of a stub", text[:6000])
    found = set()
    for out, text in reports_of_copies(f"{library}=crashes=7", "trace"):
        top = re.search(r"# J \d+ c1 Compiled\.(\w+)\(\S* \(\d+ bytes\)" + PLACE + r" bci (\d+) line (\d+)\n", out)
        if top is None:
            continue
        first = re.search(r"Java frames: .*\n(.*)\n", text)
        rip = re.search(r"RIP=(0x[0-9a-f]{16})", text)
        check(first and first[1].startswith(f"J  Compiled.{top[1]}(") and f"+{top[2]} line {top[3]}" in first[1],
              "the youngest Java frame is the one that crashed", top[0], first and first[1])
        check(rip and f"@ {rip[1]} " in out, "registers of a crash", out, text[:3000])
        found.add((top[1], int(top[2]), int(top[3])))
    lines = {"add": add, "leaf": line_of("return n + 1")}
    check({name for name, _, _ in found} >= {*lines, "virtual"} and
          all(lines.get(n, line) == line for n, _, line in found), "places of crashes", found)


def crash_beneath():
    """In a native method that compiled code has called: compiled frames stand between those of C."""
    library = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}"
    out, text = report_of(f"{library}=trace", "fault")
    line = line_of("fault(n == 1);\n        return m")
    beneath = r"J \d+ c1 Compiled\.beneath\(I\)I \(\d+ bytes\)" + PLACE + rf" bci 15 line {line}\n"
    check(re.search(r"Problematic frame:\n# C  \[libcompiled.so", out), "a native method", out)
    check(re.search(r"Native frames: .*\nC  \[libcompiled\.so.*\n(V .*\n)*v  ~native_static_Z_V" + PLACE + r"\n" +
                    beneath + r"(J .*\n)*v  ~\w+" + PLACE + r"\n(V .*\n)+", text), "native frames", text[:8000])
    check(re.search(r"\nj  Compiled\.fault\(Z\)V\+0 \(native\)\nJ  Compiled\.beneath\(I\)I\+15 line " + str(line) +
                    r"\nj  Compiled\.main\(", text), "Java frames", text[:8000])


def warned(out, err):
    """What is printed when the cache is full, without figures, and without what HotSpot says of its compilers."""
    lines = [line for line in [*out, *err] if "initialization failed" not in line]
    first = next(i for i, line in enumerate(lines) if line.startswith("CodeCache: "))
    warnings = sorted({line.rpartition("]")[2].partition("warning: ")[2] or line.rpartition("] ")[2]
                       for line in lines if "ode cache size" in line or "is full" in line})
    text = "\n".join(lines[first:first + 7]).partition("restarted_count")[0]
    return warnings, re.sub(r"0x[0-9a-f]{16}|\d+", "N", text)


def full():
    plain = ours(f"kept {LOADERS}")
    log = WORK / "full.log"
    out, err, code = ours("-Xcomp", *SMALL, f"-Xlog:jit=debug:file={log}", f"kept {LOADERS}")
    check(out[-1:] == plain[0] and code == 0, "full: what the program prints", out, plain)
    check([line.partition("warning: ")[2] for line in err] == FULL, "full: the warning", err)
    numbers = re.search(r"CodeCache: size=400Kb used=(\d+)Kb max_used=(\d+)Kb free=\d+Kb\n bounds .*\n"
                        r" total_blobs=(\d+),? nmethods=(\d+),? adapters=0", "\n".join(out))
    # what had no room is the last that was made; a sixteenth is kept for native stubs
    sizes = re.findall(r"(\d+) of machine code, (\d+) of tables", log.read_text())
    wanted = sum(map(int, sizes[-1])) / 1024 if sizes else 0
    least = 400 - 400 / 16 - wanted
    check(numbers and int(numbers[1]) == int(numbers[2]) > least and int(numbers[3]) > 300
          and int(numbers[3]) - int(numbers[4]) - STUBS in SHAPES, "full: the figures", numbers and numbers.groups(),
          wanted)
    theirs = run(HOTSPOT, "-Xcomp", "-XX:InitialCodeCacheSize=4k", "-XX:ReservedCodeCacheSize=2500k",
                 "-XX:-UseCodeCacheFlushing", "-m", "jdk.compiler/com.sun.tools.javac.Main", "-d", WORK / "again",
                 TESTS / "jvmti/Compiled.java")
    check(warned(out, err) == warned(*theirs[:2]), "full: what is printed", warned(out, err), warned(*theirs[:2]))


def unloading():
    """Code of classes that are unloaded makes room for others'."""
    plain = ours(f"unloaded {LOADERS}")
    out, err, code = ours("-Xcomp", *MEDIUM, f"kept {LOADERS}")
    check("CodeCache" in "".join(out), "unloading: classes that stay fill the cache", out)
    out, err, code = ours("-Xcomp", "-XX:CollectEvery=20000", *MEDIUM, f"unloaded {LOADERS}")
    check((out, err, code) == (plain[0], [], 0), "unloading", out, err)


def levels():
    """However many classes with compiled code come and go, the process's memory and the code cache's level off."""
    out, err, code = ours("-Xcomp", BASELINE, f"levels {LOADERS}")
    found = [tuple(map(int, re.findall(r"\d+", line))) for line in out if line.startswith("resident")]
    # (resident memory, code cache); of the sanitizer's build the code cache alone
    level = all(most <= 1.02 * early for most, early in list(zip(map(max, zip(*found[3:])), found[2]))[IS_SANITIZED:])
    check(len(found) == 10 and not err and code == 0 and min(map(min, found)) > 0 and level, "levels", found, err)


def redefined():
    """A method is not entered by the code of a version that is gone, whose place others' code has."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=retransform"
    out, err, code = ours("-Xcomp", agent, "redefined")
    check((out, err, code) == (["4", "5650 100", "4"], [], 0), "redefined", out, err)


def refused():
    """Two views are shared memory that is mapped twice; one is switched by mprotect. Where neither can be had one line
    says so, and the program goes on."""
    said = "The system allows no memory for compiled code: everything is interpreted"
    for calls in (["mremap"], ["mmap"], ["mprotect"], ["mremap", "mmap"], ["mremap", "mprotect"],
                  ["mmap", "mprotect"], ["mremap", "mmap", "mprotect"]):
        out, err, status = ours("-Xcomp", "-XX:CollectEvery=20000", "unloaded 20", preexec=refuse(calls))
        found = [line.endswith(said) for line in out[:-1]]
        check(found == [True] * ("mprotect" in calls and len(calls) > 1) and out[-1] == "330 0" and not err
              and status == 0, f"refused: {calls}", out, err)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", CLASSES, TESTS / "jvmti/Compiled.java",
                    TESTS / "jvmti/CompiledLoop.java", TESTS / "jvmti/CompiledHot.java",
                    TESTS / "jvmti/CompiledDepth.java", TESTS / "jvmti/CompiledIntrinsic.java",
                    TESTS / "differential/bytecode/CompiledLeaves.java",
                    TESTS / "differential/bytecode/CompiledTypes.java"], check=True)
    for part in (modes, hot, switches, depths, sizes, trace, leaves, types, intrinsics, far_jump, tools, crashes,
                 crash_beneath, full, unloading, levels, redefined, refused):
        part()
    sys.exit(1 if failed else 0)


main()
