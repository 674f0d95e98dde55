/* event_stream.c: what tools are told of a program, as one number. Options: all|lasting[,file=<file>], where a line for
 * each event is written to.
 *
 * For each program that tests/generated/RunPrograms.java runs (EventStream) it draws, by the program's number, which
 * events it enables, for all threads or for the one that runs it, and whether from the beginning or from the second
 * round on, when the code has been compiled. What the events tell of the program's own methods goes into a checksum:
 * places, classes and names, values that are stored and returned; of some programs where the callers are by then, what
 * the local variables of the youngest frames have, and which frames have locked what. Watches are on all fields,
 * breakpoints on an instruction of every other method; "lasting" leaves these out, for the retransformation of a class
 * clears them.
 * Lambdas' constructors are run by the linkage of call sites, which a retransformed class does again: they do not
 * count. */
#include "agent_support.h"
#include "bytecode.h"

#include <stdbool.h>
#include <stdint.h>

enum kind {
    METHODS = 1, EXCEPTIONS = 2, ACCESSES = 4, MODIFICATIONS = 8, BREAKPOINTS = 16, POPS = 32, ALLOCATIONS = 64,
    STEPS = 128,
    FRAMES = 256, MONITORS = 512,                 /* events look at these, too                                      */
    ONE_THREAD = 1024,                            /* enabled for the program's thread                               */
    LATE = 2048                                   /* from the second round on                                       */
};
static const struct { int kind; jvmtiEvent event; } events[] = {
    {METHODS, JVMTI_EVENT_METHOD_ENTRY}, {METHODS, JVMTI_EVENT_METHOD_EXIT}, {EXCEPTIONS, JVMTI_EVENT_EXCEPTION},
    {EXCEPTIONS, JVMTI_EVENT_EXCEPTION_CATCH}, {ACCESSES, JVMTI_EVENT_FIELD_ACCESS},
    {MODIFICATIONS, JVMTI_EVENT_FIELD_MODIFICATION}, {BREAKPOINTS, JVMTI_EVENT_BREAKPOINT},
    {POPS, JVMTI_EVENT_FRAME_POP}, {ALLOCATIONS, JVMTI_EVENT_VM_OBJECT_ALLOC}, {STEPS, JVMTI_EVENT_SINGLE_STEP},
};
enum { EVENTS = sizeof events / sizeof events[0] };
enum { METHODS_MOST = 1 << 14, CLASSES_MOST = 1 << 8, FIELDS_MOST = 1 << 12, DEPTH_MOST = 256 };
enum { FRAMES_OF_LOCALS = 2 };
/* HotSpot's interpreter is slow with such an agent: of a program so many steps count, and so many stacks, of every so
 * many events. */
enum { STEPS_MOST = 20000, STACKS_MOST = 5000, EVENTS_OF_STACKS = 4 };

/* A method that an event has told of; text is empty unless it counts: the program's loader has defined its class.  */
struct method {
    jmethodID id;
    uint64_t hash;
    char returns;
    jint variable_count;
    jvmtiLocalVariableEntry *variables;           /* of methods whose class file names them                         */
    char text[200];
};

/* The program that runs; its thread alone uses it. */
static struct {
    int number;
    unsigned kinds;
    bool is_on;
    uint64_t sum;
    long count, entries, steps, stacks;
    struct { jmethodID method; jlocation at; bool again; } last_step;
    unsigned class_count;
    jclass classes[CLASSES_MOST];                 /* global references                                              */
    unsigned method_count;
    struct method methods[METHODS_MOST];          /* the libraries' too                                             */
    unsigned static_count;
    struct static_field { jfieldID id; uint64_t hash; } statics[FIELDS_MOST];
} program;
static __thread bool is_worker;
static FILE *lines;
static bool is_lasting;

/* ---- checksums --------------------------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t hash_of(const char *text) {
    uint64_t h = 14695981039346656037u;
    while (*text) h = (h ^ (unsigned char)*text++) * 1099511628211u;
    return h;
}

static void tell(const char *kind, const struct method *m, int64_t at, uint64_t what) {
    program.count++;
    program.sum = mixed(program.sum + mixed(hash_of(kind) + m->hash + mixed((uint64_t)at + mixed(what))));
    if (lines) fprintf(lines, "%d %s %s @%lld %llx\n", program.number, kind, m->text, (long long)at,
                       (unsigned long long)what);
}

#define LAMBDA "$$Lambda"

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* A hidden class's name ends in an address, and a lambda's in a number before that. */
static const char *stable_name(jclass c, char *out, size_t size) {
    class_text(c, out, size);
    char *lambda = strstr(out, LAMBDA), *address = strchr(out, '.');
    if (lambda) lambda[strlen(LAMBDA)] = 0;
    else if (address) *address = 0;
    return out;
}

static uint64_t class_hash(jclass c) {
    char name[200];
    return hash_of(stable_name(c, name, sizeof name));
}

static bool is_own_class(JNIEnv *jni, jclass c) {
    jobject loader;
    char name[200];
    if (!ok((*jvmti)->GetClassLoader(jvmti, c, &loader), "GetClassLoader") || loader == NULL) return false;
    return strcmp(class_text((*jni)->GetObjectClass(jni, loader), name, sizeof name), "LRunPrograms$Loader;") == 0;
}

static void look_up(JNIEnv *jni, jmethodID id, struct method *m) {
    jclass c;
    char *name, *signature, class[150];
    *m = (struct method){.id = id};
    if (!ok((*jvmti)->GetMethodDeclaringClass(jvmti, id, &c), "GetMethodDeclaringClass") || !is_own_class(jni, c) ||
        !ok((*jvmti)->GetMethodName(jvmti, id, &name, &signature, NULL), "GetMethodName")) return;
    bool makes_lambda = strstr(stable_name(c, class, sizeof class), LAMBDA) && strcmp(name, "<init>") == 0;
    if (!makes_lambda) snprintf(m->text, sizeof m->text, "%s.%s%s", class, name, signature);
    m->hash = hash_of(m->text);
    m->returns = strchr(signature, ')')[1];
    if (program.kinds & FRAMES) {
        jvmtiError err = (*jvmti)->GetLocalVariableTable(jvmti, id, &m->variable_count, &m->variables);
        if (err != JVMTI_ERROR_ABSENT_INFORMATION && err != JVMTI_ERROR_NATIVE_METHOD) ok(err, "GetLocalVariableTable");
    }
    release(name);
    release(signature);
}

/* NULL: it is not the program's. */
static const struct method *own(JNIEnv *jni, jmethodID id) {
    if (!is_worker || id == NULL) return NULL;
    size_t at = mixed((uint64_t)(uintptr_t)id) % METHODS_MOST;
    while (program.methods[at].id != NULL && program.methods[at].id != id) at = (at + 1) % METHODS_MOST;
    if (program.methods[at].id == NULL) {
        if (program.method_count == METHODS_MOST / 2) {
            say("FAILED: too many methods");
            return NULL;
        }
        program.method_count++;
        look_up(jni, id, &program.methods[at]);
    }
    return program.methods[at].text[0] ? &program.methods[at] : NULL;
}

/* Objects by whether there is one; a NaN is a NaN, and of a boolean HotSpot tells bits that the field does not get. */
static uint64_t value_of(char type, jvalue v) {
    switch (type) {
    case 'Z': return v.z & 1;
    case 'B': return (uint64_t)v.b;
    case 'C': return v.c;
    case 'S': return (uint64_t)v.s;
    case 'I': return (uint64_t)v.i;
    case 'J': return (uint64_t)v.j;
    case 'F': return v.f != v.f ? 1 : (uint64_t)v.i;
    case 'D': return v.d != v.d ? 1 : (uint64_t)v.j;
    case 'V': return 0;
    default: return v.l != NULL;
    }
}

/* ---- the stack --------------------------------------------------------------------------------------------------- */

static struct { jint count; jvmtiFrameInfo frames[DEPTH_MOST]; } stack;

static void take_stack(jthread thread) {
    stack.count = 0;
    ok((*jvmti)->GetStackTrace(jvmti, thread, 0, DEPTH_MOST, stack.frames, &stack.count), "GetStackTrace");
}

static uint64_t variable_value(JNIEnv *jni, jthread thread, jint depth, const jvmtiLocalVariableEntry *v) {
    jvalue value = {.j = 0};
    jvmtiError err;
    switch (v->signature[0]) {
    case 'J': err = (*jvmti)->GetLocalLong(jvmti, thread, depth, v->slot, &value.j); break;
    case 'F': err = (*jvmti)->GetLocalFloat(jvmti, thread, depth, v->slot, &value.f); break;
    case 'D': err = (*jvmti)->GetLocalDouble(jvmti, thread, depth, v->slot, &value.d); break;
    case 'L': case '[': err = (*jvmti)->GetLocalObject(jvmti, thread, depth, v->slot, &value.l); break;
    default: err = (*jvmti)->GetLocalInt(jvmti, thread, depth, v->slot, &value.i);
    }
    if (!ok(err, "GetLocal")) return 0;
    if (v->signature[0] != 'L' && v->signature[0] != '[') return value_of(v->signature[0], value);
    return value.l ? class_hash((*jni)->GetObjectClass(jni, value.l)) : 0;
}

/* What is in scope there. */
static void tell_variables(JNIEnv *jni, jthread thread, const struct method *m, jint depth) {
    jlocation at = stack.frames[depth].location;
    for (jint i = 0; i < m->variable_count; i++) {
        const jvmtiLocalVariableEntry *v = &m->variables[i];
        if (at >= v->start_location && at < v->start_location + v->length)
            tell(v->name, m, depth, variable_value(jni, thread, depth, v));
    }
}

/* Whatever order a frame's monitors have. */
static void tell_monitors(JNIEnv *jni, jthread thread) {
    jint count = 0;
    jvmtiMonitorStackDepthInfo *monitors = NULL;
    uint64_t sum = 0;
    if (!ok((*jvmti)->GetOwnedMonitorStackDepthInfo(jvmti, thread, &count, &monitors), "monitors")) return;
    for (jint i = 0; i < count; i++) {
        jint depth = monitors[i].stack_depth;
        const struct method *m = depth >= 0 && depth < stack.count ? own(jni, stack.frames[depth].method) : NULL;
        if (m != NULL) sum += mixed(m->hash + class_hash((*jni)->GetObjectClass(jni, monitors[i].monitor)));
    }
    release(monitors);
    static const struct method all = {.text = "(all)"};
    tell("monitors", &all, 0, sum);
}

/* HotSpot releases the monitor of a method that throws behind the events of its exit, but of one that returns before
 * them: false is for events of the former. */
static void tell_stack(JNIEnv *jni, jthread thread, bool with_monitors) {
    bool monitors = with_monitors && program.kinds & MONITORS;
    if (!(program.kinds & FRAMES) && !monitors) return;
    if (mixed((uint64_t)program.count) % EVENTS_OF_STACKS != 0 || program.stacks++ >= STACKS_MOST) return;
    take_stack(thread);
    for (jint depth = 0; depth < stack.count && program.kinds & FRAMES; depth++) {
        const struct method *m = own(jni, stack.frames[depth].method);
        if (m == NULL) continue;
        tell("frame", m, stack.frames[depth].location, 0);
        if (depth < FRAMES_OF_LOCALS) tell_variables(jni, thread, m, depth);
    }
    if (monitors) tell_monitors(jni, thread);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

#define UNUSED __attribute__((unused))
#define TOLD jvmtiEnv *env UNUSED, JNIEnv *jni, jthread thread UNUSED

static void JNICALL on_method_entry(TOLD, jmethodID method) {
    const struct method *m = own(jni, method);
    if (m == NULL) return;
    tell("entry", m, 0, 0);
    tell_stack(jni, thread, true);
    if (!(program.kinds & POPS) || mixed((uint64_t)program.entries++) % 4 != 0) return;
    jvmtiError err = (*jvmti)->NotifyFramePop(jvmti, thread, 0);
    if (err != JVMTI_ERROR_OPAQUE_FRAME) ok(err, "NotifyFramePop");
}

static void JNICALL on_method_exit(TOLD, jmethodID method, jboolean by_exception, jvalue value) {
    const struct method *m = own(jni, method);
    if (m == NULL) return;
    tell("exit", m, by_exception, by_exception ? 0 : value_of(m->returns, value));
    tell_stack(jni, thread, !by_exception);
}

static void JNICALL on_exception(TOLD, jmethodID method, jlocation at, jobject exception, jmethodID catcher,
                                 jlocation catch_at) {
    static const struct method other = {.text = "(another)"};
    const struct method *m = own(jni, method), *c = own(jni, catcher);
    uint64_t class = class_hash((*jni)->GetObjectClass(jni, exception));
    if (m == NULL && c == NULL) return;
    tell("exception", m ? m : &other, m ? at : 0, class);
    if (c) tell("caught by", c, catch_at, 0);
    else tell(catcher ? "caught by another" : "caught by none", &other, 0, 0);
    if (m) tell_stack(jni, thread, true);
}

static void JNICALL on_catch(TOLD, jmethodID method, jlocation at, jobject exception) {
    const struct method *m = own(jni, method);
    if (m == NULL) return;
    tell("catch", m, at, class_hash((*jni)->GetObjectClass(jni, exception)));
    tell_stack(jni, thread, true);
}

/* Its name, and its class's. */
static uint64_t field_hash(jclass holder, jfieldID field) {
    jclass declaring;
    char *name;
    if (!ok((*jvmti)->GetFieldDeclaringClass(jvmti, holder, field, &declaring), "GetFieldDeclaringClass") ||
        !ok((*jvmti)->GetFieldName(jvmti, declaring, field, &name, NULL, NULL), "GetFieldName")) return 0;
    uint64_t hash = hash_of(name) + class_hash(declaring);
    release(name);
    return hash;
}

/* HotSpot names the class by which a static field is reached, and then does not know the field. It also tells of a null
 * whose field is read, as if that were static, before the exception: false. */
static bool find_static(jfieldID field, uint64_t *hash) {
    for (unsigned i = 0; i < program.static_count; i++) {
        if (program.statics[i].id != field) continue;
        *hash = program.statics[i].hash;
        return true;
    }
    return false;
}

static void tell_field(JNIEnv *jni, jthread thread, const char *kind, const struct method *m, jlocation at,
                       jclass holder, jobject object, jfieldID field, uint64_t value) {
    uint64_t hash = 0;
    if (object) hash = field_hash(holder, field);
    else if (!find_static(field, &hash)) return;
    tell(kind, m, at, hash + (object != NULL) + mixed(value));
    tell_stack(jni, thread, true);
}

static void JNICALL on_access(TOLD, jmethodID method, jlocation at, jclass holder, jobject object, jfieldID field) {
    const struct method *m = own(jni, method);
    if (m != NULL) tell_field(jni, thread, "access", m, at, holder, object, field, 0);
}

static void JNICALL on_modification(TOLD, jmethodID method, jlocation at, jclass holder, jobject object,
                                    jfieldID field, char type, jvalue value) {
    const struct method *m = own(jni, method);
    if (m != NULL)
        tell_field(jni, thread, "modification", m, at, holder, object, field, value_of(type, value));
}

/* HotSpot sends no step at the place of the last one, though the method has been left and called anew between them, and
 * then no breakpoint there either. */
static bool is_step_again(jmethodID method, jlocation at) {
    return program.last_step.again && program.last_step.method == method && program.last_step.at == at;
}

static void note_step(jmethodID method, jlocation at) {
    program.last_step.again = program.last_step.method == method && program.last_step.at == at;
    program.last_step.method = method;
    program.last_step.at = at;
}

static void JNICALL on_breakpoint(TOLD, jmethodID method, jlocation at) {
    const struct method *m = own(jni, method);
    if (m == NULL || is_step_again(method, at)) return;
    tell("breakpoint", m, at, 0);
    tell_stack(jni, thread, true);
}

static void JNICALL on_step(TOLD, jmethodID method, jlocation at) {
    const struct method *m = own(jni, method);
    if (is_worker) note_step(method, at);
    if (m == NULL || is_step_again(method, at) || program.steps >= STEPS_MOST) return;
    program.steps++;
    tell("step", m, at, 0);
    tell_stack(jni, thread, true);
}

static void JNICALL on_pop(TOLD, jmethodID method, jboolean by_exception) {
    const struct method *m = own(jni, method);
    if (m == NULL) return;
    tell("pop", m, by_exception, 0);
    tell_stack(jni, thread, !by_exception);
}

/* HotSpot 17 tells nothing of a lambda's object. */
static void JNICALL on_alloc(TOLD, jobject object UNUSED, jclass c, jlong size UNUSED) {
    struct method m = {.returns = 0};
    if (!is_worker || !is_own_class(jni, c) || strstr(stable_name(c, m.text, sizeof m.text), LAMBDA)) return;
    m.hash = hash_of(m.text);
    tell("allocation", &m, 0, 0);
}

/* ---- what is watched --------------------------------------------------------------------------------------------- */

/* At one of its instructions, drawn by its name. */
static void set_breakpoint(JNIEnv *jni, jmethodID id) {
    const struct method *m = own(jni, id);
    unsigned char *code;
    jint size;
    if (m == NULL || m->hash % 2 != 0) return;
    jvmtiError err = (*jvmti)->GetBytecodes(jvmti, id, &size, &code);
    if (err == JVMTI_ERROR_NATIVE_METHOD) return;
    if (!ok(err, "GetBytecodes") || size == 0) return;
    jint wanted = (jint)(mixed(m->hash) % (uint64_t)size), at = 0;
    while (at + instruction_length(code, at) <= wanted) at += instruction_length(code, at);
    err = (*jvmti)->SetBreakpoint(jvmti, id, at);
    if (err != JVMTI_ERROR_DUPLICATE) ok(err, "SetBreakpoint");
    release(code);
}

static void note_if_static(jclass c, jfieldID field) {
    jint modifiers = 0;
    if (!ok((*jvmti)->GetFieldModifiers(jvmti, c, field, &modifiers), "GetFieldModifiers") || !(modifiers & 8)) return;
    if (program.static_count == FIELDS_MOST) say("FAILED: too many fields");
    else program.statics[program.static_count++] = (struct static_field){field, field_hash(c, field)};
}

static void watch_class(JNIEnv *jni, jclass c) {
    jint count;
    jfieldID *fields;
    jmethodID *methods;
    if (ok((*jvmti)->GetClassFields(jvmti, c, &count, &fields), "GetClassFields")) {
        for (jint i = 0; i < count; i++) {
            if (program.kinds & ACCESSES) ok((*jvmti)->SetFieldAccessWatch(jvmti, c, fields[i]), "access watch");
            if (program.kinds & MODIFICATIONS)
                ok((*jvmti)->SetFieldModificationWatch(jvmti, c, fields[i]), "modification watch");
            note_if_static(c, fields[i]);
        }
        release(fields);
    }
    if (!(program.kinds & BREAKPOINTS) || !ok((*jvmti)->GetClassMethods(jvmti, c, &count, &methods), "GetClassMethods"))
        return;
    for (jint i = 0; i < count; i++) set_breakpoint(jni, methods[i]);
    release(methods);
}

static void JNICALL on_prepare(TOLD, jclass c) {
    if (!is_worker || !is_own_class(jni, c)) return;
    if (program.class_count == CLASSES_MOST) {
        say("FAILED: too many classes");
        return;
    }
    program.classes[program.class_count++] = (*jni)->NewGlobalRef(jni, c);
    if (program.is_on) watch_class(jni, c);
}

static void switch_events(JNIEnv *jni, bool on) {
    jthread thread;
    ok((*jvmti)->GetCurrentThread(jvmti, &thread), "GetCurrentThread");
    program.is_on = on;
    for (unsigned i = 0; on && i < program.class_count; i++) watch_class(jni, program.classes[i]);
    for (size_t i = 0; i < EVENTS; i++)
        if (program.kinds & events[i].kind)
            ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, events[i].event,
               program.kinds & ONE_THREAD && events[i].kind != ALLOCATIONS ? thread : NULL), "events");
}

static unsigned draw_kinds(int number) {
    uint64_t drawn = mixed((uint64_t)number * 2 + 1);
    unsigned kinds = drawn & (ONE_THREAD * 4 - 1);
    if (kinds & POPS) kinds |= METHODS;
    if (is_lasting) kinds &= ~(unsigned)BREAKPOINTS;
    return drawn >> 20 & 3 ? kinds & ~(unsigned)STEPS : kinds;
}

JNIEXPORT void JNICALL Java_EventStream_beginProgram(JNIEnv *jni, jclass self UNUSED, jint number) {
    memset(&program, 0, sizeof program);
    program.number = number;
    program.kinds = draw_kinds(number);
    is_worker = true;
    if (!(program.kinds & LATE)) switch_events(jni, true);
}

JNIEXPORT void JNICALL Java_EventStream_beginRound(JNIEnv *jni, jclass self UNUSED, jint round) {
    if (program.kinds & LATE && round == 1) switch_events(jni, true);
}

static void release_variable(jvmtiLocalVariableEntry *v) {
    release(v->name);
    release(v->signature);
    release(v->generic_signature);
}

JNIEXPORT jstring JNICALL Java_EventStream_endProgram(JNIEnv *jni, jclass self UNUSED) {
    char text[64];
    if (program.is_on) switch_events(jni, false);
    is_worker = false;
    for (unsigned i = 0; i < program.class_count; i++) {
        jint count;
        jfieldID *fields;
        if (ok((*jvmti)->GetClassFields(jvmti, program.classes[i], &count, &fields), "GetClassFields")) {
            for (jint k = 0; k < count; k++) {
                (*jvmti)->ClearFieldAccessWatch(jvmti, program.classes[i], fields[k]);
                (*jvmti)->ClearFieldModificationWatch(jvmti, program.classes[i], fields[k]);
            }
            release(fields);
        }
        (*jni)->DeleteGlobalRef(jni, program.classes[i]);
    }
    for (size_t i = 0; i < METHODS_MOST; i++) {
        for (jint k = 0; k < program.methods[i].variable_count; k++) release_variable(&program.methods[i].variables[k]);
        release(program.methods[i].variables);
    }
    snprintf(text, sizeof text, "%ld events %llx", program.count, (unsigned long long)program.sum);
    return (*jni)->NewStringUTF(jni, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved UNUSED) {
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    is_lasting = options && strncmp(options, "lasting", 7) == 0;
    const char *file = options ? strstr(options, ",file=") : NULL;
    if (file && (lines = fopen(file + 6, "w")) == NULL) return JNI_ERR;
    jvmtiCapabilities needs = {
        .can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1, .can_generate_exception_events = 1,
        .can_generate_field_access_events = 1, .can_generate_field_modification_events = 1,
        .can_generate_breakpoint_events = 1, .can_generate_frame_pop_events = 1, .can_generate_single_step_events = 1,
        .can_generate_vm_object_alloc_events = 1, .can_get_bytecodes = 1, .can_access_local_variables = 1,
        .can_get_owned_monitor_stack_depth_info = 1,
    };
    jvmtiEventCallbacks callbacks = {
        .MethodEntry = on_method_entry, .MethodExit = on_method_exit,
        .Exception = on_exception, .ExceptionCatch = on_catch,
        .FieldAccess = on_access, .FieldModification = on_modification, .Breakpoint = on_breakpoint,
        .FramePop = on_pop, .SingleStep = on_step, .VMObjectAlloc = on_alloc, .ClassPrepare = on_prepare,
    };
    if (!ok((*jvmti)->AddCapabilities(jvmti, &needs), "AddCapabilities") ||
        !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks")) return JNI_ERR;
    enable(JVMTI_EVENT_CLASS_PREPARE);
    return JNI_OK;
}
