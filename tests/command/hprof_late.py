"""Heap dumps while classes are loaded: after the dump has listed the classes and before it walks the heap
(tests/agents/late_classes.c, in every dump), and by threads that do nothing else. Every dump is read record by record:
the classes are named in front of it, its segments follow each other, every identifier is resolved, and what the late
classes and their objects hold is there. The same library on HotSpot and on our VM; into a file, compressed, over a
socket, and with allocation sites, whose tags stay between dumps."""
import os
import signal

import hprof_run as t
from hprof_dump import Dump
from hprof_run import Listener

HOOK = '-agentpath:' + os.path.join(t.BUILD, 'tests/agents/liblate_classes.so')
DUMPS = 3


def check_dump(d, what):
    """d: the reader, at the end of each dump; it has checked all references. Answers how often classes were loaded
    inside dumps."""
    late = next(k for k in d.classes.values() if k.name == 'Late' and k.dumped)
    n = late.statics['loads'][1]
    latest, waiting = late.statics['latest'][1], late.statics['waiting'][1]
    passing = d.classes[d.instances[latest][0]]
    base = d.classes[passing.super]
    t.equal((passing.name, base.name), ('Late$Passing', 'Late$Base'), what + ': classes')
    values = {name: value for name, _, value in d.values(latest)}
    t.equal([values[x] for x in ('z', 'b', 'c', 't', 'i', 'f', 'd', 'number')],
            [1, -7, ord('q'), -1234, 123456789, 1.5, 0.1, 1 << 40], what + ': values')
    t.equal((values['link'], passing.statics), (latest, {'n': (10, 5), 's': (9, -2), 'self': (2, latest)}),
            what + ': statics')
    t.equal((base.statics['ratio'][1], d.string(base.statics['label'][1])), (0.75, 'late'),
            what + ': statics of the superclass')
    t.equal((d.object_arrays[values['row']][1], d.classes[d.object_arrays[values['row']][0]].name),
            ((latest, 0), '[LLate$Passing;'), what + ': array')
    t.equal((d.object_arrays[values['empty']][1], d.classes[d.object_arrays[values['empty']][0]].name),
            ((), '[[LLate$Passing;'), what + ': empty array')
    cube = d.object_arrays[values['cube']]
    t.equal((d.classes[cube[0]].name, d.array(d.object_arrays[cube[1][0]][1][0])), ('[[[S', (1, 2)),
            what + ': array of a primitive type')
    t.equal(d.value(passing.loader, 'number'), n, what + ': loader')
    t.check(passing.domain in d.instances and passing.loader == base.loader, what + ': protection domain')
    if d.id_size == 4:
        t.check(passing.id < 1 << 26 and base.id < 1 << 26, what + ': a class is numbered as one')
    kind = d.classes[d.instances[waiting][0]]
    t.equal((kind.statics['n'], d.value(waiting, 'm'), d.value(waiting, 'mine')),
            ((10, 9), 11, kind.statics['object'][1]), what + ': loaded before, prepared late')
    t.equal(d.classes[d.object_arrays[late.statics['arrays'][1]][0]].name, '[' * (n % 200) + 'LLate$Sole;',
            what + ': new array class of a known class')
    dropped = [k for k in d.classes.values() if k.name == 'Late$Dropped' and k.dumped]
    t.equal((late.statics['dropped'], len(dropped)), ((2, 0), 0), what + ': classes that were dropped')
    return n


def dumps(vm, java, name, options, threads, read):
    """DUMPS dumps on request and one at the end."""
    what = '%s %s' % (vm, name)
    w = t.Waiting(t.command(java, 'format=b,%s' % options, 'Late', *threads, java_options=[HOOK]),
                  t.path(vm, name + '.out'))
    for n in range(1, DUMPS + 1):
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.', n)
        w.say()
        w.wait_for('prepared', n)
    t.equal(w.end(), 0, what + ': exit code ' + w.text()[-2000:])
    t.equal(w.said('done.'), DUMPS + 1, what + ': ' + w.text()[-2000:])
    loads = [0]
    d = Dump(read(), each=lambda d: loads.append(check_dump(d, '%s, dump %d' % (what, d.dumps))))
    t.equal(d.dumps, DUMPS + 1, what + ': dumps')
    t.check(all(a < b for a, b in zip(loads, loads[1:])), what + ': a dump in which nothing was loaded: %s' % loads)


def main():
    t.compile_programs('Late')
    for vm, java in t.VMS:
        # HotSpot 25 sends allocation events of class mirrors while it holds the lock under which array classes are
        # made. A thread in such an event waits for the dump, in which load() runs here, and that may need the lock.
        with_sites = ['threads'] if vm == 'vitrine' else []
        for name, options, threads in (('file', 'heap=dump', []), ('threads', 'heap=dump', ['threads']),
                                       ('packed', 'heap=dump,gzip=y', []),
                                       ('sites', 'heap=all,depth=2', with_sites)):
            out = t.path(vm, name)
            dumps(vm, java, name, options + ',file=' + out, threads, lambda: out)
        listener = Listener()
        out = t.path(vm, 'socket')

        def received():
            with open(out, 'wb') as f:
                f.write(listener.end())
            return out
        dumps(vm, java, 'socket', 'heap=dump,net=127.0.0.1:%d' % listener.port, [], received)
    t.finish()


main()
