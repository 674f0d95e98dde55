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

#ifdef __cplusplus
}
#endif

#endif
