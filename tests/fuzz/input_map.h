/* input_map.h — an input of the fuzzer in place of every file that is mapped: a copy of its length, so that the
 * sanitizer sees what is read beside it, which behind a mapped file it does not. The target is linked with --wrap for
 * both functions. */
#ifndef VITRINE_FUZZ_INPUT_MAP_H
#define VITRINE_FUZZ_INPUT_MAP_H

#include <stdint.h>
#include <stdlib.h>

#include "base/os.h"

#define INPUT_PATH "the input"

static struct os_file_map mapped_input;

bool __wrap_os_map_file(const char *path, struct os_file_map *out, char **err);
void __wrap_os_unmap_file(struct os_file_map *map);

bool __wrap_os_map_file(const char *path, struct os_file_map *out, char **err) {
    (void)path, (void)err;
    *out = (struct os_file_map){ malloc(mapped_input.size), mapped_input.size };
    if (out->data == NULL) abort();
    memcpy(out->data, mapped_input.data, out->size);
    return true;
}

void __wrap_os_unmap_file(struct os_file_map *map) {
    free(map->data);
    *map = (struct os_file_map){ NULL, 0 };
}

/* What is mapped from now on. */
static inline void map_input(const uint8_t *data, size_t size) {
    mapped_input = (struct os_file_map){ (void *)(uintptr_t)data, size };
}

#endif
