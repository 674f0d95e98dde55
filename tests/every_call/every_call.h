/* every_call.h: one agent that calls every JVM TI function in every way that spec/jvmti.def gives an answer for.
 * calls.c, made from that table by gen_calls.py, says what functions there are; arguments.c finds arguments with which
 * a call succeeds; cases.c makes the wrong calls from them; errors.c has the errors that only one function gives. Every
 * call prints one line, `Function, case: ERROR`. */
#ifndef EVERY_CALL_H
#define EVERY_CALL_H

#define AGENT_STATE extern
#include "agent_support.h"

#include <stdbool.h>

enum { MAX_PARAMETERS = 8, PHASE_COUNT = 9 };

union argument {
    void *p;
    void (*f)(void);
    jlong j;
    jdouble d;
};

enum kind { /* spec/jvmti.def says what they mean; _TOO is its star */
            KIND_THREAD,
            KIND_THREAD_TOO,
            KIND_GROUP,
            KIND_OBJECT,
            KIND_LOADER,
            KIND_MODULE,
            KIND_CLASS,
            KIND_METHOD,
            KIND_METHOD_TOO,
            KIND_VERSION,
            KIND_VERSION_TOO,
            KIND_FIELD,
            KIND_MONITOR,
            KIND_DEPTH,
            KIND_COUNT,
            KIND_ENUM,
            KIND_EVENT,
            KIND_VALUE,
            KIND_IN,
            KIND_OUT,
            KIND_ALLOC,
            KIND_FUNC,
            KIND_DATA
};

struct parameter {
    const char *name, *type;
    enum kind kind;
    bool null_refused, null_is_current;
};

struct function {
    const char *name;
    int since;                                    /* major version                              */
    unsigned phases;                              /* 1 << phase                                 */
    unsigned long long needs;                     /* capabilities, by bit                       */
    bool safe;                                    /* callable from heap and collector callbacks */
    bool attached;                                /* demands an attached thread                 */
    int count;
    const struct parameter *parameters;
    jvmtiError (*call)(const struct jvmtiInterface_1_ *table, jvmtiEnv *env, const union argument *arguments);
};

extern const struct function functions[];
extern const int function_count;

/* What the arguments are taken from; the objects are local references of the running native method. */
struct fixture {
    JNIEnv *jni;                                  /* NULL before the start phase                                    */
    jclass self, array, primitive;                /* EveryCall, int[].class, int.class                              */
    jobject object, loader, module, exception;    /* a String; the loader and the (unnamed) module of EveryCall     */
    jobject named;                                /* java.base                                                      */
    jthreadGroup group;
    jthread victim, fresh, done, waiter;          /* suspended in EveryCall.spin*; not started; ended; in a wait    */
    jthread virtual_thread, virtual_fresh;        /* running; not started; NULL where there are none                */
    jclass unlinked, extended, stripped;          /* only loaded; with a SourceDebugExtension; without tables       */
    jmethodID spin, native;
    jfieldID field, other;                        /* an int of EveryCall; a field of another class                  */
    const char *jar;                              /* an existing JAR                                                */
};
extern struct fixture fixture;
extern jvmtiEnv *bare;                            /* an environment without capabilities                            */
extern bool strict;                               /* on our VM alone: also what HotSpot does not survive            */
extern bool late;                                 /* the live phase: threads may be suspended                       */

/* A case in three steps: prepare, then the call, then restore. Prepare fills the arguments with which f succeeds. */
void prepare(const struct function *f, union argument *arguments);
void restore(const struct function *f);
const struct function *function_named(const char *name);
int version(void);                                /* the major one of the environment                               */
bool is_there(const struct function *f);          /* that version has it                                            */

/* Puts the victim into EveryCall.spin<kind> (I J F D L V) and suspends it there. */
void stand(char kind);
void let_go(void);                                /* the victim runs                                                */

jvmtiError call_with(jvmtiEnv *env, const struct function *f, const union argument *arguments);
void report(const struct function *f, const char *label, jvmtiError err);

void in_phase(const char *phase_name, jvmtiPhase phase);                  /* cases.c */
void parameter_cases(void);
void capability_cases(void);
void thread_cases(void);
void environment_cases(void);
void callback_cases(void);
void error_cases(void);                                                   /* errors.c */
void error_cases_in_onload(void);
void out_of_memory(void);                                                 /* out_of_memory.c */

#endif
