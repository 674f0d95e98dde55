/* pprof.c: the profile in pprof's form: a protocol-buffer message Profile (profile.proto), not compressed unless
 * gzip=y. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hprof.h"
#include "stacks.h"

enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_TIME = 9,
    PROFILE_COMMENT = 13
};

/* ---- protocol buffers -------------------------------------------------------------------------------------------- */

static void put_varint(struct packet *p, uint64_t v) {
    for (; v >= 0x80; v >>= 7) put_u1(p, (uint32_t)(v & 0x7f) | 0x80);
    put_u1(p, (uint32_t)v);
}

static void put_number(struct packet *p, uint32_t field, uint64_t v) {
    put_varint(p, field << 3);
    put_varint(p, v);
}

static void put_message(struct packet *p, uint32_t field, const void *bytes, size_t n) {
    put_varint(p, field << 3 | 2);
    put_varint(p, n);
    put_bytes(p, bytes, n);
}

/* Adds `part` as a field and empties it. */
static void put_part(struct packet *p, uint32_t field, struct packet *part) {
    put_message(p, field, part->data, part->used);
    part->used = 0;
}

/* ---- the profile ------------------------------------------------------------------------------------------------- */

struct profile {
    struct packet whole, part, inner;
    struct numbering strings, functions, locations;
};

static uint64_t string(struct profile *p, const char *text) {
    bool fresh;
    uint32_t number = numbering_put(&p->strings, text != NULL ? text : "", text != NULL ? strlen(text) : 0, &fresh);
    return number != NO_INDEX ? number : 0;
}

static uint64_t function(struct profile *p, const char *name, const char *source) {
    uint64_t key[2] = {string(p, name), string(p, source)};
    bool fresh;
    uint64_t id = (uint64_t)numbering_put(&p->functions, key, sizeof key, &fresh) + 1;
    if (fresh) {
        put_number(&p->inner, 1, id);
        put_number(&p->inner, 2, key[0]);
        put_number(&p->inner, 3, key[0]);
        put_number(&p->inner, 4, key[1]);
        put_part(&p->whole, PROFILE_FUNCTION, &p->inner);
    }
    return id;
}

static uint64_t location(struct profile *p, const char *name, const char *source, int32_t line) {
    uint64_t key[2] = {function(p, name, source), line > 0 ? (uint64_t)line : 0};
    bool fresh;
    uint64_t id = (uint64_t)numbering_put(&p->locations, key, sizeof key, &fresh) + 1;
    if (fresh) {
        struct packet l = {0};
        put_number(&l, 1, key[0]);
        put_number(&l, 2, key[1]);
        put_number(&p->inner, 1, id);
        put_part(&p->inner, 4, &l);
        put_part(&p->whole, PROFILE_LOCATION, &p->inner);
        free(l.data);
    }
    return id;
}

static void add_locations(struct hprof *h, struct profile *p, const struct weighted *w, struct packet *ids) {
    const struct trace *t = trace_get(h, w->trace);
    if (w->class != NULL) put_varint(ids, location(p, w->class->name, NULL, 0));
    for (uint32_t i = 0; t != NULL && i < t->frame_count; i++) {
        int32_t line;
        const struct method_info *m = trace_method(h, t, i, &line);
        struct packet name = {0};
        put_bytes(&name, m->class->name, strlen(m->class->name));
        put_u1(&name, '.');
        put_bytes(&name, m->name, strlen(m->name) + 1);
        if (!name.failed) put_varint(ids, location(p, (const char *)name.data, m->source, line));
        free(name.data);
    }
}

/* A sample has one value per type; all but its own are 0. */
static void add_sample(struct hprof *h, struct profile *p, const struct weighted *w, int type, int types) {
    struct packet ids = {0}, values = {0};
    add_locations(h, p, w, &ids);
    for (int i = 0; i < types; i++) put_varint(&values, i == type ? w->weight : 0);
    put_part(&p->part, 1, &ids);
    put_part(&p->part, 2, &values);
    put_part(&p->whole, PROFILE_SAMPLE, &p->part);
    free(ids.data);
    free(values.data);
}

static void add_type(struct profile *p, const char *name, const char *unit) {
    uint64_t n = string(p, name), u = string(p, unit);
    put_number(&p->part, 1, n);
    put_number(&p->part, 2, u);
    put_part(&p->whole, PROFILE_SAMPLE_TYPE, &p->part);
}

void pprof_write(struct hprof *h, struct output *out) {
    struct profile p = {0};
    struct weights kinds[STACK_KINDS];
    int types = 0, type = 0;
    string(&p, "");                     /* string 0 is the empty one */
    for (int k = 0; k < STACK_KINDS; k++) {
        kinds[k] = stacks_of(h, (enum stack_kind)k);
        if (kinds[k].rows == NULL) continue;
        add_type(&p, kinds[k].name, kinds[k].unit);
        types++;
    }
    for (int k = 0; k < STACK_KINDS; k++) {
        if (kinds[k].rows == NULL) continue;
        for (uint32_t i = 0; i < kinds[k].count; i++) add_sample(h, &p, &kinds[k].rows[i], type, types);
        free(kinds[k].rows);
        type++;
    }
    char overhead[OVERHEAD_TEXT];
    overhead_text(h, overhead);
    put_number(&p.whole, PROFILE_COMMENT, string(&p, overhead));
    for (uint32_t i = 0; i < p.strings.count; i++) {
        size_t n;
        const void *text = numbering_key(&p.strings, i, &n);
        put_message(&p.whole, PROFILE_STRING_TABLE, text, n);
    }
    put_number(&p.whole, PROFILE_TIME, (uint64_t)time(NULL) * 1000000000);
    output_bytes(out, p.whole.data, p.whole.used);
    free(p.whole.data);
    free(p.part.data);
    free(p.inner.data);
    numbering_free(&p.strings);
    numbering_free(&p.functions);
    numbering_free(&p.locations);
}
