#!/usr/bin/env python3
"""Builds and runs the tests, in all modes, and sums them up.

Usage: run_tests.py [--build DIR] [--full] [--only REGEX] [--modes NAME,...] [--times N] [--beside N]

Without --full: every test once in the release build, the sample (tests/sample.txt; SMALL_SAMPLE) in the other
modes, the fuzz targets; tests whose name ends in _full (label "full") not at all. With --full: every test in every
mode in which it makes sense, and docs/testing.md records the result of each mode when it ends. --modes runs the named
modes only.
--times runs all that so many times, or until something fails; --beside has so many busy loops run beside it: what
passes in a row under load does not depend on chance.
The last line is "N passed, N failed, N skipped"; exit 0 only if something passed and nothing failed.
"""
import argparse
import contextlib
import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# name, suffix of the build directory, make variables, VM options, how much slower a test may be, CTest selection of the
# mode, what is left out of it (a regular expression), what the mode is for
#   watch_full.* is a mode of its own, watched: every differential program under every agent of
#   tests/agents/under_watch.c. Their sample (watch.*) runs in the other modes too.
#   lint asks about sources and tables: once is enough.
#   stress is the release build with options: only tests that hand them to our VM differ from the release run (label
#   takes_options).
#   asan: only tests that run our launcher with the sanitizer preloaded and nothing instrumented in HotSpot (label
#   takes_preload), and the units, which are instrumented themselves. The collector's figures are the release build's:
#   the sanitizer's shadow and its quarantine are memory too, and a run of it writes gigabytes.
#   interpreted, compiled, baseline: the tests of compiled code, management and generated give such options themselves,
#   as command.*.method_data does, which shows the interpreter's state. lost_memory cuts files below optimised loops.
#   javac, jlink, jpackage (images) and jshell (foreign) in stress would collect some 100,000 times: hours
#   (command.*.histogram_javac does not take the options for the same reason).
#   CollectionNotices and management never end in stress: to deliver one collection's notice takes more than 200
#   allocations, so the next collection.
#   Tests with the label full do more of what their namesakes do: the number is the release build's question. In the
#   other modes, where javac on 500 files alone takes half an hour, the assertions, the sanitizer and the options have
#   met the same code of the VM before.
MODES = [
    ("release", "", [], "", 1, [], r"^(fuzz|watch_full)\.", "what users get"),
    ("stress", "", [], "-XX:CollectEvery=200", 20, ["-L", "^takes_options$"],
     r"^(fuzz|javac)\.|\.(collector|foreign|images|management)$|_full$|CollectionNotices$|\.CompilerInProcess$",
     "a collection at every 200th allocation"),
    ("interpreted", "", [], "-Xint", 2, ["-L", "^takes_options$"],
     r"^(fuzz|javac)\.|\.(compiled|compiled_frames|code_events|generated(_watched)?|lost_memory|management)$|_full$",
     "nothing is compiled"),
    ("compiled", "", [], "-Xcomp", 2, ["-L", "^takes_options$"],
     r"^(fuzz|javac)\.|\.(method_data|generated(_watched)?)$|_full$",
     "every method is compiled before its first call"),
    ("baseline", "", [], "-Xcomp -XX:TieredStopAtLevel=1", 2, ["-L", "^takes_options$"],
     r"^(fuzz|javac)\.|\.(method_data|generated(_watched)?|lost_memory)$|_full$",
     "every method is compiled before its first call, by the baseline compiler alone"),
    ("compiled_stress", "", [], "-Xcomp -XX:CollectEvery=200", 20, ["-L", "^takes_options$"],
     r"^(fuzz|javac)\.|\.(collector|foreign|generated(_watched)?|images|management|method_data)$|_full$|"
     r"CollectionNotices$|\.CompilerInProcess$",
     "compiled code with a collection at every 200th allocation"),
    ("switching", "", [], "-Xcomp -XX:SwitchTierEvery=50 -XX:DeoptimizeEvery=50", 3, ["-L", "^takes_options$"],
     r"^(fuzz|javac)\.|\.(method_data|compiled|generated(_watched)?)$|_full$",
     "compiled code and the interpreter hand frames to each other at random"),
    ("check", "-check", ["CHECK=1"], "", 6, [], r"^(fuzz|lint|watch_full)\.|_full$|^javac\.[0-9]+\.500$",
     "lock ranks, heap and stack-map verification, assertions"),
    ("asan", "-asan", ["ASAN=1"], "", 10, ["-L", "^(takes_preload|unit)$"],
     r"^(fuzz|lint|watch_full)\.|\.collector$|_full$|^javac\.[0-9]+\.500$",
     "address and undefined-behaviour sanitizers"),
    ("watched", "", [], "", 1, ["-R", r"^watch_full\."], None,
     "the differential programs under agents that watch everything"),
    ("coverage", "-coverage", ["COVERAGE=1"], "", 3, ["-R", r"^(diff|coverage)\."], None,
     "what the programs execute, against what they must"),
    ("fuzz", "-fuzz", ["FUZZ=1"], "", 1, ["-L", "^fuzz$"], None,
     "libFuzzer targets, fixed seed and number of executions; clang"),
]
FIRST_MARK, LAST_MARK = "<!-- last full run -->", "<!-- end -->"
# What these modes run without --full, instead of the sample: theirs is compiled, switching's and stress's too, and a
# minute is enough to see that the mode works.
SMALL_SAMPLE = {"baseline": r"^diff\.25\.(exceptions|invoke)\.",
                "compiled_stress": r"^diff\.17\.(exceptions\.|bytecode\.OptimisedObjects$)"}
# Which half of the sample (tests/CMakeLists.txt) these modes run without --full: compiled and switching together run it
# with both libraries, and so do check and asan.
HALF = {"stress": "first", "compiled": "first", "switching": "second", "check": "first", "asan": "second"}
# What the sample of these modes leaves to --full. Crafted class files ask about checks, by the hundred, and run once
# each. In asan: inlined_frames steps through instructions.
LEFT_TO_FULL = {"stress": r"\.crafted\.", "compiled": r"\.crafted\.",
                "switching": r"\.crafted\.", "asan": r"\.inlined_frames$"}
ONLY_FULL = ("interpreted", "watched", "coverage")                  # modes of `make test-full` alone
WHOLE = ("release", "fuzz")                          # modes that run everything they have without --full too


class Result:
    def __init__(self):
        self.passed, self.failed, self.skipped, self.seconds, self.names = 0, 0, 0, 0.0, []

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


def read_junit(path):
    result = Result()
    if not path.exists():
        return result
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        reason = case.find("skipped")
        skipped = reason is not None and "SKIP_RETURN_CODE" in reason.get("message", "")
        if status == "run" and not skipped:
            result.passed += 1
        elif status == "disabled" or skipped:
            result.skipped += 1
        else:                                        # failed, or not run because its program or fixture is missing
            result.failed += 1
            result.names.append(case.get("name"))
    return result


def half_of_sample(name):
    """The label of what a mode runs of the sample; one of test-full alone that is run without --full runs all of it."""
    return f"^sample_{HALF[name]}$" if name in HALF else "^sample$"


def run_mode(mode, args):
    name, suffix, variables, options, scale, selection, left_out, _ = mode
    build = Path(f"{args.build}{suffix}")
    log = [f"=== {name}: "]
    start = time.monotonic()
    result = Result()
    make = subprocess.run(["make", "-C", ROOT, f"BUILD={build}", f"CACHE={args.build}/tests", "tests",
                           *variables], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if make.returncode != 0:
        print(f"{log[0]}the build fails\n" + "\n".join(make.stdout.splitlines()[-40:]), flush=True)
        result.failed, result.names = 1, ["(build)"]
        return result
    if args.only is not None:
        selection = ["-R", args.only]
    else:
        if not args.full and name in LEFT_TO_FULL:
            left_out = "|".join(filter(None, (left_out, LEFT_TO_FULL[name])))
        if left_out is not None:
            selection = [*selection, "-E", left_out]
        if not args.full:
            selection = [*selection, "-LE", "^full$", *(["-R", SMALL_SAMPLE[name]] if name in SMALL_SAMPLE else
                                                        [] if name in WHOLE else ["-L", half_of_sample(name)])]
    # of the coverage mode: counts of another build do not add up with these
    for old in build.glob("counts-*"):
        shutil.rmtree(old)
    junit = build / f"tests/{name}.xml"
    junit.unlink(missing_ok=True)
    env = dict(os.environ, VITRINE_TEST_VM_OPTIONS=options, VITRINE_TEST_TIME_SCALE=str(scale))
    print(f"{log[0]}{build}", flush=True)
    # one test more than there are cores: many wait for a debugger or for another process
    run_ctest(name, ["ctest", "--test-dir", build, "-j", str((os.cpu_count() or 2) + 1), "--output-on-failure",
                     "--output-junit", junit, "--no-tests=error", *selection], env)
    result = read_junit(junit)
    result.seconds = time.monotonic() - start
    if result.passed + result.failed + result.skipped == 0:
        result.failed, result.names = 1, ["(no tests)"]
    if not sys.stdout.isatty():
        print(summary(name, result), flush=True)
        show_failures(junit)
    return result


def summary(name, result):
    return (f"{name:15} {result.passed:5} passed {result.failed:4} failed {result.skipped:4} skipped "
            f"{result.seconds / 60:6.1f} min")


STARTS = re.compile(r"\s*Start\s+\d+: (\S+)")
ENDS = re.compile(r"\s*\d+/(\d+) Test\s+#\d+: (\S+) \.+(.*?)\s+[0-9.]+ sec")


def run_ctest(mode, command, env):
    """A terminal sees CTest's progress. Elsewhere a failure is reported at once, and a run that is stopped (by a CI
    with a limit, say) prints what was running and for how long: the one that hangs, if one does."""
    if sys.stdout.isatty():
        subprocess.run([*command, "--progress"], env=env, stderr=subprocess.STDOUT)
        return
    running, ended, of = {}, 0, "?"
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace") as ctest:
        def stopped(number, _):
            for again in before:                  # `timeout`, and make, send it twice
                signal.signal(again, signal.SIG_IGN)
            print(f"{mode}: stopped by signal {number}; {ended} of {of} tests have ended; running: "
                  + (", ".join(f"{name} ({time.monotonic() - since:.0f} s)" for name, since in running.items())
                     or "none"), flush=True)
            ctest.terminate()
            sys.exit(1)

        before = {number: signal.signal(number, stopped) for number in (signal.SIGTERM, signal.SIGINT)}
        for line in ctest.stdout:
            if start := STARTS.match(line):
                running[start[1]] = time.monotonic()
            elif end := ENDS.match(line):
                of, ended = end[1], ended + 1
                seconds = time.monotonic() - running.pop(end[2], time.monotonic())
                if not end[3].endswith(("Passed", "Skipped")):
                    print(f"failed: {end[2]} ({end[3].strip('* ')} after {seconds:.0f} s)", flush=True)
        for number, handler in before.items():
            signal.signal(number, handler)


def show_failures(junit, lines=60):
    if not junit.exists():
        return
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        if case.get("status") in ("fail", "notrun"):
            text = (case.findtext("system-out") or "").strip().splitlines()
            print(f"--- {case.get('name')}")
            print("\n".join(text[-lines:]))


@contextlib.contextmanager
def busy_loops(count):
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def libraries():
    found = subprocess.run([ROOT / "scripts/find_jdks.sh"], capture_output=True, text=True).stdout
    for line in found.splitlines():
        version, directory = line.split(" ", 1)
        release = Path(directory, "release").read_text()
        full = re.search(r'JAVA_(?:RUNTIME_)?VERSION="([^"]*)"', release)
        runtime = re.search(r'JAVA_RUNTIME_VERSION="([^"]*)"', release)
        maker = re.search(r'IMPLEMENTOR="([^"]*)"', release)
        yield f"JDK {(runtime or full).group(1)}" + (f", {maker.group(1)}" if maker else "") + f" ({directory})"


def commit():
    """What is tested, apart from the page that record() writes. A machine without git, or a tree without its
    directory, has none."""
    def git(*args):
        return subprocess.run(["git", "-C", ROOT, *args], capture_output=True, text=True)
    if not shutil.which("git") or git("rev-parse", "HEAD").returncode != 0:
        return "(none)"
    changed = git("diff", "--quiet", "HEAD", "--", ".", ":!docs/testing.md").returncode != 0
    return git("describe", "--always").stdout.strip() + ("-dirty" if changed else "")


def record(mode, result, at):
    """docs/testing.md: between the two marks stands what each mode gave when it ran whole last, and at which commit."""
    page = ROOT / "docs/testing.md"
    old = page.read_text()
    section = old[old.index(FIRST_MARK):old.index(LAST_MARK)]
    row = (f"| {mode[0]} | {mode[7]} | {at} | {datetime.date.today()} | {result.passed} | {result.failed} | "
           f"{result.skipped} | {result.seconds / 60:.1f} |")
    rows = {m[0]: line for m in MODES for line in section.splitlines() if line.startswith(f"| {m[0]} |")}
    failed = {m[0]: [line for line in section.splitlines() if line.startswith(f"* {m[0]}: ")] for m in MODES}
    rows[mode[0]] = row
    failed[mode[0]] = [f"* {mode[0]}: {name}" for name in result.names]
    failures = [line for m in MODES for line in failed[m[0]]]
    text = [FIRST_MARK, "", f"{os.cpu_count()} cores; {'; '.join(l.split(' (')[0] for l in libraries())}.", "",
            "| mode | what for | commit | date | passed | failed | skipped | minutes |",
            "|---|---|---|---|---|---|---|---|", *(rows[m[0]] for m in MODES if m[0] in rows), "",
            *(["Failed:", "", *failures, ""] if failures else []), ""]
    page.write_text(old.replace(section, "\n".join(text)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--modes")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--beside", type=int, default=0)
    args = parser.parse_args()
    args.build = (ROOT / args.build).resolve()
    wanted = args.modes.split(",") if args.modes else [m[0] for m in MODES if args.full or m[0] not in ONLY_FULL]
    modes = [m for m in MODES if m[0] in wanted]
    at = commit()
    with busy_loops(args.beside):
        for n in range(1, args.times + 1):
            results = []
            for mode in modes:
                results.append((mode, run_mode(mode, args)))
                if args.full and args.only is None:
                    record(*results[-1], at)
            if args.times > 1:
                print(f"time {n} of {args.times}", flush=True)
            if any(result.failed for _, result in results):
                break
    total = Result()
    print()
    for mode, result in results:
        total.add(result)
        print(summary(mode[0], result))
        for name in result.names:
            print(f"                failed: {name}")
    print("Libraries:")
    for line in libraries():
        print(f"  {line}")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    sys.exit(1 if total.failed or not total.passed else 0)


main()
