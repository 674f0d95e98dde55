"""What happens at a memory limit, and how large the heap is: options, messages and exit codes as HotSpot's."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT, TESTS = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"]), Path(os.environ["TESTS"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])

SOURCES = {
    "Depth": """
        public class Depth {
            static int depth;
            static void down() { depth++; down(); }
            static int reached(long stackSize) throws Exception {
                depth = 0;
                Runnable deep = () -> { try { down(); } catch (StackOverflowError expected) { } };
                Thread t = new Thread(null, deep, "deep", stackSize);
                t.start();
                t.join();
                return depth;
            }
            public static void main(String[] arguments) throws Exception {
                int usual = reached(0), large = reached(64L << 20);
                System.out.println("a stack of 64 MB is deeper: " + (large > 4 * usual)
                    + ", the usual one holds 2,000 calls: " + (usual > 2000));
            }
        }""",
}

AT_THE_LIMIT = [                    # options, what must be among the output of both
    ([], "caught Java heap space"),
    (["-XX:+ExitOnOutOfMemoryError"], "Terminating due to java.lang.OutOfMemoryError: Java heap space"),
    (["-XX:OnOutOfMemoryError=echo told"], "told"),
    (["-XX:OnOutOfMemoryError=echo one; echo two"], "two"),
    (["-XX:+CrashOnOutOfMemoryError"], "fatal error: OutOfMemory encountered: Java heap space"),
]
SIZES = [["-Xmx100m"], ["-Xms64m"], ["-XX:MaxRAM=1g"], ["-XX:MaxRAMPercentage=10"], ["-XX:InitialRAMPercentage=5"],
         ["-XX:MaxHeapSize=77m"], ["-XX:MinHeapSize=500m"], ["-XX:MaxRAM=200m", "-XX:MinRAMPercentage=30"], []]
if LIBRARY == "17":
    SIZES += [["-XX:MaxRAM=4g", "-XX:MaxRAMFraction=8"], ["-XX:MaxRAM=200m", "-XX:MinRAMFraction=5"],
              ["-XX:MaxRAM=4g", "-XX:InitialRAMFraction=10"]]
DIFFERS = [(r"pid=\d+, tid=\d+", "pid"), (r"hs_err_pid\d+", "hs_err"),
           (r"Internal Error \([\w.]+:\d+\)", "Internal Error"), (r"(?m)^# JRE version: .*", "# JRE"),
           (r"(?m)^# Java VM: .*", "# VM"), (r"(?m)^# If you would like to submit a bug report.*\n#.*\n", ""),
           (r"(?m)^#$\n?", "")]
failed = []


def run(java, options, program):
    ours = java == OURS
    own = harness.vm_options() if ours else ["-XX:+UseSerialGC", "-Xint"]
    return harness.run([*harness.java(java), *own, *options, *program], WORK, 300 * harness.time_scale(), ours)


def made_equal(outcome):
    text = (outcome.out + outcome.err).decode(errors="replace")
    for pattern, instead in DIFFERS:
        text = re.sub(pattern, instead, text)
    return f"{text}{outcome.ended()}\n"


def at_the_limit():
    for options, wanted in AT_THE_LIMIT:
        expected, actual = (made_equal(run(java, ["-Xmx32m", *options], ["-cp", "classes", "Fill"]))
                            for java in (HOTSPOT, OURS))
        if expected != actual or wanted not in actual:
            failed.append(f"{' '.join(options)}\nHotSpot:\n{expected}\nours:\n{actual}")


def heap_sizes(java, options):
    text = run(java, [*options, "-XX:+PrintFlagsFinal"], ["-version"]).out.decode()
    return {name: int(size) for name, size in re.findall(r"\b(InitialHeapSize|MaxHeapSize)\s+=\s+(\d+)", text)}


def sizes():
    """Each collector rounds in its own way: to 2 MB, and the initial size as the same part of that."""
    usual = heap_sizes(OURS, [])
    for options in SIZES:
        expected, actual = heap_sizes(HOTSPOT, options), heap_sizes(OURS, options)
        near = len(expected) == 2 and expected.keys() == actual.keys() and all(abs(expected[k] - actual[k]) <= 2 << 20
                                                                               for k in expected)
        if not near:
            failed.append(f"{options}: HotSpot {expected}, ours {actual}")
        if options and actual == usual:
            failed.append(f"{options} changes nothing: {actual}")


def stacks():
    for options in ([], ["-Xss2m"], ["-XX:ThreadStackSize=4096"]):
        expected, actual = (made_equal(run(java, options, ["-cp", "classes", "Depth"])) for java in (HOTSPOT, OURS))
        if expected != actual or "false" in actual:
            failed.append(f"{options}\nHotSpot:\n{expected}\nours:\n{actual}")


(WORK / "classes").mkdir(parents=True, exist_ok=True)
for name, source in SOURCES.items():
    (WORK / f"{name}.java").write_text(source)
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK / "classes", *WORK.glob("*.java"),
                TESTS / "tools/Fill.java"], check=True)
at_the_limit()
sizes()
stacks()
for text in failed:
    print(text)
sys.exit(1 if failed else 0)
