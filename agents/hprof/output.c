/* output.c: buffered output to a file, a socket or a spool. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CAPACITY = 1 << 20 };

struct output {
    int fd;
    bool is_socket, gzip, failed;
    char *name;
    unsigned char *buffer, *packed;     /* packed: one compressed block                                   */
    size_t used, committed;             /* bytes in the buffer, and how many of them form wholes          */
    off_t offset, good;                 /* of the file: its end, and the end of the last whole            */
};

/* ---- to the system ------------------------------------------------------------------------------------------------ */

static void fail(struct output *o, const char *what, int error) {
    if (o->failed) return;
    o->failed = true;
    fprintf(stderr, "hprof: cannot %s %s: %s\n", what, o->name, strerror(error));
    /* Devices and pipes cannot be cut: there is nothing to repair in them. */
    if (!o->is_socket && o->fd >= 0 && ftruncate(o->fd, o->good) != 0) o->offset = o->good;
}

static void send_out(struct output *o, const unsigned char *p, size_t n) {
    while (n > 0 && !o->failed) {
        ssize_t done = o->is_socket ? send(o->fd, p, n, MSG_NOSIGNAL) : write(o->fd, p, n);
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
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
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
    } while (state == Z_OK && !o->failed);
    deflateEnd(&z);
}

/* Writes the first n bytes of the buffer. */
static void drain(struct output *o, size_t n) {
    if (n == 0) return;
    if (!o->failed && o->gzip) pack_out(o, o->buffer, n);
    else if (!o->failed) send_out(o, o->buffer, n);
    memmove(o->buffer, o->buffer + n, o->used - n);
    o->used -= n;
    if (n == o->committed && !o->failed) o->good = o->offset;
    o->committed -= n < o->committed ? n : o->committed;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static struct output *output_new(int fd, bool is_socket, bool gzip, char *name) {
    struct output *o = calloc(1, sizeof *o);
    if (o != NULL) {
        *o = (struct output){.fd = fd, .is_socket = is_socket, .gzip = gzip, .name = name, .buffer = malloc(CAPACITY)};
        if (gzip) o->packed = malloc(CAPACITY);
        if (o->buffer != NULL && (!gzip || o->packed != NULL)) return o;
        free(o->buffer);
        free(o->packed);
    }
    fprintf(stderr, "hprof: out of memory for output\n");
    close(fd);
    free(name);
    free(o);
    return NULL;
}

/* The path of file= with %p replaced and, unless it is 0, a suffix; malloc'd. */
static char *expand_path(const char *pattern, int suffix) {
    char *path = NULL;
    size_t size;
    FILE *out = open_memstream(&path, &size);
    if (out == NULL) return NULL;
    for (const char *p = pattern; *p != '\0'; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            fprintf(out, "%ld", (long)getpid());
            p++;
        } else {
            fputc(*p, out);
        }
    }
    if (suffix > 0) fprintf(out, ".%d", suffix);
    if (fclose(out) == 0) return path;
    free(path);
    return NULL;
}

static struct output *open_file(const struct options *o) {
    for (int suffix = 0;; suffix++) {
        char *path = expand_path(o->file, suffix);
        int fd = path == NULL ? -1 : open(path, O_CREAT | O_RDWR | O_CLOEXEC | (o->force ? O_TRUNC : O_EXCL), 0666);
        if (fd >= 0) return output_new(fd, false, o->gzip, path);
        int error = path == NULL ? ENOMEM : errno;
        if (error != EEXIST || o->force) fprintf(stderr, "hprof: cannot open %s: %s\n", path != NULL ? path : o->file, strerror(error));
        free(path);
        if (error != EEXIST || o->force) return NULL;
    }
}

static int connect_to(const struct addrinfo *list) {
    int error = EHOSTUNREACH;
    for (const struct addrinfo *a = list; a != NULL; a = a->ai_next) {
        int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) == 0) return fd;
        error = errno;
        if (fd >= 0) close(fd);
    }
    errno = error;
    return -1;
}

static struct output *open_socket(const struct options *o) {
    char port[16];
    snprintf(port, sizeof port, "%d", o->port);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *list = NULL;
    int code = getaddrinfo(o->host, port, &hints, &list);
    int fd = code == 0 ? connect_to(list) : -1;
    if (fd < 0) fprintf(stderr, "hprof: cannot connect to %s:%d: %s\n", o->host, o->port, code != 0 ? gai_strerror(code) : strerror(errno));
    if (list != NULL) freeaddrinfo(list);
    if (fd < 0) return NULL;
    char *name = NULL;
    if (asprintf(&name, "%s:%d", o->host, o->port) < 0) name = NULL;
    return output_new(fd, true, o->gzip, name);
}

struct output *output_open(const struct options *o) { return o->host != NULL ? open_socket(o) : open_file(o); }

struct output *output_spool(void) {
    FILE *file = tmpfile();
    int fd = file == NULL ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    if (fd < 0) fprintf(stderr, "hprof: cannot make a temporary file: %s\n", strerror(errno));
    if (file != NULL) fclose(file);
    return fd < 0 ? NULL : output_new(fd, false, false, strdup("a temporary file"));
}

/* ---- public ------------------------------------------------------------------------------------------------------- */

void output_append_spool(struct output *to, struct output *spool) {
    output_flush(spool);
    unsigned char *block = malloc(CAPACITY);
    ssize_t n = 0;
    for (off_t at = 0; block != NULL && (n = pread(spool->fd, block, CAPACITY, at)) > 0; at += n) output_bytes(to, block, (size_t)n);
    if (block == NULL || n < 0 || spool->failed) fail(to, "complete", block == NULL ? ENOMEM : EIO);
    free(block);
    output_close(spool);
}

void output_restart(struct output *o) {
    if (o->is_socket || o->failed) return;
    o->used = o->committed = 0;
    o->offset = o->good = 0;
    if (lseek(o->fd, 0, SEEK_SET) == 0 && ftruncate(o->fd, 0) != 0) o->offset = 0;
}

void output_bytes(struct output *o, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    while (n > 0 && !o->failed) {
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

bool output_rewritable(const struct output *o) {
    struct stat status;
    return !o->is_socket && !o->gzip && fstat(o->fd, &status) == 0 && S_ISREG(status.st_mode);
}

void output_rewrite(struct output *o, long at, const void *bytes, size_t n) {
    if (o->failed) return;
    ssize_t done = pwrite(o->fd, bytes, n, at);
    if (done != (ssize_t)n) fail(o, "write", done < 0 ? errno : EIO);
}

void output_commit(struct output *o) { o->committed = o->used; }

void output_flush(struct output *o) {
    drain(o, o->committed);
    drain(o, o->used);
}

bool output_failed(const struct output *o) { return o->failed; }

void output_close(struct output *o) {
    if (o == NULL) return;
    output_flush(o);
    if (close(o->fd) != 0) fail(o, "write", errno);
    free(o->buffer);
    free(o->packed);
    free(o->name);
    free(o);
}

const char *output_name(const struct output *o) { return o->name != NULL ? o->name : "the socket"; }
