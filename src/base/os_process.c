/* The process around us: environment, small files, shared libraries. */
#include "base/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/events.h"
#include "base/lock.h"
#include "base/table.h"

pid_t       os_pid(void)              { return getpid(); }
const char *os_env(const char *name)  { return getenv(name); }
char      **os_environ(void)          { return environ; }
const char *os_temp_dir(void)         { return "/tmp"; }

void os_expand_process_id(const char *text, char *out, size_t size) {
    size_t n = 0;
    for (; *text != 0 && n + 1 < size; text++) {
        if (text[0] == '%' && text[1] == '%') text++;
        else if (text[0] == '%' && text[1] == 'p') {
            int digits = snprintf(out + n, size - n, "%d", (int)os_pid());
            n = digits > 0 && (size_t)digits < size - n ? n + (size_t)digits : size - 1;
            text++;
            continue;
        }
        out[n++] = *text;
    }
    out[n] = 0;
}

bool os_file_exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

bool os_is_directory(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool os_is_regular(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool os_is_same_file(const char *path, const char *other) {
    struct stat a, b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* Read in pieces: files of /proc and of cgroups report a size of 0. */
char *os_read_text(const char *path, size_t max) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    VEC(char) text = { 0 };
    ssize_t n = 0;
    bool    ok = vec_reserve(&text, MIN(max, (size_t)4096) + 1);
    while (ok && text.count < max) {
        ok = vec_reserve(&text, text.count + 257);
        if (!ok) break;
        n = read(fd, text.data + text.count, MIN(text.capacity - text.count - 1, max - text.count));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        text.count += (size_t)n;
    }
    close(fd);
    if (!ok || n < 0) {
        vec_free(&text);
        return NULL;
    }
    text.data[text.count] = 0;
    return text.data;
}

/* ---- Libraries ------------------------------------------------------------------------------------------------ */

static struct lock libraries_lock = LOCK_INIT("opened libraries", OS);
struct library { void *handle; bool stays; };
static VEC(struct library) libraries;           /* one entry per successful open */

void *os_library_open(const char *path, char **err) {
    int cancel;                                 /* no cancellation under the loader's lock */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    void *handle = dlopen(path, RTLD_LAZY);
    pthread_setcancelstate(cancel, NULL);
    if (!handle) {
        const char *text = dlerror();
        if (err) *err = mem_strdup(text ? text : "unknown error");
        return NULL;
    }
    struct library opened = { .handle = handle };
    lock_acquire(&libraries_lock);
    bool ok = vec_push(&libraries, opened);
    lock_release(&libraries_lock);
    if (ok) {
        event_note(EVENT_LIBRARY, NULL, "Loaded shared library %s", path ? path : "of the process itself");
        return handle;
    }
    dlclose(handle);
    if (err) *err = NULL;
    return NULL;
}

void *os_library_find(void *handle, const char *name) { return dlsym(handle ? handle : RTLD_DEFAULT, name); }

struct range_search { uintptr_t base, low, high; };

static int find_range(struct dl_phdr_info *info, size_t size, void *arg) {
    struct range_search *r = arg;
    (void)size;
    if (info->dlpi_addr != r->base) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
        if (!r->high || start < r->low) r->low = start;
        if (end > r->high) r->high = end;
    }
    return 1;
}

bool os_library_range(void *handle, uintptr_t *low, uintptr_t *high) {
    struct link_map *map;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return false;
    struct range_search r = { .base = map->l_addr };
    dl_iterate_phdr(find_range, &r);
    *low = r.low;
    *high = r.high;
    return r.high != 0;
}

bool os_library_contains(void *handle, const void *address) {
    uintptr_t low, high, p = (uintptr_t)address;
    return os_library_range(handle, &low, &high) && p >= low && p < high;
}

static int has_base(struct dl_phdr_info *info, size_t size, void *base) {
    (void)size;
    return info->dlpi_addr == *(uintptr_t *)base;
}

void os_library_stays(void *handle) {
    lock_acquire(&libraries_lock);
    for (size_t i = 0; i < libraries.count; i++)
        if (libraries.data[i].handle == handle) libraries.data[i].stays = true;
    lock_release(&libraries_lock);
}

/* A signal handler must not stay behind, be the library unmapped or at its end. */
static void close_library(struct library l) {
    uintptr_t low = 0, high = 0;
    struct link_map *map;
    bool      known = dlinfo(l.handle, RTLD_DI_LINKMAP, &map) == 0 && os_library_range(l.handle, &low, &high);
    uintptr_t base = known ? map->l_addr : 0;
    if (!l.stays) dlclose(l.handle);
    if (known && (l.stays || !dl_iterate_phdr(has_base, &base))) os_signal_forget_range(low, high);
}

/* dlclose runs the library's destructors: never under the lock. */
void os_library_close(void *handle) {
    struct library l = { .handle = handle };
    lock_acquire(&libraries_lock);
    for (size_t i = libraries.count; i-- > 0;)
        if (libraries.data[i].handle == handle) {
            l = libraries.data[i];
            memmove(&libraries.data[i], &libraries.data[i + 1], (libraries.count - i - 1) * sizeof l);
            libraries.count--;
            break;
        }
    lock_release(&libraries_lock);
    close_library(l);
}

void os_library_forget_all(void) {
    lock_acquire(&libraries_lock);
    vec_free(&libraries);
    lock_release(&libraries_lock);
}

void os_library_close_all(void) {
    for (;;) {
        lock_acquire(&libraries_lock);
        bool any = libraries.count > 0;
        struct library l = any ? vec_pop(&libraries) : (struct library){ 0 };
        if (!any) vec_free(&libraries);
        lock_release(&libraries_lock);
        if (!any) return;
        close_library(l);
    }
}

bool os_library_of(const void *address, const char **out_path, uintptr_t *out_base, const char **out_symbol,
                   uintptr_t *out_symbol_address) {
    Dl_info info;
    if (!dladdr(address, &info)) return false;
    if (out_path) *out_path = info.dli_fname;
    if (out_base) *out_base = (uintptr_t)info.dli_fbase;
    if (out_symbol) *out_symbol = info.dli_sname;
    if (out_symbol_address) *out_symbol_address = (uintptr_t)info.dli_saddr;
    return true;
}

struct library_visit {
    bool (*visit)(const char *path, uintptr_t base, void *arg);
    void *arg;
};

static int visit_library(struct dl_phdr_info *info, size_t size, void *arg) {
    struct library_visit *v = arg;
    (void)size;
    if (!info->dlpi_name || !*info->dlpi_name) return 0;        /* the executable itself */
    return v->visit(info->dlpi_name, info->dlpi_addr, v->arg) ? 0 : 1;
}

void os_library_iterate(bool (*visit)(const char *, uintptr_t, void *), void *arg) {
    struct library_visit v = { visit, arg };
    dl_iterate_phdr(visit_library, &v);
}
