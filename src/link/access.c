/* access.c — may one class use another, or a member of it? JVMS 5.4.4, with HotSpot's texts for a refusal; constraints
 * of members. */
#include "base/log.h"
#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/link_internal.h"
#include "link/resolve_internal.h"

static const char *or_unknown(const char *s) { return s ? s : "?"; }

/* ---- packages, modules, nests ------------------------------------------------------------------------------------ */

static size_t package_length(const struct symbol *name) {
    const char *slash = memrchr(name->bytes, '/', name->length);
    return slash ? (size_t)(slash - name->bytes) : 0;
}

bool class_same_package(const struct class *a, const struct class *b) {
    a = class_element(a);
    b = class_element(b);
    if (a->loader != b->loader) return false;
    if (a == b) return true;
    if (a->package != NULL && b->package != NULL) return a->package == b->package;
    size_t n = package_length(a->name);
    return n == package_length(b->name) && memcmp(a->name->bytes, b->name->bytes, n) == 0;
}

/* 17: the accessors that reflection generates may do what they like. One that is being defined knows no superclass yet:
 * `super` is going to be it. */
static bool is_magic(const struct class *c, const struct class *super) {
    const struct class *magic = known_class(jdk_internal_reflect_MagicAccessorImpl);
    if (magic == NULL) return false;
    if (c->super == NULL && c->loader->is_delegating) c = super;
    while (c != NULL && c != magic) c = c->super;
    return c != NULL;
}

enum class_access { ACCESS_OK, ACCESS_NOT_PUBLIC, ACCESS_NOT_READABLE, ACCESS_NOT_EXPORTED };

static enum class_access class_access(struct class *from, struct class *to) {
    to = class_element(to);
    if (class_is_primitive(to) || from == to || class_same_package(from, to)) return ACCESS_OK;
    if (is_magic(from, to)) return ACCESS_OK;
    if (!(to->access_flags & ACC_PUBLIC)) return ACCESS_NOT_PUBLIC;
    if (from->module == to->module || from->module == NULL || to->module == NULL) return ACCESS_OK;
    if (!li()->java_base_defined) return ACCESS_OK;
    if (!module_reads(from->module, to->module)) return ACCESS_NOT_READABLE;
    if (to->module->is_open || to->module->name == NULL) return ACCESS_OK;
    return to->package != NULL && package_exported_to(to->package, from->module) ? ACCESS_OK : ACCESS_NOT_EXPORTED;
}

bool class_can_access_class(struct class *from, struct class *to) { return class_access(from, to) == ACCESS_OK; }

/* Throwable.toString without running it. malloc'd. */
static char *exception_text(struct object *e) {
    struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
    char *name = class_external_name(class_of(e)), *detail = message ? string_dup_utf8(message) : NULL;
    char *text = mem_printf("%s%s%s", or_unknown(name), detail ? ": " : "", detail ? detail : "");
    mem_free(name);
    mem_free(detail);
    return text;
}

static bool lists_member(const struct class *host, const struct class *c) {
    uint16_t n = cf_list_count(host->cf, host->cf->nest_members);
    for (uint16_t i = 0; i < n; i++)
        if (cp_class_name(host->cf, cf_list_at(host->cf, host->cf->nest_members, i)) == c->name) return true;
    return false;
}

/* The host that c's NestHost attribute names if it is a valid one; NULL: *error says why not (malloc'd), or a
 * VirtualMachineError is pending. */
static struct class *validated_host(struct os_thread *self, struct class *c, char **error) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    *error = NULL;
    struct class *host = resolve_class(self, c->version, c->cf->nest_host);
    if (host == NULL) {
        struct class *fatal_kind = class_find_boot(self, "java/lang/VirtualMachineError");
        if (fatal_kind != NULL && self->exception != NULL && object_is_instance(self->exception, fatal_kind))
            return NULL;
        char *reason = self->exception ? exception_text(exception_take(self)) : NULL, *name = class_external_name(c);
        *error = mem_printf("Nest host resolution of %s with host %s failed: %s", or_unknown(name),
                            cp_class_name(c->cf, c->cf->nest_host)->bytes, or_unknown(reason));
        mem_free(name);
        mem_free(reason);
        return NULL;
    }
    const char *why = NULL;
    if (!class_same_package(c, host)) why = "types are in different packages";
    else if (host->cf == NULL) why = "host is not an instance class";
    else if (!lists_member(host, c)) why = "current type is not listed as a nest member";
    if (why == NULL) return host;
    char *own = class_external_name(c), *own_loader = loader_name_and_id(c->loader), *other = class_external_name(host),
         *other_loader = loader_name_and_id(host->loader);
    *error = mem_printf("Type %s (loader: %s) is not a nest member of type %s (loader: %s): %s", or_unknown(own),
                        or_unknown(own_loader), or_unknown(other), or_unknown(other_loader), why);
    mem_free(own);
    mem_free(own_loader);
    mem_free(other);
    mem_free(other_loader);
    return NULL;
}

struct class *class_nest_host(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *host = atomic_load_explicit(&c->nest_host, memory_order_acquire);
    if (host != NULL || c->cf == NULL) return host ? host : c;
    if (c->cf->nest_host != 0) {
        char *error;
        host = validated_host(self, c, &error);
        if (host == NULL && self->exception != NULL) return NULL;
        if (error != NULL) log_trace(class_nestmates, "%s", error);
        mem_free(error);
    }
    struct class *expected = NULL;
    if (host == NULL) host = c;
    return atomic_compare_exchange_strong(&c->nest_host, &expected, host) ? host : expected;
}

bool class_are_nestmates(struct os_thread *self, struct class *a, struct class *b) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (a == b) return true;
    struct class *host_a = class_nest_host(self, a), *host_b = host_a ? class_nest_host(self, b) : NULL;
    return host_a != NULL && host_a == host_b;
}

bool class_can_access_member(struct os_thread *self, struct class *from, struct class *resolved,
                             struct class *declaring, uint16_t flags, bool *threw) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    *threw = false;
    if (from == declaring || flags & ACC_PUBLIC) return true;
    if (is_magic(from, NULL)) return true;
    if (flags & ACC_PRIVATE) {
        bool mates = class_are_nestmates(self, from, declaring);
        if (!mates && self->exception != NULL) *threw = true;
        return mates;
    }
    if (class_same_package(from, declaring)) return true;
    if (!(flags & ACC_PROTECTED)) return false;
    /* an interface is no subclass of Object */
    if (from->is_interface || !class_is_subtype(from, declaring)) return false;
    /* Instance members: the type they are reached through must be related to the accessing class. */
    return flags & ACC_STATIC || from == resolved || class_is_subtype(from, resolved) ||
           class_is_subtype(resolved, from);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* "class a (in module x) cannot access class b (in module y) because ..."; NULL when the reason lies in the class
 * itself. */
static char *module_refusal(struct class *from, struct class *to) {
    to = class_element(to);
    enum class_access why = class_access(from, to);
    if (why != ACCESS_NOT_READABLE && why != ACCESS_NOT_EXPORTED) return NULL;
    char *f = class_external_name(from), *t = class_external_name(to), *fm = module_text(from->module),
         *tm = module_text(to->module), *text = NULL;
    if (f && t && fm && tm) {
        if (why == ACCESS_NOT_READABLE) {
            text = mem_printf("class %s (in %s) cannot access class %s (in %s) because %s does not read %s", f, fm, t,
                              tm, fm, tm);
        } else {
            char *package = mem_strndup(to->name->bytes, package_length(to->name));
            for (char *p = package; p != NULL && *p; p++) if (*p == '/') *p = '.';
            text = mem_printf("class %s (in %s) cannot access class %s (in %s) because %s does not export %s to %s", f,
                              fm, t, tm, tm, package ? package : "?", fm);
            mem_free(package);
        }
    }
    mem_free(f);
    mem_free(t);
    mem_free(fm);
    mem_free(tm);
    return text;
}

void throw_illegal_access_class(struct os_thread *self, struct class *from, struct class *to) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *modules = module_refusal(from, to);
    if (modules != NULL) {
        throw_message(self, "java/lang/IllegalAccessError", "%s", modules);
    } else {
        char *f = class_external_name(from), *t = class_external_name(to), *where = class_module_and_loader(to, from);
        throw_message(self, "java/lang/IllegalAccessError", "failed to access class %s from class %s (%s)", t ? t : "?",
                      f ? f : "?", where ? where : "?");
        mem_free(f);
        mem_free(t);
        mem_free(where);
    }
    mem_free(modules);
}

void throw_illegal_super_access(struct os_thread *self, struct class *c, struct class *super, bool interface) {
    REQUIRES(IN_VM);
    char *modules = module_refusal(c, super);
    char *name = class_external_name(c), *super_name = class_external_name(super),
         *where = class_module_and_loader(c, super);
    if (vm->library == LIBRARY_17 && !interface && c->loader->object != NULL &&
        symbol_equals(super->package->name, "jdk/internal/reflect")) {
        char *loader = loader_name_and_id(c->loader);
        throw_message(self, "java/lang/IllegalAccessError",
                      "class %s loaded by %s cannot access jdk/internal/reflect superclass %s", name ? name : "?",
                      loader ? loader : "?", super_name ? super_name : "?");
        mem_free(loader);
    } else if (modules != NULL)
        throw_message(self, "java/lang/IllegalAccessError", "%s check failed: %s",
                      interface ? "superinterface" : "superclass access", modules);
    else
        throw_message(self, "java/lang/IllegalAccessError", "class %s cannot access its %s %s (%s)", name ? name : "?",
                      interface            ? "superinterface"
                      : super->is_abstract ? "abstract superclass"
                                           : "superclass",
                      super_name ? super_name : "?", where ? where : "?");
    mem_free(modules);
    mem_free(name);
    mem_free(super_name);
    mem_free(where);
}

/* ", (why a's nest host is itself, why b's is)": what an error about a private member ends with. malloc'd, NULL:
 * nothing to say. */
static char *nest_problem(struct os_thread *self, struct class *a, struct class *b) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *errors[2] = {NULL, NULL};
    struct class *classes[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        struct class *c = classes[i];
        if (c->cf == NULL || c->cf->nest_host == 0 || atomic_load(&c->nest_host) != c) continue;
        validated_host(self, c, &errors[i]);
        self->exception = NULL;
    }
    char *text = NULL;
    if (errors[0] != NULL || errors[1] != NULL)
        text = mem_printf(", (%s%s%s)", errors[0] ? errors[0] : "", errors[0] && errors[1] ? ", " : "",
                          errors[1] ? errors[1] : "");
    mem_free(errors[0]);
    mem_free(errors[1]);
    return text;
}

void throw_illegal_access_field(struct os_thread *self, struct class *from, struct class *resolved, struct field *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)resolved;
    char *own = class_external_name(from), *other = class_external_name(f->holder),
         *where = class_module_and_loader(from, f->holder);
    char *nest = f->access_flags & ACC_PRIVATE ? nest_problem(self, from, f->holder) : NULL;
    throw_message(self, "java/lang/IllegalAccessError", "class %s tried to access %s%sfield %s.%s (%s)%s",
                  or_unknown(own), f->access_flags & ACC_PROTECTED ? "protected " : "",
                  f->access_flags & ACC_PRIVATE ? "private " : "", or_unknown(other), f->name->bytes, or_unknown(where),
                  nest ? nest : "");
    mem_free(own);
    mem_free(other);
    mem_free(where);
    mem_free(nest);
}

void throw_illegal_access_method(struct os_thread *self, struct class *from, struct class *resolved, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)resolved;
    char *own = class_external_name(from), *text = method_external_name(m->holder, m->name, m->desc),
         *where = class_module_and_loader(from, m->holder);
    char *nest = m->access_flags & ACC_PRIVATE ? nest_problem(self, from, m->holder) : NULL;
    throw_message(self, "java/lang/IllegalAccessError", "class %s tried to access %s%s%smethod '%s' (%s)%s",
                  or_unknown(own), m->access_flags & ACC_ABSTRACT ? "abstract " : "",
                  m->access_flags & ACC_PROTECTED ? "protected " : "", m->access_flags & ACC_PRIVATE ? "private " : "",
                  or_unknown(text), or_unknown(where), nest ? nest : "");
    mem_free(own);
    mem_free(text);
    mem_free(where);
    mem_free(nest);
}

/* ---- loader constraints of a resolved member --------------------------------------------------------------------- */

struct disagreement { char *loader, *other_loader, *where, *other_where; };

static struct disagreement disagreement_of(struct class *from, struct class *other) {
    return (struct disagreement){loader_name_and_id(from->loader), loader_name_and_id(other->loader),
                                 class_in_module_of_loader(from, true), class_in_module_of_loader(other, true)};
}

static void disagreement_free(struct disagreement *d) {
    mem_free(d->loader);
    mem_free(d->other_loader);
    mem_free(d->where);
    mem_free(d->other_where);
}

bool check_method_constraint(struct os_thread *self, struct class *from, struct class *resolved, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (from->loader == m->holder->loader || m->flags & METHOD_SIGNATURE_POLYMORPHIC) return true;
    struct symbol *culprit = NULL;
    if (constraints_for_descriptor(self, m->desc, from->loader, m->holder->loader, &culprit)) return true;
    if (self->exception == NULL) {
        char *text = method_external_name(resolved, m->name, m->desc);
        struct disagreement d = disagreement_of(from, m->holder);
        throw_message(self, "java/lang/LinkageError",
                      "loader constraint violation: when resolving %s '%s' the class loader %s of the current class, "
                      "%s, and the class loader %s for the "
                      "method's defining class, %s, have different Class objects for the type %s used in the "
                      "signature (%s; %s)",
                      resolved->is_interface ? "interface method" : "method", or_unknown(text), or_unknown(d.loader),
                      from->name->bytes, or_unknown(d.other_loader), m->holder->name->bytes,
                      culprit ? culprit->bytes : "?", or_unknown(d.where), or_unknown(d.other_where));
        mem_free(text);
        disagreement_free(&d);
    }
    symbol_release(culprit);
    return false;
}

bool check_field_constraint(struct os_thread *self, struct class *from, struct class *resolved, struct field *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)resolved;
    if (from->loader == f->holder->loader) return true;
    struct symbol *culprit = NULL;
    if (constraints_for_descriptor(self, f->desc, from->loader, f->holder->loader, &culprit)) return true;
    if (self->exception == NULL) {
        char *own = class_external_name(from), *other = class_external_name(f->holder);
        char *type = culprit ? mem_strdup(culprit->bytes) : NULL;
        for (char *q = type; q != NULL && *q; q++)
            if (*q == '/') *q = '.';
        struct disagreement d = disagreement_of(from, f->holder);
        throw_message(self, "java/lang/LinkageError",
                      "loader constraint violation: when resolving field \"%s\" of type %s, the class loader %s of "
                      "the current class, %s, and the class loader %s "
                      "for the field's defining %s, %s, have different Class objects for type %s (%s; %s)",
                      f->name->bytes, or_unknown(type), or_unknown(d.loader), or_unknown(own),
                      or_unknown(d.other_loader), f->holder->is_interface ? "interface" : "class", or_unknown(other),
                      or_unknown(type), or_unknown(d.where), or_unknown(d.other_where));
        mem_free(own);
        mem_free(other);
        mem_free(type);
        disagreement_free(&d);
    }
    symbol_release(culprit);
    return false;
}
