/* optimising.c — the passes, one after another. */
#include "jit/optimising/optimising.h"

#include "base/alloc.h"
#include "base/options.h"
#include "jit/inlined.h"
#include "jit/optimising/emit.h"
#include "jit/optimising/inline.h"

static bool begin(struct ir *g, struct optimising_options options) {
    struct compiler *c = g->c;
    g->locals = c->code->max_locals;
    g->variables = g->locals + c->code->max_stack;
    g->area = g->variables;
    g->inlines = options.inlines && vm->options->flags.Inline;
    g->is_hot = options.is_hot;
    g->has_left_often = options.has_left_often;
    g->receivers_at = options.receivers_at;
    g->target_of = options.target_of;
    g->commands = options.commands;
    g->lookups = options.lookups;
    g->reports = options.report != NULL;
    g->hoists_checks = options.hoists_checks;
    g->is_watched = options.is_watched;
    g->elides = options.elides;
    g->elides_monitors = options.elides_monitors;
    g->allocations_watched = options.allocations_watched;
    g->enters_all = options.enters_all;
    g->leaves_at_events = options.leaves_at_events;
    if (g->variables > MOST_VARIABLES) {
        ir_declines(g, "it has too many local variables");
    } else if (!make_room((void **)&g->scopes, &g->scope_capacity, 1, sizeof *g->scopes) ||
               !make_room((void **)&g->assigned, &g->assigned_capacity, g->locals + 2, 1) ||
               !make_room((void **)&g->states, &g->state_capacity, 1, sizeof *g->states) ||
               !make_room((void **)&g->values, &g->value_capacity, 1, sizeof *g->values)) {
        ir_declines(g, "out of memory");
    } else {
        memset(g->assigned, 0, g->locals + 2);
        g->states[0] = (struct state){.bci = 0};
        g->scopes[0] = (struct scope){.code = c->code, .source = c->source, .places = c->places,
                                      .keeps_this = c->keeps_this, .locals = g->locals, .variables = g->variables};
        g->scope_count = 1;
        g->values[0] = 0;
        g->state_count = g->value_count = 1;
        (void)ir_new_node(g, (struct node){.op = NODE_none});
    }
    return ir_goes_on(g);
}

static void pass(struct ir *g, const char *name, void (*does)(struct ir *g), bool prints) {
    if (ir_goes_on(g)) does(g);
    if (!ir_goes_on(g)) return;
    if (prints) ir_print(g, name);
    ir_verify(g, name);
}

static void make_graph(struct ir *g, bool prints) {
    if (ir_goes_on(g)) cfg_build(g);
    if (ir_goes_on(g)) find_assigned_locals(g);
    if (ir_goes_on(g)) cfg_dominators(g);
    pass(g, "build", build_nodes, prints);
    pass(g, "calls", note_calls, false);
    pass(g, "phis", simplify_phis, false);
    pass(g, "branches", lead_past_branches, prints);
    pass(g, "objects", replace_objects, prints);
    pass(g, "values", number_values, prints);
    pass(g, "phis of values", simplify_phis, false);
    pass(g, "loops", hoist_invariants, prints);
    pass(g, "ranges", remove_ranges, false);
    pass(g, "unused", remove_unused, false);
    pass(g, "uses", fuse_tests, prints);
    if (prints && ir_goes_on(g)) ir_print_graph(g);
}

static void write_nodes(struct compiler *c UNUSED, void *emitter) { emit_method(emitter); }

static const char *emit(struct ir *g, const struct allocation *places, struct baseline_code *out) {
    struct emitter e = {.g = g, .c = g->c, .places = places};
    const char *why_not = "out of memory";
    e.exit_capacity = g->node_count + 2 * g->loop_count + 2;
    e.labels = mem_alloc(g->block_count * sizeof *e.labels);
    e.layout = mem_alloc(g->order_count * sizeof *e.layout);
    e.exits = mem_alloc(e.exit_capacity * sizeof *e.exits);
    e.operands = mem_alloc((EXIT_MOST_OPERANDS + 1) * sizeof *e.operands);
    e.record_words = (g->scope_count + 63) / 64;
    e.records = mem_calloc((size_t)g->block_count * e.record_words, sizeof *e.records);
    bool has_memory = e.labels != NULL && e.layout != NULL && e.exits != NULL && e.operands != NULL;
    if (has_memory && e.records != NULL && layout_blocks(g, e.layout))
        why_not = code_write(g->c, write_nodes, &e, out);
    mem_free(e.labels);
    mem_free(e.layout);
    mem_free(e.exits);
    mem_free(e.operands);
    mem_free(e.records);
    mem_free(e.objects);
    mem_free(e.moves.rows);
    mem_free(e.reported);
    mem_free(e.tables);
    return why_not;
}

/* *inlined: with other methods in it. */
static const char *compile(struct compiler *c, struct method_code *code, struct optimising_options options,
                           struct baseline_code *out, bool *inlined) {
    const char *why_not = code_begin(c, code);
    if (why_not != NULL) return why_not;
    struct ir g = {.c = c};
    struct allocation places = {.places = NULL};
    if (begin(&g, options)) make_graph(&g, options.prints);
    if (ir_goes_on(&g)) allocate_registers(&g, &places);
    if (g.area + FRAME_SLOTS + places.slots > EXIT_MOST_SLOTS) ir_declines(&g, "it has too many values");
    if (ir_goes_on(&g) && options.report != NULL) report_inlining(&g, options.report);
    why_not = ir_goes_on(&g) ? emit(&g, &places, out) : g.why_not;
    allocation_free(&places);
    *inlined = g.scope_count > 1;
    out->allocations = g.allocations;
    out->leaves_at_events = g.has_events;
    ir_free(&g);
    return why_not;
}

/* What is too large with the methods in it may not be without. */
const char *optimising_compile(struct compiler *c, struct method_code *code, struct optimising_options options,
                               struct baseline_code *out) {
    PROMISES_NO_SAFEPOINT();
    bool inlined = false;
    const char *why_not = compile(c, code, options, out, &inlined);
    if (why_not == NULL || !inlined) return why_not;
    if (options.report != NULL) options.report->lines.count = 0;
    options.inlines = false;
    return compile(c, code, options, out, &inlined);
}
