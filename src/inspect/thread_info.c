/* thread_info.c: what java.lang.Thread and ThreadGroup objects say. */
#include "inspect/thread_info.h"

#include "exec/frame_cursor.h"
#include "heap/heap.h"
#include "thread/identity.h"

#include <string.h>

enum {                                              /* JVM TI: GetThreadState                                    */
    STATE_ALIVE = 0x0001, STATE_TERMINATED = 0x0002, STATE_RUNNABLE = 0x0004, STATE_SUSPENDED = 0x100000,
    STATE_INTERRUPTED = 0x200000, STATE_IN_NATIVE = 0x400000
};

/* A fact that 17 keeps in Thread and 25 in its holder. */
#define FACT_OFFSET(name) \
    (known_has(FieldHolder_##name) ? known_offset(FieldHolder_##name) : known_offset(Thread_##name))

static int32_t read_int(struct object *o, uint32_t offset) { return (int32_t)field_load(o, offset, T_INT); }

/* 0 while the thread is being constructed. */
static int32_t status_of(struct object *thread) {
    struct object *facts = known_has(Thread_holder) ? heap_load_ref(thread, known_offset(Thread_holder)) : thread;
    return facts ? read_int(facts, FACT_OFFSET(threadStatus)) : 0;
}

void thread_info_of(struct object *thread, struct thread_info *out) {
    memset(out, 0, sizeof *out);
    out->name = heap_load_ref(thread, known_offset(Thread_name));
    out->context_loader = heap_load_ref(thread, known_offset(Thread_contextClassLoader));
    struct object *facts = known_has(Thread_holder) ? heap_load_ref(thread, known_offset(Thread_holder)) : thread;
    if (facts == NULL) return;                      /* being constructed                                         */
    out->group = heap_load_ref(facts, FACT_OFFSET(group));
    out->priority = read_int(facts, FACT_OFFSET(priority));
    out->daemon = field_load(facts, FACT_OFFSET(daemon), T_BOOLEAN) != 0;
    out->status = status_of(thread);
}

int64_t thread_id_of(struct object *thread) { return (int64_t)field_load(thread, known_offset(Thread_tid), T_LONG); }

void thread_group_info_of(struct object *group, struct thread_group_info *out) {
    out->name = heap_load_ref(group, known_offset(ThreadGroup_name));
    out->parent = heap_load_ref(group, known_offset(ThreadGroup_parent));
    out->max_priority = read_int(group, known_offset(ThreadGroup_maxPriority));
    out->daemon = field_load(group, known_offset(ThreadGroup_daemon), T_BOOLEAN) != 0;
}

struct object *thread_group_children(struct os_thread *self, struct object *group) {
    REQUIRES(IN_VM);
    struct method *m = class_method_cstr(known_class(java_lang_ThreadGroup), "subgroupsAsArray",
                                         "()[Ljava/lang/ThreadGroup;");
    if (m == NULL) return heap_load_ref(group, known_offset(ThreadGroup_groups));
    uint64_t args[] = {slot_ref(group)}, result = 0;
    return java_call(self, m, args, &result) ? slot_object(result) : NULL;
}

struct java_thread *thread_alive(struct object *thread) {
    struct java_thread *t = thread_of_mirror(thread);
    return t && !thread_has_ended(t) ? t : NULL;
}

int32_t thread_state_of(struct object *thread, const struct java_thread *t) {
    int32_t status = status_of(thread);
    if (t == NULL) return status & STATE_TERMINATED;
    int32_t state = status & STATE_ALIVE ? status : STATE_ALIVE | STATE_RUNNABLE;
    if (atomic_load(&t->suspended)) state |= STATE_SUSPENDED;
    if (thread_is_interrupted((struct java_thread *)t, false)) state |= STATE_INTERRUPTED;
    struct frame_cursor youngest = frame_first(t);
    bool native = thread_activity(t) == ACTIVITY_FOREIGN && cursor_valid(&youngest) && cursor_runs_outside(&youngest);
    return native ? state | STATE_IN_NATIVE : state;
}

bool thread_is_visible(const struct java_thread *t) {
    return !t->hidden && t->mirror != NULL && !thread_is_attaching(t) && !thread_has_ended(t);
}
