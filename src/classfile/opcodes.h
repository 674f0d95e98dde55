/* Bytecode numbers, lengths and formats, from the one table opcodes.def. JVMS 6.5. */
#ifndef VITRINE_CLASSFILE_OPCODES_H
#define VITRINE_CLASSFILE_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

enum opcode {
#define OPCODE(number, name, format, length, pops, pushes) OP_##name = number,
#include "classfile/opcodes.def"
#undef OPCODE
    OP_breakpoint = 202, /* reserved: never in a class file */
    OP_LIMIT = 202       /* numbers below are defined by the specification */
};

/* JVM basic types, in the encoding of table 6.5.newarray-A where newarray has one. */
enum basic_type {
    T_BOOLEAN = 4,
    T_CHAR,
    T_FLOAT,
    T_DOUBLE,
    T_BYTE,
    T_SHORT,
    T_INT,
    T_LONG,
    T_OBJECT,
    T_ARRAY,
    T_VOID
};

/* Tables of 256 entries; undefined numbers have length 0 and NULL strings. */
extern const uint8_t opcode_lengths[256];
extern const char *const opcode_names[256];
extern const char *const opcode_formats[256];
extern const char *const opcode_pops[256];
extern const char *const opcode_pushes[256];

/* Length of the instruction at code[bci], 0 if it is undefined, malformed (switch bounds) or runs past `len`. */
uint32_t opcode_length(const uint8_t *code, uint32_t bci, uint32_t len);

/* Is it one of those from `from` to `to`? */
static inline bool op_is_in(uint8_t op, uint8_t from, uint8_t to) { return op >= from && op <= to; }

static inline int16_t op_s2(const uint8_t *p) {
    return (int16_t)(p[0] << 8 | p[1]);
}
static inline uint16_t op_u2(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}
static inline int32_t op_s4(const uint8_t *p) {
    return (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
}

/* A decoded tableswitch or lookupswitch of checked code. */
struct op_switch {
    int32_t default_offset;
    int32_t low, high;    /* tableswitch */
    uint32_t count;       /* number of case targets */
    const uint8_t *table; /* tableswitch: s4 offsets; lookupswitch: s4 match, s4 offset pairs */
    uint32_t length;      /* of the instruction */
};
struct op_switch op_switch_decode(const uint8_t *code, uint32_t bci);
/* Branch offset of case `k`. */
static inline int32_t op_switch_offset(const struct op_switch *s, bool lookup, uint32_t k) {
    return op_s4(s->table + (lookup ? 8 * k + 4 : 4 * k));
}

#endif
