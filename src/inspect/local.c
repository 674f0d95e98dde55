/* local.c: the local variables of a stopped thread's frames. */
#include "inspect/local.h"

#include "base/alloc.h"
#include "classfile/descriptor.h"
#include "exec/stack_map.h"
#include "inspect/stack.h"
#include "link/link.h"

#include <string.h>

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool is_named(const struct class *c, const char *name, size_t length) {
    return c->name->length == length && memcmp(c->name->bytes, name, length) == 0;
}

static bool class_fits(struct class *c, const char *desc, size_t length) {
    while (length > 1 && *desc == '[' && class_is_array(c)) {
        c = c->component;
        desc++;
        length--;
    }
    if (*desc == '[') return false;
    if (class_is_primitive(c)) return length == 1 && basic_type_of_char(*desc) == (enum basic_type)c->basic_type;
    if (*desc != 'L') return false;
    const char *name = desc + 1;
    length -= 2;                                     /* 'L' and ';' */
    for (struct class *k = c; k != NULL; k = k->super)
        if (is_named(k, name, length)) return true;
    for (uint32_t i = 0; i < c->secondary_count; i++)
        if (is_named(c->secondary[i], name, length)) return true;
    return false;
}

bool object_fits_descriptor(struct object *o, const char *desc, size_t length) {
    return o == NULL || class_fits(class_of(o), desc, length);
}

static char kind_of(const struct symbol *desc) {
    switch (desc->bytes[0]) {
    case 'Z': case 'B': case 'C': case 'S': return 'I';
    case '[': return 'L';
    default: return desc->bytes[0];
    }
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static enum local_result check_by_table(const struct method_code *code, int32_t bci, int slot, char kind, bool store,
                                        struct object *value) {
    uint32_t count = cf_local_variable_count(code_cf(code), code_source(code));
    struct cf_local_variable *rows = mem_alloc(count * sizeof *rows);
    if (rows == NULL) return LOCAL_NO_MEMORY;
    cf_local_variables(code_cf(code), code_source(code), rows);
    enum local_result result = LOCAL_NO_SLOT;
    for (uint32_t i = 0; i < count && result == LOCAL_NO_SLOT; i++) {
        if (rows[i].slot != slot || bci < rows[i].start_pc || bci >= rows[i].start_pc + rows[i].length) continue;
        const struct symbol *desc = cp_symbol(code_cf(code), rows[i].desc_index);
        bool fits = desc != NULL && kind_of(desc) == kind &&
                    (kind != 'L' || !store || object_fits_descriptor(value, desc->bytes, desc->length));
        result = fits ? LOCAL_OK : LOCAL_TYPE;
    }
    mem_free(rows);
    return result;
}

static bool bit(const uint64_t *bits, int i) { return bits[i >> 6] >> (i & 63) & 1; }

/* The stack map only tells references from the rest. A value of two slots cannot have a reference in its second. */
static enum local_result check_by_map(const struct frame_cursor *c, int slot, char kind) {
    uint32_t words = stack_map_words(cursor_code(c));
    uint64_t bits[words + 1];
    if (cursor_map(c, bits, words) < 0) return LOCAL_NO_MEMORY;
    bool wide = kind == 'J' || kind == 'D';
    if (wide && bit(bits, slot + 1)) return LOCAL_NO_SLOT;
    return bit(bits, slot) == (kind == 'L') ? LOCAL_OK : LOCAL_TYPE;
}

/* Where no table names the variables, a slot that holds no value here is none: what lies in it is left over. Of values
 * that are no references only the size is known, and what two slots hold may be read as one, as on HotSpot: then
 * *is_half. */
static enum local_result check_by_values(const struct frame_cursor *c, int slot, char kind, bool *is_half) {
    uint32_t words = stack_map_words(cursor_code(c));
    uint64_t bits[STACK_MAP_PARTS * words + 1];
    if (cursor_values(c, bits) < 0) return LOCAL_NO_MEMORY;
    const uint64_t *held = bits + STACK_MAP_HELD * words, *second = bits + STACK_MAP_SECOND * words;
    bool is_reference = bit(bits, slot), wide = kind == 'J' || kind == 'D';
    *is_half = !wide && slot + 1 < cursor_code(c)->max_locals && bit(second, slot + 1);
    if (kind == 'L') return is_reference ? LOCAL_OK : LOCAL_TYPE;
    if (!bit(held, slot)) return LOCAL_NO_SLOT;
    if (wide && (bit(bits, slot + 1) || !(bit(held, slot + 1) || bit(second, slot + 1)))) return LOCAL_NO_SLOT;
    return is_reference ? LOCAL_TYPE : LOCAL_OK;
}

/* At such an instruction C may be at work for compiled code that goes on behind it. Who waits for a monitor stands
 * behind the instruction already. */
static bool is_done_by_c(const struct frame_cursor *c) {
    const uint8_t *code = code_source(cursor_code(c))->code, *p = code + cursor_bci(c);
    if (p > code && p[-1] == OP_monitorenter) return true;
    switch (*p) {
    case OP_new: case OP_newarray: case OP_anewarray: case OP_multianewarray: case OP_monitorenter: case OP_monitorexit:
        return true;
    default: return false;
    }
}

enum local_result local_find(const struct java_thread *t, int depth, int slot, char kind, bool store,
                             struct object *value, uint64_t **place) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    struct frame_cursor c = stack_frame_at(t, depth);
    if (!cursor_valid(&c)) return LOCAL_NO_FRAME;
    if (cursor_is_native(&c)) return LOCAL_OPAQUE;
    struct method_code *code = cursor_code(&c);
    if (slot < 0 || slot >= code->max_locals - (kind == 'J' || kind == 'D')) return LOCAL_NO_SLOT;
    bool has_table = code_source(code)->has_local_variables;
    bool is_half = false;
    enum local_result result = has_table ? check_by_map(&c, slot, kind) : check_by_values(&c, slot, kind, &is_half);
    if (result == LOCAL_OK && has_table)
        result = check_by_table(code, cursor_bci(&c), slot, kind, store, value);
    /* What is stored into the first half of a long is no part of it, as on HotSpot: a long lies in one of its slots. */
    *place = &cursor_locals(&c)[store && is_half ? slot + 1 : slot];
    /* Compiled code takes it for granted that there is a receiver, and that what C does for it changes no locals;
     * optimised code does not look at them again behind calls. */
    bool is_receiver = slot == 0 && !(code->method->access_flags & ACC_STATIC);
    bool is_relied_upon = (kind == 'L' && value == NULL && is_receiver) || is_done_by_c(&c) ||
                          atomic_load(&code->optimised) || cursor_kind(&c) == FRAME_KIND_INLINED;
    if (result == LOCAL_OK && store && is_relied_upon) cursor_leave_compiled(&c);
    return result;
}

enum local_result local_receiver(const struct java_thread *t, int depth, struct object **receiver) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    struct frame_cursor c = stack_frame_at(t, depth);
    if (!cursor_valid(&c)) return LOCAL_NO_FRAME;
    if (cursor_method(&c)->access_flags & ACC_STATIC) return LOCAL_NO_SLOT;
    *receiver = slot_object(cursor_locals(&c)[0]);
    return LOCAL_OK;
}
