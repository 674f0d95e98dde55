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

static struct native_signature *signature_of(struct os_thread *self, struct method *m) {
    struct native_signature *s = __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE);
    if (LIKELY(s != NULL)) return s;
    s = native_signature_new(m);
    if (s == NULL) {
        throw_out_of_memory(self, "native method signature");
        return NULL;
    }
    void *expected = NULL;
    if (!__atomic_compare_exchange_n(&m->native_data, &expected, s, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        mem_free(s);
        s = expected;
    }
    return s;
}

static bool call_function(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    void *fn = atomic_load_explicit(&m->native_code, memory_order_acquire);
    if (UNLIKELY(fn == NULL)) {
        fn = native_method_lookup ? native_method_lookup(self, m) : NULL;
        if (fn == NULL) return false;
        atomic_store_explicit(&m->native_code, fn, memory_order_release);
    }
    struct native_signature *s = signature_of(self, m);
    if (s == NULL) return false;
    bool is_static = (m->access_flags & ACC_STATIC) != 0;
    jobject receiver = is_static ? (jobject)&m->holder->mirror : (jobject)args;
    if (!handle_frame_push_call(self)) return false;
    thread_to_native(self);
    uint64_t raw = native_call(fn, thread_env(self), receiver, s, is_static ? args : args + 1, m->return_type);
    thread_from_native(self);
    switch (m->return_type) {
    case T_BOOLEAN: *result = (raw & 0xff) != 0; break;
    case T_BYTE: *result = (uint32_t)(int8_t)raw; break;
    case T_CHAR: *result = (uint16_t)raw; break;
    case T_SHORT: *result = (uint32_t)(int16_t)raw; break;
    case T_INT: *result = (uint32_t)raw; break;
    case T_OBJECT:
    case T_ARRAY: *result = slot_ref(handle_get((jobject)(uintptr_t)raw)); break;
    default: *result = raw; break;
    }
    handle_frame_pop_call(self);
    return self->exception == NULL;
}

bool call_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    struct java_thread *jt = self->java;
    struct method_code *code = atomic_load_explicit(&m->code, memory_order_acquire);
    struct frame *frame = (struct frame *)(args + m->arg_slots);
    if (UNLIKELY(frame_stack(frame) > jt->stack_limit)) {
        throw_stack_overflow(self);
        return false;
    }
    frame->code = code;
    frame->caller = jt->frame;
    frame->pc = NULL;
    frame->locals = args;
    frame->sp = frame_stack(frame);
    frame->flags = FRAME_NATIVE;
    frame->call_length = 0;
    frame_enter(jt, frame);
    uint64_t value = 0;                  /* here, not at *result: until the call is over the collector must see it */
    bool ok = true;
    if (UNLIKELY(code->uncommon & CODE_SYNCHRONIZED)) {
        struct object *o = m->access_flags & ACC_STATIC ? m->holder->mirror : slot_object(args[0]);
        ok = monitor_enter(self, o, frame);
    }
    if (UNLIKELY(thread_watches_methods(self)) && ok) {
        tell_method_entry(self, frame);
        ok = self->exception == NULL;
    }
    if (ok) {
        if (m->entry == ENTRY_INTRINSIC) {
            m->intrinsic(self, m, args, &value);
            ok = self->exception == NULL;
        } else {
            ok = call_function(self, m, args, &value);
        }
    }
    if (UNLIKELY(!ok) && exec_throw_hook != NULL) exec_throw_hook(self, frame);
    if (UNLIKELY(code->uncommon & CODE_SYNCHRONIZED)) monitor_exit_frame(self, frame);
    if (UNLIKELY(thread_watches_methods(self))) {
        tell_method_exit(self, frame, !ok, &value);
        ok = self->exception == NULL;
    }
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
