/* memory.c: the Memory Management chapter, and the memory that other functions hand to agents. */
#include "base/alloc.h"
#include "jvmti_gen.h"

#include <malloc.h>
#include <string.h>

/* What agents have that they are to give back by Deallocate, or that the VM takes over from them. Blocks may outlive
 * their VM. */
static _Atomic int64_t lent_bytes, lent_blocks;

static void *lent(void *p) {
    if (p == NULL) return NULL;
    atomic_fetch_add_explicit(&lent_bytes, (int64_t)malloc_usable_size(p), memory_order_relaxed);
    atomic_fetch_add_explicit(&lent_blocks, 1, memory_order_relaxed);
    return p;
}

void tool_memory(int64_t *bytes, int64_t *blocks) {
    *bytes = atomic_load(&lent_bytes);
    *blocks = atomic_load(&lent_blocks);
}

void *tool_alloc(size_t size) { return LIKELY(size != 0) ? lent(mem_alloc(size)) : NULL; }
char *tool_strdup(const char *s) { return lent(mem_strdup(s)); }
char *tool_strndup(const char *s, size_t n) { return lent(mem_strndup(s, n)); }

void tool_free(void *p) {
    if (p == NULL) return;
    atomic_fetch_sub_explicit(&lent_bytes, (int64_t)malloc_usable_size(p), memory_order_relaxed);
    atomic_fetch_sub_explicit(&lent_blocks, 1, memory_order_relaxed);
    mem_free(p);
}

jvmtiError jvmti_allocate(struct jvmti_env *env, struct os_thread *self, jlong size, unsigned char **mem_ptr) {
    (void)env, (void)self;
    if (size < 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    unsigned char *p = tool_alloc((size_t)size);
    if (p == NULL && size > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    *mem_ptr = p;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_deallocate(struct jvmti_env *env, struct os_thread *self, unsigned char *mem) {
    (void)env, (void)self;
    tool_free(mem);
    return JVMTI_ERROR_NONE;
}
