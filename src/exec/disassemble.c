/* disassemble.c — a method's code as it stands: the specification's instructions, their quick forms, what cells hold.
 * All of it follows from opcodes.def and quick.def. */
#include "exec/disassemble.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/base.h"
#include "base/options.h"
#include "base/table.h"
#include "exec/exec_internal.h"
#include "link/resolve.h"

enum { NAME_COLUMN = 4, TEXT_MAX = 40 }; /* width of bytecode indices; bytes shown of a string constant */

/* Operands of the running copy: native byte order. */
static uint16_t operand_u2(const uint8_t *p) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}
static int32_t operand_s4(const uint8_t *p) {
    int32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* ---- what constant-pool entries and cells say ------------------------------------------------------------------ */

static const char *text_of(const struct symbol *s) { return s != NULL ? s->bytes : "?"; }

static void print_constant(FILE *out, const struct classfile *cf, uint16_t i) {
    switch (cp_tag(cf, i)) {
    case CP_Integer: fprintf(out, " %d", (int)cp_int(cf, i)); break;
    case CP_Float: fprintf(out, " %g", (double)cp_float(cf, i)); break;
    case CP_Long: fprintf(out, " %" PRId64, cp_long(cf, i)); break;
    case CP_Double: fprintf(out, " %g", cp_double(cf, i)); break;
    case CP_Class: fprintf(out, " <%s>", text_of(cp_class_name(cf, i))); break;
    case CP_String: {
        struct span s = cp_string_utf8(cf, i);
        fprintf(out, " \"%.*s\"%s", (int)MIN(s.size, (size_t)TEXT_MAX), (const char *)s.data,
                s.size > TEXT_MAX ? "..." : "");
        break;
    }
    case CP_Fieldref:
    case CP_Methodref:
    case CP_InterfaceMethodref:
        fprintf(out, " <%s.%s:%s>", text_of(cp_ref_class_name(cf, i)), text_of(cp_ref_name(cf, i)),
                text_of(cp_ref_desc(cf, i)));
        break;
    case CP_Dynamic:
    case CP_InvokeDynamic: fprintf(out, " <%s:%s>", text_of(cp_ref_name(cf, i)), text_of(cp_ref_desc(cf, i))); break;
    case CP_MethodType: fprintf(out, " <%s>", text_of(cp_method_type_desc(cf, i))); break;
    default: break;
    }
}

static void print_method(FILE *out, const struct method *m) {
    fprintf(out, " -> %s.%s%s", m->holder->name->bytes, m->name->bytes, m->desc->bytes);
    if (m->vtable_index >= 0) fprintf(out, " vtable %d", (int)m->vtable_index);
    else if (m->itable_index >= 0) fprintf(out, " itable %d", (int)m->itable_index);
}

static void print_site(FILE *out, const struct call_site *site) {
    const struct call_target *target = atomic_load_explicit(&site->target, memory_order_acquire);
    if (target == NULL) return;
    print_method(out, target->adapter);
    if (target->appendix != NULL) fputs(" appendix", out);
}

/* A cell is stored before the opcode that says what it holds. */
static void print_cell(FILE *out, enum quick_cell kind, uint64_t cell) {
    switch (kind) {
    case CELL_NONE: break;
    case CELL_VALUE: fprintf(out, " -> 0x%" PRIx64, cell); break;
    case CELL_CLASS: fprintf(out, " -> %s", ((struct class *)(uintptr_t)cell)->name->bytes); break;
    case CELL_METHOD: print_method(out, (struct method *)(uintptr_t)cell); break;
    case CELL_CALL_SITE: print_site(out, (struct call_site *)(uintptr_t)cell); break;
    case CELL_FIELD: fprintf(out, " -> offset %u", FIELD_CELL_OFFSET(cell)); break;
    case CELL_ADDRESS: fprintf(out, " -> 0x%" PRIx64, cell); break;
    case CELL_WATCHED_FIELD: {
        const struct field *f = (struct field *)(uintptr_t)cell;
        uint8_t watch = atomic_load_explicit(&((struct field *)f)->watch, memory_order_relaxed);
        fprintf(out, " -> %s.%s%s%s", f->holder->name->bytes, f->name->bytes,
                watch & FIELD_WATCH_ACCESS ? " access" : "", watch & FIELD_WATCH_MODIFICATION ? " modification" : "");
        break;
    }
    }
}

/* ---- instructions ---------------------------------------------------------------------------------------------- */

static void print_switch(FILE *out, const struct cf_code *source, uint32_t bci) {
    struct op_switch s = op_switch_decode(source->code, bci);
    bool lookup = source->code[bci] == OP_lookupswitch;
    fprintf(out, " default %d", (int)bci + s.default_offset);
    for (uint32_t k = 0; k < s.count; k++) {
        int32_t key = lookup ? op_s4(s.table + 8 * (size_t)k) : s.low + (int32_t)k;
        fprintf(out, ", %d: %d", (int)key, (int)bci + op_switch_offset(&s, lookup, k));
    }
}

/* The operands of one instruction by its format; `op` is what runs there, `original` what the class file has. */
static void print_operands(FILE *out, const struct method_code *code, uint32_t bci, uint8_t op, uint8_t original) {
    const struct classfile *cf = code_cf(code);
    const uint8_t *p = code->code + bci + 1;
    const char *format = opcode_formats[original];
    if (original == OP_tableswitch || original == OP_lookupswitch) {
        print_switch(out, code_source(code), bci);
    } else if (original == OP_wide) {
        fprintf(out, " %s #%u", opcode_names[p[0]], operand_u2(p + 1));
        if (p[0] == OP_iinc) fprintf(out, " %d", (int16_t)operand_u2(p + 3));
    } else if (original == OP_iinc) {
        fprintf(out, " #%u %d", p[0], (int8_t)p[1]);
    } else if (original == OP_invokedynamic) {
        const struct call_site *site = &code->owner->call_sites[(uint32_t)operand_s4(p)];
        fprintf(out, " %u", site->cp_index);
        print_constant(out, cf, site->cp_index);
        if (op != original) print_site(out, site);
    } else if (format[1] == 'k') {
        uint16_t index = format[2] == 'k' ? operand_u2(p) : p[0];
        fprintf(out, " %u", index);
        print_constant(out, cf, index);
        print_cell(out, (enum quick_cell)quick_rows[op].cell,
                   atomic_load_explicit(&code->cells[index], memory_order_acquire));
        if (original == OP_multianewarray) fprintf(out, " %u", p[2]);
    } else if (format[1] == 'o') {
        fprintf(out, " %d", (int)bci + (format[3] == 'o' ? operand_s4(p) : (int16_t)operand_u2(p)));
    } else if (format[1] == 'i') {
        fprintf(out, " #%u", p[0]);
    } else if (format[1] == 'x') {
        fprintf(out, " %u", p[0]);
    } else if (format[1] == 'c') {
        fprintf(out, " %d", format[2] == 'c' ? (int16_t)operand_u2(p) : (int8_t)p[0]);
    }
}

static void print_instruction(FILE *out, const struct method_code *code, uint32_t bci) {
    uint8_t stands = *(const _Atomic uint8_t *)(code->code + bci), op = code_opcode(code, code->code + bci);
    fprintf(out, "%*u ", NAME_COLUMN, bci);
    if (stands == OP_breakpoint && op != stands) fputs("breakpoint ", out);
    fputs(quick_name(op), out);
    print_operands(out, code, bci, op, code_source(code)->code[bci]);
    fputc('\n', out);
}

void code_print(FILE *out, const struct method_code *code) {
    const struct cf_code *source = code_source(code);
    if (source == NULL || code->code == NULL) return;
    for (uint32_t bci = 0, length; bci < source->code_length; bci += length) {
        length = opcode_length(source->code, bci, source->code_length);
        if (length == 0) return;
        print_instruction(out, code, bci);
    }
}

/* ---- methods --------------------------------------------------------------------------------------------------- */

static uint32_t code_work(const struct method_code *code) {
    if (code_source(code) == NULL) return 0;
    int32_t left = code->budgets_used < METHOD_BUDGETS ? code->budget : METHOD_BUDGET;
    return (uint32_t)(vm->options->first_budget + METHOD_BUDGET * code->budgets_used - left);
}

static void method_print_data(FILE *out, const struct method *m) {
    const struct method_code *code = atomic_load_explicit(&((struct method *)m)->code, memory_order_acquire);
    char *holder = class_external_name(m->holder);
    fprintf(out, "------------------------------------------------------------------------\n%s%s::%s%s\n",
            m->access_flags & ACC_STATIC ? "static " : "", holder != NULL ? holder : "?", m->name->bytes,
            m->desc->bytes);
    mem_free(holder);
    bool full = code->budgets_used == METHOD_BUDGETS;
    fprintf(out, "  work: %u%s (%d a call, %d a backward branch)\n", code_work(code), full ? " or more" : "",
            (int)vm->options->call_cost, LOOP_COST);
    fprintf(out, "  budgets used: %u of %d\n\n", code->budgets_used, METHOD_BUDGETS);
    code_print(out, code);
}

struct wanted {
    const char *class_name, *method_name; /* NULL: all */
    VEC(const struct method *) found;
    bool failed;
};

static bool gather(void *arg, struct class *c) {
    struct wanted *w = arg;
    if (w->class_name != NULL) {
        char *name = class_external_name(c);
        bool same = name != NULL && strcmp(name, w->class_name) == 0;
        mem_free(name);
        if (!same) return true;
    }
    for (const struct method *m = NULL; !w->failed && (m = class_next_method(c, m)) != NULL;) {
        const struct method_code *code = atomic_load_explicit(&((struct method *)m)->code, memory_order_acquire);
        if (code->code == NULL || (w->class_name == NULL && code_work(code) == 0)) continue;
        if (w->method_name == NULL || strcmp(m->name->bytes, w->method_name) == 0) w->failed = !vec_push(&w->found, m);
    }
    return !w->failed;
}

static int by_work(const void *a, const void *b) {
    const struct method *x = *(const struct method *const *)a, *y = *(const struct method *const *)b;
    uint32_t left = code_work(atomic_load(&((struct method *)x)->code)),
             right = code_work(atomic_load(&((struct method *)y)->code));
    return left == right ? (x > y) - (x < y) : left < right ? 1 : -1;
}

bool methods_print_data(struct os_thread *self, FILE *out, const char *class_name, const char *method_name) {
    REQUIRES(IN_VM);
    struct wanted w = { .class_name = class_name, .method_name = method_name };
    heap_disable_gc(self); /* what has been found is not unloaded */
    class_walk_all(gather, &w);
    if (class_name == NULL && w.found.count != 0) qsort(w.found.data, w.found.count, sizeof *w.found.data, by_work);
    for (size_t i = 0; i < w.found.count; i++) method_print_data(out, w.found.data[i]);
    heap_enable_gc(self);
    bool any = w.found.count != 0;
    vec_free(&w.found);
    return any;
}
