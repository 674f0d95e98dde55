/* What the files of the class file parser share. */
#ifndef VITRINE_CLASSFILE_PARSE_INTERNAL_H
#define VITRINE_CLASSFILE_PARSE_INTERNAL_H

#include "base/alloc.h"
#include "base/symbol.h"
#include "classfile/classfile.h"

/* State of one classfile_parse call: the cursor, the result under construction, and where to put the reason of a
 * refusal. Every parse_* function returns false after having filled `error`. */
struct parse {
    const uint8_t *p, *end;
    struct classfile *cf;
    struct arena *arena;
    const struct cf_parse_args *args;
    struct cf_error *error;
    const char *name; /* of the class, for messages */
    bool verify;      /* not CF_TRUSTED */
    uint8_t bad_constant;       /* first Module or Package tag seen, or 0 */
    int32_t max_bootstrap_index; /* greatest index that a Dynamic or InvokeDynamic entry names, -1 = none */
};

/* Attributes with a meaning to the VM. */
enum cf_attribute_kind {
    ATTR_unknown,
#define ATTRIBUTE(name) ATTR_##name,
#include "classfile/attributes.def"
#undef ATTRIBUTE
};
enum cf_attribute_kind cf_attribute_kind(const struct classfile *cf, uint16_t name_index);

/* Refusals; all return false. */
bool parse_fail(struct parse *ps, const char *exception, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool parse_no_memory(struct parse *ps);
#define format_error(ps, ...) parse_fail((ps), "java/lang/ClassFormatError", __VA_ARGS__)
/* Makes sure that `n` bytes are left ("Truncated class file"). */
bool parse_need(struct parse *ps, uint32_t n);

/* Reading behind a parse_need. */
static inline uint8_t take_u1(struct parse *ps) {
    return *ps->p++;
}
static inline uint16_t take_u2(struct parse *ps) {
    ps->p += 2;
    return cf_u2(ps->p - 2);
}
static inline uint32_t take_u4(struct parse *ps) {
    ps->p += 4;
    return cf_u4(ps->p - 4);
}
static inline uint32_t parse_offset(const struct parse *ps) {
    return (uint32_t)(ps->p - ps->cf->bytes);
}

/* constant_pool.c */
bool parse_constant_pool(struct parse *ps);
/* Bytes of arena for a constant pool. */
static inline size_t pool_room(uint16_t count, bool wide) {
    size_t offsets = count * (wide ? sizeof(uint32_t) : sizeof(uint16_t));
    return ALIGN_UP(offsets, sizeof(uint64_t)) + count * sizeof(uint64_t);
}

/* format.c: names, descriptors and flags. Each does nothing for trusted classes unless it says otherwise. */
bool check_class_version(struct parse *ps);                     /* trusted classes too */
bool check_utf8(struct parse *ps, const uint8_t *bytes, uint32_t len);
bool check_class_name(struct parse *ps, uint16_t utf8);
bool check_field_name(struct parse *ps, uint16_t utf8);
bool check_method_name(struct parse *ps, uint16_t utf8);
bool check_field_descriptor(struct parse *ps, uint16_t name, uint16_t desc);
/* Also gives the argument slots, for trusted classes too. */
bool check_method_descriptor(struct parse *ps, uint16_t name, uint16_t desc, int *out_slots);
bool check_special_descriptor(struct parse *ps, uint16_t name, uint16_t desc);
bool check_class_flags(struct parse *ps, uint16_t flags);       /* ACC_MODULE: trusted classes too */
bool check_field_flags(struct parse *ps, uint16_t flags);
bool check_method_flags(struct parse *ps, uint16_t flags, uint16_t name);
bool illegal_signature(struct parse *ps, const char *what, uint16_t name, uint16_t desc);

/* members.c */
/* Gets room in the arena for the members; the cursor stands in front of them. */
bool expect_members(struct parse *ps);
bool parse_fields(struct parse *ps);
bool parse_methods(struct parse *ps);

/* class_attributes.c */
bool parse_class_attributes(struct parse *ps);

/* vm_annotations.c: looks through a Runtime(In)VisibleAnnotations attribute for the VM's own annotations. */
enum annotation_place { IN_CLASS, IN_FIELD, IN_METHOD };
void find_vm_annotations(const struct classfile *cf, const uint8_t *p, uint32_t len, enum annotation_place place,
                         bool privileged, uint32_t *vm_flags, uint16_t *contended_group);

/* attributes.c: joins the local variable tables of a method. */
enum lvt_problem { LVT_FINE, LVT_DUPLICATE, LVTT_DUPLICATE, LVTT_UNMATCHED, LVT_NO_MEMORY };
/* Fills out[count]; on a problem *name_index is the offending row's name. `stop`: end at the first problem. */
enum lvt_problem join_local_variables(const struct classfile *cf, const struct cf_code *code,
                                      struct cf_local_variable *out, uint32_t count, bool stop, uint16_t *name_index);

/* Text of a Utf8 entry for "%.*s". */
#define UTF8_ARGS(cf, i) (int)cp_utf8((cf), (i)).size, (const char *)cp_utf8((cf), (i)).data

static inline bool utf8_is(const struct classfile *cf, uint16_t i, const char *text) {
    struct span s = cp_utf8(cf, i);
    return s.size == strlen(text) && memcmp(s.data, text, s.size) == 0;
}

static inline bool valid_utf8(const struct parse *ps, uint16_t i) {
    return cp_tag(ps->cf, i) == CP_Utf8;
}
static inline bool valid_class(const struct parse *ps, uint16_t i) {
    return cp_tag(ps->cf, i) == CP_Class;
}

#endif
