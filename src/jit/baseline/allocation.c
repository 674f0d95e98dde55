/* allocation.c — new objects and arrays from the thread's buffer, and type checks by the display. What these do not
 * answer is the interpreter's. heap/heap.h has the allocation in C. JVMS 6.5. */
#include "jit/baseline/compiler.h"

#include "heap/heap.h"
#include "link/link.h"

static struct asm_mem buffer_field(size_t offset) { return thread_field(offsetof(struct os_thread, tlab) + offset); }

/* ---- allocation -------------------------------------------------------------------------------------------------- */

struct room {
    enum asm_reg object, size, scratch;  /* besides REG_COUNT                                                      */
};

static struct room take_room(struct compiler *c) {
    take_these(c, 1u << REG_COUNT);
    struct room r = {take_register(c), REG_NONE, REG_NONE};
    r.size = take_register(c);
    r.scratch = take_register(c);
    return r;
}

/* r->size bytes of the buffer, or leaves; nothing else is done yet. */
static void bump(struct compiler *c, const struct room *r) {
    asm_load(&c->a, U64, r->object, buffer_field(offsetof(struct tlab, top)));
    asm_load(&c->a, U64, REG_COUNT, buffer_field(offsetof(struct tlab, end)));
    asm_alu(&c->a, ALU_SUB, W64, REG_COUNT, r->object);
    asm_alu(&c->a, ALU_CMP, W64, REG_COUNT, r->size);
    leave_if(c, COND_BELOW);
    asm_alu(&c->a, ALU_ADD, W64, r->size, r->object);
    asm_store(&c->a, W64, buffer_field(offsetof(struct tlab, top)), r->size);
}

/* The header has been written: heap_set_start. */
static void set_start(struct compiler *c, const struct room *r) {
    asm_move(&c->a, W64, r->scratch, r->object);
    asm_shift_constant(&c->a, SHIFT_RIGHT, W64, r->scratch, 3);
    asm_move(&c->a, W32, REG_COUNT, r->scratch);
    asm_alu_constant(&c->a, ALU_AND, W32, REG_COUNT, 7);
    asm_shift_constant(&c->a, SHIFT_RIGHT, W64, r->scratch, 3);
    asm_constant(&c->a, r->size, 1);
    asm_shift(&c->a, SHIFT_LEFT, W32, r->size);
    asm_alu_store(&c->a, ALU_OR, W8, asm_indexed(REG_STARTS, r->scratch, 0, 0), r->size);
}

static void new_object(struct compiler *c) {
    struct room r = take_room(c);
    expect_quick(c, quick_opcode(OP_new, FORM_PLAIN));
    load_cell(c, r.scratch, op_u2(instruction(c) + 1));
    asm_load(&c->a, U32, r.size, asm_at(r.scratch, offsetof(struct class, shape.instance_size)));
    bump(c, &r);
    asm_load(&c->a, U32, r.scratch, asm_at(r.scratch, offsetof(struct class, shape.id)));
    asm_store(&c->a, W32, asm_at(r.object, offsetof(struct object, class_id)), r.scratch);
    set_start(c, &r);
    push_register(c, r.object);
}

/* The elements of `length` make 1 << shift bytes each; negative lengths leave, too. */
static void array_room(struct compiler *c, const struct room *r, enum asm_reg length, unsigned shift) {
    asm_alu_constant(&c->a, ALU_CMP, W32, length, HEAP_INLINE_LENGTH);
    leave_if(c, COND_ABOVE);
    asm_move(&c->a, W32, r->size, length);
    if (shift != 0) asm_shift_constant(&c->a, SHIFT_LEFT, W32, r->size, shift);
    asm_alu_constant(&c->a, ALU_ADD, W32, r->size, ARRAY_DATA + OBJECT_ALIGN - 1);
    asm_alu_constant(&c->a, ALU_AND, W32, r->size, -OBJECT_ALIGN);
    bump(c, r);
}

static void finish_array(struct compiler *c, const struct room *r, enum asm_reg length) {
    asm_store(&c->a, W32, asm_at(r->object, offsetof(struct array, length)), length);
    set_start(c, r);
    drop(c, 1);
    push_register(c, r->object);
}

static void new_primitive_array(struct compiler *c) {
    const struct shape *shape = &vm->link->primitive_arrays[instruction(c)[1]]->shape;
    struct room r = take_room(c);
    enum asm_reg length = in_register(c, 1);
    array_room(c, &r, length, shape->element_shift);
    asm_store_constant(&c->a, W32, asm_at(r.object, offsetof(struct object, class_id)), (int32_t)shape->id);
    finish_array(c, &r, length);
}

static void new_reference_array(struct compiler *c) {
    struct room r = take_room(c);
    enum asm_reg length = in_register(c, 1);
    expect_quick(c, quick_opcode(OP_anewarray, FORM_PLAIN));
    load_cell(c, r.scratch, op_u2(instruction(c) + 1));
    asm_load(&c->a, U64, r.scratch, asm_at(r.scratch, offsetof(struct class, array_class)));
    check_null(c, r.scratch);            /* no array of the class has been made yet                                 */
    array_room(c, &r, length, 2);
    asm_load(&c->a, U32, r.scratch, asm_at(r.scratch, offsetof(struct class, shape.id)));
    asm_store(&c->a, W32, asm_at(r.object, offsetof(struct object, class_id)), r.scratch);
    finish_array(c, &r, length);
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

void branch_if_subtype(struct compiler *c, enum asm_reg held, enum asm_reg wanted, enum asm_reg depth,
                       struct asm_label *yes) {
    struct asm_label deep = {0};
    asm_alu(&c->a, ALU_CMP, W64, held, wanted);
    asm_branch(&c->a, COND_EQUAL, yes);
    asm_load(&c->a, U32, depth, asm_at(wanted, offsetof(struct class, depth)));
    asm_alu_constant(&c->a, ALU_CMP, W32, depth, DISPLAY_LENGTH);
    asm_branch_short(&c->a, COND_NOT_BELOW, &deep);
    asm_alu_load(&c->a, ALU_CMP, W64, wanted, asm_indexed(held, depth, 3, offsetof(struct class, display)));
    asm_branch(&c->a, COND_EQUAL, yes);
    asm_bind(&c->a, &deep);
    asm_alu_load(&c->a, ALU_CMP, W64, wanted, asm_at(held, offsetof(struct class, secondary_cache)));
    asm_branch(&c->a, COND_EQUAL, yes);
}

struct check {
    enum asm_reg object, wanted, held, depth;
};

/* Null goes to `null`, whose class need not be resolved; the rest has the two classes in registers. */
static struct check begin_check(struct compiler *c, uint8_t op, struct asm_label *null) {
    struct check k = {in_register(c, 1), take_register(c), REG_NONE, REG_NONE};
    k.held = take_register(c);
    k.depth = take_register(c);
    asm_alu(&c->a, ALU_TEST, W64, k.object, k.object);
    asm_branch(&c->a, COND_EQUAL, null);
    expect_quick(c, quick_opcode(op, FORM_PLAIN));
    load_cell(c, k.wanted, op_u2(instruction(c) + 1));
    load_class(c, k.held, k.object);
    return k;
}

static void check_cast(struct compiler *c) {
    struct asm_label done = {0};
    struct check k = begin_check(c, OP_checkcast, &done);
    branch_if_subtype(c, k.held, k.wanted, k.depth, &done);
    leave_now(c);
    asm_bind(&c->a, &done);
}

static void leave_if_byte(struct compiler *c, struct asm_mem m, int32_t value, enum asm_cond cond) {
    asm_alu_store_constant(&c->a, ALU_CMP, W8, m, value);
    leave_if(c, cond);
}

/* That it is not one, the display alone can say: of classes that are no arrays and not too deep. */
static void instance_of(struct compiler *c) {
    struct asm_label yes = {0}, done = {0};
    enum asm_reg r = take_register(c);
    asm_constant(&c->a, r, 0);
    struct check k = begin_check(c, OP_instanceof, &done);
    struct asm_mem kind = asm_at(k.wanted, offsetof(struct class, shape.kind));
    branch_if_subtype(c, k.held, k.wanted, k.depth, &yes);
    leave_if_byte(c, asm_at(k.wanted, offsetof(struct class, is_interface)), 0, COND_NOT_EQUAL);
    leave_if_byte(c, kind, SHAPE_REF_ARRAY, COND_EQUAL);
    leave_if_byte(c, kind, SHAPE_PRIM_ARRAY, COND_EQUAL);
    asm_alu_constant(&c->a, ALU_CMP, W32, k.depth, DISPLAY_LENGTH);
    leave_if(c, COND_NOT_BELOW);
    asm_jump(&c->a, &done);
    asm_bind(&c->a, &yes);
    asm_constant(&c->a, r, 1);
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
