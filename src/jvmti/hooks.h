/* hooks.h: what the tool interface asks of the room of the JNI. A table of constants that vm/hooks.c fills. */
#ifndef VITRINE_JVMTI_HOOKS_H
#define VITRINE_JVMTI_HOOKS_H

#include <jni.h>

struct jvmti_hooks {
    /* The table as it was made, and the one in use. Any thread. */
    const struct JNINativeInterface_ *(*jni_original)(void);
    const struct JNINativeInterface_ *(*jni_active)(void);
    /* Every thread gets this table, which stays as long as the VM. The world need not stand. */
    void (*jni_replace)(const struct JNINativeInterface_ *functions);
};
extern const struct jvmti_hooks jvmti_hooks;

#endif
