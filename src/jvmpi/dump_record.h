/* dump_record.h: the records of heap and object dumps, packed, in the byte order of the machine. */
#ifndef VITRINE_JVMPI_DUMP_RECORD_H
#define VITRINE_JVMPI_DUMP_RECORD_H

#include "inspect/heap_walk.h"
#include "jvmpi/jvmpi_internal.h"

/* A growing buffer; once memory has run out it stays failed and takes nothing more. */
struct dump {
    char *data;
    size_t used, capacity;
    bool failed;
    jint level;
};

void dump_bytes(struct dump *d, const void *bytes, size_t count);
static inline void dump_u1(struct dump *d, jint value) { dump_bytes(d, &(uint8_t){(uint8_t)value}, 1); }
static inline void dump_u2(struct dump *d, uint32_t value) { dump_bytes(d, &(uint16_t){(uint16_t)value}, 2); }
static inline void dump_u4(struct dump *d, uint32_t value) { dump_bytes(d, &value, 4); }
static inline void dump_pointer(struct dump *d, const void *p) { dump_bytes(d, &p, sizeof p); }
static inline void dump_class_id(struct dump *d, struct class *c) { dump_pointer(d, jvmpi_class_id(c)); }

/* One of the four dump records, at d->level (1 or 2). World stopped. */
void dump_object(struct dump *d, struct object *o);
/* A record of level 0. */
void dump_kind(struct dump *d, struct object *o);

#endif
