/* stream.c: buffered output to a file or a socket. */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CAPACITY = 1 << 20, LARGE = CAPACITY / 4 };      /* LARGE: not copied into the buffer first */

struct output {
    struct output_form form;
    int error;                          /* the first one, of errno; 0: none                                   */
    unsigned char *buffer, *packed;     /* packed: one compressed block                                       */
    size_t used, committed;             /* bytes in the buffer, and how many of them form wholes              */
    off_t offset, good;                 /* of the file: its end, and the end of the last whole                */
};

/* ---- to the system ----------------------------------------------------------------------------------------------- */

static void fail(struct output *o, const char *what, int error) {
    if (o->error != 0) return;
    o->error = error;
    if (o->form.failed != NULL) o->form.failed(what, o->form.name, error);
    /* Devices and pipes cannot be cut: there is nothing to repair in them. */
    if (!o->form.is_socket && o->form.fd >= 0 && ftruncate(o->form.fd, o->good) == 0) o->offset = o->good;
}

static void send_out(struct output *o, const unsigned char *p, size_t n) {
    while (n > 0 && o->error == 0) {
        ssize_t done = o->form.is_socket ? send(o->form.fd, p, n, MSG_NOSIGNAL) : write(o->form.fd, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            fail(o, "write", done == 0 ? EIO : errno);
            return;
        }
        p += done;
        n -= (size_t)done;
        o->offset += done;
    }
}

/* Compresses a block into a gzip member of its own, so that a file that ends behind any of them is complete. */
static void pack_out(struct output *o, const unsigned char *p, size_t n) {
    z_stream z;
    memset(&z, 0, sizeof z);
    if (deflateInit2(&z, o->form.gzip_level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        fail(o, "compress", ENOMEM);
        return;
    }
    z.next_in = (unsigned char *)p;
    z.avail_in = (uInt)n;
    int state;
    do {
        z.next_out = o->packed;
        z.avail_out = CAPACITY;
        state = deflate(&z, Z_FINISH);
        send_out(o, o->packed, CAPACITY - z.avail_out);
    } while (state == Z_OK && o->error == 0);
    deflateEnd(&z);
}

static void put_out(struct output *o, const unsigned char *p, size_t n) {
    if (o->error == 0 && o->form.gzip_level != 0) pack_out(o, p, n);
    else if (o->error == 0) send_out(o, p, n);
}

/* Writes the first n bytes of the buffer. */
static void drain(struct output *o, size_t n) {
    if (n == 0) return;
    put_out(o, o->buffer, n);
    memmove(o->buffer, o->buffer + n, o->used - n);
    o->used -= n;
    if (n == o->committed && o->error == 0) o->good = o->offset;
    o->committed -= n < o->committed ? n : o->committed;
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

struct output *output_new(const struct output_form *form) {
    struct output *o = calloc(1, sizeof *o);
    if (o != NULL) {
        *o = (struct output){.form = *form, .buffer = malloc(CAPACITY)};
        if (form->gzip_level != 0) o->packed = malloc(CAPACITY);
        if (o->buffer != NULL && (form->gzip_level == 0 || o->packed != NULL)) return o;
        free(o->buffer);
        free(o->packed);
    }
    close(form->fd);
    free(form->name);
    free(o);
    return NULL;
}

void output_append(struct output *to, struct output *from) {
    output_flush(from);
    unsigned char *block = malloc(CAPACITY);
    ssize_t n = 0;
    for (off_t at = 0; block != NULL && (n = pread(from->form.fd, block, CAPACITY, at)) > 0; at += n)
        output_bytes(to, block, (size_t)n);
    if (block == NULL || n < 0 || from->error != 0) fail(to, "complete", block == NULL ? ENOMEM : EIO);
    free(block);
    output_close(from);
}

static bool is_regular(const struct output *o) {
    struct stat status;
    return !o->form.is_socket && fstat(o->form.fd, &status) == 0 && S_ISREG(status.st_mode);
}

bool output_insertable(const struct output *o) { return is_regular(o); }

uint64_t output_position(struct output *o) {
    output_flush(o);
    return (uint64_t)o->offset;
}

/* Moves n bytes, from the last to the first, `distance` up in the file. Answers errno. */
static int move_up(int fd, unsigned char *block, off_t at, off_t n, off_t distance) {
    while (n > 0) {
        size_t part = n < CAPACITY ? (size_t)n : CAPACITY;
        n -= (off_t)part;
        ssize_t done = pread(fd, block, part, at + n);
        if (done == (ssize_t)part) done = pwrite(fd, block, part, at + n + distance);
        if (done != (ssize_t)part) return done < 0 ? errno : EIO;
    }
    return 0;
}

static int copy_to(int fd, unsigned char *block, off_t at, int from, off_t n) {
    for (off_t i = 0; i < n;) {
        ssize_t part = pread(from, block, CAPACITY, i);
        if (part <= 0 || pwrite(fd, block, (size_t)part, at + i) != part) return part < 0 ? errno : EIO;
        i += part;
    }
    return 0;
}

void output_insert(struct output *o, uint64_t at, struct output *from) {
    output_flush(o);
    output_flush(from);
    off_t n = from->offset, place = (off_t)at;
    int error = from->error;
    /* The room is there before anything is moved, so that a full disk leaves the file as it was. */
    if (n > 0 && o->error == 0 && error == 0) error = posix_fallocate(o->form.fd, o->offset, n);
    if (n > 0 && o->error == 0 && error == 0) {
        o->good = place;
        error = move_up(o->form.fd, o->buffer, place, o->offset - place, n);
        if (error == 0) error = copy_to(o->form.fd, o->buffer, place, from->form.fd, n);
        if (error == 0 && lseek(o->form.fd, o->offset + n, SEEK_SET) < 0) error = errno;
        if (error == 0) o->good = o->offset += n;
    }
    if (error != 0) fail(o, "write", error);
    output_close(from);
}

void output_restart(struct output *o) {
    if (o->form.is_socket || o->error != 0) return;
    o->used = o->committed = 0;
    o->offset = o->good = 0;
    if (lseek(o->form.fd, 0, SEEK_SET) == 0 && ftruncate(o->form.fd, 0) != 0) o->offset = 0;
}

void output_bytes(struct output *o, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    if (n >= LARGE) {
        output_flush(o);
        put_out(o, p, n);
        return;
    }
    while (n > 0 && o->error == 0) {
        if (o->used == CAPACITY) drain(o, o->committed > 0 ? o->committed : o->used);
        size_t room = CAPACITY - o->used, part = n < room ? n : room;
        memcpy(o->buffer + o->used, p, part);
        o->used += part;
        p += part;
        n -= part;
    }
}

void output_format(struct output *o, const char *format, ...) {
    char line[1024], *text = line;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(line, sizeof line, format, args);
    if (n >= (int)sizeof line && vasprintf(&text, format, again) < 0) text = NULL;
    if (n >= 0 && text != NULL) output_bytes(o, text, (size_t)n);
    if (text != line) free(text);
    va_end(again);
    va_end(args);
}

bool output_rewritable(const struct output *o) { return o->form.gzip_level == 0 && is_regular(o); }

void output_rewrite(struct output *o, long at, const void *bytes, size_t n) {
    if (o->error != 0) return;
    ssize_t done = pwrite(o->form.fd, bytes, n, at);
    if (done != (ssize_t)n) fail(o, "write", done < 0 ? errno : EIO);
}

void output_commit(struct output *o) {
    o->committed = o->used;
    if (o->used == 0 && o->error == 0) o->good = o->offset;
}

void output_flush(struct output *o) {
    drain(o, o->committed);
    drain(o, o->used);
}

bool output_failed(const struct output *o) { return o->error != 0; }

int output_finish(struct output *o, uint64_t *size) {
    if (o == NULL) return 0;
    output_flush(o);
    if (close(o->form.fd) != 0) fail(o, "write", errno);
    int error = o->error;
    if (size != NULL) *size = (uint64_t)o->offset;
    free(o->buffer);
    free(o->packed);
    free(o->form.name);
    free(o);
    return error;
}

void output_close(struct output *o) { (void)output_finish(o, NULL); }

const char *output_given_name(const struct output *o) { return o->form.name; }
