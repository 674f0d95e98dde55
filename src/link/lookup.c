/* lookup.c — members by name and descriptor; selection. JVMS 5.4.3.2-4, 5.4.6. */
#include "heap/heap.h"
#include "link/link_internal.h"

/* Classes with many members get a hash index on first use: slot + 1 by (name, descriptor), open addressing. */
enum { INDEX_FROM = 24 };
struct member_index {
    uint32_t mask;
    uint32_t slots[];
};

static uint32_t hash2(const struct symbol *name, const struct symbol *desc) {
    return (uint32_t)((name->hash * 31u) ^ desc->hash) * 2654435761u >> 3;
}

struct member_index *method_index_new(uint32_t slots) {
    uint32_t size = 64;
    while (size < slots * 2) size *= 2;
    struct member_index *index = mem_zalloc(sizeof *index + size * sizeof index->slots[0]);
    if (index != NULL) index->mask = size - 1;
    return index;
}

static void fill_index(struct member_index *index, const struct class *c) {
    for (const struct method *m = NULL; (m = class_next_method(c, m)) != NULL;) {
        uint32_t h = hash2(m->name, m->desc) & index->mask;
        while (index->slots[h] != 0) h = (h + 1) & index->mask;
        index->slots[h] = m->slot + 1u;
    }
}

static struct member_index *method_index(struct class *c) {
    struct member_index *index = atomic_load_explicit(&c->method_index, memory_order_acquire);
    if (index != NULL) return index;
    index = method_index_new(c->method_count);
    if (index == NULL) return NULL;
    fill_index(index, c);
    struct member_index *expected = NULL;
    if (!atomic_compare_exchange_strong(&c->method_index, &expected, index)) {
        mem_free(index);
        index = expected;
    }
    return index;
}

bool method_count_has_index(uint32_t slots) { return slots >= INDEX_FROM; }

bool class_index_members(struct class *c) {
    return !method_count_has_index(c->method_count) || method_index(c) != NULL;
}

void method_index_free(struct class *c) { mem_free(atomic_exchange(&c->method_index, NULL)); }

void method_index_replace(struct class *c, struct member_index *fresh) {
    REQUIRES(STOPPED);
    if (fresh != NULL) fill_index(fresh, c);
    mem_free(atomic_exchange(&c->method_index, fresh));
}

struct method *class_find_method(struct class *c, struct symbol *name, struct symbol *desc) {
    if (method_count_has_index(c->method_count)) {
        struct member_index *index = method_index(c);
        if (index != NULL) {
            for (uint32_t h = hash2(name, desc) & index->mask; index->slots[h] != 0; h = (h + 1) & index->mask) {
                struct method *m = class_method_at(c, index->slots[h] - 1);
                if (m->name == name && m->desc == desc) return m;
            }
            return NULL;
        }
    }
    for (struct method *m = NULL; (m = class_next_method(c, m)) != NULL;)
        if (m->name == name && m->desc == desc) return m;
    return NULL;
}

struct field *class_find_field(struct class *c, struct symbol *name, struct symbol *desc) {
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].name == name && c->fields[i].desc == desc && c->fields[i].cf != NULL) return &c->fields[i];
    return NULL;
}

struct field *class_lookup_field(struct class *c, struct symbol *name, struct symbol *desc) {
    for (; c != NULL; c = c->super) {
        struct field *f = class_find_field(c, name, desc);
        if (f != NULL) return f;
        for (uint32_t i = 0; i < c->interface_count; i++)
            if ((f = class_lookup_field(c->interfaces[i], name, desc)) != NULL) return f;
        if (c->is_interface) return NULL;
    }
    return NULL;
}

/* Among the superinterfaces: the single maximally-specific non-abstract method, else any that is neither private nor
 * static. */
static struct method *in_superinterfaces(struct class *c, struct symbol *name, struct symbol *desc) {
    struct method *any = NULL, *specific = NULL;
    unsigned concrete = 0;
    {
        struct class *k = c;             /* its list includes the superclasses' interfaces */
        for (uint32_t i = 0; i < k->secondary_count; i++) {
            struct class *s = k->secondary[i];
            struct method *m = s->is_interface ? class_find_method(s, name, desc) : NULL;
            if (m == NULL || m->access_flags & (ACC_PRIVATE | ACC_STATIC) || m == any || m == specific) continue;
            bool shadowed = false;
            for (uint32_t j = 0; j < k->secondary_count && !shadowed; j++) {
                struct class *o = k->secondary[j];
                if (o == s || !o->is_interface || !class_is_subtype(o, s)) continue;
                struct method *other = class_find_method(o, name, desc);
                shadowed = other != NULL && !(other->access_flags & (ACC_PRIVATE | ACC_STATIC));
            }
            if (any == NULL) any = m;
            if (shadowed) continue;
            if (!(m->access_flags & ACC_ABSTRACT)) {
                concrete++;
                specific = m;
            } else if (specific == NULL && any != NULL && class_is_subtype(s, any->holder)) {
                any = m;
            }
        }
    }
    return concrete == 1 ? specific : any;
}

struct method *class_lookup_method(struct class *c, struct symbol *name, struct symbol *desc) {
    if (class_is_array(c)) c = c->super;
    for (struct class *k = c; k != NULL; k = k->super) {
        struct method *m = class_find_method(k, name, desc);
        if (m != NULL) return m;
    }
    return in_superinterfaces(c, name, desc);
}

struct method *class_lookup_interface_method(struct class *c, struct symbol *name, struct symbol *desc) {
    struct method *m = class_find_method(c, name, desc);
    if (m != NULL) return m;
    m = class_find_method(vm->link->classes[KC_java_lang_Object], name, desc);
    if (m != NULL && (m->access_flags & (ACC_PUBLIC | ACC_STATIC)) == ACC_PUBLIC) return m;
    return in_superinterfaces(c, name, desc);
}

struct method *class_method_cstr(struct class *c, const char *name, const char *desc) {
    struct symbol *n = symbol_lookup(name, strlen(name)), *d = symbol_lookup(desc, strlen(desc));
    struct method *m = NULL;
    if (n != NULL && d != NULL)
        for (struct class *k = c; k != NULL && m == NULL; k = k->super) m = class_find_method(k, n, d);
    if (n != NULL) symbol_release(n);
    if (d != NULL) symbol_release(d);
    return m;
}

struct method *class_select_virtual(struct class *c, struct method *m) {
    if (m->vtable_index >= 0) return c->vtable[m->vtable_index];
    if (m->holder->is_interface && !(m->access_flags & ACC_PRIVATE)) {
        struct method *found = class_select_interface(c, m);
        if (found != NULL) return found;
    }
    return m;
}

struct method *class_select_interface(struct class *c, struct method *m) {
    if (!m->holder->is_interface) return class_is_subtype(c, m->holder) ? class_select_virtual(c, m) : NULL;
    if (class_is_array(c)) return class_is_subtype(c, m->holder) ? m : NULL;
    for (uint32_t i = 0; i < c->itable_count; i++)
        if (c->itables[i].interface == m->holder)
            return m->itable_index >= 0 ? c->itables[i].methods[m->itable_index] : m;
    return NULL;
}

void class_walk_all(bool (*visit)(void *arg, struct class *c), void *arg) {
    struct os_thread *self = current_thread();
    bool go_on = true;
    if (self != NULL) heap_disable_gc(self); /* nothing is unloaded meanwhile */
    lock_acquire(&li()->table_lock);
    struct class_holder *first = li()->holders;
    lock_release(&li()->table_lock);
    for (struct class_holder *h = first; h != NULL && go_on; h = h->next)
        for (struct class *c = __atomic_load_n(&((struct holder_record *)h)->classes, __ATOMIC_ACQUIRE);
             c != NULL && go_on; c = c->next_in_holder)
            go_on = visit(arg, c);
    if (self != NULL) heap_enable_gc(self);
}
