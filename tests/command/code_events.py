"""What is reported to tools of compiled and generated code (CompiledMethodLoad, CompiledMethodUnload,
DynamicCodeGenerated, GenerateEvents), where something is compiled: as on HotSpot, but for how much code there is and
where."""
import os
import subprocess
import sys
from pathlib import Path

import harness
import rows

HOTSPOT, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS", "WORK"))
OURS = harness.vm_under_test(os.environ["IMAGE"])
CLASSES = WORK / "classes"
STUBS = ("enter call_interpreted interpret call call_native_by_c try_enter call_native native_ended "
         "call_intrinsic call_leaf leaf invoke_basic link_to_static link_to_special "
         "link_to_virtual link_to_interface invoke call_site call_interface call_virtual call_noted_interface "
         "call_noted_virtual call_noted_site runtime breakpoint "
         "entered attention returns monitorenter monitorexit entered_synchronized leaves_synchronized "
         "leaves_monitors frame_enters frame_exits frame_exits_own frame_holds back leave subtype allocate "
         "allocate_beside_floats copy enter_loop give resume ended ")
# What is ours alone: one form of each method, no inlining, and these stubs.
ONLY_OURS = ["JT-152 " + STUBS, "JT-097 the same: true",
             "not enabled: true", "JT-149 compile_info: 0", "JT-097 events for it: 1"]
failed = []
shown = rows.Shown("code_events")


def run(java, options, agent_options, *arguments):
    ours = java == OURS
    command = [*harness.java(java), *options, "-Xmx256m",
               f"-agentpath:{harness.agent_library(BUILD, 'code_events', ours)}{agent_options}", "-cp", CLASSES,
               "CodeEvents", *arguments]
    outcome = harness.run([str(a) for a in command], WORK, 300 * harness.time_scale(), ours)
    lines = outcome.out.decode(errors="replace").splitlines()
    if outcome.code != 0 or outcome.err.strip() or any("FAILED" in line for line in lines):
        failed.append("run")
        print(java, options, arguments, outcome.ended(), *lines, outcome.err.decode(errors="replace"), sep="\n")
        harness.show_crash_reports(WORK)
    return lines


def check(what, expected, actual):
    shown.add(actual)
    if expected != actual:
        failed.append(what)
        harness.show_difference(what, "\n".join(expected), "\n".join(actual))


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/CodeEvents.java"],
                   check=True)
    for program, agent_options in (("compiled", ""), ("late", "=quiet")):
        expected = run(HOTSPOT, ["-Xcomp"], agent_options, program)
        for options in (["-Xcomp"], ["-XX:TieredStopAtLevel=1"], ["-Xcomp", "-XX:CollectEvery=20000"]):
            check(f"{program} {options}", expected, run(OURS, options, agent_options, program))
    alone = run(OURS, ["-Xcomp", "-XX:TieredStopAtLevel=1"], "", "compiled", "ours")
    check("ours alone", ONLY_OURS, [line for line in alone if line in ONLY_OURS])
    shown.add(alone)
    interpreted = run(OURS, ["-Xint"], "", "interpreted")
    check("interpreted", interpreted[:1] + ["interpreted: 0"], interpreted)
    for row in list(shown.missing()):
        failed.append(row)
        print(row)
    sys.exit(1 if failed else 0)


main()
