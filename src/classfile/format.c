/* Format rules for versions, modified UTF-8, names, descriptors and access flags. JVMS 4.1-4.3, 4.4.7, 4.5, 4.6. */
#include "classfile/parse_internal.h"

#include <stdio.h>

#include "classfile/descriptor.h"


/* ---- refusals -------------------------------------------------------------------------------------------------- */

bool parse_fail(struct parse *ps, const char *exception, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(ps->error->message, sizeof ps->error->message, fmt, args);
    va_end(args);
    ps->error->exception = exception;
    return false;
}

bool parse_no_memory(struct parse *ps) {
    ps->error->exception = NULL;
    ps->error->message[0] = 0;
    return false;
}

bool parse_need(struct parse *ps, uint32_t n) {
    return (size_t)(ps->end - ps->p) >= n || format_error(ps, "Truncated class file");
}

bool illegal_signature(struct parse *ps, const char *what, uint16_t name, uint16_t desc) {
    if (name == 0) /* MethodType has no name; HotSpot shows this word */
        return format_error(ps, "%s \"type\" in class %s has illegal signature \"%.*s\"", what, ps->name,
                            UTF8_ARGS(ps->cf, desc));
    return format_error(ps, "%s \"%.*s\" in class %s has illegal signature \"%.*s\"", what, UTF8_ARGS(ps->cf, name),
                        ps->name, UTF8_ARGS(ps->cf, desc));
}

/* ---- version --------------------------------------------------------------------------------------------------- */

#define version_error(ps, ...) parse_fail((ps), "java/lang/UnsupportedClassVersionError", __VA_ARGS__)

bool check_class_version(struct parse *ps) {
    unsigned major = ps->cf->major, minor = ps->cf->minor, max = ps->args->max_major;
    if (major < 45)
        return version_error(ps, "%s (class file version %u.%u) was compiled with an invalid major version", ps->name,
                             major, minor);
    if (major > max)
        return version_error(
            ps,
            "%s has been compiled by a more recent version of the Java Runtime (class file version %u.%u), "
            "this version of the Java Runtime only recognizes class file versions up to %u.0",
            ps->name, major, minor, max);
    if (major < 56 || minor == 0) return true;
    if (minor != PREVIEW_MINOR)
        return version_error(ps, "%s (class file version %u.%u) was compiled with an invalid non-zero minor version",
                             ps->name, major, minor);
    if (major != max)
        return version_error(
            ps,
            "%s (class file version %u.%u) was compiled with preview features that are unsupported. "
            "This version of the Java Runtime only recognizes preview features for class file version %u.%u",
            ps->name, major, minor, max, (unsigned)PREVIEW_MINOR);
    if ((ps->args->flags & CF_PREVIEW_ENABLED) == 0)
        return version_error(
            ps,
            "Preview features are not enabled for %s (class file version %u.%u). Try running with '--enable-preview'",
            ps->name, major, minor);
    return true;
}

/* ---- modified UTF-8 -------------------------------------------------------------------------------------------- */

/* Files up to version 47 may hold over-long forms. */
static bool legal_utf8(const uint8_t *p, uint32_t len, bool overlong) {
    const uint8_t *end = p + len;
    while (p < end) {
        uint64_t eight; /* plain characters, eight at a time */
        while (end - p >= (ptrdiff_t)sizeof eight) {
            memcpy(&eight, p, sizeof eight);
            if (((eight - UINT64_C(0x0101010101010101)) | eight) & UINT64_C(0x8080808080808080)) break;
            p += sizeof eight;
        }
        if (p == end) break;
        uint8_t c = *p;
        if (c != 0 && c < 0x80) {
            p++;
        } else if ((c & 0xe0) == 0xc0) {
            if (end - p < 2 || (p[1] & 0xc0) != 0x80) return false;
            unsigned value = (unsigned)(c & 0x1f) << 6 | (p[1] & 0x3f);
            if (!overlong && value != 0 && value < 0x80) return false;
            p += 2;
        } else if ((c & 0xf0) == 0xe0) {
            if (end - p < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80) return false;
            unsigned value = (unsigned)(c & 0x0f) << 12 | (unsigned)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
            if (!overlong && value < 0x800) return false;
            p += 3;
        } else {
            return false;
        }
    }
    return true;
}

bool check_utf8(struct parse *ps, const uint8_t *bytes, uint32_t len) {
    return !ps->verify || legal_utf8(bytes, len, ps->cf->major <= 47) ||
           format_error(ps, "Illegal UTF8 string in constant pool in class file %s", ps->name);
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

/* Class files before version 49 allow only Java identifiers. Length of the longest identifier (or, with `slashes`,
 * identifiers separated by single slashes) at the start of text; 0 if there is none.
 * Characters beyond ASCII all count as letters: whether they are is known to java.lang.Character only. */
static size_t identifier_length(const char *text, size_t len, bool slashes) {
    size_t i = 0;
    bool after_slash = false;
    for (; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
        if (letter || (i > 0 && c >= '0' && c <= '9')) {
            after_slash = false;
        } else if (slashes && c == '/') {
            if (after_slash) return 0;
            after_slash = true;
        } else {
            return i;
        }
    }
    return after_slash ? 0 : i;
}

static bool old_format(const struct parse *ps) { return ps->cf->major < 49; }

bool check_field_name(struct parse *ps, uint16_t utf8) {
    if (!ps->verify) return true;
    struct span s = cp_utf8(ps->cf, utf8);
    const char *text = (const char *)s.data;
    bool legal = s.size > 0 && (old_format(ps) ? identifier_length(text, s.size, false) == s.size
                                               : name_is_valid_unqualified(text, s.size));
    return legal || format_error(ps, "Illegal field name \"%.*s\" in class %s", UTF8_ARGS(ps->cf, utf8), ps->name);
}

bool check_method_name(struct parse *ps, uint16_t utf8) {
    if (!ps->verify) return true;
    struct span s = cp_utf8(ps->cf, utf8);
    const char *text = (const char *)s.data;
    bool legal;
    if (s.size > 0 && text[0] == '<') legal = utf8_is(ps->cf, utf8, "<init>") || utf8_is(ps->cf, utf8, "<clinit>");
    else
        legal = s.size > 0 && (old_format(ps) ? identifier_length(text, s.size, false) == s.size
                                              : name_is_valid_method(text, s.size));
    return legal || format_error(ps, "Illegal method name \"%.*s\" in class %s", UTF8_ARGS(ps->cf, utf8), ps->name);
}

/* ---- descriptors ----------------------------------------------------------------------------------------------- */

enum type_length_error { TYPE_MALFORMED = 0, TYPE_FAILED = -1 };

/* Length of the type at text; TYPE_MALFORMED, or TYPE_FAILED with the error set. */
static int32_t type_length(struct parse *ps, const char *text, size_t len, bool allow_void) {
    size_t dims = 0;
    while (dims < len && text[dims] == '[') {
        if (++dims > 255) {
            format_error(ps, "Array type descriptor has more than 255 dimensions in class file %s", ps->name);
            return TYPE_FAILED;
        }
    }
    if (dims == len) return TYPE_MALFORMED;
    switch (text[dims]) {
    case 'V': return allow_void && dims == 0 ? 1 : TYPE_MALFORMED;
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z': return (int32_t)dims + 1;
    case 'L': break;
    default: return TYPE_MALFORMED;
    }
    const char *name = text + dims + 1;
    size_t left = len - dims - 1;
    if (old_format(ps)) {
        size_t n = identifier_length(name, left, true);
        return n > 0 && n < left && name[n] == ';' ? (int32_t)(dims + n + 2) : TYPE_MALFORMED;
    }
    const char *semicolon = memchr(name, ';', left);
    if (semicolon == NULL) return TYPE_MALFORMED;
    if (!name_is_valid_class(name, (size_t)(semicolon - name), false)) {
        format_error(ps, "Class name is empty or contains illegal character in descriptor in class file %s", ps->name);
        return TYPE_FAILED;
    }
    return (int32_t)(semicolon - text) + 1;
}

bool check_field_descriptor(struct parse *ps, uint16_t name, uint16_t desc) {
    struct span s = cp_utf8(ps->cf, desc);
    if (!ps->verify) /* the kind of a field must be known even then */
        return descriptor_is_valid_field((const char *)s.data, s.size) || illegal_signature(ps, "Field", name, desc);
    int32_t n = type_length(ps, (const char *)s.data, s.size, false);
    if (n == TYPE_FAILED) return false;
    return (size_t)n == s.size && n != TYPE_MALFORMED ? true : illegal_signature(ps, "Field", name, desc);
}

bool check_method_descriptor(struct parse *ps, uint16_t name, uint16_t desc, int *out_slots) {
    struct span s = cp_utf8(ps->cf, desc);
    const char *p = (const char *)s.data, *end = p + s.size;
    *out_slots = 0;
    if (!ps->verify) {
        *out_slots = desc_arg_slots(p, s.size);
        return *out_slots >= 0 || illegal_signature(ps, "Method", name, desc);
    }
    if (p == end || *p++ != '(') return illegal_signature(ps, "Method", name, desc);
    int32_t n = 0;
    while ((n = type_length(ps, p, (size_t)(end - p), false)) > 0) {
        *out_slots += desc_kind_slots(*p);
        p += n;
    }
    if (n == TYPE_FAILED) return false;
    if (p == end || *p++ != ')') return illegal_signature(ps, "Method", name, desc);
    n = type_length(ps, p, (size_t)(end - p), true);
    if (n == TYPE_FAILED) return false;
    return n > 0 && p + n == end ? true : illegal_signature(ps, "Method", name, desc);
}

/* <init> and <clinit> return void; <clinit> takes nothing since version 51. */
bool check_special_descriptor(struct parse *ps, uint16_t name, uint16_t desc) {
    if (!ps->verify) return true;
    struct span n = cp_utf8(ps->cf, name), d = cp_utf8(ps->cf, desc);
    if (ps->cf->major >= 51 && utf8_is(ps->cf, name, "<clinit>") && !utf8_is(ps->cf, desc, "()V"))
        return illegal_signature(ps, "Method", name, desc);
    if (n.size > 0 && n.data[0] == '<' && d.size > 0 && d.data[d.size - 1] != 'V')
        return illegal_signature(ps, "Method", name, desc);
    return true;
}

bool check_class_name(struct parse *ps, uint16_t utf8) {
    if (!ps->verify) return true;
    struct span s = cp_utf8(ps->cf, utf8);
    const char *text = (const char *)s.data;
    bool legal = false;
    if (s.size > 0 && text[0] == '[') {
        int32_t n = type_length(ps, text, s.size, false);
        if (n == TYPE_FAILED) return false;
        legal = (size_t)n == s.size;
    } else if (s.size > 0) {
        legal =
            old_format(ps) ? identifier_length(text, s.size, true) == s.size : name_is_valid_class(text, s.size, false);
    }
    return legal || format_error(ps, "Illegal class name \"%.*s\" in class file %s", UTF8_ARGS(ps->cf, utf8), ps->name);
}

/* ---- access flags ---------------------------------------------------------------------------------------------- */

static bool several_visibilities(uint16_t flags) {
    unsigned v = flags & (ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED);
    return (v & (v - 1)) != 0;
}

bool check_class_flags(struct parse *ps, uint16_t flags) {
    if (flags & ACC_MODULE)
        return parse_fail(ps, "java/lang/NoClassDefFoundError",
                          "%s is not a class because access_flag ACC_MODULE is set", ps->name);
    if (!ps->verify) return true;
    bool interface = flags & ACC_INTERFACE, abstract = flags & ACC_ABSTRACT, since_5 = ps->cf->major >= 49;
    bool illegal = (abstract && (flags & ACC_FINAL)) || (interface && !abstract) ||
                   (interface && since_5 && (flags & (ACC_SUPER | ACC_ENUM))) ||
                   (!interface && since_5 && (flags & ACC_ANNOTATION));
    return !illegal || format_error(ps, "Illegal class modifiers in class %s: 0x%X", ps->name, flags);
}

bool check_field_flags(struct parse *ps, uint16_t flags) {
    if (!ps->verify) return true;
    bool illegal;
    if (ps->cf->access_flags & ACC_INTERFACE) {
        const uint16_t wanted = ACC_PUBLIC | ACC_STATIC | ACC_FINAL;
        uint16_t refused =
            ACC_PRIVATE | ACC_PROTECTED | ACC_VOLATILE | ACC_TRANSIENT | (ps->cf->major >= 49 ? ACC_ENUM : 0);
        illegal = (flags & wanted) != wanted || (flags & refused);
    } else {
        illegal = several_visibilities(flags) || ((flags & ACC_FINAL) && (flags & ACC_VOLATILE));
    }
    return !illegal || format_error(ps, "Illegal field modifiers in class %s: 0x%X", ps->name, flags);
}

static bool illegal_interface_method(uint16_t major, uint16_t flags) {
    if (major >= 52) {
        if (!(flags & ACC_PUBLIC) == !(flags & ACC_PRIVATE)) return true;
        if (flags & (ACC_NATIVE | ACC_PROTECTED | ACC_FINAL | ACC_SYNCHRONIZED)) return true;
        return (flags & ACC_ABSTRACT) && (flags & (ACC_PRIVATE | ACC_STATIC | (major < 61 ? ACC_STRICT : 0)));
    }
    if ((flags & (ACC_PUBLIC | ACC_ABSTRACT)) != (ACC_PUBLIC | ACC_ABSTRACT) ||
        (flags & (ACC_STATIC | ACC_FINAL | ACC_NATIVE)))
        return true;
    return major >= 49 && (flags & (ACC_PRIVATE | ACC_PROTECTED | ACC_SYNCHRONIZED | ACC_STRICT));
}

static bool illegal_class_method(uint16_t major, uint16_t flags, bool constructor) {
    bool since_5 = major >= 49;
    if (several_visibilities(flags)) return true;
    if (constructor)
        return flags &
               (ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED | ACC_NATIVE | ACC_ABSTRACT | (since_5 ? ACC_BRIDGE : 0));
    if (!(flags & ACC_ABSTRACT)) return false;
    uint16_t refused = ACC_FINAL | ACC_NATIVE | ACC_PRIVATE | ACC_STATIC;
    if (since_5) refused |= ACC_SYNCHRONIZED | (major < 61 ? ACC_STRICT : 0);
    return flags & refused;
}

bool check_method_flags(struct parse *ps, uint16_t flags, uint16_t name) {
    if (!ps->verify) return true;
    bool illegal = ps->cf->access_flags & ACC_INTERFACE
                       ? illegal_interface_method(ps->cf->major, flags)
                       : illegal_class_method(ps->cf->major, flags, utf8_is(ps->cf, name, "<init>"));
    return !illegal || format_error(ps, "Method %.*s in class %s has illegal modifiers: 0x%X", UTF8_ARGS(ps->cf, name),
                                    ps->name, flags);
}
