/* startup.h: the VM's beginning and end, called by the Invocation API. */
#ifndef VITRINE_VM_STARTUP_H
#define VITRINE_VM_STARTUP_H

#include <jni.h>
#include <stdint.h>

#include "thread/thread.h"

/* invocation.c: the functions of a JavaVM. */
extern const struct JNIInvokeInterface_ jni_invoke_functions;
/* jdk_hooks. */
JNIEnv *vm_attach_caller(bool *detach);
void vm_detach_caller(void);

/* Makes the VM; the calling thread becomes the main thread with C frames below `base` and is left IN_NATIVE. Not safe
 * against itself: the caller lets one through. JNI error codes; a failure has been explained, and everything is given
 * back. (A failure after the options are accepted ends the process of the java launcher, as in HotSpot.) */
jint vm_start(const JavaVMInitArgs *args, uintptr_t base, JNIEnv **env);
/* After vm_end: ends the VM's threads, unloads its libraries and gives everything back. `self` is no thread of the VM
 * afterwards. State IN_VM. */
void vm_destroy(struct os_thread *self);
/* Everything that precedes the end of the process, for System.exit (after the library's own shutdown) and
 * DestroyJavaVM: VMDeath, Agent_OnUnload, the world stopped for good. Returns to the first caller only; another thread
 * never comes back. State: IN_VM. */
void vm_end(struct os_thread *self);
/* Ends the process through the embedder's exit hook, if there is one. */
__attribute__((noreturn)) void vm_exit_process(int code);

/* library_resources.c: gives back what the class library holds outside the heap. No other thread of the VM lives, no
 * foreign code uses objects; after it, no Java code runs. State IN_VM. */
void library_resources_give_back(struct os_thread *self);
/* What the class library keeps for the calling thread outside the heap (buffers of libnio); Thread.exit does that for
 * other threads. */
void library_resources_end_thread(struct os_thread *self);

#endif
