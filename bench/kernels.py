"""The kernels: Java programs of a second or two, each against HotSpot's interpreter and HotSpot as it comes."""
import math
import re
import zipfile

from part import ROOT, Measured, Part

BAR, MEAN_BAR = 1.5, 3.0                     # against -Xint
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
        print("kernels: CPU seconds; HotSpot -Xint, and HotSpot as it comes, divided by ours (higher is better)")
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
        """(HotSpot -Xint, HotSpot) over ours; None where a run failed or results differ."""
        runs = self.median([self.java(home, options, "Kernels", name) for home, options in
                            ((self.image, []), (self.hotspot, ["-Xint"]), (self.hotspot, []))], lambda r: r.cpu)
        if not runs:
            return None
        ours, interpreted, default = runs
        if not ours.text == interpreted.text == default.text:
            print(f"  {name}: results differ: {' / '.join(run.text.strip() for run in runs)}")
            self.wrong.append(name)
            return None
        ratio, of_default = interpreted.cpu / ours.cpu, default.cpu / ours.cpu
        print(f"  {name:20} ours {ours.cpu:6.2f}  -Xint {interpreted.cpu:6.2f}  default {default.cpu:6.2f}  ratio "
              f"{ratio:5.2f}, {of_default:5.2f}  " + self.verdict(name, ratio >= BAR, f"at least {BAR}"), flush=True)
        return ratio, of_default

    def summary(self, ratios):
        of_interpreter, of_default = (mean(column) for column in zip(*ratios.values()))
        print(f"  {'geometric mean':20} {'':41} ratio {of_interpreter:5.2f}, {of_default:5.2f}  "
              + self.verdict("kernels' mean", of_interpreter >= MEAN_BAR, f"at least {MEAN_BAR}"))
        least = min(ratios, key=ratios.get)
        print(f"  {'least':20} {least:41} ratio {ratios[least][0]:5.2f}, {ratios[least][1]:5.2f}")
