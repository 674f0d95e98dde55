/* raw_monitor.h: monitors that belong to no object: JVM TI's CreateRawMonitor and JVMPI's RawMonitorCreate.
 *
 * Owners are kernel threads, so a monitor works before threads are attached, in collector callbacks and on agents' own
 * threads. Nothing here changes a thread's state: a caller is in native code (or holds the world stopped) and stays so,
 * therefore waiting never keeps a stop from happening. `self` is the calling thread's record, NULL when it is not
 * attached. */
#ifndef VITRINE_THREAD_RAW_MONITOR_H
#define VITRINE_THREAD_RAW_MONITOR_H

#include "thread/thread.h"

/* Whose monitor it is: an id of one interface is none of the other. */
enum raw_monitor_kind { RAW_MONITOR_JVMTI = 1, RAW_MONITOR_JVMPI };

/* DESTROYED: the monitor is gone, and the caller owns nothing. */
enum raw_monitor_result { RAW_MONITOR_DONE, RAW_MONITOR_NOT_OWNER, RAW_MONITOR_INTERRUPTED, RAW_MONITOR_DESTROYED };

struct raw_monitor;

/* A monitor that nobody owns; its id is its address. NULL: out of memory. */
struct raw_monitor *raw_monitor_new(enum raw_monitor_kind kind, const char *name);
/* The monitor of an id, or NULL when it is none of this kind. Any thread, any state; no wild read. */
struct raw_monitor *raw_monitor_of_id(enum raw_monitor_kind kind, const void *id);
/* Refused (NOT_OWNER) while another thread owns it. Whoever waits in it or to enter it goes on without
 * it (DESTROYED). */
enum raw_monitor_result raw_monitor_free(struct raw_monitor *m);

/* Without waiting; false: another thread owns it, or it has been destroyed. */
bool raw_monitor_try(struct os_thread *self, struct raw_monitor *m);
enum raw_monitor_result raw_monitor_enter(struct os_thread *self, struct raw_monitor *m);
enum raw_monitor_result raw_monitor_exit(struct raw_monitor *m);
/* millis <= 0: until notified. `interruptible`: Thread.interrupt ends it, and the flag is cleared. */
enum raw_monitor_result raw_monitor_wait(struct os_thread *self, struct raw_monitor *m, int64_t millis,
                                         bool interruptible);
enum raw_monitor_result raw_monitor_notify(struct raw_monitor *m, bool all);

/* Figures; they may be old when they are read. owner: kernel thread id, 0 = nobody. The name lives as long as the
 * monitor. */
const char *raw_monitor_name(const struct raw_monitor *m);
int raw_monitor_owner(const struct raw_monitor *m, unsigned *entries);
/* Does the calling thread own it, entered once, while another one waits to enter? */
bool raw_monitor_exit_is_awaited(const struct raw_monitor *m);
/* Every monitor of a kind until visit returns false; none is made or freed meanwhile by the caller. */
void raw_monitors_walk(enum raw_monitor_kind kind, bool (*visit)(void *arg, struct raw_monitor *m), void *arg);

#endif
