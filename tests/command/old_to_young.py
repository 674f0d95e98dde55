"""An old object comes to refer to a young one in every way there is (tests/collector/OldToYoung.java), and what HotSpot
prints comes out. The CHECK build looks in each collection that the card of each such reference is marked; so a store
that does not pass the barrier ends the run. A second run collects at every 97th allocation, which makes the VM's own
unfinished objects old."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
EXPORTS = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
NATIVE = ["--enable-native-access=ALL-UNNAMED"] if os.environ["LIBRARY"] != "17" else []


def run(java, ours, *options):
    outcome = harness.run([*harness.java(java), *options, *EXPORTS, *NATIVE, "-cp", WORK, "OldToYoung",
                           harness.agent_library(BUILD, "old_to_young", ours)], WORK, 120 * harness.time_scale(),
                           ours=ours)
    return (outcome.ended().encode() + b"\n" + outcome.out + outcome.err).decode(errors="replace")


def main():
    harness.fresh_directory(WORK)
    subprocess.run([*harness.javac(HOTSPOT), *EXPORTS, "-d", WORK, TESTS / "collector/OldToYoung.java"], check=True)
    expected = run(HOTSPOT, False)
    ours, failed = harness.vm_under_test(IMAGE), "exit 0" not in expected or expected.count(": kept") < 40
    for options in harness.vm_options(), [*harness.vm_options(), "-XX:CollectEvery=97"]:
        actual = run(ours, True, *options)
        if actual != expected:
            harness.show_difference(f"output with {options}", expected, actual)
            failed = True
    print(expected if failed else f"{len(expected.splitlines())} lines as on HotSpot")
    sys.exit(1 if failed else 0)


main()
