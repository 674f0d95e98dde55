/* output.h: where the data goes: a file, a socket or a temporary store, with or without compression. The first error is
 * reported in one line on standard error. */
#ifndef HPROF_OUTPUT_H
#define HPROF_OUTPUT_H

#include "options.h"
#include "stream.h"

/* Opens what file= or net= name. NULL: failed, reported on standard error. */
struct output *output_open(const struct options *o);
/* A nameless temporary file, for what must be known before it can be written. NULL: failed, reported on
 * standard error. */
struct output *output_spool(void);
/* A store in memory for records that output_insert will put into the output that o names. NULL: failed, reported on
 * standard error. */
struct output *output_aside(const struct options *o);
/* The name of the file or the socket's host:port. */
const char *output_name(const struct output *o);

#endif
