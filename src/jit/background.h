/* background.h — the threads of the optimising compiler: the program goes on in the baseline compiler's code while they
 * compile.
 *
 * They are hidden Java threads without a java.lang.Thread; the first is started for the first request. What a worker
 * relies on:
 *
 *   - It is IN_VM while it compiles, and does not poll. So no class goes, no method is redefined, no breakpoint or
 *     watch comes between its look whether the request still holds (is_over) and the code's entry into the tables: a
 *     stop waits for the end of the compilation. Between two it polls.
 *   - The method's newest code is the same all that time: who counts in baseline code asks, and while a request is
 *     open asks for nothing (guesses.requested); no other code of the method exists that could be given up.
 *   - Names may be resolved, and instructions become quick, meanwhile; it sees what was there when it looked first
 *     (opcode_now).
 *   - The cache may get full, by another thread's compilation: then nothing is installed.
 *
 * All functions want the lock of compiled code unless something else is said. */
#ifndef VITRINE_JIT_BACKGROUND_H
#define VITRINE_JIT_BACKGROUND_H

#include "jit/compilation.h"

struct os_thread;

/* How many threads the options and the machine allow; 0: who asks compiles. Without the lock. */
uint32_t background_workers(void);
/* Does who asks for optimised code wait for it? What cannot have any gets code that does not count. */
bool waits_for_code(struct jit_state *j, const struct method_code *code);
/* Asks for optimised code in place of `running`. A method is asked for once: it counts on, but for nothing. True: the
 * caller is to start a worker (start_worker). */
bool request_code(struct jit_state *j, struct method_code *code, const struct code_blob *running);
/* IN_VM, may stop; without the lock. */
void start_worker(struct jit_state *j, struct os_thread *self);

/* World stopped: what was asked for the code, for a version of a class, for what the class's methods ran before they
 * were redefined, or at all, is not wanted any more. No memory is taken. */
void drop_requests_for(struct jit_state *j, const struct method_code *code);
void drop_requests_of_version(struct jit_state *j, const struct class_version *v);
void drop_requests_of_old(struct jit_state *j, const struct class *c);
void drop_all_requests(struct jit_state *j);

#endif
