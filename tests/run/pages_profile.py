"""The program tests/hprof/Pages.java, profiled while it runs, for the two tests of the HPROF page."""
import signal

import hprof_run as t
from hprof_dump import Text

# Of a thread and of a class in the program.
THREAD = '</script><img src=x onerror=alert(1)>;&amp;"\'\\u0041 \u00e9\u2028\U0001f600<!--'
EVIL = 'Evil<b>&"\''
HOT = 'Pages.hot'


def profile(vm, java, forms):
    """A run with all kinds of data, stopped when enough is there, and then written as text, and once more for each of
    `forms`: [(form, path)]. Answers the text."""
    out = t.path(vm, 'pages.txt')
    w = t.Waiting(t.command(java, 'heap=sites,cpu=samples,interval=2,monitor=y,thread=y,cutoff=0,depth=64,file=' + out,
                            'Pages', java_options=t.QUIET),
                  t.path(vm, 'pages.out'))
    dumps = 0

    def dump():
        nonlocal dumps
        dumps += 1
        w.process.send_signal(signal.SIGQUIT)
        w.wait_for('done.', dumps)
        return Text(out)
    w.until(lambda: sum(row[3] for row in dump().ranked('CPU SAMPLES') if row[5] == HOT) >= 20, 'not enough samples')
    w.say()
    w.wait_for('idle')
    t.check('return code: 0' in t.attach(w, 'stop'), vm + ': stop')
    text = dump()
    for form, path in forms:
        t.check('return code: 0' in t.attach(w, 'dump,format=%s,file=%s' % (form, path)),
                '%s: a copy as %s: %s' % (vm, form, w.text()[-500:]))
    t.check('return code: -1' in t.attach(w, 'dump,format=html'), vm + ': a copy without a place of its own')
    t.equal(w.end(), 0, vm + ': exit code')
    return text
