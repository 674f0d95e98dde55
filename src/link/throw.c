/* throw.c — throwing from VM code, and calls up into Java by name. */
#include <stdarg.h>
#include <stdio.h>

#include "base/events.h"
#include "base/log.h"
#include "base/options.h"
#include "heap/heap.h"
#include "link/link_internal.h"


bool java_call_virtual(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    struct object *receiver = slot_object(args[0]);
    struct class *c = class_of(receiver);
    struct method *target = m->holder->is_interface ? class_select_interface(c, m) : class_select_virtual(c, m);
    return java_call(self, target ? target : m, args, result);
}

bool java_call_static_named(struct os_thread *self, struct class *c, const char *name, const char *desc,
                            const uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *m = class_method_cstr(c, name, desc);
    if (m == NULL) fatal("the class library has no method %s.%s%s", c->name->bytes, name, desc);
    if (!class_ensure_initialized(self, c)) return false;
    return java_call(self, m, args, result);
}

char *throwable_log_text(struct object *e) {
    struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
    char *text = message ? string_dup_utf8(message) : NULL;
    char *all = mem_printf("Exception <a '%s'{0x%016" PRIxPTR "}%s%s>", class_of(e)->name->bytes, (uintptr_t)e,
                           text ? ": " : "", text ? text : "");
    mem_free(text);
    return all;
}

static void log_throw(const struct os_thread *self, struct object *e) {
    char *text = throwable_log_text(e);
    log_info(exceptions, "%s thrown by the VM for thread 0x%016" PRIxPTR, text ? text : "", (uintptr_t)self->java);
    mem_free(text);
}

/* What the log of events keeps of an exception: its class's name, and the message behind that. */
struct thrown {
    uintptr_t address;
    uint16_t name;                       /* length                                                                 */
    char texts[EVENT_TEXT_MOST - 16];    /* the message ends with a 0                                              */
};

static void print_thrown(char *text, size_t size, const void *data) {
    const struct thrown *t = data;
    const char *message = t->texts + t->name;
    snprintf(text, size, "Exception <a '%.*s'{0x%016" PRIxPTR "}%s%s> (0x%016" PRIxPTR ") \nthrown by the VM", t->name,
             t->texts, t->address, message[0] ? ": " : "", message, t->address);
}

/* Takes no C memory: the exception may be that there is none. A long message is left out. */
static void note_throw(const struct os_thread *self, struct object *e) {
    if (!events_are_kept()) return;
    const size_t most = EVENT_TEXT_MOST / 2;
    const struct symbol *name = class_of(e)->name;
    struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
    struct thrown t;
    t.address = (uintptr_t)e;
    t.name = (uint16_t)MIN((size_t)name->length, most - 16);
    memcpy(t.texts, name->bytes, t.name);
    char *text = t.texts + t.name;
    bool fits = message != NULL && string_utf8_length(message) < most;
    size_t length = fits ? string_to_utf8(message, text, most) : 0;
    text[length] = '\0';
    size_t size = offsetof(struct thrown, texts) + t.name + length + 1;
    event_note_data(EVENT_EXCEPTION, self->java, print_thrown, &t, size);
}

void throw_object(struct os_thread *self, struct object *throwable) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (log_enabled(LOG_exceptions, LOG_INFO)) log_throw(self, throwable);
    note_throw(self, throwable);
    self->exception = throwable;
}

/* Makes the exception with one of the constructors (), (String), (Throwable), (String, Throwable). Whatever goes wrong
 * on the way is pending instead. */
static void construct(struct os_thread *self, const char *class_name, const char *message, struct object *cause,
                      bool with_cause) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    self->exception = NULL;
    struct class *c = class_find_boot(self, class_name);
    if (c == NULL && self->exception == NULL)
        fatal("the class library has no exception class %s (%s)", class_name, message ? message : "");
    if (c == NULL || !class_ensure_initialized(self, c)) return;
    struct object *e = heap_alloc_instance(self, &c->shape);
    if (e == NULL) return;
    struct object *text = message ? string_from_utf8(self, message, strlen(message)) : NULL;
    if (message != NULL && text == NULL) return;
    uint64_t args[3] = {slot_ref(e), 0, 0};
    const char *desc = "()V";
    if (with_cause && message != NULL) {
        desc = "(Ljava/lang/String;Ljava/lang/Throwable;)V";
        args[1] = slot_ref(text);
        args[2] = slot_ref(cause);
    } else if (with_cause) {
        desc = "(Ljava/lang/Throwable;)V";
        args[1] = slot_ref(cause);
    } else if (message != NULL) {
        desc = "(Ljava/lang/String;)V";
        args[1] = slot_ref(text);
    }
    struct symbol *name = symbol_intern_cstr("<init>"), *d = symbol_intern_cstr(desc);
    struct method *init = name && d ? class_find_method(c, name, d) : NULL;
    if (init == NULL && with_cause) {    /* no such constructor: message first, then initCause */
        symbol_release(d);
        d = symbol_intern_cstr(message ? "(Ljava/lang/String;)V" : "()V");
        init = class_find_method(c, name, d);
        if (init != NULL && java_call(self, init, args, NULL)) {
            struct method *set = class_method_cstr(known_class(java_lang_Throwable), "initCause",
                                                   "(Ljava/lang/Throwable;)Ljava/lang/Throwable;");
            uint64_t set_args[2] = {slot_ref(e), slot_ref(cause)};
            if (java_call_virtual(self, set, set_args, NULL)) throw_object(self, e);
        }
    } else if (init == NULL) {
        fatal("exception class %s has no constructor %s", class_name, desc);
    } else if (java_call(self, init, args, NULL)) {
        throw_object(self, e);
    }
    symbol_release(name);
    symbol_release(d);
}

void throw_new(struct os_thread *self, const char *class_name) { construct(self, class_name, NULL, NULL, false); }

/* Formats into *text, malloc'd unless it fits into buffer. */
static char *format_text(char *buffer, size_t size, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(buffer, size, format, again);
    va_end(again);
    if (n < 0 || (size_t)n < size) return buffer;
    char *text = mem_alloc((size_t)n + 1);
    if (text == NULL) return buffer;
    vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

void throw_message(struct os_thread *self, const char *class_name, const char *format, ...) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char buffer[512];
    va_list args;
    va_start(args, format);
    char *text = format_text(buffer, sizeof buffer, format, args);
    va_end(args);
    construct(self, class_name, text, NULL, false);
    if (text != buffer) mem_free(text);
}

void throw_cause(struct os_thread *self, const char *class_name, struct object *cause, const char *format, ...) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (format == NULL) {
        construct(self, class_name, NULL, cause, true);
        return;
    }
    char buffer[512];
    va_list args;
    va_start(args, format);
    char *text = format_text(buffer, sizeof buffer, format, args);
    va_end(args);
    construct(self, class_name, text, cause, true);
    if (text != buffer) mem_free(text);
}

/* What the constructors of Throwable do, without calling one: e is all zero. message and cause may be NULL. */
static void fill_throwable(struct os_thread *self, struct object *e, struct object *message, struct object *cause) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    heap_store_ref(e, known_offset(Throwable_detailMessage), message);
    heap_store_ref(e, known_offset(Throwable_cause), cause != NULL ? cause : e);
    struct class *throwable = known_class(java_lang_Throwable);
    struct symbol *suppressed_name = symbol_lookup("suppressedExceptions", 20),
                  *desc = symbol_lookup("Ljava/util/List;", 16);
    struct symbol *sentinel_name = symbol_lookup("SUPPRESSED_SENTINEL", 19);
    if (suppressed_name != NULL && desc != NULL && sentinel_name != NULL) {
        struct field *f = class_find_field(throwable, suppressed_name, desc),
                     *s = class_find_field(throwable, sentinel_name, desc);
        if (f != NULL && s != NULL) heap_store_ref(e, f->offset, heap_load_ref(throwable->statics, s->offset));
    }
    if (suppressed_name != NULL) symbol_release(suppressed_name);
    if (desc != NULL) symbol_release(desc);
    if (sentinel_name != NULL) symbol_release(sentinel_name);
    link_hooks.fill_in(self, e);
}

/* A string, where there is room for it without a collection; else NULL. */
static struct object *try_ascii(struct os_thread *self, const char *text) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    size_t n = strlen(text), width = vm->options->flags.CompactStrings ? 1 : 2;
    struct object *value = heap_try_alloc(self, &vm->link->primitive_arrays[T_BYTE]->shape, 0, (int32_t)(n * width));
    struct object *s = value ? heap_try_alloc(self, &known_class(java_lang_String)->shape, 0, -1) : NULL;
    if (s == NULL) return NULL;
    for (size_t i = 0; i < n; i++) ((char *)array_data(value))[i * width] = text[i];
    heap_store_ref(s, known_offset(String_value), value);
    field_store(s, known_offset(String_coder), T_BYTE, width - 1);
    return s;
}

/* A copy of a preallocated error with its own stack trace if memory allows, else the preallocated one itself. */
static void throw_prepared(struct os_thread *self, struct object *prepared, const char *message) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (prepared == NULL) fatal("out of memory or stack during start-up: %s", message);
    struct object *e = heap_try_alloc(self, shape_of(prepared), 0, -1), *text = NULL;
    self->exception = NULL;
    if (e == NULL) {
        self->exception = prepared;
        return;
    }
    if (message != NULL) text = try_ascii(self, message);
    fill_throwable(self, e, text, NULL);
    throw_object(self, e);
}

static struct object *cause_of(struct object *e) {
    struct object *cause = heap_load_ref(e, known_offset(Throwable_cause));
    return cause != e ? cause : NULL;
}

/* A throwable like e, with that cause. Of a user's class it is e itself, whose fields may be anything. NULL: an
 * exception is pending. */
static struct object *new_like(struct os_thread *self, struct object *e, struct object *message, struct object *cause) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (class_of(e)->loader != vm->boot_loader) return e;
    struct object *fresh = heap_alloc_instance(self, shape_of(e));
    if (fresh != NULL) fill_throwable(self, fresh, message, cause);
    return fresh;
}

void throw_again(struct os_thread *self, struct object *failed, struct symbol *name, bool with_cause) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *message = heap_load_ref(failed, known_offset(Throwable_detailMessage)), *cause = cause_of(failed);
    if (message == NULL && name != NULL && (message = string_from_symbol(self, name, false)) == NULL) return;
    if (!with_cause) cause = NULL;
    if (cause != NULL) {
        struct object *text = heap_load_ref(cause, known_offset(Throwable_detailMessage));
        if ((cause = new_like(self, cause, text, NULL)) == NULL) return;
    }
    struct object *e = new_like(self, failed, message, cause);
    if (e != NULL) throw_object(self, e);
}

/* Before the class library stands there is nothing to throw. */
void throw_out_of_memory(struct os_thread *self, const char *message) {
    if (vm->link != NULL) throw_prepared(self, vm->link->out_of_memory_errors[0], message);
}
void throw_stack_overflow(struct os_thread *self) { throw_prepared(self, vm->link->stack_overflow_error, NULL); }
