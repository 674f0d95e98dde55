"""scripts/gdb.py: the VM's records in gdb as Java's objects, classes, methods, frames and threads. gdb walks through
compiled code, with that script and without."""
import re
import subprocess
from pathlib import Path

from checks import CLASSES, IMAGE, LIMIT, TESTS, check, compile_sources, equal, finish

SCRIPT = Path(TESTS).parent / 'scripts/gdb.py'
# JVM_GC is what System.gc() calls: the world runs, the thread's Java frames stand.
COMMANDS = ['set breakpoint pending on', 'set pagination off', 'set width 0',
            f'source {SCRIPT}', 'break JVM_GC', 'run', 'java-threads', 'java-stack', 'java-stack "main"',
            'java-class Shown',
            'set $frame = current_thread_tls->java->frame->caller->caller', 'print $frame',
            'print $frame->code->method',
            'print *$frame', 'print current_thread_tls', 'java-method $frame->code->method',
            'java-object $java_local($frame, 0)', 'java-object $java_field($java_local($frame, 0), "table")',
            'java-object 0', 'java-class No', 'java-stack "nobody"', 'print vm->boot_loader->holder.classes', 'kill']


# What a backtrace without the script and with it shows of compiled code, between the frames of stubs and of C.
# main has left it where a name was resolved.
COMPILED = [['compiled_method'] * 3,
            ['System.gc', 'Shown.stop(Shown.java:13) bci 0', 'Shown.call(Shown.java:17) bci 1']]


def gdb(*command, commands=()):
    steps = [word for c in commands for word in ('-ex', c)]
    return subprocess.run(['gdb', '-q', '-nx', '-batch', *steps, '--args', *command], capture_output=True, text=True,
                          timeout=LIMIT, stdin=subprocess.DEVNULL)


def main():
    probe = gdb('/bin/true', commands=['run'])
    if 'exited normally' not in probe.stdout:
        print('gdb cannot run a process here: ' + probe.stderr.strip())
        raise SystemExit(77)
    compile_sources('gdb', 'Shown', options=['-g'])
    run = gdb(IMAGE + '/bin/java', '-Xmx64m', '-cp', CLASSES, 'Shown', commands=COMMANDS)
    text = run.stdout + run.stderr

    def shows(pattern, what):
        check(re.search(pattern, text, re.M), f'{what}: {pattern} does not stand in\n{text}')

    stack = [r'"main" tid \d+ THREAD_\w+', r'  #0   java\.lang\.Runtime\.gc\(Native Method\)',
             r'  #1   java\.lang\.System\.gc\(System\.java:\d+\) bci 3', r'  #2   Shown\.stop\(Shown\.java:13\) bci 0',
             r'  #3   Shown\.call\(Shown\.java:17\) bci 1', r'  #4   Shown\.main\(Shown\.java:21\) bci 7']
    equal(len(re.findall('^' + '\n'.join(stack) + '$', text, re.M)), 2, 'stack of the selected thread, and by name')
    shows(r'^0x[0-9a-f]+ "Reference Handler" tid \d+ THREAD_BLOCKED$', 'threads')
    shows(r'^Shown @ 0x[0-9a-f]+, superclass java\.lang\.Object$', 'class')
    shows(r'^  static word = "a \\"quoted\\" word"$', 'static field')
    shows(r'^  static numbers = int\[3\] @ 0x[0-9a-f]+$', 'static field')
    shows(r'^  0x[0-9a-f]+ main\(\[Ljava/lang/String;\)V$', 'methods of a class')
    shows(r'^\$\d+ = 0x[0-9a-f]+ <Shown\.stop\(Shown\.java:13\) bci 0>$', 'a frame')
    shows(r'^\$\d+ = 0x[0-9a-f]+ <Shown\.stop\(\)V>$', 'a method')
    shows(r'code = 0x[0-9a-f]+ <Shown\.stop\(\)V>, caller = 0x[0-9a-f]+ <Shown\.call\(', 'pointers within a record')
    shows(r'^\$\d+ = 0x[0-9a-f]+ <"main" tid \d+ THREAD_\w+>$', 'a thread')
    shows(r'^  entry ENTRY_BYTECODE, code version 0\n  bytecode at 0x[0-9a-f]+, 4 bytes, 1 locals, operand stack \d$',
          'a method in full')
    shows(r'^Shown @ 0x[0-9a-f]+\n  Shown\.count = 7\n  Shown\.other = "other"\n  Shown\.flag = true\n'
          r"  Shown\.ratio = 0\.5\n  Shown\.letter = 'x'\n  Shown\.table = java\.lang\.String\[2\]\[\] @ 0x[0-9a-f]+$",
          'an object')
    shows(r'^java\.lang\.String\[2\]\[\] @ 0x[0-9a-f]+\n  \[0\] = java\.lang\.String\[1\] @ 0x[0-9a-f]+\n  \[1\] = '
          r'null$',
          'an array')
    shows(r'^null$', 'no object')
    shows(r'^No class called No has been loaded\.$', 'a class that is not there')
    shows(r'^There is no Java thread called "nobody": java-threads lists them\.$', 'a thread that is not there')
    shows(r'^\$\d+ = 0x[0-9a-f]+ <[\w.$/\[\]]+>$', 'a class')
    compiled()
    finish()


def compiled():
    run = gdb(IMAGE + '/bin/java', '-Xcomp', '-Xmx64m', '-cp', CLASSES, 'Shown', commands=[
        'set breakpoint pending on', 'set pagination off', 'set width 0', 'break JVM_GC', 'run', 'backtrace',
        'echo ----\\n', f'source {SCRIPT}', 'backtrace', 'kill'])
    text = run.stdout + run.stderr
    for part, wanted in zip(text.split('----\n'), COMPILED):
        frames = re.findall(r'^#\d+ +(?:0x[0-9a-f]+ in )?(.*?) \(\)$', part, re.M)
        found = [re.sub(r'java.lang.(System.gc)\(System.*', r'\1', f) for f in frames if not f.startswith('stub_')]
        equal(found[:3], wanted, 'frames of compiled code')
        check('stub_call' in frames and 'stub_enter' in frames, f'stubs:\n{part}')
        check(re.search(r'^#\d+ .* in start_thread ', part, re.M), f'the oldest frame:\n{part}')


main()
