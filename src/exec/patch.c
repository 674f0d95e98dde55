/* patch.c — changes to executable state: opcodes under quickening, breakpoints, field watches.
 *
 *   quickening   any running thread, by compare-and-swap; nothing is needed
 *   breakpoint   world stopped: the opcode becomes OP_breakpoint, and its record keeps the quick opcode, which goes on
 *                being quickened
 *   field watch  world stopped: the field's cells come to hold the field, and the instructions that read them become
 *                the watched ones; and back again
 *   deletion     world stopped: the cells of a deleted method are emptied, and the calls that read them become what the
 *                class file has, which resolves anew
 *
 * A thread sees a quick opcode and its cell, or neither: the cell is stored before the opcode, by a compare-and-swap
 * that releases (on aarch64 a store-release), and read after it, behind an acquire fence (CELL in interpreter.c; there
 * a load barrier, on x86-64 nothing). Who makes a pair has read the second opcode, and passes on what came
 * before that. */
#include "base/alloc.h"
#include "base/base.h"
#include "exec/exec_internal.h"

struct breakpoint {
    struct breakpoint *next;    /* of the class version */
    const struct method_code *code;
    uint32_t bci, users;
    _Atomic uint8_t opcode;    /* what runs there */
};

/* Thread: IN_VM between polls, or world stopped. */
static struct breakpoint *breakpoint_at(const struct method_code *code, uint32_t bci) {
    struct breakpoint *b = atomic_load_explicit(&code->owner->breakpoints, memory_order_acquire);
    while (b != NULL && (b->bci != bci || b->code != code)) b = b->next;
    return b;
}

bool code_has_breakpoints(const struct method_code *code) {
    const struct breakpoint *b = atomic_load_explicit(&code->owner->breakpoints, memory_order_acquire);
    while (b != NULL && b->code != code) b = b->next;
    return b != NULL;
}

static _Atomic uint8_t *opcode_place(const struct method_code *code, uint32_t bci) {
    _Atomic uint8_t *place = (_Atomic uint8_t *)(code->code + bci);
    struct breakpoint *b = atomic_load_explicit(place, memory_order_relaxed) == OP_breakpoint ? breakpoint_at(code, bci)
                                                                                              : NULL;
    return b != NULL ? &b->opcode : place;
}

uint8_t code_opcode(const struct method_code *code, const uint8_t *pc) {
    return atomic_load_explicit(opcode_place(code, (uint32_t)(pc - code->code)), memory_order_relaxed);
}

void patch_opcode(const struct method_code *code, const uint8_t *pc, uint8_t expected, uint8_t replacement) {
    uint8_t found = expected;
    atomic_thread_fence(memory_order_acquire);           /* the caller may have read the next instruction's opcode */
    vm_assert(replacement != OP_nop, "no quick form of %s", quick_name(expected));
    if (atomic_compare_exchange_strong((_Atomic uint8_t *)(uintptr_t)pc, &found, replacement) || found != OP_breakpoint)
        return;
    struct breakpoint *b = breakpoint_at(code, (uint32_t)(pc - code->code));
    if (b != NULL) atomic_compare_exchange_strong(&b->opcode, &expected, replacement);
}

/* World stopped. */
static void put_opcode(const struct method_code *code, uint32_t bci, uint8_t opcode) {
    atomic_store_explicit(opcode_place(code, bci), opcode, memory_order_relaxed);
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

enum { NO_INSTRUCTION = -1 };

/* The instruction before the one at bci (bci itself for the first); NO_INSTRUCTION when bci is none. */
static int64_t instruction_before(const struct method_code *code, int64_t bci) {
    const struct cf_code *source = code_source(code);
    if (source == NULL || code->code == NULL || bci < 0 || bci >= source->code_length) return NO_INSTRUCTION;
    uint32_t previous = 0;
    for (uint32_t at = 0, length; at < bci; at += length) {
        length = opcode_length(source->code, at, source->code_length);
        if (length == 0 || at + length > bci) return NO_INSTRUCTION;
        previous = at;
    }
    return previous;
}

/* The first half of a pair runs alone while the second has a breakpoint; afterwards it is decided anew. */
static void unfuse(const struct method_code *code, uint32_t bci) {
    put_opcode(code, bci, opcode_unfused(code_opcode(code, code->code + bci)));
}

static void refuse(const struct method_code *code, uint32_t bci) {
    if (opcode_is_half(code_opcode(code, code->code + bci))) put_opcode(code, bci, code_source(code)->code[bci]);
}

bool code_is_location(const struct method_code *code, int64_t bci) {
    return instruction_before(code, bci) != NO_INSTRUCTION;
}

/* Frames may still run what a deleted method was. */
bool breakpoint_is_location(const struct method *m, int64_t bci) {
    const struct method_code *code = method_last_code(m);
    return code != NULL && code_is_location(code, bci);
}

static void count_library_breakpoint(const struct method_code *code, int by) {
    if (code->owner->class->loader != vm->boot_loader) return;
    vm->exec->library_breakpoints += (uint32_t)by;
    intrinsics_mark_threads();
}

static bool set_in(struct method_code *code, int64_t bci) {
    int64_t previous = instruction_before(code, bci);
    vm_assert(safepoint_active() && previous != NO_INSTRUCTION, "breakpoint in a running world or at no instruction");
    struct breakpoint *b = breakpoint_at(code, (uint32_t)bci);
    if (b != NULL) {
        b->users++;
        return true;
    }
    b = mem_zalloc(sizeof *b);
    if (b == NULL) return false;
    *b = (struct breakpoint){.next = atomic_load(&code->owner->breakpoints),
                             .code = code,
                             .bci = (uint32_t)bci,
                             .users = 1};
    atomic_store(&b->opcode, code->code[bci]);
    if (previous != bci) unfuse(code, (uint32_t)previous);
    atomic_store(&code->owner->breakpoints, b);
    code->code[bci] = OP_breakpoint;
    exec_hooks.code_changed(code);
    count_library_breakpoint(code, 1);
    return true;
}

static void restore(struct method_code *code, struct breakpoint *b) {
    code->code[b->bci] = atomic_load(&b->opcode);
    count_library_breakpoint(code, -1);
    struct breakpoint **link = (struct breakpoint **)&code->owner->breakpoints;
    while (*link != b) link = &(*link)->next;
    *link = b->next;
    int64_t previous = instruction_before(code, b->bci);
    if (previous != b->bci) refuse(code, (uint32_t)previous);
    mem_free(b);
    exec_hooks.code_changed(code);
}

static void clear_in(struct method_code *code, int64_t bci) {
    struct breakpoint *b = breakpoint_at(code, (uint32_t)bci);
    if (b != NULL && --b->users == 0) restore(code, b);
}

/* The next older version that is the same code: frames may still run it, and the method's id means it too. */
static struct method_code *equivalent_older(const struct method_code *code) {
    struct method_code *older = method_code_older(code);
    return older != NULL && !method_code_is_obsolete(older) ? older : NULL;
}

bool breakpoint_set(struct method *m, int64_t bci) {
    struct method_code *first = method_last_code(m), *code = first;
    while (code != NULL && set_in(code, bci)) code = equivalent_older(code);
    if (code == NULL) return true;
    for (struct method_code *done = first; done != code; done = equivalent_older(done)) clear_in(done, bci);
    return false;
}

void breakpoint_clear(struct method *m, int64_t bci) {
    for (struct method_code *code = method_last_code(m); code != NULL; code = equivalent_older(code))
        clear_in(code, bci);
}

bool class_has_breakpoints(const struct class *c) {
    for (struct class_version *v = c->version; v != NULL; v = v->older)
        if (atomic_load(&v->breakpoints) != NULL) return true;
    return false;
}

void breakpoints_forget(struct class *c) {
    REQUIRES(STOPPED);
    for (struct class_version *v = c->version; v != NULL; v = v->older) {
        for (struct breakpoint *b = atomic_exchange(&v->breakpoints, NULL), *next; b != NULL; b = next) {
            next = b->next;
            count_library_breakpoint(b->code, -1);
            mem_free(b);
        }
    }
}

/* ---- field watches ----------------------------------------------------------------------------------------------- */

/* Does the reference at cp index i of a class file name this field, resolved and in use by quick instructions? */
static bool names_field(const struct class_version *v, uint16_t i, const struct field *f) {
    if (cp_tag(v->cf, i) != CP_Fieldref || atomic_load(&v->cells[i]) == 0) return false;
    if (cp_ref_name(v->cf, i) != f->name || cp_ref_desc(v->cf, i) != f->desc) return false;
    uint16_t class_index = cp_ref_class_index(v->cf, i);
    struct class *in = (struct class *)(uintptr_t)atomic_load(&v->cells[class_index]);
    if (in == NULL && class_index == v->cf->this_class) in = v->class;
    return in != NULL && class_lookup_field(in, f->name, f->desc) == f;
}

/* The quick instructions of one version that use cell i, which is of f, become what they are now that it is watched, or
 * is not any more. Compiled code knows whether loads are watched or stores. */
static void repatch_code(struct method_code *code, uint16_t i, const struct field *f) {
    const struct cf_code *source = code_source(code);
    uint32_t previous = 0;
    bool changed = false;
    for (uint32_t bci = 0, length; bci < source->code_length; previous = bci, bci += length) {
        uint8_t original = source->code[bci];
        length = opcode_length(source->code, bci, source->code_length);
        if (length == 0) break;
        if (original < OP_getstatic || original > OP_putfield || op_u2(source->code + bci + 1) != i) continue;
        if (code_opcode(code, code->code + bci) == original) continue; /* not quickened yet */
        changed = true;
        put_opcode(code, bci, quick_field_opcode(original, f));
        if (bci == 0) continue;
        if (field_is_watched(f)) unfuse(code, previous);
        else refuse(code, previous);
    }
    if (changed) exec_hooks.code_changed(code);
}

static bool repatch_class(void *arg, struct class *c) {
    const struct field *f = arg;
    for (struct class_version *v = c->version; v != NULL && v->cells != NULL; v = v->older) {
        for (uint32_t i = 1; i < v->cf->cp.count; i++) {
            if (!names_field(v, (uint16_t)i, f)) continue;
            atomic_store(&v->cells[i], quick_field_cell(f));
            for (uint32_t m = 0; m < v->code_count; m++)
                if (code_source(&v->codes[m]) != NULL && v->codes[m].code != NULL)
                    repatch_code(&v->codes[m], (uint16_t)i, f);
        }
    }
    return true;
}

void field_set_watch(struct field *f, uint8_t watch) {
    REQUIRES(STOPPED);
    vm_assert(safepoint_active(), "field watch in a running world");
    uint8_t before = atomic_load(&f->watch), kept = before & (FIELD_QUICKENED | FIELD_ASSIGNED);
    uint8_t any = FIELD_WATCH_ACCESS | FIELD_WATCH_MODIFICATION;
    atomic_store(&f->watch, (uint8_t)(watch | kept));
    vm->exec->fields_watched += (watch != 0) - ((before & any) != 0);
    threads_mark(POLL_FIELDS, vm->exec->fields_watched != 0);
    if (kept && (before & any) != watch) class_walk_all(repatch_class, f);
}

/* ---- calls of deleted methods ------------------------------------------------------------------------------------ */

static bool lies_in(uintptr_t place, const struct method *methods, uint32_t count) {
    return methods != NULL && place - (uintptr_t)methods < count * sizeof *methods;
}

static bool is_method_of(const struct class *c, uintptr_t place) {
    const struct added_methods *added = c->added_methods;
    bool found = lies_in(place, c->methods, added != NULL ? added->first : c->method_count);
    for (uint32_t b = 0; added != NULL && !found && b < ADDED_METHODS_BLOCKS; b++)
        found = lies_in(place, added->blocks[b], FIRST_ADDED_METHODS << b);
    return found;
}

/* Does a reference to a method hold a deleted one of c? What it holds instead need not be a method. */
static bool holds_deleted(const struct class_version *v, uint16_t i, const struct class *c) {
    uint8_t tag = cp_tag(v->cf, i);
    if (tag != CP_Methodref && tag != CP_InterfaceMethodref) return false;
    uintptr_t held = (uintptr_t)atomic_load(&v->cells[i]);
    return is_method_of(c, held) && method_is_deleted((const struct method *)held);
}

static void unquicken_calls(struct method_code *code, uint16_t i) {
    const struct cf_code *source = code_source(code);
    bool changed = false;
    for (uint32_t bci = 0, length; bci < source->code_length; bci += length) {
        uint8_t original = source->code[bci];
        length = opcode_length(source->code, bci, source->code_length);
        if (length == 0) break;
        bool calls = original >= OP_invokevirtual && original <= OP_invokeinterface;
        if (!calls || op_u2(source->code + bci + 1) != i) continue;
        changed = true;
        put_opcode(code, bci, original);
    }
    if (changed) exec_hooks.code_changed(code);
}

static bool unquicken_class(void *deleted_from, struct class *c) {
    for (struct class_version *v = c->version; v != NULL && v->cells != NULL; v = v->older) {
        for (uint32_t i = 1; i < v->cf->cp.count; i++) {
            if (!holds_deleted(v, (uint16_t)i, deleted_from)) continue;
            atomic_store(&v->cells[i], 0);
            for (uint32_t m = 0; m < v->code_count; m++)
                if (code_source(&v->codes[m]) != NULL && v->codes[m].code != NULL)
                    unquicken_calls(&v->codes[m], (uint16_t)i);
        }
    }
    return true;
}

void exec_methods_deleted(struct class *c) {
    REQUIRES(STOPPED);
    class_walk_all(unquicken_class, c);
}

/* ---- access to a watched field ----------------------------------------------------------------------------------- */

/* The kind of access is a constant where this is inlined: compiled code has a function for each. */
static ALWAYS_INLINE enum access_result access_watched(struct os_thread *self, struct frame *frame, struct field *f,
                                                       bool is_static, bool store) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int slots = f->type == T_LONG || f->type == T_DOUBLE ? 2 : 1;
    uint64_t *value = frame->sp - (store ? slots : 0);
    struct object *o = is_static ? f->holder->statics : slot_object(value[-1]);
    if (o == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return ACCESS_THREW;
    }
    uint8_t wanted = store ? FIELD_WATCH_MODIFICATION : FIELD_WATCH_ACCESS;
    if (atomic_load(&f->watch) & wanted) {
        if (store) probe_field_modification(self, frame, f, is_static ? NULL : o, *value);
        else probe_field_access(self, frame, f, is_static ? NULL : o);
        if (self->exception != NULL) return ACCESS_THREW;
        if (frame_is_requested(self, frame)) return ACCESS_REQUESTED;
    }
    if (store) {
        field_store(o, f->offset, f->type, *value);
        if (f->access_flags & ACC_VOLATILE) atomic_thread_fence(memory_order_seq_cst);
        frame->sp = value - !is_static;
    } else {
        value -= !is_static;
        *value = field_load(o, f->offset, f->type);
        frame->sp = value + slots;
    }
    return ACCESS_DONE;
}

enum access_result field_access_watched(struct os_thread *self, struct frame *frame, struct field *f, uint8_t opcode) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    return access_watched(self, frame, f, opcode == OP_getstatic || opcode == OP_putstatic,
                          opcode == OP_putfield || opcode == OP_putstatic);
}

static ALWAYS_INLINE bool runtime_watched(struct os_thread *self, struct frame *f, bool is_static, bool store) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint16_t index;
    memcpy(&index, f->pc + 1, sizeof index);
    struct field *field = (struct field *)(uintptr_t)atomic_load_explicit(&f->code->cells[index], memory_order_acquire);
    return access_watched(self, f, field, is_static, store) != ACCESS_THREW;
}
bool runtime_getstatic_watched(struct os_thread *self, struct frame *f) {
    return runtime_watched(self, f, true, false);
}
bool runtime_putstatic_watched(struct os_thread *self, struct frame *f) {
    return runtime_watched(self, f, true, true);
}
bool runtime_getfield_watched(struct os_thread *self, struct frame *f) {
    return runtime_watched(self, f, false, false);
}
bool runtime_putfield_watched(struct os_thread *self, struct frame *f) {
    return runtime_watched(self, f, false, true);
}
