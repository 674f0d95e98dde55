"""The code cache: which modes have one; its size; what is seen at every instruction in it, by profilers and in crash
reports; what happens when it is full, when its classes go, and where the system refuses memory for code."""
import ctypes
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
SMALL = ["-XX:InitialCodeCacheSize=4k", "-XX:ReservedCodeCacheSize=400k"]
FULL = ["CodeCache is full. Compiler has been disabled.",
        "Try increasing the code cache size using -XX:ReservedCodeCacheSize="]
# Compiled$Many has 8 methods that are called and a constructor that is not: more than twice what a small cache holds.
LOADERS = 2000
failed = []


def check(good, what, *details):
    if not good:
        failed.append(what)
        print(f"FAILED {what}", *details, sep="\n")


def run(java, *arguments, preexec=None):
    """Lines of standard output, of standard error, exit code."""
    command = [str(a) for a in (*harness.java(java), "-Xmx256m", *arguments)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale(), preexec_fn=preexec)
    return process.stdout.splitlines(), process.stderr.splitlines(), process.returncode


def ours(*arguments, preexec=None):
    return run(OURS, *arguments[:-1], "-cp", CLASSES, "Compiled", *arguments[-1].split(), preexec=preexec)


def modes():
    for option, expected in ((None, "false"), ("-Xint", "false"), ("-Xmixed", "false"), ("-Xcomp", "true")):
        out, err, code = ours(*[option] if option else [], "maps")
        check((out, err, code) == ([f"two views: {expected}"], [], 0), f"mode {option}", out, err)


def sizes():
    """Sizes are understood and refused as HotSpot does it."""
    for value in ("0", "1", "4095", "4096", "100k", "2495K", "2496k", "2049m", "3g", "-1", "abc", "10x"):
        for options in (["-XX:ReservedCodeCacheSize=" + value], ["-Xmaxjitcodesize" + value],
                        ["-XX:InitialCodeCacheSize=4k", "-XX:ReservedCodeCacheSize=" + value]):
            results = [run(java, *options, "-cp", CLASSES, "Compiled", "nothing") for java in (HOTSPOT, OURS)]
            check(results[0] == results[1], f"{options}", *results)


def trace():
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=trace"
    out, err, code = ours("-Xcomp", agent, "trace")
    call, leaf = r"traced at \d+, 2 frames", r"at \d+, \d frames"
    expected = ["11", call, rf"add {leaf}", call, rf"virtual {leaf}", rf"add {leaf}", "compiled code: yes"]
    check(len(out) == len(expected) and all(map(re.fullmatch, expected, out)) and not err and code == 0, "trace", out,
          err)
    out, err, code = ours(agent, "trace")
    check(out == ["11", "compiled code: no"], "trace of interpreted code", out, err)


def crashes():
    """The first instruction in the cache is of the method that is called, the third of the stub behind it."""
    for number, frame in ((1, r"J  Compiled\.add\(II\)I @ 0x[0-9a-f]{16} \[0x[0-9a-f]{16}\+0x0\]"),
                          (3, r"v  ~enter @ 0x[0-9a-f]{16} \[0x[0-9a-f]{16}\+0x0\]")):
        for old in WORK.glob("hs_err*"):
            old.unlink()
        agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=crash={number}"
        out, err, code = ours("-Xcomp", "-XX:-CreateCoredumpOnCrash", agent, "trace")
        reports = list(WORK.glob("hs_err*"))
        text = reports[0].read_text(errors="replace") if reports else ""
        check(code == 1 and re.search("Problematic frame:\n# " + frame, "\n".join(out)), f"crash {number}", code,
              out, err)
        check(re.search(r"Native frames: .*\n" + frame + r"\nV  \[libjvm.so", text) and
              "j  Compiled.traced()I+" in text, f"report {number}", text[:6000])


def full():
    plain = ours(f"kept {LOADERS}")
    out, err, code = ours("-Xcomp", *SMALL, f"kept {LOADERS}")
    check(out[-1:] == plain[0] and code == 0, "full: what the program prints", out, plain)
    check([line.partition("warning: ")[2] for line in err] == FULL, "full: the warning", err)
    numbers = re.search(r"CodeCache: size=400Kb used=(\d+)Kb max_used=(\d+)Kb free=\d+Kb\n bounds .*\n"
                        r" total_blobs=(\d+), nmethods=(\d+), adapters=0, full_count=1\n"
                        r"Compilation: disabled", "\n".join(out))
    check(numbers and int(numbers[1]) == int(numbers[2]) > 390 and int(numbers[3]) > 6000
          and int(numbers[3]) == int(numbers[4]) + 2, "full: the figures", out)


def unloading():
    """Code of classes that are unloaded makes room for others'."""
    plain = ours(f"unloaded {LOADERS}")
    out, err, code = ours("-Xcomp", "-XX:CollectEvery=20000", *SMALL, f"unloaded {LOADERS}")
    check((out, err, code) == (plain[0], [], 0), "unloading", out, err)


def redefined():
    """A method is not entered by the code of a version that is gone, whose place others' code has."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=retransform"
    out, err, code = ours("-Xcomp", agent, "redefined")
    check((out, err, code) == (["4", "5650 100", "4"], [], 0), "redefined", out, err)


def refuse(views, code):
    """A filter of system calls (seccomp) under which memfd_create fails, or mprotect and shared mappings that would
    make something executable. Private mappings of files go on: libraries are loaded by them."""
    load, equal, all_set, answer, no, yes = 0x20, 0x15, 0x45, 0x06, 0x00050001, 0x7fff0000
    calls = {"memfd_create": 319, "mmap": 9, "mprotect": 10}
    program = [(load, 0, 0, 0),
               (equal, 8, 0, calls["memfd_create"]), (equal, 0, 2, calls["mmap"]),
               (load, 0, 0, 16 + 8 * 3), (all_set, 1, 5, 1),
               (equal, 0, 4, calls["mprotect"]),
               (load, 0, 0, 16 + 8 * 2), (all_set, 0, 2, 4), (answer, 0, 0, no if code else yes),
               (answer, 0, 0, no if views else yes), (answer, 0, 0, yes)]
    code = b"".join(struct.pack("HBBI", *row) for row in program)

    def apply():
        libc = ctypes.CDLL(None, use_errno=True)
        rows = ctypes.create_string_buffer(code)
        filter_program = struct.pack("HxxxxxxP", len(program), ctypes.addressof(rows))
        if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, filter_program) != 0:
            raise OSError("no filter")
    return apply


def refused():
    said = "The system allows no memory for compiled code: everything is interpreted"
    for views, code, expected in ((True, False, False), (False, True, True), (True, True, True)):
        out, err, status = ours("-Xcomp", "-XX:CollectEvery=20000", "unloaded 20", preexec=refuse(views, code))
        found = [line.endswith(said) for line in out[:-1]]
        check(found == [True] * expected and out[-1] == "330 0" and not err and status == 0,
              f"refused: views {views}, code {code}", out, err)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([HOTSPOT / "bin/javac", "-nowarn", "-d", CLASSES, TESTS / "jvmti/Compiled.java"], check=True)
    for part in (modes, sizes, trace, crashes, full, unloading, redefined, refused):
        part()
    sys.exit(1 if failed else 0)


main()
