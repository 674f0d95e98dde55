/* memory.c: the Memory Management chapter, and the memory that other functions hand to agents. */
#include "base/alloc.h"
#include "jvmti/cost.h"
#include "jvmti_gen.h"

#include <string.h>

static void *given(void *p) {
    jvmti_cost_of_block(p, true);
    return p;
}

void *tool_alloc(size_t size) { return LIKELY(size != 0) ? given(mem_alloc(size)) : NULL; }
char *tool_strdup(const char *s) { return given(mem_strdup(s)); }
char *tool_strndup(const char *s, size_t n) { return given(mem_strndup(s, n)); }

void tool_free(void *p) {
    jvmti_cost_of_block(p, false);
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
