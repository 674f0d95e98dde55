"""The HPROF agent's samples: at any place of the code on our VM, by signals; beside another agent that uses the same
signal; while threads and classes come and go and a thread runs on when the VM ends; and at safepoints where a library
attached later must tell threads apart."""
import os
import re
import signal

import hprof_run as t
from hprof_dump import Text


def sampled(arguments, out, enough):
    """The profile of a program at its end, once `enough` says that there are samples enough."""
    w = t.Waiting(arguments, out + '.out')
    dumps = 0

    def dumped():
        nonlocal dumps
        dumps += 1
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.', dumps)
        return enough(Text(out))
    w.until(dumped, 'not enough samples')
    w.say()
    t.equal(w.end(), 0, out + ': exit code')
    return Text(out), w.text()


def lines():
    """Between the places where a thread can stop for a safepoint: each line of a loop's body is found."""
    source = open(os.path.join(t.TESTS, 'hprof/Busy.java')).read().split('\n')
    wanted = {'Busy.lines(Busy.java:%d)' % n for n,
              text in enumerate(source, 1) if text.endswith(('// first', '// second', '// third'))}
    t.equal(len(wanted), 3, 'lines of the program')
    out = t.path('vitrine', 'lines.txt')
    sampled(t.command(t.IMAGE, 'cpu=samples,interval=1,depth=1,file=' + out, 'Busy', 'lines'), out,
            lambda x: wanted <= {f for r in x.ranked('CPU SAMPLES') for f in x.traces[r[4]]})


def fleet():
    """Beside an agent that was there first, and sends and handles the same signal all the time."""
    other = '-agentpath:%s=stress' % os.path.join(t.BUILD, 'tests/agents/libcalltrace.so')
    out = t.path('vitrine', 'fleet.txt')

    def threads(x):
        """Names of the threads whose burn() and forever() were met."""
        return {x.threads[x.trace_threads[r[4]]][1] for r in x.ranked('CPU SAMPLES')
                if r[5] in ('Busy$Passing.burn', 'Busy.forever')}
    x, text = sampled(t.command(t.IMAGE, 'cpu=samples,interval=1,depth=3,thread=y,cutoff=0,file=' + out, 'Busy',
                                'fleet', java_options=[other]), out,
                      lambda x: len(threads(x)) >= 5 and 'forever' in threads(x))
    said = [line for line in text.split('\n') if re.search('FAILED|Exception|^hprof:', line)]
    t.equal(said, [], 'what the other agent, the program and the profile complain of')
    t.check(not any('HPROF sampler' == x.threads[s][1] for s in x.trace_threads.values() if s in x.threads),
            'the sampling thread was sampled (HP-035)')
    running = {x.threads[s][1] for s in x.threads if s not in x.ended}
    t.check('forever' in running, 'a thread that runs on when the VM ends: %s' % running)


def attached(vm, java):
    """By attaching, with thread=y: at safepoints."""
    out = t.path(vm, 'attached.txt')
    w = t.Waiting(t.command(java, False, 'Calls', 'spin'), t.path(vm, 'attached.out'))
    answer = t.attach(w, 'cpu=samples,thread=y,interval=2,file=' + out)
    t.check('return code: 0' in answer, '%s: attaching: %s' % (vm, answer))
    dumps, found = 0, []

    def dumped():
        nonlocal dumps, found
        dumps += 1
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.', dumps)
        x = Text(out)
        found = [x.threads[x.trace_threads[r[4]]][1] for r in x.ranked('CPU SAMPLES')
                 if r[5] in ('Calls.heavy', 'Calls.light')]
        return len(found) >= 2
    w.until(dumped, 'no samples')
    t.equal(set(found), {'main'}, vm + ': threads of the samples')
    w.say()
    t.equal(w.end(), 0, vm + ': exit code')


def main():
    t.compile_programs('Busy', 'Calls')
    lines()
    fleet()
    for vm, java in t.VMS:
        attached(vm, java)
    t.finish()


main()
