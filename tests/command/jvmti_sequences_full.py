"""jvmti_sequences.py with five million calls."""
import os
import runpy

os.environ.setdefault('SEQUENCE_CALLS', '5000000')
runpy.run_path(os.path.join(os.path.dirname(__file__), 'jvmti_sequences.py'), run_name='__main__')
