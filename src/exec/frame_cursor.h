/* frame_cursor.h — the one way down a Java stack.
 *
 * A cursor stands at a frame of a thread that is stopped or current, the youngest first, and answers what everybody
 * asks of a frame, whichever engine runs it. Code, position and slots are asked of the cursor alone, never read from a
 * record. What a compiler has inlined into another method has a frame like others while anything else runs.
 *
 *      java_thread.frame
 *          |
 *          v
 *      +--------+  caller  +-------------+  caller  +-------------+  caller
 *      | native | -------> | interpreted | -------> | interpreted | -------> NULL
 *      +--------+          +-------------+          +-------------+
 *        callee                 frame                                  a cursor after one frame_next
 *
 * The cursor remembers the frame it comes from: that one decides where this one's operands end, since arguments are
 * the callee's. It stays good while neither of the two returns or is popped. A walk takes no lock and no memory.
 */
#ifndef VITRINE_EXEC_FRAME_CURSOR_H
#define VITRINE_EXEC_FRAME_CURSOR_H

#include "exec/frame.h"
#include "thread/thread.h"

enum frame_kind { FRAME_KIND_INTERPRETED, FRAME_KIND_COMPILED, FRAME_KIND_NATIVE, FRAME_KIND_INLINED };

/* Read by the functions below alone. */
struct frame_cursor {
    const struct java_thread *thread;
    struct frame *frame;                 /* NULL: behind the oldest                                        */
    struct frame *callee;                /* NULL: at the youngest                                          */
    struct frame *returns;               /* the nearest younger one that is not inlined: it returns to code
                                          * that runs `frame`; NULL: none                                  */
    const void *ucontext;                /* registers that a signal interrupted; NULL: records are current */
};

/* Where f, the calling thread's youngest frame, is executing when a signal interrupts it: by the machine's registers
 * as `ucontext` (a ucontext_t, or NULL) has them, or else where it last said so. Always an instruction of f->code; -1
 * for native frames. From a signal handler, or anywhere else: no locks, no allocation. exec/signal_bci.c */
int32_t frame_bci_at_signal(const struct frame *f, const void *ucontext);
/* Methods that f, compiled, has inlined where it is, and where they are: the youngest first. They have no frames there.
 * Returns how many. From a signal handler, too. exec/signal_bci.c */
enum { INLINED_POSITIONS = 32 };
struct inlined_position { struct method_code *code; int32_t bci; };
uint32_t frame_inlined_at_signal(const struct frame *f, const void *ucontext,
                                 struct inlined_position out[INLINED_POSITIONS]);

/* ---- moving ----------------------------------------------------------------------------------------------------- */

static inline struct frame_cursor frame_first(const struct java_thread *t) {
    return (struct frame_cursor){.thread = t, .frame = t->frame};
}

/* The calling thread's frames, from a handler that interrupted it anywhere: from the youngest on whose code is executed
 * there. cursor_in_place is asked first of each. exec/signal_bci.c */
struct frame_cursor frame_first_at_signal(const struct java_thread *self, const void *ucontext);

static inline bool cursor_valid(const struct frame_cursor *c) { return c->frame != NULL; }

/* To the caller, across activations of the engine. The cursor is valid. */
static inline void frame_next(struct frame_cursor *c) {
    c->callee = c->frame;
    if (!(c->frame->flags & FRAME_INLINED)) c->returns = c->frame;
    c->frame = c->frame->caller;
}

static inline bool cursor_is_youngest(const struct frame_cursor *c) { return c->callee == NULL; }

/* Whether the frame lies where it must: on the thread's Java stack, below the one it called. If not, it must not be
 * looked at. */
static inline bool cursor_in_place(const struct frame_cursor *c) {
    uintptr_t at = (uintptr_t)c->frame, low = (uintptr_t)c->thread->stack_low;
    uintptr_t high = c->callee != NULL ? (uintptr_t)c->callee : (uintptr_t)c->thread->stack_high;
    return at % sizeof(uint64_t) == 0 && at >= low && at + sizeof *c->frame <= high;
}

/* ---- what runs, and where --------------------------------------------------------------------------------------- */

static inline enum frame_kind cursor_kind(const struct frame_cursor *c) {
    uint32_t flags = c->frame->flags;
    return flags & FRAME_NATIVE     ? FRAME_KIND_NATIVE
           : flags & FRAME_INLINED  ? FRAME_KIND_INLINED
           : flags & FRAME_COMPILED ? FRAME_KIND_COMPILED
                                    : FRAME_KIND_INTERPRETED;
}
/* Machine code runs it, its own or that of what it is inlined in. */
static inline bool cursor_is_compiled(const struct frame_cursor *c) { return c->frame->flags & FRAME_COMPILED; }
static inline bool cursor_is_native(const struct frame_cursor *c) { return c->frame->flags & FRAME_NATIVE; }
/* The version that runs. */
static inline struct method_code *cursor_code(const struct frame_cursor *c) { return c->frame->code; }
static inline struct method *cursor_method(const struct frame_cursor *c) { return cursor_code(c)->method; }
/* Bytecode index: the call while a callee runs; -1 in native methods. */
static inline int32_t cursor_bci(const struct frame_cursor *c) {
    if (UNLIKELY(c->ucontext != NULL) && cursor_is_youngest(c)) return frame_bci_at_signal(c->frame, c->ucontext);
    return frame_bci(c->frame);
}
/* Of the youngest frame: C has called it, not its caller's bytecode. */
static inline bool cursor_called_from_c(const struct frame_cursor *c) {
    return c->frame->flags & FRAME_ENTRY && c->frame->caller == c->thread->c_caller;
}

/* ---- slots ------------------------------------------------------------------------------------------------------ */

/* Locals by slot number; of a native method the arguments. */
static inline uint64_t *cursor_locals(const struct frame_cursor *c) { return frame_locals(c->frame); }
static inline uint32_t cursor_local_count(const struct frame_cursor *c) { return cursor_code(c)->max_locals; }
/* Operands, oldest first, and where they end: the callee's arguments are no longer its caller's. Natives: none. */
static inline uint64_t *cursor_operands(const struct frame_cursor *c) { return frame_stack(c->frame); }
static inline uint64_t *cursor_operands_end(const struct frame_cursor *c) {
    if (cursor_is_native(c)) return cursor_operands(c);
    uint64_t *end = c->frame->sp, *arguments = c->callee != NULL ? frame_locals(c->callee) : end;
    return arguments < end ? arguments : end;
}
static inline uint32_t cursor_operand_count(const struct frame_cursor *c) {
    return (uint32_t)(cursor_operands_end(c) - cursor_operands(c));
}

/* Which slots hold references before the instruction: a bit for each local, then for each operand. `words` of bits are
 * stack_map_words(cursor_code(c)). Returns the number of operand slots by the map; -1: it cannot be had (unreachable,
 * no memory). Not for native methods. */
int cursor_map(const struct frame_cursor *c, uint64_t *bits, uint32_t words);
/* The same with what locals hold: all parts of exec/stack_map.h, in STACK_MAP_PARTS times as many words. Slow. */
int cursor_values(const struct frame_cursor *c, uint64_t *bits);

/* ---- identity --------------------------------------------------------------------------------------------------- */

/* What lock entries, frame-pop lists and requests name the frame by; NULL behind the oldest. It is compared, never
 * followed. */
static inline const struct frame *cursor_id(const struct frame_cursor *c) { return c->frame; }
static inline bool cursor_holds(const struct frame_cursor *c, const struct lock_entry *e) {
    return e->frame == cursor_id(c);
}

/* If compiled code runs the frame, it goes on in the interpreter when what it calls returns: its callee looks, and
 * where C has been called, C does. So do the frames that are inlined in it. World stopped. */
static inline void cursor_leave_compiled(const struct frame_cursor *c) {
    if (!(c->frame->flags & FRAME_COMPILED)) return;
    c->frame->flags |= FRAME_LEAVES;
    struct frame *youngest = c->returns != NULL ? c->returns->caller : c->thread->frame;
    youngest->flags |= FRAME_LEAVES;
    if (c->returns != NULL) c->returns->flags |= FRAME_CALLER_LEAVES;
}

static inline bool cursor_leaves_compiled(const struct frame_cursor *c) {
    return c->frame->flags & FRAME_COMPILED && c->frame->flags & FRAME_LEAVES;
}

/* The youngest frame is not at an instruction: a native method's, or bytecode that is in a foreign function. */
static inline bool cursor_runs_outside(const struct frame_cursor *c) {
    return c->frame->flags & (FRAME_NATIVE | FRAME_IN_FOREIGN);
}

/* It returns, and tools are being told so. */
static inline bool cursor_is_exiting(const struct frame_cursor *c) { return c->frame->flags & FRAME_EXITING; }

/* Leaving the frame is to be reported: FRAME_POP_EVENT. Code that has inlined it does not look: it leaves. Not for
 * native methods. */
static inline void cursor_report_pop(const struct frame_cursor *c) {
    c->frame->flags |= FRAME_POP_EVENT;
    if (c->frame->flags & FRAME_INLINED) cursor_leave_compiled(c);
}

#endif
