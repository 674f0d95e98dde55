"""Every JVM TI function in every way that spec/jvmti.def gives an answer for (tests/every_call/): HotSpot and our VM
answer the same, or the specification says why not; and every error of the table has been seen, or it stands below why
it cannot be."""
import collections
import os
import re
import subprocess
import sys

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES, JAR = os.path.join(WORK, 'classes'), os.path.join(WORK, 'nothing.jar')
sys.path.insert(0, os.path.join(TESTS, '../spec'))
import gen_jvmti  # noqa: E402
sys.path.insert(0, os.path.join(TESTS, 'every_call'))
import prepare  # noqa: E402

# Case (a pattern): what our VM answers, and the place in the specification that decides against HotSpot's answer.
DECIDED = {
    r'SetEventNotificationMode, mode .*': ('ILLEGAL_ARGUMENT',
                                           'SetEventNotificationMode: mode is not a valid jvmtiEventMode'),
    r'(SetEventNotificationMode|GenerateEvents), event_type .*':
        ('INVALID_EVENT_TYPE', 'SetEventNotificationMode, GenerateEvents: event_type is not a valid jvmtiEvent'),
    r'GetNamedModule, class_loader stale': ('ILLEGAL_ARGUMENT',
                                            'GetNamedModule: class_loader is not NULL and no class loader'),
    r'GetClassLoaderClasses, initiating_loader stale': ('ILLEGAL_ARGUMENT',
                                                        'GetClassLoaderClasses: only NULL means the bootstrap loader'),
    r'ResumeThread, thread null': ('INVALID_THREAD',
                                   'ResumeThread: has no "if thread is NULL, the current thread is used"'),
    r'StopThread, exception .*': ('INVALID_OBJECT', 'StopThread: exception is not an object'),
    r'(FollowReferences|IterateThroughHeap), klass of another type': ('INVALID_CLASS',
                                                                      'both functions: klass is not a valid class'),
    r'IterateOver\w+, object_filter .*': ('ILLEGAL_ARGUMENT',
                                          'both functions: object_filter is not a valid jvmtiHeapObjectFilter'),
    r'Get(Current)?ThreadCpuTime, .*a virtual thread': ('NONE',
            'UNSUPPORTED_OPERATION is for an implementation that cannot; virtual threads of ours have a time'),
    r'NotifyFramePop, twice': ('DUPLICATE',
                               'NotifyFramePop: there is already a frame pop event request at the specified depth'),
    r'PopFrame, behind a return that is forced|ForceEarlyReturnInt, behind a frame that is popped':
        ('INTERNAL', 'nothing is said of two requests for one frame: HotSpot accepts both kinds and forgets one'),
    r'RawMonitor(Wait|Notify|NotifyAll), in phase primordial': ('NONE',
            'raw monitors work in any phase; HotSpot 17 forgets the owner until the VM has started'),
}
# Cases that HotSpot does not survive, or answers by chance: made on our VM alone.
OURS = {
    r'.*, environment .*': 'INVALID_ENVIRONMENT',
    r'.*, klass an array': 'INVALID_FIELDID',
    r'.*, field of another class': 'INVALID_FIELDID',
    r'Get\w+, group of another type': 'INVALID_THREAD_GROUP',
    r'GetClassLoaderClasses, initiating_loader of another type': 'ILLEGAL_ARGUMENT',
    r'GetNamedModule, class_loader of another type': 'ILLEGAL_ARGUMENT',
    r'InterruptThread, thread null': 'INVALID_THREAD',
    r'RawMonitorWait, in phase onload': 'NONE',
    r'SetSystemProperty, no value': 'NONE',
    r'SetBreakpoint, after .* was given up': 'NONE',
    r'\w+, of a running thread': 'THREAD_NOT_SUSPENDED',
    r'\w+, in the greatest slot': 'INVALID_SLOT',
    r'Get(All|ThreadList)StackTraces, max_frame_count the greatest': 'NONE',
    r'(GetCurrentThreadCpuTime|GetCurrentThreadCpuTimerInfo|\w*RawMonitor\w*), in a heap callback': 'NONE',
    r'SetSystemProperty, in a heap callback': 'WRONG_PHASE',
    r'.*, in a heap callback': 'INTERNAL',
}
# Errors of the table that this test does not see.
ELSEWHERE = {
    ('RedefineClasses', '*'): 'command.redefine',
    ('RetransformClasses', '*'): 'command.redefine',
    ('*', 'UNMODIFIABLE_MODULE'): 'every module of both libraries can be changed',
    ('ResumeThread', 'INVALID_TYPESTATE'): 'nobody can change the state of a thread behind the VM\'s back',
    ('StopThread', 'OPAQUE_FRAME'): 'a suspended virtual thread can always be stopped: it has a thread of its own',
    ('GetThreadCpuTime', 'UNSUPPORTED_OPERATION'): 'virtual threads have a processor time of their own',
    ('GetCurrentThreadCpuTime', 'UNSUPPORTED_OPERATION'): 'virtual threads have a processor time of their own',
    ('GetMethodLocation', 'ABSENT_INFORMATION'): 'every method that is not native has its code',
}
if LIBRARY == '17':
    for kind in 'Instance', 'Object', 'Int', 'Long', 'Float', 'Double':
        for verb in ('Get',) if kind == 'Instance' else ('Get', 'Set'):
            ELSEWHERE[f'{verb}Local{kind}', 'THREAD_NOT_SUSPENDED'] = 'from 21 on; command.jvmti, agent direct'
    ELSEWHERE['StopThread', 'THREAD_NOT_SUSPENDED'] = ELSEWHERE['RunAgentThread',
                                       'UNSUPPORTED_OPERATION'] = 'only for virtual threads, which are there from 21 on'
failed = []


def fail(what):
    failed.append(what)
    print(what)


def run(java, options, program='EveryCall', more=()):
    command = [*harness.java(java), *(harness.vm_options() if java == IMAGE else []), *more, '-Xmx256m',
               '-Devery.call=1', '-agentpath:%s=%s%s' % (harness.agent_library(BUILD, 'every_call', java == IMAGE),
                                                         options, JAR),
               '-cp', CLASSES, program]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300 * harness.time_scale(), errors='replace',
                       env=harness.environment(java == IMAGE))
    expected = (r'OpenJDK .* warning: Archived|==\d+==WARNING: AddressSanitizer failed to allocate 0x4000000000000000 '
                r'bytes$')
    errors = [line for line in r.stderr.splitlines() if not re.match(expected, line)]
    if r.returncode != 0 or errors or 'FAILED' in r.stdout:
        fail('%s: exit %d\n%s' % (java, r.returncode,
                                  '\n'.join([x for x in r.stdout.splitlines()
                                             if 'FAILED' in x] + r.stdout.splitlines()[-5:] + errors)))
    lines = [line for line in r.stdout.splitlines() if ': ' in line]
    answers = dict(line.rsplit(': ', 1) for line in lines)
    if len(answers) != len(lines):
        fail('two cases of one name: %s' % [x for x,
                                            n in collections.Counter(line.rsplit(': ', 1)[0] for line in lines).items()
                                            if n > 1])
    return answers


def decided(table, case):
    return next((v for pattern, v in table.items() if re.fullmatch(pattern, case)), None)


def compare(expected, actual):
    if list(expected) != list(actual):
        fail('other cases: %s' % sorted(set(expected) ^ set(actual)))
    for case, error in expected.items():
        ours, rule = actual.get(case), decided(DECIDED, case)
        if ours != error and (rule is None or ours != rule[0]):
            fail('%s: HotSpot %s, ours %s' % (case, error, ours))


def compare_ours(strict, shared):
    alone = {case: error for case, error in strict.items() if case not in shared}
    for case, error in alone.items():
        if error != decided(OURS, case):
            fail('%s: %s, expected %s' % (case, error, decided(OURS, case)))
    for case, error in shared.items():
        if strict.get(case) != error:
            fail('%s: %s, with the calls that only our VM survives %s' % (case, error, strict.get(case)))
    return len(alone)


def elsewhere(function, error):
    return any(key in ELSEWHERE for key in ((function, error), (function, '*'), ('*', error)))


def errors_seen(answers):
    seen = collections.defaultdict(set)
    for case, error in answers.items():
        seen[case.split(',')[0]].add(error)
    for function, error in ELSEWHERE:
        if error in seen.get(function, ()):
            fail('%s: %s is said not to be seen here, and is' % (function, error))
    count = missing = phases = 0
    for f in gen_jvmti.read(os.path.join(TESTS, '../spec/jvmti.def')).functions:
        if gen_jvmti.major(f.since) > int(LIBRARY):
            continue
        for phase in gen_jvmti.PHASE_SETS['any']:
            phases += 1
            error = answers.get('%s, in phase %s' % (f.name, phase))
            if (error == 'WRONG_PHASE') != (phase not in gen_jvmti.PHASE_SETS[f.phases]):
                fail('%s in phase %s: %s' % (f.name, phase, error))
        for error in {'NONE', 'WRONG_PHASE', 'UNATTACHED_THREAD', 'INVALID_ENVIRONMENT', *gen_jvmti.implied_errors(f),
                      *f.errors}:
            if (error == 'WRONG_PHASE' and f.phases == 'any' or error == 'UNATTACHED_THREAD' and f.thread == 'any'
                and (f.safe or f.phases == 'onload')):
                continue
            if error in seen[f.name]:
                count += 1
            elif elsewhere(f.name, error):
                missing += 1
            else:
                fail('%s: no case with %s' % (f.name, error))
    print('%d cases; %d pairs of function and phase, %d of function and error seen, %d shown elsewhere or impossible'
          % (len(answers), phases, count, missing))


def main():
    prepare.prepare(HOTSPOT, TESTS, WORK)
    hotspot, ours, strict = run(HOTSPOT, ''), run(IMAGE, ''), run(IMAGE, 'strict,')
    compare(hotspot, ours)
    alone = compare_ours(strict, ours)
    loader = ['-Djava.system.class.loader=PlainLoader']
    plain = [run(java, 'quiet,', 'PlainLoader', loader) for java in (HOTSPOT, IMAGE)]
    compare(*plain)
    errors_seen({**strict, **plain[1]})
    shown = rows.Shown('jvmti_every_call')
    shown.add('%s: %s' % answer for answer in {**strict, **plain[1]}.items())
    for row in shown.missing():
        fail(row)
    print('%d cases compared, %d on our VM alone' % (len(hotspot), alone))
    sys.exit(1 if failed else 0)


main()
