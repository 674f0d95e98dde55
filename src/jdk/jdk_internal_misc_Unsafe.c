/* jdk_internal_misc_Unsafe.c — memory access, CAS, fields, classes, parking: the natives of Unsafe. */
#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/base.h"
#include "exec/unsafe_access.h"
#include "jdk/natives.h"
#include "probe/probe.h"
#include "thread/foreign_memory.h"
#include "thread/monitor.h"
#include "thread/native_entry.h"

/* Arguments: [0] this, [1] object, [2..3] offset, [4..] value. Static offsets are offsets in the statics object, which
 * is the base. A null base means an absolute address. */
static ALWAYS_INLINE char *address(uint64_t *args) { return (char *)(uintptr_t)args[1] + (intptr_t)args[2]; }

#define PLAIN memory_order_relaxed
#define VOLATILE memory_order_seq_cst
#define NATIVE(name) \
    static void name(struct os_thread *self UNUSED, struct method *m UNUSED, uint64_t *args UNUSED, \
                     uint64_t *result UNUSED)
#define ACCESSING(name) ACCESSES_FOREIGN_MEMORY NATIVE(name)

#define ACCESS(Name, type, slot_type) \
    ACCESSING(get##Name) { \
        type v; \
        memcpy(&v, address(args), sizeof v);             /* plain accesses may be unaligned */ \
        *result = (slot_type)v; \
    } \
    ACCESSING(get##Name##Volatile) { \
        *result = (slot_type)atomic_load_explicit((_Atomic type *)address(args), VOLATILE); \
    } \
    ACCESSING(put##Name) { \
        type v = (type)args[4]; \
        memcpy(address(args), &v, sizeof v); \
    } \
    ACCESSING(put##Name##Volatile) { \
        atomic_store_explicit((_Atomic type *)address(args), (type)args[4], VOLATILE); \
    }
ACCESS(Boolean, uint8_t, uint8_t)
ACCESS(Byte, int8_t, uint32_t)
ACCESS(Short, int16_t, uint32_t)
ACCESS(Char, uint16_t, uint32_t)
ACCESS(Int, uint32_t, uint32_t)
ACCESS(Long, uint64_t, uint64_t)
ACCESS(Float, uint32_t, uint32_t)
ACCESS(Double, uint64_t, uint64_t)

NATIVE(getReference) { *result = slot_ref(heap_load_ref(arg_object(args, 1), (size_t)args[2])); }
NATIVE(getReferenceVolatile) { *result = slot_ref(heap_load_ref_volatile(arg_object(args, 1), (size_t)args[2])); }
NATIVE(putReference) { heap_store_ref(arg_object(args, 1), (size_t)args[2], arg_object(args, 4)); }
NATIVE(putReferenceVolatile) { heap_store_ref_volatile(arg_object(args, 1), (size_t)args[2], arg_object(args, 4)); }
ACCESSING(getUncompressedObject) { *result = *(uint64_t *)(uintptr_t)args[1]; }

NATIVE(compareAndSetReference) {
    *result = heap_cas_ref(arg_object(args, 1), (size_t)args[2], arg_object(args, 4), arg_object(args, 5)) ==
              arg_object(args, 4);
}
NATIVE(compareAndExchangeReference) {
    *result = slot_ref(heap_cas_ref(arg_object(args, 1), (size_t)args[2], arg_object(args, 4), arg_object(args, 5)));
}
ACCESSING(compareAndSetInt) {
    uint32_t expected = (uint32_t)args[4];
    *result = atomic_compare_exchange_strong((_Atomic uint32_t *)address(args), &expected, (uint32_t)args[5]);
}
ACCESSING(compareAndExchangeInt) {
    uint32_t expected = (uint32_t)args[4];
    atomic_compare_exchange_strong((_Atomic uint32_t *)address(args), &expected, (uint32_t)args[5]);
    *result = expected;
}
ACCESSING(compareAndSetLong) {
    uint64_t expected = args[4];
    *result = atomic_compare_exchange_strong((_Atomic uint64_t *)address(args), &expected, args[6]);
}
ACCESSING(compareAndExchangeLong) {
    uint64_t expected = args[4];
    atomic_compare_exchange_strong((_Atomic uint64_t *)address(args), &expected, args[6]);
    *result = expected;
}

/* ---- native memory ----------------------------------------------------------------------------------------------- */

/* 0: none; the library throws. */
NATIVE(allocateMemory) { *result = (uint64_t)(uintptr_t)mem_alloc((size_t)args[1]); }
NATIVE(reallocateMemory) {
    *result = (uint64_t)(uintptr_t)mem_realloc((void *)(uintptr_t)args[1], (size_t)args[3]);
}
NATIVE(freeMemory) { mem_free((void *)(uintptr_t)args[1]); }

enum { STEP = 64 * 1024 };               /* longest stretch between polls */

/* setMemory0(Object o, long offset, long bytes, byte value). Aligned stretches are written in whole units, as the
 * specification of Unsafe asks. */
NATIVE(setMemory) {
    for (uint64_t done = 0, n = args[4]; done < n; done += STEP) {
        foreign_memory_begin(self);
        memset(address(args) + done, (int)args[6], MIN(n - done, (uint64_t)STEP));
        foreign_memory_end(self);
        thread_poll(self);
        if (self->exception) return;     /* the memory session was closed: the rest is no longer there */
    }
}
static ALWAYS_INLINE char *second_address(uint64_t *args) { return (char *)(uintptr_t)args[4] + (intptr_t)args[5]; }
/* copyMemory0(Object src, long srcOffset, Object dst, long dstOffset, long bytes) */
NATIVE(copyMemory) {
    char *src = address(args), *dst = second_address(args);
    uint64_t n = args[7];
    if (n <= STEP || (dst < src + n && src < dst + n)) {
        foreign_memory_begin(self);
        memmove(dst, src, n);
        foreign_memory_end(self);
        return;
    }
    for (uint64_t done = 0; done < n; done += STEP) {
        foreign_memory_begin(self);
        memcpy(dst + done, src + done, MIN(n - done, (uint64_t)STEP));
        foreign_memory_end(self);
        thread_poll(self);
        if (self->exception) return;     /* the memory session was closed: the rest is no longer there */
    }
}
static void copy_swapped(char *dst, const char *src, uint64_t n, unsigned unit, bool backwards) {
    for (uint64_t k = 0; k < n; k += unit) {
        uint64_t i = backwards ? n - unit - k : k;
        char t[8];
        for (unsigned b = 0; b < unit; b++) t[b] = src[i + unit - 1 - b];
        memcpy(dst + i, t, unit);
    }
}
/* copySwapMemory0(Object src, long srcOffset, Object dst, long dstOffset, long bytes, long elemSize) */
NATIVE(copySwapMemory) {
    char *src = address(args), *dst = second_address(args);
    foreign_memory_begin(self);
    copy_swapped(dst, src, args[7], (unsigned)args[9], dst > src && dst < src + args[7]);
    foreign_memory_end(self);
}
NATIVE(writebackPreSync) { atomic_thread_fence(memory_order_seq_cst); }
NATIVE(writeback) { __builtin_ia32_clflush((void *)(uintptr_t)args[1]); }
NATIVE(fullFence) { atomic_thread_fence(memory_order_seq_cst); }
NATIVE(loadFence) { atomic_thread_fence(memory_order_acquire); }
NATIVE(storeFence) { atomic_thread_fence(memory_order_release); }

/* ---- fields and arrays ------------------------------------------------------------------------------------------- */

/* The field that a Field object stands for; NULL with IllegalArgumentException pending when it is not static as
 * `is_static` says. */
static struct field *reflected(struct os_thread *self, struct object *field, bool is_static) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_of_mirror(heap_load_ref(field, known_offset(Field_clazz)));
    struct field *f = &c->fields[(uint32_t)field_load(field, known_offset(Field_slot), T_INT)];
    if (((f->access_flags & ACC_STATIC) != 0) == is_static) return f;
    throw_new(self, "java/lang/IllegalArgumentException");
    return NULL;
}
NATIVE(objectFieldOffset0) {
    struct field *f = reflected(self, arg_object(args, 1), false);
    if (f != NULL) *result = f->offset;
}
NATIVE(staticFieldOffset0) {
    struct field *f = reflected(self, arg_object(args, 1), true);
    if (f != NULL) *result = f->offset;
}
NATIVE(staticFieldBase0) {
    struct field *f = reflected(self, arg_object(args, 1), true);
    if (f != NULL) *result = slot_ref(f->holder->statics);
}
NATIVE(objectFieldOffset1) {
    struct class *c = class_of_mirror(arg_object(args, 1));
    struct symbol *name = symbol_from_string(arg_object(args, 2), false);
    struct field *found = NULL;
    for (struct class *k = c; k != NULL && found == NULL; k = k->super)
        for (uint32_t i = 0; i < k->field_count && found == NULL; i++)
            if (k->fields[i].name == name) found = &k->fields[i];
    if (name != NULL) symbol_release(name);
    if (found == NULL) { throw_new(self, "java/lang/InternalError"); return; }
    *result = found->offset;
}
NATIVE(arrayBaseOffset) {
    if (!class_is_array(class_of_mirror(arg_object(args, 1)))) {
        throw_new(self, "java/lang/InvalidClassException");
        return;
    }
    *result = ARRAY_DATA;
}
NATIVE(arrayIndexScale) {
    struct class *c = class_of_mirror(arg_object(args, 1));
    if (!class_is_array(c)) { throw_new(self, "java/lang/InvalidClassException"); return; }
    *result = (uint64_t)1 << c->shape.element_shift;
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

NATIVE(shouldBeInitialized) { *result = !class_is_initialized(class_of_mirror(arg_object(args, 1))); }
NATIVE(ensureClassInitialized) {
    struct class *c = class_of_mirror(arg_object(args, 1));
    if (!class_is_primitive(c)) class_ensure_initialized(self, c);
}
NATIVE(allocateInstance) {
    struct class *c = class_of_mirror(arg_object(args, 1));
    if (class_is_array(c) || class_is_primitive(c) || c->is_abstract || c == known_class(java_lang_Class)) {
        char *name = class_external_name(c);
        throw_message(self, "java/lang/InstantiationException", "%s", name ? name : "?");
        mem_free(name);
        return;
    }
    if (!class_ensure_initialized(self, c)) return;
    struct object *instance = heap_alloc_instance(self, &c->shape);
    if (instance != NULL) probe_vm_object_alloc(self, instance);
    *result = slot_ref(instance);
}
NATIVE(throwException) {
    struct object *e = arg_object(args, 1);
    if (e == NULL) throw_new(self, "java/lang/NullPointerException");
    else throw_object(self, e);
}
/* defineClass0(String name, byte[] b, int off, int len, ClassLoader loader, ProtectionDomain pd) */
NATIVE(defineClass0) {
    struct object *bytes = arg_object(args, 2);
    int32_t offset = arg_int(args, 3), length = arg_int(args, 4);
    if (bytes == NULL) { throw_new(self, "java/lang/NullPointerException"); return; }
    if (offset < 0 || length < 0 || offset > array_length(bytes) - length) {
        throw_new(self, "java/lang/ArrayIndexOutOfBoundsException");
        return;
    }
    struct symbol *name = arg_object(args, 1) ? symbol_from_string(arg_object(args, 1), true) : NULL;
    if (name == NULL && arg_object(args, 1) != NULL) {
        char *text = string_dup_utf8(arg_object(args, 1));
        throw_message(self, "java/lang/NoClassDefFoundError", "Class name exceeds maximum length of %u: %s", UINT16_MAX,
                      text != NULL ? text : "?");
        mem_free(text);
        return;
    }
    struct loader *loader = loader_of_object(self, arg_object(args, 5));
    if (loader != NULL) {
        struct define_args d = {.name = name,
                                .bytes = (const uint8_t *)array_data(bytes) + offset,
                                .length = (size_t)length,
                                .protection_domain = arg_object(args, 6),
                                .source = "__ClassLoader::defineClass__"};
        struct class *c = class_define(self, loader, &d);
        if (c != NULL) *result = slot_ref(c->mirror);
    }
    if (name != NULL) symbol_release(name);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

NATIVE(park) { thread_park(self, args[1] & 1, arg_long(args, 2)); }
NATIVE(unpark) {
    struct object *mirror = arg_object(args, 1);
    if (mirror == NULL) return;
    threads_lock(self);
    struct java_thread *t = thread_of_mirror(mirror);
    if (t != NULL) thread_unpark(t);
    threads_unlock(self);
}
static void JNICALL park_by_jni(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time) {
    NATIVE_ENTRY(env);
    (void)unsafe;
    thread_park(self, absolute, time);
}
static void JNICALL unpark_by_jni(JNIEnv *env, jobject unsafe, jobject thread) {
    NATIVE_ENTRY(env);
    uint64_t args[2] = {0, slot_ref(handle_get(thread))};
    (void)unsafe;
    unpark(self, NULL, args, NULL);
}

/* Profilers put their own function in front of park: they call this method with an own RegisterNatives in JNI's table,
 * which gives them the VM's function, and register theirs, which calls it. */
NATIVE(registerNatives) {
    static const JNINativeMethod methods[] = {{(char *)"park", (char *)"(ZJ)V", (void *)park_by_jni},
                                              {(char *)"unpark", (char *)"(Ljava/lang/Object;)V",
                                                  (void *)unpark_by_jni}};
    if (atomic_load(&vm->phase) != PHASE_LIVE) return;   /* the library's own call: they are bound */
    thread_to_native(self);
    JNIEnv *env = thread_env(self);
    (*env)->RegisterNatives(env, (jclass)&m->holder->mirror, methods, ARRAY_LEN(methods));
    thread_from_native(self);
}
NATIVE(getLoadAverage0) {
    double loads[3];
    struct object *out = arg_object(args, 1);
    int32_t wanted = arg_int(args, 2);
    int n = getloadavg(loads, MIN(wanted, 3));
    for (int i = 0; i < n && i < array_length(out); i++) ((double *)array_data(out))[i] = loads[i];
    *result = (uint32_t)n;
}

/* ---- accesses to watched fields: reflection and variable handles come here too ----------------------------------- */

/* `type` is that of the access: a field of a narrower one is reported when the access covers it and, written, changes
 * it. False: a tool's callback left an exception pending. */
static bool report_field(struct os_thread *self, struct field *f, struct object *base, uint64_t *args,
                         enum basic_type type, uint8_t kinds, uint64_t value) {
    uint64_t shift = 8 * (f->offset - (uint64_t)args[2]),
             mask = basic_type_size(f->type) == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * basic_type_size(f->type)) - 1;
    struct frame *frame = self->java->frame;
    struct object *reported = f->access_flags & ACC_STATIC ? NULL : base;
    uint8_t wanted = kinds & atomic_load(&f->watch);
    if (basic_type_size(f->type) != basic_type_size(type)) {
        value = value >> shift & mask;
        if (((field_load(base, f->offset, f->type) ^ value) & mask) == 0) wanted &= FIELD_WATCH_ACCESS;
    }
    if (wanted & FIELD_WATCH_ACCESS) probe_field_access(self, frame, f, reported);
    if (self->exception == NULL && wanted & FIELD_WATCH_MODIFICATION)
        probe_field_modification(self, frame, f, reported, value);
    return self->exception == NULL;
}

/* Tells of the watched fields in what is about to be read, or written with value. False: exception pending. */
static bool report_access(struct os_thread *self, uint64_t *args, enum basic_type type, uint8_t kinds, uint64_t value) {
    REQUIRES(IN_VM);
    struct object *base = arg_object(args, 1);
    if (base == NULL || shape_of(base)->kind == SHAPE_REF_ARRAY || shape_of(base)->kind == SHAPE_PRIM_ARRAY)
        return true;
    bool is_static = shape_of(base)->kind == SHAPE_STATICS;
    struct class *c = is_static ? class_of_statics(base) : class_of(base);
    uint64_t start = args[2], end = start + basic_type_size(type);
    for (; c != NULL; c = is_static ? NULL : c->super)
        for (uint32_t i = 0; i < c->field_count; i++) {
            struct field *f = &c->fields[i];
            bool reference = f->type == T_OBJECT || f->type == T_ARRAY;
            if (!field_is_watched(f) || ((f->access_flags & ACC_STATIC) != 0) != is_static ||
                reference != (type == T_OBJECT))
                continue;
            if (f->offset < start || f->offset + basic_type_size(f->type) > end) continue;
            if (!report_field(self, f, base, args, type, kinds, value)) return false;
        }
    return true;
}

#define REPORTED_READ(name, type) \
    NATIVE(name##_reported) { if (report_access(self, args, type, FIELD_WATCH_ACCESS, 0)) name(self, m, args, result); }
#define REPORTED_WRITE(name, type) \
    NATIVE(name##_reported) { \
        if (report_access(self, args, type, FIELD_WATCH_MODIFICATION, args[4])) name(self, m, args, result); \
    }
/* A read, and a write if it is going to succeed. */
#define REPORTED_EXCHANGE(name, type, succeeds, value) \
    NATIVE(name##_reported) { \
        uint8_t kinds = FIELD_WATCH_ACCESS | ((succeeds) ? FIELD_WATCH_MODIFICATION : 0); \
        if (report_access(self, args, type, kinds, value)) name(self, m, args, result); \
    }
#define REPORTED_FAMILY(Name, type) \
    REPORTED_READ(get##Name, type) REPORTED_READ(get##Name##Volatile, type) REPORTED_WRITE(put##Name, type) \
    REPORTED_WRITE(put##Name##Volatile, type)
REPORTED_FAMILY(Reference, T_OBJECT)
REPORTED_FAMILY(Boolean, T_BOOLEAN) REPORTED_FAMILY(Byte, T_BYTE) REPORTED_FAMILY(Short, T_SHORT)
    REPORTED_FAMILY(Char, T_CHAR) REPORTED_FAMILY(Int, T_INT) REPORTED_FAMILY(Long, T_LONG)
    REPORTED_FAMILY(Float, T_FLOAT) REPORTED_FAMILY(Double, T_DOUBLE)

        static bool holds_reference(uint64_t *args) {
    return heap_load_ref(arg_object(args, 1), (size_t)args[2]) == arg_object(args, 4);
}
static bool holds_int(uint64_t *args) { return atomic_load((_Atomic uint32_t *)address(args)) == (uint32_t)args[4]; }
static bool holds_long(uint64_t *args) { return atomic_load((_Atomic uint64_t *)address(args)) == args[4]; }
REPORTED_EXCHANGE(compareAndSetReference, T_OBJECT, holds_reference(args), args[5])
REPORTED_EXCHANGE(compareAndExchangeReference, T_OBJECT, holds_reference(args), args[5])
REPORTED_EXCHANGE(compareAndSetInt, T_INT, holds_int(args), args[5])
REPORTED_EXCHANGE(compareAndExchangeInt, T_INT, holds_int(args), args[5])
REPORTED_EXCHANGE(compareAndSetLong, T_LONG, holds_long(args), args[6])
REPORTED_EXCHANGE(compareAndExchangeLong, T_LONG, holds_long(args), args[6])

#define TELLS(name) {name, name##_reported}
#define TELLS_FAMILY(Name) TELLS(get##Name), TELLS(get##Name##Volatile), TELLS(put##Name), TELLS(put##Name##Volatile)
static const struct { intrinsic_function plain, reported; } accesses[] = {
    TELLS_FAMILY(Reference), TELLS_FAMILY(Boolean), TELLS_FAMILY(Byte), TELLS_FAMILY(Short), TELLS_FAMILY(Char),
    TELLS_FAMILY(Int), TELLS_FAMILY(Long),
    TELLS_FAMILY(Float), TELLS_FAMILY(Double), TELLS(compareAndSetReference), TELLS(compareAndExchangeReference),
    TELLS(compareAndSetInt),
    TELLS(compareAndExchangeInt), TELLS(compareAndSetLong), TELLS(compareAndExchangeLong),
};

void unsafe_report_fields(struct class *c, bool on) {
    for (struct method *m = NULL; (m = class_next_method(c, m)) != NULL;) {
        for (size_t k = 0; m->entry == ENTRY_INTRINSIC && k < ARRAY_LEN(accesses); k++)
            if (m->intrinsic == (on ? accesses[k].plain : accesses[k].reported)) {
                m->intrinsic = on ? accesses[k].reported : accesses[k].plain;
                break;
            }
    }
    unsafe_accesses_reported(on);
}

#define FAMILY(Name) {"get" #Name, NULL, get##Name, IN_BOTH}, \
{"get" #Name "Volatile", NULL, get##Name##Volatile, IN_BOTH}, \
                     {"put" #Name, NULL, put##Name, IN_BOTH}, {"put" #Name "Volatile", NULL, put##Name##Volatile, \
                         IN_BOTH}
static const struct native_binding bindings[] = {
    {"registerNatives", "()V", registerNatives, IN_BOTH},
    FAMILY(Reference), FAMILY(Boolean), FAMILY(Byte), FAMILY(Short), FAMILY(Char), FAMILY(Int), FAMILY(Long),
    FAMILY(Float), FAMILY(Double),
    {"getUncompressedObject", NULL, getUncompressedObject, IN_BOTH},
    {"compareAndSetReference", NULL, compareAndSetReference, IN_BOTH},
    {"compareAndExchangeReference", NULL, compareAndExchangeReference, IN_BOTH},
    {"compareAndSetInt", NULL, compareAndSetInt, IN_BOTH},
    {"compareAndExchangeInt", NULL, compareAndExchangeInt, IN_BOTH},
    {"compareAndSetLong", NULL, compareAndSetLong, IN_BOTH},
    {"compareAndExchangeLong", NULL, compareAndExchangeLong, IN_BOTH},
    {"allocateMemory0", NULL, allocateMemory, IN_BOTH}, {"reallocateMemory0", NULL, reallocateMemory, IN_BOTH},
    {"freeMemory0", NULL, freeMemory, IN_BOTH},
    {"setMemory0", NULL, setMemory, IN_BOTH}, {"copyMemory0", NULL, copyMemory, IN_BOTH},
    {"copySwapMemory0", NULL, copySwapMemory, IN_BOTH},
    {"writeback0", NULL, writeback, IN_BOTH}, {"writebackPreSync0", NULL, writebackPreSync, IN_BOTH},
    {"writebackPostSync0", NULL, writebackPreSync, IN_BOTH},
    {"fullFence", NULL, fullFence, IN_BOTH}, {"loadFence", NULL, loadFence, IN_17},
    {"storeFence", NULL, storeFence, IN_17},
    {"objectFieldOffset0", NULL, objectFieldOffset0, IN_BOTH},
    {"objectFieldOffset1", NULL, objectFieldOffset1, IN_BOTH},
    {"staticFieldOffset0", NULL, staticFieldOffset0, IN_BOTH}, {"staticFieldBase0", NULL, staticFieldBase0, IN_BOTH},
    {"arrayBaseOffset0", NULL, arrayBaseOffset, IN_BOTH}, {"arrayIndexScale0", NULL, arrayIndexScale, IN_BOTH},
    {"shouldBeInitialized0", NULL, shouldBeInitialized, IN_BOTH},
    {"ensureClassInitialized0", NULL, ensureClassInitialized, IN_BOTH},
    {"allocateInstance", NULL, allocateInstance, IN_BOTH}, {"throwException", NULL, throwException, IN_BOTH},
    {"defineClass0", NULL, defineClass0, IN_BOTH},
    {"park", NULL, park, IN_BOTH}, {"unpark", NULL, unpark, IN_BOTH},
    {"getLoadAverage0", NULL, getLoadAverage0, IN_BOTH},
};
const struct native_class natives_jdk_internal_misc_Unsafe = {"jdk/internal/misc/Unsafe", bindings, ARRAY_LEN(bindings),
                                                              IN_BOTH};
