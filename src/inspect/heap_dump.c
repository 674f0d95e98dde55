/* heap_dump.c: the VM's own heap dumps.
 *
 *   header, names, classes (LOAD_CLASS), frames and stacks   records of their own
 *   class dumps, roots, objects                              sub-records, by the writer that libhprof has too
 *
 * Objects are taken from the heap one after the other, not along references, so that nothing has to be remembered of
 * them. An identifier is an address: of the object, of a class's mirror, of a symbol. What resolution has put into a
 * class's constant pool is shown as HotSpot shows it: as a static field <resolved_references> with an array, whose
 * identifier here is the address of the class's version. */
#include "inspect/heap_dump.h"

#include "base/os.h"
#include "base/table.h"
#include "exec/exec.h"
#include "hprof/heap_record.h"
#include "hprof/stream.h"
#include "inspect/heap_walk.h"
#include "inspect/thread_info.h"

enum {
    ID_SIZE = 8,
    NO_TRACE = 1 /* serial of the stack without frames, which everything but threads refers to */,
    LINE_NATIVE = -3
};

static const char resolved_references[] = "<resolved_references>";

struct dump_field { uint32_t offset; char type; };

/* How instances of a class are written: its own fields, then the superclass's and so on. */
struct dump_layout {
    uint64_t class_id;
    uint32_t count, size;    /* size: bytes of the values */
    struct dump_field fields[];
};

struct heap_dump {
    struct output *out;
    struct heap_writer writer;
    const struct java_thread *dying;
    int64_t began;    /* os_nanotime */
    struct int_table threads;    /* thread object -> serial */
    uint64_t frames;    /* identifiers given */
    struct arena *arena;
    struct dump_layout **layouts;    /* by class id */
    uint32_t layout_capacity;
    struct heap_bitmap *statics;    /* the objects that hold static fields */
    bool failed;    /* out of memory */
};

static uint64_t address(const void *p) { return (uint64_t)(uintptr_t)p; }

/* The identifier that a reference from a field or an element has. NULL is allowed. What Unsafe.staticFieldBase answers
 * is an object of the VM's own: the class stands for it. */
static ALWAYS_INLINE uint64_t identifier(const struct heap_dump *d, const struct object *o) {
    return o != NULL && UNLIKELY(heap_bitmap_test(d->statics, o)) ? address(class_of_statics(o)->mirror) : address(o);
}

static bool note_statics(void *arg, struct class *c) {
    struct heap_dump *d = arg;
    if (c->statics != NULL) (void)heap_bitmap_test_and_set(d->statics, c->statics);
    return true;
}

static uint32_t micros(void *arg) {
    const struct heap_dump *d = arg;
    return (uint32_t)((os_nanotime() - d->began) / 1000);
}

static void put_address(struct packet *p, const void *address_of) { put_u8(p, address(address_of)); }

static void write_packet(struct heap_dump *d, enum record_tag tag, struct packet *p) {
    d->failed |= p->failed;
    write_record(d->out, tag, micros(d), p);
}

static bool goes_on(const struct heap_dump *d) { return !d->failed && !output_failed(d->out); }

/* ---- names and classes ------------------------------------------------------------------------------------------- */

static void write_name(struct heap_dump *d, const void *id, const char *bytes, size_t length) {
    struct packet p = {0};
    put_address(&p, id);
    put_bytes(&p, bytes, length);
    write_packet(d, RECORD_UTF8, &p);
}

static void write_symbol(struct symbol *s, void *arg) { write_name(arg, s, s->bytes, s->length); }

/* The constructor that the dying thread's stack begins with. */
static struct method *error_constructor(void) {
    return class_method_cstr(known_class(java_lang_OutOfMemoryError), "<init>", "()V");
}

/* Source files become symbols when somebody asks for them. */
static void make_source_names(const struct heap_dump *d) {
    if (d->dying != NULL) (void)method_source_file(error_constructor()->code);
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c))
            (void)method_source_file(cursor_code(&c));
}

static bool write_load_class(void *arg, struct class *c) {
    struct heap_dump *d = arg;
    if (class_is_primitive(c) || c->mirror == NULL) return true;
    struct packet p = {0};
    put_u4(&p, c->shape.id);
    put_address(&p, c->mirror);
    put_u4(&p, NO_TRACE);
    put_address(&p, c->name);
    write_packet(d, RECORD_LOAD_CLASS, &p);
    return goes_on(d);
}

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

static void write_frame(struct heap_dump *d, const struct method_code *code, int32_t bci) {
    const struct method *m = code->method;
    int32_t line = method_line_number(code, bci);
    struct packet p = {0};
    put_u8(&p, ++d->frames);
    put_address(&p, m->name);
    put_address(&p, m->desc);
    put_address(&p, method_source_file(code));
    put_u4(&p, m->holder->shape.id);
    put_u4(&p, (uint32_t)(m->access_flags & ACC_NATIVE ? LINE_NATIVE : line));
    write_packet(d, RECORD_FRAME, &p);
}

static void write_trace(struct heap_dump *d, uint32_t serial, uint32_t thread, uint64_t first_frame) {
    struct packet p = {0};
    put_u4(&p, serial);
    put_u4(&p, thread);
    put_u4(&p, (uint32_t)(d->frames - first_frame));
    for (uint64_t id = first_frame; id < d->frames; id++) put_u8(&p, id + 1);
    write_packet(d, RECORD_TRACE, &p);
}

static uint32_t trace_of_thread(uint32_t serial) { return NO_TRACE + serial; }

static void write_stacks(struct heap_dump *d) {
    uint32_t serial = 0;
    for (struct java_thread *t = threads_first(); t != NULL && goes_on(d); t = t->next) {
        if (!thread_is_visible(t)) continue;
        uint64_t first = d->frames;
        d->failed |= !int_table_put(&d->threads, address(t->mirror), ++serial);
        if (t == d->dying) write_frame(d, error_constructor()->code, 0);
        for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c))
            write_frame(d, cursor_code(&c), cursor_bci(&c));
        write_trace(d, trace_of_thread(serial), serial, first);
    }
}

/* 0: a thread of the VM's own. */
static uint32_t thread_serial(const struct heap_dump *d, const struct object *mirror) {
    uint64_t serial = 0;
    return int_table_get(&d->threads, address(mirror), &serial) ? (uint32_t)serial : 0;
}

/* ---- class dumps ------------------------------------------------------------------------------------------------- */

static bool is_dumped_field(const struct field *f, bool is_static) {
    return f->cf != NULL && ((f->access_flags & ACC_STATIC) != 0) == is_static; /* injected ones are the VM's own */
}

static uint32_t count_fields(const struct class *c, bool statics) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->field_count; i++) n += is_dumped_field(&c->fields[i], statics);
    return n;
}

/* Writes one value and answers what stands behind it. */
static ALWAYS_INLINE unsigned char *store_value(const struct heap_dump *d, unsigned char *to, struct object *base,
                                                uint32_t offset, char type) {
    if (type != 'L' && type != '[') return store_primitive(to, type, (const char *)base + offset);
    store_u8(to, identifier(d, heap_load_ref(base, offset)));
    return to + ID_SIZE;
}

/* arg: a packet. */
static bool put_resolved(void *arg, int32_t index, struct object *o) {
    (void)index;
    if (shape_of(o)->kind != SHAPE_MIRROR) put_address(arg, o);
    return true;
}

static void copy_identifiers(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    memcpy(to, (const unsigned char *)from + first * ID_SIZE, count * ID_SIZE);
}

/* The objects that resolution has put into c's constant pool, as an array. False: there are none. */
static bool write_resolved(struct heap_dump *d, const struct class *c) {
    struct class *array = atomic_load(&known_class(java_lang_Object)->array_class);
    struct packet p = {0};
    if (c->version != NULL && array != NULL) (void)class_constants(c, put_resolved, &p);
    bool any = p.used != 0 && !p.failed;
    if (any)
        heap_write_object_array(&d->writer, address(c->version), NO_TRACE, address(array->mirror),
                                (uint32_t)(p.used / ID_SIZE), p.data, copy_identifiers);
    d->failed |= p.failed;
    packet_free(&p);
    return any;
}

static void put_statics(const struct heap_dump *d, struct packet *p, const struct class *c, bool resolved) {
    uint32_t n = c->statics != NULL ? count_fields(c, true) : 0;
    put_u2(p, n + resolved);
    for (uint32_t i = 0; n != 0 && i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        unsigned char value[8];
        if (!is_dumped_field(f, true)) continue;
        put_address(p, f->name);
        put_u1(p, type_number(f->desc->bytes[0]));
        put_bytes(p, value, (size_t)(store_value(d, value, c->statics, f->offset, f->desc->bytes[0]) - value));
    }
    if (!resolved) return;
    put_address(p, resolved_references);
    put_u1(p, type_number('['));
    put_address(p, c->version);
}

static void put_fields(struct packet *p, const struct class *c) {
    put_u2(p, count_fields(c, false));
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_dumped_field(&c->fields[i], false)) continue;
        put_address(p, c->fields[i].name);
        put_u1(p, type_number(c->fields[i].desc->bytes[0]));
    }
}

static uint32_t values_size(const struct class *c) {
    uint32_t size = 0;
    for (; c != NULL; c = c->super)
        for (uint32_t i = 0; i < c->field_count; i++)
            if (is_dumped_field(&c->fields[i], false)) size += type_size(c->fields[i].desc->bytes[0], ID_SIZE);
    return size;
}

static bool write_class(void *arg, struct class *c) {
    struct heap_dump *d = arg;
    if (class_is_primitive(c) || c->mirror == NULL) return true;
    bool resolved = write_resolved(d, c);
    const struct class *owner = class_element(c);      /* who loaded it */
    struct packet p = {0};
    heap_put_class(&d->writer, &p, &(struct heap_class){
        .id = address(c->mirror), .super = c->super != NULL ? address(c->super->mirror) : 0,
        .loader = owner->loader != NULL ? address(owner->loader->object) : 0,
        .signers = address(class_signers(c)), .domain = address(owner->protection_domain), .trace = NO_TRACE,
            .size = class_is_array(c) ? 0 : values_size(c)});
    put_u2(&p, 0);                       /* constant pool: see above */
    put_statics(d, &p, c, resolved);
    put_fields(&p, c);
    d->failed |= p.failed;
    heap_write_class(&d->writer, &p);
    return goes_on(d);
}

/* ---- roots ------------------------------------------------------------------------------------------------------- */

static struct heap_root stack_root(const struct heap_dump *d, enum heap_root_kind kind,
                                   const struct walk_reference *r) {
    uint32_t serial = r->stack->thread->mirror != NULL ? thread_serial(d, r->stack->thread->mirror) : 0;
    if (serial == 0) return (struct heap_root){.kind = ROOT_UNKNOWN};
    int32_t depth = r->stack->code != NULL ? r->stack->depth + (r->stack->thread == d->dying) : -1;
    return (struct heap_root){.kind = kind, .thread = serial, .frame = depth};
}

static struct heap_root thread_root(const struct heap_dump *d, const struct object *mirror) {
    uint32_t serial = thread_serial(d, mirror);
    if (serial == 0) return (struct heap_root){.kind = ROOT_UNKNOWN};
    return (struct heap_root){.kind = ROOT_THREAD_OBJECT, .thread = serial, .trace = trace_of_thread(serial)};
}

static enum walk_answer write_root(void *arg, const struct walk_reference *r) {
    struct heap_dump *d = arg;
    struct heap_root root = {.kind = ROOT_UNKNOWN};
    switch (r->kind) {
    case WALK_ROOT_JNI_GLOBAL:
        root = (struct heap_root){.kind = ROOT_JNI_GLOBAL, .reference = address(r->handle)};
        break;
    case WALK_ROOT_SYSTEM_CLASS: root.kind = ROOT_STICKY_CLASS; break;
    case WALK_ROOT_MONITOR: root.kind = ROOT_MONITOR_USED; break;
    case WALK_ROOT_STACK_LOCAL: root = stack_root(d, ROOT_JAVA_FRAME, r); break;
    case WALK_ROOT_JNI_LOCAL: root = stack_root(d, ROOT_JNI_LOCAL, r); break;
    case WALK_ROOT_THREAD: root = thread_root(d, r->object); break;
    default: break;
    }
    root.id = address(r->object);
    heap_write_root(&d->writer, &root);
    return goes_on(d) ? WALK_SKIP : WALK_STOP;
}

/* The walk goes no further than the roots. */
static void write_roots(struct heap_dump *d) {
    struct walk_visitor visitor = {write_root, NULL, d, false};
    struct heap_walk *w = heap_walk_new(&visitor);
    d->failed |= w == NULL || !heap_walk_follow(w, NULL);
    heap_walk_free(w);
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static struct dump_layout *make_layout(struct heap_dump *d, const struct class *c) {
    uint32_t n = 0;
    for (const struct class *k = c; k != NULL; k = k->super) n += count_fields(k, false);
    struct dump_layout *l = arena_alloc(d->arena, sizeof *l + n * sizeof l->fields[0]);
    if (l == NULL) return NULL;
    l->class_id = address(c->mirror);
    l->size = values_size(c);
    for (const struct class *k = c; k != NULL; k = k->super)
        for (uint32_t i = 0; i < k->field_count; i++)
            if (is_dumped_field(&k->fields[i], false))
                l->fields[l->count++] = (struct dump_field){k->fields[i].offset, k->fields[i].desc->bytes[0]};
    return l;
}

static bool grow_layouts(struct heap_dump *d, uint32_t class_id) {
    uint32_t capacity = d->layout_capacity ? d->layout_capacity : 4096;
    while (capacity <= class_id) capacity *= 2;
    struct dump_layout **fresh = mem_realloc(d->layouts, capacity * sizeof *fresh);
    if (fresh == NULL) return false;
    memset(fresh + d->layout_capacity, 0, (capacity - d->layout_capacity) * sizeof *fresh);
    d->layouts = fresh;
    d->layout_capacity = capacity;
    return true;
}

static const struct dump_layout *layout_of(struct heap_dump *d, const struct object *o) {
    uint32_t id = o->class_id;
    if (UNLIKELY(id >= d->layout_capacity) && !grow_layouts(d, id)) return NULL;
    if (UNLIKELY(d->layouts[id] == NULL)) d->layouts[id] = make_layout(d, class_of(o));
    return d->layouts[id];
}

static void store_values(const struct heap_dump *d, unsigned char *to, struct object *o, const struct dump_layout *l) {
    for (uint32_t i = 0; i < l->count; i++) to = store_value(d, to, o, l->fields[i].offset, l->fields[i].type);
}

/* One whose values fill more than a segment. */
static NOINLINE bool write_large_instance(struct heap_dump *d, struct object *o, const struct dump_layout *l) {
    unsigned char *values = mem_alloc(l->size);
    if (values == NULL) return false;
    store_values(d, values, o, l);
    heap_write_instance(&d->writer, address(o), NO_TRACE, l->class_id, values, l->size);
    mem_free(values);
    return true;
}

static bool write_instance(struct heap_dump *d, struct object *o) {
    const struct dump_layout *l = layout_of(d, o);
    if (l == NULL) return false;
    unsigned char *values = heap_instance_values(&d->writer, address(o), NO_TRACE, l->class_id, l->size);
    if (UNLIKELY(values == NULL)) return write_large_instance(d, o, l);
    store_values(d, values, o, l);
    return true;
}

static void widen_references(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    const ref_t *p = (const ref_t *)from + first;
    for (size_t i = 0; i < count; i++) store_u8(to + i * ID_SIZE, identifier(arg, ref_decode(p[i])));
}

/* World stopped. Classes have dumps of their own; mirrors of primitive types are written as instances, as
 * HotSpot does. */
static bool write_object(void *arg, struct object *o) {
    struct heap_dump *d = arg;
    const struct class *c = class_of(o), *mirrored = NULL;
    switch (shape_of(o)->kind) {
    case SHAPE_STATICS: return true;
    case SHAPE_REF_ARRAY:
        heap_write_object_array(&d->writer, address(o), NO_TRACE, address(c->mirror), (uint32_t)array_length(o),
                                array_data(o), widen_references);
        break;
    case SHAPE_PRIM_ARRAY:
        heap_write_primitive_array(&d->writer, address(o), NO_TRACE, c->name->bytes[1], (uint32_t)array_length(o),
                                   array_data(o));
        break;
    case SHAPE_MIRROR:
        mirrored = class_of_mirror(o);
        if (mirrored != NULL && !class_is_primitive(mirrored)) return true;
        d->failed |= !write_instance(d, o);
        break;
    default: d->failed |= !write_instance(d, o); break;
    }
    return goes_on(d);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* World stopped. */
static void write_all(struct heap_dump *d) {
    class_walk_all(note_statics, d);
    write_file_header(d->out, ID_SIZE);
    make_source_names(d);
    symbol_iterate(write_symbol, d);
    write_name(d, resolved_references, resolved_references, sizeof resolved_references - 1);
    write_trace(d, NO_TRACE, 0, 0);
    class_walk_all(write_load_class, d);
    write_stacks(d);
    if (d->failed || !heap_writer_begin(&d->writer)) {
        d->failed = true;
        return;
    }
    class_walk_all(write_class, d);
    if (goes_on(d)) write_roots(d);
    if (goes_on(d)) heap_walk(write_object, d);
    heap_writer_end(&d->writer, goes_on(d));
}

bool heap_dump_write(struct os_thread *self, struct output *out, const struct java_thread *dying) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct heap_dump d = {.out = out, .dying = dying, .began = os_nanotime(), .arena = arena_new("heap dump")};
    d.writer = (struct heap_writer){.out = out, .id_size = ID_SIZE, .micros = micros, .arg = &d};
    safepoint_begin(self, "HeapDump");
    MAY_ALLOCATE("the dump fails and says so");
    d.statics = heap_bitmap_new();
    d.failed = d.arena == NULL || d.statics == NULL;
    if (!d.failed) write_all(&d);
    heap_bitmap_free(d.statics);
    safepoint_end(self);
    int_table_free(&d.threads);
    mem_free(d.layouts);
    arena_free(d.arena);
    return !d.failed;
}
