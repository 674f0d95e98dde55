"""Redefinition and retransformation: the same class files given to HotSpot and to our VM by the same agent."""
import difflib
import os
import re
import subprocess
import sys

import harness
import rows

sys.path.insert(0, os.path.join(os.environ['TESTS'], '../spec'))
import gen_jvmti  # noqa: E402

LIBRARY, HOTSPOT, IMAGE, BUILD, TESTS, WORK = (os.environ[k]
                                               for k in ('LIBRARY', 'HOTSPOT', 'IMAGE', 'BUILD', 'TESTS', 'WORK'))

SHAPE = '''
%(modifiers)sclass Shape %(extends)simplements %(interfaces)s {
    int x = 1;
    static int counter = 10;
    static { System.out.println("Shape.<clinit>"); }
    %(field)s
    %(annotation)sString describe() { return "%(word)s"; }
    int unchanged() { return "stays".length() + x; }
    int steady(Runnable action) { action.run(); return x + 100; }
    %(twice)s
    int secret() { return %(secret)s; }
    String nested(Runnable %(parameter)s) { %(parameter)s.run(); return "%(word)s tail"; }
    String summary() { java.util.function.Supplier<String> s = () -> "%(word)s " + x; return s.get(); }
    void fail() {%(lines)s throw new IllegalStateException("%(word)s"); }
    public int compareTo(Object o) { return %(secret)s; }
    %(more)s
}
class Base { }
'''
DEFAULTS = {
    'modifiers': '', 'extends': '', 'interfaces': 'Comparable<Object>', 'field': 'final String name = "name";',
    'annotation': '', 'word': 'one',
    'twice': 'static int twice(int n) { return n * 2; }', 'secret': '1', 'lines': '', 'more': '',
    'parameter': 'action',
}
VARIANTS = {
    'base': {},
    'body': {'word': 'a different text', 'parameter': 'later', 'twice': 'static int twice(int n) { return n * 3; }',
             'secret': '2 + x', 'annotation': '@Deprecated ', 'lines': '\n\n\n'},
    'body2': {'word': 'third', 'secret': '3'},
    'method_added': {'more': 'void added() { }'},
    'private_method_added': {'more': 'private static void added() { }'},
    'method_deleted': {'twice': ''},
    'method_modifiers': {'twice': 'static synchronized int twice(int n) { return n * 2; }'},
    'field_added': {'more': 'int y;'},
    'field_removed': {'field': ''},
    'field_renamed': {'field': 'final String title = "name";'},
    'field_modifiers': {'field': 'String name = "name";'},
    'class_modifiers': {'modifiers': 'final '},
    'superclass': {'extends': 'extends Base '},
    'interface_removed': {'interfaces': 'java.io.Serializable'},
    'interface_added': {'interfaces': 'Comparable<Object>, Cloneable'},
    'nest': {'more': 'static class Inner { }'},
    'native': {'twice': 'static native int twice(int n);'},
    'record': {},
    'sealed': {},
    'order': {},
}
OTHERS = '''
record Point(int a, %(record)s b) { }
sealed interface Sealed permits %(permits)s { }
final class One implements Sealed { }
sealed interface Ordered permits %(ordered)s { }
final class First implements Ordered { }
final class Second implements Ordered { }
class Nest { %(nested)s }
%(final)s class Two %(two)s { }
class Hidden { }
class Failing { static { if (true) throw new RuntimeException("on purpose"); } }
class ChainAll { static String order() { return "order:...."; } }
class ChainUntouched { static String order() { return "order:...."; } }
class ChainCapable { static String order() { return "order:...."; } }
'''


def compile_variants(root):
    sources = []
    for name, changes in VARIANTS.items():
        directory = os.path.join(root, name)
        os.makedirs(directory, exist_ok=True)
        sealed = name == 'sealed'
        text = SHAPE % {**DEFAULTS, **changes} + OTHERS % {
            'record': 'long' if name == 'record' else 'int', 'permits': 'One, Two' if sealed else 'One',
            'ordered': 'Second, First' if name == 'order' else 'First, Second',
            'nested': 'class B { } class A { }' if name == 'order' else 'class A { } class B { }',
            'final': 'final' if sealed else '', 'two': 'implements Sealed' if sealed else ''}
        source = os.path.join(directory, 'Shape.java')
        with open(source, 'w', encoding='utf-8') as f:
            f.write(text)
        sources.append(source)
    subprocess.run([*harness.java(HOTSPOT), os.path.join(TESTS, 'redefine/CompileVariants.java'), *sources], check=True)


def run(java, root):
    command = [*harness.java(java), *(harness.vm_options() if java == IMAGE else []),
               '-agentpath:' + harness.agent_library(BUILD, 'redefine', java == IMAGE), '-cp',
               root + '/program:' + root + '/base', 'Redefine', root]
    r = subprocess.run(command, capture_output=True, text=True, timeout=300 * harness.time_scale(), errors='replace',
                       env=harness.environment(java == IMAGE))
    return (r.stdout + r.stderr + 'exit %d\n' % r.returncode).splitlines()


# Errors of the table that no class file of ours causes.
IMPOSSIBLE = {
    'CIRCULAR_CLASS_DEFINITION': 'the supertypes of a class that is changed must stay, so none can become its own',
    'UNMODIFIABLE_MODULE': 'every module of both libraries can be changed',
    'MUST_POSSESS_CAPABILITY': 'command.jvmti_every_call', 'NULL_POINTER': 'command.jvmti_every_call',
    'ILLEGAL_ARGUMENT': 'command.jvmti_every_call',
}


def errors_not_seen(lines):
    """Pairs of function and error of spec/jvmti.def without a line."""
    seen = {'RetransformClasses': set(), 'RedefineClasses': set()}
    for line in lines:
        words = set(re.findall(r'[A-Z_]{5,}', line))
        seen['RetransformClasses' if line.startswith('retransform') else 'RedefineClasses'] |= words
    for f in gen_jvmti.read(os.path.join(TESTS, '../spec/jvmti.def')).functions:
        for error in {*gen_jvmti.implied_errors(f), *f.errors} - set(IMPOSSIBLE) - seen.get(f.name, set()):
            if f.name in seen:
                yield '%s: no case with %s' % (f.name, error)


def main():
    root = os.path.join(WORK, 'variants')
    compile_variants(root)
    subprocess.run([*harness.javac(HOTSPOT), '-cp', root + '/base', '-d', root + '/program',
                    os.path.join(TESTS, 'redefine/Redefine.java')], check=True)
    expected, actual = run(HOTSPOT, root), run(IMAGE, root)
    wanted = ['method_added: UNSUPPORTED_REDEFINITION_METHOD_ADDED', 'verification: FAILS_VERIFICATION', 'bodies: NONE',
              'exit 0']
    missing = [w for w in wanted if w not in expected]
    if missing or any('FAILED' in line for line in expected):
        print('HotSpot: missing %s\n%s' % (missing, '\n'.join(expected)))
        sys.exit(1)
    shown = rows.Shown('redefine')
    shown.add(expected)
    unseen = [*errors_not_seen(expected), *shown.missing()]
    if unseen:
        print('\n'.join(unseen))
        sys.exit(1)
    if expected != actual:
        print('\n'.join(difflib.unified_diff(expected, actual, 'hotspot', 'vitrine', lineterm='', n=3)))
        sys.exit(1)


main()
