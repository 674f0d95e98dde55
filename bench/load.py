"""Servers under load, and the collector's pauses with much alive.

Jetty and H2 run on ours, on HotSpot as it comes and on HotSpot with C1 alone, in turn; the client (Load.java) runs on
HotSpot each time. Requests per second, and the server's processor time for each, medians. The pauses are those that
-Xlog:gc reports."""
import re
import statistics
import subprocess
import sys
from pathlib import Path

from hprof import cpu_of
from part import ROOT, Measured, Part

sys.path.append(str(ROOT / "tests/programs"))
from databases import free_port                                                       # noqa: E402
from program import jars                                                              # noqa: E402
from servers import JETTY, JETTY_PATH, SERVLETS                                       # noqa: E402

WARM, SECONDS, THREADS = 20, 15, 8
C1 = "-XX:TieredStopAtLevel=1"
# Requests per second against HotSpot as it comes, and with C1 alone, at least.
JETTY_BARS, DATABASE_BARS = (0.4, 0.75), (0.35, 0.75)
ALIVE, HEAP, CHURN = 1024, "-Xmx2g", 40
PAUSE_BAR = 0.5                          # of the longest pause of HotSpot's Serial collector, at most


class Load(Part):
    def run(self):
        self.servers("Jetty", self.jetty(), JETTY_BARS)
        self.servers("H2", self.database(), DATABASE_BARS)
        self.pauses()

    def jetty(self):
        """(class path, words of the server, what it says when it serves, words of its client), or None"""
        directory = self.work / "jetty"
        directory.mkdir(exist_ok=True)
        (directory / "Main.java").write_text(JETTY)
        (directory / "Servlets.java").write_text(SERVLETS.replace("PACKAGE", "javax"))
        compiled = subprocess.run([self.hotspot / "bin/javac", "-nowarn", "-cp", JETTY_PATH, "-d", directory,
                                   directory / "Main.java", directory / "Servlets.java"], capture_output=True)
        if compiled.returncode == 0:
            return f"{JETTY_PATH}:{directory}", ["Main", "PORT"], "SERVING", ["http", "PORT"]

    def database(self):
        """As jetty."""
        server = ["org.h2.tools.Server", "-tcp", "-tcpPort", "PORT", "-ifNotExists"]
        if not Path(jars("h2")).exists():
            return None
        url = "jdbc:h2:tcp://localhost:PORT/mem:load;DB_CLOSE_DELAY=-1"
        return jars("h2"), server, "TCP server running", ["sql", url]

    def servers(self, name, way, bars):
        if not way:
            print(f"{name}: its Debian package is not there, not measured")
            return
        homes = [(self.image, []), (self.hotspot, []), (self.hotspot, [C1])]
        found = [[] for _ in homes]
        for _ in range(self.args.rounds):
            for mine, (home, options) in zip(found, homes):
                if (figures := self.serve(home, options, *way)) is None:
                    return
                mine.append(figures)
        ours, *theirs = [[statistics.median(one) for one in zip(*mine)] for mine in found]
        print(f"{name} under {THREADS} clients: requests per second; milliseconds of the server's processor time for "
              f"each")
        for (rate, each), what, bar in zip(theirs, ("HotSpot", "C1 alone"), bars):
            print(f"  requests           ours {ours[0]:7.0f}  {what} {rate:7.0f}  ratio {ours[0] / rate:5.2f}  "
                  + self.verdict(f"{name} against {what}", ours[0] / rate >= bar, f"at least {bar}"))
            print(f"  processor time     ours {ours[1]:7.3f}  {what} {each:7.3f}  ratio {ours[1] / each:5.2f}",
                  flush=True)

    def serve(self, home, options, class_path, server, until, client):
        """(requests per second, the server's milliseconds for each) of one run"""
        port = str(free_port())
        words = [w.replace("PORT", port) for w in server]
        command = [home / "bin/java", "-Xmx512m", *options, "-cp", class_path, *words]
        with subprocess.Popen(list(map(str, command)), cwd=self.work, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            try:
                if not any(until in line for line in process.stdout):
                    print(f"  exit {process.wait()}: {' '.join(map(str, command))}")
                    self.wrong.append(words[0])
                    return None
                return self.load(process.pid, class_path, [w.replace("PORT", port) for w in client])
            finally:
                process.kill()

    def load(self, pid, class_path, words):
        command = self.java(self.hotspot, ["-Xmx512m"], "Load", *words, THREADS, WARM, SECONDS)
        command[command.index("-cp") + 1] += f":{class_path}"
        with subprocess.Popen(list(map(str, command)), cwd=self.work, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as client:
            said, used = "", {}
            for line in client.stdout:
                said += line
                if line.startswith(("begin", "end ")):
                    used[line.split()[0]] = cpu_of(pid)
        if client.returncode != 0 or "end" not in used:
            print(f"  exit {client.returncode}: {' '.join(map(str, command))}\n{said[-1500:]}")
            self.wrong.append("Load")
            return None
        rate, requests = re.search(r"end (\S+) (\d+)", said).groups()
        return float(rate), 1000 * (used["end"] - used["begin"]) / int(requests)

    def pauses(self):
        """The median of the pauses, and the longest one, from when the live part has been made."""
        ways = {"ours": (self.image, []), **{c: (self.hotspot, [f"-XX:+Use{c}GC"]) for c in ("Serial", "Parallel",
                                                                                            "G1")}}
        found = {}
        for way, (home, options) in ways.items():
            command = self.java(home, [HEAP, "-Xms2g", *options, "-Xlog:gc"], "Load", "alive", ALIVE, CHURN)
            run = Measured(command, self.work)
            if run.code != 0:
                return self.failed(run, command)
            each = [float(ms) for ms in re.findall(r"Pause .* ([\d.]+)ms", run.text.partition("begin")[2])]
            found[way] = statistics.median(each), max(each), len(each)
        print(f"pauses of the collector with {ALIVE / 1024:g} GB alive, {HEAP}, {CHURN} seconds: milliseconds, median "
              f"and longest")
        longest = found["ours"][1]
        for way, (median, most, count) in found.items():
            ratio = "" if way == "ours" else f"  ratio of the longest {longest / most:5.2f}"
            bar = "" if way != "Serial" else "  " + self.verdict("pauses", longest <= PAUSE_BAR * most,
                                                                  f"at most {PAUSE_BAR}")
            print(f"  {way:18} {median:7.0f} {most:7.0f}  of {count}{ratio}{bar}", flush=True)
