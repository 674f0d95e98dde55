"""generated.py with 400 other programs, three at a time, under an agent that does things at random
(tests/agents/random_watch.c). tests/soak/endurance.py does that for hours."""
import os
import runpy
import sys
from pathlib import Path

import harness

WORK = Path(os.environ["WORK"])
RECORD = harness.fresh_directory(WORK.with_name(WORK.name + ".agent")) / "record"
# What hardly a round of the agent goes without; it goes hundreds.
COMMON = ["rounds", "events-on", "watches", "breakpoints", "walks", "locals-read", "locals-written", "frames-asked",
          "retransformed", "stacks", "second-environments"]

agent = f"-agentpath:{harness.agent_library(os.environ['BUILD'], 'random_watch', True)}=1,{RECORD}"
os.environ["VITRINE_TEST_VM_OPTIONS"] = " ".join([*harness.vm_options(), agent])
os.environ.setdefault("GENERATED_PROGRAMS", "400")
os.environ.setdefault("GENERATED_SEED", "3")
os.environ.setdefault("GENERATED_THREADS", "3")
try:
    runpy.run_path(str(Path(__file__).with_name("generated.py")), run_name="__main__")
except SystemExit as end:
    if end.code:
        raise
done = dict.fromkeys(COMMON, 0)
for line in RECORD.read_text().splitlines():
    name, count = line.split()
    done[name] = done.get(name, 0) + int(count)
print(done)
missing = [name for name in COMMON if done[name] == 0]
sys.exit(f"the agent did none of these: {missing}" if missing else 0)
