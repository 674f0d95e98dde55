/* compiled_code.c: COMPILED_METHOD_LOAD and COMPILED_METHOD_UNLOAD. */
#include "inspect/compiled_code.h"
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* A row for each place where the line changes; *count of them. NULL: there are none, or there is no memory. */
static JVMPI_Lineno *line_table(const struct code_report *r, const struct method_code *code, jint *count) {
    *count = 0;
    JVMPI_Lineno *rows = r->place_count != 0 ? mem_alloc(r->place_count * sizeof *rows) : NULL;
    for (uint32_t i = 0; rows != NULL && i < r->place_count; i++) {
        int32_t line = method_line_number(code, r->places[i].bci);
        if (line >= 0 && (*count == 0 || rows[*count - 1].lineno != line))
            rows[(*count)++] = (JVMPI_Lineno){(jint)r->places[i].offset, line};
    }
    return rows;
}

static void send(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM);
    const struct method_code *code = method_code_of_id(r->method);
    if (code == NULL) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_COMPILED_METHOD_LOAD;
    e.u.compiled_method_load.method_id = r->method;
    e.u.compiled_method_load.code_addr = (void *)(uintptr_t)r->begin;
    e.u.compiled_method_load.code_size = (jint)r->length;
    JVMPI_Lineno *lines = line_table(r, code, &e.u.compiled_method_load.lineno_table_size);
    e.u.compiled_method_load.lineno_table = e.u.compiled_method_load.lineno_table_size != 0 ? lines : NULL;
    jvmpi_notify(self, &e, false);
    mem_free(lines);
}

void jvmpi_on_compiled_method(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM | MAY_STOP);
    if (jvmpi_wants(self, JVMPI_EVENT_COMPILED_METHOD_LOAD)) send(self, r);
}

void jvmpi_on_compiled_method_unload(struct os_thread *self, jmethodID method, const void *begin) {
    REQUIRES(IN_VM | MAY_STOP);
    (void)begin;
    if (!jvmpi_wants(self, JVMPI_EVENT_COMPILED_METHOD_UNLOAD)) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_COMPILED_METHOD_UNLOAD;
    e.u.compiled_method_unload.method_id = method;
    jvmpi_notify(self, &e, false);
}

void jvmpi_report_compiled_methods(struct os_thread *self) {
    REQUIRES(IN_VM);
    struct code_report r;
    for (const struct code_blob *at = NULL; code_report_next(&at, &r); code_report_free(&r))
        if (r.method != NULL) send(self, &r);
}
