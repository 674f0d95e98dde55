/* traces.h: stack traces, their frames and methods, each kept and written once. Lock held. */
#ifndef HPROF_TRACES_H
#define HPROF_TRACES_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

#include "table.h"

struct hprof;
struct class_info;

/* Trace 0 stands for "not known" and has no frames; its serial is the base, all others follow. */
enum { TRACE_SERIAL_BASE = 300000 };
enum { LINE_UNKNOWN = -1, LINE_COMPILED = -2, LINE_NATIVE = -3 };

struct method_info {
    char *name, *signature, *source;    /* source: NULL when unknown                                      */
    struct class_info *class;
    jvmtiLineNumberEntry *lines;        /* JVM TI memory; NULL: no table                                  */
    jint line_count;
    bool is_native;
};

struct frame_info { uint32_t method; int32_t line; bool written; };

struct trace {
    uint32_t frame_count;
    uint32_t thread;                    /* serial; 0: threads are not told apart                          */
    const uint32_t *frames;             /* innermost first                                                */
    bool written;
    uint64_t samples;                   /* cpu=samples: how often it was found running                    */
};

struct traces {
    struct numbering method_ids, raw_frames, frame_keys, trace_keys;
    struct stable methods;              /* struct method_info, as method_ids counts                       */
    struct stable raw;                  /* uint32_t: frame of (method, location), as raw_frames counts    */
    struct stable frames;               /* struct frame_info, as frame_keys counts                        */
    struct stable all;                  /* struct trace, as trace_keys counts + 1                         */
};

/* The number of a stack (innermost frame first, at most depth= frames are kept). `thread` is a serial and counts only
 * with thread=y. 0 when there is no memory for it. Without `lines` frames of one method are equal whatever their
 * location (HP-033). */
uint32_t trace_put(struct hprof *h, JNIEnv *jni, const jvmtiFrameInfo *frames, jint count, uint32_t thread, bool lines);
/* The same for methods without locations. */
uint32_t trace_put_methods(struct hprof *h, JNIEnv *jni, const jmethodID *methods, uint32_t count, uint32_t thread);
struct trace *trace_get(struct hprof *h, uint32_t number);
uint32_t trace_count(const struct hprof *h);
static inline uint32_t trace_serial(uint32_t number) { return TRACE_SERIAL_BASE + number; }
/* Method of a trace's frame. */
struct method_info *trace_method(struct hprof *h, const struct trace *t, uint32_t frame, int32_t *line);
/* Writes traces (and frames, classes, names before them) that have not been written. */
void trace_write(struct hprof *h, uint32_t number);
void traces_write(struct hprof *h);
void traces_free(struct hprof *h);

#endif
