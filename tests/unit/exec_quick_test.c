/* The table of quick opcodes: what selection, unfusing and watching rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "exec/quick.h"

static void test_rows(void **state) {
    (void)state;
    for (int op = OP_breakpoint + 1; op < OP_quick_limit; op++) {
        const struct quick_row *r = &quick_rows[op];
        assert_non_null(r->name);
        assert_string_equal(quick_name((uint8_t)op), r->name);
        assert_true(r->base != 0 && r->base < OP_LIMIT);
        int forms = 0;
        for (int form = 0; form < FORM_COUNT; form++) forms += quick_opcode(r->base, (enum quick_form)form) == op;
        assert_int_equal(forms, 1);      /* no row hides another */
    }
    assert_string_equal(quick_name(OP_iadd), "iadd");
    assert_null(quick_rows[OP_iadd].name);
}

static void test_selection(void **state) {
    (void)state;
    assert_int_equal(quick_opcode(OP_getfield, FORM_J), OP_getfield_j);
    assert_int_equal(quick_opcode(OP_putstatic, FORM_VOLATILE), OP_putstatic_volatile);
    assert_int_equal(quick_opcode(OP_ldc_w, FORM_CLASS), OP_ldc_class_w_q);
    assert_int_equal(quick_opcode(OP_invokeinterface, FORM_PLAIN), OP_invokeinterface_q);
    assert_int_equal(quick_opcode(OP_getfield, FORM_WATCHED), OP_field_watched);
    assert_int_equal(quick_opcode(OP_iadd, FORM_PLAIN), 0);
    assert_int_equal(quick_rows[OP_getstatic_a].cell, CELL_ADDRESS);
}

static void test_unfusing(void **state) {
    (void)state;
    assert_int_equal(opcode_unfused(OP_aload_0_getfield_i), OP_aload_0_q);
    assert_int_equal(opcode_unfused(OP_aload_0_getfield_a), OP_aload_0_q);
    assert_int_equal(opcode_unfused(OP_load_load), OP_load_q);
    for (int op = 0; op < 256; op++)
        assert_int_equal(opcode_is_half((uint8_t)op), op == OP_aload_0_q || op == OP_load_q);
    for (int op = 0; op < 256; op++) {
        uint8_t alone = opcode_unfused((uint8_t)op);
        assert_int_equal(quick_rows[alone].fused, OP_nop);
        if (quick_rows[op].fused == OP_nop) assert_int_equal(alone, op);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_selection),
        cmocka_unit_test(test_unfusing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
