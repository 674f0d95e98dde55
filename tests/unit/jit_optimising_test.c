/* Passes of the optimising compiler over graphs that are made by hand: of equal values, dominance, and places: no two
 * values that live at one time share one. */
#include "jit/optimising/allocate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"

static struct compiler compiler;

static node_id add(struct ir *g, block_id b, struct node n) {
    node_id id = ir_new_node(g, n);
    ir_append(g, b, id);
    return id;
}

static uint32_t edge(struct ir *g, uint32_t to) {
    assert_true(make_room((void **)&g->edges, &g->edge_capacity, g->edge_count + 1, sizeof *g->edges));
    g->edges[g->edge_count] = to;
    return g->edge_count++;
}

/* Blocks in a row, each with the next as its only successor, or two that the first branches to, and where they meet. */
static void begin(struct ir *g, uint32_t blocks) {
    *g = (struct ir){.c = &compiler};
    assert_true(make_room((void **)&g->blocks, &g->block_capacity, blocks, sizeof *g->blocks));
    assert_true(make_room((void **)&g->order, &g->order_capacity, blocks, sizeof *g->order));
    memset(g->blocks, 0, blocks * sizeof *g->blocks);
    g->block_count = g->order_count = blocks;
    for (uint32_t i = 0; i < blocks; i++) g->order[i] = g->blocks[i].number = i;
    assert_int_equal(ir_new_node(g, (struct node){.op = NODE_none}), 0);
}

static void lead(struct ir *g, block_id from, block_id to, block_id other) {
    struct block *b = block_of(g, from);
    b->first_successor = edge(g, to);
    b->successors = 1;
    if (other == 0) return;
    (void)edge(g, other);
    b->successors = 2;
}

static void come(struct ir *g, block_id to, block_id from, block_id other) {
    struct block *b = block_of(g, to);
    b->first_predecessor = edge(g, from);
    b->predecessors = 1;
    if (other == 0) return;
    (void)edge(g, other);
    b->predecessors = 2;
}

/* 0 -> 1 -> 2 or 3 -> 4 */
static void diamond(struct ir *g) {
    begin(g, 5);
    lead(g, 0, 1, 0);
    lead(g, 1, 2, 3);
    lead(g, 2, 4, 0);
    lead(g, 3, 4, 0);
    come(g, 1, 0, 0);
    g->blocks[1].first_predecessor = edge(g, 0);
    come(g, 2, 1, 0);
    come(g, 3, 1, 0);
    come(g, 4, 2, 3);
    cfg_dominators(g);
}

static struct node value(enum node_op op, uint8_t detail, node_id x, node_id y) {
    return (struct node){.op = (uint8_t)op, .type = TYPE_INT, .detail = detail, .in = {x, y}};
}

static void test_dominators(void **state UNUSED) {
    struct ir g;
    diamond(&g);
    assert_int_equal(g.blocks[4].dominator, 1);
    assert_true(dominates(&g, 1, 4) && dominates(&g, 0, 3) && dominates(&g, 2, 2));
    assert_false(dominates(&g, 2, 4) || dominates(&g, 2, 3) || dominates(&g, 4, 1));
    ir_free(&g);
}

/* What is computed before both ways stands for what they compute; what one way computes, not for the other's. */
static void test_equal_values(void **state UNUSED) {
    struct ir g;
    diamond(&g);
    node_id x = add(&g, 1, (struct node){.op = NODE_home, .type = TYPE_INT, .imm = 0}),
            y = add(&g, 1, (struct node){.op = NODE_home, .type = TYPE_INT, .imm = 1}),
            sum = add(&g, 1, value(NODE_alu, ALU_ADD, x, y)), other = add(&g, 2, value(NODE_alu, ALU_ADD, y, x)),
            left = add(&g, 2, value(NODE_alu, ALU_XOR, x, y)), right = add(&g, 3, value(NODE_alu, ALU_XOR, x, y)),
            minus = add(&g, 3, value(NODE_alu, ALU_SUB, x, y)), back = add(&g, 3, value(NODE_alu, ALU_SUB, y, x));
    number_values(&g);
    assert_int_equal(resolve(&g, other), sum);
    assert_int_equal(resolve(&g, right), right);
    assert_int_equal(resolve(&g, left), left);
    assert_int_equal(resolve(&g, minus), minus);
    assert_int_equal(resolve(&g, back), back);
    ir_free(&g);
}

/* A load is not another's behind a store, nor where ways meet. */
static void test_loads(void **state UNUSED) {
    struct ir g;
    diamond(&g);
    struct node load = {.op = NODE_load_field, .type = TYPE_INT, .detail = 'I', .imm = 64};
    node_id first = add(&g, 1, load), again = add(&g, 1, load), way = add(&g, 2, load);
    add(&g, 2, (struct node){.op = NODE_store_field, .detail = 'I', .imm = 128, .in = {0, first}});
    node_id behind = add(&g, 2, load), other = add(&g, 3, load), last = add(&g, 4, load);
    load.flags = NODE_VOLATILE;
    node_id ordered = add(&g, 4, load);
    number_values(&g);
    assert_int_equal(resolve(&g, again), first);
    assert_int_equal(resolve(&g, way), first);
    assert_int_equal(resolve(&g, behind), behind);
    assert_int_equal(resolve(&g, other), first);
    assert_int_equal(resolve(&g, last), last);
    assert_int_equal(resolve(&g, ordered), ordered);
    ir_free(&g);
}

/* So many values that live at one time, and are all used at the end: those in registers have registers of their own,
 * the others slots of their own. */
static void test_places(void **state UNUSED) {
    /* the divisors, without two registers; what is divided; with cards one is never given */
    const uint32_t fit = 8 - (REFERENCE_COPY != REG_SCRATCH);
    for (uint32_t count = 1; count < 40; count++) {
        struct ir g;
        node_id values[40];
        begin(&g, 1);
        node_id sum = 0;
        for (uint32_t i = 0; i < count; i++)
            values[i] = add(&g, 0, (struct node){.op = NODE_load_field, .type = TYPE_INT, .detail = 'I', .imm = 8 * i});
        sum = values[0];
        for (uint32_t i = 1; i < count; i++) sum = add(&g, 0, value(NODE_divide, 0, sum, values[i]));
        add(&g, 0, (struct node){.op = NODE_give, .in = {sum}});
        struct allocation a;
        allocate_registers(&g, &a);
        assert_true(ir_goes_on(&g));
        for (uint32_t i = 0; i < count; i++) {
            struct value_place p = a.places[values[i]];
            assert_true(p.kind == PLACE_REGISTER || p.kind == PLACE_SLOT);
            if (p.kind == PLACE_REGISTER) assert_true(ASM_VALUE_REGISTERS >> p.number & 1);
            if (p.kind == PLACE_REGISTER && count > 1 && i > 0)
                assert_true(p.number != REG_RESULT && p.number != REG_REMAINDER);
            for (uint32_t k = 0; k < i; k++)
                assert_false(p.kind == a.places[values[k]].kind && p.number == a.places[values[k]].number);
        }
        assert_true((a.slots != 0) == (count > fit));
        mem_free(a.places);
        ir_free(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dominators), cmocka_unit_test(test_equal_values),
                                       cmocka_unit_test(test_loads), cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
