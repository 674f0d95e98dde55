/* listing.h — what is printed of compilations, line by line as HotSpot does: -XX:+PrintCompilation, a method's
 * -XX:CompileCommand=PrintCompilation (25), -Xlog:jit+compilation. Any thread; the world may be stopped. */
#ifndef VITRINE_JIT_LISTING_H
#define VITRINE_JIT_LISTING_H

#include "jit/compile_command.h"

/* In HotSpot's counting of levels: code that counts nothing, and native methods. */
enum { LEVEL_NATIVE = 0, LEVEL_BASELINE = 1 };
static inline int compilation_level(const struct method *m) {
    return m->access_flags & ACC_NATIVE ? LEVEL_NATIVE : LEVEL_BASELINE;
}

/* Compilation `id` of code has ended; why_not: without machine code, or NULL. */
void listing_compiled(const struct compile_commands *c, const struct method_code *code, uint32_t id,
                      const char *why_not);
/* What it made is not entered any more. why: HotSpot's words. */
void listing_not_entrant(const struct compile_commands *c, const struct method_code *code, uint32_t id,
                         const char *why);
/* -XX:CompileCommand keeps m from being compiled. */
void listing_excluded(const struct compile_commands *c, const struct method *m);

#endif
