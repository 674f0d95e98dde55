/* Segments of heap dumps: whole sub-records, lengths that are right, up to the most that 32 bits can say; files over 4
 * GB. What is written goes through a pipe to a thread that reads it record by record and keeps no more than a sum of
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hprof/heap_record.h"
#include "hprof/stream.h"

enum { MOST_SEGMENTS = 4096, LARGEST_GATHERED = 1 << 20 };

/* ---- a reader of its own, that knows nothing of the writer ------------------------------------------------------- */

struct seen {
    int fd, id_size;
    uint64_t at;    /* bytes read */
    uint32_t lengths[MOST_SEGMENTS];    /* of the segments */
    int segments, ends;
    uint32_t roots, classes, instances, object_arrays, primitive_arrays;
    uint32_t last_length;    /* elements of the last array */
    uint64_t wrong;    /* elements of object arrays that are not their own index */
    const char *error;    /* what the format does not allow */
};

static bool take(struct seen *s, void *to, size_t n) {
    for (size_t done = 0; done < n;) {
        ssize_t part = read(s->fd, (char *)to + done, n - done);
        if (part <= 0) return false;
        done += (size_t)part;
    }
    s->at += n;
    return true;
}

static uint64_t number(struct seen *s, int n) {
    unsigned char bytes[8];
    if (!take(s, bytes, (size_t)n)) s->error = "ends inside a record";
    uint64_t v = 0;
    for (int i = 0; i < n; i++) v = v << 8 | bytes[i];
    return v;
}

static void pass_over(struct seen *s, uint64_t n) {
    static unsigned char block[1 << 16];
    for (size_t part; n > 0 && s->error == NULL; n -= part) {
        part = n < sizeof block ? (size_t)n : sizeof block;
        if (!take(s, block, part)) s->error = "ends inside a record";
    }
}

/* Elements that are to be their own index. */
static void check_elements(struct seen *s, uint32_t count) {
    static unsigned char block[1 << 16];
    size_t size = (size_t)s->id_size, most = sizeof block / size;
    for (uint32_t first = 0, part; first < count && s->error == NULL; first += part) {
        part = count - first < most ? count - first : (uint32_t)most;
        if (!take(s, block, part * size)) s->error = "ends inside an array";
        for (uint32_t i = 0; i < part; i++) s->wrong += load_id(block + i * size, s->id_size) != first + i;
    }
}

static const unsigned sizes[12] = {[4] = 1, [5] = 2, [6] = 4, [7] = 8, [8] = 1, [9] = 2, [10] = 4, [11] = 8};

static void read_values(struct seen *s, bool constant_pool, bool values) {
    for (uint64_t n = number(s, 2); n > 0 && s->error == NULL; n--) {
        pass_over(s, constant_pool ? 2 : (uint64_t)s->id_size);
        uint64_t type = number(s, 1);
        if (values) pass_over(s, type == 2 ? (uint64_t)s->id_size : sizes[type % 12]);
    }
}

static void read_class(struct seen *s) {
    pass_over(s, (uint64_t)s->id_size);
    number(s, 4);
    pass_over(s, 6 * (uint64_t)s->id_size + 4);
    read_values(s, true, true);
    read_values(s, false, true);
    read_values(s, false, false);
    s->classes++;
}

static void read_object(struct seen *s, uint64_t tag) {
    pass_over(s, (uint64_t)s->id_size + 4);
    if (tag == 0x21) {
        pass_over(s, (uint64_t)s->id_size);
        pass_over(s, number(s, 4));
        s->instances++;
        return;
    }
    s->last_length = (uint32_t)number(s, 4);
    if (tag == 0x22) {
        pass_over(s, (uint64_t)s->id_size);
        check_elements(s, s->last_length);
        s->object_arrays++;
    } else {
        uint64_t type = number(s, 1);
        pass_over(s, (uint64_t)s->last_length * sizes[type % 12]);
        s->primitive_arrays++;
    }
}

static void read_sub_record(struct seen *s) {
    static const unsigned char more[9] = {[1] = 8, [2] = 8, [3] = 8, [8] = 8};    /* bytes behind a root's identifier */
    uint64_t tag = number(s, 1);
    if (tag == 0x20) read_class(s);
    else if (tag >= 0x21 && tag <= 0x23) read_object(s, tag);
    else if (tag == 0xff || tag == 5 || tag == 7 || (tag >= 1 && tag <= 8 && more[tag] != 0)) {
        pass_over(s, (uint64_t)s->id_size + (tag == 0xff ? 0 : tag == 1 ? (uint64_t)s->id_size : more[tag]));
        s->roots++;
    } else {
        s->error = "no such sub-record";
    }
}

static void *read_all(void *arg) {
    struct seen *s = arg;
    unsigned char tag;
    while (s->error == NULL && take(s, &tag, 1)) {
        number(s, 4);
        uint32_t length = (uint32_t)number(s, 4);
        if (tag == RECORD_HEAP_DUMP_END && length == 0) {
            s->ends++;
            continue;
        }
        if (tag != RECORD_HEAP_DUMP_SEGMENT || s->segments == MOST_SEGMENTS) s->error = "no such record";
        else s->lengths[s->segments++] = length;
        for (uint64_t end = s->at + length; s->at < end && s->error == NULL;) {
            read_sub_record(s);
            if (s->at > end) s->error = "a sub-record is longer than its segment";
        }
    }
    close(s->fd);
    return NULL;
}

/* ---- the writer under test --------------------------------------------------------------------------------------- */

static struct seen seen;
static pthread_t reader;
static struct output *out;
static struct heap_writer writer;

static uint32_t no_time(void *arg) {
    (void)arg;
    return 0;
}

static void begin(int id_size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    seen = (struct seen){.fd = ends[0], .id_size = id_size};
    assert_int_equal(pthread_create(&reader, NULL, read_all, &seen), 0);
    out = output_new(&(struct output_form){.fd = ends[1]});
    assert_non_null(out);
    writer = (struct heap_writer){.out = out, .id_size = id_size, .micros = no_time};
    assert_true(heap_writer_begin(&writer));
}

static void end(bool complete) {
    heap_writer_end(&writer, complete);
    assert_int_equal(output_finish(out, NULL), 0);
    assert_int_equal(pthread_join(reader, NULL), 0);
    if (seen.error != NULL) print_error("%s, at %llu\n", seen.error, (unsigned long long)seen.at);
    assert_null(seen.error);
    assert_int_equal(seen.ends, complete);
    assert_int_equal(seen.wrong, 0);
}

static void own_index(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg, (void)from;
    for (size_t i = 0; i < count; i++) store_id(to + i * (size_t)writer.id_size, first + i, writer.id_size);
}

static size_t instance_size(size_t values) { return 9 + 2 * (size_t)writer.id_size + values; }

static void write_instance(uint32_t size) {
    unsigned char *values = calloc(size + 1, 1), *to = heap_instance_values(&writer, 1, 1, 2, size);
    assert_non_null(values);
    if (to != NULL) memset(to, 0, size);
    else heap_write_instance(&writer, 1, 1, 2, values, size);
    free(values);
}

static void write_class(uint32_t statics) {
    struct packet p = {0};
    heap_put_class(&writer, &p, &(struct heap_class){.id = 2, .trace = 1});
    put_u2(&p, 0);
    put_u2(&p, statics);
    for (uint32_t i = 0; i < statics; i++) {
        put_identifier(&p, 7, writer.id_size);
        put_u1(&p, type_number('J'));
        put_u8(&p, i);
    }
    put_u2(&p, 1);
    put_identifier(&p, 7, writer.id_size);
    put_u1(&p, type_number('L'));
    heap_write_class(&writer, &p);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void every_sub_record(void **state) {
    static const enum heap_root_kind kinds[] = {ROOT_JNI_GLOBAL,   ROOT_JNI_LOCAL,    ROOT_JAVA_FRAME,
                                                ROOT_STICKY_CLASS, ROOT_MONITOR_USED, ROOT_THREAD_OBJECT,
                                                ROOT_UNKNOWN};
    (void)state;
    for (int id_size = 4; id_size <= 8; id_size += 4) {
        begin(id_size);
        for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            heap_write_root(&writer, &(struct heap_root){.kind = kinds[i], .id = i});
        write_class(3);
        write_instance(0);
        write_instance(24);
        assert_int_equal(heap_write_object_array(&writer, 3, 1, 2, 100, NULL, own_index), 100);
        for (const char *type = "ZBCSIFJD"; *type != '\0'; type++)
            assert_int_equal(heap_write_primitive_array(&writer, 4, 1, *type, 5, NULL), 5);
        heap_writer_flush(&writer);
        heap_writer_flush(&writer);    /* nothing gathered: no segment */
        end(true);
        assert_int_equal(seen.segments, 1);
        assert_int_equal(seen.roots, 7);
        assert_int_equal(seen.classes, 1);
        assert_int_equal(seen.instances, 2);
        assert_int_equal(seen.object_arrays, 1);
        assert_int_equal(seen.primitive_arrays, 8);
    }
}

static void incomplete(void **state) {
    (void)state;
    begin(8);
    write_instance(24);
    end(false);
    assert_int_equal(seen.segments, 1);
    assert_int_equal(seen.instances, 1);
}

/* A segment is filled to its last byte, and not beyond. */
static void boundary(void **state) {
    (void)state;
    for (int over = -1; over <= 1; over++) {
        begin(8);
        uint32_t first = 1000, last = (uint32_t)instance_size(0);
        uint32_t rest = (uint32_t)(LARGEST_GATHERED + over - (int)(instance_size(first) + instance_size(0) + last));
        write_instance(first);
        write_instance(rest);
        write_instance(0);
        end(true);
        assert_int_equal(seen.instances, 3);
        assert_int_equal(seen.segments, over == 1 ? 2 : 1);
        assert_int_equal(seen.lengths[0], LARGEST_GATHERED + over - (over == 1 ? (int)last : 0));
        if (over == 1) assert_int_equal(seen.lengths[1], last);
    }
}

/* What is larger than the buffer has a segment of its own, and the order stays. */
static void segments_of_their_own(void **state) {
    (void)state;
    begin(4);
    write_instance(8);
    write_instance(LARGEST_GATHERED);
    write_instance(8);
    write_class(65535);
    write_class(65535);
    assert_int_equal(heap_write_object_array(&writer, 3, 1, 2, LARGEST_GATHERED, NULL, own_index), LARGEST_GATHERED);
    assert_int_equal(heap_write_primitive_array(&writer, 3, 1, 'C', 3 * LARGEST_GATHERED + 1, NULL),
                     3 * LARGEST_GATHERED + 1);
    write_instance(8);
    end(true);
    uint32_t class_size = 1 + 4 + 4 + 6 * 4 + 4 + 2 + 2 + 65535 * 13 + 2 + 5;
    const uint32_t lengths[] = {25,         17 + LARGEST_GATHERED,     25 + class_size,
                                class_size, 17 + 4 * LARGEST_GATHERED, 14 + 6 * LARGEST_GATHERED + 2,
                                25};
    assert_int_equal(seen.segments, sizeof lengths / sizeof lengths[0]);
    for (int i = 0; i < seen.segments; i++) assert_int_equal(seen.lengths[i], lengths[i]);
}

static void many_segments(void **state) {
    (void)state;
    enum { COUNT = 400000 };
    begin(8);
    for (uint32_t i = 0; i < COUNT; i++) write_instance(i % 200);
    end(true);
    assert_int_equal(seen.instances, COUNT);
    assert_true(seen.segments > 40);
    for (int i = 0; i + 1 < seen.segments; i++)
        assert_in_range(seen.lengths[i], LARGEST_GATHERED - 1000, LARGEST_GATHERED);
}

/* Arrays that a segment cannot hold are cut to what it can; what follows stands beyond 4 GB and is whole. */
static void over_4_gb(void **state) {
    (void)state;
    const uint32_t java_most = 0x7fffffff, most = (UINT32_MAX - 64) / 8;
    begin(8);
    write_instance(8);
    assert_int_equal(heap_write_object_array(&writer, 3, 1, 2, java_most, NULL, own_index), most);
    write_instance(8);
    end(true);
    assert_int_equal(seen.last_length, most);
    assert_int_equal(seen.segments, 3);
    assert_int_equal(seen.lengths[1], 25 + 8 * (uint64_t)most);
    assert_true(seen.at > UINT64_C(4) << 30);
    assert_int_equal(seen.instances, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sub_record), cmocka_unit_test(incomplete), cmocka_unit_test(boundary),
        cmocka_unit_test(segments_of_their_own), cmocka_unit_test(many_segments), cmocka_unit_test(over_4_gb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
