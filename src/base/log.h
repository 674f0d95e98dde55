/* Unified logging in HotSpot's manner: -Xlog:what:output:decorators:options.
 *
 * One byte per tag set says the most verbose level that any output wants, so that a disabled statement costs one load
 * and one compare. Configuration is process-wide and may change while the VM runs (jcmd VM.log). */
#ifndef VITRINE_BASE_LOG_H
#define VITRINE_BASE_LOG_H

#include "base/base.h"

enum log_level { LOG_OFF, LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG, LOG_TRACE, LOG_LEVEL_COUNT };

/* LOG_class_load, LOG_gc, ... */
enum log_tagset {
#define LOG_TAGS(id, tags) LOG_##id,
#include "base/log_tags.def"
#undef LOG_TAGS
    LOG_TAGSET_COUNT
};

extern uint8_t log_levels[LOG_TAGSET_COUNT];

static inline bool log_enabled(enum log_tagset tags, enum log_level level) {
    return UNLIKELY(__atomic_load_n(&log_levels[tags], __ATOMIC_RELAXED) >= level);
}

/* Writes one message (newlines in it make several lines) to the outputs that want it. Any thread; takes the
 * LOG lock. */
void log_write(enum log_tagset tags, enum log_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
void log_vwrite(enum log_tagset tags, enum log_level level, const char *fmt, va_list args);

#define log_at_(tags, level, ...) (log_enabled(LOG_##tags, level) ? log_write(LOG_##tags, level, __VA_ARGS__) : (void)0)
#define log_error(tags, ...)   log_at_(tags, LOG_ERROR, __VA_ARGS__)
#define log_warning(tags, ...) log_at_(tags, LOG_WARNING, __VA_ARGS__)
#define log_info(tags, ...)    log_at_(tags, LOG_INFO, __VA_ARGS__)
#define log_debug(tags, ...)   log_at_(tags, LOG_DEBUG, __VA_ARGS__)
#define log_trace(tags, ...)   log_at_(tags, LOG_TRACE, __VA_ARGS__)
/* log_info(class_load, "%s source: %s", name, source); */

/* Start: warnings to stdout, uptime counted from here. Idempotent. */
void log_init(void);
/* Flushes and closes files, back to the state before log_init. */
void log_shutdown(void);

/* 17 or 25: whose tags there are. */
void log_set_library(int library);
/* Applies the text after "-Xlog" ("" or ":..."). False: it is wrong and the sentence has been written as HotSpot writes
 * it. *out_exit is set for -Xlog:help, after which the VM ends with 0. */
bool log_configure(const char *text, bool *out_exit);
/* The parts of the same; each may be NULL. `running`: not at the start, but for jcmd VM.log. False: *err is a sentence,
 * caller frees; there may be one to note with true. */
bool log_configure_parts(const char *output, const char *what, const char *decorators, const char *options,
                         bool running, char **err);
/* jcmd VM.log disable: nothing is logged any more, warnings neither. */
void log_disable(void);
/* Each file of the log goes on in a new one, as if it had reached its size. */
void log_rotate(void);
/* One "what=level" to stdout at level, for -verbose:class and the like. `what` as in -Xlog. */
bool log_configure_level(const char *what, enum log_level level);
/* Does stdout have every tag set that `what` selects at info at least? */
bool log_shows_on_stdout(const char *what);

/* What has been configured, to the log itself, which HotSpot does once the options are read. */
void log_tell_configuration(void);

/* Where plain vfprintf output and the log's lines for standard output and error go (embedder's hook); NULL: the C
 * library. */
void log_set_vfprintf_hook(int (*hook)(void *file, const char *fmt, va_list args));
/* The hook-aware fprintf to stdout (false) or stderr (true) for everything the VM says itself. */
void vm_print(bool to_stderr, const char *fmt, ...) PRINTF_LIKE(2, 3);
void vm_vprint(bool to_stderr, const char *fmt, va_list args);
/* "OpenJDK 64-Bit Server VM warning: ..."-style line on stderr, with our VM name. */
void vm_warning(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Levels, decorators, tags and the configuration of each output: jcmd VM.log list. Caller frees; NULL: out
 * of memory. */
char *log_describe(void);
/* The text of -Xlog:help, to stdout. */
void  log_help(void);
/* -XX:[+-]DisplayVMOutput, DisplayVMOutputToStderr, DisplayVMOutputToStdout, PrintWarnings. Without `show` nothing goes
 * to stdout; what is wrong, which goes to stderr, is said all the same. */
void vm_print_configure(bool show, bool out_to_stderr, bool err_to_stdout, bool warnings);
/* The name vm_warning puts in front: "OpenJDK 64-Bit Server VM" in HotSpot. */
extern const char *const vm_short_name;

#endif
