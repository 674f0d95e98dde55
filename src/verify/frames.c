/* The current frame: operand stack, locals, and matching with the frames of the stack map. */
#include "verify/verify_internal.h"

/* ---- operand stack --------------------------------------------------------------------------------------------- */

struct origin stack_top(struct verifier *v) {
    return origin_stack(&v->current, v->current.stack_size);
}

static bool underflow(struct verifier *v) {
    return reject(v, reason_frame(FAULT_STACK_UNDERFLOW, v->current.offset, &v->current), "Operand stack underflow");
}

static bool overflow(struct verifier *v) {
    return reject(v, reason_frame(FAULT_STACK_OVERFLOW, v->current.offset, &v->current), "Operand stack overflow");
}

bool push(struct verifier *v, struct vtype t) {
    struct vframe *f = &v->current;
    if (f->stack_size >= v->code->max_stack) return overflow(v);
    f->stack[f->stack_size++] = t;
    return true;
}

bool push2(struct verifier *v, struct vtype t) {
    struct vframe *f = &v->current;
    if (f->stack_size >= v->code->max_stack - 1) return overflow(v);
    f->stack[f->stack_size++] = t;
    f->stack[f->stack_size++] = vtype_2nd(t);
    return true;
}

bool pop_any(struct verifier *v, struct vtype *out) {
    struct vframe *f = &v->current;
    if (f->stack_size <= 0) return underflow(v);
    *out = f->stack[--f->stack_size];
    return true;
}

bool pop(struct verifier *v, struct vtype wanted, struct vtype *out) {
    struct vtype top;
    bool fits;
    if (!pop_any(v, &top) || !assignable(v, wanted, top, false, &fits)) return false;
    if (!fits)
        return reject(v, reason_types(v->current.offset, stack_top(v), origin_type(ORIGIN_IMPLICIT, wanted)),
                      "Bad type on operand stack");
    if (out != NULL) *out = top;
    return true;
}

bool pop2(struct verifier *v, struct vtype wanted) {
    struct vframe *f = &v->current;
    struct vtype second = vtype_2nd(wanted);
    if (f->stack_size >= 2 && vtype_equals(f->stack[f->stack_size - 1], second) &&
        vtype_equals(f->stack[f->stack_size - 2], wanted)) {
        f->stack_size -= 2;
        return true;
    }
    /* Both halves are tried, and the second complaint is the one that is heard. */
    bool upper = pop(v, second, NULL), lower = v->status != VERIFY_PENDING && pop(v, wanted, NULL);
    return upper && lower;
}

/* ---- locals ---------------------------------------------------------------------------------------------------- */

static bool bad_index(struct verifier *v, uint32_t index, const char *message) {
    return reject(v, reason_index(FAULT_LOCAL_INDEX, v->current.offset, (int32_t)index), "%s", message);
}

static bool bad_local(struct verifier *v, uint32_t index, struct vtype wanted) {
    return reject(v,
                  reason_types(v->current.offset, origin_local(&v->current, (int32_t)index),
                               origin_type(ORIGIN_IMPLICIT, wanted)),
                  "Bad local variable type");
}

bool get_local(struct verifier *v, uint32_t index, struct vtype wanted, struct vtype *out) {
    struct vframe *f = &v->current;
    if (index >= v->code->max_locals) return bad_index(v, index, "Local variable table overflow");
    bool fits;
    if (!assignable(v, wanted, f->locals[index], false, &fits)) return false;
    if (!fits) return bad_local(v, index, wanted);
    f->locals_size = MAX(f->locals_size, (int32_t)index + 1);
    *out = f->locals[index];
    return true;
}

bool get_local2(struct verifier *v, uint32_t index, struct vtype wanted) {
    struct vframe *f = &v->current;
    if ((int32_t)index >= f->locals_size - 1) return bad_index(v, index, "get long/double overflows locals");
    if (!vtype_equals(f->locals[index], wanted)) return bad_local(v, index, wanted);
    if (!vtype_equals(f->locals[index + 1], vtype_2nd(wanted))) return bad_local(v, index + 1, vtype_2nd(wanted));
    return true;
}

/* Writing half of a long or double makes its other half unusable. */
static void split_pairs(struct verifier *v, uint32_t first, uint32_t last) {
    struct vtype *locals = v->current.locals;
    if (vtype_is_category2(locals[last]) && last + 1 < v->code->max_locals) locals[last + 1] = VTYPE(TOP);
    if (vtype_is_category2_2nd(locals[first]) && first >= 1) locals[first - 1] = VTYPE(TOP);
}

bool set_local(struct verifier *v, uint32_t index, struct vtype t) {
    struct vframe *f = &v->current;
    if (index >= v->code->max_locals) return bad_index(v, index, "Local variable table overflow");
    split_pairs(v, index, index);
    f->locals[index] = t;
    f->locals_size = MAX(f->locals_size, (int32_t)index + 1);
    v->changes++;
    return true;
}

bool set_local2(struct verifier *v, uint32_t index, struct vtype t) {
    struct vframe *f = &v->current;
    if ((int32_t)index >= v->code->max_locals - 1) return bad_index(v, index, "Local variable table overflow");
    split_pairs(v, index, index + 1);
    f->locals[index] = t;
    f->locals[index + 1] = vtype_2nd(t);
    f->locals_size = MAX(f->locals_size, (int32_t)index + 2);
    v->changes++;
    return true;
}

void initialize_object(struct verifier *v, struct vtype old, struct vtype now) {
    struct vframe *f = &v->current;
    for (int32_t i = 0; i < v->code->max_locals; i++)
        if (vtype_equals(f->locals[i], old)) f->locals[i] = now;
    for (int32_t i = 0; i < f->stack_size; i++)
        if (vtype_equals(f->stack[i], old)) f->stack[i] = now;
    if (vtype_bci(old) == THIS_BCI) f->flags = 0;
    v->changes++;
}

/* ---- matching -------------------------------------------------------------------------------------------------- */

int32_t find_frame(const struct verifier *v, int32_t target) {
    int32_t low = 0, high = v->frame_count; /* offsets are strictly increasing */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (v->frames[middle].offset < target) low = middle + 1;
        else high = middle;
    }
    return low < v->frame_count && v->frames[low].offset == target ? low : -1;
}

/* Index of the first type of `from` that does not fit `to`, or `count`; -1: stop. */
static int32_t first_mismatch(struct verifier *v, const struct vtype *from, const struct vtype *to, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        bool fits;
        if (!assignable(v, to[i], from[i], false, &fits)) return -1;
        if (!fits) return i;
    }
    return count;
}

bool match_frame(struct verifier *v, const struct vframe *frame, int32_t index, int32_t target, bool *matches,
                 struct reason *why) {
    *matches = false;
    if (index < 0)
        return reject(v, (struct reason){ .fault = FAULT_MISSING_STACKMAP, .bci = frame->offset },
                      "Expecting a stackmap frame at branch target %d", target);
    const struct vframe *map = &v->frames[index];
    if (frame->stack_size != map->stack_size) {
        *why = reason_frames(FAULT_STACK_SIZE, frame->offset, frame, map);
        return true;
    }
    int32_t at = first_mismatch(v, frame->locals, map->locals, map->locals_size);
    if (at < 0) return false;
    if (at < map->locals_size) {
        *why = reason_types(map->offset, origin_local(frame, at), origin_map_local(map, at));
        return true;
    }
    at = first_mismatch(v, frame->stack, map->stack, frame->stack_size);
    if (at < 0) return false;
    if (at < frame->stack_size) {
        *why = reason_types(map->offset, origin_stack(frame, at), origin_map_stack(map, at));
        return true;
    }
    *matches = (frame->flags & ~map->flags) == 0;
    if (!*matches) *why = reason_frames(FAULT_FLAGS, map->offset, frame, map);
    return true;
}

void adopt_frame(struct verifier *v, int32_t index) {
    struct vframe *f = &v->current;
    const struct vframe *map = &v->frames[index];
    for (int32_t i = 0; i < v->code->max_locals; i++) f->locals[i] = i < map->locals_size ? map->locals[i] : VTYPE(TOP);
    if (map->stack_size > 0) memcpy(f->stack, map->stack, (size_t)map->stack_size * sizeof *f->stack);
    f->locals_size = map->locals_size;
    f->stack_size = f->stack_mark = map->stack_size;
    f->flags = map->flags;
    v->changes++;
}

bool check_jump(struct verifier *v, int32_t bci, int32_t offset) {
    if (offset < -65535 || offset > 65535) /* HotSpot locates this at the method's start */
        return reject(v, reason_frame(FAULT_BAD_STACKMAP, 0, &v->current),
                      "Illegal target of jump or branch (bci %d + offset %d)", bci, offset);
    int32_t target = (int32_t)((uint32_t)bci + (uint32_t)offset);
    bool matches;
    struct reason why = { 0 };
    if (!match_frame(v, &v->current, find_frame(v, target), target, &matches, &why)) return false;
    return matches || reject(v, why, "Inconsistent stackmap frames at branch target %d", target);
}
