/* versions.c: ids of methods of a class that is redefined tens of thousands of times while a frame runs its first
 * version (tests/jvmti/Versions.java). */
#include "agent_support.h"

static jmethodID kept;

/* The id of the frame that runs Versions$Changing.held, or NULL. */
static jmethodID held_by(jthread t) {
    jvmtiFrameInfo frames[20];
    jint n = 0;
    jmethodID found = NULL;
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, 20, frames, &n), "GetStackTrace");
    for (jint i = 0; i < n; i++) {
        char *name = NULL;
        jclass c;
        char holder[100];
        if (!ok((*jvmti)->GetMethodName(jvmti, frames[i].method, &name, NULL, NULL), "GetMethodName")) continue;
        ok((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &c), "GetMethodDeclaringClass");
        class_text(c, holder, sizeof holder);
        if (strcmp(holder, "LVersions$Changing;") == 0 && strcmp(name, "held") == 0) found = frames[i].method;
        release(name);
    }
    return found;
}

/* The number that a method's code has with sipush last. */
static int number_in(jmethodID m) {
    jint count = 0;
    unsigned char *code = NULL;
    int number = -1;
    if (!ok((*jvmti)->GetBytecodes(jvmti, m, &count, &code), "GetBytecodes")) return -1;
    for (jint i = 0; i + 2 < count; i++)
        if (code[i] == 0x11) number = code[i + 1] << 8 | code[i + 2];
    release(code);
    return number;
}

JNIEXPORT void JNICALL Java_Versions_keep(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    kept = held_by(t);
}

JNIEXPORT jboolean JNICALL Java_Versions_redefine(JNIEnv *jni, jclass self, jclass c, jbyteArray even, jbyteArray odd,
                                                  jint times) {
    (void)self;
    jboolean good = JNI_TRUE;
    jvmtiClassDefinition files[2] = {{c, (*jni)->GetArrayLength(jni, even), NULL},
                                     {c, (*jni)->GetArrayLength(jni, odd), NULL}};
    jbyte *bytes[2] = {(*jni)->GetByteArrayElements(jni, even, NULL), (*jni)->GetByteArrayElements(jni, odd, NULL)};
    for (int i = 0; i < 2; i++) files[i].class_bytes = (unsigned char *)bytes[i];
    for (jint i = 0; i < times && good; i++)
        good = ok((*jvmti)->RedefineClasses(jvmti, 1, &files[(times - i) % 2]), "RedefineClasses") != 0;
    (*jni)->ReleaseByteArrayElements(jni, even, bytes[0], JNI_ABORT);
    (*jni)->ReleaseByteArrayElements(jni, odd, bytes[1], JNI_ABORT);
    return good;
}

JNIEXPORT void JNICALL Java_Versions_report(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    jmethodID in_frame = held_by(t);
    jboolean obsolete[2] = {9, 9};
    ok((*jvmti)->IsMethodObsolete(jvmti, kept, &obsolete[0]), "IsMethodObsolete");
    ok((*jvmti)->IsMethodObsolete(jvmti, in_frame, &obsolete[1]), "IsMethodObsolete");
    say("the kept id: obsolete %d, number %x", obsolete[0], (unsigned)number_in(kept));
    say("the frame's: obsolete %d, number %x, another id %d", obsolete[1], (unsigned)number_in(in_frame),
        in_frame != kept);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_redefine_classes = 1, .can_get_bytecodes = 1};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    return JNI_OK;
}
