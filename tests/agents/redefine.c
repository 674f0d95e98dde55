/* redefine.c: natives that redefine, retransform and look at versions of methods; four environments that pass class
 * files on. */
#include "agent_support.h"

/* ---- the chain of ClassFileLoadHook: environments a and c cannot retransform, b and d can ------------------------ */

static jvmtiEnv *chain[4];
static const char letters[] = "abcd";

/* Replaces the first '.' behind "order:" by the environment's letter. */
static void JNICALL hook(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name, jobject domain,
                         jint length, const unsigned char *bytes, jint *new_length, unsigned char **new_bytes) {
    int me = 0;
    if (name == NULL || strncmp(name, "Chain", 5) != 0) return;
    while (chain[me] != env) me++;
    const unsigned char *at = NULL;
    for (jint i = 0; at == NULL && i + 10 < length; i++)
        if (memcmp(bytes + i, "order:", 6) == 0) at = bytes + i + 6;
    say("hook %c: %s redefined %s loader %s domain %s jni %s order %.4s", letters[me], name, redefined ? "yes" : "no",
        loader ? "yes" : "no", domain ? "yes" : "no", jni ? "yes" : "no", at ? (const char *)at : "-");
    if (at == NULL || strcmp(name, "ChainUntouched") == 0 || (strcmp(name, "ChainCapable") == 0 && me % 2 == 0)) return;
    if ((*env)->Allocate(env, length, new_bytes) != JVMTI_ERROR_NONE) return;
    memcpy(*new_bytes, bytes, (size_t)length);
    *new_length = length;
    unsigned char *dot = memchr(*new_bytes + (at - bytes), '.', 4);
    if (dot) *dot = (unsigned char)letters[me];
}

static void make_chain(void) {
    for (int i = 0; i < 4; i++) {
        if ((*the_vm)->GetEnv(the_vm, (void **)&chain[i], JVMTI_VERSION_1_2) != JNI_OK) return;
        jvmtiCapabilities c = {.can_generate_all_class_hook_events = 1, .can_retransform_classes = i % 2};
        ok((*chain[i])->AddCapabilities(chain[i], &c), "AddCapabilities");
        jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = hook};
        ok((*chain[i])->SetEventCallbacks(chain[i], &callbacks, sizeof callbacks), "SetEventCallbacks");
        ok((*chain[i])->SetEventNotificationMode(chain[i], JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL),
           "SetEventNotificationMode");
        jvmtiCapabilities late = {.can_retransform_classes = 1};
        say("environment %c: retransformation afterwards: %s", letters[i],
            error_text((*chain[i])->AddCapabilities(chain[i], &late)));
    }
}

/* ---- what the program calls -------------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_Redefine_chain(JNIEnv *jni, jclass c, jboolean on) {
    (void)jni, (void)c;
    if (on && chain[0] == NULL) make_chain();
    for (int i = 0; !on && i < 4; i++)
        (*chain[i])->SetEventNotificationMode(chain[i], JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
}

JNIEXPORT jstring JNICALL Java_Redefine_redefine(JNIEnv *jni, jclass c, jobjectArray classes, jobjectArray files) {
    (void)c;
    jsize n = classes ? (*jni)->GetArrayLength(jni, classes) : 1;
    jvmtiClassDefinition set[8];
    memset(set, 0, sizeof set);
    for (jsize i = 0; classes && i < n; i++) {
        jbyteArray file = (*jni)->GetObjectArrayElement(jni, files, i);
        set[i].klass = (*jni)->GetObjectArrayElement(jni, classes, i);
        set[i].class_byte_count = file ? (*jni)->GetArrayLength(jni, file) : 10;
        set[i].class_bytes = file ? (unsigned char *)(*jni)->GetByteArrayElements(jni, file, NULL) : NULL;
    }
    jvmtiError err = classes ? (*jvmti)->RedefineClasses(jvmti, n, set) : (*jvmti)->RedefineClasses(jvmti, -1, set);
    jvmtiError nothing = (*jvmti)->RedefineClasses(jvmti, 0, set), null = (*jvmti)->RedefineClasses(jvmti, 1, NULL);
    if (nothing != JVMTI_ERROR_NONE || null != JVMTI_ERROR_NULL_POINTER)
        say("FAILED: no classes %d, null %d", (int)nothing, (int)null);
    return (*jni)->NewStringUTF(jni, error_text(err));
}

JNIEXPORT jstring JNICALL Java_Redefine_retransform(JNIEnv *jni, jclass c, jobjectArray classes) {
    (void)c;
    jclass list[8];
    jsize n = (*jni)->GetArrayLength(jni, classes);
    for (jsize i = 0; i < n; i++) list[i] = (*jni)->GetObjectArrayElement(jni, classes, i);
    return (*jni)->NewStringUTF(jni, error_text((*jvmti)->RetransformClasses(jvmti, n, list)));
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    char *name = NULL;
    jboolean obsolete = JNI_FALSE;
    (void)env, (void)jni, (void)t;
    ok((*jvmti)->GetMethodName(jvmti, m, &name, NULL, NULL), "GetMethodName");
    ok((*jvmti)->IsMethodObsolete(jvmti, m, &obsolete), "IsMethodObsolete");
    say("breakpoint in %s at %d, obsolete %d", name, (int)at, obsolete);
    release(name);
}

JNIEXPORT void JNICALL Java_Redefine_stopAtEnd(JNIEnv *jni, jclass c, jclass k, jstring name, jstring desc,
                                               jboolean on) {
    (void)c;
    const char *n = (*jni)->GetStringUTFChars(jni, name, NULL), *d = (*jni)->GetStringUTFChars(jni, desc, NULL);
    jmethodID m = (*jni)->GetMethodID(jni, k, n, d);
    jlocation start, end;
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint};
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL),
       "SetEventNotificationMode");
    ok((*jvmti)->GetMethodLocation(jvmti, m, &start, &end), "GetMethodLocation");
    if (on) ok((*jvmti)->SetBreakpoint(jvmti, m, end), "SetBreakpoint");
    else ok((*jvmti)->ClearBreakpoint(jvmti, m, end), "ClearBreakpoint");
    (*jni)->ReleaseStringUTFChars(jni, name, n);
    (*jni)->ReleaseStringUTFChars(jni, desc, d);
}

static unsigned char *substitute;
static jint substitute_length;

static void JNICALL on_class_file(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
    (void)jni, (void)loader, (void)name, (void)domain, (void)length, (void)bytes;
    if (redefined == NULL || substitute == NULL ||
        (*env)->Allocate(env, substitute_length, new_bytes) != JVMTI_ERROR_NONE)
        return;
    memcpy(*new_bytes, substitute, (size_t)substitute_length);
    *new_length = substitute_length;
}

JNIEXPORT void JNICALL Java_Redefine_substitute(JNIEnv *jni, jclass c, jbyteArray file) {
    jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = file ? on_class_file : NULL};
    (void)c;
    free(substitute);
    substitute_length = file ? (*jni)->GetArrayLength(jni, file) : 0;
    substitute = file ? malloc((size_t)substitute_length) : NULL;
    if (file) (*jni)->GetByteArrayRegion(jni, file, 0, substitute_length, (jbyte *)substitute);
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    ok((*jvmti)->SetEventNotificationMode(jvmti, file ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                          NULL),
       "SetEventNotificationMode");
}

JNIEXPORT jboolean JNICALL Java_Redefine_modifiable(JNIEnv *jni, jclass c, jclass k) {
    (void)jni, (void)c;
    jboolean yes = JNI_FALSE;
    ok((*jvmti)->IsModifiableClass(jvmti, k, &yes), "IsModifiableClass");
    return yes;
}

/* ---- versions of methods ----------------------------------------------------------------------------------------- */

static unsigned u2(const unsigned char *p) { return (unsigned)p[0] << 8 | p[1]; }

/* Offset of a constant pool entry in the raw pool; -1: there is none. */
static long entry_of(const unsigned char *pool, unsigned count, unsigned index) {
    long at = 0;
    for (unsigned i = 1; i < count; i++) {
        if (i == index) return at;
        switch (pool[at]) {
        case 1: at += 3 + (long)u2(pool + at + 1); break;
        case 5: case 6: at += 9; i++; break;
        case 7: case 8: case 16: case 19: case 20: at += 3; break;
        case 15: at += 4; break;
        default: at += 5;
        }
    }
    return -1;
}

/* The string that the first ldc of the code loads, read through the class's constant pool. */
static void print_first_string(jclass holder, const unsigned char *code, jint size) {
    jint count, bytes;
    unsigned char *pool;
    if (size < 2 || code[0] != 0x12 ||
        !ok((*jvmti)->GetConstantPool(jvmti, holder, &count, &bytes, &pool), "GetConstantPool"))
        return;
    long at = entry_of(pool, (unsigned)count, code[1]);
    long text = at >= 0 && pool[at] == 8 ? entry_of(pool, (unsigned)count, u2(pool + at + 1)) : -1;
    if (text >= 0) say("  loads \"%.*s\"", (int)u2(pool + text + 1), (const char *)pool + text + 3);
    else say("  loads no string");
    release(pool);
}

static void print_method(jmethodID m, int with_string) {
    char *name = NULL, *signature = NULL, holder_text[200];
    jclass holder;
    jboolean obsolete = JNI_FALSE;
    jlocation start, end;
    jint size, lines, locals;
    unsigned char *code;
    jvmtiLineNumberEntry *table;
    if (!ok((*jvmti)->GetMethodName(jvmti, m, &name, &signature, NULL), "GetMethodName")) return;
    ok((*jvmti)->IsMethodObsolete(jvmti, m, &obsolete), "IsMethodObsolete");
    ok((*jvmti)->GetMethodDeclaringClass(jvmti, m, &holder), "GetMethodDeclaringClass");
    ok((*jvmti)->GetMethodLocation(jvmti, m, &start, &end), "GetMethodLocation");
    ok((*jvmti)->GetMaxLocals(jvmti, m, &locals), "GetMaxLocals");
    say("method %s.%s%s obsolete %d ends at %d locals %d", class_text(holder, holder_text, sizeof holder_text), name,
        signature, obsolete, (int)end, locals);
    release(name);
    release(signature);
    if (ok((*jvmti)->GetBytecodes(jvmti, m, &size, &code), "GetBytecodes")) {
        say("  %d bytes, the first %02x", size, code[0]);
        if (with_string) print_first_string(holder, code, size);
        release(code);
    }
    if (ok((*jvmti)->GetLineNumberTable(jvmti, m, &lines, &table), "GetLineNumberTable")) {
        say("  first line %d", table[0].line_number);
        release(table);
    }
}

static jmethodID kept;

/* Prints a method found by name; remembers its id and says whether it is the one of the time before. */
JNIEXPORT void JNICALL Java_Redefine_describe(JNIEnv *jni, jclass c, jclass k, jstring name, jstring desc) {
    (void)c;
    const char *n = (*jni)->GetStringUTFChars(jni, name, NULL), *d = (*jni)->GetStringUTFChars(jni, desc, NULL);
    jmethodID m = (*jni)->GetMethodID(jni, k, n, d);
    if (kept) say("the id is %s", kept == m ? "the same" : "another");
    kept = m;
    print_method(m, 1);
    (*jni)->ReleaseStringUTFChars(jni, name, n);
    (*jni)->ReleaseStringUTFChars(jni, desc, d);
}

/* The local variables as the version that the id means has them. */
static void print_variables(jmethodID m) {
    jint count = 0;
    jvmtiLocalVariableEntry *table = NULL;
    jvmtiError err = (*jvmti)->GetLocalVariableTable(jvmti, m, &count, &table);
    say("  variables: %s", error_text(err));
    for (jint i = 0; err == JVMTI_ERROR_NONE && i < count; i++) {
        say("    slot %d from %d: %s %s", table[i].slot, (int)table[i].start_location, table[i].name,
            table[i].signature);
        release(table[i].name);
        release(table[i].signature);
        release(table[i].generic_signature);
    }
    if (err == JVMTI_ERROR_NONE) release(table);
}

/* ---- the frames' methods as the heap functions see them ---------------------------------------------------------- */

enum { DEEPEST = 32, THREAD_TAG = 4242 };
struct frame_roots {
    const jvmtiFrameInfo *frames;
    jint count;
    int same[DEEPEST], other[DEEPEST];
};

static void look_at_root(struct frame_roots *r, jlong thread_tag, jint depth, jmethodID m) {
    if (thread_tag != THREAD_TAG || depth < 0 || depth >= r->count) return;
    *(m == r->frames[depth].method ? &r->same[depth] : &r->other[depth]) += 1;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                 void *data) {
    (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag, (void)referrer_tag, (void)length;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL)
        look_at_root(data, info->stack_local.thread_tag, info->stack_local.depth, info->stack_local.method);
    return 0;
}

static jvmtiIterationControl JNICALL on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
                                              jlong thread_tag, jint depth, jmethodID m, jint slot, void *data) {
    (void)class_tag, (void)size, (void)tag, (void)slot;
    if (kind == JVMTI_HEAP_ROOT_STACK_LOCAL) look_at_root(data, thread_tag, depth, m);
    return JVMTI_ITERATION_IGNORE;
}

static void find_roots(struct frame_roots *followed, struct frame_roots *iterated) {
    jthread self = NULL;
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_reference};
    ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread");
    ok((*jvmti)->SetTag(jvmti, self, THREAD_TAG), "SetTag");
    ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, followed), "FollowReferences");
    ok((*jvmti)->IterateOverReachableObjects(jvmti, NULL, on_stack, NULL, iterated), "IterateOverReachableObjects");
    ok((*jvmti)->SetTag(jvmti, self, 0), "SetTag");
}

static const char *roots_text(const struct frame_roots *r, jint depth) {
    return r->other[depth] ? "another method's" : r->same[depth] ? "its own" : "none";
}

/* The caller's frames that belong to `k`. */
JNIEXPORT void JNICALL Java_Redefine_frames(JNIEnv *jni, jclass c, jclass k) {
    (void)c;
    jvmtiFrameInfo frames[DEEPEST];
    jint n;
    if (!ok((*jvmti)->GetStackTrace(jvmti, NULL, 0, DEEPEST, frames, &n), "GetStackTrace")) return;
    struct frame_roots followed = {.frames = frames, .count = n}, iterated = followed;
    find_roots(&followed, &iterated);
    for (jint i = 0; i < n; i++) {
        jclass holder = NULL;
        jmethodID m;
        jlocation at;
        ok((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &holder), "GetMethodDeclaringClass");
        if (!(*jni)->IsSameObject(jni, holder, k)) continue;
        ok((*jvmti)->GetFrameLocation(jvmti, NULL, i, &m, &at), "GetFrameLocation");
        say("frame at %d, GetFrameLocation %s", (int)frames[i].location,
            m == frames[i].method && at == frames[i].location ? "agrees" : "differs");
        print_method(frames[i].method, 0);
        print_variables(frames[i].method);
        say("  stack roots: %s, %s", roots_text(&followed, i), roots_text(&iterated, i));
    }
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities all = {.can_redefine_classes = 1,
                             .can_redefine_any_class = 1,
                             .can_retransform_classes = 1,
                             .can_retransform_any_class = 1,
                             .can_get_bytecodes = 1,
                             .can_get_constant_pool = 1,
                             .can_get_line_numbers = 1,
                             .can_access_local_variables = 1,
                             .can_tag_objects = 1,
                             .can_generate_breakpoint_events = 1};
    return ok((*jvmti)->AddCapabilities(jvmti, &all), "AddCapabilities") ? JNI_OK : JNI_ERR;
}
