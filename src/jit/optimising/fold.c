/* fold.c — what can be computed, or done more simply, when a node is made. */
#include "jit/optimising/ir.h"

static bool is_int_value(const struct ir *g, node_id n, int64_t v) {
    return is_constant(node_of(g, n)) && node_of(g, n)->imm == v;
}

static int64_t narrow(uint8_t type, uint64_t v) { return type == TYPE_INT ? (int32_t)(uint32_t)v : (int64_t)v; }

/* n becomes a constant. */
static node_id becomes(struct node *n, uint64_t v) {
    *n = (struct node){.op = NODE_constant, .type = n->type, .imm = narrow(n->type, v)};
    return 0;
}

static node_id fold_alu(struct ir *g, struct node *n) {
    const struct node *x = node_of(g, n->in[0]), *y = node_of(g, n->in[1]);
    if (is_constant(x) && is_constant(y)) {
        uint64_t a = (uint64_t)x->imm, b = (uint64_t)y->imm;
        switch (n->detail) {
        case ALU_ADD: return becomes(n, a + b);
        case ALU_SUB: return becomes(n, a - b);
        case ALU_AND: return becomes(n, a & b);
        case ALU_OR: return becomes(n, a | b);
        default: return becomes(n, a ^ b);
        }
    }
    if (is_constant(x) && n->detail != ALU_SUB) {
        node_id first = n->in[0];
        n->in[0] = n->in[1];
        n->in[1] = first;
    }
    if (is_int_value(g, n->in[1], 0)) return n->detail == ALU_AND ? n->in[1] : n->in[0];
    if (n->detail == ALU_AND && is_int_value(g, n->in[1], -1)) return n->in[0];
    return 0;
}

static node_id fold_multiply(struct ir *g, struct node *n) {
    const struct node *x = node_of(g, n->in[0]), *y = node_of(g, n->in[1]);
    if (is_constant(x) && is_constant(y)) return becomes(n, (uint64_t)x->imm * (uint64_t)y->imm);
    if (is_constant(x)) {
        node_id first = n->in[0];
        n->in[0] = n->in[1];
        n->in[1] = first;
    }
    if (is_int_value(g, n->in[1], 1)) return n->in[0];
    return is_int_value(g, n->in[1], 0) ? n->in[1] : 0;
}

static node_id fold_shift(struct ir *g, struct node *n) {
    const struct node *x = node_of(g, n->in[0]), *y = node_of(g, n->in[1]);
    unsigned mask = n->type == TYPE_LONG ? 63 : 31;
    if (!is_constant(y)) return 0;
    unsigned count = (unsigned)y->imm & mask;
    if (count == 0) return n->in[0];
    if (!is_constant(x)) return 0;
    if (n->detail == SHIFT_ROL || n->detail == SHIFT_ROR) return 0;
    if (n->detail == SHIFT_LEFT) return becomes(n, (uint64_t)x->imm << count);
    if (n->detail == SHIFT_ARITHMETIC) return becomes(n, (uint64_t)(x->imm >> count));
    return becomes(n, (n->type == TYPE_INT ? (uint32_t)x->imm : (uint64_t)x->imm) >> count);
}

static node_id fold_convert(struct ir *g, struct node *n) {
    const struct node *x = node_of(g, n->in[0]);
    if (!is_constant(x)) return 0;
    switch (n->detail) {
    case OP_i2l: return becomes(n, (uint64_t)x->imm);
    case OP_l2i: return becomes(n, (uint64_t)x->imm);
    case OP_i2b: return becomes(n, (uint64_t)(int8_t)x->imm);
    case OP_i2c: return becomes(n, (uint16_t)x->imm);
    case OP_i2s: return becomes(n, (uint64_t)(int16_t)x->imm);
    default: return 0;
    }
}

/* Of an array that is known. */
static node_id fold_length(struct ir *g, struct node *n) {
    const struct node *array = node_of(g, n->in[0]);
    const struct object *o = array->op == NODE_literal ? (const struct object *)(uintptr_t)array->imm : NULL;
    if (o == NULL || !class_is_array(class_of(o))) return 0;
    return becomes(n, (uint32_t)array_length(o));
}

node_id fold_node(struct ir *g, struct node *n) {
    if (!ir_goes_on(g)) return 0;
    switch (n->op) {
    case NODE_alu: return fold_alu(g, n);
    case NODE_multiply: return fold_multiply(g, n);
    case NODE_shift: return fold_shift(g, n);
    case NODE_convert: return fold_convert(g, n);
    case NODE_array_length: return fold_length(g, n);
    case NODE_negate:
        if (is_constant(node_of(g, n->in[0]))) return becomes(n, -(uint64_t)node_of(g, n->in[0])->imm);
        return 0;
    default: return 0;
    }
}
