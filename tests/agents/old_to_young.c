/* Native side of tests/collector/OldToYoung.java: the JNI functions that store a reference. */
#include <jni.h>

/* The field's name as C text; the caller's string outlasts it. */
static jfieldID field(JNIEnv *e, jclass c, jstring name, int is_static) {
    const char *text = (*e)->GetStringUTFChars(e, name, NULL);
    jfieldID id = is_static ? (*e)->GetStaticFieldID(e, c, text, "Ljava/lang/Object;")
                            : (*e)->GetFieldID(e, c, text, "Ljava/lang/Object;");
    (*e)->ReleaseStringUTFChars(e, name, text);
    return id;
}

JNIEXPORT void JNICALL Java_OldToYoung_setField(JNIEnv *e, jclass c, jobject holder, jstring name, jobject v) {
    (void)c;
    (*e)->SetObjectField(e, holder, field(e, (*e)->GetObjectClass(e, holder), name, 0), v);
}

JNIEXPORT void JNICALL Java_OldToYoung_setStaticField(JNIEnv *e, jclass c, jclass holder, jstring name, jobject v) {
    (void)c;
    (*e)->SetStaticObjectField(e, holder, field(e, holder, name, 1), v);
}

JNIEXPORT void JNICALL Java_OldToYoung_setElement(JNIEnv *e, jclass c, jobjectArray a, jint i, jobject v) {
    (void)c;
    (*e)->SetObjectArrayElement(e, a, i, v);
}
