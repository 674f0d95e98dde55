/* The constant pool: reading, cross references, formats of names; symbols on demand. JVMS 4.4. */
#include "classfile/parse_internal.h"

/* ---- accessors ------------------------------------------------------------------------------------------------- */

struct symbol *cp_symbol(const struct classfile *cf, uint16_t i) {
    _Atomic uint64_t *cell = &cf->cp.cells[i];
    uint64_t held = atomic_load_explicit(cell, memory_order_acquire);
    if (LIKELY(held != 0)) return (struct symbol *)(uintptr_t)held;
    struct span text = cp_utf8(cf, i);
    struct symbol *s = symbol_intern((const char *)text.data, text.size);
    if (s == NULL) return NULL;
    if (!atomic_compare_exchange_strong_explicit(cell, &held, (uint64_t)(uintptr_t)s, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        symbol_release(s); /* another thread was first with the same symbol: one reference is enough */
        return (struct symbol *)(uintptr_t)held;
    }
    return s;
}

struct symbol *cp_class_name(const struct classfile *cf, uint16_t i) {
    return i == cf->this_class && cf->name != NULL ? cf->name : cp_symbol(cf, cp_utf8_index(cf, i));
}

/* ---- first pass: tags and positions ---------------------------------------------------------------------------- */

/* Bytes behind the tag; Utf8: its length field only. 0: no such tag. */
static uint32_t payload_size(uint8_t tag) {
    switch (tag) {
    case CP_Utf8:
    case CP_Class:
    case CP_String:
    case CP_MethodType:
    case CP_Module:
    case CP_Package: return 2;
    case CP_MethodHandle: return 3;
    case CP_Integer:
    case CP_Float:
    case CP_Fieldref:
    case CP_Methodref:
    case CP_InterfaceMethodref:
    case CP_NameAndType:
    case CP_Dynamic:
    case CP_InvokeDynamic: return 4;
    case CP_Long:
    case CP_Double: return 8;
    default: return 0;
    }
}

/* Oldest class file that may hold the tag. */
static uint16_t first_major(uint8_t tag) {
    switch (tag) {
    case CP_MethodHandle:
    case CP_MethodType:
    case CP_InvokeDynamic: return 51;
    case CP_Dynamic: return 55;
    default: return 45;
    }
}

static void set_offset(struct parse *ps, void *offsets, uint32_t i) {
    if (ps->cf->cp.wide) ((uint32_t *)offsets)[i] = parse_offset(ps);
    else ((uint16_t *)offsets)[i] = (uint16_t)parse_offset(ps);
}

static bool read_entries(struct parse *ps, void *offsets) {
    struct classfile *cf = ps->cf;
    for (uint32_t i = 1; i < cf->cp.count; i++) {
        uint8_t tag = take_u1(ps); /* one byte more than an entry needs was asked for before */
        bool module_only = tag == CP_Module || tag == CP_Package;
        uint32_t size = payload_size(tag);
        if (size == 0 || (module_only && cf->major < 53))
            return format_error(ps, "Unknown constant tag %u in class file %s", tag, ps->name);
        if (cf->major < first_major(tag))
            return format_error(ps, "Class file version does not support constant tag %u in class file %s", tag,
                                ps->name);
        if (size == 8 && i + 1 >= cf->cp.count)
            return format_error(ps, "Invalid constant pool entry %u in class file %s", i, ps->name);
        if (!parse_need(ps, tag == CP_Utf8 ? 2 : size + 1)) return false;
        set_offset(ps, offsets, i);
        if (tag == CP_Utf8) {
            uint16_t len = take_u2(ps);
            if (!parse_need(ps, len + 1u) || !check_utf8(ps, ps->p, len)) return false;
            ps->p += len;
            continue;
        }
        if (tag == CP_Dynamic || tag == CP_InvokeDynamic)
            ps->max_bootstrap_index = MAX(ps->max_bootstrap_index, (int32_t)cf_u2(ps->p));
        if (module_only && ps->bad_constant == 0)
            ps->bad_constant = tag; /* reported behind the access flags: ACC_MODULE has its own error */
        ps->p += size;
        if (size == 8) i++; /* the next index is unusable */
    }
    return true;
}

/* ---- second pass: cross references ----------------------------------------------------------------------------- */

static bool bad_index(struct parse *ps, uint16_t i) {
    return format_error(ps, "Invalid constant pool index %u in class file %s", i, ps->name);
}

static bool check_index(struct parse *ps, uint16_t i, uint8_t tag) {
    return cp_tag(ps->cf, i) == tag || bad_index(ps, i);
}

static bool check_method_handle(struct parse *ps, uint16_t i) {
    struct classfile *cf = ps->cf;
    uint16_t ref = cp_method_handle_ref(cf, i);
    if (ref == 0 || ref >= cf->cp.count) return bad_index(ps, ref);
    uint8_t tag = cp_tag(cf, ref);
    bool method = tag == CP_Methodref;
    switch (cp_method_handle_kind(cf, i)) {
    case REF_getField:
    case REF_getStatic:
    case REF_putField:
    case REF_putStatic:
        return tag == CP_Fieldref ||
               format_error(ps, "Invalid constant pool index %u in class file %s (not a field)", ref, ps->name);
    case REF_invokeStatic:
    case REF_invokeSpecial:
        method = method || (cf->major >= 52 && tag == CP_InterfaceMethodref);
        __attribute__((fallthrough));
    case REF_invokeVirtual:
    case REF_newInvokeSpecial:
        return method ||
               format_error(ps, "Invalid constant pool index %u in class file %s (not a method)", ref, ps->name);
    case REF_invokeInterface:
        return tag == CP_InterfaceMethodref ||
               format_error(ps, "Invalid constant pool index %u in class file %s (not an interface method)", ref,
                            ps->name);
    default: return format_error(ps, "Bad method handle kind at constant pool index %u in class file %s", i, ps->name);
    }
}

static bool check_references(struct parse *ps) {
    struct classfile *cf = ps->cf;
    for (uint32_t n = 1; n < cf->cp.count; n++) {
        uint16_t i = (uint16_t)n;
        bool fine = true;
        switch (cp_tag(cf, i)) {
        case CP_Fieldref:
        case CP_Methodref:
        case CP_InterfaceMethodref:
            fine = check_index(ps, cp_ref_class_index(cf, i), CP_Class) &&
                   check_index(ps, cp_ref_nat_index(cf, i), CP_NameAndType);
            break;
        case CP_NameAndType:
            fine = check_index(ps, cp_nat_name_index(cf, i), CP_Utf8) &&
                   check_index(ps, cp_nat_desc_index(cf, i), CP_Utf8);
            break;
        case CP_Class:
        case CP_String:
        case CP_MethodType: fine = check_index(ps, cp_utf8_index(cf, i), CP_Utf8); break;
        case CP_MethodHandle: fine = check_method_handle(ps, i); break;
        case CP_Dynamic:
        case CP_InvokeDynamic: fine = check_index(ps, cp_ref_nat_index(cf, i), CP_NameAndType); break;
        }
        if (!fine) return false;
    }
    return true;
}

/* ---- third pass: names and descriptors ------------------------------------------------------------------------- */

static bool starts_with(const struct classfile *cf, uint16_t utf8, char c) {
    struct span s = cp_utf8(cf, utf8);
    return s.size > 0 && s.data[0] == (uint8_t)c;
}

static bool returns_void(const struct classfile *cf, uint16_t desc) {
    struct span s = cp_utf8(cf, desc);
    return s.size >= 3 && s.data[0] == '(' && s.data[s.size - 1] == 'V' && s.data[s.size - 2] == ')';
}

static bool check_name_and_type(struct parse *ps, uint16_t i) {
    struct classfile *cf = ps->cf;
    uint16_t name = cp_nat_name_index(cf, i), desc = cp_nat_desc_index(cf, i);
    if (cp_utf8(cf, desc).size == 0)
        return format_error(ps, "Illegal zero length constant pool entry at %d in class %s", desc, ps->name);
    if (cp_utf8(cf, name).size == 0)
        return format_error(ps, "Illegal zero length constant pool entry at %d in class %s", name, ps->name);
    if (starts_with(cf, desc, '(')) {
        int slots;
        return check_method_name(ps, name) && check_method_descriptor(ps, name, desc, &slots);
    }
    return check_field_name(ps, name) && check_field_descriptor(ps, name, desc);
}

/* A ref or dynamic entry: has its NameAndType the right kind of descriptor? */
static bool check_ref(struct parse *ps, uint16_t i, uint8_t tag) {
    struct classfile *cf = ps->cf;
    uint16_t nat = cp_ref_nat_index(cf, i);
    uint16_t name = cp_nat_name_index(cf, nat), desc = cp_nat_desc_index(cf, nat);
    bool is_method = starts_with(cf, desc, '(');
    if (tag == CP_Fieldref) return !is_method || illegal_signature(ps, "Field", name, desc);
    if (tag == CP_Dynamic) return !is_method || illegal_signature(ps, "CONSTANT_Dynamic", name, desc);
    if (!is_method) return illegal_signature(ps, "Method", name, desc);
    if (tag == CP_Methodref && starts_with(cf, name, '<')) {
        if (!utf8_is(cf, name, "<init>"))
            return format_error(ps, "Bad method name at constant pool index %u in class file %s", name, ps->name);
        if (!returns_void(cf, desc)) return illegal_signature(ps, "Method", name, desc);
    }
    return true;
}

static bool check_method_handle_name(struct parse *ps, uint16_t i) {
    struct classfile *cf = ps->cf;
    uint8_t kind = cp_method_handle_kind(cf, i);
    if (kind < REF_invokeVirtual || kind > REF_newInvokeSpecial) return true;
    uint16_t nat = cp_ref_nat_index(cf, cp_method_handle_ref(cf, i));
    uint16_t name = cp_nat_name_index(cf, nat);
    bool constructor = utf8_is(cf, name, "<init>");
    if (!constructor && kind == REF_newInvokeSpecial)
        return format_error(ps, "Bad constructor name at constant pool index %u in class file %s", name, ps->name);
    if (constructor && !(kind == REF_newInvokeSpecial && returns_void(cf, cp_nat_desc_index(cf, nat))))
        return format_error(ps, "Bad method name at constant pool index %u in class file %s", name, ps->name);
    return true;
}

static bool check_method_type(struct parse *ps, uint16_t i) {
    int slots;
    return check_method_descriptor(ps, 0, cp_utf8_index(ps->cf, i), &slots);
}

static bool check_formats(struct parse *ps) {
    struct classfile *cf = ps->cf;
    for (uint32_t n = 1; n < cf->cp.count; n++) {
        uint16_t i = (uint16_t)n;
        uint8_t tag = cp_tag(cf, i);
        bool fine = true;
        switch (tag) {
        case CP_Class: fine = check_class_name(ps, cp_utf8_index(cf, i)); break;
        case CP_NameAndType: fine = check_name_and_type(ps, i); break;
        case CP_Fieldref:
        case CP_Methodref:
        case CP_InterfaceMethodref:
        case CP_Dynamic:
        case CP_InvokeDynamic: fine = check_ref(ps, i, tag); break;
        case CP_MethodHandle: fine = check_method_handle_name(ps, i); break;
        case CP_MethodType: fine = check_method_type(ps, i); break;
        }
        if (!fine) return false;
    }
    return true;
}

bool parse_constant_pool(struct parse *ps) {
    struct classfile *cf = ps->cf;
    if (!parse_need(ps, 3)) return false;
    uint16_t count = take_u2(ps);
    if (count < 1) return format_error(ps, "Illegal constant pool size %u in class file %s", count, ps->name);
    cf->cp.wide = cf->length > UINT16_MAX;
    cf->cp.cells = arena_alloc(ps->arena, pool_room(count, cf->cp.wide));
    if (cf->cp.cells == NULL) return parse_no_memory(ps);
    void *offsets = (void *)(cf->cp.cells + count);
    cf->cp.offsets = offsets;
    cf->cp.count = count;
    if (!read_entries(ps, offsets)) return false;
    if (ps->bad_constant != 0) return true;
    return check_references(ps) && (!ps->verify || check_formats(ps));
}
