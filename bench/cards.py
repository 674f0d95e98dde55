"""The card table: our VM without it and with it."""
import re
import shutil
import subprocess
import sys

from part import ROOT, SHORT_ROUNDS, Measured, Part

# Turns of the kernels of bench/Stores.java on the clock, about a second, and under valgrind.
STORES = {"putfield": (20_000_000, 20_000), "putstatic": (20_000_000, 20_000), "aastore": (30_000_000, 20_000),
          "arraycopy": (8_000_000, 8000), "atomics": (8_000_000, 10_000), "trees": (15_000, 20), "sorting": (1500, 4),
          "maps": (5_000_000, 8000)}


class Cards(Part):
    def run(self):
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
