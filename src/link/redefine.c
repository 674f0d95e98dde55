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
    struct class_version *against;    /* the class's version that this one was compared with */
    struct class_version *version;    /* NULL: not prepared */
    struct member_index *index;    /* for the class's methods, if some come or go and it has one */
    bool adds, deletes;    /* methods */
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

/* The method that a member of a new class file is for; NULL: it adds one. */
static struct method *method_of_member(struct class *c, const struct classfile *cf, const struct cf_member *member) {
    return class_find_method(c, cf_member_name(cf, member), cf_member_desc(cf, member));
}

/* Looks which methods come and go, and returns how many come. */
static uint32_t compare_methods(struct change *k, const struct classfile *cf) {
    struct class *c = k->class;
    uint32_t added = 0, before = 0;
    for (uint16_t i = 0; i < cf->method_count; i++) added += method_of_member(c, cf, &cf->methods[i]) == NULL;
    for (const struct method *m = NULL; (m = class_next_method(c, m)) != NULL;) before++;
    k->adds = added != 0;
    k->deletes = before + added != cf->method_count;
    return added;
}

/* Room for n methods behind those of c, which nobody sees before method_count says so. Caller has claimed the class. */
static bool reserve_methods(struct class *c, uint32_t n) {
    if (n == 0) return true;
    if (c->added_methods == NULL) {
        struct added_methods *added = mem_zalloc(sizeof *added);
        if (added == NULL) return false;
        added->first = c->method_count;
        __atomic_store_n(&c->added_methods, added, __ATOMIC_RELEASE);
    }
    uint32_t end = c->method_count + n - c->added_methods->first, before = 0, size = FIRST_ADDED_METHODS;
    for (struct method **b = c->added_methods->blocks; before < end; b++, before += size, size *= 2)
        if (*b == NULL && (*b = mem_calloc(size, sizeof **b)) == NULL) return false;
    return true;
}

/* The version's codes, each under the slot of the method that it is for; those that it adds come behind the others. */
static void fill_codes(struct class_version *v) {
    struct class *c = v->class;
    uint32_t next = c->method_count;
    for (uint16_t i = 0; i < v->cf->method_count; i++) {
        const struct cf_member *member = &v->cf->methods[i];
        const struct method *m = method_of_member(c, v->cf, member);
        if (m == NULL) {
            memset(class_method_at(c, next), 0, sizeof *m);  /* a redefinition that failed may have been here */
            method_init(c, next, v->cf, member);
        }
        method_code_init(v, m != NULL ? m->slot : next++, member);
    }
    for (uint32_t slot = 0; slot < v->code_count; slot++)
        if (v->codes[slot].method == NULL) method_code_init_missing(v, slot);
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

/* The version that k's class file makes, with codes to be verified, and what its methods need. */
static enum redefine_status make_version(struct change *k, struct classfile *cf) {
    struct class *c = k->class;
    uint32_t slots = c->method_count + compare_methods(k, cf);
    if (slots >= UINT16_MAX) return REDEFINE_METHOD_ADDED;
    if (!reserve_methods(c, slots - c->method_count)) return REDEFINE_NO_MEMORY;
    bool indexed = (k->adds || k->deletes) && method_count_has_index(slots);
    if (indexed && (k->index = method_index_new(slots)) == NULL) return REDEFINE_NO_MEMORY;
    k->against = c->version;
    k->version = class_version_new(c, cf, slots, k->arena, next_number(c));
    if (k->version == NULL) return REDEFINE_NO_MEMORY;
    fill_codes(k->version);
    return REDEFINE_OK;
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
    if (status == REDEFINE_OK) status = make_version(k, cf);
    if (k->version == NULL) {
        classfile_release(cf);
        return status;
    }
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

/* From now on its names do not depend on the class file that they came with, which may go before it. */
static void add_method(struct method *m, struct method_code *fresh) {
    symbol_retain(m->name);
    symbol_retain(m->desc);
    atomic_store(&m->code, fresh);
}

/* Its id goes on to mean the code that it had, as frames do that run it. */
static void delete_method(struct method *m, struct method_code *missing) {
    atomic_store(&m->native_code, NULL);
    method_set_entry(m, ENTRY_DELETED);
    atomic_store(&m->code, missing);
}

static void change_methods(struct change *k) {
    struct class *c = k->class;
    for (uint32_t slot = 0; slot < k->version->code_count; slot++) {
        struct method *m = class_method_at(c, slot);
        struct method_code *fresh = &k->version->codes[slot];
        if (slot >= c->method_count) add_method(m, fresh);
        else if (fresh->member != NULL) change_method(m, fresh);
        else delete_method(m, fresh);
    }
    c->method_count = k->version->code_count;
    if (k->adds || k->deletes) method_index_replace(c, k->index);
    k->index = NULL;
}

static bool forget_method_errors(void *arg UNUSED, struct class *c) {
    for (struct class_version *v = c->version; v != NULL; v = v->older) resolution_errors_of_methods_free(v);
    return true;
}

/* A class that stands in the set twice becomes what the last says: that comes first here, and the others do not fit it
 * any more. */
static void change(struct change *k) {
    struct class *c = k->class;
    struct class_version *v = k->version;
    if (c->version != k->against) return;
    change_methods(k);
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
    if (k->deletes) link_hooks.methods_deleted(c);
    if (k->adds) class_walk_all(forget_method_errors, NULL);
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

static void discard_version(struct change *k) {
    mem_free(k->index);
    k->index = NULL;
    if (k->arena == NULL) return;        /* in use now, or nothing was prepared */
    if (k->version != NULL) class_version_free(k->version);
    else arena_free(k->arena);
    k->version = NULL;
    k->arena = NULL;
}

static void discard(struct change *k) {
    mem_free(k->hook.replaced);
    mem_free(k->hook.initial);
    discard_version(k);
}

/* A hook, or Java code that loads classes, may redefine some of them meanwhile: what was compared with a version that
 * is not the class's any more is prepared again. */
static enum redefine_status prepare_again(struct os_thread *self, struct change *changes, size_t count) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    enum redefine_status status = REDEFINE_OK;
    for (size_t i = 0; status == REDEFINE_OK && i < count; i++) {
        if (changes[i].class->version == changes[i].against) continue;
        discard_version(&changes[i]);
        status = prepare(self, &changes[i]);
        i = (size_t)-1;
    }
    return status;
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
    if (status == REDEFINE_OK) status = prepare_again(self, changes, count);
    if (status == REDEFINE_OK) {
        safepoint_begin(self, "RedefineClasses");
        for (size_t i = count; i-- > 0;) change(&changes[i]);
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
