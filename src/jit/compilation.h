/* compilation.h — the state of compiled code, and one compilation of it, for those who ask for one: compiled.c, in the
 * thread that runs the method, and background.c. All functions want the lock of compiled code. */
#ifndef VITRINE_JIT_COMPILATION_H
#define VITRINE_JIT_COMPILATION_H

#include "base/lock.h"
#include "base/table.h"
#include "jit/baseline/baseline.h"
#include "jit/compile_queue.h"
#include "jit/jit.h"
#include "jit/left.h"
#include "jit/receivers.h"
#include "jit/site_targets.h"
#include "jit/optimising/optimising.h"
#include "jit/perf_dump.h"
#include "jit/policy.h"
#include "jit/print_assembly.h"
#include "jit/unwind_table.h"

struct jit_state {
    struct lock lock;                    /* all below                                                              */
    _Atomic bool has_cache;              /* set once; read by signal handlers                                      */
    bool stopped;                        /* no more compilations: no memory for code, or no more of it              */
    struct code_cache cache;
    struct stubs stubs;
    struct compiler *compiler;
    const uint8_t *entries[ENTRY_LIMIT]; /* method.compiled_entry by method.entry; NULL without stubs               */
    struct unwind_table *unwind;
    struct ptr_table blobs;              /* by struct method_code: the newest                                       */
    VEC(const struct code_blob *) superseded;    /* by other code of the same method; frames may run it, and go on   */
    VEC(const struct code_blob *) retired;       /* older ones, which frames may still run; room for all the others  */
    size_t kept;                         /* of them, when it was looked last which do                                */
    VEC(const struct code_blob *) inliners;      /* what has inlined methods, but for retired ones                   */
    struct ptr_table guesses;            /* by struct method_code: struct guesses, of those that were optimised      */
    struct left_places left;             /* of optimised code                                                      */
    struct site_targets sites;           /* of optimised code                                                      */
    struct receiver_tables receivers;    /* of baseline code that counts                                           */
    struct policy policy;
    struct perf_dump dump;
    struct disassembler disassembler;
    uint32_t last_id;                    /* of a compilation                                                       */
    _Atomic int64_t nanos;               /* that compilations took                                                 */
    atomic_bool allocations_watched;     /* changes with the world stopped                                         */
    bool used;                           /* something may be compiled; set once                                    */
    _Atomic bool natives_full;           /* there is no room for more native stubs                                 */
    _Atomic size_t watched;              /* bytes in use that wake `watcher`, once                                 */
    struct java_thread *_Atomic watcher;
    struct code_queue queue;             /* with a lock of its own                                                 */
    struct compile_queue requests;       /* for the optimising compiler's threads; without any, who asks compiles    */
};

/* How optimised code of a method does, and when it is to have some. Lives as long as the method's version: code that
 * may run counts in it. */
struct guesses {
    int32_t until_optimised;             /* what calls and turns of loops spend. Plain: what races lose comes later  */
    uint32_t left;                       /* how often its code may yet leave where it was taken not to               */
    uint32_t wrong;                      /* how often code was given up for that                                    */
    uint32_t learnt;                     /* ... and not, since it will not leave there again (left.h)               */
    bool learns;                         /* its code has left often at a place where the next will not             */
    bool enters_all;                     /* its code had no entry at a handler that frames have come to              */
    bool declined;                       /* it is not optimised any more                                           */
    bool has_events;                     /* its code left too often for breakpoints and watched fields, and is not
                                          * to, until one of them comes or goes                                    */
    bool is_asked;                       /* its code left too often for what a tool asked of its frames              */
    bool was_optimised;                  /* its optimised code has been taken away, and it has none since          */
    bool requested;                      /* a compile_request of the method waits, or is a worker's                  */
};
enum { GUESSES = 16, MOST_WRONG = 3, MOST_LEARNT = 8 };

/* What is compiled, and what came of it. */
struct compilation {
    struct method_code *code;
    uint32_t level, id;
    bool waits;                          /* who asked does, for the code                                           */
    const char *why_not;
    struct baseline_code made;
    struct inlining_report report;
    int64_t nanos;
};

/* What is known of the optimised code of a method; NULL: no memory. */
struct guesses *guesses_of(struct jit_state *j, const struct method_code *code);
/* Is the method to be the optimising compiler's? Its last compilation has not shown that it is not. */
bool may_be_optimised(struct jit_state *j, const struct method_code *code);
/* Is it called so often that it pays to inline its calls, too? */
bool is_hot(const struct method_code *code);
/* Does optimised code not do there what it guesses elsewhere? */
bool has_left_often(const struct method_code *code, uint32_t bci);
struct receivers_seen receivers_at(const struct method_code *code, uint32_t bci);
struct object *target_of_site(struct object *site);
/* How the optimising compiler is to compile it, by what is known of its code. is_seen: tools watch methods, or those of
 * the library, in the thread that asks. k stays where it is. */
struct optimising_options options_of(struct jit_state *j, struct guesses *g, struct compilation *k, bool is_seen,
                                     struct lookups lookups);
/* Installs what has been made. NULL: nothing has, or there is no room. */
const struct code_blob *end_compilation(struct jit_state *j, struct compilation *k);
/* b has been made: who wants to know is notified. Without the lock. */
void code_made(struct jit_state *j, const struct code_blob *b);
/* In the calling thread; NULL as there. */
const struct code_blob *compile_here(struct jit_state *j, struct method_code *code, uint32_t level);
/* What tools watch in this thread, of methods or those of the library. */
uint32_t watched_here(void);
/* What calls and turns of loops spend until code is asked for once more that has not been made. */
int32_t budget_again(void);

#endif
