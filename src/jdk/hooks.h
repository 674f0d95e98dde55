/* hooks.h: what the class library's entry points ask of the rooms above them. A table of constants that vm/hooks.c
 * fills. */
#ifndef VITRINE_JDK_HOOKS_H
#define VITRINE_JDK_HOOKS_H

#include <jni.h>
#include <stdbool.h>
#include <stdio.h>

struct os_thread;

enum agents_measure { AGENTS_MEASURE_AS_BEFORE, AGENTS_MEASURE_ON, AGENTS_MEASURE_OFF };

struct jdk_hooks {
    /* Bytecode can run, though no class is initialised yet and the main thread has no java.lang.Thread. IN_VM. */
    void (*early_start)(struct os_thread *self);
    /* Everything that precedes the end of the process, for System.exit (after the library's own shutdown): VMDeath,
     * Agent_OnUnload, the world stopped for good. Returns to the first caller only; another thread never comes back.
     * IN_VM. */
    void (*end)(struct os_thread *self);
    /* Ends the process through the embedder's exit hook, if there is one. */
    void (*exit)(int code) __attribute__((noreturn));
    /* Libraries of the class loaders. open: NULL with the loader's sentence in *why (may be NULL; caller frees). Any
     * state. */
    void *(*library_open)(const char *path, char **why);
    void (*library_close)(void *handle);
    void *(*library_entry)(void *handle, const char *name);
    /* Attaches an agent to the running VM. 0 and the agent's result in *result, or -1 with a malloc'd sentence in
     * *error. options may be NULL. IN_VM. */
    int (*agent_attach)(struct os_thread *self, const char *library, bool absolute, const char *options, jint *result,
                        char **error);
    /* A function of the library of a running agent that was asked for by this name; NULL: there is none. Any state. */
    void *(*agent_function)(const char *name, const char *function);
    /* Writes who watches what, for a tool, after it has begun or ended to measure what that costs. IN_VM; stops the
     * world. */
    void (*agents_report)(struct os_thread *self, FILE *out, enum agents_measure measure);
    /* The calling thread's environment. A thread that the VM does not know is attached first: with 25's library as a
     * daemon, and until it ends; with 17's as one that the VM waits for, and *detach says that detach_caller is to
     * follow. NULL: there is no memory. While the VM ends it does not return. In native, or not known. */
    JNIEnv *(*attach_caller)(bool *detach);
    void (*detach_caller)(void);
    /* The names of the agents that run, oldest first. No locks: for crash reports. */
    void (*agents_visit)(void (*visit)(void *arg, const char *name), void *arg);
};
extern const struct jdk_hooks jdk_hooks;

#endif
