/* libFuzzer target: run-time images (lib/modules). Every resource of one that is opened is looked up by its name, and
 * so is the module of every package; what is found lies in memory that may be read. */
#include "input_map.h"

#include "base/alloc.h"
#include "base/jimage.h"

#define require(condition) ((condition) ? (void)0 : __builtin_trap())

static volatile uint64_t sink; /* keeps the reads */

static void read_span(struct span s) {
    for (size_t i = 0; i < s.size; i++) sink += s.data[i];
}

/* A damaged table may name one resource very often. */
enum { MOST_VISITS = 256 };
struct visits { struct jimage *image; int left; };

static bool look_up(const struct jimage_entry *e, void *arg) {
    struct visits *v = arg;
    struct span found;
    char *name = mem_printf("%s%s%s%s%s", e->parent, *e->parent ? "/" : "", e->base, *e->extension ? "." : "",
                            e->extension);
    if (name != NULL && jimage_find(v->image, e->module, name, &found)) read_span(found);
    const char *module = jimage_package_module(v->image, e->parent);
    if (module != NULL) sink += strlen(module);
    mem_free(name);
    return --v->left > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *why = NULL;
    map_input(data, size);
    struct jimage *j = jimage_open(INPUT_PATH, &why);
    require((j == NULL) == (why != NULL));
    require(why == NULL || strstr(why, INPUT_PATH) != NULL);
    if (j != NULL) jimage_iterate(j, look_up, &(struct visits){ j, MOST_VISITS });
    jimage_close(j);
    mem_free(why);
    return 0;
}
