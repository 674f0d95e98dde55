/* Runs the cases of the JNI test library (jni_cases.h) for tests/jni/EveryFunction.java. */
#include "jni_cases.h"

extern const struct jni_case *const __start_jni_cases[], *const __stop_jni_cases[];

static char line[16384];
static size_t used;

void say(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(line + used, sizeof line - used, format, ap);
    va_end(ap);
    if (n > 0) used += (size_t)n < sizeof line - used ? (size_t)n : sizeof line - used - 1;
}

void say_object(struct fixture *f, jobject o) {
    if (!o) { say("null"); return; }
    jmethodID to_string = J(GetMethodID, f->object_class, "toString", "()Ljava/lang/String;");
    jstring s = J(CallObjectMethod, o, to_string);
    const char *c = s ? J(GetStringUTFChars, s, NULL) : NULL;
    say("%s", c ? c : "?");
    if (c) J(ReleaseStringUTFChars, s, c);
}

static const char letters[] = "zbcsijfdl", *const types[] = {"Z", "B", "C",
                                                             "S", "I", "J",
                                                             "F", "D", "Ljava/lang/Object;",
                                                             "V"};

static jobject member(struct fixture *f, const char *kind) {
    jmethodID m = J(GetStaticMethodID, f->c, kind, "()Ljava/lang/Object;");
    jobject o = J(CallStaticObjectMethod, f->c, m);
    J(ExceptionCheck);                   /* there is none, but -Xcheck:jni wants to be asked */
    return o;
}

static void prepare(struct fixture *f, JNIEnv *env, jclass c, jobject self) {
    *f = (struct fixture) { .env = env, .c = c, .self = self };
    f->object_class = J(FindClass, "java/lang/Object");
    f->string_class = J(FindClass, "java/lang/String");
    f->derived_class = J(FindClass, "EveryFunction$Derived");
    f->text = J(NewStringUTF, "fixture");
    f->ints = J(NewIntArray, 3);
    J(SetIntArrayRegion, f->ints, 0, 3, (const jint[]) { 1, 2, 3 });
    f->strings = J(NewObjectArray, 3, f->string_class, NULL);
    J(SetObjectArrayElement, f->strings, 0, J(NewStringUTF, "zero"));
    J(SetObjectArrayElement, f->strings, 1, J(NewStringUTF, "one"));
    for (int i = 0; i < 9; i++) {
        char name[4] = { letters[i], 0 }, is_static[4] = { 's', letters[i], 0 }, desc[64];
        f->fields[i] = J(GetFieldID, c, name, types[i]);
        f->statics[i] = J(GetStaticFieldID, c, is_static, types[i]);
        snprintf(desc, sizeof desc, "(%s)%s", types[i], types[i]);
        f->methods[i] = J(GetMethodID, c, name, desc);
        f->static_methods[i] = J(GetStaticMethodID, c, is_static, desc);
    }
    f->methods[9] = J(GetMethodID, c, "nothing", "(Ljava/lang/Object;)V");
    f->static_methods[9] = J(GetStaticMethodID, c, "snothing", "(Ljava/lang/Object;)V");
    f->init = J(GetMethodID, c, "<init>", "(I)V");
#define MAKE(Name, type, letter, k, value)                                                         \
    f->arrays[k] = J(New##Name##Array, 4);                                                         \
    f->elements[k] = J(Get##Name##ArrayElements, f->arrays[k], NULL);
    PRIMITIVES(MAKE)
    f->member = member(f, "aField");
    f->constructor = member(f, "aConstructor");
    f->throwable = member(f, "aThrowable");
    f->loader = member(f, "aLoader");
    f->buffer = J(NewDirectByteBuffer, line, 64);
    f->global = J(NewGlobalRef, f->text);
    f->weak = J(NewWeakGlobalRef, f->text);
    f->local = J(NewLocalRef, f->text);
    f->chars = J(GetStringChars, f->text, NULL);
    f->utf = J(GetStringUTFChars, f->text, NULL);
}

/* Unless a case has done it. */
static void give_back(struct fixture *f) {
    J(DeleteGlobalRef, f->global);
    J(DeleteWeakGlobalRef, f->weak);
}

JNIEXPORT jint JNICALL Java_EveryFunction_count(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    return (jint)(__stop_jni_cases - __start_jni_cases);
}

JNIEXPORT jint JNICALL Java_EveryFunction_kind(JNIEnv *e, jclass c, jint k) {
    (void)e, (void)c;
    return (jint)__start_jni_cases[k]->kind;
}

JNIEXPORT jstring JNICALL Java_EveryFunction_name(JNIEnv *e, jclass c, jint k) {
    (void)c;
    char name[128];
    snprintf(name, sizeof name, "%s %s", __start_jni_cases[k]->function, __start_jni_cases[k]->label);
    return (*e)->NewStringUTF(e, name);
}

JNIEXPORT jstring JNICALL Java_EveryFunction_expected(JNIEnv *e, jclass c, jint k) {
    (void)c;
    return (*e)->NewStringUTF(e, __start_jni_cases[k]->expected);
}

JNIEXPORT jstring JNICALL Java_EveryFunction_run(JNIEnv *e, jclass c, jint k, jobject self) {
    struct fixture fixture, *f = &fixture;
    prepare(f, e, c, self);
    used = 0;
    line[0] = '\0';
    __start_jni_cases[k]->run(f);
    jthrowable thrown = J(ExceptionOccurred);
    J(ExceptionClear);
    if (thrown) {
        say(" | ");
        say_object(f, thrown);
    }
    give_back(f);
    return J(NewStringUTF, line);
}

/* The case in a state: 0 none; 1 after a call whose exceptions nobody asked for; 2 with an exception pending; 3 in a
 * critical region. Then a harmless function, for what the case leaves behind. Says nothing: the VM's own words are
 * compared. */
JNIEXPORT void JNICALL Java_EveryFunction_runIn(JNIEnv *e, jclass c, jint k, jobject self, jint state) {
    struct fixture fixture, *f = &fixture;
    jint lent[1];
    prepare(f, e, c, self);
    jintArray critical = J(NewIntArray, 1);
    jmethodID quiet = J(GetStaticMethodID, c, "quiet", "()V");
    J(EnsureLocalCapacity, 100);
    J(ExceptionCheck);
    printf("%s\n", __start_jni_cases[k]->function);
    fflush(stdout);
    if (state == 1) J(CallStaticVoidMethod, c, quiet);
    if (state == 2) J(Throw, f->throwable);
    void *p = state == 3 ? J(GetPrimitiveArrayCritical, critical, NULL) : lent;
    __start_jni_cases[k]->run(f);
    if (state == 3) J(ReleasePrimitiveArrayCritical, critical, p, 0);
    printf("then\n");
    fflush(stdout);
    if (state == 0) J(GetVersion);
    J(ExceptionClear);
    give_back(f);
}
