/* inline.c — see inline.h. Which methods are inlined is decided while blocks are found: the callee's blocks are the
 * caller's then. Limits and reasons are HotSpot's.
 *
 *      caller's block             callee's blocks                      caller's next
 *      ... check_null jump  --->  its locals are the arguments  --->   BLOCK_RESULT: the caller's variables of before,
 *                                                                      and a phi of what was returned
 *
 * Frames are made only while somebody may look: of all scopes, the callee's where the interpreter would have made it,
 * on the caller's operands. Before a call the code does it (emit_record.c); where the callee leaves, its exit
 * (jit/inlined.h). */
#include "jit/optimising/inline.h"

#include "base/alloc.h"
#include "base/options.h"
#include "exec/engine.h"
#include "exec/stack_map.h"
#include "jit/optimising/callee.h"
#include "jit/optimising/home.h"
#include "jit/optimising/known.h"
#include "jit/optimising/support.h"

enum {
    MOST_SCOPES = 200,
    MOST_INLINED = 2000,                 /* bytes of bytecode in a method                                          */
    MOST_THAT_CALLS = 200                /* ... where what is inlined still calls                                  */
};

void enter_scope(struct ir *g, uint32_t scope) {
    struct compiler *c = g->c;
    const struct scope *s = &g->scopes[scope];
    c->code = s->code;
    c->source = s->source;
    c->places = s->places;
    c->keeps_this = s->keeps_this;
    g->scope = scope;
    g->locals = s->locals;
    g->variables = s->variables;
}

uint32_t scope_length_at(const struct ir *g, uint32_t scope, uint32_t bci) {
    const struct cf_code *source = g->scopes[scope].source;
    return opcode_length(source->code, bci, source->code_length);
}

uint32_t inlined_at(const struct ir *g, uint32_t bci) {
    for (uint32_t i = g->scope + 1; i < g->scope_count; i++)
        if (g->scopes[i].parent == g->scope && g->scopes[i].bci == bci) return i;
    return 0;
}

static void free_notes(struct scope *s) {
    mem_free(s->support);
    mem_free(s->known);
    mem_free(s->steady);
}

static void free_scope(struct scope *s) {
    mem_free(s->places);
    mem_free(s->block_at);
    free_notes(s);
}

/* The first one's parts are the compiler's and the graph's. */
static void free_scopes_from(struct ir *g, uint32_t first) {
    while (g->scope_count > first) free_scope(&g->scopes[--g->scope_count]);
}

void free_scopes(struct ir *g) {
    free_scopes_from(g, 1);
    if (g->scope_count != 0) free_notes(&g->scopes[0]);
    mem_free(g->scopes);
}

/* ---- which methods ----------------------------------------------------------------------------------------------- */

/* Its calls that are under way, without this one. */
static int64_t recursions(const struct ir *g, const struct method_code *code) {
    int64_t n = 0;
    for (uint32_t s = g->scope;; s = g->scopes[s].parent) {
        n += g->scopes[s].code == code;
        if (s == 0) return n;
    }
}

static uint32_t variables_of_all(const struct ir *g) {
    uint32_t n = 0;
    for (uint32_t s = g->scope;; s = g->scopes[s].parent) {
        n += g->scopes[s].variables;
        if (s == 0) return n;
    }
}

static bool is_commanded(const struct ir *g, enum command_option option, const struct method *m) {
    return g->commands != NULL && command_says(g->commands, option, m);
}

/* Whatever its size. NULL: no. */
static const char *why_forced(const struct ir *g, const struct method *m, const struct method_code *code) {
    if (is_commanded(g, COMMAND_inline, m)) return "force inline by CompileCommand";
    return code->member->vm_flags & CF_FORCE_INLINE ? "force inline by annotation" : NULL;
}

/* What is known of the method without looking at its code; NULL: nothing speaks against it. */
static const char *why_not(struct ir *g, const struct method *m, struct method_code *code) {
    const struct vm_flags *flags = &vm->options->flags;
    const struct cf_code *source = code_source(code);
    if (m->entry == ENTRY_ABSTRACT) return "abstract method";
    if (m->entry != ENTRY_BYTECODE || source == NULL) return "native method";
    if (code->uncommon & CODE_UNMAPPED) stack_maps_prepare(code);
    if (code->uncommon & ~(uint32_t)CODE_SYNCHRONIZED || m->flags & METHOD_HAS_JSR) return "not compilable";
    if (is_commanded(g, COMMAND_dontinline, m)) return "disallowed by CompileCommand";
    if (code->member->vm_flags & CF_DONT_INLINE) return "don't inline by annotation";
    if (why_forced(g, m, code) == NULL && (int64_t)source->code_length > flags->MaxInlineSize) {
        if (atomic_load_explicit(&code->compiled, memory_order_relaxed) == NULL) return "callee is too large";
        if ((int64_t)source->code_length > flags->FreqInlineSize) return "hot method too big";
    }
    const struct scope *caller = &g->scopes[g->scope];
    bool is_form = is_lambda_form(code);
    if (caller->level + 1 >= INLINED_LEVELS || caller->own_levels + !is_form > flags->MaxInlineLevel)
        return "inlining too deep";
    /* A handle's form is that of others too, in which it may lie.                                                 */
    if (!is_form && recursions(g, code) > flags->MaxRecursiveInlineLevel) return "recursive inlining too deep";
    if ((!is_form && g->inlined_bytes + source->code_length > MOST_INLINED) || g->scope_count >= MOST_SCOPES ||
        variables_of_all(g) + code->max_locals + code->max_stack > MOST_VARIABLES)
        return "size > DesiredMethodLimit";
    return NULL;
}

/* ---- a method's code --------------------------------------------------------------------------------------------- */

static void note_known(struct ir *g, uint32_t bci) {
    const struct scope *callee = &g->scopes[inlined_at(g, bci)];
    bool is_callees = callee != &g->scopes[0] && !callee->calls_others;
    if (is_return(g->c->source->code[bci])) known_return(g, bci);
    known_step(g, bci, is_callees ? known_result(callee) : known_nothing());
}

/* How the instruction is done; SUPPORT_DECLINED: the method is not inlined. */
static enum support support_at(struct ir *g, uint32_t bci) {
    uint8_t op = g->c->source->code[bci];
    enum support how = instruction_support(g, bci);
    struct scope *s = &g->scopes[g->scope];
    /* With -Xcomp it is what throws that is taken to be rare.                                                    */
    s->throws |= op == OP_athrow || (how == SUPPORT_LEAVES && vm->options->mode == VM_MODE_COMP);
    s->stops |= op == OP_new || op == OP_newarray || op == OP_anewarray || op == OP_multianewarray ||
                op == OP_monitorenter || op == OP_monitorexit;
    return how;
}

/* Room for what is found out about the scope's instructions. */
static bool make_notes(struct ir *g, uint32_t scope) {
    struct scope *s = &g->scopes[scope];
    s->support = mem_zalloc(s->source->code_length);
    s->known = mem_calloc(s->variables + 1, sizeof *s->known);
    s->steady = mem_calloc(s->locals + 1, sizeof *s->steady);
    return s->support != NULL && s->known != NULL && s->steady != NULL;
}

/* Instructions are looked at in the order of their code: so what is known has come together where forward branches
 * lead before that is looked at, unless nothing has led yet to a handler or a loop before it. */
struct search {
    struct ir *g;
    uint8_t *waits;                      /* by bytecode index                                                      */
    uint32_t next;                       /* none before it does                                                    */
    uint32_t unseen;                     /* no entry before it, to which a branch leads back or an exception, is    */
    struct known **known;                /* by target: on all ways there so far; NULL: none yet                     */
};

static void wait_for(void *search, uint32_t from UNUSED, int64_t to) {
    struct search *s = search;
    const struct place *p = &s->g->c->places[to];
    if (p->is_target && !p->is_entry) known_meet(s->g, &s->known[p->target]);
    if (s->g->scopes[s->g->scope].support[to] != 0) return;
    s->waits[to] = 1;
    s->next = MIN(s->next, (uint32_t)to);
}

/* One instruction and where it leads; true: it goes on with the next, and nothing else does. */
static bool look_at(struct search *s, uint32_t bci, bool *good) {
    struct ir *g = s->g;
    struct compiler *c = g->c;
    uint8_t op = c->source->code[bci];
    enum support how = support_at(g, bci);
    uint32_t next = bci + length_at(c, bci);
    s->waits[bci] = 0;
    *good = how != SUPPORT_DECLINED && ir_goes_on(g);
    if (!*good) return false;
    g->scopes[g->scope].support[bci] = (uint8_t)(how + 1);
    if (how == SUPPORT_LEAVES) return false;
    note_known(g, bci);
    if (flow_branches(op) && how != SUPPORT_PASSES) flow_targets(c, bci, wait_for, s);
    if (flow_ends(c, bci) || how == SUPPORT_JUMPS) return false;
    if (!c->places[next].is_target) return true;
    wait_for(s, bci, next);
    return false;
}

static bool has_unseen_entry_before(struct search *s, uint32_t bci) {
    const struct compiler *c = s->g->c;
    const uint8_t *seen = s->g->scopes[s->g->scope].support;
    while (s->unseen < bci && (!c->places[s->unseen].is_entry || seen[s->unseen] != 0)) s->unseen++;
    return s->unseen < bci;
}

/* Whatever is reached without leaving. */
static bool look_at_all(struct search *s) {
    const struct compiler *c = s->g->c;
    bool good = true;
    for (wait_for(s, 0, 0); good && s->next < c->source->code_length;) {
        uint32_t bci = s->next;
        const struct place *p = &c->places[bci];
        if (!s->waits[bci]) {
            s->next++;
            continue;
        }
        bool is_met = !p->is_entry && !has_unseen_entry_before(s, bci);
        if (p->is_target) known_come_to(s->g, is_met ? &s->known[p->target] : NULL);
        while (look_at(s, bci, &good)) bci += length_at(c, bci);
    }
    return good;
}

static uint32_t count_targets(const struct compiler *c) {
    uint32_t count = 0;
    for (uint32_t bci = 0; bci < c->source->code_length; bci++)
        if (c->places[bci].is_target) count = MAX(count, c->places[bci].target + 1u);
    return count;
}

static bool look_at_code(struct ir *g) {
    uint32_t n = g->c->source->code_length, targets = count_targets(g->c);
    struct search s = {.g = g, .waits = mem_zalloc(n), .next = n,
                       .known = mem_calloc(targets + 1, sizeof *s.known)};
    bool good = s.waits != NULL && s.known != NULL && look_at_all(&s);
    for (uint32_t i = 0; i < targets && s.known != NULL; i++) mem_free(s.known[i]);
    mem_free(s.known);
    mem_free(s.waits);
    return good;
}

void look_at_first(struct ir *g) {
    if (!make_notes(g, 0)) {
        ir_declines(g, "out of memory");
        return;
    }
    known_begin(g, NULL, 0);
    if (!look_at_code(g)) ir_declines(g, "out of memory");
    known_begin(g, NULL, 0);             /* nothing, for the handlers                                              */
}

/* Makes the scope, and finds what is reached in it. The compiler's places are those of the first scope. */
static bool begin_scope(struct ir *g, uint32_t scope) {
    struct compiler *c = g->c;
    struct scope *s = &g->scopes[scope];
    uint32_t capacity = c->place_capacity, from = g->scope;
    bool locks = c->locks;
    c->code = s->code;
    c->source = s->source;
    c->places = NULL;
    c->place_capacity = 0;
    bool good = flow_find(c) == NULL;
    s->places = c->places;
    s->keeps_this = c->keeps_this;
    s->locks = c->locks;
    c->place_capacity = capacity;
    c->locks = locks;
    s->block_at = mem_calloc(s->source->code_length, sizeof *s->block_at);
    enter_scope(g, from);
    return good && s->block_at != NULL && make_notes(g, scope);
}

static struct scope new_scope(const struct ir *g, uint32_t bci, const struct callee *k, struct method_code *code) {
    const struct scope *caller = &g->scopes[g->scope];
    const struct place *p = &caller->places[bci];
    uint32_t depth = (uint32_t)p->depth - p->arguments;
    return (struct scope){.code = code,
                          .source = code_source(code),
                          .parent = g->scope,
                          .bci = bci,
                          .level = caller->level + 1,
                          .own_levels = caller->own_levels + !is_lambda_form(code),
                          .passing = (uint8_t)k->passing,
                          .of_handle = k->of_handle,
                          .appendix = k->appendix,
                          .base = caller->base + caller->locals + FRAME_SLOTS + depth,
                          .locals = code->max_locals,
                          .variables = (uint32_t)code->max_locals + code->max_stack,
                          .depth = depth,
                          .synchronized = code->uncommon & CODE_SYNCHRONIZED,
                          .stops = code->uncommon & CODE_SYNCHRONIZED,
                          .guarded = k->guarded ? k->method : NULL,
                          .receiver = k->receiver,
                          .interface = k->interface,
                          .calls_others = k->calls_others};
}

/* For -XX:+PrintInlining. `before`: so many had been seen, and what lies in the call is not of interest. */
static void note_call(struct ir *g, uint32_t bci, const struct method *m, const char *what, bool is_inlined,
                      uint32_t before) {
    if (!g->reports || m == NULL) return;
    if (!is_inlined) g->seen_count = before;
    if (!make_room((void **)&g->seen, &g->seen_capacity, g->seen_count + 1, sizeof *g->seen)) return;
    g->seen[g->seen_count++] = (struct call_seen){g->scope, bci, m, what, is_inlined};
}

void note_intrinsic(struct ir *g, uint32_t bci, const struct method *guessed) {
    g->c->bci = bci;
    const struct method *m = guessed != NULL ? guessed : leaf_called(g->c);
    note_call(g, bci, m != NULL ? m : access_called(g->c), "intrinsic", true, 0);
}

/* The calls of the scope in the order of its code. */
static void report_calls(const struct ir *g, uint32_t scope, struct inlining_report *out) {
    for (int64_t at = -1, next; ; at = next) {
        const struct call_seen *first = NULL;
        for (uint32_t i = 0; i < g->seen_count; i++) {
            const struct call_seen *s = &g->seen[i];
            if (s->scope == scope && (int64_t)s->bci > at && (first == NULL || s->bci < first->bci)) first = s;
        }
        if (first == NULL || !vec_reserve(&out->lines, out->lines.count + 1)) return;
        next = first->bci;
        out->lines.data[out->lines.count++] = (struct inlining_line){first->method, g->scopes[scope].level, first->bci,
                                                                     first->what, first->is_inlined};
        for (uint32_t i = scope + 1; i < g->scope_count; i++)
            if (g->scopes[i].parent == scope && g->scopes[i].bci == first->bci) report_calls(g, i, out);
    }
}

void report_inlining(const struct ir *g, struct inlining_report *out) { report_calls(g, 0, out); }

/* The method that the instruction names, if that is known. */
static const struct method *named(struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    c->bci = bci;
    if (c->source->code[bci] == OP_invokedynamic || !is_quick(c)) return NULL;
    uint8_t now = opcode_now(c);
    bool is_method = now == quick_opcode(OP_invokevirtual, FORM_TABLE) ||
                     now == quick_opcode(OP_invokeinterface, FORM_PLAIN);
    return is_method ? (const struct method *)(uintptr_t)known_cell(c, op_u2(c->source->code + bci + 1)) : NULL;
}

/* What is inlined, but still calls, saves little: where it runs seldom, or is much, it stays outside. */
static const char *why_no_calls(const struct ir *g, const struct method *m, const struct method_code *code) {
    const char *why = g->scopes[g->scope].why_no_calls;
    if (why != NULL) return why;
    if (why_forced(g, m, code) != NULL) return NULL;
    if (code != g->scopes[0].code && !g->is_hot(code)) return "low call site frequency";
    return g->inlined_bytes + code_source(code)->code_length > MOST_THAT_CALLS ? "size > DesiredMethodLimit" : NULL;
}

/* What gives a synchronized method's monitor back knows no other one of its frame, and gives back that of `this`. */
static bool can_lock(const struct scope *s) {
    bool is_static = s->code->method->access_flags & ACC_STATIC;
    return !s->synchronized || (!s->locks && (is_static || s->keeps_this));
}

/* What is known of what the callee is called with. */
static uint32_t known_arguments(const struct ir *g, uint32_t bci, const struct callee *k, struct known *arguments) {
    uint32_t operands = g->c->places[bci].arguments, count = operands - (k->passing == PASSES_NO_MEMBER);
    for (uint32_t i = 0; i < count; i++) arguments[i] = known_operand(g, bci, operands - 1 - i);
    if (k->passing == PASSES_APPENDIX) arguments[count++] = known_object(k->appendix);
    return count;
}

/* The library asks by it whether the compiler knows the argument; its own code says no. */
static bool is_compile_constant(const struct method *m) {
    return strcmp(m->name->bytes, "isCompileConstant") == 0 &&
           strcmp(m->holder->name->bytes, "java/lang/invoke/MethodHandleImpl") == 0 && m->holder->loader->is_boot;
}

/* NULL: it is inlined; *scope. */
static const char *try_callee(struct ir *g, uint32_t bci, const struct callee *k, uint32_t *scope) {
    const char *no_calls = g->scopes[g->scope].why_no_calls;
    if (k->method == NULL) return "no static binding";
    if (k->calls_others && no_calls != NULL) return no_calls;
    struct method_code *code = atomic_load_explicit(&k->method->code, memory_order_acquire);
    const char *why = why_not(g, k->method, code);
    if (why != NULL) return why;
    if (!make_room((void **)&g->scopes, &g->scope_capacity, g->scope_count + 1, sizeof *g->scopes))
        return "out of memory";
    uint32_t new = g->scope_count++, from = g->scope, bytes = g->inlined_bytes, noted = g->noted_count;
    bool calls = g->calls;
    struct known arguments[UINT8_MAX + 1];
    uint32_t count = known_arguments(g, bci, k, arguments);
    g->scopes[new] = new_scope(g, bci, k, code);
    g->scopes[new].why_no_calls = why_no_calls(g, k->method, code);
    if (!is_lambda_form(code)) g->inlined_bytes += g->scopes[new].source->code_length;
    bool good = begin_scope(g, new);
    good = good && can_lock(&g->scopes[new]);
    if (good) {
        enter_scope(g, new);
        known_begin(g, arguments, count);
        good = look_at_code(g);
        g->why_not = NULL;               /* of the callee                                                          */
        enter_scope(g, from);
    }
    if (good && is_compile_constant(k->method) && arguments[0].kind != KNOWN_NOTHING)
        g->scopes[new].returned = (struct known){KNOWN_INT, false, 1};
    if (!good) {
        why = g->scopes[new].why_no_calls != NULL ? g->scopes[new].why_no_calls : "needs a frame";
        free_scopes_from(g, new);
        g->inlined_bytes = bytes;
        g->noted_count = noted;
        g->calls = calls;
        return why;
    }
    g->area = MAX(g->area, g->scopes[new].base + g->scopes[new].variables);
    *scope = new;
    return NULL;
}

uint32_t inline_call(struct ir *g, uint32_t bci) {
    uint32_t scope = inlined_at(g, bci);
    if (scope != 0 || !g->inlines) return scope;
    struct callee k = callee_at(g, bci);
    uint32_t before = g->seen_count;
    const struct method *m = k.method != NULL ? k.method : named(g, bci);
    const char *why = try_callee(g, bci, &k, &scope);
    const char *forced = why == NULL ? why_forced(g, m, g->scopes[scope].code) : NULL;
    note_call(g, bci, m, why != NULL ? why : forced != NULL ? forced : "inline", why == NULL, before);
    return why == NULL ? scope : 0;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Is it an object that is known, and of that class? */
static bool is_object_of(const struct node *n, const struct class *c) {
    return n->op == NODE_literal && class_of((const struct object *)(uintptr_t)n->imm) == c;
}

/* What a receiver must be for the callee to be the method that the call selects. */
static void check_receiver(struct builder *b, const struct scope *s, node_id receiver) {
    struct ir *g = b->g;
    node_id guard = build_null_check(b, receiver);
    if (s->interface != NULL && ir_goes_on(g)) {
        node_of(g, receiver)->flags |= NODE_CAST;
        build_effect(b, (struct node){.op = NODE_check_cast, .in = {receiver}, .imm = (intptr_t)s->interface,
                                      .state = build_state(b)});
    }
    if (s->guarded == NULL || !ir_goes_on(g)) return;
    bool by_class = s->receiver != NULL;
    if (by_class && is_object_of(node_of(g, receiver), s->receiver)) return;
    const void *wanted = by_class ? (const void *)s->receiver : s->guarded;
    build_effect(b, (struct node){.op = by_class ? NODE_check_class : NODE_check_callee, .in = {receiver},
                                  .guard = guard, .imm = (intptr_t)wanted, .state = build_state(b)});
}

/* The caller's operands below the arguments are at home, and it goes on with what it has now. */
static void keep_caller(struct builder *b, uint32_t callee) {
    struct ir *g = b->g;
    uint32_t before = b->depth;
    b->depth = g->scopes[callee].depth;
    uint32_t state = build_state_behind(b), kept = build_kept(b);
    b->depth = before;
    if (!ir_goes_on(g)) return;
    g->scopes[callee].state = state;
    g->scopes[callee].kept = kept;
}

/* Both ways lead to the call's result: what the caller goes on with must come before them. */
void build_question(struct builder *b, uint32_t callee) {
    struct ir *g = b->g;
    const struct scope s = g->scopes[callee];
    node_id receiver = b->now[g->locals + s.depth];
    give_operands_homes(b, s.depth);
    keep_caller(b, callee);
    if (!ir_goes_on(g)) return;
    if (node_of(g, receiver)->type != TYPE_REF) {
        ir_declines(g, "its code makes no sense");
        return;
    }
    node_id guard = build_null_check(b, receiver);
    build_effect(b, (struct node){.op = NODE_branch_class, .in = {receiver}, .guard = guard,
                                  .imm = (intptr_t)s.receiver});
}

void build_called_instead(struct builder *b, uint32_t callee) {
    struct ir *g = b->g;
    const struct scope s = g->scopes[callee];
    node_id value = s.code->method->return_type == T_VOID ? 0 : b->now[g->locals + s.depth];
    enter_scope(g, callee);
    memset(b->now, 0, g->variables * sizeof *b->now);
    b->depth = 0;
    if (value != 0) push_value(b, value);
}

void build_inlined_call(struct builder *b, uint32_t callee) {
    struct ir *g = b->g;
    const struct scope s = g->scopes[callee];
    node_id arguments[UINT8_MAX + 1];
    uint32_t count = b->depth - s.depth;
    if (s.calls) give_operands_homes(b, s.depth);
    memcpy(arguments, b->now + g->locals + s.depth, count * sizeof *arguments);
    if (s.passing == PASSES_NO_MEMBER) count--;
    build_watch_check(b, WATCH_METHODS | WATCH_STEPS);
    if (!ir_goes_on(g)) return;
    if (!s.calls_others) {
        if (s.of_handle || !(s.code->method->access_flags & ACC_STATIC)) {
            if (node_of(g, arguments[0])->type != TYPE_REF) ir_declines(g, "its code makes no sense");
            check_receiver(b, &s, arguments[0]);
        }
        keep_caller(b, callee);
    }
    if (s.passing == PASSES_APPENDIX && ir_goes_on(g))
        arguments[count++] = build_constant(b, TYPE_REF, (intptr_t)s.appendix);
    if (!ir_goes_on(g)) return;
    vm_assert(count == s.code->method->arg_slots, "a call with other arguments");
    enter_scope(g, callee);
    memset(b->now, 0, g->variables * sizeof *b->now);
    memcpy(b->now, arguments, count * sizeof *arguments);
    b->depth = 0;
    give_arguments_homes(b, count);
    if (s.synchronized) build_own_enter(b);
}

void build_result(struct builder *b, uint32_t callee) {
    struct ir *g = b->g;
    const struct scope *s = &g->scopes[callee];
    enum basic_type type = s->code->method->return_type;
    node_id value = type == T_VOID ? 0 : build_merge(b, s->locals, NO_HOME);
    if (!ir_goes_on(g)) return;
    if (type != T_VOID && value == 0) {
        ir_declines(g, "its code makes no sense");
        return;
    }
    struct known known = known_result(s);
    if (value != 0 && known.kind == KNOWN_INT && !s->calls_others) value = build_constant(b, TYPE_INT, known.value);
    memcpy(b->now, g->values + s->kept, g->variables * sizeof *b->now);
    b->depth = s->depth;
    if (value == 0) return;
    push_value(b, value);
    move_operands(b, s->depth);
}

/* Where a tool has begun to watch meanwhile the interpreter returns. */
void build_inlined_return(struct builder *b, node_id value) {
    if (b->g->scopes[b->g->scope].stops) build_watch_check(b, WATCH_METHODS | WATCH_STEPS);
    if (ir_goes_on(b->g)) build_monitors_left(b);
    if (!ir_goes_on(b->g)) return;
    b->depth = 0;
    if (value != 0) push_value(b, value);
    build_effect(b, (struct node){.op = NODE_jump});
}
