#!/usr/bin/env python3
"""Runs programs for as long as it is told to, disturbs them, and looks whether they stay up, right and small.

soak.py --build DIR [--minutes N] [--seed S] [--only SCENARIO] [--image NAME] [--record] [--self-test]

Each scenario of SCENARIOS is a process of its own (tests/soak/Soak.java), in turn on each image, until the time is up.
It must end by itself with 0. Resident memory and open descriptors are sampled twice a second; where the last third's
median, of descriptors its least, is above that of the second third by more than GROWTH allows, the scenario fails.
What is done to a process, and when, is drawn from the seed, which is printed. --record adds a row with what came of it
to docs/programs.md, "Under load for hours". --self-test: programs that leak, and an agent that cannot be loaded, must
be reported.
"""
import argparse
import datetime
import os
import random
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
PAGE = SOURCE.parents[1] / "docs/programs.md"
HEAP = ["-Xms96m", "-Xmx96m"]
sys.path.append(str(SOURCE.parent / "run"))
import confined                                                                       # noqa: E402

# name: (options, disturbances, limits, and what else confines it: a function that gives the command's beginning)
SCENARIOS = {
    "server": ([], ("quit", "attach", "agent"), {}),
    "garbage": (["-XX:CollectEvery=2000"], ("quit", "attach"), {}),
    "loaders": ([], ("quit", "attach", "agent"), {}),
    "threads": ([], ("quit", "attach", "agent"), {}),
    "exhaustion": ([], ("quit",), {}),
    "descriptors": ([], ("quit",), {resource.RLIMIT_NOFILE: 200}),
    "disk": ([], ("quit", "attach"), {resource.RLIMIT_FSIZE: 1 << 20}),
    "full-disk": ([], ("quit", "attach"), {}, lambda work: confined.small_disk(work / "small", "1m")),
    "few-threads": ([], ("quit",), {}, lambda work: confined.few_threads(80, work / "Soak.class")),
    "space": ([], ("quit",), {resource.RLIMIT_AS: 2_000_000_000}),
}
LEAKS = {"leak": ([], ("agent",), {}), "leak-descriptors": ([], ("missing-agent",), {})}
FOUND = {"leak": ["memory rises"], "leak-descriptors": ["no_agent.so answers", "descriptors rises"]}
# What jcmd is asked for, and what stands in the answer.
COMMANDS = {"Thread.print": "Full thread dump", "VM.version": "JDK ", "GC.run": "Command executed successfully",
            "VM.flags": "-XX:", "GC.class_histogram": "Total "}
AGENTS = {"agent": "libsoak_agent.so", "missing-agent": "no_agent.so"}
# What stands for a third of the samples, and how much more it may be: as a factor, and beyond that. Descriptors that
# programs open and close are no rise.
GROWTH = {"memory": (statistics.median, 1.10, 12 << 20), "descriptors": (min, 1.10, 12)}


def sample(pid):
    """Resident bytes and open descriptors; None: the process is gone, or going: it has no memory any more."""
    try:
        descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return (pages * resource.getpagesize(), descriptors) if pages != 0 else None
    except (FileNotFoundError, ProcessLookupError):
        return None


def rises(samples, what):
    """A text if the last third of the samples lies above the second third by more than GROWTH allows."""
    third = len(samples) // 3
    if third < 3:
        return f"only {len(samples)} samples of {what}"
    of, factor, beyond = GROWTH[what]
    before, last = of(samples[third:2 * third]), of(samples[-third:])
    return f"{what} rises from {before:.0f} to {last:.0f}" if last > before * factor + beyond else None


def disturb(kind, process, image, build, chance):
    """None, or what is wrong with the process's answer."""
    if kind == "quit":
        for _ in range(chance.randint(1, 20)):
            process.send_signal(signal.SIGQUIT)
        return None
    command, wanted = chance.choice(list(COMMANDS.items()))
    if kind in AGENTS:
        command, wanted = f"JVMTI.agent_load {build}/tests/agents/{AGENTS[kind]}", "return code: 0"
    answer = subprocess.run([image / "bin/jcmd", str(process.pid), *command.split()], capture_output=True, text=True,
                            errors="replace", timeout=120)
    if process.poll() is not None or (answer.returncode == 0 and wanted in answer.stdout):
        return None
    return f"{command} answers {(answer.stdout + answer.stderr)[-300:]!r}"


def catches_quit(pid):
    """Before it does SIGQUIT ends the process."""
    try:
        caught = re.search(r"(?m)^SigCgt:\s*(\w+)$", Path(f"/proc/{pid}/status").read_text())
        return caught is not None and int(caught[1], 16) >> (signal.SIGQUIT - 1) & 1 == 1
    except (FileNotFoundError, ProcessLookupError):
        return False


def keep_disturbing(kinds, until, process, image, build, chance, faults):
    """What is asked when the process may end soon need not be answered."""
    while process.poll() is None and not catches_quit(process.pid):
        time.sleep(0.1)
    while kinds and process.poll() is None and time.monotonic() < until:
        kind = chance.choice(kinds)
        try:
            fault = disturb(kind, process, image, build, chance)
        except subprocess.TimeoutExpired:
            fault = f"{kind}: no answer within two minutes"
        if fault is not None and time.monotonic() < until:
            faults.append(fault)
        time.sleep(chance.uniform(0.2, 3))


def run(name, scenario, seconds, seed, image, build, work):
    """(rounds, samples, faults) of one run; None: it cannot be confined here."""
    options, disturbances, limits, *confinement = scenario
    before = [c(work) for c in confinement]
    if None in before:
        return None
    chance, faults, samples = random.Random(seed), [], []

    def limit():
        for which, most in limits.items():
            resource.setrlimit(which, (most, most))

    with tempfile.TemporaryFile() as out:
        command = [*sum(before, []), image / "bin/java", *HEAP, *options, "-cp", work, "Soak", name, seed, seconds]
        process = subprocess.Popen([str(word) for word in command], cwd=work, stdout=out, stderr=subprocess.STDOUT,
                                   preexec_fn=limit)
        started = time.monotonic()
        disturber = threading.Thread(target=keep_disturbing, args=(disturbances, started + seconds - 2, process, image,
                                                                   build, chance, faults))
        disturber.start()
        while process.poll() is None:
            time.sleep(0.5)
            if time.monotonic() > started + 5 * seconds + 120:
                faults.append("hangs")
                process.kill()
            if (seen := sample(process.pid)) is not None:
                samples.append(seen)
        disturber.join()
        out.seek(0)
        lines = out.read().decode(errors="replace").splitlines()
    if process.returncode != 0:
        faults.append(f"ended with {process.returncode}: " + " | ".join(lines[-5:]))
    for what, values in zip(GROWTH, zip(*samples)):
        if fault := rises(values[:-1], what):
            faults.append(fault)
    rounds = [line.split()[1] for line in lines if line.startswith("rounds: ")]
    return rounds[0] if rounds else "-", samples, faults


def soak(scenarios, minutes, seed, images, build, work):
    """(rows of the table, number of runs with faults)"""
    rows, failed = [], 0
    seconds = max(12, min(600, int(60 * minutes / (len(scenarios) * len(images)))))
    end, turn = time.monotonic() + 60 * minutes, 0
    while True:
        for image in images:
            for name, scenario in scenarios.items():
                turn += 1
                found = run(name, scenario, seconds, seed + turn, image, build, work)
                if found is None:
                    continue
                rounds, samples, faults = found
                memory, descriptors = (max(values) for values in zip(*samples)) if samples else (0, 0)
                rows.append((image.name, name, seed + turn, rounds, memory >> 20, descriptors,
                             "; ".join(dict.fromkeys(faults)) or "ok"))
                failed += bool(faults)
                print("{:10} {:17} seed {:<11} {:>9} rounds {:>5} MB {:>4} descriptors  {}".format(*rows[-1]),
                      flush=True)
        if time.monotonic() >= end:
            return rows, failed


def found_only(wanted, text):
    """Is each fault in the text one of these, and each of these there?"""
    faults = text.split("; ")
    return all(any(w in f for w in wanted) for f in faults) and all(w in text for w in wanted)


def record(commit, minutes, seed, rows):
    """A row for the whole run; each run with faults is named in it."""
    faults = [f"{image} {name}, seed {own}: {fault}" for image, name, own, *_, fault in rows if fault != "ok"]
    result = "; ".join(faults).replace("|", "/").replace("\n", " ") or "no fault"
    scenarios = len({name for _, name, *_ in rows})
    row = [datetime.date.today(), commit, f"{minutes:.0f}", seed, scenarios, len(rows), result]
    end = "<!-- end of soak -->"
    PAGE.write_text(PAGE.read_text().replace(end, f"| {' | '.join(map(str, row))} |\n{end}"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK_MINUTES", 60)))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SOAK_SEED", time.time_ns() % 1_000_000_000)))
    parser.add_argument("--only", help="one scenario")
    parser.add_argument("--image", help="one image, by its name")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--self-test", action="store_true", help="what is wrong must be reported")
    args = parser.parse_args()
    build = args.build.resolve()
    images = sorted(build.glob(args.image or "image-*"))
    if not images:
        sys.exit(f"no images in {build}: make image")
    commit = subprocess.run(["git", "-C", SOURCE, "rev-parse", "--short", "HEAD"], capture_output=True,
                            text=True).stdout.strip()
    print(f"seed {args.seed}, {args.minutes:g} minutes", flush=True)
    with tempfile.TemporaryDirectory(prefix="soak.") as work:
        os.chmod(work, 0o755)
        (Path(work) / "small").mkdir()
        compiler = ["--release", "17", "-d", work, SOURCE / "Soak.java"]
        subprocess.run([images[0] / "bin/javac", "--add-modules", "jdk.httpserver", *compiler], check=True)
        if args.self_test:
            rows, failed = soak(LEAKS, 0, args.seed, images[:1], build, Path(work))
            sys.exit(0 if all(found_only(FOUND[row[1]], row[-1]) for row in rows) else "not what is to be reported")
        scenarios = {args.only: SCENARIOS[args.only]} if args.only else SCENARIOS
        started = time.monotonic()
        rows, failed = soak(scenarios, args.minutes, args.seed, images, build, Path(work))
    if args.record:
        record(commit, (time.monotonic() - started) / 60, args.seed, rows)
    print(f"{len(rows)} runs, {failed} with faults; seed {args.seed}")
    sys.exit(1 if failed else 0)


main()
