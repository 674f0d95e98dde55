/* dump_whole.c: a heap dump by our VM's extension function FollowObjects: each object comes as a whole, so that it can
 * be written when it comes. Objects have numbers of the VM's making. What is special about classes, and of those that
 * came too late, is as in dump_walk.c. */
#include <stdlib.h>
#include <string.h>
#include <vitrine.h>

#include "dump_walk.h"

/* How an instance gets from memory into the file. */
struct move { uint32_t from, to; char type; };

/* What the walk keeps of a class (vitrineObjectClass.tool_data). */
struct whole_class {
    struct whole_class *next;
    struct class_info *info;             /* NULL: not known yet                                            */
    bool ready;
    uint32_t reference_count, count;
    struct move moves[];                 /* references first                                               */
};

struct whole {
    struct dump *dump;
    const vitrineObjectWalk *walk;
    struct whole_class *classes;
    unsigned char *room;                 /* for the values of an object                                    */
    size_t capacity;
};

enum { TAGS_AT_ONCE = 256 };

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static struct whole_class *new_class(struct whole *w, const vitrineObjectClass *k) {
    struct whole_class *c = calloc(1, sizeof *c + (size_t)k->field_count * sizeof c->moves[0]);
    if (c == NULL) return NULL;
    c->next = w->classes;
    w->classes = c;
    c->info = class_by_tag(w->dump->h, k->tag);
    c->ready = dump_is_ready(w->dump, c->info);
    for (jint i = 0; c->ready && i < k->field_count; i++) {
        uint32_t slot = (uint32_t)k->fields[i].index - c->info->slot_base;
        if (slot >= c->info->slot_count || c->info->slots[slot].offset == NOT_AN_INSTANCE_FIELD) continue;
        if (i < k->reference_count) c->reference_count++;
        c->moves[c->count++] = (struct move){(uint32_t)k->fields[i].offset, c->info->slots[slot].offset,
                                             k->fields[i].type};
    }
    return c;
}

static struct whole_class *class_of_object(struct whole *w, const vitrineObject *o) {
    if (o->klass->tool_data == NULL) o->klass->tool_data = new_class(w, o->klass);
    return o->klass->tool_data;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static unsigned char *room_for(struct whole *w, size_t n) {
    if (n <= w->capacity) return w->room;
    free(w->room);
    w->capacity = n + n / 2;
    w->room = malloc(w->capacity);
    if (w->room == NULL) w->capacity = 0;
    return w->room;
}

static uint64_t identifier(const struct whole *w, jlong tag) { return tag == 0 ? 0 : dump_id(w->dump, tag); }

static jlong reference_at(const struct whole *w, const void *at) {
    jlong tag;
    w->walk->ReferenceTags(w->walk, at, 1, &tag);
    return tag;
}

static bool write_instance(struct whole *w, const struct whole_class *c, const struct dump_object *head,
                           const char *contents) {
    struct dump *d = w->dump;
    unsigned char *values = room_for(w, (size_t)c->info->data_size + 1);
    if (values == NULL) return false;
    uint32_t count = d->h->options.redact ? c->reference_count : c->count;
    memset(values, 0, c->info->data_size);
    for (uint32_t i = 0; i < c->reference_count; i++)
        store_id(values + c->moves[i].to, identifier(w, reference_at(w, contents + c->moves[i].from)),
                 d->h->records.id_size);
    for (uint32_t i = c->reference_count; i < count; i++)
        store_primitive(values + c->moves[i].to, c->moves[i].type, contents + c->moves[i].from);
    d->form->instance(d, head, values);
    return true;
}

static bool write_object_array(struct whole *w, const struct dump_object *head, uint32_t length, const char *contents) {
    struct dump *d = w->dump;
    size_t id_size = (size_t)d->h->records.id_size;
    unsigned char *elements = room_for(w, length * id_size + 1);
    if (elements == NULL) return false;
    jlong tags[TAGS_AT_ONCE];
    for (uint32_t done = 0, part; done < length; done += part) {
        part = length - done < TAGS_AT_ONCE ? length - done : TAGS_AT_ONCE;
        w->walk->ReferenceTags(w->walk, contents + (size_t)done * sizeof(uint32_t), (jint)part, tags);
        for (uint32_t i = 0; i < part; i++)
            store_id(elements + (done + i) * id_size, identifier(w, tags[i]), (int)id_size);
    }
    d->form->object_array(d, head, length, elements);
    return true;
}

/* ---- objects of classes that came too late ----------------------------------------------------------------------- */

static void defer_value(struct whole *w, const vitrineObject *o, const vitrineFieldPlace *f) {
    const char *at = (const char *)o->contents + f->offset;
    jvalue value = {.j = 0};
    if (f->type == 'L') value.j = reference_at(w, at) & TAG_ID_MASK;
    else if (!w->dump->h->options.redact) memcpy(&value, at, type_size(f->type, 8));
    if (f->type != 'L' || value.j != 0) dump_defer(w->dump, o->tag, f->type, f->index, (uint64_t)value.j);
}

static void defer_object(struct whole *w, const vitrineObject *o) {
    struct dump *d = w->dump;
    if (o->length >= 0) dump_note_array(d, (uint64_t)(o->tag & TAG_ID_MASK), o->length, o->size);
    dump_defer(d, o->tag, 'c', 0, (uint64_t)(o->klass->tag & TAG_ID_MASK));
    for (jint i = 0; i < o->klass->field_count; i++) defer_value(w, o, &o->klass->fields[i]);
    for (jint i = 0; i < o->length; i++) {
        jlong tag = reference_at(w, (const char *)o->contents + (size_t)i * sizeof(uint32_t));
        if (tag != 0) dump_defer(d, o->tag, '[', i, (uint64_t)(tag & TAG_ID_MASK));
    }
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

static jint JNICALL on_untagged_class(jlong size, jlong *tag_ptr, void *user_data) {
    (void)size;
    return dump_new_mirror(((struct whole *)user_data)->dump, tag_ptr) != NULL ? JVMTI_VISIT_OBJECTS
                                                                               : JVMTI_VISIT_ABORT;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                                 jint length, void *user_data) {
    return dump_on_reference(kind, info, class_tag, referrer_class_tag, size, tag_ptr, referrer_tag_ptr, length,
                             ((struct whole *)user_data)->dump);
}

static jint JNICALL on_static_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong *tag_ptr, jvalue value, jvmtiPrimitiveType value_type, void *user_data) {
    return dump_on_primitive_field(kind, info, class_tag, tag_ptr, value, value_type,
                                   ((struct whole *)user_data)->dump);
}

static bool write_object(struct whole *w, const vitrineObject *o, const struct whole_class *c) {
    struct dump *d = w->dump;
    struct dump_object head = {dump_id(d, o->tag), 0, o->size, c->info};
    if (o->length >= 0 && o->klass->element_type != 'L') {
        d->form->primitive_array(d, &head, (uint32_t)o->length, o->klass->element_type,
                                 d->h->options.redact ? NULL : o->contents);
        return true;
    }
    if (!c->ready) defer_object(w, o);
    else
        return o->length >= 0 ? write_object_array(w, &head, (uint32_t)o->length, o->contents)
                              : write_instance(w, c, &head, o->contents);
    return true;
}

/* A class itself is written behind the walk. */
static jint JNICALL on_object(const vitrineObjectWalk *walk, vitrineObject *o, void *user_data) {
    struct whole *w = user_data;
    struct dump *d = w->dump;
    w->walk = walk;
    struct whole_class *c = class_of_object(w, o);
    if (c == NULL) {
        d->failed = true;
        return JVMTI_VISIT_ABORT;
    }
    struct known *k = (uint64_t)o->tag < KNOWN_MAX ? known_by_tag(d->h, o->tag) : NULL;
    if (k != NULL) dump_meet_known(d, k, c->info, o->size);
    else dump_count(d, c->info, o->size);
    bool too_many = d->h->records.id_size == 4 && dump_id(d, o->tag) > UINT32_MAX;
    if (too_many || (c->info != d->h->classes.class_class && !write_object(w, o, c))) d->failed = true;
    return d->failed || output_failed(d->h->out) ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
}

bool dump_follow_whole(struct dump *d) {
    static const vitrineObjectCallbacks callbacks = {on_untagged_class, on_reference, on_static_field, on_object};
    struct whole w = {.dump = d};
    bool ok = hprof_ok(d->h, d->h->follow_objects(d->env, (jlong)d->base, &callbacks, &w), "FollowObjects");
    for (struct whole_class *c = w.classes, *next; c != NULL; c = next) {
        next = c->next;
        free(c);
    }
    free(w.room);
    return ok;
}
