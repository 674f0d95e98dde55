/* class_event.c: what CLASS_LOAD reports of a class. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* First and last line of a method's code; -1 where there is no table. */
static void line_range(const struct method *m, jint *first, jint *last) {
    const struct method_code *code = atomic_load(&m->code);
    *first = *last = -1;
    if (code == NULL || code_source(code) == NULL) return;
    struct cf_line row;
    for (struct cf_line_iter it = cf_lines(code_cf(code), code_source(code)); cf_lines_next(&it, &row);) {
        if (*first < 0 || row.line < *first) *first = row.line;
        if (row.line > *last) *last = row.line;
    }
}

static bool add_methods(struct arena *a, const struct class *c, JVMPI_Event *e) {
    JVMPI_Method *methods = arena_alloc(a, c->method_count * sizeof *methods + 1);
    if (methods == NULL) return false;
    uint32_t n = 0;
    for (const struct method *m = NULL; (m = class_next_method(c, m)) != NULL; n++) {
        methods[n] = (JVMPI_Method){.method_name = (char *)m->name->bytes,
                                    .method_signature = (char *)m->desc->bytes,
                                    .method_id = method_id(m)};
        line_range(m, &methods[n].start_lineno, &methods[n].end_lineno);
    }
    e->u.class_load.num_methods = (jint)n;
    e->u.class_load.methods = methods;
    return true;
}

/* The class's own fields of one kind, in the order of the class file. */
static bool add_fields(struct arena *a, const struct class *c, bool statics, jint *count, JVMPI_Field **out) {
    JVMPI_Field *fields = arena_alloc(a, c->field_count * sizeof *fields + 1);
    if (fields == NULL) return false;
    jint n = 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (f->cf == NULL || ((f->access_flags & ACC_STATIC) != 0) != statics) continue;
        fields[n++] = (JVMPI_Field){(char *)f->name->bytes, (char *)f->desc->bytes};
    }
    *count = n;
    *out = fields;
    return true;
}

static bool describe(struct arena *a, struct class *c, JVMPI_Event *e) {
    char *name = class_external_name(c);
    if (name == NULL) return false;
    e->u.class_load.class_name = arena_strndup(a, name, strlen(name));
    mem_free(name);
    if (c->cf && c->cf->source_file) {
        struct span file = cp_utf8(c->cf, c->cf->source_file);
        e->u.class_load.source_name = arena_strndup(a, (const char *)file.data, file.size);
    }
    e->u.class_load.num_interfaces = (jint)c->interface_count;
    e->u.class_load.class_id = jvmpi_class_id(c);
    return e->u.class_load.class_name && add_methods(a, c, e) &&
           add_fields(a, c, true, &e->u.class_load.num_static_fields, &e->u.class_load.statics) &&
           add_fields(a, c, false, &e->u.class_load.num_instance_fields, &e->u.class_load.instances);
}

bool jvmpi_send_class_load(struct os_thread *self, struct class *c, jint requested) {
    REQUIRES(IN_VM);
    struct arena *a = arena_new("profiler event");
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_CLASS_LOAD | requested;
    bool ok = a && describe(a, c, &e);
    if (ok) jvmpi_notify(self, &e, true);
    else log_warning(jvmpi_event, "out of memory: a class load event is lost");
    arena_free(a);
    return ok;
}
