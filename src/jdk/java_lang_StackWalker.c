/* java_lang_StackWalker.c — stack walks for java.lang.StackWalker: batches of frames written into the library's
 * buffers.
 *
 *   frames[0]                the walking thread, while the walk is valid
 *   frames[start ... end)    17: Class or StackFrameInfo objects; 25: ClassFrameInfo or StackFrameInfo objects made by
 * Java
 */
#include "base/options.h"
#include "exec/stack_map.h"
#include "inspect/stack.h"
#include "jdk/jvm.h"

#include <string.h>

enum walk_mode { WALK_CLASS_ONLY = 0x2, WALK_CALLER_CLASS = 0x4 /* 17 */, WALK_SHOW_HIDDEN = 0x20, WALK_LIVE = 0x100 };

/* ClassFrameInfo.flags: MemberName's bits in the low 24. */
enum {
    INFO_METHOD = 0x10000,
    INFO_CONSTRUCTOR = 0x20000,
    INFO_CALLER_SENSITIVE = 0x100000,
    INFO_HIDDEN = 0x400000,
    INFO_BITS = 0xffffff
};

/* A walk in progress; its address is the anchor that Java hands back. */
struct stack_walk {
    struct os_thread *thread;
    struct frame_cursor next;            /* the frame to look at next                                            */
    uint32_t mode;
};

/* ---- frames of 25 ------------------------------------------------------------------------------------------------ */

static uint32_t info_flags(const struct method *m) {
    uint32_t flags = m->access_flags & 0x1dffu;
    flags |= m->flags & (METHOD_INIT | METHOD_CLINIT) ? INFO_CONSTRUCTOR : INFO_METHOD;
    if (m->flags & METHOD_CALLER_SENSITIVE) flags |= INFO_CALLER_SENSITIVE;
    if (m->flags & METHOD_HIDDEN) flags |= INFO_HIDDEN;
    return flags;
}

static void set_info(struct object *info, struct object *class_or_name, const struct method *m) {
    heap_store_ref(info, known_offset(ClassFrameInfo_classOrMemberName), class_or_name);
    uint32_t rest = (uint32_t)field_load(info, known_offset(ClassFrameInfo_flags), T_INT) & ~(uint32_t)INFO_BITS;
    field_store(info, known_offset(ClassFrameInfo_flags), T_INT, rest | info_flags(m));
}

/* ---- live frames ------------------------------------------------------------------------------------------------- */

enum { LIVE_INTERPRETED = 1 };

/* What lies in a frame's slots: the parts of exec/stack_map.h, and the references that are not null. */
struct live_slots { uint64_t *parts, *references; size_t words; int total; };

static bool is_set(const uint64_t *bits, int slot) { return bits[slot / 64] >> slot % 64 & 1; }

static bool note_reference(void *arg, int slot, struct object *o) {
    struct live_slots *l = arg;
    (void)o;
    if (slot < l->total) l->references[slot / 64] |= (uint64_t)1 << slot % 64;
    return true;
}

/* False: OutOfMemoryError. */
static bool live_slots_of(struct os_thread *self, const struct frame_cursor *f, struct live_slots *out) {
    REQUIRES(IN_VM);
    out->total = (int)(cursor_local_count(f) + cursor_operand_count(f));
    out->words = MAX((size_t)stack_map_words(cursor_code(f)), (size_t)1);
    out->parts = mem_zalloc((STACK_MAP_PARTS + 1) * out->words * 8);
    bool ok = out->parts != NULL;
    if (ok) out->references = out->parts + STACK_MAP_PARTS * out->words;
    if (ok && cursor_is_native(f)) memset(out->parts + STACK_MAP_HELD * out->words, 0xff, out->words * 8);
    else if (ok) ok = cursor_values(f, out->parts) >= 0;
    if (ok) frame_references(f, note_reference, out);
    else throw_out_of_memory(self, "live stack frame");
    return ok;
}

/* As HotSpot has it: a long or double stands in the second of its two slots, and a local without a value is 0. */
static uint64_t live_local(const struct live_slots *l, const uint64_t *slots, int i, int n) {
    const uint64_t *held = l->parts + STACK_MAP_HELD * l->words, *second = l->parts + STACK_MAP_SECOND * l->words;
    if (is_set(second, i)) return slots[i - 1];
    return is_set(held, i) && !(i + 1 < n && is_set(second, i + 1)) ? slots[i] : 0;
}

/* Object[] of the locals, or of the operands: references as they are, everything else as LiveStackFrame.PrimitiveSlot
 * of the whole 64 bits. */
static struct object *slot_objects(struct os_thread *self, const struct live_slots *l, const uint64_t *slots, int first,
                                   int n, bool are_locals) {
    REQUIRES(IN_VM);
    struct object *out = new_ref_array(self, known_class(java_lang_Object), n);
    for (int i = 0; out != NULL && i < n; i++) {
        uint64_t value = 0;
        if (is_set(l->references, first + i)) {
            value = slots[i];
        } else if (!is_set(l->parts + STACK_MAP_REFS * l->words, first + i)) {
            uint64_t args[2] = {are_locals ? live_local(l, slots, i, n) : slots[i], 0};
            if (!java_call_static_named(self, known_class(java_lang_LiveStackFrameInfo), "asPrimitive",
                                        "(J)Ljava/lang/LiveStackFrame$PrimitiveSlot;", args, &value))
                return NULL;
        }
        heap_array_set(out, i, slot_object(value));
    }
    return out;
}

static struct object *held_monitors(struct os_thread *self, const struct frame_cursor *f) {
    REQUIRES(IN_VM);
    struct java_thread *t = self->java;
    int32_t n = 0;
    for (uint32_t i = 0; i < t->lock_count; i++) n += cursor_holds(f, &t->locks[i]);
    struct object *out = new_ref_array(self, known_class(java_lang_Object), n);
    for (uint32_t i = t->lock_count, k = 0; out != NULL && i-- > 0;)
        if (cursor_holds(f, &t->locks[i])) heap_array_set(out, (int32_t)k++, t->locks[i].object);
    return out;
}

static bool fill_live(struct os_thread *self, struct object *info, const struct frame_cursor *f) {
    REQUIRES(IN_VM);
    field_store(info, known_offset(LiveStackFrameInfo_mode), T_INT, LIVE_INTERPRETED);
    struct object *monitors = held_monitors(self, f);
    if (monitors == NULL) return false;
    heap_store_ref(info, known_offset(LiveStackFrameInfo_monitors), monitors);
    int locals = (int)cursor_local_count(f), operands = (int)cursor_operand_count(f);
    struct live_slots live = {0};
    bool ok = live_slots_of(self, f, &live);
    struct object *l = ok ? slot_objects(self, &live, cursor_locals(f), 0, locals, true) : NULL;
    struct object *o = l ? slot_objects(self, &live, cursor_operands(f), locals, operands, false) : NULL;
    mem_free(live.parts);
    if (o == NULL) return false;
    heap_store_ref(info, known_offset(LiveStackFrameInfo_locals), l);
    heap_store_ref(info, known_offset(LiveStackFrameInfo_operands), o);
    return true;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static bool fill_frame(struct os_thread *self, struct stack_walk *w, struct object *frames, int32_t index) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct frame_cursor *f = &w->next;
    struct method *m = cursor_method(f);
    struct object *info = heap_array_get(frames, index);
    if (w->mode & WALK_CLASS_ONLY) {
        if (vm->library == LIBRARY_17) heap_array_set(frames, index, m->holder->mirror);
        else set_info(info, m->holder->mirror, m);
        return true;
    }
    if (w->mode & WALK_LIVE && !fill_live(self, info, f)) return false;
    if (vm->library == LIBRARY_17) {
        if (!member_name_init_method(self, heap_load_ref(info, known_offset(StackFrameInfo_memberName)), m, m->holder,
                                     true))
            return false;
    } else {
        struct object *name = resolved_method_name(self, m);
        if (name == NULL) return false;
        set_info(info, name, m);
    }
    field_store(info, known_offset(StackFrameInfo_bci), T_INT, (uint32_t)cursor_bci(f));
    field_store(info, known_offset(StackFrameInfo_version), T_SHORT, cursor_code(f)->owner->number);
    return true;
}

/* Fills at most `count` elements from `start` on; *end is the index behind the last. The walk stands behind the last
 * frame written. False: exception pending. */
static bool fill_frames(struct os_thread *self, struct stack_walk *w, int32_t count, int32_t start,
                        struct object *frames, int32_t *end) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    *end = start;
    for (; cursor_valid(&w->next) && *end < start + count; frame_next(&w->next)) {
        struct method *m = cursor_method(&w->next);
        bool caller_class = vm->library == LIBRARY_17 && w->mode & WALK_CALLER_CLASS;
        bool shows = vm->options->flags.ShowHiddenFrames || (w->mode & WALK_SHOW_HIDDEN && !caller_class);
        if (m->flags & METHOD_HIDDEN && !shows) continue;
        if (caller_class && *end == start && m->flags & METHOD_CALLER_SENSITIVE) {
            char *holder = class_external_name(m->holder);
            throw_message(self, "java/lang/UnsupportedOperationException",
                          "StackWalker::getCallerClass called from @CallerSensitive '%s.%s' method",
                          holder ? holder : "?", m->name->bytes);
            mem_free(holder);
            return false;
        }
        if (!fill_frame(self, w, frames, *end)) return false;
        ++*end;
    }
    return true;
}

static bool is_walker(const struct class *c) {
    const struct class *abstract = known_class(java_lang_StackStreamFactory_AbstractStackWalker);
    return c == abstract || c->super == abstract ||
           (c->loader->is_boot && strcmp(c->name->bytes, "java/lang/StackWalker") == 0);
}

static bool room_for(struct os_thread *self, struct object *frames, int32_t start, int32_t count) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (frames != NULL && start >= 0 && count >= 0 && array_length(frames) - start >= count) return true;
    throw_message(self, "java/lang/IllegalArgumentException",
                  frames ? "not enough space in buffers" : "frames_array is NULL");
    return false;
}

static jobject walk_stack(struct os_thread *self, struct object *stream, uint32_t mode, int32_t skip, int32_t count,
                          int32_t start, struct object *frames) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!room_for(self, frames, start, count)) return NULL;
    struct stack_walk w = {self, frame_first(self->java), mode};
    while (cursor_valid(&w.next) && is_walker(cursor_method(&w.next)->holder)) frame_next(&w.next);
    for (int32_t i = 0; i < skip && cursor_valid(&w.next); i++) frame_next(&w.next);
    int32_t end = start;
    if (!fill_frames(self, &w, count, start, frames, &end)) return NULL;
    if (count > 0 && end == start) {
        throw_message(self, "java/lang/InternalError", "stack walk: decode failed");
        return NULL;
    }
    int32_t reported = vm->library == LIBRARY_17 ? count : end - start;
    uint64_t args[7] = {slot_ref(stream), (uint64_t)(uintptr_t)&w, 0,
                        slot_int(skip),   slot_int(reported),      slot_int(start),
                        slot_int(end)},
             result = 0;
    heap_array_set(frames, 0, self->java->mirror);
    java_call_virtual(self, known_method(AbstractStackWalker_doStackWalk), args, &result);
    bool intact = heap_array_get(frames, 0) == self->java->mirror;
    heap_array_set(frames, 0, NULL);
    if (self->exception != NULL) return NULL;
    if (!intact) {
        throw_message(self, "java/lang/InternalError", "doStackWalk: corrupted buffers on exit");
        return NULL;
    }
    return handle_local(self, slot_object(result));
}

static jint walk_on(struct os_thread *self, int64_t anchor, int32_t count, int32_t start, struct object *frames) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!room_for(self, frames, start, count)) return 0;
    struct stack_walk *w = (struct stack_walk *)(uintptr_t)anchor;
    if (w == NULL || heap_array_get(frames, 0) != self->java->mirror || w->thread != self) {
        throw_message(self, "java/lang/InternalError", "doStackWalk: corrupted buffers");
        return 0;
    }
    int32_t end = start;
    if (!fill_frames(self, w, count, start, frames, &end)) return 0;
    return vm->library == LIBRARY_17 ? end : end - start;
}

/* 17: (stream, long mode, int skip, int count, int start, frames); 25: (stream, int mode, int skip, scope,
 * continuation, int size, int start, frames), where size includes the elements before start. The maximal list of words
 * serves both: what 17 passes as fifth and sixth argument comes where 25 passes two objects. A walk over a continuation
 * (25) cannot be asked for: there are none. doStackWalk receives how many frames were asked for (17) or found (25). */
JVM jobject JVM_CallStackWalk(JNIEnv *env, jobject stream, jlong mode, jint skip, intptr_t a, intptr_t b, intptr_t c,
                              intptr_t d, intptr_t e);
JVM jobject JVM_CallStackWalk(JNIEnv *env, jobject stream, jlong mode, jint skip, intptr_t a, intptr_t b, intptr_t c,
                              intptr_t d, intptr_t e) {
    NATIVE_ENTRY(env);
    bool is_17 = vm->library == LIBRARY_17;
    int32_t start = (int32_t)(is_17 ? b : d), count = is_17 ? (int32_t)a : (int32_t)c - start;
    return walk_stack(self, handle_get(stream), (uint32_t)mode, skip, count, start,
                      handle_get((jobject)(is_17 ? c : e)));
}

/* 17: (stream, long mode, long anchor, int count, int start, frames) answers the index behind the last frame; 25:
 * (stream, int mode, long anchor, int last, int size, int start, frames) answers how many were found. */
JVM jint JVM_MoreStackWalk(JNIEnv *env, jobject stream, jlong mode, jlong anchor, intptr_t a, intptr_t b, intptr_t c,
                           intptr_t d);
JVM jint JVM_MoreStackWalk(JNIEnv *env, jobject stream, jlong mode, jlong anchor, intptr_t a, intptr_t b, intptr_t c,
                           intptr_t d) {
    NATIVE_ENTRY(env);
    (void)stream, (void)mode;
    bool is_17 = vm->library == LIBRARY_17;
    int32_t start = (int32_t)(is_17 ? b : c), count = is_17 ? (int32_t)a : (int32_t)b - start;
    return walk_on(self, anchor, count, start, handle_get((jobject)(is_17 ? c : d)));
}

/* 25: name and descriptor of a StackFrameInfo, when they are asked for. */
JVM void JVM_ExpandStackFrameInfo(JNIEnv *env, jobject frame);
JVM void JVM_ExpandStackFrameInfo(JNIEnv *env, jobject frame) {
    NATIVE_ENTRY(env);
    struct object *info = handle_get(frame);
    struct object *resolved = heap_load_ref(info, known_offset(ClassFrameInfo_classOrMemberName));
    if (resolved == NULL || class_of(resolved) != known_class(java_lang_invoke_ResolvedMethodName)) {
        throw_message(self, "java/lang/InternalError", "stack frame without a method");
        return;
    }
    struct method *m = (struct method *)(uintptr_t)field_load(resolved, known_offset(ResolvedMethodName_vmtarget),
                                                              T_LONG);
    if (heap_load_ref(info, known_offset(StackFrameInfo_name)) == NULL) {
        struct object *name = string_from_symbol(self, m->name, false);
        if (name == NULL || (name = string_intern(self, name)) == NULL) return;
        heap_store_ref(info, known_offset(StackFrameInfo_name), name);
    }
    if (heap_load_ref(info, known_offset(StackFrameInfo_type)) == NULL) {
        struct object *type = string_from_symbol(self, m->desc, false);
        if (type != NULL) heap_store_ref(info, known_offset(StackFrameInfo_type), type);
    }
}

/* 25: goes over to the next continuation of a walk; without continuations no walk has one. */
JVM void JVM_SetStackWalkContinuation(JNIEnv *env, jobject stream, jlong anchor, jobjectArray frames,
                                      jobject continuation);
JVM void JVM_SetStackWalkContinuation(JNIEnv *env, jobject stream, jlong anchor, jobjectArray frames,
                                      jobject continuation) {
    NATIVE_ENTRY(env);
    (void)stream, (void)anchor, (void)frames, (void)continuation;
    throw_message(self, "java/lang/InternalError", "stack walk over a continuation");
}
