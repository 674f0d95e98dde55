/* What the files of the JNI test library share: the fixture that every case gets, and how a case is written.
 *
 * A case is `CASE(Function, label) { ... say("%d", ...); }`. Their order is the linker's: none needs another. What a
 * case says, and the exception it leaves, is its line; tests/command/jni_functions.py compares the lines of both VMs.
 * The case `good` of a function is also run in other states of the thread (tests/command/jni_check.py). A lint sees
 * that every function of the table has one. */
#ifndef VITRINE_TESTS_JNI_CASES_H
#define VITRINE_TESTS_JNI_CASES_H

#include <jni.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    JNIEnv *env;
    jclass c;                            /* EveryFunction                                                         */
    jobject self;                        /* an instance of it                                                     */
    jstring text;                        /* "fixture"                                                             */
    jintArray ints;                      /* { 1, 2, 3 }                                                           */
    jobjectArray strings;                /* { "zero", "one", null }                                               */
    /* Made beforehand, so that a case in a special state calls its own function only. */
    jclass string_class, object_class, derived_class;
    jobject global, local, member, constructor, buffer, loader;
    jweak weak;
    jthrowable throwable;
    jarray arrays[8];                    /* boolean to double, four elements each                                 */
    void *elements[8];
    jfieldID fields[10], statics[10];    /* i of the letters ZBCSIJFDL: field named as its letter                 */
    jmethodID methods[10], static_methods[10];  /* the same for methods; [9] returns nothing                      */
    jmethodID init;
    const jchar *chars, *critical_chars;
    const char *utf;
    void *critical;
};

enum case_kind {
    CASE_SHARED,                         /* both VMs say the same                                                 */
    CASE_OURS,                           /* undefined on HotSpot: ours says `expected`                            */
    CASE_LAST,                           /* ends the process: run alone                                           */
    CASE_LAST_OURS,                      /* ... and undefined on HotSpot: `expected` is in ours's output          */
    CASE_CHECK,                          /* run alone under -Xcheck:jni; `expected` is the message's row          */
    CASE_CHECK_OURS                      /* ... which HotSpot does not say, or not so                             */
};

struct jni_case {
    const char *function, *label, *expected;
    void (*run)(struct fixture *f);
    enum case_kind kind;
};

#define CASE_OF(kind, function, label, expected)                                                   \
    static void function##_##label(struct fixture *f);                                             \
    static const struct jni_case *const case_##function##_##label __attribute__((section("jni_cases"), used)) = \
        &(const struct jni_case) { #function, #label, expected, function##_##label, kind };        \
    static void function##_##label(__attribute__((unused)) struct fixture *f)
#define CASE(function, label) CASE_OF(CASE_SHARED, function, label, NULL)
#define CASE_UNDEFINED(function, label, expected) CASE_OF(CASE_OURS, function, label, expected)
#define CASE_ENDS(function, label) CASE_OF(CASE_LAST, function, label, NULL)
#define CASE_ENDS_UNDEFINED(function, label, expected) CASE_OF(CASE_LAST_OURS, function, label, expected)
#define CHECK(function, label, message) CASE_OF(CASE_CHECK, function, label, #message)
#define CHECK_OURS(function, label, message) CASE_OF(CASE_CHECK_OURS, function, label, #message)

/* J(GetVersion) or J(FindClass, "x"): the call, through the case's own environment. */
#define J(function, ...) (*f->env)->function(f->env __VA_OPT__(, ) __VA_ARGS__)

/* Adds to the line of the running case. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Adds Object.toString() of it; "null". */
void say_object(struct fixture *f, jobject o);

/* Every primitive type: ONE(Name, type, letter, position, value). */
#define PRIMITIVES(ONE) \
    ONE(Boolean, jboolean, z, 0, 1) ONE(Byte, jbyte, b, 1, -128) ONE(Char, jchar, c, 2, 0xfffe) \
    ONE(Short, jshort, s, 3, -32768) \
    ONE(Int, jint, i, 4, INT32_MIN) ONE(Long, jlong, j, 5, INT64_MIN) ONE(Float, jfloat, f, 6, 0.25f) \
    ONE(Double, jdouble, d, 7, -1e300)

/* Values that are never valid where they are passed. */
#define NO_METHOD ((jmethodID)(uintptr_t)0x7ffffff100010001)
#define NO_FIELD ((jfieldID)(uintptr_t)0x7ffffff100010001)

#endif
