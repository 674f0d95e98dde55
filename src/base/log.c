/* Logging: levels, decorations, outputs, rotation; and the VM's own words on stdout and stderr. */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log_internal.h"
#include "base/os.h"

const char *const vm_short_name = "Vitrine 64-Bit VM";

const char *const log_level_names[LOG_LEVEL_COUNT] = { "off", "error", "warning", "info", "debug", "trace" };

const char *const log_tagset_names[LOG_TAGSET_COUNT] = {
#define LOG_TAGS(id, tags) tags,
#include "base/log_tags.def"
#undef LOG_TAGS
};

const struct log_decorator_name log_decorator_names[DECOR_COUNT] = {
    { "time", "t" }, { "utctime", "utc" }, { "uptime", "u" }, { "timemillis", "tm" }, { "uptimemillis", "um" },
    { "timenanos", "tn" }, { "uptimenanos", "un" }, { "hostname", "hn" }, { "pid", "p" }, { "tid", "ti" },
    { "level", "l" }, { "tags", "tg" },
};

uint8_t     log_levels[LOG_TAGSET_COUNT];
struct lock log_lock = LOCK_INIT("log", LOG);
log_output_list log_outputs;
int         log_library;

static int64_t start_ns;
static char    start_stamp[32];
static char    host_name[65];
static _Atomic(int (*)(void *, const char *, va_list)) print_hook;
static _Thread_local bool in_print_hook;        /* what it makes the VM log is dropped: the log is busy with its line */

/* ---- Plain words ---------------------------------------------------------------------------------------------- */

static _Atomic bool print_hidden, out_is_stderr, err_is_stdout, warnings_hidden;

void vm_print_configure(bool show, bool out_to_stderr, bool err_to_stdout, bool warnings) {
    print_hidden = !show;
    out_is_stderr = out_to_stderr;
    err_is_stdout = err_to_stdout;
    warnings_hidden = !warnings;
}

void log_set_vfprintf_hook(int (*hook)(void *, const char *, va_list)) { atomic_store(&print_hook, hook); }

/* 0, or why the rest could not be written. */
static int write_all(int fd, const char *p, size_t n) {
    while (n > 0) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : EIO;
        p += done;
        n -= (size_t)done;
    }
    return 0;
}

void vm_vprint(bool to_stderr, const char *fmt, va_list args) {
    int (*hook)(void *, const char *, va_list) = atomic_load(&print_hook);
    if (print_hidden && !to_stderr) return;
    to_stderr = to_stderr ? !err_is_stdout : out_is_stderr;
    if (hook) {
        hook(to_stderr ? stderr : stdout, fmt, args);
        return;
    }
    char    small[512];
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, fmt, args);
    int fd = to_stderr ? STDERR_FILENO : STDOUT_FILENO;
    if (n >= 0 && (size_t)n < sizeof small) {
        write_all(fd, small, (size_t)n);
    } else if (n >= 0) {
        char *big = mem_vprintf(fmt, again);
        write_all(fd, big ? big : small, big ? (size_t)n : sizeof small - 1);
        mem_free(big);
    }
    va_end(again);
}

void vm_print(bool to_stderr, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vm_vprint(to_stderr, fmt, args);
    va_end(args);
}

void vm_warning(const char *fmt, ...) {
    va_list args;
    if (warnings_hidden) return;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    vm_print(true, "%s warning: %s\n", vm_short_name, text ? text : fmt);
    mem_free(text);
}

/* ---- Start and end -------------------------------------------------------------------------------------------- */

static struct log_output *standard_output(const char *name, int fd, enum log_level level) {
    struct log_output *o = mem_zalloc(sizeof *o);
    if (!o || !(o->name = mem_strdup(name))) {
        mem_free(o);
        return NULL;
    }
    o->fd = fd;
    o->decorators = DECOR_DEFAULT;
    memset(o->level, level, sizeof o->level);
    return o;
}

void log_init(void) {
    lock_acquire(&log_lock);
    if (log_outputs.count == 0) {
        time_t    now = time(NULL);
        struct tm local;
        start_ns = os_nanotime();
        if (localtime_r(&now, &local)) strftime(start_stamp, sizeof start_stamp, "%Y-%m-%d_%H-%M-%S", &local);
        if (gethostname(host_name, sizeof host_name - 1) != 0) strcpy(host_name, "localhost");
        struct log_output *out = standard_output("stdout", STDOUT_FILENO, LOG_WARNING);
        struct log_output *err = standard_output("stderr", STDERR_FILENO, LOG_OFF);
        if (!out || !vec_push(&log_outputs, out)) log_output_free(out);
        if (!err || !vec_push(&log_outputs, err)) log_output_free(err);
        log_publish_levels();
    }
    lock_release(&log_lock);
}

void log_output_free(struct log_output *o) {
    if (!o) return;
    if (o->path && o->fd >= 0) close(o->fd);
    mem_free(o->path);
    mem_free(o->name);
    mem_free(o);
}

void log_shutdown(void) {
    lock_acquire(&log_lock);
    for (size_t i = 0; i < log_outputs.count; i++) log_output_free(log_outputs.data[i]);
    vec_free(&log_outputs);
    memset(log_levels, 0, sizeof log_levels);
    log_library = 0;
    lock_release(&log_lock);
    atomic_store(&print_hook, NULL);
    vm_print_configure(true, false, false, true);
}

void log_set_library(int library)                         { log_library = library; }
const char *log_start_stamp(void)                        { return start_stamp; }

void log_publish_levels(void) {
    for (int t = 0; t < LOG_TAGSET_COUNT; t++) {
        uint8_t most = LOG_OFF;
        for (size_t i = 0; i < log_outputs.count; i++) most = MAX(most, log_outputs.data[i]->level[t]);
        __atomic_store_n(&log_levels[t], most, __ATOMIC_RELAXED);
    }
}

/* ---- Files ---------------------------------------------------------------------------------------------------- */

static int decimal_digits(unsigned n) { return n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4; }

static char *archive_name(const struct log_output *o, unsigned number) {
    return mem_printf("%s.%0*u", o->path, decimal_digits(o->file_count - 1), number);
}

/* The archive slot to use next: the first free one, else the oldest. */
static unsigned choose_archive(const struct log_output *o) {
    unsigned oldest = 0;
    time_t   oldest_time = 0;
    for (unsigned i = 0; i < o->file_count; i++) {
        struct stat st;
        char *name = archive_name(o, i);
        bool  there = name && stat(name, &st) == 0;
        mem_free(name);
        if (!there) return i;
        if (i == 0 || st.st_mtime < oldest_time) {
            oldest = i;
            oldest_time = st.st_mtime;
        }
    }
    return oldest;
}

static void archive(struct log_output *o) {
    char *name = archive_name(o, o->next_file);
    if (name) rename(o->path, name);
    mem_free(name);
    o->next_file = (o->next_file + 1) % o->file_count;
}

bool log_file_open(struct log_output *o, char **err) {
    struct stat st;
    bool exists = stat(o->path, &st) == 0;
    if (exists && o->file_count > 0) {
        if (!S_ISREG(st.st_mode)) {
            *err = mem_printf("Unable to log to file %s with log file rotation: %s is not a regular file", o->path,
                              o->path);
            return false;
        }
        o->next_file = choose_archive(o);
        archive(o);
    }
    o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (o->fd >= 0) return true;
    *err = mem_printf("Error opening log file '%s': %s", o->path, strerror(errno));
    return false;
}

void log_file_rotate(struct log_output *o) {
    if (!o->path || o->fd < 0) return;
    close(o->fd);
    if (o->file_count > 0) archive(o);
    o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    o->written = 0;
}

/* ---- One message ---------------------------------------------------------------------------------------------- */

/* Taken once per message, so that its lines and outputs agree. */
struct moment {
    enum log_tagset tags;
    enum log_level  level;
    int64_t         uptime, seconds, nanos, monotonic;
};

static size_t iso_time(char *out, size_t size, const struct moment *m, bool utc) {
    struct tm t;
    time_t    s = (time_t)m->seconds;
    if (!(utc ? gmtime_r(&s, &t) : localtime_r(&s, &t))) return 0;
    size_t n = strftime(out, size, "%Y-%m-%dT%H:%M:%S", &t);
    n += (size_t)snprintf(out + n, size - n, ".%03d", (int)(m->nanos / 1000000));
    return n + strftime(out + n, size - n, "%z", &t);
}

static size_t tags_with_commas(char *out, size_t size, enum log_tagset tags) {
    size_t n = (size_t)snprintf(out, size, "%s", log_tagset_names[tags]);
    for (size_t i = 0; i < n; i++)
        if (out[i] == '+') out[i] = ',';
    return n;
}

static size_t decoration(char *out, size_t size, enum log_decorator d, const struct moment *m) {
    switch (d) {
    case DECOR_TIME:         return iso_time(out, size, m, false);
    case DECOR_UTCTIME:      return iso_time(out, size, m, true);
    case DECOR_UPTIME:       return (size_t)snprintf(out, size, "%.3fs", (double)m->uptime / 1e9);
    case DECOR_TIMEMILLIS: return (size_t)snprintf(out, size, "%" PRId64 "ms", m->seconds * 1000 + m->nanos / 1000000);
    case DECOR_UPTIMEMILLIS: return (size_t)snprintf(out, size, "%" PRId64 "ms", m->uptime / 1000000);
    case DECOR_TIMENANOS:    return (size_t)snprintf(out, size, "%" PRId64 "ns", m->monotonic);
    case DECOR_UPTIMENANOS:  return (size_t)snprintf(out, size, "%" PRId64 "ns", m->uptime);
    case DECOR_HOSTNAME:     return (size_t)snprintf(out, size, "%s", host_name);
    case DECOR_PID:          return (size_t)snprintf(out, size, "%d", (int)os_pid());
    case DECOR_TID:          return (size_t)snprintf(out, size, "%d", (int)os_thread_id());
    case DECOR_LEVEL:        return (size_t)snprintf(out, size, "%s", log_level_names[m->level]);
    case DECOR_TAGS:         return tags_with_commas(out, size, m->tags);
    case DECOR_COUNT:        break;
    }
    return 0;
}

#define PREFIX_MAX (DECOR_COUNT * 80)

static size_t write_prefix(struct log_output *o, const struct moment *m, char *out) {
    char   text[80];
    size_t n = 0;
    for (int d = 0; d < DECOR_COUNT; d++) {
        if (!(o->decorators & 1u << d)) continue;
        size_t len = MIN(decoration(text, sizeof text, (enum log_decorator)d, m), sizeof text - 3);
        text[len] = 0;
        o->width[d] = (uint8_t)MAX((size_t)o->width[d], len);
        n += (size_t)snprintf(out + n, PREFIX_MAX - n, "[%-*s]", o->width[d], text);
    }
    if (n > 0) out[n++] = ' ';
    return n;
}

static void call_print_hook(int (*hook)(void *, const char *, va_list), FILE *file, const char *fmt, ...) {
    va_list args;
    in_print_hook = true;
    va_start(args, fmt);
    hook(file, fmt, args);
    va_end(args);
    in_print_hook = false;
}

/* A file gets it in one write, so that lines of several processes do not mix; standard output and error lead through
 * the hook. What cannot be written is lost, which is said once. */
static void put_line(struct log_output *o, const char *line, size_t len) {
    int (*hook)(void *, const char *, va_list) = atomic_load(&print_hook);
    if (hook && !o->path) {
        call_print_hook(hook, o->fd == STDERR_FILENO ? stderr : stdout, "%.*s", (int)len, line);
        return;
    }
    int error = write_all(o->fd, line, len);
    if (error == 0 || o->error_said) return;
    o->error_said = true;
    vm_print(true, "Could not flush log: %s (%s (%d))\n", o->name, strerror(error), error);
}

static void write_line(struct log_output *o, const struct moment *m, const char *line, size_t len) {
    char   prefix[PREFIX_MAX + 2], small[1024];
    size_t before = write_prefix(o, m, prefix), escapes = 0;
    if (o->fold)
        for (size_t i = 0; i < len; i++) escapes += line[i] == '\n' || line[i] == '\\';
    size_t total = before + len + escapes + 1;
    char  *whole = total <= sizeof small ? small : mem_alloc(total);
    if (!whole) return;
    memcpy(whole, prefix, before);
    if (escapes == 0) {
        memcpy(whole + before, line, len);
    } else {
        char *p = whole + before;
        for (size_t i = 0; i < len; i++) {
            if (line[i] == '\n' || line[i] == '\\') *p++ = '\\';
            *p++ = line[i] == '\n' ? 'n' : line[i];
        }
    }
    whole[total - 1] = '\n';
    put_line(o, whole, total);
    if (whole != small) mem_free(whole);
    o->written += total;
    if (o->path && o->rotate_size && o->file_count && o->written >= o->rotate_size) log_file_rotate(o);
}

static void write_message(struct log_output *o, const struct moment *m, const char *text, size_t len) {
    if (o->fold) {
        write_line(o, m, text, len);
        return;
    }
    for (const char *end = text + len; text <= end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop) stop = end;
        write_line(o, m, text, (size_t)(stop - text));
        text = stop + 1;
    }
}

void log_vwrite(enum log_tagset tags, enum log_level level, const char *fmt, va_list args) {
    if (in_print_hook) return;
    struct moment m = { .tags = tags, .level = level, .monotonic = os_nanotime() };
    char    small[512], *big = NULL;
    va_list again;
    m.uptime = m.monotonic - start_ns;
    os_wall_time(&m.seconds, &m.nanos);
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, fmt, args);
    if (n >= (int)sizeof small && !(big = mem_vprintf(fmt, again))) n = sizeof small - 1;
    va_end(again);
    if (n >= 0) {
        int cancel;                             /* write is a cancellation point */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
        lock_acquire(&log_lock);
        for (size_t i = 0; i < log_outputs.count; i++)
            if (log_outputs.data[i]->level[tags] >= level && log_outputs.data[i]->fd >= 0)
                write_message(log_outputs.data[i], &m, big ? big : small, (size_t)n);
        lock_release(&log_lock);
        pthread_setcancelstate(cancel, NULL);
    }
    mem_free(big);
}

void log_write(enum log_tagset tags, enum log_level level, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    log_vwrite(tags, level, fmt, args);
    va_end(args);
}
