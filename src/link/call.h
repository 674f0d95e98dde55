/* call.h — calls from VM code up into Java, and throwing. Arguments are 64-bit slots as in a frame's locals: receiver
 * first, references as addresses, int-like values sign-extended to 64 bits (as int32_t), long and double in the FIRST
 * of their two slots, the second unused. Results likewise. */
#ifndef VITRINE_LINK_CALL_H
#define VITRINE_LINK_CALL_H

#include "link/hooks.h"
#include "thread/thread.h"
#include "vm/vm.h"

struct method;
struct class;

/* Runs m with args (m->arg_slots of them); false with the exception pending. No virtual dispatch. The result, if any,
 * goes to *result. */
static inline bool java_call(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result) {
    return link_hooks.invoke(self, m, args, result);
}
/* As above with dispatch on the receiver args[0] (non-null). */
bool java_call_virtual(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result);
/* Finds and runs a static/instance method by name; a missing one is a fatal error naming it. */
bool java_call_static_named(struct os_thread *self, struct class *c, const char *name, const char *desc,
                            const uint64_t *args, uint64_t *result);

static inline uint64_t slot_ref(struct object *o) { return (uint64_t)(uintptr_t)o; }
static inline struct object *slot_object(uint64_t s) { return (struct object *)(uintptr_t)s; }
static inline uint64_t slot_int(int32_t i) { return (uint64_t)(int64_t)i; }

/* ---- throwing: afterwards self->exception is set (to this, or to what went wrong on the way) --------------------- */
void throw_object(struct os_thread *self, struct object *throwable);
/* What -Xlog:exceptions calls it: class, address, message. malloc'd; NULL without memory. */
char *throwable_log_text(struct object *throwable);
void throw_new(struct os_thread *self, const char *class_name);    /* "java/lang/NullPointerException" */
void throw_message(struct os_thread *self, const char *class_name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* format NULL: the constructor that takes only a cause. */
void throw_cause(struct os_thread *self, const char *class_name, struct object *cause, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* What has failed before fails again with a new throwable like that one, whose stack trace is that of here: of its
 * class, with its message (`name` if it has none; NULL: none), and, if so wished, a cause like its own (JVMS 5.4.3). */
void throw_again(struct os_thread *self, struct object *failed, struct symbol *name, bool with_cause);
/* The preallocated ones: no Java code runs. */
void throw_out_of_memory(struct os_thread *self, const char *message);
void throw_stack_overflow(struct os_thread *self);
static inline struct object *exception_take(struct os_thread *self) {
    struct object *e = self->exception;
    thread_clean_stack(self, false);
    self->exception = 0;
    return e;
}

#endif
