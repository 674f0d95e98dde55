/* box.c — boxes, basic types, and typed access to fields by offset. */
#include "heap/heap.h"
#include "link/link_internal.h"

enum basic_type basic_type_of_char(char c) {
    switch (c) {
    case 'Z': return T_BOOLEAN;
    case 'C': return T_CHAR;
    case 'F': return T_FLOAT;
    case 'D': return T_DOUBLE;
    case 'B': return T_BYTE;
    case 'S': return T_SHORT;
    case 'I': return T_INT;
    case 'J': return T_LONG;
    case '[': return T_ARRAY;
    case 'V': return T_VOID;
    default: return T_OBJECT;
    }
}

size_t basic_type_size(enum basic_type t) {
    switch (t) {
    case T_BOOLEAN: case T_BYTE: return 1;
    case T_CHAR: case T_SHORT: return 2;
    case T_LONG: case T_DOUBLE: return 8;
    case T_VOID: return 0;
    default: return 4;
    }
}

uint64_t field_load(struct object *base, uint32_t offset, enum basic_type type) {
    char *p = (char *)base + offset;
    switch (type) {
    case T_BOOLEAN: return atomic_load_explicit((_Atomic uint8_t *)p, memory_order_acquire);
    case T_BYTE: return (uint64_t)(int64_t)atomic_load_explicit((_Atomic int8_t *)p, memory_order_acquire);
    case T_CHAR: return atomic_load_explicit((_Atomic uint16_t *)p, memory_order_acquire);
    case T_SHORT: return (uint64_t)(int64_t)atomic_load_explicit((_Atomic int16_t *)p, memory_order_acquire);
    case T_INT: return (uint64_t)(int64_t)atomic_load_explicit((_Atomic int32_t *)p, memory_order_acquire);
    case T_FLOAT: return atomic_load_explicit((_Atomic uint32_t *)p, memory_order_acquire);
    case T_LONG: case T_DOUBLE: return atomic_load_explicit((_Atomic uint64_t *)p, memory_order_acquire);
    default: return slot_ref(heap_load_ref_acquire(base, offset));
    }
}

void field_store(struct object *base, uint32_t offset, enum basic_type type, uint64_t value) {
    char *p = (char *)base + offset;
    switch (type) {
    case T_BOOLEAN: atomic_store_explicit((_Atomic uint8_t *)p, (uint8_t)(value & 1), memory_order_release); break;
    case T_BYTE: atomic_store_explicit((_Atomic uint8_t *)p, (uint8_t)value, memory_order_release); break;
    case T_CHAR:
    case T_SHORT: atomic_store_explicit((_Atomic uint16_t *)p, (uint16_t)value, memory_order_release); break;
    case T_INT:
    case T_FLOAT: atomic_store_explicit((_Atomic uint32_t *)p, (uint32_t)value, memory_order_release); break;
    case T_LONG: case T_DOUBLE: atomic_store_explicit((_Atomic uint64_t *)p, value, memory_order_release); break;
    default: heap_store_ref_release(base, offset, slot_object(value)); break;
    }
}

static const struct { enum basic_type type; enum known_class class; enum known_field field; } boxes[] = {
    {T_BOOLEAN, KC_java_lang_Boolean, KF_Boolean_value}, {T_BYTE, KC_java_lang_Byte, KF_Byte_value},
    {T_CHAR, KC_java_lang_Character, KF_Character_value}, {T_SHORT, KC_java_lang_Short, KF_Short_value},
    {T_INT, KC_java_lang_Integer, KF_Integer_value}, {T_LONG, KC_java_lang_Long, KF_Long_value},
    {T_FLOAT, KC_java_lang_Float, KF_Float_value}, {T_DOUBLE, KC_java_lang_Double, KF_Double_value},
};

struct object *box(struct os_thread *self, enum basic_type type, uint64_t value) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (size_t i = 0; i < ARRAY_LEN(boxes); i++) {
        if (boxes[i].type != type) continue;
        struct class *c = vm->link->classes[boxes[i].class];
        if (!class_ensure_initialized(self, c)) return NULL;
        struct object *o = heap_alloc_instance(self, &c->shape);
        if (o != NULL) field_store(o, vm->link->offsets[boxes[i].field], type, value);
        return o;
    }
    return NULL;
}

bool unbox(struct object *boxed, enum basic_type *type, uint64_t *value) {
    for (size_t i = 0; boxed != NULL && i < ARRAY_LEN(boxes); i++) {
        if (class_of(boxed) != vm->link->classes[boxes[i].class]) continue;
        *type = boxes[i].type;
        *value = field_load(boxed, vm->link->offsets[boxes[i].field], boxes[i].type);
        return true;
    }
    return false;
}
