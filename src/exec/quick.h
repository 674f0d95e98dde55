/* quick.h — the interpreter's own opcodes, which replace an instruction once it has been resolved. */
#ifndef VITRINE_EXEC_QUICK_H
#define VITRINE_EXEC_QUICK_H

#include "classfile/opcodes.h"

/* name, the opcode it stands for. Operands are those of the original instruction, in native byte order; what they index is in
 * cells (link/resolve.h). Suffixes name the storage type: z boolean, b byte, c char, s short, i int/float, j long/double, a reference. */
#define QUICK_OPCODES(Q)                                                                                                   \
    Q(ldc_q, ldc) Q(ldc_w_q, ldc_w) Q(ldc2_w_q, ldc2_w) Q(ldc_class_q, ldc) Q(ldc_class_w_q, ldc_w)                        \
    Q(getfield_b, getfield) Q(getfield_c, getfield) Q(getfield_s, getfield) Q(getfield_i, getfield) Q(getfield_j, getfield) \
    Q(getfield_a, getfield)                                                                                                \
    Q(putfield_z, putfield) Q(putfield_b, putfield) Q(putfield_s, putfield) Q(putfield_i, putfield) Q(putfield_j, putfield) \
    Q(putfield_a, putfield) Q(putfield_volatile, putfield)                                                                 \
    Q(getstatic_b, getstatic) Q(getstatic_c, getstatic) Q(getstatic_s, getstatic) Q(getstatic_i, getstatic)                \
    Q(getstatic_j, getstatic) Q(getstatic_a, getstatic)                                                                    \
    Q(putstatic_z, putstatic) Q(putstatic_b, putstatic) Q(putstatic_s, putstatic) Q(putstatic_i, putstatic)                \
    Q(putstatic_j, putstatic) Q(putstatic_a, putstatic) Q(putstatic_volatile, putstatic)                                   \
    Q(invokevirtual_q, invokevirtual) Q(invokevirtual_direct, invokevirtual) Q(invokehandle_q, invokevirtual)              \
    Q(invokespecial_q, invokespecial) Q(invokespecial_object_init, invokespecial) Q(invokestatic_q, invokestatic)          \
    Q(invokeinterface_q, invokeinterface) Q(invokeinterface_vtable, invokeinterface)                                       \
    Q(invokeinterface_direct, invokeinterface) Q(invokedynamic_q, invokedynamic)                                           \
    Q(new_q, new) Q(anewarray_q, anewarray) Q(checkcast_q, checkcast) Q(instanceof_q, instanceof)                          \
    Q(getfield_watched, getfield) Q(putfield_watched, putfield) Q(getstatic_watched, getstatic)                             \
    Q(putstatic_watched, putstatic)                                                                                        \
    Q(ireturn_int, ireturn) Q(aload_0_q, aload_0) Q(aload_0_getfield_i, aload_0) Q(aload_0_getfield_a, aload_0)

enum quick_opcode {
    OP_quick_base = OP_breakpoint,
#define Q(name, original) OP_##name,
    QUICK_OPCODES(Q)
#undef Q
    OP_quick_limit
};
_Static_assert(OP_quick_limit <= 256, "the quick opcodes do not fit in a byte");

/* What runs when only the first half of a fused pair may. */
static inline uint8_t opcode_unfused(uint8_t op) {
    return op == OP_aload_0_getfield_i || op == OP_aload_0_getfield_a ? (uint8_t)OP_aload_0_q : op;
}

/* Cell of a watched field: struct field *. Cell of a resolved instance field: offset and storage type. */
#define FIELD_CELL(offset, type) ((uint64_t)1 << 63 | (uint64_t)(type) << 56 | (uint32_t)(offset))
#define FIELD_CELL_OFFSET(cell) ((uint32_t)(cell))
#define FIELD_CELL_TYPE(cell) ((enum basic_type)((cell) >> 56 & 0x7f))

#endif
