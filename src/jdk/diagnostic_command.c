/* diagnostic_command.c — what a running VM can be asked: how a command line is read, and help. The commands are rows of
 * diagnostic_table.c. */
#include "jdk/diagnostic_command.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/diagnostic_table.h"

/* ---- answers that several have in common ------------------------------------------------------------------------- */

bool diagnostic_report(struct os_thread *self, FILE *out) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *e = self->exception != NULL ? exception_take(self) : NULL;
    if (e == NULL) return true;
    char *name = class_external_name(class_of(e));
    struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
    char *text = message ? string_dup_utf8(message) : NULL;
    fprintf(out, text ? "%s: %s\n" : "%s\n", name ? name : "?", text);
    mem_free(name);
    mem_free(text);
    return false;
}

bool diagnostic_bytes(struct os_thread *self, FILE *out, const char *class_name, const char *method, const char *desc,
                      const uint64_t *args) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, class_name);
    uint64_t result = 0;
    if (c != NULL) java_call_static_named(self, c, method, desc, args, &result);
    struct object *bytes = self->exception ? NULL : slot_object(result);
    if (bytes != NULL) fwrite(array_data(bytes), 1, (size_t)array_length(bytes), out);
    return diagnostic_report(self, out);
}

bool diagnostic_properties(struct os_thread *self, const char *method, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    return diagnostic_bytes(self, out, "jdk/internal/vm/VMSupport", method, "()[B", NULL);
}

static bool refuse(FILE *out, const char *format, const char *what) {
    fprintf(out, "java.lang.IllegalArgumentException: ");
    fprintf(out, format, what);
    fputc('\n', out);
    return false;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static bool is_for_us(enum library only) { return only == 0 || only == vm->library; }

const struct command *diagnostic_find(const char *name) {
    for (int i = 0; i < diagnostic_command_count; i++)
        if (is_for_us(diagnostic_commands[i].only) && strcmp(diagnostic_commands[i].name, name) == 0)
            return &diagnostic_commands[i];
    return NULL;
}

const struct command *diagnostic_next(const struct command *c) {
    const struct command *end = diagnostic_commands + diagnostic_command_count;
    for (c = c != NULL ? c + 1 : diagnostic_commands; c < end; c++)
        if (is_for_us(c->only) && !c->hidden) return c;
    return NULL;
}

const struct parameter *diagnostic_parameter(const struct parameter *row) {
    while (row != NULL && row->name != NULL && !is_for_us(row->only)) row++;
    return row != NULL && row->name != NULL ? row : NULL;
}

#define EACH(p, rows) \
    (const struct parameter *p = diagnostic_parameter(rows); p != NULL; p = diagnostic_parameter(p + 1))

/* ---- help -------------------------------------------------------------------------------------------------------- */

const char *diagnostic_type_name(const struct parameter *p) {
    static const char *const names[] = {[TYPE_BOOLEAN] = "BOOLEAN", [TYPE_STRING] = "STRING", [TYPE_INT] = "INT",
                                        [TYPE_FILE] = "FILE"};
    return names[p->type];
}

static void help_on_parameter(const struct parameter *p, FILE *out) {
    fprintf(out, "\n\t%s : %s %s (%s, %s)", p->name, p->mandatory ? "" : "[optional]", p->description,
            diagnostic_type_name(p), p->preset != NULL ? p->preset : "no default value");
}

static void help_on_permission(const struct permission *p, FILE *out) {
    fprintf(out, "Permission: %s(%s%s%s)\n\n", p->class, p->name, p->action != NULL ? ", " : "",
            p->action != NULL ? p->action : "");
}

void diagnostic_syntax(const struct command *c, FILE *out) {
    bool options = diagnostic_parameter(c->options) != NULL, arguments = diagnostic_parameter(c->arguments) != NULL;
    fprintf(out, options || arguments ? "Syntax : %s %s" : "Syntax: %s%s", c->name, options ? "[options]" : "");
    for EACH(p, c->arguments) fprintf(out, p->mandatory ? " <%s>" : " [<%s>]", p->name);
    if (arguments) fprintf(out, "\n\nArguments:");
    for EACH(p, c->arguments) help_on_parameter(p, out);
    if (options) fprintf(out, "\n\nOptions: (options must be specified using the <key> or <key>=<value> syntax)");
    for EACH(p, c->options) help_on_parameter(p, out);
    fputc('\n', out);
}

static void help_on(const struct command *c, FILE *out) {
    fprintf(out, "%s\n%s\n\nImpact: %s\n\n", c->name, c->description, c->impact);
    if (vm->library == LIBRARY_17 && c->permission != NULL) help_on_permission(c->permission, out);
    if (c->declined != NULL) fprintf(out, "%s\n", c->declined);
    else diagnostic_syntax(c, out);
}

bool command_help(struct request *r) {
    const char *name = r->arguments[0];
    bool all = r->on[0] || (name != NULL && strcmp(name, "all") == 0);
    const struct command *c = name != NULL && !all ? diagnostic_find(name) : NULL;
    if (c != NULL) {
        help_on(c, r->out);
    } else if (name != NULL && !all) {
        fprintf(r->out, "Help unavailable : '%s' : No such command\n", name);
    } else if (all) {
        for (c = diagnostic_next(NULL); c != NULL; c = diagnostic_next(c))
            fprintf(r->out, "%s\n\t%s\n\n", c->name, c->description);
    } else {
        fprintf(r->out, "The following commands are available:\n");
        for (c = diagnostic_next(NULL); c != NULL; c = diagnostic_next(c)) fprintf(r->out, "%s\n", c->name);
        fprintf(r->out, "\nFor more information about a specific command use 'help <command>'.\n");
    }
    return true;
}

/* ---- reading a command line -------------------------------------------------------------------------------------- */

#define BLANKS " \t\v\f\r"               /* around a command's name; words are parted by ' ' alone */

/* A word: "key" or "key=value"; either may stand in quotes. */
struct word { const char *key, *value; };    /* value NULL: there is none */

enum reading { READING_WORD, READING_END, READING_FAILED };

/* The text at *p: up to one of `ends`, or, behind a quote, up to the next one without a backslash before it. *end_mark
 * is what ended it, *p goes behind that; a quote may also end at the next word. NULL: the quotes do not end. */
static char *take_text(char **p, const char *ends, char *end_mark) {
    char *text = *p, *end, quote = *text == '"' || *text == '\'' ? *text++ : '\0';
    if (quote == '\0') {
        end = text + strcspn(text, ends);
    } else {
        for (end = text; *end != '\0' && (*end != quote || end[-1] == '\\');) end++;
        if (*end == '\0') return NULL;
        *end++ = '\0';
    }
    *end_mark = *end;
    if (*end != '\0' && strchr(ends, *end) != NULL) *end++ = '\0';
    *p = end;
    return text;
}

/* The next word; *p goes behind it. An empty one ends the line, as with HotSpot, and so does the line's end. */
static enum reading take_word(char **p, struct word *w) {
    char end_mark;
    *p += strspn(*p, " ");
    *w = (struct word){.key = take_text(p, "= ", &end_mark)};
    if (w->key == NULL) return READING_FAILED;
    if (end_mark == '=' && (w->value = take_text(p, " ", &end_mark)) == NULL) return READING_FAILED;
    return *w->key != '\0' ? READING_WORD : READING_END;
}

/* The message of a value that is not of the option's type. */
static bool refuse_value(FILE *out, const char *type, const char *name, const char *value) {
    fprintf(out,
            "java.lang.IllegalArgumentException: %s parsing error in command argument '%s'. Could not parse: %s.%s\n",
            type, name, value, vm->library == LIBRARY_17 ? "" : " ");
    return false;
}

/* One that is too large becomes the largest. */
static bool take_number(struct request *r, size_t i, const char *name, const char *value) {
    char *end = NULL;
    r->numbers[i] = strtoll(value, &end, 10);
    return (*value != '\0' && *end == '\0') || refuse_value(r->out, "Integer", name, value);
}

static bool take_switch(struct request *r, size_t i, const char *name, const char *value) {
    r->on[i] = *value == '\0' || strcasecmp(value, "true") == 0;
    return r->on[i] || strcasecmp(value, "false") == 0 || refuse_value(r->out, "Boolean", name, value);
}

/* Where a parameter's value goes: to the place of the first row of its name, whatever the library. */
static size_t place_of(const struct parameter *rows, const struct parameter *p) {
    size_t i = 0;
    while (strcmp(rows[i].name, p->name) != 0) i++;
    return i;
}

static bool take_path(struct request *r, const char *value) {
    char path[PATH_MAX + 1];
    os_expand_process_id(value, path, sizeof path);
    return strlen(path) < PATH_MAX || refuse(r->out, "File path invalid or too long: %s", value);
}

/* NULL: the option stands without a value. */
static bool take_value(struct request *r, const struct parameter *p, const char *value) {
    size_t i = place_of(r->command->options, p);
    r->options[i] = value;
    if (value == NULL) value = "";
    if (p->type == TYPE_BOOLEAN) return take_switch(r, i, p->name, value);
    if (p->type == TYPE_FILE) return take_path(r, value);
    return p->type != TYPE_INT || take_number(r, i, p->name, value);
}

static const struct parameter *option_named(const struct command *c, const char *name) {
    for EACH(p, c->options)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

static bool take_option(struct request *r, const struct parameter *option, const char *value) {
    bool *given = &r->given[place_of(r->command->options, option)];
    if (*given)
        return refuse(r->out, "Duplicates in diagnostic command arguments%s", vm->library == LIBRARY_17 ? "" : " ");
    *given = true;
    return take_value(r, option, value);
}

/* An option by its name, wherever it stands; the key of anything else is the next argument. */
static bool take_words(struct request *r, char *line) {
    const struct command *c = r->command;
    const struct parameter *next = diagnostic_parameter(c->arguments);
    bool none = next == NULL && diagnostic_parameter(c->options) == NULL;
    struct word w;
    enum reading reading;
    while ((reading = take_word(&line, &w)) == READING_WORD) {
        if (none) return refuse(r->out, "The argument list of this diagnostic command should be empty.%s", "");
        const struct parameter *option = option_named(c, w.key);
        if (option != NULL) {
            if (!take_option(r, option, w.value)) return false;
        } else if (next == NULL) {
            return refuse(r->out, "Unknown argument '%s' in diagnostic command.", w.key);
        } else {
            if (next->type == TYPE_FILE && !take_path(r, w.key)) return false;
            r->arguments[place_of(c->arguments, next)] = w.key;
            next = diagnostic_parameter(next + 1);
        }
    }
    if (reading == READING_FAILED) return refuse(r->out, "Format error in diagnostic command arguments%s", "");
    for (; next != NULL; next = diagnostic_parameter(next + 1))
        if (next->mandatory && next->preset == NULL)
            return refuse(r->out, "The argument '%s' is mandatory.", next->name);
    return true;
}

static bool preset_all(struct request *r) {
    for EACH(p, r->command->options)
        if (p->preset != NULL && !take_value(r, p, p->preset)) return false;
    for EACH(p, r->command->arguments) r->arguments[place_of(r->command->arguments, p)] = p->preset;
    return true;
}

static bool run(struct request *r, char *rest) {
    if (r->command->declined != NULL) {
        fprintf(r->out, "%s\n", r->command->declined);
        return true;
    }
    return preset_all(r) && take_words(r, rest) && r->command->run(r) && diagnostic_report(r->self, r->out);
}

static bool run_line(struct os_thread *self, const char *name, char *rest, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (*name == '#' || (*name == '\0' && vm->library != LIBRARY_17)) return true;
    struct request r = {.self = self, .out = out, .command = diagnostic_find(name)};
    bool ok = r.command != NULL ? run(&r, rest) : refuse(out, "Unknown diagnostic command%s", "");
    self->exception = NULL;
    return ok;
}

/* Cuts the line off that *p begins with, without the blanks in front; *p goes behind it. */
static char *cut_line(char **p) {
    char *text = *p, *end = text + strcspn(text, "\n");
    if (*end != '\0') *end++ = '\0';
    *p = end;
    return text + strspn(text, BLANKS);
}

bool diagnostic_commands_run(struct os_thread *self, const char *lines, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *copy = mem_strdup(lines), *line = copy;
    if (copy == NULL) return refuse(out, "out of memory%s", "");
    bool ok = true;
    while (ok && *line != '\0') {
        char *command = cut_line(&line), *rest = command + strcspn(command, BLANKS),
             *name = mem_strndup(command, (size_t)(rest - command));
        bool stop = name != NULL && strcmp(name, "stop") == 0;
        ok = stop || (name != NULL ? run_line(self, name, rest, out) : refuse(out, "out of memory%s", ""));
        mem_free(name);
        if (stop) break;
    }
    mem_free(copy);
    return ok;
}

bool diagnostic_command(struct os_thread *self, const char *line, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *end = strchr(line, '\n');
    if (end != NULL && end[1] != '\0') return refuse(out, "Invalid syntax%s", "");
    return diagnostic_commands_run(self, line, out);
}
