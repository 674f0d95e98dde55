/* native_call.h — calling a C function with arguments known only at run time (System V x86-64; other machines through libffi). */
#ifndef VITRINE_EXEC_NATIVE_CALL_H
#define VITRINE_EXEC_NATIVE_CALL_H

#include "exec/exec_internal.h"

/* How a native method's arguments travel; made once per method from its descriptor. */
struct native_signature {
    uint16_t count;                      /* Java parameters, receiver not counted                          */
    uint16_t stack_words;                /* arguments that do not fit in registers                          */
    bool is_floating;                    /* float or double among the parameters, or the result             */
    char kinds[];                        /* one descriptor letter per parameter: I (all int-likes), J, F, D, L */
};

/* NULL: out of memory. Owned by the method. */
struct native_signature *native_signature_new(const struct method *m);

/* Calls fn(env, receiver_or_class, arguments...). `args` are the parameters' slots (behind the receiver's); references become handles by
 * their slot's address. The raw result: integers as the C ABI returns them, float and double by bits. Thread: IN_NATIVE. */
uint64_t native_call(void *fn, JNIEnv *env, jobject receiver, const struct native_signature *s, uint64_t *args, enum basic_type result);

#endif
