/* reference.c — java.lang.ref: discovery during marking, what happens to soft, weak, final and phantom References after
 * it, and the list of pending ones that the Reference Handler takes. */
#include "heap/heap_internal.h"

#include "base/log.h"
#include "base/os.h"

static struct object *referent_of(struct heap *h, struct object *r) { return heap_load_ref(r, h->layout.referent); }

/* A softly reachable referent that was used lately is treated as strongly reachable. */
static bool soft_is_kept(struct heap *h, struct object *r) {
    if (!h->keep_softs || h->layout.soft_clock == NULL) return h->keep_softs;
    int64_t used;
    memcpy(&used, (char *)r + h->layout.soft_timestamp, sizeof used);
    return *h->layout.soft_clock - used <= h->soft_limit_ms;
}

bool reference_discover(struct marker *m, struct object *r, const struct shape *shape) {
    struct heap *h = m->heap;
    if (!h->discovering) return false;
    struct object *referent = referent_of(h, r);
    if (referent == NULL || heap_is_marked(h, referent)) return false;
    /* Inactive: enqueued, or a FinalReference whose finalizer is due. Its fields are ordinary ones. */
    if (heap_load_ref(r, h->layout.next) != NULL) return false;
    enum reference_kind kind = shape->reference_kind;
    if (kind == REF_NONE || (kind == REF_SOFT && soft_is_kept(h, r))) return false;
    heap_store_ref(r, h->layout.discovered, ref_decode(m->discovered[kind]));
    m->discovered[kind] = ref_encode(r);
    m->discovered_count[kind]++;
    return true;
}

/* The References of one kind, the markers' lists joined; the lists are empty afterwards. */
static struct object *take_discovered(struct heap *h, enum reference_kind kind) {
    struct object *all = NULL;
    for (unsigned i = 0; i < h->active_workers; i++) {
        struct object *r = ref_decode(h->markers[i].discovered[kind]);
        h->markers[i].discovered[kind] = 0;
        while (r != NULL) {
            struct object *next = heap_load_ref(r, h->layout.discovered);
            heap_store_ref(r, h->layout.discovered, all);
            all = r;
            r = next;
        }
    }
    return all;
}

/* Goes through a list: References with a live referent leave it. Of the others, soft, weak and phantom ones are cleared
 * and become pending; final ones stay in the list that is returned. */
static struct object *filter(struct heap *h, enum reference_kind kind, size_t *pending_count) {
    struct object *kept = NULL, *next;
    for (struct object *r = take_discovered(h, kind); r != NULL; r = next) {
        next = heap_load_ref(r, h->layout.discovered);
        if (mark_is_live(referent_of(h, r))) {
            heap_store_ref(r, h->layout.discovered, NULL);
        } else if (kind == REF_FINAL) {
            heap_store_ref(r, h->layout.discovered, kept);
            kept = r;
        } else {
            heap_store_ref(r, h->layout.referent, NULL);
            heap_store_ref(r, h->layout.discovered, h->pending);
            h->pending = r;
            ++*pending_count;
        }
    }
    return kept;
}

void references_process(struct heap *h) {
    if (!h->layout_known) return;
    size_t count = 0, found[REF_PHANTOM + 1] = { 0 };
    for (unsigned i = 0; i < h->active_workers; i++)
        for (int kind = REF_SOFT; kind <= REF_PHANTOM; kind++) found[kind] += h->markers[i].discovered_count[kind];
    (void)filter(h, REF_SOFT, &count);
    (void)filter(h, REF_WEAK, &count);
    /* Objects with a finalizer live on until it has run, with all they reach. References found on the way keep their
     * referents. */
    h->discovering = false;
    struct object *next;
    for (struct object *r = filter(h, REF_FINAL, &count); r != NULL; r = next) {
        next = heap_load_ref(r, h->layout.discovered);
        mark_object(&h->markers[0], referent_of(h, r));
        heap_store_ref(r, h->layout.next, r);
        heap_store_ref(r, h->layout.discovered, h->pending);
        h->pending = r;
        count++;
    }
    mark_drain(h);
    (void)filter(h, REF_PHANTOM, &count);
    if (h->layout.soft_clock != NULL) *h->layout.soft_clock = os_nanotime() / 1000000;
    log_debug(gc_ref, "Discovered: soft %zu, weak %zu, final %zu, phantom %zu; pending %zu", found[REF_SOFT],
              found[REF_WEAK], found[REF_FINAL], found[REF_PHANTOM], count);
}

/* ---- for the class library --------------------------------------------------------------------------------------- */

struct object *heap_take_pending_references(void) {
    struct heap *h = vm->heap;
    lock_acquire(&h->reference_lock);
    struct object *list = h->pending;
    h->pending = NULL;
    lock_release(&h->reference_lock);
    return list;
}

/* Racy on purpose: the Reference Handler asks again after it was woken. */
bool heap_has_pending_references(void) { return __atomic_load_n(&vm->heap->pending, __ATOMIC_RELAXED) != NULL; }

/* Marking stops the world, so a plain load already keeps alive what it returns. */
struct object *heap_reference_get(struct object *r) { return heap_load_ref(r, vm->heap->layout.referent); }
void heap_reference_clear(struct object *r) { heap_store_ref(r, vm->heap->layout.referent, NULL); }
bool heap_reference_refers_to(struct object *r, struct object *o) {
    return heap_load_ref(r, vm->heap->layout.referent) == o;
}
