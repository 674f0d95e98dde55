"""litmus.py with ten million trials of each test in each tier."""
import os
import runpy

for name, value in (("TRIALS", "10000000"), ("MEETINGS", "100"), ("CLASSES", "20000")):
    os.environ.setdefault("LITMUS_" + name, value)
runpy.run_path(os.path.join(os.path.dirname(__file__), "litmus.py"), run_name="__main__")
