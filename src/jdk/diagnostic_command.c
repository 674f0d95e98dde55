/* diagnostic_command.c — what a running VM can be asked: the table of commands, their arguments, help, answers. */
#include "jdk/diagnostic_command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/jvm.h"
#include "jdk/thread_dump.h"
#include "jvmti/tools.h"
#include "probe/probe.h"

enum { MAX_OPTIONS = 2, MAX_ARGUMENTS = 2, MAX_WORDS = 8 };

/* A parsed command line. */
struct request {
    struct os_thread *self;
    FILE *out;
    bool options[MAX_OPTIONS];           /* all options are switches                                                   */
    char *arguments[MAX_ARGUMENTS];
};

struct parameter { const char *name, *description; bool mandatory; };

struct command {
    const char *name, *description, *impact;
    const char *permission;              /* 17 shows it; NULL: none                                                    */
    struct parameter options[MAX_OPTIONS], arguments[MAX_ARGUMENTS];
    bool (*run)(struct request *r);
};

/* ---- answers that several have in common ------------------------------------------------------------------------------------- */

/* Writes and drops the pending exception: "java.lang.IllegalArgumentException: text". */
static bool failed(struct os_thread *self, FILE *out) {
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
    struct class *support = class_find_boot(self, "jdk/internal/vm/VMSupport");
    uint64_t result = 0;
    if (support != NULL) java_call_static_named(self, support, method, "()[B", NULL, &result);
    struct object *bytes = self->exception ? NULL : slot_object(result);
    if (bytes != NULL) fwrite(array_data(bytes), 1, (size_t)array_length(bytes), out);
    return failed(self, out);
}

static bool load_instrument_module(struct os_thread *self) {
    struct class *modules = class_find_boot(self, "jdk/internal/module/Modules");
    struct object *name = modules ? string_from_cstr(self, "java.instrument") : NULL;
    uint64_t args[1] = {slot_ref(name)}, module;
    return name != NULL && java_call_static_named(self, modules, "loadModule", "(Ljava/lang/String;)Ljava/lang/Module;", args, &module);
}

bool diagnostic_load_agent(struct os_thread *self, const char *library, bool absolute, const char *options, bool by_command, FILE *out) {
    bool asks = !by_command || vm->library != LIBRARY_17; /* as the libraries' own VMs do */
    if (asks && !vm->options->flags.EnableDynamicAgentLoading) {
        fprintf(out, "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n");
        return false;
    }
    if (strcmp(library, "instrument") == 0 && !load_instrument_module(self)) return failed(self, out);
    jint result = 0;
    char *error = NULL;
    int loaded = agent_attach(self, library, absolute, options, &result, &error);
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

/* ---- the commands ---------------------------------------------------------------------------------------------------------------- */

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

static bool run_gc(struct request *r) {
    if (vm->options->flags.DisableExplicitGC) fprintf(r->out, "Explicit GC is disabled, no GC has been performed.\n");
    else heap_collect(r->self, "Diagnostic Command", false);
    return true;
}
static bool run_finalization(struct request *r) { return call_system(r, "java/lang/System", "runFinalization"); }

static bool run_heap_info(struct request *r) {
    struct heap_stats s;
    heap_stats(&s);
    fprintf(r->out, "mark-region heap   total %zuK, used %zuK, reserved %zuK\n", s.committed / KIB, s.used / KIB, s.max / KIB);
    return true;
}

static bool run_version(struct request *r) {
    const char *name = options_property(vm->options, "java.vm.name"), *version = options_property(vm->options, "java.vm.version"),
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

static bool run_system_properties(struct request *r) { return diagnostic_properties(r->self, "serializePropertiesToByteArray", r->out); }

static bool run_flags(struct request *r) {
    char *text = options_flags_text(vm->options, !r->options[0]);
    fprintf(r->out, r->options[0] ? "%s" : "%s\n", text ? text : "");
    mem_free(text);
    return text != NULL;
}

char *diagnostic_flag_text(int flag) {
    char *value = flag_value_text(vm->options, flag), *text = NULL;
    if (value != NULL && flag_type_of(flag) == FLAG_bool) text = mem_printf("-XX:%c%s", strcmp(value, "true") == 0 ? '+' : '-', flag_name(flag));
    else if (value != NULL) text = mem_printf("-XX:%s=%s", flag_name(flag), value);
    mem_free(value);
    return text;
}

static bool run_help(struct request *r);

#define MONITOR "java.lang.management.ManagementPermission(monitor)"
static const struct command commands[] = {
    {"GC.class_histogram", "Provide statistics about the Java heap usage.", "High: Depends on Java heap size and content.", MONITOR,
     {{"-all", "Inspect all objects, including unreachable objects", false}}, {{0}}, run_class_histogram},
    {"GC.heap_info", "Provide generic Java heap information.", "Medium", MONITOR, {{0}}, {{0}}, run_heap_info},
    {"GC.run", "Call java.lang.System.gc().", "Medium: Depends on Java heap size and content.", NULL, {{0}}, {{0}}, run_gc},
    {"GC.run_finalization", "Call java.lang.System.runFinalization().", "Medium: Depends on Java content.", NULL, {{0}}, {{0}}, run_finalization},
    {"JVMTI.agent_load", "Load JVMTI native agent.", "Low", "java.lang.management.ManagementPermission(control)", {{0}},
     {{"library path", "Absolute path of the JVMTI agent to load.", true}, {"agent option", "Option string to pass the agent.", false}}, run_agent_load},
    {"JVMTI.data_dump", "Signal the JVM to do a data-dump request for JVMTI.", "High", MONITOR, {{0}}, {{0}}, run_data_dump},
    {"Thread.print", "Print all threads with stacktraces.", "Medium: Depends on the number of threads.", MONITOR,
     {{"-l", "print java.util.concurrent locks", false}, {"-e", "print extended thread information", false}}, {{0}}, run_thread_print},
    {"VM.command_line", "Print the command line used to start this VM instance.", "Low", MONITOR, {{0}}, {{0}}, run_command_line},
    {"VM.flags", "Print VM flag options and their current values.", "Low", MONITOR, {{"-all", "Print all flags supported by the VM", false}}, {{0}}, run_flags},
    {"VM.system_properties", "Print system properties.", "Low", "java.util.PropertyPermission(*, read)", {{0}}, {{0}}, run_system_properties},
    {"VM.uptime", "Print VM uptime.", "Low", NULL, {{"-date", "Add a prefix with current date", false}}, {{0}}, run_uptime},
    {"VM.version", "Print JVM version information.", "Low", "java.util.PropertyPermission(java.vm.version, read)", {{0}}, {{0}}, run_version},
    {"help", "For more information about a specific command use 'help <command>'. With no argument this will show a list of available commands. "
     "'help all' will show help for all commands.", "Low", NULL, {{"-all", "Show help for all commands", false}},
     {{"command name", "The name of the command for which we want help", false}}, run_help},
};

static const struct command *find(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

/* ---- help -------------------------------------------------------------------------------------------------------------------------- */

static void help_on(const struct command *c, FILE *out) {
    bool options = c->options[0].name != NULL, arguments = c->arguments[0].name != NULL;
    fprintf(out, "%s\n%s\n\nImpact: %s\n\n", c->name, c->description, c->impact);
    if (vm->library == LIBRARY_17 && c->permission != NULL) fprintf(out, "Permission: %s\n\n", c->permission);
    fprintf(out, options || arguments ? "Syntax : %s %s" : "Syntax: %s%s", c->name, options ? "[options]" : "");
    for (int i = 0; i < MAX_ARGUMENTS && c->arguments[i].name; i++) fprintf(out, c->arguments[i].mandatory ? " <%s>" : " [<%s>]", c->arguments[i].name);
    if (arguments) {
        fprintf(out, "\n\nArguments:");
        for (int i = 0; i < MAX_ARGUMENTS && c->arguments[i].name; i++)
            fprintf(out, "\n\t%s : %s %s (STRING, no default value)", c->arguments[i].name, c->arguments[i].mandatory ? "" : "[optional]", c->arguments[i].description);
    }
    if (options) {
        fprintf(out, "\n\nOptions: (options must be specified using the <key> or <key>=<value> syntax)");
        for (int i = 0; i < MAX_OPTIONS && c->options[i].name; i++) fprintf(out, "\n\t%s : [optional] %s (BOOLEAN, false)", c->options[i].name, c->options[i].description);
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
        for (size_t i = 0; i < ARRAY_LEN(commands); i++) fprintf(r->out, "%s%s\n\t%s\n", i ? "\n" : "", commands[i].name, commands[i].description);
    } else {
        fprintf(r->out, "The following commands are available:\n");
        for (size_t i = 0; i < ARRAY_LEN(commands); i++) fprintf(r->out, "%s\n", commands[i].name);
        fprintf(r->out, "\nFor more information about a specific command use 'help <command>'.\n");
    }
    return true;
}

/* ---- parsing ------------------------------------------------------------------------------------------------------------------------ */

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

/* "-all", "-all=true". False: refused. */
static bool take_option(struct request *r, const struct command *c, char *word) {
    size_t n = strcspn(word, "=");
    for (int i = 0; i < MAX_OPTIONS && c->options[i].name; i++) {
        if (strlen(c->options[i].name) != n || strncmp(c->options[i].name, word, n) != 0) continue;
        const char *value = word[n] ? word + n + 1 : "true";
        r->options[i] = strcmp(value, "true") == 0;
        if (r->options[i] || strcmp(value, "false") == 0) return true;
        fprintf(r->out, "java.lang.IllegalArgumentException: Boolean parsing error in command argument '%s'. Could not parse: %s.%s\n", c->options[i].name, value,
                vm->library == LIBRARY_17 ? "" : " ");
        return false;
    }
    return refuse(r->out, "Unknown argument '%s' in diagnostic command.", word);
}

static bool take_words(struct request *r, const struct command *c, char *words[], int n) {
    if (n > 0 && c->options[0].name == NULL && c->arguments[0].name == NULL)
        return refuse(r->out, "The argument list of this diagnostic command should be empty.%s", "");
    int taken = 0;
    for (int i = 0; i < n; i++) {
        if (c->options[0].name != NULL && words[i][0] == '-') {
            if (!take_option(r, c, words[i])) return false;
        } else if (taken < MAX_ARGUMENTS && c->arguments[taken].name != NULL) {
            r->arguments[taken++] = words[i];
        } else {
            return refuse(r->out, "Unknown argument '%s' in diagnostic command.", words[i]);
        }
    }
    if (taken < MAX_ARGUMENTS && c->arguments[taken].mandatory) return refuse(r->out, "The argument '%s' is mandatory.", c->arguments[taken].name);
    return true;
}

bool diagnostic_command(struct os_thread *self, const char *line, FILE *out) {
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
