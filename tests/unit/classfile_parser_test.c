/* Format errors with HotSpot's words, and that checks on many members stay linear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/symbol.h"
#include "classfile/classfile.h"

/* ---- a writer of small class files ----------------------------------------------------------------------------- */

struct writer {
    uint8_t *data;
    size_t size, capacity;
};

static void u1(struct writer *w, unsigned v) {
    if (w->size == w->capacity) {
        w->capacity = w->capacity * 2 + 256;
        w->data = realloc(w->data, w->capacity);
    }
    w->data[w->size++] = (uint8_t)v;
}
static void u2(struct writer *w, unsigned v) {
    u1(w, v >> 8);
    u1(w, v);
}
static void u4(struct writer *w, unsigned v) {
    u2(w, v >> 16);
    u2(w, v);
}
static void utf8(struct writer *w, const char *s) {
    u1(w, CP_Utf8);
    u2(w, (unsigned)strlen(s));
    while (*s) u1(w, (uint8_t)*s++);
}
static void patch2(struct writer *w, size_t at, unsigned v) {
    w->data[at] = (uint8_t)(v >> 8);
    w->data[at + 1] = (uint8_t)v;
}

enum { THIS_NAME = 1, THIS, OBJECT_NAME, OBJECT, X, INT, CONSTANT_VALUE, SEVEN, NEXT };

/* Magic to the end of the constant pool of class "p/Foo"; `more` may add entries, `extra` indices wide. */
static struct writer begin(unsigned major, unsigned extra, void (*more)(struct writer *)) {
    struct writer w = { 0 };
    u4(&w, 0xcafebabe);
    u2(&w, 0);
    u2(&w, major);
    u2(&w, NEXT + extra);
    utf8(&w, "p/Foo");
    u1(&w, CP_Class);
    u2(&w, THIS_NAME);
    utf8(&w, "java/lang/Object");
    u1(&w, CP_Class);
    u2(&w, OBJECT_NAME);
    utf8(&w, "x");
    utf8(&w, "I");
    utf8(&w, "ConstantValue");
    u1(&w, CP_Integer);
    u4(&w, 7);
    if (more != NULL) more(&w);
    return w;
}

/* Access flags to the (empty) interface list. */
static void head(struct writer *w, unsigned flags) {
    u2(w, flags);
    u2(w, THIS);
    u2(w, OBJECT);
    u2(w, 0);
}

static void field(struct writer *w, unsigned flags) {
    u2(w, flags);
    u2(w, X);
    u2(w, INT);
    u2(w, 0);
}

/* ---- expectations ---------------------------------------------------------------------------------------------- */

static void expect(struct writer *w, unsigned flags, const char *exception, const char *message) {
    struct arena *arena = arena_new("test");
    struct cf_parse_args args = { .bytes = w->data, .length = w->size, .max_major = 69, .flags = flags };
    struct cf_error error = { 0 };
    struct classfile *cf = classfile_parse(arena, &args, &error);
    if (exception == NULL) {
        if (cf == NULL) print_error("%s\n", error.message);
        assert_non_null(cf);
        classfile_release(cf);
    } else {
        assert_null(cf);
        assert_string_equal(error.message, message);
        assert_string_equal(error.exception, exception);
    }
    arena_free(arena);
    free(w->data);
}

#define FORMAT_ERROR  "java/lang/ClassFormatError"
#define VERSION_ERROR "java/lang/UnsupportedClassVersionError"

static void finish(struct writer *w) {
    u2(w, 0); /* methods */
    u2(w, 0); /* attributes */
}

static void test_sound(void **state) {
    (void)state;
    struct writer w = begin(52, 0, NULL);
    head(&w, ACC_PUBLIC | ACC_SUPER);
    u2(&w, 0);
    finish(&w);
    expect(&w, 0, NULL, NULL);
}

static void test_head(void **state) {
    (void)state;
    struct writer w = { 0 };
    u4(&w, 0x12345678);
    u4(&w, 52);
    expect(&w, 0, FORMAT_ERROR, "Incompatible magic value 305419896 in class file <Unknown>");
    w = (struct writer){ 0 };
    u4(&w, 0xcafebabe);
    expect(&w, 0, FORMAT_ERROR, "Truncated class file");
    w = begin(44, 0, NULL);
    expect(&w, 0, VERSION_ERROR, "<Unknown> (class file version 44.0) was compiled with an invalid major version");
    w = begin(70, 0, NULL);
    expect(&w, 0, VERSION_ERROR,
           "<Unknown> has been compiled by a more recent version of the Java Runtime (class file version 70.0), this "
           "version of the Java "
           "Runtime only recognizes class file versions up to 69.0");
    w = begin(60, 0, NULL);
    patch2(&w, 4, 65535);
    expect(&w, 0, VERSION_ERROR,
           "<Unknown> (class file version 60.65535) was compiled with preview features that are unsupported. This "
           "version of the Java "
           "Runtime only recognizes preview features for class file version 69.65535");
    w = begin(69, 0, NULL);
    patch2(&w, 4, 65535);
    expect(&w, 0, VERSION_ERROR,
           "Preview features are not enabled for <Unknown> (class file version 69.65535). Try running with "
           "'--enable-preview'");
    w = begin(69, 0, NULL);
    patch2(&w, 4, 3);
    expect(&w, 0, VERSION_ERROR,
           "<Unknown> (class file version 69.3) was compiled with an invalid non-zero minor version");
}

static void test_module(void **state) {
    (void)state;
    struct writer w = begin(61, 0, NULL);
    head(&w, ACC_MODULE);
    u2(&w, 0);
    finish(&w);
    expect(&w, CF_TRUSTED, "java/lang/NoClassDefFoundError",
           "<Unknown> is not a class because access_flag ACC_MODULE is set");
}

static void test_flags(void **state) {
    (void)state;
    struct writer w = begin(61, 0, NULL);
    head(&w, ACC_FINAL | ACC_ABSTRACT | ACC_SUPER);
    u2(&w, 0);
    finish(&w);
    expect(&w, 0, FORMAT_ERROR, "Illegal class modifiers in class <Unknown>: 0x430");
    w = begin(61, 0, NULL);
    head(&w, ACC_SUPER);
    u2(&w, 1);
    field(&w, ACC_PUBLIC | ACC_PRIVATE);
    finish(&w);
    expect(&w, 0, FORMAT_ERROR, "Illegal field modifiers in class p/Foo: 0x3");
}

static void test_members(void **state) {
    (void)state;
    struct writer w = begin(61, 0, NULL);
    head(&w, ACC_SUPER);
    u2(&w, 2);
    field(&w, 0);
    field(&w, 0);
    finish(&w);
    expect(&w, 0, FORMAT_ERROR, "Duplicate field name \"x\" with signature \"I\" in class file p/Foo");
    w = begin(61, 0, NULL);
    head(&w, ACC_SUPER);
    u2(&w, 1);
    u2(&w, ACC_STATIC);
    u2(&w, X);
    u2(&w, INT);
    u2(&w, 1);
    u2(&w, CONSTANT_VALUE);
    u4(&w, 2);
    u2(&w, X);
    finish(&w);
    expect(&w, 0, FORMAT_ERROR, "Inconsistent constant value type in class file p/Foo");
    w = begin(61, 0, NULL);
    head(&w, ACC_SUPER);
    u2(&w, 0);
    finish(&w);
    u1(&w, 0);
    expect(&w, 0, FORMAT_ERROR, "Extra bytes at the end of class file p/Foo");
}

static void bad_class_name(struct writer *w) {
    utf8(w, "a//b");
    u1(w, CP_Class);
    u2(w, NEXT);
}
static void bad_index(struct writer *w) {
    u1(w, CP_String);
    u2(w, 999);
}
static void bad_utf8(struct writer *w) { utf8(w, "\xf0\x9f"); }
static void bad_tag(struct writer *w) { u1(w, 2); }
static void unsupported_tag(struct writer *w) {
    u1(w, CP_Dynamic);
    u4(w, 0);
}
static void missing_bootstrap(struct writer *w) {
    utf8(w, "()V");
    u1(w, CP_NameAndType);
    u2(w, X);
    u2(w, NEXT);
    u1(w, CP_InvokeDynamic);
    u2(w, 0);
    u2(w, NEXT + 1);
}

static void test_constant_pool(void **state) {
    (void)state;
    static const struct {
        void (*more)(struct writer *);
        unsigned extra, major;
        const char *message;
    } cases[] = {
        { bad_class_name, 2, 61, "Illegal class name \"a//b\" in class file <Unknown>" },
        { bad_index, 1, 61, "Invalid constant pool index 999 in class file <Unknown>" },
        { bad_utf8, 1, 61, "Illegal UTF8 string in constant pool in class file <Unknown>" },
        { bad_tag, 1, 61, "Unknown constant tag 2 in class file <Unknown>" },
        { unsupported_tag, 1, 54, "Class file version does not support constant tag 17 in class file <Unknown>" },
        { missing_bootstrap, 3, 61, "Missing BootstrapMethods attribute in class file p/Foo" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct writer w = begin(cases[k].major, cases[k].extra, cases[k].more);
        head(&w, ACC_SUPER);
        u2(&w, 0);
        finish(&w);
        expect(&w, 0, FORMAT_ERROR, cases[k].message);
    }
}

static void test_wrong_name(void **state) {
    (void)state;
    struct writer w = begin(61, 0, NULL);
    head(&w, ACC_SUPER);
    u2(&w, 0);
    finish(&w);
    struct symbol *expected = symbol_intern_cstr("p/Bar");
    struct arena *arena = arena_new("test");
    struct cf_parse_args args = { .bytes = w.data, .length = w.size, .max_major = 69, .expected_name = expected };
    struct cf_error error;
    assert_null(classfile_parse(arena, &args, &error));
    assert_string_equal(error.exception, "java/lang/NoClassDefFoundError");
    assert_string_equal(error.message, "p/Bar (wrong name: p/Foo)");
    args.flags = CF_HIDDEN_CLASS;
    struct classfile *cf = classfile_parse(arena, &args, &error);
    assert_non_null(cf);
    struct symbol *hidden = symbol_intern_cstr("p/Foo+0x1");
    assert_true(classfile_patch_class_name(cf, hidden));
    assert_ptr_equal(cp_class_name(cf, THIS), hidden);
    assert_string_equal(cp_class_name(cf, OBJECT)->bytes, "java/lang/Object");
    classfile_release(cf);
    symbol_release(hidden);
    symbol_release(expected);
    arena_free(arena);
    free(w.data);
}

enum { MANY = 60000 };

/* A pool entry per field name. */
static void many_names(struct writer *w) {
    char name[16];
    for (unsigned k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "f%u", k);
        utf8(w, name);
    }
}

static void test_many_fields(void **state) {
    (void)state;
    struct writer w = begin(61, MANY, many_names);
    head(&w, ACC_SUPER);
    u2(&w, MANY);
    for (unsigned k = 0; k < MANY; k++) {
        u2(&w, 0);
        u2(&w, NEXT + k);
        u2(&w, INT);
        u2(&w, 0);
    }
    finish(&w);
    clock_t start = clock();
    expect(&w, 0, NULL, NULL);
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

/* Every prefix of a sound file is refused, none is read beyond its end (the sanitizer build sees that). */
static void test_truncation(void **state) {
    (void)state;
    struct writer w = begin(61, 0, NULL);
    head(&w, ACC_SUPER);
    u2(&w, 1);
    field(&w, 0);
    finish(&w);
    for (size_t n = 0; n < w.size; n++) {
        struct arena *arena = arena_new("test");
        uint8_t *prefix = malloc(n + 1);
        memcpy(prefix, w.data, n);
        uint8_t *exact = realloc(prefix, n > 0 ? n : 1);
        struct cf_parse_args args = { .bytes = exact, .length = n, .max_major = 69 };
        struct cf_error error;
        assert_null(classfile_parse(arena, &args, &error));
        assert_string_equal(error.exception, FORMAT_ERROR);
        arena_free(arena);
        free(exact);
    }
    free(w.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),      cmocka_unit_test(test_head),        cmocka_unit_test(test_module),
        cmocka_unit_test(test_flags),      cmocka_unit_test(test_members),     cmocka_unit_test(test_constant_pool),
        cmocka_unit_test(test_wrong_name), cmocka_unit_test(test_many_fields), cmocka_unit_test(test_truncation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
