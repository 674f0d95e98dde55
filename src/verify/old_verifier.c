/* The JDK's data-flow verifier for class files without stack maps: lib/libverify.so. */
#include <dlfcn.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "verify/verify.h"

/* VerifyClassForMajorVersion's results. */
enum { OLD_VERIFY_ERROR = 0, OLD_OK = 1, OLD_NO_MEMORY = 2, OLD_FORMAT_ERROR = 3 };

/* int VerifyClassForMajorVersion(JNIEnv *, jclass, char *message, int length, int major) */
typedef unsigned char (*old_verify_function)(void *env, void *class, char *message, int length, int major);

/* The one library per process; guarded by the lock. */
static struct {
    struct lock lock;
    void *handle;
    old_verify_function verify;
} old_verifier = { .lock = LOCK_INIT("old verifier", NATIVE_LIBRARY) };

static old_verify_function find_old_verifier(const char *java_home) {
    lock_acquire(&old_verifier.lock);
    if (old_verifier.verify == NULL) {
        char *path = mem_printf("%s/lib/libverify.so", java_home);
        if (path != NULL && (old_verifier.handle = dlopen(path, RTLD_LAZY)) != NULL)
            old_verifier.verify = (old_verify_function)dlsym(old_verifier.handle, "VerifyClassForMajorVersion");
        mem_free(path);
    }
    old_verify_function verify = old_verifier.verify;
    lock_release(&old_verifier.lock);
    return verify;
}

enum verify_status verify_class_old(const char *java_home, void *env, void *mirror, int major,
                                    struct verify_result *result) {
    enum { MESSAGE_SIZE = 65535 + 1024 };
    *result = (struct verify_result){ .exception = "java/lang/VerifyError" };
    old_verify_function verify = find_old_verifier(java_home);
    if (verify == NULL) {
        result->message = mem_strdup("Could not link verifier");
        return result->message != NULL ? VERIFY_REJECTED : VERIFY_NO_MEMORY;
    }
    char *message = mem_zalloc(MESSAGE_SIZE);
    if (message == NULL) return VERIFY_NO_MEMORY;
    int answer = verify(env, mirror, message, MESSAGE_SIZE, major);
    message[MESSAGE_SIZE - 1] = 0;
    if (answer == OLD_OK || answer == OLD_NO_MEMORY) {
        mem_free(message);
        return answer == OLD_OK ? VERIFY_PASSED : VERIFY_NO_MEMORY;
    }
    if (answer == OLD_FORMAT_ERROR) result->exception = "java/lang/ClassFormatError";
    result->message = message;
    return VERIFY_REJECTED;
}

void verify_close_old(void) {
    lock_acquire(&old_verifier.lock);
    if (old_verifier.handle != NULL) dlclose(old_verifier.handle);
    old_verifier.handle = NULL;
    old_verifier.verify = NULL;
    lock_release(&old_verifier.lock);
}
