/* The JNI room's services for its neighbours: native binding, libraries, the life of Java threads that C
 * code attaches. */
#ifndef VITRINE_JNI_JNI_ROOM_H
#define VITRINE_JNI_JNI_ROOM_H

#include <jni.h>

#include "link/class.h"
#include "thread/thread.h"

/* Makes the function table of the library served, gives it to all threads, registers native binding.
 * After exec_create. */
bool jni_create(void);
void jni_destroy(void);
/* The table as it was made, and the one in use, for JVM TI's SetJNIFunctionTable and GetJNIFunctionTable. The active
 * one may be replaced; every thread gets it. The world need not stand: a call in progress has already fetched its
 * function. Under -Xcheck:jni and -Xlog:jni=trace a table of their own stands before it. */
const struct JNINativeInterface_ *jni_original_functions(void);
const struct JNINativeInterface_ *jni_active_functions(void);
void jni_set_functions(const struct JNINativeInterface_ *functions);
/* base_hooks.log_changed: gives the threads the table that -Xlog:jni=trace asks for now. */
void jni_log_changed(void);
/* Is this a JNI version of the given library's interface (17, 25)? 1.1 is none. */
bool jni_is_supported_version(jint version, int library);

/* ---- native methods ---------------------------------------------------------------------------------------------- */

/* exec_hooks.native_method. */
void *jni_link_native(struct os_thread *self, struct method *m);
/* "void p.C.m(int, java.lang.String)", as HotSpot names a method in messages; malloc'd, NULL: out of memory. */
char *jni_method_text(struct class *holder, const char *name, const char *desc);
/* Handle of libjava; opened on first use, its JNI_OnLoad run. NULL: it is missing (logged). Thread: IN_VM. */
void *jni_java_library(struct os_thread *self);

/* Libraries of the class loaders, for JVM_LoadLibrary and its kin. open: NULL with the loader's sentence in *why (may
 * be NULL; caller frees). Any state. native_library.c */
void *native_library_open(const char *path, char **why);
void native_library_close(void *handle);
void *native_library_entry(void *handle, const char *name);

/* ---- Java threads ------------------------------------------------------------------------------------------------ */

/* Makes the java.lang.Thread of a thread that attached itself, sets it as mirror and runs the constructor. name:
 * modified UTF-8 or NULL ("Thread-n"). group NULL: the main group. False: exception pending. State: IN_VM. */
bool java_thread_attach_object(struct os_thread *self, const char *name, struct object *group, bool daemon);
/* thread_hooks.read_interrupted and .exited. */
bool java_thread_read_interrupted(struct java_thread *t, bool clear);
void java_thread_exited(struct os_thread *self);

/* ---- for the end of the VM --------------------------------------------------------------------------------------- */

/* Is it code of libjvm? native_link.c */
bool native_code_is_ours(const void *code);
/* Is it code of a library of the JDK, ours not counted? */
bool native_code_is_jdk(const void *code);
/* The end of the VM: the library that contains `code` (NULL: every one that is not the JDK's) stays loaded, since a
 * thread that cannot be ended runs in it. */
void native_libraries_keep(const void *code);
/* JNI_OnUnload and dlclose for all others, newest first. No other thread of the VM lives. State IN_VM. */
void native_libraries_unload(struct os_thread *self);
/* Closes what the above has unloaded. Exit handlers and destructors run in it and find no VM: the calling thread is no
 * thread of the VM any more. */
void native_libraries_close(void);

/* A new instance, its constructor not run; NULL: exception pending (InstantiationException for what has
 * no instances). */
struct object *jni_allocate(struct os_thread *self, struct class *c);
/* Field by name and descriptor, inherited ones too; NULL when the library has none. For fields that are not in
 * known.def. */
struct field *jni_field_cstr(struct class *c, const char *name, const char *desc);
/* The object a reference field of that name holds; NULL when there is no such field. */
struct object *jni_read_ref(struct object *o, const char *name, const char *desc);

#endif
