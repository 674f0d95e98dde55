"""JNI by operations, and virtual machines created and destroyed."""
import re
import statistics
import sys

from part import SHORT_ROUNDS, Measured, Part

CREATE_BAR = 2.0
# Rows of bench/Jni.java by how they begin: the VM whose time ours must not exceed. The others have no bar.
JNI_BARS = {"native call": "HotSpot", "up-call": "HotSpot", "field": "HotSpot", "reference": "HotSpot",
            "attach": "HotSpot"}


class Jni(Part):
    def run(self):
        library = self.build / "bench-native/libbench_jni.so"
        native = ["--enable-native-access=ALL-UNNAMED"] if self.args.jdk != "17" else []
        commands = [self.java(home, [*native, *options], "Jni", library)
                    for home, options in ((self.image, []), (self.hotspot, []), (self.hotspot, ["-Xint"]))]
        times = [{} for _ in commands]
        for _ in range(max(SHORT_ROUNDS, self.args.rounds)):
            for mine, command in zip(times, commands):
                run = Measured(command, self.work)
                if run.code != 0:
                    self.failed(run, command)
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
