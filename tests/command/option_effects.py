"""Options that change what a program or its output is, each as on HotSpot with the same option."""
import re
import signal
import subprocess
from pathlib import Path

import checks
import harness
from checks import HOTSPOT, LIBRARY, WORK, check, equal

OURS = str(harness.vm_under_test(checks.IMAGE))
VMS = (HOTSPOT, OURS)
UNLOCK = "-XX:+UnlockDiagnosticVMOptions"
BOOT = "-Xbootclasspath/a:" + str(checks.CLASSES)
LOG = Path(WORK) / "gc.log"
# options, what the program shows with them (tests/tools/OptionEffects.java), what must be among it
PROGRAMS = [
    ([], "collections", "an object is gone: true, a class: true"),
    (["-XX:+DisableExplicitGC"], "collections", "an object is gone: false"),
    (["-Xnoclassgc"], "collections", "an object is gone: true, a class: false"),
    (["-noclassgc"], "collections", "a class: false"),
    ([], "soft", "a soft reference is cleared: false"),
    (["-XX:SoftRefLRUPolicyMSPerMB=0"], "cleared", "a soft reference is cleared\n"),
    ([], "trace throw", "\tat OptionEffects.trace"),
    (["-XX:-StackTraceInThrowable"], "trace throw", "frames: 0\njava.lang.Throwable: printed\n"),
    ([], "message", "message: Cannot read the array length"),
    (["-XX:-ShowCodeDetailsInExceptionMessages"], "message", "message: null"),
    ([], "hidden", "lambda$hidden$N\nhidden\n"),
    ([UNLOCK, "-XX:+ShowHiddenFrames"], "hidden", "lambda$hidden$N\nrun\nhidden\n"),
    ([], "assertions", "assertions: false, of the system: false"),
    (["-enableassertions"], "assertions", "assertions: true, of the system: false"),
    (["-enableassertions:OptionEffects"], "assertions", "assertions: true, of the system: false"),
    (["-enablesystemassertions"], "assertions", "assertions: false, of the system: true"),
    (["-ea", "-esa", "-disableassertions:OptionEffects"], "assertions", "assertions: false, of the system: true"),
    (["-ea", "-esa", "-disableassertions"], "assertions", "assertions: false, of the system: true"),
    (["-ea", "-esa", "-disablesystemassertions"], "assertions", "assertions: true, of the system: false"),
    (["-ea", "-esa", "-dsa"], "assertions", "assertions: true, of the system: false"),
    ([], "verified", "VerifyError"),
    (["-noverify"], "verified", "runs"),
    ([UNLOCK, "-XX:-BytecodeVerificationRemote"], "verified", "runs"),
    ([BOOT], "verified", "runs"),
    ([BOOT, UNLOCK, "-XX:+BytecodeVerificationLocal"], "verified", "VerifyError"),
    (["-Xloggc:" + str(LOG)], "collections", "-Xloggc is deprecated"),
    (["-XX:-UseContainerSupport", "-XshowSettings:system"], "hidden", "No metrics available for this platform"),
    (["-Xbootclasspath/p:x"], "hidden", "-Xbootclasspath/p is no longer a supported option."),
    (["-green"], "hidden", "Green threads support not available"),
]
# options, where the flags of the command line are printed, where what is wrong with an option is
WORDS = [
    ([], "out", "err"),
    (["-XX:+DisplayVMOutputToStderr"], "err", "err"),
    (["-XX:+DisplayVMOutputToStdout"], "out", "out"),
    (["-XX:+DisplayVMOutputToStderr", "-XX:+DisplayVMOutputToStdout"], "out", "out"),
    (["-XX:+DisplayVMOutputToStdout", "-XX:+DisplayVMOutputToStderr"], "err", "err"),
    ([UNLOCK, "-XX:-DisplayVMOutput"], None, "err"),
]
# Flags with effect whose first value is this VM's own, or known at once.
CHOSEN = {"GCTimeRatio", "ParallelGCThreads"}


def run(vm, options, *program):
    ours = vm == OURS
    own = [] if ours else ["-XX:+UseSerialGC", "-Xint"]
    return harness.run([*harness.java(vm), *own, *options, "-cp", checks.CLASSES, *program], Path(WORK), checks.LIMIT,
                       ours)


def comparable(outcome):
    text = re.sub(r"(?m)^\[\d+\.\d+s\]", "", (outcome.out + outcome.err).decode(errors="replace"))
    return re.sub(r"OpenJDK 64-Bit Server VM|Vitrine 64-Bit VM", "VM", text) + outcome.ended() + "\n"


def programs():
    for options, what, wanted in PROGRAMS:
        LOG.unlink(missing_ok=True)
        outcomes = [run(vm, options, "OptionEffects", *what.split()) for vm in VMS]
        expected, actual = map(comparable, outcomes)
        checks.same(f"{options} {what}", expected, actual)
        check(wanted in actual, f"{options} {what}: what it is about", actual)
        check(LOG.exists() == ("-Xloggc" in " ".join(options)) and
              (not LOG.exists() or "Pause Full (System.gc())" in LOG.read_text()), f"{options}: the log")


def break_method():
    """`return 12345` becomes a return of the number as an object."""
    path = Path(checks.CLASSES) / "OptionEffects$Unverified.class"
    code = path.read_bytes()
    equal(code.count(b"\x11\x30\x39\xac"), 1, "the method that is not to verify")
    path.write_bytes(code.replace(b"\x11\x30\x39\xac", b"\x11\x30\x39\xb0"))


def where(outcome, text):
    """Of `out` and `err`, the one that has the text."""
    found = [name for name in ("out", "err") if text in getattr(outcome, name).decode()]
    return found[0] if len(found) == 1 else found or None


def words():
    for options, flags, fault in WORDS:
        for vm in VMS:
            equal(where(run(vm, [*options, "-XX:+PrintCommandLineFlags"], "-version"), "-XX:+PrintCommandLineFlags"),
                  flags, f"{vm} {options}: flags are printed")
            equal(where(run(vm, [*options, "-XX:NoSuchOption"], "-version"), "Unrecognized VM option 'NoSuchOption'"),
                  fault, f"{vm} {options}: what is wrong is said")


def printed_flags():
    """Those of the command line, and what follows from them, have the same values; each VM chooses others for itself.
    And the ranges of all flags are the same."""
    given = ["-Xmx100m", "-Xms50m", "-Xrs", "-XX:+PrintCommandLineFlags"]
    expected, actual = (dict(re.findall(r"-XX:[+-]?(\w+)(\S*)", run(vm, given, "-version").out.decode())) for vm in VMS)
    for name in ("MaxHeapSize", "InitialHeapSize", "MinHeapSize", "ReduceSignalUsage", "PrintCommandLineFlags"):
        check(name in expected and expected[name] == actual.get(name), f"PrintCommandLineFlags: {name}",
              f": {actual.get(name)}, expected {expected.get(name)}")
    expected, actual = (run(vm, [UNLOCK, "-XX:+PrintFlagsRanges"], "-version").out.decode().splitlines() for vm in VMS)
    ranges = [[re.sub(r"\{[^}]*\}$|\s+", " ", line).strip() for line in lines] for lines in (expected, actual)]
    check(any("[ 1 ... 18446744073709551615 ]" in line for line in ranges[0]), "PrintFlagsRanges prints ranges")
    checks.same("PrintFlagsRanges", *("\n".join(r) for r in ranges))
    initial = [dict(re.findall(r"(?m)^ *\w+ (\w+) += *(.*?) *\{", run(vm, [], "-XX:+PrintFlagsInitial").out.decode()))
               for vm in VMS]
    table = (Path(checks.TESTS).parent / "src/base/flags.def").read_text()
    flags = initial[0].keys() & re.findall(r"(?m)^FLAG\(\w+,\s+(\w+),(?:.|\n     )*? EFFECT\)$", table)
    equal(initial[1].keys(), initial[0].keys(), "PrintFlagsInitial: names")
    equal({f: initial[1][f] for f in flags - CHOSEN}, {f: initial[0][f] for f in flags - CHOSEN}, "PrintFlagsInitial")
    check(len(flags) > 70, f"only {len(flags)} flags with effect are printed")


def waiting(vm, *options):
    """A program that waits, and has said so."""
    ours = vm == OURS
    process = subprocess.Popen([str(a) for a in (*harness.java(vm), *options, "-cp", checks.CLASSES, "OptionEffects",
                                                 "waits")], cwd=WORK, env=harness.environment(ours),
                               stdout=subprocess.PIPE, text=True)
    equal(process.stdout.readline(), "waits\n", f"{vm} {options}: waits")
    return process


def dump_of(process):
    """What SIGQUIT has it print, up to the heap."""
    process.send_signal(signal.SIGQUIT)
    lines = []
    for line in iter(process.stdout.readline, ""):
        lines.append(line)
        if line.startswith("Heap"):
            break
    process.kill()
    process.communicate(timeout=checks.LIMIT)
    return "".join(lines)


def signals():
    """With -Xrs signals have the effect that the system gives them."""
    for vm in VMS:
        for option in "-Xrs", "-XX:+ReduceSignalUsage", "-XX:-ReduceSignalUsage":
            for number in signal.SIGQUIT, signal.SIGTERM:
                process = waiting(vm, option)
                if option == "-XX:-ReduceSignalUsage" and number == signal.SIGQUIT:
                    check("Full thread dump" in dump_of(process), f"{vm}: dumps")
                    continue
                process.send_signal(number)
                rest, _ = process.communicate(timeout=checks.LIMIT)
                wanted = ("hook\n", 143) if option == "-XX:-ReduceSignalUsage" else ("", -number)
                equal((rest, process.returncode), wanted, f"{vm} {option}: {number.name}")


def locks():
    for vm in VMS:
        for option, named in ("-XX:+PrintConcurrentLocks", True), ("-XX:-PrintConcurrentLocks", False):
            dump = dump_of(waiting(vm, option))
            check("Full thread dump" in dump and ("Locked ownable synchronizers:" in dump) == named, f"{vm} {option}",
                  dump)


def verification():
    """Each VM says in words of its own that it has looked at the heap. The check build of ours always looks."""
    always = "VITRINE_CHECK:BOOL=ON" in (Path(checks.BUILD) / "CMakeCache.txt").read_text()
    for vm in VMS:
        for option, looks in ("-XX:+VerifyAfterGC", True), ("-XX:-VerifyAfterGC", False):
            text = run(vm, [UNLOCK, option, "-Xlog:gc+verify=debug"], "OptionEffects", "collections").out.decode()
            equal("[gc,verify" in text, looks or (always and vm == OURS), f"{vm} {option}")


def collection_time():
    """The less time may go by in collections, the more is free behind each, and the fewer there are."""
    counts = [run(OURS, ["-Xms8m", "-Xmx400m", f"-XX:GCTimeRatio={ratio}", "-Xlog:gc"], "OptionEffects",
                  "allocates").out.count(b"Pause Full") for ratio in (0, 1_000_000)]
    check(counts[0] > counts[1] > 0, "GCTimeRatio", f": {counts} collections")


def inlining(*options):
    """What is said of the methods that OptionEffects.calls calls, and of those that these call."""
    outcome = run(OURS, ["-Xbatch", UNLOCK, "-XX:+PrintInlining", *options], "OptionEffects", "inlined")
    found = re.findall(r"@ \d+   OptionEffects::(recursive|many|one) \(\d+ bytes\)   (?:failed to inline: )?(.*)",
                       outcome.out.decode())
    check("\ninlined: " in "\n" + outcome.out.decode() and outcome.code == 0, f"{options}: inlined", str(found))
    return set(found)


def inlining_limits():
    """In the words of HotSpot's C1."""
    usual = inlining()
    check({("one", "inline"), ("many", "inline"), ("recursive", "inline"),
           ("recursive", "recursive inlining too deep")} <= usual, "inlining", str(usual))
    found = inlining("-XX:MaxInlineSize=8", "-XX:FreqInlineSize=8")
    check(("one", "inline") in found and ("many", "inline") not in found and ("many", "hot method too big") in found,
          "FreqInlineSize", str(found))
    found = inlining("-XX:MaxInlineSize=8", "-XX:FreqInlineSize=100")
    check(("many", "inline") in found, "MaxInlineSize: what has compiled code", str(found))
    found = inlining("-XX:MaxInlineSize=8", "-XX:CompileCommand=quiet", "-XX:CompileCommand=exclude,OptionEffects.many")
    check(("one", "inline") in found and ("many", "callee is too large") in found and ("many", "inline") not in found,
          "MaxInlineSize", str(found))
    found = inlining("-XX:MaxRecursiveInlineLevel=0")
    check(("many", "inline") in found and ("recursive", "recursive inlining too deep") in found,
          "MaxRecursiveInlineLevel=0", str(found))


def versions():
    for vm, pattern in ((HOTSPOT, r"OpenJDK 64-Bit Server VM \(.*\) for linux-amd64 JRE .* with gcc [\d.]+\n"),
                        (OURS, rf"Vitrine 64-Bit VM for linux-amd64, serving JDK {LIBRARY}, built with "
                               r"(gcc|\w* ?Clang) \d+\.\d.*\n")):
        outcome = run(vm, [], "-Xinternalversion")
        check(re.fullmatch(pattern, outcome.out.decode()) and outcome.code == 0, f"{vm} -Xinternalversion",
              outcome.out.decode())


checks.compile_sources("tools", "OptionEffects", options=("-nowarn",))
break_method()
programs()
words()
printed_flags()
signals()
locks()
verification()
collection_time()
inlining_limits()
versions()
checks.finish()
