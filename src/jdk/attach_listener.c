/* attach_listener.c — the door for tools in other processes: HotSpot's attach protocol.
 *
 *   tool: makes .attach_pid<pid> in our directory or /tmp, sends SIGQUIT
 *   VM:   "Signal Dispatcher" sees the file and starts "Attach Listener", which makes the socket /tmp/.java_pid<pid>
 *   tool: connects, sends one operation, reads the answer, which ends with the connection
 *
 * The answer is the operation's status, a line of its own, and text. */
#include "jdk/attach_listener.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/attach_request.h"
#include "jdk/diagnostic_command.h"
#include "jdk/jvm.h"
#include "jdk/service_thread.h"
#include "jdk/thread_dump.h"
#include "jdk/thread_life.h"
#include "probe/probe.h"

enum {
    LISTENER_PRIORITY = 9,
    BACKLOG = 5,
    STATUS_BAD_VERSION = 101,
    STATUS_ERROR = -1,
    ACCEPT_PAUSE_MS = 100 /* between two tries while the process has no descriptor left                 */
};

struct attach_state {
    struct lock lock;    /* for changes of `listening` together with `held` */
    _Atomic int listening;    /* the socket that has the name; -1: closed */
    int held;    /* the one at which the thread accepts, and which it closes; -1: none */
    _Atomic int connected;    /* the connection being served; -1: none */
    char path[64];
};

/* ---- a connection: in blocked state, no objects held ------------------------------------------------------------- */

/* Only the user that the VM runs as, and root. */
static bool is_allowed(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    return peer.uid == 0 || (peer.uid == geteuid() && peer.gid == getegid());
}

static void write_fully(int fd, const char *text, size_t length) {
    while (length > 0) {
        ssize_t n = send(fd, text, length, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        text += n;
        length -= (size_t)n;
    }
}

/* ---- the operations ---------------------------------------------------------------------------------------------- */

static int op_properties(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool agent = strcmp(op->name, "agentProperties") == 0;
    return diagnostic_properties(self, agent ? "serializeAgentPropertiesToByteArray" : "serializePropertiesToByteArray",
                                 out)
               ? 0
               : STATUS_ERROR;
}

/* HotSpot 25 says that an agent was not loaded in the text alone. */
static int op_load(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool absolute = strcmp(attach_argument(op, 1), "true") == 0;
    bool loaded = diagnostic_load_agent(self, attach_argument(op, 0), absolute, attach_argument(op, 2), false, out);
    return loaded || vm->library != LIBRARY_17 ? 0 : STATUS_ERROR;
}

static int op_data_dump(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM);
    (void)op, (void)out;
    thread_dump_print(self);
    probe_data_dump_request(self);
    return 0;
}

static int op_thread_dump(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *more = attach_argument(op, 0);
    char *text = thread_dump_text(self, (strchr(more, 'l') ? THREAD_DUMP_LOCKS : 0) |
                                            (strchr(more, 'e') ? THREAD_DUMP_EXTENDED : 0));
    if (text != NULL) fputs(text, out);
    free(text);
    return text != NULL ? 0 : STATUS_ERROR;
}

/* How many threads are to count: one does, whatever the number. */
static bool is_thread_count(const char *text) {
    char *end;
    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && n <= UINT_MAX;
}

/* "-live" or "-all", and optionally a file of the VM's own to write to and a number of threads. HotSpot does not look
 * whether the file could be written, and tools expect its answer. */
static int op_inspect_heap(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *which = attach_argument(op, 0), *path = attach_argument(op, 1), *threads = attach_argument(op, 2);
    if (*which && strcmp(which, "-live") != 0 && strcmp(which, "-all") != 0) {
        fprintf(out, "Invalid argument to inspectheap operation: %s\n", which);
        return STATUS_ERROR;
    }
    if (*threads && !is_thread_count(threads)) {
        fprintf(out, "Invalid parallel thread number: [%s]\n", threads);
        return STATUS_ERROR;
    }
    FILE *to = *path ? fopen(path, "w") : out;
    bool ok = to == NULL || class_histogram_print(self, strcmp(which, "-all") != 0, to);
    if (to == out) return ok ? 0 : STATUS_ERROR;
    if (to == NULL || fclose(to) != 0) log_warning(attach, "inspectheap: %s could not be written", path);
    fprintf(out, "Heap inspection file created: %s\n", path);
    return 0;
}

/* A file, "-live" or "-all", and optionally a level of compression. That it could not be written is reported, and is no
 * error. */
static int op_dump_heap(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *path = attach_argument(op, 0), *which = attach_argument(op, 1), *level = attach_argument(op, 2);
    char *end = NULL;
    if (*path == '\0') {
        fprintf(out, "No dump file specified\n");
        return 0;
    }
    if (*which && strcmp(which, "-live") != 0 && strcmp(which, "-all") != 0) {
        fprintf(out, "Invalid argument to dumpheap operation: %s\n", which);
        return STATUS_ERROR;
    }
    unsigned long gzip = *level ? strtoul(level, &end, 10) : 0;
    if (end != NULL && (*end != '\0' || *level < '0' || *level > '9')) {
        fprintf(out, "Invalid compress level: [%s]\n", level);
        return STATUS_ERROR;
    }
    if (end != NULL && (gzip < 1 || gzip > HEAP_DUMP_GZIP_MAX)) {
        fprintf(out, "Compression level out of range (1-%d): %lu\n", HEAP_DUMP_GZIP_MAX, gzip);
        return STATUS_ERROR;
    }
    diagnostic_heap_dump(self,
                         &(struct heap_dump_request){.path = path,
                                                     .live = strcmp(which, "-all") != 0,
                                                     .gzip_level = (int)gzip},
                         out);
    return 0;
}

static int op_jcmd(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING);
    return diagnostic_commands_run(self, attach_argument(op, 0), out) ? 0 : STATUS_ERROR;
}

static int op_print_flag(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self;
    const char *name = attach_argument(op, 0);
    int flag = flag_find(vm->options, name, strlen(name));
    char *text = flag >= 0 ? diagnostic_flag_text(flag) : NULL;
    if (text != NULL) fprintf(out, "%s\n", text);
    else fprintf(out, "no such flag '%s'\n", name);
    mem_free(text);
    return 0;
}

static int op_set_flag(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self;
    const char *name = attach_argument(op, 0);
    int flag = flag_find(vm->options, name, strlen(name));
    char *why = flag >= 0 && !flag_is_manageable(vm->options, flag) ? mem_printf("flag '%s' cannot be changed", name)
                                                                    : diagnostic_set_flag(name, attach_argument(op, 1));
    if (why != NULL) fprintf(out, "%s\n", why);
    mem_free(why);
    return why == NULL ? 0 : STATUS_ERROR;
}

/* Version 2 is offered without its options. */
static int op_get_version(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self, (void)op;
    fprintf(out, "2");
    return 0;
}

static const struct {
    const char *name;
    int (*run)(struct os_thread *self, const struct attach_request *op, FILE *out);
    int since;                           /* library */
} operations[] = {
    {"agentProperties", op_properties, 0}, {"datadump", op_data_dump, 0}, {"dumpheap", op_dump_heap, 0},
    {"inspectheap", op_inspect_heap, 0}, {"jcmd", op_jcmd, 0}, {"load", op_load, 0},
    {"printflag", op_print_flag, 0}, {"properties", op_properties, 0}, {"setflag", op_set_flag, 0},
    {"threaddump", op_thread_dump, 0},
    {"getversion", op_get_version, LIBRARY_25},
};

static int run_operation(struct os_thread *self, const struct attach_request *op, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    log_debug(attach, "operation %s(%s)", op->name, attach_argument(op, 0));
    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        if (strcmp(operations[i].name, op->name) != 0 || (int)vm->library < operations[i].since) continue;
        int status = operations[i].run(self, op, out);
        self->exception = NULL;
        return status;
    }
    fprintf(out, "Operation %s not recognized!", op->name);
    return STATUS_ERROR;
}

/* ---- serving ----------------------------------------------------------------------------------------------------- */

static void answer(struct os_thread *self, int fd, int status, const char *text, size_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char head[16];
    int n = snprintf(head, sizeof head, "%d\n", status);
    thread_block_begin(self);
    write_fully(fd, head, (size_t)n);
    if (text != NULL) write_fully(fd, text, length);
    thread_block_end(self);
}

static void serve(struct os_thread *self, int fd) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct attach_request op = {0};
    thread_block_begin(self);
    enum attach_reading r = is_allowed(fd) ? attach_request_read(fd, vm->library, &op) : ATTACH_BROKEN;
    thread_block_end(self);
    if (r == ATTACH_BAD_VERSION) answer(self, fd, STATUS_BAD_VERSION, NULL, 0);
    char *text = NULL;
    size_t length = 0;
    FILE *out = r == ATTACH_READ ? open_memstream(&text, &length) : NULL;
    if (out != NULL) {
        int status = run_operation(self, &op, out);
        bool closed = fclose(out) == 0;
        answer(self, fd, closed ? status : STATUS_ERROR, closed ? text : NULL, length);
    }
    free(text);
    attach_request_free(&op);
}

/* Will it get better by itself? The process may be out of descriptors or memory for a while. */
static bool is_passing(int reason) {
    return reason == EINTR || reason == ECONNABORTED || reason == EMFILE || reason == ENFILE || reason == ENOBUFS ||
           reason == ENOMEM;
}

static void pause_accepting(struct os_thread *self, int reason, bool *reported) {
    if (reason == EINTR || reason == ECONNABORTED) return;
    if (!*reported) log_warning(attach, "accept: %s", strerror(reason));
    *reported = true;
    thread_block_begin(self);
    poll(NULL, 0, ACCEPT_PAUSE_MS);
    thread_block_end(self);
}

/* The socket is of no use: its file goes, so that tools ask for another one by SIGQUIT. */
static void give_up(struct attach_state *s, int at, int reason) {
    log_warning(attach, "accept: %s", strerror(reason));
    lock_acquire(&s->lock);
    if (atomic_load(&s->listening) == at) {
        atomic_store(&s->listening, -1);
        unlink(s->path);
    }
    if (reason == EBADF) s->held = -1;       /* somebody has closed it: the number may be another file's by now */
    lock_release(&s->lock);
}

/* The socket at which to accept; the one before is closed if it has been given up or replaced. -1: there is none. */
static int hold_socket(struct attach_state *s) {
    lock_acquire(&s->lock);
    int before = s->held, now = s->held = atomic_load(&s->listening);
    lock_release(&s->lock);
    if (before != now && before >= 0) close(before);
    return now;
}

static void listener(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct attach_state *s = arg;
    bool reported = false;
    for (int at; (at = hold_socket(s)) >= 0;) {
        thread_block_begin(self);
        int fd = accept4(at, NULL, NULL, SOCK_CLOEXEC), reason = errno;
        atomic_store(&s->connected, fd);
        thread_block_end(self);          /* where the thread ends with the VM */
        thread_poll(self);
        self->exception = NULL;          /* a stop request does not end a service */
        if (fd < 0) {
            if (atomic_load(&s->listening) != at) continue;
            if (is_passing(reason)) pause_accepting(self, reason, &reported);
            else give_up(s, at, reason);
            continue;
        }
        reported = false;
        serve(self, fd);
        atomic_store(&s->connected, -1);
        shutdown(fd, SHUT_RDWR);
        close(fd);
    }
}

/* The socket gets its name when it is ready, so that no tool finds it half made. -1: not possible. */
static int make_socket(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s.tmp", path);
    unlink(address.sun_path);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, BACKLOG) == 0 &&
        chmod(address.sun_path, S_IRUSR | S_IWUSR) == 0 && chown(address.sun_path, geteuid(), getegid()) == 0 &&
        rename(address.sun_path, path) == 0)
        return fd;
    log_warning(attach, "%s: %s", path, strerror(errno));
    unlink(address.sun_path);
    if (fd >= 0) close(fd);
    return -1;
}

static void socket_path(char *path, size_t size) {
    snprintf(path, size, "/tmp/.java_pid%d", (int)getpid());
}

void attach_listener_remove_stale(void) {
    char path[sizeof ((struct attach_state *)0)->path];
    if (vm->options->disable_attach) return;
    socket_path(path, sizeof path);
    if (unlink(path) != 0 && errno != ENOENT) log_debug(attach, "Failed to remove stale attach pid file at %s", path);
}

/* The VM ends: both the wait for a tool and the wait for what it sends are over. */
void attach_listener_wake(void) {
    struct attach_state *s = vm->jdk->attach;
    if (s == NULL) return;
    int at = atomic_load(&s->listening), fd = atomic_load(&s->connected);
    if (at >= 0) shutdown(at, SHUT_RDWR);
    if (fd >= 0) shutdown(fd, SHUT_RDWR);
}

static bool start(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct attach_state *s = vm->jdk->attach;
    bool first = s == NULL;
    if (first && (s = mem_zalloc(sizeof *s)) == NULL) return false;
    if (first) {
        lock_init(&s->lock, "attach listener", LOCK_RANK_SERVICE);
        atomic_store(&s->listening, -1);
        atomic_store(&s->connected, -1);
        s->held = -1;
        socket_path(s->path, sizeof s->path);
    }
    int fd = make_socket(s->path);
    atomic_store(&s->listening, fd);
    if (first) vm->jdk->attach = s;
    if (fd < 0) return false;
    log_debug(attach, "listening at %s", s->path);
    if (service_thread_start(self, "Attach Listener", LISTENER_PRIORITY, false, listener, s)) return true;
    self->exception = NULL;
    attach_listener_close();
    return false;
}

void attach_listener_start_early(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct vm_options *o = vm->options;
    if (!o->disable_attach && (o->reduce_signals || o->flags.StartAttachListener)) start(self);
}

/* ---- the trigger ------------------------------------------------------------------------------------------------- */

static bool trigger_exists(const char *directory) {
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "%s.attach_pid%d", directory, (int)getpid());
    return stat(path, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == 0);
}

/* Somebody has removed the socket's file: another one, at which the same thread listens. */
static bool replace_socket(struct os_thread *self, struct attach_state *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int fd = make_socket(s->path);
    if (fd < 0) return false;
    lock_acquire(&s->lock);
    int old = atomic_load(&s->listening);
    bool held = s->held == old;
    if (old >= 0) atomic_store(&s->listening, fd);
    lock_release(&s->lock);
    if (old < 0) {                           /* the thread has given up meanwhile */
        close(fd);
        return start(self);
    }
    shutdown(old, SHUT_RDWR);
    if (!held) close(old);
    return true;
}

bool attach_listener_triggered(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (vm->options->disable_attach) return false;
    struct attach_state *s = vm->jdk->attach;
    bool running = s != NULL && atomic_load(&s->listening) >= 0;
    if (running && access(s->path, F_OK) == 0) return false;
    if (!trigger_exists("") && !trigger_exists("/tmp/")) return false;
    return running ? replace_socket(self, s) : start(self);
}

void attach_listener_close(void) {
    struct attach_state *s = vm && vm->jdk ? vm->jdk->attach : NULL;
    if (s == NULL) return;
    lock_acquire(&s->lock);
    int fd = atomic_exchange(&s->listening, -1);
    bool held = s->held == fd;
    lock_release(&s->lock);
    if (fd < 0) return;
    unlink(s->path);
    shutdown(fd, SHUT_RDWR);
    if (!held) close(fd);
}

/* Its thread may have ended before it could close what it had open. */
void attach_listener_destroy(void) {
    struct attach_state *s = vm->jdk->attach;
    if (s == NULL) return;
    attach_listener_close();
    int fd = atomic_load(&s->connected);
    if (s->held >= 0) close(s->held);
    if (fd >= 0) close(fd);
    mem_free(vm->jdk->attach);
    vm->jdk->attach = NULL;
}
