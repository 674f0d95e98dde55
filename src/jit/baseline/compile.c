/* compile.c — from a method's bytecode to its machine code:
 *
 *      entry          stack limit, or the stub `interpret`; the record; the attention    no frame, until it is whole
 *      instructions   in the order of their bytecode, as far as they are reached
 *      standings      the slow ways of intrinsics
 *      exits          calls of `leaving`
 *      leaving        the exit to os_thread.leaving, to the stub `leave`
 *      jump tables    what switches jump by
 *      pc table, table of the loops and handlers, table of the exits */
#include "jit/baseline/compiler.h"

#include "base/alloc.h"
#include "base/options.h"
#include "exec/stack_map.h"

enum {
    CODE_PER_BYTE = 48, CODE_MORE = 4096, /* the first buffer: bytes for each of bytecode, and besides               */
    CODE_MAX = 64 * 1024 * 1024,
    BUFFER_KEPT = 256 * 1024              /* a larger one is not kept                                                */
};

bool make_room(void **array, uint32_t *capacity, uint32_t count, size_t size) {
    if (LIKELY(count <= *capacity)) return true;
    uint32_t more = count + count / 2 + 16;
    void *p = mem_realloc(*array, more * size);
    if (p == NULL) return false;
    *array = p;
    *capacity = more;
    return true;
}

/* The offset of what is written next. */
static uint32_t here(const struct compiler *c) { return (uint32_t)(c->a.next - c->a.start); }

/* ---- stubs: the ways to them change when the code is moved to its place ----------------------------------------- */

/* The assembler takes it to run there meanwhile. */
static const uint8_t *somewhere(const struct stubs *stubs) { return stubs->enter; }

/* The last four bytes are a way to a stub. */
static void note_way(struct compiler *c) {
    c->failed |= !make_room((void **)&c->ways, &c->way_capacity, c->way_count + 1, sizeof *c->ways);
    if (!c->failed) c->ways[c->way_count++] = here(c) - 4;
}

void jump_to_stub(struct compiler *c, const uint8_t *stub) {
    asm_jump_to(&c->a, stub);
    note_way(c);
}

void call_stub(struct compiler *c, const uint8_t *stub) {
    asm_call_to(&c->a, stub);
    note_way(c);
}

static void branch_to_stub(struct compiler *c, enum asm_cond cond, const uint8_t *stub) {
    asm_branch_to(&c->a, cond, stub);
    note_way(c);
}

void baseline_move(const struct baseline_code *made, const struct stubs *stubs, const uint8_t *to, uint8_t *writable) {
    memcpy(writable, made->bytes, made->length);
    for (uint32_t i = 0; i < made->way_count; i++) {
        int32_t way;
        memcpy(&way, writable + made->ways[i], sizeof way);
        way += (int32_t)(somewhere(stubs) - to);
        memcpy(writable + made->ways[i], &way, sizeof way);
    }
}

/* ---- exits ------------------------------------------------------------------------------------------------------- */

static struct exit_operand operand_left(const struct value *v, uint32_t i) {
    static const uint8_t places[] = {[CONSTANT] = EXIT_CONSTANT, [LOCAL] = EXIT_LOCAL, [REGISTER] = EXIT_REGISTER};
    struct exit_operand o = {.index = i, .local = v->local, .constant = v->constant};
    if (v->kind == FLOATING)
        o.place = (uint8_t)((v->float_type == F32 ? EXIT_FLOAT : EXIT_DOUBLE) + v->reg - FIRST_FLOATING);
    else
        o.place = (uint8_t)(places[v->kind] + (v->kind == REGISTER ? v->reg : 0));
    return o;
}

static void note_left(struct compiler *c, struct leave *l, uint32_t i) {
    const struct value *v = &c->stack[i];
    if (v->kind == IN_SLOT || v->kind == UPPER || c->failed) return;
    c->failed = !make_room((void **)&c->left, &c->left_capacity, c->left_count + 1, sizeof *c->left);
    if (c->failed) return;
    c->left[c->left_count++] = operand_left(v, i);
    l->count++;
}

static struct leave *current_leave(struct compiler *c) {
    if (!c->leave_is_current) {
        if (!make_room((void **)&c->leaves, &c->leave_capacity, c->leave_count + 1, sizeof *c->leaves))
            c->failed = true;
        if (c->failed) return NULL;
        struct leave *l = &c->leaves[c->leave_count++];
        *l = (struct leave){.bci = c->bci, .depth = c->depth, .first = c->left_count};
        if (c->is_reported) l->kind = EXIT_BEHIND_EVENTS;
        for (uint32_t i = 0; i < c->depth; i++) note_left(c, l, i);
        c->leave_is_current = true;
    }
    return &c->leaves[c->leave_count - 1];
}

static void write_leave(struct compiler *c, struct leave *l) {
    asm_bind(&c->a, &l->label);
    asm_call(&c->a, &c->leaving);
    exits_add(&c->exits, here(c), l->kind, l->depth, c->left + l->first, l->count);
    l->is_written = true;
}

static void leave_by(struct compiler *c, struct leave *l, enum asm_cond cond) {
    struct asm_label on = {0};
    if (l == NULL) return;               /* this code is thrown away                                                */
    if (l->is_written || in_loop(c)) {
        asm_branch(&c->a, cond, &l->label);
        return;
    }
    asm_branch_short(&c->a, asm_not(cond), &on);
    write_leave(c, l);
    asm_bind(&c->a, &on);
}

void leave_if(struct compiler *c, enum asm_cond cond) { leave_by(c, current_leave(c), cond); }

/* An exit of its own kind. */
static void leave_to_count(struct compiler *c, enum asm_cond cond) {
    c->leave_is_current = false;
    struct leave *l = current_leave(c);
    if (l != NULL) l->kind |= EXIT_COUNTS;
    leave_by(c, l, cond);
    c->leave_is_current = false;
}

void leave_now(struct compiler *c) {
    struct leave *l = current_leave(c);
    if (l == NULL) return;
    if (l->is_written || in_loop(c)) asm_jump(&c->a, &l->label);
    else write_leave(c, l);
}

static void write_leaves(struct compiler *c) {
    if (c->leave_count == 0 || c->failed) return;
    for (uint32_t i = 0; i < c->leave_count; i++) {
        struct leave *l = &c->leaves[i];
        if (l->is_written) continue;
        note_pc(c, (int32_t)l->bci);
        write_leave(c, l);
    }
    write_leaving(c);
}

void write_leaving(struct compiler *c) {
    note_pc(c, PCS_CALLED);
    asm_bind(&c->a, &c->leaving);
    asm_pop_to(&c->a, thread_field(offsetof(struct os_thread, leaving)));
    jump_to_stub(c, c->stubs->leave);
}

struct standing *new_standing(struct compiler *c) {
    if (!make_room((void **)&c->standings, &c->standing_capacity, c->standing_count + 1, sizeof *c->standings))
        c->failed = true;
    if (c->failed) return NULL;
    struct standing *s = &c->standings[c->standing_count++];
    *s = (struct standing){.bci = c->bci, .depth = c->depth};
    return s;
}

/* What it was before gets its row if there is code of it. */
void note_pc(struct compiler *c, int32_t bci) {
    if (here(c) != c->noted_from) pcs_add(&c->pcs, c->noted_from, c->noted_bci);
    c->noted_from = here(c);
    c->noted_bci = bci;
}

static void note_end(struct compiler *c) { note_pc(c, PCS_NO_FRAME); }

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

static void enter_uncommon(struct compiler *c) {
    const struct method *m = c->code->method;
    if (c->code->uncommon != CODE_SYNCHRONIZED) {
        call_stub(c, c->stubs->entered);
    } else {
        if (m->access_flags & ACC_STATIC) asm_constant(&c->a, REG_C1, (uintptr_t)m->holder->mirror);
        else asm_load(&c->a, U64, REG_C1, slot_of_local(c, 0));
        call_stub(c, c->stubs->entered_synchronized);
    }
    forget_registers(c);
}

/* Of the frame that is being made. */
static struct asm_mem new_record(const struct compiler *c, size_t offset) {
    return asm_at(REG_COUNT, 8 * (int32_t)c->code->max_locals + (int32_t)offset);
}

/* Where the bytecode begins, by the record of the code in `code`: both lie in arenas, mostly near each other. Nothing
 * is loaded of the record, which would be a cache miss at most calls. */
static void put_begin(struct compiler *c, enum asm_reg to, enum asm_reg code) {
    intptr_t distance = (intptr_t)((uintptr_t)c->code->code - (uintptr_t)c->code);
    if (distance == (int32_t)distance) asm_address(&c->a, to, asm_at(code, (int32_t)distance));
    else asm_constant(&c->a, to, (uintptr_t)c->code->code);
}

/* As interpret() enters bytecode; REG_COUNT: where the locals begin. */
void write_entry(struct compiler *c) {
    struct assembler *a = &c->a;
    const enum asm_reg code = REG_RESULT, flags = REG_C1, end = REG_SCRATCH;
    note_pc(c, PCS_NO_FRAME);
    asm_constant(a, flags, FRAME_COMPILED);
    asm_store(a, W64, asm_at(REG_FRAME, offsetof(struct frame, sp)), REG_COUNT);         /* the caller's            */
    vm_assert(a->spoilt || a->next - a->start == ENTERED_FROM_C, "C enters elsewhere");
    asm_constant(a, code, (uintptr_t)c->code);
    asm_address(a, end, new_record(c, 8 * (size_t)c->code->frame_slots));
    asm_alu_load(a, ALU_CMP, W64, end, asm_at(REG_JAVA, offsetof(struct java_thread, stack_limit)));
    branch_to_stub(c, COND_ABOVE, c->stubs->interpret);
    put_begin(c, end, code);
    asm_store(a, W64, new_record(c, offsetof(struct frame, code)), code);
    asm_store(a, W64, new_record(c, offsetof(struct frame, caller)), REG_FRAME);
    asm_store(a, W64, new_record(c, offsetof(struct frame, pc)), end);
    asm_store(a, W64, new_record(c, offsetof(struct frame, flags)), flags);
    asm_address(a, REG_FRAME, new_record(c, 0));
    note_pc(c, 0);
    if (c->code->uncommon != 0) {
        enter_uncommon(c);
        c->entered = ENTERED_FROM_C;                     /* nobody asks                                            */
        return;
    }
    asm_alu_store_constant(a, ALU_TEST, W32, thread_field(offsetof(struct os_thread, attention)),
                           POLL_ANY | WATCH_METHODS | WATCH_STEPS);
    branch_to_stub(c, COND_NOT_EQUAL, c->stubs->attention);
    c->entered = (uint32_t)(a->next - a->start);
    vm_assert(c->entered - ENTERED_FROM_C <= UINT8_MAX, "method_code.entered is too small");
}

_Static_assert(offsetof(struct frame, call_length) == offsetof(struct frame, flags) + 4, "both are stored at once");

/* A call, or a turn of a loop: the frame leaves when the optimising compiler is to be asked. */
void count_towards_optimising(struct compiler *c, uint32_t cost) {
    if (c->counter == NULL) return;
    asm_constant(&c->a, REG_SCRATCH, (uintptr_t)c->counter);
    asm_alu_store_constant(&c->a, ALU_SUB, W32, asm_at(REG_SCRATCH, 0), (int32_t)cost);
    leave_to_count(c, COND_NOT_GREATER);
}

static void write_end(struct compiler *c) {
    c->loop = NULL;
    write_standings(c);
    write_leaves(c);
    write_tables(c);
    note_end(c);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* What the interpreter does at OP_breakpoint. */
static void send_events(struct compiler *c) {
    c->is_reported = c->code->code[c->bci] == OP_breakpoint;
    if (!c->is_reported) return;
    flush_operands(c, 0);
    store_position(c, true);
    call_stub(c, c->stubs->breakpoint);
    begin_block(c, c->depth);
}

#ifdef VITRINE_CHECK
static void check_effect(const struct compiler *c, uint32_t before) {
    uint32_t takes, gives;
    flow_effect(c, c->bci, &takes, &gives);
    vm_assert(flow_ends(c, c->bci) || c->depth == before - takes + gives, "%s leaves the stack wrong",
              opcode_names[*instruction(c)]);
}
#else
static void check_effect(const struct compiler *c UNUSED, uint32_t before UNUSED) {}
#endif

typedef bool compile_function(struct compiler *c, uint8_t op);
static compile_function *const functions[OP_LIMIT] = {
    [OP_nop ... OP_aload_3] = compile_constant_or_local,
    [OP_iaload ... OP_saload] = compile_array,
    [OP_istore ... OP_astore_3] = compile_constant_or_local,
    [OP_iastore ... OP_sastore] = compile_array,
    [OP_pop ... OP_swap] = compile_stack,
    [OP_iadd ... OP_lrem] = compile_arithmetic,
    [OP_frem ... OP_drem] = compile_in_runtime,
    [OP_ineg ... OP_lxor] = compile_arithmetic,
    [OP_iinc] = compile_constant_or_local,
    [OP_i2l ... OP_i2s] = compile_conversion,
    [OP_lcmp ... OP_dcmpg] = compile_arithmetic,
    [OP_ifeq ... OP_return] = compile_control,
    [OP_getstatic ... OP_putfield] = compile_field,
    [OP_invokevirtual ... OP_invokedynamic] = compile_call,
    [OP_new ... OP_anewarray] = compile_allocation,
    [OP_arraylength] = compile_array,
    [OP_athrow] = compile_in_runtime,
    [OP_checkcast ... OP_instanceof] = compile_type_check,
    [OP_monitorenter ... OP_monitorexit] = compile_in_runtime,
    [OP_wide] = compile_constant_or_local,
    [OP_multianewarray] = compile_in_runtime,
    [OP_ifnull ... OP_jsr_w] = compile_control,
};

static void compile_instruction(struct compiler *c) {
    uint8_t op = *instruction(c);
    c->pinned = 0;
    c->leave_is_current = false;
    send_events(c);
    if (!c->places[c->bci].compiles) {
        leave_now(c);
        return;
    }
    if (is_comparison(op) && compile_compare_and_branch(c, op)) return;
    uint32_t before = c->depth;
    bool done = functions[op](c, op);
    vm_assert(done, "no code for %s", opcode_names[op]);
    check_effect(c, before);
}

static void compile_all(struct compiler *c) {
    bool falls = true;                   /* the instruction before goes on with this one                           */
    begin_block(c, 0);
    c->loop_end = 0;
    loops_begin(c);
    for (c->bci = 0; c->bci < c->source->code_length && !c->failed; c->bci += c->length) {
        const struct place *p = &c->places[c->bci];
        c->length = length_at(c, c->bci);
        if (c->length == 0) return;      /* behind what is reached, unverified code may be anything                */
        if (!p->is_reached) {
            falls = false;
            continue;
        }
        loops_go_on(c);
        if (p->is_target) {
            c->loop_end = MAX(c->loop_end, c->targets[p->target].loop_end);
            if (falls) flush_operands(c, 0);
            begin_block(c, p->depth);
            note_pc(c, (int32_t)c->bci);
            asm_bind(&c->a, label_of(c, c->bci));
            if (p->is_entry) pcs_add(&c->entries, here(c), (int32_t)c->bci);
            loops_pass(c);
        }
        note_pc(c, (int32_t)c->bci);
        compile_instruction(c);
        falls = !flow_ends(c, c->bci);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* What is made once more with a larger buffer begins anew. */
static void begin_again(struct compiler *c) {
    asm_begin(&c->a, c->buffer, c->buffer_size, somewhere(c->stubs));
    c->leave_count = c->left_count = c->standing_count = 0;
    c->table_count = c->way_count = 0;
    c->leaving = (struct asm_label){0};
    pcs_begin(&c->pcs);
    c->noted_from = 0;
    pcs_begin(&c->entries);
    exits_begin(&c->exits);
    rows_begin(&c->inlined.rows);
    for (uint32_t i = 0; i < c->target_count; i++) c->targets[i].label = (struct asm_label){0};
}

static bool make_buffer(struct compiler *c, size_t size) {
    return size <= CODE_MAX && make_room((void **)&c->buffer, &c->buffer_size, (uint32_t)size, 1);
}

static void append_table(struct compiler *c, uint32_t at, const struct numbers_writer *table) {
    if (table->length != 0) memcpy(c->buffer + at, table->bytes, table->length);
}

const char *code_write(struct compiler *c, code_write_function *write, void *arg, struct baseline_code *out) {
    size_t size = (size_t)c->source->code_length * CODE_PER_BYTE + CODE_MORE, length = 0;
    for (; length == 0 && !c->failed; size *= 2) {
        if (!make_buffer(c, size)) break;
        begin_again(c);
        write(c, arg);
        length = asm_end(&c->a);
        c->failed |= c->pcs.rows.table.failed || c->entries.rows.table.failed || c->exits.rows.table.failed ||
                     c->inlined.rows.table.failed;
    }
    uint32_t pcs = (uint32_t)length, entries = pcs + c->pcs.rows.table.length;
    uint32_t exits = entries + c->entries.rows.table.length, inlined = exits + c->exits.rows.table.length;
    uint32_t all = inlined + c->inlined.rows.table.length;
    if (length == 0 || c->failed || !make_buffer(c, all)) return "out of memory";
    append_table(c, pcs, &c->pcs.rows.table);
    append_table(c, entries, &c->entries.rows.table);
    append_table(c, exits, &c->exits.rows.table);
    append_table(c, inlined, &c->inlined.rows.table);
    *out = (struct baseline_code){.bytes = c->buffer, .ways = c->ways, .way_count = c->way_count, .length = all,
                                  .pcs = pcs, .entries = entries, .exits = exits, .inlined = all - inlined,
                                  .entered = c->entered, .counts = c->counter != NULL};
    return NULL;
}

struct compiler *baseline_create(const struct stubs *stubs) {
    struct compiler *c = mem_zalloc(sizeof *c);
    if (c == NULL) return NULL;
    c->stubs = stubs;
    flow_read_opcodes(c);
    return c;
}

static void free_parts(struct compiler *c) {
    mem_free(c->buffer);
    mem_free(c->places);
    mem_free(c->targets);
    mem_free(c->loops);
    mem_free(c->stack);
    mem_free(c->leaves);
    mem_free(c->left);
    mem_free(c->standings);
    mem_free(c->tables);
    mem_free(c->ways);
    mem_free(c->pcs.rows.table.bytes);
    mem_free(c->entries.rows.table.bytes);
    mem_free(c->exits.rows.table.bytes);
    mem_free(c->inlined.rows.table.bytes);
}

void baseline_destroy(struct compiler *c) {
    if (c != NULL) free_parts(c);
    mem_free(c);
}

/* After a large method its memory goes back, before the next begins. */
static void give_back(struct compiler *c) {
    if (c->buffer_size <= BUFFER_KEPT) return;
    const struct stubs *stubs = c->stubs;
    free_parts(c);
    *c = (struct compiler){.stubs = stubs};
    flow_read_opcodes(c);
}

const char *code_begin(struct compiler *c, struct method_code *code) {
    if (code_source(code) == NULL) return "it has no bytecode";
    if (code->method->flags & METHOD_HAS_JSR) return "it has subroutines";
    if (code->uncommon & CODE_UNMAPPED) stack_maps_prepare(code);
    if (code->uncommon & CODE_UNMAPPED) return "out of memory";
    give_back(c);
    c->code = code;
    c->source = code_source(code);
    c->counter = NULL;
    c->receivers = NULL;
    c->is_reported = false;
    c->failed = c->pcs.rows.table.failed = c->entries.rows.table.failed = c->exits.rows.table.failed =
        c->inlined.rows.table.failed = false;
    return flow_find(c);
}

static void write_method(struct compiler *c, void *arg UNUSED) {
    write_entry(c);
    c->bci = c->loop_end = 0;
    begin_block(c, 0);
    count_towards_optimising(c, (uint32_t)vm->options->optimising_call_cost);
    compile_all(c);
    write_end(c);
}

const char *baseline_compile(struct compiler *c, struct method_code *code, int32_t *counter,
                             struct receivers *receivers, struct baseline_code *out) {
    PROMISES_NO_SAFEPOINT();
    const char *why = code_begin(c, code);
    if (why != NULL) return why;
    c->counter = counter;
    c->receivers = receivers;
    if (!make_room((void **)&c->stack, &c->stack_capacity, c->source->max_stack + 1u, sizeof *c->stack))
        return "out of memory";
    loops_find(c);
    return code_write(c, write_method, NULL, out);
}
