/* copy.c — System.arraycopy in compiled code, as far as it is short and of primitives: the stub `copy`. All is loaded
 * before anything is stored, so the two parts may overlap. Of a length that is no power of two the first and the last
 * bytes are copied, which meet. */
#include "jit/copy.h"

#include "heap/object.h"

#ifdef ASM_MACHINE

enum { VECTOR = 16, LONGEST = 8 * VECTOR };       /* bytes: the call of C costs little beside longer copies */

static const enum asm_reg FROM = REG_C0, AT = REG_C1, TO = REG_C2, TO_AT = REG_C4, BYTES = REG_C5, LENGTH = REG_SPARE,
                          SHAPE = REG_SCRATCH, SUM = REG_RESULT;

static struct asm_mem argument(unsigned i) { return asm_at(REG_COUNT, 8 * (int32_t)i); }

/* From `at` on there is room for BYTES elements; else to `no`. Of negative numbers, which have become very large ones,
 * the sum is too large. */
static void check_range(struct assembler *a, enum asm_reg array, enum asm_reg at, struct asm_label *no) {
    asm_load(a, U32, LENGTH, asm_at(array, offsetof(struct array, length)));
    asm_address(a, SUM, asm_indexed(at, BYTES, 0, 0));
    asm_alu(a, ALU_CMP, W64, SUM, LENGTH);
    asm_branch(a, COND_ABOVE, no);
}

/* The address of the element. */
static void find_element(struct assembler *a, enum asm_reg array, enum asm_reg at) {
    asm_shift(a, SHIFT_LEFT, W64, at);
    asm_address(a, array, asm_indexed(array, at, 0, ARRAY_DATA));
}

static struct asm_mem from_end(enum asm_reg r, int32_t offset) { return asm_indexed(r, BYTES, 0, -offset); }

/* From one to two words of that width. */
static void copy_words(struct assembler *a, enum asm_width w) {
    const enum asm_type t = w == W64 ? U64 : w == W32 ? U32 : w == W16 ? U16 : U8;
    const int32_t size = 1 << w;
    asm_load(a, t, REG_RESULT, asm_at(FROM, 0));
    asm_load(a, t, REG_COUNT, from_end(FROM, size));
    asm_store(a, w, asm_at(TO, 0), REG_RESULT);
    asm_store(a, w, from_end(TO, size), REG_COUNT);
}

/* From `count` to twice as many vectors. */
static void copy_vectors(struct assembler *a, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        asm_vector_load(a, i, asm_at(FROM, (int32_t)i * VECTOR));
        asm_vector_load(a, count + i, from_end(FROM, (int32_t)(i + 1) * VECTOR));
    }
    for (unsigned i = 0; i < count; i++) {
        asm_vector_store(a, asm_at(TO, (int32_t)i * VECTOR), i);
        asm_vector_store(a, from_end(TO, (int32_t)(i + 1) * VECTOR), count + i);
    }
}

static void return_copied(struct assembler *a) {
    asm_alu(a, ALU_TEST, W64, TO, TO);                   /* NOT_EQUAL                                               */
    asm_return(a);
}

/* All lengths down to 0, the longest first. */
static void copy_bytes(struct assembler *a) {
    static const uint8_t least[] = {4 * VECTOR + 1, 2 * VECTOR + 1, VECTOR, 1 << W64, 1 << W32, 1 << W16, 1 << W8};
    for (unsigned i = 0; i < ARRAY_LEN(least); i++) {
        struct asm_label shorter = {0};
        asm_alu_constant(a, ALU_CMP, W32, BYTES, least[i]);
        asm_branch(a, COND_BELOW, &shorter);
        if (least[i] >= VECTOR) copy_vectors(a, least[i] / VECTOR);
        else copy_words(a, (enum asm_width)(ARRAY_LEN(least) - 1 - i));
        return_copied(a);
        asm_bind(a, &shorter);
    }
    return_copied(a);
}

/* leaf_copy_array has the other cases (exec/intrinsic_object.c). */
void copy_write(struct assembler *a) {
    struct asm_label no = {0};
    asm_load(a, U64, FROM, argument(0));
    asm_load(a, U64, TO, argument(2));
    asm_alu(a, ALU_TEST, W64, FROM, FROM);
    asm_branch(a, COND_EQUAL, &no);
    asm_alu(a, ALU_TEST, W64, TO, TO);
    asm_branch(a, COND_EQUAL, &no);
    asm_load(a, U32, SHAPE, asm_at(FROM, offsetof(struct object, class_id)));
    asm_alu_load(a, ALU_CMP, W32, SHAPE, asm_at(TO, offsetof(struct object, class_id)));
    asm_branch(a, COND_NOT_EQUAL, &no);
    asm_load(a, U64, SHAPE, asm_indexed(REG_SHAPES, SHAPE, 3, 0));
    asm_alu_store_constant(a, ALU_CMP, W8, asm_at(SHAPE, offsetof(struct shape, kind)), SHAPE_PRIM_ARRAY);
    asm_branch(a, COND_NOT_EQUAL, &no);
    asm_load(a, U32, BYTES, argument(4));
    asm_load(a, U32, AT, argument(1));
    asm_load(a, U32, TO_AT, argument(3));
    check_range(a, FROM, AT, &no);
    check_range(a, TO, TO_AT, &no);
    asm_load(a, U8, REG_COUNT, asm_at(SHAPE, offsetof(struct shape, element_shift)));
    asm_shift(a, SHIFT_LEFT, W64, BYTES);
    asm_alu_constant(a, ALU_CMP, W64, BYTES, LONGEST);
    asm_branch(a, COND_ABOVE, &no);
    find_element(a, FROM, AT);
    find_element(a, TO, TO_AT);
    copy_bytes(a);
    asm_bind(a, &no);
    asm_alu(a, ALU_CMP, W32, REG_RESULT, REG_RESULT);    /* EQUAL                                                   */
    asm_return(a);
}

#endif
