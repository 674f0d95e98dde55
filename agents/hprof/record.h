/* record.h: records of the binary format (HP-050 ... HP-063): big-endian numbers, identifiers, names. Lock held. */
#ifndef HPROF_RECORD_H
#define HPROF_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "table.h"

struct hprof;

enum record_tag {
    RECORD_UTF8 = 0x01, RECORD_LOAD_CLASS = 0x02, RECORD_UNLOAD_CLASS = 0x03, RECORD_FRAME = 0x04, RECORD_TRACE = 0x05,
    RECORD_ALLOC_SITES = 0x06, RECORD_HEAP_SUMMARY = 0x07, RECORD_START_THREAD = 0x0A, RECORD_END_THREAD = 0x0B,
    RECORD_CPU_SAMPLES = 0x0D, RECORD_CONTROL_SETTINGS = 0x0E, RECORD_HEAP_DUMP_SEGMENT = 0x1C, RECORD_HEAP_DUMP_END = 0x2C
};

struct records {
    int id_size;                        /* bytes of an identifier: 4 or 8                                 */
    int64_t start;                      /* hprof_now() when the header was written                        */
    struct numbering names;
};

/* The body of a record while it is put together. Starts as {0}. */
struct packet {
    unsigned char *data;
    size_t used, capacity;
    bool failed;                        /* out of memory: the record is not written                       */
};

static inline void store_u2(unsigned char *p, uint32_t v) { p[0] = (unsigned char)(v >> 8), p[1] = (unsigned char)v; }
static inline void store_u4(unsigned char *p, uint32_t v) {
    v = __builtin_bswap32(v);
    memcpy(p, &v, 4);
}
static inline void store_u8(unsigned char *p, uint64_t v) {
    v = __builtin_bswap64(v);
    memcpy(p, &v, 8);
}
static inline void store_id(unsigned char *p, uint64_t id, int id_size) {
    if (id_size == 4) store_u4(p, (uint32_t)id);
    else store_u8(p, id);
}
static inline uint64_t load_id(const unsigned char *p, int id_size) {
    uint64_t v = 0;
    for (int i = 0; i < id_size; i++) v = v << 8 | p[i];
    return v;
}

void put_u1(struct packet *p, uint32_t v);
void put_u2(struct packet *p, uint32_t v);
void put_u4(struct packet *p, uint32_t v);
void put_u8(struct packet *p, uint64_t v);
void put_id(struct hprof *h, struct packet *p, uint64_t id);
void put_bytes(struct packet *p, const void *bytes, size_t n);
/* Writes the record and empties the packet. */
void record_write(struct hprof *h, enum record_tag tag, struct packet *p);
/* Tag, time and length: the body follows through output_bytes. */
void record_begin(struct hprof *h, enum record_tag tag, uint32_t length);
/* The file's header with the control settings. */
void record_header(struct hprof *h);
/* The identifier of a name, whose UTF8 record is written the first time; 0 for NULL. */
uint64_t record_name(struct hprof *h, const char *name);

#endif
