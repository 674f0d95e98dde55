/* extension.h: our extension functions and events. docs/jvmti.md describes them; extension.c lists them for tools. */
#ifndef VITRINE_JVMTI_EXTENSION_H
#define VITRINE_JVMTI_EXTENSION_H

#include <jvmti.h>

/* Each takes what its row in extension.c says. */
jvmtiError JNICALL jvmti_extension_get_call_trace(jvmtiEnv *env, ...);
jvmtiError JNICALL jvmti_extension_set_reflective_field_events(jvmtiEnv *env, ...);
jvmtiError JNICALL jvmti_extension_set_event_filters(jvmtiEnv *env, ...);
jvmtiError JNICALL jvmti_extension_follow_objects(jvmtiEnv *env, ...);

#endif
