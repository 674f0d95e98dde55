#!/usr/bin/env python3
"""Runs one differential program on HotSpot and on our VM and compares standard output, error text and exit code.

Side files of tests/differential/<theme>/<Program>.java:
  <Program>.args   line 1: VM options; line 2: program arguments; further lines "javac: OPTIONS", "stdin: TEXT",
  "seconds: N",
                   "ignore: stderr", "hotspot: OPTIONS", "ours: OPTIONS" for HotSpot or for our VM alone (say why in
                   a line starting with #)
                   @LIBRARIES@ is the directory of the C libraries that programs call
  <Program>.jdk    the libraries it is for, for instance "25"; without the file all
HotSpot's run is kept in the cache, keyed by the class files, the arguments and the JDK.

With --under KIND --agent LIBRARY our VM, and only ours, runs it under the agent tests/agents/under_watch.c: what the
program does must be the same, the agent must have had something to do, and must have found nothing wrong.
tests/under_watch.txt names the lines of output that an agent may change.
"""
import argparse
import hashlib
import json
import os
import shlex
import struct
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
        if colon and key in ("javac", "stdin", "seconds", "ignore", "hotspot", "ours"):
            value = value.strip()
            if key == "stdin":
                options["stdin"] += (value + "\n").encode()
            elif key == "seconds":
                options["seconds"] = int(value)
            elif key == "ignore":
                options["ignore"] += value.split()
            elif key in ("hotspot", "ours"):
                options[key] = value.split()
            continue
        if position < 2:
            options[("vm", "args")[position]] = shlex.split(line)
        elif line.strip():
            sys.exit(f"{path}: not understood: {line}")
        position += 1
    return options


# HotSpot's compilers throw exceptions without message and trace where the same place has thrown often: whether they are
# there in time depends on how busy the machine is.
HOTSPOT_OPTIONS = ["-XX:-OmitStackTraceInFastThrow"]


def key_of(classes, options, hotspot, libraries):
    digest = hashlib.sha256()
    for file in sorted(classes.rglob("*.class")):
        digest.update(str(file.relative_to(classes)).encode())
        digest.update(file.read_bytes())
    digest.update(repr(sorted(options.items())).encode())
    if any("@LIBRARIES@" in argument for argument in options["vm"] + options["args"]):
        for file in sorted(libraries.iterdir()):
            digest.update(file.read_bytes())
    digest.update((hotspot / "release").read_bytes())
    digest.update(" ".join(HOTSPOT_OPTIONS).encode())
    return digest.hexdigest()


# How much longer than by itself a program may take, without being hung.
SLOWER = {"steps": 10, "methods": 4, "fields": 4, "retransform": 4, "suspend": 6, "references": 6, "samples": 2}


class Watch:
    """The agent that our VM runs the program under; see tests/agents/under_watch.c."""

    def __init__(self, args):
        self.kind, self.agent, self.scale = args.under, args.agent, SLOWER[args.under]
        self.file = Path(args.work).absolute() / f"{args.jdk}.{args.program.replace('/', '.')}.{args.under}.record"
        self.excused = {"out": set(), "err": set()}
        for line in Path(args.source).with_name("under_watch.txt").read_text().splitlines():
            if line and not line.startswith("#"):
                kinds, library, program, part, number = line.split()
                if args.under in kinds.split(",") and library in ("*", args.jdk) and program == args.program:
                    self.excused[part].add(int(number))

    def options(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.unlink(missing_ok=True)
        return [f"-agentpath:{self.agent}={self.kind},{self.file}"]

    def without_excused(self, record):
        """The record of a run without the lines that this kind may change; counted from 1."""
        kept = {part: "".join(line for number, line in enumerate(record[part].splitlines(True), 1)
                              if number not in excused)
                for part, excused in self.excused.items()}
        return {**record, **kept}

    def complaint(self):
        """What the agent says against the run, None if nothing."""
        if not self.file.exists():
            return "the agent has not started"
        events, mistakes, first = struct.unpack_from("=qq240s", self.file.read_bytes())
        self.file.unlink()
        if mistakes:
            return f"{mistakes} mistakes; the first: {first.partition(bytes(1))[0].decode(errors='replace')}"
        return None if events else "the agent has seen no event"


class Program:
    def __init__(self, args):
        self.theme, self.name = args.program.split("/")
        self.options = read_side_file(Path(args.source) / self.theme / f"{self.name}.args")
        self.libraries = Path(args.libraries)
        self.watch = Watch(args) if args.under else None
        self.cache = Path(args.cache)
        self.classes = self.cache / f"classes-{args.jdk}" / self.theme / self.name
        self.hotspot = Path(args.hotspot)
        self.ours = harness.vm_under_test(args.image)
        self.label = f"{args.jdk}.{self.theme}.{self.name}"
        self.work = Path(args.work)

    def command(self, home, extra):
        vm, arguments = ([a.replace("@LIBRARIES@", str(self.libraries)) for a in self.options[part]]
                         for part in ("vm", "args"))
        return [*harness.java(home), *extra, *vm, "-cp", self.classes, self.name, *arguments]

    def run_hotspot(self):
        cwd = harness.fresh_directory(self.work / f"{self.label}.hotspot.{os.getpid()}")
        command = self.command(self.hotspot, HOTSPOT_OPTIONS + self.options.get("hotspot", []))
        outcome = harness.run(command, cwd, self.options["seconds"], stdin=self.options["stdin"])
        text = {"out": self.comparable(outcome.out, self.hotspot, cwd),
                "err": self.comparable(outcome.err, self.hotspot, cwd),
                "ended": outcome.ended()}
        harness.shutil.rmtree(cwd, ignore_errors=True)
        return text

    def oracle(self):
        key = key_of(self.classes, self.options, self.hotspot, self.libraries)
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
        places = [(home, "<JDK>"), (home.resolve(), "<JDK>"), (cwd, "<WORK>"), (self.classes, "<CLASSES>"),
                  (self.libraries, "<LIBRARIES>")]
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
        if expected["ended"].startswith("killed"):
            print(f"HotSpot is {expected['ended']}: this program can only be a command test\n{expected['err']}")
            return 1
        cwd = harness.fresh_directory(self.work / (f"{self.label}.{self.watch.kind}" if self.watch else self.label))
        extra = harness.vm_options() + self.options.get("ours", []) + (self.watch.options() if self.watch else [])
        command = self.command(self.ours, extra)
        seconds = self.options["seconds"] * harness.time_scale() * (self.watch.scale if self.watch else 1)
        outcome = harness.run(command, cwd, seconds, ours=True, stdin=self.options["stdin"])
        actual = {"out": self.comparable(outcome.out, self.ours, cwd),
                  "err": self.comparable(outcome.err, self.ours, cwd),
                  "ended": outcome.ended()}
        wrong = self.differing(expected, actual)
        complaint = self.watch.complaint() if self.watch else None
        if complaint:
            print(complaint)
        if not wrong:
            return 1 if complaint else 0
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
        if self.watch:
            expected, actual = self.watch.without_excused(expected), self.watch.without_excused(actual)
        return [p for p in parts if expected[p] != actual[p] and parts[p] not in self.options["ignore"]]


def main():
    parser = argparse.ArgumentParser()
    for name in ("jdk", "hotspot", "image", "source", "program", "cache", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--under", choices=SLOWER)
    parser.add_argument("--agent")
    parser.add_argument("--libraries", default=".")
    sys.exit(Program(parser.parse_args()).run())


main()
