"""Random calls of JVM TI functions from four threads at a time, in several VMs one after the other in one process
(tests/every_call/sequence.c): nothing crashes or hangs, every answer is one that the specification allows, and every
function has been called with success.

SEQUENCE_CALLS is the number of calls, SEQUENCE_SEED where the seeds begin."""
import collections
import os
import re
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
sys.path.insert(0, os.path.join(TESTS, '../spec'))
import gen_jvmti  # noqa: E402
sys.path.insert(0, os.path.join(TESTS, 'every_call'))
import prepare  # noqa: E402

CYCLES = 4
CALLS = int(os.environ.get('SEQUENCE_CALLS', '2000000')) // round(harness.time_scale())
SEED = int(os.environ.get('SEQUENCE_SEED', '1'))
SECONDS = (60 + CALLS // 10000) * harness.time_scale()
ANYWHERE = {'NONE', 'WRONG_PHASE', 'INVALID_ENVIRONMENT', 'OUT_OF_MEMORY', 'UNATTACHED_THREAD'}
# Answers that the table does not have: HotSpot's, to a second request before the thread has run on from the first.
BESIDES = collections.defaultdict(set, {f: {'INTERNAL'}
                                        for f in ['PopFrame'] + ['ForceEarlyReturn' + t
                                                                 for t in ('Object', 'Int', 'Long', 'Float', 'Double',
                                                                           'Void')]})
# Functions that random arguments do not bring to succeed, or that are not called.
RARELY = {'SetSystemProperty', 'AddToBootstrapClassLoaderSearch', 'AddToSystemClassLoaderSearch',
          'GetSourceDebugExtension', 'SetExtensionEventCallback'}
# Each of these succeeds only where chance stops a thread at a place of its kind: some of them do.
TOGETHER = re.compile(r'(?P<GetLocal>GetLocal)|(?P<SetLocal>SetLocal)|(?P<frames>PopFrame|ForceEarlyReturn)')
# In fewer calls than this chance may not bring each function to succeed.
ENOUGH = 1000000


def run(classes):
    agent = harness.agent_library(BUILD, 'every_call', True)
    command = [BUILD + '/tests/embed/cycles', BUILD + '/libjvm.so', classes, str(CYCLES), IMAGE, '--',
               *harness.vm_options(), '-Xmx256m',
               '-Dseed=%d' % (SEED * CYCLES), '-Dcalls=%d' % (CALLS // CYCLES), '-agentpath:%s=quiet,' % agent]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors='replace',
                               env=harness.environment(True))
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        sys.exit('hangs: seed %d\n%s\n%s' % (SEED, out[-3000:], err[-3000:]))
    return out, err, process.returncode


def kind(function):
    together = TOGETHER.match(function)
    return together.lastgroup if together else function


def main():
    classes, _ = prepare.prepare(HOTSPOT, TESTS, WORK)
    out, err, code = run(classes)
    problems = [line for line in out.splitlines() if 'FAILED' in line]
    # Victims may be stopped where nothing catches.
    strange = [line for line in err.splitlines() if not re.match(r'Exception(: | in thread )|\tat |\s*$', line)]
    if code != 0 or strange:
        problems.append('exit %d\n%s\n%s' % (code, out[-2000:], '\n'.join(strange[:50])))
    elif problems:
        problems.append(err[-6000:])
    answers = collections.Counter()
    for m in re.finditer(r'^(\w+): ([A-Z_]+) (\d+)$', out, re.M):
        answers[m[1], m[2]] += int(m[3])
    succeeded = collections.Counter()
    for f in gen_jvmti.read(os.path.join(TESTS, '../spec/jvmti.def')).functions:
        allowed = ANYWHERE | set(gen_jvmti.implied_errors(f)) | set(f.errors) | BESIDES[f.name]
        problems += ['%s: %s' % (f.name, e) for (name, e) in answers if name == f.name and e not in allowed]
        if gen_jvmti.major(f.since) <= int(LIBRARY) and f.name not in RARELY:
            succeeded[kind(f.name)] += answers[f.name, 'NONE']
    if CALLS >= ENOUGH:
        problems += ['%s never succeeds' % f for f, n in succeeded.items() if n == 0]
    calls = [int(n) for n in re.findall(r'^(\d+) calls', out, re.M)]
    if len(calls) != CYCLES or sum(calls) < CALLS // 2:
        problems.append('calls in each VM: %s' % calls)
    print('\n'.join(problems))
    print('%d calls, %d pairs of function and answer' % (sum(calls), len(answers)))
    sys.exit(1 if problems else 0)


main()
