/* exec.h — running Java: start-up of the room, stack walks for VM use, exceptions, native binding. */
#ifndef VITRINE_EXEC_EXEC_H
#define VITRINE_EXEC_EXEC_H

#include "exec/frame.h"
#include "link/link.h"
#include "link/resolve.h"

/* Sets vm->invoke, dispatch tables, frame root visiting. After threads, before any Java code. */
bool exec_create(void);
/* The part that needs the known classes: after link_create, before any Java code runs. */
bool exec_link(struct os_thread *self);
void exec_destroy(void);

/* ---- native methods ------------------------------------------------------------------------------------------------ */

/* Finds the function of a native method (jni/ registers it); NULL with UnsatisfiedLinkError pending. */
extern void *(*native_method_lookup)(struct os_thread *self, struct method *m);
/* Binds m to an intrinsic: a VM-implemented method with direct access to slots. Before or after linking. */
void method_set_intrinsic(struct method *m, intrinsic_function f);
/* Binds m (native) to a C function with JNI's calling convention; NULL unbinds. */
void method_set_native(struct method *m, void *function);

/* Registers an instance of a class with finalize() with java.lang.ref.Finalizer; false: exception pending. */
bool object_register_finalizer(struct os_thread *self, struct object *o);

/* ---- stack traces --------------------------------------------------------------------------------------------------- */

/* Line number of a bytecode position as HotSpot reports it: -1 unknown, -2 native method. */
int32_t method_line_number(const struct method_code *code, int32_t bci);
/* Source file name of the method's class, or NULL. */
struct symbol *method_source_file(const struct method_code *code);

/* Youngest Java frame of a thread that is stopped or current; then ->caller. */
static inline struct frame *thread_frames(struct java_thread *t) { return t->frame; }
/* The frame that Reflection.getCallerClass means, `depth` >= 0 callers up, skipping hidden and reflection frames. */
struct frame *frame_skip_hidden(struct frame *f);
/* Text of the helpful NullPointerException message for the throwing instruction, malloc'd; NULL when there is none. exec/npe_message.c */
char *npe_message(struct method_code *code, int32_t bci);

/* Where f, the calling thread's youngest frame, is executing when a signal interrupts it: by the machine's registers as `ucontext` (a
 * ucontext_t, or NULL) has them, or else where it last said so. Always an instruction of f->code; -1 for native frames. From a signal
 * handler, or anywhere else: no locks, no allocation. exec/signal_bci.c */
int32_t frame_bci_at_signal(const struct frame *f, const void *ucontext);

/* ---- stack maps: exec/stack_map.c ------------------------------------------------------------------------------------- */

/* Which locals and operand slots hold references at bci (before the instruction, or during the call it makes: `in_call` tells that
 * the arguments of the invoke at bci have been popped). Bits by slot: locals first, then operands. No allocation beyond what
 * stack_map_reserve provided. Returns the number of operand slots, or -1 if the position is unreachable. */
int stack_map_at(struct method_code *code, int32_t bci, bool in_call, uint64_t *bits, uint32_t bits_words);

/* ---- observation points for probe/ (set by it; NULL = nobody) ---------------------------------------------------------- */
/* Called in VM state with f the youngest frame, f->pc and f->sp current. They may stop, and leave a request for f behind
 * (java_thread.request), which is honoured before anything else happens in f. */
extern void (*exec_step_hook)(struct os_thread *self, struct frame *f);                       /* POLL_SINGLE_STEP: each instruction */
extern void (*exec_breakpoint_hook)(struct os_thread *self, struct frame *f);
/* self->exception is pending in f: at its origin and again in every frame that it reaches, native ones too. */
extern void (*exec_throw_hook)(struct os_thread *self, struct frame *f);
/* The exception has been caught: f stands at the handler with it as its only operand; f native: by JNI code (exception NULL). */
extern void (*exec_catch_hook)(struct os_thread *self, struct frame *f, struct object *exception);
extern void (*exec_method_entry_hook)(struct os_thread *self, struct frame *f);               /* WATCH_METHODS */
/* WATCH_METHODS or FRAME_POP_EVENT; *value is the result, where the method has one. */
extern void (*exec_method_exit_hook)(struct os_thread *self, struct frame *f, bool by_exception, uint64_t *value);
/* The frame goes without an event (PopFrame). */
extern void (*exec_frame_popped_hook)(struct os_thread *self, struct frame *f);
/* A watched field is about to be read, or written with *value (NULL: read). object NULL: static. */
extern void (*exec_field_hook)(struct os_thread *self, struct frame *f, struct field *field, struct object *object, const uint64_t *value);

/* Position of the handler of `exception` in code for the instruction at bci, or -1. May load classes; where
 * that fails, of what it throws, which is then dropped. */
int32_t handler_expected(struct os_thread *self, struct method_code *code, int32_t bci, struct object *exception);

/* ---- execution control: exec/patch.c, exec/request.c ------------------------------------------------------------------------ */

/* Is bci the start of an instruction of code? No locks, no allocation. */
bool code_is_location(const struct method_code *code, int64_t bci);
/* ... of m's current version? */
bool breakpoint_is_location(const struct method *m, int64_t bci);
/* Has this version of the method breakpoints? World stopped, or nothing may change meanwhile. */
bool code_has_breakpoints(const struct method_code *code);
/* Breakpoints count. World stopped; bci is an instruction. False: out of memory. */
bool breakpoint_set(struct method *m, int64_t bci);
void breakpoint_clear(struct method *m, int64_t bci);
/* Frees the records of a class that is unloaded, or all whose versions are gone; code bytes stay as they are. World stopped. */
void breakpoints_forget(struct class *c);
/* Sets FIELD_WATCH_* of a field. World stopped. */
void field_set_watch(struct field *f, uint8_t watch);

#endif
