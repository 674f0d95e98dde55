/* compiled_code.c: CompiledMethodLoad, CompiledMethodUnload and DynamicCodeGenerated: to every environment when they
 * are due (jdk/code_delivery.c), and for GenerateEvents to one, in the calling thread. */
#include "inspect/compiled_code.h"
#include "jvmti_gen.h"

#include "base/alloc.h"

#include <jvmticmlr.h>

/* What HotSpot gives as well; NULL where there is none. */
static jvmtiAddrLocationMap *location_map(const struct code_report *r) {
    jvmtiAddrLocationMap *map = r->place_count != 0 ? mem_alloc(r->place_count * sizeof *map) : NULL;
    for (uint32_t i = 0; map != NULL && i < r->place_count; i++)
        map[i] = (jvmtiAddrLocationMap){r->begin + r->places[i].offset, r->places[i].bci};
    return map;
}

struct inline_record { jvmtiCompiledMethodLoadInlineRecord record; PCStackInfo places[]; };

/* Which methods are inlined where, in the form that HotSpot gives it; NULL where none are. Freed by mem_free. */
static struct inline_record *inline_record(const struct code_report *r) {
    const struct code_stack *last = r->stack_count != 0 ? &r->stacks[r->stack_count - 1] : NULL;
    uint32_t frames = last != NULL ? last->first + last->count : 0;
    size_t head = sizeof(struct inline_record) + r->stack_count * sizeof(PCStackInfo);
    struct inline_record *i = frames != 0 ? mem_alloc(head + frames * (sizeof(jmethodID) + sizeof(jint))) : NULL;
    if (i == NULL) return NULL;
    jmethodID *methods = (jmethodID *)(i->places + r->stack_count);
    jint *bcis = (jint *)(methods + frames);
    const jvmtiCompiledMethodLoadRecordHeader header = {JVMTI_CMLR_INLINE_INFO, JVMTI_CMLR_MAJOR_VERSION,
                                                        JVMTI_CMLR_MINOR_VERSION, NULL};
    i->record = (jvmtiCompiledMethodLoadInlineRecord){header, (jint)r->stack_count, i->places};
    for (uint32_t k = 0; k < frames; k++) {
        methods[k] = r->frames[k].method;
        bcis[k] = r->frames[k].bci;
    }
    for (uint32_t k = 0; k < r->stack_count; k++) {
        const struct code_stack *s = &r->stacks[k];
        void *pc = (void *)(uintptr_t)(r->begin + s->offset);
        i->places[k] = (PCStackInfo){pc, (jint)s->count, methods + s->first, bcis + s->first};
    }
    return i;
}

/* The version that was compiled may be gone after a callback. */
static void send_method(struct os_thread *self, struct jvmti_env *env, const struct code_report *r,
                        const jvmtiAddrLocationMap *map, const struct inline_record *inlined) {
    REQUIRES(IN_VM | MAY_STOP);
    struct method_code *code = method_code_of_id(r->method);
    if (code == NULL) return;
    jvmti_post_compiled_method_load(self, env, code, (jint)r->length, r->begin, map != NULL ? (jint)r->place_count : 0,
                                    map, inlined);
}

void jvmti_on_compiled_method_load(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM | MAY_STOP);
    jvmtiAddrLocationMap *map = location_map(r);
    struct inline_record *inlined = inline_record(r);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        send_method(self, env, r, map, inlined);
    }
    mem_free(map);
    mem_free(inlined);
}

void jvmti_on_compiled_method_unload(struct os_thread *self, jmethodID method, const void *begin) {
    REQUIRES(IN_VM | MAY_STOP);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        jvmti_post_compiled_method_unload(self, env, method, begin);
    }
}

void jvmti_on_dynamic_code_generated(struct os_thread *self, const char *name, const void *begin, uint32_t length) {
    REQUIRES(IN_VM | MAY_STOP);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        jvmti_post_dynamic_code_generated(self, env, name, begin, (jint)length);
    }
}

/* ---- GenerateEvents ---------------------------------------------------------------------------------------------- */

static void generate(struct os_thread *self, struct jvmti_env *env, const struct code_report *r) {
    REQUIRES(IN_VM | MAY_STOP);
    if (r->method == NULL) {
        jvmti_post_dynamic_code_generated(self, env, r->name, r->begin, (jint)r->length);
    } else if (code_report_hold(self, r)) {
        jvmtiAddrLocationMap *map = location_map(r);
        struct inline_record *inlined = inline_record(r);
        send_method(self, env, r, map, inlined);
        mem_free(map);
        mem_free(inlined);
        handle_frame_pop(self);
    }
}

jvmtiError jvmti_generate_events(struct jvmti_env *env, struct os_thread *self, jvmtiEvent event_type) {
    if (event_type != JVMTI_EVENT_COMPILED_METHOD_LOAD && event_type != JVMTI_EVENT_DYNAMIC_CODE_GENERATED)
        return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    uint64_t needs = jvmti_event_rows[event_type - JVMTI_EVENT_FIRST].needs;
    if (needs & ~atomic_load(&env->capabilities)) return JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    struct code_report r;
    for (const struct code_blob *at = NULL; code_report_next(&at, &r);) {
        if ((r.method != NULL) == (event_type == JVMTI_EVENT_COMPILED_METHOD_LOAD)) generate(self, env, &r);
        code_report_free(&r);
        if (jvmti_env_is_gone(env)) return JVMTI_ERROR_INVALID_ENVIRONMENT;
    }
    return JVMTI_ERROR_NONE;
}
