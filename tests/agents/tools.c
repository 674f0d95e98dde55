/* tools.c: the 1.0 heap functions, modules, JNI interception and native method binding, called from
 * tests/jvmti/Tools.java. */
#include "agent_support.h"

/* ---- heap 1.0 ---------------------------------------------------------------------------------------------------- */

struct seen { int objects, references, roots, stack, ordered, limit; long long size; };

static jvmtiIterationControl JNICALL on_object(jlong class_tag, jlong size, jlong *tag, void *data) {
    struct seen *s = data;
    (void)class_tag;
    s->objects++;
    s->size += size;
    if (*tag == 0) *tag = 77;
    return s->limit && s->objects >= s->limit ? JVMTI_ITERATION_ABORT : JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL on_root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
                                             void *data) {
    struct seen *s = data;
    (void)class_tag, (void)size, (void)tag;
    s->roots += kind >= JVMTI_HEAP_ROOT_JNI_GLOBAL && kind <= JVMTI_HEAP_ROOT_OTHER;
    s->ordered &= s->references == 0;
    return JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
                                              jlong thread_tag, jint depth, jmethodID m, jint slot, void *data) {
    struct seen *s = data;
    (void)class_tag, (void)size, (void)tag, (void)thread_tag, (void)depth, (void)m, (void)slot;
    s->stack += kind == JVMTI_HEAP_ROOT_STACK_LOCAL;
    s->ordered &= s->references == 0;
    return JVMTI_ITERATION_CONTINUE;
}

/* References between the program's objects; in which order they come is the VM's business. */
static char notes[64][80];
static int noted;

static int by_text(const void *a, const void *b) { return strcmp(a, b); }
static void print_notes(void) {
    qsort(notes, (size_t)noted, sizeof notes[0], by_text);
    for (int i = 0; i < noted; i++) say("%s", notes[i]);
    noted = 0;
}

static jvmtiIterationControl JNICALL on_reference(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size,
                                                  jlong *tag, jlong referrer_tag, jint index, void *data) {
    struct seen *s = data;
    (void)class_tag, (void)size;
    s->references++;
    if (referrer_tag >= 500 && referrer_tag < 600 && kind != JVMTI_REFERENCE_CLASS && noted < 64)
        snprintf(notes[noted++], sizeof notes[0], "reference kind %d index %d from %d to %d", kind, index,
                 (int)referrer_tag, (int)*tag);
    return *tag == 502 ? JVMTI_ITERATION_IGNORE : JVMTI_ITERATION_CONTINUE;
}

JNIEXPORT void JNICALL Java_Tools_heap(JNIEnv *jni, jclass c, jobjectArray graph, jclass base, jclass sub) {
    (void)c;
    jsize n = (*jni)->GetArrayLength(jni, graph);
    for (jsize i = 0; i < n; i++)
        ok((*jvmti)->SetTag(jvmti, (*jni)->GetObjectArrayElement(jni, graph, i), 500 + i), "SetTag");
    jobject first = (*jni)->GetObjectArrayElement(jni, graph, 0);
    struct seen s = {0};
    ok((*jvmti)->IterateOverObjectsReachableFromObject(jvmti, first, on_reference, &s),
       "IterateOverObjectsReachableFromObject");
    print_notes();
    say("followed from an object: %s", s.references > 5 ? "some" : "none");
    s = (struct seen){.ordered = 1};
    ok((*jvmti)->IterateOverReachableObjects(jvmti, on_root, on_stack, NULL, &s), "IterateOverReachableObjects");
    say("roots only: roots %d stack %d references %d", s.roots > 10, s.stack > 0, s.references);
    s = (struct seen){.ordered = 1};
    ok((*jvmti)->IterateOverReachableObjects(jvmti, on_root, on_stack, on_reference, &s),
       "IterateOverReachableObjects");
    print_notes();
    say("all: roots %d stack %d references %d roots first %d", s.roots > 10, s.stack > 0, s.references > 1000,
        s.ordered);
    const jvmtiHeapObjectFilter filters[] = {JVMTI_HEAP_OBJECT_TAGGED, JVMTI_HEAP_OBJECT_UNTAGGED,
                                             JVMTI_HEAP_OBJECT_EITHER};
    for (int i = 0; i < 3; i++) {
        struct seen t = {0}, u = {0};
        ok((*jvmti)->IterateOverInstancesOfClass(jvmti, base, filters[i], on_object, &t),
           "IterateOverInstancesOfClass");
        ok((*jvmti)->IterateOverInstancesOfClass(jvmti, sub, filters[i], on_object, &u), "IterateOverInstancesOfClass");
        say("instances with filter %d: %d of the class, %d of its subclass", filters[i], t.objects, u.objects);
    }
    s = (struct seen){0};
    ok((*jvmti)->IterateOverHeap(jvmti, JVMTI_HEAP_OBJECT_TAGGED, on_object, &s), "IterateOverHeap");
    say("tagged in the heap: %d", s.objects);
    s = (struct seen){.limit = 3};
    ok((*jvmti)->IterateOverHeap(jvmti, JVMTI_HEAP_OBJECT_EITHER, on_object, &s), "IterateOverHeap");
    say("aborted after %d", s.objects);
    say("no callback %s", error_text((*jvmti)->IterateOverHeap(jvmti, JVMTI_HEAP_OBJECT_EITHER, NULL, &s)));
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_Tools_modules(JNIEnv *jni, jclass c, jobject base, jobject own, jobject loader,
                                          jclass service, jclass provider, jobject other) {
    (void)c;
    jint n = 0, found = 0;
    jobject *all, module;
    jboolean modifiable = JNI_FALSE;
    ok((*jvmti)->GetAllModules(jvmti, &n, &all), "GetAllModules");
    for (jint i = 0; i < n; i++)
        found += (*jni)->IsSameObject(jni, all[i], base) + (*jni)->IsSameObject(jni, all[i], own);
    say("modules: %s, both found %d", n > 5 ? "many" : "few", found);
    release(all);
    const char *packages[] = {"java/util", "java/util/logging", "no/such", "java.util", ""};
    for (int i = 0; i < 5; i++) {
        for (int app = 0; app < 2; app++) {
            module = NULL;
            jvmtiError err = (*jvmti)->GetNamedModule(jvmti, app ? loader : NULL, packages[i], &module);
            say("package \"%s\" in %s: %s %s", packages[i], app ? "the application's loader" : "the boot loader",
                error_text(err),
                module == NULL                            ? "none"
                : (*jni)->IsSameObject(jni, module, base) ? "java.base"
                                                          : "another");
        }
    }
    say("no loader: %s", error_text((*jvmti)->GetNamedModule(jvmti, other, "java/util", &module)));
    say("no package: %s", error_text((*jvmti)->GetNamedModule(jvmti, NULL, NULL, &module)));
    ok((*jvmti)->IsModifiableModule(jvmti, base, &modifiable), "IsModifiableModule");
    say("modifiable: %d", modifiable);
    say("reads: %s, no module %s, null %s", error_text((*jvmti)->AddModuleReads(jvmti, base, own)),
        error_text((*jvmti)->AddModuleReads(jvmti, other, own)),
        error_text((*jvmti)->AddModuleReads(jvmti, NULL, own)));
    say("exports: %s, with slashes %s", error_text((*jvmti)->AddModuleExports(jvmti, base, "jdk.internal.misc", own)),
        error_text((*jvmti)->AddModuleExports(jvmti, base, "jdk/internal/util", own)));
    say("exports without package: %s", error_text((*jvmti)->AddModuleExports(jvmti, base, "no.such", own)));
    say("exports of an unnamed module: %s", error_text((*jvmti)->AddModuleExports(jvmti, own, "no.such", base)));
    say("opens: %s", error_text((*jvmti)->AddModuleOpens(jvmti, base, "java.lang", own)));
    say("opens without package: %s", error_text((*jvmti)->AddModuleOpens(jvmti, base, "no.such", own)));
    say("uses: %s", error_text((*jvmti)->AddModuleUses(jvmti, base, service)));
    say("provides: %s", error_text((*jvmti)->AddModuleProvides(jvmti, own, service, provider)));
    say("modifiable, no module: %s", error_text((*jvmti)->IsModifiableModule(jvmti, other, &modifiable)));
}

/* ---- JNI interception, native methods, search paths -------------------------------------------------------------- */

static jniNativeInterface *original;
static int counted;

static jsize JNICALL counting(JNIEnv *jni, jarray a) {
    counted++;
    return original->GetArrayLength(jni, a);
}

JNIEXPORT jint JNICALL Java_Tools_length(JNIEnv *jni, jclass c, jintArray a) {
    (void)c;
    return (*jni)->GetArrayLength(jni, a);
}

JNIEXPORT jint JNICALL Java_Tools_intercept(JNIEnv *jni, jclass c, jboolean on) {
    (void)jni, (void)c;
    jniNativeInterface *table, *now;
    if (original == NULL) ok((*jvmti)->GetJNIFunctionTable(jvmti, &original), "GetJNIFunctionTable");
    ok((*jvmti)->GetJNIFunctionTable(jvmti, &table), "GetJNIFunctionTable");
    table->GetArrayLength = on ? counting : original->GetArrayLength;
    ok((*jvmti)->SetJNIFunctionTable(jvmti, table), "SetJNIFunctionTable");
    ok((*jvmti)->GetJNIFunctionTable(jvmti, &now), "GetJNIFunctionTable");
    if ((now->GetArrayLength == counting) != on) say("FAILED: the table that was set is not the one in force");
    release(table);
    release(now);
    return counted;
}

static jint JNICALL replaced(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return 1000 + n;
}
JNIEXPORT jint JNICALL Java_Tools_bound(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return n;
}
static jint JNICALL registered(JNIEnv *jni, jclass c, jint n) {
    (void)jni, (void)c;
    return 2000 + n;
}

static void JNICALL on_bind(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID m, void *address,
                            void **new_address) {
    char *name = NULL, holder[200] = "";
    jclass c;
    jvmtiPhase phase;
    (void)thread;
    (*env)->GetPhase(env, &phase);
    if (phase == JVMTI_PHASE_PRIMORDIAL || jni == NULL ||
        (*env)->GetMethodName(env, m, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return;
    if ((*env)->GetMethodDeclaringClass(env, m, &c) == JVMTI_ERROR_NONE) class_text(c, holder, sizeof holder);
    if (strcmp(holder, "LTools;") == 0 && (strcmp(name, "bound") == 0 || strcmp(name, "later") == 0)) {
        say("bind %s%s, address %s", holder, name, address ? "given" : "missing");
        if (strcmp(name, "bound") == 0) *new_address = (void *)replaced;
    }
    release(name);
}

JNIEXPORT void JNICALL Java_Tools_register(JNIEnv *jni, jclass c) {
    JNINativeMethod one = {"later", "(I)I", (void *)registered};
    (*jni)->RegisterNatives(jni, c, &one, 1);
}

JNIEXPORT void JNICALL Java_Tools_search(JNIEnv *jni, jclass c, jstring jar) {
    (void)c;
    const char *path = (*jni)->GetStringUTFChars(jni, jar, NULL);
    say("boot, no file %s, null %s", error_text((*jvmti)->AddToBootstrapClassLoaderSearch(jvmti, "/no/such.jar")),
        error_text((*jvmti)->AddToBootstrapClassLoaderSearch(jvmti, NULL)));
    say("boot, a directory %s", error_text((*jvmti)->AddToBootstrapClassLoaderSearch(jvmti, "/tmp")));
    say("system, no file %s", error_text((*jvmti)->AddToSystemClassLoaderSearch(jvmti, "/no/such.jar")));
    say("boot %s", error_text((*jvmti)->AddToBootstrapClassLoaderSearch(jvmti, path)));
    say("system %s", error_text((*jvmti)->AddToSystemClassLoaderSearch(jvmti, path)));
    (*jni)->ReleaseStringUTFChars(jni, jar, path);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities all = {.can_tag_objects = 1,
                             .can_generate_native_method_bind_events = 1,
                             .can_set_native_method_prefix = 1};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &all), "AddCapabilities")) return JNI_ERR;
    char *prefixes[] = {"a_", NULL};
    say("prefixes: %s, a null among them %s, none %s",
        error_text((*jvmti)->SetNativeMethodPrefixes(jvmti, 1, prefixes)),
        error_text((*jvmti)->SetNativeMethodPrefixes(jvmti, 2, prefixes)),
        error_text((*jvmti)->SetNativeMethodPrefixes(jvmti, 0, prefixes)));
    say("prefix: negative %s, null list %s, removed %s",
        error_text((*jvmti)->SetNativeMethodPrefixes(jvmti, -1, prefixes)),
        error_text((*jvmti)->SetNativeMethodPrefixes(jvmti, 1, NULL)),
        error_text((*jvmti)->SetNativeMethodPrefix(jvmti, NULL)));
    jvmtiEventCallbacks callbacks = {.NativeMethodBind = on_bind};
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_NATIVE_METHOD_BIND);
    return JNI_OK;
}
