"""call_storm.py with a million stacks in each mode."""
import os
import runpy

os.environ.setdefault('STORM_STACKS', '1000000')
runpy.run_path(os.path.join(os.path.dirname(__file__), 'call_storm.py'), run_name='__main__')
