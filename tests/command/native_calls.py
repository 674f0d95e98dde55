"""Native methods that compiled code calls by native stubs: local references, exceptions, other functions bound while
they are called; a thread that is suspended, stopped, watched, or collected around while it is in one. All is as on
HotSpot (tests/agents/native_calls.c)."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS", "WORK"))
OURS = harness.vm_under_test(os.environ["IMAGE"])
CLASSES = WORK / "classes"
MODES = [["-Xcomp"], ["-XX:TieredStopAtLevel=1"], ["-Xcomp", "-XX:CollectEvery=300"], ["-Xcomp", "-Xcheck:jni"],
         ["-Xcomp", "-XX:SwitchTierEvery=3"]]
IS_SANITIZED = bool(os.environ.get("VITRINE_TEST_PRELOAD"))        # its allocator keeps what is freed


def run(java, options, *arguments):
    ours = java == OURS
    command = [*harness.java(java), *options, f"-agentpath:{harness.agent_library(BUILD, 'native_calls', ours)}", "-cp",
               CLASSES, "NativeCalls", *arguments]
    outcome = harness.run([str(a) for a in command], WORK, 300 * harness.time_scale(), ours)
    return outcome.ended() + "\n" + outcome.out.decode(errors="replace") + outcome.err.decode(errors="replace")


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", CLASSES, TESTS / "jvmti/NativeCalls.java"], check=True)
    expected = run(HOTSPOT, ["-Xint"])
    failed = "FAILED" in expected or not expected.startswith("exit 0")
    if failed:
        print(expected)
    expected += "native stubs: true\n"
    for options in MODES:
        actual = run(OURS, options, "ours")
        if "-Xcheck:jni" in options:     # which warns of what HotSpot does not see without it
            actual = "".join(line for line in actual.splitlines(True) if "JNI" not in line and line[0] != "\t")
        if IS_SANITIZED:
            actual = actual.replace("grown: true", "grown: false")
        if actual != expected:
            failed = True
            harness.show_difference(str(options), expected, actual)
            harness.show_crash_reports(WORK)
    sys.exit(failed)


main()
