/* Jar and zip files: the central directory in memory, entries inflated on demand. */
#ifndef VITRINE_BASE_ZIP_H
#define VITRINE_BASE_ZIP_H

#include "base/base.h"

struct zip;

struct zip_entry {
    const char *name;             /* belongs to the zip, not NUL-terminated */
    uint32_t    name_length;
    uint16_t    method;           /* 0 stored, 8 deflated                   */
    uint32_t    crc;
    uint64_t    size, compressed_size, header_offset;
};

/* NULL: *err is a sentence in HotSpot's manner naming the file, caller frees; or NULL: out of memory. */
struct zip *zip_open(const char *path, char **err);
void        zip_close(struct zip *z);
size_t      zip_count(const struct zip *z);
/* NULL when absent. The entry belongs to the zip. Any thread. */
const struct zip_entry *zip_find(const struct zip *z, const char *name);
const struct zip_entry *zip_entry_at(const struct zip *z, size_t index);
/* The content in fresh memory (one NUL byte follows it), caller frees with mem_free. NULL: *err as above.
 * Any thread. */
uint8_t    *zip_read(const struct zip *z, const struct zip_entry *entry, char **err);

#endif
