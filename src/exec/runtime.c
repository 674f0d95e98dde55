/* runtime.c — instructions as functions, as the interpreter does them: for engines that do not do them themselves.
 * JVMS 6.5. */
#include "exec/exec_internal.h"

#include <math.h>

static struct object *top_object(struct os_thread *self, const struct frame *f) {
    struct object *o = slot_object(f->sp[-1]);
    if (o == NULL) throw_new(self, "java/lang/NullPointerException");
    return o;
}

bool runtime_athrow(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *o = top_object(self, f);
    if (o != NULL) self->exception = o;
    return false;
}

bool runtime_monitorenter(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *o = top_object(self, f);
    if (o == NULL) return false;
    f->sp--;
    if (UNLIKELY(!monitor_enter_fast(self, o, f))) {
        f->pc++;                         /* a thread that waits here is seen behind the instruction, as on HotSpot  */
        bool entered = monitor_enter(self, o, f);
        f->pc--;
        if (!entered) return false;
    }
    f->flags |= FRAME_HOLDS_LOCKS;
    return true;
}

bool runtime_monitorexit(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *o = top_object(self, f);
    if (o == NULL) return false;
    if (UNLIKELY(!monitor_exit_fast(self, o, f)) && UNLIKELY(!monitor_exit_of(self, o, f))) {
        throw_new(self, "java/lang/IllegalMonitorStateException");
        return false;
    }
    f->sp--;
    return true;
}

struct object *runtime_new_array(struct os_thread *self, struct frame *f, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *o = new_multi_array(self, c, f->sp - 1, 1);
    if (o != NULL) f->sp--;
    return o;
}

bool runtime_multianewarray(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint16_t index;
    memcpy(&index, f->pc + 1, sizeof index);
    struct class *c = resolve_class(self, f->code->owner, index);
    if (c == NULL) return false;
    unsigned n = f->pc[3];
    struct object *o = new_multi_array(self, c, f->sp - n, n);
    if (o == NULL) return false;
    f->sp -= n;
    *f->sp++ = slot_ref(o);
    return true;
}

double remainder_of(double x, double y) {
#ifdef __x86_64__
    /* The x87 unit takes off 63 bits of the quotient at a time, where fmod of older C libraries takes one.          */
    long double rest = x, by = y;
    __asm__("1: fprem\n\t"
            "fnstsw %%ax\n\t"
            "testb $4, %%ah\n\t"
            "jnz 1b"
            : "+t"(rest)
            : "u"(by)
            : "ax", "cc");
    return (double)rest;
#else
    return fmod(x, y);
#endif
}

bool leaf_frem(const uint64_t *args, uint64_t *result) {
    float a, b;
    memcpy(&a, &args[0], sizeof a);
    memcpy(&b, &args[1], sizeof b);
    a = (float)remainder_of(a, b);
    *result = 0;
    memcpy(result, &a, sizeof a);
    return true;
}

bool leaf_drem(const uint64_t *args, uint64_t *result) {
    double a, b;
    memcpy(&a, &args[0], sizeof a);
    memcpy(&b, &args[2], sizeof b);
    a = remainder_of(a, b);
    memcpy(result, &a, sizeof a);
    return true;
}

bool runtime_frem(struct os_thread *self UNUSED, struct frame *f) {
    f->sp--;
    return leaf_frem(f->sp - 1, f->sp - 1);
}

bool runtime_drem(struct os_thread *self UNUSED, struct frame *f) {
    f->sp -= 2;
    return leaf_drem(f->sp - 2, f->sp - 2);
}
