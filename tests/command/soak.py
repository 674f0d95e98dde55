"""`make soak` finds what it is there to find: programs that leak memory and descriptors, and an agent that cannot be
loaded, are reported."""
import os
import subprocess
import sys
from pathlib import Path

import harness

TESTS, BUILD, IMAGE, WORK = (Path(os.environ[k]) for k in ("TESTS", "BUILD", "IMAGE", "WORK"))
harness.fresh_directory(WORK)
sys.exit(subprocess.run([sys.executable, TESTS / "soak/soak.py", "--build", BUILD, "--image", IMAGE.name, "--self-test",
                         "--seed", "1"], env={**os.environ, "TMPDIR": str(WORK)}).returncode)
