/* emit_allocation.c — machine code of new objects and arrays, and of instructions that C does. An object comes from the
 * thread's buffer; where that is too small the stub `allocate` is asked, out of line, and then C. Where C is asked the
 * frame leaves whole, and its code goes on behind the instruction as if nothing had been (jit/run.c). */
#include "jit/optimising/emit.h"

#include "heap/heap.h"
#include "jit/allocation.h"
#include "link/link.h"
#include "thread/thread.h"

/* Registers of the stub `allocate`. */
static const enum asm_reg OBJECT = REG_RESULT, SIZE = REG_C0, ID = REG_C1;

static void keep_result(struct emitter *e, node_id id) {
    enum asm_reg r = result_general(e, id);
    if (r != REG_RESULT) asm_move(&e->c->a, W64, r, REG_RESULT);
    keep_general(e, id, r);
}

void emit_by_c(struct emitter *e, const struct node *n) {
    struct assembler *a = &e->c->a;
    struct emitted_exit *x = exit_and_back_of(e, n);
    asm_address_of(a, REG_SCRATCH, &x->behind);
    asm_store(a, W64, thread_field(offsetof(struct os_thread, allocating)), REG_SCRATCH);
    if (!e->places->has_floats)
        asm_store_constant(a, W8, thread_field(offsetof(struct os_thread, floats_are_free)), true);
    asm_jump(a, &x->label);
    asm_bind(a, &x->behind);
}

static struct asm_mem buffer_field(size_t offset) { return thread_field(offsetof(struct os_thread, tlab) + offset); }

void emit_no_room(struct emitter *e, struct emitted_exit *x) {
    struct assembler *a = &e->c->a;
    asm_bind(a, &x->no_room);
    if (x->size != 0) asm_constant(a, SIZE, x->size);
    asm_constant(a, ID, x->class_id);
    call_stub(e->c, e->places->has_floats ? e->c->stubs->allocate_beside_floats : e->c->stubs->allocate);
    asm_branch(a, COND_NOT_BELOW, &x->behind);
}

/* An object of so many bytes, 0: SIZE. heap/heap.h has the same in C. */
static void allocate(struct emitter *e, const struct node *n, const struct shape *shape, uint32_t size) {
    struct assembler *a = &e->c->a;
    struct emitted_exit *x = exit_and_back_of(e, n);
    x->allocates = true;
    x->class_id = shape->id;
    x->size = size;
    asm_load(a, U64, OBJECT, buffer_field(offsetof(struct tlab, top)));
    asm_address(a, REG_SCRATCH, size != 0 ? asm_at(OBJECT, (int32_t)size) : asm_indexed(OBJECT, SIZE, 0, 0));
    asm_alu_load(a, ALU_CMP, W64, REG_SCRATCH, buffer_field(offsetof(struct tlab, end)));
    asm_branch(a, COND_ABOVE, &x->no_room);
    asm_store(a, W64, buffer_field(offsetof(struct tlab, top)), REG_SCRATCH);
    asm_store_constant(a, W32, asm_at(OBJECT, offsetof(struct object, class_id)), (int32_t)shape->id);
    allocation_write_start(a);
    asm_bind(a, &x->behind);
}

static void emit_new_object(struct emitter *e, node_id id, const struct node *n) {
    const struct shape *shape = &((const struct class *)(uintptr_t)n->imm)->shape;
    allocate(e, n, shape, shape->instance_size);
    keep_result(e, id);
}

/* No buffer has room for the elements of a negative length. */
static void load_size(struct emitter *e, enum asm_reg length, unsigned shift) {
    struct assembler *a = &e->c->a;
    asm_move(a, W32, SIZE, length);
    if (shift != 0) asm_shift_constant(a, SHIFT_LEFT, W64, SIZE, shift);
    asm_alu_constant(a, ALU_ADD, W64, SIZE, ARRAY_DATA + OBJECT_ALIGN - 1);
    asm_alu_constant(a, ALU_AND, W64, SIZE, -OBJECT_ALIGN);
}

static void emit_new_array(struct emitter *e, node_id id, const struct node *n) {
    struct assembler *a = &e->c->a;
    const struct shape *shape = &((const struct class *)(uintptr_t)n->imm)->shape;
    const struct node *length = emitted(e, n->in[0]);
    struct asm_mem of_object = asm_at(OBJECT, offsetof(struct array, length));
    bool is_small = is_constant(length) && length->imm >= 0 && length->imm <= HEAP_INLINE_LENGTH;
    uint32_t size = 0;
    if (is_small) size = (uint32_t)ALIGN_UP(ARRAY_DATA + ((uint64_t)length->imm << shape->element_shift), OBJECT_ALIGN);
    else load_size(e, in_general(e, n->in[0], REG_SCRATCH), shape->element_shift);
    allocate(e, n, shape, size);
    if (is_constant(length)) asm_store_constant(a, W32, of_object, (int32_t)length->imm);
    else asm_store(a, W32, of_object, in_general(e, n->in[0], REG_SCRATCH));
    keep_result(e, id);
}

bool emit_allocation(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    switch (n->op) {
    case NODE_new_object: emit_new_object(e, id, n); return true;
    case NODE_new_array: emit_new_array(e, id, n); return true;
    case NODE_new_arrays:
        emit_by_c(e, n);
        keep_result(e, id);
        return true;
    default: return false;
    }
}
