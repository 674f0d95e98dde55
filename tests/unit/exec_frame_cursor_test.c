/* A stack of three frames made by hand, as the engine leaves it, and what a cursor answers at each. */
#include "exec/frame_cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STACK = 64 };

/* oldest: 2 locals, 3 operands, of which the last 2 are the arguments of
 * middle: 3 locals, called from bytecode; 1 operand; has called C code, which called
 * youngest: native, 1 argument. */
struct stack {
    uint64_t slots[STACK];
    struct method methods[3];
    struct method_code codes[3];
    uint8_t bytecode[16];
    struct frame *oldest, *middle, *youngest;
    struct java_thread thread;
};

static void make_code(struct stack *s, int i, uint16_t max_locals) {
    s->codes[i].method = &s->methods[i];
    s->codes[i].code = s->bytecode;
    s->codes[i].max_locals = max_locals;
    s->codes[i].max_stack = 4;
}

static struct frame *put_frame(struct stack *s, int i, uint64_t *locals, struct frame *caller, unsigned operands) {
    struct method_code *code = &s->codes[i];
    struct frame *f = (struct frame *)(locals + code->max_locals);
    *f = (struct frame){.code = code, .caller = caller, .pc = s->bytecode};
    f->sp = frame_stack(f) + operands;
    return f;
}

static void make_stack(struct stack *s) {
    *s = (struct stack){.slots = {0}};
    make_code(s, 0, 2);
    make_code(s, 1, 3);
    make_code(s, 2, 1);
    s->oldest = put_frame(s, 0, s->slots, NULL, 3);
    s->oldest->flags = FRAME_ENTRY;
    s->oldest->pc = s->bytecode + 5;
    s->middle = put_frame(s, 1, s->oldest->sp - 2, s->oldest, 1);
    s->middle->pc = s->bytecode + 7;
    s->youngest = put_frame(s, 2, s->middle->sp, s->middle, 0);
    s->youngest->flags = FRAME_NATIVE;
    s->youngest->pc = NULL;
    s->thread = (struct java_thread){.frame = s->youngest, .stack_low = s->slots, .stack_high = s->slots + STACK};
}

static void test_walk(void **state) {
    (void)state;
    struct stack s;
    make_stack(&s);
    struct frame_cursor c = frame_first(&s.thread);
    assert_true(cursor_valid(&c) && cursor_is_youngest(&c) && cursor_is_native(&c) && !cursor_called_from_c(&c));
    assert_int_equal(cursor_kind(&c), FRAME_KIND_NATIVE);
    assert_int_equal(cursor_bci(&c), -1);
    assert_int_equal(cursor_local_count(&c), 1);
    assert_int_equal(cursor_operand_count(&c), 0);
    assert_ptr_equal(cursor_method(&c), &s.methods[2]);

    frame_next(&c);
    assert_true(cursor_valid(&c) && !cursor_is_youngest(&c) && !cursor_is_native(&c));
    assert_int_equal(cursor_kind(&c), FRAME_KIND_INTERPRETED);
    assert_int_equal(cursor_bci(&c), 7);
    assert_ptr_equal(cursor_locals(&c), s.oldest->sp - 2);
    assert_int_equal(cursor_local_count(&c), 3);
    assert_int_equal(cursor_operand_count(&c), 1);      /* C code put the arguments above what was there */

    frame_next(&c);
    assert_true(cursor_valid(&c) && cursor_called_from_c(&c));
    assert_int_equal(cursor_bci(&c), 5);
    assert_ptr_equal(cursor_code(&c), &s.codes[0]);
    assert_int_equal(cursor_operand_count(&c), 1);      /* two of its three have become the callee's arguments */

    frame_next(&c);
    assert_false(cursor_valid(&c));
    assert_null(cursor_id(&c));
}

static void test_identity(void **state) {
    (void)state;
    struct stack s;
    make_stack(&s);
    struct lock_entry of_middle = {NULL, s.middle}, of_jni = {NULL, NULL};
    struct frame_cursor c = frame_first(&s.thread);
    assert_false(cursor_holds(&c, &of_middle) || cursor_holds(&c, &of_jni));
    frame_next(&c);
    assert_true(cursor_holds(&c, &of_middle));
    cursor_report_pop(&c);
    assert_int_equal(s.middle->flags, FRAME_POP_EVENT);
    frame_next(&c), frame_next(&c);
    assert_true(cursor_holds(&c, &of_jni));             /* behind the oldest frame */
}

static void test_damage(void **state) {
    (void)state;
    struct stack s;
    make_stack(&s);
    struct frame_cursor c = frame_first_at_signal(&s.thread, NULL);
    assert_true(cursor_in_place(&c));
    s.youngest->caller = s.youngest;                    /* a caller does not lie above its callee ... */
    frame_next(&c);
    assert_true(cursor_valid(&c) && !cursor_in_place(&c));
    s.thread.frame = (struct frame *)(s.slots + STACK - 1); /* ... nor half outside the stack ... */
    c = frame_first_at_signal(&s.thread, NULL);
    assert_false(cursor_in_place(&c));
    s.thread.frame = (struct frame *)((char *)s.oldest + 4); /* ... nor between slots */
    c = frame_first_at_signal(&s.thread, NULL);
    assert_false(cursor_in_place(&c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
