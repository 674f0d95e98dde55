"""More classes than there are ids of classes where address space is limited, 2^20, and a tool that asks for all ids of
methods and fields of each (tests/agents/class_ids.c, tests/jvmti/ClassIds.java)."""
import os
import subprocess
import sys

import harness

IMAGE, BUILD, TESTS, WORK = (os.environ[k] for k in ('IMAGE', 'BUILD', 'TESTS', 'WORK'))
HOTSPOT = os.environ['HOTSPOT']
CLASSES = os.path.join(WORK, 'classes')
COUNT = 1100000                          # each has two ids: its own and that of its static fields

os.makedirs(CLASSES, exist_ok=True)
subprocess.run([*harness.javac(HOTSPOT), '-d', CLASSES, os.path.join(TESTS, 'jvmti', 'ClassIds.java')], check=True)
command = [*harness.java(IMAGE), *harness.vm_options(), '-Xmx128m',
           '-agentpath:%s=fields' % harness.agent_library(BUILD, 'class_ids', True), '-cp', CLASSES, 'ClassIds',
           str(COUNT)]
r = subprocess.run(['bash', '-c', 'ulimit -v 510000; exec "$@"', 'bash', *command], capture_output=True, text=True,
                   timeout=1500 * harness.time_scale(), errors='replace', env=harness.environment(True))
sampled = -(-COUNT // 97)
expected = ['%d classes of loaders, all ids asked for' % COUNT,
            'after watched classes: 0 of %d methods are there, 0 other errors' % (2 * sampled),
            "ours: 0 methods' ids again, 0 fields' ids again",
            'ours: 0 of %d fields are there, 0 other errors' % (4 * sampled),
            'ours: JNI took 0', '70 classes with a breakpoint, met 70 times']
if r.returncode != 0 or r.stderr.strip() or r.stdout.splitlines() != expected:
    print('exit %d\n%s\n%s' % (r.returncode, r.stdout, r.stderr))
    sys.exit(1)
