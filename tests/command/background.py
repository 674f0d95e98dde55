"""The optimising compiler in threads of its own: who compiles, by the options; that the program goes on meanwhile; what
waits, in HotSpot's layout; that nothing is compiled that is not there any more; the end of the VM and a new one; no
thread to be had; a crash of the compiler's thread.

What waits is held back by -XX:CompilationGate, a file: nothing here depends on how fast anything is."""
import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
IS_17 = os.environ["LIBRARY"] == "17"
CLASSES, GATE = WORK / "classes", WORK / "gate"
LIMIT = 300 * harness.time_scale()
SANITIZED = bool(os.environ.get("VITRINE_TEST_PRELOAD"))
ONLY = ["-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,Background*::work*"]
NAME = "C2 CompilerThread0"
INLINED = r" +@ \d+   Background\$Square::workArea \(\d+ bytes\)   inline$"
failed = []


def check(good, what, *details):
    if not good:
        failed.append(what)
        print(f"FAILED {what}", *details, sep="\n")
    return good


class Running:
    """The program Background in our VM, or in HotSpot. What it prints is kept; whoever waits for a line fails after the
    time limit."""

    def __init__(self, *options, java=OURS, agent=False, environment=None):
        library = harness.agent_library(BUILD, "background", java == OURS)
        native = [f"-agentpath:{library}", f"-Djava.library.path={Path(library).parent}"] if agent else []
        command = [*harness.java(java), *ONLY, "-Xlog:disable", "-Xlog:all=warning:stderr", *options, *native, "-cp",
                   CLASSES, "Background", *(["background"] if agent else [])]
        self.process = subprocess.Popen([str(a) for a in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=WORK,
                                        env={**harness.environment(java == OURS), **(environment or {})})
        self.lines, self.news = [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        self.await_line("^ready$")

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.lines.append(None)
            self.news.notify_all()

    def await_line(self, pattern, at=0):
        """The first line of the kind from number `at` on: the number of the one behind it."""
        with self.news:
            while True:
                while at < len(self.lines):
                    line = self.lines[at]
                    if line is None:
                        sys.exit(f"no line {pattern!r}: it has ended: {self.process.communicate()}\n" +
                                 "\n".join(self.lines[:-1][-60:]))
                    at += 1
                    if re.search(pattern, line):
                        return at
                if not self.news.wait(LIMIT):
                    sys.exit(f"no line {pattern!r} in {LIMIT} s\n" + "\n".join(self.lines[-60:]))

    def do(self, command, *patterns):
        """Until it has been done, and lines of these kinds have come since, in this order. The last line of all."""
        begin = at = len(self.lines)
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        for pattern in patterns:
            at = self.await_line(pattern, at)
        done = self.await_line(f"^did {re.escape(command)}$", begin)
        return self.lines[max(at, done) - 2]

    def jcmd(self, *line):
        command = [HOTSPOT / "bin/jcmd", "-J" + harness.ATTACH_PATIENCE, str(self.process.pid), *map(str, line)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=2 * LIMIT)
        return re.sub(rf"\A{self.process.pid}:\n", "", process.stdout)

    def end(self, code=0):
        self.process.stdin.close()
        self.process.wait(timeout=LIMIT)
        err = self.process.stderr.read()
        check(self.process.returncode == code, f"it ends with {code}", self.process.returncode, err,
              *(line for line in self.lines[-40:] if line))
        check(not any(line and "FAILED" in line for line in self.lines), "results",
              *(line for line in self.lines if line and "FAILED" in line))
        return err


def asked(name, where="Background"):
    return rf"\[jit\] {re.escape(where)}\.work{name}\(I\)I is to be optimised$"


def dropped(name, why, where="Background"):
    return rf"\[jit\] {re.escape(where)}\.work{name}\(I\)I is not to be optimised any more: {why}$"


def made(name):
    return rf" 4 +Background::work{name} \(\d+ bytes\)$"


def blocked(vm):
    """{(method, level): whether who asked for the compilation waited}"""
    found = {}
    for line in vm.lines:
        match = re.fullmatch(r" *\d+ +\d+ +([%sb!n ]*?) +(\d) +Background\S*::(work\w) .*bytes\)", line or "")
        if match:
            found.setdefault((match[3], match[2]), set()).add("b" in match[1])
    return found


def who_compiles():
    """The mark b of PrintCompilation: by the baseline compiler always, by the optimising one if the options say so."""
    for options, waits in (([], set()), (["-XX:+BackgroundCompilation"], set()), (["-Xbatch"], {"workA", "workF"}),
                           (["-XX:-BackgroundCompilation"], {"workA", "workF"}),
                           (["-Xbatch", "-XX:+BackgroundCompilation"], set()), (["-Xbatch", "-Xmixed"], set()),
                           (["-XX:CompileCommand=BackgroundCompilation,Background.workA,false"], {"workA"}),
                           (["-XX:SwitchTierEvery=1000000"], {"workA", "workF"}),
                           (["-XX:CICompilerCount=4"], set()), (["-XX:-TieredCompilation"], set())):
        vm = Running("-XX:+PrintCompilation", *options)
        for name in "AF":
            vm.do(f"run {name}", made(name))
            vm.do("turns")
        vm.end()
        found = blocked(vm)
        check(all(found.get((name, "4")) == {name in waits} for name in ("workA", "workF")), f"{options}: optimised",
              found)
        check(all(marks == {True} for (_, level), marks in found.items() if level == "1"), f"{options}: level 1", found)


def queue(vm):
    """(current, waiting): lines of jcmd Compiler.queue."""
    text = vm.jcmd("Compiler.queue")
    match = re.fullmatch(r"Current compiles: \n((?:.+\n)*)\nBaseline compile queue:\nEmpty\n\n"
                         r"Optimising compile queue:\n((?:.+\n)*)\n", text)
    if not check(match, "Compiler.queue", text):
        return [], []
    return match[1].splitlines(), [] if match[2] == "Empty\n" else match[2].splitlines()


def method(line, current=False):
    """The name, of a line in HotSpot's layout."""
    match = re.fullmatch((r"C2 CompilerThread\d  " if current else "") +
                         r" *(\d+)  [ s] {3} 4       Background(?:\$\w+)?::work(\w) \(\d+ bytes\)", line)
    return match[2] if check(match, "a line of the queue", line) else None


def await_queue(vm, current, waiting):
    while True:
        found = queue(vm)
        names = [[method(line, i == 0) for line in lines] for i, lines in enumerate(found)]
        if failed or names[0] == current:
            break
    check(names == [current, waiting], f"the queue should be {current}, {waiting}", names)


def what_is_held():
    """While the compiler's thread is held back the program goes on, and what waits is dropped when its reason goes."""
    GATE.unlink(missing_ok=True)
    vm = Running(f"-XX:CompilationGate={GATE}", "-Xlog:jit=debug:stdout:tags", "-XX:CICompilerCount=2",
                 "-XX:TieredCompileTaskTimeout=3600000", "-XX:+PrintCompilation", agent=True)
    check(NAME[:15] not in vm.do("threads"), "no thread before the first request")
    vm.do("run A", asked("A"))
    await_queue(vm, ["A"], [])
    vm.do("turns")
    check(f"[{NAME[:15]}]" in vm.do("threads"), "its thread")
    listed = vm.jcmd("Thread.print")
    check('"main"' in listed and "CompilerThread" not in listed, "Thread.print", listed)
    vm.do("run F", asked("F"))
    vm.do("run B", asked("B"))
    await_queue(vm, ["A"], ["F", "B"])
    vm.do("turns")
    # Code that has changed is asked for anew, by the code that was made then.
    for command in ("break B", "clear B", "watch", "unwatch"):
        vm.do(command, dropped("B", "its code is made anew"), asked("B"))
        await_queue(vm, ["A"], ["F", "B"])
    vm.do("rest")
    vm.do("break A", dropped("A", "its code is made anew"))      # which the thread has taken up
    await_queue(vm, [], ["F", "B"])
    vm.do("clear A")
    vm.do("run C", asked("C", "Background$Replaced"))
    vm.do("rest")
    vm.do("redefine", dropped("C", "its class has been redefined", "Background$Replaced"))
    await_queue(vm, [], ["F", "B"])
    vm.do("run C", asked("C", "Background$Replaced"))            # with the other constant
    vm.do("run D", asked("D", "Background$Gone"))
    await_queue(vm, [], ["F", "B", "C", "D"])
    vm.do("unload", dropped("D", "classes go", "Background$Gone"))
    await_queue(vm, [], [])
    vm.do("run B", asked("B"))
    vm.do("run E", asked("E"))
    early = [line for line in vm.lines if re.search(r" 4       Background", line)]
    check(not early, "nothing is compiled while it is held", *early)
    GATE.touch()
    for name in "BE":
        vm.await_line(made(name))
    vm.do("run B")
    vm.do("turns")
    vm.do("run A", made("A"))
    vm.do("turns")
    await_queue(vm, [], [])
    vm.end()
    found = {level: marks for (_, level), marks in blocked(vm).items() if level == "4"}
    check(found == {"4": {False}}, "in the background", blocked(vm))


def several_threads():
    """There is a second one when more than two requests wait."""
    GATE.unlink(missing_ok=True)
    vm = Running(f"-XX:CompilationGate={GATE}", "-Xlog:jit=debug:stdout:tags", "-XX:+PrintCompilation",
                 "-XX:CICompilerCount=4", "-XX:TieredCompileTaskTimeout=3600000")
    vm.do("run A", asked("A"))
    await_queue(vm, ["A"], [])
    for name, current, waiting in (("F", ["A"], ["F"]), ("B", ["A"], ["F", "B"]), ("E", ["A", "F"], ["B", "E"])):
        vm.do(f"run {name}", asked(name))
        await_queue(vm, current, waiting)
    GATE.touch()
    for name in "AFBE":
        vm.await_line(made(name))
    vm.do("turns")
    vm.end()


def what_cools_down():
    """What did nothing between two looks is dropped."""
    GATE.unlink(missing_ok=True)
    vm = Running(f"-XX:CompilationGate={GATE}", "-Xlog:jit=debug:stdout:tags", "-XX:CICompilerCount=2",
                 "-XX:TieredCompileTaskTimeout=0")
    vm.do("run A", asked("A"))
    await_queue(vm, ["A"], [])
    for name in "FBE":
        vm.do(f"run {name}", asked(name))
    vm.do("rest")
    GATE.touch()
    vm.await_line(dropped("E", "it has cooled down"))
    vm.do("run E", asked("E"))
    vm.end()


def running_loop():
    """A loop that is in a call that does not end leaves for its optimised code as soon as that is there: by its own
    count that would take two thousand million turns, of which each is slow by then."""
    GATE.unlink(missing_ok=True)
    vm = Running(f"-XX:CompilationGate={GATE}", "-Xlog:jit=trace:stdout:tags", "-XX:+PrintCompilation",
                 "-XX:Tier4BackEdgeThreshold=140000000", "-XX:Tier4InvocationThreshold=140000000",
                 "-XX:TieredCompileTaskTimeout=3600000")
    vm.do("run G", asked("G"))
    vm.do("slow")
    GATE.touch()
    vm.await_line(r"\[jit\] Background\.workG\(I\)I leaves at ", vm.await_line(made("G")))
    vm.do("end")
    vm.end()


def what_the_asker_knows():
    """Which method its calls of an interface select; and whether tools watch methods in it, then and still."""
    for when_asked, when_taken in (("off", "off"), ("on", "on"), ("on", "off")):
        GATE.unlink(missing_ok=True)
        vm = Running(f"-XX:CompilationGate={GATE}", "-Xlog:jit=debug:stdout:tags", "-XX:+PrintCompilation",
                     "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining", "-XX:TieredCompileTaskTimeout=3600000",
                     agent=True)
        vm.do(f"entries {when_asked}")
        vm.do("run I", asked("I"))
        vm.do(f"entries {when_taken}")
        GATE.touch()
        at = vm.await_line(made("I"))
        vm.do("turns")
        vm.end()
        check(any(re.match(INLINED, line or "") for line in vm.lines[at:]) == (when_taken == "off"),
              f"inlined, watched {when_asked} and then {when_taken}", *(x for x in vm.lines if x and "@" in x))


def same_as_hotspot():
    """Flags as they are printed."""
    for options in ([], ["-Xcomp"], ["-Xint"], ["-Xbatch"], ["-Xbatch", "-Xmixed"], ["-Xcomp", "-Xmixed"],
                    ["-XX:+BackgroundCompilation", "-Xcomp"], ["-Xcomp", "-XX:+BackgroundCompilation"],
                    ["-XX:ActiveProcessorCount=1"], ["-XX:ActiveProcessorCount=4"], ["-XX:ActiveProcessorCount=16"],
                    ["-XX:-TieredCompilation"], ["-XX:TieredStopAtLevel=1"], ["-XX:TieredStopAtLevel=0"],
                    ["-XX:CompileThresholdScaling=0"], ["-XX:CICompilerCount=5"]):
        said = []
        for java in (HOTSPOT, OURS):
            command = [*harness.java(java), *options, "-XX:+PrintFlagsFinal", "-version"]
            outcome = harness.run(command, WORK, LIMIT, ours=java == OURS)
            flags = "BackgroundCompilation|CICompilerCount|TieredCompileTaskTimeout"
            said.append(re.findall(rf"(?m)^ *\w+ (?:{flags}) +=.*", outcome.out.decode()))
        check(said[0] == said[1] and len(said[0]) == 3, f"{options}: flags", *said)


def created_again():
    """A VM ends with a queue that is not empty, 20 times in one process: its threads are gone."""
    GATE.unlink(missing_ok=True)
    command = [BUILD / "tests/embed/cycles", BUILD / "libjvm.so", CLASSES, 20, os.environ["IMAGE"], "--",
               f"-XX:CompilationGate={GATE}", "-Xlog:jit=debug", "-XX:Tier4InvocationThreshold=20",
               "-XX:Tier4BackEdgeThreshold=100", "-XX:Tier3InvocationThreshold=20"]
    outcome = harness.run([str(c) for c in command], WORK, 4 * LIMIT, ours=True,
                          extra_env={"GLIBC_TUNABLES": "glibc.pthread.stack_cache_size=0"})
    text = outcome.out.decode(errors="replace")
    cycles = re.split(r"(?m)^cycle \d+: threads ", text)
    check(outcome.code == 0 and len(cycles) == 22, "20 cycles", outcome.ended(), text[-3000:])
    asked = [cycle.count(" is to be optimised\n") for cycle in cycles[1:-1]]
    check(asked and min(asked) > 3 and ", optimised" not in text, "what waited at the end of each", asked)
    check({cycle.split()[0] for cycle in cycles[2:]} == {"1"}, "threads behind each", [c[:60] for c in cycles])


def without_threads():
    """No thread can be made: who asks compiles, after one warning."""
    if SANITIZED:
        return
    GATE.unlink(missing_ok=True)
    vm = Running("-XX:+PrintCompilation", environment={"LD_PRELOAD": f"{BUILD}/tests/agents/libno_threads.so",
                                                       "NO_THREADS": str(GATE)})
    GATE.touch()
    for name in "AF":
        vm.do(f"run {name}", made(name))
    vm.do("turns")
    err = vm.end()
    check(re.fullmatch(r'\[.*\]\[warning\]\[os,thread\] Failed to start thread "Unknown thread" - pthread_create '
                       r"failed \(EAGAIN\) for attributes: .*\n", err), "one warning", err)
    found = blocked(vm)
    check(found.get(("workA", "4")) == found.get(("workF", "4")) == {True}, "by those who ask", found)


def crash():
    """What was being compiled, in the report."""
    if SANITIZED:
        return
    GATE.unlink(missing_ok=True)
    report = WORK / "hs_err.log"
    vm = Running(f"-XX:CompilationGate={GATE}", "-Xlog:jit=debug:stdout:tags", f"-XX:ErrorFile={report}",
                 "-XX:-CreateCoredumpOnCrash")
    vm.do("run F", asked("F"))
    await_queue(vm, ["F"], [])
    tasks = Path(f"/proc/{vm.process.pid}/task")
    compilers = [int(t.name) for t in tasks.iterdir() if (t / "comm").read_text() == NAME[:15] + "\n"]
    check(len(compilers) == 1, "one thread", compilers)
    SYS_tgkill = 234
    ctypes.CDLL(None).syscall(SYS_tgkill, vm.process.pid, compilers[0], signal.SIGSEGV)
    vm.process.wait(timeout=LIMIT)
    text = report.read_text() if report.exists() else ""
    check(vm.process.returncode == 1, "how it ends", vm.process.returncode)
    check(re.search(rf'Current thread \(0x\w+\):  JavaThread "{NAME}" daemon \[.*\]\n\n\nCurrent CompileTask:\n'
                    r"C2: *\d+ +\d+  s {3} 4       Background::workF \(\d+ bytes\)\n\nStack: ", text), "the report",
          text[:3000])


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-g", "-d", CLASSES, TESTS / "jvmti/Background.java",
                    TESTS / "jni/Cycle.java"], check=True)
    for part in (who_compiles, what_is_held, several_threads, what_cools_down, running_loop, what_the_asker_knows,
                 same_as_hotspot, created_again, without_threads, crash):
        part()
    sys.exit(1 if failed else 0)


main()
