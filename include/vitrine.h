/* vitrine.h: what a tool may use of Vitrine beyond the specifications: AsyncGetCallTrace, and the structures of the JVM
 * TI extension functions. docs/jvmti.md describes all of it. An agent that includes this header needs nothing of
 * Vitrine to be loaded elsewhere: AsyncGetCallTrace is looked up with dlsym, extension functions come from
 * GetExtensionFunctions. */
#ifndef VITRINE_H
#define VITRINE_H

#include "jvmti.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- AsyncGetCallTrace ------------------------------------------------------------------------------------------- */

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

/* The calling thread's Java stack. From a signal handler at any instruction, and from anywhere else; ucontext: the
 * handler's third argument, or NULL. Exported by libjvm.so. */
typedef void (*AsyncGetCallTrace_t)(ASGCT_CallTrace *trace, jint depth, void *ucontext);

/* ---- vitrine.functions.GetCallTrace ------------------------------------------------------------------------------ */

enum {
    VITRINE_FRAME_INTERPRETED = 1,
    VITRINE_FRAME_NATIVE = 2,
    VITRINE_FRAME_COMPILED = 3,          /* its method's machine code                                              */
    VITRINE_FRAME_INLINED = 4            /* machine code of its caller, into which the method is built             */
};

typedef struct {
    jmethodID method;
    jlocation location;                  /* bytecode index; -1 in a native method                                  */
    jint kind;                           /* VITRINE_FRAME_*; further ones may come                                 */
    jint reserved;                       /* 0                                                                      */
} vitrineCallFrame;

/* ---- vitrine.functions.SetEventFilters --------------------------------------------------------------------------- */

/* Asked before the environment's callback of that event is called, on the same thread, inside the VM: no transition, no
 * local references. JNI_FALSE: the filter has done what there was to do, and the callback is not called; JNI_TRUE: it
 * is. Filters follow the rules of a signal handler: they do not block, and call nothing of the VM but GetCallTrace.
 *
 * A filter is a short cut and not a promise: the VM may call the callback without having asked, as it does while
 * another environment or JVMPI wants the same events of the thread, or one of MethodEntry and MethodExit alone is
 * enabled, has a callback or a filter. So the callbacks are to do the whole work.
 *
 * `storage` is what SetThreadLocalStorage has set for the thread, NULL if nothing. */
typedef struct {
    jboolean (JNICALL *MethodEntry)(void *storage, jmethodID method);
    jboolean (JNICALL *MethodExit)(void *storage, jmethodID method, jboolean was_popped_by_exception);
    /* class_tag: of the object's class. *tag_ptr is 0; a tag stored there, before JNI_FALSE, is the object's (needs
     * can_tag_objects). */
    jboolean (JNICALL *SampledObjectAlloc)(void *storage, jlong class_tag, jlong size, jlong *tag_ptr);
} vitrineEventFilters;

/* ---- vitrine.functions.FollowObjects ----------------------------------------------------------------------------- */

/* Where a field lies in an object. */
typedef struct {
    jint offset;                         /* bytes from vitrineObject.contents                                      */
    jint index;                          /* of the field, as the heap callbacks of JVM TI count them               */
    char type;                           /* descriptor character; 'L' for arrays, too                              */
} vitrineFieldPlace;

/* The class of objects that are reported; the same record for all of them, until the function returns. */
typedef struct {
    jlong tag;                           /* the class's; 0: none                                                   */
    const vitrineFieldPlace *fields;     /* instance fields, inherited ones too: the references first; NULL: none  */
    jint field_count, reference_count;
    char element_type;                   /* arrays: descriptor character, 'L' for references; else 0               */
    void *tool_data;                     /* the tool's; NULL at first                                              */
} vitrineObjectClass;

typedef struct {
    jlong tag;                           /* or number, see below; what the callback stores here is the object's tag */
    jlong size;                          /* bytes                                                                  */
    jint length;                         /* of an array; else -1                                                   */
    const void *contents;                /* fields at their places, or the elements, as the machine has them       */
    vitrineObjectClass *klass;
} vitrineObject;

/* One call of FollowObjects. References are 32 bits in fields and elements, 0 for null; what they lead to is found with
 * ReferenceTags: the tags (or numbers) for `count` references that follow each other, 0 for null. */
typedef struct vitrineObjectWalk {
    void(JNICALL *ReferenceTags)(const struct vitrineObjectWalk *walk, const void *references, jint count, jlong *tags);
} vitrineObjectWalk;

/* FollowObjects(jvmtiEnv *, jlong first_number, const vitrineObjectCallbacks *, const void *user_data) goes where
 * FollowReferences goes from the roots, and reports each object once and as a whole. An object without a tag has a
 * number instead while it runs: no two the same, from first_number (over 0) up to 2^32 - 1 more. The rules of heap
 * callbacks hold, and their answers: JVMTI_VISIT_OBJECTS to go on (for a reference: to what it leads to), and
 * JVMTI_VISIT_ABORT.
 *
 * Beside the fields that a class object has as an instance of java.lang.Class, a class has static fields, a loader and
 * so on: heap_reference reports those, and the roots, static_field the values of primitive types. None may be NULL.
 * Needs can_tag_objects. */
typedef struct {
    /* first, for each class object without a tag, reached or not */
    jint (JNICALL *untagged_class)(jlong size, jlong *tag_ptr, void *user_data);
    jvmtiHeapReferenceCallback heap_reference;
    jvmtiPrimitiveFieldCallback static_field;
    jint (JNICALL *object)(const vitrineObjectWalk *walk, vitrineObject *object, void *user_data);
} vitrineObjectCallbacks;

#ifdef __cplusplus
}
#endif

#endif
