"""compiled.py with 10,000 class loaders whose classes have compiled code."""
import os
import runpy

os.environ.setdefault('COMPILED_LOADERS', '10000')
runpy.run_path(os.path.join(os.path.dirname(__file__), 'compiled.py'), run_name='__main__')
