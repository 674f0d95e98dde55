/* Attributes of the class itself. JVMS 4.7.6-4.7.11, 4.7.23, 4.7.28-4.7.31. */
#include "classfile/parse_internal.h"

/* Attributes that may stand only once, seen so far, and those whose content is read after all others. */
struct class_attributes {
    bool source_debug_extension, enclosing_method, bootstrap_methods, nest_host;
    bool inner_classes, nest_members, record, permitted_subclasses;
    uint32_t record_at;
};

static bool multiple(struct parse *ps, const char *name) {
    return format_error(ps, "Multiple %s attributes in class file %s", name, ps->name);
}

/* ---- small ones ------------------------------------------------------------------------------------------------ */

static bool parse_source_file(struct parse *ps, uint32_t len) {
    struct classfile *cf = ps->cf;
    if (len != 2) return format_error(ps, "Wrong SourceFile attribute length in class file %s", ps->name);
    if (cf->source_file != 0) return multiple(ps, "SourceFile");
    cf->source_file = cf_u2(ps->p);
    return valid_utf8(ps, cf->source_file) ||
           format_error(ps, "Invalid SourceFile attribute at constant pool index %u in class file %s", cf->source_file,
                        ps->name);
}

static bool parse_class_signature(struct parse *ps, uint32_t len) {
    struct classfile *cf = ps->cf;
    if (cf->signature != 0) return multiple(ps, "Signature");
    if (len != 2) return format_error(ps, "Wrong Signature attribute length %u in class file %s", len, ps->name);
    cf->signature = cf_u2(ps->p);
    return valid_utf8(ps, cf->signature) ||
           format_error(ps, "Invalid constant pool index %u in Signature attribute in class file %s", cf->signature,
                        ps->name);
}

static bool parse_enclosing_method(struct parse *ps, struct class_attributes *seen, uint32_t len) {
    struct classfile *cf = ps->cf;
    if (seen->enclosing_method) return multiple(ps, "EnclosingMethod");
    seen->enclosing_method = true;
    if (len != 4) return format_error(ps, "Wrong EnclosingMethod attribute length %u in class file %s", len, ps->name);
    cf->enclosing_class = cf_u2(ps->p);
    cf->enclosing_method = cf_u2(ps->p + 2);
    if (cf->enclosing_class == 0)
        return format_error(ps, "Invalid class index in EnclosingMethod attribute in class file %s", ps->name);
    if (!valid_class(ps, cf->enclosing_class))
        return format_error(ps, "Invalid or out-of-bounds class index in EnclosingMethod attribute in class file %s",
                            ps->name);
    if (cf->enclosing_method != 0 && cp_tag(cf, cf->enclosing_method) != CP_NameAndType)
        return format_error(ps, "Invalid or out-of-bounds method index in EnclosingMethod attribute in class file %s",
                            ps->name);
    return true;
}

static bool parse_nest_host(struct parse *ps, struct class_attributes *seen, uint32_t len) {
    struct classfile *cf = ps->cf;
    if (seen->nest_host) return multiple(ps, "NestHost");
    seen->nest_host = true;
    if (seen->nest_members)
        return format_error(ps, "Conflicting NestMembers and NestHost attributes in class file %s", ps->name);
    if (len != 2) return format_error(ps, "Wrong NestHost attribute length in class file %s", ps->name);
    cf->nest_host = cf_u2(ps->p);
    return valid_class(ps, cf->nest_host) ||
           format_error(ps, "Nest-host class_info_index %u has bad constant type in class file %s", cf->nest_host,
                        ps->name);
}

static bool note_nest_members(struct parse *ps, struct class_attributes *seen) {
    if (seen->nest_members) return multiple(ps, "NestMembers");
    seen->nest_members = true;
    if (seen->nest_host)
        return format_error(ps, "Conflicting NestHost and NestMembers attributes in class file %s", ps->name);
    ps->cf->nest_members = parse_offset(ps);
    return true;
}

static bool note_permitted_subclasses(struct parse *ps, struct class_attributes *seen) {
    if (seen->permitted_subclasses) return multiple(ps, "PermittedSubclasses");
    if (ps->cf->access_flags & ACC_FINAL)
        return format_error(ps, "PermittedSubclasses attribute in final class file %s", ps->name);
    seen->permitted_subclasses = true;
    ps->cf->permitted_subclasses = parse_offset(ps);
    ps->cf->is_sealed = true;
    return true;
}

static bool keep_annotations(struct parse *ps, uint32_t *slot, const char *name) {
    if (*slot != 0) return multiple(ps, name);
    *slot = parse_offset(ps);
    return true;
}

/* ---- BootstrapMethods ------------------------------------------------------------------------------------------ */

static bool loadable(uint8_t tag) {
    switch (tag) {
    case CP_Integer:
    case CP_Float:
    case CP_Long:
    case CP_Double:
    case CP_Class:
    case CP_String:
    case CP_MethodHandle:
    case CP_MethodType:
    case CP_Dynamic: return true;
    default: return false;
    }
}

static bool parse_bootstrap_methods(struct parse *ps, struct class_attributes *seen, uint32_t len) {
    struct classfile *cf = ps->cf;
    if (seen->bootstrap_methods) return multiple(ps, "BootstrapMethods");
    seen->bootstrap_methods = true;
    if (len < 2)
        return format_error(ps, "Invalid BootstrapMethods attribute length %u in class file %s", len, ps->name);
    const uint8_t *p = ps->p, *end = p + len;
    uint32_t count = cf_u2(p);
    p += 2;
    if (ps->max_bootstrap_index >= (int32_t)count)
        return format_error(ps, "Short length on BootstrapMethods in class file %s", ps->name);
    uint32_t *offsets = arena_alloc_last(ps->arena, count * sizeof *offsets);
    if (offsets == NULL) return parse_no_memory(ps);
    for (uint32_t b = 0; b < count; b++) {
        if (ps->end - p < 4) /* the file's end: the attribute's comes second, as in HotSpot */
            return format_error(ps, "Truncated class file");
        uint16_t method = cf_u2(p);
        uint32_t args = cf_u2(p + 2);
        if (cp_tag(cf, method) != CP_MethodHandle)
            return format_error(ps, "bootstrap_method_index %u has bad constant type in class file %s", method,
                                ps->name);
        offsets[b] = (uint32_t)(p - cf->bytes);
        p += 4;
        if (end - p < 2 * (ptrdiff_t)args)
            return format_error(
                ps, "Invalid BootstrapMethods num_bootstrap_methods or num_bootstrap_arguments value in class file %s",
                ps->name);
        for (uint32_t k = 0; k < args; k++, p += 2)
            if (!loadable(cp_tag(cf, cf_u2(p))))
                return format_error(ps, "argument_index %u has bad constant type in class file %s", cf_u2(p), ps->name);
    }
    if (p != end) return format_error(ps, "Bad length on BootstrapMethods in class file %s", ps->name);
    cf->bootstrap_count = (uint16_t)count;
    cf->bootstrap_offsets = offsets;
    return true;
}

/* ---- InnerClasses ---------------------------------------------------------------------------------------------- */

static bool check_inner_class(struct parse *ps, struct cf_inner_class c) {
    struct classfile *cf = ps->cf;
    if (!valid_class(ps, c.inner_class))
        return format_error(ps, "inner_class_info_index %u has bad constant type in class file %s", c.inner_class,
                            ps->name);
    if (c.outer_class != 0 && !valid_class(ps, c.outer_class))
        return format_error(ps, "outer_class_info_index %u has bad constant type in class file %s", c.outer_class,
                            ps->name);
    if (c.outer_class != 0) {
        struct span outer = cp_utf8(cf, cp_utf8_index(cf, c.outer_class));
        if (outer.size > 0 && outer.data[0] == '[')
            return format_error(ps, "Outer class is an array class in class file %s", ps->name);
    }
    if (c.inner_name != 0 && !valid_utf8(ps, c.inner_name))
        return format_error(ps, "inner_name_index %u has bad constant type in class file %s", c.inner_name, ps->name);
    if (ps->verify && c.inner_class == c.outer_class)
        return format_error(ps, "Class is both outer and inner class in class file %s", ps->name);
    uint16_t flags = c.access_flags &
                     (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL | ACC_SUPER | ACC_INTERFACE |
                      ACC_ABSTRACT | ACC_SYNTHETIC | ACC_ANNOTATION | ACC_ENUM | (cf->major >= 53 ? ACC_MODULE : 0));
    if ((flags & ACC_INTERFACE) && cf->major < 50) flags |= ACC_ABSTRACT;
    return check_class_flags(ps, flags);
}

/* Rows by class name: open addressing, row number + 1. */
struct inner_class_index {
    const struct classfile *cf;
    uint32_t *slots;
    uint32_t mask;
};

static struct symbol *class_symbol(const struct classfile *cf, uint16_t class_index) {
    return cp_symbol(cf, cp_utf8_index(cf, class_index));
}

static uint32_t *inner_class_slot(const struct inner_class_index *index, const struct symbol *name) {
    uint32_t at = name->hash & index->mask;
    while (index->slots[at] != 0 &&
           class_symbol(index->cf, cf_inner_class_at(index->cf, (uint16_t)(index->slots[at] - 1)).inner_class) != name)
        at = (at + 1) & index->mask;
    return &index->slots[at];
}

enum { UNVISITED, ON_PATH, ENDS };

/* Follows the outer classes from row `k`; true if that never ends. `state` makes all walks together linear. */
static bool outer_chain_is_circular(const struct inner_class_index *index, uint32_t k, uint8_t *state, uint32_t *path) {
    uint32_t depth = 0;
    bool circular = false;
    for (;;) {
        if (state[k] != UNVISITED) {
            circular = state[k] == ON_PATH;
            break;
        }
        state[k] = ON_PATH;
        path[depth++] = k;
        uint16_t outer = cf_inner_class_at(index->cf, (uint16_t)k).outer_class;
        if (outer == 0) break;
        uint32_t next = *inner_class_slot(index, class_symbol(index->cf, outer));
        if (next == 0) break;
        k = next - 1;
    }
    for (uint32_t d = 0; d < depth; d++) state[path[d]] = circular ? ON_PATH : ENDS;
    return circular;
}

enum inner_classes_check { INNER_FINE, INNER_IGNORE, INNER_DUPLICATE, INNER_NO_MEMORY };

static bool same_row(struct cf_inner_class a, struct cf_inner_class b) {
    return a.inner_class == b.inner_class && a.outer_class == b.outer_class && a.inner_name == b.inner_name &&
           a.access_flags == b.access_flags;
}

/* HotSpot's order: for every row its circularity, then the next row with the same inner class. */
static enum inner_classes_check check_rows(const struct inner_class_index *index, uint32_t count,
                                           const uint32_t *next_same, uint8_t *state, uint32_t *path) {
    const struct classfile *cf = index->cf;
    for (uint32_t k = 0; k < count; k++) {
        if (outer_chain_is_circular(index, k, state, path)) return INNER_IGNORE;
        if (next_same[k] != 0) {
            struct cf_inner_class a = cf_inner_class_at(cf, (uint16_t)k),
                                  b = cf_inner_class_at(cf, (uint16_t)next_same[k]);
            return cf->major >= 49 && same_row(a, b) ? INNER_DUPLICATE : INNER_IGNORE;
        }
    }
    return INNER_FINE;
}

static enum inner_classes_check check_circularity(const struct classfile *cf) {
    uint32_t count = cf_inner_class_count(cf), capacity = 4;
    while (capacity < 2 * count) capacity *= 2;
    uint32_t *memory = mem_calloc(capacity + 2 * (size_t)count + cf->cp.count, sizeof *memory);
    uint8_t *state = mem_zalloc(count);
    enum inner_classes_check result = INNER_NO_MEMORY;
    if (memory != NULL && state != NULL) {
        struct inner_class_index index = { cf, memory, capacity - 1 };
        uint32_t *next_same = memory + capacity, *path = next_same + count, *last = path + count;
        result = INNER_FINE;
        for (uint32_t k = count; k-- > 0;) {
            struct symbol *name = class_symbol(cf, cf_inner_class_at(cf, (uint16_t)k).inner_class);
            if (name == NULL) {
                result = INNER_NO_MEMORY;
                break;
            }
            *inner_class_slot(&index, name) = k + 1; /* backwards: the first row with a name stays */
            uint16_t inner = cf_inner_class_at(cf, (uint16_t)k).inner_class;
            next_same[k] = last[inner];
            last[inner] = k;
        }
        for (uint32_t k = 0; k < count && result == INNER_FINE; k++) {
            uint16_t outer = cf_inner_class_at(cf, (uint16_t)k).outer_class;
            if (outer != 0 && class_symbol(cf, outer) == NULL) result = INNER_NO_MEMORY;
        }
        if (result == INNER_FINE) result = check_rows(&index, count, next_same, state, path);
    }
    mem_free(state);
    mem_free(memory);
    return result;
}

/* A list attribute: u2 count, then `row` bytes each. Refused as truncated if the rows run out of the file. */
static bool list_fits(struct parse *ps, uint32_t at, uint32_t row) {
    ps->p = ps->cf->bytes + at;
    return parse_need(ps, 2) && parse_need(ps, 2 + row * cf_u2(ps->p));
}

static bool parse_inner_classes(struct parse *ps) {
    struct classfile *cf = ps->cf;
    if (!list_fits(ps, cf->inner_classes, 8)) return false;
    uint16_t count = cf_inner_class_count(cf);
    for (uint32_t k = 0; k < count; k++)
        if (!check_inner_class(ps, cf_inner_class_at(cf, (uint16_t)k))) return false;
    uint32_t length = (uint32_t)cf_attribute(cf, cf->inner_classes).size;
    if (ps->verify && count > 0) {
        switch (check_circularity(cf)) {
        case INNER_FINE: break;
        case INNER_IGNORE: cf->inner_classes = 0; break;
        case INNER_DUPLICATE:
            return format_error(ps, "Duplicate entry in InnerClasses attribute in class file %s", ps->name);
        case INNER_NO_MEMORY: return parse_no_memory(ps);
        }
    }
    if (length != 2 + 8u * count && (cf->major >= 49 || length < 2 + 8u * count))
        return format_error(ps, "Wrong InnerClasses attribute length in class file %s", ps->name);
    return true;
}

static bool parse_class_list(struct parse *ps, uint32_t at, const char *what, const char *attribute) {
    struct classfile *cf = ps->cf;
    if (!list_fits(ps, at, 2)) return false;
    uint16_t count = cf_list_count(cf, at);
    for (uint32_t k = 0; k < count; k++) {
        uint16_t index = cf_list_at(cf, at, (uint16_t)k);
        if (!valid_class(ps, index))
            return format_error(ps, "%s class_info_index %u has bad constant type in class file %s", what, index,
                                ps->name);
    }
    return cf_attribute(cf, at).size == 2 + 2u * count ||
           format_error(ps, "Wrong %s attribute length in class file %s", attribute, ps->name);
}

/* ---- Record ---------------------------------------------------------------------------------------------------- */

static bool component_keep(struct parse *ps, uint32_t *slot, const char *name) {
    if (*slot != 0)
        return format_error(ps, "Multiple %s attributes for Record component in class file %s", name, ps->name);
    *slot = parse_offset(ps);
    return true;
}

static bool parse_component_attribute(struct parse *ps, struct cf_record_component *c, enum cf_attribute_kind kind,
                                      uint32_t len) {
    switch (kind) {
    case ATTR_Signature:
        if (c->signature_index != 0)
            return format_error(ps, "Multiple Signature attributes for Record component in class file %s", ps->name);
        if (len != 2)
            return format_error(ps, "Invalid Signature attribute length %u in Record component in class file %s", len,
                                ps->name);
        c->signature_index = cf_u2(ps->p);
        return valid_utf8(ps, c->signature_index) ||
               format_error(ps, "Invalid Signature attribute at constant pool index %u in class file %s",
                            c->signature_index, ps->name);
    case ATTR_RuntimeVisibleAnnotations: return component_keep(ps, &c->annotations, "RuntimeVisibleAnnotations");
    case ATTR_RuntimeInvisibleAnnotations:
        return component_keep(ps, &c->invisible_annotations, "RuntimeInvisibleAnnotations");
    case ATTR_RuntimeVisibleTypeAnnotations:
        return component_keep(ps, &c->type_annotations, "RuntimeVisibleTypeAnnotations");
    case ATTR_RuntimeInvisibleTypeAnnotations:
        return component_keep(ps, &c->invisible_type_annotations, "RuntimeInvisibleTypeAnnotations");
    default: return true;
    }
}

static bool parse_component(struct parse *ps, struct cf_record_component *c) {
    if (!parse_need(ps, 6)) return false;
    c->name_index = take_u2(ps);
    if (!valid_utf8(ps, c->name_index))
        return format_error(ps, "Invalid constant pool index %u for name in Record attribute in class file %s",
                            c->name_index, ps->name);
    if (!check_field_name(ps, c->name_index)) return false;
    c->desc_index = take_u2(ps);
    if (!valid_utf8(ps, c->desc_index))
        return format_error(ps, "Invalid constant pool index %u for descriptor in Record attribute in class file %s",
                            c->desc_index, ps->name);
    if (!check_field_descriptor(ps, c->name_index, c->desc_index)) return false;
    for (uint16_t left = take_u2(ps); left > 0; left--) {
        if (!parse_need(ps, 6)) return false;
        uint16_t name = take_u2(ps);
        uint32_t len = take_u4(ps);
        if (!valid_utf8(ps, name))
            return format_error(ps, "Invalid Record attribute name index %u in class file %s", name, ps->name);
        if (!parse_need(ps, len) || !parse_component_attribute(ps, c, cf_attribute_kind(ps->cf, name), len))
            return false;
        ps->p += len;
    }
    return true;
}

static bool parse_record(struct parse *ps, uint32_t at) {
    struct classfile *cf = ps->cf;
    ps->p = cf->bytes + at;
    if (!parse_need(ps, 2)) return false;
    uint16_t count = take_u2(ps);
    if (!parse_need(ps, 6u * count)) return false;
    cf->record_components = arena_alloc_last(ps->arena, count * sizeof *cf->record_components);
    if (cf->record_components == NULL) return parse_no_memory(ps);
    for (uint32_t k = 0; k < count; k++)
        if (!parse_component(ps, &cf->record_components[k])) return false;
    cf->is_record = true;
    cf->record_count = count;
    return (size_t)(ps->p - (cf->bytes + at)) == cf_attribute(cf, at).size ||
           format_error(ps, "Record attribute has wrong length in class file %s", ps->name);
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

static bool parse_since_5(struct parse *ps, struct class_attributes *seen, enum cf_attribute_kind kind, uint32_t len) {
    struct classfile *cf = ps->cf;
    switch (kind) {
    case ATTR_Signature: return parse_class_signature(ps, len);
    case ATTR_RuntimeVisibleAnnotations:
        if (!keep_annotations(ps, &cf->annotations, "RuntimeVisibleAnnotations")) return false;
        find_vm_annotations(cf, ps->p, len, IN_CLASS, ps->args->flags & CF_VM_ANNOTATIONS, &cf->vm_flags,
                            &cf->contended_group);
        return true;
    case ATTR_RuntimeInvisibleAnnotations:
        return keep_annotations(ps, &cf->invisible_annotations, "RuntimeInvisibleAnnotations");
    case ATTR_RuntimeVisibleTypeAnnotations:
        return keep_annotations(ps, &cf->type_annotations, "RuntimeVisibleTypeAnnotations");
    case ATTR_RuntimeInvisibleTypeAnnotations:
        return keep_annotations(ps, &cf->invisible_type_annotations, "RuntimeInvisibleTypeAnnotations");
    case ATTR_EnclosingMethod: return parse_enclosing_method(ps, seen, len);
    case ATTR_BootstrapMethods: return cf->major < 51 || parse_bootstrap_methods(ps, seen, len);
    case ATTR_NestMembers: return cf->major < 55 || note_nest_members(ps, seen);
    case ATTR_NestHost: return cf->major < 55 || parse_nest_host(ps, seen, len);
    case ATTR_Record:
        if (cf->major < 60) return true;
        if (seen->record) return multiple(ps, "Record");
        seen->record = true;
        seen->record_at = parse_offset(ps);
        return true;
    case ATTR_PermittedSubclasses: return cf->major < 61 || note_permitted_subclasses(ps, seen);
    case ATTR_Module: cf->module = parse_offset(ps); return true;
    default: return true;
    }
}

static bool parse_class_attribute(struct parse *ps, struct class_attributes *seen, enum cf_attribute_kind kind,
                                  uint32_t len) {
    struct classfile *cf = ps->cf;
    switch (kind) {
    case ATTR_SourceFile: return parse_source_file(ps, len);
    case ATTR_SourceDebugExtension:
        if (seen->source_debug_extension) return multiple(ps, "SourceDebugExtension");
        seen->source_debug_extension = true;
        cf->source_debug_extension = parse_offset(ps);
        return true;
    case ATTR_InnerClasses:
        if (seen->inner_classes) return multiple(ps, "InnerClasses");
        seen->inner_classes = true;
        cf->inner_classes = parse_offset(ps);
        return true;
    case ATTR_Synthetic:
        if (len != 0)
            return format_error(ps, "Invalid Synthetic classfile attribute length %u in class file %s", len, ps->name);
        cf->access_flags |= ACC_SYNTHETIC;
        cf->vm_flags |= CF_SYNTHETIC_ATTRIBUTE;
        return true;
    case ATTR_Deprecated:
        if (len != 0)
            return format_error(ps, "Invalid Deprecated classfile attribute length %u in class file %s", len, ps->name);
        cf->vm_flags |= CF_DEPRECATED_ATTRIBUTE;
        return true;
    default: return cf->major < 49 || parse_since_5(ps, seen, kind, len);
    }
}

bool parse_class_attributes(struct parse *ps) {
    struct classfile *cf = ps->cf;
    struct class_attributes seen = { 0 };
    if (!parse_need(ps, 2)) return false;
    for (uint16_t left = take_u2(ps); left > 0; left--) {
        if (!parse_need(ps, 6)) return false;
        uint16_t name = take_u2(ps);
        uint32_t len = take_u4(ps);
        if (!valid_utf8(ps, name))
            return format_error(ps, "Attribute name has bad constant pool index %u in class file %s", name, ps->name);
        if (!parse_need(ps, len) || !parse_class_attribute(ps, &seen, cf_attribute_kind(cf, name), len)) return false;
        ps->p += len;
    }
    const uint8_t *behind = ps->p; /* the tables below are read where they stand */
    if (seen.inner_classes && !parse_inner_classes(ps)) return false;
    if (seen.nest_members && !parse_class_list(ps, cf->nest_members, "Nest member", "NestMembers")) return false;
    if (seen.record && !parse_record(ps, seen.record_at)) return false;
    if (seen.permitted_subclasses &&
        !parse_class_list(ps, cf->permitted_subclasses, "Permitted subclass", "PermittedSubclasses"))
        return false;
    ps->p = behind;
    if (ps->max_bootstrap_index >= 0 && !seen.bootstrap_methods)
        return format_error(ps, "Missing BootstrapMethods attribute in class file %s", ps->name);
    return true;
}
