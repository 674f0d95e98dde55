/* libFuzzer target: the class file parser and every accessor on what it accepts. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/symbol.h"
#include "classfile/classfile.h"
#include "classfile/opcodes.h"

static volatile uint64_t sink; /* keeps the reads */

static void read_span(struct span s) {
    for (size_t i = 0; i < s.size; i++) sink += s.data[i];
}

static void read_constant_pool(const struct classfile *cf) {
    for (uint32_t n = 1; n < cf->cp.count; n++) {
        uint16_t i = (uint16_t)n;
        switch (cp_tag(cf, i)) {
        case CP_Utf8:
            read_span(cp_utf8(cf, i));
            sink += cp_symbol(cf, i)->length;
            break;
        case CP_Integer:
        case CP_Float: sink += (uint64_t)cp_int(cf, i); break;
        case CP_Long:
        case CP_Double: sink += (uint64_t)cp_long(cf, i); break;
        case CP_Class: sink += cp_class_name(cf, i)->length; break;
        case CP_String: read_span(cp_string_utf8(cf, i)); break;
        case CP_Fieldref:
        case CP_Methodref:
        case CP_InterfaceMethodref:
            sink += cp_ref_class_name(cf, i)->length;
            sink += cp_ref_name(cf, i)->length + cp_ref_desc(cf, i)->length;
            break;
        case CP_NameAndType: sink += cp_nat_name(cf, i)->length + cp_nat_desc(cf, i)->length; break;
        case CP_MethodHandle:
            sink += cp_method_handle_kind(cf, i) + cp_ref_name(cf, cp_method_handle_ref(cf, i))->length;
            break;
        case CP_MethodType: sink += cp_method_type_desc(cf, i)->length; break;
        case CP_Dynamic:
        case CP_InvokeDynamic:
            sink += cf_bootstrap_method_ref(cf, cp_bootstrap_index(cf, i)) + cp_ref_name(cf, i)->length;
            break;
        default: break;
        }
    }
}

static void read_code(const struct classfile *cf, const struct cf_code *code) {
    for (uint32_t bci = 0, n; bci < code->code_length && (n = opcode_length(code->code, bci, code->code_length)) > 0;
         bci += n)
        sink += code->code[bci + n - 1];
    for (uint32_t k = 0; k < code->handler_count; k++) sink += cf_handler_at(code, (uint16_t)k).handler_pc;
    sink += (uint64_t)cf_line_number(cf, code, code->code_length / 2) + cf_line_count(cf, code);
    uint32_t count = cf_local_variable_count(cf, code);
    struct cf_local_variable *rows = calloc(count + 1, sizeof *rows);
    if (rows != NULL) {
        cf_local_variables(cf, code, rows);
        for (uint32_t k = 0; k < count; k++) sink += cp_utf8(cf, rows[k].name_index).size;
    }
    free(rows);
    read_span(cf_attribute(cf, code->stack_map));
}

static void read_members(const struct classfile *cf, const struct cf_member *members, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        const struct cf_member *m = &members[k];
        sink += cf_member_name(cf, m)->length + cf_member_desc(cf, m)->length;
        if (m->signature_index != 0) read_span(cp_utf8(cf, m->signature_index));
        read_span(cf_member_attribute(cf, m, annotations));
        read_span(cf_member_attribute(cf, m, type_annotations));
        read_span(cf_member_attribute(cf, m, parameter_annotations));
        read_span(cf_member_attribute(cf, m, annotation_default));
        for (int p = 0; p < cf_method_parameter_count(cf, m); p++)
            sink += cf_method_parameter_at(cf, m, p).access_flags;
        uint32_t exceptions = m->extra != NULL ? m->extra->exceptions : 0;
        for (uint32_t e = 0; e < cf_list_count(cf, exceptions); e++)
            sink += cp_class_name(cf, cf_list_at(cf, exceptions, (uint16_t)e))->length;
        if (m->code != NULL) read_code(cf, m->code);
    }
}

static void read_class(const struct classfile *cf) {
    read_constant_pool(cf);
    for (uint32_t k = 0; k < cf->interface_count; k++) sink += cp_class_name(cf, cf_interface(cf, (uint16_t)k))->length;
    read_members(cf, cf->fields, cf->field_count);
    read_members(cf, cf->methods, cf->method_count);
    for (uint32_t k = 0; k < cf_inner_class_count(cf); k++)
        sink += cp_class_name(cf, cf_inner_class_at(cf, (uint16_t)k).inner_class)->length;
    for (uint32_t k = 0; k < cf_list_count(cf, cf->nest_members); k++)
        sink += cf_list_at(cf, cf->nest_members, (uint16_t)k);
    for (uint32_t k = 0; k < cf_list_count(cf, cf->permitted_subclasses); k++)
        sink += cf_list_at(cf, cf->permitted_subclasses, (uint16_t)k);
    for (uint32_t b = 0; b < cf->bootstrap_count; b++)
        for (uint32_t k = 0; k < cf_bootstrap_arg_count(cf, (uint16_t)b); k++)
            sink += cf_bootstrap_arg(cf, (uint16_t)b, (uint16_t)k);
    for (uint32_t k = 0; k < cf->record_count; k++) read_span(cf_attribute(cf, cf->record_components[k].annotations));
    read_span(cf_attribute(cf, cf->annotations));
    read_span(cf_attribute(cf, cf->source_debug_extension));
    if (cf->source_file != 0) read_span(cp_utf8(cf, cf->source_file));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned modes[] = { 0, CF_TRUSTED | CF_VM_ANNOTATIONS, CF_PREVIEW_ENABLED | CF_VM_ANNOTATIONS };
    const uint8_t *name;
    uint16_t name_length;
    if (classfile_peek_name(data, size, &name, &name_length)) read_span((struct span){ name, name_length });
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        struct arena *arena = arena_new("fuzz");
        struct cf_parse_args args = { .bytes = data, .length = size, .max_major = 69, .flags = modes[k] };
        struct cf_error error = { 0 };
        struct classfile *cf = arena != NULL ? classfile_parse(arena, &args, &error) : NULL;
        if (cf != NULL) {
            read_class(cf);
            classfile_release(cf);
        } else if (error.exception == NULL || error.message[0] == 0) {
            abort(); /* refused without a reason */
        }
        arena_free(arena);
    }
    return 0;
}
