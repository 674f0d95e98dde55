#!/usr/bin/env python3
"""gen_jvmti.py: makes everything repetitive of the JVM TI from spec/jvmti.def.

    gen_jvmti.py DEF OUTDIR      writes the files below into OUTDIR
    gen_jvmti.py --outputs       prints their names, one a line

jvmti.h            what a tool is compiled against (checked in as include/jvmti.h)
jvmti_gen.h        tables, prototypes of the implementations and of the event trampolines
jvmti_gen.c        function table, the checks in front of every implementation, trampolines, names
jvmti_frequent.h   trampolines of the events that a program causes at every turn
jvmti_layout.c     the interface's values, offsets and sizes as data; compiled once per header to compare
jvmti-coverage.md  the coverage page of the manual (checked in as docs/jvmti-coverage.md)

A row that is not understood ends the run with its line number. It does not check C types beyond their kinds, and knows
one C data model (LP64, bit-fields from the low end).
"""
import os
import re
import sys

OUTPUTS = ['jvmti.h', 'jvmti_gen.h', 'jvmti_gen.c', 'jvmti_frequent.h', 'jvmti_layout.c', 'jvmti-coverage.md']
FIRST_EVENT = 50
CAPABILITY_BITS = 128
LAST_FUNCTION = 156

PHASES = {'onload': 1, 'primordial': 2, 'live': 4, 'start': 6}          # values of jvmtiPhase; masks are 1 << value
PHASE_SETS = {'any': ['onload', 'primordial', 'start', 'live', 'dead'], 'onload,live': ['onload', 'live'],
              'start,live': ['start', 'live'], 'live': ['live'], 'onload': ['onload'],
              'primordial,start,live': ['primordial', 'start', 'live']}

# kind: (C type the implementation receives, error when it is not one)
HANDLES = {
    'thread':  ('struct jvmti_thread', 'INVALID_THREAD'),
    'thread*': ('struct jvmti_thread', 'INVALID_THREAD'),
    'group':   ('struct object *', 'INVALID_THREAD_GROUP'),
    'object':  ('struct object *', 'INVALID_OBJECT'),
    'loader':  ('struct object *', 'ILLEGAL_ARGUMENT'),
    'module':  ('struct object *', 'INVALID_MODULE'),
    'class':   ('struct class *', 'INVALID_CLASS'),
    'method':  ('struct method *', 'INVALID_METHODID'),
    'method*': ('struct method *', 'INVALID_METHODID'),
    'version': ('struct method_code *', 'INVALID_METHODID'),
    'version*': ('struct method_code *', 'INVALID_METHODID'),
    'field':   ('struct field *', 'INVALID_FIELDID'),
    'monitor': ('struct raw_monitor *', 'INVALID_MONITOR'),
}
# Row: least and largest number of columns behind its keyword.
COLUMNS = {'version': (1, 1), 'constants': (1, 99), 'typedef': (2, 4), 'enum': (2, 2), 'flags': (2, 2), 'error': (4, 4),
           'struct': (2, 2),
           'union': (2, 2), 'callback': (3, 4), 'capability': (4, 4), 'frequent': (1, 99), 'event': (3, 3),
           'chapter': (2, 2), 'function': (2, 2)}
POINTERS = {'in', 'out', 'alloc', 'func'}
PLAIN = {'depth', 'count', 'enum', 'event', 'value', 'data'}
EVENT_KINDS = {'jni', 'current', 'thread', 'class', 'object', 'method', 'field', 'value', 'slot', 'vm-buf', 'out'}


def fail(line, what):
    sys.exit('jvmti.def:%d: %s' % (line, what))


class Row:
    """One row with its indented rows."""
    def __init__(self, line, **facts):
        self.line = line
        self.__dict__.update(facts)


class Table:
    def __init__(self):
        self.version = self.constants = None
        self.frequent = []
        self.typedefs, self.enums, self.errors, self.structs, self.callbacks = [], [], [], [], []
        self.capabilities, self.events, self.functions, self.chapters = [], [], [], []


# ---- reading --------------------------------------------------------------------------------------------------------

def attributes(row, line, words, names, last):
    """'since 1.0 phases live - ...': fixed words, each followed by its value; `last` is the status column."""
    for name in names:
        if not words or words[0] != name or len(words) < 2:
            fail(line, 'expected "%s <value>" at "%s"' % (name, ' '.join(words)))
        setattr(row, name.replace('-', '_'), words[1])
        words = words[2:]
    if len(words) != 1 or words[0] not in last:
        fail(line, 'expected one of %s, found "%s"' % ('/'.join(last), ' '.join(words)))
    row.built = words[0] == last[0]


def names_in(text):
    return [] if text == '-' else text.split(',')


def joined(lines):
    """(number, text) of the rows: a line indented by eight columns or more goes on with the row above it."""
    row = None
    for number, text in enumerate(lines, 1):
        text = text.rstrip('\n')
        if row is not None and text.startswith(' ' * 8):
            row = (row[0], row[1] + ('' if row[1].endswith('|') else '   ') + text.strip())
            continue
        if row is not None:
            yield row
        row = (number, text)
    if row is not None:
        yield row


def read(path):
    table, row, chapter = Table(), None, None
    with open(path, encoding='utf-8') as f:
        for line, text in joined(f):
            if not text.strip() or text.startswith('#'):
                continue
            if text[0] == ' ':
                if row is None:
                    fail(line, 'indented row without a row above it')
                read_member(row, line, text.strip())
                continue
            words = text.split()
            key, rest = words[0], words[1:]
            row = None
            if key not in COLUMNS:
                fail(line, 'unknown row "%s"' % key)
            low, high = COLUMNS[key]
            if not low <= len(rest) <= high:
                fail(line, '%s has %d columns' % (key, len(rest)))
            if key == 'version':
                table.version = rest[0]
            elif key == 'constants':
                table.constants = rest
            elif key == 'typedef':
                table.typedefs.append(Row(line, name=rest[0], target=' '.join(rest[1:])))
            elif key in ('enum', 'flags'):
                row = Row(line, what='enum', own_type=key == 'enum', name=rest[0], since=rest[1], members=[])
                table.enums.append(row)
            elif key == 'error':
                table.errors.append(Row(line, number=int(rest[0]), name=rest[1], since=rest[2], duty=rest[3]))
                if rest[3] not in ('must', 'should', 'any'):
                    fail(line, 'duty is must, should or any')
            elif key in ('struct', 'union'):
                row = Row(line, what='struct', key=key, name=rest[0], since=rest[1], members=[])
                table.structs.append(row)
            elif key == 'callback':
                row = Row(line, what='struct', name=rest[0], since=rest[1], result=' '.join(rest[2:]), members=[])
                table.callbacks.append(row)
            elif key == 'capability':
                if int(rest[0]) != len(table.capabilities) or rest[3] not in ('built', 'later'):
                    fail(line, 'bits go up by one; status is built or later')
                table.capabilities.append(Row(line, name=rest[1], since=rest[2], built=rest[3] == 'built'))
            elif key == 'frequent':
                table.frequent = rest
            elif key == 'event':
                row = Row(line, what='event', number=int(rest[0]), name=rest[1], constant=rest[2], since=None,
                          params=[])
                table.events.append(row)
            elif key == 'chapter':
                chapter = Row(line, name=rest[0].replace('_', ' '), file=rest[1], functions=[])
                table.chapters.append(chapter)
            elif key == 'function':
                row = Row(line, what='function', number=int(rest[0]), name=rest[1], since=None, errors=[], params=[])
                table.functions.append(row)
                chapter.functions.append(row)
    check(table)
    return table


def read_member(row, line, text):
    words = text.split()
    columns = re.split(r' {2,}', text)
    if row.what == 'enum':
        if len(columns) != 2:
            fail(line, 'a constant has a name and a value')
        row.members.append((columns[0], columns[1].replace('|', ' | ')))
    elif row.what == 'struct':
        if len(columns) != 2:
            fail(line, 'a member has a name and a type')
        row.members.append((columns[0], columns[1]))
    elif row.what == 'event':
        if row.since is None:
            attributes(row, line, words, ['since', 'phases', 'needs', 'widened-by', 'level', 'runs'],
                       ('built', 'later'))
        elif len(columns) != 3 or columns[2] not in EVENT_KINDS:
            fail(line, 'an event parameter has a name, a type and a known kind')
        else:
            row.params.append(Row(line, name=columns[0], type=columns[1], kind=columns[2]))
    elif row.since is None:
        row.safe = words[4] == 'safe'
        if words[4] not in ('safe', '-'):
            fail(line, 'the fifth word is "safe" or "-"')
        attributes(row, line, words[:4] + words[5:], ['since', 'phases', 'thread', 'needs', 'widened-by'],
                   ('built', 'later'))
    elif words[0] == 'errors':
        row.errors = words[1:]
    elif len(columns) != 5:
        fail(line, 'a parameter has name, type, kind, null, more')
    else:
        name, ctype, kind, null, more = columns
        if kind not in HANDLES and kind not in POINTERS and kind not in PLAIN:
            fail(line, 'unknown kind "%s"' % kind)
        if (null not in ('-', 'no', 'ok', 'current', 'pointer') or (null == 'current' and not kind.startswith('thread'))
            or
                (null == 'pointer' and kind not in HANDLES)):
            fail(line, 'null is -, no, ok, for threads current, for handles pointer')
        row.params.append(Row(line, name=name, type=ctype, kind=kind, null=null, more=more))


def check(table):
    known_caps = {c.name for c in table.capabilities}
    known_errors = {e.name for e in table.errors}
    for rows, low, high in ((table.functions, 1, LAST_FUNCTION), (table.events, FIRST_EVENT, FIRST_EVENT + 63)):
        seen = {}
        for r in rows:
            if r.since is None:
                fail(r.line, '%s has no attribute row' % r.name)
            if not low <= r.number <= high or r.number in seen:
                fail(r.line, 'number %d out of range or given twice' % r.number)
            seen[r.number] = r
            if r.phases not in PHASE_SETS:
                fail(r.line, 'unknown phases "%s"' % r.phases)
            for c in names_in(r.needs) + names_in(r.widened_by):
                if c not in known_caps:
                    fail(r.line, 'unknown capability "%s"' % c)
            if r.built and not all(c.built for c in table.capabilities if c.name in names_in(r.needs)):
                fail(r.line, '%s is built but its capability is not' % r.name)
    for f in table.functions:
        if f.thread not in ('attached', 'any'):
            fail(f.line, 'thread is attached or any')
        for e in f.errors:
            if e not in known_errors:
                fail(f.line, 'unknown error "%s"' % e)
        for p in f.params:
            if p.kind == 'field' and not any(q.kind == 'class' for q in f.params):
                fail(p.line, 'a field needs a class parameter before it')
            if p.kind == 'enum' and p.type not in {e.name for e in table.enums}:
                fail(p.line, 'unknown enumeration "%s"' % p.type)
    for e in table.events:
        if e.level not in ('global', 'thread') or e.runs not in ('native', 'chain', 'selected', 'stopped', 'queued'):
            fail(e.line, 'level is global or thread, runs is native, chain, selected, stopped or queued')
        if any(p.kind == 'out' for p in e.params) != (e.runs == 'chain'):
            fail(e.line, 'an event with a result, and no other, runs chain: each environment sees what the one before '
                         'it made')
        if e.name in table.frequent and (e.level != 'thread' or e.runs not in ('native', 'selected')):
            fail(e.line, 'frequent is an event of a Java thread, sent in its native state')
    if len(table.capabilities) > 64:
        sys.exit('jvmti.def: more than 64 capabilities')
    table.events.sort(key=lambda e: e.number)
    table.by_number = {f.number: f for f in table.functions}
    table.event_by_number = {e.number: e for e in table.events}
    table.last_event = max(table.event_by_number)


# ---- small helpers --------------------------------------------------------------------------------------------------

def snake(name):
    name = re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', name)
    return re.sub(r'([A-Z]+)([A-Z][a-z])', r'\1_\2', name).lower()


def major(since):
    return int(since.split('.')[0])


def spaced(ctype):
    """'const char*' + name with the star at the name."""
    m = re.match(r'(.*?)(\**)$', ctype)
    return '%s %s' % (m[1].strip(), m[2])


def declare(ctype, name):
    return spaced(ctype) + name if ctype != '...' else '...'


def c_params(pairs):
    return ', '.join(declare(t, n) for n, t in pairs)


def banner(generated, purpose):
    return ['/* %s: %s' % (generated, purpose),
            ' * Made from spec/jvmti.def by spec/gen_jvmti.py; not edited by hand. */']


def section(title):
    return ['', '/* ---- %s %s */' % (title, '-' * max(3, 108 - len(title))), '']


def implied_errors(f):
    out = []
    if f.needs != '-':
        out.append('MUST_POSSESS_CAPABILITY')
    for p in f.params:
        if p.kind in HANDLES:
            out += ['NULL_POINTER'] * (p.null == 'pointer') + [HANDLES[p.kind][1]]
            if p.kind == 'thread':
                out.append('THREAD_NOT_ALIVE')
            if p.kind in ('method*', 'version*'):
                out.append('NATIVE_METHOD')
        elif p.kind == 'depth':
            out += ['ILLEGAL_ARGUMENT', 'NO_MORE_FRAMES']
        elif p.kind in ('count', 'enum'):
            out.append('ILLEGAL_ARGUMENT')
        elif p.kind == 'event':
            out.append('INVALID_EVENT_TYPE')
        elif p.kind in POINTERS and p.null == 'no':
            out.append('NULL_POINTER')
    return out


def unique(items):
    return list(dict.fromkeys(items))


# ---- jvmti.h --------------------------------------------------------------------------------------------------------

def header(t):
    out = banner('jvmti.h', 'the Java Virtual Machine Tool Interface, version %s, for C and C++.' % t.version)
    out += ['#ifndef _JAVA_JVMTI_H_', '#define _JAVA_JVMTI_H_', '', '#include "jni.h"', '',
            '#ifdef __cplusplus', 'extern "C" {', '#endif']
    out += section('Versions')
    out += ['enum {', '    JVMTI_VERSION_1 = 0x30010000,']
    for c in t.constants[1:]:
        n = [int(x) for x in (c + '.0').split('.')[:2]]
        out.append('    JVMTI_VERSION_%s = 0x%08X,' % (c.replace('.', '_'), 0x30000000 + n[0] * 0x10000 + n[1] * 0x100))
    v = [int(x) for x in t.version.split('.')]
    out += ['    JVMTI_VERSION = 0x%08X' % (0x30000000 + v[0] * 0x10000 + v[1] * 0x100 + v[2]), '};']
    out += section('Entry points of an agent')
    out += ['JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved);',
            'JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved);',
            'JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm);']
    out += section('Base types')
    out += ['struct _jvmtiEnv;', 'struct jvmtiInterface_1_;', '#ifdef __cplusplus', 'typedef _jvmtiEnv jvmtiEnv;',
            '#else',
            'typedef const struct jvmtiInterface_1_ *jvmtiEnv;', '#endif', '']
    for d in t.typedefs:
        if '*' in d.target:
            out.append('%s;' % d.target.rstrip(' *'))
        out.append('typedef %s;' % declare(d.target.replace(' *', '*'), d.name))
    out += section('Constants')
    for e in t.enums:
        out += ['typedef enum {' if e.own_type else '/* %s */\nenum {' % e.name]
        out += [',\n'.join('    %s = %s' % m for m in e.members)]
        out += ['} %s;' % e.name if e.own_type else '};', '']
    out += ['typedef enum {']
    out += ['    JVMTI_ERROR_%s = %d,' % (e.name, e.number) for e in t.errors]
    out += ['    JVMTI_ERROR_MAX = %d' % max(e.number for e in t.errors), '} jvmtiError;', '']
    out += ['typedef enum {', '    JVMTI_MIN_EVENT_TYPE_VAL = %d,' % FIRST_EVENT]
    out += ['    JVMTI_EVENT_%s = %d,' % (e.constant, e.number) for e in t.events]
    out += ['    JVMTI_MAX_EVENT_TYPE_VAL = %d' % t.last_event, '} jvmtiEvent;']
    out += section('Structures')
    for s in t.structs:
        if s.name != 'jvmtiCapabilities':
            out.append('typedef %s %s %s;' % (s.key, s.name, s.name))
    out += section('Functions an agent provides')
    for c in t.callbacks:
        params = c_params(c.members) if c.members else ''
        out.append('typedef %s (JNICALL *%s)(%s);' % (c.result, c.name, params))
    out += ['']
    for s in t.structs:
        if s.name == 'jvmtiCapabilities':
            continue
        out += ['%s %s {' % (s.key, s.name)]
        out += ['    %s;' % declare(m[1], m[0]) for m in s.members]
        out += ['};', '']
    out += ['typedef struct {']
    out += ['    unsigned int %s : 1;' % c.name for c in t.capabilities]
    pad = CAPABILITY_BITS - len(t.capabilities)
    while pad:
        n = min(pad, 32 - (CAPABILITY_BITS - pad) % 32)
        out.append('    unsigned int : %d;' % n)
        pad -= n
    out += ['} jvmtiCapabilities;']
    out += section('Events')
    out += ['typedef void (JNICALL *jvmtiEventReserved)(void);']
    for e in t.events:
        pairs = [('jvmti_env', 'jvmtiEnv*')] + [(p.name, p.type) for p in e.params]
        out.append('typedef void (JNICALL *jvmtiEvent%s)(%s);' % (e.name, c_params(pairs)))
    out += ['', 'typedef struct {']
    for n in range(FIRST_EVENT, t.last_event + 1):
        e = t.event_by_number.get(n)
        out.append('    jvmtiEvent%s %s;' % (e.name, e.name) if e else '    jvmtiEventReserved reserved%d;' % n)
    out += ['} jvmtiEventCallbacks;']
    out += section('The function table')
    out += ['typedef struct jvmtiInterface_1_ {']
    for n in range(1, LAST_FUNCTION + 1):
        f = t.by_number.get(n)
        if f is None:
            out.append('    void *reserved%d;' % n)
            continue
        pairs = [('env', 'jvmtiEnv*')] + [(p.name, p.type) for p in f.params]
        out.append('    jvmtiError (JNICALL *%s)(%s);%s' % (f.name, c_params(pairs), '   /* %d */' % n))
    out += ['} jvmtiInterface_1;', '']
    out += ['struct _jvmtiEnv {', '    const struct jvmtiInterface_1_ *functions;', '#ifdef __cplusplus']
    for f in t.functions:
        fixed = [p for p in f.params if p.type != '...']
        args = ''.join(', ' + p.name for p in fixed)
        tail = ', ...' if len(fixed) != len(f.params) else ''
        out.append('    jvmtiError %s(%s%s) { return functions->%s(this%s); }' %
                   (f.name, c_params([(p.name, p.type) for p in fixed]), tail, f.name, args))
    out += ['#endif', '};', '', '#ifdef __cplusplus', '}', '#endif', '', '#endif']
    return out


# ---- implementations' header ----------------------------------------------------------------------------------------

def implementation(f):
    pairs = [('env', 'struct jvmti_env*'), ('self', 'struct os_thread*')]
    for p in f.params:
        if p.type != '...':
            pairs.append((p.name, HANDLES[p.kind][0] if p.kind in HANDLES else p.type))
    return 'jvmtiError jvmti_%s(%s)' % (snake(f.name), c_params(pairs))


def event_argument(p):
    return {'class': 'struct class*', 'object': 'struct object*', 'thread': 'struct object*',
            'method': 'struct method_code*',
            'field': 'struct field*', 'slot': 'struct jvmti_slot'}.get(p.kind, p.type)


def trampoline(e):
    pairs = [('self', 'struct os_thread*')] + ([('only', 'struct jvmti_env*')] if e.runs in ('queued', 'selected')
                                               else [])
    pairs += [(p.name, event_argument(p)) for p in e.params if p.kind not in ('jni', 'current')]
    return 'void jvmti_post_%s(%s)' % (snake(e.name), c_params(pairs))


def gen_header(t):
    out = banner('jvmti_gen.h', 'tables and prototypes of the tool interface.')
    out += ['#ifndef VITRINE_JVMTI_GEN_H', '#define VITRINE_JVMTI_GEN_H', '', '#include "jvmti/jvmti_internal.h"']
    out += section('Capabilities: bit numbers and the set that this VM offers')
    out += ['enum {', ',\n'.join('    JVMTI_CAP_%s = %d' % (c.name, i) for i, c in enumerate(t.capabilities)) + ',',
            '    JVMTI_CAPABILITY_COUNT = %d' % len(t.capabilities), '};']
    built = sum(1 << i for i, c in enumerate(t.capabilities) if c.built)
    out += ['#define JVMTI_CAPABILITIES_BUILT UINT64_C(0x%x)' % built,
            'extern const char *const jvmti_capability_names[JVMTI_CAPABILITY_COUNT];']
    sent = sum(1 << (e.number - FIRST_EVENT) for e in t.events if e.built)
    out += ['/* The events that are sent, by PROBE_MASK of their numbers. */',
            '#define JVMTI_EVENTS_SENT UINT64_C(0x%x)' % sent]
    out += section('Tables')
    out += ['enum { JVMTI_FUNCTION_LAST = %d, JVMTI_EVENT_FIRST = %d, JVMTI_EVENT_LAST = %d };' %
            (LAST_FUNCTION, FIRST_EVENT, t.last_event),
            '/* By number; the name of a reserved one is NULL. */',
            'extern const struct jvmti_function_row jvmti_function_rows[JVMTI_FUNCTION_LAST + 1];',
            'extern const struct jvmti_event_row jvmti_event_rows[JVMTI_EVENT_LAST - JVMTI_EVENT_FIRST + 1];',
            '/* The constant\'s name, or NULL for an unknown code. */',
            'const char *jvmti_error_name(jvmtiError error);']
    for c in t.chapters:
        built = [f for f in c.functions if f.built]
        if built:
            out += section('%s: jvmti/%s' % (c.name, c.file))
            out += [implementation(f) + ';' for f in built]
    out += section('Trampolines: call every environment that wants the event. Thread: in VM state')
    out += [trampoline(e) + ';' for e in t.events if e.built and e.runs != 'chain']
    out += ['', '#endif']
    return out


# ---- checks, tables, trampolines -------------------------------------------------------------------------------------

def phase_mask(phases):
    values = {'onload': 1, 'primordial': 2, 'live': 4, 'start': 6, 'dead': 8}
    return sum(1 << values[p] for p in PHASE_SETS[phases])


def cap_mask(t, names):
    bits = {c.name: i for i, c in enumerate(t.capabilities)}
    return 'UINT64_C(0x%x)' % sum(1 << bits[n] for n in names_in(names))


def guard(f, p, previous_class):
    """The C condition that is true when parameter p is refused; assigns err."""
    flags = []
    if p.kind in ('thread', 'thread*'):
        flags = 'JVMTI_NULL_%s%s' % ({'no': 'REFUSED', 'current': 'CURRENT', 'ok': 'ALLOWED'}[p.null],
                                     ' | JVMTI_NEED_ALIVE' if p.kind == 'thread' else '')
        return '(err = jvmti_decode_thread(self, %s, %s, &%s_arg))' % (p.name, flags, p.name)
    if p.kind in ('group', 'loader', 'module', 'object', 'class'):
        null = 'true' if p.null == 'ok' else 'false'
        return '(err = jvmti_decode_%s(self, %s, %s, &%s_arg))' % (p.kind, p.name, null, p.name)
    if p.kind in ('method', 'method*'):
        return '(err = jvmti_decode_method(self, %s, %s, &%s_arg))' % (p.name,
                                                                       'false' if p.kind == 'method*' else 'true',
                                                                       p.name)
    if p.kind in ('version', 'version*'):
        return '(err = jvmti_decode_version(self, %s, %s, &%s_arg))' % (p.name,
                                                                        'false' if p.kind == 'version*' else 'true',
                                                                        p.name)
    if p.kind == 'field':
        return '(err = jvmti_decode_field(self, %s_arg, %s, &%s_arg))' % (previous_class, p.name, p.name)
    if p.kind == 'monitor':
        return '(err = jvmti_decode_monitor(self, %s, &%s_arg))' % (p.name, p.name)
    if p.kind in ('count', 'depth'):
        return '(err = %s < 0 ? JVMTI_ERROR_ILLEGAL_ARGUMENT : 0)' % p.name
    if p.kind == 'enum':
        return '(err = is_%s((int)%s) ? 0 : JVMTI_ERROR_ILLEGAL_ARGUMENT)' % (p.type, p.name)
    if p.kind == 'event':
        return '(err = is_event((int)%s) ? 0 : JVMTI_ERROR_INVALID_EVENT_TYPE)' % p.name
    if p.kind in POINTERS and p.null == 'no':
        return '(err = %s == NULL ? JVMTI_ERROR_NULL_POINTER : 0)' % p.name
    return None


# Which parameter is looked at last, if it and another one are bad: what HotSpot finds out by itself, behind its checks
# of all parameters. LATE_CLASSES are functions whose classes are such ones, EARLY_THREADS those whose thread never is;
# the other threads are from JDK 21 on, since a handle may mean a virtual thread.
LATE_KINDS = {'object', 'group', 'loader', 'module', 'thread*'}
LATE_CLASSES = {'FollowReferences', 'IterateThroughHeap', 'AddModuleUses', 'AddModuleProvides'}
LATE_THREADS = {'GetThreadLocalStorage', 'SetThreadLocalStorage'}
EARLY_THREADS = {'GetThreadCpuTime'}


def ordered_guards(f, params):
    """The conditions of all parameters, in the order in which HotSpot finds fault with them."""
    early, late, klass = [], [], None
    for p in params:
        if p.null == 'pointer':
            early.append('(err = %s == NULL ? JVMTI_ERROR_NULL_POINTER : 0)' % p.name)
        g = guard(f, p, klass)
        if p.kind == 'class':
            klass = p.name
        if not g:
            continue
        if (p.kind in LATE_KINDS or p.kind == 'class' and f.name in LATE_CLASSES
                or p.kind == 'thread' and f.name in LATE_THREADS):
            late.append(g)
        elif p.kind == 'thread' and f.name not in EARLY_THREADS and p is not params[-1]:
            early.append('(vm->library == LIBRARY_17 && %s)' % g)
            late.append('(vm->library != LIBRARY_17 && %s)' % g)
        else:
            early.append(g)
    return early + late


def trace_value(p):
    if p.type in ('jfloat', 'jdouble'):
        return 'jvmti_trace_%s(%s)' % (p.type, p.name)
    if '*' in p.type or p.kind in HANDLES or p.kind == 'func':
        return '(uint64_t)(uintptr_t)%s' % p.name
    return '(uint64_t)(int64_t)%s' % p.name


def check_function(f):
    """Three functions: decoding and the implementation; with admission and tracing in front; what the agent calls."""
    params = [p for p in f.params if p.type != '...']
    pairs = [('jvmti_env', 'jvmtiEnv*')] + [(p.name, p.type) for p in f.params]
    names = ''.join(', ' + p.name for p in params)
    out = ['static inline jvmtiError call_%s(%s) {' %
           (f.name, c_params([('env', 'struct jvmti_env*'), ('self', 'struct os_thread*')] + pairs[1:]))]
    handles = [p for p in params if p.kind in HANDLES]
    for p in handles:
        ctype = HANDLES[p.kind][0]
        out.append('    %s%s%s_arg%s;' % (ctype, '' if ctype.endswith('*') else ' ', p.name,
                                          '' if f.built else ' UNUSED'))
    guards = ordered_guards(f, params)
    if guards:
        out += ['    jvmtiError err;', '    if (%s)' % ' ||\n        '.join(guards), '        return err;']
    if f.built:
        args = ''.join(', ' + (p.name + '_arg' if p.kind in HANDLES else p.name) for p in params)
        out += ['    return jvmti_%s(env, self%s);' % (snake(f.name), args), '}', '']
    else:
        out += ['    (void)env, (void)self;'] + ['    (void)%s;' % p.name
                                                 for p in params] + ['    return JVMTI_ERROR_NOT_AVAILABLE;', '}', '']
    values = ', '.join(trace_value(p) for p in params)
    row = '&jvmti_function_rows[%d]' % f.number
    out += ended_function(f) + ['']
    out += ['static NOINLINE jvmtiError admit_%s(%s) {' % (f.name, c_params(pairs)),
            '    if (jvmti_env_has_ended(jvmti_env)) return ended_%s(jvmti_env%s);' % (f.name, names),
            '    struct jvmti_call call;',
            '    jvmtiError err = jvmti_call_begin(&call, jvmti_env, %s);' % row,
            '    if (err == JVMTI_ERROR_NONE) err = call_%s(call.env, call.self%s);' % (f.name, names),
            '    if (call.traced) jvmti_trace_call(&call, err, %s);' % ('(const uint64_t[]){%s}' % values if params
                                                                        else 'NULL'),
            '    jvmti_call_end(&call);', '    return err;', '}', '',
            'static jvmtiError JNICALL check_%s(%s) {' % (f.name, c_params(pairs)),
            '    struct os_thread *self = current_thread();',
            '    if (UNLIKELY(!jvmti_call_is_plain(self, jvmti_env, %s))) return admit_%s(jvmti_env%s);' % (row, f.name,
                                                                                                            names)]
    call = 'call_%s((struct jvmti_env *)jvmti_env, self%s)' % (f.name, names)
    if f.safe:
        out += ['    return %s;' % call, '}', '']
    else:
        out += ['    struct c_segment c_segment;', '    thread_enter_vm(self, &c_segment);',
                '    jvmtiError err = jvmti_env_is_gone((struct jvmti_env *)jvmti_env) ? '
                'JVMTI_ERROR_INVALID_ENVIRONMENT : %s;' % call,
                '    thread_exit_vm(self, &c_segment);', '    return err;', '}', '']
    return out


# What an environment can still be asked when its VM has ended: of the functions of every phase those that need nothing
# but the environment. The others answer WRONG_PHASE, as in the dead phase.
AFTER_THE_END = {'Allocate', 'Deallocate', 'GetErrorName', 'GetVersionNumber', 'GetJLocationFormat', 'GetPhase',
                 'GetEnvironmentLocalStorage',
                 'SetEnvironmentLocalStorage', 'GetCapabilities', 'GetTimerInfo', 'GetTime', 'GetAvailableProcessors',
                 'DisposeEnvironment'}


def ended_function(f):
    pairs = [('jvmti_env', 'jvmtiEnv*')] + [(p.name, p.type) for p in f.params]
    params = [p for p in f.params if p.type != '...']
    out = ['static jvmtiError JNICALL ended_%s(%s) {' % (f.name, c_params(pairs))]
    if f.name in AFTER_THE_END:
        out += ['    return call_%s((struct jvmti_env *)jvmti_env, NULL%s);' % (f.name,
                                                                                ''.join(', ' + p.name for p in params))]
    else:
        out += ['    (void)jvmti_env;'] + ['    (void)%s;' % p.name
                                           for p in params] + ['    return JVMTI_ERROR_WRONG_PHASE;']
    return out + ['}']


def disposed_function(f):
    pairs = [('jvmti_env', 'jvmtiEnv*')] + [(p.name, p.type) for p in f.params]
    out = ['static jvmtiError JNICALL disposed_%s(%s) {' % (f.name, c_params(pairs))]
    out += ['    (void)jvmti_env;'] + ['    (void)%s;' % p.name for p in f.params if p.type != '...']
    return out + ['    return JVMTI_ERROR_INVALID_ENVIRONMENT;', '}']


def event_param_kind(p):
    """How -Xlog:jvmti=trace prints it."""
    if p.kind == 'value':
        return 'CHAR' if p.type == 'char' else 'DATA' if '*' in p.type else 'VALUE'
    if p.kind == 'vm-buf':
        return 'STRING' if p.type == 'const char*' else 'DATA'
    return 'THREAD' if p.kind == 'current' else p.kind.upper()


def event_value(p):
    """A parameter of a trampoline as jvmti_log_event takes it."""
    if p.kind == 'current':
        return '(uint64_t)(uintptr_t)post.thread'
    if p.kind == 'slot':
        return '(uint64_t)(uintptr_t)&(struct jvmti_slot){%s.type, %s.value}' % (p.name, p.name)
    if p.kind in ('class', 'object', 'thread', 'method', 'field'):
        return '(uint64_t)(uintptr_t)%s_handle' % p.name
    return '(uint64_t)(%s)%s' % ('uintptr_t' if '*' in p.type else 'int64_t', p.name)


def traced_values(e):
    values = [event_value(p) for p in e.params if p.kind != 'jni']
    return '(const uint64_t[]){%s}' % ', '.join(values) if values else 'NULL'


def references(e):
    """What a trampoline hands over: the declarations before the callback, and its arguments."""
    args, before = ['post.env'], []
    for p in e.params:
        if p.kind == 'jni':
            args.append('post.jni')
        elif p.kind == 'current':
            args.append('post.thread')
        elif p.kind in ('class', 'object', 'thread', 'method', 'field', 'slot'):
            before.append('%s = jvmti_post_%s(&post, %s);' % (declare(p.type, p.name + '_handle'), p.kind, p.name))
            args.append(p.name + '_handle')
        else:
            args.append(p.name)
    return before, args


def trampoline_body(e):
    only = 'only' if e.runs in ('queued', 'selected') else 'NULL'
    before, args = references(e)
    out = [trampoline(e) + ' {', '    struct jvmti_post post;',
           '    jvmti_post_begin(&post, self, JVMTI_EVENT_%s, JVMTI_RUNS_%s, %s);' % (e.constant, e.runs.upper(), only),
           '    while (jvmti_post_next(&post)) {']
    out += ['        ' + line for line in before]
    out += ['        jvmtiEvent%s callback = (jvmtiEvent%s)post.callback;' % (e.name, e.name),
            '        int64_t start = jvmti_post_trace(&post, %s);' % traced_values(e),
            '        jvmti_post_enter(&post);', '        callback(%s);' % ', '.join(args),
            '        jvmti_post_leave(&post);',
            '        jvmti_post_done(&post, start);',
            '    }', '    jvmti_post_end(&post);', '}', '']
    return out


def gen_frequent(t):
    out = banner('jvmti_frequent.h', 'trampolines of frequent events, with a shorter way where nothing is uncommon.')
    out += ['#ifndef VITRINE_JVMTI_FREQUENT_H', '#define VITRINE_JVMTI_FREQUENT_H', '', '#include "jvmti/post.h"', '',
            '/* As jvmti_post_<event>, for one caller each: the C segment ends there. */', '']
    for name in t.frequent:
        e = next(e for e in t.events if e.name == name)
        before, args = references(e)
        selected = e.runs == 'selected'
        names = ['self'] + ['only'] * selected + [p.name for p in e.params if p.kind not in ('jni', 'current')]
        out += [trampoline(e).replace('void jvmti_post_', 'static ALWAYS_INLINE void jvmti_send_') + ' {',
                '    struct jvmti_post post;',
                '    if (UNLIKELY(!jvmti_post_is_plain(&post, self, JVMTI_EVENT_%s, %s))) {' %
                (e.constant, 'only' if selected else 'jvmti_only_env()'),
                '        jvmti_post_%s(%s);' % (snake(name), ', '.join(names)), '        return;', '    }']
        out += ['    ' + line for line in before]
        out += ['    jvmtiEvent%s callback = (jvmtiEvent%s)post.callback;' % (name, name),
                '    jvmti_post_count_handles(&post);',
                '    jvmti_post_enter(&post);', '    callback(%s);' % ', '.join(args), '    jvmti_post_leave(&post);',
                '    jvmti_post_done(&post, 0);', '}', '']
    return out + ['#endif']


def gen_source(t):
    out = banner('jvmti_gen.c', 'checks, function table, trampolines and names of the tool interface.')
    out += ['#include "jvmti/post.h"']
    out += section('Names')
    out += ['const char *const jvmti_capability_names[JVMTI_CAPABILITY_COUNT] = {']
    out += ['    "%s",' % c.name for c in t.capabilities] + ['};', '']
    out += ['const char *jvmti_error_name(jvmtiError error) {', '    switch ((int)error) {']
    out += ['    case %d: return "JVMTI_ERROR_%s";' % (e.number, e.name) for e in t.errors]
    out += ['    default: return NULL;', '    }', '}']
    out += section('Rows')
    kinds = {'thread*': 'THREAD', 'method*': 'METHOD', 'version': 'METHOD', 'version*': 'METHOD'}
    for f in t.functions:
        params = [p for p in f.params if p.type != '...']
        if params:
            out.append('static const struct jvmti_param_row params_%s[] = {' % f.name)
            for p in params:
                real = p.type if p.type in ('jfloat', 'jdouble') else None
                kind = 'REAL' if real else kinds.get(p.kind, p.kind.upper())
                if p.kind in ('in',) and p.type == 'const char*':
                    kind = 'STRING'
                if p.kind == 'alloc' and p.type == 'char**':
                    kind = 'ALLOC_STRING'
                if p.kind == 'out' and p.type in ('jint*', 'jlong*', 'jboolean*'):
                    kind = 'OUT_' + p.type[:-1].upper()
                out.append('    {"%s", JVMTI_KIND_OF_%s},' % (p.name, kind))
            out.append('};')
    out += ['', 'const struct jvmti_function_row jvmti_function_rows[JVMTI_FUNCTION_LAST + 1] = {']
    for n in range(1, LAST_FUNCTION + 1):
        f = t.by_number.get(n)
        if f:
            count = len([p for p in f.params if p.type != '...'])
            out.append('    [%d] = {"%s", %s, 0x%03x, %s, %s, %s, %d, %s},' %
                       (n, f.name, cap_mask(t, f.needs), phase_mask(f.phases), 'true' if f.safe else 'false',
                        'true' if f.thread == 'attached' else 'false', 'true' if f.built else 'false', count,
                        'params_' + f.name if count else 'NULL'))
    out += ['};', '']
    for e in t.events:
        params = [p for p in e.params if p.kind != 'jni']
        if params:
            out += ['static const struct jvmti_param_row event_params_%s[] = {' % e.name]
            out += ['    {"%s", JVMTI_KIND_OF_%s},' % (p.name, event_param_kind(p)) for p in params] + ['};']
    out += ['', 'const struct jvmti_event_row jvmti_event_rows[JVMTI_EVENT_LAST - JVMTI_EVENT_FIRST + 1] = {']
    for e in t.events:
        count = len([p for p in e.params if p.kind != 'jni'])
        out.append('    [%d] = {"%s", %s, 0x%03x, %s, %s, %s, %d, %s},' %
                   (e.number - FIRST_EVENT, e.name, cap_mask(t, e.needs), phase_mask(e.phases),
                    'true' if e.level == 'global' else 'false',
                    'JVMTI_RUNS_' + ('native' if e.runs == 'chain' else e.runs).upper(),
                    'true' if e.built else 'false', count, 'event_params_' + e.name if count else 'NULL'))
    out += ['};']
    out += section('Enumerations')
    used = unique(p.type for f in t.functions for p in f.params if p.kind == 'enum')
    for e in t.enums:
        if e.name in used:
            out += ['static bool is_%s(int value) {' % e.name, '    switch (value) {']
            out += ['    case %s:' % m[0] for m in e.members]
            out += ['        return true;', '    default:', '        return false;', '    }', '}', '']
    out += ['static bool is_event(int value) {',
            '    return value >= JVMTI_EVENT_FIRST && value <= JVMTI_EVENT_LAST && jvmti_event_rows[value - '
            'JVMTI_EVENT_FIRST].name;',
            '}']
    out += section('Checks: environment, phase, capabilities, thread, then the parameters from left to right')
    for n in sorted(t.by_number):
        out += check_function(t.by_number[n])
    out += section('Disposed environments')
    for n in sorted(t.by_number):
        out += disposed_function(t.by_number[n])
    out += section('Function tables')
    for table, prefix in (('jvmti_functions', 'check_'), ('jvmti_functions_ended', 'ended_'),
                          ('jvmti_functions_disposed', 'disposed_')):
        out += ['const struct jvmtiInterface_1_ %s = {' % table]
        out += ['    .%s = %s%s,' % (t.by_number[n].name, prefix, t.by_number[n].name) for n in sorted(t.by_number)]
        out += ['};', '']
    out += section('Trampolines')
    for e in t.events:
        if e.built and e.runs != 'chain':
            out += trampoline_body(e)
    return out


# ---- layout ---------------------------------------------------------------------------------------------------------

def layout(t):
    out = banner('jvmti_layout.c', 'values, offsets and sizes of a jvmti.h as data. Compiled with\n'
                 ' *   -DLAYOUT_TABLE=<symbol> -DLAYOUT_VERSION=<major version of the header>, once per header to '
                 'compare.')
    out += ['#include <stddef.h>', '#include <jvmti.h>', '#include "jvmti_layout.h"', '',
            'const struct layout_row LAYOUT_TABLE[] = {']

    def since(version, rows):
        m = major(version)
        return rows if m <= 17 else ['#if LAYOUT_VERSION >= %d' % m] + rows + ['#endif']

    def value(name):
        return '    {"%s", (long long)%s},' % (name, name)

    def offset(struct, member):
        return '    {"%s.%s", (long long)offsetof(%s, %s)},' % (struct, member, struct, member)

    for e in t.enums:
        for m in e.members:
            out += since(e.since, [value(m[0])])
    for e in t.errors:
        out += since(e.since, [value('JVMTI_ERROR_' + e.name)])
    for e in t.events:
        out += since(e.since, [value('JVMTI_EVENT_' + e.constant), offset('jvmtiEventCallbacks', e.name)])
    for s in t.structs:
        if s.name == 'jvmtiCapabilities':
            continue
        out.append('    {"sizeof %s", (long long)sizeof(%s)},' % (s.name, s.name))
        for m in s.members:
            out += since(s.since, [offset(s.name, m[0])])
    out += ['    {"sizeof jvmtiCapabilities", (long long)sizeof(jvmtiCapabilities)},',
            '    {"sizeof jvmtiInterface_1", (long long)sizeof(struct jvmtiInterface_1_)},']
    for n in sorted(t.by_number):
        f = t.by_number[n]
        out += since(f.since, [offset('struct jvmtiInterface_1_', f.name)])
    for e in ('jvmtiError', 'jvmtiEvent', 'jvmtiPhase', 'jvmtiEventMode', 'jthread', 'jlocation', 'jrawMonitorID',
              'jvmtiEnv'):
        out.append('    {"sizeof %s", (long long)sizeof(%s)},' % (e, e))
    out += ['    {NULL, 0}', '};', '',
            '/* Bit-fields have no offsets: each flag is set alone in a cleared structure that the test looks at. */',
            'const struct layout_bit LAYOUT_NAME(LAYOUT_TABLE, _capabilities)[] = {']
    for c in t.capabilities:
        out += since(c.since, ['    {"%s", {.%s = 1}},' % (c.name, c.name)])
    out += ['    {NULL, {0}}', '};']
    return out


# ---- coverage page ---------------------------------------------------------------------------------------------------

def coverage(t):
    built = [f for f in t.functions if f.built]
    out = ['# JVM TI coverage', '',
           'Made from `spec/jvmti.def` by `spec/gen_jvmti.py`; not edited by hand.', '',
           'Of %d functions %d are built, of %d events %d, of %d capabilities %d.' %
           (len(t.functions), len(built), len(t.events), sum(e.built for e in t.events),
            len(t.capabilities), sum(c.built for c in t.capabilities)), '',
           'A function that is not built passes all its checks and then answers `NOT_AVAILABLE`; a capability that is '
           'not built is',
           'never potential; an event that is not built can be enabled only where it needs no capability, and is not '
           'sent.', '',
           'Errors are checked in one order everywhere: environment, phase, capability, attached thread, parameters '
           'from left to',
           'right, then what the function itself finds. Errors every function may give are not repeated: '
           '`INVALID_ENVIRONMENT`,',
           '`WRONG_PHASE`, `UNATTACHED_THREAD`, `OUT_OF_MEMORY`, `INTERNAL`.', '', '## Functions', '']
    for c in t.chapters:
        out += ['### %s' % c.name, '', '| no | function | since | built | phases | in callbacks | needs | errors |',
                '|---:|---|---|---|---|---|---|---|']
        for f in c.functions:
            errors = unique(implied_errors(f) + f.errors)
            out.append('| %d | %s | %s | %s | %s | %s | %s | %s |' %
                       (f.number, f.name, f.since, 'yes' if f.built else 'no', f.phases.replace(',', ', '),
                        'yes' if f.safe else 'no',
                        ', '.join('`%s`' % x for x in names_in(f.needs)), ', '.join(e for e in errors)))
        out.append('')
    out += ['## Events', '', '| no | event | since | built | phases | level | needs |',
            '|---:|---|---|---|---|---|---|']
    for e in t.events:
        out.append('| %d | %s | %s | %s | %s | %s | %s |' %
                   (e.number, e.name, e.since, 'yes' if e.built else 'no',
                    e.phases.replace(',', ', '),
                    'global' if e.level == 'global' else 'global, thread',
                    ', '.join('`%s`' % x for x in names_in(e.needs))))
    out += ['', '## Capabilities', '', '| bit | capability | since | offered |', '|---:|---|---|---|']
    for i, c in enumerate(t.capabilities):
        out.append('| %d | %s | %s | %s |' % (i, c.name, c.since, 'yes' if c.built else 'no'))
    return out


# ---- layout of the outputs ------------------------------------------------------------------------------------------

def fold(line, width=120):
    """A line of C, cut behind commas and opened braces and before operators: with as few brackets open as can be, as
    late as can be. Comments, directives and what cannot be cut stay whole."""
    out, indent = [], ' ' * (len(line) - len(line.lstrip()) + 4)
    while len(line) > width and not line.lstrip().startswith(('/*', '*', '#')):
        depth, best, quoted = 0, None, False
        for i, c in enumerate(line[:width]):
            quoted ^= c == '"' and line[i - 1] != '\\'
            if quoted:
                continue
            depth += (c in '({') - (c in ')}')
            if i > len(indent) + 20 and (c in ',{' and line[i + 1:i + 2] == ' ' or c == ' ' and line[i + 1] == '|'):
                if best is None or depth <= best[0]:
                    best = (depth, i + 1)
        if best is None:
            break
        out.append(line[:best[1]].rstrip())
        line = indent + line[best[1]:].lstrip()
    return out + [line]


# ---- main -----------------------------------------------------------------------------------------------------------

def main(argv):
    if argv[1:] == ['--outputs']:
        print('\n'.join(OUTPUTS))
        return
    if len(argv) != 3:
        sys.exit(__doc__)
    table = read(argv[1])
    texts = dict(zip(OUTPUTS, [header(table), gen_header(table), gen_source(table), gen_frequent(table), layout(table),
                                coverage(table)]))
    os.makedirs(argv[2], exist_ok=True)
    for name, lines in texts.items():
        path, text = os.path.join(argv[2], name), '\n'.join(lines) + '\n'
        if not name.endswith('.md'):
            text = '\n'.join(part for line in text.split('\n') for part in fold(line))
        if os.path.exists(path) and open(path, encoding='utf-8').read() == text:
            continue                                  # an unchanged file keeps its time, so nothing is rebuilt
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)


if __name__ == '__main__':
    main(sys.argv)
