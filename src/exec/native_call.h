/* native_call.h — calling a C function with arguments known only at run time (System V x86-64; other machines through
 * libffi). */
#ifndef VITRINE_EXEC_NATIVE_CALL_H
#define VITRINE_EXEC_NATIVE_CALL_H

#include "link/class.h"

struct native_signature;

/* Calls fn(env, receiver_or_class, arguments...). `args` are the parameters' slots (behind the receiver's); references
 * become handles by their slot's address. The raw result: integers as the C ABI returns them, float and double by bits.
 * Thread: IN_NATIVE. */
typedef uint64_t native_caller(JNIEnv *env, jobject receiver, void *fn, const struct native_signature *s,
                               uint64_t *args);

/* What a raw result becomes. */
enum native_result {
    RESULT_MASKED,                       /* its lower bits: result_mask                                             */
    RESULT_REFERENCE,
    RESULT_NARROW                        /* boolean, byte, short: an int of the type's range                        */
};

/* Words and floating arguments that have a register of their own, behind env and receiver; words that some callers put
 * on the stack. */
enum { NATIVE_WORDS = 4, NATIVE_FLOATING = 8, NATIVE_STACKED = 2 };

/* How a native method's arguments travel; made once per method from its descriptor. */
struct native_signature {
    const void *_Atomic stub;            /* jit/: how compiled code makes the call; NULL: by method.enter           */
    native_caller *call;
    /* what `call` does once boolean, byte, char and short arguments are of their range */
    native_caller *call_narrowed;
    uint64_t result_mask;
    uint8_t result;                      /* enum native_result                                                      */
    bool returns_floating;
    uint8_t references;                  /* bit i: word i is a reference                                            */
    uint8_t word_slots[NATIVE_WORDS + NATIVE_STACKED]; /* where arguments lie in `args`; 0 where there is none       */
    uint8_t floating_slots[NATIVE_FLOATING];
    uint8_t count;                       /* Java parameters, receiver not counted                                   */
    char kinds[];                        /* one descriptor letter per parameter, L for arrays too                   */
};

struct foreign_registers;
/* Loads all argument registers, copies `words` from `stack`, calls fn, stores all result registers (x86-64;
 * foreign_call.h). Thread: IN_NATIVE. */
void native_call_registers(void *fn, struct foreign_registers *r, const uint64_t *stack, uint64_t words);

/* NULL: out of memory. Owned by the method. */
struct native_signature *native_signature_new(const struct method *m);

#endif
