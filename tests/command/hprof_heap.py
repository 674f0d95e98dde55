"""The HPROF agent's heap dumps and allocation sites: the numbers and contents of a program whose heap is known, from
the same library on HotSpot and on our VM; against HotSpot's own heap dump, read by the same reader."""
import os
import re
import signal

import hprof_run as t
from hprof_dump import Dump, Text

POPULATION = {'Known$Every': 12, 'Known$Empty': 31, 'Known$Statics': 1, '[LKnown$Every;': 1, '[LKnown$Empty;': 1}
FIELDS = ['z', 'b', 'c', 's', 'i', 'f', 'j', 'd', 'text', 'other', 'number2', 'number', 'link']
ARRAYS = [(4, (1, 0, 1)), (8, (1, -2, 3)), (5, (97, 0x20AC)), (9, (-3, 300)), (10, (7, -70000)), (6, (0.25, -1.0)),
          (11, (1 << 50, -1)), (7, (3.75,)), (10, ())]


def check_contents(d, what):
    """Objects of every kind have the values that the program gave them."""
    known = d.class_named('Known')
    everies = [d.object_arrays[known.statics['everies'][1]][1]]
    t.check(d.classes[d.object_arrays[known.statics['everies'][1]][0]].name == '[LKnown$Every;',
            what + ': class of the array')
    for n, i in enumerate(everies[0]):
        names = [name for name, _, _ in d.values(i)]
        # HotSpot 17's own dump has the fields of a class backwards.
        own = what.startswith('HotSpot')
        t.equal(sorted(names) if own else names, sorted(FIELDS) if own else FIELDS,
                what + ": own fields come first, then the superclass's")
        v = {name: value for name, _, value in d.values(i)}
        t.equal([v[x] for x in 'zbcsifjd'], [1, -7, ord('q'), -1234, 123456789, 1.5, -5000000000, 0.1],
                what + ': values')
        t.equal((v['number'], v['number2'], v['other'], v['link']),
                (n, 2 * n, everies[0][(n + 1) % 12], known.statics['everies'][1]), what + ': Every')
        t.equal(d.string(v['text']), 'every', what + ': text')
    arrays = d.object_arrays[known.statics['arrays'][1]][1]
    for i, (kind, values) in zip(arrays, ARRAYS):
        t.equal((d.primitive_arrays[i][0], d.array(i)), (kind, values), what + ': array')
    t.equal(d.object_arrays[arrays[9]][1], (), what + ': empty array')
    t.equal([d.array(i) for i in d.object_arrays[arrays[10]][1]], [(0, 0, 0)] * 2, what + ': nested array')
    t.equal([i and d.string(i) for i in d.object_arrays[arrays[11]][1]], ['x', 0, 'y'], what + ': strings')
    large = d.primitive_arrays[known.statics['large'][1]]
    t.check(large[1] == bytes(i & 255 for i in range(1_500_000)), what + ': array over several buffers')
    t.check(d.array(known.statics['ints'][1]) == tuple(range(0, 900_000, 3)), what + ': int array over several buffers')
    many = d.object_arrays[known.statics['many'][1]][1]
    empties = d.object_arrays[known.statics['empties'][1]][1]
    t.equal((len(many), many[0], many[299_999], set(many[1:-1])), (300_000, known.statics['many'][1], empties[0], {0}),
            what + ': large object array')
    s = d.class_named('Known$Statics').statics
    t.equal([s[x][1] for x in 'zbcsifjd'], [1, 8, ord('C'), 99, -1, 2.5, 1 << 40, -0.5], what + ': statics')
    t.equal((d.classes[d.instances[s['o'][1]][0]].name, s['none']), ('Known$Empty', (2, 0)),
            what + ': static references')
    t.equal(d.class_named('Known$Base').statics['made'], (10, 12), what + ': inherited static')
    t.equal(d.class_named('Known$Limits').statics['LEAST'], (10, 3), what + ': constant of an interface')


def check_classes(d, what):
    every, base = d.class_named('Known$Every'), d.class_named('Known$Base')
    t.equal(every.super, base.id, what + ': superclass')
    t.equal(every.fields, [('z', 4), ('b', 8), ('c', 5), ('s', 9), ('i', 10), ('f', 6), ('j', 11), ('d', 7),
                           ('text', 2), ('other', 2), ('number2', 10)],
            what + ': fields')
    t.equal(base.fields, [('number', 10), ('link', 2)], what + ': fields of Base')
    t.equal(every.size, 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4 + 4 + 2 * d.id_size + d.id_size, what + ': instance size')
    t.equal(d.classes[d.instances[every.loader][0]].name, 'jdk/internal/loader/ClassLoaders$AppClassLoader',
            what + ': loader')
    t.equal(d.class_named('java/lang/Object').super, 0, what + ': Object')
    t.check(every.domain in d.instances, what + ': protection domain')


def check_roots(d, what):
    tags = {tag for tag, _, _ in d.roots}
    for tag, name in ((0x01, 'JNI global'), (0x05, 'system class'), (0x08, 'thread')):
        t.check(tag in tags, '%s: no root of kind %s' % (what, name))
    main = [(i, rest) for tag, i, rest in d.roots if tag == 0x08 and d.threads.get(rest[0], ('', ''))[1] == 'main']
    if 'end' not in what:
        t.check(len(main) == 1 and d.threads[main[0][1][0]][0] == main[0][0], what + ': main thread %s' % main)
        stack = d.traces[main[0][1][1]][1] if main else []
        t.check(any(f[:2] == ('Known', 'main') for f in stack) or len(stack) == 4,
                what + ': stack of the main thread %s' % stack)
        mains = main[0][1][0] if main else 0
        frames = {(i, rest[1]) for tag, i, rest in d.roots if tag == 0x03 and rest[0] == mains}
        depth = next((n for n, f in enumerate(stack) if f[:2] == ('Known', 'main')), None)
        everies = d.class_named('Known').statics['everies'][1]
        # The arguments in main's first local variable, and what it has locked.
        arguments = [i for i, n in frames if n == depth and i in d.object_arrays
                     and d.classes[d.object_arrays[i][0]].name == '[Ljava/lang/String;']
        t.check(depth is None or len(arguments) == 1,
                '%s: the arguments in the frame of main, at %s: %s' % (what, depth, frames))
        t.check(any(tag == 0x02 and rest[0] == mains for tag, _, rest in d.roots),
                what + ': no local reference of a native method')
        # HotSpot does not tell JVM TI of the monitors that threads hold.
        t.check('hotspot' in what or any(tag == 0x07 and i == everies for tag, i, _ in d.roots),
                what + ': the monitor that is held')
    t.check(all(rest[0] in d.threads for tag, _, rest in d.roots if tag == 0x08), what + ': serials of threads')


def check_population(d, what):
    found = d.population()
    for name, count in POPULATION.items():
        if count is not None:
            t.equal(found.get(name, 0), count, '%s: %s' % (what, name))
    t.check('Known$Gone' not in found, what + ': garbage was dumped')


def binary(vm, java):
    out = t.path(vm, 'hprof')
    r = t.good(java, 'heap=dump,format=b,file=' + out, 'Known', 'end')
    t.equal(r.stderr, 'Dumping Java heap ... done.\n', vm + ': progress (HP-038)')
    d = Dump(out)
    t.equal((d.version, d.id_size, d.dumps, d.settings), ('JAVA PROFILE 1.0.2', 4, 1, (0, 4)), vm + ': header')
    t.check(abs(d.time / 1000 - os.stat(out).st_mtime) < 600, vm + ': time of the header %d' % d.time)
    t.check(d.tags[0] == 0x0E and d.tags[-1] == 0x07 and d.tags[-2] == 0x2C, vm + ': order of records')
    names = {name: (group, parent) for _, name, group, parent in d.threads.values()}
    t.equal((names.get('main'), names.get('worker')), (('main', 'system'),) * 2, vm + ': threads')
    ended = {d.threads[s][1] for s in d.ended}
    t.check('worker' in ended, vm + ': END_THREAD')
    what = vm + ' end'
    check_contents(d, what)
    check_classes(d, what)
    check_roots(d, what)
    check_population(d, what)
    objects = len(d.instances) + len(d.object_arrays) + len(d.primitive_arrays)
    t.check(objects <= d.summary[1] <= objects + len(d.classes),
            vm + ': summary %s of %d objects' % (d.summary, objects))
    least = sum(len(v[1]) for v in d.primitive_arrays.values()) + 8 * objects
    t.check(least < d.summary[0] < 3 * least and d.summary[2:] == d.summary[:2],
            '%s: summary %s, at least %d bytes' % (vm, d.summary, least))
    if vm == 'hotspot':                  # ours has no heap over 32 GB, and then 4 bytes always do
        out = t.path(vm, 'wide.hprof')
        t.good(java, 'heap=dump,format=b,verbose=n,file=' + out, 'Known', 'end', java_options=['-Xmx40g'])
        d = Dump(out)
        t.equal(d.id_size, 8, vm + ': identifiers of a large heap (HP-076)')
        check_contents(d, vm + ' wide')


def requests(vm, java):
    """Two dumps at SIGQUIT and one at the end, in one file; against HotSpot's own dump of the same program."""
    out = t.path(vm, 'quit.hprof')
    w = t.Waiting(t.command(java, 'heap=dump,format=b,depth=50,file=' + out, 'Known', 'wait'), t.path(vm, 'quit.out'))
    for n in (1, 2):
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.', n)
    d = Dump(out)
    t.equal(d.dumps, 2, vm + ': dumps after SIGQUIT')
    check_contents(d, vm + ' SIGQUIT')
    check_roots(d, vm + ' SIGQUIT')
    check_population(d, vm + ' SIGQUIT')
    own = t.path(vm, 'own.hprof')
    if vm == 'hotspot':
        t.equal(t.tool('jcmd', w.process.pid, 'GC.heap_dump', own).returncode, 0, 'jcmd')
        e = Dump(own, strict=False)
        check_contents(e, "HotSpot's own dump")
        mine, theirs = ({n: c for n, c in x.population().items() if 'Known' in n and 'Lambda' not in n} for x in (d, e))
        t.equal(mine, theirs, "population against HotSpot's own dump")
        for name in ('Known$Every', 'Known$Base', 'Known$Limits', 'Known$Statics', 'java/lang/String',
                     'java/lang/Thread'):
            a, b = d.class_named(name), e.class_named(name)
            t.equal(sorted(a.fields), sorted(b.fields), "fields of %s against HotSpot's own dump" % name)
            t.equal(sorted(a.statics), sorted(x for x in b.statics if not x.startswith('<')), 'statics of %s' % name)
            t.equal(a.size, b.size - (b.size - a.size) * (d.id_size != e.id_size), 'size of %s' % name)
    t.equal(w.end(), 0, vm + ': exit code')
    t.equal(Dump(out).dumps, 3, vm + ': dumps at the end')


def text_of(vm, java):
    """The default: sites and dump, as text, in java.hprof.txt."""
    directory = os.path.join(t.WORK, vm + '.default')
    os.makedirs(directory, exist_ok=True)
    out = os.path.join(directory, 'java.hprof.txt')
    r = t.good(java, None, 'Known', 'end', cwd=directory)
    t.equal(r.stderr, 'Dumping Java heap ... allocation sites ... done.\n', vm + ': progress of both')
    x = Text(out)
    names = [name for _, name, _ in x.threads.values()]
    t.check('main' in names and 'worker' in names and min(x.threads) == 200001, vm + ': threads %s' % x.threads)
    t.check(any(x.threads[s][1] == 'worker' for s in x.ended), vm + ': THREAD END')
    check_text_dump(x, vm)
    rows = x.sites()
    t.check(rows[0][6] == 'byte[]' and rows[-1][1] >= 400,
            '%s: rows below the cutoff of 4 MB %s (HP-020)' % (vm, rows[-1]))


def sites_text(vm, java):
    out = t.path(vm, 'sites.txt')
    t.good(java, 'heap=sites,cutoff=0,verbose=n,file=' + out, 'Known', 'end')
    x = Text(out)
    t.check('HEAP DUMP' not in x.tables, vm + ': heap=sites without a dump')
    return check_sites(x, vm)


def without_debug_information(vm, java):
    """Frames of a class that names neither its source nor its lines (HP-040)."""
    bare = os.path.join(t.WORK, 'bare')
    os.makedirs(bare, exist_ok=True)
    t.compile_sources('hprof', 'Known', options=['-g:none', '-d', bare])
    out = t.path(vm, 'bare.txt')
    t.good(java, 'heap=sites,cutoff=0,verbose=n,file=' + out, '-cp', bare, 'Known', 'end')
    frames = {f for trace in Text(out).traces.values() for f in trace if f.startswith('Known.fill(')}
    t.equal(frames, {'Known.fill(<Unknown Source>:Unknown line)'}, vm + ': frames without lines')


def check_text_dump(x, vm):
    head, lines = x.table('HEAP DUMP')
    m = re.fullmatch(r'HEAP DUMP BEGIN \((\d+) objects, (\d+) bytes\) .{24}', head)
    t.check(m, vm + ': ' + head)
    counts, classes, objects, references = {}, {}, {}, []
    for line in lines:
        form = next((f for f in FORMS if re.fullmatch(FORMS[f], line)), None)
        if not t.check(form, '%s: line "%s"' % (vm, line)):
            return
        counts[form] = counts.get(form, 0) + 1
        g = re.fullmatch(FORMS[form], line)
        if form == 'CLS':
            classes[g[1]] = g[2]
        elif form in ('OBJ', 'ARR'):
            t.check(g[1] not in objects, vm + ': object twice')
            objects[g[1]] = g
        elif form != 'ROOT':
            references.append(g[g.lastindex])
    t.check(all(r in classes or r in objects for r in references), vm + ': a reference to what was not dumped')
    t.check(len(objects) <= int(m[1]) <= len(objects) + len(classes),
            vm + ': %s objects, %d listed' % (m[1], len(objects)))
    at = next(n for n, line in enumerate(lines) if re.fullmatch(r'CLS \w+ \(name=Known\$Every, .*', line))
    told = [line.split('\t')[1] for line in lines[at + 1:at + 4]]
    t.equal(told, ['super', 'loader', 'domain'], vm + ': what a class refers to (HP-048)')
    kinds = {re.fullmatch(FORMS['ROOT'], line) and line.split('kind=')[1].split('>')[0] for line in lines
             if line.startswith('ROOT')}
    t.check(kinds >= {'<thread', '<system class', '<JNI global ref', '<JNI local ref'},
            '%s: kinds of roots %s (HP-047)' % (vm, kinds))
    every = [g for g in objects.values() if g.re.pattern == FORMS['OBJ'] and g[4] == 'Known$Every']
    t.check(len(every) == 12 and all(classes[g[5]] == 'Known$Every' for g in every), vm + ': objects of Every')
    t.check(any(g.re.pattern == FORMS['ARR'] and g[4] == '300000' and g[5].startswith('java.lang.Object@')
                for g in objects.values()), vm + ': many')
    t.check(any(g.re.pattern == FORMS['ARR'] and g[4] == '300000' and g[5] == 'int' for g in objects.values()),
            vm + ': ints')


FORMS = {
    'ROOT': r'ROOT [0-9a-f]+ \(kind=<(?:thread|unknown|JNI global ref|JNI local ref|Java stack|system class|busy '
            r'monitor)>(?:, name=\S+)?(?:, id=\d+, trace=\d+|, thread=\d+, frame=\d+)?\)',
    'CLS': r'CLS ([0-9a-f]+) \(name=(\S+), trace=\d+\)',
    'OBJ': r'OBJ ([0-9a-f]+) \(sz=(\d+), trace=(\d+), class=(\S+)@([0-9a-f]+)\)',
    'ARR': r'ARR ([0-9a-f]+) \(sz=(\d+), trace=(\d+), nelems=(\d+), elem type=(\S+)\)',
    'class reference': r'\t(?:super|loader|signers|domain)\t\t([0-9a-f]+)',
    'static': r'\tstatic \S+\t([0-9a-f]+)',
    'element': r'\t\[\d+\]\t([0-9a-f]+)',
    'field': r'\t\S+\t([0-9a-f]+)',
}


def check_sites(x, vm):
    """Exact numbers per place of allocation. Returns what must be equal on both VMs."""
    rows = x.sites()
    total = sum(r[1] for r in rows)
    for r in rows:
        t.check(abs(r[0] - 100 * r[1] / total) < 0.2, vm + ': percentage of %s' % (r,))
    mine = {}
    for _, live_bytes, live, bytes_, count, trace, name in rows:
        frames = x.traces[trace]
        if name.startswith('Known$') and 'Lambda' not in name:
            t.equal((live_bytes * count, live > 0), (bytes_ * live, live_bytes > 0), vm + ': sizes of ' + name)
        # Strings and class mirrors are made in other numbers by each VM.
        if name.startswith('Known$') and 'Lambda' not in name or name in ('int[]', 'int[][]',
                                                              'double[]') and frames and frames[0].startswith('Known.'):
            mine[(name, '|'.join(re.sub(r'\$\$Lambda.*', '$$Lambda', f) for f in frames
                                 if f.startswith('Known')))] = (live, count)
    wanted = {
        ('Known$Every', 'Known.fill'): (12, 12), ('Known$Gone', 'Known.fill'): (0, 500),
        ('Known$Statics', 'Known.fill'): (1, 1),
        ('Known$Empty', 'Known.thrower'): (10, 10), ('Known$Thrown', 'Known.thrower'): (0, 10),
        ('Known$Empty', 'Known$Statics.<clinit>'): (1, 1),
        ('Known$Empty', 'Known.lambda$main$0'): (10, 10), ('int[]', 'Known.<clinit>'): (5, 5),
        ('int[][]', 'Known.<clinit>'): (1, 1),
    }
    for (name, place), numbers in wanted.items():
        found = [v for (n, frames), v in mine.items() if n == name and frames.startswith(place + '(')]
        t.equal((sum(f[0] for f in found), sum(f[1] for f in found)), numbers, '%s: %s at %s' % (vm, name, place))
    deep = sorted(v for (n, frames), v in mine.items() if n == 'Known$Empty' and frames.startswith('Known.recursive('))
    t.equal(deep, [(1, 1), (1, 1), (1, 1), (7, 7)], vm + ': stacks of a recursion, four frames deep')
    t.check(any(trace == 300000 for _, _, _, _, _, trace, _ in rows), vm + ': objects from before the start (HP-080)')
    return mine


def sites_binary(vm, java):
    out = t.path(vm, 'sites.hprof')
    t.good(java, 'heap=sites,format=b,cutoff=0,depth=6,verbose=n,file=' + out, 'Known', 'end')
    d = Dump(out)
    (flags, cutoff, live_bytes, live, bytes_, count), rows = d.sites
    t.equal((d.settings, flags, cutoff, d.dumps), ((1, 6), 0, 0.0, 0), vm + ': ALLOC_SITES')
    t.equal((sum(r[3] for r in rows), sum(r[4] for r in rows), sum(r[5] for r in rows), sum(r[6] for r in rows)),
            (live_bytes, live, bytes_, count), vm + ': totals of ALLOC_SITES')
    gone = [r for r in rows if r[1] == 'Known$Gone']
    t.check(len(gone) == 1 and gone[0][0] == 0 and gone[0][4] == 0 and gone[0][6] == 500, vm + ': Gone %s' % gone)
    t.check(any(r[0] == 10 and r[1] == '[I' and r[5] >= 1_200_000 for r in rows), vm + ': int arrays')
    t.check(any(r[0] == 2 and r[1] == '[Ljava/lang/Object;' for r in rows), vm + ': object arrays')
    frames = d.traces[gone[0][2]][1]
    t.equal([f[:2] for f in frames], [('Known', 'fill'), ('Known', 'main')], vm + ': frames')
    t.check(all(f[2] in ('()V', '([Ljava/lang/String;)V') and f[3] == 'Known.java' and f[4] > 0 for f in frames),
            vm + ': frames %s' % frames)


def main():
    t.compile_programs('Known')
    sites = {}
    for vm, java in t.VMS:
        binary(vm, java)
        requests(vm, java)
        text_of(vm, java)
        sites[vm] = sites_text(vm, java)
        sites_binary(vm, java)
        without_debug_information(vm, java)
    t.equal(sites['vitrine'], sites['hotspot'], 'sites of the program on both VMs')
    t.finish()


main()
