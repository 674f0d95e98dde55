/* redefine_methods.c: natives that redefine and retransform classes, remember ids of methods over that, and tell what
 * JVM TI and JNI make of them. */
#include "agent_support.h"

/* ---- new class files --------------------------------------------------------------------------------------------- */

enum { MOST_CLASSES = 8 };

JNIEXPORT jstring JNICALL Java_RedefineMethods_redefine(JNIEnv *jni, jclass c, jobjectArray classes,
                                                        jobjectArray files) {
    (void)c;
    jvmtiClassDefinition set[MOST_CLASSES];
    jsize n = (*jni)->GetArrayLength(jni, classes);
    for (jsize i = 0; i < n; i++) {
        jbyteArray file = (*jni)->GetObjectArrayElement(jni, files, i);
        set[i].klass = (*jni)->GetObjectArrayElement(jni, classes, i);
        set[i].class_byte_count = (*jni)->GetArrayLength(jni, file);
        set[i].class_bytes = (unsigned char *)(*jni)->GetByteArrayElements(jni, file, NULL);
    }
    return (*jni)->NewStringUTF(jni, error_text((*jvmti)->RedefineClasses(jvmti, n, set)));
}

/* What the hook makes of the classes that are retransformed, in the order of the call. */
static struct {
    jclass class;
    unsigned char *bytes;
    jint length;
} substitutes[MOST_CLASSES];
static jsize substitute_count;

static void JNICALL on_class_file(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
    (void)loader, (void)name, (void)domain, (void)length, (void)bytes;
    for (jsize i = 0; redefined != NULL && i < substitute_count; i++) {
        if (!(*jni)->IsSameObject(jni, redefined, substitutes[i].class)) continue;
        if ((*env)->Allocate(env, substitutes[i].length, new_bytes) != JVMTI_ERROR_NONE) return;
        memcpy(*new_bytes, substitutes[i].bytes, (size_t)substitutes[i].length);
        *new_length = substitutes[i].length;
    }
}

JNIEXPORT jstring JNICALL Java_RedefineMethods_retransform(JNIEnv *jni, jclass c, jobjectArray classes,
                                                           jobjectArray files) {
    (void)c;
    jclass list[MOST_CLASSES];
    jsize n = (*jni)->GetArrayLength(jni, classes);
    for (jsize i = 0; i < n; i++) {
        jbyteArray file = (*jni)->GetObjectArrayElement(jni, files, i);
        list[i] = substitutes[i].class = (*jni)->GetObjectArrayElement(jni, classes, i);
        substitutes[i].length = (*jni)->GetArrayLength(jni, file);
        substitutes[i].bytes = (unsigned char *)(*jni)->GetByteArrayElements(jni, file, NULL);
    }
    substitute_count = n;
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL), "enable");
    jvmtiError err = (*jvmti)->RetransformClasses(jvmti, n, list);
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL), "disable");
    substitute_count = 0;
    return (*jni)->NewStringUTF(jni, error_text(err));
}

/* ---- methods of a class ------------------------------------------------------------------------------------------ */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

JNIEXPORT void JNICALL Java_RedefineMethods_methods(JNIEnv *jni, jclass c, jclass k) {
    (void)jni, (void)c;
    jint n = 0;
    jmethodID *ids = NULL;
    char *texts[64], all[4096] = "";
    if (!ok((*jvmti)->GetClassMethods(jvmti, k, &n, &ids), "GetClassMethods") || n > 64) return;
    for (jint i = 0; i < n; i++) {
        char *name = NULL, *desc = NULL;
        ok((*jvmti)->GetMethodName(jvmti, ids[i], &name, &desc, NULL), "GetMethodName");
        texts[i] = malloc(strlen(name) + strlen(desc) + 1);
        strcat(strcpy(texts[i], name), desc);
        release(name);
        release(desc);
    }
    qsort(texts, (size_t)n, sizeof *texts, by_text);
    for (jint i = 0; i < n; i++) {
        strcat(strcat(all, " "), texts[i]);
        free(texts[i]);
    }
    say("GetClassMethods:%s", all);
    release(ids);
}

/* ---- remembered ids ---------------------------------------------------------------------------------------------- */

static jmethodID remembered[16];

static jmethodID find(JNIEnv *jni, jclass k, jstring name, jstring desc, jboolean is_static) {
    const char *n = (*jni)->GetStringUTFChars(jni, name, NULL), *d = (*jni)->GetStringUTFChars(jni, desc, NULL);
    jmethodID m = is_static ? (*jni)->GetStaticMethodID(jni, k, n, d) : (*jni)->GetMethodID(jni, k, n, d);
    (*jni)->ReleaseStringUTFChars(jni, name, n);
    (*jni)->ReleaseStringUTFChars(jni, desc, d);
    return m;
}

JNIEXPORT void JNICALL Java_RedefineMethods_remember(JNIEnv *jni, jclass c, jint i, jclass k, jstring name,
                                                     jstring desc, jboolean is_static) {
    (void)c;
    remembered[i] = find(jni, k, name, desc, is_static);
}

/* Is it the one that is remembered? NoSuchMethodError where there is none. */
JNIEXPORT jboolean JNICALL Java_RedefineMethods_same(JNIEnv *jni, jclass c, jint i, jclass k, jstring name,
                                                     jstring desc, jboolean is_static) {
    (void)c;
    return find(jni, k, name, desc, is_static) == remembered[i];
}

JNIEXPORT void JNICALL Java_RedefineMethods_describe(JNIEnv *jni, jclass c, jint i) {
    (void)c;
    char *name = NULL, *desc = NULL, text[256];
    jclass holder = NULL;
    jint modifiers = 0, bytes = 0;
    unsigned char *code = NULL;
    jboolean obsolete = JNI_FALSE;
    jmethodID m = remembered[i];
    ok((*jvmti)->GetMethodName(jvmti, m, &name, &desc, NULL), "GetMethodName");
    ok((*jvmti)->GetMethodDeclaringClass(jvmti, m, &holder), "GetMethodDeclaringClass");
    ok((*jvmti)->GetMethodModifiers(jvmti, m, &modifiers), "GetMethodModifiers");
    ok((*jvmti)->GetBytecodes(jvmti, m, &bytes, &code), "GetBytecodes");
    ok((*jvmti)->IsMethodObsolete(jvmti, m, &obsolete), "IsMethodObsolete");
    say("id %d: %s%s of %s, modifiers %x, %d bytes, obsolete %d", (int)i, name, desc,
        class_text(holder, text, sizeof text), (unsigned)modifiers, (int)bytes, obsolete);
    release(name);
    release(desc);
    release(code);
    (*jni)->DeleteLocalRef(jni, holder);
}

JNIEXPORT jint JNICALL Java_RedefineMethods_call(JNIEnv *jni, jclass c, jint i, jclass k, jint n) {
    (void)c;
    return (*jni)->CallStaticIntMethod(jni, k, remembered[i], n);
}

/* The caller's frames that belong to k, and whether their ids are remembered. */
JNIEXPORT void JNICALL Java_RedefineMethods_frames(JNIEnv *jni, jclass c, jclass k) {
    (void)c;
    jvmtiFrameInfo frames[16];
    jint n = 0;
    ok((*jvmti)->GetStackTrace(jvmti, NULL, 0, 16, frames, &n), "GetStackTrace");
    for (jint i = 0; i < n; i++) {
        jclass holder = NULL;
        char *name = NULL;
        jboolean obsolete = JNI_FALSE;
        int which = 15;
        ok((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &holder), "GetMethodDeclaringClass");
        if (!(*jni)->IsSameObject(jni, holder, k)) continue;
        ok((*jvmti)->GetMethodName(jvmti, frames[i].method, &name, NULL, NULL), "GetMethodName");
        ok((*jvmti)->IsMethodObsolete(jvmti, frames[i].method, &obsolete), "IsMethodObsolete");
        while (which >= 0 && remembered[which] != frames[i].method) which--;
        say("frame of %s at %d, id %d, obsolete %d", name, (int)frames[i].location, which, obsolete);
        release(name);
    }
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static jclass watched;

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)t;
    jclass holder = NULL;
    char *name = NULL;
    if ((*env)->GetMethodDeclaringClass(env, m, &holder) != JVMTI_ERROR_NONE) return;
    if ((*jni)->IsSameObject(jni, holder, watched) && ok((*env)->GetMethodName(env, m, &name, NULL, NULL), "name")) {
        say("entered %s", name);
        release(name);
    }
    (*jni)->DeleteLocalRef(jni, holder);
}

JNIEXPORT void JNICALL Java_RedefineMethods_watch(JNIEnv *jni, jclass c, jclass k) {
    (void)c;
    if (k != NULL) watched = (*jni)->NewGlobalRef(jni, k);
    ok((*jvmti)->SetEventNotificationMode(jvmti, k ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL),
       "SetEventNotificationMode");
    if (k == NULL) (*jni)->DeleteGlobalRef(jni, watched);
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)jni, (void)t;
    char *name = NULL;
    ok((*env)->GetMethodName(env, m, &name, NULL, NULL), "GetMethodName");
    say("breakpoint in %s at %d", name, (int)at);
    release(name);
}

JNIEXPORT jstring JNICALL Java_RedefineMethods_setBreakpoint(JNIEnv *jni, jclass c, jint i) {
    (void)c;
    return (*jni)->NewStringUTF(jni, error_text((*jvmti)->SetBreakpoint(jvmti, remembered[i], 0)));
}

JNIEXPORT jstring JNICALL Java_RedefineMethods_clearBreakpoint(JNIEnv *jni, jclass c, jint i) {
    (void)c;
    return (*jni)->NewStringUTF(jni, error_text((*jvmti)->ClearBreakpoint(jvmti, remembered[i], 0)));
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                 void *data) {
    (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag, (void)referrer_tag, (void)length;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) ++*(jint *)data;
    return JVMTI_VISIT_OBJECTS;
}

JNIEXPORT jboolean JNICALL Java_RedefineMethods_walk(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_reference};
    jint locals = 0;
    return ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &locals), "FollowReferences") && locals > 0;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities all = {.can_redefine_classes = 1,
                             .can_retransform_classes = 1,
                             .can_get_bytecodes = 1,
                             .can_tag_objects = 1,
                             .can_generate_method_entry_events = 1,
                             .can_generate_breakpoint_events = 1};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &all), "AddCapabilities")) return JNI_ERR;
    jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class_file,
                                     .MethodEntry = on_entry,
                                     .Breakpoint = on_breakpoint};
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL), "breakpoints");
    return JNI_OK;
}
