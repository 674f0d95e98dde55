/* The code cache and the stubs: room is found, given back and found again; code is found by the places in it and runs;
 * no page is writable and executable; what happens where the system refuses memory of two views, or code altogether. */
#include "jit/cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cmocka.h>

#include "base/os.h"
#include "heap/heap.h"
#include "jit/asm.h"
#include "jit/stubs.h"
#include "jit/unwind_table.h"
#include "thread/probe_point.h"
#include "vm/vm.h"

enum { SIZE = 64 * 1024 };

/* Code that returns `value` comes into a blob that has been taken. NULL: it has not. */
static struct code_blob *fill(struct code_cache *c, struct code_blob *b, uint64_t value) {
    if (b == NULL) return NULL;
    struct assembler a;
    asm_begin(&a, code_cache_writable(c, code_blob_begin(b)), b->length, code_blob_begin(b));
    asm_constant(&a, REG_RESULT, value);
    asm_return(&a);
    assert_int_not_equal(asm_end(&a), 0);
    assert_null(code_cache_find(c, code_blob_begin(b)));
    assert_true(code_cache_publish(c, b));
    return b;
}

/* A blob of `length` bytes of it. NULL: full. */
static struct code_blob *put(struct code_cache *c, size_t length, uint64_t value) {
    struct code_blob header = {.name = "test", .length = (uint32_t)length};
    return fill(c, code_cache_take(c, &header), value);
}

static uint64_t run(const struct code_blob *b) {
    uint64_t (*function)(void) = (uint64_t (*)(void))(uintptr_t)code_blob_begin(b);
    return function();
}

/* The kernel's word on the protection of the page that p lies in, "r-xs" for instance. */
static const char *protection(const void *p) {
    static char found[5];
    char line[4352];
    FILE *f = fopen("/proc/self/maps", "r");
    assert_non_null(f);
    strcpy(found, "none");
    while (fgets(line, sizeof line, f)) {
        uintptr_t low, high;
        char flags[5];
        assert_int_equal(sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &low, &high, flags), 3);
        if ((uintptr_t)p >= low && (uintptr_t)p < high) strcpy(found, flags);
        assert_false(flags[1] == 'w' && flags[2] == 'x');
    }
    fclose(f);
    return found;
}

static void check_found(const struct code_cache *c, const struct code_blob *b) {
    const uint8_t *begin = code_blob_begin(b);
    if (c->first != 0) assert_int_equal((uintptr_t)begin % 64, 0);           /* code begins at a cache line */
    assert_ptr_equal(code_cache_find(c, b), b);
    assert_ptr_equal(code_cache_find(c, begin), b);
    assert_ptr_equal(code_cache_find(c, begin + b->length - 1), b);
    assert_ptr_not_equal(code_cache_find(c, begin + b->length), b);
    assert_ptr_not_equal(code_cache_find(c, (const uint8_t *)b - 1), b);
}

/* What is published is every `step`th of these. */
static void check_walk(const struct code_cache *c, struct code_blob **blobs, size_t n, size_t step) {
    const struct code_blob *b = NULL;
    for (size_t i = step - 1; i < n; i += step) {
        b = code_cache_next(c, b);
        assert_ptr_equal(b, blobs[i]);
    }
    assert_null(code_cache_next(c, b));
}

/* Fills the cache with blobs of different lengths, runs and finds each, drops every second one, and fills it again. */
static void use(struct code_cache *c) {
    static struct code_blob *blobs[2048];
    size_t n = 0, largest = c->grain * 3;
    for (struct code_blob *b; (b = put(c, 20 + n * 37 % largest, n)) != NULL; blobs[n++] = b)
        assert_in_range(n, 0, ARRAY_LEN(blobs) - 2);
    assert_in_range(n, 4, ARRAY_LEN(blobs));
    assert_int_equal(c->blobs, n);
    size_t used = c->used;
    assert_in_range(used, c->size / 2, c->size);
    for (size_t i = 0; i < n; i++) {
        check_found(c, blobs[i]);
        assert_int_equal(run(blobs[i]), i);
    }
    check_walk(c, blobs, n, 1);
    for (size_t i = 0; i < n; i += 2) {
        used = c->used;
        code_cache_hide(c, blobs[i]);
        assert_null(code_cache_find(c, code_blob_begin(blobs[i])));
        assert_int_equal(c->used, used);
        code_cache_give_back(c, blobs[i]);
        assert_in_range(c->used, 0, used - 1);
    }
    assert_int_equal(c->blobs, n / 2);
    check_walk(c, blobs, n, 2);
    for (size_t i = 1; i < n; i += 2) {
        check_found(c, blobs[i]);
        assert_int_equal(run(blobs[i]), i);
    }
    size_t again = 0, least = c->grain - sizeof(struct code_blob);       /* every gap is used up */
    while (put(c, least, 5) != NULL) again++;
    assert_in_range(again, (n + 1) / 2, c->size / c->grain);
    size_t whole = ALIGN_DOWN(c->size - c->first, c->grain);
    assert_int_equal(c->used, whole);
    assert_int_equal(c->most_used, whole);
    assert_in_range(used, 1, c->size);
    assert_null(code_cache_find(c, c->runs - 1));
    if (c->first != 0) assert_null(code_cache_find(c, c->runs + c->first - 1));
    assert_null(code_cache_find(c, c->runs + c->size));
}

/* What is kept is no room for others; it is bounded; and what has begun there is found and runs. */
static void test_kept(void **state) {
    (void)state;
    enum { GRAINS = 8 };
    struct code_cache c;
    assert_true(code_cache_create(&c, SIZE));
    struct code_blob *first = put(&c, 20, 1), *kept[GRAINS + 1], *behind, header = {.name = "kept", .length = 20};
    code_cache_keep(&c, GRAINS);
    const uint8_t *begin = code_cache_kept_begin(&c), *end = code_cache_kept_end(&c);
    assert_int_equal(end - begin, GRAINS * c.grain);
    size_t used = c.used, n = 0;
    assert_int_equal(used, c.grain);
    assert_non_null(behind = put(&c, 20, 2));
    assert_ptr_equal(behind, end);
    while ((kept[n] = fill(&c, code_cache_take_kept(&c, &header), 3 + n)) != NULL) n++;
    assert_int_equal(n, GRAINS);
    assert_ptr_equal(kept[0], begin);
    assert_int_equal(c.used, used + (GRAINS + 1) * c.grain);
    for (size_t i = 0; i < n; i++) {
        check_found(&c, kept[i]);
        assert_int_equal(run(kept[i]), 3 + i);
    }
    code_cache_drop(&c, first);
    assert_null(code_cache_take_kept(&c, &header));
    code_cache_destroy(&c);
    assert_true(code_cache_create(&c, SIZE));            /* a part at most                                           */
    code_cache_keep(&c, SIZE);
    assert_in_range(code_cache_kept_end(&c) - code_cache_kept_begin(&c), 1, SIZE / 8);
    code_cache_destroy(&c);
}

static void test_two_views(void **state) {
    (void)state;
    struct code_cache c;
    size_t before = os_reserved_total();
    assert_true(code_cache_create(&c, SIZE - 1));
    assert_int_equal(c.size, SIZE);
    assert_ptr_not_equal(c.writable, c.runs);
    assert_string_equal(protection(c.writable), "rw-s");
    assert_string_equal(protection(c.runs), "r-xs");
    use(&c);
    assert_string_equal(protection(c.writable), "rw-s");
    assert_string_equal(protection(c.runs), "r-xs");
    const void *low = c.writable, *high = c.runs;
    code_cache_destroy(&c);
    assert_int_equal(os_reserved_total(), before);
    assert_string_equal(protection(low), "none");
    assert_string_equal(protection(high), "none");
}

/* ---- in a process of its own, where the kernel refuses something ------------------------------------------------- */

enum { REFUSE_VIEWS = 1, REFUSE_CODE = 2 };

/* mremap; mmap and mprotect that make something executable. */
static void refuse(int what) {
    uint32_t no = SECCOMP_RET_ERRNO | 1;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, what & REFUSE_CODE ? no : SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, what & REFUSE_VIEWS ? no : SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = ARRAY_LEN(filter), .filter = filter};
    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static void one_view(void) {
    struct code_cache c;
    refuse(REFUSE_VIEWS);
    assert_true(code_cache_create(&c, SIZE));
    assert_ptr_equal(c.writable, c.runs);
    use(&c);
    const struct code_blob header = {.name = "test", .length = 1};
    assert_null(code_cache_take(&c, &header));
    code_cache_drop(&c, (const struct code_blob *)c.runs);
    struct code_blob *b = code_cache_take(&c, &header);
    assert_ptr_equal(b, c.runs);
    assert_string_equal(protection(b), "rw-p");
    assert_true(code_cache_publish(&c, b));
    assert_string_equal(protection(b), "r-xp");
    code_cache_destroy(&c);
    assert_int_equal(os_reserved_total(), 0);
}

static void no_code(void) {
    struct code_cache c;
    refuse(REFUSE_VIEWS | REFUSE_CODE);
    assert_false(code_cache_create(&c, SIZE));
    assert_int_equal(os_reserved_total(), 0);
}

/* There are two views, and none may be executed. */
static void no_executable_view(void) {
    struct code_cache c;
    refuse(REFUSE_CODE);
    assert_false(code_cache_create(&c, SIZE));
    assert_int_equal(os_reserved_total(), 0);
}

static void in_a_process(void (*body)(void)) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        body();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_refused(void **state) {
    (void)state;
    assert_int_equal(os_reserved_total(), 0);
    in_a_process(one_view);
    in_a_process(no_code);
    in_a_process(no_executable_view);
}

/* ---- entering and leaving ---------------------------------------------------------------------------------------- */

struct seen { uint64_t frame, thread, shapes, java, locals; };

/* Compiled code that C calls: notes its registers, spoils all but the two of the thread and the stack pointer, and
 * returns `value` to the frame CALLER. */
#define CALLER ((struct frame *)0x4560)
static const void *put_probe(struct code_cache *c, struct seen *seen, uint64_t value) {
    static const enum asm_reg noted[] = {REG_FRAME, REG_THREAD, REG_SHAPES, REG_JAVA, REG_COUNT};
    struct code_blob *b = code_cache_take(c, &(struct code_blob){.length = 500});
    struct assembler a;
    assert_non_null(b);
    asm_begin(&a, code_cache_writable(c, code_blob_begin(b)), 500, code_blob_begin(b));
    asm_constant(&a, REG_RESULT, (uintptr_t)seen);
    for (size_t i = 0; i < ARRAY_LEN(noted); i++) asm_store(&a, W64, asm_at(REG_RESULT, (int32_t)i * 8), noted[i]);
    for (int r = 0; r < ASM_REGISTERS; r++)
        if (r != REG_STACK && r != REG_THREAD && r != REG_JAVA) asm_constant(&a, r, 0xdead0000u + (unsigned)r);
    asm_constant(&a, REG_FRAME, (uintptr_t)CALLER);
    asm_constant(&a, REG_RESULT, value);
    asm_return(&a);
    assert_int_not_equal(asm_end(&a), 0);
    assert_true(code_cache_publish(c, b));
    return code_blob_begin(b);
}

/* Calls it with values in the registers that C wants preserved, and looks at them afterwards. */
static NOINLINE struct method *call_and_look(method_entry_function *enter, struct os_thread *self, struct method *m,
                                    uint64_t *args, uint64_t *result) {
    register uint64_t r12 __asm__("r12") = 12, r13 __asm__("r13") = 13, r14 __asm__("r14") = 14,
                      r15 __asm__("r15") = 15, rbx __asm__("rbx") = 3;
    __asm__ volatile("" : "+r"(r12), "+r"(r13), "+r"(r14), "+r"(r15), "+r"(rbx));
    struct method *answer = enter(self, m, args, result);
    __asm__ volatile("" : "+r"(r12), "+r"(r13), "+r"(r14), "+r"(r15), "+r"(rbx));
    assert_true(r12 == 12 && r13 == 13 && r14 == 14 && r15 == 15 && rbx == 3);
    return answer;
}

static void test_enter(void **state) {
    (void)state;
    struct code_cache c;
    struct stubs stubs;
    stub_callers_list callers = {.data = NULL};
    struct seen seen;
    assert_true(code_cache_create(&c, SIZE));
    assert_true(stubs_make(&c, &stubs, &callers));
    assert_string_equal(code_cache_find(&c, stubs.enter)->name, "enter");
    assert_string_equal(code_cache_find(&c, stubs.interpret)->name, "interpret");

    uint64_t args[2] = {1, 2}, result = 77;
    struct java_thread java = {.frame = (struct frame *)0x1230};
    struct c_segment segment = {.base = 0x5678};
    struct os_thread self = {.java = &java, .segment = &segment};
    struct method m = {.slot = 1};
    struct method_code code = {.method = &m, .compiled = put_probe(&c, &seen, 0x123456789abcdef0)};
    m.code = &code;
    method_entry_function *enter = (method_entry_function *)(uintptr_t)stubs.enter;
    assert_null(call_and_look(enter, &self, &m, args, &result));
    assert_int_equal(result, 0x123456789abcdef0);
    assert_int_equal(seen.frame, 0x1230);
    assert_ptr_equal(java.frame, CALLER);
    assert_ptr_equal((void *)seen.thread, &self);
    assert_ptr_equal((void *)seen.shapes, shape_table);
    assert_ptr_equal((void *)seen.java, &java);
    assert_ptr_equal((void *)seen.locals, args);
    assert_int_equal(segment.base, 0x5678);

    result = 77;
    const struct code_blob *bounce = stubs_make_bounce(&c, &stubs, &code);
    assert_non_null(bounce);
    assert_ptr_equal(bounce->method, &code);
    enter = (method_entry_function *)(uintptr_t)code_blob_begin(bounce);
    assert_ptr_equal(call_and_look(enter, &self, &m, args, &result), &m);
    assert_int_equal(result, 77);
    vec_free(&callers);
    code_cache_destroy(&c);
}

/* ---- what an unwinder finds beneath `enter` ---------------------------------------------------------------------- */

static const int kept[] = {3, 12, 13, 14, 15};
static uint64_t found[ASM_REGISTERS];

static _Unwind_Reason_Code look_at_caller(struct _Unwind_Context *c, void *unused) {
    (void)unused;
    if (_Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(c) - 1)) != (void *)(uintptr_t)call_and_look)
        return _URC_NO_REASON;
    for (size_t i = 0; i < ARRAY_LEN(kept); i++) found[kept[i]] = _Unwind_GetGR(c, asm_dwarf_registers[kept[i]]);
    return _URC_END_OF_STACK;
}

static void look_below(void) { _Unwind_Backtrace(look_at_caller, NULL); }

/* As put_probe: code that is called, and calls C in turn. */
static const void *put_looker(struct code_cache *c) {
    struct code_blob *b = code_cache_take(c, &(struct code_blob){.length = 100});
    struct assembler a;
    assert_non_null(b);
    asm_begin(&a, code_cache_writable(c, code_blob_begin(b)), 100, code_blob_begin(b));
    for (int r = 0; r < ASM_REGISTERS; r++)
        if (r != REG_STACK && r != REG_THREAD && r != REG_JAVA && r != REG_FRAME_POINTER)
            asm_constant(&a, r, 0xdead0000u + (unsigned)r);
    asm_constant(&a, REG_RESULT, (uintptr_t)look_below);
    asm_call_register(&a, REG_RESULT);
    asm_return(&a);
    assert_int_not_equal(asm_end(&a), 0);
    assert_true(code_cache_publish(c, b));
    return code_blob_begin(b);
}

static void test_unwind(void **state) {
    (void)state;
    struct code_cache c;
    struct stubs stubs;
    stub_callers_list callers = {.data = NULL};
    assert_true(code_cache_create(&c, SIZE));
    assert_true(stubs_make(&c, &stubs, &callers));
    code_cache_keep(&c, 16);
    struct java_thread java = {.frame = NULL};
    struct c_segment segment = {.base = 0x5678};
    struct os_thread self = {.java = &java, .segment = &segment};
    struct method m = {.slot = 1};
    uint64_t args[2] = {1, 2}, result = 77;
    struct method_code code = {.method = &m, .compiled = put_looker(&c)};
    m.code = &code;
    method_entry_function *enter = (method_entry_function *)(uintptr_t)stubs.enter;
    for (int turn = 0; turn < 2; turn++) {
        struct unwind_table *t = unwind_table_create(&c, &callers);
        assert_non_null(t);
        memset(found, 0, sizeof found);
        assert_null(call_and_look(enter, &self, &m, args, &result));
        for (size_t i = 0; i < ARRAY_LEN(kept); i++) assert_int_equal(found[kept[i]], kept[i]);
        unwind_table_destroy(t);
        memset(found, 0, sizeof found);
        call_and_look(enter, &self, &m, args, &result);
        assert_int_equal(found[12], 0);                  /* nothing is registered any more                          */
    }
    vec_free(&callers);
    code_cache_destroy(&c);
}

int main(void) {
    struct probe_receivers receivers = {NULL};           /* the stubs know where they stand                     */
    struct vm test_vm = {.probe_receivers = &receivers};
    vm = &test_vm;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_views), cmocka_unit_test(test_refused), cmocka_unit_test(test_enter),
        cmocka_unit_test(test_unwind), cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
