/* record.h: records of the binary format (HP-050 ... HP-063) in the profiler's file: identifiers, names. Lock held. */
#ifndef HPROF_RECORD_H
#define HPROF_RECORD_H

#include <stdint.h>

#include "packet.h"
#include "table.h"

struct hprof;

struct records {
    int id_size;                        /* bytes of an identifier: 4 or 8                                 */
    int64_t start;                      /* hprof_now() when the header was written                        */
    struct numbering names;
};

void put_id(struct hprof *h, struct packet *p, uint64_t id);
/* Writes the record and empties the packet. */
void record_write(struct hprof *h, enum record_tag tag, struct packet *p);
/* Microseconds since the file's header. */
uint32_t record_time(const struct hprof *h);
/* The file's header with the control settings. */
void record_header(struct hprof *h);
/* The identifier of a name, whose UTF8 record is written the first time; 0 for NULL. */
uint64_t record_name(struct hprof *h, const char *name);

#endif
