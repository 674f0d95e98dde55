/* corners.c: corners of the Invocation API, compared with HotSpot's answers. Each line names the rows of the
 * specification's list that it is about (docs/embedding.md, "Invocation API"). What only our VM can do comes with the
 * argument "again". Usage: corners <libjvm.so> <-Djava.home=...> [again] */
#include <dlfcn.h>
#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static jint (*create)(JavaVM **, void **, void *);
static jint (*defaults)(void *);
static jint (*created)(JavaVM **, jsize, jsize *);
static JavaVM *vm;
static char *java_home;
static int messages, logged;

static jint JNICALL on_print(FILE *file, const char *format, va_list arguments) {
    char text[1000];
    (void)file;
    int length = vsnprintf(text, sizeof text, format, arguments);
    messages += text[0] != '\0';
    logged += strstr(text, "java.lang.String ") != NULL;
    return length;
}

static jint try_create(JNIEnv **env, jint version, jboolean ignore, const char *option) {
    JavaVMOption options[] = {{(char *)"vfprintf", (void *)on_print},
                              {java_home, NULL},
                              {(char *)"-Xlog:class+load", NULL},
                              {(char *)option, NULL}};
    JavaVMInitArgs args = {version, option ? 4 : 3, options, ignore};
    return create(&vm, (void **)env, &args);
}

static jobject monitor;

static void *hold_and_detach(void *group) {
    JNIEnv *e = NULL;
    JavaVMAttachArgs args = {JNI_VERSION_1_2, (char *)"holder", group};
    void *env = &args;
    printf("IA-041 not attached: %d, env null %d\n", (*vm)->GetEnv(vm, &env, JNI_VERSION_1_6), env == NULL);
    jint r = (*vm)->AttachCurrentThread(vm, (void **)&e, &args);
    printf("IA-029 IA-033 attach: %d, monitor %d\n", r, (*e)->MonitorEnter(e, monitor));
    void *same = NULL;
    jint again = (*vm)->AttachCurrentThreadAsDaemon(vm, &same, NULL);
    jclass thread = (*e)->FindClass(e, "java/lang/Thread");
    jobject self = (*e)->CallStaticObjectMethod(e, thread,
                                                (*e)->GetStaticMethodID(e, thread, "currentThread",
                                                                        "()Ljava/lang/Thread;"));
    printf("IA-036 attach again as daemon: %d, same %d, daemon %d\n", again, same == e,
           (*e)->CallBooleanMethod(e, self, (*e)->GetMethodID(e, thread, "isDaemon", "()Z")));
    jobject in = (*e)->CallObjectMethod(e, self,
                                        (*e)->GetMethodID(e, thread, "getThreadGroup", "()Ljava/lang/ThreadGroup;"));
    printf("IA-033 its group: %d\n", (*e)->IsSameObject(e, in, group));
    jobject loader = (*e)->CallObjectMethod(e, self,
                                            (*e)->GetMethodID(e, thread, "getContextClassLoader",
                                                              "()Ljava/lang/ClassLoader;"));
    printf("IA-031 its context class loader is null: %d\n", loader == NULL);
    static const jint versions[] = {JNI_VERSION_1_1,
                                    JNI_VERSION_1_2,
                                    JNI_VERSION_1_4,
                                    JNI_VERSION_1_6,
                                    JNI_VERSION_1_8,
                                    JNI_VERSION_9,
                                    JNI_VERSION_10,
                                    0x00130000,
                                    0x00140000,
                                    0x00150000,
                                    0x00180000,
                                    0x00170000,
                                    0,
                                    0x00010003,
                                    0x7fffffff};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        env = &args;
        r = (*vm)->GetEnv(vm, &env, versions[i]);
        printf("IA-041 IA-042 IA-049 GetEnv(%08x): %d, env %s\n", (unsigned)versions[i], r,
               env == e ? "ours"
               : env    ? "other"
                        : "null");
    }
    printf("IA-037 detach: %d\n", (*vm)->DetachCurrentThread(vm));
    return NULL;
}

static void attaching(JNIEnv *e) {
    pthread_t t;
    jclass object = (*e)->FindClass(e, "java/lang/Object"), groups = (*e)->FindClass(e, "java/lang/ThreadGroup");
    monitor = (*e)->NewGlobalRef(e, (*e)->AllocObject(e, object));
    jobject group = (*e)->NewObject(e, groups, (*e)->GetMethodID(e, groups, "<init>", "(Ljava/lang/String;)V"),
                                    (*e)->NewStringUTF(e, "mine"));
    group = (*e)->NewGlobalRef(e, group);
    pthread_create(&t, NULL, hold_and_detach, group);
    pthread_join(t, NULL);
    jint enter = (*e)->MonitorEnter(e, monitor), leave = (*e)->MonitorExit(e, monitor);
    printf("IA-037 its monitor is free: %d %d\n", enter, leave);
}

static jint JNICALL in_java(JNIEnv *e, jclass c) {
    (void)c;
    void *same;
    printf("IA-039 detach with Java frames: %d\n", (*vm)->DetachCurrentThread(vm));
    jint r = (*vm)->AttachCurrentThread(vm, &same, NULL);
    printf("IA-029 nested attach: %d %d\n", r, same == e);
    return 5;
}

static void frames(JNIEnv *e) {
    jclass thread = (*e)->FindClass(e, "java/lang/Thread");
    JNINativeMethod own = {(char *)"yield", (char *)"()V", (void *)(uintptr_t)in_java};
    JNINativeMethod own_25 = {(char *)"yield0", (char *)"()V", (void *)(uintptr_t)in_java};
    if ((*e)->RegisterNatives(e, thread, &own_25, 1) != JNI_OK) {
        (*e)->ExceptionClear(e);
        (*e)->RegisterNatives(e, thread, &own, 1);
    }
    (*e)->ExceptionClear(e);
    (*e)->CallStaticVoidMethod(e, thread, (*e)->GetStaticMethodID(e, thread, "yield", "()V"));
}

static int starts, ends;

static int is_watched(jvmtiEnv *ti, jthread thread) {
    jvmtiThreadInfo info;
    if ((*ti)->GetThreadInfo(ti, thread, &info) != JVMTI_ERROR_NONE) return 0;
    int watched = strcmp(info.name, "watched") == 0;
    (*ti)->Deallocate(ti, (unsigned char *)info.name);
    return watched;
}

static void JNICALL on_start(jvmtiEnv *ti, JNIEnv *e, jthread thread) {
    (void)e;
    starts += is_watched(ti, thread);
}

static void JNICALL on_end(jvmtiEnv *ti, JNIEnv *e, jthread thread) {
    (void)e;
    ends += is_watched(ti, thread);
}

static void *come_and_go(void *unused) {
    JNIEnv *e;
    JavaVMAttachArgs args = {JNI_VERSION_1_2, (char *)"watched", NULL};
    (*vm)->AttachCurrentThread(vm, (void **)&e, &args);
    printf("IA-040 attached: starts %d, ends %d\n", starts, ends);
    (*vm)->DetachCurrentThread(vm);
    return unused;
}

/* Tools hear of threads that native code attaches. */
static void events(void) {
    jvmtiEnv *ti;
    jvmtiEventCallbacks callbacks = {.ThreadStart = on_start, .ThreadEnd = on_end};
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK) return;
    (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    pthread_t t;
    pthread_create(&t, NULL, come_and_go, NULL);
    pthread_join(t, NULL);
    printf("IA-040 detached: starts %d, ends %d\n", starts, ends);
    (*ti)->DisposeEnvironment(ti);
}

/* A tool's own threads may go on when the VM has ended. What needs nothing of the VM is still answered: the debugger's
 * agent allocates. */
static void tool_after_the_end(jvmtiEnv *ti) {
    unsigned char *memory = NULL;
    jint count = 0;
    jthread *threads = NULL;
    void *storage = NULL;
    printf("after the end: Allocate %d", (*ti)->Allocate(ti, 100, &memory));
    printf(" %d, Deallocate %d", memory != NULL, (*ti)->Deallocate(ti, memory));
    printf(", GetEnvironmentLocalStorage %d", (*ti)->GetEnvironmentLocalStorage(ti, &storage));
    printf(" %d, GetAllThreads %d\n", storage == &starts, (*ti)->GetAllThreads(ti, &count, &threads));
}

/* Ours only: an attempt that fails says why through the hook, and the next one may succeed; the VM goes and comes. */
static int again(void) {
    JNIEnv *e;
    messages = 0;
    printf("IA-018 an unknown option: %d\n", try_create(&e, JNI_VERSION_1_8, JNI_FALSE, "-unknown"));
    printf("IA-021 it was explained: %d\n", messages > 0);
    messages = 0;
    printf("IA-019 no such heap: %d\n", try_create(&e, JNI_VERSION_1_8, JNI_FALSE, "-Xmx40g"));
    printf("IA-021 it was explained: %d\n", messages > 0);
    messages = 0;
    printf("IA-024 no such agent: %d\n",
           try_create(&e, JNI_VERSION_1_8, JNI_FALSE, "-agentlib:there_is_no_such_agent"));
    printf("IA-021 it was explained: %d\n", messages > 0);
    jsize n = -1;
    created(NULL, 0, &n);
    printf("IA-009 IA-010 none: %d\n", n);
    JavaVM *first = NULL;
    for (int i = 0; i < 3; i++) {
        jint r = try_create(&e, JNI_VERSION_1_8, JNI_TRUE, i % 2 ? "-Xunknown" : "_unknown");
        printf("IA-018 IA-023 created: %d\n", r);
        if (r != JNI_OK) return 1;
        first = vm;
        JavaVM *second;
        JNIEnv *e2;
        JavaVMInitArgs args = {JNI_VERSION_1_8, 0, NULL, JNI_FALSE};
        printf("IA-022 IA-030 a second one: %d\n", create(&second, (void **)&e2, &args));
        printf("IA-025 IA-027 destroyed: %d\n", (*vm)->DestroyJavaVM(vm));
        void *env = &args;
        r = (*first)->GetEnv(first, &env, JNI_VERSION_1_8);
        printf("IA-041 IA-054 after the end: GetEnv %d %d, ", r, env == NULL);
        r = (*first)->AttachCurrentThread(first, &env, NULL);
        printf("attach %d, detach %d, destroy %d\n", r, (*first)->DetachCurrentThread(first),
               (*first)->DestroyJavaVM(first));
        created(NULL, 0, &n);
        printf("IA-009 count: %d\n", n);
    }
    return 0;
}

static void *destroy(void *result) {
    *(jint *)result = (*vm)->DestroyJavaVM(vm);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    setvbuf(stdout, NULL, _IONBF, 0);
    java_home = argv[2];
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    create = library ? (jint (*)(JavaVM **, void **, void *))dlsym(library, "JNI_CreateJavaVM") : NULL;
    defaults = library ? (jint (*)(void *))dlsym(library, "JNI_GetDefaultJavaVMInitArgs") : NULL;
    created = library ? (jint (*)(JavaVM **, jsize, jsize *))dlsym(library, "JNI_GetCreatedJavaVMs") : NULL;
    printf("IA-001 exported: %d %d %d\n", create != NULL, defaults != NULL, created != NULL);
    if (argc > 3) return again();
    static const jint versions[] = {JNI_VERSION_1_2, JNI_VERSION_1_4, JNI_VERSION_1_6, JNI_VERSION_1_8,
                                    JNI_VERSION_9,   JNI_VERSION_10,  0x00130000,      0x00140000,
                                    0x00150000,      0x00180000,      0x00010003,      0};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        JavaVMInitArgs args = {.version = versions[i]};
        if (versions[i] < 0x00130000)
            printf("IA-005 IA-008 defaults of %08x: %d\n", (unsigned)versions[i], defaults(&args));
    }
    JNIEnv *e;
    printf("IA-013 IA-050 version 1.1: %d\n", try_create(&e, JNI_VERSION_1_1, JNI_FALSE, NULL));
    jint r = try_create(&e, JNI_VERSION_1_2, JNI_TRUE, "-Dcorner=yes");
    printf("IA-011 IA-012 IA-013 created: %d\n", r);
    if (r != JNI_OK) return 1;
    printf("IA-021 the log goes through the hook: %d\n", logged > 0);
    const void *const *table = *(const void *const **)vm;
    printf("IA-002 IA-053 reserved slots: %d %d %d\n", table[0] == NULL, table[1] == NULL, table[2] == NULL);
    printf("IA-016 property: ");
    jclass system = (*e)->FindClass(e, "java/lang/System");
    jmethodID get = (*e)->GetStaticMethodID(e, system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;");
    jstring value = (*e)->CallStaticObjectMethod(e, system, get, (*e)->NewStringUTF(e, "corner"));
    const char *text = value ? (*e)->GetStringUTFChars(e, value, NULL) : "none";
    printf("%s\n", text);
    attaching(e);
    frames(e);
    events();
    jvmtiEnv *ti;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK) return 1;
    (*ti)->SetEnvironmentLocalStorage(ti, &starts);
    printf("IA-038 detach the main thread: %d\n", (*vm)->DetachCurrentThread(vm));
    pthread_t t;
    jint result = -9;
    pthread_create(&t, NULL, destroy, &result);
    pthread_join(t, NULL);
    printf("IA-025 IA-026 destroyed by an unattached thread: %d\n", result);
    tool_after_the_end(ti);
    return 0;
}
