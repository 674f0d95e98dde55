#!/usr/bin/env python3
"""The differential driver finds what it is there to find: runs it against HotSpot dressed up as a faulty VM.

Usage: differential_self_test.py JDK HOTSPOT DRIVER WORK
"""
import os
import subprocess
import sys
from pathlib import Path

SOURCE = """public class Sample {
    public static void main(String[] args) {
        System.out.println("first");
        System.out.println(new Object());
        System.err.println("second");
        System.exit(args.length);
    }
}
"""
# What the dressed-up launcher does after, or instead of, running HotSpot.
FAULTS = {
    "none": ('exec "$REAL" "$@"', True, ""),
    "wrong output": ('"$REAL" "$@" | sed s/first/worst/; exit 1', False, "+worst"),
    "missing output": ('"$REAL" "$@" >/dev/null; exit 1', False, "-first"),
    "additional error text": ('"$REAL" "$@"; echo third >&2; exit 1', False, "+third"),
    "wrong exit code": ('"$REAL" "$@"; exit 4', False, "ended: HotSpot exit 1, ours exit 4"),
    "crash": ('"$REAL" "$@"; kill -SEGV $$', False, "killed by SIGSEGV"),
    "hang": ('trap "" QUIT; "$REAL" "$@"; while :; do sleep 1; done', False, "no end within the time limit"),
}


def main():
    jdk, hotspot, driver, work = sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    theme = work / "source/theme"
    theme.mkdir(parents=True, exist_ok=True)
    (theme / "Sample.java").write_text(SOURCE)
    classes = work / f"classes-{jdk}/theme/Sample"
    classes.mkdir(parents=True, exist_ok=True)
    subprocess.run([hotspot / "bin/javac", "-d", classes, theme / "Sample.java"], check=True)
    launcher = work / "faulty/bin/java"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    failures = 0
    for fault, (script, passes, wanted) in FAULTS.items():
        # Long enough for HotSpot on a busy machine; what hangs takes all of it.
        (theme / "Sample.args").write_text(f"\none\nseconds: {15 if fault == 'hang' else 120}\n")
        launcher.write_text(f"#!/bin/sh\nREAL={hotspot}/bin/java\n{script}\n")
        launcher.chmod(0o755)
        command = [sys.executable, driver, "--jdk", jdk, "--hotspot", hotspot, "--image", work / "faulty", "--source",
                   work / "source", "--program", "theme/Sample", "--cache", work, "--work", work / "work"]
        env = {k: v for k, v in os.environ.items() if k not in ("JVM_UNDER_TEST", "VITRINE_TEST_VM_OPTIONS")}
        result = subprocess.run(command, capture_output=True, text=True, env=env)
        right = (result.returncode == 0) == passes and wanted in result.stdout
        failures += not right
        print(f"{'ok ' if right else 'BAD'} {fault}: exit {result.returncode}")
        if not right:
            print(result.stdout, result.stderr)
    sys.exit(1 if failures else 0)


main()
