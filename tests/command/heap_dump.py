"""The VM's own heap dumps: what jmap and jcmd answer, and what -XX:+HeapDumpOnOutOfMemoryError prints, is what HotSpot
says; the files, read record by record, have what the programs made. command heap_dump_reader.py reads them with
VisualVM's library, differential/management/HeapDumps.java is about the MXBean."""
import glob
import os
import re
import shutil
import socket
import subprocess

import harness
from checks import CLASSES, IMAGE, LIBRARY, LIMIT, TESTS, VMS, WORK, check, compile_sources, equal, finish, same, tool
from hprof_dump import Dump

FAMILY = {'Population$Node': 132, 'Population$Tall': 2, 'Population$Local': 7, 'Population$Inner': 1,
          'Population$Colour$1': 1, 'Known$Every': 12, 'Known$Empty': 31}


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    for vm, _ in VMS:
        os.makedirs(os.path.join(WORK, vm, 'directory'))
    compile_sources('heapdump', 'Population', 'Exhausted', '../hprof/Known')


def command(java, *rest):
    return [*harness.java(java), *(harness.vm_options() if java == IMAGE else []), *rest]


def anonymous(vm, text, pid):
    text = text.replace(os.path.join(WORK, vm), 'WORK')
    if pid is not None:
        text = harness.without_pid(text, pid)
    return re.sub(r'\d+ bytes in \d+\.\d{3} secs', 'N bytes in S secs', text)


# ---- on request

def answer_of(name, *args):
    r = tool(name, *args)
    return r.stdout + r.stderr + 'exit %d\n' % r.returncode


def ask(pid, *words):
    """An operation of the attach protocol."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(LIMIT)
        s.connect('/tmp/.java_pid%d' % pid)
        s.sendall(b''.join(w.encode() + b'\0' for w in ('1',) + words + ('',) * (4 - len(words))))
        answer = b''
        while part := s.recv(65536):
            answer += part
    return answer.decode()


def operations(vm, pid):
    """[(words, answer)]; the first two by the JDK's own tools."""
    place = os.path.join(WORK, vm) + '/'
    done = [('jmap', answer_of('jmap', '-dump:live,format=b,file=%slive.hprof' % place, pid)),
            ('jcmd', answer_of('jcmd', pid, 'GC.heap_dump', '-all', '-gz=1', place + 'all.hprof.gz'))]
    asked = [('jcmd', 'GC.heap_dump ' + line) for line in (
        'W.hprof', 'W.hprof', '-overwrite -all=false W.hprof', 'Wdirectory', '-overwrite Wdirectory', 'Wnone/x.hprof',
        '/dev/full', '-overwrite /dev/full', 'Wpid%pp%%.hprof', '-gz=0 Wx', '-gz=10 Wx', '-gz=x Wx', '-gz Wx',
        '-gz=-1 Wx', '-all=maybe Wx', '',
        *(['-parallel=2 Wparallel.hprof', '-parallel=-1 Wx', '-parallel=x Wx'] if LIBRARY != '17' else []))]
    asked += [('jcmd', 'help GC.heap_dump'), ('dumpheap', 'Wattached.hprof', '-live'), ('dumpheap', 'Wdefault.hprof'),
              ('dumpheap', 'Wpacked.hprof.gz', '-all', '9'), ('dumpheap', 'Wx', '-some'),
              ('dumpheap', 'Wx', '-all', '0'), ('dumpheap', 'Wx', '-all', '10'),
              ('dumpheap', 'Wx', '-all', 'q'), ('dumpheap',), ('dumpheap', 'Wnone/x', '-all')]
    for words in asked:
        done.append((' '.join(words), ask(pid, *(w.replace('W', place) for w in words))))
    return ''.join('> %s\n%s\n' % (words, anonymous(vm, answer, pid).rstrip()) for words, answer in done)


def check_population(path, what):
    d = Dump(path)
    equal((d.version, d.id_size, d.dumps), ('JAVA PROFILE 1.0.2', 8, 1), what + ': header')
    found = d.population()
    equal({n: found.get(n, 0) for n in FAMILY}, FAMILY, what + ': instances')
    equal([len(d.primitive_arrays[d.class_named('Known').statics[n][1]][1]) for n in ('large', 'ints')],
          [1_500_000, 1_200_000], what + ': long arrays')
    every = d.class_named('Known$Every')
    equal([f for f, _ in every.fields], ['z', 'b', 'c', 's', 'i', 'f', 'j', 'd', 'text', 'other', 'number2'],
          what + ': fields in the order of the class')
    constants = d.object_arrays[d.class_named('Population').statics['<resolved_references>'][1]][1]
    texts = {d.string(i) for i in constants if d.classes[d.instances[i][0]].name == 'java/lang/String'}
    check(texts >= {'outer', 'holder', 'other', 'ready'}, what + ': resolved strings %s' % texts)
    stacks = [[(f[0], f[1].rstrip('$0123456789')) for f in d.traces[rest[1]][1] if f[0] == 'Population'] for tag, _,
              rest in d.roots if tag == 0x08]
    for depth in (4, 2):
        equal(sum(s == [('Population', 'hold')] * depth + [('Population', 'lambda$begin')] for s in stacks), 1,
              what + ': stack of depth %d' % depth)
    return found


def requests():
    answers = {}
    for vm, java in VMS:
        out = open(os.path.join(WORK, vm, 'out'), 'w')
        process = subprocess.Popen(command(java, '-cp', CLASSES, 'Population'), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=out, text=True,
                                   cwd=os.path.join(WORK, vm), env=harness.environment(java == IMAGE))
        equal(process.stdout.readline(), 'ready\n', vm)
        answers[vm] = operations(vm, process.pid)
        process.stdin.close()
        equal((process.stdout.read(), process.wait(LIMIT)), ('end -1\n', 0), vm + ': the program went on')
        out.close()
        files = sorted(anonymous(vm, os.path.basename(p), process.pid) for p in glob.glob(os.path.join(WORK, vm, '*')))
        answers[vm] += '\n'.join(files)
    same('answers', answers['hotspot'], answers['vitrine'])
    place = os.path.join(WORK, 'vitrine') + '/'
    equal(os.stat(place + 'live.hprof').st_mode & 0o777, 0o600, 'rights')
    equal(check_population(place + 'live.hprof', 'live').get('Population$Garbage', 0), 0, 'garbage')
    check_population(place + 'all.hprof.gz', 'all, compressed')


# ---- OutOfMemoryError

RUNS = [('own name', '2', []), ('directory', '1', ['-XX:HeapDumpPath=directory', '-XX:HeapDumpGzipLevel=1']),
        ('file', '1', ['-XX:HeapDumpPath=directory/p%p.hprof']),
        ('nowhere', '1', ['-XX:HeapDumpPath=none/x']),
        ('and leave', '1', ['-XX:HeapDumpPath=last.hprof', '-XX:OnOutOfMemoryError=echo command',
                            '-XX:+ExitOnOutOfMemoryError'])]


def exhaust(vm, java):
    place, answers = os.path.join(WORK, vm), []
    for what, times, options in RUNS:
        before = set(glob.glob(place + '/**', recursive=True))
        r = harness.run(command(java, '-Xmx24m', '-XX:+HeapDumpOnOutOfMemoryError', *options, '-cp', CLASSES,
                                'Exhausted', times), place, LIMIT, ours=java == IMAGE)
        text = r.out.decode() + r.err.decode()
        fresh = set(glob.glob(place + '/**', recursive=True)) - before
        names = [re.sub(r'(pid|/p)\d+', r'\1PID', p[len(place):]) for p in sorted(fresh)]
        shown = re.sub(r'(pid|/p)\d+', r'\1PID', anonymous(vm, text, None))
        answers.append('> %s\n%s%s\n%s\n' % (what, re.sub(r'with \d+', 'with N', shown), r.ended(), names))
        if vm == 'vitrine':
            for path in fresh:
                check_exhausted(path, what, re.search(r'with (\d+)', text))
    return '\n'.join(answers)


def check_exhausted(path, what, blocks):
    d = Dump(path)
    equal(d.dumps, 1, what + ': dumps')
    if blocks:
        equal(sum(len(a[1]) == 200_000 for a in d.primitive_arrays.values()), int(blocks[1]), what + ': blocks')
    serial, stack = next((rest[0], d.traces[rest[1]][1]) for tag, _,
                         rest in d.roots if tag == 0x08 and any(f[0] == 'Exhausted' for f in d.traces[rest[1]][1]))
    equal([f[:3] for f in stack], [('java/lang/OutOfMemoryError', '<init>', '()V'), ('Exhausted', 'fill', '()V'),
                                   ('Exhausted', 'main', '([Ljava/lang/String;)V')],
          what + ': stack')
    frames = {rest[1] for tag, _, rest in d.roots if tag == 0x03 and rest[0] == serial}
    check(2 in frames and 0 not in frames, what + ': the frames of the roots %s' % frames)


def main():
    prepare()
    requests()
    answers = {vm: exhaust(vm, java) for vm, java in VMS}
    same('OutOfMemoryError', answers['hotspot'], answers['vitrine'])
    finish()


main()
