/* method_handles.c — see method_handles.h. The offsets of the library's fields are not known when stubs are made. */
#include "jit/method_handles.h"

#include "heap/object.h"
#include "jit/call_sites.h"
#include "link/class.h"
#include "link/known.h"
#include "link/link.h"
#include "vm/vm.h"

#ifdef ASM_MACHINE

static const enum asm_reg METHOD = REG_RESULT, ARGUMENTS = REG_COUNT, TARGET = REG_SCRATCH, RECEIVER = REG_C0,
                          MEMBER = REG_C1, OFFSET = REG_C2, OFFSETS = REG_KEPT;

enum { REF_SHIFT = 3 };                  /* of ref_t                                                               */

struct finder {
    struct assembler *a;
    struct asm_label slow;
};

static void load_offset(struct finder *f, enum known_field field) {
    asm_load(f->a, U32, OFFSET, asm_at(OFFSETS, (int32_t)(field * sizeof(uint32_t))));
}

static void slow_if_zero(struct finder *f, enum asm_reg r) {
    asm_alu(f->a, ALU_TEST, W64, r, r);
    asm_branch(f->a, COND_EQUAL, &f->slow);
}

/* The field of the object in `r` to r; not null. */
static void follow(struct finder *f, enum asm_reg r, enum known_field field) {
    load_offset(f, field);
    asm_load(f->a, U32, r, asm_indexed(r, OFFSET, 0, 0));
    slow_if_zero(f, r);
    asm_shift_constant(f->a, SHIFT_LEFT, W64, r, REF_SHIFT);
}

static struct finder begin(struct assembler *a) {
    asm_constant(a, OFFSETS, (uintptr_t)&vm);
    asm_load(a, U64, OFFSETS, asm_at(OFFSETS, 0));
    asm_load(a, U64, OFFSETS, asm_at(OFFSETS, offsetof(struct vm, link)));
    asm_address(a, OFFSETS, asm_at(OFFSETS, offsetof(struct link_state, offsets)));
    return (struct finder){.a = a};
}

/* member_name_target of the MemberName in `member`, which is lost. */
static void find_target(struct finder *f, enum asm_reg member) {
    follow(f, member, KF_MemberName_method);
    load_offset(f, KF_ResolvedMethodName_vmtarget);
    asm_load(f->a, U64, TARGET, asm_indexed(member, OFFSET, 0, 0));
    slow_if_zero(f, TARGET);
}

/* The MemberName is the last argument, and none of the target's. */
static void load_member(struct finder *f) {
    asm_load(f->a, U8, MEMBER, asm_at(METHOD, offsetof(struct method, arg_slots)));
    asm_load(f->a, U64, MEMBER, asm_indexed(ARGUMENTS, MEMBER, 3, -8));
    slow_if_zero(f, MEMBER);
}

static void load_receiver(struct finder *f) {
    asm_load(f->a, U64, RECEIVER, asm_at(ARGUMENTS, 0));
    slow_if_zero(f, RECEIVER);
}

static void finish(struct finder *f, const uint8_t *call) {
    asm_move(f->a, W64, METHOD, TARGET);
    asm_jump_load(f->a, asm_at(METHOD, offsetof(struct method, compiled_entry)));
    asm_bind(f->a, &f->slow);
    asm_jump_to(f->a, call);
}

void invoke_basic_write(struct assembler *a, const uint8_t *call) {
    struct finder f = begin(a);
    load_receiver(&f);
    follow(&f, RECEIVER, KF_MethodHandle_form);
    follow(&f, RECEIVER, KF_LambdaForm_vmentry);
    find_target(&f, RECEIVER);
    finish(&f, call);
}

void link_to_static_write(struct assembler *a, const uint8_t *call) {
    struct finder f = begin(a);
    load_member(&f);
    find_target(&f, MEMBER);
    finish(&f, call);
}

void link_to_special_write(struct assembler *a, const uint8_t *call) {
    struct finder f = begin(a);
    load_receiver(&f);
    load_member(&f);
    find_target(&f, MEMBER);
    finish(&f, call);
}

/* The cache has no method of a class. */
void link_to_interface_write(struct assembler *a, const uint8_t *call) {
    struct finder f = begin(a);
    load_receiver(&f);
    load_member(&f);
    find_target(&f, MEMBER);
    select_interface_write(a, TARGET, &(struct interface_registers){RECEIVER, MEMBER, OFFSET}, &f.slow);
    finish(&f, call);
}

/* A target without a place in the vtable is what is called. */
void link_to_virtual_write(struct assembler *a, const uint8_t *call) {
    const enum asm_reg class = RECEIVER, length = OFFSET, index = MEMBER;
    struct finder f = begin(a);
    struct asm_label found = {0};
    load_receiver(&f);
    load_member(&f);
    find_target(&f, MEMBER);
    load_member(&f);
    load_offset(&f, KF_MemberName_vmindex);
    asm_load(a, U64, index, asm_indexed(MEMBER, OFFSET, 0, 0));
    asm_load(a, U32, class, asm_at(RECEIVER, offsetof(struct object, class_id)));
    asm_load(a, U64, class, asm_indexed(REG_SHAPES, class, 3, 0));
    asm_load(a, U32, length, asm_at(class, offsetof(struct class, vtable_length)));
    asm_alu(a, ALU_CMP, W64, index, length);
    asm_branch_short(a, COND_NOT_BELOW, &found);
    asm_load(a, U64, class, asm_at(class, offsetof(struct class, vtable)));
    asm_load(a, U64, TARGET, asm_indexed(class, index, 3, 0));
    asm_bind(a, &found);
    finish(&f, call);
}

#endif
