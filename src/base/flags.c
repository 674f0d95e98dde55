/* The -XX flags: their table, look-up, reading of values, printing. */
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/options_internal.h"

/* ---- Table ---------------------------------------------------------------------------------------------------- */

struct flag_row {                          /* a flag as one library has it; type -1: it has none */
    int8_t      type;
    const char *group, *value, *range;
};

struct flag_info {
    const char     *name;
    uint16_t        offset;
    uint8_t         storage;
    bool            effect;
    struct flag_row row[2];                /* 17, 25 */
};

#define EFFECT   true
#define ACCEPTED false
#define NONE     { -1, "", "", "" }
#define ROW(type, group, value, range) { FLAG_##type, group, value, range }
static const struct flag_info flags[FLAG_COUNT] = {
#define FLAG(storage, name, jdk17, jdk25, effect) \
    { #name, offsetof(struct vm_flags, name), FLAG_##storage, effect, { jdk17, jdk25 } },
#include "base/flags.def"
#undef FLAG
};
#undef EFFECT
#undef ACCEPTED
#undef NONE
#undef ROW

_Static_assert(sizeof(struct vm_flags) < UINT16_MAX, "offsets of flags fit 16 bits");

static const char *const type_names[] = {
    "bool", "int", "uint", "intx", "uintx", "uint64_t", "size_t", "double", "ccstr", "ccstrlist",
};

static const struct flag_row *row_of(const struct vm_options *o, int flag) {
    return &flags[flag].row[o->library == 25];
}

static bool is_string(int type) { return type == FLAG_ccstr || type == FLAG_ccstrlist; }
static bool is_signed(int type) { return type == FLAG_int || type == FLAG_intx; }

int flag_find(const struct vm_options *o, const char *name, size_t len) {
    for (int i = 0; i < FLAG_COUNT; i++)
        if (strncmp(flags[i].name, name, len) == 0 && flags[i].name[len] == 0) return flag_exists(o, i) ? i : -1;
    return -1;
}

const char *flag_name(int flag)                                       { return flags[flag].name; }
bool        flag_has_effect(int flag)                                 { return flags[flag].effect; }
enum flag_type flag_type_of(int flag)                                 { return (enum flag_type)flags[flag].storage; }
bool        flag_exists(const struct vm_options *o, int flag)         { return row_of(o, flag)->type >= 0; }
enum flag_origin flag_origin_of(const struct vm_options *o, int flag) { return (enum flag_origin)o->origin[flag]; }
void       *flag_address(struct vm_options *o, int flag)              { return (char *)&o->flags + flags[flag].offset; }

static const void *address(const struct vm_options *o, int flag) {
    return (const char *)&o->flags + flags[flag].offset;
}

static bool in_group(const struct vm_options *o, int flag, const char *word) {
    return strstr(row_of(o, flag)->group, word) != NULL;
}

bool flag_is_manageable(const struct vm_options *o, int flag) { return in_group(o, flag, "manageable"); }
bool flag_is_own(const struct vm_options *o, int flag)        { return in_group(o, flag, "vitrine"); }

const char *flag_locked_by(const struct vm_options *o, int flag) {
    if (flag == FLAG_ID_UnlockDiagnosticVMOptions || flag == FLAG_ID_UnlockExperimentalVMOptions) return NULL;
    if (in_group(o, flag, "diagnostic") && !o->flags.UnlockDiagnosticVMOptions) return "diagnostic";
    if (in_group(o, flag, "experimental") && !o->flags.UnlockExperimentalVMOptions) return "experimental";
    return NULL;
}

bool flag_is_unlocked(const struct vm_options *o, int flag) { return flag_locked_by(o, flag) == NULL; }

/* ---- Numbers -------------------------------------------------------------------------------------------------- */

/* Digits (or 0x and hexadecimal digits), then at most one of k m g t. */
static bool parse_magnitude(const char *s, uint64_t *out) {
    char *end;
    bool  hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    if (hex ? !isxdigit((unsigned char)s[2]) : !isdigit((unsigned char)s[0])) return false;
    errno = 0;
    uint64_t v = strtoull(s, &end, hex ? 16 : 10);
    if (errno) return false;
    static const char suffixes[] = "kKmMgGtT";
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (suffix) {
        int shift = 10 * (1 + (int)(suffix - suffixes) / 2);
        if (v > UINT64_MAX >> shift) return false;
        v <<= shift;
        end++;
    }
    *out = v;
    return *end == 0;
}

bool options_parse_size(const char *text, uint64_t *out) { return parse_magnitude(text, out); }

static bool parse_signed(const char *s, int64_t *out) {
    bool     negative = *s == '-';
    uint64_t v;
    if (!parse_magnitude(s + negative, &v) || v > (uint64_t)INT64_MAX + negative) return false;
    *out = negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

static bool parse_double(const char *s, double *out) {
    char *end;
    if (!*s || isspace((unsigned char)*s)) return false;
    errno = 0;
    *out = strtod(s, &end);
    return *end == 0 && errno == 0 && *out <= DBL_MAX && *out >= -DBL_MAX;
}

/* ---- Ranges --------------------------------------------------------------------------------------------------- */

struct number { int64_t i; uint64_t u; double d; };

static bool parse_number(int type, const char *s, struct number *out) {
    switch (type) {
    case FLAG_int:    return parse_signed(s, &out->i) && out->i >= INT32_MIN && out->i <= INT32_MAX;
    case FLAG_intx:   return parse_signed(s, &out->i);
    case FLAG_uint:   return parse_magnitude(s, &out->u) && out->u <= UINT32_MAX;
    case FLAG_double: return parse_double(s, &out->d);
    default:          return parse_magnitude(s, &out->u);
    }
}

static char *number_text(int type, struct number v) {
    return is_signed(type) ? mem_printf("%" PRId64, v.i) : type == FLAG_double ? mem_printf("%f", v.d)
                                                                                : mem_printf("%" PRIu64, v.u);
}

static bool below(int type, struct number a, struct number b) {
    return is_signed(type) ? a.i < b.i : type == FLAG_double ? a.d < b.d : a.u < b.u;
}

/* "lo..hi" of the table; false when the flag has no range. */
static bool range_of(const struct flag_row *row, struct number *low, struct number *high) {
    const char *dots = strstr(row->range, "..");
    if (!dots) return false;
    char *first = mem_strndup(row->range, (size_t)(dots - row->range));
    bool  ok = first && parse_number(row->type, first, low);
    mem_free(first);
    if (strcmp(dots + 2, "max") == 0) high->d = DBL_MAX;
    else ok = ok && parse_number(row->type, dots + 2, high);
    return ok;
}

/* `running`: the sentence is for a tool, which has the VM's flag set while it runs. */
static bool in_range(const struct flag_row *row, const char *name, struct number v, bool running, char **err) {
    struct number low, high;
    if (!range_of(row, &low, &high) || (!below(row->type, v, low) && !below(row->type, high, v))) return true;
    char *value = number_text(row->type, v), *from = number_text(row->type, low), *to = number_text(row->type, high);
    *err = running ? mem_printf("%s error: must have value in range [%s...%s]", name, from ? from : "", to ? to : "")
                   : mem_printf("%s %s=%s is outside the allowed range [ %s ... %s ]", type_names[row->type], name,
                                value ? value : "", from ? from : "", to ? to : "");
    mem_free(value);
    mem_free(from);
    mem_free(to);
    return false;
}

/* ---- Setting -------------------------------------------------------------------------------------------------- */

static bool store_string(struct vm_options *o, int flag, const char *value, bool append) {
    const char **slot = flag_address(o, flag);
    char *text = append && *slot ? mem_printf("%s\n%s", *slot, value) : mem_strdup(value);
    if (!text) return false;
    if (o->owned[flag]) mem_free((char *)(uintptr_t)*slot);
    *slot = text;
    o->owned[flag] = true;
    return true;
}

/* The number in the row's type goes into the field's wider type. */
static void store_number(struct vm_options *o, int flag, int type, struct number v) {
    void *slot = flag_address(o, flag);
    switch (flags[flag].storage) {
    case FLAG_double:
        *(double *)slot = type == FLAG_double ? v.d : is_signed(type) ? (double)v.i : (double)v.u;
        break;
    case FLAG_int:
    case FLAG_intx:
        *(int64_t *)slot = is_signed(type) ? v.i : (int64_t)v.u;
        break;
    default:
        *(uint64_t *)slot = is_signed(type) ? (uint64_t)v.i : v.u;
        break;
    }
}

/* While the VM runs each of the two is compared with the other as it is; before, both are when all options are read. */
static bool free_ratios_fit(const struct vm_options *o, int flag, struct number v) {
    return flag == FLAG_ID_MinHeapFreeRatio   ? v.u <= o->flags.MaxHeapFreeRatio
           : flag == FLAG_ID_MaxHeapFreeRatio ? v.u >= o->flags.MinHeapFreeRatio
                                              : true;
}

static bool fits_extra_rules(const struct vm_options *o, int flag, struct number v, bool running, char **err) {
    if (running && !free_ratios_fit(o, flag, v)) {
        *err = mem_printf("%s error: value violates its flag's constraint.", flags[flag].name);
        return false;
    }
    if (flag == FLAG_ID_ObjectAlignmentInBytes && (v.i & (v.i - 1)) != 0) {
        *err = mem_printf("ObjectAlignmentInBytes (%" PRId64 ") must be power of 2", v.i);
        return false;
    }
    return true;
}

bool flag_set_text(struct vm_options *o, int flag, const char *value, enum flag_origin origin, char **err) {
    const struct flag_row *row = row_of(o, flag);
    struct number v = { 0 };
    char *why = NULL;
    bool  ok;
    if (row->type == FLAG_bool) {
        bool on = strcmp(value, "true") == 0;
        ok = on || strcmp(value, "false") == 0;
        if (ok) *(bool *)flag_address(o, flag) = on;
    } else if (is_string(row->type)) {
        ok = store_string(o, flag, value, row->type == FLAG_ccstrlist && o->origin[flag] != FLAG_DEFAULT);
    } else {
        bool running = origin == FLAG_ATTACH || origin == FLAG_MANAGEMENT;
        ok = parse_number(row->type, value, &v) && in_range(row, flags[flag].name, v, running, &why) &&
             fits_extra_rules(o, flag, v, running, &why);
        if (ok) store_number(o, flag, row->type, v);
    }
    if (ok) o->origin[flag] = (uint8_t)origin;
    if (err) *err = why;
    else mem_free(why);
    return ok;
}

void flag_set_bool(struct vm_options *o, int flag, bool value, enum flag_origin origin) {
    *(bool *)flag_address(o, flag) = value;
    o->origin[flag] = (uint8_t)origin;
}

void flag_set_number(struct vm_options *o, int flag, uint64_t value, enum flag_origin origin) {
    *(uint64_t *)flag_address(o, flag) = value;
    o->origin[flag] = (uint8_t)origin;
}

/* A flag that only the other library has keeps that library's default, so that code can read it without asking. */
void flags_set_defaults(struct vm_options *o) {
    for (int i = 0; i < FLAG_COUNT; i++) {
        const struct flag_row *row = row_of(o, i);
        struct number v = { 0 };
        if (row->type < 0) row = &flags[i].row[o->library != 25];
        if (row->type == FLAG_bool) *(bool *)flag_address(o, i) = strcmp(row->value, "true") == 0;
        else if (is_string(row->type)) *(const char **)flag_address(o, i) = *row->value ? row->value : NULL;
        else if (parse_number(row->type, row->value, &v)) store_number(o, i, row->type, v);
        else fatal("flags.def: cannot read the default of %s", flags[i].name);
        o->origin[i] = FLAG_DEFAULT;
        o->owned[i] = false;
    }
}

void flags_free(struct vm_options *o) {
    for (int i = 0; i < FLAG_COUNT; i++)
        if (o->owned[i]) {
            mem_free((char *)(uintptr_t) * (const char **)flag_address(o, i));
            o->owned[i] = false;
        }
}

/* ---- Printing ------------------------------------------------------------------------------------------------- */

char *flag_value_text(const struct vm_options *o, int flag) {
    const void *slot = address(o, flag);
    int type = row_of(o, flag)->type;
    struct number v = { 0 };
    if (type < 0) type = flags[flag].storage;
    if (type == FLAG_bool) return mem_strdup(*(const bool *)slot ? "true" : "false");
    if (is_string(type)) return mem_strdup(*(const char *const *)slot ? *(const char *const *)slot : "");
    if (flags[flag].storage == FLAG_double) {
        v.d = *(const double *)slot;
        v.i = (int64_t)v.d;
        v.u = (uint64_t)v.i;
    } else {
        v.u = *(const uint64_t *)slot;
        v.i = (int64_t)v.u;
        v.d = (double)v.i;
    }
    return number_text(type, v);
}

static const char *origin_name(enum flag_origin origin) {
    static const char *const names[] = {
        "default", "command line", "environment", "config file", "management", "ergonomic", "attach", "internal",
        "jimage resource",
    };
    return names[origin];
}

typedef VEC(char) text;

static bool append(text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool append(text *t, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *more = mem_vprintf(fmt, args);
    va_end(args);
    size_t n = more ? strlen(more) : 0;
    bool   ok = more && vec_reserve(t, t->count + n + 1);
    if (ok) {
        memcpy(t->data + t->count, more, n + 1);
        t->count += n;
    }
    mem_free(more);
    return ok;
}

#define EQUALS_COLUMN 51
#define GROUP_COLUMN  84
#define GROUP_END     104

/* Blanks up to a column of the line that began at `start`, at least one. */
static void append_blanks(text *t, size_t start, size_t column) {
    size_t at = t->count - start;
    append(t, "%*s", at < column ? (int)(column - at) : 1, "");
}

/* Group and origin; the group ends in a fixed column unless it is too long for its own. */
static void append_tail(text *t, const struct vm_options *o, int flag, size_t start, size_t group_column,
                        size_t group_end) {
    const char *group = row_of(o, flag)->group;
    append_blanks(t, start, MAX(group_end - strlen(group) - 2, group_column));
    append(t, "{%s} {%s}\n", group, origin_name(flag_origin_of(o, flag)));
}

static void append_flag(text *t, const struct vm_options *o, int flag) {
    char  *value = flag_value_text(o, flag);
    size_t start = t->count;
    append(t, "%9s %s", type_names[row_of(o, flag)->type], flags[flag].name);
    append_blanks(t, start, EQUALS_COLUMN - 1);
    append(t, " =");
    /* The items of a list stand one per line. */
    for (char *item = value, *next; item; item = next) {
        next = strchr(item, '\n');
        if (next) *next++ = 0;
        append(t, " %s", item);
        if (!next) break;
        append(t, "\n");
        start = t->count;
        append(t, "%9s %-40s+=", "", flags[flag].name);
    }
    append_tail(t, o, flag, start, GROUP_COLUMN, GROUP_END);
    mem_free(value);
}

#define RANGE_GROUP_END 157

static void append_range(text *t, const struct vm_options *o, int flag) {
    const struct flag_row *row = row_of(o, flag);
    const char *dots = strstr(row->range, "..");
    size_t start = t->count;
    append(t, "%9s %-50s [ %-25.*s ... ", type_names[row->type], flags[flag].name, dots ? (int)(dots - row->range) : 0,
           row->range);
    if (dots && strcmp(dots + 2, "max") == 0) append(t, "%25.3f ]", DBL_MAX);
    else append(t, "%25s ]", dots ? dots + 2 : "");
    append_tail(t, o, flag, start, 0, RANGE_GROUP_END);
}

static char *flags_listing(const struct vm_options *o, bool with_ranges) {
    text t = { 0 };
    append(&t, with_ranges ? "[Global flags ranges]\n" : "[Global flags]\n");
    for (int i = 0; i < FLAG_COUNT; i++) {
        if (!flag_exists(o, i) || flag_is_own(o, i) || !flag_is_unlocked(o, i)) continue;
        int type = row_of(o, i)->type;
        /* The unlocking flags are hidden until they are used, like what they unlock. */
        if (i == FLAG_ID_UnlockDiagnosticVMOptions && !o->flags.UnlockDiagnosticVMOptions) continue;
        if (i == FLAG_ID_UnlockExperimentalVMOptions && !o->flags.UnlockExperimentalVMOptions) continue;
        if (!with_ranges) append_flag(&t, o, i);
        else if (type != FLAG_bool && !is_string(type)) append_range(&t, o, i);
    }
    return t.data;
}

/* "-XX:+Bar -XX:Foo=1 ", every flag that is not at its default. */
static char *flags_that_are_set(const struct vm_options *o) {
    text t = { 0 };
    append(&t, "%s", "");
    for (int i = 0; i < FLAG_COUNT; i++) {
        if (!flag_exists(o, i) || o->origin[i] == FLAG_DEFAULT) continue;
        char *value = flag_value_text(o, i);
        if (row_of(o, i)->type == FLAG_bool) {
            append(&t, "-XX:%c%s ", *(const bool *)address(o, i) ? '+' : '-', flags[i].name);
        } else {
            for (char *item = value, *next; item; item = next) {
                next = strchr(item, '\n');
                if (next) *next++ = 0;
                append(&t, "-XX:%s=%s ", flags[i].name, item);
            }
        }
        mem_free(value);
    }
    return t.data;
}

char *options_flags_text(struct vm_options *o, bool only_set) {
    return only_set ? flags_that_are_set(o) : flags_listing(o, false);
}

void options_print_flags(struct vm_options *o, bool with_ranges) {
    char *listing = flags_listing(o, with_ranges);
    vm_print(false, "%s", listing ? listing : "");
    mem_free(listing);
}
