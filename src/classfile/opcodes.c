/* Bytecode tables and instruction lengths. */
#include "classfile/opcodes.h"

#include <stddef.h>

const uint8_t opcode_lengths[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = length,
#include "classfile/opcodes.def"
#undef OPCODE
};

const char *const opcode_names[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = #name,
#include "classfile/opcodes.def"
#undef OPCODE
};

const char *const opcode_formats[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = format,
#include "classfile/opcodes.def"
#undef OPCODE
};

const char *const opcode_pops[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = pops,
#include "classfile/opcodes.def"
#undef OPCODE
};

const char *const opcode_pushes[256] = {
#define OPCODE(number, name, format, length, pops, pushes) [number] = pushes,
#include "classfile/opcodes.def"
#undef OPCODE
};

_Static_assert(OP_ifne == OP_ifeq + 1 && OP_jsr_w == 201, "opcodes.def is in numeric order");

static uint32_t switch_length(const uint8_t *code, uint32_t bci, uint32_t len) {
    uint32_t table = (bci + 4) & ~3u; /* operands are aligned relative to the method's start */
    bool lookup = code[bci] == OP_lookupswitch;
    uint32_t fixed = lookup ? 8 : 12;
    if (table > len || len - table < fixed) return 0;
    uint64_t entries;
    if (lookup) {
        int32_t pairs = op_s4(code + table + 4);
        if (pairs < 0) return 0;
        entries = 2 * (uint64_t)pairs;
    } else {
        int32_t low = op_s4(code + table + 4), high = op_s4(code + table + 8);
        if (low > high) return 0;
        entries = (uint64_t)((int64_t)high - low + 1);
    }
    uint64_t end = table + fixed + 4 * entries;
    return end <= len ? (uint32_t)end - bci : 0;
}

static uint32_t wide_length(const uint8_t *code, uint32_t bci, uint32_t len) {
    if (len - bci < 2) return 0;
    uint8_t op = code[bci + 1];
    if (op == OP_iinc) return len - bci >= 6 ? 6 : 0;
    bool local = (op >= OP_iload && op <= OP_aload) || (op >= OP_istore && op <= OP_astore) || op == OP_ret;
    return local && len - bci >= 4 ? 4 : 0;
}

uint32_t opcode_length(const uint8_t *code, uint32_t bci, uint32_t len) {
    if (bci >= len) return 0;
    uint8_t op = code[bci];
    if (op == OP_tableswitch || op == OP_lookupswitch) return switch_length(code, bci, len);
    if (op == OP_wide) return wide_length(code, bci, len);
    uint32_t length = opcode_lengths[op];
    return length <= len - bci ? length : 0;
}

struct op_switch op_switch_decode(const uint8_t *code, uint32_t bci) {
    uint32_t table = (bci + 4) & ~3u;
    const uint8_t *p = code + table;
    struct op_switch s = { .default_offset = op_s4(p) };
    if (code[bci] == OP_tableswitch) {
        s.low = op_s4(p + 4);
        s.high = op_s4(p + 8);
        s.count = (uint32_t)((int64_t)s.high - s.low + 1);
        s.table = p + 12;
        s.length = table + 12 + 4 * s.count - bci;
    } else {
        s.count = (uint32_t)op_s4(p + 4);
        s.table = p + 8;
        s.length = table + 8 + 8 * s.count - bci;
    }
    return s;
}
