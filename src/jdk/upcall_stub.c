/* upcall_stub.c — the stubs themselves: their code, the entry into the VM, threads that come from outside.
 *
 * A chunk is a page of code for STUBS stubs that is written once, and a record for each. Stub i loads the address of
 * record i and jumps to upcall_entry, which saves the argument registers and calls upcall_enter. No code changes when
 * stubs come and go. */
#include "jdk/upcall_stub.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/os.h"
#include "jdk/frame_text.h"
#include "jdk/hooks.h"
#include "jdk/thread_life.h"
#include "thread/native_entry.h"

#if FOREIGN_LINKER

enum { STUB_BYTES = 32, STUBS = 4096 / STUB_BYTES };
struct upcall_chunk {
    struct upcall_chunk *next;
    void *runs;
    struct upcall_stub stubs[STUBS];
};

struct upcall_stubs {
    struct lock lock;
    struct upcall_chunk *chunks;
    struct upcall_stub *free;
};

static size_t chunk_size(void) { return ALIGN_UP((size_t)STUBS * STUB_BYTES, os_page_size()); }

_Static_assert(offsetof(struct upcall_registers, stack) == 144 && sizeof(struct upcall_registers) <= 160,
               "the code below has the offsets as numbers");

/* r11: the stub's record. */
__asm__(".text\n"
        ".p2align 4\n"
        ".type upcall_entry, @function\n"
        "upcall_entry:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset 6, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register 6\n"
        "subq $160, %rsp\n"
        "movq %rdi, 0(%rsp)\n"
        "movq %rsi, 8(%rsp)\n"
        "movq %rdx, 16(%rsp)\n"
        "movq %rcx, 24(%rsp)\n"
        "movq %r8, 32(%rsp)\n"
        "movq %r9, 40(%rsp)\n"
        "movsd %xmm0, 48(%rsp)\n"
        "movsd %xmm1, 56(%rsp)\n"
        "movsd %xmm2, 64(%rsp)\n"
        "movsd %xmm3, 72(%rsp)\n"
        "movsd %xmm4, 80(%rsp)\n"
        "movsd %xmm5, 88(%rsp)\n"
        "movsd %xmm6, 96(%rsp)\n"
        "movsd %xmm7, 104(%rsp)\n"
        "leaq 16(%rbp), %rax\n"
        "movq %rax, 144(%rsp)\n"
        "movq %r11, %rdi\n"
        "movq %rsp, %rsi\n"
        "call upcall_enter\n"
        "movq 112(%rsp), %rax\n"
        "movq 120(%rsp), %rdx\n"
        "movsd 128(%rsp), %xmm0\n"
        "movsd 136(%rsp), %xmm1\n"
        "leave\n"
        ".cfi_def_cfa 7, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size upcall_entry, . - upcall_entry\n");
extern const uint8_t upcall_entry[] __attribute__((visibility("hidden")));

/* endbr64; movabs $record, %r11; movabs $upcall_entry, %r10; jmp *%r10 */
static void write_stub(uint8_t *p, const struct upcall_stub *record) {
    static const uint8_t begin[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x49, 0xbb}, middle[] = {0x49, 0xba},
                         end[] = {0x41, 0xff, 0xe2};
    uint64_t first = (uintptr_t)record, second = (uintptr_t)upcall_entry;
    p = mempcpy(p, begin, sizeof begin);
    p = mempcpy(p, &first, sizeof first);
    p = mempcpy(p, middle, sizeof middle);
    p = mempcpy(p, &second, sizeof second);
    memcpy(p, end, sizeof end);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* As HotSpot does: what no Java code can handle any more ends the process. */
static NORETURN void die_of_exception(struct os_thread *self) {
    REQUIRES(IN_VM);
    struct object *e = exception_take(self);
    vm_print(false, "Uncaught exception:\n");
    throwable_print(e);
    fatal("Unrecoverable uncaught exception encountered: it reached the C caller of an up-call");
}

static void enter_vm(JNIEnv *env, const struct upcall_stub *s, struct upcall_registers *r) {
    NATIVE_ENTRY(env);
    jobject handle = __atomic_load_n(&s->handle, __ATOMIC_ACQUIRE);
    if (handle == NULL) fatal("an up-call through a stub that has been freed with its arena");
    if (self->exception != NULL) fatal("an up-call from C code that has left a Java exception pending");
    s->call(self, s, handle_get(handle), r);
    if (self->exception != NULL) die_of_exception(self);
}

/* Called by upcall_entry. */
__attribute__((used, visibility("hidden"))) void upcall_enter(const struct upcall_stub *s, struct upcall_registers *r);
void upcall_enter(const struct upcall_stub *s, struct upcall_registers *r) {
    bool detach;
    JNIEnv *env = jdk_hooks.attach_caller(&detach);
    if (env == NULL) fatal("an up-call on a thread that cannot be attached: memory is exhausted");
    enter_vm(env, s, r);
    if (UNLIKELY(detach)) jdk_hooks.detach_caller();
}

/* ---- stubs that come and go -------------------------------------------------------------------------------------- */

/* NULL: no memory. */
static struct upcall_stubs *upcall_stubs(void) {
    struct jdk_state *jdk = thread_life();
    struct upcall_stubs *u = atomic_load_explicit(&jdk->upcall_stubs, memory_order_acquire);
    if (u != NULL) return u;
    struct upcall_stubs *fresh = mem_zalloc(sizeof *fresh), *expected = NULL;
    if (fresh == NULL) return NULL;
    lock_init(&fresh->lock, "up-call stubs", LOCK_RANK_NATIVE_LIBRARY);
    if (atomic_compare_exchange_strong(&jdk->upcall_stubs, &expected, fresh)) return fresh;
    mem_free(fresh);
    return expected;
}

/* More free stubs. False: no memory, or the system allows no code in it. Lock held. */
static bool add_chunk(struct upcall_stubs *u) {
    struct upcall_chunk *c = mem_zalloc(sizeof *c);
    if (c == NULL) return false;
    void *writable;
    size_t size = chunk_size();
    if (!os_code_reserve(size, &writable, &c->runs)) {
        mem_free(c);
        return false;
    }
    bool one_view = writable == c->runs;
    bool ok = !one_view || os_code_protect(writable, size, false);
    for (unsigned i = 0; ok && i < STUBS; i++) {
        write_stub((uint8_t *)writable + i * STUB_BYTES, &c->stubs[i]);
        c->stubs[i].code = (uint8_t *)c->runs + i * STUB_BYTES;
        c->stubs[i].next_free = i + 1 < STUBS ? &c->stubs[i + 1] : NULL;
    }
    if (one_view) ok = ok && os_code_protect(c->runs, size, true);
    else os_release(writable, size);
    if (!ok) {
        os_release(c->runs, size);
        mem_free(c);
        return false;
    }
    c->next = u->chunks;
    u->chunks = c;
    u->free = c->stubs;
    return true;
}

const void *upcall_stub_make(struct os_thread *self, struct object *handle, upcall_function *call,
                             struct method *method, void *how) {
    REQUIRES(IN_VM | NO_PENDING);
    struct upcall_stubs *u = upcall_stubs();
    jobject global = u != NULL ? handle_global(handle) : NULL;
    struct upcall_stub *s = NULL;
    if (global != NULL) {
        lock_acquire(&u->lock);
        if (u->free != NULL || add_chunk(u)) {
            s = u->free;
            u->free = s->next_free;
        }
        lock_release(&u->lock);
    }
    if (s == NULL) {
        if (global != NULL) handle_global_delete(global);
        mem_free(how);
        throw_out_of_memory(self, "Failed to allocate upcall stub");
        return NULL;
    }
    s->call = call;
    s->method = method;
    s->how = how;
    __atomic_store_n(&s->handle, global, __ATOMIC_RELEASE);
    return s->code;
}

static struct upcall_stub *stub_at(struct upcall_stubs *u, const void *address) {
    for (struct upcall_chunk *c = u->chunks; c != NULL; c = c->next) {
        uintptr_t offset = (uintptr_t)address - (uintptr_t)c->runs;
        if (offset < (uintptr_t)STUBS * STUB_BYTES && offset % STUB_BYTES == 0) return &c->stubs[offset / STUB_BYTES];
    }
    return NULL;
}

bool upcall_stub_free(const void *address) {
    struct upcall_stubs *u = upcall_stubs();
    if (u == NULL) return false;
    lock_acquire(&u->lock);
    struct upcall_stub *s = stub_at(u, address);
    jobject handle = s != NULL ? s->handle : NULL;
    if (handle != NULL) {
        __atomic_store_n(&s->handle, NULL, __ATOMIC_RELEASE);
        mem_free((void *)s->how);
        s->next_free = u->free;
        u->free = s;
    }
    lock_release(&u->lock);
    if (handle != NULL) handle_global_delete(handle);
    return handle != NULL;
}

void upcall_stubs_destroy(void) {
    struct upcall_stubs *u = thread_life()->upcall_stubs;
    if (u == NULL) return;
    for (struct upcall_chunk *c = u->chunks, *next; c != NULL; c = next) {
        next = c->next;
        bool in_use = false;
        for (unsigned i = 0; i < STUBS; i++) {
            struct upcall_stub *s = &c->stubs[i];
            if (s->handle == NULL) continue;
            in_use = true;
            mem_free((void *)s->how);
            __atomic_store_n(&s->handle, NULL, __ATOMIC_RELEASE);
        }
        if (in_use) {
            os_keep(c->runs);
        } else {
            os_release(c->runs, chunk_size());
            mem_free(c);
        }
    }
    mem_free(u);
    thread_life()->upcall_stubs = NULL;
}

#else

bool upcall_stub_free(const void *address UNUSED) { return false; }
void upcall_stubs_destroy(void) {}

#endif
