"""AsyncGetCallTrace: at known places the frames are HotSpot's; samples find the hot method and its loop, also for a
profiler that finds threads by itself; and signals at every instruction of every thread change nothing of what
differential programs print."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
# Threads that start and end, wait and are interrupted; classes that come and go; exceptions and method handles;
# collections.
UNDER_STRESS = ['threads/ManyThreads', 'threads/WaitNotify', 'threads/ContendedMonitors', 'exceptions/ExceptionBasics',
                'invoke/MethodHandleCombinators', 'memory/ReferenceKinds', 'loading/ClassUnloading',
                'concurrent/ForkJoinAndParallelStreams']
# Where in a method HotSpot says that it is depends on when a signal comes and what was compiled by then: that is asked
# of ours alone.
IN_LOOP = re.compile(r'most of the time in its loop: (yes|NO)\n')
# A stack without a Java frame: HotSpot calls it unknown (-3) where the signal finds foreign code, ours says what it is
# (0).
NO_JAVA_FRAME = (re.compile(r': -3$', re.M), ': 0')
failed = []


def run(ours, program, mode, *more, agent='calltrace'):
    agent = ['-agentpath:%s=%s' % (harness.agent_library(BUILD, agent, ours), mode)] if mode else []
    command = [*harness.java(IMAGE if ours else HOTSPOT), *(harness.vm_options() if ours else []), *agent, '-Xmx256m',
               '-cp', CLASSES, program, *more]
    return harness.run(command, WORK, 240 * harness.time_scale(), ours)


def text_of(outcome):
    text = NO_JAVA_FRAME[0].sub(NO_JAVA_FRAME[1], outcome.out.decode(errors='replace'))
    return re.sub(r'(\$\$Lambda)[^;]*;', r'\1;', text)


def same(what, expected, actual, text=text_of):
    if expected.code != 0 or b'FAILED' in expected.out or b': NO' in expected.out:
        failed.append(what)
        print('%s: HotSpot: %s\n%s\n%s' % (what, expected.ended(), text(expected),
                                           expected.err.decode(errors='replace')))
    elif actual.code != 0 or text(actual) != text(expected) or actual.err.strip():
        failed.append(what)
        print('%s: %s\n%s' % (what, actual.ended(), actual.err.decode(errors='replace')))
        harness.show_difference(what, text(expected), text(actual))
        harness.show_crash_reports(WORK)


def main():
    harness.fresh_directory(Path(CLASSES))
    programs = [os.path.join(TESTS, 'differential', p + '.java') for p in UNDER_STRESS]
    subprocess.run([*harness.javac(HOTSPOT), '-nowarn', '-g', '-sourcepath', os.path.join(TESTS, 'differential'), '-d',
                    CLASSES, os.path.join(TESTS, 'jvmti/CallTrace.java'),
                    os.path.join(TESTS, 'jvmti/Sampled.java'), *programs],
                   check=True)
    same('sync', run(False, 'CallTrace', 'sync', 'sync'), run(True, 'CallTrace', 'sync', 'sync'))
    expected, actual = run(False, 'CallTrace', 'sample', 'sample'), run(True, 'CallTrace', 'sample', 'sample')
    if b'most of the time in its loop: yes\n' not in actual.out:
        failed.append('sample')
    expected.out = IN_LOOP.sub('', expected.out.decode(errors='replace')).encode()
    actual.out = IN_LOOP.sub('', actual.out.decode(errors='replace')).encode()
    same('sample', expected, actual)
    # Profilers that find threads by Thread.eetop and a pthread key. HotSpot warns of the function that they put in
    # front of Unsafe.park.
    for mode in ('itimer', 'wall', 'alloc', 'lock'):
        same('sampler ' + mode, run(False, 'Sampled', mode, mode, agent='sampler'),
             run(True, 'Sampled', mode, mode, agent='sampler'),
             lambda outcome: re.sub(r'.*Re-registering of platform native method.*\n', '', text_of(outcome)))
    # HotSpot is only asked what it prints without the signals: it has died of them before.
    ours = run(True, 'CallTrace', 'stress', 'stress')
    if (ours.code != 0 or ours.err.strip() or ours.out.decode().split('\n')[-2] != 'collection seen: true'
        or b'NO' in ours.out or b'FAILED' in ours.out):
        failed.append('stress')
        print('stress: %s\n%s\n%s' % (ours.ended(), ours.out.decode(errors='replace'),
                                      ours.err.decode(errors='replace')))
    for program in UNDER_STRESS:
        name = program.split('/')[1]
        same(program, run(False, name, None), run(True, name, 'stress'), lambda o: harness.normalise(o.out, []))
    sys.exit(1 if failed else 0)


main()
