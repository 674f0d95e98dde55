/* unwind_table.c — see unwind_table.h. One ELF file in memory holds the descriptions and the stubs' names: gdb reads
 * it by its JIT interface, libgcc gets the descriptions alone. DWARF 4, 6.4; System V ABI, AMD64 supplement, 3.7.
 *
 *      ELF header | .eh_frame: CIE, an FDE for each stub, one for all native stubs with a CIE of its own, one for the
 *      rest | .symtab | .strtab | section headers */
#include "jit/unwind_table.h"

#include <elf.h>

#include "base/alloc.h"
#include "base/os.h"
#include "thread/unwound.h"

#ifdef ASM_MACHINE

/* ---- gdb's JIT interface: gdb stops in the function, and looks at the variable ----------------------------------- */

struct jit_code_entry {
    struct jit_code_entry *next, *previous;
    const void *file;
    uint64_t size;
};
struct jit_descriptor {
    uint32_t version, action;
    struct jit_code_entry *relevant, *first;
};
enum { JIT_REGISTER = 1, JIT_UNREGISTER = 2 };
extern struct jit_descriptor __jit_debug_descriptor;
void __jit_debug_register_code(void);

struct jit_descriptor __jit_debug_descriptor = {.version = 1};
__attribute__((used)) NOINLINE void __jit_debug_register_code(void) { __asm__ volatile("" ::: "memory"); }

/* Only one VM is made or destroyed at a time, and it has one entry. */
static void notify_gdb(struct jit_code_entry *entry, uint32_t action) {
    __jit_debug_descriptor.first = action == JIT_REGISTER ? entry : NULL;
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.relevant = NULL;
    __jit_debug_descriptor.action = 0;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

struct writer {
    VEC(uint8_t) bytes;
    bool failed;                         /* no memory                                                              */
};

static void put(struct writer *w, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        if (!vec_push(&w->bytes, (uint8_t)(value >> 8 * i))) w->failed = true;
}

static void put_bytes(struct writer *w, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++) put(w, ((const uint8_t *)from)[i], 1);
}

static void put_uleb(struct writer *w, uint64_t v) {
    for (; v >= 0x80; v >>= 7) put(w, v | 0x80, 1);
    put(w, v, 1);
}

static void put_sleb(struct writer *w, int64_t v) {
    for (; v < -0x40 || v >= 0x40; v >>= 7) put(w, (uint64_t)v | 0x80, 1);
    put(w, (uint64_t)v & 0x7f, 1);
}

static void align(struct writer *w) {
    while (w->bytes.count % 8 != 0 && !w->failed) put(w, 0, 1);
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

enum {
    CFA_ADVANCE_4 = 0x04, CFA_SAME_VALUE = 0x08, CFA_DEFINE = 0x0c, CFA_EXPRESSION = 0x0f, CFA_OFFSET = 0x80,
    OP_DEREFERENCE = 0x06, OP_PLUS_CONSTANT = 0x23, OP_REGISTER = 0x70,
    PLAIN_ADDRESS = 0, FROM_HERE_4 = 0x1b, COUNT_4 = 0x03, FROM_TABLE_4 = 0x3b,
    WORD = 8, SLEB_MINUS_WORD = 0x78, VERSION = 1
};

static void put_stack_pointer(struct writer *w, const struct asm_caller *row) {
    uint8_t base = asm_dwarf_registers[row->base];
    if (!row->indirect) {
        put(w, CFA_DEFINE, 1);
        put_uleb(w, base);
        put_uleb(w, (uint64_t)row->displacement);
        return;
    }
    struct writer e = {.failed = false};
    put(&e, OP_REGISTER + base, 1);
    put_sleb(&e, row->displacement);
    put(&e, OP_DEREFERENCE, 1);
    put(&e, OP_PLUS_CONSTANT, 1);
    put_uleb(&e, WORD);
    put(w, CFA_EXPRESSION, 1);
    put_uleb(w, e.bytes.count);
    put_bytes(w, e.bytes.data, e.bytes.count);
    w->failed |= e.failed;
    vec_free(&e.bytes);
}

/* What differs from the row before. */
static void put_row(struct writer *w, const struct asm_caller *before, const struct asm_caller *row) {
    if (row->from != before->from) {
        put(w, CFA_ADVANCE_4, 1);
        put(w, row->from - before->from, 4);
    }
    put_stack_pointer(w, row);
    for (unsigned r = 0; r < ASM_REGISTERS; r++) {
        if (row->saved[r] == before->saved[r]) continue;
        put(w, row->saved[r] != 0 ? CFA_OFFSET | asm_dwarf_registers[r] : CFA_SAME_VALUE, 1);
        put_uleb(w, row->saved[r] != 0 ? row->saved[r] : asm_dwarf_registers[r]);
    }
}

/* Begins an entry, whose length is not known yet; returns where it is. */
static size_t begin_entry(struct writer *w) {
    put(w, 0, 4);
    return w->bytes.count;
}

static void end_entry(struct writer *w, size_t begin) {
    align(w);
    if (w->failed) return;
    uint32_t length = (uint32_t)(w->bytes.count - begin);
    memcpy(w->bytes.data + begin - sizeof length, &length, sizeof length);
}

static const struct asm_caller at_call = {.base = REG_STACK, .displacement = WORD};

/* PLAIN: addresses are plain words; FOREIGN: with a personality, too, thread_unwound; RELATIVE: addresses are
 * distances. By its letters the augmentation says so, and that it has a length. */
enum common { PLAIN, FOREIGN, RELATIVE };

static void put_common(struct writer *w, enum common kind) {
    static const char *const augmentations[] = {[PLAIN] = "", [FOREIGN] = "zP", [RELATIVE] = "zR"};
    size_t begin = begin_entry(w);
    put(w, 0, 4);
    put(w, VERSION, 1);
    put_bytes(w, augmentations[kind], strlen(augmentations[kind]) + 1);
    put_uleb(w, 1);
    put(w, SLEB_MINUS_WORD, 1);
    put(w, ASM_DWARF_RETURN, 1);
    if (kind == RELATIVE) {
        put_uleb(w, 1);
        put(w, FROM_HERE_4, 1);
    } else if (kind == FOREIGN) {
        put_uleb(w, 1 + WORD);
        put(w, PLAIN_ADDRESS, 1);
        put(w, (uintptr_t)thread_unwound, WORD);
    }
    put_stack_pointer(w, &at_call);
    put(w, CFA_OFFSET | ASM_DWARF_RETURN, 1);
    put_uleb(w, 1);
    end_entry(w, begin);
}

/* `common`: where that begins, its length included. `from`: the code, or how far it lies before the first byte that is
 * written. callers: NULL: as at_call throughout. */
static void put_range(struct writer *w, size_t common, enum common kind, uintptr_t from, size_t size,
                      const struct asm_callers *callers) {
    size_t begin = begin_entry(w), bytes = kind == RELATIVE ? 4 : WORD;
    put(w, begin - common, 4);
    put(w, kind == RELATIVE ? -(from + w->bytes.count) : from, (unsigned)bytes);
    put(w, size, (unsigned)bytes);
    if (kind != PLAIN) put_uleb(w, 0);
    const struct asm_caller *before = &at_call;
    for (uint32_t i = 0; callers != NULL && i < callers->count; i++) {
        put_row(w, before, &callers->rows[i]);
        before = &callers->rows[i];
    }
    end_entry(w, begin);
}

static const uint8_t *end_of(const struct code_blob *b) { return code_blob_begin(b) + b->length; }

const struct asm_callers unwind_in_native_stub = {1, {{.base = REG_KEPT, .displacement = WORD}}};

static void put_frames(struct writer *w, const struct code_cache *c, const stub_callers_list *stubs) {
    size_t common = w->bytes.count;
    put_common(w, PLAIN);
    for (size_t i = 0; i < stubs->count; i++) {
        const struct stub_callers *s = &stubs->data[i];
        vm_assert(i == 0 || code_blob_begin(s->blob) >= end_of(s[-1].blob), "stubs are described in their order");
        put_range(w, common, PLAIN, (uintptr_t)code_blob_begin(s->blob), s->blob->length, &s->callers);
    }
    const uint8_t *kept = code_cache_kept_begin(c), *rest = code_cache_kept_end(c);
    put_range(w, common, PLAIN, (uintptr_t)rest, (size_t)(c->runs + c->size - rest), NULL);
    common = w->bytes.count;
    put_common(w, FOREIGN);
    put_range(w, common, FOREIGN, (uintptr_t)kept, (size_t)(rest - kept), &unwind_in_native_stub);
    put(w, 0, 4);                        /* the end                                                                 */
    align(w);
}

struct unwind_description unwind_describe(size_t code, const struct asm_callers *callers) {
    struct writer w = {.failed = false};
    uintptr_t before = ALIGN_UP(code, (size_t)8);
    put_common(&w, RELATIVE);
    size_t range = w.bytes.count;
    put_range(&w, 0, RELATIVE, before, code, callers);
    put(&w, 0, 4);                       /* the end                                                                 */
    size_t table = w.bytes.count;        /* .eh_frame_hdr: 5, Linux Standard Base, 10.6.2                           */
    put(&w, VERSION, 1);
    put(&w, FROM_HERE_4, 1);
    put(&w, COUNT_4, 1);
    put(&w, FROM_TABLE_4, 1);
    put(&w, -w.bytes.count, 4);
    put(&w, 1, 4);
    put(&w, -(before + table), 4);
    put(&w, range - table, 4);
    if (w.failed) vec_free(&w.bytes);
    return (struct unwind_description){w.failed ? NULL : w.bytes.data, w.bytes.count, w.bytes.count - table};
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

enum { NONE, TEXT, FRAMES, SYMBOLS, STRINGS, SECTIONS };
static const char *const section_names[SECTIONS] = {"", ".text", ".eh_frame", ".symtab", ".strtab"};
/* What gdb calls code of methods; scripts/gdb.py says which. */
static const char of_methods[] = "compiled_method";

struct file {
    struct writer w;
    struct writer strings;
    Elf64_Shdr sections[SECTIONS];
};

static uint32_t string(struct file *f, const char *s) {
    uint32_t at = (uint32_t)f->strings.bytes.count;
    put_bytes(&f->strings, s, strlen(s) + 1);
    return at;
}

static void begin_section(struct file *f, int i, uint32_t type, uint64_t flags) {
    f->sections[i] = (Elf64_Shdr){.sh_name = string(f, section_names[i]), .sh_type = type, .sh_flags = flags,
                                  .sh_offset = f->w.bytes.count, .sh_addralign = WORD};
}

static void end_section(struct file *f, int i) {
    f->sections[i].sh_size = f->w.bytes.count - f->sections[i].sh_offset;
    align(&f->w);
}

static void put_symbol(struct file *f, const char *name, const uint8_t *from, size_t size) {
    Elf64_Sym s = {.st_name = string(f, name), .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = TEXT,
                   .st_value = (uintptr_t)from, .st_size = size};
    put_bytes(&f->w, &s, sizeof s);
}

static void put_symbols(struct file *f, const struct code_cache *c, const stub_callers_list *stubs) {
    put_bytes(&f->w, &(Elf64_Sym){.st_name = 0}, sizeof(Elf64_Sym));
    for (size_t i = 0; i < stubs->count; i++) {
        const struct code_blob *b = stubs->data[i].blob;
        char name[64];
        snprintf(name, sizeof name, "stub_%s", b->name);
        put_symbol(f, name, code_blob_begin(b), b->length);
    }
    const uint8_t *kept = code_cache_kept_begin(c), *rest = code_cache_kept_end(c);
    put_symbol(f, "stub_native", kept, (size_t)(rest - kept));
    put_symbol(f, of_methods, rest, (size_t)(c->runs + c->size - rest));
}

/* The header is completed at the end. */
static void put_file(struct file *f, const struct code_cache *c, const stub_callers_list *stubs) {
    put_bytes(&f->w, &(Elf64_Ehdr){.e_type = 0}, sizeof(Elf64_Ehdr));
    begin_section(f, NONE, SHT_NULL, 0);
    begin_section(f, TEXT, SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR);
    f->sections[TEXT].sh_addr = (uintptr_t)c->runs;
    f->sections[TEXT].sh_size = c->size;
    begin_section(f, FRAMES, SHT_PROGBITS, SHF_ALLOC);
    put_frames(&f->w, c, stubs);
    end_section(f, FRAMES);
    begin_section(f, SYMBOLS, SHT_SYMTAB, 0);
    put_symbols(f, c, stubs);
    end_section(f, SYMBOLS);
    f->sections[SYMBOLS].sh_link = STRINGS;
    f->sections[SYMBOLS].sh_info = 1;    /* the first that is not local                                             */
    f->sections[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
    begin_section(f, STRINGS, SHT_STRTAB, 0);
    put_bytes(&f->w, f->strings.bytes.data, f->strings.bytes.count);
    end_section(f, STRINGS);
}

/* The file's memory does not move any more. */
static void complete(struct file *f) {
    uint8_t *data = f->w.bytes.data;
    size_t headers = f->w.bytes.count - sizeof f->sections;
    f->sections[FRAMES].sh_addr = (uintptr_t)data + f->sections[FRAMES].sh_offset;
    memcpy(data + headers, f->sections, sizeof f->sections);
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_shoff = headers,
                    .e_ehsize = sizeof h, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS,
                    .e_shstrndx = STRINGS};
    memcpy(data, &h, sizeof h);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

typedef void frames_function(void *frames);

struct unwind_table {
    struct jit_code_entry entry;
    uint8_t *file;                       /* malloc'd                                                               */
    void *frames;                        /* .eh_frame in it                                                        */
    void *libgcc;                        /* NULL: there is none, or it has not got the descriptions                */
};

/* The C library loads libgcc_s by itself where it unwinds for the first time; it knows nothing of us then. */
static void *register_with_libgcc(void *frames) {
    char *why = NULL;
    void *libgcc = os_library_open("libgcc_s.so.1", &why);
    mem_free(why);
    if (libgcc == NULL) return NULL;
    frames_function *register_frames = (frames_function *)(uintptr_t)os_library_find(libgcc, "__register_frame");
    if (register_frames != NULL && os_library_find(libgcc, "__deregister_frame") != NULL) {
        register_frames(frames);
        return libgcc;
    }
    os_library_close(libgcc);
    return NULL;
}

static bool fill(struct unwind_table *t, struct file *f) {
    put_bytes(&f->w, f->sections, sizeof f->sections);
    if (f->w.failed || f->strings.failed) return false;
    complete(f);
    t->file = f->w.bytes.data;
    t->frames = t->file + f->sections[FRAMES].sh_offset;
    t->entry = (struct jit_code_entry){.file = t->file, .size = f->w.bytes.count};
    return true;
}

struct unwind_table *unwind_table_create(const struct code_cache *c, const stub_callers_list *stubs) {
    struct unwind_table *t = mem_zalloc(sizeof *t);
    if (t == NULL) return NULL;
    struct file f = {.w = {.failed = false}};
    put_file(&f, c, stubs);
    bool done = fill(t, &f);
    vec_free(&f.strings.bytes);
    if (!done) {
        vec_free(&f.w.bytes);
        mem_free(t);
        return NULL;
    }
    t->libgcc = register_with_libgcc(t->frames);
    notify_gdb(&t->entry, JIT_REGISTER);
    return t;
}

void unwind_table_destroy(struct unwind_table *t) {
    if (t == NULL) return;
    notify_gdb(&t->entry, JIT_UNREGISTER);
    if (t->libgcc != NULL) {
        ((frames_function *)(uintptr_t)os_library_find(t->libgcc, "__deregister_frame"))(t->frames);
        os_library_close(t->libgcc);
    }
    mem_free(t->file);
    mem_free(t);
}

#else

struct unwind_table *unwind_table_create(const struct code_cache *c UNUSED, const stub_callers_list *stubs UNUSED) {
    return NULL;
}
void unwind_table_destroy(struct unwind_table *t UNUSED) {}
struct unwind_description unwind_describe(size_t code UNUSED, const struct asm_callers *callers UNUSED) {
    return (struct unwind_description){.bytes = NULL};
}

#endif
