/* Reading the StackMapTable of the method into frames. JVMS 4.7.4. */
#include "verify/verify_internal.h"

enum {
    SAME_LOCALS_1 = 64,
    RESERVED = 128,
    SAME_LOCALS_1_EXTENDED = 247,
    SAME_EXTENDED = 251,
    FULL = 255,
};

/* Cursor over the attribute and the frame before. */
struct map_reader {
    struct verifier *v;
    const uint8_t *p, *end;
    const struct vframe *previous;
    bool first; /* previous is the initial frame, whose locals the verification will change */
};

static bool read_u1(struct map_reader *r, uint8_t *out) {
    *out = 0;
    if (r->p == r->end) return reject_stackmap_format(r->v, "access beyond the end of attribute");
    *out = *r->p++;
    return true;
}

static bool read_u2(struct map_reader *r, uint16_t *out) {
    *out = 0;
    if (r->end - r->p < 2) return reject_stackmap_format(r->v, "access beyond the end of attribute");
    *out = cf_u2(r->p);
    r->p += 2;
    return true;
}

static bool read_type(struct map_reader *r, uint8_t *flags, struct vtype *out) {
    static const struct vtype simple[] = { { (uintptr_t)KIND_TOP << 8 | 1 },   { (uintptr_t)KIND_INTEGER << 8 | 1 },
                                           { (uintptr_t)KIND_FLOAT << 8 | 1 }, { (uintptr_t)KIND_DOUBLE << 8 | 1 },
                                           { (uintptr_t)KIND_LONG << 8 | 1 },  { 0 } };
    enum { ITEM_UninitializedThis = 6, ITEM_Object = 7, ITEM_Uninitialized = 8 };
    struct verifier *v = r->v;
    uint8_t tag;
    uint16_t operand;
    if (!read_u1(r, &tag)) return false;
    if (tag < ARRAY_LEN(simple)) {
        *out = simple[tag];
        return true;
    }
    switch (tag) {
    case ITEM_UninitializedThis:
        if (flags != NULL) *flags |= FLAG_THIS_UNINIT;
        *out = vtype_uninitialized(THIS_BCI);
        return true;
    case ITEM_Object:
        if (!read_u2(r, &operand)) return false;
        if (cp_tag(v->cf, operand) != CP_Class) return reject_stackmap_format(v, "bad class index");
        *out = vtype_reference(cp_class_name(v->cf, operand));
        return !vtype_is_null(*out) || no_memory(v);
    case ITEM_Uninitialized:
        if (!read_u2(r, &operand)) return false;
        if (operand >= v->code->code_length || v->marks[operand] != BCI_NEW)
            return reject_format(v, "StackMapTable format error: bad offset for Uninitialized");
        *out = vtype_uninitialized(operand);
        return true;
    default: return reject_stackmap_format(v, "bad verification type");
    }
}

/* Reads `count` types behind out[*size]; the caller's array has room for two entries each. */
static bool read_types(struct map_reader *r, uint32_t count, uint8_t *flags, struct vtype *out, int32_t *size) {
    for (; count > 0; count--) {
        struct vtype t;
        if (!read_type(r, flags, &t)) return false;
        out[(*size)++] = t;
        if (vtype_is_category2(t)) out[(*size)++] = vtype_2nd(t);
    }
    return true;
}

static bool check_size(struct verifier *v, int32_t size, int32_t max) {
    return (size >= 0 && size <= max) || reject_format(v, "StackMapTable format error: bad type array size");
}

static struct vtype *new_types(struct verifier *v, size_t count) {
    struct vtype *types = arena_alloc(v->arena, count * sizeof *types);
    if (types == NULL) no_memory(v);
    return types;
}

/* Room for `count` types with their second halves; never more than the attribute can still hold. */
static struct vtype *room_for_types(struct map_reader *r, size_t kept, uint32_t count) {
    return new_types(r->v, kept + 2 * MIN((size_t)count, (size_t)(r->end - r->p)) + 2);
}

/* Locals like those of the previous frame, cut to `size`. */
static bool keep_locals(struct map_reader *r, struct vframe *f, int32_t size) {
    f->locals_size = size;
    f->locals = r->previous->locals;
    if (r->first && size > 0) {
        f->locals = new_types(r->v, (size_t)size);
        if (f->locals == NULL) return false;
        memcpy(f->locals, r->previous->locals, (size_t)size * sizeof *f->locals);
    }
    return true;
}

static bool read_stack_item(struct map_reader *r, struct vframe *f) {
    f->stack = new_types(r->v, 2);
    return f->stack != NULL && read_types(r, 1, NULL, f->stack, &f->stack_size) &&
           check_size(r->v, f->stack_size, r->v->code->max_stack);
}

/* The number of locals left when the last `chops` are cut off, -1 if there are not so many. */
static int32_t chopped_size(const struct vframe *previous, int chops) {
    int32_t at = previous->locals_size - 1;
    for (int i = 0; i < chops; i++) {
        if (at < 0) return -1;
        at -= vtype_is_category2_2nd(previous->locals[at]) ? 2 : 1;
    }
    return at + 1;
}

static bool read_chop(struct map_reader *r, struct vframe *f, int chops) {
    int32_t size = r->previous->locals_size;
    if (chops > 0) {
        size = chopped_size(r->previous, chops);
        if (!check_size(r->v, size, r->v->code->max_locals)) return false;
        f->flags = 0;
        for (int32_t i = 0; i < size; i++)
            if (vtype_equals(r->previous->locals[i], vtype_uninitialized(THIS_BCI))) f->flags = FLAG_THIS_UNINIT;
    }
    return keep_locals(r, f, size);
}

static bool read_append(struct map_reader *r, struct vframe *f, uint32_t appends) {
    int32_t kept = r->previous->locals_size;
    f->locals = room_for_types(r, (size_t)kept, appends);
    if (f->locals == NULL) return false;
    if (kept > 0) memcpy(f->locals, r->previous->locals, (size_t)kept * sizeof *f->locals);
    f->locals_size = kept;
    return read_types(r, appends, &f->flags, f->locals, &f->locals_size) &&
           check_size(r->v, f->locals_size, r->v->code->max_locals);
}

static bool read_full(struct map_reader *r, struct vframe *f) {
    uint16_t count;
    f->flags = 0;
    if (!read_u2(r, &count)) return false;
    f->locals = room_for_types(r, 0, count);
    if (f->locals == NULL || !read_types(r, count, &f->flags, f->locals, &f->locals_size) ||
        !check_size(r->v, f->locals_size, r->v->code->max_locals))
        return false;
    if (!read_u2(r, &count)) return false;
    f->stack = room_for_types(r, 0, count);
    return f->stack != NULL && read_types(r, count, NULL, f->stack, &f->stack_size) &&
           check_size(r->v, f->stack_size, r->v->code->max_stack);
}

static bool read_frame(struct map_reader *r, struct vframe *f) {
    uint8_t type;
    uint16_t delta;
    if (!read_u1(r, &type)) return false;
    bool fine;
    *f = (struct vframe){ .stack_mark = -1, .flags = r->previous->flags };
    if (type < RESERVED) {
        delta = type % SAME_LOCALS_1;
        fine = keep_locals(r, f, r->previous->locals_size) && (type < SAME_LOCALS_1 || read_stack_item(r, f));
    } else {
        if (!read_u2(r, &delta)) return false;
        if (type < SAME_LOCALS_1_EXTENDED) return reject_stackmap_format(r->v, "reserved frame type");
        if (type == SAME_LOCALS_1_EXTENDED) fine = keep_locals(r, f, r->previous->locals_size) && read_stack_item(r, f);
        else if (type <= SAME_EXTENDED) fine = read_chop(r, f, SAME_EXTENDED - type);
        else if (type < FULL) fine = read_append(r, f, type - SAME_EXTENDED);
        else fine = read_full(r, f);
    }
    f->offset = r->first ? delta : r->previous->offset + delta + 1;
    return fine;
}

/* Reads the next frame and checks that it stands at an instruction. */
static bool add_frame(struct map_reader *r) {
    struct verifier *v = r->v;
    struct vframe *f = &v->frames[v->frame_count];
    if (!read_frame(r, f)) return false;
    if ((uint32_t)f->offset >= v->code->code_length ||
        v->marks[f->offset] == 0) /* HotSpot locates this at the method's start */
        return reject(v, reason_frame(FAULT_BAD_STACKMAP, 0, f), "StackMapTable error: bad offset");
    v->frame_count++;
    r->previous = f;
    r->first = false;
    return true;
}

/* JDK 25 reads to the attribute's end and then compares the number of frames, but does not look behind a count of 0;
 * JDK 17 reads as many frames as announced and then wants the attribute to end. */
static bool read_frames(struct map_reader *r, uint16_t count) {
    bool to_end = r->v->hooks->release > 17;
    uint32_t parsed = 0;
    if (to_end && count == 0) return true;
    while (to_end ? r->p < r->end : parsed < count) {
        if (++parsed > count) return reject_stackmap_format(r->v, "wrong attribute size");
        if (!add_frame(r)) return false;
    }
    return (parsed == count && r->p == r->end) || reject_stackmap_format(r->v, "wrong attribute size");
}

bool parse_stackmap(struct verifier *v) {
    struct span table = cf_attribute(v->cf, v->code->stack_map);
    v->frame_count = 0;
    if (table.data == NULL) return true;
    struct map_reader r = { v, table.data, table.data + table.size, &v->current, true };
    uint16_t count;
    if (!read_u2(&r, &count)) return false;
    v->frames = arena_alloc(v->arena, (MIN((size_t)count, table.size) + 1) * sizeof *v->frames);
    return v->frames != NULL ? read_frames(&r, count) : no_memory(v);
}
