/* memory_fault.c — SIGBUS of a mapped file that has no memory for a page. What accesses it by an address of Java's
 * (Unsafe, and so buffers and segments) skips the instruction, so that the mapping stays as it is: when there is memory
 * again, all works. For that an instruction's length is read from its bytes.
 *
 * Runs in a signal handler: no locks, no allocation. */
#include "jdk/memory_fault.h"

#include <sys/mman.h>
#include <ucontext.h>

#include "base/base.h"
#include "base/os.h"
#include "heap/heap.h"
#include "jit/jit.h"
#include "link/call.h"
#include "thread/contract.h"
#include "thread/thread.h"
#include "vm/vm.h"

/* ---- instructions ------------------------------------------------------------------------------------------------ */

enum map { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A };
enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

struct prefixes {
    bool operand_size;                   /* 66                                                                     */
    bool has_rex, is_vector;             /* is_vector: VEX or EVEX                                                 */
    uint8_t rex;
    enum map map;
};

static const uint8_t *read_legacy(const uint8_t *p, struct prefixes *x) {
    for (;; p++) switch (*p) {
        case 0x66: x->operand_size = true; break;
        case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0xf0: case 0xf2: case 0xf3: break;
        default: return p;
        }
}

/* To the opcode. */
static const uint8_t *read_prefixes(const uint8_t *p, struct prefixes *x) {
    p = read_legacy(p, x);
    if ((*p & 0xf0) == 0x40) {
        x->has_rex = true;
        x->rex = *p++ & 0x0f;
    }
    x->is_vector = *p == 0xc4 || *p == 0xc5 || *p == 0x62;
    if (*p == 0xc5) {
        x->map = MAP_0F;
        return p + 2;
    }
    if (x->is_vector) {
        x->map = (enum map)(p[1] & (*p == 0xc4 ? 0x1f : 7));
        return p + (*p == 0xc4 ? 3 : 4);
    }
    if (*p != 0x0f) return p;
    x->map = p[1] == 0x38 ? MAP_0F38 : p[1] == 0x3a ? MAP_0F3A : MAP_0F;
    return p + (x->map == MAP_0F ? 1 : 2);
}

/* Of the opcodes with a ModRM byte that C compilers use in 64-bit code. */
static bool has_modrm(enum map map, uint8_t op) {
    if (map == MAP_0F) return (op >= 0x10 && op < 0x30) || (op >= 0x40 && op < 0x77) || (op >= 0x78 && op < 0x80) ||
                              (op >= 0x90 && op < 0xa0) || (op >= 0xa3 && op < 0xc8 && op != 0xa8 && op != 0xa9 &&
                              op != 0xaa) || op >= 0xd0 || op == 0x0d;
    if (map != MAP_ONE_BYTE) return true;
    if (op < 0x40) return (op & 7) < 4;
    return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op < 0x8c && op != 0x82) || op == 0x8f ||
           op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op < 0xd4) ||
           (op >= 0xd8 && op < 0xe0) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
}

static size_t immediate_bytes(const struct prefixes *x, uint8_t op, unsigned reg) {
    size_t full = x->operand_size ? 2 : 4;
    switch (x->map) {
    case MAP_ONE_BYTE:
        if (op == 0x69 || op == 0x81 || op == 0xc7 || (op == 0xf7 && reg < 2)) return full;
        return op == 0x6b || op == 0x80 || op == 0x83 || op == 0xc0 || op == 0xc1 || op == 0xc6 ||
               (op == 0xf6 && reg < 2);
    case MAP_0F:
        return (op >= 0x70 && op < 0x74) || op == 0xa4 || op == 0xac || op == 0xba || op == 0xc2 ||
               (op >= 0xc4 && op < 0xc7);
    case MAP_0F38: return 0;
    case MAP_0F3A: return 1;
    }
    return 0;
}

/* Of the ModRM byte at p, its SIB byte and displacement. 0: it names a register. */
static size_t address_bytes(const uint8_t *p) {
    unsigned mode = *p >> 6, low = *p & 7;
    if (mode == 3) return 0;
    size_t n = 1;
    if (low == 4) {
        if (mode == 0 && (p[1] & 7) == 5) n += 4;
        n++;
    } else if (mode == 0 && low == 5) {
        n += 4;
    }
    return n + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

static void note_load(const struct prefixes *x, uint8_t op, unsigned reg, struct memory_instruction *out) {
    unsigned width = x->operand_size ? 2 : 8;                    /* a load of 32 bits clears the others              */
    bool bytes = x->map == MAP_ONE_BYTE && op == 0x8a;
    bool loads = bytes || (x->map == MAP_ONE_BYTE && (op == 0x8b || op == 0x63)) ||
                 (x->map == MAP_0F && (op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf)) ||
                 (x->map == MAP_0F38 && op == 0xf0);             /* movbe                                            */
    if (x->is_vector || !loads) return;
    out->into = (int)(reg | (x->rex & REX_R ? 8u : 0u));
    out->width = bytes ? 1 : width;
    out->is_high = bytes && !x->has_rex && reg >= 4;
    if (out->is_high) out->into -= 4;
}

/* movs, cmps, stos, lods, scas: no ModRM byte. */
static bool is_string(const struct prefixes *x, uint8_t op) {
    return x->map == MAP_ONE_BYTE && !x->is_vector && op >= 0xa4 && op < 0xb0 && op != 0xa8 && op != 0xa9;
}

size_t memory_instruction_length(const uint8_t *p, struct memory_instruction *out) {
    struct prefixes x = {0};
    *out = (struct memory_instruction){.into = -1};
    const uint8_t *op = read_prefixes(p, &x), *modrm = op + 1;
    if (is_string(&x, *op)) return (size_t)(modrm - p);
    if (x.map > MAP_0F3A || (x.is_vector && x.map == MAP_ONE_BYTE) || !has_modrm(x.map, *op)) return 0;
    size_t address = address_bytes(modrm);
    if (address == 0) return 0;
    unsigned reg = (*modrm >> 3) & 7;
    note_load(&x, *op, reg, out);
    return (size_t)(modrm - p) + address + immediate_bytes(&x, *op, reg);
}

/* ---- the signal -------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
extern const char __start_foreign_memory[], __stop_foreign_memory[];      /* the linker's: that section */

/* By the number that instructions give them. */
static const int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* Compiled code goes by such an address where it does not access the heap (jit/optimising/emit_access.c). */
static bool is_javas(const char *pc, const void *address, const struct os_thread *self) {
    if (self->foreign_memory || (pc >= __start_foreign_memory && pc < __stop_foreign_memory)) return true;
    return jit_blob_at(pc) != NULL && !heap_reaches(address);
}

static bool skip_access(ucontext_t *u, const void *address, struct os_thread *self) {
    greg_t *r = u->uc_mcontext.gregs;
    const char *pc = (const char *)(uintptr_t)r[REG_RIP];
    struct memory_instruction i;
    if (!is_javas(pc, address, self)) return false;
    size_t length = memory_instruction_length((const uint8_t *)pc, &i);
    if (length == 0) return false;
    if (i.into >= 0) {
        uint64_t mask = i.width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * i.width) - 1;
        r[registers[i.into]] &= (greg_t)~(mask << (i.is_high ? 8 : 0));
    }
    r[REG_RIP] += (greg_t)length;
    return true;
}
#else
static bool skip_access(ucontext_t *u UNUSED, const void *address UNUSED, struct os_thread *self UNUSED) {
    return false;
}
#endif

static bool put_zeros(const siginfo_t *info) {
    void *page = (void *)ALIGN_DOWN((uintptr_t)info->si_addr, os_page_size());
    return mmap(page, os_page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
           MAP_FAILED;
}

bool memory_fault_handle(int signo, const siginfo_t *info, void *context, struct os_thread *self) {
    if (signo != SIGBUS || info->si_code != BUS_ADRERR || self == NULL || atomic_load(&self->state) != THREAD_IN_VM)
        return false;
    if (!skip_access(context, info->si_addr, self) && !put_zeros(info)) return false;
    if (!atomic_exchange(&self->memory_fault, true)) thread_request(self, POLL_ASYNC_EXCEPTION);
    return true;
}

void memory_fault_throw(struct os_thread *self) {
    REQUIRES(IN_VM);
    const char *message = vm->library == LIBRARY_17
                              ? "a fault occurred in a recent unsafe memory access operation in compiled Java code"
                              : "a fault occurred in an unsafe memory access operation";
    throw_message(self, "java/lang/InternalError", "%s", message);
}
