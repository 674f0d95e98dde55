#!/usr/bin/env python3
"""What the differential programs did not execute, against tests/coverage_gaps.txt.

Usage: coverage.py --build BUILD --jdk 17|25 --hotspot JDK --counts DIR [--list]

BUILD is a coverage build (make COVERAGE=1) in which the programs have run with GCOV_PREFIX and VITRINE_COUNTS set to
DIR. Asked are
  opcode NAME              every bytecode of JVMS chapter 6
  throw OPCODE CLASS       every exception that JVMS 6.5 says an instruction may throw
  JVM_NAME                 every function that the libraries of this JDK import from libjvm.so
  CLASS.METHOD             every native method of this JDK's classes that the VM itself registers
What is missing must stand in tests/coverage_gaps.txt with a reason, and nothing else may stand there. --list prints
what is missing.
"""
import argparse
import collections
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LANG = "java/lang/"
RESOLUTION = ["NoClassDefFoundError", "IllegalAccessError"]
FIELD = ["NoSuchFieldError", "IncompatibleClassChangeError", *RESOLUTION]
METHOD = ["NoSuchMethodError", "IncompatibleClassChangeError", *RESOLUTION]
LOCKS = ["IllegalMonitorStateException"]
BOUNDS = ["NullPointerException", "ArrayIndexOutOfBoundsException"]
# JVMS 6.5, run-time and linking exceptions; asynchronous and internal errors may come from any instruction.
THROWS = {
    **{op: BOUNDS for op in "iaload laload faload daload aaload baload caload saload iastore lastore fastore dastore "
                            "bastore castore sastore".split()},
    "aastore": [*BOUNDS, "ArrayStoreException"], "arraylength": ["NullPointerException"],
    "athrow": ["NullPointerException", *LOCKS],
    "anewarray": ["NegativeArraySizeException", "OutOfMemoryError", *RESOLUTION],
    "newarray": ["NegativeArraySizeException", "OutOfMemoryError"],
    "multianewarray": ["NegativeArraySizeException", "OutOfMemoryError", *RESOLUTION],
    "new": ["InstantiationError", "ExceptionInInitializerError", "OutOfMemoryError", *RESOLUTION],
    "checkcast": ["ClassCastException", *RESOLUTION], "instanceof": RESOLUTION,
    "getfield": ["NullPointerException", *FIELD], "putfield": ["NullPointerException", *FIELD],
    "getstatic": ["ExceptionInInitializerError", *FIELD], "putstatic": ["ExceptionInInitializerError", *FIELD],
    "idiv": ["ArithmeticException"], "irem": ["ArithmeticException"], "ldiv": ["ArithmeticException"],
    "lrem": ["ArithmeticException"],
    "invokevirtual": ["NullPointerException", "AbstractMethodError", "UnsatisfiedLinkError", "WrongMethodTypeException",
                      *METHOD],
    "invokespecial": ["NullPointerException", "AbstractMethodError", "UnsatisfiedLinkError", *METHOD],
    "invokestatic": ["ExceptionInInitializerError", "UnsatisfiedLinkError", *METHOD],
    "invokeinterface": ["NullPointerException", "AbstractMethodError", "UnsatisfiedLinkError", *METHOD],
    "invokedynamic": ["BootstrapMethodError"], "ldc": ["NoClassDefFoundError", "IllegalAccessError",
                                                       "BootstrapMethodError"],
    "monitorenter": ["NullPointerException"], "monitorexit": ["NullPointerException", *LOCKS],
    **{op: LOCKS for op in "ireturn lreturn freturn dreturn areturn return".split()},
}
IN_PACKAGE = {"WrongMethodTypeException": "java/lang/invoke/"}


def opcodes():
    text = (ROOT / "src/classfile/opcodes.def").read_text()
    return [name for number, name in re.findall(r"^OPCODE\(\s*(\d+|0x[0-9a-fA-F]+)\s*,\s*(\w+)", text, re.M)
            if int(number, 0) <= 201]


def counted(directory):
    seen = set()
    for path in directory.glob("[0-9]*"):
        for line in path.read_text().splitlines():
            seen.add(line.rsplit(" ", 1)[0])
    return seen


def functions(build, counts, room):
    """(source, function) -> times entered, of the rooms that export JVM_* and register natives, from what gcov kept
    below `counts`."""
    entered = collections.Counter()
    objects = build / "CMakeFiles/rooms.dir/src" / room
    data = Path(str(counts) + str(objects))
    with tempfile.TemporaryDirectory() as work:
        for note in objects.glob("*.gcno"):
            link = data / note.name
            if not link.exists() and data.exists():
                link.symlink_to(note)
            if not (data / note.name.replace(".gcno", ".gcda")).exists():
                continue
            out = subprocess.run(["gcov", "--json-format", "--stdout", str(data / note.name.replace(".gcno", ".gcda"))],
                                 cwd=work,
                                 capture_output=True, check=True).stdout
            out = gzip.decompress(out) if out[:2] == b"\x1f\x8b" else out
            for file in json.loads(out)["files"]:
                for function in file["functions"]:
                    entered[Path(file["file"]).name, function["name"]] += function["execution_count"]
    return entered


def imported(jdk):
    names = set()
    for library in sorted((jdk / "lib").glob("*.so")):
        text = subprocess.run(["nm", "-D", "--undefined-only", str(library)], capture_output=True, text=True,
                              check=True).stdout
        names |= set(re.findall(r"\b(JVM_\w+)", text))
    return names


def preprocessed(build, sources):
    commands = {Path(c["file"]).name: c for c in json.loads((build / "compile_commands.json").read_text())}
    for source in sources:
        words = commands[source.name]["command"].split()
        words = words[:words.index("-o")] + ["-E", "-P", str(source)]
        yield source.name, subprocess.run(words, cwd=commands[source.name]["directory"], capture_output=True, text=True,
                                          check=True).stdout


def registered(build, version):
    """(class.method, source, function) of every row of the tables of natives that belongs to this library."""
    row = re.compile(r'\{\s*((?:"\w*"\s*)+),[^,{}]*,\s*(\w+)\s*,\s*(IN_\w+)\s*\}')
    table = re.compile(r'struct native_class natives_\w+\s*=\s*\{\s*"([^"]+)"\s*,\s*(\w+)\s*,(.*?)\};', re.S)
    here = ("IN_BOTH", f"IN_{version}")
    sources = [p for p in sorted((ROOT / "src/jdk").glob("*.c")) if "struct native_class" in p.read_text()]
    for source, text in preprocessed(build, sources):
        arrays = dict(re.findall(r"struct native_binding (\w+)\[\]\s*=\s*\{(.*?)\};", text, re.S))
        for holder, name, rest in table.findall(text):
            if not any(w in here for w in re.findall(r"IN_\w+", rest) or here):
                continue
            for method, function, where in row.findall(arrays.get(name, "")):
                method = re.sub(r'["\s]', "", method)
                if where in here and function not in ("native_nothing", "native_unsupported"):
                    yield f"{holder.replace('/', '.')}.{method}", source, function


def gaps(version):
    """Lines "<17|25|both> <what>: <reason>"."""
    found = {}
    for line in (ROOT / "tests/coverage_gaps.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            head, reason = line.split(": ", 1)
            where, what = head.split(" ", 1)
            if where in ("both", version):
                found[what] = reason
    return found


def missing(args):
    seen = counted(args.counts)
    for name in opcodes():
        if f"opcode {name}" not in seen:
            yield f"opcode {name}"
    for opcode, classes in sorted(THROWS.items()):
        forms = [opcode, "ldc_w", "ldc2_w"] if opcode == "ldc" else [opcode]
        for c in classes:
            if not any(f"throw {form} {IN_PACKAGE.get(c, LANG)}{c}" in seen for form in forms):
                yield f"throw {opcode} {c}"
    entered = functions(args.build, args.counts, "jdk") + functions(args.build, args.counts, "jni")
    by_name = collections.Counter()
    for (_, name), times in entered.items():
        by_name[name] += times
    for name in sorted(imported(args.hotspot)):
        if not by_name[name]:
            yield name
    rows = list(registered(args.build, args.jdk))
    if len(rows) < 100:
        sys.exit(f"only {len(rows)} registered natives found in src/jdk: the tables have changed their form")
    for method, source, function in rows:
        if not entered[source, function]:
            yield method


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--jdk", required=True)
    parser.add_argument("--hotspot", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    absent = list(dict.fromkeys(missing(args)))
    if args.list:
        print("\n".join(absent))
        return 0
    known = gaps(args.jdk)
    new = [what for what in absent if what not in known]
    stale = [what for what in known if what not in absent]
    for what in new:
        print(f"never executed, and not in tests/coverage_gaps.txt: {what}")
    for what in stale:
        print(f"executed, but tests/coverage_gaps.txt says: {known[what]} ({what})")
    print(f"JDK {args.jdk}: {len(absent)} gaps, {len(known)} known")
    return 1 if new or stale else 0


sys.exit(main())
