"""The profiler in two VMs one after the other in one process (tests/embed/profiled_again.c): what a thread that
outlives the first one does is counted in each, by calls and by allocation sites."""
import os
import sys

import harness
import hprof_run as t
from hprof_dump import Text


def main():
    t.compile_programs('Calls')
    out = t.path('vitrine', 'again.%d.txt')
    command = [os.path.join(t.BUILD, 'tests/embed/profiled_again'), os.path.join(t.BUILD, 'libjvm.so'), t.CLASSES,
               t.IMAGE, t.AGENT,
               'cpu=times,heap=sites,cutoff=0,verbose=n,file=' + out, *harness.vm_options()]
    outcome = harness.run(command, t.WORK, 120 * harness.time_scale(), ours=True)
    if outcome.code != 0:
        sys.exit('%s\n%s%s' % (outcome.ended(), outcome.out.decode(errors='replace'),
                               outcome.err.decode(errors='replace')))
    for i in (1, 2):
        x = Text(out % i)
        t.equal(sum(r[3] for r in x.ranked('CPU TIME (ms)') if r[5] == 'Calls.leaf'), 10, 'calls in VM %d' % i)
    t.finish()


main()
