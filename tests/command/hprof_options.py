"""The HPROF agent's options, help, and what it does when it cannot write: one clear line, the program runs on, and the
file stays readable."""
import gzip
import os
import re
import resource
import signal
import socket
import subprocess
import threading

import hprof_run as t
from hprof_dump import Dump, Text
from hprof_run import Listener

BAD = [('frobnicate', 'frobnicate'), ('heap=everything', 'heap=everything'), ('cpu=', 'cpu='),
       ('monitor=yes', 'monitor=yes'), ('format=c', 'format=c'),
       ('depth=x', 'depth=x'), ('depth=-1', 'depth=-1'), ('cutoff=2', 'cutoff=2'), ('cutoff=nan', 'cutoff=nan'),
       ('interval=0', 'interval=0'),
       ('cpu=samples,interval=1k', 'interval'), ('net=host', 'net=host'), ('net=host:99999', 'net=host:99999'),
       ('file=', 'file='),
       ('doe=y,,', ''), ('doe=y,', ''), ('heap=dump,heap=sites', 'heap=sites'), ('format=b,monitor=y', 'format=b'),
       ('format=b,cpu=times', 'format=b'),
       ('cpu=old,format=b', 'format=b'), ('format=collapsed,heap=dump', 'format=collapsed'),
       ('file=x,net=localhost:1', 'net'), ('unknown=1', 'unknown=1'),
       ('dump', 'dump'), ('start,stop', 'stop'), ('Heap=dump', 'Heap=dump'), ('heap', 'heap')]


def words(vm, java, all_words):
    """Bad words: usage, the word, exit code 1, and the program is not started."""
    for options, word in BAD if all_words else BAD[:1] + BAD[17:18]:
        r = t.run(java, options, 'Known', 'wait', stdin=subprocess.DEVNULL)
        t.check(r.returncode == 1 and "bad option '%s'" % word in r.stderr and 'Option Name and Value' in r.stderr,
                '%s %s' % (vm, options), ': exit %d, "%s"' % (r.returncode, r.stderr[:300]))
        t.check('ready' not in r.stdout, '%s %s: the program was started' % (vm, options))
    t.equal(t.good(java, False, 'Known', 'wait', stdin=subprocess.DEVNULL).stdout, 'ready\n',
            vm + ': a program that is started')
    r = t.run(java, 'help', 'Known', 'wait', stdin=subprocess.DEVNULL)
    t.check(r.returncode == 0 and r.stderr == '' and r.stdout.startswith('HPROF: ') and 'ready' not in r.stdout,
            vm + ': help')
    for name in ('heap=dump|sites|all', 'cpu=samples|times|old', 'monitor=y|n', 'format=a|b', 'file=<name>',
                 'net=<host>:<port>', 'depth=<size>',
                 'cutoff=<value>', 'lineno=y|n', 'thread=y|n', 'doe=y|n', 'interval=<ms>', 'msa=y|n', 'force=y|n',
                 'verbose=y|n', 'gzip=y|n', 'redact=y|n'):
        t.check(name in r.stdout, '%s: help lacks %s' % (vm, name))


def names(vm, java):
    """Default name of the binary form, doe=n, force=n, %p, commas, the obsolete options, -Xrun."""
    directory = os.path.join(t.WORK, vm + '.names')
    os.makedirs(directory, exist_ok=True)
    for old in os.listdir(directory):
        os.remove(os.path.join(directory, old))
    t.good(java, 'heap=dump,format=b,doe=n,msa=y,gc_okay=y', 'Known', 'end', cwd=directory)
    t.equal(os.listdir(directory), ['java.hprof'], vm + ': default name (HP-032)')
    d = Dump(os.path.join(directory, 'java.hprof'))
    t.check(d.dumps == 0 and d.threads, vm + ': doe=n')
    r = t.good(java, r'cpu=old,force=n,file=a\,%p,verbose=n', 'Known', 'end', cwd=directory)
    made = [f for f in os.listdir(directory) if f.startswith('a,')]
    t.check(len(made) == 1 and made[0][2:].isdigit() and r.stderr == '', vm + ': names %s' % made)
    x = Text(os.path.join(directory, made[0]))
    t.check(x.pairs and not x.tables, vm + ': only what was asked for (HP-016)')
    t.good(java, 'heap=dump,format=b,doe=n,force=n', 'Known', 'end', cwd=directory)
    t.equal(sorted(f for f in os.listdir(directory) if f.startswith('java')), ['java.hprof', 'java.hprof.1'],
            vm + ': force=n (HP-029)')
    if vm == 'vitrine':                  # by name it is found in lib/ of an image; HotSpot 25 has no -Xrun for it
        for option, name in (('-agentlib:hprof=cpu=old,verbose=n,file=lib.txt', 'lib.txt'),
                             ('-Xrunhprof:cpu=old,verbose=n,file=run.txt', 'run.txt')):
            t.good(java, False, 'Known', 'end', cwd=directory, java_options=[option])
            t.check(Text(os.path.join(directory, name)).pairs, vm + ': ' + option)


# Of all profiles; those that an option asks for.
ALWAYS = {'VMInit', 'VMDeath', 'DataDumpRequest', 'ThreadStart', 'ThreadEnd'}
EVENTS = {'heap=dump': {'ClassPrepare'}, 'heap=sites': {'SampledObjectAlloc'}, 'cpu=samples': set(),
          'cpu=times': {'MethodEntry', 'MethodExit'},
          'cpu=old': {'MethodEntry', 'MethodExit'}, 'monitor=y': {'MonitorContendedEnter', 'MonitorContendedEntered'}}


def events():
    """Only the events that an option needs are enabled (HP-016), as our VM traces the agent's calls."""
    for option, wanted in EVENTS.items():
        r = t.good(t.IMAGE, option + ',verbose=n,file=' + t.path('vitrine', 'events'), 'Known', 'end',
                   java_options=['-Xlog:jvmti=trace'])
        found = set(re.findall(r'SetEventNotificationMode\(mode 1, event_type (\w+)', r.stdout))
        t.equal(found, ALWAYS | wanted, option + ': events')


def full(vm, java):
    """No room: a device that is full, a file that may not grow, a directory that is not there."""
    r = t.good(java, 'heap=dump,format=b,file=/dev/full', 'Known', 'end')
    t.check(r.stderr.count('hprof: cannot write /dev/full: No space left on device\n') == 1,
            '%s: /dev/full: "%s"' % (vm, r.stderr))
    r = t.good(java, 'heap=dump,file=/no/such/directory/x', 'Known', 'end')
    t.equal(r.stderr, 'hprof: cannot open /no/such/directory/x: No such file or directory\n',
            vm + ': unwritable file (HP-085)')

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_500_000, 2_500_000))
    for gz in (False, True):
        out = t.path(vm, 'cut.hprof')
        r = t.good(java, 'heap=dump,format=b,file=%s%s' % (out, ',gzip=y' if gz else ''), 'Known', 'end',
                   preexec_fn=limit)
        if gz:
            t.check(r.stderr == 'Dumping Java heap ... done.\n' and Dump(out).dumps == 1
                    and open(out, 'rb').read(2) == b'\x1f\x8b', vm + ': gzip=y: ' + r.stderr)
            continue
        t.check(r.stderr.count('cut.hprof: File too large\n') == 1,
                '%s: a file that may not grow: "%s"' % (vm, r.stderr))
        try:
            Dump(out)
            t.check(False, vm + ': the limit was not reached')
        except Exception as e:
            t.equal(str(e), 'the heap dump has no end', vm + ': what was written is whole records')


def sockets(vm, java):
    listener = Listener()
    t.good(java, 'heap=dump,format=b,net=127.0.0.1:%d' % listener.port, 'Known', 'end')
    out = t.path(vm, 'socket.hprof')
    with open(out, 'wb') as f:
        f.write(listener.end())
    d = Dump(out)
    t.check(d.dumps == 1 and len(d.of_class('Known$Every')) == 12, vm + ': over a socket (HP-077)')
    listener = Listener(100_000)
    r = t.good(java, 'heap=dump,format=b,net=127.0.0.1:%d' % listener.port, 'Known', 'end')
    listener.end()
    t.check(r.stderr.count('hprof: cannot write 127.0.0.1:%d: ' % listener.port) == 1,
            '%s: broken socket: "%s"' % (vm, r.stderr))
    closed = socket.create_server(('127.0.0.1', 0))
    port = closed.getsockname()[1]
    closed.close()
    r = t.good(java, 'net=127.0.0.1:%d' % port, 'Known', 'end')
    t.equal(r.stderr, 'hprof: cannot connect to 127.0.0.1:%d: Connection refused\n' % port, vm + ': refused (HP-079)')


def redacted(vm, java):
    out = t.path(vm, 'redacted.gz')
    t.good(java, 'heap=dump,format=b,redact=y,gzip=y,verbose=n,file=' + out, 'Known', 'end')
    d = Dump(out)
    t.check(all(not any(data) for _, data, _, _ in d.primitive_arrays.values()), vm + ': contents of arrays')
    every = d.of_class('Known$Every')
    t.check(len(every) == 12 and all(v == 0 for i in every for _, kind, v in d.values(i) if kind != 2),
            vm + ': contents of objects')
    t.check(all(d.value(i, 'other') in every for i in every), vm + ': references stay')
    t.check(all(v == 0 for k in d.classes.values() for kind, v in k.statics.values() if kind != 2), vm + ': statics')
    t.check(d.string(d.value(every[0], 'text')) == '\0' * 5, vm + ': length of a string stays')


def attached(vm, java):
    """start, stop and dump by attaching again; two requests at once are served one after the other."""
    out = t.path(vm, 'attached.hprof')
    w = t.Waiting(t.command(java, False, 'Known', 'wait', java_options=t.QUIET), t.path(vm, 'attached.out'))
    t.check('return code: -1' in t.attach(w, 'frobnicate'), vm + ': a bad option')
    t.check("bad option 'frobnicate'" in w.text(), vm + ': the word')
    t.check('return code: -1' in t.attach(w, 'format=b,cpu=times')
            and "bad option 'format=b': it cannot show cpu=times" in w.text(), vm + ': a contradiction')
    t.check('return code: -1' in t.attach(w, 'heap=dump,file=/no/such/directory/x')
            and 'cannot open /no/such/directory/x' in w.text(), vm + ': no such file')
    t.check('return code: -1' in t.attach(w, 'stop'), vm + ': nothing to stop')
    t.check('return code: 0' in t.attach(w, 'heap=dump,format=b,file=' + out), vm + ': attach')
    t.equal(Dump(out).dumps, 1, vm + ': heap=dump by attaching')
    both = [threading.Thread(target=t.attach, args=(w, 'dump')) for _ in (1, 2)]
    for b in both:
        b.start()
    for b in both:
        b.join()
    t.equal(Dump(out).dumps, 3, vm + ': two requests at once (HP-037)')
    t.check('return code: -1' in t.attach(w, 'cpu=samples') and 'it runs already' in w.text(),
            vm + ': a second profile')
    t.check('return code: 0' in t.attach(w, 'stop') and 'return code: 0' in t.attach(w, 'start'), vm + ': stop, start')
    t.equal(w.end(), 0, vm + ': exit code')
    t.equal(Dump(out).dumps, 4, vm + ': at the end')


def main():
    t.compile_programs('Known')
    events()
    for vm, java in t.VMS:
        words(vm, java, vm == 'vitrine')
        names(vm, java)
        full(vm, java)
        sockets(vm, java)
        redacted(vm, java)
        attached(vm, java)
    t.finish()


main()
