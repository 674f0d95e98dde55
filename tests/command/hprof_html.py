"""The HPROF agent's page (format=html), read without a browser: its stacks are those of the text and collapsed forms of
the same run, its classes those of the text form's table of sites; names of any kind do no harm; it needs nothing but
itself. The overhead that profiles measure for themselves.

The same library on HotSpot and on our VM."""
import re

import hprof_page
import pages_profile
import hprof_run as t
from hprof_dump import Text
from hprof_page import Page, Report
from pages_profile import EVIL, THREAD


def profile(vm, java):
    """(text, page, collapsed)"""
    page, stacks = t.path(vm, 'page.html'), t.path(vm, 'page.collapsed')
    text = pages_profile.profile(vm, java, [('html', page), ('collapsed', stacks)])
    return text, Page(page), hprof_page.collapsed(stacks)


def same_numbers(vm, text, page, collapsed):
    report = Report(text)
    t.equal(page.units, {'cpu': 'samples', 'allocation': 'bytes', 'contention': 'nanoseconds'}, vm + ': kinds')
    for kind, wanted in (('cpu', report.samples), ('allocation', report.allocated)):
        found = page.stacks[kind]
        t.check(found == wanted, '%s: %s: page and text differ in %s' % (vm, kind,
                                                                    list(set(found.items()) ^ set(wanted.items()))[:5]))
    waits = page.stacks['contention']
    total = sum(waits.values())
    t.equal(total // 1000000, report.waited, vm + ': contention')
    t.check(set(waits) == set(report.waits) and all(abs(100 * n / total - report.waits[s]) < 0.006 for s,
                                                    n in waits.items()),
            '%s: contention: %s, text %s' % (vm, waits, report.waits))
    t.check(hprof_page.as_collapsed(page.stacks) == collapsed, vm + ': page and collapsed stacks differ')
    for name, count in (('Pages$Item', 20), (EVIL, 5), ('Pages$Gate', 1)):
        t.equal((page.classes.get(name), page.classes.get(name, (0,))[0]), (report.live.get(name), count),
                '%s: %s' % (vm, name))
    total_live = [sum(size for _, size in of.values()) for of in (page.classes, report.live)]
    t.check(abs(total_live[0] - total_live[1]) < total_live[1] / 10, '%s: bytes of all classes: %s' % (vm, total_live))


def known_content(vm, page):
    def of(kind, *end):
        return [s for s in page.stacks[kind] if s[-len(end):] == end]
    t.equal(of('cpu', 'Pages.main', 'Pages.gr\u00f6\u00dfe', 'Pages.hot'),
            [('main', 'Pages.main', 'Pages.gr\u00f6\u00dfe', 'Pages.hot')], vm + ': hot')
    item = [page.stacks['allocation'][s] for s in of('allocation', 'Pages.recurse', 'Pages.recurse', 'Pages.allocate',
                                                     'Pages$Item')]
    in_thread = [page.stacks['allocation'][s] for s in of('allocation', 'Pages.inThread', 'Pages.allocate',
                                                          'Pages$Item') if s[0] == THREAD]
    t.check(len(item) == 1 and item == in_thread and item[0] % 10 == 0 and item[0] >= 240,
            '%s: items %s, %s' % (vm, item, in_thread))
    t.equal(len(of('allocation', EVIL + '.make', EVIL)), 1, vm + ': class with a strange name')
    t.check([s for s in page.stacks['contention'] if (s[0], s[-1]) == (THREAD, 'Pages$Gate')], vm + ': contention')
    t.check(page.data['program'].startswith('Pages') and page.data['vm'] and page.data['version'], vm + ': heading')
    t.equal(page.alone(), None, vm + ': page')


def at_the_end(vm, java):
    """A page as the file of a run, without what redact=y leaves out; overwritten as a whole."""
    out = t.path(vm, 'redacted.html')
    with open(out, 'w') as f:
        f.write('x' * 3_000_000)
    t.good(java, 'cpu=times,heap=sites,monitor=y,thread=y,redact=y,format=html,verbose=n,file=' + out, 'Pages', 'end')
    page = Page(out)
    t.equal(page.alone(), None, vm + ': redacted page')
    t.equal((page.data['program'], page.data['depth']), ('', 128), vm + ': heading of the redacted page')
    t.check('img' not in page.json and 'main' not in {name for kind, name in page.data['frames'] if kind == 't'},
            vm + ': names of threads')
    threads = {s[0] for s in page.stacks['cpu'] if s[-1] == 'Pages.inThread'}
    t.check(len(threads) == 1 and re.fullmatch(r'thread-\d+', threads.pop()), vm + ': a thread without its name')
    t.check('Pages$Gate' in {s[-1] for s in page.stacks['contention']},
            '%s: contention %s' % (vm, page.stacks['contention']))
    t.check(page.text.endswith('</html>\n'), vm + ': end of the page')


def overhead(vm, java, text, page):
    """In the heading of a text file, or behind what was sent away already; in the page; in pprof's comments."""
    t.check(len(text.overheads) == 1 and text.lines[1] == text.overheads[0],
            '%s: overhead in the heading: %s' % (vm, text.overheads))
    spent, process, share = (float(x) for x in Text.OVERHEAD.fullmatch(text.lines[1]).groups())
    t.check(spent > 0 and process > 0
            and abs(share - 100 * spent / process) <= 0.01 + 100 * (0.0005 / process + 0.0005 * spent / process ** 2),
            vm + ': ' + text.lines[1])
    figures = page.data['overhead']
    t.check(figures['spent'] >= spent * 1e9 - 500000 and figures['process'] >= process * 1e9 - 500000,
            '%s: overhead of the page %s' % (vm, figures))
    out = t.path(vm, 'overhead.txt.gz')
    t.good(java, 'cpu=times,gzip=y,verbose=n,file=' + out, 'Pages', 'end')
    x = Text(out)
    t.check(len(x.overheads) == 1 and x.lines[-2] == x.overheads[0]
            and float(Text.OVERHEAD.fullmatch(x.lines[-2])[1]) > 0, vm + ': overhead, gzip=y')
    out = t.path(vm, 'overhead.pb')
    t.good(java, 'cpu=times,format=pprof,verbose=n,file=' + out, 'Pages', 'end')
    t.check(re.search(rb'Overhead: +\d+\.\d{3} s of ', open(out, 'rb').read()), vm + ': overhead, pprof')


def main():
    t.compile_programs('Pages')
    for vm, java in t.VMS:
        text, page, collapsed = profile(vm, java)
        same_numbers(vm, text, page, collapsed)
        known_content(vm, page)
        at_the_end(vm, java)
        overhead(vm, java, text, page)
        r = t.run(java, 'format=html,gzip=y', 'Pages', 'end')
        t.check(r.returncode == 1 and "bad option 'format=html'" in r.stderr, vm + ': gzip=y: ' + r.stderr[:300])
    t.finish()


main()
