/* libFuzzer target: heap dumps. The input says what is written; a reader that knows the format alone finds in the file
 * what was written, all of it and nothing else (HP-061 ... HP-074). */
#include "input_file.h"

#include <stdbool.h>
#include <string.h>

#include "hprof/heap_record.h"
#include "hprof/stream.h"

#define require(condition) ((condition) ? (void)0 : __builtin_trap())
/* Goes through long arrays: there is nothing new for the fuzzer to see in each element. */
#define NOT_COUNTED __attribute__((no_sanitize("coverage", "address")))

/* ---- what the input says ----------------------------------------------------------------------------------------- */

struct words { const uint8_t *at, *end; bool had_large; };

static uint32_t next(struct words *w, int bytes) {
    uint32_t v = 0;
    while (bytes-- > 0) v = v << 8 | (w->at < w->end ? *w->at++ : 0);
    return v;
}

enum what { INSTANCE, OBJECTS, PRIMITIVES, CLASS, FLUSH, ROOT, WHAT_COUNT };
struct thing {
    enum what what;
    uint64_t id, other;                  /* other: the class, or a root's reference                                 */
    uint32_t trace, count;               /* count: elements, or bytes of values, or fields                          */
    char type;
    struct heap_root root;
};

static uint64_t identifier(struct words *w, int id_size) {
    uint64_t id = next(w, 4);
    return id_size == 4 ? id : id << 32 | ~id << 5 >> 32;
}

static struct thing next_thing(struct words *w, int id_size) {
    static const char types[] = "ZCFDBSIJ";
    static const enum heap_root_kind kinds[] = { ROOT_JNI_GLOBAL,    ROOT_JNI_LOCAL,    ROOT_JAVA_FRAME,
                                                 ROOT_STICKY_CLASS,  ROOT_MONITOR_USED, ROOT_THREAD_OBJECT,
                                                 ROOT_UNKNOWN };
    struct thing t = { .what = next(w, 1) % WHAT_COUNT };
    t.type = types[next(w, 1) % 8];
    t.count = next(w, 1);
    if (t.count == 255 && !w->had_large) {               /* more than a segment gathers, maybe                      */
        t.count = next(w, 2) * (t.what == INSTANCE ? 17 : 4);
        w->had_large = true;
    }
    t.trace = next(w, 2);
    t.id = identifier(w, id_size);
    t.other = identifier(w, id_size);
    t.root = (struct heap_root){ kinds[t.count % 7], t.id, t.other, t.trace, t.trace ^ 1, (int32_t)t.count - 1 };
    return t;
}

/* Byte n of a thing's values. */
static NOT_COUNTED uint8_t value_byte(const struct thing *t, uint64_t n) { return (uint8_t)(t->id + n * 7); }
/* Element n of an array of objects. */
static NOT_COUNTED uint64_t element(const struct thing *t, uint64_t n, int id_size) {
    uint64_t id = t->id * 31 + n;
    return id_size == 4 ? (uint32_t)id : id;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static uint32_t micros(void *arg) {
    (void)arg;
    return 5;
}

struct elements { const struct thing *thing; int id_size; };

static NOT_COUNTED void copy_elements(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    const struct elements *e = from;
    (void)arg;
    for (size_t i = 0; i < count; i++)
        store_id(to + i * (size_t)e->id_size, element(e->thing, first + i, e->id_size), e->id_size);
}

static NOT_COUNTED unsigned char *made_values(const struct thing *t, size_t size) {
    unsigned char *values = malloc(size + 1);
    if (values == NULL) abort();
    for (size_t i = 0; i < size; i++) values[i] = value_byte(t, i);
    return values;
}

static void write_instance(struct heap_writer *w, const struct thing *t) {
    unsigned char *values = made_values(t, t->count);
    unsigned char *to = heap_instance_values(w, t->id, t->trace, t->other, t->count);
    if (to != NULL) memcpy(to, values, t->count);
    else heap_write_instance(w, t->id, t->trace, t->other, values, t->count);
    free(values);
}

/* As many static fields as instance fields, all of the type. */
static void write_class(struct heap_writer *w, const struct thing *t) {
    struct packet p = { 0 };
    struct heap_class c = { t->id, t->other, t->id, 0, t->other, t->trace, t->count };
    uint32_t fields = t->count % 256;
    unsigned char value[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    heap_put_class(w, &p, &c);
    put_u2(&p, 0);
    put_u2(&p, fields);
    for (uint32_t i = 0; i < fields; i++) {
        put_identifier(&p, i, w->id_size);
        put_u1(&p, type_number(t->type));
        for (uint32_t k = 0; k < type_size(t->type, w->id_size); k++) put_u1(&p, value[k]);
    }
    put_u2(&p, fields);
    for (uint32_t i = 0; i < fields; i++) {
        put_identifier(&p, i, w->id_size);
        put_u1(&p, type_number(t->type));
    }
    heap_write_class(w, &p);
}

static void write_thing(struct heap_writer *w, const struct thing *t) {
    struct elements e = { t, w->id_size };
    size_t bytes = (size_t)t->count * type_size(t->type, w->id_size);
    unsigned char *values = NULL;
    switch (t->what) {
    case INSTANCE: write_instance(w, t); break;
    case OBJECTS:
        require(heap_write_object_array(w, t->id, t->trace, t->other, t->count, &e, copy_elements) == t->count);
        break;
    case PRIMITIVES:
        values = t->trace % 2 ? made_values(t, bytes) : NULL;
        require(heap_write_primitive_array(w, t->id, t->trace, t->type, t->count, values) == t->count);
        free(values);
        break;
    case CLASS: write_class(w, t); break;
    case ROOT: heap_write_root(w, &t->root); break;
    default: heap_writer_flush(w); break;
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* segment: where the one that is read ends. */
struct file { const uint8_t *at, *end, *segment; int id_size; };

static uint64_t number(struct file *f, int bytes) {
    uint64_t v = 0;
    require(f->end - f->at >= bytes);
    while (bytes-- > 0) v = v << 8 | *f->at++;
    return v;
}

static uint64_t id(struct file *f) { return number(f, f->id_size); }

/* Sub-records do not reach from one segment into another. */
static unsigned next_tag(struct file *f) {
    require(f->at <= f->segment);
    if (f->at == f->segment) {
        require(number(f, 1) == RECORD_HEAP_DUMP_SEGMENT && number(f, 4) == 5);
        uint64_t length = number(f, 4);
        require(length > 0 && length <= (uint64_t)(f->end - f->at));
        f->segment = f->at + length;
    }
    return (unsigned)number(f, 1);
}

static NOT_COUNTED void expect_elements(struct file *f, const struct thing *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        uint64_t v = 0;
        require(f->end - f->at >= f->id_size);
        for (int k = 0; k < f->id_size; k++) v = v << 8 | *f->at++;
        require(v == element(t, i, f->id_size));
    }
}

static NOT_COUNTED void expect_values(struct file *f, const struct thing *t, uint64_t size, uint32_t width,
                                      bool zeros) {
    require((uint64_t)(f->end - f->at) >= size);
    for (uint64_t i = 0; i < size; i++) {                /* the machine's order of bytes is the other one           */
        uint64_t n = i / width * width + (width - 1 - i % width);
        require(*f->at++ == (zeros ? 0 : value_byte(t, n)));
    }
}

static void expect_fields(struct file *f, const struct thing *t, bool values) {
    uint32_t fields = t->count % 256, size = type_size(t->type, f->id_size);
    require(number(f, 2) == fields);
    for (uint32_t i = 0; i < fields; i++) {
        require(id(f) == i && number(f, 1) == type_number(t->type));
        for (uint32_t k = 0; values && k < size; k++) require(number(f, 1) == k + 1);
    }
}

static void expect_class(struct file *f, const struct thing *t) {
    require(next_tag(f) == 0x20 && id(f) == t->id && number(f, 4) == t->trace);
    require(id(f) == t->other && id(f) == t->id && id(f) == 0 && id(f) == t->other && id(f) == 0 && id(f) == 0);
    require(number(f, 4) == t->count && number(f, 2) == 0);
    expect_fields(f, t, true);
    expect_fields(f, t, false);
}

static void expect_root(struct file *f, const struct heap_root *r) {
    require(next_tag(f) == (unsigned)r->kind && id(f) == r->id);
    switch (r->kind) {
    case ROOT_JNI_GLOBAL: require(id(f) == r->reference); break;
    case ROOT_JNI_LOCAL:
    case ROOT_JAVA_FRAME: require(number(f, 4) == r->thread && (int32_t)number(f, 4) == r->frame); break;
    case ROOT_THREAD_OBJECT: require(number(f, 4) == r->thread && number(f, 4) == r->trace); break;
    default: break;
    }
}

static void expect_thing(struct file *f, const struct thing *t) {
    uint32_t width = type_size(t->type, f->id_size);
    switch (t->what) {
    case INSTANCE:
        require(next_tag(f) == 0x21 && id(f) == t->id && number(f, 4) == t->trace && id(f) == t->other);
        require(number(f, 4) == t->count);
        expect_values(f, t, t->count, 1, false);
        break;
    case OBJECTS:
        require(next_tag(f) == 0x22 && id(f) == t->id && number(f, 4) == t->trace && number(f, 4) == t->count);
        require(id(f) == t->other);
        expect_elements(f, t);
        break;
    case PRIMITIVES:
        require(next_tag(f) == 0x23 && id(f) == t->id && number(f, 4) == t->trace && number(f, 4) == t->count);
        require(number(f, 1) == type_number(t->type));
        expect_values(f, t, (uint64_t)t->count * width, width, t->trace % 2 == 0);
        break;
    case CLASS: expect_class(f, t); break;
    case ROOT: expect_root(f, &t->root); break;
    default: break;
    }
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* They are read byte by byte. */
enum { MOST_THINGS = 32 };

static void for_each(const uint8_t *data, size_t size, int id_size, struct heap_writer *w, struct file *f) {
    struct words words = { data, data + size, false };
    for (int n = 0; n < MOST_THINGS && words.at < words.end; n++) {
        struct thing t = next_thing(&words, id_size);
        if (w != NULL) write_thing(w, &t);
        else expect_thing(f, &t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    int id_size = data[0] & 1 ? 4 : 8, fd = dup(input_file(NULL, 0));
    uint64_t length = 0;
    struct output *out = output_new(&(struct output_form){ .fd = fd });
    struct heap_writer w = { .out = out, .id_size = id_size, .micros = micros };
    if (out == NULL || !heap_writer_begin(&w)) return 0;
    for_each(data + 1, size - 1, id_size, &w, NULL);
    heap_writer_end(&w, true);
    require(output_finish(out, &length) == 0);
    uint8_t *file = mmap(NULL, length, PROT_READ, MAP_PRIVATE, input_descriptor, 0);
    require(file != MAP_FAILED);
    struct file f = { file, file + length, file, id_size };
    for_each(data + 1, size - 1, id_size, NULL, &f);
    require(f.at == f.segment && number(&f, 1) == RECORD_HEAP_DUMP_END && number(&f, 4) == 5 && number(&f, 4) == 0);
    require(f.at == f.end);
    munmap(file, length);
    return 0;
}
