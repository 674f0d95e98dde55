"""JVMPI: agents written to include/jvmpi.h drive every function, event and dump on our VM. HotSpot has no such
interface any more: results are compared with exact expectations of deterministic programs, and with what a JVM TI
environment says of the same heap in the same run. tests/jvmpi/rows.tsv tells which check asserts which row of the
check-list."""
import os
import re
import shutil
import subprocess
import sys

import harness
import rows

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k] for k in ('HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
CLASSES = os.path.join(WORK, 'classes')
AGENTS = os.path.join(BUILD, 'tests/agents')
# Events asks what one collection frees, and what was lost is to be there until then; Dumps compares two walks of a
# heap, and what other collections have found dead would be unlinked between them.
WITHOUT_STRESS = ('Events', 'Dumps')
failed = []
shown = rows.Shown('jvmpi')


def run(options, program, *args, library_path=AGENTS):
    mode = [o for o in harness.vm_options() if program not in WITHOUT_STRESS or 'CollectEvery' not in o]
    command = [*harness.java(IMAGE), '-Xmx128m', *mode, *options, '-cp', CLASSES, program, *args]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300 * harness.time_scale(), errors='replace',
                       env=dict(os.environ, LD_LIBRARY_PATH=library_path))
    return r.stdout, r.stderr, r.returncode


def check(ok, what, output=''):
    print(('ok ' if ok else 'FAILED ') + what)
    shown.add(['ok ' + what])
    if not ok:
        failed.append(what)
        print(output[-6000:])


def program(name, options, code, *args, vm_options=()):
    """A program of tests/jvmpi that checks by itself: one line for each check."""
    out, err, exit_code = run(['-Xrunprofiler:' + options, *vm_options], name, *args)
    lines = [line for line in out.splitlines() if re.match(r'(ok|FAILED) ', line)]
    good = exit_code == code and 'all as expected' in out and lines and not any(line.startswith('FAILED')
                                                                                for line in lines)
    shown.add(lines, name)
    check(good, '%s: %d checks, exit %d' % (name, len(lines), exit_code), out + err)
    check('Agent_OnUnload' in out, '%s: the agent is notified of the end' % name, out + err)


def startup():
    out, err, code = run(['-Xrunprofiler:fail'], 'Churn')
    check(code == 1 and '-Xrun library failed to init: profiler' in out + err, 'JP-003: JVM_OnLoad answers JNI_ERR',
          out + err)
    out, err, code = run(['-Xrunnosuchprofiler'], 'Churn')
    check(code == 1 and 'Could not find agent library nosuchprofiler' in out + err, 'JP-001: no such library',
          out + err)
    out, err, code = run(['-Xrunprofiler:x', '-Xrunprofiler_refused'], 'Churn')
    check(code == 0 and 'second agent: -1 nothing' in out
          and 'only one profiler agent is supported; profiler_refused is refused' in out + err,
          'JP-007 JP-008 JP-009: both are started in order, and the second is refused', out + err)
    out, err, code = run(['-Xrunprofiler_refused'], 'Churn')
    check(code == 0 and 'second agent: 0 an interface' in out and 'shared' in out,
          'JP-003: no options; an interface without NotifyEvent sends nothing', out + err)
    out, err, code = run(['-Xrunthreads'], 'Churn')
    check('Could not find' not in out + err, 'JP-008: a library with only Agent_OnLoad', out + err)
    directory = os.path.join(WORK, 'by_path')
    os.makedirs(directory, exist_ok=True)
    shutil.copy(os.path.join(AGENTS, 'libprofiler_refused.so'), os.path.join(directory, 'libelsewhere.so'))
    out, err, code = run(['-Xrunelsewhere'], 'Churn', library_path=directory)
    check(code == 0 and 'second agent: 0' in out, 'JP-001: found by LD_LIBRARY_PATH', out + err)


def example():
    """The tracer of examples/jvmpi, built as its first lines say."""
    directory = os.path.join(WORK, 'example')
    os.makedirs(directory, exist_ok=True)
    root = os.path.dirname(TESTS)
    subprocess.run(['cc', '-shared', '-fPIC', '-Wall', '-Wextra', '-Werror', '-I' + root + '/include',
                    '-I' + HOTSPOT + '/include', '-I' + HOTSPOT + '/include/linux',
                    '-o', directory + '/libtracer.so', root + '/examples/jvmpi/tracer.c'], check=True)
    out, err, code = run(['-Xruntracer:Churn'], 'Churn', library_path=directory)
    loaded = [x for x in out.splitlines() if x.startswith('loaded ')]
    check(code == 0 and loaded[:1] == ['loaded Churn: 9 methods, 2 static and 0 instance fields']
          and all('Churn' in x for x in loaded) and len(loaded) >= 4,
          'JP-002 JP-045: the example', out + err)


def ids():
    for options in ([], ['-XX:CollectEvery=20000']):
        account(options)


def account(options):
    out, err, code = run(['-Xrunprofiler_ids', *options], 'Churn')
    line = [x for x in out.splitlines() if 'violations' in x]
    wanted = ('0 violations; collections many, unpaired 0, objects many, freed many, methods many, classes unloaded '
              'some, threads many, moved 0')
    check(code == 0 and line == [wanted] and 'FAILED' not in out,
          'JP-046 JP-068 JP-069 JP-070 JP-071 JP-072 JP-073 JP-075 JP-078 JP-083 JP-086 JP-112: every id is defined '
          'before it is used, and ends once %s' % options, out + err)


def main():
    os.makedirs(CLASSES, exist_ok=True)
    sources = [os.path.join(TESTS, 'jvmpi', f) for f in sorted(os.listdir(os.path.join(TESTS, 'jvmpi')))
               if f.endswith('.java')]
    subprocess.run([*harness.javac(HOTSPOT), '-g', '-d', CLASSES, *sources], check=True)
    program('Functions', 'x', 7, '7')        # JP-016 JP-060: ProfilerExit ends the VM with its code
    program('Events', 'CLASS_LOAD_HOOK,JVM_INIT_DONE', 0)
    program('Dumps', 'x', 0)
    program('CompiledMethods', 'x', 0, vm_options=['-Xcomp', '-XX:TieredStopAtLevel=1'])
    program('CompiledMethods', 'x', 0, 'optimised', vm_options=['-Xcomp', '-XX:TieredStopAtLevel=4'])
    startup()
    example()
    ids()
    for row in list(shown.missing()):
        check(False, row)
    sys.exit(1 if failed else 0)


main()
