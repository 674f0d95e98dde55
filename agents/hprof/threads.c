/* threads.c: the table of threads. */
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof.h"
#include "times.h"

static char *copy(const char *text) { return strdup(text != NULL ? text : ""); }

/* Names are the program's strings: with redact=y a number has to do. */
static char *redacted_name(const struct thread_info *t) {
    char *name = NULL;
    return asprintf(&name, "thread-%u", t->serial) < 0 ? NULL : name;
}

static void describe(struct hprof *h, JNIEnv *jni, jthread thread, struct thread_info *t) {
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    jvmtiThreadGroupInfo group, parent;
    memset(&group, 0, sizeof group);
    memset(&parent, 0, sizeof parent);
    (*h->env)->GetThreadInfo(h->env, thread, &info);
    if (info.thread_group != NULL) (*h->env)->GetThreadGroupInfo(h->env, info.thread_group, &group);
    if (group.parent != NULL) (*h->env)->GetThreadGroupInfo(h->env, group.parent, &parent);
    bool redact = h->options.redact;
    t->name = redact ? redacted_name(t) : copy(info.name);
    t->group = copy(redact ? NULL : group.name);
    t->parent = copy(redact ? NULL : parent.name);
    hprof_free(h, info.name);
    hprof_free(h, group.name);
    hprof_free(h, parent.name);
    jobject references[] = {info.thread_group, info.context_class_loader, group.parent, parent.parent};
    for (unsigned i = 0; i < sizeof references / sizeof references[0]; i++)
        if (references[i] != NULL) (*jni)->DeleteLocalRef(jni, references[i]);
}

static void announce(struct hprof *h, const struct thread_info *t) {
    if (h->out == NULL) return;
    if (h->options.form == FORM_TEXT) {
        output_format(h->out, "THREAD START (obj=%x, id = %u, name=\"%s\", group=\"%s\")\n", t->known.id, t->serial,
                      t->name, t->group);
        output_commit(h->out);
        return;
    }
    if (h->options.form != FORM_BINARY) return;
    uint64_t name = record_name(h, t->name), group = record_name(h, t->group), parent = record_name(h, t->parent);
    struct packet p = {0};
    put_u4(&p, t->serial);
    put_id(h, &p, t->known.id);
    put_u4(&p, TRACE_SERIAL_BASE);
    put_id(h, &p, name);
    put_id(h, &p, group);
    put_id(h, &p, parent);
    record_write(h, RECORD_START_THREAD, &p);
}

static struct thread_info *thread_add(struct hprof *h, JNIEnv *jni, jthread thread) {
    struct thread_info *t = calloc(1, sizeof *t);
    if (t == NULL) return NULL;
    t->known.kind = KNOWN_THREAD;
    t->serial = THREAD_SERIAL_BASE + h->threads.count + 1;
    describe(h, jni, thread, t);
    jlong tag = 0;
    (*h->env)->GetTag(h->env, thread, &tag);
    if (t->name == NULL || t->group == NULL || t->parent == NULL || known_add(h, &t->known) == 0) return NULL;
    h->threads.count++;
    (*h->env)->SetTag(h->env, thread, (tag & ~TAG_ID_MASK) | t->known.id);
    (*h->env)->SetThreadLocalStorage(h->env, thread, t);
    announce(h, t);
    return t;
}

struct thread_info *thread_of(struct hprof *h, JNIEnv *jni, jthread thread) {
    void *known = NULL;
    if ((*h->env)->GetThreadLocalStorage(h->env, thread, &known) != JVMTI_ERROR_NONE) return NULL;
    return known != NULL ? known : thread_add(h, jni, thread);
}

struct thread_info *thread_current(struct hprof *h) {
    void *known = NULL;
    return (*h->env)->GetThreadLocalStorage(h->env, NULL, &known) == JVMTI_ERROR_NONE ? known : NULL;
}

void threads_refresh(struct hprof *h, JNIEnv *jni) {
    jint count = 0;
    jthread *list = NULL;
    if (!hprof_ok(h, (*h->env)->GetAllThreads(h->env, &count, &list), "GetAllThreads")) return;
    for (jint i = 0; i < count; i++) {
        thread_of(h, jni, list[i]);
        (*jni)->DeleteLocalRef(jni, list[i]);
    }
    hprof_free(h, list);
}

void thread_end(struct hprof *h, struct thread_info *t) {
    t->ended = true;
    if (h->times != NULL) times_thread_end(h, t);
    if (h->out == NULL) return;
    if (h->options.form == FORM_TEXT) {
        output_format(h->out, "THREAD END (id = %u)\n", t->serial);
        output_commit(h->out);
    } else if (h->options.form == FORM_BINARY) {
        struct packet p = {0};
        put_u4(&p, t->serial);
        record_write(h, RECORD_END_THREAD, &p);
    }
}
