/* Names of functions from the symbol table of an ELF file: what dladdr cannot tell, because a library does not export
 * it. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"

struct image { const char *data; size_t size; };

/* Bytes [offset, offset + size) of the file, NULL when it is shorter. */
static const void *at(const struct image *f, uint64_t offset, uint64_t size) {
    return offset <= f->size && size <= f->size - offset ? f->data + offset : NULL;
}

static bool search(const struct image *f, const Elf64_Shdr *sections, size_t n, uintptr_t offset, char *name,
                   size_t size, uintptr_t *start) {
    for (size_t i = 0; i < n; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= n) continue;
        const Elf64_Shdr *text = &sections[sections[i].sh_link];
        const Elf64_Sym *symbols = at(f, sections[i].sh_offset, sections[i].sh_size);
        const char *names = at(f, text->sh_offset, text->sh_size);
        if (!symbols || !names || text->sh_size == 0 || names[text->sh_size - 1] != 0) continue;
        for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
            const Elf64_Sym *s = &symbols[k];
            if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || offset - s->st_value >= s->st_size ||
                s->st_name >= text->sh_size)
                continue;
            snprintf(name, size, "%s", names + s->st_name);
            *start = s->st_value;
            return true;
        }
    }
    return false;
}

bool os_symbol_in_file(const char *path, uintptr_t offset, char *out_name, size_t size, uintptr_t *out_offset) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    struct image f = {fstat(fd, &st) == 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED,
                      0};
    close(fd);
    if (f.data == MAP_FAILED) return false;
    f.size = (size_t)st.st_size;
    const Elf64_Ehdr *header = at(&f, 0, sizeof *header);
    bool found = false;
    if (header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_shentsize == sizeof(Elf64_Shdr)) {
        const Elf64_Shdr *sections = at(&f, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
        found = sections && search(&f, sections, header->e_shnum, offset, out_name, size, out_offset);
    }
    munmap((void *)f.data, f.size);
    return found;
}
