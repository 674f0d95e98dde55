/* class_load_hook.c: CLASS_LOAD_HOOK: a class file before it is parsed. Only when a class is loaded: redefinition came
 * later than this interface. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* What malloc_f has handed out in this thread during the event: the one block that becomes the class file is among
 * them. */
struct lent_block {
    struct lent_block *next;
    size_t size;
    uint64_t bytes[];                    /* aligned for anything                                                */
};
static _Thread_local struct lent_block *lent;

static void *hook_malloc(unsigned int size) {
    struct lent_block *b = mem_alloc(sizeof *b + size);
    if (b == NULL) return NULL;
    b->next = lent;
    b->size = size;
    lent = b;
    return b->bytes;
}

/* Frees the blocks; the contents of the one at `wanted` first become a plain copy. NULL: it is none of them, or memory
 * is short. */
static unsigned char *settle(const unsigned char *wanted, size_t length, struct lent_block *before) {
    unsigned char *copy = NULL;
    while (lent != before) {
        struct lent_block *b = lent;
        if ((unsigned char *)b->bytes == wanted && length <= b->size) copy = mem_dup(wanted, length);
        lent = b->next;
        mem_free(b);
    }
    return copy;
}

static void replace(struct class_file_hook *h, unsigned char *bytes, size_t length) {
    mem_free(h->replaced);
    h->replaced = bytes;
    h->bytes = bytes;
    h->length = length;
}

void jvmpi_on_class_file(struct os_thread *self, struct class_file_hook *h) {
    REQUIRES(IN_VM | MAY_STOP);
    bool enabled = atomic_load(&vm->jvmpi->enabled) & jvmpi_bit(JVMPI_EVENT_CLASS_LOAD_HOOK);
    if (!enabled || h->redefined || h->retransform || (self->java && self->java->hidden)) return;
    struct lent_block *before = lent;    /* a handler may load classes */
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_CLASS_LOAD_HOOK;
    e.u.class_load_hook.class_data = e.u.class_load_hook.new_class_data = (unsigned char *)h->bytes;
    e.u.class_load_hook.class_data_len = e.u.class_load_hook.new_class_data_len = (jint)h->length;
    e.u.class_load_hook.malloc_f = hook_malloc;
    jvmpi_notify(self, &e, false);
    const unsigned char *answer = e.u.class_load_hook.new_class_data;
    jint length = e.u.class_load_hook.new_class_data_len;
    bool changed = answer != NULL && answer != h->bytes && length > 0;
    unsigned char *bytes = settle(changed ? answer : NULL, changed ? (size_t)length : 0, before);
    if (bytes) replace(h, bytes, (size_t)length);
    else if (changed)
        log_warning(jvmpi_event, "CLASS_LOAD_HOOK: %s stays as it is: its new bytes do not lie in memory of malloc_f",
                    h->name ? h->name : "a class");
}
