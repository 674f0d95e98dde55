/* classes.c: prints everything the class, field and method chapters say of the classes it is given. */
#include "agent_support.h"

static unsigned hash_of(const unsigned char *bytes, jint n) {
    unsigned h = 17;
    for (jint i = 0; i < n; i++) h = h * 31 + bytes[i];
    return h;
}

static void print_fields(jclass c) {
    jint n;
    jfieldID *fields;
    jvmtiError err = (*jvmti)->GetClassFields(jvmti, c, &n, &fields);
    if (err) {
        say("  fields: %s", error_text(err));
        return;
    }
    for (jint i = 0; i < n; i++) {
        char *name, *signature, *generic, holder[300];
        jint modifiers;
        jboolean synthetic;
        jclass declaring;
        ok((*jvmti)->GetFieldName(jvmti, c, fields[i], &name, &signature, &generic), "GetFieldName");
        ok((*jvmti)->GetFieldModifiers(jvmti, c, fields[i], &modifiers), "GetFieldModifiers");
        ok((*jvmti)->IsFieldSynthetic(jvmti, c, fields[i], &synthetic), "IsFieldSynthetic");
        ok((*jvmti)->GetFieldDeclaringClass(jvmti, c, fields[i], &declaring), "GetFieldDeclaringClass");
        say("  field %s %s %s modifiers %x synthetic %d of %s", name, signature, generic ? generic : "-",
            (unsigned)modifiers, synthetic, class_text(declaring, holder, sizeof holder));
        release(name);
        release(signature);
        release(generic);
    }
    release(fields);
}

static void print_code(jmethodID m) {
    jint locals = -1, size = -1, bytes = -1, lines = -1;
    jlocation start = -9, end = -9;
    unsigned char *code = NULL;
    jvmtiLineNumberEntry *table = NULL;
    jvmtiError err = (*jvmti)->GetMaxLocals(jvmti, m, &locals);
    if (err) {
        say("    code: %s", error_text(err));
        return;
    }
    ok((*jvmti)->GetArgumentsSize(jvmti, m, &size), "GetArgumentsSize");
    ok((*jvmti)->GetMethodLocation(jvmti, m, &start, &end), "GetMethodLocation");
    ok((*jvmti)->GetBytecodes(jvmti, m, &bytes, &code), "GetBytecodes");
    say("    locals %d arguments %d location %d..%d bytes %d hash %08x", locals, size, (int)start, (int)end, bytes,
        hash_of(code, bytes));
    release(code);
    err = (*jvmti)->GetLineNumberTable(jvmti, m, &lines, &table);
    if (err) {
        say("    lines: %s", error_text(err));
        return;
    }
    for (jint i = 0; i < lines; i++) say("    line %d at %d", table[i].line_number, (int)table[i].start_location);
    release(table);
}

static void print_methods(jclass c) {
    jint n;
    jmethodID *methods;
    jvmtiError err = (*jvmti)->GetClassMethods(jvmti, c, &n, &methods);
    if (err) {
        say("  methods: %s", error_text(err));
        return;
    }
    for (jint i = 0; i < n; i++) {
        char *name, *signature, *generic, holder[300];
        jint modifiers;
        jboolean synthetic, native, obsolete;
        jclass declaring;
        ok((*jvmti)->GetMethodName(jvmti, methods[i], &name, &signature, &generic), "GetMethodName");
        ok((*jvmti)->GetMethodModifiers(jvmti, methods[i], &modifiers), "GetMethodModifiers");
        ok((*jvmti)->IsMethodSynthetic(jvmti, methods[i], &synthetic), "IsMethodSynthetic");
        ok((*jvmti)->IsMethodNative(jvmti, methods[i], &native), "IsMethodNative");
        ok((*jvmti)->IsMethodObsolete(jvmti, methods[i], &obsolete), "IsMethodObsolete");
        ok((*jvmti)->GetMethodDeclaringClass(jvmti, methods[i], &declaring), "GetMethodDeclaringClass");
        say("  method %s%s %s modifiers %x synthetic %d native %d obsolete %d of %s", name, signature,
            generic ? generic : "-", (unsigned)modifiers, synthetic, native, obsolete,
            class_text(declaring, holder, sizeof holder));
        release(name);
        release(signature);
        release(generic);
        print_code(methods[i]);
    }
    release(methods);
}

static void print_class_file(jclass c) {
    char *text = NULL;
    jint minor, major, count, size;
    unsigned char *pool;
    jvmtiError err = (*jvmti)->GetSourceFileName(jvmti, c, &text);
    say("  source: %s", err ? error_text(err) : text);
    if (!err) release(text);
    err = (*jvmti)->GetSourceDebugExtension(jvmti, c, &text);
    say("  debug extension: %s", err ? error_text(err) : text);
    if (!err) release(text);
    err = (*jvmti)->GetClassVersionNumbers(jvmti, c, &minor, &major);
    if (err) say("  version: %s", error_text(err));
    else say("  version: %d.%d", major, minor);
    err = (*jvmti)->GetConstantPool(jvmti, c, &count, &size, &pool);
    if (err) say("  constant pool: %s", error_text(err));
    else {
        say("  constant pool: %d entries%s", count, size > count ? "" : ", but too few bytes");
        release(pool);
    }
}

static void print_class(JNIEnv *jni, jclass c) {
    char *signature, *generic, name[300];
    jint status, modifiers, n;
    jboolean interface, array;
    jobject loader;
    ok((*jvmti)->GetClassSignature(jvmti, c, &signature, &generic), "GetClassSignature");
    ok((*jvmti)->GetClassStatus(jvmti, c, &status), "GetClassStatus");
    ok((*jvmti)->GetClassModifiers(jvmti, c, &modifiers), "GetClassModifiers");
    ok((*jvmti)->IsInterface(jvmti, c, &interface), "IsInterface");
    ok((*jvmti)->IsArrayClass(jvmti, c, &array), "IsArrayClass");
    ok((*jvmti)->GetClassLoader(jvmti, c, &loader), "GetClassLoader");
    say("class %s %s", signature, generic ? generic : "-");
    say("  status %x modifiers %x interface %d array %d loader %s", (unsigned)status, (unsigned)modifiers, interface,
        array, loader ? class_text((*jni)->GetObjectClass(jni, loader), name, sizeof name) : "none");
    release(signature);
    release(generic);
    jclass *interfaces;
    jvmtiError err = (*jvmti)->GetImplementedInterfaces(jvmti, c, &n, &interfaces);
    if (err) say("  interfaces: %s", error_text(err));
    for (jint i = 0; !err && i < n; i++) say("  implements %s", class_text(interfaces[i], name, sizeof name));
    if (!err) release(interfaces);
    print_class_file(c);
    print_fields(c);
    print_methods(c);
}

/* Is c among the loaded classes, and among those its loader initiated? */
static void print_lists(jobject loader, JNIEnv *jni, jclass c) {
    jint n;
    jclass *classes;
    int loaded = 0, initiated = 0;
    if (!ok((*jvmti)->GetLoadedClasses(jvmti, &n, &classes), "GetLoadedClasses")) return;
    for (jint i = 0; i < n; i++) {
        loaded += (*jni)->IsSameObject(jni, classes[i], c);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    release(classes);
    if (!ok((*jvmti)->GetClassLoaderClasses(jvmti, loader, &n, &classes), "GetClassLoaderClasses")) return;
    for (jint i = 0; i < n; i++) {
        initiated += (*jni)->IsSameObject(jni, classes[i], c);
        (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    release(classes);
    say("  loaded %d, initiated by its loader %d", loaded, initiated);
}

JNIEXPORT void JNICALL Java_Classes_print(JNIEnv *jni, jclass self, jclass c) {
    (void)self;
    jobject loader;
    print_class(jni, c);
    ok((*jvmti)->GetClassLoader(jvmti, c, &loader), "GetClassLoader");
    print_lists(loader, jni, c);
}

JNIEXPORT void JNICALL Java_Classes_lists(JNIEnv *jni, jclass self, jobject loader, jclass c) {
    (void)self;
    print_lists(loader, jni, c);
}

JNIEXPORT jint JNICALL Java_Classes_status(JNIEnv *jni, jclass self, jclass c) {
    jint status = -1;
    (void)jni, (void)self;
    ok((*jvmti)->GetClassStatus(jvmti, c, &status), "GetClassStatus");
    return status;
}

/* The signature without the suffix, which is the VM's choice: "[LName.suffix;". */
JNIEXPORT void JNICALL Java_Classes_hidden(JNIEnv *jni, jclass self, jclass c) {
    char *signature;
    (void)jni, (void)self;
    ok((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL), "GetClassSignature");
    char *dot = strchr(signature, '.'), *end = strchr(signature, ';');
    say("hidden %.*s, a suffix %d, in one word %d", (int)(dot ? dot - signature : 0), signature,
        dot && end > dot + 1 && end[1] == 0, strpbrk(signature, "+ ") == NULL);
    release(signature);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_source_file_name = wanted.can_get_line_numbers = wanted.can_get_source_debug_extension = 1;
    wanted.can_get_bytecodes = wanted.can_get_constant_pool = wanted.can_get_synthetic_attribute =
        wanted.can_maintain_original_method_order = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    return JNI_OK;
}
