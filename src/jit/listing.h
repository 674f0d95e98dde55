/* listing.h — what is printed of compilations, line by line as HotSpot does: -XX:+PrintCompilation, a method's
 * -XX:CompileCommand=PrintCompilation (25), -Xlog:jit+compilation. Any thread; the world may be stopped. */
#ifndef VITRINE_JIT_LISTING_H
#define VITRINE_JIT_LISTING_H

#include "jit/cache.h"
#include "jit/compile_command.h"
#include "jit/compile_queue.h"
#include "jit/optimising/inlining_report.h"

/* A compilation, which has made code with this header, has ended; waits: who asked for it waited for that; why_not:
 * without machine code, or NULL. */
void listing_compiled(const struct compile_commands *c, const struct code_blob *header, bool waits,
                      const char *why_not);
/* One that waits, or is being done. */
void listing_request(FILE *out, const struct compile_request *r);
/* For a crash report; r may go meanwhile. */
void listing_current(char *text, size_t size, const struct compile_request *r);
/* -XX:+PrintInlining, of that method. */
bool listing_wants_inlining(const struct compile_commands *c, const struct method *m);
void listing_inlining(const struct inlining_report *r);
/* What it made is not entered any more. why: HotSpot's words. */
void listing_not_entrant(const struct compile_commands *c, const struct code_blob *header, const char *why);
/* For VM.events and crash reports: the code lies there; it is not valid any more; its memory goes. */
void listing_installed(const struct code_blob *b);
void listing_deoptimised(const struct code_blob *b);
void listing_gone(const struct code_blob *b);
/* -XX:CompileCommand keeps m from being compiled. */
void listing_excluded(const struct compile_commands *c, const struct method *m);

#endif
