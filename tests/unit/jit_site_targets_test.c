/* The call sites whose targets compiled code relies on, and those that have changed. */
#include "jit/site_targets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { SITES = 500 };
static _Alignas(8) char memory[SITES][8];

static struct object *site(size_t i) { return (struct object *)(void *)memory[i]; }
static bool every_third_is_live(struct object *o) { return ((char(*)[8])(void *)o - memory) % 3 == 0; }

static void a_site_is_relied_on_until_it_changes(void **state) {
    (void)state;
    struct site_targets t = {0};
    assert_false(site_is_relied_on(&t, site(1)));
    assert_true(site_rely(&t, site(1)));
    assert_true(site_is_relied_on(&t, site(1)));
    assert_false(site_is_relied_on(&t, site(2)));
    site_changed(&t, site(1));
    assert_false(site_is_relied_on(&t, site(1)));
    site_targets_free(&t);
}

static void what_has_changed_often_is_not_relied_on(void **state) {
    (void)state;
    struct site_targets t = {0};
    int changes = 0;
    for (; site_rely(&t, site(7)); changes++) {
        assert_true(site_rely(&t, site(7)));             /* more code does: that counts nothing                     */
        site_changed(&t, site(7));
    }
    assert_int_equal(changes, 16);
    assert_false(site_is_relied_on(&t, site(7)));
    assert_true(site_rely(&t, site(8)));
    site_targets_free(&t);
}

static void what_is_not_live_is_forgotten(void **state) {
    (void)state;
    struct site_targets t = {0};
    for (size_t i = 0; i < SITES; i++) assert_true(site_rely(&t, site(i)));
    site_targets_clear_weak(&t, every_third_is_live);
    for (size_t i = 0; i < SITES; i++) assert_int_equal(site_is_relied_on(&t, site(i)), i % 3 == 0);
    for (int n = 0; n < 2; n++) {
        assert_true(site_rely(&t, site(1)));             /* another object is there now                             */
        site_changed(&t, site(1));
    }
    site_targets_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_site_is_relied_on_until_it_changes),
        cmocka_unit_test(what_has_changed_often_is_not_relied_on),
        cmocka_unit_test(what_is_not_live_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
