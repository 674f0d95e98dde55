/* execution.c: what is to happen to the youngest frame of a stopped thread. */
#include "inspect/execution.h"

#include "classfile/descriptor.h"
#include "inspect/local.h"
#include "thread/identity.h"

static void request(struct java_thread *t, uint32_t bit, uint64_t value, bool is_reference) {
    t->request = (struct frame_request){.frame = t->frame, .value = value, .is_reference = is_reference};
    thread_ask(t, bit);
}

/* A method-handle linker method drops its last argument on the way: the call cannot be made again. */
static bool calls_linker(const struct frame_cursor *caller) {
    struct method_code *code = cursor_code(caller);
    const uint8_t *original = code_source(code)->code + cursor_bci(caller);
    if (*original != OP_invokestatic) return false;
    struct method *m = (struct method *)(uintptr_t)atomic_load(&code->cells[op_u2(original + 1)]);
    return m != NULL && m->entry >= ENTRY_LINK_TO_STATIC && m->entry <= ENTRY_LINK_TO_NATIVE;
}

enum frame_answer frame_pop_request(struct java_thread *t) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    struct frame_cursor c = frame_first(t);
    if (!cursor_valid(&c)) return FRAME_NONE;
    if (cursor_runs_outside(&c)) return FRAME_OPAQUE;
    bool from_c = cursor_called_from_c(&c);
    frame_next(&c);
    if (!cursor_valid(&c)) return FRAME_NONE;
    if (from_c || atomic_load(&t->blocked_on) != NULL || calls_linker(&c)) return FRAME_OPAQUE;
    if (t->request.frame != NULL) return FRAME_BUSY;
    request(t, POLL_POP_FRAME, 0, false);
    return FRAME_DONE;
}

enum frame_answer frame_return_request(struct java_thread *t, char kind, uint64_t value) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    struct frame_cursor c = frame_first(t);
    if (!cursor_valid(&c)) return FRAME_NONE;
    if (cursor_runs_outside(&c)) return FRAME_OPAQUE;
    const struct method *m = cursor_method(&c);
    struct desc_type type = desc_return(m->desc->bytes, m->desc->length);
    char wanted = type.kind == '['                                                               ? 'L'
                  : type.kind == 'Z' || type.kind == 'B' || type.kind == 'C' || type.kind == 'S' ? 'I'
                                                                                                 : type.kind;
    if (wanted != kind || (kind == 'L' && !object_fits_descriptor(slot_object(value), type.text, type.len)))
        return FRAME_TYPE;
    if (t->request.frame != NULL) return FRAME_BUSY;
    switch (type.kind) {
    case 'Z': value &= 1; break;
    case 'B': value = (uint32_t)(int8_t)value; break;
    case 'C': value = (uint16_t)value; break;
    case 'S': value = (uint32_t)(int16_t)value; break;
    default: break;
    }
    request(t, POLL_EARLY_RETURN, value, kind == 'L');
    return FRAME_DONE;
}
