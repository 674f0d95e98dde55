/* redefine.c — gives classes in use new class files: prepare everything that can fail, then change all at one
 * safepoint. */
#include "link/redefine.h"

#include "base/events.h"
#include "base/log.h"
#include "heap/heap.h"
#include "link/link_internal.h"
#include "link/resolve_internal.h"


bool class_is_modifiable(const struct class *c) {
    return !class_is_primitive(c) && !class_is_array(c) && !c->is_hidden;
}

/* One class of the set. */
struct change {
    struct class *class;
    struct class_version *version;    /* NULL: not prepared */
    struct arena *arena;    /* of the version */
    struct class_file_hook hook;
    bool claimed;    /* by this call; an outer one of the same thread may hold it already */
};

/* ---- one redefinition of a class at a time ----------------------------------------------------------------------- */

static bool all_free(struct os_thread *self, const struct change *changes, size_t count) {
    REQUIRES(IN_VM | NO_PENDING);
    for (size_t i = 0; i < count; i++)
        if (changes[i].class->redefining != NULL && changes[i].class->redefining != self) return false;
    return true;
}

static void claim(struct os_thread *self, struct change *changes, size_t count) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    lock_acquire(&li()->init_lock);
    while (!all_free(self, changes, count)) class_state_wait(self);
    for (size_t i = 0; i < count; i++) {
        changes[i].claimed = changes[i].class->redefining == NULL;
        changes[i].class->redefining = self;
    }
    lock_release(&li()->init_lock);
}

static void release(struct change *changes, size_t count) {
    lock_acquire(&li()->init_lock);
    for (size_t i = 0; i < count; i++)
        if (changes[i].claimed) changes[i].class->redefining = NULL;
    cond_notify_all(&li()->init_cond);
    lock_release(&li()->init_lock);
}

/* ---- preparing --------------------------------------------------------------------------------------------------- */

static enum redefine_status status_of_error(const struct cf_error *e) {
    static const struct { const char *exception; enum redefine_status status; } table[] = {
        {"java/lang/UnsupportedClassVersionError", REDEFINE_UNSUPPORTED_VERSION},
        {"java/lang/ClassFormatError", REDEFINE_INVALID_FORMAT},
        {"java/lang/ClassCircularityError", REDEFINE_CIRCULAR},
        {"java/lang/NoClassDefFoundError", REDEFINE_NAMES_DIFFER},
    };
    if (e->exception == NULL) return REDEFINE_NO_MEMORY;
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strcmp(e->exception, table[i].exception) == 0) return table[i].status;
    return REDEFINE_INTERNAL;
}

/* Drops the pending exception: memory, or what else it means here. */
static enum redefine_status drop_exception(struct os_thread *self, enum redefine_status other) {
    REQUIRES(IN_VM);
    struct object *e = exception_take(self);
    if (e == NULL) return other;
    char *name = class_external_name(class_of(e));
    log_info(redefine_class, "%s", name ? name : "?");
    mem_free(name);
    struct class *memory = class_find_boot(self, "java/lang/OutOfMemoryError");
    return memory != NULL && class_of(e) == memory ? REDEFINE_NO_MEMORY : other;
}

/* The version's codes, each under the slot of the method that it is for. */
static void fill_codes(struct class_version *v) {
    struct class *c = v->class;
    for (uint16_t i = 0; i < v->cf->method_count; i++) {
        const struct cf_member *member = &v->cf->methods[i];
        struct method *m = class_find_method(c, cf_member_name(v->cf, member), cf_member_desc(v->cf, member));
        method_code_init(v, m->slot, member);
    }
}

/* A method's id has 15 bits for the version. After so many the numbers begin again, without those of versions that
 * there still are: an id, a frame and a recorded stack trace never mean two of them. Caller has claimed the class. */
static uint16_t next_number(const struct class *c) {
    uint16_t number = c->version->number;
    const struct class_version *v = c->version;
    while (v != NULL) {
        number = (uint16_t)((number + 1) % METHOD_ID_VERSIONS);
        for (v = c->version; v != NULL && v->number != number; v = v->older) continue;
    }
    return number;
}

static enum redefine_status prepare(struct os_thread *self, struct change *k) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = k->class;
    if (!metadata_reserve(self, k->hook.length * 2)) return drop_exception(self, REDEFINE_NO_MEMORY);
    k->arena = arena_new_for("class version", ALIGN_UP(k->hook.length, 8) +
                                                  classfile_head_room(k->hook.bytes, k->hook.length));
    const uint8_t *bytes = k->arena ? arena_dup(k->arena, k->hook.bytes, k->hook.length ? k->hook.length : 1) : NULL;
    if (bytes == NULL) return REDEFINE_NO_MEMORY;
    struct cf_parse_args args = class_parse_args(c->loader, (struct span){bytes, k->hook.length}, c->name);
    args.code_room = true;
    struct cf_error error;
    struct classfile *cf = classfile_parse(k->arena, &args, &error);
    if (cf == NULL) {
        log_info(redefine_class_load, "%s: %s", c->name->bytes, error.exception ? error.message : "out of memory");
        return status_of_error(&error);
    }
    enum redefine_status status = class_link(self, c) ? redefinition_check(c, cf)
                                                      : drop_exception(self, REDEFINE_INTERNAL);
    k->version = status == REDEFINE_OK ? class_version_new(c, cf, k->arena, next_number(c)) : NULL;
    if (k->version == NULL) {
        classfile_release(cf);
        return status == REDEFINE_OK ? REDEFINE_NO_MEMORY : status;
    }
    fill_codes(k->version);
    if (!class_version_verify(self, k->version)) return drop_exception(self, REDEFINE_FAILS_VERIFICATION);
    if (!class_version_rewrite(self, k->version)) return drop_exception(self, REDEFINE_FAILS_VERIFICATION);
    return REDEFINE_OK;
}

/* Asks the tools. In a retransformation the first bytes are those the class began with. */
static void run_hook(struct os_thread *self, struct change *k, const struct class_redefinition *wanted) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = k->class;
    bool again = wanted->bytes == NULL;
    k->hook = (struct class_file_hook){.loader = c->loader,
                                       .protection_domain = c->protection_domain,
                                       .name = c->name->bytes,
                                       .redefined = c,
                                       .retransform = again,
                                       .bytes = wanted->bytes,
                                       .length = wanted->length};
    if (again) {
        k->hook.bytes = c->initial_bytes ? c->initial_bytes : c->cf->bytes;
        k->hook.length = c->initial_bytes ? c->initial_length : c->cf->length;
    }
    module_transformed(self, c->module);
    probe_class_file_load(self, &k->hook);
}

/* ---- changing: world stopped ------------------------------------------------------------------------------------- */

static void change_method(struct method *m, struct method_code *fresh) {
    struct method_code *old = atomic_load(&m->code);
    bool differs = !code_is_equivalent(old, fresh);
    struct method_code *code = differs ? old : NULL;
    for (; code != NULL && !method_code_is_obsolete(code); code = method_code_older(code))
        atomic_store(&code->id, CODE_ID_OBSOLETE);
    if ((m->access_flags ^ fresh->member->access_flags) & ACC_NATIVE) {
        m->entry = fresh->member->access_flags & ACC_NATIVE ? ENTRY_NATIVE : ENTRY_BYTECODE;
        atomic_store(&m->native_code, NULL);
    }
    if (differs) {
        method_set_entry(m, m->entry);   /* no intrinsic stands for other code */
    } else {
        fresh->budget = old->budget;
        fresh->budgets_used = old->budgets_used;
    }
    m->access_flags = fresh->member->access_flags;
    atomic_store(&m->code, fresh);
}

static void change(struct change *k) {
    struct class *c = k->class;
    struct class_version *v = k->version;
    for (uint32_t i = 0; i < c->method_count; i++) change_method(&c->methods[i], &v->codes[i]);
    for (uint16_t i = 0; i < v->cf->field_count; i++) c->fields[i].cf = &v->cf->fields[i];
    v->older = c->version;
    c->version = v;
    c->cf = v->cf;
    mem_free(c->initial_bytes);
    c->initial_bytes = k->hook.initial;
    c->initial_length = (uint32_t)k->hook.initial_length;
    k->hook.initial = NULL;
    k->arena = NULL;
    link_hooks.class_redefined(c);
}

struct change_set {
    const struct change *changes;
    size_t count;
};

/* Reflection throws away what it has cached of a class that changed, or of a subtype. */
static bool count_redefinitions(void *changed, struct class *c) {
    const struct change_set *set = changed;
    int32_t n = 0;
    for (size_t i = 0; c->mirror != NULL && i < set->count; i++) n += class_is_subtype(c, set->changes[i].class);
    uint32_t offset = known_offset(Class_classRedefinedCount);
    if (n != 0) field_store(c->mirror, offset, T_INT, field_load(c->mirror, offset, T_INT) + (uint64_t)n);
    return true;
}

/* Old versions go when no frame runs them. The last few stay, for stack traces that were recorded with them; the first
 * lies in the class. */
static void purge(struct class *c) {
    enum { KEPT = 3 };
    struct class_version *kept = c->version;
    unsigned n = 0;
    for (struct class_version *v = c->version->older, *older; v != NULL; v = older) {
        older = v->older;
        if (++n <= KEPT || older == NULL || link_hooks.version_is_running(v)) {
            kept = v;
            continue;
        }
        kept->older = older;
        link_hooks.version_unloads(v);
        class_version_free(v);
    }
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static void discard(struct change *k) {
    mem_free(k->hook.replaced);
    mem_free(k->hook.initial);
    if (k->arena == NULL) return;        /* in use now, or nothing was prepared */
    if (k->version != NULL) class_version_free(k->version);
    else arena_free(k->arena);
}

enum redefine_status classes_redefine(struct os_thread *self, const struct class_redefinition *set, size_t count) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct change *changes = mem_calloc(count ? count : 1, sizeof *changes);
    if (changes == NULL) return REDEFINE_NO_MEMORY;
    for (size_t i = 0; i < count; i++) changes[i].class = set[i].class;
    enum redefine_status status = REDEFINE_OK;
    claim(self, changes, count);
    for (size_t i = 0; status == REDEFINE_OK && i < count; i++) {
        run_hook(self, &changes[i], &set[i]);
        status = prepare(self, &changes[i]);
    }
    if (status == REDEFINE_OK) {
        safepoint_begin(self, "RedefineClasses");
        for (size_t i = 0; i < count; i++) change(&changes[i]);
        class_walk_all(count_redefinitions, &(struct change_set){changes, count});
        for (size_t i = 0; i < count; i++) purge(changes[i].class);
        safepoint_end(self);
        for (size_t i = 0; i < count; i++) {
            const struct class *c = changes[i].class;
            char *name = class_external_name(c);
            event_note(EVENT_REDEFINE, self->java, "redefined class name=%s, count=%u", name ? name : c->name->bytes,
                       c->version->number);
            mem_free(name);
            log_info(redefine_class_load, "redefined %s, count %u", c->name->bytes, c->version->number);
        }
    }
    release(changes, count);
    for (size_t i = 0; i < count; i++) discard(&changes[i]);
    mem_free(changes);
    return status;
}
