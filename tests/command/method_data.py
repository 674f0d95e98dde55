"""jcmd Compiler.method_data and -XX:+PrintMethodData: how much methods have run, and their bytecodes as they stand:
quick forms and what their cells hold, field watches, breakpoints, pairs, and all of them back again."""
import os
import re
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
PRINT = ['-XX:+UnlockDiagnosticVMOptions', '-XX:+PrintMethodData']
failures = []


def check(condition, what, detail=''):
    if not condition:
        failures.append(what)
        print('FAIL: %s\n%s' % (what, detail))


def method_data(pid, *words):
    command = [HOTSPOT + '/bin/jcmd', '-J' + harness.ATTACH_PATIENCE, pid, 'Compiler.method_data', *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600 * harness.time_scale()).stdout


class Program:
    def __init__(self):
        agent = harness.agent_library(BUILD, 'code_form', True)
        self.process = subprocess.Popen([*harness.java(IMAGE), *harness.vm_options(), '-Xint', *PRINT,
                                         '-agentpath:' + agent, '-cp', CLASSES, 'MethodData'],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=harness.environment(True))
        self.pid = str(self.process.pid)

    def step(self, name):
        """The program stands at this step; what `read` looks like there."""
        line = self.process.stdout.readline().rstrip('\n')
        check(line == name, 'step ' + name, line)
        return method_data(self.pid, 'MethodData', 'read')

    def go_on(self):
        self.process.stdin.write('\n')
        self.process.stdin.flush()


def stands(text, name, *instructions):
    """The instructions of `read` that change, in order."""
    found = re.findall(r'^ +(?:10|11|19|23) .*$', text, re.M)
    check(len(found) == 4 and all(re.fullmatch(r' *' + want, line) for want, line in zip(instructions, found)), name,
          text)


def counts(pid, name, method, work, used, more=''):
    text = method_data(pid, 'MethodData', method)
    want = '  work: %d%s (10 a call, 1 a backward branch)\n  budgets used: %d of 25\n' % (work, more, used)
    check(want in text, '%s: %s' % (name, method), text)
    return text


def as_they_stand(p):
    ref = r'\d+ <MethodData\.value:I>'
    quick = (r'10 aload_0_getfield_i', r'11 getfield_i %s -> offset 8' % ref, r'19 goto 4', r'23 ireturn_int')
    watched = (r'10 aload_0_q', r'11 field_watched %s -> MethodData\.value access' % ref, r'19 goto 4',
               r'23 ireturn_int')
    begun = (r'10 aload_0', r'11 getfield ' + ref, r'19 goto 4', r'23 ireturn_int')
    apart = (r'10 aload_0', *quick[1:])
    behind = (r'10 aload_0_q', r'11 breakpoint getfield_i %s -> offset 8' % ref, r'19 goto 4', r'23 ireturn_int')
    in_pair = (r'10 breakpoint aload_0_getfield_i', *quick[1:])
    for name, instructions in (('unused', (*begun[:3], r'23 ireturn')), ('quick', quick), ('watched', watched),
                               ('watched, run', watched),
                               ('watched no more', apart), ('quick again', quick), ('breakpoint', behind),
                               ('breakpoint, run', behind),
                               ('no breakpoint', quick), ('breakpoint at a pair', in_pair)):
        stands(p.step(name), name, *instructions)
        if name == 'unused':
            counts(p.pid, name, 'read', 0, 0)
        if name == 'quick':
            counts(p.pid, name, 'read', 10 + 3, 0)
            text = method_data(p.pid, 'MethodData', 'main')
            check(re.search(r'^   0 new_q \d+ <MethodData> -> MethodData$', text, re.M), 'new', text)
            check(re.search(r'invokevirtual_q \d+ <MethodData\.read:\(I\)I> -> MethodData\.read\(I\)I vtable \d+$',
                            text, re.M), 'call', text)
            check(re.search(r'ldc_q \d+ "quick" -> 0x[0-9a-f]+$', text, re.M)
                  and re.search(r'ldc \d+ "watched"$', text, re.M), 'constants', text)
            check(method_data(p.pid, 'MethodData', 'none').endswith('No such method\n'), 'no such method')
        p.go_on()


def budgets(p):
    p.step('counted')
    counts(p.pid, 'counted', 'called', 70, 0)
    text = counts(p.pid, 'counted', 'loops', 10 + 39, 0)
    check(re.search(r'^ +\d+ goto \d+$', text, re.M), 'goto is counted', text)
    counts(p.pid, 'counted', 'loopsAtEnd', 10 + 38, 0)
    p.go_on()
    p.step('a budget')
    counts(p.pid, 'a budget', 'called', 10 * 201, 1)
    counts(p.pid, 'a budget', 'loops', 2 * 10 + 39 + 2000, 1)
    p.go_on()
    p.step('none left')
    counts(p.pid, 'none left', 'called', 50000, 25, ' or more')
    text = counts(p.pid, 'none left', 'loops', 50000, 25, ' or more')
    check(re.search(r'^ +\d+ goto_back \d+$', text, re.M), 'goto is counted no more', text)
    counts(p.pid, 'none left', 'loopsAtEnd', 50000, 25, ' or more')
    p.go_on()


def at_the_end(p):
    text, _ = p.process.communicate(timeout=300 * harness.time_scale())
    check(p.process.returncode == 0 and text.startswith('57\n---'), 'end', text[:300])
    works = [int(w) for w in re.findall(r'^  work: (\d+)', text, re.M)]
    check(len(works) > 100 and works == sorted(works, reverse=True) and works[-1] > 0, 'order', str(works[:50]))
    check('static MethodData::loopsAtEnd(I)I\n  work: 50000 or more (' in text, 'at the end: loopsAtEnd')
    check('\nMethodData::read(I)I\n  work: 73 (' in text, 'at the end: read')


def main():
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), '-d', CLASSES, os.path.join(TESTS, 'jvmti', 'MethodData.java')],
                   check=True)
    p = Program()
    try:
        as_they_stand(p)
        budgets(p)
        at_the_end(p)
    finally:
        p.process.kill()
        p.process.wait()
    sys.exit(1 if failures else 0)


main()
