/* boot_path.c — where the boot loader finds classes: the run-time image, patches of its modules, what was appended to
 * its path. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "link/link_internal.h"

/* Entries are only ever added, at the end; read without lock. */
static bool add_entry(const char *path, size_t length, const char *module, size_t module_length) {
    struct boot_entry *e = mem_zalloc(sizeof *e);
    if (e == NULL) return false;
    e->path = mem_strndup(path, length);
    e->module = module ? mem_strndup(module, module_length) : NULL;
    struct stat st;
    if (e->path == NULL || (module != NULL && e->module == NULL)) goto failed;
    if (stat(e->path, &st) != 0) goto ignored; /* HotSpot ignores what is not there or cannot be opened */
    if (S_ISREG(st.st_mode)) {
        char *error = NULL;
        e->zip = zip_open(e->path, &error);
        bool no_memory = e->zip == NULL && error == NULL;
        if (error != NULL) log_info(class_path, "%s", error);
        mem_free(error);
        if (no_memory) goto failed;
        if (e->zip == NULL) goto ignored;
    }
    log_info(class_load, "%s: %s", e->zip != NULL ? "opened" : "path", e->path);
    lock_acquire(&li()->table_lock);
    struct boot_entry *_Atomic *last = &li()->boot_path;
    while (atomic_load(last) != NULL) {
        e->index = module ? e->index : e->index + (atomic_load(last)->module == NULL);
        last = &atomic_load(last)->next;
    }
    atomic_store_explicit(last, e, memory_order_release);
    lock_release(&li()->table_lock);
    return true;
ignored:
    mem_free(e->path);
    mem_free(e->module);
    mem_free(e);
    return true;
failed:
    mem_free(e->path);
    mem_free(e->module);
    mem_free(e);
    return false;
}

static bool add_list(const char *list, const char *module, size_t module_length) {
    for (const char *s = list; *s;) {
        size_t n = strcspn(s, ":");
        if (n != 0 && !add_entry(s, n, module, module_length)) return false;
        s += n + (s[n] == ':');
    }
    return true;
}

bool boot_path_append(const char *path) { return add_list(path, NULL, 0); }

bool boot_path_create(char **error) {
    char *path = mem_printf("%s/lib/modules", vm->java_home);
    li()->image = path ? jimage_open(path, error) : NULL;
    mem_free(path);
    if (li()->image == NULL) return false;
    bool ok = vm->options->boot_append == NULL || add_list(vm->options->boot_append, NULL, 0);
    for (size_t i = 0; ok && i < vm->options->patch_modules.count; i++) {
        const char *p = vm->options->patch_modules.data[i], *eq = strchr(p, '=');
        ok = eq == NULL || add_list(eq + 1, p, (size_t)(eq - p));
    }
    if (!ok) *error = mem_strdup("Out of memory");
    return ok;
}

void boot_path_destroy(void) {
    for (struct boot_entry *e = li()->boot_path, *next; e != NULL; e = next) {
        next = e->next;
        if (e->zip != NULL) zip_close(e->zip);
        mem_free(e->path);
        mem_free(e->module);
        mem_free(e);
    }
    li()->boot_path = NULL;
    if (li()->image != NULL) jimage_close(li()->image);
    li()->image = NULL;
}

bool boot_image_map(const char *path, struct span *out) {
    struct stat asked, mapped;
    if (stat(path, &asked) != 0 || stat(jimage_path(li()->image), &mapped) != 0) return false;
    if (asked.st_dev != mapped.st_dev || asked.st_ino != mapped.st_ino) return false;
    *out = jimage_mapping(li()->image);
    return true;
}

/* What was read once (bytes of classes that are loaded now) need not stay in the process: whoever wants it again finds
 * it in the page cache. */
void boot_image_trim(void) {
    if (li()->image == NULL) return;
    struct span image = jimage_mapping(li()->image);
    os_discard((void *)(uintptr_t)image.data, image.size);
}

bool boot_image_owns(const void *p) { return jimage_owns(li()->image, p); }

char *boot_path_entry(int32_t index) {
    for (struct boot_entry *e = li()->boot_path; e != NULL; e = e->next)
        if (e->module == NULL && e->index == index) return mem_strdup(e->path);
    return NULL;
}

static uint8_t *read_file(const char *path, size_t *length) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    struct stat st;
    uint8_t *bytes = NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (bytes = mem_alloc((size_t)st.st_size + 1)) != NULL) {
        size_t done = 0;
        ssize_t n;
        while (done < (size_t)st.st_size && (n = read(fd, bytes + done, (size_t)st.st_size - done)) > 0)
            done += (size_t)n;
        *length = done;
    }
    close(fd);
    return bytes;
}

/* The file's content in fresh memory, or NULL. */
static uint8_t *entry_read(struct boot_entry *e, const char *file, size_t *length) {
    if (e->zip != NULL) {
        const struct zip_entry *z = zip_find(e->zip, file);
        char *error = NULL;
        uint8_t *bytes = z ? zip_read(e->zip, z, &error) : NULL;
        mem_free(error);
        if (bytes != NULL) *length = z->size;
        return bytes;
    }
    char *path = mem_printf("%s/%s", e->path, file);
    uint8_t *bytes = path ? read_file(path, length) : NULL;
    mem_free(path);
    return bytes;
}

/* Searches the patches of `module`, or (NULL) what was appended. */
static bool find_in_entries(const char *module, const char *file, struct boot_class *out) {
    for (struct boot_entry *e = atomic_load_explicit(&li()->boot_path, memory_order_acquire); e != NULL;
         e = atomic_load_explicit(&e->next, memory_order_acquire)) {
        size_t length = 0;
        if ((e->module == NULL) != (module == NULL) || (module != NULL && strcmp(e->module, module) != 0)) continue;
        if ((out->owned = entry_read(e, file, &length)) == NULL) continue;
        out->bytes = (struct span){out->owned, length};
        out->source = module ? mem_printf("%s", e->path) : mem_strdup(e->path);
        out->entry = module ? -1 : e->index;
        return true;
    }
    return false;
}

bool boot_path_find(struct symbol *name, struct boot_class *out) {
    *out = (struct boot_class){.entry = -1};
    const char *slash = memrchr(name->bytes, '/', name->length), *module = NULL;
    bool java_base_defined = atomic_load(&li()->java_base_defined);      /* its packages are found from then on     */
    struct symbol *package_name = symbol_lookup(name->bytes, slash ? (size_t)(slash - name->bytes) : 0);
    struct package *p = package_name ? package_lookup(vm->boot_loader, package_name) : NULL;
    symbol_release(package_name);
    /* Only packages of modules that are defined to the boot loader; until the library has defined any, of java.base. */
    if (p != NULL && p->module->name != NULL) module = p->module->name->bytes;
    else if (!java_base_defined && slash != NULL) module = "java.base";
    char *file = mem_printf("%s.class", name->bytes);
    if (file == NULL) return false;
    bool found = false;
    if (module != NULL) {
        found = find_in_entries(module, file, out);
        if (!found && jimage_find(li()->image, module, file, &out->bytes)) {
            out->mapped = jimage_owns(li()->image, out->bytes.data);
            out->source = mem_printf("jrt:/%s", module);
            found = true;
        }
    } else if (java_base_defined) {
        found = find_in_entries(NULL, file, out);
    }
    mem_free(file);
    return found;
}
