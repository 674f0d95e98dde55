/* java_lang_Module.c — what the library reports to the VM about modules, and the packages of the boot loader. */
#include "jdk/jvm.h"

#include <stdlib.h>

JVM void JVM_DefineModule(JNIEnv *env, jobject module, jboolean is_open, jstring version, jstring location,
                          jobjectArray packages);
JVM void JVM_DefineModule(JNIEnv *env, jobject module, jboolean is_open, jstring version, jstring location,
                          jobjectArray packages) {
    NATIVE_ENTRY(env);
    module_define(self, handle_get(module), is_open, handle_get(version), handle_get(location), handle_get(packages));
}

JVM void JVM_SetBootLoaderUnnamedModule(JNIEnv *env, jobject module);
JVM void JVM_SetBootLoaderUnnamedModule(JNIEnv *env, jobject module) {
    NATIVE_ENTRY(env);
    module_set_boot_unnamed(self, handle_get(module));
}

JVM void JVM_AddReadsModule(JNIEnv *env, jobject from, jobject to);
JVM void JVM_AddReadsModule(JNIEnv *env, jobject from, jobject to) {
    NATIVE_ENTRY(env);
    module_add_reads(self, handle_get(from), handle_get(to));
}

JVM void JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package, jobject to);
JVM void JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package, jobject to) {
    NATIVE_ENTRY(env);
    if (to == NULL) throw_message(self, "java/lang/NullPointerException", "to_module is null");
    else module_add_exports(self, handle_get(from), handle_get(package), handle_get(to));
}

JVM void JVM_AddModuleExportsToAll(JNIEnv *env, jobject from, jstring package);
JVM void JVM_AddModuleExportsToAll(JNIEnv *env, jobject from, jstring package) {
    NATIVE_ENTRY(env);
    module_add_exports(self, handle_get(from), handle_get(package), NULL);
}

JVM void JVM_AddModuleExportsToAllUnnamed(JNIEnv *env, jobject from, jstring package);
JVM void JVM_AddModuleExportsToAllUnnamed(JNIEnv *env, jobject from, jstring package) {
    NATIVE_ENTRY(env);
    module_add_exports_to_all_unnamed(self, handle_get(from), handle_get(package));
}

/* Where the boot loader has classes of a package from ("jrt:/java.base" or a path), null when it has none. The name
 * comes with slashes. */
JVM jstring JVM_GetSystemPackage(JNIEnv *env, jstring name);
JVM jstring JVM_GetSystemPackage(JNIEnv *env, jstring name) {
    NATIVE_ENTRY(env);
    char *text = string_dup_utf8(handle_get(name));
    char *source = text ? boot_package_source(text) : NULL;
    struct object *s = source ? string_from_platform(self, source) : NULL;
    mem_free(text);
    mem_free(source);
    return handle_local(self, s);
}

struct names { char **data; size_t count, capacity; bool failed; };

static bool collect(void *arg, const char *name) {
    struct names *names = arg;
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 64;
        char **grown = mem_realloc(names->data, capacity * sizeof *grown);
        if (grown == NULL) return !(names->failed = true);
        names->data = grown;
        names->capacity = capacity;
    }
    char *copy = mem_strdup(name);
    if (copy == NULL) return !(names->failed = true);
    names->data[names->count++] = copy;
    return true;
}

/* String[] of all packages with classes of the boot loader, with slashes. */
JVM jobjectArray JVM_GetSystemPackages(JNIEnv *env);
JVM jobjectArray JVM_GetSystemPackages(JNIEnv *env) {
    NATIVE_ENTRY(env);
    struct names names = {0};
    boot_packages_walk(collect, &names);
    struct object *out = NULL;
    if (names.failed) throw_out_of_memory(self, "package names");
    else out = new_ref_array(self, known_class(java_lang_String), (int32_t)names.count);
    for (size_t i = 0; out != NULL && i < names.count; i++) {
        struct object *s = string_from_cstr(self, names.data[i]);
        if (s == NULL) out = NULL;
        else heap_array_set(out, (int32_t)i, s);
    }
    for (size_t i = 0; i < names.count; i++) mem_free(names.data[i]);
    mem_free(names.data);
    return handle_local(self, out);
}
