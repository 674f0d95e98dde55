/* resolve_internal.h — what resolve.c, method_handle.c and access.c share. */
#ifndef VITRINE_LINK_RESOLVE_INTERNAL_H
#define VITRINE_LINK_RESOLVE_INTERNAL_H

#include "link/resolve.h"

/* resolve.c */
struct object *resolve_boxed_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index);
void resolution_errors_free(struct class_version *v);
/* A method that was missing may be there now: references to methods are resolved again. World stopped. */
void resolution_errors_of_methods_free(struct class_version *v);

/* method_handle.c: upcalls into java.lang.invoke; NULL with an exception (or a null constant without one). */
struct object *link_dynamic_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index);
struct object *link_method_handle_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index);
#endif
