/* heap_walk.c: the traversal of the object graph.
 *
 *   stack (objects reached) -> expand -> ring of references (prefetching the objects they lead to) -> visitor -> stack
 *
 * The ring is short enough to stay in the first-level cache and long enough to hide a memory access. */
#include "inspect/heap_walk.h"

#include "base/alloc.h"
#include "base/table.h"
#include "inspect/heap_walk_internal.h"

#include <string.h>

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static uint32_t declared_fields(const struct class *c) {
    uint32_t n = 0;
    while (n < c->field_count && c->fields[n].cf) n++;          /* injected ones stand behind */
    return n;
}

/* Index of the first field that c declares itself. */
static int32_t first_index(const struct class *c) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->secondary_count; i++)
        if (c->secondary[i]->is_interface && c->secondary[i] != c) n += declared_fields(c->secondary[i]);
    if (!c->is_interface)
        for (const struct class *s = c->super; s; s = s->super) n += declared_fields(s);
    return (int32_t)n;
}

static char type_character(const struct field *f) { return f->desc->bytes[0] == '[' ? 'L' : f->desc->bytes[0]; }

/* Puts c's own fields (instance or static) into the two ends of a list: references at the front, primitives behind
 * them. */
static void add_fields(const struct class *c, bool statics, int32_t index, struct walk_field *references,
                       uint32_t *reference_count, struct walk_field *primitives, uint32_t *primitive_count) {
    uint32_t n = declared_fields(c);
    for (uint32_t i = 0; i < n; i++) {
        const struct field *f = &c->fields[i];
        if (((f->access_flags & ACC_STATIC) != 0) != statics) continue;
        char type = type_character(f);
        struct walk_field entry = {f->offset, index + (int32_t)i, type};
        if (type == 'L') references[(*reference_count)++] = entry;
        else primitives[(*primitive_count)++] = entry;
    }
}

static bool fill_fields(struct heap_walk *w, struct walk_class *wc) {
    uint32_t depth = 0, references = 0, primitives = 0;
    for (const struct class *c = wc->class; c; c = c->super) {
        depth++;
        for (uint32_t i = 0; i < declared_fields(c); i++)
            if (!(c->fields[i].access_flags & ACC_STATIC))
                *(type_character(&c->fields[i]) == 'L' ? &references : &primitives) += 1;
    }
    if (references + primitives == 0) return true;
    wc->fields = arena_alloc(w->arena, (references + primitives) * sizeof *wc->fields);
    const struct class **chain = arena_alloc(w->arena, depth * sizeof *chain);
    if (wc->fields == NULL || chain == NULL) return false;
    depth = 0;
    for (const struct class *c = wc->class; c; c = c->super) chain[depth++] = c;
    /* The interfaces counted are those of the object's class, for the fields of all its superclasses. */
    int32_t index = first_index(wc->class);
    for (const struct class *c = wc->class->super; c; c = c->super) index -= (int32_t)declared_fields(c);
    while (depth-- > 0) {
        add_fields(chain[depth], false, index, wc->fields, &wc->reference_count, wc->fields + references,
                   &wc->primitive_count);
        index += (int32_t)declared_fields(chain[depth]);
    }
    return true;
}

static bool grow_classes(struct heap_walk *w, uint32_t class_id) {
    uint32_t capacity = w->class_capacity ? w->class_capacity : 4096;
    while (capacity <= class_id) capacity *= 2;
    struct walk_class **fresh = mem_realloc(w->classes, capacity * sizeof *fresh);
    if (fresh == NULL) return false;
    memset(fresh + w->class_capacity, 0, (capacity - w->class_capacity) * sizeof *fresh);
    w->classes = fresh;
    w->class_capacity = capacity;
    return true;
}

static NOINLINE struct walk_class *make_class(struct heap_walk *w, uint32_t class_id) {
    if (class_id >= w->class_capacity && !grow_classes(w, class_id)) return NULL;
    struct walk_class *wc = arena_alloc(w->arena, sizeof *wc);
    if (wc == NULL) return NULL;
    const struct shape *s = shape_table[class_id];
    wc->kind = s->kind;
    wc->element_shift = s->element_shift;
    wc->size = s->instance_size;
    if (s->kind == SHAPE_STATICS) return w->classes[class_id] = wc;
    wc->class = (struct class *)s;
    if (class_is_array(wc->class))
        wc->element_type = wc->class->name->bytes[1] == '[' ? 'L' : wc->class->name->bytes[1];
    else if (!fill_fields(w, wc)) return NULL;
    return w->classes[class_id] = wc;
}

struct walk_class *heap_walk_class(struct heap_walk *w, uint32_t class_id) {
    if (LIKELY(class_id < w->class_capacity && w->classes[class_id])) return w->classes[class_id];
    return make_class(w, class_id);
}

void *heap_walk_alloc(struct heap_walk *w, size_t bytes) { return arena_alloc(w->arena, bytes); }

struct walk_field *heap_walk_statics(struct heap_walk *w, struct class *c, uint32_t *references, uint32_t *primitives) {
    *references = *primitives = 0;
    uint32_t n = 0, r = 0;
    for (uint32_t i = 0; i < declared_fields(c); i++) {
        if (!(c->fields[i].access_flags & ACC_STATIC)) continue;
        n++;
        r += type_character(&c->fields[i]) == 'L';
    }
    if (n == 0 || c->statics == NULL) return NULL;
    struct walk_field *fields = arena_alloc(w->arena, n * sizeof *fields);
    if (fields) add_fields(c, true, first_index(c), fields, references, fields + r, primitives);
    return fields;
}

/* ---- stack ------------------------------------------------------------------------------------------------------- */

/* Last in, first out: an object is expanded while what was loaded to report it is still in the cache, and what was
 * allocated together is met together. Breadth first takes each object's page twice. */
enum { CHUNK_REFS = 16 * 1024 - 4 };
struct stack_chunk {
    struct stack_chunk *below;
    ref_t refs[CHUNK_REFS];
};

static bool stack_push(struct heap_walk *w, struct object *o) {
    if (w->top == NULL || w->top_used == CHUNK_REFS) {
        struct stack_chunk *fresh = w->spare ? w->spare : mem_alloc(sizeof *fresh);
        if (fresh == NULL) return false;
        w->spare = NULL;
        fresh->below = w->top;
        w->top = fresh;
        w->top_used = 0;
    }
    w->top->refs[w->top_used++] = ref_encode(o);
    return true;
}

static struct object *stack_pop(struct heap_walk *w) {
    if (w->top == NULL) return NULL;
    if (w->top_used == 0) {
        struct stack_chunk *done = w->top;
        if (done->below == NULL) return NULL;
        w->top = done->below;
        w->top_used = CHUNK_REFS;
        mem_free(w->spare);
        w->spare = done;
    }
    return ref_decode(w->top->refs[--w->top_used]);
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* A statics object is not for tools: variable handles and Unsafe have it in the place of the class. */
static NOINLINE struct walk_class *report_mirror(struct heap_walk *w, struct walk_reference *r) {
    r->object = class_mirror(class_of_statics(r->object));
    return heap_walk_class(w, r->object->class_id);
}

static ALWAYS_INLINE void report(struct heap_walk *w, struct walk_reference *r) {
    r->class = heap_walk_class(w, r->object->class_id);
    if (r->class != NULL && UNLIKELY(r->class->kind == SHAPE_STATICS)) r->class = report_mirror(w, r);
    if (UNLIKELY(r->class == NULL)) {
        w->failed = true;
        return;
    }
    enum walk_answer answer = w->visitor.reference(w->visitor.arg, r);
    if (UNLIKELY(answer & WALK_STOP)) w->stopped = true;
    else if ((answer & WALK_EXPAND) && !heap_bitmap_test_and_set(w->visited, r->object) && !stack_push(w, r->object))
        w->failed = true;
}

void walk_report(struct heap_walk *w, struct walk_reference *r) {
    if (!w->stopped && !w->failed) report(w, r);
}

/* Takes the oldest reference out of the ring. */
static NOINLINE void ring_take(struct heap_walk *w) {
    struct walk_reference *r = &w->ring[w->ring_first++ % RING];
    if (LIKELY(!w->stopped && !w->failed)) report(w, r);
}

static ALWAYS_INLINE void ring_put(struct heap_walk *w, struct object *referrer, struct walk_class *rc,
                                   struct object *o, enum walk_kind kind, int32_t index) {
    if (o == NULL) return;
    __builtin_prefetch(o);
    __builtin_prefetch(&w->visited->bits[(uintptr_t)o >> 6], 1);
    if (w->tag_words) __builtin_prefetch(heap_tag_slot(w->tag_words, o), 1);
    if (w->ring_last - w->ring_first == RING) ring_take(w);
    struct walk_reference *r = &w->ring[w->ring_last++ % RING];
    r->referrer = referrer;
    r->object = o;
    r->referrer_class = rc;
    r->kind = kind;
    r->index = index;
}

/* ---- expansion --------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE void expand_fields(struct heap_walk *w, struct object *o, struct walk_class *wc) {
    for (uint32_t i = 0; i < wc->reference_count; i++)
        ring_put(w, o, wc, heap_load_ref(o, wc->fields[i].offset), WALK_FIELD, wc->fields[i].index);
}

static void put_class(struct heap_walk *w, struct object *o, struct walk_class *wc, struct class *c,
                      enum walk_kind kind, int32_t index) {
    if (c) ring_put(w, o, wc, class_mirror(c), kind, index);
}

bool class_constants(const struct class *c, bool (*visit)(void *arg, int32_t index, struct object *o), void *arg) {
    const struct class_version *v = c->version;
    if (v == NULL) return true;
    for (uint32_t i = 1; i < v->cf->cp.count; i++) {
        uint64_t cell = atomic_load_explicit(&v->cells[i], memory_order_acquire);
        if (cell == 0) continue;
        switch (cp_tag(v->cf, (uint16_t)i)) {
        case CP_Class:
            if (!visit(arg, (int32_t)i, class_mirror((struct class *)(uintptr_t)cell))) return false;
            break;
        case CP_String: case CP_MethodHandle: case CP_MethodType: case CP_Dynamic:
            if (cell != 1 && !visit(arg, (int32_t)i, (struct object *)(uintptr_t)cell)) return false;
            break;
        }
    }
    for (uint32_t i = 0; i < v->call_site_count; i++) {
        struct call_site *site = &v->call_sites[i];
        struct call_target *target = atomic_load_explicit(&site->target, memory_order_acquire);
        struct object *error = atomic_load(&site->error);
        if (target && target->appendix && !visit(arg, site->cp_index, target->appendix)) return false;
        if (error && !visit(arg, site->cp_index, error)) return false;
    }
    return true;
}

struct object *class_signers(const struct class *c) {
    return vm->library == LIBRARY_17 ? c->signers : heap_load_ref(c->mirror, known_offset(Class_signers));
}

struct constant_referrer {
    struct heap_walk *walk;
    struct object *o;
    struct walk_class *class;
};
static bool put_constant(void *arg, int32_t index, struct object *o) {
    struct constant_referrer *r = arg;
    ring_put(r->walk, r->o, r->class, o, WALK_CONSTANT_POOL, index);
    return true;
}

static void expand_mirror(struct heap_walk *w, struct object *o, struct walk_class *wc) {
    struct class *c = class_of_mirror(o);
    if (c == NULL || class_is_primitive(c)) return;
    if (c->super && c->super != known_class(java_lang_Object)) put_class(w, o, wc, c->super, WALK_SUPERCLASS, -1);
    for (uint32_t i = 0; i < c->interface_count; i++) put_class(w, o, wc, c->interfaces[i], WALK_INTERFACE, -1);
    if (c->loader) ring_put(w, o, wc, c->loader->object, WALK_CLASS_LOADER, -1);
    ring_put(w, o, wc, c->protection_domain, WALK_PROTECTION_DOMAIN, -1);
    ring_put(w, o, wc, class_signers(c), WALK_SIGNERS, -1);
    struct constant_referrer referrer = {w, o, wc};
    (void)class_constants(c, put_constant, &referrer);
    uint32_t references, primitives;
    struct walk_field *statics = heap_walk_statics(w, c, &references, &primitives);
    for (uint32_t i = 0; i < references; i++)
        ring_put(w, o, wc, heap_load_ref(c->statics, statics[i].offset), WALK_STATIC_FIELD, statics[i].index);
}

/* Follows a reference that is not reported. */
static ALWAYS_INLINE void follow(struct heap_walk *w, struct object *o) {
    if (o != NULL && !heap_bitmap_test_and_set(w->visited, o) && !stack_push(w, o)) w->failed = true;
}

static void follow_contents(struct heap_walk *w, struct object *o, struct walk_class *wc) {
    if (!wc->followed) follow(w, class_mirror(wc->class));
    wc->followed = true;
    if (wc->kind == SHAPE_REF_ARRAY) {
        int32_t n = array_length(o);
        for (int32_t i = 0; i < n; i++) follow(w, heap_array_get(o, i));
        return;
    }
    for (uint32_t i = 0; i < wc->reference_count; i++) follow(w, heap_load_ref(o, wc->fields[i].offset));
}

static void expand(struct heap_walk *w, struct object *o) {
    struct walk_class *wc = heap_walk_class(w, o->class_id);
    if (wc == NULL) {
        w->failed = true;
        return;
    }
    if (UNLIKELY(wc->kind == SHAPE_STATICS)) {   /* followed without a look at it: see report_mirror */
        follow(w, class_mirror(class_of_statics(o)));
        return;
    }
    if (w->visitor.object && !w->visitor.object(w->visitor.arg, o, wc)) {
        w->stopped = true;
        return;
    }
    if (w->visitor.whole) {
        follow_contents(w, o, wc);
        if (wc->kind == SHAPE_MIRROR) expand_mirror(w, o, wc);
        return;
    }
    put_class(w, o, wc, wc->class, WALK_CLASS, -1);
    if (wc->kind == SHAPE_REF_ARRAY) {
        int32_t n = array_length(o);
        for (int32_t i = 0; i < n && !w->stopped; i++) ring_put(w, o, wc, heap_array_get(o, i), WALK_ARRAY_ELEMENT, i);
        return;
    }
    expand_fields(w, o, wc);
    if (wc->kind == SHAPE_MIRROR) expand_mirror(w, o, wc);
}

/* The object to expand next; NULL: none. What was followed without a report has not been loaded yet: it waits for its
 * header. */
static struct object *next_object(struct heap_walk *w) {
    if (!w->visitor.whole) return stack_pop(w);
    struct object *o;
    while (w->ahead_count < AHEAD && (o = stack_pop(w)) != NULL) {
        __builtin_prefetch(o);
        w->ahead[(w->ahead_first + w->ahead_count++) % AHEAD] = o;
    }
    if (w->ahead_count == 0) return NULL;
    w->ahead_count--;
    return w->ahead[w->ahead_first++ % AHEAD];
}

static void drain(struct heap_walk *w) {
    while (!w->stopped && !w->failed) {
        struct object *o = next_object(w);
        if (o) expand(w, o);
        else if (w->ring_first != w->ring_last) ring_take(w);
        else return;
    }
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

struct heap_walk *heap_walk_new(const struct walk_visitor *visitor) {
    struct heap_walk *w = mem_zalloc(sizeof *w);
    if (w == NULL) return NULL;
    w->visitor = *visitor;
    w->arena = arena_new("heap walk");
    w->visited = heap_bitmap_new();
    if (w->arena && w->visited) return w;
    heap_walk_free(w);
    return NULL;
}

void heap_walk_expect_tags(struct heap_walk *w, const struct tag_table *tags) { w->tag_words = heap_tag_words(tags); }

void heap_walk_free(struct heap_walk *w) {
    if (w == NULL) return;
    for (struct stack_chunk *c = w->top, *below; c; c = below) {
        below = c->below;
        mem_free(c);
    }
    mem_free(w->spare);
    mem_free(w->classes);
    arena_free(w->arena);
    heap_bitmap_free(w->visited);
    mem_free(w);
}

bool heap_walk_follow(struct heap_walk *w, struct object *initial) {
    if (initial == NULL) walk_roots(w);
    else if (!heap_bitmap_test_and_set(w->visited, initial) && !stack_push(w, initial)) w->failed = true;
    drain(w);
    return !w->failed;
}
