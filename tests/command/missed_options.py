"""Options that are accepted without effect although somebody would miss what they ask for warn on stderr, in the layout
of HotSpot's warnings; where the program was not to run at all they are errors."""
import os
import re
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"])
OURS, TESTS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["TESTS"]), Path(os.environ["WORK"])
UNLOCK = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"]
LAYOUT = re.compile(r"^(\S.*) VM warning: (.*)$", re.M)
failed = []


def check(good, what):
    if not good:
        failed.append(what)
        print("FAILED:", what)


def run(java, *options, env=None):
    own = harness.vm_options() if java == OURS else ["-Xint"]
    return harness.run([*harness.java(java), *own, *options, "-version"], WORK, 120 * harness.time_scale(),
                       ours=java == OURS, extra_env=env)


def warnings(outcome):
    return [text for vm, text in LAYOUT.findall(outcome.err.decode()) if "not supported in this VM" in text]


def missed_flags():
    """Name and type of those that this library has."""
    names = re.findall(r"^MISSED\((\w+),", (TESTS.parent / "src/base/missed_flags.def").read_text(), re.M)
    types = {name: kind for kind, name in
             re.findall(r"^\s*(\w+) (\w+)\s+=", run(OURS, *UNLOCK, "-XX:+PrintFlagsFinal").out.decode(), re.M)}
    return {name: types[name] for name in names if name in types}


def every_flag():
    flags = missed_flags()
    check(len(flags) > 35, f"only {len(flags)} flags are known")
    asking = [f"-XX:+{n}" if t == "bool" else f"-XX:{n}={'text' if t.startswith('ccstr') else 7}"
              for n, t in flags.items()]
    outcome = run(OURS, *UNLOCK, *asking)
    told = {re.match(r"-XX:\+?(\w+) is", w)[1] for w in warnings(outcome)}
    check(outcome.code == 0 and told == set(flags), f"{outcome.ended()}, not told of {set(flags) - told}")
    not_asking = [f"-XX:-{n}" if t == "bool" else f"-XX:{n}=0" for n, t in flags.items()
                  if not t.startswith("ccstr")]
    outcome = run(OURS, *UNLOCK, *not_asking, "-Xshare:auto", "-Xshare:on", "-Xshare:off")
    check(outcome.code == 0 and warnings(outcome) == [], f"warnings of what is not asked for: {warnings(outcome)}")
    outcome = run(OURS, *UNLOCK, *asking, "-XX:-PrintWarnings")
    check(outcome.code == 0 and warnings(outcome) == [], f"-PrintWarnings does not hide {warnings(outcome)}")


def forms():
    for option in ("-XX:StartFlightRecording", "-XX:StartFlightRecording:filename=x.jfr",
                   "-XX:StartFlightRecording=filename=x.jfr", "-XX:FlightRecorderOptions:stackdepth=64", "-Xshare:on"):
        outcome = run(OURS, option)
        name = re.match(r"-XX:\w+|-Xshare:on", option)[0]
        check(outcome.code == 0 and len(warnings(outcome)) == 1 and
              warnings(outcome)[0].startswith(name + " is not supported in this VM"),
              f"{option}: {outcome.ended()} {outcome.err.decode()}")
    outcome = run(OURS, env={"JAVA_TOOL_OPTIONS": "-XX:StartFlightRecording"})
    check(len(warnings(outcome)) == 1, f"JAVA_TOOL_OPTIONS: {outcome.err.decode()}")
    # A warning that both give: the same stream, the same layout.
    theirs, ours = (LAYOUT.findall(run(java, "-Xprof").err.decode()) for java in (HOTSPOT, OURS))
    check(len(theirs) == 1 and [w[1] for w in theirs] == [w[1] for w in ours], f"layout: {theirs} {ours}")


def not_to_run():
    options = ["-Xshare:dump", "-XX:+DumpSharedSpaces" if LIBRARY == "17" else "-XX:AOTMode=create"]
    for option in options:
        outcome = run(OURS, option)
        check(outcome.code == 1 and f"{option}: class data archives are not written by this VM." in
              outcome.err.decode() and b"OpenJDK" not in outcome.err, f"{option}: {outcome.ended()} {outcome.err}")
    if LIBRARY == "25":
        for mode in "off", "auto":
            check(warnings(run(OURS, f"-XX:AOTMode={mode}")) == [], f"AOTMode={mode} is warned of")
        check(len(warnings(run(OURS, "-XX:AOTMode=record", "-XX:AOTConfiguration=x"))) == 2, "AOTMode=record")


def main():
    harness.fresh_directory(WORK)
    every_flag()
    forms()
    not_to_run()
    sys.exit(1 if failed else 0)


main()
