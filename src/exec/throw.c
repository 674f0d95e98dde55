/* throw.c — finding handlers, and the exceptions that instructions throw, with HotSpot's texts. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/base.h"
#include "base/log.h"
#include "exec/exec_internal.h"
#include "link/resolve.h"

int32_t find_handler(struct os_thread *self, struct method_code *code, int32_t bci) {
    REQUIRES(IN_VM | MAY_STOP);
    const struct cf_code *source = code_source(code);
    for (uint16_t i = 0; i < source->handler_count; i++) {
        struct cf_handler h = cf_handler_at(source, i);
        if (bci < h.start_pc || bci >= h.end_pc) continue;
        if (h.catch_type != 0) {
            uint64_t cell = atomic_load_explicit(&code->cells[h.catch_type], memory_order_acquire);
            if (LIKELY(cell != 0)) {
                if (object_is_instance(self->exception, (struct class *)(uintptr_t)cell)) return h.handler_pc;
                continue;
            }
            struct object *e = exception_take(self);
            struct class *type = resolve_class(self, code->owner, h.catch_type);
            if (type == NULL) {          /* the failure takes the exception's place, as if the handler had thrown it */
                bci = h.handler_pc;
                i = (uint16_t)-1;
                thread_poll(self);       /* a handler within its own range is met for ever */
                continue;
            }
            self->exception = e;
            if (!object_is_instance(e, type)) continue;
        }
        return h.handler_pc;
    }
    return -1;
}

int32_t handler_expected(struct os_thread *self, struct method_code *code, int32_t bci, struct object **exception) {
    REQUIRES(IN_VM);
    struct object *pending = self->exception;
    self->exception = *exception;
    int32_t handler = code_source(code) != NULL ? find_handler(self, code, bci) : -1;
    *exception = self->exception;
    self->exception = pending;
    return handler;
}

void log_unwinding(struct os_thread *self, const struct frame *frame, int32_t handler) {
    REQUIRES(IN_VM);
    const struct method *m = frame_method(frame);
    char *text = throwable_log_text(self->exception);
    struct object *name = heap_load_ref(self->java->mirror, known_offset(Thread_name));
    char *thread = name ? string_dup_utf8(name) : NULL;
    log_info(exceptions,
             "%s thrown in interpreter method <{method} {0x%016" PRIxPTR
             "} '%s' '%s' in '%s'> at bci %d for thread 0x%016" PRIxPTR " (%s)",
             text ? text : "", (uintptr_t)m, m->name->bytes, m->desc->bytes, m->holder->name->bytes,
             (int)frame_bci(frame), (uintptr_t)self->java, thread ? thread : "");
    if (handler >= 0) {
        char *type = class_external_name(class_of(self->exception));
        log_info(exceptions, "Found matching handler for exception of type \"%s\" in method \"%s\" at BCI: %d",
                 type ? type : "", m->name->bytes, (int)handler);
        mem_free(type);
    }
    mem_free(text);
    mem_free(thread);
}

void throw_array_index(struct os_thread *self, int32_t index, int32_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    throw_message(self, "java/lang/ArrayIndexOutOfBoundsException", "Index %d out of bounds for length %d", index,
                  length);
}

void throw_class_cast(struct os_thread *self, struct object *o, struct class *target) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_of(o);
    char *from = class_external_name(c), *to = class_external_name(target);
    char *where = class_module_and_loader(c, target);
    throw_message(self, "java/lang/ClassCastException", "class %s cannot be cast to class %s (%s)", from ? from : "?",
                  to ? to : "?", where ? where : "?");
    mem_free(from);
    mem_free(to);
    mem_free(where);
}

void throw_array_store(struct os_thread *self, struct object *value) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *name = class_external_name(class_of(value));
    throw_message(self, "java/lang/ArrayStoreException", "%s", name ? name : "?");
    mem_free(name);
}
