/* local.h: the local variables of a stopped thread's frames, with the checks that JVM TI wants of slot and type. */
#ifndef VITRINE_INSPECT_LOCAL_H
#define VITRINE_INSPECT_LOCAL_H

#include "exec/exec.h"

enum local_result { LOCAL_OK, LOCAL_NO_FRAME, LOCAL_OPAQUE, LOCAL_NO_SLOT, LOCAL_TYPE, LOCAL_NO_MEMORY };

/* The place of local `slot` in the frame at `depth`, of kind I (int and smaller), J, F, D or L (any reference). The
 * stack map decides, which only knows references from other values, and then the rows of a LocalVariableTable at the
 * frame's position; without one, whether the slot holds a value there. `value`, for a store of a reference: what is to
 * be stored (NULL is fine anywhere). Thread: t stopped or current. No safepoint, no Java code. */
enum local_result local_find(const struct java_thread *t, int depth, int slot, char kind, bool store,
                             struct object *value, uint64_t **place);
/* The receiver of the frame at `depth`, native ones too. LOCAL_NO_SLOT: a static method. */
enum local_result local_receiver(const struct java_thread *t, int depth, struct object **receiver);

/* Is o null or an instance of the class that a field descriptor names, by the names of its supertypes?
 * Loads nothing. */
bool object_fits_descriptor(struct object *o, const char *desc, size_t length);

#endif
