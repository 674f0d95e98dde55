"""Hello World, javac on many files, and what it costs to compile those of javac's methods that are hot."""
import re
import sys

from part import ROOT, SHORT_ROUNDS, Part

sys.path.insert(0, str(ROOT / "tests/run"))
import sources  # noqa: E402

HELLO_TIME_BAR, HELLO_MEMORY_BAR = 2.0, 20.0
JAVAC_XINT_BAR, JAVAC_TIME_BAR, JAVAC_WALL_BAR, JAVAC_MEMORY_BAR = 0.4, 1.25, 1.3, 1.0
# For each byte of bytecode: bytes of machine code, and nanoseconds.
CODE_BARS = {"the baseline compiler alone": (["-XX:TieredStopAtLevel=1"], 8, 100), "both compilers": ([], None, 3333)}


class Hello(Part):
    def run(self):
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


class Javac(Part):
    def run(self, count=200):
        module = "jdk.compiler"
        files = sources.extract(self.hotspot, self.work / "src", {module: count})[module]
        arguments = self.work / "javac.arguments"
        arguments.write_text("\n".join([f"--patch-module={module}={self.work / 'src' / module}", "-nowarn",
                                        "-Xlint:none", "-proc:none",
                                        "-d", str(self.work / "javac.classes"), *files]))
        command = lambda home, *options: [home / "bin/javac", *(f"-J{o}" for o in ("-Xmx512m", *options)),
                                          f"@{arguments}"]
        runs = self.median([command(self.image), *(command(self.hotspot, "-XX:+UseSerialGC", option)
                                                   for option in ("-XX:TieredStopAtLevel=1", "-Xint"))],
                           lambda r: r.cpu)
        print(f"javac of {count} files, -Xmx512m: CPU and wall seconds, peak megabytes, against HotSpot "
              "-XX:+UseSerialGC with C1 alone, and -Xint")
        if not runs:
            self.missed.append("javac")
            return
        ours, c1, xint = runs
        for what, a, b, bar in (("CPU, C1", ours.cpu, c1.cpu, JAVAC_TIME_BAR),
                                ("wall, C1", ours.wall, c1.wall, JAVAC_WALL_BAR),
                                ("memory, C1", ours.memory, c1.memory, JAVAC_MEMORY_BAR),
                                ("CPU, -Xint", ours.cpu, xint.cpu, JAVAC_XINT_BAR)):
            print(f"  {what:18} ours {a:7.1f}  HotSpot {b:7.1f}  ratio {a / b:5.2f}  "
                  + self.verdict(f"javac {what}", a / b <= bar, f"at most {bar}"))


class Compiled(Part):
    """Of each compilation the log has its sizes, and its time on the clock, in which other threads may have run: the
    shortest counts that a method took in any run."""

    def run(self):
        print("what javac on the programs of bench/ has compiled: for each byte of bytecode")
        for compilers, (options, size_bar, time_bar) in CODE_BARS.items():
            self.compare(compilers, options, size_bar, time_bar)

    def compare(self, compilers, options, size_bar, time_bar):
        command = [self.image / "bin/javac", *(f"-J{o}" for o in ("-Xlog:jit=debug", *options)),
                   "-d", self.work / "again", *sorted((ROOT / "bench").glob("*.java"))]
        runs = self.in_turn([command], max(SHORT_ROUNDS, self.args.rounds))
        if not runs:
            self.missed.append("compiled code")
            return
        logs = [self.compilations(run.text) for run in runs[0]]
        bytecode, code, tables, _ = (sum(column) for column in zip(*logs[0].values()))
        nanos = sum(min(log[method][-1] for log in logs if method in log) for method in logs[0])
        print(f"  {compilers}: {len(logs[0])} methods, {bytecode} bytes")
        for what, figure, bar in (("machine code, bytes", code, size_bar), ("time, ns", nanos, time_bar)):
            verdict = self.verdict(f"{what}, {compilers}", figure <= bar * bytecode, f"at most {bar}") if bar else ""
            print(f"  {what:20} {figure / bytecode:7.2f}  {verdict}")
        print(f"  {'tables, bytes':20} {tables / bytecode:7.2f}")

    @staticmethod
    def compilations(log):
        """By method: (bytes of bytecode, of machine code, of tables, nanoseconds)."""
        rows = re.findall(r"(\S+): (\d+) bytes of bytecode, (\d+) of machine code, (\d+) of tables, (\d+) ns", log)
        return {method: tuple(map(int, figures)) for method, *figures in rows}
