/* Calling Java methods: Call<Type>Method, CallNonvirtual<Type>Method, CallStatic<Type>Method, NewObject; each with
 * variable arguments, a va_list, an array. */
#include "jni/jni_internal.h"

/* Where a call's arguments come from: `values`, or else `list`. */
struct arguments {
    const jvalue *values;
    va_list list;
};

/* Memory of the calling function's for the arguments, and no more: what earlier calls have left behind them would keep
 * objects alive as long as the method runs. */
#define SLOTS_OF(m) ((uint64_t *)__builtin_alloca(((m)->arg_slots + 1) * sizeof(uint64_t)))

/* Fills slots from the parameters' types. */
static void collect(struct arguments *a, const char *desc, uint64_t *slots, const char *function) {
    const jvalue *v = a->values;
    for (const char *p = desc + 1; *p && *p != ')'; p++) {
        switch (*p) {
        case 'Z': *slots++ = v ? (v++)->z != 0 : (jboolean)va_arg(a->list, jint) != 0; break;
        case 'B': *slots++ = slot_int(v ? (v++)->b : (jbyte)va_arg(a->list, jint)); break;
        case 'C': *slots++ = slot_int(v ? (v++)->c : (jchar)va_arg(a->list, jint)); break;
        case 'S': *slots++ = slot_int(v ? (v++)->s : (jshort)va_arg(a->list, jint)); break;
        case 'I': *slots++ = slot_int(v ? (v++)->i : va_arg(a->list, jint)); break;
        case 'J': *slots = (uint64_t)(v ? (v++)->j : va_arg(a->list, jlong)); slots += 2; break;
        case 'F': {
            jfloat f = v ? (v++)->f : (jfloat)va_arg(a->list, jdouble);
            uint32_t bits;
            memcpy(&bits, &f, sizeof bits);
            *slots++ = bits;
            break;
        }
        case 'D': {
            jdouble d = v ? (v++)->d : va_arg(a->list, jdouble);
            memcpy(slots, &d, sizeof d);
            slots += 2;
            break;
        }
        default:
            *slots++ = slot_ref(jni_get(v ? (v++)->l : va_arg(a->list, jobject), function));
            while (*p == '[') p++;
            if (*p == 'L') p = strchr(p, ';');
            break;
        }
    }
}

/* Why an id cannot be called so, as an InternalError that names the function: HotSpot would run something else,
 * or end. */
static NOINLINE void refuse_method(struct os_thread *self, jmethodID id, struct object *receiver, bool wants_static,
                                   const char *function) {
    REQUIRES(IN_VM);
    struct method *m = method_of_id(id);
    char *text = m ? jni_method_text(m->holder, m->name->bytes, m->desc->bytes) : NULL,
         *other = receiver ? class_external_name(class_of(receiver)) : NULL;
    bool is_static = m && (m->access_flags & ACC_STATIC) != 0;
    if (!m) throw_message(self, "java/lang/InternalError", "invalid jmethodID %p passed to %s", (void *)id, function);
    else if (is_static != wants_static)
        throw_message(self, "java/lang/InternalError", "%s method '%s' passed to %s", is_static ? "static" : "instance",
                      text ? text : "?", function);
    else if (receiver && !object_is_instance(receiver, m->holder))
        throw_message(self, "java/lang/InternalError", "method '%s' of an object of class %s passed to %s",
                      text ? text : "?", other ? other : "?", function);
    else throw_message(self, "java/lang/InternalError", "method '%s' passed to %s", text ? text : "?", function);
    mem_free(text);
    mem_free(other);
}

enum dispatch { DISPATCH_VIRTUAL, DISPATCH_NONE };
/* A function for objects and a method that returns a number, or the other way round: the number would be taken for an
 * address. */
enum wanted { WANTS_VALUE, WANTS_OBJECT, WANTS_NOTHING };

static inline bool fits(const struct method *m, enum wanted wanted) {
    bool reference = m->return_type == T_OBJECT || m->return_type == T_ARRAY;
    return wanted == WANTS_NOTHING || reference == (wanted == WANTS_OBJECT);
}

static uint64_t call_instance(struct os_thread *self, jobject receiver, jmethodID id, enum dispatch dispatch,
                              enum wanted wanted, struct arguments *a, const char *function) {
    uint64_t result = 0;
    if (UNLIKELY(self->exception)) return 0;
    struct object *o = jni_object(self, receiver, function);
    if (!o) return 0;
    struct method *m = method_of_id(id);
    if (UNLIKELY(!m || m->access_flags & ACC_STATIC || !jni_is_instance(o, m->holder) || !fits(m, wanted))) {
        refuse_method(self, id, o, false, function);
        return 0;
    }
    uint64_t *slots = SLOTS_OF(m);
    slots[0] = slot_ref(o);
    collect(a, m->desc->bytes, slots + 1, function);
    bool ok = dispatch == DISPATCH_VIRTUAL ? java_call_virtual(self, m, slots, &result)
                                           : java_call(self, m, slots, &result);
    return ok ? result : 0;
}

static uint64_t call_static(struct os_thread *self, jmethodID id, enum wanted wanted, struct arguments *a,
                            const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    uint64_t result = 0;
    if (UNLIKELY(self->exception)) return 0;
    struct method *m = method_of_id(id);
    if (UNLIKELY(!m || !(m->access_flags & ACC_STATIC) || !fits(m, wanted))) {
        refuse_method(self, id, NULL, true, function);
        return 0;
    }
    if (!holder_is_begun(self, m->holder)) return 0;
    uint64_t *slots = SLOTS_OF(m);
    collect(a, m->desc->bytes, slots, function);
    return java_call(self, m, slots, &result) ? result : 0;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static inline jobject to_Object(struct os_thread *self, uint64_t r) { return handle_local(self, slot_object(r)); }
static inline void to_Void(struct os_thread *self, uint64_t r) { (void)self; (void)r; }
static inline jboolean to_Boolean(struct os_thread *self, uint64_t r) { (void)self; return r & 1; }
static inline jbyte to_Byte(struct os_thread *self, uint64_t r) { (void)self; return (jbyte)r; }
static inline jchar to_Char(struct os_thread *self, uint64_t r) { (void)self; return (jchar)r; }
static inline jshort to_Short(struct os_thread *self, uint64_t r) { (void)self; return (jshort)r; }
static inline jint to_Int(struct os_thread *self, uint64_t r) { (void)self; return (jint)r; }
static inline jlong to_Long(struct os_thread *self, uint64_t r) { (void)self; return (jlong)r; }
static inline jfloat to_Float(struct os_thread *self, uint64_t r) {
    REQUIRES(IN_VM);
    (void)self;
    uint32_t bits = (uint32_t)r;
    jfloat f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline jdouble to_Double(struct os_thread *self, uint64_t r) {
    REQUIRES(IN_VM);
    (void)self;
    jdouble d;
    memcpy(&d, &r, sizeof d);
    return d;
}

/* ---- the families ------------------------------------------------------------------------------------------------ */

/* Three functions that differ in where the arguments come from. CALL evaluates to the result slot and sees `a`; the
 * rest are the parameters, the last one `id`. */
#define FAMILY(type, name, CALL, CONVERT, ...)                                                     \
    type JNICALL jni_##name(__VA_ARGS__, ...) {                                                    \
        NATIVE_ENTRY(env);                                                                         \
        struct arguments a = { .values = NULL };                                                   \
        va_start(a.list, id);                                                                      \
        uint64_t r = CALL;                                                                         \
        va_end(a.list);                                                                            \
        return CONVERT(self, r);                                                                   \
    }                                                                                              \
    type JNICALL jni_##name##V(__VA_ARGS__, va_list list) {                                        \
        NATIVE_ENTRY(env);                                                                         \
        struct arguments a = { .values = NULL };                                                   \
        va_copy(a.list, list);                                                                     \
        uint64_t r = CALL;                                                                         \
        va_end(a.list);                                                                            \
        return CONVERT(self, r);                                                                   \
    }                                                                                              \
    type JNICALL jni_##name##A(__VA_ARGS__, const jvalue *values) {                                \
        NATIVE_ENTRY(env);                                                                         \
        jvalue none;                                                                               \
        struct arguments a = { .values = values ? values : &none };                                \
        uint64_t r = CALL;                                                                         \
        return CONVERT(self, r);                                                                   \
    }

#define CALLS(Name, type, wanted) \
    FAMILY(type, Call##Name##Method, call_instance(self, receiver, id, DISPATCH_VIRTUAL, wanted, &a, JNI_NAME), \
        to_##Name, \
           JNIEnv *env, jobject receiver, jmethodID id) \
    FAMILY(type, CallNonvirtual##Name##Method, call_instance(self, receiver, id, DISPATCH_NONE, wanted, &a, \
        JNI_NAME), to_##Name, \
           JNIEnv *env, jobject receiver, UNUSED jclass c, jmethodID id) \
    FAMILY(type, CallStatic##Name##Method, call_static(self, id, wanted, &a, JNI_NAME), to_##Name, \
           JNIEnv *env, UNUSED jclass c, jmethodID id)
#define PRIMITIVE_CALLS(Name, type, basic, member) CALLS(Name, type, WANTS_VALUE)

JNI_PRIMITIVES(PRIMITIVE_CALLS)
CALLS(Object, jobject, WANTS_OBJECT)
CALLS(Void, void, WANTS_NOTHING)

/* ---- NewObject --------------------------------------------------------------------------------------------------- */

static uint64_t construct(struct os_thread *self, jclass handle, jmethodID id, struct arguments *a,
                          const char *function) {
    if (UNLIKELY(self->exception)) return 0;
    struct object *o = jni_allocate(self, jni_class(handle, function));
    if (!o) return 0;
    struct method *m = method_of_id(id);
    if (UNLIKELY(!m || !(m->flags & METHOD_INIT) || !object_is_instance(o, m->holder))) {
        refuse_method(self, id, o, false, function);
        return 0;
    }
    uint64_t *slots = SLOTS_OF(m);
    slots[0] = slot_ref(o);
    collect(a, m->desc->bytes, slots + 1, function);
    return java_call(self, m, slots, NULL) ? slot_ref(o) : 0;
}

FAMILY(jobject, NewObject, construct(self, c, id, &a, JNI_NAME), to_Object, JNIEnv *env, jclass c, jmethodID id)

struct object *jni_new_object(struct os_thread *self, struct class *c, const char *desc, uint64_t *args) {
    struct object *o = jni_allocate(self, c);
    if (!o) return NULL;
    struct method *m = class_method_cstr(c, "<init>", desc);
    if (!m || m->holder != c) {
        char *text = jni_method_text(c, "<init>", desc);
        throw_message(self, "java/lang/NoSuchMethodError", "%s", text ? text : desc);
        mem_free(text);
        return NULL;
    }
    args[0] = slot_ref(o);
    return java_call(self, m, args, NULL) ? o : NULL;
}
