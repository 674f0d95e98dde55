/* layout.c — in which order blocks are written: as in g->order, but that a loop which begins with its condition ends
 * with it. Then a turn takes one branch, and not one besides a jump; it is the loop's entry that jumps. */
#include "jit/optimising/emit.h"

#include "base/alloc.h"

/* Which of a loop's two ways on leaves it, and nothing in the block writes a record of a frame (emit_record.c): what
 * follows in g->order relies on those that are written where the block ends. */
static bool may_come_last(const struct ir *g, const struct ir_loop *l) {
    const struct block *header = block_of(g, l->header);
    const struct node *last = node_of(g, header->last);
    if (last->op != NODE_branch && last->op != NODE_branch_instance && last->op != NODE_branch_class) return false;
    bool stays[2];
    for (uint32_t i = 0; i < 2; i++) stays[i] = in_bits(g, l->members, successor(g, header, i));
    if (stays[0] == stays[1]) return false;
    for (node_id id = header->first; id != 0; id = node_of(g, id)->next)
        if (group_of(node_of(g, id)) == GROUP_EFFECT || is_call(node_of(g, id))) return false;
    return true;
}

/* The last of the loop's blocks that do nothing at their end but go on with the header; ROOT: there is none. */
static block_id last_turn(const struct ir *g, const struct ir_loop *l) {
    const struct block *header = block_of(g, l->header);
    block_id found = ROOT;
    for (uint32_t i = 0; i < header->predecessors; i++) {
        block_id b = predecessor(g, header, i);
        const struct block *p = block_of(g, b);
        bool turns = in_bits(g, l->members, b) && node_of(g, p->last)->op == NODE_jump;
        if (turns && (found == ROOT || p->number > block_of(g, found)->number)) found = b;
    }
    return found;
}

struct way { block_id header; bool moved; };     /* of a block: what is written behind it; is it elsewhere itself? */

bool layout_blocks(const struct ir *g, block_id *out) {
    struct way *ways = mem_calloc(g->block_count, sizeof *ways);
    if (ways == NULL) return false;
    for (uint32_t i = 0; i < g->loop_count; i++) {
        const struct ir_loop *l = &g->loops[i];
        block_id turn = may_come_last(g, l) ? last_turn(g, l) : ROOT;
        if (turn == ROOT) continue;
        ways[turn].header = l->header;
        ways[l->header].moved = true;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->order_count; i++) {
        block_id b = g->order[i];
        if (!ways[b].moved) out[count++] = b;
        if (ways[b].header != ROOT) out[count++] = ways[b].header;
    }
    mem_free(ways);
    return true;
}
