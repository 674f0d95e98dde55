"""A program in a VM that is asked by jcmd's protocol while it runs: one client stays for all questions."""
import os
import subprocess
import sys
from pathlib import Path

import harness

EXPORTS = ["--add-exports", "jdk.attach/sun.tools.attach=ALL-UNNAMED"]
HOTSPOT, TESTS = Path(os.environ["HOTSPOT"]), Path(os.environ["TESTS"])
LIMIT = 300 * harness.time_scale()


def compile_tools(classes, *names):
    classes.mkdir(parents=True, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-XDignore.symbol.file", *EXPORTS, "-d", classes,
                    *(TESTS / f"tools/{name}.java" for name in (*names, "Asks"))], check=True)


class Asked:
    """`ours`: the VM under test, which gets the options of the mode. The program prints "true" when it is ready,
    answers a line on its input with a line, and ends with its input."""

    def __init__(self, home, ours, main, options, classes, work, preexec=None):
        mode = harness.vm_options() if ours else []
        command = [*harness.java(home), *mode, *options, "-cp", classes, main]
        self.process = subprocess.Popen([str(a) for a in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=work, env=harness.environment(ours),
                                        preexec_fn=preexec)
        self.pid = str(self.process.pid)
        self.before = []                                 # what stood in front of "true"
        while (line := self.process.stdout.readline()) != "true\n":
            if not line:
                sys.exit(f"{home}: the program does not start: {self.process.communicate()}")
            self.before.append(line)
        self.asks = subprocess.Popen([*harness.java(HOTSPOT), harness.ATTACH_PATIENCE, *EXPORTS, "-cp", classes,
                                      "Asks", self.pid], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     cwd=work, env=harness.environment(False))

    def ask(self, *line):
        """(Whether it was done, the answer as it is)."""
        self.asks.stdin.write((" ".join(str(word) for word in line) + "\n").encode())
        self.asks.stdin.flush()
        length = self.asks.stdout.readline()
        if not length:
            sys.exit(f"{line}: no answer; the program: {self.process.poll()}")
        return int(length) > 0, self.asks.stdout.read(abs(int(length))).decode()

    def jcmd(self, *line):
        return harness.without_pid(self.ask(*line)[1], self.pid)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self):
        """(exit code, the rest of the output, errors)"""
        self.asks.communicate(timeout=LIMIT)
        out, err = self.process.communicate(timeout=LIMIT)
        return self.process.returncode, out, err
