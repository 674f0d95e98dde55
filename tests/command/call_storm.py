"""AsyncGetCallTrace 5,000 times a second on each thread while javac compiles in two threads, its methods compiled when
they are hot, or all of them, and with the events of their entries and exits: each of the stacks (STORM_STACKS, 20,000)
is whole (tests/agents/call_storm.c)."""
import os

import harness
from checks import BUILD, CLASSES, IMAGE, TESTS, WORK, check, compile_sources, equal, finish

STACKS = int(os.environ.get('STORM_STACKS', '20000'))
SOURCES = ['language/ControlFlow', 'language/Lambdas', 'language/SwitchForms', 'exceptions/ExceptionBasics',
           'invoke/MethodHandleCombinators', 'threads/ManyThreads']
SAID = '''compiled: 0
places: many
enough: yes
kind 1: yes
kind 2: yes
kind 3: yes
'''


def storm(mode, *more):
    agent = f'-agentpath:{harness.agent_library(BUILD, "call_storm", True)}={STACKS}'
    command = [*harness.java(IMAGE), mode, agent, *more, '-Xmx256m', '-cp', CLASSES, 'Storm', os.path.join(WORK, 'out'),
               *(os.path.join(TESTS, 'differential', name + '.java') for name in SOURCES)]
    outcome = harness.run(command, WORK, (300 + STACKS // 500) * harness.time_scale(), ours=True)
    check(outcome.code == 0 and not outcome.timed_out, mode,
          f': {outcome.ended()}\n{outcome.err.decode(errors="replace")}')
    equal(outcome.out.decode(errors='replace') + outcome.err.decode(errors='replace'), SAID, mode)


def main():
    os.makedirs(os.path.join(WORK, 'out'), exist_ok=True)
    compile_sources('jvmti', 'Storm')
    for mode in ('-XX:TieredStopAtLevel=1', '-Xcomp'):
        storm(mode)
    methods = harness.agent_library(BUILD, 'under_watch', True)
    storm('-Xcomp', f'-agentpath:{methods}=methods,{os.path.join(WORK, "watched")}')
    finish()


main()
