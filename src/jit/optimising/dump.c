/* dump.c — -XX:+PrintIR: the nodes of a method behind each pass, as text; the last time as a graph for dot as well. */
#include "jit/optimising/ir.h"

#include "base/log.h"

static const char *const type_names[] = {"", "int", "long", "float", "double", "ref"};
static const char *const kind_names[] = {"code", "before", "entry", "edge", "result"};

static void print_input(const struct ir *g, node_id in) {
    const struct node *n = node_of(g, in);
    if (in == 0) vm_print(false, " -");
    else if (is_constant(n)) vm_print(false, " %lld", (long long)n->imm);
    else vm_print(false, " v%u", in);
}

static void print_value(const struct ir *g, node_id n) {
    if (node_of(g, n)->op != NODE_object) {
        print_input(g, n);
        return;
    }
    const struct virtual_object *o = object_of(g, n);
    vm_print(false, " v%u %s(", n, o->class->name->bytes);
    for (uint32_t i = 0; i < o->count; i++) print_value(g, g->inputs[o->first + i]);
    if (o->held.count != 0) vm_print(false, ", held %u times", o->held.count);
    vm_print(false, ")");
}

static void print_state(const struct ir *g, const struct state *s) {
    vm_print(false, "  {%d:", s->bci);
    for (uint32_t i = 0; i < s->locals + s->depth; i++) {
        if (i == s->locals) vm_print(false, " |");
        print_value(g, g->values[s->first + i]);
    }
    vm_print(false, "}");
    if (s->outer != 0) print_state(g, &g->states[s->outer]);
}

static const char *const math_names[] = {
    "abs", "min", "max", "compare unsigned", "bit count", "leading zeros", "trailing zeros", "reverse", "reverse bytes",
    "reverse char", "reverse short", "multiply high", "sqrt", "signum", "same bits", "bits",
    "identity hash", "add exact", "subtract exact", "multiply exact", "negate exact", "check index", "fma", "copy sign",
    "round", "floor", "ceil", "rint"
};

static const char *shift_name(uint8_t detail) {
    switch (detail) {
    case SHIFT_LEFT: return "<<";
    case SHIFT_RIGHT: return ">>>";
    case SHIFT_ARITHMETIC: return ">>";
    default: return detail == SHIFT_ROL ? "rotate left" : "rotate right";
    }
}

static const char *name_of_kind(char kind) {
    switch (kind) {
    case 'Z': return "boolean";
    case 'B': return "byte";
    case 'S': return "short";
    case 'C': return "char";
    case 'I': return "int";
    case 'J': return "long";
    case 'F': return "float";
    case 'D': return "double";
    default: return "ref";
    }
}

static const char *detail_of(const struct node *n) {
    static const char *const alu[] = {[ALU_ADD] = "+", [ALU_OR] = "|", [ALU_AND] = "&", [ALU_SUB] = "-",
                                      [ALU_XOR] = "^"};
    static const char *const conditions[] = {[COND_EQUAL] = "==", [COND_NOT_EQUAL] = "!=", [COND_LESS] = "<",
                                             [COND_NOT_LESS] = ">=", [COND_NOT_GREATER] = "<=", [COND_GREATER] = ">"};
    switch (n->op) {
    case NODE_alu: return alu[n->detail];
    case NODE_convert: case NODE_compare: case NODE_give: case NODE_call: return opcode_names[n->detail];
    case NODE_branch:
        if (n->imm == OP_iand) return n->detail == COND_EQUAL ? "no bits of" : "any bits of";
        return conditions[n->detail];
    case NODE_branch_instance: return conditions[n->detail];
    case NODE_math: case NODE_math_checked: return math_names[n->detail];
    case NODE_load_raw: case NODE_store_raw: case NODE_compare_raw: case NODE_exchange_raw:
        return name_of_kind((char)n->detail);
    case NODE_shift: return shift_name(n->detail);
    case NODE_divide: return n->detail ? "remainder" : "quotient";
    default: return "";
    }
}

static void print_node(const struct ir *g, node_id id) {
    const struct node *n = node_of(g, id);
    char value[16] = "";
    if (n->type != TYPE_NONE) snprintf(value, sizeof value, "v%u", id);
    vm_print(false, "  %4d %6s %-6s %s %s", n->bci, value, type_names[n->type], node_names[n->op], detail_of(n));
    for (unsigned i = 0; i < NODE_INPUTS; i++)
        if (n->in[i] != 0) print_input(g, n->in[i]);
    if (n->op == NODE_phi)
        for (uint32_t i = 0; i < block_of(g, n->block)->predecessors; i++) print_input(g, phi_input(g, n, i));
    else if (n->imm != 0)
        vm_print(false, " #%lld", (long long)n->imm);
    if (n->home != 0) vm_print(false, " at home in %u", n->home - 1);
    if (n->guard != 0 && node_of(g, n->guard)->flags & NODE_BRANCHED)
        vm_print(false, " guarded by the branch to %u", node_of(g, n->guard)->block);
    else if (n->guard != 0) vm_print(false, " guarded by %u", n->guard);
    if (n->state != 0) print_state(g, &g->states[n->state]);
    vm_print(false, "\n");
}

void ir_print(const struct ir *g, const char *pass) {
    const struct method *m = g->c->code->method;
    vm_print(false, "%s.%s%s: %s\n", m->holder->name->bytes, m->name->bytes, m->desc->bytes, pass);
    for (uint32_t i = 0; i < g->order_count; i++) {
        const struct block *b = block_of(g, g->order[i]);
        vm_print(false, " block %u %s at %u, depth %u, from", g->order[i], kind_names[b->kind], b->bci, b->depth);
        for (uint32_t k = 0; k < b->predecessors; k++) vm_print(false, " %u", predecessor(g, b, k));
        if (b->scope != 0) vm_print(false, ", in %s", g->scopes[b->scope].code->method->name->bytes);
        vm_print(false, "; to");
        for (uint32_t k = 0; k < b->successors; k++) vm_print(false, " %u", successor(g, b, k));
        vm_print(false, "\n");
        for (node_id id = b->first; id != 0; id = node_of(g, id)->next) print_node(g, id);
    }
}

void ir_print_graph(const struct ir *g) {
    vm_print(false, "digraph \"%s\" {\n  node [shape=box fontname=monospace];\n", g->c->code->method->name->bytes);
    for (uint32_t i = 0; i < g->order_count; i++) {
        const struct block *b = block_of(g, g->order[i]);
        vm_print(false, "  b%u [label=\"%u at %u\\l", g->order[i], g->order[i], b->bci);
        for (node_id id = b->first; id != 0; id = node_of(g, id)->next)
            vm_print(false, "v%u %s %s\\l", id, node_names[node_of(g, id)->op], detail_of(node_of(g, id)));
        vm_print(false, "\"];\n");
        for (uint32_t k = 0; k < b->successors; k++)
            vm_print(false, "  b%u -> b%u;\n", g->order[i], successor(g, b, k));
    }
    vm_print(false, "}\n");
}
