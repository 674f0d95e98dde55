"""Threads whose Java code is over are gone soon, even where the end of one of them is kept from coming: they do not
wait for each other in turn. As on HotSpot."""
import os
from pathlib import Path

import checks
import harness

OURS = harness.vm_under_test(checks.IMAGE)
SAID = "threads end while another one's end does not come\nand that one, too\n"


def run(vm):
    """No thread of the VM's own may come meanwhile: it would count."""
    ours = vm == OURS
    options = [*harness.vm_options(), "-Xbatch", "-XX:ParallelGCThreads=1"] if ours else ["-Xint", "-XX:+UseSerialGC"]
    library = os.path.abspath(harness.agent_library(checks.BUILD, "ended_threads", ours))
    outcome = harness.run([*harness.java(vm), *options, "-cp", checks.CLASSES, "EndedThreads", library],
                          Path(checks.WORK), checks.LIMIT, ours)
    checks.equal((outcome.out.decode(), outcome.ended()), (SAID, "exit 0"), f"{vm}: threads end")


checks.compile_sources("jni", "EndedThreads")
run(Path(checks.HOTSPOT))
run(OURS)
checks.finish()
