/* diagnostic_command.c — what a running VM can be asked: the table of commands, their arguments, help, answers. */
#include "jdk/diagnostic_command.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "base/os.h"
#include "exec/disassemble.h"
#include "jdk/compiler_command.h"
#include "jdk/error_command.h"
#include "jdk/jvm.h"
#include "jdk/thread_dump.h"
#include "jdk/hooks.h"
#include "probe/probe.h"

enum { MAX_OPTIONS = 4, MAX_ARGUMENTS = 2, MAX_WORDS = 8 };

/* A parsed command line. */
struct request {
    struct os_thread *self;
    FILE *out;
    bool options[MAX_OPTIONS];    /* switches: is it on; numbers: was it given */
    int64_t numbers[MAX_OPTIONS];    /* their values */
    char *arguments[MAX_ARGUMENTS];
};

enum parameter_type { TYPE_DEFAULT /* options: BOOLEAN, arguments: STRING */, TYPE_INT, TYPE_FILE };

struct parameter {
    const char *name, *description;
    bool mandatory;
    enum parameter_type type;
    const char *preset;    /* INT, FILE: the default, for help; FILE: NULL: none */
    int since;    /* library that has it first */
};

struct command {
    const char *name, *description, *impact;
    const char *permission;    /* 17 shows it; NULL: none */
    struct parameter options[MAX_OPTIONS], arguments[MAX_ARGUMENTS];
    bool (*run)(struct request *r);
};

/* ---- answers that several have in common ------------------------------------------------------------------------- */

/* Writes and drops the pending exception: "java.lang.IllegalArgumentException: text". */
static bool failed(struct os_thread *self, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *e = exception_take(self);
    if (e == NULL) return true;
    char *name = class_external_name(class_of(e));
    struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
    char *text = message ? string_dup_utf8(message) : NULL;
    fprintf(out, text ? "%s: %s\n" : "%s\n", name ? name : "?", text);
    mem_free(name);
    mem_free(text);
    return false;
}

static bool refuse(FILE *out, const char *format, const char *what) {
    fprintf(out, "java.lang.IllegalArgumentException: ");
    fprintf(out, format, what);
    fputc('\n', out);
    return false;
}

bool diagnostic_properties(struct os_thread *self, const char *method, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *support = class_find_boot(self, "jdk/internal/vm/VMSupport");
    uint64_t result = 0;
    if (support != NULL) java_call_static_named(self, support, method, "()[B", NULL, &result);
    struct object *bytes = self->exception ? NULL : slot_object(result);
    if (bytes != NULL) fwrite(array_data(bytes), 1, (size_t)array_length(bytes), out);
    return failed(self, out);
}

static bool load_instrument_module(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *modules = class_find_boot(self, "jdk/internal/module/Modules");
    struct object *name = modules ? string_from_cstr(self, "java.instrument") : NULL;
    uint64_t args[1] = {slot_ref(name)}, module;
    return name != NULL &&
           java_call_static_named(self, modules, "loadModule", "(Ljava/lang/String;)Ljava/lang/Module;", args, &module);
}

bool diagnostic_load_agent(struct os_thread *self, const char *library, bool absolute, const char *options,
                           bool by_command, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool asks = !by_command || vm->library != LIBRARY_17; /* as the libraries' own VMs do */
    if (asks && !vm->options->flags.EnableDynamicAgentLoading) {
        fprintf(out, "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n");
        return false;
    }
    if (strcmp(library, "instrument") == 0 && !load_instrument_module(self)) return failed(self, out);
    jint result = 0;
    char *error = NULL;
    int loaded = jdk_hooks.agent_attach(self, library, absolute, options, &result, &error);
    self->exception = NULL;
    if (loaded == 0) fprintf(out, "return code: %d\n", (int)result);
    else fprintf(out, "%s\n", error ? error : "Out of memory");
    mem_free(error);
    return loaded == 0;
}

static bool call_system(struct request *r, const char *class_name, const char *method) {
    struct class *c = class_find_boot(r->self, class_name);
    if (c != NULL) java_call_static_named(r->self, c, method, "()V", NULL, NULL);
    return failed(r->self, r->out);
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static bool run_agent_load(struct request *r) {
    const char *library = r->arguments[0], *options = r->arguments[1];
    size_t n = strlen(library);
    if (n < 4 || strcmp(library + n - 4, ".jar") != 0) {
        diagnostic_load_agent(r->self, library, true, options, true, r->out);
        return true;
    }
    char *both = options ? mem_printf("%s=%s", library, options) : mem_strdup(library);
    if (both != NULL) diagnostic_load_agent(r->self, "instrument", false, both, true, r->out);
    mem_free(both);
    return true;
}

static bool run_data_dump(struct request *r) {
    probe_data_dump_request(r->self);
    return true;
}

static bool run_thread_print(struct request *r) {
    char *text = thread_dump_text(r->self, r->options[0]);
    if (text != NULL) fputs(text, r->out);
    free(text);
    return text != NULL;
}

static bool run_class_histogram(struct request *r) { return class_histogram_print(r->self, !r->options[0], r->out); }

static void to_file(void *out, const char *line) { fputs(line, out); }

void diagnostic_heap_dump(struct os_thread *self, const struct heap_dump_request *request, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct heap_dump_request told = *request;
    told.say = to_file;
    told.arg = out;
    mem_free(heap_dump_to_file(self, &told));
}

enum { DUMP_ALL, DUMP_GZ, DUMP_OVERWRITE, DUMP_PARALLEL };

/* One thread writes, however many are allowed. */
static bool run_heap_dump(struct request *r) {
    int64_t level = r->options[DUMP_GZ] ? r->numbers[DUMP_GZ] : 0;
    if (r->options[DUMP_GZ] && (level < 1 || level > HEAP_DUMP_GZIP_MAX)) {
        fprintf(r->out, "Compression level out of range (1-%d): %" PRId64 "\n", HEAP_DUMP_GZIP_MAX, level);
        return true;
    }
    if (r->options[DUMP_PARALLEL] && r->numbers[DUMP_PARALLEL] < 0) {
        fprintf(r->out, "Invalid number of parallel dump threads.\n");
        return true;
    }
    char path[PATH_MAX];
    if (vm->library == LIBRARY_17) snprintf(path, sizeof path, "%s", r->arguments[0]);
    else os_expand_process_id(r->arguments[0], path, sizeof path);
    diagnostic_heap_dump(r->self,
                         &(struct heap_dump_request){.path = path,
                                                     .live = !r->options[DUMP_ALL],
                                                     .overwrite = r->options[DUMP_OVERWRITE],
                                                     .gzip_level = (int)level},
                         r->out);
    return true;
}

static bool run_gc(struct request *r) {
    if (vm->options->flags.DisableExplicitGC) fprintf(r->out, "Explicit GC is disabled, no GC has been performed.\n");
    else heap_collect(r->self, "Diagnostic Command", false);
    return true;
}
static bool run_finalization(struct request *r) { return call_system(r, "java/lang/System", "runFinalization"); }

static bool run_heap_info(struct request *r) {
    struct heap_stats s;
    heap_stats(&s);
    fprintf(r->out, "mark-region heap   total %zuK, used %zuK, reserved %zuK\n", s.committed / KIB, s.used / KIB,
            s.max / KIB);
    return true;
}

static bool run_version(struct request *r) {
    const char *name = options_property(vm->options, "java.vm.name"),
               *version = options_property(vm->options, "java.vm.version"),
               *java = known_class(java_lang_Object)->module->version->bytes;
    fprintf(r->out, "%s version %s\n", name ? name : "", version ? version : "");
    fprintf(r->out, "JDK %s%s\n", java, strchr(java, '.') ? "" : ".0");
    return true;
}

static bool run_uptime(struct request *r) {
    if (r->options[0]) {
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

static bool run_command_line(struct request *r) {
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

static bool run_code_list(struct request *r) {
    code_list_print(r->out);
    return true;
}

static bool run_code_cache(struct request *r) {
    code_cache_print(r->out);
    return true;
}

static bool run_compile_queue(struct request *r) {
    compile_queue_print(r->out);
    return true;
}

static bool run_perf_map(struct request *r) {
    char path[PATH_MAX];
    os_expand_process_id(r->arguments[0] != NULL ? r->arguments[0] : PERF_MAP_PATH, path, sizeof path);
    char *why = perf_map_write(path);
    if (why != NULL && vm->library == LIBRARY_17) {
        log_warning(codecache, "Failed to create %s for perf map", path);
    } else if (why != NULL) {
        vm_warning("Cannot open file %s due to %s\n", path, why);
        fprintf(r->out, "Warning: Failed to create %s for perf map\n", path);
    }
    mem_free(why);
    return true;
}

static bool run_method_data(struct request *r) {
    if (!methods_print_data(r->self, r->out, r->arguments[0], r->arguments[1])) fprintf(r->out, "No such method\n");
    return true;
}

static bool run_system_properties(struct request *r) {
    return diagnostic_properties(r->self, "serializePropertiesToByteArray", r->out);
}

static bool run_flags(struct request *r) {
    char *text = options_flags_text(vm->options, !r->options[0]);
    fprintf(r->out, r->options[0] ? "%s" : "%s\n", text ? text : "");
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

char *diagnostic_set_flag(const char *name, const char *value) {
    int flag = flag_find(vm->options, name, strlen(name));
    if (flag < 0) return mem_printf("flag %s does not exist", name);
    if (value == NULL) return mem_strdup("flag value is missing");
    if (!flag_is_manageable(vm->options, flag)) return mem_strdup("only 'writeable' flags can be set");
    if (flag_type_of(flag) == FLAG_bool)
        value = strcmp(value, "1") == 0 ? "true" : strcmp(value, "0") == 0 ? "false" : value;
    char *why = NULL;
    bool ok = flag_set_text(vm->options, flag, value, FLAG_ATTACH, &why);
    return ok || why != NULL ? why : mem_strdup(wanted_value(flag));
}

static bool run_help(struct request *r);

#define SWITCH(option, what) {.name = option, .description = what}
#define NUMBER(option, what, otherwise, library) \
    { .name = option, .description = what, .type = TYPE_INT, .preset = otherwise, .since = library }
#define ARGUMENT(word, what, needed) {.name = word, .description = what, .mandatory = needed}
#define MONITOR "java.lang.management.ManagementPermission(monitor)"
static const struct command commands[] = {
    {"Compiler.codecache", "Print code cache layout and bounds.", "Low", MONITOR, {{0}}, {{0}}, run_code_cache},
    {"Compiler.codelist",
     "Print all compiled methods in code cache that are alive",
     "Medium",
     MONITOR,
     {{0}},
     {{0}},
     run_code_list},
    {"Compiler.method_data",
     "Print how much methods have run, and their bytecodes as they stand.",
     "Low",
     MONITOR,
     {{0}},
     {ARGUMENT("class", "Class whose methods are printed; without it all methods that have run", false),
      ARGUMENT("method", "Name of its methods that are printed", false)},
     run_method_data},
    {"Compiler.perfmap",
     "Write map file for Linux perf tool.",
     "Low",
     MONITOR,
     {{0}},
     {{.name = "filename",
       .description = "Name of the map file",
       .type = TYPE_FILE,
       .preset = PERF_MAP_PATH,
       .since = LIBRARY_25}},
     run_perf_map},
    {"Compiler.queue", "Print methods queued for compilation.", "Low", MONITOR, {{0}}, {{0}}, run_compile_queue},
    {"GC.class_histogram",
     "Provide statistics about the Java heap usage.",
     "High: Depends on Java heap size and content.",
     MONITOR,
     {SWITCH("-all", "Inspect all objects, including unreachable objects")},
     {{0}},
     run_class_histogram},
    {"GC.heap_dump",
     "Generate a HPROF format dump of the Java heap.",
     "High: Depends on Java heap size and content. Request a full GC unless the '-all' option is specified.",
     MONITOR,
     {[DUMP_ALL] = SWITCH("-all", "Dump all objects, including unreachable objects"),
      [DUMP_GZ] = NUMBER("-gz",
                         "If specified, the heap dump is written in gzipped format using the given compression level. "
                         "1 (recommended) is the fastest, "
                         "9 the strongest compression.",
                         "1", LIBRARY_17),
      [DUMP_OVERWRITE] = SWITCH("-overwrite", "If specified, the dump file will be overwritten if it exists"),
      [DUMP_PARALLEL] = NUMBER("-parallel",
                               "Number of parallel threads to use for heap dump. The VM will try to use the specified "
                               "number of threads, "
                               "but might use fewer.",
                               "1", LIBRARY_25)},
     {{.name = "filename", .description = "Name of the dump file", .mandatory = true, .type = TYPE_FILE}},
     run_heap_dump},
    {"GC.heap_info", "Provide generic Java heap information.", "Medium", MONITOR, {{0}}, {{0}}, run_heap_info},
    {"GC.run",
     "Call java.lang.System.gc().",
     "Medium: Depends on Java heap size and content.",
     NULL,
     {{0}},
     {{0}},
     run_gc},
    {"GC.run_finalization",
     "Call java.lang.System.runFinalization().",
     "Medium: Depends on Java content.",
     NULL,
     {{0}},
     {{0}},
     run_finalization},
    {"JVMTI.agent_load",
     "Load JVMTI native agent.",
     "Low",
     "java.lang.management.ManagementPermission(control)",
     {{0}},
     {ARGUMENT("library path", "Absolute path of the JVMTI agent to load.", true),
      ARGUMENT("agent option", "Option string to pass the agent.", false)},
     run_agent_load},
    {"JVMTI.data_dump",
     "Signal the JVM to do a data-dump request for JVMTI.",
     "High",
     MONITOR,
     {{0}},
     {{0}},
     run_data_dump},
    {"Thread.print",
     "Print all threads with stacktraces.",
     "Medium: Depends on the number of threads.",
     MONITOR,
     {SWITCH("-l", "print java.util.concurrent locks"), SWITCH("-e", "print extended thread information")},
     {{0}},
     run_thread_print},
    {"VM.command_line",
     "Print the command line used to start this VM instance.",
     "Low",
     MONITOR,
     {{0}},
     {{0}},
     run_command_line},
    {"VM.flags",
     "Print VM flag options and their current values.",
     "Low",
     MONITOR,
     {SWITCH("-all", "Print all flags supported by the VM")},
     {{0}},
     run_flags},
    {"VM.system_properties",
     "Print system properties.",
     "Low",
     "java.util.PropertyPermission(*, read)",
     {{0}},
     {{0}},
     run_system_properties},
    {"VM.uptime",
     "Print VM uptime.",
     "Low",
     NULL,
     {SWITCH("-date", "Add a prefix with current date")},
     {{0}},
     run_uptime},
    {"VM.version",
     "Print JVM version information.",
     "Low",
     "java.util.PropertyPermission(java.vm.version, read)",
     {{0}},
     {{0}},
     run_version},
    {"help",
     "For more information about a specific command use 'help <command>'. With no argument this will show a "
     "list of available commands. "
     "'help all' will show help for all commands.",
     "Low",
     NULL,
     {SWITCH("-all", "Show help for all commands")},
     {ARGUMENT("command name", "The name of the command for which we want help", false)},
     run_help},
};

static const struct command *find(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

/* ---- help -------------------------------------------------------------------------------------------------------- */

static bool is_offered(const struct parameter *p) { return p->name != NULL && (int)vm->library >= p->since; }
static bool has_argument(const struct command *c, int i) { return i < MAX_ARGUMENTS && is_offered(&c->arguments[i]); }

static void help_on_argument(const struct parameter *p, FILE *out) {
    const char *type = p->type == TYPE_FILE && vm->library != LIBRARY_17 ? "FILE" : "STRING";
    fprintf(out, "\n\t%s : %s %s (%s, %s)", p->name, p->mandatory ? "" : "[optional]", p->description, type,
            p->preset != NULL ? p->preset : "no default value");
}

static void help_on_option(const struct parameter *p, FILE *out) {
    fprintf(out, "\n\t%s : [optional] %s (%s, %s)", p->name, p->description, p->type == TYPE_INT ? "INT" : "BOOLEAN",
            p->type == TYPE_INT ? p->preset : "false");
}

static void help_on(const struct command *c, FILE *out) {
    bool options = c->options[0].name != NULL, arguments = has_argument(c, 0);
    fprintf(out, "%s\n%s\n\nImpact: %s\n\n", c->name, c->description, c->impact);
    if (vm->library == LIBRARY_17 && c->permission != NULL) fprintf(out, "Permission: %s\n\n", c->permission);
    fprintf(out, options || arguments ? "Syntax : %s %s" : "Syntax: %s%s", c->name, options ? "[options]" : "");
    for (int i = 0; has_argument(c, i); i++)
        fprintf(out, c->arguments[i].mandatory ? " <%s>" : " [<%s>]", c->arguments[i].name);
    if (arguments) {
        fprintf(out, "\n\nArguments:");
        for (int i = 0; has_argument(c, i); i++) help_on_argument(&c->arguments[i], out);
    }
    if (options) {
        fprintf(out, "\n\nOptions: (options must be specified using the <key> or <key>=<value> syntax)");
        for (int i = 0; i < MAX_OPTIONS; i++)
            if (is_offered(&c->options[i])) help_on_option(&c->options[i], out);
    }
    fputc('\n', out);
}

static bool run_help(struct request *r) {
    const struct command *c = r->arguments[0] ? find(r->arguments[0]) : NULL;
    if (c != NULL) {
        help_on(c, r->out);
    } else if (r->arguments[0] != NULL && strcmp(r->arguments[0], "all") != 0) {
        fprintf(r->out, "Help unavailable : '%s' : No such command\n", r->arguments[0]);
    } else if (r->options[0] || r->arguments[0] != NULL) {
        for (size_t i = 0; i < ARRAY_LEN(commands); i++)
            fprintf(r->out, "%s%s\n\t%s\n", i ? "\n" : "", commands[i].name, commands[i].description);
    } else {
        fprintf(r->out, "The following commands are available:\n");
        for (size_t i = 0; i < ARRAY_LEN(commands); i++) fprintf(r->out, "%s\n", commands[i].name);
        fprintf(r->out, "\nFor more information about a specific command use 'help <command>'.\n");
    }
    return true;
}

/* ---- parsing ----------------------------------------------------------------------------------------------------- */

/* Splits in place at blanks; quotes hold a word together. */
static int split(char *line, char *words[], int max) {
    int n = 0;
    for (char *p = line; n < max;) {
        while (*p == ' ' || *p == '\t' || *p == '\n') p++;
        if (*p == '\0') break;
        char quote = *p == '"' || *p == '\'' ? *p++ : '\0';
        words[n++] = p;
        while (*p && (quote ? *p != quote : *p != ' ' && *p != '\t' && *p != '\n')) p++;
        if (*p) *p++ = '\0';
    }
    return n;
}

/* The message of a value that is not of the option's type. */
static bool refuse_value(FILE *out, const char *type, const char *name, const char *value) {
    fprintf(out,
            "java.lang.IllegalArgumentException: %s parsing error in command argument '%s'. Could not parse: %s.%s\n",
            type, name, value, vm->library == LIBRARY_17 ? "" : " ");
    return false;
}

static bool take_number(struct request *r, int i, const char *name, const char *value) {
    char *end = NULL;
    errno = 0;
    r->numbers[i] = strtoll(value, &end, 10);
    r->options[i] = *value != '\0' && *end == '\0' && errno == 0;
    return r->options[i] || refuse_value(r->out, "Integer", name, value);
}

static bool take_switch(struct request *r, int i, const char *name, const char *value) {
    r->options[i] = strcmp(value, "true") == 0;
    return r->options[i] || strcmp(value, "false") == 0 || refuse_value(r->out, "Boolean", name, value);
}

/* "-all", "-all=true", "-gz=1". False: refused. */
static bool take_option(struct request *r, const struct command *c, char *word) {
    size_t n = strcspn(word, "=");
    for (int i = 0; i < MAX_OPTIONS; i++) {
        const struct parameter *p = &c->options[i];
        if (!is_offered(p) || strlen(p->name) != n || strncmp(p->name, word, n) != 0) continue;
        if (p->type == TYPE_INT) return take_number(r, i, p->name, word[n] ? word + n + 1 : "");
        return take_switch(r, i, p->name, word[n] ? word + n + 1 : "true");
    }
    return refuse(r->out, "Unknown argument '%s' in diagnostic command.", word);
}

static bool take_words(struct request *r, const struct command *c, char *words[], int n) {
    if (n > 0 && c->options[0].name == NULL && !has_argument(c, 0))
        return refuse(r->out, "The argument list of this diagnostic command should be empty.%s", "");
    int taken = 0;
    for (int i = 0; i < n; i++) {
        if (c->options[0].name != NULL && words[i][0] == '-') {
            if (!take_option(r, c, words[i])) return false;
        } else if (has_argument(c, taken)) {
            r->arguments[taken++] = words[i];
        } else {
            return refuse(r->out, "Unknown argument '%s' in diagnostic command.", words[i]);
        }
    }
    if (has_argument(c, taken) && c->arguments[taken].mandatory)
        return refuse(r->out, "The argument '%s' is mandatory.", c->arguments[taken].name);
    return true;
}

bool diagnostic_command(struct os_thread *self, const char *line, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING);
    char *copy = mem_strdup(line), *words[MAX_WORDS];
    if (copy == NULL) return refuse(out, "out of memory%s", "");
    int n = split(copy, words, MAX_WORDS);
    const struct command *c = n > 0 ? find(words[0]) : NULL;
    struct request r = {.self = self, .out = out};
    bool ok = n == 0;
    if (c == NULL && n > 0) refuse(out, "Unknown diagnostic command%s", "");
    else if (c != NULL) ok = take_words(&r, c, words + 1, n - 1) && c->run(&r);
    self->exception = NULL;
    mem_free(copy);
    return ok;
}
