/* out_of_memory.c: for every function and every allocation that a call of it makes: the answer when that one fails, and
 * what is then left behind. Needs our VM's -XX:FailToolAllocation. */
#include "every_call.h"

#include <malloc.h>

enum { MOST = 5000, REPEATED = 100 };

static void fail_at(jlong n) {
    JNIEnv *jni = fixture.jni;
    (*jni)->CallStaticVoidMethod(jni, fixture.self, (*jni)->GetStaticMethodID(jni, fixture.self, "fail", "(J)V"), n);
}

static bool untouched(void) {
    JNIEnv *jni = fixture.jni;
    return (*jni)->CallStaticBooleanMethod(jni, fixture.self,
                                           (*jni)->GetStaticMethodID(jni, fixture.self, "untouched", "()Z"));
}

/* One call whose n-th allocation fails; false: it made fewer. */
static bool with_failure(const struct function *f, jlong n, jvmtiError *err, long *left_behind) {
    JNIEnv *jni = fixture.jni;
    union argument a[MAX_PARAMETERS];
    (*jni)->PushLocalFrame(jni, 64);
    prepare(f, a);
    fail_at(n);
    size_t before = mallinfo2().uordblks;
    *err = call_with(jvmti, f, a);
    *left_behind = (long)(mallinfo2().uordblks - before);
    bool reached = !untouched();
    fail_at(0);
    restore(f);
    if ((*jni)->ExceptionCheck(jni)) {
        say("FAILED %s leaves an exception", f->name);
        (*jni)->ExceptionDescribe(jni);
    }
    (*jni)->PopLocalFrame(jni, NULL);
    return reached;
}

/* What is kept for later (a table that grew, spare blocks of local references) is kept a few times, and another
 * thread's memory comes by chance: a leak is there each time. */
static bool leaks(const struct function *f, jlong n, long left_behind) {
    for (int i = 1; i < REPEATED && left_behind > 0; i++) {
        jvmtiError err;
        if (!with_failure(f, n, &err, &left_behind) || err != JVMTI_ERROR_OUT_OF_MEMORY) return false;
    }
    return left_behind > 0;
}

static void every_allocation(const struct function *f) {
    jvmtiError err = JVMTI_ERROR_NONE;
    long left_behind;
    jlong n = 1, refused = 0;
    for (; n < MOST && with_failure(f, n, &err, &left_behind); n++) {
        if (err == JVMTI_ERROR_OUT_OF_MEMORY) refused++;
        else if (err != JVMTI_ERROR_NONE) say("FAILED %s, allocation %ld: %s", f->name, (long)n, error_text(err));
        if (err == JVMTI_ERROR_OUT_OF_MEMORY && leaks(f, n, left_behind))
            say("FAILED %s, allocation %ld: leaks", f->name, (long)n);
    }
    say("%s: %ld allocations, %s, then %s", f->name, (long)n - 1, refused > 0 ? "OUT_OF_MEMORY" : "never refused",
        error_text(err));
}

void out_of_memory(void) {
    for (int i = 0; i < function_count; i++)
        if (is_there(&functions[i]) && strcmp(functions[i].name, "DisposeEnvironment") != 0)
            every_allocation(&functions[i]);
}
