/* What the writing half and the configuring half of logging share. */
#ifndef VITRINE_BASE_LOG_INTERNAL_H
#define VITRINE_BASE_LOG_INTERNAL_H

#include "base/lock.h"
#include "base/log.h"
#include "base/table.h"

enum log_decorator {
    DECOR_TIME, DECOR_UTCTIME, DECOR_UPTIME, DECOR_TIMEMILLIS, DECOR_UPTIMEMILLIS, DECOR_TIMENANOS, DECOR_UPTIMENANOS,
    DECOR_HOSTNAME, DECOR_PID, DECOR_TID, DECOR_LEVEL, DECOR_TAGS, DECOR_COUNT
};
#define DECOR_DEFAULT (1u << DECOR_UPTIME | 1u << DECOR_LEVEL | 1u << DECOR_TAGS)

struct log_output {
    char    *name;                          /* "stdout", "stderr", "file=<name as given>"          */
    int      fd;
    uint32_t decorators;                    /* bits 1 << enum log_decorator                        */
    uint8_t  width[DECOR_COUNT];            /* widest text so far: later lines are padded to it    */
    uint8_t  level[LOG_TAGSET_COUNT];
    bool     fold;                          /* newlines written as \n, backslashes doubled         */
    bool     reconfigured;                  /* while the VM ran                                    */
    bool     error_said;                    /* a line could not be written                         */

    char    *path;                          /* files only: placeholders replaced                   */
    uint64_t written, rotate_size;          /* bytes; rotate_size 0: by hand only                  */
    unsigned file_count, next_file;         /* archived files kept                                 */
};

extern struct lock log_lock;                /* guards outputs                                      */
typedef VEC(struct log_output *) log_output_list;
extern log_output_list log_outputs;
extern int log_library;                     /* 17 or 25; 0: not yet known                          */

extern const char *const log_level_names[LOG_LEVEL_COUNT];
extern const char *const log_tagset_names[LOG_TAGSET_COUNT];
extern const struct log_decorator_name { const char *name, *abbreviation; } log_decorator_names[DECOR_COUNT];

/* log_lock held: recomputes log_levels from the outputs. */
void log_publish_levels(void);
/* log_lock held: opens the file behind o->path, archiving an older one. False: *err tells. */
bool log_file_open(struct log_output *o, char **err);
void log_file_rotate(struct log_output *o);
void log_output_free(struct log_output *o);
/* Local time of the start, "2024-05-01_10-11-12", for %t. */
const char *log_start_stamp(void);

#endif
