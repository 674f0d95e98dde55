"""The page of the HPROF agent (format=html) in headless Chromium, without a driver: what is to be shown stands in the
address. It opens, its numbers are those of the text report of the same run, search, zoom, sorting, keys and both colour
schemes work, and names do no harm. Skipped where there is no Chromium.

One page of our VM: hprof_html compares the pages of both VMs without a browser."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import pages_profile
import hprof_run as t
from hprof_page import Dom, Page, Report
from pages_profile import EVIL, HOT, THREAD

ROWS_AT_FIRST = 200                      # of a table; the rest comes on request
# Of a process without a display, in a sandbox of its own or as root. As few processes as can be, none that is watched
# by a clock, and nothing that asks the network or the desktop: what else may keep a browser from starting where much
# else runs.
BROWSER = ['--headless', '--no-sandbox', '--no-zygote', '--in-process-gpu', '--disable-gpu', '--disable-gpu-watchdog',
           '--disable-hang-monitor', '--disable-dev-shm-usage',
           '--disable-breakpad', '--no-first-run', '--disable-extensions', '--disable-background-networking',
           '--disable-component-update', '--disable-sync',
           '--password-store=basic']


def profile():
    """(page, what the text says of the same run)"""
    page = t.path('vitrine', 'page.html')
    return page, Report(pages_profile.profile('vitrine', t.IMAGE, [('html', page)]))


def opened(browser, page, options=(), **shown):
    """What the browser makes of the page at an address. Each start has a directory of its own, that nobody has used
    before, for all that it keeps."""
    address = 'file://%s#%s' % (page, urllib.parse.urlencode(shown))
    # not in the build directory: the browser makes a socket in it, whose path has to be short
    directory = tempfile.mkdtemp(prefix='chromium')
    env = dict(os.environ, HOME=directory, TMPDIR=directory, XDG_CONFIG_HOME=directory, XDG_CACHE_HOME=directory,
               DBUS_SESSION_BUS_ADDRESS='disabled:')
    r = subprocess.run([browser, *BROWSER, *options, '--user-data-dir=' + directory, '--dump-dom', address],
                       capture_output=True, env=env, timeout=600)
    shutil.rmtree(directory, ignore_errors=True)
    if not t.check(r.returncode == 0 and b'</html>' in r.stdout,
                   'Chromium does not open the page: exit code %d, %d bytes' % (r.returncode, len(r.stdout))):
        print(r.stderr.decode(errors='replace')[-4000:])
        t.finish()
    return Dom(r.stdout.decode()).root


def found(root):
    """The numbers of the line that says what is shown."""
    return root.by_id('found').values()


def table(root):
    """{first column: [numbers]}, in the order of the rows"""
    body = root.by_id('table').all(lambda e: e.tag == 'tbody')[0]
    return {row.children[0].words(): row.values() for row in body.children}


def frames(root):
    """{description: element}"""
    return {e.attributes['title']: e for e in root.by_id('graph').children}


def readable(name):
    """A hidden class without the address that tells those of one name apart."""
    return re.sub(r'[./+]0x[0-9a-f]{6,}(?=[.[]|$)', '', name)


def cpu(root, report):
    """Opened with nothing said: the CPU profile, as a graph and as a table."""
    total = sum(report.samples.values())
    own, with_callees = {}, {}
    for stack, n in report.samples.items():
        stack = [readable(name) for name in stack]
        own[stack[-1]] = own.get(stack[-1], 0) + n
        for name in set(stack):
            with_callees[name] = with_callees.get(name, 0) + n
    t.equal(found(root), [total], 'all samples')
    rows = table(root)
    t.equal(rows, {name: [own.get(name, 0)] * 2 + [n] * 2 for name, n in with_callees.items() if name in rows},
            'methods')
    t.equal(len(rows), min(len(with_callees), ROWS_AT_FIRST), 'number of methods')
    t.check(list(rows) and [r[0] for r in rows.values()] == sorted((r[0] for r in rows.values()), reverse=True),
            'order of the methods')
    main = sum(n for stack, n in report.samples.items() if stack[:1] == ('main',))
    shown = [title for title in frames(root) if title.startswith('main: ')]
    t.equal(shown, ['main: {:,} samples ({:.2f} %)'.format(main, 100 * main / total)], 'frame of a thread')
    t.equal([e.words() for e in root.by_id('tabs').children], ['CPU', 'Allocation', 'Contention', 'Classes'], 'tabs')
    t.check(any(re.fullmatch(r'Pages\$\$Lambda(\$\d+)?\.run', name) for name in rows)
            and any(re.fullmatch(r'Pages\$\$Lambda(\$\d+)?\.run', e.words()) for e in frames(root).values()),
            'a lambda: %s' % list(rows))
    spent, process, alone = root.by_id('overhead').values()
    t.check(root.by_id('title').words().startswith('Pages') and 0 < spent < process and alone == process - spent
            and '{:.2f} % more'.format(100 * spent / alone) in root.by_id('overhead').words(), 'heading')
    t.check(root.by_id('about').words().endswith(', stacks of up to 64 frames, a sample every 2 ms'),
            'about: ' + root.by_id('about').words())
    t.check(not root.all(lambda e: e.tag == 'html')[0].attributes.get('class'),
            'light is what a browser asks for that says nothing')


def search(root, report):
    """The samples in which the method is, of all."""
    hot = sum(n for stack, n in report.samples.items() if HOT in stack)
    t.equal(found(root), [hot, sum(report.samples.values())], 'search')
    marked = {e.words() for e in frames(root).values() if 'match' in e.attributes['class'].split()}
    t.equal(marked, {HOT}, 'marked frames')
    t.equal(list(table(root)), [HOT], 'rows that are left')
    t.check(root.all(lambda e: e.tag == 'html')[0].attributes.get('class') == 'dark', 'dark')


def zoom(root, report):
    """In the thread with the evil name: its part of what was found, and it as wide as the page."""
    inside = {stack: n for stack, n in report.allocated.items() if stack[0] == THREAD}
    items = sum(n for stack, n in inside.items() if stack[-1] == 'Pages$Item')
    t.check(items > 0, 'the thread has allocated nothing')
    t.equal(found(root), [items, sum(inside.values())], 'search below a frame')
    own = [e for title, e in frames(root).items() if title.startswith(THREAD + ': ')]
    t.check(len(own) == 1 and 'width: 100%' in own[0].attributes['style'] and own[0].words() == THREAD,
            'the frame that is zoomed in on')
    t.check(root.all(lambda e: e.tag == 'img') == [] and 'hidden' not in root.by_id('reset').attributes,
            'what a name has become')


def classes(root, report):
    """The histogram, filtered by an expression and sorted."""
    wanted = [(EVIL, 5), ('Pages$Gate', 1), ('Pages$Item', 20)]
    t.equal([(name, r[0], r[1]) for name, r in table(root).items()],
            [(name, n, report.live[name][1]) for name, n in wanted], 'classes')
    t.equal(found(root), [26, sum(report.live[name][1] for name, _ in wanted)], 'objects and bytes')
    t.equal([e.attributes['aria-sort'] for e in root.by_id('table').all(lambda e: e.tag == 'th')
             if 'aria-sort' in e.attributes],
            ['ascending', 'none', 'none', 'none'], 'sorted by name')


def without_policy(page, name, script):
    """A copy of the page that lets a script of ours run."""
    copy = t.path('vitrine', name)
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', '', open(page).read())
    with open(copy, 'w') as f:
        f.write(text.replace('</body>', script + '</body>'))
    return copy


def with_data(page, name, data):
    """A copy of the page with other data."""
    copy = t.path('vitrine', name)
    embedded = '<script type="application/json" id="data">%s</script>' % json.dumps(data)
    with open(copy, 'w') as f:
        f.write(re.sub(r'<script type="application/json" id="data">.*?</script>', lambda _: embedded, open(page).read(),
                       flags=re.S))
    return copy


def thin(browser, page):
    """What is too narrow to be seen is one frame, that opens; hidden classes of one name are one frame."""
    thread, heavy, first_thin, hidden = 0, 1, 2, 202
    names = [['t', 'main'], ['m', 'A.heavy'], *[['m', 'A.thin%d' % i] for i in range(200)],
             ['m', 'W$$Lambda.0x00007f5c888e7b20.run'], ['m', 'W$$Lambda/0x00007f5c888e7d40.run'],
             ['m', 'W$$Lambda$7.0x0000000800c03000.run'], ['c', 'A$$Lambda/0x00007f5c888e7f60[]']]
    nodes = [-1, thread, 0, 0, heavy, 100_000]
    for i in range(200):
        nodes += [0, first_thin + i, 10]
    for i, weight in enumerate((4000, 5000, 6000, 7000)):
        nodes += [0, hidden + i, weight]
    data = Page(page).data
    data.update(program='thin', frames=names, profiles=[{'name': 'cpu', 'unit': 'samples', 'nodes': nodes}])
    copy = with_data(page, 'thin.html', data)
    root = opened(browser, copy)
    total = 100_000 + 2_000 + 22_000
    t.equal([title for title in frames(root) if not title.startswith('A.heavy')],
            ['all: 124,000 samples', 'main: 124,000 samples (100.00 %)', 'W$$Lambda.run: 9,000 samples (7.26 %)',
             'A$$Lambda[]: 7,000 samples (5.65 %)', 'W$$Lambda$7.run: 6,000 samples (4.84 %)',
             'other, 200 thin ones: 2,000 samples (1.61 %)'], 'thin stacks are joined')
    t.equal([e.words() for e in frames(root).values()][-1], 'other', 'the name of the frame that joins them')
    t.equal(found(root), [total], 'joined samples are counted')
    opens = frames(root)['other, 200 thin ones: 2,000 samples (1.61 %)']
    t.check('left: 98.3' in opens.attributes['style'], 'it is at the right: ' + opens.attributes['style'])
    inside = opened(browser, copy, zoom='0+4', search='thin199')
    shown = frames(inside)
    t.equal(len([title for title in shown if title.startswith('A.thin')]), 200, 'it opens')
    t.equal(found(inside), [10, 2000], 'search inside')
    outside = opened(browser, copy, search='thin199')
    t.equal({title for title, e in frames(outside).items() if 'match' in e.attributes['class'].split()},
            {'other, 200 thin ones: 2,000 samples (1.61 %)'}, 'what is found inside marks it')


# Adds what the layout came to: how far it reaches, how high the heading and a row of the table are, and the heading
# once more when it has been opened.
WIDTHS = """<script>
const wide = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1);
const height = e => Math.round(e.getBoundingClientRect().height);
const title = document.getElementById('title');
const log = [document.documentElement.scrollWidth, innerWidth, wide.map(e => e.tagName), height(title),
             ...[...document.querySelectorAll('.bar, tbody tr')].map(height)];
title.click();
document.body.dataset.log = JSON.stringify([...log, height(title)]);
</script>"""


def laptop(browser, page):
    """Nothing reaches beyond a window of 1280 pixels, or 1000, and no row wraps, however long the command and the names
    are; the command can be read all the same."""
    long = 'org.example.' + 'AnExtraordinarilyLongNameOfAClass' * 12 + '.method'
    data = Page(page).data
    data.update(program='Main ' + ' '.join('--option-number-%d=%s' % (i, 'x' * 300) for i in range(20)),
                version='v' * 400, frames=[['t', 'main'], ['m', long]],
                profiles=[{'name': 'cpu', 'unit': 'samples', 'nodes': [-1, 0, 0, 0, 1, 50]}])
    copy = without_policy(with_data(page, 'laptop.html', data), 'laptop_log.html', WIDTHS)
    for width in 1280, 1000:
        root = opened(browser, copy, options=['--window-size=%d,700' % width])
        log = json.loads(root.all(lambda e: e.tag == 'body')[0].attributes.get('data-log', '[]'))
        if t.check(len(log) == 8, 'layout: %s' % log):
            reaches, inner, wide, heading, bar, *rows, expanded = log
            t.check(reaches <= inner and wide == [], 'wider than %d: %s' % (width, log))
            t.check(max(heading, bar, *rows) < 40 and expanded > 100, 'a row wraps at %d: %s' % (width, log))
    t.equal(root.by_id('title').attributes['title'], data['program'], 'the whole command')


# Says what a reader's own wish for a dark page makes of it.
SCHEME = """<script>
const at = getComputedStyle(document.body).backgroundColor;
document.body.dataset.log = JSON.stringify([matchMedia('(prefers-color-scheme: dark)').matches, at]);
</script>"""


def colours(browser, page):
    """Dark if the reader prefers that, unless the page was told otherwise."""
    copy = without_policy(page, 'colours.html', SCHEME)
    dark, light = 'rgb(22, 24, 28)', 'rgb(255, 255, 255)'
    prefers_dark = ['--blink-settings=preferredColorScheme=0']
    for options, shown, wanted in (([], {}, [False, light]), (prefers_dark, {}, [True, dark]),
                                   (prefers_dark, {'theme': 'light'}, [True, light]),
                                   ([], {'theme': 'dark'}, [False, dark])):
        root = opened(browser, copy, options=options, **shown)
        log = json.loads(root.all(lambda e: e.tag == 'body')[0].attributes.get('data-log', '[]'))
        t.equal(log, wanted, 'colours, %s %s' % (options, shown))


# Appended to a copy of the page without its policy: presses keys, and writes down where each leads.
KEYS = """<script>
const log = [];
const press = (key, at) =>
  (at || document.activeElement).dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
document.querySelector('[data-node="-1"]').focus();
press('ArrowDown');
log.push(document.activeElement.title);
press('Enter');
log.push(document.querySelector('.frame:not(.outside)').title);
press('ArrowUp');
log.push(document.activeElement.dataset.node);
press('Escape');
log.push(location.hash);
press('3');
press('ArrowRight');
log.push(document.activeElement.textContent);
press('/');
log.push(document.activeElement.id);
document.body.dataset.log = JSON.stringify(log);
</script>"""


def keys(browser, page, report):
    """Down to the heaviest thread, into it, up to its caller, out again; the tabs; the search."""
    root = opened(browser, without_policy(page, 'keys.html', KEYS))
    log = json.loads(root.all(lambda e: e.tag == 'body')[0].attributes.get('data-log', '[]'))
    threads = {}
    for stack, n in report.samples.items():
        threads[stack[0]] = threads.get(stack[0], 0) + n
    heaviest = max(threads.values())
    wanted = ['{}: {:,} sample'.format(name, n) for name, n in threads.items() if n == heaviest]
    t.check(len(log) == 6 and any(log[0].startswith(w) for w in wanted), 'arrow down: %s, heaviest %s' % (log, wanted))
    t.equal(log[1:], [log[0], '-1', '#tab=cpu', 'Classes', 'search'], 'keys')


def main():
    browser = shutil.which('chromium')
    if browser is None:
        print('skipped: there is no Chromium here (Debian: apt-get install chromium)')
        sys.exit(77)
    t.compile_programs('Pages')
    page, report = profile()
    cpu(opened(browser, page), report)
    search(opened(browser, page, tab='cpu', search=HOT, theme='dark'), report)
    zoom(opened(browser, page, tab='allocation', zoom=THREAD, search='pages$item'), report)
    classes(opened(browser, page, tab='classes', search=r'/^Evil|^Pages\$(Item|Gate)$/', sort='name',
                   order='ascending'), report)
    keys(browser, page, report)
    thin(browser, page)
    laptop(browser, page)
    colours(browser, page)
    t.finish()


main()
