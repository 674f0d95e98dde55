/* attach_request.c — see attach_request.h. Whatever is sent ends in a request or in none: nothing is read that was not
 * sent, and no more is read than a request may have. */
#include "jdk/attach_request.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { V1_ARGUMENTS = 3, MAX_V1_BYTES = 4096, MAX_V2_BYTES = 256 * 1024 };

static bool read_byte(int fd, char *out) {
    ssize_t n;
    do n = read(fd, out, 1); while (n < 0 && errno == EINTR);
    return n == 1;
}

/* Appends one string; NULL: the connection ended, or it is longer than anybody may send. */
static const char *read_string(int fd, struct attach_request *r, size_t limit) {
    size_t start = r->length;
    for (;;) {
        if (r->length >= limit || r->length >= r->capacity || !read_byte(fd, &r->buffer[r->length])) return NULL;
        if (r->buffer[r->length++] == '\0') return r->buffer + start;
    }
}

/* False: the connection ended, the argument is too long, or no memory. */
static bool read_argument(int fd, struct attach_request *r, size_t limit) {
    const char *text = read_string(fd, r, limit);
    return text != NULL && vec_push(&r->arguments, text);
}

static enum attach_reading read_v1(int fd, struct attach_request *r) {
    if ((r->name = read_string(fd, r, MAX_V1_BYTES)) == NULL) return ATTACH_BROKEN;
    while (r->arguments.count < V1_ARGUMENTS)
        if (!read_argument(fd, r, MAX_V1_BYTES)) return ATTACH_BROKEN;
    return ATTACH_READ;
}

static enum attach_reading read_v2(int fd, struct attach_request *r) {
    const char *size = read_string(fd, r, MAX_V1_BYTES);
    char *end = NULL;
    unsigned long bytes = size != NULL ? strtoul(size, &end, 10) : 0;
    if (size == NULL || *end != '\0' || bytes == 0 || bytes > MAX_V2_BYTES) return ATTACH_BROKEN;
    size_t limit = r->length + bytes;
    r->name = read_string(fd, r, limit);
    while (r->name != NULL && r->length < limit)
        if (!read_argument(fd, r, limit)) return ATTACH_BROKEN;
    return r->name != NULL ? ATTACH_READ : ATTACH_BROKEN;
}

enum attach_reading attach_request_read(int fd, int library, struct attach_request *out) {
    out->capacity = MAX_V2_BYTES + MAX_V1_BYTES;
    out->buffer = mem_alloc(out->capacity);
    const char *version = out->buffer != NULL ? read_string(fd, out, MAX_V1_BYTES) : NULL;
    if (version == NULL) return ATTACH_BROKEN;
    if (strcmp(version, "1") == 0) return read_v1(fd, out);
    return strcmp(version, "2") == 0 && library != 17 ? read_v2(fd, out) : ATTACH_BAD_VERSION;
}

void attach_request_free(struct attach_request *r) {
    vec_free(&r->arguments);
    mem_free(r->buffer);
    *r = (struct attach_request){0};
}
