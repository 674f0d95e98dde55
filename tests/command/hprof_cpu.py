"""The HPROF agent's CPU profiles: exact calls per stack with recursion, exceptions and threads that come and go;
samples that find the hot methods of a program in the right order; stacks for other tools. The same library on HotSpot
and on our VM."""
import gzip
import os
import re
import signal

import hprof_run as t
from hprof_dump import Dump, Text

# innermost first, methods of Calls only: calls
CALLS = {
    ('leaf', 'twice', 'main'): 200, ('twice', 'main'): 100, ('recursive', 'main'): 1,
    ('recursive', 'recursive', 'main'): 1,
    ('recursive', 'recursive', 'recursive', 'main'): 1, ('recursive',) * 4: 48, ('catching', 'main'): 3,
    ('raise', 'catching', 'main'): 3,
    ('raise', 'raise', 'catching', 'main'): 3, ('raise', 'raise', 'raise', 'catching'): 3, ('raise',) * 4: 6,
    ('inThread',): 20, ('leaf', 'inThread'): 200,
    ('main',): 1,
}


def times(vm, java, java_options=()):
    out = t.path(vm, 'times.txt')
    t.good(java, 'cpu=times,cutoff=0,verbose=n,file=' + out, 'Calls', 'end', java_options=java_options)
    x = Text(out)
    t.check('SITES' not in x.tables and 'HEAP DUMP' not in x.tables, vm + ': heap profile without being asked for')
    found = {}
    for _, self_, _, count, trace, method in x.ranked('CPU TIME (ms)'):
        frames = x.traces[trace]
        t.check(frames == [] or frames[0].startswith(method + '('), '%s: method of trace %d' % (vm, trace))
        t.check(all(f.endswith(':Unknown line)') or f.endswith(':Native method)') for f in frames),
                vm + ': lines in cpu=times (HP-033)')
        if frames and frames[0].startswith('Calls.') and 'lambda' not in frames[0]:
            key = tuple(f.split('(')[0][6:] for f in frames if f.startswith('Calls.'))
            found[key] = found.get(key, 0) + count
    t.equal(found, CALLS, vm + ': calls')
    t.equal(len([n for _, n, _ in x.threads.values() if n.startswith('short-')]), 20, vm + ': threads')
    t.equal(len([s for s in x.ended if x.threads[s][1].startswith('short-')]), 20, vm + ': ended threads')
    return found


def depths(vm, java):
    """depth=1 merges, thread=y tells apart, a cutoff leaves out, lineno=n."""
    out = t.path(vm, 'depth.txt')
    t.good(java, 'cpu=times,depth=1,thread=y,cutoff=0,verbose=n,file=' + out, 'Calls', 'end')
    x = Text(out)
    leaves = {}
    for _, _, _, count, trace, method in x.ranked('CPU TIME (ms)'):
        t.check(len(x.traces[trace]) == 1, vm + ': depth=1')
        if method == 'Calls.leaf':
            leaves[x.threads[x.trace_threads[trace]][1]] = count
    t.equal(leaves, dict([('main', 200)] + [('short-%d' % i, 10) for i in range(20)]), vm + ': thread=y')
    out = t.path(vm, 'depth0.txt')
    t.good(java, 'cpu=times,depth=0,cutoff=0.5,verbose=n,file=' + out, 'Calls', 'end')
    x = Text(out)
    rows = x.ranked('CPU TIME (ms)')
    t.check(len(rows) == 1 and x.traces[rows[0][4]] == [] and rows[0][5] == '<empty>' and rows[0][2] == 100.0,
            vm + ': depth=0 %s' % rows)
    t.check(all(n is None for n in x.trace_threads.values()), vm + ': thread=n is the default')
    out = t.path(vm, 'cutoff.txt')
    t.good(java, 'cpu=times,depth=1,cutoff=1,verbose=n,file=' + out, 'Calls', 'end')
    t.check(len(Text(out).ranked('CPU TIME (ms)')) <= 1 < len(leaves), vm + ': a row below the cutoff (HP-011)')


def old(vm, java):
    out = t.path(vm, 'old.txt')
    t.good(java, 'cpu=old,verbose=n,file=' + out, 'Calls', 'end')
    pairs = {(callee, caller): count for count, callee, caller, _ in Text(out).pairs if callee.startswith('Calls.')}
    for callee, caller, count in (('leaf(I)I', 'Calls.twice(I)I', 200),
                                  ('twice(I)I', 'Calls.main([Ljava/lang/String;)V', 100),
                                  ('recursive(I)I', 'Calls.recursive(I)I', 50), ('raise(I)V', 'Calls.raise(I)V', 12),
                                  ('catching()I', 'Calls.main([Ljava/lang/String;)V', 3)):
        t.equal(pairs.get(('Calls.' + callee, caller)), count, '%s: cpu=old %s' % (vm, callee))


def spinning(vm, java, options, name, enough):
    """The file of a program that spins, once `enough` says that there are samples enough."""
    out = t.path(vm, name)
    w = t.Waiting(t.command(java, options + ',file=' + out, 'Calls', 'spin'), t.path(vm, name + '.out'))
    dumps = 0

    def dumped():
        nonlocal dumps
        dumps += 1
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.', dumps)
        return enough(out)
    w.until(dumped, 'not enough samples')
    w.say()
    t.equal(w.end(), 0, vm + ': exit code')
    return out


def hot_rows(x):
    """(heavy, light) of the last table of samples."""
    rows = x.ranked('CPU SAMPLES')
    return [sum(r[3] for r in rows if r[5] == 'Calls.' + name) for name in ('heavy', 'light')]


def samples(vm, java):
    """Two methods that share the processor three to one, and a thread that sleeps."""
    x = Text(spinning(vm, java, 'cpu=samples,interval=2,depth=3', 'samples.txt',
                      lambda out: sum(hot_rows(Text(out))) >= 200))
    heavy, light = hot_rows(x)
    t.check(heavy > light > 0, '%s: %d heavy, %d light' % (vm, heavy, light))
    rows = x.ranked('CPU SAMPLES')
    total = int(re.match(r'CPU SAMPLES BEGIN \(total = (\d+)\) .{24}$', x.table('CPU SAMPLES')[0])[1])
    t.check(sum(r[3] for r in rows) <= total, vm + ': total of the samples')
    for r in rows:
        t.check(abs(r[1] - 100 * r[3] / total) < 0.006, vm + ': percentage of %s' % (r,))
    # On its way into the sleep and out of it the thread may be met running; asleep it would be met every time.
    sleeper = sum(r[3] for r in rows if any('lambda$main$0' in f for f in x.traces[r[4]]))
    t.check(sleeper <= total // 50, '%s: a sleeping thread was counted %d times of %d (HP-026)' % (vm, sleeper, total))
    source = open(os.path.join(t.TESTS, 'hprof/Calls.java')).read().split('\n')
    line = next(n for n, text in enumerate(source, 1) if 'static void heavy' in text)
    t.equal({f for r in rows for f in x.traces[r[4]] if f.startswith('Calls.heavy(')},
            {'Calls.heavy(Calls.java:%d)' % line}, vm + ': lines (HP-012)')

    def hot(d):
        return sum(n for n, serial in d.cpu[1] if d.traces[serial][1]
                   and d.traces[serial][1][0][:2] in (('Calls', 'heavy'), ('Calls', 'light')))
    d = Dump(spinning(vm, java, 'cpu=samples,interval=2,format=b,lineno=n', 'samples.hprof',
                      lambda out: hot(Dump(out)) >= 20))
    t.equal((d.settings, d.dumps), ((2, 4), 0), vm + ': CONTROL_SETTINGS')
    t.check(all(f[4] in (-1, -3) for _, frames in d.traces.values() for f in frames), vm + ': lineno=n')


def collapsed(path):
    """{kind: {stack: weight}}"""
    kinds = {}
    for line in open(path):
        stack, weight = line.rstrip('\n').rsplit(' ', 1)
        kind, _, stack = stack.partition(';')
        t.check(kind in ('[cpu]', '[allocation]') and int(weight) > 0 and stack and stack not in kinds.get(kind, {}),
                'collapsed: "%s"' % line)
        kinds.setdefault(kind, {})[stack] = int(weight)
    return kinds


def varints(data):
    value = shift = 0
    for b in data:
        value |= (b & 127) << shift
        shift += 7
        if b < 128:
            yield value
            value = shift = 0


def message(data):
    """[(field, value)] of a protocol-buffer message."""
    fields, at = [], 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            b = data[at]
            at += 1
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                return value
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            fields.append((key >> 3, varint()))
        else:
            t.check(key & 7 == 2, 'pprof: wire type')
            n = varint()
            fields.append((key >> 3, data[at:at + n]))
            at += n
    return fields


def stacks(vm, java):
    hot = ['Calls.main;Calls.spin;Calls.round;Calls.' + name for name in ('heavy', 'light')]
    kinds = collapsed(spinning(vm, java, 'cpu=samples,heap=sites,interval=2,format=collapsed', 'collapsed',
                               lambda out: all(collapsed(out).get('[cpu]', {}).get(s, 0) > 0 for s in hot)))
    t.check(kinds['[allocation]'].get('Calls.main;java.lang.Thread', 0) > 0, vm + ': allocation')
    out = t.path(vm, 'pb.gz')
    t.good(java, 'cpu=times,format=pprof,gzip=y,verbose=n,file=' + out, 'Calls', 'end')
    fields = message(gzip.decompress(open(out, 'rb').read()))
    strings = [v.decode() for f, v in fields if f == 6]
    types = [[strings[v] for _, v in message(m)] for f, m in fields if f == 1]
    functions = {dict(message(m))[1]: strings[dict(message(m))[2]] for f, m in fields if f == 5}
    locations = {dict(message(m))[1]: functions[dict(message(dict(message(m))[4]))[1]] for f, m in fields if f == 4}
    stacks_ = [[locations[i] for i in varints(dict(message(m))[1])] for f, m in fields if f == 2]
    t.equal((strings[0], types), ('', [['cpu', 'nanoseconds']]), vm + ': pprof')
    t.check(any(s[:3] == ['Calls.leaf', 'Calls.twice', 'Calls.main'] for s in stacks_), vm + ': stacks of pprof')


def main():
    t.compile_programs('Calls')
    found = {}
    for vm, java in t.VMS:
        found[vm] = times(vm, java)
        depths(vm, java)
        old(vm, java)
        samples(vm, java)
        stacks(vm, java)
    t.equal(found['vitrine'], found['hotspot'], 'calls on both VMs')
    # Beside another agent that wants these events our VM's filters are not asked.
    beside = '-agentpath:%s=methods,%s' % (os.path.join(t.BUILD, 'tests/agents/libunder_watch.so'),
                                           t.path('events', 'beside'))
    t.equal(times('events', t.IMAGE, [beside]), found['vitrine'], 'calls by events')
    t.finish()


main()
