"""What tools see of compiled code: jcmd's Compiler commands and perf's map in HotSpot's layouts; what java.vm.info and
the CompilationMXBean say of it in each mode."""
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
IS_17 = os.environ["LIBRARY"] == "17"
COMPILED = ["-Xbatch", "-XX:TieredStopAtLevel=1"]
LIMIT = 300 * harness.time_scale()
KINDS = ("plain", "locked", "catching", "looping", "member")


class Running:
    """A program that waits for its standard input to end."""

    def __init__(self, java, *options):
        self.process = subprocess.Popen([str(a) for a in (*harness.java(java), *options, "-cp", CLASSES, "Listed",
                                                          "waits")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, cwd=WORK, env=harness.environment(java == OURS))
        self.pid = self.process.pid
        check(self.process.stdout.readline() == "3637300\n", f"{options} runs")

    def jcmd(self, *line):
        command = [HOTSPOT / "bin/jcmd", "-J" + harness.ATTACH_PATIENCE, str(self.pid), *(str(a) for a in line)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=2 * LIMIT)
        return re.sub(rf"\A{self.pid}:\n", "", process.stdout)

    def end(self):
        _, err = self.process.communicate(timeout=LIMIT)
        check(self.process.returncode == 0, "it ends", err)
        return err


def code_list(text):
    """{method: (level, state)} of Listed's; each line is checked."""
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"(\d+) (\d) (\d) (\S+) \[(0x\w{16}), (0x\w{16}) - (0x\w{16})\]", line)
        check(match and int(match[5], 16) < int(match[6], 16) < int(match[7], 16) and int(match[1]) > 0,
              "a line of the list", line)
        if match and match[4].startswith("Listed."):
            found[match[4]] = (match[2], match[3])
    return found


def shape(text):
    """Numbers do not count."""
    return re.sub(r"0x\w+|\d+", "N", text)


def places(path):
    """{name: (begin, size)}"""
    rows = [re.fullmatch(r"0x(\w{16}) 0x(\w{16}) (.+)", line) for line in Path(path).read_text().splitlines()]
    check(rows and all(rows), "lines of the map", path)
    return {row[3]: (int(row[1], 16), int(row[2], 16)) for row in rows if row}


def commands():
    log = WORK / "jit.log"
    theirs, ours = Running(HOTSPOT, *COMPILED), Running(OURS, *COMPILED, f"-Xlog:jit=debug:file={log}")
    lists = [code_list(vm.jcmd("Compiler.codelist")) for vm in (theirs, ours)]
    check(lists[0] == lists[1] and len(lists[0]) == len(KINDS), "Compiler.codelist", *lists)
    texts = [vm.jcmd("Compiler.codecache") for vm in (theirs, ours)]
    check(shape(texts[0]) == shape(texts[1]), "Compiler.codecache", *texts)
    size, used, most, free = (int(n) for n in re.search(r"size=(\d+)Kb used=(\d+)Kb max_used=(\d+)Kb free=(\d+)Kb",
                                                        texts[1]).groups())
    begin, end = (int(n, 16) for n in re.search(r"\[(\w+), \w+, (\w+)\]", texts[1]).groups())
    blobs, methods = (int(n) for n in re.search(r"total_blobs=(\d+),? nmethods=(\d+)", texts[1]).groups())
    check(size == 48 * 1024 == (end - begin) // 1024 and 0 < used <= most and size - 1 <= used + free <= size + 1
          and blobs > methods >= len(KINDS), "figures", texts[1])
    queues = [vm.jcmd("Compiler.queue") for vm in (theirs, ours)]
    check(queues[0].replace("C1", "Baseline") == queues[1], "Compiler.queue", *queues)
    for line in (["help", "Compiler.codelist"], ["help", "Compiler.codecache"], ["help", "Compiler.queue"],
                 ["help", "Compiler.perfmap"], ["Compiler.codelist", "x"], ["Compiler.perfmap", "a", "b"]):
        answers = [vm.jcmd(*line) for vm in (theirs, ours)]
        check(answers[0] == answers[1], line, *answers)
    for line in ("Compiler.codecache", "Compiler.codelist", "Compiler.perfmap", "Compiler.queue"):
        check(f"\n{line}\n" in ours.jcmd("help"), f"{line} is listed")
    perf_map(theirs, ours, log)
    said = [re.sub(r"(?m)^.* VM warning", "VM warning", vm.end()) for vm in (theirs, ours)]
    check(said[0] == said[1], "what is said", *said)


def perf_map(theirs, ours, log):
    maps = []
    for vm in (theirs, ours):
        path = Path(f"/tmp/perf-{vm.pid}.map")
        path.unlink(missing_ok=True)
        answer = vm.jcmd("Compiler.perfmap")
        check(answer == "Command executed successfully\n" and path.exists(), "Compiler.perfmap", answer)
        maps.append(places(path))
        path.unlink()
    names = [{name for name in m if "Listed" in name} for m in maps]
    check(names[0] == names[1] and len(names[0]) == len(KINDS), "names in the map", *names)
    stubs = {name for name in maps[1] if name.startswith("StubRoutines (")}
    check({"StubRoutines (enter)", "StubRoutines (leave)"} <= stubs, "stubs in the map", stubs)
    listed = {line.split()[3]: line for line in ours.jcmd("Compiler.codelist").splitlines()}
    begin, size = maps[1]["int Listed.plain(int)"]
    check(f", 0x{begin:016x} - 0x{begin + size:016x}]" in listed["Listed.plain(I)I"], "the same place", listed)
    machine_code = re.search(r"Listed\.plain\(I\)I: 4 bytes of bytecode, (\d+) of machine code", log.read_text())
    check(machine_code and int(machine_code[1]) == size, "the size of the code", size)
    rows = sorted(maps[1].values())
    check(all(a + n <= b for (a, n), (b, _) in zip(rows, rows[1:])), "rows do not overlap")
    if not IS_17:
        file = WORK / "perf.map"
        check(ours.jcmd("Compiler.perfmap", file) == "Command executed successfully\n" and places(file) == maps[1],
              "a map by name")
        answers = [vm.jcmd("Compiler.perfmap", "/nonexistent/x") for vm in (theirs, ours)]
        check(answers[0] == answers[1] and "Failed to create" in answers[1], "a map that cannot be made", *answers)


def at_exit():
    for java in (HOTSPOT, OURS):
        vm = Running(java, *COMPILED, "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit")
        path = Path(f"/tmp/perf-{vm.pid}.map")
        path.unlink(missing_ok=True)
        vm.end()
        found = {name for name in places(path) if "Listed" in name}
        check("int Listed.plain(int)" in found and len(found) == len(KINDS), "DumpPerfMapAtExit", found)
        path.unlink()


def records(file):
    """(kind, content) of each record of a jitdump."""
    content = file.read_bytes()
    magic, version, size, machine, _, pid, _, flags = struct.unpack_from("=IIIIIIQQ", content)
    check((magic, version, size, machine, flags) == (0x4a695444, 1, 40, 62, 0) and file.name == f"jit-{pid}.dump",
          "header of the dump", file)
    found, at, before = [], size, 0
    while at < len(content):
        kind, length, time = struct.unpack_from("=IIQ", content, at)
        check(length >= 16 and time >= before, "a record", kind, length, time, before)
        found.append((kind, content[at + 16:at + length]))
        at, before = at + max(length, 16), time
    return found


def perf_dump():
    """Names, code and lines of what is compiled, in the order in which it was."""
    for old in WORK.glob("jit-*.dump"):
        old.unlink()
    vm = Running(OURS, *COMPILED, "-XX:+DumpPerfJit")
    listed = {line.split()[3]: line for line in vm.jcmd("Compiler.codelist").splitlines()}
    compiled = len(listed)
    vm.end()
    found = records(WORK / f"jit-{vm.pid}.dump")
    check(found[-1] == (3, b"") and {kind for kind, _ in found} == {0, 2, 3, 4}, "kinds of records", len(found))
    # How callers are found stands before each piece of code: perf takes that for the next that comes.
    callers = [content for (kind, content), (following, _) in zip(found, found[1:]) if (kind, following) == (4, 0)]
    check(len(callers) == sum(1 for kind, _ in found if kind in (0, 4)) / 2 and
          all(struct.unpack_from("=QQQ", c) == (len(c) - 24, 20, len(c) - 24) for c in callers), "callers",
          len(callers))
    codes, lines = {}, {}
    for kind, content in found:
        if kind == 0:
            _, _, address, begin, size, index = struct.unpack_from("=IIQQQQ", content)
            name, code = content[40:].split(b"\0", 1)
            check(address == begin and len(code) == size and index == len(codes), "code", name, size, len(code))
            codes[begin] = name.decode(), code
        elif kind == 2:
            begin, count = struct.unpack_from("=QQ", content)
            rows, rest = [], content[16:]
            for _ in range(count):
                address, line, _ = struct.unpack_from("=QII", rest)
                file, rest = rest[16:].split(b"\0", 1)
                rows.append((address - begin, line, file.decode()))
            lines[begin] = rows
    begin = int(listed["Listed.looping(I)I"].split("[")[1].split()[1].rstrip(","), 16)
    name, code = codes[begin]
    end = int(listed["Listed.looping(I)I"].split()[-1].rstrip("]"), 16)
    check(name == "int Listed.looping(int)" and len(code) == end - begin, "a method's code", name, len(code))
    source = (TESTS / "jvmti/Listed.java").read_text().splitlines()
    own = {n for n, text in enumerate(source, 1) if "int sum = 0;" in text or "i & 3" in text or "return sum;" in text}
    check({line for _, line, _ in lines[begin]} == own - {max(n for n in own if "= 0" in source[n - 1])},
          "its lines", lines[begin], own)
    check(lines[begin][0][0] == 0 and lines[begin][-1][0] == len(code), "from begin to end", lines[begin])
    check({file for _, _, file in lines[begin]} == {"Listed.java"} and
          any(file == "java/lang/Integer.java" for rows in lines.values() for _, _, file in rows), "files")
    check(len(codes) > compiled and {"enter", "leave"} <= {name for name, _ in codes.values()}, "stubs")


def nothing_compiled():
    vm = Running(OURS, "-Xint")
    check(vm.jcmd("Compiler.codelist") in ("", "Command executed successfully\n"), "-Xint: codelist")
    check(vm.jcmd("Compiler.queue") == "Current compiles: \n\n", "-Xint: queue")
    check("disabled (interpreter mode)" in vm.jcmd("Compiler.codecache"), "-Xint: codecache")
    vm.end()


def modes():
    """(java.vm.info without what belongs to HotSpot, is there a bean, does it measure, has it measured anything)"""
    for options, info in ((["-Xint"], "interpreted mode"), (["-Xcomp"], "compiled mode"),
                          (["-XX:TieredStopAtLevel=1"], "mixed mode"), (["-XX:TieredStopAtLevel=3"], "mixed mode"),
                          (["-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0"], "interpreted mode"),
                          ([], None)):
        answers = []
        for java in (HOTSPOT, OURS):
            process = subprocess.run([str(a) for a in (*harness.java(java), "-Xshare:off", *options, "-cp", CLASSES,
                                                       "CompilationTime")],
                                     capture_output=True, text=True, timeout=LIMIT,
                                     env=harness.environment(java == OURS))
            answers.append(process.stdout.replace(", emulated-client", "").replace("HotSpot 64-Bit", "Vitrine 64-Bit"))
        if info is None and answers[1].startswith("interpreted mode"):     # what is compiled by default decides
            info, answers[0] = "interpreted mode", answers[1]
        check(answers[0] == answers[1] and (info is None or answers[1].startswith(info + "\n")), f"modes {options}",
              *answers)
        version = subprocess.run([f"{OURS}/bin/java", *options, "-version"], capture_output=True, text=True,
                                 env=harness.environment(True)).stderr
        check(answers[1].splitlines()[0] + ")" in version, f"-version {options}", version)


def pool():
    """The notification that the pool of the code cache has come to a threshold, by code that is made meanwhile, without
    a collection."""
    process = subprocess.run([str(a) for a in (*harness.java(OURS), "-Xcomp", "-Xmx1g", "-XX:MetaspaceSize=500m",
                                               "-Xlog:gc*", "-cp", CLASSES, "NonHeapPools", "grows")],
                             capture_output=True, text=True, timeout=LIMIT, env=harness.environment(True))
    check(process.stdout.endswith("\nCodeCache true true\n") and "Pause" not in process.stdout, "the pool grows",
          process.stdout, process.stderr)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", CLASSES, TESTS / "jvmti/Listed.java",
                    TESTS / "jvmti/CompilationTime.java", TESTS / "differential/management/NonHeapPools.java"],
                   check=True)
    for part in (commands, at_exit, perf_dump, nothing_compiled, modes, pool):
        part()
    sys.exit(1 if failed else 0)


main()
