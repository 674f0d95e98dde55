/* prefixed.c: the native method of tests/javaagent/Natives.java, found under its own name whatever an agent has renamed it to. */
#include <jni.h>

JNIEXPORT jint JNICALL Java_Natives_value(JNIEnv *jni, jclass c, jint n);
JNIEXPORT jint JNICALL Java_Natives_value(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return n + 1;
}
