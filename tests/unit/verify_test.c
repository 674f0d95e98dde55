/* The verifier's refusals, word for word as HotSpot's, and what hooks that fail lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/symbol.h"
#include "classfile/classfile.h"
#include "classfile/opcodes.h"
#include "verify/verify.h"

/* ---- class p/Foo with one static method m ---------------------------------------------------------------------- */

struct method {
    const char *descriptor;
    unsigned max_stack, max_locals;
    const uint8_t *code;
    size_t code_length;
    const uint8_t *stack_map; /* content of the attribute, NULL: none */
    size_t stack_map_length;
};

static uint8_t *put(uint8_t *p, int bytes, unsigned v) {
    while (bytes-- > 0) *p++ = (uint8_t)(v >> 8 * bytes);
    return p;
}

static uint8_t *put_utf8(uint8_t *p, const char *s) {
    p = put(put(p, 1, CP_Utf8), 2, (unsigned)strlen(s));
    memcpy(p, s, strlen(s));
    return p + strlen(s);
}

static size_t write_class(uint8_t *start, const struct method *m) {
    uint8_t *p = put(put(put(start, 4, 0xcafebabe), 4, 61), 2, 12);
    p = put_utf8(p, "p/Foo");
    p = put(put(p, 1, CP_Class), 2, 1);
    p = put_utf8(p, "java/lang/Object");
    p = put(put(p, 1, CP_Class), 2, 3);
    p = put_utf8(p, "m");
    p = put_utf8(p, m->descriptor);
    p = put_utf8(p, "Code");
    p = put_utf8(p, "java/lang/String");
    p = put(put(p, 1, CP_Class), 2, 8);
    p = put_utf8(p, "StackMapTable");
    p = put(put(p, 1, CP_Class), 2, 8);
    p = put(put(put(put(p, 2, ACC_SUPER), 2, 2), 2, 4), 4, 0); /* no interfaces, no fields */
    p = put(put(put(put(put(p, 2, 1), 2, ACC_STATIC), 2, 5), 2, 6), 2, 1);
    size_t map = m->stack_map != NULL ? 6 + m->stack_map_length : 0;
    p = put(put(p, 2, 7), 4, (unsigned)(12 + m->code_length + map));
    p = put(put(put(p, 2, m->max_stack), 2, m->max_locals), 4, (unsigned)m->code_length);
    memcpy(p, m->code, m->code_length);
    p = put(put(p + m->code_length, 2, 0), 2, map > 0);
    if (map > 0) {
        p = put(put(p, 2, 10), 4, (unsigned)m->stack_map_length);
        memcpy(p, m->stack_map, m->stack_map_length);
        p += m->stack_map_length;
    }
    return (size_t)(put(p, 2, 0) - start);
}

/* ---- hooks ----------------------------------------------------------------------------------------------------- */

static enum verify_answer interface_answer;

static enum verify_answer is_interface(void *ctx, struct symbol *name) {
    (void)ctx, (void)name;
    return interface_answer;
}
static enum verify_answer is_subclass(void *ctx, struct symbol *from, struct symbol *to) {
    (void)ctx, (void)from, (void)to;
    return VERIFY_NO;
}
static bool has_super_named(void *ctx, struct symbol *name) {
    (void)ctx, (void)name;
    return false;
}
static enum verify_answer is_protected_elsewhere(void *ctx, struct symbol *holder, struct symbol *name,
                                                 struct symbol *desc, bool is_method) {
    (void)ctx, (void)holder, (void)name, (void)desc, (void)is_method;
    return VERIFY_NO;
}

static enum verify_status run(const struct method *m, struct verify_result *result) {
    uint8_t bytes[1024];
    struct cf_parse_args args = {.bytes = bytes, .length = write_class(bytes, m), .max_major = 69};
    struct cf_error error;
    struct arena *arena = arena_new("test");
    struct classfile *cf = classfile_parse(arena, &args, &error);
    if (cf == NULL) print_error("%s\n", error.message);
    assert_non_null(cf);
    struct verify_hooks hooks = {NULL, 25, is_interface, is_subclass, has_super_named, is_protected_elsewhere};
    enum verify_status status = verify_class(cf, &hooks, result);
    classfile_release(cf);
    arena_free(arena);
    return status;
}

static void expect(const struct method *m, const char *exception, const char *message) {
    struct verify_result result;
    enum verify_status status = run(m, &result);
    if (message == NULL) {
        assert_int_equal(status, VERIFY_PASSED);
        return;
    }
    assert_int_equal(status, VERIFY_REJECTED);
    assert_string_equal(result.message, message);
    assert_string_equal(result.exception, exception);
    mem_free(result.message);
}

#define CODE(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
#define VERIFY_ERROR "java/lang/VerifyError"

static void test_sound(void **state) {
    (void)state;
    expect(&(struct method){"()V", 0, 0, CODE(OP_return), NULL, 0}, NULL, NULL);
    /* if (i != 0) return 1; return 2; */
    expect(&(struct method){"(I)I", 1, 1,
                            CODE(OP_iload_0, OP_ifeq, 0, 5, OP_iconst_1, OP_ireturn, OP_iconst_2, OP_ireturn),
                            CODE(0, 1, 6)}, NULL, NULL);
}

static void test_operand_type(void **state) {
    (void)state;
    expect(&(struct method){"(Ljava/lang/Object;)I", 1, 1, CODE(OP_aload_0, OP_ireturn), NULL, 0}, VERIFY_ERROR,
           "Bad type on operand stack\n"
           "Exception Details:\n"
           "  Location:\n"
           "    p/Foo.m(Ljava/lang/Object;)I @1: ireturn\n"
           "  Reason:\n"
           "    Type 'java/lang/Object' (current frame, stack[0]) is not assignable to integer\n"
           "  Current Frame:\n"
           "    bci: @1\n"
           "    flags: { }\n"
           "    locals: { 'java/lang/Object' }\n"
           "    stack: { 'java/lang/Object' }\n"
           "  Bytecode:\n"
           "    0000000: 2aac                                   \n");
}

static void test_stack(void **state) {
    (void)state;
    expect(&(struct method){"()V", 0, 0, CODE(OP_iconst_0, OP_return), NULL, 0}, VERIFY_ERROR,
           "Operand stack overflow\n"
           "Exception Details:\n"
           "  Location:\n"
           "    p/Foo.m()V @0: iconst_0\n"
           "  Reason:\n"
           "    Exceeded max stack size.\n"
           "  Current Frame:\n"
           "    bci: @0\n"
           "    flags: { }\n"
           "    locals: { }\n"
           "    stack: { }\n"
           "  Bytecode:\n"
           "    0000000: 03b1                                   \n");
    expect(&(struct method){"()V", 1, 0, CODE(OP_nop), NULL, 0}, VERIFY_ERROR,
           "Control flow falls through code end\n"
           "Exception Details:\n"
           "  Location:\n"
           "    p/Foo.m()V @1: <invalid>\n"
           "  Reason:\n"
           "    Error exists in the bytecode\n"
           "  Bytecode:\n"
           "    0000000: 00                                     \n");
}

static void test_stack_map(void **state) {
    (void)state;
    const struct method m = {"(I)V", 1, 1, CODE(OP_iload_0, OP_ifeq, 0, 4, OP_nop, OP_return),
                             CODE(0, 1, 255, 0, 5, 0, 1, 2, 0, 0)};
    expect(&m, VERIFY_ERROR,
           "Inconsistent stackmap frames at branch target 5\n"
           "Exception Details:\n"
           "  Location:\n"
           "    p/Foo.m(I)V @5: return\n"
           "  Reason:\n"
           "    Type integer (current frame, locals[0]) is not assignable to float (stack map, locals[0])\n"
           "  Current Frame:\n"
           "    bci: @1\n"
           "    flags: { }\n"
           "    locals: { integer }\n"
           "    stack: { integer }\n"
           "  Stackmap Frame:\n"
           "    bci: @5\n"
           "    flags: { }\n"
           "    locals: { float }\n"
           "    stack: { }\n"
           "  Bytecode:\n"
           "    0000000: 1a99 0004 00b1                         \n"
           "  Stackmap Table:\n"
           "    full_frame(@5,{Float},{})\n");
    expect(&(struct method){"()V", 0, 0, CODE(OP_return), CODE(0, 1, 200, 0, 0)}, "java/lang/ClassFormatError",
           "StackMapTable format error: reserved frame type");
    expect(&(struct method){"(JLjava/lang/String;)V", 0, 3, CODE(OP_return), CODE(0, 1, 252, 0, 0, 1)},
           "java/lang/ClassFormatError",
           "StackMapTable format error: bad type array size in method 'void p.Foo.m(long, java.lang.String)'");
}

/* Assigning an Object to a String asks for the classes. */
static void test_hooks(void **state) {
    (void)state;
    const struct method m = {"(Ljava/lang/Object;)Ljava/lang/String;", 1, 1, CODE(OP_aload_0, OP_areturn), NULL, 0};
    struct verify_result result;
    interface_answer = VERIFY_THREW;
    assert_int_equal(run(&m, &result), VERIFY_PENDING);
    assert_null(result.message);
    interface_answer = VERIFY_YES;
    assert_int_equal(run(&m, &result), VERIFY_PASSED);
    interface_answer = VERIFY_NO;
    assert_int_equal(run(&m, &result), VERIFY_REJECTED);
    assert_non_null(strstr(result.message, "Bad return type\n"));
    assert_non_null(strstr(result.message, "is not assignable to 'java/lang/String' (from method signature)"));
    mem_free(result.message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),     cmocka_unit_test(test_operand_type), cmocka_unit_test(test_stack),
        cmocka_unit_test(test_stack_map), cmocka_unit_test(test_hooks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
