/* quick.c — the rows of quick.def by opcode, and the opcodes by instruction and form. */
#include "exec/quick.h"

const struct quick_row quick_rows[256] = {
#define QUICK(name, base, form, cell, fused) [OP_##name] = {#name, OP_##base, CELL_##cell, OP_##fused},
#include "exec/quick.def"
#undef QUICK
};

const uint8_t quick_forms[OP_LIMIT][FORM_COUNT] = {
#define QUICK(name, base, form, cell, fused) [OP_##base][FORM_##form] = OP_##name,
#include "exec/quick.def"
#undef QUICK
};
