"""Redefinitions that add and delete methods, with -XX:+AllowRedefinitionToAddDeleteMethods and without: the same class
files given to HotSpot and to our VM by the same agent, in code of each tier.

With the option HotSpot is not asked each time: it frees deleted methods whose ids the agent still has, and crashes in
one run of three, and what it has compiled goes on to run some of them. tests/redefine/methods_added_and_deleted.*.txt
is what it said, interpreted (-Xint), when it did not."""
import difflib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
OPTION = "-XX:+AllowRedefinitionToAddDeleteMethods"
TIERS = {"as it comes": [], "interpreted": ["-Xint"], "baseline": ["-XX:TieredStopAtLevel=1"], "optimised": ["-Xbatch"]}

TARGET = """
import java.util.function.Supplier;
class Above { %(above)s }
class Target extends Above {
    int x = 5;
    %(field)s
    Target() { }
    %(constructor)s
    %(visible)s
    %(plain)s
    %(gone)s
    %(more)s
    static String visible() { return "visible"; }
    int plainly() { return x; }
    static String use() { return %(use)s; }
    static Supplier<String> lambda() { return %(lambda)s; }
    static String run(Runnable r) { return %(run)s; }
    static class Caller {
        static volatile int turns;
        static volatile boolean stop;
        %(caller)s
    }
}
class Other { int a; %(other)s }
interface Face {
    static Supplier<String> text() { return %(face)s; }
}
"""
GONE = """
    private static int gone(int n) { return n + 1; }
    private final int goneToo(int n) { return n + x; }
    private static String shadows() { return "target"; }
    private static String running(Runnable r) { r.run(); return "ran " + new Target().plainly() + gone(1); }
"""
CALLER = """
    static int gone(int n) { return Target.gone(n); }
    static int goneToo(Target t, int n) { return t.goneToo(n); }
    static String shadows() { return Target.shadows(); }
    static Supplier<String> reference() { return Target::shadows; }
    static int hot(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += Target.gone(i); return sum; }
    static int hotToo(Target t, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += t.goneToo(i); return sum; }
    static int spin() { int i = 0; while (!stop) { i = Target.gone(i); turns = i; } return 0; }
"""
DEFAULTS = {"field": "", "constructor": "private Target(int n) { x = n; }",
            "visible": "static int packaged() { return 1; }", "plain": "private int instance() { return 2; }",
            "gone": GONE, "more": "", "use": '"used"', "lambda": '() -> "lambda"', "run": "running(r)",
            "caller": CALLER, "above": "", "other": "", "face": '() -> "face"'}
MORE = """
    private static int added(int n) { return n * 3; }
    private final int addedToo(int n) { return added(n) + x; }
    private static synchronized String lock() { return "locked"; }
"""
VARIANTS = {
    "base": {},
    "more": {"more": MORE, "use": '"uses " + added(2) + " " + new Target().addedToo(3) + lock()',
             "lambda": '() -> "another " + added(4)'},
    "without": {"gone": "", "use": '"without"', "lambda": "null", "run": '"not any more"', "caller": "",
                "face": "null"},
    "public_added": {"more": "public static void added() { }"},
    "package_added": {"more": "static final void added() { }"},
    "instance_added": {"more": "private void added() { }"},
    "constructor_added": {"more": "private Target(String s) { }"},
    "package_deleted": {"visible": ""},
    "instance_deleted": {"plain": ""},
    "constructor_deleted": {"constructor": ""},
    "modifiers": {"gone": GONE.replace("private static int gone", "private static synchronized int gone")},
    "field": {"field": "int y;", "other": "int b;"},
    # no compiler lets a private method hide this one, so the others have a superclass without it
    "above": {"above": 'static String shadows() { return "above"; }', "gone": "", "run": "null", "caller": ""},
}
# Where HotSpot runs a method's code that may be freed.
DECIDED = {"gone by JNI: 4": "gone by JNI: java.lang.NoSuchMethodError: 'int Target.gone(int)'"}
# What must be there for the test to be worth anything: with the option, and without.
WANTED = (["more: NONE", "public_added: UNSUPPORTED_REDEFINITION_METHOD_ADDED", "shadows: above",
           "instance_deleted: UNSUPPORTED_REDEFINITION_METHOD_DELETED", "entered added", "exit 0"],
          ["more: UNSUPPORTED_REDEFINITION_METHOD_ADDED", "without: UNSUPPORTED_REDEFINITION_METHOD_DELETED", "exit 0"])


def compile_variants(root):
    sources = []
    for name, changes in VARIANTS.items():
        (root / name).mkdir(parents=True, exist_ok=True)
        sources.append(root / name / "Target.java")
        sources[-1].write_text(TARGET % {**DEFAULTS, **changes})
    subprocess.run([*harness.java(HOTSPOT), TESTS / "redefine/CompileVariants.java", *sources], check=True)
    shutil.copy(root / "above/Above.class", root / "base")
    subprocess.run([*harness.javac(HOTSPOT), "-cp", root / "base", "-d", root / "program",
                    TESTS / "redefine/RedefineMethods.java"], check=True)


def run(java, root, allowed, *options):
    agent = harness.agent_library(BUILD, "redefine_methods", java == OURS)
    outcome = harness.run([*harness.java(java), *(harness.vm_options() if java == OURS else []), *options,
                           *([OPTION] if allowed else []), f"-agentpath:{agent}", "-cp",
                           f"{root / 'program'}:{root / 'base'}", "RedefineMethods", root,
                           *(["allowed"] if allowed else [])], WORK, 300 * harness.time_scale(), java == OURS)
    return harness.normalise(outcome.out + outcome.err, []).splitlines() + [outcome.ended()]


def main():
    root = WORK / "variants"
    compile_variants(root)
    failed = False
    for allowed in (True, False):
        recorded = TESTS / f"redefine/methods_added_and_deleted.{os.environ['LIBRARY']}.txt"
        expected = recorded.read_text().splitlines() if allowed else run(HOTSPOT, root, allowed)
        missing = [w for w in WANTED[not allowed] if w not in expected]
        if missing or any("FAILED" in line for line in expected):
            print(f"HotSpot: missing {missing}", *expected, sep="\n")
            failed = True
        for tier, options in TIERS.items():
            said = run(OURS, root, allowed, *options)
            if said != [DECIDED.get(line, line) if allowed else line for line in expected]:
                print(f"{tier}, {'allowed' if allowed else 'not allowed'}:",
                      *difflib.unified_diff(expected, said, "hotspot", "vitrine", lineterm="", n=3), sep="\n")
                failed = True
    sys.exit(1 if failed else 0)


main()
