/* print_assembly.c — see print_assembly.h. Of libcapstone's interface only what stays the same over its versions is
 * used, and the two layouts of an instruction that there have been. */
#include "jit/print_assembly.h"

#include <dlfcn.h>

#include "base/log.h"
#include "base/options.h"
#include "exec/exec.h"
#include "jit/listing.h"
#include "jit/pcs.h"
#include "link/link.h"

/* capstone.h */
enum { ARCH_X86 = 3, MODE_64 = 8, LAST_SHORT_MAJOR = 4, LAST_MAJOR = 5 };
struct text { char mnemonic[32], operands[160]; };
struct instruction_4 {                   /* up to version 4                                                        */
    unsigned id;
    uint64_t address;
    uint16_t size;
    uint8_t bytes[16];
    struct text text;
    void *detail;
};
struct instruction_5 {
    unsigned id;
    uint64_t address;
    uint16_t size;
    uint8_t bytes[24];
    struct text text;
    void *detail;
};
typedef unsigned version_function(int *major, int *minor);
typedef int open_function(int arch, int mode, size_t *handle);
typedef int close_function(size_t *handle);
typedef size_t read_function(size_t handle, const uint8_t *code, size_t size, uint64_t address, size_t count,
                             void **instructions);
typedef void free_function(void *instructions, size_t count);

static bool is_asked_for(const struct compile_commands *c, const struct method *m) {
    return vm->options->flags.PrintAssembly || command_says(c, COMMAND_print, m) ||
           command_says(c, COMMAND_PrintAssembly, m);
}

/* What it has to have. */
static bool is_complete(void *library) {
    static const char *const names[] = {"cs_version", "cs_open", "cs_close", "cs_disasm", "cs_free"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (dlsym(library, names[i]) == NULL) return false;
    return true;
}

static bool open_library(struct disassembler *d) {
    static const char *const names[] = {"libcapstone.so.5", "libcapstone.so.4", "libcapstone.so.3", "libcapstone.so"};
    d->tried = true;
    for (size_t i = 0; d->library == NULL && i < ARRAY_LEN(names); i++) d->library = dlopen(names[i], RTLD_NOW);
    if (d->library == NULL || !is_complete(d->library)) return false;
    version_function *version = (version_function *)(uintptr_t)dlsym(d->library, "cs_version");
    open_function *open = (open_function *)(uintptr_t)dlsym(d->library, "cs_open");
    int major, minor;
    version(&major, &minor);
    d->major = (unsigned)major;
    return d->major <= LAST_MAJOR && open(ARCH_X86, MODE_64, &d->handle) == 0;
}

void disassembler_close(struct disassembler *d) {
    close_function *close = d->handle != 0 ? (close_function *)(uintptr_t)dlsym(d->library, "cs_close") : NULL;
    if (close != NULL) close(&d->handle);
    if (d->library != NULL) dlclose(d->library);
    *d = (struct disassembler){.tried = d->tried};
}

/* Where the code of a bytecode begins, what it is. */
static void print_place(const struct method_code *code, const char *class, int32_t bci) {
    int32_t line = method_line_number(code, bci);
    vm_print(false, "                      ; - %s::%s@%d", class, code->method->name->bytes, (int)bci);
    if (line >= 0) vm_print(false, " (line %d)", (int)line);
    vm_print(false, "\n");
}

/* Without the tables that switches jump by. */
static size_t code_length(const struct code_blob *b) {
    const uint8_t *begin = code_blob_begin(b);
    for (struct pcs_reader r = pcs_read(begin + b->pcs, begin + b->entries); pcs_next(&r);)
        if (r.bci == PCS_TABLES) return r.rows.offset;
    return b->pcs;
}

static void print_code(const struct disassembler *d, const struct code_blob *b, const char *class) {
    read_function *read = (read_function *)(uintptr_t)dlsym(d->library, "cs_disasm");
    free_function *give_back = (free_function *)(uintptr_t)dlsym(d->library, "cs_free");
    const uint8_t *begin = code_blob_begin(b);
    struct pcs_reader r = pcs_read(begin + b->pcs, begin + b->entries);
    bool more = pcs_next(&r);
    void *all = NULL;
    size_t count = read(d->handle, begin, code_length(b), (uintptr_t)begin, 0, &all);
    for (size_t i = 0; i < count; i++) {
        bool is_short = d->major <= LAST_SHORT_MAJOR;
        const struct instruction_4 *old = (const struct instruction_4 *)all + i;
        const struct instruction_5 *new = (const struct instruction_5 *)all + i;
        uint64_t address = is_short ? old->address : new->address;
        const struct text *t = is_short ? &old->text : &new->text;
        for (; more && (uintptr_t)begin + r.rows.offset <= address; more = pcs_next(&r))
            if (r.bci >= 0) print_place(b->method, class, r.bci);
        vm_print(false, "  0x%016" PRIx64 ": %s%s%s\n", address, t->mnemonic, *t->operands ? " " : "", t->operands);
    }
    if (count != 0) give_back(all, count);
}

void assembly_print(struct disassembler *d, const struct compile_commands *c, const struct code_blob *b) {
    if (LIKELY(b->pcs == 0 || !is_asked_for(c, b->method->method))) return;
    if (!d->tried && !open_library(d)) {
        disassembler_close(d);
        log_warning(jit, "No assembly is printed: there is no libcapstone that can be used");
    }
    if (d->handle == 0) return;
    const struct method *m = b->method->method;
    char *class = class_external_name(m->holder);
    if (class == NULL) return;
    const uint8_t *begin = code_blob_begin(b);
    vm_print(false,
             "----------------------------------- Assembly -----------------------------------\n"
             "Compiled method (%s) %u       %u       %s::%s (%u bytes)\n"
             " main code      [0x%016" PRIxPTR ",0x%016" PRIxPTR "] = %u\n  # {method} '%s' '%s' in '%s'\n",
             b->level == LEVEL_OPTIMISED ? "optimised" : "baseline", b->id, b->level, class, m->name->bytes,
             code_source(b->method)->code_length, (uintptr_t)begin,
             (uintptr_t)begin + b->pcs, b->pcs, m->name->bytes, m->desc->bytes, m->holder->name->bytes);
    print_code(d, b, class);
    vm_print(false, "--------------------------------------------------------------------------------\n");
    mem_free(class);
}
