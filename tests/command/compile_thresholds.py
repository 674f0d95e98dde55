"""When methods are compiled: -XX:Tier3InvocationThreshold and its kind, CompileThreshold, CompileThresholdScaling; what
is refused as by HotSpot."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"


def run(java, *arguments):
    command = [str(a) for a in (*harness.java(java), *arguments)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale())
    return process.stdout, process.stderr, process.returncode


def compiled(*options):
    """Which of CompiledHot's methods are: called199 and called200, turns1980 and turns2000 say how often they run."""
    out, err, code = run(OURS, *options, "-XX:+PrintCompilation", "-cp", CLASSES, "CompiledHot")
    check(code == 0 and not err, f"{options}", out[-2000:], err)
    return set(re.findall(r" CompiledHot::(called\d+|turns\d+) ", out))


def thresholds():
    all_of_them = {"called199", "called200", "turns1980", "turns2000"}
    for options, expected in (
            ([], {"called200", "turns2000"}),
            (["-XX:Tier3InvocationThreshold=199"], {"called200", "turns2000"}),      # 10 branches a call: 200
            (["-XX:Tier3InvocationThreshold=101"], all_of_them - {"turns1980"}),
            (["-XX:Tier3InvocationThreshold=2000"], {"turns2000"}),
            (["-XX:Tier3InvocationThreshold=250", "-XX:Tier3CompileThreshold=1000"], {"turns1980", "turns2000"}),
            (["-XX:Tier3CompileThreshold=1980", "-XX:Tier3InvocationThreshold=198"], all_of_them),
            (["-XX:Tier3CompileThreshold=4000"], {"called200"}),
            (["-XX:Tier3BackEdgeThreshold=1000"], {"called200", "turns1980", "turns2000"}),
            (["-XX:Tier3BackEdgeThreshold=3000"], {"called200", "turns2000"}),
            (["-XX:Tier3InvocationThreshold=0", "-XX:Tier3CompileThreshold=0"], all_of_them),
            (["-XX:CompileThresholdScaling=0.5"], all_of_them), (["-XX:CompileThresholdScaling=2"], set()),
            (["-XX:CompileThresholdScaling=0"], set()),
            (["-XX:CompileThreshold=1"], {"called200", "turns2000"})):               # of no use with tiers
        found = compiled("-XX:TieredStopAtLevel=1", *options)
        check(found & all_of_them == expected, f"{options}", found)


def without_tiers():
    version = run(OURS, "-XX:-TieredCompilation", "-version")[1]
    if "mixed mode" not in version:
        return                           # nothing is compiled without tiers
    for threshold, expected in ((200, {"called200", "turns1980", "turns2000"}), (2000, {"turns2000"}),
                                (3000, set())):
        found = compiled("-XX:-TieredCompilation", f"-XX:CompileThreshold={threshold}")
        check(found == expected, f"CompileThreshold={threshold}", found)


def refused():
    for options in (["-XX:CompileThreshold=-1"], ["-XX:CompileThreshold=1073741824"],
                    ["-XX:CompileThreshold=1073741823"], ["-XX:CompileThreshold=0"],
                    ["-XX:CICompilerCount=1"], ["-XX:CICompilerCount=0"],
                    ["-XX:CICompilerCount=2"], ["-XX:CICompilerCount=-1"],
                    ["-XX:TieredStopAtLevel=1", "-XX:CICompilerCount=1"], ["-Xint", "-XX:CICompilerCount=0"],
                    ["-XX:TieredStopAtLevel=1", "-XX:CICompilerCount=0"],
                    ["-XX:-TieredCompilation", "-XX:CICompilerCount=1"],
                    ["-XX:TieredStopAtLevel=3", "-XX:CICompilerCount=1"],
                    ["-XX:Tier3InvocationThreshold=-1"], ["-XX:Tier3BackEdgeThreshold=2147483648"],
                    ["-XX:TieredStopAtLevel=5"], ["-XX:CompileThresholdScaling=x"],
                    ["-XX:-BackgroundCompilation"], ["-Xbatch"]):
        results = [run(java, *options, "-cp", CLASSES, "Listed", "nothing") for java in (HOTSPOT, OURS)]
        check(results[0] == results[1], f"{options}", *results)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", CLASSES, TESTS / "jvmti/Listed.java",
                    TESTS / "jvmti/CompiledHot.java"], check=True)
    for part in (thresholds, without_tiers, refused):
        part()
    sys.exit(1 if failed else 0)


main()
