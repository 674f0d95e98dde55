/* stub_parts.h — what stubs are made of that call C. While C runs a way_on (jit/run.h) lies on top of the C stack,
 * which says where compiled code goes on. stubs.c */
#ifndef VITRINE_JIT_STUB_PARTS_H
#define VITRINE_JIT_STUB_PARTS_H

#include "jit/asm.h"
#include "jit/run.h"

/* REG_JAVA, wherever C has run: what is mounted may be another thread. */
void load_java(struct assembler *a);
/* C finds the youngest frame in java_thread.frame, compiled code in REG_FRAME. A stub that lies between does this first
 * of all: jit_frame_is_in_register. */
void store_youngest(struct assembler *a);
void load_youngest(struct assembler *a);
/* A member of the way_on on top. */
static inline struct asm_mem way(size_t offset) { return asm_at(REG_STACK, (int32_t)offset); }
enum { ROOM_OF_WAY = 32 };
_Static_assert(sizeof(struct native_way_on) <= ROOM_OF_WAY, "");
/* A way_on lies on top of the stack, which is aligned, over so many bytes that the stub has put there. What C saves
 * below holds no object of compiled code. */
void make_way(struct assembler *a, size_t bytes);
/* A function of run.c, whose last argument, the way_on, is `on`; the others are in place. */
void call_c(struct assembler *a, uintptr_t function, enum asm_reg on);
/* The stack is as it was where the stub was called. */
void back_from_c(struct assembler *a);
/* Where run.c says. */
void go_on_there(struct assembler *a);
/* What run.c answers: nonzero, and the value is returned, if there is one; or the way on. */
void return_from_c(struct assembler *a);
/* A C function that neither stops nor throws gives REG_RESULT; `pass` sets its arguments, once all registers are saved.
 * They are as before then, but for REG_RESULT, REG_COUNT and REG_SCRATCH; so are floating-point ones, unless they are
 * free. The stub has been called by compiled code, whose return address is on top, with the youngest frame in
 * REG_FRAME. */
void ask_leaf(struct assembler *a, uintptr_t function, void (*pass)(struct assembler *a), bool floats_are_free);
/* As thread_c_stack_is_used_up. Changes REG_SCRATCH, REG_C0 and REG_C1. */
void branch_if_used_up(struct assembler *a, struct asm_label *to);

#endif
