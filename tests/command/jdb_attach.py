"""HotSpot's jdb attached by socket, to a program that waits for it, to one that runs already and to one whose classes
are unloaded: on HotSpot, then on our VM with the same JDK's libjdwp. The transcripts are equal, line by line, and so is
what the program prints."""
import difflib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import debugger
import harness

LIBRARY, HOTSPOT, IMAGE, TESTS, WORK = (os.environ[k] for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'TESTS', 'WORK'))
CLASSES, REDEFINED = os.path.join(WORK, 'classes'), os.path.join(WORK, 'redefined')
STOPPED = r'(Breakpoint hit|Step completed): [^\n]*\n'
FIELD = r'Field \([^\n]*\n'
EXCEPTION = r'Exception occurred: [^\n]*\n'

# Command, what its answer has, how many prompts follow: two when the program goes on. {left} is the number of that
# thread, {@text} the line of Workshop.java that has the text, {new} the class file of the new version.
WAITS = [
    ('stop at Workshop:{@int r = }', r'after the class is loaded', 1),
    ('cont', STOPPED, 2),
    ('stop in Workshop.add(int,int)', r'Set breakpoint', 1),
    ('stop in Prices.price', r'after the class is loaded', 1),
    ('stop in Workshop.nothing', r'Unable to set', 1),
    ('clear', r'Breakpoints set', 1),
    ('clear Workshop:{@int r = }', r'Removed', 1),
    ('cont', STOPPED, 2),
    ('threads', r'right [^\n]*\n', 1),
    ('where', r'\[2\]', 1),
    ('wherei', r'pc = ', 1),
    ('locals', r'b = 4', 1),
    ('print a + b', r'= 7', 1),
    ('set b = 10', r'= 10', 1),
    ('set this.parts[1] = 50', r'= 50', 1),
    ('dump this', r'\n\}', 1),
    ('next', STOPPED, 2),
    ('locals', r'sum = \d+', 1),
    ('stepi', STOPPED, 2),
    ('print parts[1]', r'= 50', 1),
    ('step', STOPPED, 2),
    ('set total = total + 100', r'= \d+', 1),
    ('up', r'', 1),
    ('locals', r'left = ', 1),
    ('print shop.total', r'= \d+', 1),
    ('down', r'', 1),
    ('step up', STOPPED, 2),
    ('watch all Workshop.shared', r'Set watch', 1),
    ('cont', FIELD, 2),
    ('cont', FIELD, 2),
    ('unwatch all Workshop.shared', r'Removed', 1),
    ('catch caught Workshop$Trouble', r'after the class is loaded', 1),
    ('cont', EXCEPTION, 2),
    ('where', r'\[2\]', 1),
    ('ignore caught Workshop$Trouble', r'Removed', 1),
    ('cont', STOPPED, 2),
    ('where {left}', r'\[2\]', 1),
    ('where {main}', r'\[2\]', 1),
    ('threadlocks {left}', r'Owned', 1),
    ('threadlocks {main}', r'Waiting', 1),
    ('threads', r'right [^\n]*\n', 1),
    ('thread {main}', r'', 1),
    ('up 1', r'', 1),
    ('print right.finished', r'= false', 1),
    ('thread {left}', r'', 1),
    ('redefine Prices {new}', r'', 1),
    ('where', r'\[1\]', 1),
    ('pop', r'', 1),
    ('where', r'\[1\]', 1),
    ('step', STOPPED, 2),
    ('set n = 100', r'= 100', 1),
    ('next', STOPPED, 2),
    ('locals', r'tax = ', 1),
    ('step up', STOPPED, 2),
    ('next', STOPPED, 2),
    ('print p', r'p = ', 1),
    ('reenter', STOPPED, 2),
    ('locals', r'n = ', 1),
    ('stop at Workshop:{@right.give}', r'Set breakpoint', 1),
    ('stop at Workshop:{@right.await}', r'Set breakpoint', 1),
    ('cont', STOPPED, 2),
    ('suspend {right}', r'', 1),
    ('cont', STOPPED, 2),
    ('print right.finished', r'= false', 1),
    ('threads', r'right [^\n]*\n', 1),
    ('stop at Workshop:{@right.join}', r'Set breakpoint', 1),
    ('stop at Workshop:{@left.join}', r'Set breakpoint', 1),
    ('resume {right}', r'', 1),
    ('cont', STOPPED, 2),
    ('threads', r'right [^\n]*\n', 1),
    ('print right.finished', r'= true', 1),
    ('kill {right} new Workshop$Trouble("killed")', r'killed', 1),
    ('cont', STOPPED, 2),
    ('interrupt {left}', r'', 1),
    ('stop at Workshop:{@"end "}', r'Set breakpoint', 1),
    ('cont', STOPPED, 2),
    ('threads', r'main [^\n]*\n', 1),
    ('set seen = 1000', r'= 1000', 1),
    ('cont', r'The application exited', 1),
]

# The same for a program that runs already; None: a line for the program to read.
SERVES = [
    ('threads', r'main [^\n]*\n', 1),
    ('suspend', r'suspended', 1),
    ('where {main}', r'Workshop.main', 1),
    ('thread {main}', r'', 1),
    ('stop in Workshop.serve', r'Set breakpoint', 1),
    ('resume', r'resumed', 1),
    (None, STOPPED, 1),
    ('where', r'\[2\]', 1),
    ('set line = "changed"', r'= ', 1),
    ('next', STOPPED, 2),
    ('locals', r'length = ', 1),
    ('clear Workshop.serve', r'Removed', 1),
    ('exclude java.*, javax.*, sun.*, com.sun.*, jdk.*', r'', 1),
    ('trace go methods {main}', r'', 1),
    ('cont', r'Method exited: [^\n]*serve', 1),
    (None, r'Method exited: [^\n]*serve', 0),
    ('untrace', r'', 1),
    ('class Workshop', r'extends: [^\n]*\n', 1),
    ('methods Workshop', r'serve', 1),
    ('fields Workshop', r'parts', 1),
    ('threadgroups', r'main', 1),
    ('watch Workshop.shared', r'Set watch', 1),
    ('stop in Workshop.serve', r'Set breakpoint', 1),
]
AGAIN = [
    ('threads', r'main [^\n]*\n', 1),
    ('stop in Workshop.serve', r'Set breakpoint', 1),
    (None, STOPPED, 1),
    ('print line', r'= ', 1),
    ('step up', STOPPED, 2),
    ('cont', r'', 1),
]

# What HotSpot must have done for the comparison to mean anything.
WAITS_SHOWS = [
    'Breakpoint hit: "thread=left", Prices.price(), line=4 bci=0', 'b = 10',
    'Exception occurred: Workshop$Trouble (to be caught at: Workshop.main(), line=97 bci=154)"thread=main", '
    'Workshop.fail(), line=61 bci=18',
    'Waiting for monitor: instance of Workshop$Worker(name=\'left\', id=#)', '[1] Prices.<obsolete> (null)', 'tax = 50',
    'sum 13, total 113, part 50', 'price of 21: 73', 'right has not finished', 'right in trouble: killed',
    'left interrupted', 'end 1000', 'exit 0']
SERVES_SHOWS = [
    'length = 7', 'Method entered: "thread=main", Workshop.serve(), line=71 bci=0', 'served changed, 7',
    'line = "line 5"', 'served line 5, 6', 'closed', 'exit 0']

UNLOADS_SHOWS = ['extends: java.lang.Object', 'unloaded after line 1: true', 'unloaded after line 9: true', 'closed',
                 'exit 0']


def line_of(text):
    with open(os.path.join(TESTS, 'jdb', 'Workshop.java'), encoding='utf-8') as f:
        found = [i + 1 for i, line in enumerate(f) if text in line]
    if len(found) != 1:
        raise RuntimeError('%d lines of Workshop.java have %r' % (len(found), text))
    return str(found[0])


def reads(thread):
    """Is the thread, /proc/<pid>/task/<tid>, in read(0)? It may be gone."""
    try:
        return (thread / 'syscall').read_text().startswith('0 0x0 ')
    except OSError:
        return False


class Program:
    """The debuggee, which listens at a port of the system's choice."""

    def __init__(self, home, suspend, name, *args):
        java = [*harness.java(home), '-Xshare:off', *(harness.vm_options() if home == IMAGE else [])]
        agent = '-agentlib:jdwp=transport=dt_socket,server=y,suspend=%s,address=127.0.0.1:0' % suspend
        self.output = debugger.start([*java, agent, '-cp', CLASSES, name, *args], home == IMAGE)
        self.lines, self.listened = 0, 0

    def port(self):
        """Where it listens; it says so anew when a debugger has left it."""
        text = self.output.wait(self.listened, r'address: \d+\n')
        self.listened += re.search(r'address: \d+\n', text).end()
        return re.search(r'address: (\d+)\n', text)[1]

    def feed(self):
        """A line for it to read; without a breakpoint in the way it answers."""
        self.lines += 1
        self.output.write('line %d' % self.lines)

    def until_it_reads(self):
        """Until it has answered the line, and one of its threads is in read(0)."""
        self.output.wait(0, r'served line %d, ' % self.lines)
        threads, end = Path('/proc/%d/task' % self.output.process.pid), time.monotonic() + debugger.LIMIT
        while not any(reads(thread) for thread in threads.iterdir()):
            if time.monotonic() > end:
                raise TimeoutError('the program does not read')
            time.sleep(0.01)

    def finish(self):
        """What it printed but the address, and how it ended."""
        code = self.output.process.wait(debugger.LIMIT)
        self.output.thread.join()
        return [line for line in self.output.text.splitlines() if 'address: ' not in line] + ['exit %d' % code]


class Session:
    """jdb, attached."""

    def __init__(self, jdb, program):
        own = ['-J' + option for option in harness.vm_options()] if jdb == IMAGE else []
        self.program, self.jdb = program, debugger.start([jdb + '/bin/jdb', *own, '-attach',
                                                          '127.0.0.1:' + program.port()], jdb == IMAGE)
        self.numbers, self.transcript = {}, []

    def place(self, match):
        name = match[1]
        return (REDEFINED + '/Prices.class' if name == 'new' else line_of(name[1:]) if name[0] == '@'
                else self.numbers[name])

    def anonymous(self, text):
        """Objects are numbered by the debuggee in the order in which it is asked for them, which other threads of the
        VM's take part in."""
        for name, number in self.numbers.items():
            text = re.sub(r'\) *%s +%s\b' % (number, name), ') <%s>' % name, text)
        return harness.normalise(re.sub(r'(id=|ThreadGroup\))\w+', r'\1#', text).encode(), [(WORK, '<work>')])

    def ask(self, command, has, prompts):
        start = len(self.jdb.text)
        if command is None:
            self.program.feed()
        else:
            self.jdb.write(re.sub(r'\{(.*?)\}', self.place, command))
        text = self.jdb.wait(start, has, prompts)
        if command == 'threads':              # each VM has threads of its own
            listed = [line for line in text.splitlines() if re.search(r'\)\w+ +(main|left|right) ', line)]
            self.numbers = {m[2]: m[1] for m in re.finditer(r'\)(\w+) +(main|left|right) ', '\n'.join(listed))}
            text = '\n'.join(listed)
        self.transcript += ['> %s' % command, *debugger.lines_of(self.anonymous(text))]


def session(jdb, program, prompts, commands, last=lambda session: None):
    """The transcript of one session."""
    s = Session(jdb, program)
    try:
        s.jdb.wait(0, r'Initializing jdb', prompts)
        for command in commands:
            s.ask(*command)
        last(s)
        return s.transcript
    finally:
        debugger.stop(s.jdb)


def waits(jdb, home):
    program = Program(home, 'y', 'Workshop')
    try:
        return session(jdb, program, 2, WAITS) + program.finish()
    finally:
        debugger.stop(program.output)


def leave(s):
    """jdb goes with breakpoints set; the program does not notice. Its agent has: it would complain that it cannot send
    to a debugger that is gone."""
    s.jdb.write('exit')
    s.jdb.process.wait(debugger.LIMIT)
    s.program.output.wait(s.program.listened, r'address: \d+\n')
    s.program.feed()


def end(s):
    s.program.output.process.stdin.close()
    s.jdb.wait(0, 'The application exited')


def serves(jdb, home):
    program = Program(home, 'n', 'Workshop', 'open')
    try:
        program.feed()
        program.until_it_reads()
        return session(jdb, program, 1, SERVES, leave) + session(jdb, program, 1, AGAIN, end) + program.finish()
    finally:
        debugger.stop(program.output)


def unloads(jdb, home):
    """Classes are unloaded before a debugger comes, while it is there, and when it has left: the program goes on to its
    end."""
    program = Program(home, 'n', 'Unloading')

    def unload(count):
        for _ in range(count):
            program.feed()
            program.output.wait(0, r'unloaded after line %d: ' % program.lines)
    try:
        unload(3)
        transcript = session(jdb, program, 1, [('class Unloading', r'extends: [^\n]*\n', 1)],
                             lambda s: (unload(3), leave(s)))
        program.output.wait(0, r'unloaded after line 7: ')
        unload(2)
        program.output.process.stdin.close()
        return transcript + program.finish()
    finally:
        debugger.stop(program.output)


def main():
    failed = False
    for directory, sources in ((CLASSES, ['Workshop.java', 'Prices.java', 'Unloading.java']),
                               (REDEFINED, ['redefined/Prices.java'])):
        os.makedirs(directory, exist_ok=True)
        subprocess.run([*harness.javac(HOTSPOT), '-g', '-d', directory,
                        *[os.path.join(TESTS, 'jdb', s) for s in sources]], check=True)
    for what, needed in ((waits, WAITS_SHOWS), (serves, SERVES_SHOWS), (unloads, UNLOADS_SHOWS)):
        expected = what(HOTSPOT, HOTSPOT)
        if '--print' in sys.argv:
            print(*expected, sep='\n')
        missing = [line for line in needed if line not in expected]
        if missing:
            sys.exit('HotSpot: no %s in\n%s' % (missing, '\n'.join(expected)))
        for jdb, home in ((HOTSPOT, IMAGE), (IMAGE, HOTSPOT)):
            actual = what(jdb, home)
            if actual != expected:
                failed = True
                print('jdb of %s, program on %s' % (jdb, home),
                      *difflib.unified_diff(expected, actual, 'hotspot', 'vitrine', lineterm='', n=3), sep='\n')
    sys.exit(1 if failed else 0)


main()
