/* load_once.c: two threads want the same class of the boot loader at the same time, called from
 * tests/jvmti/LoadOnce.java. The first one is kept in its ClassFileLoadHook until the second has either come there too,
 * or sleeps because it waits for the first. Option "cross": each of two threads needs, in its hook, the class that the
 * other one is loading. */
#include "agent_support.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int hooks, second;         /* times that the hook has run; kernel id of the second thread           */
static atomic_int crossing;              /* how many threads are in their hooks                                   */
static int cross;

static char state_of(int tid) {
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    FILE *f = fopen(path, "r");
    if (f == NULL) return state;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1) state = '?';
    fclose(f);
    return state;
}

static void cross_over(JNIEnv *jni, const char *needed) {
    atomic_fetch_add(&crossing, 1);
    while (atomic_load(&crossing) < 2) usleep(1000);
    say("%s", (*jni)->FindClass(jni, needed) != NULL ? "found" : "not found");
}

static void JNICALL on_class_file(jvmtiEnv *e, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                  jobject domain, jint length, const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
    (void)e, (void)redefined, (void)loader, (void)domain, (void)length, (void)bytes, (void)new_length, (void)new_bytes;
    if (name == NULL) return;
    if (cross && atomic_load(&crossing) < 2 && strcmp(name, "java/util/concurrent/Phaser") == 0)
        cross_over(jni, "java/util/concurrent/Exchanger");
    if (cross && atomic_load(&crossing) < 2 && strcmp(name, "java/util/concurrent/Exchanger") == 0)
        cross_over(jni, "java/util/concurrent/Phaser");
    if (cross || strcmp(name, "java/util/concurrent/Phaser") != 0 || atomic_fetch_add(&hooks, 1) > 0) return;
    while (atomic_load(&hooks) == 1 && (atomic_load(&second) == 0 || state_of(atomic_load(&second)) != 'S'))
        usleep(1000);
}

/* The first thread is in its hook. */
JNIEXPORT void JNICALL Java_LoadOnce_awaitFirst(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    while (atomic_load(&hooks) == 0) usleep(1000);
    atomic_store(&second, (int)syscall(SYS_gettid));
}

JNIEXPORT jint JNICALL Java_LoadOnce_hooks(JNIEnv *jni, jclass self) {
    return (void)jni, (void)self, atomic_load(&hooks);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    cross = options != NULL && strcmp(options, "cross") == 0;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class_file};
    jvmtiCapabilities needs = {.can_generate_all_class_hook_events = 1};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &needs), "AddCapabilities")) return JNI_ERR;
    if (!ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks")) return JNI_ERR;
    enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    return JNI_OK;
}
