"""HPROF: the same library on both VMs; processor time of the process, the least of several runs in turn."""
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from part import Measured, Part

DUMP_BAR, OWN_DUMP_BAR = 3.0, 1.0
CALL_BAR = 0.2
SITES_BAR = 3.0
SAMPLES_BAR, SAMPLES_INTERVAL_MS = 1.0, 4
SHARE_BAR, SHARE_SAMPLES, SHARE_INTERVAL_MS = 3.0, 5000, 4


def cpu_of(pid):
    """Processor seconds that a living process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Hprof(Part):
    def run(self):
        self.dumps()
        self.calls()
        self.sites()
        self.samples()
        self.shares()

    def profiled(self, options):
        """Option for a profile that goes nowhere."""
        return f"-agentpath:{self.build}/libhprof.so={options},verbose=n,file={self.work}/profile"

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
        """Against the interpreter: compiled code makes objects that nobody counts for next to nothing."""
        print("heap=sites, every allocation: CPU seconds of kernels without it, interpreted, and with it; their ratio")
        for kernel in ("allocation", "strings", "maps", "streams"):
            seconds = self.least([self.java(self.image, options, "Kernels", kernel)
                                  for options in (["-Xint"], [self.profiled("heap=sites")])])
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
            self.failed(run, ["shares"])
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
