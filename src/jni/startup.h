/* Start of the VM, called by the Invocation API. */
#ifndef VITRINE_JNI_STARTUP_H
#define VITRINE_JNI_STARTUP_H

#include <jni.h>
#include <stdint.h>

#include "thread/thread.h"

/* Makes the VM; the calling thread becomes the main thread with C frames below `base` and is left IN_NATIVE. Not safe against
 *  itself: the caller lets one through. JNI error codes; a failure has been explained, and everything is given back. (A failure after the
 * options are accepted ends the process of the java launcher, as in HotSpot.) */
jint vm_start(const JavaVMInitArgs *args, uintptr_t base, JNIEnv **env);
/* After vm_end: ends the VM's threads, unloads its libraries and gives everything back. `self` is no thread of the VM afterwards.
 * State IN_VM. */
void vm_destroy(struct os_thread *self);
/* The JavaVM of this copy of the library, whether it lives or not. */
JavaVM *vm_java_vm(void);

#endif
