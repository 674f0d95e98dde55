"""The JVM TI as built: each agent of tests/agents with its program prints the same on HotSpot and on our VM.

Arguments are for whoever looks into a failure: --hotspot-only, and the names of the agents to run."""
import difflib
import os
import re
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')

# agent, program, agent options, lines that may differ: {pattern: reason}
TESTS_TO_RUN = [
    ('lifecycle', 'Lifecycle', 'x=y', {}),
    ('lifecycle', 'Lifecycle', 'a,b="c d",\'e\'=f:g,', {}),
    ('decisions', 'Decisions', None, {r'^ours: ': 'what the specification leaves open: docs/jvmti.md'}),
    ('early', 'Early', 'none', {}),
    ('early', 'Early', 's', {}),
    ('early', 'Early', 'sa', {}),
    ('early', 'Early', 'sah', {}),
    ('classes', 'Classes', None, {
        r'constant pool: \d+ entries$': 'HotSpot extends the pools of classes that inherit default methods',
    }),
    ('threads', 'Threads', None, {
        r'LThreads\$Blocker;\.run\(\)V at [56]$': 'a thread that waits to enter is at monitorenter; HotSpot has gone on to the next instruction',
    }),
    ('execution', 'Execution', None, {}),
    ('load_once', 'LoadOnce', None, {}),
    ('direct', 'Direct', None, {}),
    ('tools', 'Tools', None, {r'warning: Sharing is only supported': 'HotSpot has an archive of classes'}),
    ('monitors', 'Monitors', None, {
        r'waiting to own': 'HotSpot 17 counts those that wait to be notified as well; the specification does not',
        r'Posting Resource Exhausted event': 'a line of HotSpot\'s log',
    }),
    ('errors', 'Errors', None, {r'error 73 ': 'this code is newer than 17'}),
    ('rules', 'Rules', None, {
        r'^JT-055 ': 'without "=" the options are a string of length zero (Agent_OnLoad); HotSpot passes NULL',
        r'^JT-090 JT-091 event (54|80) for one thread': 'nine events refuse a thread, and these are not among them (SetEventNotificationMode)',
        **({r'^JT-185 JT-186 in its group': 'JDK 25 lists agent threads there, against the text of RunAgentThread'} if LIBRARY == '25' else {}),
    }),
    ('heapgraph', 'HeapGraph', None, {
        r'kind 9 ': 'which constants have been resolved is the VM\'s business',
        r'kind 2 index \d+ (from|of) 1[0-3]\d ': 'HotSpot does not report the instance fields of java.lang.Class objects',
        r'of 500 \(class 0\): ': 'fields of the current Thread hold addresses and the library\'s counters',
        r'root kind 21 of 111': 'a JNI global reference that HotSpot keeps to String.class',
    }),
]
# Answers to calls that HotSpot does not check (it answers NONE or crashes); the specification names the error.
STRICT = {
    'SetEventNotificationMode(jvmti, 5,': 'ILLEGAL_ARGUMENT',
    'SetEventNotificationMode(jvmti, JVMTI_ENABLE, 72': 'INVALID_EVENT_TYPE',
    'GetClassLoaderClasses(jvmti, object': 'ILLEGAL_ARGUMENT',
    'FollowReferences(jvmti, 0, object': 'INVALID_CLASS',
    'IterateThroughHeap(jvmti, 0, object': 'INVALID_CLASS',
    'GetObjectsWithTags(jvmti, 2, tags': 'ILLEGAL_ARGUMENT',
    'GetThreadGroupInfo(jvmti, object': 'INVALID_THREAD_GROUP',
}
failed = []


def run(java, agent, program, options, more=(), arguments=()):
    path = harness.agent_library(BUILD, agent, java == IMAGE)
    command = [java + '/bin/java', *(harness.vm_options() if java == IMAGE else []), *more, '-Xmx256m', '-Dtest.property=abc', '-agentpath:%s%s' % (path, '=' + options if options else ''), '-cp', CLASSES, program, *arguments]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300 * harness.time_scale(), errors='replace',
                       env=harness.environment(java == IMAGE))
    return r.stdout.splitlines(), r.stderr, r.returncode


def compare(agent, program, options, may_differ):
    expected, err, code = run(HOTSPOT, agent, program, options)
    if code != 0 or any(line.startswith('FAILED') for line in expected):
        failed.append(agent)
        print('%s: HotSpot: exit %d\n%s\n%s' % (agent, code, '\n'.join(expected[-20:]), err))
        return
    if '--hotspot-only' in sys.argv:
        print('%s: %d lines' % (agent, len(expected)))
        return
    actual, err, code = run(IMAGE, agent, program, options)
    def keep(line):
        return not any(re.search(p, line) for p in may_differ)
    diff = list(difflib.unified_diff([x for x in expected if keep(x)], [x for x in actual if keep(x)], 'hotspot', 'vitrine', lineterm='', n=2))
    if diff or code != 0 or err.strip():
        failed.append(agent)
        print('%s: exit %d, %d lines differ\n%s\n%s' % (agent, code, len(diff), '\n'.join(diff[:80]), err))


def strict():
    lines, err, code = run(IMAGE, 'errors', 'Errors', 'strict')
    for call, error in STRICT.items():
        found = [line for line in lines if line.startswith(call)]
        if len(found) != 1 or found[0].split()[-1] != error:
            failed.append('strict')
            print('strict: %s: expected %s, found %s' % (call, error, found))


DECIDED = ['ours: NativeMethodBind Ljdk/internal/perf/Perf;: 0', 'ours: NativeMethodBind Ljdk/internal/misc/Unsafe;: 0',
           'ours: NativeMethodBind Ljava/lang/invoke/MethodHandleNatives;: 0', 'ours: SetBreakpoint NONE', 'ours: SetFieldModificationWatch NONE',
           'ours: relinquished while set: 0 breakpoints, 0 modifications', 'ours: ClearBreakpoint after the capability came back: NOT_FOUND', 'ours: ClearFieldModificationWatch: NOT_FOUND',
           'ours: after the capabilities came back: 0 breakpoints, 0 modifications',
           'ours: no thread, NULL pointer: INVALID_THREAD']


def decisions():
    lines, err, code = run(IMAGE, 'decisions', 'Decisions', None)
    found = [line for line in lines if line.startswith('ours: ')]
    if found != DECIDED:
        failed.append('decisions')
        print('decisions: expected %s, found %s' % (DECIDED, found))
    lines, err, code = run(HOTSPOT, 'decisions', 'Decisions', None)
    if not any(re.fullmatch(r'ours: NativeMethodBind Ljdk/internal/perf/Perf;: [1-9]\d*', line) for line in lines):
        failed.append('decisions')
        print('decisions: HotSpot: %s' % lines)


def agent_thread_in_no_group():
    lines, err, code = run(IMAGE, 'rules', 'Rules', None)
    if 'JT-185 JT-186 in its group: 0' not in lines:
        failed.append('agent thread')
        print('an agent thread is listed in its thread group, or not looked for')


def load_across():
    """Two threads that each need what the other loads: HotSpot's wait for each other for ever, ours both load it."""
    lines, err, code = run(IMAGE, 'load_once', 'LoadOnce', 'cross', arguments=['cross'])
    if sorted(lines) != ['class java.util.concurrent.Exchanger', 'class java.util.concurrent.Phaser', 'found', 'found'] or code != 0:
        failed.append('load across')
        print('load across: exit %d\n%s\n%s' % (code, '\n'.join(lines), err))


def verbose_lines(java):
    """What SetVerboseFlag brings, by headline: the collection that the program asks for, and its own classes and methods."""
    lines, err, code = run(java, 'verbose', 'Verbose', None)
    found, headline = {}, None
    for line in lines:
        if line.startswith('== '):
            headline = line[3:]
            found[headline] = []
        logged = re.match(r'\[[^]]*\]\[(\w+) *\]\[([\w,]+) *\] (.*)', line)
        if headline and logged and ('Verbose' in logged[3] or 'System.gc()' in logged[3]):
            found[headline].append((logged[1], logged[2], re.sub(r'\(\d+\)|file:.*|\d+M.*', '', logged[3])))
    if code != 0 or err.strip() or 'FAILED' in str(lines):
        failed.append('verbose')
        print('verbose: exit %d\n%s\n%s' % (code, '\n'.join(lines), err))
    return found


def verbose():
    expected = verbose_lines(HOTSPOT)
    if sorted(k for k in expected if expected[k]) != ['class on', 'gc on', 'jni on'] or len(expected) != 8:
        failed.append('verbose')
        print('verbose: HotSpot: %s' % expected)
    actual = verbose_lines(IMAGE)
    if actual != expected:
        failed.append('verbose')
        print('verbose: expected %s, found %s' % (expected, actual))


def traced(agent, program, patterns):
    lines, err, code = run(IMAGE, agent, program, None, ['-Xlog:jvmti=trace'])
    for pattern in patterns:
        if not any(re.search(pattern, line) for line in lines):
            failed.append('trace')
            print('trace: %s: no line matches %s' % (program, pattern))


def trace():
    traced('errors', 'Errors', (
        r'GetThreadState\(thread .*\) = INVALID_THREAD, [\d.]+ us', r'GetClassStatus\(klass class Errors, ',
        r'SetEventNotificationMode\(mode 1, event_type ClassLoad, event_thread java.lang.Thread@'))
    of_thread = r'\[trace\]\[jvmti\] \[0\] event %s\(thread java.lang.Thread@0x\w+, method Execution.'
    traced('execution', 'Execution', (
        of_thread % 'Breakpoint' + r'simple\(I\)I, location 0\)$', r'\[0\] event Breakpoint: [\d.]+ us$',
        of_thread % 'MethodExit' + r'control\(IZ\)V, was_popped_by_exception 0, return_value void\)$',
        of_thread % 'Exception' + r'thrower\(I\)I, location 13, exception java.lang.IllegalArgumentException@0x\w+, catch_method Execution.exceptions\(\)V, catch_location 28\)$',
        of_thread % 'FieldModification' + r'use\(LExecution;\)V, location 22, field_klass class Execution, object Execution@0x\w+, field Execution.wide, '
        r'signature_type J, new_value 4398046511104\)$'))
    traced('early', 'Early', (r'\[0\] event ClassFileLoadHook\(class_being_redefined null, loader null, name "[\w/$]+", protection_domain null, class_data_len \d+, ',
                              r'\[0\] event VMStart\(\)$'))


def main():
    os.makedirs(CLASSES, exist_ok=True)
    sources = [os.path.join(TESTS, 'jvmti', f) for f in sorted(os.listdir(os.path.join(TESTS, 'jvmti'))) if f.endswith('.java')]
    bare = [s for s in sources if s.endswith('NoTable.java')]
    subprocess.run([HOTSPOT + '/bin/javac', '-g', '-d', CLASSES, *[s for s in sources if s not in bare], *bare], check=True)
    subprocess.run([HOTSPOT + '/bin/javac', '-d', CLASSES, *bare], check=True)
    only = [a for a in sys.argv[1:] if not a.startswith('--')]
    for test in TESTS_TO_RUN:
        if not only or test[0] in only:
            compare(*test)
    if '--hotspot-only' not in sys.argv and not only:
        strict()
        decisions()
        agent_thread_in_no_group()
        load_across()
        verbose()
        trace()
    sys.exit(1 if failed else 0)


main()
