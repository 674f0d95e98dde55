"""Two threads that switch allocation events for themselves at the same moment, the one on and the other off: the one
that wants them is sent all, and the other none. As on HotSpot 25; 17 begins to sample with a thread's next buffer."""
import os
from pathlib import Path

import checks
import harness

OURS = harness.vm_under_test(checks.IMAGE)
SAID = "20000 rounds, events missing in 0, not asked for in 0\n"


def run(vm):
    ours = vm == OURS
    agent = "-agentpath:" + os.path.abspath(harness.agent_library(checks.BUILD, "allocation_switches", ours))
    options = harness.vm_options() if ours else []
    outcome = harness.run([*harness.java(vm), *options, agent, "-cp", checks.CLASSES, "AllocationSwitches"],
                          Path(checks.WORK), checks.LIMIT, ours)
    checks.equal((outcome.out.decode(), outcome.ended()), (SAID, "exit 0"), f"{vm}: events of allocations")


checks.compile_sources("jvmti", "AllocationSwitches")
if checks.LIBRARY != "17":
    run(Path(checks.HOTSPOT))
run(OURS)
checks.finish()
