"""What a tool function has looked up goes between then and the stop of the world in which it works: its class is
unloaded, redefined so that a location is no more, or its environment disposed of. The CHECK build alone has the place
where a test can wait there (JVM_CallBeforeStop): so this test is registered with that build alone.

Where HotSpot can be asked what it answers to a call that comes after the change, ours must answer the same."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
LIBRARY = os.environ["LIBRARY"]
VICTIM = "public class Victim {{ static int field = 1; static int run(int n) {{ {} }} }}\n"
VARIANTS = {
    "long": "int a = n + 1; int b = a * 7; int c = b - field; return a + b + c;",
    "other": "int a = n + 2; int b = a * 7; int c = b - field; return a + b + c;",
    "short": "return n;",
}
BREAKPOINTS = {"SetBreakpoint": "ClearBreakpoint", "ClearBreakpoint": "SetBreakpoint"}
WATCHES = {f"{verb}Field{kind}Watch": f"{back}Field{kind}Watch" for kind in ("Access", "Modification")
           for verb, back in (("Set", "Clear"), ("Clear", "Set"))}
HELD = ("IterateOverInstancesOfClass", "RetransformClasses", "GetClassLoaderClasses")
HEAP = ("FollowReferences", "IterateThroughHeap", "IterateOverInstancesOfClass",
        "IterateOverObjectsReachableFromObject", "GetObjectsWithTags")
WALKS = ("IterateOverHeap", "IterateOverReachableObjects")
EXTENSIONS = ("FollowObjects", "SetEventFilters")
THREAD = ("GetStackTrace", "GetFrameCount", "GetFrameLocation", "GetOwnedMonitorInfo", "GetOwnedMonitorStackDepthInfo",
          "GetCurrentContendedMonitor", "SuspendThread")
LOCALS = ("GetLocalInstance",
          *(f"{verb}Local{kind}" for verb in ("Get", "Set") for kind in ("Object", "Int", "Long", "Float", "Double")))
FRAMES = ("NotifyFramePop", "PopFrame",
          *(f"ForceEarlyReturn{kind}" for kind in ("Object", "Int", "Long", "Float", "Double", "Void")))


def rows():
    """(function, change, what undoes it), what must be answered, and is it HotSpot's answer as well?"""
    for function, back in BREAKPOINTS.items():
        sets = function.startswith("Set")
        yield (function, "short", back), f"INVALID_LOCATION, 0 found, class there, then {back} INVALID_LOCATION", True
        found = "NONE" if sets else "NOT_FOUND"
        yield (function, "other", back), f"{found}, 0 found, class there, then {back} NONE", True
        yield (function, "unloaded", back), "INVALID_METHODID, 0 found, class gone", sets
    for function, back in WATCHES.items():
        for change in ("short", "other"):
            yield (function, change, back), f"NONE, 0 found, class there, then {back} NONE", True
        # HotSpot is called with a weak reference whose class has gone.
        yield (function, "unloaded", back), "INVALID_FIELDID, 0 found, class gone", False
    for function, back in {**BREAKPOINTS, **WATCHES}.items():
        yield (function, "disposed", back), "INVALID_ENVIRONMENT, 0 found, class there", False
        yield (function, "relinquished", back), "MUST_POSSESS_CAPABILITY, 0 found, class there", False
    for function in HEAP + WALKS + EXTENSIONS:
        yield (function, "disposed"), "INVALID_ENVIRONMENT, 0 found, class there", False
    yield ("NotifyFramePop", "disposed"), "INVALID_ENVIRONMENT, 0 found, class there", False
    for function in HEAP[:2]:
        yield (function, "unloaded"), "NONE, 0 found, class gone", False
    for function in HEAP[:3]:
        yield (function, "other"), "NONE, 1 found, class there", True
    for function in HELD:
        yield (function, "dropped"), f"NONE, {int(function.startswith('Get'))} found, class there", False
    for function in THREAD + LOCALS + FRAMES:
        yield (function, "ended"), "THREAD_NOT_ALIVE, 0 found, class there", True
    # HotSpot asks a list's only thread as GetStackTrace does, and answers an error that the function does not have.
    yield ("GetThreadListStackTraces", "ended"), "NONE, 0 found, class there", False
    for function in LOCALS + FRAMES:
        # 17 looks at variables of running threads: this one waits in a native method, which shows its receiver alone.
        looks = function in LOCALS and LIBRARY == "17"
        error = "THREAD_NOT_SUSPENDED" if not looks else "NONE" if function == "GetLocalInstance" else "OPAQUE_FRAME"
        yield (function, "resumed"), f"{error}, 0 found, class there", True


def run(java, ours, wanted):
    command = [*harness.java(java), *(harness.vm_options() if ours else []),
               f"-agentpath:{harness.agent_library(BUILD, 'stale_ids', ours)}", "-cp", WORK, "StaleIds", WORK,
               *(":".join(row) for row in wanted)]
    outcome = harness.run(command, WORK, 300 * harness.time_scale(), ours=ours)
    return [outcome.ended(), *(outcome.out + outcome.err).decode(errors="replace").splitlines()]


def main():
    for name, body in VARIANTS.items():
        harness.fresh_directory(WORK / name)
        (WORK / name / "Victim.java").write_text(VICTIM.format(body))
    subprocess.run([*harness.java(HOTSPOT), TESTS / "redefine/CompileVariants.java",
                    *(WORK / name / "Victim.java" for name in VARIANTS)], check=True)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "jvmti/StaleIds.java"], check=True)
    table, failed = list(rows()), False
    for java, ours in (HOTSPOT, False), (harness.vm_under_test(IMAGE), True):
        mine = [(row, answer) for row, answer, is_hotspots in table if ours or is_hotspots]
        expected = ["exit 0", f"held: {str(ours).lower()}", *(f"{row[0]}, {row[1]}: {answer}" for row, answer in mine),
                    "end"]
        actual = [line for line in run(java, ours, [row for row, _ in mine]) if "warning: Sharing" not in line]
        if actual != expected:
            failed = True
            print("ours" if ours else "HotSpot")
            harness.show_difference("answers", "\n".join(expected), "\n".join(actual))
            harness.show_crash_reports(WORK)
        print(f"{'ours' if ours else 'HotSpot'}: {len(mine)} rows")
    sys.exit(1 if failed else 0)


main()
