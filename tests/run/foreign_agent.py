"""For agents that others wrote, from Debian's packages: the same program with the same agent on HotSpot and on our
VM."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "TESTS", "WORK"))


class Client:
    """`sources`: a directory in tests/ with Java files; `package`: what brings `jars`, named by their files in
    /usr/share/java."""

    def __init__(self, sources, package, jars):
        self.jars = [f"/usr/share/java/{jar}.jar" for jar in jars]
        if not all(os.path.exists(jar) for jar in self.jars):
            print(f"{package} is missing: scripts/install.sh")
            sys.exit(77)
        self.failed = False
        self.sources = TESTS / sources
        self.classes = harness.fresh_directory(WORK) / "classes"
        self.class_path = os.pathsep.join([str(self.classes), *self.jars])
        # These agents read class files with libraries that are older than the newest JDK.
        subprocess.run([*harness.javac(HOTSPOT), "-proc:none", "--release", "8", "-Xlint:-options", "-g", "-cp",
                        self.class_path, "-d", self.classes,
                        *sorted(self.sources.glob("*.java"))], check=True)

    def run(self, java, args):
        ours = java == IMAGE
        r = harness.run([*harness.java(java), "-Xshare:off", *(harness.vm_options() if ours else []), "-cp",
                         self.class_path, *args], WORK,
                        300 * harness.time_scale(), ours=ours)
        return [harness.normalise(text, [(WORK, "<work>")]) for text in (r.out, r.err)] + [r.ended()]

    def same(self, what, args, must_contain):
        """Both print the same; HotSpot's output has each line of `must_contain`, so that the agent did its work at
        all."""
        expected = self.run(HOTSPOT, args)
        missing = [line for line in must_contain if line not in expected[0].splitlines()]
        if missing:
            self.failed = True
            print(f"{what}: the agent did not do its work on HotSpot, no {missing} in", *expected, sep="\n")
            return
        actual = self.run(IMAGE, args)
        for stream, wanted, found in zip(("standard output", "error text", "end"), expected, actual):
            if wanted != found:
                self.failed = True
                print(what)
                harness.show_difference(stream, wanted, found)

    def finish(self):
        sys.exit(1 if self.failed else 0)
