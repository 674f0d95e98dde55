/* The class file as a whole: magic, version, this, super, interfaces, and the order of the checks. JVMS 4.1. */
#include "classfile/parse_internal.h"

#include <stdlib.h>

static const char object_name[] = "java/lang/Object";

static bool parse_head(struct parse *ps) {
    if (!parse_need(ps, 8)) return false;
    uint32_t magic = take_u4(ps);
    if (magic != 0xcafebabe) return format_error(ps, "Incompatible magic value %u in class file %s", magic, ps->name);
    ps->cf->minor = take_u2(ps);
    ps->cf->major = take_u2(ps);
    return check_class_version(ps);
}

static bool parse_flags(struct parse *ps) {
    struct classfile *cf = ps->cf;
    if (!parse_need(ps, 8)) return false;
    cf->body = parse_offset(ps);
    uint16_t flags = take_u2(ps) & (ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_INTERFACE | ACC_ABSTRACT | ACC_SYNTHETIC |
                                    ACC_ANNOTATION | ACC_ENUM | (cf->major >= 53 ? ACC_MODULE : 0));
    if ((flags & ACC_INTERFACE) && cf->major < 50) flags |= ACC_ABSTRACT; /* old compilers left it out */
    if (!check_class_flags(ps, flags)) return false;
    if (ps->bad_constant != 0)
        return format_error(ps, "Unknown constant tag %u in class file %s", ps->bad_constant, ps->name);
    cf->access_flags = flags;
    return true;
}

static bool is_array_name(const struct classfile *cf, uint16_t class_index) {
    struct span s = cp_utf8(cf, cp_utf8_index(cf, class_index));
    return s.size > 0 && s.data[0] == '[';
}

static bool parse_this_class(struct parse *ps) {
    struct classfile *cf = ps->cf;
    cf->this_class = take_u2(ps);
    if (!valid_class(ps, cf->this_class))
        return format_error(ps, "Invalid this class index %u in constant pool in class file %s", cf->this_class,
                            ps->name);
    if (is_array_name(cf, cf->this_class)) return format_error(ps, "Bad class name in class file %s", ps->name);
    struct symbol *name = cp_symbol(cf, cp_utf8_index(cf, cf->this_class));
    if (name == NULL) return parse_no_memory(ps);
    struct symbol *expected = ps->args->expected_name;
    if (expected != NULL && expected != name && !(ps->args->flags & CF_HIDDEN_CLASS))
        return parse_fail(ps, "java/lang/NoClassDefFoundError", "%s (wrong name: %s)", expected->bytes, name->bytes);
    cf->name = symbol_retain(name);
    if (ps->args->requested_name == NULL && expected == NULL) ps->name = name->bytes;
    return true;
}

static bool parse_super_class(struct parse *ps) {
    struct classfile *cf = ps->cf;
    cf->super_class = take_u2(ps);
    bool is_object = symbol_equals(cf->name, object_name);
    if (cf->super_class == 0 ? !is_object : !valid_class(ps, cf->super_class))
        return format_error(ps, "Invalid superclass index %u in class file %s", cf->super_class, ps->name);
    if (cf->super_class == 0) return true;
    if (is_array_name(cf, cf->super_class)) return format_error(ps, "Bad superclass name in class file %s", ps->name);
    cf->super_name = cp_symbol(cf, cp_utf8_index(cf, cf->super_class));
    return cf->super_name != NULL || parse_no_memory(ps);
}

static int compare_pointers(const void *a, const void *b) {
    uintptr_t x = (uintptr_t) * (struct symbol *const *)a, y = (uintptr_t) * (struct symbol *const *)b;
    return x < y ? -1 : x > y;
}

static bool check_duplicate_interfaces(struct parse *ps) {
    struct classfile *cf = ps->cf;
    struct symbol **names = mem_calloc(cf->interface_count, sizeof *names);
    if (names == NULL) return parse_no_memory(ps);
    bool fine = true;
    for (uint32_t k = 0; k < cf->interface_count && fine; k++) {
        names[k] = cp_symbol(cf, cp_utf8_index(cf, cf_interface(cf, (uint16_t)k)));
        fine = names[k] != NULL || parse_no_memory(ps);
    }
    if (fine) {
        qsort(names, cf->interface_count, sizeof *names, compare_pointers);
        for (uint32_t k = 1; k < cf->interface_count && fine; k++)
            if (names[k] == names[k - 1])
                fine = format_error(ps, "Duplicate interface name \"%s\" in class file %s", names[k]->bytes, ps->name);
    }
    mem_free(names);
    return fine;
}

static bool parse_interfaces(struct parse *ps) {
    struct classfile *cf = ps->cf;
    cf->interface_count = take_u2(ps);
    if (!parse_need(ps, 2u * cf->interface_count)) return false;
    for (uint32_t k = 0; k < cf->interface_count; k++) {
        uint16_t index = take_u2(ps);
        if (!valid_class(ps, index))
            return format_error(ps, "Interface name has bad constant pool index %u in class file %s", index, ps->name);
    }
    return !ps->verify || cf->interface_count < 2 || check_duplicate_interfaces(ps);
}

/* What HotSpot checks when the whole file has been read. */
static bool check_supertypes(struct parse *ps) {
    struct classfile *cf = ps->cf;
    if (cf->interface_count > 0 && symbol_equals(cf->name, object_name))
        return format_error(ps, "java.lang.Object cannot implement an interface in class file %s", ps->name);
    if ((cf->access_flags & ACC_INTERFACE) && cf->super_name != NULL && !symbol_equals(cf->super_name, object_name))
        return format_error(ps, "Interfaces must have java.lang.Object as superclass in class file %s", ps->name);
    for (uint32_t k = 0; k < cf->interface_count; k++)
        if (is_array_name(cf, cf_interface(cf, (uint16_t)k)))
            return format_error(ps, "Bad interface name in class file %s", ps->name);
    return true;
}

static bool parse_all(struct parse *ps) {
    if (!parse_head(ps) || !parse_constant_pool(ps) || !parse_flags(ps) || !parse_this_class(ps) ||
        !parse_super_class(ps) || !parse_interfaces(ps) || !expect_members(ps) || !parse_fields(ps) ||
        !parse_methods(ps) || !parse_class_attributes(ps))
        return false;
    if (ps->p != ps->end) return format_error(ps, "Extra bytes at the end of class file %s", ps->name);
    return check_supertypes(ps);
}

size_t classfile_head_room(const uint8_t *bytes, size_t length) {
    return sizeof(struct classfile) + (length < 10 ? 0 : pool_room(cf_u2(bytes + 8), length > UINT16_MAX));
}

struct classfile *classfile_parse(struct arena *arena, const struct cf_parse_args *args, struct cf_error *error) {
    struct classfile *cf = arena_alloc(arena, sizeof *cf);
    struct parse ps = {
        .p = args->bytes, .end = args->bytes + args->length, .cf = cf, .arena = arena, .args = args, .error = error
    };
    ps.name = args->requested_name != NULL  ? args->requested_name
              : args->expected_name != NULL ? args->expected_name->bytes
                                            : "<Unknown>";
    ps.verify = !(args->flags & CF_TRUSTED);
    ps.max_bootstrap_index = -1;
    if (cf == NULL) {
        parse_no_memory(&ps);
        return NULL;
    }
    cf->bytes = args->bytes;
    cf->length = (uint32_t)args->length;
    cf->trusted = !ps.verify;
    cf->clinit_index = -1;
    if (args->length > UINT32_MAX / 2) /* offsets are 32 bits; no legal file comes near */
        format_error(&ps, "Class file too large");
    else if (parse_all(&ps)) return cf;
    classfile_release(cf);
    return NULL;
}

void classfile_release(struct classfile *cf) {
    for (uint32_t i = 1; i < cf->cp.count; i++)
        if (cp_tag(cf, (uint16_t)i) == CP_Utf8)
            symbol_release(
                (struct symbol *)(uintptr_t)atomic_exchange_explicit(&cf->cp.cells[i], 0, memory_order_relaxed));
    symbol_release(cf->name);
    cf->name = NULL;
}

bool classfile_patch_class_name(struct classfile *cf, struct symbol *name) {
    symbol_retain(name);
    symbol_release(cf->name);
    cf->name = name;
    return true;
}

/* ---- the name alone -------------------------------------------------------------------------------------------- */

/* Bytes of the entry behind its tag, 0 for an unknown tag. */
static size_t entry_size(const uint8_t *p, size_t left) {
    switch (p[0]) {
    case CP_Utf8: return left < 3 ? 0 : 2 + (size_t)cf_u2(p + 1);
    case CP_Class:
    case CP_String:
    case CP_MethodType:
    case CP_Module:
    case CP_Package: return 2;
    case CP_MethodHandle: return 3;
    case CP_Long:
    case CP_Double: return 8;
    case CP_Integer:
    case CP_Float:
    case CP_Fieldref:
    case CP_Methodref:
    case CP_InterfaceMethodref:
    case CP_NameAndType:
    case CP_Dynamic:
    case CP_InvokeDynamic: return 4;
    default: return 0;
    }
}

/* Position of entry `wanted`, or behind the pool for wanted == count; 0 if the file ends or breaks before. */
static size_t find_entry(const uint8_t *bytes, size_t length, uint32_t wanted) {
    size_t at = 10;
    for (uint32_t i = 1; i < wanted; i++) {
        if (at >= length) return 0;
        size_t size = entry_size(bytes + at, length - at);
        if (size == 0) return 0;
        if (bytes[at] == CP_Long || bytes[at] == CP_Double) i++;
        at += 1 + size;
    }
    return at;
}

bool classfile_peek_name(const uint8_t *bytes, size_t length, const uint8_t **name, uint16_t *name_length) {
    if (length < 10 || cf_u4(bytes) != 0xcafebabe) return false;
    uint16_t count = cf_u2(bytes + 8);
    size_t body = find_entry(bytes, length, count);
    if (body == 0 || length < body + 4) return false;
    uint16_t this_class = cf_u2(bytes + body + 2);
    size_t at = this_class > 0 && this_class < count ? find_entry(bytes, length, this_class) : 0;
    if (at == 0 || length < at + 3 || bytes[at] != CP_Class) return false;
    uint16_t utf8 = cf_u2(bytes + at + 1);
    at = utf8 > 0 && utf8 < count ? find_entry(bytes, length, utf8) : 0;
    if (at == 0 || length < at + 3 || bytes[at] != CP_Utf8 || length - at - 3 < cf_u2(bytes + at + 1)) return false;
    *name = bytes + at + 3;
    *name_length = cf_u2(bytes + at + 1);
    return true;
}
