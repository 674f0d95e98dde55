/* print_assembly.h — machine code as text: -XX:+PrintAssembly, -XX:CompileCommand=print and PrintAssembly.
 * libcapstone reads it, if that is installed. */
#ifndef VITRINE_JIT_PRINT_ASSEMBLY_H
#define VITRINE_JIT_PRINT_ASSEMBLY_H

#include "jit/cache.h"
#include "jit/compile_command.h"

/* libcapstone, once something is to be printed. */
struct disassembler {
    void *library;
    size_t handle;
    unsigned major;                      /* its version                                                            */
    bool tried;
};

/* Prints the published code of a method if the options ask for that. Where there is no libcapstone, one line says so.
 * The caller's lock. */
void assembly_print(struct disassembler *d, const struct compile_commands *c, const struct code_blob *b);
void disassembler_close(struct disassembler *d);

#endif
