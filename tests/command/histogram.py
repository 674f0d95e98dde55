"""The class histogram agent gives exact counts, options and messages, on HotSpot and on our VM."""
import os
import re
import signal
import subprocess
import sys
import time

import harness
import rows

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
AGENT = os.path.join(BUILD, 'libhistogram.so')
CLASSES = os.path.join(WORK, 'classes')
EXACT = {'Population$Alpha': 1040, 'Population$Beta': 2500, 'Population$Gamma': 300, 'Population$Pair': 77,
         'Population$Color': 3,
         'Population$Node': 3, 'Population$Alpha[]': 2, 'Population$Beta[]': 50, 'Population$Beta[][]': 1,
         'Population$Gamma[]': 1,
         'Population$Pair[]': 1, 'Population$Node[]': None, 'Population$Own': 3, 'Population$Color[]': (1, 2),
         'Population$Late': 9,
         'Population$Gone': None}
LIMIT = 300 * harness.time_scale()
failures = []
shown = rows.Shown('histogram')


def check(condition, what):
    shown.add([what])
    if not condition:
        failures.append(what)
        print('FAIL: ' + what)


def vm_options(java):
    return harness.vm_options() if java == IMAGE else []


def command(java, options, argument):
    return [*harness.java(java), *vm_options(java), '-cp', CLASSES,
            '-agentpath:%s%s' % (AGENT, '=' + options if options else ''), 'Population', argument]


def run(java, options, argument='end'):
    return subprocess.run(command(java, options, argument), capture_output=True, text=True, timeout=2 * LIMIT)


def parse(text, what):
    """{name: [(instances, bytes)...]} and totals; checks form, order and ranks."""
    lines = text.splitlines()
    check(lines[0] == '%5s  %12s  %13s  %10s' % ('num', '#instances', '#bytes', 'class name'), what + ': heading')
    check(lines[1] == '-' * 46, what + ': rule')
    rows, total, last = {}, None, None
    for n, line in enumerate(lines[2:], 1):
        m = re.fullmatch(r'Total  ([ \d]{12})  ([ \d]{13})', line)
        if m:
            total = (int(m[1]), int(m[2]))
            check(n == len(lines) - 2, what + ': totals come last')
            break
        m = re.fullmatch(r'([ \d]{5})  ([ \d]{12})  ([ \d]{13})  (\S.*)', line)
        check(m is not None, what + ': row "%s"' % line)
        check(int(m[1]) == n, what + ': rank of "%s"' % line)
        check(last is None or int(m[3]) <= last, what + ': order at "%s"' % line)
        last = int(m[3])
        rows.setdefault(m[4].split(' (loader')[0], []).append((int(m[2]), int(m[3]), m[4]))
    check(total is not None, what + ': totals')
    return rows, total


def check_population(text, what):
    rows, total = parse(text, what)
    for name, count in EXACT.items():
        found = [r[0] for r in rows.get(name, [])]
        # Class.enumConstants keeps a second Color[]; HotSpot's FollowReferences does not report the fields of class
        # mirrors.
        wanted = [[n] for n in count] if isinstance(count, tuple) else [[count] if count else []]
        check(found in wanted, '%s: %s is %s, expected %s' % (what, name, found, count))
    for name in ('Population$Alpha', 'Population$Beta', 'Population$Gamma', 'Population$Pair'):
        for instances, size, _ in rows.get(name, []):
            check(size % instances == 0 and size // instances % 8 == 0 and 16 <= size // instances <= 48,
                  what + ': size of ' + name)
    twins = rows.get('Population$Twin', [])
    check([t[0] for t in twins] == [1, 1], '%s: twins %s' % (what, twins))
    check(len({t[2] for t in twins}) == 2 and all('(loader Population$Own@' in t[2] for t in twins),
          '%s: loaders of %s' % (what, twins))
    for name in ('java.lang.Class', 'java.lang.String', 'byte[]', 'java.lang.Object[]', 'java.lang.Thread'):
        check(name in rows, what + ': no ' + name)
    ivs = rows.get('javax.crypto.spec.IvParameterSpec', [])
    check(len(ivs) == 2 and sum('(loader bootstrap)' in t[2] for t in ivs) == 1
          and sum('(loader Population$Own@' in t[2] for t in ivs) == 1, '%s: loaders of %s' % (what, ivs))
    twice = ('Population$Twin', 'javax.crypto.spec.IvParameterSpec')
    check(all(len(v) == 1 for k, v in rows.items() if k not in twice), what + ': a class is listed twice')
    check(total == (sum(r[0] for v in rows.values() for r in v), sum(r[1] for v in rows.values() for r in v)),
          what + ': totals')
    return rows


def on_load(java, vm):
    r = run(java, '')
    check(r.returncode == 0 and r.stderr == '', '%s: exit %d, "%s"' % (vm, r.returncode, r.stderr))
    live = check_population(r.stdout, vm + ' live')
    classes = live['java.lang.Class'][0][0]
    check(400 < classes < 3000, '%s: %d class objects' % (vm, classes))

    out = os.path.join(WORK, vm + '.txt')
    r = run(java, 'all,gc,file=' + out)
    check(r.returncode == 0 and r.stdout == '' and r.stderr == '',
          '%s all: exit %d, "%s%s"' % (vm, r.returncode, r.stdout, r.stderr))
    check_population(open(out).read(), vm + ' all')

    r = run(java, 'top=3')
    rows, total = parse(r.stdout, vm + ' top')
    check(sum(map(len, rows.values())) == 3 and total[0] > sum(x[0] for v in rows.values() for x in v), vm + ' top=3')

    r = run(java, r'filter=^Population\$(Alpha|Beta)$')
    rows, total = parse(r.stdout, vm + ' filter')
    check({k: v[0][0] for k, v in rows.items()} == {'Population$Alpha': 1040, 'Population$Beta': 2500},
          vm + ' filter: %s' % rows)
    check(total[0] == 3540, vm + ' filter: totals')
    r = run(java, r'filter=^Population\$Node{1\,1}$')
    rows, total = parse(r.stdout, vm + ' comma')
    check(list(rows) == ['Population$Node'], vm + ' escaped comma')

    for name in ('Population$Trigger', 'Population$Trigger'.replace('.', '/')):
        r = run(java, 'at=' + name)
        rows, total = parse(r.stdout, vm + ' at')
        check([x[0] for x in rows['Population$Alpha']] == [1040] and 'Population$Late' not in rows, vm + ' at=')
    r = run(java, 'at=no.such.Type')
    check(r.returncode == 0 and r.stdout == '' and 'no.such.Type was never prepared' in r.stderr,
          vm + ' at= never: ' + r.stderr)
    r = run(java, 'at=java.lang.Object,top=5')
    check(r.returncode == 0 and 'java.lang' in r.stderr + r.stdout, vm + ' at= early: ' + r.stderr)
    r = run(java, 'time,top=1')
    check(re.search(r'histogram: \d+ objects in [\d.]+ ms', r.stderr), vm + ' time: ' + r.stderr)


def bad_options(java, vm):
    r = run(java, 'help')
    check(r.returncode == 0 and 'filter=<regex>' in r.stdout, vm + ' help')
    for options, word in (('frobnicate', 'frobnicate'), ('top=x', 'top=x'), ('top=0', 'top=0'), ('top=', 'top='),
                          ('live,,', "''"), ('filter=(', 'filter=('), ('at=', 'at='), ('at=A,at=B', 'at=B'),
                          ('file=', 'file=')):
        r = run(java, options)
        check(r.returncode == 1 and 'histogram: ' in r.stderr and word in r.stderr,
              '%s %s: exit %d, "%s"' % (vm, options, r.returncode, r.stderr))
    r = run(java, 'file=/no/such/directory/x')
    check('/no/such/directory/x' in r.stderr and r.returncode == 0, vm + ' unwritable file: ' + r.stderr)


class Waiting:
    """The program, waiting, with its output in files."""
    def __init__(self, arguments, name):
        self.path = os.path.join(WORK, name + '.out')
        self.out = open(self.path, 'w')
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=self.out, stderr=subprocess.STDOUT)
        self.wait_for('ready')

    def text(self):
        return open(self.path).read()

    def wait_for(self, word, count=1):
        deadline = time.time() + LIMIT
        while self.text().count(word) < count:
            if time.time() > deadline or self.process.poll() is not None:
                check(False, '%s: no "%s" in "%s"' % (self.path, word, self.text()[-2000:]))
                self.process.kill()
                sys.exit(1)
            time.sleep(0.05)

    def end(self):
        self.process.stdin.write(b'\n')
        self.process.stdin.close()
        code = self.process.wait(timeout=LIMIT)
        self.out.close()
        return code


def data_dump(java, vm):
    out = os.path.join(WORK, vm + '.dump')
    if os.path.exists(out):
        os.remove(out)
    w = Waiting(command(java, 'file=' + out, 'wait'), vm + '.quit')
    for n in (1, 2):
        w.process.send_signal(signal.SIGQUIT)
        deadline = time.time() + LIMIT
        while not os.path.exists(out) or open(out).read().count('Total') < n:
            if time.time() > deadline:
                check(False, vm + ' SIGQUIT %d: no dump' % n)
                break
            time.sleep(0.05)
    check(w.end() == 0, vm + ' SIGQUIT: exit code')
    parts = re.findall(r'(?s)  num .*?\nTotal[^\n]*\n', open(out).read())
    check(len(parts) == 3, '%s SIGQUIT: %d dumps' % (vm, len(parts)))
    for n, part in enumerate(parts):
        check_population(part, '%s SIGQUIT dump %d' % (vm, n + 1))


def attach(java, vm):
    """Attached twice, and a third time beside a copy that was started with the VM."""
    jcmd = [HOTSPOT + '/bin/jcmd', '-J' + harness.ATTACH_PATIENCE]
    quiet = ['-XX:+EnableDynamicAgentLoading'] if int(LIBRARY) >= 21 else []
    for started in (False, True):
        arguments = harness.java(java) + quiet + ['-cp', CLASSES]
        if started:
            arguments.append('-agentpath:%s=top=2,file=%s' % (AGENT, os.path.join(WORK, 'beside.txt')))
        w = Waiting(arguments + ['Population', 'wait'], '%s.attach%d' % (vm, started))
        for n in (1, 2):
            out = os.path.join(WORK, 'attach%d.txt' % n)
            r = subprocess.run([*jcmd, str(w.process.pid), 'JVMTI.agent_load', AGENT, '"live,file=%s"' % out],
                               capture_output=True, text=True, timeout=LIMIT)
            check('return code: 0' in r.stdout, '%s attach: %s' % (vm, r.stdout + r.stderr))
            check_population(open(out).read(), '%s attach %d' % (vm, n))
        both = [subprocess.Popen([*jcmd, str(w.process.pid), 'JVMTI.agent_load', AGENT,
                                  '"file=%s"' % os.path.join(WORK, 'both%d.txt' % n)],
                                 stdout=subprocess.DEVNULL) for n in (1, 2)]
        check([p.wait(LIMIT) for p in both] == [0, 0], vm + ' attach: two at once')
        for n in (1, 2):
            check_population(open(os.path.join(WORK, 'both%d.txt' % n)).read(), '%s attach at once %d' % (vm, n))
        r = subprocess.run([*jcmd, str(w.process.pid), 'JVMTI.agent_load', AGENT, 'frobnicate'], capture_output=True,
                           text=True, timeout=LIMIT)
        check('return code: -1' in r.stdout or 'return code: -1' in r.stderr,
              '%s attach: bad option: %s' % (vm, r.stdout + r.stderr))
        check("unknown option 'frobnicate'" in w.text(), vm + ' attach: message')
        check(w.end() == 0, vm + ' attach: exit code')


def main():
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), '-d', CLASSES, TESTS + '/histogram/Population.java'], check=True)
    vms = [(HOTSPOT, 'hotspot')]
    if '--hotspot-only' not in sys.argv:
        vms.append((IMAGE, 'vitrine'))
    for java, vm in vms:
        on_load(java, vm)
        bad_options(java, vm)
        data_dump(java, vm)
        attach(java, vm)
    for row in list(shown.missing()):
        check(False, row)
    sys.exit(1 if failures else 0)


main()
