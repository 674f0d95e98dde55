/* event.c: enabling, disabling and requesting events. */
#include "jvmpi/jvmpi_internal.h"

#include "inspect/thread_info.h"
#include "jdk/code_delivery.h"

static bool is_event(jint event) {
    return (event >= JVMPI_EVENT_METHOD_ENTRY && event <= JVMPI_EVENT_INSTRUCTION_START) ||
           (event >= JVMPI_EVENT_THREAD_START && event <= JVMPI_EVENT_CLASS_LOAD_HOOK) ||
           (event >= JVMPI_EVENT_HEAP_DUMP && event <= JVMPI_MAX_EVENT_TYPE_VAL);
}

/* Dumps come by request only. */
static bool can_be_enabled(jint event) {
    return is_event(event) && event != JVMPI_EVENT_HEAP_DUMP && event != JVMPI_EVENT_OBJECT_DUMP &&
           event != JVMPI_EVENT_MONITOR_DUMP;
}

/* Is sent by a thread that has to be there. */
static bool needs_delivery(jint event) {
    return event == JVMPI_EVENT_COMPILED_METHOD_LOAD || event == JVMPI_EVENT_COMPILED_METHOD_UNLOAD;
}

/* Before the first thread runs Java nothing is sent; from the start phase on what an agent enables is sent at once. */
static bool events_run(void) {
    int phase = atomic_load(&vm->phase);
    return phase == PHASE_START || phase == PHASE_LIVE;
}

static jint set_event(jint event, bool on) {
    if (!can_be_enabled(event)) return JVMPI_NOT_AVAILABLE;
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return JVMPI_FAIL;
    jint result = atomic_load(&vm->phase) == PHASE_DEAD ? JVMPI_FAIL : JVMPI_SUCCESS;
    struct jvmpi_state *s = vm->jvmpi;
    if (on && needs_delivery(event) && atomic_load(&vm->phase) == PHASE_LIVE &&
        (!call.entered || !code_delivery_start(call.self)))
        result = JVMPI_FAIL;
    if (result == JVMPI_SUCCESS) {
        if (on) atomic_fetch_or(&s->enabled, jvmpi_bit(event));
        else atomic_fetch_and(&s->enabled, ~jvmpi_bit(event));
        if (on && events_run()) atomic_store(&s->caught_up, true);
        probes_changed(call.self);
    }
    jvmpi_call_end(&call);
    return result;
}

jint jvmpi_EnableEvent(jint event_type, void *arg) {
    (void)arg;
    return set_event(event_type, true);
}

jint jvmpi_DisableEvent(jint event_type, void *arg) {
    (void)arg;
    return set_event(event_type, false);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static bool request_class_load(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM);
    struct class *c = o && shape_of(o)->kind == SHAPE_MIRROR ? class_of_mirror(o) : NULL;
    return c && jvmpi_send_class_load(self, c, JVMPI_REQUESTED_EVENT);
}

static bool request_thread_start(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM);
    if (o == NULL || !object_is_instance(o, known_class(java_lang_Thread))) return false;
    threads_lock(self);
    struct java_thread *t = thread_alive(o);
    JNIEnv *env_id = t && !t->hidden ? thread_jni_env(t) : NULL;
    threads_unlock(self);
    return env_id && jvmpi_send_thread_start(self, o, env_id, JVMPI_REQUESTED_EVENT);
}

static bool request(struct os_thread *self, jint event, void *arg) {
    REQUIRES(IN_VM | MAY_STOP);
    const JVMPI_HeapDumpArg *heap = arg;
    struct object *o = event == JVMPI_EVENT_HEAP_DUMP || event == JVMPI_EVENT_MONITOR_DUMP ? NULL
                                                                                           : jvmpi_object_of(arg);
    switch (event) {
    case JVMPI_EVENT_HEAP_DUMP: {
        jint level = heap ? heap->heap_dump_level : JVMPI_DUMP_LEVEL_2;
        return level >= JVMPI_DUMP_LEVEL_0 && level <= JVMPI_DUMP_LEVEL_2 && jvmpi_send_heap_dump(self, level);
    }
    case JVMPI_EVENT_MONITOR_DUMP: return jvmpi_send_monitor_dump(self);
    case JVMPI_EVENT_OBJECT_DUMP: return o && jvmpi_send_object_dump(self, o);
    case JVMPI_EVENT_CLASS_LOAD: return request_class_load(self, o);
    case JVMPI_EVENT_THREAD_START: return request_thread_start(self, o);
    default:
        if (o) jvmpi_send_object_alloc(self, o, JVMPI_REQUESTED_EVENT);
        return o != NULL;
    }
}

jint jvmpi_RequestEvent(jint event_type, void *arg) {
    switch (event_type) {
    case JVMPI_EVENT_HEAP_DUMP: case JVMPI_EVENT_MONITOR_DUMP: case JVMPI_EVENT_OBJECT_DUMP:
    case JVMPI_EVENT_CLASS_LOAD: case JVMPI_EVENT_THREAD_START: case JVMPI_EVENT_OBJECT_ALLOC: break;
    default: return JVMPI_NOT_AVAILABLE;
    }
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return JVMPI_FAIL;
    bool ok = false;
    if (events_run()) {
        heap_disable_gc(call.self);      /* the id stays what it is */
        ok = request(call.self, event_type, arg);
        heap_enable_gc(call.self);
    }
    jvmpi_call_end(&call);
    return ok ? JVMPI_SUCCESS : JVMPI_FAIL;
}
