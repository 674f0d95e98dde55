/* listing.c — see listing.h. Columns: milliseconds since the VM began, id of the compilation, what the method is,
 * level, method. Of HotSpot's marks % is never there, since the same code is entered at its begin and in its loops, and
 * b always, since the thread that runs the method compiles it. */
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

static void print_line(const struct compile_commands *c, const struct code_blob *header, bool compiles,
                       const char *what, const char *why) {
    const struct method_code *code = header->method;
    const struct method *m = code->method;
    const struct cf_code *source = code_source(code);
    bool printed = vm->options->flags.PrintCompilation || command_says(c, COMMAND_PrintCompilation, m);
    if (LIKELY(!printed && !is_logged())) return;
    char *text = text_of(m, code), *line = NULL;
    if (text != NULL)
        line = mem_printf("%4u  %c%c%c%c %u       %s%s%s", header->id, m->access_flags & ACC_SYNCHRONIZED ? 's' : ' ',
                          source != NULL && source->handler_count != 0 ? '!' : ' ', compiles ? 'b' : ' ',
                          source == NULL ? 'n' : ' ', header->level, text, what, why);
    if (line != NULL && printed)
        vm_print(false, "%" PRId64 " %s\n", (os_nanotime() - vm->start_nanos) / MILLISECOND, line);
    if (line != NULL && is_logged())
        log_write(LOG_jit_compilation, level_of_log(), "%s", line);
    mem_free(line);
    mem_free(text);
}

/* The class's name keeps its slashes: that costs no memory. */
static void note_compiled(const struct code_blob *header, const char *what, const char *why) {
    const struct method_code *code = header->method;
    const struct method *m = code->method;
    const struct cf_code *source = code_source(code);
    event_note(EVENT_COMPILATION, current_thread() ? current_thread()->java : NULL,
               "%4u  %c%cb%c %u       %s::%s (%u bytes)%s%s", header->id,
               m->access_flags & ACC_SYNCHRONIZED ? 's' : ' ',
               source != NULL && source->handler_count != 0 ? '!' : ' ', source == NULL ? 'n' : ' ', header->level,
               m->holder->name->bytes, m->name->bytes, source != NULL ? source->code_length : 0, what, why);
}

void listing_installed(const struct code_blob *b) {
    const uint8_t *begin = code_blob_begin(b);
    event_note(EVENT_COMPILATION, current_thread() ? current_thread()->java : NULL,
               "nmethod %u 0x%016lx code [0x%016lx, 0x%016lx]", b->id, (unsigned long)(uintptr_t)b,
               (unsigned long)(uintptr_t)begin, (unsigned long)(uintptr_t)(begin + b->length));
}

void listing_deoptimised(const struct code_blob *b) {
    event_note(EVENT_DEOPTIMIZATION, current_thread() ? current_thread()->java : NULL,
               "marked for deoptimization: nmethod %u %s::%s", b->id, b->method->method->holder->name->bytes,
               b->method->method->name->bytes);
}

void listing_gone(const struct code_blob *b) {
    event_note(EVENT_CODE_GONE, current_thread() ? current_thread()->java : NULL, "flushing  nmethod 0x%016lx",
               (unsigned long)(uintptr_t)b);
}

void listing_compiled(const struct compile_commands *c, const struct code_blob *header, const char *why_not) {
    note_compiled(header, why_not != NULL ? "   COMPILE SKIPPED: " : "", why_not != NULL ? why_not : "");
    print_line(c, header, true, why_not != NULL ? "   COMPILE SKIPPED: " : "", why_not != NULL ? why_not : "");
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
