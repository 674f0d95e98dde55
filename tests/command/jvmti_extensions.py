"""Extension events and functions: ClassUnload is HotSpot's (agent unload_event); accesses to watched fields by
reflection, variable handles and Unsafe are reported on request, which only our VM offers, and otherwise as on HotSpot
(agent reflective); event filters, which only our VM offers, count what events count there (agent filters);
FollowObjects, which only our VM offers, tells what FollowReferences tells (agent whole)."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
INTERNAL = ['--add-exports', 'java.base/jdk.internal.misc=ALL-UNNAMED']
# What Reflective.all does to watched fields, in order, with a line for each event and each line that the program itself
# prints.
ON_REQUEST = '''
modification of inherited = 4
modification of i = 1
modification of wide = 1099511627776
modification of real = 0.5
modification of b1 = 1
modification of text = a
Field
access of i
1
modification of i = 5
modification of inherited = 8
access of wide
1099511627776
modification of real = 2.5
modification of flag = 1
modification of text = b
modification of static counter = 9
access of static shared
t
MethodHandle
access of i
5
modification of static shared = t
VarHandle
modification of v = 3
access of v
3
access of v
false
access of v
modification of v = 5
true
access of text
modification of text = c
true
a byte by the word that it is in
access of b1
access of b1
modification of b1 = -2
true
access of b1
access of b1
true
updaters
modification of v = 11
access of v
11
modification of text = d
compiled
modification of i = 20
access of i
access of i
modification of i = 21
access of i
access of i
modification of i = 30
42
Unsafe
modification of i = 12
access of i
12
access of wide
modification of wide = 13
1099511627776
32
bytecode
access of i
modification of i = 13
'''.strip().split('\n')
# Every tenth allocation is reported by an event as well, and has no tag from the filter.
ALLOCATIONS = '1000 asked about, 100 told, 900 tagged\n'
# FollowReferences itself is compared with HotSpot's by other tests.
WHOLE = '''
before the VM lives: WRONG_PHASE
as wholes: thousands of objects, many arrays, 0 different; roots the same
numbers: 0 twice, 0 that no object has, 0 classes without a tag; many references
tags: the object's 77, the class's given, 2 marked
an object that was only numbered has the tag 0
of an environment that is gone: INVALID_ENVIRONMENT
ended in untagged_class after 1 call
ended in heap_reference after 1 call
ended in static_field after 1 call
ended in object after 1 call
no callbacks: NULL_POINTER
no untagged_class: NULL_POINTER
no heap_reference: NULL_POINTER
no static_field: NULL_POINTER
no object: NULL_POINTER
from 0: ILLEGAL_ARGUMENT
from -1: ILLEGAL_ARGUMENT
from the largest: ILLEGAL_ARGUMENT
without the capability: MUST_POSSESS_CAPABILITY
'''.lstrip('\n')
failed = []


def run(ours, agent, program, options):
    agent_options = '=hotspot' if agent == 'unload_event' and not ours else ''
    command = [*harness.java(IMAGE if ours else HOTSPOT), *(harness.vm_options() if ours else []), *options,
               '-Xmx256m',
               '-agentpath:' + harness.agent_library(BUILD, agent, ours) + agent_options, '-cp', CLASSES, program]
    outcome = harness.run(command, WORK, 60 * harness.time_scale(), ours)
    out = outcome.out.decode(errors='replace')
    if outcome.code != 0 or outcome.err.strip() or 'FAILED' in out:
        failed.append(agent)
        print('%s: %s %s\n%s\n%s' % (agent, 'ours' if ours else 'HotSpot', outcome.ended(), out,
                                     outcome.err.decode(errors='replace')))
        harness.show_crash_reports(WORK)
    return out


def compare(what, expected, actual):
    if expected != actual:
        failed.append(what)
        harness.show_difference(what, expected, actual)


def sections(out):
    """What stands below each headline."""
    parts = re.split(r'^== (.*?)(?:: (?:true|false))?\n', out, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def main():
    harness.fresh_directory(Path(CLASSES))
    subprocess.run([*harness.javac(HOTSPOT), '-nowarn', '-g', *INTERNAL, '-d', CLASSES,
                    *[os.path.join(TESTS, 'jvmti/extensions', f)
                      for f in ('Filters.java', 'Reflective.java', 'Unloads.java', 'Whole.java')]],
                   check=True, stderr=subprocess.DEVNULL)
    compare('ClassUnload', run(False, 'unload_event', 'Unloads', []), run(True, 'unload_event', 'Unloads', []))
    expected, ours = (sections(run(vm, 'reflective', 'Reflective', INTERNAL + ['-Xbatch'])) for vm in (False, True))
    compare('asked for', '\n'.join(ON_REQUEST) + '\n', ours.pop('asked for', ''))
    compare('HotSpot does not offer it', expected['not asked for'], expected.pop('asked for'))
    for headline in expected:
        compare(headline, expected[headline], ours.get(headline, ''))
    compare('objects as wholes', WHOLE, run(True, 'whole', 'Whole', INTERNAL))
    theirs, ours = run(False, 'filters', 'Filters', []), run(True, 'filters', 'Filters', [])
    compare('calls that filters count', theirs + ALLOCATIONS, ours)
    rounds = re.split(r'^== .*\n', theirs, flags=re.M)[1:-2]
    for one in rounds[1:]:
        compare('the numbers are the same each time', rounds[0], one)
    sys.exit(1 if failed else 0)


main()
