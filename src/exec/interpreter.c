/* interpreter.c — the threaded-code interpreter over the frame contract of exec/frame.h. JVMS 6.5. */
#include "exec/count.h"
#include "exec/exec_internal.h"

#include <math.h>

#include "base/base.h"
#include "base/log.h"

/* Registers of the machine: pc, sp (first free slot), locals, frame, and the dispatch table. The table is reloaded where a stop may be
 * asked for: method entry, return, backward branch, handler entry, after each runtime call.
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

/* A value narrowed to the type of the method that returns it (JVMS ireturn). */
static uint32_t narrow(int32_t v, enum basic_type type) {
    switch (type) {
    case T_BOOLEAN: return (uint32_t)(v & 1);
    case T_BYTE: return (uint32_t)(int8_t)v;
    case T_CHAR: return (uint16_t)v;
    case T_SHORT: return (uint32_t)(int16_t)v;
    default: return (uint32_t)v;
    }
}

static NOINLINE bool enter_synchronized(struct os_thread *self, struct frame *frame) {
    struct method *m = frame_method(frame);
    struct object *o = m->access_flags & ACC_STATIC ? m->holder->mirror : slot_object(frame->locals[0]);
    if (!monitor_enter_fast(self, o, frame) && !monitor_enter(self, o, frame)) return false;
    frame->flags |= FRAME_HOLDS_LOCKS;
    return true;
}

/* Gives back the monitor that entering the synchronized method took: the frame's oldest lock entry. */
static bool exit_synchronized(struct os_thread *self, struct frame *frame) {
    struct java_thread *jt = self->java;
    for (uint32_t i = 0; i < jt->lock_count; i++)
        if (jt->locks[i].frame == frame) return monitor_exit(self, jt->locks[i].object);
    return false;
}

/* Gives back what a returning frame holds. False: a synchronized method's monitor was not its own any more, or another one was left. */
static bool release_locks(struct os_thread *self, struct frame *frame) {
    struct java_thread *jt = self->java;
    uint32_t n = jt->lock_count;
    bool synchronized = (frame_method(frame)->access_flags & ACC_SYNCHRONIZED) != 0;
    bool top = n > 0 && jt->locks[n - 1].frame == frame;
    frame->flags &= ~(uint32_t)FRAME_HOLDS_LOCKS;
    if (!synchronized && !top) return true; /* every monitorenter had its monitorexit */
    if (synchronized && top && (n < 2 || jt->locks[n - 2].frame != frame) && monitor_exit_fast(self, jt->locks[n - 1].object)) return true;
    bool ok = !synchronized || exit_synchronized(self, frame);
    return monitor_exit_frame(self, frame) == 0 && ok;
}

/* Returning from a frame with flags, or under watch: gives monitors back, tells who asked. */
static NOINLINE bool leave_slow(struct os_thread *self, struct frame *frame, uint64_t *value) {
    uint64_t held = *value;              /* the object of an early return lies nowhere else */
    if (frame->flags & FRAME_HOLDS_LOCKS && !release_locks(self, frame))
        throw_new(self, "java/lang/IllegalMonitorStateException");
    else if (thread_watches_methods(self) || frame->flags & FRAME_POP_EVENT)
        tell_method_exit(self, frame, false, value);
    thread_keep(&held);
    return self->exception == NULL;
}

bool interpret(struct os_thread *self, struct frame *entry, uint64_t *result) {
    static const void *const fast_table[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = &&do_##name,
#include "classfile/opcodes.def"
#undef OPCODE
#define Q(name, original) [OP_##name] = &&do_##name,
        QUICK_OPCODES(Q)
#undef Q
        [OP_breakpoint] = &&do_breakpoint,
    };
    static const void *trap_table[256];

    if (UNLIKELY(entry == NULL)) {       /* exec_create asks for the tables */
        for (int i = 0; i < 256; i++) trap_table[i] = &&do_trap;
        threads_set_dispatch(fast_table, trap_table);
        return true;
    }

    /* From here on an object may be in a C variable only as long as nothing is called: the collector does not look at this frame. */
    thread_begin_below(self);
    struct java_thread *const jt = self->java;
    const void *const *dispatch;
    struct frame *frame = entry;
    uint64_t *locals = frame->locals;
    uint64_t *sp = frame->sp;
    const uint8_t *pc = frame->pc;
    _Atomic uint64_t *cells = frame->code->cells;
    struct method *m;                    /* callee, on the way to invoke:              */
    uint32_t arg_slots;
    struct object *o;
    uint64_t value;                      /* being returned                             */
    struct field *field;                 /* watched, being accessed                    */

#define RELOAD() (dispatch = atomic_load_explicit(&self->dispatch, memory_order_relaxed))
#define DISPATCH() do { count_opcode(frame, pc); goto *dispatch[*pc]; } while (0)
#define NEXT(n) do { pc += (n); DISPATCH(); } while (0)
#define SAVE() (frame->pc = pc, frame->sp = sp)
#define CELL(i) atomic_load_explicit(&cells[i], memory_order_relaxed)
#define BRANCH(offset) do { int32_t off_ = (offset); pc += off_; if (off_ <= 0) RELOAD(); DISPATCH(); } while (0)
#define NULL_CHECK(x) do { if (UNLIKELY((x) == NULL)) goto throw_null_pointer; } while (0)
#define OP(name) do_##name:
/* Runs the instruction at pc, which has been told of already: after quickening, or behind a breakpoint. */
#define AGAIN() goto *fast_table[code_opcode(frame->code, pc)]
#define WATCH() atomic_load_explicit(&self->watch, memory_order_relaxed)

    RELOAD();
    if (UNLIKELY(frame->code->uncommon | WATCH())) goto entered_uncommon;
    DISPATCH();

    /* ---- constants ------------------------------------------------------------------------------------------------ */
    OP(nop) NEXT(1);
    OP(aconst_null) sp[0] = 0; sp++; NEXT(1);
#define ICONST(name, v) OP(name) SET_INT(0, v); sp++; NEXT(1);
    ICONST(iconst_m1, -1) ICONST(iconst_0, 0) ICONST(iconst_1, 1) ICONST(iconst_2, 2) ICONST(iconst_3, 3) ICONST(iconst_4, 4)
    ICONST(iconst_5, 5)
    OP(lconst_0) sp[0] = 0; sp += 2; NEXT(1);
    OP(lconst_1) sp[0] = 1; sp += 2; NEXT(1);
    OP(fconst_0) sp[0] = 0; sp++; NEXT(1);
    OP(fconst_1) sp[0] = float_slot(1.0f); sp++; NEXT(1);
    OP(fconst_2) sp[0] = float_slot(2.0f); sp++; NEXT(1);
    OP(dconst_0) sp[0] = 0; sp += 2; NEXT(1);
    OP(dconst_1) sp[0] = double_slot(1.0); sp += 2; NEXT(1);
    OP(bipush) SET_INT(0, (int8_t)pc[1]); sp++; NEXT(2);
    OP(sipush) SET_INT(0, s2(pc + 1)); sp++; NEXT(3);
    OP(ldc) OP(ldc_w) OP(ldc2_w) {
        bool done = false;
        SAVE();
        uint8_t op = code_source(frame->code)->code[pc - frame->code->code];
        if (!quicken_ldc(self, frame, &value, &done)) goto throw_pending;
        RELOAD();
        if (!done) AGAIN();
        sp[0] = value;
        sp += op == OP_ldc2_w ? 2 : 1;
        NEXT(op == OP_ldc ? 2 : 3);
    }
    OP(ldc_q) sp[0] = CELL(pc[1]); sp++; NEXT(2);
    OP(ldc_w_q) sp[0] = CELL(u2(pc + 1)); sp++; NEXT(3);
    OP(ldc2_w_q) sp[0] = CELL(u2(pc + 1)); sp += 2; NEXT(3);
    OP(ldc_class_q) SET_REF(0, ((struct class *)CELL(pc[1]))->mirror); sp++; NEXT(2);
    OP(ldc_class_w_q) SET_REF(0, ((struct class *)CELL(u2(pc + 1)))->mirror); sp++; NEXT(3);

    /* ---- loads and stores ----------------------------------------------------------------------------------------- */
#define LOAD1(name, i) OP(name) sp[0] = locals[i]; sp++; NEXT(1);
#define LOAD2(name, i) OP(name) sp[0] = locals[i]; sp += 2; NEXT(1);
#define STORE1(name, i) OP(name) sp--; locals[i] = sp[0]; NEXT(1);
#define STORE2(name, i) OP(name) sp -= 2; locals[i] = sp[0]; NEXT(1);
    OP(iload) OP(fload) OP(aload) sp[0] = locals[pc[1]]; sp++; NEXT(2);
    OP(lload) OP(dload) sp[0] = locals[pc[1]]; sp += 2; NEXT(2);
    OP(istore) OP(fstore) OP(astore) sp--; locals[pc[1]] = sp[0]; NEXT(2);
    OP(lstore) OP(dstore) sp -= 2; locals[pc[1]] = sp[0]; NEXT(2);
    LOAD1(iload_0, 0) LOAD1(iload_1, 1) LOAD1(iload_2, 2) LOAD1(iload_3, 3)
    LOAD1(fload_0, 0) LOAD1(fload_1, 1) LOAD1(fload_2, 2) LOAD1(fload_3, 3)
    LOAD1(aload_1, 1) LOAD1(aload_2, 2) LOAD1(aload_3, 3)
    LOAD2(lload_0, 0) LOAD2(lload_1, 1) LOAD2(lload_2, 2) LOAD2(lload_3, 3)
    LOAD2(dload_0, 0) LOAD2(dload_1, 1) LOAD2(dload_2, 2) LOAD2(dload_3, 3)
    STORE1(istore_0, 0) STORE1(istore_1, 1) STORE1(istore_2, 2) STORE1(istore_3, 3)
    STORE1(fstore_0, 0) STORE1(fstore_1, 1) STORE1(fstore_2, 2) STORE1(fstore_3, 3)
    STORE1(astore_0, 0) STORE1(astore_1, 1) STORE1(astore_2, 2) STORE1(astore_3, 3)
    STORE2(lstore_0, 0) STORE2(lstore_1, 1) STORE2(lstore_2, 2) STORE2(lstore_3, 3)
    STORE2(dstore_0, 0) STORE2(dstore_1, 1) STORE2(dstore_2, 2) STORE2(dstore_3, 3)

    /* aload_0 waits until the instruction behind it is resolved, then becomes half of a pair or plain for good. */
    OP(aload_0) {
        uint8_t next = pc[1];
        if (next == OP_getfield_i) patch_opcode(frame->code, pc, OP_aload_0, OP_aload_0_getfield_i);
        else if (next == OP_getfield_a) patch_opcode(frame->code, pc, OP_aload_0, OP_aload_0_getfield_a);
        else if (next != OP_getfield) patch_opcode(frame->code, pc, OP_aload_0, OP_aload_0_q);
        sp[0] = locals[0]; sp++;
        NEXT(1);
    }
    OP(aload_0_q) sp[0] = locals[0]; sp++; NEXT(1);
    OP(aload_0_getfield_i) {
        o = slot_object(locals[0]);
        if (UNLIKELY(o == NULL)) { sp[0] = 0; sp++; pc++; goto throw_null_pointer; }
        SET_INT(0, *(int32_t *)((char *)o + FIELD_CELL_OFFSET(CELL(u2(pc + 2)))));
        sp++;
        NEXT(4);
    }
    OP(aload_0_getfield_a) {
        o = slot_object(locals[0]);
        if (UNLIKELY(o == NULL)) { sp[0] = 0; sp++; pc++; goto throw_null_pointer; }
        SET_REF(0, heap_load_ref(o, FIELD_CELL_OFFSET(CELL(u2(pc + 2)))));
        sp++;
        NEXT(4);
    }

    OP(wide) {
        uint32_t i = u2(pc + 2);
        switch (pc[1]) {
        case OP_iload: case OP_fload: case OP_aload: sp[0] = locals[i]; sp++; NEXT(4);
        case OP_lload: case OP_dload: sp[0] = locals[i]; sp += 2; NEXT(4);
        case OP_istore: case OP_fstore: case OP_astore: sp--; locals[i] = sp[0]; NEXT(4);
        case OP_lstore: case OP_dstore: sp -= 2; locals[i] = sp[0]; NEXT(4);
        case OP_iinc: locals[i] = (uint32_t)((int32_t)locals[i] + s2(pc + 4)); NEXT(6);
        case OP_ret: pc = frame->code->code + (int32_t)locals[i]; RELOAD(); DISPATCH();
        default: goto bad_opcode;
        }
    }

    /* ---- arrays ----------------------------------------------------------------------------------------------------- */
#define ARRAY_CHECK(array, index)                                                                                        \
    o = (array);                                                                                                         \
    int32_t index_ = (index);                                                                                            \
    NULL_CHECK(o);                                                                                                       \
    if (UNLIKELY((uint32_t)index_ >= (uint32_t)array_length(o))) {                                                       \
        SAVE(); throw_array_index(self, index_, array_length(o)); goto throw_pending;                                    \
    }
#define ALOAD(name, type) OP(name) { ARRAY_CHECK(REF(-2), INT(-1)) SET_INT(-2, ((type *)array_data(o))[index_]); sp--; NEXT(1); }
    ALOAD(iaload, int32_t) ALOAD(faload, int32_t) ALOAD(baload, int8_t) ALOAD(caload, uint16_t) ALOAD(saload, int16_t)
    OP(laload) OP(daload) { ARRAY_CHECK(REF(-2), INT(-1)) sp[-2] = ((uint64_t *)array_data(o))[index_]; NEXT(1); }
    OP(aaload) { ARRAY_CHECK(REF(-2), INT(-1)) SET_REF(-2, heap_array_get(o, index_)); sp--; NEXT(1); }
#define ASTORE(name, type) OP(name) { ARRAY_CHECK(REF(-3), INT(-2)) ((type *)array_data(o))[index_] = (type)sp[-1]; sp -= 3; NEXT(1); }
    ASTORE(iastore, int32_t) ASTORE(fastore, int32_t) ASTORE(castore, uint16_t) ASTORE(sastore, int16_t)
    OP(bastore) {
        ARRAY_CHECK(REF(-3), INT(-2))
        ((int8_t *)array_data(o))[index_] = (int8_t)(o->class_id == vm->exec->boolean_array_id ? sp[-1] & 1 : sp[-1]);
        sp -= 3;
        NEXT(1);
    }
    OP(lastore) OP(dastore) { ARRAY_CHECK(REF(-4), INT(-3)) ((uint64_t *)array_data(o))[index_] = sp[-2]; sp -= 4; NEXT(1); }
    OP(aastore) {
        ARRAY_CHECK(REF(-3), INT(-2))
        struct object *v = REF(-1);
        if (v != NULL && UNLIKELY(!class_is_subtype(class_of(v), class_of(o)->component))) {
            SAVE(); throw_array_store(self, v); goto throw_pending;
        }
        heap_array_set(o, index_, v);
        sp -= 3;
        NEXT(1);
    }
    OP(arraylength) o = REF(-1); NULL_CHECK(o); SET_INT(-1, array_length(o)); NEXT(1);

    /* ---- stack ------------------------------------------------------------------------------------------------------ */
    OP(pop) sp--; NEXT(1);
    OP(pop2) sp -= 2; NEXT(1);
    OP(dup) sp[0] = sp[-1]; sp++; NEXT(1);
    OP(dup_x1) sp[0] = sp[-1]; sp[-1] = sp[-2]; sp[-2] = sp[0]; sp++; NEXT(1);
    OP(dup_x2) sp[0] = sp[-1]; sp[-1] = sp[-2]; sp[-2] = sp[-3]; sp[-3] = sp[0]; sp++; NEXT(1);
    OP(dup2) sp[0] = sp[-2]; sp[1] = sp[-1]; sp += 2; NEXT(1);
    OP(dup2_x1) sp[1] = sp[-1]; sp[0] = sp[-2]; sp[-1] = sp[-3]; sp[-2] = sp[1]; sp[-3] = sp[0]; sp += 2; NEXT(1);
    OP(dup2_x2) sp[1] = sp[-1]; sp[0] = sp[-2]; sp[-1] = sp[-3]; sp[-2] = sp[-4]; sp[-3] = sp[1]; sp[-4] = sp[0]; sp += 2; NEXT(1);
    OP(swap) { uint64_t t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; NEXT(1); }

    /* ---- arithmetic --------------------------------------------------------------------------------------------------- */
#define IBINARY(name, expr) OP(name) { uint32_t a = (uint32_t)sp[-2], b = (uint32_t)sp[-1]; (void)a; (void)b; sp[-2] = (uint32_t)(expr); sp--; NEXT(1); }
#define LBINARY(name, expr) OP(name) { uint64_t a = sp[-4], b = sp[-2]; sp[-4] = (uint64_t)(expr); sp -= 2; NEXT(1); }
    IBINARY(iadd, a + b) IBINARY(isub, a - b) IBINARY(imul, a * b) IBINARY(iand, a & b) IBINARY(ior, a | b) IBINARY(ixor, a ^ b)
    IBINARY(ishl, a << (b & 31)) IBINARY(ishr, (int32_t)a >> (b & 31)) IBINARY(iushr, a >> (b & 31))
    LBINARY(ladd, a + b) LBINARY(lsub, a - b) LBINARY(lmul, a * b) LBINARY(land, a & b) LBINARY(lor, a | b) LBINARY(lxor, a ^ b)
#define LSHIFT(name, expr) OP(name) { uint64_t a = sp[-3]; uint32_t b = (uint32_t)sp[-1] & 63; sp[-3] = (uint64_t)(expr); sp--; NEXT(1); }
    LSHIFT(lshl, a << b) LSHIFT(lshr, (int64_t)a >> b) LSHIFT(lushr, a >> b)
    OP(idiv) { int32_t b = INT(-1); if (UNLIKELY(b == 0)) goto throw_by_zero; SET_INT(-2, b == -1 ? 0u - (uint32_t)INT(-2) : (uint32_t)(INT(-2) / b)); sp--; NEXT(1); }
    OP(irem) { int32_t b = INT(-1); if (UNLIKELY(b == 0)) goto throw_by_zero; SET_INT(-2, b == -1 ? 0 : INT(-2) % b); sp--; NEXT(1); }
    OP(ldiv) { int64_t b = LONG(-2); if (UNLIKELY(b == 0)) goto throw_by_zero; sp[-4] = b == -1 ? 0 - sp[-4] : (uint64_t)(LONG(-4) / b); sp -= 2; NEXT(1); }
    OP(lrem) { int64_t b = LONG(-2); if (UNLIKELY(b == 0)) goto throw_by_zero; sp[-4] = b == -1 ? 0 : (uint64_t)(LONG(-4) % b); sp -= 2; NEXT(1); }
#define FBINARY(name, expr) OP(name) { float a = slot_float(sp[-2]), b = slot_float(sp[-1]); sp[-2] = float_slot(expr); sp--; NEXT(1); }
#define DBINARY(name, expr) OP(name) { double a = slot_double(sp[-4]), b = slot_double(sp[-2]); sp[-4] = double_slot(expr); sp -= 2; NEXT(1); }
    FBINARY(fadd, a + b) FBINARY(fsub, a - b) FBINARY(fmul, a * b) FBINARY(fdiv, a / b) FBINARY(frem, fmodf(a, b))
    DBINARY(dadd, a + b) DBINARY(dsub, a - b) DBINARY(dmul, a * b) DBINARY(ddiv, a / b) DBINARY(drem, fmod(a, b))
    OP(ineg) SET_INT(-1, 0u - (uint32_t)sp[-1]); NEXT(1);
    OP(lneg) sp[-2] = 0 - sp[-2]; NEXT(1);
    OP(fneg) sp[-1] = (uint32_t)sp[-1] ^ 0x80000000u; NEXT(1);
    OP(dneg) sp[-2] ^= (uint64_t)1 << 63; NEXT(1);
    OP(iinc) locals[pc[1]] = (uint32_t)((int32_t)locals[pc[1]] + (int8_t)pc[2]); NEXT(3);

    /* ---- conversions --------------------------------------------------------------------------------------------------- */
    OP(i2l) sp[-1] = (uint64_t)(int64_t)INT(-1); sp++; NEXT(1);
    OP(i2f) sp[-1] = float_slot((float)INT(-1)); NEXT(1);
    OP(i2d) sp[-1] = double_slot((double)INT(-1)); sp++; NEXT(1);
    OP(l2i) SET_INT(-2, sp[-2]); sp--; NEXT(1);
    OP(l2f) sp[-2] = float_slot((float)LONG(-2)); sp--; NEXT(1);
    OP(l2d) sp[-2] = double_slot((double)LONG(-2)); NEXT(1);
    OP(f2i) SET_INT(-1, float_to_int(slot_float(sp[-1]))); NEXT(1);
    OP(f2l) sp[-1] = (uint64_t)float_to_long(slot_float(sp[-1])); sp++; NEXT(1);
    OP(f2d) sp[-1] = double_slot((double)slot_float(sp[-1])); sp++; NEXT(1);
    OP(d2i) SET_INT(-2, float_to_int(slot_double(sp[-2]))); sp--; NEXT(1);
    OP(d2l) sp[-2] = (uint64_t)float_to_long(slot_double(sp[-2])); NEXT(1);
    OP(d2f) sp[-2] = float_slot((float)slot_double(sp[-2])); sp--; NEXT(1);
    OP(i2b) SET_INT(-1, (int8_t)sp[-1]); NEXT(1);
    OP(i2c) SET_INT(-1, (uint16_t)sp[-1]); NEXT(1);
    OP(i2s) SET_INT(-1, (int16_t)sp[-1]); NEXT(1);

    /* ---- comparisons and branches ---------------------------------------------------------------------------------------- */
    OP(lcmp) { int64_t a = LONG(-4), b = LONG(-2); SET_INT(-4, (a > b) - (a < b)); sp -= 3; NEXT(1); }
    OP(fcmpl) { float a = slot_float(sp[-2]), b = slot_float(sp[-1]); SET_INT(-2, a > b ? 1 : a == b ? 0 : -1); sp--; NEXT(1); }
    OP(fcmpg) { float a = slot_float(sp[-2]), b = slot_float(sp[-1]); SET_INT(-2, a < b ? -1 : a == b ? 0 : 1); sp--; NEXT(1); }
    OP(dcmpl) { double a = slot_double(sp[-4]), b = slot_double(sp[-2]); SET_INT(-4, a > b ? 1 : a == b ? 0 : -1); sp -= 3; NEXT(1); }
    OP(dcmpg) { double a = slot_double(sp[-4]), b = slot_double(sp[-2]); SET_INT(-4, a < b ? -1 : a == b ? 0 : 1); sp -= 3; NEXT(1); }
#define IF1(name, cond) OP(name) { int32_t a = INT(-1); sp--; if (cond) BRANCH(s2(pc + 1)); NEXT(3); }
#define IF2(name, cond) OP(name) { int32_t a = INT(-2), b = INT(-1); sp -= 2; if (cond) BRANCH(s2(pc + 1)); NEXT(3); }
    IF1(ifeq, a == 0) IF1(ifne, a != 0) IF1(iflt, a < 0) IF1(ifge, a >= 0) IF1(ifgt, a > 0) IF1(ifle, a <= 0)
    IF2(if_icmpeq, a == b) IF2(if_icmpne, a != b) IF2(if_icmplt, a < b) IF2(if_icmpge, a >= b) IF2(if_icmpgt, a > b) IF2(if_icmple, a <= b)
    OP(if_acmpeq) { bool t = sp[-2] == sp[-1]; sp -= 2; if (t) BRANCH(s2(pc + 1)); NEXT(3); }
    OP(if_acmpne) { bool t = sp[-2] != sp[-1]; sp -= 2; if (t) BRANCH(s2(pc + 1)); NEXT(3); }
    OP(ifnull) { bool t = sp[-1] == 0; sp--; if (t) BRANCH(s2(pc + 1)); NEXT(3); }
    OP(ifnonnull) { bool t = sp[-1] != 0; sp--; if (t) BRANCH(s2(pc + 1)); NEXT(3); }
    OP(goto) BRANCH(s2(pc + 1));
    OP(goto_w) BRANCH(s4(pc + 1));
    OP(jsr) SET_INT(0, pc + 3 - frame->code->code); sp++; BRANCH(s2(pc + 1));
    OP(jsr_w) SET_INT(0, pc + 5 - frame->code->code); sp++; BRANCH(s4(pc + 1));
    OP(ret) pc = frame->code->code + (int32_t)locals[pc[1]]; RELOAD(); DISPATCH();
    OP(tableswitch) {
        const uint8_t *p = frame->code->code + (((pc - frame->code->code) + 4) & ~(ptrdiff_t)3);
        int32_t key = INT(-1), low = s4(p + 4), high = s4(p + 8);
        sp--;
        BRANCH(key < low || key > high ? s4(p) : s4(p + 12 + 4 * (size_t)((uint32_t)key - (uint32_t)low)));
    }
    OP(lookupswitch) {
        const uint8_t *p = frame->code->code + (((pc - frame->code->code) + 4) & ~(ptrdiff_t)3);
        int32_t key = INT(-1), low = 0, high = s4(p + 4) - 1;
        sp--;
        while (low <= high) {
            int32_t mid = (int32_t)(((uint32_t)low + (uint32_t)high) >> 1), k = s4(p + 8 + 8 * (size_t)mid);
            if (k == key) BRANCH(s4(p + 12 + 8 * (size_t)mid));
            if (k < key) low = mid + 1; else high = mid - 1;
        }
        BRANCH(s4(p));
    }

    /* ---- fields ------------------------------------------------------------------------------------------------------------- */
    OP(getfield) OP(putfield) {
        SAVE();
        if (!quicken_field(self, frame, NULL)) goto throw_pending;
        RELOAD();
        AGAIN();
    }
    OP(getstatic) OP(putstatic) {
        struct field *f = NULL;
        bool get = code_source(frame->code)->code[pc - frame->code->code] == OP_getstatic;
        SAVE();
        if (!quicken_field(self, frame, &f)) goto throw_pending;
        RELOAD();
        if (f == NULL) AGAIN();
        field = f;
        if (UNLIKELY(field_is_watched(f))) goto watched;
        bool wide = f->type == T_LONG || f->type == T_DOUBLE; /* the class is being initialised by this thread */
        if (get) {
            sp[0] = field_load(f->holder->statics, f->offset, f->type);
            sp += wide ? 2 : 1;
        } else {
            sp -= wide ? 2 : 1;
            field_store(f->holder->statics, f->offset, f->type, sp[0]);
        }
        NEXT(3);
    }
#define FIELD_ADDRESS(object) ((char *)(object) + FIELD_CELL_OFFSET(CELL(u2(pc + 1))))
#define GETFIELD(name, type)                                                                                                      \
    OP(name) { o = REF(-1); NULL_CHECK(o); SET_INT(-1, atomic_load_explicit((_Atomic type *)FIELD_ADDRESS(o), memory_order_acquire)); NEXT(3); }
    GETFIELD(getfield_b, int8_t) GETFIELD(getfield_c, uint16_t) GETFIELD(getfield_s, int16_t) GETFIELD(getfield_i, int32_t)
    OP(getfield_j) { o = REF(-1); NULL_CHECK(o); sp[-1] = atomic_load_explicit((_Atomic uint64_t *)FIELD_ADDRESS(o), memory_order_acquire); sp++; NEXT(3); }
    OP(getfield_a) { o = REF(-1); NULL_CHECK(o); SET_REF(-1, heap_load_ref_acquire(o, FIELD_CELL_OFFSET(CELL(u2(pc + 1))))); NEXT(3); }
#define PUTFIELD(name, type, v)                                                                                                   \
    OP(name) { o = REF(-2); NULL_CHECK(o); atomic_store_explicit((_Atomic type *)FIELD_ADDRESS(o), (type)(v), memory_order_release); sp -= 2; NEXT(3); }
    PUTFIELD(putfield_z, uint8_t, sp[-1] & 1) PUTFIELD(putfield_b, uint8_t, sp[-1]) PUTFIELD(putfield_s, uint16_t, sp[-1])
    PUTFIELD(putfield_i, uint32_t, sp[-1])
    OP(putfield_j) { o = REF(-3); NULL_CHECK(o); atomic_store_explicit((_Atomic uint64_t *)FIELD_ADDRESS(o), sp[-2], memory_order_release); sp -= 3; NEXT(3); }
    OP(putfield_a) { o = REF(-2); NULL_CHECK(o); heap_store_ref_release(o, FIELD_CELL_OFFSET(CELL(u2(pc + 1))), REF(-1)); sp -= 2; NEXT(3); }
    OP(putfield_volatile) {
        uint64_t cell = CELL(u2(pc + 1));
        enum basic_type t = FIELD_CELL_TYPE(cell);
        int n = t == T_LONG || t == T_DOUBLE ? 2 : 1;
        o = REF(-n - 1);
        NULL_CHECK(o);
        field_store(o, FIELD_CELL_OFFSET(cell), t, sp[-n]);
        atomic_thread_fence(memory_order_seq_cst);
        sp -= n + 1;
        NEXT(3);
    }
#define STATIC_ADDRESS() ((char *)(uintptr_t)CELL(u2(pc + 1)))
#define GETSTATIC(name, type) OP(name) { SET_INT(0, atomic_load_explicit((_Atomic type *)STATIC_ADDRESS(), memory_order_acquire)); sp++; NEXT(3); }
    GETSTATIC(getstatic_b, int8_t) GETSTATIC(getstatic_c, uint16_t) GETSTATIC(getstatic_s, int16_t) GETSTATIC(getstatic_i, int32_t)
    OP(getstatic_j) sp[0] = atomic_load_explicit((_Atomic uint64_t *)STATIC_ADDRESS(), memory_order_acquire); sp += 2; NEXT(3);
    OP(getstatic_a) SET_REF(0, heap_load_ref_acquire((struct object *)STATIC_ADDRESS(), 0)); sp++; NEXT(3);
#define PUTSTATIC(name, type, v) OP(name) { atomic_store_explicit((_Atomic type *)STATIC_ADDRESS(), (type)(v), memory_order_release); sp--; NEXT(3); }
    PUTSTATIC(putstatic_z, uint8_t, sp[-1] & 1) PUTSTATIC(putstatic_b, uint8_t, sp[-1]) PUTSTATIC(putstatic_s, uint16_t, sp[-1])
    PUTSTATIC(putstatic_i, uint32_t, sp[-1])
    OP(putstatic_j) atomic_store_explicit((_Atomic uint64_t *)STATIC_ADDRESS(), sp[-2], memory_order_release); sp -= 2; NEXT(3);
    OP(putstatic_a) heap_store_ref_release((struct object *)STATIC_ADDRESS(), 0, REF(-1)); sp--; NEXT(3);
    OP(putstatic_volatile) {             /* rare: goes through the resolved field each time */
        struct field *f = NULL;
        SAVE();
        if (!quicken_field(self, frame, &f)) goto throw_pending;
        if (UNLIKELY(f == NULL)) AGAIN();
        field = f;
        if (UNLIKELY(field_is_watched(f))) goto watched;
        int n = f->type == T_LONG || f->type == T_DOUBLE ? 2 : 1;
        field_store(f->holder->statics, f->offset, f->type, sp[-n]);
        atomic_thread_fence(memory_order_seq_cst);
        sp -= n;
        RELOAD();
        NEXT(3);
    }

    OP(getfield_watched) OP(putfield_watched) OP(getstatic_watched) OP(putstatic_watched) {
        field = (struct field *)(uintptr_t)CELL(u2(pc + 1));
        SAVE();
    watched:
        switch (field_access_watched(self, frame, field, code_source(frame->code)->code[pc - frame->code->code])) {
        case ACCESS_THREW: goto throw_pending;
        case ACCESS_REQUESTED: goto requested;
        case ACCESS_DONE: break;
        }
        sp = frame->sp;
        RELOAD();
        NEXT(3);
    }

    /* ---- objects --------------------------------------------------------------------------------------------------------------- */
    OP(new) {
        struct class *c = NULL;
        SAVE();
        if (!quicken_new(self, frame, &c)) goto throw_pending;
        RELOAD();
        if (c == NULL) AGAIN();
        o = heap_alloc_instance(self, &c->shape);
        goto allocated_3;
    }
    OP(new_q) {
        SAVE();
        o = heap_alloc_instance_fast(self, (const struct shape *)CELL(u2(pc + 1)));
    allocated_3:
        if (UNLIKELY(o == NULL)) goto throw_pending;
        SET_REF(0, o);
        sp++;
        RELOAD();
        NEXT(3);
    }
    OP(newarray) {
        int32_t n = INT(-1);
        SAVE();
        if (UNLIKELY(n < 0)) goto throw_negative_size;
        o = heap_alloc_array_fast(self, &vm->link->primitive_arrays[pc[1]]->shape, n);
        if (UNLIKELY(o == NULL)) goto throw_pending;
        SET_REF(-1, o);
        RELOAD();
        NEXT(2);
    }
    OP(anewarray) {
        SAVE();
        if (quicken_class(self, frame, OP_anewarray_q) == NULL) goto throw_pending;
        RELOAD();
        AGAIN();
    }
    OP(anewarray_q) {
        struct class *c = (struct class *)CELL(u2(pc + 1));
        int32_t n = INT(-1);
        SAVE();
        if (UNLIKELY(n < 0)) goto throw_negative_size;
        struct class *a = atomic_load_explicit(&c->array_class, memory_order_acquire);
        if (UNLIKELY(a == NULL) && (a = class_array_of(self, c)) == NULL) goto throw_pending;
        o = heap_alloc_array_fast(self, &a->shape, n);
        if (UNLIKELY(o == NULL)) goto throw_pending;
        SET_REF(-1, o);
        RELOAD();
        NEXT(3);
    }
    OP(multianewarray) {
        SAVE();
        struct class *c = resolve_class(self, frame->code->owner, u2(pc + 1));
        if (c == NULL) goto throw_pending;
        unsigned n = pc[3];
        o = new_multi_array(self, c, sp - n, n);
        if (o == NULL) goto throw_pending;
        sp -= n;
        SET_REF(0, o);
        sp++;
        RELOAD();
        NEXT(4);
    }
    OP(checkcast) {
        if (sp[-1] == 0) NEXT(3);        /* null: the class is not even resolved */
        SAVE();
        if (quicken_class(self, frame, OP_checkcast_q) == NULL) goto throw_pending;
        RELOAD();
        AGAIN();
    }
    OP(checkcast_q) {
        o = REF(-1);
        if (o != NULL) {
            struct class *target = (struct class *)CELL(u2(pc + 1));
            if (UNLIKELY(!class_is_subtype(class_of(o), target))) {
                SAVE(); throw_class_cast(self, o, target); goto throw_pending;
            }
        }
        NEXT(3);
    }
    OP(instanceof) {
        if (sp[-1] == 0) NEXT(3);
        SAVE();
        if (quicken_class(self, frame, OP_instanceof_q) == NULL) goto throw_pending;
        RELOAD();
        AGAIN();
    }
    OP(instanceof_q) {
        o = REF(-1);
        SET_INT(-1, o != NULL && class_is_subtype(class_of(o), (struct class *)CELL(u2(pc + 1))));
        NEXT(3);
    }
    OP(monitorenter) {
        o = REF(-1);
        NULL_CHECK(o);
        if (UNLIKELY(!monitor_enter_fast(self, o, frame))) {
            /* A thread that waits here is seen behind the instruction, as on HotSpot. */
            frame->pc = pc + 1;
            frame->sp = sp - 1;
            bool entered = monitor_enter(self, o, frame);
            SAVE();
            if (!entered) goto throw_pending;
        }
        frame->flags |= FRAME_HOLDS_LOCKS;
        sp--;
        RELOAD();
        NEXT(1);
    }
    OP(monitorexit) {
        o = REF(-1);
        NULL_CHECK(o);
        SAVE();
        if (UNLIKELY(!monitor_exit_fast(self, o)) && UNLIKELY(!monitor_exit(self, o))) {
            throw_new(self, "java/lang/IllegalMonitorStateException");
            goto throw_pending;
        }
        sp--;
        RELOAD();
        NEXT(1);
    }
    OP(athrow) {
        o = REF(-1);
        NULL_CHECK(o);
        SAVE();
        self->exception = o;
        goto throw_pending;
    }

    /* ---- invocations ------------------------------------------------------------------------------------------------------------- */
    OP(invokevirtual) OP(invokespecial) OP(invokestatic) OP(invokeinterface) {
        bool quickened = false;
        SAVE();
        m = quicken_invoke(self, frame, &quickened);
        if (m == NULL) goto throw_pending;
        RELOAD();
        if (quickened) AGAIN();
        /* Not to be quickened (yet): the method to run, receiver already looked at. */
        frame->call_length = code_source(frame->code)->code[pc - frame->code->code] == OP_invokeinterface ? 5 : 3;
        goto invoke;
    }
    OP(invokevirtual_q) {
        struct method *r = (struct method *)CELL(u2(pc + 1));
        arg_slots = r->arg_slots;
        o = slot_object(sp[-(int)arg_slots]);
        NULL_CHECK(o);
        m = class_of(o)->vtable[r->vtable_index];
        frame->call_length = 3;
        goto invoke_counted;
    }
    OP(invokevirtual_direct) OP(invokespecial_q) {
        m = (struct method *)CELL(u2(pc + 1));
        NULL_CHECK(slot_object(sp[-(int)m->arg_slots]));
        frame->call_length = 3;
        goto invoke;
    }
    OP(invokespecial_object_init) {
        o = REF(-1);
        NULL_CHECK(o);
        sp--;
        if (UNLIKELY(shape_of(o)->has_finalizer)) {
            SAVE();
            if (!object_register_finalizer(self, o)) goto throw_pending;
            RELOAD();
        }
        if (UNLIKELY(WATCH())) {         /* somebody would see that nothing is called */
            sp++;
            m = vm->exec->object_init;
            frame->call_length = 3;
            goto invoke;
        }
        NEXT(3);
    }
    OP(invokestatic_q) {
        m = (struct method *)CELL(u2(pc + 1));
        frame->call_length = 3;
        goto invoke;
    }
    OP(invokeinterface_q) {
        struct method *r = (struct method *)CELL(u2(pc + 1));
        arg_slots = r->arg_slots;
        o = slot_object(sp[-(int)arg_slots]);
        NULL_CHECK(o);
        frame->call_length = 5;
        struct lookup_entry *e =
            &((struct lookup_cache *)self->lookup_cache)->entries[(o->class_id ^ (uintptr_t)r >> 5) % LOOKUP_CACHE_SIZE];
        if (LIKELY(e->class_id == o->class_id && e->interface_method == r)) {
            m = e->target;
            goto invoke_counted;
        }
        SAVE();
        m = select_interface(self, class_of(o), r);
        if (m == NULL) goto throw_pending;
        goto invoke;
    }
    OP(invokeinterface_vtable) {
        struct method *r = (struct method *)CELL(u2(pc + 1));
        o = slot_object(sp[-(int)r->arg_slots]);
        NULL_CHECK(o);
        m = class_of(o)->vtable[r->vtable_index];
        frame->call_length = 5;
        goto invoke;
    }
    OP(invokeinterface_direct) {
        m = (struct method *)CELL(u2(pc + 1));
        o = slot_object(sp[-(int)m->arg_slots]);
        NULL_CHECK(o);
        SAVE();
        if (UNLIKELY(!class_is_subtype(class_of(o), m->holder)) && select_interface(self, class_of(o), m) == NULL) goto throw_pending;
        frame->call_length = 5;
        goto invoke;
    }
    OP(invokehandle_q) {
        struct call_target *target = atomic_load_explicit(&((struct call_site *)CELL(u2(pc + 1)))->target, memory_order_acquire);
        frame->call_length = 3;
        m = target->adapter;
        NULL_CHECK(REF(-(int)m->arg_slots + (target->appendix != NULL)));
        if (target->appendix != NULL) { SET_REF(0, target->appendix); sp++; }
        goto invoke;
    }
    OP(invokedynamic) {
        SAVE();
        if (resolve_call_site(self, frame->code->owner, (uint32_t)s4(pc + 1)) == NULL) goto throw_pending;
        patch_opcode(frame->code, pc, OP_invokedynamic, OP_invokedynamic_q);
        RELOAD();
        goto do_invokedynamic_q;
    }
    OP(invokedynamic_q) {
        struct call_target *target =
            atomic_load_explicit(&frame->code->owner->call_sites[(uint32_t)s4(pc + 1)].target, memory_order_acquire);
        frame->call_length = 5;
        m = target->adapter;
        if (target->appendix != NULL) { SET_REF(0, target->appendix); sp++; }
        goto invoke;
    }

invoke:
    arg_slots = m->arg_slots;
invoke_counted:;
    {
        struct method_code *code = atomic_load_explicit(&m->code, memory_order_acquire);
        uint64_t *callee_locals = sp - arg_slots;
        frame->pc = pc;
        if (UNLIKELY(code->uncommon & CODE_NOT_BYTECODE)) goto invoke_other;
        struct frame *callee = (struct frame *)(callee_locals + code->max_locals);
        if (UNLIKELY((uint64_t *)callee + code->frame_slots > jt->stack_limit)) goto throw_stack_overflow;
        frame->sp = callee_locals;
        callee->code = code;
        callee->caller = frame;
        callee->locals = callee_locals;
        callee->flags = 0;
        pc = code->code;
        sp = frame_stack(callee);
        callee->pc = pc;
        callee->sp = sp;
        locals = callee_locals;
        cells = code->cells;
        frame = callee;
        frame_enter(jt, callee);
        RELOAD();
        if (UNLIKELY(code->uncommon | WATCH())) goto entered_uncommon;
        DISPATCH();
    }

entered_uncommon:
    if (frame->code->uncommon & CODE_SYNCHRONIZED && !enter_synchronized(self, frame)) goto throw_from_callee;
    if (thread_watches_methods(self)) {
        tell_method_entry(self, frame);
        if (self->exception) goto throw_pending;
        if (frame_is_requested(self, frame)) goto requested;
    }
    RELOAD();
    DISPATCH();

invoke_other:
    frame->sp = sp;
    switch (m->entry) {
    case ENTRY_NATIVE:
    case ENTRY_INTRINSIC: {
        uint64_t *args = sp - arg_slots;
        enum basic_type type = m->return_type;
        if (!call_native(self, m, args, &value)) goto throw_pending;
        sp = args;
        if (type != T_VOID) {
            sp[0] = value;
            sp += type == T_LONG || type == T_DOUBLE ? 2 : 1;
        }
        RELOAD();
        NEXT(frame->call_length);
    }
    case ENTRY_INVOKE_BASIC:
    case ENTRY_LINK_TO_STATIC:
    case ENTRY_LINK_TO_SPECIAL:
    case ENTRY_LINK_TO_VIRTUAL:
    case ENTRY_LINK_TO_INTERFACE: {
        uint32_t n = arg_slots;
        m = method_handle_target(self, m, sp - arg_slots, &n);
        if (m == NULL) goto throw_pending;
        sp -= arg_slots - n;
        arg_slots = n;
        goto invoke_counted;
    }
    default:
        throw_unenterable(self, m, arg_slots != 0 && !(m->access_flags & ACC_STATIC) ? class_of(slot_object(sp[-(int)arg_slots])) : NULL);
        goto throw_pending;
    }

    /* ---- returns -------------------------------------------------------------------------------------------------------------------- */
    /* value: what is returned; on_return pushes it on the caller's stack. */
#define LEAVE()                                                                                                \
    if (UNLIKELY(frame->flags | WATCH())) {                                                                    \
        SAVE();                                                                                                \
        if (frame->flags & ~(uint32_t)FRAME_ENTRY || WATCH()) {                                                \
            if (!leave_slow(self, frame, &value)) goto throw_pending;                                          \
            if (frame_is_requested(self, frame)) goto requested;                                               \
        }                                                                                                      \
        if (frame->flags & FRAME_ENTRY) {                                                                      \
            *result = value;                                                                                   \
            frame_leave(jt, frame->caller);                                                                    \
            return true;                                                                                       \
        }                                                                                                      \
    }                                                                                                          \
    frame = frame->caller;                                                                                     \
    frame_leave(jt, frame);                                                                                    \
    locals = frame->locals;                                                                                    \
    sp = frame->sp;                                                                                            \
    pc = frame->pc + frame->call_length;                                                                       \
    cells = frame->code->cells;                                                                                \
    RELOAD();

    OP(ireturn) {
        enum basic_type t = frame_method(frame)->return_type;
        if (t == T_INT) patch_opcode(frame->code, pc, OP_ireturn, OP_ireturn_int);
        value = narrow(INT(-1), t);
        goto return_1;
    }
    OP(ireturn_int) OP(freturn) OP(areturn) {
        value = sp[-1];
    return_1:
        LEAVE()
        sp[0] = value;
        sp++;
        DISPATCH();
    }
    OP(lreturn) OP(dreturn) {
        value = sp[-2];
    return_2:
        LEAVE()
        sp[0] = value;
        sp += 2;
        DISPATCH();
    }
    OP(return) {
        value = 0;
    return_0:
        LEAVE()
        DISPATCH();
    }

    /* ---- stops and tools --------------------------------------------------------------------------------------------------------------- */
do_trap:
    SAVE();
    if (atomic_load_explicit(&self->poll, memory_order_relaxed) & (POLL_STOPS | POLL_ASYNC_EXCEPTION)) {
        thread_poll_slow(self);
        if (UNLIKELY(self->exception)) goto throw_pending;
    }
    if (frame_is_requested(self, frame)) goto requested;
    if (atomic_load_explicit(&self->poll, memory_order_relaxed) & POLL_SINGLE_STEP) {
        exec_step_hook(self, frame);
        if (UNLIKELY(self->exception)) goto throw_pending;
        if (frame_is_requested(self, frame)) goto requested;
        RELOAD();
        goto *fast_table[opcode_unfused(*pc)];
    }
    RELOAD();
    goto *fast_table[*pc];

    OP(breakpoint) {
        SAVE();
        exec_breakpoint_hook(self, frame);
        if (UNLIKELY(self->exception)) goto throw_pending;
        if (frame_is_requested(self, frame)) goto requested;
        RELOAD();
        uint8_t op = code_opcode(frame->code, pc);
        if (UNLIKELY(op == OP_breakpoint)) goto bad_opcode;      /* the class file's own */
        goto *fast_table[opcode_unfused(op)];
    }

requested:
    if (frame_request_take(self, frame, &value)) {
        frame = jt->frame;
        locals = frame->locals;
        sp = frame->sp;
        pc = frame->pc;
        cells = frame->code->cells;
        RELOAD();
        DISPATCH();
    }
    locals = frame->locals;
    pc = frame->pc;
    sp = frame_stack(frame);
    switch (frame_method(frame)->return_type) {
    case T_VOID: goto return_0;
    case T_LONG: case T_DOUBLE: goto return_2;
    default: goto return_1;
    }

bad_opcode:
    fatal("undefined instruction %d at %d in %s.%s%s", *pc, (int)(pc - frame->code->code), frame_method(frame)->holder->name->bytes,
          frame_method(frame)->name->bytes, frame_method(frame)->desc->bytes);

    /* ---- exceptions ----------------------------------------------------------------------------------------------------------------------- */
throw_null_pointer:
    SAVE();
    throw_new(self, "java/lang/NullPointerException");
    goto throw_pending;
throw_by_zero:
    SAVE();
    throw_message(self, "java/lang/ArithmeticException", "/ by zero");
    goto throw_pending;
throw_negative_size:
    throw_message(self, "java/lang/NegativeArraySizeException", "%d", INT(-1));
    goto throw_pending;
throw_stack_overflow:
    frame->sp = sp;
    throw_stack_overflow(self);
    goto throw_pending;
throw_from_callee:                       /* entering the frame itself failed: it cannot catch */
    goto unwind;

throw_pending:
    count_throw(self, frame);
    for (;;) {
        if (exec_throw_hook != NULL) exec_throw_hook(self, frame);
        if (UNLIKELY(frame_is_requested(self, frame))) goto requested;
        int32_t handler = find_handler(self, frame->code, (int32_t)(frame->pc - frame->code->code));
        if (UNLIKELY(log_enabled(LOG_exceptions, LOG_INFO))) log_unwinding(self, frame, handler);
        if (handler >= 0) {
            sp = frame_stack(frame);
            SET_REF(0, self->exception);
            sp++;
            self->exception = NULL;
            pc = frame->code->code + handler;
            locals = frame->locals;
            cells = frame->code->cells;
            frame->pc = pc;
            frame->sp = sp;
            if (exec_catch_hook != NULL) exec_catch_hook(self, frame, REF(-1));
            if (UNLIKELY(frame_is_requested(self, frame))) goto requested;
            RELOAD();
            DISPATCH();
        }
    unwind:
        if (frame->flags & FRAME_HOLDS_LOCKS && monitor_exit_frame(self, frame) > (frame_method(frame)->access_flags & ACC_SYNCHRONIZED ? 1u : 0u)) {
            self->exception = NULL;      /* unstructured locking: the monitors left replace what was thrown */
            frame->sp = frame_stack(frame);
            throw_new(self, "java/lang/IllegalMonitorStateException");
        }
        if (UNLIKELY(thread_watches_methods(self) || frame->flags & FRAME_POP_EVENT)) {
            value = 0;
            tell_method_exit(self, frame, true, &value);
            if (frame_is_requested(self, frame)) goto requested;
        }
        frame_leave(jt, frame->caller);
        if (frame->flags & FRAME_ENTRY) return false;
        frame = frame->caller;
    }
}
