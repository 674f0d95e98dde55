/* unwind_table.h — how others walk the C stack through compiled code and its stubs: the C library's unwinder, which
 * runs clean-up code where a thread ends in a native method and takes backtraces, and gdb.
 *
 * In compiled code of methods the return address is always on top of the C stack, and C's preserved registers are not
 * touched but for those that the stub has saved by which C came in. So one description holds for all of it, also for
 * what is compiled later; each stub has one of its own, noted while it was assembled. Native stubs (natives.h), which
 * call foreign code, have one together. */
#ifndef VITRINE_JIT_UNWIND_TABLE_H
#define VITRINE_JIT_UNWIND_TABLE_H

#include "jit/cache.h"
#include "jit/stubs.h"

struct unwind_table;

/* Describes the cache, whose first blobs are the stubs; then comes what is kept for native stubs (code_cache_keep).
 * NULL: no memory, or no assembler for this machine; then those that walk the stack stop at compiled code. */
struct unwind_table *unwind_table_create(const struct code_cache *c, const stub_callers_list *stubs);
/* No thread runs code of the cache. */
void unwind_table_destroy(struct unwind_table *t);

/* In a native stub, from its begin to its end. */
extern const struct asm_callers unwind_in_native_stub;

/* Of one piece of code alone, for files that others make of it: .eh_frame, and the .eh_frame_hdr that finds it, as if
 * they lay behind the code, at the next multiple of 8. */
struct unwind_description {
    uint8_t *bytes;                      /* malloc'd; NULL: no memory, or no assembler for this machine            */
    size_t size, header;                 /* of both; of .eh_frame_hdr                                              */
};
/* code: its size. callers: NULL: the code of a method. */
struct unwind_description unwind_describe(size_t code, const struct asm_callers *callers);

#endif
