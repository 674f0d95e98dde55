"""java.lang.foreign (25) and jdk.incubator.foreign (17) beside what tests/differential/foreign/ compares: exceptions
that reach C where no Java code is left to handle them, stubs that have been freed, the fallback linker of 25's library
with our libfallbackLinker.so, VMs that are created again, jshell at a terminal."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] if k == "LIBRARY" else Path(os.environ[k])
                                               for k in ("LIBRARY", "HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
OURS = harness.vm_under_test(IMAGE)
FUNCTIONS = f"-Dfunctions={BUILD}/tests/libraries/libforeign_functions.so"
failed = False


def fail(text):
    global failed
    failed = True
    print(text)


def compile_all(directory, sources, *options):
    subprocess.run([*harness.javac(HOTSPOT), *options, "-d", harness.fresh_directory(directory), *sources], check=True,
                   stderr=subprocess.DEVNULL)
    return directory


def run(home, classes, *arguments, seconds=120):
    ours = home == OURS
    command = [*harness.java(home), *(harness.vm_options() if ours else []), FUNCTIONS, "-cp", classes, *arguments]
    return harness.run(command, harness.fresh_directory(WORK / "cwd"), seconds * harness.time_scale(), ours=ours)


def both(what, outcome, code, *patterns):
    text = outcome.ended() + "\n" + outcome.out.decode(errors="replace") + outcome.err.decode(errors="replace")
    if outcome.code not in code or not all(re.search(p, text) for p in patterns):
        fail(f"{what}: expected {code} and {patterns}:\n{text[:3000]}")
    return text


def incubator():
    options = ["--add-modules", "jdk.incubator.foreign"]
    classes = compile_all(WORK / "classes", [TESTS / "foreign/IncubatorUpcallThrows.java"], *options)
    for home in (HOTSPOT, OURS):
        outcome = run(home, classes, *options, "--enable-native-access=ALL-UNNAMED", "IncubatorUpcallThrows")
        both("exception", outcome, (-6,), r"(?m)^2\n", "Uncaught exception:\n", "java.lang.IllegalStateException",
             "on purpose")
    without = run(OURS, classes, *options, "IncubatorUpcallThrows")
    both("without --enable-native-access", without, (1,), "IllegalCallerException: Illegal native access")


def aborts():
    classes = compile_all(WORK / "classes", [TESTS / "foreign/Aborts.java"])
    access = "--enable-native-access=ALL-UNNAMED"
    for home in (HOTSPOT, OURS):
        both("null for a pointer", run(home, classes, access, "Aborts", "null"), (1,), "NullPointerException",
             "Unrecoverable uncaught exception encountered. The VM will now exit")
        both("System.exit in a call back", run(home, classes, access, "Aborts", "exit"), (9,))
        both("no stack is left", run(home, classes, access, "Aborts", "deep", seconds=240), (-6, 1),
             "Uncaught exception:\njava.lang.StackOverflowError|java.lang.Error: from the depth")
    both("a stub closed while it runs", run(OURS, classes, access, "Aborts", "closing"), (0,), r"(?m)^6\n")
    both("a stub that has been freed", run(OURS, classes, access, "Aborts", "freed"), (-6,), r"(?m)^5\n",
         "fatal error: an up-call through a stub that has been freed with its arena")


def ending():
    """Ours alone: HotSpot's own guarantee fails now and then when such a thread comes while the VM ends."""
    sources = [TESTS / "foreign/CallsWhileEnding.java", TESTS / "differential/ForeignFunctions.java"]
    classes = compile_all(WORK / "classes", sources)
    for _ in range(5):
        both("calls while the VM ends", run(OURS, classes, "--enable-native-access=ALL-UNNAMED", "CallsWhileEnding"),
             (0,), r"(?m)^ends\n\Z")


def in_foreign():
    """What tools see of a thread that is in C: no frame of linkToNative. They cannot pop what is below it, nor let it
    return: the specification has OPAQUE_FRAME for that, where HotSpot says yes and does nothing good."""
    sources = [TESTS / "foreign/InForeign.java", TESTS / "differential/ForeignFunctions.java"]
    classes = compile_all(WORK / "classes", sources)
    arguments = ["--enable-native-access=ALL-UNNAMED", "InForeign"]
    agents = [f"-agentpath:{harness.agent_library(BUILD, 'in_foreign', ours)}" for ours in (False, True)]
    expected = run(HOTSPOT, classes, agents[0], *arguments)
    actual = run(OURS, classes, agents[1] + "=ask", *arguments)
    refused = "PopFrame: OPAQUE_FRAME\nForceEarlyReturnVoid: OPAQUE_FRAME\n"
    texts = [o.ended() + "\n" + (o.out + o.err).decode() for o in (expected, actual)]
    if refused not in texts[1] or texts[0] != texts[1].replace(refused, ""):
        fail("in a C function")
        harness.show_difference("output", *texts)


def fallback():
    """The linker of machines that have none of their own answers as that of this machine does on HotSpot."""
    access = ["-Dno.unions=true", "--enable-native-access=ALL-UNNAMED"]
    for program in ("Primitives", "Structures", "CallOptions", "Upcalls", "StubsAndUnloading"):
        sources = [TESTS / f"differential/foreign/{program}.java", TESTS / "differential/ForeignFunctions.java"]
        classes = compile_all(WORK / "classes", sources)
        expected = run(HOTSPOT, classes, *access, program)
        actual = run(OURS, classes, "-Djdk.internal.foreign.CABI=FALLBACK", *access, program, seconds=600)
        # the canonical layouts: only this machine's linker has int8_t and the like
        texts = [o.ended() + "\n" + re.sub(r"int\d+_t=\w+, ", "", (o.out + o.err).decode()) for o in (expected, actual)]
        if texts[0] != texts[1]:
            fail(f"fallback: {program}")
            harness.show_difference("output", *texts)
    classes = compile_all(WORK / "classes", [TESTS / "foreign/Aborts.java"])
    outcome = run(OURS, classes, "-Djdk.internal.foreign.CABI=FALLBACK", *access, "Aborts", "null")
    both("fallback: null for a pointer", outcome, (1,), "Exception",
         "Unrecoverable uncaught exception encountered. The VM will now exit",
         "LibFallback.doUpcall")


def again():
    """Stubs that a VM leaves behind keep nothing but their page; threads that came by them have gone."""
    classes = compile_all(WORK / "classes", [TESTS / "foreign/Cycle.java"])
    count = 5
    command = [BUILD / "tests/embed/cycles", BUILD / "libjvm.so", classes, count, IMAGE, "--", *harness.vm_options(),
               FUNCTIONS, "--enable-native-access=ALL-UNNAMED"]
    outcome = harness.run(command, WORK, 240 * harness.time_scale(), ours=True)
    rows = re.findall(r"cycle (\d+): threads (\d+) mappings (\d+) descriptors (\d+) dispositions (\d+)",
                      outcome.out.decode())
    settled = {tuple(row[i] for i in (1, 3, 4)) for row in rows[1:]}
    growth = (int(rows[-1][2]) - int(rows[1][2])) / (count - 1) if len(rows) == count + 1 else None
    if outcome.code != 0 or growth is None or len(settled) != 1 or growth > 2:
        fail(f"created again: {outcome.ended()} {rows}\n{outcome.out.decode()}{outcome.err.decode()}")


def jshell():
    """Its line editor asks the terminal by java.lang.foreign."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = {**harness.environment(True), "TERM": "xterm", "HOME": str(WORK)}
    log = WORK / "loaded.log"
    process = subprocess.Popen([OURS / "bin/jshell", *(f"-J{o}" for o in harness.vm_options()),
                                f"-J-Xlog:class+load:file={log}"], stdin=slave, stdout=slave, stderr=slave, env=env,
                               start_new_session=True)
    os.close(slave)
    seen, deadline = b"", time.monotonic() + 120 * harness.time_scale()

    def until(pattern):
        nonlocal seen
        while not re.search(pattern, seen) and time.monotonic() < deadline:
            if select.select([master], [], [], 1)[0]:
                try:
                    seen += os.read(master, 4096)
                except OSError:          # the other side is closed
                    break
        return re.search(pattern, seen) is not None

    ok = until(rb"jshell> ")
    os.write(master, b"6 * 7\r")
    ok = until(rb"==> 42") and ok
    os.write(master, b"/exit\r")
    ok = until(rb"Goodbye") and ok
    if not ok:
        os.killpg(process.pid, signal.SIGKILL)
    code = process.wait()
    loaded = log.read_text()
    if not ok or code != 0 or "terminal.impl.ffm" not in loaded or "NativeMethodHandle" not in loaded:
        fail(f"jshell: ended {code}, loaded ffm: {'terminal.impl.ffm' in loaded}\n{seen.decode(errors='replace')}")


WORK.mkdir(parents=True, exist_ok=True)
if LIBRARY == "17":
    incubator()
else:
    aborts()
    in_foreign()
    ending()
    fallback()
    if not os.environ.get("VITRINE_TEST_PRELOAD"):
        again()
        jshell()
sys.exit(failed)
