/* What a tool's heap walk finds in a frame that is in a call: the operands that the call has not taken, and the hidden
 * last argument of a call by a method handle (the appendix), which no stack map shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "exec/frame_cursor.h"
#include "exec/stack_map.h"
#include "heap/heap_internal.h"
#include "inspect/stack.h"

/* static void m(Object, int): local 0 is a reference; at the return the stack has a reference, an int, a reference. */
static const uint8_t bytes[] = {OP_aload_0, OP_iload_1, OP_aload_0, OP_return};
enum { LOCALS = 2, OPERANDS = 3, AT = 3, OBJECTS = 3, SLOTS = 64 };

/* A block of a heap, in which an object begins at each of the first words. */
static _Alignas(BLOCK_SIZE) uint64_t block[BLOCK_SIZE / sizeof(uint64_t)];
static uint8_t kinds[1] = {BLOCK_SMALL}, starts[BIT_BYTES_PER_BLOCK] = {(1 << OBJECTS) - 1};
static struct vm test_vm;

struct found {
    int slots[SLOTS], count;
    struct object *objects[SLOTS];
};

static bool note(void *arg, int slot, struct object *o) {
    struct found *f = arg;
    f->slots[f->count] = slot;
    f->objects[f->count++] = o;
    return true;
}

static uint64_t object(int i) { return (uint64_t)(uintptr_t)&block[i]; }

/* What is found with `live` operands below the arguments of the call. */
static struct found walk(unsigned live) {
    struct heap heap = {.base = (uintptr_t)block, .end = (uintptr_t)block + BLOCK_SIZE, .kind = kinds,
                        .starts = starts - ((uintptr_t)block >> 6)};
    vm = &test_vm;
    vm->heap = &heap;
    _Atomic uint64_t cells[] = {0, (uint64_t)(uintptr_t)symbol_intern_cstr("(Ljava/lang/Object;I)V")};
    struct classfile cf = {.major = 45, .cp = {.count = 2, .cells = cells}};
    struct class_version version = {.cf = &cf};
    struct cf_code source = {.code = bytes, .code_length = sizeof bytes, .max_stack = OPERANDS, .max_locals = LOCALS};
    struct cf_member member = {.desc_index = 1, .access_flags = ACC_STATIC, .code = &source};
    struct class holder = {.name = NULL};
    struct method method = {.holder = &holder, .access_flags = ACC_STATIC};
    struct method_code code = {.owner = &version, .member = &member, .max_locals = LOCALS, .max_stack = OPERANDS,
                               .method = &method, .code = (uint8_t *)bytes};
    uint64_t slots[SLOTS] = {object(0), 7};
    struct frame *f = (struct frame *)(slots + LOCALS);
    *f = (struct frame){.code = &code, .pc = code.code + AT};
    f->sp = frame_stack(f) + live;
    const uint64_t stack[] = {object(0), 7, object(1), object(2)};
    for (unsigned i = 0; i < live; i++) frame_stack(f)[i] = stack[i];
    struct java_thread thread = {.frame = f, .stack_low = slots, .stack_high = slots + SLOTS};
    struct frame_cursor c = frame_first(&thread);
    struct found found = {.count = 0};
    assert_true(frame_references(&c, note, &found));
    mem_free(atomic_load(&code.stack_maps));
    symbol_release((struct symbol *)(uintptr_t)cells[1]);
    vm = NULL;
    return found;
}

static void test_operands(void **state) {
    (void)state;
    struct found f = walk(OPERANDS);
    assert_int_equal(f.count, 3);
    assert_int_equal(f.slots[0], 0);
    assert_int_equal(f.slots[1], LOCALS);
    assert_int_equal(f.slots[2], LOCALS + 2);
    assert_ptr_equal(f.objects[2], &block[1]);
}

static void test_what_the_call_took(void **state) {
    (void)state;
    struct found f = walk(2);
    assert_int_equal(f.count, 2);
    assert_int_equal(f.slots[1], LOCALS);
}

static void test_appendix(void **state) {
    (void)state;
    struct found f = walk(OPERANDS + 1);
    assert_int_equal(f.count, 4);
    assert_int_equal(f.slots[3], LOCALS + OPERANDS);
    assert_ptr_equal(f.objects[3], &block[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands), cmocka_unit_test(test_what_the_call_took), cmocka_unit_test(test_appendix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
