/* Lengths of instructions that access memory, against the assembler's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"
#include "jdk/memory_fault.h"

#if defined(__x86_64__)

/* Never run: a table of (text, into, width, is_high), and a label before and behind each. */
#define INSTRUCTIONS(X) \
    X("mov (%rax), %al", 0, 1, false) X("mov 1(%rbx), %ah", 0, 1, true) X("mov (%rsi), %sil", 6, 1, false) \
    X("mov (%r12), %r13w", 13, 2, false) X("mov 4(%r13), %ecx", 1, 8, false) \
    X("mov 0x1000(%rsp), %r9", 9, 8, false) X("mov (%rax,%rbx,8), %rdx", 2, 8, false) \
    X("mov 0x100(,%rbx,8), %rdx", 2, 8, false) X("mov 16(%rip), %rdi", 7, 8, false) \
    X("movzbl (%rax), %esi", 6, 8, false) X("movzwl 3(%rax), %r8d", 8, 8, false) \
    X("movsbq (%rax), %r15", 15, 8, false) X("movswl (%r11), %eax", 0, 8, false) \
    X("movslq (%rax), %rbp", 5, 8, false) X("movsbw (%rax), %cx", 1, 2, false) \
    X("movbe (%rax), %edx", 2, 8, false) X("mov %al, (%rax)", -1, 0, false) X("mov %rdx, 8(%r14)", -1, 0, false) \
    X("movb $1, (%rax)", -1, 0, false) X("movw $1, (%rax)", -1, 0, false) X("movl $1, 8(%rsp)", -1, 0, false) \
    X("movq $1, 0x12345(%rax,%rcx)", -1, 0, false) X("addl $0x12345, (%rax)", -1, 0, false) \
    X("addw $0x1234, (%rax)", -1, 0, false) X("cmpq $1, (%rax)", -1, 0, false) X("xor (%rax), %rdx", -1, 0, false) \
    X("testb $1, (%rax)", -1, 0, false) X("testl $1, (%rax)", -1, 0, false) X("notl (%rax)", -1, 0, false) \
    X("lock cmpxchg %rdx, (%rcx)", -1, 0, false) X("lock cmpxchg %dl, (%rcx)", -1, 0, false) \
    X("lock xadd %edx, (%rcx)", -1, 0, false) X("xchg %rdx, (%rcx)", -1, 0, false) \
    X("lock cmpxchg16b (%rcx)", -1, 0, false) X("imul $3, (%rax), %edx", -1, 0, false) \
    X("imul $300, (%rax), %edx", -1, 0, false) X("shll $3, (%rax)", -1, 0, false) X("rep movsb", -1, 0, false) \
    X("rep movsq", -1, 0, false) X("rep stosb", -1, 0, false) X("repe cmpsb", -1, 0, false) \
    X("movdqu (%rax), %xmm1", -1, 0, false) X("movups %xmm9, 16(%r9)", -1, 0, false) \
    X("movntdq %xmm1, (%rax)", -1, 0, false) X("pshufd $1, (%rax), %xmm2", -1, 0, false) \
    X("pcmpeqb (%rax), %xmm2", -1, 0, false) X("pshufb (%rax), %xmm2", -1, 0, false) \
    X("pclmulqdq $1, (%rax), %xmm2", -1, 0, false) X("crc32q (%rax), %rdx", -1, 0, false) \
    X("movq (%rax), %xmm0", -1, 0, false) X("movss (%rax), %xmm0", -1, 0, false) \
    X("pinsrw $1, (%rax), %xmm0", -1, 0, false) X("vmovdqu (%rax), %ymm1", -1, 0, false) \
    X("vmovdqu %ymm12, 0x100(%r9,%rax)", -1, 0, false) X("vpshufd $1, (%rax), %ymm2", -1, 0, false) \
    X("vpcmpeqb (%r8), %ymm2, %ymm3", -1, 0, false) X("vpshufb (%rax), %ymm2, %ymm3", -1, 0, false) \
    X("vpalignr $1, (%rax), %ymm2, %ymm3", -1, 0, false) X("vpbroadcastb (%rax), %ymm3", -1, 0, false) \
    X("vmovdqu64 (%rax), %zmm1", -1, 0, false) X("vmovdqu64 %zmm17, 0x40(%rdi)", -1, 0, false) \
    X("vpcmpb $4, (%rax), %zmm1, %k1", -1, 0, false) X("vmovdqu8 (%rax), %ymm18", -1, 0, false)

#define EMIT(text, ...) "661: " text "\n662:\n.pushsection .data.rel.ro,\"aw\"\n.quad 661b, 662b\n.popsection\n"

extern const uint8_t *const expected_places[];
static __attribute__((used, noinline)) void never_run(void) {
    __asm__ volatile(".pushsection .data.rel.ro,\"aw\"\n.balign 8\nexpected_places:\n.popsection\n" INSTRUCTIONS(EMIT));
}

static const struct memory_instruction expected[] = {
#define ROW(text, into, width, is_high) {into, width, is_high},
    INSTRUCTIONS(ROW)
#undef ROW
};
static const char *const texts[] = {
#define ROW(text, ...) text,
    INSTRUCTIONS(ROW)
#undef ROW
};

static void test_lengths(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const uint8_t *begin = expected_places[2 * i], *end = expected_places[2 * i + 1];
        struct memory_instruction found;
        size_t length = memory_instruction_length(begin, &found);
        if (length != (size_t)(end - begin)) fail_msg("%s: %zu", texts[i], length);
        if (found.into != expected[i].into || found.is_high != expected[i].is_high ||
            (found.into >= 0 && found.width != expected[i].width))
            fail_msg("%s: into %d, %u bytes", texts[i], found.into, found.width);
    }
}

/* What accesses no memory by an address, and what C compilers do not write in 64-bit code. */
static void test_others(void **state) {
    (void)state;
    static const uint8_t others[][15] = {
        {0x89, 0xc2}, {0x90}, {0xc3}, {0xe8, 1, 2, 3, 4}, {0x0f, 0x05}, {0x0f, 0x84, 1, 2, 3, 4}, {0x74, 5},
        {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}, {0x0f, 0xb6, 0xc0}, {0x82, 0x00, 1}, {0x0f, 0xc9}, {0xa8, 1},
        {0xc5, 0xfd, 0x6f, 0xc8}, {0x0f, 0x0b}, {0xcd, 0x80},
    };
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        struct memory_instruction found;
        if (memory_instruction_length(others[i], &found) != 0) fail_msg("row %zu", i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 0; }
#endif
