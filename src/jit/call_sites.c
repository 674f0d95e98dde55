/* call_sites.c — invocations that do not select their callee themselves, because it is not known yet how, or in much
 * code: as the interpreter's quick instructions do it (exec/ops_invokes.inc). JVMS 6.5. */
#include "jit/call_sites.h"

#include "exec/engine.h"
#include "exec/frame.h"
#include "exec/quick.h"
#include "jit/receivers.h"
#include "thread/thread.h"

#ifdef ASM_MACHINE

static const enum asm_reg METHOD = REG_RESULT, ARGUMENTS = REG_COUNT, SITE = REG_C1, OPCODE = REG_SCRATCH,
                          RECEIVER = REG_C2, INDEX = REG_C0;

struct site {
    struct assembler *a;
    struct asm_label slow, direct;
};

static void load_class_id(struct assembler *a, enum asm_reg r) {
    asm_load(a, U32, r, asm_at(r, offsetof(struct object, class_id)));
}

/* Of the class with the id in r. */
static void load_vtable(struct assembler *a, enum asm_reg r) {
    asm_load(a, U64, r, asm_indexed(REG_SHAPES, r, 3, vtable_table_distance()));
}

static void load_class(struct assembler *a, enum asm_reg r) {
    load_class_id(a, r);
    asm_load(a, U64, r, asm_indexed(REG_SHAPES, r, 3, 0));
}

static void load_cell(struct assembler *a) {
    asm_extend(a, U16, INDEX, SITE);
    asm_load(a, U64, METHOD, asm_at(REG_FRAME, offsetof(struct frame, code)));
    asm_load(a, U64, METHOD, asm_at(METHOD, offsetof(struct method_code, cells)));
    asm_load(a, U64, METHOD, asm_indexed(METHOD, INDEX, 3, 0));
}

/* Of the position the lower half alone is read: a load of both would wait until store_pc's store of it is done. */
static void load_opcode(struct assembler *a) {
    asm_load(a, U32, OPCODE, asm_at(REG_FRAME, offsetof(struct frame, pc)));
    asm_load(a, U64, METHOD, asm_at(REG_FRAME, offsetof(struct frame, code)));
    asm_load(a, U64, METHOD, asm_at(METHOD, offsetof(struct method_code, code)));
    asm_alu(a, ALU_SUB, W32, OPCODE, METHOD);
    asm_load(a, U8, OPCODE, asm_indexed(METHOD, OPCODE, 0, 0));
}

static void load_receiver(struct site *s) {
    asm_load(s->a, U64, RECEIVER, asm_at(ARGUMENTS, 0));
    asm_alu(s->a, ALU_TEST, W64, RECEIVER, RECEIVER);
    asm_branch(s->a, COND_EQUAL, &s->slow);
}

static void call(struct assembler *a) { asm_jump_load(a, asm_at(METHOD, offsetof(struct method, compiled_entry))); }

static void call_virtual(struct site *s) {
    load_receiver(s);
    load_class_id(s->a, RECEIVER);
    load_vtable(s->a, RECEIVER);
    asm_load(s->a, U32, INDEX, asm_at(METHOD, offsetof(struct method, vtable_index)));
    asm_load(s->a, U64, METHOD, asm_indexed(RECEIVER, INDEX, 3, 0));
    call(s->a);
}

_Static_assert(sizeof(struct lookup_entry) == 24, "the index is multiplied by 3 and 8");

static void take_entry(struct assembler *a, enum asm_reg method, const struct interface_registers *r, int32_t entry,
                       struct asm_label *not_it) {
    int32_t at = entry * (int32_t)sizeof(struct lookup_entry);
    asm_alu_load(a, ALU_CMP, W32, r->receiver, asm_at(r->entry, at + (int32_t)offsetof(struct lookup_entry, class_id)));
    asm_branch(a, COND_NOT_EQUAL, not_it);
    asm_alu_load(a, ALU_CMP, W64, method,
                 asm_at(r->entry, at + (int32_t)offsetof(struct lookup_entry, interface_method)));
    asm_branch(a, COND_NOT_EQUAL, not_it);
    asm_load(a, U64, method, asm_at(r->entry, at + (int32_t)offsetof(struct lookup_entry, target)));
}

void select_interface_write(struct assembler *a, enum asm_reg method, const struct interface_registers *r,
                            struct asm_label *unknown) {
    struct asm_label second = {0}, found = {0};
    asm_load(a, U32, r->receiver, asm_at(r->receiver, offsetof(struct object, class_id)));
    asm_move(a, W64, r->entry, method);
    asm_shift_constant(a, SHIFT_RIGHT, W64, r->entry, 5);
    asm_alu(a, ALU_XOR, W32, r->entry, r->receiver);
    asm_alu_constant(a, ALU_AND, W32, r->entry, LOOKUP_CACHE_SIZE - 2);
    asm_address(a, r->entry, asm_indexed(r->entry, r->entry, 1, 0));
    asm_load(a, U64, r->base, asm_at(REG_THREAD, offsetof(struct os_thread, lookup_cache)));
    asm_address(a, r->entry, asm_indexed(r->base, r->entry, 3, 0));
    take_entry(a, method, r, 0, &second);
    asm_jump_short(a, &found);
    asm_bind(a, &second);
    take_entry(a, method, r, 1, unknown);
    asm_bind(a, &found);
}

static void call_interface(struct site *s) {
    load_receiver(s);
    select_interface_write(s->a, METHOD, &(struct interface_registers){RECEIVER, INDEX, REG_SCRATCH}, &s->slow);
    call(s->a);
}

/* Nothing is called, unless somebody would see that, or the class has finalizers. */
static void call_object_init(struct site *s) {
    load_receiver(s);
    load_class(s->a, RECEIVER);
    asm_alu_store_constant(s->a, ALU_CMP, W8, asm_at(RECEIVER, offsetof(struct class, shape.has_finalizer)), 0);
    asm_branch(s->a, COND_NOT_EQUAL, &s->slow);
    asm_alu_store_constant(s->a, ALU_TEST, W32, asm_at(REG_THREAD, offsetof(struct os_thread, attention)), WATCH_ANY);
    asm_branch(s->a, COND_NOT_EQUAL, &s->slow);
    asm_return(s->a);
}

/* So many slots of arguments end where the operands do. */
static void invoke_slowly(struct assembler *a, enum asm_reg slots, const uint8_t *invoke) {
    asm_address(a, METHOD, asm_indexed(ARGUMENTS, slots, 3, 0));
    asm_store(a, W64, asm_at(REG_FRAME, offsetof(struct frame, sp)), METHOD);
    asm_jump_to(a, invoke);
}

static void call_slowly(struct site *s, const uint8_t *invoke) {
    asm_bind(s->a, &s->slow);
    asm_shift_constant(s->a, SHIFT_RIGHT, W32, SITE, CALL_SITE_ARGUMENTS_SHIFT);
    invoke_slowly(s->a, SITE, invoke);
}

static void branch_if(struct assembler *a, uint8_t base, enum quick_form form, struct asm_label *to) {
    asm_alu_constant(a, ALU_CMP, W32, OPCODE, quick_opcode(base, form));
    asm_branch(a, COND_EQUAL, to);
}

void call_site_write(struct assembler *a, const uint8_t *invoke) {
    struct site s = {.a = a};
    struct asm_label interface = {0}, virtual = {0}, receiver = {0}, init = {0};
    load_opcode(a);
    load_cell(a);                        /* it comes before the opcode                                             */
    branch_if(a, OP_invokevirtual, FORM_TABLE, &virtual);
    branch_if(a, OP_invokeinterface, FORM_PLAIN, &interface);
    branch_if(a, OP_invokespecial, FORM_OBJECT_INIT, &init);
    branch_if(a, OP_invokestatic, FORM_DIRECT, &s.direct);
    branch_if(a, OP_invokespecial, FORM_DIRECT, &receiver);
    branch_if(a, OP_invokevirtual, FORM_DIRECT, &receiver);
    call_slowly(&s, invoke);
    asm_bind(a, &virtual);
    call_virtual(&s);
    asm_bind(a, &interface);
    call_interface(&s);
    asm_bind(a, &init);
    call_object_init(&s);
    asm_bind(a, &receiver);
    load_receiver(&s);
    asm_bind(a, &s.direct);
    call(a);
}

void call_interface_write(struct assembler *a, const uint8_t *invoke) {
    struct site s = {.a = a};
    call_interface(&s);
    asm_bind(a, &s.slow);
    asm_load(a, U8, SITE, asm_at(METHOD, offsetof(struct method, arg_slots)));
    invoke_slowly(a, SITE, invoke);
}

/* Of no receiver the method in the cell says how many arguments there are. */
void call_virtual_write(struct assembler *a, const uint8_t *invoke) {
    struct site s = {.a = a};
    load_receiver(&s);
    load_class_id(a, RECEIVER);
    load_vtable(a, RECEIVER);
    asm_load(a, U64, METHOD, asm_indexed(RECEIVER, METHOD, 0, 0));
    call(a);
    asm_bind(a, &s.slow);
    asm_load(a, U64, SITE, asm_at(REG_FRAME, offsetof(struct frame, pc)));
    asm_load(a, U16, SITE, asm_at(SITE, 1));
    load_cell(a);
    asm_load(a, U8, SITE, asm_at(METHOD, offsetof(struct method, arg_slots)));
    invoke_slowly(a, SITE, invoke);
}

/* ---- where code counts ------------------------------------------------------------------------------------------- */

static struct asm_mem of_site(size_t field) { return asm_at(SITE, (int32_t)field); }

/* One more call, if the receiver's class is `known`, or none is known and it becomes that; else `unknown` is next. */
static void count_if_known(struct assembler *a, enum asm_reg id, size_t known, size_t calls, struct asm_label *unknown,
                           struct asm_label *noted) {
    struct asm_label is_known = {0};
    asm_alu_load(a, ALU_CMP, W32, id, of_site(known));
    asm_branch_short(a, COND_EQUAL, &is_known);
    asm_alu_store_constant(a, ALU_CMP, W32, of_site(known), 0);
    asm_branch_short(a, COND_NOT_EQUAL, unknown);
    asm_store(a, W32, of_site(known), id);
    asm_bind(a, &is_known);
    asm_alu_store_constant(a, ALU_CMP, W32, of_site(calls), MOST_CALLS_COUNTED);
    asm_branch_short(a, COND_NOT_LESS, noted);
    asm_alu_store_constant(a, ALU_ADD, W32, of_site(calls), 1);
}

/* Threads that count at a time may lose a call. */
static void note_receiver(struct assembler *a, enum asm_reg id) {
    struct asm_label is_other = {0}, is_one_more = {0}, noted = {0};
    count_if_known(a, id, offsetof(struct receiver_site, first), offsetof(struct receiver_site, first_calls), &is_other,
                   &noted);
    asm_jump(a, &noted);
    asm_bind(a, &is_other);
    count_if_known(a, id, offsetof(struct receiver_site, other), offsetof(struct receiver_site, other_calls),
                   &is_one_more, &noted);
    asm_jump_short(a, &noted);
    asm_bind(a, &is_one_more);
    asm_alu_store_constant(a, ALU_CMP, W32, of_site(offsetof(struct receiver_site, more_calls)), MOST_CALLS_COUNTED);
    asm_branch_short(a, COND_NOT_LESS, &noted);
    asm_alu_store_constant(a, ALU_ADD, W32, of_site(offsetof(struct receiver_site, more_calls)), 1);
    asm_bind(a, &noted);
}

/* Of a null receiver; METHOD is what is named. */
static void invoke_named(struct site *s, const uint8_t *invoke) {
    asm_bind(s->a, &s->slow);
    asm_load(s->a, U8, SITE, asm_at(METHOD, offsetof(struct method, arg_slots)));
    invoke_slowly(s->a, SITE, invoke);
}

void call_noted_interface_write(struct assembler *a, const uint8_t *invoke) {
    struct site s = {.a = a};
    asm_load(a, U64, METHOD, of_site(offsetof(struct receiver_site, named)));
    load_receiver(&s);
    asm_load(a, U32, INDEX, asm_at(RECEIVER, offsetof(struct object, class_id)));
    note_receiver(a, INDEX);
    select_interface_write(a, METHOD, &(struct interface_registers){RECEIVER, INDEX, REG_SCRATCH}, &s.slow);
    call(a);
    invoke_named(&s, invoke);
}

void call_noted_virtual_write(struct assembler *a, const uint8_t *invoke) {
    struct site s = {.a = a};
    asm_load(a, U64, METHOD, of_site(offsetof(struct receiver_site, named)));
    load_receiver(&s);
    load_class_id(a, RECEIVER);
    note_receiver(a, RECEIVER);
    load_vtable(a, RECEIVER);
    asm_load(a, U32, METHOD, of_site(offsetof(struct receiver_site, vtable_offset)));
    asm_load(a, U64, METHOD, asm_indexed(RECEIVER, METHOD, 0, 0));
    call(a);
    invoke_named(&s, invoke);
}

/* What is named may not be known yet: the receiver's class is. */
void call_noted_site_write(struct assembler *a, const uint8_t *call_site) {
    struct asm_label not_noted = {0};
    asm_load(a, U64, RECEIVER, asm_at(ARGUMENTS, 0));
    asm_alu(a, ALU_TEST, W64, RECEIVER, RECEIVER);
    asm_branch(a, COND_EQUAL, &not_noted);
    load_class_id(a, RECEIVER);
    note_receiver(a, RECEIVER);
    asm_bind(a, &not_noted);
    asm_load(a, U32, SITE, of_site(offsetof(struct receiver_site, site)));
    asm_jump_to(a, call_site);
}

#endif
