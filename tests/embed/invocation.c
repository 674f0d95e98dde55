/* Embeds a VM: argv[1] is libjvm.so, argv[2] the class path. Prints what the Invocation API answers; compared with
 * HotSpot's. */
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static JavaVM *java_vm;

static const char *utf(JNIEnv *e, jstring s, char *out, size_t size) {
    const char *c = s ? (*e)->GetStringUTFChars(e, s, NULL) : NULL;
    snprintf(out, size, "%s", c ? c : "null");
    if (c) (*e)->ReleaseStringUTFChars(e, s, c);
    return out;
}

static void say_thread(JNIEnv *e, const char *what) {
    char name[100], group[100];
    jclass c = (*e)->FindClass(e, "java/lang/Thread");
    jobject t = (*e)->CallStaticObjectMethod(e, c,
                                             (*e)->GetStaticMethodID(e, c, "currentThread", "()Ljava/lang/Thread;"));
    jobject g = (*e)->CallObjectMethod(e, t, (*e)->GetMethodID(e, c, "getThreadGroup", "()Ljava/lang/ThreadGroup;"));
    utf(e, (*e)->CallObjectMethod(e, t, (*e)->GetMethodID(e, c, "getName", "()Ljava/lang/String;")), name, sizeof name);
    utf(e,
        g ? (*e)->CallObjectMethod(e, g,
                                   (*e)->GetMethodID(e, (*e)->GetObjectClass(e, g), "getName", "()Ljava/lang/String;"))
          : NULL,
        group, sizeof group);
    jboolean daemon = (*e)->CallBooleanMethod(e, t, (*e)->GetMethodID(e, c, "isDaemon", "()Z"));
    jboolean alive = (*e)->CallBooleanMethod(e, t, (*e)->GetMethodID(e, c, "isAlive", "()Z"));
    jint priority = (*e)->CallIntMethod(e, t, (*e)->GetMethodID(e, c, "getPriority", "()I"));
    printf("%s: %s in %s, daemon %d, alive %d, priority %d, exception %d\n", what,
           strncmp(name, "Thread-", 7) ? name : "Thread-n", group, daemon, alive, priority, (*e)->ExceptionCheck(e));
}

/* Which signals the calling thread has blocked, of those that a VM has a say in, and two others. SIGQUIT, which only
 * HotSpot blocks while a thread is attached, and SIGUSR2, which only HotSpot uses, are not asked for. */
static void say_blocked(const char *when) {
    static const struct { int number; const char *name; } signals[] = {
        {SIGHUP, "HUP"}, {SIGINT, "INT"}, {SIGTERM, "TERM"}, {SIGSEGV, "SEGV"}, {SIGBUS, "BUS"}, {SIGFPE, "FPE"},
        {SIGILL, "ILL"}, {SIGUSR1, "USR1"}, {SIGWINCH, "WINCH"},
    };
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    printf("blocked %s:", when);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigismember(&now, signals[i].number)) printf(" %s", signals[i].name);
    printf("\n");
}

static void block_all(sigset_t *now) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, now);
}

static void say_mask_is(const char *when, const sigset_t *expected) {
    sigset_t now;
    int same = 1;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    for (int s = 1; s < NSIG; s++) same &= sigismember(&now, s) == sigismember(expected, s);
    printf("its own mask %s: %d\n", when, same);
}

static void *attached(void *arg) {
    sigset_t mine;
    block_all(&mine);
    void *env = (void *)1;
    jint before = (*java_vm)->GetEnv(java_vm, &env, JNI_VERSION_1_8);
    printf("GetEnv before attaching: %d %d\n", before, env == NULL);
    JavaVMAttachArgs args = { JNI_VERSION_1_8, arg, NULL };
    printf("attach: %d\n", arg ? (*java_vm)->AttachCurrentThreadAsDaemon(java_vm, &env, &args)
                               : (*java_vm)->AttachCurrentThread(java_vm, &env, NULL));
    void *again;
    jint r = (*java_vm)->AttachCurrentThread(java_vm, &again, NULL);
    printf("attach again: %d %d\n", r, again == env);
    say_thread(env, "attached");
    say_blocked("while attached");
    JNIEnv *e = env;
    if (arg) (*e)->ThrowNew(e, (*e)->FindClass(e, "java/lang/IllegalStateException"), "left behind");
    printf("detach: %d\n", (*java_vm)->DetachCurrentThread(java_vm));
    say_mask_is("after detaching", &mine);
    printf("detach again: %d\n", (*java_vm)->DetachCurrentThread(java_vm));
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    setvbuf(stdout, NULL, _IONBF, 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) { printf("%s\n", dlerror()); return 2; }
    jint (*create)(JavaVM **, void **, void *) = (jint(*)(JavaVM **, void **, void *))dlsym(library,
                                                                                            "JNI_CreateJavaVM");
    jint (*defaults)(void *) = (jint (*)(void *))dlsym(library, "JNI_GetDefaultJavaVMInitArgs");
    jint (*created)(JavaVM **, jsize, jsize *) = (jint(*)(JavaVM **, jsize, jsize *))dlsym(library,
                                                                                           "JNI_GetCreatedJavaVMs");

    struct {
        jint version;
        void *properties;
        jint check, native_stack, java_stack;
        char room[200];
    } old = {.version = JNI_VERSION_1_1};
    jint r = defaults(&old);
    printf("defaults 1.1: %d, stack %d\n", r, old.java_stack);
    JavaVMInitArgs args = { .version = JNI_VERSION_1_6 };
    printf("defaults: %d\n", defaults(&args));
    args.version = 0x00000777;
    printf("defaults of an unknown version: %d\n", defaults(&args));
    jsize n = -1;
    JavaVM *list[2];
    r = created(list, 2, &n);
    printf("created: %d %d\n", r, n);

    char path[4096];
    snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
    JavaVMOption options[] = { { path, NULL }, { (char *)"-Dembedded=yes", NULL } };
    args = (JavaVMInitArgs){ .version = 0x00000777, .nOptions = 2, .options = options };
    JNIEnv *e;
    printf("create with an unknown version: %d\n", create(&java_vm, (void **)&e, &args));
    args.version = JNI_VERSION_1_8;
    sigset_t mine;
    block_all(&mine);
    r = create(&java_vm, (void **)&e, &args);
    printf("create: %d\n", r);
    say_blocked("in the creating thread");
    if (r != JNI_OK) return 1;
    r = created(list, 2, &n);
    printf("created: %d %d %d\n", r, n, list[0] == java_vm);
    JavaVM *second;
    JNIEnv *e2;
    printf("create again: %d\n", create(&second, (void **)&e2, &args));
    say_thread(e, "main");

    pthread_t t;
    char name[] = "C thread";
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, NULL, attached, i ? name : NULL);
        pthread_join(t, NULL);
    }
    jclass program = (*e)->FindClass(e, "Embedded");
    jmethodID m = program ? (*e)->GetStaticMethodID(e, program, "run", "(I)I") : NULL;
    printf("run: %d\n", m ? (*e)->CallStaticIntMethod(e, program, m, 20) : -1);
    if ((*e)->ExceptionCheck(e)) (*e)->ExceptionDescribe(e);
    printf("detach main: %d\n", (*java_vm)->DetachCurrentThread(java_vm));
    say_mask_is("after detaching main", &mine);
    printf("destroy: %d\n", (*java_vm)->DestroyJavaVM(java_vm));
    say_mask_is("after the end", &mine);
    n = -1;
    r = created(list, 2, &n);
    printf("created: %d %d\n", r, n);
    return 0;
}
