/* memory.c — fields and array elements. A field's instruction is done here if the interpreter has it quick in the
 * form that its type makes it. One that is not resolved yet is the interpreter's as long as that is so: the opcode that
 * stands there is looked at each time. C does what is watched, be it loads or stores of a field. JVMS 6.5. */
#include "jit/baseline/compiler.h"

#include "heap/heap.h"
#include "link/link.h"

void expect_quick(struct compiler *c, uint8_t quick) {
    uint8_t now = opcode_now(c);
    if (now == quick) return;
    if (now != *instruction(c) || c->is_reported) {
        leave_now(c);
        return;
    }
    asm_load(&c->a, U64, REG_SCRATCH, frame_field(offsetof(struct frame, code)));
    asm_load(&c->a, U64, REG_SCRATCH, asm_at(REG_SCRATCH, offsetof(struct method_code, code)));
    asm_alu_store_constant(&c->a, ALU_CMP, W8, asm_at(REG_SCRATCH, (int32_t)c->bci), quick);
    leave_if(c, COND_NOT_EQUAL);
}

uint64_t known_cell(const struct compiler *c, uint16_t i) {
    return atomic_load_explicit(&c->code->cells[i], memory_order_acquire);
}

void load_cell(struct compiler *c, enum asm_reg r, uint16_t i) {
    if (is_quick(c)) {
        asm_constant(&c->a, r, known_cell(c, i));
        return;
    }
    asm_load(&c->a, U64, r, frame_field(offsetof(struct frame, code)));
    asm_load(&c->a, U64, r, asm_at(r, offsetof(struct method_code, cells)));
    asm_load(&c->a, U64, r, asm_at(r, 8 * (int32_t)i));
}

void check_null(struct compiler *c, enum asm_reg r) {
    if (c->not_null >> r & 1) return;
    asm_alu(&c->a, ALU_TEST, W64, r, r);
    leave_if(c, COND_EQUAL);
    c->not_null |= 1u << r;
}

void load_class(struct compiler *c, enum asm_reg to, enum asm_reg o) {
    asm_load(&c->a, U32, to, asm_at(o, offsetof(struct object, class_id)));
    asm_load(&c->a, U64, to, asm_indexed(REG_SHAPES, to, 3, 0));
}

void load_vtable(struct compiler *c, enum asm_reg to, enum asm_reg o) {
    asm_load(&c->a, U32, to, asm_at(o, offsetof(struct object, class_id)));
    asm_load(&c->a, U64, to, asm_indexed(REG_SHAPES, to, 3, vtable_table_distance()));
}

#ifdef VITRINE_CARDS
void mark_card(struct compiler *c, struct asm_mem m, enum asm_reg spare) {
    asm_address(&c->a, spare, m);
    asm_shift_constant(&c->a, SHIFT_RIGHT, W64, spare, HEAP_CARD_SHIFT);
    asm_constant(&c->a, REG_SCRATCH, (uintptr_t)heap_cards);
    asm_store_constant(&c->a, W8, asm_indexed(REG_SCRATCH, spare, 0, 0), 1);
}
#else
void mark_card(struct compiler *c UNUSED, struct asm_mem m UNUSED, enum asm_reg spare UNUSED) {}
#endif

void store_reference(struct compiler *c, struct asm_mem m, enum asm_reg value) {
    asm_shift_constant(&c->a, SHIFT_RIGHT, W64, value, 3);
    asm_store(&c->a, W32, m, value);
    mark_card(c, m, value);
}

/* ---- values in memory, by descriptor letter ---------------------------------------------------------------------- */

static bool is_wide(char kind) { return kind == 'J' || kind == 'D'; }
static bool is_reference(char kind) { return kind == 'L' || kind == '['; }

enum asm_type memory_type(char kind) {
    switch (kind) {
    case 'Z': case 'B': return S8;
    case 'C': return U16;
    case 'S': return S16;
    case 'J': case 'D': return U64;
    default: return U32;
    }
}

enum asm_width memory_width(char kind) {
    static const enum asm_width widths[] = {[U8] = W8, [S8] = W8, [U16] = W16, [S16] = W16, [U32] = W32, [U64] = W64};
    return widths[memory_type(kind)];
}

/* The value at `m` takes the place of the `taken` top slots. */
static void load_value(struct compiler *c, char kind, struct asm_mem m, uint32_t taken) {
    if (kind == 'F' || kind == 'D') {
        unsigned x = take_floating(c);
        asm_float_load(&c->a, kind == 'F' ? F32 : F64, x, m);
        drop(c, taken);
        push_floating(c, kind == 'F' ? F32 : F64, x);
    } else {
        enum asm_reg r = take_register(c);
        asm_load(&c->a, memory_type(kind), r, m);
        if (is_reference(kind)) asm_shift_constant(&c->a, SHIFT_LEFT, W64, r, 3);
        drop(c, taken);
        push_register(c, r);
    }
    if (is_wide(kind)) push_upper(c);
}

/* Where the value to be stored is: in hand from now on. */
static void prepare_store(struct compiler *c, char kind) {
    uint32_t slots = is_wide(kind) ? 2 : 1;
    if ((kind == 'F' || kind == 'D') && operand_at(c, slots)->kind == FLOATING)
        (void)in_floating(c, kind == 'F' ? F32 : F64, slots);
    else if (is_reference(kind) || kind == 'Z')
        (void)own_register(c, slots);
    else
        (void)in_register(c, slots);
}

static void store_top(struct compiler *c, char kind, struct asm_mem m) {
    const struct value *v = operand_at(c, is_wide(kind) ? 2 : 1);
    if (v->kind == FLOATING) {
        asm_float_store(&c->a, v->float_type, m, v->reg - FIRST_FLOATING);
    } else if (is_reference(kind)) {
        store_reference(c, m, v->reg);
    } else {
        if (kind == 'Z') asm_alu_constant(&c->a, ALU_AND, W32, v->reg, 1);
        asm_store(&c->a, memory_width(kind), m, v->reg);
    }
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static enum quick_form form_of(char kind, bool store) {
    switch (kind) {
    case 'Z': return store ? FORM_Z : FORM_B;
    case 'B': return FORM_B;
    case 'C': return store ? FORM_S : FORM_C;
    case 'S': return FORM_S;
    case 'I': case 'F': return FORM_I;
    case 'J': case 'D': return FORM_J;
    default: return FORM_A;
    }
}

/* A volatile field of the class itself; of another class's nothing is known before it is resolved. */
static bool is_own_volatile(const struct compiler *c, uint16_t i) {
    const struct class *own = c->code->owner->class;
    if (cp_ref_class_index(class_file(c), i) != class_file(c)->this_class) return false;
    for (uint32_t k = 0; k < own->field_count; k++) {
        const struct field *f = &own->fields[k];
        if (f->name == cp_ref_name(class_file(c), i) && f->desc == cp_ref_desc(class_file(c), i))
            return f->access_flags & ACC_VOLATILE;
    }
    return false;
}

const struct field *watched_field(const struct compiler *c) {
    if (opcode_now(c) != quick_opcode(OP_getfield, FORM_WATCHED)) return NULL;
    return (const struct field *)(uintptr_t)known_cell(c, op_u2(instruction(c) + 1));
}

bool is_watched(const struct compiler *c) {
    const struct field *f = watched_field(c);
    bool store = *instruction(c) == OP_putfield || *instruction(c) == OP_putstatic;
    return f != NULL && atomic_load_explicit(&((struct field *)f)->watch, memory_order_relaxed) &
                            (store ? FIELD_WATCH_MODIFICATION : FIELD_WATCH_ACCESS);
}

/* The field's address, behind expect_quick; `o` is its object, or for static ones not looked at. */
static struct asm_mem field_memory(struct compiler *c, uint16_t i, bool is_static, enum asm_reg o) {
    const struct field *watched = watched_field(c);
    if (watched != NULL && !is_static) return asm_at(o, (int32_t)watched->offset);
    if (!is_static && quick_rows[opcode_now(c)].cell == CELL_FIELD)
        return asm_at(o, (int32_t)FIELD_CELL_OFFSET(known_cell(c, i)));
    enum asm_reg r = take_register(c);
    if (watched != NULL) {
        asm_constant(&c->a, r, (uintptr_t)watched->holder->statics + watched->offset);
        return asm_at(r, 0);
    }
    if (is_static && quick_rows[opcode_now(c)].cell == CELL_ADDRESS) {
        asm_constant(&c->a, r, STATIC_CELL_ADDRESS(known_cell(c, i)));
        return asm_at(r, 0);
    }
    load_cell(c, r, i);
    if (!is_static) {
        asm_move(&c->a, W32, r, r);                      /* FIELD_CELL_OFFSET                                       */
        return asm_indexed(o, r, 0, 0);
    }
#ifdef VITRINE_CARDS
    asm_shift_constant(&c->a, SHIFT_LEFT, W64, r, 64 - STATIC_ADDRESS_BITS);
    asm_shift_constant(&c->a, SHIFT_RIGHT, W64, r, 64 - STATIC_ADDRESS_BITS);
#endif
    return asm_at(r, 0);
}

static void get_field(struct compiler *c, uint8_t op, uint16_t i, char kind) {
    bool is_static = op == OP_getstatic;
    enum asm_reg o = is_static ? REG_NONE : in_register(c, 1);
    if (watched_field(c) == NULL) expect_quick(c, quick_opcode(op, form_of(kind, false)));
    if (!is_static) check_null(c, o);
    load_value(c, kind, field_memory(c, i, is_static, o), !is_static);
}

static void put_field(struct compiler *c, uint8_t op, uint16_t i, char kind) {
    bool is_static = op == OP_putstatic, is_volatile;
    uint32_t slots = is_wide(kind) ? 2 : 1;
    const struct field *watched = watched_field(c);
    if (watched != NULL) is_volatile = watched->access_flags & ACC_VOLATILE;
    else is_volatile = is_quick(c) ? opcode_now(c) == quick_opcode(op, FORM_VOLATILE) : is_own_volatile(c, i);
    prepare_store(c, kind);
    enum asm_reg o = is_static ? REG_NONE : in_register(c, slots + 1);
    if (watched == NULL) expect_quick(c, quick_opcode(op, is_volatile ? FORM_VOLATILE : form_of(kind, true)));
    if (!is_static) check_null(c, o);
    store_top(c, kind, field_memory(c, i, is_static, o));
    if (is_volatile) asm_fence(&c->a);
    drop(c, slots + !is_static);
}

bool compile_field(struct compiler *c, uint8_t op) {
    static runtime_function *const watched[] = {runtime_getstatic_watched, runtime_putstatic_watched,
                                                runtime_getfield_watched, runtime_putfield_watched};
    if (op < OP_getstatic || op > OP_putfield) return false;
    uint16_t i = op_u2(instruction(c) + 1);
    char kind = c->places[c->bci].kind;
    if (is_watched(c)) compile_by(c, watched[op - OP_getstatic]);
    else if (op == OP_getfield || op == OP_getstatic) get_field(c, op, i, kind);
    else put_field(c, op, i, kind);
    return true;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

/* An element of an array: both in registers, but for an index that is a small constant. */
struct element { enum asm_reg array, index; int32_t constant; };

/* Of the array at `from_top` the element with the index above it; leaves where there is none. */
static struct element check_element(struct compiler *c, uint32_t from_top) {
    enum { SMALL = 1 << 24 };
    const struct value *v = operand_at(c, from_top - 1);
    struct element e = {in_register(c, from_top), REG_NONE, 0};
    bool is_small = v->kind == CONSTANT && v->constant >= 0 && v->constant < SMALL;
    if (is_small) e.constant = (int32_t)v->constant;
    else e.index = in_register(c, from_top - 1);
    check_null(c, e.array);
    struct asm_mem length = asm_at(e.array, offsetof(struct array, length));
    if (is_small) asm_alu_store_constant(&c->a, ALU_CMP, W32, length, e.constant);
    else asm_alu_load(&c->a, ALU_CMP, W32, e.index, length);
    leave_if(c, is_small ? COND_NOT_ABOVE : COND_NOT_BELOW);
    return e;
}

/* Its address, for which r may get the index. */
static struct asm_mem element_memory(struct compiler *c, const struct element *e, unsigned shift, enum asm_reg r) {
    if (e->index == REG_NONE) return asm_at(e->array, ARRAY_DATA + (int32_t)((uint32_t)e->constant << shift));
    asm_move(&c->a, W32, r, e->index);
    return asm_indexed(e->array, r, shift, ARRAY_DATA);
}

static struct asm_mem element(struct compiler *c, uint32_t from_top, unsigned shift) {
    struct element e = check_element(c, from_top);
    return element_memory(c, &e, shift, e.index == REG_NONE ? REG_NONE : take_register(c));
}

static unsigned shift_of(char kind) {
    static const uint8_t shifts[] = {[W8] = 0, [W16] = 1, [W32] = 2, [W64] = 3};
    return shifts[memory_width(kind)];
}

static void array_load(struct compiler *c, char kind) { load_value(c, kind, element(c, 2, shift_of(kind)), 2); }

static void array_store(struct compiler *c, char kind) {
    uint32_t slots = is_wide(kind) ? 2 : 1;
    prepare_store(c, kind);
    store_top(c, kind, element(c, slots + 2, shift_of(kind)));
    drop(c, slots + 2);
}

/* Of bytes, or of booleans, which keep the lowest bit. */
static void array_store_byte(struct compiler *c) {
    struct asm_label stored = {0};
    enum asm_reg value = own_register(c, 1);
    struct asm_mem m = element(c, 3, 0);
    asm_alu_store_constant(&c->a, ALU_CMP, W32, asm_at(m.base, offsetof(struct object, class_id)),
                           (int32_t)vm->link->primitive_arrays[T_BOOLEAN]->shape.id);
    asm_branch_short(&c->a, COND_NOT_EQUAL, &stored);
    asm_alu_constant(&c->a, ALU_AND, W32, value, 1);
    asm_bind(&c->a, &stored);
    asm_store(&c->a, W8, m, value);
    drop(c, 3);
}

static void array_store_reference(struct compiler *c) {
    struct asm_label fits = {0};
    take_classes(c);
    enum asm_reg value = in_register(c, 1);
    struct element e = check_element(c, 3);
    asm_alu(&c->a, ALU_TEST, W64, value, value);
    asm_branch_short(&c->a, COND_EQUAL, &fits);
    load_class(c, CLASS_WANTED, e.array);
    asm_load(&c->a, U64, CLASS_WANTED, asm_at(CLASS_WANTED, offsetof(struct class, component)));
    load_class(c, CLASS_HELD, value);
    asm_alu(&c->a, ALU_CMP, W64, CLASS_HELD, CLASS_WANTED);
    asm_branch_short(&c->a, COND_EQUAL, &fits);
    asm_alu_load(&c->a, ALU_CMP, W64, CLASS_WANTED, asm_at(CLASS_HELD, offsetof(struct class, display[0])));
    asm_branch_short(&c->a, COND_EQUAL, &fits);          /* anything is an Object                                  */
    call_subtype(c);
    leave_if(c, COND_NOT_EQUAL);
    asm_bind(&c->a, &fits);
    asm_move(&c->a, W64, CLASS_HELD, value);
    store_reference(c, element_memory(c, &e, 2, CLASS_WANTED), CLASS_HELD);
    drop(c, 3);
}

static void length_of_array(struct compiler *c) {
    enum asm_reg array = in_register(c, 1), r = take_register(c);
    check_null(c, array);
    asm_load(&c->a, U32, r, asm_at(array, offsetof(struct array, length)));
    drop(c, 1);
    push_register(c, r);
}

bool compile_array(struct compiler *c, uint8_t op) {
    static const char kinds[] = "IJFDLBCS";              /* in the order of the opcodes                             */
    if (op >= OP_iaload && op <= OP_saload) array_load(c, kinds[op - OP_iaload]);
    else if (op == OP_aastore) array_store_reference(c);
    else if (op == OP_bastore) array_store_byte(c);
    else if (op >= OP_iastore && op <= OP_sastore) array_store(c, kinds[op - OP_iastore]);
    else if (op == OP_arraylength) length_of_array(c);
    else return false;
    return true;
}
