"""The attach listener: the JDK's own tools and com.sun.tools.attach on a program in our VM answer as on HotSpot."""
import ctypes
import difflib
import os
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
SOURCES = os.path.join(TESTS, 'attach')
CLASSES = os.path.join(WORK, 'classes')
HISTOGRAM, WITHOUT = os.path.join(BUILD, 'libhistogram.so'), os.path.join(BUILD, 'tests/agents/libprefixed.so')
COMMANDS = ['GC.class_histogram', 'GC.heap_dump', 'GC.heap_info', 'GC.run', 'GC.run_finalization', 'JVMTI.agent_load',
            'JVMTI.data_dump', 'Thread.print',
            'VM.command_line', 'VM.flags', 'VM.system_properties', 'VM.uptime', 'VM.version', 'help']
failures, running = [], []
LIMIT = 300 * harness.time_scale()
shown = rows.Shown('attach')


def check(condition, what, detail=''):
    shown.add([what])
    if not condition:
        failures.append(what)
        print('FAIL: %s\n%s' % (what, detail))


class Target:
    """A running program; its output is gathered as it comes."""

    def __init__(self, java, options=(), before=()):
        self.process = subprocess.Popen([*before, *harness.java(java), '-Xshare:off',
                                         *(harness.vm_options() if java == IMAGE else []), '-Dattach.test=a value',
                                         *options, '-cp', CLASSES, 'Target', 'one', 'two'],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, cwd=WORK)
        self.pid = str(self.process.pid)
        self.lines, self.errors = [], []
        self.changed = threading.Condition()
        running.append(self.process)
        self.threads = [threading.Thread(target=self.gather, args=a, daemon=True)
                        for a in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))]
        for t in self.threads:
            t.start()
        self.wait_for('ready')

    def gather(self, stream, into):
        for line in stream:
            with self.changed:
                into.append(line.rstrip('\n'))
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    @staticmethod
    def says(line, start):
        """A line of the log begins with its time."""
        return re.sub(r'^\[[\d.,]+s\]', '', line).startswith(start)

    def wait_for(self, start):
        """The first line that begins so; silence up to LIMIT is a failure."""
        def found():
            return any(self.says(line, start) for line in self.lines) or self.process.poll() is not None
        with self.changed:
            self.changed.wait_for(found, LIMIT)
        check(any(self.says(line, start) for line in self.lines), 'waiting for "%s"' % start,
              '\n'.join(self.lines + self.errors))

    def anonymous(self, text):
        return harness.without_pid(text, self.pid)

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(LIMIT)
        for t in self.threads:
            t.join()
        return code


def tool(name, *args):
    patience = ('' if name == 'java' else '-J') + harness.ATTACH_PATIENCE
    r = subprocess.run([os.path.join(HOTSPOT, 'bin', name), patience, *args], capture_output=True, text=True,
                       timeout=2 * LIMIT, errors='replace')
    return r.stdout + r.stderr + 'exit %d\n' % r.returncode


def jcmd(target, *line):
    return tool('jcmd', target.pid, *line)


def same(what, expected, actual):
    shown.add([what])
    if expected != actual:
        failures.append(what)
        print('\n'.join(difflib.unified_diff(expected.splitlines(), actual.splitlines(), what + ' hotspot', 'vitrine',
                                             lineterm='', n=2)))


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), '-d', CLASSES,
                    *[os.path.join(SOURCES, f) for f in sorted(os.listdir(SOURCES))]], check=True)
    manifest = os.path.join(WORK, 'manifest')
    with open(manifest, 'w', encoding='utf-8') as f:
        f.write('Agent-Class: LateAgent\nCan-Retransform-Classes: true\n')
    subprocess.run([HOTSPOT + '/bin/jar', 'cfm', WORK + '/late.jar', manifest, '-C', CLASSES, 'LateAgent.class'],
                   check=True)


def answers(target):
    """What must be the same on both VMs but for the process id."""
    lines = [['help', c] for c in COMMANDS]
    lines += [['VM.command_line'], ['GC.run'], ['JVMTI.data_dump'], ['No.such'], ['help', 'No.such'],
              ['VM.version', 'x'], ['GC.class_histogram', '-bad'],
              ['GC.class_histogram', '-all=maybe'], ['Thread.print', '-x'], ['JVMTI.agent_load'],
              ['JVMTI.agent_load', '/no/such.so'],
              ['JVMTI.agent_load', WITHOUT], ['JVMTI.agent_load', HISTOGRAM, 'no-such-option']]
    out = ''.join('> %s\n%s' % (' '.join(line), jcmd(target, *line)) for line in lines)
    mapped = open('/proc/%s/maps' % target.pid, encoding='utf-8').read()
    out += 'libraries of agents that did not start: %s\n' % [l for l in (WITHOUT, HISTOGRAM) if l in mapped]
    out += jcmd(target, 'JVMTI.agent_load', HISTOGRAM, 'help')
    flags = [['-flag', 'No.Such'], ['-flag', '+HeapDumpOnOutOfMemoryError'], ['-flag', 'HeapDumpOnOutOfMemoryError'],
             ['-flag', '-HeapDumpOnOutOfMemoryError'],
             ['-flag', 'HeapDumpOnOutOfMemoryError'], ['-flag', 'HeapDumpPath=/x'], ['-flag', 'HeapDumpPath'],
             ['-flag', '+PrintConcurrentLocks', ]]
    out += ''.join('> jinfo %s\n%s' % (' '.join(f), tool('jinfo', *f, target.pid)) for f in flags)
    for option in harness.vm_options():      # the mode's, which HotSpot did not get
        out = out.replace(option + ' ', '')
    # Our histogram is counted by one thread: it has no -parallel.
    return target.anonymous(re.sub(r'\t-parallel : .*\n', '', out))


def clients(target):
    out = tool('java', '-cp', CLASSES, 'Client', target.pid, WORK + '/late.jar', HISTOGRAM, WITHOUT)
    target.process.stdin.write('still there\n')
    target.process.stdin.flush()
    target.wait_for('still there')
    return target.anonymous(out)


def compare():
    hotspot, ours = Target(HOTSPOT), Target(IMAGE)
    same('answers', answers(hotspot), answers(ours))
    same('attach API', clients(hotspot), clients(ours))
    same('protocol', protocol(hotspot), protocol(ours))
    another_user(hotspot)
    another_user(ours)
    ends = [hotspot.end(), ours.end()]
    check(ends == [0, 0], 'exit codes %s' % ends)
    def late(target):
        return [line for line in target.lines + target.errors if 'late agent' in line or 'retransformed' in line
                or 'still' in line or 'WARNING' in line]
    same('what the program printed', '\n'.join(late(hotspot)), '\n'.join(late(ours)))
    check(any('late agent: some options on Attach Listener true' in line for line in ours.lines), 'agentmain',
          '\n'.join(ours.lines))
    check(not os.path.exists('/tmp/.java_pid' + ours.pid), 'the socket file is gone')


def first(name, *arguments):
    """A request of the protocol's first version."""
    return b'1\0' + b''.join(a.encode() + b'\0' for a in (name, *arguments)) + b'\0' * (3 - len(arguments))


def second(name, *arguments):
    """... and of the second one, with any number of arguments."""
    body = b''.join(a.encode() + b'\0' for a in (name, *arguments))
    return b'2\0%d\0%s' % (len(body), body)


def requests():
    """What the JDK's own tools do not send, or do not show the answer of."""
    file, without = WORK + '/requested.txt', WITHOUT
    loads = [('/no/such.so', 'true', 'x'), ('nosuch', 'false', 'x'), (without, 'true'),
             ('instrument', 'false', '/no/such.jar'), ()]
    heaps = [('-bad',), ('-live', '/no/file'), ('-live', file), ('-live', file, '2'), ('-live', file, 'abc'),
             ('-all', file, '-1'), ('-all', file, '1x'),
             ('-all', file, '99999999999999999999')]
    flags = [('NoSuch', '1'), ('HeapDumpOnOutOfMemoryError', 'maybe'), ('HeapDumpOnOutOfMemoryError', '1'),
             ('MaxHeapSize', '1')]
    found = [first('load', *a) for a in loads] + [first('inspectheap', *a) for a in heaps] + [first('setflag', *a)
                                                                   for a in flags] + [first('printflag'), first('jcmd')]
    if LIBRARY == '17':
        return found
    many = ['argument %d' % i for i in range(60)]
    return found + [second(name, *arguments, *many) for name, *arguments in
                    (('load', '/no/such.so', 'true', ''), ('jcmd', 'JVMTI.agent_load /no/such.so'),
                     ('inspectheap', '-bad'), ('printflag', 'NoSuch'), ('nothing',))]


def protocol(target):
    jcmd(target, 'VM.uptime')            # the listener is there
    return target.anonymous(''.join('> %s\n%s\n' % (r, ask('/tmp/.java_pid' + target.pid, r).decode(errors='replace'))
                                    for r in requests()))


def listening_socket(target):
    """A descriptor of this process for the socket at which the other one listens; None: the system forbids it."""
    with open('/proc/net/unix', encoding='utf-8') as f:
        inode = [line.split()[6] for line in f if line.rstrip().endswith('/tmp/.java_pid' + target.pid + '.tmp')][0]
    directory = '/proc/%s/fd/' % target.pid
    number = [int(fd) for fd in os.listdir(directory) if os.readlink(directory + fd) == 'socket:[%s]' % inode][0]
    process = os.pidfd_open(target.process.pid)
    fd = ctypes.CDLL(None, use_errno=True).syscall(438, process, number, 0)       # pidfd_getfd
    os.close(process)
    return socket.socket(fileno=fd) if fd >= 0 else None


def comes_back():
    """The listener outlasts that the process has no descriptor left, and a socket that has broken is replaced by
    SIGQUIT."""
    t = Target(IMAGE)
    check('Vitrine' in jcmd(t, 'VM.version'), 'before')
    path = '/tmp/.java_pid' + t.pid
    soft, hard = resource.prlimit(t.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(t.process.pid, resource.RLIMIT_NOFILE, (3, hard))
    check(ask(path, first('nothing')).startswith(b'-1\n'), 'the descriptor that accept has reserved already')
    t.wait_for('[warning][attach] accept: Too many open files')
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
        s.connect(path)
        resource.prlimit(t.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        s.sendall(first('jcmd', 'VM.command_line'))
        s.settimeout(LIMIT)
        check(s.recv(2) == b'0\n', 'who connected meanwhile is served')
    check('Vitrine' in jcmd(t, 'VM.version'), 'after there were no descriptors')
    broken = listening_socket(t)
    if broken is None:
        print('a socket of another process cannot be had here: not broken')
    else:
        broken.shutdown(socket.SHUT_RDWR)
        broken.close()
        t.wait_for('[warning][attach] accept: Invalid argument')
        check('Vitrine' in jcmd(t, 'VM.version'), 'SIGQUIT starts the listener again')
    check(t.end() == 0 and not os.path.exists(path), 'the end')


def another_user(target):
    """Only the VM's own user and root are answered, whoever can open the socket."""
    path = '/tmp/.java_pid' + target.pid
    if os.geteuid() != 0:
        return
    os.chmod(path, 0o666)
    request = b'1\0properties\0\0\0\0'
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534)
            os._exit(0 if ask(path, request) == b'' else 1)
        except BaseException:
            os._exit(2)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    check(status == 0, 'another user: %d (1: answered, 2: not heard)' % status)
    os.chmod(path, 0o600)
    check(ask(path, request).startswith(b'0\n'), 'the own user is answered')


def own_texts():
    """Answers whose text is the VM's own."""
    t = Target(IMAGE)
    version = jcmd(t, 'VM.version')
    check(re.search(r'^Vitrine .* version %s\S*\nJDK %s\.' % (LIBRARY, LIBRARY), version, re.M), 'VM.version', version)
    uptime = jcmd(t, 'VM.uptime') + jcmd(t, 'VM.uptime', '-date')
    check(re.search(r'^\d+\.\d{3} s$', uptime, re.M)
          and re.search(r'^\d{4}-\d\d-\d\dT[\d:.]{12}[+-]\d{4}: \d+\.\d{3} s$', uptime, re.M), 'VM.uptime', uptime)
    commands = jcmd(t, 'help')
    check(all(re.search('^%s$' % re.escape(c), commands, re.M) for c in COMMANDS), 'help', commands)
    for text in (jcmd(t, 'GC.class_histogram'), tool('jmap', '-histo', t.pid), tool('jmap', '-histo:live', t.pid)):
        check(re.search(r'^ +\d+: +1234 +29616  Target\$Marker$', text, re.M)
              and re.search(r'^Total +\d+ +\d+$', text, re.M), 'histogram', text[:3000])
        check(re.search(r'^ +\d+: +\d+ +\d+  \[B \(java\.base@%s' % LIBRARY, text, re.M), 'histogram: module',
              text[:3000])
    created = tool('jmap', '-histo:file=%s/histogram.txt' % WORK, t.pid)
    with open(WORK + '/histogram.txt', encoding='utf-8') as f:
        check('Target$Marker' in f.read(), 'histogram in a file', created)
    for text in (jcmd(t, 'Thread.print'), tool('jstack', t.pid)):
        check(re.search(r'^"waiting one" .*\n   java.lang.Thread.State: WAITING \(on object monitor\)\n(.*\n)*?\tat '
                        r'Target.parked\(Target.java:\d+\)', text, re.M),
              'thread dump', text)
        check('Locked ownable synchronizers' not in text, 'thread dump without synchronizers')
    check('Locked ownable synchronizers' in jcmd(t, 'Thread.print', '-l')
          and 'Locked ownable synchronizers' in tool('jstack', '-l', t.pid), 'thread dump with synchronizers')
    properties = jcmd(t, 'VM.system_properties') + tool('jinfo', '-sysprops', t.pid)
    check(properties.count('attach.test=a value') == 2, 'system properties', properties)
    check('-XX:MaxHeapSize=' in jcmd(t, 'VM.flags') and '{product} {default}' in jcmd(t, 'VM.flags', '-all')
          and '-XX:MaxHeapSize=' in tool('jinfo', '-flags', t.pid), 'flags')
    path = '/tmp/.java_pid' + t.pid
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, 'mode of the socket')
    raw(path)
    os.unlink(path)
    check('Vitrine' in jcmd(t, 'VM.version'), 'a new socket takes the place of one that was removed')
    check(not re.search('^Heap$', jcmd(t, 'Thread.print') + tool('jstack', t.pid), re.M), 'no heap for tools')
    t.process.send_signal(signal.SIGQUIT)
    t.wait_for('Full thread dump')
    t.wait_for('Heap')
    check(t.end() == 0, 'exit code')


def ask(path, request):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as s:
        s.settimeout(LIMIT)
        s.connect(path)
        out = b''
        try:                             # a request that is refused halfway ends the connection
            s.sendall(request)
            s.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            while part := s.recv(65536):
                out += part
        except ConnectionResetError:
            pass
        return out


def raw(path):
    """The protocol itself: wrong versions, unknown operations, requests that break off."""
    check(ask(path, b'9\0properties\0\0\0\0') == b'101\n', 'unknown version')
    check(ask(path, b'1\0nothing\0\0\0\0') == b'-1\nOperation nothing not recognized!', 'unknown operation')
    check(ask(path, b'1\0jcmd\0VM.uptime') == b'' and ask(path, b'') == b''
          and ask(path, b'1\0' + b'x' * 100000) == b'', 'broken requests')
    if LIBRARY == '17':
        check(ask(path, b'2\x0022\0jcmd\0VM.command_line\0') == b'101\n', '17 knows no second version')
        return
    check(ask(path, b'1\0getversion\0options\0\0\0') == b'0\n2', 'getversion')
    request = b'jcmd\0VM.command_line\0'
    check(ask(path, b'2\0%d\0%s' % (len(request), request)).startswith(b'0\nVM Arguments:'), 'second version')
    check(ask(path, b'2\x00999999999\0jcmd\0') == b'' and ask(path, b'2\0x\0jcmd\0') == b'', 'broken sizes')


# A killed process of another test may have had the same id, and left its socket.
NO_SOCKET = """
import contextlib, os, socket, sys
path = '/tmp/.java_pid%d' % os.getpid()
with contextlib.suppress(FileNotFoundError):
    os.unlink(path)
"""
STALE_SOCKET = NO_SOCKET + "socket.socket(socket.AF_UNIX).bind(path)\n"


def behind(preparation):
    """The beginning of a command whose process first makes its socket what a test wants it to be."""
    return [sys.executable, '-c', preparation + 'os.execv(sys.argv[1], sys.argv[1:])']


def switches():
    for option in ('-XX:-EnableDynamicAgentLoading', '-XX:+EnableDynamicAgentLoading'):
        found = []
        for java in (HOTSPOT, IMAGE):
            t = Target(java, [option])
            text = jcmd(t, 'JVMTI.agent_load', HISTOGRAM, 'help') + clients(t)
            t.end()
            found.append(t.anonymous(text) + '\n'.join(line for line in t.errors if 'WARNING' in line))
        same(option, *found)
    t = Target(IMAGE, ['-XX:+DisableAttachMechanism'], behind(NO_SOCKET))
    open(os.path.join(WORK, '.attach_pid' + t.pid), 'w', encoding='utf-8').close()
    t.process.send_signal(signal.SIGQUIT)
    t.wait_for('Full thread dump')
    check(not os.path.exists('/tmp/.java_pid' + t.pid), 'DisableAttachMechanism: no socket')
    check(t.end() == 0, 'exit code')


def early():
    """A socket that a killed process with the same id left behind; listeners that nobody has to ask for."""
    for what, options, before in (('a stale socket', [], behind(STALE_SOCKET)),
                                  ('-Xrs', ['-Xrs'], []),
                                  ('StartAttachListener', ['-XX:+StartAttachListener'], []),
                                  ('neither', [], [])):
        found = []
        for java in (HOTSPOT, IMAGE):
            t = Target(java, options, before)
            text = '%s listens: %s\n' % (what, os.path.exists('/tmp/.java_pid' + t.pid))
            text += t.anonymous(jcmd(t, 'JVMTI.data_dump'))
            check('executed successfully' in text, '%s %s: the command' % (java, what), text)
            t.end()
            found.append(text)
        same(what, *found)


def main():
    prepare()
    try:
        compare()
        own_texts()
        comes_back()
        switches()
        early()
        for row in list(shown.missing()):
            check(False, row)
    finally:
        for process in running:
            process.kill()
    sys.exit(1 if failures else 0)


main()
