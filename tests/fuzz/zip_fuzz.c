/* libFuzzer target: jar files. Every entry of one that is opened is found by its name, and read or refused with a
 * reason. */
#include "input_map.h"

#include "base/alloc.h"
#include "base/zip.h"

#define require(condition) ((condition) ? (void)0 : __builtin_trap())

static volatile uint64_t sink; /* keeps the reads */

static void read_entry(const struct zip *z, const struct zip_entry *e) {
    char *why = NULL, *name = mem_printf("%.*s", (int)e->name_length, e->name);
    if (name != NULL && strlen(name) == e->name_length) require(zip_find(z, name) != NULL);
    mem_free(name);
    uint8_t *content = zip_read(z, e, &why);
    require((content == NULL) == (why != NULL));
    for (uint64_t i = 0; content != NULL && i <= e->size; i++) sink += content[i];
    require(content == NULL || content[e->size] == 0);
    mem_free(content);
    mem_free(why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *why = NULL;
    map_input(data, size);
    struct zip *z = zip_open(INPUT_PATH, &why);
    require((z == NULL) == (why != NULL));
    require(why == NULL || strstr(why, INPUT_PATH) != NULL);
    for (size_t i = 0; z != NULL && i < zip_count(z); i++) read_entry(z, zip_entry_at(z, i));
    zip_close(z);
    mem_free(why);
    return 0;
}
