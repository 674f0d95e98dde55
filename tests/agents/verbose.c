/* verbose.c: SetVerboseFlag, called from tests/jvmti/Verbose.java. */
#include "agent_support.h"

JNIEXPORT void JNICALL Java_Verbose_set(JNIEnv *jni, jclass self, jint flag, jboolean on) {
    (void)jni, (void)self;
    ok((*jvmti)->SetVerboseFlag(jvmti, (jvmtiVerboseFlag)flag, on), "SetVerboseFlag");
}

JNIEXPORT void JNICALL Java_Verbose_onNative(JNIEnv *jni, jclass self) { (void)jni, (void)self; }
JNIEXPORT void JNICALL Java_Verbose_offNative(JNIEnv *jni, jclass self) { (void)jni, (void)self; }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    return attach_jvmti(vm);
}
