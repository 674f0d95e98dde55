#!/usr/bin/env python3
"""Every row of the JVMPI check-list has a test that names it, or a sentence why it demands nothing.

Usage: jvmpi_rows.py TESTS     checks TESTS/jvmpi/rows.txt
       jvmpi_rows.py --self-test
"""
import re
import sys
import tempfile
from pathlib import Path

LAST = 150


def faults(tests, last):
    """What is wrong with the list, and how many rows demand nothing."""
    rows, found, nothing = {}, [], 0
    for line in (tests / "jvmpi/rows.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        row, _, rest = line.partition(" ")
        if row in rows:
            found.append(f"{row} stands there twice")
        rows[row] = rest.strip()
    for row in (f"JP-{n:03}" for n in range(1, last + 1)):
        rest = rows.pop(row, None)
        if not rest:
            found.append(f"{row}: nothing is said about it")
        elif rest.startswith("nothing:"):
            nothing += 1
            if len(rest.split()) < 4:
                found.append(f"{row}: why does it demand nothing?")
        else:
            for name in rest.split():
                path = tests / name
                if not path.is_file():
                    found.append(f"{row}: there is no {name}")
                elif not re.search(rf"{row}\b", path.read_text()):
                    found.append(f"{row}: {name} does not name it")
    return found + [f"{row} is no row" for row in rows], nothing


def self_test():
    cases = [("JP-001  a.txt\nJP-002  nothing: a rule for agents\n", 0), ("JP-001  a.txt\n", 1), ("JP-001  a.txt\nJP-002  a.txt\n", 1),
             ("JP-001  b.txt\nJP-002  nothing: a rule for agents\n", 1), ("JP-001  a.txt\nJP-002  nothing:\nJP-009  a.txt\n", 2)]
    for text, wanted in cases:
        with tempfile.TemporaryDirectory() as directory:
            tests = Path(directory)
            (tests / "jvmpi").mkdir()
            (tests / "jvmpi/rows.txt").write_text(text)
            (tests / "a.txt").write_text("shows JP-001\n")
            found, _ = faults(tests, 2)
            if len(found) != wanted:
                sys.exit(f"self-test: {text!r}: {wanted} faults expected, got {found}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    found, nothing = faults(Path(sys.argv[1]), LAST)
    print("\n".join(found) if found else f"{LAST} rows, {nothing} of which demand nothing of the VM")
    sys.exit(1 if found else 0)


main()
