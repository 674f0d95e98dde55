/* code_events.c: what is reported of compiled and other generated code, for tests/jvmti/CodeEvents.java. Every report
 * is looked at as it comes: what is wrong with one is printed. With any option nothing is enabled at first. */
#include "agent_support.h"
#include "bytecode.h"

#include <pthread.h>

enum { MOST_RANGES = 1 << 16, MOST_NAMES = 256 };

/* Everything below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Compiled code that exists as far as has been reported. */
static struct range {
    jmethodID method;
    const char *begin;
    jint size;
} ranges[MOST_RANGES];
static int range_count;

/* What has been reported of a method of the program's, by its name. */
static struct told {
    char name[32];
    jmethodID method;
    const void *begin;
    jint loads, unloads, map_length;
    int info;
} told[MOST_NAMES];
static int told_count;

static char code_names[MOST_NAMES][64];
static int code_count, codes_before_start, overlaps;

static struct told *told_of(const char *name) {
    for (int i = 0; i < told_count; i++)
        if (strcmp(told[i].name, name) == 0) return &told[i];
    if (told_count == MOST_NAMES) abort();
    snprintf(told[told_count].name, sizeof told[0].name, "%s", name);
    return &told[told_count++];
}

/* Code never lies where other code lies that has not gone: none is moved, and no room used again, untold. */
static void note_range(jmethodID method, const char *begin, jint size) {
    for (int i = 0; i < range_count; i++) {
        struct range *r = &ranges[i];
        if (r->method == method && r->begin == begin && r->size == size) return;
        overlaps += begin < r->begin + r->size && r->begin < begin + size;
    }
    if (range_count == MOST_RANGES) abort();
    ranges[range_count++] = (struct range){method, begin, size};
}

/* Each row says where an instruction begins. */
static void compare_with_bytecode(const char *name, jmethodID method, jint length, const jvmtiAddrLocationMap *map) {
    unsigned char *code;
    jint size;
    if (!ok((*jvmti)->GetBytecodes(jvmti, method, &size, &code), "GetBytecodes")) return;
    char *begins = calloc((size_t)size + 1, 1);
    for (jint at = 0, step; at < size; at += step) {
        begins[at] = 1;
        if ((step = instruction_length(code, at)) <= 0) {
            say("FAILED %s: %d at %d is no instruction", name, code[at], (int)at);
            break;
        }
    }
    for (jint i = 0; i < length; i++)
        if (!begins[map[i].location])
            say("FAILED %s: row %d is at %d, within an instruction", name, (int)i, (int)map[i].location);
    free(begins);
    release(code);
}

static void look_at_map(const char *name, jmethodID method, const char *begin, jint size, jint length,
                        const jvmtiAddrLocationMap *map) {
    jlocation first = 0, last = 0;
    jvmtiError err = (*jvmti)->GetMethodLocation(jvmti, method, &first, &last);
    if (err == JVMTI_ERROR_NATIVE_METHOD && length == 0) return;         /* HotSpot's wrappers                       */
    if (!ok(err, "GetMethodLocation")) return;
    if (map == NULL && length != 0) say("FAILED %s: a map of %d rows, and none", name, (int)length);
    for (jint i = 0; map != NULL && i < length; i++) {
        const char *at = map[i].start_address;
        if (at < begin || at > begin + size) say("FAILED %s: row %d is not in the code", name, (int)i);
        if (i > 0 && at < (const char *)map[i - 1].start_address) say("FAILED %s: row %d goes back", name, (int)i);
        if (map[i].location < first || map[i].location > last)
            say("FAILED %s: row %d is at %d", name, (int)i, (int)map[i].location);
    }
    if (length > 0) compare_with_bytecode(name, method, length, map);
}

static void JNICALL on_load(jvmtiEnv *env, jmethodID method, jint size, const void *begin, jint length,
                            const jvmtiAddrLocationMap *map, const void *info) {
    char *name = NULL, *signature = NULL;
    jclass holder = NULL;
    JNIEnv *jni = NULL;
    jvmtiPhase phase = 0;
    (*env)->GetPhase(env, &phase);
    if (phase != JVMTI_PHASE_START && phase != JVMTI_PHASE_LIVE) say("FAILED in phase %d", phase);
    if (begin == NULL || size <= 0) say("FAILED code at %p, %d bytes", begin, (int)size);
    if ((*the_vm)->GetEnv(the_vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK) say("FAILED no thread of the VM's");
    if (!ok((*env)->GetMethodName(env, method, &name, NULL, NULL), "GetMethodName")) return;
    look_at_map(name, method, begin, size, length, map);
    ok((*env)->GetMethodDeclaringClass(env, method, &holder), "GetMethodDeclaringClass");
    ok((*env)->GetClassSignature(env, holder, &signature, NULL), "GetClassSignature");
    pthread_mutex_lock(&lock);
    note_range(method, begin, size);
    if (strncmp(signature, "LCodeEvents", 11) == 0) {
        struct told *t = told_of(name);
        t->method = method;
        t->begin = begin;
        t->map_length = length;
        t->info = info != NULL;
        t->loads++;
    }
    pthread_mutex_unlock(&lock);
    release(name);
    release(signature);
}

static void JNICALL on_unload(jvmtiEnv *env, jmethodID method, const void *begin) {
    (void)env;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < told_count; i++)
        if (told[i].begin == begin && told[i].method == method) told[i].unloads++;
    for (int i = 0; i < range_count; i++)
        if (ranges[i].begin == begin && ranges[i].method == method) ranges[i--] = ranges[--range_count];
    pthread_mutex_unlock(&lock);
}

static void JNICALL on_code(jvmtiEnv *env, const char *name, const void *begin, jint length) {
    jvmtiPhase phase = 0;
    (*env)->GetPhase(env, &phase);
    if (name == NULL || name[0] == '\0' || begin == NULL || length <= 0) say("FAILED generated code");
    pthread_mutex_lock(&lock);
    codes_before_start += phase == JVMTI_PHASE_PRIMORDIAL;
    if (code_count < MOST_NAMES) snprintf(code_names[code_count++], sizeof code_names[0], "%s", name);
    pthread_mutex_unlock(&lock);
}

/* ---- of the program ---------------------------------------------------------------------------------------------- */

enum what { LOADS, UNLOADS, MAP_LENGTH, HAS_INFO };

JNIEXPORT jint JNICALL Java_CodeEvents_told(JNIEnv *jni, jclass c, jstring name, jint what) {
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    (void)c;
    pthread_mutex_lock(&lock);
    struct told *t = told_of(text);
    jint answers[] = {t->loads, t->unloads, t->map_length, t->info};
    pthread_mutex_unlock(&lock);
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    return answers[what];
}

JNIEXPORT void JNICALL Java_CodeEvents_listen(JNIEnv *jni, jclass c, jint event, jboolean on) {
    (void)jni, (void)c;
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, (jvmtiEvent)event, NULL),
       "SetEventNotificationMode");
}

JNIEXPORT void JNICALL Java_CodeEvents_generate(JNIEnv *jni, jclass c, jint event) {
    (void)jni, (void)c;
    ok((*jvmti)->GenerateEvents(jvmti, (jvmtiEvent)event), "GenerateEvents");
}

JNIEXPORT jint JNICALL Java_CodeEvents_beforeStart(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    return codes_before_start;
}

JNIEXPORT jint JNICALL Java_CodeEvents_overlaps(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    return overlaps;
}

/* The names of generated code since the last call, in the order of their events. */
JNIEXPORT jstring JNICALL Java_CodeEvents_allNames(JNIEnv *jni, jclass c) {
    static char all[sizeof code_names];
    (void)c;
    pthread_mutex_lock(&lock);
    all[0] = '\0';
    for (int i = 0; i < code_count; i++) {
        strcat(all, code_names[i]);
        strcat(all, " ");
    }
    code_count = 0;
    pthread_mutex_unlock(&lock);
    return (*jni)->NewStringUTF(jni, all);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    int enables = options == NULL || options[0] == 0;
    jvmtiEventCallbacks callbacks = {
        .CompiledMethodLoad = on_load, .CompiledMethodUnload = on_unload, .DynamicCodeGenerated = on_code};
    jvmtiCapabilities wanted = {.can_generate_compiled_method_load_events = 1, .can_get_bytecodes = 1};
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    for (int event = JVMTI_EVENT_COMPILED_METHOD_LOAD; enables && event <= JVMTI_EVENT_DYNAMIC_CODE_GENERATED; event++)
        enable((jvmtiEvent)event);
    return JNI_OK;
}
