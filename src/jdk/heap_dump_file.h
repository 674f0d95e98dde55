/* heap_dump_file.h — heap dumps into files: for jmap and jcmd, HotSpotDiagnosticMXBean and
 * -XX:+HeapDumpOnOutOfMemoryError. */
#ifndef VITRINE_JDK_HEAP_DUMP_FILE_H
#define VITRINE_JDK_HEAP_DUMP_FILE_H

#include <stdbool.h>

#include "thread/thread.h"

enum { HEAP_DUMP_GZIP_MAX = 9 };    /* levels: 0 not compressed, 1 ... 9 */

struct heap_dump_request {
    const char *path;    /* as it is to be opened */
    bool live;    /* collect first */
    bool overwrite;    /* a file that is there is written over; else it is an error */
    int gzip_level;
    const struct java_thread *dying;    /* see inspect/heap_dump.h */
    /* NULL, or where the progress goes: "Dumping heap to ...", and how it ended; whole lines */
    void (*say)(void *arg, const char *line);
    void *arg;
};

/* Answers NULL: the dump is there; else why not (mem_free). Thread: IN_VM; may reach a safepoint. */
char *heap_dump_to_file(struct os_thread *self, const struct heap_dump_request *request);
/* What HeapDumpOnOutOfMemoryError asks for: HeapDumpPath, HeapDumpGzipLevel; reports on standard output.
 * Thread: IN_VM. */
void heap_dump_out_of_memory(struct os_thread *self, const char *message);

#endif
