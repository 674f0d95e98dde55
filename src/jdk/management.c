/* management.c — JVM_GetManagement: the function tables of java.lang.management for both libraries; run time, memory,
 * flags.
 *
 * Memory as the beans show it: the pool "Heap" of the collector "Mark-Region"; and by HotSpot's names, which monitors
 * look for, "Metaspace" (class data of all loaders) and "CodeCache" with their managers. */
#include "base/options.h"
#include "base/os.h"
#include "jdk/boot.h"
#include "jdk/diagnostic_command.h"
#include "jdk/heap_dump_file.h"
#include "jdk/jvm.h"
#include "jdk/management.h"
#include "jdk/thread_life.h"
#include "jit/jit.h"

/* Beans are made on first use and kept; a lock-free race makes one too many at worst, and the first one stays. */
struct management_state {
    jobject _Atomic beans[BEANS];
    _Atomic size_t peak[BEANS];
    _Atomic bool cpu_time, allocated_memory;
    struct notifications *notifications;
};

static struct management_state *state(void) {
    struct jdk_state *jdk = thread_life();
    struct management_state *s = atomic_load_explicit(&jdk->management, memory_order_acquire);
    if (s != NULL) return s;
    struct management_state *fresh = mem_zalloc(sizeof *fresh), *expected = NULL;
    if (fresh == NULL || (fresh->notifications = notifications_new()) == NULL) {
        mem_free(fresh);
        return NULL;
    }
    fresh->cpu_time = true;
    fresh->allocated_memory = true;
    if (atomic_compare_exchange_strong(&jdk->management, &expected, fresh)) return fresh;
    notifications_free(fresh->notifications);
    mem_free(fresh);
    return expected;
}

struct notifications *management_notifications(void) {
    struct management_state *s = state();
    return s ? s->notifications : NULL;
}

struct notifications *management_notifications_if_made(void) {
    struct management_state *s = atomic_load(&thread_life()->management);
    return s ? s->notifications : NULL;
}

void management_destroy(void) {
    struct management_state *s = thread_life()->management;
    if (s == NULL) return;
    notifications_free(s->notifications);
    mem_free(s);
    thread_life()->management = NULL;
}

/* ---- versions ---------------------------------------------------------------------------------------------------- */

static jint JNICALL jmm_GetVersion(JNIEnv *env) {
    (void)env;
    return vm->library == LIBRARY_17 ? JMM_VERSION_17 : JMM_VERSION_25;
}

static jint JNICALL jmm_GetOptionalSupport(JNIEnv *env, struct jmm_optional_support *out) {
    (void)env;
    if (out == NULL) return -1;
    *out = (struct jmm_optional_support){
        .low_memory_detection = 1, .compilation_time = jit_is_used(), .thread_contention = 1,
        .current_thread_cpu_time = 1, .other_thread_cpu_time = 1,
        .object_monitor_usage = 1, .synchronizer_usage = 1, .thread_allocated_memory = 1,
        .remote_diagnostic_commands = 1,
    };
    return 0;
}

/* ---- beans ------------------------------------------------------------------------------------------------------- */

static struct object *text(struct os_thread *self, const char *s) { return string_from_cstr(self, s); }

static struct object *new_pool(struct os_thread *self, const char *name, bool heap) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "sun/management/ManagementFactoryHelper");
    struct object *s = c ? text(self, name) : NULL;
    /* Thresholds of usage and of usage after a collection. 0: none set yet; -1: there cannot be one. */
    uint64_t args[6] = {slot_ref(s), heap, 0, 0, heap ? 0 : (uint64_t)INT64_C(-1), 0}, result = 0;
    if (s == NULL ||
        !java_call_static_named(self, c, "createMemoryPool",
                                "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;", args, &result))
        return NULL;
    return slot_object(result);
}

static struct object *new_manager(struct os_thread *self, const char *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "sun/management/ManagementFactoryHelper");
    struct object *s = c ? text(self, name) : NULL;
    uint64_t args[1] = {slot_ref(s)}, result = 0;
    if (s == NULL ||
        !java_call_static_named(self, c, "createMemoryManager",
                                "(Ljava/lang/String;)Ljava/lang/management/MemoryManagerMXBean;", args, &result))
        return NULL;
    return slot_object(result);
}

/* jdk.management's richer bean when that module is there. */
static struct object *new_collector(struct os_thread *self, const char *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "com/sun/management/internal/GarbageCollectorExtImpl");
    if (c == NULL && self->exception == NULL) c = class_find_boot(self, "sun/management/ManagementFactoryHelper");
    struct object *s = c ? text(self, name) : NULL;
    uint64_t args[2] = {slot_ref(s), 0}, result = 0;
    if (s == NULL || !class_ensure_initialized(self, c) ||
        !java_call_static_named(self, c, "createGarbageCollector",
                                "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/management/GarbageCollectorMXBean;",
                                args, &result))
        return NULL;
    return slot_object(result);
}

struct object *management_bean(struct os_thread *self, enum management_bean which) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct management_state *s = state();
    jobject h = s ? atomic_load(&s->beans[which]) : NULL;
    if (h != NULL) return handle_get(h);
    struct object *o = NULL;
    switch (which) {
    case COLLECTOR: o = new_collector(self, "Mark-Region"); break;
    case METADATA_MANAGER: o = new_manager(self, "Metaspace Manager"); break;
    case CODE_MANAGER: o = new_manager(self, "CodeCacheManager"); break;
    case HEAP_POOL: o = new_pool(self, "Heap", true); break;
    case METADATA_POOL: o = new_pool(self, "Metaspace", false); break;
    default: o = new_pool(self, "CodeCache", false); break;
    }
    jobject made = o ? handle_global(o) : NULL;
    if (made == NULL) {
        if (self->exception == NULL) throw_out_of_memory(self, "management");
        return NULL;
    }
    jobject expected = NULL;
    if (atomic_compare_exchange_strong(&s->beans[which], &expected, made)) return o;
    handle_global_delete(made);
    return handle_get(expected);
}

int management_which(struct object *o) {
    struct management_state *s = state();
    for (int i = 0; s != NULL && i < BEANS; i++) {
        jobject h = atomic_load(&s->beans[i]);
        if (h != NULL && handle_get(h) == o) return i;
    }
    return -1;
}

int management_pools(void) { return jit_is_used() ? POOLS : CODE_POOL - HEAP_POOL; }

/* Each pool has a manager of its own, in the same order. */
static enum management_bean manager_of(enum management_bean pool) { return pool - HEAP_POOL + COLLECTOR; }

/* An array of the pools, or of their managers; `of` is the manager or the pool that they belong to, NULL: all. */
static jobjectArray bean_array(struct os_thread *self, const char *element, jobject of, bool managers) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int wanted = of != NULL ? management_which(handle_get(of)) : -1, all = management_pools(), n = 0;
    enum management_bean beans[POOLS];
    for (enum management_bean pool = HEAP_POOL; (int)pool < HEAP_POOL + all; pool++) {
        int owner = managers ? (int)pool : (int)manager_of(pool);
        if (of == NULL || wanted == owner) beans[n++] = managers ? manager_of(pool) : pool;
    }
    struct class *c = class_find_boot(self, element);
    struct object *out = c ? new_ref_array(self, c, n) : NULL;
    for (int i = 0; out != NULL && i < n; i++) {
        struct object *o = management_bean(self, beans[i]);
        if (o == NULL) return NULL;
        heap_array_set(out, i, o);
    }
    return handle_local(self, out);
}

static jobjectArray JNICALL jmm_GetMemoryPools(JNIEnv *env, jobject manager) {
    NATIVE_ENTRY(env);
    return bean_array(self, "java/lang/management/MemoryPoolMXBean", manager, false);
}
static jobjectArray JNICALL jmm_GetMemoryManagers(JNIEnv *env, jobject pool) {
    NATIVE_ENTRY(env);
    return bean_array(self, "java/lang/management/MemoryManagerMXBean", pool, true);
}

/* ---- usage ------------------------------------------------------------------------------------------------------- */

/* What verification and the like take for a moment is metadata, too, and may stand above the limit. */
static struct usage metadata_usage(int64_t bytes) {
    if (metadata_limit() > INT64_MAX) return (struct usage){0, bytes, bytes, -1};
    int64_t most = (int64_t)metadata_limit();
    return (struct usage){0, MIN(bytes, most), MIN(bytes, most), most};
}

/* Memory is taken page by page. */
static struct usage code_usage(void) {
    int64_t used = (int64_t)jit_code_bytes();
    return (struct usage){0, used, (int64_t)ALIGN_UP((size_t)used, os_page_size()),
                          (int64_t)ALIGN_UP(vm->options->flags.ReservedCodeCacheSize, os_page_size())};
}

struct usage management_usage(enum management_bean pool) {
    struct management_state *m = state();
    struct usage u = {0, 0, 0, -1};
    if (pool == HEAP_POOL) {
        struct heap_stats s;
        heap_stats(&s);
        u = (struct usage){(int64_t)s.initial, (int64_t)s.used, (int64_t)s.committed, (int64_t)s.max};
    } else if (pool == METADATA_POOL) {
        u = metadata_usage((int64_t)arena_total());
    } else {
        u = code_usage();
    }
    if (u.committed < u.used) u.committed = u.used;
    size_t peak = m ? atomic_load(&m->peak[pool]) : 0;
    while (m != NULL && (size_t)u.used > peak && !atomic_compare_exchange_weak(&m->peak[pool], &peak, (size_t)u.used)) {
    }
    return u;
}

struct usage management_usage_at(const struct heap_collection *c, enum management_bean pool, bool before) {
    if (pool == METADATA_POOL) return metadata_usage((int64_t)(before ? c->metadata_before : c->metadata_after));
    if (pool == CODE_POOL) return code_usage();
    struct heap_stats s;
    heap_stats(&s);
    size_t used = before ? c->before : c->after, capacity = before ? c->capacity_before : c->capacity;
    return (struct usage){(int64_t)s.initial, (int64_t)used, (int64_t)MAX(used, capacity), (int64_t)s.max};
}

struct object *management_new_usage(struct os_thread *self, struct usage u) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "java/lang/management/MemoryUsage");
    if (c == NULL || !class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    if (o == NULL) return NULL;
    uint64_t args[9] = {slot_ref(o), (uint64_t)u.initial, 0, (uint64_t)u.used, 0, (uint64_t)u.committed,
                        0,           (uint64_t)u.max,     0};
    return java_call(self, class_method_cstr(c, "<init>", "(JJJJ)V"), args, NULL) ? o : NULL;
}

static jobject usage_handle(struct os_thread *self, struct usage u) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *o = management_new_usage(self, u);
    return handle_local(self, o);
}

static jobject JNICALL jmm_GetMemoryUsage(JNIEnv *env, jboolean heap) {
    NATIVE_ENTRY(env);
    if (heap) return usage_handle(self, management_usage(HEAP_POOL));
    struct usage all = {0, 0, 0, 0};
    for (enum management_bean pool = METADATA_POOL; (int)pool < HEAP_POOL + management_pools(); pool++) {
        struct usage u = management_usage(pool);
        all = (struct usage){all.initial + u.initial, all.used + u.used, all.committed + u.committed,
                             all.max < 0 || u.max < 0 ? -1 : all.max + u.max};
    }
    return usage_handle(self, all);
}
static jobject JNICALL jmm_GetMemoryPoolUsage(JNIEnv *env, jobject pool) {
    NATIVE_ENTRY(env);
    int p = management_which(handle_get(pool));
    return p >= HEAP_POOL ? usage_handle(self, management_usage(p)) : NULL;
}
static jobject JNICALL jmm_GetPeakMemoryPoolUsage(JNIEnv *env, jobject pool) {
    NATIVE_ENTRY(env);
    int p = management_which(handle_get(pool));
    if (p < HEAP_POOL) return NULL;
    struct usage u = management_usage(p);
    u.used = (int64_t)atomic_load(&state()->peak[p]);
    if (u.committed < u.used) u.committed = u.used;
    return usage_handle(self, u);
}
/* After the last collection; null for the pool that is not collected. */
static jobject JNICALL jmm_GetPoolCollectionUsage(JNIEnv *env, jobject pool) {
    NATIVE_ENTRY(env);
    if (management_which(handle_get(pool)) != HEAP_POOL) return NULL;
    struct heap_collection c;
    if (heap_last_collection(&c)) return usage_handle(self, management_usage_at(&c, HEAP_POOL, false));
    struct usage u = management_usage(HEAP_POOL);
    u.used = u.committed = 0;
    return usage_handle(self, u);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static int64_t global_count(void) {
    int64_t n = 0;
    for (int f = 0; f < FLAG_COUNT; f++) n += flag_exists(vm->options, f) && flag_is_unlocked(vm->options, f);
    return n;
}

static int64_t internal_thread_count(struct os_thread *self) {
    REQUIRES(IN_VM);
    int64_t n = 0;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next) n += t->hidden;
    threads_unlock(self);
    return n;
}

static int64_t long_attribute(struct os_thread *self, enum jmm_long_attribute a) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    unsigned daemons, peak, live;
    uint64_t started, loaded, unloaded;
    struct heap_stats s;
    switch (a) {
    case JMM_CLASS_LOADED_COUNT:
    case JMM_CLASS_UNLOADED_COUNT:
        class_counts(&loaded, &unloaded);
        return (int64_t)(a == JMM_CLASS_LOADED_COUNT ? loaded : unloaded);
    case JMM_THREAD_TOTAL_COUNT:
    case JMM_THREAD_LIVE_COUNT:
    case JMM_THREAD_PEAK_COUNT:
    case JMM_THREAD_DAEMON_COUNT:
        live = threads_count(&daemons, &peak, &started);
        return a == JMM_THREAD_TOTAL_COUNT  ? (int64_t)started
               : a == JMM_THREAD_LIVE_COUNT ? live
               : a == JMM_THREAD_PEAK_COUNT ? peak
                                            : daemons;
    case JMM_JVM_INIT_DONE_TIME_MS: return vm->start_millis;
    case JMM_JVM_UPTIME_MS: return (os_nanotime() - vm->start_nanos) / 1000000;
    case JMM_COMPILE_TOTAL_TIME_MS: return jit_is_used() ? jit_compilation_nanos() / 1000000 : -1;
    case JMM_GC_TIME_MS:
    case JMM_GC_COUNT:
        heap_stats(&s);
        return (int64_t)(a == JMM_GC_COUNT ? s.collections : s.collection_nanos / 1000000);
    case JMM_CLASS_LOADED_BYTES: return (int64_t)arena_total();
    case JMM_VM_GLOBAL_COUNT: return global_count();
    case JMM_VM_THREAD_COUNT: return internal_thread_count(self);
    case JMM_OS_PROCESS_ID: return os_pid();
    case JMM_OS_MEM_TOTAL_PHYSICAL_BYTES: return (int64_t)os_physical_memory();
    case JMM_GC_EXT_ATTRIBUTE_INFO_SIZE: return 1;
    default: return -1;
    }
}

/* object: a collector for the figures of collections, NULL for all of them; there is one. */
static jlong JNICALL jmm_GetLongAttribute(JNIEnv *env, jobject object, enum jmm_long_attribute a) {
    NATIVE_ENTRY(env);
    (void)object;
    return long_attribute(self, a);
}
static jint JNICALL jmm_GetLongAttributes(JNIEnv *env, jobject object, enum jmm_long_attribute *attributes, jint count,
                                          jlong *result) {
    NATIVE_ENTRY(env);
    (void)object;
    jint known = 0;
    for (jint i = 0; i < count; i++) {
        result[i] = long_attribute(self, attributes[i]);
        known += result[i] != -1;
    }
    return known;
}

/* What the beans' verbose is about, as with HotSpot: this on standard output, and nothing else that is logged. */
#define VERBOSE_GC "gc"
#define VERBOSE_CLASS "class+load*"

static jboolean JNICALL jmm_GetBoolAttribute(JNIEnv *env, enum jmm_bool_attribute a) {
    (void)env;
    struct management_state *s = state();
    switch (a) {
    case JMM_VERBOSE_GC: return log_shows_on_stdout(VERBOSE_GC);
    case JMM_VERBOSE_CLASS: return log_shows_on_stdout(VERBOSE_CLASS);
    case JMM_THREAD_CONTENTION_MONITORING: return atomic_load(&vm->contention_timed);
    case JMM_THREAD_CPU_TIME: return s && atomic_load(&s->cpu_time);
    case JMM_THREAD_ALLOCATED_MEMORY: return s && atomic_load(&s->allocated_memory);
    default: return JNI_FALSE;
    }
}

/* Answers the old value. */
static jboolean JNICALL jmm_SetBoolAttribute(JNIEnv *env, enum jmm_bool_attribute a, jboolean on) {
    jboolean before = jmm_GetBoolAttribute(env, a);
    struct management_state *s = state();
    switch (a) {
    case JMM_VERBOSE_GC: log_configure_level(VERBOSE_GC, on ? LOG_INFO : LOG_OFF); break;
    case JMM_VERBOSE_CLASS: log_configure_level(VERBOSE_CLASS, on ? LOG_INFO : LOG_OFF); break;
    case JMM_THREAD_CONTENTION_MONITORING: atomic_store(&vm->contention_timed, on != 0); break;
    case JMM_THREAD_CPU_TIME: if (s) atomic_store(&s->cpu_time, on); break;
    case JMM_THREAD_ALLOCATED_MEMORY: if (s) atomic_store(&s->allocated_memory, on); break;
    default: break;
    }
    return before;
}

static jboolean JNICALL jmm_ResetStatistic(JNIEnv *env, jvalue object, enum jmm_statistic type) {
    NATIVE_ENTRY(env);
    struct management_state *s = state();
    if (type == JMM_STAT_PEAK_POOL_USAGE && s != NULL) {
        int p = object.l ? management_which(handle_get(object.l)) : -1;
        for (int i = HEAP_POOL; i < HEAP_POOL + management_pools(); i++)
            if (object.l == NULL || p == i) atomic_store(&s->peak[i], (size_t)management_usage(i).used);
        return JNI_TRUE;
    }
    if (type >= JMM_STAT_THREAD_CONTENTION_COUNT && type <= JMM_STAT_THREAD_CONTENTION_STAT)
        return management_reset_contention(self, object.j, type != JMM_STAT_THREAD_CONTENTION_TIME,
                                           type != JMM_STAT_THREAD_CONTENTION_COUNT);
    if (type == JMM_STAT_PEAK_THREAD_COUNT) {
        threads_reset_peak(self);
        return JNI_TRUE;
    }
    return JNI_FALSE;
}

/* ---- collector details ------------------------------------------------------------------------------------------- */

static jint JNICALL jmm_GetGCExtAttributeInfo(JNIEnv *env, jobject manager, struct jmm_ext_attribute *info,
                                              jint count) {
    (void)env, (void)manager;
    if (info == NULL || count < 1) return 0;
    info[0] = (struct jmm_ext_attribute){"GcThreadCount", 'I', "Number of GC threads"};
    return 1;
}

/* The caller brings arrays with room for every pool. */
static void JNICALL jmm_GetLastGCStat(JNIEnv *env, jobject manager, struct jmm_gc_stat *stat) {
    NATIVE_ENTRY(env);
    struct heap_collection c;
    stat->index = 0;
    stat->values_filled = 0;
    if (management_which(handle_get(manager)) != COLLECTOR || !heap_last_collection(&c)) return;
    for (int before = 0; before <= 1; before++) {
        jobjectArray out = before ? stat->usage_before : stat->usage_after;
        for (int i = 0; i < management_pools() && i < array_length(handle_get(out)); i++) {
            struct object *u = management_new_usage(self, management_usage_at(&c, HEAP_POOL + i, before));
            if (u == NULL) return;
            heap_array_set(handle_get(out), i, u);
        }
    }
    stat->index = (jlong)c.number + 1;
    stat->start_time = (c.began - vm->start_nanos) / 1000000;
    stat->end_time = (c.ended - vm->start_nanos) / 1000000;
    if (stat->values_size > 0) stat->values[stat->values_filled++].i = (jint)c.workers;
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

static enum jmm_global_origin origin_of(enum flag_origin o) {
    switch (o) {
    case FLAG_DEFAULT: return JMM_ORIGIN_DEFAULT;
    case FLAG_COMMAND_LINE: return JMM_ORIGIN_COMMAND_LINE;
    case FLAG_ENVIRONMENT: return JMM_ORIGIN_ENVIRONMENT;
    case FLAG_CONFIG_FILE: return JMM_ORIGIN_CONFIG_FILE;
    case FLAG_MANAGEMENT: return JMM_ORIGIN_MANAGEMENT;
    case FLAG_ERGONOMIC: return JMM_ORIGIN_ERGONOMIC;
    case FLAG_ATTACH: return JMM_ORIGIN_ATTACH;
    default: return JMM_ORIGIN_OTHER;
    }
}

/* False: no such flag here, or exception pending. */
static bool fill_global(struct os_thread *self, int flag, struct jmm_global *out) {
    REQUIRES(IN_VM);
    struct vm_options *o = vm->options;
    if (flag < 0 || !flag_exists(o, flag) || !flag_is_unlocked(o, flag)) return false;
    void *at = flag_address(o, flag);
    struct object *s;
    switch (flag_type_of(flag)) {
    case FLAG_bool:
        out->type = JMM_GLOBAL_BOOLEAN;
        out->value.z = *(bool *)at;
        break;
    case FLAG_double:
        out->type = JMM_GLOBAL_DOUBLE;
        out->value.d = *(double *)at;
        break;
    case FLAG_ccstr:
    case FLAG_ccstrlist:
        out->type = JMM_GLOBAL_STRING;
        s = *(const char **)at ? string_from_platform(self, *(const char **)at) : NULL;
        out->value.l = handle_local(self, s);
        break;
    default:
        out->type = JMM_GLOBAL_LONG;
        out->value.j = *(int64_t *)at;
        break;
    }
    out->origin = origin_of(flag_origin_of(o, flag));
    out->writeable = flag_is_manageable(o, flag);
    out->external = out->writeable;
    s = self->exception ? NULL : string_from_cstr(self, flag_name(flag));
    out->name = handle_local(self, s);
    return out->name != NULL;
}

static int flag_named(struct object *name) {
    char *s = name ? string_dup_utf8(name) : NULL;
    int flag = s ? flag_find(vm->options, s, strlen(s)) : -1;
    mem_free(s);
    return flag;
}

static jobjectArray JNICALL jmm_GetVMGlobalNames(JNIEnv *env) {
    NATIVE_ENTRY(env);
    struct object *out = new_ref_array(self, known_class(java_lang_String), (int32_t)global_count());
    int32_t k = 0;
    for (int f = 0; out != NULL && f < FLAG_COUNT; f++) {
        if (!flag_exists(vm->options, f) || !flag_is_unlocked(vm->options, f)) continue;
        struct object *s = string_from_cstr(self, flag_name(f));
        if (s == NULL) return NULL;
        heap_array_set(out, k++, s);
    }
    return handle_local(self, out);
}

/* names NULL: all of them. Answers how many were filled; an unknown name leaves a row without name. */
static jint JNICALL jmm_GetVMGlobals(JNIEnv *env, jobjectArray names, struct jmm_global *globals, jint count) {
    NATIVE_ENTRY(env);
    if (globals == NULL || count <= 0) {
        throw_new(self, globals ? "java/lang/IllegalArgumentException" : "java/lang/NullPointerException");
        return 0;
    }
    jint filled = 0;
    memset(globals, 0, (size_t)count * sizeof *globals);
    if (names == NULL) {
        for (int f = 0; f < FLAG_COUNT && filled < count && self->exception == NULL; f++)
            filled += fill_global(self, f, &globals[filled]);
        return filled;
    }
    struct object *list = handle_get(names);
    for (jint i = 0; i < count && i < array_length(list) && self->exception == NULL; i++) {
        struct object *name = heap_array_get(list, i);
        if (name == NULL) {
            throw_new(self, "java/lang/NullPointerException");
            return 0;
        }
        filled += fill_global(self, flag_named(name), &globals[i]);
    }
    return filled;
}

static void JNICALL jmm_SetVMGlobal(JNIEnv *env, jstring name, jvalue value) {
    NATIVE_ENTRY(env);
    int flag = flag_named(handle_get(name));
    char *error = NULL, *shown = NULL;
    if (flag < 0 || !flag_is_manageable(vm->options, flag)) {
        throw_message(self, "java/lang/IllegalArgumentException",
                      flag < 0 ? "Flag does not exist." : "This flag is not writeable.");
        return;
    }
    switch (flag_type_of(flag)) {
    case FLAG_bool: shown = mem_strdup(value.z ? "true" : "false"); break;
    case FLAG_double: shown = mem_printf("%f", value.d); break;
    case FLAG_ccstr:
    case FLAG_ccstrlist: shown = value.l ? string_dup_utf8(handle_get(value.l)) : NULL; break;
    default: shown = mem_printf("%" PRId64, (int64_t)value.j); break;
    }
    if (shown == NULL) throw_new(self, "java/lang/NullPointerException");
    else if (!manageable_flag_set(flag, shown, FLAG_MANAGEMENT, &error))
        throw_message(self, "java/lang/IllegalArgumentException", "%s", error ? error : "the value is not valid");
    mem_free(shown);
    mem_free(error);
}

/* ---- heap dumps -------------------------------------------------------------------------------------------------- */

static jint JNICALL jmm_DumpHeap0(JNIEnv *env, jstring file, jboolean live) {
    NATIVE_ENTRY(env);
    struct object *name = handle_get(file);
    if (name == NULL) {
        throw_message(self, "java/lang/NullPointerException", "Output file name is null.");
        return -1;
    }
    char *path = string_dup_utf8(name);
    char *error = path ? heap_dump_to_file(self, &(struct heap_dump_request){.path = path, .live = live})
                       : mem_strdup("out of memory");
    if (error != NULL) throw_message(self, "java/io/IOException", "%s", error);
    jint result = error != NULL ? -1 : 0;
    mem_free(error);
    mem_free(path);
    return result;
}

/* ---- declined ---------------------------------------------------------------------------------------------------- */

/* The list of commands never changes. */
static void JNICALL jmm_SetDiagnosticFrameworkNotificationEnabled(JNIEnv *env, jboolean enabled) {
    (void)env, (void)enabled;
}

/* ---- the tables: slots in order, two reserved ones first --------------------------------------------------------- */

#define SLOT(f) (void *)jmm_##f

static void *const table_17[] = {
    NULL, NULL, SLOT(GetVersion), SLOT(GetOptionalSupport), SLOT(GetThreadInfo), SLOT(GetMemoryPools),
    SLOT(GetMemoryManagers), SLOT(GetMemoryPoolUsage), SLOT(GetPeakMemoryPoolUsage), SLOT(GetOneThreadAllocatedMemory),
    SLOT(GetThreadAllocatedMemory), SLOT(GetMemoryUsage), SLOT(GetLongAttribute), SLOT(GetBoolAttribute),
    SLOT(SetBoolAttribute), SLOT(GetLongAttributes), SLOT(FindMonitorDeadlockedThreads), SLOT(GetThreadCpuTime),
    SLOT(GetVMGlobalNames), SLOT(GetVMGlobals), SLOT(GetInternalThreadTimes), SLOT(ResetStatistic), SLOT(SetPoolSensor),
    SLOT(SetPoolThreshold), SLOT(GetPoolCollectionUsage), SLOT(GetGCExtAttributeInfo), SLOT(GetLastGCStat),
    SLOT(GetThreadCpuTimeWithKind), SLOT(GetThreadCpuTimesWithKind), SLOT(DumpHeap0), SLOT(FindDeadlockedThreads),
    SLOT(SetVMGlobal), SLOT(GetTotalThreadAllocatedMemory), SLOT(DumpThreads), SLOT(SetGCNotificationEnabled),
    SLOT(GetDiagnosticCommands), SLOT(GetDiagnosticCommandInfo), SLOT(GetDiagnosticCommandArgumentsInfo),
    SLOT(ExecuteDiagnosticCommand), SLOT(SetDiagnosticFrameworkNotificationEnabled),
};

static void *const table_25[] = {
    NULL, NULL, SLOT(GetVersion), SLOT(GetOptionalSupport), SLOT(GetThreadInfo), SLOT(GetMemoryPools),
    SLOT(GetMemoryManagers), SLOT(GetMemoryPoolUsage), SLOT(GetPeakMemoryPoolUsage),
    SLOT(GetTotalThreadAllocatedMemory), SLOT(GetOneThreadAllocatedMemory), SLOT(GetThreadAllocatedMemory),
    SLOT(GetMemoryUsage), SLOT(GetLongAttribute), SLOT(GetBoolAttribute), SLOT(SetBoolAttribute),
    SLOT(GetLongAttributes), SLOT(FindMonitorDeadlockedThreads), SLOT(GetThreadCpuTime), SLOT(GetVMGlobalNames),
    SLOT(GetVMGlobals), SLOT(GetInternalThreadTimes), SLOT(ResetStatistic), SLOT(SetPoolSensor), SLOT(SetPoolThreshold),
    SLOT(GetPoolCollectionUsage), SLOT(GetGCExtAttributeInfo), SLOT(GetLastGCStat), SLOT(GetThreadCpuTimeWithKind),
    SLOT(GetThreadCpuTimesWithKind), SLOT(DumpHeap0), SLOT(FindDeadlockedThreads), SLOT(SetVMGlobal), NULL,
    SLOT(DumpThreads), SLOT(SetGCNotificationEnabled), SLOT(GetDiagnosticCommands), SLOT(GetDiagnosticCommandInfo),
    SLOT(GetDiagnosticCommandArgumentsInfo), SLOT(ExecuteDiagnosticCommand),
    SLOT(SetDiagnosticFrameworkNotificationEnabled),
};
_Static_assert(ARRAY_LEN(table_17) == 40 && ARRAY_LEN(table_25) == 41, "the management tables of the libraries");

/* The table of the library's own version; NULL for another. */
JVM void *JVM_GetManagement(jint version);
JVM void *JVM_GetManagement(jint version) {
    bool is_17 = vm->library == LIBRARY_17;
    if (version != (is_17 ? JMM_VERSION_17 : JMM_VERSION_25)) return NULL;
    return (void *)(is_17 ? table_17 : table_25);
}
