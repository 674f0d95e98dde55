/* The class file as a read-only metadata store: parser entry point, constant pool, members, attributes.
 *
 * parse once ──► struct classfile (in the caller's arena) ──► accessors read `bytes` in place
 *
 * Nothing is copied out of the file except tables that execution needs decoded (member arrays, constant-pool
 * offsets). Attribute positions are kept as 32-bit offsets of the attribute's info
 * bytes; offset 0 means "absent" (no attribute can lie there: the magic number does), and the attribute's
 * length is the u4 in front of it. JVMS 4. */
#ifndef VITRINE_CLASSFILE_CLASSFILE_H
#define VITRINE_CLASSFILE_CLASSFILE_H

#include "base/base.h"

struct arena;
struct symbol;

enum { PREVIEW_MINOR = 65535 };          /* the minor version of files that use preview features */

/* ---- constants of the format ----------------------------------------------------------------------------------- */

enum cp_tag_value {
    CP_Unusable = 0, /* entry 0 and the second half of Long and Double */
    CP_Utf8 = 1,
    CP_Integer = 3,
    CP_Float = 4,
    CP_Long = 5,
    CP_Double = 6,
    CP_Class = 7,
    CP_String = 8,
    CP_Fieldref = 9,
    CP_Methodref = 10,
    CP_InterfaceMethodref = 11,
    CP_NameAndType = 12,
    CP_MethodHandle = 15,
    CP_MethodType = 16,
    CP_Dynamic = 17,
    CP_InvokeDynamic = 18,
    CP_Module = 19,
    CP_Package = 20,
};

enum method_handle_kind {
    REF_getField = 1,
    REF_getStatic,
    REF_putField,
    REF_putStatic,
    REF_invokeVirtual,
    REF_invokeStatic,
    REF_invokeSpecial,
    REF_newInvokeSpecial,
    REF_invokeInterface,
};

/* Access and property flags as in the file (JVMS tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A). */
enum access_flag {
    ACC_PUBLIC = 0x0001,
    ACC_PRIVATE = 0x0002,
    ACC_PROTECTED = 0x0004,
    ACC_STATIC = 0x0008,
    ACC_FINAL = 0x0010,
    ACC_SYNCHRONIZED = 0x0020,
    ACC_SUPER = 0x0020,
    ACC_VOLATILE = 0x0040,
    ACC_BRIDGE = 0x0040,
    ACC_TRANSIENT = 0x0080,
    ACC_VARARGS = 0x0080,
    ACC_NATIVE = 0x0100,
    ACC_INTERFACE = 0x0200,
    ACC_ABSTRACT = 0x0400,
    ACC_STRICT = 0x0800,
    ACC_SYNTHETIC = 0x1000,
    ACC_ANNOTATION = 0x2000,
    ACC_ENUM = 0x4000,
    ACC_MODULE = 0x8000,
};

/* Bits of `vm_flags` of a class, field or method: annotations and attributes with a meaning to the VM.
 * All but the DEPRECATED and SYNTHETIC ones are set only when parsing with CF_VM_ANNOTATIONS. */
enum cf_vm_flag {
    CF_CALLER_SENSITIVE = 1u << 0,
    CF_FORCE_INLINE = 1u << 1,
    CF_DONT_INLINE = 1u << 2,
    CF_HIDDEN = 1u << 3, /* frames of the method are left out of stack traces */
    CF_CONTENDED = 1u << 4,
    CF_STABLE = 1u << 5,
    CF_INTRINSIC_CANDIDATE = 1u << 6,
    CF_RESERVED_STACK_ACCESS = 1u << 7,
    CF_LAMBDA_FORM_COMPILED = 1u << 8,
    CF_SCOPED = 1u << 9,
    CF_VALUE_BASED = 1u << 10,
    CF_CHANGES_CURRENT_THREAD = 1u << 11,
    CF_JVMTI_HIDE_EVENTS = 1u << 12,
    CF_JVMTI_MOUNT_TRANSITION = 1u << 13,
    CF_INJECTED_PROFILE = 1u << 14,
    CF_DEPRECATED_ANNOTATION = 1u << 15,
    CF_DEPRECATED_FOR_REMOVAL = 1u << 16,
    CF_DEPRECATED_ATTRIBUTE = 1u << 17,
    CF_SYNTHETIC_ATTRIBUTE = 1u << 18, /* ACC_SYNTHETIC is or-ed into access_flags too */
};

/* ---- structures ------------------------------------------------------------------------------------------------ */

struct cp {
    uint16_t count;                    /* constant_pool_count: valid indices are 1..count-1 */
    bool wide;                         /* the file is too long for 16-bit offsets */
    /* uint16_t, wide: uint32_t, per index: in `bytes` the entry's first byte behind the tag (Utf8: its u2 length), 0
     * for an unusable entry. Read by cp_payload() and cp_tag() */
    const void *offsets;
    /* per index. Utf8: the interned symbol, 0 until asked for; owns a reference. The others' are link/'s
     * (link/resolve.h) */
    _Atomic uint64_t *cells;
};

/* One exception_table row, in file order. catch_type 0: any. */
struct cf_handler {
    uint16_t start_pc, end_pc, handler_pc, catch_type;
};

struct cf_code {
    const uint8_t *code; /* into `bytes`: original bytecode, never rewritten */
    uint32_t code_length;
    uint16_t max_stack;
    uint16_t max_locals;
    uint16_t handler_count;   /* cf_handler_at() reads them in place */
    uint8_t line_tables;      /* number of LineNumberTable attributes; 2: several */
    bool has_local_variables; /* a LocalVariableTable is present */
    uint32_t attributes;      /* offset of the Code attribute's own attributes_count */
    /* attribute offsets, 0 = absent */
    uint32_t line_numbers; /* first LineNumberTable; further ones are found by cf_lines_next() */
    uint32_t stack_map;    /* StackMapTable */
};

/* The attributes few members have; allocated only when one of them is present. Offsets, 0 = absent. */
struct cf_member_extra {
    uint32_t annotations, invisible_annotations;                     /* Runtime(In)VisibleAnnotations */
    uint32_t type_annotations, invisible_type_annotations;           /* Runtime(In)VisibleTypeAnnotations */
    uint32_t parameter_annotations, invisible_parameter_annotations; /* Runtime(In)VisibleParameterAnnotations */
    uint32_t annotation_default;                                     /* AnnotationDefault */
    uint32_t method_parameters;                                      /* MethodParameters */
    uint32_t exceptions;                                             /* Exceptions: u2 count, u2 class index each */
    uint16_t contended_group;                                        /* Utf8 index of @Contended's group, 0 = none */
};

/* A field_info, method_info or (without flags) record component. */
struct cf_member {
    uint32_t vm_flags;             /* enum cf_vm_flag */
    uint16_t access_flags;
    uint16_t name_index, desc_index; /* cf_member_name(), cf_member_desc() */
    uint16_t signature_index;      /* Utf8 index of Signature, 0 = absent */
    uint16_t constant_value_index; /* fields: ConstantValue entry, 0 = absent */
    uint16_t arg_slots;            /* methods: argument slots without the receiver */
    struct cf_code *code;          /* methods: NULL for abstract and native ones, and for fields */
    struct cf_member_extra *extra; /* NULL if none of its attributes is present */
};

/* A parsed class file. Immutable after classfile_parse but for the lazily filled symbols and
 * classfile_patch_class_name. Lives in the arena given to classfile_parse. */
struct classfile {
    const uint8_t *bytes; /* not owned; must outlive the class file */
    struct cp cp;
    struct symbol *name;       /* this_class, possibly patched */
    struct symbol *super_name; /* NULL for java/lang/Object */
    uint32_t length;
    uint32_t body; /* offset of access_flags: the first byte behind the constant pool */
    uint16_t minor, major;
    uint16_t access_flags; /* ACC_SUPER included as in the file */
    uint16_t this_class, super_class;
    uint16_t interface_count;
    uint16_t field_count, method_count;
    const uint32_t *bootstrap_offsets; /* per bootstrap method: offset of its bootstrap_method_ref */
    struct cf_record_component *record_components;
    struct cf_member *fields;
    struct cf_member *methods;
    /* single values, 0 = absent */
    uint16_t source_file;       /* Utf8 index */
    uint16_t signature;         /* Utf8 index */
    uint16_t nest_host;         /* Class index */
    uint16_t contended_group;   /* Utf8 index */
    uint16_t enclosing_class;   /* Class index of EnclosingMethod */
    uint16_t enclosing_method;  /* NameAndType index of EnclosingMethod, 0 = not directly in a method */
    uint16_t bootstrap_count;   /* number of bootstrap methods */
    uint16_t record_count;      /* number of record components */
    bool is_record;             /* Record attribute present (it may be empty) */
    bool is_sealed;             /* PermittedSubclasses present (and honoured: major >= 61) */
    bool has_vanilla_constructor; /* a ()V <init> exists */
    bool trusted;               /* parsed with CF_TRUSTED */
    uint32_t vm_flags;          /* enum cf_vm_flag */
    int32_t clinit_index;       /* method index of the static initialiser, -1 = none */
    /* attribute offsets, 0 = absent */
    uint32_t inner_classes, nest_members, permitted_subclasses;
    uint32_t annotations, invisible_annotations, type_annotations, invisible_type_annotations;
    uint32_t source_debug_extension;
    uint32_t module; /* Module: only module-info, which is refused; kept for completeness of dumps */
};

struct cf_record_component {
    uint16_t name_index, desc_index, signature_index;
    uint32_t annotations, invisible_annotations, type_annotations, invisible_type_annotations;
};

/* Why a file was refused. `exception` is a class name with slashes, never freed; NULL means out of memory
 * (java/lang/OutOfMemoryError without message is the caller's to make). */
struct cf_error {
    const char *exception;
    char message[1024];
};

enum cf_parse_flag {
    CF_TRUSTED = 1u << 0,        /* class that is not verified: skips what -XX:-BytecodeVerificationLocal skips */
    CF_VM_ANNOTATIONS = 1u << 1, /* honour the VM's own annotations (boot and platform loader, ACCESS_VM_ANNOTATIONS) */
    CF_HIDDEN_CLASS = 1u << 3,   /* being defined as a hidden class */
    CF_PREVIEW_ENABLED = 1u << 4 /* --enable-preview */
};

struct cf_parse_args {
    const uint8_t *bytes;
    size_t length;
    uint16_t max_major;             /* 61 or 69: newest version the class library knows */
    unsigned flags;                 /* enum cf_parse_flag */
    const char *requested_name;     /* internal name to show in messages; NULL: expected_name, or "<Unknown>" until
                                     * this_class is read */
    struct symbol *expected_name;   /* NULL, or what this_class must be: otherwise NoClassDefFoundError */
    /* Bytes that the caller is going to take from the arena for what it makes of the file: by class, interface, field
     * and method. They get room with the parser's own, and so do copies of the code if code_room says so. */
    uint32_t room, interface_room, field_room, method_room;
    bool code_room;
};

/* ---- parsing --------------------------------------------------------------------------------------------------- */

/* Parses and checks JVMS 4.1-4.8. Everything is allocated in `arena`. Returns NULL and fills *error when
 * the file is refused; symbols interned so far have been released then.
 * Any thread; no safepoint. Linear in the file's length. */
struct classfile *classfile_parse(struct arena *arena, const struct cf_parse_args *args, struct cf_error *error);

/* Bytes that the parser takes from the arena before it comes to the members. */
size_t classfile_head_room(const uint8_t *bytes, size_t length);

/* Gives back the symbols. The memory goes with the arena. */
void classfile_release(struct classfile *cf);

/* Reads this_class's name out of raw bytes without checks beyond bounds; false if the file is too broken.
 * *name points into `bytes`. For a define call that must know the name before parsing (CDS-less defineClass,
 * transformers). */
bool classfile_peek_name(const uint8_t *bytes, size_t length, const uint8_t **name, uint16_t *name_length);

/* Gives the class's own Class entry another name (hidden classes); takes its own reference to `name`.
 * Entries other than cp[this_class].name_index that spell the same name are not affected. Before publication only.
 * False: out of memory. */
bool classfile_patch_class_name(struct classfile *cf, struct symbol *name);

/* ---- raw reading ----------------------------------------------------------------------------------------------- */

static inline uint16_t cf_u2(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t cf_u4(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The info bytes of the attribute at `offset`; {NULL, 0} for 0, absent. */
static inline struct span cf_attribute(const struct classfile *cf, uint32_t offset) {
    if (offset == 0)
        return (struct span){NULL, 0};
    return (struct span){cf->bytes + offset, cf_u4(cf->bytes + offset - 4)};
}

/* ---- constant pool --------------------------------------------------------------------------------------------- */
/* Indices and tags were checked by the parser for every index that stands in the file's own structures
 * outside of code; an index taken from bytecode must be checked with cp_tag() (which answers CP_Unusable
 * out of range) by the verifier, or again at rewriting for classes that are not verified. */

static inline uint32_t cp_offset(const struct classfile *cf, uint16_t i) {
    const void *offsets = cf->cp.offsets;
    return cf->cp.wide ? ((const uint32_t *)offsets)[i] : ((const uint16_t *)offsets)[i];
}

static inline uint8_t cp_tag(const struct classfile *cf, uint16_t i) {
    uint32_t offset = i < cf->cp.count ? cp_offset(cf, i) : 0;
    return offset != 0 ? cf->bytes[offset - 1] : (uint8_t)CP_Unusable;
}

static inline const uint8_t *cp_payload(const struct classfile *cf, uint16_t i) {
    return cf->bytes + cp_offset(cf, i);
}

/* Symbol of Utf8 entry `i`, interned at first use; borrowed (the class file keeps it). NULL: out of memory.
 * Any thread. */
struct symbol *cp_symbol(const struct classfile *cf, uint16_t i);

/* Modified UTF-8 of a Utf8 entry without interning it. */
static inline struct span cp_utf8(const struct classfile *cf, uint16_t i) {
    const uint8_t *p = cp_payload(cf, i);
    return (struct span){p + 2, cf_u2(p)};
}

/* Class, String, MethodType, Module, Package: the Utf8 index they name. */
static inline uint16_t cp_utf8_index(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i));
}

/* Internal name of a Class entry ("java/lang/String", "[I"); the patched one for this_class. */
struct symbol *cp_class_name(const struct classfile *cf, uint16_t i);

static inline uint16_t cp_nat_name_index(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i));
}
static inline uint16_t cp_nat_desc_index(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i) + 2);
}
static inline struct symbol *cp_nat_name(const struct classfile *cf, uint16_t i) {
    return cp_symbol(cf, cp_nat_name_index(cf, i));
}
static inline struct symbol *cp_nat_desc(const struct classfile *cf, uint16_t i) {
    return cp_symbol(cf, cp_nat_desc_index(cf, i));
}

/* Fieldref, Methodref, InterfaceMethodref. */
static inline uint16_t cp_ref_class_index(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i));
}
/* NameAndType index of a ref, Dynamic or InvokeDynamic entry. */
static inline uint16_t cp_ref_nat_index(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i) + 2);
}
static inline struct symbol *cp_ref_class_name(const struct classfile *cf, uint16_t i) {
    return cp_class_name(cf, cp_ref_class_index(cf, i));
}
/* Name and descriptor of a ref, Dynamic or InvokeDynamic entry. */
static inline struct symbol *cp_ref_name(const struct classfile *cf, uint16_t i) {
    return cp_nat_name(cf, cp_ref_nat_index(cf, i));
}
static inline struct symbol *cp_ref_desc(const struct classfile *cf, uint16_t i) {
    return cp_nat_desc(cf, cp_ref_nat_index(cf, i));
}
/* The descriptor's text, which needs no memory. */
static inline struct span cp_ref_desc_utf8(const struct classfile *cf, uint16_t i) {
    return cp_utf8(cf, cp_nat_desc_index(cf, cp_ref_nat_index(cf, i)));
}

static inline int32_t cp_int(const struct classfile *cf, uint16_t i) {
    return (int32_t)cf_u4(cp_payload(cf, i));
}
static inline int64_t cp_long(const struct classfile *cf, uint16_t i) {
    const uint8_t *p = cp_payload(cf, i);
    return (int64_t)((uint64_t)cf_u4(p) << 32 | cf_u4(p + 4));
}
static inline float cp_float(const struct classfile *cf, uint16_t i) {
    union { uint32_t bits; float value; } u = {.bits = cf_u4(cp_payload(cf, i))};
    return u.value;
}
static inline double cp_double(const struct classfile *cf, uint16_t i) {
    union { int64_t bits; double value; } u = {.bits = cp_long(cf, i)};
    return u.value;
}
/* Modified UTF-8 of a String entry. */
static inline struct span cp_string_utf8(const struct classfile *cf, uint16_t i) {
    return cp_utf8(cf, cp_utf8_index(cf, i));
}
/* MethodHandle: enum method_handle_kind, and the index of the ref entry. */
static inline uint8_t cp_method_handle_kind(const struct classfile *cf, uint16_t i) {
    return cp_payload(cf, i)[0];
}
static inline uint16_t cp_method_handle_ref(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i) + 1);
}
static inline struct symbol *cp_method_type_desc(const struct classfile *cf, uint16_t i) {
    return cp_symbol(cf, cp_utf8_index(cf, i));
}
/* Dynamic and InvokeDynamic: index into BootstrapMethods. */
static inline uint16_t cp_bootstrap_index(const struct classfile *cf, uint16_t i) {
    return cf_u2(cp_payload(cf, i));
}

/* ---- BootstrapMethods ------------------------------------------------------------------------------------------ */

/* MethodHandle index of bootstrap method `b` (b < bootstrap_count). */
static inline uint16_t cf_bootstrap_method_ref(const struct classfile *cf, uint16_t b) {
    return cf_u2(cf->bytes + cf->bootstrap_offsets[b]);
}
static inline uint16_t cf_bootstrap_arg_count(const struct classfile *cf, uint16_t b) {
    return cf_u2(cf->bytes + cf->bootstrap_offsets[b] + 2);
}
/* Constant-pool index of static argument `k`. */
static inline uint16_t cf_bootstrap_arg(const struct classfile *cf, uint16_t b, uint16_t k) {
    return cf_u2(cf->bytes + cf->bootstrap_offsets[b] + 4 + 2 * (uint32_t)k);
}

/* ---- class attributes ------------------------------------------------------------------------------------------ */

/* Class index of direct superinterface `k`. */
static inline uint16_t cf_interface(const struct classfile *cf, uint16_t k) {
    return cf_u2(cf->bytes + cf->body + 8 + 2 * (uint32_t)k);
}

struct cf_inner_class {
    uint16_t inner_class;  /* Class index */
    uint16_t outer_class;  /* Class index, 0: not a member */
    uint16_t inner_name;   /* Utf8 index, 0: anonymous */
    uint16_t access_flags; /* as in the file */
};

uint16_t cf_inner_class_count(const struct classfile *cf);
struct cf_inner_class cf_inner_class_at(const struct classfile *cf, uint16_t k);

/* A u2 count followed by that many u2 Class indices: NestMembers, PermittedSubclasses, Exceptions. */
static inline uint16_t cf_list_count(const struct classfile *cf, uint32_t attribute) {
    return attribute == 0 ? 0 : cf_u2(cf->bytes + attribute);
}
static inline uint16_t cf_list_at(const struct classfile *cf, uint32_t attribute, uint16_t k) {
    return cf_u2(cf->bytes + attribute + 2 + 2 * (uint32_t)k);
}

/* ---- Code attributes ------------------------------------------------------------------------------------------- */

/* Row `k` (k < handler_count) of the exception table. */
static inline struct cf_handler cf_handler_at(const struct cf_code *code, uint16_t k) {
    const uint8_t *p = code->code + code->code_length + 2 + 8 * (uint32_t)k;
    return (struct cf_handler){ cf_u2(p), cf_u2(p + 2), cf_u2(p + 4), cf_u2(p + 6) };
}

struct cf_line {
    uint16_t start_pc, line;
};

/* Iterates over all rows of all LineNumberTable attributes of `code` in file order:
 *     for (struct cf_line_iter it = cf_lines(cf, code); cf_lines_next(&it, &row);) */
struct cf_line_iter {
    const struct classfile *cf;
    const uint8_t *row;      /* next row */
    uint16_t rows;           /* rows left in this attribute */
    uint16_t attributes;     /* attributes of Code behind this one that are still unread */
    const uint8_t *next;     /* next attribute of Code */
};
struct cf_line_iter cf_lines(const struct classfile *cf, const struct cf_code *code);
bool cf_lines_next(struct cf_line_iter *it, struct cf_line *out);

/* Number of rows over all LineNumberTables. */
uint32_t cf_line_count(const struct classfile *cf, const struct cf_code *code);

/* Source line of `bci`: an exact match, otherwise the row with the greatest start_pc below bci (HotSpot's rule);
 * -1 without information. Async-signal-safe. */
int cf_line_number(const struct classfile *cf, const struct cf_code *code, uint32_t bci);

struct cf_local_variable {
    uint16_t start_pc, length;
    uint16_t name_index;
    uint16_t desc_index;      /* Utf8 index of the descriptor */
    uint16_t signature_index; /* from LocalVariableTypeTable, 0 = absent */
    uint16_t slot;
};

/* Rows of the (concatenated) LocalVariableTables; 0 when absent. */
uint32_t cf_local_variable_count(const struct classfile *cf, const struct cf_code *code);
/* Fills out[cf_local_variable_count()] in file order, generic signatures joined in. */
void cf_local_variables(const struct classfile *cf, const struct cf_code *code, struct cf_local_variable *out);

/* ---- members --------------------------------------------------------------------------------------------------- */

/* Interned by the parser, so never NULL; borrowed from the constant pool. Any thread. */
static inline struct symbol *cf_member_name(const struct classfile *cf, const struct cf_member *m) {
    return cp_symbol(cf, m->name_index);
}
static inline struct symbol *cf_member_desc(const struct classfile *cf, const struct cf_member *m) {
    return cp_symbol(cf, m->desc_index);
}

/* The attribute `which` (a field name of cf_member_extra) of member `m`. */
#define cf_member_attribute(cf, m, which) cf_attribute((cf), (m)->extra ? (m)->extra->which : 0)

struct cf_method_parameter {
    uint16_t name_index; /* 0: no name */
    uint16_t access_flags;
};
/* Number of MethodParameters rows, or -1 without the attribute. */
int cf_method_parameter_count(const struct classfile *cf, const struct cf_member *m);
struct cf_method_parameter cf_method_parameter_at(const struct classfile *cf, const struct cf_member *m, int k);

#endif
