/* report.c: the order of what is written, the text form's prelude, ranked tables. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "hprof.h"
#include "monitors.h"
#include "samples.h"
#include "sites.h"
#include "stacks.h"
#include "times.h"

static const char prelude[] =
    "\n"
    "What follows is written while the program runs; numbers tie the parts together.\n"
    "\n"
    "THREAD START, THREAD END  a thread: its object, its number (id), its name and thread group.\n"
    "TRACE n                   a stack: the innermost frame first, as many frames as depth= says. 300000 stands for a\n"
    "                          stack that is not known.\n"
    "SITES                     who allocated what: per class and stack the objects that live after a collection, and "
        "all\n"
    "                          that were allocated. Rows below the cutoff are left out, as in the tables below.\n"
    "CPU SAMPLES               stacks of running threads, and how often a sample met each.\n"
    "CPU TIME (ms)             calls and the time spent in the method itself, per stack.\n"
    "MONITOR TIME              how long threads waited to enter monitors, per stack and class.\n"
    "MONITOR DUMP              threads and monitors at one moment. Status: R running, MW waiting to enter a monitor,\n"
    "                          CW waiting to be notified or parked, SL sleeping, ZO ended, NS not started; with S|\n"
    "                          suspended, intr| interrupted, native| in native code.\n"
    "HEAP DUMP                 every reachable object. ROOT: why it is reachable. CLS: a class. OBJ: an object; its "
        "fields\n"
    "                          that refer to objects follow. ARR: an array; its elements that refer to objects "
        "follow.\n"
    "--------\n"
    "\n";

/* The heading, and the overhead where its figures can be replaced later. */
static void begin_text(struct hprof *h) {
    char date[32], heading[64], overhead[OVERHEAD_TEXT];
    snprintf(heading, sizeof heading, "JAVA PROFILE 1.0.1, created %s\n", hprof_date(date));
    output_format(h->out, "%s", heading);
    if (output_rewritable(h->out)) {
        h->overhead_at = (long)strlen(heading);
        overhead_text(h, overhead);
        output_format(h->out, "%s\n", overhead);
    }
    output_format(h->out, "%s", prelude);
    output_commit(h->out);
}

/* The figures up to now: in the heading, or where that has been sent away, behind everything else. */
static void write_overhead(struct hprof *h) {
    char text[OVERHEAD_TEXT];
    overhead_text(h, text);
    if (h->overhead_at != 0) {
        output_rewrite(h->out, h->overhead_at, text, strlen(text));
        return;
    }
    output_format(h->out, "%s\n", text);
    output_commit(h->out);
}

void report_begin(struct hprof *h) {
    if (h->out == NULL) return;
    if (h->options.form == FORM_BINARY) {
        record_header(h);
        trace_write(h, 0);
    } else if (h->options.form == FORM_TEXT) {
        begin_text(h);
    }
    output_flush(h->out);
}

static void write_parts(struct hprof *h, JNIEnv *jni) {
    if (h->options.heap & HEAP_DUMP) {
        hprof_say(h, "Dumping Java heap ...");
        dump_write(h, jni);
    }
    if (h->sites != NULL) {
        hprof_say(h, " allocation sites ...");
        sites_write(h, jni);
    }
    if (h->samples != NULL) {
        hprof_say(h, "Dumping CPU usage by sampling running threads ...");
        samples_write(h);
    }
    if (h->times != NULL) {
        hprof_say(h, "Dumping CPU usage by timing methods ...");
        times_write(h);
    }
    if (h->monitors != NULL) {
        hprof_say(h, "Dumping contended monitor usage ...");
        monitors_write(h, jni);
    }
}

void report_write(struct hprof *h, JNIEnv *jni) {
    if (h->out == NULL || output_failed(h->out)) return;
    if (h->options.form >= FORM_COLLAPSED) {
        hprof_say(h, "Writing %s ...", output_name(h->out));
        stacks_write(h, jni, h->options.form, h->out);
    } else {
        write_parts(h, jni);
    }
    output_flush(h->out);
    if (h->options.form == FORM_TEXT) write_overhead(h);
    output_flush(h->out);
    hprof_say(h, output_failed(h->out) ? "\n" : " done.\n");
}

/* ---- ranked tables ----------------------------------------------------------------------------------------------- */

static int by_self(const void *a, const void *b) {
    const struct rank_row *x = a, *y = b;
    if (x->self != y->self) return x->self > y->self ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->trace < y->trace ? -1 : x->trace > y->trace;
}

static void write_method(struct hprof *h, uint32_t trace) {
    const struct trace *t = trace_get(h, trace);
    if (t == NULL || t->frame_count == 0) {
        output_format(h->out, " <empty>");
        return;
    }
    const struct method_info *m = trace_method(h, t, 0, NULL);
    output_format(h->out, " %s.%s", m->class->name, m->name);
}

void report_ranked(struct hprof *h, struct rank_row *rows, uint32_t count, uint64_t total, const char *last_column) {
    double sum = 0;
    bool heading = false;
    qsort(rows, count, sizeof *rows, by_self);
    for (uint32_t i = 0; i < count && (double)rows[i].self >= h->options.cutoff * (double)total; i++) {
        if (!heading) output_format(h->out, "rank   self  accum   count trace %s\n", last_column);
        heading = true;
        double part = total > 0 ? 100 * (double)rows[i].self / (double)total : 0;
        sum += part;
        output_format(h->out, "%4u %5.2f%% %5.2f%% %7llu %5u", i + 1, part, sum, (unsigned long long)rows[i].count,
                      trace_serial(rows[i].trace));
        if (rows[i].text != NULL) output_format(h->out, " %s", rows[i].text);
        else write_method(h, rows[i].trace);
        output_bytes(h->out, "\n", 1);
    }
}
