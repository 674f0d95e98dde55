/* The verifier: type checking with StackMapTable, and the way to the JDK's old verifier. JVMS 4.9-4.10. */
#ifndef VITRINE_VERIFY_VERIFY_H
#define VITRINE_VERIFY_VERIFY_H

#include "classfile/classfile.h"

/* A hook's answer. VERIFY_THREW: loading a class failed, a Java exception is pending in the caller's thread. */
enum verify_answer { VERIFY_NO, VERIFY_YES, VERIFY_THREW };

/* What the verifier asks of link/. Names are internal class names without array brackets; all may load classes
 * (through the defining loader of the class being verified, without initialising them) and so run Java code.
 * The name of the class being verified means that class itself (it may be hidden, or not registered yet). */
struct verify_hooks {
    void *ctx;
    int release; /* 17 or 25: whose HotSpot's rules and messages to follow where they differ */
    /* Loads `name`: is it an interface? */
    enum verify_answer (*is_interface)(void *ctx, struct symbol *name);
    /* Loads `from`, then `to`: is `from` the same class as or a subclass of `to`? */
    enum verify_answer (*is_subclass)(void *ctx, struct symbol *from, struct symbol *to);
    /* Has one of the proper superclasses of the class being verified this name? Loads nothing. */
    bool (*has_super_named)(void *ctx, struct symbol *name);
    /* Loads `holder`. Is `holder` a superclass of the class being verified or itself, and the member that
     * name and desc select in it (method: over superclasses; field: over superclasses and interfaces)
     * protected and declared in another run-time package? */
    enum verify_answer (*is_protected_elsewhere)(void *ctx, struct symbol *holder, struct symbol *name,
                                                 struct symbol *desc, bool is_method);
};

enum verify_status {
    VERIFY_PASSED,
    VERIFY_REJECTED,  /* `exception` and `message` say what to throw */
    VERIFY_PENDING,   /* a hook threw; the exception is pending */
    VERIFY_NO_MEMORY, /* OutOfMemoryError is the caller's to make */
};

struct verify_result {
    const char *exception; /* java/lang/VerifyError or java/lang/ClassFormatError; static */
    char *message;         /* modified UTF-8, mem_free */
    bool is_final;         /* the StackMapTable cannot be read: the old verifier is not asked */
};

/* Oldest class file version with StackMapTable, and the oldest that may not fall back to the old verifier. */
enum { VERIFY_STACKMAP_MAJOR = 50, VERIFY_NO_FAILOVER_MAJOR = 51 };

/* Type-checks every method of `cf` (major >= 50). Thread: current, in VM state; may reach safepoints and run Java
 * through the hooks. No lock may be held that class loading needs. */
enum verify_status verify_class(const struct classfile *cf, const struct verify_hooks *hooks,
                                struct verify_result *result);

/* True if verify_class rejected a file in a way that lets the old verifier decide (major 50). */
static inline bool verify_may_fail_over(const struct classfile *cf, enum verify_status status,
                                        const struct verify_result *result) {
    return status == VERIFY_REJECTED && !result->is_final && cf->major < VERIFY_NO_FAILOVER_MAJOR;
}

/* The JDK's data-flow verifier, lib/libverify.so. `env` is a JNIEnv*, `mirror` a jclass handle; the thread must be in
 * native state, as it calls JVM_* functions back. A Java exception may be pending afterwards: VERIFY_PENDING is never
 * answered, the caller looks first. Opens the library at first use and keeps it. */
enum verify_status verify_class_old(const char *java_home, void *env, void *mirror, int major,
                                    struct verify_result *result);
/* Closes libverify: DestroyJavaVM. */
void verify_close_old(void);

#endif
