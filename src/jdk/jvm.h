/* jvm.h — what the files of jdk/ that export JVM_* entry points share. Each entry point states in its file what the
 * class library expects of it; signatures are those of the two libraries (some differ, see there). */
#ifndef VITRINE_JDK_JVM_H
#define VITRINE_JDK_JVM_H

#include <jni.h>

#include "base/alloc.h"
#include "base/base.h"
#include "base/log.h"
#include "exec/exec.h"
#include "heap/heap.h"
#include "link/link.h"
#include "link/module.h"
#include "thread/native_entry.h"

#define JVM EXPORT JNICALL

/* Class of a jclass handle; NULL for NULL. */
static inline struct class *jclass_class(jclass c) {
    struct object *o = handle_get(c);
    return o ? class_of_mirror(o) : NULL;
}
static inline jobject mirror_handle(struct os_thread *self, struct class *c) {
    return c ? handle_local(self, c->mirror) : NULL;
}

/* New Object[]/String[]/Class[]... of a known element class; NULL with OutOfMemoryError. */
static inline struct object *new_ref_array(struct os_thread *self, struct class *element, int32_t n) {
    struct class *a = class_array_of(self, element);
    return a ? heap_alloc_array(self, &a->shape, n) : NULL;
}

#endif
