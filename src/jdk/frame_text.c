/* frame_text.c — stack frames and throwables as the VM itself prints them. */
#include "jdk/frame_text.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/log.h"
#include "exec/backtrace.h"
#include "heap/heap.h"
#include "link/module.h"

char *frame_text(const struct method_code *code, int32_t bci) {
    struct method *m = code->method;
    char *holder = class_external_name(m->holder);
    struct module_record *module = m->holder->module;
    bool named = module != NULL && module->name != NULL;
    const char *version = named && module->version ? module->version->bytes : NULL;
    struct symbol *file = method_source_file(code);
    int32_t line = method_line_number(code, bci);
    char position[16] = "";
    if (!(m->access_flags & ACC_NATIVE) && file != NULL && line >= 0) snprintf(position, sizeof position, ":%d", line);
    char *text = mem_printf("%s.%s(%s%s%s%s%s%s)", holder ? holder : "?", m->name->bytes,
                            named ? module->name->bytes : "", version ? "@" : "", version ? version : "",
                            named ? "/" : "",
                            m->access_flags & ACC_NATIVE ? "Native Method"
                            : file                       ? file->bytes
                                                         : "Unknown Source",
                            position);
    mem_free(holder);
    return text;
}

enum { MAX_CAUSES = 16 };

void throwable_print(struct object *throwable) {
    struct object *e = throwable;
    for (int depth = 0; e != NULL && depth < MAX_CAUSES; depth++) {
        char *name = class_external_name(class_of(e));
        struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
        char *text = message ? string_dup_utf8(message) : NULL;
        vm_print(false, "%s%s%s%s\n", depth ? "Caused by: " : "", name ? name : "exception", text ? ": " : "",
                 text ? text : "");
        mem_free(name);
        mem_free(text);
        struct object *backtrace = heap_load_ref(e, known_offset(Throwable_backtrace));
        struct backtrace_element at;
        for (int32_t i = 0, n = backtrace ? backtrace_depth(backtrace) : 0; i < n; i++) {
            char *frame = backtrace_at(backtrace, i, &at) ? frame_text(at.code, at.bci) : NULL;
            if (frame != NULL) vm_print(false, "\tat %s\n", frame);
            mem_free(frame);
        }
        struct object *cause = heap_load_ref(e, known_offset(Throwable_cause));
        e = cause != e ? cause : NULL;
    }
}
