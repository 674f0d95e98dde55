/* cycles.c: creates, uses and destroys VMs one after the other in one process, and counts what each leaves behind.
 * Usage: cycles <libjvm.so> <class path> <cycles> <JDK directory>... [-- <VM option>...]
 * The JDKs take turns. After each cycle a line: threads, mappings, descriptors, dispositions that differ from the
 * start, resident KiB, code caches. Before the VM is destroyed another: how many methods have compiled code, how many
 * of them are the program's, code caches. With CYCLES_TOOL in the environment and -XX:+StartAttachListener each VM ends
 * while a tool is halfway through its request. */
#include <dirent.h>
#include <dlfcn.h>
#include <jvmti.h>
#include <linux/sockios.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { SIGNALS = 65, OPTIONS = 32 };

typedef jint (*create_function)(JavaVM **vm, void **env, void *args);
typedef jint (*created_function)(JavaVM **list, jsize room, jsize *count);

/* Entries of a directory of /proc/self; for fd the one that reads it is not counted. */
static int entries(const char *path) {
    DIR *dir = opendir(path);
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) n += e->d_name[0] != '.';
    if (dir) closedir(dir);
    return n;
}

/* Whether the kernel has begun to end a task (PF_EXITING): it stays listed for a while after its thread has been
 * joined. */
static int is_exiting(const char *task) {
    char path[300], line[1024] = "";
    unsigned flags = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", task);
    FILE *f = fopen(path, "r");
    char *behind_name = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (f) fclose(f);
    return !behind_name || sscanf(behind_name, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1 || (flags & 0x4) != 0;
}

static int threads(void) {
    DIR *dir = opendir("/proc/self/task");
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) n += e->d_name[0] != '.' && !is_exiting(e->d_name);
    if (dir) closedir(dir);
    return n;
}

static int mappings(const char *print) {
    FILE *f = fopen("/proc/self/maps", "r");
    char line[4096];
    int n = 0;
    while (f && fgets(line, sizeof line, f)) {
        n++;
        if (print) printf("%s %s", print, line);
    }
    if (f) fclose(f);
    return n;
}

/* The views that run: anonymous, but shared. */
static int code_mappings(void) {
    FILE *f = fopen("/proc/self/maps", "r");
    char line[4096], flags[5];
    int n = 0;
    while (f && fgets(line, sizeof line, f))
        n += sscanf(line, "%*s %4s", flags) == 1 && flags[2] == 'x' && strstr(line, "/dev/zero") != NULL;
    if (f) fclose(f);
    return n;
}

static int compiled, compiled_of_program;

static void JNICALL on_compiled(jvmtiEnv *jvmti, jmethodID m, jint size, const void *code, jint length,
                                const jvmtiAddrLocationMap *map, const void *info) {
    jclass c;
    char *signature;
    (void)size, (void)code, (void)length, (void)map, (void)info;
    compiled++;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, m, &c) || (*jvmti)->GetClassSignature(jvmti, c, &signature, NULL))
        return;
    compiled_of_program += strcmp(signature, "LCycle;") == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* What has compiled code now, in a line; the code goes with the VM. */
static int report_code(JavaVM *vm, int cycle) {
    jvmtiEnv *jvmti;
    jvmtiCapabilities wanted = {.can_generate_compiled_method_load_events = 1};
    jvmtiEventCallbacks callbacks = {.CompiledMethodLoad = on_compiled};
    compiled = compiled_of_program = 0;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK || (*jvmti)->AddCapabilities(jvmti, &wanted) ||
        (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_COMPILED_METHOD_LOAD, NULL) ||
        (*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD) ||
        (*jvmti)->DisposeEnvironment(jvmti)) return 0;
    printf("cycle %d: compiled %d, of the program %d, code caches %d\n", cycle, compiled, compiled_of_program,
           code_mappings());
    return 1;
}

static long resident_kib(void) {
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
    if (f) fclose(f);
    return kib;
}

static struct sigaction at_start[SIGNALS];

static int changed_dispositions(int store) {
    int n = 0;
    for (int s = 1; s < SIGNALS; s++) {
        struct sigaction now;
        memset(&now, 0, sizeof now);
        if (sigaction(s, NULL, &now) != 0) continue;
        if (store) at_start[s] = now;
        /* SA_RESTORER is glibc's own */
        else
            n += now.sa_handler != at_start[s].sa_handler || ((now.sa_flags ^ at_start[s].sa_flags) & ~0x04000000) != 0;
    }
    return n;
}

static void report(int cycle) {
    printf("cycle %d: threads %d mappings %d descriptors %d dispositions %d resident %ld code %d\n", cycle, threads(),
           mappings(NULL), entries("/proc/self/fd") - 1, changed_dispositions(0), resident_kib(), code_mappings());
    fflush(stdout);
}

static int run(JNIEnv *e, int cycle) {
    jclass program = (*e)->FindClass(e, "Cycle");
    jmethodID m = program ? (*e)->GetStaticMethodID(e, program, "run", "(I)I") : NULL;
    jint answer = m ? (*e)->CallStaticIntMethod(e, program, m, cycle) : -1;
    if ((*e)->ExceptionCheck(e)) (*e)->ExceptionDescribe(e);
    return answer;
}

/* Returns when the attach listener has read the beginning of a request, and waits for the rest. -1: nobody listens. */
static int begin_request(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), unread = 1;
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/.java_pid%d", (int)getpid());
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0 || write(fd, "1", 2) != 2) return -1;
    while (unread > 0 && ioctl(fd, SIOCOUTQ, &unread) == 0) usleep(1000);
    return unread == 0 ? fd : -1;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    int cycles = argc > 4 ? atoi(argv[3]) : 0, homes = 0, extra = 0;
    char **home = argv + 4;
    while (4 + homes < argc && strcmp(home[homes], "--") != 0) homes++;
    char **more = home + homes + 1;
    if (4 + homes < argc) extra = argc - 5 - homes;
    if (cycles <= 0 || homes == 0 || extra > OPTIONS - 2) return 2;
    /* The C library loads its unwinder when a thread is cancelled for the first time, as the end of a VM does with one
     * that waits in a library of the JDK: that may be in any cycle, and it stays. */
    (void)dlopen("libgcc_s.so.1", RTLD_NOW);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        printf("%s\n", dlerror());
        return 2;
    }
    create_function create = (create_function)dlsym(library, "JNI_CreateJavaVM");
    created_function created = (created_function)dlsym(library, "JNI_GetCreatedJavaVMs");
    changed_dispositions(1);
    report(0);
    for (int cycle = 1; cycle <= cycles; cycle++) {
        char path[4096], java_home[4096];
        snprintf(path, sizeof path, "-Djava.class.path=%s", argv[2]);
        snprintf(java_home, sizeof java_home, "-Djava.home=%s", home[(cycle - 1) % homes]);
        JavaVMOption options[OPTIONS] = {{path, NULL}, {java_home, NULL}};
        for (int i = 0; i < extra; i++) options[2 + i].optionString = more[i];
        JavaVMInitArgs args = {JNI_VERSION_1_8, 2 + extra, options, JNI_FALSE};
        JavaVM *vm;
        JNIEnv *env;
        jsize n = -1;
        jint r = create(&vm, (void **)&env, &args);
        if (r != JNI_OK) {
            printf("create: %d\n", r);
            return 1;
        }
        if (run(env, cycle) != cycle) {
            printf("the program answered wrongly\n");
            return 1;
        }
        if (!report_code(vm, cycle)) {
            printf("no events of compiled code\n");
            return 1;
        }
        int tool = getenv("CYCLES_TOOL") ? begin_request() : 0;
        r = (*vm)->DestroyJavaVM(vm);
        if (tool > 0) close(tool);
        if (tool < 0) printf("no attach listener\n");
        created(&vm, 1, &n);
        if (r != JNI_OK || n != 0) {
            printf("destroy: %d, created: %d\n", r, (int)n);
            return 1;
        }
        report(cycle);
        if (getenv("CYCLES_MAPS") && (cycle == 1 || cycle == cycles)) mappings(cycle == 1 ? "first" : "last");
    }
    return 0;
}
