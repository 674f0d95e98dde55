/* Finding java.home from our own place, and reading which JDK it is. */
#include "base/jdk_home.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/os.h"

/* ---- The directory -------------------------------------------------------------------------------------------- */

static bool has_modules(const char *home) {
    char *modules = mem_printf("%s/lib/modules", home);
    bool  ok = modules && os_file_exists(modules);
    mem_free(modules);
    return ok;
}

/* Cuts the last `levels` components off; false when there are not so many. */
static bool strip(char *path, int levels) {
    while (levels-- > 0) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) return false;
        *slash = 0;
    }
    return true;
}

/* The path made absolute without following its last link: the directory is resolved, the name kept. */
static bool absolute(const char *path, char out[PATH_MAX]) {
    char copy[PATH_MAX], directory[PATH_MAX];
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy) return false;
    char *slash = strrchr(copy, '/');
    const char *name = slash ? slash + 1 : copy;
    if (slash) *slash = 0;
    if (!realpath(slash ? (slash == copy ? "/" : copy) : ".", directory)) return false;
    return (size_t)snprintf(out, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

/* HOME/lib/server/libjvm.so as the loader knows it, then with every link followed, then HOME/bin/java. */
static bool try_library(const char *libjvm, bool resolve, char out[PATH_MAX]) {
    if (!(resolve ? realpath(libjvm, out) != NULL : absolute(libjvm, out))) return false;
    return strip(out, 3) && has_modules(out);
}

static bool try_launcher(char out[PATH_MAX]) {
    return realpath("/proc/self/exe", out) && strip(out, 2) && has_modules(out);
}

static bool try_environment(char out[PATH_MAX]) {
    const char *home = os_env("VITRINE_JDK");
    return home && realpath(home, out) && has_modules(out);
}

bool jdk_home_find(struct jdk_home *out, const char *wanted, char **err) {
    char        home[PATH_MAX];
    const char *self = NULL;
    *err = NULL;
    if (!os_library_of((const void *)(uintptr_t)jdk_home_find, &self, NULL, NULL, NULL)) self = "";
    if ((wanted && realpath(wanted, home) && has_modules(home)) || try_library(self, false, home) ||
        try_library(self, true, home) || try_launcher(home) || try_environment(home)) {
        if (!jdk_home_read(out, home, err)) return false;
        if ((out->libjvm = mem_strdup(self))) return true;
        jdk_home_free(out);
        return false;
    }
    *err = mem_printf("No JDK found: neither around %s nor around the launcher is there a lib/modules "
                      "(-Djava.home=<directory> or VITRINE_JDK may name a JDK 17 or 25)", *self ? self : "libjvm.so");
    return false;
}

/* ---- The release file ----------------------------------------------------------------------------------------- */

/* The value of NAME="value", or NULL. */
static char *release_value(const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, name, n) != 0 || line[n] != '=') continue;
        const char *value = line + n + 1;
        if (*value == '"') value++;
        return mem_strndup(value, strcspn(value, "\"\r\n"));
    }
    return NULL;
}

#define RELEASE_MAX (64 * KIB)

static bool read_release(struct jdk_home *h, char **err) {
    char *path = mem_printf("%s/release", h->home);
    bool  is_file = path && os_is_regular(path);  /* a FIFO would wait for a writer */
    char *text = is_file ? os_read_text(path, RELEASE_MAX) : NULL;
    mem_free(path);
    if (!text) {
        *err = mem_printf("%s has no release file: it cannot be told which JDK it is", h->home);
        return false;
    }
    h->version = release_value(text, "JAVA_VERSION");
    h->vendor = release_value(text, "IMPLEMENTOR");
    h->runtime_version = release_value(text, "JAVA_RUNTIME_VERSION");
    mem_free(text);
    if (!h->runtime_version && h->version) h->runtime_version = mem_strdup(h->version);
    h->feature = h->version ? atoi(h->version) : 0;
    if (h->feature == 17 || h->feature == 25) return h->runtime_version != NULL;
    *err = mem_printf("%s is a JDK %s; this VM serves JDK 17 and JDK 25", h->home,
                      h->version ? h->version : "of unknown version");
    return false;
}

bool jdk_home_read(struct jdk_home *out, const char *home, char **err) {
    *err = NULL;
    *out = (struct jdk_home){ .home = mem_strdup(home), .modules = mem_printf("%s/lib/modules", home) };
    bool ok = out->home && out->modules;
    if (ok) {
        size_t n = strlen(out->home);
        while (n > 1 && out->home[n - 1] == '/') out->home[--n] = 0;
        if (!os_is_directory(home)) {
            *err = mem_printf("There is no JDK at %s", home);
            ok = false;
        } else if (!has_modules(home)) {
            *err = mem_printf("%s has no lib/modules: it is not the run-time image of a JDK", home);
            ok = false;
        } else {
            ok = read_release(out, err);
        }
    }
    if (!ok) jdk_home_free(out);
    return ok;
}

void jdk_home_free(struct jdk_home *h) {
    mem_free(h->home);
    mem_free(h->modules);
    mem_free(h->libjvm);
    mem_free(h->version);
    mem_free(h->vendor);
    mem_free(h->runtime_version);
    *h = (struct jdk_home){ 0 };
}
