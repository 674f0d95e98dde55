"""Hello World, javac on many files, and what it costs to compile those of javac's methods that are hot."""
import re
import shutil
import sys

from part import ROOT, SHORT_ROUNDS, Measured, Part

sys.path.insert(0, str(ROOT / "tests/run"))
import sources  # noqa: E402

HELLO_TIME_BAR, HELLO_MEMORY_BAR, HELLO_INSTRUCTIONS_BAR = 2.0, 20.0, 1.03
FEW_FILES, FEW_HOTSPOT_BAR, FEW_XINT_BAR = 12, 1.2, 1.0
JAVAC_XINT_BAR, JAVAC_TIME_BAR, JAVAC_WALL_BAR, JAVAC_MEMORY_BAR = 0.4, 1.25, 1.3, 1.0
# For each byte of bytecode: bytes of machine code, and nanoseconds.
CODE_BARS = {"the baseline compiler alone": (["-XX:TieredStopAtLevel=1"], 8, 100), "both compilers": ([], None, 3333)}


def javac_arguments(part, count, more=()):
    """A file of arguments that let javac compile so many files of its own, None for all."""
    module, name = "jdk.compiler", count or "all"
    directory = part.work / f"src-{name}"
    files = sources.extract(part.hotspot, directory, {module: count})[module]
    arguments = part.work / f"javac.{name}.arguments"
    arguments.write_text("\n".join([f"--patch-module={module}={directory / module}", "-nowarn", "-Xlint:none",
                                    "-proc:none", *more, "-d", str(part.work / "javac.classes"), *files]))
    return arguments


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
        self.instructions()

    def instructions(self):
        """What the compilers cost a program that is over before they pay."""
        if not shutil.which("valgrind"):
            print("  instructions       no valgrind, not counted")
            return
        with_code, without = (self.instructions_of(option) for option in ("-Xmixed", "-Xint"))
        print(f"  instructions       ours {with_code / 1e6:6.2f}M  ours -Xint {without / 1e6:6.2f}M  ratio "
              f"{with_code / without:5.3f}  "
              + self.verdict("hello instructions", with_code <= HELLO_INSTRUCTIONS_BAR * without,
                             f"at most {HELLO_INSTRUCTIONS_BAR}"))

    def instructions_of(self, option):
        run = Measured(["valgrind", "--tool=callgrind", "--smc-check=all", "--callgrind-out-file=/dev/null",
                        *self.java(self.image, [option], "Hello")], self.work)
        if run.code != 0:
            sys.exit(f"  exit {run.code}: Hello\n{run.text[-1500:]}")
        return int(re.search(r"Collected : (\d+)", run.text)[1])


class Javac(Part):
    def command(self, count):
        """By home and options: javac on so many files of its own."""
        arguments = javac_arguments(self, count)
        return lambda home, *options: [home / "bin/javac", *(f"-J{o}" for o in ("-Xmx512m", *options)),
                                       f"@{arguments}"]

    def run(self):
        self.many()
        self.few()

    def few(self):
        """So few that start-up and compilation are much of it."""
        command = self.command(FEW_FILES)
        runs = self.median([command(self.image), command(self.hotspot), command(self.image, "-Xint")], lambda r: r.wall)
        print(f"javac of {FEW_FILES} files, -Xmx512m: wall seconds, against HotSpot as it comes, and ours -Xint")
        if not runs:
            self.missed.append(f"javac of {FEW_FILES} files")
            return
        for what, other, bar in (("HotSpot", runs[1], FEW_HOTSPOT_BAR), ("ours -Xint", runs[2], FEW_XINT_BAR)):
            ratio = runs[0].wall / other.wall
            print(f"  {what:18} ours {runs[0].wall:7.2f}  other   {other.wall:7.2f}  ratio {ratio:5.2f}  "
                  + self.verdict(f"javac of {FEW_FILES} files, {what}", ratio <= bar, f"at most {bar}"))

    def many(self, count=200):
        command = self.command(count)
        c1, serial = "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"
        runs = self.median([command(self.image), command(self.hotspot, c1), command(self.hotspot, serial, c1),
                            command(self.hotspot, serial, "-Xint")], lambda r: r.cpu)
        print(f"javac of {count} files, -Xmx512m: CPU and wall seconds, peak megabytes, against HotSpot with C1 alone, "
              "the collector as it comes, and the serial one, and against -Xint")
        if not runs:
            self.missed.append("javac")
            return
        ours, c1, serial, xint = runs
        rows = [("CPU, -Xint", ours.cpu, xint.cpu, JAVAC_XINT_BAR)]
        for name, other in (("C1", c1), ("C1, serial", serial)):
            rows += [(f"CPU, {name}", ours.cpu, other.cpu, JAVAC_TIME_BAR),
                     (f"wall, {name}", ours.wall, other.wall, JAVAC_WALL_BAR),
                     (f"memory, {name}", ours.memory, other.memory, JAVAC_MEMORY_BAR)]
        for what, a, b, bar in rows:
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
