"""A mapped file that is cut while optimised code accesses it in loops (tests/tools/LostMemory.java): the access that
finds no memory throws, wherever it runs, and all is well again when the file has grown. HotSpot's compiled code says so
some instructions later: what is expected stands here."""
import re
from pathlib import Path

import checks
import harness

OURS, WORK = harness.vm_under_test(checks.IMAGE), Path(checks.WORK)
EXPORTS = [word for package in ("jdk.internal.misc", "sun.nio.ch")
           for word in ("--add-exports", f"java.base/{package}=ALL-UNNAMED")]
# What stands in a page of the file: which turn of the loop is the first without.
LOST = {"loads": 1024, "stores": 1024, "exchanges": 1024, "adds": 1024, "floats": 512, "narrow": 4096,
        "several": 1024, "branches": 1025, "in a buffer": 4096}
HOT = {"loads", "stores", "exchanges", "adds", "floats", "narrow", "several", "branches", "inBuffer"}


def run(*options):
    outcome = harness.run([*harness.java(OURS), *options, *harness.vm_options(), *EXPORTS, "-cp", checks.CLASSES,
                           "LostMemory"], WORK, checks.LIMIT, ours=True)
    checks.equal((outcome.ended(), outcome.err), ("exit 0", b""), f"the end with {options}")
    return outcome.out.decode().splitlines()


harness.fresh_directory(WORK)
checks.compile_sources("tools", "LostMemory", options=("-nowarn", *EXPORTS))
wanted = run("-Xint")
whole, cut, again = wanted[:len(LOST)], wanted[len(LOST):-len(LOST) - 1], wanted[-len(LOST) - 1:]
checks.check(all(re.fullmatch(r"[a-z ]+: -?\d+", line) for line in whole + again[1:]), "whole", f": {wanted}")
checks.equal(cut, 3 * ["cut", *(f"{name}: lost at {turn} behind {turn - 1}" for name, turn in LOST.items())], "cut")
for options in (["-Xbatch", "-Xlog:jit=debug"], [], ["-Xcomp"], ["-Xbatch", "-XX:TieredStopAtLevel=1"],
                ["-Xbatch", "-XX:SwitchTierEvery=100"], ["-Xbatch", "-XX:DeoptimizeEvery=100"]):
    lines = run(*options)
    checks.same(f"with {options}", "\n".join(wanted), "\n".join(line for line in lines if "[jit]" not in line))
    if "-Xlog:jit=debug" in options:
        made = set(re.findall(r"\[jit\] LostMemory\.(\w+)\(.*, optimised", "\n".join(lines)))
        checks.check(made >= HOT, "the loops are optimised", f": {HOT - made}")
checks.finish()
