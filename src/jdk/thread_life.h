/* thread_life.h — Java threads as java.lang.Thread objects: fields, start, end; for jdk/, jni/ (attach) and the tool
 * rooms. */
#ifndef VITRINE_JDK_THREAD_LIFE_H
#define VITRINE_JDK_THREAD_LIFE_H

#include "thread/thread.h"

/* What jdk/ keeps for the VM's life. */
struct signal_state;
struct management_state;
struct upcall_stubs;
struct native_memory;
struct jdk_state {
    _Atomic int64_t next_thread_id;    /* 25: the counter that Java increments; starts behind main's 3 */
    struct lock pending_lock;    /* boot.c: the Reference Handler waits */
    struct cond pending_cond;
    struct signal_state *signals;        /* jdk_internal_misc_Signal.c; NULL with -Xrs                           */
    struct attach_state *attach;         /* attach_listener.c; NULL until a tool asked                           */
    struct management_state *_Atomic management; /* management.c; NULL until asked for                           */
    bool booted;    /* the class library has started: all of it may be used */
    _Atomic bool code_delivery_started;  /* code_delivery.c                                                     */
    bool reports_out_of_memory;          /* out_of_memory.c: the library can make an OutOfMemoryError that says more */
    _Atomic bool out_of_memory_reported; /* -XX:OnOutOfMemoryError and its kin have been obeyed                       */
    struct upcall_stubs *_Atomic upcall_stubs;   /* upcall_stub.c; NULL until one is made                        */
    struct native_memory *_Atomic native_memory_baseline;    /* native_memory_command.c; taken out to be used */
};
static inline struct jdk_state *thread_life(void) { return vm->jdk; }

int32_t thread_mirror_status(struct object *mirror);
void thread_mirror_set_status(struct object *mirror, int32_t status);
bool thread_mirror_is_daemon(struct object *mirror);
/* Before the thread is started. */
void thread_mirror_set_facts(struct object *mirror, bool daemon, int32_t priority);
bool thread_is_virtual(struct java_thread *t);
/* Does the program find it among its live threads: thread_is_visible, no tool's, and no virtual one? */
bool thread_is_of_program(struct java_thread *t);

/* Starts the thread of a java.lang.Thread; body NULL: Thread.run. False: IllegalThreadStateException or
 * OutOfMemoryError pending. */
bool thread_start_java(struct os_thread *self, struct object *mirror, void (*body)(struct os_thread *self, void *arg),
                       void *arg);
/* The same for a thread of the VM's own that no tool shall see. */
bool thread_start_hidden(struct os_thread *self, struct object *mirror, void (*body)(struct os_thread *self, void *arg),
                         void *arg);
/* The same for a thread that a tool has made for itself: the program does not see it (JVM TI, RunAgentThread). */
bool thread_start_agent(struct os_thread *self, struct object *mirror, void (*body)(struct os_thread *self, void *arg),
                        void *arg);
/* Ends the current Java thread as seen from Java: uncaught exception, Thread.exit, TERMINATED, wakes joiners. For
 * detaching threads too. */
void thread_finish(struct os_thread *self);
/* StackTraceElement[] of a thread; NULL without exception when it does not live. */
struct object *thread_stack_trace(struct os_thread *self, struct object *mirror);

#endif
