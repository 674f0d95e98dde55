"""javac under the class histogram: at the same point, after a collection, the counts of all com.sun.tools.javac classes
equal HotSpot's."""
import os
import re
import subprocess
import sys
from pathlib import Path

import sources

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))
FILES = 60
# The first generated method body needs this class: everything is attributed, nothing is generated.
HEIGHT = 'com.sun.tools.javac.jvm.Code$State'
EXCEPTIONS = [
    # Lambdas have addresses in their names, and those that capture nothing are held by their call sites, which
    # HotSpot's FollowReferences does not report and ours does.
    re.compile(r'\$\$Lambda'),
    # Class.enumConstants keeps a second array of the constants; HotSpot does not report the instance fields of Class
    # objects.
    re.compile(r'Flags\$Flag\[\]$'),
]
# Differs from run to run on HotSpot itself (162211 to 162485 in five runs, also with -Xint): identity hash codes order
# some of javac's tables.
ROUGHLY = {'com.sun.tools.javac.util.List': 0.005}


def histogram(java, work, files):
    out = work / (java.name + '.txt')
    agent = '-J-agentpath:%s/libhistogram.so=at=%s,gc,filter=^com\\.sun\\.tools\\.javac\\.,file=%s' % (BUILD, HEIGHT,
                                                                                                       out)
    arguments = work / 'arguments'
    arguments.write_text('\n'.join(['--patch-module=jdk.compiler=%s' % (work / 'src/jdk.compiler'), '-nowarn',
                                    '-Xlint:none', '-proc:none',
                                    '-XDcompilePolicy=simple', '-d', str(work / (java.name + '.classes')), *files]))
    r = subprocess.run([str(java / 'bin/javac'), '-J-Xmx512m', agent, '@%s' % arguments], capture_output=True,
                       text=True, timeout=900)
    if r.returncode != 0 or not out.exists():
        sys.exit('%s: exit %d\n%s%s' % (java, r.returncode, r.stdout, r.stderr))
    counts = {}
    for line in out.read_text().splitlines()[2:]:
        columns = line.split(None, 3)
        if columns[0] != 'Total' and not any(e.search(columns[3]) for e in EXCEPTIONS):
            counts[columns[3]] = int(columns[1])
    return counts


def main():
    work = Path(WORK)
    work.mkdir(parents=True, exist_ok=True)
    files = sources.extract(Path(HOTSPOT), work / 'src', {'jdk.compiler': FILES})['jdk.compiler']
    theirs, ours = histogram(Path(HOTSPOT), work, files), histogram(Path(IMAGE), work, files)
    differ = []
    for name in sorted(theirs.keys() | ours.keys()):
        a, b = theirs.get(name, 0), ours.get(name, 0)
        if abs(a - b) > ROUGHLY.get(name, 0) * a:
            differ.append((name, a, b))
    for name, a, b in differ:
        print('%s: HotSpot %d, ours %d' % (name, a, b))
    print('%d classes, %d instances compared' % (len(theirs), sum(theirs.values())))
    sys.exit(1 if differ or len(theirs) < 200 else 0)


main()
