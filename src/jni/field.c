/* Fields: ids, Get/Set<Type>Field, Get/SetStatic<Type>Field. */
#include "jit/jit.h"
#include "jni/jni_internal.h"
#include "probe/probe.h"

static jfieldID find_field(struct os_thread *self, jclass handle, const char *name, const char *desc, bool is_static,
                           const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    if (self->exception) return NULL;
    struct class *c = jni_class(handle, function);
    if (!c) {
        jni_throw_null(self);
        return NULL;
    }
    if (!class_ensure_initialized(self, c)) return NULL;
    struct symbol *n = symbol_lookup_cstr(name), *d = symbol_lookup_cstr(desc);
    struct field *f = n && d && !class_is_primitive(c) && !class_is_array(c) ? class_lookup_field(c, n, d) : NULL;
    symbol_release(n);
    symbol_release(d);
    if (f && !f->cf) f = NULL;           /* injected by the VM: Java does not know it */
    if (!f || ((f->access_flags & ACC_STATIC) != 0) != is_static) {
        char *holder = class_external_name(c);
        if (is_static) throw_message(self, "java/lang/NoSuchFieldError", "%s", name);
        else throw_message(self, "java/lang/NoSuchFieldError", "%s.%s %s", holder ? holder : "?", name, desc);
        mem_free(holder);
        return NULL;
    }
    return field_id(f);
}

jfieldID JNICALL jni_GetFieldID(JNIEnv *env, jclass c, const char *name, const char *desc) {
    NATIVE_ENTRY(env);
    return find_field(self, c, name, desc, false, JNI_NAME);
}

jfieldID JNICALL jni_GetStaticFieldID(JNIEnv *env, jclass c, const char *name, const char *desc) {
    NATIVE_ENTRY(env);
    return find_field(self, c, name, desc, true, JNI_NAME);
}

/* Is every value of the one type one of the other, which is wider? boolean is the narrowest of the integral types. */
static bool is_narrower(enum basic_type type, enum basic_type wider) {
    switch (wider) {
    case T_BYTE: return type == T_BOOLEAN;
    case T_CHAR: return type == T_BOOLEAN;
    case T_SHORT: return type == T_BOOLEAN || type == T_BYTE;
    case T_INT: return type == T_BOOLEAN || type == T_BYTE || type == T_SHORT || type == T_CHAR;
    case T_LONG: return type == T_INT || is_narrower(type, T_INT);
    case T_DOUBLE: return type == T_FLOAT;
    default: return false;
    }
}

/* The type to look for where `wider` is to be read by this id: HotSpot reads whatever lies there, and programs get away
 * with an id of a narrower type. */
static enum basic_type type_to_read(jfieldID id, enum basic_type wider) {
    const struct field *f = field_of_id(id);
    return f && is_narrower(f->type, wider) ? f->type : wider;
}

/* Why an id cannot be used, as an InternalError that names the function: HotSpot would read or write somewhere. */
static NOINLINE void refuse_field(struct os_thread *self, jfieldID id, struct object *o, bool wants_static,
                                  const char *function) {
    REQUIRES(IN_VM);
    PENDING_ASIDE(self);
    const struct field *f = field_of_id(id);
    if (!f) {
        throw_message(self, "java/lang/InternalError", "invalid jfieldID %p passed to %s", (void *)id, function);
        return;
    }
    char *holder = class_external_name(f->holder), *other = o ? class_external_name(class_of(o)) : NULL;
    bool is_static = (f->access_flags & ACC_STATIC) != 0;
    if (is_static != wants_static)
        throw_message(self, "java/lang/InternalError", "%s field %s.%s passed to %s", is_static ? "static" : "instance",
                      holder ? holder : "?", f->name->bytes, function);
    else if (o && !object_is_instance(o, f->holder))
        throw_message(self, "java/lang/InternalError", "field %s.%s of an object of class %s passed to %s",
                      holder ? holder : "?", f->name->bytes, other ? other : "?", function);
    else
        throw_message(self, "java/lang/InternalError", "field %s.%s of type %s passed to %s", holder ? holder : "?",
                      f->name->bytes, f->desc->bytes, function);
    mem_free(holder);
    mem_free(other);
}

static inline bool has_type(const struct field *f, enum basic_type type) {
    return f->type == type || (type == T_OBJECT && f->type == T_ARRAY);
}

/* Where the field lies: *f, and the object that holds it. NULL with an exception pending. */
static inline struct object *locate(struct os_thread *self, jobject h, jfieldID id, enum basic_type type,
                                    struct field **f, const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *o = jni_object(self, h, function);
    if (UNLIKELY(!o)) return NULL;
    *f = field_of_id(id);
    if (LIKELY(*f && has_type(*f, type) && !((*f)->access_flags & ACC_STATIC) && jni_is_instance(o, (*f)->holder)))
        return o;
    refuse_field(self, id, o, false, function);
    return NULL;
}

static inline struct object *locate_static(struct os_thread *self, jfieldID id, enum basic_type type, struct field **f,
                                           const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    *f = field_of_id(id);
    if (LIKELY(*f && has_type(*f, type) && (*f)->access_flags & ACC_STATIC))
        return holder_is_begun(self, (*f)->holder) ? (*f)->holder->statics : NULL;
    refuse_field(self, id, NULL, true, function);
    return NULL;
}

static inline struct object *load_reference(struct object *o, const struct field *f) {
    return f->access_flags & ACC_VOLATILE ? heap_load_ref_volatile(o, f->offset) : heap_load_ref(o, f->offset);
}

static inline void store_reference(struct object *o, const struct field *f, struct object *v) {
    if (f->access_flags & ACC_VOLATILE) heap_store_ref_volatile(o, f->offset, v);
    else heap_store_ref(o, f->offset, v);
}

/* Accesses by JNI are watched like those of Java code, in the method that makes them. holder: what
 * locate() answered. */
static NOINLINE void report_access(struct os_thread *self, struct field *f, struct object *holder) {
    REQUIRES(IN_VM);
    struct frame *frame = self->java->frame;
    if (frame == NULL || !(atomic_load(&f->watch) & FIELD_WATCH_ACCESS)) return;
    probe_field_access(self, frame, f, f->access_flags & ACC_STATIC ? NULL : holder);
}

static NOINLINE void report_modification(struct os_thread *self, struct field *f, struct object *holder,
                                         uint64_t value) {
    REQUIRES(IN_VM);
    struct frame *frame = self->java->frame;
    if (frame == NULL || !(atomic_load(&f->watch) & FIELD_WATCH_MODIFICATION)) return;
    probe_field_modification(self, frame, f, f->access_flags & ACC_STATIC ? NULL : holder, value);
}

#define TELL_ACCESS(f, o) do { if (UNLIKELY(field_is_watched(f))) report_access(self, (f), (o)); } while (0)
#define TELL_MODIFICATION(f, o, slot) \
    do { \
        if (UNLIKELY(field_is_watched(f))) report_modification(self, (f), (o), (slot)); \
    } while (0)

/* Compiled code takes these for constants, but for System.out and its like, which the library assigns so. */
static NOINLINE void tell_final(struct os_thread *self, struct field *f) {
    REQUIRES(IN_VM | MAY_STOP);
    bool stays = f->access_flags & ACC_STATIC ? class_is_initialized(f->holder) && !field_is_assigned(f)
                                              : field_is_trusted(f) || field_is_site_target(f);
    if (stays && f->holder != known_class(java_lang_System)) jit_final_assigned(self, f);
}

/* Before it is assigned. */
#define TELL_FINAL(f) do { if (UNLIKELY((f)->access_flags & ACC_FINAL)) tell_final(self, (f)); } while (0)

jobject JNICALL jni_GetObjectField(JNIEnv *env, jobject h, jfieldID id) {
    NATIVE_ENTRY(env);
    struct field *f;
    struct object *o = locate(self, h, id, T_OBJECT, &f, JNI_NAME);
    if (!o) return NULL;
    TELL_ACCESS(f, o);
    return handle_local(self, load_reference(o, f));
}

void JNICALL jni_SetObjectField(JNIEnv *env, jobject h, jfieldID id, jobject v) {
    NATIVE_ENTRY(env);
    struct field *f;
    struct object *o = locate(self, h, id, T_OBJECT, &f, JNI_NAME);
    if (!o) return;
    struct object *value = jni_get(v, JNI_NAME);
    TELL_MODIFICATION(f, o, slot_ref(value));
    TELL_FINAL(f);
    store_reference(o, f, value);
}

jobject JNICALL jni_GetStaticObjectField(JNIEnv *env, jclass c, jfieldID id) {
    NATIVE_ENTRY(env);
    (void)c;
    struct field *f;
    struct object *o = locate_static(self, id, T_OBJECT, &f, JNI_NAME);
    if (!o) return NULL;
    TELL_ACCESS(f, o);
    return handle_local(self, load_reference(o, f));
}

void JNICALL jni_SetStaticObjectField(JNIEnv *env, jclass c, jfieldID id, jobject v) {
    NATIVE_ENTRY(env);
    (void)c;
    struct field *f;
    struct object *o = locate_static(self, id, T_OBJECT, &f, JNI_NAME);
    if (!o) return;
    struct object *value = jni_get(v, JNI_NAME);
    TELL_MODIFICATION(f, o, slot_ref(value));
    TELL_FINAL(f);
    store_reference(o, f, value);
}

/* ---- primitive fields -------------------------------------------------------------------------------------------- */

/* The class of the field, if the id tells the place of a field of this type; else none that there is. */
static ALWAYS_INLINE uint32_t class_with_type(jfieldID id, enum basic_type type) {
    return (uint32_t)(uintptr_t)id - ((uint32_t)type << FIELD_ID_TYPE_SHIFT);
}
static ALWAYS_INLINE uint32_t offset_in(jfieldID id) {
    return (uint32_t)((uint64_t)(uintptr_t)id >> FIELD_ID_OFFSET_SHIFT);
}

/* Where to load from without entering the VM (thread_may_load): the object's class is the field's. Else NULL: a closer
 * look says more. A weak handle's object may be dying. Every instruction counts here. */
static ALWAYS_INLINE const char *locate_to_load(const struct os_thread *self, jobject h, jfieldID id,
                                                enum basic_type type) {
    if (UNLIKELY(!thread_may_load(self) || (uintptr_t)h & HANDLE_WEAK)) return NULL;
    uintptr_t slot = (uintptr_t)h & ~(uintptr_t)HANDLE_KIND_MASK;
    if (UNLIKELY(slot == 0)) return NULL;
    const struct object *o = *(struct object **)slot;
    return LIKELY(heap_reaches(o) && o->class_id == class_with_type(id, type)) ? (const char *)o + offset_in(id) : NULL;
}

/* What locate() answers where nothing is amiss, no field is watched, and the id tells the place of a field of this
 * type, of the object's class or of one above it; else NULL: locate() knows why. Volatile and final ones for reading
 * only. `odd`: not 0 if something is amiss already. Within a glance. Conditions are gathered before they are asked:
 * branches are what this costs. */
static ALWAYS_INLINE char *locate_quickly(uint32_t odd, jobject h, jfieldID id, enum basic_type type, bool to_read) {
    uint32_t class_id = class_with_type(id, type);
    odd |= class_id >> FIELD_ID_TYPE_SHIFT;
    if (!to_read) odd |= (uint32_t)((uint64_t)(uintptr_t)id >> FIELD_ID_VOLATILE_SHIFT) & 1;
    if (UNLIKELY(odd != 0 || h == NULL)) return NULL;
    struct object *o = handle_get(h);
    if (UNLIKELY(!heap_may_be_object(o))) return NULL;
    if (UNLIKELY(o->class_id != class_id)) {
        struct class *c = class_of(o);
        do
            if ((c = c->super) == NULL) return NULL;
        while (c->shape.id != class_id);
    }
    return (char *)o + offset_in(id);
}

static ALWAYS_INLINE char *locate_static_quickly(uint32_t odd, jfieldID id, enum basic_type type, bool to_read) {
    if (UNLIKELY((odd & ~(uint32_t)POLL_FIELDS) != 0)) return NULL;
    struct field *f = field_without_place(id);
    if (UNLIKELY(!f || f->type != type || !(f->access_flags & ACC_STATIC) ||
                 (!to_read && f->access_flags & (ACC_VOLATILE | ACC_FINAL))))
        return NULL;
    return LIKELY(!field_is_watched(f) && class_is_initialized(f->holder)) ? (char *)f->holder->statics + f->offset
                                                                           : NULL;
}

/* Loads from the place and returns, if locate_to_load knows it. */
#define READ_UNANNOUNCED(Name, ...)                                                                \
    do {                                                                                           \
        const char *at = locate_to_load(thread_from_env(env), __VA_ARGS__);                        \
        if (LIKELY(at != NULL)) return load_##Name(at);                                            \
    } while (0)
/* Reads or writes at the place if it is found quickly, and returns. All that needs a C frame of its own is done in tail
 * position. */
#define READ_AT_A_GLANCE(Name, locate, ...)                                                        \
    do {                                                                                           \
        struct os_thread *self = thread_from_env(env);                                             \
        const char *at = locate(thread_glance_begin(self), __VA_ARGS__, true);                     \
        if (UNLIKELY(at == NULL)) break;                                                           \
        __typeof__(load_##Name(at)) v = load_##Name(at);                                           \
        return LIKELY(thread_glance_end(self)) ? v : report_and_return_##Name(self, v);              \
    } while (0)
#define WRITE_AT_A_GLANCE(Name, v, locate, ...)                                                    \
    do {                                                                                           \
        struct os_thread *self = thread_from_env(env);                                             \
        char *at = locate(thread_glance_begin(self), __VA_ARGS__, false);                          \
        if (UNLIKELY(at == NULL)) break;                                                           \
        store_##Name(at, v);                                                                       \
        if (UNLIKELY(!thread_glance_end(self))) thread_left_vm_slow(self);                         \
        return;                                                                                    \
    } while (0)

/* Volatile loads cost nothing more on the machines we know; stores do. */
#define ACCESS(Name, type, basic, member) \
    static inline uint64_t slot_##Name(type v) { \
        uint64_t slot = 0; \
        memcpy(&slot, &v, sizeof v); \
        return slot; \
    } \
    static inline type load_##Name(const char *at) { \
        type v; \
        __atomic_load((const type *)at, &v, __ATOMIC_SEQ_CST); \
        return v; \
    } \
    static inline void store_##Name(char *at, type v) { \
        if (basic == T_BOOLEAN) v = (type)((jboolean)v & 1); \
        __atomic_store((type *)at, &v, __ATOMIC_RELAXED); \
    } \
    static NOINLINE type get_##Name(JNIEnv *env, jobject h, jfieldID id, bool is_static, const char *function) { \
        NATIVE_ENTRY(env); \
        struct field *f; \
        enum basic_type found = type_to_read(id, basic); \
        struct object *o = is_static ? locate_static(self, id, found, &f, function) \
                                     : locate(self, h, id, found, &f, function); \
        if (!o) return 0; \
        TELL_ACCESS(f, o); \
        if (UNLIKELY(found != basic)) return (type)load_narrower((char *)o + f->offset, found); \
        return load_##Name((char *)o + f->offset); \
    } \
    static NOINLINE void set_##Name(JNIEnv *env, jobject h, jfieldID id, type v, bool is_static, \
        const char *function) { \
        NATIVE_ENTRY(env); \
        struct field *f; \
        struct object *o = is_static ? locate_static(self, id, basic, &f, function) \
            : locate(self, h, id, basic, &f, function); \
        if (!o) return; \
        TELL_MODIFICATION(f, o, slot_##Name(v)); \
        TELL_FINAL(f); \
        store_##Name((char *)o + f->offset, v); \
        if (f->access_flags & ACC_VOLATILE) atomic_thread_fence(memory_order_seq_cst); \
    } \
    static NOINLINE type report_and_return_##Name(struct os_thread *self, type v) { \
        thread_left_vm_slow(self); \
        return v; \
    } \
    type JNICALL jni_Get##Name##Field(JNIEnv *env, jobject h, jfieldID id) { \
        READ_UNANNOUNCED(Name, h, id, basic); \
        READ_AT_A_GLANCE(Name, locate_quickly, h, id, basic); \
        return get_##Name(env, h, id, false, JNI_NAME); \
    } \
    void JNICALL jni_Set##Name##Field(JNIEnv *env, jobject h, jfieldID id, type v) { \
        WRITE_AT_A_GLANCE(Name, v, locate_quickly, h, id, basic); \
        set_##Name(env, h, id, v, false, JNI_NAME); \
    } \
    type JNICALL jni_GetStatic##Name##Field(JNIEnv *env, UNUSED jclass c, jfieldID id) { \
        READ_AT_A_GLANCE(Name, locate_static_quickly, id, basic); \
        return get_##Name(env, NULL, id, true, JNI_NAME); \
    } \
    void JNICALL jni_SetStatic##Name##Field(JNIEnv *env, UNUSED jclass c, jfieldID id, type v) { \
        WRITE_AT_A_GLANCE(Name, v, locate_static_quickly, id, basic); \
        set_##Name(env, NULL, id, v, true, JNI_NAME); \
    }

/* Exact for every type that is narrower than another one. */
static double load_narrower(const char *at, enum basic_type type) {
    switch (type) {
    case T_BOOLEAN: return *(const jboolean *)at;
    case T_BYTE: return *(const jbyte *)at;
    case T_CHAR: return *(const jchar *)at;
    case T_SHORT: return *(const jshort *)at;
    case T_FLOAT: return (double)*(const jfloat *)at;
    default: return *(const jint *)at;
    }
}

JNI_PRIMITIVES(ACCESS)
