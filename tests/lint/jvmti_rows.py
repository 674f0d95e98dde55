#!/usr/bin/env python3
"""Every row of the JVM TI behaviour checklist has a test that names it, or a sentence why it demands nothing (tests/jvmti/rows.tsv).

Usage: jvmti_rows.py ROOT           checks a source tree; docs/jvmti-rows.md must be what --page gives
       jvmti_rows.py --page ROOT    prints that page: the rows that demand nothing
       jvmti_rows.py --self-test    shows that each kind of fault is found
"""
import sys
import tempfile
from pathlib import Path

TABLE, PAGE = "tests/jvmti/rows.tsv", "docs/jvmti-rows.md"


def rows(root):
    for number, line in enumerate((root / TABLE).read_text().splitlines(), 1):
        if not line.startswith("#"):
            yield number, line.split("\t")


def page(root):
    idle = [columns for _, columns in rows(root) if columns[1] == "-"]
    yield "# JVM TI: rows without a test"
    yield ""
    yield f"Made from `{TABLE}` by `tests/lint/jvmti_rows.py --page`; not edited by hand. Of the {len(list(rows(root)))} rows of the behaviour checklist these"
    yield f"{len(idle)} demand nothing of a VM, or nothing that a test could see; every other row is named by the test that shows it."
    yield ""
    yield "| row | why |"
    yield "|---|---|"
    for name, _, why in idle:
        yield f"| {name} | {why} |"


def faults(root):
    names = []
    for number, columns in rows(root):
        if len(columns) != 3 or not all(columns):
            yield f"{TABLE}:{number}: a row has an id, a test and a sentence"
            continue
        name, test, _ = columns
        names.append(name)
        path = root / "tests" / test
        if test == "-":
            continue
        if not path.is_file():
            yield f"{TABLE}:{number}: {name}: there is no tests/{test}"
        elif name not in path.read_text(errors="replace"):
            yield f"{TABLE}:{number}: tests/{test} does not name {name}"
    if names != [f"JT-{i:03d}" for i in range(1, len(names) + 1)]:
        yield f"{TABLE}: the ids do not go up by one from JT-001"
    if not (root / PAGE).is_file() or (root / PAGE).read_text() != "\n".join(page(root)) + "\n":
        yield f"{PAGE} is not what --page gives"


def self_test():
    good, test = "# comment\nJT-001\ta.c\tshown\nJT-002\t-\tNothing.\n", "/* JT-001 */"
    cases = [(good, test, "", 0), (good, "/* JT-0 */", "", 1), (good.replace("a.c", "b.c"), test, "", 1), (good.replace("\tNothing.", ""), test, None, 1),
             (good.replace("JT-002", "JT-003"), test, "", 1), (good, test, "x", 1)]
    for table, text, added, expected in cases:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            for place in ("tests/jvmti", "docs"):
                (root / place).mkdir(parents=True)
            (root / TABLE).write_text(table)
            (root / "tests/a.c").write_text(text)
            if added is None:
                (root / TABLE).write_text(good)
            (root / PAGE).write_text("\n".join(page(root)) + "\n" + (added or ""))
            (root / TABLE).write_text(table)
            found = []
            try:
                found = list(faults(root))
            except ValueError:
                found = ["a row that is not understood"]
            if (len(found) > 0) != (expected > 0):
                sys.exit(f"self-test: {table!r} with {text!r}: expected {expected} faults, got {found}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    if sys.argv[1] == "--page":
        print("\n".join(page(Path(sys.argv[2]))))
        return
    root = Path(sys.argv[1])
    found = list(faults(root))
    idle = sum(columns[1] == "-" for _, columns in rows(root))
    print("\n".join(found) if found else f"{len(list(rows(root)))} rows, {idle} of them demand nothing")
    sys.exit(1 if found else 0)


main()
