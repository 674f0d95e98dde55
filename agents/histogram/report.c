/* report.c: turns a census into the printed table: names, order, totals. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    char *name;                     /* owned                                                       */
    char *loader;                   /* set where another class has the same name; owned            */
    jclass klass;                   /* NULL for the classes that were not listed                   */
    uint64_t instances, bytes;
};

struct table {
    struct line *lines;
    size_t count;
};

/* ---- names ------------------------------------------------------------------------------------------------------ */

static const char *primitive_name(char type) {
    switch (type) {
    case 'Z': return "boolean";
    case 'B': return "byte";
    case 'C': return "char";
    case 'S': return "short";
    case 'I': return "int";
    case 'J': return "long";
    case 'F': return "float";
    case 'D': return "double";
    case 'V': return "void";
    default: return "?";
    }
}

char *report_class_name(const char *signature) {
    size_t dimensions = strspn(signature, "[");
    const char *element = signature + dimensions;
    bool is_class = *element == 'L';
    const char *name = is_class ? element + 1 : primitive_name(*element);
    size_t length = strlen(name);
    if (is_class && length > 0 && name[length - 1] == ';') length--;
    char *out = malloc(length + 2 * dimensions + 1);
    if (out == NULL) return NULL;
    for (size_t i = 0; i < length; i++) out[i] = name[i] == '/' ? '.' : name[i];
    for (size_t i = 0; i < dimensions; i++) memcpy(out + length + 2 * i, "[]", 2);
    out[length + 2 * dimensions] = '\0';
    return out;
}

/* Name of a class, or NULL with a sentence on standard error. */
static char *name_of(struct census *c, jclass klass) {
    char *signature = NULL;
    if (!jvmti_ok(c->env, (*c->env)->GetClassSignature(c->env, klass, &signature, NULL), "GetClassSignature"))
        return NULL;
    char *name = report_class_name(signature);
    (*c->env)->Deallocate(c->env, (unsigned char *)signature);
    if (name == NULL) fprintf(stderr, "histogram: out of memory for class names\n");
    return name;
}

/* "bootstrap" or class@hash of the class's loader; NULL with a sentence on standard error. */
static char *loader_of(struct census *c, jclass klass) {
    jobject loader = NULL;
    if (!jvmti_ok(c->env, (*c->env)->GetClassLoader(c->env, klass, &loader), "GetClassLoader")) return NULL;
    if (loader == NULL) return strdup("bootstrap");
    jint hash = 0;
    if (!jvmti_ok(c->env, (*c->env)->GetObjectHashCode(c->env, loader, &hash), "GetObjectHashCode")) return NULL;
    char *type = name_of(c, (*c->jni)->GetObjectClass(c->jni, loader));
    char *out = NULL;
    if (type != NULL && asprintf(&out, "%s@%x", type, (unsigned)hash) < 0) out = NULL;
    free(type);
    return out;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

static int by_bytes(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    if (x->instances != y->instances) return x->instances < y->instances ? 1 : -1;
    int order = strcmp(x->name, y->name);
    return order != 0 || x->loader == NULL || y->loader == NULL ? order : strcmp(x->loader, y->loader);
}

/* One line for every class that has instances and passes the filter. */
static bool fill(struct table *t, struct census *c, const struct options *o) {
    size_t used = 0;
    for (jint i = 0; i <= c->class_count; i++) used += c->counts[i].instances != 0;
    t->lines = calloc(used + 1, sizeof *t->lines);
    if (t->lines == NULL) {
        fprintf(stderr, "histogram: out of memory for the table\n");
        return false;
    }
    for (jint i = 0; i <= c->class_count; i++) {
        if (c->counts[i].instances == 0) continue;
        jclass klass = i == 0 ? NULL : c->classes[i - 1];
        char *name = i == 0 ? strdup("(classes loaded during the walk)") : name_of(c, klass);
        if (name == NULL) return false;
        if (o->has_filter && regexec(&o->filter, name, 0, NULL, 0) != 0) {
            free(name);
            continue;
        }
        t->lines[t->count++] = (struct line){name, NULL, klass, c->counts[i].instances, c->counts[i].bytes};
    }
    return true;
}

static bool tell_loaders_apart(struct table *t, struct census *c) {
    qsort(t->lines, t->count, sizeof *t->lines, by_name);
    for (size_t i = 0; i < t->count; i++) {
        bool twin = (i > 0 && by_name(&t->lines[i - 1], &t->lines[i]) == 0) ||
                    (i + 1 < t->count && by_name(&t->lines[i], &t->lines[i + 1]) == 0);
        if (twin && t->lines[i].klass != NULL && (t->lines[i].loader = loader_of(c, t->lines[i].klass)) == NULL)
            return false;
    }
    return true;
}

static void print(FILE *out, const struct table *t, const struct options *o) {
    uint64_t instances = 0, bytes = 0;
    for (size_t i = 0; i < t->count; i++) instances += t->lines[i].instances, bytes += t->lines[i].bytes;
    fprintf(out, "%5s  %12s  %13s  %10s\n", "num", "#instances", "#bytes", "class name");
    fprintf(out, "----------------------------------------------\n");
    size_t rows = o->top > 0 && (size_t)o->top < t->count ? (size_t)o->top : t->count;
    for (size_t i = 0; i < rows; i++) {
        const struct line *l = &t->lines[i];
        fprintf(out, "%5zu  %12" PRIu64 "  %13" PRIu64 "  %s", i + 1, l->instances, l->bytes, l->name);
        if (l->loader != NULL) fprintf(out, " (loader %s)", l->loader);
        fprintf(out, "\n");
    }
    fprintf(out, "%5s  %12" PRIu64 "  %13" PRIu64 "\n", "Total", instances, bytes);
}

/* ---- public ----------------------------------------------------------------------------------------------------- */

char *report_text(struct census *c, const struct options *o) {
    struct table t = {0};
    char *text = NULL;
    size_t size = 0;
    if (fill(&t, c, o) && tell_loaders_apart(&t, c)) {
        qsort(t.lines, t.count, sizeof *t.lines, by_bytes);
        FILE *out = open_memstream(&text, &size);
        bool ok = out != NULL;
        if (ok) {
            print(out, &t, o);
            ok = !ferror(out);
            ok = fclose(out) == 0 && ok;
        }
        if (!ok) {
            fprintf(stderr, "histogram: out of memory for the report\n");
            free(text);
            text = NULL;
        }
    }
    for (size_t i = 0; i < t.count; i++) {
        free(t.lines[i].name);
        free(t.lines[i].loader);
    }
    free(t.lines);
    return text;
}
