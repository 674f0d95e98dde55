/* compiled.c — which methods have compiled code, from the first compilation to the end of the last of it. */
#include "base/alloc.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/options.h"
#include "base/table.h"
#include "jit/jit.h"
#include "jit/stubs.h"

struct jit_state {
    struct lock lock;                    /* all below                                                              */
    _Atomic bool has_cache;              /* set once; read by signal handlers                                      */
    bool stopped;                        /* no more compilations: no memory for code, or no more of it              */
    struct code_cache cache;
    struct stubs stubs;
    struct ptr_table blobs;              /* by struct method_code                                                   */
};

bool jit_create(void) {
    vm->jit = mem_zalloc(sizeof *vm->jit);
    if (vm->jit == NULL) return false;
    lock_init(&vm->jit->lock, "compiled code", LOCK_RANK_CODE);
    return true;
}

void jit_destroy(void) {
    struct jit_state *j = vm->jit;
    if (j == NULL) return;
    vm->jit = NULL;
    if (j->has_cache) code_cache_destroy(&j->cache);
    ptr_table_free(&j->blobs);
    mem_free(j);
}

const struct code_blob *jit_blob_at(const void *pc) {
    struct jit_state *j = vm->jit;
    if (j == NULL || !atomic_load_explicit(&j->has_cache, memory_order_acquire)) return NULL;
    return code_cache_find(&j->cache, pc);
}

/* ---- compiling: under the lock ----------------------------------------------------------------------------------- */

static bool start(struct jit_state *j) {
    if (atomic_load(&j->has_cache)) return true;
    if (!code_cache_create(&j->cache, vm->options->flags.ReservedCodeCacheSize)) {
        log_warning(jit, "The system allows no memory for compiled code: everything is interpreted");
        return false;
    }
    atomic_store_explicit(&j->has_cache, true, memory_order_release);
    if (stubs_make(&j->cache, &j->stubs)) return true;
    log_warning(jit, "The stubs of compiled code could not be made: everything is interpreted");
    return false;
}

static void say_full(const struct jit_state *j) {
    const struct code_cache *c = &j->cache;
    static const char what[] = "CodeCache is full. Compiler has been disabled.",
                      remedy[] = "Try increasing the code cache size using -XX:ReservedCodeCacheSize=";
    log_warning(codecache, "%s", what);
    log_warning(codecache, "%s", remedy);
    vm_warning("%s", what);
    vm_warning("%s", remedy);
    vm_print(false,
             "CodeCache: size=%zuKb used=%zuKb max_used=%zuKb free=%zuKb\n bounds [%p, %p, %p]\n"
             " total_blobs=%u, nmethods=%zu, adapters=0, full_count=1\n"
             "Compilation: disabled (not enough contiguous free space left), stopped_count=1, restarted_count=0\n",
             c->size / KIB, c->used / KIB, c->most_used / KIB, (c->size - c->used) / KIB, (void *)c->runs,
             (void *)(c->runs + c->size), (void *)(c->runs + c->size), c->blobs, ptr_table_count(&j->blobs));
}

static const struct code_blob *compile(struct jit_state *j, struct method_code *code) {
    const struct code_blob *b = stubs_make_bounce(&j->cache, &j->stubs, code);
    if (b == NULL) {
        j->stopped = true;
        say_full(j);
    } else if (!ptr_table_put(&j->blobs, code, b)) {
        code_cache_drop(&j->cache, b);
        b = NULL;
    }
    return b;
}

method_entry_function *jit_compile(struct method_code *code) {
    PROMISES_NO_SAFEPOINT();
    struct jit_state *j = vm->jit;
    lock_acquire(&j->lock);
    const struct code_blob *b = ptr_table_get(&j->blobs, code);
    if (b == NULL && !j->stopped) {
        j->stopped = !start(j);
        if (!j->stopped) b = compile(j, code);
    }
    lock_release(&j->lock);
    return b != NULL ? (method_entry_function *)(uintptr_t)code_blob_begin(b) : NULL;
}

/* ---- the end of compiled code: world stopped --------------------------------------------------------------------- */

void jit_version_unloads(struct class_version *v) {
    struct jit_state *j = vm->jit;
    if (ptr_table_count(&j->blobs) == 0) return;
    lock_acquire(&j->lock);
    for (uint32_t i = 0; i < v->cf->method_count; i++) {
        const struct code_blob *b = ptr_table_remove(&j->blobs, &v->codes[i]);
        if (b != NULL) code_cache_drop(&j->cache, b);
    }
    lock_release(&j->lock);
}

void jit_class_unloads(struct class *c) {
    for (struct class_version *v = c->version; v != NULL; v = v->older) jit_version_unloads(v);
}

void jit_class_redefined(struct class *c) {
    for (uint32_t i = 0; i < c->method_count; i++) {
        struct method *m = &c->methods[i];
        const struct code_blob *b = jit_blob_at((const void *)(uintptr_t)atomic_load(&m->enter));
        if (b != NULL && b->method != atomic_load(&m->code)) method_set_entry(m, m->entry);
    }
}
