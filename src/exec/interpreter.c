/* interpreter.c — the threaded-code interpreter over the frame contract of exec/frame.h: registers and dispatch. The
 * instructions stand by families in ops_*.inc. JVMS 6.5. */
#include "exec/count.h"
#include "exec/exec_internal.h"
#include "exec/intrinsic.h"
#include "exec/stack_map.h"
#include "exec/unwind.h"

#include <math.h>

#include "base/base.h"
#include "base/log.h"

/* Registers of the machine: pc, sp (first free slot), locals, frame, cells, and the dispatch table. The table is
 * reloaded where a stop may be asked for: method entry, return, backward branch, handler, after each runtime call.
 *
 * Slots hold ints zero- or sign-extended: readers take the low 32 bits. */

#define INT(i) ((int32_t)sp[i])
#define SET_INT(i, v) (sp[i] = (uint32_t)(v))
#define LONG(i) ((int64_t)sp[i])
#define REF(i) ((struct object *)(uintptr_t)sp[i])
#define SET_REF(i, v) (sp[i] = (uint64_t)(uintptr_t)(v))

static ALWAYS_INLINE float slot_float(uint64_t s) { union { uint32_t i; float f; } u = {.i = (uint32_t)s}; return u.f; }
static ALWAYS_INLINE uint64_t float_slot(float f) { union { float f; uint32_t i; } u = {.f = f}; return u.i; }
static ALWAYS_INLINE double slot_double(uint64_t s) { union { uint64_t i; double d; } u = {.i = s}; return u.d; }
static ALWAYS_INLINE uint64_t double_slot(double d) { union { double d; uint64_t i; } u = {.d = d}; return u.i; }

static ALWAYS_INLINE uint16_t u2(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return v; }
static ALWAYS_INLINE int16_t s2(const uint8_t *p) { int16_t v; memcpy(&v, p, 2); return v; }
static ALWAYS_INLINE int32_t s4(const uint8_t *p) { int32_t v; memcpy(&v, p, 4); return v; }

static ALWAYS_INLINE int32_t float_to_int(double d) {
    if (d != d) return 0;
    if (d >= 2147483647.0) return INT32_MAX;
    if (d <= -2147483648.0) return INT32_MIN;
    return (int32_t)d;
}
static ALWAYS_INLINE int64_t float_to_long(double d) {
    if (d != d) return 0;
    if (d >= 9223372036854775807.0) return INT64_MAX;
    if (d <= -9223372036854775808.0) return INT64_MIN;
    return (int64_t)d;
}

NOINLINE bool exec_enter_uncommon(struct os_thread *self, struct frame *frame) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (frame->code->uncommon & CODE_UNMAPPED) stack_maps_prepare(frame->code);
    if (!(frame->code->uncommon & CODE_SYNCHRONIZED)) return true;
    struct method *m = frame_method(frame);
    struct object *o = m->access_flags & ACC_STATIC ? m->holder->mirror : slot_object(frame_locals(frame)[0]);
    if (!monitor_enter_fast(self, o, frame) && !monitor_enter(self, o, frame)) return false;
    frame->flags |= FRAME_HOLDS_LOCKS;
    return true;
}

enum resumption interpret(struct os_thread *self, struct frame *entry, bool begun, uint64_t *result) {
    static const void *const fast_table[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = &&do_##name,
#include "classfile/opcodes.def"
#undef OPCODE
#define QUICK(name, base, form, cell, fused) [OP_##name] = &&do_##name,
#include "exec/quick.def"
#undef QUICK
        [OP_breakpoint] = &&do_breakpoint,
    };
    static const void *trap_table[256];

    if (UNLIKELY(entry == NULL)) {       /* exec_create asks for the tables */
        for (int i = 0; i < 256; i++) trap_table[i] = &&do_trap;
        threads_set_dispatch(fast_table, trap_table);
        return RESUME_RETURNED;
    }

    /* From here on an object may be in a C variable only as long as nothing is called: the collector does not look at
     * this frame. */
    thread_begin_below(self);
    struct java_thread *const jt = self->java;
    const uint32_t boolean_array_id = vm->exec->boolean_array_id;
    const void *const *dispatch;
    struct frame *frame = entry;
    uint64_t *locals = frame_locals(frame);
    uint64_t *sp = frame->sp;
    const uint8_t *pc = frame->pc;
    _Atomic uint64_t *cells = frame->code->cells;
    struct method *m, *callee;           /* on the way to invoke:                      */
    struct method_code *code;
    uint32_t arg_slots;
    uint64_t *callee_locals;
    struct object *o;
    uint64_t value;                      /* being returned                             */
    struct field *field;                 /* watched, being accessed                    */
    enum resumption how;
    bool catches;                        /* the frame has just; else it is in a loop                                */
    uint32_t left;                       /* frames: nobody asks                        */

/* A relaxed load. An atomic one would first have its address put into a register, or into memory. */
#define RELOAD() (dispatch = *(const void *const *const volatile *)&self->dispatch)
#define WATCH() thread_is_watched(self)
#define DISPATCH() do { count_opcode(frame, pc); goto *dispatch[__atomic_load_n(pc, __ATOMIC_RELAXED)]; } while (0)
#define NEXT(n) do { pc += (n); DISPATCH(); } while (0)
#define SAVE() (frame->pc = pc, frame->sp = sp)
/* Of a quick instruction, whose cell was stored before its opcode (set_cell, patch_opcode): a machine that reorders
 * loads must not have read it earlier. No instruction where loads stay in order. */
#define CELL(i) (atomic_thread_fence(memory_order_acquire), atomic_load_explicit(&cells[i], memory_order_relaxed))
#define BRANCH(offset) do { int32_t off_ = (offset); pc += off_; if (off_ <= 0) BACK(); DISPATCH(); } while (0)
#define BACK() do { RELOAD(); COUNT_LOOP(); } while (0)
#define COUNT_LOOP() do { if (UNLIKELY(frame->code->budget > 0)) SPEND(); } while (0)
/* What is compared before is not to be kept in a register for this. */
#define SPEND() do { \
    __asm__("" : "+m"(frame->code->budget)); \
    if (UNLIKELY((frame->code->budget -= LOOP_COST) <= 0)) goto loop_is_hot; \
} while (0)
/* As RELOAD: no atomic load, so that it is part of the comparison. */
#define ENTRY(m) (*(method_entry_function *const *)&(m)->enter)
#define NULL_CHECK(x) do { if (UNLIKELY((x) == NULL)) goto throw_null_pointer; } while (0)
#define OP(name) do_##name:
/* Runs the instruction at pc, whose event has been sent already: after quickening, or behind a breakpoint. */
#define AGAIN() goto *fast_table[code_opcode(frame->code, pc)]

    if (begun) goto resume_frame;
    RELOAD();
    if (UNLIKELY(frame->code->uncommon | WATCH())) goto entered_uncommon;
    DISPATCH();

#include "exec/ops_constants.inc"
#include "exec/ops_locals.inc"
#include "exec/ops_arrays.inc"
#include "exec/ops_stack.inc"
#include "exec/ops_arithmetic.inc"
#include "exec/ops_conversions.inc"
#include "exec/ops_branches.inc"
#include "exec/ops_fields.inc"
#include "exec/ops_objects.inc"
#include "exec/ops_invokes.inc"
#include "exec/ops_returns.inc"
#include "exec/ops_tools.inc"
#include "exec/ops_throws.inc"
}
