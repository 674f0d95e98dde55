#!/usr/bin/env python3
"""Runs other people's programs on our VM and on HotSpot with the same class library, and compares what they say.

usage: programs.py --build DIR [--only REGEX] [--jdk 17|25] [--no-install] [--record]

A program is an entry of PROGRAMS in tests/programs/<theme>.py (tests/programs/program.py says what it consists of). Its
Debian packages are installed with apt, its npm packages with npm in DIR/programs/npm, and upstream's part of its
Debian source packages lies in DIR/programs/sources; what cannot be had is skipped with a line. --record writes the
results, with date and commit, into docs/programs.md. The exit code is 1 if a program differs.
"""
import argparse
import datetime
import difflib
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/programs"), str(ROOT / "tests/run")]
import program                                                                        # noqa: E402

PAGE = ROOT / "docs/programs.md"
SHOWN = 100                              # lines of a difference


def all_programs():
    for path in sorted((ROOT / "tests/programs").glob("*.py")):
        for entry in getattr(importlib.import_module(path.stem), "PROGRAMS", []):
            yield path.stem, entry


def jdks():
    lines = subprocess.run([ROOT / "scripts/find_jdks.sh"], capture_output=True, text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in lines.splitlines())


def package_version(name):
    done = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status} ${Version}", name], capture_output=True,
                          text=True)
    return done.stdout.split()[1] if done.stdout.startswith("installed ") else None


def apt_install(packages):
    if not packages or not shutil.which("apt-get"):
        return
    root = [] if os.getuid() == 0 else ["sudo", "-n"]
    print("installing", *packages, flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*root, "apt-get", "update", "-qq"], env=env, capture_output=True)
    for package in packages:             # one by one: what is not there does not keep the others away
        subprocess.run([*root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", package], env=env,
                       capture_output=True)


def npm_install(directory, packages):
    missing = [p for p in packages if not (directory / "node_modules" / p).is_dir()]
    if missing and shutil.which("npm"):
        print("installing", *missing, flush=True)
        directory.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", *missing], cwd=directory,
                       capture_output=True)


def fetch_sources(directory, packages):
    """Upstream's archive of each source package, unpacked: of the last listed version that the mirror has. The list of
    sources is one of our own."""
    missing = [p for p in packages if not (directory / p).is_dir()]
    if not missing or not shutil.which("apt-get"):
        return
    print("fetching the sources of", *missing, flush=True)
    (directory / "lists/partial").mkdir(parents=True, exist_ok=True)
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    release = dict(re.findall(r'(?m)^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text())).get("VERSION_CODENAME")
    (directory / "sources.list").write_text(
        f"deb-src [signed-by={key}] http://deb.debian.org/debian {release} main\n"
        f"deb-src [signed-by={key}] http://deb.debian.org/debian-security {release}-security main\n")
    options = ["-o", f"Dir::Etc::SourceList={directory}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
               "-o", f"Dir::State::Lists={directory}/lists", "-o", f"Dir::Cache={directory}",
               "-o", "APT::Sandbox::User=root"]
    subprocess.run(["apt-get", *options, "update", "-qq"], capture_output=True)
    for package in missing:
        shown = subprocess.run(["apt-cache", *options, "showsrc", "--only-source", package], capture_output=True,
                               text=True).stdout
        for version in reversed(re.findall(r"(?m)^Version: (.*)", shown)):
            part = directory / f"{package}.part"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            subprocess.run(["apt-get", *options, "source", "-qq", "--download-only", "--tar-only",
                            f"{package}={version}"], cwd=part, capture_output=True)
            archives = list(part.glob("*.orig.tar.*"))
            if archives and not subprocess.run(["tar", "xf", archives[0]], cwd=part).returncode:
                part.rename(directory / package)
                break


def lacking(entry, npm, sources):
    return [p for p in entry.packages if package_version(p) is None] + \
           [p for p in entry.npm if not (npm / "node_modules" / p).is_dir()] + \
           [f"source package {p}" for p in entry.sources if not (sources / p).is_dir()]


def run_one(entry, library, hotspot, build):
    """"same", or what differs; and the processor seconds of both."""
    transcripts, seconds = [], []
    for home in hotspot, build / f"image-{library}":
        run = program.Run(entry, home, hotspot, library,
                          work=build / "programs" / f"{entry.name}-{library}-{'theirs' if home == hotspot else 'ours'}",
                          npm=build / "programs/npm", sources=build / "programs/sources")
        transcripts.append(run.transcript())
        seconds.append(run.seconds)
        if not run.on_the_right_vm():
            return "it did not run on our VM", seconds
    if transcripts[0] == transcripts[1]:
        if entry.expect in transcripts[0]:
            return "same", seconds
        return f"fails on both: no {entry.expect!r} in\n{transcripts[0][-1500:]}", seconds
    lines = list(difflib.unified_diff(*(t.splitlines() for t in transcripts), "HotSpot", "ours", n=1, lineterm=""))
    more = [f"and {len(lines) - SHOWN} lines more"] if lines[SHOWN:] else []
    return "\n      ".join(["differs", *lines[:SHOWN], *more]), seconds


def record(results, libraries):
    """A row for each program, with the day and the commit of its last run: those that were not run keep theirs."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True,
                            text=True).stdout.strip()
    begin, end = "<!-- last run -->", "<!-- end -->"
    before, rest = PAGE.read_text().split(begin)
    old, after = rest.split(end)
    rows = {line.split(" | ")[0][2:]: line for line in old.splitlines() if line.startswith("| ")}
    columns = " | ".join(f"JDK {v} | CPU s, HotSpot; ours" for v in libraries)
    lines = [f"| program | versions | what it does | {columns} | run |", "|---" * (4 + 2 * len(libraries)) + "|"]
    for _, entry in all_programs():
        if (entry.name, next(iter(libraries))) in results:
            row = [entry.name, ", ".join([f"{p} {package_version(p) or '-'}" for p in entry.packages] + entry.npm),
                   entry.what]
            for v in libraries:
                outcome, seconds = results[entry.name, v]
                row += [outcome.split("\n")[0], "; ".join(f"{s:.1f}" for s in seconds)]
            rows[entry.name] = "| " + " | ".join([*row, f"{datetime.date.today()}, {commit}"]) + " |"
        if entry.name in rows:
            lines.append(rows[entry.name])
    PAGE.write_text(before + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + after)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--build", required=True, type=Path)
    options.add_argument("--only", default="")
    options.add_argument("--jdk")
    options.add_argument("--no-install", action="store_true")
    options.add_argument("--record", action="store_true")
    options = options.parse_args()
    build = options.build.resolve()
    chosen = [entry for _, entry in all_programs() if re.search(options.only, entry.name)]
    npm, sources = build / "programs/npm", build / "programs/sources"
    if not options.no_install:
        apt_install(sorted({p for e in chosen for p in e.packages if package_version(p) is None}))
        npm_install(npm, sorted({p for e in chosen for p in e.npm}))
        fetch_sources(sources, sorted({p for e in chosen for p in e.sources}))
    libraries = {v: Path(home) for v, home in jdks().items() if options.jdk in (None, v)}
    results = {}
    for entry in chosen:
        missing = lacking(entry, npm, sources)
        for library, hotspot in libraries.items():
            if missing:
                outcome, seconds = f"skipped: {', '.join(missing)} cannot be had here", []
            elif library not in entry.libraries:
                outcome, seconds = f"skipped: {entry.libraries[0]} alone", []
            else:
                outcome, seconds = run_one(entry, library, hotspot, build)
            results[entry.name, library] = outcome, seconds
            print(f"{library} {entry.name}: {outcome}" + "".join(f" {s:.1f}" for s in seconds), flush=True)
    if options.record and not options.jdk:
        record(results, list(libraries))
    sys.exit(any(not o.startswith(("same", "skipped")) for o, _ in results.values()))


main()
