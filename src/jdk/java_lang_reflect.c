/* java_lang_reflect.c — Method, Constructor, Field, RecordComponent and Parameter objects; reflective calls. */
#include "jdk/reflect.h"

#include "classfile/descriptor.h"
#include "jdk/jvm.h"
#include "link/resolve.h"
#include "probe/probe.h"

enum {
    METHOD_MODIFIERS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL | ACC_SYNCHRONIZED |
                       ACC_BRIDGE | ACC_VARARGS | ACC_NATIVE | ACC_ABSTRACT | ACC_STRICT | ACC_SYNTHETIC,
    FIELD_MODIFIERS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED | ACC_STATIC | ACC_FINAL | ACC_VOLATILE | ACC_TRANSIENT |
                      ACC_ENUM | ACC_SYNTHETIC
};

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* byte[] with the contents of an attribute; NULL without exception when it is absent. */
static struct object *attribute_bytes(struct os_thread *self, const struct classfile *cf, uint32_t attribute) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct span s = cf_attribute(cf, attribute);
    if (s.data == NULL) return NULL;
    struct object *bytes = heap_alloc_array(self, &vm->link->primitive_arrays[T_BYTE]->shape, (int32_t)s.size);
    if (bytes != NULL) memcpy(array_data(bytes), s.data, s.size);
    return bytes;
}

static bool store_attribute(struct os_thread *self, struct object *o, uint32_t offset, const struct classfile *cf,
                            uint32_t attribute) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (attribute == 0) return true;
    struct object *bytes = attribute_bytes(self, cf, attribute);
    if (bytes == NULL) return false;
    heap_store_ref(o, offset, bytes);
    return true;
}

static bool store_utf8(struct os_thread *self, struct object *o, uint32_t offset, const struct classfile *cf,
                       uint16_t index, bool intern) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (index == 0) return true;
    struct object *s = string_from_symbol(self, cp_symbol(cf, index), false);
    if (s != NULL && intern) s = string_intern(self, s);
    if (s == NULL) return false;
    heap_store_ref(o, offset, s);
    return true;
}

static struct object *type_mirror(struct os_thread *self, struct class *in, const char *text, size_t length) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_of_descriptor(self, text, length, in->loader);
    return c ? c->mirror : NULL;
}

/* Class[] of the parameter types of m's descriptor. */
static struct object *parameter_types(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *text = m->desc->bytes;
    struct object *types = new_ref_array(self, known_class(java_lang_Class), desc_arg_count(text, m->desc->length));
    if (types == NULL) return NULL;
    struct desc_iter it = desc_begin(text, m->desc->length);
    struct desc_type t;
    for (int32_t i = 0; desc_next(&it, &t); i++) {
        struct object *mirror = type_mirror(self, m->holder, t.text, t.len);
        if (mirror == NULL) return NULL;
        heap_array_set(types, i, mirror);
    }
    return types;
}

/* It may have been deleted since it was looked up. */
static const struct cf_member *member_of(struct method *m) { return method_last_code(m)->member; }
static const struct classfile *file_of(struct method *m) { return code_cf(method_last_code(m)); }

static struct object *exception_types(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method_code *code = method_last_code(m);
    const struct cf_member *member = code->member;
    const struct classfile *cf = code_cf(code);
    uint32_t list = member->extra ? member->extra->exceptions : 0;
    uint16_t n = cf_list_count(cf, list);
    struct object *types = new_ref_array(self, known_class(java_lang_Class), n);
    for (uint16_t i = 0; types != NULL && i < n; i++) {
        struct class *c = resolve_class(self, code->owner, cf_list_at(cf, list, i));
        if (c == NULL) return NULL;
        heap_array_set(types, i, c->mirror);
    }
    return types;
}

/* ---- the objects ------------------------------------------------------------------------------------------------- */

/* Where the fields that Method and Constructor have in common lie. */
struct executable_layout {
    uint32_t clazz, slot, parameter_types, exception_types, modifiers, signature, annotations, parameter_annotations;
};

static bool fill_executable(struct os_thread *self, struct object *o, struct method *m,
                            const struct executable_layout *at) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct cf_member *member = member_of(m);
    const struct classfile *cf = file_of(m);
    heap_store_ref(o, at->clazz, m->holder->mirror);
    field_store(o, at->slot, T_INT, m->slot);
    struct object *types = parameter_types(self, m);
    if (types == NULL) return false;
    heap_store_ref(o, at->parameter_types, types);
    types = exception_types(self, m);
    if (types == NULL) return false;
    heap_store_ref(o, at->exception_types, types);
    field_store(o, at->modifiers, T_INT, m->access_flags & METHOD_MODIFIERS);
    if (!store_utf8(self, o, at->signature, cf, member->signature_index, false)) return false;
    const struct cf_member_extra *extra = member->extra;
    return extra == NULL || (store_attribute(self, o, at->annotations, cf, extra->annotations)
                             && store_attribute(self, o, at->parameter_annotations, cf, extra->parameter_annotations));
}

static struct object *new_constructor(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(java_lang_reflect_Constructor);
    const struct executable_layout at = {
        known_offset(Constructor_clazz),          known_offset(Constructor_slot),
        known_offset(Constructor_parameterTypes), known_offset(Constructor_exceptionTypes),
        known_offset(Constructor_modifiers),      known_offset(Constructor_signature),
        known_offset(Constructor_annotations),    known_offset(Constructor_parameterAnnotations),
    };
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    return o && fill_executable(self, o, m, &at) ? o : NULL;
}

static struct object *new_method(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(java_lang_reflect_Method);
    const struct executable_layout at = {
        known_offset(Method_clazz),          known_offset(Method_slot),
        known_offset(Method_parameterTypes), known_offset(Method_exceptionTypes),
        known_offset(Method_modifiers),      known_offset(Method_signature),
        known_offset(Method_annotations),    known_offset(Method_parameterAnnotations),
    };
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    if (o == NULL || !fill_executable(self, o, m, &at)) return NULL;
    const struct cf_member *member = member_of(m);
    if (!store_utf8(self, o, known_offset(Method_name), file_of(m), member->name_index, true)) return NULL;
    struct desc_type t = desc_return(m->desc->bytes, m->desc->length);
    struct object *type = type_mirror(self, m->holder, t.text, t.len);
    if (type == NULL) return NULL;
    heap_store_ref(o, known_offset(Method_returnType), type);
    if (member->extra && !store_attribute(self, o, known_offset(Method_annotationDefault), file_of(m),
                                          member->extra->annotation_default))
        return NULL;
    return o;
}

struct object *reflect_method(struct os_thread *self, struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    return m->flags & METHOD_INIT ? new_constructor(self, m) : new_method(self, m);
}

struct object *reflect_field(struct os_thread *self, struct field *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(java_lang_reflect_Field);
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    if (o == NULL) return NULL;
    const struct classfile *cf = f->holder->cf;
    heap_store_ref(o, known_offset(Field_clazz), f->holder->mirror);
    field_store(o, known_offset(Field_slot), T_INT, f->slot);
    field_store(o, known_offset(Field_modifiers), T_INT, f->access_flags & FIELD_MODIFIERS);
    field_store(o, known_offset(Field_trustedFinal), T_BOOLEAN, field_is_trusted_final(f));
    if (!store_utf8(self, o, known_offset(Field_name), cf, f->cf->name_index, true)) return NULL;
    struct object *type = type_mirror(self, f->holder, f->desc->bytes, f->desc->length);
    if (type == NULL) return NULL;
    heap_store_ref(o, known_offset(Field_type), type);
    if (!store_utf8(self, o, known_offset(Field_signature), cf, f->cf->signature_index, false)) return NULL;
    if (f->cf->extra && !store_attribute(self, o, known_offset(Field_annotations), cf, f->cf->extra->annotations))
        return NULL;
    return o;
}

struct method *reflected_method(struct object *o) {
    uint32_t clazz, slot;
    if (o != NULL && class_of(o) == known_class(java_lang_reflect_Method))
        clazz = known_offset(Method_clazz), slot = known_offset(Method_slot);
    else if (o != NULL && class_of(o) == known_class(java_lang_reflect_Constructor))
        clazz = known_offset(Constructor_clazz), slot = known_offset(Constructor_slot);
    else return NULL;
    struct class *c = class_of_mirror(heap_load_ref(o, clazz));
    uint32_t i = (uint32_t)field_load(o, slot, T_INT);
    struct method *m = c && i < c->method_count ? class_method_at(c, i) : NULL;
    return m != NULL && !method_is_deleted(m) ? m : NULL;
}

struct field *reflected_field(struct object *o) {
    if (o == NULL || class_of(o) != known_class(java_lang_reflect_Field)) return NULL;
    struct class *c = class_of_mirror(heap_load_ref(o, known_offset(Field_clazz)));
    uint32_t i = (uint32_t)field_load(o, known_offset(Field_slot), T_INT);
    return c && i < c->field_count ? &c->fields[i] : NULL;
}

/* ---- listing the members of a class ------------------------------------------------------------------------------ */

static bool listed(const struct method *m, bool constructors, bool public_only) {
    if (m->flags & (METHOD_CLINIT | METHOD_SYNTHETIC_VM | METHOD_MIRANDA)) return false;
    if (((m->flags & METHOD_INIT) != 0) != constructors) return false;
    return !public_only || m->access_flags & ACC_PUBLIC;
}

static jobjectArray declared_methods(struct os_thread *self, jclass of, bool constructors, bool public_only) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = jclass_class(of);
    struct class *element = constructors ? known_class(java_lang_reflect_Constructor)
                                         : known_class(java_lang_reflect_Method);
    if (c->cf == NULL) return handle_local(self, new_ref_array(self, element, 0));
    if (!class_link(self, c)) return NULL;
    int32_t n = 0;
    for (const struct method *m = NULL; (m = class_next_method(c, m)) != NULL;)
        n += listed(m, constructors, public_only);
    struct object *out = new_ref_array(self, element, n);
    int32_t k = 0;
    for (struct method *m = NULL; out != NULL && k < n && (m = class_next_method(c, m)) != NULL;) {
        if (!listed(m, constructors, public_only)) continue;
        struct object *o = reflect_method(self, m);
        if (o == NULL) return NULL;
        heap_array_set(out, k++, o);
    }
    return handle_local(self, out);
}

JVM jobjectArray JVM_GetClassDeclaredMethods(JNIEnv *env, jclass of, jboolean public_only);
JVM jobjectArray JVM_GetClassDeclaredMethods(JNIEnv *env, jclass of, jboolean public_only) {
    NATIVE_ENTRY(env);
    return declared_methods(self, of, false, public_only);
}

JVM jobjectArray JVM_GetClassDeclaredConstructors(JNIEnv *env, jclass of, jboolean public_only);
JVM jobjectArray JVM_GetClassDeclaredConstructors(JNIEnv *env, jclass of, jboolean public_only) {
    NATIVE_ENTRY(env);
    return declared_methods(self, of, true, public_only);
}

JVM jobjectArray JVM_GetClassDeclaredFields(JNIEnv *env, jclass of, jboolean public_only);
JVM jobjectArray JVM_GetClassDeclaredFields(JNIEnv *env, jclass of, jboolean public_only) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(of);
    if (c->cf == NULL) return handle_local(self, new_ref_array(self, known_class(java_lang_reflect_Field), 0));
    if (!class_link(self, c)) return NULL;
    int32_t n = 0;
    for (uint32_t i = 0; i < c->field_count; i++)
        n += c->fields[i].cf != NULL && (!public_only || c->fields[i].access_flags & ACC_PUBLIC);
    struct object *out = new_ref_array(self, known_class(java_lang_reflect_Field), n);
    for (uint32_t i = 0, k = 0; out != NULL && i < c->field_count; i++) {
        struct field *f = &c->fields[i];
        if (f->cf == NULL || (public_only && !(f->access_flags & ACC_PUBLIC))) continue;
        struct object *o = reflect_field(self, f);
        if (o == NULL) return NULL;
        heap_array_set(out, (int32_t)k++, o);
    }
    return handle_local(self, out);
}

static struct object *new_record_component(struct os_thread *self, struct class *c,
                                           const struct cf_record_component *r) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *k = known_class(java_lang_reflect_RecordComponent);
    if (!class_ensure_initialized(self, k)) return NULL;
    struct object *o = heap_alloc_instance(self, &k->shape);
    if (o == NULL) return NULL;
    heap_store_ref(o, known_offset(RecordComponent_clazz), c->mirror);
    if (!store_utf8(self, o, known_offset(RecordComponent_name), c->cf, r->name_index, true)) return NULL;
    struct symbol *desc = cp_symbol(c->cf, r->desc_index);
    struct object *type = type_mirror(self, c, desc->bytes, desc->length);
    if (type == NULL) return NULL;
    heap_store_ref(o, known_offset(RecordComponent_type), type);
    struct symbol *accessor_desc = symbol_intern_printf("()%s", desc->bytes);
    if (accessor_desc == NULL) {
        throw_out_of_memory(self, "record component");
        return NULL;
    }
    struct method *accessor = class_find_method(c, cp_symbol(c->cf, r->name_index), accessor_desc);
    symbol_release(accessor_desc);
    if (accessor != NULL && !(accessor->access_flags & ACC_STATIC)) {
        struct object *m = new_method(self, accessor);
        if (m == NULL) return NULL;
        heap_store_ref(o, known_offset(RecordComponent_accessor), m);
    }
    if (!store_utf8(self, o, known_offset(RecordComponent_signature), c->cf, r->signature_index, false)
        || !store_attribute(self, o, known_offset(RecordComponent_annotations), c->cf, r->annotations)
        || !store_attribute(self, o, known_offset(RecordComponent_typeAnnotations), c->cf, r->type_annotations))
        return NULL;
    return o;
}

JVM jobjectArray JVM_GetRecordComponents(JNIEnv *env, jclass of);
JVM jobjectArray JVM_GetRecordComponents(JNIEnv *env, jclass of) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(of);
    if (c->cf == NULL || !c->cf->is_record) return NULL;
    struct object *out = new_ref_array(self, known_class(java_lang_reflect_RecordComponent), c->cf->record_count);
    for (uint16_t i = 0; out != NULL && i < c->cf->record_count; i++) {
        struct object *o = new_record_component(self, c, &c->cf->record_components[i]);
        if (o == NULL) return NULL;
        heap_array_set(out, i, o);
    }
    return handle_local(self, out);
}

/* null without a MethodParameters attribute; IllegalArgumentException for a bad one (Java makes
 * MalformedParametersException of it). */
JVM jobjectArray JVM_GetMethodParameters(JNIEnv *env, jobject executable);
JVM jobjectArray JVM_GetMethodParameters(JNIEnv *env, jobject executable) {
    NATIVE_ENTRY(env);
    struct method *m = reflected_method(handle_get(executable));
    if (m == NULL) return NULL;
    const struct classfile *cf = file_of(m);
    int n = cf_method_parameter_count(cf, member_of(m));
    if (n < 0) return NULL;
    for (int i = 0; i < n; i++) {
        uint16_t name = cf_method_parameter_at(cf, member_of(m), i).name_index;
        if (name == 0 || cp_tag(cf, name) == CP_Utf8) continue;
        throw_message(self, "java/lang/IllegalArgumentException",
                      name < cf->cp.count ? "Wrong type at constant pool index" : "Constant pool index out of bounds");
        return NULL;
    }
    struct class *k = known_class(java_lang_reflect_Parameter);
    if (!class_ensure_initialized(self, k)) return NULL;
    struct object *out = new_ref_array(self, k, n);
    for (int i = 0; out != NULL && i < n; i++) {
        struct cf_method_parameter p = cf_method_parameter_at(cf, member_of(m), i);
        struct object *o = heap_alloc_instance(self, &k->shape);
        if (o == NULL || !store_utf8(self, o, known_offset(Parameter_name), cf, p.name_index, true)) return NULL;
        field_store(o, known_offset(Parameter_modifiers), T_INT, p.access_flags);
        field_store(o, known_offset(Parameter_index), T_INT, (uint32_t)i);
        heap_store_ref(o, known_offset(Parameter_executable), handle_get(executable));
        heap_array_set(out, i, o);
    }
    return handle_local(self, out);
}

JVM jbyteArray JVM_GetMethodTypeAnnotations(JNIEnv *env, jobject executable);
JVM jbyteArray JVM_GetMethodTypeAnnotations(JNIEnv *env, jobject executable) {
    NATIVE_ENTRY(env);
    struct method *m = reflected_method(handle_get(executable));
    const struct cf_member *member = m ? member_of(m) : NULL;
    return member && member->extra
               ? handle_local(self, attribute_bytes(self, file_of(m), member->extra->type_annotations))
               : NULL;
}

JVM jbyteArray JVM_GetFieldTypeAnnotations(JNIEnv *env, jobject field);
JVM jbyteArray JVM_GetFieldTypeAnnotations(JNIEnv *env, jobject field) {
    NATIVE_ENTRY(env);
    struct field *f = reflected_field(handle_get(field));
    return f && f->cf && f->cf->extra
               ? handle_local(self, attribute_bytes(self, f->holder->cf, f->cf->extra->type_annotations))
               : NULL;
}

/* ---- reflective calls -------------------------------------------------------------------------------------------- */


bool widen_primitive(enum basic_type from, enum basic_type to, uint64_t *value) {
    union { uint64_t slot; float f; double d; } in = {.slot = *value}, out = {.slot = 0};
    if (from == to) return true;
    int64_t integer = from == T_LONG ? (int64_t)*value : (int32_t)*value;
    switch (from) {
    case T_BYTE:
        if (to == T_SHORT) return true;
        /* fall through */
    case T_SHORT: case T_CHAR:
        if (to == T_INT) return true;
        /* fall through */
    case T_INT:
        if (to == T_LONG) {
            *value = (uint64_t)integer;
            return true;
        }
        /* fall through */
    case T_LONG:
        if (to == T_FLOAT) out.f = (float)integer;
        else if (to == T_DOUBLE) out.d = (double)integer;
        else return false;
        *value = out.slot;
        return true;
    case T_FLOAT:
        if (to != T_DOUBLE) return false;
        out.d = in.f;
        *value = out.slot;
        return true;
    default: return false;
    }
}

/* An int-like value as it lies in a slot. */
static uint64_t slot_value(enum basic_type type, uint64_t value) {
    return type == T_BOOLEAN || type == T_BYTE || type == T_CHAR || type == T_SHORT || type == T_INT
               ? slot_int((int32_t)value)
               : value;
}

static bool bad_argument(struct os_thread *self, const char *message) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (message) throw_message(self, "java/lang/IllegalArgumentException", "%s", message);
    else throw_new(self, "java/lang/IllegalArgumentException");
    return false;
}

/* Fills args from slot `k` on with the unwrapped arguments; types is Class[]. */
static bool unwrap_arguments(struct os_thread *self, struct object *types, struct object *values, uint64_t *args,
                             unsigned k) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    int32_t n = array_length(types);
    if (n != (values ? array_length(values) : 0)) return bad_argument(self, "wrong number of arguments");
    for (int32_t i = 0; i < n; i++) {
        struct class *type = class_of_mirror(heap_array_get(types, i));
        struct object *o = heap_array_get(values, i);
        if (!class_is_primitive(type)) {
            if (o != NULL && !object_is_instance(o, type)) return bad_argument(self, "argument type mismatch");
            args[k++] = slot_ref(o);
            continue;
        }
        enum basic_type from, to = type->basic_type;
        uint64_t value;
        if (o == NULL) return bad_argument(self, NULL);
        if (!unbox(o, &from, &value) || !widen_primitive(from, to, &value))
            return bad_argument(self, "argument type mismatch");
        args[k] = slot_value(to, value);
        k += to == T_LONG || to == T_DOUBLE ? 2 : 1;
    }
    return true;
}

/* What a reflective call throws is wrapped. */
static void wrap_exception(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *target = exception_take(self);
    struct class *c = class_find_boot(self, "java/lang/reflect/InvocationTargetException");
    struct method *init = c ? class_method_cstr(c, "<init>", "(Ljava/lang/Throwable;)V") : NULL;
    if (init == NULL || !class_ensure_initialized(self, c)) return;
    struct object *e = heap_alloc_instance(self, &c->shape);
    uint64_t args[2] = {slot_ref(e), slot_ref(target)};
    if (e != NULL && java_call(self, init, args, NULL)) throw_object(self, e);
}

/* The method that a reflective call of m on `receiver` runs. NULL: exception pending, already wrapped. */
static struct method *select_method(struct os_thread *self, struct method *m, struct object *receiver) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (m->access_flags & ACC_PRIVATE || m->flags & METHOD_INIT) return m;
    struct class *c = class_of(receiver);
    struct method *target = m->holder->is_interface ? class_select_interface(c, m) : class_select_virtual(c, m);
    if (target != NULL && target->entry != ENTRY_ABSTRACT && target->entry != ENTRY_CONFLICT) return target;
    if (target == NULL) target = m;
    if (target->entry == ENTRY_CONFLICT)
        throw_message(self, "java/lang/IncompatibleClassChangeError", "Conflicting default methods: %s",
                      target->native_data ? (const char *)target->native_data : "?");
    else if (m->holder->is_interface) throw_unimplemented_interface(self, c, m, target);
    else {
        char *name = method_external_name(c, m->name, m->desc);
        throw_message(self, "java/lang/AbstractMethodError", "'%s'", name ? name : "?");
        mem_free(name);
    }
    wrap_exception(self);
    return NULL;
}

JVM jobject JVM_InvokeMethod(JNIEnv *env, jobject method, jobject receiver, jobjectArray arguments);
JVM jobject JVM_InvokeMethod(JNIEnv *env, jobject method, jobject receiver, jobjectArray arguments) {
    NATIVE_ENTRY(env);
    struct object *o = handle_get(method);
    struct method *m = reflected_method(o);
    if (m == NULL) {
        throw_message(self, "java/lang/InternalError", "invoke");
        return NULL;
    }
    uint64_t args[m->arg_slots + 1], result = 0; /* small: programs recurse through reflection */
    unsigned k = 0;
    if (m->access_flags & ACC_STATIC) {
        if (!class_ensure_initialized(self, m->holder)) return NULL;
    } else {
        struct object *r = handle_get(receiver);
        if (r == NULL) {
            throw_new(self, "java/lang/NullPointerException");
            return NULL;
        }
        if (!object_is_instance(r, m->holder)) {
            bad_argument(self, "object is not an instance of declaring class");
            return NULL;
        }
        m = select_method(self, m, r);
        if (m == NULL) return NULL;
        args[k++] = slot_ref(r);
    }
    if (!unwrap_arguments(self, heap_load_ref(o, known_offset(Method_parameterTypes)), handle_get(arguments), args, k))
        return NULL;
    if (!java_call(self, m, args, &result)) {
        wrap_exception(self);
        return NULL;
    }
    if (m->return_type == T_VOID) return NULL;
    if (m->return_type == T_OBJECT || m->return_type == T_ARRAY) return handle_local(self, slot_object(result));
    return handle_local(self, box(self, m->return_type, result));
}

JVM jobject JVM_NewInstanceFromConstructor(JNIEnv *env, jobject constructor, jobjectArray arguments);
JVM jobject JVM_NewInstanceFromConstructor(JNIEnv *env, jobject constructor, jobjectArray arguments) {
    NATIVE_ENTRY(env);
    struct object *o = handle_get(constructor);
    struct method *m = reflected_method(o);
    if (m == NULL) {
        throw_message(self, "java/lang/InternalError", "newInstance");
        return NULL;
    }
    struct class *c = m->holder;
    if (c->is_abstract || c->is_interface || c == known_class(java_lang_Class)) {
        char *name = class_external_name(c);
        throw_message(self,
                      c == known_class(java_lang_Class) ? "java/lang/IllegalAccessException"
                                                        : "java/lang/InstantiationException",
                      "%s", name ? name : "?");
        mem_free(name);
        return NULL;
    }
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *instance = heap_alloc_instance(self, &c->shape);
    if (instance == NULL) return NULL;
    probe_vm_object_alloc(self, instance);
    uint64_t args[m->arg_slots + 1];
    args[0] = slot_ref(instance);
    if (!unwrap_arguments(self, heap_load_ref(o, known_offset(Constructor_parameterTypes)), handle_get(arguments), args,
                          1))
        return NULL;
    if (!java_call(self, m, args, NULL)) {
        wrap_exception(self);
        return NULL;
    }
    return handle_local(self, instance);
}
