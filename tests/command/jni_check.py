"""-Xcheck:jni: every good call is silent, says what HotSpot says in each state of the thread, and each of its messages
has a case (tests/jni/checks.c) that brings it about: HotSpot's words and stack, and beyond that the function and the
argument."""
import itertools
import re
import sys

import jni_library
from jni_library import CHECK, CHECK_OURS, TESTS, text

CHECKED = ["-Xcheck:jni"]
jni_library.prepare()
cases = jni_library.cases()
failed = []


def fail(what, *lines):
    failed.append(what)
    print(f"--- {what}", *lines, sep="\n")


# ---- states ----------------------------------------------------------------------------------------------------------

def by_function(outcome):
    """{function: what was said during and after it}; stacks and our additions left out, a repetition counts once:
    HotSpot asks some functions by way of others."""
    said, current = {}, None
    for line in text(outcome).splitlines():
        if re.fullmatch("[A-Z][A-Za-z]+", line):
            current = said.setdefault(line, [])
        elif current is not None and not line.startswith(("\t", "    ")):
            current.append(line)
    return {f: [line for line, _ in itertools.groupby(lines)] for f, lines in said.items()}


for state, name in enumerate(("nothing special", "an unchecked call before", "an exception pending",
                              "a critical region")):
    # Only collectors that lock out collections in critical regions make HotSpot 25 count them.
    hotspot = jni_library.run(False, "state", str(state), options=CHECKED + ["-XX:+UseSerialGC"])
    ours = jni_library.run(True, "state", str(state), options=CHECKED)
    if (hotspot.code, ours.code) != (0, 0):
        fail(f"state: {name}", hotspot.ended(), ours.ended(), text(ours)[-2000:])
        continue
    expected, actual = by_function(hotspot), by_function(ours)
    for function in sorted(expected.keys() | actual.keys()):
        if expected.get(function) != actual.get(function):
            fail(f"{function} with {name}", f"HotSpot: {expected.get(function)}", f"ours:    {actual.get(function)}")

# The option's other name.
pending = ["state", "2"]
for ours in False, True:
    said = [by_function(jni_library.run(ours, *pending, options=[option]))
            for option in ("-Xcheck:jni", "-XX:+CheckJNICalls", "-Xint")]
    if said[0] != said[1] or said[0] == said[2]:
        fail(f"CheckJNICalls, ours: {ours}", *map(str, said))

# ---- messages --------------------------------------------------------------------------------------------------------

messages = {}
for row in re.finditer(r'CHECK_MESSAGE\((\w+),\s*(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)',
                       (TESTS.parent / "src/jni/check_messages.def").read_text()):
    words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', row[3]))
    pattern = re.escape(words.replace('\\"', '"')).replace("%1", r"[A-Za-z0-9]+").replace("%2", r".+")
    prefix = {"FATAL": "FATAL ERROR in native method: ", "WARNING": "WARNING in native method: ", "PLAIN": ""}[row[2]]
    messages[row[1]] = (row[2], re.compile(prefix + pattern))


def first_report(outcome):
    """The first message and its stack; our line about function and argument apart."""
    lines, report, detail = text(outcome).splitlines(), [], None
    starts = [i for i, line in enumerate(lines) if re.match(r"FATAL ERROR in|WARNING in|WARNING: JNI|Warning: Calling",
                                                            line)]
    for line in lines[starts[0]:] if starts else []:
        if line.startswith("\tin "):
            detail = detail or line
        elif not report or line.startswith("\tat "):
            report.append(line)
        else:
            break
    return report, detail


for message in sorted(messages.keys() - {c.expected for c in cases if c.kind in (CHECK, CHECK_OURS)}):
    fail(f"no case for the message {message}")
for case in cases:
    if case.kind not in (CHECK, CHECK_OURS):
        continue
    severity, pattern = messages[case.expected]
    ours = jni_library.run(True, "case", str(case.number), options=CHECKED)
    report, detail = first_report(ours)
    if not report or not pattern.fullmatch(report[0]) or (ours.code == -6) != (severity == "FATAL"):
        fail(case.name, f"expected: {severity} {pattern.pattern}", f"ours: {ours.ended()}", text(ours)[:2000])
        continue
    place = detail or ""
    wanted = r"\tin [A-Z][A-Za-z]+(, argument \d \(\w+\)( = \S+)?)?(: .+)?"
    if not re.fullmatch(wanted, place):
        fail(case.name, f"function and argument: {place!r}")
    if case.expected not in ("NO_THREAD",
                             "WRONG_THREAD") and not any(line.startswith("\tat EveryFunction.run(Native Method)")
                                                         for line in report):
        fail(case.name, "no Java stack", *report)
    if case.kind == CHECK:
        hotspot = jni_library.run(False, "case", str(case.number), options=CHECKED)
        theirs, _ = first_report(hotspot)
        if theirs != report or (hotspot.code == -6) != (ours.code == -6):
            fail(case.name, f"HotSpot: {hotspot.ended()}", *theirs, f"ours: {ours.ended()}", *report)

# ---- where no core file is wanted ------------------------------------------------------------------------------------

for name in ("FatalError good", "FindClass not_utf8"):
    number = str(next(c.number for c in cases if c.name == name))
    codes = [jni_library.run(ours, "case", number, options=[*CHECKED, "-XX:-CreateCoredumpOnCrash"]).code
             for ours in (False, True)]
    if codes != [1, 1]:
        fail(f"{name} without a core file: exit codes {codes}")
sys.exit(1 if failed else 0)
