/* npe_message.c — the helpful text of a NullPointerException: which action failed, and where the null came from (JEP
 * 358). */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "exec/exec.h"

/* The operand stack is simulated over the original bytecode: for each slot the instruction that pushed the value. The
 * walk is deliberately no full fixpoint: it visits the code front to back, again and again while positions are unknown,
 * and stops as soon as the wanted one has a stack. That order decides what the text says behind loops, and must be the
 * reference VM's. */

enum {
    MAX_DETAIL = 5, /* how many dereferences the description of the null value follows */
    MAX_ENTRIES = 1000000, /* simulated slots altogether: a bound on the work for huge methods */
    NO_BCI = 0x1ffff /* the slot has several sources, or one that is unknown                       */
};

/* Where a slot's value came from, and the kind of the value ('\0': mixed). */
struct source {
    uint32_t bci;
    char kind;
};

/* The operand stack before an instruction. */
struct simulated {
    uint64_t written;    /* locals 0..63 that were assigned since entry */
    uint32_t size;
    struct source slots[];
};

struct analysis {
    const struct classfile *cf;
    const struct cf_member *member;
    const struct cf_code *code;
    struct arena *arena;
    struct simulated **stacks;    /* by bci; NULL: not reached */
    struct simulated *work;    /* the instruction's own copy */
    uint32_t entries;
    bool added, complete;
    bool failed;    /* no memory, or code that makes no sense */
};

/* ---- simulation -------------------------------------------------------------------------------------------------- */

static void push_slot(struct analysis *a, struct source s) {
    if (a->work->size < a->code->max_stack) a->work->slots[a->work->size++] = s;
    else a->failed = true;
}

static void push(struct analysis *a, uint32_t bci, char kind) {
    for (int n = desc_kind_slots(kind); n > 0; n--) push_slot(a, (struct source){bci, kind == '[' ? 'L' : kind});
}

static void pop(struct analysis *a, uint32_t n) {
    if (a->work->size < n) {
        a->failed = true;
        n = a->work->size;
    }
    a->work->size -= n;
}

/* Slot `depth` below the top, 0 being the top. */
static struct source peek(const struct analysis *a, const struct simulated *s, uint32_t depth) {
    (void)a;
    return depth < s->size ? s->slots[s->size - 1 - depth] : (struct source){NO_BCI, '\0'};
}

static void written(struct analysis *a, uint32_t local, uint32_t slots) {
    for (; slots > 0; slots--, local++)
        if (local < 64) a->work->written |= (uint64_t)1 << local;
}

static bool was_written(const struct simulated *s, uint32_t local) { return local >= 64 || (s->written >> local & 1); }

static struct source merge_slot(struct source a, struct source b) {
    struct source s = {a.bci == b.bci ? a.bci : NO_BCI, a.kind};
    if (a.kind != b.kind) s = (struct source){NO_BCI, '\0'};
    return s;
}

static struct simulated *new_stack(struct analysis *a) {
    struct simulated *s = arena_alloc(a->arena, sizeof *s + a->code->max_stack * sizeof(struct source));
    if (s == NULL) a->failed = true;
    return s;
}

/* Brings the working stack to `bci`. What was known there is merged into the working stack too, and so reaches later
 * targets. */
static void flow_to(struct analysis *a, int64_t bci) {
    if (bci < 0 || bci >= a->code->code_length || a->failed) {
        a->failed |= bci < 0 || bci > a->code->code_length;
        return;
    }
    struct simulated *work = a->work, *known = a->stacks[bci];
    if (known == NULL) {
        known = a->stacks[bci] = new_stack(a);
        if (known == NULL) return;
        a->added = true;
        a->entries += work->size;
    } else {
        if (known->size != work->size) {
            a->failed = true;
            return;
        }
        for (uint32_t i = 0; i < work->size; i++) work->slots[i] = merge_slot(work->slots[i], known->slots[i]);
        work->written |= known->written;
    }
    memcpy(known, work, sizeof *work + work->size * sizeof(struct source));
}

static char constant_kind(const struct classfile *cf, uint16_t index) {
    switch (cp_tag(cf, index)) {
    case CP_Integer: return 'I';
    case CP_Float: return 'F';
    case CP_Long: return 'J';
    case CP_Double: return 'D';
    case CP_Dynamic: {
        struct span desc = cp_utf8(cf, cp_nat_desc_index(cf, cp_ref_nat_index(cf, index)));
        return (char)desc.data[0];
    }
    default: return 'L';
    }
}

static struct span ref_desc(const struct classfile *cf, uint16_t index) {
    return cp_utf8(cf, cp_nat_desc_index(cf, cp_ref_nat_index(cf, index)));
}

static uint32_t invoke_arg_slots(const struct classfile *cf, const uint8_t *p) {
    struct span desc = ref_desc(cf, op_u2(p + 1));
    int n = desc_arg_slots((const char *)desc.data, desc.size);
    return (uint32_t)(n < 0 ? 0 : n) + (*p != OP_invokestatic && *p != OP_invokedynamic);
}

/* dup, dup_x1 ... : copies the top `count` slots below `under` further ones. */
static void duplicate(struct analysis *a, uint32_t count, uint32_t under) {
    struct source moved[4];
    uint32_t n = count + under;
    if (a->work->size < n) {
        a->failed = true;
        return;
    }
    memcpy(moved, &a->work->slots[a->work->size - n], n * sizeof *moved);
    a->work->size -= n;
    for (uint32_t i = 0; i < count; i++) push_slot(a, moved[under + i]);
    for (uint32_t i = 0; i < n; i++) push_slot(a, moved[i]);
}

/* Pops and pushes as the table of opcodes says; `pushes` all come from `bci`. */
static void by_table(struct analysis *a, uint32_t bci, uint8_t op) {
    const char *pops = opcode_pops[op], *pushes = opcode_pushes[op];
    for (; *pops; pops++) pop(a, *pops == 'J' || *pops == 'D' ? 2 : 1);
    for (; *pushes; pushes++) push(a, bci, *pushes == 'A' ? 'L' : *pushes);
}

/* Simulates the instruction at bci, if it is known what is on the stack there. Returns its length; when the position is
 * unknown the length of the whole code, which ends the pass. */
static uint32_t simulate(struct analysis *a, uint32_t bci) {
    const struct classfile *cf = a->cf;
    const uint8_t *code = a->code->code, *p = code + bci;
    uint32_t length = opcode_length(code, bci, a->code->code_length);
    if (length == 0) {
        a->failed = true;
        return a->code->code_length;
    }
    if (a->stacks[bci] == NULL) {
        a->complete = false;
        return length;
    }
    memcpy(a->work, a->stacks[bci], sizeof *a->work + a->stacks[bci]->size * sizeof(struct source));
    uint8_t op = *p;
    bool wide = op == OP_wide, ended = false;
    if (wide) op = p[1];
    uint32_t local = wide ? op_u2(p + 2) : length > 1 ? p[1] : 0;
    int64_t target = -1;
    switch (op) {
    case OP_ldc: push(a, bci, constant_kind(cf, p[1])); break;
    case OP_ldc_w:
    case OP_ldc2_w: push(a, bci, constant_kind(cf, op_u2(p + 1))); break;
    case OP_istore:
    case OP_fstore:
    case OP_astore:
        written(a, local, 1);
        pop(a, 1);
        break;
    case OP_lstore:
    case OP_dstore:
        written(a, local, 2);
        pop(a, 2);
        break;
    case OP_istore_0: case OP_istore_1: case OP_istore_2: case OP_istore_3:
    case OP_fstore_0: case OP_fstore_1: case OP_fstore_2: case OP_fstore_3:
    case OP_astore_0: case OP_astore_1: case OP_astore_2: case OP_astore_3:
        written(a, (op - OP_istore_0) & 3, 1);
        pop(a, 1);
        break;
    case OP_lstore_0: case OP_lstore_1: case OP_lstore_2: case OP_lstore_3:
    case OP_dstore_0: case OP_dstore_1: case OP_dstore_2: case OP_dstore_3:
        written(a, (op - OP_lstore_0) & 3, 2);
        pop(a, 2);
        break;
    case OP_iinc: break;    /* leaves a parameter a parameter */
    case OP_dup: duplicate(a, 1, 0); break;
    case OP_dup_x1: duplicate(a, 1, 1); break;
    case OP_dup_x2: duplicate(a, 1, 2); break;
    case OP_dup2: duplicate(a, 2, 0); break;
    case OP_dup2_x1: duplicate(a, 2, 1); break;
    case OP_dup2_x2: duplicate(a, 2, 2); break;
    case OP_swap: {
        struct source top = peek(a, a->work, 0), below = peek(a, a->work, 1);
        pop(a, 2);
        push_slot(a, top);
        push_slot(a, below);
        break;
    }
    case OP_goto:
        target = (int64_t)bci + op_s2(p + 1);
        ended = true;
        break;
    case OP_goto_w:
        target = (int64_t)bci + op_s4(p + 1);
        ended = true;
        break;
    case OP_jsr:
    case OP_jsr_w:
        push(a, bci, 'L');
        target = (int64_t)bci + (op == OP_jsr ? op_s2(p + 1) : op_s4(p + 1));
        ended = true;
        break;
    case OP_tableswitch:
    case OP_lookupswitch: {
        struct op_switch s = op_switch_decode(code, bci);
        pop(a, 1);
        flow_to(a, (int64_t)bci + s.default_offset);
        for (uint32_t k = 0; k < s.count; k++)
            flow_to(a, (int64_t)bci + op_switch_offset(&s, op == OP_lookupswitch, k));
        ended = true;
        break;
    }
    case OP_ret: /* locals are not followed: where it goes back to stays unknown                */
    case OP_ireturn: case OP_lreturn: case OP_freturn: case OP_dreturn: case OP_areturn: case OP_return:
    case OP_athrow: ended = true; break;
    case OP_getstatic: push(a, bci, (char)ref_desc(cf, op_u2(p + 1)).data[0]); break;
    case OP_putstatic: pop(a, (uint32_t)desc_kind_slots((char)ref_desc(cf, op_u2(p + 1)).data[0])); break;
    case OP_getfield:
        pop(a, 1);
        push(a, bci, (char)ref_desc(cf, op_u2(p + 1)).data[0]);
        break;
    case OP_putfield: pop(a, (uint32_t)desc_kind_slots((char)ref_desc(cf, op_u2(p + 1)).data[0]) + 1); break;
    case OP_invokevirtual:
    case OP_invokespecial:
    case OP_invokestatic:
    case OP_invokeinterface:
    case OP_invokedynamic: {
        struct span desc = ref_desc(cf, op_u2(p + 1));
        pop(a, invoke_arg_slots(cf, p));
        push(a, bci, desc_return((const char *)desc.data, desc.size).kind);
        break;
    }
    case OP_checkcast: break;    /* the value keeps its source */
    case OP_multianewarray:
        pop(a, p[3]);
        push(a, bci, 'L');
        break;
    default:
        by_table(a, bci, op);
        if (opcode_formats[op] != NULL && strcmp(opcode_formats[op], "boo") == 0) target = (int64_t)bci + op_s2(p + 1);
        break;
    }
    if (!ended) flow_to(a, (int64_t)bci + length);
    if (target >= 0) flow_to(a, target);
    return length;
}

static void analyse(struct analysis *a, uint32_t wanted) {
    uint32_t length = a->code->code_length;
    a->stacks[0] = new_stack(a);
    if (a->stacks[0] == NULL) return;
    for (uint16_t i = 0; i < a->code->handler_count; i++) {
        uint16_t pc = cf_handler_at(a->code, i).handler_pc;
        if (a->stacks[pc] != NULL || (a->stacks[pc] = new_stack(a)) == NULL) continue;
        if (a->code->max_stack == 0) {
            a->failed = true;
            return;
        }
        a->stacks[pc]->size = 1;
        a->stacks[pc]->slots[0] = (struct source){pc, 'L'};
    }
    a->added = true;
    while (!a->complete && a->added) {
        a->complete = true;
        a->added = false;
        for (uint32_t i = 0; i < length;) {
            if (a->failed) return;
            i += simulate(a, i);
            if (i == wanted && a->stacks[i] != NULL) {
                a->complete = true;
                break;
            }
            if (a->entries > MAX_ENTRIES) return;
        }
    }
}

/* ---- the text ---------------------------------------------------------------------------------------------------- */

static void put_dotted(FILE *out, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) fputc(name[i] == '/' ? '.' : name[i], out);
}

/* Length of the package that the text leaves out: java/lang/ before Object and String, and, in parameter lists
 * (`list`), before every name that begins like these. */
static size_t left_out(const char *name, size_t length, bool list) {
    enum { PACKAGE = 10, CLASS = 6 };
    if (length < PACKAGE + CLASS || (!list && length != PACKAGE + CLASS) || memcmp(name, "java/lang/", PACKAGE) != 0)
        return 0;
    return memcmp(name + PACKAGE, "Object", CLASS) == 0 || memcmp(name + PACKAGE, "String", CLASS) == 0 ? PACKAGE : 0;
}

/* A type of a parameter list. */
static void put_type(FILE *out, struct desc_type t) {
    static const char letters[] = "BCDFIJSZ";
    static const char *const names[] = {"byte", "char", "double", "float", "int", "long", "short", "boolean"};
    size_t dimensions = 0;
    while (dimensions < t.len && t.text[dimensions] == '[') dimensions++;
    const char *element = t.text + dimensions, *letter = strchr(letters, *element);
    if (letter != NULL) fputs(names[letter - letters], out);
    else {
        size_t length = t.len - dimensions - 2, skip = left_out(element + 1, length, true);
        put_dotted(out, element + 1 + skip, length - skip);
    }
    for (; dimensions > 0; dimensions--) fputs("[]", out);
}

/* The class that a member reference names. */
static void put_holder(FILE *out, const struct classfile *cf, uint16_t index) {
    struct span name = cp_utf8(cf, cp_utf8_index(cf, cp_ref_class_index(cf, index)));
    const char *text = (const char *)name.data;
    size_t length = name.size;
    if (cp_ref_class_index(cf, index) == cf->this_class) { /* hidden classes have another name than their file says */
        text = cf->name->bytes;
        length = cf->name->length;
    }
    size_t skip = left_out(text, length, false);
    put_dotted(out, text + skip, length - skip);
}

static void put_member_name(FILE *out, const struct classfile *cf, uint16_t index) {
    struct span name = cp_utf8(cf, cp_nat_name_index(cf, cp_ref_nat_index(cf, index)));
    fprintf(out, "%.*s", (int)name.size, (const char *)name.data);
}

static void put_method(FILE *out, const struct classfile *cf, uint16_t index) {
    struct span desc = ref_desc(cf, index);
    put_holder(out, cf, index);
    fputc('.', out);
    put_member_name(out, cf, index);
    fputc('(', out);
    bool first = true;
    struct desc_type t;
    for (struct desc_iter it = desc_begin((const char *)desc.data, desc.size); desc_next(&it, &t); first = false) {
        if (!first) fputs(", ", out);
        put_type(out, t);
    }
    fputc(')', out);
}

/* The name of a local variable: from the LocalVariableTable if it is there, otherwise by what the slot was at entry. */
static bool put_declared_local(FILE *out, const struct analysis *a, uint32_t bci, uint32_t slot) {
    uint32_t n = cf_local_variable_count(a->cf, a->code);
    if (n == 0) return false;
    struct cf_local_variable *rows = arena_alloc(a->arena, n * sizeof *rows);
    if (rows == NULL) return false;
    cf_local_variables(a->cf, a->code, rows);
    for (uint32_t i = 0; i < n; i++) {
        if (rows[i].slot != slot || bci < rows[i].start_pc || bci >= (uint32_t)rows[i].start_pc + rows[i].length)
            continue;
        struct span name = cp_utf8(a->cf, rows[i].name_index);
        fprintf(out, "%.*s", (int)name.size, (const char *)name.data);
        return true;
    }
    return false;
}

static void put_local(FILE *out, const struct analysis *a, uint32_t bci, uint32_t slot, bool unwritten) {
    if (put_declared_local(out, a, bci, slot)) return;
    bool is_static = (a->member->access_flags & ACC_STATIC) != 0;
    if (unwritten && !is_static && slot == 0) {
        fputs("this", out);
        return;
    }
    uint32_t at = is_static ? 0 : 1, parameter = 1;
    const struct symbol *desc = cf_member_desc(a->cf, a->member);
    struct desc_type t;
    for (struct desc_iter it = desc_begin(desc->bytes, desc->length); unwritten && desc_next(&it, &t); parameter++) {
        uint32_t slots = (uint32_t)desc_kind_slots(t.kind);
        if (slot >= at && slot < at + slots) {
            fprintf(out, "<parameter%u>", parameter);
            return;
        }
        at += slots;
    }
    fprintf(out, "<local%u>", slot);
}

/* Describes the value in slot `depth` before `bci`. `detail` dereferences may still be shown; `inner`: part of an index
 * expression; `prefix` goes first when this is the value itself. False: nothing is known about it; the prefix may stand
 * there all the same, as in the reference VM, when its source is an instruction that has no description. */
static bool put_cause(FILE *out, const struct analysis *a, uint32_t bci, uint32_t depth, int detail, bool inner,
                      const char *prefix) {
    const struct simulated *s = a->stacks[bci];
    if (detail <= 0 || s == NULL) return false;
    struct source source = peek(a, s, depth);
    if (source.bci == NO_BCI) return false;
    const uint8_t *p = a->code->code + source.bci;
    uint8_t op = *p;
    bool wide = op == OP_wide;
    if (wide) op = p[1];
    uint32_t local = wide ? op_u2(p + 2) : op == OP_iload || op == OP_aload ? p[1] : 0;
    bool invoke = op == OP_invokevirtual || op == OP_invokespecial || op == OP_invokestatic || op == OP_invokeinterface;
    if (prefix != NULL && !invoke) fputs(prefix, out);
    switch (op) {
    case OP_iload_0: case OP_iload_1: case OP_iload_2: case OP_iload_3:
    case OP_aload_0: case OP_aload_1: case OP_aload_2: case OP_aload_3:
        local = (op - OP_iload_0) & 3;
        /* fall through */
    case OP_iload:
    case OP_aload: put_local(out, a, source.bci, local, !was_written(s, local)); return true;
    case OP_iconst_m1:
    case OP_iconst_0:
    case OP_iconst_1:
    case OP_iconst_2:
    case OP_iconst_3:
    case OP_iconst_4:
    case OP_iconst_5: fprintf(out, "%d", op - OP_iconst_0); return true;
    case OP_bipush: fprintf(out, "%d", (int8_t)p[1]); return true;
    case OP_sipush: fprintf(out, "%d", op_s2(p + 1)); return true;
    case OP_aconst_null: fputs("null", out); return true;
    case OP_getstatic:
        put_holder(out, a->cf, op_u2(p + 1));
        fputc('.', out);
        put_member_name(out, a->cf, op_u2(p + 1));
        return true;
    case OP_getfield:
        if (put_cause(out, a, source.bci, 0, detail - 1, inner, NULL)) fputc('.', out);
        put_member_name(out, a->cf, op_u2(p + 1));
        return true;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface:
        if (detail == MAX_DETAIL && !inner) fputs(" because the return value of \"", out);
        put_method(out, a->cf, op_u2(p + 1));
        return true;
    case OP_iaload:
    case OP_aaload:
        if (!put_cause(out, a, source.bci, 1, detail - 1, inner, NULL)) fputs("<array>", out);
        fputc('[', out);
        if (!put_cause(out, a, source.bci, 0, detail, true, NULL)) fputs("...", out);
        fputc(']', out);
        return true;
    default: return false;
    }
}

static void put_action(FILE *out, const struct classfile *cf, const uint8_t *p) {
    static const char *const arrays[] = {"int", "long", "float", "double", "object", "byte/boolean", "char", "short"};
    switch (*p) {
    case OP_iaload:
    case OP_laload:
    case OP_faload:
    case OP_daload:
    case OP_aaload:
    case OP_baload:
    case OP_caload:
    case OP_saload: fprintf(out, "Cannot load from %s array", arrays[*p - OP_iaload]); break;
    case OP_iastore:
    case OP_lastore:
    case OP_fastore:
    case OP_dastore:
    case OP_aastore:
    case OP_bastore:
    case OP_castore:
    case OP_sastore: fprintf(out, "Cannot store to %s array", arrays[*p - OP_iastore]); break;
    case OP_arraylength: fputs("Cannot read the array length", out); break;
    case OP_athrow: fputs("Cannot throw exception", out); break;
    case OP_monitorenter: fputs("Cannot enter synchronized block", out); break;
    case OP_monitorexit: fputs("Cannot exit synchronized block", out); break;
    case OP_getfield:
    case OP_putfield:
        fputs(*p == OP_getfield ? "Cannot read field \"" : "Cannot assign field \"", out);
        put_member_name(out, cf, op_u2(p + 1));
        fputc('"', out);
        break;
    default:
        fputs("Cannot invoke \"", out);
        put_method(out, cf, op_u2(p + 1));
        fputc('"', out);
        break;
    }
}

/* The slot, counted from the top, whose being null makes the instruction throw; -1: it throws none, or only an explicit
 * one. */
static int32_t null_slot(const struct classfile *cf, const uint8_t *p) {
    switch (*p) {
    case OP_arraylength: case OP_athrow: case OP_monitorenter: case OP_monitorexit: case OP_getfield: return 0;
    case OP_iaload:
    case OP_laload:
    case OP_faload:
    case OP_daload:
    case OP_aaload:
    case OP_baload:
    case OP_caload:
    case OP_saload: return 1;
    case OP_iastore: case OP_fastore: case OP_aastore: case OP_bastore: case OP_castore: case OP_sastore: return 2;
    case OP_lastore: case OP_dastore: return 3;
    case OP_putfield: return desc_kind_slots((char)ref_desc(cf, op_u2(p + 1)).data[0]);
    case OP_invokespecial:
    case OP_invokevirtual:
    case OP_invokeinterface: {
        /* A constructor runs on a fresh object: the exception was made by `new NullPointerException()` itself. */
        struct span name = cp_utf8(cf, cp_nat_name_index(cf, cp_ref_nat_index(cf, op_u2(p + 1))));
        if (name.size == 6 && memcmp(name.data, "<init>", 6) == 0) return -1;
        return (int32_t)invoke_arg_slots(cf, p) - 1;
    }
    default: return -1;
    }
}

/* The classes whose native method Constructor.newInstance ends in: an exception "thrown" there was passed up by
 * the VM. */
static bool is_reflection(const struct classfile *cf) {
    return symbol_equals(cf->name, "jdk/internal/reflect/NativeConstructorAccessorImpl") ||
           symbol_equals(cf->name, "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor");
}

char *npe_message(struct method_code *code, int32_t bci) {
    struct analysis a = {.cf = code_cf(code), .member = code->member, .code = code_source(code)};
    if (a.code == NULL || bci < 0 || (uint32_t)bci >= a.code->code_length || is_reflection(a.cf)) return NULL;
    const uint8_t *p = a.code->code + bci;
    int32_t slot = null_slot(a.cf, p);
    if (slot < 0) return NULL;
    a.arena = arena_new("NullPointerException message");
    if (a.arena == NULL) return NULL;
    char *text = NULL, *result = NULL;
    size_t length;
    a.stacks = arena_alloc(a.arena, (a.code->code_length + 1) * sizeof *a.stacks);
    a.work = new_stack(&a);
    FILE *out = a.stacks && a.work ? open_memstream(&text, &length) : NULL;
    if (out != NULL) {
        analyse(&a, (uint32_t)bci);
        put_action(out, a.cf, p);
        if (put_cause(out, &a, (uint32_t)bci, (uint32_t)slot, MAX_DETAIL, false, " because \""))
            fputs("\" is null", out);
        if (fclose(out) == 0) result = mem_strdup(text);
        free(text);
    }
    arena_free(a.arena);
    return result;
}
