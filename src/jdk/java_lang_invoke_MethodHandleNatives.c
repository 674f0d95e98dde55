/* java_lang_invoke_MethodHandleNatives.c — MemberName resolution for java.lang.invoke, and the stubs of
 * signature-polymorphic methods. */
#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "jdk/natives.h"
#include "jit/jit.h"
#include "jdk/reflect.h"
#include "link/resolve.h"

#define NATIVE(name) \
    static void name(struct os_thread *self UNUSED, struct method *m UNUSED, uint64_t *args UNUSED, \
                     uint64_t *result UNUSED)

enum {
    MN_IS_METHOD = 0x10000, MN_IS_CONSTRUCTOR = 0x20000, MN_IS_FIELD = 0x40000, MN_KIND_SHIFT = 24, MN_KIND_MASK = 0xf,
    MN_SEARCH_SUPERCLASSES = 0x100000, MN_SEARCH_INTERFACES = 0x200000, /* 17: getMembers */
    LM_UNCONDITIONAL = 32, LM_TRUSTED = -1
};

static uint32_t flags_of(struct object *mn) { return (uint32_t)field_load(mn, known_offset(MemberName_flags), T_INT); }
static struct object *ref_of(struct object *o, uint32_t offset) { return heap_load_ref(o, offset); }

/* ---- descriptors of MemberName.type ------------------------------------------------------------------------------ */

struct text { char *bytes; size_t length, capacity; bool failed; };

static void append(struct text *t, const char *s, size_t n) {
    if (t->failed) return;
    if (t->length + n + 1 > t->capacity) {
        size_t capacity = (t->length + n + 1) * 2;
        char *grown = mem_realloc(t->bytes, capacity);
        if (grown == NULL) { t->failed = true; return; }
        t->bytes = grown;
        t->capacity = capacity;
    }
    memcpy(t->bytes + t->length, s, n);
    t->length += n;
    t->bytes[t->length] = '\0';
}

static void append_class(struct text *t, struct class *c) {
    if (class_is_primitive(c)) {
        static const char letters[] = "????ZCFDBSIJ??V";
        append(t, &letters[c->basic_type], 1);
    } else if (class_is_array(c)) {
        append(t, c->name->bytes, c->name->length);
    } else {
        append(t, "L", 1);
        append(t, c->name->bytes, c->name->length);
        append(t, ";", 1);
    }
}

/* Descriptor symbol (+1 reference) of a MethodType, Class or String; NULL for anything else. */
static struct symbol *descriptor_of(struct object *type, bool create) {
    if (type == NULL) return NULL;
    struct class *k = class_of(type);
    if (k == known_class(java_lang_String)) return symbol_from_string(type, false);
    struct text t = {0};
    if (k == known_class(java_lang_Class)) {
        append_class(&t, class_of_mirror(type));
    } else if (k == known_class(java_lang_invoke_MethodType)) {
        struct object *ptypes = ref_of(type, known_offset(MethodType_ptypes));
        append(&t, "(", 1);
        for (int32_t i = 0; i < array_length(ptypes); i++) append_class(&t, class_of_mirror(heap_array_get(ptypes, i)));
        append(&t, ")", 1);
        append_class(&t, class_of_mirror(ref_of(type, known_offset(MethodType_rtype))));
    }
    struct symbol *s = t.bytes == NULL || t.failed ? NULL
                       : create                    ? symbol_intern(t.bytes, t.length)
                                                   : symbol_lookup(t.bytes, t.length);
    mem_free(t.bytes);
    return s;
}

/* ---- init, resolve, expand --------------------------------------------------------------------------------------- */

/* init(MemberName self, Object ref): from a Method, Constructor or Field. */
NATIVE(init) {
    struct object *mn = arg_object(args, 0), *ref = arg_object(args, 1);
    if (mn == NULL || ref == NULL) { throw_message(self, "java/lang/InternalError", "init of null"); return; }
    struct class *k = class_of(ref);
    if (k == known_class(java_lang_reflect_Field)) {
        struct class *c = class_of_mirror(ref_of(ref, known_offset(Field_clazz)));
        member_name_init_field(self, mn, &c->fields[(uint32_t)field_load(ref, known_offset(Field_slot), T_INT)], false);
    } else if (k == known_class(java_lang_reflect_Method) || k == known_class(java_lang_reflect_Constructor)) {
        struct method *m = reflected_method(ref);    /* a deleted one: it is left unresolved */
        if (m != NULL) member_name_init_method(self, mn, m, m->holder, k == known_class(java_lang_reflect_Method));
    } else {
        throw_message(self, "java/lang/InternalError", "unrecognized type of reference: %s", k->name->bytes);
    }
}

static bool access_allowed(struct os_thread *self, struct class *caller, struct class *resolved,
                           struct class *declaring, uint16_t access, bool trusted) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (trusted || caller == NULL) return true;
    bool threw = false;
    return class_can_access_member(self, caller, resolved, declaring, access, &threw) || threw;
}

static struct method *look_up_method(struct os_thread *self, struct class *in, struct class *caller,
                                     struct symbol *name, struct symbol *desc, uint32_t kind, int32_t mode) {
    bool trusted = mode == LM_TRUSTED;
    struct method *found;
    if (strcmp(name->bytes, "<init>") == 0) found = class_find_method(in, name, desc);
    else found = in->is_interface ? class_lookup_interface_method(in, name, desc) : class_lookup_method(in, name, desc);
    if (found == NULL && !in->is_interface) found = polymorphic_method(self, in, name, desc);
    if (self->exception) return NULL;
    bool is_static = found != NULL && (found->access_flags & ACC_STATIC) != 0;
    if (found == NULL || (found->entry == ENTRY_INVOKE_GENERIC && kind == REF_invokeStatic)) {
        char *text = method_external_name(in, name, desc);
        throw_message(self, "java/lang/NoSuchMethodError", "'%s'", text ? text : "?");
        mem_free(text);
        return NULL;
    }
    if (kind == REF_invokeStatic ? !is_static : is_static) {
        char *text = method_external_name(in, name, desc);
        throw_message(self, "java/lang/IncompatibleClassChangeError",
                      kind == REF_invokeStatic ? "Expected static method '%s'"
                                               : "Expected instance not static method '%s'",
                      text ? text : "?");
        mem_free(text);
        return NULL;
    }
    if (!access_allowed(self, caller, in, found->holder, found->access_flags, trusted)) {
        if (!self->exception) throw_illegal_access_method(self, caller, in, found);
        return NULL;
    }
    if (self->exception) return NULL;
    if (kind == REF_invokeSpecial && caller != NULL && method_select_special(self, caller, in, found) == NULL)
        return NULL;
    bool constrained = caller != NULL && !trusted && mode != LM_UNCONDITIONAL;
    return constrained && !check_method_constraint(self, caller, in, found) ? NULL : found;
}

/* mode: of the Lookup, whose LM_UNCONDITIONAL and LM_TRUSTED matter here. */
static bool resolve_into(struct os_thread *self, struct object *mn, struct class *caller, int32_t mode) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint32_t flags = flags_of(mn), kind = flags >> MN_KIND_SHIFT & MN_KIND_MASK;
    struct object *clazz = ref_of(mn, known_offset(MemberName_clazz)),
                  *name_object = ref_of(mn, known_offset(MemberName_name)),
                  *type = ref_of(mn, known_offset(MemberName_type));
    if (clazz == NULL || name_object == NULL || type == NULL) {
        throw_message(self, "java/lang/LinkageError", "nothing to resolve");
        return false;
    }
    struct class *in = class_of_mirror(clazz);
    if (class_is_primitive(in)) return false;
    if (class_is_array(in) && (flags & MN_IS_FIELD)) return false;
    if (!class_link(self, in)) return false;
    struct symbol *name = symbol_from_string(name_object, false), *desc = descriptor_of(type, true);
    bool ok = false;
    if (name == NULL || desc == NULL) {
        if (!self->exception) throw_out_of_memory(self, "symbol");
    } else if (flags & MN_IS_FIELD) {
        /* the library checks the access of fields itself */
        struct field *f = look_up_field(self, mode == LM_TRUSTED ? NULL : caller, in, name, desc);
        ok = f != NULL && member_name_init_field(self, mn, f, kind == REF_putField || kind == REF_putStatic);
    } else {
        struct method *target = look_up_method(self, in, caller, name, desc, kind, mode);
        if (target != NULL) {
            bool dispatch = kind == REF_invokeVirtual || kind == REF_invokeInterface;
            if (kind == REF_invokeSpecial && in->is_interface == false && target->entry == ENTRY_UNLINKED)
                class_link(self, target->holder);
            ok = !self->exception && member_name_init_method(self, mn, target, in, dispatch);
        }
    }
    if (name != NULL) symbol_release(name);
    if (desc != NULL) symbol_release(desc);
    return ok;
}

/* resolve(MemberName self, Class caller, int lookupMode, boolean speculativeResolve) */
NATIVE(resolve) {
    struct object *mn = arg_object(args, 0);
    struct class *caller = arg_object(args, 1) ? class_of_mirror(arg_object(args, 1)) : NULL;
    bool speculative = args[3] & 1;
    *result = 0;
    if (mn == NULL) { throw_message(self, "java/lang/InternalError", "nothing to resolve"); return; }
    if (ref_of(mn, known_offset(MemberName_method)) != NULL) { *result = slot_ref(mn); return; }
    uint32_t kind = flags_of(mn) >> MN_KIND_SHIFT & MN_KIND_MASK;
    if (kind < REF_getField || kind > REF_invokeInterface) {
        throw_message(self, "java/lang/InternalError", "obsolete MemberName format");
        return;
    }
    if (resolve_into(self, mn, caller, arg_int(args, 2))) {
        *result = slot_ref(mn);
        return;
    }
    if (speculative && self->exception) {
        struct object *e = exception_take(self);     /* nothing may be pending when a class is looked for */
        struct class *linkage = class_find_boot(self, "java/lang/LinkageError");
        if (linkage == NULL || !object_is_instance(e, linkage)) self->exception = e;
    } else if (!speculative && !self->exception) {
        throw_message(self, "java/lang/LinkageError", "MemberName cannot be resolved");
    }
}

/* expand(MemberName self): class, name and type from the target. */
NATIVE(expand) {
    struct object *mn = arg_object(args, 0);
    uint32_t flags = flags_of(mn);
    if (flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR)) {
        struct method *target = member_name_target(mn);
        if (target == NULL) { throw_message(self, "java/lang/InternalError", "nothing to expand"); return; }
        if (ref_of(mn, known_offset(MemberName_clazz)) == NULL)
            heap_store_ref(mn, known_offset(MemberName_clazz), target->holder->mirror);
        struct object *name = string_from_symbol(self, target->name, false);
        if (name == NULL || (name = string_intern(self, name)) == NULL) return;
        heap_store_ref(mn, known_offset(MemberName_name), name);
        struct object *type = string_from_symbol(self, target->desc, false);
        if (type != NULL) heap_store_ref(mn, known_offset(MemberName_type), type);
        return;
    }
    struct object *clazz = ref_of(mn, known_offset(MemberName_clazz));
    if (!(flags & MN_IS_FIELD) || clazz == NULL) {
        throw_message(self, "java/lang/InternalError", "unrecognized MemberName format");
        return;
    }
    struct class *c = class_of_mirror(clazz);
    bool is_static = (flags & ACC_STATIC) != 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        struct field *f = &c->fields[i];
        if (((f->access_flags & ACC_STATIC) != 0) != is_static || (int64_t)f->offset != member_name_vmindex(mn))
            continue;
        struct object *name = string_from_symbol(self, f->name, false);
        if (name == NULL || (name = string_intern(self, name)) == NULL) return;
        heap_store_ref(mn, known_offset(MemberName_name), name);
        struct object *type = string_from_symbol(self, f->desc, false);
        if (type != NULL) heap_store_ref(mn, known_offset(MemberName_type), type);
        return;
    }
    throw_message(self, "java/lang/InternalError", "field not found");
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

NATIVE(member_offset) {
    struct object *mn = arg_object(args, 0);
    if (mn == NULL || !(flags_of(mn) & MN_IS_FIELD)) {
        throw_message(self, "java/lang/InternalError", "not a field");
        return;
    }
    *result = (uint64_t)member_name_vmindex(mn);
}
NATIVE(static_field_base) {
    struct object *mn = arg_object(args, 0);
    struct object *clazz = mn ? ref_of(mn, known_offset(MemberName_clazz)) : NULL;
    if (clazz == NULL) { throw_message(self, "java/lang/InternalError", "not a static field"); return; }
    *result = slot_ref(class_of_mirror(clazz)->statics);
}
/* getMemberVMInfo(MemberName self): {Long vmindex, target} */
NATIVE(member_vm_info) {
    struct object *mn = arg_object(args, 0);
    struct class *array = class_array_of(self, known_class(java_lang_Object));
    struct object *pair = array ? heap_alloc_array(self, &array->shape, 2) : NULL;
    struct object *index = pair ? box(self, T_LONG, (uint64_t)member_name_vmindex(mn)) : NULL;
    if (index == NULL) return;
    heap_array_set(pair, 0, index);
    heap_array_set(pair, 1, flags_of(mn) & MN_IS_FIELD ? ref_of(mn, known_offset(MemberName_clazz)) : mn);
    *result = slot_ref(pair);
}
NATIVE(set_call_site_target) {
    if (arg_object(args, 0) == NULL) { throw_new(self, "java/lang/NullPointerException"); return; }
    jit_set_target(self, arg_object(args, 0), arg_object(args, 1));
}
/* copyOutBootstrapArguments is asked only in pull mode, which this VM never uses: arguments are always
 * resolved first. */
NATIVE(copy_out_arguments) { throw_message(self, "java/lang/InternalError", "bootstrap arguments are not pulled"); }
NATIVE(no_named_constants) { *result = 0; }

/* 17: getMembers(Class defc, String matchName, String matchSig, int matchFlags, Class caller, int skip, MemberName[]
 * results) */
NATIVE(get_members) {
    struct class *c = class_of_mirror(arg_object(args, 0));
    struct symbol *name = arg_object(args, 1) ? symbol_from_string(arg_object(args, 1), false) : NULL;
    struct symbol *desc = arg_object(args, 2) ? symbol_from_string(arg_object(args, 2), false) : NULL;
    uint32_t flags = (uint32_t)args[3];
    struct class *caller = arg_object(args, 4) ? class_of_mirror(arg_object(args, 4)) : NULL;
    int32_t skip = arg_int(args, 5), found = 0;
    struct object *results = arg_object(args, 6);
    if (class_is_primitive(c) || !class_link(self, c)) goto done;
    for (struct class *k = c; k != NULL; k = flags & MN_SEARCH_SUPERCLASSES ? k->super : NULL) {
        for (uint32_t i = 0; flags & MN_IS_FIELD && i < k->field_count; i++) {
            struct field *f = &k->fields[i];
            bool threw = false;
            if (f->cf == NULL || (name && f->name != name) || (desc && f->desc != desc)) continue;
            if (caller && !class_can_access_member(self, caller, k, k, f->access_flags, &threw)) continue;
            if (skip-- > 0) continue;
            if (results && found < array_length(results) && heap_array_get(results, found)
                && !member_name_init_field(self, heap_array_get(results, found), f, false)) goto done;
            found++;
        }
        bool methods = flags & (MN_IS_METHOD | MN_IS_CONSTRUCTOR);
        for (struct method *x = NULL; methods && (x = class_next_method(k, x)) != NULL;) {
            bool threw = false;
            if (x->flags & METHOD_CLINIT || (name && x->name != name) || (desc && x->desc != desc)) continue;
            if (!(flags & (x->flags & METHOD_INIT ? MN_IS_CONSTRUCTOR : MN_IS_METHOD))) continue;
            if (caller && !class_can_access_member(self, caller, k, k, x->access_flags, &threw)) continue;
            if (skip-- > 0) continue;
            if (results && found < array_length(results) && heap_array_get(results, found)
                && !member_name_init_method(self, heap_array_get(results, found), x, k, true)) goto done;
            found++;
        }
    }
done:
    if (name != NULL) symbol_release(name);
    if (desc != NULL) symbol_release(desc);
    *result = (uint32_t)found;
}

static const struct native_binding bindings[] = {
    {"registerNatives", "()V", native_nothing, IN_BOTH}, {"init", NULL, init, IN_BOTH},
    {"expand", NULL, expand, IN_BOTH},
    {"resolve", NULL, resolve, IN_BOTH}, {"objectFieldOffset", NULL, member_offset, IN_BOTH},
    {"staticFieldOffset", NULL, member_offset, IN_BOTH},
    {"staticFieldBase", NULL, static_field_base, IN_BOTH}, {"getMemberVMInfo", NULL, member_vm_info, IN_BOTH},
    {"setCallSiteTargetNormal", NULL, set_call_site_target, IN_BOTH},
    {"setCallSiteTargetVolatile", NULL, set_call_site_target, IN_BOTH},
    {"copyOutBootstrapArguments", NULL, copy_out_arguments, IN_BOTH},
    {"getNamedCon", NULL, no_named_constants, IN_BOTH},
    {"getMembers", NULL, get_members, IN_17}, {"clearCallSiteContext", NULL, native_nothing, IN_17},
};
const struct native_class natives_java_lang_invoke_MethodHandleNatives = {"java/lang/invoke/MethodHandleNatives",
                                                                          bindings, ARRAY_LEN(bindings), IN_BOTH};

/* getStaticFieldFromBaseAndOffset(Object base, long offset, Class type): the Field. Its own code takes the base for the
 * class. */
NATIVE(static_field_of_base) {
    struct class *c = class_of_statics(arg_object(args, 0));
    struct method *get = class_method_cstr(known_class(java_lang_Class), "getDeclaredFields0",
                                           "(Z)[Ljava/lang/reflect/Field;");
    uint64_t with[2] = {slot_ref(c->mirror), false}, all = 0;
    if (!java_call(self, get, with, &all)) return;
    for (int32_t i = 0; i < array_length(slot_object(all)); i++) {
        struct object *o = heap_array_get(slot_object(all), i);
        const struct field *f = &c->fields[(uint32_t)field_load(o, known_offset(Field_slot), T_INT)];
        if (!(f->access_flags & ACC_STATIC) || f->offset != (uint64_t)arg_long(args, 1)) continue;
        *result = slot_ref(o);
        return;
    }
    throw_message(self, "java/lang/InternalError", "Static field not found at offset");
}
static const struct native_binding var_handles_bindings[] = {
    {"getStaticFieldFromBaseAndOffset", NULL, static_field_of_base, INSTEAD_17},
};
const struct native_class natives_java_lang_invoke_VarHandles = {"java/lang/invoke/VarHandles", var_handles_bindings,
                                                                 ARRAY_LEN(var_handles_bindings), IN_17};

/* Reached only reflectively or through JNI; bytecode links through MethodHandleNatives.linkMethod. */
NATIVE(polymorphic_reflectively) {
    if (m->holder == known_class(java_lang_invoke_MethodHandle))
        throw_message(self, "java/lang/UnsupportedOperationException", "MethodHandle.%s cannot be invoked reflectively",
                      m->name->bytes);
    else
        throw_message(self, "java/lang/UnsupportedOperationException",
                      "VarHandle access mode methods cannot be invoked reflectively");
}
static const struct native_binding handle_bindings[] = {
    {"invokeExact", NULL, polymorphic_reflectively, IN_BOTH}, {"invoke", NULL, polymorphic_reflectively, IN_BOTH},
};
const struct native_class natives_java_lang_invoke_MethodHandle = {"java/lang/invoke/MethodHandle", handle_bindings,
                                                                   ARRAY_LEN(handle_bindings), IN_BOTH};

#define VAR_HANDLE(name) {name, NULL, polymorphic_reflectively, IN_BOTH}
static const struct native_binding var_handle_bindings[] = {
    VAR_HANDLE("get"), VAR_HANDLE("set"), VAR_HANDLE("getVolatile"), VAR_HANDLE("setVolatile"),
    VAR_HANDLE("getOpaque"), VAR_HANDLE("setOpaque"),
    VAR_HANDLE("getAcquire"), VAR_HANDLE("setRelease"), VAR_HANDLE("compareAndSet"), VAR_HANDLE("compareAndExchange"),
    VAR_HANDLE("compareAndExchangeAcquire"), VAR_HANDLE("compareAndExchangeRelease"),
    VAR_HANDLE("weakCompareAndSetPlain"),
    VAR_HANDLE("weakCompareAndSet"), VAR_HANDLE("weakCompareAndSetAcquire"), VAR_HANDLE("weakCompareAndSetRelease"),
    VAR_HANDLE("getAndSet"),
    VAR_HANDLE("getAndSetAcquire"), VAR_HANDLE("getAndSetRelease"), VAR_HANDLE("getAndAdd"),
    VAR_HANDLE("getAndAddAcquire"),
    VAR_HANDLE("getAndAddRelease"), VAR_HANDLE("getAndBitwiseOr"), VAR_HANDLE("getAndBitwiseOrAcquire"),
    VAR_HANDLE("getAndBitwiseOrRelease"),
    VAR_HANDLE("getAndBitwiseAnd"), VAR_HANDLE("getAndBitwiseAndAcquire"), VAR_HANDLE("getAndBitwiseAndRelease"),
    VAR_HANDLE("getAndBitwiseXor"),
    VAR_HANDLE("getAndBitwiseXorAcquire"), VAR_HANDLE("getAndBitwiseXorRelease"),
};
const struct native_class natives_java_lang_invoke_VarHandle = {"java/lang/invoke/VarHandle", var_handle_bindings,
                                                                ARRAY_LEN(var_handle_bindings), IN_BOTH};
