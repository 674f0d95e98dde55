"""One program of `make programs`: what it needs, what it does, and how its output is made comparable."""
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 300
# What differs from run to run on any VM.
CHANGING = [
    (r"Picked up JAVA_TOOL_OPTIONS: .*\n", ""),
    (r"\x1b\[[0-9;]*m", ""),
    (r"\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b", "<time>"),
    (r"\b\d{4}-\d\d-\d\d\b", "<date>"),
    (r"\b\d+(?:[.,]\d+)? ?(?:ms|milliseconds|msec|s|sec|seconds?|min|minutes?)\b", "<duration>"),
    (r"@[0-9a-f]{5,8}\b", "@<hash>"),
    (r"\bpid \d+", "pid <n>"),
    (r"Thread-\d+", "Thread-<n>"),
    (r"(?m)^(OpenJDK 64-Bit Server|Vitrine 64-Bit) VM warning", "VM warning"),
]
USER_HOME = "-Duser.home="


@dataclass
class Program:
    """run: a function of a Run, which calls `run.command`, or a list of command lines for the shell."""
    name: str
    what: str
    run: object
    expect: str                                      # must be in the output: it did not merely fail on both
    packages: list = field(default_factory=list)     # Debian
    npm: list = field(default_factory=list)
    sources: list = field(default_factory=list)      # Debian source packages: Run.sources/<name>/<as it unpacks>
    files: dict = field(default_factory=dict)        # name -> text, in the working directory
    changing: list = field(default_factory=list)     # further (pattern, replacement)
    libraries: tuple = ("17", "25")


def jars(*names):
    """A class path of Debian's jars."""
    return ":".join(f"/usr/share/java/{name}.jar" for name in names)


class Run:
    """One run on one VM, in a directory of its own. The environment names the VM in every way that scripts look at."""

    def __init__(self, entry, home, hotspot, library, work, npm, sources):
        self.entry, self.home, self.hotspot, self.ours = entry, home, hotspot, home != hotspot
        self.library, self.work, self.npm, self.sources = library, work, npm, sources
        self.lines, self.seconds, self.children = [], 0.0, []
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        for name, text in entry.files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("JAVA", "_JAVA", "JDK_"))}
        self.env.update(JAVA_HOME=str(home), JAVACMD=str(home / "bin/java"), JAVA_CMD=str(home / "bin/java"),
                        JAVA_BIN=str(home / "bin"), PATH=f"{home}/bin:{os.environ['PATH']}", HOME=str(work),
                        LC_ALL="C.UTF-8", TERM="dumb", NPM=str(npm / "node_modules"),
                        JAVA_TOOL_OPTIONS=USER_HOME + str(work))
        if self.ours:                    # a file for each VM that starts
            (work / "vms").mkdir()
            self.env["JAVA_TOOL_OPTIONS"] += f" -Xlog:startuptime=info:file={work}/vms/%p"

    def java(self, *words):
        return self.command([str(self.home / "bin/java"), *(str(w) for w in words)])

    def command(self, words, stdin="", quiet=False, limit=SECONDS):
        """Runs it to its end, notes what it wrote and how it ended; answers what it wrote on stdout. words: a list, or
        a line for the shell."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(words, shell=isinstance(words, str), cwd=self.work, env=self.env, text=True,
                                   errors="replace", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(stdin, timeout=limit)
            ended = f"exit {process.returncode}"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            ended = f"no end within {limit} seconds"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if not quiet:
            self.note(f"{out}{err}[{ended}]")
        return out

    def note(self, text):
        self.lines.append(text)

    def start(self, *words, until):
        """Starts java in the background and waits until its output has `until`; the lines so far. See stop, kill."""
        process = subprocess.Popen([str(self.home / "bin/java"), *(str(w) for w in words)], cwd=self.work, env=self.env,
                                   text=True, errors="replace", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        self.children.append(process)
        seen = ""
        while until not in seen:
            line = process.stdout.readline()
            seen += line
            if not line:
                self.note(f"{seen}[ended early: {process.wait()}]")
                break
        return process, seen

    def end(self, process, sign):
        """Sends a signal and waits; processor time counts from then on."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process.send_signal(sign)
        try:
            rest, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            rest = "[does not end]"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return rest

    def transcript(self):
        try:
            if isinstance(self.entry.run, list):
                for line in self.entry.run:
                    self.command(line)
            else:
                self.entry.run(self)
        finally:
            for process in self.children:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        text = "\n".join(self.lines)
        for place, name in (self.work, "<WORK>"), (self.home, "<JDK>"), (self.home.resolve(), "<JDK>"):
            text = text.replace(str(place), name)
        for pattern, instead in [*CHANGING, *self.entry.changing]:
            text = re.sub(pattern, instead, text)
        return text

    def on_the_right_vm(self):
        """Whoever wanted ours has it."""
        return not self.ours or any((self.work / "vms").iterdir())


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
