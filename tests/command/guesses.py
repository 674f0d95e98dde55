"""What optimised code has guessed wrong it does not guess there again, but goes on to elsewhere: a call is made where
the receiver is another, other calls of the method stay inlined, and a check of a class that has only ever seen null is
no reason to leave for ever. What is inlined at a call is what most receivers have had that it was made with, and not
the same call elsewhere (Receivers.java)."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, TESTS = Path(os.environ["HOTSPOT"]), Path(os.environ["TESTS"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
PRINTS = ["-Xbatch", "-XX:+PrintCompilation", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining"]
COMPILED = re.compile(r" *\d+ +\d+ +(?:\S+ +)*4 +\w+::(\w+) \(\d+ bytes\)")
CALLED = re.compile(r" +@ \d+ +\w+\$(\w+)::(\w+) \(\d+ bytes\) +(.*)")


def run(java, *options, program="Guesses"):
    command = [str(a) for a in (*harness.java(java), *options, "-cp", CLASSES, program)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=120 * harness.time_scale())
    check(process.returncode == 0 and process.stderr == "", f"{java} {options}", process.stdout, process.stderr)
    return process.stdout.splitlines()


def results(lines):
    return [line for line in lines if re.match(r"(as at first|others|in turn|not null): ", line)]


def compilations(lines, name=lambda match: match[2]):
    """By method: for each optimised code that it got, what became of its calls."""
    found, last = {}, {}
    for line in lines:
        if match := COMPILED.fullmatch(line):
            last = {}
            found.setdefault(match[1], []).append(last)
        elif match := CALLED.fullmatch(line):
            last[name(match)] = match[3] == "inline"
        elif not re.match(r" +@ ", line):
            last = {}
    return found


def receivers():
    expected = run(HOTSPOT, "-Xint", program="Receivers")
    check(len(expected) == 7, "HotSpot's receivers", *expected)
    for options in (["-Xint"], ["-Xcomp"], ["-XX:SwitchTierEvery=40"], ["-XX:TieredStopAtLevel=1"], []):
        check(run(OURS, *options, program="Receivers") == expected, f"receivers {options}", *expected)
    out = run(OURS, *PRINTS, program="Receivers")
    made = compilations(out, lambda match: f"{match[1]}.{match[2]}")
    for method, inlined in (("ofOne", "One.size"), ("ofTwo", "Two.size"), ("ofGone", "One.size"),
                            ("ofSquare", "Square.sides"),
                            ("ofTriangle", "Triangle.sides"), ("ofSquares", "Square.sides")):
        check(made.get(method, [None])[0] == {inlined: True}, method, made.get(method))
    # Several classes: what half of the receivers have is inlined, and others are called.
    for method, inlined in (("ofBoth", ("One.size", "Two.size")), ("ofHeirs", ("Two.size",)), ("ofMost", ("Two.size",)),
                            ("ofAll", ("Square.sides", "Triangle.sides"))):
        codes = made.get(method, [])
        check(len(codes) == 1 and codes[0] in [{name: True} for name in inlined], method, codes)
    check(made.get("later", [None])[-1] == {"Square.sides": True}, "later", made.get("later"))
    check(made.get("ofMany") == [{"Sized.size": False}], "ofMany", made.get("ofMany"))
    check(made.get("ofNone") == [{}], "ofNone", made.get("ofNone"))


def main():
    harness.fresh_directory(WORK)
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-d", CLASSES, TESTS / "tools/Guesses.java",
                    TESTS / "tools/Receivers.java"], check=True)
    expected = results(run(HOTSPOT, "-Xint"))
    check(len(expected) == 4, "HotSpot", *expected)
    for options in (["-Xint"], ["-Xcomp"], ["-XX:SwitchTierEvery=40"], ["-XX:TieredStopAtLevel=1"], []):
        check(results(run(OURS, *options)) == expected, f"results {options}", *expected)
    out = run(OURS, *PRINTS)
    check(results(out) == expected, "results", *out)
    made = compilations(out)
    # The second code of each has the call for others, too, and never leaves.
    for name, calls in (("measured", ("sides", "area")), ("sized", ("size", "sides")), ("looped", ("area", "sides"))):
        check(made.get(name) == [dict.fromkeys(calls, True)] * 2, name, made.get(name))
    # At first what has never been resolved leaves, then null alone does not, and in the end nothing does.
    for name in ("cast", "tested"):
        check(len(made.get(name, [])) == 3, name, made.get(name))
    receivers()
    sys.exit(1 if failed else 0)


main()
