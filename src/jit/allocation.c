/* allocation.c — new objects in compiled code: the stub `allocate`. Where the thread's buffer is too small for one, C
 * takes memory from the heap if that needs neither a collection nor an event. It is called as a leaf: registers are
 * saved around the call, and the frame stays as it is. */
#include "jit/allocation.h"

#include "heap/heap.h"
#include "jit/exits.h"
#include "jit/stub_parts.h"
#include "thread/thread.h"

#ifdef ASM_MACHINE

static const enum asm_reg OBJECT = REG_RESULT, SIZE = REG_C0, ID = REG_C1;

static struct asm_mem buffer_field(size_t offset) {
    return asm_at(REG_THREAD, (int32_t)(offsetof(struct os_thread, tlab) + offset));
}

static struct asm_mem leaving(void) { return asm_at(REG_THREAD, offsetof(struct os_thread, leaving)); }

/* What lies on the stack while C runs. */
enum { BEFORE = sizeof(struct exit_registers), ROOM_OF_SAVED = ALIGN_UP(BEFORE + 8, 16) };

static bool is_changed_by_c(enum asm_reg r) { return r != OBJECT && r != REG_COUNT && r != REG_KEPT; }

/* Saves what C may change, or `restores` it. Compiled code uses 64 bits of a floating-point register. */
static void save(struct assembler *a, bool floats_are_free, bool restores) {
    for (unsigned i = 0; i < EXIT_WORDS; i++) {
        struct asm_mem m = way(offsetof(struct exit_registers, words) + 8 * i);
        if (!(ASM_VALUE_REGISTERS >> i & 1) || !is_changed_by_c((enum asm_reg)i)) continue;
        if (restores) asm_load(a, U64, (enum asm_reg)i, m);
        else asm_store(a, W64, m, (enum asm_reg)i);
    }
    for (unsigned i = 0; i < EXIT_FLOATS && !floats_are_free; i++) {
        struct asm_mem m = way(offsetof(struct exit_registers, floats) + 8 * i);
        if (restores) asm_float_load(a, F64, i, m);
        else asm_float_store(a, F64, m, i);
    }
}

/* OBJECT is memory for SIZE bytes from elsewhere than the buffer, or NULL. While the stack is not the caller's
 * os_thread.leaving says where that is. */
static void ask_heap(struct assembler *a, bool floats_are_free) {
    store_youngest(a);
    asm_load(a, U64, REG_COUNT, way(0));
    asm_store(a, W64, leaving(), REG_COUNT);
    asm_move(a, W64, REG_SCRATCH, REG_STACK);
    asm_note_return_at(a, REG_SCRATCH);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM_OF_SAVED));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, way(BEFORE), REG_SCRATCH);
    asm_note_return_by(a, way(BEFORE));
    save(a, floats_are_free, false);
    asm_move(a, W64, REG_C1, SIZE);
    asm_move(a, W64, REG_C0, REG_THREAD);
    asm_constant(a, REG_RESULT, (uintptr_t)heap_take);
    asm_call_register(a, REG_RESULT);
    save(a, floats_are_free, true);
    asm_load(a, U64, REG_STACK, way(BEFORE));
    asm_note_return(a);
    asm_store_constant(a, W64, leaving(), 0);
}

/* The header comes before the bit that says an object is there: heap_set_start. */
static void write_header(struct assembler *a) {
    const enum asm_reg byte = ID, bit = SIZE;
    asm_store(a, W32, asm_at(OBJECT, offsetof(struct object, class_id)), ID);
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
    ask_heap(a, floats_are_free);
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
