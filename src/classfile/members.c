/* Fields and methods with their attributes. JVMS 4.5, 4.6, 4.7.2-4.7.5, 4.7.12-4.7.24. */
#include "classfile/parse_internal.h"

#include "classfile/descriptor.h"

/* ---- what fields and methods share ----------------------------------------------------------------------------- */

/* The record of rare attributes, made at first need. */
static struct cf_member_extra *extra_of(struct parse *ps, struct cf_member *m) {
    if (m->extra == NULL) {
        m->extra = arena_alloc(ps->arena, sizeof *m->extra);
        if (m->extra == NULL) parse_no_memory(ps);
    }
    return m->extra;
}

/* Remembers the attribute at the cursor in *slot of the member's extra record; a second one is refused. */
static bool keep_once(struct parse *ps, uint32_t *slot, const char *name, const char *owner) {
    if (*slot != 0) return format_error(ps, "Multiple %s attributes for %s in class file %s", name, owner, ps->name);
    *slot = parse_offset(ps);
    return true;
}

static bool member_symbols(struct parse *ps, struct cf_member *m) {
    return (cf_member_name(ps->cf, m) != NULL && cf_member_desc(ps->cf, m) != NULL) || parse_no_memory(ps);
}

static bool parse_member_signature(struct parse *ps, struct cf_member *m) {
    uint16_t index = cf_u2(ps->p);
    if (!valid_utf8(ps, index))
        return format_error(ps, "Invalid Signature attribute at constant pool index %u in class file %s", index,
                            ps->name);
    m->signature_index = index;
    return true;
}

/* The annotation attributes that fields and methods have in common; *handled tells whether `kind` is one. */
static bool parse_annotations(struct parse *ps, struct cf_member *m, enum cf_attribute_kind kind, uint32_t len,
                              bool method, bool *handled) {
    const char *owner = method ? "method" : "field";
    *handled = true;
    struct cf_member_extra *extra;
    switch (kind) {
    case ATTR_RuntimeVisibleAnnotations: {
        if ((extra = extra_of(ps, m)) == NULL ||
            !keep_once(ps, &extra->annotations, "RuntimeVisibleAnnotations", owner))
            return false;
        bool privileged = ps->args->flags & CF_VM_ANNOTATIONS;
        find_vm_annotations(ps->cf, ps->p, len, method ? IN_METHOD : IN_FIELD, privileged, &m->vm_flags,
                            &extra->contended_group);
        return true;
    }
    case ATTR_RuntimeInvisibleAnnotations:
        return (extra = extra_of(ps, m)) != NULL &&
               keep_once(ps, &extra->invisible_annotations, "RuntimeInvisibleAnnotations", owner);
    case ATTR_RuntimeVisibleTypeAnnotations:
        return (extra = extra_of(ps, m)) != NULL &&
               keep_once(ps, &extra->type_annotations, "RuntimeVisibleTypeAnnotations", owner);
    case ATTR_RuntimeInvisibleTypeAnnotations:
        return (extra = extra_of(ps, m)) != NULL &&
               keep_once(ps, &extra->invisible_type_annotations, "RuntimeInvisibleTypeAnnotations", owner);
    default: *handled = false; return true;
    }
}

/* Refuses two members with the same name and descriptor. Linear: open addressing over symbol addresses. */
static bool check_duplicates(struct parse *ps, const struct cf_member *members, uint16_t count, const char *what) {
    if (!ps->verify || count < 2) return true;
    size_t capacity = 4;
    while (capacity < 2 * (size_t)count) capacity *= 2;
    uint32_t *slots = mem_calloc(capacity, sizeof *slots); /* member number + 1 */
    if (slots == NULL) return parse_no_memory(ps);
    bool fine = true;
    for (uint32_t k = 0; k < count && fine; k++) {
        const struct cf_member *m = &members[k];
        const struct symbol *name = cf_member_name(ps->cf, m), *type = cf_member_desc(ps->cf, m);
        size_t at = (name->hash * 31u + type->hash) & (capacity - 1);
        while (slots[at] != 0) {
            const struct cf_member *other = &members[slots[at] - 1];
            if (cf_member_name(ps->cf, other) == name && cf_member_desc(ps->cf, other) == type) {
                fine = false;
                break;
            }
            at = (at + 1) & (capacity - 1);
        }
        slots[at] = k + 1;
        if (!fine) {
            char desc[512]; /* HotSpot shows the descriptor as if it were a class name */
            size_t n = MIN((size_t)type->length, sizeof desc - 1);
            for (size_t i = 0; i < n; i++) desc[i] = type->bytes[i] == '/' ? '.' : type->bytes[i];
            desc[n] = 0;
            format_error(ps, "Duplicate %s name \"%s\" with signature \"%s\" in class file %s", what, name->bytes,
                         desc, ps->name);
        }
    }
    mem_free(slots);
    return fine;
}

/* ---- fields ---------------------------------------------------------------------------------------------------- */

static bool check_constant_value(struct parse *ps, const struct cf_member *m, uint16_t index) {
    if (!ps->verify && index != 0 && index < ps->cf->cp.count) return true;
    if (index == 0 || index >= ps->cf->cp.count)
        return format_error(ps, "Bad initial value index %u in ConstantValue attribute in class file %s", index,
                            ps->name);
    struct span desc = cp_utf8(ps->cf, m->desc_index);
    uint8_t tag = cp_tag(ps->cf, index), wanted;
    switch (desc.data[0]) {
    case 'J': wanted = CP_Long; break;
    case 'F': wanted = CP_Float; break;
    case 'D': wanted = CP_Double; break;
    case 'B':
    case 'C':
    case 'S':
    case 'Z':
    case 'I': wanted = CP_Integer; break;
    case 'L':
        return (utf8_is(ps->cf, m->desc_index, "Ljava/lang/String;") && tag == CP_String) ||
               format_error(ps, "Bad string initial value in class file %s", ps->name);
    default: return format_error(ps, "Unable to set initial value %u in class file %s", index, ps->name);
    }
    return tag == wanted || format_error(ps, "Inconsistent constant value type in class file %s", ps->name);
}

static bool parse_field_attribute(struct parse *ps, struct cf_member *m, enum cf_attribute_kind kind, uint32_t len) {
    bool since_5 = ps->cf->major >= 49, handled;
    switch (kind) {
    case ATTR_ConstantValue:
        if (!(m->access_flags & ACC_STATIC)) return true;
        if (m->constant_value_index != 0)
            return format_error(ps, "Duplicate ConstantValue attribute in class file %s", ps->name);
        if (len != 2)
            return format_error(ps, "Invalid ConstantValue field attribute length %u in class file %s", len, ps->name);
        m->constant_value_index = cf_u2(ps->p);
        return check_constant_value(ps, m, m->constant_value_index);
    case ATTR_Synthetic:
        if (len != 0)
            return format_error(ps, "Invalid Synthetic field attribute length %u in class file %s", len, ps->name);
        m->access_flags |= ACC_SYNTHETIC;
        m->vm_flags |= CF_SYNTHETIC_ATTRIBUTE;
        return true;
    case ATTR_Deprecated:
        if (len != 0)
            return format_error(ps, "Invalid Deprecated field attribute length %u in class file %s", len, ps->name);
        m->vm_flags |= CF_DEPRECATED_ATTRIBUTE;
        return true;
    case ATTR_Signature:
        if (!since_5) return true;
        if (m->signature_index != 0)
            return format_error(ps, "Multiple Signature attributes for field in class file %s", ps->name);
        if (len != 2)
            return format_error(ps, "Wrong size %u for field's Signature attribute in class file %s", len, ps->name);
        return parse_member_signature(ps, m);
    default: return !since_5 || parse_annotations(ps, m, kind, len, false, &handled);
    }
}

/* Reads attribute_name_index and attribute_length and makes sure that the info is there; `fmt` names a bad index. */
static bool attribute_head(struct parse *ps, const char *bad_name, enum cf_attribute_kind *kind, uint32_t *len) {
    if (!parse_need(ps, 6)) return false;
    uint16_t name = take_u2(ps);
    *len = take_u4(ps);
    if (!valid_utf8(ps, name))
        return format_error(ps, "Invalid %s index %u in class file %s", bad_name, name, ps->name);
    *kind = cf_attribute_kind(ps->cf, name);
    return parse_need(ps, *len);
}

static bool parse_field(struct parse *ps, struct cf_member *m) {
    const uint16_t known = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL | ACC_VOLATILE |
                           ACC_TRANSIENT | ACC_ENUM | ACC_SYNTHETIC;
    if (!parse_need(ps, 8)) return false;
    m->access_flags = take_u2(ps) & known;
    if (!check_field_flags(ps, m->access_flags)) return false;
    m->name_index = take_u2(ps);
    if (!valid_utf8(ps, m->name_index))
        return format_error(ps, "Invalid constant pool index %u for field name in class file %s", m->name_index,
                            ps->name);
    if (!check_field_name(ps, m->name_index)) return false;
    m->desc_index = take_u2(ps);
    if (!valid_utf8(ps, m->desc_index))
        return format_error(ps, "Invalid constant pool index %u for field signature in class file %s", m->desc_index,
                            ps->name);
    if (!check_field_descriptor(ps, m->name_index, m->desc_index) || !member_symbols(ps, m)) return false;
    for (uint16_t left = take_u2(ps); left > 0; left--) {
        enum cf_attribute_kind kind;
        uint32_t len;
        if (!attribute_head(ps, "field attribute", &kind, &len) || !parse_field_attribute(ps, m, kind, len))
            return false;
        ps->p += len;
    }
    return true;
}

/* Is it one of those that extra_of is for? Most names are shorter. */
static bool is_extra(const struct classfile *cf, uint16_t name_index) {
    if (cp_utf8(cf, name_index).size < 10) return false;
    switch (cf_attribute_kind(cf, name_index)) {
    case ATTR_Exceptions:
    case ATTR_MethodParameters:
    case ATTR_AnnotationDefault:
    case ATTR_RuntimeVisibleAnnotations:
    case ATTR_RuntimeInvisibleAnnotations:
    case ATTR_RuntimeVisibleTypeAnnotations:
    case ATTR_RuntimeInvisibleTypeAnnotations:
    case ATTR_RuntimeVisibleParameterAnnotations:
    case ATTR_RuntimeInvisibleParameterAnnotations: return true;
    default: return false;
    }
}

/* Adds what the attributes of a member at *at take, and steps over them. False: they are broken. */
static bool attributes_room(const struct parse *ps, const uint8_t **at, uint16_t count, size_t *size) {
    bool extra = false;
    const uint8_t *p = *at;
    for (; count > 0; count--) {
        if (ps->end - p < 6) return false;
        uint16_t name = cf_u2(p);
        uint32_t length = cf_u4(p + 2);
        p += 6;
        if (length > (size_t)(ps->end - p) || cp_tag(ps->cf, name) != CP_Utf8) return false;
        if (length >= 8 && utf8_is(ps->cf, name, "Code"))
            *size += sizeof(struct cf_code) + (ps->args->code_room ? ALIGN_UP(MIN(cf_u4(p + 4), length), 8u) : 0);
        else extra |= is_extra(ps->cf, name);
        p += length;
    }
    if (extra) *size += ALIGN_UP(sizeof(struct cf_member_extra), 8);
    *at = p;
    return true;
}

/* What is broken is left for the parser to find. */
static size_t members_room(const struct parse *ps) {
    const struct cf_parse_args *args = ps->args;
    size_t size = args->room + (size_t)ps->cf->interface_count * args->interface_room;
    const uint8_t *p = ps->p;
    for (unsigned methods = 0; methods < 2 && ps->end - p >= 2; methods++) {
        uint32_t count = cf_u2(p);
        p += 2;
        if (ps->end - p < 8 * (ptrdiff_t)count) break;
        size += count * (sizeof(struct cf_member) + (methods ? args->method_room : args->field_room));
        for (; count > 0; count--) {
            if (ps->end - p < 8) return size;
            uint16_t attributes = cf_u2(p + 6);
            p += 8;
            if (!attributes_room(ps, &p, attributes, &size)) return size;
        }
    }
    return size;
}

bool expect_members(struct parse *ps) { return arena_expect(ps->arena, members_room(ps)) || parse_no_memory(ps); }

bool parse_fields(struct parse *ps) {
    struct classfile *cf = ps->cf;
    if (!parse_need(ps, 2)) return false;
    uint16_t count = take_u2(ps);
    if (!parse_need(ps, 8u * count)) /* before anything is allocated for them */
        return false;
    cf->fields = arena_alloc(ps->arena, count * sizeof *cf->fields);
    if (cf->fields == NULL) return parse_no_memory(ps);
    cf->field_count = count;
    for (uint32_t k = 0; k < count; k++)
        if (!parse_field(ps, &cf->fields[k])) return false;
    return check_duplicates(ps, cf->fields, count, "field");
}

/* ---- Code ------------------------------------------------------------------------------------------------------ */

static bool parse_handlers(struct parse *ps, struct cf_code *code) {
    if (!parse_need(ps, 8u * code->handler_count)) return false;
    for (uint16_t k = 0; k < code->handler_count; k++) {
        struct cf_handler h = cf_handler_at(code, k);
        ps->p += 8;
        if (h.start_pc >= h.end_pc || h.end_pc > code->code_length)
            return format_error(ps, "Illegal exception table range in class file %s", ps->name);
        if (h.handler_pc >= code->code_length)
            return format_error(ps, "Illegal exception table handler in class file %s", ps->name);
        if (h.catch_type != 0 && !valid_class(ps, h.catch_type))
            return format_error(ps, "Catch type in exception table has bad constant type in class file %s", ps->name);
    }
    return true;
}

static bool parse_line_numbers(struct parse *ps, struct cf_code *code, uint32_t len) {
    if (len < 2 || len != 2 + 4u * cf_u2(ps->p))
        return format_error(ps, "LineNumberTable attribute has wrong length in class file %s", ps->name);
    for (uint32_t k = 0, rows = cf_u2(ps->p); k < rows; k++)
        if (cf_u2(ps->p + 2 + 4 * k) >= code->code_length)
            return format_error(ps, "Invalid pc in LineNumberTable in class file %s", ps->name);
    if (code->line_tables == 0) code->line_numbers = parse_offset(ps);
    code->line_tables = code->line_tables == 0 ? 1 : 2;
    return true;
}

static bool check_local_variable(struct parse *ps, const struct cf_code *code, const uint8_t *row, const char *table,
                                 bool types) {
    struct classfile *cf = ps->cf;
    uint16_t start = cf_u2(row), length = cf_u2(row + 2), name = cf_u2(row + 4), desc = cf_u2(row + 6),
             slot = cf_u2(row + 8);
    if (start >= code->code_length)
        return format_error(ps, "Invalid start_pc %u in %s in class file %s", start, table, ps->name);
    if ((uint32_t)start + length > code->code_length)
        return format_error(ps, "Invalid length %u in %s in class file %s", length, table, ps->name);
    if (!valid_utf8(ps, name))
        return format_error(ps, "Name index %u in %s has bad constant type in class file %s", name, table, ps->name);
    if (!valid_utf8(ps, desc))
        return format_error(ps, "Signature index %u in %s has bad constant type in class file %s", desc, table,
                            ps->name);
    if (!check_field_name(ps, name)) return false;
    unsigned second = 0;
    if (!types) {
        if (!check_field_descriptor(ps, name, desc)) return false;
        second = desc_kind_slots((char)cp_utf8(cf, desc).data[0]) - 1;
    }
    return slot + second < code->max_locals ||
           format_error(ps, "Invalid index %u in %s in class file %s", slot, table, ps->name);
}

static bool parse_local_variables(struct parse *ps, struct cf_code *code, uint32_t len, bool types) {
    const char *table = types ? "LocalVariableTypeTable" : "LocalVariableTable";
    if (!parse_need(ps, 2)) return false;
    uint32_t rows = len >= 2 ? cf_u2(ps->p) : 0;
    if (len != 2 + 10 * rows) return format_error(ps, "%s has wrong length in class file %s", table, ps->name);
    for (uint32_t k = 0; k < rows; k++) {
        const uint8_t *row = ps->p + 2 + 10 * k;
        if (ps->verify) {
            if (!check_local_variable(ps, code, row, table, types)) return false;
        } else if (!valid_utf8(ps, cf_u2(row + 4)) || !valid_utf8(ps, cf_u2(row + 6))) {
            return format_error(ps, "Name index %u in %s has bad constant type in class file %s", cf_u2(row + 4), table,
                                ps->name);
        }
    }
    code->has_local_variables |= !types;
    return true;
}

/* One attribute of Code; the cursor stands on its info. */
static bool parse_code_attribute(struct parse *ps, struct cf_code *code, enum cf_attribute_kind kind, uint32_t len,
                                 bool *stack_map_seen) {
    uint16_t major = ps->cf->major;
    switch (kind) {
    case ATTR_LineNumberTable: return parse_line_numbers(ps, code, len);
    case ATTR_LocalVariableTable: return parse_local_variables(ps, code, len, false);
    case ATTR_LocalVariableTypeTable: return major < 49 || parse_local_variables(ps, code, len, true);
    case ATTR_StackMapTable:
        if (major < 50) return true;
        if (*stack_map_seen) return format_error(ps, "Multiple StackMapTable attributes in class file %s", ps->name);
        *stack_map_seen = true;
        if (len > 0) code->stack_map = parse_offset(ps);
        return true;
    default: return true;
    }
}

static bool check_local_variable_tables(struct parse *ps, const struct cf_code *code) {
    uint32_t count = ps->verify ? cf_local_variable_count(ps->cf, code) : 0;
    if (count == 0) return true;
    struct cf_local_variable *rows = mem_calloc(count, sizeof *rows);
    if (rows == NULL) return parse_no_memory(ps);
    uint16_t name = 0;
    enum lvt_problem problem = join_local_variables(ps->cf, code, rows, count, true, &name);
    mem_free(rows);
    switch (problem) {
    case LVT_FINE: return true;
    case LVT_DUPLICATE:
        return format_error(ps, "Duplicated LocalVariableTable attribute entry for '%.*s' in class file %s",
                            UTF8_ARGS(ps->cf, name), ps->name);
    case LVTT_DUPLICATE:
        return format_error(ps, "Duplicated LocalVariableTypeTable attribute entry for '%.*s' in class file %s",
                            UTF8_ARGS(ps->cf, name), ps->name);
    case LVTT_UNMATCHED:
        return format_error(ps, "LVTT entry for '%.*s' in class file %s does not match any LVT entry",
                            UTF8_ARGS(ps->cf, name), ps->name);
    case LVT_NO_MEMORY: break;
    }
    return parse_no_memory(ps);
}

/* The cursor stands on max_stack. Like HotSpot this reads on by the inner lengths and compares with attribute_length at
 * the end, so the cursor is left behind what was read. */
static bool parse_code(struct parse *ps, struct cf_member *m, uint32_t attribute_length, int arg_slots) {
    if (ps->verify && (m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)))
        return format_error(ps, "Code attribute in native or abstract methods in class file %s", ps->name);
    if (m->code != NULL) return format_error(ps, "Multiple Code attributes in class file %s", ps->name);
    const uint8_t *start = ps->p;
    struct cf_code *code = arena_alloc(ps->arena, sizeof *code);
    if (code == NULL) return parse_no_memory(ps);
    m->code = code;
    if (!parse_need(ps, 8)) return false;
    code->max_stack = take_u2(ps);
    code->max_locals = take_u2(ps);
    code->code_length = take_u4(ps);
    if (arg_slots > code->max_locals)
        return format_error(ps, "Arguments can't fit into locals in class file %s", ps->name);
    if (code->code_length == 0 || code->code_length > 65535)
        return format_error(ps, "Invalid method Code length %u in class file %s", code->code_length, ps->name);
    code->code = ps->p;
    if (!parse_need(ps, code->code_length)) return false;
    ps->p += code->code_length;
    if (!parse_need(ps, 2)) return false;
    code->handler_count = take_u2(ps);
    if (code->handler_count > 0 && !parse_handlers(ps, code)) return false;
    if (!parse_need(ps, 2)) return false;
    code->attributes = parse_offset(ps);
    bool stack_map_seen = false;
    for (uint16_t left = take_u2(ps); left > 0; left--) {
        enum cf_attribute_kind kind;
        uint32_t len;
        if (!attribute_head(ps, "code attribute name", &kind, &len) ||
            !parse_code_attribute(ps, code, kind, len, &stack_map_seen))
            return false;
        ps->p += len;
    }
    if ((size_t)(ps->p - start) != attribute_length)
        return format_error(ps, "Code segment has wrong length in class file %s", ps->name);
    return true;
}

/* ---- methods --------------------------------------------------------------------------------------------------- */

static bool parse_exceptions(struct parse *ps, struct cf_member *m, uint32_t len) {
    struct cf_member_extra *extra = extra_of(ps, m);
    if (extra == NULL) return false;
    if (extra->exceptions != 0) return format_error(ps, "Multiple Exceptions attributes in class file %s", ps->name);
    if (!parse_need(ps, 2)) return false;
    uint32_t count = cf_u2(ps->p);
    if (!parse_need(ps, 2 + 2 * count)) return false;
    for (uint32_t k = 0; k < count; k++) {
        uint16_t index = cf_u2(ps->p + 2 + 2 * k);
        if (!valid_class(ps, index))
            return format_error(ps, "Exception name has bad type at constant pool %u in class file %s", index,
                                ps->name);
    }
    if (len != 2 + 2 * count)
        return format_error(ps, "Exceptions attribute has wrong length in class file %s", ps->name);
    extra->exceptions = parse_offset(ps);
    return true;
}

static bool parse_method_parameters(struct parse *ps, struct cf_member *m, uint32_t len) {
    struct cf_member_extra *extra = extra_of(ps, m);
    if (extra == NULL) return false;
    if (extra->method_parameters != 0)
        return format_error(ps, "Multiple MethodParameters attributes in class file %s", ps->name);
    if (len == 0 || len != 1 + 4u * ps->p[0]) /* HotSpot names no class here */
        return format_error(ps, "Invalid MethodParameters method attribute length %u in class file", len);
    extra->method_parameters = parse_offset(ps);
    return true;
}

/* All attributes but Code. */
static bool parse_method_attribute(struct parse *ps, struct cf_member *m, enum cf_attribute_kind kind, uint32_t len) {
    bool since_5 = ps->cf->major >= 49, handled;
    struct cf_member_extra *extra;
    switch (kind) {
    case ATTR_Exceptions: return parse_exceptions(ps, m, len);
    case ATTR_MethodParameters: return parse_method_parameters(ps, m, len);
    case ATTR_Synthetic:
        if (len != 0)
            return format_error(ps, "Invalid Synthetic method attribute length %u in class file %s", len, ps->name);
        m->access_flags |= ACC_SYNTHETIC;
        m->vm_flags |= CF_SYNTHETIC_ATTRIBUTE;
        return true;
    case ATTR_Deprecated:
        if (len != 0)
            return format_error(ps, "Invalid Deprecated method attribute length %u in class file %s", len, ps->name);
        m->vm_flags |= CF_DEPRECATED_ATTRIBUTE;
        return true;
    default: break;
    }
    if (!since_5) return true;
    switch (kind) {
    case ATTR_Signature:
        if (m->signature_index != 0)
            return format_error(ps, "Multiple Signature attributes for method in class file %s", ps->name);
        if (len != 2) return format_error(ps, "Invalid Signature attribute length %u in class file %s", len, ps->name);
        return parse_member_signature(ps, m);
    case ATTR_RuntimeVisibleParameterAnnotations:
        return (extra = extra_of(ps, m)) != NULL &&
               keep_once(ps, &extra->parameter_annotations, "RuntimeVisibleParameterAnnotations", "method");
    case ATTR_RuntimeInvisibleParameterAnnotations:
        return (extra = extra_of(ps, m)) != NULL &&
               keep_once(ps, &extra->invisible_parameter_annotations, "RuntimeInvisibleParameterAnnotations", "method");
    case ATTR_AnnotationDefault:
        return (extra = extra_of(ps, m)) != NULL &&
               keep_once(ps, &extra->annotation_default, "AnnotationDefault", "method");
    default: return parse_annotations(ps, m, kind, len, true, &handled);
    }
}

/* Flags of a class initialiser: only ACC_STATIC (and ACC_STRICT while it meant something) count. */
static bool clinit_flags(struct parse *ps, uint16_t *flags) {
    uint16_t major = ps->cf->major;
    if (major < 51) {
        *flags = ACC_STATIC;
        return true;
    }
    if (!(*flags & ACC_STATIC)) return format_error(ps, "Method <clinit> is not static in class file %s", ps->name);
    *flags &= ACC_STATIC | (major <= 60 ? ACC_STRICT : 0);
    return true;
}

static bool parse_method_head(struct parse *ps, struct cf_member *m, int *arg_slots) {
    const uint16_t known = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED |
                           ACC_BRIDGE | ACC_VARARGS | ACC_NATIVE | ACC_ABSTRACT | ACC_STRICT | ACC_SYNTHETIC;
    if (!parse_need(ps, 8)) return false;
    uint16_t flags = take_u2(ps);
    m->name_index = take_u2(ps);
    if (!valid_utf8(ps, m->name_index))
        return format_error(ps, "Illegal constant pool index %u for method name in class file %s", m->name_index,
                            ps->name);
    if (!check_method_name(ps, m->name_index)) return false;
    m->desc_index = take_u2(ps);
    if (!valid_utf8(ps, m->desc_index))
        return format_error(ps, "Illegal constant pool index %u for method signature in class file %s", m->desc_index,
                            ps->name);
    bool clinit = utf8_is(ps->cf, m->name_index, "<clinit>");
    if (!(clinit ? clinit_flags(ps, &flags) : check_method_flags(ps, flags, m->name_index))) return false;
    if ((ps->cf->access_flags & ACC_INTERFACE) && utf8_is(ps->cf, m->name_index, "<init>"))
        return format_error(ps, "Interface cannot have a method named <init>, class file %s", ps->name);
    int slots;
    if (!check_special_descriptor(ps, m->name_index, m->desc_index) ||
        !check_method_descriptor(ps, m->name_index, m->desc_index, &slots))
        return false;
    *arg_slots = slots + (flags & ACC_STATIC ? 0 : 1);
    if (*arg_slots > 255) return format_error(ps, "Too many arguments in method signature in class file %s", ps->name);
    m->access_flags = flags & known;
    m->arg_slots = (uint16_t)slots;
    return member_symbols(ps, m);
}

static bool parse_method(struct parse *ps, struct cf_member *m) {
    int arg_slots = 0;
    if (!parse_method_head(ps, m, &arg_slots)) return false;
    for (uint16_t left = take_u2(ps); left > 0; left--) {
        if (!parse_need(ps, 6)) return false;
        uint16_t name = take_u2(ps);
        uint32_t len = take_u4(ps);
        if (!valid_utf8(ps, name))
            return format_error(ps, "Invalid method attribute name index %u in class file %s", name, ps->name);
        enum cf_attribute_kind kind = cf_attribute_kind(ps->cf, name);
        if (kind == ATTR_Code) {
            if (!parse_code(ps, m, len, arg_slots)) return false;
        } else {
            if (!parse_need(ps, len) || !parse_method_attribute(ps, m, kind, len)) return false;
            ps->p += len;
        }
    }
    if (m->access_flags & (ACC_NATIVE | ACC_ABSTRACT)) m->code = NULL;
    else if (m->code == NULL)
        return format_error(ps, "Absent Code attribute in method that is not native or abstract in class file %s",
                            ps->name);
    return m->code == NULL || check_local_variable_tables(ps, m->code);
}

/* Notes the methods that the VM looks for in every class. */
static void note_special_method(struct classfile *cf, uint32_t k) {
    const struct cf_member *m = &cf->methods[k];
    const struct symbol *name = cf_member_name(cf, m);
    if (name->bytes[0] != '<' || !symbol_equals(cf_member_desc(cf, m), "()V")) return;
    if (symbol_equals(name, "<init>")) cf->has_vanilla_constructor = true;
    else if (cf->clinit_index < 0) cf->clinit_index = (int32_t)k;
}

bool parse_methods(struct parse *ps) {
    struct classfile *cf = ps->cf;
    if (!parse_need(ps, 2)) return false;
    uint16_t count = take_u2(ps);
    if (!parse_need(ps, 8u * count)) return false;
    cf->methods = arena_alloc(ps->arena, count * sizeof *cf->methods);
    if (cf->methods == NULL) return parse_no_memory(ps);
    cf->method_count = count;
    for (uint32_t k = 0; k < count; k++) {
        if (!parse_method(ps, &cf->methods[k])) return false;
        note_special_method(cf, k);
    }
    return check_duplicates(ps, cf->methods, count, "method");
}
