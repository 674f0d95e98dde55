/* jit.h — compiled code. What there is of it so far only goes back to the interpreter: with -Xcomp every method with
 * bytecode is entered through the code cache, and otherwise there is none. */
#ifndef VITRINE_JIT_JIT_H
#define VITRINE_JIT_JIT_H

#include "jit/cache.h"
#include "link/class.h"

/* Makes and destroys vm->jit. Memory for code is taken, and the stubs are made, by the first compilation. */
bool jit_create(void);
void jit_destroy(void);

/* exec_hooks: compiles this version of a method, or finds its code, and answers what method.enter is then. NULL: it is
 * interpreted; why has been said. Thread: IN_VM; no safepoint. */
method_entry_function *jit_compile(struct method_code *code);

/* link_hooks; world stopped. The code of a class that goes is freed, and that of a version of a class that nobody runs
 * any more; after a redefinition methods are not entered by the code of the version before. */
void jit_class_unloads(struct class *c);
void jit_class_redefined(struct class *c);
void jit_version_unloads(struct class_version *v);

/* What compiled code or stub `pc` lies in; NULL: none. Signal handlers too; see code_cache_find. */
const struct code_blob *jit_blob_at(const void *pc);

#endif
