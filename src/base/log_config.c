/* -Xlog: the configuration language of logging, and its description.
 *
 * text = [what] : [output] : [decorators] : [options];  what = selection {"," selection};
 * selection = tag {"+" tag} ["*"] ["=" level] */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hooks.h"
#include "base/log_internal.h"
#include "base/os.h"
#include "base/similarity.h"

#define MAX_TAGS       5
#define MAX_SELECTIONS 64

static const struct foreign_tag { const char *name; int only; } foreign_tags[] = {    /* only 0: both libraries */
#define TAG(name, only) { name, only },
#include "base/log_tag_names.def"
#undef TAG
};

static bool has_tag(const struct foreign_tag *t) { return t->only == 0 || log_library == 0 || t->only == log_library; }

/* ---- Words ---------------------------------------------------------------------------------------------------- */

struct word { const char *p; size_t n; };

static bool word_is(struct word w, const char *s)  { return strlen(s) == w.n && memcmp(w.p, s, w.n) == 0; }
static bool word_like(struct word w, const char *s) { return strlen(s) == w.n && strncasecmp(w.p, s, w.n) == 0; }

/* Splits at `c`: returns what stands before it and moves *rest behind it; *more tells whether it was there. */
static struct word take_until(struct word *rest, char c, bool *more) {
    const char *at = memchr(rest->p, c, rest->n);
    struct word first = { rest->p, at ? (size_t)(at - rest->p) : rest->n };
    *more = at != NULL;
    *rest = at ? (struct word){ at + 1, rest->n - first.n - 1 } : (struct word){ rest->p + rest->n, 0 };
    return first;
}

static bool wrong(char **err, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool wrong(char **err, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    if (*err && text) {                          /* a second sentence about the same thing */
        char *both = mem_printf("%s\n%s", *err, text);
        mem_free(text);
        text = both;
    }
    mem_free(*err);
    *err = text;
    return false;
}

/* ---- Tags ----------------------------------------------------------------------------------------------------- */

/* The tags of one of our sets, one after another. */
static bool next_tag(struct word *rest, struct word *out) {
    bool more;
    if (rest->n == 0) return false;
    *out = take_until(rest, '+', &more);
    return true;
}

static bool set_has_tag(enum log_tagset set, struct word tag) {
    struct word rest = { log_tagset_names[set], strlen(log_tagset_names[set]) }, t;
    while (next_tag(&rest, &t))
        if (t.n == tag.n && strncasecmp(t.p, tag.p, t.n) == 0) return true;
    return false;
}

static int set_size(enum log_tagset set) {
    int n = 1;
    for (const char *p = log_tagset_names[set]; *p; p++) n += *p == '+';
    return n;
}

static bool tag_known(struct word tag) {
    for (size_t i = 0; i < ARRAY_LEN(foreign_tags); i++)
        if (has_tag(&foreign_tags[i]) && word_like(tag, foreign_tags[i].name)) return true;
    for (int s = 0; s < LOG_TAGSET_COUNT; s++)
        if (set_has_tag((enum log_tagset)s, tag)) return true;
    return false;
}

struct guess { const char *name; double score; };

static void try_name(struct guess *best, struct word w, const char *name) {
    double score = similarity(name, strlen(name), w.p, w.n);
    if (score >= best->score) *best = (struct guess){ name, score };
}

static const char *closest_level(struct word w) {
    struct guess best = { NULL, 0.5 };
    for (int i = 0; i < LOG_LEVEL_COUNT; i++) try_name(&best, w, log_level_names[i]);
    return best.name;
}

static const char *closest_tag(struct word w) {
    struct guess best = { NULL, 0.5 };
    for (size_t i = 0; i < ARRAY_LEN(foreign_tags); i++)
        if (has_tag(&foreign_tags[i])) try_name(&best, w, foreign_tags[i].name);
    return best.name;
}

/* ---- Selections ----------------------------------------------------------------------------------------------- */

struct selection {
    struct word    tags[MAX_TAGS];
    int            count;                   /* 0 with wildcard: all */
    bool           wildcard;
    enum log_level level;
};

static bool parse_level(struct word w, enum log_level *out, char **err) {
    for (int i = 0; i < LOG_LEVEL_COUNT; i++)
        if (word_like(w, log_level_names[i])) {
            *out = (enum log_level)i;
            return true;
        }
    const char *near = closest_level(w);
    return wrong(err, near ? "Invalid level '%.*s' in log selection. Did you mean '%s'?"
                           : "Invalid level '%.*s' in log selection.", (int)w.n, w.p, near);
}

static bool parse_tag(struct selection *s, struct word tag, char **err) {
    if (!tag_known(tag)) {
        const char *near = closest_tag(tag);
        return wrong(err, near ? "Invalid tag '%.*s' in log selection. Did you mean '%s'?"
                               : "Invalid tag '%.*s' in log selection.", (int)tag.n, tag.p, near);
    }
    for (int i = 0; i < s->count; i++)
        if (s->tags[i].n == tag.n && strncasecmp(s->tags[i].p, tag.p, tag.n) == 0)
            return wrong(err, "Log selection contains duplicates of tag %.*s.", (int)tag.n, tag.p);
    if (s->count == MAX_TAGS)
        return wrong(err, "Too many tags in log selection '%.*s' (can only have up to %d tags).", (int)s->tags[0].n,
                     s->tags[0].p, MAX_TAGS);
    s->tags[s->count++] = tag;
    return true;
}

static bool parse_selection(struct word w, struct selection *out, char **err) {
    bool        has_level, more = true;
    struct word rest = w, tags = take_until(&rest, '=', &has_level);
    *out = (struct selection){ .level = LOG_INFO };
    if (has_level && !parse_level(rest, &out->level, err)) return false;
    if (word_is(tags, "all")) {
        out->wildcard = true;
        return true;
    }
    if (tags.n > 0 && memchr(tags.p, '*', tags.n) == tags.p + tags.n - 1) {
        out->wildcard = true;
        tags.n--;
    }
    while (more)
        if (!parse_tag(out, take_until(&tags, '+', &more), err)) return false;
    return true;
}

static bool selects(const struct selection *s, enum log_tagset set) {
    for (int i = 0; i < s->count; i++)
        if (!set_has_tag(set, s->tags[i])) return false;
    return s->wildcard || set_size(set) == s->count;
}

/* ---- Decorators ----------------------------------------------------------------------------------------------- */

static bool parse_decorators(const char *text, uint32_t *out, char **err) {
    struct word rest = { text, strlen(text) };
    bool        more = true;
    *out = DECOR_DEFAULT;
    if (rest.n == 0) return true;
    *out = 0;
    if (word_is(rest, "none")) return true;
    while (more) {
        struct word w = take_until(&rest, ',', &more);
        int d = 0;
        while (d < DECOR_COUNT && !word_like(w, log_decorator_names[d].name) &&
               !word_like(w, log_decorator_names[d].abbreviation))
            d++;
        if (d == DECOR_COUNT) return wrong(err, "Invalid decorator '%.*s'.", (int)w.n, w.p);
        *out |= 1u << d;
    }
    return true;
}

/* ---- Outputs -------------------------------------------------------------------------------------------------- */

/* %p, %t and %hn in a file name. */
static char *expand_name(const char *name) {
    VEC(char) out = { 0 };
    char host[65] = "localhost", pid[16];
    snprintf(pid, sizeof pid, "%d", (int)os_pid());
    gethostname(host, sizeof host - 1);
    bool ok = true;
    for (const char *p = name; ok && *p;) {
        const char *text = NULL;
        int         skip = 2;
        if (strncmp(p, "%p", 2) == 0) text = pid;
        else if (strncmp(p, "%t", 2) == 0) text = log_start_stamp();
        else if (strncmp(p, "%hn", 3) == 0) text = host, skip = 3;
        if (!text) {
            ok = vec_push(&out, *p++);
            continue;
        }
        p += skip;
        while (ok && *text) ok = vec_push(&out, *text++);
    }
    if (ok && vec_push(&out, 0)) return out.data;
    vec_free(&out);
    return NULL;
}

/* "file=\"a:b\"" and "file=a" -> "file=a..."; a name without type means a file. Caller frees. */
static char *normal_output_name(const char *given) {
    if (strcmp(given, "stdout") == 0 || strcmp(given, "stderr") == 0) return mem_strdup(given);
    const char *name = strncmp(given, "file=", 5) == 0 ? given + 5 : given;
    size_t n = strlen(name);
    if (n >= 2 && name[0] == '"' && name[n - 1] == '"') {
        name++;
        n -= 2;
    }
    return mem_printf("file=%.*s", (int)n, name);
}

static bool parse_file_size(const char *s, uint64_t *out) {
    char *end;
    if (*s < '0' || *s > '9') return false;
    uint64_t v = strtoull(s, &end, 10);
    int shift = *end == 'k' || *end == 'K' ? 10 : *end == 'm' || *end == 'M' ? 20 : *end == 'g' || *end == 'G' ? 30
              : *end == 't' || *end == 'T' ? 40 : 0;
    if (shift) end++;
    *out = v << shift;
    return *end == 0 && (*out >> shift) == v;
}

static bool parse_output_option(struct log_output *o, struct word w, char **err) {
    bool        has_value;
    struct word value = w, key = take_until(&value, '=', &has_value);
    char       *text = mem_strndup(value.p, value.n);
    bool        ok = true;
    uint64_t    size;
    if (!text) return wrong(err, "Out of memory.");
    if (has_value && word_is(key, "foldmultilines") && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        o->fold = *text == 't';
    } else if (has_value && word_is(key, "foldmultilines") && log_library != 17) {
        ok = wrong(err, "Invalid option: foldmultilines must be 'true' or 'false'.");
    } else if (has_value && o->path && word_is(key, "filecount")) {
        char *end;
        unsigned long n = strtoul(text, &end, 10);
        ok = *text >= '0' && *text <= '9' && *end == 0 && n <= 1000;
        if (ok) o->file_count = (unsigned)n;
        else wrong(err, "Invalid option: filecount must be in range [0, 1000]");
    } else if (has_value && o->path && word_is(key, "filesize")) {
        ok = parse_file_size(text, &size);
        if (ok) o->rotate_size = size;
        else wrong(err, "Invalid option: filesize must be in range [0, %" PRIu64 "]", UINT64_MAX);
    } else {
        ok = log_library == 17 ? wrong(err, "Invalid option '%.*s' for log file output.", (int)key.n, key.p)
                               : wrong(err, "Invalid option '%.*s' for log output (%s).", (int)key.n, key.p, o->name);
    }
    mem_free(text);
    return ok;
}

static bool parse_output_options(struct log_output *o, const char *options, char **err) {
    struct word rest = { options, strlen(options) };
    bool        more = true;
    while (rest.n > 0 && more)
        if (!parse_output_option(o, take_until(&rest, ',', &more), err)) return false;
    return true;
}

#define DEFAULT_FILE_COUNT 5
#define DEFAULT_FILE_SIZE  (20 * MIB)

/* lock held; takes over name. */
static struct log_output *new_file_output(char *name, const char *options, char **err) {
    struct log_output *o = mem_zalloc(sizeof *o);
    if (o) {
        o->name = name;
        o->fd = -1;
        o->decorators = DECOR_DEFAULT;
        o->file_count = DEFAULT_FILE_COUNT;
        o->rotate_size = DEFAULT_FILE_SIZE;
        o->path = expand_name(name + 5);
        if (o->path && parse_output_options(o, options, err) && log_file_open(o, err) && vec_push(&log_outputs, o))
            return o;
        wrong(err, "Initialization of output '%s' using options '%s' failed.", name, *options ? options : "(null)");
        log_output_free(o);
    } else {
        mem_free(name);
    }
    return NULL;
}

/* lock held. Output options are for a new file, and, before the VM runs, for the two standard outputs. */
static struct log_output *find_output(const char *given, const char *options, bool running, char **err) {
    if (given[0] == '#') {
        char *end;
        unsigned long i = strtoul(given + 1, &end, 10);
        if (end != given + 1 && *end == 0 && i < log_outputs.count) return log_outputs.data[i];
        wrong(err, "Invalid output index '%s'", given);
        return NULL;
    }
    char *name = normal_output_name(*given ? given : "stdout");
    if (!name) return NULL;
    for (size_t i = 0; i < log_outputs.count; i++)
        if (strcmp(log_outputs.data[i]->name, name) == 0) {
            struct log_output *o = log_outputs.data[i];
            mem_free(name);
            if (!running && o->path == NULL) return parse_output_options(o, options, err) ? o : NULL;
            if (*options != '\0') wrong(err, "Output options for existing outputs are ignored.");
            return o;
        }
    return new_file_output(name, options, err);
}

static bool is_off(const struct log_output *o) {
    for (int t = 0; t < LOG_TAGSET_COUNT; t++)
        if (o->level[t] != LOG_OFF) return false;
    return true;
}

/* lock held: a file into which nothing is written any more. The last one gets its number. */
static void remove_output(struct log_output *o) {
    size_t i = 0;
    while (log_outputs.data[i] != o) i++;
    log_outputs.data[i] = log_outputs.data[--log_outputs.count];
    log_output_free(o);
}

/* ---- Applying ------------------------------------------------------------------------------------------------- */

bool log_configure_parts(const char *output, const char *what, const char *decorators, const char *options,
                         bool running, char **err) {
    struct selection list[MAX_SELECTIONS];
    uint32_t bits;
    size_t   count = 0;
    bool     more = true;
    char    *why = NULL;
    struct word rest = { what && *what ? what : "all", what && *what ? strlen(what) : 3 };
    bool     ok = true;
    while (ok && more) {
        struct word w = take_until(&rest, ',', &more);
        if (count == MAX_SELECTIONS) ok = wrong(&why, "Can not have more than %d selections.", MAX_SELECTIONS);
        else ok = parse_selection(w, &list[count++], &why);
    }
    ok = ok && parse_decorators(decorators ? decorators : "", &bits, &why);
    if (ok) {
        lock_acquire(&log_lock);
        struct log_output *o = find_output(output ? output : "", options ? options : "", running, &why);
        ok = o != NULL;
        if (ok) {
            if (o->decorators != bits) memset(o->width, 0, sizeof o->width);
            o->decorators = bits;
            o->reconfigured = running;
            for (size_t i = 0; i < count; i++)
                for (int t = 0; t < LOG_TAGSET_COUNT; t++)
                    if (selects(&list[i], (enum log_tagset)t)) o->level[t] = (uint8_t)list[i].level;
            if (o->path && is_off(o)) remove_output(o);
            log_publish_levels();
        }
        lock_release(&log_lock);
        if (ok) base_hooks.log_changed();
    }
    if (err) *err = why;
    else mem_free(why);
    return ok;
}

void log_rotate(void) {
    lock_acquire(&log_lock);
    for (size_t i = 0; i < log_outputs.count; i++)
        if (log_outputs.data[i]->path) log_file_rotate(log_outputs.data[i]);
    log_publish_levels();
    lock_release(&log_lock);
}

static void disable(bool running) {
    lock_acquire(&log_lock);
    for (size_t i = log_outputs.count; i-- > 0;) {
        struct log_output *o = log_outputs.data[i];
        memset(o->level, LOG_OFF, sizeof o->level);
        o->reconfigured = running;
        if (o->path) {
            log_output_free(o);
            log_outputs.count--;                /* files follow the two standard outputs, so the tail goes */
        }
    }
    log_publish_levels();
    lock_release(&log_lock);
    base_hooks.log_changed();
}

void log_disable(void) { disable(true); }

bool log_configure_level(const char *what, enum log_level level) {
    char *text = mem_printf("%s=%s", what, log_level_names[level]);
    bool  ok = text && log_configure_parts("stdout", text, NULL, NULL, false, NULL);
    mem_free(text);
    return ok;
}

bool log_shows_on_stdout(const char *what) {
    struct selection wanted;
    char *err = NULL;
    bool shown = parse_selection((struct word){ what, strlen(what) }, &wanted, &err);
    mem_free(err);
    lock_acquire(&log_lock);
    shown = shown && log_outputs.count != 0;
    for (int t = 0; shown && t < LOG_TAGSET_COUNT; t++)      /* stdout is the first output */
        shown = !selects(&wanted, (enum log_tagset)t) || log_outputs.data[0]->level[t] >= LOG_INFO;
    lock_release(&log_lock);
    return shown;
}

/* Cuts text at ':' into four parts, in place; quotes protect an output name. False: *err tells. */
static bool split_parts(char *text, char *part[4], char **err) {
    for (int i = 0; i < 4; i++) {
        char *p = text;
        part[i] = text;
        if (i == 1) {
            char *quoted = strncmp(p, "file=\"", 6) == 0 ? p + 6 : *p == '"' ? p + 1 : NULL;
            if (quoted) {
                p = strchr(quoted, '"');
                if (!p) return wrong(err, "Missing terminating quote in -Xlog option '%s'", quoted - 1);
                p++;
                if (*p && *p != ':')
                    return wrong(err, "Output name can not be partially quoted. Either surround the whole "
                                      "name with quotation marks, or do not use quotation marks at all.");
            }
        }
        text = p + strcspn(p, ":");
        if (*text) *text++ = 0;
    }
    if (*text) log_warning(logging, "Ignoring excess -Xlog options: \"%s\"", text);
    return true;
}

/* What is wrong, or only to be noted. */
static void report(char *err, bool ok) {
    for (char *line = err, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (ok) log_warning(logging, "%s", line);
        else log_error(logging, "%s", line);
    }
    mem_free(err);
}

bool log_configure(const char *text, bool *out_exit) {
    char *part[4], *err = NULL;
    *out_exit = false;
    if (*text == 0) return log_configure_parts(NULL, NULL, NULL, NULL, false, NULL);
    if (*text != ':') return false;
    text++;
    if (strcmp(text, "help") == 0) {
        log_help();
        return *out_exit = true;
    }
    if (strcmp(text, "disable") == 0) {
        disable(false);
        return true;
    }
    /* Writing is always synchronous: one write(2) per line. */
    if (strcmp(text, "async") == 0 || strcmp(text, "async:drop") == 0 || strcmp(text, "async:stall") == 0) return true;
    char *copy = mem_strdup(text);
    bool  ok = copy && split_parts(copy, part, &err) &&
               log_configure_parts(part[1], part[0], part[2], part[3], false, &err);
    mem_free(copy);
    report(err, ok);
    return ok;
}

/* ---- Describing ----------------------------------------------------------------------------------------------- */

static void add(char **text, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void add(char **text, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *more = *text ? mem_vprintf(fmt, args) : NULL;
    va_end(args);
    char *both = more ? mem_printf("%s%s", *text, more) : NULL;
    mem_free(more);
    mem_free(*text);
    *text = both;
}

static bool has_tags_of(enum log_tagset set, enum log_tagset other) {
    struct word rest = { log_tagset_names[other], strlen(log_tagset_names[other]) }, tag;
    while (next_tag(&rest, &tag))
        if (!set_has_tag(set, tag)) return false;
    return true;
}

/* Whether every set with the tags of this one has its level, and there are others: "gc*" says it of all. */
static bool speaks_for_more(const struct log_output *o, enum log_tagset set) {
    int n = 0;
    for (int t = 0; t < LOG_TAGSET_COUNT; t++) {
        if (!has_tags_of((enum log_tagset)t, set)) continue;
        if (o->level[t] != o->level[set]) return false;
        n++;
    }
    return n > 1;
}

static bool is_spoken_for(const struct log_output *o, enum log_tagset set) {
    for (enum log_tagset t = 0; t < LOG_TAGSET_COUNT; t++)
        if (t != set && has_tags_of(set, t) && speaks_for_more(o, t)) return true;
    return false;
}

static void add_levels(char **text, const struct log_output *o) {
    size_t count[LOG_LEVEL_COUNT] = { 0 };
    int    usual = 0;
    for (int t = 0; t < LOG_TAGSET_COUNT; t++) count[o->level[t]]++;
    for (int l = 1; l < LOG_LEVEL_COUNT; l++)
        if (count[l] > count[usual]) usual = l;
    add(text, "all=%s", log_level_names[usual]);
    for (int t = 0; t < LOG_TAGSET_COUNT; t++)
        if (o->level[t] != usual && !is_spoken_for(o, (enum log_tagset)t))
            add(text, ",%s%s=%s", log_tagset_names[t], speaks_for_more(o, (enum log_tagset)t) ? "*" : "",
                log_level_names[o->level[t]]);
}

static void add_output(char **text, size_t index, const struct log_output *o) {
    const char *separator = " ";
    add(text, " #%zu: %s ", index, o->name);
    add_levels(text, o);
    if (o->decorators == 0) add(text, " none");
    for (int d = 0; d < DECOR_COUNT; d++)
        if (o->decorators & 1u << d) {
            add(text, "%s%s", separator, log_decorator_names[d].name);
            separator = ",";
        }
    separator = " ";
    if (log_library != 17) {
        add(text, " foldmultilines=%s", o->fold ? "true" : "false");
        separator = ",";
    }
    if (o->path) {
        struct amount size = amount_of((size_t)o->rotate_size);
        add(text, "%sfilecount=%u,filesize=%zu%c,async=false", separator, o->file_count, size.number, size.unit);
    }
    add(text, o->reconfigured ? " (reconfigured)\n" : "\n");
}

static void add_decorators(char **text) {
    for (int d = 0; d < DECOR_COUNT; d++)
        add(text, "%s%s (%s)", d ? ", " : "", log_decorator_names[d].name, log_decorator_names[d].abbreviation);
}

static void add_tags(char **text) {
    const char *separator = " ";
    for (size_t i = 0; i < ARRAY_LEN(foreign_tags); i++) {
        if (!has_tag(&foreign_tags[i])) continue;
        add(text, "%s%s", separator, foreign_tags[i].name);
        separator = ", ";
    }
    for (int s = 0; s < LOG_TAGSET_COUNT; s++)
        if (set_size((enum log_tagset)s) == 1) {
            size_t i = 0;
            while (i < ARRAY_LEN(foreign_tags) && strcmp(foreign_tags[i].name, log_tagset_names[s]) != 0) i++;
            if (i == ARRAY_LEN(foreign_tags)) add(text, ", %s", log_tagset_names[s]);
        }
}

char *log_describe(void) {
    char *text =
        mem_strdup("Available log levels: off, trace, debug, info, warning, error\nAvailable log decorators: ");
    add_decorators(&text);
    add(&text, "\nAvailable log tags:");
    add_tags(&text);
    add(&text, "\nDescribed tag sets:\n logging: Logging for the log framework itself\nLog output configuration:\n");
    lock_acquire(&log_lock);
    for (size_t i = 0; i < log_outputs.count; i++) add_output(&text, i, log_outputs.data[i]);
    lock_release(&log_lock);
    return text;
}

void log_tell_configuration(void) {
    log_info(logging, "Log configuration fully initialized.");
    char *text = log_enabled(LOG_logging, LOG_INFO) ? log_describe() : NULL;
    if (text != NULL) log_info(logging, "%.*s", (int)strlen(text) - 1, text);
    mem_free(text);
}

void log_help(void) {
    char *text = mem_strdup(
        "-Xlog usage: -Xlog[:[selections][:[output][:[decorators][:output-options]]]]\n"
        "  selections  tag1[+tag2...][*][=level], separated by commas; 'all' stands for every tag set.\n"
        "              Without '*' exactly the named tags match. The level is 'info' when none is given.\n\n"
        "Available log levels:\n off, trace, debug, info, warning, error\n\nAvailable log decorators:\n ");
    add_decorators(&text);
    add(&text, "\n 'none' switches them all off.\n\nAvailable log tags:\n");
    add_tags(&text);
    add(&text,
        "\n\nAvailable log outputs:\n stdout, stderr, file=<filename>\n"
        "  In a file name %%p becomes the process id, %%t the time of the start, %%hn the host's name.\n\n"
        "Available log output options:\n"
        " foldmultilines=true|false  write a message of several lines as one, newlines as \\n\n"
        " filesize=<size>            files only: rotate at this size (K, M, G); 0 never\n"
        " filecount=<count>          files only: archived files that are kept; 0 overwrites\n\n"
        "-Xlog:disable switches everything off, warnings too. -Xlog:async is accepted; writing is synchronous.\n\n"
        "Examples:\n"
        " -Xlog                                       everything at 'info' to stdout\n"
        " -Xlog:gc,safepoint                          exactly these two tag sets\n"
        " -Xlog:class*=debug:file=classes.txt:none    every set with 'class' to a file, without decorations\n"
        " -Xlog:jvmti=trace::uptime,tid               tool interface calls to stdout\n");
    vm_print(false, "%s", text ? text : "");
    mem_free(text);
}
