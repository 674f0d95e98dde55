"""The Invocation API answers as HotSpot's: a C program (tests/embed/invocation.c) creates, uses and destroys a VM."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
WORK.mkdir(parents=True, exist_ok=True)
subprocess.run([HOTSPOT / "bin/javac", "-d", WORK, TESTS / "jni/Embedded.java"], check=True)
outcomes = [harness.run([BUILD / "tests/embed/invocation", java / "lib/server/libjvm.so", WORK], WORK,
                        300 * harness.time_scale(), ours=ours)
            for java, ours in ((HOTSPOT, False), (harness.vm_under_test(IMAGE), True))]
texts = [f"{o.ended()}\n{o.out.decode(errors='replace')}{o.err.decode(errors='replace')}" for o in outcomes]
if texts[0] != texts[1]:
    print(f"--- HotSpot\n{texts[0]}\n--- ours\n{texts[1]}")
    sys.exit(1)
