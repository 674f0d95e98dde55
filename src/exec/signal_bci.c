/* signal_bci.c — where an engine is when a signal interrupts it. The youngest frame says only where it last called,
 * polled or allocated. In compiled code the program counter tells. The interpreter has the position in a register.
 * Which one is the compiler's choice, so the registers that calls preserve are looked at first: a word that points to
 * an instruction of the running method is the position, or was it a moment ago. */
#include "exec/exec.h"
#include "exec/frame_cursor.h"
#include "exec/hooks.h"

#include <ucontext.h>

#include "base/base.h"

#ifdef __x86_64__
static const int registers[] = {REG_RBX, REG_R12, REG_R13, REG_R14, REG_R15, REG_RDX, REG_RCX,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11, REG_RAX};
enum { PRESERVED = 5 };

/* The bci that one of the registers [from, to) holds; -1: none does. */
static int32_t position_in(const struct method_code *code, const ucontext_t *u, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        uint64_t at = (uint64_t)u->uc_mcontext.gregs[registers[i]] - (uint64_t)(uintptr_t)code->code;
        if (at <= UINT16_MAX && code_is_location(code, (int64_t)at)) return (int32_t)at;
    }
    return -1;
}

static int32_t position(const struct method_code *code, bool is_compiled, const void *ucontext) {
    const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
    int32_t bci = exec_hooks.compiled_bci(current_thread(), code, (const void *)(uintptr_t)r[REG_RIP],
                                          (const void *)(uintptr_t)r[REG_RSP]);
    if (bci != COMPILED_BCI_NOT_HERE) return bci;
    if (is_compiled) return COMPILED_BCI_RECORD;         /* what it calls runs, and its record is current           */
    bci = position_in(code, ucontext, 0, PRESERVED);
    return bci >= 0 ? bci : position_in(code, ucontext, PRESERVED, ARRAY_LEN(registers));
}
/* The thread's youngest frame. */
static struct frame *youngest(const struct java_thread *self, const void *ucontext) {
    const greg_t *r = ucontext != NULL ? ((const ucontext_t *)ucontext)->uc_mcontext.gregs : NULL;
    bool is_in_register = r != NULL && exec_hooks.frame_is_in_register((const void *)(uintptr_t)r[REG_RIP]);
    return is_in_register ? (struct frame *)(uintptr_t)r[REG_RBX] : *(struct frame *const volatile *)&self->frame;
}
static uint32_t inlined(const struct method_code *code, const void *ucontext, struct inlined_position *out) {
    const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
    return exec_hooks.inlined_at(current_thread(), code, (const void *)(uintptr_t)r[REG_RIP],
                                 (const void *)(uintptr_t)r[REG_RSP], out);
}
#else
static struct frame *youngest(const struct java_thread *self, const void *ucontext UNUSED) {
    return *(struct frame *const volatile *)&self->frame;
}
static uint32_t inlined(const struct method_code *code UNUSED, const void *ucontext UNUSED,
                        struct inlined_position *out UNUSED) {
    return 0;
}
static int32_t position(const struct method_code *code UNUSED, bool is_compiled UNUSED, const void *ucontext UNUSED) {
    return -1;
}
#endif

/* What has inlined f, and runs now: f is just still the youngest, since nobody has wanted another behind its call. Or f
 * itself, whose callee runs. */
static struct frame_cursor running(struct frame_cursor c) {
    struct frame_cursor inliner = c;
    while (cursor_valid(&inliner) && cursor_in_place(&inliner) && inliner.frame->flags & FRAME_INLINED)
        frame_next(&inliner);
    bool is_found = inliner.frame != c.frame && cursor_valid(&inliner) && cursor_in_place(&inliner);
    if (is_found && position(inliner.frame->code, true, c.ucontext) >= 0) c.frame = inliner.frame;
    return c;
}

struct frame_cursor frame_first_at_signal(const struct java_thread *self, const void *ucontext) {
    PROMISES_NO_SAFEPOINT();
    struct frame_cursor c = {.thread = self, .frame = youngest(self, ucontext), .ucontext = ucontext};
    return ucontext != NULL ? running(c) : c;
}

int32_t frame_bci_at_signal(const struct frame *f, const void *ucontext) {
    PROMISES_NO_SAFEPOINT();
    if (f->flags & FRAME_NATIVE) return -1;
    if (f->flags & FRAME_INLINED) return frame_bci(f);   /* it is the youngest only while its record is current     */
    int32_t bci = ucontext != NULL ? position(f->code, f->flags & FRAME_COMPILED, ucontext) : -1;
    return bci >= 0 ? bci : frame_bci(f);
}

uint32_t frame_inlined_at_signal(const struct frame *f, const void *ucontext,
                                 struct inlined_position out[INLINED_POSITIONS]) {
    PROMISES_NO_SAFEPOINT();
    bool has_code = (f->flags & (FRAME_COMPILED | FRAME_INLINED)) == FRAME_COMPILED;
    return ucontext != NULL && has_code ? inlined(f->code, ucontext, out) : 0;
}
