/* intrinsic.c — binds the rows of exec/intrinsic.def when their class is defined. */
#include "exec/intrinsic.h"

#include "base/log.h"
#include "base/options.h"

enum { FOR_BOTH = 0, FOR_17 = LIBRARY_17, FOR_25 = LIBRARY_25 };

static const struct row {
    const char *class_name, *name, *descriptor;
    method_entry_function *function;
    leaf_function *leaf;
    int library;
    const char *id, *own_id; /* id: HotSpot's, or NULL; own_id: where it has none */
} rows[] = {
#define INTRINSIC(class_name, name, descriptor, function, library, id)                                                 \
    { class_name, name, descriptor, intrinsic_##function, leaf_##function, FOR_##library, id, "_" #function },
#include "exec/intrinsic.def"
#undef INTRINSIC
};

static bool is_for(int of, int library) { return of == FOR_BOTH || of == library; }

/* ---- -XX:DisableIntrinsic, -XX:ControlIntrinsic ------------------------------------------------------------------ */

static const struct { const char *id; int library; } hotspot_ids[] = {
#define BOTH(id)    { #id, FOR_BOTH },
#define ONLY_17(id) { #id, FOR_17 },
#define ONLY_25(id) { #id, FOR_25 },
#include "exec/intrinsic_ids.def"
#undef BOTH
#undef ONLY_17
#undef ONLY_25
};

/* A list of ids between commas, spaces or line ends, as far as it has been read. In one whose ids have no signs all
 * mean '-'. */
struct id_list {
    const char *rest; /* NULL: no list */
    bool has_signs;
    char sign; /* of the id read last: '-', '+', or 0 where there is none */
    const char *id;
    size_t length;
};

/* False: there is no more. */
static bool next_id(struct id_list *l) {
    static const char separators[] = ", \n";
    if (l->rest == NULL) return false;
    l->id = l->rest + strspn(l->rest, separators);
    l->length = strcspn(l->id, separators);
    l->rest = l->id + l->length;
    l->sign = '-';
    if (l->length == 0 || !l->has_signs) return l->length > 0;
    l->sign = *l->id == '-' || *l->id == '+' ? *l->id : 0;
    if (l->sign) l->id++, l->length--;
    return true;
}

static bool is_id(const struct id_list *l, const char *id) {
    return strlen(id) == l->length && memcmp(id, l->id, l->length) == 0;
}

static bool is_hotspots(const char *id, int library) {
    for (size_t i = 0; i < ARRAY_LEN(hotspot_ids); i++)
        if (is_for(hotspot_ids[i].library, library) && strcmp(hotspot_ids[i].id, id) == 0) return true;
    return false;
}

/* HotSpot's, if that of this library has it. */
static const char *id_of(const struct row *r, int library) {
    return r->id && is_hotspots(r->id, library) ? r->id : r->own_id;
}

static bool is_known(const struct id_list *l, int library) {
    for (size_t i = 0; i < ARRAY_LEN(hotspot_ids); i++)
        if (is_for(hotspot_ids[i].library, library) && is_id(l, hotspot_ids[i].id)) return true;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (is_for(rows[i].library, library) && is_id(l, id_of(&rows[i], library))) return true;
    return false;
}

/* HotSpot, too, reads one id further than the first that it does not know. */
static bool check_list(const char *flag, const char *list, bool has_signs, int library) {
    struct id_list l = {list, has_signs, 0, NULL, 0}, unknown;
    bool good = true;
    for (bool last = false; !last && next_id(&l);) {
        if (l.sign == 0) vm_warning("failed to parse %.*s. must start with +/-!", (int)l.length, l.id);
        last = !good;
        if (last || is_known(&l, library)) continue;
        unknown = l;
        good = false;
    }
    if (!good) vm_print(true, "Unrecognized intrinsic detected in %s: %.*s\n", flag, (int)unknown.length, unknown.id);
    return good;
}

bool intrinsics_check_options(const struct vm_options *o, int library) {
    bool disabled = check_list("DisableIntrinsic", o->flags.DisableIntrinsic, false, library);
    return check_list("ControlIntrinsic", o->flags.ControlIntrinsic, true, library) && disabled;
}

/* The sign before `id` in a list, where it is named last; 0: it is not named. */
static char sign_in_list(const char *list, bool has_signs, const char *id) {
    struct id_list l = {list, has_signs, 0, NULL, 0};
    char sign = 0;
    while (next_id(&l))
        if (is_id(&l, id)) sign = l.sign;
    return sign;
}

static bool is_id_disabled(const char *id) {
    const char *disabled = vm->options->flags.DisableIntrinsic, *controlled = vm->options->flags.ControlIntrinsic;
    if (LIKELY(disabled == NULL && controlled == NULL)) return false;
    return sign_in_list(disabled, false, id) == '-' || sign_in_list(controlled, true, id) == '-';
}

static bool is_disabled(const struct row *r) { return is_id_disabled(id_of(r, (int)vm->library)); }

bool intrinsic_is_disabled(const char *method) {
    char id[64];
    return snprintf(id, sizeof id, "_%s", method) < (int)sizeof id && is_id_disabled(id);
}

/* ---- binding ----------------------------------------------------------------------------------------------------- */

static void bind_row(struct class *c, const struct row *r) {
    struct method *m = class_method_cstr(c, r->name, r->descriptor);
    if (m == NULL || m->entry == ENTRY_INTRINSIC) return;
    m->leaf = r->leaf;
    atomic_store_explicit(&m->compiled_entry, exec_hooks.leaf_entry(), memory_order_release);
    atomic_store_explicit(&m->enter, r->function, memory_order_release);
}

void intrinsics_bind(struct class *c) {
    if (!c->version->bytes_mapped) return;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (is_for(rows[i].library, (int)vm->library) &&
            strcmp(rows[i].class_name, c->name->bytes) == 0 && !is_disabled(&rows[i]))
            bind_row(c, &rows[i]);
}

void intrinsic_forget(struct method *m) { method_set_entry(m, m->entry); }

const char *intrinsic_of(const struct method *m) {
    method_entry_function *enter = atomic_load_explicit(&m->enter, memory_order_acquire);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].function == enter) return rows[i].own_id + 1;
    return NULL;
}

/* ---- code in which they stand ------------------------------------------------------------------------------------ */

void intrinsics_mark_threads(void) {
    threads_mark(POLL_LIBRARY,
                 vm->exec->library_breakpoints != 0 || vm->exec->intrinsics_changed || vm->exec->accesses_reported);
}

void intrinsics_class_redefined(struct class *c) {
    REQUIRES(STOPPED);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!is_for(rows[i].library, (int)vm->library) || strcmp(rows[i].class_name, c->name->bytes) != 0) continue;
        const struct method *m = class_method_cstr(c, rows[i].name, rows[i].descriptor);
        if (m != NULL && atomic_load(&m->enter) != rows[i].function) vm->exec->intrinsics_changed = true;
    }
    intrinsics_mark_threads();
}
