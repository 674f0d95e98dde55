/* What the files of the option reader share. */
#ifndef VITRINE_BASE_OPTIONS_INTERNAL_H
#define VITRINE_BASE_OPTIONS_INTERNAL_H

#include "base/options.h"

/* flags.c */
const char *flag_locked_by(const struct vm_options *o, int flag);      /* "diagnostic", "experimental" or NULL */
bool        flag_is_own(const struct vm_options *o, int flag);
void        flag_set_bool(struct vm_options *o, int flag, bool value, enum flag_origin origin);
void        flag_set_number(struct vm_options *o, int flag, uint64_t value, enum flag_origin origin);
void        flags_set_defaults(struct vm_options *o);
void        flags_free(struct vm_options *o);

/* One reading of all sources. */
struct option_reader {
    struct vm_options  *o;
    enum flag_origin    origin;            /* of the source being read                         */
    bool                ignore;            /* unknown options are passed over                  */
    enum options_result result;
};

/* options_flag.c: the text after "-XX:"; false: reader->result says how it ends. */
bool options_read_flag(struct option_reader *r, const char *text);

/* options_x.c: any option; a -XX flag without a row of its own goes on to options_read_flag. */
bool options_read_x(struct option_reader *r, const char *option);
bool options_x_has_effect(const struct vm_options *o, const char *option);

/* Prints a line on stderr and sets the result; returns false. */
bool options_fail(struct option_reader *r, enum options_result result, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* "Error occurred during initialization of VM" and the sentence, on stdout. */
bool options_fail_init(struct option_reader *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool options_no_memory(struct option_reader *r);

/* options_missed.c: warns of options without effect that ask for what somebody would miss. False: the program was not
 * to run, reader->result says how it ends. */
bool options_warn_of_missed(struct option_reader *r);

/* options_settle.c */
void options_warn_without_effect(const struct vm_options *o);

#endif
