#!/usr/bin/env python3
"""make bench: our VM and HotSpot in turn, on the same JDK, the same class files and the same agent, and their ratios.

Usage: run.py --build DIR [--jdk 25] [--rounds 3] [--only kernels,hello,javac,histogram,jni,hprof,watch,cards] [--kernel
NAME]

cards is measured only when asked for: it builds a second library, with the card table, and compares ours with ours.

Times are the processes' own (jni, watch: the threads' own), from the kernel (user + system), of several rounds, ours
and HotSpot's in turn. The median counts, or where a run is short (jni, hprof, watch) the best one, which other work on
the machine disturbs least. Each line ends with the bar that the ratio has to pass, and "met" or "MISSED"; the program
itself never fails on a time.
"""
import argparse
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/run"))
import sources  # noqa: E402

KERNEL_BAR, KERNEL_MEAN_BAR = 0.4, 0.8
HELLO_TIME_BAR, HELLO_MEMORY_BAR = 2.0, 30.0
JAVAC_TIME_BAR, JAVAC_MEMORY_BAR = 1.3, 1.0
HISTOGRAM_SPEED_BAR, HISTOGRAM_BYTES_BAR = 8.0, 12.0
CREATE_BAR = 2.0
SHORT_ROUNDS = 5                             # of jni and watch, at least
DUMP_BAR, OWN_DUMP_BAR = 3.0, 1.0
CALL_BAR = 0.2
SITES_BAR = 3.0
SAMPLES_BAR, SAMPLES_INTERVAL_MS = 3.0, 4
SHARE_BAR, SHARE_SAMPLES, SHARE_INTERVAL_MS = 3.0, 5000, 4
# Rows of bench/Jni.java by how they begin: the VM whose time ours must not exceed. The others have no bar.
JNI_BARS = {"native call": "-Xint", "up-call": "HotSpot", "field": "HotSpot", "reference": "HotSpot",
            "attach": "HotSpot"}

# Watching: what is held or set and not used, and what one event adds, looks or redefines. A row's bar is the ratio of
# two figures: ours, and the range that HotSpot 17 and 25 needed when the bar was set. None: no bar but HotSpot itself.
# Rows by how they begin.
UNUSED_BAR, INSTRUCTIONS_BAR = 1.05, 1.02    # in time (the median), in instructions
UNUSED_RUNS, UNUSED_RUNS_HOTSPOT = 11, 3     # HotSpot's figures decide nothing there
COUNTED_TURNS = 8000                         # for instructions
UNUSED = ("field-unused", "breakpoint-unused", "breakpoint-unrelated", "pop-unused", "pop-elsewhere",
          "methods-elsewhere", "step-elsewhere")
EVENT = (20, (75, 190))
EVENTS = {"methods": EVENT, "step": EVENT, "breakpoint": EVENT, "access": EVENT, "modification": EVENT,
          "exceptions": (100, (130, 3600)),
          "pop": (100, (8000, 8000)), "vm-alloc": (50, None), "sampled-alloc": (50, (200, 200))}
LOOKS = {"FollowReferences": (40, (16, 18)), "tagged histogram": (15, (1.0, 1.5)),
         "IterateThroughHeap": (100, (35, 40)), "strings": None,
         "tag all": None, "untag all": None, "SetTag": (30, (174, 218)), "GetTag": (25, (70, 260)), "scattered": None,
         "bytes per tag": (12, (60, 68)),
         "GetObjectsWithTags": (2, (6, 39)), "GetStackTrace": (30, (160, 160)), "GetFrameCount": (10, (160, 160)),
         "stack of a running thread": (20, (100, 100)), "GetLocalInt": (2, (100, 100)), "SetLocalInt": (2, (100, 100)),
         "GetBytecodes": (0.5, (2, 2)), "GetAllStackTraces": (0.4, (1, 1)), "RedefineClasses, one": (0.2, (1, 1)),
         "RetransformClasses, one": (0.2, (1, 1)), "RedefineClasses, 500": (50, (50, 80)),
         "RetransformClasses, 500": (50, (50, 80))}
EARLY_HOOK_BAR = 1.15

# Turns of the kernels of bench/Stores.java on the clock, about a second, and under valgrind.
STORES = {"putfield": (20_000_000, 20_000), "putstatic": (20_000_000, 20_000), "aastore": (30_000_000, 20_000),
          "arraycopy": (8_000_000, 8000), "atomics": (8_000_000, 10_000), "trees": (15_000, 20), "sorting": (1500, 4),
          "maps": (5_000_000, 8000)}


class Measured:
    """One process: wall and CPU seconds, peak resident megabytes, what it printed."""

    def __init__(self, command, cwd):
        out = cwd / "bench.out"
        start = time.monotonic()
        with open(out, "wb") as sink:
            process = subprocess.Popen([str(c) for c in command], cwd=cwd, stdout=sink, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.text = out.read_text(errors="replace")
        self.code = process.returncode


def cpu_of(pid):
    """Processor seconds that a living process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, args):
        self.args = args
        self.build = Path(args.build).resolve()
        self.image = self.build / f"image-{args.jdk}"
        self.hotspot = Path((self.image / "lib/server/vitrine").read_text().strip())
        self.work = self.build / "bench"
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "classes").mkdir(parents=True)
        subprocess.run([self.hotspot / "bin/javac", "-d", self.work / "classes", *(ROOT / "bench").glob("*.java")],
                       check=True)
        self.missed = []

    def median(self, commands, key, rounds=None):
        """Runs the commands (ours, HotSpot's) in turn, `rounds` times; the median run of each by `key`, or None where
        one failed."""
        runs = [[] for _ in commands]
        for _ in range(rounds or self.args.rounds):
            for mine, command in zip(runs, commands):
                run = Measured(command, self.work)
                if run.code != 0:
                    print(f"  exit {run.code}: {' '.join(map(str, command))}\n{run.text[-1500:]}")
                    return None
                mine.append(run)
        return [sorted(mine, key=key)[len(mine) // 2] for mine in runs]

    def verdict(self, what, good, bar):
        if not good:
            self.missed.append(what)
        return f"{bar}: {'met' if good else 'MISSED'}"

    def java(self, home, options, *rest):
        return [home / "bin/java", *options, "-cp", self.work / "classes", *rest]

    def kernels(self):
        names = Measured(self.java(self.hotspot, [], "Kernels"), self.work).text.split()
        ratios = []
        print("kernels: CPU seconds, HotSpot -Xint divided by ours (higher is better)")
        for name in names:
            if self.args.kernel and name != self.args.kernel:
                continue
            runs = self.median([self.java(self.image, [], "Kernels", name),
                                self.java(self.hotspot, ["-Xint"], "Kernels", name)],
                               lambda r: r.cpu)
            if not runs:
                self.missed.append(name)
                continue
            ours, theirs = runs
            if ours.text != theirs.text:
                print(f"  {name}: results differ: {ours.text.strip()} / {theirs.text.strip()}")
                self.missed.append(name)
                continue
            ratio = theirs.cpu / ours.cpu
            ratios.append(ratio)
            print(f"  {name:18} ours {ours.cpu:7.2f}  HotSpot {theirs.cpu:7.2f}  ratio {ratio:5.2f}  "
                  + self.verdict(name, ratio >= KERNEL_BAR, f"at least {KERNEL_BAR}"), flush=True)
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"  {'geometric mean':18} {'':35} ratio {mean:5.2f}  "
                  + self.verdict("kernels' mean", mean >= KERNEL_MEAN_BAR, f"at least {KERNEL_MEAN_BAR}"))

    def hello(self):
        commands = [self.java(self.image, [], "Hello"), self.java(self.hotspot, ["-Xint", "-Xshare:off"], "Hello")]
        runs = self.median(commands, lambda r: r.wall, max(11, self.args.rounds))
        print("Hello World: wall seconds against HotSpot -Xint -Xshare:off, peak resident megabytes")
        if not runs:
            self.missed.append("hello")
            return
        ours, theirs = runs
        ratio = ours.wall / theirs.wall
        print(f"  time               ours {ours.wall:7.3f}  HotSpot {theirs.wall:7.3f}  ratio {ratio:5.2f}  "
              + self.verdict("hello time", ratio <= HELLO_TIME_BAR, f"at most {HELLO_TIME_BAR}"))
        print(f"  memory             ours {ours.memory:7.1f}  HotSpot {theirs.memory:7.1f}               "
              + self.verdict("hello memory", ours.memory <= HELLO_MEMORY_BAR, f"at most {HELLO_MEMORY_BAR} MB"))

    def javac(self, count=200):
        module = "jdk.compiler"
        files = sources.extract(self.hotspot, self.work / "src", {module: count})[module]
        arguments = self.work / "javac.arguments"
        arguments.write_text("\n".join([f"--patch-module={module}={self.work / 'src' / module}", "-nowarn",
                                        "-Xlint:none", "-proc:none",
                                        "-d", str(self.work / "javac.classes"), *files]))
        command = lambda home, *options: [home / "bin/javac", *(f"-J{o}" for o in ("-Xmx512m", *options)),
                                          f"@{arguments}"]
        runs = self.median([command(self.image), command(self.hotspot, "-XX:+UseSerialGC", "-Xint")], lambda r: r.cpu)
        print(f"javac of {count} files, -Xmx512m: CPU seconds and peak megabytes "
              "against HotSpot -XX:+UseSerialGC -Xint")
        if not runs:
            self.missed.append("javac")
            return
        ours, theirs = runs
        for what, a, b, bar in (("time", ours.cpu, theirs.cpu, JAVAC_TIME_BAR),
                                ("memory", ours.memory, theirs.memory, JAVAC_MEMORY_BAR)):
            print(f"  {what:18} ours {a:7.1f}  HotSpot {b:7.1f}  ratio {a / b:5.2f}  "
                  + self.verdict(f"javac {what}", a / b <= bar, f"at most {bar}"))

    def histogram(self, thousands=5000):
        agent = f"-agentpath:{self.build}/libhistogram.so=top=5,time"
        print(f"class histogram over {thousands / 1000:g} million objects: objects per second, bytes per tag")
        homes = (self.image, self.hotspot)
        heap = ["-Xmx1g", "-Xms1g"]
        speeds = [[], []]
        for _ in range(self.args.rounds):
            for mine, home in zip(speeds, homes):
                objects, milliseconds = self.from_agent([*heap, agent], home, thousands,
                                                        r"(\d+) objects in ([\d.]+) ms")
                if not objects:
                    return
                mine.append(objects / milliseconds * 1000)
        ours, theirs = map(statistics.median, speeds)
        print(f"  objects per second ours {ours / 1e6:6.2f}M  HotSpot {theirs / 1e6:6.2f}M  ratio "
              f"{ours / theirs:5.2f}  "
              + self.verdict("histogram speed", ours / theirs >= HISTOGRAM_SPEED_BAR,
                             f"at least {HISTOGRAM_SPEED_BAR}"))
        tagger = self.work / "libtag_every.so"
        subprocess.run([os.environ.get("CC", "cc"), "-std=gnu17", "-O2", "-shared", "-fPIC",
                        f"-I{self.hotspot}/include",
                        f"-I{self.hotspot}/include/linux", "-o", tagger, ROOT / "bench/tag_every.c"], check=True)
        for every, name in ((1, "bytes per tag"), (1000, "every 1000th")):
            pattern = r"tagged (\d+) of .* ([-\d.]+) bytes per tag"
            (count, ours), (_, theirs) = (self.from_agent([*heap, f"-agentpath:{tagger}={every}"], home, thousands,
                                                          pattern)
                                          for home in homes)
            if not count:
                return
            bar = HISTOGRAM_BYTES_BAR if every == 1 else theirs
            print(f"  {name:18} ours {ours:7.1f}  HotSpot {theirs:7.1f}               "
                  + self.verdict(f"memory of tags, {name}", ours <= bar, f"at most {bar:g}"))

    def jni(self):
        library = self.build / "bench-native/libbench_jni.so"
        native = ["--enable-native-access=ALL-UNNAMED"] if self.args.jdk != "17" else []
        commands = [self.java(home, [*native, *options], "Jni", library)
                    for home, options in ((self.image, []), (self.hotspot, []), (self.hotspot, ["-Xint"]))]
        times = [{} for _ in commands]
        for _ in range(max(SHORT_ROUNDS, self.args.rounds)):
            for mine, command in zip(times, commands):
                run = Measured(command, self.work)
                if run.code != 0:
                    print(f"  exit {run.code}: {' '.join(map(str, command))}\n{run.text[-1500:]}")
                    self.missed.append("jni")
                    return
                for what, nanoseconds in re.findall(r"^(.+)\t([\d.]+)$", run.text, re.M):
                    mine.setdefault(what, []).append(float(nanoseconds))
        print("JNI: nanoseconds of CPU time of the calling thread for one operation")
        for what in times[0]:
            ours, theirs, interpreted = (min(mine[what]) for mine in times)
            against = next((vm for start, vm in JNI_BARS.items() if what.startswith(start)), None)
            ratio = ours / (interpreted if against == "-Xint" else theirs)
            verdict = self.verdict(what, ratio <= 1, f"at most 1.0 of {against}") if against else ""
            print(f"  {what:35} ours {ours:10.1f}  HotSpot {theirs:10.1f}  -Xint {interpreted:10.1f}  ratio "
                  f"{ratio:5.2f}  {verdict}".rstrip())
        self.create()

    def create(self, cycles=100):
        """Create and destroy in one process: all our cycles against our first, and that against HotSpot's only one."""
        firsts, theirs, later = [], [], []
        for _ in range(max(5, self.args.rounds)):
            for home, options, count, into in ((self.image, [], 1, firsts),
                                               (self.hotspot, ["-Xint", "-Xshare:off"], 1, theirs)):
                into.append(self.cycles(home, options, count)[0])
        ours = self.cycles(self.image, [], cycles)
        first, other = (statistics.median(wall for wall, _ in runs) for runs in (firsts, theirs))
        print(f"create and destroy: wall milliseconds, HotSpot -Xint -Xshare:off (process CPU: ours "
              f"{1000 * statistics.median(cpu for _, cpu in firsts):.0f}, HotSpot "
              f"{1000 * statistics.median(cpu for _, cpu in theirs):.0f})")
        print(f"  {'first cycle':35} ours {1000 * first:10.1f}  HotSpot {1000 * other:10.1f}  ratio "
              f"{first / other:5.2f}  "
              + self.verdict("create and destroy", first / other <= CREATE_BAR, f"at most {CREATE_BAR}"))
        first, later = ours[0][1], statistics.median(cpu for _, cpu in ours[1:])
        print(f"  {f'cycles 2 to {cycles}, CPU':35} ours {1000 * later:10.1f}  first   {1000 * first:10.1f}  ratio "
              f"{later / first:5.2f}  "
              + self.verdict("later cycles", later <= first, "at most 1.0"))

    def cycles(self, home, options, count):
        """(wall, CPU) seconds of each cycle of bench/native/create.c."""
        command = [self.build / "bench-native/bench_create", home / "lib/server/libjvm.so", count,
                   f"-Djava.home={home}", *options]
        run = Measured(command, self.work)
        if run.code != 0:
            sys.exit(f"  exit {run.code}: {' '.join(map(str, command))}\n{run.text[-1500:]}")
        return [tuple(map(float, line.split())) for line in run.text.splitlines()
                if re.fullmatch(r"[\d.]+ [\d.]+", line)]

    # ---- HPROF: the same library on both VMs; processor time of the process, the least of several runs in turn -------

    def hprof(self):
        self.dumps()
        self.calls()
        self.sites()
        self.samples()
        self.shares()

    def profiled(self, options):
        """Option for a profile that goes nowhere."""
        return f"-agentpath:{self.build}/libhprof.so={options},verbose=n,file={self.work}/profile"

    def least(self, commands, rounds=None):
        """Processor seconds of each command, the least of `rounds` runs in turn; None where one failed."""
        seconds = [[] for _ in commands]
        for _ in range(rounds or self.args.rounds):
            for mine, command in zip(seconds, commands):
                run = Measured(command, self.work)
                if run.code != 0:
                    print(f"  exit {run.code}: {' '.join(map(str, command))}\n{run.text[-1500:]}")
                    self.missed.append("hprof")
                    return None
                mine.append(run.cpu)
        return [min(mine) for mine in seconds]

    def dumps(self, thousands=5000):
        """heap=dump,format=b of a program that waits, and what HotSpot has built in."""
        ways = {"ours": (self.image, True), "HotSpot": (self.hotspot, True), "jmap": (self.hotspot, False)}
        found = {way: [] for way in ways}
        for _ in range(self.args.rounds):
            for way, (home, agent) in ways.items():
                found[way].append(self.dump(home, agent, thousands))
        print(f"heap dump of {thousands / 1000:g} million objects: objects per processor second; what a sleeping "
              f"thread saw of it")
        ours, theirs, own = (thousands * 1000 / min(seconds for seconds, _ in found[way]) for way in ways)
        print(f"  heap=dump,format=b ours {ours / 1e6:6.2f}M  HotSpot {theirs / 1e6:6.2f}M  ratio "
              f"{ours / theirs:5.2f}  "
              + self.verdict("heap dump", ours / theirs >= DUMP_BAR, f"at least {DUMP_BAR}"))
        print(f"  against jmap -dump ours {ours / 1e6:6.2f}M  HotSpot {own / 1e6:6.2f}M  ratio {ours / own:5.2f}  "
              + self.verdict("heap dump against jmap", ours / own >= OWN_DUMP_BAR, f"at least {OWN_DUMP_BAR}"))
        pauses = ", ".join(f"{way} {min(pause for _, pause in found[way])}" for way in ways)
        print(f"  pause, milliseconds of wall time: {pauses}")

    def dump(self, home, agent, thousands):
        """(processor seconds of the process, longest pause in milliseconds) of one dump."""
        target, out = self.work / "heap.hprof", self.work / "heap.out"
        target.unlink(missing_ok=True)
        options = [f"-agentpath:{self.build}/libhprof.so=heap=dump,format=b,doe=n,file={target}"] if agent else []
        with open(out, "wb") as sink:
            process = subprocess.Popen(list(map(str, self.java(home, ["-Xmx1g", "-Xms1g", *options], "Profiled", "heap",
                                                               thousands))),
                                       stdin=subprocess.PIPE, stdout=sink, stderr=subprocess.STDOUT, cwd=self.work)
        self.wait_for(process, out, "ready")
        before = cpu_of(process.pid)
        if agent:
            process.send_signal(signal.SIGQUIT)
            self.wait_for(process, out, "done.")
        else:
            subprocess.run([self.hotspot / "bin/jmap", f"-dump:format=b,file={target}", str(process.pid)], check=True,
                           stdout=subprocess.DEVNULL)
        seconds = cpu_of(process.pid) - before
        process.communicate(timeout=600)
        return seconds, int(re.search(r"held up (\d+)", out.read_text())[1])

    @staticmethod
    def wait_for(process, out, word):
        while word not in out.read_text():
            if process.poll() is not None:
                sys.exit(f"  exit {process.returncode}: {process.args}\n{out.read_text()[-1500:]}")
            time.sleep(0.02)

    def calls(self, n=32):
        calls = int(Measured(self.java(self.hotspot, [], "Profiled", "calls", n), self.work).text.split()[0])
        commands = [self.java(home, options, "Profiled", "calls", n)
                    for home in (self.image, self.hotspot) for options in ([], [self.profiled("cpu=times")])]
        seconds = self.least(commands)
        if not seconds:
            return
        ours, theirs = (1e9 * (seconds[i + 1] - seconds[i]) / calls for i in (0, 2))
        print(f"cpu=times: nanoseconds added to each of {calls / 1e6:.1f} million calls")
        print(f"  added per call     ours {ours:7.1f}  HotSpot {theirs:7.1f}  ratio {ours / theirs:5.2f}  "
              + self.verdict("cpu=times", ours / theirs <= CALL_BAR, f"at most {CALL_BAR}"))

    def sites(self):
        print("heap=sites, every allocation: CPU seconds of kernels without and with it, and their ratio")
        for kernel in ("allocation", "strings", "maps", "streams"):
            seconds = self.least([self.java(self.image, options, "Kernels", kernel)
                                  for options in ([], [self.profiled("heap=sites")])])
            if seconds:
                print(f"  {kernel:18} without {seconds[0]:5.2f}  with {seconds[1]:5.2f}    ratio "
                      f"{seconds[1] / seconds[0]:5.2f}  "
                      + self.verdict(f"heap=sites {kernel}", seconds[1] / seconds[0] <= SITES_BAR,
                                     f"at most {SITES_BAR}"), flush=True)

    def samples(self):
        """The kernels together: a single one of them varies by more than is asked for. And with samples as frequent as
        the kernel's tick lets them be, of whose cost the bar's interval of 10 ms has its part."""
        kernels, sums = ("calls", "maps", "streams", "sorting"), [0.0, 0.0]
        for kernel in kernels:
            seconds = self.least([self.java(self.image, options, "Kernels", kernel)
                                  for options in ([], [self.profiled(f"cpu=samples,interval={SAMPLES_INTERVAL_MS}")])],
                                 max(9, self.args.rounds))
            if not seconds:
                return
            sums = [total + one for total, one in zip(sums, seconds)]
        percent = 100 * (sums[1] / sums[0] - 1) * SAMPLES_INTERVAL_MS / 10
        print(f"cpu=samples at {SAMPLES_INTERVAL_MS} ms: CPU seconds of the kernels {', '.join(kernels)} without and "
              f"with it; percentage as at 10 ms")
        print(f"  overhead           without {sums[0]:5.2f}  with {sums[1]:5.2f}    {percent:5.2f} %  "
              + self.verdict("cpu=samples", percent < SAMPLES_BAR, f"less than {SAMPLES_BAR} %"))

    def shares(self):
        wanted = {"fifty": 50, "thirty": 30, "twenty": 20}
        need = SHARE_SAMPLES * SHARE_INTERVAL_MS // 1000 * 11 // 10
        options = self.profiled(f"cpu=samples,interval={SHARE_INTERVAL_MS},depth=1,cutoff=0")
        run = Measured(self.java(self.image, [options], "Profiled", "shares", need), self.work)
        if run.code != 0:
            print(f"  exit {run.code}: {run.text[-1500:]}")
            self.missed.append("shares")
            return
        counts = dict.fromkeys(wanted, 0)
        total = 0
        for count, method in re.findall(r"^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +\d+ (\S+)$",
                                        (self.work / "profile").read_text(), re.M):
            total += int(count)
            if method.startswith("Profiled.") and method[9:] in counts:
                counts[method[9:]] += int(count)
        print(f"cpu=samples: share of {total} samples on methods that share the processor by construction")
        enough = total >= SHARE_SAMPLES
        for method, share in wanted.items():
            percent = 100 * counts[method] / max(1, total)
            print(f"  {method:18} wanted {share:5.1f} %  found {percent:5.1f} %  "
                  + self.verdict(f"share of {method}", enough and abs(percent - share) <= SHARE_BAR,
                                 f"within {SHARE_BAR} points"))

    # --- watching -----------------------------------------------------------------------------------------------------

    def watch(self):
        self.instructions()
        self.unused_capabilities()
        self.unused()
        print("added by one event with an empty callback (exceptions, frame pops: by the pair): nanoseconds of thread "
              "CPU time")
        for row, bar in EVENTS.items():
            self.against(row, lambda what: bar)
        print("looked at: as each row says")
        for row in ("heap", "tags", "stack", "classes"):
            self.against(row, lambda what: next(bar for start, bar in LOOKS.items() if what.startswith(start)))
        self.early_hook()

    def unused(self):
        """What is set and not used: the medians of the runs' ratios. Of ours many runs, since a process may be a little
        slower than another."""
        print("set and not used: nanoseconds of thread CPU time for a turn of ordinary code; with it / without it, "
              "after it / before it")
        for row in UNUSED:
            ours = [self.watch_figures(self.image, row) for _ in range(UNUSED_RUNS)]
            theirs = [self.watch_figures(self.hotspot, row) for _ in range(UNUSED_RUNS_HOTSPOT)]
            for what in ours[0]:
                for name, figure in ((what, 1), ("  switched off again", 2)):
                    (turn, ratio), (turn2, ratio2) = ((statistics.median(r[what][figure] for r in runs),
                                                       statistics.median(r[what][figure] / r[what][0] for r in runs))
                                                       for runs in (ours, theirs))
                    self.watch_row(name, turn, turn2, ratio, ratio <= UNUSED_BAR, f"at most {UNUSED_BAR}",
                                   f"HotSpot {ratio2:.2f}", what)

    def watch_row(self, what, ours, theirs, ratio, good, bar, more="", of=""):
        verdict = self.verdict(f"{of}, {what.strip()}" if what.startswith(" ") else what, good, bar)
        print(f"  {what:38} ours {ours:10.3f}  HotSpot {theirs:10.3f}  ratio {ratio:6.3f}  {verdict}  {more}".rstrip(),
              flush=True)

    def against(self, row, bar_of):
        """A row's figures on both VMs, the best of the rounds, and the ratio against the bar; more is better where the
        unit is a rate."""
        rounds = [[self.watch_figures(home, row) for home in (self.image, self.hotspot)]
                  for _ in range(max(SHORT_ROUNDS, self.args.rounds))]
        for what in rounds[0][0]:
            figures = [[r[vm][what][0] for r in rounds if r[vm].get(what, [None])[0] is not None] for vm in (0, 1)]
            bar, rate = bar_of(what), re.search(r"/s$", what) is not None
            best = max if rate else min
            if not figures[1]:
                ours = best(figures[0])
                print(f"  {what:38} ours {ours:10.3f}  HotSpot       none                "
                      + self.verdict(what, ours <= bar[0], f"at most {bar[0]} ns"))
                self.off_again(what, rounds)
                continue
            ours, theirs = map(best, figures)
            ratio = ours / theirs
            ends = sorted(bar[0] / end for end in bar[1]) if bar else [1.0, 1.0]
            between = f"{ends[0]:.3g}" if ends[0] == ends[1] else f"{ends[0]:.3g}..{ends[1]:.3g}"
            good = ratio >= ends[0] if rate else ratio <= ends[1]
            self.watch_row(what, ours, theirs, ratio, good, f"at {'least' if rate else 'most'} {between}")
            self.off_again(what, rounds)

    def off_again(self, what, rounds):
        """Where a row has figures for it: the time of a turn after the event was switched off, over that before."""
        if len(rounds[0][0][what]) == 1:
            return
        after = [statistics.median(r[vm][what][2] for r in rounds) for vm in (0, 1)]
        ratios = [statistics.median(r[vm][what][2] / r[vm][what][1] for r in rounds) for vm in (0, 1)]
        self.watch_row("  switched off again", *after, ratios[0], ratios[0] <= UNUSED_BAR, f"at most {UNUSED_BAR}",
                       f"HotSpot {ratios[1]:.2f}", what)

    def watch_command(self, home, row, library, *rest):
        native = ["--enable-native-access=ALL-UNNAMED"] if self.args.jdk != "17" else []
        agent = [] if row == "nothing" else [f"-agentpath:{library}={row}"]
        return self.java(home, [*native, "-Xms1g", "-Xmx1g", *agent], "Watch", library, row, *map(str, rest))

    def watch_figures(self, home, row):
        """What one run of Watch says: {row's name: its figures}, None for a figure that there is not."""
        run = Measured(self.watch_command(home, row, self.build / "bench-native/libbench_watch.so"), self.work)
        found = {what: [None if f == "none" else float(f) for f in figures.split("\t")]
                 for what, figures in re.findall(r"^([^\t\n]+)\t([-\d.Ee\tno]+)$", run.text, re.M)}
        if run.code != 0 or not found:
            sys.exit(f"  exit {run.code}: {home}: {row}\n{run.text[-1500:]}")
        return found

    def unused_capabilities(self):
        """Every kernel without an agent and with one that holds every capability: the median of the ratios of runs in
        turn."""
        print("every potential capability, no event: nanoseconds of thread CPU time for a turn of the kernel; with "
              "the agent / without")
        runs = [[[self.watch_figures(home, row) for row in ("nothing", "everything")] for _ in range(count)]
                for home, count in ((self.image, UNUSED_RUNS), (self.hotspot, UNUSED_RUNS_HOTSPOT))]
        for what in runs[0][0][0]:
            ours, theirs = (statistics.median(held[what][0] for _, held in pairs) for pairs in runs)
            ratio, ratio2 = (statistics.median(held[what][0] / none[what][0] for none, held in pairs) for pairs in runs)
            self.watch_row(what, ours, theirs, ratio, ratio <= UNUSED_BAR, f"at most {UNUSED_BAR}",
                           f"HotSpot {ratio2:.2f}")

    def instructions(self):
        """The same without a clock: what our VM executes for a fixed number of turns of code that has run before."""
        if not shutil.which("valgrind"):
            print("instructions: no valgrind, not counted")
            return
        print("instructions of our VM for a turn (valgrind); with what is held or set / without it")
        names, held = self.instructions_of("everything")
        for name, on, off in zip(names, held, self.instructions_of("nothing")[1]):
            self.instructions_row(f"every capability, {name}", on, off)
        for row in UNUSED:
            (name,), (before, on, after) = self.instructions_of(row)
            self.instructions_row(name, on, before)
            self.instructions_row("  switched off again", after, before, name)

    def instructions_row(self, what, on, off, of=""):
        verdict = self.verdict(f"instructions, {of}{what}", on / off <= INSTRUCTIONS_BAR, f"at most {INSTRUCTIONS_BAR}")
        print(f"  {what:38} with {on:9.2f}  without {off:9.2f}  ratio {on / off:6.3f}  {verdict}", flush=True)

    def instructions_of(self, row):
        """Names of what a row runs, and for each call of Watch.counted the instructions of a turn."""
        counts = self.work / "callgrind"
        for old in self.work.glob("callgrind.*"):
            old.unlink()
        command = self.watch_command(self.image, row, self.build / "bench-native/libbench_watch.so", COUNTED_TURNS)
        run = Measured(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}",
                        "--toggle-collect=Java_Watch_counted",
                        "--dump-after=Java_Watch_counted", *command], self.work)
        found = [re.search(r"^totals: (\d+)", part.read_text(), re.M) for part in
                 sorted(self.work.glob("callgrind.*"), key=lambda part: int(part.suffix[1:]))]
        if run.code != 0 or not found or None in found:
            sys.exit(f"  exit {run.code}: {row}\n{run.text[-1500:]}")
        return re.findall(r"^([^\t\n=]+)\t[-\d.Ee\t]+$", run.text, re.M), [int(f[1]) / COUNTED_TURNS for f in found]

    def early_hook(self):
        """Start-up with a class file load hook that sees every class and changes none."""
        library = self.build / "bench-native/libbench_watch.so"
        commands = [self.java(home, [f"-agentpath:{library}=early-hook"] if agent else [], "Hello")
                    for home in (self.image, self.hotspot) for agent in (False, True)]
        runs = self.median(commands, lambda r: r.cpu, UNUSED_RUNS)
        print("early class file load hook, every class passing through: CPU milliseconds of Hello World; with the "
              "agent / without")
        if not runs:
            self.missed.append("early hook")
            return
        without, ours, theirs_without, theirs = (1000 * r.cpu for r in runs)
        self.watch_row("start-up", ours, theirs, ours / without, ours / without <= EARLY_HOOK_BAR,
                       f"at most {EARLY_HOOK_BAR}",
                       f"HotSpot {theirs / theirs_without:.2f}")

    # ---- the card table: our VM without it and with it ---------------------------------------------------------------

    def cards(self):
        image = self.card_image()
        print("card table: CPU seconds, and instructions for a turn where there is valgrind; with the table / without "
              "it (no bar)")
        for name, (turns, counted) in STORES.items():
            if self.args.kernel and name != self.args.kernel:
                continue
            times = [[], []]
            for _ in range(max(SHORT_ROUNDS, self.args.rounds)):
                for mine, home in zip(times, (self.image, image)):
                    mine.append(self.stored(home, name, turns).cpu)
            without, on = map(min, times)
            line = f"  {name:12} without {without:6.2f}  with {on:6.2f}  ratio {on / without:5.3f}"
            if shutil.which("valgrind"):
                off, on = (self.instructions_of_a_turn(home, name, counted) for home in (self.image, image))
                line += f"  instructions {off:10.1f} {on:10.1f}  ratio {on / off:5.3f}"
            print(line, flush=True)

    def card_image(self):
        """An image with the same library, built with the card table."""
        build = self.build / "bench-cards"
        cache = (self.build / "CMakeCache.txt").read_text()
        compiler = re.search(r"^CMAKE_C_COMPILER:\w+=(.*)$", cache, re.M)[1]
        for command in (["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DVITRINE_CARDS=ON",
                         f"-DCMAKE_C_COMPILER={compiler}"],
                        ["cmake", "--build", build, "--target", "jvm"],
                        [ROOT / "scripts/make_image.sh", self.hotspot, build, build / "image"]):
            made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if made.returncode != 0:
                sys.exit(f"{' '.join(map(str, command))}:\n{made.stdout[-3000:]}")
        return build / "image"

    def stored(self, home, name, turns, *prefix):
        run = Measured([*prefix, *self.java(home, [], "Stores", name, turns)], self.work)
        if run.code != 0:
            sys.exit(f"  exit {run.code}: {home}: {name}\n{run.text[-1500:]}")
        return run

    def instructions_of_a_turn(self, home, name, turns):
        """Start-up cancels out: the count of three times as many turns, less that of one."""
        counts = []
        for n in (turns, 3 * turns):
            run = self.stored(home, name, n, "valgrind", "--tool=callgrind",
                              f"--callgrind-out-file={self.work / 'callgrind'}")
            counts.append(int(re.search(r"Collected : (\d+)", run.text)[1]))
        return (counts[1] - counts[0]) / (2 * turns)

    def from_agent(self, options, home, thousands, pattern):
        """The two numbers that an agent printed about a run of Objects, (0, 0) where it did not."""
        run = Measured(self.java(home, options, "Objects", str(thousands)), self.work)
        found = re.search(pattern, run.text)
        if run.code or not found:
            print(f"  {home}: {' '.join(options)}: exit {run.code}\n{run.text[-1500:]}")
            self.missed.append("histogram")
            return 0, 0
        return float(found[1]), float(found[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--jdk", default="25")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="hello,kernels,javac,histogram,jni,hprof,watch")
    parser.add_argument("--kernel")
    args = parser.parse_args()
    if not (Path(args.build) / f"image-{args.jdk}").exists():
        print(f"no image-{args.jdk} in {args.build}: the bars are set for JDK 25; --jdk 17 measures the other library")
        sys.exit(1)
    bench = Bench(args)
    for part in args.only.split(","):
        getattr(bench, part)()
    print(f"missed: {', '.join(bench.missed)}" if bench.missed else "every bar met")


main()
