/* init.c — linking (verification, preparation, rewriting) and initialisation of classes. JVMS 5.4, 5.5. */
#include "base/log.h"
#include "base/perf_data.h"
#include "classfile/opcodes.h"
#include "heap/heap.h"
#include "jni.h"
#include "link/link_internal.h"
#include "link/resolve.h"
#include "thread/handle.h"
#include "verify/verify.h"

/* ---- rewriting --------------------------------------------------------------------------------------------------- */

static void swap2(uint8_t *p) { uint8_t t = p[0]; p[0] = p[1]; p[1] = t; }
static void swap4(uint8_t *p) {
    uint8_t t = p[0];
    p[0] = p[3];
    p[3] = t;
    t = p[1];
    p[1] = p[2];
    p[2] = t;
}

/* Brings one instruction's operands to native byte order; invokedynamic gets its call-site index. */
static void rewrite_instruction(const uint8_t *original, uint8_t *code, uint32_t bci, uint32_t length,
                                uint32_t *sites) {
    uint8_t op = original[bci];
    uint8_t *p = code + bci;
    const char *format = opcode_formats[op];
    switch (op) {
    case OP_invokedynamic: {
        uint32_t site = (*sites)++;
        memcpy(p + 1, &site, 4);
        return;
    }
    case OP_tableswitch:
    case OP_lookupswitch:
        for (uint32_t at = (bci + 4) & ~3u; at + 4 <= bci + length; at += 4) swap4(code + at);
        return;
    case OP_wide:
        swap2(p + 2);
        if (original[bci + 1] == OP_iinc) swap2(p + 4);
        return;
    case OP_goto_w:
    case OP_jsr_w: swap4(p + 1); return;
    case OP_multianewarray:
    case OP_invokeinterface: swap2(p + 1); return;
    default:
        if (length == 3 && op != OP_iinc && format != NULL) swap2(p + 1);
        return;
    }
}

/* Also the bytes that copies of the code take, each from a multiple of eight on. */
static uint32_t count_sites(const struct classfile *cf, size_t *bytes) {
    uint32_t n = 0;
    *bytes = 0;
    for (uint32_t i = 0; i < cf->method_count; i++) {
        const struct cf_code *s = cf->methods[i].code;
        if (s == NULL) continue;
        *bytes += ALIGN_UP(s->code_length, 8u);
        if (memchr(s->code, OP_invokedynamic, s->code_length) == NULL) continue;
        for (uint32_t bci = 0, length; bci < s->code_length; bci += length) {
            n += s->code[bci] == OP_invokedynamic;
            length = opcode_length(s->code, bci, s->code_length);
            if (length == 0) break;
        }
    }
    return n;
}

bool class_version_rewrite(struct os_thread *self, struct class_version *v) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint32_t sites = 0;
    size_t bytes;
    uint32_t count = count_sites(v->cf, &bytes);
    bytes += count * sizeof *v->call_sites;
    if (bytes == 0) return true;         /* no code at all */
    if (!metadata_reserve(self, bytes)) return false;
    char *next = arena_alloc_last(v->arena, bytes);
    if (next == NULL) {
        throw_out_of_memory(self, "class metadata");
        return false;
    }
    v->call_sites = (struct call_site *)next;            /* walks of the heap look at both, so no stop in between    */
    v->call_site_count = count;
    next += count * sizeof *v->call_sites;
    for (uint32_t i = 0; i < v->code_count; i++) {
        struct method_code *code = &v->codes[i];
        struct method *m = code->method;
        const struct cf_code *source = code_source(code);
        if (source == NULL) continue;
        uint8_t *copy = memcpy(next, source->code, source->code_length);
        next += ALIGN_UP(source->code_length, 8u);
        for (uint32_t bci = 0, length; bci < source->code_length; bci += length) {
            length = opcode_length(source->code, bci, source->code_length);
            if (length == 0) {
                throw_message(self, "java/lang/VerifyError", "illegal bytecode in %s", m->name->bytes);
                return false;
            }
            if (source->code[bci] == OP_jsr || source->code[bci] == OP_jsr_w) m->flags |= METHOD_HAS_JSR;
            uint32_t site = sites;
            rewrite_instruction(source->code, copy, bci, length, &sites);
            if (sites != site) v->call_sites[site].cp_index = cf_u2(source->code + bci + 1);
        }
        code->code = copy;
        if (!class_version_has_stack_maps(v)) code->uncommon |= CODE_UNMAPPED;
    }
    return true;
}

/* ---- verification ------------------------------------------------------------------------------------------------ */

struct verify_context {
    struct os_thread *self;
    struct class *class;
};

static struct class *verify_load(struct verify_context *v, struct symbol *name) {
    return name == v->class->name ? v->class : class_load(v->self, name, v->class->loader);
}
static enum verify_answer answer(bool yes) { return yes ? VERIFY_YES : VERIFY_NO; }

static enum verify_answer hook_is_interface(void *ctx, struct symbol *name) {
    struct class *c = verify_load(ctx, name);
    return c == NULL ? VERIFY_THREW : answer(c->is_interface);
}
static enum verify_answer hook_is_subclass(void *ctx, struct symbol *from, struct symbol *to) {
    struct class *f = verify_load(ctx, from), *t = f ? verify_load(ctx, to) : NULL;
    return t == NULL ? VERIFY_THREW : answer(class_is_subtype(f, t));
}
static bool hook_has_super(void *ctx, struct symbol *name) {
    struct verify_context *v = ctx;
    for (struct class *c = v->class->super; c != NULL; c = c->super)
        if (c->name == name) return true;
    return false;
}
static enum verify_answer hook_protected(void *ctx, struct symbol *holder, struct symbol *name, struct symbol *desc,
                                         bool is_method) {
    struct verify_context *v = ctx;
    struct class *c = verify_load(v, holder);
    if (c == NULL) return VERIFY_THREW;
    if (!class_is_subtype(v->class, c)) return VERIFY_NO;
    struct class *declaring;
    uint16_t flags;
    if (is_method) {
        struct method *m = NULL;
        for (struct class *k = c; k != NULL && m == NULL; k = k->super) m = class_find_method(k, name, desc);
        if (m == NULL) return VERIFY_NO;
        declaring = m->holder;
        flags = m->access_flags;
    } else {
        struct field *f = class_lookup_field(c, name, desc);
        if (f == NULL) return VERIFY_NO;
        declaring = f->holder;
        flags = f->access_flags;
    }
    return answer(flags & ACC_PROTECTED && !class_same_package(v->class, declaring));
}

static bool should_verify(const struct class *c) {
    if (c->loader->is_boot) return vm->options->verify_local;
    if (known_class(jdk_internal_reflect_MagicAccessorImpl) != NULL &&
        class_is_subtype((struct class *)c, known_class(jdk_internal_reflect_MagicAccessorImpl)))
        return false;
    return vm->options->verify_remote;
}

static enum verify_status verify_old(struct os_thread *self, struct class_version *v, struct verify_result *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    if (!handle_frame_push(self, 16, false)) return VERIFY_PENDING;
    const struct class_version *outer = self->verifying;
    self->verifying = v;
    jobject mirror = handle_local(self, c->mirror);
    thread_to_native(self);
    enum verify_status status = verify_class_old(vm->java_home, thread_env(self), mirror, v->cf->major, result);
    thread_from_native(self);
    self->verifying = outer;
    handle_frame_pop(self);
    return self->exception ? VERIFY_PENDING : status;
}

/* The old verifier decides about a file that the type checker refused; the type checker's text stays, as on HotSpot. */
static enum verify_status fail_over(struct os_thread *self, struct class_version *v, struct verify_result *result) {
    char *message = result->message;
    enum verify_status status = verify_old(self, v, result);
    mem_free(status == VERIFY_REJECTED ? result->message : message);
    if (status == VERIFY_REJECTED) result->message = message;
    return status;
}

bool class_version_verify(struct os_thread *self, struct class_version *v) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = v->class;
    if (!should_verify(c)) return true;
    struct verify_context context = {self, c};
    struct verify_hooks hooks = {&context,         (int)vm->library, hook_is_interface,
                                 hook_is_subclass, hook_has_super,   hook_protected};
    struct verify_result result = {0};
    enum verify_status status;
    if (v->cf->major >= VERIFY_STACKMAP_MAJOR) {
        status = verify_class(v->cf, &hooks, &result);
        if (verify_may_fail_over(v->cf, status, &result)) status = fail_over(self, v, &result);
    } else {
        status = verify_old(self, v, &result);
    }
    if (status == VERIFY_REJECTED) throw_message(self, result.exception, "%s", result.message ? result.message : "");
    else if (status == VERIFY_NO_MEMORY) throw_out_of_memory(self, "verification");
    mem_free(result.message);
    v->verified = status == VERIFY_PASSED;
    perf_add(PERF_CLASSES_VERIFIED, v->verified);
    if (v == c->version) c->verified = v->verified;
    return status == VERIFY_PASSED;
}

/* ---- preparation ------------------------------------------------------------------------------------------------- */

static bool constant_values(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (uint32_t i = 0; i < c->cf->field_count; i++) {
        struct field *f = &c->fields[i];
        uint16_t k = f->cf->constant_value_index;
        if (!(f->access_flags & ACC_STATIC) || k == 0) continue;
        union { float f; uint32_t i; } single;
        union { double d; uint64_t i; } twice;
        uint64_t value = 0;
        enum basic_type type;
        switch (cp_tag(c->cf, k)) {
        case CP_Integer: value = (uint32_t)cp_int(c->cf, k); break;
        case CP_Long: value = (uint64_t)cp_long(c->cf, k); break;
        case CP_Float: single.f = cp_float(c->cf, k); value = single.i; break;
        case CP_Double: twice.d = cp_double(c->cf, k); value = twice.i; break;
        default:
            if (!resolve_constant(self, c->version, k, &value, &type)) return false;
            break;
        }
        field_store(c->statics, f->offset, (enum basic_type)f->type, value);
    }
    return true;
}

/* A thread that links or initialises c waits here for another one that does. init_lock held; objects are not held while
 * blocked. */
void class_state_wait(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING);
    thread_block_begin(self);
    cond_wait(&li()->init_cond, &li()->init_lock, COND_FOREVER);
    lock_release(&li()->init_lock);
    thread_block_end(self);
    lock_acquire(&li()->init_lock);
}

bool class_link(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (atomic_load_explicit(&c->state, memory_order_acquire) >= CLASS_LINKED) return true;
    if (c->super != NULL && !class_link(self, c->super)) return false;
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (!class_link(self, c->interfaces[i])) return false;
    lock_acquire(&li()->init_lock);
    while (c->linking != NULL && c->linking != self && atomic_load(&c->state) < CLASS_LINKED) class_state_wait(self);
    if (atomic_load(&c->state) >= CLASS_LINKED) {
        lock_release(&li()->init_lock);
        return true;
    }
    /* Verification may load classes, whose loader may need this very class: then the inner call links it. */
    bool nested = c->linking == self;
    c->linking = self;
    lock_release(&li()->init_lock);
    bool ok = class_version_verify(self, c->version), first = false;
    if (ok && atomic_load(&c->state) < CLASS_LINKED)
        ok = class_check_selection(self, c) && class_version_rewrite(self, c->version) && constant_values(self, c);
    lock_acquire(&li()->init_lock);
    if (!nested) c->linking = NULL;
    if (ok && atomic_load(&c->state) < CLASS_LINKED) {
        first = true;
        perf_add(PERF_CLASSES_LINKED, 1);
        atomic_store_explicit(&c->state, CLASS_LINKED, memory_order_release);
    }
    cond_notify_all(&li()->init_cond);
    lock_release(&li()->init_lock);
    if (first) probe_class_prepare(self, c);
    return ok;
}

/* ---- initialisation ---------------------------------------------------------------------------------------------- */

static void finish(struct class *c, enum class_state state) {
    lock_acquire(&li()->init_lock);
    atomic_store_explicit(&c->state, (uint8_t)state, memory_order_release);
    c->init_thread = NULL;
    cond_notify_all(&li()->init_cond);
    lock_release(&li()->init_lock);
}

static bool throw_not_initialized(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *name = class_external_name(c);
    if (c->init_error != NULL)
        throw_cause(self, "java/lang/NoClassDefFoundError", c->init_error, "Could not initialize class %s",
                    name ? name : "?");
    else throw_message(self, "java/lang/NoClassDefFoundError", "Could not initialize class %s", name ? name : "?");
    mem_free(name);
    return false;
}

/* What later attempts name as cause: an ExceptionInInitializerError with the original's text and trace. */
static void record_init_error(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *e = exception_take(self);
    char *type = class_external_name(class_of(e));
    struct object *message = heap_load_ref(e, known_offset(Throwable_detailMessage));
    char *text = message ? string_dup_utf8(message) : NULL, *thread = NULL;
    struct object *name = self->java->mirror ? heap_load_ref(self->java->mirror, known_offset(Thread_name)) : NULL;
    thread = name ? string_dup_utf8(name) : NULL;
    throw_message(self, "java/lang/ExceptionInInitializerError",
                  text ? "Exception %s: %s [in thread \"%s\"]" : "Exception %s%s [in thread \"%s\"]", type ? type : "?",
                  text ? text : "", thread ? thread : "?");
    struct object *record = exception_take(self);
    mem_free(type);
    mem_free(text);
    mem_free(thread);
    if (record != NULL && class_of(record) == known_class(java_lang_ExceptionInInitializerError)) {
        struct method *get = class_method_cstr(known_class(java_lang_Throwable), "getStackTrace",
                                               "()[Ljava/lang/StackTraceElement;");
        struct method *set = class_method_cstr(known_class(java_lang_Throwable), "setStackTrace",
                                               "([Ljava/lang/StackTraceElement;)V");
        uint64_t args[2] = {slot_ref(e), 0}, trace = 0;
        if (java_call(self, get, args, &trace)) {
            args[0] = slot_ref(record);
            args[1] = trace;
            java_call(self, set, args, NULL);
        }
        self->exception = NULL;
        c->init_error = record;
    }
    self->exception = e;
}

static bool run_clinit(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *clinit = NULL;
    for (struct method *m = NULL; clinit == NULL && c->cf->clinit_index >= 0 && (m = class_next_method(c, m)) != NULL;)
        if (m->flags & METHOD_CLINIT && m->desc == cf_member_desc(c->cf, &c->cf->methods[c->cf->clinit_index]))
            clinit = m;
    bool has_method = clinit != NULL;
    if (log_enabled(LOG_class_init, LOG_INFO)) {
        unsigned number = atomic_fetch_add(&li()->initialized, 1);
        const char *what = has_method ? "" : "(no method)";
        if (vm->library == LIBRARY_17)
            log_info(class_init, "%u Initializing '%s'%s (0x%016lx)", number, c->name->bytes, what,
                     (unsigned long)(uintptr_t)c);
        else
            log_info(class_init, "%u Initializing '%s'%s (0x%016lx) by thread \"%s\"", number, c->name->bytes, what,
                     (unsigned long)(uintptr_t)c, self->java->mirror != NULL ? self->java->name : "Unknown thread");
    }
    return !has_method || java_call(self, clinit, NULL, NULL);
}

/* Superinterfaces that declare default methods are initialised with the class (JVMS 5.5 step 7). */
static bool init_superinterfaces(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (uint32_t i = 0; i < c->interface_count; i++) {
        struct class *s = c->interfaces[i];
        if (s->secondary_count != 0 && !init_superinterfaces(self, s)) return false;
        bool declares = false;
        for (const struct method *m = NULL; !declares && (m = class_next_method(s, m)) != NULL;)
            declares = !(m->access_flags & (ACC_STATIC | ACC_ABSTRACT));
        if (declares && !class_ensure_initialized(self, s)) return false;
    }
    return true;
}

bool class_initialize(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!class_link(self, c)) return false;
    lock_acquire(&li()->init_lock);
    while (atomic_load(&c->state) == CLASS_INITIALIZING && c->init_thread != self) {
        thread_awaits_class(self, c);
        class_state_wait(self);
        thread_awaits_class(self, NULL);
    }
    enum class_state state = atomic_load(&c->state);
    if (state == CLASS_LINKED) {
        c->init_thread = self;
        atomic_store(&c->state, CLASS_INITIALIZING);
    }
    lock_release(&li()->init_lock);
    if (state == CLASS_INITIALIZED || state == CLASS_INITIALIZING) return true;
    if (state == CLASS_ERROR) return throw_not_initialized(self, c);
    if (!c->is_interface &&
        ((c->super != NULL && !class_ensure_initialized(self, c->super)) || !init_superinterfaces(self, c))) {
        record_init_error(self, c);
        finish(c, CLASS_ERROR);
        return false;
    }
    if (run_clinit(self, c)) {
        perf_add(PERF_CLASSES_INITIALIZED, 1);
        finish(c, CLASS_INITIALIZED);
        return true;
    }
    struct class *error = known_class(java_lang_Error);
    struct object *e = exception_take(self);
    if (error == NULL || !object_is_instance(e, error)) {
        throw_cause(self, "java/lang/ExceptionInInitializerError", e, NULL);
        struct object *wrapped = exception_take(self);
        self->exception = e;
        record_init_error(self, c);
        self->exception = wrapped;
    } else {
        self->exception = e;
        record_init_error(self, c);
    }
    finish(c, CLASS_ERROR);
    return false;
}
