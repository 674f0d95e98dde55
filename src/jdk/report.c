/* report.c — how the report of a fatal error is written. */
#include "jdk/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void out_flush(struct out *o) {
    for (size_t done = 0; done < o->used;) {
        ssize_t n = write(o->fd, o->buffer + done, o->used - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += (size_t)n;
    }
    o->used = 0;
}

void put(struct out *o, const char *format, ...) {
    for (int attempt = 0; attempt < 2; attempt++) {
        va_list args;
        va_start(args, format);
        int n = vsnprintf(o->buffer + o->used, sizeof o->buffer - o->used, format, args);
        va_end(args);
        if (n < 0) return;
        if ((size_t)n < sizeof o->buffer - o->used) { o->used += (size_t)n; return; }
        if (attempt == 1) o->used = sizeof o->buffer - 1;
        out_flush(o);
    }
}

void put_text(struct out *o, const char *text) {
    enum { PIECE = sizeof o->buffer / 2 };
    for (size_t left = strlen(text); left > 0;) {
        int n = (int)MIN(left, (size_t)PIECE);
        put(o, "%.*s", n, text);
        text += n;
        left -= (size_t)n;
    }
}

unsigned put_file(struct out *o, const char *path) {
    unsigned lines = 0;
    out_flush(o);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    for (ssize_t n; (n = read(fd, o->buffer, sizeof o->buffer)) > 0 || (n < 0 && errno == EINTR);) {
        o->used = n > 0 ? (size_t)n : 0;
        for (size_t i = 0; i < o->used; i++) lines += o->buffer[i] == '\n';
        out_flush(o);
    }
    close(fd);
    return lines;
}
