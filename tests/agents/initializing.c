/* initializing.c: static members by ids that were taken while their class was being initialised, used by another thread
 * and once the initializer has failed. For tests/jvmti/Initializing.java. */
#include "agent_support.h"

static jclass owner;
static jmethodID method;
static jfieldID field;

JNIEXPORT void JNICALL Java_Initializing_take(JNIEnv *jni, jclass self, jclass c) {
    (void)self;
    owner = (*jni)->NewGlobalRef(jni, c);
    method = (*jni)->GetStaticMethodID(jni, c, "method", "()I");
    field = (*jni)->GetStaticFieldID(jni, c, "field", "I");
    say("taken: %d", method != NULL && field != NULL);
}

JNIEXPORT void JNICALL Java_Initializing_use(JNIEnv *jni, jclass self) {
    (void)self;
    jint first = (*jni)->CallStaticIntMethod(jni, owner, method);
    int threw = (*jni)->ExceptionCheck(jni);
    (*jni)->ExceptionClear(jni);
    (*jni)->SetStaticIntField(jni, owner, field, 5);
    threw += (*jni)->ExceptionCheck(jni);
    (*jni)->ExceptionClear(jni);
    jint second = (*jni)->GetStaticIntField(jni, owner, field);
    threw += (*jni)->ExceptionCheck(jni);
    (*jni)->ExceptionClear(jni);
    say("method %d, field %d, exceptions %d", (int)first, (int)second, threw);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    return attach_jvmti(vm);
}
