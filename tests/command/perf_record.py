"""perf record and perf script of a program in compiled code. By perf's map: which method a sample is in, and frame
pointers lead from there to the C frames below compiled code. By the jitdump, and what that says of callers: whole
chains of calls, compiled methods and stubs between C frames."""
import re
import subprocess
from pathlib import Path

import harness
from checks import CLASSES, IMAGE, LIMIT, WORK, check, compile_sources, finish

TURNS = "10000"                            # about a second
# From the method in which nearly all time goes by to the launcher's JavaMain; `enter` is a stub.
CHAIN = r"int PerfChain\.inner\(int\)\nint PerfChain\$Own\.middle\(int\)\n" \
        r"int PerfChain\.outer\(PerfChain\$Middle, int\)\nvoid PerfChain\.turns\(int\)\n" \
        r"void PerfChain\.main\(java\.lang\.String\[\]\)\nenter\n(\w+\n)+JavaMain\n"
BY_FRAME_POINTERS = r"int PerfChain\.inner\(int\)\n(\w+\n)+JavaMain\n"
MODES = (["-Xcomp", "-XX:TieredStopAtLevel=1"], ["-Xcomp", "-XX:-Inline"])


def perf(*arguments):
    return subprocess.run(["perf", "--buildid-dir", f"{WORK}/buildids", *arguments], cwd=WORK, capture_output=True,
                          text=True, errors="replace", timeout=LIMIT, env=harness.environment(True))


def record(file, how, *options):
    done = perf("record", "-q", "-e", "cpu-clock:u", "-F", "499", "-k", "mono", "--call-graph", how, "-o", file, "--",
                f"{IMAGE}/bin/java", "-Xmx64m", *options, "-cp", CLASSES, "PerfChain",
                TURNS)
    check(done.returncode == 0 and done.stdout == "true\n", f"perf record {how} {options}", done.stdout + done.stderr)


def chains(file):
    """The symbols of each sample, youngest first."""
    text = perf("script", "--no-inline", "-F", "ip,sym", "-i", file).stdout
    return ["".join(re.sub(r"^\s*[0-9a-f]+ ", "", line) + "\n" for line in sample.splitlines())
            for sample in re.split(r"\n\s*\n", text) if sample.strip()]


def most(found, pattern, what):
    """Nearly all that are in `inner`, and most are: the rest are the program's ends and compilation."""
    there = [chain for chain in found if chain.startswith("int PerfChain.inner(int)\n")]
    wrong = [chain for chain in there if not re.match(pattern, chain)]
    check(len(there) > 100 and len(there) > 0.7 * len(found) and len(wrong) < 0.02 * len(there), what,
          f": {len(wrong)} wrong of {len(there)} of {len(found)}, and\n" + "\n".join(wrong[:1] or found[:1]))


def main():
    Path(WORK).mkdir(parents=True, exist_ok=True)
    try:
        probe = perf("record", "-q", "-e", "cpu-clock:u", "-o", "probe.data", "--", "true")
    except FileNotFoundError:
        print("perf is not installed")
        raise SystemExit(77)
    if probe.returncode != 0:
        print("perf cannot record here: " + probe.stderr.strip())
        raise SystemExit(77)
    compile_sources("jvmti", "PerfChain")
    for options in MODES:
        record("map.data", "fp", *options, "-XX:+UnlockDiagnosticVMOptions", "-XX:+DumpPerfMapAtExit")
        found = chains("map.data")
        most(found, BY_FRAME_POINTERS, f"by the map: {options}")
        record("dump.data", "dwarf,8192", *options, "-XX:+DumpPerfJit")
        injected = perf("inject", "--jit", "-i", "dump.data", "-o", "dump.jit.data")
        check(injected.returncode == 0, "perf inject", injected.stderr)
        most(chains("dump.jit.data"), CHAIN, f"by the jitdump: {options}")
        for left in (*Path(WORK).glob("jitted-*.so"), *Path(WORK).glob("jit-*.dump")):
            left.unlink()
    finish()


main()
