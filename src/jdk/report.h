/* report.h — what the report of a fatal error is written with. All of it may run in a signal handler of a broken
 * process: no locks, no allocation, output by write(2). */
#ifndef VITRINE_JDK_REPORT_H
#define VITRINE_JDK_REPORT_H

#include <stddef.h>

#include "base/base.h"

struct out {
    int fd;
    size_t used;
    char buffer[1024];
};

void out_flush(struct out *o);
/* A line longer than the buffer is cut. */
void put(struct out *o, const char *format, ...) PRINTF_LIKE(2, 3);
/* Of any length. */
void put_text(struct out *o, const char *text);
/* The whole of a file, nothing if it cannot be read. Answers how many lines it has. */
unsigned put_file(struct out *o, const char *path);

/* The code cache in the words of jcmd Compiler.codecache (jdk/compiler_command.c). */
enum { CODE_CACHE_DESCRIPTION = 512 };
struct cache_figures;
void code_cache_describe(const struct cache_figures *f, char text[static CODE_CACHE_DESCRIPTION]);

/* Sections: the file `release` of the JDK, environment and locale; and the machine, up to the end of the report. */
void report_environment(struct out *o);
void report_system(struct out *o);

#endif
