/* perf_dump.c — see perf_dump.h. A file is a header and records; those of one piece of code are its lines, if it has
 * any, how its callers are found, and then its name and bytes. Times are the monotonic clock's (perf record -k mono).
 */
#include "jit/perf_dump.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/os.h"
#include "base/table.h"
#include "exec/exec.h"
#include "jit/pcs.h"
#include "jit/unwind_table.h"
#include "link/resolve.h"

enum { MAGIC = 0x4A695444, VERSION = 1, RECORD_CODE = 0, RECORD_LINES = 2, RECORD_END = 3, RECORD_CALLERS = 4 };

struct header {
    uint32_t magic, version, size, machine, pad, pid;
    uint64_t time, flags;
};
struct record {
    uint32_t kind, size;
    uint64_t time;
};
struct code_record {
    struct record record;
    uint32_t pid, tid;
    uint64_t address, begin, size, index;        /* the name with its NUL and the code follow                       */
};
struct lines_record {
    struct record record;
    uint64_t begin, count;               /* of `line`, with the name of the source file behind each                */
};
struct callers_record {
    struct record record;
    uint64_t size, header, mapped;       /* bytes of .eh_frame and .eh_frame_hdr, which follow; of the latter alone */
};
struct line {
    uint64_t address;
    uint32_t number, discriminator;
};

static void put(struct perf_dump *d, const void *p, size_t size) {
    if (d->file == NULL || fwrite(p, 1, size, d->file) == size) return;
    log_warning(jit, "jit-%d.dump cannot be written: %s", (int)os_pid(), strerror(errno));
    perf_dump_end(d);
}

/* java/lang/String.java, malloc'd; NULL: the class does not say. */
static char *source_path(const struct method_code *code) {
    const struct symbol *file = method_source_file(code), *class = code->method->holder->name;
    const char *end = strrchr(class->bytes, '/');
    int package = end != NULL ? (int)(end + 1 - class->bytes) : 0;
    return file != NULL ? mem_printf("%.*s%s", package, class->bytes, file->bytes) : NULL;
}

typedef VEC(struct line) lines_vector;

/* Where lines begin; what belongs to no bytecode is left to the line before, or to the first. The last row is the end
 * of the code, since perf takes it for the end of the line before. */
static void find_lines(const struct code_blob *b, lines_vector *lines) {
    const uint8_t *begin = code_blob_begin(b);
    for (struct pcs_reader r = pcs_read(begin + b->pcs, begin + b->entries); pcs_next(&r);) {
        int32_t number = r.bci >= 0 ? method_line_number(b->method, r.bci) : -1;
        if (number < 0 || (lines->count != 0 && vec_last(lines).number == (uint32_t)number)) continue;
        uint32_t from = lines->count != 0 ? r.rows.offset : 0;
        if (!vec_push(lines, (struct line){(uintptr_t)begin + from, (uint32_t)number, 0})) return;
    }
    if (lines->count == 0) return;
    struct line last = {(uintptr_t)begin + b->pcs, vec_last(lines).number, 0};
    if (!vec_push(lines, last)) vec_clear(lines);
}

static void put_lines(struct perf_dump *d, const struct code_blob *b) {
    lines_vector lines = {0};
    char *path = source_path(b->method);
    if (path != NULL) find_lines(b, &lines);
    size_t name = path != NULL ? strlen(path) + 1 : 0;
    struct lines_record r = {.record = {.kind = RECORD_LINES, .time = (uint64_t)os_nanotime()},
                             .begin = (uintptr_t)code_blob_begin(b), .count = lines.count};
    r.record.size = (uint32_t)(sizeof r + lines.count * (sizeof(struct line) + name));
    if (lines.count != 0) put(d, &r, sizeof r);
    for (size_t i = 0; i < lines.count; i++) {
        put(d, &lines.data[i], sizeof lines.data[i]);
        put(d, path, name);
    }
    vec_free(&lines);
    mem_free(path);
}

/* How perf finds the callers of what runs there (perf record --call-graph dwarf). */
static void put_callers(struct perf_dump *d, size_t code, const struct asm_callers *callers) {
    struct unwind_description u = unwind_describe(code, callers);
    if (u.bytes != NULL && u.size <= PERF_DUMP_BEHIND) {
        struct callers_record r = {
            .record = {RECORD_CALLERS, (uint32_t)(sizeof r + u.size), (uint64_t)os_nanotime()}, .size = u.size,
            .header = u.header, .mapped = u.size};
        put(d, &r, sizeof r);
        put(d, u.bytes, u.size);
    }
    mem_free(u.bytes);
}

void perf_dump_add(struct perf_dump *d, const struct code_blob *b, const struct asm_callers *callers) {
    if (LIKELY(d->file == NULL)) return;
    const struct method *m = b->method != NULL ? b->method->method : NULL;
    char *name = m != NULL ? method_external_name(m->holder, m->name, m->desc) : mem_strdup(b->name);
    if (name == NULL) return;
    if (b->pcs != 0) put_lines(d, b);
    uint32_t size = b->pcs != 0 ? b->pcs : b->length, name_size = (uint32_t)strlen(name) + 1;
    uintptr_t begin = (uintptr_t)code_blob_begin(b);
    put_callers(d, size, callers);
    struct code_record r = {.record = {RECORD_CODE, (uint32_t)sizeof r + name_size + size, (uint64_t)os_nanotime()},
                            .pid = (uint32_t)os_pid(), .tid = (uint32_t)os_thread_id(), .address = begin,
                            .begin = begin, .size = size, .index = d->pieces++};
    put(d, &r, sizeof r);
    put(d, name, name_size);
    put(d, code_blob_begin(b), size);
    mem_free(name);
}

void perf_dump_begin(struct perf_dump *d) {
    char path[32];
    snprintf(path, sizeof path, "jit-%d.dump", (int)os_pid());
    d->file = fopen(path, "w+");
    void *mark = MAP_FAILED;
    if (d->file != NULL)
        mark = mmap(NULL, os_page_size(), PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(d->file), 0);
    if (mark == MAP_FAILED) {
        log_warning(jit, "%s cannot be made: %s", path, strerror(errno));
        perf_dump_end(d);
        return;
    }
    d->mark = mark;
    struct header h = {.magic = MAGIC, .version = VERSION, .size = sizeof h, .machine = EM_X86_64,
                       .pid = (uint32_t)os_pid(), .time = (uint64_t)os_nanotime()};
    put(d, &h, sizeof h);
}

void perf_dump_end(struct perf_dump *d) {
    FILE *file = d->file;
    struct record end = {RECORD_END, sizeof end, (uint64_t)os_nanotime()};
    d->file = NULL;
    if (d->mark != NULL) munmap(d->mark, os_page_size());
    d->mark = NULL;
    if (file == NULL) return;
    fwrite(&end, 1, sizeof end, file);
    if (fclose(file) != 0) log_warning(jit, "jit-%d.dump is not whole: %s", (int)os_pid(), strerror(errno));
}
