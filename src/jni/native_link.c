/* Binding native methods: the names of their functions, where they are looked for, RegisterNatives. */
#include <stdio.h>

#include "base/os.h"
#include "base/utf8.h"
#include "exec/unsafe_access.h"
#include "jni/jni_internal.h"
#include "jvmti/tools.h"
#include "probe/probe.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* A string that grows; `failed` when memory ran out or the name cannot be encoded. */
struct text {
    char *data;
    size_t length, capacity;
    bool failed;
};

static void text_add(struct text *t, const char *s, size_t n) {
    if (t->failed) return;
    if (t->length + n + 1 > t->capacity) {
        size_t capacity = 2 * (t->length + n + 1);
        char *more = mem_realloc(t->data, capacity);
        if (!more) { t->failed = true; return; }
        t->data = more;
        t->capacity = capacity;
    }
    memcpy(t->data + t->length, s, n);
    t->length += n;
    t->data[t->length] = '\0';
}
static void text_str(struct text *t, const char *s) { text_add(t, s, strlen(s)); }

static char *text_take(struct text *t) {
    if (!t->failed) return t->data;
    mem_free(t->data);
    return NULL;
}

/* JNI's escapes: '/' becomes '_', "_1" '_', "_2" ';', "_3" '[', "_0xxxx" what is no ASCII letter or digit. A digit 0 to
 * 3 right after a '/' would read as an escape; such names have no function. */
static void text_mangle(struct text *t, const char *s, size_t n) {
    const char *end = s + n;
    bool after_separator = true;
    while (s < end) {
        uint16_t c = utf8_next(&s, end);
        if (after_separator && c >= '0' && c <= '3') { t->failed = true; return; }
        after_separator = c == '/';
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
            char one = (char)c;
            text_add(t, &one, 1);
        } else if (c == '/') text_str(t, "_");
        else if (c == '_') text_str(t, "_1");
        else if (c == ';') text_str(t, "_2");
        else if (c == '[') text_str(t, "_3");
        else {
            char hex[8];
            snprintf(hex, sizeof hex, "_0%04x", c);
            text_str(t, hex);
        }
    }
}

/* Java_p_C_m, or with the parameters Java_p_C_m__I_3D. malloc'd; NULL: no such function can exist, or out of memory. */
static char *function_name(struct class *c, const char *name, size_t name_length, const char *desc,
                           bool with_parameters) {
    struct text t = { 0 };
    text_str(&t, "Java_");
    text_mangle(&t, c->name->bytes, c->name->length);
    text_str(&t, "_");
    text_mangle(&t, name, name_length);
    if (with_parameters) {
        text_str(&t, "__");
        const char *end = strchr(desc, ')');
        text_mangle(&t, desc + 1, (size_t)(end - desc - 1));
    }
    return text_take(&t);
}

static const char *text_type(struct text *t, const char *p) {
    unsigned dimensions = 0;
    for (; *p == '['; p++) dimensions++;
    switch (*p) {
    case 'V': text_str(t, "void"); break;
    case 'Z': text_str(t, "boolean"); break;
    case 'B': text_str(t, "byte"); break;
    case 'C': text_str(t, "char"); break;
    case 'S': text_str(t, "short"); break;
    case 'I': text_str(t, "int"); break;
    case 'J': text_str(t, "long"); break;
    case 'F': text_str(t, "float"); break;
    case 'D': text_str(t, "double"); break;
    case 'L':
        for (p++; *p && *p != ';'; p++) text_add(t, *p == '/' ? "." : p, 1);
        break;
    default: t->failed = true; return p;
    }
    while (dimensions--) text_str(t, "[]");
    return *p ? p + 1 : p;
}

char *jni_method_text(struct class *holder, const char *name, const char *desc) {
    struct text t = { 0 };
    const char *close = strchr(desc, ')');
    char *class_name = class_external_name(holder);
    if (!close || desc[0] != '(' || !class_name) { mem_free(class_name); return NULL; }
    text_type(&t, close + 1);
    text_str(&t, " ");
    text_str(&t, class_name);
    text_str(&t, ".");
    text_str(&t, name);
    text_str(&t, "(");
    for (const char *p = desc + 1; p < close && !t.failed;) {
        if (p != desc + 1) text_str(&t, ", ");
        p = text_type(&t, p);
    }
    text_str(&t, ")");
    mem_free(class_name);
    return text_take(&t);
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

void *jni_java_library(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jni_state *state = vm->jni_state;
    if (state->java_library) return state->java_library;
    char *path = mem_printf("%s/lib/libjava.so", vm->java_home), *err = NULL;
    void *library = path ? os_library_open(path, &err) : NULL;
    if (!library) log_error(library, "%s", err ? err : "out of memory");
    mem_free(err);
    mem_free(path);
    if (!library) return NULL;
    state->java_library = library;
    if (!native_library_adopt(library)) log_error(library, "out of memory");
    /* Nobody loads this one by System.loadLibrary, so its start-up function is ours to call. */
    jint (*on_load)(JavaVM *, void *) = (jint (*)(JavaVM *, void *))os_library_find(library, "JNI_OnLoad");
    if (on_load) {
        thread_to_native(self);
        on_load(&vm->jni, NULL);
        thread_from_native(self);
    }
    return library;
}

/* ClassLoader.findNative, which knows the libraries of every loader. *threw: an exception is pending. */
static void *find_in_loader(struct os_thread *self, struct method *m, const char *function, bool *threw) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *loader_class = known_class(java_lang_ClassLoader);
    struct object *name = string_from_cstr(self, function);
    uint64_t args[4] = { slot_ref(m->holder->loader->object), slot_ref(name), 0, 0 }, address = 0;
    struct method *find = NULL;
    if (name && vm->library == LIBRARY_17) {
        find = class_method_cstr(loader_class, "findNative", "(Ljava/lang/ClassLoader;Ljava/lang/String;)J");
    } else if (name) {
        find = class_method_cstr(loader_class, "findNative",
                                 "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;)J");
        struct object *java_name = string_from_symbol(self, m->name, false);
        if (!java_name) find = NULL;
        args[1] = slot_ref(class_mirror(m->holder));
        args[2] = slot_ref(name);
        args[3] = slot_ref(java_name);
    }
    if (find && class_ensure_initialized(self, loader_class)) java_call(self, find, args, &address);
    *threw = self->exception != NULL;
    return *threw ? NULL : (void *)(uintptr_t)address;
}

/* *threw as above. */
static void *find_function(struct os_thread *self, struct method *m, const char *function, bool *threw) {
    REQUIRES(IN_VM | MAY_STOP);
    void *address = NULL;
    *threw = false;
    if (m->holder->loader->is_boot) {
        void *library = jni_java_library(self);
        address = library ? os_library_find(library, function) : NULL;
    }
    if (!address) address = find_in_loader(self, m, function, threw);
    if (!address && !*threw) address = agent_find_native(function);
    return address;
}

static void *find_named(struct os_thread *self, struct method *m, const char *name, size_t length, bool *threw) {
    REQUIRES(IN_VM | MAY_STOP);
    void *address = NULL;
    *threw = false;
    for (int with_parameters = 0; with_parameters < 2 && !address && !*threw; with_parameters++) {
        char *function = function_name(m->holder, name, length, m->desc->bytes, with_parameters);
        if (function) address = find_function(self, m, function, threw);
        mem_free(function);
    }
    return address;
}

/* A method renamed by an agent's prefix, with a wrapper under the old name. */
static void *find_prefixed(struct os_thread *self, struct method *m, bool *threw) {
    REQUIRES(IN_VM | MAY_STOP);
    const char *prefixes[64];
    unsigned n = jvmti_native_prefixes(prefixes, ARRAY_LEN(prefixes));
    const char *name = m->name->bytes;
    bool stripped = false;
    for (unsigned i = MIN(n, (unsigned)ARRAY_LEN(prefixes)); i-- > 0;) {
        size_t length = strlen(prefixes[i]);
        if (length == 0 || strncmp(name, prefixes[i], length) != 0) continue;
        name += length;
        stripped = true;
    }
    if (!stripped) return NULL;
    struct symbol *symbol = symbol_lookup_cstr(name);
    struct method *wrapper = symbol ? class_find_method(m->holder, symbol, m->desc) : NULL;
    symbol_release(symbol);
    return wrapper && !(wrapper->access_flags & ACC_NATIVE) ? find_named(self, m, name, strlen(name), threw) : NULL;
}

void *jni_link_native(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | MAY_STOP);
    bool threw = false;
    void *address = find_named(self, m, m->name->bytes, m->name->length, &threw);
    if (!address && !threw) address = find_prefixed(self, m, &threw);
    if (!address) {
        if (threw) return NULL;
        char *text = jni_method_text(m->holder, m->name->bytes, m->desc->bytes);
        throw_message(self, "java/lang/UnsatisfiedLinkError", "'%s'", text ? text : m->name->bytes);
        mem_free(text);
        return NULL;
    }
    void *found = address;
    probe_native_method_bind(self, m, &address);
    if (address != found) intrinsic_forget(m);
    if (log_enabled(LOG_jni_resolve, LOG_DEBUG)) {
        char *name = class_external_name(m->holder);
        log_debug(jni_resolve, "[Dynamic-linking native method %s.%s ... JNI]", name ? name : "?", m->name->bytes);
        mem_free(name);
    }
    return address;
}

/* ---- RegisterNatives --------------------------------------------------------------------------------------------- */

/* Is this one of our own functions (JVM_*)? */
bool native_code_is_ours(const void *function) {
    uintptr_t ours, theirs;
    const char *path, *symbol;
    uintptr_t at;
    return os_library_of((void *)&function_name, &path, &ours, &symbol, &at)
        && function && os_library_of(function, &path, &theirs, &symbol, &at) && ours == theirs;
}

/* A method of c or of its superclasses. */
static struct method *find_to_register(struct class *c, struct symbol *name, struct symbol *desc) {
    struct method *m = NULL;
    for (; c && !m; c = c->super) m = class_find_method(c, name, desc);
    return m;
}

/* An agent has renamed a native method and put another under its name; others may have done so to the new name. The
 * first prefix stands innermost. NULL: no native method is found so. */
static struct method *find_renamed(struct class *c, const char *name, struct symbol *desc) {
    const char *prefixes[64];
    unsigned count = jvmti_native_prefixes(prefixes, ARRAY_LEN(prefixes));
    char *found = NULL;                  /* the longest name that wrappers have */
    struct method *m = NULL;
    for (unsigned i = 0; i < count && !(m && m->access_flags & ACC_NATIVE); i++) {
        char *longer = mem_printf("%s%s", prefixes[i], found ? found : name);
        struct symbol *s = longer ? symbol_lookup_cstr(longer) : NULL;
        m = s ? find_to_register(c, s, desc) : NULL;
        symbol_release(s);
        mem_free(m ? found : longer);
        if (m) found = longer;
    }
    mem_free(found);
    return m && m->access_flags & ACC_NATIVE ? m : NULL;
}

/* Is c the platform's, and whoever called the native method that registers another loader's? HotSpot warns of it. */
static bool rebinds_platform(const struct os_thread *self, const struct class *c) {
    REQUIRES(IN_VM);
    bool platform = c->loader->is_boot || c->loader->is_platform;
    if (!platform || c->version == NULL || c->module == NULL || c->module->name == NULL) return false;
    struct frame_cursor f = frame_first(self->java);
    if (cursor_valid(&f)) frame_next(&f);
    return !cursor_valid(&f) || cursor_method(&f)->holder->loader != c->loader;
}

static void warn_of_rebinding(const struct class *c, const JNINativeMethod *native) {
    char *holder = class_external_name(c);
    log_warning(jni_resolve, "Re-registering of platform native method: %s.%s%s from code in a different classloader",
                holder ? holder : "?", native->name, native->signature);
    mem_free(holder);
}

static bool register_one(struct os_thread *self, struct class *c, const JNINativeMethod *native, bool rebinds) {
    REQUIRES(IN_VM | MAY_STOP);
    struct symbol *n = symbol_lookup_cstr(native->name), *d = symbol_lookup_cstr(native->signature);
    struct method *m = n && d ? find_to_register(c, n, d) : NULL;
    struct method *renamed = m && !(m->access_flags & ACC_NATIVE) ? find_renamed(c, native->name, d) : NULL;
    if (renamed) m = renamed;
    bool symbols = n && d;
    if (symbols && rebinds) warn_of_rebinding(c, native);
    symbol_release(n);
    symbol_release(d);
    if (m && m->access_flags & ACC_NATIVE) {
        void *address = native->fnPtr;
        /* What the VM does without the JNI bracket it need not do with it. */
        if (m->entry == ENTRY_INTRINSIC && native_code_is_ours(address)) return true;
        /* Nothing is bound anew where it is bound already: no event. */
        if (address && atomic_load_explicit(&m->native_code, memory_order_acquire) == address) return true;
        if (address) probe_native_method_bind(self, m, &address);
        struct unsafe_access access;
        if (unsafe_access_of(m, &access)) unsafe_access_rebound(self);
        method_set_native(m, address, address == native->fnPtr && native_code_is_ours(address));
        if (log_enabled(LOG_jni_resolve, LOG_DEBUG)) {
            char *holder = class_external_name(c);
            log_debug(jni_resolve, "[Registering JNI native method %s.%s]", holder ? holder : "?", m->name->bytes);
            mem_free(holder);
        }
        return true;
    }
    if (!symbols) {
        char *holder = class_external_name(c);
        throw_message(self, "java/lang/NoSuchMethodError", "Method %s.%s%s not found", holder ? holder : "?",
                      native->name, native->signature);
        mem_free(holder);
        return false;
    }
    char *text = jni_method_text(c, native->name, native->signature);
    throw_message(self, "java/lang/NoSuchMethodError", "Method '%s' %s", text ? text : native->name,
                  m ? "is not declared as native" : "name or signature does not match");
    mem_free(text);
    return false;
}

jint JNICALL jni_RegisterNatives(JNIEnv *env, jclass handle, const JNINativeMethod *natives, jint count) {
    NATIVE_ENTRY(env);
    struct class *c = jni_class(handle, JNI_NAME);
    if (!c) {
        jni_throw_null(self);
        return JNI_ERR;
    }
    PENDING_ASIDE(self);
    bool rebinds = rebinds_platform(self, c);
    for (jint i = 0; i < count; i++)
        if (!register_one(self, c, &natives[i], rebinds)) return JNI_ERR;
    return JNI_OK;
}

jint JNICALL jni_UnregisterNatives(JNIEnv *env, jclass handle) {
    NATIVE_ENTRY(env);
    struct class *c = jni_class(handle, JNI_NAME);
    for (struct method *m = NULL; c && (m = class_next_method(c, m)) != NULL;)
        if (m->access_flags & ACC_NATIVE && m->entry == ENTRY_NATIVE) method_set_native(m, NULL, false);
    return JNI_OK;
}
