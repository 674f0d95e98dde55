"""A VM whose parent has signals blocked, as a child of a Java program may have SIGQUIT, does what it does elsewhere:
SIGQUIT gives the thread dump and lets tools in, SIGHUP, SIGINT and SIGTERM end it by its shutdown hooks, and a fault is
an exception, or a crash with its report. What the parent ignores stays ignored."""
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, WORK = Path(os.environ["HOTSPOT"]), Path(os.environ["WORK"])
OURS = harness.vm_under_test(os.environ["IMAGE"])
PATIENCE = 60 * harness.time_scale()            # until what must come has come: it fails then
ENDS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
BLOCKED = (*ENDS, *FAULTS, signal.SIGQUIT)

SOURCE = """
    public class Waits {
        public static void main(String[] arguments) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            Object none = arguments.length == 0 ? null : "";
            byte[] much = new byte[1 << 25];             // more than one thread collects for the second time
            System.gc();
            System.gc();
            try { none.hashCode(); } catch (NullPointerException expected) { System.out.println("null"); }
            var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
            for (String line; (line = in.readLine()) != null; ) System.out.println(line);
            much[0] = 1;
        }
    }"""


class Waiting:
    """The program, begun by a process that has the signals blocked, and ignores these and no other ones, whatever this
    process ignores."""

    def __init__(self, home, ignored=(), options=()):
        def prepare():
            signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED)
            for signo in BLOCKED:
                signal.signal(signo, signal.SIG_IGN if signo in ignored else signal.SIG_DFL)

        mode = harness.vm_options() if home == OURS else []
        command = [*harness.java(home), *mode, "-Xlog:disable", *options, "-cp", WORK, "Waits"]
        self.process = subprocess.Popen([str(a) for a in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=WORK, preexec_fn=prepare,
                                        env=harness.environment(home == OURS))
        self.pid, self.name = str(self.process.pid), home.name
        self.killer = threading.Timer(PATIENCE, self.process.kill)
        self.killer.daemon = True
        self.killer.start()
        self.until("null")

    def until(self, pattern):
        """The lines up to one that begins so; those of a process that is killed for taking too long, otherwise."""
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if re.match(pattern, line):
                break
        return lines

    def end(self, signo=None):
        """With a signal, or with its input."""
        if signo is not None:
            self.process.send_signal(signo)
            self.process.wait()
        out, err = self.process.communicate()
        self.killer.cancel()
        return self.process.returncode, out, err


def dump(home):
    vm = Waiting(home)
    vm.process.send_signal(signal.SIGQUIT)
    lines = vm.until('"main" ')
    check(any(line.startswith("Full thread dump ") for line in lines), f"{vm.name}: a thread dump", *lines)
    check(vm.end()[0] == 0, f"{vm.name}: it ends")


def attach(home):
    vm = Waiting(home)
    asked = harness.run([HOTSPOT / "bin/jcmd", f"-J-Dsun.tools.attach.attachTimeout={int(PATIENCE * 500)}", vm.pid,
                         "VM.version"], WORK, PATIENCE)
    check(asked.code == 0 and b"JDK " in asked.out, f"{vm.name}: jcmd", asked.ended(), asked.out, asked.err)
    vm.end()


def ends(home):
    seen = []
    for signo in ENDS:
        seen.append((signo.name, *Waiting(home).end(signo)))
    return seen


def ignored(home):
    """SIGHUP does nothing, also when it is not blocked any more; SIGTERM comes behind it."""
    vm = Waiting(home, ignored=[signal.SIGHUP])
    vm.process.send_signal(signal.SIGHUP)
    vm.process.stdin.write("goes on\n")
    vm.process.stdin.flush()
    lines = vm.until("goes on")
    return lines, vm.end(signal.SIGTERM)


def mask_of(task):
    try:
        return (task / "comm").read_text(), int(re.search(r"SigBlk:\t(\w+)", (task / "status").read_text())[1], 16)
    except (FileNotFoundError, ProcessLookupError):     # it has ended
        return "", 0


def masks(pid):
    """Of each thread but the first: its name, and which faults it has blocked."""
    found = [mask_of(task) for task in Path(f"/proc/{pid}/task").iterdir() if task.name != pid]
    return [(name, [s.name for s in FAULTS if mask >> s - 1 & 1]) for name, mask in found]


def faults(home):
    """No thread has one blocked, those that collect neither; but for the launcher's first thread, which is no thread of
    the VM's. And one that somebody sends is a crash."""
    vm = Waiting(home, options=["-XX:-CreateCoredumpOnCrash", "-XX:ParallelGCThreads=2", f"-XX:ErrorFile={WORK}/crash"])
    end, seen = time.monotonic() + PATIENCE, masks(vm.pid)
    while any(blocked for _, blocked in seen) and time.monotonic() < end:
        time.sleep(0.01)                                # a thread that begins has its parent's
        seen = masks(vm.pid)
    check(len(seen) > 4 and not any(blocked for _, blocked in seen), f"{vm.name}: blocked", *seen)
    code, out, _ = vm.end(signal.SIGSEGV)
    check(code == 1 and "#  SIGSEGV (0xb) at pc=" in out, f"{vm.name}: a crash", code, out)


WORK.mkdir(parents=True, exist_ok=True)
(WORK / "Waits.java").write_text(SOURCE)
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, WORK / "Waits.java"], check=True)
for one in (HOTSPOT, OURS):
    dump(one)
    attach(one)
    faults(one)
for question in (ends, ignored):
    answers = [question(one) for one in (HOTSPOT, OURS)]
    check(answers[0] == answers[1] and "hook" in str(answers[1]), question.__name__, *answers)
sys.exit(1 if failed else 0)
