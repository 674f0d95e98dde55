/* map_command.c — System.map and System.dump_map: the process's memory mappings, and what the VM knows of them. The
 * layout is HotSpot's. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/os.h"
#include "jdk/diagnostic_table.h"
#include "jit/jit.h"
#include "thread/identity.h"

enum { FILE_BYTES = 4096, INFO_BYTES = 96, RULE_WIDTH = 168 };

/* One mapping, as /proc/self/smaps has it. Sizes in bytes. */
struct mapping {
    uintptr_t from, to;
    size_t rss, swap, huge, thp, page_size;
    char protection[8], file[FILE_BYTES], flags[256];
};

struct totals { size_t count, size, rss, committed, shared, swapped, thp, huge; };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool begins(const char *line, struct mapping *m) {
    unsigned long from, to;
    int at = 0;
    *m = (struct mapping){.from = 0};
    if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %n", &from, &to, m->protection, &at) != 3 || at == 0) return false;
    m->from = from;
    m->to = to;
    snprintf(m->file, sizeof m->file, "%s", line + at);
    m->file[strcspn(m->file, "\n")] = '\0';
    return true;
}

static void add_detail(const char *line, struct mapping *m) {
    static const struct { const char *name; size_t offset; } details[] = {
        {"Rss", offsetof(struct mapping, rss)}, {"Swap", offsetof(struct mapping, swap)},
        {"Private_Hugetlb", offsetof(struct mapping, huge)}, {"AnonHugePages", offsetof(struct mapping, thp)},
        {"KernelPageSize", offsetof(struct mapping, page_size)}};
    size_t n = strcspn(line, ":");
    for (size_t i = 0; i < ARRAY_LEN(details); i++)
        if (strlen(details[i].name) == n && strncmp(line, details[i].name, n) == 0)
            *(size_t *)((char *)m + details[i].offset) = strtoul(line + n + 1, NULL, 10) * KIB;
    if (strncmp(line, "VmFlags:", n + 1) == 0) snprintf(m->flags, sizeof m->flags, "%s", line + n + 1);
}

static bool has_flag(const struct mapping *m, const char *flag) {
    const char *at = strstr(m->flags, flag);
    return at != NULL && (at == m->flags || at[-1] == ' ');
}

/* ---- what the VM knows ------------------------------------------------------------------------------------------- */

static bool overlaps(const struct mapping *m, uintptr_t low, uintptr_t high) { return m->from < high && low < m->to; }

/* Caller holds the list of threads. */
static void describe(const struct mapping *m, char *out, size_t size) {
    uintptr_t low, high;
    struct cache_figures code = jit_cache_figures();
    heap_bounds(&low, &high);
    snprintf(out, size, "-");
    if (overlaps(m, low, high)) snprintf(out, size, "JAVAHEAP");
    else if (code.size != 0 && overlaps(m, (uintptr_t)code.begin, (uintptr_t)code.begin + code.size))
        snprintf(out, size, "CODE");
    for (const struct java_thread *t = threads_first(); t != NULL; t = t->next)
        if (thread_c_stack(t, &low, &high) && overlaps(m, low, high))
            snprintf(out, size, "STACK-%d-%s", thread_tid(t), t->name);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_notes(const struct mapping *m, char *out, size_t size) {
    const struct { bool is; const char *name; } notes[] = {
        {m->protection[3] == 's', "shrd"}, {has_flag(m, "ac"), "com"},    {m->swap != 0, "swap"},
        {m->thp != 0, "thp"},              {has_flag(m, "hg"), "thpad"},  {has_flag(m, "nh"), "nothp"},
        {has_flag(m, "ht"), "huge"}};
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(notes); i++)
        if (notes[i].is && n < size) n += (size_t)snprintf(out + n, size - n, "%s%s", n ? "," : "", notes[i].name);
    if (n == 0) snprintf(out, size, "-");
}

static void put_mapping(FILE *out, const struct mapping *m, struct totals *all) {
    char notes[64], info[INFO_BYTES], page[24];
    put_notes(m, notes, sizeof notes);
    describe(m, info, sizeof info);
    snprintf(page, sizeof page, "%zuK", m->page_size / KIB);
    fprintf(out, "0x%016lx-0x%016lx %12zu %.4s %12zu %12zu %-4s %-16s %-37s %s\n", (unsigned long)m->from,
            (unsigned long)m->to, (size_t)(m->to - m->from), m->protection, m->rss, m->huge, page, notes, info,
            m->file[0] ? m->file : "-");
    all->count++;
    all->size += m->to - m->from;
    all->rss += m->rss;
    all->committed += has_flag(m, "ac") ? m->to - m->from : 0;
    all->shared += m->protection[3] == 's' ? m->to - m->from : 0;
    all->swapped += m->swap;
    all->thp += m->thp;
    all->huge += m->huge;
}

static void put_total(FILE *out, const char *title, size_t bytes) {
    struct amount rounded = amount_of(bytes);
    fprintf(out, "%18s: %zu (%zu%c)\n", title, bytes, rounded.number, rounded.unit);
}

static void put_head(FILE *out) {
    fprintf(out,
            "Memory mappings:\n"
            "from, to, vsize: addresses and size in bytes\n"
            "rss, hugetlb:    of these in memory; in huge pages of its own\n"
            "notes:           shrd shared, com backed by memory or swap, swap partly swapped out, thp in transparent\n"
            "                 huge pages, thpad advised to be so, nothp forbidden to, huge in huge pages\n"
            "info:            JAVAHEAP, CODE (compiled code), STACK-<thread id>-<name>\n\n");
    fprintf(out, "%-18s %-18s %12s %-4s %12s %12s %-4s %-16s %-37s %s\n", "from", "to", "vsize", "prot",
            "rss", "hugetlb", "pgsz", "notes", "info", "file");
    for (int i = 0; i < RULE_WIDTH; i++) fputc('=', out);
    fputc('\n', out);
}

/* False: the kernel does not tell; errno says why. */
static bool put_map(struct os_thread *self, FILE *out) {
    REQUIRES(IN_VM);
    FILE *in = fopen("/proc/self/smaps", "re");
    if (in == NULL) return false;
    struct mapping *m = mem_zalloc(sizeof *m), *next = mem_zalloc(sizeof *next);
    struct totals all = {0};
    bool any = false;
    char *line = NULL;
    size_t capacity = 0;
    put_head(out);
    threads_lock(self);
    while (m != NULL && next != NULL && getline(&line, &capacity, in) > 0) {
        if (!begins(line, next)) {
            add_detail(line, m);
            continue;
        }
        if (any) put_mapping(out, m, &all);
        any = true;
        *m = *next;
    }
    if (any) put_mapping(out, m, &all);
    threads_unlock(self);
    fprintf(out, "\nNumber of mappings: %zu\n", all.count);
    put_total(out, "vsize", all.size);
    put_total(out, "rss", all.rss);
    put_total(out, "committed", all.committed);
    put_total(out, "shared", all.shared);
    put_total(out, "swapped out", all.swapped);
    put_total(out, "using thp", all.thp);
    put_total(out, "hugetlb", all.huge);
    free(line);
    mem_free(m);
    mem_free(next);
    fclose(in);
    return true;
}

bool command_system_map(struct request *r) {
    if (!put_map(r->self, r->out)) fprintf(r->out, "/proc/self/smaps: %s\n", strerror(errno));
    return true;
}

bool command_system_dump_map(struct request *r) {
    char path[PATH_MAX], whole[PATH_MAX];
    if (r->options[0] == NULL || *r->options[0] == '\0') {
        fprintf(r->out, "filename is empty or not specified.  No file written\n");
        return true;
    }
    os_expand_process_id(r->options[0], path, sizeof path);
    FILE *out = fopen(path, "we");
    bool ok = out != NULL && put_map(r->self, out);
    ok = out != NULL && fclose(out) == 0 && ok;
    if (ok) fprintf(r->out, "Memory map dumped to \"%s\".\n", realpath(path, whole) != NULL ? whole : path);
    else fprintf(r->out, "Failed to open \"%s\" for writing (%s).\n", path, strerror(errno));
    return true;
}
