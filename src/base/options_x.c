/* The options that are not plain -XX flags: one handler per row of xoptions.def. */
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/options_internal.h"

/* ---- Sizes ---------------------------------------------------------------------------------------------------- */

/* A size of at least `min`; false: "Invalid <what>: <option>" has been printed. */
static bool read_size(struct option_reader *r, const char *option, const char *tail, uint64_t min, const char *what,
                      uint64_t *out) {
    if (options_parse_size(tail, out) && *out >= min) return true;
    return options_fail(r, OPTIONS_INVALID, "Invalid %s: %s", what, option);
}

static bool x_initial_heap(struct option_reader *r, const char *option, const char *tail) {
    uint64_t size;
    if (!read_size(r, option, tail, 0, "initial heap size", &size)) return false;
    flag_set_number(r->o, FLAG_ID_MinHeapSize, size, r->origin);
    flag_set_number(r->o, FLAG_ID_InitialHeapSize, size, r->origin);
    return true;
}

static bool x_max_heap(struct option_reader *r, const char *option, const char *tail) {
    uint64_t size;
    if (!read_size(r, option, tail, 1, "maximum heap size", &size)) return false;
    flag_set_number(r->o, FLAG_ID_MaxHeapSize, size, r->origin);
    return true;
}

static bool x_young_size(struct option_reader *r, const char *option, const char *tail) {
    uint64_t size;
    if (!read_size(r, option, tail, 1, "initial young generation size", &size)) return false;
    flag_set_number(r->o, FLAG_ID_MaxNewSize, size, r->origin);
    flag_set_number(r->o, FLAG_ID_NewSize, size, r->origin);
    return true;
}

#define MAX_STACK GIB

static bool x_stack_size(struct option_reader *r, const char *option, const char *tail) {
    uint64_t size;
    if (!read_size(r, option, tail, 0, "thread stack size", &size)) return false;
    if (size > MAX_STACK)
        return options_fail(r, OPTIONS_INVALID, "Invalid thread stack size: %s\n"
                            "The specified size exceeds the maximum representable size.", option);
    flag_set_number(r->o, FLAG_ID_ThreadStackSize, ALIGN_UP(size, 1024) / 1024, r->origin);
    return true;
}

static bool x_free_ratio(struct option_reader *r, const char *option, const char *tail) {
    char  *end;
    double share = strtod(tail, &end);
    bool   min = strncmp(option, "-Xminf", 6) == 0;
    if (*tail == 0 || *end || share < 0 || share > 1)
        return options_fail(r, OPTIONS_INVALID, "Bad %s heap free percentage size: %s", min ? "min" : "max", option);
    flag_set_number(r->o, min ? FLAG_ID_MinHeapFreeRatio : FLAG_ID_MaxHeapFreeRatio, (uint64_t)(share * 100),
                    r->origin);
    return true;
}

static bool x_code_cache(struct option_reader *r, const char *option, const char *tail) {
    uint64_t size;
    char *err = NULL;
    if (!options_parse_size(tail, &size) || size < 1)
        return options_fail(r, OPTIONS_INVALID, "Invalid maximum code cache size: %s.", option);
    if (flag_set_text(r->o, FLAG_ID_ReservedCodeCacheSize, tail, r->origin, &err)) return true;
    options_fail(r, OPTIONS_INVALID, "%s", err ? err : option);
    mem_free(err);
    return false;
}

/* ---- Switches ------------------------------------------------------------------------------------------------- */

/* The value of "-XX:Name[:value]", a form that two flags have beside "=value". */
static bool set_string(struct option_reader *r, int flag, const char *tail) {
    return flag_set_text(r->o, flag, *tail == ':' ? tail + 1 : tail, r->origin, NULL) || options_no_memory(r);
}

/* Each of them says anew, too, whether who wants code waits for it. */
static bool set_mode(struct option_reader *r, enum vm_mode mode) {
    r->o->mode = mode;
    r->o->flags.BackgroundCompilation = mode != VM_MODE_COMP;
    return true;
}

#define HANDLER(name)                                                                                                  \
    static bool name(struct option_reader *r UNUSED, const char *option UNUSED, const char *tail UNUSED)

HANDLER(x_nothing)         { return true; }
HANDLER(x_mode_int)        { return set_mode(r, VM_MODE_INT); }
HANDLER(x_mode_comp)       { return set_mode(r, VM_MODE_COMP); }
HANDLER(x_mode_mixed)      { return set_mode(r, VM_MODE_MIXED); }
HANDLER(x_batch)           { flag_set_bool(r->o, FLAG_ID_BackgroundCompilation, false, r->origin); return true; }
HANDLER(x_no_class_gc)     { flag_set_bool(r->o, FLAG_ID_ClassUnloading, false, r->origin); return true; }
HANDLER(x_reduce_signals)  { flag_set_bool(r->o, FLAG_ID_ReduceSignalUsage, true, r->origin); return true; }
HANDLER(x_check_jni)       { flag_set_bool(r->o, FLAG_ID_CheckJNICalls, true, r->origin); return true; }
HANDLER(x_start_recording) { return set_string(r, FLAG_ID_StartFlightRecording, tail); }
HANDLER(x_recorder_options) { return set_string(r, FLAG_ID_FlightRecorderOptions, tail); }
HANDLER(x_enable_preview)  { r->o->enable_preview = true; return true; }

HANDLER(x_no_class_gc_deprecated) {
    vm_print(true, "Warning: -noclassgc option is deprecated and may be removed in a future release.\n");
    return x_no_class_gc(r, option, tail);
}

HANDLER(x_check_unknown) {
    return r->ignore || options_fail(r, OPTIONS_INVALID, "Unrecognized check option: %s", option);
}

HANDLER(x_share) {
    r->o->xshare_on = strcmp(option, "-Xshare:on") == 0;
    return true;
}

HANDLER(x_share_dump) {
    return options_fail(r, OPTIONS_ERROR, "%s: class data archives are not written by this VM.", option);
}

HANDLER(x_green) { return options_fail(r, OPTIONS_ERROR, "Green threads support not available"); }

HANDLER(x_no_longer) {
    vm_print(true, "Warning: %s option is no longer supported.\n", option);
    return true;
}

HANDLER(x_future) {
    vm_print(true, "Warning: -Xfuture option is deprecated and may be removed in a future release.\n");
    return true;
}

HANDLER(x_debug_deprecated) {
    vm_warning("Option -Xdebug was deprecated in JDK 22 and will likely be removed in a future release.");
    return true;
}

HANDLER(x_prof) {
    vm_warning("Ignoring option %s; support was removed in 10.0", option);
    return true;
}

static void set_verification(struct option_reader *r, bool local, bool remote) {
    flag_set_bool(r->o, FLAG_ID_BytecodeVerificationLocal, local, r->origin);
    flag_set_bool(r->o, FLAG_ID_BytecodeVerificationRemote, remote, r->origin);
}

HANDLER(x_no_verify) {
    set_verification(r, false, false);
    vm_warning("Options -Xverify:none and -noverify were deprecated in JDK 13 and will likely be removed in a future "
               "release.");
    return true;
}

HANDLER(x_verify) {
    if (*tail == 0 || strcmp(tail, ":all") == 0) set_verification(r, true, true);
    else if (strcmp(tail, ":remote") == 0) set_verification(r, false, true);
    else if (strcmp(tail, ":none") == 0) return x_no_verify(r, option, tail);
    else return r->ignore || options_fail(r, OPTIONS_INVALID, "Unrecognized verification option: %s", option);
    return true;
}

HANDLER(x_finalization) {
    if (strcmp(tail, "enabled") != 0 && strcmp(tail, "disabled") != 0)
        return options_fail(r, OPTIONS_INVALID, "Invalid finalization value '%s', must be 'disabled' or 'enabled'.",
                            tail);
    r->o->finalization = *tail == 'e';
    return true;
}

/* ---- Assertions ----------------------------------------------------------------------------------------------- */

static bool set_assertions(struct option_reader *r, const char *tail, bool enable) {
    struct vm_assertion a = { NULL, false, enable };
    if (*tail == 0) {                            /* for classes that no named option speaks of, wherever it stands */
        r->o->user_assertions = enable;
        return true;
    }
    tail++;
    size_t n = strlen(tail);
    if (n >= 3 && strcmp(tail + n - 3, "...") == 0) {
        a.package = true;
        n -= 3;
    }
    a.name = mem_strndup(tail, n);
    if (a.name && vec_push(&r->o->assertions, a)) return true;
    mem_free(a.name);
    return options_no_memory(r);
}

HANDLER(x_enable_assertions)          { return set_assertions(r, tail, true); }
HANDLER(x_disable_assertions)         { return set_assertions(r, tail, false); }
HANDLER(x_enable_system_assertions)   { r->o->system_assertions = true; return true; }
HANDLER(x_disable_system_assertions)  { r->o->system_assertions = false; return true; }

/* ---- Agents --------------------------------------------------------------------------------------------------- */

/* "name<separator>options" */
static bool add_agent(struct option_reader *r, enum agent_kind kind, const char *text, char separator) {
    const char *at = separator ? strchr(text, separator) : NULL;
    struct vm_agent a = { kind, mem_strndup(text, at ? (size_t)(at - text) : strlen(text)),
                          at ? mem_strdup(at + 1) : NULL };
    if (a.name && (!at || a.options) && vec_push(&r->o->agents, a)) return true;
    mem_free(a.name);
    mem_free(a.options);
    return options_no_memory(r);
}

HANDLER(x_agent_lib)  { return add_agent(r, AGENT_LIB, tail, '='); }
HANDLER(x_agent_path) { return add_agent(r, AGENT_PATH, tail, '='); }
HANDLER(x_agent_xrun) { return add_agent(r, AGENT_XRUN, tail, ':'); }

HANDLER(x_agent_java) {
    struct vm_agent a = { AGENT_JAVA, mem_strdup("instrument"), mem_strdup(tail) };
    if (a.name && a.options && vec_push(&r->o->agents, a))
        return options_add_numbered_property(r->o, "jdk.module.addmods", "java.instrument") || options_no_memory(r);
    mem_free(a.name);
    mem_free(a.options);
    return options_no_memory(r);
}

/* ---- Logging -------------------------------------------------------------------------------------------------- */

HANDLER(x_log) {
    bool quit;
    if (!log_configure(tail, &quit))
        return options_fail(r, OPTIONS_INVALID, "Invalid -Xlog option '%s', see error log for details.", option);
    if (!quit) return true;
    r->result = OPTIONS_EXIT;
    return false;
}

HANDLER(x_log_gc) {
    char *err = NULL;
    log_warning(gc, "-Xloggc is deprecated. Will use -Xlog:gc:%s instead.", tail);
    bool ok = log_configure_parts(tail, "gc", NULL, NULL, false, &err);
    if (!ok) {
        if (err) log_error(logging, "%s", err);
        options_fail(r, OPTIONS_INVALID, "Invalid -Xlog option '%s', see error log for details.", option);
    }
    mem_free(err);
    return ok;
}

HANDLER(x_verbose) {
    if (*tail == 0 || strcmp(tail, ":class") == 0) {
        r->o->verbose_class = true;
        log_configure_level("class+load", LOG_INFO);
        log_configure_level("class+unload", LOG_INFO);
    } else if (strcmp(tail, ":gc") == 0) {
        r->o->verbose_gc = true;
        log_configure_level("gc", LOG_INFO);
    } else if (strcmp(tail, ":jni") == 0) {
        r->o->verbose_jni = true;
        log_configure_level("jni+resolve", LOG_DEBUG);
    } else if (strcmp(tail, ":module") == 0) {
        r->o->verbose_module = true;
        log_configure_level("module+load", LOG_INFO);
        log_configure_level("module+unload", LOG_INFO);
    }
    return true;                                 /* HotSpot passes over other words */
}

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

HANDLER(x_internal_version) {
    vm_print(false, "%s for linux-amd64, serving JDK %d, built with " COMPILER "\n", vm_short_name, r->o->library);
    r->result = OPTIONS_EXIT;
    return false;
}

/* ---- Class path and modules ----------------------------------------------------------------------------------- */

HANDLER(x_boot_append) {
    char *joined = r->o->boot_append ? mem_printf("%s:%s", r->o->boot_append, tail) : mem_strdup(tail);
    if (!joined) return options_no_memory(r);
    mem_free(r->o->boot_append);
    r->o->boot_append = joined;
    return true;
}

static bool boot_option_gone(struct option_reader *r, const char *name) {
    vm_print(false, "%s is no longer a supported option.\n", name);
    r->result = OPTIONS_INVALID;
    return false;
}

HANDLER(x_boot_prepend) { return boot_option_gone(r, "-Xbootclasspath/p"); }
HANDLER(x_boot_replace) { return boot_option_gone(r, "-Xbootclasspath"); }

static bool set_module_property(struct option_reader *r, const char *key, const char *value) {
    r->o->has_module_options = true;
    return options_set_property(r->o, key, value, true, false) || options_no_memory(r);
}

static bool add_module_property(struct option_reader *r, const char *prefix, const char *value) {
    r->o->has_module_options = true;
    return options_add_numbered_property(r->o, prefix, value) || options_no_memory(r);
}

HANDLER(x_add_reads)             { return add_module_property(r, "jdk.module.addreads", tail); }
HANDLER(x_add_exports)           { return add_module_property(r, "jdk.module.addexports", tail); }
HANDLER(x_add_opens)             { return add_module_property(r, "jdk.module.addopens", tail); }
HANDLER(x_add_modules)           { return add_module_property(r, "jdk.module.addmods", tail); }
HANDLER(x_native_access)         { return add_module_property(r, "jdk.module.enable.native.access", tail); }
HANDLER(x_illegal_native_access) { return set_module_property(r, "jdk.module.illegal.native.access", tail); }
HANDLER(x_limit_modules)         { return set_module_property(r, "jdk.module.limitmods", tail); }
HANDLER(x_module_path)           { return set_module_property(r, "jdk.module.path", tail); }
HANDLER(x_upgrade_module_path)   { return set_module_property(r, "jdk.module.upgrade.path", tail); }

HANDLER(x_patch_module) {
    const char *equals = strchr(tail, '=');
    if (!equals) {
        vm_print(false, "Missing '=' in --patch-module specification\n");
        r->result = OPTIONS_ERROR;
        return false;
    }
    for (size_t i = 0; i < r->o->patch_modules.count; i++)
        if (strncmp(tail, "java.base=", 10) == 0 && strncmp(r->o->patch_modules.data[i], "java.base=", 10) == 0)
            return options_fail_init(r, "Cannot specify java.base more than once to --patch-module");
    char *copy = mem_strdup(tail);
    if (!copy || !vec_push(&r->o->patch_modules, copy)) {
        mem_free(copy);
        return options_no_memory(r);
    }
    return add_module_property(r, "jdk.module.patch", tail);
}

HANDLER(x_illegal_access) {
    vm_warning("Ignoring option %s; support was removed in 17.0", option);
    return true;
}

HANDLER(x_unsafe_memory_access) {
    static const char *const values[] = { "allow", "warn", "debug", "deny" };
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        if (strcmp(tail, values[i]) == 0)
            return options_set_property(r->o, "sun.misc.unsafe.memory.access", tail, true, true) ||
                   options_no_memory(r);
    return options_fail(r, OPTIONS_ERROR, "Value specified to --sun-misc-unsafe-memory-access not recognized: '%s'",
                        tail);
}

/* ---- Properties ----------------------------------------------------------------------------------------------- */

/* Names under jdk.module. that only options may set; "addmods.0" counts as addmods. */
static bool is_reserved_module_property(const struct vm_options *o, const char *key) {
    static const char *const names[] = {
        "addexports",
        "addopens",
        "addreads",
        "addmods",
        "limitmods",
        "path",
        "upgrade.path",
        "patch",
        "enable.native.access",
        "illegal.native.access",
    };
    if (strncmp(key, "jdk.module.", 11) != 0) return false;
    size_t count = ARRAY_LEN(names) - (o->library < 25);
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(key + 11, names[i], n) == 0 && (key[11 + n] == 0 || key[11 + n] == '.')) return true;
    }
    return false;
}

/* Without a value they are properties like others. */
static bool unsupported_property(struct option_reader *r, const char *option) {
    if (strncmp(option, "-Djava.endorsed.dirs=", 21) == 0 && option[21] != 0)
        vm_print(false, "%s is not supported. Endorsed standards and standalone APIs\n"
                        "in modular form will be supported via the concept of upgradeable modules.\n", option);
    else if (strncmp(option, "-Djava.ext.dirs=", 16) == 0 && option[16] != 0)
        vm_print(false, "%s is not supported.  Use -classpath instead.\n", option);
    else
        return false;
    r->result = OPTIONS_INVALID;
    return true;
}

/* java.compiler was the way to choose a compiler library; NONE asked for the interpreter. */
static bool read_java_compiler(struct option_reader *r, const char *value) {
    if (r->o->library == 25)
        vm_warning("The java.compiler system property is obsolete and no longer supported, use -Xint");
    else if (*value == 0 || strcasecmp(value, "NONE") == 0)
        r->o->mode = VM_MODE_INT;
    return true;
}

static bool note_command(struct option_reader *r, const char *value) {
    char *copy = mem_strdup(value);
    if (!copy) return options_no_memory(r);
    mem_free(r->o->java_command);
    r->o->java_command = copy;
    return true;
}

HANDLER(x_property) {
    if (unsupported_property(r, option)) return false;
    const char *equals = strchr(tail, '='), *value = equals ? equals + 1 : "";
    char       *key = mem_strndup(tail, equals ? (size_t)(equals - tail) : strlen(tail));
    bool        ok = key != NULL, keep = true;
    if (!ok) return options_no_memory(r);
    if (is_reserved_module_property(r->o, key)) {
        vm_warning("Ignoring system property options whose names match the '-Djdk.module.*'. "
                   "names that are reserved for internal use.");
        keep = false;
    } else if (strcmp(key, "java.compiler") == 0) {
        ok = read_java_compiler(r, value);
        keep = false;
    } else if (strcmp(key, "sun.java.command") == 0) {
        ok = note_command(r, value);
    }
    if (ok && keep) ok = options_set_property(r->o, key, value, false, true) || options_no_memory(r);
    if (ok && strncmp(key, "com.sun.management", 18) == 0) {
        flag_set_bool(r->o, FLAG_ID_ManagementServer, true, FLAG_COMMAND_LINE);
        ok = options_add_numbered_property(r->o, "jdk.module.addmods", "jdk.management.agent") || options_no_memory(r);
    }
    mem_free(key);
    return ok;
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

enum match { EXACT, PREFIX, COLON };

#define EFFECT   true
#define ACCEPTED false
static const struct x_option {
    uint8_t     match;
    const char *text;
    bool        in[2];                     /* 17, 25 */
    bool        effect;
    bool      (*handle)(struct option_reader *r, const char *option, const char *tail);
} x_options[] = {
#define XOPTION(match, text, jdk17, jdk25, effect, handler) { match, text, { jdk17, jdk25 }, effect, x_##handler },
#include "base/xoptions.def"
#undef XOPTION
};
#undef EFFECT
#undef ACCEPTED

static bool matches(const struct x_option *x, const char *option) {
    size_t n = strlen(x->text);
    if (strncmp(option, x->text, n) != 0) return false;
    return x->match == PREFIX || option[n] == 0 || (x->match == COLON && option[n] == ':');
}

static const struct x_option *x_find(const struct vm_options *o, const char *option) {
    for (size_t i = 0; i < ARRAY_LEN(x_options); i++)
        if (x_options[i].in[o->library == 25] && matches(&x_options[i], option)) return &x_options[i];
    return NULL;
}

bool options_read_x(struct option_reader *r, const char *option) {
    const struct x_option *x = x_find(r->o, option);
    if (x) return x->handle(r, option, option + strlen(x->text));
    if (strncmp(option, "-XX:", 4) == 0) return options_read_flag(r, option + 4);
    return r->ignore || options_fail(r, OPTIONS_INVALID, "Unrecognized option: %s", option);
}

bool options_x_has_effect(const struct vm_options *o, const char *option) {
    const struct x_option *x = x_find(o, option);
    return !x || x->effect;
}
