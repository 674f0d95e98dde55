/* policy.h — which methods are compiled. */
#ifndef VITRINE_JIT_POLICY_H
#define VITRINE_JIT_POLICY_H

#include "jit/compile_command.h"

struct policy {
    struct compile_commands commands;
    struct ptr_table excluded;           /* struct method_code that has been asked for, and was said to be excluded */
};

/* What the options say. False: the VM does not start; why has been printed. */
bool policy_create(struct policy *p) MUST_CHECK;
void policy_destroy(struct policy *p);

/* Is code to be compiled at all, by -XX:CompileCommand=exclude and compileonly? The first time that it is not, that is
 * printed. The caller's lock. */
bool policy_allows(struct policy *p, const struct method_code *code);
/* The code goes. */
void policy_forgets(struct policy *p, const struct method_code *code);

#endif
