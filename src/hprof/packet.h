/* packet.h: numbers and records of the binary HPROF format 1.0.2, for the VM's own heap dumps and for libhprof alike:
 * big-endian numbers, record tags, the body of a record while it is put together. C library only. Not locked. */
#ifndef VITRINE_HPROF_PACKET_H
#define VITRINE_HPROF_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct output;

enum record_tag {
    RECORD_UTF8 = 0x01,
    RECORD_LOAD_CLASS = 0x02,
    RECORD_UNLOAD_CLASS = 0x03,
    RECORD_FRAME = 0x04,
    RECORD_TRACE = 0x05,
    RECORD_ALLOC_SITES = 0x06,
    RECORD_HEAP_SUMMARY = 0x07,
    RECORD_START_THREAD = 0x0A,
    RECORD_END_THREAD = 0x0B,
    RECORD_CPU_SAMPLES = 0x0D,
    RECORD_CONTROL_SETTINGS = 0x0E,
    RECORD_HEAP_DUMP_SEGMENT = 0x1C,
    RECORD_HEAP_DUMP_END = 0x2C
};
enum { RECORD_HEAD = 9 };                       /* bytes: tag, time, length                                           */

/* The body of a record. Starts as {0}. */
struct packet {
    unsigned char *data;
    size_t used, capacity;
    bool failed;                                /* out of memory: the record is not written                           */
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
/* Stores a value of a primitive type (descriptor character) that lies at `from` as the machine has it. Answers what
 * stands behind it. */
static inline unsigned char *store_primitive(unsigned char *to, char type, const void *from) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (type) {
    case 'Z': case 'B':
        memcpy(to, from, 1);
        return to + 1;
    case 'C': case 'S':
        memcpy(&two, from, 2);
        store_u2(to, two);
        return to + 2;
    case 'I': case 'F':
        memcpy(&four, from, 4);
        store_u4(to, four);
        return to + 4;
    default:
        memcpy(&eight, from, 8);
        store_u8(to, eight);
        return to + 8;
    }
}
static inline uint64_t load_id(const unsigned char *p, int id_size) {
    uint64_t v = 0;
    for (int i = 0; i < id_size; i++) v = v << 8 | p[i];
    return v;
}

/* Bytes of a value of a type (descriptor character) and the type's number (HP-071). */
uint32_t type_size(char type, int id_size);
uint32_t type_number(char type);

void put_u1(struct packet *p, uint32_t v);
void put_u2(struct packet *p, uint32_t v);
void put_u4(struct packet *p, uint32_t v);
void put_u8(struct packet *p, uint64_t v);
void put_identifier(struct packet *p, uint64_t id, int id_size);
void put_bytes(struct packet *p, const void *bytes, size_t n);
/* Frees and empties it. */
void packet_free(struct packet *p);

/* The file's header: version, size of identifiers, wall clock in milliseconds. */
void write_file_header(struct output *out, int id_size);
/* Tag, microseconds since the header and length: `length` bytes of body follow through output_bytes. */
void write_record_head(struct output *out, enum record_tag tag, uint32_t micros, uint32_t length);
/* A whole record; empties and frees the packet. */
void write_record(struct output *out, enum record_tag tag, uint32_t micros, struct packet *p);

#endif
