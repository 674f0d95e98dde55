#!/usr/bin/env python3
"""gen_calls.py DEF OUT: from spec/jvmti.def a C file with one row and one caller for each JVM TI function (every_call.h
says what is in a row)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../spec'))
import gen_jvmti  # noqa: E402

HANDLES = {'jthread', 'jthreadGroup', 'jobject', 'jclass', 'jmethodID', 'jfieldID', 'jrawMonitorID'}


def argument(p, i):
    if p.kind == 'func':
        return '(%s)a[%d].f' % (p.type, i)
    if '*' in p.type or p.type in HANDLES:
        return '(%s)a[%d].p' % (p.type, i)
    return '(%s)a[%d].%s' % (p.type, i, 'd' if p.type in ('jfloat', 'jdouble') else 'j')


def rows(table):
    yield '/* Made from spec/jvmti.def by gen_calls.py. */'
    yield '#include "every_call.h"'
    for f in table.functions:
        params = [p for p in f.params if p.type != '...']
        yield ('static jvmtiError call_%s(const struct jvmtiInterface_1_ *t, jvmtiEnv *env, const union argument *a) {'
               % f.name)
        yield '    (void)a;'
        yield '    return t->%s(%s);' % (f.name, ', '.join(['env'] + [argument(p, i) for i, p in enumerate(params)]))
        yield '}'
        if params:
            yield 'static const struct parameter parameters_%s[] = {' % f.name
            for p in params:
                kind = p.kind.replace('*', '_too').upper()
                yield '    {"%s", "%s", KIND_%s, %s, %s},' % (p.name, p.type, kind, 'true'
                                                              if p.null in ('no', 'pointer') else 'false',
                                                              'true' if p.null == 'current' else 'false')
            yield '};'
    yield 'const struct function functions[] = {'
    for f in table.functions:
        params = [p for p in f.params if p.type != '...']
        phases = sum(1 << (gen_jvmti.PHASES.get(p) or 8) for p in gen_jvmti.PHASE_SETS[f.phases])
        needs = sum(1 << i for i, c in enumerate(table.capabilities) if c.name in gen_jvmti.names_in(f.needs))
        yield '    {"%s", %d, 0x%x, 0x%xull, %s, %s, %d, %s, call_%s},' % (
            f.name, gen_jvmti.major(f.since), phases, needs, 'true' if f.safe else 'false',
            'true' if f.thread == 'attached' else 'false', len(params),
            'parameters_' + f.name if params else 'NULL', f.name)
    yield '};'
    yield 'const int function_count = %d;' % len(table.functions)


def main():
    with open(sys.argv[2], 'w', encoding='utf-8') as out:
        out.write('\n'.join(rows(gen_jvmti.read(sys.argv[1]))) + '\n')


if __name__ == '__main__':
    main()
