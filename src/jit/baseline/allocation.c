/* allocation.c — new objects and arrays by the stub `allocate`, type checks by the display or the stub `subtype`.
 * What these do not answer is the interpreter's. JVMS 6.5. */
#include "jit/baseline/compiler.h"

#include "heap/heap.h"
#include "link/link.h"

/* ---- allocation -------------------------------------------------------------------------------------------------- */

/* Registers of the stub `allocate`. */
static const enum asm_reg OBJECT = REG_RESULT, SIZE = REG_C0, ID = REG_C1;

static void take_room(struct compiler *c) { take_these(c, 1u << OBJECT | 1u << SIZE | 1u << ID | 1u << REG_COUNT); }

/* Does no floating-point register hold an operand or a local's value? */
static bool floats_are_free(const struct compiler *c) {
    return ((c->used | c->holding | (c->loop != NULL ? c->loop->registers : 0)) >> FIRST_FLOATING) == 0;
}

/* An object of the class with that id, of so many bytes. Where there is no room for it the exit has C make it. */
static void allocate(struct compiler *c) {
    call_stub(c, floats_are_free(c) ? c->stubs->allocate : c->stubs->allocate_beside_floats);
    leave_if(c, COND_BELOW);
}

static void push_object(struct compiler *c) {
    push_register(c, OBJECT);
    c->not_null |= 1u << OBJECT;
}

static void new_object(struct compiler *c) {
    take_room(c);
    expect_quick(c, quick_opcode(OP_new, FORM_PLAIN));
    uint16_t i = op_u2(instruction(c) + 1);
    if (is_quick(c)) {
        const struct class *class = (const struct class *)(uintptr_t)known_cell(c, i);
        asm_constant(&c->a, ID, class->shape.id);
        asm_constant(&c->a, SIZE, class->shape.instance_size);
    } else {
        load_cell(c, OBJECT, i);
        asm_load(&c->a, U32, ID, asm_at(OBJECT, offsetof(struct class, shape.id)));
        asm_load(&c->a, U32, SIZE, asm_at(OBJECT, offsetof(struct class, shape.instance_size)));
    }
    allocate(c);
    push_object(c);
}

/* The elements of `length` make 1 << shift bytes each; no buffer has room for those of a negative one. */
static void load_size(struct compiler *c, enum asm_reg length, unsigned shift) {
    asm_move(&c->a, W32, SIZE, length);
    if (shift != 0) asm_shift_constant(&c->a, SHIFT_LEFT, W64, SIZE, shift);
    asm_alu_constant(&c->a, ALU_ADD, W64, SIZE, ARRAY_DATA + OBJECT_ALIGN - 1);
    asm_alu_constant(&c->a, ALU_AND, W64, SIZE, -OBJECT_ALIGN);
}

static void finish_array(struct compiler *c, enum asm_reg length) {
    allocate(c);
    asm_store(&c->a, W32, asm_at(OBJECT, offsetof(struct array, length)), length);
    drop(c, 1);
    push_object(c);
}

static void new_primitive_array(struct compiler *c) {
    const struct shape *shape = &vm->link->primitive_arrays[instruction(c)[1]]->shape;
    take_room(c);
    enum asm_reg length = in_register(c, 1);
    load_size(c, length, shape->element_shift);
    asm_constant(&c->a, ID, shape->id);
    finish_array(c, length);
}

static void new_reference_array(struct compiler *c) {
    take_room(c);
    enum asm_reg length = in_register(c, 1);
    expect_quick(c, quick_opcode(OP_anewarray, FORM_PLAIN));
    load_cell(c, ID, op_u2(instruction(c) + 1));
    asm_load(&c->a, U64, ID, asm_at(ID, offsetof(struct class, array_class)));
    check_null(c, ID);                   /* no array of the class has been made yet                                 */
    load_size(c, length, 2);
    asm_load(&c->a, U32, ID, asm_at(ID, offsetof(struct class, shape.id)));
    finish_array(c, length);
}

_Static_assert(sizeof(ref_t) == 4, "elements of reference arrays");

bool compile_allocation(struct compiler *c, uint8_t op) {
    switch (op) {
    case OP_new: new_object(c); return true;
    case OP_newarray: new_primitive_array(c); return true;
    case OP_anewarray: new_reference_array(c); return true;
    default: return false;
    }
}

/* ---- type checks ------------------------------------------------------------------------------------------------- */

enum { DISPLAY_LENGTH = ARRAY_LEN(((struct class *)0)->display) };

void take_classes(struct compiler *c) { take_these(c, 1u << CLASS_HELD | 1u << CLASS_WANTED | 1u << REG_C2); }
void call_subtype(struct compiler *c) { call_stub(c, c->stubs->subtype); }

/* The class that a quick instruction names; NULL: it is not known yet. */
static const struct class *known_class_of(const struct compiler *c, uint8_t op) {
    if (opcode_now(c) == op) return NULL;
    uint64_t cell = atomic_load_explicit(&c->code->cells[op_u2(instruction(c) + 1)], memory_order_acquire);
    return (const struct class *)(uintptr_t)cell;
}

/* Does its place in the display say all about its subtypes? */
static bool is_in_display(const struct class *k) {
    return k != NULL && !k->is_interface && !class_is_array(k) && k->depth < DISPLAY_LENGTH;
}

static void load_wanted(struct compiler *c, enum asm_reg r) {
    load_cell(c, r, op_u2(instruction(c) + 1));
}

/* EQUAL if the object, which is not null, is an instance. */
static void compare_by_display(struct compiler *c, enum asm_reg object, enum asm_reg wanted, const struct class *k) {
    load_wanted(c, wanted);
    load_class(c, REG_SCRATCH, object);
    asm_alu_load(&c->a, ALU_CMP, W64, wanted,
                 asm_at(REG_SCRATCH, (int32_t)(offsetof(struct class, display) + k->depth * sizeof k)));
}

/* The same by the stub, unless it is the class itself or was found lately; the classes' registers are taken. */
static void compare_by_stub(struct compiler *c, enum asm_reg object, bool is_list) {
    struct asm_label found = {0};
    load_wanted(c, CLASS_WANTED);
    load_class(c, CLASS_HELD, object);
    if (is_list) {
        asm_alu_load(&c->a, ALU_CMP, W64, CLASS_WANTED, asm_at(CLASS_HELD, offsetof(struct class, secondary_cache)));
        asm_branch_short(&c->a, COND_EQUAL, &found);
    }
    call_subtype(c);
    asm_bind(&c->a, &found);
}

struct check {
    const struct class *class;           /* NULL: it is not known yet                                              */
    enum asm_reg object, wanted;
};

/* Everything is in hand. */
static struct check begin_check(struct compiler *c, uint8_t op) {
    struct check k = {known_class_of(c, op), REG_NONE, CLASS_WANTED};
    bool by_display = is_in_display(k.class);
    if (!by_display) take_classes(c);
    k.object = in_register(c, 1);
    if (by_display) k.wanted = take_register(c);
    return k;
}

static void compare_class(struct compiler *c, uint8_t op, const struct check *k) {
    if (k->class == NULL) expect_quick(c, quick_opcode(op, FORM_PLAIN));
    if (is_in_display(k->class)) compare_by_display(c, k->object, k->wanted, k->class);
    else compare_by_stub(c, k->object, k->class != NULL && k->class->is_interface);
}

/* Of null the class need not be resolved. */
static void check_cast(struct compiler *c) {
    struct asm_label done = {0};
    struct check k = begin_check(c, OP_checkcast);
    asm_alu(&c->a, ALU_TEST, W64, k.object, k.object);
    asm_branch_short(&c->a, COND_EQUAL, &done);
    compare_class(c, OP_checkcast, &k);
    leave_if(c, COND_NOT_EQUAL);
    asm_bind(&c->a, &done);
}

static void instance_of(struct compiler *c) {
    struct asm_label done = {0};
    struct check k = begin_check(c, OP_instanceof);
    enum asm_reg r = take_register(c);
    asm_zero(&c->a, r);
    asm_alu(&c->a, ALU_TEST, W64, k.object, k.object);
    asm_branch_short(&c->a, COND_EQUAL, &done);
    compare_class(c, OP_instanceof, &k);
    asm_set(&c->a, COND_EQUAL, r);
    asm_bind(&c->a, &done);
    drop(c, 1);
    push_register(c, r);
}

bool compile_type_check(struct compiler *c, uint8_t op) {
    if (op == OP_checkcast) check_cast(c);
    else if (op == OP_instanceof) instance_of(c);
    else return false;
    return true;
}
