#!/usr/bin/env python3
"""Every function with external linkage in src/ is used: by the VM, or by a unit test or fuzz target.

    unreferenced.py SOURCE GENERATED     the source tree, and the directory of what is generated from tables
    unreferenced.py --self-test

A function that only its definition and its declarations name is unreferenced. What cmake/libjvm.map exports is left
out: the outside uses that. Functions that a table names by pasting are found in the generated files, or by the macro's
own text (`prefix_##name`). The compiler finds static ones.
"""
import fnmatch
import re
import sys
from pathlib import Path

TOKENS = re.compile(r"[A-Za-z_]\w*|[{}();=]|\S")
DROPPED = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
PASTED = re.compile(r"\b(\w+_)##")


def without_text(source):
    """Comments, strings and character constants become blanks; the lines stay."""
    return DROPPED.sub(lambda m: "\n" * m.group().count("\n") + " ", source)


def read(source):
    """(defined names with line numbers, used names, prefixes that macros paste names onto) of one file."""
    source = without_text(source)
    used, prefixes = set(), set()
    for directive in DIRECTIVE.findall(source):
        prefixes.update(PASTED.findall(directive))
        words = re.findall(r"\w+", directive)
        used.update(words[2:] if words[:1] == ["define"] else [])
    source = DIRECTIVE.sub(lambda m: "\n" * m.group().count("\n"), source)
    defined, depth, statement = {}, 0, []
    for match in TOKENS.finditer(source):
        token = match.group()
        if depth == 0 and token == "{":
            name = function_of(statement)
            if name:
                defined[name] = source.count("\n", 0, match.start()) + 1
            used.update(initializer(statement))
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 0:
                statement = []
        elif depth > 0:
            used.add(token)
        elif token == ";":
            used.update(initializer(statement))
            statement = []
        else:
            statement.append(token)
    return defined, used, prefixes


def initializer(statement):
    """What stands behind the = of a variable's definition; all words of a declaration with the attribute `used`."""
    if "__attribute__" in statement and "used" in statement:
        return statement
    return statement[statement.index("=") + 1:] if "=" in statement else []


def function_of(statement):
    """The name that these words define; None: no function with external linkage, or a macro that makes some."""
    if "(" not in statement or "=" in statement or "static" in statement:
        return None
    name = statement[statement.index("(") - 1]
    return name if re.match(r"[A-Za-z_]\w*$", name) and not name.isupper() and name != "__attribute__" else None


def exported(text):
    """The patterns of global names in a linker's version script."""
    return re.findall(r"^\s*([\w*]+);", text.partition("global:")[2].partition("local:")[0], re.M)


def unreferenced(sources, others, patterns=()):
    """Lines about the functions of `sources` that no file uses. Both lists: (name, text); `patterns`: exports."""
    defined, used, prefixes = {}, set(), set()
    for name, text in sources:
        here, uses, pasted = read(text)
        for function, line in here.items():
            defined.setdefault(function, f"{name}:{line}: {function} is used nowhere")
        used |= uses
        prefixes |= pasted
    words = set()
    for _, text in others:
        words.update(re.findall(r"\w+", without_text(text)))
    return [where for function, where in sorted(defined.items())
            if function not in used and function not in words and not pasted_name(function, prefixes, words | used)
            and not any(fnmatch.fnmatchcase(function, p) for p in patterns)]


def pasted_name(function, prefixes, words):
    """Is the function named by a row of a table behind a prefix that a macro pastes?"""
    return any(function.startswith(p) and function[len(p):] in words for p in prefixes)


def self_test():
    good = [("a.c", """#include "a.h"
#define USE(n) use_##n()
int used(void) {
    return 1;
}
void use_row(void) {
}
static int s(void) { return used(); }
int JVM_Exported(void) {
    return 0;
}
int in_table(void) {
}
int (*const table[])(void) = { in_table };
int hook(void) {}
int (*h)(void) = hook;
__attribute__((used, visibility("hidden"))) int by_assembler(void);
int by_assembler(void) {}
"""), ("a.h", "int used(void);\n")]
    bad = [("a.c", '/* lonely() */\nint lonely(int a) {\n    say("lonely");\n    return a;\n}\n'),
           ("a.h", "int lonely(int a); /* lonely */\n")]
    patterns = exported("V {\n global:\n  JVM_*;\n local:\n  *;\n};")
    assert patterns == ["JVM_*"], patterns
    assert unreferenced(good, [("rows.def", "ROW(row)")], patterns) == []
    assert unreferenced(good, [], patterns) == ["a.c:6: use_row is used nowhere"]
    assert len(unreferenced(good, [])) == 2
    assert unreferenced(bad, []) == ["a.c:2: lonely is used nowhere"]
    assert unreferenced(bad, [("test.c", "int x(void) { return lonely(1); }")]) == []
    print("as expected")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root, generated = Path(sys.argv[1]), Path(sys.argv[2])
    sources = [(str(p.relative_to(root)), p.read_text()) for p in sorted((root / "src").rglob("*.[ch]"))]
    others = [(str(p), p.read_text()) for folder, pattern in
              ((root / "src", "*.def"), (root / "src", "*.inc"), (root / "spec", "*.def"),
               (root / "agents", "*.[ch]"), (generated, "*.[ch]"),
               (root / "tests/unit", "*.c"), (root / "tests/fuzz", "*.c"))
              for p in sorted(folder.rglob(pattern))]
    found = unreferenced(sources, others, exported((root / "cmake/libjvm.map").read_text()))
    print("\n".join(found) or f"{len(sources)} files, every function is used")
    sys.exit(1 if found else 0)


main()
