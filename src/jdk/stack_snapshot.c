/* stack_snapshot.c — the frames of a stopped thread, copied out. */
#include "jdk/stack_snapshot.h"

#include "base/options.h"
#include "thread/handle.h"

/* Once is enough for neighbours of the same class. */
static void keep_class(struct stack_snapshot *s, struct class *c) {
    if (c->shape.holder->permanent) return;
    if (s->classes.count != 0 && handle_get(vec_last(&s->classes)) == c->mirror) return;
    jobject h = handle_global(c->mirror);
    if (h == NULL || !vec_push(&s->classes, h)) s->failed = true;
}

void stack_snapshot_take(struct stack_snapshot *s, struct java_thread *t, int32_t max_depth, bool hidden) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    hidden |= vm->options->flags.ShowHiddenFrames;
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c) && !s->failed; frame_next(&c)) {
        if (max_depth >= 0 && s->frames.count >= (size_t)max_depth) return;
        struct method *m = cursor_method(&c);
        if (m->flags & METHOD_HIDDEN && !hidden) continue;
        if (!vec_push(&s->frames, (struct backtrace_element){m, cursor_code(&c), cursor_bci(&c)})) s->failed = true;
        keep_class(s, m->holder);
    }
}

void stack_snapshot_free(struct stack_snapshot *s) {
    for (size_t i = 0; i < s->classes.count; i++) handle_global_delete(s->classes.data[i]);
    vec_free(&s->classes);
    vec_free(&s->frames);
}
