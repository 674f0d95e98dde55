"""The kernels: Java programs of a second or two, each against HotSpot's interpreter, its first compiler alone, and
HotSpot as it comes."""
import math
import re
import zipfile
from typing import NamedTuple

from part import ROOT, Measured, Part


class Mode(NamedTuple):
    """Of HotSpot; its time over ours is to be `bar` in each kernel, `mean_bar` in the geometric mean."""
    name: str
    options: list
    bar: float
    mean_bar: float


MODES = [Mode("-Xint", ["-Xint"], 1.5, 3.0), Mode("C1", ["-XX:TieredStopAtLevel=1"], 0.6, 1.0),
         Mode("default", [], 0, 0.8)]
JAR_CLASSES = 3000                           # as LoadingKernels.classesOfJar


def languages():
    """(version, directory) of kernels that only compile with the language of a later JDK."""
    return sorted((int(path.name.removeprefix("since-")), path) for path in (ROOT / "bench").glob("since-*"))


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


class Kernels(Part):
    def __init__(self, *given):
        super().__init__(*given)
        self.class_path.append(self.work / "made.jar")

    def run(self):
        self.make_jar()
        names = Measured(self.java(self.hotspot, [], "Kernels"), self.work).text.split()
        if self.args.kernel:
            names = [name for name in names if name == self.args.kernel]
        print("kernels: CPU seconds; HotSpot -Xint, with C1 alone, and as it comes, divided by ours (higher is better)")
        self.left_out()
        ratios = {name: found for name in names if (found := self.kernel(name))}
        if ratios:
            self.summary(ratios)

    def make_jar(self):
        """Copies of the class Made0000 under other names; see LoadingKernels.java."""
        template = (self.work / "classes/Made0000.class").read_bytes()
        with zipfile.ZipFile(self.work / "made.jar", "w", zipfile.ZIP_DEFLATED) as jar:
            for number in range(1, JAR_CLASSES + 1):
                jar.writestr(f"Made{number:04}.class", template.replace(b"Made0000", b"Made%04d" % number))

    def left_out(self):
        for version, directory in languages():
            if version > int(self.args.jdk):
                text = "".join(source.read_text() for source in sorted(directory.glob("*.java")))
                for method in re.findall(r"public static long (\w+)\(\)", text):
                    name = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", method).lower()
                    print(f"  {name:20} left out: needs the language of JDK {version}")

    def kernel(self, name):
        """HotSpot by its modes over ours; None where a run failed or results differ."""
        runs = self.median([self.java(home, options, "Kernels", name) for home, options in
                            ((self.image, []), *((self.hotspot, mode.options) for mode in MODES))], lambda r: r.cpu)
        if not runs:
            return None
        if any(run.text != runs[0].text for run in runs):
            print(f"  {name}: results differ: {' / '.join(run.text.strip() for run in runs)}")
            self.wrong.append(name)
            return None
        ours, *others = (run.cpu for run in runs)
        ratios = [other / ours for other in others]
        times = "  ".join(f"{mode.name} {other:5.2f}" for mode, other in zip(MODES, others))
        self.line(name, f"ours {ours:5.2f}  {times}", ratios, [mode.bar for mode in MODES])
        return ratios

    def line(self, name, text, ratios, bars):
        met = all(ratio >= bar for ratio, bar in zip(ratios, bars))
        print(f"  {name:20} {text:48} ratios {', '.join(f'{ratio:5.2f}' for ratio in ratios)}  "
              + self.verdict(name, met, "at least " + ", ".join(map(str, bars))), flush=True)

    def summary(self, ratios):
        columns = list(zip(*ratios.values()))
        self.line("kernels' mean", "", [mean(column) for column in columns], [mode.mean_bar for mode in MODES])
        for mode, column in zip(MODES, columns):
            least = min(ratios, key=lambda name: ratios[name][MODES.index(mode)])
            print(f"  least of {mode.name:11} {least:48} ratio {min(column):6.2f}")
