#!/usr/bin/env python3
"""Writes flags.def from the flags that two installed JDKs print.

usage: flags_generate.py JDK17 JDK25 > flags.def

Values come from -XX:+PrintFlagsFinal where the stock VM calls them default, else from -XX:+PrintFlagsInitial, and for
locked flags, which that one hides, from FIXED. EFFECT names the flags that our VM acts on.
"""
import re
import subprocess
import sys

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
    ActiveProcessorCount BytecodeVerificationLocal BytecodeVerificationRemote CheckJNICalls ClassUnloading
    CrashOnOutOfMemoryError CreateCoredumpOnCrash DisableAttachMechanism DisableExplicitGC DisplayVMOutput
    DisplayVMOutputToStderr DisplayVMOutputToStdout EnableDynamicAgentLoading ErrorFile ErrorFileToStderr
    ErrorFileToStdout ExitOnOutOfMemoryError Flags HeapDumpGzipLevel HeapDumpOnOutOfMemoryError HeapDumpPath
    IgnoreUnrecognizedVMOptions InitialHeapSize InitialRAMFraction InitialRAMPercentage MaxDirectMemorySize
    MaxHeapSize MaxJavaStackTraceDepth MaxRAM MaxRAMFraction MaxRAMPercentage MinHeapSize MinRAMFraction
    MinRAMPercentage OnError OnOutOfMemoryError ParallelGCThreads PrintCommandLineFlags PrintConcurrentLocks
    PrintFlagsFinal PrintFlagsInitial PrintFlagsRanges PrintVMOptions PrintWarnings ReduceSignalUsage
    ShowCodeDetailsInExceptionMessages ShowHiddenFrames SoftRefLRUPolicyMSPerMB StackTraceInThrowable
    ThreadStackSize UnlockDiagnosticVMOptions UnlockExperimentalVMOptions UseContainerSupport VMOptionsFile
    VerifyAfterGC VerifyBeforeGC
""".split())

# Flags of our own: storage type, name, group, default, range, what it does. Not in HotSpot's lists and not printed with them.
OWN = [
    ("uintx", "CollectEvery", "vitrine", "0", "0..18446744073709551615", "diagnostic: a collection at every n-th allocation"),
    ("uintx", "FailToolAllocation", "vitrine manageable", "0", "0..4294967295", "diagnostic: the n-th allocation of a JVM TI call fails, once"),
    ("bool", "InstallSignalHandlers", "vitrine", "true", "", "handlers for fatal errors, failed writes and the program's shutdown"),
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


def cell(row, widths):
    if row is None:
        return "NONE".ljust(sum(widths) + 11)
    quoted = [row[0] + ","] + ['"%s",' % x for x in row[1:3]] + ['"%s")' % row[3]]
    return "ROW(" + " ".join(q.ljust(w) for q, w in zip(quoted, [9, *widths]))


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
        print("FLAG(%-9s %-40s %s, %s, %s)" % (
            storage(a and a[0], b and b[0]) + ",", name + ",", cell(a, (18, 16, 26)), cell(b, (18, 16, 26)),
            "EFFECT" if name in EFFECT else "ACCEPTED"))
    print("\n/* Our own. */")
    for kind, name, group, value, limits, what in OWN:
        row = (kind, group, value, limits)
        print("FLAG(%-9s %-40s %s, %s, EFFECT)   /* %s */" % (kind + ",", name + ",", cell(row, (18, 16, 26)),
                                                            cell(row, (18, 16, 26)), what))


main()
