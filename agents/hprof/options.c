/* options.c: reads the option string of the HPROF agent (HP-001 ... HP-015, HP-029 ... HP-033). */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_usage[] =
    "HPROF: heap, CPU and monitor profiles.\n"
    "\n"
    "  -agentlib:hprof[=help]|[=option=value,...]       with the VM; -Xrunhprof[:...] means the same\n"
    "  jcmd <pid> JVMTI.agent_load <library> \"...\"      into a running program\n"
    "\n"
    "Option Name and Value    Description                                        Default\n"
    "---------------------    -----------                                        -------\n"
    "heap=dump|sites|all      heap profiling                                     all (off with cpu= or monitor=)\n"
    "cpu=samples|times|old    CPU usage                                          off\n"
    "monitor=y|n              monitor contention                                 n\n"
    "format=a|b               text or binary output                              a\n"
    "format=collapsed|pprof   stacks for flame graph tools and for pprof\n"
    "format=html              a page for the browser: flame graphs, classes\n"
    "file=<name>              write data to file, %p is the process id           java.hprof[.txt for text]\n"
    "net=<host>:<port>        send data over a socket                            write to file\n"
    "depth=<size>             stack trace depth                                  4 (32: collapsed, pprof; 128: html)\n"
    "interval=<ms>            sampling interval of cpu=samples                   10\n"
    "interval=<bytes>[k|m]    heap=sites without cpu=samples: sample allocations every allocation\n"
    "cutoff=<value>           output cutoff point                                0.0001\n"
    "lineno=y|n               line numbers in traces                             y\n"
    "thread=y|n               thread in traces                                   n\n"
    "doe=y|n                  dump on exit                                       y\n"
    "msa=y|n                  micro state accounting (no effect on Linux)        n\n"
    "force=y|n                y: overwrite the file; n: choose a new name        y\n"
    "verbose=y|n              messages about dumps on standard error             y\n"
    "redact=y|n               no contents in heap dumps, no names of threads     n\n"
    "gzip=y|n                 compress the output                                n\n"
    "gc_okay=y|n              accepted without effect\n"
    "start|stop|dump          for a library that is attached again: begin or end\n"
    "                         to collect data, or write it now; with format= and file= dump\n"
    "                         writes a copy as collapsed, pprof or html\n"
    "\n"
    "A comma inside a value is written \\, .\n"
    "\n"
    "Examples\n"
    "  java -agentlib:hprof=heap=dump,format=b,file=%p.hprof Program      a heap dump for VisualVM, when Program ends\n"
    "  java -agentlib:hprof=cpu=samples,depth=8 Program                   hot methods, in java.hprof.txt\n"
    "  java -agentlib:hprof=cpu=samples,format=collapsed Program          stacks for a flame graph\n"
    "  java -agentlib:hprof=cpu=samples,format=html Program               the same to look at, in java.hprof.html\n"
    "  jcmd <pid> JVMTI.agent_load /path/libhprof.so dump                 what has been collected, now\n"
    "  jcmd <pid> JVMTI.agent_load /path/libhprof.so dump,format=html,file=now.html    the same as a page beside the "
        "file\n";

/* ---- words ------------------------------------------------------------------------------------------------------ */

struct reader {
    struct options *o;
    char *error;
    unsigned size;
    bool interval_given, depth_given;
    char interval_unit;             /* last character of interval=                                       */
    long interval_value;
    unsigned given;                 /* bit per row of the table                                          */
};

static bool bad(struct reader *r, const char *word, const char *why) {
    snprintf(r->error, r->size, "bad option '%s': %s", word, why);
    return false;
}

/* Copies the next word of *text up to an unescaped comma and moves *text behind it. */
static char *next_word(const char **text) {
    char *word = malloc(strlen(*text) + 1);
    if (word == NULL) return NULL;
    char *to = word;
    const char *p = *text;
    for (; *p != '\0' && *p != ','; p++) {
        if (p[0] == '\\' && p[1] == ',') p++;
        *to++ = *p;
    }
    *to = '\0';
    *text = p;
    return word;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static bool set_flag(struct reader *r, const char *word, const char *value, bool *flag) {
    if (strcmp(value, "y") != 0 && strcmp(value, "n") != 0) return bad(r, word, "y or n is needed");
    *flag = *value == 'y';
    return true;
}

/* The place of `value` in a list of words separated by '|', or -1. */
static int choice(const char *words, const char *value) {
    size_t n = strlen(value);
    for (int i = 0;; i++) {
        size_t length = strcspn(words, "|");
        if (n > 0 && n == length && strncmp(words, value, n) == 0) return i;
        if (words[length] == '\0') return -1;
        words += length + 1;
    }
}

static bool set_number(struct reader *r, const char *word, const char *value, long least, long most, long *out,
                       char **end) {
    errno = 0;
    *out = strtol(value, end, 10);
    if (*end == value || errno != 0 || *out < least) return bad(r, word, "a number is needed");
    if (*out > most) *out = most;
    return true;
}

static bool set_interval(struct reader *r, const char *word, const char *value) {
    char *end;
    if (!set_number(r, word, value, 1, INT_MAX / 1024, &r->interval_value, &end)) return false;
    if (*end != '\0' && (strchr("km", *end) == NULL || end[1] != '\0')) return bad(r, word, "a number is needed");
    r->interval_unit = *end;
    r->interval_given = true;
    return true;
}

static bool set_depth(struct reader *r, const char *word, const char *value) {
    char *end;
    long n;
    if (!set_number(r, word, value, 0, 65535, &n, &end)) return false;
    if (*end != '\0') return bad(r, word, "a number is needed");
    r->o->depth = (int)n;
    r->depth_given = true;
    return true;
}

static bool set_cutoff(struct reader *r, const char *word, const char *value) {
    char *end;
    r->o->cutoff = strtod(value, &end);
    if (end == value || *end != '\0' || !(r->o->cutoff >= 0 && r->o->cutoff <= 1))
        return bad(r, word, "a number from 0 to 1 is needed");
    return true;
}

static bool set_file(struct reader *r, const char *word, const char *value) {
    if (*value == '\0') return bad(r, word, "a file name is needed");
    r->o->file = strdup(value);
    return r->o->file != NULL || bad(r, word, "out of memory");
}

static bool set_net(struct reader *r, const char *word, const char *value) {
    const char *colon = strrchr(value, ':');
    char *end;
    long port;
    if (colon == NULL || colon == value) return bad(r, word, "<host>:<port> is needed");
    if (!set_number(r, word, colon + 1, 1, LONG_MAX, &port, &end) || *end != '\0' || port > 65535)
        return bad(r, word, "a port from 1 to 65535 is needed");
    r->o->host = strndup(value, (size_t)(colon - value));
    r->o->port = (int)port;
    return r->o->host != NULL || bad(r, word, "out of memory");
}

static bool set_heap(struct reader *r, const char *word, const char *value) {
    int n = choice("dump|sites|all", value);
    if (n < 0) return bad(r, word, "dump, sites or all is needed");
    r->o->heap = (enum heap_mode)(n + 1);
    return true;
}

static bool set_cpu(struct reader *r, const char *word, const char *value) {
    int n = choice("samples|times|old", value);
    if (n < 0) return bad(r, word, "samples, times or old is needed");
    r->o->cpu = (enum cpu_mode)(n + 1);
    return true;
}

static bool set_format(struct reader *r, const char *word, const char *value) {
    int n = choice("a|b|collapsed|pprof|html", value);
    if (n < 0) return bad(r, word, "a, b, collapsed, pprof or html is needed");
    r->o->form = (enum form)n;
    return true;
}

static bool set_monitor(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->monitor);
}
static bool set_lineno(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->lineno);
}
static bool set_thread(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->thread);
}
static bool set_doe(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->doe);
}
static bool set_force(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->force);
}
static bool set_verbose(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->verbose);
}
static bool set_redact(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->redact);
}
static bool set_gzip(struct reader *r, const char *word, const char *value) {
    return set_flag(r, word, value, &r->o->gzip);
}
static bool set_without_effect(struct reader *r, const char *word, const char *value) {
    bool ignored;
    return set_flag(r, word, value, &ignored);
}

static const struct row {
    const char *name;
    bool (*set)(struct reader *r, const char *word, const char *value);
} rows[] = {
    {"heap", set_heap}, {"cpu", set_cpu}, {"monitor", set_monitor}, {"format", set_format}, {"file", set_file},
    {"net", set_net},
    {"depth", set_depth}, {"interval", set_interval}, {"cutoff", set_cutoff}, {"lineno", set_lineno},
    {"thread", set_thread},
    {"doe", set_doe}, {"msa", set_without_effect}, {"force", set_force}, {"verbose", set_verbose},
    {"redact", set_redact},
    {"gzip", set_gzip}, {"gc_okay", set_without_effect},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static bool set_command(struct reader *r, const char *word) {
    int n = choice("help|start|stop|dump", word);
    if (n < 0) return bad(r, word, strchr(word, '=') != NULL ? "there is no such option" : "name=value is needed");
    if (n == 0) {
        r->o->help = true;
        return true;
    }
    if (r->o->command != COMMAND_NONE) return bad(r, word, "only one of start, stop and dump can be asked for");
    r->o->command = (enum command)n;
    return true;
}

static bool set(struct reader *r, const char *word) {
    size_t n = strcspn(word, "=");
    for (unsigned i = 0; i < ROWS && word[n] == '='; i++) {
        if (strlen(rows[i].name) != n || strncmp(rows[i].name, word, n) != 0) continue;
        if (r->given & 1u << i) return bad(r, word, "it is given twice");
        r->given |= 1u << i;
        return rows[i].set(r, word, word + n + 1);
    }
    return set_command(r, word);
}

/* ---- what goes together ------------------------------------------------------------------------------------------ */

static const char *const form_words[] = {"format=a", "format=b", "format=collapsed", "format=pprof", "format=html"};

static bool settle_form(struct reader *r) {
    const struct options *o = r->o;
    const char *word = form_words[o->form];
    if (o->form == FORM_BINARY && o->monitor) return bad(r, word, "it cannot show monitor=y");
    if (o->form == FORM_BINARY && o->cpu == CPU_TIMES) return bad(r, word, "it cannot show cpu=times");
    if (o->form == FORM_BINARY && o->cpu == CPU_OLD) return bad(r, word, "it cannot show cpu=old");
    if (o->form < FORM_COLLAPSED) return true;
    if (o->cpu == CPU_OLD) return bad(r, word, "it cannot show cpu=old");
    if (o->heap & HEAP_DUMP) return bad(r, word, "it cannot show heap=dump");
    if (o->form == FORM_HTML && o->gzip) return bad(r, word, "browsers do not open what gzip=y writes");
    return true;
}

static bool settle_interval(struct reader *r) {
    struct options *o = r->o;
    if (!r->interval_given) return true;
    bool bytes = (o->heap & HEAP_SITES) && o->cpu != CPU_SAMPLES;
    if (r->interval_unit != '\0' && !bytes)
        return bad(r, "interval", "k and m belong to heap=sites without cpu=samples");
    if (!bytes && o->cpu != CPU_SAMPLES) return bad(r, "interval", "it belongs to cpu=samples or heap=sites");
    if (!bytes) {
        o->interval = (int)r->interval_value;
        return true;
    }
    long scale = r->interval_unit == 'm' ? 1024 * 1024 : r->interval_unit == 'k' ? 1024 : 1;
    o->sampling = r->interval_value > INT_MAX / scale ? INT_MAX : (int)(r->interval_value * scale);
    return true;
}

static unsigned bits_of(const char *names) {
    unsigned bits = 0;
    for (unsigned i = 0; i < ROWS; i++)
        if (choice(names, rows[i].name) >= 0) bits |= 1u << i;
    return bits;
}

/* A library that is attached again may be asked for a copy of what it has, for which another place than the profile's
 * own file is needed. */
static bool is_copy(const struct reader *r) {
    const unsigned place = bits_of("file|net");
    return r->o->command == COMMAND_DUMP && r->o->form >= FORM_COLLAPSED && (r->given & place) != 0 &&
           (r->given & ~(place | bits_of("format|force|gzip"))) == 0;
}

/* Defaults that depend on other options, and options that contradict each other. */
static bool settle(struct reader *r) {
    struct options *o = r->o;
    if (o->help) return true;
    o->only_command = o->command != COMMAND_NONE && r->given == 0;
    o->only_copy = is_copy(r);
    if (o->heap == HEAP_OFF && o->cpu == CPU_OFF && !o->monitor) {
        if (o->form >= FORM_COLLAPSED) o->cpu = CPU_SAMPLES;
        else o->heap = HEAP_ALL;
    }
    if (!settle_form(r) || !settle_interval(r)) return false;
    if (!r->depth_given && o->form >= FORM_COLLAPSED) o->depth = o->form == FORM_HTML ? 128 : 32;
    if (o->host != NULL && o->file != NULL) return bad(r, "net", "it cannot be combined with file=");
    if (o->host == NULL && o->file == NULL) o->file = strdup(options_default_file(o->form, o->gzip));
    return o->host != NULL || o->file != NULL || bad(r, "file", "out of memory");
}

/* ---- public ----------------------------------------------------------------------------------------------------- */

const char *options_default_file(enum form form, bool gzip) {
    switch (form) {
    case FORM_BINARY: return gzip ? "java.hprof.gz" : "java.hprof";
    case FORM_COLLAPSED: return gzip ? "java.hprof.collapsed.gz" : "java.hprof.collapsed";
    case FORM_HTML: return "java.hprof.html";
    case FORM_PPROF: return gzip ? "java.hprof.pb.gz" : "java.hprof.pb";
    default: return gzip ? "java.hprof.txt.gz" : "java.hprof.txt";
    }
}

bool options_parse(struct options *out, const char *text, char *error, unsigned size) {
    *out = (struct options){.lineno = true,
                            .doe = true,
                            .force = true,
                            .verbose = true,
                            .depth = 4,
                            .cutoff = 0.0001,
                            .interval = 10};
    struct reader r = {.o = out, .error = error, .size = size};
    for (const char *p = text; p != NULL && *p != '\0';) {
        char *word = next_word(&p);
        bool ok = word != NULL ? set(&r, word) : bad(&r, "", "out of memory");
        free(word);
        if (!ok) return false;
        if (*p == ',' && *++p == '\0') return bad(&r, "", "an option is missing after the last comma");
    }
    return settle(&r);
}

void options_free(struct options *o) {
    free(o->file);
    free(o->host);
    o->file = o->host = NULL;
}
