/* tracer.c: prints each class as the virtual machine loads it, with the means of JVMPI.
 *
 *     cc -shared -fPIC -I<vitrine>/include -I<jdk>/include -I<jdk>/include/linux -o libtracer.so tracer.c
 *     LD_LIBRARY_PATH=. java -Xruntracer HelloWorld
 *
 * With an option only classes are printed whose names begin with it: -Xruntracer:com.example. */
#include <jvmpi.h>
#include <stdio.h>
#include <string.h>

static JVMPI_Interface *jvmpi;
static char prefix[256];

/* Called in the thread that loads the class; several threads may be here at once. What the event points to is gone when
 * we return. */
static void on_event(JVMPI_Event *event) {
    switch (event->event_type) {
    case JVMPI_EVENT_CLASS_LOAD: {
        const char *name = event->u.class_load.class_name;
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            printf("loaded %s: %d methods, %d static and %d instance fields\n", name,
                   (int)event->u.class_load.num_methods, (int)event->u.class_load.num_static_fields,
                   (int)event->u.class_load.num_instance_fields);
        break;
    }
    case JVMPI_EVENT_JVM_SHUT_DOWN:
        fflush(stdout);
        break;
    }
}

JNIEXPORT jint JNICALL JVM_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&jvmpi, JVMPI_VERSION_1) != JNI_OK) {
        fprintf(stderr, "tracer: this virtual machine has no JVMPI\n");
        return JNI_ERR;
    }
    snprintf(prefix, sizeof prefix, "%s", options != NULL ? options : "");
    jvmpi->NotifyEvent = on_event;
    if (jvmpi->EnableEvent(JVMPI_EVENT_CLASS_LOAD, NULL) != JVMPI_SUCCESS) return JNI_ERR;
    if (jvmpi->EnableEvent(JVMPI_EVENT_JVM_SHUT_DOWN, NULL) != JVMPI_SUCCESS) return JNI_ERR;
    return JNI_OK;
}
