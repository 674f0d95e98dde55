"""What tools see of compiled code: jcmd's Compiler commands and perf's map in HotSpot's layouts; what java.vm.info and
the CompilationMXBean say of it in each mode."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
IS_17 = os.environ["LIBRARY"] == "17"
COMPILED = ["-Xbatch", "-XX:TieredStopAtLevel=1"]
LIMIT = 300 * harness.time_scale()
KINDS = ("plain", "locked", "catching", "looping", "member")
failed = []


def check(good, what, *details):
    if not good:
        failed.append(what)
        print(f"FAILED {what}", *details, sep="\n")


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
    theirs, ours = (Running(java, *COMPILED) for java in (HOTSPOT, OURS))
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
    perf_map(theirs, ours)
    said = [re.sub(r"(?m)^.* VM warning", "VM warning", vm.end()) for vm in (theirs, ours)]
    check(said[0] == said[1], "what is said", *said)


def perf_map(theirs, ours):
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
            answers.append(process.stdout.replace(", emulated-client", "").replace("HotSpot 64-Bit Tiered Compilers",
                                                                                   "Vitrine 64-Bit Baseline Compiler"))
        if info is None and answers[1].startswith("interpreted mode"):     # what is compiled by default decides
            info, answers[0] = "interpreted mode", answers[1]
        check(answers[0] == answers[1] and (info is None or answers[1].startswith(info + "\n")), f"modes {options}",
              *answers)
        version = subprocess.run([f"{OURS}/bin/java", *options, "-version"], capture_output=True, text=True,
                                 env=harness.environment(True)).stderr
        check(answers[1].splitlines()[0] + ")" in version, f"-version {options}", version)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([HOTSPOT / "bin/javac", "-nowarn", "-d", CLASSES, TESTS / "jvmti/Listed.java",
                    TESTS / "jvmti/CompilationTime.java"], check=True)
    for part in (commands, at_exit, nothing_compiled, modes):
        part()
    sys.exit(1 if failed else 0)


main()
