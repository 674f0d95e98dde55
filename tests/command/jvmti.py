"""The JVM TI as built: each agent of tests/agents with its program prints the same on HotSpot and on our VM.

Arguments are for whoever looks into a failure: --hotspot-only, and the names of the agents to run."""
import difflib
import os
import re
import subprocess
import sys

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')

# agent, program, agent options, lines that may differ: {pattern: reason}
BARE = r'^allocated LMonitors\$Bare; in main, 0'
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
        r'LThreads\$Blocker;\.run\(\)V at [56]$': 'a thread that waits to enter is at monitorenter; HotSpot has gone '
                                                  'on to the next instruction',
    }),
    ('execution', 'Execution', None, {
        r'^  (slot [47] (int|long|float|double)|place \d slot [3-6]): ':
            'HotSpot gives second halves, and what lies in a slot that only some paths have stored',
        r'^  ours: ': 'HotSpot does not follow what a thread is going to return',
    }),
    ('exit_pop', 'ExitPop', None, {}),
    ('while_entering', 'WhileEntering', None, {
        r'^  SingleStep inner 0$': 'where steps were enabled: HotSpot sends that one the first time, and not again',
    }),
    ('stepping', 'Stepping', None, {}),
    ('load_once', 'LoadOnce', None, {}),
    ('class_ids', 'ClassIds', None, {}),
    ('cloning', 'Cloning', None, {}),
    ('initializing', 'Initializing', None, {}),
    ('direct', 'Direct', None, {}),
    ('tools', 'Tools', None, {r'warning: Sharing is only supported': 'HotSpot has an archive of classes'}),
    ('monitors', 'Monitors', None, {
        r'\[os,thread\]': 'what the log says of a thread that cannot be started',
        r'Posting Resource Exhausted event': 'a line of HotSpot\'s log',
        **({BARE: 'HotSpot 17 does not send VMObjectAlloc for Unsafe.allocateInstance'} if LIBRARY == '17' else {}),
    }),
    ('errors', 'Errors', None, {r'error 73 ': 'this code is newer than 17'}),
    ('rules', 'Rules', None, {
        r'^JT-055 ': 'without "=" the options are a string of length zero (Agent_OnLoad); HotSpot passes NULL',
        r'^JT-090 JT-091 event (54|80) for one thread': 'nine events refuse a thread, and these are not among them '
                                                        '(SetEventNotificationMode)',
        **({r'^JT-185 JT-186 in its group': 'JDK 25 lists agent threads there, against the text of RunAgentThread'}
           if LIBRARY == '25' else {}),
    }),
    ('heapgraph', 'HeapGraph', None, {
        r'kind 9 ': 'which constants have been resolved is the VM\'s business',
        r'kind 2 index \d+ from 1[0-3]\d ': 'HotSpot does not report references from the fields of java.lang.Class '
                                            'objects',
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
shown = rows.Shown('jvmti')


def run(java, agent, program, options, more=(), arguments=()):
    path = harness.agent_library(BUILD, agent, java == IMAGE)
    command = [*harness.java(java), *(harness.vm_options() if java == IMAGE else []), *more, '-Xmx256m',
               '-Dtest.property=abc', '-agentpath:%s%s' % (path, '=' + options if options else ''), '-cp', CLASSES,
               program, *arguments]
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
    kept = [x for x in expected if keep(x)]
    diff = list(difflib.unified_diff(kept, [x for x in actual if keep(x)], 'hotspot', 'vitrine', lineterm='', n=2))
    shown.add(kept, agent)
    if diff or code != 0 or err.strip():
        failed.append(agent)
        print('%s: exit %d, %d lines differ\n%s\n%s' % (agent, code, len(diff), '\n'.join(diff[:80]), err))


def strict():
    lines, err, code = run(IMAGE, 'errors', 'Errors', 'strict')
    for call, error in STRICT.items():
        found = [line for line in lines if line.startswith(call)]
        shown.add(found, 'errors')
        if len(found) != 1 or found[0].split()[-1] != error:
            failed.append('strict')
            print('strict: %s: expected %s, found %s' % (call, error, found))


DECIDED = ['ours: NativeMethodBind Ljdk/internal/perf/Perf;: 0', 'ours: NativeMethodBind Ljdk/internal/misc/Unsafe;: 0',
           'ours: NativeMethodBind Ljava/lang/invoke/MethodHandleNatives;: 0', 'ours: SetBreakpoint NONE',
           'ours: SetFieldModificationWatch NONE',
           'ours: relinquished while set: 0 breakpoints, 0 modifications',
           'ours: ClearBreakpoint after the capability came back: NOT_FOUND',
           'ours: ClearFieldModificationWatch: NOT_FOUND',
           'ours: after the capabilities came back: 0 breakpoints, 0 modifications',
           'ours: 33 steps of countDown(4)']
DESTROYED = ['ours: RawMonitorEnter INVALID_MONITOR'] + 3 * ['ours: RawMonitorWait INVALID_MONITOR, RawMonitorExit '
                                                             'INVALID_MONITOR']


def decisions():
    lines, err, code = run(IMAGE, 'decisions', 'Decisions', 'destroys')
    found = [line for line in lines if line.startswith('ours: ') or line.startswith('FAILED')]
    if found[:len(DECIDED)] != DECIDED or sorted(found[len(DECIDED):]) != DESTROYED or code != 0:
        failed.append('decisions')
        print('decisions: exit %d, expected %s, found %s' % (code, DECIDED + DESTROYED, found))
    lines, err, code = run(HOTSPOT, 'decisions', 'Decisions', None)
    for theirs in r'ours: NativeMethodBind Ljdk/internal/perf/Perf;: [1-9]\d*', r'ours: 29 steps of countDown\(4\)':
        if not any(re.fullmatch(theirs, line) for line in lines):
            failed.append('decisions')
            print('decisions: HotSpot: no line "%s" in %s' % (theirs, lines))


# What HotSpot decides otherwise.
RULES = ['JT-055 options empty, JT-060', 'JT-185 JT-186 in its group: 0',
         'JT-090 JT-091 event 54 for one thread: NONE', 'JT-090 JT-091 event 80 for one thread: NONE']


def rules():
    lines, err, code = run(IMAGE, 'rules', 'Rules', None)
    for rule in RULES:
        if rule not in lines:
            failed.append('rules')
            print('rules: no line "%s"' % rule)
    shown.add(RULES, 'rules')


def versions():
    """Numbers of versions come round without meaning two of them; HotSpot, which needs 20 seconds for so many, is asked
    for fewer."""
    expected, err, code = run(HOTSPOT, 'versions', 'Versions', None, arguments=['500'])
    if code != 0 or len(expected) != 7:
        failed.append('versions')
        print('versions: HotSpot: exit %d\n%s' % (code, '\n'.join(expected)))
    for times in (500, 32767, 32768):
        lines, err, code = run(IMAGE, 'versions', 'Versions', None, arguments=[str(times)])
        if code != 0 or err.strip() or lines != ['%d times: true' % times, *expected[1:]]:
            failed.append('versions')
            print('versions: %d times: exit %d, expected %s\n%s\n%s' % (times, code, expected, '\n'.join(lines), err))


def allocated_without_constructor():
    lines, err, code = run(IMAGE, 'monitors', 'Monitors', None)
    if len([line for line in lines if re.search(BARE, line)]) != 1:
        failed.append('allocateInstance')
        print('VMObjectAlloc is not sent for Unsafe.allocateInstance')


def held(classes, after_loop):
    """Which slots hold a value (R: a reference, V: another, -: none) at the places of ExecutionNoTable.scopes."""
    path = harness.agent_library(BUILD, 'execution', True)
    command = [*harness.java(IMAGE), *harness.vm_options(), '-Xmx256m', '-agentpath:' + path,
               '-cp', classes, 'Execution']
    r = subprocess.run(command, capture_output=True, text=True, timeout=300 * harness.time_scale(), errors='replace',
                       env=harness.environment(True))
    letters = {'object NONE, int TYPE_MISMATCH, float TYPE_MISMATCH': 'R',
               'object TYPE_MISMATCH, int NONE, float NONE': 'V',
               'object TYPE_MISMATCH, int INVALID_SLOT, float INVALID_SLOT': '-'}
    found, wide = [], []
    for place, slot, answer in re.findall(r'^  place (\d) slot (\d): (.*)$', r.stdout, re.M):
        if slot == '0' and answer.startswith('object'):
            found.append(place)
        if answer.startswith('object'):
            found[-1] += letters.get(answer, '?')
        if answer.startswith('long NONE') and place == '1':
            wide.append(slot)
        if answer.startswith('set'):
            kind, number = found[-1][-1], re.search('number (.*)', answer)[1]
            if number != {'R': 'TYPE_MISMATCH', 'V': 'NONE', '-': 'INVALID_SLOT'}.get(kind):
                found[-1] += '!'
    if '  ours: the returned object is a root: other' not in r.stdout.splitlines():
        failed.append('returned')
        print('an object that is going to be returned is no root of a heap walk')
    places = ['0VVV----', '1VVV-RV-', '2VVV----', '3VVV-VV-', after_loop, '5VVV-R--', '6VVV-R--']
    if r.returncode != 0 or found != places + places[:1] + places[2:] or wide != ['0', '1', '2', '5']:
        failed.append('held')
        print('slots that hold values, %s: exit %d, found %s, long in %s' % (classes, r.returncode, found, wide))
        print(r.stderr)


def slots_that_hold_values():
    held(CLASSES, '4VVV----')
    old = os.path.join(WORK, 'old')
    os.makedirs(old, exist_ok=True)
    with open(os.path.join(CLASSES, 'ExecutionNoTable.class'), 'rb') as f:
        image = f.read()
    with open(os.path.join(old, 'ExecutionNoTable.class'), 'wb') as f:
        f.write(image[:6] + (49).to_bytes(2, 'big') + image[8:])
    # Data flow keeps what a compiler drops: all paths have stored the loop's first variable.
    held(old + os.pathsep + CLASSES, '4VVV-V--')


def load_across():
    """Two threads that each need what the other loads: HotSpot's wait for each other for ever, ours both load it."""
    lines, err, code = run(IMAGE, 'load_once', 'LoadOnce', 'cross', arguments=['cross'])
    if sorted(lines) != ['class java.util.concurrent.Exchanger', 'class java.util.concurrent.Phaser', 'found',
                         'found'] or code != 0:
        failed.append('load across')
        print('load across: exit %d\n%s\n%s' % (code, '\n'.join(lines), err))


def class_ids():
    """Ids of classes are given again, and those of methods and fields not: 25,000 ids of classes out of 5,000."""
    lines, err, code = run(IMAGE, 'class_ids', 'ClassIds', 'fields', ['-XX:ClassIdLimit=5000'])
    found = [line for line in lines if line.startswith('ours:')]
    expected = ["ours: 0 methods' ids again, 0 fields' ids again", 'ours: 2 of 10002 fields are there, 0 other errors',
                'ours: JNI took 2',
                "ours: 0 methods' ids again, 0 fields' ids again", 'ours: 2 of 10754 fields are there, 0 other errors',
                'ours: JNI took 2']
    if code != 0 or err.strip() or found != expected:
        failed.append('class ids')
        print('class ids: exit %d\n%s\n%s' % (code, '\n'.join(lines), err))
    # All ids of each class are asked for: more classes of loaders than there are ids.
    lines, err, code = run(IMAGE, 'class_ids', 'ClassIds', 'fields', ['-XX:ClassIdLimit=5000'], ['20000'])
    expected = ['20000 classes of loaders, all ids asked for',
                'after watched classes: 0 of 414 methods are there, 0 other errors',
                "ours: 0 methods' ids again, 0 fields' ids again", 'ours: 0 of 828 fields are there, 0 other errors',
                'ours: JNI took 0', '70 classes with a breakpoint, met 70 times']
    if code != 0 or err.strip() or lines != expected:
        failed.append('class ids')
        print('class ids, watched: exit %d\n%s\n%s' % (code, '\n'.join(lines), err))


def verbose_lines(java):
    """What SetVerboseFlag brings, by headline: the collection that the program asks for, and its own classes and
    methods."""
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
    shown.add(['%s: %s' % x for x in sorted(expected.items())], 'verbose')
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
        of_thread % 'Exception'
        + r'thrower\(I\)I, location 13, exception java.lang.IllegalArgumentException@0x\w+, catch_method '
          r'Execution.exceptions\(\)V, catch_location 28\)$',
        of_thread % 'FieldModification'
        + r'use\(LExecution;\)V, location 22, field_klass class Execution, object Execution@0x\w+, field '
          r'Execution.wide, '
        r'signature_type J, new_value 4398046511104\)$'))
    traced('early', 'Early',
           (r'\[0\] event ClassFileLoadHook\(class_being_redefined null, loader null, name "[\w/$]+", '
            r'protection_domain null, class_data_len \d+, ',
                              r'\[0\] event VMStart\(\)$'))


def main():
    os.makedirs(CLASSES, exist_ok=True)
    sources = [os.path.join(TESTS, 'jvmti', f) for f in sorted(os.listdir(os.path.join(TESTS, 'jvmti')))
               if f.endswith('.java')]
    bare = [s for s in sources if s.endswith('NoTable.java')]
    subprocess.run([*harness.javac(HOTSPOT), '-g', '-d', CLASSES, *[s for s in sources if s not in bare], *bare],
                   check=True)
    subprocess.run([*harness.javac(HOTSPOT), '-XDstringConcat=inline', '-d', CLASSES, *bare], check=True)
    only = [a for a in sys.argv[1:] if not a.startswith('--')]
    for test in TESTS_TO_RUN:
        if not only or test[0] in only:
            compare(*test)
    if '--hotspot-only' not in sys.argv and not only:
        strict()
        decisions()
        rules()
        allocated_without_constructor()
        versions()
        slots_that_hold_values()
        load_across()
        class_ids()
        verbose()
        trace()
        for row in shown.missing():
            failed.append(row)
            print(row)
    sys.exit(1 if failed else 0)


main()
