/* execution.c: execution control: breakpoints, steps, method events, frame pops, exceptions, watches, locals, forced
 * returns. Events are printed for methods of the classes Execution*; in callbacks the agent does what the program has
 * asked for. */
#include "agent_support.h"

static char action[64];                  /* what to do in the next Breakpoint callback, and then no more */
static long steps;

static int ours(jmethodID m, char *out, size_t size) {
    char *name = NULL, *desc = NULL, *signature = NULL;
    jclass c;
    if (m == NULL) { snprintf(out, size, "none"); return 1; }
    ok((*jvmti)->GetMethodDeclaringClass(jvmti, m, &c), "GetMethodDeclaringClass");
    ok((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL), "GetClassSignature");
    int yes = strncmp(signature, "LExecution", 10) == 0 || strcmp(signature, "Ljava/lang/Integer;") == 0;
    ok((*jvmti)->GetMethodName(jvmti, m, &name, &desc, NULL), "GetMethodName");
    if (yes && strcmp(name, "control") == 0) yes = 0;
    snprintf(out, size, "%.*s.%s%s", (int)strlen(signature) - 2, signature + 1, name, desc);
    release(name);
    release(desc);
    release(signature);
    return yes;
}

static const char *class_name_of(JNIEnv *jni, jobject o, char *out, size_t size) {
    if (o == NULL) return "null";
    return class_text((*jni)->GetObjectClass(jni, o), out, size);
}

/* The position of a thread's depth-0 frame, as the stack functions see it in a callback. */
static const char *top(jthread t, char *out, size_t size) {
    jmethodID m;
    jlocation at;
    char name[200];
    jvmtiError err = (*jvmti)->GetFrameLocation(jvmti, t, 0, &m, &at);
    if (err) return error_text(err);
    ours(m, name, sizeof name);
    snprintf(out, size, "%s:%ld", name, (long)at);
    return out;
}

/* ---- locals ------------------------------------------------------------------------------------------------------ */

/* Without a table (values 0) only the errors are looked at: what a slot holds in another type is the VM's business. */
static void print_locals(JNIEnv *jni, jthread t, int depth, int slots, int values) {
    const char *what = values ? "local" : "slot";
    for (int slot = -1; slot < slots; slot++) {
        jobject o = NULL;
        jint i = 0;
        jlong j = 0;
        jfloat f = 0;
        jdouble d = 0;
        char name[100];
        jvmtiError err = (*jvmti)->GetLocalObject(jvmti, t, depth, slot, &o);
        say("  %s %d object: %s %s", what, slot, error_text(err), err ? "" : class_name_of(jni, o, name, sizeof name));
        err = (*jvmti)->GetLocalInt(jvmti, t, depth, slot, &i);
        say("  %s %d int: %s %d", what, slot, error_text(err), err || !values ? 0 : i);
        err = (*jvmti)->GetLocalLong(jvmti, t, depth, slot, &j);
        say("  %s %d long: %s %ld", what, slot, error_text(err), err || !values ? 0 : (long)j);
        err = (*jvmti)->GetLocalFloat(jvmti, t, depth, slot, &f);
        say("  %s %d float: %s %g", what, slot, error_text(err), err || !values ? 0.0 : (double)f);
        err = (*jvmti)->GetLocalDouble(jvmti, t, depth, slot, &d);
        say("  %s %d double: %s %g", what, slot, error_text(err), err || !values ? 0.0 : d);
    }
    jobject self = NULL;
    char name[100];
    jvmtiError err = (*jvmti)->GetLocalInstance(jvmti, t, depth, &self);
    say("  this: %s %s", error_text(err), err ? "" : class_name_of(jni, self, name, sizeof name));
}

static void change_locals(JNIEnv *jni, jthread t, int depth, int table) {
    jstring s = (*jni)->NewStringUTF(jni, "changed");
    say("  set object: %s", error_text((*jvmti)->SetLocalObject(jvmti, t, depth, 1, s)));
    say("  set null: %s", error_text((*jvmti)->SetLocalObject(jvmti, t, depth, 1, NULL)));
    say("  set object again: %s", error_text((*jvmti)->SetLocalObject(jvmti, t, depth, 1, s)));
    if (table)
        say("  set wrong object: %s",
            error_text((*jvmti)->SetLocalObject(jvmti, t, depth, 1, (*jni)->FindClass(jni, "java/lang/Object"))));
    say("  set int: %s", error_text((*jvmti)->SetLocalInt(jvmti, t, depth, 2, 4711)));
    say("  set long: %s", error_text((*jvmti)->SetLocalLong(jvmti, t, depth, 3, 123456789012L)));
    say("  set float: %s", error_text((*jvmti)->SetLocalFloat(jvmti, t, depth, 5, 2.5f)));
    say("  set double: %s", error_text((*jvmti)->SetLocalDouble(jvmti, t, depth, 6, 6.25)));
    /* which changes nothing: the program prints the long and the double */
    say("  set int in a long: %s", error_text((*jvmti)->SetLocalInt(jvmti, t, depth, 3, 1)));
    say("  set float in a double: %s", error_text((*jvmti)->SetLocalFloat(jvmti, t, depth, 6, 1)));
    say("  set slot 99: %s", error_text((*jvmti)->SetLocalInt(jvmti, t, depth, 99, 1)));
    say("  set depth 999: %s", error_text((*jvmti)->SetLocalInt(jvmti, t, 999, 1, 1)));
    say("  set depth -1: %s", error_text((*jvmti)->SetLocalInt(jvmti, t, -1, 1, 1)));
}

/* What the caller's slots answer, one line for each. Stored is what is there already. */
static void print_scopes(jthread t) {
    jint which = 0;
    ok((*jvmti)->GetLocalInt(jvmti, t, 0, 0, &which), "which place");
    for (int slot = 0; slot < 7; slot++) {
        jobject o = NULL;
        jint i = 0;
        jlong j = 0;
        jfloat f = 0;
        jdouble d = 0;
        jvmtiError object = (*jvmti)->GetLocalObject(jvmti, t, 1, slot, &o);
        jvmtiError word = (*jvmti)->GetLocalInt(jvmti, t, 1, slot, &i);
        jvmtiError wide = (*jvmti)->GetLocalLong(jvmti, t, 1, slot, &j);
        say("  place %d slot %d: object %s, int %s, float %s", which, slot, error_text(object), error_text(word),
            error_text((*jvmti)->GetLocalFloat(jvmti, t, 1, slot, &f)));
        say("  place %d slot %d: long %s, double %s", which, slot, error_text(wide),
            error_text((*jvmti)->GetLocalDouble(jvmti, t, 1, slot, &d)));
        jvmtiError set = wide == JVMTI_ERROR_NONE ? (*jvmti)->SetLocalLong(jvmti, t, 1, slot, j)
                                                  : (*jvmti)->SetLocalInt(jvmti, t, 1, slot, i);
        say("  place %d slot %d: set object %s, set number %s", which, slot,
            error_text((*jvmti)->SetLocalObject(jvmti, t, 1, slot, o)), error_text(set));
    }
}

enum { RETURNED_TAG = 4242 };

static jint JNICALL root_of_returned(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                     jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                     void *kinds) {
    (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)length;
    if (*tag == RETURNED_TAG && referrer_tag == NULL) *(int *)kinds |= 1 << kind;
    return JVMTI_VISIT_OBJECTS;
}

/* An object that is only going to be returned: what has been asked of the thread is its one root. */
static void return_and_follow(JNIEnv *jni, jthread t) {
    jstring s = (*jni)->NewStringUTF(jni, "followed");
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = root_of_returned};
    int kinds = 0;
    ok((*jvmti)->SetTag(jvmti, s, RETURNED_TAG), "SetTag");
    say("  %s", error_text((*jvmti)->ForceEarlyReturnObject(jvmti, t, s)));
    (*jni)->DeleteLocalRef(jni, s);
    ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &kinds), "FollowReferences");
    say("  ours: the returned object is a root: %s", kinds == 1 << JVMTI_HEAP_REFERENCE_OTHER ? "other" : "no");
}

/* ---- what callbacks do ------------------------------------------------------------------------------------------- */

static void act(JNIEnv *jni, jthread t) {
    char todo[sizeof action];
    strcpy(todo, action);
    if (strcmp(todo, "scopes") == 0) {            /* at every place, not at the next alone */
        print_scopes(t);
        return;
    }
    action[0] = 0;
    if (!todo[0]) return;
    say(" action %s", todo);
    if (strcmp(todo, "locals") == 0) print_locals(jni, t, 0, 10, 1);
    else if (strcmp(todo, "slots") == 0) print_locals(jni, t, 0, 10, 0);
    else if (strcmp(todo, "change") == 0) change_locals(jni, t, 0, 1);
    else if (strcmp(todo, "change slots") == 0) change_locals(jni, t, 0, 0);
    else if (strcmp(todo, "pop") == 0) say("  PopFrame: %s", error_text((*jvmti)->PopFrame(jvmti, t)));
    else if (strcmp(todo, "notify") == 0)
        say("  NotifyFramePop: %s", error_text((*jvmti)->NotifyFramePop(jvmti, t, 0)));
    else if (strcmp(todo, "notify1") == 0)
        say("  NotifyFramePop: %s", error_text((*jvmti)->NotifyFramePop(jvmti, t, 1)));
    else if (strcmp(todo, "notify and pop") == 0) {
        say("  NotifyFramePop: %s", error_text((*jvmti)->NotifyFramePop(jvmti, t, 0)));
        say("  PopFrame: %s", error_text((*jvmti)->PopFrame(jvmti, t)));
    }
    else if (strcmp(todo, "notify and clear") == 0) {
        say("  NotifyFramePop: %s, %s", error_text((*jvmti)->NotifyFramePop(jvmti, t, 0)),
            error_text((*jvmti)->NotifyFramePop(jvmti, t, 1)));
        say("  ClearAllFramePops: %s", error_text((*jvmti)->ClearAllFramePops(jvmti, t)));
        say("  NotifyFramePop: %s", error_text((*jvmti)->NotifyFramePop(jvmti, t, 1)));
    } else if (strcmp(todo, "step") == 0)
        ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, t), "enable");
    else if (strcmp(todo, "return V") == 0) say("  %s", error_text((*jvmti)->ForceEarlyReturnVoid(jvmti, t)));
    else if (strcmp(todo, "return I") == 0) say("  %s", error_text((*jvmti)->ForceEarlyReturnInt(jvmti, t, 1)));
    else if (strcmp(todo, "return J") == 0) say("  %s", error_text((*jvmti)->ForceEarlyReturnLong(jvmti, t, 1L << 40)));
    else if (strcmp(todo, "return F") == 0) say("  %s", error_text((*jvmti)->ForceEarlyReturnFloat(jvmti, t, 1.5f)));
    else if (strcmp(todo, "return D") == 0) say("  %s", error_text((*jvmti)->ForceEarlyReturnDouble(jvmti, t, 1.25)));
    else if (strcmp(todo, "return L") == 0)
        say("  %s", error_text((*jvmti)->ForceEarlyReturnObject(jvmti, t, (*jni)->NewStringUTF(jni, "forced"))));
    else if (strcmp(todo, "return and follow") == 0) return_and_follow(jni, t);
    else if (strcmp(todo, "return null") == 0)
        say("  %s", error_text((*jvmti)->ForceEarlyReturnObject(jvmti, t, NULL)));
    else if (strcmp(todo, "return wrong") == 0) say("  %s", error_text((*jvmti)->ForceEarlyReturnObject(jvmti, t, t)));
    else say("FAILED unknown action");
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    char name[200];
    (void)env;
    if (!ours(m, name, sizeof name)) return;
    say("breakpoint %s at %ld", name, (long)at);
    act(jni, t);
}

static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    char name[200];
    (void)env, (void)jni, (void)t;
    steps++;
    if (ours(m, name, sizeof name) || strcmp(name, "java/lang/Object.<init>()V") == 0)
        say("step %s at %ld", name, (long)at);
}

static void JNICALL on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) {
    char name[200], place[300];
    (void)env, (void)jni;
    if (ours(m, name, sizeof name)) say("entry %s, top %s", name, top(t, place, sizeof place));
}

static void print_value(JNIEnv *jni, const char *desc, jvalue v) {
    char name[100];
    switch (desc[0]) {
    case 'V': say("  void"); break;
    case 'Z': say("  boolean %d", v.z); break;
    case 'B': say("  byte %d", v.b); break;
    case 'C': say("  char %d", v.c); break;
    case 'S': say("  short %d", v.s); break;
    case 'I': say("  int %d", v.i); break;
    case 'J': say("  long %ld", (long)v.j); break;
    case 'F': say("  float %g", (double)v.f); break;
    case 'D': say("  double %g", v.d); break;
    default: say("  object %s", class_name_of(jni, v.l, name, sizeof name)); break;
    }
}

static void JNICALL on_method_exit(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception,
                                   jvalue v) {
    char name[200], place[300];
    (void)env;
    if (!ours(m, name, sizeof name)) return;
    say("exit %s by exception %d, top %s", name, by_exception, top(t, place, sizeof place));
    if (!by_exception) print_value(jni, strchr(name, ')') + 1, v);
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    char name[200], place[300];
    (void)env, (void)jni;
    if (ours(m, name, sizeof name))
        say("frame pop %s by exception %d, top %s", name, by_exception, top(t, place, sizeof place));
}

static void JNICALL on_exception(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e,
                                 jmethodID catcher, jlocation catch_at) {
    char name[200], caught[200], type[100];
    (void)env, (void)t;
    int mine = ours(m, name, sizeof name), also = ours(catcher, caught, sizeof caught);
    class_name_of(jni, e, type, sizeof type);
    if (!mine && !(also && catcher)) return;
    if (mine)
        say("exception %s in %s at %ld, caught in %s at %ld", type, name, (long)at, caught,
            also ? (long)catch_at : -5L);
    else say("exception %s in %s, caught in %s at %ld", type, name, caught, (long)catch_at);
}

static void JNICALL on_catch(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jobject e) {
    char name[200], type[100];
    (void)env, (void)t;
    if (ours(m, name, sizeof name))
        say("catch %s in %s at %ld", class_name_of(jni, e, type, sizeof type), name, (long)at);
}

static void field_text(jclass c, jfieldID f, char *out, size_t size) {
    char *name, holder[100];
    ok((*jvmti)->GetFieldName(jvmti, c, f, &name, NULL, NULL), "GetFieldName");
    snprintf(out, size, "%s %s", class_text(c, holder, sizeof holder), name);
    release(name);
}

static void JNICALL on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                              jfieldID f) {
    char name[200], field[200], type[100];
    (void)env, (void)t;
    ours(m, name, sizeof name);
    field_text(c, f, field, sizeof field);
    say("access in %s at %ld of %s in %s", name, (long)at, field, class_name_of(jni, o, type, sizeof type));
}

static void JNICALL on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c,
                                    jobject o, jfieldID f, char type_char, jvalue v) {
    char name[200], field[200], type[100];
    (void)env, (void)t;
    ours(m, name, sizeof name);
    field_text(c, f, field, sizeof field);
    say("modification in %s at %ld of %s in %s, %c", name, (long)at, field, class_name_of(jni, o, type, sizeof type),
        type_char);
    print_value(jni, &type_char, v);
    /* The store has not happened yet. */
    if (type_char == 'J' && o != NULL) say("  still %ld", (long)(*jni)->GetLongField(jni, o, f));
}

/* ---- what the program asks for ----------------------------------------------------------------------------------- */

static jmethodID method(JNIEnv *jni, jclass c, jstring name, jstring desc) {
    const char *n = (*jni)->GetStringUTFChars(jni, name, NULL), *d = (*jni)->GetStringUTFChars(jni, desc, NULL);
    jmethodID m = (*jni)->GetStaticMethodID(jni, c, n, d);
    if (m == NULL) {
        (*jni)->ExceptionClear(jni);
        m = (*jni)->GetMethodID(jni, c, n, d);
    }
    (*jni)->ReleaseStringUTFChars(jni, name, n);
    (*jni)->ReleaseStringUTFChars(jni, desc, d);
    return m;
}

JNIEXPORT void JNICALL Java_ExecutionControl_breakpoint(JNIEnv *jni, jclass self, jboolean set, jclass c, jstring name,
                                                        jstring desc, jlong at) {
    (void)self;
    jmethodID m = method(jni, c, name, desc);
    jvmtiError err = set ? (*jvmti)->SetBreakpoint(jvmti, m, at) : (*jvmti)->ClearBreakpoint(jvmti, m, at);
    say("%s breakpoint at %ld: %s", set ? "set" : "clear", (long)at, error_text(err));
}

JNIEXPORT void JNICALL Java_ExecutionControl_event(JNIEnv *jni, jclass self, jint event, jboolean on, jthread t) {
    (void)jni, (void)self;
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, t),
       "SetEventNotificationMode");
}

JNIEXPORT void JNICALL Java_ExecutionControl_action(JNIEnv *jni, jclass self, jstring what) {
    (void)self;
    const char *w = (*jni)->GetStringUTFChars(jni, what, NULL);
    snprintf(action, sizeof action, "%s", w);
    (*jni)->ReleaseStringUTFChars(jni, what, w);
}

JNIEXPORT jlong JNICALL Java_ExecutionControl_steps(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    return steps;
}

static jfieldID field(JNIEnv *jni, jclass c, jstring name, jstring desc, jboolean is_static) {
    const char *n = (*jni)->GetStringUTFChars(jni, name, NULL), *d = (*jni)->GetStringUTFChars(jni, desc, NULL);
    jfieldID f = is_static ? (*jni)->GetStaticFieldID(jni, c, n, d) : (*jni)->GetFieldID(jni, c, n, d);
    (*jni)->ReleaseStringUTFChars(jni, name, n);
    (*jni)->ReleaseStringUTFChars(jni, desc, d);
    return f;
}

/* kind: 0 set access, 1 clear access, 2 set modification, 3 clear modification */
JNIEXPORT void JNICALL Java_ExecutionControl_watch(JNIEnv *jni, jclass self, jint kind, jclass c, jstring name,
                                                   jstring desc, jboolean is_static) {
    (void)self;
    jfieldID f = field(jni, c, name, desc, is_static);
    jvmtiError err = kind == 0   ? (*jvmti)->SetFieldAccessWatch(jvmti, c, f)
                     : kind == 1 ? (*jvmti)->ClearFieldAccessWatch(jvmti, c, f)
                     : kind == 2 ? (*jvmti)->SetFieldModificationWatch(jvmti, c, f)
                                 : (*jvmti)->ClearFieldModificationWatch(jvmti, c, f);
    if (err) say("watch %d: %s", kind, error_text(err));
}

/* Accesses by JNI: watched too. */
JNIEXPORT void JNICALL Java_ExecutionControl_touch(JNIEnv *jni, jclass self, jobject o) {
    (void)self;
    jclass c = (*jni)->GetObjectClass(jni, o);
    jfieldID i = (*jni)->GetFieldID(jni, c, "i", "I"), l = (*jni)->GetFieldID(jni, c, "s", "Ljava/lang/String;");
    jfieldID counter = (*jni)->GetStaticFieldID(jni, c, "counter", "J");
    (*jni)->SetIntField(jni, o, i, (*jni)->GetIntField(jni, o, i) + 1);
    (*jni)->SetObjectField(jni, o, l, (*jni)->GetObjectField(jni, o, l));
    (*jni)->SetStaticLongField(jni, c, counter, (*jni)->GetStaticLongField(jni, c, counter) + 1);
}

JNIEXPORT void JNICALL Java_ExecutionControl_errors(JNIEnv *jni, jclass self, jthread running) {
    (void)self;
    jobject o;
    jint i;
    say("native frame: %s", error_text((*jvmti)->GetLocalInt(jvmti, NULL, 0, 0, &i)));
    say("native receiver: %s", error_text((*jvmti)->GetLocalInstance(jvmti, NULL, 0, &o)));
    say("notify native: %s", error_text((*jvmti)->NotifyFramePop(jvmti, NULL, 0)));
    say("notify too deep: %s", error_text((*jvmti)->NotifyFramePop(jvmti, NULL, 1000)));
    say("notify depth -1: %s", error_text((*jvmti)->NotifyFramePop(jvmti, NULL, -1)));
    say("notify running: %s", error_text((*jvmti)->NotifyFramePop(jvmti, running, 0)));
    jthread me;
    ok((*jvmti)->GetCurrentThread(jvmti, &me), "GetCurrentThread");
    say("pop native: %s", error_text((*jvmti)->PopFrame(jvmti, me)));
    say("pop running: %s", error_text((*jvmti)->PopFrame(jvmti, running)));
    say("force native: %s", error_text((*jvmti)->ForceEarlyReturnVoid(jvmti, me)));
    say("force running: %s", error_text((*jvmti)->ForceEarlyReturnVoid(jvmti, running)));
    say("local too deep: %s", error_text((*jvmti)->GetLocalInt(jvmti, NULL, 1000, 0, &i)));
    say("local to NULL: %s", error_text((*jvmti)->GetLocalInt(jvmti, NULL, 0, 0, NULL)));
    (void)jni;
}

/* The tables of every method of a class. */
JNIEXPORT void JNICALL Java_ExecutionControl_tables(JNIEnv *jni, jclass self, jclass c) {
    (void)jni, (void)self;
    jint n;
    jmethodID *methods;
    if (!ok((*jvmti)->GetClassMethods(jvmti, c, &n, &methods), "GetClassMethods")) return;
    for (jint i = 0; i < n; i++) {
        char name[200];
        jint rows = 0;
        jvmtiLocalVariableEntry *table;
        jvmtiLineNumberEntry *lines;
        ours(methods[i], name, sizeof name);
        jvmtiError err = (*jvmti)->GetLocalVariableTable(jvmti, methods[i], &rows, &table);
        say("%s: variables %s %d", name, error_text(err), err ? 0 : rows);
        for (jint k = 0; !err && k < rows; k++) {
            say("  %ld+%d slot %d %s %s %s", (long)table[k].start_location, table[k].length, table[k].slot,
                table[k].name, table[k].signature, table[k].generic_signature ? table[k].generic_signature : "-");
            release(table[k].name);
            release(table[k].signature);
            release(table[k].generic_signature);
        }
        if (!err) release(table);
        err = (*jvmti)->GetLineNumberTable(jvmti, methods[i], &rows, &lines);
        say("%s: lines %s %d", name, error_text(err), err ? 0 : rows);
        if (!err) release(lines);
    }
    release(methods);
}

/* Throws out of a native method; clears an exception of a Java method that it calls. */
JNIEXPORT void JNICALL Java_Execution_throwNative(JNIEnv *jni, jclass self) {
    (void)self;
    (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), "native");
}

JNIEXPORT jint JNICALL Java_Execution_catchNative(JNIEnv *jni, jclass self) {
    jmethodID m = (*jni)->GetStaticMethodID(jni, self, "thrower", "(I)I");
    (*jni)->CallStaticIntMethod(jni, self, m, 1);
    int thrown = (*jni)->ExceptionCheck(jni);
    (*jni)->ExceptionClear(jni);
    return thrown;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_breakpoint_events = wanted.can_generate_single_step_events = wanted.can_access_local_variables =
        1;
    wanted.can_generate_method_entry_events = wanted.can_generate_method_exit_events =
        wanted.can_generate_frame_pop_events = 1;
    wanted.can_generate_exception_events = wanted.can_generate_field_access_events =
        wanted.can_generate_field_modification_events = 1;
    wanted.can_tag_objects = 1;
    wanted.can_pop_frame = wanted.can_force_early_return = wanted.can_get_line_numbers =
        wanted.can_maintain_original_method_order = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.Breakpoint = on_breakpoint;
    callbacks.SingleStep = on_step;
    callbacks.MethodEntry = on_method_entry;
    callbacks.MethodExit = on_method_exit;
    callbacks.FramePop = on_pop;
    callbacks.Exception = on_exception;
    callbacks.ExceptionCatch = on_catch;
    callbacks.FieldAccess = on_access;
    callbacks.FieldModification = on_modification;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    return JNI_OK;
}
