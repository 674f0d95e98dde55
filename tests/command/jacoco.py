"""JaCoCo's agent (Debian's libjacoco-java) finds the same coverage on HotSpot and on our VM."""
import os
import shutil
import struct
import subprocess
import sys

import harness

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
JARS = ['/usr/share/java/%s.jar' % j for j in ('org.jacoco.agent.rt', 'org.jacoco.core', 'asm', 'asm-commons',
                                               'asm-tree', 'asm-analysis')]
CLASSES, AGENT = os.path.join(WORK, 'classes'), os.path.join(WORK, 'agent.jar')


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), '--release', '8', '-Xlint:-options', '-g', '-d', CLASSES,
                    os.path.join(TESTS, 'jacoco/Covered.java')], check=True)
    manifest = os.path.join(WORK, 'manifest')
    with open(manifest, 'w', encoding='utf-8') as f:
        path = 'Class-Path: ' + ' '.join(JARS)
        lines = [path[:70]] + [' ' + path[i:i + 69] for i in range(70, len(path), 69)]
        f.write('Premain-Class: org.jacoco.agent.rt.internal.PreMain\n%s\n' % '\n'.join(lines))
    subprocess.run([HOTSPOT + '/bin/jar', 'cfm', AGENT, manifest], check=True)


def probes(path):
    """{class: (id, probes)} of JaCoCo's execution data: blocks of a header, sessions and classes."""
    with open(path, 'rb') as f:
        data = f.read()
    found, at = {}, 0

    def text():
        nonlocal at
        n = struct.unpack_from('>H', data, at)[0]
        at += 2 + n
        return data[at - n:at].decode()

    def variable():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if not byte & 0x80:
                return value

    while at < len(data):
        kind = data[at]
        at += 1
        if kind == 0x01:
            at += 4
        elif kind == 0x10:
            text()
            at += 16
        else:
            assert kind == 0x11, kind
            ident = struct.unpack_from('>Q', data, at)[0]
            at += 8
            name = text()
            count = variable()
            bits = data[at:at + (count + 7) // 8]
            at += len(bits)
            found[name] = (ident, [bits[i // 8] >> i % 8 & 1 for i in range(count)])
    return found


def run(java, what):
    path = os.path.join(WORK, what + '.exec')
    options = harness.vm_options() if java == IMAGE else []
    r = harness.run([*harness.java(java), '-Xshare:off', *options,
                     '-javaagent:%s=destfile=%s,includes=Covered*' % (AGENT, path), '-cp', CLASSES, 'Covered'],
                    WORK, 300 * harness.time_scale(), ours=java == IMAGE)
    return (r.out.decode(errors='replace'), r.err.decode(errors='replace'),
            r.ended()), probes(path) if os.path.exists(path) else {}


def main():
    if not all(os.path.exists(j) for j in JARS):
        print('libjacoco-java is missing: scripts/install.sh')
        sys.exit(77)
    prepare()
    expected, coverage = run(HOTSPOT, 'hotspot')
    own = coverage.get('Covered', (0, []))[1]
    if expected[2] != 'exit 0' or not any(own) or all(own) or 'Covered$Square' not in coverage:
        print('JaCoCo did not do its work on HotSpot: %s %s' % (expected, coverage))
        sys.exit(77)
    actual, found = run(IMAGE, 'vitrine')
    if expected != actual or coverage != found:
        print('hotspot: %s %s\nvitrine: %s %s' % (expected, coverage, actual, found))
        sys.exit(1)


main()
