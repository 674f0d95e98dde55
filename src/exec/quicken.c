/* quicken.c — slow paths of instructions that are not resolved yet: resolve, fill the cell, replace the opcode. */
#include "base/base.h"
#include "exec/exec_internal.h"

static uint16_t operand(const uint8_t *pc) { uint16_t v; memcpy(&v, pc + 1, 2); return v; }

static void set_cell(struct frame *frame, uint16_t i, uint64_t value) {
    atomic_store_explicit(&frame->code->cells[i], value, memory_order_release);
}

/* The opcode the class file has at this place, whatever it has become. */
static uint8_t original_opcode(struct frame *frame) { return code_source(frame->code)->code[frame->pc - frame->code->code]; }

bool quicken_ldc(struct os_thread *self, struct frame *frame, uint64_t *value, bool *done) {
    const struct classfile *cf = code_cf(frame->code);
    uint8_t op = original_opcode(frame);
    uint16_t i = op == OP_ldc ? frame->pc[1] : operand(frame->pc);
    uint8_t quick = op == OP_ldc ? OP_ldc_q : op == OP_ldc_w ? OP_ldc_w_q : OP_ldc2_w_q;
    union { float f; uint32_t i; } f;
    union { double d; uint64_t i; } d;
    switch (cp_tag(cf, i)) {
    case CP_Integer: set_cell(frame, i, (uint32_t)cp_int(cf, i)); break;
    case CP_Float: f.f = cp_float(cf, i); set_cell(frame, i, f.i); break;
    case CP_Long: set_cell(frame, i, (uint64_t)cp_long(cf, i)); break;
    case CP_Double: d.d = cp_double(cf, i); set_cell(frame, i, d.i); break;
    case CP_Class:
        if (resolve_class(self, frame->code->owner, i) == NULL) return false;
        quick = op == OP_ldc ? OP_ldc_class_q : OP_ldc_class_w_q;
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

static uint8_t quick_field_opcode(uint8_t op, const struct field *f) {
    bool is_volatile = (f->access_flags & ACC_VOLATILE) != 0;
    static const uint8_t get[] = {OP_getfield_b, OP_getfield_c, OP_getfield_s, OP_getfield_i, OP_getfield_j, OP_getfield_a};
    static const uint8_t put[] = {OP_putfield_b, OP_putfield_s, OP_putfield_s, OP_putfield_i, OP_putfield_j, OP_putfield_a};
    static const uint8_t get_static[] = {OP_getstatic_b, OP_getstatic_c, OP_getstatic_s, OP_getstatic_i, OP_getstatic_j, OP_getstatic_a};
    static const uint8_t put_static[] = {OP_putstatic_b, OP_putstatic_s, OP_putstatic_s, OP_putstatic_i, OP_putstatic_j, OP_putstatic_a};
    int k;
    switch (f->type) {
    case T_BOOLEAN: case T_BYTE: k = 0; break;
    case T_CHAR: k = 1; break;
    case T_SHORT: k = 2; break;
    case T_INT: case T_FLOAT: k = 3; break;
    case T_LONG: case T_DOUBLE: k = 4; break;
    default: k = 5; break;
    }
    switch (op) {
    case OP_getfield: return get[k];
    case OP_putfield: return is_volatile ? OP_putfield_volatile : f->type == T_BOOLEAN ? OP_putfield_z : put[k];
    case OP_getstatic: return get_static[k];
    default: return is_volatile ? OP_putstatic_volatile : f->type == T_BOOLEAN ? OP_putstatic_z : put_static[k];
    }
}

/* *unquickened receives the field of a static access that must stay slow: its class is being initialised by this thread, or it is a
 * volatile store (which comes back here each time). */
bool quicken_field(struct os_thread *self, struct frame *frame, struct field **unquickened) {
    uint8_t op = original_opcode(frame);
    uint16_t i = operand(frame->pc);
    struct field *f = resolve_field_for(self, frame->code, i, op);
    if (f == NULL) return false;
    uint8_t quick = quick_field_opcode(op, f);
    if (!(atomic_load(&f->watch) & FIELD_QUICKENED)) atomic_fetch_or(&f->watch, FIELD_QUICKENED);
    if (field_is_watched(f)) {
        if (unquickened != NULL && !class_is_initialized(f->holder)) {
            *unquickened = f;
            return true;
        }
        quick = watched_opcode(op);
        set_cell(frame, i, (uint64_t)(uintptr_t)f);
    } else if (op == OP_getfield || op == OP_putfield) {
        set_cell(frame, i, FIELD_CELL(f->offset, f->type));
    } else {
        bool initialized = class_is_initialized(f->holder);
        if (!initialized || quick == OP_putstatic_volatile) *unquickened = f;
        if (!initialized) return true;
        set_cell(frame, i, (uint64_t)(uintptr_t)f->holder->statics + f->offset);
        if (code_opcode(frame->code, frame->pc) == quick) return true;
    }
    patch_opcode(frame->code, frame->pc, op, quick);
    return true;
}

struct method *quicken_invoke(struct os_thread *self, struct frame *frame, bool *quickened) {
    uint8_t op = original_opcode(frame);
    uint16_t i = operand(frame->pc);
    enum invoke_kind kind;
    struct method *m = resolve_method_for(self, frame->code, i, op, &kind);
    if (m == NULL) return NULL;
    if (kind == INVOKE_HANDLE) {
        struct call_site *site = resolve_invoke_handle(self, frame->code->owner, i);
        if (site == NULL) return NULL;
        set_cell(frame, i, (uint64_t)(uintptr_t)site);
        patch_opcode(frame->code, frame->pc, op, OP_invokehandle_q);
        *quickened = true;
        return m;
    }
    uint8_t quick;
    switch (op) {
    case OP_invokestatic:
        if (!class_is_initialized(m->holder)) return m;
        quick = OP_invokestatic_q;
        break;
    case OP_invokespecial: {
        uint64_t held = atomic_load_explicit(&frame->code->cells[i], memory_order_acquire);
        if (held != 0 && held != (uint64_t)(uintptr_t)m) {
            /* The entry also serves an invokevirtual that resolved to another method than the one selected here. */
            if (frame->sp[-(int)m->arg_slots] == 0) { throw_new(self, "java/lang/NullPointerException"); return NULL; }
            return m;
        }
        quick = m == vm->exec->object_init ? OP_invokespecial_object_init : OP_invokespecial_q;
        break;
    }
    case OP_invokevirtual: quick = kind == INVOKE_DIRECT ? OP_invokevirtual_direct : OP_invokevirtual_q; break;
    default: quick = kind == INVOKE_DIRECT ? OP_invokeinterface_direct : kind == INVOKE_VTABLE ? OP_invokeinterface_vtable : OP_invokeinterface_q; break;
    }
    uint64_t held = atomic_load_explicit(&frame->code->cells[i], memory_order_acquire);
    if (held != 0 && held != (uint64_t)(uintptr_t)m) { /* an invokespecial took the entry for its selected method */
        struct object *receiver = slot_object(frame->sp[-(int)m->arg_slots]);
        if (receiver == NULL) { throw_new(self, "java/lang/NullPointerException"); return NULL; }
        return kind == INVOKE_DIRECT ? m : class_of(receiver)->vtable[m->vtable_index];
    }
    set_cell(frame, i, (uint64_t)(uintptr_t)m);
    patch_opcode(frame->code, frame->pc, op, quick);
    *quickened = true;
    return m;
}

struct class *quicken_class(struct os_thread *self, struct frame *frame, uint8_t replacement) {
    struct class *c = resolve_class(self, frame->code->owner, operand(frame->pc));
    if (c != NULL) patch_opcode(frame->code, frame->pc, original_opcode(frame), replacement);
    return c;
}

/* *unquickened receives the class when it is still being initialised (by this thread). */
bool quicken_new(struct os_thread *self, struct frame *frame, struct class **unquickened) {
    struct class *c = resolve_class_for_new(self, frame->code, operand(frame->pc));
    if (c == NULL) return false;
    if (class_is_initialized(c)) patch_opcode(frame->code, frame->pc, OP_new, OP_new_q);
    else *unquickened = c;
    return true;
}

bool object_register_finalizer(struct os_thread *self, struct object *o) {
    uint64_t args[1] = {slot_ref(o)}, ignored;
    return java_call(self, vm->exec->finalizer_register, args, &ignored);
}

/* One level of a multi-dimensional array with all levels below; recursion is bounded by the 255 dimensions of a descriptor. */
static struct object *multi_array_level(struct os_thread *self, struct class *c, const uint64_t *counts, unsigned dimensions) {
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
    for (unsigned i = 0; i < dimensions; i++) {
        if ((int32_t)counts[i] < 0) {
            throw_message(self, "java/lang/NegativeArraySizeException", "%d", (int32_t)counts[i]);
            return NULL;
        }
    }
    return multi_array_level(self, c, counts, dimensions);
}
