/* stack_snapshot.h — the frames of a stopped thread, copied out so that objects can be made of them later. */
#ifndef VITRINE_JDK_STACK_SNAPSHOT_H
#define VITRINE_JDK_STACK_SNAPSHOT_H

#include "base/table.h"
#include "exec/backtrace.h"

struct stack_snapshot {
    VEC(struct backtrace_element) frames;    /* youngest first                                                   */
    VEC(jobject) classes;                    /* global handles: keep classes that could be unloaded              */
    bool failed;                             /* memory ran out: incomplete                                       */
};

/* Frames of t, at most max_depth of them (-1: all), hidden ones only if asked for, or with -XX:+ShowHiddenFrames.
 * Thread: t stopped, or current. No safepoint. */
void stack_snapshot_take(struct stack_snapshot *s, struct java_thread *t, int32_t max_depth, bool hidden);
void stack_snapshot_free(struct stack_snapshot *s);
/* StackTraceElement[]; NULL: exception pending. Thread: IN_VM. java_lang_Throwable.c */
struct object *stack_snapshot_elements(struct os_thread *self, const struct stack_snapshot *s);

#endif
