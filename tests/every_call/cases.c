/* cases.c: the wrong calls that follow from the table: phases, capabilities, threads, environments, parameters. */
#include "every_call.h"

#include <pthread.h>
#include <stdint.h>

static jvmtiEnv *spare[PHASE_COUNT];              /* to dispose of, one in each phase */
static jvmtiEnv *given_up;

/* Calls that HotSpot does not survive, or answers differently from run to run: made on our VM alone. */
static const struct { const char *function, *label; } undefined[] = {
    {"GetThreadGroupInfo", "group of another type"}, {"GetThreadGroupChildren", "group of another type"},
    {"GetClassLoaderClasses", "initiating_loader of another type"}, {"GetNamedModule", "class_loader of another type"},
    {"RawMonitorWait", "in phase onload"}, {"InterruptThread", "thread null"},
    {"GetAllStackTraces", "max_frame_count the greatest"}, {"GetThreadListStackTraces", "max_frame_count the greatest"},
};

/* HotSpot looks for the field in an array class as if it were an ordinary one, and a field id is an offset to it. */
static bool is_taken_for_a_field(const struct function *f, const char *label) {
    bool field = false;
    for (int i = 0; i < f->count; i++) field |= f->parameters[i].kind == KIND_FIELD;
    return field && (strcmp(label, "klass an array") == 0 || strcmp(label, "field of another class") == 0);
}

static bool is_left_to_us(const struct function *f, const char *label) {
    if (is_taken_for_a_field(f, label)) return !strict;
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
        if (strcmp(undefined[i].function, f->name) == 0 && strcmp(undefined[i].label, label) == 0) return !strict;
    return false;
}

/* ---- good calls, and calls in each phase ------------------------------------------------------------------------- */

static bool is_dispose(const struct function *f) { return strcmp(f->name, "DisposeEnvironment") == 0; }

/* After these nothing is as it was; each has a case of its own. */
static bool is_left_out(const struct function *f) { return is_dispose(f) || !is_there(f); }

void in_phase(const char *phase_name, jvmtiPhase phase) {
    char label[64];
    union argument a[MAX_PARAMETERS];
    snprintf(label, sizeof label, "in phase %s", phase_name);
    if (phase == JVMTI_PHASE_ONLOAD)
        for (int i = 0; i < PHASE_COUNT; i++)
            ok((*the_vm)->GetEnv(the_vm, (void **)&spare[i], JVMTI_VERSION_1_2) == JNI_OK ? 0 : 113, "GetEnv");
    for (int i = 0; i < function_count; i++) {
        const struct function *f = &functions[i];
        if (is_left_out(f) || is_left_to_us(f, label)) continue;
        prepare(f, a);
        jvmtiError err = call_with(jvmti, f, a);
        report(f, label, err);
        restore(f);
    }
    report(function_named("DisposeEnvironment"), label,
           call_with(spare[phase], function_named("DisposeEnvironment"), NULL));
}

/* ---- capabilities ------------------------------------------------------------------------------------------------ */

static void lacking(const struct function *f, int bit) {
    char label[32];
    union argument a[MAX_PARAMETERS];
    unsigned long long others = f->needs & ~(1ull << bit);
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    memcpy(&wanted, &others, sizeof others);
    /* HotSpot gives some in the OnLoad phase only: then more than one is missing */
    (*bare)->AddCapabilities(bare, &wanted);
    snprintf(label, sizeof label, "without capability %d", bit);
    prepare(f, a);
    report(f, label, call_with(bare, f, a));
    restore(f);
    ok((*bare)->RelinquishCapabilities(bare, &wanted), "RelinquishCapabilities");
}

void capability_cases(void) {
    for (int i = 0; i < function_count; i++)
        for (int bit = 0; bit < 64; bit++)
            if ((functions[i].needs >> bit & 1) && is_there(&functions[i])) lacking(&functions[i], bit);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

static void with(const struct function *f, int i, const char *what, union argument value) {
    char label[128];
    union argument a[MAX_PARAMETERS];
    snprintf(label, sizeof label, "%s %s", f->parameters[i].name, what);
    if (is_left_to_us(f, label)) return;
    prepare(f, a);
    a[i] = value;
    report(f, label, call_with(jvmti, f, a));
    restore(f);
}

static void with_pointer(const struct function *f, int i, const char *what, void *p) {
    with(f, i, what, (union argument){.p = p});
}
static void with_number(const struct function *f, int i, const char *what, jlong n) {
    with(f, i, what, (union argument){.j = n});
}

/* A local reference that is none any more. */
static jobject stale(void) {
    JNIEnv *jni = fixture.jni;
    jobject o = (*jni)->NewLocalRef(jni, fixture.object);
    (*jni)->DeleteLocalRef(jni, o);
    return o;
}

static void bad_object(const struct function *f, int i, jobject other) {
    if (f->parameters[i].null_refused) with_pointer(f, i, "null", NULL);
    if (other) with_pointer(f, i, "of another type", other);
    with_pointer(f, i, "stale", stale());
}

static void bad_thread(const struct function *f, int i) {
    if (f->parameters[i].null_is_current) {
        /* The current thread stands in a native method; without suspending or popping itself it may be asked for. */
        if (strncmp(f->name, "Suspend", 7) != 0) with_pointer(f, i, "null", NULL);
    }
    bad_object(f, i, fixture.object);
    if (strcmp(f->name, "RunAgentThread") == 0) return;
    with_pointer(f, i, "not started", fixture.fresh);
    with_pointer(f, i, "ended", fixture.done);
}

static void bad_class(const struct function *f, int i) {
    bad_object(f, i, fixture.object);
    with_pointer(f, i, "primitive", fixture.primitive);
    with_pointer(f, i, "an array", fixture.array);
}

/* Sums with these do not fit: an index that is checked by `index + 1 >= length` passes. */
static void extremes(const struct function *f, int i, jlong greatest, jlong least) {
    with_number(f, i, "the greatest", greatest);
    with_number(f, i, "the least", least);
}

/* Numbers by which a place is found; slots have cases of their own (errors.c). */
static bool is_place(const struct parameter *p) {
    static const char *const names[] = {"start_depth", "extension_event_index", "priority"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(p->name, names[i]) == 0) return true;
    return false;
}

static void bad_number(const struct function *f, int i) {
    const struct parameter *p = &f->parameters[i];
    switch (p->kind) {
    case KIND_DEPTH:
        with_number(f, i, "negative", -1);
        with_number(f, i, "too large", 1000);
        extremes(f, i, INT32_MAX, INT32_MIN);
        return;
    case KIND_COUNT:
        with_number(f, i, "negative", -1);
        with_number(f, i, "the least", INT32_MIN);
        if (strcmp(p->name, "max_frame_count") == 0) with_number(f, i, "the greatest", INT32_MAX);
        return;
    case KIND_ENUM:
        with_number(f, i, "out of range", 12345);
        with_number(f, i, "negative", -1);
        extremes(f, i, INT32_MAX, INT32_MIN);
        return;
    case KIND_VALUE:
        if (is_place(p)) extremes(f, i, INT32_MAX, INT32_MIN);
        if (strcmp(p->name, "location") == 0) extremes(f, i, INT64_MAX, INT64_MIN);
        return;
    case KIND_EVENT:
        with_number(f, i, "zero", 0);
        with_number(f, i, "too small", 49);
        with_number(f, i, "reserved", 72);
        with_number(f, i, "too large", 1000);
        extremes(f, i, INT32_MAX, INT32_MIN);
        return;
    default:
        return;
    }
}

static void bad_parameter(const struct function *f, int i) {
    static char zeros[256];
    const struct parameter *p = &f->parameters[i];
    switch (p->kind) {
    case KIND_THREAD: case KIND_THREAD_TOO: bad_thread(f, i); return;
    case KIND_GROUP: case KIND_LOADER: bad_object(f, i, fixture.object); return;
    case KIND_MODULE: bad_object(f, i, fixture.object); return;
    case KIND_OBJECT: bad_object(f, i, NULL); return;
    case KIND_CLASS: bad_class(f, i); return;
    case KIND_METHOD_TOO: case KIND_VERSION_TOO:
        with_pointer(f, i, "native", fixture.native);
        /* fall through */
    case KIND_METHOD: case KIND_VERSION:
        with_pointer(f, i, "null", NULL);
        return;
    case KIND_FIELD:
        with_pointer(f, i, "null", NULL);
        with_pointer(f, i, "of another class", fixture.other);
        return;
    case KIND_MONITOR:
        with_pointer(f, i, "null", NULL);
        with_pointer(f, i, "no monitor", zeros);
        return;
    case KIND_IN: case KIND_OUT: case KIND_ALLOC: case KIND_FUNC:
        with_pointer(f, i, "NULL", NULL);
        return;
    default:
        bad_number(f, i);
    }
}

void parameter_cases(void) {
    for (int i = 0; i < function_count; i++)
        for (int k = 0; k < functions[i].count; k++)
            if (!is_left_out(&functions[i])) bad_parameter(&functions[i], k);
}

/* ---- a thread that is not attached ------------------------------------------------------------------------------- */

struct elsewhere {
    jvmtiEnv *env;
    const struct function *function;
    const union argument *arguments;
    jvmtiError error;
};

static void *unattached(void *data) {
    struct elsewhere *e = data;
    e->error = e->function->call(*e->env, e->env, e->arguments);
    return NULL;
}

static void on_another_thread(jvmtiEnv *env, const struct function *f) {
    union argument a[MAX_PARAMETERS];
    struct elsewhere e = {env, f, a, JVMTI_ERROR_NONE};
    pthread_t thread;
    prepare(f, a);
    if (pthread_create(&thread, NULL, unattached, &e) != 0) abort();
    pthread_join(thread, NULL);
    restore(f);
    report(f, "on an unattached thread", e.error);
}

void thread_cases(void) {
    for (int i = 0; i < function_count; i++) {
        /* Raw monitors have owners, and HotSpot does not know such a thread. */
        if (is_left_out(&functions[i]) || strstr(functions[i].name, "RawMonitor")) continue;
        on_another_thread(jvmti, &functions[i]);
    }
    on_another_thread(spare[0], function_named("DisposeEnvironment"));
}

/* ---- environments that are none ---------------------------------------------------------------------------------- */

void environment_cases(void) {
    union argument a[MAX_PARAMETERS];
    if ((*the_vm)->GetEnv(the_vm, (void **)&given_up, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED: GetEnv");
    report(function_named("DisposeEnvironment"), "good", (*given_up)->DisposeEnvironment(given_up));
    for (int i = 0; strict && i < function_count; i++) {
        const struct function *f = &functions[i];
        if (!is_there(f)) continue;
        prepare(f, a);
        report(f, "environment disposed of", f->call(*given_up, given_up, a));
        report(f, "environment disposed of, through the table of a living one", f->call(*jvmti, given_up, a));
        report(f, "environment NULL", f->call(*jvmti, NULL, a));
        report(f, "environment of somebody else", f->call(*jvmti, (jvmtiEnv *)&a, a));
        restore(f);
    }
}

/* ---- from a callback of a heap walk ------------------------------------------------------------------------------ */

struct walk {
    const struct function *function;
    const union argument *arguments;
    jvmtiError error;
    bool called;
};

static jint JNICALL in_walk(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    struct walk *w = data;
    (void)class_tag, (void)size, (void)tag, (void)length;
    if (!w->called) w->error = w->function->call(*jvmti, jvmti, w->arguments);
    w->called = true;
    return JVMTI_VISIT_ABORT;
}

/* A thread of the VM's own may make the callbacks: what asks for the current thread has no answer that is the same
 * everywhere. */
static bool asks_for_thread(const struct function *f) {
    return f->attached || strncmp(f->name, "RawMonitor", 10) == 0 || strcmp(f->name, "DestroyRawMonitor") == 0;
}

void callback_cases(void) {
    for (int i = 0; i < function_count; i++) {
        const struct function *f = &functions[i];
        union argument a[MAX_PARAMETERS];
        struct walk w = {f, a, JVMTI_ERROR_INTERNAL, false};
        jvmtiHeapCallbacks callbacks;
        if (is_left_out(f) || (f->safe ? asks_for_thread(f) && !strict : !strict)) continue;
        memset(&callbacks, 0, sizeof callbacks);
        callbacks.heap_iteration_callback = in_walk;
        prepare(f, a);
        ok((*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &w), "IterateThroughHeap");
        report(f, "in a heap callback", w.error);
        restore(f);
    }
}
