"""Compiled code seen from below (tests/embed/unwinds.c): the C library's unwinder and frame pointers lead through it
and its stubs at each instruction; clean-up code on both sides runs when a thread ends in a native method; threads that
end attached beneath compiled code leave nothing behind."""
import os
import re
from pathlib import Path

import harness
from checks import BUILD, CLASSES, IMAGE, WORK, check, compile_sources, equal, finish

HOME = f'-Djava.home={IMAGE}'
SAID = '''traced: 715
instructions: many, failures: 0
'''
ENDS = '''pthread_exit
  cleaned: bottom 1
  cleaned: top 1 2 3 4 5 6
  canceled: 0
pthread_exit, twice in Java
  cleaned: bottom 1
  cleaned: bottom 2
  cleaned: top 1 2 3 4 5 6
  canceled: 0
cancelled
  cleaned: bottom 3
  cleaned: top 1 2 3 4 5 6
  canceled: 1
destroy: 0
'''
BACKTRACE = ['unwinds', 'stub native_static_I_V', 'method three', 'method two', 'method one', 'stub enter', 'libjvm.so',
             'unwinds', 'libc.so.6', 'unwinds']
STUBS = {'enter', 'call', 'call_native_by_c', 'call_native', 'native_ended', 'try_enter', 'leaves_synchronized',
         'call_intrinsic', 'native_static_I_I', 'native_IJLIDFDFDFDFDFLI_L', 'call_leaf', 'invoke', 'runtime',
         'leave', 'enter_loop', 'give', 'resume', 'ended'}


def run(program, *arguments):
    command = [os.path.join(BUILD, 'tests/embed', program), os.path.join(BUILD, 'libjvm.so'), CLASSES, *arguments]
    outcome = harness.run(command, WORK, 300 * harness.time_scale(), ours=True)
    text = outcome.out.decode(errors='replace')
    check(outcome.code == 0 and not outcome.timed_out, f'{program} {arguments}',
          f': {outcome.ended()}\n{text}\n{outcome.err.decode(errors="replace")}')
    return text


def main():
    Path(WORK).mkdir(parents=True, exist_ok=True)
    compile_sources('jni', 'Unwinds', 'Exits')
    seen = set()
    for options in (['again', HOME, '-Xcomp'], ['all', HOME, '-Xcomp', '-XX:TieredStopAtLevel=1']):
        _, _, after = run('unwinds', *options).partition('backtrace\n')
        trace, _, rest = after.partition('  cleaned: bottom 0\n')
        equal(trace.replace('  ', '').splitlines(), BACKTRACE, f'{options}: a backtrace from a native method')
        equal(re.sub(r'^seen: .*\n', '', rest, flags=re.M), SAID + ENDS, f'{options}: walks, and threads that end')
        seen.update(re.findall(r'^seen: (\w+)$', rest, re.M))
    check(STUBS <= seen, f'stubs that are stepped through: {STUBS - seen} are not')
    said = run('exits', '3', 'all', HOME, '-Xcomp')
    check(said.count('destroy: 0\n') == 3 and said.count('alive 0, monitor 0 0\n') == 27 and 'alive 1' not in said,
          'threads that end beneath compiled code', f':\n{said}')
    finish()


main()
