"""-javaagent and Launcher-Agent-Class with the JDK's own libinstrument: the same program on HotSpot and on our VM."""
import difflib
import os
import re
import shutil
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
SOURCES = os.path.join(TESTS, 'javaagent')
CLASSES, WRAPPED, EXTRA = (os.path.join(WORK, d) for d in ('classes', 'wrapped', 'extra'))
MANIFEST = '''Premain-Class: Agent
Agent-Class: Agent
Launcher-Agent-Class: Agent
Main-Class: Launched
Can-Redefine-Classes: true
Can-Retransform-Classes: true
Can-Set-Native-Method-Prefix: true
'''
failed = []


def tool(name, *args):
    subprocess.run([os.path.join(HOTSPOT, 'bin', name), *args], check=True, stdout=subprocess.DEVNULL)


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    for d in (CLASSES, WRAPPED, EXTRA):
        os.makedirs(d)
    natives = os.path.join(WORK, 'Natives.java')
    shutil.copy(os.path.join(SOURCES, 'NativesWrapped.java.txt'), natives)
    tool('javac', '-d', CLASSES, *[os.path.join(SOURCES, f) for f in sorted(os.listdir(SOURCES))
                                   if f.endswith('.java')])
    tool('javac', '-d', WRAPPED, natives)
    tool('javac', '-d', EXTRA, *[os.path.join(SOURCES, 'extra', f) for f in ('Boot.java', 'Systems.java')])
    tool('jar', 'cf', WORK + '/boot.jar', '-C', EXTRA, 'extra/Boot.class')
    tool('jar', 'cf', WORK + '/system.jar', '-C', EXTRA, 'extra/Systems.class')
    with open(WORK + '/manifest', 'w', encoding='utf-8') as f:
        f.write(MANIFEST)
    tool('jar', 'cfm', WORK + '/agent.jar', WORK + '/manifest', '-C', CLASSES, '.')


def run(java, args):
    r = subprocess.run([*harness.java(java), '-Xshare:off', *(harness.vm_options() if java == IMAGE else []), *args],
                       capture_output=True, text=True,
                       timeout=300 * harness.time_scale(), errors='replace', env=harness.environment(java == IMAGE))
    lines = (r.stdout + r.stderr + 'exit %d\n' % r.returncode).splitlines()
    return [line for line in lines if not re.match(r'[VCJjv]+ +\[|Native frames|$', line)]


def same(what, args, must_contain, library=None):
    expected = run(HOTSPOT, [*args, harness.agent_library(BUILD, library, False)] if library else args)
    if any(line not in expected for line in must_contain):
        failed.append(what)
        print('%s: HotSpot did not do it\n%s' % (what, '\n'.join(expected)))
        return
    actual = run(IMAGE, [*args, harness.agent_library(BUILD, library, True)] if library else args)
    if expected != actual:
        failed.append(what)
        print('\n'.join(difflib.unified_diff(expected, actual, what + ' hotspot', 'vitrine', lineterm='', n=3)))


def main():
    prepare()
    agent = '-javaagent:%s/agent.jar' % WORK
    same('premain', [agent + '=' + WORK, '-cp', CLASSES, 'Program', CLASSES],
         ['HELLO world', 'native: 1008', 'register Natives.value: 0', 'then: 1107', 'boot class, loader null',
          'system class, loader true', 'exit 0'], 'prefixed')
    same('launcher agent', ['-jar', WORK + '/agent.jar', 'x'], ['agentmain', 'true', 'exit 0'])
    same('two agents', [agent, agent, '-cp', CLASSES, 'Launched'], ['premain', 'exit 0'])
    same('agent that fails', [agent + '=/nowhere', '-cp', CLASSES, 'Launched'],
         ['premain: redefine true retransform true prefix true', 'exit -6'])
    same('no agent there', ['-javaagent:%s/none.jar' % WORK, '-cp', CLASSES, 'Launched'], ['exit 1'])
    same('jar without agent', ['-javaagent:%s/boot.jar' % WORK, '-cp', CLASSES, 'Launched'], ['exit 1'])
    sys.exit(1 if failed else 0)


main()
