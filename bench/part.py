"""What the parts of `make bench` share: one process measured, runs in turn, verdicts. See run.py."""
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHORT_ROUNDS = 5                             # of jni and watch, at least


# The peak of a process begins with what its parent has: an interpreter without libraries, less than any VM, starts it.
STARTER = """
import os, sys
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as out:
    print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=out)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
"""


class Measured:
    """One process: wall and CPU seconds, peak resident megabytes, what it printed."""

    def __init__(self, command, cwd):
        out, figures = cwd / "bench.out", cwd / "bench.figures"
        start = time.monotonic()
        with open(out, "wb") as sink:
            self.code = subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, figures, *map(str, command)],
                                       cwd=cwd, stdout=sink, stderr=subprocess.STDOUT).returncode
        self.wall = time.monotonic() - start
        cpu, kilobytes = figures.read_text().split()
        self.cpu = float(cpu)
        self.memory = int(kilobytes) / 1024
        self.text = out.read_text(errors="replace")


class Part:
    """What is measured with one build. `missed` has the bars that were not passed, `wrong` what failed or computed
    something else than HotSpot; both are everybody's."""

    def __init__(self, args, work, missed, wrong):
        self.args, self.work, self.missed, self.wrong = args, work, missed, wrong
        self.build = Path(args.build).resolve()
        self.image = self.build / f"image-{args.jdk}"
        self.hotspot = Path((self.image / "lib/server/vitrine").read_text().strip())
        self.class_path = [work / "classes"]

    def run(self):
        raise NotImplementedError

    def failed(self, run, command):
        print(f"  exit {run.code}: {' '.join(map(str, command))}\n{run.text[-1500:]}")
        self.wrong.append(f"exit {run.code}")

    def in_turn(self, commands, rounds=None):
        """Runs the commands (ours, HotSpot's) in turn, `rounds` times; the runs of each, or None where one failed."""
        runs = [[] for _ in commands]
        for _ in range(rounds or self.args.rounds):
            for mine, command in zip(runs, commands):
                run = Measured(command, self.work)
                if run.code != 0:
                    self.failed(run, command)
                    return None
                mine.append(run)
        return runs

    def median(self, commands, key, rounds=None):
        """Of each command's runs the median one by `key`."""
        runs = self.in_turn(commands, rounds)
        return runs and [sorted(mine, key=key)[len(mine) // 2] for mine in runs]

    def least(self, commands, rounds=None):
        """Of each command's runs the least processor seconds."""
        runs = self.in_turn(commands, rounds)
        return runs and [min(run.cpu for run in mine) for mine in runs]

    def verdict(self, what, good, bar):
        if not good:
            self.missed.append(what)
        return f"{bar}: {'met' if good else 'MISSED'}"

    def java(self, home, options, *rest):
        return [home / "bin/java", *options, "-cp", ":".join(map(str, self.class_path)), *rest]
