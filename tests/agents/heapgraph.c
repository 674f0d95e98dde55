/* heapgraph.c: tags, references with their indices, filters, primitive values, visit control, forced collection. */
#include "agent_support.h"
#include <stdatomic.h>
#include <unistd.h>

static atomic_int freed_count, freed_unattached, freed_without_time, gc_starts, gc_finishes;
static _Atomic jlong freed_sum;
static char *lines[4096];
static int line_count;

/* Reports come in any order, so they are gathered and sorted. No allocation through the VM in callbacks. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (line_count < 4096 && vasprintf(&lines[line_count], format, args) >= 0) line_count++;
    va_end(args);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void flush(void) {
    qsort(lines, line_count, sizeof *lines, by_text);
    for (int i = 0; i < line_count; i++) {
        say("  %s", lines[i]);
        free(lines[i]);
    }
    line_count = 0;
}

JNIEXPORT void JNICALL Java_HeapGraph_tag(JNIEnv *jni, jclass self, jobject o, jlong tag) {
    (void)jni, (void)self;
    ok((*jvmti)->SetTag(jvmti, o, tag), "SetTag");
}

JNIEXPORT jlong JNICALL Java_HeapGraph_tagOf(JNIEnv *jni, jclass self, jobject o) {
    (void)jni, (void)self;
    jlong tag = -1;
    ok((*jvmti)->GetTag(jvmti, o, &tag), "GetTag");
    return tag;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                                 jint length, void *user_data) {
    jlong from = referrer_tag_ptr ? *referrer_tag_ptr : -1;
    if (*tag_ptr != 0 && from != 0 && (referrer_tag_ptr != NULL || user_data == NULL)) {
        int index = -1;
        if (kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) index = info->field.index;
        if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) index = info->array.index;
        note("kind %d index %d from %ld (class %ld) to %ld (class %ld) length %d size %s%s", kind, index, (long)from,
             (long)referrer_class_tag, (long)*tag_ptr, (long)class_tag, length,
             size >= 16 && size % 8 == 0 ? "plausible" : "wrong", tag_ptr == referrer_tag_ptr ? " self" : "");
    }
    return *tag_ptr == 999 ? 0 : JVMTI_VISIT_OBJECTS;
}

/* The kinds whose references say more than their kind. */
static int has_info(jvmtiHeapReferenceKind kind) {
    return kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD ||
           kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT || kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL ||
           kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL || kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL;
}

/* Everything that is reported of a walk from the roots: whether the information fits the kind, sizes by tag, and what
 * the object tagged 1 is called after its first element was seen. */
enum { SIZED = 10, RENAMED = 9001 };
struct survey {
    long references, wrong_info, roots_with_class, renamed;
    jlong sizes[SIZED];
};

static jint JNICALL on_survey(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                              jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                              jint length, void *data) {
    struct survey *s = data;
    (void)class_tag, (void)length;
    s->references++;
    s->wrong_info += (info != NULL) != has_info(kind);
    s->roots_with_class += referrer_tag_ptr == NULL && referrer_class_tag != 0;
    if (*tag_ptr > 0 && *tag_ptr < SIZED) s->sizes[*tag_ptr] = size;
    if (referrer_tag_ptr && *referrer_tag_ptr == RENAMED) s->renamed++;
    if (referrer_tag_ptr && *referrer_tag_ptr == 1 && kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        *referrer_tag_ptr = RENAMED;
    return JVMTI_VISIT_OBJECTS;
}

/* The main thread as a root of its own. */
static jvmtiIterationControl JNICALL count_main(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag_ptr,
                                                void *data) {
    (void)class_tag, (void)size;
    if (*tag_ptr == 500 && (kind == JVMTI_HEAP_ROOT_THREAD || kind == JVMTI_HEAP_ROOT_OTHER)) ++*(int *)data;
    return JVMTI_ITERATION_CONTINUE;
}

JNIEXPORT void JNICALL Java_HeapGraph_survey(JNIEnv *jni, jclass self, jobject array) {
    (void)jni, (void)self;
    struct survey s = {0};
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_survey};
    jlong tags[SIZED - 1], *found = NULL, tag = 0, size = 0;
    jobject *objects = NULL;
    jint n = 0, right = 0;
    int main_threads = 0;
    ok((*jvmti)->IterateOverReachableObjects(jvmti, count_main, NULL, NULL, &main_threads),
       "IterateOverReachableObjects");
    say("the main thread is a root of its own: %d", main_threads);
    ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, &s), "FollowReferences");
    say("many references %d, with the wrong information %ld, roots with a referring class %ld", s.references > 5000,
        s.wrong_info, s.roots_with_class);
    ok((*jvmti)->GetTag(jvmti, array, &tag), "GetTag");
    say("renamed to %ld, and seen so by %ld more of its references", (long)tag, s.renamed);
    ok((*jvmti)->SetTag(jvmti, array, 1), "SetTag");
    for (jint i = 1; i < SIZED; i++) tags[i - 1] = i;
    ok((*jvmti)->GetObjectsWithTags(jvmti, SIZED - 1, tags, &n, &objects, &found), "GetObjectsWithTags");
    for (jint i = 0; i < n; i++)
        right += ok((*jvmti)->GetObjectSize(jvmti, objects[i], &size), "GetObjectSize") && s.sizes[found[i]] == size;
    say("objects of %d sizes that GetObjectSize gives: %d", n, right);
    release(objects);
    release(found);
}

/* Each callback asks for the end at its third call, and for more besides. */
static jint third(void *data) {
    return ++*(int *)data == 3 ? JVMTI_VISIT_ABORT | JVMTI_VISIT_OBJECTS : JVMTI_VISIT_OBJECTS;
}

static jint JNICALL third_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                                    jint length, void *data) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag_ptr,
        (void)referrer_tag_ptr, (void)length;
    return third(data);
}
static jint JNICALL third_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                jlong *tag_ptr, jvalue value, jvmtiPrimitiveType type, void *data) {
    (void)kind, (void)info, (void)class_tag, (void)tag_ptr, (void)value, (void)type;
    return third(data);
}
static jint JNICALL third_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count, jvmtiPrimitiveType type,
                                const void *elements, void *data) {
    (void)class_tag, (void)size, (void)tag_ptr, (void)count, (void)type, (void)elements;
    return third(data);
}
static jint JNICALL third_string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *value, jint length,
                                 void *data) {
    (void)class_tag, (void)size, (void)tag_ptr, (void)value, (void)length;
    return third(data);
}

JNIEXPORT void JNICALL Java_HeapGraph_aborts(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    const jvmtiHeapCallbacks each[] = {{.heap_reference_callback = third_reference},
                                       {.primitive_field_callback = third_field},
                                       {.array_primitive_value_callback = third_array},
                                       {.string_primitive_value_callback = third_string}};
    for (int i = 0; i < 4; i++) {
        int followed = 0, iterated = 0;
        ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &each[i], &followed), "FollowReferences");
        ok((*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &each[i], &iterated), "IterateThroughHeap");
        say("callback %d: followed %d, iterated %d", i, followed, iterated);
    }
}

/* How many fields of `from` refer to the class tagged 105. */
static jint JNICALL on_static_base(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                   jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                                   jint length, void *data) {
    (void)info, (void)class_tag, (void)referrer_class_tag, (void)length;
    if (referrer_tag_ptr == NULL || *referrer_tag_ptr != 600) return JVMTI_VISIT_OBJECTS;
    if (kind == JVMTI_HEAP_REFERENCE_FIELD && *tag_ptr == 105) ++*(int *)data;
    if (size <= 0) say("FAILED an object without a size");
    return 0;
}

JNIEXPORT jint JNICALL Java_HeapGraph_classReferences(JNIEnv *jni, jclass self, jobject from) {
    (void)jni, (void)self;
    int count = 0;
    jvmtiHeapCallbacks callbacks = {.heap_reference_callback = on_static_base};
    ok((*jvmti)->SetTag(jvmti, from, 600), "SetTag");
    ok((*jvmti)->FollowReferences(jvmti, 0, NULL, from, &callbacks, &count), "FollowReferences");
    ok((*jvmti)->SetTag(jvmti, from, 0), "SetTag");
    return count;
}

JNIEXPORT void JNICALL Java_HeapGraph_follow(JNIEnv *jni, jclass self, jobject from, jint filter, jclass klass) {
    (void)jni, (void)self;
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = on_reference;
    ok((*jvmti)->FollowReferences(jvmti, filter, klass, from, &callbacks, NULL), "FollowReferences");
    flush();
}

/* Local references of the native method that asks and of one that has called it by way of Java, and the thread and the
 * methods that roots may name. */
enum { LOCAL = 150, CALLERS_LOCAL = 151 };
static struct {
    jmethodID main, roots, outer;
    jlong thread;
    int locals, described;
} expected;

static void look_at_local(const jvmtiHeapReferenceInfoJniLocal *info) {
    expected.locals++;
    expected.described += info->thread_tag == 500 && info->thread_id == expected.thread && info->depth == 0 &&
                          info->method == expected.roots;
}

/* Roots of tagged objects only: kind, and for stack locals method and slot. */
static jint JNICALL on_root(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                            jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr, jint length,
                            void *user_data) {
    (void)class_tag, (void)referrer_class_tag, (void)size, (void)length, (void)user_data;
    if (referrer_tag_ptr != NULL) return 0;
    if (*tag_ptr == 0) return 0;
    if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL && *tag_ptr == LOCAL) look_at_local(&info->jni_local);
    if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL && *tag_ptr == CALLERS_LOCAL)
        note("a caller's local reference at depth %d, in outer %d, thread tag %ld", info->jni_local.depth,
             info->jni_local.method == expected.outer, (long)info->jni_local.thread_tag);
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL)
        note("root stack local of %ld slot %d depth %d at %d thread tag %ld, of this thread %d, in main %d",
             (long)*tag_ptr, info->stack_local.slot, info->stack_local.depth, (int)info->stack_local.location,
             (long)info->stack_local.thread_tag, info->stack_local.thread_id == expected.thread,
             info->stack_local.method == expected.main);
    else if (kind == JVMTI_HEAP_REFERENCE_THREAD || kind == JVMTI_HEAP_REFERENCE_JNI_GLOBAL)
        note("root kind %d of %ld", kind, (long)*tag_ptr);
    return 0;
}

JNIEXPORT void JNICALL Java_HeapGraph_roots(JNIEnv *jni, jclass self, jobject global, jlong thread) {
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = on_root;
    expected.main = (*jni)->GetStaticMethodID(jni, self, "main", "([Ljava/lang/String;)V");
    expected.roots = (*jni)->GetStaticMethodID(jni, self, "roots", "(Ljava/lang/Object;J)V");
    expected.outer = (*jni)->GetStaticMethodID(jni, self, "outer", "(Ljava/lang/Object;J)V");
    expected.thread = thread;
    jobject ref = (*jni)->NewGlobalRef(jni, global), local = (*jni)->NewStringUTF(jni, "local");
    ok((*jvmti)->SetTag(jvmti, local, LOCAL), "SetTag");
    ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &callbacks, NULL), "FollowReferences");
    (*jni)->DeleteGlobalRef(jni, ref);
    ok((*jvmti)->SetTag(jvmti, local, 0), "SetTag");
    say("local references of the native method: %d, described as such: %d", expected.locals, expected.described);
    flush();
}

JNIEXPORT void JNICALL Java_HeapGraph_outer(JNIEnv *jni, jclass self, jobject global, jlong thread) {
    jobject local = (*jni)->NewStringUTF(jni, "a caller's");
    ok((*jvmti)->SetTag(jvmti, local, CALLERS_LOCAL), "SetTag");
    (*jni)->CallStaticVoidMethod(jni, self, (*jni)->GetStaticMethodID(jni, self, "between", "(Ljava/lang/Object;J)V"),
                                 global, thread);
    ok((*jvmti)->SetTag(jvmti, local, 0), "SetTag");
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static jint JNICALL on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                             jlong *tag_ptr, jvalue value, jvmtiPrimitiveType type, void *user_data) {
    (void)user_data;
    if (*tag_ptr == 0) return 0;
    switch (type) {
    case JVMTI_PRIMITIVE_TYPE_FLOAT:
        note("field kind %d index %d of %ld (class %ld): %c %g", kind, info->field.index, (long)*tag_ptr,
             (long)class_tag, type, value.f);
        break;
    case JVMTI_PRIMITIVE_TYPE_DOUBLE:
        note("field kind %d index %d of %ld (class %ld): %c %g", kind, info->field.index, (long)*tag_ptr,
             (long)class_tag, type, value.d);
        break;
    default: {
        long v = type == 'J'   ? value.j
                 : type == 'I' ? value.i
                 : type == 'S' ? value.s
                 : type == 'C' ? value.c
                 : type == 'B' ? value.b
                               : value.z;
        note("field kind %d index %d of %ld (class %ld): %c %ld", kind, info->field.index, (long)*tag_ptr,
             (long)class_tag, type, v);
    }
    }
    return 0;
}

static jint JNICALL on_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count, jvmtiPrimitiveType type,
                             const void *elements, void *user_data) {
    (void)size, (void)user_data;
    long first = 0;
    if (*tag_ptr == 0) return 0;
    if (count > 0) first = type == 'J' ? *(jlong *)elements : type == 'I' ? *(jint *)elements : *(jbyte *)elements;
    note("array of %ld (class %ld): %c %d elements, first %ld", (long)*tag_ptr, (long)class_tag, type, count, first);
    return 0;
}

static jint JNICALL on_string(jlong class_tag, jlong size, jlong *tag_ptr, const jchar *value, jint length,
                              void *user_data) {
    (void)size, (void)user_data;
    unsigned hash = 0;
    if (*tag_ptr == 0) return 0;
    for (jint i = 0; i < length; i++) hash = hash * 31 + value[i];
    note("string %ld (class %ld): %d units, hash %08x", (long)*tag_ptr, (long)class_tag, length, hash);
    return 0;
}

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)size;
    if (*tag_ptr != 0) note("object %ld (class %ld) length %d", (long)*tag_ptr, (long)class_tag, length);
    ++*(jlong *)user_data;
    return 0;
}

static void value_callbacks(jvmtiHeapCallbacks *callbacks) {
    memset(callbacks, 0, sizeof *callbacks);
    callbacks->primitive_field_callback = on_field;
    callbacks->array_primitive_value_callback = on_array;
    callbacks->string_primitive_value_callback = on_string;
}

/* Nothing but values: of what is followed from an object, and of all objects. */
JNIEXPORT void JNICALL Java_HeapGraph_values(JNIEnv *jni, jclass self, jobject from, jint filter, jclass klass) {
    (void)jni, (void)self;
    jvmtiHeapCallbacks callbacks;
    value_callbacks(&callbacks);
    ok((*jvmti)->FollowReferences(jvmti, filter, klass, from, &callbacks, NULL), "FollowReferences");
    flush();
    say(" of all objects:");
    ok((*jvmti)->IterateThroughHeap(jvmti, filter, klass, &callbacks, NULL), "IterateThroughHeap");
    flush();
}

JNIEXPORT jlong JNICALL Java_HeapGraph_iterate(JNIEnv *jni, jclass self, jint filter, jclass klass, jboolean values) {
    (void)jni, (void)self;
    jvmtiHeapCallbacks callbacks;
    value_callbacks(&callbacks);
    if (!values) memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = on_object;
    jlong count = 0;
    ok((*jvmti)->IterateThroughHeap(jvmti, filter, klass, &callbacks, &count), "IterateThroughHeap");
    flush();
    return count;
}

static jint JNICALL abort_at_third(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)class_tag, (void)size, (void)tag_ptr, (void)length;
    return ++*(int *)user_data == 3 ? JVMTI_VISIT_ABORT : 0;
}

static jint JNICALL retag(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)class_tag, (void)size, (void)length, (void)user_data;
    *tag_ptr = *tag_ptr % 2 ? *tag_ptr * 1000000000000 : 0;
    return 0;
}

JNIEXPORT void JNICALL Java_HeapGraph_control(JNIEnv *jni, jclass self, jclass klass) {
    (void)jni, (void)self;
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = abort_at_third;
    int n = 0;
    ok((*jvmti)->IterateThroughHeap(jvmti, 0, NULL, &callbacks, &n), "IterateThroughHeap");
    say("aborted after %d", n);
    callbacks.heap_iteration_callback = retag;
    ok((*jvmti)->IterateThroughHeap(jvmti, 0, klass, &callbacks, NULL), "IterateThroughHeap");
}

JNIEXPORT void JNICALL Java_HeapGraph_tagged(JNIEnv *jni, jclass self, jlong low, jlong high) {
    (void)self;
    jlong wanted[2] = {low, high}, *tags = NULL;
    jobject *objects = NULL;
    jint n = -1;
    if (!ok((*jvmti)->GetObjectsWithTags(jvmti, 2, wanted, &n, &objects, &tags), "GetObjectsWithTags")) return;
    for (jint i = 0; i < n; i++) {
        jlong again;
        char name[200];
        ok((*jvmti)->GetTag(jvmti, objects[i], &again), "GetTag");
        note("tagged %ld %d %s", (long)tags[i], again == tags[i],
             class_text((*jni)->GetObjectClass(jni, objects[i]), name, sizeof name));
    }
    release(objects);
    release(tags);
    say("objects with %ld or %ld: %d", (long)low, (long)high, n);
    flush();
}

/* ---- collection -------------------------------------------------------------------------------------------------- */

static void JNICALL on_free(jvmtiEnv *env, jlong tag) {
    JNIEnv *jni = NULL;
    jlong nanos = 0;
    if ((*the_vm)->GetEnv(the_vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK) freed_unattached++;
    if ((*env)->GetCurrentThreadCpuTime(env, &nanos) == JVMTI_ERROR_UNATTACHED_THREAD) freed_without_time++;
    freed_sum += tag;
    freed_count++;
}
static void JNICALL on_gc_start(jvmtiEnv *env) { (void)env; gc_starts++; }
static void JNICALL on_gc_finish(jvmtiEnv *env) { (void)env; gc_finishes++; }

/* ObjectFree events come from a thread of the VM's own, some time after the collection: they are waited for, up to a
 * minute or so. */
JNIEXPORT void JNICALL Java_HeapGraph_collect(JNIEnv *jni, jclass self, jint expected) {
    (void)jni, (void)self;
    int starts = gc_starts;
    for (int i = 0; i < 6000 && (i == 0 || freed_count < expected || gc_starts != gc_finishes); i++) {
        ok((*jvmti)->ForceGarbageCollection(jvmti), "ForceGarbageCollection");
        usleep(10000);
    }
    say("freed %d, sum of their tags %ld, collections seen: %d, starts and finishes match: %d", freed_count,
        (long)freed_sum, gc_starts > starts, gc_starts == gc_finishes);
    say("on threads that are not attached: %d, without a CPU time: %d", freed_unattached, freed_without_time);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_tag_objects = wanted.can_generate_object_free_events = wanted.can_generate_garbage_collection_events =
        wanted.can_get_current_thread_cpu_time = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ObjectFree = on_free;
    callbacks.GarbageCollectionStart = on_gc_start;
    callbacks.GarbageCollectionFinish = on_gc_finish;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_OBJECT_FREE);
    enable(JVMTI_EVENT_GARBAGE_COLLECTION_START);
    enable(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
    return JNI_OK;
}
