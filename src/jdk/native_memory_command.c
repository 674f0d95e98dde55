/* native_memory_command.c — VM.native_memory, and -XX:+PrintNMTStatistics: what the VM has of C memory and mappings,
 * by purpose (base/memory.h). The layouts are those of HotSpot 17 and 25. */
#include "jdk/native_memory.h"

#include <stdlib.h>
#include <strings.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/os.h"
#include "jdk/diagnostic_table.h"
#include "jdk/thread_life.h"
#include "thread/identity.h"

/* ---- a snapshot -------------------------------------------------------------------------------------------------- */

/* Both stacks of a thread are reported with what else it takes. */
struct native_memory {
    struct memory_snapshot memory;
    size_t threads, instance_classes, array_classes;
};

static bool count_class(void *arg, struct class *c) {
    struct native_memory *m = arg;
    ++*(class_is_array(c) ? &m->array_classes : &m->instance_classes);
    return true;
}

static bool add_stacks(struct native_memory *m) {
    bool ok = true;
    uintptr_t low, high;
    for (const struct java_thread *t = threads_first(); ok && t != NULL; t = t->next) {
        m->threads++;
        if (thread_c_stack(t, &low, &high))
            ok = memory_snapshot_add(&m->memory, ALIGN_DOWN(low, os_page_size()), high, MEMORY_THREAD_STACK);
    }
    return ok;
}

static bool take(struct os_thread *self, struct native_memory *m) {
    *m = (struct native_memory){.threads = 0};
    if (!memory_snapshot_take(&m->memory)) return false;
    threads_lock(self);
    bool ok = add_stacks(m);
    threads_unlock(self);
    class_walk_all(count_class, m);
    if (!ok) memory_snapshot_free(&m->memory);
    return ok;
}

/* Commands may run at once, through the bean: who compares with the baseline takes it out meanwhile. */
static void replace_baseline(struct native_memory *fresh) {
    struct native_memory *old = atomic_exchange(&thread_life()->native_memory_baseline, fresh);
    if (old != NULL) memory_snapshot_free(&old->memory);
    mem_free(old);
}

/* Unless there is a newer one. */
static void put_baseline_back(struct native_memory *m) {
    struct native_memory *none = NULL;
    if (m == NULL || atomic_compare_exchange_strong(&thread_life()->native_memory_baseline, &none, m)) return;
    memory_snapshot_free(&m->memory);
    mem_free(m);
}

void native_memory_forget_baseline(void) { replace_baseline(NULL); }

/* ---- figures of a category --------------------------------------------------------------------------------------- */

struct figures {
    struct memory_use blocks, arenas;
    size_t overhead, stack_reserved, stack_committed, stack_peak, reserved, committed, peak_committed;
};

static struct figures figures_of(const struct native_memory *m, enum memory_category c) {
    const struct memory_snapshot *s = &m->memory;
    struct figures f = {s->blocks[c], s->arenas[c], .reserved = s->reserved[c], .committed = s->committed[c],
                        .peak_committed = s->peak_committed[c]};
    if (c == MEMORY_TRACKING) f.overhead = s->overhead;
    if (c == MEMORY_THREAD) {
        f.stack_reserved = s->reserved[MEMORY_THREAD_STACK];
        f.stack_committed = s->committed[MEMORY_THREAD_STACK];
        f.stack_peak = s->peak_committed[MEMORY_THREAD_STACK];
    }
    return f;
}

static size_t malloc_of(const struct figures *f) { return f->blocks.bytes + f->arenas.bytes + f->overhead; }
static size_t reserved_of(const struct figures *f) { return malloc_of(f) + f->stack_reserved + f->reserved; }
static size_t committed_of(const struct figures *f) { return malloc_of(f) + f->stack_committed + f->committed; }

struct sums { size_t malloc, count, reserved, committed; };

static struct sums sums_of(const struct native_memory *m) {
    struct sums s = {0};
    for (int c = 0; c < MEMORY_CATEGORIES; c++) {
        if (c == MEMORY_THREAD_STACK) continue;
        struct figures f = figures_of(m, (enum memory_category)c);
        s.malloc += malloc_of(&f);
        s.count += f.blocks.count + f.arenas.count;
        s.reserved += f.stack_reserved + f.reserved;
        s.committed += f.stack_committed + f.committed;
    }
    return s;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

struct report {
    FILE *out;
    size_t unit;
    const char *unit_name;
    bool is_17;
    const char *space;                   /* behind some lines of 17 */
};

static const struct { const char *name; size_t bytes; const char *prints; } units[] = {
    {"1", 1, ""}, {"b", 1, ""}, {"k", KIB, "KB"}, {"kb", KIB, "KB"}, {"m", MIB, "MB"}, {"mb", MIB, "MB"},
    {"g", GIB, "GB"}, {"gb", GIB, "GB"}};

static bool set_unit(struct report *r, const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (strcasecmp(units[i].name, name) == 0) {
            r->unit = units[i].bytes;
            r->unit_name = units[i].prints;
            return true;
        }
    return false;
}

static struct report report_on(FILE *out) {
    bool is_17 = vm->library == LIBRARY_17;
    return (struct report){out, 1, "", is_17, is_17 ? " " : ""};
}

static size_t in_unit(const struct report *r, size_t bytes) { return (bytes + r->unit / 2) / r->unit; }
static long difference(const struct report *r, size_t now, size_t then) {
    return (long)in_unit(r, now) - (long)in_unit(r, then);
}

enum { INDENT = 28, NAME_WIDTH = 26 };

static void indent(const struct report *r) { fprintf(r->out, "%*s", INDENT, ""); }

static void put_amount(const struct report *r, const char *name, size_t bytes) {
    fprintf(r->out, "%s=%zu%s", name, in_unit(r, bytes), r->unit_name);
}

static void put_change(const struct report *r, size_t now, size_t then) {
    long d = difference(r, now, then);
    if (d != 0) fprintf(r->out, " %+ld%s", d, r->unit_name);
}

static void put_changed(const struct report *r, const char *name, size_t now, size_t then) {
    put_amount(r, name, now);
    put_change(r, now, then);
}

static void put_count(const struct report *r, size_t now, size_t then) {
    fprintf(r->out, " #%zu", now);
    if (now != then) fprintf(r->out, " %+ld", (long)now - (long)then);
}

static void put_head(const struct report *r) {
    fprintf(r->out, "\nNative Memory Tracking:\n\n");
    if (r->unit > 1) fprintf(r->out, "(Omitting categories weighting less than 1%s)\n\n", r->unit_name);
}

static void put_peak(const struct report *r, const struct memory_use *use) {
    if (use->bytes >= use->peak_bytes) {
        fprintf(r->out, " (at peak)");
        return;
    }
    fprintf(r->out, " (");
    put_amount(r, "peak", use->peak_bytes);
    fprintf(r->out, " #%zu)", use->peak_count);
}

static void put_classes(const struct report *r, const struct native_memory *now, const struct native_memory *then) {
    size_t all = now->instance_classes + now->array_classes, all_then = then->instance_classes + then->array_classes;
    indent(r);
    fprintf(r->out, "(classes");
    put_count(r, all, all_then);
    fprintf(r->out, ")\n%*s(  instance classes", INDENT, "");
    put_count(r, now->instance_classes, then->instance_classes);
    fprintf(r->out, ", array classes");
    put_count(r, now->array_classes, then->array_classes);
    fprintf(r->out, ")\n");
}

static void put_threads(const struct report *r, const struct native_memory *now, const struct native_memory *then) {
    indent(r);
    fprintf(r->out, r->is_17 ? "(thread" : "(threads");
    put_count(r, now->threads, then->threads);
    fprintf(r->out, ")\n");
}

/* ---- summary ----------------------------------------------------------------------------------------------------- */

static void put_mapped_peak(const struct report *r, size_t committed, size_t peak) {
    if (r->is_17) return;
    if (committed >= peak) {
        fprintf(r->out, ", at peak");
        return;
    }
    fprintf(r->out, ", ");
    put_amount(r, "peak", peak);
}

static void put_category(const struct report *r, const struct native_memory *m, enum memory_category c) {
    struct figures f = figures_of(m, c);
    if (in_unit(r, reserved_of(&f)) == 0) return;
    fprintf(r->out, "-%*s (", NAME_WIDTH, memory_category_name(c));
    put_amount(r, "reserved", reserved_of(&f));
    put_amount(r, ", committed", committed_of(&f));
    fprintf(r->out, ")\n");
    if (c == MEMORY_CLASS) put_classes(r, m, m);
    if (c == MEMORY_THREAD) {
        put_threads(r, m, m);
        indent(r);
        put_amount(r, "(stack: reserved", f.stack_reserved);
        put_amount(r, ", committed", f.stack_committed);
        if (!r->is_17) put_amount(r, ", peak", f.stack_peak);
        fprintf(r->out, ")\n");
    }
    if (in_unit(r, f.blocks.bytes) != 0) {
        indent(r);
        put_amount(r, "(malloc", f.blocks.bytes);
        if (!r->is_17) fprintf(r->out, " tag=%s", memory_category_name(c));
        fprintf(r->out, " #%zu)", f.blocks.count);
        put_peak(r, &f.blocks);
        fprintf(r->out, "%s\n", r->space);
    }
    if (in_unit(r, f.reserved) != 0) {
        indent(r);
        put_amount(r, "(mmap: reserved", f.reserved);
        put_amount(r, ", committed", f.committed);
        put_mapped_peak(r, f.committed, f.peak_committed);
        fprintf(r->out, ")%s\n", r->space);
    }
    if (in_unit(r, f.arenas.bytes) != 0) {
        indent(r);
        put_amount(r, "(arena", f.arenas.bytes);
        fprintf(r->out, " #%zu)", f.arenas.count);
        put_peak(r, &f.arenas);
        fprintf(r->out, "\n");
    }
    if (in_unit(r, f.overhead) != 0) {
        indent(r);
        put_amount(r, "(tracking overhead", f.overhead);
        fprintf(r->out, ")\n");
    }
    fprintf(r->out, "%s\n", r->space);
}

static void put_summary(const struct report *r, const struct native_memory *m) {
    struct sums all = sums_of(m);
    put_head(r);
    put_amount(r, "Total: reserved", all.malloc + all.reserved);
    put_amount(r, ", committed", all.malloc + all.committed);
    fprintf(r->out, "\n       malloc: %zu%s #%zu", in_unit(r, all.malloc), r->unit_name, all.count);
    if (!r->is_17) {
        put_amount(r, ", peak", m->memory.all_blocks.peak_bytes);
        fprintf(r->out, " #%zu", m->memory.all_blocks.peak_count);
    }
    put_amount(r, "\n       mmap:   reserved", all.reserved);
    put_amount(r, ", committed", all.committed);
    fprintf(r->out, "\n\n");
    for (int c = 0; c < MEMORY_CATEGORIES; c++)
        if (c != MEMORY_THREAD_STACK) put_category(r, m, (enum memory_category)c);
}

/* ---- summary.diff ------------------------------------------------------------------------------------------------ */

static bool shows(const struct report *r, size_t now, size_t then) { return in_unit(r, MAX(now, then)) != 0; }

static void put_mapped_change(const struct report *r, const char *name, size_t reserved, size_t reserved_then,
                              size_t committed, size_t committed_then) {
    indent(r);
    fprintf(r->out, "(%s: ", name);
    put_changed(r, "reserved", reserved, reserved_then);
    put_changed(r, ", committed", committed, committed_then);
    fprintf(r->out, ")\n");
}

static void put_use_change(const struct report *r, const char *name, const struct memory_use *now,
                           const struct memory_use *then) {
    if (!shows(r, now->bytes, then->bytes)) return;
    indent(r);
    put_changed(r, name, now->bytes, then->bytes);
    put_count(r, now->count, then->count);
    fprintf(r->out, ")\n");
}

static void put_category_change(const struct report *r, const struct native_memory *now,
                                const struct native_memory *then, enum memory_category c) {
    struct figures f = figures_of(now, c), g = figures_of(then, c);
    if (!shows(r, reserved_of(&f), reserved_of(&g))) return;
    fprintf(r->out, "-%*s (", NAME_WIDTH, memory_category_name(c));
    put_changed(r, "reserved", reserved_of(&f), reserved_of(&g));
    put_changed(r, ", committed", committed_of(&f), committed_of(&g));
    fprintf(r->out, ")\n");
    if (c == MEMORY_CLASS) put_classes(r, now, then);
    if (c == MEMORY_THREAD) {
        put_threads(r, now, then);
        put_mapped_change(r, "stack", f.stack_reserved, g.stack_reserved, f.stack_committed, g.stack_committed);
    }
    put_use_change(r, "(malloc", &f.blocks, &g.blocks);
    if (shows(r, f.reserved, g.reserved))
        put_mapped_change(r, "mmap", f.reserved, g.reserved, f.committed, g.committed);
    put_use_change(r, "(arena", &f.arenas, &g.arenas);
    if (shows(r, f.overhead, g.overhead)) {
        indent(r);
        put_changed(r, "(tracking overhead", f.overhead, g.overhead);
        fprintf(r->out, ")\n");
    }
    fprintf(r->out, "%s\n", r->space);
}

static void put_summary_change(const struct report *r, const struct native_memory *now,
                               const struct native_memory *then) {
    struct sums all = sums_of(now), before = sums_of(then);
    put_head(r);
    put_changed(r, "Total: reserved", all.malloc + all.reserved, before.malloc + before.reserved);
    put_changed(r, ", committed", all.malloc + all.committed, before.malloc + before.committed);
    fprintf(r->out, "\n\n");
    if (!r->is_17) {
        put_changed(r, "malloc", all.malloc, before.malloc);
        put_count(r, all.count, before.count);
        fprintf(r->out, "\n\n");
        put_changed(r, "mmap: reserved", all.reserved, before.reserved);
        put_changed(r, ", committed", all.committed, before.committed);
        fprintf(r->out, "\n\n");
    }
    for (int c = 0; c < MEMORY_CATEGORIES; c++)
        if (c != MEMORY_THREAD_STACK) put_category_change(r, now, then, (enum memory_category)c);
}

/* ---- detail ------------------------------------------------------------------------------------------------------ */

static void put_frames(const struct report *r, void *const frames[MEMORY_FRAMES], int deep) {
    for (int i = 0; i < MEMORY_FRAMES && frames[i] != NULL; i++) {
        uintptr_t pc = (uintptr_t)frames[i], base = 0, symbol_at = 0, offset = 0;
        const char *path = NULL, *symbol = NULL;
        char name[128];
        fprintf(r->out, "%*s[0x%016lx]%s", deep, "", (unsigned long)pc, r->is_17 ? " " : "");
        if (os_library_of((const void *)pc, &path, &base, &symbol, &symbol_at) && path != NULL) {
            if (os_symbol_in_file(path, pc - base - 1, name, sizeof name, &offset))
                fprintf(r->out, "%s+0x%lx", name, (unsigned long)(pc - base - offset));
            else if (symbol != NULL) fprintf(r->out, "%s+0x%lx", symbol, (unsigned long)(pc - symbol_at));
            const char *slash = strrchr(path, '/');
            if (strcmp(slash != NULL ? slash + 1 : path, "libjvm.so") != 0)
                fprintf(r->out, " in %s", slash != NULL ? slash + 1 : path);
        }
        fprintf(r->out, "\n");
    }
}

static void put_range(const struct report *r, const struct memory_range *m) {
    bool whole = m->commit_count == 1 && m->committed == m->size;
    const char *name = memory_category_name(m->of);
    fprintf(r->out, "%s\n[0x%016lx - 0x%016lx] reserved %s%zu%s for %s", r->space, (unsigned long)m->start,
            (unsigned long)(m->start + m->size), whole ? "and committed " : "", in_unit(r, m->size), r->unit_name,
            name);
    fprintf(r->out, m->frames[0] != NULL ? " from\n" : "\n");
    put_frames(r, m->frames, 4);
    for (size_t i = 0; i < m->commit_count; i++) {
        const struct memory_commit *c = &m->commits[i];
        if (in_unit(r, c->end - c->start) == 0) continue;
        fprintf(r->out, "\n%s[0x%016lx - 0x%016lx] committed %zu%s from\n", r->is_17 ? "\t" : "        ",
                (unsigned long)c->start, (unsigned long)c->end, in_unit(r, c->end - c->start), r->unit_name);
        put_frames(r, c->frames, 12);
    }
}

static int bigger_first(const void *a, const void *b) {
    const struct memory_site *x = a, *y = b;
    return x->use.bytes > y->use.bytes ? -1 : x->use.bytes < y->use.bytes;
}

static void put_site(const struct report *r, const struct memory_site *s) {
    put_frames(r, s->frames, 0);
    fprintf(r->out, "%*s", INDENT + 1, "");
    put_amount(r, r->is_17 ? "(malloc" : "((malloc", s->use.bytes);
    fprintf(r->out, " %s=%s #%zu)", r->is_17 ? "type" : "tag", memory_category_name(s->of), s->use.count);
    put_peak(r, &s->use);
    fprintf(r->out, r->is_17 ? "\n\n" : ")\n\n");
}

static void put_detail(const struct report *r, struct native_memory *m) {
    put_summary(r, m);
    fprintf(r->out, "Virtual memory map:\n");
    for (size_t i = 0; i < m->memory.range_count; i++)
        if (in_unit(r, m->memory.ranges[i].size) != 0) put_range(r, &m->memory.ranges[i]);
    fprintf(r->out, "\n\nDetails:\n\n");
    if (m->memory.site_count != 0)
        qsort(m->memory.sites, m->memory.site_count, sizeof *m->memory.sites, bigger_first);
    for (size_t i = 0; i < m->memory.site_count; i++)
        if (in_unit(r, m->memory.sites[i].use.bytes) != 0) put_site(r, &m->memory.sites[i]);
}

/* ---- detail.diff ------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const struct memory_site *x = a, *y = b;
    int order = memcmp(x->frames, y->frames, sizeof x->frames);
    return order != 0 ? order : (int)x->of - (int)y->of;
}

static void put_site_change(const struct report *r, const struct memory_site *now, const struct memory_use *was,
                            const struct memory_use *is) {
    if (difference(r, is->bytes, was->bytes) == 0) return;
    put_frames(r, now->frames, 0);
    indent(r);
    put_amount(r, "(malloc", is->bytes);
    fprintf(r->out, " type=%s", memory_category_name(now->of));
    put_change(r, is->bytes, was->bytes);
    put_count(r, is->count, was->count);
    fprintf(r->out, ")\n\n");
}

/* Sites of both lists, which have an order, are met at once. */
static void put_detail_change(const struct report *r, struct native_memory *now, struct native_memory *then) {
    static const struct memory_use none = {0};
    put_summary_change(r, now, then);
    fprintf(r->out, "Details:\n\n");
    struct memory_snapshot *a = &now->memory, *b = &then->memory;
    if (a->site_count != 0) qsort(a->sites, a->site_count, sizeof *a->sites, by_place);
    if (b->site_count != 0) qsort(b->sites, b->site_count, sizeof *b->sites, by_place);
    for (size_t i = 0, j = 0; i < a->site_count || j < b->site_count;) {
        int order = i == a->site_count ? 1 : j == b->site_count ? -1 : by_place(&a->sites[i], &b->sites[j]);
        if (order < 0) put_site_change(r, &a->sites[i], &none, &a->sites[i].use);
        else if (order > 0) put_site_change(r, &b->sites[j], &b->sites[j].use, &none);
        else put_site_change(r, &a->sites[i], &b->sites[j].use, &a->sites[i].use);
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static void put_statistics(FILE *out) {
    struct memory_statistics s;
    memory_statistics(&s);
    bool detailed = atomic_load(&memory_tracking) == TRACKING_DETAIL;
    fprintf(out, "Native Memory Tracking Statistics:\nState: %s\n", detailed ? "detail" : "summary");
    if (!detailed) {
        fprintf(out, "Preinit state:\npre-init mallocs: %zu\n\n", s.early);
        return;
    }
    fprintf(out, "Malloc allocation site table size: %zu\n             Tracking stack depth: %d\n\n", s.buckets,
            MEMORY_FRAMES);
    fprintf(out, "Malloc allocation site table:\n\tTotal entries: %zu\n\tEmpty entries%s: %zu (%.2f%%)\n\n", s.sites,
            vm->library == LIBRARY_17 ? "" : " (no outstanding mallocs)", s.empty,
            s.sites != 0 ? 100.0 * (double)s.empty / (double)s.sites : 0.0);
    fprintf(out, "Bucket chain length distribution:\nunused:  %zu\nlongest: %zu\nmedian:  %zu\n\n", s.unused, s.longest,
            s.median);
    fprintf(out, "Call stack depth distribution:\n");
    for (int i = 0; i <= MEMORY_FRAMES; i++) fprintf(out, "\t%d: %zu\n", i, s.depths[i]);
    fprintf(out, "\n\nPreinit state:\npre-init mallocs: %zu\n\n", s.early);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

enum { DO_SUMMARY, DO_DETAIL, DO_BASELINE, DO_SUMMARY_DIFF, DO_DETAIL_DIFF, DO_SHUTDOWN, DO_STATISTICS, SCALE };

static int chosen(const struct request *r, bool *too_many) {
    int found = -1;
    for (int i = DO_SUMMARY; i <= DO_STATISTICS; i++) {
        if (!r->on[i]) continue;
        *too_many = found >= 0;
        if (*too_many) return found;
        found = i;
    }
    return found < 0 && !r->given[DO_SUMMARY] ? DO_SUMMARY : found;
}

/* False: there is no memory for it, and m stays the caller's. */
static bool take_baseline(struct request *r, const struct native_memory *m) {
    struct native_memory *kept = mem_alloc_for(MEMORY_TRACKING, sizeof *kept);
    if (kept != NULL) *kept = *m;
    replace_baseline(kept);
    fprintf(r->out, kept != NULL ? "Baseline taken\n" : "Out of memory\n");
    return kept != NULL;
}

static void put_chosen(struct request *r, const struct report *report, int what, struct native_memory *now) {
    bool compares = what == DO_SUMMARY_DIFF || what == DO_DETAIL_DIFF;
    struct native_memory *then = compares ? atomic_exchange(&thread_life()->native_memory_baseline, NULL) : NULL;
    if (what == DO_SUMMARY) put_summary(report, now);
    else if (what == DO_DETAIL) put_detail(report, now);
    else if (then == NULL)
        fprintf(r->out, "No %sbaseline for comparison\n", what == DO_DETAIL_DIFF ? "detail " : "");
    else if (what == DO_SUMMARY_DIFF) put_summary_change(report, now, then);
    else put_detail_change(report, now, then);
    put_baseline_back(then);
}

bool command_vm_native_memory(struct request *r) {
    REQUIRES(IN_VM);
    bool too_many = false, detailed = atomic_load(&memory_tracking) == TRACKING_DETAIL;
    struct report report = report_on(r->out);
    int what = chosen(r, &too_many);
    const char *scale = r->options[SCALE] != NULL ? r->options[SCALE] : "(null)";    /* as HotSpot prints it */
    if (!memory_is_tracked()) fprintf(r->out, "Native memory tracking is not enabled\n");
    else if (!set_unit(&report, scale)) fprintf(r->out, "Incorrect scale value: %s\n", scale);
    else if (too_many)
        fprintf(r->out, "At most one of the following option can be specified: summary, detail, metadata, baseline, "
                        "summary.diff, detail.diff%s\n", report.is_17 ? ", shutdown" : "");
    else if (what < 0) fprintf(r->out, "No command to execute\n");
    else if (what == DO_SHUTDOWN) fprintf(r->out, "This option is deprecated and will be ignored.\n");
    else if (!detailed && (what == DO_DETAIL || what == DO_DETAIL_DIFF ||
                           (what == DO_STATISTICS && report.is_17)))
        fprintf(r->out, "Detail tracking is not enabled\n");
    else if (what == DO_STATISTICS) put_statistics(r->out);
    else {
        struct native_memory now;
        if (!take(r->self, &now)) {
            fprintf(r->out, "Out of memory\n");
            return false;
        }
        if (what == DO_BASELINE) {
            if (take_baseline(r, &now)) return true;
        } else {
            put_chosen(r, &report, what, &now);
        }
        memory_snapshot_free(&now.memory);
    }
    return true;
}

void native_memory_print(struct os_thread *self) {
    REQUIRES(IN_VM);
    struct native_memory now;
    char *text = NULL;
    size_t length;
    FILE *out = take(self, &now) ? open_memstream(&text, &length) : NULL;
    if (out == NULL) return;
    struct report report = report_on(out);
    if (atomic_load(&memory_tracking) == TRACKING_DETAIL) put_detail(&report, &now);
    else put_summary(&report, &now);
    memory_snapshot_free(&now.memory);
    if (fclose(out) == 0) vm_print(false, "%s", text);
    free(text);
}
