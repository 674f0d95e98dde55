"""Native methods that an intrinsic stands for are called as soon as JNI has given them another function, from code that
was compiled before, too. HotSpot's own intrinsics stay, so what is expected then stands here; what it warns of is
compared."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "WORK"))
INTERNAL = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
PROGRAM = """
import jdk.internal.misc.Unsafe;

public class Rebound {
    static final Unsafe U = Unsafe.getUnsafe();
    static final long COUNT = U.objectFieldOffset(Rebound.class, "count");
    short count = 5;
    static native void rebind();
    static int read(Rebound r) { return U.getShort(r, COUNT) + 1; }
    static long bits(double x) { return Double.doubleToRawLongBits(x) + 1; }
    static float number(int x) { return Float.intBitsToFloat(x) + 1; }
    static int hash(Object o) { return o.hashCode(); }
    public static void main(String[] args) {
        System.load(args[0]);
        long sum = 0;
        Rebound r = new Rebound();
        for (int i = 0; i < 20000; i++) sum += bits(i) + (long) number(i) + read(r) + (hash(r) == hash(r) ? 1 : 0);
        System.out.println(sum);
        rebind();
        System.out.println(bits(1.5) + " " + number(7) + " " + read(r) + " " + hash(r));
    }
}
"""
LIBRARY = """
#include <jni.h>
static jlong bits(JNIEnv *e, jclass c, jdouble x) { (void)e, (void)c; return (jlong)(x * 100); }
static jfloat number(JNIEnv *e, jclass c, jint x) { (void)e, (void)c; return (jfloat)x / 2; }
static jshort read(JNIEnv *e, jobject u, jobject o, jlong at) { (void)e, (void)u, (void)o, (void)at; return 40; }
static jint hash(JNIEnv *e, jobject o) { (void)e, (void)o; return 77; }
JNIEXPORT void JNICALL Java_Rebound_rebind(JNIEnv *e, jclass c) {
    (void)c;
    JNINativeMethod raw = {"doubleToRawLongBits", "(D)J", (void *)bits};
    JNINativeMethod of = {"intBitsToFloat", "(I)F", (void *)number};
    (*e)->RegisterNatives(e, (*e)->FindClass(e, "java/lang/Double"), &raw, 1);
    (*e)->RegisterNatives(e, (*e)->FindClass(e, "java/lang/Float"), &of, 1);
    JNINativeMethod access = {"getShort", "(Ljava/lang/Object;J)S", (void *)read};
    (*e)->RegisterNatives(e, (*e)->FindClass(e, "jdk/internal/misc/Unsafe"), &access, 1);
    JNINativeMethod own = {"hashCode", "()I", (void *)hash};
    (*e)->RegisterNatives(e, (*e)->FindClass(e, "java/lang/Object"), &own, 1);
}
"""
classes = harness.fresh_directory(WORK / "classes")
(classes / "Rebound.java").write_text(PROGRAM)
(classes / "rebound.c").write_text(LIBRARY)
subprocess.run([*harness.javac(HOTSPOT), *INTERNAL, "-d", classes, classes / "Rebound.java"], check=True)
subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", f"-I{HOTSPOT}/include", f"-I{HOTSPOT}/include/linux",
                "-o", classes / "librebound.so", classes / "rebound.c"], check=True)
native = ["--enable-native-access=ALL-UNNAMED"] if os.environ["LIBRARY"] != "17" else []


def lines(home, ours):
    outcome = harness.run([*harness.java(home), *(harness.vm_options() if ours else []), *native, *INTERNAL, "-Xbatch",
                           "-cp", classes, "Rebound", classes / "librebound.so"], WORK, 60 * harness.time_scale(),
                          ours=ours)
    text = re.sub(r"(?m)^\[[\d.,]+s\]", "", outcome.out.decode())             # the time of a warning
    if outcome.ended() != "exit 0":
        sys.exit(f"{outcome.ended()} {text} {outcome.err.decode()}")
    return text.split("\n")


theirs, ours = lines(HOTSPOT, False), lines(harness.vm_under_test(IMAGE), True)
if len(ours) != 7 or ours[:5] != theirs[:5] or ours[5:] != ["151 4.5 41 77", ""]:
    sys.exit("\n".join(["HotSpot:", *theirs, "ours:", *ours]))
print("it warns as HotSpot does, and the new functions are called")
