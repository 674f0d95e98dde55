"""The VM's own heap dump and HPROF's, read with VisualVM's library jfluid-heap: of a program whose heap is known they
have the same classes, instances, values, references, roots and stacks as HotSpot's jmap -dump.
tests/heapdump/Reader.java describes a dump; its comments say what it leaves out, and why. The rest of the heap, the
class library's, differs: HotSpot begins with an archived heap."""
import difflib
import os
import shutil
import subprocess
import sys

import harness
import hprof_run as t
from hprof_dump import divide

JFLUID = '/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar'
SOURCES = [os.path.join(t.TESTS, 'heapdump', n) for n in ('Population.java', 'Reader.java')] + [os.path.join(t.TESTS,
                                                                                                 'hprof', 'Known.java')]
# Some of what is described, so that an empty description is not the same as another one.
LINES = ['class Known$Every extends Known$Base by jdk.internal.loader.ClassLoaders$AppClassLoader instances 12 ',
         'class Population$Garbage extends java.lang.Object by jdk.internal.loader.ClassLoaders$AppClassLoader '
         'instances 0 ',
         'thread 0"holder" a java.lang.Thread [Population.hold(Population.java:',
         'property a-value, String a root: true',
         'Population$Local {int depth=3} from [] roots [Java frame 0"holder" Population.hold]']


def dump(vm, java):
    """[paths]: the VM's own dump; for our VM also HPROF's."""
    w = t.Waiting(t.command(java, False, 'Population', java_options=['-Dpopulation.key=a-value']), t.path(vm, 'out'))
    paths = [t.path(vm, 'own.hprof')]
    r = t.tool('jmap', '-dump:live,format=b,file=' + paths[0], w.process.pid)
    t.equal(r.returncode, 0, '%s: jmap: %s%s' % (vm, r.stdout, r.stderr))
    if vm == 'vitrine':
        paths.append(t.path(vm, 'agent.hprof'))
        t.check('return code: 0' in t.attach(w, 'heap=dump,format=b,doe=n,depth=100,file=' + paths[1]),
                'the agent attached')
    t.equal(w.end(), 0, vm + ': exit code')
    return paths


def describe(paths):
    subprocess.run([*harness.java(t.HOTSPOT), '-XX:TieredStopAtLevel=1', '-Djava.io.tmpdir=' + t.WORK, '-cp',
                    t.CLASSES + ':' + JFLUID, 'Reader', *paths],
                   check=True, timeout=300)
    return [open(p + '.txt', encoding='utf-8').read() for p in paths]


def main():
    if not os.path.exists(JFLUID):
        print('skipped: no %s (scripts/install.sh)' % JFLUID)
        sys.exit(77)
    shutil.rmtree(t.WORK, ignore_errors=True)       # the library keeps what it has read beside the dumps
    os.makedirs(t.CLASSES)
    subprocess.run([*harness.javac(t.HOTSPOT), '-d', t.CLASSES, '-cp', JFLUID, *SOURCES], check=True)
    paths = [p for vm, java in t.VMS for p in dump(vm, java)]
    # The same dump in one segment, and in one for each few sub-records: where the writer ends its segments must make no
    # difference.
    for name, most in (('one', 1 << 30), ('many', 7)):
        paths.append(t.path('vitrine', name + '.hprof'))
        divide(paths[1], paths[-1], most)
    hotspot, ours, agent, *divided = describe(paths)
    for line in LINES:
        t.check(line in hotspot, 'not described: ' + line)
    # JVM TI says that an interface has no superclass, HotSpot's own dumps have Object.
    agent = agent.replace(' extends none ', ' extends java.lang.Object ')
    for name, text in (('own dump', ours), ("HPROF's dump", agent), ('in one segment', divided[0]),
                       ('in many segments', divided[1])):
        if not t.check(text == hotspot, name):
            print('\n'.join(line[:400] for line in difflib.unified_diff(hotspot.splitlines(), text.splitlines(),
                                                                        'hotspot', name, lineterm='', n=1)))
    t.finish()


main()
