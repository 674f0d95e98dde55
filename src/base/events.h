/* events.h — what has happened last, for crash reports and VM.events: a ring for each row of events.def, with
 * -XX:LogEventsBufferEntries places (-XX:+LogEvents). Nobody waits for a lock: two threads that come to one place at
 * once leave one event. Any thread; a text that is too long is cut. */
#ifndef VITRINE_BASE_EVENTS_H
#define VITRINE_BASE_EVENTS_H

#include "base/base.h"

enum event_log {
#define EVENT_LOG(id, name17, title17, name25, title25, bytes) EVENT_##id,
#include "base/events.def"
#undef EVENT_LOG
    EVENT_LOGS
};

enum { EVENT_TEXT_MOST = 480 };

/* The rings of the VM that starts; without memory for them it goes without. */
void events_create(void);
void events_destroy(void);

/* thread: what the text is led by; NULL: none. Before events_create and with -XX:-LogEvents nothing. */
void event_note(enum event_log log, const void *thread, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Where a format would be felt: data is copied, as far as the log has room, and print makes the text of the copy when
 * somebody reads. */
typedef void event_printer(char *text, size_t size, const void *data);
void event_note_data(enum event_log log, const void *thread, event_printer *print, const void *data, size_t length);
/* before + name + after, likewise. */
void event_note_name(enum event_log log, const void *thread, const char *before, const char *name, size_t length,
                     const char *after);

/* As the library of the VM calls them; name NULL: it has no such log. */
const char *event_log_name(enum event_log log);
const char *event_log_title(enum event_log log);

/* Reading, oldest first, while others write. As async-signal-safe as snprintf. */
struct event_copy {
    int64_t nanos;                       /* since the VM began */
    const void *thread;
    char text[EVENT_TEXT_MOST];
};
bool   events_are_kept(void);
size_t event_count(enum event_log log);  /* that the ring holds */
/* The i-th of these; false: it is being written, or has made room for another. */
bool   event_read(enum event_log log, size_t i, struct event_copy *out);

#endif
