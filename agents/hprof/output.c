/* output.c: opening what the options name: a file, a socket, a spool. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GZIP_LEVEL = 6 };

static void tell(const char *what, const char *name, int error) {
    fprintf(stderr, "hprof: cannot %s %s: %s\n", what, name != NULL ? name : "the socket", strerror(error));
}

static struct output *make(int fd, bool is_socket, bool gzip, char *name) {
    struct output *o = output_new(&(struct output_form){fd, is_socket, gzip ? GZIP_LEVEL : 0, name, tell});
    if (o == NULL) fprintf(stderr, "hprof: out of memory for output\n");
    return o;
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
        if (fd >= 0) return make(fd, false, o->gzip, path);
        int error = path == NULL ? ENOMEM : errno;
        if (error != EEXIST || o->force)
            fprintf(stderr, "hprof: cannot open %s: %s\n", path != NULL ? path : o->file, strerror(error));
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
    if (fd < 0)
        fprintf(stderr, "hprof: cannot connect to %s:%d: %s\n", o->host, o->port,
                code != 0 ? gai_strerror(code) : strerror(errno));
    if (list != NULL) freeaddrinfo(list);
    if (fd < 0) return NULL;
    char *name = NULL;
    if (asprintf(&name, "%s:%d", o->host, o->port) < 0) name = NULL;
    return make(fd, true, o->gzip, name);
}

struct output *output_open(const struct options *o) { return o->host != NULL ? open_socket(o) : open_file(o); }

struct output *output_spool(void) {
    FILE *file = tmpfile();
    int fd = file == NULL ? -1 : fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
    if (fd < 0) fprintf(stderr, "hprof: cannot make a temporary file: %s\n", strerror(errno));
    if (file != NULL) fclose(file);
    return fd < 0 ? NULL : make(fd, false, false, strdup("a temporary file"));
}

struct output *output_aside(const struct options *o) {
    int fd = memfd_create("hprof", MFD_CLOEXEC);
    if (fd < 0) fprintf(stderr, "hprof: cannot keep records in memory: %s\n", strerror(errno));
    return fd < 0 ? NULL : make(fd, false, o->gzip, strdup("memory"));
}

const char *output_name(const struct output *o) {
    return output_given_name(o) != NULL ? output_given_name(o) : "the socket";
}
