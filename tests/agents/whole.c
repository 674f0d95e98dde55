/* whole.c: FollowObjects, called from tests/jvmti/extensions/Whole.java: all that it tells is what FollowReferences
 * reports; objects without tags have numbers; tags that are given stay; a walk ends when it is to; what is wrong is
 * refused. */
#include "agent_support.h"

#include <stdbool.h>
#include <stdint.h>
#include <vitrine.h>

/* What is known of one object, by its tag: sums over whatever comes in any order. */
struct seen {
    jlong size, class_tag;
    jint length;
    uint64_t contents, beside;                    /* fields and elements; what a class has beside its fields */
    int told;
};

enum { FIRST_NUMBER = 1000000000, CLASS_TAGS = 500000000, MARK = 77 };
static struct seen *pieces, *wholes;
static jlong count, capacity;
static uint64_t roots_by_piece, roots_by_whole;
static jlong class_of_classes;                    /* the tag of java.lang.Class */
static jvmtiExtensionFunction follow_objects;

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t h = (a * 0x9E3779B97F4A7C15u ^ b) * 0xC2B2AE3D27D4EB4Fu ^ c;
    h ^= h >> 29;
    return h * 0x165667B19E3779F9u;
}

static uint64_t mix_bytes(const void *bytes, size_t n) {
    uint64_t h = n;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    return h;
}

static size_t type_bytes(char type) {
    return strchr("ZB", type) ? 1 : strchr("CS", type) ? 2 : strchr("IFL", type) ? 4 : 8;
}

static uint64_t value_bits(const void *value, char type) {
    uint64_t bits = 0;
    memcpy(&bits, value, type_bytes(type));
    return bits;
}

/* ---- by pieces: FollowReferences numbers the objects with tags --------------------------------------------------- */

static struct seen *piece(jlong *tag) {
    if (*tag == 0) *tag = ++count;
    if (count >= capacity) {
        jlong more = capacity * 2 + 4096;
        pieces = realloc(pieces, (size_t)more * sizeof *pieces);
        memset(pieces + capacity, 0, (size_t)(more - capacity) * sizeof *pieces);
        capacity = more;
    }
    return &pieces[*tag];
}

static void add_edge(struct seen *from, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong to) {
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_CLASS: from->class_tag = to; break;
    case JVMTI_HEAP_REFERENCE_FIELD: from->contents += mix(1, (uint64_t)info->field.index, (uint64_t)to); break;
    case JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT: from->contents += mix(2, (uint64_t)info->array.index, (uint64_t)to); break;
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD: from->beside += mix(3, (uint64_t)info->field.index, (uint64_t)to); break;
    case JVMTI_HEAP_REFERENCE_CONSTANT_POOL:
        from->beside += mix(4, (uint64_t)info->constant_pool.index, (uint64_t)to);
        break;
    default: from->beside += mix(5, kind, (uint64_t)to); break;
    }
}

static jint JNICALL piece_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                    void *data) {
    (void)class_tag, (void)referrer_class_tag, (void)data;
    struct seen *o = piece(tag);
    o->size = size, o->length = length;
    if (referrer_tag == NULL) roots_by_piece += mix(6, kind, (uint64_t)*tag);
    else add_edge(piece(referrer_tag), kind, info, *tag);
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL piece_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
    (void)class_tag, (void)data;
    struct seen *o = piece(tag);
    *(kind == JVMTI_HEAP_REFERENCE_FIELD ? &o->contents : &o->beside) += mix((uint64_t)type,
                                                                             (uint64_t)info->field.index,
                                                                             value_bits(&value, (char)type));
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL piece_array(jlong class_tag, jlong size, jlong *tag, jint n, jvmtiPrimitiveType type,
                                const void *elements, void *data) {
    (void)class_tag, (void)size, (void)data;
    piece(tag)->contents += mix_bytes(elements, (size_t)n * type_bytes((char)type));
    return JVMTI_VISIT_OBJECTS;
}

/* ---- as wholes --------------------------------------------------------------------------------------------------- */

static jint JNICALL no_class_expected(jlong size, jlong *tag, void *data) {
    (void)size, (void)tag, (void)data;
    return JVMTI_VISIT_OBJECTS;                   /* one that cannot be reached: FollowReferences has not tagged it */
}

static jint JNICALL whole_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                    void *data) {
    (void)class_tag, (void)referrer_class_tag, (void)size, (void)length, (void)data;
    if (*tag > count)
        say("FAILED a reference of kind %d to %lld, which FollowReferences has not met", kind, (long long)*tag);
    else if (referrer_tag == NULL) roots_by_whole += mix(6, kind, (uint64_t)*tag);
    else add_edge(&wholes[*referrer_tag], kind, info, *tag);
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL whole_static(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
    (void)class_tag, (void)data;
    if (kind != JVMTI_HEAP_REFERENCE_STATIC_FIELD) say("FAILED static_field is told kind %d", kind);
    wholes[*tag].beside += mix((uint64_t)type, (uint64_t)info->field.index, value_bits(&value, (char)type));
    return JVMTI_VISIT_OBJECTS;
}

/* Of a class object FollowReferences passes on the references in its own fields, but no primitive values. */
static uint64_t fields_sum(const vitrineObjectWalk *walk, const vitrineObject *o) {
    bool is_class = o->klass->tag == class_of_classes;
    uint64_t sum = 0;
    for (jint i = 0; i < o->klass->field_count; i++) {
        const vitrineFieldPlace *f = &o->klass->fields[i];
        const void *at = (const char *)o->contents + f->offset;
        jlong to = 0;
        if ((f->type == 'L') != (i < o->klass->reference_count)) say("FAILED references do not come first");
        if (f->type == 'L') walk->ReferenceTags(walk, at, 1, &to);
        if (f->type != 'L' && !is_class) sum += mix((uint64_t)f->type, (uint64_t)f->index, value_bits(at, f->type));
        else if (to != 0) sum += mix(1, (uint64_t)f->index, (uint64_t)to);
    }
    return sum;
}

static uint64_t elements_sum(const vitrineObjectWalk *walk, const vitrineObject *o) {
    uint64_t sum = 0;
    jlong *to = calloc((size_t)o->length + 1, sizeof *to);
    walk->ReferenceTags(walk, o->contents, o->length, to);
    for (jint i = 0; i < o->length; i++)
        if (to[i] != 0) sum += mix(2, (uint64_t)i, (uint64_t)to[i]);
    free(to);
    return sum;
}

static jint JNICALL whole_object(const vitrineObjectWalk *walk, vitrineObject *o, void *data) {
    (void)data;
    if (o->tag <= 0 || o->tag > count) {
        say("FAILED an object %lld that FollowReferences has not met", (long long)o->tag);
        return JVMTI_VISIT_ABORT;
    }
    struct seen *w = &wholes[o->tag];
    w->told++;
    w->size = o->size, w->length = o->length, w->class_tag = o->klass->tag;
    if (o->length < 0) w->contents = fields_sum(walk, o);
    else if (o->klass->element_type == 'L') w->contents = elements_sum(walk, o);
    else if (o->length > 0)
        w->contents = mix_bytes(o->contents, (size_t)o->length * type_bytes(o->klass->element_type));
    if (o->klass->tool_data == NULL) o->klass->tool_data = (void *)(uintptr_t)o->klass->tag;
    if (o->klass->tool_data != (void *)(uintptr_t)o->klass->tag) say("FAILED tool_data is another class's");
    return JVMTI_VISIT_OBJECTS;
}

/* The library's own threads are still on their way to where they wait. */
static void for_other_threads(JNIEnv *jni, jvmtiError(JNICALL *change)(jvmtiEnv *env, jint n, const jthread *list,
                                                                       jvmtiError *results)) {
    jint n = 0, others = 0;
    jthread *list = NULL, self = NULL;
    jvmtiError results[64];
    ok((*jvmti)->GetCurrentThread(jvmti, &self), "GetCurrentThread");
    ok((*jvmti)->GetAllThreads(jvmti, &n, &list), "GetAllThreads");
    for (jint i = 0; i < n; i++)
        if (!(*jni)->IsSameObject(jni, list[i], self)) list[others++] = list[i];
    if (others > 64 || change(jvmti, others, list, results) != JVMTI_ERROR_NONE)
        say("FAILED to stop or resume %d threads", others);
    for (jint i = 0; i < others; i++)
        if (results[i] != JVMTI_ERROR_THREAD_NOT_ALIVE) ok(results[i], "a thread");
    release(list);
}

static void compare(JNIEnv *jni) {
    static const jvmtiHeapCallbacks by_piece = {.heap_reference_callback = piece_reference,
                                                .primitive_field_callback = piece_field,
                                                .array_primitive_value_callback = piece_array};
    static const vitrineObjectCallbacks by_whole = {no_class_expected, whole_reference, whole_static, whole_object};
    jclass class_class = (*jni)->FindClass(jni, "java/lang/Class");   /* before both: it is a root */
    if (!ok((*jvmti)->FollowReferences(jvmti, 0, NULL, NULL, &by_piece, NULL), "FollowReferences")) return;
    wholes = calloc((size_t)count + 1, sizeof *wholes);
    if (!ok((*jvmti)->GetTag(jvmti, class_class, &class_of_classes), "GetTag")) return;
    if (!ok(follow_objects(jvmti, (jlong)FIRST_NUMBER, &by_whole, NULL), "FollowObjects")) return;
    int different = 0, arrays = 0;
    for (jlong tag = 1; tag <= count; tag++) {
        const struct seen *p = &pieces[tag], *w = &wholes[tag];
        bool same = w->told == 1 && p->size == w->size && p->length == w->length && p->class_tag == w->class_tag &&
                    p->contents == w->contents && p->beside == w->beside;
        if (!same && different++ < 5)
            say("FAILED object %lld of class %lld: told %d times, size %lld and %lld, length %d and %d, class %lld%s%s",
                (long long)tag, (long long)p->class_tag, w->told, (long long)p->size, (long long)w->size, p->length,
                w->length, (long long)w->class_tag, p->contents == w->contents ? "" : ", contents",
                p->beside == w->beside ? "" : ", what is beside");
        arrays += p->length > 0;
    }
    say("as wholes: %s objects, %s arrays, %d different; roots %s", count > 1000 ? "thousands of" : "FAILED few",
        arrays > 100 ? "many" : "FAILED few", different,
        roots_by_piece == roots_by_whole ? "the same" : "FAILED different");
}

JNIEXPORT void JNICALL Java_Whole_compare(JNIEnv *jni, jclass self) {
    (void)self;
    for_other_threads(jni, (*jvmti)->SuspendThreadList);
    compare(jni);
    for_other_threads(jni, (*jvmti)->ResumeThreadList);
}

/* ---- numbers instead of tags ------------------------------------------------------------------------------------- */

static jlong *numbers, numbered, number_room, references_told, classes_tagged, of_tag, marked;
static int wrong_class_tags;

static void note(jlong number) {
    if (numbered == number_room)
        numbers = realloc(numbers, (size_t)(number_room = number_room * 2 + 4096) * sizeof *numbers);
    numbers[numbered++] = number;
}

static jint JNICALL tag_class(jlong size, jlong *tag, void *data) {
    (void)data;
    if (size <= 0 || *tag != 0) say("FAILED untagged_class is told of tag %lld", (long long)*tag);
    if (numbered != 0) say("FAILED untagged_class comes late");
    *tag = CLASS_TAGS + ++classes_tagged;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL any_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                  jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                  void *data) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)length, (void)data;
    if (*tag < CLASS_TAGS && *tag != of_tag && *tag != MARK) say("FAILED a reference to %lld", (long long)*tag);
    if (referrer_tag != NULL && *referrer_tag >= FIRST_NUMBER)
        say("FAILED a reference from an object is told: %lld", (long long)*referrer_tag);
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL any_static(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                               jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
    (void)kind, (void)info, (void)class_tag, (void)tag, (void)value, (void)type, (void)data;
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL number_object(const vitrineObjectWalk *walk, vitrineObject *o, void *data) {
    (void)data;
    bool in_range = o->tag >= FIRST_NUMBER && o->tag <= FIRST_NUMBER + (jlong)UINT32_MAX;
    if (!in_range && !(o->tag > CLASS_TAGS && o->tag <= CLASS_TAGS + classes_tagged) && o->tag != of_tag)
        say("FAILED an object's number is %lld", (long long)o->tag);
    wrong_class_tags += o->klass->tag == 0 || (o->klass->tag <= CLASS_TAGS && o->klass->tag != of_tag);
    note(o->tag);
    jlong to = 0;
    for (jint i = 0; i < o->klass->reference_count; i++) {
        walk->ReferenceTags(walk, (const char *)o->contents + o->klass->fields[i].offset, 1, &to);
        references_told += to != 0;
        if (to != 0) note(-to);                   /* negative: must be that of an object */
    }
    if (o->klass->tag == of_tag) o->tag = MARK, marked++;
    return JVMTI_VISIT_OBJECTS;
}

static int by_size(const void *a, const void *b) {
    jlong x = llabs(*(const jlong *)a), y = llabs(*(const jlong *)b);
    if (x != y) return x < y ? -1 : 1;
    return *(const jlong *)a < *(const jlong *)b ? -1 : *(const jlong *)a > *(const jlong *)b;
}

/* Each number an object's, no two objects' the same; references lead to objects that are told. MARK stands for what its
 * object had before. */
static void check_numbers(void) {
    int twice = 0, lost = 0;
    qsort(numbers, (size_t)numbered, sizeof *numbers, by_size);
    for (jlong i = 0, end; i < numbered; i = end) {
        int objects = 0;
        for (end = i; end < numbered && llabs(numbers[end]) == llabs(numbers[i]); end++) objects += numbers[end] > 0;
        twice += objects > 1, lost += objects == 0 && llabs(numbers[i]) != MARK;
    }
    say("numbers: %d twice, %d that no object has, %d classes without a tag; %s", twice, lost, wrong_class_tags,
        references_told > 1000 ? "many references" : "FAILED few references");
}

JNIEXPORT void JNICALL Java_Whole_number(JNIEnv *jni, jclass self, jobject object, jclass of) {
    (void)self;
    static const vitrineObjectCallbacks callbacks = {tag_class, any_reference, any_static, number_object};
    jvmtiEnv *env = NULL;
    jvmtiCapabilities wanted = {.can_tag_objects = 1};
    jlong tag = 0, class_tag = 0;
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK ||
        !ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities"))
        return;
    of_tag = MARK + 1;
    ok((*env)->SetTag(env, of, of_tag), "SetTag");
    ok(follow_objects(env, (jlong)FIRST_NUMBER, &callbacks, NULL), "FollowObjects");
    check_numbers();
    ok((*env)->GetTag(env, object, &tag), "GetTag");
    ok((*env)->GetTag(env, (*jni)->GetObjectClass(jni, of), &class_tag), "GetTag");
    say("tags: the object's %lld, the class's %s, %lld marked", (long long)tag,
        class_tag > CLASS_TAGS ? "given" : "FAILED", (long long)marked);
    ok((*env)->GetTag(env,
                      (*jni)->GetStaticObjectField(jni, self,
                                                   (*jni)->GetStaticFieldID(jni, self, "text", "Ljava/lang/String;")),
                      &tag),
       "GetTag");
    say("an object that was only numbered has the tag %lld", (long long)tag);
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
    say("of an environment that is gone: %s", error_text(follow_objects(env, (jlong)1, &callbacks, NULL)));
}

/* ---- ends and refusals ------------------------------------------------------------------------------------------- */

static int calls[4], abort_in;

static jint called(int which) { return calls[which]++, which == abort_in ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS; }

static jint JNICALL end_class(jlong size, jlong *tag, void *data) {
    return (void)size, (void)data, *tag = CLASS_TAGS, called(0);
}
static jint JNICALL end_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                  jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                  void *data) {
    (void)kind, (void)info, (void)class_tag, (void)referrer_class_tag, (void)size, (void)tag, (void)referrer_tag,
        (void)length, (void)data;
    return called(1);
}
static jint JNICALL end_static(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                               jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data) {
    (void)kind, (void)info, (void)class_tag, (void)tag, (void)value, (void)type, (void)data;
    return called(2);
}
static jint JNICALL end_object(const vitrineObjectWalk *walk, vitrineObject *o, void *data) {
    return (void)walk, (void)o, (void)data, called(3);
}

static jvmtiEnv *environment(bool may_tag) {
    jvmtiEnv *env = NULL;
    jvmtiCapabilities wanted = {.can_tag_objects = may_tag};
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    ok((*env)->AddCapabilities(env, &wanted), "AddCapabilities");
    return env;
}

JNIEXPORT void JNICALL Java_Whole_refuse(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    static const char *const names[] = {"untagged_class", "heap_reference", "static_field", "object"};
    const vitrineObjectCallbacks callbacks = {end_class, end_reference, end_static, end_object};
    for (abort_in = 0; abort_in < 4; abort_in++) {
        jvmtiEnv *env = environment(true);
        memset(calls, 0, sizeof calls);
        ok(follow_objects(env, (jlong)1, &callbacks, NULL), "FollowObjects");
        say("ended in %s after %d call", names[abort_in], calls[abort_in]);
        ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
    }
    jvmtiEnv *env = environment(true), *without = environment(false);
    vitrineObjectCallbacks incomplete[4] = {callbacks, callbacks, callbacks, callbacks};
    incomplete[0].untagged_class = NULL, incomplete[1].heap_reference = NULL, incomplete[2].static_field = NULL,
    incomplete[3].object = NULL;
    say("no callbacks: %s", error_text(follow_objects(env, (jlong)1, NULL, NULL)));
    for (int i = 0; i < 4; i++)
        say("no %s: %s", names[i], error_text(follow_objects(env, (jlong)1, &incomplete[i], NULL)));
    say("from 0: %s", error_text(follow_objects(env, (jlong)0, &callbacks, NULL)));
    say("from -1: %s", error_text(follow_objects(env, (jlong)-1, &callbacks, NULL)));
    say("from the largest: %s", error_text(follow_objects(env, INT64_MAX, &callbacks, NULL)));
    say("without the capability: %s", error_text(follow_objects(without, (jlong)1, &callbacks, NULL)));
    ok((*env)->DisposeEnvironment(env), "DisposeEnvironment");
    ok((*without)->DisposeEnvironment(without), "DisposeEnvironment");
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    the_vm = vm;
    jvmtiCapabilities wanted = {.can_tag_objects = 1, .can_suspend = 1};
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    follow_objects = extension_function("vitrine.functions.FollowObjects");
    if (follow_objects == NULL) {
        say("FAILED FollowObjects is not offered");
        return JNI_ERR;
    }
    static const vitrineObjectCallbacks callbacks = {end_class, end_reference, end_static, end_object};
    say("before the VM lives: %s", error_text(follow_objects(jvmti, (jlong)1, &callbacks, NULL)));
    return JNI_OK;
}
