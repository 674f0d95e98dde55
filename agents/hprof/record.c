/* record.c: records of the binary format. */
#include "record.h"

#include <string.h>

#include "hprof.h"

void put_id(struct hprof *h, struct packet *p, uint64_t id) { put_identifier(p, id, h->records.id_size); }

uint32_t record_time(const struct hprof *h) { return (uint32_t)((hprof_now() - h->records.start) / 1000); }

void record_write(struct hprof *h, enum record_tag tag, struct packet *p) {
    p->failed |= h->out == NULL;
    write_record(h->out, tag, h->out != NULL ? record_time(h) : 0, p);
}

void record_header(struct hprof *h) {
    h->records.start = hprof_now();
    write_file_header(h->out, h->records.id_size);
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
