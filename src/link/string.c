/* string.c — java.lang.String objects and the table of interned strings. */
#include "base/options.h"
#include "base/utf8.h"
#include "heap/heap.h"
#include "link/link_internal.h"

/* ---- making ------------------------------------------------------------------------------------------------------ */

static struct object *new_string(struct os_thread *self, struct object *value, uint8_t coder) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (value == NULL) return NULL;
    struct object *s = heap_alloc_instance(self, &known_class(java_lang_String)->shape);
    if (s == NULL) return NULL;
    heap_store_ref(s, known_offset(String_value), value);
    field_store(s, known_offset(String_coder), T_BYTE, coder);
    return s;
}

struct object *string_from_utf16(struct os_thread *self, const jchar *chars, int32_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool latin1 = vm->options->flags.CompactStrings;
    for (int32_t i = 0; i < length && latin1; i++) latin1 = chars[i] < 0x100;
    if (length > INT32_MAX / 2 && !latin1) {
        throw_out_of_memory(self, "Requested array size exceeds VM limit");
        return NULL;
    }
    struct object *value = heap_alloc_array(self, &vm->link->primitive_arrays[T_BYTE]->shape,
                                            latin1 ? length : 2 * length);
    if (value == NULL) return NULL;
    if (latin1)
        for (int32_t i = 0; i < length; i++) ((uint8_t *)array_data(value))[i] = (uint8_t)chars[i];
    else
        memcpy(array_data(value), chars, 2 * (size_t)length);
    return new_string(self, value, !latin1);
}

/* Decodes modified UTF-8 (or, where it is not, byte by byte as HotSpot does) through a buffer. */
struct object *string_from_utf8(struct os_thread *self, const char *bytes, size_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    size_t i = 0;
    while (i < length && (signed char)bytes[i] > 0) i++;
    if (i == length && vm->options->flags.CompactStrings) {      /* ASCII */
        if (length > INT32_MAX) {
            throw_out_of_memory(self, "Requested array size exceeds VM limit");
            return NULL;
        }
        struct object *value = heap_alloc_array(self, &vm->link->primitive_arrays[T_BYTE]->shape, (int32_t)length);
        if (value != NULL) memcpy(array_data(value), bytes, length);
        return new_string(self, value, 0);
    }
    jchar *chars = mem_alloc((length + 1) * sizeof *chars);
    if (chars == NULL) {
        throw_out_of_memory(self, "string");
        return NULL;
    }
    int32_t n = 0;
    for (const uint8_t *p = (const uint8_t *)bytes, *end = p + length; p < end;) {
        if (p[0] < 0x80) {
            chars[n++] = *p++;
        } else if ((p[0] & 0xe0) == 0xc0 && end - p >= 2) {
            chars[n++] = (jchar)((p[0] & 0x1f) << 6 | (p[1] & 0x3f));
            p += 2;
        } else if ((p[0] & 0xf0) == 0xe0 && end - p >= 3) {
            chars[n++] = (jchar)((p[0] & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f));
            p += 3;
        } else {
            chars[n++] = *p++;
        }
    }
    struct object *s = string_from_utf16(self, chars, n);
    mem_free(chars);
    return s;
}

struct object *string_from_cstr(struct os_thread *self, const char *bytes) {
    return string_from_utf8(self, bytes, strlen(bytes));
}

/* Real UTF-8: four-byte sequences become surrogate pairs; broken bytes stay as they are. */
struct object *string_from_platform(struct os_thread *self, const char *utf8) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    size_t length = strlen(utf8);
    jchar *chars = mem_alloc((length + 1) * sizeof *chars);
    if (chars == NULL) {
        throw_out_of_memory(self, "string");
        return NULL;
    }
    int32_t n = 0;
    for (const uint8_t *p = (const uint8_t *)utf8, *end = p + length; p < end;) {
        if ((p[0] & 0xf8) == 0xf0 && end - p >= 4) {
            uint32_t c = (uint32_t)(p[0] & 7) << 18 | (uint32_t)(p[1] & 0x3f) << 12 | (uint32_t)(p[2] & 0x3f) << 6 |
                         (p[3] & 0x3f);
            c -= 0x10000;
            chars[n++] = (jchar)(0xd800 + (c >> 10));
            chars[n++] = (jchar)(0xdc00 + (c & 0x3ff));
            p += 4;
        } else if ((p[0] & 0xf0) == 0xe0 && end - p >= 3) {
            chars[n++] = (jchar)((p[0] & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f));
            p += 3;
        } else if ((p[0] & 0xe0) == 0xc0 && end - p >= 2) {
            chars[n++] = (jchar)((p[0] & 0x1f) << 6 | (p[1] & 0x3f));
            p += 2;
        } else {
            chars[n++] = *p++;
        }
    }
    struct object *s = string_from_utf16(self, chars, n);
    mem_free(chars);
    return s;
}

struct object *string_from_symbol(struct os_thread *self, struct symbol *s, bool slashes_to_dots) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *o = string_from_utf8(self, s->bytes, s->length);
    if (o == NULL || !slashes_to_dots) return o;
    struct object *value = heap_load_ref(o, known_offset(String_value));
    bool wide = field_load(o, known_offset(String_coder), T_BYTE) != 0;
    int32_t n = array_length(value) >> wide;
    for (int32_t i = 0; i < n; i++) {
        if (wide && ((jchar *)array_data(value))[i] == '/') ((jchar *)array_data(value))[i] = '.';
        if (!wide && ((uint8_t *)array_data(value))[i] == '/') ((uint8_t *)array_data(value))[i] = '.';
    }
    return o;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_wide(struct object *s) { return field_load(s, known_offset(String_coder), T_BYTE) != 0; }

int32_t string_length(struct object *s) {
    struct object *value = heap_load_ref(s, known_offset(String_value));
    return value ? array_length(value) >> is_wide(s) : 0;
}

jchar string_char_at(struct object *s, int32_t i) {
    struct object *value = heap_load_ref(s, known_offset(String_value));
    return is_wide(s) ? ((jchar *)array_data(value))[i] : ((uint8_t *)array_data(value))[i];
}

static size_t char_utf8_length(jchar c) { return c != 0 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3; }

static size_t latin1_utf8_length(const uint8_t *chars, int32_t count) {
    size_t n = 0;
    for (int32_t i = 0; i < count; i++) n += char_utf8_length(chars[i]);
    return n;
}

size_t string_utf8_length(struct object *s) {
    size_t n = 0;
    int32_t length = string_length(s);
    if (length == 0) return 0;
    struct object *value = heap_load_ref(s, known_offset(String_value));
    if (!is_wide(s)) return latin1_utf8_length(array_data(value), length);
    for (int32_t i = 0; i < length; i++) n += char_utf8_length(((const jchar *)array_data(value))[i]);
    return n;
}

/* Copies the chars before the first that is not one byte in UTF-8, too; how many. */
static int32_t copy_ascii(struct object *s, int32_t length, char *out, size_t capacity) {
    if (length == 0 || is_wide(s)) return 0;
    const uint8_t *chars = array_data(heap_load_ref(s, known_offset(String_value)));
    int32_t n = 0;
    while (n < length && (size_t)n + 1 < capacity && char_utf8_length(chars[n]) == 1) {
        out[n] = (char)chars[n];
        n++;
    }
    return n;
}

size_t string_to_utf8(struct object *s, char *out, size_t capacity) {
    int32_t length = string_length(s), i = copy_ascii(s, length, out, capacity);
    size_t n = (size_t)i;
    for (; i < length; i++) {
        jchar c = string_char_at(s, i);
        size_t k = char_utf8_length(c);
        if (n + k >= capacity) break;
        if (k == 1) {
            out[n] = (char)c;
        } else if (k == 2) {
            out[n] = (char)(0xc0 | c >> 6);
            out[n + 1] = (char)(0x80 | (c & 0x3f));
        } else {
            out[n] = (char)(0xe0 | c >> 12);
            out[n + 1] = (char)(0x80 | (c >> 6 & 0x3f));
            out[n + 2] = (char)(0x80 | (c & 0x3f));
        }
        n += k;
    }
    if (capacity != 0) out[n] = '\0';
    return n;
}

char *string_dup_utf8(struct object *s) {
    size_t n = string_utf8_length(s);
    char *out = mem_alloc(n + 1);
    if (out != NULL) string_to_utf8(s, out, n + 1);
    return out;
}

struct symbol *symbol_from_string(struct object *s, bool dots_to_slashes) {
    size_t n = string_utf8_length(s);
    if (n > UINT16_MAX) return NULL;
    char small[256], *text = n < sizeof small ? small : mem_alloc(n + 1);
    if (text == NULL) return NULL;
    string_to_utf8(s, text, n + 1);
    for (size_t i = 0; dots_to_slashes && i < n; i++)
        if (text[i] == '.') text[i] = '/';
    struct symbol *symbol = symbol_intern(text, n);
    if (text != small) mem_free(text);
    return symbol;
}

/* ---- interning: a weak table, open addressing -------------------------------------------------------------------- */

struct string_table {
    struct { uint32_t hash; struct object *string; } *slots;
    size_t capacity, count;              /* count includes removed ones (TOMBSTONE) */
};
#define TOMBSTONE ((struct object *)(uintptr_t)1)

bool strings_create(void) {
    struct string_table *t = mem_zalloc(sizeof *t);
    if (t == NULL) return false;
    t->capacity = 8192;
    t->slots = mem_zalloc(t->capacity * sizeof *t->slots);
    li()->strings = t;
    lock_init(&li()->string_lock, "interned strings", LOCK_RANK_INTERN);
    return t->slots != NULL;
}

void strings_destroy(void) {
    if (li()->strings == NULL) return;
    mem_free(li()->strings->slots);
    mem_free(li()->strings);
}

static uint32_t hash_of(struct object *s) {
    struct object *value = heap_load_ref(s, known_offset(String_value));
    uint32_t h = 0;
    int32_t n = string_length(s);
    if (is_wide(s)) for (int32_t i = 0; i < n; i++) h = 31 * h + ((jchar *)array_data(value))[i];
    else for (int32_t i = 0; i < n; i++) h = 31 * h + ((uint8_t *)array_data(value))[i];
    return h;
}

static bool equal(struct object *a, struct object *b) {
    int32_t n = string_length(a);
    if (is_wide(a) != is_wide(b) || n != string_length(b)) return false;
    if (n == 0) return true;             /* one of them may have no value: see AllocObject                        */
    struct object *x = heap_load_ref(a, known_offset(String_value)), *y = heap_load_ref(b, known_offset(String_value));
    return memcmp(array_data(x), array_data(y), (size_t)n << is_wide(a)) == 0;
}

static bool grow(struct string_table *t) {
    size_t live = 0;
    for (size_t i = 0; i < t->capacity; i++) live += (uintptr_t)t->slots[i].string > 1;
    size_t capacity = t->capacity;
    while (capacity < live * 3) capacity *= 2;
    __typeof__(t->slots) fresh = mem_zalloc(capacity * sizeof *fresh);
    if (fresh == NULL) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        if ((uintptr_t)t->slots[i].string <= 1) continue;
        size_t k = (t->slots[i].hash * 2654435761u) & (capacity - 1);
        while (fresh[k].string != NULL) k = (k + 1) & (capacity - 1);
        fresh[k] = t->slots[i];
    }
    mem_free(t->slots);
    t->slots = fresh;
    t->capacity = capacity;
    t->count = live;
    return true;
}

struct object *string_intern(struct os_thread *self, struct object *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct string_table *t = li()->strings;
    uint32_t h = hash_of(s);
    struct object *found = NULL;
    bool ok = true;
    lock_acquire(&li()->string_lock);
    if (t->count * 2 >= t->capacity) ok = grow(t) || t->count + 1 < t->capacity;
    for (size_t i = (h * 2654435761u) & (t->capacity - 1); ok; i = (i + 1) & (t->capacity - 1)) {
        struct object *o = t->slots[i].string;
        if (o == NULL) {
            t->slots[i].hash = h;
            t->slots[i].string = found = s;
            t->count++;
            break;
        }
        if (o != TOMBSTONE && t->slots[i].hash == h && equal(o, s)) {
            found = o;
            break;
        }
    }
    lock_release(&li()->string_lock);
    if (!ok) throw_out_of_memory(self, "string table");
    return found;
}

void strings_walk(bool (*visit)(void *arg, struct object *s), void *arg) {
    const struct string_table *t = li()->strings;
    lock_acquire(&li()->string_lock);
    for (size_t i = 0; i < t->capacity; i++)
        if ((uintptr_t)t->slots[i].string > 1 && !visit(arg, t->slots[i].string)) break;
    lock_release(&li()->string_lock);
}

static bool add_figures(void *arg, struct object *s) {
    struct table_figures *f = arg;
    struct object *value = heap_load_ref(s, known_offset(String_value));
    f->entries++;
    f->literal_bytes += object_size(s) + (value != NULL ? object_size(value) : 0);
    return true;
}

void strings_figures(struct table_figures *out) {
    *out = (struct table_figures){.buckets = li()->strings->capacity, .bucket_bytes = sizeof *li()->strings->slots};
    strings_walk(add_figures, out);
    out->squares = (double)out->entries;
    out->longest = out->entries != 0;
}

void strings_clear_weak(bool (*is_live)(struct object *o)) {
    struct string_table *t = li()->strings;
    for (size_t i = 0; i < t->capacity; i++)
        if ((uintptr_t)t->slots[i].string > 1 && !is_live(t->slots[i].string)) t->slots[i].string = TOMBSTONE;
}
