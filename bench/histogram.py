"""The class histogram, and what tags cost."""
import os
import re
import statistics
import subprocess

from part import ROOT, Measured, Part
from start import javac_arguments

HISTOGRAM_SPEED_BAR, HISTOGRAM_BYTES_BAR, MAIN_JOB_BAR = 8.0, 12.0, 1.0
# When the main job's histogram is taken (scripts/main_job.py): all is attributed, nothing generated.
HEIGHT = "com.sun.tools.javac.jvm.Code$State"


class Histogram(Part):
    def run(self):
        self.objects()
        self.main_job()

    def main_job(self):
        """The objects of a compiler, of many classes and referring to each other, in the middle of its work."""
        print("class histogram in the main job, javac on all its files: objects per second")
        agent = f"-agentpath:{self.build}/libhistogram.so=at={HEIGHT},gc,time,top=1"
        arguments = javac_arguments(self, None, ["-XDcompilePolicy=simple"])
        self.compare("histogram of the main job", MAIN_JOB_BAR, lambda home: self.figures(
            [home / "bin/javac", "-J-Xmx512m", f"-J{agent}", f"@{arguments}"], r"(\d+) objects in ([\d.]+) ms"))

    def compare(self, what, bar, figures):
        """figures(home): how many objects were counted, and the milliseconds that took; no objects: it failed."""
        speeds = [[], []]
        for _ in range(self.args.rounds):
            for mine, home in zip(speeds, (self.image, self.hotspot)):
                objects, milliseconds = figures(home)
                if not objects:
                    return False
                mine.append(objects / milliseconds * 1000)
        ours, theirs = map(statistics.median, speeds)
        print(f"  objects per second ours {ours / 1e6:6.2f}M  HotSpot {theirs / 1e6:6.2f}M  ratio "
              f"{ours / theirs:5.2f}  " + self.verdict(what, ours / theirs >= bar, f"at least {bar}"))
        return True

    def objects(self, thousands=5000):
        agent = f"-agentpath:{self.build}/libhistogram.so=top=5,time"
        print(f"class histogram over {thousands / 1000:g} million objects: objects per second, bytes per tag")
        homes = (self.image, self.hotspot)
        heap = ["-Xmx1g", "-Xms1g"]
        counting = r"(\d+) objects in ([\d.]+) ms"
        if not self.compare("histogram speed", HISTOGRAM_SPEED_BAR,
                            lambda home: self.from_agent([*heap, agent], home, thousands, counting)):
            return
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

    def from_agent(self, options, home, thousands, pattern):
        """The two numbers that an agent printed about a run of Objects, (0, 0) where it did not."""
        return self.figures(self.java(home, options, "Objects", str(thousands)), pattern)

    def figures(self, command, pattern):
        run = Measured(command, self.work)
        found = re.search(pattern, run.text)
        if run.code or not found:
            self.failed(run, command)
            return 0, 0
        return float(found[1]), float(found[2])
