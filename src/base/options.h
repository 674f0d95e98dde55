/* The command line of the VM: flags (-XX), -X options, properties, agents, module options, hooks.
 *
 * Sources in order: JAVA_TOOL_OPTIONS, what the caller of JNI_CreateJavaVM passed, _JAVA_OPTIONS; files named by
 * -XX:VMOptionsFile= and -XX:Flags= are read where HotSpot reads them. Which names exist depends on the library served
 * (17 or 25); flags.def and xoptions.def are the tables. */
#ifndef VITRINE_BASE_OPTIONS_H
#define VITRINE_BASE_OPTIONS_H

#include "base/table.h"

/* Flag types are HotSpot's; all numbers are held in 64 bits. */
enum flag_type {
    FLAG_bool,
    FLAG_int,
    FLAG_uint,
    FLAG_intx,
    FLAG_uintx,
    FLAG_uint64_t,
    FLAG_size_t,
    FLAG_double,
    FLAG_ccstr,
    FLAG_ccstrlist
};
typedef bool        flag_c_bool;
typedef int64_t     flag_c_int;
typedef uint64_t    flag_c_uint;
typedef int64_t     flag_c_intx;
typedef uint64_t    flag_c_uintx;
typedef uint64_t    flag_c_uint64_t;
typedef uint64_t    flag_c_size_t;
typedef double      flag_c_double;
typedef const char *flag_c_ccstr;
typedef const char *flag_c_ccstrlist;

/* Every flag as a typed field of its own name: o->flags.MaxHeapSize. A flag of the other library holds its default. */
struct vm_flags {
#define FLAG(storage, name, jdk17, jdk25, effect) flag_c_##storage name;
#include "base/flags.def"
#undef FLAG
};

enum flag_id {
#define FLAG(storage, name, jdk17, jdk25, effect) FLAG_ID_##name,
#include "base/flags.def"
#undef FLAG
    FLAG_COUNT
};

enum flag_origin {
    FLAG_DEFAULT, FLAG_COMMAND_LINE, FLAG_ENVIRONMENT, FLAG_CONFIG_FILE, FLAG_MANAGEMENT, FLAG_ERGONOMIC, FLAG_ATTACH,
    FLAG_INTERNAL, FLAG_JIMAGE_RESOURCE
};

/* A property of -D or of the VM itself. internal: given to the class library, hidden from JVM TI. */
struct vm_property {
    char *key, *value;
    bool  internal, writeable;    /* writeable: JVM TI may set it in OnLoad */
};

enum agent_kind { AGENT_LIB, AGENT_PATH, AGENT_JAVA, AGENT_XRUN };
struct vm_agent {
    enum agent_kind kind;
    char           *name;         /* library name, path, or "instrument" for -javaagent */
    char           *options;      /* text after '=', "jar=args" for -javaagent; NULL when none given */
};

/* -ea/-da: in the order given. name NULL: all application classes. package: "...", its subpackages too. */
struct vm_assertion {
    char *name;                   /* "p.C" or "p" (package; "" is the unnamed package) */
    bool  package, enable;
};

enum vm_mode { VM_MODE_MIXED, VM_MODE_INT, VM_MODE_COMP };

struct vm_options {
    int             library;      /* 17 or 25 */
    struct vm_flags flags;
    uint8_t         origin[FLAG_COUNT];         /* enum flag_origin                         */
    bool            owned[FLAG_COUNT];          /* the string in flags is ours to free      */

    VEC(struct vm_property)  properties;        /* in order; keys are unique (last -D wins) */
    VEC(struct vm_agent)     agents;            /* in order, -Xrun last as in HotSpot */
    VEC(struct vm_assertion) assertions;
    bool            system_assertions;          /* -esa */
    bool            user_assertions;            /* the last plain -ea/-da */

    char           *boot_append;                /* -Xbootclasspath/a, joined by ':'; NULL none */
    VEC(char *)     patch_modules;              /* "module=path" of --patch-module */
    bool            enable_preview;
    bool            has_module_options;         /* any --add-modules, --module-path, --patch-module, ... */

    char           *jvm_args;                   /* the options given, joined by ' ' (sun.rt.jvmArgs) */
    char           *jvm_flags;                  /* from .hotspotrc or -XX:Flags= */
    char           *java_command;               /* -Dsun.java.command */
    VEC(char *)     jvm_arg_list;               /* RuntimeMXBean.getInputArguments */

    uint64_t        initial_heap, max_heap, min_heap;   /* bytes; 0 = by ergonomics (MaxRAMPercentage and friends) */
    bool            max_heap_explicit;
    uint64_t        thread_stack_size;          /* bytes */
    enum vm_mode    mode;
    int32_t         first_budget, call_cost;    /* a method is hot when its calls at call_cost each and its backward
                                                 * branches at 1 have cost first_budget; both 1 at least  */
    bool            optimises;                  /* what goes on to be hot gets the optimising compiler's code      */
    int32_t         optimising_budget, optimising_call_cost;     /* ... by the same rule                           */
    bool            reduce_signals;             /* -Xrs */
    bool            check_jni;                  /* -Xcheck:jni */
    bool            verify_remote, verify_local;
    bool            verbose_class, verbose_gc, verbose_jni, verbose_module;
    bool            disable_attach;
    bool            finalization;               /* --finalization=enabled, 25 */
    bool            xshare_on;                  /* -Xshare:on, the last -Xshare:          */

    int           (*vfprintf_hook)(void *file, const char *fmt, va_list args);
    void          (*exit_hook)(int code);
    void          (*abort_hook)(void);

    int             exit_code;                  /* with OPTIONS_EXIT */
};

/* One JavaVMOption. */
struct option_input { const char *text; void *extra; };

enum options_result {
    OPTIONS_OK,
    OPTIONS_ERROR,                /* JNI_ERR: a sentence was printed                                        */
    OPTIONS_INVALID,              /* JNI_EINVAL: a sentence was printed                                     */
    OPTIONS_NO_MEMORY,            /* JNI_ENOMEM                                                             */
    OPTIONS_EXIT                  /* the option asked for a text and the process ends with exit_code 0      */
};

/* Fills *o (zeroed by this function). Reads the environment and files, configures logging, sets vfprintf/abort hooks.
 * o is freed by options_free in every case. One thread, before the VM exists. */
enum options_result options_parse(struct vm_options *o, int library, const struct option_input *given, size_t count,
                                  bool ignore_unrecognized);
/* Settles what depends on the machine: heap sizes, stack size, flags HotSpot would set by ergonomics; then prints
 * -XX:+PrintFlagsFinal, -XX:+PrintCommandLineFlags, names options without effect in -Xlog:arguments. */
enum options_result options_settle(struct vm_options *o);
void options_free(struct vm_options *o);

/* Properties: NULL when absent. add replaces a key already there. */
const char *options_property(const struct vm_options *o, const char *key);
bool options_set_property(struct vm_options *o, const char *key, const char *value, bool internal, bool writeable);
/* Next free N of prefix.N: for jdk.module.addmods and the like. */
bool        options_add_numbered_property(struct vm_options *o, const char *prefix, const char *value);

/* Flags by name: what jcmd, jinfo and HotSpotDiagnosticMXBean need. -1 when this library has no such flag. */
int              flag_find(const struct vm_options *o, const char *name, size_t len);
const char      *flag_name(int flag);
enum flag_type   flag_type_of(int flag);
bool             flag_exists(const struct vm_options *o, int flag);       /* in this library                     */
bool             flag_is_unlocked(const struct vm_options *o, int flag);  /* diagnostic, experimental: unlocked? */
bool             flag_is_manageable(const struct vm_options *o, int flag);
bool             flag_has_effect(int flag);
enum flag_origin flag_origin_of(const struct vm_options *o, int flag);
/* The field itself: bool*, int64_t*, uint64_t*, double* or const char**. */
void            *flag_address(struct vm_options *o, int flag);
/* The value as -XX:+PrintFlagsFinal prints it; caller frees. */
char            *flag_value_text(const struct vm_options *o, int flag);
/* Sets from text ("true", "10m", ...). False: *err (may be NULL) is a sentence, caller frees. */
bool             flag_set_text(struct vm_options *o, int flag, const char *value, enum flag_origin origin, char **err);

/* "[Global flags]" and every flag, as -XX:+PrintFlagsFinal (all: jcmd VM.flags -all), to stdout through vm_print. */
void options_print_flags(struct vm_options *o, bool with_ranges);
/* caller frees: "-XX:Foo=1 -XX:+Bar" or the full list */
char *options_flags_text(struct vm_options *o, bool only_set);

/* Parses "12k", "3g", "0x10m" as HotSpot's atojulong does; false when malformed. */
bool options_parse_size(const char *text, uint64_t *out);

/* Texts of JNI_GetDefaultJavaVMInitArgs for the 1.1 layout: default thread stack size in bytes. */
size_t options_default_stack_size(void);

#endif
