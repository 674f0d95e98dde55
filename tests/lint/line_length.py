#!/usr/bin/env python3
"""No line of a source file is longer than 120 columns.

Usage: line_length.py ROOT           checks the sources that git knows, or all below ROOT where there is no git
       line_length.py --self-test    shows that a long line is found, and what is no source is not looked at
"""
import subprocess
import sys
import tempfile
from pathlib import Path

MOST = 120
SUFFIXES = {".c", ".h", ".inc", ".def", ".java", ".py", ".sh", ".cmake"}
NAMES = {"CMakeLists.txt", "Makefile"}


def sources(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    names = listed.stdout.split("\0") if listed.returncode == 0 else \
        [str(p.relative_to(root)) for p in sorted(Path(root).rglob("*")) if not p.parts[len(Path(root).parts)]
         .startswith("build")]
    for name in names:
        path = Path(root, name)
        if (path.suffix in SUFFIXES or path.name in NAMES) and path.is_file():
            yield name, path


def faults(root):
    for name, path in sources(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > MOST:
                yield f"{name}:{number}: {len(line)} columns"


def self_test():
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        (root / "src").mkdir()
        (root / "build").mkdir()
        (root / "src/a.c").write_text("x" * 121 + "\n" + "é" * 120 + "\n")
        (root / "build/b.c").write_text("x" * 121 + "\n")
        (root / "page.md").write_text("x" * 121 + "\n")
        found = list(faults(root))
        if found != ["src/a.c:1: 121 columns"]:
            sys.exit(f"self-test: {found}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    found = list(faults(sys.argv[1]))
    print("\n".join(found) if found else "no line is too long")
    sys.exit(1 if found else 0)


main()
