/* java_lang_Class.c — finding, defining and describing classes: the natives of Class and ClassLoader. */
#include "base/options.h"
#include "jdk/jvm.h"
#include "link/resolve.h"

#include <stdlib.h>

/* ---- finding ----------------------------------------------------------------------------------------------------- */

JVM jclass JVM_FindPrimitiveClass(JNIEnv *env, const char *name);
JVM jclass JVM_FindPrimitiveClass(JNIEnv *env, const char *name) {
    NATIVE_ENTRY(env);
    static const struct { const char *name; enum basic_type type; } all[] = {
        {"boolean", T_BOOLEAN}, {"byte", T_BYTE}, {"char", T_CHAR}, {"short", T_SHORT}, {"int", T_INT},
        {"long", T_LONG}, {"float", T_FLOAT}, {"double", T_DOUBLE}, {"void", T_VOID},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (strcmp(name, all[i].name) == 0) return mirror_handle(self, class_primitive(all[i].type));
    throw_message(self, "java/lang/ClassNotFoundException", "%s", name);
    return NULL;
}

JVM jclass JVM_FindClassFromBootLoader(JNIEnv *env, const char *name);
JVM jclass JVM_FindClassFromBootLoader(JNIEnv *env, const char *name) {
    NATIVE_ENTRY(env);
    if (strlen(name) > UINT16_MAX) return NULL;
    return mirror_handle(self, class_find_boot(self, name));
}

static jclass find_class(struct os_thread *self, const char *name, bool init, struct loader *loader,
                         bool as_exception) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    size_t length = strlen(name);
    struct symbol *symbol = length <= UINT16_MAX ? symbol_intern(name, length) : NULL;
    if (symbol == NULL) {
        throw_message(self, as_exception ? "java/lang/ClassNotFoundException" : "java/lang/NoClassDefFoundError", "%s",
                      name);
        return NULL;
    }
    struct class *c = as_exception ? class_find(self, symbol, loader) : class_load(self, symbol, loader);
    symbol_release(symbol);
    if (c == NULL && self->exception == NULL) throw_message(self, "java/lang/ClassNotFoundException", "%s", name);
    if (c != NULL && init && !class_is_array(c) && !class_ensure_initialized(self, c)) c = NULL;
    return mirror_handle(self, c);
}

JVM jclass JVM_FindClassFromCaller(JNIEnv *env, const char *name, jboolean init, jobject loader, jclass caller);
JVM jclass JVM_FindClassFromCaller(JNIEnv *env, const char *name, jboolean init, jobject loader, jclass caller) {
    NATIVE_ENTRY(env);
    (void)caller;
    struct loader *l = loader_of_object(self, handle_get(loader));
    return l ? find_class(self, name, init, l, true) : NULL;
}

JVM jclass JVM_FindClassFromClass(JNIEnv *env, const char *name, jboolean init, jclass from);
JVM jclass JVM_FindClassFromClass(JNIEnv *env, const char *name, jboolean init, jclass from) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(from);
    return find_class(self, name, init, c ? c->loader : vm->boot_loader, false);
}

JVM jclass JVM_FindLoadedClass(JNIEnv *env, jobject loader, jstring name);
JVM jclass JVM_FindLoadedClass(JNIEnv *env, jobject loader, jstring name) {
    NATIVE_ENTRY(env);
    if (name == NULL) return NULL;
    struct loader *l = loader_of_object(self, handle_get(loader));
    if (l == NULL) return NULL;
    struct symbol *symbol = symbol_from_string(handle_get(name), true);
    if (symbol == NULL) return NULL;
    struct class *c = class_find_loaded(l, symbol);
    symbol_release(symbol);
    if (c != NULL) class_report_wait(self, c);
    return mirror_handle(self, c);
}

/* ---- defining ---------------------------------------------------------------------------------------------------- */

static jclass define(struct os_thread *self, const char *name, jobject loader, const jbyte *bytes, jsize length,
                     jobject pd, const char *source) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct symbol *symbol = NULL;
    if (name != NULL) {
        size_t n = strlen(name);
        symbol = n <= UINT16_MAX ? symbol_intern(name, n) : NULL;
        if (symbol == NULL) {
            throw_message(self, "java/lang/NoClassDefFoundError", "Class name exceeds maximum length of %u: %s",
                          UINT16_MAX, name);
            return NULL;
        }
    }
    struct class *c = NULL;
    struct loader *l = loader_of_object(self, handle_get(loader));
    if (l != NULL) {
        struct define_args args = {.name = symbol, .bytes = (const uint8_t *)bytes, .length = (size_t)length,
                                   .bytes_are_mapped = boot_image_owns(bytes), .protection_domain = handle_get(pd),
                                       .source = source};
        c = class_define(self, l, &args);
    }
    if (symbol != NULL) symbol_release(symbol);
    return mirror_handle(self, c);
}

JVM jclass JVM_DefineClassWithSource(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize length,
                                     jobject pd, const char *source);
JVM jclass JVM_DefineClassWithSource(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize length,
                                     jobject pd, const char *source) {
    NATIVE_ENTRY(env);
    return define(self, name, loader, bytes, length, pd, source);
}
JVM jclass JVM_DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize length, jobject pd);
JVM jclass JVM_DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes, jsize length,
                           jobject pd) {
    NATIVE_ENTRY(env);
    return define(self, name, loader, bytes, length, pd, NULL);
}

enum { LOOKUP_NESTMATE = 1, LOOKUP_HIDDEN = 2, LOOKUP_STRONG = 4, LOOKUP_VM_ANNOTATIONS = 8 };

JVM jclass JVM_LookupDefineClass(JNIEnv *env, jclass lookup, const char *name, const jbyte *bytes, jsize length,
                                 jobject pd, jboolean init, int flags, jobject class_data);
JVM jclass JVM_LookupDefineClass(JNIEnv *env, jclass lookup, const char *name, const jbyte *bytes, jsize length,
                                 jobject pd, jboolean init, int flags, jobject class_data) {
    NATIVE_ENTRY(env);
    struct class *in = jclass_class(lookup);
    if (in == NULL || in->cf == NULL) {                  /* of no class file                                        */
        throw_message(self, "java/lang/IllegalArgumentException", "Lookup class is null");
        return NULL;
    }
    if (class_data != NULL && !(flags & LOOKUP_HIDDEN)) {
        throw_message(self, "java/lang/IllegalArgumentException", "classData is only applicable for hidden classes");
        return NULL;
    }
    struct symbol *symbol = name ? symbol_intern_cstr(name) : NULL;
    struct define_args args = {
        .name = symbol, .bytes = (const uint8_t *)bytes, .length = (size_t)length, .protection_domain = handle_get(pd),
        .source = "__ClassLoader::defineClass__",
        .lookup = in, .hidden = (flags & LOOKUP_HIDDEN) != 0, .nestmate = (flags & LOOKUP_NESTMATE) != 0,
        .strong = (flags & LOOKUP_STRONG) != 0,
        .vm_annotations = (flags & LOOKUP_VM_ANNOTATIONS) != 0, .class_data = handle_get(class_data),
    };
    struct class *c = class_define(self, in->loader, &args);
    if (symbol != NULL) symbol_release(symbol);
    jclass keeps = mirror_handle(self, c);  /* nothing else reaches a weak hidden class while it is linked */
    if (c != NULL && (init ? !class_ensure_initialized(self, c) : !class_link(self, c))) return NULL;
    return keeps;
}

/* ---- who calls --------------------------------------------------------------------------------------------------- */

static bool is_boot_class(const struct class *c, const char *name) {
    return c != NULL && c->loader->is_boot && strcmp(c->name->bytes, name) == 0;
}

/* Method.invoke and the accessors by which it calls the method. */
static bool is_reflection_frame(const struct method *m) {
    return (strcmp(m->name->bytes, "invoke") == 0 && is_boot_class(m->holder, "java/lang/reflect/Method"))
           || is_boot_class(m->holder->super, "jdk/internal/reflect/MethodAccessorImpl");
}

/* What stands between a caller and what it calls: reflection, compiled lambda forms, invokeBasic and the like. Methods
 * of hidden classes and those marked as hidden are no such thing, although traces leave them out. */
static bool is_between(struct method *m) {
    if (m->flags & METHOD_SYNTHETIC_VM || is_reflection_frame(m)) return true;
    const struct cf_member *member = atomic_load(&m->code)->member;
    return member != NULL && member->vm_flags & CF_LAMBDA_FORM_COMPILED;
}

/* The caller of the method that calls Reflection.getCallerClass: that method must be caller-sensitive. */
JVM jclass JVM_GetCallerClass(JNIEnv *env);
JVM jclass JVM_GetCallerClass(JNIEnv *env) {
    NATIVE_ENTRY(env);
    struct frame_cursor f = frame_first(self->java); /* Reflection.getCallerClass itself */
    if (cursor_valid(&f)) frame_next(&f);
    if (!cursor_valid(&f) || !(cursor_method(&f)->flags & METHOD_CALLER_SENSITIVE)) {
        throw_message(self, "java/lang/InternalError", "CallerSensitive annotation expected at frame 1");
        return NULL;
    }
    for (frame_next(&f); cursor_valid(&f); frame_next(&f)) {
        struct method *m = cursor_method(&f);
        if (!is_between(m)) return mirror_handle(self, m->holder);
    }
    return NULL;
}

/* 17: SecurityManager.getClassContext. */
JVM jobjectArray JVM_GetClassContext(JNIEnv *env);
JVM jobjectArray JVM_GetClassContext(JNIEnv *env) {
    NATIVE_ENTRY(env);
    int32_t n = 0;
    struct frame_cursor first = frame_first(self->java);
    if (cursor_valid(&first)) frame_next(&first);        /* without getClassContext itself */
    for (struct frame_cursor f = first; cursor_valid(&f); frame_next(&f)) n += !is_between(cursor_method(&f));
    struct object *array = new_ref_array(self, known_class(java_lang_Class), n);
    int32_t i = 0;
    for (struct frame_cursor f = first; array != NULL && cursor_valid(&f); frame_next(&f)) {
        struct method *m = cursor_method(&f);
        if (!is_between(m)) heap_array_set(array, i++, m->holder->mirror);
    }
    return handle_local(self, array);
}

JVM jobject JVM_LatestUserDefinedLoader(JNIEnv *env);
JVM jobject JVM_LatestUserDefinedLoader(JNIEnv *env) {
    NATIVE_ENTRY(env);
    for (struct frame_cursor f = frame_first(self->java); cursor_valid(&f); frame_next(&f)) {
        struct loader *l = cursor_method(&f)->holder->loader;
        if (l->object != NULL && !l->is_platform && !l->is_delegating) return handle_local(self, l->object);
    }
    return NULL;
}

/* ---- describing -------------------------------------------------------------------------------------------------- */

JVM jstring JVM_InitClassName(JNIEnv *env, jclass c);
JVM jstring JVM_InitClassName(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct object *mirror = handle_get(c);
    char *name = class_external_name(class_of_mirror(mirror));
    struct object *s = name ? string_from_cstr(self, name) : NULL;
    mem_free(name);
    if (s == NULL || (s = string_intern(self, s)) == NULL) return NULL;
    heap_store_ref(mirror, known_offset(Class_name), s);
    return handle_local(self, s);
}

JVM jobjectArray JVM_GetClassInterfaces(JNIEnv *env, jclass cls);
JVM jobjectArray JVM_GetClassInterfaces(JNIEnv *env, jclass cls) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(cls);
    struct object *array = new_ref_array(self, known_class(java_lang_Class), (int32_t)c->interface_count);
    for (uint32_t i = 0; array != NULL && i < c->interface_count; i++)
        heap_array_set(array, (int32_t)i, c->interfaces[i]->mirror);
    return handle_local(self, array);
}

JVM jboolean JVM_IsInterface(JNIEnv *env, jclass c);
JVM jboolean JVM_IsInterface(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return jclass_class(c)->is_interface;
}
JVM jboolean JVM_IsArrayClass(JNIEnv *env, jclass c);
JVM jboolean JVM_IsArrayClass(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return class_is_array(jclass_class(c));
}
JVM jboolean JVM_IsPrimitiveClass(JNIEnv *env, jclass c);
JVM jboolean JVM_IsPrimitiveClass(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return class_is_primitive(jclass_class(c));
}
JVM jboolean JVM_IsHiddenClass(JNIEnv *env, jclass c);
JVM jboolean JVM_IsHiddenClass(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return jclass_class(c)->is_hidden;
}
JVM jint JVM_GetClassModifiers(JNIEnv *env, jclass c);
JVM jint JVM_GetClassModifiers(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return jclass_class(c)->modifiers;
}
JVM jint JVM_GetClassAccessFlags(JNIEnv *env, jclass c);
JVM jint JVM_GetClassAccessFlags(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    return class_is_primitive(k) ? ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT : k->access_flags;
}
JVM jint JVM_GetClassFileVersion(JNIEnv *env, jclass c);
JVM jint JVM_GetClassFileVersion(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    k = class_element(k);
    return k->cf != NULL ? k->cf->minor << 16 | k->cf->major : class_newest_major();      /* else: a primitive type */
}
JVM jobject JVM_GetProtectionDomain(JNIEnv *env, jclass c);
JVM jobject JVM_GetProtectionDomain(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return handle_local(self, jclass_class(c)->protection_domain);
}
JVM jobjectArray JVM_GetClassSigners(JNIEnv *env, jclass c);
JVM jobjectArray JVM_GetClassSigners(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct object *signers = jclass_class(c)->signers;
    return signers ? handle_local(self, heap_clone(self, signers)) : NULL;
}
JVM void JVM_SetClassSigners(JNIEnv *env, jclass c, jobjectArray signers);
JVM void JVM_SetClassSigners(JNIEnv *env, jclass c, jobjectArray signers) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    if (!class_is_primitive(k) && !class_is_array(k)) k->signers = handle_get(signers);
}

static jstring symbol_string(struct os_thread *self, struct symbol *s) {
    return s ? handle_local(self, string_from_symbol(self, s, false)) : NULL;
}

JVM jstring JVM_GetClassSignature(JNIEnv *env, jclass c);
JVM jstring JVM_GetClassSignature(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    return k->cf && k->cf->signature ? symbol_string(self, cp_symbol(k->cf, k->cf->signature)) : NULL;
}

/* A class's raw attribute as byte[]; NULL when absent. */
static jbyteArray attribute_bytes(struct os_thread *self, const struct classfile *cf, uint32_t offset) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (cf == NULL || offset == 0) return NULL;
    struct span s = cf_attribute(cf, offset);
    struct object *a = heap_alloc_array(self, &vm->link->primitive_arrays[T_BYTE]->shape, (int32_t)s.size);
    if (a != NULL) memcpy(array_data(a), s.data, s.size);
    return handle_local(self, a);
}
JVM jbyteArray JVM_GetClassAnnotations(JNIEnv *env, jclass c);
JVM jbyteArray JVM_GetClassAnnotations(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    return k->cf ? attribute_bytes(self, k->cf, k->cf->annotations) : NULL;
}
JVM jbyteArray JVM_GetClassTypeAnnotations(JNIEnv *env, jclass c);
JVM jbyteArray JVM_GetClassTypeAnnotations(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    return k->cf ? attribute_bytes(self, k->cf, k->cf->type_annotations) : NULL;
}

/* ---- inner classes ----------------------------------------------------------------------------------------------- */

/* The InnerClasses entry about c itself; false if there is none. */
static bool own_inner_entry(struct class *c, struct cf_inner_class *out) {
    if (c->cf == NULL) return false;
    uint16_t n = cf_inner_class_count(c->cf);
    for (uint16_t i = 0; i < n; i++) {
        *out = cf_inner_class_at(c->cf, i);
        if (out->inner_class != 0 &&
            (out->inner_class == c->cf->this_class ||
             cp_class_name(c->cf, out->inner_class) == cp_class_name(c->cf, c->cf->this_class)))
            return true;
    }
    return false;
}

/* Does `outer` list `inner` as its member (or local class)? Otherwise IncompatibleClassChangeError. */
static bool check_member_of(struct os_thread *self, struct class *outer, struct class *inner, bool member) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint16_t n = outer->cf ? cf_inner_class_count(outer->cf) : 0;
    for (uint16_t i = 0; i < n; i++) {
        struct cf_inner_class e = cf_inner_class_at(outer->cf, i);
        if (e.inner_class == 0 || cp_class_name(outer->cf, e.inner_class) != inner->name) continue;
        if (!member || (e.outer_class != 0 && cp_class_name(outer->cf, e.outer_class) == outer->name)) return true;
    }
    char *a = class_external_name(outer), *b = class_external_name(inner);
    throw_message(self, "java/lang/IncompatibleClassChangeError", "%s and %s disagree on InnerClasses attribute",
                  a ? a : "?", b ? b : "?");
    mem_free(a);
    mem_free(b);
    return false;
}

static struct class *declaring_class(struct os_thread *self, struct class *c) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct cf_inner_class e;
    if (!own_inner_entry(c, &e) || e.outer_class == 0) return NULL;
    struct class *outer = resolve_class(self, c->version, e.outer_class);
    if (outer == NULL || outer == c) return NULL;
    return check_member_of(self, outer, c, true) ? outer : NULL;
}

JVM jclass JVM_GetDeclaringClass(JNIEnv *env, jclass c);
JVM jclass JVM_GetDeclaringClass(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return mirror_handle(self, declaring_class(self, jclass_class(c)));
}

JVM jobjectArray JVM_GetDeclaredClasses(JNIEnv *env, jclass cls);
JVM jobjectArray JVM_GetDeclaredClasses(JNIEnv *env, jclass cls) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(cls);
    struct class_version *v = c->version;
    uint16_t n = v ? cf_inner_class_count(v->cf) : 0;
    struct object *all = new_ref_array(self, known_class(java_lang_Class), n);
    int32_t k = 0;
    for (uint16_t i = 0; all != NULL && i < n; i++) {
        struct cf_inner_class e = cf_inner_class_at(v->cf, i);
        if (e.outer_class == 0 || e.inner_class == 0 || cp_class_name(v->cf, e.outer_class) != c->name) continue;
        struct class *inner = resolve_class(self, v, e.inner_class);
        if (inner == NULL || !check_member_of(self, c, inner, true)) return NULL;
        heap_array_set(all, k++, inner->mirror);
    }
    struct object *out = all ? new_ref_array(self, known_class(java_lang_Class), k) : NULL;
    if (out != NULL) heap_copy_refs(self, all, 0, out, 0, k);
    return handle_local(self, out);
}

JVM jstring JVM_GetSimpleBinaryName(JNIEnv *env, jclass c);
JVM jstring JVM_GetSimpleBinaryName(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    struct cf_inner_class e;
    return own_inner_entry(k, &e) && e.inner_name != 0 ? symbol_string(self, cp_symbol(k->cf, e.inner_name)) : NULL;
}

/* {Class, name or null, descriptor or null} */
JVM jobjectArray JVM_GetEnclosingMethodInfo(JNIEnv *env, jclass cls);
JVM jobjectArray JVM_GetEnclosingMethodInfo(JNIEnv *env, jclass cls) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(cls);
    if (c->cf == NULL || c->cf->enclosing_class == 0) return NULL;
    struct object *out = new_ref_array(self, known_class(java_lang_Object), 3);
    struct class *enclosing = out ? resolve_class(self, c->version, c->cf->enclosing_class) : NULL;
    if (enclosing == NULL) return NULL;
    heap_array_set(out, 0, enclosing->mirror);
    if (c->cf->enclosing_method != 0) {
        struct object *name = string_from_symbol(self, cp_nat_name(c->cf, c->cf->enclosing_method), false);
        if (name == NULL) return NULL;
        heap_array_set(out, 1, name);
        struct object *desc = string_from_symbol(self, cp_nat_desc(c->cf, c->cf->enclosing_method), false);
        if (desc == NULL) return NULL;
        heap_array_set(out, 2, desc);
    }
    return handle_local(self, out);
}

/* ---- nests, records, sealed classes ------------------------------------------------------------------------------ */

JVM jboolean JVM_AreNestMates(JNIEnv *env, jclass a, jclass b);
JVM jboolean JVM_AreNestMates(JNIEnv *env, jclass a, jclass b) {
    NATIVE_ENTRY(env);
    return class_are_nestmates(self, jclass_class(a), jclass_class(b));
}
JVM jclass JVM_GetNestHost(JNIEnv *env, jclass c);
JVM jclass JVM_GetNestHost(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    return mirror_handle(self, k->cf ? class_nest_host(self, k) : k);
}

/* Classes that a list attribute of `of` names and that resolve; `first` leads. Those that fail to resolve are
 * left out. */
static jobjectArray resolved_list(struct os_thread *self, struct class *of, uint32_t attribute, struct class *first,
                                  bool (*accept)(struct os_thread *, struct class *, struct class *)) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class_version *v = of->version;
    uint16_t n = cf_list_count(v->cf, attribute);
    struct object *all = new_ref_array(self, known_class(java_lang_Class), n + 1);
    int32_t k = 0;
    if (all == NULL) return NULL;
    if (first != NULL) heap_array_set(all, k++, first->mirror);
    for (uint16_t i = 0; i < n; i++) {
        struct class *m = resolve_class(self, v, cf_u2(v->cf->bytes + attribute + 2 + 2 * (uint32_t)i));
        if (m == NULL) {
            struct class *error = class_find_boot(self, "java/lang/VirtualMachineError");
            if (error != NULL && object_is_instance(self->exception, error)) return NULL;
            self->exception = NULL;
            continue;
        }
        if (m != first && accept(self, of, m)) heap_array_set(all, k++, m->mirror);
    }
    struct object *out = new_ref_array(self, known_class(java_lang_Class), k);
    if (out != NULL) heap_copy_refs(self, all, 0, out, 0, k);
    return handle_local(self, out);
}
static bool member_of_nest(struct os_thread *self, struct class *host, struct class *m) {
    return class_nest_host(self, m) == host;
}
static bool permitted(struct os_thread *self, struct class *of, struct class *m) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self;
    for (uint32_t i = 0; i < m->interface_count; i++)
        if (m->interfaces[i] == of) return true;
    return m->super == of;
}

JVM jobjectArray JVM_GetNestMembers(JNIEnv *env, jclass cls);
JVM jobjectArray JVM_GetNestMembers(JNIEnv *env, jclass cls) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(cls);
    struct class *host = c->cf ? class_nest_host(self, c) : c;
    if (host == NULL) return NULL;
    if (host->cf == NULL || host->cf->nest_members == 0) {
        struct object *one = new_ref_array(self, known_class(java_lang_Class), 1);
        if (one != NULL) heap_array_set(one, 0, host->mirror);
        return handle_local(self, one);
    }
    return resolved_list(self, host, host->cf->nest_members, host, member_of_nest);
}

JVM jobjectArray JVM_GetPermittedSubclasses(JNIEnv *env, jclass cls);
JVM jobjectArray JVM_GetPermittedSubclasses(JNIEnv *env, jclass cls) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(cls);
    return c->cf && c->cf->is_sealed ? resolved_list(self, c, c->cf->permitted_subclasses, NULL, permitted) : NULL;
}

JVM jboolean JVM_IsRecord(JNIEnv *env, jclass c);
JVM jboolean JVM_IsRecord(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    struct class *k = jclass_class(c);
    return k->cf && k->cf->is_record && k->is_final && k->super != NULL &&
           strcmp(k->super->name->bytes, "java/lang/Record") == 0;
}

/* ---- assertions -------------------------------------------------------------------------------------------------- */

/* The last matching -ea/-da decides: by class, by package, else for all. */
static bool assertions_for(struct class *c) {
    const struct vm_options *o = vm->options;
    if (c->loader->is_boot) return o->system_assertions;
    char *name = class_external_name(c);
    bool on = o->user_assertions, exact = false;
    size_t best = 0;
    for (size_t i = 0; name != NULL && i < o->assertions.count; i++) {
        const struct vm_assertion *a = &o->assertions.data[i];
        if (a->name == NULL) continue;
        size_t n = strlen(a->name);
        if (!a->package) {
            if (strcmp(a->name, name) == 0) on = a->enable, exact = true;
        } else if (!exact) {
            bool in = n == 0 ? strchr(name, '.') == NULL : strncmp(name, a->name, n) == 0 && name[n] == '.';
            if (in && n + 1 >= best) on = a->enable, best = n + 1;
        }
    }
    mem_free(name);
    return on;
}

JVM jboolean JVM_DesiredAssertionStatus(JNIEnv *env, jclass unused, jclass c);
JVM jboolean JVM_DesiredAssertionStatus(JNIEnv *env, jclass unused, jclass c) {
    NATIVE_ENTRY(env);
    (void)unused;
    return assertions_for(jclass_class(c));
}

JVM jobject JVM_AssertionStatusDirectives(JNIEnv *env, jclass unused);
JVM jobject JVM_AssertionStatusDirectives(JNIEnv *env, jclass unused) {
    NATIVE_ENTRY(env);
    (void)unused;
    const struct vm_options *o = vm->options;
    struct class *c = known_class(java_lang_AssertionStatusDirectives);
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *d = heap_alloc_instance(self, &c->shape);
    if (d == NULL) return NULL;
    field_store(d, known_offset(AssertionStatusDirectives_deflt), T_BOOLEAN, o->user_assertions);
    for (int package = 0; package < 2; package++) {
        int32_t n = 0;
        for (size_t i = 0; i < o->assertions.count; i++)
            n += o->assertions.data[i].name != NULL && o->assertions.data[i].package == (package != 0);
        struct object *names = new_ref_array(self, known_class(java_lang_String), n);
        struct object *enabled = names ? heap_alloc_array(self, &vm->link->primitive_arrays[T_BOOLEAN]->shape, n)
                                       : NULL;
        if (enabled == NULL) return NULL;
        int32_t k = n;                   /* Java looks at the first match: the last option comes first */
        for (size_t i = 0; i < o->assertions.count; i++) {
            const struct vm_assertion *a = &o->assertions.data[i];
            if (a->name == NULL || a->package != (package != 0)) continue;
            struct object *s = string_from_cstr(self, a->name);
            if (s == NULL) return NULL;
            k--;
            heap_array_set(names, k, s);
            ((jboolean *)array_data(enabled))[k] = a->enable;
        }
        heap_store_ref(d,
                       package ? known_offset(AssertionStatusDirectives_packages)
                               : known_offset(AssertionStatusDirectives_classes),
                       names);
        heap_store_ref(d,
                       package ? known_offset(AssertionStatusDirectives_packageEnabled)
                               : known_offset(AssertionStatusDirectives_classEnabled),
                       enabled);
    }
    return handle_local(self, d);
}
