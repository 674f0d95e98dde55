#!/usr/bin/env python3
"""Random programs and javac, for as long as it is told to, under an agent that does things at random.

endurance.py --build DIR [--minutes N] [--seed S] [--image NAME] [--record]

Turn after turn, on each image: programs that nobody has run before (tests/command/generated.py), several at a time, or
javac (tests/run/javac_identical.py), with options drawn for the turn. The agent is tests/agents/random_watch.c. Each
program must do what it does on HotSpot without an agent, and javac must write the same class files; in half of the
turns of programs a second agent, tests/agents/event_stream.c, must be told what it is told on HotSpot. What is drawn
depends on the seed, which is printed. --record adds a row with what came of it to docs/programs.md, "Under an agent
that does things at random".
"""
import argparse
import collections
import datetime
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs/programs.md"
END = "<!-- end of endurance -->"
PROGRAMS, FILES = 1000, 60
SECONDS = 1500                             # what hangs still does then; a turn may be slow on a busy machine
PROGRAMS_WITH_EVENTS = 200                 # HotSpot's interpreter, too, takes its time with these
# generated.py brings options of its own, which go behind these.
OF_PROGRAMS = ["", "-XX:CollectEvery=2000", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC"]
OF_JAVAC = ["", "-Xcomp -XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.01", "-XX:+UseParallelGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=0.1 -XX:SwitchTierEvery=1000 -XX:DeoptimizeEvery=1000"]


def agent_options(build, chance, record):
    return f"-agentpath:{build}/tests/agents/librandom_watch.so={chance.randrange(1 << 32)},{record}"


def of_programs(chance, record, build, library, hotspot, image, work):
    """(command, changes of the environment)"""
    more, changes = "", {"GENERATED_PROGRAMS": PROGRAMS, "GENERATED_THREADS": chance.randint(1, 4)}
    if chance.random() < 0.5:
        more, changes = ",prepared", {"GENERATED_PROGRAMS": PROGRAMS_WITH_EVENTS, "GENERATED_EVENTS": "lasting"}
        (work / "tests").mkdir(exist_ok=True)
        (work / "tests/agents").unlink(missing_ok=True)
        (work / "tests/agents").symlink_to(build / "tests/agents")
    options = f"{agent_options(build, chance, record)}{more} {chance.choice(OF_PROGRAMS)}"
    return ([sys.executable, TESTS / "command/generated.py"],
            {"LIBRARY": library, "HOTSPOT": hotspot, "IMAGE": image, "TESTS": TESTS, "BUILD": work,
             "WORK": work / "work", "GENERATED_SEED": chance.randrange(1 << 40),
             "VITRINE_TEST_VM_OPTIONS": options, **changes})


def of_javac(chance, record, build, library, hotspot, image, work):
    options = f"{agent_options(build, chance, record)} {chance.choice(OF_JAVAC)}"
    return ([sys.executable, TESTS / "run/javac_identical.py", "--jdk", library, "--hotspot", hotspot, "--image", image,
             "--cache", work / f"cache-{library}", "--work", work / "work", "--count", FILES],
            {"VITRINE_TEST_VM_OPTIONS": options})


def take_turn(number, seed, build, image, library, hotspot, work, done):
    """What is wrong, or None. Adds to `done` what the agent has done."""
    chance, record = random.Random(f"{seed} {number}"), work / "record"
    kind = of_javac if number % 3 == 2 else of_programs
    command, changes = kind(chance, record, build, library, hotspot, image, work)
    env = dict(os.environ, PYTHONPATH=str(TESTS / "run"), VITRINE_TEST_TIME_SCALE="1",
               GENERATED_SECONDS=str(SECONDS), GENERATED_COUNTS="0",
               **{name: str(value) for name, value in changes.items()})
    record.unlink(missing_ok=True)
    began = time.monotonic()
    run = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, errors="replace")
    words = [line.split() for line in record.read_text().splitlines()] if record.exists() else []
    good = run.returncode == 0 and bool(words)          # the agent was there
    for name, count in words:
        done[name] += int(count)
    done["programs"] += changes.get("GENERATED_PROGRAMS", 0)
    print(f"{image.name:9} {'javac' if kind is of_javac else 'programs':9} {changes['VITRINE_TEST_VM_OPTIONS']}: "
          f"{time.monotonic() - began:.0f} s, "
          f"{sum(int(n) for name, n in words if name == 'rounds')} rounds of the agent, "
          f"{'ok' if good else 'FAILED'}", flush=True)
    if good:
        return None
    settings = " ".join(f"{name}={value}" for name, value in changes.items() if name.startswith("GENERATED"))
    print(f"{settings}\n{run.stdout[-6000:]}\n{run.stderr[-3000:]}", flush=True)
    return f"{image.name} turn {number}"


def record(commit, minutes, seed, turns, done, faults):
    events = sum(count for name, count in done.items() if name[0].isupper())
    row = [datetime.date.today(), commit, f"{minutes:.0f}", seed, done["programs"], turns["javac"],
           done["rounds"], events, "; ".join(faults) or "no difference"]
    PAGE.write_text(PAGE.read_text().replace(END, f"| {' | '.join(map(str, row))} |\n{END}"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK_MINUTES", 60)))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SOAK_SEED", time.time_ns() % 1_000_000_000)))
    parser.add_argument("--image", default="image-*", help="one image, by its name")
    parser.add_argument("--record", action="store_true")
    args = parser.parse_args()
    build = args.build.resolve()
    jdks = dict(line.split(" ", 1) for line in subprocess.run(
        [TESTS.parent / "scripts/find_jdks.sh"], capture_output=True, text=True, check=True).stdout.splitlines())
    images = [(image, image.name.removeprefix("image-")) for image in sorted(build.glob(args.image))]
    images = [(image, library, Path(jdks[library])) for image, library in images if library in jdks]
    if not images:
        sys.exit(f"no images in {build}: make image")
    commit = subprocess.run(["git", "-C", TESTS, "rev-parse", "--short", "HEAD"], capture_output=True,
                            text=True).stdout.strip()
    print(f"seed {args.seed}, {args.minutes:g} minutes", flush=True)
    started, faults, done, turns = time.monotonic(), [], collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="endurance.") as work:
        while time.monotonic() - started < 60 * args.minutes:
            for image, library, hotspot in images:
                number = turns.total() // len(images)
                turns["javac" if number % 3 == 2 else "programs"] += 1
                fault = take_turn(number, args.seed, build, image, library, hotspot, Path(work), done)
                faults += filter(None, [fault])
    print(" ".join(f"{name} {count}" for name, count in done.items()))
    if args.record:
        record(commit, (time.monotonic() - started) / 60, args.seed, turns, done, faults)
    print(f"{done['programs']} programs and {turns['javac']} times javac, {len(faults)} turns with faults; "
          f"seed {args.seed}")
    sys.exit(1 if faults else 0)


main()
