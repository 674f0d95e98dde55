/* prefixed.c: the native methods of tests/javaagent/Natives.java, found under their own names whatever an agent has
 * renamed them to. */
#include <jni.h>

JNIEXPORT jint JNICALL Java_Natives_value(JNIEnv *jni, jclass c, jint n);
JNIEXPORT jint JNICALL Java_Natives_value(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return n + 1;
}

static jint JNICALL registered(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return n + 100;
}

/* RegisterNatives of one method (I)I of the class; what it throws is left pending. */
JNIEXPORT jint JNICALL Java_Natives_register(JNIEnv *jni, jclass c, jclass in, jstring name);
JNIEXPORT jint JNICALL Java_Natives_register(JNIEnv *jni, jclass c, jclass in, jstring name) {
    (void)c;
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    JNINativeMethod m = {(char *)text, (char *)"(I)I", (void *)registered};
    jint result = (*jni)->RegisterNatives(jni, in, &m, 1);
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    return result;
}
