/* loader.c — class loaders: dictionaries, loading by name, loader constraints. JVMS 5.3. */
#include "base/log.h"
#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/link_internal.h"
#include "thread/monitor.h"

struct class_dictionary {
    struct ptr_table classes;            /* symbol -> class; holds a reference to each symbol                      */
    struct ptr_table constraints;        /* symbol -> constraint_member of this loader                             */
    struct loader_constraint *naming;    /* those whose class this loader has defined, by next                     */
};

/* A loader in a constraint: it is in one at most for a name. */
struct constraint_member {
    struct loader *loader;
    struct loader_constraint *constraint;
    struct constraint_member *next, **link;    /* of the constraint */
};

/* ---- dictionaries: under table_lock ------------------------------------------------------------------------------ */

struct class *dictionary_find(struct loader *l, struct symbol *name) {
    return ptr_table_get(&l->dictionary->classes, name);
}

bool dictionary_add(struct loader *l, struct symbol *name, struct class *c) {
    if (ptr_table_get(&l->dictionary->classes, name) != NULL) return true;
    if (!ptr_table_put(&l->dictionary->classes, name, c)) return false;
    symbol_retain(name);
    return true;
}

static bool release_key(uint64_t key, uint64_t value, void *arg) {
    (void)value;
    (void)arg;
    symbol_release((struct symbol *)(uintptr_t)key);
    return true;
}
void dictionary_free(struct loader *l) {
    int_table_iterate(&l->dictionary->classes.map, release_key, NULL);
    ptr_table_free(&l->dictionary->classes);
    ptr_table_free(&l->dictionary->constraints);
    mem_free(l->dictionary);
}

void dictionary_visit(struct loader *l, bool (*visit)(uint64_t symbol, uint64_t class, void *arg), void *arg) {
    int_table_iterate(&l->dictionary->classes.map, visit, arg);
}

struct table_figures dictionary_figures(const struct loader *l) {
    return int_table_figures(&l->dictionary->classes.map);
}

void loaders_walk(struct os_thread *self, void (*visit)(void *arg, struct loader *l), void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    heap_disable_gc(self);               /* nothing is unloaded meanwhile */
    lock_acquire(&li()->table_lock);
    visit(arg, vm->boot_loader);
    for (struct loader *l = li()->loaders; l != NULL; l = l->next)
        if (!l->is_boot) visit(arg, l);
    lock_release(&li()->table_lock);
    heap_enable_gc(self);
}

struct class *class_find_loaded(struct loader *l, struct symbol *name) {
    lock_acquire(&li()->table_lock);
    struct class *c = dictionary_find(l, name);
    lock_release(&li()->table_lock);
    return c;
}

/* ---- loader records ---------------------------------------------------------------------------------------------- */

struct loader *loader_new(struct object *object) {
    struct loader *l = mem_zalloc(sizeof *l);
    if (l == NULL) return NULL;
    l->dictionary = mem_zalloc(sizeof *l->dictionary);
    l->holder.arena = arena_new("class loader");
    if (l->dictionary == NULL || l->holder.arena == NULL) {
        mem_free(l->dictionary);
        arena_free(l->holder.arena);
        mem_free(l);
        return NULL;
    }
    l->holder.loader = l;
    l->holder.object = l->object = object;
    l->is_boot = object == NULL;
    l->holder.base.permanent = l->is_boot;
    atomic_store(&l->holder.base.marked, l->is_boot); /* permanent ones stay marked and are visited as roots */
    return l;
}

/* The library's own loaders are known by their classes, which the boot loader has defined: any loader may define a
 * class of their name. */
static void classify(struct loader *l) {
    const struct class *c = class_of(l->object);
    const char *name = c->loader->is_boot ? c->name->bytes : "";
    l->is_platform = strcmp(name, "jdk/internal/loader/ClassLoaders$PlatformClassLoader") == 0;
    l->is_app = strcmp(name, "jdk/internal/loader/ClassLoaders$AppClassLoader") == 0;
    l->is_delegating = strcmp(name, "jdk/internal/reflect/DelegatingClassLoader") == 0;
    l->is_parallel_capable = heap_load_ref(l->object, known_offset(ClassLoader_parallelLockMap)) != NULL;
}

struct loader *loader_of_object(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (o == NULL) return vm->boot_loader;
    /* 17's delegating loaders hold one accessor class each and resolve through their parent: they keep a record of
     * their own */
    _Atomic uint64_t *slot = (_Atomic uint64_t *)((char *)o + known_offset(ClassLoader_loader));
    struct loader *l = (struct loader *)(uintptr_t)atomic_load_explicit(slot, memory_order_acquire);
    if (l != NULL) return l;
    l = loader_new(o);
    if (l == NULL) {
        throw_out_of_memory(self, "class loader");
        return NULL;
    }
    classify(l);
    uint64_t expected = 0;
    lock_acquire(&li()->table_lock);
    if (atomic_compare_exchange_strong(slot, &expected, (uint64_t)(uintptr_t)l)) {
        l->next = li()->loaders;
        li()->loaders = l;
        l->holder.base.next = li()->holders;
        li()->holders = &l->holder.base;
        lock_release(&li()->table_lock);
        return l;
    }
    lock_release(&li()->table_lock);
    dictionary_free(l);
    arena_free(l->holder.arena);
    mem_free(l);
    return (struct loader *)(uintptr_t)expected;
}

char *loader_name_and_id(struct loader *l) {
    if (l->object == NULL) return mem_strdup("'bootstrap'");
    struct object *s = heap_load_ref(l->object, known_offset(ClassLoader_nameAndId));
    char *text = s ? string_dup_utf8(s) : class_external_name(class_of(l->object));
    return text;
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

static bool in_progress_here(struct os_thread *self, struct loader *l, struct symbol *name) {
    REQUIRES(IN_VM | NO_PENDING);
    for (struct placeholder *p = li()->placeholders; p != NULL; p = p->next)
        if (p->thread == self && p->loader == l && p->name == name) return true;
    return false;
}

void placeholder_add(struct placeholder *mine) {
    mine->next = li()->placeholders;
    li()->placeholders = mine;
}

void placeholder_remove(struct placeholder *mine) {
    struct placeholder **p = &li()->placeholders;
    while (*p != NULL && *p != mine) p = &(*p)->next;
    if (*p != NULL) *p = mine->next;
}

static struct class *throw_circular(struct os_thread *self, struct symbol *name) {
    REQUIRES(IN_VM);
    throw_message(self, "java/lang/ClassCircularityError", "%s", name->bytes);
    return NULL;
}

/* ---- one thread at a time loads a boot class, so that its file is read, and shown to tools, once: all
 * under init_lock */

static struct boot_load *boot_load_of(const struct os_thread *thread, const struct symbol *name, bool waits) {
    for (struct boot_load *b = li()->boot_loads; b != NULL; b = b->next)
        if (b->waits == waits && (thread == NULL || b->thread == thread) && (name == NULL || b->name == name)) return b;
    return NULL;
}

/* Does the thread that loads `load` wait, itself or through others, for a class that self loads? Then waiting for it
 * would never end. */
static bool waits_for(const struct os_thread *self, const struct boot_load *load) {
    while (load != NULL && load->thread != self) {
        const struct boot_load *awaited = boot_load_of(load->thread, NULL, true);
        load = awaited ? boot_load_of(NULL, awaited->name, false) : NULL;
    }
    return load != NULL;
}

static void boot_load_begin(struct os_thread *self, struct boot_load *mine) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    lock_acquire(&li()->init_lock);
    mine->next = li()->boot_loads;
    li()->boot_loads = mine;
    for (struct boot_load *other; (other = boot_load_of(NULL, mine->name, false)) != NULL && !waits_for(self, other);)
        class_state_wait(self);
    mine->waits = false;
    lock_release(&li()->init_lock);
}

static void boot_load_end(struct boot_load *mine) {
    lock_acquire(&li()->init_lock);
    struct boot_load **link = &li()->boot_loads;
    while (*link != mine) link = &(*link)->next;
    *link = mine->next;
    if (boot_load_of(NULL, mine->name, true) != NULL) cond_notify_all(&li()->init_cond);
    lock_release(&li()->init_lock);
}

/* ---- reports of new classes: one thread notifies a tool of a class that others could find already ---------------- */

/* A report of c by another thread than self. init_lock held */
static bool reported_elsewhere(const struct os_thread *self, const struct class *c) {
    for (struct class_report *r = atomic_load(&li()->reports); r != NULL; r = r->next)
        if (r->class == c && r->thread != self) return true;
    return false;
}

void class_report_wait(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | MAY_STOP);
    if (LIKELY(atomic_load(&li()->reports) == NULL)) return;
    struct object *pending = exception_take(self);       /* a class is looked up to judge an exception by, too */
    lock_acquire(&li()->init_lock);
    while (reported_elsewhere(self, c)) class_state_wait(self);
    lock_release(&li()->init_lock);
    self->exception = pending;
}

void class_report_begin(struct os_thread *self, struct class_report *mine, struct class *class) {
    *mine = (struct class_report){.thread = self, .class = class};
    lock_acquire(&li()->init_lock);
    mine->next = atomic_load(&li()->reports);
    atomic_store(&li()->reports, mine);
    lock_release(&li()->init_lock);
}

/* init_lock held */
static void remove_report(struct class_report *r) {
    struct class_report *head = atomic_load(&li()->reports), **link = &head;
    while (*link != r) link = &(*link)->next;
    *link = r->next;
    atomic_store(&li()->reports, head);
}

void class_report_end(struct class_report *mine) {
    lock_acquire(&li()->init_lock);
    remove_report(mine);
    cond_notify_all(&li()->init_cond);
    lock_release(&li()->init_lock);
}

void link_stack_goes(struct os_thread *self) {
    if (vm->link == NULL) return;
    lock_acquire(&li()->table_lock);
    for (struct placeholder **p = &li()->placeholders; *p != NULL;) {
        if ((*p)->thread == self) *p = (*p)->next;
        else p = &(*p)->next;
    }
    lock_release(&li()->table_lock);
    lock_acquire(&li()->init_lock);
    for (struct boot_load **b = &li()->boot_loads; *b != NULL;) {
        if ((*b)->thread == self) *b = (*b)->next;
        else b = &(*b)->next;
    }
    for (struct class_report *r = atomic_load(&li()->reports), *next; r != NULL; r = next) {
        next = r->next;
        if (r->thread == self) remove_report(r);
    }
    cond_notify_all(&li()->init_cond);
    lock_release(&li()->init_lock);
}

void link_threads_ended(void) {
    if (vm->link == NULL) return;
    li()->placeholders = NULL;
    li()->boot_loads = NULL;
    atomic_store(&li()->reports, NULL);
}

/* Threads that cannot wait for each other may both define a class; the first one's is everybody's. */
static struct class *read_boot(struct os_thread *self, struct symbol *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct loader *l = vm->boot_loader;
    struct boot_class found;
    if (memchr(name->bytes, '.', name->length) != NULL || !boot_path_find(name, &found)) return NULL;
    struct define_args args = {.name = name,
                               .bytes = found.bytes.data,
                               .length = found.bytes.size,
                               .bytes_are_mapped = found.mapped,
                               .source = found.source};
    struct class *c = class_define(self, l, &args);
    mem_free(found.owned);
    mem_free(found.source);
    if (c == NULL && self->exception != NULL) { /* another thread was faster */
        struct class *winner = class_find_loaded(l, name);
        if (winner != NULL) {
            self->exception = NULL;
            c = winner;
        }
    }
    if (c != NULL) atomic_store(&c->package->boot_entry, found.entry);
    return c;
}

static struct class *load_boot(struct os_thread *self, struct symbol *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct boot_load mine = {.thread = self, .name = name, .waits = true};
    boot_load_begin(self, &mine);
    struct class *c = class_find_loaded(vm->boot_loader, name);
    if (c == NULL) c = read_boot(self, name);
    boot_load_end(&mine);
    return c;
}

struct class *class_find_boot(struct os_thread *self, const char *name) {
    REQUIRES(IN_VM | MAY_STOP);
    struct symbol *s = symbol_intern_cstr(name);
    if (s == NULL) return NULL;
    struct class *c = NULL;
    if (name[0] == '[') {
        c = class_load(self, s, vm->boot_loader);
        if (c == NULL) self->exception = NULL;
    } else {
        c = class_find_loaded(vm->boot_loader, s);
        if (c == NULL) c = load_boot(self, s);
        if (c != NULL) class_report_wait(self, c);
    }
    symbol_release(s);
    return c;
}

static struct class *load_by_upcall(struct os_thread *self, struct symbol *name, struct loader *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *string = string_from_symbol(self, name, true);
    if (string == NULL) return NULL;
    struct method *load = class_method_cstr(known_class(java_lang_ClassLoader), "loadClass",
                                            "(Ljava/lang/String;)Ljava/lang/Class;");
    uint64_t args[2] = {slot_ref(l->object), slot_ref(string)}, result = 0;
    bool ok;
    if (l->is_parallel_capable) {
        ok = java_call_virtual(self, load, args, &result);
    } else {
        /* It is locked while it loads, as it always was, and must not want from the VM what it is asked for. */
        struct placeholder mine = {.thread = self, .loader = l, .name = name};
        bool locked = monitor_enter(self, l->object, NULL);
        lock_acquire(&li()->table_lock);
        placeholder_add(&mine);
        lock_release(&li()->table_lock);
        ok = java_call_virtual(self, load, args, &result);
        lock_acquire(&li()->table_lock);
        placeholder_remove(&mine);
        lock_release(&li()->table_lock);
        if (locked) monitor_exit(self, l->object);
    }
    if (!ok) return NULL;
    struct class *c = slot_object(result) ? class_of_mirror(slot_object(result)) : NULL;
    return c != NULL && c->name == name ? c : NULL; /* a class of another name counts as none */
}

/* l answers c for the name from now on, unless it has answered another class or a constraint on the name says
 * otherwise. */
static struct class *record_initiating(struct os_thread *self, struct loader *l, struct symbol *name, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (c->loader == l) return c;
    lock_acquire(&li()->table_lock);
    struct class *known = dictionary_find(l, name), *other = known == NULL ? constraint_conflict(l, c) : NULL;
    bool ok = known == NULL && other == NULL && dictionary_enter(l, c);
    lock_release(&li()->table_lock);
    if (ok || known == c) return c;
    if (known != NULL) throw_duplicate_class(self, l, c);
    else if (other != NULL) throw_constraint_violated(self, l, c, other);
    else throw_out_of_memory(self, "class table");
    return NULL;
}

static void wrap_not_found(struct os_thread *self, struct symbol *name) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *not_found = known_class(java_lang_ClassNotFoundException);
    if (self->exception != NULL && not_found != NULL && object_is_instance(self->exception, not_found)) {
        struct object *cause = exception_take(self);
        throw_cause(self, "java/lang/NoClassDefFoundError", cause, "%s", name->bytes);
    }
}

/* As class_find, for an array's name. */
static struct class *load_array(struct os_thread *self, struct symbol *name, struct loader *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    size_t dims = 0;
    while (dims < name->length && name->bytes[dims] == '[') dims++;
    struct class *c = NULL;
    const char *element = name->bytes + dims;
    size_t n = name->length - dims;
    if (n >= 1 && dims <= 255 && element[0] == 'L' && n > 2 && element[n - 1] == ';') {
        struct symbol *s = symbol_intern(element + 1, n - 2);
        c = s ? class_find(self, s, l) : NULL;
        symbol_release(s);
        if (c == NULL) return NULL;
    } else if (n == 1 && strchr("ZBCSIJFD", element[0]) != NULL) {
        c = class_primitive(basic_type_of_char(element[0]));
    } else {
        return NULL;
    }
    for (; dims > 0 && c != NULL; dims--) c = class_array_of(self, c);
    return c;
}

static struct class *find(struct os_thread *self, struct symbol *name, struct loader *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (name->length > 0 && name->bytes[0] == '[') return load_array(self, name, l);
    lock_acquire(&li()->table_lock);
    struct class *c = dictionary_find(l, name);
    bool circular = c == NULL && in_progress_here(self, l, name);
    lock_release(&li()->table_lock);
    if (c != NULL) return c;
    if (circular) return throw_circular(self, name);
    if (l->is_delegating) {              /* 17's accessors of reflection: what they name is found through the parent */
        struct loader *parent = loader_of_object(self, heap_load_ref(l->object, known_offset(ClassLoader_parent)));
        return parent ? find(self, name, parent) : NULL;
    }
    if (l->object == NULL) return load_boot(self, name);
    if (thread_c_stack_is_used_up(self)) {
        throw_stack_overflow(self);
        return NULL;
    }
    c = load_by_upcall(self, name, l);
    return c ? record_initiating(self, l, name, c) : NULL;
}

struct class *class_find(struct os_thread *self, struct symbol *name, struct loader *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = find(self, name, l);
    if (c != NULL) class_report_wait(self, c);
    return c;
}

struct class *class_load(struct os_thread *self, struct symbol *name, struct loader *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find(self, name, l);
    if (c != NULL) return c;
    if (self->exception != NULL) wrap_not_found(self, name);
    else if (known_class(java_lang_NoClassDefFoundError) == NULL ||
             !class_is_initialized(known_class(java_lang_Throwable)))
        fatal("class %s is missing in %s/lib/modules", name->bytes, vm->java_home);
    else throw_message(self, "java/lang/NoClassDefFoundError", "%s", name->bytes);
    return NULL;
}

struct class *class_of_descriptor(struct os_thread *self, const char *desc, size_t length, struct loader *loader) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (length == 0) return NULL;
    if (desc[0] != 'L' && desc[0] != '[') return class_primitive(basic_type_of_char(desc[0]));
    struct symbol *s = desc[0] == 'L' ? symbol_intern(desc + 1, length - 2) : symbol_intern(desc, length);
    if (s == NULL) {
        throw_out_of_memory(self, "symbol");
        return NULL;
    }
    struct class *c = class_load(self, s, loader);
    symbol_release(s);
    return c;
}

/* ---- loader constraints ------------------------------------------------------------------------------------------ */

static struct loader_constraint *find_constraint(struct symbol *name, struct loader *l) {
    const struct constraint_member *m = ptr_table_get(&l->dictionary->constraints, name);
    return m ? m->constraint : NULL;
}

static void constrain_to(struct loader_constraint *k, struct class *c) {
    if (k->class == c) return;
    if (k->class != NULL) {
        *k->link = k->next;
        if (k->next != NULL) k->next->link = k->link;
    }
    k->class = c;
    if (c == NULL) return;
    k->link = &c->loader->dictionary->naming;
    k->next = *k->link;
    if (k->next != NULL) k->next->link = &k->next;
    *k->link = k;
}

static void link_member(struct loader_constraint *k, struct constraint_member *m) {
    m->constraint = k;
    m->link = &k->members;
    m->next = k->members;
    if (m->next != NULL) m->next->link = &m->next;
    k->members = m;
    k->count++;
}

static void unlink_member(struct constraint_member *m) {
    *m->link = m->next;
    if (m->next != NULL) m->next->link = m->link;
    m->constraint->count--;
}

/* l is in no constraint on the name. False: no memory, nothing has changed. */
static bool add_member(struct loader_constraint *k, struct loader *l) {
    struct constraint_member *m = mem_zalloc(sizeof *m);
    if (m == NULL || !ptr_table_put(&l->dictionary->constraints, k->name, m)) {
        mem_free(m);
        return false;
    }
    m->loader = l;
    link_member(k, m);
    return true;
}

static void free_constraint(struct loader_constraint *k) {
    for (struct constraint_member *m = k->members, *next; m != NULL; m = next) {
        next = m->next;
        ptr_table_remove(&m->loader->dictionary->constraints, k->name);
        mem_free(m);
    }
    constrain_to(k, NULL);
    symbol_release(k->name);
    mem_free(k);
}

static struct loader_constraint *new_constraint(struct symbol *name, struct loader *a, struct loader *b) {
    struct loader_constraint *k = mem_zalloc(sizeof *k);
    if (k == NULL) return NULL;
    k->name = symbol_retain(name);
    if (add_member(k, a) && add_member(k, b)) return k;
    free_constraint(k);
    return NULL;
}

/* The loaders of both; what they say of the class goes. */
static struct loader_constraint *merge(struct loader_constraint *a, struct loader_constraint *b) {
    struct loader_constraint *larger = a->count < b->count ? b : a, *other = larger == a ? b : a;
    while (other->members != NULL) {
        struct constraint_member *m = other->members;
        unlink_member(m);
        link_member(larger, m);
    }
    free_constraint(other);
    return larger;
}

struct class *constraint_conflict(struct loader *l, struct class *c) {
    struct loader_constraint *k = find_constraint(c->name, l);
    return k != NULL && k->class != c ? k->class : NULL;
}

bool dictionary_enter(struct loader *l, struct class *c) {
    if (!dictionary_add(l, c->name, c)) return false;
    struct loader_constraint *k = find_constraint(c->name, l);
    if (k != NULL) constrain_to(k, c);
    return true;
}

void throw_constraint_violated(struct os_thread *self, struct loader *l, struct class *c, struct class *other) {
    char *name = class_external_name(c), *loader = loader_name_and_id(l),
         *other_loader = loader_name_and_id(other->loader), *where = class_in_module_of_loader(other, true);
    throw_message(self, "java/lang/LinkageError",
                  "loader constraint violation: loader %s wants to load %s %s. A different %s with the same name was "
                  "previously loaded by %s. (%s)",
                  loader ? loader : "?", c->is_interface ? "interface" : "class", name ? name : "?",
                  other->is_interface ? "interface" : "class", other_loader ? other_loader : "?", where ? where : "?");
    mem_free(name);
    mem_free(loader);
    mem_free(other_loader);
    mem_free(where);
}

/* One name means the same in both loaders from now on; false: it already does not. table_lock held. */
static bool add_constraint(struct symbol *name, struct loader *a, struct loader *b, bool *memory) {
    struct class *ca = dictionary_find(a, name), *cb = dictionary_find(b, name);
    struct loader_constraint *ka = find_constraint(name, a), *kb = find_constraint(name, b);
    if (ca == NULL && ka != NULL) ca = ka->class;
    if (cb == NULL && kb != NULL) cb = kb->class;
    if (ca != NULL && cb != NULL) {
        if (ca != cb) return false;
        if (ka == kb && ka != NULL) return true;
    }
    struct loader_constraint *k = ka ? ka : kb;
    if (ka == kb) {
        if (k != NULL) return true;
        k = new_constraint(name, a, b);
        if (k == NULL) return *memory = false;
    } else if (ka == NULL || kb == NULL) {
        if (!add_member(k, ka ? b : a)) return *memory = false;
    } else {
        k = merge(ka, kb);
    }
    constrain_to(k, ca ? ca : cb);
    return true;
}

bool constraints_for_descriptor(struct os_thread *self, struct symbol *desc, struct loader *a, struct loader *b,
                                struct symbol **culprit) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (a == b) return true;
    const char *p = desc->bytes, *end = p + desc->length;
    while (p < end) {
        if (*p != 'L') {
            p++;
            continue;
        }
        const char *start = p, *semicolon = memchr(p, ';', (size_t)(end - p));
        struct symbol *name = symbol_intern(p + 1, (size_t)(semicolon - p - 1));
        p = semicolon + 1;
        bool memory = name != NULL, ok = false;
        if (name != NULL) {
            lock_acquire(&li()->table_lock);
            ok = add_constraint(name, a, b, &memory);
            lock_release(&li()->table_lock);
        }
        if (!memory) throw_out_of_memory(self, "loader constraints");
        if (!ok) {
            while (start > desc->bytes && start[-1] == '[') start--;
            struct symbol *array = memory && *start == '[' ? symbol_intern(start, (size_t)(p - start)) : NULL;
            if (array != NULL) symbol_release(name);
            *culprit = array ? array : name;
            return false;
        }
        symbol_release(name);
    }
    return true;
}

static bool leave(uint64_t name, uint64_t value, void *arg) {
    struct constraint_member *m = (struct constraint_member *)(uintptr_t)value;
    struct loader_constraint *k = m->constraint;
    (void)name, (void)arg;
    unlink_member(m);
    mem_free(m);
    if (k->count < 2) free_constraint(k);
    return true;
}

/* The loader is being unloaded. World stopped. */
void constraints_purge(struct loader *l) {
    int_table_iterate(&l->dictionary->constraints.map, leave, NULL);
    ptr_table_free(&l->dictionary->constraints);
    while (l->dictionary->naming != NULL) constrain_to(l->dictionary->naming, NULL);
}
