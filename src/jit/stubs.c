/* stubs.c — see stubs.h. How C enters compiled code and gets back:
 *
 *      interpret, exec_invoke
 *         | method.enter(self, m, args, result)
 *         v                                                     C stack at the call
 *      code of m: for C ---> enter: saves C's registers,        +-----------------------+
 *                            loads those of the contract        | return address into C |
 *                              | call                           | C's registers         |
 *                              v                                | result pointer        |
 *      code of m: compiled <---+                                +-----------------------+
 *         | return                                              | return address: all   | <- REG_STACK in
 *         |  enter: *result = value, C gets NULL                | that compiled code    |    compiled code
 *         | jump to interpret, or, with a frame, to leave       | has on this stack     |
 *         v  C gets the method                                  +-----------------------+
 */
#include "jit/stubs.h"

#include "exec/frame.h"
#include "heap/heap.h"

#ifdef ASM_MACHINE

enum { ROOM = 256 };                     /* more than any of these takes */

struct request {
    const struct stubs *stubs;
    struct method_code *code;
};

/* What begins at `begin` and is written to `to`; returns its length. */
static size_t assemble(void *to, size_t size, const uint8_t *begin,
                       void (*write)(struct assembler *a, const struct request *r), const struct request *r) {
    struct assembler a;
    asm_begin(&a, to, size, begin);
    write(&a, r);
    size_t length = asm_end(&a);
    vm_assert(length != 0, "code that cannot be encoded");
    return length;
}

/* Assembles twice: how long it is does not depend on which blob it is in. */
static const struct code_blob *make(struct code_cache *c, struct code_blob header,
                                    void (*write)(struct assembler *a, const struct request *r),
                                    const struct request *r) {
    uint8_t measured[ROOM];
    header.length = (uint32_t)assemble(measured, ROOM, code_blob_begin((const struct code_blob *)c->runs), write, r);
    struct code_blob *b = code_cache_take(c, &header);
    if (b == NULL) return NULL;
    const uint8_t *begin = code_blob_begin(b);
    assemble(code_cache_writable(c, begin), header.length, begin, write, r);
    return code_cache_publish(c, b) ? b : NULL;
}

/* The word on the stack below what asm_c_begin saves: the result pointer, and with it the alignment that calls want. */
static void write_enter(struct assembler *a, const struct request *r UNUSED) {
    asm_c_begin(a);
    asm_push(a, REG_C3);
    asm_move(a, W64, REG_THREAD, REG_C0);
    asm_load(a, U64, REG_FRAME, asm_at(REG_THREAD, offsetof(struct os_thread, java)));
    asm_load(a, U64, REG_FRAME, asm_at(REG_FRAME, offsetof(struct java_thread, frame)));
    asm_constant(a, REG_SHAPES, (uintptr_t)shape_table);
    asm_constant(a, REG_STARTS, (uintptr_t)&heap_start_bits);      /* collections exchange them                     */
    asm_load(a, U64, REG_STARTS, asm_at(REG_STARTS, 0));
    asm_move(a, W64, REG_COUNT, REG_C2);
    asm_call_register(a, REG_SCRATCH);
    asm_pop(a, REG_C3);
    asm_store(a, W64, asm_at(REG_C3, 0), REG_RESULT);
    asm_constant(a, REG_RESULT, 0);
    asm_c_return(a);
}

/* What was called leaves its return address, and `enter` the result pointer. */
static void write_interpret(struct assembler *a, const struct request *r UNUSED) {
    asm_pop(a, REG_C3);
    asm_pop(a, REG_C3);
    asm_c_return(a);
}

/* The frame's pc and sp, and the method as the answer: the same for C as to be interpreted, but that its frame is
 * there. */
static void write_leave(struct assembler *a, const struct request *r UNUSED) {
    asm_load(a, U64, REG_RESULT, asm_at(REG_FRAME, offsetof(struct frame, code)));
    asm_extend(a, U16, REG_C2, REG_LEAVING);
    asm_alu_load(a, ALU_ADD, W64, REG_C2, asm_at(REG_RESULT, offsetof(struct method_code, code)));
    asm_store(a, W64, asm_at(REG_FRAME, offsetof(struct frame, pc)), REG_C2);
    asm_move(a, W32, REG_C2, REG_LEAVING);
    asm_shift_constant(a, SHIFT_RIGHT, W32, REG_C2, LEAVING_DEPTH_SHIFT);
    asm_address(a, REG_C2, asm_indexed(REG_FRAME, REG_C2, 3, 8 * FRAME_SLOTS));
    asm_store(a, W64, asm_at(REG_FRAME, offsetof(struct frame, sp)), REG_C2);
    asm_load(a, U64, REG_RESULT, asm_at(REG_RESULT, offsetof(struct method_code, method)));
    asm_pop(a, REG_C3);
    asm_pop(a, REG_C3);
    asm_c_return(a);
}

static void write_bounce(struct assembler *a, const struct request *r) {
    struct asm_label compiled = {0};
    asm_address_of(a, REG_SCRATCH, &compiled);
    asm_jump_to(a, r->stubs->enter);
    asm_align(a, 16);
    asm_bind(a, &compiled);
    asm_constant(a, REG_RESULT, (uintptr_t)r->code->method);
    asm_jump_to(a, r->stubs->interpret);
}

bool stubs_make(struct code_cache *c, struct stubs *out) {
    const struct code_blob *enter = make(c, (struct code_blob){.name = "enter"}, write_enter, NULL);
    const struct code_blob *interpret = make(c, (struct code_blob){.name = "interpret"}, write_interpret, NULL);
    const struct code_blob *leave = make(c, (struct code_blob){.name = "leave"}, write_leave, NULL);
    if (enter == NULL || interpret == NULL || leave == NULL) return false;
    *out = (struct stubs){code_blob_begin(enter), code_blob_begin(interpret), code_blob_begin(leave)};
    return true;
}

const struct code_blob *stubs_make_bounce(struct code_cache *c, const struct stubs *s, struct method_code *code) {
    return make(c, (struct code_blob){.method = code}, write_bounce, &(struct request){s, code});
}

#else

bool stubs_make(struct code_cache *c UNUSED, struct stubs *out UNUSED) { return false; }

const struct code_blob *stubs_make_bounce(struct code_cache *c UNUSED, const struct stubs *s UNUSED,
                                          struct method_code *code UNUSED) {
    return NULL;
}

#endif
