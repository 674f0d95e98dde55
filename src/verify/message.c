/* Refusals: the message and HotSpot's "Exception Details". */
#include <stdio.h>

#include "classfile/descriptor.h"
#include "verify/verify_internal.h"

/* ---- origins and reasons --------------------------------------------------------------------------------------- */

static struct origin with_frame(enum origin_kind kind, const struct vframe *f, int32_t index, struct vtype t) {
    return (struct origin){ kind, index, true, *f, t };
}
struct origin origin_local(const struct vframe *f, int32_t index) {
    return with_frame(ORIGIN_LOCAL, f, index, f->locals[index]);
}
struct origin origin_stack(const struct vframe *f, int32_t index) {
    return with_frame(ORIGIN_STACK, f, index, f->stack[index]);
}
struct origin origin_map_local(const struct vframe *f, int32_t index) {
    return with_frame(ORIGIN_MAP_LOCAL, f, index, f->locals[index]);
}
struct origin origin_map_stack(const struct vframe *f, int32_t index) {
    return with_frame(ORIGIN_MAP_STACK, f, index, f->stack[index]);
}
struct origin origin_cp(uint16_t index, struct vtype t) {
    return (struct origin){ .kind = ORIGIN_CP, .index = index, .type = t };
}
struct origin origin_type(enum origin_kind kind, struct vtype t) {
    return (struct origin){ .kind = kind, .type = t };
}

struct reason reason_code(int32_t bci) {
    return (struct reason){ .fault = FAULT_BYTECODE, .bci = bci };
}
struct reason reason_type(int32_t bci, struct origin type) {
    return (struct reason){ .fault = FAULT_TYPE, .bci = bci, .type = type };
}
struct reason reason_types(int32_t bci, struct origin type, struct origin expected) {
    return (struct reason){ .fault = FAULT_TYPE, .bci = bci, .type = type, .expected = expected };
}
struct reason reason_index(enum fault fault, int32_t bci, int32_t index) {
    return (struct reason){ .fault = fault, .bci = bci, .type = { .kind = ORIGIN_INDEX, .index = index } };
}
struct reason reason_frame(enum fault fault, int32_t bci, const struct vframe *frame) {
    return (struct reason){ .fault = fault, .bci = bci, .type = with_frame(ORIGIN_FRAME, frame, 0, VTYPE(TOP)) };
}
struct reason reason_frames(enum fault fault, int32_t bci, const struct vframe *frame, const struct vframe *map) {
    struct reason r = reason_frame(fault, bci, frame);
    r.expected = with_frame(ORIGIN_FRAME, map, 0, VTYPE(TOP));
    return r;
}

/* ---- refusing -------------------------------------------------------------------------------------------------- */

bool no_memory(struct verifier *v) {
    v->status = VERIFY_NO_MEMORY;
    return false;
}

static void set_message(struct verifier *v, const char *exception, char *message) {
    mem_free(v->result->message);
    v->result->message = message;
    v->result->exception = exception;
    v->status = message != NULL ? VERIFY_REJECTED : VERIFY_NO_MEMORY;
}

bool reject(struct verifier *v, struct reason reason, const char *fmt, ...) {
    if (v->status != VERIFY_PASSED && v->status != VERIFY_REJECTED) return false;
    va_list args;
    va_start(args, fmt);
    char *message = mem_vprintf(fmt, args);
    va_end(args);
    /* show the stack as it was before the instruction popped its operands */
    if (reason.type.has_frame && reason.type.frame.stack_mark != -1)
        reason.type.frame.stack_size = reason.type.frame.stack_mark;
    if (reason.expected.has_frame && reason.expected.frame.stack_mark != -1)
        reason.expected.frame.stack_size = reason.expected.frame.stack_mark;
    v->reason = reason;
    set_message(v, "java/lang/VerifyError", message);
    return false;
}

bool reject_stackmap_format(struct verifier *v, const char *what) {
    v->reason = (struct reason){ 0 };
    set_message(v, "java/lang/ClassFormatError", mem_printf("StackMapTable format error: %s", what));
    v->result->is_final = true;
    return false;
}

const char *external_name(struct verifier *v, const struct symbol *name) {
    char *text = arena_strndup(v->arena, name->bytes, name->length);
    if (text == NULL) return name->bytes;
    for (char *p = text; *p; p++)
        if (*p == '/') *p = '.';
    return text;
}

/* ---- text under construction ----------------------------------------------------------------------------------- */

static void print_type_name(FILE *out, struct desc_type t) {
    size_t dims = 0;
    while (dims < t.len && t.text[dims] == '[') dims++;
    const char *base = NULL;
    switch (t.text[dims]) {
    case 'B': base = "byte"; break;
    case 'C': base = "char"; break;
    case 'D': base = "double"; break;
    case 'F': base = "float"; break;
    case 'I': base = "int"; break;
    case 'J': base = "long"; break;
    case 'S': base = "short"; break;
    case 'Z': base = "boolean"; break;
    case 'V': base = "void"; break;
    default: break;
    }
    if (base != NULL) fputs(base, out);
    else
        for (size_t i = dims + 1; i + 1 < t.len; i++) fputc(t.text[i] == '/' ? '.' : t.text[i], out);
    for (; dims > 0; dims--) fputs("[]", out);
}

/* "void Foo.main(java.lang.String[])" */
static void print_external_method(FILE *out, struct verifier *v) {
    const struct symbol *desc = cf_member_desc(v->cf, v->method);
    print_type_name(out, desc_return(desc->bytes, desc->length));
    fprintf(out, " %s.%s(", external_name(v, v->this_name), cf_member_name(v->cf, v->method)->bytes);
    struct desc_type t;
    const char *separator = "";
    for (struct desc_iter it = desc_begin(desc->bytes, desc->length); desc_next(&it, &t); separator = ", ") {
        fputs(separator, out);
        print_type_name(out, t);
    }
    fputc(')', out);
}

bool reject_format(struct verifier *v, const char *fmt, ...) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return no_memory(v);
    va_list args;
    va_start(args, fmt);
    vfprintf(out, fmt, args);
    va_end(args);
    fputs(" in method '", out);
    print_external_method(out, v);
    fputs("'", out);
    if (fclose(out) != 0) return no_memory(v);
    v->reason = (struct reason){ 0 };
    set_message(v, "java/lang/ClassFormatError", text);
    return false;
}

static void print_vtype(FILE *out, struct vtype t) {
    static const char *const names[] = {
        [KIND_TOP] = "top",
        [KIND_BOOLEAN] = "boolean",
        [KIND_BYTE] = "byte",
        [KIND_SHORT] = "short",
        [KIND_CHAR] = "char",
        [KIND_INTEGER] = "integer",
        [KIND_FLOAT] = "float",
        [KIND_LONG] = "long",
        [KIND_DOUBLE] = "double",
        [KIND_LONG_2ND] = "long_2nd",
        [KIND_DOUBLE_2ND] = "double_2nd",
        [KIND_ANY_REFERENCE] = "reference type",
        [KIND_ANY_CATEGORY1] = "category1 type",
        [KIND_ANY_CATEGORY2] = "category2 type",
    };
    if (vtype_is_null(t)) fputs("null", out);
    else if (vtype_is_reference(t)) fprintf(out, "'%s'", vtype_name(t)->bytes);
    else if (vtype_is_uninitialized(t) && vtype_bci(t) == THIS_BCI) fputs("uninitializedThis", out);
    else if (vtype_is_uninitialized(t)) fprintf(out, "uninitialized %d", vtype_bci(t));
    else fputs(names[t.bits >> 8], out);
}

static void print_origin(FILE *out, const struct origin *o) {
    print_vtype(out, o->type);
    switch (o->kind) {
    case ORIGIN_LOCAL: fprintf(out, " (current frame, locals[%d])", o->index); break;
    case ORIGIN_STACK: fprintf(out, " (current frame, stack[%d])", o->index); break;
    case ORIGIN_MAP_LOCAL: fprintf(out, " (stack map, locals[%d])", o->index); break;
    case ORIGIN_MAP_STACK: fprintf(out, " (stack map, stack[%d])", o->index); break;
    case ORIGIN_CP: fprintf(out, " (constant pool %d)", o->index); break;
    case ORIGIN_SIGNATURE: fputs(" (from method signature)", out); break;
    default: break;
    }
}

/* ---- the blocks of the details --------------------------------------------------------------------------------- */

static void print_location(FILE *out, struct verifier *v) {
    const struct cf_code *code = v->code;
    int32_t bci = v->reason.bci;
    const char *name = "<invalid>";
    if (bci == 0 || (bci > 0 && (uint32_t)bci < code->code_length)) {
        name = opcode_names[code->code[bci]];
        if (name == NULL) name = "<illegal>";
    }
    fprintf(out, "  Location:\n    %s.%s%s @%d: %s\n", v->this_name->bytes, cf_member_name(v->cf, v->method)->bytes,
            cf_member_desc(v->cf, v->method)->bytes, bci, name);
}

static void print_reason(FILE *out, const struct reason *r) {
    fputs("  Reason:\n    ", out);
    switch (r->fault) {
    case FAULT_BYTECODE: fputs("Error exists in the bytecode", out); break;
    case FAULT_TYPE:
        fputs(r->expected.kind != ORIGIN_NONE ? "Type " : "Invalid type: ", out);
        print_origin(out, &r->type);
        if (r->expected.kind != ORIGIN_NONE) {
            fputs(" is not assignable to ", out);
            print_origin(out, &r->expected);
        }
        break;
    case FAULT_FLAGS:
        fputs(r->expected.kind != ORIGIN_NONE ? "Current frame's flags are not assignable to stack map frame's."
                                              : "Current frame's flags are invalid in this context.",
              out);
        break;
    case FAULT_CP_INDEX: fprintf(out, "Constant pool index %d is invalid", r->type.index); break;
    case FAULT_LOCAL_INDEX: fprintf(out, "Local index %d is invalid", r->type.index); break;
    case FAULT_STACK_SIZE: fputs("Current frame's stack size doesn't match stackmap.", out); break;
    case FAULT_STACK_OVERFLOW: fputs("Exceeded max stack size.", out); break;
    case FAULT_STACK_UNDERFLOW: fputs("Attempt to pop empty stack.", out); break;
    case FAULT_MISSING_STACKMAP: fputs("Expected stackmap frame at this location.", out); break;
    case FAULT_BAD_STACKMAP: fputs("Invalid stackmap specification.", out); break;
    case FAULT_NONE: break;
    }
    fputc('\n', out);
}

static void print_types(FILE *out, const char *label, const struct vtype *types, int32_t count) {
    fprintf(out, "    %s: {", label);
    for (int32_t i = 0; i < count; i++) {
        fputc(' ', out);
        print_vtype(out, types[i]);
        if (i + 1 < count) fputc(',', out);
    }
    fputs(" }\n", out);
}

static void print_frame(FILE *out, const char *title, const struct vframe *f) {
    fprintf(out, "  %s:\n    bci: @%d\n    flags: {%s }\n", title, f->offset,
            f->flags & FLAG_THIS_UNINIT ? " flagThisUninit" : "");
    print_types(out, "locals", f->locals, f->locals_size);
    print_types(out, "stack", f->stack, f->stack_size);
}

static void print_bytecode(FILE *out, const struct cf_code *code) {
    fputs("  Bytecode:\n", out);
    uint32_t limit =
        (code->code_length + 16) / 16 * 16; /* HotSpot's print_data ends with a partly or wholly blank line */
    for (uint32_t i = 0; i < limit; i++) {
        if (i % 16 == 0) fprintf(out, "    %07x:", i);
        if (i % 2 == 0) fputc(' ', out);
        if (i < code->code_length) fprintf(out, "%02x", code->code[i]);
        else fputs("  ", out);
        if (i % 16 == 15) fputc('\n', out);
    }
}

static void print_handlers(FILE *out, const struct cf_code *code) {
    if (code->handler_count == 0) return;
    fputs("  Exception Handler Table:\n", out);
    for (uint16_t k = 0; k < code->handler_count; k++) {
        struct cf_handler h = cf_handler_at(code, k);
        fprintf(out, "    bci [%d, %d] => handler: %d\n", h.start_pc, h.end_pc, h.handler_pc);
    }
}

/* ---- the stack map as it stands in the file -------------------------------------------------------------------- */

/* Prints the type at p; NULL if it runs out of the attribute. Without `out` it only measures. */
static const uint8_t *print_map_type(FILE *out, const uint8_t *p, const uint8_t *end) {
    static const char *const names[] = { "Top", "Integer", "Float", "Double", "Long", "Null", "UninitializedThis" };
    enum { ITEM_Object = 7, ITEM_Uninitialized = 8 };
    if (p >= end) return NULL;
    uint8_t tag = *p++;
    bool operand = tag == ITEM_Object || tag == ITEM_Uninitialized;
    if (operand && end - p < 2) return NULL;
    if (out != NULL) {
        if (tag < ARRAY_LEN(names)) fputs(names[tag], out);
        else if (operand) fprintf(out, "%s[#%d]", tag == ITEM_Object ? "Object" : "Uninitialized", cf_u2(p));
        else fprintf(out, "BAD:%d", tag);
    }
    return p + (operand ? 2 : 0);
}

static const uint8_t *print_map_types(FILE *out, const uint8_t *p, const uint8_t *end, uint32_t count) {
    for (uint32_t i = 0; i < count && p != NULL; i++) {
        p = print_map_type(out, p, end);
        if (out != NULL && i + 1 < count) fputc(',', out);
    }
    return p;
}

static const uint8_t *print_full_frame(FILE *out, const uint8_t *p, const uint8_t *end) {
    if (end - p < 2) return NULL;
    uint32_t count = cf_u2(p);
    p = print_map_types(out, p + 2, end, count);
    if (p == NULL || end - p < 2) return NULL;
    if (out != NULL) fputs("},{", out);
    count = cf_u2(p);
    return print_map_types(out, p + 2, end, count);
}

/* Prints the types of a frame of type `type` whose types stand at p. */
static const uint8_t *print_frame_types(FILE *out, uint8_t type, const uint8_t *p, const uint8_t *end) {
    if ((type >= 64 && type < 128) || type == 247) return print_map_type(out, p, end);
    if (type > 251 && type < 255) return print_map_types(out, p, end, type - 251u);
    return type == 255 ? print_full_frame(out, p, end) : p;
}

/* Prints the frame at p; NULL: it is malformed, and nothing behind it can be read. */
static const uint8_t *print_map_frame(FILE *out, const uint8_t *p, const uint8_t *end, int *offset) {
    if (p >= end) return NULL;
    uint8_t type = *p++;
    const char *name;
    int delta = type % 64 + 1;
    if (type >= 128) {
        if (type < 247 || end - p < 2) return NULL;
        delta = cf_u2(p) + 1;
        p += 2;
        name = type == 247   ? "same_locals_1_stack_item_extended"
               : type < 251  ? "chop_frame"
               : type == 251 ? "same_frame_extended"
               : type < 255  ? "append_frame"
                             : "full_frame";
    } else {
        name = type < 64 ? "same_frame" : "same_locals_1_stack_item_frame";
    }
    *offset += delta;
    fprintf(out, "    %s(@%d", name, *offset);
    if (print_frame_types(NULL, type, p, end) == NULL) {
        fputs("), output truncated, Stackmap exceeds table size.", out);
        return NULL;
    }
    bool types = (type >= 64 && type < 128) || type == 247 || type > 251;
    if (types) fputs(type == 255 ? ",{" : ",", out);
    p = print_frame_types(out, type, p, end);
    if (type > 247 && type < 251) fprintf(out, ",%d", 251 - type);
    fputs(type == 255 ? "})\n" : ")\n", out);
    return p;
}

static void print_stackmap(FILE *out, struct verifier *v) {
    struct span table = cf_attribute(v->cf, v->code->stack_map);
    if (table.size < 2) return;
    fputs("  Stackmap Table:\n", out);
    const uint8_t *p = table.data + 2, *end = table.data + table.size;
    int offset = -1;
    for (uint32_t k = cf_u2(table.data); k > 0 && p != NULL; k--) p = print_map_frame(out, p, end, &offset);
}

void add_details(struct verifier *v) {
    if (v->reason.fault == FAULT_NONE) return;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return;
    fprintf(out, "%s\nException Details:\n", v->result->message);
    print_location(out, v);
    print_reason(out, &v->reason);
    if (v->reason.type.has_frame) print_frame(out, "Current Frame", &v->reason.type.frame);
    if (v->reason.expected.has_frame) print_frame(out, "Stackmap Frame", &v->reason.expected.frame);
    print_bytecode(out, v->code);
    print_handlers(out, v->code);
    print_stackmap(out, v);
    if (fclose(out) == 0) set_message(v, v->result->exception, text);
}
