/* constraint.c — what linking demands of the loaders of methods that override or implement each other. JVMS 5.4.2. */
#include "link/link_internal.h"
#include "link/resolve_internal.h"

static const char *or_unknown(const char *s) { return s ? s : "?"; }

/* While c is linked: `selected` runs where a caller means `declared`, a method that `from` has given to c. */
struct selection {
    struct class *c, *from;
    struct method *selected, *declared;
    bool of_interface;                   /* by invokeinterface */
};

static void throw_selection(struct os_thread *self, const struct selection *s, const struct symbol *culprit) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *by = s->selected->holder, *in = s->from;
    const struct method *named = s->of_interface ? s->declared : s->selected;
    char *name = class_external_name(s->c), *by_name = class_external_name(by), *in_name = class_external_name(in),
         *by_loader = loader_name_and_id(by->loader), *in_loader = loader_name_and_id(in->loader),
         *by_where = class_in_module_of_loader(by, true), *in_where = class_in_module_of_loader(in, true),
         *type = mem_strdup(culprit->bytes), *method = method_external_name(named->holder, named->name, named->desc);
    for (char *p = type; p != NULL && *p; p++)
        if (*p == '/') *p = '.';
    if (s->of_interface)
        throw_message(self, "java/lang/LinkageError",
                      "loader constraint violation in interface itable initialization for class %s: when selecting "
                      "method '%s' the class loader %s for super interface %s, and the class loader %s of the selected "
                      "method's %s, %s have different Class objects for the type %s used in the signature (%s; %s)",
                      or_unknown(name), or_unknown(method), or_unknown(in_loader), or_unknown(in_name),
                      or_unknown(by_loader), by->is_interface ? "interface" : "class", or_unknown(by_name),
                      or_unknown(type), or_unknown(in_where), or_unknown(by_where));
    else
        throw_message(self, "java/lang/LinkageError",
                      "loader constraint violation for class %s: when selecting overriding method '%s' the class "
                      "loader %s of the selected method's type %s, and the class loader %s for its super type %s have "
                      "different Class objects for the type %s used in the signature (%s; %s)",
                      or_unknown(name), or_unknown(method), or_unknown(by_loader), or_unknown(by_name),
                      or_unknown(in_loader), or_unknown(in_name), or_unknown(type), or_unknown(by_where),
                      or_unknown(in_where));
    char *texts[] = {name, by_name, in_name, by_loader, in_loader, by_where, in_where, type, method};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) mem_free(texts[i]);
}

static bool check_selection(struct os_thread *self, const struct selection *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct symbol *culprit = NULL;
    if (constraints_for_descriptor(self, s->declared->desc, s->selected->holder->loader, s->from->loader, &culprit))
        return true;
    if (self->exception == NULL) throw_selection(self, s, culprit);
    symbol_release(culprit);
    return false;
}

/* Nothing of a class file: it throws. */
static bool made_by_vm(const struct method *m) {
    return m->entry == ENTRY_CONFLICT || m->entry == ENTRY_NOT_PUBLIC ||
           (m->holder->is_interface && m->access_flags & ACC_ABSTRACT);
}

/* The class that gave this slot of its subclass c what stands there. */
static struct class *giver(struct class *c, uint32_t slot) {
    struct method *m = c->vtable[slot];
    if (m->entry != ENTRY_CONFLICT) return m->holder;
    while (c->super != NULL && slot < c->super->vtable_length && c->super->vtable[slot] == m) c = c->super;
    return c;
}

static bool check_overriding(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *super = c->super;
    for (uint32_t i = 0; i < super->vtable_length; i++) {
        struct method *m = c->vtable[i], *above = super->vtable[i];
        if (m == above || m->holder->loader == above->holder->loader || made_by_vm(m)) continue;
        struct selection s = {.c = c, .from = giver(super, i), .selected = m, .declared = above};
        if (!check_selection(self, &s)) return false;
    }
    return true;
}

static bool check_implementing(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (uint32_t i = 0; i < c->itable_count; i++) {
        const struct itable *t = &c->itables[i];
        /* the same as the superclass's: checked when that was linked */
        if (i < c->super->itable_count && t->methods == c->super->itables[i].methods) continue;
        for (uint32_t k = 0; k < t->interface->itable_methods_count; k++) {
            struct method *m = t->methods[k];
            if (m->holder->loader == t->interface->loader || m->access_flags & ACC_ABSTRACT || made_by_vm(m)) continue;
            struct selection s = {c, t->interface, m, t->interface->itable_methods[k], true};
            if (!check_selection(self, &s)) return false;
        }
    }
    return true;
}

bool class_check_selection(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    /* Interfaces select nothing; above a class of the boot loader there are no others'. */
    if (c->is_interface || c->loader->is_boot || c->super == NULL) return true;
    return (c->vtable == c->super->vtable || check_overriding(self, c)) &&
           (c->itables == c->super->itables || check_implementing(self, c));
}
