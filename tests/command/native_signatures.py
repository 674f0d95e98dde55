"""Native methods of many signatures get their arguments and give their results as on HotSpot: every type alone, up to
twelve of one type, and mixed ones, static or not, synchronized or not, made from a fixed seed. The C side folds all
that it receives into one number, which Java code prints with the result; it throws when it is told to. What is narrower
than a register it returns with all other bits set at random, and objects by handles of each kind. Interpreted code
calls them in one way, compiled code in another, also while there are collections and frames change their engine."""
import os
import random
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "WORK"))
TYPES = {"boolean": "jboolean", "byte": "jbyte", "char": "jchar", "short": "jshort", "int": "jint", "long": "jlong",
         "float": "jfloat",
         "double": "jdouble", "int[]": "jintArray"}
# C has no registers for the last of them.
MOST_OF_ONE_TYPE = 12
MIXED = 150
MODES = [[], ["-Xcomp"], ["-Xcomp", "-XX:CollectEvery=97"], ["-Xcomp", "-XX:SwitchTierEvery=3"]]
# What a C function returns that is said to return the type.
WIDER = {"boolean": "uint64_t", "byte": "uint64_t", "char": "uint64_t", "short": "uint64_t", "int": "uint64_t"}
KINDS_OF_HANDLES = ["given", "(*e)->NewLocalRef(e, given)", "(*e)->NewGlobalRef(e, given)",
                    "(*e)->NewWeakGlobalRef(e, given)"]
VALUES = {"boolean": ["true", "false"], "byte": ["(byte) -128", "(byte) 7"], "char": ["'\\uffff'", "'a'"],
          "short": ["(short) -32768", "(short) 9"],
          "int": ["-1", "Integer.MIN_VALUE", "77"], "long": ["-1L", "Long.MIN_VALUE", "0x123456789abcdefL"],
          "float": ["-0.0f", "1.5f", "Float.MAX_VALUE"],
          "double": ["-0.0", "Math.PI", "Double.MIN_VALUE"], "int[]": ["null", "new int[3]", "new int[11]"]}

C_HEAD = """#include <jni.h>
#include <stdint.h>
#include <string.h>

static uint64_t folded;
static void fold(uint64_t v) { folded = (folded ^ v) * 0x9e3779b97f4a7c15u; folded ^= folded >> 29; }
static void fold_jfloat(jfloat f) { uint32_t v; memcpy(&v, &f, sizeof v); fold(v); }
static void fold_jdouble(jdouble d) { uint64_t v; memcpy(&v, &d, sizeof v); fold(v); }
static void fold_object(JNIEnv *e, jobject o) { fold(o ? (uint64_t)(*e)->GetArrayLength(e, o) : 99); }
static jclass of_signatures;
static jmethodID holds;
static jthrowable told;
JNIEXPORT void JNICALL Java_Signatures_prepare(JNIEnv *e, jclass c, jthrowable exception) {
    of_signatures = (*e)->NewGlobalRef(e, c);
    holds = (*e)->GetStaticMethodID(e, c, "holds", "(Ljava/lang/Object;)Z");
    told = (*e)->NewGlobalRef(e, exception);
}
/* The receiver is the class or an object of it. Every third method makes local references. */
static void fold_receiver(JNIEnv *e, jobject o, int number) {
    jclass c = number % 3 == 0 ? (*e)->FindClass(e, "Signatures") : of_signatures;
    fold(2 * (*e)->IsSameObject(e, o, c) + (*e)->IsInstanceOf(e, o, c));
}
/* Whether its monitor is held, by an up-call; throws once it has been told to. */
static int throws;
static void fold_state(JNIEnv *e, jobject receiver) {
    fold((*e)->CallStaticBooleanMethod(e, of_signatures, holds, receiver));
    if (throws) (*e)->Throw(e, told);
    throws = 0;
}
JNIEXPORT jlong JNICALL Java_Signatures_folded(JNIEnv *e, jclass c) { (void)e, (void)c; return (jlong)folded; }
JNIEXPORT void JNICALL Java_Signatures_throwNext(JNIEnv *e, jclass c) { (void)e, (void)c; throws = 1; }
"""


def signatures():
    """(static, result, parameters): each type as the only parameter and as the result, rows of one type, mixtures."""
    yield True, "void", ()
    yield False, "void", ()
    for t in TYPES:
        yield True, t, ()
        for count in range(1, MOST_OF_ONE_TYPE + 1):
            yield count % 2 == 0, t, (t,) * count
    choose = random.Random(20)
    for _ in range(MIXED):
        yield choose.random() < 0.5, choose.choice(["void", *TYPES]), tuple(choose.choices(list(TYPES),
                                                                                           k=choose.randrange(1, 24)))


def c_function(number, is_static, result, parameters):
    names = [f"p{i}" for i in range(len(parameters))]
    head = ", ".join(["JNIEnv *e", f"{'jclass' if is_static else 'jobject'} receiver",
                      *(f"{TYPES[t]} {n}" for t, n in zip(parameters, names))])
    lines = ["folded = 1;", f"fold_receiver(e, receiver, {number});"]
    for t, n in zip(parameters, names):
        lines.append(f"fold_object(e, {n});" if t == "int[]" else f"fold_{TYPES[t]}({n});" if t in ("float", "double")
                     else f"fold((uint64_t){n});")
    arrays = [n for t, n in zip(parameters, names) if t == "int[]"]
    if result == "int[]":
        lines.append(f"jintArray given = {arrays[-1] if arrays else '(*e)->NewIntArray(e, 5)'};")
    lines.append("fold_state(e, receiver);")
    if result == "int[]":
        lines.append(f"return {KINDS_OF_HANDLES[number % len(KINDS_OF_HANDLES)]};")
    elif result in WIDER:
        lines.append("return folded & (folded & 1 ? -1ull : -256ull);")
    elif result != "void":
        lines.append(f"return ({TYPES[result]})(int64_t)folded;")
    returned = WIDER.get(result, TYPES.get(result, "void"))
    return f"JNIEXPORT {returned} JNICALL Java_Signatures_m{number}({head}) {{ {' '.join(lines)} }}\n"


def java_calls(number, result, parameters, choose):
    lines = []
    for told in range(4):
        call = f"it.m{number}({', '.join(choose.choice(VALUES[t]) for t in parameters)})"
        shown = (f'{call}; reached++; System.out.print("void"' if result == "void"
                 else f"var r = {call}; reached++; System.out.print({'length(r)' if result == 'int[]' else 'r'}")
        lines.append("throwNext();" if told == 3 else "")
        lines.append(f'try {{ {shown}); }} catch (IllegalStateException e) {{ System.out.print(e.getMessage()); }}')
        lines.append(f'System.out.println(" {number} " + folded() + (holds(it) || holds(Signatures.class)) + reached);')
    return f"    static void call{number}(Signatures it) {{ {' '.join(lines)} }}\n"


all_signatures = list(signatures())
classes = harness.fresh_directory(WORK / "classes")
choose = random.Random(3)
declared = "".join(f"    {'static ' if is_static else ''}{choose.choice(['', '', 'synchronized '])}native "
                   f"{result} m{i}({', '.join(f'{t} p{k}' for k, t in enumerate(parameters))});\n"
                   for i, (is_static, result, parameters) in enumerate(all_signatures))
(classes / "Signatures.java").write_text(
    "class Signatures {\n    static native long folded();\n    static native void throwNext();\n"
    "    static native void prepare(Throwable told);\n"
    "    static int reached;\n    static boolean holds(Object o) { return Thread.holdsLock(o); }\n"
    "    static int length(int[] a) { return a == null ? -1 : a.length; }\n" + declared
    + "".join(java_calls(i, result, parameters, choose) for i, (_, result, parameters) in enumerate(all_signatures))
    + "    public static void main(String[] args) {\n        System.load(args[0]);\n"
      "        prepare(new IllegalStateException(\"told\"));\n"
      "        Signatures it = new Signatures();\n        for (int round = 0; round < 3; round++) {\n"
    + "".join(f"            call{i}(it);\n" for i in range(len(all_signatures))) + "        }\n    }\n}\n")
(classes / "signatures.c").write_text(C_HEAD + "".join(c_function(i, *signature) for i,
                                                       signature in enumerate(all_signatures)))
subprocess.run([*harness.javac(HOTSPOT), "-Xlint:none", "-d", classes, classes / "Signatures.java"], check=True)
subprocess.run([os.environ.get("CC", "cc"), "-std=gnu17", "-O1", "-shared", "-fPIC", f"-I{HOTSPOT}/include",
                f"-I{HOTSPOT}/include/linux", "-o",
                classes / "libsignatures.so", classes / "signatures.c"], check=True)
native = ["--enable-native-access=ALL-UNNAMED"] if os.environ["LIBRARY"] != "17" else []
texts = []
for java, options, ours in ((HOTSPOT, [], False),
                            *((harness.vm_under_test(IMAGE), [*harness.vm_options(), *mode], True) for mode in MODES)):
    outcome = harness.run([*harness.java(java), *options, *native, "-cp", classes, "Signatures",
                           classes / "libsignatures.so"], WORK,
                          120 * harness.time_scale(), ours=ours)
    texts.append(outcome.ended() + "\n" + outcome.out.decode() + outcome.err.decode())
calls = texts[0].count("\n") - 1
for mode, text in zip(MODES, texts[1:]):
    if texts[0] != text or calls != 12 * len(all_signatures):
        harness.show_difference(f"output {mode}", texts[0], text)
        sys.exit(1)
print(f"{len(all_signatures)} signatures, {calls} calls: as on HotSpot, in {len(MODES)} modes")
