#!/usr/bin/env python3
"""Every row of the check-lists names the case that asserts it, or says why it demands nothing (tests/run/rows.py,
tests/*/rows.tsv).

That a case is among what its test has compared is for the test to find out when it runs; here every test that is named
must do so.

Usage: check_lists.py ROOT           checks a source tree; docs/jvmti-rows.md must be what --page gives
       check_lists.py --page ROOT    prints that page: the rows of JVM TI that demand nothing
       check_lists.py --self-test    shows that each kind of fault is found, here and by the tests
"""
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "run"))
import rows  # noqa: E402

LISTS = {"jvmti": ("JT", 326), "jvmpi": ("JP", 150), "hprof": ("HP", 86), "embed": ("IA", 54)}
PAGE = "docs/jvmti-rows.md"
MESSAGE = r'_Static_assert\([^;]*"%s"\)|\b(?:SLOT|MEMBER)\(%s,'


def page(root):
    table = [columns for _, columns in rows.read(root / "tests/jvmti/rows.tsv")]
    idle = [columns for columns in table if columns[1] == "-"]
    yield "# JVM TI: rows without a test"
    yield ""
    yield "Made from `tests/jvmti/rows.tsv` by `tests/lint/check_lists.py --page`; not edited by hand. Of the"
    yield (f"{len(table)} rows of the behaviour checklist these {len(idle)} demand nothing of a VM, or nothing that a "
           f"test could see;")
    yield "every other row names the case of a test that asserts it."
    yield ""
    yield "| row | why |"
    yield "|---|---|"
    for name, _, _, why in idle:
        yield f"| {name} | {why} |"


def fault_of_case(root, test, case):
    """Why this case proves nothing, or None."""
    kind, _, name = test.partition(" ")
    if kind == "static":
        path = root / "tests" / name
        good = path.is_file() and re.search(MESSAGE % (re.escape(case), re.escape(case)), path.read_text())
        return None if good else f"{name} has no static assertion {case}"
    if kind == "unit":
        path = root / f"tests/unit/{name}.c"
        body = path.is_file() and re.search(rf"^static void {case}\(void \*\*\w+\) \{{(.*?)^\}}", path.read_text(),
                                            re.M | re.S)
        good = body and re.search(r"assert_|expect\(", body[1]) and f"cmocka_unit_test({case})" in path.read_text()
        return None if good else f"{name} runs no function {case} that asserts"
    path = root / ("tests/jvmti/header_check.py" if kind == "lint.jvmti_header" else f"tests/command/{kind}.py")
    if not path.is_file():
        return f"there is no test {kind}"
    text = path.read_text()
    # The HPROF scripts share their checks, and so what is shown.
    if not re.search(rf"""rows\.Shown\(['"]{kind}['"]""", text) and "import hprof_run" not in text:
        return f"{kind} does not look whether its rows are shown"
    try:
        for pattern in case.split(" && "):
            re.compile(pattern)
    except re.error as error:
        return f"the case is no pattern: {error}"
    return None


def faults(root, lists):
    for name, (prefix, last) in lists.items():
        table, seen = root / "tests" / name / "rows.tsv", []
        for number, columns in rows.read(table):
            place = f"tests/{name}/rows.tsv:{number}: {columns[0]}"
            if len(columns) != 4 or not all(columns):
                yield f"{place}: a row has an id, a test, a case and a sentence"
                continue
            row, test, case, why = columns
            seen.append(row)
            if test == "-":
                if case != "-" or len(why.split()) < 3:
                    yield f"{place}: why does it demand nothing?"
                continue
            fault = fault_of_case(root, test, case)
            if fault:
                yield f"{place}: {fault}"
        if seen != [f"{prefix}-{n:03}" for n in range(1, last + 1)]:
            yield f"tests/{name}/rows.tsv: the ids do not go up by one from {prefix}-001 to {prefix}-{last:03}"
    if "jvmti" in lists and (root / PAGE).read_text() != "\n".join(page(root)) + "\n":
        yield f"{PAGE} is not what --page gives"


def self_test():
    row, idle = "JP-001\tjvmpi A\t^one$\twhat\n", "JP-002\t-\t-\ta rule for agents\n"
    unit = "static void test_a(void **state) {\n    assert_true(1);\n}\n cmocka_unit_test(test_a)\n"
    cases = [
        (row + idle, 0), (row, 1), (row + "JP-002\t-\t-\tno\n", 1), (row + "JP-002\tjvmpi A\n", 2),
        (row.replace("jvmpi", "other") + idle, 1),
        (row.replace("jvmpi", "silent") + idle, 1), (row.replace("^one$", "(") + idle, 1), (idle + row, 1),
        ("JP-001\tunit a\ttest_a\twhat\n" + idle, 0), ("JP-001\tunit a\ttest_b\twhat\n" + idle, 1),
        ("JP-001\tstatic a.c\tname\twhat\n" + idle, 0), ("JP-001\tstatic a.c\tother\twhat\n" + idle, 1),
    ]
    shown = [("^one$", 0), ("^two$", 1), ("^one$ && ^two$", 1), ("25: ^two$", 0), ("17: ^two$", 1),
             ("^one\nthree$".replace("\n", "\\n"), 0)]
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name in (*rows.TABLES, "command", "unit"):
            (root / "tests" / name).mkdir(parents=True)
            (root / "tests" / name / "rows.tsv").write_text("")
        (root / "tests/command/jvmpi.py").write_text("rows.Shown('jvmpi')")
        (root / "tests/command/silent.py").write_text("")
        (root / "tests/unit/a.c").write_text(unit)
        (root / "tests/a.c").write_text('_Static_assert(1 == 1, "name");')
        for text, expected in cases:
            (root / "tests/jvmpi/rows.tsv").write_text(text)
            found = list(faults(root, {"jvmpi": ("JP", 2)}))
            if len(found) != expected:
                sys.exit(f"self-test: {text!r}: expected {expected} faults, got {found}")
        for case, expected in shown:
            (root / "tests/jvmpi/rows.tsv").write_text(row.replace("^one$", case))
            test = rows.Shown("jvmpi", root / "tests", "17")
            test.add(["one", "three"], "A")
            if len(list(test.missing())) != expected:
                sys.exit(f"self-test: {case!r}: expected {expected}, got {list(test.missing())}")
    print(f"{len(cases) + len(shown)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    if sys.argv[1] == "--page":
        print("\n".join(page(Path(sys.argv[2]))))
        return
    root = Path(sys.argv[1])
    found = list(faults(root, LISTS))
    for name, (prefix, last) in LISTS.items():
        idle = sum(columns[1:2] == ["-"] for _, columns in rows.read(root / "tests" / name / "rows.tsv"))
        print(f"{prefix}: {last} rows, {idle} of them demand nothing")
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
