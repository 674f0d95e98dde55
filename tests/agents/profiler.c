/* profiler.c: a JVMPI agent that records events and hands the functions of the interface to Java
 * (tests/jvmpi/Profiler.java), so that the tests of tests/jvmpi are Java programs. With a JVM TI environment beside it
 * for comparisons.
 *
 * Options: names of events to be enabled in JVM_OnLoad, separated by commas; "fail": JVM_OnLoad fails. */
#include <jvmpi.h>
#include <jvmti.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static JavaVM *the_vm;
static JVMPI_Interface *jvmpi;
static jvmtiEnv *jvmti;

/* ---- layout: JP-005 JP-010 to JP-038 JP-088 JP-089 JP-117 to JP-123 JP-141 to JP-144 ----------------------------- */

#define SLOT(name, number) _Static_assert(offsetof(JVMPI_Interface, name) == (number) * sizeof(void *), #name)
_Static_assert(offsetof(JVMPI_Interface, version) == 0 && sizeof(((JVMPI_Interface *)0)->version) == 4, "version");
SLOT(NotifyEvent, 1);
SLOT(EnableEvent, 2);
SLOT(DisableEvent, 3);
SLOT(RequestEvent, 4);
SLOT(GetCallTrace, 5);
SLOT(ProfilerExit, 6);
SLOT(RawMonitorCreate, 7);
SLOT(RawMonitorEnter, 8);
SLOT(RawMonitorExit, 9);
SLOT(RawMonitorWait, 10);
SLOT(RawMonitorNotifyAll, 11);
SLOT(RawMonitorDestroy, 12);
SLOT(GetCurrentThreadCpuTime, 13);
SLOT(SuspendThread, 14);
SLOT(ResumeThread, 15);
SLOT(GetThreadStatus, 16);
SLOT(ThreadHasRun, 17);
SLOT(CreateSystemThread, 18);
SLOT(SetThreadLocalStorage, 19);
SLOT(GetThreadLocalStorage, 20);
SLOT(DisableGC, 21);
SLOT(EnableGC, 22);
SLOT(RunGC, 23);
SLOT(GetThreadObject, 24);
SLOT(GetMethodClass, 25);
SLOT(jobjectID2jobject, 26);
SLOT(jobject2jobjectID, 27);
_Static_assert(sizeof(JVMPI_Interface) == 28 * sizeof(void *), "JVMPI_Interface");
_Static_assert(offsetof(JVMPI_Event, env_id) == 8 && offsetof(JVMPI_Event, u) == 16, "JVMPI_Event");
#define MEMBER(name, offset) _Static_assert(offsetof(JVMPI_Event, u.name) == 16 + (offset), #name)
MEMBER(class_load.class_name, 0);
MEMBER(class_load.num_interfaces, 16);
MEMBER(class_load.methods, 24);
MEMBER(class_load.statics, 40);
MEMBER(class_load.class_id, 64);
MEMBER(class_load_hook.new_class_data, 16);
MEMBER(class_load_hook.malloc_f, 32);
MEMBER(compiled_method_load.lineno_table, 24);
MEMBER(gc_info.total_object_space, 16);
MEMBER(heap_dump.begin, 8);
MEMBER(heap_dump.traces, 32);
MEMBER(instruction.offset, 8);
MEMBER(instruction.u, 12);
MEMBER(instruction.u.lookupswitch_info.is_default, 16);
MEMBER(monitor_dump.threads_status, 32);
MEMBER(monitor_wait.timeout, 8);
MEMBER(obj_alloc.class_id, 8);
MEMBER(obj_alloc.obj_id, 24);
MEMBER(obj_move.new_obj_id, 24);
MEMBER(thread_start.thread_env_id, 32);
_Static_assert(sizeof(JVMPI_CallFrame) == 16 && sizeof(JVMPI_CallTrace) == 24 && sizeof(JVMPI_Field) == 16 &&
                   sizeof(JVMPI_Method) == 32 && sizeof(JVMPI_Lineno) == 8 && sizeof(JVMPI_HeapDumpArg) == 4 &&
                   offsetof(JVMPI_Method, method_id) == 24,
               "data types");
_Static_assert(JVMPI_VERSION_1 == 0x10000001 && JVMPI_VERSION_1_1 == 0x10000002 && JVMPI_VERSION_1_2 == 0x10000003,
               "versions");
_Static_assert(JVMPI_EVENT_INSTRUCTION_START == 9 && JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE == 41 &&
                   JVMPI_EVENT_OBJECT_DUMP == 50 && JVMPI_EVENT_GC_FINISH == 61 &&
                   JVMPI_REQUESTED_EVENT == 0x10000000 && JVMPI_LONG == 11 && JVMPI_GC_ROOT_MONITOR_USED == 7 &&
                   JVMPI_GC_PRIM_ARRAY_DUMP == 0x23 && JVMPI_MONITOR_RAW == 2,
               "numbers");

/* ---- records: written in any mode, so without memory or locks ---------------------------------------------------- */

enum { RECORDS = 1 << 17, TEXT = 120 };
struct record {
    jlong type, env, values[6];
    char text[TEXT];
    _Atomic int complete;
};
static struct record records[RECORDS];
static _Atomic unsigned written;
static unsigned read_so_far;
static JNIEnv *_Atomic only;                 /* NULL: record all threads */
static char *dump_data;
static jlong dump_length;
static jlong *trace_data;                    /* per trace: env, status, frames, then (line, method) each */
static jlong trace_length;
/* GC_START takes it, GC_FINISH gives it back, as real agents do. */
static JVMPI_RawMonitor collection_lock;

static void keep_traces(jint count, const JVMPI_CallTrace *traces, const jint *statuses) {
    jlong n = 0;
    for (jint i = 0; i < count; i++) n += 3 + 2 * (jlong)traces[i].num_frames;
    free(trace_data);
    trace_data = malloc((size_t)(n + 1) * sizeof *trace_data);
    trace_length = 0;
    for (jint i = 0; trace_data && i < count; i++) {
        trace_data[trace_length++] = (jlong)traces[i].env_id;
        trace_data[trace_length++] = statuses ? statuses[i] : 0;
        trace_data[trace_length++] = traces[i].num_frames;
        for (jint f = 0; f < traces[i].num_frames; f++) {
            trace_data[trace_length++] = traces[i].frames[f].lineno;
            trace_data[trace_length++] = (jlong)traces[i].frames[f].method_id;
        }
    }
}

static void keep_dump(const char *begin, const char *end) {
    free(dump_data);
    dump_length = end - begin;
    dump_data = malloc((size_t)dump_length + 1);
    if (dump_data && dump_length) memcpy(dump_data, begin, (size_t)dump_length);
}

static void append_fields(char *text, const JVMPI_Field *fields, jint n) {
    for (jint i = 0; i < n; i++) {
        size_t used = strlen(text);
        snprintf(text + used, TEXT - used, " %s:%s", fields[i].field_name, fields[i].field_signature);
    }
}

/* Of the class asked for last, what a dump's reader needs: the first characters of the fields' signatures. */
static char *class_layout;

static void keep_layout(const JVMPI_Event *e) {
    jint statics = e->u.class_load.num_static_fields, instances = e->u.class_load.num_instance_fields;
    free(class_layout);
    class_layout = calloc((size_t)statics + (size_t)instances + 32, 1);
    char *p = class_layout + sprintf(class_layout, "%d:", (int)e->u.class_load.num_interfaces);
    for (jint i = 0; i < statics; i++) *p++ = e->u.class_load.statics[i].field_signature[0];
    *p++ = ':';
    for (jint i = 0; i < instances; i++) *p++ = e->u.class_load.instances[i].field_signature[0];
}

#define TAKE(index, expression) r->values[index] = (jlong)(expression)

/* The lines, in the order of the machine code; " back" where that does not go up. */
static void append_lines(char *text, const JVMPI_Lineno *lines, jint count) {
    text[0] = '\0';
    for (jint i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, TEXT - used, i > 0 && lines[i].offset <= lines[i - 1].offset ? "%d back " : "%d ",
                 (int)lines[i].lineno);
    }
}

static void fill(struct record *r, const JVMPI_Event *e) {
    switch (e->event_type & ~JVMPI_REQUESTED_EVENT) {
    case JVMPI_EVENT_METHOD_ENTRY: case JVMPI_EVENT_METHOD_EXIT: TAKE(0, e->u.method.method_id); break;
    case JVMPI_EVENT_METHOD_ENTRY2:
        TAKE(0, e->u.method_entry2.method_id);
        TAKE(1, e->u.method_entry2.obj_id);
        break;
    case JVMPI_EVENT_OBJECT_ALLOC:
        TAKE(0, e->u.obj_alloc.obj_id);
        TAKE(1, e->u.obj_alloc.class_id);
        TAKE(2, e->u.obj_alloc.is_array);
        TAKE(3, e->u.obj_alloc.size);
        TAKE(4, e->u.obj_alloc.arena_id);
        break;
    case JVMPI_EVENT_OBJECT_FREE: TAKE(0, e->u.obj_free.obj_id); break;
    case JVMPI_EVENT_CLASS_UNLOAD: TAKE(0, e->u.class_unload.class_id); break;
    case JVMPI_EVENT_CLASS_LOAD:
        TAKE(0, e->u.class_load.class_id);
        TAKE(1, e->u.class_load.num_interfaces);
        TAKE(2, e->u.class_load.num_methods);
        TAKE(3, e->u.class_load.num_static_fields);
        TAKE(4, e->u.class_load.num_instance_fields);
        if (e->u.class_load.num_methods > 0)
            TAKE(5, (jlong)e->u.class_load.methods[0].start_lineno << 32 | e->u.class_load.methods[0].end_lineno);
        snprintf(r->text, TEXT, "%s %s", e->u.class_load.class_name,
                 e->u.class_load.source_name ? e->u.class_load.source_name : "-");
        append_fields(r->text, e->u.class_load.statics, e->u.class_load.num_static_fields);
        append_fields(r->text, e->u.class_load.instances, e->u.class_load.num_instance_fields);
        break;
    case JVMPI_EVENT_COMPILED_METHOD_LOAD:
        TAKE(0, e->u.compiled_method_load.method_id);
        TAKE(1, e->u.compiled_method_load.code_addr);
        TAKE(2, e->u.compiled_method_load.code_size);
        TAKE(3, e->u.compiled_method_load.lineno_table_size);
        append_lines(r->text, e->u.compiled_method_load.lineno_table, e->u.compiled_method_load.lineno_table_size);
        break;
    case JVMPI_EVENT_COMPILED_METHOD_UNLOAD: TAKE(0, e->u.compiled_method_unload.method_id); break;
    case JVMPI_EVENT_THREAD_START:
        TAKE(0, e->u.thread_start.thread_id);
        TAKE(1, e->u.thread_start.thread_env_id);
        snprintf(r->text, TEXT, "%s|%s|%s", e->u.thread_start.thread_name, e->u.thread_start.group_name,
                 e->u.thread_start.parent_name);
        break;
    case JVMPI_EVENT_ARENA_NEW:
        TAKE(0, e->u.new_arena.arena_id);
        snprintf(r->text, TEXT, "%s", e->u.new_arena.arena_name);
        break;
    case JVMPI_EVENT_GC_FINISH:
        TAKE(0, e->u.gc_info.used_objects);
        TAKE(1, e->u.gc_info.used_object_space);
        TAKE(2, e->u.gc_info.total_object_space);
        break;
    case JVMPI_EVENT_JNI_GLOBALREF_ALLOC: case JVMPI_EVENT_JNI_WEAK_GLOBALREF_ALLOC:
        TAKE(0, e->u.jni_globalref_alloc.obj_id);
        TAKE(1, e->u.jni_globalref_alloc.ref_id);
        break;
    case JVMPI_EVENT_JNI_GLOBALREF_FREE:
    case JVMPI_EVENT_JNI_WEAK_GLOBALREF_FREE: TAKE(0, e->u.jni_globalref_free.ref_id); break;
    case JVMPI_EVENT_MONITOR_CONTENDED_ENTER:
    case JVMPI_EVENT_MONITOR_CONTENDED_ENTERED:
    case JVMPI_EVENT_MONITOR_CONTENDED_EXIT: TAKE(0, e->u.monitor.object); break;
    case JVMPI_EVENT_MONITOR_WAIT: case JVMPI_EVENT_MONITOR_WAITED:
        TAKE(0, e->u.monitor_wait.object);
        TAKE(1, e->u.monitor_wait.timeout);
        break;
    case JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTER:
    case JVMPI_EVENT_RAW_MONITOR_CONTENDED_ENTERED:
    case JVMPI_EVENT_RAW_MONITOR_CONTENDED_EXIT:
        TAKE(0, e->u.raw_monitor.id);
        snprintf(r->text, TEXT, "%s", e->u.raw_monitor.name);
        break;
    case JVMPI_EVENT_INSTRUCTION_START:
        TAKE(0, e->u.instruction.method_id);
        TAKE(1, e->u.instruction.offset);
        TAKE(2, e->u.instruction.u.if_info.is_true);
        TAKE(3, e->u.instruction.u.tableswitch_info.key);
        TAKE(4, e->u.instruction.u.tableswitch_info.hi);
        TAKE(5, e->u.instruction.u.lookupswitch_info.is_default);
        break;
    default: break;
    }
}

/* "old text" becomes "new text" wherever it stands in the class file of Hooked: constants of equal length. */
static void hook(JVMPI_Event *e) {
    unsigned char *bytes = e->u.class_load_hook.class_data;
    jint n = e->u.class_load_hook.class_data_len;
    e->u.class_load_hook.new_class_data = bytes;
    e->u.class_load_hook.new_class_data_len = n;
    for (jint i = 0; i + 8 <= n; i++) {
        if (memcmp(bytes + i, "old text", 8) != 0) continue;
        unsigned char *fresh = e->u.class_load_hook.malloc_f((unsigned)n);
        memcpy(fresh, bytes, (size_t)n);
        memcpy(fresh + i, "new text", 8);
        e->u.class_load_hook.new_class_data = fresh;
        return;
    }
}

static void notify(JVMPI_Event *e) {
    jint type = e->event_type & ~JVMPI_REQUESTED_EVENT;
    if (type == JVMPI_EVENT_CLASS_LOAD_HOOK) {
        hook(e);
        return;
    }
    if (type == JVMPI_EVENT_GC_START && collection_lock) jvmpi->RawMonitorEnter(collection_lock);
    if (type == JVMPI_EVENT_GC_FINISH && collection_lock) jvmpi->RawMonitorExit(collection_lock);
    if (type == JVMPI_EVENT_HEAP_DUMP) {
        keep_dump(e->u.heap_dump.begin, e->u.heap_dump.end);
        keep_traces(e->u.heap_dump.num_traces, e->u.heap_dump.traces, NULL);
    } else if (type == JVMPI_EVENT_OBJECT_DUMP) {
        keep_dump(e->u.object_dump.data, e->u.object_dump.data + e->u.object_dump.data_len);
    } else if (type == JVMPI_EVENT_MONITOR_DUMP) {
        keep_dump(e->u.monitor_dump.begin, e->u.monitor_dump.end);
        keep_traces(e->u.monitor_dump.num_traces, e->u.monitor_dump.traces, e->u.monitor_dump.threads_status);
    }
    if (e->event_type == (JVMPI_EVENT_CLASS_LOAD | JVMPI_REQUESTED_EVENT)) keep_layout(e);
    JNIEnv *wanted = atomic_load(&only);
    if (wanted && wanted != e->env_id) return;
    unsigned i = atomic_fetch_add(&written, 1);
    if (i >= RECORDS) return;
    struct record *r = &records[i];
    memset(r, 0, sizeof *r);
    r->type = e->event_type;
    r->env = (jlong)e->env_id;
    fill(r, e);
    atomic_store(&r->complete, 1);
}

/* ---- start-up ---------------------------------------------------------------------------------------------------- */

static const struct { const char *name; jint event; } names[] = {
    {"CLASS_LOAD", JVMPI_EVENT_CLASS_LOAD}, {"THREAD_START", JVMPI_EVENT_THREAD_START},
    {"OBJECT_ALLOC", JVMPI_EVENT_OBJECT_ALLOC},
    {"ARENA_NEW", JVMPI_EVENT_ARENA_NEW}, {"JVM_INIT_DONE", JVMPI_EVENT_JVM_INIT_DONE},
    {"CLASS_LOAD_HOOK", JVMPI_EVENT_CLASS_LOAD_HOOK},
};

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *vm, char *options, void *reserved) {
    the_vm = vm;
    if (reserved != NULL || strcmp(options, "fail") == 0) return JNI_ERR;
    if ((*vm)->GetEnv(vm, (void **)&jvmpi, JVMPI_VERSION_1) != JNI_OK) return JNI_ERR;
    void *again = NULL;
    if ((*vm)->GetEnv(vm, &again, JVMPI_VERSION_1_2) != JNI_OK || again != (void *)jvmpi) return JNI_ERR;
    if ((*vm)->GetEnv(vm, &again, 0x10000009) != JNI_EVERSION || again != NULL) return JNI_ERR;
    if (jvmpi->version < JVMPI_VERSION_1 || jvmpi->NotifyEvent != NULL || jvmpi->jobject2jobjectID == NULL)
        return JNI_ERR;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities;
    memset(&capabilities, 0, sizeof capabilities);
    capabilities.can_tag_objects = 1;
    capabilities.can_get_monitor_info = 1;
    capabilities.can_suspend = 1;
    if ((*jvmti)->AddCapabilities(jvmti, &capabilities) != JVMTI_ERROR_NONE) return JNI_ERR;
    jvmpi->NotifyEvent = notify;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *found = strstr(options, names[i].name);
        size_t n = strlen(names[i].name);
        if (found && (found[n] == ',' || found[n] == 0) && jvmpi->EnableEvent(names[i].event, NULL) != JVMPI_SUCCESS)
            return JNI_ERR;
    }
    return JNI_OK;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    printf("Agent_OnUnload\n");
    fflush(stdout);
}

/* ---- natives of class Profiler ----------------------------------------------------------------------------------- */

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_Profiler_##name
#define P(value) ((void *)(intptr_t)(value))

NATIVE(jint, enable)(JNIEnv *env, jclass c, jint event) { return (void)env, (void)c, jvmpi->EnableEvent(event, NULL); }
NATIVE(jint, disable)(JNIEnv *env, jclass c, jint event) {
    return (void)env, (void)c, jvmpi->DisableEvent(event, NULL);
}
NATIVE(jint, request)(JNIEnv *env, jclass c, jint event, jlong arg) {
    return (void)env, (void)c, jvmpi->RequestEvent(event, P(arg));
}
NATIVE(jint, requestDump)(JNIEnv *env, jclass c, jint level) {
    JVMPI_HeapDumpArg arg = {level};
    return (void)env, (void)c, jvmpi->RequestEvent(JVMPI_EVENT_HEAP_DUMP, &arg);
}
NATIVE(void, only)(JNIEnv *env, jclass c, jlong thread) {
    (void)env, (void)c, atomic_store(&only, (JNIEnv *)P(thread));
}
NATIVE(jlong, env)(JNIEnv *env, jclass c) { return (void)c, (jlong)env; }
NATIVE(jlong, id)(JNIEnv *env, jclass c, jobject o) { return (void)env, (void)c, (jlong)jvmpi->jobject2jobjectID(o); }
NATIVE(jobject, object)(JNIEnv *env, jclass c, jlong id) { return (void)env, (void)c, jvmpi->jobjectID2jobject(P(id)); }
NATIVE(jlong, threadObject)(JNIEnv *env, jclass c, jlong thread) {
    return (void)env, (void)c, (jlong)jvmpi->GetThreadObject(P(thread));
}
NATIVE(jlong, methodClass)(JNIEnv *env, jclass c, jlong method) {
    return (void)env, (void)c, (jlong)jvmpi->GetMethodClass(P(method));
}
NATIVE(jint, status)(JNIEnv *env, jclass c, jlong thread) {
    return (void)env, (void)c, jvmpi->GetThreadStatus(P(thread));
}
NATIVE(jboolean, hasRun)(JNIEnv *env, jclass c, jlong thread) {
    return (void)env, (void)c, jvmpi->ThreadHasRun(P(thread));
}
NATIVE(void, suspend)(JNIEnv *env, jclass c, jlong thread) { (void)env, (void)c, jvmpi->SuspendThread(P(thread)); }
NATIVE(void, resume)(JNIEnv *env, jclass c, jlong thread) { (void)env, (void)c, jvmpi->ResumeThread(P(thread)); }
NATIVE(void, setStorage)(JNIEnv *env, jclass c, jlong thread, jlong value) {
    (void)env, (void)c, jvmpi->SetThreadLocalStorage(P(thread), P(value));
}
NATIVE(jlong, getStorage)(JNIEnv *env, jclass c, jlong thread) {
    return (void)env, (void)c, (jlong)jvmpi->GetThreadLocalStorage(P(thread));
}
NATIVE(jlong, cpuTime)(JNIEnv *env, jclass c) { return (void)env, (void)c, jvmpi->GetCurrentThreadCpuTime(); }
NATIVE(void, disableGC)(JNIEnv *env, jclass c) { (void)env, (void)c, jvmpi->DisableGC(); }
NATIVE(void, enableGC)(JNIEnv *env, jclass c) { (void)env, (void)c, jvmpi->EnableGC(); }
NATIVE(void, runGC)(JNIEnv *env, jclass c) { (void)env, (void)c, jvmpi->RunGC(); }
NATIVE(void, exit)(JNIEnv *env, jclass c, jint code) { (void)env, (void)c, jvmpi->ProfilerExit(code); }
NATIVE(void, exitRaw)(JNIEnv *env, jclass c, jlong m) { (void)env, (void)c, jvmpi->RawMonitorExit(P(m)); }
NATIVE(void, enterRaw)(JNIEnv *env, jclass c, jlong m) { (void)env, (void)c, jvmpi->RawMonitorEnter(P(m)); }
NATIVE(void, waitRaw)(JNIEnv *env, jclass c, jlong m, jlong ms) { (void)env, (void)c, jvmpi->RawMonitorWait(P(m), ms); }
NATIVE(void, notifyRaw)(JNIEnv *env, jclass c, jlong m) { (void)env, (void)c, jvmpi->RawMonitorNotifyAll(P(m)); }
NATIVE(void, destroyRaw)(JNIEnv *env, jclass c, jlong m) { (void)env, (void)c, jvmpi->RawMonitorDestroy(P(m)); }
NATIVE(void, lockCollections)(JNIEnv *env, jclass c, jlong m) { (void)env, (void)c, collection_lock = P(m); }

NATIVE(jlong, createRaw)(JNIEnv *env, jclass c, jstring name) {
    (void)c;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    JVMPI_RawMonitor m = jvmpi->RawMonitorCreate((char *)text);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return (jlong)m;
}

static _Atomic jlong system_thread_env;
static void system_thread(void *arg) {
    JNIEnv *env = NULL;
    (*the_vm)->GetEnv(the_vm, (void **)&env, JNI_VERSION_1_2);
    atomic_store(&system_thread_env, arg == NULL ? (jlong)env : -1);
}

NATIVE(jint, createThread)(JNIEnv *env, jclass c, jstring name, jint priority) {
    (void)c;
    atomic_store(&system_thread_env, 0);
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    jint result = jvmpi->CreateSystemThread((char *)text, priority, system_thread);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return result;
}
NATIVE(jlong, systemThread)(JNIEnv *env, jclass c) { return (void)env, (void)c, atomic_load(&system_thread_env); }

static jlongArray longs(JNIEnv *env, const jlong *values, jlong n) {
    jlongArray a = (*env)->NewLongArray(env, (jsize)n);
    if (a) (*env)->SetLongArrayRegion(env, a, 0, (jsize)n, values);
    return a;
}

/* {type, env, six values} of the next record, or NULL. */
NATIVE(jlongArray, next)(JNIEnv *env, jclass c) {
    (void)c;
    if (read_so_far >= atomic_load(&written) || read_so_far >= RECORDS) return NULL;
    struct record *r = &records[read_so_far];
    if (!atomic_load(&r->complete)) return NULL;
    read_so_far++;
    return longs(env, &r->type, 8);
}
NATIVE(jstring, text)(JNIEnv *env, jclass c) {
    return (void)c, (*env)->NewStringUTF(env, records[read_so_far - 1].text);
}
/* Throws away what has been recorded; nobody records meanwhile. */
NATIVE(jint, clear)(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    for (unsigned i = 0; i < RECORDS && i < atomic_load(&written); i++) atomic_store(&records[i].complete, 0);
    read_so_far = 0;
    return (jint)atomic_exchange(&written, 0);
}

NATIVE(jbyteArray, dump)(JNIEnv *env, jclass c) {
    (void)c;
    jbyteArray a = (*env)->NewByteArray(env, (jsize)dump_length);
    if (a) (*env)->SetByteArrayRegion(env, a, 0, (jsize)dump_length, (jbyte *)dump_data);
    return a;
}
/* "interfaces:statics:instances" of a class, by CLASS_LOAD. */
NATIVE(jstring, layout)(JNIEnv *env, jclass c, jlong id) {
    (void)c;
    return jvmpi->RequestEvent(JVMPI_EVENT_CLASS_LOAD, P(id)) == JVMPI_SUCCESS ? (*env)->NewStringUTF(env, class_layout)
                                                                               : NULL;
}
NATIVE(jlongArray, traces)(JNIEnv *env, jclass c) { return (void)c, longs(env, trace_data, trace_length); }

NATIVE(jlongArray, trace)(JNIEnv *env, jclass c, jlong thread, jint depth) {
    (void)c;
    JVMPI_CallFrame *frames = calloc((size_t)(depth > 0 ? depth : 1), sizeof *frames);
    JVMPI_CallTrace t = {P(thread), -1, frames};
    jvmpi->GetCallTrace(&t, depth);
    jlong *values = calloc(2 * (size_t)(t.num_frames + 1), sizeof *values);
    for (jint i = 0; i < t.num_frames; i++) {
        values[2 * i] = frames[i].lineno;
        values[2 * i + 1] = (jlong)frames[i].method_id;
    }
    jlongArray a = longs(env, values, 2 * t.num_frames);
    free(values);
    free(frames);
    return a;
}

/* ---- JVM TI, for comparison -------------------------------------------------------------------------------------- */

NATIVE(jstring, methodName)(JNIEnv *env, jclass c, jlong method) {
    (void)c;
    char *name = NULL;
    if ((*jvmti)->GetMethodName(jvmti, P(method), &name, NULL, NULL) != JVMTI_ERROR_NONE) return NULL;
    jstring s = (*env)->NewStringUTF(env, name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return s;
}

/* A reference from a field, a static field or an element, by the tags of both ends. */
struct reference { jlong from, to; };
static struct reference *references;
static size_t reference_count, reference_capacity;

static void note_reference(jlong from, jlong to) {
    if (reference_count == reference_capacity) {
        reference_capacity = reference_capacity * 2 + 1024;
        references = realloc(references, reference_capacity * sizeof *references);
        if (references == NULL) abort();
    }
    references[reference_count++] = (struct reference){from, to};
}

enum { CLASS_TAG = 1 };                          /* of java.lang.Class */
static jlong next_tag;
static jint JNICALL tag_reached(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                                jint length, void *user_data) {
    (void)info, (void)class_tag, (void)size, (void)length, (void)user_data;
    if (*tag_ptr == 0) *tag_ptr = ++next_tag;
    /* A class dump has no place for what the class object itself refers to as an object. */
    bool field = kind == JVMTI_HEAP_REFERENCE_FIELD && referrer_class_tag != CLASS_TAG;
    if (field || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD || kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        note_reference(*referrer_tag_ptr, *tag_ptr);
    return JVMTI_VISIT_OBJECTS;
}

/* Requests a heap dump and returns the ids of all objects that JVM TI's traversal then reaches from the same roots.
 * reached() has what they refer to. */
NATIVE(jlongArray, dumpAndReach)(JNIEnv *env, jclass c, jint level) {
    (void)c;
    jclass class = (*env)->FindClass(env, "java/lang/Class");
    (*jvmti)->SetTag(jvmti, class, next_tag = CLASS_TAG);
    (*env)->DeleteLocalRef(env, class);
    JVMPI_HeapDumpArg arg = {level};
    if (jvmpi->RequestEvent(JVMPI_EVENT_HEAP_DUMP, &arg) != JVMPI_SUCCESS) return NULL;
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = tag_reached;
    reference_count = 0;
    if ((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, NULL) != JVMTI_ERROR_NONE) return NULL;
    jlong n = next_tag, *tags = malloc((size_t)n * sizeof *tags), *ids = malloc((size_t)n * sizeof *ids),
          *id_of = calloc((size_t)n + 1, sizeof *id_of), *found = NULL;
    for (jlong i = 0; i < n; i++) tags[i] = i + 1;
    jint count = 0;
    jobject *objects = NULL;
    (*jvmti)->GetObjectsWithTags(jvmti, (jint)n, tags, &count, &objects, &found);
    for (jint i = 0; i < count; i++) {
        ids[i] = id_of[found[i]] = (jlong)jvmpi->jobject2jobjectID(objects[i]);
        (*jvmti)->SetTag(jvmti, objects[i], 0);
        (*env)->DeleteLocalRef(env, objects[i]);
    }
    for (size_t i = 0; i < reference_count; i++)
        references[i] = (struct reference){id_of[references[i].from], id_of[references[i].to]};
    (*jvmti)->Deallocate(jvmti, (unsigned char *)objects);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)found);
    jlongArray a = longs(env, ids, count);
    free(tags);
    free(ids);
    free(id_of);
    return a;
}

/* What dumpAndReach has found: pairs of ids, who refers and to what. */
NATIVE(jlongArray, reached)(JNIEnv *env, jclass c) {
    (void)c;
    return longs(env, (jlong *)references, (jint)(2 * reference_count));
}

NATIVE(jlong, sizeOf)(JNIEnv *env, jclass c, jobject o) {
    (void)env, (void)c;
    jlong size = -1;
    (*jvmti)->GetObjectSize(jvmti, o, &size);
    return size;
}

NATIVE(void, suspendByTool)(JNIEnv *env, jclass c, jthread thread, jboolean on) {
    (void)env, (void)c;
    if (on) (*jvmti)->SuspendThread(jvmti, thread);
    else (*jvmti)->ResumeThread(jvmti, thread);
}

NATIVE(jint, entering)(JNIEnv *env, jclass c, jobject o) {
    (void)c;
    jvmtiMonitorUsage usage;
    if ((*jvmti)->GetObjectMonitorUsage(jvmti, o, &usage) != JVMTI_ERROR_NONE) return -1;
    jint count = usage.waiter_count;             /* with library 17 those who wait to be notified are among them */
    for (jint i = 0; i < usage.waiter_count; i++)
        for (jint k = 0; k < usage.notify_waiter_count; k++)
            count -= (*env)->IsSameObject(env, usage.waiters[i], usage.notify_waiters[k]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.waiters);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)usage.notify_waiters);
    return count;
}

/* ---- JNI references ---------------------------------------------------------------------------------------------- */

NATIVE(jlong, newGlobal)(JNIEnv *env, jclass c, jobject o, jboolean weak) {
    return (void)c, (jlong)(weak ? (*env)->NewWeakGlobalRef(env, o) : (*env)->NewGlobalRef(env, o));
}
NATIVE(void, deleteGlobal)(JNIEnv *env, jclass c, jlong ref, jboolean weak) {
    (void)c;
    if (weak) (*env)->DeleteWeakGlobalRef(env, P(ref));
    else (*env)->DeleteGlobalRef(env, P(ref));
}
