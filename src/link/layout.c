/* layout.c — where fields lie, and which method a vtable or itable slot runs. JVMS 5.4.5, 5.4.6. */
#include "heap/heap.h"
#include "link/link_internal.h"
#include "link/resolve_internal.h"

#include <stdlib.h>

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static size_t type_size(uint8_t t) { return basic_type_size((enum basic_type)t); }

/* Gives each of `n` fields (listed by index) an offset from `*end` on: eights aligned, small ones filling the gap
 * before them, references together so that they make one span. */
static void assign(struct field **fields, uint32_t n, uint32_t *end) {
    uint32_t at = *end;
    static const uint8_t order[] = {8, 4, 0 /* references */, 2, 1};
    bool any_eight = false;
    for (uint32_t i = 0; i < n; i++) any_eight |= type_size(fields[i]->type) == 8;
    if (any_eight && at % 8 != 0) {      /* fill up to the boundary with what fits: prefer non-references */
        for (int pass = 0; pass < 2 && at % 8 != 0; pass++) {
            for (unsigned size = 4; size >= 1 && at % 8 != 0; size /= 2) {
                for (uint32_t i = 0; i < n && at % 8 != 0; i++) {
                    bool ref = fields[i]->type == T_OBJECT || fields[i]->type == T_ARRAY;
                    if (fields[i]->offset != 0 || type_size(fields[i]->type) != size || at % size != 0 ||
                        ref != (pass == 1))
                        continue;
                    fields[i]->offset = at;
                    at += size;
                }
            }
        }
        at = ALIGN_UP(at, 8u);
    }
    for (size_t k = 0; k < ARRAY_LEN(order); k++) {
        for (uint32_t i = 0; i < n; i++) {
            bool ref = fields[i]->type == T_OBJECT || fields[i]->type == T_ARRAY;
            if (fields[i]->offset != 0 || (order[k] == 0 ? !ref : ref || type_size(fields[i]->type) != order[k]))
                continue;
            uint32_t size = (uint32_t)type_size(fields[i]->type);
            at = ALIGN_UP(at, size);
            fields[i]->offset = at;
            at += size;
        }
    }
    *end = at;
}

static int by_offset(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Spans of the reference fields among `fields`, behind `inherited` ones. */
static bool make_spans(struct arena *arena, struct field **fields, uint32_t n, const struct shape *inherited,
                       struct shape *out, const struct class *c) {
    uint32_t refs = 0;
    uint32_t *offsets = mem_alloc((n + 1) * sizeof *offsets);
    if (offsets == NULL) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (fields[i]->type != T_OBJECT && fields[i]->type != T_ARRAY) continue;
        /* The collector treats a Reference's referent and discovered itself. */
        if (c != NULL && strcmp(c->name->bytes, "java/lang/ref/Reference") == 0
            && (strcmp(fields[i]->name->bytes, "referent") == 0 || strcmp(fields[i]->name->bytes, "discovered") == 0))
            continue;
        offsets[refs++] = fields[i]->offset;
    }
    qsort(offsets, refs, sizeof *offsets, by_offset);
    uint32_t base = inherited ? inherited->span_count : 0;
    if (refs == 0) {
        out->spans = inherited ? inherited->spans : NULL;
        out->span_count = base;
        mem_free(offsets);
        return true;
    }
    struct ref_span *spans = arena_alloc_last(arena, (base + refs) * sizeof *spans);
    if (spans == NULL) {
        mem_free(offsets);
        return false;
    }
    if (base != 0) memcpy(spans, inherited->spans, base * sizeof *spans);
    uint32_t k = base;
    for (uint32_t i = 0; i < refs; i++) {
        if (k > 0 && spans[k - 1].offset + spans[k - 1].count * sizeof(ref_t) == offsets[i]) spans[k - 1].count++;
        else spans[k++] = (struct ref_span){offsets[i], 1};
    }
    out->spans = spans;
    out->span_count = k;
    mem_free(offsets);
    return true;
}

bool layout_fields(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct field **instance = mem_alloc((c->field_count + 1) * sizeof *instance),
                 **statics = mem_alloc((c->field_count + 1) * sizeof *statics);
    uint32_t ni = 0, ns = 0;
    bool ok = instance != NULL && statics != NULL;
    for (uint32_t i = 0; ok && i < c->field_count; i++) {
        struct field *f = &c->fields[i];
        f->offset = 0;
        if (f->access_flags & ACC_STATIC) statics[ns++] = f;
        else instance[ni++] = f;
    }
    if (ok && !c->is_interface) {
        uint32_t end = c->super ? c->super->fields_end : OBJECT_HEADER;
        assign(instance, ni, &end);
        c->fields_end = end;
        c->shape.instance_size = MAX(ALIGN_UP(end, (uint32_t)OBJECT_ALIGN), (uint32_t)OBJECT_MIN);
        ok = make_spans(class_arena(c), instance, ni, c->super ? &c->super->shape : NULL, &c->shape, c);
    }
    if (ok && ns > 0) {
        uint32_t end = OBJECT_HEADER;
        assign(statics, ns, &end);
        c->statics_shape.kind = SHAPE_STATICS;
        c->statics_shape.holder = c->shape.holder;
        c->statics_shape.instance_size = MAX(ALIGN_UP(end, (uint32_t)OBJECT_ALIGN), (uint32_t)OBJECT_MIN);
        ok = make_spans(class_arena(c), statics, ns, NULL, &c->statics_shape, NULL);
    }
    mem_free(instance);
    mem_free(statics);
    if (!ok) throw_out_of_memory(self, "class metadata");
    return ok;
}

/* ---- methods by name and descriptor, for one computation --------------------------------------------------------- */

struct method_map {
    uint32_t *heads, *next;
    struct method ***slots;              /* the vtable                                                   */
    uint32_t mask, count;
};

static uint32_t key_hash(const struct symbol *name, const struct symbol *desc) {
    return (uint32_t)(((uintptr_t)name >> 4) * 31 + ((uintptr_t)desc >> 4)) * 2654435761u >> 7;
}

static bool map_create(struct method_map *map, uint32_t capacity) {
    uint32_t size = 16;
    while (size < capacity) size *= 2;
    map->heads = mem_zalloc(size * sizeof *map->heads);
    map->next = mem_alloc((capacity + 1) * sizeof *map->next);
    map->mask = size - 1;
    map->count = 0;
    return map->heads != NULL && map->next != NULL;
}
static void map_add(struct method_map *map, uint32_t slot, const struct method *m) {
    uint32_t h = key_hash(m->name, m->desc) & map->mask;
    map->next[slot] = map->heads[h];
    map->heads[h] = slot + 1;
}
static void map_free(struct method_map *map) {
    mem_free(map->heads);
    mem_free(map->next);
}

static bool in_vtable(const struct method *m) {
    return !(m->access_flags & (ACC_STATIC | ACC_PRIVATE)) && !(m->flags & (METHOD_INIT | METHOD_CLINIT));
}

/* Does a method of c override the superclass method `sm` of the same name and descriptor (JVMS 5.4.5)? */
static bool overrides(const struct class *c, const struct method *sm) {
    if (sm->access_flags & (ACC_PUBLIC | ACC_PROTECTED)) return true;
    if (sm->access_flags & ACC_PRIVATE) return false;
    return class_same_package(c, sm->holder);
}

/* The same for what stands in a slot of the superclass's vtable: from version 51 on also if it overrides a method there
 * that the class's method overrides. */
static bool overrides_slot(const struct class *c, uint32_t slot) {
    for (const struct class *k = c->super; k != NULL && slot < k->vtable_length; k = k->super) {
        if (overrides(c, k->vtable[slot])) return true;
        if (c->cf->major < 51) break;
    }
    return false;
}

static void throw_overrides_final(struct os_thread *self, struct class *c, struct method *m, struct method *sm) {
    REQUIRES(IN_VM);
    char *name = class_external_name(c), *holder = class_external_name(sm->holder);
    throw_message(self,
                  vm->library == LIBRARY_17 ? "java/lang/IncompatibleClassChangeError"
                                            : "java/lang/IncompatibleClassChangeError",
                  "class %s overrides final method %s.%s%s", name ? name : "?", holder ? holder : "?", m->name->bytes,
                  m->desc->bytes);
    mem_free(name);
    mem_free(holder);
}

/* ---- interface methods ------------------------------------------------------------------------------------------- */

/* All superinterfaces of c, each once, superclasses' first. NULL: no memory. */
static struct class **all_interfaces(struct class *c, uint32_t *count) {
    VEC(struct class *) list = {0};
    bool ok = true;
    if (c->super != NULL)
        for (uint32_t i = 0; ok && i < c->super->secondary_count; i++)
            if (c->super->secondary[i]->is_interface) ok = vec_push(&list, c->super->secondary[i]);
    for (uint32_t k = 0; ok && k < c->interface_count; k++) {
        struct class *direct = c->interfaces[k];
        for (uint32_t i = 0; ok && i <= direct->secondary_count; i++) {
            struct class *one = i < direct->secondary_count ? direct->secondary[i] : direct;
            bool known = !one->is_interface;
            for (size_t j = 0; !known && j < list.count; j++) known = list.data[j] == one;
            if (!known) ok = vec_push(&list, one);
        }
    }
    *count = (uint32_t)list.count;
    if (!ok) {
        vec_free(&list);
        return NULL;
    }
    return list.data ? list.data : mem_alloc(1);
}

/* The method that interfaces[i] declares unless one of its subinterfaces among them declares it too; else NULL. */
static struct method *maximal(struct class **interfaces, uint32_t n, uint32_t i, struct symbol *name,
                              struct symbol *desc) {
    struct method *m = class_find_method(interfaces[i], name, desc);
    if (m == NULL || m->access_flags & (ACC_STATIC | ACC_PRIVATE)) return NULL;
    for (uint32_t j = 0; j < n; j++) {
        if (j == i || !class_is_subtype(interfaces[j], interfaces[i])) continue;
        struct method *other = class_find_method(interfaces[j], name, desc);
        if (other != NULL && !(other->access_flags & (ACC_STATIC | ACC_PRIVATE))) return NULL;
    }
    return m;
}

/* The maximally-specific method for name and desc among the interfaces (JVMS 5.4.3.3): the one non-abstract candidate,
 * else any abstract one; *conflict when there are several non-abstract ones. NULL: none declares it. */
static struct method *most_specific(struct class **interfaces, uint32_t n, struct symbol *name, struct symbol *desc,
                                    bool *conflict) {
    struct method *best = NULL, *abstract = NULL;
    *conflict = false;
    for (uint32_t i = 0; i < n; i++) {
        struct method *m = maximal(interfaces, n, i, name, desc);
        if (m == NULL) continue;
        if (m->access_flags & ACC_ABSTRACT) abstract = abstract ? abstract : m;
        else if (best != NULL) *conflict = true;
        else best = m;
    }
    return best ? best : abstract;
}

static struct method *fill_miranda(struct miranda *made, const struct method *m, uint32_t slot) {
    struct method *proxy = &made->method;
    *proxy = *m;
    proxy->vtable_index = (int32_t)slot;
    proxy->flags |= METHOD_MIRANDA;
    return proxy;
}

/* Adds a copy of m to the mirandas of a class that nobody else sees. NULL: out of memory. */
static struct method *copy_method(struct class *c, struct method *m, uint32_t slot) {
    struct miranda *made = arena_alloc(class_arena(c), sizeof *made);
    if (made == NULL) return NULL;
    made->next = atomic_load_explicit(&c->mirandas, memory_order_relaxed);
    atomic_store_explicit(&c->mirandas, made, memory_order_relaxed);
    return fill_miranda(made, m, slot);
}

/* Turns a copy of a method into one that cannot be entered: `entry` says what is thrown. NULL: out of memory. */
static struct method *unenterable(struct class *c, struct method *proxy, enum method_entry entry) {
    struct method_code *code = arena_alloc(class_arena(c), sizeof *code);
    if (code == NULL) return NULL;
    *code = *atomic_load(&proxy->code);
    code->method = proxy;
    code->uncommon = 0;
    code->budget = 0;
    proxy->code = code;
    method_set_entry(proxy, entry);
    return proxy;
}

/* native_data of such a method is the list of what is in conflict: "p/I.m p/J.m". */
static struct method *conflict_method(struct class *c, struct method *proxy, struct class **interfaces, uint32_t n) {
    char *list = mem_strdup("");
    for (uint32_t i = 0; i < n && list != NULL; i++) {
        struct method *m = maximal(interfaces, n, i, proxy->name, proxy->desc);
        if (m == NULL || m->access_flags & ACC_ABSTRACT) continue;
        char *longer = mem_printf("%s%s%s.%s", list, *list ? " " : "", interfaces[i]->name->bytes, m->name->bytes);
        mem_free(list);
        list = longer;
    }
    proxy->native_data = list ? arena_strndup(class_arena(c), list, strlen(list)) : NULL;
    mem_free(list);
    return unenterable(c, proxy, ENTRY_CONFLICT);
}

static struct method *find_miranda(struct class *c, const struct symbol *name, const struct symbol *desc) {
    for (struct miranda *k = atomic_load_explicit(&c->mirandas, memory_order_acquire); k != NULL; k = k->next)
        if (k->method.name == name && k->method.desc == desc) return &k->method;
    return NULL;
}

/* The class of c's chain that gave the vtable slot to a method of an interface; *slot is the slot. NULL: none did. */
static struct class *miranda_owner(struct class *c, const struct symbol *name, const struct symbol *desc,
                                   uint32_t *slot) {
    for (; c != NULL; c = c->super)
        for (uint32_t i = 0; i < c->vtable_length; i++) {
            const struct method *m = c->vtable[i];
            if (m->name != name || m->desc != desc || !m->holder->is_interface) continue;
            *slot = i;
            while (c->super != NULL && i < c->super->vtable_length && c->super->vtable[i] == m) c = c->super;
            return c;
        }
    return NULL;
}

struct method *class_miranda(struct os_thread *self, struct class *c, struct symbol *name, struct symbol *desc) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint32_t slot;
    struct class *owner = miranda_owner(c, name, desc, &slot);
    struct method *found = owner != NULL ? find_miranda(owner, name, desc) : NULL;
    if (owner == NULL || found != NULL) return found;
    struct miranda *made = holder_alloc(owner, sizeof *made);
    if (made == NULL) {
        throw_out_of_memory(self, "class metadata");
        return NULL;
    }
    fill_miranda(made, owner->vtable[slot], slot);
    lock_acquire(&li()->table_lock);
    found = find_miranda(owner, name, desc);       /* another thread was faster */
    if (found == NULL) {
        made->next = atomic_load_explicit(&owner->mirandas, memory_order_relaxed);
        atomic_store_explicit(&owner->mirandas, made, memory_order_release);
        found = &made->method;
    }
    lock_release(&li()->table_lock);
    return found;
}

static bool layout_interface(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->method_count; i++)
        if (in_vtable(&c->methods[i])) n++;
    c->itable_methods = n != 0 ? arena_alloc(class_arena(c), n * sizeof *c->itable_methods) : NULL;
    if (n != 0 && c->itable_methods == NULL) {
        throw_out_of_memory(self, "class metadata");
        return false;
    }
    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];
        if (!in_vtable(m)) continue;
        m->itable_index = (int32_t)c->itable_methods_count;
        c->itable_methods[c->itable_methods_count++] = m;
    }
    c->vtable = c->super->vtable;
    c->vtable_length = c->super->vtable_length;
    return true;
}

/* What invokeinterface throws instead of calling the selected method m; ENTRY_UNLINKED: nothing. */
static enum method_entry interface_refusal(const struct method *m) {
    if (!(m->access_flags & ACC_PUBLIC)) return ENTRY_NOT_PUBLIC;
    /* conflicts are none to 17's itables */
    return m->entry == ENTRY_CONFLICT && vm->library == LIBRARY_17 ? ENTRY_ABSTRACT : ENTRY_UNLINKED;
}

/* A class's method table in the making. */
struct method_layout {
    struct class *c;
    struct class **interfaces;           /* all of them */
    uint32_t interface_count;
    struct method **table;               /* the vtable to be; the first `inherited` places are the superclass's */
    uint32_t length, inherited;
    struct method_map map;               /* the places by name and descriptor */
    struct method **rows;                /* of the itables, one behind the other */
};

static bool out_of_metadata(struct os_thread *self) {
    REQUIRES(IN_VM);
    throw_out_of_memory(self, "class metadata");
    return false;
}

/* Room for all that may come, and the superclass's part of it. */
static bool begin_layout(struct os_thread *self, struct method_layout *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = l->c;
    l->inherited = l->length = c->super ? c->super->vtable_length : 0;
    l->interfaces = all_interfaces(c, &l->interface_count);
    if (l->interfaces == NULL) return out_of_metadata(self);
    uint32_t of_interfaces = 0;
    for (uint32_t i = 0; i < l->interface_count; i++) of_interfaces += l->interfaces[i]->itable_methods_count;
    uint32_t most = l->inherited + c->method_count + of_interfaces;
    l->table = mem_alloc(((size_t)most + of_interfaces + 1) * sizeof *l->table);
    l->rows = l->table != NULL ? l->table + most : NULL;
    if (l->table == NULL || !map_create(&l->map, most)) return out_of_metadata(self);
    for (uint32_t i = 0; i < l->inherited; i++) {
        l->table[i] = c->super->vtable[i];
        map_add(&l->map, i, l->table[i]);
    }
    return true;
}

static void append(struct method_layout *l, struct method *m, const struct method *key) {
    l->table[l->length] = m;
    map_add(&l->map, l->length++, key);
}

/* Methods that the class declares take the places of those that they override (JVMS 5.4.5), and new ones. */
static bool place_declared(struct os_thread *self, struct method_layout *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = l->c;
    for (uint32_t k = 0; k < c->method_count; k++) {
        struct method *m = &c->methods[k];
        if (!in_vtable(m)) continue;
        uint32_t h = key_hash(m->name, m->desc) & l->map.mask;
        for (uint32_t e = l->map.heads[h]; e != 0; e = l->map.next[e - 1]) {
            struct method *sm = l->table[e - 1];
            if (e > l->inherited || sm->name != m->name || sm->desc != m->desc || !overrides_slot(c, e - 1)) continue;
            if (sm->access_flags & ACC_FINAL && !sm->holder->is_interface && overrides(c, sm)) {
                throw_overrides_final(self, c, m, sm);
                return false;
            }
            l->table[e - 1] = m;
            if (m->vtable_index < 0) m->vtable_index = (int32_t)(e - 1);
        }
        /* Final ones too: interface selection has to find them. And those that only the package sees: others override
         * them than what they override themselves. */
        if (m->vtable_index < 0 || !(m->access_flags & (ACC_PUBLIC | ACC_PROTECTED))) {
            m->vtable_index = (int32_t)l->length;
            append(l, m, m);
        }
    }
    return true;
}

/* The place (from 1) of the method that a call of im selects, as far as the table knows; a public one, or one of an
 * interface where `interfaces_count` says so, before others. 0: none. */
static uint32_t find_place(const struct method_layout *l, const struct method *im, bool interfaces_count) {
    uint32_t h = key_hash(im->name, im->desc) & l->map.mask, found = 0;
    for (uint32_t e = l->map.heads[h]; e != 0; e = l->map.next[e - 1]) {
        const struct method *m = l->table[e - 1];
        if (m->name == im->name && m->desc == im->desc
            && (found == 0 || m->access_flags & ACC_PUBLIC || (interfaces_count && m->holder->is_interface)))
            found = e;
    }
    return found;
}

/* An interface method that no class in the chain declares: a default, an abstract one, a conflict. */
static bool place_interface_method(struct os_thread *self, struct method_layout *l, const struct method *im) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint32_t found = find_place(l, im, true);
    if (found != 0 && !l->table[found - 1]->holder->is_interface) return true; /* a class method wins */
    bool conflict;
    struct method *selected = most_specific(l->interfaces, l->interface_count, im->name, im->desc, &conflict);
    uint32_t slot = found != 0 ? found - 1 : l->length;
    /* made here, or the same as before */
    if (found != 0 && (slot >= l->inherited || (l->table[slot] == selected && !conflict))) return true;
    struct method *placed = selected;
    if (conflict) {
        struct method *proxy = copy_method(l->c, selected, slot);
        placed = proxy != NULL ? conflict_method(l->c, proxy, l->interfaces, l->interface_count) : NULL;
    }
    if (placed == NULL) return out_of_metadata(self);
    if (found != 0) l->table[slot] = placed;
    else append(l, placed, selected);
    return true;
}

static bool place_interface_methods(struct os_thread *self, struct method_layout *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (uint32_t i = 0; i < l->interface_count; i++)
        for (uint32_t k = 0; k < l->interfaces[i]->itable_methods_count; k++)
            if (!place_interface_method(self, l, l->interfaces[i]->itable_methods[k])) return false;
    return true;
}

/* What invokeinterface of im runs on instances of the class. NULL: an exception is pending. */
static struct method *select_for_interface(struct os_thread *self, const struct method_layout *l, struct method *im) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = l->c;
    uint32_t found = find_place(l, im, false);
    if (found == 0) return im;
    struct method *selected = l->table[found - 1];
    enum method_entry refusal = interface_refusal(selected);
    if (refusal == ENTRY_UNLINKED) return selected;
    struct method *proxy = arena_alloc(class_arena(c), sizeof *proxy);
    if (proxy != NULL) {
        *proxy = refusal == ENTRY_ABSTRACT ? *im : *selected;
        proxy = unenterable(c, proxy, refusal);
    }
    if (proxy == NULL) (void)out_of_metadata(self);
    return proxy;
}

static bool fill_rows(struct os_thread *self, struct method_layout *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method **row = l->rows;
    for (uint32_t i = 0; i < l->interface_count; i++)
        for (uint32_t k = 0; k < l->interfaces[i]->itable_methods_count; k++)
            if ((*row++ = select_for_interface(self, l, l->interfaces[i]->itable_methods[k])) == NULL) return false;
    return true;
}

/* The superclass's methods for the i-th interface, if they are the n at `row` too; NULL otherwise. The superclass's
 * interfaces come first, in the same order. */
static struct method **inherited_row(const struct method_layout *l, uint32_t i, struct method **row, uint32_t n) {
    const struct class *super = l->c->super;
    if (super == NULL || i >= super->itable_count || super->itables[i].interface != l->interfaces[i]) return NULL;
    struct method **methods = super->itables[i].methods;
    return n != 0 && memcmp(methods, row, n * sizeof *row) == 0 ? methods : NULL;
}

/* The tables in one block. What would be the same as the superclass's is the superclass's. */
static bool make_tables(struct os_thread *self, struct method_layout *l) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = l->c;
    if (!fill_rows(self, l)) return false;
    bool same_vtable = l->length == l->inherited && c->super != NULL &&
                       (l->length == 0 || memcmp(l->table, c->super->vtable, l->length * sizeof *l->table) == 0);
    size_t places = same_vtable ? 0 : l->length;
    bool same_itables = c->super != NULL && l->interface_count == c->super->itable_count;
    struct method **row = l->rows;
    for (uint32_t i = 0, n; i < l->interface_count; i++, row += n) {
        n = l->interfaces[i]->itable_methods_count;
        if (inherited_row(l, i, row, n) != NULL) continue;
        places += n;
        if (same_itables) same_itables = n == 0 && c->super->itables[i].interface == l->interfaces[i];
    }
    size_t heads = same_itables ? 0 : l->interface_count, bytes = heads * sizeof *c->itables + places * sizeof *row;
    char *block = bytes != 0 ? arena_alloc_last(class_arena(c), bytes) : NULL;
    if (bytes != 0 && block == NULL) return out_of_metadata(self);
    struct method **next = block != NULL ? (struct method **)(block + heads * sizeof *c->itables) : NULL;
    c->vtable_length = l->length;
    c->vtable = same_vtable ? c->super->vtable : next;
    if (!same_vtable) {
        memcpy(c->vtable, l->table, l->length * sizeof *l->table);
        next += l->length;
    }
    c->itable_count = l->interface_count;
    c->itables = same_itables ? c->super->itables : (struct itable *)block;
    if (same_itables) return true;
    row = l->rows;
    for (uint32_t i = 0, n; i < l->interface_count; i++, row += n) {
        n = l->interfaces[i]->itable_methods_count;
        struct itable *t = &c->itables[i];
        t->interface = l->interfaces[i];
        t->methods = inherited_row(l, i, row, n);
        if (t->methods != NULL || n == 0) continue;
        memcpy(t->methods = next, row, n * sizeof *row);
        next += n;
    }
    return true;
}

bool layout_methods(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (c->is_interface) return layout_interface(self, c);
    struct method_layout l = {.c = c};
    bool ok = begin_layout(self, &l) && place_declared(self, &l) && place_interface_methods(self, &l) &&
              make_tables(self, &l);
    map_free(&l.map);
    mem_free(l.table);
    mem_free(l.interfaces);
    return ok;
}
