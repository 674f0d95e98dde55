"""fuzz_accepted.py IMAGE HOTSPOT TESTS WORK CORPUS...: runs what our VM, in the check build, accepts of the class files
that the fuzz targets have found (tests/mutate/AcceptedRunner.java: initialised, every method called). Skipped where
there is no check build beside the fuzz build."""
import re
import struct
import subprocess
import sys
from pathlib import Path

import harness

# The corpora descend from programs of the tests: none may reach outside of its process.
OUTSIDE = re.compile(rb"java/lang/(Process|Runtime|Shutdown)|exit\x01|halt\x01"
                     rb"|java/(io/(File|Random)|nio/(file|channels)|net)/"
                     rb"|java/io/File|sun/misc|jdk/internal"
                     rb"|java/util/logging|loadLibrary|java/util/(zip|jar)|java/util/concurrent/ForkJoin")
LINE = re.compile(r"^next (\d+) of (\d+), accepted (\d+), methods called (\d+)$", re.M)


def gather(corpora, file):
    """Writes AcceptedRunner's input; the number of class files."""
    inputs = [p.read_bytes() for corpus in corpora for p in sorted(corpus.iterdir())]
    inputs = [data for data in inputs if len(data) > 16 and data[:4] == b"\xca\xfe\xba\xbe"
              and not OUTSIDE.search(data)]
    with open(file, "wb") as f:
        f.write(struct.pack(">II", 0, len(inputs)))
        for data in inputs:
            f.write(struct.pack(">BHI", 0, 0, len(data)) + data)
    return len(inputs)


def main():
    image, hotspot, tests, work, *corpora = (Path(a).resolve() for a in sys.argv[1:])
    if not (image / "bin/java").exists():
        print(f"there is no {image}: make CHECK=1")
        sys.exit(77)
    harness.fresh_directory(work)
    subprocess.run([*harness.javac(hotspot), "-d", work, tests / "mutate/AcceptedRunner.java"], check=True)
    total = gather(corpora, work / "inputs.bin")
    first = accepted = called = 0
    while first < total:
        command = [image / "bin/java", "-Xmx256m", "-cp", work, "AcceptedRunner", work / "inputs.bin", 0, first]
        outcome = harness.run([str(c) for c in command], work, 600, ours=True)
        found = LINE.search(outcome.out.decode(errors="replace"))
        if outcome.code != 0 or outcome.timed_out or not found:
            print(f"behind {first}: {outcome.ended()}\n{outcome.err.decode(errors='replace')[-4000:]}")
            harness.show_crash_reports(work)
            sys.exit(1)
        first, accepted, called = int(found[1]), accepted + int(found[3]), called + int(found[4])
    print(f"{total} class files of {len(corpora)} corpora: {accepted} accepted, {called} methods called")
    sys.exit(total == 0)


main()
