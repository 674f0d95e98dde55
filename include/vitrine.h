/* vitrine.h: what a tool may use of Vitrine beyond the specifications: AsyncGetCallTrace, and the structures of the JVM TI extension
 * functions. docs/jvmti.md describes all of it. An agent that includes this header needs nothing of Vitrine to be loaded elsewhere:
 * AsyncGetCallTrace is looked up with dlsym, extension functions come from GetExtensionFunctions. */
#ifndef VITRINE_H
#define VITRINE_H

#include "jvmti.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- AsyncGetCallTrace --------------------------------------------------------------------------------------------------------- */

typedef struct {
    jint lineno;                         /* bytecode index; ASGCT_NATIVE_FRAME for a native method                */
    jmethodID method_id;
} ASGCT_CallFrame;

typedef struct {
    JNIEnv *env_id;                      /* of the calling thread; NULL when it has none                           */
    jint num_frames;                     /* result: frames, or an ASGCT_* code                                     */
    ASGCT_CallFrame *frames;             /* the caller's, room for `depth`; youngest first                         */
} ASGCT_CallTrace;

enum {
    ASGCT_NATIVE_FRAME = -3,             /* in lineno                                                              */
    ASGCT_NO_JAVA_FRAME = 0,             /* in num_frames: the thread runs no Java code                            */
    ASGCT_NO_CLASS_LOAD = -1,            /* these three never from Vitrine: HotSpot without ClassLoad events,      */
    ASGCT_UNKNOWN_NOT_JAVA = -3,         /* ... stacks that cannot be walked                                       */
    ASGCT_NOT_WALKABLE_NOT_JAVA = -4,
    ASGCT_GC_ACTIVE = -2,                /* a collection is running                                                */
    ASGCT_UNKNOWN_JAVA = -5,             /* never from Vitrine                                                     */
    ASGCT_NOT_WALKABLE_JAVA = -6,        /* the frames do not hang together                                        */
    ASGCT_UNKNOWN_STATE = -7,            /* never from Vitrine                                                     */
    ASGCT_THREAD_EXIT = -8,              /* no thread of this VM, or no more, or env_id is another one's           */
    ASGCT_DEOPT = -9,                    /* never from Vitrine                                                     */
    ASGCT_SAFEPOINT = -10                /* never from Vitrine                                                     */
};

/* The calling thread's Java stack. From a signal handler at any instruction, and from anywhere else; ucontext: the handler's third
 * argument, or NULL. Exported by libjvm.so. */
typedef void (*AsyncGetCallTrace_t)(ASGCT_CallTrace *trace, jint depth, void *ucontext);

/* ---- vitrine.functions.GetCallTrace -------------------------------------------------------------------------------------------- */

enum {
    VITRINE_FRAME_INTERPRETED = 1,
    VITRINE_FRAME_NATIVE = 2
};

typedef struct {
    jmethodID method;
    jlocation location;                  /* bytecode index; -1 in a native method                                  */
    jint kind;                           /* VITRINE_FRAME_*; further ones may come                                 */
    jint reserved;                       /* 0                                                                      */
} vitrineCallFrame;

/* ---- vitrine.functions.SetEventFilters ----------------------------------------------------------------------------------------- */

/* Asked before the environment's callback of that event is called, on the same thread, inside the VM: no transition, no local references. JNI_FALSE: the
 * filter has done what there was to do, and the callback is not called; JNI_TRUE: it is. Filters follow the rules of a signal handler: they do not
 * block, and call nothing of the VM but GetCallTrace.
 *
 * A filter is a short cut and not a promise: the VM may call the callback without having asked, as it does while another environment or JVMPI wants the same
 * events of the thread, or one of MethodEntry and MethodExit alone is enabled, has a callback or a filter. So the callbacks are to do the whole work.
 *
 * `storage` is what SetThreadLocalStorage has set for the thread, NULL if nothing. */
typedef struct {
    jboolean (JNICALL *MethodEntry)(void *storage, jmethodID method);
    jboolean (JNICALL *MethodExit)(void *storage, jmethodID method, jboolean was_popped_by_exception);
    /* class_tag: of the object's class. *tag_ptr is 0; a tag stored there, before JNI_FALSE, is the object's (needs can_tag_objects). */
    jboolean (JNICALL *SampledObjectAlloc)(void *storage, jlong class_tag, jlong size, jlong *tag_ptr);
} vitrineEventFilters;

#ifdef __cplusplus
}
#endif

#endif
