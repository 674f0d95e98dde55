/* crash_frames.c — where a thread was when it crashed: registers, memory, native and Java frames. */
#include "jdk/crash_frames.h"

#include "base/os.h"
#include "exec/exec.h"
#include "jit/compiled.h"
#include "jit/run.h"

enum { MAX_NATIVE_FRAMES = 100, MAX_JAVA_FRAMES = 1000 };

/* ---- the machine's state ----------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
enum { CONTEXT_PC = REG_RIP, CONTEXT_SP = REG_RSP, CONTEXT_FP = REG_RBP };
static uintptr_t context_register(const ucontext_t *u, int which) { return (uintptr_t)u->uc_mcontext.gregs[which]; }

void crash_put_registers(struct out *o, const ucontext_t *u) {
    static const struct { const char *name; int which; } registers[] = {
        {"RAX", REG_RAX}, {"RBX", REG_RBX}, {"RCX", REG_RCX}, {"RDX", REG_RDX}, {"RSP", REG_RSP}, {"RBP", REG_RBP},
        {"RSI", REG_RSI},
        {"RDI", REG_RDI}, {"R8 ", REG_R8}, {"R9 ", REG_R9}, {"R10", REG_R10}, {"R11", REG_R11}, {"R12", REG_R12},
        {"R13", REG_R13},
        {"R14", REG_R14}, {"R15", REG_R15}, {"RIP", REG_RIP}, {"EFLAGS", REG_EFL}, {"ERR", REG_ERR},
        {"TRAPNO", REG_TRAPNO},
    };
    for (size_t i = 0; i < ARRAY_LEN(registers); i++)
        put(o, "%s=0x%016lx%s", registers[i].name, (unsigned long)context_register(u, registers[i].which),
            i % 4 == 3 ? "\n" : ", ");
}
#elif defined(__aarch64__)
enum { CONTEXT_PC = 32, CONTEXT_SP = 31, CONTEXT_FP = 29 };
static uintptr_t context_register(const ucontext_t *u, int which) {
    return which == CONTEXT_PC   ? u->uc_mcontext.pc
           : which == CONTEXT_SP ? u->uc_mcontext.sp
                                 : u->uc_mcontext.regs[which];
}

void crash_put_registers(struct out *o, const ucontext_t *u) {
    for (int i = 0; i < 31; i++)
        put(o, "R%d=0x%016lx%s", i, (unsigned long)context_register(u, i), i % 4 == 3 ? "\n" : ", ");
    put(o, "SP=0x%016lx, PC=0x%016lx\n", (unsigned long)context_register(u, CONTEXT_SP),
        (unsigned long)context_register(u, CONTEXT_PC));
}
#endif

struct crash_place crash_place_of(const ucontext_t *u) {
    return (struct crash_place){context_register(u, CONTEXT_PC), context_register(u, CONTEXT_SP),
                                context_register(u, CONTEXT_FP)};
}

/* Memory as it lies there, whoever's it is: what the sanitizer puts between variables too. */
__attribute__((no_sanitize("address")))
void crash_put_bytes(struct out *o, uintptr_t from, size_t bytes, size_t unit) {
    for (uintptr_t at = from; at < from + bytes; at += 16) {
        put(o, "0x%016lx:  ", (unsigned long)at);
        for (uintptr_t p = at; p < at + 16; p += unit) {
            if (!os_is_mapped((const void *)p, unit)) { put(o, "\n"); return; }
            if (unit == 8) put(o, " %016lx", *(const unsigned long *)p);
            else put(o, " %02x", *(const unsigned char *)p);
        }
        put(o, "\n");
    }
}

/* ---- methods and code -------------------------------------------------------------------------------------------- */

static void put_method(struct out *o, const struct method *m) {
    for (const char *p = m->holder->name->bytes; *p != 0; p++) put(o, "%c", *p == '/' ? '.' : *p);
    put(o, ".%s%s", m->name->bytes, m->desc->bytes);
}

/* bci: negative where that is not known. */
static void put_position(struct out *o, const struct method_code *code, int32_t bci) {
    int32_t line = bci >= 0 ? method_line_number(code, bci) : -1;
    if (bci >= 0) put(o, " bci %d", bci);
    if (line >= 0) put(o, " line %d", line);
}

/* False: pc is not in the code cache. HotSpot's columns, and the position behind them. */
static bool put_compiled_frame(struct out *o, uintptr_t pc, bool is_return) {
    const struct code_blob *b = jit_blob_at((const void *)pc);
    if (b == NULL) return false;
    if (b->method != NULL) {
        put(o, "J %u c1 ", b->id);
        put_method(o, b->method->method);
        put(o, " (%u bytes)", code_source(b->method) != NULL ? code_source(b->method)->code_length : 0);
    } else {
        put(o, "v  ~%s", b->name);
    }
    uintptr_t begin = (uintptr_t)code_blob_begin(b);
    put(o, " @ 0x%016lx [0x%016lx+0x%lx]", (unsigned long)pc, (unsigned long)begin, (unsigned long)(pc - begin));
    if (b->method != NULL) put_position(o, b->method, jit_bci_in(b, (const uint8_t *)pc - is_return));
    put(o, "\n");
    return true;
}

void crash_put_native_frame(struct out *o, uintptr_t pc, bool is_return) {
    const char *path = NULL, *symbol = NULL;
    uintptr_t base = 0, symbol_at = 0, own_base = 0;
    if (put_compiled_frame(o, pc, is_return)) return;
    if (!os_library_of((const void *)pc, &path, &base, &symbol, &symbol_at) || path == NULL) {
        put(o, "C  0x%016lx\n", (unsigned long)pc);
        return;
    }
    (void)os_library_of((const void *)(uintptr_t)crash_put_native_frame, NULL, &own_base, NULL, NULL);
    const char *slash = strrchr(path, '/');
    put(o, "%c  [%s+0x%lx]", base == own_base ? 'V' : 'C', slash ? slash + 1 : path, (unsigned long)(pc - base));
    char local[128];
    uintptr_t local_at;
    if (os_symbol_in_file(path, pc - base - is_return, local, sizeof local, &local_at))
        put(o, "  %s+0x%lx", local, (unsigned long)(pc - base - local_at));
    else if (symbol != NULL) put(o, "  %s+0x%lx", symbol, (unsigned long)(pc - symbol_at));
    put(o, "\n");
}

static const struct code_blob *code_before(uintptr_t return_address) {
    return jit_blob_at((const void *)(return_address - 1));
}

/* The words that compiled code has on the C stack from `word` on, the last of them leading to the stub by which C came
 * in. Returns how many callers there are then. */
static int add_compiled(uintptr_t word, uintptr_t *callers, int n, int max) {
    for (; n < max && IS_ALIGNED(word, sizeof word) && os_is_mapped((const void *)word, sizeof word);
         word += sizeof word) {
        const struct code_blob *b = code_before(*(const uintptr_t *)word);
        if (b == NULL) break;
        callers[n++] = *(const uintptr_t *)word;
        if (b->method == NULL) break;
    }
    return n;
}

/* The word with the return address into a stub by which compiled code has called C, and what lies beneath it. */
static int add_stub(uintptr_t word, uintptr_t *callers, int n, int max) {
    uintptr_t caller = *(const uintptr_t *)word;
    const struct code_blob *b = code_before(caller);
    const struct way_on *way = (const struct way_on *)(word + sizeof word + (b->pcs == 0 ? b->way : 0));
    callers[n++] = caller;
    return os_is_mapped(way, sizeof *way) ? add_compiled((uintptr_t)way->sp, callers, n, max) : n;
}

/* Where the thread has last left for foreign code, above sp, by a native stub (jit/natives.h): the word with the return
 * address into that. 0: there is none. */
static uintptr_t left_by_stub(uintptr_t sp) {
    const struct os_thread *self = current_thread();
    const struct c_segment *s = self != NULL ? self->segment : NULL;
    for (; s != NULL && os_is_mapped(s, sizeof *s); s = s->previous) {
        uintptr_t word = s->exit - sizeof word;
        if (s->exit < sp || !IS_ALIGNED(word, sizeof word) || !os_is_mapped((const void *)word, sizeof word)) continue;
        if (code_before(*(const uintptr_t *)word) != NULL) return word;
    }
    return 0;
}

/* The chain of frame pointers: whole for our code, as far as it goes for other libraries'. It leads past compiled code,
 * which is on top, or which a stub has left with a way_on (jit/run.h), beneath which there may be arguments; and past
 * the stub by which the thread has gone to a library that has no frame pointers. Return addresses, innermost first. */
static int collect_callers(const struct crash_place *at, uintptr_t *callers, int max) {
    uintptr_t fp = at->fp, least = at->sp, left = left_by_stub(at->sp);
    const struct code_blob *top = jit_blob_at((const void *)at->pc);
    int n = top != NULL && top->method != NULL ? add_compiled(at->sp, callers, 0, max) : 0;
    while (n < max) {
        uintptr_t word = fp + sizeof fp;
        bool goes_on = fp >= least && IS_ALIGNED(fp, sizeof fp) && os_is_mapped((const void *)fp, 2 * sizeof fp) &&
                       *(const uintptr_t *)word != 0;
        if (left != 0 && (!goes_on || left < word)) {
            n = add_stub(left, callers, n, max);
            left = 0;
            continue;
        }
        if (!goes_on) break;
        if (left == word) left = 0;
        uintptr_t caller = *(const uintptr_t *)word;
        if (code_before(caller) != NULL) n = add_stub(word, callers, n, max);
        else callers[n++] = caller;
        least = fp + 1;
        fp = ((const uintptr_t *)fp)[0];
    }
    return n;
}

void crash_put_native_frames(struct out *o, const struct crash_place *at, bool is_return) {
    uintptr_t callers[MAX_NATIVE_FRAMES];
    put(o, "Native frames: (J=compiled Java code, Vv=VM code, C=native code)\n");
    crash_put_native_frame(o, at->pc, is_return);
    int n = collect_callers(at, callers, MAX_NATIVE_FRAMES);
    for (int i = 0; i < n; i++) crash_put_native_frame(o, callers[i], true);
}

void crash_put_jni_function(struct out *o, const struct crash_place *at) {
    uintptr_t pcs[MAX_NATIVE_FRAMES + 1] = { at->pc }, own = 0, base, symbol_at;
    const char *path;
    (void)os_library_of((const void *)(uintptr_t)crash_put_jni_function, NULL, &own, NULL, NULL);
    int n = 1 + collect_callers(at, pcs + 1, MAX_NATIVE_FRAMES);
    for (int i = 0; i < n; i++) {
        char name[128];
        if (!os_library_of((const void *)pcs[i], &path, &base, NULL, NULL) || base != own) return;
        if (!os_symbol_in_file(path, pcs[i] - base - (i > 0), name, sizeof name, &symbol_at)) return;
        if (strncmp(name, "jni_", 4) == 0 && name[4] >= 'A' && name[4] <= 'Z') {
            put(o, "# JNI function called by native code: %s\n#\n", name + 4);
            return;
        }
    }
}

/* ---- Java frames ------------------------------------------------------------------------------------------------- */

void crash_put_java_frames(struct out *o, const struct java_thread *j, const ucontext_t *context) {
    int n = 0;
    if (j == NULL) return;
    struct frame_cursor c = frame_first_at_signal(j, context);
    if (!cursor_valid(&c)) return;
    put(o, "\nJava frames: (J=compiled Java code, j=interpreted, Vv=VM code)\n");
    for (; cursor_valid(&c) && cursor_in_place(&c) && n < MAX_JAVA_FRAMES; frame_next(&c), n++) {
        int32_t bci = cursor_bci(&c), line = bci >= 0 ? method_line_number(cursor_code(&c), bci) : -1;
        put(o, "%s  ", cursor_is_compiled(&c) ? "J" : "j");
        put_method(o, cursor_method(&c));
        if (cursor_is_native(&c)) put(o, "+0 (native)\n");
        else if (line >= 0) put(o, "+%d line %d\n", bci, line);
        else put(o, "+%d\n", bci);
    }
}
