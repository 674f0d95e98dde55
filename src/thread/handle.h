/* handle.h — JNI handles: local handle blocks, global and weak global tables. A jobject is the address of a 64-bit slot
 * that holds the object's address, with the kind in the two low bits: 0 local (or a Java frame's slot), 1 weak global,
 * 2 global. */
#ifndef VITRINE_THREAD_HANDLE_H
#define VITRINE_THREAD_HANDLE_H

#include "thread/thread.h"

enum { HANDLE_LOCAL = 0, HANDLE_WEAK = 1, HANDLE_GLOBAL = 2, HANDLE_KIND_MASK = 3 };

struct handle_block {
    struct handle_block *previous;       /* enclosing frame's block, or the block that overflowed into this one */
    uint32_t used;
    uint32_t planned;                    /* -Xcheck:jni: how many handles the frame may have; 0: the usual    */
    const char *unchecked;               /* -Xcheck:jni: function whose exceptions nobody has asked for; NULL none */
    uint32_t capacity;
    bool overflow;                       /* continues the same frame as `previous`                           */
    bool pushed;                         /* made by PushLocalFrame                                            */
    uint64_t slots[];                    /* 0 = free (deleted)                                                 */
};

enum { HANDLE_BLOCK_CAPACITY = 30 };     /* of the blocks that are recycled                                         */

/* Object of a handle; NULL for NULL, and for a cleared weak one. Thread: IN_VM. */
static inline struct object *handle_get(jobject h) {
    if (h == NULL) return NULL;
    return *(struct object **)((uintptr_t)h & ~(uintptr_t)HANDLE_KIND_MASK);
}

/* New local handle in the youngest frame; NULL for NULL, or with OutOfMemoryError pending. Grows as needed. */
jobject handle_local(struct os_thread *self, struct object *o);
void handle_local_delete(struct os_thread *self, jobject h);
/* A frame of local handles, for a native method call or a callback (by_jni false), or PushLocalFrame (true). pop ends
 * the youngest frame that is not PushLocalFrame's, with everything pushed since; pop_jni ends the youngest one of
 * PushLocalFrame, false when there is none in this call. */
bool handle_frame_push(struct os_thread *self, uint32_t capacity, bool by_jni);
void handle_frame_pop(struct os_thread *self);
bool handle_frame_pop_jni(struct os_thread *self);
/* The two for a native method call: `room` becomes the frame's first block, without capacity, and lies there until the
 * end. Most calls make no handle; the first one takes a block that holds some. */
static ALWAYS_INLINE void handle_frame_begin(struct os_thread *self, struct handle_block *room) {
    *room = (struct handle_block){ .previous = self->handles };
    self->handles = room;
}
static ALWAYS_INLINE void handle_frame_end(struct os_thread *self, struct handle_block *room) {
    if (LIKELY(self->handles == room)) self->handles = room->previous;
    else handle_frame_pop(self);
}
/* The two for a callback, where a block lies ready and nothing is left in it. */
static ALWAYS_INLINE void handle_frame_push_spare(struct os_thread *self, struct handle_block *b) {
    self->spare_handles = b->previous;
    b->previous = self->handles;
    self->handles = b;
}
static ALWAYS_INLINE bool handle_frame_push_call(struct os_thread *self) {
    struct handle_block *b = self->spare_handles;
    if (UNLIKELY(b == NULL)) return handle_frame_push(self, HANDLE_BLOCK_CAPACITY, false);
    handle_frame_push_spare(self, b);
    return true;
}
static ALWAYS_INLINE void handle_frame_pop_call(struct os_thread *self) {
    struct handle_block *b = self->handles;
    if (UNLIKELY(b == NULL || b->used != 0 || b->overflow || b->pushed || b->capacity != HANDLE_BLOCK_CAPACITY)) {
        handle_frame_pop(self);
        return;
    }
    self->handles = b->previous;
    b->planned = 0;
    b->unchecked = NULL;
    b->previous = self->spare_handles;
    self->spare_handles = b;
}
/* For a callback, with the block that handle_frame_push_call has made the youngest. The handle at place i, which is
 * below b->used then; NULL for NULL. */
static ALWAYS_INLINE jobject handle_in_new_frame(struct handle_block *b, uint32_t i, struct object *o) {
    b->slots[i] = (uintptr_t)o;
    return o != NULL ? (jobject)&b->slots[i] : NULL;
}
/* Ends it; quickly where nothing but a few handles was made there. They read as null from then on. */
static ALWAYS_INLINE void handle_frame_pop_callback(struct os_thread *self, struct handle_block *b) {
    if (UNLIKELY(self->handles != b || b->used > 4)) {
        handle_frame_pop(self);
        return;
    }
    for (uint32_t i = 0; i < 4; i++) b->slots[i] = 0;
    self->handles = b->previous;
    b->used = 0;
    b->planned = 0;
    b->unchecked = NULL;
    b->previous = self->spare_handles;
    self->spare_handles = b;
}
/* The block that the youngest frame begins with, PushLocalFrame's or (native_only) not; NULL when there is none. */
struct handle_block *handle_frame(struct os_thread *self, bool native_only);
/* How many live handles the youngest frame holds. */
uint32_t handle_frame_count(struct os_thread *self);
/* Releases all local blocks of an ending thread. */
void handle_release_all(struct os_thread *self);

jobject handle_global(struct object *o);                 /* NULL: out of memory */
void handle_global_delete(jobject h);
jweak handle_weak(struct object *o);
void handle_weak_delete(jweak h);
/* Is h a plausible live handle of its kind for this thread? For -Xcheck:jni and GetObjectRefType. */
jobjectRefType handle_type(struct os_thread *self, jobject h);

void handles_create(void);
void handles_destroy(void);
void handles_visit_local(struct heap_visitor *v, struct os_thread *t);
void handles_visit_global(struct heap_visitor *v);
void handles_clear_weak(bool (*is_live)(struct object *o));
/* Walks the global handles (the weak ones whose objects live) for tools until visit returns false. World stopped. */
void handles_walk_global(bool weak, bool (*visit)(void *arg, jobject handle, struct object *o), void *arg);

#endif
