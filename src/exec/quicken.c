/* quicken.c — slow paths of instructions that are not resolved yet: resolve, fill the cell, replace the opcode. */
#include "base/base.h"
#include "exec/exec_internal.h"

static uint16_t operand(const uint8_t *pc) { uint16_t v; memcpy(&v, pc + 1, 2); return v; }

static void set_cell(struct frame *frame, uint16_t i, uint64_t value) {
    atomic_store_explicit(&frame->code->cells[i], value, memory_order_release);
}

/* The opcode the class file has at this place, whatever it has become. */
static uint8_t original_opcode(struct frame *frame) {
    return code_source(frame->code)->code[frame->pc - frame->code->code];
}

bool quicken_ldc(struct os_thread *self, struct frame *frame, uint64_t *value, bool *done) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct classfile *cf = code_cf(frame->code);
    uint8_t op = original_opcode(frame);
    uint16_t i = op == OP_ldc ? frame->pc[1] : operand(frame->pc);
    uint8_t quick = quick_opcode(op, FORM_PLAIN);
    union { float f; uint32_t i; } f;
    union { double d; uint64_t i; } d;
    switch (cp_tag(cf, i)) {
    case CP_Integer: set_cell(frame, i, (uint32_t)cp_int(cf, i)); break;
    case CP_Float: f.f = cp_float(cf, i); set_cell(frame, i, f.i); break;
    case CP_Long: set_cell(frame, i, (uint64_t)cp_long(cf, i)); break;
    case CP_Double: d.d = cp_double(cf, i); set_cell(frame, i, d.i); break;
    case CP_Class:
        if (resolve_class(self, frame->code->owner, i) == NULL) return false;
        quick = quick_opcode(op, FORM_CLASS);
        break;
    case CP_Dynamic: {                   /* cells of dynamic constants may hold boxes or "null": not quickened */
        enum basic_type type;
        *done = true;
        return resolve_constant(self, frame->code->owner, i, value, &type);
    }
    default: {
        enum basic_type type;
        if (!resolve_constant(self, frame->code->owner, i, value, &type)) return false;
        break;
    }
    }
    patch_opcode(frame->code, frame->pc, op, quick);
    return true;
}

/* Loads know booleans from bytes as little as stores know characters from shorts. */
static enum quick_form storage_form(const struct field *f, bool store) {
    switch (f->type) {
    case T_BOOLEAN: return store ? FORM_Z : FORM_B;
    case T_BYTE: return FORM_B;
    case T_CHAR: return store ? FORM_S : FORM_C;
    case T_SHORT: return FORM_S;
    case T_INT: case T_FLOAT: return FORM_I;
    case T_LONG: case T_DOUBLE: return FORM_J;
    default: return FORM_A;
    }
}

uint8_t quick_field_opcode(uint8_t op, const struct field *f) {
    bool store = op == OP_putfield || op == OP_putstatic;
    if (field_is_watched(f)) return quick_opcode(OP_getfield, FORM_WATCHED);
    if (store && f->access_flags & ACC_VOLATILE) return quick_opcode(op, FORM_VOLATILE);
    return quick_opcode(op, storage_form(f, store));
}

uint64_t quick_field_cell(const struct field *f) {
    if (field_is_watched(f)) return (uint64_t)(uintptr_t)f;
    if (f->access_flags & ACC_STATIC) return STATIC_CELL(f->holder->statics, f->offset);
    return FIELD_CELL(f->offset, f->type);
}

/* *unquickened receives the field of a static access that must stay slow: its class is being initialised by this
 * thread, or it is a volatile store (which comes back here each time). */
bool quicken_field(struct os_thread *self, struct frame *frame, struct field **unquickened) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint8_t op = original_opcode(frame);
    uint16_t i = operand(frame->pc);
    bool hidden = hide_steps(self);
    struct field *f = resolve_field_for(self, frame->code, i, op);
    show_steps(self, hidden);
    if (f == NULL) return false;
    uint8_t quick = quick_field_opcode(op, f);
    if (!(atomic_load(&f->watch) & FIELD_QUICKENED)) atomic_fetch_or(&f->watch, FIELD_QUICKENED);
    if (op == OP_getstatic || op == OP_putstatic) {
        bool initialized = class_is_initialized(f->holder);
        if (!initialized || quick == OP_putstatic_volatile) *unquickened = f;
        if (!initialized) return true;
    }
    set_cell(frame, i, quick_field_cell(f));
    if (code_opcode(frame->code, frame->pc) == quick) return true;
    patch_opcode(frame->code, frame->pc, op, quick);
    return true;
}

/* ---- what is known already --------------------------------------------------------------------------------------- */

/* The class that a constant-pool entry names, if it has been resolved. */
static struct class *known_class_at(const struct method_code *code, uint16_t i) {
    const struct class_version *v = code->owner;
    if (i == v->cf->this_class) return v->class;
    return (struct class *)(uintptr_t)atomic_load_explicit(&code->cells[i], memory_order_acquire);
}

/* A field that another instruction has resolved, or of the class itself; none that this instruction may not use. */
static struct field *known_field(const struct method_code *code, uint8_t op, uint16_t i) {
    const struct classfile *cf = code_cf(code);
    struct class *in = known_class_at(code, cp_ref_class_index(cf, i));
    struct field *f = in != NULL ? class_lookup_field(in, cp_ref_name(cf, i), cp_ref_desc(cf, i)) : NULL;
    bool wants_static = op == OP_getstatic || op == OP_putstatic, stores = op == OP_putfield || op == OP_putstatic;
    if (f == NULL || wants_static != ((f->access_flags & ACC_STATIC) != 0)) return NULL;
    bool is_resolved = atomic_load_explicit(&code->cells[i], memory_order_acquire) != 0;
    if (!is_resolved && f->holder != code->owner->class) return NULL;
    if (wants_static && !class_is_initialized(f->holder)) return NULL;
    return stores && f->access_flags & ACC_FINAL ? NULL : f;
}

static void quicken_known_field(struct method_code *code, const uint8_t *pc, uint8_t op) {
    uint16_t i = operand(pc);
    struct field *f = known_field(code, op, i);
    if (f == NULL) return;
    atomic_fetch_or(&f->watch, FIELD_QUICKENED);
    atomic_store_explicit(&code->cells[i], quick_field_cell(f), memory_order_release);
    patch_opcode(code, pc, op, quick_field_opcode(op, f));
}

static void quicken_known_class(const struct method_code *code, const uint8_t *pc, uint8_t op) {
    const struct class *c = (const struct class *)(uintptr_t)atomic_load_explicit(&code->cells[operand(pc)],
                                                                                 memory_order_acquire);
    if (c == NULL) return;
    bool makes = op != OP_new || (class_is_initialized(c) && !c->is_abstract && !c->is_interface &&
                                  !class_is_array(c) && c != known_class(java_lang_Class));
    if (makes) patch_opcode(code, pc, op, quick_opcode(op, FORM_PLAIN));
}

static void quicken_known_constant(const struct method_code *code, const uint8_t *pc, uint8_t op) {
    uint16_t i = op == OP_ldc ? pc[1] : operand(pc);
    uint8_t tag = cp_tag(code_cf(code), i);
    if (tag != CP_Class && tag != CP_String) return;
    if (atomic_load_explicit(&code->cells[i], memory_order_acquire) == 0) return;
    patch_opcode(code, pc, op, quick_opcode(op, tag == CP_Class ? FORM_CLASS : FORM_PLAIN));
}

void quicken_known(struct method_code *code, uint32_t bci) {
    PROMISES_NO_SAFEPOINT();
    const uint8_t *pc = code->code + bci;
    uint8_t op = code_opcode(code, pc);  /* none of these: it is quick already */
    switch (op) {
    case OP_getfield: case OP_putfield: case OP_getstatic: case OP_putstatic:
        quicken_known_field(code, pc, op);
        break;
    case OP_new: case OP_anewarray: case OP_checkcast: case OP_instanceof: quicken_known_class(code, pc, op); break;
    case OP_ldc: case OP_ldc_w: quicken_known_constant(code, pc, op); break;
    default: break;
    }
}

/* ---- invocations ------------------------------------------------------------------------------------------------- */

/* Gives an entry to the first kind of call that resolves it. False: it holds something else, which another kind of call
 * selected. */
static bool claim_cell(struct frame *frame, uint16_t i, const void *value) {
    uint64_t held = 0;
    return atomic_compare_exchange_strong(&frame->code->cells[i], &held, (uint64_t)(uintptr_t)value) ||
           held == (uint64_t)(uintptr_t)value;
}

/* What a call runs whose entry serves calls of another kind. NULL: exception pending. */
static struct method *select_unquickened(struct os_thread *self, struct frame *frame, struct method *m,
                                         enum invoke_kind kind) {
    struct object *receiver = slot_object(frame->sp[-(int)m->arg_slots]);
    if (receiver == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    struct class *c = class_of(receiver);
    if (kind == INVOKE_VTABLE) return c->vtable[m->vtable_index];
    if (kind == INVOKE_ITABLE) return select_interface(self, c, m);
    return m;
}

bool receiver_implements(struct os_thread *self, const struct frame *frame, struct class *receiver) {
    uint16_t class_index = cp_ref_class_index(code_cf(frame->code), operand(frame->pc));
    struct class *in = (struct class *)(uintptr_t)atomic_load_explicit(&frame->code->cells[class_index],
                                                                       memory_order_acquire);
    if (class_is_subtype(receiver, in)) return true;
    throw_not_implemented(self, receiver, in);
    return false;
}

/* The method, and in *cell what calls by this entry need. */
static struct method *resolve_invoke(struct os_thread *self, struct frame *frame, uint16_t i, uint8_t op,
                                     enum invoke_kind *kind, const void **cell) {
    bool hidden = hide_steps(self);
    struct method *m = resolve_method_for(self, frame->code, i, op, kind);
    *cell = m;
    if (m != NULL && *kind == INVOKE_HANDLE) *cell = resolve_invoke_handle(self, frame->code->owner, i);
    show_steps(self, hidden);
    return *cell != NULL ? m : NULL;
}

/* invokespecial in an interface: the verifier cannot say that the receiver implements it (JVMS 6.5), so each call
 * looks. All calls by one entry resolve the same method here, which has no superclass of its own to select from. */
static struct method *special_in_interface(struct os_thread *self, struct frame *frame, uint16_t i) {
    enum invoke_kind kind;
    const void *cell;
    struct method *m = (struct method *)(uintptr_t)atomic_load_explicit(&frame->code->cells[i], memory_order_acquire);
    if (m == NULL && (m = resolve_invoke(self, frame, i, OP_invokespecial, &kind, &cell)) == NULL) return NULL;
    claim_cell(frame, i, m);
    struct class *sender = frame->code->owner->class;
    struct object *receiver = slot_object(frame->sp[-(int)m->arg_slots]);
    if (receiver != NULL && class_is_subtype(class_of(receiver), sender)) return m;
    if (receiver == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    char *own = class_external_name(class_of(receiver)), *wanted = class_external_name(sender);
    throw_message(self, "java/lang/IllegalAccessError",
                  "Receiver class %s must be the current class or a subtype of interface %s", own ? own : "?",
                  wanted ? wanted : "?");
    mem_free(own);
    mem_free(wanted);
    return NULL;
}

static uint8_t quick_invoke_opcode(uint8_t op, enum invoke_kind kind, const struct method *m) {
    if (kind == INVOKE_HANDLE) return quick_opcode(OP_invokevirtual, FORM_HANDLE); /* of invokespecial as well */
    if (op == OP_invokespecial && m == vm->exec->object_init) return quick_opcode(op, FORM_OBJECT_INIT);
    if (op == OP_invokespecial || op == OP_invokestatic || kind == INVOKE_DIRECT) return quick_opcode(op, FORM_DIRECT);
    return quick_opcode(op, kind == INVOKE_VTABLE || op == OP_invokevirtual ? FORM_TABLE : FORM_PLAIN);
}

struct method *quicken_invoke(struct os_thread *self, struct frame *frame, bool *quickened) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint8_t op = original_opcode(frame);
    uint16_t i = operand(frame->pc);
    enum invoke_kind kind;
    if (op == OP_invokespecial && frame->code->owner->class->is_interface &&
        strcmp(cp_ref_name(code_cf(frame->code), i)->bytes, "<init>") != 0)
        return special_in_interface(self, frame, i);
    const void *cell;
    struct method *m = resolve_invoke(self, frame, i, op, &kind, &cell);
    if (m == NULL) return NULL;
    if (op == OP_invokestatic && !class_is_initialized(m->holder)) return m;
    /* Handles: every linked site will do, and no other kind of call resolves such an entry. */
    if (!claim_cell(frame, i, cell) && kind != INVOKE_HANDLE) return select_unquickened(self, frame, m, kind);
    patch_opcode(frame->code, frame->pc, op, quick_invoke_opcode(op, kind, m));
    *quickened = true;
    return m;
}

struct class *quicken_class(struct os_thread *self, struct frame *frame, uint8_t replacement) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = resolve_class(self, frame->code->owner, operand(frame->pc));
    if (c != NULL) patch_opcode(frame->code, frame->pc, original_opcode(frame), replacement);
    return c;
}

/* *unquickened receives the class when it is still being initialised (by this thread). */
bool quicken_new(struct os_thread *self, struct frame *frame, struct class **unquickened) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = resolve_class_for_new(self, frame->code, operand(frame->pc));
    if (c == NULL) return false;
    if (class_is_initialized(c)) patch_opcode(frame->code, frame->pc, OP_new, OP_new_q);
    else *unquickened = c;
    return true;
}

bool object_register_finalizer(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING);
    uint64_t args[1] = {slot_ref(o)}, ignored;
    return java_call(self, vm->exec->finalizer_register, args, &ignored);
}

/* One level of a multi-dimensional array with all levels below; recursion is bounded by the 255 dimensions of a
 * descriptor. */
static struct object *multi_array_level(struct os_thread *self, struct class *c, const uint64_t *counts,
                                        unsigned dimensions) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int32_t n = (int32_t)counts[0];
    struct object *a = heap_alloc_array(self, &c->shape, n);
    if (a == NULL || dimensions == 1) return a;
    for (int32_t i = 0; i < n; i++) {
        struct object *part = multi_array_level(self, c->component, counts + 1, dimensions - 1);
        if (part == NULL) return NULL;
        heap_array_set(a, i, part);
    }
    return a;
}

struct object *new_multi_array(struct os_thread *self, struct class *c, const uint64_t *counts, unsigned dimensions) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (unsigned i = 0; i < dimensions; i++) {
        if ((int32_t)counts[i] < 0) {
            throw_message(self, "java/lang/NegativeArraySizeException", "%d", (int32_t)counts[i]);
            return NULL;
        }
    }
    return multi_array_level(self, c, counts, dimensions);
}
