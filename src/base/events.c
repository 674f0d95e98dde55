/* The rings of last events. A place is taken by an exchange of its number, and holds a readable event again once its
 * new number is stored. */
#include "base/events.h"

#include <stdio.h>

#include "base/options.h"
#include "base/os.h"
#include "vm/vm.h"

struct event {
    _Atomic uint64_t number;             /* from 1; 0: empty, BUSY: being written */
    int64_t nanos;
    const void *thread;
    event_printer *print;                /* NULL: text is the text; otherwise data to make it of */
    char text[];
};
#define BUSY UINT64_MAX

#define EVENT_LOG(id, name17, title17, name25, title25, bytes) \
    _Static_assert(bytes <= EVENT_TEXT_MOST && bytes % _Alignof(struct event) == 0, "the next event is aligned");
#include "base/events.def"
#undef EVENT_LOG

struct ring {
    _Atomic uint64_t noted;
    char *places;
    size_t stride;
};

struct events {
    size_t entries, size;                /* size: bytes of the whole */
    struct ring rings[EVENT_LOGS];
};

static const struct { const char *name17, *title17, *name25, *title25; size_t bytes; } logs[] = {
#define EVENT_LOG(id, name17, title17, name25, title25, bytes) {name17, title17, name25, title25, bytes},
#include "base/events.def"
#undef EVENT_LOG
};

const char *event_log_name(enum event_log log) {
    return vm->library == LIBRARY_17 ? logs[log].name17 : logs[log].name25;
}

const char *event_log_title(enum event_log log) {
    return vm->library == LIBRARY_17 ? logs[log].title17 : logs[log].title25;
}

void events_create(void) {
    if (!vm->options->flags.LogEvents) return;
    size_t entries = (size_t)vm->options->flags.LogEventsBufferEntries, all = sizeof(struct events);
    for (size_t i = 0; i < EVENT_LOGS; i++) all += entries * (sizeof(struct event) + logs[i].bytes);
    struct events *e = os_reserve(NULL, all);        /* logs that stay empty take no memory */
    if (e == NULL) return;
    if (!os_commit(e, all)) {
        os_release(e, all);
        return;
    }
    e->entries = entries;
    e->size = all;
    char *at = (char *)(e + 1);
    for (size_t i = 0; i < EVENT_LOGS; i++) {
        e->rings[i] = (struct ring){.places = at, .stride = sizeof(struct event) + logs[i].bytes};
        at += entries * e->rings[i].stride;
    }
    vm->events = e;
}

void events_destroy(void) {
    struct events *e = vm->events;
    vm->events = NULL;                   /* from here on nothing is noted */
    if (e != NULL) os_release(e, e->size);
}

static struct event *place(const struct events *e, enum event_log log, uint64_t number) {
    const struct ring *r = &e->rings[log];
    return (struct event *)(r->places + (number - 1) % e->entries * r->stride);
}

/* NULL: another thread writes there, or there are no rings. */
static struct event *begin(enum event_log log, const void *thread, event_printer *print, uint64_t *number) {
    struct events *e = vm != NULL ? vm->events : NULL;
    if (e == NULL) return NULL;
    *number = atomic_fetch_add_explicit(&e->rings[log].noted, 1, memory_order_relaxed) + 1;
    struct event *v = place(e, log, *number);
    if (atomic_exchange(&v->number, BUSY) == BUSY) return NULL;
    v->nanos = os_nanotime() - vm->start_nanos;
    v->thread = thread;
    v->print = print;
    return v;
}

static void end(struct event *v, uint64_t number) { atomic_store_explicit(&v->number, number, memory_order_release); }

void event_note(enum event_log log, const void *thread, const char *fmt, ...) {
    uint64_t number;
    struct event *v = begin(log, thread, NULL, &number);
    if (v == NULL) return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(v->text, logs[log].bytes, fmt, args);
    va_end(args);
    end(v, number);
}

void event_note_data(enum event_log log, const void *thread, event_printer *print, const void *data, size_t length) {
    uint64_t number;
    struct event *v = begin(log, thread, print, &number);
    if (v == NULL) return;
    memcpy(v->text, data, MIN(length, logs[log].bytes));
    end(v, number);
}

static size_t append(char *to, size_t used, size_t most, const char *text, size_t length) {
    length = MIN(length, most - used);
    memcpy(to + used, text, length);
    return used + length;
}

void event_note_name(enum event_log log, const void *thread, const char *before, const char *name, size_t length,
                     const char *after) {
    uint64_t number;
    struct event *v = begin(log, thread, NULL, &number);
    if (v == NULL) return;
    size_t most = logs[log].bytes - 1, used = append(v->text, 0, most, before, strlen(before));
    used = append(v->text, used, most, name, length);
    used = append(v->text, used, most, after, strlen(after));
    v->text[used] = '\0';
    end(v, number);
}

bool events_are_kept(void) { return vm != NULL && vm->events != NULL; }

size_t event_count(enum event_log log) {
    const struct events *e = vm->events;
    return (size_t)MIN(atomic_load(&e->rings[log].noted), (uint64_t)e->entries);
}

bool event_read(enum event_log log, size_t i, struct event_copy *out) {
    const struct events *e = vm->events;
    uint64_t noted = atomic_load(&e->rings[log].noted), first = noted > e->entries ? noted - e->entries : 0;
    const struct event *v = place(e, log, first + i + 1);
    uint64_t before = atomic_load_explicit(&v->number, memory_order_acquire);
    if (before != first + i + 1) return false;
    out->nanos = v->nanos;
    out->thread = v->thread;
    event_printer *print = v->print;
    _Alignas(8) char copy[EVENT_TEXT_MOST];
    memcpy(copy, v->text, logs[log].bytes);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&v->number, memory_order_relaxed) != before) return false;
    copy[logs[log].bytes - 1] = '\0';
    if (print != NULL) print(out->text, sizeof out->text, copy);
    else memcpy(out->text, copy, logs[log].bytes);
    return true;
}
