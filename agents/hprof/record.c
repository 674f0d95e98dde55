/* record.c: records of the binary format. */
#include "record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "hprof.h"

/* ---- packets ------------------------------------------------------------------------------------------------------- */

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

void put_id(struct hprof *h, struct packet *p, uint64_t id) {
    if (h->records.id_size == 4) put_u4(p, (uint32_t)id);
    else put_u8(p, id);
}

/* ---- records ------------------------------------------------------------------------------------------------------- */

void record_begin(struct hprof *h, enum record_tag tag, uint32_t length) {
    unsigned char head[9];
    head[0] = (unsigned char)tag;
    store_u4(head + 1, (uint32_t)((hprof_now() - h->records.start) / 1000));
    store_u4(head + 5, length);
    output_bytes(h->out, head, sizeof head);
}

void record_write(struct hprof *h, enum record_tag tag, struct packet *p) {
    if (!p->failed && h->out != NULL) {
        record_begin(h, tag, (uint32_t)p->used);
        output_bytes(h->out, p->data, p->used);
        output_commit(h->out);
    }
    free(p->data);
    *p = (struct packet){0};
}

void record_header(struct hprof *h) {
    struct timeval now;
    gettimeofday(&now, NULL);
    h->records.start = hprof_now();
    unsigned char head[31] = "JAVA PROFILE 1.0.2";
    store_u4(head + 19, (uint32_t)h->records.id_size);
    store_u8(head + 23, (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_usec / 1000);
    output_bytes(h->out, head, sizeof head);
    output_commit(h->out);
    struct packet p = {0};
    put_u4(&p, (h->options.heap & HEAP_SITES ? 1 : 0) | (h->options.cpu == CPU_SAMPLES ? 2 : 0));
    put_u2(&p, (uint32_t)h->options.depth);
    record_write(h, RECORD_CONTROL_SETTINGS, &p);
}

uint64_t record_name(struct hprof *h, const char *name) {
    if (name == NULL) return 0;
    bool fresh;
    uint32_t number = numbering_put(&h->records.names, name, strlen(name), &fresh);
    if (number == NO_INDEX) return 0;
    if (fresh) {
        struct packet p = {0};
        put_id(h, &p, (uint64_t)number + 1);
        put_bytes(&p, name, strlen(name));
        record_write(h, RECORD_UTF8, &p);
    }
    return (uint64_t)number + 1;
}
