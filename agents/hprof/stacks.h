/* stacks.h: everything that was collected as weighted stacks, for the forms that show stacks: collapsed, pprof. */
#ifndef HPROF_STACKS_H
#define HPROF_STACKS_H

#include <stdint.h>

struct hprof;
struct class_info;

enum stack_kind { STACK_CPU, STACK_ALLOCATION, STACK_CONTENTION, STACK_KINDS };

/* A stack with its weight: samples or nanoseconds of CPU, allocated bytes, nanoseconds waited. */
struct weighted { uint32_t trace; const struct class_info *class; /* what was allocated or waited for; NULL */ uint64_t weight; };

struct weights { struct weighted *rows; uint32_t count; const char *name, *unit; };

/* The stacks of one kind with weights over 0; none when it was not asked for. rows: malloc'd. Lock held. */
struct weights stacks_of(struct hprof *h, enum stack_kind kind);
/* "main;Class.method;...", outermost first; malloc'd, NULL: out of memory. The class comes last. Lock held. */
char *stack_text(struct hprof *h, const struct weighted *w);
/* Writes the whole file anew. Lock held. */
void stacks_write(struct hprof *h);

void collapsed_write(struct hprof *h);
void pprof_write(struct hprof *h);

#endif
