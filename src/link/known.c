/* known.c — start-up of the room: boot loader, first classes, and the check of every known member against the library
 * found. */
#include "heap/heap.h"
#include "link/link_internal.h"

enum { BOTH = 0, ONLY_17 = 17, ONLY_25 = 25 };

static const struct { const char *id, *name; int library; bool late; } classes[] = {
#define KNOWN_CLASS(id, name, library) {#id, name, library, false},
#define KNOWN_LATE_CLASS(id, name, library) {#id, name, library, true},
#include "link/known.def"
};
enum field_kind { DECLARED, DECLARED_STATIC, INJECTED, INJECTED_IN_17 };
static const struct {
    enum known_class class;
    const char *id, *name, *desc;
    int library;
    enum field_kind kind;
} fields[] = {
#define KNOWN_FIELD(id, class, name, desc, library) {KC_##class, #id, name, desc, library, DECLARED},
#define KNOWN_STATIC(id, class, name, desc, library) {KC_##class, #id, name, desc, library, DECLARED_STATIC},
#define KNOWN_INJECTED(id, class, desc, library) {KC_##class, #id, #id, desc, library, INJECTED},
#define KNOWN_INJECTED_IN_17(id, class, name, desc) {KC_##class, #id, name, desc, BOTH, INJECTED_IN_17},
#include "link/known.def"
};
static const struct { enum known_class class; const char *name, *desc; int library; } methods[] = {
#define KNOWN_METHOD(id, class, name, desc, library) {KC_##class, name, desc, library},
#include "link/known.def"
    {KC_java_lang_Object, NULL, NULL, BOTH}
};

static bool here(int library) { return library == BOTH || library == (int)vm->library; }
static bool is_injected(size_t i) {
    return here(fields[i].library) &&
           (fields[i].kind == INJECTED || (fields[i].kind == INJECTED_IN_17 && vm->library == LIBRARY_17));
}

uint32_t known_injected(const char *class_name, struct known_injected *out, uint32_t max) {
    uint32_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(fields) && n < max; i++)
        if (is_injected(i) && strcmp(classes[fields[i].class].name, class_name) == 0)
            out[n++] = (struct known_injected){(int)i, fields[i].name, fields[i].desc};
    return n;
}

static bool missing(char **error, const char *what, const char *class, const char *member, const char *desc) {
    *error = mem_printf("The class library in %s (JDK %d) does not fit this VM: %s %s%s%s%s%s is missing",
                        vm->java_home, (int)vm->library, what, class, member ? "." : "", member ? member : "",
                        desc ? " " : "", desc ? desc : "");
    return false;
}

static struct field *find_declared(struct class *c, size_t row) {
    for (uint32_t f = 0; f < c->cf->field_count; f++)
        if (strcmp(c->fields[f].name->bytes, fields[row].name) == 0 &&
            strcmp(c->fields[f].desc->bytes, fields[row].desc) == 0 &&
            ((c->fields[f].access_flags & ACC_STATIC) != 0) == (fields[row].kind == DECLARED_STATIC))
            return &c->fields[f];
    return NULL;
}

/* Offsets of the known fields of class `k`; the first row that is missing, or -1. */
static int find_fields(enum known_class k) {
    struct class *c = vm->link->classes[k];
    uint32_t injected = 0;
    int first_missing = -1;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        if (fields[i].class != k || !here(fields[i].library)) continue;
        struct field *found = is_injected(i) ? &c->fields[c->cf->field_count + injected++] : find_declared(c, i);
        if (found == NULL) {
            if (first_missing < 0) first_missing = (int)i;
            continue;
        }
        vm->link->offsets[i] = found->offset;
        vm->link->field_holders[i] = c;
    }
    return first_missing;
}

void known_note(struct class *c) {
    for (int k = 0; k < KC_COUNT; k++) {
        if ((vm->link->classes[k] != NULL && !classes[k].late) || !here(classes[k].library) ||
            strcmp(classes[k].name, c->name->bytes) != 0)
            continue;
        vm->link->classes[k] = c;
        find_fields((enum known_class)k);
    }
}

static bool load(struct os_thread *self, enum known_class k, char **error) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, classes[k].name);
    if (c == NULL) return missing(error, "class", classes[k].name, NULL, NULL);
    vm->link->classes[k] = c;
    int row = find_fields(k);
    return row < 0 || missing(error, fields[row].kind == DECLARED_STATIC ? "static field" : "field", c->name->bytes,
                              fields[row].name, fields[row].desc);
}

bool known_load(struct os_thread *self, char **error) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (int k = 0; k < KC_COUNT; k++)
        if (here(classes[k].library) && !classes[k].late && !load(self, (enum known_class)k, error)) return false;
    for (size_t i = 0; i + 1 < ARRAY_LEN(methods); i++) {
        if (!here(methods[i].library)) continue;
        struct class *c = vm->link->classes[methods[i].class];
        vm->link->methods[i] = class_method_cstr(c, methods[i].name, methods[i].desc);
        if (vm->link->methods[i] == NULL)
            return missing(error, "method", c->name->bytes, methods[i].name, methods[i].desc);
    }
    return true;
}

static bool mirror_one(void *arg, struct class *c) {
    struct os_thread *self = arg;
    if (c->mirror == NULL) make_mirror(self, c);
    return self->exception == NULL;
}

static void reference_layout(void) {
    struct heap_reference_layout l = {
        .referent = known_offset(Reference_referent), .next = known_offset(Reference_next),
        .discovered = known_offset(Reference_discovered),
        .queue = known_offset(Reference_queue), .soft_timestamp = known_offset(SoftReference_timestamp),
        .soft_clock = (int64_t *)((char *)known_statics(SoftReference_clock) + known_offset(SoftReference_clock)),
    };
    heap_set_reference_layout(&l);
}

void link_wake_waiters(void) {
    if (vm->link != NULL) cond_notify_all(&li()->init_cond);
}

static bool create_internal(char **error) {
    struct link_state *s = mem_zalloc(sizeof *s);
    struct link_internal *i = s ? mem_zalloc(sizeof *i) : NULL;
    if (i == NULL) return *error = mem_strdup("Out of memory"), false;
    vm->link = s;
    s->internal = i;
    lock_init(&i->table_lock, "class tables", LOCK_RANK_LOADER);
    lock_init(&i->init_lock, "class states", LOCK_RANK_CLASS_STATE);
    lock_init(&i->module_lock, "modules", LOCK_RANK_MODULE);
    vm->boot_loader = loader_new(NULL);
    if (vm->boot_loader == NULL || !strings_create()) return *error = mem_strdup("Out of memory"), false;
    i->holders = &vm->boot_loader->holder.base;
    i->loaders = vm->boot_loader;
    metadata_set_mark();
    return boot_path_create(error);
}

/* clone, equals, finalize, hashCode, toString: an Object with fewer is somebody's own. */
enum { OBJECT_METHODS = 5 };

bool link_create(struct os_thread *self, char **error) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!create_internal(error)) return false;
    if (!classes_bootstrap(self, error)) return false;
    /* Object first, then what arrays need, then Class: from there on every class gets its mirror when it is defined. */
    static const enum known_class first[] = {KC_java_lang_Object, KC_java_lang_Cloneable, KC_java_io_Serializable,
                                             KC_java_lang_Class};
    for (size_t i = 0; i < ARRAY_LEN(first); i++) {
        if (!load(self, first[i], error)) return false;
        if (known_class(java_lang_Object)->vtable_length < OBJECT_METHODS)
            return *error = mem_strdup("Incompatible definition of java.lang.Object"), false;
    }
    class_walk_all(mirror_one, self);
    if (self->exception != NULL) return *error = mem_strdup("Out of memory"), false;
    for (int t = T_BOOLEAN; t <= T_LONG; t++) {
        vm->link->primitive_arrays[t] = class_array_of(self, vm->link->primitives[t]);
        if (vm->link->primitive_arrays[t] == NULL) return *error = mem_strdup("Out of memory"), false;
    }
    if (!known_load(self, error)) return false;
    reference_layout();
    vm->link->out_of_memory_errors[0] = heap_alloc_instance(self, &known_class(java_lang_OutOfMemoryError)->shape);
    vm->link->stack_overflow_error = heap_alloc_instance(self, &known_class(java_lang_StackOverflowError)->shape);
    if (vm->link->stack_overflow_error == NULL) return false;
    return arena_total() <= metadata_limit() || (*error = mem_strdup("OutOfMemoryError: Metaspace"), false);
}
