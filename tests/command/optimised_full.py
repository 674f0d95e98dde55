"""optimised.py with all options, and with ten times as many collections."""
import os
import runpy

os.environ.setdefault("OPTIMISED_ALL", "1")
runpy.run_path(os.path.join(os.path.dirname(__file__), "optimised.py"), run_name="__main__")
