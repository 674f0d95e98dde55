/* bytecode.h: where instructions begin, for the test agents that look into methods. */
#ifndef BYTECODE_H
#define BYTECODE_H

#include <jni.h>
#include <stddef.h>

static jint number_at(const unsigned char *p) {
    return (jint)((unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | (unsigned)p[3]);
}

/* JVMS 6.5: of the instruction at this index; 0: there is none of that number. */
static jint instruction_length(const unsigned char *code, jint at) {
    static const struct { unsigned char last, length; } lengths[] = {
        {15, 1}, {16, 2}, {17, 3}, {18, 2}, {20, 3}, {25, 2}, {53, 1}, {58, 2}, {131, 1}, {132, 3}, {152, 1}, {168, 3},
        {169, 2}, {171, 0}, {177, 1}, {184, 3}, {186, 5}, {187, 3}, {188, 2}, {189, 3}, {191, 1}, {193, 3}, {195, 1},
        {196, 0}, {197, 4}, {199, 3}, {201, 5}};
    enum { IINC = 132, TABLESWITCH = 170, LOOKUPSWITCH = 171, WIDE = 196 };
    jint operands = (at + 4) & ~3;
    if (code[at] == WIDE) return code[at + 1] == IINC ? 6 : 4;
    if (code[at] == TABLESWITCH)
        return operands + 12 + 4 * (number_at(code + operands + 8) - number_at(code + operands + 4) + 1) - at;
    if (code[at] == LOOKUPSWITCH) return operands + 8 + 8 * number_at(code + operands + 4) - at;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        if (code[at] <= lengths[i].last) return lengths[i].length;
    return 0;
}

#endif
