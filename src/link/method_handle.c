/* method_handle.c — MemberName and its targets, signature-polymorphic methods, linking through
 * java.lang.invoke.MethodHandleNatives. */
#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/link_internal.h"
#include "link/resolve_internal.h"

/* MemberName.flags */
enum {
    MN_IS_METHOD = 0x10000,
    MN_IS_CONSTRUCTOR = 0x20000,
    MN_IS_FIELD = 0x40000,
    MN_CALLER_SENSITIVE = 0x100000,
    MN_TRUSTED_FINAL = 0x200000,
    MN_HIDDEN_MEMBER = 0x400000, /* 25 */
    MN_KIND_SHIFT = 24,
    VMINDEX_NONVIRTUAL = -2
};

static struct class *natives_class(void) { return known_class(java_lang_invoke_MethodHandleNatives); }

/* ---- MemberName -------------------------------------------------------------------------------------------------- */

struct object *resolved_method_name(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(java_lang_invoke_ResolvedMethodName);
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    if (o == NULL) return NULL;
    field_store(o, known_offset(ResolvedMethodName_vmtarget), T_LONG, (uint64_t)(uintptr_t)m);
    heap_store_ref(o, known_offset(ResolvedMethodName_vmholder), m->holder->mirror);
    return o;
}

struct method *member_name_target(struct object *member_name) {
    struct object *resolved = heap_load_ref_acquire(member_name, known_offset(MemberName_method));
    return resolved
               ? (struct method *)(uintptr_t)field_load(resolved, known_offset(ResolvedMethodName_vmtarget), T_LONG)
               : NULL;
}

int64_t member_name_vmindex(struct object *member_name) {
    return (int64_t)field_load(member_name, known_offset(MemberName_vmindex), T_LONG);
}

static void set_member(struct object *mn, struct class *clazz, uint32_t flags, struct object *resolved,
                       int64_t vmindex) {
    field_store(mn, known_offset(MemberName_flags), T_INT, flags);
    field_store(mn, known_offset(MemberName_vmindex), T_LONG, (uint64_t)vmindex);
    heap_store_ref(mn, known_offset(MemberName_clazz), clazz->mirror);
    heap_store_ref_release(mn, known_offset(MemberName_method), resolved);
}

bool member_name_init_method(struct os_thread *self, struct object *mn, struct method *m, struct class *resolved,
                             bool do_dispatch) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint32_t flags = m->access_flags & 0xffffu;
    struct class *clazz = m->holder;
    int64_t vmindex = VMINDEX_NONVIRTUAL;
    if (resolved == NULL) resolved = m->holder;
    if (m->access_flags & ACC_STATIC) {
        flags |= MN_IS_METHOD | REF_invokeStatic << MN_KIND_SHIFT;
    } else if (m->flags & METHOD_INIT) {
        flags |= MN_IS_CONSTRUCTOR | REF_invokeSpecial << MN_KIND_SHIFT;
    } else if (do_dispatch && m->holder->is_interface && m->itable_index >= 0 && resolved->is_interface) {
        flags |= MN_IS_METHOD | (uint32_t)REF_invokeInterface << MN_KIND_SHIFT;
        vmindex = m->itable_index;
    } else {
        struct method *in_class = m;
        /* default method seen from a class */
        if (m->holder->is_interface && !resolved->is_interface && !(m->access_flags & ACC_PRIVATE)) {
            in_class = class_miranda(self, resolved, m->name, m->desc);
            if (self->exception != NULL) return false;
            if (in_class == NULL) in_class = m;
            else clazz = resolved;
        }
        if (do_dispatch && in_class->vtable_index >= 0 && !(m->access_flags & (ACC_FINAL | ACC_PRIVATE)) &&
            !(m->holder->access_flags & ACC_FINAL)) {
            flags |= MN_IS_METHOD | (uint32_t)REF_invokeVirtual << MN_KIND_SHIFT;
            vmindex = in_class->vtable_index;
            m = in_class;
        } else {
            flags |= MN_IS_METHOD | (uint32_t)REF_invokeSpecial << MN_KIND_SHIFT;
        }
    }
    if (m->flags & METHOD_CALLER_SENSITIVE) flags |= MN_CALLER_SENSITIVE;
    if (m->flags & METHOD_HIDDEN && vm->library == LIBRARY_25) flags |= MN_HIDDEN_MEMBER;
    struct object *r = resolved_method_name(self, m);
    if (r == NULL) return false;
    set_member(mn, clazz, flags, r, vmindex);
    return true;
}

bool member_name_init_field(struct os_thread *self, struct object *mn, struct field *f, bool is_setter) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self;
    bool is_static = (f->access_flags & ACC_STATIC) != 0;
    uint32_t kind = (is_static ? REF_getStatic : REF_getField) + (is_setter ? REF_putField - REF_getField : 0);
    uint32_t flags = (f->access_flags & 0xffffu) | MN_IS_FIELD | kind << MN_KIND_SHIFT;
    if (field_is_trusted_final(f)) flags |= MN_TRUSTED_FINAL;
    set_member(mn, f->holder, flags, NULL, (int64_t)f->offset);
    return true;
}

bool field_is_trusted_final(const struct field *f) {
    if (!(f->access_flags & ACC_FINAL)) return false;
    return f->access_flags & ACC_STATIC || f->holder->is_hidden || (f->holder->cf != NULL && f->holder->cf->is_record);
}

static bool is_in_package(const struct class *c, const char *package) {
    return strncmp(c->name->bytes, package, strlen(package)) == 0;
}

bool field_is_site_target(const struct field *f) {
    return f->holder == known_class(java_lang_invoke_CallSite) && f->offset == known_offset(CallSite_target);
}

/* A call site's target is said to be final, and is not. */
bool field_is_trusted(const struct field *f) {
    if (!(f->access_flags & ACC_FINAL) || field_is_assigned(f)) return false;
    if (f->holder == known_class(java_lang_invoke_CallSite)) return false;
    bool is_the_librarys = f->holder->loader->is_boot && (is_in_package(f->holder, "java/lang/invoke/") ||
                                                          is_in_package(f->holder, "sun/invoke/"));
    return is_the_librarys || field_is_trusted_final(f);
}

/* ---- signature polymorphism -------------------------------------------------------------------------------------- */

struct method_type_intrinsics {
    struct method_type_intrinsics *next;
    struct method method;
    struct method_code code;
};

static enum method_entry intrinsic_entry(const struct symbol *name) {
    static const struct { const char *name; enum method_entry entry; } table[] = {
        {"invokeBasic", ENTRY_INVOKE_BASIC}, {"linkToStatic", ENTRY_LINK_TO_STATIC},
        {"linkToSpecial", ENTRY_LINK_TO_SPECIAL},
        {"linkToVirtual", ENTRY_LINK_TO_VIRTUAL}, {"linkToInterface", ENTRY_LINK_TO_INTERFACE},
        {"linkToNative", ENTRY_LINK_TO_NATIVE},
    };
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (strcmp(name->bytes, table[i].name) == 0) return table[i].entry;
    return ENTRY_INVOKE_GENERIC;
}

static struct method *find_intrinsic(struct symbol *name, struct symbol *desc) {
    for (struct method_type_intrinsics *i = atomic_load(&li()->polymorphic); i != NULL; i = i->next)
        if (i->method.name == name && i->method.desc == desc) return &i->method;
    return NULL;
}

/* The descriptor with what an intrinsic distinguishes: references are Object, types narrower than int are int. The
 * MemberName at the end of a linkTo* method's keeps its type. +1 reference; NULL: out of memory. */
static struct symbol *basic_descriptor(const struct symbol *desc, bool keep_last) {
    static const char object[] = "Ljava/lang/Object;";
    int left = desc_arg_count(desc->bytes, desc->length);
    char *text = mem_alloc(((size_t)left + 1) * (sizeof object - 1) + desc->length + 2), *p = text;
    if (text == NULL) return NULL;
    *p++ = '(';
    struct desc_iter it = desc_begin(desc->bytes, desc->length);
    for (struct desc_type t; left >= 0; left--) {
        if (left == 0) {
            *p++ = ')';
            t = desc_return(desc->bytes, desc->length);
        } else {
            desc_next(&it, &t);
        }
        bool reference = t.kind == 'L' || t.kind == '[';
        if (reference && left == 1 && keep_last) p = mempcpy(p, t.text, t.len);
        else if (reference) p = mempcpy(p, object, sizeof object - 1);
        else *p++ = strchr("ZBCS", t.kind) != NULL ? 'I' : t.kind;
    }
    struct symbol *basic = symbol_intern(text, (size_t)(p - text));
    mem_free(text);
    return basic;
}

struct method *polymorphic_method(struct os_thread *self, struct class *in, struct symbol *name, struct symbol *desc) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (in != known_class(java_lang_invoke_MethodHandle) && in != known_class(java_lang_invoke_VarHandle)) return NULL;
    struct method *declared = NULL;
    for (struct method *m = NULL; declared == NULL && (m = class_next_method(in, m)) != NULL;) {
        if (m->name == name && (m->access_flags & (ACC_NATIVE | ACC_VARARGS)) == (ACC_NATIVE | ACC_VARARGS))
            declared = m;
    }
    if (declared == NULL) return NULL;
    enum method_entry entry = in == known_class(java_lang_invoke_MethodHandle) ? intrinsic_entry(name)
                                                                               : ENTRY_INVOKE_GENERIC;
    if (entry == ENTRY_INVOKE_GENERIC) {
        declared->flags |= METHOD_SIGNATURE_POLYMORPHIC;
        method_set_entry(declared, ENTRY_INVOKE_GENERIC);
        return declared;
    }
    struct symbol *basic = basic_descriptor(desc, entry != ENTRY_INVOKE_BASIC);
    struct method *found = basic ? find_intrinsic(name, basic) : NULL;
    struct method_type_intrinsics *made = basic && found == NULL ? holder_alloc(in, sizeof *made) : NULL;
    if (made == NULL) {
        symbol_release(basic);
        if (found == NULL) throw_out_of_memory(self, "method handle intrinsic");
        return found;
    }
    struct method *m = &made->method;
    m->holder = in;
    m->name = symbol_retain(name);
    m->desc = basic;
    m->access_flags = declared->access_flags & (uint16_t)~ACC_VARARGS; /* what its descriptor says, it takes */
    m->slot = UINT16_MAX;
    m->vtable_index = m->itable_index = -1;
    m->arg_slots = (uint8_t)(desc_symbol_arg_slots(basic) + (m->access_flags & ACC_STATIC ? 0 : 1));
    method_set_entry(m, entry);
    m->return_type = (uint8_t)basic_type_of_char(desc_symbol_return_kind(basic));
    m->flags = METHOD_SIGNATURE_POLYMORPHIC | METHOD_SYNTHETIC_VM | METHOD_HIDDEN;
    made->code.method = m;
    made->code.owner = in->version;
    made->code.max_locals = m->arg_slots;
    m->code = &made->code;
    made->next = atomic_load(&li()->polymorphic);
    while (!atomic_compare_exchange_weak(&li()->polymorphic, &made->next, made)) {
        found = find_intrinsic(name, basic);
        if (found != NULL) return found; /* the arena keeps the loser's record until the end */
    }
    return m;
}

/* ---- upcalls ----------------------------------------------------------------------------------------------------- */

/* The mirror of a type in the signature of a method that the class names. */
static struct object *type_of_descriptor(struct os_thread *self, struct class *accessing, const char *desc,
                                         size_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_of_descriptor(self, desc, length, accessing->loader);
    struct class *element = c != NULL ? class_element(c) : NULL;
    if (c == NULL) return NULL;
    if (class_is_primitive(element) || class_can_access_class(accessing, element)) return c->mirror;
    throw_illegal_access_class(self, accessing, element);
    return NULL;
}

struct object *resolve_method_type(struct os_thread *self, struct class *accessing, struct symbol *desc) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int n = desc_arg_count(desc->bytes, desc->length);
    struct class *array = class_array_of(self, known_class(java_lang_Class));
    if (array == NULL) return NULL;
    struct object *ptypes = heap_alloc_array(self, &array->shape, n);
    if (ptypes == NULL) return NULL;
    struct desc_type t;
    int i = 0;
    for (struct desc_iter it = desc_begin(desc->bytes, desc->length); desc_next(&it, &t); i++) {
        struct object *type = type_of_descriptor(self, accessing, t.text, t.len);
        if (type == NULL) return NULL;
        heap_array_set(ptypes, i, type);
    }
    struct desc_type r = desc_return(desc->bytes, desc->length);
    struct object *rtype = type_of_descriptor(self, accessing, r.text, r.len);
    if (rtype == NULL) return NULL;
    uint64_t args[2] = {slot_ref(rtype), slot_ref(ptypes)}, result;
    if (!class_ensure_initialized(self, natives_class())) return NULL;
    if (!java_call_static_named(self, natives_class(), "findMethodHandleType",
                                "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;", args, &result))
        return NULL;
    return slot_object(result);
}

static struct object *interned_name(struct os_thread *self, struct symbol *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *s = string_from_symbol(self, name, false);
    return s ? string_intern(self, s) : NULL;
}

static bool throw_inconsistent(struct os_thread *self, const struct classfile *cf, uint16_t cp_index,
                               struct class *in) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint16_t ref = cp_method_handle_ref(cf, cp_index);
    char *text = method_external_name(NULL, cp_ref_name(cf, ref), cp_ref_desc(cf, ref));
    const char *names[] = {"CONSTANT_MethodRef", "CONSTANT_InterfaceMethodRef"};
    throw_message(self, "java/lang/IncompatibleClassChangeError",
                  "Inconsistent constant pool data in classfile for class %s. Method '%s' at index %u is %s and should "
                  "be %s",
                  in->name->bytes, text ? text : "?", cp_index, names[!in->is_interface], names[in->is_interface]);
    mem_free(text);
    return false;
}

/* Resolves the member of class `in` that a MethodHandle constant names, as the instruction of that kind would. */
static bool resolve_named_member(struct os_thread *self, struct class_version *v, uint16_t cp_index, struct class *in) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    static const uint8_t opcodes[] = {[REF_invokeVirtual] = OP_invokevirtual, [REF_invokeStatic] = OP_invokestatic,
                                      [REF_invokeSpecial] = OP_invokespecial, [REF_newInvokeSpecial] = OP_invokespecial,
                                      [REF_invokeInterface] = OP_invokeinterface};
    const struct classfile *cf = v->cf;
    uint8_t kind = cp_method_handle_kind(cf, cp_index);
    uint16_t ref = cp_method_handle_ref(cf, cp_index);
    if (kind <= REF_putStatic)
        return look_up_field(self, v->class, in, cp_ref_name(cf, ref), cp_ref_desc(cf, ref)) != NULL;
    if (in->is_interface != (cp_tag(cf, ref) == CP_InterfaceMethodref))
        return throw_inconsistent(self, cf, cp_index, in);
    enum invoke_kind selection;
    return resolve_invoked(self, v, ref, opcodes[kind], &selection) != NULL;
}

struct object *link_method_handle_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    const struct classfile *cf = v->cf;
    uint8_t kind = cp_method_handle_kind(cf, cp_index);
    uint16_t ref = cp_method_handle_ref(cf, cp_index);
    struct class *in = resolve_class(self, v, cp_ref_class_index(cf, ref));
    if (in == NULL) return NULL;
    struct symbol *desc = cp_ref_desc(cf, ref);
    /* The member comes before its type. */
    if (!resolve_named_member(self, v, cp_index, in)) return NULL;
    struct object *type;
    if (desc->bytes[0] == '(') {
        type = resolve_method_type(self, c, desc);
    } else {                             /* a field's type may be one that the class cannot access */
        struct class *t = class_of_descriptor(self, desc->bytes, desc->length, c->loader);
        type = t ? t->mirror : NULL;
    }
    if (type == NULL) return NULL;
    struct object *name = interned_name(self, cp_ref_name(cf, ref));
    if (name == NULL || !class_ensure_initialized(self, natives_class())) return NULL;
    uint64_t args[5] = {slot_ref(c->mirror), kind, slot_ref(in->mirror), slot_ref(name), slot_ref(type)}, result;
    if (!java_call_static_named(self, natives_class(), "linkMethodHandleConstant",
                                "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/"
                                "invoke/MethodHandle;",
                                args, &result))
        return NULL;
    return slot_object(result);
}

static struct object *object_array(struct os_thread *self, int32_t n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *array = class_array_of(self, known_class(java_lang_Object));
    return array ? heap_alloc_array(self, &array->shape, n) : NULL;
}

/* The bootstrap method and its static arguments in the form that java.lang.invoke expects: null, one object, or
 * Object[]. */
static bool bootstrap(struct os_thread *self, struct class_version *v, uint16_t cp_index, struct object **method,
                      struct object **arguments) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct classfile *cf = v->cf;
    uint16_t b = cp_bootstrap_index(cf, cp_index), n = cf_bootstrap_arg_count(cf, b);
    uint64_t value;
    enum basic_type type;
    if (!resolve_constant(self, v, cf_bootstrap_method_ref(cf, b), &value, &type)) return false;
    *method = slot_object(value);
    *arguments = NULL;
    if (n == 0) return true;
    struct object *all = object_array(self, n);
    if (all == NULL) return false;
    for (uint16_t i = 0; i < n; i++) {
        struct object *o = resolve_boxed_constant(self, v, cf_bootstrap_arg(cf, b, i));
        if (self->exception) return false;
        heap_array_set(all, i, o);
    }
    struct object *first = heap_array_get(all, 0);
    *arguments = n == 1 && first != NULL && !class_is_array(class_of(first)) ? first : all;
    return true;
}

/* Errors pass; any other throwable becomes the cause of a BootstrapMethodError (JVMS 5.4.3.6). */
static void wrap_bootstrap_failure(struct os_thread *self, const char *what) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *e = exception_take(self);
    struct class *error = class_find_boot(self, "java/lang/Error");
    if (error != NULL && object_is_instance(e, error)) self->exception = e;
    else throw_cause(self, "java/lang/BootstrapMethodError", e, "%s", what);
}

struct object *link_dynamic_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *bsm, *arguments;
    struct class *c = v->class;
    struct symbol *desc = cp_ref_desc(v->cf, cp_index);
    if (!bootstrap(self, v, cp_index, &bsm, &arguments)) return NULL;
    struct class *type = class_of_descriptor(self, desc->bytes, desc->length, c->loader);
    struct object *name = type ? interned_name(self, cp_ref_name(v->cf, cp_index)) : NULL;
    if (name == NULL) return NULL;
    uint64_t args[6], result = 0;
    unsigned n = 0;
    args[n++] = slot_ref(c->mirror);
    if (vm->library == LIBRARY_17) args[n++] = cp_index;
    args[n++] = slot_ref(bsm);
    args[n++] = slot_ref(name);
    args[n++] = slot_ref(type->mirror);
    args[n++] = slot_ref(arguments);
    const char *d = vm->library == LIBRARY_17 ? "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/"
                                                "Object;Ljava/lang/Object;)Ljava/lang/Object;"
                                              : "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/"
                                                "Object;Ljava/lang/Object;)Ljava/lang/Object;";
    if (!class_ensure_initialized(self, natives_class())) return NULL;
    if (!java_call_static_named(self, natives_class(), "linkDynamicConstant", d, args, &result)) {
        wrap_bootstrap_failure(self, "Dynamic constant initialization exception");
        return NULL;
    }
    return slot_object(result);
}

/* ---- call sites -------------------------------------------------------------------------------------------------- */

/* First writer wins; the others use what it stored. */
static struct call_site *publish(struct os_thread *self, struct class *c, struct call_site *site, struct object *member,
                                 struct object *appendix) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *adapter = member_name_target(member);
    if (adapter == NULL) {
        throw_message(self, "java/lang/LinkageError", "bad method handle");
        return NULL;
    }
    if (!holder_add_root(self, c, appendix) || !holder_add_root(self, c, member)) return NULL;
    struct call_target *target = holder_alloc(c, sizeof *target), *expected = NULL;
    if (target == NULL) {
        throw_out_of_memory(self, "call site");
        return NULL;
    }
    target->adapter = adapter;
    target->appendix = appendix;
    atomic_compare_exchange_strong(&site->target, &expected, target);
    return site;
}

/* Linking failed. After a LinkageError the site fails so for ever, unless another thread has linked it meanwhile; after
 * anything else it is tried again. */
static struct call_site *fail(struct os_thread *self, struct class *c, struct call_site *site) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *e = exception_take(self), *expected = NULL;
    if (!object_is_instance(e, known_class(java_lang_LinkageError))) {
        self->exception = e;
        return NULL;
    }
    if (holder_add_root(self, c, e)) {
        atomic_compare_exchange_strong(&site->error, &expected, e);
        self->exception = e;
    }
    return NULL;
}

struct call_site *resolve_call_site(struct os_thread *self, struct class_version *v, uint32_t site_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    struct call_site *site = &v->call_sites[site_index];
    if (atomic_load_explicit(&site->target, memory_order_acquire) != NULL) return site;
    struct object *failed = atomic_load_explicit(&site->error, memory_order_acquire);
    if (failed != NULL) {
        throw_again(self, failed, NULL, false);      /* HotSpot has no cause then */
        return NULL;
    }
    uint16_t cp_index = site->cp_index;
    struct object *bsm, *arguments, *name, *type, *box_;
    if (!bootstrap(self, v, cp_index, &bsm, &arguments)) {
        wrap_bootstrap_failure(self, "CallSite bootstrap method initialization exception");
        return fail(self, c, site);
    }
    if ((type = resolve_method_type(self, c, cp_ref_desc(v->cf, cp_index))) == NULL) return fail(self, c, site);
    if ((name = interned_name(self, cp_ref_name(v->cf, cp_index))) == NULL || (box_ = object_array(self, 1)) == NULL)
        return NULL;
    uint64_t args[7], result;
    unsigned n = 0;
    args[n++] = slot_ref(c->mirror);
    if (vm->library == LIBRARY_17) args[n++] = cp_index;
    args[n++] = slot_ref(bsm);
    args[n++] = slot_ref(name);
    args[n++] = slot_ref(type);
    args[n++] = slot_ref(arguments);
    args[n++] = slot_ref(box_);
    const char *d = vm->library == LIBRARY_17
                        ? "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/"
                          "Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;"
                        : "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/"
                          "Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;";
    if (!class_ensure_initialized(self, natives_class())) return NULL;
    if (!java_call_static_named(self, natives_class(), "linkCallSite", d, args, &result)) {
        wrap_bootstrap_failure(self, "CallSite bootstrap method initialization exception");
        return fail(self, c, site);
    }
    return publish(self, c, site, slot_object(result), heap_array_get(box_, 0));
}

struct call_site *resolve_invoke_handle(struct os_thread *self, struct class_version *v, uint16_t cp_index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    struct class *in = resolve_class(self, v, cp_ref_class_index(v->cf, cp_index));
    if (in == NULL) return NULL;
    struct symbol *desc = cp_ref_desc(v->cf, cp_index);
    struct object *type = resolve_method_type(self, c, desc), *name, *box_;
    if (type == NULL || (name = interned_name(self, cp_ref_name(v->cf, cp_index))) == NULL ||
        (box_ = object_array(self, 1)) == NULL)
        return NULL;
    uint64_t args[6] = {slot_ref(c->mirror), REF_invokeVirtual, slot_ref(in->mirror),
                        slot_ref(name),      slot_ref(type),    slot_ref(box_)},
             result;
    if (!class_ensure_initialized(self, natives_class())) return NULL;
    if (!java_call_static_named(self, natives_class(), "linkMethod",
                                "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/"
                                "Object;)Ljava/lang/invoke/MemberName;",
                                args, &result))
        return NULL;
    struct call_site *site = holder_alloc(c, sizeof *site);
    if (site == NULL) {
        throw_out_of_memory(self, "call site");
        return NULL;
    }
    site->cp_index = cp_index;
    return publish(self, c, site, slot_object(result), heap_array_get(box_, 0));
}
