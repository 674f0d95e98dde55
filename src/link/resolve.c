/* resolve.c — resolution of constant-pool entries. JVMS 5.4.3. */
#include "link/resolve.h"

#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/resolve_internal.h"

static void set_cell(struct class_version *v, uint16_t i, uint64_t value) {
    atomic_store_explicit(&v->cells[i], value, memory_order_release);
}
static uint64_t get_cell(struct class_version *v, uint16_t i) {
    return atomic_load_explicit(&v->cells[i], memory_order_acquire);
}

/* ---- errors are thrown again (JVMS 5.4.3) ------------------------------------------------------------------------ */

/* What HotSpot says of the entry where its error has no message. */
static struct symbol *name_of_entry(const struct classfile *cf, uint16_t i) {
    switch (cp_tag(cf, i)) {
    case CP_Class: return cp_class_name(cf, i);
    case CP_MethodType: return cp_method_type_desc(cf, i);
    case CP_MethodHandle: return cp_ref_name(cf, cp_method_handle_ref(cf, i));
    case CP_Dynamic: return cp_ref_name(cf, i);
    case CP_Fieldref:
    case CP_Methodref:
    case CP_InterfaceMethodref: return cp_class_name(cf, cp_ref_class_index(cf, i));
    default: return NULL;
    }
}

struct resolution_error {
    struct resolution_error *next;
    uint16_t cp_index;
    struct object *error;
};

/* Whether a LinkageError is pending. */
static bool is_linkage_error(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *e = exception_take(self);     /* nothing may be pending when a class is looked for */
    struct class *linkage = e != NULL ? class_find_boot(self, "java/lang/LinkageError") : NULL;
    self->exception = e;
    return linkage != NULL && object_is_instance(e, linkage);
}

/* A LinkageError pending now is what this entry answers from now on. */
static void record_error(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | MAY_STOP);
    struct resolution_error *r = is_linkage_error(self) ? mem_zalloc(sizeof *r) : NULL; /* lost: it resolves again */
    struct object *e = exception_take(self);
    if (r == NULL || !holder_add_root(self, v->class, e)) {
        self->exception = e;
        mem_free(r);
        return;
    }
    self->exception = e;
    r->cp_index = cp_index;
    r->error = e;
    r->next = atomic_load(&v->resolution_errors);
    while (!atomic_compare_exchange_weak(&v->resolution_errors, &r->next, r)) {}
}

static bool throw_recorded(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (struct resolution_error *r = atomic_load(&v->resolution_errors); r != NULL; r = r->next) {
        if (r->cp_index == cp_index) {
            throw_again(self, r->error, name_of_entry(v->cf, cp_index), true);
            return true;
        }
    }
    return false;
}

void resolution_errors_of_methods_free(struct class_version *v) {
    REQUIRES(STOPPED);
    for (struct resolution_error **link = (struct resolution_error **)&v->resolution_errors, *r; (r = *link) != NULL;) {
        uint8_t tag = cp_tag(v->cf, r->cp_index);
        if (tag == CP_Methodref || tag == CP_InterfaceMethodref) {
            *link = r->next;
            mem_free(r);
        } else link = &r->next;
    }
}

void resolution_errors_free(struct class_version *v) {
    struct resolution_error *r = atomic_exchange(&v->resolution_errors, NULL);
    while (r != NULL) {
        struct resolution_error *next = r->next;
        mem_free(r);
        r = next;
    }
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

struct class *resolve_class(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    uint64_t held = get_cell(v, cp_index);
    if (held != 0) return (struct class *)(uintptr_t)held;
    if (cp_index == v->cf->this_class) {
        set_cell(v, cp_index, (uint64_t)(uintptr_t)c);
        return c;
    }
    if (throw_recorded(self, v, cp_index)) return NULL;
    struct symbol *name = cp_class_name(v->cf, cp_index);
    if (name == NULL) {
        throw_out_of_memory(self, "symbol");
        return NULL;
    }
    struct class *r = NULL;
    /* hidden classes name themselves through several entries */
    if (name == cp_class_name(v->cf, v->cf->this_class)) {
        r = c;
    } else {
        bool hidden = hide_steps(self);
        r = class_load(self, name, c->loader);
        show_steps(self, hidden);
    }
    if (r != NULL) {
        struct class *element = class_element(r);
        if (!class_is_primitive(element) && !class_can_access_class(c, element)) {
            throw_illegal_access_class(self, c, element);
            r = NULL;
        }
    }
    if (r == NULL && (held = get_cell(v, cp_index)) != 0 && is_linkage_error(self)) {
        /* Code of this class, which the loader ran or another thread runs, has resolved it meanwhile: so it stays. */
        self->exception = NULL;
        return (struct class *)(uintptr_t)held;
    }
    if (r == NULL) {
        record_error(self, v, cp_index);
        return NULL;
    }
    if (throw_recorded(self, v, cp_index)) return NULL;    /* likewise: it has failed meanwhile */
    set_cell(v, cp_index, (uint64_t)(uintptr_t)r);
    return r;
}

struct class *resolve_class_for_new(struct os_thread *self, struct method_code *code, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = resolve_class(self, code->owner, cp_index);
    if (c == NULL) return NULL;
    if (c->is_abstract || c->is_interface || class_is_array(c) || c == known_class(java_lang_Class)) {
        char *name = class_external_name(c);
        if (c == known_class(java_lang_Class))
            throw_message(self, "java/lang/IllegalAccessError", "%s", name ? name : "?");
        else throw_message(self, "java/lang/InstantiationError", "%s", name ? name : "?");
        mem_free(name);
        return NULL;
    }
    return class_ensure_initialized(self, c) ? c : NULL;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static void throw_no_such_field(struct os_thread *self, struct class *in, struct symbol *name, struct symbol *desc) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *in_name = class_external_name(in), *desc_name = type_external_name(desc->bytes, desc->length);
    if (vm->library == LIBRARY_17) throw_message(self, "java/lang/NoSuchFieldError", "%s", name->bytes);
    else
        throw_message(self, "java/lang/NoSuchFieldError", "Class %s does not have member field '%s %s'",
                      in_name ? in_name : "?", desc_name ? desc_name : "?", name->bytes);
    mem_free(in_name);
    mem_free(desc_name);
}

struct field *look_up_field(struct os_thread *self, struct class *from, struct class *in, struct symbol *name,
                            struct symbol *desc) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct field *f = class_lookup_field(in, name, desc);
    if (f == NULL) throw_no_such_field(self, in, name, desc);
    return f == NULL || from == NULL || check_field_constraint(self, from, in, f) ? f : NULL;
}

struct field *resolve_field(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class, *in = resolve_class(self, v, cp_ref_class_index(v->cf, cp_index));
    if (in == NULL) return NULL;
    if (throw_recorded(self, v, cp_index)) return NULL;
    struct symbol *name = cp_ref_name(v->cf, cp_index), *desc = cp_ref_desc(v->cf, cp_index);
    struct field *f = class_lookup_field(in, name, desc);
    if (f == NULL) {
        throw_no_such_field(self, in, name, desc);
    } else {
        bool threw = false;
        if (!class_can_access_member(self, c, in, f->holder, f->access_flags, &threw)) {
            if (!threw) throw_illegal_access_field(self, c, in, f);
            f = NULL;
        } else if (!check_field_constraint(self, c, in, f)) {
            f = NULL;
        }
    }
    if (f == NULL) record_error(self, v, cp_index);
    return f;
}

struct field *resolve_field_for(struct os_thread *self, struct method_code *code, uint16_t cp_index, uint8_t opcode) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *m = code->method;
    struct class_version *v = code->owner;
    struct class *c = v->class;
    struct field *f = resolve_field(self, v, cp_index);
    if (f == NULL) return NULL;
    bool wants_static = opcode == OP_getstatic || opcode == OP_putstatic,
         is_static = (f->access_flags & ACC_STATIC) != 0;
    struct class *in = (struct class *)(uintptr_t)get_cell(v, cp_ref_class_index(v->cf, cp_index));
    if (wants_static != is_static) {
        char *name = class_external_name(in);
        throw_message(self, "java/lang/IncompatibleClassChangeError", "Expected %s field %s.%s",
                      wants_static ? "static" : "non-static", name ? name : "?", f->name->bytes);
        mem_free(name);
        return NULL;
    }
    if ((opcode == OP_putfield || opcode == OP_putstatic) && f->access_flags & ACC_FINAL) {
        /* Only initialisers of the declaring class may write; before version 53 any of its methods. */
        const char *wanted = wants_static ? "<clinit>" : "<init>";
        bool foreign = f->holder != c;
        bool initialiser = (m->flags & (wants_static ? METHOD_CLINIT : METHOD_INIT)) != 0 || v->cf->major < 53;
        if (foreign || !initialiser) {
            char *named = class_external_name(in), *from = class_external_name(c);
            if (foreign)
                throw_message(self, "java/lang/IllegalAccessError",
                              "Update to %sfinal field %s.%s attempted from a different class (%s) than the field's "
                              "declaring class",
                              is_static ? "static " : "non-static ", named ? named : "?", f->name->bytes,
                              from ? from : "?");
            else
                throw_message(self, "java/lang/IllegalAccessError",
                              "Update to %sfinal field %s.%s attempted from a different method (%s) than the "
                              "initializer method %s ",
                              is_static ? "static " : "non-static ", named ? named : "?", f->name->bytes,
                              m->name->bytes, wanted);
            mem_free(named);
            mem_free(from);
            return NULL;
        }
    }
    if (is_static && !class_ensure_initialized(self, f->holder)) return NULL;
    return f;
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static void throw_no_such_method(struct os_thread *self, struct class *in, struct symbol *name, struct symbol *desc) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *text = method_external_name(in, name, desc);
    throw_message(self, "java/lang/NoSuchMethodError", "'%s'", text ? text : "?");
    mem_free(text);
}

/* Does the kind of the reference fit the class it names, for this instruction? */
static bool check_reference_kind(struct os_thread *self, struct class *in, struct symbol *name, struct symbol *desc,
                                 bool interface_ref, uint8_t opcode) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *text = NULL;
    bool wants_interface = opcode == OP_invokeinterface || (opcode != OP_invokevirtual && in->is_interface);
    if (wants_interface != in->is_interface) {
        text = class_external_name(in);
        throw_message(self, "java/lang/IncompatibleClassChangeError",
                      wants_interface ? "Found class %s, but interface was expected"
                                      : "Found interface %s, but class was expected",
                      text ? text : "?");
    } else if (wants_interface != interface_ref) {
        text = method_external_name(in, name, desc);
        throw_message(self, "java/lang/IncompatibleClassChangeError",
                      wants_interface ? "Method '%s' must be InterfaceMethodref constant"
                                      : "Method '%s' must be Methodref constant",
                      text ? text : "?");
    } else {
        return true;
    }
    mem_free(text);
    return false;
}

/* The look-up part of method resolution, without the checks that belong to an instruction. */
static struct method *look_up(struct os_thread *self, struct class *c, struct class *in, struct symbol *name,
                              struct symbol *desc, bool interface_ref, uint8_t opcode) {
    if (!check_reference_kind(self, in, name, desc, interface_ref, opcode)) return NULL;
    struct method *m = in->is_interface ? NULL : polymorphic_method(self, in, name, desc);
    /* adapters are made for receivers only */
    if (m != NULL && m->entry == ENTRY_INVOKE_GENERIC && opcode == OP_invokestatic) {
        throw_no_such_method(self, in, name, desc);
        return NULL;
    }
    if (m == NULL && self->exception == NULL)
        m = in->is_interface ? class_lookup_interface_method(in, name, desc) : class_lookup_method(in, name, desc);
    if (m == NULL && self->exception == NULL) throw_no_such_method(self, in, name, desc);
    if (m == NULL) return NULL;
    bool threw = false;
    uint16_t flags = m->access_flags;
    if (class_is_array(in) && strcmp(name->bytes, "clone") == 0) flags |= ACC_PUBLIC; /* JLS 10.7 */
    if (!class_can_access_member(self, c, in, m->holder, flags, &threw)) {
        if (!threw) throw_illegal_access_method(self, c, in, m);
        return NULL;
    }
    return check_method_constraint(self, c, in, m) ? m : NULL;
}

static struct method *resolve_method_with(struct os_thread *self, struct class_version *v, uint16_t cp_index,
                                          uint8_t opcode) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *in = resolve_class(self, v, cp_ref_class_index(v->cf, cp_index));
    if (in == NULL) return NULL;
    if (throw_recorded(self, v, cp_index)) return NULL;
    struct method *m = look_up(self, v->class, in, cp_ref_name(v->cf, cp_index), cp_ref_desc(v->cf, cp_index),
                               cp_tag(v->cf, cp_index) == CP_InterfaceMethodref, opcode);
    if (m == NULL) record_error(self, v, cp_index);
    return m;
}

static struct method *wrong_kind(struct os_thread *self, struct method *m, const char *format) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *text = method_external_name(m->holder, m->name, m->desc);
    throw_message(self, "java/lang/IncompatibleClassChangeError", format, text ? text : "?");
    mem_free(text);
    return NULL;
}

/* Constructors are not inherited. HotSpot's text differs from that for a method which no superclass has either. */
static struct method *inherited_constructor(struct os_thread *self, struct method *m, struct class *in) {
    char *owner = class_external_name(in), *text = method_external_name(in, m->name, m->desc);
    throw_message(self, "java/lang/NoSuchMethodError", "%s: method 'void <init>%s' not found", owner ? owner : "?",
                  text ? strchr(text, '(') : "?");
    mem_free(owner);
    mem_free(text);
    return NULL;
}

struct method *method_select_special(struct os_thread *self, struct class *c, struct class *in, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (m->flags & METHOD_INIT && m->holder != in) return inherited_constructor(self, m, in);
    if (in->is_interface && in != c) {
        /* The interface must be a direct superinterface of the caller (or of its nest-host-like lookup class for hidden
         * ones). */
        bool direct = false;
        for (uint32_t i = 0; i < c->interface_count; i++) direct |= c->interfaces[i] == in;
        if (!direct && !c->is_hidden && in != known_class(java_lang_Object)) {
            char *text = method_external_name(in, m->name, m->desc), *own = class_external_name(c);
            throw_message(self, "java/lang/IncompatibleClassChangeError",
                          vm->library == LIBRARY_17
                              ? "Interface method reference: '%s', is in an indirect superinterface of %s"
                              : "Interface method reference: '%s', is not in a direct superinterface of %s",
                          text ? text : "?", own ? own : "?");
            mem_free(text);
            mem_free(own);
            return NULL;
        }
    }
    struct method *selected = m;
    if (!in->is_interface && !(m->flags & METHOD_INIT) && !(m->access_flags & ACC_PRIVATE) && in != c &&
        class_is_subtype(c, in) && c->super != NULL) {
        selected = class_lookup_method(c->super, m->name, m->desc);
        if (selected == NULL) {
            throw_no_such_method(self, c->super, m->name, m->desc);
            return NULL;
        }
    }
    if (selected->access_flags & ACC_ABSTRACT && selected->entry == ENTRY_ABSTRACT) {
        char *text = method_external_name(in->is_interface ? in : selected->holder, m->name, m->desc);
        throw_message(self, "java/lang/AbstractMethodError", "'%s'", text ? text : "?");
        mem_free(text);
        return NULL;
    }
    return selected;
}

struct method *resolve_invoked(struct os_thread *self, struct class_version *v, uint16_t cp_index, uint8_t opcode,
                               enum invoke_kind *kind) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    struct method *m = resolve_method_with(self, v, cp_index, opcode);
    if (m == NULL) return NULL;
    struct class *in = (struct class *)(uintptr_t)get_cell(v, cp_ref_class_index(v->cf, cp_index));
    bool is_static = (m->access_flags & ACC_STATIC) != 0;
    *kind = INVOKE_DIRECT;
    switch (opcode) {
    case OP_invokestatic:
        return is_static ? m : wrong_kind(self, m, "Expected static method '%s'");
    case OP_invokespecial:
        if (is_static)
            return wrong_kind(self, m,
                              cp_tag(v->cf, cp_index) == CP_InterfaceMethodref
                                  ? "Expected instance not static method '%s'"
                                  : "Expecting non-static method '%s'");
        if (m->entry == ENTRY_INVOKE_GENERIC) {
            *kind = INVOKE_HANDLE;
            return m;
        }
        return method_select_special(self, c, in, m);
    case OP_invokevirtual:
        if (m->flags & METHOD_SIGNATURE_POLYMORPHIC) {
            if (m->entry == ENTRY_INVOKE_GENERIC) *kind = INVOKE_HANDLE;
            return m;
        }
        if (is_static) return wrong_kind(self, m, "Expecting non-static method '%s'");
        /* default method reached through a class */
        if (m->holder->is_interface && m->vtable_index < 0 && !(m->access_flags & ACC_PRIVATE)) {
            struct method *in_class = class_miranda(self, in, m->name, m->desc);
            if (self->exception != NULL) return NULL;
            if (in_class != NULL) m = in_class;
        }
        if (m->vtable_index >= 0) *kind = INVOKE_VTABLE;
        return m;
    default:
        if (is_static) return wrong_kind(self, m, "Expected instance not static method '%s'");
        if (m->access_flags & ACC_PRIVATE) return m;
        if (!m->holder->is_interface) {
            if (m->vtable_index >= 0) *kind = INVOKE_VTABLE;
            return m;
        }
        *kind = INVOKE_ITABLE;
        return m;
    }
}

struct method *resolve_method_for(struct os_thread *self, struct method_code *code, uint16_t cp_index, uint8_t opcode,
                                  enum invoke_kind *kind) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *m = resolve_invoked(self, code->owner, cp_index, opcode, kind);
    return m == NULL || opcode != OP_invokestatic || class_ensure_initialized(self, m->holder) ? m : NULL;
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

static bool keep(struct os_thread *self, struct class_version *v, uint16_t cp_index, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint64_t expected = 0;
    if (!holder_add_root(self, v->class, o)) return false;
    atomic_compare_exchange_strong(&v->cells[cp_index], &expected, o == NULL ? 1 : slot_ref(o));
    return true;
}

static struct object *resolve_string(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct span utf8 = cp_string_utf8(v->cf, cp_index);
    struct object *s = string_from_utf8(self, (const char *)utf8.data, utf8.size);
    return s ? string_intern(self, s) : NULL;
}

static struct object *resolve_dynamic(struct os_thread *self, struct class_version *v, uint16_t cp_index);

/* Object of a loadable constant (boxed if primitive) as a bootstrap argument. */
struct object *resolve_boxed_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint64_t value;
    enum basic_type type;
    switch (cp_tag(v->cf, cp_index)) {
    case CP_Integer: return box(self, T_INT, (uint32_t)cp_int(v->cf, cp_index));
    case CP_Long: return box(self, T_LONG, (uint64_t)cp_long(v->cf, cp_index));
    case CP_Float: {
        union {
            float f;
            uint32_t i;
        } u = {.f = cp_float(v->cf, cp_index)};
        return box(self, T_FLOAT, u.i);
    }
    case CP_Double: {
        union {
            double d;
            uint64_t i;
        } u = {.d = cp_double(v->cf, cp_index)};
        return box(self, T_DOUBLE, u.i);
    }
    case CP_Dynamic: return resolve_dynamic(self, v, cp_index);
    default: return resolve_constant(self, v, cp_index, &value, &type) ? slot_object(value) : NULL;
    }
}

static struct object *resolve_dynamic(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint64_t held = get_cell(v, cp_index);
    if (held != 0) return held == 1 ? NULL : slot_object(held);
    if (throw_recorded(self, v, cp_index)) return NULL;
    if (thread_c_stack_is_used_up(self)) { /* a constant may need itself */
        throw_stack_overflow(self);
        return NULL;
    }
    struct object *o = link_dynamic_constant(self, v, cp_index);
    if (self->exception) {
        record_error(self, v, cp_index);
        return NULL;
    }
    if (!keep(self, v, cp_index, o)) return NULL;
    held = get_cell(v, cp_index);        /* the first writer wins */
    return held == 1 ? NULL : slot_object(held);
}

bool resolve_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index, uint64_t *value,
                      enum basic_type *type) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    *type = T_OBJECT;
    uint8_t tag = cp_tag(v->cf, cp_index);
    uint64_t held = get_cell(v, cp_index);
    if (tag == CP_Class) {
        struct class *r = resolve_class(self, v, cp_index);
        if (r != NULL) *value = slot_ref(r->mirror);
        return r != NULL;
    }
    if (tag == CP_Dynamic) {
        struct object *o = resolve_dynamic(self, v, cp_index);
        if (self->exception) return false;
        struct symbol *desc = cp_ref_desc(v->cf, cp_index);
        *type = basic_type_of_char(desc->bytes[0]);
        *value = slot_ref(o);
        if (*type == T_OBJECT || *type == T_ARRAY) return true;
        enum basic_type boxed;
        return unbox(o, &boxed, value);
    }
    if (held != 0) {
        *value = held;
        return true;
    }
    if (throw_recorded(self, v, cp_index)) return false;
    struct object *o = NULL;
    switch (tag) {
    case CP_String: o = resolve_string(self, v, cp_index); break;
    case CP_MethodType: o = resolve_method_type(self, v->class, cp_method_type_desc(v->cf, cp_index)); break;
    case CP_MethodHandle: o = link_method_handle_constant(self, v, cp_index); break;
    default: throw_message(self, "java/lang/ClassFormatError", "constant %u cannot be loaded", cp_index); break;
    }
    if (o == NULL) {
        record_error(self, v, cp_index);
        return false;
    }
    if (!keep(self, v, cp_index, o)) return false;
    *value = get_cell(v, cp_index);
    return true;
}
