/* stream.h: where a profile goes: buffered output to a file or a socket, with or without compression. For the VM's own
 * heap dumps and for libhprof alike.
 *
 * Writing never fails for the caller. What comes after the first error is dropped, and a file is cut behind the last
 * unit that was committed, so that it stays readable. Not locked: one thread at a time. */
#ifndef VITRINE_HPROF_STREAM_H
#define VITRINE_HPROF_STREAM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output;

/* What an output is made of. */
struct output_form {
    int fd;                             /* taken over                                                         */
    bool is_socket;
    int gzip_level;                     /* 1..9; 0: not compressed                                            */
    char *name;                         /* malloc'd, taken over; NULL is allowed                              */
    /* NULL, or called once at the first error; error: of errno */
    void (*failed)(const char *what, const char *name, int error);
};

/* NULL: out of memory; fd is closed and name freed. */
struct output *output_new(const struct output_form *form);
/* Empties a file for a form that is written as a whole each time. No effect on sockets. */
void output_restart(struct output *o);
/* Appends the file that `from` has written to, and closes `from`. */
void output_append(struct output *to, struct output *from);
/* True when bytes can be put between those that were written: in a regular file, compressed or not. */
bool output_insertable(const struct output *o);
/* Hands everything to the system and answers where the next byte will stand. */
uint64_t output_position(struct output *o);
/* Puts the file that `from` has written to, in the same form (compressed or not), where output_position was `at`; what
 * stands there moves up. Closes `from`. */
void output_insert(struct output *o, uint64_t at, struct output *from);

void output_bytes(struct output *o, const void *bytes, size_t n);
void output_format(struct output *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* True when bytes that were written can be replaced: in a regular file that is not compressed. */
bool output_rewritable(const struct output *o);
/* Replaces bytes that were flushed. */
void output_rewrite(struct output *o, long at, const void *bytes, size_t n);
/* Everything up to here is a readable whole (a record, a section). */
void output_commit(struct output *o);
/* Hands everything to the system. */
void output_flush(struct output *o);
bool output_failed(const struct output *o);
/* Flushes and closes; NULL is allowed. Answers the first error, of errno; 0: there was none. *size, if not NULL: bytes
 * written. */
int output_finish(struct output *o, uint64_t *size);
void output_close(struct output *o);
/* The name, or NULL. */
const char *output_given_name(const struct output *o);

#endif
