/* module.c — modules and packages: who reads whom, what is exported, and the package of a class. JVMS 5.3.6. */
#include "base/log.h"
#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/link_internal.h"

struct package_table {
    struct ptr_table packages;           /* symbol -> struct package                                             */
};
struct module_table {
    struct ptr_table modules;            /* symbol -> struct module_record; named ones                            */
    struct module_record *all;           /* by next; the unnamed one too                                          */
};

/* ---- records: module_lock held ----------------------------------------------------------------------------------- */

static struct module_record *module_new(struct loader *l, struct symbol *name) {
    if (l->modules == NULL && (l->modules = mem_zalloc(sizeof *l->modules)) == NULL) return NULL;
    struct module_record *m = mem_zalloc(sizeof *m);
    if (m == NULL) return NULL;
    if (name != NULL && !ptr_table_put(&l->modules->modules, name, m)) {
        mem_free(m);
        return NULL;
    }
    m->name = name ? symbol_retain(name) : NULL;
    m->loader = l;
    m->next = l->modules->all;
    l->modules->all = m;
    return m;
}

/* The loader's unnamed module; its object is known as soon as the loader's constructor has run. */
static struct module_record *unnamed_of(struct loader *l) {
    if (l->unnamed_module == NULL && (l->unnamed_module = module_new(l, NULL)) != NULL) {
        l->unnamed_module->is_open = l->unnamed_module->can_read_all_unnamed = true;
    }
    struct module_record *m = l->unnamed_module;
    if (m != NULL && m->object == NULL && l->object != NULL) {
        struct object *o = heap_load_ref(l->object, known_offset(ClassLoader_unnamedModule));
        if (o != NULL) {
            m->object = o;
            field_store(o, known_offset(Module_record), T_LONG, (uint64_t)(uintptr_t)m);
        }
    }
    return m;
}

/* java.base exists before the library defines it: everything loaded until then belongs to it. */
static struct module_record *java_base(void) {
    if (li()->java_base == NULL) {
        struct symbol *name = symbol_intern_cstr("java.base");
        if (name != NULL) li()->java_base = module_new(vm->boot_loader, name);
        symbol_release(name);
    }
    return li()->java_base;
}

static struct package *find_package(struct loader *l, struct symbol *name) {
    return l->packages ? ptr_table_get(&l->packages->packages, name) : NULL;
}

static struct package *package_new(struct loader *l, struct symbol *name, struct module_record *m) {
    if (l->packages == NULL && (l->packages = mem_zalloc(sizeof *l->packages)) == NULL) return NULL;
    struct package *p = mem_zalloc(sizeof *p);
    if (p == NULL || !ptr_table_put(&l->packages->packages, name, p)) {
        mem_free(p);
        return NULL;
    }
    p->name = symbol_retain(name);
    p->module = m;
    p->boot_entry = PACKAGE_NOT_READ;
    return p;
}

struct package *package_lookup(struct loader *l, struct symbol *name) {
    lock_acquire(&li()->module_lock);
    struct package *p = find_package(l, name);
    lock_release(&li()->module_lock);
    return p;
}

static struct symbol *package_name(struct symbol *class_name) {
    const char *slash = memrchr(class_name->bytes, '/', class_name->length);
    return symbol_intern(class_name->bytes, slash ? (size_t)(slash - class_name->bytes) : 0);
}

struct package *package_get(struct os_thread *self, struct loader *l, struct symbol *class_name, bool create) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct symbol *name = package_name(class_name);
    struct package *p = NULL;
    if (name != NULL) {
        lock_acquire(&li()->module_lock);
        p = find_package(l, name);
        if (p == NULL && create) {
            struct module_record *m = l->is_boot && !li()->java_base_defined ? java_base() : unnamed_of(l);
            if (m != NULL) p = package_new(l, name, m);
        }
        lock_release(&li()->module_lock);
    }
    symbol_release(name);
    if (p == NULL && create) throw_out_of_memory(self, "package table");
    return p;
}

bool package_of_class(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    c->package = package_get(self, c->loader, c->name, true);
    if (c->package == NULL) return false;
    c->module = c->package->module;
    if (c->module->name == NULL) {       /* the object may have become known since */
        lock_acquire(&li()->module_lock);
        unnamed_of(c->loader);
        lock_release(&li()->module_lock);
    }
    return true;
}

/* A module that was never defined counts as its loader's unnamed one. */
struct module_record *module_of_object(struct object *o) {
    struct module_record *m = (struct module_record *)(uintptr_t)field_load(o, known_offset(Module_record), T_LONG);
    if (m != NULL) return m;
    struct loader *l = loader_of_object(current_thread(), heap_load_ref(o, known_offset(Module_loader)));
    if (l == NULL) return NULL;
    lock_acquire(&li()->module_lock);
    m = unnamed_of(l);
    lock_release(&li()->module_lock);
    return m;
}

struct object *module_object_of_class(struct class *c) {
    c = class_element(c);
    struct module_record *m = class_is_primitive(c) ? li()->java_base : c->module;
    if (m == NULL) return NULL;
    if (m->object == NULL && m->name == NULL && m->loader->object != NULL) {
        lock_acquire(&li()->module_lock);
        unnamed_of(m->loader);
        lock_release(&li()->module_lock);
    }
    return m->object;
}

/* ---- collection and the end -------------------------------------------------------------------------------------- */

void modules_visit(struct heap_visitor *v, struct loader *l) {
    if (l->modules == NULL) return;
    for (struct module_record *m = l->modules->all; m != NULL; m = m->next) {
        heap_visit(v, m->object);
        for (uint32_t i = 0; i < m->read_count; i++) heap_visit_holder(v, &m->reads[i]->loader->holder.base);
    }
}

static bool free_package(uint64_t key, uint64_t value, void *arg) {
    (void)arg;
    struct package *p = (struct package *)(uintptr_t)value;
    symbol_release((struct symbol *)(uintptr_t)key);
    mem_free(p->exports);
    mem_free(p);
    return true;
}

/* Exports to a module whose loader goes away must not name it any more. World stopped. */
struct purge { struct loader *gone; };
static bool purge_package(uint64_t key, uint64_t value, void *arg) {
    (void)key;
    struct package *p = (struct package *)(uintptr_t)value;
    struct purge *g = arg;
    for (uint32_t i = 0; i < p->export_count;) {
        if (p->exports[i]->loader == g->gone) p->exports[i] = p->exports[--p->export_count];
        else i++;
    }
    return true;
}

void module_tables_free(struct loader *l) {
    struct purge g = {l};
    for (struct loader *other = l->is_exported_to ? li()->loaders : NULL; other != NULL; other = other->next)
        if (other != l && other->packages != NULL) int_table_iterate(&other->packages->packages.map, purge_package, &g);
    if (l->is_exported_to && vm->boot_loader != NULL && vm->boot_loader != l && vm->boot_loader->packages != NULL)
        int_table_iterate(&vm->boot_loader->packages->packages.map, purge_package, &g);
    if (l->packages != NULL) {
        int_table_iterate(&l->packages->packages.map, free_package, NULL);
        ptr_table_free(&l->packages->packages);
        mem_free(l->packages);
        l->packages = NULL;
    }
    if (l->modules != NULL) {
        for (struct module_record *m = l->modules->all, *next; m != NULL; m = next) {
            next = m->next;
            symbol_release(m->name);
            symbol_release(m->version);
            symbol_release(m->location);
            mem_free(m->reads);
            mem_free(m);
        }
        ptr_table_free(&l->modules->modules);
        mem_free(l->modules);
        l->modules = NULL;
    }
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

bool module_reads(struct module_record *from, struct module_record *to) {
    if (from == to || from->name == NULL || to == li()->java_base) return true;
    if (to->name == NULL && from->can_read_all_unnamed) return true;
    bool reads = false;
    lock_acquire(&li()->module_lock);
    for (uint32_t i = 0; i < from->read_count && !reads; i++) reads = from->reads[i] == to;
    lock_release(&li()->module_lock);
    return reads;
}

bool package_exported_to(struct package *p, struct module_record *to) {
    if (p->module == to || p->exported_to_all || p->module->is_open || p->module->name == NULL) return true;
    bool exported = false;
    lock_acquire(&li()->module_lock);
    exported = p->exported_to_all_unnamed && to->name == NULL;
    for (uint32_t i = 0; i < p->export_count && !exported; i++) exported = p->exports[i] == to;
    lock_release(&li()->module_lock);
    return exported;
}

/* ---- definition -------------------------------------------------------------------------------------------------- */

static bool add(struct module_record ***list, uint32_t *count, uint32_t *capacity, struct module_record *m) {
    for (uint32_t i = 0; i < *count; i++)
        if ((*list)[i] == m) return true;
    if (*count == *capacity) {
        uint32_t more = *capacity ? *capacity * 2 : 4;
        struct module_record **grown = mem_realloc(*list, more * sizeof *grown);
        if (grown == NULL) return false;
        *list = grown;
        *capacity = more;
    }
    (*list)[(*count)++] = m;
    return true;
}

static bool illegal(struct os_thread *self, const char *format, ...) PRINTF_LIKE(2, 3);
static bool illegal(struct os_thread *self, const char *format, ...) {
    REQUIRES(IN_VM);
    va_list list;
    va_start(list, format);
    char *text = mem_vprintf(format, list);
    va_end(list);
    throw_message(self, "java/lang/IllegalArgumentException", "%s", text ? text : "");
    mem_free(text);
    return false;
}

static bool illegal_state(struct os_thread *self, const char *format, ...) PRINTF_LIKE(2, 3);
static bool illegal_state(struct os_thread *self, const char *format, ...) {
    REQUIRES(IN_VM);
    va_list list;
    va_start(list, format);
    char *text = mem_vprintf(format, list);
    va_end(list);
    throw_message(self, "java/lang/IllegalStateException", "%s", text ? text : "");
    mem_free(text);
    return false;
}

static bool module_null(struct os_thread *self, const char *what) {
    REQUIRES(IN_VM);
    throw_message(self, "java/lang/NullPointerException", "%s", what);
    return false;
}

static bool set_module_of_mirror(void *arg, struct class *c) {
    struct object *module = arg;
    if (c->mirror != NULL && heap_load_ref(c->mirror, known_offset(Class_module)) == NULL)
        heap_store_ref(c->mirror, known_offset(Class_module), module);
    return true;
}

/* The packages of the array as symbols (slashes), malloc'd list; each +1 reference. False: exception pending. */
static bool package_symbols(struct os_thread *self, struct object *packages, struct symbol ***out, int32_t *count,
                            const char *module_name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int32_t n = packages ? array_length(packages) : 0;
    struct symbol **list = mem_calloc((size_t)n + 1, sizeof *list);
    *out = list;
    *count = 0;
    if (list == NULL) {
        throw_out_of_memory(self, "module");
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        struct object *s = heap_array_get(packages, i);
        if (s == NULL || class_of(s) != known_class(java_lang_String)) return illegal(self, "Bad package name");
        struct symbol *name = symbol_from_string(s, true);
        if (name == NULL || !name_is_valid_class(name->bytes, name->length, false)) {
            illegal(self, "Invalid package name: %s for module: %s", name ? name->bytes : "?", module_name);
            symbol_release(name);
            return false;
        }
        list[(*count)++] = name;
    }
    return true;
}

static struct symbol *symbol_or_null(struct object *string) {
    return string ? symbol_from_string(string, false) : NULL;
}

static bool define_named(struct os_thread *self, struct loader *l, struct object *module, struct symbol *name,
                         bool is_open, struct object *version, struct object *location, struct symbol **packages,
                         int32_t count) {
    bool is_base = l->is_boot && strcmp(name->bytes, "java.base") == 0;
    const char *conflict = NULL, *conflict_module = NULL;
    bool duplicate = false, memory = true;
    lock_acquire(&li()->module_lock);
    struct module_record *m = l->modules ? ptr_table_get(&l->modules->modules, name) : NULL;
    if (m != NULL && !(is_base && !li()->java_base_defined)) duplicate = true;
    bool base_early = is_base && !li()->java_base_defined;
    for (int32_t i = 0; i < count && !duplicate && conflict == NULL; i++) {
        struct package *p = find_package(l, packages[i]);
        if (p == NULL || (base_early && p->module == li()->java_base)) continue;
        conflict = p->name->bytes;
        conflict_module = p->module->name ? p->module->name->bytes : NULL;
    }
    if (!duplicate && conflict == NULL) {
        if (m == NULL) m = is_base ? java_base() : module_new(l, name);
        memory = m != NULL;
        for (int32_t i = 0; i < count && memory; i++) {
            struct package *p = find_package(l, packages[i]);
            if (p == NULL) memory = package_new(l, packages[i], m) != NULL;
            else p->module = m;
        }
        if (memory) {
            m->is_open = is_open;
            m->object = module;
            m->version = symbol_or_null(version);
            m->location = symbol_or_null(location);
            field_store(module, known_offset(Module_record), T_LONG, (uint64_t)(uintptr_t)m);
            if (is_base) atomic_store(&li()->java_base_defined, true);
        }
    }
    lock_release(&li()->module_lock);
    if (duplicate && is_base) throw_message(self, "java/lang/InternalError", "Module java.base is already defined");
    else if (duplicate) illegal_state(self, "Module %s is already defined", name->bytes);
    else if (conflict_module != NULL)
        illegal_state(self, "Package %s for module %s is already in another module, %s, defined to the class loader",
                      conflict, name->bytes, conflict_module);
    else if (conflict != NULL)
        illegal_state(self, "Package %s for module %s is already in the unnamed module defined to the class loader",
                      conflict, name->bytes);
    if (duplicate || conflict != NULL) return false;
    if (!memory) {
        throw_out_of_memory(self, "module");
        return false;
    }
    if (is_base) class_walk_all(set_module_of_mirror, module);
    log_info(module_load, "%s location: %s", name->bytes,
             m->location                 ? m->location->bytes
             : vm->library == LIBRARY_17 ? "NULL"
                                         : "null");
    return true;
}

bool module_define(struct os_thread *self, struct object *module, bool is_open, struct object *version,
                   struct object *location, struct object *packages) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (module == NULL) return module_null(self, "Null module object");
    if (!object_is_instance(module, known_class(java_lang_Module)))
        return illegal(self, "module is not an instance of type java.lang.Module");
    struct object *name_string = heap_load_ref(module, known_offset(Module_name));
    if (name_string == NULL) return module_null(self, "Null module name");
    struct symbol *name = symbol_from_string(name_string, false);
    if (name == NULL || name->length == 0) {
        illegal(self, "Invalid module name: %s", name ? name->bytes : "?");
        symbol_release(name);
        return false;
    }
    struct loader *l = loader_of_object(self, heap_load_ref(module, known_offset(Module_loader)));
    struct symbol **list = NULL;
    int32_t count = 0;
    bool ok = l != NULL;
    if (ok && !l->is_boot && symbol_equals(name, "java.base"))
        ok = illegal(self, "Class loader must be the boot class loader");
    if (ok && l->is_delegating) ok = illegal(self, "Class loader is an invalid delegating class loader");
    ok = ok && package_symbols(self, packages, &list, &count, name->bytes);
    for (int32_t i = 0; ok && i < count; i++) {
        const char *p = list[i]->bytes;
        if (!l->is_boot && !l->is_platform && (strcmp(p, "java") == 0 || strncmp(p, "java/", 5) == 0)) {
            char *text = mem_strdup(p), *loader = loader_name_and_id(l);
            for (char *q = text; q != NULL && *q; q++) if (*q == '/') *q = '.';
            ok = illegal(self, "Class loader (instance of): %s tried to define prohibited package name: %s",
                         loader ? loader : "?", text ? text : p);
            mem_free(text);
            mem_free(loader);
        }
    }
    ok = ok && define_named(self, l, module, name, is_open, version, location, list, count);
    for (int32_t i = 0; i < count; i++) symbol_release(list[i]);
    mem_free(list);
    symbol_release(name);
    return ok;
}

bool module_set_boot_unnamed(struct os_thread *self, struct object *module) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (module == NULL) return module_null(self, "Null module object");
    if (!object_is_instance(module, known_class(java_lang_Module)))
        return illegal(self, "module is not an instance of type java.lang.Module");
    if (heap_load_ref(module, known_offset(Module_name)) != NULL)
        return illegal(self, "boot loader's unnamed module's java.lang.Module has a name");
    if (heap_load_ref(module, known_offset(Module_loader)) != NULL)
        return illegal(self, "Class loader must be the boot class loader");
    lock_acquire(&li()->module_lock);
    struct module_record *m = unnamed_of(vm->boot_loader);
    if (m != NULL) {
        m->object = module;
        field_store(module, known_offset(Module_record), T_LONG, (uint64_t)(uintptr_t)m);
    }
    lock_release(&li()->module_lock);
    if (m == NULL) throw_out_of_memory(self, "module");
    return m != NULL;
}

bool module_add_reads(struct os_thread *self, struct object *from, struct object *to) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (from == NULL) return module_null(self, "from_module is null");
    struct module_record *f = module_of_object(from), *t = to ? module_of_object(to) : NULL;
    if (f == NULL) return illegal(self, "from_module is not valid");
    if (to != NULL && t == NULL) return illegal(self, "to_module is invalid");
    if (f == t || f->name == NULL) return true;
    bool ok = true;
    lock_acquire(&li()->module_lock);
    if (t == NULL) f->can_read_all_unnamed = true;
    else ok = add(&f->reads, &f->read_count, &f->read_capacity, t);
    lock_release(&li()->module_lock);
    if (!ok) throw_out_of_memory(self, "module");
    return ok;
}

/* The package named by `string`, to be exported by module `from`. NULL: exception pending, or nothing to do (*nothing).
 * `what` is how texts call `from`. As in HotSpot the loader has to know the package, whatever its module. */
static struct package *exported_package(struct os_thread *self, struct object *from, struct object *string,
                                        const char *what, struct module_record **module, bool *nothing) {
    *nothing = false;
    *module = NULL;
    if (string == NULL) return module_null(self, "package is null"), NULL;
    if (from == NULL) {
        throw_message(self, "java/lang/NullPointerException", "%s is null", what);
        return NULL;
    }
    struct module_record *m = *module = module_of_object(from);
    if (m == NULL) return NULL;
    if (m->name == NULL || m->is_open) {
        *nothing = true;
        return NULL;
    }
    struct symbol *name = symbol_from_string(string, true);
    struct package *p = name ? package_lookup(m->loader, name) : NULL;
    if (p == NULL) illegal(self, "Package %s not found in %s %s", name ? name->bytes : "?", what, m->name->bytes);
    symbol_release(name);
    return p;
}

bool module_add_exports(struct os_thread *self, struct object *from, struct object *package, struct object *to) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct module_record *m, *t = NULL;
    bool nothing, ok = true;
    struct package *p = exported_package(self, from, package, "from_module", &m, &nothing);
    if (p == NULL) return nothing;
    if (to != NULL && (t = module_of_object(to)) == NULL) return false;
    if (t == m) return true;
    lock_acquire(&li()->module_lock);
    if (t == NULL) p->exported_to_all = true;
    else if (!p->exported_to_all) ok = add(&p->exports, &p->export_count, &p->export_capacity, t);
    if (t != NULL) t->loader->is_exported_to = true;
    lock_release(&li()->module_lock);
    if (!ok) throw_out_of_memory(self, "module");
    return ok;
}

bool module_add_exports_to_all_unnamed(struct os_thread *self, struct object *from, struct object *package) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct module_record *m;
    bool nothing;
    struct package *p = exported_package(self, from, package, "module", &m, &nothing);
    if (p == NULL) return nothing;
    lock_acquire(&li()->module_lock);
    p->exported_to_all_unnamed = true;
    lock_release(&li()->module_lock);
    return true;
}

/* ---- the boot loader's packages (ClassLoader.getDefinedPackages of the boot loader) ------------------------------ */

struct walk { bool (*visit)(void *arg, const char *name); void *arg; };
static bool visit_package(uint64_t key, uint64_t value, void *arg) {
    const struct walk *w = arg;
    return atomic_load(&((struct package *)(uintptr_t)value)->boot_entry) == PACKAGE_NOT_READ ||
           w->visit(w->arg, ((struct symbol *)(uintptr_t)key)->bytes);
}

void boot_packages_walk(bool (*visit)(void *arg, const char *name), void *arg) {
    struct walk w = {visit, arg};
    lock_acquire(&li()->module_lock);
    if (vm->boot_loader->packages != NULL)
        int_table_iterate(&vm->boot_loader->packages->packages.map, visit_package, &w);
    lock_release(&li()->module_lock);
}

static void walk_modules_of(struct loader *l, void (*visit)(void *arg, struct object *module), void *arg) {
    unnamed_of(l);
    for (struct module_record *m = l->modules ? l->modules->all : NULL; m != NULL; m = m->next)
        if (m->object != NULL) visit(arg, m->object);
}

void modules_walk(void (*visit)(void *arg, struct object *module), void *arg) {
    REQUIRES(STOPPED);
    walk_modules_of(vm->boot_loader, visit, arg);
    for (struct loader *l = li()->loaders; l != NULL; l = l->next)
        if (l != vm->boot_loader) walk_modules_of(l, visit, arg);
}

char *boot_package_source(const char *package) {
    struct symbol *name = symbol_lookup_cstr(package);
    struct package *p = name ? package_lookup(vm->boot_loader, name) : NULL;
    char *source = NULL;
    int32_t entry = p ? atomic_load(&p->boot_entry) : PACKAGE_NOT_READ;
    if (entry != PACKAGE_NOT_READ) {
        if (p->module->name != NULL)
            source = p->module->location ? mem_strdup(p->module->location->bytes)
                                         : mem_printf("jrt:/%s", p->module->name->bytes);
        else source = boot_path_entry(entry);
    }
    symbol_release(name);
    return source;
}

void module_transformed(struct os_thread *self, struct module_record *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int phase = atomic_load(&vm->phase);
    if (m == NULL || m->name == NULL || m->object == NULL || (phase != PHASE_LIVE && phase != PHASE_START)) return;
    lock_acquire(&li()->module_lock);
    bool done = m->reads_for_agents;
    m->reads_for_agents = true;
    lock_release(&li()->module_lock);
    struct class *modules = done ? NULL : class_find_boot(self, "jdk/internal/module/Modules");
    uint64_t args[1] = {slot_ref(m->object)};
    if (modules != NULL)
        java_call_static_named(self, modules, "transformedByAgent", "(Ljava/lang/Module;)V", args, NULL);
    if (self->exception == NULL) return;
    char *name = class_external_name(class_of(exception_take(self)));
    log_trace(jvmti, "module %s: Modules.transformedByAgent threw %s", m->name->bytes, name ? name : "?");
    mem_free(name);
}

/* ---- how messages name modules ----------------------------------------------------------------------------------- */

char *module_text(const struct module_record *m) {
    if (m == NULL) return mem_strdup("unnamed module");
    if (m->name != NULL) return mem_printf("module %s", m->name->bytes);
    return mem_printf("unnamed module @0x%x", m->object ? (unsigned)heap_identity_hash(m->object) : 0u);
}

/* "module java.base" with @version when the version is not the JDK's own, or "unnamed module"; then the loader. */
static char *module_and_loader(const struct class *c, bool with_parent) {
    c = class_element(c);
    const struct module_record *m = class_is_primitive(c) ? li()->java_base : c->module;
    struct loader *l = c->loader ? c->loader : vm->boot_loader;
    char *loader = loader_name_and_id(l), *module = NULL, *text = NULL, *parent = NULL;
    if (m == NULL || m->name == NULL) module = mem_strdup("unnamed module");
    else if (m->version != NULL && !(m->location != NULL && strncmp(m->location->bytes, "jrt:/java.", 10) == 0)
             && !(m->location != NULL && strncmp(m->location->bytes, "jrt:/jdk.", 9) == 0))
        module = mem_printf("module %s@%s", m->name->bytes, m->version->bytes);
    else module = mem_printf("module %s", m->name->bytes);
    if (with_parent && l->object != NULL && !l->is_platform && !l->is_app) {
        struct object *p = heap_load_ref(l->object, known_offset(ClassLoader_parent));
        struct loader *pl = p ? (struct loader *)(uintptr_t)field_load(p, known_offset(ClassLoader_loader), T_LONG)
                              : vm->boot_loader;
        parent = pl ? loader_name_and_id(pl) : NULL;
        if (parent == NULL && p != NULL) parent = class_external_name(class_of(p));
    }
    text = mem_printf("%s of loader %s%s%s", module ? module : "?", loader ? loader : "?",
                      parent ? ", parent loader " : "", parent ? parent : "");
    mem_free(loader);
    mem_free(module);
    mem_free(parent);
    return text;
}

char *class_in_module_of_loader(const struct class *c, bool with_parent) {
    char *name = class_external_name(c), *where = module_and_loader(c, with_parent);
    char *text = mem_printf("%s is in %s", name ? name : "?", where ? where : "?");
    mem_free(name);
    mem_free(where);
    return text;
}

char *class_module_and_loader(const struct class *c, const struct class *other) {
    if (other == NULL) return class_in_module_of_loader(c, true);
    const struct class *a = class_element(c), *b = class_element(other);
    const struct module_record *ma = class_is_primitive(a) ? li()->java_base : a->module,
                               *mb = class_is_primitive(b) ? li()->java_base : b->module;
    char *text;
    if (ma == mb) {
        char *x = class_external_name(c), *y = class_external_name(other), *where = module_and_loader(a, false);
        text = mem_printf("%s and %s are in %s", x ? x : "?", y ? y : "?", where ? where : "?");
        mem_free(x);
        mem_free(y);
        mem_free(where);
    } else {
        char *x = class_in_module_of_loader(c, false), *y = class_in_module_of_loader(other, false);
        text = mem_printf("%s; %s", x ? x : "?", y ? y : "?");
        mem_free(x);
        mem_free(y);
    }
    return text;
}
