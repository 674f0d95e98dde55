/* field_watch.c: prints who changes a field, from what to what, with the means of JVM TI.
 *
 *     cc -shared -fPIC -I<jdk>/include -I<jdk>/include/linux -o libfield_watch.so field_watch.c
 *     java -agentpath:./libfield_watch.so=Orders.price Orders
 *
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

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    jvmtiEnv *jvmti;
    const char *dot = options != NULL ? strrchr(options, '.') : NULL;
    if (dot == NULL || snprintf(class_signature, sizeof class_signature, "L%.*s;", (int)(dot - options), options) >=
                           (int)sizeof class_signature ||
        snprintf(field_name, sizeof field_name, "%s", dot + 1) >= (int)sizeof field_name) {
        fprintf(stderr, "field_watch: say which field, as in -agentpath:./libfield_watch.so=Orders.price\n");
        return JNI_ERR;
    }
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted = {.can_generate_field_modification_events = 1, .can_get_line_numbers = 1};
    jvmtiEventCallbacks callbacks = {.ClassPrepare = on_class_prepare, .FieldModification = on_modification};
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL) !=
            JVMTI_ERROR_NONE)
        return JNI_ERR;
    return JNI_OK;
}
