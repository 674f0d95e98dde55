/* The heap with made-up classes over the real thread room: allocation, collection, References, walking, tags, shortage,
 * threads. With HEAP_BENCH set the program measures instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "heap/heap.h"
#include "heap/heap_internal.h"
#include "probe/probe.h"
#include "thread/handle.h"
#include "thread/monitor.h"
#include "thread/thread.h"

/* ---- a small world of classes ------------------------------------------------------------------------------------ */

enum class_number { NO_CLASS, NODE, REFS, BYTES, LONGS, SOFT, WEAK, FINAL, PHANTOM, MIRROR, BIG, CLASSES };

/* Fields of a NODE and of a Reference. */
enum { NODE_LEFT = 8, NODE_RIGHT = 12, NODE_VALUE = 16, NODE_SIZE = 24 };
enum {
    REFERENCE_REFERENT = 8,
    REFERENCE_QUEUE = 12,
    REFERENCE_NEXT = 16,
    REFERENCE_DISCOVERED = 20,
    REFERENCE_TIME = 24,
    REFERENCE_SIZE = 32
};

static struct class_holder holder, other_holder;
static const struct ref_span node_spans[] = { { NODE_LEFT, 2 } }, reference_spans[] = { { REFERENCE_QUEUE, 2 } };
static struct shape shapes[CLASSES] = {
    [NODE] =
        {.kind = SHAPE_INSTANCE, .instance_size = NODE_SIZE, .span_count = 1, .spans = node_spans, .holder = &holder},
    [REFS] = {.kind = SHAPE_REF_ARRAY, .element_shift = 2},
    [BYTES] = {.kind = SHAPE_PRIM_ARRAY, .element_shift = 0},
    [LONGS] = {.kind = SHAPE_PRIM_ARRAY, .element_shift = 3},
    [SOFT] = {.kind = SHAPE_REFERENCE,
              .instance_size = REFERENCE_SIZE,
              .span_count = 1,
              .spans = reference_spans,
              .reference_kind = REF_SOFT},
    [WEAK] = {.kind = SHAPE_REFERENCE,
              .instance_size = REFERENCE_SIZE,
              .span_count = 1,
              .spans = reference_spans,
              .reference_kind = REF_WEAK},
    [FINAL] = {.kind = SHAPE_REFERENCE,
               .instance_size = REFERENCE_SIZE,
               .span_count = 1,
               .spans = reference_spans,
               .reference_kind = REF_FINAL},
    [PHANTOM] = {.kind = SHAPE_REFERENCE,
                 .instance_size = REFERENCE_SIZE,
                 .span_count = 1,
                 .spans = reference_spans,
                 .reference_kind = REF_PHANTOM},
    [MIRROR] = {.kind = SHAPE_MIRROR, .instance_size = 16},
    [BIG] = {.kind = SHAPE_INSTANCE, .instance_size = 4000, .span_count = 1, .spans = node_spans},
};
static struct shape *shape_rows[CLASSES];

static struct vm test_vm;
static struct vm_options test_options;
static struct os_thread *self;
static uintptr_t stack_base;
static bool scan_stacks;

static struct object *roots[4096];
static int64_t soft_clock;
static const char *out_of_memory_message;
static unsigned out_of_memory_count;
static size_t holder_visits;
static struct object *weak_slot, *holder_root;
static int64_t freed_tag_sum;
static size_t freed_tags;

static void visit_roots(struct heap_visitor *v) {
    for (size_t i = 0; i < ARRAY_LEN(roots); i++) heap_visit(v, roots[i]);
    if (scan_stacks) threads_visit_roots(v);
}
static void visit_holder(struct heap_visitor *v, struct class_holder *h) {
    __atomic_fetch_add(&holder_visits, 1, __ATOMIC_RELAXED);
    if (h == &other_holder) heap_visit(v, holder_root);
}
static struct class_holder *holder_of(struct object *o) { (void)o; return &other_holder; }
static void clear_weak(bool (*is_live)(struct object *o)) {
    if (weak_slot != NULL && !is_live(weak_slot)) weak_slot = NULL;
}
static void unload(void) { atomic_store(&holder.marked, false); atomic_store(&other_holder.marked, false); }
static void out_of_memory(struct os_thread *t, const char *message) {
    (void)t;
    out_of_memory_message = message;
    out_of_memory_count++;
}
static void collected(const struct heap_collection *c) { (void)c; }
static void nothing(void) {}
static const char *class_name(const struct object *o) { return (void)o, "test"; }

const struct heap_hooks heap_hooks = {
    .visit_roots = visit_roots, .visit_holder = visit_holder, .holder_of = holder_of, .clear_weak = clear_weak,
    .unload = unload,
    .collected = collected, .references_pending = nothing, .out_of_memory = out_of_memory, .class_name = class_name,
    .usage_reached = nothing,
};

static void object_freed(struct os_thread *t, int env, int64_t tag) {
    (void)t, (void)env;
    freed_tag_sum += tag;
    freed_tags++;
}
static const struct probe_subscriber subscriber = { .name = "test", .object_free = object_freed };

static void start_vm(size_t max_bytes, unsigned stress, unsigned workers) {
    for (int i = 1; i < CLASSES; i++) { shapes[i].id = (uint32_t)i; shape_rows[i] = &shapes[i]; }
    shape_table = shape_rows;
    memset(roots, 0, sizeof roots);
    out_of_memory_count = 0;
    scan_stacks = false;
    soft_clock = 0;
    vm = &test_vm;
    test_options.thread_stack_size = 512 * KIB;
    vm->options = &test_options;
    assert_true(threads_create() && monitors_create());
    handles_create();
    self = thread_attach_current(stack_base, 0, false);
    char *error = NULL;
    struct heap_config config = {.initial_bytes = max_bytes,
                                 .max_bytes = max_bytes,
                                 .max_is_explicit = true,
                                 .stress_every = stress,
                                 .soft_ms_per_mb = 1000,
                                 .workers = workers,
                                 .verify_before = stress != 0,
                                 .verify_after = stress != 0};
    if (!heap_create(&config, &error)) fail_msg("%s", error);
    assert_true(probes_create());
    probe_subscribe(&subscriber);
    vm->event_mask = PROBE_MASK(PROBE_object_free);
    struct heap_reference_layout layout = {REFERENCE_REFERENT, REFERENCE_NEXT, REFERENCE_DISCOVERED,
                                           REFERENCE_QUEUE,    REFERENCE_TIME, &soft_clock};
    heap_set_reference_layout(&layout);
}

static void stop_vm(void) {
    thread_detach_current(self);
    heap_destroy(false);
    monitors_destroy();
    handles_destroy();
    threads_destroy();
    probes_destroy();
    vm = NULL;
}

static struct object *new_node(struct os_thread *t, struct object *left, struct object *right, int64_t value) {
    struct object *o = heap_alloc_instance_fast(t, &shapes[NODE]);
    if (o == NULL) return NULL;
    heap_store_ref(o, NODE_LEFT, left);
    heap_store_ref(o, NODE_RIGHT, right);
    *(int64_t *)((char *)o + NODE_VALUE) = value;
    return o;
}
static int64_t node_value(struct object *o) { return *(int64_t *)((char *)o + NODE_VALUE); }
static unsigned faults(void) {
    safepoint_begin(self, "test");
    unsigned found = heap_verify("test");
    safepoint_end(self);
    return found;
}
static void collect(void) { heap_collect(self, "System.gc()", false); }
static bool count_object(void *arg, struct object *o) { (void)o; ++*(size_t *)arg; return true; }
static size_t count_objects(void) {
    size_t n = 0;
    safepoint_begin(self, "test");
    heap_walk(count_object, &n);
    safepoint_end(self);
    return n;
}

/* ---- allocation and lookup --------------------------------------------------------------------------------------- */

static void objects_are_zero_and_known(void **state) {
    (void)state;
    start_vm(32 * MIB, 0, 1);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2000; i++) {
            int32_t length = i % 7 == 0 ? i * 40 : i % 300;
            struct object *o = heap_alloc_array_fast(self, &shapes[LONGS], length);
            assert_non_null(o);
            roots[0] = o;
            assert_int_equal(array_length(o), length);
            for (int32_t k = 0; k < length; k++) assert_int_equal(((int64_t *)array_data(o))[k], 0);
            memset(array_data(o), 0xab, (size_t)length * 8);
            assert_true(heap_is_object(o));
            assert_false(heap_is_object((char *)o + 8));
            assert_ptr_equal(heap_object_at((uintptr_t)o + object_size(o) - 1), o);
            assert_ptr_equal(heap_object_at((uintptr_t)o + object_size(o) / 2), o);
            assert_ptr_not_equal(heap_object_at((uintptr_t)o + object_size(o)), o);
        }
        assert_int_equal(faults(), 0);
        collect();
        assert_int_equal(faults(), 0);
        assert_int_equal(count_objects(), 1);
    }
    assert_false(heap_is_object(NULL));
    assert_false(heap_is_object(&self));
    assert_null(heap_object_at((uintptr_t)&self));
    int32_t hash = heap_identity_hash(roots[0]);
    assert_true(hash > 0 && hash == heap_identity_hash(roots[0]));
    stop_vm();
}

static void allocated_bytes_are_counted(void **state) {
    (void)state;
    start_vm(16 * MIB, 0, 1);
    uint64_t before = heap_thread_allocated(self->java), expected = 0;
    for (int i = 0; i < 100000; i++) {
        struct object *o = i % 1000 == 0 ? heap_alloc_array_fast(self, &shapes[BYTES], 20000 + i)
                                         : heap_alloc_array_fast(self, &shapes[BYTES], i % 700);
        assert_non_null(o);
        expected += object_size(o);
    }
    assert_int_equal(heap_thread_allocated(self->java) - before, expected);
    struct heap_stats stats;
    heap_stats(&stats);
    assert_true(stats.collections > 0 && stats.max == 16 * MIB && stats.used <= stats.max &&
                stats.allocated_total >= expected);
    stop_vm();
}

static void clones_and_copies(void **state) {
    (void)state;
    start_vm(32 * MIB, 0, 1);
    roots[0] = heap_alloc_array(self, &shapes[REFS], 100000);
    for (int i = 0; i < 100000; i++) heap_array_set(roots[0], i, new_node(self, NULL, NULL, i));
    atomic_store(&roots[0]->monitor, 7);
    roots[1] = heap_clone(self, roots[0]);
    assert_int_equal(atomic_load(&roots[1]->monitor), 0);
    heap_copy_refs(self, roots[1], 0, roots[1], 10, 99990);
    for (int i = 10; i < 100000; i++) assert_int_equal(node_value(heap_array_get(roots[1], i)), i - 10);
    heap_copy_refs(self, roots[0], 20, roots[0], 0, 99980);
    for (int i = 0; i < 99980; i++) assert_int_equal(node_value(heap_array_get(roots[0], i)), i + 20);
    struct object *n = heap_clone(self, heap_array_get(roots[0], 5));
    assert_int_equal(node_value(n), 25);
    assert_ptr_equal(heap_cas_ref(n, NODE_LEFT, NULL, roots[0]), NULL);
    assert_ptr_equal(heap_cas_ref(n, NODE_LEFT, NULL, roots[1]), roots[0]);
    assert_ptr_equal(heap_exchange_ref(n, NODE_LEFT, roots[1]), roots[0]);
    stop_vm();
}

/* ---- collection -------------------------------------------------------------------------------------------------- */

static void long_lists_and_wide_arrays(void **state) {
    (void)state;
    for (unsigned workers = 1; workers <= 3; workers += 2) {
        start_vm(256 * MIB, 0, workers);
        for (int i = 0; i < 1000000; i++) roots[0] = new_node(self, roots[0], NULL, i);
        roots[1] = heap_alloc_array(self, &shapes[REFS], 500000);
        for (int i = 0; i < 500000; i++) heap_array_set(roots[1], i, new_node(self, NULL, NULL, -i));
        for (int i = 0; i < 500000; i++) (void)new_node(self, NULL, NULL, 0);
        collect();
        assert_int_equal(count_objects(), 1500001);
        int64_t expect = 999999;
        for (struct object *o = roots[0]; o != NULL; o = heap_load_ref(o, NODE_LEFT))
            assert_int_equal(node_value(o), expect--);
        for (int i = 0; i < 500000; i++) assert_int_equal(node_value(heap_array_get(roots[1], i)), -i);
        assert_int_equal(faults(), 0);
        roots[0] = roots[1] = NULL;
        collect();
        assert_int_equal(count_objects(), 0);
        struct heap_stats stats;
        heap_stats(&stats);
        assert_int_equal(stats.used, 0);
        stop_vm();
    }
}

static void holders_are_marked_once(void **state) {
    (void)state;
    start_vm(16 * MIB, 0, 1);
    holder_root = new_node(self, NULL, NULL, 77);
    struct object *kept = holder_root;
    roots[0] = heap_alloc_instance(self, &shapes[MIRROR]);
    holder_visits = 0;
    collect();
    assert_int_equal(holder_visits, 2);          /* the mirror's, and that of its root's class */
    assert_true(heap_is_object(kept));
    roots[0] = NULL;
    collect();
    assert_int_equal(holder_visits, 2);
    assert_false(heap_is_object(kept));
    holder_root = NULL;
    stop_vm();
}

static void stacks_keep_objects(void **state) {
    (void)state;
    start_vm(16 * MIB, 0, 1);
    scan_stacks = true;
    struct object *volatile o = new_node(self, NULL, NULL, 1);
    char *volatile inside = (char *)new_node(self, NULL, NULL, 2) + 17;
    struct heap_collection c;
    while (!heap_last_collection(&c)) new_node(self, NULL, NULL, 3);
    assert_true(heap_is_object(o));
    assert_true(heap_is_object(inside - 17));
    collect();                                   /* asked for: the frames of who asks hold nothing */
    assert_false(heap_is_object(o));
    assert_false(heap_is_object(inside - 17));
    stop_vm();
}

static struct object *new_reference(enum class_number kind, struct object *referent) {
    roots[100] = referent;
    struct object *r = heap_alloc_instance(self, &shapes[kind]);
    heap_store_ref(r, REFERENCE_REFERENT, referent);
    roots[100] = NULL;
    return r;
}

static size_t take_pending(struct object **out, size_t max) {
    size_t n = 0;
    for (struct object *r = heap_take_pending_references(); r != NULL && n < max;) {
        struct object *next = heap_load_ref(r, REFERENCE_DISCOVERED);
        heap_store_ref(r, REFERENCE_DISCOVERED, NULL);
        out[n++] = r;
        r = next;
    }
    return n;
}

static void references(void **state) {
    (void)state;
    start_vm(16 * MIB, 0, 1);
    struct object *pending[8];
    /* A live referent: nothing happens. */
    roots[0] = new_node(self, NULL, NULL, 1);
    roots[1] = new_reference(WEAK, roots[0]);
    roots[2] = new_reference(PHANTOM, roots[0]);
    collect();
    assert_false(heap_has_pending_references());
    assert_ptr_equal(heap_reference_get(roots[1]), roots[0]);
    assert_true(heap_reference_refers_to(roots[2], roots[0]));
    /* Weak goes before finalization, phantom after it. */
    roots[3] = new_reference(FINAL, roots[0]);
    weak_slot = roots[0];
    roots[0] = NULL;
    collect();
    assert_int_equal(take_pending(pending, 8), 2);
    assert_null(heap_reference_get(roots[1]));
    assert_non_null(heap_reference_get(roots[3]));
    assert_ptr_equal(heap_load_ref(roots[3], REFERENCE_NEXT), roots[3]);
    assert_non_null(heap_reference_get(roots[2]));
    assert_non_null(weak_slot);
    /* The finalizer has run. */
    heap_reference_clear(roots[3]);
    collect();
    assert_int_equal(take_pending(pending, 8), 1);
    assert_ptr_equal(pending[0], roots[2]);
    assert_null(weak_slot);
    /* Soft: kept while used lately, cleared on demand. */
    roots[4] = new_reference(SOFT, new_node(self, NULL, NULL, 5));
    *(int64_t *)((char *)roots[4] + REFERENCE_TIME) = soft_clock;
    collect();
    assert_non_null(heap_reference_get(roots[4]));
    *(int64_t *)((char *)roots[4] + REFERENCE_TIME) = soft_clock - 17 * 1000;
    collect();
    assert_null(heap_reference_get(roots[4]));
    assert_int_equal(take_pending(pending, 8), 1);
    roots[5] = new_reference(SOFT, new_node(self, NULL, NULL, 6));
    *(int64_t *)((char *)roots[5] + REFERENCE_TIME) = soft_clock;
    heap_collect(self, "test", true);
    assert_null(heap_reference_get(roots[5]));
    /* A pending list that nobody takes survives by itself. */
    memset(roots, 0, sizeof roots);
    collect();
    assert_int_equal(take_pending(pending, 8), 1);
    stop_vm();
}

static void many_weak_references(void **state) {
    (void)state;
    start_vm(128 * MIB, 0, 3);
    roots[0] = heap_alloc_array(self, &shapes[REFS], 200000);
    roots[1] = heap_alloc_array(self, &shapes[REFS], 200000);
    for (int i = 0; i < 200000; i++) {
        struct object *n = new_node(self, NULL, NULL, i);
        if (i % 2 == 0) heap_array_set(roots[1], i, n);
        heap_array_set(roots[0], i, new_reference(WEAK, n));
    }
    for (int i = 0; i < 400000; i++) roots[2] = new_node(self, roots[2], NULL, i);
    collect();
    for (int i = 0; i < 200000; i++)
        assert_true((heap_reference_get(heap_array_get(roots[0], i)) != NULL) == (i % 2 == 0));
    size_t n = 0;
    for (struct object *r = heap_take_pending_references(); r != NULL; r = heap_load_ref(r, REFERENCE_DISCOVERED)) n++;
    assert_int_equal(n, 100000);
    stop_vm();
}

/* ---- shortage ---------------------------------------------------------------------------------------------------- */

static void full_heap_recovers(void **state) {
    (void)state;
    start_vm(16 * MIB, 0, 1);
    for (int round = 0; round < 3; round++) {
        out_of_memory_count = 0;
        size_t bytes = 0;
        for (;;) {
            struct object *o = heap_alloc_array(self, &shapes[REFS], round == 0 ? 10 : round == 1 ? 1000 : 30000);
            if (o == NULL) break;
            heap_array_set(o, 0, roots[0]);
            roots[0] = o;
            bytes += object_size(o);
        }
        assert_int_equal(out_of_memory_count, 1);
        assert_string_equal(out_of_memory_message, "Java heap space");
        assert_true(bytes > 13 * MIB);
        assert_int_equal(faults(), 0);
        roots[0] = NULL;
        assert_non_null(heap_alloc_array(self, &shapes[BYTES], 8 * MIB));
    }
    assert_null(heap_alloc_array(self, &shapes[BYTES], INT32_MAX));
    assert_string_equal(out_of_memory_message, "Requested array size exceeds VM limit");
    assert_null(heap_alloc_array(self, &shapes[BYTES], INT32_MAX - 2));
    assert_string_equal(out_of_memory_message, "Java heap space");
    unsigned count = out_of_memory_count;
    assert_null(heap_try_alloc(self, &shapes[LONGS], 0, 100 * 1000 * 1000));
    assert_int_equal(out_of_memory_count, count);
    /* A soft referent gives way before an error. */
    roots[1] = new_reference(SOFT, heap_alloc_array(self, &shapes[BYTES], 10 * MIB));
    *(int64_t *)((char *)roots[1] + REFERENCE_TIME) = INT64_MAX / 2;
    assert_non_null(heap_alloc_array(self, &shapes[BYTES], 10 * MIB));
    assert_null(heap_reference_get(roots[1]));
    /* With collections disabled the error comes instead. */
    heap_disable_gc(self);
    uint64_t before;
    struct heap_stats stats;
    heap_stats(&stats);
    before = stats.collections;
    while (heap_alloc_array(self, &shapes[BYTES], 1000) != NULL) { }
    heap_stats(&stats);
    assert_int_equal(stats.collections, before);
    heap_enable_gc(self);
    assert_non_null(heap_alloc_array(self, &shapes[BYTES], 1000));
    stop_vm();
}

/* Objects of the reserve until there are no more, in a list in roots[1] if they shall live. */
static size_t reserved_objects(bool live) {
    size_t n = 0;
    for (struct object *o; (o = heap_alloc_reserved(self, &shapes[NODE])) != NULL; n++) {
        assert_int_equal(node_value(o), 0);
        assert_null(heap_load_ref(o, NODE_LEFT));
        *(int64_t *)((char *)o + NODE_VALUE) = -1;
        if (!live) continue;
        heap_store_ref(o, NODE_LEFT, roots[1]);
        roots[1] = o;
    }
    return n;
}

/* The last 512 KiB stay there for those who need it, however often a program fills its heap. */
static void full_heap_has_a_reserve(void **state) {
    (void)state;
    const size_t reserve = 512 * KIB / shapes[NODE].instance_size, ordinary = 31 * reserve;
    struct heap_stats stats;
    start_vm(16 * MIB, 0, 1);
    for (struct object *o; (o = new_node(self, roots[0], NULL, 1)) != NULL;) roots[0] = o;
    heap_stats(&stats);
    uint64_t collections = stats.collections;
    assert_non_null(roots[1] = heap_alloc_reserved(self, &shapes[NODE]));
    heap_stats(&stats);
    assert_int_equal(stats.collections, collections);
    assert_true(stats.used <= stats.max && stats.max == 16 * MIB);
    size_t n = reserved_objects(true);
    assert_true(n > reserve * 9 / 10 && n <= reserve);
    assert_null(heap_try_alloc(self, &shapes[NODE], 0, -1));
    assert_int_equal(faults(), 0);
    /* Every third of them stays: the holes are nobody else's, nor is what becomes free again. */
    for (struct object *o = roots[1]; o != NULL; o = heap_load_ref(o, NODE_LEFT)) {
        struct object *next = heap_load_ref(o, NODE_LEFT);
        next = next != NULL ? heap_load_ref(next, NODE_LEFT) : NULL;
        heap_store_ref(o, NODE_LEFT, next != NULL ? heap_load_ref(next, NODE_LEFT) : NULL);
    }
    roots[1] = NULL;
    for (int round = 0; round < 50; round++) {
        for (struct object *o; (o = new_node(self, roots[0], NULL, 1)) != NULL;) roots[0] = o;
        roots[2] = heap_alloc_reserved(self, &shapes[NODE]);        /* lives until the next round */
        assert_non_null(roots[2]);
        roots[0] = round % 2 != 0 ? NULL : heap_load_ref(roots[0], NODE_LEFT);
    }
    for (struct object *o; (o = new_node(self, roots[0], NULL, 1)) != NULL;) roots[0] = o;
    size_t nodes = 0;
    for (struct object *o = roots[0]; o != NULL; o = heap_load_ref(o, NODE_LEFT)) nodes++;
    assert_true(nodes > ordinary * 9 / 10 && nodes <= ordinary);
    assert_true(reserved_objects(true) > reserve * 9 / 10);
    assert_int_equal(faults(), 0);
    roots[0] = roots[1] = roots[2] = NULL;
    /* Large objects leave it as well. */
    for (struct object *o; (o = heap_try_alloc(self, &shapes[REFS], 0, 12000)) != NULL; roots[0] = o)
        heap_array_set(o, 0, roots[0]);
    assert_true(reserved_objects(true) > reserve * 9 / 10);
    assert_int_equal(faults(), 0);
    stop_vm();
}

static void resident_memory_stays(void **state) {
    (void)state;
    start_vm(64 * MIB, 0, 2);
    uint64_t after_first = 0;
    for (int round = 0; round < 8; round++) {
        for (size_t bytes = 0; bytes < 256 * MIB;) {
            struct object *o = heap_alloc_array_fast(self, &shapes[BYTES], (int32_t)(bytes % 5000));
            bytes += object_size(o);
            roots[bytes / 16 % 2000] = o;
        }
        if (round == 1) after_first = os_resident_memory();
    }
    assert_true(os_resident_memory() < after_first + after_first / 20 + MIB);
    memset(roots, 0, sizeof roots);
    collect();
#ifndef __SANITIZE_ADDRESS__
    assert_true(os_resident_memory() + 4 * MIB < after_first);
#endif
    stop_vm();
}

static void reservation(void **state) {
    (void)state;
    vm = &test_vm;
    assert_true(threads_create());
    struct heap_config config = { .initial_bytes = MIB, .max_bytes = 40 * GIB, .max_is_explicit = true };
    char *error = NULL;
    assert_false(heap_create(&config, &error));
    assert_non_null(strstr(error, "Could not reserve enough space"));
    mem_free(error);
    config.max_is_explicit = false;
    assert_true(heap_create(&config, &error));
    struct heap_stats stats;
    heap_stats(&stats);
    assert_true(stats.max < 32 * GIB && stats.max > 64 * MIB);
    heap_destroy(false);
    threads_destroy();
    vm = NULL;
}

/* ---- tags -------------------------------------------------------------------------------------------------------- */

static bool sum_tags(void *arg, struct object *o, int64_t tag) { (void)o; *(int64_t *)arg += tag; return true; }

static void tags(void **state) {
    (void)state;
    start_vm(128 * MIB, 0, 2);
    enum { N = 300000 };
    struct tag_table *t = heap_tags_new(3);
    assert_non_null(t);
    roots[0] = heap_alloc_array(self, &shapes[REFS], N);
    for (int i = 0; i < N; i++) {
        struct object *o = i % 100 == 0 ? heap_alloc_array_fast(self, &shapes[BYTES], i % 30000)
                                        : new_node(self, NULL, NULL, i);
        heap_array_set(roots[0], i, o);
    }
    assert_int_equal(heap_tag_get(t, roots[0]), 0);
    /* Every 1000th, every 100th, all; then large values; then removal: through all forms and back. */
    static const int steps[] = { 1000, 100, 7, 1 };
    size_t bytes = 0;
    for (size_t s = 0; s < ARRAY_LEN(steps); s++) {
        size_t count = 0;
        for (int i = 0; i < N; i += steps[s], count++) assert_true(heap_tag_set(t, heap_array_get(roots[0], i), i + 1));
        for (int i = 0; i < N; i++) {
            int64_t tag = heap_tag_get(t, heap_array_get(roots[0], i));
            bool expected = false;
            for (size_t k = 0; k <= s; k++) expected |= i % steps[k] == 0;
            assert_int_equal(tag, expected ? i + 1 : 0);
        }
        bytes = heap_tags_bytes(t);
        print_message("every %d: %zu tags, %.1f bytes each\n", steps[s], count, (double)bytes / (double)count);
    }
    int64_t sum = 0;
    heap_tags_walk(t, NULL, sum_tags, &sum);
    assert_int_equal(sum, (int64_t)N * (N + 1) / 2);
    for (int i = 0; i < N; i += 3) assert_true(heap_tag_set(t, heap_array_get(roots[0], i), INT64_MIN + i));
    for (int i = 0; i < N; i++)
        assert_int_equal(heap_tag_get(t, heap_array_get(roots[0], i)), i % 3 == 0 ? INT64_MIN + i : i + 1);
    for (int i = 0; i < N; i += 3) assert_true(heap_tag_set(t, heap_array_get(roots[0], i), 0));
    collect();
    assert_int_equal(freed_tags, 0);
    int64_t expect = 0;
    size_t dropped = 0;
    for (int i = 0; i < N; i++) {
        if (i % 20 == 0) continue;
        heap_array_set(roots[0], i, NULL);
        if (i % 3 != 0) { expect += i + 1; dropped++; }
    }
    collect();
    assert_int_equal(freed_tags, dropped);
    assert_int_equal(freed_tag_sum, expect);
    for (int i = 0; i < N; i += 20)
        assert_int_equal(heap_tag_get(t, heap_array_get(roots[0], i)), i % 3 == 0 ? 0 : i + 1);
    for (int i = 0; i < 50000; i++) assert_int_equal(heap_tag_get(t, new_node(self, NULL, NULL, 0)), 0);
    roots[0] = NULL;
    collect();
    assert_int_equal(heap_tags_bytes(t), 0);
    heap_tags_free(t);
    stop_vm();
}

static void small_object_tags_are_small(void **state) {
    (void)state;
    start_vm(128 * MIB, 0, 1);
    struct tag_table *t = heap_tags_new(0);
    enum { N = 500000 };
    for (int i = 0; i < N; i++) {
        roots[0] = new_node(self, roots[0], heap_alloc_array_fast(self, &shapes[BYTES], 32), i);
        assert_true(heap_tag_set(t, roots[0], i + 1) && heap_tag_set(t, heap_load_ref(roots[0], NODE_RIGHT), 1));
    }
    assert_true(heap_tags_bytes(t) / (2 * N) <= 12);
    heap_tags_free(t);
    stop_vm();
}

/* A walk's tags in a scattered order: the same tags, and no more memory afterwards where few are tagged. */
static void tags_of_a_walk(void **state) {
    (void)state;
    start_vm(64 * MIB, 0, 1);
    enum { N = 30000 };
    roots[0] = heap_alloc_array(self, &shapes[REFS], N);
    for (int i = 0; i < N; i++) heap_array_set(roots[0], i, new_node(self, NULL, NULL, i));
    static const int steps[] = { 400, 60, 40, 1 };
    for (size_t s = 0; s < ARRAY_LEN(steps); s++) {
        struct tag_table *one_by_one = heap_tags_new(0), *filled = heap_tags_new(0);
        safepoint_begin(self, "test");
        heap_tags_fill_begin(filled);
        for (int k = 0, i = 0; k < N; k++, i = (i + 7919) % N) {
            struct object *o = heap_array_get(roots[0], i);
            int64_t tag = i % steps[s] != 0 ? 0 : i % 5000 == 0 ? INT64_MAX - i : i + 1;
            assert_int_equal(heap_tag_get_stopped(filled, heap_tag_words(filled), o), 0);
            assert_true(heap_tag_set(one_by_one, o, tag) && heap_tag_set_stopped(filled, o, tag));
            assert_int_equal(heap_tag_get_stopped(filled, heap_tag_words(filled), o), tag);
        }
        heap_tags_fill_end(filled);
        for (int i = 0; i < N; i++) {
            struct object *o = heap_array_get(roots[0], i);
            int64_t tag = heap_tag_get(one_by_one, o);
            assert_int_equal(heap_tag_get(filled, o), tag);
            assert_int_equal(heap_tag_get_stopped(filled, heap_tag_words(filled), o), tag);
        }
        size_t bytes = heap_tags_bytes(filled), expected = heap_tags_bytes(one_by_one);
        print_message("every %d: %zu bytes one by one, %zu by a walk\n", steps[s], expected, bytes);
        assert_true(bytes <= expected + expected / 3);
        safepoint_end(self);
        heap_tags_free(one_by_one);
        heap_tags_free(filled);
    }
    stop_vm();
}

static struct object *tag_targets[64];
static struct tag_table *shared_tags;
static void tag_randomly(struct os_thread *t, void *arg) {
    uint64_t x = (uint64_t)(uintptr_t)arg * 77 + 5;
    for (int i = 0; i < 200000; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        struct object *o = tag_targets[x >> 58];
        int64_t tag = heap_tag_get(shared_tags, o), index = (int64_t)(x >> 58) + 1;
        if (tag != 0 && (tag & 0xff) != index) abort();
        (void)heap_tag_set(shared_tags, o,
                           (x >> 40 & 7) == 0 ? 0
                           : i > 100000       ? (int64_t)(x >> 20 << 8 | (uint64_t)index)
                                              : index);
        thread_poll(t);
    }
}
static void tags_from_many_threads(void **state) {
    (void)state;
    start_vm(16 * MIB, 0, 1);
    shared_tags = heap_tags_new(0);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 64; i++) tag_targets[i] = new_node(self, NULL, NULL, i);
        /* The second time the block has a dense record. */
        for (int i = 0; round == 1 && i < 2000; i++) (void)heap_tag_set(shared_tags, new_node(self, NULL, NULL, i), 9);
        for (uintptr_t i = 0; i < 4; i++)
            assert_true(thread_start(self, NULL, 0, false, THREAD_SHOWN, "tagger", NULL, tag_randomly, (void *)i));
        threads_wait_for_users(self);
    }
    heap_tags_free(shared_tags);
    stop_vm();
}

/* ---- random graphs, many threads --------------------------------------------------------------------------------- */

/* A tree whose every node can be checked from its value: the children's values follow from it, and so does
 * the payload. */
static int64_t child_value(int64_t v, int which) {
    return (int64_t)((uint64_t)v * 2862933555777941757u + (which != 0 ? 3037000493u : 97u));
}

static struct object *grow(struct os_thread *t, int64_t value, int depth, struct object **root) {
    struct object *o = new_node(t, NULL, NULL, value);
    assert_non_null(o);
    if (root != NULL) *root = o;
    if (depth == 0) {
        uint64_t kind = (uint64_t)value >> 56;
        int32_t length = kind < 2    ? 20000 + (int32_t)((uint64_t)value >> 50 & 4095)
                         : kind < 20 ? 300 + (int32_t)((uint64_t)value >> 40 & 2047)
                                     : (int32_t)((uint64_t)value >> 33 & 63);
        struct object *a = heap_alloc_array_fast(t, &shapes[BYTES], length);
        memset(array_data(a), (int)(value & 0xff), (size_t)length);
        heap_store_ref(o, NODE_LEFT, a);
        return o;
    }
    for (int which = 0; which < 2; which++) {
        struct object *c = grow(t, child_value(value, which), depth - 1, NULL);
        heap_store_ref(o, which != 0 ? NODE_RIGHT : NODE_LEFT, c);
    }
    return o;
}

static void check(struct object *o, int64_t value, int depth) {
    if (o->class_id != NODE || node_value(o) != value) abort();
    if (depth == 0) {
        struct object *a = heap_load_ref(o, NODE_LEFT);
        const uint8_t *p = array_data(a);
        for (int32_t i = 0; i < array_length(a); i++) if (p[i] != (uint8_t)value) abort();
        return;
    }
    check(heap_load_ref(o, NODE_LEFT), child_value(value, 0), depth - 1);
    check(heap_load_ref(o, NODE_RIGHT), child_value(value, 1), depth - 1);
}

enum { TREES = 16, TREE_DEPTH = 6 };
struct growing { int rounds; uint64_t seed; };

/* Trees hang on the C stack only, so the conservative scan is part of the test. */
static void grow_and_check(struct os_thread *t, void *arg) {
    struct growing *g = arg;
    struct object *trees[TREES];
    int64_t values[TREES];
    uint64_t x = g->seed;
    for (int i = 0; i < TREES; i++)
        trees[i] = grow(t, values[i] = (int64_t)(x += 0x9e3779b97f4a7c15u), TREE_DEPTH, NULL);
    for (int round = 0; round < g->rounds; round++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        int i = (int)(x >> 60);
        trees[i] = grow(t, values[i] = (int64_t)x, TREE_DEPTH, NULL);
        i = (int)(x >> 56 & 15);
        check(trees[i], values[i], TREE_DEPTH);
        if (round % 64 == 0 && (x >> 40 & 7) == 0)
            collect_request(t, "Allocation Failure", false, atomic_load(&vm->heap->collections));
        if (round % 100 == 7) { heap_disable_gc(t); (void)new_node(t, NULL, NULL, 1); heap_enable_gc(t); }
        thread_poll(t);
    }
    for (int i = 0; i < TREES; i++) check(trees[i], values[i], TREE_DEPTH);
}

static void random_graphs(size_t max_bytes, unsigned stress, unsigned workers, unsigned threads, int rounds) {
    start_vm(max_bytes, stress, workers);
    scan_stacks = true;
    struct growing g[16];
    for (unsigned i = 0; i < threads; i++) {
        g[i] = (struct growing){ rounds, i * 1234567 + 1 };
        assert_true(thread_start(self, NULL, 0, false, THREAD_SHOWN, "grower", NULL, grow_and_check, &g[i]));
    }
    threads_wait_for_users(self);
    assert_int_equal(faults(), 0);
    assert_int_equal(out_of_memory_count, 0);
    stop_vm();
}

static void graphs_of_one_thread(void **state) { (void)state; random_graphs(16 * MIB, 0, 1, 1, 20000); }
static void graphs_of_many_threads(void **state) { (void)state; random_graphs(64 * MIB, 0, 2, 8, 4000); }
static void graphs_with_stress(void **state) { (void)state; random_graphs(32 * MIB, 97, 2, 2, 60); }

static void stress_counts_every_allocation(void **state) {
    (void)state;
    start_vm(16 * MIB, 10, 1);
    for (int i = 0; i < 1000; i++) (void)new_node(self, NULL, NULL, i);
    struct heap_stats stats;
    heap_stats(&stats);
    assert_int_equal(stats.collections, 100);
    stop_vm();
}

/* The budget between two collections: what GCTimeRatio affords of the processor time, within the bounds of what may be
 * free. */
static void budget_follows_from_cost(void **state) {
    (void)state;
    start_vm(1024 * MIB, 0, 1);
    struct heap *h = vm->heap;
    h->initial = 0;
    h->occupied = h->live = 60 * MIB;
    h->last.nanos = 10 * 1000 * 1000;
    h->allocation_rate = 0.1;                                          /* bytes a nanosecond */
    heap_set_free(40, 80);
    static const struct { unsigned workers; uint32_t ratio; size_t budget; } rows[] = {
        { 1, 60, 60 * 1000 * 1000 }, { 2, 60, 120 * 1000 * 1000 }, { 4, 30, 120 * 1000 * 1000 },
        { 1, 1, 40 * MIB }, { 4, 60, 240 * 1000 * 1000 }, { 4, 6000, 240 * MIB },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        h->active_workers = rows[i].workers;
        h->config.time_ratio = rows[i].ratio;
        collect_set_budget(h);
        assert_in_range(h->budget, rows[i].budget - 1, rows[i].budget + 1);
    }
    h->occupied = h->live = 0;
    stop_vm();
}

/* Churn of mixed sizes that leaves 40 % live; then how large an array fits is printed. */
static void fragmentation_is_measured(void **state) {
    (void)state;
    start_vm(64 * MIB, 0, 1);
    enum { SLOTS = 60000 };
    roots[0] = heap_alloc_array(self, &shapes[REFS], SLOTS);
    uint64_t x = 42;
    size_t live = 0;
    for (int i = 0; i < 3000000 && live < 64 * MIB * 4 / 10; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        int32_t at = (int32_t)((x >> 33) % SLOTS),
                length = (int32_t)(x >> 20 & 1023) + ((x >> 50 & 255) == 0 ? 20000 : 0);
        struct object *old = heap_array_get(roots[0], at), *o = heap_alloc_array_fast(self, &shapes[BYTES], length);
        assert_non_null(o);
        live = live - (old != NULL ? object_size(old) : 0) + object_size(o);
        heap_array_set(roots[0], at, o);
    }
    size_t low = 0, high = 64 * MIB;
    while (high - low > MIB) {
        size_t middle = (low + high) / 2;
        if (heap_try_alloc(self, &shapes[BYTES], 0, (int32_t)middle) != NULL) low = middle;
        else high = middle;
    }
    print_message("with %zu of 64 MiB live after churn the largest possible array has %zu MiB\n", live / MIB,
                  low / MIB);
    assert_true(low >= 4 * MIB);
    stop_vm();
}

/* ---- cards ------------------------------------------------------------------------------------------------------- */

#ifdef VITRINE_CHECK
/* Does the CHECK build end a process that does this to an old node, an old array and a young node, and collects? */
static bool violation_is_found(void (*violation)(struct object *old, struct object *array, struct object *young)) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(2);
        start_vm(32 * MIB, 0, 1);
        roots[0] = new_node(self, NULL, NULL, 1);
        roots[1] = heap_alloc_array(self, &shapes[REFS], 3000);
        collect();
        violation(roots[0], roots[1], new_node(self, NULL, NULL, 2));
        collect();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void *slot(struct object *o, size_t offset) { return (char *)o + offset; }
static void through_the_layer(struct object *old, struct object *array, struct object *young) {
    heap_store_ref(old, NODE_LEFT, young);
    heap_array_set(array, 2999, young);
}
static void round_the_layer(struct object *old, struct object *array, struct object *young) {
    (void)array;
    *(ref_t *)slot(old, NODE_RIGHT) = ref_encode(young);
}
static void element_round_the_layer(struct object *old, struct object *array, struct object *young) {
    (void)old;
    heap_array_set(array, 0, young);     /* its card is another one */
    ((ref_t *)array_data(array))[2000] = ref_encode(young);
}
static void young_to_old_round_the_layer(struct object *old, struct object *array, struct object *young) {
    (void)array;
    *(ref_t *)slot(young, NODE_LEFT) = ref_encode(old);
    heap_store_ref(old, NODE_RIGHT, young);
}
static void not_the_holder(struct object *old, struct object *array, struct object *young) {
    (void)array;
    heap_store_ref(slot(old, NODE_LEFT), 0, young);
}
static void not_a_reference(struct object *old, struct object *array, struct object *young) {
    (void)array;
    heap_store_ref(old, NODE_VALUE, young);
}
static void behind_the_array(struct object *old, struct object *array, struct object *young) {
    (void)old;
    heap_array_set(array, 3000, young);
}
static void marked_once(struct object *old, struct object *array, struct object *young) {
    (void)array;
    heap_store_ref(old, NODE_LEFT, young);
    collect();                           /* the card is clean again */
    *(ref_t *)slot(old, NODE_RIGHT) = ref_encode(new_node(self, NULL, NULL, 3));
}

static void memory_in_a_stop(struct object *old, struct object *array, struct object *young) {
    (void)old, (void)array, (void)young;
    safepoint_begin(self, "test");
    mem_free(mem_alloc(8));
    safepoint_end(self);
}
static void memory_in_a_stop_with_a_reason(struct object *old, struct object *array, struct object *young) {
    (void)old, (void)array, (void)young;
    mem_free(mem_alloc(8));
    safepoint_begin(self, "test");
    {
        MAY_ALLOCATE("the test goes on");
        mem_free(mem_alloc(8));
    }
    safepoint_end(self);
    mem_free(mem_alloc(8));
}
static void memory_behind_the_reason(struct object *old, struct object *array, struct object *young) {
    (void)old, (void)array, (void)young;
    safepoint_begin(self, "test");
    {
        MAY_ALLOCATE("the test goes on");
        mem_free(mem_alloc(8));
    }
    mem_free(mem_alloc(8));
    safepoint_end(self);
}

static void memory_taken_in_a_stop_is_found(void **state) {
    (void)state;
    assert_true(violation_is_found(memory_in_a_stop));
    assert_false(violation_is_found(memory_in_a_stop_with_a_reason));
    assert_true(violation_is_found(memory_behind_the_reason));
}

static void unmarked_references_to_young_objects_are_found(void **state) {
    (void)state;
    assert_false(violation_is_found(through_the_layer));
    assert_false(violation_is_found(young_to_old_round_the_layer));
    assert_true(violation_is_found(round_the_layer));
    assert_true(violation_is_found(element_round_the_layer));
    assert_true(violation_is_found(marked_once));
    assert_true(violation_is_found(not_the_holder));
    assert_true(violation_is_found(not_a_reference));
    assert_true(violation_is_found(behind_the_array));
}
#endif

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static double since(int64_t began) { return (double)(os_nanotime() - began) / 1e9; }

static void bench_allocation(void) {
    start_vm(512 * MIB, 0, 1);
    int64_t began = os_nanotime();
    for (int i = 0; i < 100 * 1000 * 1000; i++) {
        struct object *o = new_node(self, NULL, NULL, i);
        if ((i & 1023) == 0) roots[i >> 10 & 1023] = o;
    }
    double t = since(began);
    printf("allocation      %6.1f M nodes/s  %6.2f GB/s\n", 100 / t, 100e6 * NODE_SIZE / t / 1e9);
    began = os_nanotime();
    for (int i = 0; i < 20 * 1000 * 1000; i++) {
        struct object *o = heap_alloc_array_fast(self, &shapes[BYTES], i & 511);
        if ((i & 1023) == 0) roots[i >> 10 & 1023] = o;
    }
    t = since(began);
    printf("arrays          %6.1f M/s        %6.2f GB/s\n", 20 / t, 20e6 * 272 / t / 1e9);
    struct heap_stats stats;
    heap_stats(&stats);
    printf("collections     %" PRIu64 ", %.1f ms\n", stats.collections, (double)stats.collection_nanos / 1e6);
    stop_vm();
}

static void bench_marking(unsigned workers, bool shuffled) {
    start_vm((size_t)1500 * MIB, 0, workers);
    enum { N = 5 * 1000 * 1000 };
    roots[0] = heap_alloc_array(self, &shapes[REFS], N);
    for (int i = 0; i < N; i++) heap_array_set(roots[0], i, new_node(self, NULL, NULL, i));
    uint64_t x = 1;
    for (int i = 0; i < N; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        int32_t a = shuffled ? (int32_t)((x >> 33) % N) : i / 2, b = shuffled ? (int32_t)((x >> 13) % N) : i / 3;
        heap_store_ref(heap_array_get(roots[0], i), NODE_LEFT, heap_array_get(roots[0], a));
        heap_store_ref(heap_array_get(roots[0], i), NODE_RIGHT, heap_array_get(roots[0], b));
    }
    if (shuffled) roots[1] = heap_array_get(roots[0], 1), roots[0] = NULL;
    collect();
    int64_t began = os_nanotime();
    for (int i = 0; i < 3; i++) collect();
    double t = since(began) / 3;
    size_t n = 0;
    int64_t walk_began = os_nanotime();
    n = count_objects();
    printf("marking %s, %u workers: %.1f ms for %zu objects (%.1f M/s); walk %.1f ms\n",
           shuffled ? "random" : "ordered", workers, t * 1e3, n, (double)n / t / 1e6, since(walk_began) * 1e3);
    if (!shuffled) {
        struct tag_table *tt = heap_tags_new(0);
        began = os_nanotime();
        for (int i = 0; i < N; i++) (void)heap_tag_set(tt, heap_array_get(roots[0], i), i + 1);
        double set = since(began);
        int64_t sum = 0;
        began = os_nanotime();
        for (int i = 0; i < N; i++) sum += heap_tag_get(tt, heap_array_get(roots[0], i));
        double get = since(began);
        began = os_nanotime();
        collect();
        printf("tags            set %.1f M/s, get %.1f M/s, %.1f bytes each, collection with them %.1f ms (%d)\n",
               N / set / 1e6, N / get / 1e6, (double)heap_tags_bytes(tt) / N, since(began) * 1e3, (int)(sum & 1));
        heap_tags_free(tt);
    }
    stop_vm();
}

static void bench(void) {
    bench_allocation();
    for (unsigned workers = 1; workers <= 2; workers++) {
        bench_marking(workers, false);
        bench_marking(workers, true);
    }
}

int main(void) {
    stack_base = (uintptr_t)__builtin_frame_address(0);
    if (getenv("HEAP_BENCH") != NULL) { bench(); return 0; }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_zero_and_known),
        cmocka_unit_test(allocated_bytes_are_counted),
        cmocka_unit_test(clones_and_copies),
        cmocka_unit_test(long_lists_and_wide_arrays),
        cmocka_unit_test(holders_are_marked_once),
        cmocka_unit_test(stacks_keep_objects),
        cmocka_unit_test(references),
        cmocka_unit_test(many_weak_references),
        cmocka_unit_test(full_heap_recovers),
        cmocka_unit_test(full_heap_has_a_reserve),
        cmocka_unit_test(resident_memory_stays),
        cmocka_unit_test(reservation),
        cmocka_unit_test(tags),
        cmocka_unit_test(small_object_tags_are_small),
        cmocka_unit_test(tags_of_a_walk),
        cmocka_unit_test(tags_from_many_threads),
        cmocka_unit_test(stress_counts_every_allocation),
        cmocka_unit_test(graphs_of_one_thread),
        cmocka_unit_test(graphs_of_many_threads),
        cmocka_unit_test(graphs_with_stress),
        cmocka_unit_test(budget_follows_from_cost),
        cmocka_unit_test(fragmentation_is_measured),
#ifdef VITRINE_CHECK
        cmocka_unit_test(unmarked_references_to_young_objects_are_found),
        cmocka_unit_test(memory_taken_in_a_stop_is_found),
#endif
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
