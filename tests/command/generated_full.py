"""generated.py with 5,000 other programs."""
import os
import runpy

os.environ.setdefault('GENERATED_PROGRAMS', '5000')
os.environ.setdefault('GENERATED_SEED', '2')
runpy.run_path(os.path.join(os.path.dirname(__file__), 'generated.py'), run_name='__main__')
