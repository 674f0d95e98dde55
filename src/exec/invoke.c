/* invoke.c — ways into and out of bytecode: calls from C, native methods, method-handle entries; start-up of
 * the room. */
#include "base/alloc.h"
#include "base/base.h"
#include "base/log.h"
#include "base/options.h"
#include "exec/exec_internal.h"
#include "exec/backtrace.h"
#include "exec/foreign_call.h"
#include "exec/native_call.h"
#include "exec/stack_map.h"
#include "link/redefine.h"
#include "thread/identity.h"

void method_set_intrinsic(struct method *m, intrinsic_function f) {
    m->intrinsic = f;
    method_set_entry(m, ENTRY_INTRINSIC);
}

void method_set_native(struct method *m, void *function, bool is_ours) {
    atomic_store_explicit(&m->native_code, function, memory_order_release);
    if (is_ours && intrinsic_of(m) != NULL) return;
    method_set_entry(m, m->entry == ENTRY_INTRINSIC ? ENTRY_NATIVE : m->entry);
}

/* ---- native methods ---------------------------------------------------------------------------------------------- */

/* A native method's frame has no operands; the first block of its local handles, which has no room, lies in their
 * place. Compiled code makes such frames too (jit/natives.c). */
static ALWAYS_INLINE struct handle_block *native_frame_handles(struct frame *f) {
    return (struct handle_block *)frame_stack(f);
}

/* Finds the function of m and describes its arguments, as far as neither is there yet. False: exception pending. */
static NOINLINE bool prepare_native(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (atomic_load_explicit(&m->native_code, memory_order_acquire) == NULL) {
        void *fn = exec_hooks.native_method(self, m);
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
    if (!__atomic_compare_exchange_n(&m->native_data, &expected, s, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        mem_free(s);
    return true;
}

static uint64_t narrow_result(enum basic_type type, uint64_t raw) {
    return type == T_BOOLEAN ? (raw & 0xff) != 0 : type == T_BYTE ? (uint32_t)(int8_t)raw : (uint32_t)(int16_t)raw;
}

/* What a C function has returned, as a slot. */
static ALWAYS_INLINE uint64_t result_of(const struct method *m, const struct native_signature *s, uint64_t raw) {
    if (s->result == RESULT_REFERENCE) return slot_ref(handle_get((jobject)(uintptr_t)raw));
    return s->result == RESULT_NARROW ? narrow_result(m->return_type, raw) : raw & s->result_mask;
}

/* `frame`: the method's own, the youngest, with room for a handle block. False: exception pending, *result is
 * not set. */
static ALWAYS_INLINE bool call_function(struct os_thread *self, struct method *m, struct frame *frame,
                                        uint64_t *result) {
    REQUIRES(IN_VM);
    void *fn = atomic_load_explicit(&m->native_code, memory_order_acquire);
    const struct native_signature *s = __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE);
    if (UNLIKELY(fn == NULL || s == NULL)) {
        if (!prepare_native(self, m)) return false;
        fn = atomic_load_explicit(&m->native_code, memory_order_acquire);
        s = __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE);
    }
    uint64_t *args = frame_locals(frame);
    bool is_static = (m->access_flags & ACC_STATIC) != 0;
    jobject receiver = is_static ? (jobject)&m->holder->mirror : (jobject)args;
    struct handle_block *handles = native_frame_handles(frame);
    struct c_segment *segment = self->segment;
    uintptr_t base = segment->base;
    handle_frame_begin(self, handles);
    segment->base = thread_stack_pointer();              /* what led here is no object, for as long as this takes   */
    thread_to_native(self);
    uint64_t raw = s->call(thread_env(self), receiver, fn, s, args + !is_static);
    thread_from_native(self);
    segment->base = base;
    uint64_t value = result_of(m, s, raw);
    handle_frame_end(self, handles);
    if (UNLIKELY(self->exception != NULL)) return false;
    *result = value;
    return true;
}

static ALWAYS_INLINE bool is_uncommon(const struct os_thread *self, const struct method_code *code) {
    return UNLIKELY((code->uncommon & CODE_SYNCHRONIZED) != 0 || thread_watches_methods(self));
}

/* What comes before the call of a synchronized method, or of any while entries are reported. False:
 * exception pending. */
static NOINLINE bool begin_native(struct os_thread *self, struct method *m, struct frame *frame) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (frame->code->uncommon & CODE_SYNCHRONIZED) {
        struct object *o = m->access_flags & ACC_STATIC ? m->holder->mirror : slot_object(frame_locals(frame)[0]);
        if (!monitor_enter(self, o, frame)) return false;
    }
    if (thread_watches_methods(self)) report_method_entry(self, frame);
    return self->exception == NULL;
}

/* What comes after it. False: exception pending. The collector sees the value while tools run: it is on this thread's C
 * stack. */
static NOINLINE bool end_native(struct os_thread *self, struct frame *frame, bool ok, uint64_t *result) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!ok) report_throw(self, frame);
    if (frame->code->uncommon & CODE_SYNCHRONIZED) monitor_exit_frame(self, frame);
    if (!thread_watches_methods(self)) return ok;
    uint64_t value = *result;
    report_method_exit(self, frame, !ok, &value);
    *result = value;
    return self->exception == NULL;
}

/* The frame of a native method with room for a handle block. NULL: StackOverflowError. */
static ALWAYS_INLINE struct frame *push_native(struct os_thread *self, struct method *m, uint64_t *args) {
    struct java_thread *jt = self->java;
    struct frame *frame = (struct frame *)(args + m->arg_slots);
    uint64_t *end = (uint64_t *)(native_frame_handles(frame) + 1);
    if (UNLIKELY(end > jt->stack_limit)) {
        throw_stack_overflow(self);
        return NULL;
    }
    frame->code = atomic_load_explicit(&m->code, memory_order_acquire);
    frame->caller = jt->frame;
    frame->pc = NULL;
    frame->sp = end;
    frame->flags = FRAME_NATIVE;
    frame->call_length = 0;
    frame_enter(jt, frame);
    return frame;
}

/* Pushes and pops the method's frame; takes and releases the monitor of synchronized ones. *result is where the
 * collector does not look: what an earlier call returned is not kept alive by this frame. */
static ALWAYS_INLINE void call_native(struct os_thread *self, struct method *m, intrinsic_function intrinsic,
                                      uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct java_thread *jt = self->java;
    struct frame *frame = push_native(self, m, args);
    if (UNLIKELY(frame == NULL)) return;
    struct method_code *code = frame->code;
    *result = 0;
    bool ok = true;
    if (is_uncommon(self, code)) ok = begin_native(self, m, frame);
    if (LIKELY(ok)) {
        if (intrinsic != NULL) {
            intrinsic(self, m, args, result);
            ok = self->exception == NULL;
        } else ok = call_function(self, m, frame, result);
    }
    if (UNLIKELY(!ok) || is_uncommon(self, frame->code)) end_native(self, frame, ok, result);
    frame_leave(jt, frame->caller);
}

/* ---- native methods that compiled code calls by stubs of its own ------------------------------------------------- */

void native_ends(struct os_thread *self, uint64_t *result) {
    REQUIRES(IN_VM | MAY_STOP);
    struct frame *frame = self->java->frame;
    bool ok = self->exception == NULL;
    if (!ok || is_uncommon(self, frame->code)) end_native(self, frame, ok, result);
    frame_leave(self->java, frame->caller);
}

void native_function_ends(struct os_thread *self, uint64_t *result) {
    REQUIRES(IN_VM | MAY_STOP);
    thread_from_native(self);
    struct frame *frame = self->java->frame;
    const struct method *m = frame_method(frame);
    *result = result_of(m, __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE), *result);
    handle_frame_end(self, native_frame_handles(frame));
    native_ends(self, result);
}

/* ---- entries: what method.enter points to ------------------------------------------------------------------------ */

struct method *entry_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    call_native(self, m, NULL, args, result);
    return NULL;
}

static struct method *entry_intrinsic(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    call_native(self, m, m->intrinsic, args, result);
    return NULL;
}

static struct method *entry_refused(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result UNUSED) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *receiver = m->access_flags & ACC_STATIC ? NULL : slot_object(args[0]);
    throw_unenterable(self, m, receiver != NULL ? class_of(receiver) : NULL);
    return NULL;
}

static ALWAYS_INLINE struct method *enter(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    method_entry_function *entry = atomic_load_explicit(&m->enter, memory_order_acquire);
    return entry == NULL || steps_over_entry(self, entry) ? m : entry(self, m, args, result);
}

/* ---- method handles ---------------------------------------------------------------------------------------------- */

static struct method *null_pointer(struct os_thread *self) {
    throw_new(self, "java/lang/NullPointerException");
    return NULL;
}

static struct method *entry_invoke_basic(struct os_thread *self, struct method *m UNUSED, uint64_t *args,
                                         uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *handle = slot_object(args[0]);
    struct object *form = handle ? heap_load_ref(handle, known_offset(MethodHandle_form)) : NULL;
    struct object *entry = form ? heap_load_ref_acquire(form, known_offset(LambdaForm_vmentry)) : NULL;
    struct method *target = entry ? member_name_target(entry) : NULL;
    return target != NULL ? enter(self, target, args, result) : null_pointer(self);
}

/* The target of the MemberName behind the arguments, which is none of the target's. NULL: exception pending. */
static ALWAYS_INLINE struct method *link_target(struct os_thread *self, struct method *m, uint64_t *args) {
    struct object *member = slot_object(args[m->arg_slots - 1]);
    struct method *target = member ? member_name_target(member) : NULL;
    if (target == NULL)
        throw_message(self, member ? "java/lang/InternalError" : "java/lang/NullPointerException",
                      "%s without a target", m->name->bytes);
    return target;
}

static struct method *entry_link_to_static(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *target = link_target(self, m, args);
    return target != NULL ? enter(self, target, args, result) : NULL;
}

static struct method *entry_link_to_special(struct os_thread *self, struct method *m, uint64_t *args,
                                            uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *target = link_target(self, m, args);
    if (target == NULL) return NULL;
    return args[0] != 0 ? enter(self, target, args, result) : null_pointer(self);
}

static struct method *entry_link_to_virtual(struct os_thread *self, struct method *m, uint64_t *args,
                                            uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *target = link_target(self, m, args);
    if (target == NULL) return NULL;
    if (args[0] == 0) return null_pointer(self);
    const struct class *c = class_of(slot_object(args[0]));
    int64_t index = member_name_vmindex(slot_object(args[m->arg_slots - 1]));
    if (index >= 0 && (uint64_t)index < c->vtable_length) target = c->vtable[index];
    return enter(self, target, args, result);
}

static struct method *entry_link_to_interface(struct os_thread *self, struct method *m, uint64_t *args,
                                              uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *target = link_target(self, m, args);
    if (target == NULL) return NULL;
    if (args[0] == 0) return null_pointer(self);
    struct class *c = class_of(slot_object(args[0]));
    target = target->holder->is_interface ? select_interface(self, c, target) : class_select_virtual(c, target);
    return target != NULL ? enter(self, target, args, result) : NULL;
}

/* It has no frame, as on HotSpot: no walk may see one. The arguments stay operands of the bytecode that calls it, which
 * keeps the entry point, and arrays whose addresses the function has been given. C that calls it keeps its own. */
static struct method *entry_link_to_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame *caller = self->java->frame;
    *result = 0;
    if (caller == self->java->c_caller) {
        foreign_link_to_native(self, m, args, result);
        return NULL;
    }
    uint64_t *sp = caller->sp;
    caller->sp = args + m->arg_slots;
    caller->flags |= FRAME_IN_FOREIGN;
    foreign_link_to_native(self, m, args, result);
    caller->flags &= ~(uint32_t)FRAME_IN_FOREIGN;
    caller->sp = sp;
    return NULL;
}

static method_entry_function *const entries[ENTRY_LIMIT] = {
    [ENTRY_UNLINKED] = entry_refused,
    [ENTRY_BYTECODE] = entry_counted,
    [ENTRY_NATIVE] = entry_native,
    [ENTRY_INTRINSIC] = entry_intrinsic,
    [ENTRY_ABSTRACT] = entry_refused,
    [ENTRY_CONFLICT] = entry_refused,
    [ENTRY_INVOKE_BASIC] = entry_invoke_basic,
    [ENTRY_LINK_TO_STATIC] = entry_link_to_static,
    [ENTRY_LINK_TO_SPECIAL] = entry_link_to_special,
    [ENTRY_LINK_TO_VIRTUAL] = entry_link_to_virtual,
    [ENTRY_LINK_TO_INTERFACE] = entry_link_to_interface,
    [ENTRY_LINK_TO_NATIVE] = entry_link_to_native,
    [ENTRY_NOT_PUBLIC] = entry_refused,
    [ENTRY_INVOKE_GENERIC] = entry_refused,
    [ENTRY_DELETED] = entry_refused,
};

method_entry_function *exec_entry(enum method_entry entry) {
    return entry == ENTRY_BYTECODE && vm->options->mode == VM_MODE_COMP ? entry_compiling : entries[entry];
}

void throw_not_implemented(struct os_thread *self, struct class *receiver, struct class *interface) {
    char *name = class_external_name(receiver), *text = class_external_name(interface);
    throw_message(self, "java/lang/IncompatibleClassChangeError",
                  "Class %s does not implement the requested interface %s", name ? name : "?", text ? text : "?");
    mem_free(name);
    mem_free(text);
}

struct method *select_interface(struct os_thread *self, struct class *c, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *target = m->itable_index >= 0             ? class_select_interface(c, m)
                            : class_is_subtype(c, m->holder) ? m
                                                             : NULL;
    if (target == NULL) {
        throw_not_implemented(self, c, m->holder);
        return NULL;
    }
    uintptr_t pair = (c->shape.id ^ (uintptr_t)m >> 5) % LOOKUP_CACHE_SIZE & ~(uintptr_t)1;
    struct lookup_entry *e = &((struct lookup_cache *)self->lookup_cache)->entries[pair];
    e[1] = e[0];
    e->class_id = c->shape.id;
    e->interface_method = m;
    e->target = target;
    return target;
}

/* ---- calls from C ------------------------------------------------------------------------------------------------ */

/* One by one: the caller has just stored them so, and a wider load would wait until they are in the cache. */
static ALWAYS_INLINE void copy_slots(uint64_t *to, const uint64_t *from, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        to[i] = from[i];
        __asm__ volatile("" ::: "memory");
    }
}

const struct method method_popped;

bool exec_push_entry(struct os_thread *self, struct method *m, uint64_t *locals) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct java_thread *jt = self->java;
    struct method_code *code = atomic_load_explicit(&m->code, memory_order_acquire);
    struct frame *frame = (struct frame *)(locals + code->max_locals);
    if (UNLIKELY((uint64_t *)frame + code->frame_slots > jt->stack_limit)) {
        throw_stack_overflow(self);
        return false;
    }
    frame->code = code;
    frame->caller = jt->frame;
    frame->pc = code->code;
    frame->sp = frame_stack(frame);
    frame->flags = FRAME_ENTRY;
    frame->call_length = 0;
    frame_enter(jt, frame);
    return true;
}

enum resumption exec_interpret(struct os_thread *self, bool begun, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct c_segment segment;
    thread_to_bytecode(self, &segment);
    enum resumption how = interpret(self, self->java->frame, begun, result);
    thread_from_bytecode(self, &segment);
    return how;
}

bool exec_invoke(struct os_thread *self, struct method *m, const uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct java_thread *jt = self->java;
    uint64_t ignored;
    if (result == NULL) result = &ignored;
    *result = 0;
    vm_assert(self->exception == NULL, "call with a pending exception");
    if (UNLIKELY(thread_c_stack_is_used_up(self))) {
        throw_stack_overflow(self);
        return false;
    }
    if (UNLIKELY(self->lookup_cache == NULL) &&
        (self->lookup_cache = mem_zalloc(sizeof(struct lookup_cache))) == NULL) {
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
    struct frame *caller = jt->frame, *outer = jt->c_caller;
    jt->c_caller = caller;
    struct c_segment segment;
    thread_to_bytecode(self, &segment);
    thread_begin_below(self);
    m = enter(self, m, base, result);
    bool ok, begun = jt->frame != caller;
    if (m == NULL) ok = self->exception == NULL;
    else ok = (begun || exec_push_entry(self, m, base)) && interpret(self, jt->frame, begun, result) == RESUME_RETURNED;
    thread_from_bytecode(self, &segment);
    jt->c_caller = outer;
    return ok;
}

/* ---- roots and start-up ------------------------------------------------------------------------------------------ */

void exec_thread_ends(struct os_thread *t) {
    mem_free(t->lookup_cache);
    t->lookup_cache = NULL;
}

static void forget_lookups(struct os_thread *t) {
    if (t != NULL && t->lookup_cache != NULL) memset(t->lookup_cache, 0, sizeof(struct lookup_cache));
}

void exec_class_ids_retired(void) {
    for (struct os_thread *t = carriers_first(); t != NULL; t = t->next) forget_lookups(t);
    forget_lookups(current_thread());    /* not on the list while the VM starts */
}

void exec_class_unloads(struct class *c) {
    breakpoints_forget(c);
    stack_maps_forget();
}

bool exec_version_is_running(const struct class_version *v) {
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c))
            if (cursor_code(&c)->owner == v) return true;
    return false;
}

void exec_version_unloads(struct class_version *v) {
    (void)v;
    stack_maps_forget();
}

bool exec_create(void) {
    vm->exec = mem_zalloc(sizeof *vm->exec);
    if (vm->exec == NULL) return false;
    vm->exec->call_cost = vm->options->call_cost;
    return interpret(NULL, NULL, false, NULL) == RESUME_RETURNED;
}

bool exec_link(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)self;
    struct exec_state *e = vm->exec;
    e->boolean_array_id = vm->link->primitive_arrays[T_BOOLEAN]->shape.id;
    e->object_init = class_method_cstr(known_class(java_lang_Object), "<init>", "()V");
    e->finalizer_register = class_method_cstr(known_class(java_lang_ref_Finalizer), "register",
                                              "(Ljava/lang/Object;)V");
    return e->object_init != NULL && e->finalizer_register != NULL;
}

void exec_destroy(void) {
    stack_maps_forget();
    mem_free(vm->exec);
    vm->exec = NULL;
}
