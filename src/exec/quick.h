/* quick.h — the interpreter's own opcodes, which replace an instruction once it has been resolved. */
#ifndef VITRINE_EXEC_QUICK_H
#define VITRINE_EXEC_QUICK_H

#include <stdbool.h>
#include <stddef.h>

#include "classfile/opcodes.h"

enum quick_opcode {
    OP_quick_base = OP_breakpoint,
#define QUICK(name, base, form, cell, fused) OP_##name,
#include "exec/quick.def"
#undef QUICK
    OP_quick_limit
};
_Static_assert(OP_quick_limit <= 256, "the quick opcodes do not fit in a byte");

/* What distinguishes the quick forms of one instruction. */
enum quick_form {
    FORM_PLAIN,
    FORM_Z, FORM_B, FORM_C, FORM_S, FORM_I, FORM_J, FORM_A,      /* storage types                                 */
    FORM_VOLATILE, FORM_WATCHED,                                 /* fields                                        */
    FORM_CLASS,                                                  /* of constants                                  */
    FORM_PAIR,                                                   /* of loads                                      */
    FORM_BACK,                                                   /* of branches                                   */
    FORM_DIRECT, FORM_TABLE, FORM_HANDLE, FORM_OBJECT_INIT,      /* methods                                       */
    FORM_COUNT
};

/* What a cell holds (link/resolve.h) once an instruction that names it is quick. */
enum quick_cell {
    CELL_NONE,
    CELL_VALUE,                          /* as it is pushed                                                        */
    CELL_CLASS, CELL_METHOD, CELL_CALL_SITE, CELL_WATCHED_FIELD, /* struct class *, method *, call_site *, field *  */
    CELL_FIELD,                          /* FIELD_CELL: offset and type                                            */
    CELL_ADDRESS                         /* STATIC_CELL: where a static field lies                                 */
};

/* By opcode; base 0 and name NULL where it is no quick one. exec/quick.c */
struct quick_row {
    const char *name;
    uint8_t base;                        /* as quick.def says                                                      */
    uint8_t cell;                        /* enum quick_cell                                                        */
    uint8_t fused;                       /* OP_nop: alone                                                          */
};
extern const struct quick_row quick_rows[256];
extern const uint8_t quick_forms[OP_LIMIT][FORM_COUNT];

/* The quick form of an instruction; 0: it has no such form. */
static inline uint8_t quick_opcode(uint8_t base, enum quick_form form) { return quick_forms[base][form]; }
/* What runs when only the first half of a fused pair may. */
static inline uint8_t opcode_unfused(uint8_t op) {
    return quick_rows[op].fused != OP_nop ? quick_opcode(quick_rows[op].base, FORM_PLAIN) : op;
}
/* May an instruction that stands so become the first half of a pair? */
static inline bool opcode_is_half(uint8_t op) {
    for (int form = 0; form < FORM_COUNT; form++) {
        uint8_t other = quick_opcode(quick_rows[op].base, (enum quick_form)form);
        if (quick_rows[op].name != NULL && quick_rows[other].fused != OP_nop) return opcode_unfused(other) == op;
    }
    return false;
}
/* Of any opcode that may stand in code; NULL: none of ours or the specification's. */
static inline const char *quick_name(uint8_t op) {
    return quick_rows[op].name != NULL ? quick_rows[op].name : opcode_names[op];
}

/* Cell of a watched field: struct field *. Cell of a resolved instance field: offset and storage type. */
#define FIELD_CELL(offset, type) ((uint64_t)1 << 63 | (uint64_t)(type) << 56 | (uint32_t)(offset))
#define FIELD_CELL_OFFSET(cell) ((uint32_t)(cell))
#define FIELD_CELL_TYPE(cell) ((enum basic_type)((cell) >> 56 & 0x7f))
/* Cell of a static field: the slot's address; with cards also how far it lies from its holder, which a store wants to
 * know. */
#ifdef VITRINE_CARDS
enum { STATIC_ADDRESS_BITS = 35 };                                   /* the heap lies below 32 GiB */
#define STATIC_CELL(holder, offset) \
    ((uint64_t)(offset) << STATIC_ADDRESS_BITS | ((uint64_t)(uintptr_t)(holder) + (offset)))
#define STATIC_CELL_ADDRESS(cell) ((uintptr_t)(cell) & (((uintptr_t)1 << STATIC_ADDRESS_BITS) - 1))
#define STATIC_CELL_OFFSET(cell) ((size_t)((cell) >> STATIC_ADDRESS_BITS))
#else
#define STATIC_CELL(holder, offset) ((uint64_t)(uintptr_t)(holder) + (offset))
#define STATIC_CELL_ADDRESS(cell) ((uintptr_t)(cell))
#define STATIC_CELL_OFFSET(cell) ((size_t)0)
#endif
#define STATIC_CELL_HOLDER(cell) ((struct object *)(STATIC_CELL_ADDRESS(cell) - STATIC_CELL_OFFSET(cell)))

#endif
