"""Native libraries follow the specification's rules as HotSpot does: names of functions, one loader per library,
look-up by loader, versions that JNI_OnLoad may ask for, JNI_OnUnload with the loader, libraries linked into the
program, destructors that run when the VM has gone (tests/natives/)."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import harness
import rows

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
classes = harness.fresh_directory(WORK / "classes")
subprocess.run([*harness.javac(HOTSPOT), "-encoding", "UTF-8", "-d", classes,
                *sorted((TESTS / "natives").rglob("*.java"))], check=True)
native = ["--enable-native-access=ALL-UNNAMED"] if os.environ["LIBRARY"] != "17" else []
failed = False
shown = rows.Shown("native_rules")


def compare(what, command_of, select=lambda text: text):
    """select: what is compared of standard output."""
    global failed
    texts = []
    for java, ours in ((HOTSPOT, False), (harness.vm_under_test(IMAGE), True)):
        directory = harness.fresh_directory(WORK / ("ours" if ours else "hotspot"))
        outcome = harness.run(command_of(java, ours, directory), directory, 300 * harness.time_scale(), ours=ours)
        # HotSpot takes a file that is no library for one with an executable stack.
        err = re.sub(rb"(?m)^.*(might have disabled stack guard|recommended that you fix the library).*\n", b"",
                     outcome.err)
        texts.append(harness.normalise(outcome.ended().encode() + b"\n" + select(outcome.out) + err,
                                       [(directory, "DIR"), (java, "JDK")]))
    shown.add(texts[0].splitlines())
    if texts[0] != texts[1] or "exit 0" not in texts[0]:
        failed = True
        print(f"--- {what}")
        harness.show_difference("output", *texts)
        if texts[0] == texts[1]:
            print(texts[0])


def rules(*options):
    return lambda java, ours, directory: [*harness.java(java), *(harness.vm_options() if ours else []), *options,
                                          *native, "-cp", classes, "NativeRules", directory,
                                          harness.agent_library(BUILD, "native_rules", ours)]


def bindings(text):
    """The lines about our own classes."""
    return b"\n".join(re.sub(rb"^\[[0-9.]+s\]", b"", line) for line in text.splitlines()
                      if re.search(rb"\[jni,resolve\].* (p_q|Loaded)\.?", line))


def exits(java, ours, directory):
    agent, library = directory / "libagent.so", directory / "libexits.so"
    for copy in agent, library:
        shutil.copy(harness.agent_library(BUILD, "native_rules", ours), copy)
    options = [*(harness.vm_options() if ours else []), *native, f"-agentpath:{agent}"]
    return [*harness.java(java), *options, "-cp", classes, "ExitHandlers", library]


compare("rules", rules())
compare("exit handlers", exits)
compare("-verbose:jni", rules("-verbose:jni"), bindings)
if not os.environ.get("VITRINE_TEST_PRELOAD"):       # HotSpot cannot run in an instrumented program
    compare("linked into the program", lambda java, ours,
            directory: [BUILD / "tests/embed/static_natives", java / "lib/server/libjvm.so", classes, "StaticNatives"])
    for row in shown.missing():
        failed = True
        print(row)
sys.exit(1 if failed else 0)
