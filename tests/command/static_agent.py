"""Agents linked into the program, agents that are missing or refuse, and the order of several agents."""
import os
import subprocess
import sys

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
LIMIT = 300 * harness.time_scale()
failed = []
shown = rows.Shown('static_agent')


def check(condition, what, detail=()):
    shown.add([what])
    if not condition:
        failed.append(what)
        print('FAIL: %s: %s' % (what, detail))


def embedded():
    program = os.path.join(BUILD, 'tests/embed/static_agent')
    results = []
    for java in (HOTSPOT, IMAGE):
        library = os.path.join(java, 'lib/server/libjvm.so')
        r = subprocess.run([program, library, CLASSES, 'Lifecycle'], capture_output=True, text=True, timeout=LIMIT)
        results.append((r.stdout, r.returncode))
    check(results[0] == results[1], 'linked agent: as on HotSpot', results)
    out = results[1][0]
    check('Agent_OnLoad_embedded "some,options"' in out and 'Agent_OnUnload_embedded' in out,
          'linked agent: its own functions, not those of a library', out)
    check('Agent_OnLoad_embedded "by path"' in out, 'linked agent: by the name of a file that is not there', out)


def refused():
    empty = os.path.join(WORK, 'libempty.so')
    subprocess.run([os.environ.get('CC', 'cc'), '-shared', '-fPIC', '-x', 'c', '/dev/null', '-o', empty], check=True)
    histogram = os.path.join(BUILD, 'libhistogram.so')
    for option, word in (('-agentlib:nosuch', None), ('-agentpath:/nosuch/libq.so', None),
                         ('-agentpath:relative.so', None),
                         ('-agentpath:%s=frobnicate' % histogram, None),
                         ('-agentpath:' + empty, 'Could not find Agent_OnLoad function'),
                         ('-Xrunnosuch', None)):
        ours = subprocess.run([*harness.java(IMAGE), *harness.vm_options(), option, '-version'], capture_output=True,
                              text=True, timeout=LIMIT)
        check(ours.returncode == 1 and (word or '') in ours.stdout + ours.stderr, option, ours)
        if word is None:
            theirs = subprocess.run([*harness.java(HOTSPOT), option, '-version'], capture_output=True, text=True,
                                    timeout=LIMIT)
            check((ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr), option + ': as on HotSpot',
                  (theirs, ours))


def started_in_vain():
    """An agent has started when the next one refuses: no VMStart, no VMInit, no VMDeath, and the VM is not created."""
    agents = ['-agentpath:' + os.path.join(BUILD, 'tests/agents/liblifecycle.so'),
              '-agentpath:%s=frobnicate' % os.path.join(BUILD, 'libhistogram.so')]
    outputs = []
    for java in (HOTSPOT, IMAGE):
        r = subprocess.run([*harness.java(java), *agents, '-cp', CLASSES, 'Lifecycle'], capture_output=True, text=True,
                           timeout=120)
        outputs.append((r.stdout, r.returncode))
    check(outputs[0] == outputs[1] and outputs[0][1] == 1, 'started in vain: as on HotSpot, and no VM', outputs)
    check('Agent_OnLoad' in outputs[0][0] and not any(event + ' in' in outputs[0][0]
                                                      for event in ('VMStart', 'VMInit', 'VMDeath')),
          'started in vain: no VMStart, no VMInit, no VMDeath', outputs[0])


def several():
    agents = [os.path.join(BUILD, 'tests/agents/lib%s.so' % a) for a in ('lifecycle', 'threads', 'lifecycle')]
    outputs = []
    for java in (HOTSPOT, IMAGE):
        r = subprocess.run([*harness.java(java), *(harness.vm_options() if java == IMAGE else []),
                            '-Dtest.property=1'] + ['-agentpath:%s=%d' % (a, n) for n, a in enumerate(agents)] +
                           ['-cp', CLASSES, 'Lifecycle'], capture_output=True, text=True, timeout=LIMIT)
        outputs.append((r.stdout, r.returncode))
    loads = [line for line in outputs[0][0].splitlines() if line.startswith('Agent_OnLoad')]
    check(outputs[0] == outputs[1], 'three agents: as on HotSpot', outputs)
    check(len(loads) == 2, 'three agents: each is started once', loads)


def main():
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), '-d', CLASSES, os.path.join(TESTS, 'jvmti/Lifecycle.java')], check=True)
    embedded()
    refused()
    started_in_vain()
    several()
    for row in list(shown.missing()):
        check(False, row)
    sys.exit(1 if failed else 0)


main()
