#!/usr/bin/env python3
"""A flag that the tables say has effect is read by the VM, one that has none is not; flags_generate.py, which writes
their table, says the same of each; docs/options.md names every option with effect and every one without that would be
missed; and some test names every option with effect.

Usage: flags_effect.py ROOT           checks a source tree
       flags_effect.py --self-test    shows that each kind of fault is found
"""
import re
import sys
import tempfile
from pathlib import Path

FLAG = re.compile(r"^FLAG\(\w+,\s+(\w+),(?:.|\n     )*?(?<= )(EFFECT|ACCEPTED)\)$", re.M)
GENERATED = re.compile(r'^EFFECT = set\("""\n(.*?)^"""|^    \("\w+", "(\w+)", "vitrine', re.M | re.S)
XOPTION = re.compile(r'^XOPTION\(\w+,\s*"(-[^"]+)",\s*(?:true|false),\s*(?:true|false),\s*(EFFECT|ACCEPTED),', re.M)
MISSED = re.compile(r"^MISSED\((\w+),", re.M)
READ = re.compile(r"\bflags(?:\.|->)([A-Z]\w+)|\bFLAG_ID_(\w+)")
OTHER_THAN_TESTS = {"lint", "fuzz"}                                              # directories of tests/
# Their text is looked for before the table is read.
READ_BY_NAME = {"IgnoreUnrecognizedVMOptions", "PrintFlagsInitial", "PrintVMOptions"}


def tests_of(root):
    paths = (p for p in sorted((root / "tests").rglob("*.*")) if p.suffix in (".c", ".java", ".py", ".txt"))
    return "\n".join(p.read_text(errors="replace") for p in paths
                     if not OTHER_THAN_TESTS & set(p.relative_to(root / "tests").parts))


def faults(root):
    src = root / "src"
    tests = tests_of(root)
    words = set(re.findall(r"\w+", tests))
    texts = [p.read_text() for p in sorted(src.rglob("*.[ch]"))]
    read = {a for text in texts for a, _ in READ.findall(text) if a}
    mentioned = read | {b for text in texts for _, b in READ.findall(text) if b}
    page = (root / "docs/options.md").read_text()
    missed = MISSED.findall((src / "base/missed_flags.def").read_text())
    flags = FLAG.findall((src / "base/flags.def").read_text())
    marked = {name for name, mark in flags if mark == "EFFECT"}
    generated = {name for known, own in GENERATED.findall((src / "base/flags_generate.py").read_text())
                 for name in (known or own).split()}
    for name in sorted(marked ^ generated):
        yield f"{name}: flags.def and flags_generate.py do not agree on whether it has effect"
    for name, mark in flags:
        if mark == "EFFECT":
            if name not in mentioned and name not in READ_BY_NAME:
                yield f"{name} is marked EFFECT, and nothing reads it"
            if f"`{name}`" not in page:
                yield f"{name} is marked EFFECT, and docs/options.md does not name it"
            if name not in words:
                yield f"{name} is marked EFFECT, and no test names it"
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
        if mark == "EFFECT" and option not in tests:
            yield f"{option} is marked EFFECT, and no test names it"


def self_test():
    flag, option = ('FLAG(bool, Watch, NONE,\n     NONE, %s)\n',
                    'XOPTION(EXACT,  "-Xsee", true,  true,  EFFECT,   see)\n')
    use, page = "if (o->flags.Watch) {}", "`Watch` and `-Xsee`"
    cases = [(flag % "EFFECT", "", use, page, "", 0), (flag % "EFFECT", "", "", page, "", 1),
             (flag % "EFFECT", "", use, "", "", 1), (flag % "ACCEPTED", "", "", "", "", 0),
             (flag % "ACCEPTED", "", use, "", "", 1), ("", option, "", "", "", 1), ("", option, "", page, "", 0),
             (flag % "ACCEPTED", "", "", page, "MISSED(Watch, NO)", 0), ("", "", "", "", "MISSED(Watch, NO)", 1),
             (flag % "EFFECT", "", use, page, "MISSED(Watch, NO)", 1),
             (flag % "EFFECT", "", use, page, "", 1, ""), (flag % "ACCEPTED", "", "", page, "", 1, "Watch"),
             (flag.replace(" %s", "\n     %s") % "EFFECT", "", "", page, "", 1),
             (flag % "EFFECT", "", use, page, "", 1, "Watch", ""), ("", option, "", page, "", 1, "", "-Xse")]
    for flags, options, code, text, missed, expected, *others in cases:
        generated = others[0] if others else "Watch" if "EFFECT" in flags else ""
        tests = others[1] if len(others) > 1 else page
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "src/base").mkdir(parents=True)
            (root / "docs").mkdir()
            (root / "tests/lint").mkdir(parents=True)
            (root / "tests/a.py").write_text(tests)
            (root / "tests/lint/a.py").write_text(page)
            (root / "src/base/flags.def").write_text(flags)
            (root / "src/base/flags_generate.py").write_text(f'EFFECT = set("""\n{generated}\n""".split())\n')
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
