/* Strings: UTF-16 and modified UTF-8, whole and in regions, critical access. */
#include "base/utf8.h"
#include "jni/jni_internal.h"

/* The characters of a string: Latin-1 bytes or UTF-16 units. */
struct characters {
    const uint8_t *latin1;               /* NULL when wide                                                        */
    const uint16_t *wide;
    int32_t length;
};

/* A string that AllocObject has made has no value: it is empty. */
static struct characters characters_of(struct object *s) {
    struct object *value = heap_load_ref(s, known_offset(String_value));
    if (value == NULL) return (struct characters){ .latin1 = (const uint8_t *)"", .length = 0 };
    const void *data = array_data(value);
    int32_t bytes = array_length(value);
    if (*((const jbyte *)s + known_offset(String_coder)) == 0)
        return (struct characters){.latin1 = data, .length = bytes};
    return (struct characters){ .wide = data, .length = bytes / 2 };
}

static bool has_value(struct object *s) { return heap_load_ref(s, known_offset(String_value)) != NULL; }

static void copy_chars(const struct characters *c, int32_t start, int32_t length, jchar *out) {
    if (c->latin1) for (int32_t i = 0; i < length; i++) out[i] = c->latin1[start + i];
    else memcpy(out, c->wide + start, (size_t)length * sizeof *out);
}

static size_t utf8_size(const struct characters *c, int32_t start, int32_t length) {
    return c->latin1 ? utf8_size_of_latin1(c->latin1 + start, (size_t)length)
                     : utf8_size_of_utf16(c->wide + start, (size_t)length);
}

static size_t utf8_encode(const struct characters *c, int32_t start, int32_t length, char *out) {
    return c->latin1 ? utf8_encode_latin1(c->latin1 + start, (size_t)length, out)
                     : utf8_encode_utf16(c->wide + start, (size_t)length, out);
}

jstring JNICALL jni_NewString(JNIEnv *env, const jchar *chars, jsize length) {
    NATIVE_ENTRY(env);
    PENDING_ASIDE(self);
    return handle_local(self, string_from_utf16(self, chars, length));
}

jstring JNICALL jni_NewStringUTF(JNIEnv *env, const char *bytes) {
    NATIVE_ENTRY(env);
    PENDING_ASIDE(self);
    return bytes ? handle_local(self, string_from_cstr(self, bytes)) : NULL;
}

jsize JNICALL jni_GetStringLength(JNIEnv *env, jstring h) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    return s ? characters_of(s).length : 0;
}

jlong JNICALL jni_GetStringUTFLengthAsLong(JNIEnv *env, jstring h) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s) return 0;
    struct characters c = characters_of(s);
    return (jlong)utf8_size(&c, 0, c.length);
}

jsize JNICALL jni_GetStringUTFLength(JNIEnv *env, jstring h) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s) return 0;
    struct characters c = characters_of(s);
    return (jsize)MIN(utf8_size(&c, 0, c.length), (size_t)INT32_MAX);
}

/* A copy with a terminating zero; malloc'd. */
static jchar *copy_string(struct os_thread *self, const struct characters *c) {
    REQUIRES(IN_VM);
    jchar *out = mem_alloc(((size_t)c->length + 1) * sizeof *out);
    if (!out) {
        PENDING_ASIDE(self);
        throw_out_of_memory(self, "GetStringChars");
        return NULL;
    }
    copy_chars(c, 0, c->length, out);
    out[c->length] = 0;
    return out;
}

const jchar *JNICALL jni_GetStringChars(JNIEnv *env, jstring h, jboolean *is_copy) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s || !has_value(s)) return NULL;
    struct characters c = characters_of(s);
    jchar *out = copy_string(self, &c);
    if (out && is_copy) *is_copy = JNI_TRUE;
    return out;
}

void JNICALL jni_ReleaseStringChars(JNIEnv *env, jstring h, const jchar *chars) {
    (void)env, (void)h;
    mem_free((void *)chars);
}

const char *JNICALL jni_GetStringUTFChars(JNIEnv *env, jstring h, jboolean *is_copy) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s || !has_value(s)) return NULL;
    struct characters c = characters_of(s);
    size_t size = utf8_size(&c, 0, c.length);
    char *out = mem_alloc(size + 1);
    if (!out) {
        PENDING_ASIDE(self);
        throw_out_of_memory(self, "GetStringUTFChars");
        return NULL;
    }
    utf8_encode(&c, 0, c.length, out);
    out[size] = '\0';
    if (is_copy) *is_copy = JNI_TRUE;
    return out;
}

void JNICALL jni_ReleaseStringUTFChars(JNIEnv *env, jstring h, const char *chars) {
    (void)env, (void)h;
    mem_free((void *)chars);
}

static bool region_fits(struct os_thread *self, const struct characters *c, jsize start, jsize length) {
    REQUIRES(IN_VM | MAY_STOP);
    if (start >= 0 && length >= 0 && start <= c->length - length) return true;
    PENDING_ASIDE(self);
    throw_new(self, "java/lang/StringIndexOutOfBoundsException");
    return false;
}

void JNICALL jni_GetStringRegion(JNIEnv *env, jstring h, jsize start, jsize length, jchar *out) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s) return;
    struct characters c = characters_of(s);
    if (region_fits(self, &c, start, length)) copy_chars(&c, start, length, out);
}

void JNICALL jni_GetStringUTFRegion(JNIEnv *env, jstring h, jsize start, jsize length, char *out) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s) return;
    struct characters c = characters_of(s);
    if (!region_fits(self, &c, start, length)) return;
    if (length > 0) out[utf8_encode(&c, start, length, out)] = '\0';
    else if (out) out[0] = '\0';         /* some callers pass no buffer for nothing */
}

/* Objects do not move and live as long as the handle: a wide string needs no copy. */
const jchar *JNICALL jni_GetStringCritical(JNIEnv *env, jstring h, jboolean *is_copy) {
    NATIVE_ENTRY(env);
    struct object *s = jni_object(self, h, JNI_NAME);
    if (!s) return NULL;
    struct characters c = characters_of(s);
    const jchar *out = c.latin1 ? copy_string(self, &c) : c.wide;
    if (!out) return NULL;
    if (is_copy) *is_copy = c.latin1 != NULL;
    self->critical++;
    return out;
}

void JNICALL jni_ReleaseStringCritical(JNIEnv *env, jstring h, const jchar *chars) {
    NATIVE_ENTRY(env);
    struct object *s = jni_get(h, JNI_NAME);
    if (!s) return;
    if (self->critical) self->critical--;
    if (characters_of(s).latin1) mem_free((void *)chars);
}
