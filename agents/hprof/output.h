/* output.h: where the data goes: a file, a socket or a temporary store, with or without compression.
 *
 * Writing never fails for the caller. The first error is told in one line on standard error; what comes after it is dropped,
 * and a file is cut behind the last unit that was committed, so that it stays readable. Not locked: one thread at a time. */
#ifndef HPROF_OUTPUT_H
#define HPROF_OUTPUT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

struct output;

/* Opens what file= or net= name. NULL: told on standard error. */
struct output *output_open(const struct options *o);
/* A nameless temporary file, for what must be known before it can be written. NULL: told on standard error. */
struct output *output_spool(void);
/* Appends what a spool holds to `to`, and closes the spool. */
void output_append_spool(struct output *to, struct output *spool);
/* Empties a file for a form that is written as a whole each time. No effect on sockets. */
void output_restart(struct output *o);

void output_bytes(struct output *o, const void *bytes, size_t n);
void output_format(struct output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True when bytes that were written can be replaced: in a file that is not compressed. */
bool output_rewritable(const struct output *o);
/* Replaces bytes that were flushed. */
void output_rewrite(struct output *o, long at, const void *bytes, size_t n);
/* Everything up to here is a readable whole (a record, a section). */
void output_commit(struct output *o);
/* Hands everything to the system. */
void output_flush(struct output *o);
bool output_failed(const struct output *o);
/* Flushes and closes; NULL is allowed. */
void output_close(struct output *o);
/* The name of the file or the socket's host:port. */
const char *output_name(const struct output *o);

#endif
