"""A VM is created, used and destroyed again and again in one process (tests/embed/cycles.c), and leaves nothing behind:
threads, mappings, descriptors, dispositions and resident memory are counted from /proc after each cycle.

The release build makes 100 cycles on this JDK and 10 that alternate between the JDKs; the slow modes make 10 and 4."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] if k == "LIBRARY" else Path(os.environ[k])
                                               for k in ("LIBRARY", "HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
SLOW = harness.time_scale() > 1
SANITIZED = bool(os.environ.get("VITRINE_TEST_PRELOAD"))
# The C library's own caches off: thread stacks it keeps for new threads, and one heap of malloc per thread that was
# ever busy.
STEADY = {"GLIBC_TUNABLES": "glibc.pthread.stack_cache_size=0", "MALLOC_ARENA_MAX": "1"}
# docs/embedding.md, "What stays": JDK 17's libnet keeps a table of 196,616 bytes whenever it is loaded, in a mapping of
# its own: 49 pages.
LIBNET_17_KIB = 49 * 4
LINE = re.compile(r"cycle (\d+): threads (\d+) mappings (\d+) descriptors (\d+) dispositions (\d+) resident (\d+) "
                  r"code (\d+)")
CODE = re.compile(r"cycle \d+: compiled (\d+), of the program (\d+), code caches (\d+)")


def run(count, homes, *options, **environment):
    """The counts after each cycle (index 0 is before the first), and the whole output."""
    command = [BUILD / "tests/embed/cycles", BUILD / "libjvm.so", WORK, count, *homes, "--", *harness.vm_options(),
               *options]
    outcome = harness.run([str(c) for c in command], WORK, (120 + 12 * count) * harness.time_scale(), ours=True,
                          extra_env={**STEADY, **environment})
    text = outcome.out.decode(errors="replace")
    counts = [tuple(map(int, m.groups())) for m in LINE.finditer(text)]
    if outcome.code != 0 or outcome.timed_out or len(counts) != count + 1:
        sys.exit(f"{count} cycles: {outcome.ended()}\n{text}{outcome.err.decode(errors='replace')}")
    return counts, text


def cycles(count, homes, *options, **environment):
    counts, text = run(count, homes, *options, **environment)
    if "no attach listener" in text:
        sys.exit(text)
    found = [tuple(map(int, m.groups())) for m in CODE.finditer(text)]
    least = (0, 0, 0) if "-Xint" in harness.vm_options() else (100, 1, 1)
    if len(found) != count or any(n < m for row in found for n, m in zip(row, least)):
        sys.exit(f"each VM has compiled code: {found}")
    return counts


def libraries():
    """The program's library is started and ended with each VM, its memory is fresh; while a thread cannot leave it, it
    stays."""
    library = f"-Dlibrary={BUILD}/tests/agents/libunloading.so"
    said = [line for line in run(3, [IMAGE], library)[1].splitlines() if line.startswith("JNI_")]
    if said != ["JNI_OnLoad 1", "JNI_OnUnload 0, collected 1"] * 3:
        sys.exit(f"a library of the program should be loaded and unloaded with each VM: {said}")
    shown = rows.Shown("create_again")
    shown.add(said)
    if list(shown.missing()):
        sys.exit("\n".join(shown.missing()))
    counts, text = run(3, [IMAGE], library, "-Dblock=true")
    said = [line for line in text.splitlines() if line.startswith("JNI_")]
    if said != [f"JNI_OnLoad {i}" for i in (1, 2, 3)] or [row[1] for row in counts[1:]] != [2, 3, 4]:
        sys.exit(f"a library stays while a thread is in it, and the VM goes: {text}")
    print("libraries: unloaded with the VM, unless a thread is in them")


def check(what, counts, with_17):
    """Threads, mappings and descriptors stay as after the first cycle; dispositions as before any."""
    for name, column in (("threads", 1), ("mappings", 2), ("descriptors", 3), ("dispositions", 4), ("code", 6)):
        if SANITIZED and name == "mappings":
            continue                     # the sanitizer's own
        seen = [row[column] for row in counts[1:]]
        expected = {"threads": 1, "dispositions": 0, "code": 0}.get(name, seen[0])
        # The kernel joins neighbouring mappings: malloc's heap may be one or two, whatever the VM does.
        allowed = 2 if name == "mappings" else 0
        tables = 1 if with_17 and name == "mappings" else 0
        if any(not expected - allowed <= n <= expected + allowed + tables * i for i, n in enumerate(seen)):
            sys.exit(f"{what}: {name} should stay {expected}: {seen}")
    print(f"{what}: threads, mappings, descriptors, dispositions after each cycle: {counts[-1][1:5]}; resident KiB "
          f"{counts[1][5]} .. {counts[-1][5]}")


WORK.mkdir(parents=True, exist_ok=True)
subprocess.run([*harness.javac(HOTSPOT), "--release", "17", "-d", WORK, TESTS / "jni/Cycle.java"], check=True)
counts = cycles(10 if SLOW else 100, [IMAGE])
check(f"JDK {LIBRARY}", counts, LIBRARY == "17")
if not SLOW:
    after_10, after_100 = counts[10][5], counts[100][5]
    print(f"resident after cycle 10: {after_10} KiB, after cycle 100: {after_100} KiB "
          f"({100 * (after_100 - after_10) / after_10:+.1f} %)")
    if after_100 > 1.02 * after_10 + (90 * LIBNET_17_KIB if LIBRARY == "17" else 0):
        sys.exit("resident memory grows by more than 2 %")
# what one VM has set the next has not
cycles(2, [IMAGE], "-Dsettings=true")
cycles(2, [IMAGE], "-Dinterval=true", f"-Dlibrary={BUILD}/tests/agents/libinterval.so")
check("sockets", cycles(4, [IMAGE], "-Dsockets=true"), LIBRARY == "17")
check("a tool's request", cycles(4, [IMAGE], "-XX:+StartAttachListener", CYCLES_TOOL="1"), LIBRARY == "17")
check("alternating", cycles(4 if SLOW else 10, [IMAGE.parent / "image-17", IMAGE.parent / "image-25"]), True)
libraries()
