/* inlined.c: observes methods of the program Inlined from a method on that it calls in a hot loop: entries and exits,
 * breakpoints, field accesses, steps; counts what is reported of them, and reads the frames there. */
#include "agent_support.h"

#include <jvmticmlr.h>
#include <stdint.h>

static const char *const names[] = {
    "get", "set", "side", "twice", "cell", "area", "own", "limited", "hot", "divide", "cellOf"};
enum { METHODS = sizeof names / sizeof names[0], DEPTH = 4, HOT = 8 };

static jmethodID methods[METHODS];
static long counts[METHODS], exits, depths;
static unsigned seen;

static int index_of(jmethodID m) {
    for (int i = 0; i < METHODS; i++)
        if (methods[i] != NULL && methods[i] == m) return i;
    return -1;
}

static void add(long v) { seen = seen * 31 + (unsigned)v; }

/* Where the thread is, its callers, its first local variable, if that is an int, and those of `hot`. */
static void look(jthread t, jmethodID m) {
    jvmtiFrameInfo frames[DEPTH];
    jint count = 0, value = 0;
    if (!ok((*jvmti)->GetStackTrace(jvmti, t, 0, DEPTH, frames, &count), "GetStackTrace")) return;
    for (jint i = 0; i < count; i++) add(index_of(frames[i].method) * 1000 + (long)frames[i].location);
    depths += count;
    int i = index_of(m);
    if (i == 2 || i == 3 || i == 7) {
        if (ok((*jvmti)->GetLocalInt(jvmti, t, 0, 0, &value), "GetLocalInt")) add(value);
        for (jint slot = 1; i != 2 && slot <= 3; slot++)
            if (ok((*jvmti)->GetLocalInt(jvmti, t, 1, slot, &value), "GetLocalInt of the caller")) add(value);
    }
}

static void note(jthread t, jmethodID m) {
    int i = index_of(m);
    if (i < 0) return;
    counts[i]++;
    look(t, m);
}

static void on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    (void)env, (void)jni;
    note(t, m);
}

static void on_exit_of(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean popped, jvalue value) {
    (void)env, (void)jni, (void)t;
    if (index_of(m) < 0) return;
    exits++;
    if (!popped && index_of(m) != 1) add(value.i);
}

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)at;
    note(t, m);
}

static void on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)t;
    int i = index_of(m);
    if (i < 0) return;
    counts[i]++;
    add((long)at);
}

static void on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                      jfieldID f) {
    (void)env, (void)jni, (void)at, (void)c, (void)o, (void)f;
    note(t, m);
}

static void on_change(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f,
                      char kind, jvalue value) {
    (void)env, (void)jni, (void)at, (void)c, (void)o, (void)f, (void)kind;
    note(t, m);
    add(value.i);
}

/* Which methods are inlined in `hot`: the youngest first, with bytecode indexes. */
static void on_load(jvmtiEnv *env, jmethodID m, jint size, const void *code, jint count,
                    const jvmtiAddrLocationMap *map, const void *info) {
    (void)env, (void)size, (void)code, (void)count, (void)map;
    if (index_of(m) != HOT) return;
    for (const jvmtiCompiledMethodLoadRecordHeader *h = info; h != NULL; h = h->next) {
        if (h->kind != JVMTI_CMLR_INLINE_INFO || h->majorinfoversion != JVMTI_CMLR_MAJOR_VERSION) continue;
        const jvmtiCompiledMethodLoadInlineRecord *r = (const void *)h;
        for (jint i = 0; i < r->numpcs; i++) {
            const PCStackInfo *p = &r->pcinfo[i];
            char text[256] = "";
            for (jint k = 0; k < p->numstackframes; k++) {
                int of = index_of(p->methods[k]);
                snprintf(text + strlen(text), sizeof text - strlen(text), " %s@%d", of < 0 ? "?" : names[of],
                         (int)p->bcis[k]);
            }
            if ((uintptr_t)p->pc < (uintptr_t)code || (uintptr_t)p->pc > (uintptr_t)code + (uintptr_t)size)
                say("FAILED: elsewhere");
            say("record%s", text);
        }
    }
}

static void find(JNIEnv *jni, jclass c) {
    static const char *const descs[] = {"()I", "(I)V", "(I)I", "(I)I", "([II)I", "(I)I", "()I", "(I)I",
                                        "(LInlined;I)I", "(II)I", "([II)I"};
    jclass square = (*jni)->FindClass(jni, "Inlined$Square"), base = (*jni)->FindClass(jni, "Inlined$Base");
    for (int i = 0; i < METHODS; i++) {
        jclass of = i == 5 ? square : i == 6 ? base : c;
        int is_static = i != 0 && i != 1 && i != 5 && i != 6;
        methods[i] = is_static ? (*jni)->GetStaticMethodID(jni, of, names[i], descs[i])
                               : (*jni)->GetMethodID(jni, of, names[i], descs[i]);
    }
}

static const jvmtiEvent events[] = {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_BREAKPOINT,
                                    JVMTI_EVENT_FIELD_ACCESS, JVMTI_EVENT_FIELD_MODIFICATION, JVMTI_EVENT_SINGLE_STEP};

static void report(jvmtiEvent e, jthread t) {
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, e, t), "SetEventNotificationMode");
}

static void watch(JNIEnv *jni, jclass c, int on) {
    jfieldID f = (*jni)->GetFieldID(jni, c, "field", "I");
    ok(on ? (*jvmti)->SetFieldAccessWatch(jvmti, c, f) : (*jvmti)->ClearFieldAccessWatch(jvmti, c, f), "access watch");
    ok(on ? (*jvmti)->SetFieldModificationWatch(jvmti, c, f) : (*jvmti)->ClearFieldModificationWatch(jvmti, c, f),
       "modification watch");
}

static void breakpoints(const char *what, int on) {
    for (int i = 0; i < METHODS; i++)
        if (strcmp(what, "all") == 0 ? strcmp(names[i], "hot") != 0 : strcmp(what, names[i]) == 0)
            ok(on ? (*jvmti)->SetBreakpoint(jvmti, methods[i], 0) : (*jvmti)->ClearBreakpoint(jvmti, methods[i], 0),
               "breakpoint");
}

static char kind[64], directory[512];   /* with other/ and classes/                                               */

/* Inlined.Base, as it is in that directory. */
static void redefine(JNIEnv *jni, const char *from) {
    static unsigned char bytes[8192];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/Inlined$Base.class", directory, from);
    FILE *f = fopen(path, "rb");
    size_t size = f != NULL ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f != NULL) fclose(f);
    jvmtiClassDefinition d = {(*jni)->FindClass(jni, "Inlined$Base"), (jint)size, bytes};
    ok((*jvmti)->RedefineClasses(jvmti, 1, &d), "RedefineClasses");
}

static void change(JNIEnv *jni, jclass c, int on) {
    jthread self = NULL;
    ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread");
    for (size_t i = 0; !on && i < sizeof events / sizeof events[0]; i++)
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, events[i], self), "SetEventNotificationMode");
    if (strcmp(kind, "fields") == 0) watch(jni, c, on);
    if (strncmp(kind, "break ", 6) == 0) breakpoints(kind + 6, on);
    if (strcmp(kind, "redefined") == 0) redefine(jni, on ? "other" : "classes");
    if (!on) return;
    if (strcmp(kind, "entries") == 0) report(JVMTI_EVENT_METHOD_ENTRY, self);
    if (strcmp(kind, "exits") == 0) report(JVMTI_EVENT_METHOD_EXIT, self);
    if (strcmp(kind, "steps") == 0) report(JVMTI_EVENT_SINGLE_STEP, self);
    if (strncmp(kind, "break ", 6) == 0) report(JVMTI_EVENT_BREAKPOINT, self);
    if (strcmp(kind, "fields") == 0) {
        report(JVMTI_EVENT_FIELD_ACCESS, self);
        report(JVMTI_EVENT_FIELD_MODIFICATION, self);
    }
    if (strcmp(kind, "records") == 0) {
        report(JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL);
        ok((*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD), "GenerateEvents");
    }
}

JNIEXPORT jstring JNICALL Java_Inlined_observe(JNIEnv *jni, jclass c, jstring what) {
    const char *text = (*jni)->GetStringUTFChars(jni, what, NULL);
    char told[512];
    int n = 0, on = *text != 0;
    if (methods[0] == NULL) find(jni, c);
    if (on) snprintf(kind, sizeof kind, "%s", text);
    (*jni)->ReleaseStringUTFChars(jni, what, text);
    change(jni, c, on);
    for (int i = 0; i < METHODS; i++) n += snprintf(told + n, sizeof told - (size_t)n, "%s %ld ", names[i], counts[i]);
    snprintf(told + n, sizeof told - (size_t)n, "exits %ld depths %ld %x", exits, depths, seen);
    if (!on) {
        kind[0] = 0;
        memset(counts, 0, sizeof counts);
        exits = depths = 0;
        seen = 0;
    }
    return (*jni)->NewStringUTF(jni, told);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    the_vm = vm;
    snprintf(directory, sizeof directory, "%s", options != NULL ? options : ".");
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {
        .can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1, .can_access_local_variables = 1,
        .can_generate_breakpoint_events = 1, .can_generate_single_step_events = 1, .can_redefine_classes = 1,
        .can_generate_compiled_method_load_events = 1, .can_generate_field_access_events = 1,
        .can_generate_field_modification_events = 1,
    };
    jvmtiEventCallbacks callbacks = {.MethodEntry = on_entry, .MethodExit = on_exit_of, .Breakpoint = on_breakpoint,
                                     .SingleStep = on_step, .CompiledMethodLoad = on_load, .FieldAccess = on_access,
                                     .FieldModification = on_change};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return JNI_OK;
}
