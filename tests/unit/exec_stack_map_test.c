/* Stack maps: every method of the class libraries, the maps of its StackMapTable against those of data flow; and
 * subroutines.
 *
 * usage: exec_stack_map_test [MODULE]     default: java.base */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/jimage.h"
#include "base/os.h"
#include "exec/stack_map.h"

static const char *module = "java.base";

static struct method_code code_of(struct class_version *v, struct cf_member *m) {
    return (struct method_code){.owner = v,
                                .member = m,
                                .max_locals = m->code->max_locals,
                                .max_stack = m->code->max_stack};
}

struct figures {
    struct jimage *image;
    size_t methods, positions, unreachable, fewer_locals;
    int64_t table_nanos, flow_nanos, analysis_nanos;
};

static bool bit(const uint64_t *bits, uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }

/* The table may say less about locals, never more: a compiler drops variables that are out of scope. Operands must
 * agree. */
static void compare(struct figures *f, struct method_code *code) {
    uint32_t words = stack_map_words(code);
    uint64_t table[words + 1], flow[words + 1];
    const struct cf_code *source = code_source(code);
    f->methods++;
    int64_t start = os_nanotime();
    stack_map_by_flow(code, 0, NULL, flow);
    f->analysis_nanos += os_nanotime() - start;
    uint32_t stride = source->code_length / 512 + 1, n = 0; /* long straight lines make each position dear */
    for (uint32_t bci = 0; bci < source->code_length; bci += opcode_length(source->code, bci, source->code_length)) {
        if (n++ % stride != 0) continue;
        int64_t t0 = os_nanotime();
        int by_table = stack_map_by_table(code, bci, table);
        int64_t t1 = os_nanotime();
        int by_flow = stack_map_by_flow(code, bci, NULL, flow);
        f->flow_nanos += os_nanotime() - t1;
        f->table_nanos += t1 - t0;
        f->positions++;
        if (by_flow < 0) {
            f->unreachable++;
            continue;
        }
        const char *where = code_cf(code)->name->bytes, *name = cf_member_name(code_cf(code), code->member)->bytes,
                   *desc = cf_member_desc(code_cf(code), code->member)->bytes;
        if (by_table != by_flow)
            fail_msg("%s.%s%s at %u: %d operands by table, %d by flow", where, name, desc, bci, by_table, by_flow);
        bool fewer = false;
        for (uint32_t i = 0; i < code->max_locals + (uint32_t)by_flow; i++) {
            if (bit(table, i) == bit(flow, i)) continue;
            if (i >= code->max_locals || bit(table, i))
                fail_msg("%s.%s%s at %u: slot %u is %d by table, %d by flow", where, name, desc, bci, i, bit(table, i),
                         bit(flow, i));
            fewer = true;
        }
        f->fewer_locals += fewer;
    }
    mem_free(atomic_load(&code->stack_maps));
}

static bool compare_class(const struct jimage_entry *e, void *arg) {
    struct figures *f = arg;
    if (strcmp(e->module, module) != 0 || strcmp(e->extension, "class") != 0 || *e->parent == '\0') return true;
    char *name = mem_printf("%s/%s.class", e->parent, e->base);
    struct span bytes;
    assert_true(jimage_find(f->image, module, name, &bytes));
    struct arena *arena = arena_new("test");
    struct cf_error error;
    struct cf_parse_args args = {.bytes = bytes.data,
                                 .length = bytes.size,
                                 .max_major = 69,
                                 .flags = CF_TRUSTED | CF_VM_ANNOTATIONS};
    struct classfile *cf = classfile_parse(arena, &args, &error);
    if (cf == NULL) fail_msg("%s: %s", name, error.message);
    for (uint16_t i = 0; i < cf->method_count; i++) {
        if (cf->methods[i].code == NULL) continue;
        struct class_version version = {.cf = cf};
        struct method_code code = code_of(&version, &cf->methods[i]);
        compare(f, &code);
    }
    classfile_release(cf);
    arena_free(arena);
    mem_free(name);
    return true;
}

static void library(const char *variable) {
    const char *home = getenv(variable);
    if (home == NULL || *home == '\0') skip();
    char *path = mem_printf("%s/lib/modules", home), *problem = NULL;
    struct figures f = {.image = jimage_open(path, &problem)};
    if (f.image == NULL) fail_msg("%s", problem ? problem : "no reason given");
    jimage_iterate(f.image, compare_class, &f);
    print_message("%s: %zu methods, %zu positions (%zu unreachable, %zu with dead locals); per position %zd ns by "
                  "table, %zd ns by flow; "
                  "%zd us of analysis per method\n",
                  path, f.methods, f.positions, f.unreachable, f.fewer_locals,
                  (ssize_t)(f.table_nanos / (int64_t)f.positions), (ssize_t)(f.flow_nanos / (int64_t)f.positions),
                  (ssize_t)(f.analysis_nanos / 1000 / (int64_t)f.methods));
    assert_true(f.methods > 1000);
    jimage_close(f.image);
    mem_free(path);
}

static void test_library_17(void **state) { (void)state; library("VITRINE_TEST_JDK_17"); }
static void test_library_25(void **state) { (void)state; library("VITRINE_TEST_JDK_25"); }

/* ---- subroutines ------------------------------------------------------------------------------------------------- */

/* static void m(Object, int): local 2 is a reference for the first caller of the subroutine and an int for
 * the second. */
static const uint8_t subroutine[] = {
    OP_aload_0, OP_astore_2,             /*  0 */
    OP_jsr, 0, 16,                       /*  2 -> 18, returns to 5 */
    OP_aload_2, OP_astore_0,             /*  5 */
    OP_iload_1, OP_istore_2,             /*  7 */
    OP_jsr, 0, 9,                        /*  9 -> 18, returns to 12 */
    OP_iload_2, OP_istore_1,             /* 12 */
    OP_aconst_null, OP_astore_2,         /* 14 */
    OP_return,                           /* 16 */
    OP_nop,                              /* 17: dead */
    OP_astore_3,                         /* 18 */
    OP_nop,                              /* 19 */
    OP_ret, 3                            /* 20 */
};

static struct frame *make_frame(uint64_t *stack, struct method_code *code, uint32_t bci) {
    struct frame *f = (struct frame *)(stack + code->max_locals);
    *f = (struct frame){.code = code, .pc = code->code + bci};
    f->sp = frame_stack(f);
    return f;
}

static void test_subroutine(void **state) {
    (void)state;
    _Atomic uint64_t cells[] = {0, (uint64_t)(uintptr_t)symbol_intern_cstr("(Ljava/lang/Object;I)V")};
    struct classfile cf = {.major = 45, .cp = {.count = 2, .cells = cells}};
    struct class_version version = {.cf = &cf};
    struct cf_code source = {.code = subroutine, .code_length = sizeof subroutine, .max_stack = 1, .max_locals = 4};
    struct cf_member member = {.desc_index = 1, .access_flags = ACC_STATIC, .code = &source};
    struct class holder = {.name = NULL};
    struct method method = {.holder = &holder, .flags = METHOD_HAS_JSR};
    struct method_code code = code_of(&version, &member);
    code.method = &method;
    code.code = (uint8_t *)subroutine;
    uint64_t bits, stack[64] = {0};

    assert_int_equal(stack_map_at(&code, 2, false, &bits, 1), 0);
    assert_int_equal(bits, 0x5);         /* locals 0 and 2 */
    assert_int_equal(stack_map_at(&code, 18, false, &bits, 1), 1);
    assert_int_equal(bits, 0x1);         /* what both callers have; the return address is no reference */

    struct frame *f = make_frame(stack, &code, 19);
    stack[3] = 5;
    assert_int_equal(stack_map_of_frame(f, &bits, 1), 0);
    assert_int_equal(bits, 0x5);
    stack[3] = 12;
    assert_int_equal(stack_map_of_frame(f, &bits, 1), 0);
    assert_int_equal(bits, 0x1);
    f->pc = code.code + 18;              /* the address is still an operand */
    frame_stack(f)[0] = 5;
    assert_int_equal(stack_map_of_frame(f, &bits, 1), 1);
    assert_int_equal(bits, 0x5);

    assert_int_equal(stack_map_at(&code, 5, false, &bits, 1), 0);
    assert_int_equal(bits, 0x5);
    assert_int_equal(stack_map_at(&code, 12, false, &bits, 1), 0);
    assert_int_equal(bits, 0x1);
    assert_int_equal(stack_map_at(&code, 16, false, &bits, 1), 0);
    assert_int_equal(bits, 0x5);
    assert_int_equal(stack_map_at(&code, 17, false, &bits, 1), -1);
    assert_int_equal(stack_map_at(&code, 99, false, &bits, 1), -1);
    mem_free(atomic_load(&code.stack_maps));
    symbol_release((struct symbol *)(uintptr_t)cells[1]);
}

/* ---- single instructions ----------------------------------------------------------------------------------------- */

/* Follows `bytes`, which starts with a null, an int and a long in locals 0 to 3, and expects operands as a text of A
 * and I. */
static void expect(const uint8_t *bytes, uint32_t length, uint32_t bci, uint16_t max_stack, const char *operands) {
    _Atomic uint64_t cells[] = {0, (uint64_t)(uintptr_t)symbol_intern_cstr("(Ljava/lang/Object;IJ)V")};
    struct classfile cf = {.major = 45, .cp = {.count = 2, .cells = cells}};
    struct class_version version = {.cf = &cf};
    struct cf_code source = {.code = bytes, .code_length = length, .max_stack = max_stack, .max_locals = 4};
    struct cf_member member = {.desc_index = 1, .access_flags = ACC_STATIC, .code = &source};
    struct method_code code = code_of(&version, &member);
    uint64_t bits = 0;
    assert_int_equal(stack_map_by_flow(&code, bci, NULL, &bits), strlen(operands));
    for (uint32_t i = 0; operands[i]; i++) assert_int_equal(bit(&bits, 4 + i), operands[i] == 'A');
    uint64_t by_table = 0;
    assert_int_equal(stack_map_by_table(&code, bci, &by_table), strlen(operands));
    assert_int_equal(bits, by_table);
    mem_free(atomic_load(&code.stack_maps));
    symbol_release((struct symbol *)(uintptr_t)cells[1]);
}

/* The maximum of the operand stack is what the code needs and not a slot more. */
#define EXPECT(max_stack, operands, ...)                                            \
    do {                                                                            \
        const uint8_t bytes_[] = {__VA_ARGS__, OP_return};                          \
        expect(bytes_, sizeof bytes_, sizeof bytes_ - 1, (max_stack), (operands));  \
    } while (0)

static void test_operands(void **state) {
    (void)state;
    EXPECT(2, "IA", OP_aload_0, OP_iload_1, OP_swap);
    EXPECT(2, "AI", OP_iload_1, OP_aload_0, OP_swap);
    EXPECT(2, "AA", OP_aload_0, OP_dup);
    EXPECT(3, "AIA", OP_iload_1, OP_aload_0, OP_dup_x1);
    EXPECT(4, "AIIA", OP_lload_2, OP_aload_0, OP_dup_x2);
    EXPECT(4, "AIAI", OP_aload_0, OP_iload_1, OP_dup2);
    EXPECT(5, "IAAIA", OP_aload_0, OP_iload_1, OP_aload_0, OP_dup2_x1);
    EXPECT(6, "AIIIAI", OP_lload_2, OP_aload_0, OP_iload_1, OP_dup2_x2);
    EXPECT(2, "A", OP_aload_0, OP_iload_1, OP_pop);
    EXPECT(3, "A", OP_aload_0, OP_lload_2, OP_pop2);
    EXPECT(2, "A", OP_aload_0, OP_iload_1, OP_aaload);
    EXPECT(2, "II", OP_aload_0, OP_iload_1, OP_laload);
    EXPECT(4, "", OP_aload_0, OP_iload_1, OP_lload_2, OP_lastore);
    EXPECT(4, "I", OP_lload_2, OP_lload_2, OP_lcmp);
    EXPECT(1, "A", OP_iload_1, OP_newarray, T_INT);
    EXPECT(1, "A", OP_wide, OP_aload, 0, 0);
    EXPECT(2, "II", OP_wide, OP_lload, 0, 2);
    EXPECT(1, "", OP_wide, OP_iinc, 0, 1, 0, 1);
    EXPECT(1, "", OP_iload_1, OP_astore_0);
}

int main(int argc, char **argv) {
    if (argc > 1) module = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_subroutine),
        cmocka_unit_test(test_library_17),
        cmocka_unit_test(test_library_25),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
