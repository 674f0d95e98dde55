#!/usr/bin/env python3
"""Runs one differential program on HotSpot and on our VM and compares standard output, error text and exit code.

Side files of tests/differential/<theme>/<Program>.java:
  <Program>.args   line 1: VM options; line 2: program arguments; further lines "javac: OPTIONS", "stdin: TEXT", "seconds: N",
                   "ignore: stderr" (say why in a line starting with #)
  <Program>.jdk    the libraries it is for, for instance "25"; without the file all
HotSpot's run is kept in the cache, keyed by the class files, the arguments and the JDK.
"""
import argparse
import hashlib
import json
import os
import shlex
import sys
from pathlib import Path

import harness


def read_side_file(path):
    options = {"vm": [], "args": [], "stdin": b"", "seconds": 240, "ignore": []}
    if not path.exists():
        return options
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    position = 0
    for line in lines:
        key, colon, value = line.partition(":")
        if colon and key in ("javac", "stdin", "seconds", "ignore"):
            value = value.strip()
            if key == "stdin":
                options["stdin"] += (value + "\n").encode()
            elif key == "seconds":
                options["seconds"] = int(value)
            elif key == "ignore":
                options["ignore"] += value.split()
            continue
        if position < 2:
            options[("vm", "args")[position]] = shlex.split(line)
        elif line.strip():
            sys.exit(f"{path}: not understood: {line}")
        position += 1
    return options


def key_of(classes, options, hotspot):
    digest = hashlib.sha256()
    for file in sorted(classes.rglob("*.class")):
        digest.update(str(file.relative_to(classes)).encode())
        digest.update(file.read_bytes())
    digest.update(repr(sorted(options.items())).encode())
    digest.update((hotspot / "release").read_bytes())
    return digest.hexdigest()


class Program:
    def __init__(self, args):
        self.theme, self.name = args.program.split("/")
        self.options = read_side_file(Path(args.source) / self.theme / f"{self.name}.args")
        self.cache = Path(args.cache)
        self.classes = self.cache / f"classes-{args.jdk}" / self.theme / self.name
        self.hotspot = Path(args.hotspot)
        self.ours = harness.vm_under_test(args.image)
        self.label = f"{args.jdk}.{self.theme}.{self.name}"
        self.work = Path(args.work)

    def command(self, home, extra):
        return [home / "bin/java", *extra, *self.options["vm"], "-cp", self.classes, self.name, *self.options["args"]]

    def run_hotspot(self):
        cwd = harness.fresh_directory(self.work / f"{self.label}.hotspot.{os.getpid()}")
        outcome = harness.run(self.command(self.hotspot, []), cwd, self.options["seconds"], stdin=self.options["stdin"])
        text = {"out": self.comparable(outcome.out, self.hotspot, cwd), "err": self.comparable(outcome.err, self.hotspot, cwd),
                "ended": outcome.ended()}
        harness.shutil.rmtree(cwd, ignore_errors=True)
        return text

    def oracle(self):
        key = key_of(self.classes, self.options, self.hotspot)
        kept = self.cache / "oracle" / f"{self.label}.json"
        if kept.exists():
            record = json.loads(kept.read_text())
            if record["key"] == key:
                return record
        record = {"key": key, **self.run_hotspot()}
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(record))
        partial.replace(kept)
        return record

    def comparable(self, text, home, cwd):
        places = [(home, "<JDK>"), (home.resolve(), "<JDK>"), (cwd, "<WORK>"), (self.classes, "<CLASSES>")]
        return harness.normalise(text, places)

    def run(self):
        errors = self.classes / "errors.txt"
        if errors.exists():
            print(f"does not compile:\n{errors.read_text()}")
            return 1
        if not self.classes.is_dir():
            print(f"not compiled: {self.classes} is missing (test diff.compile does that)")
            return 1
        expected = self.oracle()
        cwd = harness.fresh_directory(self.work / self.label)
        command = self.command(self.ours, harness.vm_options())
        outcome = harness.run(command, cwd, self.options["seconds"] * harness.time_scale(), ours=True,
                              stdin=self.options["stdin"])
        actual = {"out": self.comparable(outcome.out, self.ours, cwd), "err": self.comparable(outcome.err, self.ours, cwd),
                  "ended": outcome.ended()}
        wrong = self.differing(expected, actual)
        if not wrong:
            return 0
        again = self.run_hotspot()
        if self.differing(expected, again):
            print("HotSpot's own output differs from one run to the next: the program is not deterministic")
            for part in self.differing(expected, again):
                harness.show_difference(part, expected[part], again[part])
        print(shlex.join(str(c) for c in command), f"\n(in {cwd})")
        for part in wrong:
            if part == "ended":
                print(f"ended: HotSpot {expected['ended']}, ours {actual['ended']}")
            else:
                print("standard output:" if part == "out" else "error text:")
                harness.show_difference(part, expected[part], actual[part])
        harness.show_crash_reports(cwd)
        return 1

    def differing(self, expected, actual):
        parts = {"out": "stdout", "err": "stderr", "ended": "exit"}
        return [p for p in parts if expected[p] != actual[p] and parts[p] not in self.options["ignore"]]


def main():
    parser = argparse.ArgumentParser()
    for name in ("jdk", "hotspot", "image", "source", "program", "cache", "work"):
        parser.add_argument(f"--{name}", required=True)
    sys.exit(Program(parser.parse_args()).run())


main()
