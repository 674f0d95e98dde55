/* jmm.h — the management interface that libmanagement asks of the VM: types and function numbers. The two libraries
 * know different tables (management.c); everything else is the same. */
#ifndef VITRINE_JDK_JMM_H
#define VITRINE_JDK_JMM_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

struct os_thread;

enum { JMM_VERSION_17 = 0x20030000, JMM_VERSION_25 = 0x20040000 };

struct jmm_optional_support {
    unsigned low_memory_detection : 1, compilation_time : 1, thread_contention : 1, current_thread_cpu_time : 1,
        other_thread_cpu_time : 1, object_monitor_usage : 1, synchronizer_usage : 1, thread_allocated_memory : 1,
        remote_diagnostic_commands : 1, : 22;
};

enum jmm_long_attribute {
    JMM_CLASS_LOADED_COUNT = 1,
    JMM_CLASS_UNLOADED_COUNT,
    JMM_THREAD_TOTAL_COUNT,
    JMM_THREAD_LIVE_COUNT,
    JMM_THREAD_PEAK_COUNT,
    JMM_THREAD_DAEMON_COUNT,
    JMM_JVM_INIT_DONE_TIME_MS,
    JMM_COMPILE_TOTAL_TIME_MS,
    JMM_GC_TIME_MS,
    JMM_GC_COUNT,
    JMM_JVM_UPTIME_MS,
    JMM_CLASS_LOADED_BYTES = 101,
    JMM_VM_GLOBAL_COUNT = 104,
    JMM_VM_THREAD_COUNT = 109,
    JMM_OS_PROCESS_ID = 201,
    JMM_OS_MEM_TOTAL_PHYSICAL_BYTES = 202,
    JMM_GC_EXT_ATTRIBUTE_INFO_SIZE = 401
};

enum jmm_bool_attribute {
    JMM_VERBOSE_GC = 21,
    JMM_VERBOSE_CLASS,
    JMM_THREAD_CONTENTION_MONITORING,
    JMM_THREAD_CPU_TIME,
    JMM_THREAD_ALLOCATED_MEMORY
};

enum jmm_statistic {
    JMM_STAT_PEAK_THREAD_COUNT = 801,
    JMM_STAT_THREAD_CONTENTION_COUNT,
    JMM_STAT_THREAD_CONTENTION_TIME,
    JMM_STAT_THREAD_CONTENTION_STAT,
    JMM_STAT_PEAK_POOL_USAGE,
    JMM_STAT_GC_STAT
};

enum jmm_global_type { JMM_GLOBAL_UNKNOWN, JMM_GLOBAL_BOOLEAN, JMM_GLOBAL_STRING, JMM_GLOBAL_LONG, JMM_GLOBAL_DOUBLE };
enum jmm_global_origin {
    JMM_ORIGIN_DEFAULT = 1,
    JMM_ORIGIN_COMMAND_LINE,
    JMM_ORIGIN_MANAGEMENT,
    JMM_ORIGIN_ENVIRONMENT,
    JMM_ORIGIN_CONFIG_FILE,
    JMM_ORIGIN_ERGONOMIC,
    JMM_ORIGIN_ATTACH,
    JMM_ORIGIN_OTHER = 99
};

enum jmm_threshold {
    JMM_USAGE_THRESHOLD_HIGH = 901,
    JMM_USAGE_THRESHOLD_LOW,
    JMM_COLLECTION_USAGE_THRESHOLD_HIGH,
    JMM_COLLECTION_USAGE_THRESHOLD_LOW
};

/* A -XX flag; name NULL: there is none of that name. */
struct jmm_global {
    jstring name;
    jvalue value;
    enum jmm_global_type type;
    enum jmm_global_origin origin;
    unsigned writeable : 1, external : 1, : 30;
    void *reserved[2];
};

/* The caller sets the arrays; index 0: no collection has been measured. */
struct jmm_gc_stat {
    jlong index, start_time, end_time;
    jobjectArray usage_before, usage_after;
    jint values_size;
    jvalue *values;
    jint values_filled;
};

struct jmm_ext_attribute { const char *name; char type; const char *description; };

/* What is said of a diagnostic command. 25 makes nothing of the permission. */
struct jmm_command_info {
    const char *name, *description, *impact, *permission_class, *permission_name, *permission_action;
    int arguments;
    jboolean enabled;
};
struct jmm_argument_info {
    const char *name, *description, *type, *preset;    /* preset NULL: none                                       */
    jboolean mandatory, option, multiple;
    int position;                        /* options: -1                                                           */
};

/* ---- management_commands.c: the functions about diagnostic commands ---------------------------------------------- */

jobjectArray jmm_GetDiagnosticCommands(JNIEnv *env);
void jmm_GetDiagnosticCommandInfo(JNIEnv *env, jobjectArray commands, struct jmm_command_info *out);
void jmm_GetDiagnosticCommandArgumentsInfo(JNIEnv *env, jstring command, struct jmm_argument_info *out, jint count);
jstring jmm_ExecuteDiagnosticCommand(JNIEnv *env, jstring command);

/* ---- management_threads.c: the functions about threads ----------------------------------------------------------- */

jint jmm_GetThreadInfo(JNIEnv *env, jlongArray ids, jint max_depth, jobjectArray result);
jobjectArray jmm_DumpThreads(JNIEnv *env, jlongArray ids, jboolean monitors, jboolean synchronizers, jint max_depth);
jobjectArray jmm_FindDeadlockedThreads(JNIEnv *env, jboolean monitors_only);
jobjectArray jmm_FindMonitorDeadlockedThreads(JNIEnv *env);
jlong jmm_GetThreadCpuTime(JNIEnv *env, jlong id);
jlong jmm_GetThreadCpuTimeWithKind(JNIEnv *env, jlong id, jboolean user_and_system);
void jmm_GetThreadCpuTimesWithKind(JNIEnv *env, jlongArray ids, jlongArray times, jboolean user_and_system);
jlong jmm_GetOneThreadAllocatedMemory(JNIEnv *env, jlong id);
void jmm_GetThreadAllocatedMemory(JNIEnv *env, jlongArray ids, jlongArray sizes);
jlong jmm_GetTotalThreadAllocatedMemory(JNIEnv *env);
jint jmm_GetInternalThreadTimes(JNIEnv *env, jobjectArray names, jlongArray times);
/* Sets contention figures of a thread (id 0: of all) back to 0; false: no such thread. Thread: IN_VM. */
bool management_reset_contention(struct os_thread *self, int64_t id, bool counts, bool times);

#endif
