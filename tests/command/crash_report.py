"""A crash in the VM leaves HotSpot's message, exit code and report: hs_err_pid<N>.log, or -XX:ErrorFile, and runs
-XX:OnError. A crash in malloc leaves a whole report, and what gets stuck costs that part alone: -XX:ErrorLogTimeout."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])

SOURCE = """
    public class Crash {
        static void write(sun.misc.Unsafe unsafe) { unsafe.putInt(8L, 1); }
        static native void inMalloc();
        static native void whileLibrariesAreLocked(String copy);
        public static void main(String[] arguments) throws Exception {
            if (arguments.length != 0) System.load(arguments[1]);
            if (arguments.length != 0 && arguments[0].equals("malloc")) inMalloc();
            if (arguments.length != 0 && arguments[0].equals("locked")) whileLibrariesAreLocked(arguments[2]);
            var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            write((sun.misc.Unsafe) field.get(null));
        }
    }"""

MESSAGE = [r"^# A fatal error has been detected by the Java Runtime Environment:$",
           r"^#  SIGSEGV \(0xb\) at pc=0x[0-9a-f]{16}, pid=\d+, tid=\d+$",
           r"^# JRE version: ", r"^# Java VM: ", r"^# Problematic frame:$", r"^# V  \[libjvm\.so\+0x[0-9a-f]+\]",
           r"^# An error report file with more information is saved as:$"]
# What is looked up in a report, in this order. Frames are interpreted, or with -Xcomp (J) compiled: what a crash in
# compiled code says besides is command.compiled's.
REPORT = [*MESSAGE[:6], r"S U M M A R Y", r"^Command Line: ", r"^Time: ", r"T H R E A D",
          r"^Current thread \(0x[0-9a-f]{16}\): .*\"main\"", r"^Stack: \[0x",
          r"^Native frames: ", r"^V  \[libjvm\.so", r"^Java frames: ", r"^[jJ]  Crash\.write\(Lsun/misc/Unsafe;\)V",
          r"^[jJ]  Crash\.main\(\[Ljava/lang/String;\)V",
          r"^siginfo: si_signo: 11 \(SIGSEGV\), si_code: 1 \(SEGV_MAPERR\), si_addr: 0x0000000000000008",
          r"^Registers:", r"P R O C E S S", r"^Dynamic libraries:", r"libjvm\.so",
          r"S Y S T E M"]
failed = []


def missing(text, patterns):
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.MULTILINE).search(text, at)
        if found is None:
            return pattern
        at = found.start()
    return None


def crash(java, options, *arguments):
    for old in WORK.glob("*.log"):
        old.unlink()
    return harness.run([*harness.java(java), *(harness.vm_options() if java == OURS else ["-Xint"]), *options, "-cp",
                        "classes", "Crash", *arguments], WORK, 300 * harness.time_scale(), java == OURS)


def check_stream(java, options, name):
    """The report goes to this stream, whole, and nowhere else."""
    outcome = crash(java, options)
    texts = {stream: getattr(outcome, stream).decode(errors="replace") for stream in ("out", "err")}
    wrong = missing(texts.pop(name), REPORT)
    others = [path.name for path in WORK.glob("*.log")] + [s for s, text in texts.items() if "S U M M A R Y" in text]
    if wrong or others or outcome.code != -6:
        failed.append(f"{java} {options}: {outcome.ended()}, missing in {name}: {wrong}, a report in {others}")


def check(java, options, name, also=()):
    """One run that ends in a crash; the report must lie in the file that `name` matches."""
    outcome = crash(java, options)
    text = outcome.out.decode(errors="replace")
    pid = re.search(r"pid=(\d+)", text)
    reports = [path for path in WORK.glob("*.log") if pid and path.name == name.replace("%p", pid[1])]
    wrong = missing(text, [*MESSAGE, *also]) or (None if reports
                              else f"a report called {name}") or missing(reports[0].read_text(errors="replace"), REPORT)
    if wrong or outcome.code != -6:
        failed.append(f"{java} {options}: {outcome.ended()}, missing: "
                      f"{wrong}\n{text[-1500:]}\n{[p.name for p in WORK.glob('*.log')]}")


def check_where_locked(java, where, options, reported, said=()):
    """Of a crash where C's locks are held. Returns the report."""
    library = os.path.abspath(harness.agent_library(os.environ["BUILD"], "crashes", java == OURS))
    shutil.copy(library, WORK / "copy.so")
    outcome = crash(java, ["-XX:ErrorFile=locked.log", *options], where, library, WORK / "copy.so")
    out = outcome.out.decode(errors="replace")
    text = (WORK / "locked.log").read_text(errors="replace") if (WORK / "locked.log").exists() else ""
    wrong = missing(text, reported) or missing(out, said)
    if wrong or outcome.code != -6:
        failed.append(f"{java} {where} {options}: {outcome.ended()}, missing: {wrong}\n{out}\n{text[:3000]}")
    return text


(WORK / "classes").mkdir(parents=True, exist_ok=True)
(WORK / "Crash.java").write_text(SOURCE)
subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-XDignore.symbol.file", "-d", WORK / "classes",
                WORK / "Crash.java"], check=True, capture_output=True)
for jdk in (HOTSPOT, OURS):
    check(jdk, [], "hs_err_pid%p.log")
    check(jdk, ["-XX:ErrorFile=report-%p.log"], "report-%p.log")
    check(jdk, ["-XX:ErrorFile=no/such/directory/%p.log"], "hs_err_pid%p.log")
    check(jdk, ["-XX:OnError=echo process %p is gone"], "hs_err_pid%p.log",
          [r"^# -XX:OnError=\"echo process %p is gone\"$",
           r"^#   Executing /bin/sh -c \"echo process \d+ is gone\" \.\.\.$",
                                                                             r"^process \d+ is gone$"])
    to_out, to_err = "-XX:+ErrorFileToStdout", "-XX:+ErrorFileToStderr"
    check_stream(jdk, [to_out], "out")
    check_stream(jdk, [to_out, to_err], "err")
    check_stream(jdk, [to_err, to_out], "out")
if not os.environ.get("VITRINE_TEST_PRELOAD"):           # the sanitizer brings a malloc of its own
    text = check_where_locked(OURS, "malloc", [], [r"SIGSEGV", r"Crash\.inMalloc", r"^END\.$"])
    if "occurred during error reporting" in text:
        failed.append("malloc: a step did not end")
# A step that wants names gets stuck, and has three seconds of the twelve.
late = r"^\[timeout occurred during error reporting in step \"(?:printing )?%s.*\"\] after (?:[3-9]|\d\d) s\.$"
frame, stack, end = (late % "problematic frame", late % "native stack",
                     r"^------ Timeout during error reporting after 12 s\. ------$")
for jdk in (HOTSPOT, OURS):
    check_where_locked(jdk, "locked", ["-XX:ErrorLogTimeout=12"],
                       [frame, r"S U M M A R Y", stack, *([r"Crash\.whileLibrariesAreLocked", r"P R O C E S S"]
                                                          if jdk == OURS else []), end],
                       [frame, r"^# An error report file", r"^# \[ timer expired, abort\.\.\. \]$"])
check_where_locked(OURS, "locked", ["-XX:ErrorLogTimeout=4", "-XX:OnError=echo process %p is gone"],
                   [frame.replace("(?:[3-9]|\\d\\d)", r"\d+"), r"^END\.$"], [r"^process \d+ is gone$"])
for text in failed:
    print(text)
sys.exit(1 if failed else 0)
