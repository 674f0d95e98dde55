/* disassemble.h — a method's code as it stands, and how much it has run: -XX:+PrintMethodData, jcmd
 * Compiler.method_data; in a debugger `call code_print(stderr, code)`. */
#ifndef VITRINE_EXEC_DISASSEMBLE_H
#define VITRINE_EXEC_DISASSEMBLE_H

#include <stdio.h>

#include "exec/exec.h"

/* The instructions of code, one a line, as they stand: specified or quick, "breakpoint" before one that has one, behind
 * it the constant-pool entry and what its cell holds. Thread: IN_VM, or the world is stopped; no safepoint. */
void code_print(FILE *out, const struct method_code *code);
/* The methods of a class (by external name; all of its loaders'), or one of them, with their counts; class_name NULL:
 * all that have run, most work first. False: none. Thread: IN_VM; a safepoint at the end. */
bool methods_print_data(struct os_thread *self, FILE *out, const char *class_name, const char *method_name);

#endif
