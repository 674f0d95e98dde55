#!/usr/bin/env python3
"""gen_jni.py: makes everything repetitive of the JNI from spec/jni.def.

    gen_jni.py DEF OUTDIR        writes the files below into OUTDIR
    gen_jni.py --outputs         prints their names, one a line

jni_gen.h       JNI_FUNCTIONS(ONE): ONE(Name) for every function of the table
jni_watch_gen.c descriptions of the functions, and the table whose functions show every call to jni/watch.c before they
pass it on

A row that is not understood ends the run with its line number. Order of the rows and completeness are
tests/lint/jni_table.py's.
"""
import os
import re
import sys

OUTPUTS = ['jni_gen.h', 'jni_watch_gen.c']
PRIMITIVES = [('Boolean', 'jboolean', 'Z'), ('Byte', 'jbyte', 'B'), ('Char', 'jchar', 'C'), ('Short', 'jshort', 'S'),
              ('Int', 'jint', 'I'),
              ('Long', 'jlong', 'J'), ('Float', 'jfloat', 'F'), ('Double', 'jdouble', 'D')]
OBJECT, VOID = ('Object', 'jobject', 'L'), ('Void', 'void', 'V')
FAMILIES = {'primitive': PRIMITIVES, 'value': [OBJECT] + PRIMITIVES, 'result': [OBJECT] + PRIMITIVES + [VOID]}
TRAITS = ['always', 'asks', 'in_critical', 'static', 'runs']
# kind: C type; '*' after it when the row names what is pointed at
KINDS = {
    'object': 'jobject', 'object?': 'jobject', 'class': 'jclass', 'any_class': 'jclass', 'throwable_class': 'jclass',
    'throwable': 'jthrowable',
    'loader?': 'jobject', 'string': 'jstring', 'array': 'jarray', 'objects': 'jobjectArray', 'elements_of': 'jarray',
    'executable': 'jobject',
    'member': 'jobject', 'global?': 'jobject', 'local?': 'jobject', 'weak?': 'jweak', 'unchecked': 'jobject',
    'method': 'jmethodID',
    'field': 'jfieldID', 'name': 'const char *', 'text?': 'const char *', 'class_name': 'const char *',
    'class_name?': 'const char *',
    'out': '*', 'out?': '*', 'memory': 'const*', 'memory?': 'const*', 'lent': '*', 'address': 'void *',
    'natives': 'const JNINativeMethod *',
    'list': 'va_list', 'values': 'const jvalue *', 'dots': '...', 'capacity': 'jint', 'mode': 'jint',
    'jint': 'jint', 'jsize': 'jsize', 'jlong': 'jlong', 'jboolean': 'jboolean', 'jbyte': 'jbyte', 'jchar': 'jchar',
    'jshort': 'jshort',
    'jfloat': 'jfloat', 'jdouble': 'jdouble', 'jobject': 'jobject',
}
VALUES = {'jint': 'i', 'jsize': 'i', 'jlong': 'j', 'jboolean': 'z', 'jbyte': 'b', 'jchar': 'c', 'jshort': 's',
          'jfloat': 'f', 'jdouble': 'd'}
RESULTS = {'jchars': 'const jchar *', 'bytes': 'const char *', 'pointer': 'void *'}
HANDLES = {'jobject', 'jclass', 'jstring', 'jthrowable', 'jweak', 'jarray', 'jobjectArray'}


def fail(line, what):
    sys.exit('jni.def:%d: %s' % (line, what))


class Function:
    """name, result (as in the row), letter of the family ('' outside), traits, parameters [(kind, C type, name)]"""

    def __init__(self, line, row, family):
        name, self.c_type, self.letter = family or ('', '', '')
        match = re.fullmatch(r'(\S+) (\w+)\((.*)\)((?: \w+)*)',
                             row.replace('<Type>', name).replace('<type>', self.c_type))
        if not match:
            fail(line, 'not understood: ' + row)
        self.result, self.name, parameters, traits = match.groups()
        self.traits = traits.split()
        for trait in self.traits:
            if trait not in TRAITS:
                fail(line, 'unknown trait ' + trait)
        self.parameters = [self.parameter(line, p.split()) for p in parameters.split(', ')] if parameters else []

    def parameter(self, line, words):
        kind, name = words[0], words[-1]
        c_type = KINDS.get(kind)
        if c_type is None or len(words) != (3 if c_type.endswith('*') and ' ' not in c_type else 2):
            fail(line, 'parameter not understood: ' + ' '.join(words))
        if c_type in ('*', 'const*'):
            const = c_type == 'const*' or kind == 'lent' and 'String' in self.name
            c_type = ('const ' if const else '') + words[1] + ' *'
        if kind == 'elements_of' and self.letter:
            c_type = self.c_type + 'Array'
        return kind, c_type, name

    def result_type(self):
        return self.c_type + ' *' if self.result == 'elements' else RESULTS.get(self.result, self.result)


def read(path):
    functions = []
    for line, text in enumerate(open(path), 1):
        row = text.strip()
        if not row or row.startswith('#'):
            continue
        first, _, rest = row.partition(' ')
        families = FAMILIES.get(first, [None])
        functions += [Function(line, rest if first in FAMILIES else row, family) for family in families]
    return functions


def macro(kind):
    return 'KIND_' + kind.upper().replace('?', '_OR_NULL')


def kind_of_value(kind):
    return ('KIND_' + VALUES[kind].upper() if kind in VALUES else 'KIND_OBJECT_OR_NULL' if kind == 'jobject'
            else macro(kind))


def result_kind(f):
    t = f.result
    if t in VALUES:
        return 'KIND_' + VALUES[t].upper()
    if t in HANDLES or t.endswith('Array'):
        return 'KIND_UNCHECKED'
    return {'void': 'KIND_VOID', 'jmethodID': 'KIND_METHOD', 'jfieldID': 'KIND_FIELD', 'jobjectRefType': 'KIND_I',
            'jchars': 'KIND_LENT', 'bytes': 'KIND_TEXT_OR_NULL',
            'elements': 'KIND_LENT', 'pointer': 'KIND_ADDRESS'}[t]


def pack(kind, name):
    """An initialiser of union jni_argument for a parameter."""
    if kind in ('dots', 'list'):
        return '{ .p = &arguments_list }'
    return '{ .%s = %s }' % (VALUES.get(kind) or VALUES.get({'capacity': 'jint', 'mode': 'jint'}.get(kind, ''), 'p'),
                             name)


def unpack(k, kind, c_type):
    if kind in ('dots', 'list'):
        return 'arguments_list.list'
    member = VALUES.get(kind) or VALUES.get({'capacity': 'jint', 'mode': 'jint'}.get(kind, ''))
    return 'call.arguments[%d].%s' % (k, member) if member else '(%s)call.arguments[%d].p' % (c_type, k)


def watcher(index, f):
    """The function that stands in the watching table."""
    kinds = [p[0] for p in f.parameters]
    lists = [p for p in f.parameters if p[0] in ('dots', 'list')]
    # With variable arguments the one with a list is called.
    target = f.name + 'V' if 'dots' in kinds else f.name
    parameters = ''.join(', %s' % c_type if kind == 'dots'
                         else ', %s%s%s' % (c_type, '' if c_type.endswith('*') else ' ', name)
                         for kind, c_type, name in f.parameters)
    result = f.result_type()
    out = ['static %s%sJNICALL watch_%s(JNIEnv *env%s) {' % (result, '' if result.endswith('*') else ' ', f.name,
                                                             parameters)]
    if lists:
        kind, _, name = lists[0]
        out.append('    struct jni_list arguments_list;')
        out.append('    va_start(arguments_list.list, %s);' % f.parameters[-2][2] if kind == 'dots'
                   else '    va_copy(arguments_list.list, %s);' % name)
    packed = ', '.join(pack(kind, name) for kind, _, name in f.parameters)
    out.append('    struct jni_call call = { .function = &jni_watched_functions[%d], .env = env%s };' %
               (index, ', .arguments = { %s }' % packed if packed else ''))
    out.append('    jni_watch_enter(&call);')
    passed = ''.join(', ' + unpack(k, kind, c_type) for k, (kind, c_type, _) in enumerate(f.parameters))
    expression = 'call.next->%s(env%s);' % (target, passed)
    member = {'KIND_Z': 'z', 'KIND_B': 'b', 'KIND_C': 'c', 'KIND_S': 's', 'KIND_I': 'i', 'KIND_J': 'j', 'KIND_F': 'f',
              'KIND_D': 'd'}.get(result_kind(f), 'p')
    out.append('    %s%s' % ('' if f.result == 'void' else 'call.result.%s = ' % member if member != 'i'
                             else 'call.result.i = (jint)', expression))
    if lists:
        out.append('    va_end(arguments_list.list);')
    out.append('    jni_watch_leave(&call);')
    if f.result != 'void':
        out.append('    return %scall.result.%s;' % ('(%s)' % result if member in 'pi' else '', member))
    out.append('}')
    return '\n'.join(out)


def description(f):
    traits = ' | '.join('TRAIT_' + t.upper() for t in f.traits) or '0'
    parameters = ', '.join('{ %s, "%s" }' % (kind_of_value(kind), name) for kind, _, name in f.parameters)
    return '    { "%s", %s, %s, %s, %d, { %s } },' % (f.name, "'%s'" % f.letter if f.letter else '0', result_kind(f),
                                                      traits, len(f.parameters),
                                                  parameters or '{ KIND_VOID, NULL }')


def main():
    if sys.argv[1:] == ['--outputs']:
        print('\n'.join(OUTPUTS))
        return
    source, directory = sys.argv[1:]
    functions = read(source)
    header = ['/* Made from spec/jni.def. */', '#define JNI_FUNCTIONS(ONE) \\'] + ['    ONE(%s)%s' % (f.name,
            ' \\' if f is not functions[-1] else '') for f in functions]
    code = ['/* Made from spec/jni.def. */', '#include <stdarg.h>', '', '#include "jni/watch.h"', '',
            'const struct jni_function jni_watched_functions[] = {']
    code += [description(f) for f in functions] + ['};', '']
    code += ['%s\n' % watcher(i, f) for i, f in enumerate(functions)]
    code += ['const struct JNINativeInterface_ jni_watching_table = {'] + ['    .%s = watch_%s,' % (f.name, f.name)
                                                                           for f in functions] + ['};']
    for name, lines in zip(OUTPUTS, (header, code)):
        path = os.path.join(directory, name)
        with open(path, 'w') as out:
            out.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
