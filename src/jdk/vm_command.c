/* vm_command.c — diagnostic commands on the VM as a whole: version, options, properties, log, a report of its state. */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/events.h"
#include "base/log.h"
#include "base/options.h"
#include "base/os.h"
#include "heap/heap.h"
#include "jdk/crash_report.h"
#include "jdk/diagnostic_command.h"
#include "jdk/diagnostic_table.h"

bool command_vm_version(struct request *r) {
    const char *name = options_property(vm->options, "java.vm.name"),
               *version = options_property(vm->options, "java.vm.version"),
               *java = known_class(java_lang_Object)->module->version->bytes;
    fprintf(r->out, "%s version %s\n", name ? name : "", version ? version : "");
    fprintf(r->out, "JDK %s%s\n", java, strchr(java, '.') ? "" : ".0");
    return true;
}

bool command_vm_uptime(struct request *r) {
    if (r->on[0]) {
        struct timespec now;
        struct tm local;
        char date[32], zone[8];
        clock_gettime(CLOCK_REALTIME, &now);
        localtime_r(&now.tv_sec, &local);
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local);
        strftime(zone, sizeof zone, "%z", &local);
        fprintf(r->out, "%s.%03ld%s: ", date, now.tv_nsec / 1000000, zone);
    }
    fprintf(r->out, "%.3f s\n", (double)(os_nanotime() - vm->start_nanos) / 1e9);
    return true;
}

bool command_vm_command_line(struct request *r) {
    const struct vm_options *o = vm->options;
    const char *path = options_property(o, "java.class.path"), *launcher = options_property(o, "sun.java.launcher");
    fprintf(r->out, "VM Arguments:\n");
    if (o->jvm_flags != NULL && *o->jvm_flags) fprintf(r->out, "jvm_flags: %s \n", o->jvm_flags);
    if (o->jvm_args != NULL && *o->jvm_args) fprintf(r->out, "jvm_args: %s \n", o->jvm_args);
    fprintf(r->out, "java_command: %s\n", o->java_command ? o->java_command : "<unknown>");
    fprintf(r->out, "java_class_path (initial): %s\n", path && *path ? path : "<not set>");
    fprintf(r->out, "Launcher Type: %s\n", launcher ? launcher : "generic");
    return true;
}

bool command_vm_system_properties(struct request *r) {
    return diagnostic_properties(r->self, "serializePropertiesToByteArray", r->out);
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

bool command_vm_flags(struct request *r) {
    char *text = options_flags_text(vm->options, !r->on[0]);
    fprintf(r->out, r->on[0] ? "%s" : "%s\n", text ? text : "");
    mem_free(text);
    return text != NULL;
}

char *diagnostic_flag_text(int flag) {
    char *value = flag_value_text(vm->options, flag), *text = NULL;
    if (value != NULL && flag_type_of(flag) == FLAG_bool)
        text = mem_printf("-XX:%c%s", strcmp(value, "true") == 0 ? '+' : '-', flag_name(flag));
    else if (value != NULL) text = mem_printf("-XX:%s=%s", flag_name(flag), value);
    mem_free(value);
    return text;
}

/* What a value must be that is none of its flag's type. */
static const char *wanted_value(int flag) {
    switch (flag_type_of(flag)) {
    case FLAG_bool: return "flag value must be a boolean (1/0 or true/false)";
    case FLAG_int:
    case FLAG_intx: return "flag value must be an integer";
    case FLAG_double: return "flag value must be a double";
    default: return "flag value must be an unsigned integer";
    }
}

bool manageable_flag_set(int flag, const char *value, enum flag_origin origin, char **why) {
    if (!flag_set_text(vm->options, flag, value, origin, why)) return false;
    if (flag == FLAG_ID_MinHeapFreeRatio || flag == FLAG_ID_MaxHeapFreeRatio)
        heap_set_free((uint32_t)vm->options->flags.MinHeapFreeRatio, (uint32_t)vm->options->flags.MaxHeapFreeRatio);
    return true;
}

/* HotSpot takes the decimal digits that a value begins with, and what is negative for a very large unsigned number. */
static bool begins_as_number(int flag, const char *value, char *out, size_t size) {
    char *end;
    switch (flag_type_of(flag)) {
    case FLAG_bool:
    case FLAG_double:
    case FLAG_ccstr:
    case FLAG_ccstrlist: return false;
    case FLAG_int:
    case FLAG_intx: snprintf(out, size, "%lld", strtoll(value, &end, 10)); break;
    default: snprintf(out, size, "%llu", strtoull(value, &end, 10)); break;
    }
    return end != value;
}

char *diagnostic_set_flag(const char *name, const char *value) {
    int flag = flag_find(vm->options, name, strlen(name));
    if (flag < 0) return mem_printf("flag %s does not exist", name);
    if (value == NULL) return mem_strdup("flag value is missing");
    if (!flag_is_manageable(vm->options, flag)) return mem_strdup("only 'writeable' flags can be set");
    if (flag_type_of(flag) == FLAG_bool)
        value = strcmp(value, "1") == 0 || strcasecmp(value, "true") == 0    ? "true"
                : strcmp(value, "0") == 0 || strcasecmp(value, "false") == 0 ? "false"
                                                                             : value;
    char number[32], *why = NULL;
    if (begins_as_number(flag, value, number, sizeof number)) value = number;
    bool ok = manageable_flag_set(flag, value, FLAG_ATTACH, &why);
    return ok || why != NULL ? why : mem_strdup(wanted_value(flag));
}

bool command_vm_set_flag(struct request *r) {
    char *why = diagnostic_set_flag(r->arguments[0], r->arguments[1]);
    if (why != NULL) fprintf(r->out, "%s\n", why);
    mem_free(why);
    return true;
}

/* ---- log --------------------------------------------------------------------------------------------------------- */

enum { LOG_OUTPUT, LOG_OPTIONS, LOG_WHAT, LOG_DECORATORS, LOG_DISABLE, LOG_LIST, LOG_ROTATE };

/* An empty list of decorators means none, as the help says; no list means the usual ones. */
static bool configure(struct request *r) {
    const char *decorators = r->options[LOG_DECORATORS];
    if (decorators != NULL && *decorators == '\0') decorators = "none";
    char *why = NULL;
    bool ok = log_configure_parts(r->options[LOG_OUTPUT], r->options[LOG_WHAT], decorators, r->options[LOG_OPTIONS],
                                  true, &why);
    if (why != NULL) fprintf(r->out, "%s\n", why);
    mem_free(why);
    return ok;
}

/* What to do counts when it is named, whatever its value; options alone are for no output. */
bool command_vm_log(struct request *r) {
    bool configures = r->given[LOG_OUTPUT] || r->given[LOG_WHAT] || r->given[LOG_DECORATORS];
    if (r->given[LOG_DISABLE]) log_disable();
    if (configures && !configure(r)) return true;
    char *text = r->given[LOG_LIST] ? log_describe() : NULL;
    if (text != NULL) fputs(text, r->out);
    mem_free(text);
    if (r->given[LOG_ROTATE]) log_rotate();
    if (!configures && !r->given[LOG_DISABLE] && !r->given[LOG_LIST] && !r->given[LOG_ROTATE])
        diagnostic_syntax(r->command, r->out);
    return true;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

enum { EVENTS_LOG, EVENTS_MAX };

static void put_events(FILE *out, enum event_log log, size_t max) {
    struct event_copy e;
    size_t n = event_count(log);
    fprintf(out, "%s (%zu events):\n", event_log_title(log), n);
    if (n == 0) fprintf(out, "No events\n");
    for (size_t i = 0; i < n; i++) {
        if (max != 0 && i == max) {
            fprintf(out, "...(skipped)\n");
            break;
        }
        if (!event_read(log, i, &e)) continue;
        fprintf(out, "Event: %.3f ", (double)e.nanos / 1e9);
        if (e.thread != NULL) fprintf(out, "Thread 0x%016lx ", (unsigned long)(uintptr_t)e.thread);
        fprintf(out, "%s\n", e.text);
    }
    fputc('\n', out);
}

static bool put_one_log(FILE *out, const char *name, size_t max) {
    for (int i = 0; i < EVENT_LOGS; i++) {
        enum event_log log = (enum event_log)i;
        if (event_log_name(log) == NULL) continue;
        if (strcasecmp(name, event_log_name(log)) != 0 && strcasecmp(name, event_log_title(log)) != 0) continue;
        put_events(out, log, max);
        return true;
    }
    return false;
}

/* 17 takes the number as text, in which a sign is none of its business. */
static bool number_of(const struct request *r, size_t *max) {
    const char *text = r->options[EVENTS_MAX];
    char *end;
    if (vm->library != LIBRARY_17) {
        *max = (size_t)r->numbers[EVENTS_MAX];
        return r->numbers[EVENTS_MAX] >= 0;
    }
    long number = text != NULL ? strtol(text, &end, 10) : 0;
    *max = number > 0 ? (size_t)number : 0;
    return text == NULL || (*text != '\0' && *end == '\0');
}

bool command_vm_events(struct request *r) {
    const char *name = r->options[EVENTS_LOG];
    size_t max;
    if (!events_are_kept()) return true;
    if (!number_of(r, &max)) {
        fprintf(r->out, "Invalid max option: \"%s\".\n", r->options[EVENTS_MAX]);
    } else if (name == NULL) {
        for (int i = 0; i < EVENT_LOGS; i++)
            if (event_log_name((enum event_log)i) != NULL) put_events(r->out, (enum event_log)i, max);
    } else if (!put_one_log(r->out, name, max)) {
        fprintf(r->out, "The name \"%s\" did not match any known event log. Valid event log names are:\n", name);
        for (int i = 0; i < EVENT_LOGS; i++)
            if (event_log_name((enum event_log)i) != NULL)
                fprintf(r->out, "\"%s\" : %s\n", event_log_name((enum event_log)i), event_log_title((enum event_log)i));
    }
    return true;
}

/* ---- the process ------------------------------------------------------------------------------------------------- */

/* Copies what a descriptor has to give, from where it stands. Answers the number of lines. */
static size_t copy_from(int fd, FILE *out) {
    char buffer[4096];
    size_t lines = 0;
    for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);) {
        for (ssize_t i = 0; i < n; i++) lines += buffer[i] == '\n';
        if (n > 0) fwrite(buffer, 1, (size_t)n, out);
    }
    return lines;
}

bool command_vm_dynlibs(struct request *r) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        fprintf(r->out, "/proc/self/maps: %s\n", strerror(errno));
        return false;
    }
    fprintf(r->out, "Dynamic libraries:\n");
    size_t n = copy_from(fileno(maps), r->out);
    if (vm->library != LIBRARY_17) fprintf(r->out, "Total number of mappings: %zu\n", n);
    fputc('\n', r->out);
    fclose(maps);
    return true;
}

/* The crash report writes to a descriptor. */
bool command_vm_info(struct request *r) {
    int fd = memfd_create("VM.info", MFD_CLOEXEC);
    if (fd < 0) {
        fprintf(r->out, "VM.info: %s\n", strerror(errno));
        return false;
    }
    crash_report_info(r->self, fd);
    lseek(fd, 0, SEEK_SET);
    copy_from(fd, r->out);
    close(fd);
    return true;
}
