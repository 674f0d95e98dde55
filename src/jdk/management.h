/* management.h — what the files of java.lang.management share: beans, memory usage, notifications. */
#ifndef VITRINE_JDK_MANAGEMENT_H
#define VITRINE_JDK_MANAGEMENT_H

#include "jdk/jmm.h"
#include "thread/thread.h"

/* Pools come last, and the last of them is there where code is compiled alone. */
enum management_bean { COLLECTOR, METADATA_MANAGER, CODE_MANAGER, HEAP_POOL, METADATA_POOL, CODE_POOL, BEANS };
enum { POOLS = BEANS - HEAP_POOL };

/* management.c; thread: IN_VM. NULL: exception pending. */
struct object *management_bean(struct os_thread *self, enum management_bean which);
/* Which bean an object is; -1: none of ours. */
int management_which(struct object *o);
struct usage { int64_t initial, used, committed, max; };       /* bytes; -1: undefined                            */
struct usage management_usage(enum management_bean pool);
/* A java.lang.management.MemoryUsage; NULL: exception pending. */
struct object *management_new_usage(struct os_thread *self, struct usage u);

/* management_notify.c: the "Notification Thread", which notifies Java of collections and of pools whose usage crosses a
 * threshold. */
struct notifications;
struct notifications *notifications_new(void);                 /* NULL: out of memory                             */
void notifications_free(struct notifications *n);              /* no other thread of the VM lives                 */
struct notifications *management_notifications(void);          /* management.c; NULL: out of memory               */
struct notifications *management_notifications_if_made(void);  /* the same without making them; NULL: not yet      */
/* heap_hooks and base_hooks: the figures of a collection; the usage that is watched has been reached. */
void management_collected(const struct heap_collection *c);
void management_wake(void);

/* How many of the pools there are. */
int management_pools(void);
/* Usage of a pool before or after a collection. */
struct usage management_usage_at(const struct heap_collection *c, enum management_bean pool, bool before);

void jmm_SetGCNotificationEnabled(JNIEnv *env, jobject manager, jboolean enabled);
void jmm_SetPoolSensor(JNIEnv *env, jobject pool, jint type, jobject sensor);
jlong jmm_SetPoolThreshold(JNIEnv *env, jobject pool, jint type, jlong threshold);

#endif
