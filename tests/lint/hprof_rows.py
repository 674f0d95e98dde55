#!/usr/bin/env python3
"""tests/hprof/rows.txt has every row of the HPROF checklist, and each names a test that names the row, or a sentence why it demands nothing.

Usage: hprof_rows.py TESTS
       hprof_rows.py --self-test     shows that a missing row and a test that does not name its row are found
"""
import re
import sys
from pathlib import Path

LAST = 86


def check(rows, scripts, last=LAST):
    """rows: lines of rows.txt; scripts: {name: text}. Yields what is wrong."""
    seen = []
    for line in rows:
        if not line.strip() or line.startswith("#"):
            continue
        m = re.fullmatch(r"(HP-\d{3}) (?:(- .{20,})|(\w+))", line)
        if not m:
            yield f'"{line}" is neither "row test" nor "row - sentence"'
            continue
        seen.append(m[1])
        if m[3] and m[3] not in scripts:
            yield f"{m[1]}: there is no test {m[3]}"
        elif m[3] and not re.search(rf"\b{m[1]}\b", scripts[m[3]]):
            yield f"{m[1]}: the test {m[3]} does not name it"
    wanted = [f"HP-{n:03}" for n in range(1, last + 1)]
    if seen != wanted:
        yield f"missing, repeated or out of order: {sorted(set(wanted) ^ set(seen)) or 'order'}"


def self_test():
    scripts = {"a": '"""HP-001"""', "b": '"""HP-003"""'}
    good = ["# heading", "HP-001 a", "HP-002 - it demands nothing of anyone at all", "HP-003 b"]
    assert not list(check(good, scripts, 3))
    assert len(list(check(good[:3], scripts, 3))) == 1
    assert len(list(check(good[:3] + ["HP-003 a"], scripts, 3))) == 1
    assert len(list(check(good[:3] + ["HP-003 c"], scripts, 3))) == 1
    assert len(list(check(good[:2] + ["HP-002 -", good[3]], scripts, 3))) == 2


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    tests = Path(sys.argv[1])
    rows = (tests / "hprof/rows.txt").read_text().splitlines()
    found = list(check(rows, {p.stem: p.read_text() for p in (tests / "command").glob("hprof*.py")}))
    print(f"{sum(' - ' in r for r in rows)} of {LAST} rows demand nothing")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
