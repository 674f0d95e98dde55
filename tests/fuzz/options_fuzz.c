/* libFuzzer target: the options of the VM, one a line; the first byte chooses the library and whether what is unknown
 * is passed over. Nothing that an option names is opened: meanwhile the process may have no more files. What is refused
 * is refused with a reason. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/options.h"

#define require(condition) ((condition) ? (void)0 : __builtin_trap())
enum { MOST_OPTIONS = 64 };

static size_t printed;

/* What would be printed must be text that can be formatted. */
static int count(void *file, const char *format, va_list args) {
    char text[4096];
    int n = vsnprintf(text, sizeof text, format, args);
    (void)file;
    require(n >= 0);
    printed += (size_t)n;
    return n;
}

static void set_files(rlim_t most) {
    struct rlimit limit;
    require(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    require(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* Whatever an option has set can be shown, found by its name, and set again. */
static void look_at(struct vm_options *o) {
    for (int flag = 0; flag < FLAG_COUNT; flag++) {
        if (!flag_exists(o, flag) || flag_origin_of(o, flag) == FLAG_DEFAULT) continue;
        char *text = flag_value_text(o, flag);
        require(text != NULL && flag_find(o, flag_name(flag), strlen(flag_name(flag))) == flag);
        mem_free(text);
    }
    mem_free(options_flags_text(o, true));
    for (size_t i = 0; i < o->properties.count; i++)
        require(options_property(o, o->properties.data[i].key) == o->properties.data[i].value);
    require(o->flags.MinHeapFreeRatio <= o->flags.MaxHeapFreeRatio && o->flags.MaxHeapFreeRatio <= 100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct vm_options o;
    struct option_input in[MOST_OPTIONS];
    size_t n = 0;
    if (size == 0) return 0;
    char *text = mem_printf("%.*s", (int)size - 1, (const char *)data + 1), *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && n < MOST_OPTIONS; line = strtok_r(NULL, "\n", &rest))
        if (strcmp(line, "vfprintf") != 0) in[n++].text = line;
    for (size_t i = 0; i < n; i++) in[i].extra = NULL;
    log_set_vfprintf_hook(count);
    vm_print_configure(true, false, false, true);
    set_files(0);
    printed = 0;
    enum options_result how = options_parse(&o, data[0] & 1 ? 25 : 17, in, n, data[0] & 2);
    if (how == OPTIONS_OK) how = options_settle(&o);
    if (how == OPTIONS_OK) look_at(&o);
    require(how == OPTIONS_OK || how == OPTIONS_NO_MEMORY || printed != 0 || !o.flags.DisplayVMOutput);
    require(how != OPTIONS_EXIT || o.exit_code == 0);
    set_files(RLIM_INFINITY);
    options_free(&o);
    log_shutdown();
    log_set_vfprintf_hook(NULL);
    mem_free(text);
    return 0;
}
