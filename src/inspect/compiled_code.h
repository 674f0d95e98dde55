/* compiled_code.h: compiled code as tools are notified of it. */
#ifndef VITRINE_INSPECT_COMPILED_CODE_H
#define VITRINE_INSPECT_COMPILED_CODE_H

#include "jit/cache.h"
#include "thread/thread.h"

#include <jni.h>

/* From `offset` in the code on it is bci, up to the next place. */
struct code_place { uint32_t offset; int32_t bci; };

/* From `offset` on it is code of the methods frames[first] and what follows, `count` in all: the youngest is inlined in
 * the next, and so on up to the method itself, which comes last. */
struct code_stack { uint32_t offset, first, count; };
struct code_stack_frame { jmethodID method; int32_t bci; };

/* One piece of machine code. */
struct code_report {
    jmethodID method;                    /* what it is the compiled code of; NULL: of none                          */
    const char *name;                    /* where that is NULL                                                     */
    const uint8_t *begin;
    uint32_t length;                     /* bytes; no tables                                                       */
    struct code_place *places;           /* offsets ascend, two in a row differ in bci; malloc'd                    */
    uint32_t place_count;                /* 0: none, or no memory for them                                         */
    struct code_stack *stacks;           /* where other methods are inlined; offsets ascend; malloc'd               */
    uint32_t stack_count;                /* 0: none are, or no memory for them                                     */
    struct code_stack_frame *frames;     /* malloc'd                                                               */
};

/* Of a published blob; code_report_free ends it. The class of its method is there at least until the thread's next
 * safepoint. IN_VM. */
struct code_report code_report_of(const struct code_blob *b);
void code_report_free(struct code_report *r);
/* Of the blob that follows the one at *at, or the first, *at being NULL; *at moves on to it. False: there is none. */
bool code_report_next(const struct code_blob **at, struct code_report *out);
/* Keeps the class of the report's method by a local reference in a frame of its own; handle_frame_pop ends it. False:
 * no memory. IN_VM. */
bool code_report_hold(struct os_thread *self, const struct code_report *r) MUST_CHECK;

#endif
