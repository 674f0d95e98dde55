/* options.h: the option string of the class histogram agent. */
#ifndef HISTOGRAM_OPTIONS_H
#define HISTOGRAM_OPTIONS_H

#include <regex.h>
#include <stdbool.h>

struct options {
    char *file;                 /* output file, NULL = standard output; owned                       */
    char *at_signature;         /* dump at the first ClassPrepare of this class (Lpkg/Name;), or NULL; owned */
    char *at_name;              /* the same as the user wrote it; owned                             */
    bool all;                   /* every object in the heap, not only the reachable ones            */
    bool collect;               /* force a collection first                                         */
    bool time;                  /* say on standard error how long the walk took                     */
    bool help;
    long top;                   /* rows to print, 0 = all                                           */
    bool has_filter;
    regex_t filter;             /* matched against the class names as printed                       */
};

enum options_result { OPTIONS_OK, OPTIONS_BAD, OPTIONS_NO_MEMORY };

/* Reads `text` (may be NULL or empty). When it is bad, a sentence naming the offending word is written to `error`. The
 * caller frees *out in every case. */
enum options_result options_parse(struct options *out, const char *text, char *error, unsigned error_size);
void options_free(struct options *o);

extern const char options_help[];

#endif
