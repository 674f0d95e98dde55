#!/usr/bin/env python3
"""Every row of the Invocation API's checklist (IA-001 to IA-054) is named by a test, or has its sentence in docs/embedding.md ("Rows without
a test of their own"), and not both. Prints how many demand nothing of us.

Usage: invocation_rows.py ROOT           checks a source tree
       invocation_rows.py --self-test    shows that each kind of fault is found
"""
import re
import sys
import tempfile
from pathlib import Path

ROW = re.compile(r"IA-(\d{3})")
LAST = 54
TESTS = ("tests/embed/*.c", "tests/agents/*.c", "tests/command/*.py", "tests/natives/**/*.java")
HEADING = "Rows without a test"


def rows(root):
    """Numbers of the rows that tests name, and of those that the page argues: the ones before a bullet's colon."""
    tested = {int(n) for pattern in TESTS for p in root.glob(pattern) for n in ROW.findall(p.read_text(errors="replace"))}
    page = (root / "docs/embedding.md").read_text()
    argued = {int(n) for bullet in re.findall(r"^\* ((?:IA-\d{3}(?:, )?)+): \w", page[page.find(HEADING):], re.M) for n in ROW.findall(bullet)}
    return tested, argued


def faults(tested, argued):
    for n in range(1, LAST + 1):
        if n not in tested | argued:
            yield f"IA-{n:03} has neither a test that names it nor a sentence in docs/embedding.md"
        elif n in tested & argued:
            yield f"IA-{n:03} is named by a test, and docs/embedding.md says that it has none"
    for n in sorted((tested | argued) - set(range(1, LAST + 1))):
        yield f"IA-{n:03} is no row of the checklist"


def self_test():
    every = [f"IA-{n:03}" for n in range(1, LAST + 1)]
    cases = [(every[:-1], every[-1:], 0), (every, [], 0), (every[:-1], [], 1), (every, every[:1], 1), ([*every, "IA-055"], [], 1)]
    for tested, argued, expected in cases:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "tests/embed").mkdir(parents=True)
            (root / "docs").mkdir()
            (root / "tests/embed/a.c").write_text("/* " + " ".join(tested) + " */")
            (root / "docs/embedding.md").write_text(f"{HEADING}:\n\n" + "".join(f"* {row}: because of IA-001.\n" for row in argued))
            found = list(faults(*rows(root)))
            if len(found) != expected:
                sys.exit(f"self-test: {len(tested)} tested, {len(argued)} argued: expected {expected} faults, got {found}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    tested, argued = rows(Path(sys.argv[1]))
    print(f"{len(tested)} rows named by tests, {len(argued)} that demand nothing of us")
    found = list(faults(tested, argued))
    print("\n".join(found))
    sys.exit(bool(found))


main()
