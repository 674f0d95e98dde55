"""The Invocation API answers as HotSpot's: a C program (tests/embed/invocation.c) creates, uses and destroys a VM; what
another one and its agent (flushes.c) have written stands before what is written once the VM is there, or is not."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
MESSAGE = "Unrecognized VM option 'NoSuchOption'\n"


def run(java, ours, program, *arguments):
    return harness.run([BUILD / "tests/embed" / program, java / "lib/server/libjvm.so", *arguments], WORK,
                       300 * harness.time_scale(), ours=ours)


def on_both(program, *arguments):
    """HotSpot's outcome and ours, as two texts each: standard output with how it ended, and error output."""
    outcomes = [run(java, ours, program, *arguments)
                for java, ours in ((HOTSPOT, False), (harness.vm_under_test(IMAGE), True))]
    return [(f"{o.ended()}\n{o.out.decode(errors='replace')}", o.err.decode(errors="replace")) for o in outcomes]


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, TESTS / "jni/Embedded.java"], check=True)
    failed = False
    theirs, ours = on_both("invocation", WORK)
    if theirs != ours:
        failed = True
        print(f"--- HotSpot\n{''.join(theirs)}\n--- ours\n{''.join(ours)}")
    for option, end, said in (("-agentlib:flushes", "created", ""), ("-XX:NoSuchOption", "not created", MESSAGE)):
        agent = "agent, to {}\n" if said == "" else ""
        expected = (f"exit 0\nbefore, to stdout\n{agent.format('stdout')}{end}\n",
                    f"before, to stderr\n{agent.format('stderr')}{said}behind it\n")
        for who, found in zip(("HotSpot", "ours"), on_both("flushes", option)):
            if found != expected:
                failed = True
                print(f"flushes, {option}, {who}: {found}, expected {expected}")
    sys.exit(1 if failed else 0)


main()
