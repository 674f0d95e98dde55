/* compiled_frames.c: what the program CompiledFrames does to frames in the middle of a stack. A frame is named by its
 * method and the number of younger frames of the same method.
 *
 * With kinds=FILE, and where the VM tells, that file gets a line for each frame that a tool looks at or does something
 * to: what is done, the method, and what runs the frame at that moment; before them the program's scenarios, "-- ...".
 */
#include "agent_support.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <vitrine.h>

enum { DEEPEST = 200, POINTS = 32 };

static jrawMonitorID monitor;
static int holding, let_go;              /* under the monitor */

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Whether the program has it (its lambda's proxy is the library's); the name without class. */
static int ours(jmethodID m, char *out, size_t size) {
    char *name = NULL, *signature = NULL;
    jclass c;
    snprintf(out, size, "none");
    if (m == NULL || !ok((*jvmti)->GetMethodDeclaringClass(jvmti, m, &c), "GetMethodDeclaringClass")) return 0;
    ok((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL), "GetClassSignature");
    ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName");
    int yes = strncmp(signature, "LCompiledFrames", 15) == 0 && strstr(signature, "$$Lambda") == NULL;
    snprintf(out, size, "%s", yes ? name : "library");
    release(name);
    release(signature);
    return yes;
}

/* Where in its loop a thread is found varies. */
static int varies(const char *name) { return strcmp(name, "spin") == 0; }

static const char *place_text(jmethodID m, jlocation at, char *out, size_t size) {
    char name[60];
    if (!ours(m, name, sizeof name) || varies(name)) snprintf(out, size, "%s", name);
    else if (at < 0) snprintf(out, size, "%s native", name);
    else snprintf(out, size, "%s at %ld", name, (long)at);
    return out;
}

static const char *caller_text(jthread t, char *out, size_t size) {
    jmethodID m;
    jlocation at;
    jvmtiError err = (*jvmti)->GetFrameLocation(jvmti, t, 1, &m, &at);
    return err ? error_text(err) : place_text(m, at, out, size);
}

static const char *object_text(JNIEnv *jni, jobject o, char *out, size_t size) {
    char signature[80];
    if (o == NULL) return "null";
    jclass c = (*jni)->GetObjectClass(jni, o);
    if (strcmp(class_text(c, signature, sizeof signature), "Ljava/lang/String;") == 0) {
        const char *text = (*jni)->GetStringUTFChars(jni, o, NULL);
        snprintf(out, size, "\"%s\"", text);
        (*jni)->ReleaseStringUTFChars(jni, o, text);
    } else snprintf(out, size, "%s", strstr(signature, "$$Lambda") ? "lambda" : signature);
    return out;
}

static const char *value_text(JNIEnv *jni, char type, jvalue v, char *out, size_t size) {
    switch (type) {
    case 'V': return "void";
    case 'Z': snprintf(out, size, "%s", v.z ? "true" : "false"); break;
    case 'B': snprintf(out, size, "%d", v.b); break;
    case 'C': snprintf(out, size, "%d", v.c); break;
    case 'S': snprintf(out, size, "%d", v.s); break;
    case 'I': snprintf(out, size, "%d", v.i); break;
    case 'J': snprintf(out, size, "%ld", (long)v.j); break;
    case 'F': snprintf(out, size, "%g", (double)v.f); break;
    case 'D': snprintf(out, size, "%g", v.d); break;
    default: return object_text(jni, v.l, out, size);
    }
    return out;
}

static char return_type(jmethodID m) {
    char *desc, type = 'V';
    if (!ok((*jvmti)->GetMethodName(jvmti, m, NULL, &desc, NULL), "GetMethodName")) return type;
    type = strchr(desc, ')')[1];
    release(desc);
    return type;
}

static void copy_text(JNIEnv *jni, jstring s, char *out, size_t size) {
    const char *text = (*jni)->GetStringUTFChars(jni, s, NULL);
    snprintf(out, size, "%s", text);
    (*jni)->ReleaseStringUTFChars(jni, s, text);
}

/* ---- what runs the frames ---------------------------------------------------------------------------------------- */

static jvmtiExtensionFunction call_trace;        /* NULL: nobody asks                                                */
static FILE *kinds;
static pthread_t standing;                       /* the thread that runs the chain, ...                              */
static volatile int stands;                      /* ... while it does                                                */
static struct {
    vitrineCallFrame frames[DEEPEST];
    jint count;
    sem_t taken;
} seen;                                          /* its frames, as its own handler found them                        */

/* On the standing thread, wherever that was stopped. */
static void take_frames(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    if (call_trace(jvmti, context, DEEPEST, seen.frames, &seen.count) != JVMTI_ERROR_NONE) seen.count = 0;
    sem_post(&seen.taken);
}

enum { ALL = -1 };

/* Notes what runs the program's frames at `depth`, or all of them; `whose`: NULL, or the class that they belong to.
 * The standing thread is the caller, or suspended. */
static void note_kinds(const char *what, jint depth, jclass whose) {
    static const char *const texts[] = {"?", "interpreted", "native", "compiled", "inlined"};
    if (call_trace == NULL || !stands) return;
    if (pthread_equal(pthread_self(), standing)) {
        if (!ok(call_trace(jvmti, NULL, DEEPEST, seen.frames, &seen.count), "GetCallTrace")) return;
    } else {
        pthread_kill(standing, SIGPROF);
        while (sem_wait(&seen.taken) != 0) continue;
    }
    for (jint i = depth == ALL ? 0 : depth; i < seen.count && (depth == ALL || i == depth); i++) {
        char name[60];
        jclass c;
        JNIEnv *jni;
        if (seen.frames[i].kind > VITRINE_FRAME_INLINED || !ours(seen.frames[i].method, name, sizeof name) ||
            (*the_vm)->GetEnv(the_vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK ||
            !ok((*jvmti)->GetMethodDeclaringClass(jvmti, seen.frames[i].method, &c), "GetMethodDeclaringClass") ||
            (whose != NULL && !(*jni)->IsSameObject(jni, c, whose)))
            continue;
        fprintf(kinds, "%s%s\t%s\t%s\n", what, depth == ALL && i == 0 ? ", youngest" : "", name,
                texts[seen.frames[i].kind]);
    }
}

static void open_kinds(const char *path) {
    call_trace = extension_function("vitrine.functions.GetCallTrace");
    if (call_trace == NULL) return;
    struct sigaction action = {.sa_sigaction = take_frames, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    kinds = fopen(path, "w");
    sem_init(&seen.taken, 0, 0);
    if (kinds == NULL || sigaction(SIGPROF, &action, NULL) != 0) abort();
    setvbuf(kinds, NULL, _IOLBF, 0);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

struct place {
    jint depth;
    jmethodID method;
    jlocation at;
};

static int find(JNIEnv *jni, jthread t, jstring method, int nth, struct place *found) {
    jvmtiFrameInfo frames[DEEPEST];
    char wanted[60], name[60];
    jint count = 0;
    copy_text(jni, method, wanted, sizeof wanted);
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, DEEPEST, frames, &count), "GetStackTrace");
    for (jint i = 0; i < count; i++) {
        if (!ours(frames[i].method, name, sizeof name) || strcmp(name, wanted) != 0 || nth-- > 0) continue;
        *found = (struct place){i, frames[i].method, frames[i].location};
        return 1;
    }
    say("FAILED: no frame of %s", wanted);
    return 0;
}

#define TOOL(type, name, ...)                                                                                          \
    JNIEXPORT type JNICALL Java_CompiledFrames_##name(JNIEnv *jni, jclass c, ##__VA_ARGS__)

/* The calling thread is the one that runs the chain, or has done so. */
TOOL(void, runs, jboolean on) {
    (void)jni, (void)c;
    standing = pthread_self();
    stands = on;
}

TOOL(void, begins, jstring scenario) {
    char text[120];
    (void)c;
    copy_text(jni, scenario, text, sizeof text);
    if (kinds != NULL) fprintf(kinds, "-- %s\n", text);
}

/* The other ways to a trace answer the same. */
static void check_trace(jthread t, const jvmtiFrameInfo *frames, jint count) {
    jvmtiStackInfo *all;
    jvmtiFrameInfo oldest[DEEPEST];
    jint n = 0;
    if (!ok((*jvmti)->GetThreadListStackTraces(jvmti, 1, &t, DEEPEST, &all), "GetThreadListStackTraces")) return;
    if (all->frame_count != count || memcmp(all->frame_buffer, frames, (size_t)count * sizeof *frames) != 0)
        say("FAILED: GetThreadListStackTraces: %d frames, not %d", all->frame_count, count);
    release(all);
    for (jint first = 1; first < count; first++) {
        jint start = first % 2 ? first : first - count;
        if (ok((*jvmti)->GetStackTrace(jvmti, t, start, DEEPEST, oldest, &n), "GetStackTrace") &&
            (n != count - first || memcmp(oldest, frames + first, (size_t)n * sizeof *frames) != 0))
            say("FAILED: GetStackTrace from %d: %d frames of %d", start, n, count);
    }
}

TOOL(void, trace, jthread t) {
    jvmtiFrameInfo frames[DEEPEST];
    jint count = 0, all = 0;
    char text[2000] = "", name[60], place[100];
    int in_library = 0;
    (void)jni, (void)c;
    ok((*jvmti)->GetStackTrace(jvmti, t, 0, DEEPEST, frames, &count), "GetStackTrace");
    ok((*jvmti)->GetFrameCount(jvmti, t, &all), "GetFrameCount");
    if (count != all) say("FAILED: %d frames of %d", count, all);
    check_trace(t, frames, count);
    note_kinds("trace", ALL, NULL);
    for (jint i = 0; i < count; i++) {
        jmethodID m;
        jlocation at;
        jboolean obsolete = JNI_FALSE;
        size_t used = strlen(text);
        if (ok((*jvmti)->GetFrameLocation(jvmti, t, i, &m, &at), "GetFrameLocation") &&
            (m != frames[i].method || at != frames[i].location))
            say("FAILED: GetFrameLocation of %d: %ld, and %ld in the trace", i, (long)at, (long)frames[i].location);
        ok((*jvmti)->IsMethodObsolete(jvmti, m, &obsolete), "IsMethodObsolete");
        if (ours(m, name, sizeof name))
            snprintf(text + used, sizeof text - used, "; %s%s", place_text(m, at, place, sizeof place),
                     obsolete ? " (obsolete)" : "");
        else if (!in_library) snprintf(text + used, sizeof text - used, "; library");
        in_library = strcmp(name, "library") == 0;
    }
    say("  frames: %s", text + 2);
}

static void print_monitors(JNIEnv *jni, jthread t) {
    jvmtiMonitorStackDepthInfo *list;
    jint count;
    jobject contended = NULL;
    char name[100], type[100];
    if (!ok((*jvmti)->GetOwnedMonitorStackDepthInfo(jvmti, t, &count, &list), "GetOwnedMonitorStackDepthInfo")) return;
    for (jint depth = 0; depth < DEEPEST; depth++) {
        for (jint i = 0; i < count; i++) {
            jmethodID m;
            jlocation at;
            if (list[i].stack_depth != depth ||
                !ok((*jvmti)->GetFrameLocation(jvmti, t, depth, &m, &at), "GetFrameLocation")) continue;
            note_kinds("owned monitor", depth, NULL);
            say("  owns %s in %s", object_text(jni, list[i].monitor, type, sizeof type),
                place_text(m, at, name, sizeof name));
        }
    }
    release(list);
    ok((*jvmti)->GetCurrentContendedMonitor(jvmti, t, &contended), "GetCurrentContendedMonitor");
    say("  waits for %s", object_text(jni, contended, type, sizeof type));
}

TOOL(void, monitors, jthread t) { (void)c, print_monitors(jni, t); }

static jvmtiError get_local(jthread t, jint depth, jint slot, char type, jvalue *v) {
    jint i = 0;
    v->j = 0;
    switch (type) {
    case 'J': return (*jvmti)->GetLocalLong(jvmti, t, depth, slot, &v->j);
    case 'F': return (*jvmti)->GetLocalFloat(jvmti, t, depth, slot, &v->f);
    case 'D': return (*jvmti)->GetLocalDouble(jvmti, t, depth, slot, &v->d);
    case 'L': case '[': return (*jvmti)->GetLocalObject(jvmti, t, depth, slot, &v->l);
    default: break;
    }
    jvmtiError err = (*jvmti)->GetLocalInt(jvmti, t, depth, slot, &i);
    switch (type) {
    case 'Z': v->z = i != 0; break;
    case 'B': v->b = (jbyte)i; break;
    case 'C': v->c = (jchar)i; break;
    case 'S': v->s = (jshort)i; break;
    default: v->i = i; break;
    }
    return err;
}

/* Values that no method comes to by itself. */
static jvmtiError set_local(JNIEnv *jni, jthread t, jint depth, jint slot, char type) {
    switch (type) {
    case 'J': return (*jvmti)->SetLocalLong(jvmti, t, depth, slot, (1L << 40) + slot);
    case 'F': return (*jvmti)->SetLocalFloat(jvmti, t, depth, slot, 1000.5f + (float)slot);
    case 'D': return (*jvmti)->SetLocalDouble(jvmti, t, depth, slot, 2000.25 + slot);
    case 'L': return (*jvmti)->SetLocalObject(jvmti, t, depth, slot, (*jni)->NewStringUTF(jni, "changed"));
    case 'Z': return (*jvmti)->SetLocalInt(jvmti, t, depth, slot, 0);
    default: return (*jvmti)->SetLocalInt(jvmti, t, depth, slot, 100 + slot);
    }
}

/* Prints, or changes, the frame's variables that are in scope; arrays and parameters of the program's types stay. */
static void variables(JNIEnv *jni, jthread t, struct place frame, int change) {
    jint count = 0;
    jvmtiLocalVariableEntry *table;
    char text[600], value[100], name[60];
    ours(frame.method, name, sizeof name);
    snprintf(text, sizeof text, "  %s in %s:", change ? "changed" : "variables", name);
    if (!ok((*jvmti)->GetLocalVariableTable(jvmti, frame.method, &count, &table), "GetLocalVariableTable")) return;
    note_kinds(change ? "SetLocal" : "GetLocal", frame.depth, NULL);
    for (jint slot = 0; slot < DEEPEST; slot++) {
        for (jint i = 0; i < count; i++) {
            jvmtiLocalVariableEntry *v = &table[i];
            jvalue is;
            char type = v->signature[0];
            size_t used = strlen(text);
            if (v->slot != slot || frame.at < v->start_location || frame.at >= v->start_location + v->length) continue;
            int settable = type != '[' && (type != 'L' || strcmp(v->signature, "Ljava/lang/String;") == 0 ||
                                           strcmp(v->signature, "Ljava/lang/Object;") == 0);
            if (change && !settable) continue;
            jvmtiError err = change ? set_local(jni, t, frame.depth, slot, type) : JVMTI_ERROR_NONE;
            if (!err) err = get_local(t, frame.depth, slot, type, &is);
            snprintf(text + used, sizeof text - used, " %s=%s", v->name,
                     err ? error_text(err) : value_text(jni, type, is, value, sizeof value));
        }
    }
    for (jint i = 0; i < count; i++) {
        release(table[i].name);
        release(table[i].signature);
        release(table[i].generic_signature);
    }
    release(table);
    say("%s", text);
}

TOOL(void, locals, jthread t, jstring method, jint nth, jboolean change) {
    struct place frame;
    (void)c;
    if (find(jni, t, method, nth, &frame)) variables(jni, t, frame, change);
}

TOOL(void, receiver, jthread t, jstring method, jint nth) {
    struct place frame;
    jobject o = NULL;
    char type[100];
    (void)c;
    if (!find(jni, t, method, nth, &frame)) return;
    note_kinds("GetLocalInstance", frame.depth, NULL);
    jvmtiError err = (*jvmti)->GetLocalInstance(jvmti, t, frame.depth, &o);
    say("  receiver: %s", err ? error_text(err) : object_text(jni, o, type, sizeof type));
}

/* ---- what frames keep alive -------------------------------------------------------------------------------------- */

struct roots {
    struct place frames[DEEPEST];
    jint count;
};

static jint JNICALL on_root(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                            jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                            void *roots) {
    struct roots *r = roots;
    (void)class_tag, (void)referrer_class_tag, (void)size, (void)referrer_tag, (void)length;
    if (kind != JVMTI_HEAP_REFERENCE_STACK_LOCAL || *tag == 0) return 0;
    const jvmtiHeapReferenceInfoStackLocal *local = &info->stack_local;
    /* a variable's slot, by its tag; what lies on operand stacks has other slots */
    if (local->slot != (*tag - 1) % DEEPEST || local->depth != (*tag - 1) / DEEPEST || r->count == DEEPEST) return 0;
    r->frames[r->count++] = (struct place){local->depth, local->method, local->location};
    return 0;
}

/* Prints in whose frames variables are roots: once for each object, by the youngest of `methods` that has it. */
TOOL(void, roots, jthread t, jobjectArray methods) {
    struct roots roots = {.count = 0};
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_root};
    char text[1000] = "";
    jobject tagged[DEEPEST];
    jint count = 0;
    (void)c;
    for (jsize i = (*jni)->GetArrayLength(jni, methods) - 1; i >= 0; i--) {
        struct place frame;
        if (!find(jni, t, (*jni)->GetObjectArrayElement(jni, methods, i), 0, &frame)) return;
        for (jint slot = 0; slot < 8; slot++) {
            jobject o = NULL;
            jlong tag = 0;
            if ((*jvmti)->GetLocalObject(jvmti, t, frame.depth, slot, &o) != JVMTI_ERROR_NONE || o == NULL) continue;
            ok((*jvmti)->GetTag(jvmti, o, &tag), "GetTag");
            if (tag != 0 || count == DEEPEST) continue;
            ok((*jvmti)->SetTag(jvmti, o, frame.depth * DEEPEST + slot + 1), "SetTag");
            tagged[count++] = o;
        }
    }
    ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &roots), "FollowReferences");
    for (jint i = 0; i < roots.count; i++) {
        char name[100];
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s,",
                 place_text(roots.frames[i].method, roots.frames[i].at, name, sizeof name));
    }
    while (count > 0) ok((*jvmti)->SetTag(jvmti, tagged[--count], 0), "SetTag");
    say("  roots:%s", text);
}

/* ---- control ----------------------------------------------------------------------------------------------------- */

TOOL(void, suspend, jthread t) {
    (void)jni, (void)c;
    ok((*jvmti)->SuspendThread(jvmti, t), "SuspendThread");
    note_kinds("suspended", ALL, NULL);
}

TOOL(void, resume, jthread t) { (void)jni, (void)c, ok((*jvmti)->ResumeThread(jvmti, t), "ResumeThread"); }

TOOL(void, stop, jthread t, jobject e) {
    (void)jni, (void)c;
    note_kinds("StopThread", ALL, NULL);
    say("  StopThread: %s", error_text((*jvmti)->StopThread(jvmti, t, e)));
}

static void pop_frame(jthread t) {
    note_kinds("PopFrame", 0, NULL);
    note_kinds("PopFrame, caller", 1, NULL);
    say("  PopFrame: %s", error_text((*jvmti)->PopFrame(jvmti, t)));
}

TOOL(void, pop, jthread t) { (void)jni, (void)c, pop_frame(t); }

static jvmtiError early_return(JNIEnv *jni, jthread t, jmethodID m) {
    switch (return_type(m)) {
    case 'V': return (*jvmti)->ForceEarlyReturnVoid(jvmti, t);
    case 'J': return (*jvmti)->ForceEarlyReturnLong(jvmti, t, 1L << 33);
    case 'F': return (*jvmti)->ForceEarlyReturnFloat(jvmti, t, 64.5f);
    case 'D': return (*jvmti)->ForceEarlyReturnDouble(jvmti, t, 128.75);
    case 'L': return (*jvmti)->ForceEarlyReturnObject(jvmti, t, (*jni)->NewStringUTF(jni, "forced"));
    case 'Z': return (*jvmti)->ForceEarlyReturnInt(jvmti, t, 0);
    default: return (*jvmti)->ForceEarlyReturnInt(jvmti, t, 77);
    }
}

/* Out of the youngest frame. */
static void force_return(JNIEnv *jni, jthread t) {
    jmethodID m;
    jlocation at;
    if (!ok((*jvmti)->GetFrameLocation(jvmti, t, 0, &m, &at), "GetFrameLocation")) return;
    note_kinds("ForceEarlyReturn", 0, NULL);
    note_kinds("ForceEarlyReturn, caller", 1, NULL);
    say("  ForceEarlyReturn: %s", error_text(early_return(jni, t, m)));
}

TOOL(void, forceReturn, jthread t) { (void)c, force_return(jni, t); }

TOOL(void, notifyPop, jthread t, jstring method, jint nth) {
    struct place frame;
    (void)c;
    if (!find(jni, t, method, nth, &frame)) return;
    note_kinds("NotifyFramePop", frame.depth, NULL);
    jvmtiError err = (*jvmti)->NotifyFramePop(jvmti, t, frame.depth);
    if (err) say("  NotifyFramePop: %s", error_text(err));
}

TOOL(void, clearPops, jthread t) {
    (void)jni, (void)c, ok((*jvmti)->ClearAllFramePops(jvmti, t), "ClearAllFramePops");
}

TOOL(void, event, jint event, jboolean on, jthread t) {
    (void)jni, (void)c;
    if (event == JVMTI_EVENT_SINGLE_STEP) note_kinds("steps enabled", ALL, NULL);
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, t),
       "SetEventNotificationMode");
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

static struct point {
    jmethodID method;
    jlocation at;
    int hits;                            /* that are left; it is cleared with the last */
    char action[20];                     /* what is done then */
} points[POINTS];

/* As CompiledFrames.breakpoint has them: places in the method of a frame. */
enum { AT_ENTRY, AT_CALL, BEHIND_CALL };

TOOL(void, breakpoint, jthread t, jstring method, jint nth, jint where, jint hits, jstring action) {
    struct place frame;
    jint length;
    unsigned char *code;
    (void)c;
    if (!find(jni, t, method, nth, &frame)) return;
    if (!ok((*jvmti)->GetBytecodes(jvmti, frame.method, &length, &code), "GetBytecodes")) return;
    int is_long = code[frame.at] == 0xb9 || code[frame.at] == 0xba;      /* invokeinterface, invokedynamic */
    jlocation at = where == AT_ENTRY ? 0 : where == AT_CALL ? frame.at : frame.at + (is_long ? 5 : 3);
    release(code);
    struct point *p = points;
    while (p->hits > 0) p++;
    *p = (struct point){frame.method, at, hits, ""};
    copy_text(jni, action, p->action, sizeof p->action);
    ok((*jvmti)->SetBreakpoint(jvmti, frame.method, at), "SetBreakpoint");
}

TOOL(void, clearBreakpoints) {
    (void)jni, (void)c;
    for (struct point *p = points; p < points + POINTS; p++) {
        if (p->hits == 0) continue;
        p->hits = 0;
        say("  not met");
        ok((*jvmti)->ClearBreakpoint(jvmti, p->method, p->at), "ClearBreakpoint");
    }
}

static void stop_itself(JNIEnv *jni, jthread t) {
    jclass c = (*jni)->FindClass(jni, "java/lang/IllegalStateException");
    jmethodID init = (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/String;)V");
    jobject e = (*jni)->NewObject(jni, c, init, (*jni)->NewStringUTF(jni, "itself"));
    note_kinds("StopThread of itself", 0, NULL);
    ok((*jvmti)->StopThread(jvmti, t, e), "StopThread of itself");
}

static jint owned(jthread t) {
    jint count = 0;
    jobject *list;
    if (ok((*jvmti)->GetOwnedMonitorInfo(jvmti, t, &count, &list), "GetOwnedMonitorInfo")) release(list);
    return count;
}

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    char here[100], caller[100];
    (void)env;
    note_kinds("breakpoint", 0, NULL);
    say("  breakpoint: %s, called from %s, %d monitors", place_text(m, at, here, sizeof here),
        caller_text(t, caller, sizeof caller), owned(t));
    struct point *p = points;
    while (p < points + POINTS && (p->hits == 0 || p->method != m || p->at != at)) p++;
    if (p == points + POINTS) { say("FAILED: not set"); return; }
    if (--p->hits > 0) return;
    ok((*jvmti)->ClearBreakpoint(jvmti, m, at), "ClearBreakpoint");
    if (strcmp(p->action, "return") == 0) force_return(jni, t);
    else if (strcmp(p->action, "pop") == 0) pop_frame(t);
    else if (strcmp(p->action, "stop") == 0) stop_itself(jni, t);
    else if (strcmp(p->action, "notify") == 0)
        say("  NotifyFramePop of the caller: %s", error_text((*jvmti)->NotifyFramePop(jvmti, t, 1)));
    else if (strcmp(p->action, "step") == 0)
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t), "steps");
    else if (strcmp(p->action, "variables") == 0) variables(jni, t, (struct place){0, m, at}, 1);
}

/* ---- other events ------------------------------------------------------------------------------------------------ */

static void on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    char name[60];
    (void)env, (void)jni, (void)t;
    /* HotSpot sends no step for the instruction at which a thread stood when stepping was enabled: it is in pass. */
    if (ours(m, name, sizeof name) && !varies(name) && strcmp(name, "pass") != 0 && strcmp(name, "note") != 0)
        note_kinds("step", 0, NULL), say("  step: %s at %ld", name, (long)at);
}

static void on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    char name[60], caller[100];
    (void)env, (void)jni;
    if (!ours(m, name, sizeof name)) return;
    note_kinds("entry", 0, NULL);
    say("  entry: %s, called from %s", name, caller_text(t, caller, sizeof caller));
}

static void on_method_exit(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception, jvalue v) {
    char name[60], caller[100], value[100];
    (void)env;
    if (!ours(m, name, sizeof name)) return;
    note_kinds("exit", 0, NULL);
    say("  exit: %s, %s, called from %s", name,
        by_exception ? "exception" : value_text(jni, return_type(m), v, value, sizeof value),
        caller_text(t, caller, sizeof caller));
}

static void on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    char name[60], caller[100];
    (void)env, (void)jni;
    ours(m, name, sizeof name);
    note_kinds("pop", 0, NULL);
    say("  pop: %s%s, called from %s", name, by_exception ? " by exception" : "",
        caller_text(t, caller, sizeof caller));
}

static void on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e,
                         jmethodID catcher, jlocation caught_at) {
    char name[60], from[100], to[100], type[100];
    (void)env, (void)t;
    if (!ours(m, name, sizeof name) && !ours(catcher, name, sizeof name)) return;
    note_kinds("exception", 0, NULL);
    say("  exception: %s in %s, caught in %s", object_text(jni, e, type, sizeof type),
        place_text(m, at, from, sizeof from), place_text(catcher, caught_at, to, sizeof to));
}

static void on_catch(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e) {
    char name[60], type[100];
    (void)env, (void)t;
    if (!ours(m, name, sizeof name)) return;
    note_kinds("catch", 0, NULL);
    say("  catch: %s in %s at %ld", object_text(jni, e, type, sizeof type), name, (long)at);
}

static void print_watched(const char *what, jmethodID m, jlocation at, jclass c, jfieldID f, const char *value) {
    char *name, here[100];
    if (!ok((*jvmti)->GetFieldName(jvmti, c, f, &name, NULL, NULL), "GetFieldName")) return;
    say("  %s: %s in %s%s", what, name, place_text(m, at, here, sizeof here), value);
    release(name);
}

static void on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                      jfieldID f) {
    (void)env, (void)jni, (void)t, (void)o;
    note_kinds("access", 0, NULL);
    print_watched("access", m, at, c, f, "");
}

static void on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                            jfieldID f, char type, jvalue v) {
    char value[100] = ", ", text[90];
    (void)env, (void)t, (void)o;
    note_kinds("modification", 0, NULL);
    snprintf(value, sizeof value, ", %s", value_text(jni, type, v, text, sizeof text));
    print_watched("modification", m, at, c, f, value);
}

TOOL(void, watch, jstring name, jstring desc, jboolean is_static, jboolean on) {
    char n[60], d[60];
    copy_text(jni, name, n, sizeof n);
    copy_text(jni, desc, d, sizeof d);
    jfieldID f = is_static ? (*jni)->GetStaticFieldID(jni, c, n, d) : (*jni)->GetFieldID(jni, c, n, d);
    ok(on ? (*jvmti)->SetFieldAccessWatch(jvmti, c, f) : (*jvmti)->ClearFieldAccessWatch(jvmti, c, f), "access watch");
    ok(on ? (*jvmti)->SetFieldModificationWatch(jvmti, c, f) : (*jvmti)->ClearFieldModificationWatch(jvmti, c, f),
       "modification watch");
}

TOOL(void, redefine, jclass old, jbyteArray bytes) {
    (void)c;
    jsize size = (*jni)->GetArrayLength(jni, bytes);
    jbyte *data = (*jni)->GetByteArrayElements(jni, bytes, NULL);
    jvmtiClassDefinition definition = {.klass = old, .class_byte_count = size, .class_bytes = (unsigned char *)data};
    note_kinds("RedefineClasses", ALL, old);
    say("  RedefineClasses: %s", error_text((*jvmti)->RedefineClasses(jvmti, 1, &definition)));
    (*jni)->ReleaseByteArrayElements(jni, bytes, data, JNI_ABORT);
}

TOOL(void, retransform, jclass changed) {
    (void)jni, (void)c;
    note_kinds("RetransformClasses", ALL, changed);
    say("  RetransformClasses: %s", error_text((*jvmti)->RetransformClasses(jvmti, 1, &changed)));
}

/* ---- frames of native methods ------------------------------------------------------------------------------------ */

/* Stands in the agent until release. StopThread interrupts HotSpot's RawMonitorWait. */
TOOL(void, hold) {
    (void)jni, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
    holding = 1;
    ok((*jvmti)->RawMonitorNotifyAll(jvmti, monitor), "RawMonitorNotifyAll");
    while (!let_go) (*jvmti)->RawMonitorWait(jvmti, monitor, 0);
    holding = 0;
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
}

TOOL(void, awaitHeld) {
    (void)jni, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
    while (!holding) ok((*jvmti)->RawMonitorWait(jvmti, monitor, 0), "RawMonitorWait");
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
}

TOOL(void, release, jboolean go) {
    (void)jni, (void)c;
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "RawMonitorEnter");
    let_go = go;
    ok((*jvmti)->RawMonitorNotifyAll(jvmti, monitor), "RawMonitorNotifyAll");
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "RawMonitorExit");
}

/* Calls back. */
TOOL(jint, through, jint i) {
    jmethodID m = (*jni)->GetStaticMethodID(jni, c, "seventh", "(I)B");
    return (*jni)->CallStaticByteMethod(jni, c, m, i);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    if (options != NULL && strncmp(options, "kinds=", 6) == 0) open_kinds(options + 6);
    jvmtiCapabilities capabilities = {
        .can_generate_breakpoint_events = 1, .can_generate_single_step_events = 1, .can_suspend = 1,
        .can_generate_field_modification_events = 1, .can_generate_field_access_events = 1,
        .can_access_local_variables = 1, .can_pop_frame = 1, .can_force_early_return = 1, .can_signal_thread = 1,
        .can_generate_frame_pop_events = 1, .can_generate_method_exit_events = 1,
        .can_generate_method_entry_events = 1, .can_generate_exception_events = 1, .can_get_bytecodes = 1,
        .can_get_owned_monitor_stack_depth_info = 1, .can_get_owned_monitor_info = 1, .can_tag_objects = 1,
         .can_get_current_contended_monitor = 1,
        .can_redefine_classes = 1, .can_retransform_classes = 1,
    };
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint, .SingleStep = on_step, .MethodEntry = on_method_entry,
                                     .MethodExit = on_method_exit, .FramePop = on_pop, .Exception = on_exception,
                                     .ExceptionCatch = on_catch, .FieldAccess = on_access,
                                     .FieldModification = on_modification};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->CreateRawMonitor(jvmti, "frames", &monitor), "CreateRawMonitor");
    enable(JVMTI_EVENT_BREAKPOINT);
    enable(JVMTI_EVENT_FIELD_ACCESS);
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    enable(JVMTI_EVENT_FRAME_POP);
    return JNI_OK;
}
