/* thread_info.h: what java.lang.Thread and ThreadGroup objects say, for both libraries (17 keeps in Thread what 25
 * keeps in Thread.FieldHolder). Thread: IN_VM. No allocation unless said. */
#ifndef VITRINE_INSPECT_THREAD_INFO_H
#define VITRINE_INSPECT_THREAD_INFO_H

#include "link/link.h"

struct thread_info {
    struct object *name, *group, *context_loader;   /* NULL where the thread has none                            */
    int32_t priority, status;                       /* status: as Thread.getState() reads it, JVM TI bits        */
    bool daemon;
};
void thread_info_of(struct object *thread, struct thread_info *out);
/* The id that Thread.getId() answers. */
int64_t thread_id_of(struct object *thread);

struct thread_group_info {
    struct object *name, *parent;
    int32_t max_priority;
    bool daemon;
};
void thread_group_info_of(struct object *group, struct thread_group_info *out);

/* Child groups as an array object with NULLs behind the last; NULL without exception: none; may run Java code and
 * throw. */
struct object *thread_group_children(struct os_thread *self, struct object *group);

/* The live thread of a thread object, or NULL. One that Java knows to have ended is no longer alive, though it may
 * still be on the list. Caller holds the thread list or the world. */
struct java_thread *thread_alive(struct object *thread);

/* JVM TI's thread state of a thread object and its thread (NULL: not alive). Caller holds the thread list or
 * the world. */
int32_t thread_state_of(struct object *thread, const struct java_thread *t);
/* Is t one that tools see: alive, its Thread object constructed, and not the VM's own? */
bool thread_is_visible(const struct java_thread *t);

#endif
