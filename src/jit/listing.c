/* listing.c — see listing.h. Columns: milliseconds since the VM began, id of the compilation, what the method is,
 * level, method. Of HotSpot's marks % is never there, since the same code is entered at its begin and in its loops, and
 * b is where the thread that runs the method compiled it, as it always does but for optimised code. */
#include "jit/listing.h"

#include "base/alloc.h"
#include "base/events.h"
#include "base/log.h"
#include "base/options.h"
#include "base/os.h"
#include "link/link.h"
#include "thread/contract.h"

enum { MILLISECOND = 1000000 };

/* "java.lang.String::length (11 bytes)" */
static char *text_of(const struct method *m, const struct method_code *code) {
    char *class = class_external_name(m->holder), *text = NULL;
    const char *name = m->name->bytes, *holder = class != NULL ? class : m->holder->name->bytes;
    if (code_source(code) != NULL)
        text = mem_printf("%s::%s (%u bytes)", holder, name, code_source(code)->code_length);
    else
        text = mem_printf("%s::%s (native)   %s", holder, name, m->access_flags & ACC_STATIC ? "(static)" : "");
    mem_free(class);
    return text;
}

/* The level of the log differs by library, as HotSpot's. */
static enum log_level level_of_log(void) { return vm->library == LIBRARY_17 ? LOG_DEBUG : LOG_INFO; }
static bool is_logged(void) { return log_enabled(LOG_jit_compilation, level_of_log()); }

/* Without the time. NULL: no memory. */
static char *line_of(const struct method_code *code, uint32_t id, uint32_t level, bool waits, const char *what,
                     const char *why) {
    const struct method *m = code->method;
    const struct cf_code *source = code_source(code);
    char *text = text_of(m, code), *line = NULL;
    if (text != NULL)
        line = mem_printf("%4u  %c%c%c%c %u       %s%s%s", id, m->access_flags & ACC_SYNCHRONIZED ? 's' : ' ',
                          source != NULL && source->handler_count != 0 ? '!' : ' ', waits ? 'b' : ' ',
                          source == NULL ? 'n' : ' ', level, text, what, why);
    mem_free(text);
    return line;
}

static void print_line(const struct compile_commands *c, const struct code_blob *header, bool waits,
                       const char *what, const char *why) {
    const struct method *m = header->method->method;
    bool printed = vm->options->flags.PrintCompilation || command_says(c, COMMAND_PrintCompilation, m);
    if (LIKELY(!printed && !is_logged())) return;
    char *line = line_of(header->method, header->id, header->level, waits, what, why);
    if (line != NULL && printed)
        vm_print(false, "%" PRId64 " %s\n", (os_nanotime() - vm->start_nanos) / MILLISECOND, line);
    if (line != NULL && is_logged())
        log_write(LOG_jit_compilation, level_of_log(), "%s", line);
    mem_free(line);
}

void listing_current(char *text, size_t size, const struct compile_request *r) {
    const struct method_code *code = r->code;
    const struct method *m = code->method;
    const struct cf_code *source = code_source(code);
    int at = snprintf(text, size, "%" PRId64 " %4u  %c%c   %u       ", (os_nanotime() - vm->start_nanos) / MILLISECOND,
                      r->id, m->access_flags & ACC_SYNCHRONIZED ? 's' : ' ', source->handler_count != 0 ? '!' : ' ',
                      LEVEL_OPTIMISED);
    for (const char *p = m->holder->name->bytes; *p != 0 && (size_t)at + 1 < size; p++)
        text[at++] = *p == '/' ? '.' : *p;
    snprintf(text + at, size - (size_t)at, "::%s (%u bytes)", m->name->bytes, source->code_length);
}

void listing_request(FILE *out, const struct compile_request *r) {
    char *line = line_of(r->code, r->id, LEVEL_OPTIMISED, false, "", "");
    if (line != NULL) fprintf(out, "%s\n", line);
    mem_free(line);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static const struct java_thread *this_thread(void) { return current_thread() ? current_thread()->java : NULL; }

/* A compilation, until somebody reads of it. */
struct note {
    unsigned id, length;
    bool is_synchronized, has_handlers, waits, is_native;
    uint8_t level;
    uint16_t holder, name;               /* where their lengths end in names */
    const char *why_not;                 /* a constant; NULL: it has been compiled */
    char names[160];
};
_Static_assert(sizeof(struct note) <= 224, "a place of EVENT_COMPILATION");

static void print_note(char *text, size_t size, const void *data) {
    const struct note *n = data;
    char holder[sizeof n->names];
    for (size_t i = 0; i < n->holder; i++) holder[i] = n->names[i] == '/' ? '.' : n->names[i];
    snprintf(text, size, "%4u  %c%c%c%c %u       %.*s::%.*s (%u bytes)%s%s", n->id, n->is_synchronized ? 's' : ' ',
             n->has_handlers ? '!' : ' ', n->waits ? 'b' : ' ', n->is_native ? 'n' : ' ', n->level, n->holder, holder,
             n->name - n->holder, n->names + n->holder, n->length, n->why_not != NULL ? "   COMPILE SKIPPED: " : "",
             n->why_not != NULL ? n->why_not : "");
}

static void note_compiled(const struct code_blob *header, bool waits, const char *why_not) {
    const struct method *m = header->method->method;
    const struct symbol *holder = m->holder->name, *name = m->name;
    const struct cf_code *source = code_source(header->method);
    struct note n;
    n.id = header->id;
    n.length = source != NULL ? source->code_length : 0;
    n.is_synchronized = m->access_flags & ACC_SYNCHRONIZED;
    n.has_handlers = source != NULL && source->handler_count != 0;
    n.is_native = source == NULL;
    n.waits = waits;
    n.level = (uint8_t)header->level;
    n.holder = (uint16_t)MIN((size_t)holder->length, sizeof n.names);
    n.name = (uint16_t)MIN((size_t)n.holder + name->length, sizeof n.names);
    n.why_not = why_not;
    memcpy(n.names, holder->bytes, n.holder);
    memcpy(n.names + n.holder, name->bytes, (size_t)n.name - n.holder);
    event_note_data(EVENT_COMPILATION, this_thread(), print_note, &n, offsetof(struct note, names) + n.name);
}

struct place { unsigned id; const struct code_blob *blob; const uint8_t *begin, *end; };

static void print_place(char *text, size_t size, const void *data) {
    const struct place *p = data;
    snprintf(text, size, "nmethod %u 0x%016lx code [0x%016lx, 0x%016lx]", p->id, (unsigned long)(uintptr_t)p->blob,
             (unsigned long)(uintptr_t)p->begin, (unsigned long)(uintptr_t)p->end);
}

void listing_installed(const struct code_blob *b) {
    const uint8_t *begin = code_blob_begin(b);
    struct place p = {b->id, b, begin, begin + b->length};
    event_note_data(EVENT_COMPILATION, this_thread(), print_place, &p, sizeof p);
}

void listing_deoptimised(const struct code_blob *b) {
    const struct method *m = b->method->method;
    event_note(EVENT_DEOPTIMIZATION, this_thread(), "marked for deoptimization: nmethod %u %s::%s", b->id,
               m->holder->name->bytes, m->name->bytes);
}

void listing_gone(const struct code_blob *b) {
    event_note(EVENT_CODE_GONE, this_thread(), "flushing  nmethod 0x%016lx", (unsigned long)(uintptr_t)b);
}

void listing_compiled(const struct compile_commands *c, const struct code_blob *header, bool waits,
                      const char *why_not) {
    note_compiled(header, waits, why_not);
    print_line(c, header, waits, why_not != NULL ? "   COMPILE SKIPPED: " : "", why_not != NULL ? why_not : "");
}

bool listing_wants_inlining(const struct compile_commands *c, const struct method *m) {
    return vm->options->flags.PrintInlining || command_says(c, COMMAND_PrintInlining, m);
}

void listing_inlining(const struct inlining_report *r) {
    enum { INDENT = 26, STEP = 2 };      /* below the names of methods                                             */
    for (size_t i = 0; i < r->lines.count; i++) {
        const struct inlining_line *l = &r->lines.data[i];
        const struct cf_code *source = code_source(atomic_load(&l->method->code));
        char *class = class_external_name(l->method->holder);
        bool catches = source != NULL && source->handler_count != 0;
        int indent = INDENT - 14 + STEP * (int)l->level;
        if (class != NULL)
            vm_print(false, "%14s%c%c%c%*s@ %u   %s::%s (%u bytes)   %s%s\n", "",
                     l->method->access_flags & ACC_SYNCHRONIZED ? 's' : ' ', catches ? '!' : ' ', ' ', indent + 1, "",
                     l->bci, class, l->method->name->bytes, source != NULL ? source->code_length : 0,
                     l->is_inlined || vm->library == LIBRARY_17 ? "" : "failed to inline: ", l->what);
        mem_free(class);
    }
}

void listing_not_entrant(const struct compile_commands *c, const struct code_blob *header, const char *why) {
    MAY_ALLOCATE("the line is not printed");
    bool says_why = vm->library != LIBRARY_17;
    print_line(c, header, false, says_why ? "   made not entrant: " : "   made not entrant", says_why ? why : "");
}

void listing_excluded(const struct compile_commands *c, const struct method *m) {
    if (c->quiet) return;
    const struct method_code *code = atomic_load(&m->code);
    char *class = class_external_name(m->holder), *text = text_of(m, code);
    if (class != NULL)
        vm_print(false, "### Excluding compile: %s%s::%s\n", m->access_flags & ACC_STATIC ? "static " : "", class,
                 m->name->bytes);
    if (text != NULL && vm->options->flags.PrintCompilation)
        vm_print(false, "made not compilable on level %d  %s   excluded by CompileCommand\n",
                 m->access_flags & ACC_NATIVE ? LEVEL_NATIVE : LEVEL_BASELINE, text);
    mem_free(text);
    mem_free(class);
}
