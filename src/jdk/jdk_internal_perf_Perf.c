/* jdk_internal_perf_Perf.c — performance counters (base/perf_data.h) that the class library makes, and those of other
 * VMs, as direct buffers. */
#include "base/os.h"
#include "base/perf_data.h"
#include "base/perf_file.h"
#include "jdk/natives.h"

#include <sys/mman.h>

/* What a counter could not be made for. */
static void throw_not_made(struct os_thread *self, bool taken, const char *kind) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (taken) throw_message(self, "java/lang/IllegalArgumentException", "%s name already exists", kind);
    else throw_out_of_memory(self, "performance counter");
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
        char *name = string_dup_utf8(arg_object(args, 1));
        bool taken = false;
        int64_t *memory = name ? perf_new_long(name, units, variability, &taken) : NULL;
        mem_free(name);
        if (memory == NULL) {
            throw_not_made(self, taken, "PerfLong");
            return;
        }
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
    char *name = string_dup_utf8(arg_object(args, 1));
    bool taken = false;
    char *memory = name ? perf_new_text(name, (size_t)max + 1, variability, &taken) : NULL;
    mem_free(name);
    if (memory == NULL) {
        throw_not_made(self, taken, "PerfByteArray");
        return;
    }
    memcpy(memory, array_data(value), (size_t)MIN(length, max));
    *result = slot_ref(native_direct_buffer(self, memory, (size_t)max + 1));
}

/* ---- other VMs' counters ----------------------------------------------------------------------------------------- */

enum { MODE_READ, MODE_WRITE };

static void attach_to(struct os_thread *self, int pid, bool writable, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct perf_data *own = vm->perf;
    if (pid == 0 && own->memory != NULL) {
        *result = slot_ref(native_direct_buffer(self, own->memory, own->size));
        return;
    }
    size_t size = 0;
    const char *exception = "java/lang/IllegalArgumentException", *message = "invalid vmid";
    void *memory = pid > 0 ? perf_file_attach(os_temp_dir(), pid, writable, &size, &exception, &message) : NULL;
    if (memory == NULL) throw_message(self, exception, "%s", message);
    else *result = slot_ref(native_direct_buffer(self, memory, size));
}

/* 17: attach(String user, int lvmid, int mode); 25: attach0(int lvmid). */
static void attach(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)m;
    int mode = arg_int(args, 3);
    if (mode == MODE_READ || mode == MODE_WRITE) attach_to(self, arg_int(args, 2), mode == MODE_WRITE, result);
    else throw_message(self, "java/lang/IllegalArgumentException", "invalid access mode");
}
static void attach0(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    attach_to(self, arg_int(args, 1), false, result);
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
    size_t size = (size_t)(int32_t)field_load(buffer, known_offset(Buffer_capacity), T_INT);
    if (memory != NULL && memory != vm->perf->memory) munmap(memory, size);
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
