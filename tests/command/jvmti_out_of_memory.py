"""Every JVM TI function with every allocation that it makes failing in turn (tests/every_call/out_of_memory.c,
-XX:FailToolAllocation): it answers OUT_OF_MEMORY, leaves no memory behind, and works when it is called again. On our VM
alone: HotSpot ends the process instead."""
import os
import re
import subprocess
import sys

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
sys.path.insert(0, os.path.join(TESTS, '../spec'))
import gen_jvmti  # noqa: E402
sys.path.insert(0, os.path.join(TESTS, 'every_call'))
import prepare  # noqa: E402

# Functions that nothing refuses and that still do not succeed here.
ANSWERS = {'SetSystemProperty': {'WRONG_PHASE'}}


def main():
    classes, jar = prepare.prepare(HOTSPOT, TESTS, WORK)
    agent = harness.agent_library(BUILD, 'every_call', True)
    command = [*harness.java(IMAGE), *harness.vm_options(), '-Xmx256m', '-Devery.call=1',
               '-agentpath:%s=quiet,%s' % (agent, jar), '-cp', classes, 'EveryCall', 'out of memory']
    r = subprocess.run(command, capture_output=True, text=True, timeout=900 * harness.time_scale(), errors='replace',
                       env=harness.environment(True))
    problems = [line for line in r.stdout.splitlines() if 'FAILED' in line]
    lines = {m[1]: m for m in re.finditer(r'^(\w+): (\d+) allocations, (OUT_OF_MEMORY|never refused), then (\w+)$',
                                          r.stdout, re.M)}
    if r.returncode != 0 or r.stderr.strip():
        problems.append('exit %d\n%s' % (r.returncode, r.stderr))
    for f in gen_jvmti.read(os.path.join(TESTS, '../spec/jvmti.def')).functions:
        line = lines.get(f.name)
        if gen_jvmti.major(f.since) > int(LIBRARY) or f.name == 'DisposeEnvironment':
            continue
        if line is None:
            problems.append('%s: no line' % f.name)
        elif line[4] not in ANSWERS.get(f.name, {'NONE'}):
            problems.append('%s: then %s' % (f.name, line[4]))
        elif any(p.kind == 'alloc' for p in f.params) and line[3] != 'OUT_OF_MEMORY':
            problems.append('%s gives memory to the agent and was never refused' % f.name)
    shown = rows.Shown('jvmti_out_of_memory')
    shown.add(m[0] for m in lines.values())
    problems += shown.missing()
    print('\n'.join(problems))
    print('%d functions, %d that allocate, %d allocations that failed' % (
        len(lines), sum(int(m[2]) > 0 for m in lines.values()), sum(int(m[2]) for m in lines.values())))
    sys.exit(1 if problems else 0)


main()
