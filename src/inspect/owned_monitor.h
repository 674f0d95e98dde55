/* owned_monitor.h: the monitors a stopped thread owns or waits for. */
#ifndef VITRINE_INSPECT_OWNED_MONITOR_H
#define VITRINE_INSPECT_OWNED_MONITOR_H

#include "thread/thread.h"

struct owned_monitor {
    struct object *object;
    int depth;                           /* of the frame that entered it; -1: by JNI                            */
};

/* Each monitor once, those of younger frames first, those entered by JNI last; not one that the thread has given up in
 * Object.wait. Returns how many there are and fills at most max. Thread: t stopped or current. */
unsigned owned_monitors(const struct java_thread *t, struct owned_monitor *out, unsigned max);
/* The object whose monitor t waits to enter, or waits in; NULL: none. It may stand on t's lock stack without being t's.
 * Thread: t stopped or current. */
struct object *awaited_monitor(const struct java_thread *t);
/* The object whose monitor t waits to enter, or to enter again after Object.wait; with JDK 17 also the one it waits in.
 * NULL: none. Thread: t stopped or current. */
struct object *contended_monitor(const struct java_thread *t);

#endif
