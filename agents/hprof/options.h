/* options.h: the option string of the HPROF agent. */
#ifndef HPROF_OPTIONS_H
#define HPROF_OPTIONS_H

#include <stdbool.h>

enum heap_mode { HEAP_OFF = 0, HEAP_DUMP = 1, HEAP_SITES = 2, HEAP_ALL = 3 };      /* bits: dump, sites */
enum cpu_mode { CPU_OFF, CPU_SAMPLES, CPU_TIMES, CPU_OLD };
/* from FORM_COLLAPSED on: written anew each time */
enum form { FORM_TEXT, FORM_BINARY, FORM_COLLAPSED, FORM_PPROF, FORM_HTML };
/* What a library that is attached once more is told to do with the running profile. */
enum command { COMMAND_NONE, COMMAND_START, COMMAND_STOP, COMMAND_DUMP };

struct options {
    enum heap_mode heap;
    enum cpu_mode cpu;
    enum form form;
    enum command command;
    bool monitor, lineno, thread, doe, force, verbose, redact, gzip, help;
    bool only_command;      /* start, stop or dump, and nothing else                                      */
    bool only_copy;         /* dump with a form of stacks and a place for it, and nothing else            */
    char *file;             /* never NULL unless host is given; %p is replaced when it is opened          */
    char *host;             /* net=: NULL when a file is written                                          */
    int port;
    int depth;              /* frames of a trace, 0...65535                                               */
    double cutoff;          /* fraction of the total under which a row is left out                        */
    int interval;           /* ms between samples                                                         */
    int sampling;           /* bytes between sampled allocations; 0: every allocation                     */
};

extern const char options_usage[];

/* Reads "option,option...", where \, is a comma inside a value; `text` may be NULL. False: `error` (of `size` bytes)
 * names the offending word. `out` is to be freed in either case. */
bool options_parse(struct options *out, const char *text, char *error, unsigned size);
void options_free(struct options *o);
/* The file that is written when neither file= nor net= is given. */
const char *options_default_file(enum form form, bool gzip);

#endif
