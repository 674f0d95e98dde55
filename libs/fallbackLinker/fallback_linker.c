/* fallback_linker.c: the native part of jdk.internal.foreign.abi.fallback.LibFallback (25), over libffi.
 *
 * The class library describes a function by a ffi_cif that it lays out itself, and hands over arguments and results in
 * C memory. Here the function is called (doDowncall), or a function is made that calls a method handle (createClosure).
 * An ordinary JNI library: it knows nothing of the VM that loads it. */
#include <errno.h>
#include <ffi.h>
#include <jni.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* The one state of a call that Linux has: bits and place are those of jdk.internal.foreign.abi.CapturableState. */
enum { CAPTURE_ERRNO = 1 << 2 };

static JavaVM *java_vm;
static unsigned vms;                     /* how many have begun: one that is created again may have the same JavaVM  */
static jclass lib_fallback;              /* global                                                                 */
static jmethodID do_upcall;
static pthread_key_t attached_here;      /* the JavaVM that an up-call has attached the thread to; else NULL         */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_jdk_internal_foreign_abi_fallback_LibFallback_##name
/* Prototype and beginning of the definition. */
#define FUNCTION(type, name, ...) \
    NATIVE(type, name)(__VA_ARGS__); \
    NATIVE(type, name)(__VA_ARGS__)
/* A native method without parameters that answers with one constant. */
#define CONSTANT(type, name, value) \
    FUNCTION(type, name, JNIEnv *env, jclass c) { \
        (void)env, (void)c; \
        return (type)(value); \
    }

static void *pointer(jlong address) { return (void *)(uintptr_t)address; }
static jlong address(const void *p) { return (jlong)(uintptr_t)p; }

/* ---- threads that only up-calls know ----------------------------------------------------------------------------- */

/* The end of a thread that an up-call has attached. */
static void detach(void *vm) { (*(JavaVM *)vm)->DetachCurrentThread(vm); }
static void make_key(void) {
    if (pthread_key_create(&attached_here, detach) != 0) {
        fprintf(stderr, "fallbackLinker: no thread-specific key is left\n");
        abort();
    }
}

/* The thread's environment; a foreign thread is attached as a daemon, and stays so until it ends. */
static JNIEnv *environment(void) {
    JNIEnv *env = NULL;
    if ((*java_vm)->GetEnv(java_vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) return env;
    if ((*java_vm)->AttachCurrentThreadAsDaemon(java_vm, (void **)&env, NULL) != JNI_OK) {
        fprintf(stderr, "fallbackLinker: an up-call came on a thread that cannot be attached: the VM has ended, or "
                        "memory is exhausted\n");
        abort();
    }
    pthread_setspecific(attached_here, java_vm);
    return env;
}

/* ---- start ------------------------------------------------------------------------------------------------------ */

/* False: an exception is pending. Once in each VM's life. */
FUNCTION(jboolean, init, JNIEnv *env, jclass c) {
    pthread_once(&key_once, make_key);
    if ((*env)->GetJavaVM(env, &java_vm) != JNI_OK) return JNI_FALSE;
    vms++;
    lib_fallback = (*env)->NewGlobalRef(env, c);
    do_upcall = (*env)->GetStaticMethodID(env, c, "doUpcall", "(JJLjava/lang/invoke/MethodHandle;)V");
    return lib_fallback != NULL && do_upcall != NULL;
}

/* ---- down-calls -------------------------------------------------------------------------------------------------- */

/* An array whose memory is lent to the called function. */
struct lent { jarray array; void *elements; };

/* The argument at `slot` is an offset into the array: makes it an address. False: no memory; an exception is pending
 * or not. */
static int lend(JNIEnv *env, jobject array, struct lent *out, jlong *slot) {
    out->elements = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (out->elements == NULL) return 0;
    out->array = array;
    *slot += address(out->elements);
    return 1;
}

static void out_of_memory(JNIEnv *env) {
    if ((*env)->ExceptionCheck(env)) return;
    jclass c = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
    if (c != NULL) (*env)->ThrowNew(env, c, "foreign function call");
}

/* Calls fn, and keeps what errno is right behind it. libffi writes small integers as a whole ffi_arg, which is more
 * than `result` has room for; its first bytes are the result. */
static int call(ffi_cif *cif, void *fn, void *result, void **values) {
    ffi_arg widened;
    size_t size = cif->rtype->size;
    int narrow = result != NULL && cif->rtype->type != FFI_TYPE_STRUCT && size < sizeof widened;
    ffi_call(cif, FFI_FN(fn), narrow ? &widened : result, values);
    int error = errno;
    if (narrow) memcpy(result, &widened, size);
    return error;
}

/* heap_bases: NULL, or for each argument that is an offset into an array that array. state_base: NULL, or the array
 * into which `state` is an offset. */
FUNCTION(void, doDowncall, JNIEnv *env, jclass c, jlong cif_address, jlong fn, jlong result, jlong values,
         jobject state_base, jlong state, jint state_mask, jobjectArray heap_bases, jint count) {
    (void)c;
    ffi_cif *cif = pointer(cif_address);
    void **value = pointer(values);
    if (heap_bases == NULL) {            /* most calls                                                             */
        int error = call(cif, pointer(fn), pointer(result), value);
        if (state_mask & CAPTURE_ERRNO) *(int *)pointer(state) = error;
        return;
    }
    /* References are read before the first array is lent: nothing else is asked of JNI in between. */
    struct lent lent[count + 1];
    jobject bases[count + 1];
    int lends = 0, ready = 1;
    unsigned arguments = cif->nargs;
    for (unsigned i = 0; i < arguments; i++) bases[i] = (*env)->GetObjectArrayElement(env, heap_bases, (jsize)i);
    for (unsigned i = 0; i < arguments && ready; i++)
        if (bases[i] != NULL) lends += ready = lend(env, bases[i], &lent[lends], value[i]);
    if (ready && state_base != NULL) lends += ready = lend(env, state_base, &lent[lends], &state);
    if (ready) {
        int error = call(cif, pointer(fn), pointer(result), value);
        if (state_mask & CAPTURE_ERRNO) *(int *)pointer(state) = error;
    }
    while (lends-- > 0) (*env)->ReleasePrimitiveArrayCritical(env, lent[lends].array, lent[lends].elements, 0);
    if (!ready) out_of_memory(env);
}

/* ---- up-calls ---------------------------------------------------------------------------------------------------- */

/* What a closure leads to. */
struct target {
    unsigned vm;                         /* whose: `vms` then                                                       */
    jobject handle;                      /* global: a MethodHandle (MemorySegment result, MemorySegment values)void  */
};

/* A C caller looks at a whole register, and libffi at a whole ffi_arg, where `small` has the result's bytes alone. */
static void widen(const ffi_type *type, const void *small, void *result) {
    switch (type->type) {
    case FFI_TYPE_UINT8: *(ffi_arg *)result = *(const uint8_t *)small; break;
    case FFI_TYPE_SINT8: *(ffi_sarg *)result = *(const int8_t *)small; break;
    case FFI_TYPE_UINT16: *(ffi_arg *)result = *(const uint16_t *)small; break;
    case FFI_TYPE_SINT16: *(ffi_sarg *)result = *(const int16_t *)small; break;
    case FFI_TYPE_SINT32: *(ffi_sarg *)result = *(const int32_t *)small; break;
    case FFI_TYPE_UINT32: *(ffi_arg *)result = *(const uint32_t *)small; break;
    default: memcpy(result, small, type->size); break;
    }
}

static void on_call(ffi_cif *cif, void *result, void **values, void *data) {
    const struct target *t = data;
    if (t->vm != vms) {
        fprintf(stderr, "fallbackLinker: an up-call came through a stub of a VM that has ended\n");
        abort();
    }
    JNIEnv *env = environment();
    const ffi_type *type = cif->rtype;
    int narrow = type->type != FFI_TYPE_STRUCT && type->size < sizeof(ffi_arg);
    uint64_t small = 0;
    (*env)->CallStaticVoidMethod(env, lib_fallback, do_upcall, address(narrow ? &small : result), address(values),
                                 t->handle);
    if ((*env)->ExceptionCheck(env)) {   /* doUpcall lets none out: there was not even stack or memory to call it    */
        (*env)->ExceptionDescribe(env);
        (*env)->FatalError(env, "an exception reached the caller of an up-call");
    }
    if (narrow && type->type != FFI_TYPE_VOID) widen(type, &small, result);
}

/* ptrs: the closure, where its code begins, and what freeClosure wants besides. A ffi_status. */
FUNCTION(jint, createClosure, JNIEnv *env, jclass c, jlong cif, jobject handle, jlongArray ptrs) {
    (void)c;
    void *code = NULL;
    struct target *t = malloc(sizeof *t);
    ffi_closure *closure = t != NULL ? ffi_closure_alloc(sizeof *closure, &code) : NULL;
    jobject global = closure != NULL ? (*env)->NewGlobalRef(env, handle) : NULL;
    ffi_status status = FFI_OK;
    if (global != NULL) {
        *t = (struct target){vms, global};
        status = ffi_prep_closure_loc(closure, pointer(cif), on_call, t, code);
        if (status == FFI_OK) {
            jlong out[] = {address(closure), address(code), address(t)};
            (*env)->SetLongArrayRegion(env, ptrs, 0, 3, out);
            return FFI_OK;
        }
        (*env)->DeleteGlobalRef(env, global);
    } else {
        out_of_memory(env);
    }
    if (closure != NULL) ffi_closure_free(closure);
    free(t);
    return status;
}

FUNCTION(void, freeClosure, JNIEnv *env, jclass c, jlong closure, jlong target) {
    (void)c;
    struct target *t = pointer(target);
    ffi_closure_free(pointer(closure));
    (*env)->DeleteGlobalRef(env, t->handle);
    free(t);
}

/* ---- descriptions of functions and structures: each answers with a ffi_status ------------------------------------ */

FUNCTION(jint, ffi_1prep_1cif, JNIEnv *env, jclass c, jlong cif, jint abi, jint count, jlong result, jlong types) {
    (void)env, (void)c;
    return (jint)ffi_prep_cif(pointer(cif), (ffi_abi)abi, (unsigned)count, pointer(result), pointer(types));
}

FUNCTION(jint, ffi_1prep_1cif_1var, JNIEnv *env, jclass c, jlong cif, jint abi, jint fixed, jint count, jlong result,
         jlong types) {
    (void)env, (void)c;
    return (jint)ffi_prep_cif_var(pointer(cif), (ffi_abi)abi, (unsigned)fixed, (unsigned)count, pointer(result),
                                  pointer(types));
}

FUNCTION(jint, ffi_1get_1struct_1offsets, JNIEnv *env, jclass c, jint abi, jlong type, jlong offsets) {
    (void)env, (void)c;
    return (jint)ffi_get_struct_offsets((ffi_abi)abi, pointer(type), pointer(offsets));
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

CONSTANT(jlong, sizeofCif, sizeof(ffi_cif))
CONSTANT(jint, ffi_1default_1abi, FFI_DEFAULT_ABI)
CONSTANT(jshort, ffi_1type_1struct, FFI_TYPE_STRUCT)
CONSTANT(jlong, ffi_1type_1void, address(&ffi_type_void))
CONSTANT(jlong, ffi_1type_1uint8, address(&ffi_type_uint8))
CONSTANT(jlong, ffi_1type_1sint8, address(&ffi_type_sint8))
CONSTANT(jlong, ffi_1type_1uint16, address(&ffi_type_uint16))
CONSTANT(jlong, ffi_1type_1sint16, address(&ffi_type_sint16))
CONSTANT(jlong, ffi_1type_1uint32, address(&ffi_type_uint32))
CONSTANT(jlong, ffi_1type_1sint32, address(&ffi_type_sint32))
CONSTANT(jlong, ffi_1type_1uint64, address(&ffi_type_uint64))
CONSTANT(jlong, ffi_1type_1sint64, address(&ffi_type_sint64))
CONSTANT(jlong, ffi_1type_1float, address(&ffi_type_float))
CONSTANT(jlong, ffi_1type_1double, address(&ffi_type_double))
CONSTANT(jlong, ffi_1type_1pointer, address(&ffi_type_pointer))
CONSTANT(jint, ffi_1sizeof_1short, sizeof(short))
CONSTANT(jint, ffi_1sizeof_1int, sizeof(int))
CONSTANT(jint, ffi_1sizeof_1long, sizeof(long))
CONSTANT(jint, ffi_1sizeof_1wchar, sizeof(wchar_t))
CONSTANT(jint, alignof_1long_1long, _Alignof(long long))
CONSTANT(jint, alignof_1double, _Alignof(double))
