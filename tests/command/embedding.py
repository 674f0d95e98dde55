"""Embedding: the corners of the Invocation API answer as HotSpot's; native threads come and go while collections run,
and load fields while the VM ends (held there by ptrace, where it is allowed) or while a field comes under watch; a
creation that fails is explained and can be retried; hosts of all kinds; the example builds by CMake and by pkg-config
and needs no environment."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import harness
import rows

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
NATIVE = ["--enable-native-access=ALL-UNNAMED"] if os.environ["LIBRARY"] != "17" else []
SANITIZED = bool(os.environ.get("VITRINE_TEST_PRELOAD"))
HOME = f"-Djava.home={IMAGE}"
LIBJVM = BUILD / "libjvm.so"
failures = 0
shown = rows.Shown("embedding")

AGAIN = """IA-001 exported: 1 1 1
IA-018 an unknown option: -6
IA-021 it was explained: 1
IA-019 no such heap: -1
IA-021 it was explained: 1
IA-024 no such agent: -1
IA-021 it was explained: 1
IA-009 IA-010 none: 0
""" + """IA-018 IA-023 created: 0
IA-022 IA-030 a second one: -5
IA-025 IA-027 destroyed: 0
IA-041 IA-054 after the end: GetEnv -2 1, attach -1, detach 0, destroy -1
IA-009 count: 0
""" * 3

HOSTS = """create: 0
visits: {visits}, failures: 0, visitors left: 0
small stack: 1
alternate stack: 1
host's fault: 1
after it: 1
destroy: 0
host's handler stays: 1
"""

ENDS = """create: 0
IA-035 own destructor: attached 0, detach 0
IA-037 detached by the program's destructor: alive 0, monitor 0 0
IA-037 returns attached: alive 0, monitor 0 0
IA-037 pthread_exit: alive 0, monitor 0 0
IA-037 cancelled: alive 0, monitor 0 0
IA-037 pthread_exit beneath Java: alive 0, monitor 0 0
IA-037 pthread_exit beneath a class being loaded: alive 0, monitor 0 0
IA-037 pthread_exit beneath Java, arguments on the stack: alive 0, monitor 0 0
IA-037 cancelled beneath Java: alive 0, monitor 0 0
IA-037 pthread_exit of a Java thread: alive 0, monitor 0 0
destroy: 0
""" * 3

LOADS = """destroy: 0
loads went on: 0, wrong: 0
"""

WATCHED = """before: 0, watch: 0
seen in both threads, no more: 0
seen afterwards: 0
destroy: 0
"""

HELD = """held before each instruction
"""

HANDLED = """create: 0
destroy: 0
SIGPROF: {after}
the handler has returned
"""

RAW_MONITORS = """create: 0
raw monitors: 0
destroy: 0
""" * 3


def run(program, *arguments, ours=True, limit=None, seconds=300):
    """Output of an embedder, with how it ended."""
    command = [str(BUILD / "tests/embed" / program), *map(str, arguments)]
    if limit:
        command = ["prlimit", f"--as={limit}", *command]
    # Under a limit without malloc's habit of reserving 64 MiB for every busy thread.
    outcome = harness.run(command, WORK, seconds * harness.time_scale(), ours=ours,
                          extra_env={"MALLOC_ARENA_MAX": "1"} if limit else None)
    return outcome.out.decode(errors="replace") + ("" if outcome.code == 0 and not outcome.timed_out
                                                   else outcome.ended() + "\n"
                                                    + outcome.err.decode(errors="replace"))


def compare(what, expected, actual):
    global failures
    shown.add(expected.splitlines())
    if expected == actual:
        print(f"{what}: as it should be")
        return
    failures += 1
    print(f"--- {what}: expected\n{expected}--- but\n{actual}")


def example(what, build, program):
    directory = WORK / what
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(TESTS.parent / "examples/embed", directory)
    built = subprocess.run(build, cwd=directory, capture_output=True, text=True, check=False)
    ran = subprocess.run([directory / program, IMAGE], cwd=directory, env={}, capture_output=True, text=True,
                         timeout=120, check=False)
    version = next(line.split('"')[1] for line in (IMAGE / "release").read_text().splitlines()
                   if line.startswith("JAVA_VERSION="))
    compare(f"example by {what}", f"Java {version}\n" * 2,
            ran.stdout if built.returncode == 0 else built.stdout + built.stderr)


WORK.mkdir(parents=True, exist_ok=True)
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "jni/Attached.java", TESTS / "jni/Exits.java",
                TESTS / "jni/Loads.java"], check=True)
if not SANITIZED:                        # HotSpot does not run in a sanitized process
    compare("corners", run("corners", HOTSPOT / "lib/server/libjvm.so", "-Dno.home=1", ours=False),
            run("corners", LIBJVM, HOME))
    for what in ("exit", "halt", "abort", "option"):
        compare(f"hooks: {what}", run("hooks", HOTSPOT / "lib/server/libjvm.so", what, ours=False),
                run("hooks", LIBJVM, what, HOME))
    for what in ("own", "raw"):
        compare(f"one VM, {what}", run("exits", HOTSPOT / "lib/server/libjvm.so", WORK, 1, what, *NATIVE, ours=False),
                run("exits", LIBJVM, WORK, 1, what, HOME, *NATIVE))
    for what in ("end", "watch"):
        compare(f"one VM, loads, {what}", run("loads", HOTSPOT / "lib/server/libjvm.so", WORK, 1, what, *NATIVE,
                                              ours=False),
                run("loads", LIBJVM, WORK, 1, what, HOME, *NATIVE))
    agent = f"-agentpath:{harness.agent_library(BUILD, 'handles_signal', False)}"
    compare("one VM, an agent's handler runs on", HANDLED.format(after="ignored"),
            run("handled", HOTSPOT / "lib/server/libjvm.so", 1, agent, ours=False))
# HotSpot leaves an agent's handler to the host that outlives it; ours puts back what was there before the VM.
agent = f"-agentpath:{harness.agent_library(BUILD, 'handles_signal', True)}"
for option, after in ("", "ignored"), ("=keeps", "default"):
    compare(f"an agent's handler runs on{option}", HANDLED.format(after=after) * 3,
            run("handled", LIBJVM, 3, agent + option, HOME, *harness.vm_options()))
# HotSpot counts a thread that ends without being detached as alive for ever: its DestroyJavaVM does not return.
compare("threads end attached", ENDS, run("exits", LIBJVM, WORK, 3, "all", HOME, *NATIVE, *harness.vm_options()))
compare("daemons in raw monitors", RAW_MONITORS,
        run("exits", LIBJVM, WORK, 3, "raw", HOME, *NATIVE, *harness.vm_options()))
compare("loads of fields when the VM ends", LOADS * 10,
        run("loads", LIBJVM, WORK, 10, "end", HOME, *NATIVE, *harness.vm_options()))
compare("loads of a field that is watched", WATCHED * 3,
        run("loads", LIBJVM, WORK, 3, "watch", HOME, *NATIVE, *harness.vm_options()))
# Without the mode's options: a stop in between would wait for the thread that is held in the VM. Other builds have more
# instructions.
held = run("loads", LIBJVM, WORK, 500, "held", HOME, *NATIVE)
if "threads cannot be traced here" in held: print("ptrace is forbidden here: no load is held when the VM ends")
else: compare("a load held when the VM ends", HELD, held)
compare("create, fail, retry", AGAIN, run("corners", LIBJVM, HOME, "again"))
visits = 10_000 if harness.time_scale() == 1 else 200
compare(f"4 x {visits} attachments", HOSTS.format(visits=4 * visits),
        run("attach", LIBJVM, WORK, visits, HOME, *harness.vm_options(), seconds=1200))
compare("no signal handlers", HOSTS.format(visits=40),
        run("attach", LIBJVM, WORK, 10, HOME, "-XX:-InstallSignalHandlers", *harness.vm_options()))
if not SANITIZED:                        # a sanitizer's shadow alone is larger
    compare("768 MiB of address space", HOSTS.format(visits=40),
            run("attach", LIBJVM, WORK, 10, HOME, "-Xmx32m", *harness.vm_options(), limit=768 << 20))
    example("cmake", ["sh", "-c", f"cmake -S . -B build -Dvitrine_DIR={BUILD}/cmake && cmake --build build"],
            "build/embed")
    if shutil.which("pkg-config"):
        example("pkg-config", ["make", f"PKG_CONFIG_PATH={BUILD}/pkgconfig"], "embed")
    for row in shown.missing():
        failures += 1
        print(row)
sys.exit(failures != 0)
