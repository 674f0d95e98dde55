#!/usr/bin/env python3
"""A flag that the tables say has effect is read by the VM, one that has none is not, and docs/options.md names every
option with effect and every one without that would be missed.

Usage: flags_effect.py ROOT           checks a source tree
       flags_effect.py --self-test    shows that each kind of fault is found
"""
import re
import sys
import tempfile
from pathlib import Path

FLAG = re.compile(r"^FLAG\(\w+,\s+(\w+),(?:.|\n     )*?\s(EFFECT|ACCEPTED)\)$", re.M)
XOPTION = re.compile(r'^XOPTION\(\w+,\s*"(-[^"]+)",\s*(?:true|false),\s*(?:true|false),\s*(EFFECT|ACCEPTED),', re.M)
MISSED = re.compile(r"^MISSED\((\w+),", re.M)
READ = re.compile(r"\bflags(?:\.|->)([A-Z]\w+)|\bFLAG_ID_(\w+)")
# Their text is looked for before the table is read.
READ_BY_NAME = {"Flags", "IgnoreUnrecognizedVMOptions", "PrintFlagsInitial", "PrintVMOptions", "VMOptionsFile"}


def faults(root):
    src = root / "src"
    texts = [p.read_text() for p in sorted(src.rglob("*.[ch]"))]
    read = {a for text in texts for a, _ in READ.findall(text) if a}
    mentioned = read | {b for text in texts for _, b in READ.findall(text) if b}
    page = (root / "docs/options.md").read_text()
    missed = MISSED.findall((src / "base/missed_flags.def").read_text())
    for name, mark in FLAG.findall((src / "base/flags.def").read_text()):
        if mark == "EFFECT":
            if name not in mentioned and name not in READ_BY_NAME:
                yield f"{name} is marked EFFECT, and nothing reads it"
            if f"`{name}`" not in page:
                yield f"{name} is marked EFFECT, and docs/options.md does not name it"
            if name in missed:
                yield f"{name} is marked EFFECT, and missed_flags.def has it"
        elif name in read:
            yield f"{name} is marked ACCEPTED, and something reads it"
    for name in missed:
        if f"`{name}`" not in page:
            yield f"missed_flags.def has {name}, and docs/options.md does not name it"
    for option, mark in XOPTION.findall((src / "base/xoptions.def").read_text()):
        if mark == "EFFECT" and f"`{option}" not in page:
            yield f"{option} is marked EFFECT, and docs/options.md does not name it"


def self_test():
    flag, option = ('FLAG(bool, Watch, NONE,\n     NONE, %s)\n',
                    'XOPTION(EXACT,  "-Xsee", true,  true,  EFFECT,   see)\n')
    use, page = "if (o->flags.Watch) {}", "`Watch` and `-Xsee`"
    cases = [(flag % "EFFECT", "", use, page, "", 0), (flag % "EFFECT", "", "", page, "", 1),
             (flag % "EFFECT", "", use, "", "", 1), (flag % "ACCEPTED", "", "", "", "", 0),
             (flag % "ACCEPTED", "", use, "", "", 1), ("", option, "", "", "", 1), ("", option, "", page, "", 0),
             (flag % "ACCEPTED", "", "", page, "MISSED(Watch, NO)", 0), ("", "", "", "", "MISSED(Watch, NO)", 1),
             (flag % "EFFECT", "", use, page, "MISSED(Watch, NO)", 1)]
    for flags, options, code, text, missed, expected in cases:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "src/base").mkdir(parents=True)
            (root / "docs").mkdir()
            (root / "src/base/flags.def").write_text(flags)
            (root / "src/base/xoptions.def").write_text(options)
            (root / "src/base/missed_flags.def").write_text(missed)
            (root / "src/a.c").write_text(code)
            (root / "docs/options.md").write_text(text)
            found = list(faults(root))
            if len(found) != expected:
                sys.exit(f"self-test: {flags}{options} with {code!r} and {text!r}: expected {expected} faults, got "
                         f"{found}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    found = list(faults(Path(sys.argv[1])))
    print("\n".join(found) if found else "tables, sources and page agree")
    sys.exit(1 if found else 0)


main()
