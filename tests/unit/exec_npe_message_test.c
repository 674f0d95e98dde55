/* Texts of helpful NullPointerExceptions for every instruction of the class library; what they say is the differential
 * tests' matter (exceptions/HelpfulNullPointers*). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/jimage.h"
#include "exec/exec.h"

struct figures {
    struct jimage *image;
    size_t classes, texts, without_cause;
};

static bool throws_null_pointer(const uint8_t *p) {
    switch (*p) {
    case OP_arraylength:
    case OP_athrow:
    case OP_monitorenter:
    case OP_monitorexit:
    case OP_getfield:
    case OP_putfield: return true;
    case OP_invokevirtual: case OP_invokeinterface: return true;
    default: return (*p >= OP_iaload && *p <= OP_saload) || (*p >= OP_iastore && *p <= OP_sastore);
    }
}

static void check_method(struct figures *f, struct method_code *code) {
    const struct cf_code *source = code_source(code);
    uint32_t stride = source->code_length / 64 + 1, n = 0;
    for (uint32_t bci = 0; bci < source->code_length; bci += opcode_length(source->code, bci, source->code_length)) {
        bool throws = throws_null_pointer(source->code + bci);
        if (!throws && source->code[bci] != OP_invokespecial) {
            if (n % stride == 0) assert_null(npe_message(code, (int32_t)bci));
            continue;
        }
        if (n++ % stride != 0) continue;
        char *text = npe_message(code, (int32_t)bci);
        if (text == NULL) {
            /* invokespecial of a constructor, or the native accessor that newInstance ends in */
            if (throws && strstr(code_cf(code)->name->bytes, "Accessor") == NULL)
                fail_msg("%s.%s at %u: no text", code_cf(code)->name->bytes,
                         cf_member_name(code_cf(code), code->member)->bytes, bci);
            continue;
        }
        f->texts++;
        assert_memory_equal(text, "Cannot ", 7);
        const char *because = strstr(text, " because ");
        if (because == NULL) f->without_cause++;
        else if (because[strlen(because) - 1] != '"') assert_string_equal(strrchr(text, '"'), "\" is null");
        mem_free(text);
    }
    assert_null(npe_message(code, -1));
    assert_null(npe_message(code, (int32_t)source->code_length));
}

static bool check_class(const struct jimage_entry *e, void *arg) {
    struct figures *f = arg;
    if (strcmp(e->module, "java.base") != 0 || strcmp(e->extension, "class") != 0 || *e->parent == '\0') return true;
    if (f->classes++ % 8 != 0) return true;
    char *name = mem_printf("%s/%s.class", e->parent, e->base);
    struct span bytes;
    assert_true(jimage_find(f->image, e->module, name, &bytes));
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
        struct method_code code = {.owner = &version, .member = &cf->methods[i]};
        check_method(f, &code);
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
    jimage_iterate(f.image, check_class, &f);
    print_message("%s: %zu texts, %zu without a cause\n", path, f.texts, f.without_cause);
    assert_true(f.texts > 10000);
    assert_true(f.without_cause < f.texts / 10);
    jimage_close(f.image);
    mem_free(path);
}

static void test_library_17(void **state) { (void)state; library("VITRINE_TEST_JDK_17"); }
static void test_library_25(void **state) { (void)state; library("VITRINE_TEST_JDK_25"); }

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library_17), cmocka_unit_test(test_library_25)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
