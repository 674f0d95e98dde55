/* id.c: conversions between ids, handles and classes. Objects do not move: an object's id is its address, for as long
 * as it lives. */
#include "jvmpi/jvmpi_internal.h"

jobjectID jvmpi_GetMethodClass(jmethodID mid) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return NULL;
    struct method *m = method_of_id(mid);
    struct method_code *code = m ? NULL : method_code_of_id(mid);    /* code that a redefinition has replaced */
    if (code) m = code->method;
    jobjectID id = m ? jvmpi_class_id(m->holder) : NULL;
    jvmpi_call_end(&call);
    return id;
}

jobject jvmpi_jobjectID2jobject(jobjectID jid) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return NULL;
    struct object *pending = exception_take(call.self);
    jobject handle = handle_local(call.self, jvmpi_object_of(jid));
    call.self->exception = pending;
    jvmpi_call_end(&call);
    return handle;
}

jobjectID jvmpi_jobject2jobjectID(jobject j) {
    struct jvmpi_call call;
    if (!jvmpi_call_begin(&call)) return NULL;
    jobjectID id = handle_type(call.self, j) == JNIInvalidRefType ? NULL : jvmpi_id(handle_get(j));
    jvmpi_call_end(&call);
    return id;
}
