/* The native libraries of the VM's class loaders: opened and closed by the class library, unloaded at the end of the
 * VM. */
#include "base/os.h"
#include "base/table.h"
#include "jni/jni_internal.h"

/* One per successful open, and one per library that is linked into the program. In vm->jni_state->libraries, oldest
 * first. */
struct jni_library {
    void *handle;
    char *linked;    /* L of JNI_OnLoad_L, for one that is linked into the program; else NULL */
    bool started;    /* its JNI_OnLoad has been looked up: JNI_OnUnload is due */
    bool kept;    /* a thread that cannot be ended runs its code */
};

static struct jni_library *library_at(size_t i) { return vm->jni_state->libraries.data[i]; }

static void library_free(struct jni_library *l) {
    mem_free(l->linked);
    mem_free(l);
}

static bool library_add(void *handle, const char *linked, bool started) {
    struct jni_state *state = vm->jni_state;
    struct jni_library *l = mem_zalloc(sizeof *l);
    if (!l) return false;
    l->handle = handle;
    l->started = started;
    l->linked = linked ? mem_strdup(linked) : NULL;
    lock_acquire(&state->library_lock);
    bool ok = (!linked || l->linked) && vec_push(&state->libraries, l);
    lock_release(&state->library_lock);
    if (!ok) library_free(l);
    return ok;
}

/* The newest one of that handle (and name); caller holds the lock. SIZE_MAX: none. */
static size_t library_find(void *handle, const char *linked) {
    for (size_t i = vm->jni_state->libraries.count; i-- > 0;) {
        struct jni_library *l = library_at(i);
        if (l->handle == handle && (linked ? l->linked && strcmp(l->linked, linked) == 0 : !l->linked)) return i;
    }
    return SIZE_MAX;
}

static void library_remove(void *handle, const char *linked) {
    struct jni_state *state = vm->jni_state;
    lock_acquire(&state->library_lock);
    size_t i = library_find(handle, linked);
    if (i != SIZE_MAX) {
        library_free(library_at(i));
        state->libraries.count--;
        memmove(&state->libraries.data[i], &state->libraries.data[i + 1],
                (state->libraries.count - i) * sizeof state->libraries.data[0]);
    }
    lock_release(&state->library_lock);
}

void *native_library_open(const char *path, char **why) {
    void *handle = os_library_open(path, why);
    if (!handle || library_add(handle, NULL, false)) return handle;
    os_library_close(handle);
    return NULL;
}

void native_library_close(void *handle) {
    library_remove(handle, NULL);
    os_library_close(handle);
}

/* The class library looks a library's JNI_OnLoad up when it loads it, whether there is one or not, and its JNI_OnUnload
 * when the loader goes; that tells libraries of JNI from those that are only opened. */
void *native_library_entry(void *handle, const char *name) {
    static const char load[] = "JNI_OnLoad", unload[] = "JNI_OnUnload_";
    void *entry = os_library_find(handle, name);
    if (strcmp(name, load) == 0) {
        lock_acquire(&vm->jni_state->library_lock);
        size_t i = library_find(handle, NULL);
        if (i != SIZE_MAX) library_at(i)->started = true;
        lock_release(&vm->jni_state->library_lock);
    } else if (entry && strncmp(name, load, sizeof load - 1) == 0 && name[sizeof load - 1] == '_') {
        library_add(handle, name + sizeof load, true);
    } else if (strncmp(name, unload, sizeof unload - 1) == 0) {
        library_remove(handle, name + sizeof unload - 1);
    }
    return entry;
}

bool native_library_adopt(void *handle) { return library_add(handle, NULL, true); }

/* ---- the end of the VM ------------------------------------------------------------------------------------------- */

/* java.home may be made of links: the class library opens its libraries by their real paths. */
bool native_code_is_jdk(const void *code) {
    const char *path, *slash;
    if (!os_library_of(code, &path, NULL, NULL, NULL) || !(slash = strrchr(path, '/'))) return false;
    char *at_home = mem_printf("%s/lib%s", vm->java_home, slash);
    bool is_same = at_home && os_is_same_file(path, at_home);
    mem_free(at_home);
    return is_same;
}

static bool is_jdk_library(void *handle) {
    uintptr_t low, high;
    return os_library_range(handle, &low, &high) && native_code_is_jdk((void *)low);
}

void native_libraries_keep(const void *code) {
    for (size_t i = 0; i < vm->jni_state->libraries.count; i++) {
        struct jni_library *l = library_at(i);
        if (!l->linked && (code ? os_library_contains(l->handle, code) : !is_jdk_library(l->handle))) l->kept = true;
    }
}

/* Found through a library that has none of its own, the function may be another library's. */
static void (*unload_function(struct jni_library *l))(JavaVM *, void *) {
    void *f;
    if (l->linked) {
        char *name = mem_printf("JNI_OnUnload_%s", l->linked);
        f = name ? os_library_find(l->handle, name) : NULL;
        mem_free(name);
    } else {
        f = os_library_find(l->handle, "JNI_OnUnload");
        if (f && !os_library_contains(l->handle, f)) f = NULL;
    }
    return (void (*)(JavaVM *, void *))f;
}

/* Unloaded ones that are still open, newest first. */
static VEC(void *) unloaded;

void native_libraries_close(void) {
    for (size_t i = 0; i < unloaded.count; i++) os_library_close(unloaded.data[i]);
    vec_free(&unloaded);
}

void native_libraries_unload(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jni_state *state = vm->jni_state;
    while (state->libraries.count > 0) {
        struct jni_library *l = state->libraries.data[--state->libraries.count];
        if (!l->kept) {
            void (*unload)(JavaVM *, void *) = l->started ? unload_function(l) : NULL;
            thread_to_native(self);
            if (unload) unload(&vm->jni, NULL);
            if (!l->linked && !vec_push(&unloaded, l->handle)) os_library_close(l->handle);
            thread_from_native(self);
            self->exception = NULL;
        }
        library_free(l);
    }
    vec_free(&state->libraries);
}
