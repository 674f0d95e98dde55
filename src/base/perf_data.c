/* perf_data.c — see perf_data.h: the buffer, its head and its entries. */
#include "base/perf_data.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/options.h"
#include "base/os.h"
#include "base/perf_file.h"

/* The head of the buffer, as tools read it. */
struct head {
    uint8_t magic[4];
    uint8_t byte_order, major, minor;
    _Atomic uint8_t accessible;
    _Atomic int32_t used;
    int32_t overflow;
    int64_t changed;                     /* when the last entry came, ticks                                       */
    int32_t first_entry;
    _Atomic int32_t entries;
};
_Static_assert(sizeof(struct head) == 32, "the layout is the JDK's");

/* In front of each counter: this, its name, its value. Offsets are from the beginning of the entry. */
struct entry {
    int32_t length, name, vector_length;    /* 0: a number                                                        */
    uint8_t type, flags, units, variability;
    int32_t data;
};
_Static_assert(sizeof(struct entry) == 20, "the layout is the JDK's");

enum { LITTLE_ENDIAN_ORDER = 1, SUPPORTED = 1, TYPE_LONG = 'J', TYPE_BYTE = 'B', LONG_BYTES = 8 };

/* An entry beside the buffer: counted, seen by this process alone. */
struct perf_spill {
    struct perf_spill *next;
    struct entry entry;
};

static struct head *head_of(const struct perf_data *p) { return (struct head *)p->memory; }

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct entry *e) { return (const char *)e + e->name; }

static bool is_taken(const struct perf_data *p, const char *name) {
    const struct head *head = head_of(p);
    const char *at = p->memory != NULL ? p->memory + head->first_entry : NULL;
    for (int32_t i = 0; at != NULL && i < atomic_load(&head->entries); i++) {
        if (strcmp(name_of((const struct entry *)at), name) == 0) return true;
        at += ((const struct entry *)at)->length;
    }
    for (const struct perf_spill *s = p->spilled; s != NULL; s = s->next)
        if (strcmp(name_of(&s->entry), name) == 0) return true;
    return false;
}

/* Room for an entry in the buffer; NULL: it is full, or there is none. */
static struct entry *room_in_buffer(struct perf_data *p, size_t length) {
    struct head *head = head_of(p);
    if (head == NULL) return NULL;
    size_t used = (size_t)atomic_load(&head->used);
    if (p->size - used >= length) return (struct entry *)(p->memory + used);
    head->overflow += (int32_t)length;
    return NULL;
}

static struct entry *room_beside(struct perf_data *p, size_t length) {
    struct perf_spill *s = mem_zalloc(sizeof *s + length);
    if (s == NULL) return NULL;
    s->next = p->spilled;
    p->spilled = s;
    return &s->entry;
}

/* The mark of names that a later version keeps: sun.* may change. */
static uint8_t flags_of(const char *name) {
    return strncmp(name, "java.", 5) == 0 || strncmp(name, "com.sun.", 8) == 0 ? SUPPORTED : 0;
}

/* Fills in the entry before it is counted: whoever reads the buffer sees all of it or nothing. */
static void *make_entry(struct perf_data *p, const char *name, const struct entry *kind, size_t bytes) {
    size_t name_bytes = strlen(name) + 1, data = ALIGN_UP(sizeof *kind + name_bytes, (size_t)LONG_BYTES),
           length = ALIGN_UP(data + bytes, (size_t)LONG_BYTES);
    struct entry *e = room_in_buffer(p, length);
    bool shared = e != NULL;
    if (!shared && (e = room_beside(p, length)) == NULL) return NULL;
    *e = *kind;
    e->length = (int32_t)length;
    e->name = sizeof *e;
    e->data = (int32_t)data;
    e->flags = flags_of(name);
    memcpy((char *)e + e->name, name, name_bytes);
    if (shared) {
        struct head *head = head_of(p);
        head->changed = os_nanotime() - vm->start_nanos;
        atomic_fetch_add(&head->used, (int32_t)length);
        atomic_fetch_add(&head->entries, 1);
    }
    return (char *)e + data;
}

static void *new_entry(const char *name, const struct entry *kind, size_t bytes, bool *taken) {
    struct perf_data *p = vm->perf;
    lock_acquire(&p->lock);
    *taken = is_taken(p, name);
    void *data = *taken ? NULL : make_entry(p, name, kind, bytes);
    lock_release(&p->lock);
    return data;
}

static struct entry number_kind(enum perf_units units, enum perf_variability variability) {
    return (struct entry){.type = TYPE_LONG, .units = (uint8_t)units, .variability = (uint8_t)variability};
}
static struct entry text_kind(size_t size, enum perf_variability variability) {
    return (struct entry){.type = TYPE_BYTE, .units = UNITS_STRING, .variability = (uint8_t)variability,
                          .vector_length = (int32_t)size};
}

void *perf_new_long(const char *name, enum perf_units units, enum perf_variability variability, bool *taken) {
    struct entry kind = number_kind(units, variability);
    return new_entry(name, &kind, LONG_BYTES, taken);
}

void *perf_new_text(const char *name, size_t size, enum perf_variability variability, bool *taken) {
    struct entry kind = text_kind(size, variability);
    return new_entry(name, &kind, size, taken);
}

void perf_new_constant(const char *name, const char *text) {
    bool taken;
    size_t length = MIN(strlen(text), (size_t)vm->options->flags.PerfMaxStringConstLength);
    char *at = vm->perf->memory != NULL ? perf_new_text(name, length + 1, VARIABILITY_CONSTANT, &taken) : NULL;
    if (at != NULL) memcpy(at, text, length);
}

/* ---- the VM's own ------------------------------------------------------------------------------------------------ */

static const struct row {
    const char *name;
    uint16_t size;                       /* 0: a number */
    uint8_t units, variability;
} rows[PERF_COUNT] = {
#define LONG(id, name, units, variability) [PERF_##id] = {name, 0, UNITS_##units, VARIABILITY_##variability},
#define TEXT(id, name, size, variability) [PERF_##id] = {name, size, UNITS_STRING, VARIABILITY_##variability},
#include "base/perf_counters.def"
#undef LONG
#undef TEXT
};

/* The library of 25 has no sampled clock: its jstat takes the time of day. */
static bool is_kept(int c) { return c != PERF_TICKS || vm->library == LIBRARY_17; }

static bool make_rows(struct perf_data *p) {
    for (int c = 0; c < PERF_COUNT; c++) {
        const struct row *r = &rows[c];
        if (!is_kept(c)) continue;
        struct entry kind = r->size != 0 ? text_kind(r->size, r->variability)
                                         : number_kind(r->units, r->variability);
        void *data = make_entry(p, r->name, &kind, r->size != 0 ? r->size : LONG_BYTES);
        if (data == NULL) return false;
        if (r->size != 0) p->texts[c] = data;
        else p->cells[c] = data;
    }
    return true;
}

void perf_set_text(enum perf_counter c, const char *text) {
    struct perf_data *p = vm->perf;
    char *to = p != NULL ? p->texts[c] : NULL;
    if (to == NULL) return;
    size_t length = MIN(strlen(text), (size_t)rows[c].size - 1);
    memcpy(to, text, length);
    to[length] = '\0';
}

/* ---- the buffer -------------------------------------------------------------------------------------------------- */

/* Of the file, or of this process if there can be none. */
static void make_buffer(struct perf_data *p) {
    const struct vm_flags *flags = &vm->options->flags;
    p->size = ALIGN_UP((size_t)flags->PerfDataMemorySize, os_page_size());
    if (!flags->PerfDisableSharedMem) p->memory = perf_file_create(os_temp_dir(), p->size, &p->fd, &p->path);
    if (p->memory == NULL) {
        void *own = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        p->memory = own != MAP_FAILED ? own : NULL;
    }
    if (p->memory == NULL) return;
    os_account(p->memory, p->size);
    struct head *head = head_of(p);
    *head = (struct head){.magic = {0xca, 0xfe, 0xc0, 0xc0}, .byte_order = LITTLE_ENDIAN_ORDER, .major = 2,
                          .used = sizeof *head, .first_entry = sizeof *head};
}

bool perf_data_create(void) {
    struct perf_data *p = vm->perf = mem_zalloc(sizeof *p);
    if (p == NULL) return false;
    lock_init(&p->lock, "performance counters", LOCK_RANK_OS);
    p->fd = -1;
    for (int c = 0; c < PERF_COUNT; c++) p->cells[c] = &p->nowhere;
    if (!vm->options->flags.UsePerfData) return true;
    make_buffer(p);
    return p->memory == NULL || make_rows(p);
}

void perf_data_show(void) {
    if (vm->perf->memory != NULL) atomic_store(&head_of(vm->perf)->accessible, 1);
}

/* PerfDataSaveFile, or hsperfdata_<pid> in the current directory. */
static void save(const struct perf_data *p) {
    const char *wanted = vm->options->flags.PerfDataSaveFile;
    char path[PATH_MAX];
    os_expand_process_id(wanted != NULL && *wanted ? wanted : "hsperfdata_%p", path, sizeof path);
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    const char *at = p->memory;
    size_t left = fd >= 0 ? p->size : 0;
    while (left > 0) {
        ssize_t n = write(fd, at, left);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        at += n;
        left -= (size_t)n;
    }
    if (fd < 0 || left != 0)
        log_warning(perf, "Could not save performance data in %s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
}

void perf_data_crash(void) {
    struct perf_data *p = vm != NULL ? vm->perf : NULL;
    if (p == NULL || atomic_exchange(&p->ended, true)) return;
    if (p->path != NULL) unlink(p->path);
}

void perf_data_end(void) {
    struct perf_data *p = vm != NULL ? vm->perf : NULL;
    if (p == NULL || atomic_load(&p->ended)) return;
    if (p->memory != NULL && vm->options->flags.PerfDataSaveToFile) save(p);
    perf_data_crash();
}

void perf_data_destroy(void) {
    struct perf_data *p = vm->perf;
    if (p == NULL) return;
    perf_data_end();
    vm->perf = NULL;
    if (p->memory != NULL) {
        os_unaccount(p->memory);
        munmap(p->memory, p->size);
    }
    if (p->fd >= 0) close(p->fd);
    for (struct perf_spill *s = p->spilled, *next; s != NULL; s = next) {
        next = s->next;
        mem_free(s);
    }
    mem_free(p->path);
    mem_free(p);
}
