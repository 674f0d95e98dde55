#!/usr/bin/env python3
"""header_check.py: our jvmti.h against those of JDKs, and the checked-in generated files against their source.

    header_check.py SOURCE_DIR WORK_DIR JDK...

1. include/jvmti.h and docs/jvmti-coverage.md are what spec/jvmti.def gives.
2. Every constant, offset, size and capability bit that a JDK's jvmti.h has is the same in ours (compiled, then
compared). 3. Every function prototype, event and callback type, structure member and C++ method of a JDK's header
stands in ours
   with the same types (compared as tokens, comments and spacing apart).
4. The generator refuses rows that it does not understand, naming their line; and this check finds a changed header.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'run'))
import rows  # noqa: E402

# Structures that grow with the version: a tool passes their size or reads only what it knows.
GROWS = {'sizeof jvmtiEventCallbacks'}
# Names whose value is the header's own version.
OWN = {'JVMTI_VERSION', 'JVMTI_MAX_EVENT_TYPE_VAL'}

failures = 0


def fail(what):
    global failures
    failures += 1
    print('FAIL: ' + what)


def tokens(text):
    return ' '.join(re.findall(r'\w+|[^\s\w]', text))


def strip(text):
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    return re.sub(r'^\s*#.*$', '', text, flags=re.M)


def facts(path):
    """Everything a source could depend on, by name."""
    text = strip(open(path, encoding='utf-8', errors='replace').read())
    out = {}
    for m in re.finditer(r'(\w[\w ]*?)\s*\(\s*JNICALL\s*\*\s*(\w+)\s*\)\s*\(([^)]*)\)', text):
        out['type of ' + m[2]] = tokens(m[1]) + ' ( ' + params(m[3]) + ' )'
    for m in re.finditer(r'(?:struct|union)\s+(\w+)\s*\{([^{}]*)\}', text):
        if '(' not in m[2]:
            out['members of ' + m[1]] = ' ; '.join(tokens(x) for x in m[2].split(';') if x.strip())
    for m in re.finditer(r'jvmtiError\s+(\w+)\s*\(([^)]*)\)\s*\{', text):
        out['method ' + m[1]] = params(m[2])
    for m in re.finditer(r'\b(JVMTI_\w+)\s*=', text):
        out['constant ' + m[1]] = ''
    for m in re.finditer(r'typedef\s+([^;{}()]+?)(\w+)\s*;', text):
        out['typedef ' + m[2]] = tokens(m[1])
    return out


def params(text):
    """Parameter types without names, so that a different name is no difference."""
    out = []
    for p in text.split(','):
        words = tokens(p).split()
        if len(words) > 1 and re.match(r'\w+$', words[-1]) and words[-1] not in ('void', 'char', 'int'):
            words = words[:-1]
        if words and words != ['void']:
            out.append(' '.join(words))
    return ' , '.join(out)


def layout(source, work, jdk, version, include, name):
    exe = os.path.join(work, 'layout_' + name)
    subprocess.run([os.environ.get('CC', 'cc'), '-std=gnu17', '-Wall', '-Wextra', '-Werror',
                    '-Wno-missing-field-initializers',
                    '-DLAYOUT_TABLE=table_' + name, '-DLAYOUT_VERSION=%d' % version] +
                   ['-I' + i for i in include] +
                   ['-I' + os.path.join(source, 'tests/jvmti'), '-I' + jdk + '/include', '-I' + jdk + '/include/linux',
                    os.path.join(work, 'jvmti_layout.c'), os.path.join(source, 'tests/jvmti/layout_dump.c'), '-o', exe],
                    check=True)
    text = subprocess.run([exe], check=True, capture_output=True, text=True).stdout
    return dict(line.split(' = ') if ' = ' in line else line.split(' =', 1) for line in text.splitlines())


# A row of jvmti.def, and what it is changed to: each must be refused.
BROKEN_ROWS = [
    ('capability  0 ', 'capability  7 '), ('level global', 'level world'), ('phases onload,live', 'phases sometimes'),
    ('thread attached', 'thread maybe'), ('needs can_suspend ', 'needs can_fly '),
    ('errors THREAD_SUSPENDED', 'errors THREAD_ASLEEP'),
    ('function 5 ', 'function 6 '), ('function 7 ', 'function 700 '),
    ('enum   jvmtiEventMode', 'enun   jvmtiEventMode'),
    ('  jvmtiEventMode  enum', '  jvmtiEventModes  enum'), ('  alloc  no', '  allocated  no'),
    ('capability  20  can_suspend                                      1.0  built',
     'capability  20  can_suspend                                      1.0  later'),
    ('error  14 ', 'error  14  x '), ('event 50 ', 'event 50  x '),
]


def generator_refuses(source, work):
    text = open(source + '/spec/jvmti.def', encoding='utf-8').read()
    broken = os.path.join(work, 'broken.def')
    for before, after in BROKEN_ROWS:
        if before not in text:
            fail('self-test: jvmti.def has no "%s"' % before)
            continue
        open(broken, 'w', encoding='utf-8').write(text.replace(before, after, 1))
        r = subprocess.run([sys.executable, source + '/spec/gen_jvmti.py', broken, os.path.join(work, 'broken')],
                           capture_output=True, text=True)
        if r.returncode == 0 or not re.match(r'jvmti\.def:\d+: ', r.stderr):
            fail('self-test: the generator takes "%s" for "%s": %s' % (after, before, r.stderr))


def check_finds(work, ours):
    changed = os.path.join(work, 'changed.h')
    for before, after in (('jint *count_ptr', 'jlong *count_ptr'), ('(jthread thread)', '(jobject thread)'),
                          ('JVMTI_PHASE_DEAD', 'JVMTI_PHASE_GONE'), ('jlong reserved2', 'jint reserved2')):
        text = open(ours, encoding='utf-8').read()
        open(changed, 'w', encoding='utf-8').write(text.replace(before, after))
        if before not in text or facts(changed) == facts(ours):
            fail('self-test: "%s" instead of "%s" is not noticed' % (after, before))


def main():
    source, work, jdks = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(work, exist_ok=True)
    subprocess.run([sys.executable, source + '/spec/gen_jvmti.py', source + '/spec/jvmti.def', work], check=True)
    for made, kept in (('jvmti.h', 'include/jvmti.h'), ('jvmti-coverage.md', 'docs/jvmti-coverage.md')):
        if open(os.path.join(work, made)).read() != open(os.path.join(source, kept)).read():
            fail('%s is not what spec/jvmti.def gives; copy it from %s' % (kept, os.path.join(work, made)))
    shown = rows.Shown('lint.jvmti_header')
    ours_text = facts(os.path.join(source, 'include/jvmti.h'))
    for jdk in jdks:
        release = open(jdk + '/release').read()
        version = int(re.search(r'JAVA_VERSION="(\d+)', release)[1])
        theirs = layout(source, work, jdk, version, [], 'jdk%d' % version)
        ours = layout(source, work, jdk, 28, [source + '/include'], 'ours')
        shown.add('%s: %s' % fact for fact in theirs.items())
        for what, value in theirs.items():
            if what in GROWS:
                if int(ours[what]) < int(value):
                    fail('%s shrank against JDK %d' % (what, version))
            elif ours.get(what) != value:
                fail('%s: ours %s, JDK %d %s' % (what, ours.get(what), version, value))
        theirs_text = facts(jdk + '/include/jvmti.h')
        shown.add('%s: %s' % fact for fact in theirs_text.items())
        for what, value in theirs_text.items():
            if what.split()[-1] in OWN or re.search(r'reserved\d+', what):
                continue
            if ours_text.get(what) != value:
                fail('%s: ours "%s", JDK %d "%s"' % (what, ours_text.get(what), version, value))
        print('JDK %d: %d layout facts, %d source facts compared' % (version, len(theirs), len(theirs_text)))
    for row in shown.missing():
        fail(row)
    generator_refuses(source, work)
    check_finds(work, os.path.join(source, 'include/jvmti.h'))
    sys.exit(1 if failures else 0)


main()
