"""Another agent starts threads and asks for a dump in its VMInit, before HPROF's VMInit writes the beginning of the
file: the file has its heading first, the overhead stands in it, and the thread that still runs is known; as text and
binary, and beside the samples. The agents in the other order: both threads are there, and the dump. The same library on
HotSpot and on our VM."""
import os

import hprof_run as t
from hprof_dump import Dump, Text

JAR = os.path.join(t.WORK, 'early.jar')


def early_threads(names):
    return sorted(name for name in names if name.startswith('early-'))


def run(vm, java, name, options, first):
    """With the Java agent before HPROF, or behind it. Answers the file, and how often dumps were written."""
    out = t.path(vm, name)
    agents = ['-javaagent:' + JAR, '-agentpath:%s=%s,file=%s' % (t.AGENT, options, out)]
    r = t.good(java, False, 'Early', java_options=agents if first else agents[::-1])
    return out, r.stdout.count('done.') + r.stderr.count('done.')


def main():
    t.compile_programs('Early')
    manifest = os.path.join(t.WORK, 'manifest')
    with open(manifest, 'w', encoding='ascii') as f:
        f.write('Premain-Class: Early\n')
    t.tool('jar', 'cfm', JAR, manifest, '-C', t.CLASSES, '.')
    for vm, java in t.VMS:
        for first, threads, dumps in ((True, ['early-waiting'], 1), (False, ['early-ended', 'early-waiting'], 2)):
            for options in ('cpu=samples', 'cpu=times,thread=y', 'cpu=samples,thread=y', 'heap=sites'):
                what = '%s, %s, %s' % (vm, options, 'behind' if first else 'before')
                path, written = run(vm, java, 'early.txt', options, first)
                x = Text(path)
                t.equal(early_threads(n for _, n, _ in x.threads.values()), threads, what + ': threads')
                t.equal(early_threads(x.threads[n][1] for n in x.ended), threads, what + ': ended')
                t.check(x.overheads == [x.lines[1]], what + ': overhead in the heading: %s' % x.overheads)
                t.equal(written, dumps, what + ': dumps')
            path, written = run(vm, java, 'early.hprof', 'format=b,heap=dump', first)
            d = Dump(path)
            t.equal(early_threads(thread[1] for thread in d.threads.values()), threads, vm + ': binary')
            t.equal((d.dumps, written), (dumps, dumps), vm + ': binary dumps')
    t.finish()


main()
