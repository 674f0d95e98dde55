/* field_watch.c: prints who changes a field, from what to what, with the means of JVM TI.
 *
 *     cc -shared -fPIC -I<jdk>/include -I<jdk>/include/linux -o libfield_watch.so field_watch.c
 *     java -agentpath:./libfield_watch.so=Orders.price Orders
 *     jcmd <pid> JVMTI.agent_load $PWD/libfield_watch.so Orders.price
 *
 * The second into a program that runs: HotSpot gives the capability only to agents that are there from the beginning.
 * The option names a class (with slashes where it has a package) and a field of type int. */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static char class_signature[256], field_name[256];

/* Called in the thread that is about to change the field, while its frame is the youngest. */
static void JNICALL on_modification(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method, jlocation location,
                                    jclass class, jobject object, jfieldID field, char type, jvalue new_value) {
    (void)thread, (void)type;
    char *name = NULL;
    jint line = -1, count = 0;
    jvmtiLineNumberEntry *lines = NULL;
    (*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL);
    if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &lines) == JVMTI_ERROR_NONE)
        for (jint i = 0; i < count && lines[i].start_location <= location; i++) line = lines[i].line_number;
    jint old_value = object != NULL ? (*jni)->GetIntField(jni, object, field)
                                    : (*jni)->GetStaticIntField(jni, class, field);
    printf("%s: %d becomes %d in %s, line %d\n", field_name, (int)old_value, (int)new_value.i, name, (int)line);
    fflush(stdout);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)lines);
}

/* The class is ready: its field can be watched. */
static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class) {
    (void)thread;
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) return;
    if (strcmp(signature, class_signature) == 0) {
        jfieldID field = (*jni)->GetFieldID(jni, class, field_name, "I");
        if (field == NULL) {
            (*jni)->ExceptionClear(jni);
            field = (*jni)->GetStaticFieldID(jni, class, field_name, "I");
        }
        if (field == NULL) {
            (*jni)->ExceptionClear(jni);
            fprintf(stderr, "field_watch: %s has no field %s of type int\n", class_signature, field_name);
        } else {
            (*jvmti)->SetFieldModificationWatch(jvmti, class, field);
        }
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* NULL: not possible, and why has been said. */
static jvmtiEnv *begin(JavaVM *vm, const char *options) {
    jvmtiEnv *jvmti;
    const char *dot = options != NULL ? strrchr(options, '.') : NULL;
    if (dot == NULL || snprintf(class_signature, sizeof class_signature, "L%.*s;", (int)(dot - options), options) >=
                           (int)sizeof class_signature ||
        snprintf(field_name, sizeof field_name, "%s", dot + 1) >= (int)sizeof field_name) {
        fprintf(stderr, "field_watch: say which field, as in -agentpath:./libfield_watch.so=Orders.price\n");
        return NULL;
    }
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return NULL;
    jvmtiCapabilities wanted = {.can_generate_field_modification_events = 1, .can_get_line_numbers = 1};
    jvmtiEventCallbacks callbacks = {.ClassPrepare = on_class_prepare, .FieldModification = on_modification};
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE) {
        fprintf(stderr, "field_watch: this virtual machine watches no fields now\n");
        return NULL;
    }
    if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL) !=
            JVMTI_ERROR_NONE)
        return NULL;
    return jvmti;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    return begin(vm, options) != NULL ? JNI_OK : JNI_ERR;
}

/* The class may be there already. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    JNIEnv *jni;
    jclass *classes = NULL;
    jint count = 0;
    jvmtiEnv *jvmti = begin(vm, options);
    if (jvmti == NULL || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK ||
        (*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE)
        return JNI_ERR;
    for (jint i = 0; i < count; i++) {
        jint status = 0;
        (*jvmti)->GetClassStatus(jvmti, classes[i], &status);
        if (status & JVMTI_CLASS_STATUS_PREPARED) on_class_prepare(jvmti, jni, NULL, classes[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    return JNI_OK;
}
