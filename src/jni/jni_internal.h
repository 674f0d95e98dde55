/* What the files of the JNI room share: prototypes of all table functions, decoding of handles, type families. */
#ifndef VITRINE_JNI_JNI_INTERNAL_H
#define VITRINE_JNI_JNI_INTERNAL_H

#include <jni.h>

#include "base/alloc.h"
#include "base/base.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/table.h"
#include "exec/exec.h"
#include "heap/heap.h"
#include "jni_gen.h"
#include "jni/jni_room.h"
#include "link/link.h"
#include "link/module.h"
#include "thread/handle.h"
#include "thread/monitor.h"
#include "thread/native_entry.h"

/* jni_FindClass and so on, with the types that stand in the table. */
#define JNI_FUNCTION(name) extern __typeof__(*((struct JNINativeInterface_ *)0)->name) jni_##name;
JNI_FUNCTIONS(JNI_FUNCTION)
#undef JNI_FUNCTION

/* vm->jni_state. */
struct jni_state {
    void *java_library;                  /* libjava                                                                */
    const struct JNINativeInterface_ *_Atomic active; /* the table in use, but for checking and tracing before it */
    struct lent_table *lent;             /* lent.c; NULL without -Xcheck:jni                                       */
    struct lock library_lock;
    VEC(struct jni_library *) libraries; /* native_library.c; under library_lock                                */
};

/* exception.c: the Java frames of a thread, one a line, where the VM prints. State: IN_VM. */
void jni_print_stack(struct os_thread *self);
/* The end of the process after an error of native code has been reported: the embedder's abort hook, then abort(). */
_Noreturn void jni_abort(void);

/* native_library.c: takes a library that the VM has opened and started itself among those of the class loaders. */
bool native_library_adopt(void *handle);
/* Primitive type families: ONE(Name, type, basic type, member of jvalue). */
#define JNI_PRIMITIVES(ONE)                                                                        \
    ONE(Boolean, jboolean, T_BOOLEAN, z)                                                           \
    ONE(Byte, jbyte, T_BYTE, b)                                                                    \
    ONE(Char, jchar, T_CHAR, c)                                                                    \
    ONE(Short, jshort, T_SHORT, s)                                                                 \
    ONE(Int, jint, T_INT, i)                                                                       \
    ONE(Long, jlong, T_LONG, j)                                                                    \
    ONE(Float, jfloat, T_FLOAT, f)                                                                 \
    ONE(Double, jdouble, T_DOUBLE, d)

/* In jni_GetVersion: "GetVersion". */
#define JNI_NAME (__func__ + sizeof "jni_" - 1)

/* Until the end of the block an exception that is pending is set aside; then it is pending again, unless another one
 * has taken its place. Programs call with one pending, whatever the specification says, and HotSpot lets them. IN_VM.
 */
#define PENDING_ASIDE(thread) \
    __attribute__((cleanup(pending_aside_end), unused)) struct pending_aside aside = pending_aside_begin(thread)
struct pending_aside {
    struct os_thread *self;
    struct object *exception;
};
static inline struct pending_aside pending_aside_begin(struct os_thread *self) {
    struct pending_aside aside = {self, self->exception};
    self->exception = NULL;
    return aside;
}
static inline void pending_aside_end(struct pending_aside *aside) {
    if (aside->self->exception == NULL) aside->self->exception = aside->exception;
}

/* What a reference leads to that cannot be one: the end of the process, with the function's name. */
_Noreturn void jni_bad_reference(jobject h, const char *function);
/* Object behind a handle; NULL for null, deleted and cleared ones. One that was forged, or kept beyond its life, leads
 * to the end where a comparison tells. */
static inline struct object *jni_get(jobject h, const char *function) {
    struct object *o = handle_get(h);
    if (UNLIKELY(o && !heap_may_be_object(o))) jni_bad_reference(h, function);
    return o;
}

/* object_is_instance; without a look at the object's class where it is this one. */
static inline bool jni_is_instance(struct object *o, struct class *c) {
    return LIKELY(o->class_id == c->shape.id) || object_is_instance(o, c);
}

/* The class a jclass stands for; NULL handle or no java.lang.Class: NULL. */
static inline struct class *jni_class(jclass c, const char *function) {
    struct object *mirror = jni_get(c, function);
    return mirror && shape_of(mirror)->kind == SHAPE_MIRROR ? class_of_mirror(mirror) : NULL;
}
static inline jclass jni_class_handle(struct os_thread *self, struct class *c) {
    return c ? handle_local(self, class_mirror(c)) : NULL;
}

/* NullPointerException, also in place of one that is pending. IN_VM. */
void jni_throw_null(struct os_thread *self);
/* Object behind a handle that must not be null; NULL with NullPointerException pending. */
static inline struct object *jni_object(struct os_thread *self, jobject h, const char *function) {
    struct object *o = jni_get(h, function);
    if (UNLIKELY(!o)) jni_throw_null(self);
    return o;
}

/* Allocates an instance and runs the constructor with this descriptor; args[0] is filled in. NULL:
 * exception pending. */
struct object *jni_new_object(struct os_thread *self, struct class *c, const char *desc, uint64_t *args);

/* For a static member by its id. Getting the id has initialised the class, or was done within its initializer: other
 * threads do not wait for that one then, nor mind that it failed, as on HotSpot. Ids from JVM TI may be of classes that
 * are not initialised yet. */
static inline bool holder_is_begun(struct os_thread *self, struct class *c) {
    return LIKELY(atomic_load_explicit(&c->state, memory_order_acquire) >= CLASS_INITIALIZING) ||
           class_initialize(self, c);
}

#endif
