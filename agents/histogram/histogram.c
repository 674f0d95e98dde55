/* histogram.c: the class histogram agent: start-up, events, and when a dump is made.
 *
 * Everything an activation needs hangs on its JVM TI environment, so the library can be started and attached any number
 * of times in one VM. */
#include "census.h"
#include "options.h"
#include "report.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct agent {
    JavaVM *vm;
    struct options options;
    atomic_bool file_started;       /* the output file has been written: later dumps append        */
    atomic_bool at_reached;         /* at=: the class has been prepared                            */
    atomic_bool at_dumped;          /* at=: the dump has been made                                 */
};

/* ---- output ----------------------------------------------------------------------------------------------------- */

/* The path of file= with %p replaced; malloc'd. */
static char *output_path(const char *pattern) {
    char *path = NULL;
    size_t size;
    FILE *out = open_memstream(&path, &size);
    if (out == NULL) return NULL;
    for (const char *p = pattern; *p != '\0'; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            fprintf(out, "%ld", (long)getpid());
            p++;
        } else {
            fputc(*p, out);
        }
    }
    if (fclose(out) != 0) {
        free(path);
        return NULL;
    }
    return path;
}

static bool write_report(struct agent *a, const char *text) {
    if (a->options.file == NULL) {
        bool ok = fputs(text, stdout) >= 0;
        return fflush(stdout) == 0 && ok;
    }
    char *path = output_path(a->options.file);
    FILE *out = path == NULL ? NULL : fopen(path, atomic_exchange(&a->file_started, true) ? "a" : "w");
    bool ok = out != NULL && fputs(text, out) >= 0;
    if (out != NULL) ok = fclose(out) == 0 && ok;
    if (!ok) fprintf(stderr, "histogram: cannot write %s: %s\n", a->options.file, strerror(errno));
    free(path);
    return ok;
}

static bool dump(struct agent *a) {
    struct census census;
    char *text = NULL;
    if (census_take(&census, a->vm, a->options.all, a->options.collect)) text = report_text(&census, &a->options);
    if (text != NULL && a->options.time)
        fprintf(stderr, "histogram: %llu objects in %.1f ms\n", (unsigned long long)census.objects,
                (double)census.nanos / 1e6);
    census_release(&census);
    bool ok = text != NULL && write_report(a, text);
    free(text);
    return ok;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static struct agent *agent_of(jvmtiEnv *env) {
    void *agent = NULL;
    return jvmti_ok(env, (*env)->GetEnvironmentLocalStorage(env, &agent), "GetEnvironmentLocalStorage") ? agent : NULL;
}

static bool set_event(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event) {
    return jvmti_ok(env, (*env)->SetEventNotificationMode(env, mode, event, NULL), "SetEventNotificationMode");
}

static void dump_at_class(struct agent *a) {
    if (!atomic_exchange(&a->at_dumped, true)) dump(a);
}

static void JNICALL on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass) {
    (void)jni, (void)thread;
    struct agent *a = agent_of(env);
    char *signature = NULL;
    if (a == NULL || atomic_load(&a->at_reached) ||
        !jvmti_ok(env, (*env)->GetClassSignature(env, klass, &signature, NULL), "GetClassSignature"))
        return;
    bool found = strcmp(signature, a->options.at_signature) == 0;
    (*env)->Deallocate(env, (unsigned char *)signature);
    if (!found || atomic_exchange(&a->at_reached, true)) return;
    jvmtiPhase phase;
    /* on_vm_init does it */
    if (!jvmti_ok(env, (*env)->GetPhase(env, &phase), "GetPhase") || phase != JVMTI_PHASE_LIVE) return;
    set_event(env, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE);
    dump_at_class(a);
}

/* The heap can be walked from here on: makes up for a class that was prepared earlier. */
static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread;
    struct agent *a = agent_of(env);
    if (a != NULL && atomic_load(&a->at_reached)) {
        set_event(env, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE);
        dump_at_class(a);
    }
}

static void JNICALL on_vm_death(jvmtiEnv *env, JNIEnv *jni) {
    (void)jni;
    struct agent *a = agent_of(env);
    if (a == NULL) return;
    if (a->options.at_name == NULL) dump(a);
    else if (!atomic_load(&a->at_reached))
        fprintf(stderr, "histogram: class %s was never prepared\n", a->options.at_name);
}

static void JNICALL on_data_dump_request(jvmtiEnv *env) {
    struct agent *a = agent_of(env);
    if (a != NULL) dump(a);
}

/* ---- start-up --------------------------------------------------------------------------------------------------- */

static bool enable_events(jvmtiEnv *env, const struct options *o, bool attached) {
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.DataDumpRequest = on_data_dump_request;
    callbacks.ClassPrepare = on_class_prepare;
    return jvmti_ok(env, (*env)->SetEventCallbacks(env, &callbacks, sizeof callbacks), "SetEventCallbacks") &&
           (attached || set_event(env, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT)) &&
           set_event(env, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH) &&
           set_event(env, JVMTI_ENABLE, JVMTI_EVENT_DATA_DUMP_REQUEST) &&
           (o->at_name == NULL || set_event(env, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE));
}

/* Makes an environment that keeps `a` until the VM ends and gets the events. */
static bool install(struct agent *a, bool attached) {
    jvmtiEnv *env;
    jint code = (*a->vm)->GetEnv(a->vm, (void **)&env, JVMTI_VERSION_1_1);
    if (code != JNI_OK) {
        fprintf(stderr, "histogram: the VM offers no JVM TI environment (%d)\n", (int)code);
        return false;
    }
    if (jvmti_ok(env, (*env)->SetEnvironmentLocalStorage(env, a), "SetEnvironmentLocalStorage") &&
        enable_events(env, &a->options, attached))
        return true;
    (*env)->DisposeEnvironment(env);
    return false;
}

static struct agent *agent_new(JavaVM *vm, const char *text) {
    struct agent *a = calloc(1, sizeof *a);
    if (a == NULL) {
        fprintf(stderr, "histogram: out of memory\n");
        return NULL;
    }
    char error[512] = "out of memory";
    a->vm = vm;
    if (options_parse(&a->options, text, error, sizeof error) == OPTIONS_OK) return a;
    fprintf(stderr, "histogram: %s\n", error);
    options_free(&a->options);
    free(a);
    return NULL;
}

static void agent_free(struct agent *a) {
    options_free(&a->options);
    free(a);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    struct agent *a = agent_new(vm, options);
    if (a == NULL) return JNI_ERR;
    if (a->options.help) {
        fputs(options_help, stdout);
        agent_free(a);
        exit(0);
    }
    if (install(a, false)) return JNI_OK;
    agent_free(a);
    return JNI_ERR;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    struct agent *a = agent_new(vm, options);
    if (a == NULL) return JNI_ERR;
    if (a->options.at_name != NULL && !a->options.help) {
        if (install(a, true)) return JNI_OK;
        agent_free(a);
        return JNI_ERR;
    }
    bool ok = a->options.help ? fputs(options_help, stdout) >= 0 && fflush(stdout) == 0 : dump(a);
    agent_free(a);
    return ok ? JNI_OK : JNI_ERR;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) { (void)vm; }
