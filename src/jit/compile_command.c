/* compile_command.c — see compile_command.h. The syntax, and what is said about it, are HotSpot's. */
#include "jit/compile_command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/log.h"
#include "base/options.h"

/* ---- the options ------------------------------------------------------------------------------------------------- */

enum command_type { TYPE_bool, TYPE_intx, TYPE_uintx, TYPE_double, TYPE_ccstrlist, TYPE_size, TYPE_amount };

static const struct option_row {
    const char *name;
    uint8_t type;
    bool in_library[2];                  /* 17, 25                                                                 */
    bool has_effect;
} rows[] = {
#define ACCEPTED false
#define EFFECT true
#define COMMAND(name, type, library17, library25, effect) {#name, TYPE_##type, {library17, library25}, effect},
#include "jit/command_options.def"
#undef COMMAND
#undef EFFECT
#undef ACCEPTED
};

/* As HotSpot calls them: where the type of a value is given, and where it is printed. */
static const struct type_name { const char *name, *printed; } types[] = {
    [TYPE_bool] = {"bool", "bool"},      [TYPE_intx] = {"intx", "intx"},   [TYPE_uintx] = {"uintx", "uintx"},
    [TYPE_double] = {"double", "double"}, [TYPE_ccstrlist] = {"ccstrlist", "const char*"},
    [TYPE_size] = {"intx", "intx"},      [TYPE_amount] = {"uintx", "uintx"},
};

static bool is_25(void) { return vm->library == LIBRARY_25; }

/* COMMAND_COUNT: the library has none of that name. */
static int find_option(const char *name) {
    int i = 0;
    while (i < COMMAND_COUNT && !(rows[i].in_library[is_25()] && strcasecmp(rows[i].name, name) == 0)) i++;
    return i;
}

static bool is_type(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (strcasecmp(types[i].name, name) == 0) return true;
    return strcasecmp(name, "ccstr") == 0;
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* How a name is compared; the * are not part of it. */
enum match { MATCH_EXACT, MATCH_PREFIX, MATCH_SUFFIX, MATCH_PART, MATCH_ANY };
enum { NAME_MAX_LENGTH = 255 };

struct name_pattern { char *text; uint8_t match; };

struct method_pattern {
    struct name_pattern class, method;
    char *signature;                     /* what the descriptor begins with; NULL: any                              */
};

struct compile_command {
    struct method_pattern pattern;
    uint8_t option;
    bool on;
};

static bool name_matches(const struct name_pattern *p, const struct symbol *name) {
    size_t n = strlen(p->text);
    if (n > name->length) return false;
    switch ((enum match)p->match) {
    case MATCH_EXACT: return n == name->length && memcmp(name->bytes, p->text, n) == 0;
    case MATCH_PREFIX: return memcmp(name->bytes, p->text, n) == 0;
    case MATCH_SUFFIX: return memcmp(name->bytes + name->length - n, p->text, n) == 0;
    case MATCH_PART: return strstr(name->bytes, p->text) != NULL;
    case MATCH_ANY: return true;
    }
    return false;
}

static bool pattern_matches(const struct method_pattern *p, const struct method *m) {
    return name_matches(&p->class, m->holder->name) && name_matches(&p->method, m->name) &&
           (p->signature == NULL || strncmp(m->desc->bytes, p->signature, strlen(p->signature)) == 0);
}

/* The last that speaks of the option of m; NULL: none does. */
static const struct compile_command *last_of(const struct compile_commands *c, enum command_option option,
                                             const struct method *m) {
    for (size_t i = c->list.count; c->given[option] && i-- > 0;)
        if (c->list.data[i]->option == option && pattern_matches(&c->list.data[i]->pattern, m)) return c->list.data[i];
    return NULL;
}

bool command_says(const struct compile_commands *c, enum command_option option, const struct method *m) {
    const struct compile_command *last = last_of(c, option, m);
    return last != NULL && last->on;
}

bool command_denies(const struct compile_commands *c, enum command_option option, const struct method *m) {
    const struct compile_command *last = last_of(c, option, m);
    return last != NULL && !last->on;
}

static void pattern_free(struct method_pattern *p) {
    mem_free(p->class.text);
    mem_free(p->method.text);
    mem_free(p->signature);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct reader {
    struct compile_commands *commands;
    const char *at;                      /* the rest of the line                                                   */
    char *why;                           /* what is wrong with it; malloc'd                                         */
    bool out_of_memory;
    bool bad;                            /* anything was wrong so far                                              */
};

static bool wrong(struct reader *r, const char *format, ...) PRINTF_LIKE(2, 3);
static bool wrong(struct reader *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    mem_free(r->why);
    r->why = mem_vprintf(format, args);
    va_end(args);
    r->out_of_memory |= r->why == NULL;
    return false;
}

static char *kept(struct reader *r, char *text) {
    r->out_of_memory |= text == NULL;
    return text;
}

static bool is_gap(char c) { return c == ' ' || c == '\t' || c == ','; }
static void skip_gap(struct reader *r) { while (is_gap(*r->at)) r->at++; }

/* The next word of letters and digits; empty: there is none, or it is too long. */
static void read_word(struct reader *r, char word[NAME_MAX_LENGTH + 1]) {
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n])) n++;
    if (n > NAME_MAX_LENGTH) n = 0;
    memcpy(word, r->at, n);
    word[n] = '\0';
    r->at += n;
}

/* Which separators a pattern mixes; the values behind one may hold what looks like others. */
static bool check_separators(struct reader *r) {
    const char *colons = strstr(r->at, "::"), *dot = strchr(r->at, '.');
    bool in_signature = false;
    if (colons != NULL && strstr(colons + 2, "::") != NULL)
        return wrong(r, "Method pattern only allows one '::' allowed");
    for (const char *p = r->at; colons != NULL && *p != '\0' && *p != '('; p++)
        if (*p == '/')
            return wrong(r, "Method pattern uses '/' together with '::'%s",
                         is_25() ? " (tips: replace '/' with '+' for hidden classes)" : "");
    for (const char *p = dot + 1; colons == NULL && dot != NULL && *p != '\0' && *p != ','; p++) {
        in_signature |= *p == '(';
        if (*p == '/' && !in_signature)
            return wrong(r, "Method pattern uses mixed '/' and '.' package separators");
        if (*p == '.') return wrong(r, "Method pattern uses multiple '.' in pattern");
    }
    return true;
}

/* Is the length of what separates class and method at p, which may be a dot or two colons; 0: it is part of a name. */
static size_t separator_at(const char *p, bool colons) {
    if (is_gap(*p) || (!colons && *p == '.')) return 1;
    return colons && p[0] == ':' && p[1] == ':' ? 2 : 0;
}

static void skip_separators(struct reader *r, bool colons) {
    for (size_t n; (n = separator_at(r->at, colons)) != 0;) r->at += n;
}

/* A name, in which the packages' dots become slashes where the separator is two colons. Empty: none stands there. */
static void read_name(struct reader *r, bool colons, char name[NAME_MAX_LENGTH + 1]) {
    size_t n = 0;
    for (; *r->at != '\0' && separator_at(r->at, colons) == 0 && strchr("()[", *r->at) == NULL; r->at++) {
        if (n == NAME_MAX_LENGTH) break;
        name[n++] = *r->at == '.' ? '/' : *r->at;
    }
    name[n] = '\0';
}

static bool make_name(struct reader *r, char *name, struct name_pattern *out) {
    size_t n = strlen(name);
    bool any = strcmp(name, "*") == 0, before = name[0] == '*', behind = n > 1 && name[n - 1] == '*';
    if (strstr(name, "**") != NULL) return wrong(r, "** Not a valid pattern");
    if (behind) name[n - 1] = '\0';
    if (!any && strchr(name + before, '*') != NULL) return wrong(r, " Embedded * not allowed");
    out->match = any      ? MATCH_ANY
                 : before ? (behind ? MATCH_PART : MATCH_SUFFIX)
                 : behind ? MATCH_PREFIX
                          : MATCH_EXACT;
    out->text = kept(r, mem_strdup(name + before));
    return out->text != NULL;
}

static bool is_special(const char *name) { return strpbrk(name, "<>") != NULL; }

/* <init> and <clinit> are the only names of methods with these characters. */
static bool check_special(struct reader *r, const char *class, const char *method) {
    size_t n = strcspn(method, "*");
    bool initializer = (n == 6 && strncmp(method, "<init>", 6) == 0) || (n == 8 && strncmp(method, "<clinit>", 8) == 0);
    if (is_special(class)) return wrong(r, "Chars '<' and '>' not allowed in class name");
    if (is_special(method) && !initializer)
        return wrong(r, "Chars '<' and '>' only allowed in <init> and <clinit>");
    return true;
}

static bool read_signature(struct reader *r, char **out) {
    while (is_gap(*r->at)) r->at++;
    size_t n = *r->at == '(' ? strcspn(r->at, " \t,") : 0;
    if (n == 0) return true;
    if (memchr(r->at, '*', n) != NULL) return wrong(r, " Wildcard * not allowed in signature");
    *out = kept(r, mem_strndup(r->at, n));
    r->at += n;
    return *out != NULL;
}

static bool read_pattern(struct reader *r, struct method_pattern *out) {
    char class[NAME_MAX_LENGTH + 1], method[NAME_MAX_LENGTH + 1];
    if (!check_separators(r)) return false;
    bool colons = strstr(r->at, "::") != NULL;
    skip_separators(r, colons);
    if (*r->at == '\0') return wrong(r, "Method pattern missing from command");
    read_name(r, colons, class);
    bool separated = separator_at(r->at, colons) != 0;
    skip_separators(r, colons);
    read_name(r, colons, method);
    if (*class == '\0' || *method == '\0' || !separated) return wrong(r, "Could not parse method pattern");
    bool is_word_of_ours = is_type(method) || find_option(method) != COMMAND_COUNT;
    if (is_word_of_ours && *r->at != '\0' && strstr(r->at, method) == NULL)
        return wrong(r, "Did not specify any method name");
    return check_special(r, class, method) && make_name(r, class, &out->class) &&
           make_name(r, method, &out->method) && read_signature(r, &out->signature);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Text as it is printed behind "=", malloc'd; NULL: nothing of the type stands there, or no memory. */

static char *read_bool(struct reader *r, bool *on) {
    *on = strncasecmp(r->at, "true", 4) == 0;
    if (!*on && strncasecmp(r->at, "false", 5) != 0) return NULL;
    r->at += *on ? 4 : 5;
    return kept(r, mem_strdup(*on ? "true" : "false"));
}

static char *read_integer(struct reader *r, bool is_signed) {
    char *end;
    long long value = is_signed ? strtoll(r->at, &end, 10) : (long long)strtoull(r->at, &end, 10);
    if (end == r->at) return NULL;
    r->at = end;
    return kept(r, is_signed ? mem_printf("%lld", value) : mem_printf("%llu", (unsigned long long)value));
}

/* Two digits at most, a dot, and more. */
static char *read_fraction(struct reader *r) {
    size_t whole = strspn(r->at, "0123456789");
    size_t more = r->at[whole] == '.' ? strspn(r->at + whole + 1, "0123456789") : 0;
    if (whole == 0 || whole > 2 || more == 0) return NULL;
    char *end, *digits = mem_strndup(r->at, whole + 1 + more);
    double value = digits != NULL ? strtod(digits, &end) : 0;
    mem_free(digits);
    r->at += whole + 1 + more;
    return kept(r, mem_printf("%f", value));
}

static char *read_list(struct reader *r) {
    char *list = NULL;
    for (;;) {
        skip_gap(r);
        size_t n = 0;
        while (isalnum((unsigned char)r->at[n]) || (r->at[n] != '\0' && strchr("_+-", r->at[n]) != NULL)) n++;
        if (n == 0) break;
        char *longer = kept(r, mem_printf("%s%s%.*s", list ? list : "'", list ? " " : "", (int)n, r->at));
        mem_free(list);
        list = longer;
        r->at += n;
        if (list == NULL) return NULL;
    }
    char *closed = list != NULL ? kept(r, mem_printf("%s'", list)) : NULL;
    mem_free(list);
    return closed;
}

/* "10m", "10m~stop", "10m~crash": a limit, negative if the VM is to crash there. */
static char *read_limit(struct reader *r) {
    size_t n = strcspn(r->at, "~ \t,"), words = 0;
    uint64_t bytes;
    char *text = mem_strndup(r->at, n);
    bool good = text != NULL && options_parse_size(text, &bytes) && bytes <= INT64_MAX;
    mem_free(text);
    if (strncmp(r->at + n, "~crash", 6) == 0) words = 6;
    else if (strncmp(r->at + n, "~stop", 5) == 0) words = 5;
    else if (r->at[n] == '~') good = false;
    if (!good) return NULL;
    r->at += n + words;
    return kept(r, mem_printf("%s%" PRIu64, words == 6 ? "-" : "", bytes));
}

static char *read_amount(struct reader *r) {
    bool print = strncmp(r->at, "print", 5) == 0;
    if (!print && strncmp(r->at, "collect", 7) != 0) return NULL;
    r->at += print ? 5 : 7;
    return kept(r, mem_strdup(print ? "2" : "1"));
}

static char *read_value(struct reader *r, enum command_type type, bool *on) {
    switch (type) {
    case TYPE_bool: return read_bool(r, on);
    case TYPE_intx: return read_integer(r, true);
    case TYPE_uintx: return read_integer(r, false);
    case TYPE_double: return read_fraction(r);
    case TYPE_ccstrlist: return read_list(r);
    case TYPE_size: return read_limit(r);
    case TYPE_amount: return read_amount(r);
    }
    return NULL;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static const char *star_before(const struct name_pattern *p) {
    return p->match == MATCH_SUFFIX || p->match == MATCH_PART || p->match == MATCH_ANY ? "*" : "";
}
static const char *star_behind(const struct name_pattern *p) {
    return p->match == MATCH_PREFIX || p->match == MATCH_PART ? "*" : "";
}

static void print_command(const struct option_row *row, const struct method_pattern *p, const char *value) {
    vm_print(false, "CompileCommand: %s %s%s%s.%s%s%s%s %s %s = %s\n", row->name, star_before(&p->class), p->class.text,
             star_behind(&p->class), star_before(&p->method), p->method.text, star_behind(&p->method),
             p->signature != NULL ? p->signature : "", types[row->type].printed, row->name, value);
}

/* HotSpot's conditions for some options. False: it is refused, r->why says why, or passed over. */
static bool may_be_given(struct reader *r, const struct option_row *row, bool *passed_over) {
    const struct vm_options *o = vm->options;
    int flag = flag_find(o, row->name, strlen(row->name));
    if (is_25() && flag >= 0 && !flag_is_unlocked(o, flag))
        return wrong(r, "VM option '%s' is diagnostic and must be enabled via -XX:+UnlockDiagnosticVMOptions.",
                     row->name);
    *passed_over = row == &rows[COMMAND_blackhole] && !o->flags.UnlockExperimentalVMOptions;
    if (*passed_over)
        vm_warning("Blackhole compile option is experimental and must be enabled via "
                   "-XX:+UnlockExperimentalVMOptions");
    if (row == &rows[COMMAND_log] && flag_origin_of(o, FLAG_ID_LogCompilation) == FLAG_DEFAULT)
        vm_print(false, "Warning:  +LogCompilation must be enabled in order for individual methods to be logged with \n"
                        "          CompileCommand=log,<method pattern>\n");
    return true;
}

/* Takes the pattern. */
static bool add_command(struct reader *r, int option, struct method_pattern *p, const char *value, bool on) {
    struct compile_commands *c = r->commands;
    bool passed_over = false;
    struct compile_command *command = NULL;
    bool good = may_be_given(r, &rows[option], &passed_over);
    if (good && !passed_over) {
        if (!c->quiet) print_command(&rows[option], p, value);
        if (!rows[option].has_effect)
            log_info(arguments, "CompileCommand %s is accepted without effect", rows[option].name);
        else if ((command = mem_zalloc(sizeof *command)) == NULL || !vec_push(&c->list, command)) good = false;
        r->out_of_memory |= !good;
    }
    if (good && command != NULL) {
        *command = (struct compile_command){*p, (uint8_t)option, on};
        c->given[option] = true;
        return true;
    }
    mem_free(command);
    pattern_free(p);
    return good;
}

static bool copy_pattern(struct reader *r, const struct method_pattern *from, struct method_pattern *to) {
    *to = *from;
    to->class.text = mem_strdup(from->class.text);
    to->method.text = mem_strdup(from->method.text);
    to->signature = from->signature != NULL ? mem_strdup(from->signature) : NULL;
    if (to->class.text != NULL && to->method.text != NULL && (to->signature != NULL) == (from->signature != NULL))
        return true;
    pattern_free(to);
    r->out_of_memory = true;
    return false;
}

/* Behind the pattern: the value, which a bool need not have. */
static bool add_with_value(struct reader *r, int option, const struct method_pattern *pattern) {
    enum command_type type = rows[option].type;
    bool on = true;
    char *value = NULL;
    skip_gap(r);
    if (*r->at != '\0') value = read_value(r, type, &on);
    else if (type == TYPE_bool) value = kept(r, mem_strdup("true"));
    else if (type == TYPE_amount) value = kept(r, mem_strdup("1"));
    if (value == NULL)
        return wrong(r, "Value cannot be read for option '%s' of type '%s'", rows[option].name, types[type].name);
    struct method_pattern p;
    bool good = copy_pattern(r, pattern, &p) && add_command(r, option, &p, value, on);
    mem_free(value);
    return good;
}

/* "option,<pattern>,<option>" and "option,<pattern>,<type>,<option>,<value>", and more of both. */
static bool read_older_form(struct reader *r, const struct method_pattern *pattern) {
    char word[NAME_MAX_LENGTH + 1], name[NAME_MAX_LENGTH + 1];
    for (skip_gap(r), read_word(r, word); *word != '\0'; skip_gap(r), read_word(r, word)) {
        bool typed = is_type(word);
        skip_gap(r);
        if (typed) read_word(r, name);
        if (typed && *name == '\0') return wrong(r, "Option name for type '%s' should be alphanumeric ", word);
        int option = find_option(typed ? name : word);
        if (option == COMMAND_COUNT) return wrong(r, "Unrecognized option '%s'", typed ? name : word);
        const char *type = types[rows[option].type].name;
        if (typed && strcasecmp(type, word) != 0)
            return wrong(r, "Option '%s' with type '%s' doesn't match supplied type '%s'", rows[option].name, type,
                         word);
        if (!typed && rows[option].type != TYPE_bool)
            return wrong(r, "  Missing type '%s' before option '%s'", type, rows[option].name);
        struct reader none = {.commands = r->commands, .at = ""};
        bool good = add_with_value(typed ? r : &none, option, pattern);
        if (!typed && none.why != NULL) {
            wrong(r, "%s", none.why);
            mem_free(none.why);
        }
        r->out_of_memory |= none.out_of_memory;
        if (!good) return false;
    }
    return true;
}

static void print_help(void) {
    vm_print(false, "\n-XX:CompileCommand=<option>,<methods> sets an option of the compiler to true for some methods,\n"
                    "-XX:CompileCommand=<option>,<methods>,<value> to a value of the option's type.\n"
                    "-XX:CompileCommand=quiet: what is given is not printed. -XX:CompileCommand=help: this text.\n\n"
                    "All available options:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (rows[i].in_library[is_25()])
            vm_print(false, "    %s (%s)%s\n", rows[i].name, types[rows[i].type].name,
                     rows[i].has_effect ? "" : "   without effect");
    vm_print(false, "\nMethods are given as package/Class.method or package.Class::method, and what their descriptor\n"
                    "begins with may follow: java/lang/String.indexOf(I). A name may begin or end with *. The last of\n"
                    "several commands counts. -XX:CompileCommandFile=<file> names a file with one on each line;\n"
                    "lines with # are passed over.\n\n");
}

/* One command; false: r->why says what is wrong, or no memory. */
static bool read_command(struct reader *r) {
    char word[NAME_MAX_LENGTH + 1];
    read_word(r, word);
    int option = find_option(word);
    bool older_form = strcasecmp(word, "option") == 0;
    if (strcasecmp(word, "quiet") == 0) return r->commands->quiet = true;
    if (strcasecmp(word, "help") == 0) {
        print_help();
        return true;
    }
    if (option == COMMAND_COUNT && !older_form) return wrong(r, "Unrecognized option '%s'", word);
    struct method_pattern p = {.signature = NULL};
    skip_gap(r);
    bool good = read_pattern(r, &p);
    skip_gap(r);
    if (good && older_form) good = read_older_form(r, &p);
    else if (good && *r->at == '\0' && rows[option].type != TYPE_bool && rows[option].type != TYPE_amount)
        good = wrong(r, "  Option '%s' is not followed by a value", rows[option].name);
    else if (good) good = add_with_value(r, option, &p);
    pattern_free(&p);
    return good;
}

static void print_error(const struct reader *r, const char *flag, const char *line) {
    vm_print(false, "%s: An error occurred during parsing\nError: %s\nLine: '%s'\n", flag, r->why, line);
    if (strcmp(flag, "CompileCommand") == 0)
        vm_print(false, "\nUsage: '-XX:CompileCommand=<option>,<method pattern>' - to set boolean option to true\n"
                        "Usage: '-XX:CompileCommand=<option>,<method pattern>,<value>'\n"
                        "Use:   '-XX:CompileCommand=help' for more information and to list all option.\n\n");
}

typedef bool line_function(struct reader *r);

static void read_line(struct reader *r, const char *flag, const char *line, line_function *read) {
    r->at = line;
    if (*line == '\0' || *line == '#' || read(r)) return;
    r->bad = true;
    if (r->why != NULL) print_error(r, flag, line);
    mem_free(r->why);
    r->why = NULL;
}

/* ---- -XX:CompileOnly --------------------------------------------------------------------------------------------- */

static bool add_only(struct reader *r, struct method_pattern *p) {
    return add_command(r, COMMAND_compileonly, p, "true", true);
}

/* Of 25: patterns with commas between them. */
static bool read_patterns(struct reader *r) {
    bool good = true;
    while (good && *r->at != '\0') {
        struct method_pattern p = {.signature = NULL};
        skip_gap(r);
        size_t n = strcspn(r->at, ",");
        char *one = kept(r, mem_strndup(r->at, n));
        struct reader inner = {.commands = r->commands, .at = one};
        const char *behind = r->at + n;
        good = one != NULL && (n == 0 || read_pattern(&inner, &p));
        if (good && n != 0) good = add_only(&inner, &p);
        else pattern_free(&p);
        if (inner.why != NULL) wrong(r, "%s", inner.why);
        r->out_of_memory |= inner.out_of_memory;
        mem_free(inner.why);
        mem_free(one);
        r->at = behind;
    }
    return good;
}

/* The name of `length` at text: empty is any, it may begin or end with *, dots become slashes if they separate
 * packages. */
static bool make_lenient_name(struct reader *r, const char *text, size_t length, bool packages,
                              struct name_pattern *out) {
    bool any = length == 0 || (length == 1 && *text == '*'), behind = !any && text[length - 1] == '*';
    bool before = !any && length > 1 && *text == '*';
    out->match = any ? MATCH_ANY : before ? (behind ? MATCH_PART : MATCH_SUFFIX) : behind ? MATCH_PREFIX : MATCH_EXACT;
    out->text = kept(r, any ? mem_strdup("") : mem_strndup(text + before, length - before - behind));
    for (char *p = out->text; packages && p != NULL && *p != '\0'; p++)
        if (*p == '.') *p = '/';
    return out->text != NULL;
}

/* Of 17: classes, methods or both; nothing is wrong. */
static bool read_lenient_patterns(struct reader *r) {
    bool colons = strstr(r->at, "::") != NULL;
    while (*r->at != '\0') {
        struct method_pattern p = {.signature = NULL};
        size_t n = strcspn(r->at, " \t,"), class_end = 0, method_begin = n;
        while (class_end < n && separator_at(r->at + class_end, colons) == 0) class_end++;
        for (size_t i = class_end; i < n; i++)
            if (separator_at(r->at + i, colons) != 0) method_begin = i + (colons ? 2 : 1);
        bool good = make_lenient_name(r, r->at, class_end, colons, &p.class) &&
                    make_lenient_name(r, r->at + MIN(method_begin, n), n - MIN(method_begin, n), false, &p.method);
        if (!good) pattern_free(&p);
        if (!good || !add_only(r, &p)) return false;
        r->at += n;
        if (*r->at != '\0') r->at++;
    }
    return true;
}

/* ---- all that is given ------------------------------------------------------------------------------------------- */

/* Each line of text, which the options' values are joined to. */
static void read_lines(struct reader *r, const char *flag, const char *text, line_function *read) {
    while (text != NULL && *text != '\0' && !r->out_of_memory) {
        size_t n = strcspn(text, "\n");
        char *line = kept(r, mem_strndup(text, n));
        if (line != NULL) read_line(r, flag, line, read);
        mem_free(line);
        text += n + (text[n] == '\n');
    }
}

/* A file that cannot be read says nothing, as on HotSpot. */
static void read_file(struct reader *r, const char *path) {
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t n; f != NULL && !r->out_of_memory && (n = getline(&line, &capacity, f)) >= 0;) {
        if (n > 0 && line[n - 1] == '\n') line[n - 1] = '\0';
        read_line(r, "CompileCommand", line, read_command);
    }
    free(line);
    if (f != NULL) fclose(f);
}

bool commands_read(struct compile_commands *c) {
    static const char ignored[] = ".hotspot_compiler";
    const struct vm_options *o = vm->options;
    const char *path = o->flags.CompileCommandFile;
    struct reader r = {.commands = c};
    read_lines(&r, "CompileCommand", o->flags.CompileCommand, read_command);
    read_lines(&r, "CompileOnly", o->flags.CompileOnly, is_25() ? read_patterns : read_lenient_patterns);
    if (path != NULL && *path != '\0') read_file(&r, path);
    else if (access(ignored, F_OK) == 0)
        vm_warning("%s file is present but has been ignored.  Run with -XX:CompileCommandFile=%s to load the file.",
                   ignored, ignored);
    if (r.out_of_memory) vm_warning("out of memory: not all of CompileCommand is known");
    return !(is_25() && r.bad);
}

void commands_free(struct compile_commands *c) {
    for (size_t i = 0; i < c->list.count; i++) {
        pattern_free(&c->list.data[i]->pattern);
        mem_free(c->list.data[i]);
    }
    vec_free(&c->list);
}
