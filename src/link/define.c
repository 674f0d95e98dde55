/* define.c — making classes: from class files, arrays, primitives; mirrors; class ids. JVMS 5.3. */
#include <stdlib.h>

#include "base/events.h"
#include "base/log.h"
#include "base/os.h"
#include "base/perf_data.h"
#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/link_internal.h"
#include "link/resolve_internal.h"
#include "thread/identity.h"


/* ---- ids of members: of the class (class_id.c) and the member's slot --------------------------------------------- */

struct method_code *method_code_older(const struct method_code *code) {
    const struct class_version *v = code->owner;
    uint32_t slot = code->method->slot;
    bool declared = slot < v->code_count && code == &v->codes[slot]; /* not a copy, nor the VM's own */
    return declared && v->older != NULL && slot < v->older->code_count ? &v->older->codes[slot] : NULL;
}

struct field *field_of_id(jfieldID id) {
    uint64_t v = (uint64_t)(uintptr_t)id;
    struct field *f = field_without_place(id);
    struct class *c = f == NULL ? class_of_id((uint32_t)v & CLASS_ID_MASK) : NULL;
    if (c == NULL || !(atomic_load_explicit(&c->ids_given, memory_order_relaxed) & PLACES_GIVEN)) return f;
    uint32_t slot = (uint32_t)(v >> FIELD_ID_SLOT_SHIFT) & 0xffff;
    if (slot >= c->field_count) return NULL;
    uint64_t place = field_place(&c->fields[slot]);
    return place != 0 && field_place_id(&c->fields[slot], place) == v ? &c->fields[slot] : NULL;
}

/* ---- holders ----------------------------------------------------------------------------------------------------- */

struct holder_record *holder_new(struct loader *loader, struct object *object) {
    struct holder_record *h = mem_zalloc(sizeof *h);
    if (h == NULL) return NULL;
    h->loader = loader;
    h->object = object;
    lock_acquire(&li()->table_lock);
    h->base.next = li()->holders;
    li()->holders = &h->base;
    lock_release(&li()->table_lock);
    return h;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

char *class_external_name(const struct class *c) {
    char *name = mem_strdup(c->name->bytes);
    for (char *p = name; p != NULL && *p != '\0'; p++) {
        if (*p == '/') *p = '.';
        else if (*p == '+' && c->is_hidden && strchr(p + 1, '+') == NULL) *p = '/';
    }
    if (name != NULL && class_is_array(c) && class_element(c)->is_hidden) { /* [Lp.C/0x1; */
        char *plus = strrchr(name, '+');
        if (plus != NULL) *plus = '/';
    }
    return name;
}

const char *class_primitive_name(const struct class *c) { return c->name->bytes; }

/* ---- mirrors ----------------------------------------------------------------------------------------------------- */

struct class *class_of_mirror(struct object *mirror) {
    return (struct class *)(uintptr_t)field_load(mirror, known_offset(Class_class), T_LONG);
}

/* What the library keeps in java.lang.Class: filled when the mirror is made. */
void fix_up_mirror(struct class *c) {
    struct object *m = c->mirror;
    field_store(m, known_offset(Class_class), T_LONG, (uint64_t)(uintptr_t)c);
    if (c->loader != NULL && c->loader->object != NULL)
        heap_store_ref(m, known_offset(Class_classLoader), c->loader->object);
    if (class_is_array(c)) heap_store_ref(m, known_offset(Class_componentType), c->component->mirror);
    if (vm->library == LIBRARY_25) {
        field_store(m, known_offset(Class_modifiers), T_CHAR, c->modifiers);
        field_store(m, known_offset(Class_primitive), T_BOOLEAN, class_is_primitive(c));
        if (c->protection_domain != NULL) heap_store_ref(m, known_offset(Class_protectionDomain), c->protection_domain);
    }
    if (c->class_data_root != NULL) heap_store_ref(m, known_offset(Class_classData), c->class_data_root);
    struct object *module = module_object_of_class(c);
    if (module != NULL) heap_store_ref(m, known_offset(Class_module), module);
}

bool make_mirror(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *k = vm->link->classes[KC_java_lang_Class];
    if (k == NULL) return true;          /* before java.lang.Class itself: fixed up later */
    struct object *m = heap_alloc_instance(self, &k->shape);
    if (m == NULL) return false;
    c->mirror = m;
    fix_up_mirror(c);
    return true;
}

/* ---- publishing -------------------------------------------------------------------------------------------------- */

/* From here on the class is found by id, by its holder's list, by walks. table_lock held or start-up. */
void publish_class(struct class *c) {
    struct holder_record *h = (struct holder_record *)c->shape.holder;
    shape_table[c->shape.id] = &c->shape;
    vtable_table[c->shape.id] = c->vtable;
    c->next_in_holder = h->classes;
    __atomic_store_n(&h->classes, c, __ATOMIC_RELEASE);
    li()->loaded++;
    perf_add(PERF_CLASSES_LOADED, 1);
    metadata_show();
    if (c->cf == NULL) return;
    bool app = c->loader != vm->boot_loader;
    perf_add(PERF_CLASS_BYTES_LOADED, (int64_t)c->cf->length);
    perf_add(app ? PERF_CLASS_BYTES_APP : PERF_CLASS_BYTES_SYSTEM, (int64_t)c->cf->length);
    perf_add(PERF_CLASSES_APP, app);
}

/* name NULL: nobody has said what the class file should be. */
static void note_load(const struct symbol *name, const char *after) {
    if (name != NULL) event_note_name(EVENT_LOAD, NULL, "Loading class ", name->bytes, name->length, after);
}

static void log_load(struct class *c, const struct define_args *args) {
    if (!log_enabled(LOG_class_load, LOG_INFO)) return;
    char *name = class_external_name(c), *lookup = NULL;
    const char *source = args->source;
    if (args->lookup != NULL)
        source = args->nestmate && c->nest_host ? (lookup = class_external_name(c->nest_host))
                                                : "__JVM_LookupDefineClass__";
    if (source == NULL && c->loader->object != NULL) source = lookup = class_external_name(class_of(c->loader->object));
    log_info(class_load, "%s source: %s", name ? name : "?", source ? source : "?");
    mem_free(name);
    mem_free(lookup);
}

/* ---- hierarchy --------------------------------------------------------------------------------------------------- */

/* A list that is the same in c as in a supertype or its own list of interfaces is shared. NULL: out of memory. */
static struct class **secondary_supers(struct class *c, struct class **list, uint32_t count) {
    size_t bytes = count * sizeof *list;
    if (c->super != NULL && count == c->super->secondary_count && memcmp(list, c->super->secondary, bytes) == 0)
        return c->super->secondary;
    if (count == c->interface_count && memcmp(list, c->interfaces, bytes) == 0) return c->interfaces;
    struct class **copy = arena_alloc_last(class_arena(c), bytes);
    if (copy != NULL) memcpy(copy, list, bytes);
    return copy;
}

static bool set_supers(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    c->depth = c->super && !c->is_interface ? c->super->depth + 1 : c->super ? 1 : 0;
    if (c->super != NULL && !c->is_interface) memcpy(c->display, c->super->display, sizeof c->display);
    if (c->is_interface && c->super != NULL) c->display[0] = c->super;
    if (c->depth < ARRAY_LEN(c->display) && !c->is_interface) c->display[c->depth] = c;
    VEC(struct class *) list = {0};
    bool ok = true;
    if (c->super != NULL && !c->is_interface) {
        for (uint32_t i = 0; ok && i < c->super->secondary_count; i++) ok = vec_push(&list, c->super->secondary[i]);
        if (ok && c->super->depth >= ARRAY_LEN(c->display)) ok = vec_push(&list, c->super);
    }
    for (uint32_t k = 0; ok && k < c->interface_count; k++) {
        struct class *direct = c->interfaces[k];
        for (uint32_t i = 0; ok && i <= direct->secondary_count; i++) {
            struct class *one = i < direct->secondary_count ? direct->secondary[i] : direct;
            bool known = false;
            for (size_t j = 0; !known && j < list.count; j++) known = list.data[j] == one;
            if (!known) ok = vec_push(&list, one);
        }
    }
    if (ok && list.count != 0) {
        c->secondary = secondary_supers(c, list.data, (uint32_t)list.count);
        ok = c->secondary != NULL;
        c->secondary_count = ok ? (uint32_t)list.count : 0;
    }
    vec_free(&list);
    if (!ok) throw_out_of_memory(self, "class metadata");
    return ok;
}

bool class_is_subtype_slow(struct class *c, struct class *target) {
    if (class_is_array(target)) {
        while (class_is_array(c) && class_is_array(target)) {
            c = c->component;
            target = target->component;
            if (c == target) return true;
            if (class_is_primitive(c) || class_is_primitive(target)) return false;
        }
        return class_is_array(target) ? false : class_is_subtype(c, target);
    }
    if (!target->is_interface && target->depth < ARRAY_LEN(target->display)) return c->display[target->depth] == target;
    if (atomic_load_explicit(&c->secondary_cache, memory_order_relaxed) == target) return true;
    for (uint32_t i = 0; i < c->secondary_count; i++) {
        if (c->secondary[i] == target) {
            atomic_store_explicit(&c->secondary_cache, target, memory_order_relaxed);
            return true;
        }
    }
    return false;
}

/* ---- defining from a class file ---------------------------------------------------------------------------------- */

static bool throw_cf(struct os_thread *self, const struct cf_error *e) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (e->exception == NULL) throw_out_of_memory(self, "class metadata");
    else throw_message(self, e->exception, "%s", e->message);
    return false;
}

static bool permits(struct class *super, struct class *c) {
    uint16_t n = cf_list_count(super->cf, super->cf->permitted_subclasses);
    for (uint16_t i = 0; i < n; i++)
        if (cp_class_name(super->cf, cf_list_at(super->cf, super->cf->permitted_subclasses, i)) == c->name) return true;
    return false;
}

static char *package_text(const struct class *c) {
    const char *slash = strrchr(c->name->bytes, '/');
    char *text = mem_strndup(c->name->bytes, slash ? (size_t)(slash - c->name->bytes) : 0);
    for (char *p = text; p != NULL && *p; p++) if (*p == '/') *p = '.';
    return text;
}

/* A sealed class or interface names its direct subtypes, which lie in its module (JVMS 5.3.5). */
static bool check_sealed(struct os_thread *self, struct class *c, struct class *super, bool interface) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (super->cf == NULL || !super->cf->is_sealed) return true;
    bool same_module = c->module == super->module,
         same_package = c->access_flags & ACC_PUBLIC || class_same_package(c, super);
    if (same_module && same_package && permits(super, c)) return true;
    const char *exception = "java/lang/IncompatibleClassChangeError";
    char *name = class_external_name(c), *super_name = class_external_name(super);
    char *loader = loader_name_and_id(c->loader), *super_loader = loader_name_and_id(super->loader);
    if (vm->library == LIBRARY_17) {
        const char *format = !interface        ? "class %s cannot inherit from sealed class %s"
                             : c->is_interface ? "class %s cannot extend sealed interface %s"
                                               : "class %s cannot implement sealed interface %s";
        log_trace(class_sealed, "Checking for permitted subclass of %s in %s", name ? name : "?",
                  super_name ? super_name : "?");
        throw_message(self, exception, format, name ? name : "?", super_name ? super_name : "?");
    } else if (!same_module) {
        const char *m = c->module->name ? c->module->name->bytes : "unnamed module",
                   *sm = super->module->name ? super->module->name->bytes : "unnamed module";
        throw_message(self, exception,
                      "Failed same module check: subclass %s is in module '%s' with loader %s, and sealed class %s is "
                      "in module '%s' with loader %s",
                      name ? name : "?", m, loader ? loader : "?", super_name ? super_name : "?", sm,
                      super_loader ? super_loader : "?");
    } else if (!same_package) {
        char *p = package_text(c), *sp = package_text(super);
        throw_message(self, exception,
                      "Failed same package check: non-public subclass %s is in package '%s' with classloader %s, and "
                      "sealed class %s is in package '%s' with classloader %s",
                      name ? name : "?", p ? p : "", loader ? loader : "?", super_name ? super_name : "?", sp ? sp : "",
                      super_loader ? super_loader : "?");
        mem_free(p);
        mem_free(sp);
    } else {
        throw_message(self, exception,
                      "Failed listed permitted subclass check: class %s is not a permitted subclass of %s",
                      name ? name : "?", super_name ? super_name : "?");
    }
    mem_free(name);
    mem_free(super_name);
    mem_free(loader);
    mem_free(super_loader);
    return false;
}

static struct class *load_super(struct os_thread *self, struct class *c, struct symbol *name, bool interface) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *s = class_load(self, name, c->loader);
    if (s == NULL) return NULL;
    if (interface != s->is_interface || (!interface && s->access_flags & ACC_FINAL)) {
        const char *exception = "java/lang/IncompatibleClassChangeError";
        char *own = class_external_name(c), *other = class_external_name(s),
             *where = class_in_module_of_loader(s, false);
        if (interface)
            throw_message(self, exception, "class %s can not implement %s, because it is not an interface (%s)",
                          own ? own : "?", other ? other : "?", where ? where : "?");
        else if (s->is_interface)
            throw_message(self, exception, "class %s has interface %s as super class", own ? own : "?",
                          other ? other : "?");
        else
            throw_message(self, exception, "class %s cannot inherit from final class %s", own ? own : "?",
                          other ? other : "?");
        mem_free(own);
        mem_free(other);
        mem_free(where);
        return NULL;
    }
    if (!check_sealed(self, c, s, interface)) return NULL;
    if (!class_can_access_class(c, s)) {
        throw_illegal_super_access(self, c, s, interface);
        return NULL;
    }
    return s;
}

static uint16_t class_modifiers(const struct classfile *cf, struct symbol *name) {
    uint16_t flags = cf->access_flags;
    uint16_t n = cf_inner_class_count(cf);
    for (uint16_t i = 0; i < n; i++) {
        struct cf_inner_class e = cf_inner_class_at(cf, i);
        if (e.inner_class != 0 && (e.inner_class == cf->this_class || cp_class_name(cf, e.inner_class) == name)) {
            flags = e.access_flags;
            break;
        }
    }
    return (uint16_t)(flags & ~ACC_SUPER & 0x7fff);
}

static void init_field(struct class *c, uint32_t i) {
    struct field *f = &c->fields[i];
    const struct cf_member *cf = &c->cf->fields[i];
    f->holder = c;
    f->name = cf_member_name(c->cf, cf);
    f->desc = cf_member_desc(c->cf, cf);
    f->cf = cf;
    f->access_flags = cf->access_flags;
    f->slot = (uint16_t)i;
    f->type = (uint8_t)basic_type_of_char(f->desc->bytes[0]);
}

/* The VM's own fields of a library class (known.def), behind the declared ones. */
static bool injected_fields(struct class *c, const struct known_injected *injected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct field *f = &c->fields[c->cf->field_count + i];
        f->holder = c;
        f->name = symbol_intern_cstr(injected[i].name);
        f->desc = symbol_intern_cstr(injected[i].desc);
        f->slot = (uint16_t)(c->cf->field_count + i);
        f->type = (uint8_t)basic_type_of_char(injected[i].desc[0]);
        f->access_flags = ACC_PRIVATE | ACC_SYNTHETIC;
        if (f->name == NULL || f->desc == NULL) return false;
    }
    return true;
}

void method_set_entry(struct method *m, enum method_entry entry) {
    m->entry = (uint8_t)entry;
    atomic_store_explicit(&m->compiled_entry, link_hooks.compiled_entry(entry), memory_order_release);
    atomic_store_explicit(&m->enter, link_hooks.entry(entry), memory_order_release);
}

void method_code_init_missing(struct class_version *v, uint32_t slot) {
    struct method_code *code = &v->codes[slot];
    code->method = class_method_at(v->class, slot);
    code->owner = v;
    code->cells = v->cells;
    code->max_locals = code->method->arg_slots;
    code->frame_slots = FRAME_RECORD_SLOTS;
}

void method_code_init(struct class_version *v, uint32_t slot, const struct cf_member *cf) {
    struct method_code *code = &v->codes[slot];
    code->method = class_method_at(v->class, slot);
    code->owner = v;
    code->member = cf;
    code->cells = v->cells;
    uint32_t arg_slots = cf->arg_slots + (cf->access_flags & ACC_STATIC ? 0u : 1u);
    code->max_locals = cf->code ? cf->code->max_locals : (uint16_t)arg_slots;
    code->max_stack = cf->code ? cf->code->max_stack : 0;
    code->frame_slots = FRAME_RECORD_SLOTS + code->max_stack;
    code->budget = cf->code ? vm->options->first_budget : 0;
    if (cf->access_flags & ACC_SYNCHRONIZED) code->uncommon |= CODE_SYNCHRONIZED;
}

struct class_version *class_version_new(struct class *c, struct classfile *cf, uint32_t slots, struct arena *arena,
                                        uint16_t number) {
    struct class_version *v = arena_alloc(arena, sizeof *v);
    if (v == NULL) return NULL;
    v->class = c;
    v->cf = cf;
    v->arena = arena;
    v->number = number;
    v->code_count = (uint16_t)slots;
    v->codes = arena_alloc(arena, (slots ? slots : 1) * sizeof *v->codes);
    v->cells = cf->cp.cells;
    return v->codes != NULL ? v : NULL;
}

void method_init(struct class *c, uint32_t slot, const struct classfile *in, const struct cf_member *cf) {
    struct method *m = class_method_at(c, slot);
    m->holder = c;
    m->name = cf_member_name(in, cf);
    m->desc = cf_member_desc(in, cf);
    m->access_flags = cf->access_flags;
    m->slot = (uint16_t)slot;
    m->vtable_index = m->itable_index = -1;
    m->arg_slots = (uint8_t)(cf->arg_slots + (cf->access_flags & ACC_STATIC ? 0 : 1));
    m->return_type = (uint8_t)basic_type_of_char(desc_symbol_return_kind(m->desc));
    bool is_native = cf->access_flags & ACC_NATIVE, is_abstract = cf->access_flags & ACC_ABSTRACT;
    method_set_entry(m, is_native ? ENTRY_NATIVE : is_abstract ? ENTRY_ABSTRACT : ENTRY_BYTECODE);
    if (cf->vm_flags & CF_CALLER_SENSITIVE) m->flags |= METHOD_CALLER_SENSITIVE;
    if (cf->vm_flags & CF_HIDDEN || c->is_hidden) m->flags |= METHOD_HIDDEN;
    const char *name = m->name->bytes;
    if (name[0] == '<' && strcmp(name, "<init>") == 0) m->flags |= METHOD_INIT;    /* most names need no call */
    if (name[0] == '<' && strcmp(name, "<clinit>") == 0) m->flags |= METHOD_CLINIT;
}

static void init_method(struct class *c, uint32_t i) {
    method_init(c, i, c->cf, &c->cf->methods[i]);
    method_code_init(c->version, i, &c->cf->methods[i]);
    c->methods[i].code = &c->version->codes[i];
}

static bool has_finalizer(struct class *c) {
    if (c->super == NULL) return false;  /* Object.finalize does nothing */
    if (!vm->options->finalization) return false;
    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];
        if (m->name->bytes[0] == 'f' && strcmp(m->name->bytes, "finalize") == 0 && strcmp(m->desc->bytes, "()V") == 0 &&
            !(m->access_flags & (ACC_STATIC | ACC_PRIVATE)))
            return !(code_source(m->code) != NULL && code_source(m->code)->code_length == 1);
    }
    return c->super->shape.has_finalizer;
}

static void set_kind(struct class *c) {
    const char *n = c->name->bytes;
    bool boot = c->loader == vm->boot_loader;
    c->shape.kind = c->super ? c->super->shape.kind : SHAPE_INSTANCE;
    c->shape.reference_kind = c->super ? c->super->shape.reference_kind : REF_NONE;
    if (c->is_interface) c->shape.kind = SHAPE_INSTANCE;
    if (!boot) return;
    if (strcmp(n, "java/lang/Class") == 0) c->shape.kind = SHAPE_MIRROR;
    else if (strcmp(n, "java/lang/ClassLoader") == 0) c->shape.kind = SHAPE_LOADER;
    else if (strcmp(n, "java/lang/ref/Reference") == 0) c->shape.kind = SHAPE_REFERENCE;
    else if (strcmp(n, "java/lang/ref/SoftReference") == 0) c->shape.reference_kind = REF_SOFT;
    else if (strcmp(n, "java/lang/ref/WeakReference") == 0) c->shape.reference_kind = REF_WEAK;
    else if (strcmp(n, "java/lang/ref/FinalReference") == 0) c->shape.reference_kind = REF_FINAL;
    else if (strcmp(n, "java/lang/ref/PhantomReference") == 0) c->shape.reference_kind = REF_PHANTOM;
}

static bool fill_members(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct arena *arena = class_arena(c);
    enum { MAX_INJECTED = 8 };
    struct known_injected injected[MAX_INJECTED];
    uint32_t extra = c->loader == vm->boot_loader ? known_injected(c->name->bytes, injected, MAX_INJECTED) : 0;
    c->field_count = c->cf->field_count + extra;
    c->method_count = c->cf->method_count;
    c->fields = c->field_count ? arena_alloc(arena, c->field_count * sizeof *c->fields) : NULL;
    c->methods = arena_alloc(arena, (c->method_count ? c->method_count : 1) * sizeof *c->methods);
    c->version = class_version_new(c, c->cf, c->method_count, arena, 0);
    bool ok = (c->fields != NULL || c->field_count == 0) && c->methods != NULL && c->version != NULL;
    for (uint32_t i = 0; ok && i < c->cf->field_count; i++) init_field(c, i);
    ok = ok && injected_fields(c, injected, extra);
    for (uint32_t i = 0; ok && i < c->method_count; i++) init_method(c, i);
    ok = ok && class_index_members(c);
    if (!ok) throw_out_of_memory(self, "class metadata");
    return ok;
}

static bool fill_hierarchy(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct classfile *cf = c->cf;
    if (cf->super_name != NULL && (c->super = load_super(self, c, cf->super_name, false)) == NULL) return false;
    c->interface_count = cf->interface_count;
    if (cf->interface_count == 0) return true;
    c->interfaces = arena_alloc(class_arena(c), cf->interface_count * sizeof *c->interfaces);
    if (c->interfaces == NULL) {
        throw_out_of_memory(self, "class metadata");
        return false;
    }
    for (uint16_t i = 0; i < cf->interface_count; i++) {
        c->interfaces[i] = load_super(self, c, cp_class_name(cf, cf_interface(cf, i)), true);
        if (c->interfaces[i] == NULL) return false;
    }
    return true;
}

void throw_duplicate_class(struct os_thread *self, struct loader *l, struct class *c) {
    char *name = class_external_name(c), *loader = loader_name_and_id(l), *where = class_module_and_loader(c, NULL);
    throw_message(self, "java/lang/LinkageError", "loader %s attempted duplicate %s definition for %s. (%s)",
                  loader ? loader : "?", c->is_interface ? "interface" : "class", name ? name : "?",
                  where ? where : "?");
    mem_free(name);
    mem_free(loader);
    mem_free(where);
}

static bool statics_and_mirror(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    class_take_id(c);
    if (c->statics_shape.instance_size != 0) c->statics_shape.id = class_id_new();
    if (c->shape.id == 0 || (c->statics_shape.instance_size != 0 && c->statics_shape.id == 0)) {
        metadata_exhausted(self);
        return false;
    }
    if (c->statics_shape.instance_size != 0) {
        shape_table[c->statics_shape.id] = &c->statics_shape;
        c->statics = heap_alloc_instance(self, &c->statics_shape);
        if (c->statics == NULL) return false;
    }
    /* The collector reads the shape of a mirror's class through its holder only; the id is published with the class.
     * Until then the statics object is reached from here. */
    uint64_t statics = slot_ref(c->statics);
    bool ok = make_mirror(self, c);
    thread_keep(&statics);
    return ok;
}

/* The name is the definer's, whatever the class file's own is (MethodHandleImpl.makeInjectedInvoker). */
static struct symbol *hidden_name(struct symbol *name, const void *unique) {
    char *text = mem_printf("%s+0x%016lx", name->bytes, (unsigned long)(uintptr_t)unique);
    struct symbol *s = text ? symbol_intern_cstr(text) : NULL;
    mem_free(text);
    return s;
}

/* Gives up a class that nobody has seen. Once it has objects their shapes have to stay as long as dead objects may be
 * walked: it waits in its holder for the end. An own holder has no object then: the next collection takes it. */
static struct class *abandon(struct class *c) {
    if (c->mirror == NULL && c->statics == NULL) {
        class_id_retire(c->shape.id, 0);
        class_id_retire(c->statics_shape.id, 0);
        if (c->version != NULL) resolution_errors_free(c->version);
        if (c->cf != NULL) classfile_release(c->cf);
        mem_free(c->initial_bytes);
        arena_free(c->arena);
        return NULL;
    }
    struct holder_record *h = (struct holder_record *)c->shape.holder;
    vm_assert(c->mirror == NULL || heap_is_object(c->mirror), "the mirror of a class that is given up has been freed");
    if (c->mirror != NULL) field_store(c->mirror, known_offset(Class_class), T_LONG, 0);
    h->object = h == &c->loader->holder ? h->object : NULL;
    c->mirror = c->statics = NULL;
    lock_acquire(&li()->table_lock);
    c->next_in_holder = h->failed;
    h->failed = c;
    lock_release(&li()->table_lock);
    return NULL;
}

/* The bytes to parse, in memory of the class's own unless they are mapped, and the class itself in an arena. NULL:
 * exception pending. */
static struct class *read_bytes(struct os_thread *self, struct loader *loader, const struct define_args *args,
                                struct span *out, bool *transformed) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class_file_hook h = {.loader = loader,
                                .protection_domain = args->protection_domain,
                                .name = args->name ? args->name->bytes : NULL,
                                .bytes = args->bytes,
                                .length = args->length};
    if (!args->hidden) probe_class_file_load(self, &h);
    *out = (struct span){h.bytes, h.length};
    *transformed = h.replaced != NULL;
    bool copied = *transformed || !args->bytes_are_mapped;
    struct arena *arena = arena_new_for("class", sizeof(struct class) + (copied ? ALIGN_UP(out->size, 8) : 0) +
                                                     classfile_head_room(out->data, out->size));
    struct class *c = arena ? arena_alloc(arena, sizeof *c) : NULL;
    if (c != NULL && copied)
        out->data = arena_dup(arena, out->data, out->size ? out->size : 1);
    mem_free(h.replaced);
    if (c == NULL || out->data == NULL) {
        mem_free(h.initial);
        arena_free(arena);
        throw_out_of_memory(self, "class metadata");
        return NULL;
    }
    c->arena = arena;
    c->initial_bytes = h.initial;
    c->initial_length = (uint32_t)h.initial_length;
    return c;
}

uint16_t class_newest_major(void) { return vm->library == LIBRARY_17 ? 61 : 69; }

struct cf_parse_args class_parse_args(struct loader *loader, struct span bytes, struct symbol *name) {
    bool boot = loader == vm->boot_loader, verified = boot ? vm->options->verify_local : vm->options->verify_remote;
    return (struct cf_parse_args){
        .bytes = bytes.data, .length = bytes.size, .max_major = class_newest_major(),
        .flags = (verified ? 0u : CF_TRUSTED) | (boot || loader->is_platform ? CF_VM_ANNOTATIONS : 0u)
                 | (vm->options->enable_preview ? CF_PREVIEW_ENABLED : 0u),
        .requested_name = name ? name->bytes : NULL, .expected_name = name,
        .room = sizeof(struct class_version), .method_room = sizeof(struct method_code),
    };
}

static void tell_of_preview(const struct classfile *cf) {
    char *name = log_enabled(LOG_class_preview, LOG_INFO) ? mem_strdup(cf->name->bytes) : NULL;
    if (name == NULL) return;
    for (char *s = name; (s = strchr(s, '/')) != NULL;) *s = '.';
    log_info(class_preview, "Loading class %s that depends on preview features (class file version %u.%u)", name,
             cf->major, cf->minor);
    mem_free(name);
}

/* Parses the class file and fills in what the file alone says. False: exception pending. */
static bool parse(struct os_thread *self, struct class *c, struct loader *loader, const struct define_args *args,
                  struct span bytes) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct cf_parse_args p = class_parse_args(loader, bytes, args->name);
    p.flags |= (args->vm_annotations ? CF_VM_ANNOTATIONS : 0u) | (args->hidden ? CF_HIDDEN_CLASS : 0u);
    p.room += sizeof(struct ref_span);
    p.interface_room = sizeof(struct class *);
    p.field_room = sizeof(struct field);
    p.method_room += sizeof(struct method);
    p.code_room = args->hidden;          /* most hidden classes are going to be linked, of others not so many */
    struct cf_error error;
    c->cf = classfile_parse(c->arena, &p, &error);
    if (c->cf == NULL) return throw_cf(self, &error);
    if (c->cf->minor == PREVIEW_MINOR && c->cf->major == p.max_major) tell_of_preview(c->cf);
    c->loader = loader;
    c->is_hidden = args->hidden;
    if (args->hidden) {
        struct symbol *name = hidden_name(args->name != NULL ? args->name : c->cf->name, c);
        if (name == NULL || !classfile_patch_class_name(c->cf, name)) {
            throw_out_of_memory(self, "symbol");
            return false;
        }
        symbol_release(name);
    }
    c->name = c->cf->name;
    c->access_flags = c->cf->access_flags & 0x7fff;
    c->modifiers = class_modifiers(c->cf, c->name);
    c->is_interface = (c->access_flags & ACC_INTERFACE) != 0;
    c->is_abstract = (c->access_flags & ACC_ABSTRACT) != 0;
    c->is_final = (c->access_flags & ACC_FINAL) != 0;
    c->basic_type = T_OBJECT;
    c->protection_domain = args->protection_domain;
    c->class_data_root = args->class_data;
    return true;
}

/* Package and module go by the name, of hidden classes too: the library itself gives them other packages than their
 * lookup class's, in a module of their own (MethodHandleProxies). */
static bool place(struct os_thread *self, struct class *c, const struct define_args *args) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!package_of_class(self, c)) return false;
    if (!args->nestmate) return true;
    struct class *host = class_nest_host(self, args->lookup);
    c->nest_host = host;
    return c->loader == vm->boot_loader || host == NULL || holder_add_root(self, c, host->mirror);
}

/* Only the boot and platform loaders define classes in java.*. */
static bool check_package_name(struct os_thread *self, struct class *c, const struct define_args *args) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (c->loader == vm->boot_loader || c->loader->is_platform || args->lookup != NULL ||
        strncmp(c->name->bytes, "java/", 5) != 0)
        return true;
    char *package = mem_strndup(c->name->bytes, (size_t)(strrchr(c->name->bytes, '/') - c->name->bytes));
    for (char *p = package; p != NULL && *p != '\0'; p++)
        if (*p == '/') *p = '.';
    throw_message(self, "java/lang/SecurityException", "Prohibited package name: %s", package ? package : "java");
    mem_free(package);
    return false;
}

/* Supertypes, members, layout, statics, mirror. */
static bool build(struct os_thread *self, struct class *c, const struct define_args *args) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    /* The order in which several faults show is HotSpot's: a missing or circular superclass, the package, what is wrong
     * with supertypes. */
    if (c->cf->super_name != NULL && class_load(self, c->cf->super_name, c->loader) == NULL) return false;
    if (!check_package_name(self, c, args) || !fill_hierarchy(self, c) || !fill_members(self, c) ||
        !set_supers(self, c))
        return false;
    set_kind(c);
    if (!layout_fields(self, c) || !layout_methods(self, c)) return false;
    if (c->loader == vm->boot_loader) known_note(c);
    c->shape.has_finalizer = has_finalizer(c);
    return statics_and_mirror(self, c);
}

/* Builds the class under a placeholder, by which a circular hierarchy is found, and enters it into the tables.
 * `mapped`: its bytes are the library's own. A tool that must know the class before anybody uses it is notified while
 * the threads that find it wait. */
static bool build_and_enter(struct os_thread *self, struct class *c, const struct define_args *args, bool mapped) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct placeholder mine = {.thread = self, .loader = c->loader, .name = c->name};
    lock_acquire(&li()->table_lock);
    placeholder_add(&mine);
    struct class *before = args->hidden ? NULL : dictionary_find(c->loader, c->name);
    lock_release(&li()->table_lock);
    bool duplicate = before != NULL && before->loader == c->loader;
    bool ok = !duplicate && build(self, c, args), reports = ok && probe_wanted(self, PROBE_class_defined);
    uint64_t mirror = slot_ref(c->mirror), statics = slot_ref(c->statics);
    struct class *other = NULL;
    struct class_report report;
    if (reports) class_report_begin(self, &report, c);
    if (ok) c->version->bytes_mapped = mapped;
    lock_acquire(&li()->table_lock);
    placeholder_remove(&mine);
    if (ok) {
        duplicate = !args->hidden && dictionary_find(c->loader, c->name) != NULL; /* another thread was faster */
        other = args->hidden || duplicate ? NULL : constraint_conflict(c->loader, c);
        ok = !duplicate && other == NULL;
    }
    if (ok) {
        if (c->loader == vm->boot_loader) link_hooks.bind_natives(c);
        ok = args->hidden || dictionary_enter(c->loader, c);
        if (ok) publish_class(c);
    }
    lock_release(&li()->table_lock);
    if (reports) {
        if (ok) probe_fire_class_defined(self, c);
        class_report_end(&report);
    }
    if (duplicate) throw_duplicate_class(self, c->loader, c);
    else if (other != NULL) throw_constraint_violated(self, c->loader, c, other);
    else if (!ok && self->exception == NULL) throw_out_of_memory(self, "class metadata");
    thread_keep(&mirror);                /* nobody else reaches them before it is entered; abandon() still does      */
    thread_keep(&statics);
    return ok;
}

struct class *class_define(struct os_thread *self, struct loader *loader, const struct define_args *args) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    /* The class file where it is copied, and about as much for what is made of it. */
    if (!metadata_reserve(self, sizeof(struct class) + args->length * (args->bytes_are_mapped ? 1 : 2))) return NULL;
    bool weak = args->hidden && !args->strong;
    struct holder_record *holder = weak ? holder_new(loader, NULL) : &loader->holder;
    if (holder == NULL) {
        throw_out_of_memory(self, "class metadata");
        return NULL;
    }
    holder->defining++;
    int64_t began = os_nanotime(), before = perf_get(PERF_CLASS_TIME);
    struct span bytes;
    bool ok = false, transformed = false;
    note_load(args->name, "");
    struct class *c = read_bytes(self, loader, args, &bytes, &transformed);
    if (c != NULL) {
        c->shape.holder = &holder->base;
        bool mapped = args->bytes_are_mapped && !transformed;
        ok = parse(self, c, loader, args, bytes) && place(self, c, args) && build_and_enter(self, c, args, mapped);
        if (ok && transformed) module_transformed(self, c->module);
        if (ok && weak) holder->object = c->mirror;
    }
    holder->defining--;
    /* Supertypes that were defined meanwhile have been counted. */
    perf_add(PERF_CLASS_TIME, MAX(os_nanotime() - began - (perf_get(PERF_CLASS_TIME) - before), INT64_C(0)));
    if (!ok) return c ? abandon(c) : NULL;
    thread_count_defined_class(self->java);
    note_load(args->name, " done");
    log_load(c, args);
    if (loader->object != NULL && !args->hidden) {
        struct method *add = class_method_cstr(known_class(java_lang_ClassLoader), "addClass", "(Ljava/lang/Class;)V");
        uint64_t call[2] = {slot_ref(loader->object), slot_ref(c->mirror)};
        if (!java_call(self, add, call, NULL)) return NULL;
    }
    probe_class_load(self, c);
    return c;
}

/* ---- arrays and primitives --------------------------------------------------------------------------------------- */

static unsigned shift_of(enum basic_type t) {
    switch (t) {
    case T_BOOLEAN: case T_BYTE: return 0;
    case T_CHAR: case T_SHORT: return 1;
    case T_LONG: case T_DOUBLE: return 3;
    default: return 2;
    }
}

struct class *class_array_of(struct os_thread *self, struct class *component) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *a = atomic_load_explicit(&component->array_class, memory_order_acquire);
    if (a != NULL) {
        class_report_wait(self, a);
        return a;
    }
    if (component->dimensions >= 255) {
        throw_message(self, "java/lang/IllegalArgumentException", "too many dimensions");
        return NULL;
    }
    struct array_record {
        struct class class;              /* first: freeing the class frees the record */
        struct class *interfaces[2];
    } *record = mem_zalloc(sizeof *record);
    a = &record->class;
    char *name = NULL;
    if (class_is_primitive(component)) name = mem_printf("[%c", "????ZCFDBSIJ??V"[component->basic_type]);
    else if (class_is_array(component)) name = mem_printf("[%s", component->name->bytes);
    else name = mem_printf("[L%s;", component->name->bytes);
    struct symbol *symbol = name ? symbol_intern_cstr(name) : NULL;
    mem_free(name);
    if (record == NULL || symbol == NULL) {
        mem_free(record);
        symbol_release(symbol);
        throw_out_of_memory(self, "class metadata");
        return NULL;
    }
    struct class *object = vm->link->classes[KC_java_lang_Object],
                 *cloneable = vm->link->classes[KC_java_lang_Cloneable],
                 *serializable = vm->link->classes[KC_java_io_Serializable];
    a->shape.holder = component->shape.holder;
    a->shape.kind = class_is_primitive(component) ? SHAPE_PRIM_ARRAY : SHAPE_REF_ARRAY;
    a->shape.element_shift = (uint8_t)(class_is_primitive(component) ? shift_of((enum basic_type)component->basic_type)
                                                                     : 2);
    a->name = symbol;
    a->super = object;
    a->loader = component->loader;
    a->component = component;
    const struct class *element = class_element(component);
    a->dimensions = component->dimensions + 1;
    a->basic_type = T_ARRAY;
    a->is_final = a->is_abstract = true;
    a->access_flags = a->modifiers = (uint16_t)((element->modifiers & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED)) |
                                                ACC_FINAL | ACC_ABSTRACT);
    a->access_flags &= (uint16_t)~(ACC_PRIVATE | ACC_PROTECTED);
    if (element->modifiers & ACC_PROTECTED) a->access_flags |= ACC_PUBLIC;
    a->module = element->module;
    a->package = element->package;
    a->depth = 1;
    a->display[0] = object;
    a->display[1] = a;
    a->interfaces = record->interfaces;
    a->interfaces[0] = cloneable;
    a->interfaces[1] = serializable;
    a->interface_count = a->secondary_count = 2;
    a->secondary = a->interfaces;
    a->vtable = object->vtable;
    a->vtable_length = object->vtable_length;
    a->state = CLASS_INITIALIZED;
    if (!statics_and_mirror(self, a)) return NULL;
    uint64_t mirror = slot_ref(a->mirror);
    /* anewarray finds the class without waiting here; but what tools learn of its objects is the component. */
    bool reports = probe_wanted(self, PROBE_array_class_load);
    struct class_report report;
    if (reports) class_report_begin(self, &report, a);
    lock_acquire(&li()->table_lock);
    struct class *winner = atomic_load(&component->array_class);
    if (winner == NULL) {
        publish_class(a);
        atomic_store_explicit(&component->array_class, a, memory_order_release);
        winner = a;
    }
    lock_release(&li()->table_lock);
    thread_keep(&mirror);                /* nobody else reaches it before the class is entered                       */
    if (reports) {
        if (winner == a) probe_fire_array_class_load(self, a);
        class_report_end(&report);
    }
    if (winner != a) class_report_wait(self, winner);
    return winner;
}

/* NULL: no memory, or no address space for the table of classes. */
static struct class *make_primitive(enum basic_type type, const char *name) {
    struct class *c = arena_alloc(vm->boot_loader->holder.arena, sizeof *c);
    if (c == NULL || !class_take_id(c)) return NULL;
    c->shape.kind = SHAPE_PRIMITIVE;
    c->shape.holder = &vm->boot_loader->holder.base;
    c->name = symbol_intern_cstr(name);
    c->loader = vm->boot_loader;
    c->basic_type = (uint8_t)type;
    c->access_flags = c->modifiers = ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT;
    c->is_final = c->is_abstract = true;
    c->state = CLASS_INITIALIZED;
    c->interfaces = c->secondary = NULL;
    publish_class(c);
    vm->link->primitives[type] = c;
    return c;
}

struct class *class_primitive(enum basic_type type) { return vm->link->primitives[type]; }

/* Object, its array helpers and java.lang.Class have to exist before anything has a mirror. */
bool classes_bootstrap(struct os_thread *self, char **error) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    static const struct { enum basic_type type; const char *name; } primitives[] = {
        {T_BOOLEAN, "boolean"}, {T_CHAR, "char"}, {T_FLOAT, "float"}, {T_DOUBLE, "double"}, {T_BYTE, "byte"},
        {T_SHORT, "short"}, {T_INT, "int"}, {T_LONG, "long"}, {T_VOID, "void"},
    };
    for (size_t i = 0; i < ARRAY_LEN(primitives); i++)
        if (make_primitive(primitives[i].type, primitives[i].name) == NULL)
            return *error = mem_strdup("Could not reserve enough space for the table of classes"), false;
    (void)self;
    return true;
}
