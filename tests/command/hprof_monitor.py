"""The HPROF agent's monitor profile: exact numbers of contended entries, and a dump of threads and monitors while they
are held."""
import re
import signal

import hprof_run as t
from hprof_dump import Text


def contention(x, what):
    rows = [r for r in x.ranked('MONITOR TIME') if 'Contended' in r[5]]
    t.equal([(r[3], r[5]) for r in rows], [(7, 'Contended$Gate (Java)')], what + ': contended entries')
    frames = x.traces[rows[0][4]]
    t.check([f.split('(')[0] for f in frames if f.startswith('Contended.')][:1] == ['Contended.enter'],
            what + ': trace %s' % frames)
    head = x.table('MONITOR TIME')[0]
    t.check(re.match(r'MONITOR TIME BEGIN \(total = \d+ ms\) .{24}$', head) and rows[0][1] == 100.0, what + ': ' + head)


def monitor_dump(x, what):
    """What the held monitors look like: the gate entered twice by main, one thread before it; the bell unowned, one
    thread waiting."""
    names = {serial: name for serial, (_, name, _) in x.threads.items()}
    _, lines = x.tables['MONITOR DUMP'][0]
    status, monitors, at = {}, {}, None
    for line in lines:
        m = re.fullmatch(r'    THREAD (\d+), trace (\d+), status: ((?:S\||intr\||native\|)*(?:R|MW|CW|SL|ZO|NS|UN))',
                         line)
        if m:
            status[names[int(m[1])]] = m[3]
            t.check(int(m[2]) in x.traces, what + ': trace of a thread')
            continue
        m = re.fullmatch(r'    MONITOR (\S+)', line)
        if m:
            at = monitors.setdefault(m[1], [])
            continue
        m = re.fullmatch(r'\t(unowned|owner: thread \d+, entry count: \d+|waiting to enter:( thread \d+,?)+|waiting '
                         r'to be notified:( thread \d+,?)+)', line)
        if t.check(m and at is not None, '%s: line "%s"' % (what, line)):
            at.append(re.sub(r'thread (\d+)', lambda g: names[int(g[1])], m[1]))
    t.equal([status.get(name) for name in ('main', 'entering', 'waiting', 'sleeping', 'interrupted')],
            ['native|R', 'MW', 'CW', 'SL', 'intr|R'], what + ': states')
    t.equal(monitors.get('Contended$Gate'), ['owner: main, entry count: 2', 'waiting to enter: entering'],
            what + ': the gate')
    # A thread that waits to be notified has given the monitor up: it owns nothing, and only its own state tells of the
    # bell.
    if 'Contended$Bell' in monitors:
        t.equal(monitors['Contended$Bell'], ['unowned', 'waiting to be notified: waiting'], what + ': the bell')


def main():
    t.compile_programs('Contended')
    for vm, java in t.VMS:
        out = t.path(vm, 'monitor.txt')
        w = t.Waiting(t.command(java, 'monitor=y,file=' + out, 'Contended', 'wait'), t.path(vm, 'monitor.out'))
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.')
        x = Text(out)
        contention(x, vm)
        monitor_dump(x, vm)
        t.check(sum(n.startswith('enterer-') for _, n, _ in x.threads.values()) == 7 and len(x.ended) >= 7,
                vm + ': threads that come and go')
        w.say()
        t.equal(w.end(), 0, vm + ': exit code')
        t.equal(len(Text(out).tables['MONITOR TIME']), 2, vm + ': dump on exit')
    t.finish()


main()
