/* backtrace.c — recording and reading stack traces of Throwables; line numbers. */
#include "exec/backtrace.h"

#include "base/base.h"
#include "base/options.h"
#include "exec/exec_internal.h"

int32_t method_line_number(const struct method_code *code, int32_t bci) {
    if (code_source(code) == NULL) return -2;
    if (bci < 0) return -1;
    return cf_line_number(code_cf(code), code_source(code), (uint32_t)bci);
}

struct symbol *method_source_file(const struct method_code *code) {
    return code_cf(code)->source_file != 0 ? cp_symbol(code_cf(code), code_cf(code)->source_file) : NULL;
}

/* The frame that created the throwable: behind fillInStackTrace and the constructors of its class chain. */
static struct frame_cursor creating_frame(const struct java_thread *t, struct object *throwable) {
    struct frame_cursor c = frame_first(t);
    while (cursor_valid(&c) && strcmp(cursor_method(&c)->name->bytes, "fillInStackTrace") == 0
           && object_is_instance(throwable, cursor_method(&c)->holder))
        frame_next(&c);
    while (cursor_valid(&c) && cursor_method(&c)->flags & METHOD_INIT
           && object_is_instance(throwable, cursor_method(&c)->holder))
        frame_next(&c);
    return c;
}

void backtrace_fill(struct os_thread *self, struct object *throwable) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame_cursor first = creating_frame(self->java, throwable);
    const struct vm_flags *flags = &vm->options->flags;
    if (!flags->StackTraceInThrowable) return;
    int64_t most = flags->MaxJavaStackTraceDepth > 0 ? flags->MaxJavaStackTraceDepth : INT32_MAX / 2;
    bool all = flags->ShowHiddenFrames;
    int32_t depth = 0;
    for (struct frame_cursor c = first; cursor_valid(&c) && depth < most; frame_next(&c))
        if (all || !(cursor_method(&c)->flags & METHOD_HIDDEN)) depth++;
    struct class *objects = class_array_of(self, known_class(java_lang_Object));
    struct object *positions = NULL, *mirrors = NULL, *backtrace = NULL;
    if (objects != NULL) {
        positions = heap_try_alloc(self, &vm->link->primitive_arrays[T_LONG]->shape, 0, depth * 2);
        mirrors = heap_try_alloc(self, &objects->shape, 0, depth);
        bool hides_top = !all && cursor_valid(&first) && cursor_method(&first)->flags & METHOD_HIDDEN;
        backtrace = heap_try_alloc(self, &objects->shape, 0, hides_top ? 3 : 2);
    } else {
        self->exception = NULL;
    }
    if (positions == NULL || mirrors == NULL || backtrace == NULL) return;
    int64_t *out = array_data(positions);
    int32_t i = 0;
    for (struct frame_cursor c = first; cursor_valid(&c) && i < depth; frame_next(&c)) {
        struct method *m = cursor_method(&c);
        if (!all && m->flags & METHOD_HIDDEN) continue;
        uint64_t version = cursor_code(&c)->owner->number & 0x7fffu;
        out[2 * i] = (int64_t)(method_position(m) | version);           /* the mirrors hold the classes */
        out[2 * i + 1] = cursor_bci(&c);
        heap_array_set(mirrors, i, m->holder->mirror);
        i++;
    }
    heap_array_set(backtrace, 0, positions);
    heap_array_set(backtrace, 1, mirrors);
    heap_store_ref(throwable, known_offset(Throwable_backtrace), backtrace);
    field_store(throwable, known_offset(Throwable_depth), T_INT, (uint32_t)depth);
    heap_store_ref(throwable, known_offset(Throwable_stackTrace),
                   heap_load_ref(known_statics(Throwable_UNASSIGNED_STACK), known_offset(Throwable_UNASSIGNED_STACK)));
}

bool backtrace_hides_top(struct object *backtrace) { return array_length(backtrace) == 3; }

int32_t backtrace_depth(struct object *backtrace) { return array_length(heap_array_get(backtrace, 0)) / 2; }

bool backtrace_at(struct object *backtrace, int32_t index, struct backtrace_element *out) {
    const int64_t *positions = array_data(heap_array_get(backtrace, 0));
    uint64_t id = (uint64_t)positions[2 * index];
    uint16_t version = (uint16_t)(id & 0x7fff);
    out->method = method_at_position(id);
    out->bci = (int32_t)positions[2 * index + 1];
    if (out->method == NULL) return false;
    struct method_code *current = atomic_load(&out->method->code);
    out->code = current;
    for (struct method_code *c = current; c != NULL; c = method_code_older(c))
        if (c->owner->number == version) out->code = c;
    return true;
}
