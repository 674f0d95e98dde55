/* frame.h — the frame contract: what lies on a Java stack, for interpreter, compilers and everybody who looks.
 *
 * A Java stack grows upwards. Slots are 64 bits, numbered as in the class file; long and double use the first of their
 * two.
 *
 *      caller's operand stack ...
 *      +---------------------------+ <- frame_locals(f)    the arguments: still the caller's operand-stack top
 *      |  arguments, other locals  |
 *      +---------------------------+ <- struct frame
 *      |  frame record             |
 *      +---------------------------+ <- frame_stack(f)
 *      |  operand stack ...        | <- sp (first free slot)
 *
 * For a native method the record stands right behind the arguments; JNI handles of the arguments are the addresses of
 * those slots. frame->pc, frame->sp are current whenever another thread or a callee can look: at calls, polls,
 * allocation, throws. A signal handler on the thread itself may look at any instruction: from frame_first_at_signal on
 * it finds frames that are whole but for the youngest one's sp, and frame_bci_at_signal says where that one is.
 */
#ifndef VITRINE_EXEC_FRAME_H
#define VITRINE_EXEC_FRAME_H

#include "link/class.h"

enum frame_flag {
    FRAME_ENTRY = 1,                     /* called from C: an activation of the engine ends with it          */
    FRAME_NATIVE = 2,                    /* a native method's frame: no bytecode position                    */
    FRAME_POP_EVENT = 4,                 /* JVM TI NotifyFramePop: returning from it takes the slow path     */
    FRAME_HOLDS_LOCKS = 8,               /* entered a monitor: leaving it looks at the lock stack            */
    FRAME_COMPILED = 16,                 /* compiled code runs it: jit/run.c                                 */
    FRAME_LEAVES = 32,                   /* ... and is to leave it when what it calls returns                */
    FRAME_CALLER_LEAVES = 64,            /* its caller does: returning from it takes the slow path           */
    FRAME_EVENTS_SENT = 128,             /* those of the instruction at pc: the interpreter does it without  */
    FRAME_ANY = 0xff,                    /* one byte: what is looked at when the frame returns               */
    FRAME_INLINED = 256,                 /* FRAME_COMPILED, by code of its caller: no word on the C stack    */
    FRAME_EXITING = 512,                 /* it returns, and its exit is being told of                        */
    FRAME_IN_FOREIGN = 1024,             /* MethodHandle.linkToNative, which has no frame, is its callee     */
    FRAME_PLAIN = FRAME_ENTRY | FRAME_COMPILED | FRAME_INLINED   /* nothing to do but to return              */
};

struct frame {
    struct method_code *code;            /* version being executed                                           */
    struct frame *caller;                /* next older Java frame, across C activations; NULL: oldest        */
    const uint8_t *pc;                   /* current instruction, or the call in progress; NULL: native       */
    uint32_t flags;                      /* enum frame_flag                                                  */
    uint32_t call_length;                /* interpreted, while a callee runs: length of the calling instruction */
    uint64_t *sp;                        /* first free operand slot; during a call its arguments may lie above
                                          * or below: ask cursor_operands_end                                */
};

enum { FRAME_SLOTS = FRAME_RECORD_SLOTS };
_Static_assert(sizeof(struct frame) == FRAME_RECORD_SLOTS * sizeof(uint64_t), "link/ computes frame sizes with it");

static inline uint64_t *frame_stack(const struct frame *f) { return (uint64_t *)f + FRAME_SLOTS; }
/* Code without bytecode has its arguments as its only locals. */
static inline uint64_t *frame_locals(const struct frame *f) { return (uint64_t *)f - f->code->max_locals; }
/* What the frame takes of the C stack of compiled code: its return address, if it has one of its own. */
static inline uint32_t frame_words(const struct frame *f) { return f->flags & FRAME_INLINED ? 0 : 1; }
static inline struct method *frame_method(const struct frame *f) { return f->code->method; }
/* Bytecode index, -1 in native frames. */
static inline int32_t frame_bci(const struct frame *f) { return f->pc ? (int32_t)(f->pc - f->code->code) : -1; }
/* Where an event happens that f tells of itself: its bytecode index, in native frames 0, as HotSpot says it. */
static inline int64_t frame_location(const struct frame *f) {
    return f->flags & FRAME_NATIVE ? 0 : f->pc - f->code->code;
}

#endif
