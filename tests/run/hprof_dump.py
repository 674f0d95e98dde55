"""Reads HPROF files: the binary form record by record, refusing whatever the format does not allow, and the text
form."""
import gzip
import re
import struct

SIZES = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
CODES = {4: 'B', 5: 'H', 6: 'f', 7: 'd', 8: 'b', 9: 'h', 10: 'i', 11: 'q'}
NUMBERS = {code: struct.Struct('>' + code) for code in 'BHfdbhiqIQ'}


PARTS = set()                            # what has been read and found well-formed: records, sections of the text form


class Malformed(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Malformed(what)


class Cursor:
    def __init__(self, data, id_size=4):
        self.data, self.at, self.id_size = data, 0, id_size

    def take(self, n):
        self.at += n
        if self.at > len(self.data):
            raise Malformed('ends inside a record at %d' % (self.at - n))
        return self.data[self.at - n:self.at]

    def number(self, code):
        number, at = NUMBERS[code], self.at
        self.at = at + number.size
        if self.at > len(self.data):
            raise Malformed('ends inside a record at %d' % at)
        return number.unpack_from(self.data, at)[0]

    def u1(self): return self.number('B')
    def u2(self): return self.number('H')
    def u4(self): return self.number('I')
    def i4(self): return self.number('i')
    def u8(self): return self.number('Q')
    def id(self): return self.number('I' if self.id_size == 4 else 'Q')

    def value(self, kind):
        if kind == 2:
            return self.id()
        need(kind in CODES, 'type %d' % kind)
        return self.number(CODES[kind])

    def done(self): return self.at == len(self.data)


class Class:
    def __init__(self):
        self.dumped = False
        self.statics, self.fields = {}, []


class Dump:
    """A binary file. strings, classes (by id), frames, traces, threads (by serial), objects of the last heap dump:
    instances {id: (class id, bytes, trace)}, object_arrays {id: (class id, [ids], trace)}, primitive_arrays {id: (type,
    bytes, count, trace)}, roots [(tag, id, rest)]."""

    def __init__(self, path, strict=True, each=None):
        """strict: everything is written before it is referred to (HP-073), and every reference leads to a dumped
        object. HotSpot's own dumps are not that strict. each: called with the reader at the end of each heap dump."""
        self.strict, self.each = strict, each
        data = open(path, 'rb').read()
        if data[:2] == b'\x1f\x8b':
            data = gzip.decompress(data)
        end = data.index(b'\0')
        self.version = data[:end].decode()
        need(self.version in ('JAVA PROFILE 1.0.1', 'JAVA PROFILE 1.0.2'), 'version %s' % self.version)
        c = Cursor(data)
        c.at = end + 1
        self.id_size = c.u4()
        need(self.id_size in (4, 8), 'identifiers of %d bytes' % self.id_size)
        self.time = c.u8()
        self.strings, self.classes, self.by_serial, self.unloaded = {}, {}, {}, set()
        self.frames, self.traces, self.threads, self.ended = {}, {}, {}, set()
        self.sites = self.cpu = self.settings = self.summary = None
        self.tags, self.dumps, self.open, self.sub_tags = [], 0, False, set()
        self.fresh_heap()
        while not c.done():
            tag, _, length = c.u1(), c.u4(), c.u4()
            body = Cursor(c.take(length), self.id_size)
            self.tags.append(tag)
            handler = self.RECORDS.get(tag)
            need(handler is not None, 'record %#x' % tag)
            need(not self.open or tag in (0x1C, 0x2C) or not strict, 'record %#x between the segments of a dump' % tag)
            handler(self, body)
            need(body.done(), 'record %#x is too long' % tag)
            PARTS.add('record 0x%02X' % tag)
        need(not self.open, 'the heap dump has no end')
        PARTS.update('sub-record 0x%02X' % tag for tag in self.sub_tags)

    def fresh_heap(self):
        self.instances, self.object_arrays, self.primitive_arrays, self.roots = {}, {}, {}, []
        self.layouts = {}                # of the instances of a class: (fields, what unpacks them)
        for k in self.classes.values():
            k.dumped = False

    # ---- records
    def utf8(self, b):
        i = b.id()
        need(i not in self.strings, 'string %d twice' % i)
        self.strings[i] = b.take(len(b.data) - b.at).decode('utf-8', 'backslashreplace')

    def load_class(self, b):
        k = Class()
        k.serial, k.id, k.trace, name = b.u4(), b.id(), b.u4(), b.id()
        need(not self.strict or (k.serial > 0 and k.serial not in self.by_serial and k.id not in self.classes),
             'class serial %d' % k.serial)
        need(name in self.strings and (k.trace in self.traces or not self.strict),
             'LOAD_CLASS refers to what was not written')
        k.name = self.strings[name]
        self.classes[k.id] = self.by_serial[k.serial] = k

    def unload_class(self, b):
        serial = b.u4()
        need(serial in self.by_serial, 'UNLOAD_CLASS of an unknown class')
        self.unloaded.add(serial)

    def frame(self, b):
        i, method, signature, source, serial, line = b.id(), b.id(), b.id(), b.id(), b.u4(), b.i4()
        need(i not in self.frames and method in self.strings and signature in self.strings and serial in self.by_serial,
             'FRAME %d' % i)
        need(source == 0 or source in self.strings, 'source of FRAME %d' % i)
        need(line > 0 or line in (-1, -2, -3), 'line %d' % line)
        self.frames[i] = (self.by_serial[serial].name, self.strings[method], self.strings[signature],
                          self.strings.get(source), line)

    def trace(self, b):
        serial, thread, count = b.u4(), b.u4(), b.u4()
        ids = [b.id() for _ in range(count)]
        need(serial not in self.traces and all(i in self.frames for i in ids), 'TRACE %d' % serial)
        self.traces[serial] = (thread, [self.frames[i] for i in ids])

    def alloc_sites(self, b):
        head = (b.u2(), b.number('f'), b.u4(), b.u4(), b.u8(), b.u8())
        rows = []
        for _ in range(b.u4()):
            row = (b.u1(), b.u4(), b.u4(), b.u4(), b.u4(), b.u4(), b.u4())
            need(row[1] in self.by_serial and row[2] in self.traces, 'site refers to what was not written')
            rows.append((row[0], self.by_serial[row[1]].name) + row[2:])
        self.sites = (head, rows)

    def heap_summary(self, b): self.summary = (b.u4(), b.u4(), b.u8(), b.u8())

    def start_thread(self, b):
        serial, obj, trace, name, group, parent = b.u4(), b.id(), b.u4(), b.id(), b.id(), b.id()
        need(serial > 0 and serial not in self.threads and trace in self.traces, 'START_THREAD %d' % serial)
        self.threads[serial] = (obj, self.strings[name], self.strings[group], self.strings[parent])

    def end_thread(self, b):
        serial = b.u4()
        need(serial in self.threads and serial not in self.ended, 'END_THREAD %d' % serial)
        self.ended.add(serial)

    def cpu_samples(self, b):
        total = b.u4()
        rows = [(b.u4(), b.u4()) for _ in range(b.u4())]
        need(all(t in self.traces for _, t in rows) and sum(n for n, _ in rows) == total, 'CPU_SAMPLES')
        self.cpu = (total, rows)

    def control_settings(self, b):
        need(self.settings is None and len(self.tags) == 1, 'CONTROL_SETTINGS come first')
        self.settings = (b.u4(), b.u2())

    def segment(self, b):
        if not self.open:
            self.fresh_heap()
            self.open = True
        while not b.done():
            self.sub_record(b, b.u1())

    def single_dump(self, b):
        self.segment(b)
        self.dump_end(b)

    def dump_end(self, b):
        need(self.open, 'HEAP_DUMP_END without a segment')
        self.open = False
        self.dumps += 1
        self.check_heap()
        if self.each:
            self.each(self)

    # ---- sub-records
    def sub_record(self, b, tag):
        self.sub_tags.add(tag)
        if tag in (0xFF, 0x05, 0x07):
            self.roots.append((tag, b.id(), ()))
        elif tag == 0x01:
            self.roots.append((tag, b.id(), (b.id(),)))
        elif tag in (0x02, 0x03, 0x08):
            self.roots.append((tag, b.id(), (b.u4(), b.u4())))
        elif tag in (0x04, 0x06):
            self.roots.append((tag, b.id(), (b.u4(),)))
        elif tag == 0x20:
            self.class_dump(b)
        elif tag == 0x21:
            i, trace, k = b.id(), b.u4(), b.id()
            self.once(i, trace)
            self.instances[i] = (k, b.take(b.u4()), trace)
        elif tag == 0x22:
            i, trace, n, k = b.id(), b.u4(), b.u4(), b.id()
            self.once(i, trace)
            data = b.take(n * self.id_size)
            self.object_arrays[i] = (k, struct.unpack('>%d%s' % (n, 'I' if self.id_size == 4 else 'Q'), data), trace)
        elif tag == 0x23:
            i, trace, n, kind = b.id(), b.u4(), b.u4(), b.u1()
            self.once(i, trace)
            need(kind in SIZES, 'element type %d' % kind)
            self.primitive_arrays[i] = (kind, b.take(n * SIZES[kind]), n, trace)
        else:
            raise Malformed('sub-record %#x' % tag)

    def once(self, i, trace):
        if i == 0 or i in self.instances or i in self.object_arrays or i in self.primitive_arrays:
            raise Malformed('object %d twice' % i)
        if self.strict and trace not in self.traces:
            raise Malformed('trace %d of an object was not written' % trace)

    def class_dump(self, b):
        i = b.id()
        need(i in self.classes and not self.classes[i].dumped, 'CLASS_DUMP %d' % i)
        k = self.classes[i]
        k.dumped = True
        need(b.u4() in self.traces or not self.strict, 'trace of a class')
        k.super, k.loader, k.signers, k.domain = b.id(), b.id(), b.id(), b.id()
        need(b.id() == 0 and b.id() == 0, 'reserved identifiers')
        k.size = b.u4()
        k.pool = [(b.u2(), b.value(b.u1())) for _ in range(b.u2())]
        k.statics, k.fields = {}, []
        for _ in range(b.u2()):
            name, kind = b.id(), b.u1()
            k.statics[self.strings[name]] = (kind, b.value(kind))
        for _ in range(b.u2()):
            name = b.id()
            k.fields.append((self.strings[name], b.u1()))

    # ---- the heap as a whole
    def check_heap(self):
        if not self.strict:
            return
        need(self.roots, 'no roots')
        objects = {0, *self.instances, *self.object_arrays, *self.primitive_arrays,
                   *(k.id for k in self.classes.values() if k.dumped)}          # and null, but for roots
        for tag, i, _ in self.roots:
            need(i != 0 and i in objects, 'root %#x refers to %d, which was not dumped' % (tag, i))
        for i, (k, data, _) in self.instances.items():
            need(k in self.classes and self.classes[k].dumped, 'class of %d' % i)
            for name, kind, value in self.values(i):
                if kind == 2 and value not in objects:
                    raise Malformed('%s.%s refers to %d' % (self.classes[k].name, name, value))
        for i, (k, elements, _) in self.object_arrays.items():
            need(k in self.classes and self.classes[k].dumped, 'class of array %d' % i)
            for e in elements:
                if e not in objects:
                    raise Malformed('array %d of %s refers to %d' % (i, self.classes[k].name, e))
        for k in self.classes.values():
            if not k.dumped:
                continue
            need(k.id not in self.instances and k.id not in self.object_arrays and k.id not in self.primitive_arrays,
                 'class %s is an object too' % k.name)
            for name, (kind, value) in k.statics.items():
                need(kind != 2 or value in objects, 'static %s.%s' % (k.name, name))
            for value in (k.super, k.loader, k.signers, k.domain):
                need(value in objects, 'class %s' % k.name)
        PARTS.add('whole dump')

    def layout(self, k):
        """[(field, type)] of a class's instances, its own first, and what unpacks their bytes."""
        if k not in self.layouts:
            fields, of = [], k
            while of:
                fields += self.classes[of].fields
                of = self.classes[of].super
            codes = {2: 'I' if self.id_size == 4 else 'Q', **CODES}
            need(all(kind in codes for _, kind in fields), 'types of the fields of class %d' % k)
            self.layouts[k] = fields, struct.Struct('>' + ''.join(codes[kind] for _, kind in fields))
        return self.layouts[k]

    def values(self, i):
        """[(field, type, value)] of an instance, its own class's first; the size must fit exactly."""
        k, data, _ = self.instances[i]
        fields, bytes_of = self.layout(k)
        if bytes_of.size != len(data):
            raise Malformed('size of instance %d' % i)
        return [(name, kind, value) for (name, kind), value in zip(fields, bytes_of.unpack(data))]

    def value(self, i, name): return next(v for n, _, v in self.values(i) if n == name)
    def class_named(self, name): return next(k for k in self.classes.values() if k.name == name
                                             and k.serial not in self.unloaded)
    def of_class(self, name): return [i for i, (k, _, _) in self.instances.items() if self.classes[k].name == name]

    def population(self):
        """{class name: objects}; arrays by the names of their classes."""
        count = {}
        for k, _, _ in self.instances.values():
            count[self.classes[k].name] = count.get(self.classes[k].name, 0) + 1
        for k, _, _ in self.object_arrays.values():
            count[self.classes[k].name] = count.get(self.classes[k].name, 0) + 1
        for kind, _, _, _ in self.primitive_arrays.values():
            name = '[' + '    ZCFDBSIJ'[kind]
            count[name] = count.get(name, 0) + 1
        return count

    def array(self, i):
        kind, data, n, _ = self.primitive_arrays[i]
        return struct.unpack('>%d%s' % (n, CODES[kind]), data)

    def string(self, i):
        """The text of a java.lang.String."""
        data = self.value(i, 'value')
        if self.value(i, 'coder') == 0:
            return self.primitive_arrays[data][1].decode('latin-1')
        return self.primitive_arrays[data][1].decode('utf-16-le')

    RECORDS = {0x01: utf8, 0x02: load_class, 0x03: unload_class, 0x04: frame, 0x05: trace, 0x06: alloc_sites,
               0x07: heap_summary,
               0x0A: start_thread, 0x0B: end_thread, 0x0C: single_dump, 0x0D: cpu_samples, 0x0E: control_settings,
               0x1C: segment,
               0x2C: dump_end}


class Text:
    """A text file: header, threads {serial: (obj, name, group)}, ended, traces {n: [frame]}, tables {name: [(head line,
    [lines])]}, overheads."""
    SECTIONS = re.compile(r'(SITES|CPU SAMPLES|CPU TIME \(ms\)|MONITOR TIME|MONITOR DUMP|HEAP DUMP) BEGIN')

    OVERHEAD = re.compile(r'Overhead: +(\d+\.\d{3}) s of +(\d+\.\d{3}) s processor time \( *(\d+\.\d\d) %\)')

    def __init__(self, path):
        raw = open(path, 'rb').read()
        if raw[:2] == b'\x1f\x8b':
            raw = gzip.decompress(raw)
        # Java's modified UTF-8 has the two halves of a character outside the first plane one by one.
        self.text = raw.decode('utf-8', 'surrogatepass').encode('utf-16', 'surrogatepass').decode('utf-16')
        self.lines = self.text.split('\n')
        need(re.match(r'JAVA PROFILE 1\.0\.1, created \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$', self.lines[0]),
             'heading "%s"' % self.lines[0])
        need('--------' in self.lines, 'the prelude has no end')
        PARTS.add('heading')
        self.overheads = [line for line in self.lines if self.OVERHEAD.fullmatch(line)]
        self.threads, self.ended, self.traces, self.tables, self.trace_threads, self.pairs = {}, [], {}, {}, {}, []
        lines = iter(self.lines[self.lines.index('--------') + 1:])
        pending = next(lines, None)
        while pending is not None:
            pending = self.part(pending, lines)

    def part(self, line, lines):
        section = self.SECTIONS.match(line)
        if section:
            rows = []
            for row in lines:
                if row.startswith(section[1] + ' END'):
                    self.tables.setdefault(section[1], []).append((line, rows))
                    return next(lines, None)
                rows.append(row)
            raise Malformed('%s has no end' % section[1])
        m = re.fullmatch(r'THREAD START \(obj=([0-9a-f]+), id = (\d+), name="(.*)", group="(.*)"\)', line)
        if m:
            need(int(m[2]) not in self.threads, 'thread %s twice' % m[2])
            self.threads[int(m[2])] = (m[1], m[3], m[4])
            PARTS.add('THREAD START')
            return next(lines, None)
        m = re.fullmatch(r'THREAD END \(id = (\d+)\)', line)
        if m:
            need(int(m[1]) in self.threads, 'end of an unknown thread')
            self.ended.append(int(m[1]))
            PARTS.add('THREAD END')
            return next(lines, None)
        m = re.fullmatch(r'TRACE (\d+):( \(thread=(\d+)\))?', line)
        if m:
            return self.trace(int(m[1]), int(m[3]) if m[3] else None, lines)
        if line == 'count callee caller time':
            for row in lines:
                m = re.fullmatch(r'(\d+) (\S+) (\S+|<unknown caller>) (\d+)', row)
                if not m:
                    return row
                self.pairs.append((int(m[1]), m[2], m[3], int(m[4])))
            return None
        need(line == '' or self.OVERHEAD.fullmatch(line), 'line "%s"' % line)
        return next(lines, None)

    def trace(self, number, thread, lines):
        need(number not in self.traces, 'trace %d twice' % number)
        frames = self.traces[number] = []
        self.trace_threads[number] = thread
        for line in lines:
            if not line.startswith('\t'):
                return line
            if line != '\t<empty>':
                m = re.fullmatch(r'\t\S.*\((.+:(\d+|Unknown line|Native method|Compiled method))\)', line)
                need(m, 'frame "%s"' % line)
                frames.append(line[1:])
                PARTS.update(['TRACE', 'frame with ' + ('a line' if m[2].isdigit() else m[2])])
        return None

    def table(self, name):
        """The last one: (head line, lines)."""
        return self.tables[name][-1]

    def ranked(self, name):
        """[(rank, self %, accumulated %, count, trace, text)] of a CPU or monitor table; order and sums are checked."""
        head, lines = self.table(name)
        if lines:
            need(re.fullmatch(r'rank   self  accum   count trace (method|monitor)', lines[0]),
                 'heading "%s"' % lines[0])
        rows, total, last = [], 0.0, 1e9
        for n, line in enumerate(lines[1:], 1):
            m = re.fullmatch(r'([ \d]{4,}) ([ \d.]{5,})% ([ \d.]{5,})% ([ \d]{7,}) ([ \d]{5,}) (.+)', line)
            need(m and int(m[1]) == n, 'row "%s"' % line)
            row = (n, float(m[2]), float(m[3]), int(m[4]), int(m[5]), m[6])
            need(row[4] in self.traces, 'trace %d of a row was not written' % row[4])
            total += row[1]
            need(row[1] <= last and abs(row[2] - total) < 0.01 * n + 0.01, 'order or sum at "%s"' % line)
            last = row[1]
            rows.append(row)
        if rows:
            PARTS.add(name)
        return rows

    def sites(self):
        """[(self %, live bytes, live, allocated bytes, allocated, trace, class)]"""
        head, lines = self.table('SITES')
        need(re.match(r'SITES BEGIN \(ordered by live bytes\) \w{3} ', head), head)
        if lines[0].startswith('(estimated'):
            lines = lines[1:]
        need(lines[0] == "          percent          live          alloc'ed  stack class", lines[0])
        need(lines[1] == ' rank   self  accum     bytes objs     bytes  objs trace name', lines[1])
        rows = []
        for n, line in enumerate(lines[2:], 1):
            m = re.fullmatch(r'([ \d]{5}) ([ \d.]{5,})% ([ \d.]{5,})% ([ \d]{9,}) ([ \d]{4,}) ([ \d]{9,}) ([ \d]{5,}) '
                             r'([ \d]{5,}) (.+)', line)
            need(m and int(m[1]) == n, 'row "%s"' % line)
            row = (float(m[2]), int(m[4]), int(m[5]), int(m[6]), int(m[7]), int(m[8]), m[9])
            need(row[1] <= row[3] and row[2] <= row[4], 'more lives than was allocated: "%s"' % line)
            need(not rows or row[1] <= rows[-1][1], 'order at "%s"' % line)
            need(row[5] in self.traces, 'trace %d of a site was not written' % row[5])
            rows.append(row)
        PARTS.add('SITES')
        return rows


class Boundaries(Dump):
    """A file with one heap dump, and where each of its sub-records ends: `ends` in the joined bodies of its segments,
    which are `heap`."""

    def __init__(self, path):
        self.ends, self.heap = [], b''
        super().__init__(path, strict=False)

    def segment(self, b):
        self.open = True
        start = len(self.heap)
        self.heap += b.data
        while not b.done():
            self.sub_record(b, b.u1())
            self.ends.append(start + b.at)

    RECORDS = {**Dump.RECORDS, 0x1C: segment}


def divide(path, to, most):
    """Writes the dump once more, in segments of at most `most` sub-records."""
    d = Boundaries(path)
    data = open(path, 'rb').read()
    at, written = data.index(b'\0') + 13, False
    with open(to, 'wb') as f:
        f.write(data[:at])
        while at < len(data):
            tag, micros, length = struct.unpack_from('>BII', data, at)
            if tag != 0x1C:
                f.write(data[at:at + 9 + length])
            elif not written:
                written = True
                start = 0
                for end in d.ends[most - 1:-1:most] + d.ends[-1:]:
                    f.write(struct.pack('>BII', tag, micros, end - start) + d.heap[start:end])
                    start = end
            at += 9 + length
