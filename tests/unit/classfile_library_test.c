/* Every class of java.base of both libraries: parses in every mode, its tables can be read, and it verifies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/jimage.h"
#include "base/symbol.h"
#include "base/table.h"
#include "classfile/classfile.h"
#include "classfile/opcodes.h"
#include "verify/verify.h"

/* All classes of a library's java.base, by name. */
struct library {
    int release;
    uint16_t max_major;
    struct arena *arena;
    struct jimage *image;
    struct ptr_table classes;
    VEC(struct classfile *) all;
    struct classfile *current; /* being verified */
};

static struct classfile *parse(struct library *lib, struct arena *arena, struct span bytes, unsigned flags) {
    struct cf_parse_args args = {
        .bytes = bytes.data, .length = bytes.size, .max_major = lib->max_major, .flags = flags
    };
    struct cf_error error;
    struct classfile *cf = classfile_parse(arena, &args, &error);
    if (cf == NULL) print_error("%s: %s\n", error.exception, error.message);
    return cf;
}

static bool load(const struct jimage_entry *e, void *arg) {
    struct library *lib = arg;
    if (strcmp(e->module, "java.base") != 0 || strcmp(e->extension, "class") != 0 ||
        strcmp(e->base, "module-info") == 0)
        return true;
    char name[1024];
    snprintf(name, sizeof name, "%s/%s.class", e->parent, e->base);
    struct span bytes;
    assert_true(jimage_find(lib->image, e->module, name, &bytes));
    struct classfile *cf = parse(lib, lib->arena, bytes, 0);
    assert_non_null(cf);
    assert_true(ptr_table_put(&lib->classes, cf->name, cf));
    assert_true(vec_push(&lib->all, cf));
    return true;
}

/* ---- hooks ----------------------------------------------------------------------------------------------------- */

static struct classfile *find(struct library *lib, const struct symbol *name) {
    struct classfile *cf = ptr_table_get(&lib->classes, name);
    if (cf == NULL) print_error("%s asks for %s\n", lib->current->name->bytes, name->bytes);
    assert_non_null(cf);
    return cf;
}

static enum verify_answer is_interface(void *ctx, struct symbol *name) {
    return find(ctx, name)->access_flags & ACC_INTERFACE ? VERIFY_YES : VERIFY_NO;
}

static enum verify_answer is_subclass(void *ctx, struct symbol *from, struct symbol *to) {
    for (struct classfile *cf = find(ctx, from);; cf = find(ctx, cf->super_name)) {
        if (cf->name == to) return VERIFY_YES;
        if (cf->super_name == NULL) return VERIFY_NO;
    }
}

static bool has_super_named(void *ctx, struct symbol *name) {
    struct library *lib = ctx;
    for (struct classfile *cf = lib->current; cf->super_name != NULL; cf = find(ctx, cf->super_name))
        if (cf->super_name == name) return true;
    return false;
}

static bool same_package(const struct symbol *a, const struct symbol *b) {
    const char *p = strrchr(a->bytes, '/'), *q = strrchr(b->bytes, '/');
    return p - a->bytes == q - b->bytes && memcmp(a->bytes, b->bytes, (size_t)(p - a->bytes)) == 0;
}

static enum verify_answer is_protected_elsewhere(void *ctx, struct symbol *holder, struct symbol *name,
                                                 struct symbol *desc, bool is_method) {
    struct library *lib = ctx;
    for (struct classfile *cf = find(ctx, holder);; cf = find(ctx, cf->super_name)) {
        const struct cf_member *members = is_method ? cf->methods : cf->fields;
        for (uint32_t k = 0; k < (is_method ? cf->method_count : cf->field_count); k++)
            if (cf_member_name(cf, &members[k]) == name && cf_member_desc(cf, &members[k]) == desc)
                return (members[k].access_flags & ACC_PROTECTED) && !same_package(cf->name, lib->current->name)
                           ? VERIFY_YES
                           : VERIFY_NO;
        if (cf->super_name == NULL) return VERIFY_NO;
    }
}

/* ---- checks ---------------------------------------------------------------------------------------------------- */

static void check_code(const struct classfile *cf, const struct cf_code *code) {
    for (uint32_t bci = 0; bci < code->code_length;) {
        uint32_t n = opcode_length(code->code, bci, code->code_length);
        assert_int_not_equal(n, 0);
        bci += n;
    }
    struct cf_line row;
    uint32_t rows = 0;
    for (struct cf_line_iter it = cf_lines(cf, code); cf_lines_next(&it, &row); rows++)
        assert_true(row.start_pc < code->code_length);
    assert_int_equal(rows, cf_line_count(cf, code));
}

/* A class of the boot loader must look the same in both modes. */
static void check_trusted(struct library *lib, const struct classfile *cf) {
    struct arena *arena = arena_new("test");
    struct classfile *other = parse(lib, arena, (struct span){ cf->bytes, cf->length }, CF_TRUSTED | CF_VM_ANNOTATIONS);
    assert_non_null(other);
    assert_ptr_equal(other->name, cf->name);
    assert_int_equal(other->method_count, cf->method_count);
    assert_int_equal(other->inner_classes, cf->inner_classes);
    assert_int_equal(other->bootstrap_count, cf->bootstrap_count);
    assert_int_equal(other->clinit_index, cf->clinit_index);
    const uint8_t *name;
    uint16_t length;
    assert_true(classfile_peek_name(cf->bytes, cf->length, &name, &length));
    assert_int_equal(length, cf->name->length);
    assert_memory_equal(name, cf->name->bytes, length);
    classfile_release(other);
    arena_free(arena);
}

static void check_verifies(struct library *lib, struct classfile *cf) {
    struct verify_hooks hooks = {
        lib, lib->release, is_interface, is_subclass, has_super_named, is_protected_elsewhere
    };
    struct verify_result result;
    lib->current = cf;
    enum verify_status status = verify_class(cf, &hooks, &result);
    if (status == VERIFY_REJECTED) print_error("%s: %s\n", cf->name->bytes, result.message);
    assert_int_equal(status, VERIFY_PASSED);
    assert_null(result.message);
}

/* The VM flags of all overloads of a method together, or of the class. */
static uint32_t method_flags(const struct library *lib, const char *class, const char *method) {
    struct symbol *name = symbol_lookup_cstr(class);
    const struct classfile *cf = ptr_table_get(&lib->classes, name);
    symbol_release(name);
    assert_non_null(cf);
    struct arena *arena = arena_new("test");
    struct cf_parse_args args = {
        .bytes = cf->bytes, .length = cf->length, .max_major = lib->max_major, .flags = CF_TRUSTED | CF_VM_ANNOTATIONS
    };
    struct cf_error error;
    struct classfile *again = classfile_parse(arena, &args, &error);
    bool of_class = method[0] == '(';
    uint32_t flags = of_class ? again->vm_flags : 0;
    for (uint32_t k = 0; k < again->method_count; k++)
        if (symbol_equals(cf_member_name(again, &again->methods[k]), method)) flags |= again->methods[k].vm_flags;
    classfile_release(again);
    arena_free(arena);
    return flags;
}

static void check_library(int release, uint16_t max_major, const char *java_home) {
    struct library lib = { .release = release, .max_major = max_major, .arena = arena_new("library") };
    char path[1024];
    char *err = NULL;
    snprintf(path, sizeof path, "%s/lib/modules", java_home);
    lib.image = jimage_open(path, &err);
    assert_non_null(lib.image);
    jimage_iterate(lib.image, load, &lib);
    assert_true(lib.all.count > 5000);
    for (size_t i = 0; i < lib.all.count; i++) {
        struct classfile *cf = lib.all.data[i];
        for (uint32_t k = 0; k < cf->method_count; k++)
            if (cf->methods[k].code != NULL) check_code(cf, cf->methods[k].code);
        check_trusted(&lib, cf);
        check_verifies(&lib, cf);
    }
    assert_true(method_flags(&lib, "java/lang/Class", "forName") & CF_CALLER_SENSITIVE);
    assert_true(method_flags(&lib, "java/lang/invoke/LambdaForm", "interpretWithArguments") & CF_HIDDEN);
    assert_true(method_flags(&lib, "java/lang/String", "length") == 0);
    assert_true(method_flags(&lib, "java/lang/Integer", "(class)") & CF_VALUE_BASED);
    assert_true(method_flags(&lib, "java/util/concurrent/atomic/Striped64$Cell", "(class)") & CF_CONTENDED);
    for (size_t i = 0; i < lib.all.count; i++) classfile_release(lib.all.data[i]);
    vec_free(&lib.all);
    ptr_table_free(&lib.classes);
    jimage_close(lib.image);
    arena_free(lib.arena);
}

static void test_library_17(void **state) {
    (void)state;
    const char *home = getenv("VITRINE_TEST_JDK_17");
    if (home == NULL || *home == 0) skip();
    check_library(17, 61, home);
}

static void test_library_25(void **state) {
    (void)state;
    const char *home = getenv("VITRINE_TEST_JDK_25");
    if (home == NULL || *home == 0) skip();
    check_library(25, 69, home);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_library_17), cmocka_unit_test(test_library_25) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
