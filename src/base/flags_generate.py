#!/usr/bin/env python3
"""Writes flags.def from the flags that two installed JDKs print.

usage: flags_generate.py JDK17 JDK25 > flags.def

Values come from -XX:+PrintFlagsFinal where the stock VM calls them default, else from -XX:+PrintFlagsInitial, and for
locked flags, which that one hides, from FIXED. EFFECT names the flags that our VM acts on.
"""
import re
import subprocess
import sys
import textwrap

UNLOCK = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"]

# Declared defaults of locked flags that the stock VM sets before it prints, and of those our command line sets.
FIXED = {
    "UnlockDiagnosticVMOptions": "false", "UnlockExperimentalVMOptions": "false", "PrintFlagsFinal": "false",
    "PrintFlagsInitial": "false", "PrintFlagsRanges": "false",
    "THPStackMitigation": "true", "G1EagerReclaimRemSetThreshold": "0", "G1RemSetArrayOfCardsEntries": "0",
    "G1RemSetHowlMaxNumBuckets": "8", "G1RemSetHowlNumBuckets": "0", "AOTInvokeDynamicLinking": "false",
    "AOTRecordTraining": "false", "AOTReplayTraining": "false", "IntelJccErratumMitigation": "true",
    "X86ICacheSync": "-1",
}

# "Default" values that differ from run to run.
CHANGING = {"SharedBaseAddress"}

EFFECT = set("""
    ActiveProcessorCount AllowRedefinitionToAddDeleteMethods BackgroundCompilation BytecodeVerificationLocal
    BytecodeVerificationRemote CICompilerCount
    CheckJNICalls ClassUnloading CompactStrings CompileCommand CompileCommandFile CompileOnly CompileThreshold
    CompileThresholdScaling ControlIntrinsic CrashOnOutOfMemoryError CreateCoredumpOnCrash DisableAttachMechanism
    DisableExplicitGC DisableIntrinsic DisplayVMOutput DisplayVMOutputToStderr DisplayVMOutputToStdout
    DoEscapeAnalysis DumpPerfMapAtExit EliminateAllocations EliminateLocks EnableDynamicAgentLoading ErrorFile
    ErrorFileToStderr ErrorFileToStdout ErrorLogTimeout ExitOnOutOfMemoryError FreqInlineSize GCTimeRatio
    HeapDumpGzipLevel HeapDumpOnOutOfMemoryError HeapDumpPath IgnoreUnrecognizedVMOptions InitialCodeCacheSize
    InitialHeapSize InitialRAMFraction InitialRAMPercentage Inline LogEvents LogEventsBufferEntries ManagementServer
    MarkStackSizeMax MaxDirectMemorySize MaxHeapFreeRatio MaxHeapSize MaxInlineLevel MaxInlineSize
    MaxJavaStackTraceDepth MaxMetaspaceSize MaxRAM MaxRAMFraction MaxRAMPercentage MaxRecursiveInlineLevel
    MetaspaceSize MinHeapFreeRatio MinHeapSize MinMetaspaceFreeRatio MinRAMFraction MinRAMPercentage
    NativeMemoryTracking OnError OnOutOfMemoryError ParallelGCThreads PerfDataMemorySize PerfDataSamplingInterval
    PerfDataSaveFile PerfDataSaveToFile PerfDisableSharedMem PerfMaxStringConstLength PrintAssembly
    PrintCommandLineFlags PrintCompilation PrintConcurrentLocks PrintFlagsFinal PrintFlagsInitial PrintFlagsRanges
    PrintInlining PrintMethodData PrintNMTStatistics PrintVMOptions PrintWarnings ReduceSignalUsage
    ReservedCodeCacheSize ShowCodeDetailsInExceptionMessages ShowHiddenFrames SoftRefLRUPolicyMSPerMB
    StackTraceInThrowable StartAttachListener ThreadStackSize Tier3BackEdgeThreshold Tier3CompileThreshold
    Tier3InvocationThreshold Tier4BackEdgeThreshold Tier4InvocationThreshold TieredCompilation
    TieredCompileTaskTimeout TieredStopAtLevel UnlockDiagnosticVMOptions UnlockExperimentalVMOptions
    UseContainerSupport UsePerfData VerifyAfterGC VerifyBeforeGC
""".split())

# Flags of our own: storage type, name, group, default, range, what it does. Not in HotSpot's lists and not printed with
# them.
OWN = [
    ("uintx", "ClassIdLimit", "vitrine", "0", "0..67108864",
     "diagnostic: how many class ids there are; 0: as many as fit"),
    ("uintx", "CollectEvery", "vitrine", "0", "0..18446744073709551615",
     "diagnostic: a collection at every n-th allocation"),
    ("ccstr", "CompilationGate", "vitrine", "", "",
     "diagnostic: the optimising compiler's threads compile nothing until this file is there"),
    ("uintx", "DeoptimizeEvery", "vitrine", "0", "0..1000000000",
     "diagnostic: the interpreter goes on at about every n-th check of optimised code"),
    ("bool", "DumpPerfJit", "vitrine", "false", "",
     "machine code for Linux perf, as it is made, in jit-<pid>.dump"),
    ("uintx", "FailToolAllocation", "vitrine manageable", "0", "0..4294967295",
     "diagnostic: the n-th allocation of a JVM TI call fails, once"),
    ("bool", "InstallSignalHandlers", "vitrine", "true", "",
     "handlers for fatal errors, failed writes and the program's shutdown"),
    ("bool", "PrintIR", "vitrine", "false", "",
     "diagnostic: the optimising compiler prints its nodes behind each pass, of methods that CompileCommand=print "
     "names"),
    ("uintx", "SwitchTierEvery", "vitrine", "0", "0..1000000000",
     "diagnostic: the interpreter goes on at about every n-th backward branch and return of compiled code"),
]


def flags_of(java, *options):
    text = subprocess.run([java, *options, "-version"], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        m = re.match(r"\s*(\S+) (\S+)\s+= (.*?)\s*\{([^}]*)\} \{([^}]*)\}$", line)
        if m:
            found[m[2]] = (m[1], m[3], m[4], m[5])
        elif "[Global" not in line:
            sys.exit("cannot understand: " + line)
    return found


def ranges_of(java):
    text = subprocess.run([java, *UNLOCK, "-XX:+PrintFlagsRanges", "-version"], capture_output=True, text=True,
                          check=True).stdout
    found = {}
    for line in text.splitlines():
        m = re.match(r"\s*\S+ (\S+)\s+\[ (\S*)\s+\.\.\.\s+(\S*)\s+\]\s+\{", line)
        if m:
            found[m[1]] = m[2] + ".." + m[3] if m[2] else ""
        elif "[Global" not in line:
            sys.exit("cannot understand: " + line)
    return found


def table_of(jdk):
    java = jdk + "/bin/java"
    table = flags_of(java, *UNLOCK, "-XX:+PrintFlagsFinal")
    initial = flags_of(java, "-XX:+PrintFlagsInitial")
    ranges = ranges_of(java)
    rows = {}
    for name, (kind, value, group, origin) in table.items():
        if origin != "default" or name in CHANGING:
            value = FIXED[name] if name in FIXED else initial[name][1]
        if len(ranges.get(name, "")) > 300:      # the largest double
            ranges[name] = ranges[name].split("..")[0] + "..max"
        rows[name] = (kind, group, value, ranges.get(name, ""))
    return rows


def storage(a, b):
    kinds = {k for k in (a, b) if k}
    if len(kinds) == 1:
        return kinds.pop()
    if "double" in kinds:
        return "double"
    return "uintx" if kinds <= {"uint", "uintx"} else "intx"


def cell(row):
    return "NONE" if row is None else "ROW(" + row[0] + ", " + ", ".join('"%s"' % x for x in row[1:]) + ")"


def flag(kind, name, old, new, effect):
    """A row, in as few lines of at most 120 columns as it takes."""
    lines = ["FLAG(%s, %s," % (kind, name)]
    for part in (cell(old) + ",", cell(new) + ",", effect + ")"):
        if len(lines[-1]) + 1 + len(part) <= 120:
            lines[-1] += " " + part
        else:
            lines.append("     " + part)
    return "\n".join(lines)


def main():
    old, new = table_of(sys.argv[1]), table_of(sys.argv[2])
    print("""/* flags.def: every -XX flag of the product builds of JDK 17 and 25; written by flags_generate.py.
 *
 * FLAG(storage, name, jdk17, jdk25, effect)
 *   storage  the type of the field in struct vm_flags, wide enough for both libraries
 *   jdk17/25 ROW(type, "group", "default", "range") as that library has it, or NONE
 *   effect   EFFECT: the VM acts on it; ACCEPTED: taken, checked, and named by -Xlog:arguments
 */""")
    for name in sorted(set(old) | set(new)):
        a, b = old.get(name), new.get(name)
        print(flag(storage(a and a[0], b and b[0]), name, a, b, "EFFECT" if name in EFFECT else "ACCEPTED"))
    print("\n/* Our own. */")
    for kind, name, group, value, limits, what in OWN:
        row = (kind, group, value, limits)
        print("\n".join(textwrap.wrap(what, 116, initial_indent="/* ", subsequent_indent=" * ")) + " */")
        print(flag(kind, name, row, row, "EFFECT"))


main()
