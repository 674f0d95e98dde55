/* Jar and zip files: central directory (zip64 too) read from a mapping, entries inflated on demand.
 *
 * The file is foreign data: every offset is checked before it is followed. */
#include "base/zip.h"

#include <zlib.h>

#include "base/os.h"
#include "base/table.h"

struct zip {
    char              *path;
    struct os_file_map map;
    uint64_t           base;               /* where the archive starts in the file: something may precede it */
    VEC(struct zip_entry) entries;
    struct str_table   index;              /* name -> position + 1 */
};

/* ---- Little-endian numbers ------------------------------------------------------------------------------------ */

static uint16_t u2(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static uint32_t u4(const uint8_t *p) { return u2(p) | (uint32_t)u2(p + 2) << 16; }
static uint64_t u8(const uint8_t *p) { return u4(p) | (uint64_t)u4(p + 4) << 32; }

#define LOCAL_MAGIC     0x04034b50u
#define CENTRAL_MAGIC   0x02014b50u
#define END_MAGIC       0x06054b50u
#define END64_MAGIC     0x06064b50u
#define LOCATOR64_MAGIC 0x07064b50u
enum { LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, END64_SIZE = 56, LOCATOR64_SIZE = 20 };

/* ---- Opening -------------------------------------------------------------------------------------------------- */

static bool bad(char **err, const struct zip *z, const char *what) {
    if (err) *err = mem_printf("error in opening JAR file %s: %s", z->path, what);
    return false;
}

/* The end record lies in the last 64 KiB; a comment may follow it and must fill the file exactly. */
static const uint8_t *find_end(const struct zip *z) {
    const uint8_t *data = z->map.data;
    if (z->map.size < END_SIZE) return NULL;
    size_t lowest = z->map.size > END_SIZE + 65535 ? z->map.size - END_SIZE - 65535 : 0;
    for (size_t at = z->map.size - END_SIZE + 1; at-- > lowest;)
        if (u4(data + at) == END_MAGIC && at + END_SIZE + u2(data + at + 20) == z->map.size) return data + at;
    return NULL;
}

struct directory { uint64_t start, size, count; };      /* start: in the file */

static bool locate_directory(struct zip *z, struct directory *out, char **err) {
    const uint8_t *data = z->map.data, *end = find_end(z);
    if (!end) return bad(err, z, "zip END header not found");
    uint64_t end_at = (uint64_t)(end - data), offset = u4(end + 16);
    out->count = u2(end + 10);
    out->size = u4(end + 12);
    bool wants64 = out->count == 0xffff || out->size == 0xffffffffu || offset == 0xffffffffu;
    if (wants64 && end_at >= LOCATOR64_SIZE && u4(end - LOCATOR64_SIZE) == LOCATOR64_MAGIC) {
        uint64_t at = u8(end - LOCATOR64_SIZE + 8);
        if (at <= z->map.size && z->map.size - at >= END64_SIZE && u4(data + at) == END64_MAGIC) {
            out->count = u8(data + at + 32);
            out->size = u8(data + at + 40);
            offset = u8(data + at + 48);
            end_at = at;
        }
    }
    if (out->size > end_at) return bad(err, z, "invalid END header (bad central directory size)");
    out->start = end_at - out->size;
    if (offset > out->start) return bad(err, z, "invalid END header (bad central directory offset)");
    z->base = out->start - offset;
    if (out->count > out->size / CENTRAL_SIZE) return bad(err, z, "invalid END header (bad entry count)");
    return true;
}

/* Sizes that did not fit stand in extra field 1, in this order, only those that overflowed. */
static void apply_zip64(struct zip_entry *e, const uint8_t *extra, size_t left) {
    while (left >= 4) {
        size_t n = u2(extra + 2);
        if (n > left - 4) return;
        if (u2(extra) == 1) {
            uint64_t *fields[] = { &e->size, &e->compressed_size, &e->header_offset };
            const uint8_t *p = extra + 4;
            for (size_t i = 0; i < ARRAY_LEN(fields) && n >= 8; i++)
                if (*fields[i] == 0xffffffffu) {
                    *fields[i] = u8(p);
                    p += 8;
                    n -= 8;
                }
            return;
        }
        extra += 4 + n;
        left -= 4 + n;
    }
}

static bool read_directory(struct zip *z, char **err) {
    struct directory d;
    if (!locate_directory(z, &d, err)) return false;
    const uint8_t *p = (const uint8_t *)z->map.data + d.start, *end = p + d.size;
    if (!vec_reserve(&z->entries, d.count)) return false;
    for (; end - p >= CENTRAL_SIZE && u4(p) == CENTRAL_MAGIC;) {
        size_t name = u2(p + 28), extra = u2(p + 30), comment = u2(p + 32);
        if ((size_t)(end - p) < CENTRAL_SIZE + name + extra + comment)
            return bad(err, z, "invalid CEN header (bad header size)");
        struct zip_entry e = {
            .name = (const char *)p + CENTRAL_SIZE,
            .name_length = (uint32_t)name,
            .method = u2(p + 10),
            .crc = u4(p + 16),
            .compressed_size = u4(p + 20),
            .size = u4(p + 24),
            .header_offset = u4(p + 42),
        };
        if (u2(p + 8) & 1) return bad(err, z, "invalid CEN header (encrypted entry)");
        apply_zip64(&e, p + CENTRAL_SIZE + name, extra);
        /* The first of two entries with one name counts. */
        bool ok = vec_push(&z->entries, e) && (str_table_contains(&z->index, e.name, name) ||
                  str_table_put(&z->index, e.name, name, (void *)(uintptr_t)z->entries.count));
        if (!ok) return false;
        p += CENTRAL_SIZE + name + extra + comment;
    }
    if (p != end || z->entries.count < d.count) return bad(err, z, "invalid CEN header (bad signature)");
    return true;
}

struct zip *zip_open(const char *path, char **err) {
    struct zip *z = mem_zalloc(sizeof *z);
    char       *why = NULL;
    if (err) *err = NULL;
    if (!z || !(z->path = mem_strdup(path))) {
        mem_free(z);
        return NULL;
    }
    if (!os_map_file(path, &z->map, &why)) {
        if (err && why) *err = mem_printf("error in opening JAR file %s: %s", path, why);
    } else if (read_directory(z, err)) {
        return z;
    }
    mem_free(why);
    zip_close(z);
    return NULL;
}

void zip_close(struct zip *z) {
    if (!z) return;
    str_table_free(&z->index);
    vec_free(&z->entries);
    os_unmap_file(&z->map);
    mem_free(z->path);
    mem_free(z);
}

/* ---- Entries -------------------------------------------------------------------------------------------------- */

size_t      zip_count(const struct zip *z)  { return z->entries.count; }

const struct zip_entry *zip_entry_at(const struct zip *z, size_t index) {
    return index < z->entries.count ? &z->entries.data[index] : NULL;
}

const struct zip_entry *zip_find(const struct zip *z, const char *name) {
    uintptr_t position = (uintptr_t)str_table_get(&z->index, name, strlen(name));
    return position ? &z->entries.data[position - 1] : NULL;
}

static bool entry_failed(char **err, const struct zip *z, const struct zip_entry *e, const char *what) {
    if (err) *err = mem_printf("error reading %.*s in JAR file %s: %s", (int)e->name_length, e->name, z->path, what);
    return false;
}

static bool inflate_raw(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    z_stream s = { 0 };
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK) return false;
    int rc = Z_OK;
    /* zlib counts in 32 bits. */
    do {
        uInt give = (uInt)MIN(in_size, (size_t)1 << 30), room = (uInt)MIN(out_size, (size_t)1 << 30);
        s.next_in = (Bytef *)(uintptr_t)in;
        s.avail_in = give;
        s.next_out = out;
        s.avail_out = room;
        rc = inflate(&s, Z_NO_FLUSH);
        size_t took = give - s.avail_in, made = room - s.avail_out;
        in += took, in_size -= took;
        out += made, out_size -= made;
        if (took == 0 && made == 0 && rc == Z_OK) rc = Z_BUF_ERROR;
    } while (rc == Z_OK);
    inflateEnd(&s);
    return rc == Z_STREAM_END && out_size == 0;
}

static bool read_into(const struct zip *z, const struct zip_entry *e, uint8_t *out, char **err) {
    const uint8_t *data = z->map.data;
    uint64_t at = z->base + e->header_offset, size = z->map.size;
    if (at < z->base || at > size || size - at < LOCAL_SIZE || u4(data + at) != LOCAL_MAGIC)
        return entry_failed(err, z, e, "invalid LOC header (bad signature)");
    at += LOCAL_SIZE + (uint64_t)u2(data + at + 26) + u2(data + at + 28);
    if (at > size || e->compressed_size > size - at) return entry_failed(err, z, e, "invalid LOC header (bad size)");
    if (e->method == 0) {
        if (e->compressed_size != e->size) return entry_failed(err, z, e, "invalid LOC header (bad size)");
        memcpy(out, data + at, e->size);
    } else if (e->method != 8) {
        return entry_failed(err, z, e, "unknown compression method");
    } else if (!inflate_raw(data + at, e->compressed_size, out, e->size)) {
        return entry_failed(err, z, e, "invalid compressed data");
    }
    if (crc32_z(crc32_z(0, NULL, 0), out, e->size) != e->crc) return entry_failed(err, z, e, "bad checksum");
    return true;
}

uint8_t *zip_read(const struct zip *z, const struct zip_entry *e, char **err) {
    if (err) *err = NULL;
    /* Deflate packs at most about 1:1032, so a size beyond that is a lie and not worth the memory. */
    if (e->size > (e->compressed_size + 1) * 1040) {
        entry_failed(err, z, e, "invalid CEN header (bad size)");
        return NULL;
    }
    uint8_t *out = mem_alloc(e->size + 1);
    if (!out) {
        entry_failed(err, z, e, "out of memory");
        return NULL;
    }
    if (read_into(z, e, out, err)) {
        out[e->size] = 0;
        return out;
    }
    mem_free(out);
    return NULL;
}
