/* management_notify.c — notifications of java.lang.management: collections, and memory pools that cross their
 * thresholds.
 *
 * What happens is noted where it happens: at the end of a collection, with the world stopped, or by a watch on the
 * memory in use. The "Notification Thread", a hidden Java thread that starts with the first wish, makes the objects and
 * runs the Java code. */
#include "base/os.h"
#include "jdk/jvm.h"
#include "jdk/management.h"
#include "jdk/service_thread.h"
#include "jit/jit.h"

enum sensor_kind { USAGE, COLLECTION_USAGE, SENSOR_KINDS };
enum { NOTIFICATION_PRIORITY = 9 };

/* A usage sensor goes on when the usage comes to the threshold and off when it falls below; a collection sensor is
 * triggered by every collection that leaves as much as the threshold. */
struct sensor {
    jobject object;                      /* global handle of a sun.management.Sensor, NULL: none              */
    int64_t high, low;                   /* bytes; 0: no threshold                                             */
    bool on;
    int32_t triggers, clears;            /* noted, not sent yet                                                */
    struct usage usage;                  /* at the latest trigger                                              */
};

struct collection_note {
    struct collection_note *next;
    struct heap_collection collection;
    int64_t wall_millis;
};

struct notifications {
    struct lock lock;                    /* guards what follows; innermost, and never held at a safepoint poll  */
    bool started, collections_wanted;
    struct collection_note *first, *last;
    struct sensor sensors[POOLS][SENSOR_KINDS];
    struct java_thread *_Atomic thread;
};

struct notifications *notifications_new(void) {
    struct notifications *n = mem_zalloc(sizeof *n);
    if (n != NULL) lock_init(&n->lock, "management notifications", LOCK_RANK_REFERENCE);
    return n;
}

void notifications_free(struct notifications *n) {
    if (n == NULL) return;
    if (n->started) arena_watch(SIZE_MAX);
    if (n->started && jit_is_used()) jit_watch_code(SIZE_MAX, NULL);
    for (struct collection_note *c = n->first, *next; c != NULL; c = next) {
        next = c->next;
        mem_free(c);
    }
    mem_free(n);
}

/* ---- noting: any thread that has entered the VM, or the one that stopped the world ------------------------------- */

/* NULL: nobody has asked for any. */
static struct notifications *started(void) {
    struct notifications *n = vm->jdk != NULL ? management_notifications_if_made() : NULL;
    return n != NULL && n->started ? n : NULL;
}

void management_wake(void) {
    struct notifications *n = started();
    struct java_thread *t = n ? atomic_load(&n->thread) : NULL;
    if (t != NULL) thread_unpark(t);     /* it lives as long as the VM */
}

/* Lock held. */
static void note_usage(struct sensor *s, struct usage u, enum sensor_kind kind) {
    bool over = s->high > 0 && u.used >= s->high, below = s->low > 0 && u.used < s->low;
    if (over && (kind == COLLECTION_USAGE || (!s->on && s->triggers == 0) || s->clears > 0)) {
        s->triggers++;
        s->usage = u;
        s->clears = 0;
    } else if (below && (s->on || s->triggers > 0) && s->clears == 0) {
        s->clears++;
    }
}

void management_collected(const struct heap_collection *c) {
    struct notifications *n = started();
    if (n == NULL) return;
    MAY_ALLOCATE("this collection is not notified");
    lock_acquire(&n->lock);
    struct collection_note *note = n->collections_wanted ? mem_alloc(sizeof *note) : NULL;
    if (note != NULL) {
        *note = (struct collection_note){.next = NULL, .collection = *c, .wall_millis = os_wall_millis()};
        if (n->last != NULL) n->last->next = note;
        else n->first = note;
        n->last = note;
    }
    for (int pool = 0; pool < management_pools(); pool++)
        note_usage(&n->sensors[pool][USAGE], management_usage_at(c, HEAP_POOL + pool, false), USAGE);
    note_usage(&n->sensors[0][COLLECTION_USAGE], management_usage_at(c, HEAP_POOL, false), COLLECTION_USAGE);
    lock_release(&n->lock);
    management_wake();
}

/* Where the usage of a pool shall be looked at next without a collection. */
static size_t watch_point(const struct sensor *s) {
    return s->high > 0 && !s->on && s->triggers == 0 ? (size_t)s->high : SIZE_MAX;
}

static void look_at_usage(struct os_thread *self, struct notifications *n) {
    size_t points[POOLS] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
    for (int pool = 0; pool < management_pools(); pool++) {
        struct usage u = management_usage(HEAP_POOL + pool);
        lock_acquire(&n->lock);
        note_usage(&n->sensors[pool][USAGE], u, USAGE);
        points[pool] = watch_point(&n->sensors[pool][USAGE]);
        lock_release(&n->lock);
    }
    heap_watch_usage(points[0]);
    arena_watch(points[METADATA_POOL - HEAP_POOL]);
    if (jit_is_used()) jit_watch_code(points[CODE_POOL - HEAP_POOL], self->java);
}

/* ---- sending: the Notification Thread ---------------------------------------------------------------------------- */

static struct object *usages(struct os_thread *self, const struct heap_collection *c, bool before) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *element = class_find_boot(self, "java/lang/management/MemoryUsage");
    int pools = management_pools();
    struct object *out = element ? new_ref_array(self, element, pools) : NULL;
    for (int pool = 0; out != NULL && pool < pools; pool++) {
        struct object *u = management_new_usage(self, management_usage_at(c, HEAP_POOL + pool, before));
        if (u == NULL) return NULL;
        heap_array_set(out, pool, u);
    }
    return out;
}

static uint64_t millis_of(int64_t nanotime) { return (uint64_t)((nanotime - vm->start_nanos) / 1000000); }

/* com.sun.management.GcInfo. */
static struct object *new_gc_info(struct os_thread *self, struct object *collector, const struct heap_collection *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint64_t args[11] = {slot_ref(collector)}, builder = 0;
    struct method *get = class_method_cstr(class_of(collector), "getGcInfoBuilder",
                                           "()Lcom/sun/management/internal/GcInfoBuilder;");
    struct class *info_class = get ? class_find_boot(self, "com/sun/management/GcInfo") : NULL;
    if (info_class == NULL || !java_call(self, get, args, &builder) || !class_ensure_initialized(self, info_class))
        return NULL;
    struct object *before = usages(self, c, true), *after = before ? usages(self, c, false) : NULL;
    struct object *extra = after ? new_ref_array(self, known_class(java_lang_Object), 1) : NULL;
    struct object *workers = extra ? box(self, T_INT, slot_int((int32_t)c->workers)) : NULL;
    struct object *info = workers ? heap_alloc_instance(self, &info_class->shape) : NULL;
    if (info == NULL) return NULL;
    heap_array_set(extra, 0, workers);
    args[0] = slot_ref(info);
    args[1] = builder;
    args[2] = c->number + 1;
    args[4] = millis_of(c->began);
    args[6] = millis_of(c->ended);
    args[8] = slot_ref(before);
    args[9] = slot_ref(after);
    args[10] = slot_ref(extra);
    struct method
        *init = class_method_cstr(info_class, "<init>",
                                  "(Lcom/sun/management/internal/GcInfoBuilder;JJJ[Ljava/lang/management/MemoryUsage;"
                                  "[Ljava/lang/management/MemoryUsage;[Ljava/lang/Object;)V");
    return init != NULL && java_call(self, init, args, NULL) ? info : NULL;
}

static void report_collection(struct os_thread *self, const struct collection_note *note) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *collector = management_bean(self, COLLECTOR);
    struct object *info = collector ? new_gc_info(self, collector, &note->collection) : NULL;
    struct object *name = info ? string_from_cstr(self, "Mark-Region") : NULL;
    struct object *action = name ? string_from_cstr(self, "end of major GC") : NULL;
    struct object *cause = action ? string_from_cstr(self, note->collection.cause) : NULL;
    if (cause == NULL) return;
    uint64_t args[7] =
        {slot_ref(collector), (uint64_t)note->wall_millis, 0, slot_ref(name), slot_ref(action), slot_ref(cause),
         slot_ref(info)};
    struct method *create =
        class_method_cstr(class_of(collector), "createGCNotification",
                          "(JLjava/lang/String;Ljava/lang/String;Ljava/lang/String;Lcom/sun/management/GcInfo;)V");
    if (create != NULL) java_call(self, create, args, NULL);
}

/* False: nothing was noted. */
static bool report_sensor(struct os_thread *self, struct notifications *n, struct sensor *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    lock_acquire(&n->lock);
    int32_t count = s->triggers;
    bool clear = s->clears > 0, any = clear || count > 0;
    struct usage u = s->usage;
    struct object *sensor = any && s->object != NULL ? handle_get(s->object) : NULL;
    if (any) {
        s->on = !clear;
        s->triggers = s->clears = 0;
    }
    lock_release(&n->lock);
    if (sensor == NULL) return any;
    uint64_t args[3] = {slot_ref(sensor), slot_int(count)};
    if (clear) {
        java_call_virtual(self, class_method_cstr(class_of(sensor), "clear", "(I)V"), args, NULL);
        return true;
    }
    struct object *usage = management_new_usage(self, u);
    args[2] = slot_ref(usage);
    if (usage == NULL) self->exception = NULL;
    java_call_virtual(self,
                      class_method_cstr(class_of(sensor), "trigger",
                                        usage ? "(ILjava/lang/management/MemoryUsage;)V" : "(I)V"),
                      args, NULL);
    return true;
}

static struct collection_note *take_note(struct notifications *n) {
    lock_acquire(&n->lock);
    struct collection_note *note = n->first;
    if (note != NULL && (n->first = note->next) == NULL) n->last = NULL;
    lock_release(&n->lock);
    return note;
}

/* Whatever a listener throws ends with it. */
static void run(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct notifications *n = arg;
    atomic_store(&n->thread, self->java);
    for (;;) {
        look_at_usage(self, n);
        bool more = false;
        for (struct collection_note *note; (note = take_note(n)) != NULL; mem_free(note)) {
            report_collection(self, note);
            self->exception = NULL;
        }
        for (int pool = 0; pool < management_pools(); pool++)
            for (int kind = 0; kind < SENSOR_KINDS; kind++) {
                more |= report_sensor(self, n, &n->sensors[pool][kind]);
                self->exception = NULL;
            }
        if (more) continue;              /* what was sent changes where to look next */
        thread_is_interrupted(self->java, true);
        thread_park(self, false, 0);
        thread_poll(self);
        self->exception = NULL;          /* a stop request does not end a service */
    }
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

/* Starts the thread with the first wish. False: exception pending. */
static bool start(struct os_thread *self, struct notifications *n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    lock_acquire(&n->lock);
    bool first = !n->started;
    n->started = true;
    lock_release(&n->lock);
    if (!first) return true;
    if (service_thread_start(self, "Notification Thread", NOTIFICATION_PRIORITY, true, run, n)) return true;
    lock_acquire(&n->lock);
    n->started = false;
    lock_release(&n->lock);
    return false;
}

static struct notifications *wanted(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct notifications *n = management_notifications();
    if (n == NULL) throw_out_of_memory(self, "management");
    return n != NULL && start(self, n) ? n : NULL;
}

void jmm_SetGCNotificationEnabled(JNIEnv *env, jobject manager, jboolean enabled) {
    NATIVE_ENTRY(env);
    if (management_which(handle_get(manager)) != COLLECTOR) return;
    struct notifications *n = wanted(self);
    if (n == NULL) return;
    lock_acquire(&n->lock);
    n->collections_wanted = enabled;
    lock_release(&n->lock);
}

/* The sensor that a pool and a type of threshold name; NULL: there is none. */
static struct sensor *sensor_of(struct notifications *n, jobject pool, jint type) {
    int p = management_which(handle_get(pool));
    enum sensor_kind kind = type == JMM_USAGE_THRESHOLD_HIGH || type == JMM_USAGE_THRESHOLD_LOW ? USAGE
                                                                                                : COLLECTION_USAGE;
    if (type < JMM_USAGE_THRESHOLD_HIGH || type > JMM_COLLECTION_USAGE_THRESHOLD_LOW) return NULL;
    if (p < HEAP_POOL || (p != HEAP_POOL && kind == COLLECTION_USAGE)) return NULL;
    return &n->sensors[p - HEAP_POOL][kind];
}

void jmm_SetPoolSensor(JNIEnv *env, jobject pool, jint type, jobject object) {
    NATIVE_ENTRY(env);
    struct notifications *n = wanted(self);
    struct sensor *s = n ? sensor_of(n, pool, type) : NULL;
    if (s == NULL) return;
    jobject fresh = handle_global(handle_get(object)), old;
    if (fresh == NULL) {
        throw_out_of_memory(self, "memory pool sensor");
        return;
    }
    lock_acquire(&n->lock);
    old = s->object;
    s->object = fresh;
    lock_release(&n->lock);
    if (old != NULL) handle_global_delete(old);
}

/* Answers the former threshold, -1 for one that cannot be set. */
jlong jmm_SetPoolThreshold(JNIEnv *env, jobject pool, jint type, jlong threshold) {
    NATIVE_ENTRY(env);
    if (threshold < 0) {
        throw_message(self, "java/lang/IllegalArgumentException", "Invalid threshold value");
        return -1;
    }
    struct notifications *n = wanted(self);
    struct sensor *s = n ? sensor_of(n, pool, type) : NULL;
    if (s == NULL) return -1;
    lock_acquire(&n->lock);
    int64_t *bound = type == JMM_USAGE_THRESHOLD_HIGH || type == JMM_COLLECTION_USAGE_THRESHOLD_HIGH ? &s->high
                                                                                                     : &s->low;
    int64_t before = *bound;
    *bound = threshold;
    lock_release(&n->lock);
    if (before != threshold) management_wake();
    return before;
}
