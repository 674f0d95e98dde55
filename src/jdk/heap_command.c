/* heap_command.c — diagnostic commands on the heap and on the memory of the C library. */
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/diagnostic_command.h"
#include "jdk/diagnostic_table.h"
#include "jdk/thread_dump.h"

enum { HISTOGRAM_ALL, HISTOGRAM_PARALLEL };

/* One thread counts, however many are allowed. */
bool command_gc_class_histogram(struct request *r) {
    if (r->numbers[HISTOGRAM_PARALLEL] < 0) {
        fprintf(r->out, "Parallel thread number out of range (>=0): %" PRId64 "\n", r->numbers[HISTOGRAM_PARALLEL]);
        return true;
    }
    return class_histogram_print(r->self, !r->on[HISTOGRAM_ALL], r->out);
}

static void to_file(void *out, const char *line) { fputs(line, out); }

void diagnostic_heap_dump(struct os_thread *self, const struct heap_dump_request *request, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct heap_dump_request reporting = *request;
    reporting.say = to_file;
    reporting.arg = out;
    mem_free(heap_dump_to_file(self, &reporting));
}

enum { DUMP_ALL, DUMP_GZ, DUMP_OVERWRITE, DUMP_PARALLEL };

/* One thread writes, however many are allowed. */
bool command_gc_heap_dump(struct request *r) {
    int64_t level = r->given[DUMP_GZ] ? r->numbers[DUMP_GZ] : 0;
    if (r->given[DUMP_GZ] && (level < 1 || level > HEAP_DUMP_GZIP_MAX)) {
        fprintf(r->out, "Compression level out of range (1-%d): %" PRId64 "\n", HEAP_DUMP_GZIP_MAX, level);
        return true;
    }
    if (r->given[DUMP_PARALLEL] && r->numbers[DUMP_PARALLEL] < 0) {
        fprintf(r->out, "Invalid number of parallel dump threads.\n");
        return true;
    }
    char path[PATH_MAX];
    if (vm->library == LIBRARY_17) snprintf(path, sizeof path, "%s", r->arguments[0]);
    else os_expand_process_id(r->arguments[0], path, sizeof path);
    diagnostic_heap_dump(r->self,
                         &(struct heap_dump_request){.path = path,
                                                     .live = !r->on[DUMP_ALL],
                                                     .overwrite = r->on[DUMP_OVERWRITE],
                                                     .gzip_level = (int)level},
                         r->out);
    return true;
}

bool command_gc_heap_info(struct request *r) {
    bool is_17 = vm->library == LIBRARY_17;
    char text[HEAP_DESCRIPTION];
    heap_describe(text, sizeof text, is_17 ? " " : "");
    fputs(text, r->out);
    if (is_17) put_metaspace_line(r->out);
    return true;
}

bool command_gc_run(struct request *r) {
    if (vm->options->flags.DisableExplicitGC) fprintf(r->out, "Explicit GC is disabled, no GC has been performed.\n");
    else heap_collect(r->self, "Diagnostic Command", false);
    return true;
}

bool command_gc_run_finalization(struct request *r) {
    struct class *c = class_find_boot(r->self, "java/lang/System");
    if (c != NULL) java_call_static_named(r->self, c, "runFinalization", "()V", NULL, NULL);
    return diagnostic_report(r->self, r->out);
}

/* The library counts by class what waits in the queue of its Finalizer. */
static struct object *finalizer_rows(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "java/lang/ref/FinalizerHistogram");
    uint64_t result = 0;
    if (c != NULL)
        java_call_static_named(self, c, "getFinalizerHistogram", "()[Ljava/lang/ref/FinalizerHistogram$Entry;", NULL,
                               &result);
    return self->exception != NULL ? NULL : slot_object(result);
}

static size_t field_offset(struct object *entry, const char *name, const char *desc) {
    struct symbol *n = symbol_lookup_cstr(name), *d = symbol_lookup_cstr(desc);
    struct field *f = n != NULL && d != NULL ? class_find_field(class_of(entry), n, d) : NULL;
    symbol_release(n);
    symbol_release(d);
    if (f == NULL) fatal("%s has no field %s of type %s", class_of(entry)->name->bytes, name, desc);
    return f->offset;
}

bool command_gc_finalizer_info(struct request *r) {
    struct object *rows = finalizer_rows(r->self);
    if (rows == NULL) return diagnostic_report(r->self, r->out);
    if (array_length(rows) == 0) {
        fprintf(r->out, "No instances waiting for finalization found\n");
        return true;
    }
    fprintf(r->out, "Unreachable instances waiting for finalization\n#instances  class name\n"
                    "-----------------------\n");
    for (int32_t i = 0; i < array_length(rows); i++) {
        struct object *entry = heap_array_get(rows, i);
        int32_t count;
        memcpy(&count, (const char *)entry + field_offset(entry, "instanceCount", "I"), sizeof count);
        struct object *name = heap_load_ref(entry, field_offset(entry, "className", "Ljava/lang/String;"));
        char *text = string_dup_utf8(name);
        fprintf(r->out, "%10d  %s\n", count, text != NULL ? text : "?");
        mem_free(text);
    }
    return diagnostic_report(r->self, r->out);
}

/* ---- the C library ----------------------------------------------------------------------------------------------- */

bool command_system_native_heap_info(struct request *r) {
    if (malloc_info(0, r->out) != 0) fprintf(r->out, "Error: malloc_info failed\n");
    else fputc('\n', r->out);
    return true;
}

/* What the kernel says of this process, in KB: "VmRSS", "VmSwap". */
static size_t status_kb(const char *name) {
    char *text = os_read_text("/proc/self/status", 16 * KIB), *line = text != NULL ? strstr(text, name) : NULL;
    size_t n = 0;
    if (line != NULL && sscanf(line + strlen(name), ": %zu", &n) != 1) n = 0;
    mem_free(text);
    return n;
}

bool command_system_trim_native_heap(struct request *r) {
    size_t before = status_kb("VmRSS") + status_kb("VmSwap");
    malloc_trim(0);
    size_t after = status_kb("VmRSS") + status_kb("VmSwap");
    struct amount from = amount_of(before * KIB), to = amount_of(after * KIB),
                  change = amount_of((after > before ? after - before : before - after) * KIB);
    fprintf(r->out, "Trim native heap: RSS+Swap: %zu%c->%zu%c (%c%zu%c)\n", from.number, from.unit, to.number, to.unit,
            after < before ? '-' : '+', change.number, change.unit);
    return true;
}
