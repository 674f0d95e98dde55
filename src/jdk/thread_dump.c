/* thread_dump.c — what every Java thread does now, in jstack's layout. */
#include "jdk/thread_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "inspect/thread_info.h"
#include "jdk/deadlock.h"
#include "jdk/frame_text.h"
#include "jdk/jvm.h"
#include "thread/identity.h"

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static void put_object(FILE *out, const char *what, struct object *o) {
    struct class *c = class_of(o);
    bool is_mirror = c == known_class(java_lang_Class);
    struct class *of = is_mirror ? class_of_mirror(o) : c;
    char *name = of ? class_external_name(of) : NULL;
    fprintf(out, "\t- %s <0x%016lx> (a %s%s)\n", what, (unsigned long)(uintptr_t)o,
            is_mirror ? "java.lang.Class for " : "", name ? name : "?");
    mem_free(name);
}

static void put_frame(FILE *out, const struct frame_cursor *f) {
    char *text = frame_text(cursor_code(f), cursor_bci(f));
    fprintf(out, "\tat %s\n", text ? text : "?");
    mem_free(text);
}

static bool is_object_wait(const struct method *m) {
    return m->holder == known_class(java_lang_Object) && m->access_flags & ACC_NATIVE &&
           strncmp(m->name->bytes, "wait", 4) == 0;
}

/* Is it in Object.wait, or about to return from there? */
static bool is_in_wait(struct java_thread *t) {
    struct frame_cursor f = frame_first(t);
    return cursor_valid(&f) && is_object_wait(cursor_method(&f));
}

static void put_awaited_class(FILE *out, const struct class *c) {
    char *name = class_external_name(c);
    fprintf(out, "\t- waiting on the Class initialization monitor for %s\n", name ? name : "?");
    mem_free(name);
}

static void put_stack(FILE *out, struct java_thread *t) {
    for (struct frame_cursor f = frame_first(t); cursor_valid(&f); frame_next(&f)) {
        put_frame(out, &f);
        if (cursor_is_youngest(&f)) {
            bool in_wait = is_object_wait(cursor_method(&f));
            struct object *blocker = heap_load_ref(t->mirror, known_offset(Thread_parkBlocker));
            if (in_wait && atomic_load(&t->waiting_on) && t->blocked_object)
                put_object(out, "waiting on", t->blocked_object);
            else if (blocker != NULL) put_object(out, "parking to wait for ", blocker);
            else if (atomic_load(&t->awaited_class)) put_awaited_class(out, atomic_load(&t->awaited_class));
            if (atomic_load(&t->blocked_on) && t->blocked_object)
                put_object(out, in_wait ? "waiting to re-lock in wait()" : "waiting to lock", t->blocked_object);
        }
        for (uint32_t i = t->lock_count; i-- > 0;)
            if (cursor_holds(&f, &t->locks[i])) put_object(out, "locked", t->locks[i].object);
    }
}

static const char *status_text(int32_t status) {
    switch (status) {
    case THREAD_STATUS_NEW: return "NEW";
    case THREAD_STATUS_RUNNABLE: return "RUNNABLE";
    case THREAD_STATUS_SLEEPING: return "TIMED_WAITING (sleeping)";
    case THREAD_STATUS_WAITING: return "WAITING (on object monitor)";
    case THREAD_STATUS_TIMED_WAITING: return "TIMED_WAITING (on object monitor)";
    case THREAD_STATUS_PARKED: return "WAITING (parking)";
    case THREAD_STATUS_TIMED_PARKED: return "TIMED_WAITING (parking)";
    case THREAD_STATUS_BLOCKED: return "BLOCKED (on object monitor)";
    case THREAD_STATUS_TERMINATED: return "TERMINATED";
    default: return "UNKNOWN";
    }
}

static const char *activity(struct java_thread *t, int32_t status) {
    if (atomic_load(&t->waiting_on) || atomic_load(&t->awaited_class)) return "in Object.wait()";
    if (atomic_load(&t->blocked_on)) return is_in_wait(t) ? "in Object.wait()" : "waiting for monitor entry";
    bool blocked = thread_activity(t) == ACTIVITY_WAITS;
    return status != THREAD_STATUS_RUNNABLE || blocked ? "waiting on condition" : "runnable";
}

/* Seconds since the kernel made the thread; 0 when it does not say. */
static double elapsed_seconds(int tid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    char *stat = os_read_text(path, 4096);
    const char *p = stat ? strrchr(stat, ')') : NULL;
    unsigned long long ticks = 0;
    struct timespec now;
    bool known = p != NULL &&
                 sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                        &ticks) == 1 &&
                 clock_gettime(CLOCK_BOOTTIME, &now) == 0;
    mem_free(stat);
    if (!known) return 0;
    double seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - (double)ticks / (double)sysconf(_SC_CLK_TCK);
    return seconds > 0 ? seconds : 0;
}

static char *thread_name(struct java_thread *t) {
    struct object *name = heap_load_ref(t->mirror, known_offset(Thread_name));
    return name ? string_dup_utf8(name) : mem_strdup("");
}

static void put_extended(FILE *out, const struct java_thread *t) {
    struct amount bytes = amount_of((size_t)MAX(heap_thread_allocated(t), INT64_C(0)));
    fprintf(out, "allocated=%zu%c defined_classes=%u ", bytes.number, bytes.unit, thread_defined_classes(t));
}

static void put_thread(FILE *out, struct java_thread *t, bool extended) {
    struct thread_info info;
    thread_info_of(t->mirror, &info);
    char *name = thread_name(t);
    int tid = thread_tid(t);
    int64_t cpu = thread_cpu_ns(t, false);
    fprintf(out, "\"%s\" #%" PRId64, name ? name : "", thread_id_of(t->mirror));
    if (vm->library != LIBRARY_17) fprintf(out, " [%d]", tid);
    fprintf(out, "%s prio=%d os_prio=0 cpu=%.2fms elapsed=%.2fs ", info.daemon ? " daemon" : "", info.priority,
            cpu > 0 ? (double)cpu / 1e6 : 0.0, elapsed_seconds(tid));
    if (extended) put_extended(out, t);
    fprintf(out, vm->library == LIBRARY_17 ? "tid=0x%016lx nid=0x%x " : "tid=0x%016lx nid=%d ",
            (unsigned long)(uintptr_t)t, tid);
    fprintf(out, "%s  [0x%016lx]\n", activity(t, info.status),
            (unsigned long)((uintptr_t)t->frame & ~(uintptr_t)0xfff));
    fprintf(out, "   java.lang.Thread.State: %s\n", status_text(info.status));
    mem_free(name);
    put_stack(out, t);
}

/* ---- java.util.concurrent locks ---------------------------------------------------------------------------------- */

struct owned { struct object *synchronizer, *owner; };
struct owned_list { struct owned *data; size_t count, capacity; };

static bool collect_owned(void *arg, struct object *o) {
    struct owned_list *list = arg;
    if (shape_of(o)->kind != SHAPE_INSTANCE ||
        !object_is_instance(o, known_class(java_util_concurrent_locks_AbstractOwnableSynchronizer)))
        return true;
    struct object *owner = heap_load_ref(o, known_offset(AbstractOwnableSynchronizer_exclusiveOwnerThread));
    if (owner == NULL) return true;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        struct owned *grown = mem_realloc(list->data, capacity * sizeof *grown);
        if (grown == NULL) return false;
        list->data = grown;
        list->capacity = capacity;
    }
    list->data[list->count++] = (struct owned){o, owner};
    return true;
}

static void put_owned(FILE *out, const struct owned_list *list, struct java_thread *t) {
    fputs("\n   Locked ownable synchronizers:\n", out);
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->data[i].owner != t->mirror) continue;
        char *name = class_external_name(class_of(list->data[i].synchronizer));
        fprintf(out, "\t- <0x%016lx> (a %s)\n", (unsigned long)(uintptr_t)list->data[i].synchronizer,
                name ? name : "?");
        mem_free(name);
        any = true;
    }
    if (!any) fputs("\t- None\n", out);
}

/* ---- deadlocks --------------------------------------------------------------------------------------------------- */

struct deadlock_report { FILE *out; unsigned count; };

static void put_deadlock(void *arg, struct java_thread *const *cycle, size_t n) {
    struct deadlock_report *r = arg;
    r->count++;
    fputs("\nFound one Java-level deadlock:\n=============================\n", r->out);
    for (size_t i = 0; i < n; i++) {
        struct thread_wait w = thread_wait_of(cycle[i], true);
        char *name = thread_name(cycle[i]), *owner = thread_name(cycle[(i + 1) % n]),
             *class_name = class_external_name(class_of(w.object));
        fprintf(r->out, "\"%s\":\n", name ? name : "");
        if (w.is_monitor)
            fprintf(r->out, "  waiting to lock monitor 0x%016lx (object 0x%016lx, a %s),\n",
                    (unsigned long)(uintptr_t)atomic_load(&cycle[i]->blocked_on), (unsigned long)(uintptr_t)w.object,
                    class_name ? class_name : "?");
        else
            fprintf(r->out, "  waiting for ownable synchronizer 0x%016lx, (a %s),\n",
                    (unsigned long)(uintptr_t)w.object, class_name ? class_name : "?");
        fprintf(r->out, "  which is held by \"%s\"\n\n", owner ? owner : "");
        mem_free(name);
        mem_free(owner);
        mem_free(class_name);
    }
    fputs("Java stack information for the threads listed above:\n===================================================\n",
          r->out);
    for (size_t i = 0; i < n; i++) {
        char *name = thread_name(cycle[i]);
        fprintf(r->out, "\"%s\":\n", name ? name : "");
        mem_free(name);
        put_stack(r->out, cycle[i]);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool count_handle(void *arg, jobject handle, struct object *o) {
    (void)handle, (void)o;
    ++*(unsigned *)arg;
    return true;
}

void put_metaspace_line(FILE *out) {
    size_t all = arena_total() / KIB;
    fprintf(out, " Metaspace       used %zuK, committed %zuK, reserved %zuK\n", all, all, all);
}

static void put_end(FILE *out, bool heap) {
    unsigned globals = 0, weak = 0;
    handles_walk_global(false, count_handle, &globals);
    handles_walk_global(true, count_handle, &weak);
    fprintf(out, "JNI global refs: %u, weak refs: %u\n\n", globals, weak);
    struct deadlock_report r = {out, 0};
    deadlocks_find(true, put_deadlock, &r);
    if (r.count != 0) fprintf(out, "\nFound %u deadlock%s.\n\n", r.count, r.count == 1 ? "" : "s");
    if (!heap) return;
    char text[HEAP_DESCRIPTION];
    heap_describe(text, sizeof text, " ");
    fprintf(out, "Heap\n%s", text);
    put_metaspace_line(out);
    fputc('\n', out);
}

char *thread_dump_text(struct os_thread *self, unsigned more) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    char when[64];
    time_t now = time(NULL);
    struct tm local;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now, &local));
    const char *name = options_property(vm->options, "java.vm.name"),
               *version = options_property(vm->options, "java.vm.version"),
               *mode = options_property(vm->options, "java.vm.info");
    fprintf(out, "%s\nFull thread dump %s (%s %s):\n\n", when, name ? name : "", version ? version : "",
            mode ? mode : "");
    struct owned_list owned = {0};
    safepoint_begin(self, "ThreadDump");
    MAY_ALLOCATE("the dump says less");
    if (more & THREAD_DUMP_LOCKS) heap_walk(collect_owned, &owned);
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next) {
        if (!thread_is_visible(t)) continue;
        put_thread(out, t, more & THREAD_DUMP_EXTENDED);
        if (more & THREAD_DUMP_LOCKS) put_owned(out, &owned, t);
        fputc('\n', out);
    }
    put_end(out, more & THREAD_DUMP_HEAP);
    safepoint_end(self);
    mem_free(owned.data);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void thread_dump_print(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *text = thread_dump_text(self, THREAD_DUMP_HEAP |
                                            (vm->options->flags.PrintConcurrentLocks ? THREAD_DUMP_LOCKS : 0));
    if (text == NULL) return;
    thread_to_native(self);              /* standard output may be a slow pipe */
    vm_print(false, "%s", text);
    thread_from_native(self);
    free(text);
}
