/* reflect.h — making java.lang.reflect objects, for the files of jdk/ that hand them out. */
#ifndef VITRINE_JDK_REFLECT_H
#define VITRINE_JDK_REFLECT_H

#include "link/link.h"

/* A Method or (for <init>) Constructor; a Field. NULL: exception pending. Thread: IN_VM. */
struct object *reflect_method(struct os_thread *self, struct method *m);
struct object *reflect_field(struct os_thread *self, struct field *f);
/* Widening primitive conversion (JLS 5.1.2) of a slot value; false: there is none. */
bool widen_primitive(enum basic_type from, enum basic_type to, uint64_t *value);
/* The method or constructor, or the field, that such an object stands for; NULL for anything else. */
struct method *reflected_method(struct object *executable);
struct field *reflected_field(struct object *field);

#endif
