"""A scripted session with HotSpot's jdb: the program runs on HotSpot, then on our VM with the same JDK's libjdwp; the
transcripts are equal. One more session runs our image's jdb, so that the debugger itself runs on our VM too."""
import os
import re
import subprocess
import sys

import debugger
import harness
import rows

LIBRARY, HOTSPOT, IMAGE, TESTS, WORK = (os.environ[k] for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
# jdb's command loop prints a prompt of its own while the event that a command brings about is shown: "> " or a second
# "main[1] " may stand anywhere.
PROMPT = r'main\[1\] (?:> |main\[1\] )*$'

# command, what its answer ends with; the answer's lines are compared in any order
SESSION = [
    ('stop in Debuggee.main', r'after the class is loaded\.\n'),
    ('run', r'Breakpoint hit: [^\n]*\n.*' + PROMPT),
    ('stop in Debuggee.add', r'Set breakpoint Debuggee\.add\n.*' + PROMPT),
    ('stop in Debuggee.twice', r'Set breakpoint Debuggee\.twice\n.*' + PROMPT),
    ('watch all Debuggee.shared', r'Set watch .*shared\n.*' + PROMPT),
    ('cont', r'Breakpoint hit: [^\n]*\n.*' + PROMPT),
    ('where', r'\[2\][^\n]*\n' + PROMPT),
    ('locals', r'Local variables:\n' + PROMPT),
    ('print a', r'a = 3\n' + PROMPT),
    ('set b = 10', r'= 10\n' + PROMPT),
    ('next', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('locals', r'sum = \d+\n' + PROMPT),
    ('dump this', r'\}\n' + PROMPT),
    ('print this.toString().length() > 10', r'= true\n' + PROMPT),
    ('set total = 0', r'= 0\n' + PROMPT),
    ('step', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('step up', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('where', r'\[1\][^\n]*\n' + PROMPT),
    ('next', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('next', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('print text', r'text = "[^\n]*\n' + PROMPT),
    ('threads', r'Common-Cleaner[^\n]*\n.*' + PROMPT),
    ('cont', r'Field \([^\n]*\n.*' + PROMPT),
    ('unwatch all Debuggee.shared', r'Removed: [^\n]*\n.*' + PROMPT),
    ('catch Debuggee$Trouble', r'after the class is loaded\.\n.*' + PROMPT),
    ('cont', r'Exception occurred: [^\n]*\n.*' + PROMPT),
    ('where', r'\[2\][^\n]*\n' + PROMPT),
    ('ignore Debuggee$Trouble', r'Removed: [^\n]*\n.*' + PROMPT),
    ('cont', r'Breakpoint hit: [^\n]*\n.*' + PROMPT),
    ('set n = 50', r'= 50\n' + PROMPT),
    ('step', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('pop', PROMPT),
    ('where', r'\[1\][^\n]*\n' + PROMPT),
    ('clear Debuggee.twice', r'Removed: [^\n]*\n.*' + PROMPT),
    ('next', r'Step completed: [^\n]*\n.*' + PROMPT),
    ('print r', r'r = \d+\n' + PROMPT),
    ('print d.total', r'= \d+\n' + PROMPT),
    ('cont', r'The application exited'),
]
OWN_THREADS = re.compile(r'\) *(0x[0-9a-f]+|\d+) +')       # numbers of objects are the VM's business


class Session:
    def __init__(self, jdb, home):
        options = ' '.join([*(harness.vm_options() if home == IMAGE else []), '-classpath', CLASSES])
        connector = 'com.sun.jdi.CommandLineLaunch:home=%s,options=%s,main=Debuggee' % (home, options)
        own = ['-J' + option for option in harness.vm_options()] if jdb == IMAGE else []
        self.jdb = debugger.Output(subprocess.Popen([jdb + '/bin/jdb', *own, '-connect', connector],
                                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                    stderr=subprocess.STDOUT, bufsize=0))

    def run(self):
        answers = []
        self.jdb.wait(0, r'> $')
        for command, ends in SESSION:
            start = len(self.jdb.text)
            self.jdb.write(command)
            lines = debugger.lines_of(self.jdb.wait(start, ends))
            if command == 'threads':                          # each VM has threads of its own
                lines = [OWN_THREADS.sub(') ', x) for x in lines if re.search(r'main|worker|Finalizer', x)]
            answers.append((command, sorted(lines)))
        return answers


def transcript(jdb, home):
    session = Session(jdb, home)
    try:
        return session.run()
    finally:
        debugger.stop(session.jdb)


def main():
    os.makedirs(CLASSES, exist_ok=True)
    subprocess.run([*harness.javac(HOTSPOT), '-g', '-d', CLASSES, os.path.join(TESTS, 'jdb', 'Debuggee.java')],
                   check=True)
    expected = transcript(HOTSPOT, HOTSPOT)
    if '--print' in sys.argv:
        for command, lines in expected:
            print('>', command, *lines, sep='\n    ')
    text = '\n'.join('\n'.join(lines) for _, lines in expected)
    for needed in ('sum = 13', '"r=13"', 'Exception occurred: Debuggee$Trouble', 'r = 100', 'd.total = 13'):
        if needed not in text:
            sys.exit('HotSpot: no "%s" in\n%s' % (needed, text))
    shown = rows.Shown('jdb')
    failed = False
    for jdb, home in ((HOTSPOT, IMAGE), (IMAGE, HOTSPOT)):
        actual = transcript(jdb, home)
        for (command, wanted), (_, lines) in zip(expected, actual):
            shown.add([command + ': ' + line for line in wanted])
            if wanted != lines:
                failed = True
                print('%s on %s: %s\n  expected %s\n  found    %s' % (jdb, home, command, wanted, lines))
    for row in shown.missing():
        failed = True
        print(row)
    sys.exit(1 if failed else 0)


main()
