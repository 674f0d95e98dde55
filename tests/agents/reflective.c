/* reflective.c: field watches and accesses that are not an instruction's, called from
 * tests/jvmti/extensions/Reflective.java: on request through the extension function SetReflectiveFieldEvents. */
#include "agent_support.h"

static jvmtiEnv *second;

static void told(JNIEnv *jni, const char *what, jclass c, jobject o, jfieldID f, char type, jvalue v) {
    char *name = NULL, value[40] = "";
    ok((*jvmti)->GetFieldName(jvmti, c, f, &name, NULL, NULL), "GetFieldName");
    if (type == 'I' || type == 'B' || type == 'Z')
        snprintf(value, sizeof value, " = %d", type == 'I' ? v.i : type == 'B' ? v.b : v.z);
    if (type == 'J') snprintf(value, sizeof value, " = %lld", (long long)v.j);
    if (type == 'D') snprintf(value, sizeof value, " = %g", v.d);
    if (type == 'L') {
        const char *text = v.l ? (*jni)->GetStringUTFChars(jni, v.l, NULL) : NULL;
        snprintf(value, sizeof value, " = %s", text ? text : "null");
        if (text) (*jni)->ReleaseStringUTFChars(jni, v.l, text);
    }
    say("%s of %s%s%s", what, o ? "" : "static ", name, value);
    release(name);
}

/* The event's method is the youngest frame's, as in every other field event. */
static void check_place(jthread t, jmethodID m, jlocation at) {
    jmethodID top = NULL;
    jlocation where = -5;
    ok((*jvmti)->GetFrameLocation(jvmti, t, 0, &top, &where), "GetFrameLocation");
    if (top != m || (where != at && !(where == -1 && at == 0)))
        say("FAILED the event is at %p:%ld, the thread at %p:%ld", (void *)m, (long)at, (void *)top, (long)where);
}

static void JNICALL on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                              jfieldID f) {
    (void)env;
    check_place(t, m, at);
    told(jni, "access", c, o, f, 0, (jvalue){.j = 0});
}

static void JNICALL on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c,
                                    jobject o, jfieldID f, char type, jvalue v) {
    (void)env;
    check_place(t, m, at);
    told(jni, "modification", c, o, f, type, v);
}

static void JNICALL on_second(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                              jfieldID f) {
    (void)env, (void)jni, (void)t, (void)m, (void)at, (void)c, (void)o, (void)f;
    say("FAILED the second environment has no watches");
}

static jboolean request(jvmtiEnv *env, jboolean on) {
    jvmtiExtensionFunction function = extension_function("vitrine.functions.SetReflectiveFieldEvents");
    if (function == NULL) return JNI_FALSE;
    ok(function(env, on), "SetReflectiveFieldEvents");
    return JNI_TRUE;
}

JNIEXPORT jboolean JNICALL Java_Reflective_report(JNIEnv *jni, jclass self, jboolean on) {
    (void)jni, (void)self;
    return request(jvmti, on);
}

/* Off: by its end. */
JNIEXPORT jboolean JNICALL Java_Reflective_secondReports(JNIEnv *jni, jclass self, jboolean on) {
    (void)jni, (void)self;
    if (!on) return ok((*second)->DisposeEnvironment(second), "DisposeEnvironment") != 0;
    return request(second, on);
}

JNIEXPORT void JNICALL Java_Reflective_watch(JNIEnv *jni, jclass self, jboolean on, jclass c, jstring name,
                                             jstring desc, jboolean is_static) {
    (void)self;
    const char *n = (*jni)->GetStringUTFChars(jni, name, NULL), *d = (*jni)->GetStringUTFChars(jni, desc, NULL);
    jfieldID f = is_static ? (*jni)->GetStaticFieldID(jni, c, n, d) : (*jni)->GetFieldID(jni, c, n, d);
    (*jni)->ReleaseStringUTFChars(jni, name, n);
    (*jni)->ReleaseStringUTFChars(jni, desc, d);
    ok(on ? (*jvmti)->SetFieldAccessWatch(jvmti, c, f) : (*jvmti)->ClearFieldAccessWatch(jvmti, c, f),
       "field access watch");
    ok(on ? (*jvmti)->SetFieldModificationWatch(jvmti, c, f) : (*jvmti)->ClearFieldModificationWatch(jvmti, c, f),
       "field modification watch");
}

JNIEXPORT void JNICALL Java_Reflective_mark(JNIEnv *jni, jclass self, jstring text) {
    (void)self;
    const char *t = (*jni)->GetStringUTFChars(jni, text, NULL);
    say("%s", t);
    (*jni)->ReleaseStringUTFChars(jni, text, t);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&second, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_generate_field_access_events = 1, .can_generate_field_modification_events = 1};
    jvmtiEventCallbacks callbacks = {.FieldAccess = on_access, .FieldModification = on_modification},
                        others = {.FieldAccess = on_second};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    /* HotSpot gives field events to one environment only. */
    if ((*second)->AddCapabilities(second, &wanted) == JVMTI_ERROR_NONE) {
        ok((*second)->SetEventCallbacks(second, &others, sizeof others), "SetEventCallbacks");
        ok((*second)->SetEventNotificationMode(second, JVMTI_ENABLE, JVMTI_EVENT_FIELD_ACCESS, NULL),
           "SetEventNotificationMode");
    }
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_FIELD_ACCESS);
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    return JNI_OK;
}
