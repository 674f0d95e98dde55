/* compiler_command.h — what jcmd's Compiler.* commands answer about compiled code, and the map for Linux perf. */
#ifndef VITRINE_JDK_COMPILER_COMMAND_H
#define VITRINE_JDK_COMPILER_COMMAND_H

#include <stdio.h>

#include "base/base.h"

/* All: IN_VM, no safepoint. */

/* "<id> <level> <state> <method> [<begin>, <code begins> - <code ends>]" for each compiled method. */
void code_list_print(FILE *out);
void code_cache_print(FILE *out);
void compile_queue_print(FILE *out);

/* Where perf looks for what a process has compiled; %p is its id. */
#define PERF_MAP_PATH "/tmp/perf-%p.map"
/* Writes "<begin> <size> <name>" for each method and stub, in hexadecimal. NULL, or why not: malloc'd. */
char *perf_map_write(const char *path) MUST_CHECK;
/* -XX:+DumpPerfMapAtExit. */
void perf_map_at_exit(void);

#endif
