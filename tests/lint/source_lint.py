"""What the lints of the C sources share: the sources without comments and texts, the self-test, the verdict."""
import re
import sys
import tempfile
from pathlib import Path

# Whichever begins first: a text may hold what looks like a comment.
SKIPPED = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*\"""", re.S)
SUFFIXES = (".c", ".h", ".S", ".inc", ".def")


def files(src):
    """(file, its path below src) of each source."""
    for source in sorted(src.rglob("*")):
        if source.suffix in SUFFIXES:
            yield source, source.relative_to(src).as_posix()


def bare(source):
    """The code of a file alone: without comments and what stands in texts, lines in place."""
    return SKIPPED.sub(lambda m: '""' if m.group().startswith('"') else "\n" * m.group().count("\n"),
                       source.read_text(errors="replace"))


def lines(src):
    """(file, path, number, line) of all code."""
    for source, path in files(src):
        for number, line in enumerate(bare(source).splitlines(), 1):
            yield source, path, number, line


def self_test(violations, cases):
    """Each case is a tree, {path: text}, or (path, text, ...) for one of a single file, and whether it violates."""
    for case in cases:
        tree, bad = ({case[0]: case[1]}, case[2]) if len(case) == 3 else case
        with tempfile.TemporaryDirectory() as directory:
            src = Path(directory).resolve()
            for path, text in tree.items():
                (src / path).parent.mkdir(parents=True, exist_ok=True)
                (src / path).write_text(text + "\n")
            found = list(violations(src))
            if bool(found) != bad:
                sys.exit(f"self-test: {tree}: expected {'a violation' if bad else 'none'}, got {found}")
    print(f"{len(cases)} cases judged rightly")


def main(violations, cases, good):
    """The arguments are SRC, or --self-test. `good` is said where nothing is wrong."""
    if sys.argv[1:] == ["--self-test"]:
        self_test(violations, cases)
        return
    found = list(violations(Path(sys.argv[1]).resolve()))
    print("\n".join(found) if found else good)
    sys.exit(1 if found else 0)
