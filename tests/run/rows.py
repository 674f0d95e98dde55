"""Check-lists: what a specification demands, row by row, and the case that asserts each row.

A check-list is a table (tests/*/rows.tsv), one row a line: id, test, case, what it shows, with tabs between. Tests are:

    <name> [<program>]   tests/command/<name>.py, and which of its programs; or lint.<name>. The case is a pattern of
                         what the test has compared or checked: lines of output, or names of its checks. " && " stands
                         between several, "25: " before those that only this library shows. The test hands its lines to
                         Shown and fails if a row of its own is not among them.
    unit <file>          tests/unit/<file>.c; the case is a function that cmocka runs
    static <file>        a file below tests/; the case is the message of a _Static_assert
    -                    no test: the row demands nothing, and the last column says why
"""
import os
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
TABLES = ("jvmti", "jvmpi", "hprof", "embed")


def read(table):
    """(line number, [id, test, case, what it shows]) of each row."""
    for number, line in enumerate(table.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            yield number, line.split("\t")


class Shown:
    """What a test has compared or checked, by program."""

    def __init__(self, test, tests=TESTS, library=os.environ.get("LIBRARY", "")):
        self.test, self.library, self.lines = test, library, {}
        self.rows = [columns for name in TABLES for _, columns in read(tests / name / "rows.tsv")
                     if columns[1].split(" ")[0] == test]

    def add(self, lines, program=""):
        self.lines.setdefault(program, []).extend(lines)

    def missing(self):
        """A sentence for each case that is not among what was shown."""
        for row, test, case, _ in self.rows:
            library, patterns = re.fullmatch(r"(?:(\d\d): )?(.*)", case).groups()
            if library not in (None, self.library):
                continue
            text = "".join(line + "\n" for line in self.lines.get(test.partition(" ")[2], ()))
            for pattern in patterns.split(" && "):
                if not re.search(pattern, text, re.M):
                    yield f"{row} is asserted nowhere: {test} shows nothing that matches {pattern}"
