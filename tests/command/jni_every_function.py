"""Every JNI function, with good, boundary and bad arguments, answers as on HotSpot (tests/jni/); what is undefined
there has its answer here.
-Xlog:jni=trace shows that every function of the table was called."""
import re
import sys

import harness
import jni_library
from jni_library import LAST, LAST_OURS, OURS, SHARED, TESTS, text

jni_library.prepare()
cases = jni_library.cases()
failed = []


def compare(what, expected, actual):
    if expected != actual:
        failed.append(what)
        print(f"--- {what}\nexpected: {expected}\nours:     {actual}")


# Both VMs, one process each.
hotspot, ours = (jni_library.run(which, "run", str(SHARED)) for which in (False, True))
compare("how it ended", hotspot.ended(), ours.ended())
pair = [dict(line.split(": ", 1) for line in text(o).splitlines() if ": " in line) for o in (hotspot, ours)]
compare("the cases that ran", sorted(pair[0]), sorted(pair[1]))
for name in pair[0]:
    compare(name, pair[0][name], pair[1].get(name))
compare("standard error", *(harness.normalise(re.sub(rb"(?m)^WARNING: .*\n", b"", o.err), []) for o in (hotspot, ours)))

# Once more with strings that have two bytes for every char.
wide = [text(jni_library.run(which, "run", str(SHARED), options=["-XX:-CompactStrings"])) for which in (False, True)]
compare("without compact strings", *(sorted(said.splitlines()) for said in wide))

# Undefined on HotSpot: all in one process, which must survive them.
outcome = jni_library.run(True, "run", str(OURS))
compare("how the undefined cases ended", "exit 0", outcome.ended())
said = dict(line.split(": ", 1) for line in text(outcome).splitlines() if ": " in line)
for case in cases:
    if case.kind == OURS:
        compare(case.name, case.expected, said.get(case.name))

# The ones that end the process.
for case in cases:
    if case.kind == LAST:
        pair = [jni_library.run(which, "case", str(case.number)) for which in (False, True)]
        compare(case.name, *(f"{o.ended()}\n{text(o)}" for o in pair))
    if case.kind == LAST_OURS:
        outcome = jni_library.run(True, "case", str(case.number))
        if outcome.code != -6 or case.expected not in text(outcome) + outcome.err.decode(errors="replace"):
            compare(case.name, f"SIGABRT, {case.expected}", f"{outcome.ended()}\n{text(outcome)}")

# Calls as they are logged: every function of the table, its arguments and its result decoded.
sys.path.insert(0, str(TESTS.parent / "spec"))
import gen_jni  # noqa: E402

log = jni_library.WORK / "trace.txt"
outcome = jni_library.run(True, "run", str(SHARED), options=[f"-Xlog:jni=trace:file={log}:none"])
compare("how it ended while logged", "exit 0", outcome.ended())
compare("what it said while logged", sorted(text(ours).splitlines()), sorted(text(outcome).splitlines()))
lines = log.read_text(errors="replace").splitlines()
called = {line.split("(", 1)[0] for line in lines}
table = {f.name for f in gen_jni.read(TESTS.parent / "spec/jni.def")}
absent = {"17": {"IsVirtualThread", "GetStringUTFLengthAsLong"}}.get(jni_library.JDK, set())
# With variable arguments the log has the function that was called; FatalError ends the process.
compare("functions that nobody called", sorted(absent | {"FatalError"}), sorted(table - called))
for pattern in (r"FindClass\(name=\"java/lang/String\"\)",
                r"FindClass returns local 0x[0-9a-f]+ class java\.lang\.String",
                r"GetIntField\(object=local 0x[0-9a-f]+ EveryFunction, id=EveryFunction\.i:I\)",
                r"GetIntField returns 0",
                r"CallIntMethod\(object=local 0x[0-9a-f]+ EveryFunction, id='int EveryFunction\.i\(int\)', "
                r"arguments=\(-2147483648\)\)",
                r"CallStaticDoubleMethodA\(class=local 0x[0-9a-f]+ class EveryFunction, id='double "
                r"EveryFunction\.sd\(double\)', arguments=\(-1e\+300\)\)",
                r"CallStaticIntMethod returns 0 with java\.lang\.IllegalArgumentException pending",
                r"NewGlobalRef returns global 0x[0-9a-f]+ java\.lang\.String",
                r"ExceptionCheck returns true with java\.lang\.IllegalStateException pending",
                r"ReleaseIntArrayElements\(array=local 0x[0-9a-f]+ \[I, elements=0x[0-9a-f]+, mode=1\)"):
    if not any(re.fullmatch(pattern, line) for line in lines):
        failed.append(pattern)
        print(f"no line of the log reads {pattern}")
sys.exit(1 if failed else 0)
