/* random_watch.c: a tool that cannot make up its mind. Options: <seed>,<file>[,prepared]
 *
 * An agent thread goes its rounds while the program runs. Each round switches some observations on (events for all
 * threads or one, watches on fields, breakpoints), does something to the program meanwhile that it must not notice
 * (suspends and walks its threads, writes back the local variables that it has read, asks for frames to tell when they
 * are popped, retransforms classes, follows references, collects, lets a second environment come and go), and switches
 * off again what it has switched on, in another order. What is drawn depends on the seed, when it happens on chance.
 *
 * What is wrong (a function that fails for no reason that the drawing explains, an event that tells of another place
 * than the frame has) ends the process at once with MISTAKE. What was done is appended to the file, a line for each
 * kind with its number, when the VM ends. It also runs on HotSpot, so that what it does is fair.
 *
 * With "prepared" it retransforms no class that is not prepared yet: another agent that goes by ClassPrepare gets that
 * event on the thread that is going to use the class. */
#include "agent_support.h"

#include <vitrine.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum { MISTAKE = 66 };

__attribute__((format(printf, 1, 2), noreturn)) static void mistake(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "random_watch: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    _exit(MISTAKE);
}

static atomic_int ending;                         /* VMDeath has come; changes under in_round                       */

/* True if the call succeeded, false if it failed for one of these reasons, up to a 0, or because the VM has ended
 * while a callback ran. */
static int fine_or(jvmtiError err, const char *what, const jvmtiError *reasons) {
    if (err == JVMTI_ERROR_NONE) return 1;
    if (err == JVMTI_ERROR_WRONG_PHASE && atomic_load(&ending)) return 0;
    while (*reasons != JVMTI_ERROR_NONE)
        if (err == *reasons++) return 0;
    mistake("%s: %s", what, error_text(err));
}
#define FINE_OR(call, what, ...) fine_or((call), what, (const jvmtiError[]){__VA_ARGS__, JVMTI_ERROR_NONE})

static int fine(jvmtiError err, const char *what) {
    return fine_or(err, what, (const jvmtiError[]){JVMTI_ERROR_NONE});
}

/* ---- chance ------------------------------------------------------------------------------------------------------ */

static uint64_t chance;                           /* of the agent's thread alone                                    */

/* 0 .. below - 1 */
static unsigned draw(unsigned below) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (unsigned)((chance >> 11) % below);
}

/* ---- what is done, and what comes of it -------------------------------------------------------------------------- */

enum deed { ROUND, WATCH, BREAKPOINT, WALK, LOCAL_READ, LOCAL_WRITTEN, FRAME_ASKED, RETRANSFORMED, FOLLOWED, COLLECTED,
            STACKS, SECOND, EVENT_ON, DEEDS };
static const char *const deed_names[] = {"rounds", "watches", "breakpoints", "walks", "locals-read", "locals-written",
                                         "frames-asked", "retransformed", "followed", "collected", "stacks",
                                         "second-environments", "events-on"};
static long deeds[DEEDS];                         /* of the agent's thread alone                                    */

static const struct kind {
    jvmtiEvent event;
    const char *name;
    int for_one;                                  /* may be enabled for one thread                                  */
} kinds[] = {
    {JVMTI_EVENT_SINGLE_STEP, "SingleStep", 1},
    {JVMTI_EVENT_METHOD_ENTRY, "MethodEntry", 1},
    {JVMTI_EVENT_METHOD_EXIT, "MethodExit", 1},
    {JVMTI_EVENT_EXCEPTION, "Exception", 1},
    {JVMTI_EVENT_EXCEPTION_CATCH, "ExceptionCatch", 1},
    {JVMTI_EVENT_FRAME_POP, "FramePop", 1},
    {JVMTI_EVENT_BREAKPOINT, "Breakpoint", 1},
    {JVMTI_EVENT_FIELD_ACCESS, "FieldAccess", 1},
    {JVMTI_EVENT_FIELD_MODIFICATION, "FieldModification", 1},
    {JVMTI_EVENT_MONITOR_CONTENDED_ENTER, "MonitorContendedEnter", 1},
    {JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, "MonitorContendedEntered", 1},
    {JVMTI_EVENT_MONITOR_WAIT, "MonitorWait", 1},
    {JVMTI_EVENT_MONITOR_WAITED, "MonitorWaited", 1},
    {JVMTI_EVENT_VM_OBJECT_ALLOC, "VMObjectAlloc", 0},
    {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, "SampledObjectAlloc", 1},
    {JVMTI_EVENT_CLASS_LOAD, "ClassLoad", 1},
    {JVMTI_EVENT_CLASS_PREPARE, "ClassPrepare", 1},
    {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, "ClassFileLoadHook", 0},
    {JVMTI_EVENT_COMPILED_METHOD_LOAD, "CompiledMethodLoad", 0},
    {JVMTI_EVENT_COMPILED_METHOD_UNLOAD, "CompiledMethodUnload", 0},
    {JVMTI_EVENT_GARBAGE_COLLECTION_START, "GarbageCollectionStart", 0},
    {JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, "GarbageCollectionFinish", 0},
    {JVMTI_EVENT_OBJECT_FREE, "ObjectFree", 0},
    {JVMTI_EVENT_THREAD_START, "ThreadStart", 0},
    {JVMTI_EVENT_THREAD_END, "ThreadEnd", 1},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], LOOK_EVERY = 16 };
static atomic_long events[KINDS];

/* True: this one is to be looked at closely. */
static int count(jvmtiEvent event) {
    static __thread unsigned turn;
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].event == event) atomic_fetch_add_explicit(&events[i], 1, memory_order_relaxed);
    return ++turn % LOOK_EVERY == 0;
}

/* ---- callbacks: an event tells the place where the thread is ----------------------------------------------------- */

static void is_at(jvmtiEvent event, jthread thread, jmethodID method, jlocation location) {
    jmethodID where;
    jlocation at;
    if (!count(event) || !fine((*jvmti)->GetFrameLocation(jvmti, thread, 0, &where, &at), "GetFrameLocation")) return;
    if (where != method) mistake("event %d tells of another method than the frame's", (int)event);
    int is_native = at == -1 && location == 0;        /* both VMs say so of an exception that a native method throws */
    if (location >= 0 && at != location && !is_native)
        mistake("event %d at %lld, the frame at %lld", (int)event, (long long)location, (long long)at);
}

#define ENV jvmtiEnv *env
#define UNUSED __attribute__((unused))

static void JNICALL single_step(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method, jlocation location) {
    is_at(JVMTI_EVENT_SINGLE_STEP, thread, method, location);
}

static void JNICALL breakpoint(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method, jlocation location) {
    is_at(JVMTI_EVENT_BREAKPOINT, thread, method, location);
}

static void JNICALL method_entry(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method) {
    is_at(JVMTI_EVENT_METHOD_ENTRY, thread, method, -1);
}

static void JNICALL method_exit(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method,
                                jboolean by_exception UNUSED, jvalue value UNUSED) {
    is_at(JVMTI_EVENT_METHOD_EXIT, thread, method, -1);
}

static void JNICALL frame_pop(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method,
                              jboolean by_exception UNUSED) {
    is_at(JVMTI_EVENT_FRAME_POP, thread, method, -1);
}

static void JNICALL exception(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method, jlocation location,
                              jobject thrown UNUSED, jmethodID catching UNUSED, jlocation at UNUSED) {
    is_at(JVMTI_EVENT_EXCEPTION, thread, method, location);
}

static void JNICALL exception_catch(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method,
                                    jlocation location, jobject thrown UNUSED) {
    is_at(JVMTI_EVENT_EXCEPTION_CATCH, thread, method, location);
}

static void JNICALL field_access(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method, jlocation location,
                                 jclass c UNUSED, jobject object UNUSED, jfieldID field UNUSED) {
    is_at(JVMTI_EVENT_FIELD_ACCESS, thread, method, location);
}

static void JNICALL field_modification(ENV UNUSED, JNIEnv *jni UNUSED, jthread thread, jmethodID method,
                                       jlocation location, jclass c UNUSED, jobject object UNUSED,
                                       jfieldID field UNUSED, char type UNUSED, jvalue value UNUSED) {
    is_at(JVMTI_EVENT_FIELD_MODIFICATION, thread, method, location);
}

#define COUNTS(name, event, ...)                                                                                       \
    static void JNICALL name(ENV UNUSED, __VA_ARGS__) { (void)count(event); }
COUNTS(contended_enter, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JNIEnv *j UNUSED, jthread t UNUSED, jobject o UNUSED)
COUNTS(contended_entered, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, JNIEnv *j UNUSED, jthread t UNUSED, jobject o UNUSED)
COUNTS(monitor_wait, JVMTI_EVENT_MONITOR_WAIT, JNIEnv *j UNUSED, jthread t UNUSED, jobject o UNUSED, jlong n UNUSED)
COUNTS(monitor_waited, JVMTI_EVENT_MONITOR_WAITED, JNIEnv *j UNUSED, jthread t UNUSED, jobject o UNUSED,
       jboolean b UNUSED)
COUNTS(object_alloc, JVMTI_EVENT_VM_OBJECT_ALLOC, JNIEnv *j UNUSED, jthread t UNUSED, jobject o UNUSED,
       jclass c UNUSED, jlong n UNUSED)
COUNTS(sampled, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JNIEnv *j UNUSED, jthread t UNUSED, jobject o UNUSED,
       jclass c UNUSED, jlong n UNUSED)
COUNTS(class_load, JVMTI_EVENT_CLASS_LOAD, JNIEnv *j UNUSED, jthread t UNUSED, jclass c UNUSED)
COUNTS(class_prepare, JVMTI_EVENT_CLASS_PREPARE, JNIEnv *j UNUSED, jthread t UNUSED, jclass c UNUSED)
COUNTS(thread_start, JVMTI_EVENT_THREAD_START, JNIEnv *j UNUSED, jthread t UNUSED)
COUNTS(thread_end, JVMTI_EVENT_THREAD_END, JNIEnv *j UNUSED, jthread t UNUSED)
COUNTS(compiled, JVMTI_EVENT_COMPILED_METHOD_LOAD, jmethodID m UNUSED, jint size UNUSED, const void *code UNUSED,
       jint length UNUSED, const jvmtiAddrLocationMap *map UNUSED, const void *info UNUSED)
COUNTS(thrown_away, JVMTI_EVENT_COMPILED_METHOD_UNLOAD, jmethodID m UNUSED, const void *code UNUSED)

static void JNICALL collection_starts(ENV UNUSED) { (void)count(JVMTI_EVENT_GARBAGE_COLLECTION_START); }
static void JNICALL collection_ends(ENV UNUSED) { (void)count(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH); }
static void JNICALL object_free(ENV UNUSED, jlong tag UNUSED) { (void)count(JVMTI_EVENT_OBJECT_FREE); }

/* The new class file is a copy of the old one. */
static void JNICALL class_file_load_hook(ENV, JNIEnv *jni UNUSED, jclass redefined UNUSED, jobject loader UNUSED,
                                         const char *name UNUSED, jobject domain UNUSED, jint size,
                                         const unsigned char *bytes, jint *new_size, unsigned char **new_bytes) {
    if (count(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) || !fine((*env)->Allocate(env, size, new_bytes), "Allocate")) return;
    memcpy(*new_bytes, bytes, (size_t)size);
    *new_size = size;
}

static const jvmtiEventCallbacks callbacks_of_events = {
    .SingleStep = single_step,
    .Breakpoint = breakpoint,
    .MethodEntry = method_entry,
    .MethodExit = method_exit,
    .FramePop = frame_pop,
    .Exception = exception,
    .ExceptionCatch = exception_catch,
    .FieldAccess = field_access,
    .FieldModification = field_modification,
    .MonitorContendedEnter = contended_enter,
    .MonitorContendedEntered = contended_entered,
    .MonitorWait = monitor_wait,
    .MonitorWaited = monitor_waited,
    .VMObjectAlloc = object_alloc,
    .SampledObjectAlloc = sampled,
    .ClassLoad = class_load,
    .ClassPrepare = class_prepare,
    .ClassFileLoadHook = class_file_load_hook,
    .CompiledMethodLoad = compiled,
    .CompiledMethodUnload = thrown_away,
    .GarbageCollectionStart = collection_starts,
    .GarbageCollectionFinish = collection_ends,
    .ObjectFree = object_free,
    .ThreadStart = thread_start,
    .ThreadEnd = thread_end,
};

/* ---- what there is at the beginning of a round; local references, which end with it ------------------------------ */

static jint class_count, thread_count;
static jclass *classes;
static jthread *threads, self;
static int looks_at_types;                        /* whether the VM knows a local's type where no table tells it    */

static void look_around(void) {
    fine((*jvmti)->GetLoadedClasses(jvmti, &class_count, &classes), "GetLoadedClasses");
    fine((*jvmti)->GetAllThreads(jvmti, &thread_count, &threads), "GetAllThreads");
    fine((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread");
}

/* Of a method that some thread is in; NULL: chance has found none. */
static jclass class_of_a_frame(void) {
    jvmtiFrameInfo frames[16];
    jint count = 0;
    jclass c = NULL;
    if (!FINE_OR((*jvmti)->GetStackTrace(jvmti, threads[draw((unsigned)thread_count)], 0, 16, frames, &count),
                 "GetStackTrace", JVMTI_ERROR_THREAD_NOT_ALIVE) ||
        count == 0)
        return NULL;
    fine((*jvmti)->GetMethodDeclaringClass(jvmti, frames[draw((unsigned)count)].method, &c), "GetMethodDeclaringClass");
    return c;
}

static int is_boot_or_array(jclass c) {
    jobject loader;
    jboolean is_array;
    fine((*jvmti)->GetClassLoader(jvmti, c, &loader), "GetClassLoader");
    fine((*jvmti)->IsArrayClass(jvmti, c, &is_array), "IsArrayClass");
    return loader == NULL || is_array;
}

/* Mostly one that the program is busy with. */
static jclass some_class(void) {
    unsigned how = draw(4);
    jclass c = how < 2 ? class_of_a_frame() : NULL;
    if (c == NULL) c = classes[draw((unsigned)class_count)];
    for (int tries = how == 2 ? 200 : 0; tries > 0 && is_boot_or_array(c); tries--)
        c = classes[draw((unsigned)class_count)];
    return c;
}

/* ---- what is switched on and off --------------------------------------------------------------------------------- */

static struct held {
    enum { AN_EVENT, ACCESS, MODIFICATION, A_BREAKPOINT } what;
    jvmtiEvent event;
    jthread thread;                               /* NULL: all                                                      */
    jclass holder;
    jfieldID field;
    jmethodID method;
    jlocation location;
} held[8];
static unsigned held_count;

static void some_event(struct held *h) {
    const struct kind *k = &kinds[draw(KINDS)];
    h->what = AN_EVENT;
    h->event = k->event;
    h->thread = k->for_one && draw(2) == 0 ? threads[draw((unsigned)thread_count)] : NULL;
    if (k->event == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC)
        fine((*jvmti)->SetHeapSamplingInterval(jvmti, (jint)draw(1 << draw(20))), "SetHeapSamplingInterval");
    if (FINE_OR((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, h->event, h->thread), k->name,
                JVMTI_ERROR_THREAD_NOT_ALIVE)) {
        held_count++;
        deeds[EVENT_ON]++;
    }
}

/* What is set is nothing without its event, which goes when some_event's turn is over. */
static void with_event(jvmtiEvent event) {
    if (draw(4) != 0) fine((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL), "with its event");
}

static void some_watch(struct held *h) {
    jint count;
    jfieldID *fields;
    h->holder = some_class();
    if (!FINE_OR((*jvmti)->GetClassFields(jvmti, h->holder, &count, &fields), "GetClassFields",
                 JVMTI_ERROR_CLASS_NOT_PREPARED))
        return;
    if (count != 0) {
        h->what = draw(2) == 0 ? ACCESS : MODIFICATION;
        h->field = fields[draw((unsigned)count)];
        jvmtiError err = h->what == ACCESS ? (*jvmti)->SetFieldAccessWatch(jvmti, h->holder, h->field)
                                           : (*jvmti)->SetFieldModificationWatch(jvmti, h->holder, h->field);
        if (FINE_OR(err, "SetField...Watch", JVMTI_ERROR_DUPLICATE)) {
            held_count++;
            deeds[WATCH]++;
            with_event(h->what == ACCESS ? JVMTI_EVENT_FIELD_ACCESS : JVMTI_EVENT_FIELD_MODIFICATION);
        }
    }
    release(fields);
}

/* Of a line, or the method's first instruction. */
static jlocation some_location(jmethodID method) {
    jint count;
    jvmtiLineNumberEntry *lines;
    jlocation location = 0;
    if (!FINE_OR((*jvmti)->GetLineNumberTable(jvmti, method, &count, &lines), "GetLineNumberTable",
                 JVMTI_ERROR_ABSENT_INFORMATION))
        return 0;
    if (count != 0) location = lines[draw((unsigned)count)].start_location;
    release(lines);
    return location;
}

static int has_code(jmethodID method) {
    jlocation first = -1, last = -1;
    return FINE_OR((*jvmti)->GetMethodLocation(jvmti, method, &first, &last), "GetMethodLocation",
                   JVMTI_ERROR_NATIVE_METHOD) && first >= 0;
}

static void some_breakpoint(struct held *h) {
    jint count;
    jmethodID *methods;
    if (!FINE_OR((*jvmti)->GetClassMethods(jvmti, some_class(), &count, &methods), "GetClassMethods",
                 JVMTI_ERROR_CLASS_NOT_PREPARED))
        return;
    h->what = A_BREAKPOINT;
    h->method = count != 0 ? methods[draw((unsigned)count)] : NULL;
    release(methods);
    if (h->method == NULL || !has_code(h->method)) return;
    h->location = some_location(h->method);
    if (FINE_OR((*jvmti)->SetBreakpoint(jvmti, h->method, h->location), "SetBreakpoint", JVMTI_ERROR_DUPLICATE)) {
        held_count++;
        deeds[BREAKPOINT]++;
        with_event(JVMTI_EVENT_BREAKPOINT);
    }
}

static void switch_on(void) {
    static void (*const some[])(struct held *) = {some_event, some_event, some_event, some_watch, some_breakpoint};
    held[held_count] = (struct held){0};
    some[draw(5)](&held[held_count]);
}

/* A method that has been redefined meanwhile has no breakpoints any more. */
static void switch_off(unsigned i) {
    struct held h = held[i];
    held[i] = held[--held_count];
    switch (h.what) {
    case AN_EVENT:
        (void)FINE_OR((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, h.event, h.thread),
                      "SetEventNotificationMode", JVMTI_ERROR_THREAD_NOT_ALIVE);
        break;
    case ACCESS:
        (void)FINE_OR((*jvmti)->ClearFieldAccessWatch(jvmti, h.holder, h.field), "ClearFieldAccessWatch",
                      JVMTI_ERROR_NOT_FOUND);
        break;
    case MODIFICATION:
        (void)FINE_OR((*jvmti)->ClearFieldModificationWatch(jvmti, h.holder, h.field), "ClearFieldModificationWatch",
                      JVMTI_ERROR_NOT_FOUND);
        break;
    case A_BREAKPOINT:
        (void)FINE_OR((*jvmti)->ClearBreakpoint(jvmti, h.method, h.location), "ClearBreakpoint",
                      JVMTI_ERROR_NOT_FOUND);
        break;
    }
}

/* ---- what is done to suspended threads --------------------------------------------------------------------------- */

enum { MAX_WALKED = 128 };

/* A local variable of one type is read and, unless the VM may take its type on trust, written back as it is. */
static void touch_local(JNIEnv *jni, jthread t, jint depth, jint slot, int write) {
    jvalue v = {0};
    char type = "IJFDL"[draw(5)];
    jvmtiError err = type == 'I'   ? (*jvmti)->GetLocalInt(jvmti, t, depth, slot, &v.i)
                     : type == 'J' ? (*jvmti)->GetLocalLong(jvmti, t, depth, slot, &v.j)
                     : type == 'F' ? (*jvmti)->GetLocalFloat(jvmti, t, depth, slot, &v.f)
                     : type == 'D' ? (*jvmti)->GetLocalDouble(jvmti, t, depth, slot, &v.d)
                                   : (*jvmti)->GetLocalObject(jvmti, t, depth, slot, &v.l);
    if (!FINE_OR(err, "GetLocal", JVMTI_ERROR_TYPE_MISMATCH, JVMTI_ERROR_INVALID_SLOT, JVMTI_ERROR_OPAQUE_FRAME,
                 JVMTI_ERROR_NO_MORE_FRAMES, JVMTI_ERROR_THREAD_NOT_ALIVE))
        return;
    deeds[LOCAL_READ]++;
    if (write) {
        err = type == 'I'   ? (*jvmti)->SetLocalInt(jvmti, t, depth, slot, v.i)
              : type == 'J' ? (*jvmti)->SetLocalLong(jvmti, t, depth, slot, v.j)
              : type == 'F' ? (*jvmti)->SetLocalFloat(jvmti, t, depth, slot, v.f)
              : type == 'D' ? (*jvmti)->SetLocalDouble(jvmti, t, depth, slot, v.d)
                            : (*jvmti)->SetLocalObject(jvmti, t, depth, slot, v.l);
        if (FINE_OR(err, "SetLocal", JVMTI_ERROR_TYPE_MISMATCH, JVMTI_ERROR_INVALID_SLOT, JVMTI_ERROR_OPAQUE_FRAME))
            deeds[LOCAL_WRITTEN]++;
    }
    if (type == 'L') (*jni)->DeleteLocalRef(jni, v.l);
}

/* Without a table HotSpot believes whoever asks, and a reference that is read as one may be none. */
static int has_table(jmethodID method) {
    jint count;
    jvmtiLocalVariableEntry *table;
    if (!FINE_OR((*jvmti)->GetLocalVariableTable(jvmti, method, &count, &table), "GetLocalVariableTable",
                 JVMTI_ERROR_ABSENT_INFORMATION, JVMTI_ERROR_NATIVE_METHOD))
        return 0;
    for (jint i = 0; i < count; i++) {
        release(table[i].name);
        release(table[i].signature);
        if (table[i].generic_signature != NULL) release(table[i].generic_signature);
    }
    release(table);
    return count != 0;
}

static void touch_frame(JNIEnv *jni, jthread t, jint depth, jmethodID method) {
    jint locals = 0;
    if (!FINE_OR((*jvmti)->GetMaxLocals(jvmti, method, &locals), "GetMaxLocals", JVMTI_ERROR_NATIVE_METHOD)) return;
    int write = draw(3) == 0;
    if (looks_at_types || has_table(method))
        for (jint slot = 0; slot < locals && slot < 16; slot++) touch_local(jni, t, depth, slot, write);
    if (draw(4) == 0 &&
        FINE_OR((*jvmti)->NotifyFramePop(jvmti, t, depth), "NotifyFramePop", JVMTI_ERROR_DUPLICATE,
                JVMTI_ERROR_OPAQUE_FRAME, JVMTI_ERROR_NO_MORE_FRAMES)) {
        deeds[FRAME_ASKED]++;
        with_event(JVMTI_EVENT_FRAME_POP);
    }
}

static void look_at_monitors(JNIEnv *jni, jthread t) {
    jint count;
    jvmtiMonitorStackDepthInfo *owned;
    jobject contended = NULL;
    if (FINE_OR((*jvmti)->GetOwnedMonitorStackDepthInfo(jvmti, t, &count, &owned), "GetOwnedMonitorStackDepthInfo",
                JVMTI_ERROR_THREAD_NOT_ALIVE)) {
        for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, owned[i].monitor);
        release(owned);
    }
    if (FINE_OR((*jvmti)->GetCurrentContendedMonitor(jvmti, t, &contended), "GetCurrentContendedMonitor",
                JVMTI_ERROR_THREAD_NOT_ALIVE))
        (*jni)->DeleteLocalRef(jni, contended);
}

/* A suspended thread does not move, and some of its frames are touched. */
static void walk(JNIEnv *jni, jthread t) {
    jvmtiFrameInfo first[MAX_WALKED], second[MAX_WALKED];
    jint count, again;
    if (!FINE_OR((*jvmti)->GetStackTrace(jvmti, t, 0, MAX_WALKED, first, &count), "GetStackTrace",
                 JVMTI_ERROR_THREAD_NOT_ALIVE))
        return;
    for (jint n = 0; n < 4 && count != 0; n++) {
        jint depth = (jint)draw(draw(2) == 0 || count < 3 ? (unsigned)count : 3);
        touch_frame(jni, t, depth, first[depth].method);
    }
    look_at_monitors(jni, t);
    if (!FINE_OR((*jvmti)->GetStackTrace(jvmti, t, 0, MAX_WALKED, second, &again), "GetStackTrace",
                 JVMTI_ERROR_THREAD_NOT_ALIVE))
        return;
    if (count != again) mistake("a suspended thread has moved: %d frames, then %d", (int)count, (int)again);
    for (jint i = 0; i < count; i++)
        if (first[i].method != second[i].method || first[i].location != second[i].location)
            mistake("a suspended thread has moved in frame %d of %d: %lld, then %lld", (int)i, (int)count,
                    (long long)first[i].location, (long long)second[i].location);
    deeds[WALK]++;
}

/* One thread, or all others. */
static void suspend_and_walk(JNIEnv *jni) {
    jthread suspended[64];
    jint count = 0;
    unsigned only = draw(2) == 0 ? draw((unsigned)thread_count) : UINT32_MAX;
    for (jint i = 0; i < thread_count && count < 64; i++)
        if ((only == UINT32_MAX || only == (unsigned)i) && !(*jni)->IsSameObject(jni, threads[i], self) &&
            FINE_OR((*jvmti)->SuspendThread(jvmti, threads[i]), "SuspendThread", JVMTI_ERROR_THREAD_NOT_ALIVE,
                    JVMTI_ERROR_THREAD_SUSPENDED))
            suspended[count++] = threads[i];
    for (jint i = 0; i < count; i++) walk(jni, suspended[i]);
    for (jint i = 0; i < count; i++) (void)fine((*jvmti)->ResumeThread(jvmti, suspended[i]), "ResumeThread");
}

/* ---- what is done to the program --------------------------------------------------------------------------------- */

static int only_prepared;

static int may_be_retransformed(jclass c) {
    jboolean modifiable;
    jint status = 0;
    return fine((*jvmti)->IsModifiableClass(jvmti, c, &modifiable), "IsModifiableClass") && modifiable &&
           fine((*jvmti)->GetClassStatus(jvmti, c, &status), "GetClassStatus") &&
           (!only_prepared || status & JVMTI_CLASS_STATUS_PREPARED);
}

static void retransform(JNIEnv *jni) {
    jclass chosen[8];
    jint count = 0;
    for (int n = 1 + (int)draw(8); n > 0; n--) {
        jclass c = some_class();
        int twice = 0;
        for (jint i = 0; i < count; i++) twice |= (*jni)->IsSameObject(jni, chosen[i], c);
        if (!twice && may_be_retransformed(c)) chosen[count++] = c;
    }
    if (count != 0 && FINE_OR((*jvmti)->RetransformClasses(jvmti, count, chosen), "RetransformClasses",
                              JVMTI_ERROR_INVALID_CLASS))
        deeds[RETRANSFORMED] += count;
}

static jint JNICALL one_reference(jvmtiHeapReferenceKind kind UNUSED, const jvmtiHeapReferenceInfo *info UNUSED,
                                  jlong class_tag UNUSED, jlong referrer_class_tag UNUSED, jlong size, jlong *tag,
                                  jlong *referrer_tag UNUSED, jint length UNUSED, void *visited) {
    if (*tag != 0 && *tag != size)
        mistake("an object of %lld bytes has the tag of one of %lld", (long long)size, (long long)*tag);
    if (++*(unsigned *)visited % 64 == 0) *tag = size;
    return JVMTI_VISIT_OBJECTS;
}

static void follow(JNIEnv *jni UNUSED) {
    jvmtiHeapCallbacks heap = {.heap_reference_callback = one_reference};
    unsigned visited = draw(64);
    if (draw(8) != 0) return;                     /* it takes long                                                  */
    fine((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &heap, &visited), "FollowReferences");
    deeds[FOLLOWED]++;
}

static void collect(JNIEnv *jni UNUSED) {
    if (draw(4) != 0) return;
    fine((*jvmti)->ForceGarbageCollection(jvmti), "ForceGarbageCollection");
    deeds[COLLECTED]++;
}

static void all_stacks(JNIEnv *jni UNUSED) {
    jvmtiStackInfo *stacks;
    jint count;
    if (!fine((*jvmti)->GetAllStackTraces(jvmti, MAX_WALKED, &stacks, &count), "GetAllStackTraces")) return;
    if (count == 0) mistake("no thread has a stack");
    release(stacks);
    deeds[STACKS]++;
}

/* Another environment holds all that can be had, and is disposed of with its event on. */
static void second_environment(JNIEnv *jni UNUSED) {
    jvmtiEnv *other;
    jvmtiCapabilities all;
    if ((*the_vm)->GetEnv(the_vm, (void **)&other, JVMTI_VERSION_1_2) != JNI_OK) mistake("no second environment");
    fine((*other)->GetPotentialCapabilities(other, &all), "GetPotentialCapabilities");
    fine((*other)->AddCapabilities(other, &all), "AddCapabilities");
    fine((*other)->SetEventCallbacks(other, &callbacks_of_events, sizeof callbacks_of_events), "SetEventCallbacks");
    fine((*other)->SetEventNotificationMode(other, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL), "ClassPrepare");
    if (all.can_generate_method_entry_events)
        fine((*other)->SetEventNotificationMode(other, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL), "MethodEntry");
    fine((*other)->DisposeEnvironment(other), "DisposeEnvironment");
    deeds[SECOND]++;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

static pthread_mutex_t in_round = PTHREAD_MUTEX_INITIALIZER;          /* held during a round */

static void go_round(JNIEnv *jni) {
    static void (*const things[])(JNIEnv *) = {suspend_and_walk, suspend_and_walk, suspend_and_walk, retransform,
                                               follow, collect, all_stacks, second_environment};
    if ((*jni)->PushLocalFrame(jni, 4096) != 0) mistake("no room for local references");
    look_around();
    for (unsigned n = draw(8); n > 0; n--) switch_on();
    for (unsigned n = draw(4); n > 0; n--) {
        things[draw(sizeof things / sizeof things[0])](jni);
        sleep_for(draw(draw(4) == 0 ? 2000000 : 100000));
    }
    while (held_count != 0) switch_off(draw(held_count));
    release(classes);
    release(threads);
    (*jni)->PopLocalFrame(jni, NULL);
    deeds[ROUND]++;
}

/* Between two rounds the program has as long as the last one took: it must come to its end. */
static void JNICALL go_rounds(jvmtiEnv *env UNUSED, JNIEnv *jni, void *unused UNUSED) {
    for (int last = 0; !last;) {
        long start = now();
        pthread_mutex_lock(&in_round);
        if (!ending) go_round(jni);
        last = ending;
        pthread_mutex_unlock(&in_round);
        sleep_for(now() - start);
    }
}

static void JNICALL vm_init(jvmtiEnv *env UNUSED, JNIEnv *jni, jthread thread UNUSED) {
    fine(start_watcher(jni, go_rounds), "RunAgentThread");
}

static FILE *record;

/* Nothing of the agent is busy in the dead phase. */
static void JNICALL vm_death(jvmtiEnv *env UNUSED, JNIEnv *jni UNUSED) {
    pthread_mutex_lock(&in_round);
    ending = 1;
    pthread_mutex_unlock(&in_round);
    for (size_t i = 0; i < DEEDS; i++) fprintf(record, "%s %ld\n", deed_names[i], deeds[i]);
    for (size_t i = 0; i < KINDS; i++) fprintf(record, "%s %ld\n", kinds[i].name, atomic_load(&events[i]));
    fclose(record);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved UNUSED) {
    char *file = NULL, *name = NULL;
    uint64_t seed = options != NULL ? strtoull(options, &file, 10) : 0;
    char *more = file != NULL && *file == ',' ? strchr(++file, ',') : NULL;
    if (more != NULL) *more = 0;
    only_prepared = more != NULL && strcmp(more + 1, "prepared") == 0;
    if (file == NULL || (record = fopen(file, "a")) == NULL) return JNI_ERR;
    chance = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    fine((*jvmti)->GetSystemProperty(jvmti, "java.vm.name", &name), "GetSystemProperty");
    looks_at_types = strstr(name, "Vitrine") != NULL;
    release(name);
    jvmtiCapabilities all;
    fine((*jvmti)->GetPotentialCapabilities(jvmti, &all), "GetPotentialCapabilities");
    all.can_generate_early_class_hook_events = all.can_generate_early_vmstart = 0;
    fine((*jvmti)->AddCapabilities(jvmti, &all), "AddCapabilities");
    jvmtiEventCallbacks callbacks = callbacks_of_events;
    callbacks.VMInit = vm_init;
    callbacks.VMDeath = vm_death;
    fine((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_VM_DEATH);
    return JNI_OK;
}
