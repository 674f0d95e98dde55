/* traces.c: stack traces, frames, methods. */
#include "traces.h"

#include <stdlib.h>
#include <string.h>

#include "hprof.h"

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static bool describe_method(struct hprof *h, JNIEnv *jni, jmethodID id, struct method_info *m) {
    char *name = NULL, *signature = NULL, *source = NULL;
    jclass klass = NULL;
    if ((*h->env)->GetMethodName(h->env, id, &name, &signature, NULL) == JVMTI_ERROR_NONE) {
        m->name = strdup(name);
        m->signature = strdup(signature);
    }
    hprof_free(h, name);
    hprof_free(h, signature);
    if (m->name == NULL || m->signature == NULL ||
        (*h->env)->GetMethodDeclaringClass(h->env, id, &klass) != JVMTI_ERROR_NONE)
        return false;
    m->class = class_of(h, jni, klass);
    if ((*h->env)->GetSourceFileName(h->env, klass, &source) == JVMTI_ERROR_NONE) m->source = strdup(source);
    hprof_free(h, source);
    (*jni)->DeleteLocalRef(jni, klass);
    jboolean is_native = JNI_FALSE;
    (*h->env)->IsMethodNative(h->env, id, &is_native);
    m->is_native = is_native;
    if (!is_native && (*h->env)->GetLineNumberTable(h->env, id, &m->line_count, &m->lines) != JVMTI_ERROR_NONE)
        m->line_count = 0;
    return m->class != NULL;
}

/* The number of a method; its names are taken now, while it certainly is there. */
static uint32_t method_put(struct hprof *h, JNIEnv *jni, jmethodID id) {
    struct traces *t = &h->traces;
    bool fresh;
    uint32_t number = numbering_put(&t->method_ids, &id, sizeof id, &fresh);
    if (number == NO_INDEX || !fresh) return number;
    struct method_info *m = stable_make(&t->methods, number);
    return m != NULL && describe_method(h, jni, id, m) ? number : NO_INDEX;
}

static int32_t line_of(const struct method_info *m, jlocation location) {
    if (m->is_native) return LINE_NATIVE;
    int32_t line = LINE_UNKNOWN;
    jlocation best = -1;
    for (jint i = 0; i < m->line_count; i++) {
        if (m->lines[i].start_location > location || m->lines[i].start_location < best) continue;
        best = m->lines[i].start_location;
        line = m->lines[i].line_number;
    }
    return line;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static uint32_t frame_make(struct hprof *h, JNIEnv *jni, jmethodID id, jlocation location, bool lines) {
    struct traces *t = &h->traces;
    uint32_t method = method_put(h, jni, id);
    if (method == NO_INDEX) return NO_INDEX;
    const struct method_info *m = stable_get(&t->methods, method);
    if (m->class == NULL) return NO_INDEX;
    int32_t line = m->is_native ? LINE_NATIVE : lines && h->options.lineno ? line_of(m, location) : LINE_UNKNOWN;
    uint32_t key[2] = {method, (uint32_t)line};
    bool fresh;
    uint32_t number = numbering_put(&t->frame_keys, key, sizeof key, &fresh);
    if (number == NO_INDEX || !fresh) return number;
    struct frame_info *f = stable_make(&t->frames, number);
    if (f == NULL) return NO_INDEX;
    *f = (struct frame_info){method, line, false};
    return number;
}

static uint32_t frame_put(struct hprof *h, JNIEnv *jni, jmethodID id, jlocation location, bool lines) {
    struct traces *t = &h->traces;
    struct { jmethodID id; jlocation location; } key = {id, lines && h->options.lineno ? location : -2};
    bool fresh;
    uint32_t raw = numbering_put(&t->raw_frames, &key, sizeof key, &fresh);
    if (raw == NO_INDEX) return NO_INDEX;
    uint32_t *frame = stable_make(&t->raw, raw);
    if (frame == NULL) return NO_INDEX;
    if (fresh) *frame = frame_make(h, jni, id, location, lines);
    return *frame;
}

/* ---- traces ------------------------------------------------------------------------------------------------------ */

enum { SHORT_TRACE = 64 };

/* key: thread, then frames. */
static uint32_t put_key(struct hprof *h, const uint32_t *key, uint32_t frames) {
    struct traces *t = &h->traces;
    if (frames == 0 && key[0] == 0) return 0;
    bool fresh;
    uint32_t number = numbering_put(&t->trace_keys, key, (frames + 1) * sizeof *key, &fresh);
    if (number == NO_INDEX) return 0;
    struct trace *trace = stable_make(&t->all, number + 1);
    if (trace == NULL) return 0;
    if (fresh) {
        size_t size;
        const uint32_t *kept = numbering_key(&t->trace_keys, number, &size);
        *trace = (struct trace){.frame_count = frames, .thread = key[0], .frames = kept + 1};
    }
    return number + 1;
}

static uint32_t *begin_key(struct hprof *h, uint32_t short_key[SHORT_TRACE + 1], uint32_t count, uint32_t thread) {
    uint32_t *key = count <= SHORT_TRACE ? short_key : malloc(((size_t)count + 1) * sizeof *key);
    if (key != NULL) key[0] = h->options.thread ? thread : 0;
    return key;
}

uint32_t trace_put(struct hprof *h, JNIEnv *jni, const jvmtiFrameInfo *frames, jint count, uint32_t thread,
                   bool lines) {
    uint32_t short_key[SHORT_TRACE + 1], used = 0;
    if (count > h->options.depth) count = h->options.depth;
    uint32_t *key = begin_key(h, short_key, (uint32_t)count, thread);
    if (key == NULL) return 0;
    for (jint i = 0; i < count; i++) {
        uint32_t frame = frame_put(h, jni, frames[i].method, frames[i].location, lines);
        if (frame != NO_INDEX) key[++used] = frame;
    }
    uint32_t number = put_key(h, key, used);
    if (key != short_key) free(key);
    return number;
}

uint32_t trace_put_methods(struct hprof *h, JNIEnv *jni, const jmethodID *methods, uint32_t count, uint32_t thread) {
    uint32_t short_key[SHORT_TRACE + 1], used = 0;
    uint32_t *key = begin_key(h, short_key, count, thread);
    if (key == NULL) return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t frame = frame_put(h, jni, methods[i], -1, false);
        if (frame != NO_INDEX) key[++used] = frame;
    }
    uint32_t number = put_key(h, key, used);
    if (key != short_key) free(key);
    return number;
}

struct trace *trace_get(struct hprof *h, uint32_t number) { return stable_make(&h->traces.all, number); }

uint32_t trace_count(const struct hprof *h) { return h->traces.trace_keys.count + 1; }

struct method_info *trace_method(struct hprof *h, const struct trace *t, uint32_t frame, int32_t *line) {
    const struct frame_info *f = stable_get(&h->traces.frames, t->frames[frame]);
    if (line != NULL) *line = f->line;
    return stable_get(&h->traces.methods, f->method);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void write_text(struct hprof *h, uint32_t number, const struct trace *t) {
    if (t->thread != 0) output_format(h->out, "TRACE %u: (thread=%u)\n", trace_serial(number), t->thread);
    else output_format(h->out, "TRACE %u:\n", trace_serial(number));
    if (t->frame_count == 0) output_format(h->out, "\t<empty>\n");
    for (uint32_t i = 0; i < t->frame_count; i++) {
        int32_t line;
        const struct method_info *m = trace_method(h, t, i, &line);
        output_format(h->out, "\t%s.%s(%s:", m->class->name, m->name,
                      m->source != NULL ? m->source : "<Unknown Source>");
        if (line == LINE_NATIVE) output_format(h->out, "Native method)\n");
        else if (line == LINE_COMPILED) output_format(h->out, "Compiled method)\n");
        else if (line == LINE_UNKNOWN) output_format(h->out, "Unknown line)\n");
        else output_format(h->out, "%d)\n", line);
    }
    output_commit(h->out);
}

static void write_frame(struct hprof *h, uint32_t number) {
    struct frame_info *f = stable_get(&h->traces.frames, number);
    if (f->written) return;
    f->written = true;
    const struct method_info *m = stable_get(&h->traces.methods, f->method);
    class_write(h, m->class);
    uint64_t name = record_name(h, m->name), signature = record_name(h, m->signature),
             source = record_name(h, m->source);
    struct packet p = {0};
    put_id(h, &p, (uint64_t)number + 1);
    put_id(h, &p, name);
    put_id(h, &p, signature);
    put_id(h, &p, source);
    put_u4(&p, m->class->serial);
    put_u4(&p, (uint32_t)f->line);
    record_write(h, RECORD_FRAME, &p);
}

static void write_binary(struct hprof *h, uint32_t number, const struct trace *t) {
    for (uint32_t i = 0; i < t->frame_count; i++) write_frame(h, t->frames[i]);
    struct packet p = {0};
    put_u4(&p, trace_serial(number));
    put_u4(&p, t->thread);
    put_u4(&p, t->frame_count);
    for (uint32_t i = 0; i < t->frame_count; i++) put_id(h, &p, (uint64_t)t->frames[i] + 1);
    record_write(h, RECORD_TRACE, &p);
}

void trace_write(struct hprof *h, uint32_t number) {
    struct trace *t = trace_get(h, number);
    if (t == NULL || t->written || h->out == NULL) return;
    t->written = true;
    if (h->options.form == FORM_TEXT) write_text(h, number, t);
    else if (h->options.form == FORM_BINARY) write_binary(h, number, t);
}

void traces_write(struct hprof *h) {
    for (uint32_t i = 0; i < trace_count(h); i++) trace_write(h, i);
}

void traces_free(struct hprof *h) {
    struct traces *t = &h->traces;
    for (uint32_t i = 0; i < t->method_ids.count; i++) {
        struct method_info *m = stable_make(&t->methods, i);
        if (m == NULL) continue;
        free(m->name);
        free(m->signature);
        free(m->source);
        hprof_free(h, m->lines);
    }
    numbering_free(&t->method_ids);
    numbering_free(&t->raw_frames);
    numbering_free(&t->frame_keys);
    numbering_free(&t->trace_keys);
    stable_free(&t->methods);
    stable_free(&t->raw);
    stable_free(&t->frames);
    stable_free(&t->all);
}
