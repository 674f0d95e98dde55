/* What the files of the verifier share: verification types, frames, the state of one run. */
#ifndef VITRINE_VERIFY_VERIFY_INTERNAL_H
#define VITRINE_VERIFY_VERIFY_INTERNAL_H

#include "base/alloc.h"
#include "base/symbol.h"
#include "base/table.h"
#include "classfile/opcodes.h"
#include "verify/verify.h"

/* ---- verification types ---------------------------------------------------------------------------------------- */

/* One word: a class name's symbol (references; NULL is the null type) or a tagged number.
 *
 *     symbol address ......... 00   reference
 *     kind(8) 000000 categories 01  primitive, top, or a query ("any reference", "any category 1 value", ...)
 *     bci << 8             00000010 uninitialized (bci of `new`; 0xffff: uninitializedThis)                          */
struct vtype {
    uintptr_t bits;
};

enum vtype_kind {
    KIND_TOP,
    KIND_BOOLEAN,
    KIND_BYTE,
    KIND_SHORT,
    KIND_CHAR,
    KIND_INTEGER,
    KIND_FLOAT,
    KIND_LONG,
    KIND_DOUBLE,
    KIND_LONG_2ND,
    KIND_DOUBLE_2ND,
    KIND_ANY_REFERENCE, /* queries: never on a stack or in a local */
    KIND_ANY_CATEGORY1,
    KIND_ANY_CATEGORY2,
};
#define VTYPE(kind) ((struct vtype){(uintptr_t)KIND_##kind << 8 | 1})
#define VTYPE_NULL  ((struct vtype){0})

enum { THIS_BCI = 0xffff };

static inline struct vtype vtype_reference(struct symbol *name) {
    return (struct vtype){(uintptr_t)name};
}
static inline struct vtype vtype_uninitialized(uint16_t bci) {
    return (struct vtype){(uintptr_t)bci << 8 | 2};
}
static inline bool vtype_is_reference(struct vtype t) {
    return (t.bits & 3) == 0;
}
static inline bool vtype_is_null(struct vtype t) {
    return t.bits == 0;
}
static inline bool vtype_is_uninitialized(struct vtype t) {
    return (t.bits & 3) == 2;
}
static inline uint16_t vtype_bci(struct vtype t) {
    return (uint16_t)(t.bits >> 8);
}
static inline bool vtype_equals(struct vtype a, struct vtype b) {
    return a.bits == b.bits;
}
static inline struct symbol *vtype_name(struct vtype t) {
    return (struct symbol *)t.bits;
}
static inline bool vtype_is_array(struct vtype t) {
    return vtype_is_reference(t) && !vtype_is_null(t) && vtype_name(t)->length >= 2 && vtype_name(t)->bytes[0] == '[';
}
static inline bool vtype_is_object(struct vtype t) {
    return vtype_is_reference(t) && !vtype_is_null(t) && vtype_name(t)->length >= 1 && vtype_name(t)->bytes[0] != '[';
}
static inline bool vtype_is_category2(struct vtype t) {
    return t.bits == VTYPE(LONG).bits || t.bits == VTYPE(DOUBLE).bits;
}
static inline bool vtype_is_category2_2nd(struct vtype t) {
    return t.bits == VTYPE(LONG_2ND).bits || t.bits == VTYPE(DOUBLE_2ND).bits;
}
static inline bool vtype_is_category1(struct vtype t) {
    if ((t.bits & 3) != 1)
        return true;
    return t.bits >= VTYPE(BOOLEAN).bits && t.bits <= VTYPE(FLOAT).bits;
}
static inline struct vtype vtype_2nd(struct vtype t) {
    return t.bits == VTYPE(LONG).bits ? VTYPE(LONG_2ND) : VTYPE(DOUBLE_2ND);
}

/* ---- frames ---------------------------------------------------------------------------------------------------- */

enum { FLAG_THIS_UNINIT = 1 };

struct vframe {
    int32_t offset; /* bci */
    int32_t locals_size, stack_size;
    int32_t stack_mark; /* stack size before the current instruction, -1 for frames of the stack map */
    uint8_t flags;
    struct vtype *locals, *stack;
};

/* ---- reasons --------------------------------------------------------------------------------------------------- */

enum fault {
    FAULT_NONE,
    FAULT_BYTECODE,
    FAULT_TYPE,
    FAULT_FLAGS,
    FAULT_CP_INDEX,
    FAULT_LOCAL_INDEX,
    FAULT_STACK_SIZE,
    FAULT_STACK_OVERFLOW,
    FAULT_STACK_UNDERFLOW,
    FAULT_MISSING_STACKMAP,
    FAULT_BAD_STACKMAP,
};

enum origin_kind {
    ORIGIN_NONE,
    ORIGIN_LOCAL,
    ORIGIN_STACK,
    ORIGIN_MAP_LOCAL,
    ORIGIN_MAP_STACK,
    ORIGIN_CP,
    ORIGIN_SIGNATURE,
    ORIGIN_IMPLICIT,
    ORIGIN_INDEX,
    ORIGIN_FRAME
};

/* Where a type in an error message comes from; the frame is a shallow copy. */
struct origin {
    enum origin_kind kind;
    int32_t index;
    bool has_frame;
    struct vframe frame;
    struct vtype type;
};

struct reason {
    enum fault fault;
    int32_t bci;
    struct origin type, expected;
};

/* ---- the run --------------------------------------------------------------------------------------------------- */

/* Types of a descriptor: a long or double is two entries. */
struct method_types {
    int32_t argument_slots;
    int32_t return_slots;
    struct vtype types[]; /* arguments, then the return type */
};

enum { BCI_INSTRUCTION = 1, BCI_NEW = 2 };

struct verifier {
    const struct classfile *cf;
    const struct verify_hooks *hooks;
    struct verify_result *result;
    enum verify_status status;
    struct symbol *this_name;

    /* names the rules mention */
    struct symbol *java_lang_Object, *java_lang_String, *java_lang_Class, *java_lang_Throwable;
    struct symbol *java_lang_invoke_MethodHandle, *java_lang_invoke_MethodType;
    struct symbol *java_lang_Cloneable, *java_io_Serializable;
    struct symbol *init_name, *clone_name;

    VEC(struct symbol *) symbols; /* references held until the end */
    struct ptr_table descriptors; /* symbol -> struct method_types */
    struct arena *class_arena;    /* lives through the run */
    struct { struct symbol *to, *from; } assignable_cache[64];

    /* the method */
    struct arena *arena;
    const struct cf_member *method;
    const struct cf_code *code;
    uint8_t *marks; /* per bci: 0, BCI_INSTRUCTION, BCI_NEW */
    struct vtype return_type;
    struct vframe current;
    uint32_t changes;        /* counts changes of current's locals and flags */
    struct vframe *frames;   /* of the StackMapTable */
    int32_t frame_count;
    uint32_t *handler_checked; /* per handler: value of `changes` when it last matched */
    int32_t covered_from, covered_to; /* union of the handlers' ranges */
    struct reason reason;    /* of the refusal in result->message */
};

/* message.c. All return false: the run stops. */
bool reject(struct verifier *v, struct reason reason, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool reject_format(struct verifier *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool reject_stackmap_format(struct verifier *v, const char *what);
bool no_memory(struct verifier *v);
void add_details(struct verifier *v);
/* "java/lang/Object" as "java.lang.Object", in v->arena. */
const char *external_name(struct verifier *v, const struct symbol *name);

struct origin origin_local(const struct vframe *f, int32_t index);
struct origin origin_stack(const struct vframe *f, int32_t index);
struct origin origin_map_local(const struct vframe *f, int32_t index);
struct origin origin_map_stack(const struct vframe *f, int32_t index);
struct origin origin_cp(uint16_t index, struct vtype t);
struct origin origin_type(enum origin_kind kind, struct vtype t);
struct reason reason_code(int32_t bci);
struct reason reason_type(int32_t bci, struct origin type);
struct reason reason_types(int32_t bci, struct origin type, struct origin expected);
struct reason reason_index(enum fault fault, int32_t bci, int32_t index);
struct reason reason_frame(enum fault fault, int32_t bci, const struct vframe *frame);
struct reason reason_frames(enum fault fault, int32_t bci, const struct vframe *frame, const struct vframe *map);

/* types.c */
struct symbol *hold_symbol(struct verifier *v, const char *text, size_t len); /* NULL: status set */
bool assignable(struct verifier *v, struct vtype to, struct vtype from, bool is_protected, bool *yes);
/* As assignable for a reference; *is_interface: `to` was loaded and is an interface. */
bool reference_assignable(struct verifier *v, struct vtype to, struct vtype from, bool is_protected, bool *yes,
                          bool *is_interface);
bool component_type(struct verifier *v, struct vtype array, struct vtype *out);
const struct method_types *types_of_descriptor(struct verifier *v, struct symbol *desc);
/* One or two types of a field descriptor; returns how many, 0 on failure. */
int types_of_field(struct verifier *v, const char *text, size_t len, struct vtype out[2]);

/* frames.c */
bool push(struct verifier *v, struct vtype t);
bool push2(struct verifier *v, struct vtype t);
bool pop(struct verifier *v, struct vtype wanted, struct vtype *out);
bool pop_any(struct verifier *v, struct vtype *out);
bool pop2(struct verifier *v, struct vtype wanted); /* LONG or DOUBLE */
bool get_local(struct verifier *v, uint32_t index, struct vtype wanted, struct vtype *out);
bool get_local2(struct verifier *v, uint32_t index, struct vtype wanted);
bool set_local(struct verifier *v, uint32_t index, struct vtype t);
bool set_local2(struct verifier *v, uint32_t index, struct vtype t);
void initialize_object(struct verifier *v, struct vtype old, struct vtype now);
struct origin stack_top(struct verifier *v);
bool match_frame(struct verifier *v, const struct vframe *frame, int32_t index, int32_t target, bool *matches,
                 struct reason *why);
void adopt_frame(struct verifier *v, int32_t index);
int32_t find_frame(const struct verifier *v, int32_t target); /* -1: none */
bool check_jump(struct verifier *v, int32_t bci, int32_t offset);

/* stackmap.c */
bool parse_stackmap(struct verifier *v);

/* instructions.c */
bool verify_instructions(struct verifier *v);

/* method.c */
bool check_handlers_at(struct verifier *v, int32_t bci, bool this_uninit);

#endif
