/* order.c — dominators. Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm". */
#include "jit/optimising/ir.h"

#include "base/alloc.h"

/* For the dominators the root leads to the entries of loops too: they have no other predecessor. In g->order a block
 * comes behind its predecessors but for loops' own branches, and but for entries, which are last. */
static block_id common(const struct ir *g, block_id a, block_id b) {
    while (a != b) {
        const struct block *x = block_of(g, a), *y = block_of(g, b);
        if (x->number > y->number) a = x->dominator;
        else b = y->dominator;
    }
    return a;
}

/* Entries have the root above them, whatever their place. */
static block_id common_with_entries(const struct ir *g, block_id a, block_id b) {
    if (block_of(g, a)->kind == BLOCK_ENTRY || block_of(g, b)->kind == BLOCK_ENTRY) return a == b ? a : ROOT;
    return common(g, a, b);
}

static void number_tree(struct ir *g, const uint32_t *child, const uint32_t *sibling) {
    uint32_t count = 0;
    block_id b = ROOT;
    block_of(g, b)->dominates_from = count++;
    for (;;) {
        if (child[b] != 0) {
            b = child[b];
            block_of(g, b)->dominates_from = count++;
            continue;
        }
        block_of(g, b)->dominates_to = count++;
        while (sibling[b] == 0) {
            if (b == ROOT) return;
            b = block_of(g, b)->dominator;
            block_of(g, b)->dominates_to = count++;
            if (b == ROOT) return;
        }
        b = sibling[b];
        block_of(g, b)->dominates_from = count++;
    }
}

static void make_tree(struct ir *g) {
    uint32_t *links = mem_calloc(2 * (size_t)g->block_count, sizeof *links);
    if (links == NULL) {
        ir_declines(g, "out of memory");
        return;
    }
    uint32_t *child = links, *sibling = links + g->block_count;
    for (uint32_t i = g->order_count; i-- > 1;) {
        block_id b = g->order[i], above = block_of(g, b)->dominator;
        sibling[b] = child[above];
        child[above] = b;
    }
    number_tree(g, child, sibling);
    mem_free(links);
}

void cfg_dominators(struct ir *g) {
    enum { UNKNOWN = UINT32_MAX };
    for (uint32_t i = 0; i < g->order_count; i++)
        block_of(g, g->order[i])->dominator = block_of(g, g->order[i])->kind == BLOCK_ENTRY ? ROOT : UNKNOWN;
    block_of(g, ROOT)->dominator = ROOT;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < g->order_count; i++) {
            struct block *b = block_of(g, g->order[i]);
            block_id found = UNKNOWN;
            for (uint32_t k = 0; k < b->predecessors; k++) {
                block_id p = predecessor(g, b, k);
                if (block_of(g, p)->dominator == UNKNOWN) continue;
                found = found == UNKNOWN ? p : common_with_entries(g, found, p);
            }
            if (b->predecessors == 0 || found == b->dominator) continue;
            b->dominator = found;
            changed = true;
        }
    }
    make_tree(g);
}
