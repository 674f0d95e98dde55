/* jit.h — compiled code. With -Xcomp every method with bytecode is compiled before it is first called, otherwise when
 * it is hot (exec/hotness.c), and once more, by the optimising compiler, when it goes on to be hot. */
#ifndef VITRINE_JIT_JIT_H
#define VITRINE_JIT_JIT_H

#include "exec/hooks.h"
#include "jit/cache.h"
#include "jit/code_queue.h"
#include "link/class.h"

/* Makes and destroys vm->jit, with memory for code and the stubs if anything is to be compiled. Before there are
 * methods. */
bool jit_create(void);
void jit_destroy(void);
/* What is to be compiled, by -XX:CompileCommand and the like. False: the VM does not start; why has been printed. */
bool jit_read_policy(void) MUST_CHECK;

/* Is anything compiled, by the options and by what the system allows? */
bool jit_is_used(void);
/* The same in java.vm.info's words. Signal handlers too. */
const char *jit_mode(void);
/* How long compilations took together. */
int64_t jit_compilation_nanos(void);

struct cache_figures {
    const uint8_t *begin;                /* NULL: there is none                                                    */
    size_t size, used, most_used;        /* bytes                                                                  */
    uint32_t blobs, methods;
    bool full;                           /* it was, so that nothing more is compiled                                */
};
struct cache_figures jit_cache_figures(void);
/* In use. Any thread, with any lock. */
size_t jit_code_bytes(void);
/* Unparks t, which stays, once as soon as so much is in use; SIZE_MAX: never. Replaces the wish before. */
void jit_watch_code(size_t bytes, struct java_thread *t);

/* exec_hooks.compile; what has been compiled already is found. NULL: why has been said. */
method_entry_function *jit_compile(struct method_code *code, method_entry_function *expected);

/* link_hooks. */
const void *jit_compiled_entry(enum method_entry entry);
/* exec_hooks. */
const void *jit_leaf_entry(void);
/* exec_hooks.run_compiled. jit/run.c */
enum resumption jit_run_compiled(struct os_thread *self, struct frame *frame, bool catches, uint64_t *result);

/* The thread has ended: what is kept for it here goes. jit/run.c */
void jit_thread_ends(struct os_thread *t);

/* exec_hooks.code_changed. */
void jit_code_changed(struct method_code *code);
/* Tools want to know of all allocations from now on, or not any more: code that leaves some out, or has to make those
 * that it could leave out, is made anew, and frames that run it leave. World stopped. */
void jit_watch_allocations(bool on);
/* JNI is about to assign a final field for the first time: code that takes it for a constant goes, and no other does
 * any more. IN_VM, may stop. */
void jit_final_assigned(struct os_thread *self, struct field *f);
/* The call site gets another target: code that takes the old one for a constant goes. IN_VM, may stop. */
void jit_set_target(struct os_thread *self, struct object *site, struct object *target);
/* Objects that are not live go: world stopped. */
void jit_clear_weak(bool (*is_live)(struct object *o));
/* exec_hooks.frame_is_in_register. */
bool jit_frame_is_in_register(const void *pc);
/* exec_hooks.compiled_bci. */
int32_t jit_bci_at(const struct os_thread *self, const struct method_code *running, const void *pc, const void *sp);

/* exec_hooks.inlined_at. */
uint32_t jit_inlined_at(const struct os_thread *self, const struct method_code *running, const void *pc, const void *sp,
                        struct inlined_position *out);

/* link_hooks; world stopped. The code of a class that goes is freed, and that of a version of a class that nobody runs
 * any more; after a redefinition methods are not entered by the code of the version before. */
void jit_class_unloads(struct class *c);
/* ... of the classes that have gone in this stop. */
void jit_class_ids_retired(void);
void jit_class_redefined(struct class *c);
void jit_version_unloads(struct class_version *v);

/* jcmd Compiler.queue. jit/background.c */
void jit_print_requests(FILE *out);

struct code_queue *jit_queue(void);
/* As code_cache_next; IN_VM: it stays until the next safepoint. */
const struct code_blob *jit_next_blob(const struct code_blob *b);
/* Whoever wanted to know has been notified that b is gone. */
void jit_give_back(const struct code_blob *b);

/* What compiled code or stub `pc` lies in; NULL: none. Signal handlers too; see code_cache_find. */
const struct code_blob *jit_blob_at(const void *pc);

#endif
