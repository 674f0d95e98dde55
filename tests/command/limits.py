"""Limits of the process: threads, descriptors, address space, a full disk. The VM answers as HotSpot under the same
limit does, with Java's errors and its own warnings, and goes on when there is room again (tests/tools/Limits.java).
What a container does not allow is left out with a line."""
import os
import re
import subprocess
import sys
from pathlib import Path

import checks
import confined
import harness

OURS, WORK = harness.vm_under_test(checks.IMAGE), Path(checks.WORK)
CLASSES, DIRECTORY = WORK / "classes", WORK / "directory"
THREADS, DESCRIPTORS, DISK = 60, 80, "400k"
SPACE = 2_000_000_000


def run(vm, before, options, *program):
    """Both may start as many threads, none of a compiler among them, and reserve as much as the same limit leaves."""
    ours = vm == OURS
    own = ["-Xbatch", *harness.vm_options()] if ours else ["-XX:+UseSerialGC", "-Xint", "-XX:ReservedCodeCacheSize=32m",
                                                           "-XX:CompressedClassSpaceSize=64m"]
    harness.fresh_directory(DIRECTORY)
    return harness.run([*before, *harness.java(vm), *own, *options, "-cp", CLASSES, *program], WORK, checks.LIMIT, ours)


def comparable(outcome):
    text = harness.normalise(outcome.out, [(WORK, "WORK"), (OURS, "JDK"), (checks.HOTSPOT, "JDK")])
    text = re.sub(r"(?m)^\[\d+\.\d+s\]", "", text)
    text = re.sub(r"(?:pthread_create|mmap) failed \((?:EAGAIN|ENOMEM)\)", "refused", text)
    text += harness.normalise(outcome.err, [(WORK, "WORK")])
    # a thread that has got the last of the address space may find none for what it does
    text = re.sub(r"\nException: java\.lang\.OutOfMemoryError thrown from the UncaughtExceptionHandler in thread "
                  r'"waits"\n', "", text)
    return re.sub(r"java_pid\d+", "java_pid", text) + outcome.ended() + "\n"


def compare(what, before, options, *program, wanted=""):
    texts = [comparable(run(vm, before, options, *program)) for vm in (Path(checks.HOTSPOT), OURS)]
    checks.same(what, *texts)
    checks.check(wanted in texts[1], f"{what}: what it is about", texts[1])
    harness.show_crash_reports(WORK)


def threads():
    before = confined.few_threads(THREADS, CLASSES / "Limits.class")
    if before:
        compare("threads", before, [], "Limits", "threads", wanted="its state: NEW false\n")


def descriptors():
    compare("descriptors", ["prlimit", f"--nofile={DESCRIPTORS}"], [], "Limits", "descriptors", DIRECTORY,
            wanted="(Too many open files)")


def disk():
    before = confined.small_disk(DIRECTORY, DISK)
    if before:
        compare("disk", before, [], "Limits", "disk", DIRECTORY, wanted="No space left on device")
        options = ["-Xmx20m", "-XX:+HeapDumpOnOutOfMemoryError", f"-XX:HeapDumpPath={DIRECTORY}/d"]
        compare("dump", before, options, "Fill", wanted="No space left on device")
        for log in ("file=" + str(DIRECTORY / "log"), "stdout"):
            lost_log(before, log)


def lost_log(before, log):
    """What a log should have said is lost, and that is said once. The log's lines are each VM's own."""
    for vm in Path(checks.HOTSPOT), OURS:
        fill = ["sh", "-c", f'head -c 1000000 /dev/zero >{DIRECTORY}/full 2>{WORK}/ignored; exec "$@" >/dev/full', "sh"]
        outcome = run(vm, [*before, *fill], [f"-Xlog:safepoint*,gc*:{log}"], "Collect")
        told = re.findall(r"(?m)^Could not flush log: .*$", outcome.err.decode())
        checks.equal((told, outcome.code), ([f"Could not flush log: {log} (No space left on device (28))"], 0),
                     f"a lost log, {vm}: {log}")


def space():
    if os.environ.get("VITRINE_TEST_PRELOAD"):
        return                                                      # the sanitizer needs all address space
    options = ["-Xmx64m", "-XX:MaxDirectMemorySize=100g"]
    compare("space", ["prlimit", f"--as={SPACE}"], options, "Limits", "space", DIRECTORY,
            wanted="array after: 1048576\n")
    start_up()


def start_up():
    """Each limit is enough, or an error that says so: none ends the process in another way."""
    ends = set()
    for limit in range(40, 600, 7):
        outcome = run(OURS, ["prlimit", f"--as={limit << 20}"], ["-Xmx64m"], "Hello")
        text = (outcome.out + outcome.err).decode(errors="replace")
        refused = outcome.code == 1 and ("Error occurred during initialization of VM\n" in text or
                                         "OutOfMemoryError" in text or "prlimit: " in text)
        ends.add(outcome.code)
        checks.check(refused or (outcome.code == 0 and text.endswith("hello\n")), f"{limit} MB of address space",
                     f": {outcome.ended()} {text}")
    checks.equal(ends, {0, 1}, "start-up: some limits are enough, and some are not")


def lost_pages():
    """More than HotSpot survives: diff.<jdk>.io.LostPages has what it does."""
    lines = run(OURS, [], [], "LostPages", "long").out.decode().splitlines()
    lost = [line for line in lines if line.startswith("cut")]
    checks.check(len(lost) == 12 and all("a fault occurred in a" in line for line in lost), "pages lost", str(lost))
    checks.equal(lines[-1:], ["5000 bytes are in the file; the last: 7"], "pages back")


HELLO = 'public class Hello { public static void main(String[] a) { System.out.println("hello"); } }'
COLLECT = "public class Collect { public static void main(String[] a) { for (int i = 0; i < 50; i++) System.gc(); } }"

harness.fresh_directory(WORK)
for name, source in (("Hello", HELLO), ("Collect", COLLECT)):
    (WORK / f"{name}.java").write_text(source)
checks.compile_sources("tools", "Limits", "Fill", options=("-nowarn", "-XDignore.symbol.file"))
checks.compile_sources("differential/io", "LostPages")
subprocess.run([*harness.javac(checks.HOTSPOT), "-d", CLASSES, *WORK.glob("*.java")], check=True)
threads()
descriptors()
disk()
space()
lost_pages()
checks.finish()
