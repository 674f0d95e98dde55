/* names.c — types and methods as HotSpot's messages spell them. */
#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "link/resolve_internal.h"

/* A growing text; `text` NULL once memory ran out. */
struct text {
    char *text;
    size_t length, capacity;
};

static void put(struct text *t, const char *s, size_t n) {
    if (t->text == NULL) return;
    if (t->length + n + 1 > t->capacity) {
        size_t capacity = (t->length + n + 1) * 2;
        char *grown = mem_realloc(t->text, capacity);
        if (grown == NULL) {
            mem_free(t->text);
            t->text = NULL;
            return;
        }
        t->text = grown;
        t->capacity = capacity;
    }
    memcpy(t->text + t->length, s, n);
    t->length += n;
    t->text[t->length] = '\0';
}

static void puts_(struct text *t, const char *s) { put(t, s, strlen(s)); }

static void put_dotted(struct text *t, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++) put(t, s[i] == '/' ? "." : &s[i], 1);
}

static void put_type(struct text *t, const char *desc, size_t length) {
    size_t dims = 0;
    while (dims < length && desc[dims] == '[') dims++;
    switch (dims < length ? desc[dims] : '?') {
    case 'B': puts_(t, "byte"); break;
    case 'C': puts_(t, "char"); break;
    case 'D': puts_(t, "double"); break;
    case 'F': puts_(t, "float"); break;
    case 'I': puts_(t, "int"); break;
    case 'J': puts_(t, "long"); break;
    case 'S': puts_(t, "short"); break;
    case 'Z': puts_(t, "boolean"); break;
    case 'V': puts_(t, "void"); break;
    case 'L': put_dotted(t, desc + dims + 1, length - dims - 2); break;
    default: put_dotted(t, desc, length); break;
    }
    for (; dims > 0; dims--) puts_(t, "[]");
}

char *type_external_name(const char *desc, size_t length) {
    struct text t = {mem_zalloc(64), 0, 64};
    put_type(&t, desc, length);
    return t.text;
}

char *method_external_name(struct class *holder, struct symbol *name, struct symbol *desc) {
    struct text t = {mem_zalloc(128), 0, 128};
    struct desc_type r = desc_return(desc->bytes, desc->length), p;
    put_type(&t, r.text, r.len);
    puts_(&t, " ");
    if (holder != NULL) {
        char *class_name = class_external_name(holder);
        puts_(&t, class_name ? class_name : "?");
        mem_free(class_name);
        puts_(&t, ".");
    }
    put(&t, name->bytes, name->length);
    puts_(&t, "(");
    bool first = true;
    for (struct desc_iter it = desc_begin(desc->bytes, desc->length); desc_next(&it, &p);) {
        if (!first) puts_(&t, ", ");
        put_type(&t, p.text, p.len);
        first = false;
    }
    puts_(&t, ")");
    return t.text;
}
