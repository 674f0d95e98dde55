/* watch.h — the layer between native code and the JNI functions: a second function table, made from spec/jni.def, whose
 * every function shows its call here before and after it passes it on. It is given to the threads only while somebody
 * wants it: -Xcheck:jni (check.c) or -Xlog:jni=trace (trace.c). */
#ifndef VITRINE_JNI_WATCH_H
#define VITRINE_JNI_WATCH_H

#include <stdarg.h>

#include "jni/jni_internal.h"

/* What a parameter is, and what -Xcheck:jni demands of it; spec/jni.def explains the words. */
enum jni_kind {
    KIND_VOID, /* of a result                                                           */
    KIND_Z,
    KIND_B,
    KIND_C,
    KIND_S,
    KIND_I,
    KIND_J,
    KIND_F,
    KIND_D,
    KIND_OBJECT,
    KIND_OBJECT_OR_NULL,
    KIND_CLASS,
    KIND_ANY_CLASS,
    KIND_THROWABLE_CLASS,
    KIND_THROWABLE,
    KIND_LOADER_OR_NULL,
    KIND_STRING,
    KIND_ARRAY,
    KIND_OBJECTS,
    KIND_ELEMENTS_OF,
    KIND_EXECUTABLE,
    KIND_MEMBER,
    KIND_GLOBAL_OR_NULL,
    KIND_LOCAL_OR_NULL,
    KIND_WEAK_OR_NULL,
    KIND_UNCHECKED, /* any reference, good or not; results                                   */
    KIND_METHOD,
    KIND_FIELD,
    KIND_NAME,
    KIND_TEXT_OR_NULL,
    KIND_CLASS_NAME,
    KIND_CLASS_NAME_OR_NULL,
    KIND_OUT,
    KIND_OUT_OR_NULL,
    KIND_MEMORY,
    KIND_MEMORY_OR_NULL,
    KIND_LENT,
    KIND_ADDRESS,
    KIND_NATIVES,
    KIND_LIST,
    KIND_DOTS,
    KIND_VALUES,
    KIND_CAPACITY,
    KIND_MODE
};

enum jni_trait { TRAIT_ALWAYS = 1, TRAIT_ASKS = 2, TRAIT_IN_CRITICAL = 4, TRAIT_STATIC = 8, TRAIT_RUNS = 16 };

enum { JNI_MAX_PARAMETERS = 4 };

/* One function of the table; the environment is not among the parameters. */
struct jni_function {
    const char *name;
    char type;                           /* letter of the family (Z ... D, L, V); 0: in none                      */
    uint8_t result;                      /* enum jni_kind                                                         */
    uint8_t traits;                      /* enum jni_trait                                                        */
    uint8_t count;
    struct { uint8_t kind; const char *name; } parameters[JNI_MAX_PARAMETERS];
};

union jni_argument {
    const void *p;                       /* handles, ids, pointers; KIND_LIST and KIND_DOTS: a struct jni_list      */
    jboolean z; jbyte b; jchar c; jshort s; jint i; jlong j; jfloat f; jdouble d;
};

struct jni_list { va_list list; };

/* A call on its way. What stands here is passed on and returned: a watcher may put something else in its place. */
struct jni_call {
    const struct jni_function *function;
    JNIEnv *env;
    const struct JNINativeInterface_ *next;
    union jni_argument arguments[JNI_MAX_PARAMETERS], result;
    struct lent *given_back;             /* lent.c: freed when the call is over                                   */
};

extern const struct jni_function jni_watched_functions[];
extern const struct JNINativeInterface_ jni_watching_table;

/* Before and after the function itself. State: NATIVE (or no thread of the VM at all). */
void jni_watch_enter(struct jni_call *call);
void jni_watch_leave(struct jni_call *call);

/* check.c. */
void jni_check_enter(struct jni_call *call);
void jni_check_leave(struct jni_call *call);

/* What a check found, by its row in check_messages.def. parameter: index, -1 none. other: what %2 of the message stands
 * for. detail: what is wrong with this one, a format; NULL: nothing to add. Fatal ones do not return. State: IN_VM. */
enum check_message {
#define CHECK_MESSAGE(id, severity, text) CHECK_##id,
#include "jni/check_messages.def"
#undef CHECK_MESSAGE
};
void jni_check_report(struct os_thread *self, const struct jni_call *call, enum check_message message, int parameter,
                      const char *other, const char *detail, ...) PRINTF_LIKE(6, 7);
/* The object of a reference that native code of this thread may use: *o (NULL for a cleared weak one). False: it is
 * none. State: IN_VM. */
bool jni_reference_is_good(struct os_thread *self, jobject h, struct object **o);

/* trace.c. */
void jni_trace_enter(const struct jni_call *call);
void jni_trace_leave(const struct jni_call *call);

/* lent.c: under -Xcheck:jni what Get...Elements, Get...Chars and the critical functions lend is a copy
 * between guards. */
void lent_create(void);
void lent_destroy(void);
/* After the Get: puts a guarded copy in place of call->result. State: IN_VM. */
void lent_take(struct os_thread *self, struct jni_call *call);
/* Before the Release: checks, copies back, puts the original pointer in place of the argument. State: IN_VM. */
void lent_give_back(struct os_thread *self, struct jni_call *call, int parameter);
/* After the Release. */
void lent_forget(struct jni_call *call);

#endif
