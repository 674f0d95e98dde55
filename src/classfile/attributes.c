/* Reading attributes of a parsed class file: lines, local variables, inner classes, parameters. JVMS 4.7. */
#include "classfile/parse_internal.h"

static const struct {
    const char *name;
    uint8_t length;
} attribute_names[] = {
    { "", 0 },
#define ATTRIBUTE(name) { #name, sizeof #name - 1 },
#include "classfile/attributes.def"
#undef ATTRIBUTE
};

enum cf_attribute_kind cf_attribute_kind(const struct classfile *cf, uint16_t name_index) {
    struct span s = cp_utf8(cf, name_index);
    for (unsigned k = 1; k < ARRAY_LEN(attribute_names); k++)
        if (s.size == attribute_names[k].length && memcmp(s.data, attribute_names[k].name, s.size) == 0)
            return (enum cf_attribute_kind)k;
    return ATTR_unknown;
}

/* Steps over the attributes of a Code attribute; gives the info bytes of the next one of `kind`, NULL at the end. */
static const uint8_t *next_of_kind(const struct classfile *cf, const uint8_t **next, uint16_t *left,
                                   enum cf_attribute_kind kind) {
    while (*left > 0) {
        const uint8_t *at = *next;
        (*left)--;
        *next = at + 6 + cf_u4(at + 2);
        if (cf_attribute_kind(cf, cf_u2(at)) == kind) return at + 6;
    }
    return NULL;
}

/* ---- line numbers ---------------------------------------------------------------------------------------------- */

struct cf_line_iter cf_lines(const struct classfile *cf, const struct cf_code *code) {
    struct cf_line_iter it = { .cf = cf };
    if (code->line_tables == 1) {
        const uint8_t *table = cf->bytes + code->line_numbers;
        it.rows = cf_u2(table);
        it.row = table + 2;
    } else if (code->line_tables > 1) {
        it.attributes = cf_u2(cf->bytes + code->attributes);
        it.next = cf->bytes + code->attributes + 2;
    }
    return it;
}

bool cf_lines_next(struct cf_line_iter *it, struct cf_line *out) {
    while (it->rows == 0) {
        const uint8_t *table = next_of_kind(it->cf, &it->next, &it->attributes, ATTR_LineNumberTable);
        if (table == NULL) return false;
        it->rows = cf_u2(table);
        it->row = table + 2;
    }
    out->start_pc = cf_u2(it->row);
    out->line = cf_u2(it->row + 2);
    it->row += 4;
    it->rows--;
    return true;
}

uint32_t cf_line_count(const struct classfile *cf, const struct cf_code *code) {
    uint32_t n = 0;
    struct cf_line row;
    for (struct cf_line_iter it = cf_lines(cf, code); cf_lines_next(&it, &row);) n++;
    return n;
}

int cf_line_number(const struct classfile *cf, const struct cf_code *code, uint32_t bci) {
    int best_line = -1;
    uint32_t best_pc = 0;
    struct cf_line row;
    for (struct cf_line_iter it = cf_lines(cf, code); cf_lines_next(&it, &row);) {
        if (row.start_pc == bci) return row.line;
        if (row.start_pc < bci && row.start_pc >= best_pc) {
            best_pc = row.start_pc;
            best_line = row.line;
        }
    }
    return best_line;
}

/* ---- local variables ------------------------------------------------------------------------------------------- */

static uint32_t count_rows(const struct classfile *cf, const struct cf_code *code, enum cf_attribute_kind kind) {
    uint32_t n = 0;
    uint16_t left = cf_u2(cf->bytes + code->attributes);
    const uint8_t *next = cf->bytes + code->attributes + 2, *table;
    while ((table = next_of_kind(cf, &next, &left, kind)) != NULL) n += cf_u2(table);
    return n;
}

uint32_t cf_local_variable_count(const struct classfile *cf, const struct cf_code *code) {
    return !code->has_local_variables ? 0 : count_rows(cf, code, ATTR_LocalVariableTable);
}

static bool same_variable(const struct cf_local_variable *a, const struct cf_local_variable *b) {
    return a->start_pc == b->start_pc && a->length == b->length && a->name_index == b->name_index && a->slot == b->slot;
}

/* Hash table of rows: bucket heads and chains, both holding row number + 1. */
struct variable_hash {
    uint32_t *heads, *chain;
    uint32_t mask;
};

static uint32_t *variable_bucket(const struct variable_hash *h, const struct cf_local_variable *v) {
    uint32_t hash = ((v->start_pc * 37u + v->length) * 37u + v->name_index) * 37u + v->slot;
    return &h->heads[(hash ^ hash >> 15) & h->mask];
}

static struct cf_local_variable *find_variable(const struct variable_hash *h, struct cf_local_variable *rows,
                                               const struct cf_local_variable *v) {
    for (uint32_t n = *variable_bucket(h, v); n != 0; n = h->chain[n - 1])
        if (same_variable(&rows[n - 1], v)) return &rows[n - 1];
    return NULL;
}

static struct cf_local_variable read_variable(const uint8_t *p) {
    return (struct cf_local_variable){ .start_pc = cf_u2(p),
                                       .length = cf_u2(p + 2),
                                       .name_index = cf_u2(p + 4),
                                       .desc_index = cf_u2(p + 6),
                                       .slot = cf_u2(p + 8) };
}

static void read_variables(const struct classfile *cf, const struct cf_code *code, struct cf_local_variable *out) {
    uint16_t left = cf_u2(cf->bytes + code->attributes);
    const uint8_t *next = cf->bytes + code->attributes + 2, *table;
    while ((table = next_of_kind(cf, &next, &left, ATTR_LocalVariableTable)) != NULL)
        for (uint32_t k = 0; k < cf_u2(table); k++) *out++ = read_variable(table + 2 + 10 * k);
}

/* Joins the LocalVariableTypeTables into `rows`. */
static enum lvt_problem join_types(const struct classfile *cf, const struct cf_code *code,
                                   const struct variable_hash *h, struct cf_local_variable *rows, bool stop,
                                   uint16_t *name_index) {
    uint16_t left = cf_u2(cf->bytes + code->attributes);
    const uint8_t *next = cf->bytes + code->attributes + 2, *table;
    while ((table = next_of_kind(cf, &next, &left, ATTR_LocalVariableTypeTable)) != NULL) {
        for (uint32_t k = 0; k < cf_u2(table); k++) {
            struct cf_local_variable type = read_variable(table + 2 + 10 * k);
            struct cf_local_variable *row = find_variable(h, rows, &type);
            enum lvt_problem problem = row == NULL                 ? LVTT_UNMATCHED
                                       : row->signature_index != 0 ? LVTT_DUPLICATE
                                                                   : LVT_FINE;
            if (problem != LVT_FINE && stop) {
                *name_index = type.name_index;
                return problem;
            }
            if (row != NULL) row->signature_index = type.desc_index;
        }
    }
    return LVT_FINE;
}

enum lvt_problem join_local_variables(const struct classfile *cf, const struct cf_code *code,
                                      struct cf_local_variable *out, uint32_t count, bool stop, uint16_t *name_index) {
    read_variables(cf, code, out);
    uint32_t buckets = 16;
    while (buckets < count) buckets *= 2;
    struct variable_hash h = { mem_calloc(buckets + (size_t)count, sizeof(uint32_t)), NULL, buckets - 1 };
    if (h.heads == NULL) return LVT_NO_MEMORY;
    h.chain = h.heads + buckets;
    enum lvt_problem problem = LVT_FINE;
    for (uint32_t k = 0; k < count && problem == LVT_FINE; k++) {
        if (find_variable(&h, out, &out[k]) != NULL) {
            if (stop && cf->major >= 49) {
                problem = LVT_DUPLICATE;
                *name_index = out[k].name_index;
            }
            continue; /* the first row keeps the place */
        }
        uint32_t *head = variable_bucket(&h, &out[k]);
        h.chain[k] = *head;
        *head = k + 1;
    }
    if (problem == LVT_FINE) problem = join_types(cf, code, &h, out, stop, name_index);
    mem_free(h.heads);
    return problem;
}

void cf_local_variables(const struct classfile *cf, const struct cf_code *code, struct cf_local_variable *out) {
    uint16_t name_index;
    (void)join_local_variables(cf, code, out, cf_local_variable_count(cf, code), false, &name_index);
}

/* ---- inner classes, parameters --------------------------------------------------------------------------------- */

uint16_t cf_inner_class_count(const struct classfile *cf) { return cf_list_count(cf, cf->inner_classes); }

struct cf_inner_class cf_inner_class_at(const struct classfile *cf, uint16_t k) {
    const uint8_t *p = cf->bytes + cf->inner_classes + 2 + 8 * (uint32_t)k;
    return (struct cf_inner_class){ cf_u2(p), cf_u2(p + 2), cf_u2(p + 4), cf_u2(p + 6) };
}

int cf_method_parameter_count(const struct classfile *cf, const struct cf_member *m) {
    struct span s = cf_member_attribute(cf, m, method_parameters);
    return s.data == NULL ? -1 : s.data[0];
}

struct cf_method_parameter cf_method_parameter_at(const struct classfile *cf, const struct cf_member *m, int k) {
    const uint8_t *p = cf->bytes + m->extra->method_parameters + 1 + 4 * k;
    return (struct cf_method_parameter){ cf_u2(p), cf_u2(p + 2) };
}
