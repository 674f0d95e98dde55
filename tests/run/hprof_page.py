"""Reads what format=html and format=collapsed write, and makes of the text form's tables what these must show."""
import base64
import hashlib
import html.parser
import json
import re

FORMS = {'m': 'method', 'n': 'native', 'c': 'class', 't': 'thread', '?': 'unknown'}


def decode(raw):
    """Java's modified UTF-8, as far as programs use it."""
    return raw.decode('utf-8', 'surrogatepass').encode('utf-16', 'surrogatepass').decode('utf-16')


class Page:
    """A page. data: as embedded; stacks {kind: {(name, ...) outermost first: weight}}; classes {name: (objects,
    bytes)}."""

    def __init__(self, path):
        raw = open(path, 'rb').read()
        self.text = raw.decode('ascii', 'replace')
        embedded = re.findall(r'<script type="application/json" id="data">(.*?)</script>', self.text, re.S)
        if len(embedded) != 1:
            raise ValueError('%s: %d places for data' % (path, len(embedded)))
        self.json = embedded[0]
        self.around = raw.decode('utf-8').replace(self.json, '')
        self.data = json.loads(self.json)
        self.stacks = {p['name']: self.stacks_of(p['nodes']) for p in self.data['profiles']}
        self.units = {p['name']: p['unit'] for p in self.data['profiles']}
        self.classes = {}
        for name, objects, size in self.data['classes']:
            before = self.classes.get(name, (0, 0))
            self.classes[name] = (before[0] + objects, before[1] + size)

    def stacks_of(self, nodes):
        names, stacks = [], {}
        for i in range(0, len(nodes), 3):
            parent, frame, self_ = nodes[i:i + 3]
            if not -1 <= parent < i // 3:
                raise ValueError('node %d lies in %d' % (i // 3, parent))
            kind, name = self.data['frames'][frame]
            if kind not in FORMS:
                raise ValueError('frame of kind %s' % kind)
            names.append((names[parent] if parent >= 0 else ()) + (name,))
            if self_ > 0:
                if names[-1] in stacks:
                    raise ValueError('stack twice: %s' % (names[-1],))
                stacks[names[-1]] = self_
        return stacks

    def alone(self):
        """What is wrong about a page that needs nothing but itself, or None."""
        if re.search(r'(src|href)\s*=|url\(|@import|https?://|<link|<iframe', self.around):
            return 'it refers to something outside'
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', self.around)
        if not policy or "default-src 'none'" not in policy[1] or 'unsafe' in policy[1]:
            return 'policy %s' % (policy and policy[1])
        for tag in ('style', 'script'):
            body = re.findall('<%s>(.*?)</%s>' % (tag, tag), self.around, re.S)
            digests = [base64.b64encode(hashlib.sha256(b.encode()).digest()).decode() for b in body]
            if len(digests) != 1 or "%s-src 'sha256-%s'" % (tag, digests[0]) not in policy[1]:
                return 'the digest of <%s>' % tag
        if re.search('[<>&\']|[^\x20-\x7e\n]', self.json):
            return 'a character in the data that HTML may take for its own'
        return None


def collapsed(path):
    """{kind: {(name, ...): weight}} of a file with several kinds."""
    kinds = {}
    for line in decode(open(path, 'rb').read()).split('\n')[:-1]:
        stack, weight = line.rsplit(' ', 1)
        names = stack.split(';')
        stacks = kinds.setdefault(names[0][1:-1], {})
        if tuple(names[1:]) in stacks:
            raise ValueError('stack twice: %s' % line)
        stacks[tuple(names[1:])] = int(weight)
    return kinds


def as_collapsed(stacks):
    """Names as the collapsed form has them: without what separates there."""
    return {kind: {tuple(re.sub('[;\x00-\x1f]', '_', name) for name in names): weight for names, weight in of.items()}
            for kind, of in stacks.items()}


class Report:
    """What a text file's last tables say, in the terms of a page. Needs thread=y, cutoff=0."""

    def __init__(self, text):
        self.text = text
        self.samples = self.summed((self.stack(row[4]), row[3]) for row in text.ranked('CPU SAMPLES'))
        self.allocated = self.summed((self.stack(row[5]) + (row[6],), row[3]) for row in text.sites())
        self.live = {}
        for _, size, objects, _, _, _, name in text.sites():
            before = self.live.get(name, (0, 0))
            self.live[name] = (before[0] + objects, before[1] + size)
        self.waits = {self.stack(row[4]) + (row[5].rsplit(' ', 1)[0],): row[1] for row in text.ranked('MONITOR TIME')}
        self.waited = int(re.search(r'total = (\d+) ms', text.table('MONITOR TIME')[0])[1])

    def stack(self, trace):
        """Names of a trace's frames, outermost first, below the thread's."""
        thread = self.text.trace_threads[trace]
        names = tuple(re.match(r'(.*)\([^()]*\)$', f)[1] for f in reversed(self.text.traces[trace]))
        return ((self.text.threads[thread][1],) if thread is not None else ()) + (names or ('[not known]',))

    @staticmethod
    def summed(rows):
        sums = {}
        for stack, weight in rows:
            if weight > 0:
                sums[stack] = sums.get(stack, 0) + weight
        return sums


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.children, self.text = tag, dict(attributes), parent, [], ''

    def all(self, test):
        found = [self] if test(self) else []
        for child in self.children:
            found += child.all(test)
        return found

    def by_id(self, name): return self.all(lambda e: e.attributes.get('id') == name)[0]

    def words(self):
        """Its text with that of its children, in order."""
        return self.text

    def values(self):
        """The numbers that stand in it for machines."""
        return [float(e.attributes['value']) for e in self.all(lambda e: e.tag == 'data')]


class Dom(html.parser.HTMLParser):
    """What a browser made of a page (--dump-dom)."""
    EMPTY = {'meta', 'input', 'img', 'br', 'link'}

    def __init__(self, text):
        super().__init__()
        self.root = self.at = Element('', {}, None)
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        made = Element(tag, attributes, self.at)
        self.at.children.append(made)
        if tag not in self.EMPTY:
            self.at = made

    def handle_endtag(self, tag):
        at = self.at
        while at.parent is not None and at.tag != tag:
            at = at.parent
        if at.parent is not None:
            self.at = at.parent

    def handle_data(self, text):
        at = self.at
        while at is not None:
            at.text += text
            at = at.parent
