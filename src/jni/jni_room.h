/* The JNI room's services for its neighbours: native binding, libraries, the life of Java threads that C code attaches. */
#ifndef VITRINE_JNI_JNI_ROOM_H
#define VITRINE_JNI_JNI_ROOM_H

#include <jni.h>

#include "link/class.h"
#include "thread/thread.h"

/* Makes the function table of the library served, gives it to all threads, registers native binding. After exec_create. */
bool jni_create(void);
void jni_destroy(void);
/* The table as it was made, and the one in use, for JVM TI's SetJNIFunctionTable and GetJNIFunctionTable. The active one may be replaced;
 * every thread gets it. The world need not stand: a call in progress has already fetched its function. Under -Xcheck:jni and
 * -Xlog:jni=trace a table of their own stands before it. */
const struct JNINativeInterface_ *jni_original_functions(void);
const struct JNINativeInterface_ *jni_active_functions(void);
void jni_set_functions(const struct JNINativeInterface_ *functions);
extern const struct JNIInvokeInterface_ jni_invoke_functions;
/* Is this a JNI version of the given library's interface (17, 25)? 1.1 is none. */
bool jni_is_supported_version(jint version, int library);

/* ---- native methods ------------------------------------------------------------------------------------------------------ */

/* Natives that the VM implements itself without registering them when their class is linked: asked first. Registered by jdk/. */
extern void *(*jni_builtin_lookup)(struct method *m);
/* Searches agent libraries for an exported name; registered by jvmti/. NULL: not found. */
extern void *(*jni_agent_lookup)(const char *symbol);
/* Told of every binding (JVM TI NativeMethodBind); may answer another address. Registered by probe/ or jvmti/. */
extern void *(*jni_bind_hook)(struct os_thread *self, struct method *m, void *address);
/* Native method prefixes in effect, in the order to be stripped (JVM TI SetNativeMethodPrefix); registered by jvmti/. Returns how many. */
extern unsigned (*jni_method_prefixes)(const char **out, unsigned max);
/* "void p.C.m(int, java.lang.String)", as HotSpot names a method in messages; malloc'd, NULL: out of memory. */
char *jni_method_text(struct class *holder, const char *name, const char *desc);
/* Handle of libjava; opened on first use, its JNI_OnLoad run. NULL: it is missing (logged). Thread: IN_VM. */
void *jni_java_library(struct os_thread *self);

/* Libraries of the class loaders, for JVM_LoadLibrary and its kin. open: NULL with the loader's sentence in *why (may be NULL; caller
 * frees). Any state. native_library.c */
void *native_library_open(const char *path, char **why);
void native_library_close(void *handle);
void *native_library_entry(void *handle, const char *name);

/* ---- Java threads ------------------------------------------------------------------------------------------------------------ */

/* Makes the java.lang.Thread of a thread that attached itself, sets it as mirror and runs the constructor. name: modified UTF-8
 * or NULL ("Thread-n"). group NULL: the main group. False: exception pending. State: IN_VM. */
bool java_thread_attach_object(struct os_thread *self, const char *name, struct object *group, bool daemon);
/* Registers what the thread room needs of the library: Thread.interrupted, OutOfMemoryError. After link_create. */
void java_threads_install(void);

/* ---- the end of the VM -------------------------------------------------------------------------------------------------------- */

/* Everything that precedes the end of the process, for System.exit (after the library's own shutdown) and DestroyJavaVM: VMDeath,
 * Agent_OnUnload, the world stopped for good. Returns to the first caller only; another thread never comes back. State: IN_VM. */
void vm_end(struct os_thread *self);
/* Ends the process through the embedder's exit hook, if there is one. */
_Noreturn void vm_exit_process(int code);

#endif
