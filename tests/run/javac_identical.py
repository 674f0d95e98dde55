#!/usr/bin/env python3
"""Compiles real sources with a JDK's javac on HotSpot and on our VM: every class file must be byte-identical.

HotSpot's result is kept in the cache, keyed by the JDK and the choice of files.
"""
import argparse
import hashlib
import json
import sys
import time
from pathlib import Path

import harness
import sources


def class_files(directory):
    return {str(f.relative_to(directory)): hashlib.sha256(f.read_bytes()).hexdigest()
            for f in directory.rglob("*.class")}


def compile_on(home, files, out, options, limit, ours):
    """One javac for each module (it patches one only). -> (outcome of the first that failed or the last, digests,
    seconds)"""
    harness.fresh_directory(out)
    err, start = b"", time.monotonic()
    for module, names in files.items():
        patch = f"--patch-module={module}={out.parent / 'src' / module}"
        arguments = out.parent / f"{out.name}.{module}.arguments"
        arguments.write_text("\n".join([patch, "-nowarn", "-Xlint:none", "-proc:none", "-implicit:none", "-g",
                                        "-encoding",
                                        "UTF-8", "-d", str(out / module), *names]))
        command = [home / "bin/javac", *(f"-J{option}" for option in options), "-J-Xmx512m", f"@{arguments}"]
        outcome = harness.run(command, out.parent, limit, ours=ours)
        err += outcome.err
        if outcome.code != 0:
            break
    outcome.err = err
    return outcome, class_files(out), time.monotonic() - start


def messages(outcome, work):
    """17's javac names the sources' directory, which is another one in each mode."""
    return outcome.err.decode(errors="replace").replace(str(work), "<work>")


def oracle(args, hotspot, files, work):
    digest = hashlib.sha256(b"<work>" + repr([f[len(str(work)):] for names in files.values() for f in names]).encode())
    digest.update((hotspot / "release").read_bytes())
    kept = Path(args.cache) / "oracle" / f"{args.jdk}.javac.{args.count}.json"
    if kept.exists():
        record = json.loads(kept.read_text())
        if record["key"] == digest.hexdigest():
            return record
    outcome, classes, seconds = compile_on(hotspot, files, work / "hotspot", [], 600, ours=False)
    if outcome.code != 0 or not classes:
        sys.exit(f"HotSpot's javac: {outcome.ended()}\n{outcome.err.decode()[-2000:]}")
    record = {"key": digest.hexdigest(), "classes": classes, "err": messages(outcome, work), "seconds": seconds}
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(record))
    return record


def main():
    parser = argparse.ArgumentParser()
    for name in ("jdk", "hotspot", "image", "cache", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--count", type=int, required=True)
    args = parser.parse_args()
    hotspot, ours = Path(args.hotspot), harness.vm_under_test(args.image)
    work = harness.fresh_directory(Path(args.work).resolve())
    compiler = args.count * 2 // 5
    files = sources.extract(hotspot, work / "src", {"java.base": args.count - compiler, "jdk.compiler": compiler})

    expected = oracle(args, hotspot, files, work)
    outcome, classes, seconds = compile_on(ours, files, work / "ours", harness.vm_options(),
                                           1200 * harness.time_scale(), ours=True)
    problems = []
    if outcome.code != 0:
        problems.append(f"javac on our VM: {outcome.ended()}")
    said = messages(outcome, work)
    if said != expected["err"] or outcome.out:
        problems.append(f"messages differ:\n{outcome.out.decode(errors='replace')[-3000:]}{said[-3000:]}")
    for name in sorted(set(expected["classes"]) | set(classes)):
        if expected["classes"].get(name) != classes.get(name):
            problems.append(f"{name}: " + ("missing" if name not in classes else
                                           "not made by HotSpot" if name not in expected["classes"] else "other bytes"))
    for problem in problems[:40]:
        print(problem)
    if len(problems) > 40:
        print(f"... {len(problems) - 40} more")
    harness.show_crash_reports(work)
    identical = sum(expected["classes"].get(n) == d for n, d in classes.items())
    print(f"{sum(map(len, files.values()))} sources, {len(expected['classes'])} class files, {identical} identical; "
          f"{seconds:.1f} s (HotSpot with its compilers {expected['seconds']:.1f} s)")
    if not problems:
        harness.shutil.rmtree(work)
    sys.exit(1 if problems else 0)


main()
