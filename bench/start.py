"""Hello World, and javac on many files."""
import sys

from part import ROOT, Part

sys.path.insert(0, str(ROOT / "tests/run"))
import sources  # noqa: E402

HELLO_TIME_BAR, HELLO_MEMORY_BAR = 2.0, 30.0
JAVAC_TIME_BAR, JAVAC_MEMORY_BAR = 1.3, 1.0


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
