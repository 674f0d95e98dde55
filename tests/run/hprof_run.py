"""What the HPROF tests share: programs compiled once, runs on both VMs with the same library, waiting programs, a place
to send a profile to."""
import os
import socket
import subprocess
import sys
import threading
import time

import harness
import hprof_dump
# noqa: F401
from checks import BUILD, CLASSES, HOTSPOT, IMAGE, LIBRARY, TESTS, VMS, WORK, check, compile_sources, equal, same, \
    shown, tool
from checks import finish as finish_checks

AGENT = os.path.join(BUILD, 'libhprof.so')
# Else HotSpot says of each library that is attached that this will be forbidden.
QUIET = ['-XX:+EnableDynamicAgentLoading'] if int(LIBRARY) >= 21 else []


def finish():
    shown.add('read: ' + part for part in sorted(hprof_dump.PARTS))
    finish_checks()


def compile_programs(*names):
    compile_sources('hprof', *names)


def path(vm, name):
    """A file of this test's, not there yet."""
    where = os.path.join(WORK, vm + '.' + name)
    if os.path.exists(where):
        os.remove(where)
    return where


def command(java, options, *arguments, java_options=()):
    agent = ['-agentpath:%s%s' % (AGENT, '' if options is None else '=' + options)] if options is not False else []
    # Compiled code may leave out allocations and calls that are written in the program: so HotSpot interprets. Ours
    # does what the mode says.
    mode = ['-Xint'] if java == HOTSPOT else list(harness.vm_options())
    return harness.java(java) + mode + list(java_options) + ['-cp', CLASSES] + agent + list(arguments)


def run(java, options, *arguments, java_options=(), cwd=None, **more):
    return subprocess.run(command(java, options, *arguments, java_options=java_options), capture_output=True, text=True,
                          timeout=600,
                          cwd=cwd or WORK, **more)


def good(java, options, *arguments, **more):
    """A run that must end well."""
    r = run(java, options, *arguments, **more)
    check(r.returncode == 0, '%s %s: exit %d, "%s"' % (java, options, r.returncode, r.stderr[-2000:]))
    return r


class Waiting:
    """A program that prints "ready" and waits for a line; its output is in a file."""
    def __init__(self, arguments, where):
        self.path = where
        self.out = open(where, 'w')
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=self.out, stderr=subprocess.STDOUT,
                                        cwd=WORK)
        self.wait_for('ready')

    def text(self):
        return open(self.path).read()

    def said(self, words):
        """How many lines end with these words. Words inside a line may be a thread dump's: a frame in
        java.lang.invoke.DirectMethodHandle.preparedLambdaForm is no "prepared"."""
        return self.text().count(words + '\n')

    def wait_for(self, words, count=1):
        self.until(lambda: self.said(words) >= count, 'no "%s" in "%s"' % (words, self.text()[-2000:]))

    def until(self, condition, what):
        deadline = time.time() + 300
        while not condition():
            if time.time() > deadline or self.process.poll() is not None:
                print('FAIL: %s: %s' % (self.path, what))
                self.process.kill()
                sys.exit(1)
            time.sleep(0.05)

    def say(self):
        self.process.stdin.write(b'\n')
        self.process.stdin.flush()

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=300)
        self.out.close()
        return code


def attach(waiting, options):
    """jcmd's answer."""
    return tool('jcmd', waiting.process.pid, 'JVMTI.agent_load', AGENT, '"%s"' % options).stdout


class Listener:
    """Accepts one connection and reads `most` bytes of it (all: None)."""
    def __init__(self, most=None):
        self.data, self.most = b'', most
        self.server = socket.create_server(('127.0.0.1', 0))
        self.port = self.server.getsockname()[1]
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        connection, _ = self.server.accept()
        while self.most is None or len(self.data) < self.most:
            part = connection.recv(65536)
            if not part:
                break
            self.data += part
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')      # closed with a reset
        connection.close()

    def end(self):
        self.thread.join(300)
        self.server.close()
        return self.data
