/* listing.c — see listing.h. Columns: milliseconds since the VM began, id of the compilation, what the method is,
 * level, method. Of HotSpot's marks % is never there, since the same code is entered at its begin and in its loops, and
 * b always, since the thread that runs the method compiles it. */
#include "jit/listing.h"

#include "base/alloc.h"
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

void listing_compiled(const struct compile_commands *c, const struct code_blob *header, const char *why_not) {
    print_line(c, header, true, why_not != NULL ? "   COMPILE SKIPPED: " : "", why_not != NULL ? why_not : "");
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
