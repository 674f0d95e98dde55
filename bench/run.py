#!/usr/bin/env python3
"""make bench: our VM and HotSpot in turn, on the same JDK, the same class files and the same agent, and their ratios.

Usage: run.py --build DIR [--jdk 25] [--rounds 3]
              [--only kernels,hello,javac,compiled,histogram,jni,hprof,watch,load,cards] [--kernel NAME]

cards is measured only when asked for: it builds a second library, with the card table, and compares ours with ours.

Times are the processes' own (jni, watch: the threads' own), from the kernel (user + system), of several rounds, ours
and HotSpot's in turn. The median counts, or where a run is short (compiled, jni, hprof, watch) the best one, which
other work on the machine disturbs least. Each line ends with the bar that the ratio has to pass, and "met" or
"MISSED"; the program never fails on a time, but it does where a run fails, or a kernel computes something else than
on HotSpot.
"""
import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from cards import Cards
from histogram import Histogram
from hprof import Hprof
from jni import Jni
from kernels import Kernels, languages
from load import Load
from part import ROOT, Part
from start import Compiled, Hello, Javac
from watch import Watch

PARTS = {"hello": Hello, "kernels": Kernels, "javac": Javac, "compiled": Compiled, "histogram": Histogram,
         "jni": Jni, "hprof": Hprof, "watch": Watch, "load": Load, "cards": Cards}


def compile_classes(part):
    """The programs of bench/ for the JDK at hand."""
    shutil.rmtree(part.work, ignore_errors=True)
    (part.work / "classes").mkdir(parents=True)
    directories = [ROOT / "bench", *(path for version, path in languages() if version <= int(part.args.jdk))]
    subprocess.run([part.hotspot / "bin/javac", "-d", part.work / "classes",
                    *(source for directory in directories for source in sorted(directory.glob("*.java")))], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--jdk", default="25")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(part for part in PARTS if part != "cards"))
    parser.add_argument("--kernel")
    args = parser.parse_args()
    if not (Path(args.build) / f"image-{args.jdk}").exists():
        print(f"no image-{args.jdk} in {args.build}: the bars are set for JDK 25; --jdk 17 measures the other library")
        sys.exit(1)
    shared = (args, Path(args.build).resolve() / "bench", [], [])
    compile_classes(Part(*shared))
    parts = [PARTS[name](*shared) for name in args.only.split(",")]
    for part in parts:
        part.run()
    *_, missed, wrong = shared
    print(f"missed: {', '.join(missed)}" if missed else "every bar met")
    if wrong:
        print(f"wrong: {', '.join(wrong)}")
        sys.exit(1)


main()
