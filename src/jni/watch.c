/* The watching layer: hands each call to -Xcheck:jni and -Xlog:jni=trace, which see it in this order: logged, checked,
 * made. */
#include "jni/watch.h"

#include "base/options.h"

void jni_watch_enter(struct jni_call *call) {
    call->next = jni_active_functions();
    if (log_enabled(LOG_jni, LOG_TRACE)) jni_trace_enter(call);
    if (vm->options->check_jni) jni_check_enter(call);
}

void jni_watch_leave(struct jni_call *call) {
    if (vm->options->check_jni) jni_check_leave(call);
    if (log_enabled(LOG_jni, LOG_TRACE)) jni_trace_leave(call);
}
