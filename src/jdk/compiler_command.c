/* compiler_command.c — diagnostic commands on compiled code, and the map for Linux perf. The layouts are HotSpot's. */
#include "jdk/compiler_command.h"

#include <errno.h>
#include <limits.h>

#include "base/log.h"
#include "base/options.h"
#include "base/os.h"
#include "exec/disassemble.h"
#include "jdk/diagnostic_table.h"
#include "jdk/report.h"
#include "jit/jit.h"
#include "jit/listing.h"
#include "link/link.h"
#include "link/resolve.h"
#include "thread/thread.h"

/* Of compiled code, not of what leads to the interpreter. */
static bool is_compiled(const struct code_blob *b) { return b->pcs != 0; }
static const uint8_t *code_end(const struct code_blob *b) { return code_blob_begin(b) + (b->pcs ? b->pcs : b->length); }

/* HotSpot's numbers: it is entered, or nobody enters it any more. */
static int code_state(const struct method_code *code) {
    enum { IN_USE = 0, NOT_ENTRANT = 1 };
    return atomic_load(&code->method->code) == code ? IN_USE : NOT_ENTRANT;
}

bool command_compiler_codelist(struct request *r) {
    PROMISES_NO_SAFEPOINT();
    for (const struct code_blob *b = jit_next_blob(NULL); b != NULL; b = jit_next_blob(b)) {
        if (!is_compiled(b)) continue;
        const struct method *m = b->method->method;
        char *class = class_external_name(m->holder);
        fprintf(r->out, "%u %u %d %s.%s%s [0x%016" PRIxPTR ", 0x%016" PRIxPTR " - 0x%016" PRIxPTR "]\n", b->id,
                b->level, code_state(b->method), class != NULL ? class : "?", m->name->bytes,
                m->desc->bytes, (uintptr_t)b, (uintptr_t)code_blob_begin(b), (uintptr_t)code_end(b));
        mem_free(class);
    }
    return true;
}

void code_cache_describe(const struct cache_figures *f, char text[static CODE_CACHE_DESCRIPTION]) {
    const char *state = !jit_is_used() ? "disabled (interpreter mode)"
                        : f->full      ? "disabled (not enough contiguous free space left)"
                                       : "enabled";
    uintptr_t begin = (uintptr_t)f->begin, end = begin + f->size;
    int n = snprintf(text, CODE_CACHE_DESCRIPTION,
                     "CodeCache: size=%zuKb used=%zuKb max_used=%zuKb free=%zuKb\n"
                     " bounds [0x%016" PRIxPTR ", 0x%016" PRIxPTR ", 0x%016" PRIxPTR "]\n",
                     f->size / KIB, f->used / KIB, f->most_used / KIB, (f->size - f->used) / KIB, begin, end, end);
    text += n;
    size_t left = CODE_CACHE_DESCRIPTION - (size_t)n;
    if (vm->library == LIBRARY_17)
        snprintf(text, left,
                 " total_blobs=%u nmethods=%u adapters=0\n compilation: %s\n"
                 "              stopped_count=%d, restarted_count=0\n full_count=%d\n",
                 f->blobs, f->methods, state, f->full, f->full);
    else
        snprintf(text, left,
                 " total_blobs=%u, nmethods=%u, adapters=0, full_count=%d\n"
                 "Compilation: %s, stopped_count=%d, restarted_count=0\n",
                 f->blobs, f->methods, f->full, state, f->full);
}

bool command_compiler_codecache(struct request *r) {
    struct cache_figures f = jit_cache_figures();
    char text[CODE_CACHE_DESCRIPTION];
    code_cache_describe(&f, text);
    fputs(text, r->out);
    return true;
}

bool command_compiler_queue(struct request *r) {
    jit_print_requests(r->out);
    return true;
}

/* ---- perf -------------------------------------------------------------------------------------------------------- */

static void print_entry(FILE *out, const struct code_blob *b) {
    const struct method *m = b->method != NULL ? b->method->method : NULL;
    char *name = m != NULL ? method_external_name(m->holder, m->name, m->desc)
                           : mem_printf("StubRoutines (%s)", b->name);
    const uint8_t *begin = code_blob_begin(b);
    fprintf(out, "0x%016" PRIxPTR " 0x%016zx %s%s\n", (uintptr_t)begin, (size_t)(code_end(b) - begin),
            name != NULL ? name : "?", m == NULL || is_compiled(b) ? "" : " [interpreted]");
    mem_free(name);
}

/* NULL: it is written; otherwise why not, malloc'd. */
static char *perf_map_write(const char *path) {
    PROMISES_NO_SAFEPOINT();
    FILE *out = fopen(path, "w");
    if (out == NULL) return mem_strdup(strerror(errno));
    for (const struct code_blob *b = jit_next_blob(NULL); b != NULL; b = jit_next_blob(b)) print_entry(out, b);
    bool good = ferror(out) == 0;
    good = fclose(out) == 0 && good;
    return good ? NULL : mem_strdup("a failed write");
}

bool command_compiler_perfmap(struct request *r) {
    char path[PATH_MAX];
    os_expand_process_id(r->arguments[0] != NULL ? r->arguments[0] : PERF_MAP_PATH, path, sizeof path);
    char *why = perf_map_write(path);
    if (why != NULL && vm->library == LIBRARY_17) {
        log_warning(codecache, "Failed to create %s for perf map", path);
    } else if (why != NULL) {
        vm_warning("Cannot open file %s due to %s\n", path, why);
        fprintf(r->out, "Warning: Failed to create %s for perf map\n", path);
    }
    mem_free(why);
    return true;
}

void perf_map_at_exit(void) {
    char *path = vm->options->flags.DumpPerfMapAtExit ? mem_printf("/tmp/perf-%d.map", (int)os_pid()) : NULL;
    char *why = path != NULL ? perf_map_write(path) : NULL;
    if (why != NULL) log_warning(codecache, "Failed to create %s for perf map", path);
    mem_free(why);
    mem_free(path);
}

bool command_compiler_method_data(struct request *r) {
    if (!methods_print_data(r->self, r->out, r->arguments[0], r->arguments[1])) fprintf(r->out, "No such method\n");
    return true;
}
