/* agent.c: starting, attaching and stopping agents (Agent Start-Up, Agent Shutdown). */
#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "jvmti_gen.h"
#include "jvmti/tools.h"
#include "thread/handle.h"

#include <stdio.h>
#include <string.h>

typedef jint (JNICALL *start_function)(JavaVM *vm, char *options, void *reserved);
typedef void (JNICALL *unload_function)(JavaVM *vm);

/* An agent that has been started; in order of start. */
struct agent_library {
    struct agent_library *next;
    void *handle;                                 /* NULL: linked into the process                                */
    char *name;                                   /* as given                                                     */
    char *base;                                   /* L of Agent_OnLoad_L                                          */
};

/* ---- libraries and their entry points ---------------------------------------------------------------------------- */

/* foo of "foo", of "/dir/libfoo.so"; malloc'd. */
static char *base_name(const char *name, bool is_path) {
    if (!is_path) return mem_strdup(name);
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    if (strncmp(file, "lib", 3) == 0) file += 3;
    const char *dot = strrchr(file, '.');
    return mem_strndup(file, dot ? (size_t)(dot - file) : strlen(file));
}

/* A function that is linked into the process under <function>_<base>. */
static void *find_linked(const char *function, const char *base) {
    char *name = mem_printf("%s_%s", function, base);
    void *f = name ? os_library_find(NULL, name) : NULL;
    mem_free(name);
    return f;
}

static void *find_function(const struct agent_library *a, const char *function) {
    return a->handle ? os_library_find(a->handle, function) : find_linked(function, a->base);
}

/* lib<name>.so of the JDK first, then by the system's search path. */
static void *open_by_name(const char *name, char **reason) {
    /* As HotSpot: the directories of sun.boot.library.path, then wherever the system looks. */
    const char *path = options_property(vm->options, "sun.boot.library.path");
    for (size_t n = 0; path != NULL && *path != '\0'; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        char *file = mem_printf("%.*s/lib%s.so", (int)n, path, name);
        void *handle = file && os_file_exists(file) ? os_library_open(file, NULL) : NULL;
        mem_free(file);
        if (handle != NULL) return handle;
    }
    char *file = mem_printf("lib%s.so", name);
    void *handle = file ? os_library_open(file, reason) : NULL;
    mem_free(file);
    return handle;
}

static void agent_library_free(struct agent_library *a) {
    if (a == NULL) return;
    mem_free(a->name);
    mem_free(a->base);
    mem_free(a);
}

/* Of an agent that did not start, and is not to stay. */
static void agent_library_unload(struct agent_library *a) {
    if (a->handle) os_library_close(a->handle);
    agent_library_free(a);
}

/* Finds the library of an agent; NULL with HotSpot's sentence in *error. */
static struct agent_library *locate(const char *name, bool is_path, const char *start, char **error) {
    struct agent_library *a = mem_zalloc(sizeof *a);
    if (a) {
        a->name = mem_strdup(name);
        a->base = base_name(name, is_path);
    }
    if (a == NULL || a->name == NULL || a->base == NULL) {
        agent_library_free(a);
        *error = mem_strdup("Out of memory for an agent library");
        return NULL;
    }
    if (find_linked(start, a->base)) return a;
    char *reason = NULL;
    a->handle = is_path ? os_library_open(name, &reason) : open_by_name(name, &reason);
    if (a->handle) return a;
    if (strcmp(start, "Agent_OnAttach") == 0) *error = mem_printf("%s was not loaded.\n%s", name, reason ? reason : "");
    else
        *error = mem_printf("Could not find agent library %s %s, with error: %s", name,
                            is_path ? "in absolute path" : "on the library path", reason ? reason : "unknown");
    mem_free(reason);
    agent_library_free(a);
    return NULL;
}

static void append(struct agent_library *a) {
    struct agent_library **last = &vm->jvmti->agents;
    lock_acquire(&vm->jvmti->lock);
    while (*last) last = &(*last)->next;
    *last = a;
    lock_release(&vm->jvmti->lock);
}

static _Thread_local const char *starting;
const char *agent_starting(void) { return starting; }

/* Runs a start-up function in native state; the options are the agent's to scribble in, and gone afterwards. */
static jint run_start(struct os_thread *self, const struct agent_library *a, start_function start,
                      const char *options) {
    REQUIRES(IN_VM | MAY_STOP);
    const char *outer = starting;
    char *copy = mem_strdup(options ? options : "");
    if (copy == NULL) return JNI_ENOMEM;
    starting = a->name;
    if (self) thread_to_native(self);
    jint result = start(&vm->jni, copy, NULL);
    if (self) thread_from_native(self);
    starting = outer;
    mem_free(copy);
    return result;
}

/* ---- OnLoad ------------------------------------------------------------------------------------------------------ */

static bool start_agent(struct os_thread *self, const struct vm_agent *wanted, char **error) {
    REQUIRES(IN_VM | MAY_STOP);
    struct agent_library *a = locate(wanted->name, wanted->kind == AGENT_PATH, "Agent_OnLoad", error);
    if (a == NULL) return false;
    const char *entry = "JVM_OnLoad";
    start_function start = wanted->kind == AGENT_XRUN && a->handle ? (start_function)find_function(a, entry) : NULL;
    if (start == NULL) start = (start_function)find_function(a, entry = "Agent_OnLoad");
    if (start == NULL) {
        *error = wanted->kind == AGENT_XRUN
                     ? mem_printf("Could not find JVM_OnLoad or Agent_OnLoad function in the library: %s", a->name)
                     : mem_printf("Could not find Agent_OnLoad function in the agent library: %s", a->name);
        agent_library_free(a);
        return false;
    }
    log_info(jvmti, "agent %s: %s(\"%s\")", a->name, entry, wanted->options ? wanted->options : "");
    jint result = run_start(self, a, start, wanted->options);
    if (result != 0) {
        const char *what = strcmp(entry, "JVM_OnLoad") == 0 ? "-Xrun library failed to init"
                           : vm->library == LIBRARY_17      ? "agent library failed to init"
                                                            : "agent library failed Agent_OnLoad";
        *error = mem_printf("%s: %s", what, a->name);
        agent_library_free(a);
        return false;
    }
    append(a);
    return true;
}

bool agents_start(struct os_thread *self, char **error) {
    REQUIRES(IN_VM | MAY_STOP);
    struct vm_options *o = vm->options;
    for (size_t i = 0; i < o->agents.count; i++)
        if (!start_agent(self, &o->agents.data[i], error)) return false;
    return true;
}

/* ---- OnAttach ---------------------------------------------------------------------------------------------------- */

/* From 21 on an agent that comes late is announced, unless the user has said that it may. Java agents announce
 * themselves. */
static void warn_of_late_agent(const struct agent_library *a) {
    bool asked_for = flag_origin_of(vm->options, FLAG_ID_EnableDynamicAgentLoading) != FLAG_DEFAULT;
    if (vm->library == LIBRARY_17 || asked_for || strcmp(a->base, "instrument") == 0) return;
    for (struct agent_library *other = vm->jvmti->agents; other; other = other->next)
        if (other->handle == a->handle && strcmp(other->base, a->base) == 0) return;
    vm_print(true, "WARNING: A JVM TI agent has been loaded dynamically (%s)\n"
                   "WARNING: If a serviceability tool is in use, please run with -XX:+EnableDynamicAgentLoading to "
                       "hide this warning\n"
                   "WARNING: Dynamic loading of agents will be disallowed by default in a future release\n", a->name);
}

int agent_attach(struct os_thread *self, const char *library, bool absolute, const char *options, jint *result,
                 char **error) {
    REQUIRES(IN_VM | MAY_STOP);
    struct agent_library *a = locate(library, absolute, "Agent_OnAttach", error);
    if (a == NULL) return -1;
    warn_of_late_agent(a);
    start_function start = (start_function)find_function(a, "Agent_OnAttach");
    if (start == NULL) {
        *error = mem_printf("Agent_OnAttach is not available in %s", library);
        agent_library_unload(a);
        return -1;
    }
    if (!handle_frame_push(self, 16, false)) {
        self->exception = NULL;
        *error = mem_strdup("Out of memory for local references");
        agent_library_unload(a);
        return -1;
    }
    log_info(jvmti, "agent %s: Agent_OnAttach(\"%s\")", a->name, options ? options : "");
    *result = run_start(self, a, start, options);
    handle_frame_pop(self);
    self->exception = NULL;
    if (*result == 0) append(a);
    else agent_library_unload(a);
    return 0;
}

/* ---- native methods: agents are searched after all other libraries ----------------------------------------------- */

void *agent_find_native(const char *symbol) {
    void *found = NULL;
    lock_acquire(&vm->jvmti->lock);
    for (struct agent_library *a = vm->jvmti->agents; a && !found; a = a->next)
        if (a->handle) found = os_library_find(a->handle, symbol);
    lock_release(&vm->jvmti->lock);
    return found;
}

void *agent_function(const char *name, const char *function) {
    void *found = NULL;
    lock_acquire(&vm->jvmti->lock);
    for (struct agent_library *a = vm->jvmti->agents; a && !found; a = a->next)
        if (a->handle && strcmp(a->name, name) == 0) found = os_library_find(a->handle, function);
    lock_release(&vm->jvmti->lock);
    return found;
}

/* ---- OnUnload ---------------------------------------------------------------------------------------------------- */

/* Asked before OnUnload, which may put the signal back: a handler may run still, in a thread of the host that is no
 * thread of ours, when the VM unmaps its libraries. So such a library stays. */
static bool handles_signals(const struct agent_library *a) {
    uintptr_t low, high;
    return a->handle && os_library_range(a->handle, &low, &high) && os_signal_handled_in(low, high);
}

void agents_stop(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct agent_library *next;
    for (struct agent_library *a = vm->jvmti->agents; a; a = next) {
        next = a->next;
        if (handles_signals(a)) os_library_stays(a->handle);
        unload_function unload = (unload_function)find_function(a, "Agent_OnUnload");
        if (unload) {
            log_info(jvmti, "agent %s: Agent_OnUnload", a->name);
            if (self) thread_to_native(self);
            unload(&vm->jni);
            if (self) thread_from_native(self);
        }
        agent_library_free(a);
    }
    vm->jvmti->agents = NULL;
}

void agents_forget(void) {
    for (struct agent_library *a = vm->jvmti->agents, *next; a; a = next) {
        next = a->next;
        agent_library_free(a);
    }
    vm->jvmti->agents = NULL;
}

void agents_visit(void (*visit)(void *arg, const char *name), void *arg) {
    for (struct agent_library *a = vm->jvmti ? vm->jvmti->agents : NULL; a; a = a->next) visit(arg, a->name);
}
