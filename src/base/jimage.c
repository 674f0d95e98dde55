/* The run-time image (lib/modules): a mapped file with a perfect hash over resource names.
 *
 *   header | redirect[n] | offsets[n] | locations | strings | resources
 *
 * All numbers are in the byte order of the machine that wrote the file. A name hashes to redirect[h % n]; a positive
 * value is the seed of a second hash, a negative one names the slot itself, 0 means absent. offsets[slot] points into
 * locations: a list of attributes, each one byte (kind << 3 | length - 1) and a big-endian number. The file is foreign
 * data, so every index is checked against its table before it is followed. */
#include "base/jimage.h"

#include <zlib.h>

#include "base/lock.h"
#include "base/os.h"
#include "base/table.h"

#define JIMAGE_MAGIC   0xCAFEDADAu
#define JIMAGE_VERSION 0x00010000u         /* 1.0 */
#define HASH_SEED      0x01000193u

struct header {
    uint32_t magic, version, flags, resource_count, table_length, locations_size, strings_size;
};

enum attribute { ATTR_END, ATTR_MODULE, ATTR_PARENT, ATTR_BASE, ATTR_EXTENSION, ATTR_OFFSET, ATTR_COMPRESSED,
                 ATTR_UNCOMPRESSED, ATTR_COUNT };

struct location { uint64_t attr[ATTR_COUNT]; };

struct jimage {
    char              *path;
    struct os_file_map map;
    uint32_t           table_length;
    const int32_t     *redirect;
    const uint32_t    *offsets;
    const uint8_t     *locations;
    uint32_t           locations_size;
    const char        *strings;
    uint32_t           strings_size;
    const uint8_t     *resources;
    uint64_t           resources_size;
    struct lock        lock;               /* guards unpacked */
    struct int_table   unpacked;           /* offset of a compressed resource -> its struct span * */
};

/* ---- Opening -------------------------------------------------------------------------------------------------- */

static bool damaged(char **err, const char *path, const char *what) {
    if (err) *err = mem_printf("%s is not a usable run-time image: %s", path, what);
    return false;
}

static bool read_header(struct jimage *j, char **err) {
    struct header  h;
    const uint8_t *base = j->map.data;
    if (j->map.size < sizeof h) return damaged(err, j->path, "the file is too short");
    memcpy(&h, base, sizeof h);
    if (h.magic == __builtin_bswap32(JIMAGE_MAGIC)) return damaged(err, j->path, "it has the other byte order");
    if (h.magic != JIMAGE_MAGIC) return damaged(err, j->path, "bad magic number");
    if (h.version != JIMAGE_VERSION) return damaged(err, j->path, "unknown format version");
    uint64_t redirect = sizeof h, offsets = redirect + 4ull * h.table_length,
             locations = offsets + 4ull * h.table_length;
    uint64_t strings = locations + h.locations_size, resources = strings + h.strings_size;
    if (resources > j->map.size) return damaged(err, j->path, "the index runs over the end of the file");
    if (h.strings_size == 0 || base[resources - 1] != 0) return damaged(err, j->path, "the string table has no end");
    if (h.table_length == 0) return damaged(err, j->path, "it is empty");
    j->table_length = h.table_length;
    j->redirect = (const int32_t *)(base + redirect);
    j->offsets = (const uint32_t *)(base + offsets);
    j->locations = base + locations;
    j->locations_size = h.locations_size;
    j->strings = (const char *)base + strings;
    j->strings_size = h.strings_size;
    j->resources = base + resources;
    j->resources_size = j->map.size - resources;
    return true;
}

struct jimage *jimage_open(const char *path, char **err) {
    struct jimage *j = mem_zalloc(sizeof *j);
    if (err) *err = NULL;
    if (!j || !(j->path = mem_strdup(path))) {
        mem_free(j);
        return NULL;
    }
    lock_init(&j->lock, "run-time image", LOCK_RANK_ARCHIVE);
    if (os_map_file(path, &j->map, err) && read_header(j, err)) return j;
    jimage_close(j);
    return NULL;
}

static bool free_unpacked(uint64_t key, uint64_t value, void *arg) {
    (void)key, (void)arg;
    struct span *s = (struct span *)(uintptr_t)value;
    mem_free((void *)s->data);
    mem_free(s);
    return true;
}

void jimage_close(struct jimage *j) {
    if (!j) return;
    int_table_iterate(&j->unpacked, free_unpacked, NULL);
    int_table_free(&j->unpacked);
    os_unmap_file(&j->map);
    mem_free(j->path);
    mem_free(j);
}

const char *jimage_path(const struct jimage *j) { return j->path; }
struct span jimage_mapping(const struct jimage *j) { return (struct span){(const uint8_t *)j->map.data, j->map.size}; }

bool jimage_owns(const struct jimage *j, const void *p) {
    return (uintptr_t)p - (uintptr_t)j->map.data < j->map.size;
}

/* ---- Locations ------------------------------------------------------------------------------------------------ */

static const char *string_at(const struct jimage *j, uint64_t offset) {
    return offset < j->strings_size ? j->strings + offset : "";
}

static bool read_location(const struct jimage *j, uint32_t slot, struct location *out) {
    uint64_t at = j->offsets[slot];
    *out = (struct location){ 0 };
    while (at < j->locations_size) {
        uint8_t  head = j->locations[at++];
        unsigned kind = head >> 3, length = (head & 7) + 1u;
        if (kind == ATTR_END) return true;
        if (kind >= ATTR_COUNT || length > j->locations_size - at) return false;
        uint64_t value = 0;
        for (unsigned i = 0; i < length; i++) value = value << 8 | j->locations[at++];
        out->attr[kind] = value;
    }
    return false;
}

/* A full name is "/module/parent/base.extension" with the missing parts left out together with their separators; it is
 * hashed and compared piecewise, never built. */
struct name { const char *part[2]; size_t length[2]; };     /* module, rest */

static uint32_t hash_bytes(const char *p, size_t n, uint32_t seed) {
    for (size_t i = 0; i < n; i++) seed = (seed * HASH_SEED) ^ (uint8_t)p[i];
    return seed;
}

static uint32_t hash_name(const struct name *name, uint32_t seed) {
    if (name->length[0]) {
        seed = hash_bytes("/", 1, seed);
        seed = hash_bytes(name->part[0], name->length[0], seed);
        seed = hash_bytes("/", 1, seed);
    }
    return hash_bytes(name->part[1], name->length[1], seed) & 0x7FFFFFFF;
}

static bool eat(const char **p, size_t *left, const char *text) {
    size_t n = strlen(text);
    if (*left < n || memcmp(*p, text, n) != 0) return false;
    *p += n;
    *left -= n;
    return true;
}

static bool location_matches(const struct jimage *j, const struct location *l, const struct name *name) {
    const char *module = string_at(j, l->attr[ATTR_MODULE]), *parent = string_at(j, l->attr[ATTR_PARENT]);
    const char *base = string_at(j, l->attr[ATTR_BASE]), *extension = string_at(j, l->attr[ATTR_EXTENSION]);
    if (strlen(module) != name->length[0] || memcmp(module, name->part[0], name->length[0]) != 0) return false;
    const char *p = name->part[1];
    size_t      left = name->length[1];
    if (*parent && !(eat(&p, &left, parent) && eat(&p, &left, "/"))) return false;
    if (!eat(&p, &left, base)) return false;
    if (*extension && !(eat(&p, &left, ".") && eat(&p, &left, extension))) return false;
    return left == 0;
}

static bool find_location(const struct jimage *j, const struct name *name, struct location *out) {
    uint32_t slot = hash_name(name, HASH_SEED) % j->table_length;
    int32_t  value = j->redirect[slot];
    if (value == 0) return false;
    slot = value > 0 ? hash_name(name, (uint32_t)value) % j->table_length : (uint32_t)(-1 - value);
    return slot < j->table_length && read_location(j, slot, out) && location_matches(j, out, name);
}

/* ---- Compressed resources ------------------------------------------------------------------------------------- */

/* A compressed resource is a stack of layers, each with this packed header in front of its content. */
struct layer {
    uint64_t size, uncompressed_size;
    uint32_t decompressor;                 /* name of the method, in the string table */
};
#define LAYER_MAGIC  0xCAFEFAFAu
#define LAYER_HEADER 29                    /* magic 4, sizes 8 + 8, name 4, configuration 4, terminal 1 */

static bool read_layer(const uint8_t *p, size_t size, struct layer *out) {
    uint32_t magic;
    if (size < LAYER_HEADER) return false;
    memcpy(&magic, p, 4);
    memcpy(&out->size, p + 4, 8);
    memcpy(&out->uncompressed_size, p + 12, 8);
    memcpy(&out->decompressor, p + 20, 4);
    return magic == LAYER_MAGIC && out->size <= size - LAYER_HEADER;
}

static bool inflate_zip(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size) {
    uLongf n = out_size;
    return uncompress(out, &n, in, in_size) == Z_OK && n == out_size;
}

/* "compact-cp": class files whose Utf8 entries were moved to the image's string table. */
struct cursor { const uint8_t *p, *end; bool failed; };
struct sink   { uint8_t *p, *end; bool failed; };

static void put(struct sink *o, const void *bytes, size_t n) {
    if ((size_t)(o->end - o->p) < n) {
        o->failed = true;
        return;
    }
    memcpy(o->p, bytes, n);
    o->p += n;
}

static void copy(struct sink *o, struct cursor *c, size_t n) {
    if ((size_t)(c->end - c->p) < n) {
        c->failed = true;
        return;
    }
    put(o, c->p, n);
    c->p += n;
}

static uint8_t next_byte(struct cursor *c) {
    if (c->p < c->end) return *c->p++;
    c->failed = true;
    return 0;
}

/* A number in 1 to 3 bytes (top bit set, then the length in two bits) or in 4 plain ones. */
static uint32_t next_int(struct cursor *c) {
    uint8_t  first = next_byte(c);
    unsigned length = first & 0x80 ? (first >> 5) & 3 : 4;
    uint32_t value = first & 0x80 ? first & 0x1f : first;
    while (length-- > 1) value = value << 8 | next_byte(c);
    return value;
}

static void put_descriptor(const struct jimage *j, struct sink *o, struct cursor *c) {
    const char *shape = string_at(j, next_int(c));
    uint32_t    indexes = next_int(c);
    if (indexes > (size_t)(c->end - c->p)) {
        c->failed = true;
        return;
    }
    struct cursor names = { c->p, c->p + indexes, false };
    c->p += indexes;
    for (; *shape; shape++) {
        put(o, shape, 1);
        if (*shape != 'L' || indexes == 0) continue;
        const char *package = string_at(j, next_int(&names)), *class = string_at(j, next_int(&names));
        if (*package) {
            put(o, package, strlen(package));
            put(o, "/", 1);
        }
        put(o, class, strlen(class));
    }
    c->failed |= names.failed;
}

static bool expand_constant_pool(const struct jimage *j, const uint8_t *in, size_t in_size, uint8_t *out,
                                 size_t out_size) {
    enum { UTF8 = 1, LONG = 5, DOUBLE = 6, IN_STRINGS = 23, DESCRIPTOR_IN_STRINGS = 25 };
    static const uint8_t size_of_tag[] = { [3] = 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, [15] = 3, 2, 4, 4, 2, 2 };
    struct cursor c = { in, in + in_size, false };
    struct sink   o = { out, out + out_size, false };
    copy(&o, &c, 8);                                            /* magic, version */
    if (c.failed || c.end - c.p < 2) return false;
    unsigned count = (unsigned)(c.p[0] << 8 | c.p[1]);
    copy(&o, &c, 2);
    for (unsigned i = 1; i < count && !c.failed && !o.failed; i++) {
        uint8_t tag = next_byte(&c);
        uint8_t as_utf8 = UTF8;
        if (tag == IN_STRINGS || tag == DESCRIPTOR_IN_STRINGS) {
            put(&o, &as_utf8, 1);
            uint8_t *length_at = o.p;
            put(&o, "\0\0", 2);
            if (tag == IN_STRINGS) {
                const char *s = string_at(j, next_int(&c));
                put(&o, s, strlen(s));
            } else {
                put_descriptor(j, &o, &c);
            }
            if (o.failed) return false;
            size_t length = (size_t)(o.p - length_at) - 2;
            if (length > UINT16_MAX) return false;
            length_at[0] = (uint8_t)(length >> 8);
            length_at[1] = (uint8_t)length;
            continue;
        }
        put(&o, &tag, 1);
        if (tag == UTF8) {
            if (c.end - c.p < 2) return false;
            copy(&o, &c, 2u + (size_t)(c.p[0] << 8 | c.p[1]));
        } else {
            if (tag >= sizeof size_of_tag || size_of_tag[tag] == 0) return false;
            copy(&o, &c, size_of_tag[tag]);
            if (tag == LONG || tag == DOUBLE) i++;
        }
    }
    if (c.failed || o.failed) return false;
    copy(&o, &c, (size_t)(c.end - c.p));
    return !o.failed && o.p == o.end;
}

#define MAX_LAYERS   8
#define MAX_RESOURCE ((uint64_t)1 << 31)

static bool is_zip(const char *method) { return strcmp(method, "zip") == 0; }

/* No layer that is whole becomes larger: of deflated data two bits stand for 258 bytes at most (RFC 1951), and two
 * bytes of a constant pool for a string of UINT16_MAX with its tag and length. A damaged one may claim anything. */
static uint64_t most_unpacked(const char *method, uint64_t packed) {
    uint64_t per_byte = is_zip(method) ? 4 * 258 : (UINT16_MAX + 3) / 2;
    return packed < MAX_RESOURCE / per_byte ? packed * per_byte : MAX_RESOURCE;
}

/* Peels layer after layer; the result is fresh memory of exactly `size` bytes, or NULL. */
static uint8_t *unpack(const struct jimage *j, const uint8_t *data, size_t data_size, uint64_t size) {
    uint8_t *current = NULL;
    struct layer layer;
    for (int depth = 0; depth < MAX_LAYERS && read_layer(data, data_size, &layer); depth++) {
        const char *method = string_at(j, layer.decompressor);
        uint64_t most = most_unpacked(method, layer.size);
        uint8_t *next = layer.uncompressed_size <= most ? mem_alloc(layer.uncompressed_size) : NULL;
        bool ok =
            next && (is_zip(method)
                         ? inflate_zip(data + LAYER_HEADER, layer.size, next, layer.uncompressed_size)
                         : strcmp(method, "compact-cp") == 0 &&
                               expand_constant_pool(j, data + LAYER_HEADER, layer.size, next, layer.uncompressed_size));
        mem_free(current);
        current = next;
        if (!ok) {
            mem_free(current);
            return NULL;
        }
        data = current;
        data_size = layer.uncompressed_size;
    }
    if (current && data_size == size) return current;
    mem_free(current);
    return NULL;
}

static bool find_unpacked(struct jimage *j, uint64_t offset, struct span *out) {
    uint64_t value;
    lock_acquire(&j->lock);
    bool known = int_table_get(&j->unpacked, offset, &value);
    lock_release(&j->lock);
    if (known) *out = *(struct span *)(uintptr_t)value;
    return known;
}

/* Two threads may unpack the same resource; the second result is thrown away. */
static bool keep_unpacked(struct jimage *j, uint64_t offset, uint8_t *data, uint64_t size, struct span *out) {
    struct span *fresh = mem_alloc(sizeof *fresh);
    uint64_t     value;
    bool         ok = fresh != NULL;
    if (ok) *fresh = (struct span){ data, size };
    lock_acquire(&j->lock);
    if (ok && int_table_get(&j->unpacked, offset, &value)) {
        *out = *(struct span *)(uintptr_t)value;
        mem_free(fresh);
        fresh = NULL;
    } else if (ok && (ok = int_table_put(&j->unpacked, offset, (uintptr_t)fresh))) {
        *out = *fresh;
        data = NULL;
        fresh = NULL;
    }
    lock_release(&j->lock);
    mem_free(fresh);
    mem_free(data);
    return ok;
}

/* ---- Resources ------------------------------------------------------------------------------------------------ */

static bool content_of(struct jimage *j, const struct location *l, struct span *out) {
    uint64_t offset = l->attr[ATTR_OFFSET], packed = l->attr[ATTR_COMPRESSED], size = l->attr[ATTR_UNCOMPRESSED];
    uint64_t stored = packed ? packed : size;
    if (offset > j->resources_size || stored > j->resources_size - offset) return false;
    if (!packed) {
        *out = (struct span){ j->resources + offset, size };
        return true;
    }
    if (find_unpacked(j, offset, out)) return true;
    uint8_t *data = unpack(j, j->resources + offset, packed, size);
    return data && keep_unpacked(j, offset, data, size, out);
}

static struct name name_of(const char *module, const char *rest) {
    return (struct name){ { module, rest }, { strlen(module), strlen(rest) } };
}

bool jimage_find(struct jimage *j, const char *module, const char *name, struct span *out) {
    struct name     n = name_of(module, name);
    struct location l;
    return find_location(j, &n, &l) && content_of(j, &l, out);
}

/* The resource "/packages/java.lang" is a list of pairs: whether the module has only resources there, offset of its
 * name. */
const char *jimage_package_module(const struct jimage *j, const char *package) {
    char   dotted[1024];
    size_t n = strlen(package);
    if (n >= sizeof dotted) return NULL;
    for (size_t i = 0; i <= n; i++) dotted[i] = package[i] == '/' ? '.' : package[i];

    struct name     name = name_of("packages", dotted);
    struct location l;
    if (!find_location(j, &name, &l) || l.attr[ATTR_COMPRESSED]) return NULL;
    uint64_t offset = l.attr[ATTR_OFFSET], size = l.attr[ATTR_UNCOMPRESSED];
    if (offset > j->resources_size || size > j->resources_size - offset) return NULL;
    for (uint64_t i = 0; i + 8 <= size; i += 8) {
        uint32_t pair[2];
        memcpy(pair, j->resources + offset + i, 8);
        if (pair[0] == 0) return pair[1] < j->strings_size ? j->strings + pair[1] : NULL;
    }
    return NULL;
}

void jimage_iterate(const struct jimage *j, bool (*visit)(const struct jimage_entry *, void *), void *arg) {
    struct location l;
    for (uint32_t slot = 0; slot < j->table_length; slot++) {
        if (!read_location(j, slot, &l)) continue;
        struct jimage_entry entry = { string_at(j, l.attr[ATTR_MODULE]), string_at(j, l.attr[ATTR_PARENT]),
                                      string_at(j, l.attr[ATTR_BASE]), string_at(j, l.attr[ATTR_EXTENSION]),
                                      l.attr[ATTR_UNCOMPRESSED] };
        if (!visit(&entry, arg)) return;
    }
}
