"""The JNI test library (tests/jni/): its program compiled, its cases listed, runs on either VM."""
import os
import subprocess
from pathlib import Path

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
JDK = os.environ["LIBRARY"]
LIBRARY = BUILD / "tests" / "agents" / "libevery_function.so"
# enum case_kind in tests/jni/jni_cases.h
SHARED, OURS, LAST, LAST_OURS, CHECK, CHECK_OURS = range(6)


def prepare():
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), "-encoding", "UTF-8", "-d", WORK, TESTS / "jni/EveryFunction.java"],
                   check=True)


def run(ours, *arguments, options=()):
    java = harness.vm_under_test(IMAGE) if ours else HOTSPOT
    own = harness.vm_options() if ours else []
    native = ["--enable-native-access=ALL-UNNAMED"] if JDK != "17" else []
    return harness.run([*harness.java(java), *own, *native, *options, "-cp", WORK, "EveryFunction", LIBRARY,
                        *arguments], WORK, 300 * harness.time_scale(), ours=ours)


class Case:
    def __init__(self, line):
        number, kind, self.name, self.expected = line.split("\t")
        self.number, self.kind = int(number), int(kind)
        self.function = self.name.split()[0]


def cases():
    outcome = run(False, "list")
    assert outcome.code == 0, outcome.err.decode(errors="replace")
    return [Case(line) for line in outcome.out.decode().splitlines()]


def text(outcome):
    return outcome.out.decode(errors="replace")
