/* The annotations that mean something to the VM itself. */
#include "classfile/parse_internal.h"

/* Cursor over annotation bytes; reads past the end yield 0 and set `failed`. */
struct annotation_cursor {
    const uint8_t *p, *end;
    bool failed;
};

static uint16_t next_u2(struct annotation_cursor *c) {
    if (c->end - c->p < 2) {
        c->failed = true;
        return 0;
    }
    c->p += 2;
    return cf_u2(c->p - 2);
}

static uint8_t next_u1(struct annotation_cursor *c) {
    if (c->p == c->end) {
        c->failed = true;
        return 0;
    }
    return *c->p++;
}

/* Skips `values` element values. Nested arrays and annotations add to the number of values still to come, so that
 * nothing recurses: an annotation is its pairs, and every pair begins with a name. Names have to be skipped too, which
 * is why the open levels are kept on a small stack; deeper nesting than that ends the search, harmlessly. */
static void skip_values(struct annotation_cursor *c, uint32_t values, bool named) {
    enum { MAX_DEPTH = 64 };
    struct level {
        uint32_t left;
        bool named;
    } stack[MAX_DEPTH] = { { values, named } };
    int depth = 0;
    while (depth >= 0 && !c->failed) {
        struct level *level = &stack[depth];
        if (level->left == 0) {
            depth--;
            continue;
        }
        level->left--;
        if (level->named) next_u2(c);
        struct level inner = { 0, false };
        switch (next_u1(c)) {
        case 'B':
        case 'C':
        case 'D':
        case 'F':
        case 'I':
        case 'J':
        case 'S':
        case 'Z':
        case 's':
        case 'c': next_u2(c); break;
        case 'e':
            next_u2(c);
            next_u2(c);
            break;
        case '[': inner.left = next_u2(c); break;
        case '@':
            next_u2(c);
            inner = (struct level){ next_u2(c), true };
            break;
        default: c->failed = true;
        }
        if (inner.left > 0) {
            if (depth + 1 == MAX_DEPTH) {
                c->failed = true;
                return;
            }
            stack[++depth] = inner;
        }
    }
}

static const struct vm_annotation {
    const char *type;
    uint8_t places; /* bit per enum annotation_place */
    bool privileged;
    uint32_t flag;
} vm_annotations[] = {
#define METHOD (1 << IN_METHOD)
#define FIELD  (1 << IN_FIELD)
#define CLASS  (1 << IN_CLASS)
    { "Ljdk/internal/reflect/CallerSensitive;", METHOD, true, CF_CALLER_SENSITIVE },
    { "Ljdk/internal/vm/annotation/ForceInline;", METHOD, true, CF_FORCE_INLINE },
    { "Ljdk/internal/vm/annotation/DontInline;", METHOD, true, CF_DONT_INLINE },
    { "Ljdk/internal/vm/annotation/Hidden;", METHOD, true, CF_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Hidden;", METHOD, true, CF_HIDDEN },
    { "Ljava/lang/invoke/LambdaForm$Compiled;", METHOD, true, CF_LAMBDA_FORM_COMPILED },
    { "Ljava/lang/invoke/InjectedProfile;", METHOD, true, CF_INJECTED_PROFILE },
    { "Ljdk/internal/misc/ScopedMemoryAccess$Scoped;", METHOD, true, CF_SCOPED },
    { "Ljdk/internal/vm/annotation/IntrinsicCandidate;", METHOD, true, CF_INTRINSIC_CANDIDATE },
    { "Ljdk/internal/vm/annotation/ReservedStackAccess;", METHOD, true, CF_RESERVED_STACK_ACCESS },
    { "Ljdk/internal/vm/annotation/ChangesCurrentThread;", METHOD, true, CF_CHANGES_CURRENT_THREAD },
    { "Ljdk/internal/vm/annotation/JvmtiHideEvents;", METHOD, true, CF_JVMTI_HIDE_EVENTS },
    { "Ljdk/internal/vm/annotation/JvmtiMountTransition;", METHOD, true, CF_JVMTI_MOUNT_TRANSITION },
    { "Ljdk/internal/vm/annotation/Stable;", FIELD, true, CF_STABLE },
    { "Ljdk/internal/vm/annotation/Contended;", FIELD | CLASS, true, CF_CONTENDED },
    { "Ljdk/internal/ValueBased;", CLASS, true, CF_VALUE_BASED },
    { "Ljava/lang/Deprecated;", METHOD | FIELD | CLASS, false, CF_DEPRECATED_ANNOTATION },
};

static uint32_t annotation_flag(const struct classfile *cf, uint16_t type, enum annotation_place place,
                                bool privileged) {
    for (size_t k = 0; k < ARRAY_LEN(vm_annotations); k++) {
        const struct vm_annotation *a = &vm_annotations[k];
        if ((a->places >> place & 1) && (privileged || !a->privileged) && utf8_is(cf, type, a->type)) return a->flag;
    }
    return 0;
}

/* The value of the only element pair of @Contended: a group name. 0: none. */
static uint16_t contended_group_of(const struct classfile *cf, struct annotation_cursor c, uint16_t pairs) {
    if (pairs != 1) return 0;
    uint16_t name = next_u2(&c);
    uint8_t tag = next_u1(&c);
    uint16_t group = next_u2(&c);
    bool named = !c.failed && tag == 's' && cp_tag(cf, name) == CP_Utf8 && utf8_is(cf, name, "value") &&
                 cp_tag(cf, group) == CP_Utf8;
    return named && cp_utf8(cf, group).size > 0 ? group : 0;
}

/* Does @Deprecated say forRemoval = true? */
static bool for_removal(const struct classfile *cf, struct annotation_cursor c, uint16_t pairs) {
    for (; pairs > 0 && !c.failed; pairs--) {
        uint16_t name = next_u2(&c);
        if (cp_tag(cf, name) == CP_Utf8 && utf8_is(cf, name, "forRemoval")) {
            uint8_t tag = next_u1(&c);
            uint16_t value = next_u2(&c);
            return !c.failed && tag == 'Z' && cp_tag(cf, value) == CP_Integer && cp_int(cf, value) == 1;
        }
        skip_values(&c, 1, false);
    }
    return false;
}

void find_vm_annotations(const struct classfile *cf, const uint8_t *p, uint32_t len, enum annotation_place place,
                         bool privileged, uint32_t *vm_flags, uint16_t *contended_group) {
    struct annotation_cursor c = { p, p + len, false };
    for (uint16_t n = next_u2(&c); n > 0 && !c.failed; n--) {
        uint16_t type = next_u2(&c), pairs = next_u2(&c);
        struct annotation_cursor body = c;
        skip_values(&c, pairs, true);
        if (c.failed || cp_tag(cf, type) != CP_Utf8) return;
        uint32_t flag = annotation_flag(cf, type, place, privileged);
        *vm_flags |= flag;
        if (flag == CF_CONTENDED) *contended_group = contended_group_of(cf, body, pairs);
        if (flag == CF_DEPRECATED_ANNOTATION && for_removal(cf, body, pairs)) *vm_flags |= CF_DEPRECATED_FOR_REMOVAL;
    }
}
