/* callee.h — the method that a call runs, as far as that can be said while it is compiled. */
#ifndef VITRINE_JIT_OPTIMISING_CALLEE_H
#define VITRINE_JIT_OPTIMISING_CALLEE_H

#include "jit/optimising/ir.h"

struct callee {
    struct method *method;               /* NULL: it is not known which                                            */
    bool guarded;                        /* the receiver's class may have another                                  */
    struct class *receiver;              /* ... if it is not this one                                              */
    bool calls_others;                   /* ... and then it is called                                              */
    struct class *interface;             /* a private method's, which the receiver may lack: then nothing is called  */
    enum passing passing;
    bool of_handle;                      /* the first argument is a method handle: where it is null nothing is called */
    const struct object *appendix;
};

/* Of the invocation at bci in the current scope. Method handles that are known are followed (known.h). */
struct callee callee_at(struct ir *g, uint32_t bci);
/* Is it the code of a method handle's form, which costs nobody's budget? */
bool is_lambda_form(const struct method_code *code);

#endif
