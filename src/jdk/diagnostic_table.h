/* diagnostic_table.h — the table of diagnostic commands, and what a command is given when it runs. */
#ifndef VITRINE_JDK_DIAGNOSTIC_TABLE_H
#define VITRINE_JDK_DIAGNOSTIC_TABLE_H

#include <stdio.h>

#include "jdk/jvm.h"

enum { DIAGNOSTIC_OPTIONS = 24, DIAGNOSTIC_ARGUMENTS = 2 };

enum parameter_type { TYPE_BOOLEAN, TYPE_STRING, TYPE_INT, TYPE_FILE };

/* An option ("name" or "name=value", in any place) or an argument (by position). */
struct parameter {
    const char *name, *description;
    enum parameter_type type;
    const char *preset;                  /* its value if none is given; NULL: none                                */
    bool mandatory;
    enum library only;                   /* 0: both libraries                                                     */
};

/* Who may run it through the bean, as the library of 17 has it. */
struct permission { const char *class, *name, *action; };

struct request;
struct command {
    const char *name, *description, *impact;
    const struct permission *permission; /* NULL: none                                                            */
    enum library only;                   /* 0: both libraries                                                     */
    bool hidden_from_beans;
    bool hidden;                         /* no list has it: who knows its name may ask for its help, and run it   */
    const char *declined;                /* why this VM has it not; NULL: it has                                  */
    const struct parameter *options, *arguments;    /* both end with a row without name; NULL: none               */
    /* False: refused, the reason is what was written. IN_VM; may run Java code and leave its exception pending. */
    bool (*run)(struct request *r);
};

/* A parsed command line. Values are by the place in the table of the first parameter of the name. */
struct request {
    struct os_thread *self;
    FILE *out;
    const struct command *command;
    const char *options[DIAGNOSTIC_OPTIONS];        /* as given, or preset; NULL: neither                         */
    bool on[DIAGNOSTIC_OPTIONS], given[DIAGNOSTIC_OPTIONS];
    int64_t numbers[DIAGNOSTIC_OPTIONS];
    const char *arguments[DIAGNOSTIC_ARGUMENTS];
};

extern const struct command diagnostic_commands[];
extern const int diagnostic_command_count;

/* Writes and drops the pending exception: "java.lang.IllegalArgumentException: text". False if there was one. */
bool diagnostic_report(struct os_thread *self, FILE *out);
/* Writes the byte array that a static method of the boot loader's class answers. False: the text says why. */
bool diagnostic_bytes(struct os_thread *self, FILE *out, const char *class_name, const char *method, const char *desc,
                      const uint64_t *args);

/* The part of the help that tells how a command is written. */
void diagnostic_syntax(const struct command *c, FILE *out);

/* What the rows of the table run; see struct command. */
bool command_compiler_codecache(struct request *r);
bool command_compiler_codelist(struct request *r);
bool command_compiler_method_data(struct request *r);
bool command_compiler_perfmap(struct request *r);
bool command_compiler_queue(struct request *r);
bool command_gc_class_histogram(struct request *r);
bool command_gc_finalizer_info(struct request *r);
bool command_gc_heap_dump(struct request *r);
bool command_gc_heap_info(struct request *r);
bool command_gc_run(struct request *r);
bool command_gc_run_finalization(struct request *r);
bool command_jvmti_agent_load(struct request *r);
bool command_jvmti_data_dump(struct request *r);
bool command_managementagent_start(struct request *r);
bool command_managementagent_start_local(struct request *r);
bool command_managementagent_status(struct request *r);
bool command_managementagent_stop(struct request *r);
bool command_system_dump_map(struct request *r);
bool command_system_map(struct request *r);
bool command_system_native_heap_info(struct request *r);
bool command_system_trim_native_heap(struct request *r);
bool command_thread_dump_to_file(struct request *r);
bool command_thread_print(struct request *r);
bool command_thread_vthread_pollers(struct request *r);
bool command_thread_vthread_scheduler(struct request *r);
bool command_vm_class_hierarchy(struct request *r);
bool command_vm_classes(struct request *r);
bool command_vm_classloader_stats(struct request *r);
bool command_vm_classloaders(struct request *r);
bool command_vm_command_line(struct request *r);
bool command_vm_dynlibs(struct request *r);
bool command_vm_events(struct request *r);
bool command_vm_flags(struct request *r);
bool command_vm_info(struct request *r);
bool command_vm_log(struct request *r);
bool command_vm_metaspace(struct request *r);
bool command_vm_native_memory(struct request *r);
bool command_vm_set_flag(struct request *r);
bool command_vm_start_java_debugging(struct request *r);
bool command_vm_stringtable(struct request *r);
bool command_vm_symboltable(struct request *r);
bool command_vm_system_properties(struct request *r);
bool command_vm_systemdictionary(struct request *r);
bool command_vm_uptime(struct request *r);
bool command_vm_version(struct request *r);
bool command_vitrine_agents(struct request *r);
bool command_help(struct request *r);

#endif
