/* Every operation of the macro assembler, with every register, every form of address and immediates of every size, byte
 * by byte as GNU as assembles the text of the same instruction. */
#include "jit/asm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { CELL = 32, TEXT = 96, CELLS = 60000, DISTANCE = 1 << 20 };

static const char *const names[4][16] = {
    [W8] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b",
            "r15b"},
    [W16] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w",
             "r15w"},
    [W32] = {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d",
             "r14d", "r15d"},
    [W64] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
             "r15"},
};
enum { VECTOR = W64 + 1 };               /* the assembler has no such width */
static const char *const pointers[] = {[W8] = "byte ptr",   [W16] = "word ptr",  [W32] = "dword ptr",
                                       [W64] = "qword ptr", [VECTOR] = "xmmword ptr"};
static const int32_t immediates[] = {0, 1, 2, -1, 127, 128, -128, -129, 255, 256, 0x1234, 0x12345678, INT32_MAX,
                                     INT32_MIN};
static const struct { enum asm_alu op; const char *name; } alus[] = {
    {ALU_ADD, "add"}, {ALU_OR, "or"},   {ALU_AND, "and"},   {ALU_SUB, "sub"},
    {ALU_XOR, "xor"}, {ALU_CMP, "cmp"}, {ALU_TEST, "test"},
};
static const char *const conditions[] = {
    [COND_OVERFLOW] = "o",   [COND_NOT_OVERFLOW] = "no", [COND_BELOW] = "b",
    [COND_NOT_BELOW] = "ae", [COND_EQUAL] = "e",
    [COND_NOT_EQUAL] = "ne", [COND_NOT_ABOVE] = "be",    [COND_ABOVE] = "a",       [COND_NEGATIVE] = "s",
    [COND_UNORDERED] = "p",  [COND_NOT_NEGATIVE] = "ns", [COND_ORDERED] = "np",    [COND_LESS] = "l",
    [COND_NOT_LESS] = "ge",  [COND_NOT_GREATER] = "le",  [COND_GREATER] = "g",
};

static struct assembler a;
static char (*texts)[TEXT];
static size_t cells;

/* ---- what as says ------------------------------------------------------------------------------------------------ */

/* Assembles `source` and reads the text section to `out`; returns its length. */
static size_t assembled(const char *source, uint8_t *out, size_t size) {
    char directory[] = "/tmp/jit_asm_XXXXXX", path[64], command[256];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/a.s", directory);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(source, f);
    assert_int_equal(fclose(f), 0);
    snprintf(command, sizeof command, "cd %s && as -O0 -o a.o a.s && objcopy -O binary -j .text a.o a.bin", directory);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/a.bin", directory);
    f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(out, 1, size, f);
    fclose(f);
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
    return n;
}

static void pad(void) {
    while ((a.next - a.start) % CELL) *a.next++ = 0xcc;
}

/* The instruction whose text this is is assembled next, at the begin of a cell. */
static PRINTF_LIKE(1, 2) void cell(const char *format, ...) {
    va_list args;
    assert_true(cells < CELLS);
    va_start(args, format);
    assert_true(vsnprintf(texts[cells++], TEXT, format, args) < TEXT);
    va_end(args);
    pad();
    assert_int_equal(a.next - a.start, (cells - 1) * CELL);
}

static void begin_cells(void) {
    size_t size = (size_t)CELLS * CELL;
    uint8_t *buffer = malloc(size);
    texts = malloc(CELLS * sizeof *texts);
    assert_true(buffer != NULL && texts != NULL);
    cells = 0;
    asm_begin(&a, buffer, size, buffer);
}

static void show(const char *who, const uint8_t *bytes) {
    fprintf(stderr, "  %s:", who);
    for (int i = 0; i < CELL / 2; i++) fprintf(stderr, " %02x", bytes[i]);
    fprintf(stderr, "\n");
}

static void compare_cells(size_t least) {
    char *source;
    size_t length, size = cells * CELL + CELL, wrong = 0;
    pad();
    assert_int_equal(asm_end(&a), cells * CELL);
    assert_true(cells >= least);
    FILE *f = open_memstream(&source, &length);
    fprintf(f, ".intel_syntax noprefix\n");
    for (size_t i = 0; i < cells; i++) fprintf(f, "%s\n.p2align 5, 0xcc\n", texts[i]);
    fclose(f);
    uint8_t *theirs = malloc(size);
    assert_int_equal(assembled(source, theirs, size), cells * CELL);
    for (size_t i = 0; i < cells; i++) {
        if (memcmp(a.start + i * CELL, theirs + i * CELL, CELL) == 0) continue;
        if (++wrong > 20) break;
        fprintf(stderr, "%s\n", texts[i]);
        show("ours", a.start + i * CELL);
        show("as  ", theirs + i * CELL);
    }
    printf("%zu instructions\n", cells);
    free(theirs);
    free(source);
    free(texts);
    free(a.start);
    assert_int_equal(wrong, 0);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static struct asm_mem mems[2048];
static size_t mem_count;

static const int32_t displacements[] = {0, 8, 127, 128, -128, -129, 0x12345678, INT32_MIN};

/* All bases with all displacements, all pairs of base and index, all scales with all displacements. */
static void make_mems(void) {
    mem_count = 0;
    for (int base = 0; base < 16; base++) {
        for (size_t d = 0; d < ARRAY_LEN(displacements); d++) mems[mem_count++] = asm_at(base, displacements[d]);
        for (int index = 0; index < 16; index++)
            if (index != REG_STACK)
                mems[mem_count++] = asm_indexed(base, index, (unsigned)(base + index) % 4,
                                                displacements[(size_t)(base * 3 + index) % ARRAY_LEN(displacements)]);
        for (unsigned shift = 0; shift < 4; shift++)
            for (size_t d = 0; d < ARRAY_LEN(displacements); d++)
                mems[mem_count++] = asm_indexed(base, (base + 5) % 16 == REG_STACK ? 9 : (base + 5) % 16, shift,
                                                displacements[d]);
    }
}

static const char *mem_text(unsigned w, struct asm_mem m) {
    static char text[80];
    char index[16] = "";
    if (m.index != REG_STACK) snprintf(index, sizeof index, "+%s*%d", names[W64][m.index], 1 << m.shift);
    snprintf(text, sizeof text, "%s [%s%s%+d]", pointers[w], names[W64][m.base], index, m.displacement);
    return text;
}

/* Steps through the addresses for an operation that is not the first to use them: a tenth of them, and all registers.
 * Which tenth is another one each time. */
#define EACH_MEM(m, r)                                                                                        \
    for (size_t i_ = cells % 10, r = 0; i_ < mem_count; i_ += 10, r = (r + 1) % 16)                           \
        for (struct asm_mem m = mems[i_], *once_ = &m; once_ != NULL; once_ = NULL)
#define EACH_WIDTH(w, from) for (enum asm_width w = from; w <= W64; w++)
#define EACH_REG(r) for (int r = 0; r < 16; r++)

static int32_t cut(enum asm_width w, int32_t value) {
    return w == W8 ? (int8_t)value : w == W16 ? (int16_t)value : value;
}

/* ---- the operations ---------------------------------------------------------------------------------------------- */

static void test_words(void **state) {
    (void)state;
    begin_cells();
    make_mems();
    EACH_WIDTH(w, W32) {
        EACH_REG(r) {
            EACH_REG(s) {
                cell("mov %s, %s", names[w][r], names[w][s]);
                asm_move(&a, w, r, s);
                cell("imul %s, %s", names[w][r], names[w][s]);
                asm_multiply(&a, w, r, s);
                cell("popcnt %s, %s", names[w][r], names[w][s]);
                asm_count_ones(&a, w, r, s);
                cell("bsr %s, %s", names[w][r], names[w][s]);
                asm_scan(&a, w, true, r, s);
                cell("bsf %s, %s", names[w][r], names[w][s]);
                asm_scan(&a, w, false, r, s);
                for (size_t i = 0; i < ARRAY_LEN(alus); i++) {
                    cell("%s %s, %s", alus[i].name, names[w][r], names[w][s]);
                    asm_alu(&a, alus[i].op, w, r, s);
                }
            }
            for (size_t k = 0; k < ARRAY_LEN(immediates); k++) {
                for (size_t i = 0; i < ARRAY_LEN(alus); i++) {
                    cell("%s %s, %d", alus[i].name, names[w][r], immediates[k]);
                    asm_alu_constant(&a, alus[i].op, w, r, immediates[k]);
                }
                cell("imul %s, %s, %d", names[w][r], names[w][(r + 7) % 16], immediates[k]);
                asm_multiply_constant(&a, w, r, (r + 7) % 16, immediates[k]);
            }
            cell("xor %s, %s", names[W32][r], names[W32][r]);
        asm_zero(&a, r);
        cell("neg %s", names[w][r]);
            asm_negate(&a, w, r);
            cell("imul %s", names[w][r]);
            asm_multiply_high(&a, w, r);
            cell("bswap %s", names[w][r]);
            asm_swap_bytes(&a, w, r);
            cell("not %s", names[w][r]);
            asm_complement(&a, w, r);
            if (r != REG_RESULT && r != REG_REMAINDER) {
                cell("%s; idiv %s", w == W64 ? "cqo" : "cdq", names[w][r]);
                asm_divide(&a, w, r);
            }
            static const struct { enum asm_shift op; const char *name; } shifts[] = {
                {SHIFT_ROL, "rol"}, {SHIFT_ROR, "ror"}, {SHIFT_LEFT, "shl"}, {SHIFT_RIGHT, "shr"},
                {SHIFT_ARITHMETIC, "sar"},
            };
            for (size_t i = 0; i < ARRAY_LEN(shifts); i++) {
                cell("%s %s, cl", shifts[i].name, names[w][r]);
                asm_shift(&a, shifts[i].op, w, r);
                for (unsigned n = 1; n < (w == W64 ? 64 : 32); n += n == 1 ? 1 : 29) {
                    cell("%s %s, %u", shifts[i].name, names[w][r], n);
                    asm_shift_constant(&a, shifts[i].op, w, r, n);
                }
            }
            for (size_t c = 0; c < ARRAY_LEN(conditions); c++) {
                if (conditions[c] == NULL) continue;
                int s = (int)(r + 3 + (int)c) % 16;
                cell("cmov%s %s, %s", conditions[c], names[w][r], names[w][s]);
                asm_select(&a, c, w, r, s);
                cell("set%s %s; movzx %s, %s", conditions[c], names[W8][r], names[W32][r], names[W8][r]);
                asm_set(&a, c, r);
            }
        }
    }
    EACH_REG(r) {
        static const uint64_t values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
                                          0xffffffff7fffffff, INT64_MAX, (uint64_t)INT64_MIN};
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            bool small = values[i] <= UINT32_MAX;
            cell("%s %s, %#" PRIx64, small ? "mov" : "movabs", names[small ? W32 : W64][r], values[i]);
            asm_constant(&a, r, values[i]);
        }
        for (int64_t v = -1; v >= INT32_MIN; v = v * 3 - 1) {
            cell("mov %s, %" PRId64, names[W64][r], v);
            asm_constant(&a, r, (uint64_t)v);
        }
        cell("push %s", names[W64][r]);
        asm_push(&a, r);
        cell("pop %s", names[W64][r]);
        asm_pop(&a, r);
        EACH_REG(s) {
            cell("movzx %s, %s", names[W32][r], names[W8][s]);
            asm_extend(&a, U8, r, s);
            cell("movsx %s, %s", names[W32][r], names[W8][s]);
            asm_extend(&a, S8, r, s);
            cell("movzx %s, %s", names[W32][r], names[W16][s]);
            asm_extend(&a, U16, r, s);
            cell("movsx %s, %s", names[W32][r], names[W16][s]);
            asm_extend(&a, S16, r, s);
            cell("mov %s, %s", names[W32][r], names[W32][s]);
            asm_extend(&a, U32, r, s);
            cell("movsxd %s, %s", names[W64][r], names[W32][s]);
            asm_extend(&a, S32, r, s);
        }
    }
    compare_cells(9000);
}

static void test_memory(void **state) {
    (void)state;
    begin_cells();
    make_mems();
    for (size_t i = 0; i < mem_count; i++) {
        cell("mov %s, %s", names[W64][i % 16], mem_text(W64, mems[i]));
        asm_load(&a, U64, (int)i % 16, mems[i]);
        cell("mov %s, %s", mem_text(W64, mems[i]), names[W64][i % 16]);
        asm_store(&a, W64, mems[i], (int)i % 16);
        cell("lea %s, %s", names[W64][i % 16], mem_text(W64, mems[i]));
        asm_address(&a, (int)i % 16, mems[i]);
        cell("lea %s, %s", names[W32][i % 16], mem_text(W64, mems[i]));
        asm_sum(&a, W32, (int)i % 16, mems[i]);
    }
    static const struct { enum asm_type type; const char *name; enum asm_width to, from; } types[] = {
        {U8, "movzx", W32, W8},   {S8, "movsx", W32, W8}, {U16, "movzx", W32, W16}, {S16, "movsx", W32, W16},
        {U32, "mov", W32, W32}, {S32, "movsxd", W64, W32},
    };
    for (size_t t = 0; t < ARRAY_LEN(types); t++)
        EACH_MEM(m, r) {
            cell("%s %s, %s", types[t].name, names[types[t].to][r], mem_text(types[t].from, m));
            asm_load(&a, types[t].type, (int)r, m);
        }
    EACH_WIDTH(w, W8) {
        EACH_MEM(m, r) {
            cell("mov %s, %s", mem_text(w, m), names[w][r]);
            asm_store(&a, w, m, (int)r);
            cell("xchg %s, %s", mem_text(w, m), names[w][r]);
            asm_exchange(&a, w, m, (int)r);
            cell("lock xadd %s, %s", mem_text(w, m), names[w][r]);
            asm_exchange_add(&a, w, m, (int)r);
            cell("lock cmpxchg %s, %s", mem_text(w, m), names[w][r]);
            asm_compare_exchange(&a, w, m, (int)r);
            for (size_t i = 0; i < ARRAY_LEN(alus); i++) {
                int32_t value = cut(w, immediates[(r + i) % ARRAY_LEN(immediates)]);
                cell("%s %s, %s", alus[i].name, names[w][r], mem_text(w, m));
                asm_alu_load(&a, alus[i].op, w, (int)r, m);
                cell("%s %s, %s", alus[i].name, mem_text(w, m), names[w][r]);
                asm_alu_store(&a, alus[i].op, w, m, (int)r);
                cell("%s %s, %d", alus[i].name, mem_text(w, m), value);
                asm_alu_store_constant(&a, alus[i].op, w, m, value);
            }
            int32_t value = cut(w, immediates[r % ARRAY_LEN(immediates)]);
            cell("mov %s, %d", mem_text(w, m), value);
            asm_store_constant(&a, w, m, value);
        }
    }
    EACH_WIDTH(w, W32) {
        EACH_MEM(m, r) {
            cell("imul %s, %s", names[w][r], mem_text(w, m));
            asm_multiply_load(&a, w, (int)r, m);
        }
    }
    EACH_MEM(m, r) {
        cell("test %s, 0x81", mem_text(W8, m));
        asm_test_bits(&a, m, 0x81);
        if (m.displacement < INT32_MAX - 3) {
            struct asm_mem third = m, last = m;
            third.displacement += 2;
            last.displacement += 3;
            cell("test %s, 3", mem_text(W8, third));
            asm_test_bits(&a, m, 0x30000);
            cell("test %s, 0xff", mem_text(W8, last));
            asm_test_bits(&a, m, 0xff000000);
        }
        cell("test %s, 0x180", mem_text(W32, m));
        asm_test_bits(&a, m, 0x180);
        cell("pop %s", mem_text(W64, m));
        asm_pop_to(&a, m);
        cell("jmp %s", mem_text(W64, m));
        asm_jump_load(&a, m);
        cell("call %s", mem_text(W64, m));
        asm_call_load(&a, m);
        cell("jmp %s", names[W64][r]);
        asm_jump_register(&a, (int)r);
        cell("call %s", names[W64][r]);
        asm_call_register(&a, (int)r);
    }
    cell("lock or dword ptr [rsp], 0");
    asm_fence(&a);
    cell("ret");
    asm_return(&a);
    cell("ud2");
    asm_trap(&a);
    cell("push rbp; mov rbp, rsp; push rbx; push r12; push r13; push r14; push r15");
    asm_c_begin(&a);
    cell("pop r15; pop r14; pop r13; pop r12; pop rbx; pop rbp; ret");
    asm_c_return(&a);
    compare_cells(12000);
}

static void test_floats(void **state) {
    (void)state;
    static const struct { enum asm_float_op op; const char *name; } ops[] = {
        {FLOAT_SQRT, "sqrt"}, {FLOAT_ADD, "add"}, {FLOAT_MUL, "mul"}, {FLOAT_SUB, "sub"}, {FLOAT_DIV, "div"},
    };
    begin_cells();
    make_mems();
    for (enum asm_float_type t = F32; t <= F64; t++) {
        const char *end = t == F32 ? "ss" : "sd";
        enum asm_width of = t == F32 ? W32 : W64;
        for (unsigned x = 0; x < 16; x++) {
            for (unsigned y = 0; y < 16; y++) {
                for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
                    cell("%s%s xmm%u, xmm%u", ops[i].name, end, x, y);
                    asm_float(&a, ops[i].op, t, x, y);
                }
                for (enum asm_round how = ROUND_NEAREST; how <= ROUND_UP; how++) {
                    cell("round%s xmm%u, xmm%u, %d", end, x, y, (int)how);
                    asm_float_round(&a, how, t, x, y);
                }
                for (unsigned z = y & 3; z < 16; z += 3) {
                    cell("vfmadd213%s xmm%u, xmm%u, xmm%u", end, x, y, z);
                    asm_float_fused(&a, t, x, y, z);
                }
                cell("ucomi%s xmm%u, xmm%u", end, x, y);
                asm_float_compare(&a, t, x, y);
                cell("cvt%s xmm%u, xmm%u", t == F32 ? "sd2ss" : "ss2sd", x, y);
                asm_float_convert(&a, t, x, y);
                EACH_WIDTH(w, W32) {
                    cell("cvtsi2%s xmm%u, %s", end, x, names[w][y]);
                    asm_float_from_int(&a, t, x, w, (int)y);
                    cell("cvtt%s2si %s, xmm%u", end, names[w][x], y);
                    asm_float_to_int(&a, w, (int)x, t, y);
                }
            }
        }
        EACH_MEM(m, x) {
            cell("mov%s xmm%zu, %s", end, x, mem_text(of, m));
            asm_float_load(&a, t, (unsigned)x, m);
            cell("mov%s %s, xmm%zu", end, mem_text(of, m), x);
            asm_float_store(&a, t, m, (unsigned)x);
            cell("ucomi%s xmm%zu, %s", end, x, mem_text(of, m));
            asm_float_compare_load(&a, t, (unsigned)x, m);
            for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
                cell("%s%s xmm%zu, %s", ops[i].name, end, x, mem_text(of, m));
                asm_float_from_memory(&a, ops[i].op, t, (unsigned)x, m);
            }
        }
    }
    EACH_MEM(m, x) {
        cell("movups xmm%zu, %s", x, mem_text(VECTOR, m));
        asm_vector_load(&a, (unsigned)x, m);
        cell("movups %s, xmm%zu", mem_text(VECTOR, m), x);
        asm_vector_store(&a, m, (unsigned)x);
    }
    for (unsigned x = 0; x < 16; x++) {
        for (unsigned y = 0; y < 16; y++) {
            cell("movaps xmm%u, xmm%u", x, y);
            asm_float_move(&a, x, y);
            cell("andps xmm%u, xmm%u", x, y);
            asm_float_bits(&a, FLOAT_AND, x, y);
            cell("andnps xmm%u, xmm%u", x, y);
            asm_float_bits(&a, FLOAT_AND_NOT, x, y);
            cell("orps xmm%u, xmm%u", x, y);
            asm_float_bits(&a, FLOAT_OR, x, y);
            cell("xorps xmm%u, xmm%u", x, y);
            asm_float_bits(&a, FLOAT_XOR, x, y);
            EACH_WIDTH(w, W32) {
                const char *name = w == W32 ? "movd" : "movq";
                cell("%s xmm%u, %s", name, x, names[w][y]);
                asm_float_from_word(&a, w, x, (int)y);
                cell("%s %s, xmm%u", name, names[w][x], y);
                asm_float_to_word(&a, w, (int)x, y);
            }
        }
    }
    compare_cells(8000);
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

static uint8_t ours[1 << 18], theirs[1 << 18];

/* Where what is written at p, and `more` bytes further on, runs. */
static const void *runs_at(const void *p, int64_t more) {
    return (const void *)((uintptr_t)p + DISTANCE + (uintptr_t)more);
}

static void start(void) { asm_begin(&a, ours, sizeof ours, runs_at(ours, 0)); }

static void fill(unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) asm_return(&a);
}

/* Around `bytes` bytes: a jump over them and back, a branch on each condition over them and back, calls, addresses. */
static void jumps_around(FILE *f, unsigned bytes, bool forwards_short) {
    static int number;
    struct asm_label before = {0}, behind = {0};
    const char *form = forwards_short ? "disp8" : "disp32";
    int n = number++;
    fprintf(f, "before%d:\n{%s} jmp behind%d\n", n, form, n);
    asm_bind(&a, &before);
    (forwards_short ? asm_jump_short : asm_jump)(&a, &behind);
    unsigned taken = forwards_short ? 2 : 5;
    for (unsigned c = 0; c < ARRAY_LEN(conditions); c++) {
        if (conditions[c] == NULL) continue;
        fprintf(f, "{%s} j%s behind%d\n", form, conditions[c], n);
        (forwards_short ? asm_branch_short : asm_branch)(&a, c, &behind);
        taken += forwards_short ? 2 : 6;
    }
    if (!forwards_short) {
        fprintf(f, "call behind%d\ncall before%d\nlea rdx, behind%d[rip]\nlea r9, before%d[rip]\n", n, n, n, n);
        asm_call(&a, &behind);
        asm_call(&a, &before);
        asm_address_of(&a, 2, &behind);
        asm_address_of(&a, 9, &before);
        taken += 24;
    }
    unsigned more = bytes > taken ? bytes - taken : 0;
    if (more != 0) fprintf(f, ".skip %u, 0xc3\n", more);
    fprintf(f, "jmp before%d\n", n);
    fill(more);
    asm_jump(&a, &before);
    for (unsigned c = 0; c < ARRAY_LEN(conditions); c++) {
        if (conditions[c] == NULL) continue;
        fprintf(f, "j%s before%d\n", conditions[c], n);
        asm_branch(&a, c, &before);
    }
    fprintf(f, "behind%d:\n", n);
    asm_bind(&a, &behind);
}

/* By a table that leads forwards and backwards. */
static void jump_by_table(FILE *f, enum asm_reg index) {
    struct asm_label before = {0}, table = {0}, behind = {0};
    int n = (int)index;
    const char *name = names[W64][index];
    fprintf(f, "back%d:\nlea r11, table%d[rip]\nlea r11, [r11+%s*4+4]\n", n, n, name);
    fprintf(f, "movsxd %s, dword ptr [r11-4]\nadd r11, %s\njmp r11\n", name, name);
    asm_bind(&a, &before);
    asm_jump_by_table(&a, &table, index);
    fprintf(f, "on%d: ret\ntable%d:\n", n, n);
    asm_bind(&a, &behind);
    asm_return(&a);
    asm_bind(&a, &table);
    for (int i = 0; i < 5; i++) {
        fprintf(f, ".long on%d - . - 4\n.long back%d - . - 4\n", n, n);
        asm_table_entry(&a, &behind);
        asm_table_entry(&a, &before);
    }
}

static void compare_flat(char *source) {
    size_t n = asm_end(&a), length = assembled(source, theirs, sizeof theirs), i = 0;
    assert_int_equal(n, length);
    while (i < n && ours[i] == theirs[i]) i++;
    if (i < n) show("ours", ours + i), show("as  ", theirs + i);
    assert_int_equal(i, n);
    free(source);
}

static void test_jumps(void **state) {
    (void)state;
    char *source;
    size_t length;
    FILE *f = open_memstream(&source, &length);
    start();
    fprintf(f, ".intel_syntax noprefix\nbegin:\n");
    for (unsigned bytes = 0; bytes < 300; bytes++) jumps_around(f, bytes, false);
    for (unsigned bytes = 0; bytes < 90; bytes++) jumps_around(f, bytes, true);
    for (int r = 0; r < 16; r++)
        if (r != REG_STACK && r != REG_SCRATCH) jump_by_table(f, r);
    static const int32_t ways[] = {0, 100, 0x12345, -0x12345};
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        fprintf(f, "{disp32} jmp begin%+d\ncall begin%+d\n{disp32} ja begin%+d\n", ways[i], ways[i], ways[i]);
        asm_jump_to(&a, runs_at(ours, ways[i]));
        asm_call_to(&a, runs_at(ours, ways[i]));
        asm_branch_to(&a, COND_ABOVE, runs_at(ours, ways[i]));
    }
    fclose(f);
    compare_flat(source);
}

/* Each number of bytes up to a multiple of 16. */
static void test_align(void **state) {
    (void)state;
    static const char *const nops[] = {
        "", "nop", "xchg ax, ax", "nop dword ptr [rax]", "{disp8} nop dword ptr [rax+0]",
        "{disp8} nop dword ptr [rax+rax*1+0]", "{disp8} nop word ptr [rax+rax*1+0]", "{disp32} nop dword ptr [rax+0]",
        "{disp32} nop dword ptr [rax+rax*1+0]", "{disp32} nop word ptr [rax+rax*1+0]",
    };
    char *source;
    size_t length;
    FILE *f = open_memstream(&source, &length);
    _Alignas(64) static uint8_t aligned[1024];
    asm_begin(&a, aligned, sizeof aligned, runs_at(aligned, 0));
    fprintf(f, ".intel_syntax noprefix\n");
    for (unsigned i = 1; i <= 16; i++) {
        unsigned nop = (16 - i) % 16;
        fprintf(f, ".skip %u, 0xc3\n%s\n%s\n", i, nops[MIN(nop, 9u)], nops[nop - MIN(nop, 9u)]);
        fill(i);
        asm_align(&a, 16);
    }
    fclose(f);
    memcpy(ours, aligned, sizeof aligned);
    compare_flat(source);
}

/* ---- what cannot be encoded -------------------------------------------------------------------------------------- */

/* Does a short jump over, or back over, so many bytes go? */
static bool short_jump_goes(unsigned bytes, bool forwards) {
    struct asm_label l = {0};
    start();
    if (!forwards) asm_bind(&a, &l);
    else asm_branch_short(&a, COND_EQUAL, &l);
    fill(bytes);
    if (forwards) asm_bind(&a, &l);
    else asm_jump_short(&a, &l);
    return asm_end(&a) != 0;
}

static void test_spoilt(void **state) {
    (void)state;
    assert_true(short_jump_goes(127, true));
    assert_false(short_jump_goes(128, true));
    assert_true(short_jump_goes(126, false));
    assert_false(short_jump_goes(127, false));

    struct asm_label l = {0};            /* two uses further apart than a byte can say */
    start();
    asm_jump_short(&a, &l);
    fill(200);
    asm_jump_short(&a, &l);
    asm_bind(&a, &l);
    assert_int_equal(asm_end(&a), 0);

    for (size_t size = 0; size <= 10; size++) {
        memset(ours, 0x55, sizeof ours);
        asm_begin(&a, ours, size, ours);
        asm_constant(&a, REG_RESULT, 0x123456789abcdef0);
        assert_int_equal(asm_end(&a), size == 10 ? 10 : 0);
        asm_return(&a);
        assert_int_equal(asm_end(&a), 0);
        assert_int_equal(ours[size], 0x55);
    }

    start();
    asm_jump_to(&a, runs_at(ours, (int64_t)INT32_MAX + 5));
    assert_int_equal(asm_end(&a), 5);
    start();
    asm_call_to(&a, runs_at(ours, (int64_t)INT32_MAX + 6));
    assert_int_equal(asm_end(&a), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words), cmocka_unit_test(test_memory), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_jumps), cmocka_unit_test(test_align),  cmocka_unit_test(test_spoilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
