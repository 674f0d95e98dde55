/* unsafe_access.c — see unsafe_access.h. */
#include "exec/unsafe_access.h"

#include "exec/intrinsic.h"

static const struct { const char *name; char letter; } types[] = {
    {"Boolean", 'Z'}, {"Byte", 'B'}, {"Short", 'S'}, {"Char", 'C'}, {"Int", 'I'}, {"Long", 'J'}, {"Float", 'F'},
    {"Double", 'D'}, {"Reference", 'L'},
};
static const struct { const char *name; enum unsafe_kind kind; } kinds[] = {
    {"get", UNSAFE_GET}, {"put", UNSAFE_PUT}, {"compareAndSet", UNSAFE_COMPARE_AND_SET},
    {"compareAndExchange", UNSAFE_COMPARE_AND_EXCHANGE},
};

/* What follows the prefix; NULL: s begins otherwise. */
static const char *behind(const char *s, const char *prefix) {
    size_t n = strlen(prefix);
    return strncmp(s, prefix, n) == 0 ? s + n : NULL;
}

static bool is_fence(const char *name, struct unsafe_access *out) {
    *out = (struct unsafe_access){UNSAFE_FENCE, 'V', strcmp(name, "fullFence") == 0};
    return out->is_volatile || strcmp(name, "loadFence") == 0 || strcmp(name, "storeFence") == 0;
}

static bool is_access(const char *name, struct unsafe_access *out) {
    const char *type = NULL, *rest = NULL;
    size_t kind = 0, i = 0;
    for (; kind < ARRAY_LEN(kinds) && type == NULL; kind++) type = behind(name, kinds[kind].name);
    if (type == NULL) return false;
    for (; i < ARRAY_LEN(types) && rest == NULL; i++) rest = behind(type, types[i].name);
    if (rest == NULL) return false;
    *out = (struct unsafe_access){(uint8_t)kinds[kind - 1].kind, types[i - 1].letter, strcmp(rest, "Volatile") == 0};
    return *rest == 0 || out->is_volatile;
}

bool unsafe_access_of(const struct method *m, struct unsafe_access *out) {
    if (m->entry != ENTRY_INTRINSIC || strcmp(m->holder->name->bytes, "jdk/internal/misc/Unsafe") != 0) return false;
    return (is_access(m->name->bytes, out) || is_fence(m->name->bytes, out)) && !intrinsic_is_disabled(m->name->bytes);
}

void unsafe_accesses_reported(bool on) {
    REQUIRES(STOPPED);
    vm->exec->accesses_reported = on;
    intrinsics_mark_threads();
}

void unsafe_access_rebound(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    safepoint_begin(self, "native method registered");
    vm->exec->intrinsics_changed = true;
    intrinsics_mark_threads();
    safepoint_end(self);
}
