/* html.c: the profile as one page for a browser: html_page.html, with what was collected put into it as JSON. */
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "hprof.h"
#include "html_page.h"
#include "stacks.h"

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

enum { MALFORMED = 0xfffd };

/* The next UTF-16 unit (of a character outside the first plane: the first of two, the other one in *second) of `*n`
 * bytes of modified or ordinary UTF-8. */
static uint32_t next_unit(const unsigned char **p, size_t *n, uint32_t *second) {
    uint32_t c = **p;
    unsigned more = c < 0x80 ? 0 : (c & 0xe0) == 0xc0 ? 1 : (c & 0xf0) == 0xe0 ? 2 : (c & 0xf8) == 0xf0 ? 3 : 4, i = 1;
    *second = 0;
    if (more > 0) c &= 0x3fu >> more;
    for (; i <= more && more < 4 && i < *n && ((*p)[i] & 0xc0) == 0x80; i++) c = c << 6 | ((*p)[i] & 0x3f);
    if (i <= more) c = MALFORMED;
    *p += i;
    *n -= i;
    if (c < 0x10000) return c;
    if (c > 0x10ffff) return MALFORMED;
    *second = 0xdc00 | ((c - 0x10000) & 0x3ff);
    return 0xd800 | (c - 0x10000) >> 10;
}

static void write_unit(struct output *out, uint32_t c) {
    char byte = (char)c;
    if (c >= ' ' && c < 0x7f && strchr("\"\\<>&'", byte) == NULL) output_bytes(out, &byte, 1);
    else output_format(out, "\\u%04x", c);
}

/* Text that can stand in a script element whatever it is: what HTML or JavaScript could take for something else is
 * written as \uXXXX. */
static void write_bytes(struct output *out, const char *text, size_t n) {
    const unsigned char *p = (const unsigned char *)text;
    output_bytes(out, "\"", 1);
    while (n > 0) {
        uint32_t second, first = next_unit(&p, &n, &second);
        write_unit(out, first);
        if (second != 0) write_unit(out, second);
    }
    output_bytes(out, "\"", 1);
}

static void write_string(struct output *out, const char *text) { write_bytes(out, text, strlen(text)); }

static void write_member(struct output *out, const char *name, const char *text) {
    output_format(out, "\"%s\":", name);
    write_string(out, text != NULL ? text : "");
    output_bytes(out, ",\n", 2);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static void write_property(struct hprof *h, struct output *out, const char *name, const char *property) {
    char *value = NULL;
    if ((*h->env)->GetSystemProperty(h->env, property, &value) != JVMTI_ERROR_NONE) value = NULL;
    write_member(out, name, value);
    hprof_free(h, value);
}

static void write_heading(struct hprof *h, struct output *out) {
    char date[32];
    struct overhead_figures o = overhead_figures(h);
    write_member(out, "created", hprof_date(date));
    /* The command has the program's arguments. */
    if (h->options.redact) write_member(out, "program", NULL);
    else write_property(h, out, "program", "sun.java.command");
    write_property(h, out, "vm", "java.vm.name");
    write_property(h, out, "version", "java.vm.version");
    output_format(out, "\"overhead\":{\"spent\":%llu,\"process\":%llu},\n", (unsigned long long)o.spent,
                  (unsigned long long)o.process);
    output_format(out, "\"depth\":%d,\"interval\":%d,\"sampling\":%d,\n", h->options.depth, h->options.interval,
                  h->options.sampling);
}

static void write_frames(const struct trees *t, struct output *out) {
    output_format(out, "\"frames\":[");
    for (uint32_t i = 0; i < t->frames.count; i++) {
        enum frame_kind kind;
        size_t n;
        const char *name = tree_frame(t, i, &kind, &n);
        output_format(out, "%s\n[\"%c\",", i > 0 ? "," : "", kind);
        write_bytes(out, name, n);
        output_bytes(out, "]", 1);
    }
    output_format(out, "],\n");
}

/* One line per node: the node that it lies in (-1: none), its frame, the weight of the stacks that end in it. */
static void write_tree(const struct tree *tree, struct output *out) {
    output_format(out, "{\"name\":\"%s\",\"unit\":\"%s\",\"nodes\":[", tree->name, tree->unit);
    for (uint32_t i = 0; i < tree->nodes.count; i++) {
        struct tree_node n = tree_node(tree, i);
        long long parent = n.parent == NO_INDEX ? -1 : (long long)n.parent;
        output_format(out, "%s\n%lld,%u,%llu", i > 0 ? "," : "", parent, n.frame, (unsigned long long)tree->self[i]);
    }
    output_format(out, "]}");
}

static void write_stacks(struct hprof *h, struct output *out) {
    struct trees t;
    const char *between = "";
    trees_make(h, &t);
    write_frames(&t, out);
    output_format(out, "\"profiles\":[");
    for (int k = 0; k < STACK_KINDS; k++) {
        if (!t.kinds[k].collected) continue;
        output_format(out, "%s\n", between);
        write_tree(&t.kinds[k], out);
        between = ",";
    }
    output_format(out, "],\n");
    trees_free(&t);
}

static void write_histogram(struct hprof *h, JNIEnv *jni, struct output *out) {
    uint32_t count;
    struct class_total *rows = histogram_take(h, jni, &count);
    output_format(out, "\"classes\":[");
    for (uint32_t i = 0; i < count; i++) {
        output_format(out, "%s\n[", i > 0 ? "," : "");
        write_string(out, rows[i].class->name);
        output_format(out, ",%llu,%llu]", (unsigned long long)rows[i].objects, (unsigned long long)rows[i].bytes);
    }
    output_format(out, "]");
    free(rows);
}

void html_write(struct hprof *h, JNIEnv *jni, struct output *out) {
    output_bytes(out, html_page_head, html_page_head_size);
    output_format(out, "{");
    write_heading(h, out);
    write_stacks(h, out);
    write_histogram(h, jni, out);
    output_format(out, "}");
    output_bytes(out, html_page_tail, html_page_tail_size);
}
