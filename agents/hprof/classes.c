/* classes.c: the table of classes. */
#include "classes.h"

#include <stdlib.h>
#include <string.h>

#include "hprof.h"

/* ---- types ------------------------------------------------------------------------------------------------------- */

const char *type_name(char type) {
    static const char *const names[] = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};
    uint32_t n = type_number(type);
    return n >= 4 ? names[n - 4] : "object";
}

/* "[[Ljava/lang/String;" as "java.lang.String[][]"; malloc'd. */
static char *java_name(const char *signature) {
    size_t depth = strspn(signature, "[");
    const char *element = signature + depth;
    char *name = malloc(strlen(element) + depth * 2 + 16);
    if (name == NULL) return NULL;
    if (*element == 'L') {
        size_t n = strlen(element) - 2;
        for (size_t i = 0; i < n; i++) name[i] = element[i + 1] == '/' ? '.' : element[i + 1];
        name[n] = '\0';
    } else {
        strcpy(name, type_name(*element));
    }
    for (size_t i = 0; i < depth; i++) strcat(name, "[]");
    return name;
}

/* ---- known objects ----------------------------------------------------------------------------------------------- */

uint32_t known_add(struct hprof *h, struct known *k) {
    uint32_t id = h->classes.known_count + 1;
    struct known **place = id < KNOWN_MAX ? stable_make(&h->classes.known, id) : NULL;
    if (place == NULL) return 0;
    *place = k;
    k->id = id;
    h->classes.known_count = id;
    return id;
}

struct known *known_by_tag(struct hprof *h, jlong tag) {
    jlong id = tag & TAG_ID_MASK;
    return id > 0 && id <= h->classes.known_count ? *(struct known **)stable_get(&h->classes.known, (uint32_t)id)
                                                  : NULL;
}

struct class_info *class_by_tag(struct hprof *h, jlong tag) {
    struct known *k = known_by_tag(h, tag);
    return k != NULL && k->kind == KNOWN_CLASS ? (struct class_info *)k : NULL;
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

static enum class_shape shape_of(const char *signature) {
    if (signature[0] != '[') return SHAPE_INSTANCE;
    return signature[1] == '[' || signature[1] == 'L' ? SHAPE_OBJECT_ARRAY : SHAPE_PRIMITIVE_ARRAY;
}

struct class_info *mirror_add(struct hprof *h) {
    struct class_info *c = h->classes.spare_mirrors;
    if (c != NULL) {
        h->classes.spare_mirrors = c->next_mirror;
        return c;
    }
    c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->known.kind = KNOWN_MIRROR;
    if (known_add(h, &c->known) != 0) return c;
    free(c);
    return NULL;
}

/* Registers a class whose tag carries no number yet, or that of a mirror. */
static struct class_info *class_add(struct hprof *h, JNIEnv *jni, jclass klass, jlong tag) {
    char *signature = NULL;
    if ((*h->env)->GetClassSignature(h->env, klass, &signature, NULL) != JVMTI_ERROR_NONE) return NULL;
    struct known *mirror = known_by_tag(h, tag);
    struct class_info *c = mirror != NULL ? (struct class_info *)mirror : calloc(1, sizeof *c);
    if (c != NULL) {
        c->signature = strdup(signature);
        c->name = java_name(signature);
        c->shape = shape_of(signature);
    }
    hprof_free(h, signature);
    if (c == NULL || c->signature == NULL || c->name == NULL || (mirror == NULL && known_add(h, &c->known) == 0))
        return NULL;
    c->known.kind = KNOWN_CLASS;
    c->serial = ++h->classes.class_count;
    (*h->env)->SetTag(h->env, klass, (tag & ~TAG_ID_MASK) | c->known.id);
    if (strcmp(c->signature, "Ljava/lang/Class;") == 0) h->classes.class_class = c;
    jclass super = (*jni)->GetSuperclass(jni, klass);
    if (super != NULL) {
        c->super = class_of(h, jni, super);
        (*jni)->DeleteLocalRef(jni, super);
    }
    jboolean is_interface = JNI_FALSE;
    (*h->env)->IsInterface(h->env, klass, &is_interface);
    c->is_interface = is_interface;
    return c;
}

struct class_info *class_of(struct hprof *h, JNIEnv *jni, jclass klass) {
    jlong tag = 0;
    if ((*h->env)->GetTag(h->env, klass, &tag) != JVMTI_ERROR_NONE) return NULL;
    struct class_info *c = class_by_tag(h, tag);
    return c != NULL ? c : class_add(h, jni, klass, tag);
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static bool add_interface(struct class_info *c, struct class_info *interface) {
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (c->interfaces[i] == interface) return true;
    struct class_info **grown = realloc(c->interfaces, (c->interface_count + 1) * sizeof *grown);
    if (grown == NULL) return false;
    c->interfaces = grown;
    grown[c->interface_count++] = interface;
    return true;
}

static bool add_inherited(struct class_info *c, const struct class_info *from) {
    for (uint32_t i = 0; i < from->interface_count; i++)
        if (!add_interface(c, from->interfaces[i])) return false;
    return true;
}

/* All superinterfaces; they and the superclass are laid out on the way. */
static bool find_interfaces(struct hprof *h, JNIEnv *jni, jclass klass, struct class_info *c) {
    jint count = 0;
    jclass *list = NULL;
    if ((*h->env)->GetImplementedInterfaces(h->env, klass, &count, &list) != JVMTI_ERROR_NONE) return false;
    bool ok = true;
    for (jint i = 0; i < count; i++) {
        struct class_info *interface = ok ? class_of(h, jni, list[i]) : NULL;
        ok = interface != NULL && class_lay_out(h, jni, list[i], interface) && add_interface(c, interface) &&
             add_inherited(c, interface);
        (*jni)->DeleteLocalRef(jni, list[i]);
    }
    hprof_free(h, list);
    return ok;
}

static bool find_fields(struct hprof *h, jclass klass, struct class_info *c) {
    jint count = 0;
    jfieldID *list = NULL;
    if ((*h->env)->GetClassFields(h->env, klass, &count, &list) != JVMTI_ERROR_NONE) return false;
    c->fields = calloc((size_t)count + 1, sizeof *c->fields);
    bool ok = c->fields != NULL;
    for (jint i = 0; ok && i < count; i++) {
        char *name = NULL, *signature = NULL;
        jint modifiers = 0;
        ok = (*h->env)->GetFieldName(h->env, klass, list[i], &name, &signature, NULL) == JVMTI_ERROR_NONE &&
             (*h->env)->GetFieldModifiers(h->env, klass, list[i], &modifiers) == JVMTI_ERROR_NONE;
        if (ok)
            c->fields[i] = (struct field_info){strdup(name), *signature == '[' ? 'L' : *signature,
                                               (modifiers & 0x0008) != 0, 0};
        hprof_free(h, name);
        hprof_free(h, signature);
    }
    c->field_count = ok ? (uint32_t)count : 0;
    hprof_free(h, list);
    return ok;
}

/* Places the superclass's values behind the class's own, as the format wants them. */
static bool place_fields(struct class_info *c, int id_size) {
    const struct class_info *super = c->is_interface ? NULL : c->super;
    uint32_t own = 0, inherited = super != NULL ? super->slot_count : 0;
    c->primitive_count = super != NULL ? super->primitive_count : 0;
    c->slot_count = inherited + c->field_count;
    c->slots = calloc((size_t)c->slot_count + 1, sizeof *c->slots);
    if (c->slots == NULL) return false;
    for (uint32_t i = 0; i < c->field_count; i++) {
        struct field_info *f = &c->fields[i];
        uint32_t size = type_size(f->type, id_size);
        c->slots[inherited + i] = (struct field_slot){f->is_static ? NOT_AN_INSTANCE_FIELD : own, f->type};
        f->value = c->statics_size;
        *(f->is_static ? &c->statics_size : &own) += size;
        c->primitive_count += !f->is_static && f->type != 'L';
    }
    for (uint32_t i = 0; i < inherited; i++) {
        c->slots[i] = super->slots[i];
        if (c->slots[i].offset != NOT_AN_INSTANCE_FIELD) c->slots[i].offset += own;
    }
    c->data_size = own + (super != NULL ? super->data_size : 0);
    c->statics = calloc((size_t)c->statics_size + 1, 1);
    return c->statics != NULL;
}

static bool lay_out_fields(struct hprof *h, JNIEnv *jni, jclass klass, struct class_info *c) {
    jclass super = (*jni)->GetSuperclass(jni, klass);
    bool ok = true;
    if (super != NULL) {
        ok = c->super != NULL && class_lay_out(h, jni, super, c->super) && add_inherited(c, c->super);
        (*jni)->DeleteLocalRef(jni, super);
    }
    if (!ok || !find_interfaces(h, jni, klass, c) || !find_fields(h, klass, c)) return false;
    for (uint32_t i = 0; i < c->interface_count; i++) c->slot_base += c->interfaces[i]->field_count;
    return place_fields(c, h->records.id_size);
}

bool class_lay_out(struct hprof *h, JNIEnv *jni, jclass klass, struct class_info *c) {
    if (c->laid_out) return true;
    if (c->shape == SHAPE_INSTANCE) {
        jint status = 0;
        if ((*h->env)->GetClassStatus(h->env, klass, &status) != JVMTI_ERROR_NONE ||
            !(status & JVMTI_CLASS_STATUS_PREPARED))
            return false;
        c->interface_count = c->slot_base = c->statics_size = 0;
        if (!lay_out_fields(h, jni, klass, c)) return false;
        c->first_index = c->slot_base + c->slot_count - c->field_count;
    }
    c->laid_out = true;
    return true;
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

/* The name as HotSpot's own dumps have it: "java/lang/String", "[C". malloc'd. */
static char *slashed_name(const struct class_info *c) {
    return c->shape == SHAPE_INSTANCE ? strndup(c->signature + 1, strlen(c->signature) - 2) : strdup(c->signature);
}

void class_write(struct hprof *h, struct class_info *c) {
    if (c->load_written || h->out == NULL || h->options.form != FORM_BINARY) return;
    c->load_written = true;
    char *name = slashed_name(c);
    uint64_t name_id = record_name(h, name != NULL ? name : c->name);
    free(name);
    struct packet p = {0};
    put_u4(&p, c->serial);
    put_id(h, &p, c->known.id);
    put_u4(&p, TRACE_SERIAL_BASE);
    put_id(h, &p, name_id);
    record_write(h, RECORD_LOAD_CLASS, &p);
}

static void note_unloaded(struct hprof *h, struct class_info *c) {
    c->unloaded = true;
    if (!c->load_written || h->out == NULL) return;
    struct packet p = {0};
    put_u4(&p, c->serial);
    record_write(h, RECORD_UNLOAD_CLASS, &p);
}

bool classes_refresh(struct hprof *h, JNIEnv *jni, jint *count_out, jclass **list_out) {
    jint count = 0;
    jclass *list = NULL;
    if (!hprof_ok(h, (*h->env)->GetLoadedClasses(h->env, &count, &list), "GetLoadedClasses")) return false;
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        struct class_info *c = class_by_tag(h, id);
        if (c != NULL) c->seen = false;
    }
    bool ok = true;
    for (jint i = 0; i < count; i++) {
        struct class_info *c = class_of(h, jni, list[i]);
        if (c == NULL) {
            ok = false;
            continue;
        }
        c->seen = true;
        class_lay_out(h, jni, list[i], c);
        class_write(h, c);
    }
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        struct class_info *c = class_by_tag(h, id);
        if (c != NULL && !c->seen && !c->unloaded) note_unloaded(h, c);
    }
    if (!ok) fprintf(stderr, "hprof: out of memory for classes\n");
    if (list_out != NULL) {
        *count_out = count;
        *list_out = list;
    } else {
        for (jint i = 0; i < count; i++) (*jni)->DeleteLocalRef(jni, list[i]);
        hprof_free(h, list);
    }
    return ok;
}
