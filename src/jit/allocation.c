/* allocation.c — new objects in compiled code: the stub `allocate`. Where the thread's buffer is too small for one, C
 * takes memory from the heap if that needs neither a collection nor an event. It is called as a leaf: registers are
 * saved around the call, and the frame stays as it is. */
#include "jit/allocation.h"

#include "heap/heap.h"
#include "jit/stub_parts.h"
#include "thread/thread.h"

#ifdef ASM_MACHINE

static const enum asm_reg OBJECT = REG_RESULT, SIZE = REG_C0, ID = REG_C1;

static struct asm_mem buffer_field(size_t offset) {
    return asm_at(REG_THREAD, (int32_t)(offsetof(struct os_thread, tlab) + offset));
}

/* OBJECT is memory for SIZE bytes from elsewhere than the buffer, or NULL. */
static void pass_size(struct assembler *a) {
    asm_move(a, W64, REG_C1, SIZE);
    asm_move(a, W64, REG_C0, REG_THREAD);
}

void allocation_write_start(struct assembler *a) {
    const enum asm_reg byte = ID, bit = SIZE;
    asm_move(a, W64, byte, OBJECT);
    asm_shift_constant(a, SHIFT_RIGHT, W64, byte, 3);
    asm_move(a, W32, REG_COUNT, byte);
    asm_alu_constant(a, ALU_AND, W32, REG_COUNT, 7);
    asm_shift_constant(a, SHIFT_RIGHT, W64, byte, 3);
    asm_constant(a, bit, 1);
    asm_shift(a, SHIFT_LEFT, W32, bit);
    asm_constant(a, REG_SCRATCH, (uintptr_t)&heap_start_bits);
    asm_load(a, U64, REG_SCRATCH, asm_at(REG_SCRATCH, 0));               /* collections exchange them               */
    asm_alu_store(a, ALU_OR, W8, asm_indexed(REG_SCRATCH, byte, 0, 0), bit);     /* not BELOW                       */
}

/* The header comes before the bit that says an object is there. */
static void write_header(struct assembler *a) {
    asm_store(a, W32, asm_at(OBJECT, offsetof(struct object, class_id)), ID);
    allocation_write_start(a);
}

/* heap/heap.h has the allocation in C. */
void allocate_write(struct assembler *a, bool floats_are_free) {
    struct asm_label no_room = {0}, taken = {0}, ask = {0}, asked = {0};
    asm_load(a, U64, OBJECT, buffer_field(offsetof(struct tlab, top)));
    asm_load(a, U64, REG_COUNT, buffer_field(offsetof(struct tlab, end)));
    asm_alu(a, ALU_SUB, W64, REG_COUNT, OBJECT);
    asm_alu(a, ALU_CMP, W64, REG_COUNT, SIZE);
    asm_branch(a, COND_BELOW, &no_room);
    asm_address(a, REG_COUNT, asm_indexed(OBJECT, SIZE, 0, 0));
    asm_store(a, W64, buffer_field(offsetof(struct tlab, top)), REG_COUNT);
    asm_bind(a, &taken);
    write_header(a);
    asm_return(a);
    asm_bind(a, &no_room);
    asm_load(a, U64, REG_COUNT, buffer_field(offsetof(struct tlab, limit)));
    asm_alu(a, ALU_SUB, W64, REG_COUNT, OBJECT);
    asm_alu(a, ALU_CMP, W64, REG_COUNT, SIZE);
    asm_branch_short(a, COND_BELOW, &ask);
    asm_zero(a, OBJECT);                                 /* there is room: an event is due                          */
    asm_jump(a, &asked);
    asm_bind(a, &ask);
    ask_leaf(a, (uintptr_t)heap_take, pass_size, floats_are_free);
    asm_bind(a, &asked);
    asm_alu_constant(a, ALU_CMP, W64, OBJECT, 1);
    asm_branch(a, COND_NOT_BELOW, &taken);
    asm_load(a, U64, REG_COUNT, way(0));
    asm_store(a, W64, asm_at(REG_THREAD, offsetof(struct os_thread, allocating)), REG_COUNT);
    asm_store_constant(a, W8, asm_at(REG_THREAD, offsetof(struct os_thread, floats_are_free)), floats_are_free);
    asm_store_constant(a, W8, asm_at(REG_THREAD, offsetof(struct os_thread, no_room)), true);
    asm_return(a);                                       /* BELOW                                                   */
}

#endif
