/* Class ids: rows that come back, the generations in ids of methods and fields, places of fields, and how long all of
 * them last where address space is limited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>
#include <sys/resource.h>

#include "base/options.h"
#include "link/link_internal.h"

enum { ROWS = 1 << 20 };

static struct vm_options options;
static struct vm machine = {.options = &options};
static struct loader loader;             /* one that can be unloaded */

/* A class with an int, a reference and two methods, the second with an obsolete version. */
struct sample {
    struct class class;
    struct field fields[2];
    struct method methods[2], *vtable[1];
    struct method_code now, before;
    struct class_version version, old_version;
};

static bool begin(struct sample *s) {
    memset(s, 0, sizeof *s);
    s->class.loader = &loader;
    s->class.shape.holder = &loader.holder.base;
    s->class.field_count = s->class.method_count = 2;
    s->class.fields = s->fields;
    s->class.methods = s->methods;
    for (uint16_t i = 0; i < 2; i++) {
        s->fields[i] = (struct field){.holder = &s->class, .slot = i, .offset = 8u + 4u * i};
        s->methods[i] = (struct method){.holder = &s->class, .slot = i};
        atomic_store(&s->methods[i].code, &s->now);
    }
    s->fields[0].type = T_INT;
    s->fields[1].type = T_OBJECT;
    s->version = (struct class_version){.class = &s->class, .number = 1, .older = &s->old_version};
    s->now = (struct method_code){.method = &s->methods[1], .owner = &s->version};
    s->before = (struct method_code){.method = &s->methods[1], .owner = &s->old_version, .id = CODE_ID_OBSOLETE};
    if (!class_take_id(&s->class)) return false;
    shape_table[s->class.shape.id] = &s->class.shape;
    vtable_table[s->class.shape.id] = s->class.vtable = s->vtable;
    return true;
}
static void end(struct sample *s) { class_id_retire(s->class.shape.id, atomic_load(&s->class.ids_given)); }

static uint64_t value(const void *id) { return (uint64_t)(uintptr_t)id; }
static bool tells_place(jfieldID id) { return value(id) >> FIELD_ID_TYPE_SHIFT & 15; }

static uint32_t generation_of(jmethodID id) {
    return (uint32_t)(value(id) >> METHOD_ID_LOW_SHIFT & (OBSOLETE_GENERATIONS - 1)) |
           (uint32_t)(value(id) >> 1 & 0x7fff) << OBSOLETE_GENERATION_BITS;
}

static void set_limit(uint32_t rows) { options.flags.ClassIdLimit = rows; }

/* The smallest table there is: limits of address space that leave a 16th part of them for it. */
static void test_small_table(void **state) {
    (void)state;
    struct rlimit usual, small;
    assert_int_equal(getrlimit(RLIMIT_AS, &usual), 0);
    small = usual;
#ifndef VITRINE_ASAN                         /* whose shadow needs more */
    small.rlim_cur = (rlim_t)ROWS * (sizeof *shape_table + sizeof *vtable_table) * 16;
#endif
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    bool reserved = class_ids_reserve();
    assert_int_equal(setrlimit(RLIMIT_AS, &usual), 0);
    assert_true(reserved);
    assert_int_equal(class_id_new(), 1);
}

static void test_rows_come_back(void **state) {
    (void)state;
    static struct sample s;
    uint32_t row = 0;
    set_limit(64);
    for (int i = 0; i < 200000; i++) {
        assert_true(begin(&s));
        assert_true(row == 0 || s.class.shape.id == row);
        row = s.class.shape.id;
        end(&s);
        assert_null(class_of_id(row));
        assert_null(vtable_table[row]);
    }
    assert_int_equal(generation_of(method_id(&s.methods[0])), 0);
}

/* Rows 2 to 63 until the last generation of the last. */
static void test_generations(void **state) {
    (void)state;
    static struct sample s;
    static uint32_t next[64];
    static jmethodID last_method[64];
    static jfieldID last_field[64];
    uint64_t classes = 0;
    set_limit(64);
    for (; begin(&s); classes++) {
        uint32_t row = s.class.shape.id;
        jmethodID m = method_id(&s.methods[1]);
        jfieldID f = field_id(&s.fields[1]);
        assert_int_equal(generation_of(m), next[row]);
        assert_true(value(f) == (field_ids_from(row, next[row]) | 1ull << FIELD_ID_SLOT_SHIFT) && !tells_place(f));
        assert_true(method_of_id(m) == &s.methods[1] && field_of_id(f) == &s.fields[1]);
        assert_true(method_of_id(last_method[row]) == NULL && field_of_id(last_field[row]) == NULL);
        next[row]++;
        last_method[row] = m;
        last_field[row] = f;
        end(&s);
        assert_true(method_of_id(m) == NULL && field_of_id(f) == NULL);
    }
    assert_int_equal(classes, 62 * (uint64_t)ID_GENERATIONS);
}

/* An obsolete version's id has room for few generations: none comes again, and rows are not lost at once. */
static void test_obsolete(void **state) {
    (void)state;
    static struct sample s;
    static uint64_t seen[64 * OBSOLETE_GENERATIONS];
    size_t classes = 0;
    set_limit(128);
    for (; begin(&s); classes++) {
        assert_true(classes < ARRAY_LEN(seen));
        jmethodID id = method_code_id(&s.before);
        assert_true(method_of_id(id) == &s.methods[1] && value(id) & METHOD_ID_OBSOLETE);
        assert_true(value(id) != value(method_id(&s.methods[1])));
        assert_ptr_equal(method_code_of_id(method_id(&s.methods[1])), &s.now);
        seen[classes] = value(id);
        end(&s);
        assert_null(method_of_id(id));
    }
    assert_int_equal(classes, 64 * OBSOLETE_GENERATIONS);
    for (size_t i = 0; i < classes; i++)
        for (size_t j = 0; j < i; j++) assert_true(seen[i] != seen[j]);
}

/* Ids that tell places take their rows with them: a quarter, then the other form is given. All ids of a class have one
 * form, and an id of one form is not mistaken for one of the other. */
static void test_places(void **state) {
    (void)state;
    static struct sample s;
    static jfieldID of_row[4096];
    uint32_t with_places = 0, without = 0;
    set_limit(4096);
    for (uint32_t i = 0; i < 500000; i++) {
        assert_true(begin(&s));
        uint32_t row = s.class.shape.id;
        jfieldID f = field_id(&s.fields[0]), reference = field_id(&s.fields[1]);
        if (tells_place(f)) with_places++;
        else without++;
        assert_true(!tells_place(f) || without == 0);
        assert_true(field_id(&s.fields[0]) == f && field_of_id(f) == &s.fields[0] && !tells_place(reference));
        assert_true(field_of_id(reference) == &s.fields[1]);
        uint64_t elsewhere = value(f) ^ 4ull << FIELD_ID_OFFSET_SHIFT;
        assert_null(field_of_id((jfieldID)(uintptr_t)elsewhere));
        assert_true(of_row[row] == NULL || !tells_place(of_row[row]));       /* lost rows are not given again */
        assert_true(of_row[row] != f && (of_row[row] == NULL || field_of_id(of_row[row]) == NULL));
        of_row[row] = f;
        end(&s);
        assert_true(field_of_id(f) == NULL && field_of_id(reference) == NULL);
    }
    assert_int_equal(with_places, 1024);
    loader.is_app = true;                /* its classes stay until the VM ends */
    assert_true(begin(&s) && tells_place(field_id(&s.fields[0])));
    end(&s);
    loader.is_app = false;
}

/* Threads that ask for the first id at the same time get the same: whoever comes second takes the first's answer. */
static void test_decided_once(void **state) {
    (void)state;
    static struct sample s;
    set_limit(4096);
    assert_true(begin(&s));
    assert_false(class_decides_places(&s.class));
    set_limit(ROWS);                     /* by now there would be room */
    assert_false(class_decides_places(&s.class));
    assert_false(tells_place(field_id(&s.fields[0])));
    end(&s);
}

/* More classes than rows, of each of which all ids are asked for. */
static void test_watched(void **state) {
    (void)state;
    static struct sample s;
    set_limit(ROWS);
    for (uint32_t i = 0; i < 4 * ROWS; i++) {
        assert_true(begin(&s));
        jfieldID f = field_id(&s.fields[0]);
        jmethodID m = method_id(&s.methods[0]);
        assert_true(field_of_id(f) == &s.fields[0] && method_of_id(m) == &s.methods[0]);
        end(&s);
        assert_true(field_of_id(f) == NULL && method_of_id(m) == NULL);
    }
}

int main(void) {
    vm = &machine;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_table), cmocka_unit_test(test_rows_come_back), cmocka_unit_test(test_generations),
        cmocka_unit_test(test_obsolete),    cmocka_unit_test(test_places),         cmocka_unit_test(test_decided_once),
        cmocka_unit_test(test_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
