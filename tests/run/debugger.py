"""A session with jdb: commands are typed as jdb asks for them, never sooner, and each answer is gathered."""
import os
import re
import subprocess
import threading

import harness

LIMIT = 300 * harness.time_scale()
# What jdb asks with: "> " without a thread, else the name of the program's thread and the frame. The loop that reads
# commands and the one that shows events both ask, so that two prompts follow a command that lets the program go on, and
# one may stand anywhere in what the other loop prints.
PROMPT = re.compile(r'(?<!\w)> |(?:main|worker|left|right)\[\d+\] ')


class Output:
    """What a process writes, gathered as it comes."""

    def __init__(self, process):
        self.process, self.text, self.ended, self.changed = process, '', False, threading.Condition()
        self.thread = threading.Thread(target=self.gather, daemon=True)
        self.thread.start()

    def gather(self):
        while not self.ended:
            data = os.read(self.process.stdout.fileno(), 65536)
            with self.changed:
                self.text += data.decode(errors='replace')
                self.ended = not data
                self.changed.notify_all()

    def wait(self, start, pattern, prompts=0):
        """The text from `start` on, once `pattern` is found in it and at least so many prompts."""
        matches = re.compile(pattern, re.S)

        def there():
            text = self.text[start:]
            return matches.search(text) and len(PROMPT.findall(text)) >= prompts
        with self.changed:
            self.changed.wait_for(lambda: self.ended or there(), LIMIT)
            if not there():
                raise RuntimeError('waited for %r and %d prompts after:\n%s' % (pattern, prompts, self.text[-1500:]))
            return self.text[start:]

    def write(self, line):
        self.process.stdin.write((line + '\n').encode())


def start(command, ours):
    return Output(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   bufsize=0, env=harness.environment(ours)))


def stop(output):
    output.process.kill()
    output.process.wait()
    output.thread.join()
    output.process.stdin.close()
    output.process.stdout.close()


def lines_of(text):
    """The lines of an answer without prompts and alignment."""
    lines = [re.sub(r' +', ' ', PROMPT.sub('', line)).strip() for line in text.splitlines()]
    return [line for line in lines if line]
