/* diagnostic_command.h — what a running VM can be asked (jcmd, DiagnosticCommandMBean), and the texts of the older
 * attach operations. */
#ifndef VITRINE_JDK_DIAGNOSTIC_COMMAND_H
#define VITRINE_JDK_DIAGNOSTIC_COMMAND_H

#include <stdio.h>

#include "base/options.h"
#include "jdk/heap_dump_file.h"
#include "thread/thread.h"

struct command;
struct parameter;

/* Runs one command line, "Thread.print -l", and writes the answer to out. False: refused, and the reason is what was
 * written. Thread: IN_VM; runs Java code; no exception is pending afterwards. */
bool diagnostic_command(struct os_thread *self, const char *line, FILE *out);
/* The same for lines one after another, up to one that is refused, or says "stop"; '#' begins a comment. */
bool diagnostic_commands_run(struct os_thread *self, const char *lines, FILE *out);

/* The command of that name that the library's VM has, or NULL; the one after c (NULL: the first). */
const struct command *diagnostic_find(const char *name);
const struct command *diagnostic_next(const struct command *c);
/* The first parameter from `row` on that the library's VM has; NULL: no more. */
const struct parameter *diagnostic_parameter(const struct parameter *row);
/* "BOOLEAN", "STRING" ... */
const char *diagnostic_type_name(const struct parameter *p);

/* What the answers of commands and of attach operations have in common. False: the text says why. */
bool diagnostic_load_agent(struct os_thread *self, const char *library, bool absolute, const char *options,
                           bool by_command, FILE *out);
/* The byte array of a static method of jdk.internal.vm.VMSupport. */
bool diagnostic_properties(struct os_thread *self, const char *method, FILE *out);
/* A heap dump whose progress goes to `out`. */
void diagnostic_heap_dump(struct os_thread *self, const struct heap_dump_request *request, FILE *out);
/* "-XX:+Name", "-XX:Name=value"; malloc'd. */
char *diagnostic_flag_text(int flag);
/* flag_set_text of a flag that may be changed while the VM runs; whoever keeps its value elsewhere finds out. */
bool manageable_flag_set(int flag, const char *value, enum flag_origin origin, char **why);
/* Gives a flag that may be changed while the VM runs another value. NULL: done; else a sentence, malloc'd. */
char *diagnostic_set_flag(const char *name, const char *value);
/* Instances and bytes by class, largest first. class_histogram.c */
bool class_histogram_print(struct os_thread *self, bool live_only, FILE *out);

#endif
