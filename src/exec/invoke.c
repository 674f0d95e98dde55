/* invoke.c — ways into and out of bytecode: calls from C, native methods, method-handle entries; start-up of the room. */
#include "base/alloc.h"
#include "base/base.h"
#include "base/log.h"
#include "exec/exec_internal.h"
#include "exec/backtrace.h"
#include "exec/native_call.h"
#include "exec/stack_map.h"
#include "link/redefine.h"

void *(*native_method_lookup)(struct os_thread *self, struct method *m);
void (*exec_step_hook)(struct os_thread *self, struct frame *f);
void (*exec_breakpoint_hook)(struct os_thread *self, struct frame *f);
void (*exec_throw_hook)(struct os_thread *self, struct frame *f);
void (*exec_catch_hook)(struct os_thread *self, struct frame *f, struct object *exception);
void (*exec_method_entry_hook)(struct os_thread *self, struct frame *f);
void (*exec_method_exit_hook)(struct os_thread *self, struct frame *f, bool by_exception, uint64_t *value);
void (*exec_frame_popped_hook)(struct os_thread *self, struct frame *f);
void (*exec_field_hook)(struct os_thread *self, struct frame *f, struct field *field, struct object *object, const uint64_t *value);

void method_set_intrinsic(struct method *m, intrinsic_function f) {
    m->intrinsic = f;
    m->entry = ENTRY_INTRINSIC;
}

void method_set_native(struct method *m, void *function) {
    atomic_store_explicit(&m->native_code, function, memory_order_release);
    if (m->entry == ENTRY_INTRINSIC) m->entry = ENTRY_NATIVE;
}

/* ---- native methods --------------------------------------------------------------------------------------------------- */

/* A native method's frame has no operands; the first block of its local handles, which has no room, lies in their place. */
static ALWAYS_INLINE struct handle_block *native_frame_handles(struct frame *f) { return (struct handle_block *)frame_stack(f); }

/* Finds the function of m and describes its arguments, as far as neither is there yet. False: exception pending. */
static NOINLINE bool prepare_native(struct os_thread *self, struct method *m) {
    if (atomic_load_explicit(&m->native_code, memory_order_acquire) == NULL) {
        void *fn = native_method_lookup ? native_method_lookup(self, m) : NULL;
        if (fn == NULL) return false;
        atomic_store_explicit(&m->native_code, fn, memory_order_release);
    }
    if (__atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE) != NULL) return true;
    struct native_signature *s = native_signature_new(m);
    if (s == NULL) {
        throw_out_of_memory(self, "native method signature");
        return false;
    }
    void *expected = NULL;
    if (!__atomic_compare_exchange_n(&m->native_data, &expected, s, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) mem_free(s);
    return true;
}

static uint64_t narrow_result(enum basic_type type, uint64_t raw) {
    return type == T_BOOLEAN ? (raw & 0xff) != 0 : type == T_BYTE ? (uint32_t)(int8_t)raw : (uint32_t)(int16_t)raw;
}

/* `frame`: the method's own, the youngest, with room for a handle block. False: exception pending, *result is not set. */
static ALWAYS_INLINE bool call_function(struct os_thread *self, struct method *m, struct frame *frame, uint64_t *result) {
    void *fn = atomic_load_explicit(&m->native_code, memory_order_acquire);
    const struct native_signature *s = __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE);
    if (UNLIKELY(fn == NULL || s == NULL)) {
        if (!prepare_native(self, m)) return false;
        fn = atomic_load_explicit(&m->native_code, memory_order_acquire);
        s = __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE);
    }
    uint64_t *args = frame->locals;
    bool is_static = (m->access_flags & ACC_STATIC) != 0;
    jobject receiver = is_static ? (jobject)&m->holder->mirror : (jobject)args;
    struct handle_block *handles = native_frame_handles(frame);
    handle_frame_begin(self, handles);
    thread_to_native(self);
    uint64_t raw = s->call(thread_env(self), receiver, fn, s, args + !is_static);
    thread_from_native(self);
    uint64_t value = raw & s->result_mask;
    if (s->result == RESULT_REFERENCE) value = slot_ref(handle_get((jobject)(uintptr_t)raw));
    else if (s->result == RESULT_NARROW) value = narrow_result(m->return_type, raw);
    handle_frame_end(self, handles);
    if (UNLIKELY(self->exception != NULL)) return false;
    *result = value;
    return true;
}

static ALWAYS_INLINE bool is_uncommon(const struct os_thread *self, const struct method_code *code) {
    return UNLIKELY((code->uncommon & CODE_SYNCHRONIZED) != 0 || thread_watches_methods(self));
}

/* What comes before the call of a synchronized method, or of any while entries are told. False: exception pending. */
static NOINLINE bool enter_native(struct os_thread *self, struct method *m, struct frame *frame) {
    if (frame->code->uncommon & CODE_SYNCHRONIZED) {
        struct object *o = m->access_flags & ACC_STATIC ? m->holder->mirror : slot_object(frame->locals[0]);
        if (!monitor_enter(self, o, frame)) return false;
    }
    if (thread_watches_methods(self)) tell_method_entry(self, frame);
    return self->exception == NULL;
}

/* What comes after it. False: exception pending. */
static NOINLINE bool tell_left(struct os_thread *self, struct frame *frame, bool ok, uint64_t *value) {
    if (!ok && exec_throw_hook != NULL) exec_throw_hook(self, frame);
    if (frame->code->uncommon & CODE_SYNCHRONIZED) monitor_exit_frame(self, frame);
    if (!thread_watches_methods(self)) return ok;
    tell_method_exit(self, frame, !ok, value);
    return self->exception == NULL;
}

/* The value has an address only here and in call_intrinsic, where the collector must see it on this thread's C stack. */
static ALWAYS_INLINE bool leave_native(struct os_thread *self, struct frame *frame, bool ok, uint64_t *result) {
    uint64_t value = *result;
    ok = tell_left(self, frame, ok, &value);
    *result = value;
    return ok;
}

static ALWAYS_INLINE bool call_intrinsic(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    uint64_t value = 0;
    m->intrinsic(self, m, args, &value);
    *result = value;
    return self->exception == NULL;
}

bool call_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    struct java_thread *jt = self->java;
    struct method_code *code = atomic_load_explicit(&m->code, memory_order_acquire);
    struct frame *frame = (struct frame *)(args + m->arg_slots);
    uint64_t *end = (uint64_t *)(native_frame_handles(frame) + 1);
    if (UNLIKELY(end > jt->stack_limit)) {
        throw_stack_overflow(self);
        return false;
    }
    frame->code = code;
    frame->caller = jt->frame;
    frame->pc = NULL;
    frame->locals = args;
    frame->sp = end;
    frame->flags = FRAME_NATIVE;
    frame->call_length = 0;
    frame_enter(jt, frame);
    uint64_t value = 0;
    bool ok = true;
    if (is_uncommon(self, code)) ok = enter_native(self, m, frame);
    if (LIKELY(ok)) ok = m->entry == ENTRY_INTRINSIC ? call_intrinsic(self, m, args, &value) : call_function(self, m, frame, &value);
    if (UNLIKELY(!ok) || is_uncommon(self, frame->code)) ok = leave_native(self, frame, ok, &value);
    frame_leave(jt, frame->caller);
    *result = value;
    return ok;
}

/* ---- method handles ------------------------------------------------------------------------------------------------------ */

struct method *method_handle_target(struct os_thread *self, struct method *m, uint64_t *args, uint32_t *arg_slots) {
    if (m->entry == ENTRY_INVOKE_BASIC) {
        struct object *handle = slot_object(args[0]);
        struct object *form = handle ? heap_load_ref(handle, known_offset(MethodHandle_form)) : NULL;
        struct object *entry = form ? heap_load_ref_acquire(form, known_offset(LambdaForm_vmentry)) : NULL;
        struct method *target = entry ? member_name_target(entry) : NULL;
        if (target == NULL) throw_new(self, "java/lang/NullPointerException");
        return target;
    }
    uint32_t n = --*arg_slots;
    struct object *member = slot_object(args[n]);
    struct method *target = member ? member_name_target(member) : NULL;
    if (target == NULL) {
        throw_message(self, member ? "java/lang/InternalError" : "java/lang/NullPointerException", "%s without a target", m->name->bytes);
        return NULL;
    }
    if (m->entry == ENTRY_LINK_TO_STATIC) return target;
    struct object *receiver = slot_object(args[0]);
    if (receiver == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    if (m->entry == ENTRY_LINK_TO_SPECIAL) return target;
    struct class *c = class_of(receiver);
    if (m->entry == ENTRY_LINK_TO_VIRTUAL) {
        int64_t index = member_name_vmindex(member);
        return index >= 0 && (uint64_t)index < c->vtable_length ? c->vtable[index] : target;
    }
    if (!target->holder->is_interface) return class_select_virtual(c, target);
    return select_interface(self, c, target);
}

struct method *select_interface(struct os_thread *self, struct class *c, struct method *m) {
    struct method *target = m->itable_index >= 0 ? class_select_interface(c, m) : class_is_subtype(c, m->holder) ? m : NULL;
    if (target == NULL) {
        char *name = class_external_name(c), *interface = class_external_name(m->holder);
        throw_message(self, "java/lang/IncompatibleClassChangeError", "Class %s does not implement the requested interface %s", name ? name : "?",
                      interface ? interface : "?");
        mem_free(name);
        mem_free(interface);
        return NULL;
    }
    struct lookup_entry *e =
        &((struct lookup_cache *)self->lookup_cache)->entries[(c->shape.id ^ (uintptr_t)m >> 5) % LOOKUP_CACHE_SIZE];
    e->class_id = c->shape.id;
    e->interface_method = m;
    e->target = target;
    return target;
}

/* ---- calls from C ----------------------------------------------------------------------------------------------------------- */

/* One by one: the caller has just stored them so, and a wider load would wait until they are in the cache. */
static ALWAYS_INLINE void copy_slots(uint64_t *to, const uint64_t *from, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[i];
        __asm__ volatile("" ::: "memory");
    }
}

static bool invoke(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result) {
    struct java_thread *jt = self->java;
    uint64_t ignored;
    if (result == NULL) result = &ignored;
    *result = 0;
    vm_assert(self->exception == NULL, "call with a pending exception");
    if (UNLIKELY(thread_c_stack_is_used_up(self))) {
        throw_stack_overflow(self);
        return false;
    }
    if (UNLIKELY(self->lookup_cache == NULL) && (self->lookup_cache = mem_zalloc(sizeof(struct lookup_cache))) == NULL) {
        throw_out_of_memory(self, "interface method cache");
        return false;
    }
    uint64_t *base = jt->frame ? jt->frame->sp : jt->stack_low;
    uint32_t n = m->arg_slots;
    if (UNLIKELY(base + n + FRAME_SLOTS > jt->stack_limit)) {
        throw_stack_overflow(self);
        return false;
    }
    copy_slots(base, args, n);
    for (;;) {
        struct method_code *code = atomic_load_explicit(&m->code, memory_order_acquire);
        switch (m->entry) {
        case ENTRY_BYTECODE: {
            struct frame *frame = (struct frame *)(base + code->max_locals);
            if (UNLIKELY((uint64_t *)frame + code->frame_slots > jt->stack_limit)) {
                throw_stack_overflow(self);
                return false;
            }
            frame->code = code;
            frame->caller = jt->frame;
            frame->pc = code->code;
            frame->locals = base;
            frame->sp = frame_stack(frame);
            frame->flags = FRAME_ENTRY;
            frame->call_length = 0;
            frame_enter(jt, frame);
            struct c_segment segment;
            thread_to_bytecode(self, &segment);
            bool ok = interpret(self, frame, result);
            thread_from_bytecode(self, &segment);
            return ok;
        }
        case ENTRY_NATIVE:
        case ENTRY_INTRINSIC: return call_native(self, m, base, result);
        case ENTRY_INVOKE_BASIC:
        case ENTRY_LINK_TO_STATIC:
        case ENTRY_LINK_TO_SPECIAL:
        case ENTRY_LINK_TO_VIRTUAL:
        case ENTRY_LINK_TO_INTERFACE:
            m = method_handle_target(self, m, base, &n);
            if (m == NULL) return false;
            break;
        default:
            throw_unenterable(self, m, n != 0 && !(m->access_flags & ACC_STATIC) && base[0] ? class_of(slot_object(base[0])) : NULL);
            return false;
        }
    }
}

/* ---- roots and start-up -------------------------------------------------------------------------------------------------------- */

static void thread_ends(struct os_thread *t) {
    mem_free(t->lookup_cache);
    t->lookup_cache = NULL;
}

static void class_unloaded(struct class *c) {
    breakpoints_forget(c);
    stack_maps_forget();
}

static bool version_is_running(const struct class_version *v) {
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        for (const struct frame *f = t->frame; f != NULL; f = f->caller)
            if (f->code->owner == v) return true;
    return false;
}

static void version_unloaded(struct class_version *v) {
    (void)v;
    stack_maps_forget();
}

bool exec_create(void) {
    vm->exec = mem_zalloc(sizeof *vm->exec);
    if (vm->exec == NULL) return false;
    vm->invoke = invoke;
    thread_visit_frames = exec_visit_frames;
    class_unload_hook = class_unloaded;
    class_version_unload_hook = version_unloaded;
    class_version_is_running = version_is_running;
    thread_register_end(thread_ends);
    throwable_fill_in = backtrace_fill;
    return interpret(NULL, NULL, NULL);
}

bool exec_link(struct os_thread *self) {
    (void)self;
    struct exec_state *e = vm->exec;
    e->boolean_array_id = vm->link->primitive_arrays[T_BOOLEAN]->shape.id;
    e->object_init = class_method_cstr(known_class(java_lang_Object), "<init>", "()V");
    e->finalizer_register = class_method_cstr(known_class(java_lang_ref_Finalizer), "register", "(Ljava/lang/Object;)V");
    return e->object_init != NULL && e->finalizer_register != NULL;
}

void exec_destroy(void) {
    stack_maps_forget();
    mem_free(vm->exec);
    vm->exec = NULL;
}
