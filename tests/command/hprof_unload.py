"""Heap dumps of a program whose classes come and go: an unloaded class is said to be, and dumps made while another
thread loads classes without pause are whole. The same library on HotSpot and on our VM."""
import signal

import hprof_run as t
from hprof_dump import Dump


def main():
    t.compile_programs('Unloading')
    for vm, java in t.VMS:
        out = t.path(vm, 'unload.hprof')
        w = t.Waiting(t.command(java, 'heap=dump,format=b,file=' + out, 'Unloading'), t.path(vm, 'unload.out'))
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.')
        first = Dump(out)
        passing = first.class_named('Unloading$Passing')
        objects = first.of_class('Unloading$Passing')
        t.check(len(objects) == 1 and passing.statics['n'] == (10, 5) and first.value(objects[0], 'm') == 6,
                vm + ': the class that will go')
        w.say()
        w.wait_for('ready', 2)
        # The unloading is reported by a thread of the VM's own, some time after the collection.
        n, d = 1, first
        while n < 5 or (passing.serial not in d.unloaded and n < 50):
            n += 1
            w.process.send_signal(signal.SIGQUIT)
            w.wait_for('done.', n)
            d = Dump(out)               # the reader checks every reference
        t.check(passing.serial in d.unloaded and passing.serial in d.by_serial, vm + ': UNLOAD_CLASS')
        t.equal(d.dumps, n, vm + ': dumps')
        # The object that is held is whole; others may be met in their constructors.
        held = d.class_named('Unloading').statics['latest'][1]
        t.check(held in d.of_class('Unloading$Passing'), vm + ': late classes')
        t.equal(d.value(held, 'm'), 6, vm + ': a field of a late class')
        t.equal(len(d.object_arrays[d.value(held, 'row')][1]), 2, vm + ': an array of a late class')
        w.say()
        t.equal(w.end(), 0, vm + ': exit code')
    t.finish()


main()
