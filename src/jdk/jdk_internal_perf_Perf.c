/* jdk_internal_perf_Perf.c — performance counters that the class library makes, as direct buffers over memory of the
 * VM. */
#include "base/lock.h"
#include "base/os.h"
#include "base/table.h"
#include "jdk/boot.h"
#include "jdk/natives.h"
#include "jdk/thread_life.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum perf_units { UNITS_NONE = 1, UNITS_BYTES, UNITS_TICKS, UNITS_EVENTS, UNITS_STRING, UNITS_HERTZ };
enum perf_variability { VARIABILITY_CONSTANT = 1, VARIABILITY_MONOTONIC, VARIABILITY_VARIABLE };

/* Counters by name; their memory lives as long as the VM, because buffers over it may. */
struct counter {
    struct counter *next;
    char memory[];
};
struct perf_state {
    struct lock lock;
    struct str_table counters;
    struct counter *all;
};

static struct perf_state *perf_state(void) {
    struct jdk_state *jdk = thread_life();
    struct perf_state *p = atomic_load_explicit(&jdk->perf, memory_order_acquire);
    if (p != NULL) return p;
    struct perf_state *fresh = mem_zalloc(sizeof *fresh), *expected = NULL;
    if (fresh == NULL) return NULL;
    lock_init(&fresh->lock, "performance counters", LOCK_RANK_SERVICE);
    if (atomic_compare_exchange_strong(&jdk->perf, &expected, fresh)) return fresh;
    mem_free(fresh);
    return expected;
}

void perf_destroy(void) {
    struct perf_state *p = thread_life()->perf;
    if (p == NULL) return;
    for (struct counter *c = p->all, *next; c != NULL; c = next) {
        next = c->next;
        mem_free(c);
    }
    str_table_free(&p->counters);
    mem_free(p);
    thread_life()->perf = NULL;
}

/* New zeroed memory under `name`; NULL: exception pending. */
static void *new_counter(struct os_thread *self, struct object *name, size_t size, const char *kind) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct perf_state *p = perf_state();
    char *text = p ? string_dup_utf8(name) : NULL;
    struct counter *c = text ? mem_zalloc(sizeof *c + size) : NULL;
    bool exists = false, ok = false;
    if (c != NULL) {
        lock_acquire(&p->lock);
        exists = str_table_contains(&p->counters, text, strlen(text));
        ok = !exists && str_table_put(&p->counters, text, strlen(text), c->memory);
        if (ok) {
            c->next = p->all;
            p->all = c;
        }
        lock_release(&p->lock);
    }
    mem_free(text);
    if (ok) return c->memory;
    mem_free(c);
    if (exists) throw_message(self, "java/lang/IllegalArgumentException", "%s name already exists", kind);
    else throw_out_of_memory(self, "performance counter");
    return NULL;
}

/* createLong(String name, int variability, int units, long value) */
static void create_long(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    int32_t variability = arg_int(args, 2), units = arg_int(args, 3);
    if (arg_object(args, 1) == NULL) {
        throw_new(self, "java/lang/NullPointerException");
    } else if (units < UNITS_NONE || units > UNITS_HERTZ || variability < VARIABILITY_CONSTANT ||
               variability > VARIABILITY_VARIABLE) {
        throw_new(self, "java/lang/IllegalArgumentException");
    } else {
        int64_t *memory = new_counter(self, arg_object(args, 1), sizeof *memory, "PerfLong");
        if (memory == NULL) return;
        *memory = arg_long(args, 4);
        *result = slot_ref(native_direct_buffer(self, memory, sizeof *memory));
    }
}

/* createByteArray(String name, int variability, int units, byte[] value, int maxLength): text of at most maxLength
 * bytes and a NUL. */
static void create_byte_array(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    int32_t variability = arg_int(args, 2), units = arg_int(args, 3), max = arg_int(args, 5);
    struct object *value = arg_object(args, 4);
    if (arg_object(args, 1) == NULL || value == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    if (variability != VARIABILITY_CONSTANT && variability != VARIABILITY_VARIABLE) {
        throw_message(self, "java/lang/IllegalArgumentException", "unexpected variability value");
        return;
    }
    if (units != UNITS_STRING) {
        throw_message(self, "java/lang/IllegalArgumentException", "unexpected units value");
        return;
    }
    int32_t length = array_length(value);
    if (variability == VARIABILITY_CONSTANT) max = length;
    if (max < 0) {
        throw_new(self, "java/lang/IllegalArgumentException");
        return;
    }
    char *memory = new_counter(self, arg_object(args, 1), (size_t)max + 1, "PerfByteArray");
    if (memory == NULL) return;
    memcpy(memory, array_data(value), (size_t)MIN(length, max));
    *result = slot_ref(native_direct_buffer(self, memory, (size_t)max + 1));
}

/* ---- other VMs' counters ----------------------------------------------------------------------------------------- */

/* Opens /tmp/hsperfdata_<user>/<pid> of whichever user has it; -1: there is none. */
static int open_counters(int pid) {
    DIR *dir = opendir(os_temp_dir());
    int fd = -1;
    for (struct dirent *e; dir != NULL && fd < 0 && (e = readdir(dir)) != NULL;) {
        if (strncmp(e->d_name, "hsperfdata_", 11) != 0) continue;
        char *path = mem_printf("%s/%s/%d", os_temp_dir(), e->d_name, pid);
        if (path != NULL) fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        mem_free(path);
    }
    if (dir != NULL) closedir(dir);
    return fd;
}

static void attach_to(struct os_thread *self, int pid, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (pid < 0) {
        throw_message(self, "java/lang/IllegalArgumentException", "invalid vmid");
        return;
    }
    int fd = open_counters(pid == 0 ? (int)os_pid() : pid);
    struct stat st;
    void *memory = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
        memory = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (fd >= 0) close(fd);
    if (memory == MAP_FAILED)
        throw_message(self, "java/lang/IllegalArgumentException", "Could not map vmid to user name");
    else *result = slot_ref(native_direct_buffer(self, memory, (size_t)st.st_size));
}

/* 17: attach(String user, int lvmid, int mode); 25: attach0(int lvmid). */
static void attach(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)m;
    attach_to(self, arg_int(args, 2), result);
}
static void attach0(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    attach_to(self, arg_int(args, 1), result);
}

static void detach(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)m, (void)result;
    struct object *buffer = arg_object(args, 1);
    if (buffer == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    void *memory = (void *)(uintptr_t)field_load(buffer, known_offset(Buffer_address), T_LONG);
    if (memory != NULL) munmap(memory, (size_t)(int32_t)field_load(buffer, known_offset(Buffer_capacity), T_INT));
}

static void counter(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self, (void)m, (void)args;
    *result = (uint64_t)(os_nanotime() - vm->start_nanos);
}
static void frequency(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self, (void)m, (void)args;
    *result = 1000000000;
}

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"createLong", NULL, create_long, IN_BOTH},
    {"createByteArray", NULL, create_byte_array, IN_BOTH},
    {"attach", NULL, attach, IN_17},
    {"attach0", NULL, attach0, IN_25},
    {"detach", NULL, detach, IN_BOTH},
    {"highResCounter", NULL, counter, IN_BOTH},
    {"highResFrequency", NULL, frequency, IN_BOTH},
};
const struct native_class natives_jdk_internal_perf_Perf = {"jdk/internal/perf/Perf", bindings, ARRAY_LEN(bindings),
                                                            IN_BOTH};
