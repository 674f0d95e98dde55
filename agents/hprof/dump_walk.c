/* dump_walk.c: walks the heap once and puts each object together from what the callbacks report.
 *
 * Objects are numbered with tags when they are met. An object is complete when its references have been passed (they
 * are reported in a row) and each of its primitive fields has arrived (they may come earlier or later than the
 * references). Where the tags serve allocation sites too, the numbers of each dump go on from those of the last one;
 * else each dump has an environment of its own, so that no tags stay behind. There our VM numbers the objects and
 * reports each as a whole (dump_whole.c).
 *
 * Threads go on loading classes until the walk stops them; those that they prepare wait until the dump is written, and
 * cannot be unloaded between the walk and what is asked behind it (hprof.c). A mirror that is met and not known gets a
 * number as a class has it. What is reported of a class without a layout, and of its instances, is kept; behind the
 * walk the classes are asked for their names and layouts, and the rest is written. Mirrors that are left then are those
 * of primitive types: instances without contents. HotSpot's archived heap has instances of classes that are not even
 * prepared: JVM TI does not report their fields, and they are written as instances of java.lang.Object. A class that
 * the walk has not met has been dropped meanwhile, or comes too late: it is not in the dump. */
#include "dump_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sites.h"

/* ---- records of the walk ----------------------------------------------------------------------------------------- */

struct pending {
    struct pending *next;
    uint64_t number;
    uint32_t site, length;              /* length: of an array                                            */
    struct class_info *class;
    uint32_t primitives_left;
    bool passed;                        /* its references have all been reported                          */
    bool hashed;
    size_t capacity;
    unsigned char *data;
};

/* What is reported of an array when it is met and needed when it is written. */
struct array_note { uint32_t length, size_units; };
enum { NOTE_CHUNK = 1 << 16, NOTE_CHUNKS = 1 << 16, SIZE_UNIT = 8 };

struct deferred {
    uint64_t number;                    /* of an object, or of the class whose mirror it is               */
    uint64_t order;
    uint32_t site;
    int32_t index;
    char type;                          /* primitive; 'L': field; '[': element; 'c': class; 'm': just met;
                                           of a mirror: 'l': loader, 's': signers, 'p': protection domain */
    uint64_t value;                     /* number of the referee, or the bits of the value                */
};

static uint32_t site_of(jlong tag) { return (uint32_t)((uint64_t)tag >> TAG_ID_BITS); }

static void out_of_memory(struct dump *d) { d->failed = true; }

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

void dump_note_array(struct dump *d, uint64_t number, jint length, jlong size) {
    uint64_t at = number - d->base;
    struct array_note **chunk = at / NOTE_CHUNK < NOTE_CHUNKS ? &d->notes[at / NOTE_CHUNK] : NULL;
    if (chunk != NULL && *chunk == NULL) *chunk = calloc(NOTE_CHUNK, sizeof **chunk);
    if (chunk == NULL || *chunk == NULL) out_of_memory(d);
    else (*chunk)[at % NOTE_CHUNK] = (struct array_note){(uint32_t)length, (uint32_t)(size / SIZE_UNIT)};
}

static struct array_note array_note_of(const struct dump *d, uint64_t number) {
    uint64_t at = number - d->base;
    const struct array_note *chunk = number >= d->base && at / NOTE_CHUNK < NOTE_CHUNKS ? d->notes[at / NOTE_CHUNK]
                                                                                        : NULL;
    return chunk != NULL ? chunk[at % NOTE_CHUNK] : (struct array_note){0, 0};
}

/* ---- objects being put together ---------------------------------------------------------------------------------- */

static struct dump_object head_of(struct dump *d, uint64_t number, uint32_t site, const struct class_info *c) {
    int64_t size = c->shape == SHAPE_INSTANCE ? c->object_size
                                              : (int64_t)array_note_of(d, number).size_units * SIZE_UNIT;
    return (struct dump_object){dump_id(d, (jlong)number), sites_trace(d->h, site), size, c};
}

static void unlink_pending(struct dump *d, struct pending *p) {
    for (struct pending **at = &d->buckets[p->number % 1024]; *at != NULL; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            break;
        }
}

static void emit(struct dump *d, struct pending *p) {
    struct dump_object o = head_of(d, p->number, p->site, p->class);
    if (p->class->shape == SHAPE_INSTANCE) d->form->instance(d, &o, p->data);
    else d->form->object_array(d, &o, p->length, p->data);
    if (p->hashed) unlink_pending(d, p);
    p->next = d->spare;
    d->spare = p;
}

static struct pending *find_pending(struct dump *d, uint64_t number) {
    struct pending *p = d->buckets[number % 1024];
    while (p != NULL && p->number != number) p = p->next;
    return p;
}

static struct pending *start_pending(struct dump *d, uint64_t number, uint32_t site, struct class_info *c) {
    struct pending *p = d->spare;
    if (p != NULL) d->spare = p->next;
    else if ((p = calloc(1, sizeof *p)) == NULL) return NULL;
    bool array = c->shape == SHAPE_OBJECT_ARRAY;
    p->length = array ? array_note_of(d, number).length : 0;
    size_t size = array ? (size_t)p->length * (size_t)d->h->records.id_size : c->data_size;
    if (size > p->capacity || p->data == NULL) {
        free(p->data);
        p->data = malloc(size + 64);
        p->capacity = p->data != NULL ? size + 64 : 0;
        if (p->data == NULL) {
            free(p);
            return NULL;
        }
    }
    memset(p->data, 0, size);
    p->number = number;
    p->site = site;
    p->class = c;
    p->primitives_left = array ? 0 : c->primitive_count;
    p->passed = false;
    p->hashed = p->primitives_left > 0;
    if (p->hashed) {
        p->next = d->buckets[number % 1024];
        d->buckets[number % 1024] = p;
    }
    return p;
}

/* The references have moved on from the current object. */
static void pass_current(struct dump *d) {
    struct pending *p = d->current;
    d->current = NULL;
    if (p == NULL) return;
    p->passed = true;
    if (p->primitives_left == 0) emit(d, p);
}

static struct pending *make_current(struct dump *d, uint64_t number, uint32_t site, struct class_info *c) {
    pass_current(d);
    struct pending *p = c->primitive_count > 0 ? find_pending(d, number) : NULL;
    if (p == NULL) p = start_pending(d, number, site, c);
    if (p == NULL) out_of_memory(d);
    return d->current = p;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static uint64_t bits_of(jvalue v, char type) {
    uint64_t bits = 0;
    memcpy(&bits, &v, type_size(type, 8));
    return bits;
}

static const struct field_slot *slot_of(const struct class_info *c, int32_t index) {
    uint32_t at = (uint32_t)index - c->slot_base;
    return at < c->slot_count && c->slots[at].offset != NOT_AN_INSTANCE_FIELD ? &c->slots[at] : NULL;
}

/* Where the value of a static field is kept, or NULL. */
static unsigned char *static_of(struct class_info *c, int32_t index) {
    uint32_t at = (uint32_t)index - c->first_index;
    return c->laid_out && at < c->field_count && c->fields[at].is_static ? c->statics + c->fields[at].value : NULL;
}

/* ---- classes that came too late ---------------------------------------------------------------------------------- */

bool dump_is_ready(const struct dump *d, const struct class_info *c) {
    return c != NULL && c->laid_out && (c->load_written || d->h->options.form != FORM_BINARY);
}

void dump_defer(struct dump *d, jlong tag, char type, int32_t index, uint64_t value) {
    if (d->deferred_count == d->deferred_capacity) {
        size_t capacity = d->deferred_capacity * 2 + 256;
        struct deferred *grown = realloc(d->deferred, capacity * sizeof *grown);
        if (grown == NULL) {
            out_of_memory(d);
            return;
        }
        d->deferred = grown;
        d->deferred_capacity = capacity;
    }
    d->deferred[d->deferred_count] = (struct deferred){(uint64_t)(tag & TAG_ID_MASK),
                                                       d->deferred_count,
                                                       site_of(tag),
                                                       index,
                                                       type,
                                                       value};
    d->deferred_count++;
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

void dump_count(struct dump *d, struct class_info *c, jlong size) {
    d->objects++;
    d->bytes += (uint64_t)size;
    if (c != NULL && c->shape == SHAPE_INSTANCE) c->object_size = size;
}

static void list_mirror(struct dump *d, struct class_info *mirror) {
    mirror->next_mirror = d->mirrors;
    d->mirrors = mirror;
}

void dump_meet_known(struct dump *d, struct known *k, struct class_info *c, jlong size) {
    if (k->met == d->h->dumps) return;
    k->met = d->h->dumps;
    dump_count(d, c, size);
    if (k->kind == KNOWN_MIRROR && !d->whole) list_mirror(d, (struct class_info *)k);
}

struct class_info *dump_new_mirror(struct dump *d, jlong *tag) {
    struct class_info *mirror = mirror_add(d->h);
    if (mirror == NULL) {
        out_of_memory(d);
        return NULL;
    }
    *tag = (*tag & ~TAG_ID_MASK) | mirror->known.id;
    if (d->whole) list_mirror(d, mirror);
    return mirror;
}

/* Numbers an object that is met for the first time. */
static void meet(struct dump *d, struct class_info *c, jlong size, jint length, jlong *tag) {
    uint64_t number = (uint64_t)(*tag & TAG_ID_MASK);
    if (number >= d->base) return;
    struct known *k = number < KNOWN_MAX ? known_by_tag(d->h, *tag) : NULL;
    if (k != NULL) {
        dump_meet_known(d, k, c, size);
        return;
    }
    if (c != NULL && c == d->h->classes.class_class) {
        struct class_info *mirror = dump_new_mirror(d, tag);
        if (mirror != NULL) dump_meet_known(d, &mirror->known, c, size);
        return;
    }
    if (d->h->records.id_size == 4 && d->next - d->base >= UINT32_MAX - KNOWN_MAX) {
        d->failed = true;
        return;
    }
    number = d->next++;
    *tag = (*tag & ~TAG_ID_MASK) | (jlong)number;
    dump_count(d, c, size);
    if (length >= 0 && (d->form->sizes || c == NULL || c->shape != SHAPE_PRIMITIVE_ARRAY))
        dump_note_array(d, number, length, size);
    if (c == NULL) dump_defer(d, *tag, 'm', -1, 0);    /* written in any case, even if nothing more is reported of it */
    if (c != NULL && c->shape == SHAPE_PRIMITIVE_ARRAY && length == 0) {
        /* HotSpot does not report the values of empty arrays. */
        struct dump_object o = {dump_id(d, *tag), sites_trace(d->h, site_of(*tag)), size, c};
        d->form->primitive_array(d, &o, 0, c->signature[1], NULL);
    }
}

static void report_root(struct dump *d, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong tag) {
    struct dump_root root = {.kind = kind, .id = dump_id(d, tag), .frame = -1};
    const struct known *k = NULL;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL && info != NULL) {
        k = known_by_tag(d->h, info->stack_local.thread_tag);
        root.frame = info->stack_local.depth;
    } else if (kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL && info != NULL) {
        k = known_by_tag(d->h, info->jni_local.thread_tag);
        root.frame = info->jni_local.depth;
    } else if (kind == JVMTI_HEAP_REFERENCE_THREAD) {
        k = known_by_tag(d->h, tag);
    } else if (kind == JVMTI_HEAP_REFERENCE_SYSTEM_CLASS) {
        root.class = class_by_tag(d->h, tag);
    }
    if (k != NULL && k->kind == KNOWN_THREAD) {
        root.thread = ((const struct thread_info *)k)->serial;
        root.trace = ((const struct thread_info *)k)->trace;
    }
    d->form->root(d, &root);
}

/* The type of a deferred reference from a mirror; 0: superclass and interfaces are known, constants are not dumped. */
static char mirror_edge_type(jvmtiHeapReferenceKind kind) {
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_CLASS_LOADER: return 'l';
    case JVMTI_HEAP_REFERENCE_SIGNERS: return 's';
    case JVMTI_HEAP_REFERENCE_PROTECTION_DOMAIN: return 'p';
    case JVMTI_HEAP_REFERENCE_STATIC_FIELD: return 'L';
    default: return 0;
    }
}

/* value: an identifier, or the bits of a primitive one. */
static void fill_class(const struct dump *d, struct class_info *c, char type, int32_t index, uint64_t value) {
    if (type == 'l') c->loader = value;
    else if (type == 's') c->signers = value;
    else if (type == 'p') c->domain = value;
    else {
        unsigned char *at = static_of(c, index);
        if (at != NULL && type == 'L') store_id(at, value, d->h->records.id_size);
        else if (at != NULL) store_primitive(at, type, &value);
    }
}

static void mirror_edge(struct dump *d, jlong referrer, jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
                        jlong tag) {
    char type = mirror_edge_type(kind);
    int32_t index = type == 'L' ? info->field.index : -1;
    struct class_info *c = class_by_tag(d->h, referrer);
    if (type == 0) return;
    if (c != NULL && c->laid_out) fill_class(d, c, type, index, dump_id(d, tag));
    else dump_defer(d, referrer, type, index, (uint64_t)(tag & TAG_ID_MASK));
}

static void deferred_edge(struct dump *d, jlong referrer, jvmtiHeapReferenceKind kind,
                          const jvmtiHeapReferenceInfo *info, uint64_t number) {
    if (kind == JVMTI_HEAP_REFERENCE_FIELD) dump_defer(d, referrer, 'L', info->field.index, number);
    else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT) dump_defer(d, referrer, '[', info->array.index, number);
    else if (kind == JVMTI_HEAP_REFERENCE_CLASS) dump_defer(d, referrer, 'c', 0, number);
}

static void object_edge(struct dump *d, jlong referrer, struct class_info *c, jvmtiHeapReferenceKind kind,
                        const jvmtiHeapReferenceInfo *info, uint64_t id) {
    uint64_t number = (uint64_t)(referrer & TAG_ID_MASK);
    struct pending *p = d->current;
    if (p == NULL || p->number != number) p = make_current(d, number, site_of(referrer), c);
    if (p == NULL) return;
    size_t id_size = (size_t)d->h->records.id_size;
    if (kind == JVMTI_HEAP_REFERENCE_FIELD) {
        const struct field_slot *slot = slot_of(c, info->field.index);
        if (slot != NULL && slot->type == 'L') store_id(p->data + slot->offset, id, (int)id_size);
    } else if (kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT && (uint32_t)info->array.index < p->length) {
        store_id(p->data + (size_t)info->array.index * id_size, id, (int)id_size);
    }
}

jint JNICALL dump_on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                               jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                               jint length, void *user_data) {
    struct dump *d = user_data;
    meet(d, class_by_tag(d->h, class_tag), size, length, tag_ptr);
    if (d->failed || output_failed(d->h->out)) return JVMTI_VISIT_ABORT;
    if (referrer_tag_ptr == NULL) {
        report_root(d, kind, info, *tag_ptr);
        return JVMTI_VISIT_OBJECTS;
    }
    struct class_info *c = class_by_tag(d->h, referrer_class_tag);
    if (c != NULL && c == d->h->classes.class_class) mirror_edge(d, *referrer_tag_ptr, kind, info, *tag_ptr);
    else if (!dump_is_ready(d, c)) deferred_edge(d, *referrer_tag_ptr, kind, info, (uint64_t)(*tag_ptr & TAG_ID_MASK));
    else if (c->shape != SHAPE_PRIMITIVE_ARRAY)
        object_edge(d, *referrer_tag_ptr, c, kind, info, dump_id(d, *tag_ptr));
    return JVMTI_VISIT_OBJECTS;
}

jint JNICALL dump_on_primitive_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                     jlong *tag_ptr, jvalue value, jvmtiPrimitiveType value_type, void *user_data) {
    struct dump *d = user_data;
    char type = (char)value_type;
    uint64_t bits = d->h->options.redact ? 0 : bits_of(value, type);
    struct class_info *mirrored = class_by_tag(d->h, *tag_ptr), *c = class_by_tag(d->h, class_tag);
    if (kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD) {
        if (mirrored != NULL && mirrored->laid_out) fill_class(d, mirrored, type, info->field.index, bits);
        else dump_defer(d, *tag_ptr, type, info->field.index, bits);
        return d->failed ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
    }
    if (c != NULL && c == d->h->classes.class_class) return JVMTI_VISIT_OBJECTS;
    if (!dump_is_ready(d, c)) {
        dump_defer(d, *tag_ptr, type, info->field.index, bits);
        return d->failed ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
    }
    uint64_t number = (uint64_t)(*tag_ptr & TAG_ID_MASK);
    struct pending *p = d->current != NULL && d->current->number == number ? d->current : find_pending(d, number);
    if (p == NULL && (p = start_pending(d, number, site_of(*tag_ptr), c)) == NULL) {
        out_of_memory(d);
        return JVMTI_VISIT_ABORT;
    }
    const struct field_slot *slot = slot_of(c, info->field.index);
    if (slot != NULL && slot->type == type) store_primitive(p->data + slot->offset, type, &bits);
    if (--p->primitives_left == 0 && p->passed) emit(d, p);
    return JVMTI_VISIT_OBJECTS;
}

static jint JNICALL on_primitive_array(jlong class_tag, jlong size, jlong *tag_ptr, jint count, jvmtiPrimitiveType type,
                                       const void *elements, void *user_data) {
    struct dump *d = user_data;
    struct class_info *c = class_by_tag(d->h, class_tag);
    if (count == 0) return JVMTI_VISIT_OBJECTS;                       /* written when it was met, or behind the walk */
    struct dump_object o = {dump_id(d, *tag_ptr), sites_trace(d->h, site_of(*tag_ptr)), size, c};
    d->form->primitive_array(d, &o, (uint32_t)count, (char)type, d->h->options.redact ? NULL : elements);
    return output_failed(d->h->out) ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
}

/* ---- behind the walk --------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
    const struct deferred *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Learns the names and layouts of the classes that the walk has met without them, and writes LOAD_CLASS. All get their
 * numbers first, since one leads to others. */
static void learn_classes(struct dump *d, JNIEnv *jni) {
    jint count = 0;
    jclass *list = NULL;
    if (!hprof_ok(d->h, (*d->env)->GetLoadedClasses(d->env, &count, &list), "GetLoadedClasses")) return;
    for (int pass = 1; pass <= 2; pass++)
        for (jint i = 0; i < count; i++) {
            jlong tag = 0;
            if ((*d->env)->GetTag(d->env, list[i], &tag) != JVMTI_ERROR_NONE) continue;
            const struct known *k = known_by_tag(d->h, tag);
            if (k == NULL || k->met != d->h->dumps) continue;
            if (pass == 1) {
                if (d->own_env && k->kind == KNOWN_MIRROR) (*d->h->env)->SetTag(d->h->env, list[i], k->id);
                continue;
            }
            struct class_info *c = class_of(d->h, jni, list[i]);
            if (c == NULL) continue;
            class_lay_out(d->h, jni, list[i], c);
            class_write(d->h, c);
        }
    hprof_free(d->h, list);
}

/* Mirrors that are not those of classes. The numbers that an environment of the dump's own has given them serve the
 * next dump. */
static void write_mirrors(struct dump *d) {
    for (struct class_info *m = d->mirrors, *next; m != NULL; m = next) {
        next = m->next_mirror;
        if (m->known.kind != KNOWN_MIRROR) continue;
        bool met = m->known.met == d->h->dumps;
        struct pending *p = met ? start_pending(d, m->known.id, 0, d->h->classes.class_class) : NULL;
        if (p != NULL) emit(d, p);
        else if (met) out_of_memory(d);
        if (!d->own_env) continue;
        m->next_mirror = d->h->classes.spare_mirrors;
        d->h->classes.spare_mirrors = m;
    }
}

static void fill_deferred(struct dump *d, struct pending *p, const struct deferred *e) {
    size_t id_size = (size_t)d->h->records.id_size;
    if (e->type == '[' && (uint32_t)e->index < p->length) {
        store_id(p->data + (size_t)e->index * id_size, dump_id(d, (jlong)e->value), (int)id_size);
        return;
    }
    const struct field_slot *slot = p->class->shape == SHAPE_INSTANCE && e->type != 'c' && e->type != 'm'
                                        ? slot_of(p->class, e->index)
                                        : NULL;
    if (slot == NULL || slot->type != e->type) return;
    if (e->type == 'L') store_id(p->data + slot->offset, dump_id(d, (jlong)e->value), (int)id_size);
    else store_primitive(p->data + slot->offset, e->type, &e->value);
}

/* What was kept of one class: the entries from e on. */
static void write_deferred_class(struct dump *d, const struct deferred *e, const struct deferred *end) {
    struct class_info *c = class_by_tag(d->h, (jlong)e->number);
    for (; c != NULL && e < end; e++) {
        bool is_reference = strchr("Llsp", e->type) != NULL;
        fill_class(d, c, e->type, e->index, is_reference ? dump_id(d, (jlong)e->value) : e->value);
    }
}

/* What was kept of one object: the entries from e on. */
static void write_deferred_object(struct dump *d, const struct deferred *e, const struct deferred *end) {
    struct class_info *c = NULL;
    for (const struct deferred *at = e; at < end; at++)
        if (at->type == 'c') c = class_by_tag(d->h, (jlong)at->value);
    if (!dump_is_ready(d, c)) c = d->h->classes.class_class->super;
    if (c->shape == SHAPE_PRIMITIVE_ARRAY) {
        struct dump_object o = head_of(d, e->number, e->site, c);
        if (array_note_of(d, e->number).length == 0) d->form->primitive_array(d, &o, 0, c->signature[1], NULL);
        return;
    }
    struct pending *p = start_pending(d, e->number, e->site, c);
    if (p == NULL) out_of_memory(d);
    for (; p != NULL && e < end; e++) fill_deferred(d, p, e);
    if (p != NULL) emit(d, p);
}

static void write_deferred(struct dump *d) {
    if (d->deferred_count != 0) qsort(d->deferred, d->deferred_count, sizeof *d->deferred, by_number);
    const struct deferred *last = d->deferred + d->deferred_count;
    for (const struct deferred *e = d->deferred, *end; e < last; e = end) {
        for (end = e + 1; end < last && end->number == e->number;) end++;
        if (e->number < KNOWN_MAX) write_deferred_class(d, e, end);
        else write_deferred_object(d, e, end);
    }
}

static void write_classes(struct dump *d) {
    for (uint32_t id = 1; id <= d->h->classes.known_count; id++) {
        struct class_info *c = class_by_tag(d->h, id);
        if (c != NULL && c->known.met == d->h->dumps && (c->load_written || d->h->options.form != FORM_BINARY))
            d->form->class(d, c);
    }
}

static void finish_pending(struct dump *d) {
    pass_current(d);
    for (unsigned i = 0; i < 1024; i++)
        while (d->buckets[i] != NULL) emit(d, d->buckets[i]);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool open_environment(struct dump *d) {
    struct hprof *h = d->h;
    d->env = h->env;
    d->base = d->next = h->next_object;
    if (h->sites != NULL) return true;
    if ((*h->vm)->GetEnv(h->vm, (void **)&d->env, JVMTI_VERSION_1_1) != JNI_OK) return false;
    d->own_env = true;
    d->whole = h->follow_objects != NULL;
    d->base = d->next = KNOWN_MAX;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_tag_objects = 1;
    return hprof_ok(h, (*d->env)->AddCapabilities(d->env, &wanted), "adding can_tag_objects");
}

/* Gives known objects their numbers in an environment of the dump's own; resets what the last walk found. The
 * references to the classes go: they would be roots of the dump. */
static void number_known(struct dump *d, JNIEnv *jni, const jclass *classes, jint class_count) {
    struct hprof *h = d->h;
    for (jint i = 0; i < class_count; i++) {
        struct class_info *c = class_of(h, jni, classes[i]);
        if (c != NULL) {
            if (d->own_env) (*d->env)->SetTag(d->env, classes[i], c->known.id);
            c->loader = c->signers = c->domain = 0;
            if (c->statics != NULL) memset(c->statics, 0, c->statics_size);
        }
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    jint count = 0;
    jthread *list = NULL;
    if (!d->own_env || (*d->env)->GetAllThreads(d->env, &count, &list) != JVMTI_ERROR_NONE) return;
    for (jint i = 0; i < count; i++) {
        struct thread_info *t = thread_of(h, jni, list[i]);
        if (t != NULL) (*d->env)->SetTag(d->env, list[i], t->known.id);
    }
    (*d->env)->Deallocate(d->env, (unsigned char *)list);
}

/* Notes each thread's stack, which the dump's thread roots refer to. */
static void note_stacks(struct hprof *h, JNIEnv *jni) {
    jint count = 0;
    jvmtiStackInfo *list = NULL;
    if (!hprof_ok(h, (*h->env)->GetAllStackTraces(h->env, h->options.depth, &list, &count), "GetAllStackTraces"))
        return;
    for (jint i = 0; i < count; i++) {
        struct thread_info *t = thread_of(h, jni, list[i].thread);
        if (t != NULL) t->trace = trace_put(h, jni, list[i].frame_buffer, list[i].frame_count, t->serial, true);
    }
    hprof_free(h, list);
}

static bool follow(struct dump *d) {
    if (d->whole) return dump_follow_whole(d);
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_reference_callback = dump_on_reference;
    callbacks.primitive_field_callback = dump_on_primitive_field;
    callbacks.array_primitive_value_callback = on_primitive_array;
    return hprof_ok(d->h, (*d->env)->FollowReferences(d->env, 0, NULL, NULL, &callbacks, d), "FollowReferences");
}

static void release(struct dump *d) {
    if (d->own_env) (*d->env)->DisposeEnvironment(d->env);
    else d->h->next_object = d->next;
    for (unsigned i = 0; d->notes != NULL && i < NOTE_CHUNKS; i++) free(d->notes[i]);
    free(d->notes);
    free(d->deferred);
    for (struct pending *p = d->spare, *next; p != NULL; p = next) {
        next = p->next;
        free(p->data);
        free(p);
    }
}

static void walk_and_write(struct dump *d, JNIEnv *jni) {
    bool complete = d->form->begin(d) && follow(d) && !d->failed;
    d->form->in_front(d, jni, learn_classes);
    finish_pending(d);
    write_deferred(d);
    write_mirrors(d);
    write_classes(d);
    complete = complete && !d->failed;
    if (!complete && !output_failed(d->h->out))
        fprintf(stderr, "hprof: out of memory, the heap dump is not complete\n");
    d->form->end(d, complete);
}

/* Whether classes that are prepared wait (on_class_prepare). */
static void hold_classes(struct hprof *h, bool on) {
    if (!h->prepares)
        hprof_ok(h, (*h->env)->SetEventNotificationMode(h->env, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                                        JVMTI_EVENT_CLASS_PREPARE, NULL),
                 "ClassPrepare for a heap dump");
}

void dump_write(struct hprof *h, JNIEnv *jni) {
    struct dump d = {.h = h, .form = h->options.form == FORM_BINARY ? &dump_binary : &dump_text};
    jint count = 0;
    jclass *classes = NULL;
    h->dumps++;
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        fprintf(stderr, "hprof: out of memory for local references\n");
        return;
    }
    d.notes = calloc(NOTE_CHUNKS, sizeof *d.notes);
    hold_classes(h, true);
    threads_refresh(h, jni);
    note_stacks(h, jni);
    if (d.notes != NULL && open_environment(&d) && classes_refresh(h, jni, &count, &classes)) {
        number_known(&d, jni, classes, count);
        traces_write(h);
        walk_and_write(&d, jni);
    }
    hold_classes(h, false);
    release(&d);
    hprof_free(h, classes);
    (*jni)->PopLocalFrame(jni, NULL);
}
