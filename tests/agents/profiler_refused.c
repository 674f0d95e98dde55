/* profiler_refused.c: an agent that asks for JVMPI where another one has it already. */
#include <jvmpi.h>
#include <stdio.h>

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    void *interface = NULL;
    jint result = (*vm)->GetEnv(vm, &interface, JVMPI_VERSION_1);
    printf("second agent: %d %s\n", (int)result, interface == NULL ? "nothing" : "an interface");
    fflush(stdout);
    return JNI_OK;
}
