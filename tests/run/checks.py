"""What scripts about both VMs share: the environment they are given, the list of VMs, checks that are counted."""
import difflib
import os
import subprocess
import sys
from pathlib import Path

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
VMS = [('hotspot', HOTSPOT), ('vitrine', IMAGE)]
LIMIT = 300 * harness.time_scale()
failures = []
shown = rows.Shown(Path(sys.argv[0]).stem)


def check(condition, what, detail=''):
    shown.add([what])
    if not condition:
        failures.append(what)
        print('FAIL: %s%s' % (what, detail))
    return condition


def equal(found, wanted, what):
    return check(found == wanted, what, ': %s, expected %s' % (found, wanted))


def same(what, expected, actual):
    """Texts of HotSpot and of our VM; the difference is shown."""
    if not check(expected == actual, what):
        print('\n'.join(line[:400] for line in difflib.unified_diff(expected.splitlines(), actual.splitlines(),
                                                                    what + ' hotspot', 'vitrine', lineterm='', n=2)))


def compile_sources(directory, *names, options=()):
    """Compiles tests/<directory>/<name>.java, into CLASSES unless an option says otherwise."""
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), '-d', CLASSES, *options,
                    *(os.path.join(TESTS, directory, n + '.java') for n in names)], check=True)


def tool(name, *args):
    """One of the JDK's tools that attach to a VM."""
    return subprocess.run([os.path.join(HOTSPOT, 'bin', name), '-J' + harness.ATTACH_PATIENCE, *map(str, args)],
                          capture_output=True, text=True, timeout=2 * LIMIT)


def finish():
    """Ends the script; rows of check-lists that it should have shown must have been."""
    for row in list(shown.missing()):
        check(False, row)
    sys.exit(1 if failures else 0)
