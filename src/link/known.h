/* known.h — classes, fields and methods of the library that the VM uses by name; from known.def, checked
 * at start-up. */
#ifndef VITRINE_LINK_KNOWN_H
#define VITRINE_LINK_KNOWN_H

#include "link/class.h"

enum known_class {
#define KNOWN_CLASS(id, name, lib) KC_##id,
#define KNOWN_LATE_CLASS(id, name, lib) KC_##id,
#include "link/known.def"
    KC_COUNT
};
enum known_field {
#define KNOWN_FIELD(id, class, name, desc, lib) KF_##id,
#define KNOWN_STATIC(id, class, name, desc, lib) KF_##id,
#define KNOWN_INJECTED(id, class, desc, lib) KF_##id,
#define KNOWN_INJECTED_IN_17(id, class, name, desc) KF_##id,
#include "link/known.def"
    KF_COUNT
};
enum known_method {
#define KNOWN_METHOD(id, class, name, desc, lib) KM_##id,
#include "link/known.def"
    KM_COUNT
};

struct link_state {
    struct class *classes[KC_COUNT];     /* NULL when the library does not have it                             */
    uint32_t offsets[KF_COUNT];          /* 0 when the library does not have it                                */
    struct class *field_holders[KF_COUNT];
    struct method *methods[KM_COUNT];
    struct class *primitives[T_VOID + 1];
    struct class *primitive_arrays[T_VOID + 1];
    struct link_internal *internal;      /* link/link_internal.h                                               */
    struct object *out_of_memory_errors[8]; /* preallocated; roots                                              */
    struct object *stack_overflow_error;
};

/* known_class(java_lang_String); offset(String_value); known_method(...) */
#define known_class(id) (vm->link->classes[KC_##id])
#define known_offset(id) (vm->link->offsets[KF_##id])
#define known_method(id) (vm->link->methods[KM_##id])
#define known_has(id) (vm->link->offsets[KF_##id] != 0)
/* Statics object that holds a KNOWN_STATIC. */
#define known_statics(id) (vm->link->field_holders[KF_##id]->statics)

#endif
