"""What scripts about both VMs share: the environment they are given, the list of VMs, checks that are counted."""
import difflib
import os
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
VMS = [('hotspot', HOTSPOT), ('vitrine', IMAGE)]
LIMIT = 300 * harness.time_scale()
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print('FAIL: ' + what)
    return condition


def equal(found, wanted, what):
    return check(found == wanted, '%s: %s, expected %s' % (what, found, wanted))


def same(what, expected, actual):
    """Texts of HotSpot and of our VM; the difference is shown."""
    if not check(expected == actual, what):
        print('\n'.join(line[:400] for line in difflib.unified_diff(expected.splitlines(), actual.splitlines(), what + ' hotspot', 'vitrine', lineterm='', n=2)))


def compile_sources(directory, *names, options=()):
    """Compiles tests/<directory>/<name>.java, into CLASSES unless an option says otherwise."""
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([HOTSPOT + '/bin/javac', '-d', CLASSES, *options, *(os.path.join(TESTS, directory, n + '.java') for n in names)], check=True)


def tool(name, *args):
    """One of the JDK's tools that attach to a VM."""
    return subprocess.run([os.path.join(HOTSPOT, 'bin', name), '-J' + harness.ATTACH_PATIENCE, *map(str, args)], capture_output=True, text=True, timeout=2 * LIMIT)


def finish():
    sys.exit(1 if failures else 0)
