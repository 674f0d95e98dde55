/* heap_dump_file.c — heap dumps into files, with HotSpot's messages. */
#include "jdk/heap_dump_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/options.h"
#include "base/os.h"
#include "hprof/stream.h"
#include "inspect/heap_dump.h"
#include "jdk/error_command.h"
#include "jdk/jvm.h"

static void say(const struct heap_dump_request *r, char *line) {
    if (r->say != NULL && line != NULL) r->say(r->arg, line);
    mem_free(line);
}

/* NULL, and the reason in *error (of errno). */
static struct output *open_output(struct os_thread *self, const struct heap_dump_request *r, int *error) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    thread_block_begin(self);            /* it may be a pipe */
    int fd = open(r->path, O_RDWR | O_CREAT | O_CLOEXEC | (r->overwrite ? O_TRUNC : O_EXCL), S_IRUSR | S_IWUSR);
    *error = errno;
    thread_block_end(self);
    if (fd < 0) return NULL;
    struct output *out = output_new(&(struct output_form){.fd = fd, .gzip_level = r->gzip_level});
    *error = ENOMEM;
    return out;
}

char *heap_dump_to_file(struct os_thread *self, const struct heap_dump_request *r) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int error;
    uint64_t size = 0;
    say(r, mem_printf("Dumping heap to %s ...\n", r->path));
    struct output *out = open_output(self, r, &error);
    if (out == NULL) {
        say(r, mem_printf("Unable to create %s: %s\n", r->path, strerror(error)));
        return mem_strdup(strerror(error));
    }
    int64_t began = os_nanotime();
    if (r->live) heap_collect(self, "Heap Dump Initiated GC", false);
    bool whole = heap_dump_write(self, out, r->dying);
    error = output_finish(out, &size);
    if (error == 0 && !whole) error = ENOMEM;
    if (error != 0) {
        say(r, mem_printf("Dump file is incomplete: %s\n", strerror(error)));
        return mem_strdup(strerror(error));
    }
    say(r, mem_printf("Heap dump file created [%" PRIu64 " bytes in %3.3f secs]\n", size,
                      (double)(os_nanotime() - began) / 1e9));
    return NULL;
}

/* ---- OutOfMemoryError -------------------------------------------------------------------------------------------- */

static void print_line(void *self, const char *line) {
    thread_to_native(self);              /* standard output may be a slow pipe */
    vm_print(false, "%s", line);
    fflush(stdout);
    thread_from_native(self);
}

/* HeapDumpPath as it stands, or a name of our own in the directory that it names, or in the present one. malloc'd. */
static char *path_of_flags(void) {
    const struct vm_flags *flags = &vm->options->flags;
    const char *given = flags->HeapDumpPath != NULL ? flags->HeapDumpPath : "";
    char expanded[PATH_MAX];
    struct stat st;
    if (vm->library == LIBRARY_17) snprintf(expanded, sizeof expanded, "%s", given);
    else os_expand_process_id(given, expanded, sizeof expanded);
    bool directory = stat(expanded, &st) == 0 && S_ISDIR(st.st_mode);
    size_t n = strlen(expanded);
    if (n != 0 && !directory) return mem_strdup(expanded);
    return mem_printf("%s%sjava_pid%d.hprof%s", expanded, n != 0 && expanded[n - 1] != '/' ? "/" : "", (int)os_pid(),
                      flags->HeapDumpGzipLevel > 0 ? ".gz" : "");
}

void heap_dump_out_of_memory(struct os_thread *self, const char *message) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *path = path_of_flags(), *line = mem_printf("java.lang.OutOfMemoryError: %s\n", message);
    if (line != NULL) print_line(self, line);
    if (path != NULL)
        mem_free(
            heap_dump_to_file(self, &(struct heap_dump_request){.path = path,
                                                                .gzip_level = (int)vm->options->flags.HeapDumpGzipLevel,
                                                                .dying = self->java,
                                                                .say = print_line,
                                                                .arg = self}));
    mem_free(line);
    mem_free(path);
}
