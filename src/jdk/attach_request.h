/* attach_request.h — what a tool in another process asks, as it was sent: HotSpot's attach protocol.
 *
 * A request is a row of NUL-terminated strings. Version 1: "1", name, three arguments. Version 2 (the library of 25):
 * "2", the number of bytes that follow, name, any number of arguments. */
#ifndef VITRINE_JDK_ATTACH_REQUEST_H
#define VITRINE_JDK_ATTACH_REQUEST_H

#include "base/table.h"

/* Starts as {0}. Strings belong to it. */
struct attach_request {
    char *buffer;
    size_t length, capacity;
    const char *name;
    VEC(const char *) arguments;
};

/* BROKEN: the connection ended before the request did, or that is no request, is longer than anybody may send, or there
 * is no memory for it. */
enum attach_reading { ATTACH_READ, ATTACH_BROKEN, ATTACH_BAD_VERSION };

/* Reads it from a connection that belongs to the caller; library: of 17 or 25. Thread: blocked, or none of the VM's.
 * The request is freed by attach_request_free in every case. */
enum attach_reading attach_request_read(int fd, int library, struct attach_request *out);
void attach_request_free(struct attach_request *r);

/* "": it has fewer. */
static inline const char *attach_argument(const struct attach_request *r, size_t i) {
    return i < r->arguments.count ? r->arguments.data[i] : "";
}

#endif
