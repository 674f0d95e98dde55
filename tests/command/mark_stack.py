"""Marking with work lists that hold a handful of objects (-XX:MarkStackSizeMax): nothing is lost, every object is
scanned once, and the blocks that are looked at for what found no room are never more than the objects that found
none."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "TESTS", "WORK"))
OURS = harness.vm_under_test(os.environ["IMAGE"])
COUNT = 50_000 if harness.time_scale() > 1 else 400_000
EXPECTED = ["whole: true, cleared: 0 of the live, 1000 of the dead"] * 2


def run(*options):
    outcome = harness.run([*harness.java(OURS), *harness.vm_options(), "-Xmx400m", "-Xlog:gc*=debug", *options,
                           "-cp", WORK, "MarkStack", str(COUNT)], WORK, 120 * harness.time_scale(), ours=True)
    text = outcome.out.decode()
    lines = [line for line in text.splitlines() if line.startswith("whole:")]
    if outcome.code != 0 or lines != EXPECTED:
        sys.exit(f"{options}: {outcome.ended()}: {lines}\n{outcome.err.decode(errors='replace')[-2000:]}")
    # The first collection that the program asks for, and what it says of itself.
    number = re.search(r"GC\((\d+)\) Pause Full \(System\.gc\(\)\)", text)[1]
    live = int(re.search(rf"GC\({number}\) Fragmentation: .*\((\d+)K live", text)[1])
    deferred = re.search(rf"GC\({number}\) Mark stack full: (\d+) objects deferred, (\d+) looks at blocks", text)
    return live, *(map(int, deferred.groups()) if deferred else (0, 0))


def main():
    harness.fresh_directory(WORK)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "collector/MarkStack.java"], check=True)
    bad = []
    plenty, deferred, _ = run()
    print(f"no limit: {plenty}K live, {deferred} deferred")
    if deferred:
        bad.append("objects were deferred without a limit")
    for entries in 1, 3000:
        for threads in 1, 4:
            live, deferred, looks = run(f"-XX:MarkStackSizeMax={entries}", f"-XX:ParallelGCThreads={threads}")
            print(f"{entries} entries, {threads} threads: {live}K live, {deferred} deferred, {looks} looks at blocks")
            if not 0 < looks <= deferred <= 6 * COUNT:
                bad.append(f"{entries} entries, {threads} threads: {deferred} deferred, {looks} looks")
            if abs(live - plenty) * 100 > plenty:
                bad.append(f"{entries} entries, {threads} threads: {live}K live instead of {plenty}K")
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


main()
