/* The sources of options in their order: environment, the creator's list, files; and the result's life. */
#include "base/options.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/options_internal.h"
#include "base/os.h"

/* ---- Results -------------------------------------------------------------------------------------------------- */

bool options_fail(struct option_reader *r, enum options_result result, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    vm_print(true, "%s\n", text ? text : fmt);
    mem_free(text);
    r->result = result;
    return false;
}

bool options_fail_init(struct option_reader *r, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    vm_print(false, "Error occurred during initialization of VM\n%s\n", text ? text : fmt);
    mem_free(text);
    r->result = OPTIONS_ERROR;
    return false;
}

bool options_no_memory(struct option_reader *r) {
    r->result = OPTIONS_NO_MEMORY;
    return false;
}

/* ---- Properties ----------------------------------------------------------------------------------------------- */

static struct vm_property *property_of(const struct vm_options *o, const char *key) {
    for (size_t i = 0; i < o->properties.count; i++)
        if (strcmp(o->properties.data[i].key, key) == 0) return &o->properties.data[i];
    return NULL;
}

const char *options_property(const struct vm_options *o, const char *key) {
    const struct vm_property *p = property_of(o, key);
    return p ? p->value : NULL;
}

bool options_set_property(struct vm_options *o, const char *key, const char *value, bool internal, bool writeable) {
    struct vm_property *old = property_of(o, key);
    struct vm_property  p = { old ? NULL : mem_strdup(key), mem_strdup(value), internal, writeable };
    if (p.value && old) {
        mem_free(old->value);
        old->value = p.value;
        return true;
    }
    if (p.value && p.key && vec_push(&o->properties, p)) return true;
    mem_free(p.key);
    mem_free(p.value);
    return false;
}

bool options_add_numbered_property(struct vm_options *o, const char *prefix, const char *value) {
    for (unsigned n = 0;; n++) {
        char *key = mem_printf("%s.%u", prefix, n);
        if (!key) return false;
        bool free = property_of(o, key) == NULL, ok = free && options_set_property(o, key, value, true, false);
        mem_free(key);
        if (free) return ok;
    }
}

/* ---- Words of files and environment --------------------------------------------------------------------------- */

typedef VEC(char *) word_list;

static void words_free(word_list *words) {
    for (size_t i = 0; i < words->count; i++) mem_free(words->data[i]);
    vec_free(words);
}

enum split { SPLIT_OK, SPLIT_QUOTE, SPLIT_MEMORY };

/* White space separates; ' and " protect it and are dropped; with comments, # up to the end of the line is skipped. */
static enum split split_words(const char *text, bool comments, word_list *out) {
    while (true) {
        while (isspace((unsigned char)*text)) text++;
        if (comments && *text == '#') {
            text += strcspn(text, "\n");
            continue;
        }
        if (!*text) return SPLIT_OK;
        char *word = mem_alloc(strlen(text) + 1), *p = word, quote = 0;
        if (!word) return SPLIT_MEMORY;
        for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
            if (quote ? *text == quote : *text == '\'' || *text == '"') quote = quote ? 0 : *text;
            else *p++ = *text;
        }
        *p = 0;
        if (!vec_push(out, word)) {
            mem_free(word);
            return SPLIT_MEMORY;
        }
        if (quote) return SPLIT_QUOTE;
    }
}

/* ---- Containers ----------------------------------------------------------------------------------------------- */

struct container {
    const char       *name;                /* as messages call it */
    enum flag_origin  origin;
    word_list         words;
    VEC(void *)       extras;              /* extraInfo of each word */
    bool              file_seen;
    char             *file;                /* the -XX:VMOptionsFile option */
};

static void container_free(struct container *c) {
    words_free(&c->words);
    vec_free(&c->extras);
    mem_free(c->file);
}

static bool container_add(struct option_reader *r, struct container *c, const char *text, void *extra) {
    char *copy = mem_strdup(text);
    if (copy && vec_push(&c->words, copy)) {
        if (vec_push(&c->extras, extra)) return true;
        c->words.count--;
    }
    mem_free(copy);
    return options_no_memory(r);
}

static bool add_words(struct option_reader *r, struct container *c, const char *text, const char *where) {
    word_list  words = { 0 };
    enum split how = split_words(text, false, &words);
    bool ok = how == SPLIT_OK || (how == SPLIT_QUOTE ? options_fail(r, OPTIONS_ERROR, "Unmatched quote in %s", where)
                                                     : options_no_memory(r));
    for (size_t i = 0; ok && i < words.count; i++) ok = container_add(r, c, words.data[i], NULL);
    words_free(&words);
    return ok;
}

static bool add_environment(struct option_reader *r, struct container *c) {
    const char *text = os_env(c->name);
    /* A privileged program does not take options from whoever started it. */
    if (!text || getuid() != geteuid() || getgid() != getegid()) return true;
    vm_print(true, "Picked up %s: %s\n", c->name, text);
    return add_words(r, c, text, c->name);
}

#define MAX_OPTIONS_FILE MIB

/* The words of the file take the place of the option that named it. */
static bool expand_options_file(struct option_reader *r, struct container *c) {
    struct container in = *c;
    bool ok = true;
    c->words = (word_list){ 0 };
    memset(&c->extras, 0, sizeof c->extras);
    for (size_t i = 0; ok && i < in.words.count; i++) {
        const char *word = in.words.data[i];
        if (strncmp(word, "-XX:VMOptionsFile=", 18) != 0) {
            ok = container_add(r, c, word, in.extras.data[i]);
            continue;
        }
        if (c->file) {
            ok = options_fail(r, OPTIONS_INVALID,
                              "The option '%s' is already specified in the options container '%s' so the "
                              "specification of '%s' in the same options container is an error.",
                              c->file, c->name, word);
            continue;
        }
        char *text = os_read_text(word + 18, MAX_OPTIONS_FILE);
        c->file = mem_strdup(word);
        size_t first = c->words.count;
        if (!text) ok = options_fail(r, OPTIONS_ERROR, "Could not open options file '%s'", word + 18);
        else ok = c->file ? add_words(r, c, text, word + 18) : options_no_memory(r);
        for (size_t k = first; ok && k < c->words.count; k++)
            if (strncmp(c->words.data[k], "-XX:VMOptionsFile=", 18) == 0)
                ok = options_fail(
                    r, OPTIONS_INVALID,
                    "A VM options file may not refer to a VM options file. Specification of "
                    "'-XX:VMOptionsFile=<file-name>' in the options file '%s' in options container '%s' is an "
                    "error.",
                    word, c->name);
        mem_free(text);
    }
    in.file = NULL;
    container_free(&in);
    return ok;
}

/* ---- What must hold before the rest is read ------------------------------------------------------------------- */

struct early {
    const char *settings_file;
    bool        print_options, ignore;
};

static bool read_early(struct option_reader *r, const struct container *c, struct early *e) {
    for (size_t i = 0; i < c->words.count; i++) {
        const char *word = c->words.data[i];
        if (strcmp(word, "vfprintf") == 0)
            log_set_vfprintf_hook(r->o->vfprintf_hook = (int (*)(void *, const char *, va_list))c->extras.data[i]);
        else if (strcmp(word, "exit") == 0) r->o->exit_hook = (void (*)(int))c->extras.data[i];
        else if (strcmp(word, "abort") == 0) base_set_abort_hook(r->o->abort_hook = (void (*)(void))c->extras.data[i]);
        else if (strncmp(word, "-XX:Flags=", 10) == 0) e->settings_file = word + 10;
        else if (strcmp(word, "-XX:+PrintVMOptions") == 0) e->print_options = true;
        else if (strcmp(word, "-XX:-PrintVMOptions") == 0) e->print_options = false;
        else if (strcmp(word, "-XX:+IgnoreUnrecognizedVMOptions") == 0) e->ignore = true;
        else if (strcmp(word, "-XX:-IgnoreUnrecognizedVMOptions") == 0) e->ignore = false;
        else if (strcmp(word, "-XX:+PrintFlagsInitial") == 0) {
            options_print_flags(r->o, false);
            r->result = OPTIONS_EXIT;
            return false;
        } else if (strncmp(word, "-XX:NativeMemoryTracking=", 25) == 0) {
            const char *mode = word + 25;
            if (strcmp(mode, "off") != 0 && strcmp(mode, "summary") != 0 && strcmp(mode, "detail") != 0)
                return options_fail(r, OPTIONS_ERROR,
                                    "Syntax error, expecting -XX:NativeMemoryTracking=[off|summary|detail]");
        }
    }
    return true;
}

/* Remembers an option for sun.rt.jvmArgs and RuntimeMXBean. */
static bool remember(struct option_reader *r, char **joined, const char *text) {
    char *copy = mem_strdup(text);
    char *both = mem_printf("%s%s%s", *joined ? *joined : "", *joined ? " " : "", text);
    if (both) {
        mem_free(*joined);
        *joined = both;
    }
    if (copy && both && vec_push(&r->o->jvm_arg_list, copy)) return true;
    mem_free(copy);
    return options_no_memory(r);
}

/* The format of .hotspotrc: "+UseFoo", "-UseFoo", "Foo=1". Every wrong word is reported, and every word printed once
 * *print is true, which a word before may cause. */
static bool read_settings_file(struct option_reader *r, const char *path, bool *print) {
    char *text = os_read_text(path, MAX_OPTIONS_FILE);
    if (!text) return r->ignore || options_fail(r, OPTIONS_INVALID, "Could not open settings file %s", path);
    word_list words = { 0 };
    bool      ok = split_words(text, true, &words) != SPLIT_MEMORY || options_no_memory(r);
    r->origin = FLAG_CONFIG_FILE;
    for (size_t i = 0; i < words.count; i++) {
        if (*print) vm_print(false, "VM option '%s'\n", words.data[i]);
        ok &= remember(r, &r->o->jvm_flags, words.data[i]);
        ok &= options_read_flag(r, words.data[i]);
        if (strcmp(words.data[i] + 1, "PrintVMOptions") == 0) *print = words.data[i][0] == '+';
    }
    words_free(&words);
    mem_free(text);
    return ok;
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

static bool hidden_from_arguments(const char *word) {
    return strncmp(word, "-Djava.class.path", 17) == 0 || strncmp(word, "-Dsun.java.command", 18) == 0 ||
           strncmp(word, "-Dsun.java.launcher", 19) == 0;
}

static bool read_container(struct option_reader *r, const struct container *c) {
    r->origin = c->origin;
    for (size_t i = 0; i < c->words.count; i++) {
        const char *word = c->words.data[i];
        if (!hidden_from_arguments(word) && !remember(r, &r->o->jvm_args, word)) return false;
        if (!options_read_x(r, word)) return false;
    }
    return true;
}

static void print_vm_options(const struct container *c) {
    for (size_t i = 0; i < c->words.count; i++)
        if (strncmp(c->words.data[i], "-XX:", 4) == 0) vm_print(false, "VM option '%s'\n", c->words.data[i] + 4);
}

/* -Xrun libraries come before the other agents, whatever their place on the command line. */
static void order_agents(struct vm_options *o) {
    size_t front = 0;
    for (size_t i = 0; i < o->agents.count; i++) {
        if (o->agents.data[i].kind != AGENT_XRUN) continue;
        struct vm_agent a = o->agents.data[i];
        memmove(&o->agents.data[front + 1], &o->agents.data[front], (i - front) * sizeof a);
        o->agents.data[front++] = a;
    }
}

static bool read_all(struct option_reader *r, struct container c[3]) {
    struct early e = { .ignore = r->ignore };
    for (int i = 0; i < 3; i++)
        if (!expand_options_file(r, &c[i])) return false;
    for (int i = 0; i < 3; i++)
        if (!read_early(r, &c[i], &e)) return false;
    r->ignore = e.ignore;
    if (e.settings_file) {
        if (!read_settings_file(r, e.settings_file, &e.print_options)) return false;
    } else if (os_file_exists(".hotspotrc")) {
        vm_warning(".hotspotrc file is present but has been ignored.  Run with -XX:Flags=.hotspotrc to load the file.");
    }
    if (e.print_options)
        for (int i = 0; i < 3; i++) print_vm_options(&c[i]);
    for (int i = 0; i < 3; i++)
        if (!read_container(r, &c[i])) return false;
    order_agents(r->o);
    return true;
}

enum options_result options_parse(struct vm_options *o, int library, const struct option_input *given, size_t count,
                                  bool ignore_unrecognized) {
    struct option_reader r = { .o = o, .ignore = ignore_unrecognized, .result = OPTIONS_OK };
    struct container     c[3] = {
        { .name = "JAVA_TOOL_OPTIONS", .origin = FLAG_ENVIRONMENT },
        { .name = "cmd_line_args",     .origin = FLAG_COMMAND_LINE },
        { .name = "_JAVA_OPTIONS",     .origin = FLAG_ENVIRONMENT },
    };
    memset(o, 0, sizeof *o);
    o->library = library;
    log_set_library(library);
    o->finalization = true;
    flags_set_defaults(o);
    log_init();
    bool ok = add_environment(&r, &c[0]) && add_environment(&r, &c[2]);
    for (size_t i = 0; ok && i < count; i++) ok = container_add(&r, &c[1], given[i].text, given[i].extra);
    if (ok) read_all(&r, c);
    for (int i = 0; i < 3; i++) container_free(&c[i]);
    return r.result;
}

void options_free(struct vm_options *o) {
    for (size_t i = 0; i < o->properties.count; i++) {
        mem_free(o->properties.data[i].key);
        mem_free(o->properties.data[i].value);
    }
    for (size_t i = 0; i < o->agents.count; i++) {
        mem_free(o->agents.data[i].name);
        mem_free(o->agents.data[i].options);
    }
    for (size_t i = 0; i < o->assertions.count; i++) mem_free(o->assertions.data[i].name);
    for (size_t i = 0; i < o->patch_modules.count; i++) mem_free(o->patch_modules.data[i]);
    for (size_t i = 0; i < o->jvm_arg_list.count; i++) mem_free(o->jvm_arg_list.data[i]);
    vec_free(&o->properties);
    vec_free(&o->agents);
    vec_free(&o->assertions);
    vec_free(&o->patch_modules);
    vec_free(&o->jvm_arg_list);
    mem_free(o->boot_append);
    mem_free(o->jvm_args);
    mem_free(o->jvm_flags);
    mem_free(o->java_command);
    flags_free(o);
    memset(o, 0, sizeof *o);
}
