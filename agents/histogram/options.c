/* options.c: reads the option string of the class histogram agent. */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "Class histogram agent: instances and bytes of every class.\n"
    "\n"
    "  -agentlib:histogram[=option[,option...]]   dumps when the VM ends and at every data-dump request (SIGQUIT)\n"
    "  jcmd <pid> JVMTI.agent_load <library> \"option[,option...]\"   dumps at once\n"
    "\n"
    "  live           objects reachable from the roots (default)\n"
    "  all            every object in the heap\n"
    "  gc             force a collection before the walk\n"
    "  at=<class>     dump once, at the first preparation of that class, and not when the VM ends\n"
    "  top=<n>        print the n largest classes only; totals cover all\n"
    "  filter=<regex> print classes whose name matches the extended regular expression; totals cover these\n"
    "  file=<path>    write there instead of standard output; %p is the process id\n"
    "  time           print on standard error how many objects were walked in what time\n"
    "  help           print this\n"
    "\n"
    "A comma inside a value is written \\, .\n";

/* ---- words ------------------------------------------------------------------------------------------------------ */

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
    *text = *p == ',' ? p + 1 : p;
    return word;
}

static const char *value_of(const char *word, const char *key) {
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static enum options_result set_class(struct options *o, const char *value, char *error, unsigned size) {
    size_t n = strlen(value);
    if (n == 0 || o->at_name != NULL) {
        snprintf(error, size, n == 0 ? "at= needs a class name" : "at=%s: at= is given twice", value);
        return OPTIONS_BAD;
    }
    o->at_name = strdup(value);
    o->at_signature = malloc(n + 3);
    if (o->at_name == NULL || o->at_signature == NULL) return OPTIONS_NO_MEMORY;
    o->at_signature[0] = 'L';
    for (size_t i = 0; i < n; i++) o->at_signature[i + 1] = value[i] == '.' ? '/' : value[i];
    strcpy(o->at_signature + n + 1, ";");
    return OPTIONS_OK;
}

static enum options_result set_filter(struct options *o, const char *value, char *error, unsigned size) {
    if (o->has_filter) {
        snprintf(error, size, "filter=%s: filter= is given twice", value);
        return OPTIONS_BAD;
    }
    int code = regcomp(&o->filter, value, REG_EXTENDED | REG_NOSUB);
    if (code == REG_ESPACE) return OPTIONS_NO_MEMORY;
    if (code != 0) {
        char reason[128];
        regerror(code, &o->filter, reason, sizeof reason);
        snprintf(error, size, "filter=%s: %s", value, reason);
        return OPTIONS_BAD;
    }
    o->has_filter = true;
    return OPTIONS_OK;
}

static enum options_result set_top(struct options *o, const char *value, char *error, unsigned size) {
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || errno != 0 || n < 1) {
        snprintf(error, size, "top=%s: a positive number is needed", value);
        return OPTIONS_BAD;
    }
    o->top = n;
    return OPTIONS_OK;
}

static enum options_result set_file(struct options *o, const char *value, char *error, unsigned size) {
    if (*value == '\0' || o->file != NULL) {
        snprintf(error, size, *value == '\0' ? "file= needs a path" : "file=%s: file= is given twice", value);
        return OPTIONS_BAD;
    }
    o->file = strdup(value);
    return o->file == NULL ? OPTIONS_NO_MEMORY : OPTIONS_OK;
}

static enum options_result set(struct options *o, const char *word, char *error, unsigned size) {
    const char *value;
    if ((value = value_of(word, "at"))) return set_class(o, value, error, size);
    if ((value = value_of(word, "filter"))) return set_filter(o, value, error, size);
    if ((value = value_of(word, "top"))) return set_top(o, value, error, size);
    if ((value = value_of(word, "file"))) return set_file(o, value, error, size);
    if (strcmp(word, "live") == 0) o->all = false;
    else if (strcmp(word, "all") == 0) o->all = true;
    else if (strcmp(word, "gc") == 0) o->collect = true;
    else if (strcmp(word, "time") == 0) o->time = true;
    else if (strcmp(word, "help") == 0) o->help = true;
    else {
        snprintf(error, size, "unknown option '%s' ('help' lists the options)", word);
        return OPTIONS_BAD;
    }
    return OPTIONS_OK;
}

/* ---- public ----------------------------------------------------------------------------------------------------- */

enum options_result options_parse(struct options *out, const char *text, char *error, unsigned error_size) {
    memset(out, 0, sizeof *out);
    enum options_result result = OPTIONS_OK;
    while (result == OPTIONS_OK && text != NULL && *text != '\0') {
        char *word = next_word(&text);
        result = word == NULL ? OPTIONS_NO_MEMORY : set(out, word, error, error_size);
        free(word);
    }
    return result;
}

void options_free(struct options *o) {
    free(o->file);
    free(o->at_signature);
    free(o->at_name);
    if (o->has_filter) regfree(&o->filter);
    memset(o, 0, sizeof *o);
}
