/* late_classes.c: runs Java code inside another agent's work, at a point that is known: when that agent gives back its
 * local reference to a class chosen for it. The HPROF agent does so between listing the classes and walking
 * the heap. */
#include "agent_support.h"

static const struct JNINativeInterface_ *original;
static jclass late;
static jobject marker;
static jmethodID load;
static __thread int inside;

static void JNICALL delete_local_ref(JNIEnv *jni, jobject object) {
    if (!inside && object != NULL && original->IsSameObject(jni, object, marker)) {
        inside = 1;
        original->CallStaticVoidMethod(jni, late, load);
        if (original->ExceptionCheck(jni)) original->ExceptionDescribe(jni);
        inside = 0;
    }
    original->DeleteLocalRef(jni, object);
}

/* From now on Late.load() is called whenever a local reference to `of` is deleted. */
JNIEXPORT void JNICALL Java_Late_mark(JNIEnv *jni, jclass c, jclass of) {
    late = (*jni)->NewGlobalRef(jni, c);
    marker = (*jni)->NewGlobalRef(jni, of);
    load = (*jni)->GetStaticMethodID(jni, c, "load", "()V");
    jniNativeInterface *functions = NULL, *own = NULL;
    if (load == NULL || !ok((*jvmti)->GetJNIFunctionTable(jvmti, &functions), "GetJNIFunctionTable") ||
        !ok((*jvmti)->GetJNIFunctionTable(jvmti, &own), "GetJNIFunctionTable"))
        return;
    original = functions;
    own->DeleteLocalRef = delete_local_ref;
    ok((*jvmti)->SetJNIFunctionTable(jvmti, own), "SetJNIFunctionTable");
    release(own);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    return attach_jvmti(vm);
}
