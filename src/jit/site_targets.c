/* site_targets.c — see site_targets.h. A value is twice the number of changes, and one more where code relies. */
#include "jit/site_targets.h"

#include "base/base.h"

enum { MOST_CHANGES = 16, RELIED = 1, CHANGE = 2, FORGOTTEN_AT_ONCE = 64 };

static uintptr_t value_of(const struct site_targets *t, const struct object *site) {
    return (uintptr_t)ptr_table_get(&t->map, site);
}

bool site_rely(struct site_targets *t, const struct object *site) {
    uintptr_t value = value_of(t, site);
    return value < MOST_CHANGES * CHANGE && ptr_table_put(&t->map, site, (void *)(value | RELIED));
}

bool site_is_relied_on(const struct site_targets *t, const struct object *site) { return value_of(t, site) & RELIED; }

void site_changed(struct site_targets *t, const struct object *site) {
    uintptr_t value = value_of(t, site);
    vm_assert(value & RELIED, "a site that nobody relies on is not in the table");
    bool has_room = ptr_table_put(&t->map, site, (void *)(value - RELIED + CHANGE));
    vm_assert(has_room, "the site has its place");
    (void)has_room;
}

struct search {
    bool (*is_live)(struct object *o);
    const void *found[FORGOTTEN_AT_ONCE];
    size_t count;
};

static bool find_dead(uint64_t site, uint64_t value UNUSED, void *arg) {
    struct search *s = arg;
    struct object *o = (struct object *)(uintptr_t)site;
    if (!s->is_live(o)) s->found[s->count++] = o;
    return s->count < FORGOTTEN_AT_ONCE;
}

void site_targets_clear_weak(struct site_targets *t, bool (*is_live)(struct object *o)) {
    struct search s = {.is_live = is_live};
    do {
        s.count = 0;
        int_table_iterate(&t->map.map, find_dead, &s);
        for (size_t i = 0; i < s.count; i++) (void)ptr_table_remove(&t->map, s.found[i]);
    } while (s.count == FORGOTTEN_AT_ONCE);
}

void site_targets_free(struct site_targets *t) { ptr_table_free(&t->map); }
