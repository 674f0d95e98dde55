"""Agents linked into the program, agents that are missing or refuse, and the order of several agents."""
# Rows of tests/jvmti/rows.tsv shown here: JT-054, JT-057, JT-061, JT-062, JT-063, JT-064.
import os
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
LIMIT = 300 * harness.time_scale()
failed = []


def check(condition, what):
    if not condition:
        failed.append(what)
        print('FAIL: ' + what)


def embedded():
    program = os.path.join(BUILD, 'tests/embed/static_agent')
    results = []
    for java in (HOTSPOT, IMAGE):
        library = os.path.join(java, 'lib/server/libjvm.so')
        r = subprocess.run([program, library, CLASSES, 'Lifecycle'], capture_output=True, text=True, timeout=LIMIT)
        results.append((r.stdout, r.returncode))
    check(results[0] == results[1], 'linked agent: HotSpot %s, ours %s' % tuple(results))
    check('Agent_OnLoad_embedded "some,options"' in results[1][0] and 'Agent_OnLoad_embedded "by path"' in results[1][0] and 'Agent_OnUnload_embedded' in results[1][0], 'linked agent: %s' % (results[1],))


def refused():
    empty = os.path.join(WORK, 'libempty.so')
    subprocess.run([os.environ.get('CC', 'cc'), '-shared', '-fPIC', '-x', 'c', '/dev/null', '-o', empty], check=True)
    histogram = os.path.join(BUILD, 'libhistogram.so')
    for option, word in (('-agentlib:nosuch', None), ('-agentpath:/nosuch/libq.so', None), ('-agentpath:relative.so', None),
                         ('-agentpath:%s=frobnicate' % histogram, None), ('-agentpath:' + empty, 'Could not find Agent_OnLoad function'),
                         ('-Xrunnosuch', None)):
        ours = subprocess.run([IMAGE + '/bin/java', *harness.vm_options(), option, '-version'], capture_output=True, text=True, timeout=LIMIT)
        check(ours.returncode == 1 and (word or '') in ours.stdout + ours.stderr, '%s: %s' % (option, ours))
        if word is None:
            theirs = subprocess.run([HOTSPOT + '/bin/java', option, '-version'], capture_output=True, text=True, timeout=LIMIT)
            check((ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr), '%s: HotSpot %s, ours %s' % (option, theirs, ours))


def started_in_vain():
    """An agent has started when the next one refuses: no VMStart, no VMInit, no VMDeath (JT-047), and the VM is not created (JT-059)."""
    agents = ['-agentpath:' + os.path.join(BUILD, 'tests/agents/liblifecycle.so'), '-agentpath:%s=frobnicate' % os.path.join(BUILD, 'libhistogram.so')]
    outputs = []
    for java in (HOTSPOT, IMAGE):
        r = subprocess.run([java + '/bin/java', *agents, '-cp', CLASSES, 'Lifecycle'], capture_output=True, text=True, timeout=120)
        outputs.append((r.stdout, r.returncode))
    check(outputs[0] == outputs[1], 'started in vain: HotSpot %s, ours %s' % tuple(outputs))
    check('Agent_OnLoad' in outputs[0][0] and 'VMStart' not in outputs[0][0] and 'VMInit in' not in outputs[0][0], 'started in vain: %s' % (outputs[0],))


def several():
    agents = [os.path.join(BUILD, 'tests/agents/lib%s.so' % a) for a in ('lifecycle', 'threads', 'lifecycle')]
    outputs = []
    for java in (HOTSPOT, IMAGE):
        r = subprocess.run([java + '/bin/java', *(harness.vm_options() if java == IMAGE else []), '-Dtest.property=1'] + ['-agentpath:%s=%d' % (a, n) for n, a in enumerate(agents)] +
                           ['-cp', CLASSES, 'Lifecycle'], capture_output=True, text=True, timeout=LIMIT)
        outputs.append((r.stdout, r.returncode))
    check(outputs[0] == outputs[1], 'three agents:\n%s\n%s' % (outputs[0][0], outputs[1][0]))


def main():
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([HOTSPOT + '/bin/javac', '-d', CLASSES, os.path.join(TESTS, 'jvmti/Lifecycle.java')], check=True)
    embedded()
    refused()
    started_in_vain()
    several()
    sys.exit(1 if failed else 0)


main()
