/* static_agent.c: IA-028 (unload functions at the end), IA-043 (GetEnv in OnLoad): an agent that is linked into the
 * program: -agentlib:embedded finds Agent_OnLoad_embedded here, nothing is loaded, and its unload function is called at
 * the end. Usage: static_agent <libjvm.so> <class path> <main class> */
#include <dlfcn.h>
#include <jni.h>
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static jvmtiEnv *jvmti;

static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)env, (void)jni, (void)thread;
    printf("VMInit\n");
    fflush(stdout);
}

EXPORTED jint JNICALL Agent_OnLoad_embedded(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    printf("Agent_OnLoad_embedded \"%s\"\n", options);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return JNI_ERR;
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) == JVMTI_ERROR_NONE
               ? JNI_OK
               : JNI_ERR;
}

EXPORTED jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)vm, (void)options, (void)reserved;
    printf("Agent_OnLoad: must not be called\n");
    return JNI_OK;
}

EXPORTED void JNICALL Agent_OnUnload_embedded(JavaVM *vm) {
    (void)vm;
    printf("Agent_OnUnload_embedded\n");
    fflush(stdout);
}

typedef jint (*create_function)(JavaVM **vm, void **env, void *args);

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    create_function create = library ? (create_function)dlsym(library, "JNI_CreateJavaVM") : NULL;
    if (create == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    char class_path[4096];
    snprintf(class_path, sizeof class_path, "-Djava.class.path=%s", argv[2]);
    /* The second one is linked too, by the name of a file that is not there (JT-064). */
    JavaVMOption options[] = {{class_path, NULL},
                              {"-agentlib:embedded=some,options", NULL},
                              {"-agentpath:/nowhere/libembedded.so=by path", NULL}};
    JavaVMInitArgs args = {JNI_VERSION_1_6, 3, options, JNI_FALSE};
    JavaVM *vm;
    JNIEnv *env;
    jint code = create(&vm, (void **)&env, &args);
    printf("JNI_CreateJavaVM: %d\n", (int)code);
    if (code != JNI_OK) return 1;
    jclass main_class = (*env)->FindClass(env, argv[3]);
    jmethodID method = main_class ? (*env)->GetStaticMethodID(env, main_class, "main", "([Ljava/lang/String;)V") : NULL;
    jobjectArray none = (*env)->NewObjectArray(env, 0, (*env)->FindClass(env, "java/lang/String"), NULL);
    if (method) (*env)->CallStaticVoidMethod(env, main_class, method, none);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionDescribe(env);
    printf("DestroyJavaVM: %d\n", (int)(*vm)->DestroyJavaVM(vm));
    return 0;
}
