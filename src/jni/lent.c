/* What native code is lent under -Xcheck:jni: copies between guards, found by their address, so that a release can be
 * told from a forged one, a write beyond the end is seen, and a release goes to the array or string it came from. */
#include <stdio.h>

#include "base/lock.h"
#include "jni/watch.h"

enum { GUARD_BYTES = 32, GUARD_BYTE = 0xa5, BUCKETS = 256 };

/* One copy; its memory: guard, data, guard. */
struct lent {
    struct lent *next;
    const struct jni_function *by;
    struct object *of;                   /* only compared; the borrower holds a reference to it                     */
    void *original;                      /* what the function itself lent                                           */
    size_t bytes;
    uint8_t *data;
    uint8_t memory[];
};

struct lent_table {
    struct lock lock;
    struct lent *buckets[BUCKETS];
};

static struct lent_table *table(void) { return vm->jni_state->lent; }

void lent_create(void) {
    struct lent_table *t = vm->jni_state->lent = mem_zalloc(sizeof *t);
    if (!t) fatal("Out of memory: -Xcheck:jni");
    lock_init(&t->lock, "memory lent by JNI", LOCK_RANK_JNI_LENT);
}

void lent_destroy(void) {
    struct lent_table *t = table();
    for (unsigned i = 0; t && i < BUCKETS; i++)
        for (struct lent *l = t->buckets[i], *next; l; l = next) { next = l->next; mem_free(l); }
    mem_free(t);
    vm->jni_state->lent = NULL;
}

static struct lent **bucket(const void *p) { return &table()->buckets[((uintptr_t)p >> 4) % BUCKETS]; }

static void guards_set(struct lent *l) {
    memset(l->memory, GUARD_BYTE, GUARD_BYTES);
    memset(l->data + l->bytes, GUARD_BYTE, GUARD_BYTES);
}

static bool guards_hold(const struct lent *l) {
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (l->memory[i] != GUARD_BYTE || l->data[l->bytes + i] != GUARD_BYTE) return false;
    return true;
}

static bool is_array_call(const struct jni_function *f) { return f->parameters[0].kind == KIND_ELEMENTS_OF; }

/* Bytes of what was lent. */
static size_t size_of(const struct jni_call *call, struct object *o) {
    if (is_array_call(call->function)) return (size_t)array_length(o) << class_of(o)->shape.element_shift;
    if (call->function->result == KIND_TEXT_OR_NULL) return strlen(call->result.p) + 1;
    struct object *value = heap_load_ref(o, known_offset(String_value));
    if (value == NULL) return 0;         /* what AllocObject has made                                             */
    bool latin1 = *((const jbyte *)o + known_offset(String_coder)) == 0;
    return (size_t)array_length(value) * (latin1 ? 2 : 1) +
           (strcmp(call->function->name, "GetStringCritical") == 0 ? 0 : sizeof(jchar));
}

void lent_take(struct os_thread *self, struct jni_call *call) {
    REQUIRES(IN_VM);
    (void)self;
    struct object *o = handle_get((jobject)call->arguments[0].p);
    size_t bytes = size_of(call, o);
    struct lent *l = mem_alloc(sizeof *l + bytes + 2 * GUARD_BYTES);
    if (!l) fatal("Out of memory: -Xcheck:jni copies %s", call->function->name);
    *l = (struct lent){.by = call->function,
                       .of = o,
                       .original = (void *)(uintptr_t)call->result.p,
                       .bytes = bytes,
                       .data = l->memory + GUARD_BYTES};
    memcpy(l->data, l->original, bytes);
    guards_set(l);
    lock_acquire(&table()->lock);
    l->next = *bucket(l->data);
    *bucket(l->data) = l;
    lock_release(&table()->lock);
    jboolean *is_copy = (jboolean *)(uintptr_t)call->arguments[1].p;
    if (is_copy) *is_copy = JNI_TRUE;
    call->result.p = l->data;
}

static struct lent *find(const void *p, bool take) {
    lock_acquire(&table()->lock);
    struct lent **link = bucket(p), *l;
    while (*link && (*link)->data != p) link = &(*link)->next;
    l = *link;
    if (l && take) *link = l->next;
    lock_release(&table()->lock);
    return l;
}

void lent_give_back(struct os_thread *self, struct jni_call *call, int k) {
    REQUIRES(IN_VM);
    const struct jni_function *f = call->function;
    const void *p = call->arguments[k].p;
    bool array = is_array_call(f);
    char lender[64], name[64];
    snprintf(lender, sizeof lender, "Get%s", f->name + strlen("Release"));
    snprintf(name, sizeof name, "%s%s", array && f->type ? "checked_jni_" : "", f->name);       /* HotSpot's words */
    if (!p) {
        if (array) jni_check_report(self, call, CHECK_LENT_NULL, k, vm->library == LIBRARY_17 ? "NULL" : "null", NULL);
        return;                          /* strings: as good as free(NULL) */
    }
    struct lent *l = find(p, false);
    if (!l) jni_check_report(self, call, CHECK_LENT_UNKNOWN, k, lender, "or released before");
    if (strcmp(l->by->name, lender) != 0)
        jni_check_report(self, call, CHECK_LENT_UNKNOWN, k, lender, "it comes from %s", l->by->name);
    if (!guards_hold(l))
        jni_check_report(self, call, array ? CHECK_LENT_BOUNDS : CHECK_LENT_CHARS_BOUNDS, k, name,
                         "%zu bytes were lent, written were others %s them", l->bytes,
                         l->memory[GUARD_BYTES - 1] != GUARD_BYTE ? "before" : "behind");
    if (l->of != handle_get((jobject)call->arguments[0].p))
        jni_check_report(self, call, CHECK_LENT_FOR_ANOTHER, k, lender, NULL);
    jint mode = 0;
    if (array) {
        mode = call->arguments[k + 1].i;
        if (mode != 0 && mode != JNI_COMMIT && mode != JNI_ABORT)
            jni_check_report(self, call, CHECK_RELEASE_MODE, k + 1, NULL, NULL);
        if (mode != JNI_ABORT) memcpy(l->original, l->data, l->bytes);
    }
    call->arguments[k].p = l->original;
    if (mode != JNI_COMMIT) call->given_back = find(p, true);
}

void lent_forget(struct jni_call *call) {
    mem_free(call->given_back);
    call->given_back = NULL;
}
