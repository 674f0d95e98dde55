/* compiled_code.h: compiled code as tools are notified of it. */
#ifndef VITRINE_INSPECT_COMPILED_CODE_H
#define VITRINE_INSPECT_COMPILED_CODE_H

#include "jit/cache.h"
#include "thread/thread.h"

#include <jni.h>

/* From `offset` in the code on it is bci, up to the next place. */
struct code_place { uint32_t offset; int32_t bci; };

/* One piece of machine code. */
struct code_report {
    jmethodID method;                    /* what it is the compiled code of; NULL: of none                          */
    const char *name;                    /* where that is NULL                                                     */
    const uint8_t *begin;
    uint32_t length;                     /* bytes; no tables                                                       */
    struct code_place *places;           /* offsets ascend, two in a row differ in bci; malloc'd                    */
    uint32_t place_count;                /* 0: none, or no memory for them                                         */
};

/* Of a published blob; its places are the caller's to free. The class of its method is there at least until the
 * thread's next safepoint. IN_VM. */
struct code_report code_report_of(const struct code_blob *b);
/* Of the blob that follows the one at *at, or the first, *at being NULL; *at moves on to it. False: there is none. */
bool code_report_next(const struct code_blob **at, struct code_report *out);
/* Keeps the class of the report's method by a local reference in a frame of its own; handle_frame_pop ends it. False:
 * no memory. IN_VM. */
bool code_report_hold(struct os_thread *self, const struct code_report *r) MUST_CHECK;

#endif
