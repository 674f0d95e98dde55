"""-XX:+PrintCompilation and -Xlog:jit+compilation: HotSpot's columns; what is not compiled, and why; what is not
entered any more."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
IS_17 = os.environ["LIBRARY"] == "17"
LINE = re.compile(r"(\d+) ( *\d+) ([% ][s ][! ][b ][n ]) (\d)       (\S+)(.*)")


def run(java, *arguments):
    command = [str(a) for a in (*harness.java(java), *arguments)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale())
    check(process.returncode == 0, f"{arguments}", process.stdout[-3000:], process.stderr)
    return process.stdout.splitlines()


def listed(lines, prefix="Listed::"):
    """{method: (columns but for time, id and the mark of who compiles, rest)}"""
    found = {}
    for line in lines:
        match = LINE.fullmatch(line)
        if match and match[5].startswith(prefix) and match[3][0] != "%":
            found[match[5]] = (len(match[2]), match[3].replace("b", " "), match[4], match[6])
    return found


def columns():
    options = ["-Xbatch", "-XX:TieredStopAtLevel=1", "-XX:+PrintCompilation", "-cp", CLASSES, "Listed"]
    theirs, ours = (run(java, *options) for java in (HOTSPOT, OURS))
    expected, found = listed(theirs), listed(ours)
    check(len(expected) == 5 and found == expected, "columns", expected, found)
    lines = [match for match in map(LINE.fullmatch, ours) if match]
    ids = [int(match[2]) for match in lines]
    check(len(lines) == len(ours) - 1 and ids == list(range(1, len(ids) + 1)), "all lines have them", ours)
    check(all(match[3][3] == "b" for match in lines), "who compiles", ours)
    times = [int(match[1]) for match in lines]
    check(times == sorted(times) and times[-1] > 0, "times", times)
    compiled = run(OURS, "-Xcomp", "-XX:+PrintCompilation", "-cp", CLASSES, "Listed")
    check("Listed::main" in listed(compiled) and len(compiled) > len(ours), "-Xcomp", compiled[-20:])
    check(run(OURS, "-Xint", "-XX:+PrintCompilation", "-cp", CLASSES, "Listed") == ["3637300"], "-Xint")


def log():
    """The same lines but for the time, at the same level as HotSpot's."""
    for level in ("info", "debug"):
        options = ["-Xbatch", "-XX:TieredStopAtLevel=1", f"-Xlog:jit+compilation={level}:stdout:level,tags", "-cp",
                   CLASSES, "Listed"]
        expected, found = (listed(re.sub(r"^\[(info|debug) *\]\[jit,compilation\]", "0", line)
                                  for line in run(java, *options)) for java in (HOTSPOT, OURS))
        check(found == expected and bool(found) == (level == "debug" or not IS_17), f"log {level}", expected, found)


def one_method():
    """-XX:CompileCommand=PrintCompilation, which 25 has."""
    if IS_17:
        return
    lines = run(OURS, "-Xcomp", "-XX:CompileCommand=quiet", "-XX:CompileCommand=PrintCompilation,Listed.plain", "-cp",
                CLASSES, "Listed")
    check(len(lines) == 2 and list(listed(lines)) == ["Listed::plain"], "one method", lines)


def skipped():
    """What the compiler does not take is listed with the reason, and the log names it."""
    lines = run(OURS, "-Xcomp", "-XX:+PrintCompilation", "-Xlog:jit=debug", "-cp", f"{CLASSES}:{WORK}", "Old")
    check(any(re.search(r"Old::main \(\d+ bytes\)   COMPILE SKIPPED: it has subroutines", line)
              for line in lines), "skipped", lines[-20:])
    check(any("Old.main([Ljava/lang/String;)V is interpreted: it has subroutines" in line for line in lines),
          "skipped in the log", lines[-20:])


def not_entrant():
    """A redefined method's code is given up, and it is compiled anew; the reason is printed by the library of 25."""
    agent = f"-agentpath:{harness.agent_library(BUILD, 'compiled', True)}=retransform"
    lines = run(OURS, "-Xcomp", "-XX:+PrintCompilation", agent, "-cp", CLASSES, "Compiled", "redefined")
    retired = [match for match in map(LINE.fullmatch, lines)
               if match and "made not entrant" in match[6] and not match[6].endswith("not used")]
    check(retired and all(match[6].endswith("   made not entrant" +
                                            ("" if IS_17 else ": marked for deoptimization")) and match[3][3] == " "
                          for match in retired), "not entrant", lines[-20:])
    made = {match[2]: match[5] for match in map(LINE.fullmatch, lines) if match and match[3][3] == "b"}
    check(all(made.get(match[2]) == match[5] for match in retired), "by the id that made it", retired)
    check(list(made.values()).count("Compiled::add") == 2, "and made anew", [m for m in made.values() if "::add" in m])


def assembly():
    """A method's machine code, where libcapstone is: the loader is given one that there is, or none."""
    empty = harness.fresh_directory(WORK / "empty")
    for name in ("libcapstone.so", "libcapstone.so.3", "libcapstone.so.4", "libcapstone.so.5"):
        (empty / name).write_bytes(b"no library")
    options = ["-XX:TieredStopAtLevel=1", "-XX:CompileCommand=quiet", "-XX:CompileCommand=print,Listed.l*", "-cp",
               CLASSES, "Listed"]
    environment = {**harness.environment(True), "LD_LIBRARY_PATH": str(empty)}
    process = subprocess.run([str(a) for a in (*harness.java(OURS), *options)], cwd=WORK, env=environment,
                             capture_output=True, text=True, timeout=300 * harness.time_scale())
    lines = process.stdout.splitlines()
    check(len(lines) == 2 and lines[0].endswith("there is no libcapstone that can be used") and not process.stderr,
          "no libcapstone", *lines)
    every_method(options[:1], options[-3:])
    lines = run(OURS, *options)
    if "libcapstone" in lines[0]:
        return                           # none is installed
    text = "\n".join(lines)
    methods = re.findall(r"^Compiled method \(baseline\) \d+       1       Listed::(\w+) \(", text, re.M)
    check(sorted(methods) == ["locked", "looping"], "what is printed", methods)
    for name, places in (("looping", {6, 13, 15, 18, 22}), ("locked", {2, 3})):
        code = re.search(rf"# {{method}} '{name}' '\(I\)I' in 'Listed'\n((?:  .*\n)+)--------", text)
        found = {int(bci) for bci in re.findall(rf"^ +; - Listed::{name}@(\d+) \(line \d+\)$", code[1], re.M)}
        check(places <= found, f"places in {name}", found)
        begin, end, size = re.search(rf"main code +\[(\w+),(\w+)\] = (\d+)\n  # {{method}} '{name}'", text).groups()
        at = [int(a, 16) for a in re.findall(r"^  (0x\w{16}): [a-z]", code[1], re.M)]
        check(at == sorted(set(at)) and at[0] == int(begin, 16) and int(end, 16) - 16 <= at[-1] < int(end, 16) ==
              at[0] + int(size), f"addresses in {name}", begin, end, at[:2], at[-2:])
        check({"ret", "mov", "cmp"} <= set(re.findall(r"^  0x\w{16}: (\w+)", code[1], re.M)), f"code of {name}")


def every_method(level, program):
    """-XX:+PrintAssembly prints all that is compiled, by the ids of the list."""
    lines = run(OURS, "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintAssembly", "-XX:+PrintCompilation", *level, *program)
    if any("no libcapstone" in line for line in lines):
        return
    made = [(int(match[2]), match[5]) for match in map(LINE.fullmatch, lines) if match]
    headings = re.compile(r"^Compiled method \(baseline\) (\d+) .* (\S+::\S+) \(\d+ bytes\)", re.M)
    printed = [(int(id_), method) for id_, method in headings.findall("\n".join(lines))]
    check(len(made) > 20 and printed == made and {"Listed::plain", "Listed::member"} <= {m for _, m in printed},
          "every method", set(made) ^ set(printed))


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", CLASSES, TESTS / "jvmti/Listed.java",
                    TESTS / "jvmti/Compiled.java"], check=True)
    # a class file of version 49 has no stack maps
    old = WORK / "Old.java"
    old.write_text("public class Old { public static void main(String[] a) { System.out.println(1); } }\n")
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", WORK, old], check=True)
    bytes_of_old = bytearray((WORK / "Old.class").read_bytes())
    bytes_of_old[6:8] = (49).to_bytes(2, "big")
    code = re.search(rb"\xb2..\x04\xb6..\xb1", bytes_of_old, re.DOTALL).start()
    bytes_of_old[code:code + 5] = b"\xa8\x00\x03\x57\xb1"          # jsr to what follows: pop, return
    bytes_of_old[code + 5:code + 7] = b"\x00\x00"
    (WORK / "Old.class").write_bytes(bytes_of_old)
    for part in (columns, log, one_method, skipped, not_entrant, assembly):
        part()
    sys.exit(1 if failed else 0)


main()
