/* packet.c: numbers and records of the binary HPROF format. */
#include "packet.h"

#include <stdlib.h>
#include <sys/time.h>

#include "stream.h"

/* ---- types ------------------------------------------------------------------------------------------------------- */

uint32_t type_size(char type, int id_size) {
    switch (type) {
    case 'Z': case 'B': return 1;
    case 'C': case 'S': return 2;
    case 'I': case 'F': return 4;
    case 'J': case 'D': return 8;
    default: return (uint32_t)id_size;
    }
}

uint32_t type_number(char type) {
    switch (type) {
    case 'Z': return 4;
    case 'C': return 5;
    case 'F': return 6;
    case 'D': return 7;
    case 'B': return 8;
    case 'S': return 9;
    case 'I': return 10;
    case 'J': return 11;
    default: return 2;
    }
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

static unsigned char *extend(struct packet *p, size_t n) {
    if (p->used + n > p->capacity) {
        size_t capacity = (p->used + n) * 2 + 64;
        unsigned char *data = realloc(p->data, capacity);
        if (data == NULL) {
            p->failed = true;
            return NULL;
        }
        p->data = data;
        p->capacity = capacity;
    }
    p->used += n;
    return p->data + p->used - n;
}

void put_bytes(struct packet *p, const void *bytes, size_t n) {
    unsigned char *to = n > 0 ? extend(p, n) : NULL;
    if (to != NULL) memcpy(to, bytes, n);
}

void put_u1(struct packet *p, uint32_t v) {
    unsigned char byte = (unsigned char)v;
    put_bytes(p, &byte, 1);
}

void put_u2(struct packet *p, uint32_t v) {
    unsigned char bytes[2];
    store_u2(bytes, v);
    put_bytes(p, bytes, 2);
}

void put_u4(struct packet *p, uint32_t v) {
    unsigned char bytes[4];
    store_u4(bytes, v);
    put_bytes(p, bytes, 4);
}

void put_u8(struct packet *p, uint64_t v) {
    unsigned char bytes[8];
    store_u8(bytes, v);
    put_bytes(p, bytes, 8);
}

void packet_free(struct packet *p) {
    free(p->data);
    *p = (struct packet){0};
}

void put_identifier(struct packet *p, uint64_t id, int id_size) {
    if (id_size == 4) put_u4(p, (uint32_t)id);
    else put_u8(p, id);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

void write_file_header(struct output *out, int id_size) {
    struct timeval now;
    gettimeofday(&now, NULL);
    unsigned char head[31] = "JAVA PROFILE 1.0.2";
    store_u4(head + 19, (uint32_t)id_size);
    store_u8(head + 23, (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_usec / 1000);
    output_bytes(out, head, sizeof head);
    output_commit(out);
}

void write_record_head(struct output *out, enum record_tag tag, uint32_t micros, uint32_t length) {
    unsigned char head[RECORD_HEAD];
    head[0] = (unsigned char)tag;
    store_u4(head + 1, micros);
    store_u4(head + 5, length);
    output_bytes(out, head, sizeof head);
}

void write_record(struct output *out, enum record_tag tag, uint32_t micros, struct packet *p) {
    if (!p->failed) {
        write_record_head(out, tag, micros, (uint32_t)p->used);
        output_bytes(out, p->data, p->used);
        output_commit(out);
    }
    packet_free(p);
}
