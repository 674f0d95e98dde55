"""generated.py with 100 other programs, of whose methods an agent is told: entries and exits, exceptions, watched
fields, breakpoints, frame pops, objects that the VM makes, single steps, drawn for each program; at each event it looks
at the stack, local variables and monitors (tests/agents/event_stream.c). Each event and its order, place and values are
HotSpot's, interpreted and compiled."""
import os
import runpy
from pathlib import Path

os.environ.update(GENERATED_EVENTS="all")
os.environ.setdefault("GENERATED_PROGRAMS", "100")
os.environ.setdefault("GENERATED_SEED", "4")
os.environ.setdefault("GENERATED_TEXTS", "3")          # whose methods name their local variables
runpy.run_path(str(Path(__file__).with_name("generated.py")), run_name="__main__")
