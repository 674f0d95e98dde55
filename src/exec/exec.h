/* exec.h — running Java: start-up of the room, stack walks for VM use, exceptions, native binding. */
#ifndef VITRINE_EXEC_EXEC_H
#define VITRINE_EXEC_EXEC_H

#include "exec/frame_cursor.h"
#include "link/link.h"
#include "link/resolve.h"

/* Makes vm->exec and the dispatch tables. After threads, before any Java code. */
bool exec_create(void);
/* The part that needs the known classes: after link_create, before any Java code runs. */
bool exec_link(struct os_thread *self);
void exec_destroy(void);

/* thread_hooks: reports the references in the frames of a stopped thread, and the holders of their methods
 * (frame_roots.c); frees the caches of an ending thread. */
void exec_visit_frames(struct heap_visitor *v, struct java_thread *t);
void exec_thread_ends(struct os_thread *t);
/* link_hooks. */
bool exec_invoke(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result);
method_entry_function *exec_entry(enum method_entry entry);
void exec_class_unloads(struct class *c);
void exec_class_ids_retired(void);
void exec_methods_deleted(struct class *c);
bool exec_version_is_running(const struct class_version *v);
void exec_version_unloads(struct class_version *v);

/* method.enter of methods with bytecode that is interpreted, while their calls are counted. exec/hotness.c */
struct method *entry_counted(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);
/* ... and of those that are to be compiled when they are called next: all of them with -Xcomp, and what had compiled
 * code that had to go. exec/hotness.c */
struct method *entry_compiling(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);
/* What method.enter of compiled methods is. Once, before any is. exec/hotness.c */
void exec_set_entry_of_compiled(method_entry_function *enter);

/* ---- native methods ---------------------------------------------------------------------------------------------- */

/* Binds m to an intrinsic: a VM-implemented method with direct access to slots. Before or after linking. */
void method_set_intrinsic(struct method *m, intrinsic_function f);
/* Do -XX:DisableIntrinsic and -XX:ControlIntrinsic name what there is in `library`? Otherwise says so on stderr. Before
 * there is a VM. */
bool intrinsics_check_options(const struct vm_options *o, int library);
/* Binds the rows of exec/intrinsic.def for c, a class of the boot loader that nobody else knows yet. */
void intrinsics_bind(struct class *c);
/* The name of the function that stands in for m, without "intrinsic_"; NULL: none does. */
const char *intrinsic_of(const struct method *m);
/* POLL_LIBRARY. World stopped. */
void intrinsics_mark_threads(void);
void intrinsics_class_redefined(struct class *c);
/* m, a native method, is bound to a function of somebody else: no intrinsic stands for that. */
void intrinsic_forget(struct method *m);
/* Binds m (native) to a C function with JNI's calling convention; NULL unbinds. is_ours: it is the VM's, so that an
 * intrinsic goes on standing for it. */
void method_set_native(struct method *m, void *function, bool is_ours);

/* Registers an instance of a class with finalize() with java.lang.ref.Finalizer; false: exception pending. */
bool object_register_finalizer(struct os_thread *self, struct object *o);

/* AbstractMethodError for a call of an interface's method `resolved` that selects `selected`, an abstract one, on
 * instances of `receiver`. exec/unenterable.c */
void throw_unimplemented_interface(struct os_thread *self, struct class *receiver, const struct method *resolved,
                                   const struct method *selected);

/* ---- stack traces ------------------------------------------------------------------------------------------------ */

/* Line number of a bytecode position as HotSpot reports it: -1 unknown, -2 native method. */
int32_t method_line_number(const struct method_code *code, int32_t bci);
/* Source file name of the method's class, or NULL. */
struct symbol *method_source_file(const struct method_code *code);

/* Text of the helpful NullPointerException message for the throwing instruction, malloc'd; NULL when there is none.
 * exec/npe_message.c */
char *npe_message(struct method_code *code, int32_t bci);

/* ---- stack maps: exec/stack_map.c -------------------------------------------------------------------------------- */

/* Which locals and operand slots hold references at bci (before the instruction, or during the call it makes: `in_call`
 * tells that the arguments of the invoke at bci have been popped). Bits by slot: locals first, then operands. Takes
 * memory only for a method without a usable StackMapTable, once. Returns the number of operand slots, or -1: the
 * position is unreachable, or memory is short. */
int stack_map_at(struct method_code *code, int32_t bci, bool in_call, uint64_t *bits, uint32_t bits_words);

/* Position of the handler of *exception in code for the instruction at bci, or -1. Safepoint: may load classes; where
 * that fails, what it throws takes the place of *exception. Leaves the pending exception. */
int32_t handler_expected(struct os_thread *self, struct method_code *code, int32_t bci, struct object **exception);

/* ---- execution control: exec/patch.c, exec/unwind.c -------------------------------------------------------------- */

/* Is bci the start of an instruction of code? No locks, no allocation. */
bool code_is_location(const struct method_code *code, int64_t bci);
/* ... of m's current version? */
bool breakpoint_is_location(const struct method *m, int64_t bci);
/* Has this version of the method, has any version of the class, breakpoints? World stopped, or nothing may change
 * meanwhile. */
bool code_has_breakpoints(const struct method_code *code);
bool class_has_breakpoints(const struct class *c);
/* In m's current version and in the older ones that are the same code. Breakpoints count. World stopped; bci is an
 * instruction. False: out of memory. */
bool breakpoint_set(struct method *m, int64_t bci);
void breakpoint_clear(struct method *m, int64_t bci);
/* Frees the records of a class that is unloaded, or all whose versions are gone; code bytes stay as they are. World
 * stopped. */
void breakpoints_forget(struct class *c);
/* Sets FIELD_WATCH_* of a field. World stopped. */
void field_set_watch(struct field *f, uint8_t watch);

#endif
