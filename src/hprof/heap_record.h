/* heap_record.h: the heap part of a binary HPROF file (HP-061 ... HP-074): sub-records, put into segments of whole
 * sub-records. The one writer of the VM's own heap dumps and of libhprof's. C library only; not locked: one thread at a
 * time. */
#ifndef VITRINE_HPROF_HEAP_RECORD_H
#define VITRINE_HPROF_HEAP_RECORD_H

#include "packet.h"

enum heap_root_kind {
    ROOT_JNI_GLOBAL = 0x01,
    ROOT_JNI_LOCAL = 0x02,
    ROOT_JAVA_FRAME = 0x03,
    ROOT_STICKY_CLASS = 0x05,
    ROOT_MONITOR_USED = 0x07,
    ROOT_THREAD_OBJECT = 0x08,
    ROOT_UNKNOWN = 0xFF
};

struct heap_root {
    enum heap_root_kind kind;
    uint64_t id;
    uint64_t reference;                         /* JNI_GLOBAL: the reference itself                                   */
    uint32_t thread;                            /* JNI_LOCAL, JAVA_FRAME, THREAD_OBJECT: serial                       */
    uint32_t trace;                             /* THREAD_OBJECT: serial of its stack                                 */
    int32_t frame;                              /* JNI_LOCAL, JAVA_FRAME: depth, -1: none                             */
};

struct heap_writer {
    struct output *out;
    int id_size;                                /* 4 or 8                                                             */
    uint32_t (*micros)(void *arg);              /* since the file's header                                            */
    void *arg;
    unsigned char *segment;                     /* sub-records not yet written                                        */
    size_t used;
};

/* Puts elements of an array as the file has them: `count` of them, from `first` on of what was given as `from`. arg:
 * the writer's. */
typedef void heap_elements(void *arg, unsigned char *to, const void *from, size_t first, size_t count);

/* w's first four members are set. False: out of memory. heap_writer_end frees what it took. */
bool heap_writer_begin(struct heap_writer *w);
/* Writes what is gathered, so that other records may follow. */
void heap_writer_flush(struct heap_writer *w);
/* Flushes; complete: writes the end record. */
void heap_writer_end(struct heap_writer *w, bool complete);

void heap_write_root(struct heap_writer *w, const struct heap_root *r);
/* Writes the head of an instance and answers where its `size` bytes of values go; NULL: they do not fit a segment, use
 * heap_write_instance. */
unsigned char *heap_instance_values(struct heap_writer *w, uint64_t id, uint32_t trace, uint64_t class_id,
                                    uint32_t size);
void heap_write_instance(struct heap_writer *w, uint64_t id, uint32_t trace, uint64_t class_id,
                         const unsigned char *values, uint32_t size);
/* Arrays. What the 32 bits of a segment's length cannot hold is left out: answers how many elements were written. */
uint32_t heap_write_object_array(struct heap_writer *w, uint64_t id, uint32_t trace, uint64_t class_id, uint32_t length,
                                 const void *elements, heap_elements *copy);
/* type: descriptor character; elements: as the machine has them, NULL: zeros. */
uint32_t heap_write_primitive_array(struct heap_writer *w, uint64_t id, uint32_t trace, char type, uint32_t length,
                                    const void *elements);

/* A class dump is a packet: this head, then the constant pool, the static fields and the instance fields, each with its
 * u2 count. */
struct heap_class {
    uint64_t id, super, loader, signers, domain;
    uint32_t trace, size; /* size: bytes of an instance's values */
};
void heap_put_class(const struct heap_writer *w, struct packet *p, const struct heap_class *c);
/* Writes the sub-record, and frees the packet. */
void heap_write_class(struct heap_writer *w, struct packet *p);

#endif
