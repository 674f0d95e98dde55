"""Environments that use everything come and go (tests/agents/disposal.c): what they have set has no effect any more,
and the memory they took is given back."""
import os
import subprocess
import sys

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] for k in ('HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
# The program is interpreted, so that compilations take no memory meanwhile. The C library's count of what is in use is
# exact without its caches of blocks that were given back.
EXACT = {'GLIBC_TUNABLES': 'glibc.malloc.tcache_count=0'}


def main():
    os.makedirs(WORK, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), '-g', '-d', WORK, os.path.join(TESTS, 'jvmti/Disposal.java')], check=True)
    command = [*harness.java(IMAGE), *harness.vm_options(), '-Xint', '-Xmx256m',
               '-agentpath:' + harness.agent_library(BUILD, 'disposal', True), '-cp', WORK, 'Disposal']
    r = harness.run(command, WORK, 600 * harness.time_scale(), ours=True, extra_env=EXACT)
    if r.ended() != 'exit 0' or r.err or r.out.decode().splitlines() != ['200 environments came and went']:
        print(r.ended(), r.out.decode(), r.err.decode(), sep='\n')
        sys.exit(1)


main()
