/* One -XX flag of the command line: sign, name, value; retired names; the sentences for wrong ones. */
#include <stdio.h>

#include "base/log.h"
#include "base/options_internal.h"
#include "base/similarity.h"

/* ---- Retired names -------------------------------------------------------------------------------------------- */

enum retirement { NOT_RETIRED, IN_DEVELOP, IN_NOTPRODUCT, WAS_REMOVED, WAS_DEPRECATED };

struct retired_row { uint8_t kind; const char *version, *successor; };

static const struct retired_flag {
    const char        *name;
    struct retired_row row[2];             /* 17, 25 */
} retired_flags[] = {
#define UNKNOWN                 { NOT_RETIRED, NULL, NULL }
#define DEVELOP                 { IN_DEVELOP, NULL, NULL }
#define NOTPRODUCT              { IN_NOTPRODUCT, NULL, NULL }
#define REMOVED(version)        { WAS_REMOVED, version, NULL }
#define DEPRECATED(version, to) { WAS_DEPRECATED, version, to }
#define RETIRED(name, jdk17, jdk25) { #name, { jdk17, jdk25 } },
#include "base/retired_flags.def"
};

static const struct retired_row *retired(const struct vm_options *o, const char *name, size_t len) {
    for (size_t i = 0; i < ARRAY_LEN(retired_flags); i++)
        if (strncmp(retired_flags[i].name, name, len) == 0 && retired_flags[i].name[len] == 0)
            return &retired_flags[i].row[o->library == 25];
    return NULL;
}

static void warn_deprecated(const char *name, size_t len, const struct retired_row *row) {
    if (*row->successor)
        vm_warning("Option %.*s was deprecated in version %s and will likely be removed in a future release. "
                   "Use option %s instead.", (int)len, name, row->version, row->successor);
    else
        vm_warning("Option %.*s was deprecated in version %s and will likely be removed in a future release.", (int)len,
                   name, row->version);
}

/* ---- Wrong ones ----------------------------------------------------------------------------------------------- */

#define SIMILAR_ENOUGH 0.7

static bool unknown_flag(struct option_reader *r, const char *text, size_t name_len) {
    if (r->ignore) return true;
    options_fail(r, OPTIONS_INVALID, "Unrecognized VM option '%s'", text);
    if (r->o->library != 25) return false;      /* 17 has the suggestion, but never comes to print it */
    int    best = -1;
    double best_score = SIMILAR_ENOUGH;
    for (int i = 0; i < FLAG_COUNT; i++) {
        if (!flag_exists(r->o, i) || flag_is_own(r->o, i)) continue;
        double score = similarity(flag_name(i), strlen(flag_name(i)), text, name_len);
        if (score > best_score || (best < 0 && score >= best_score)) {
            best = i;
            best_score = score;
        }
    }
    if (best >= 0) {
        bool plain = flag_type_of(best) == FLAG_bool;
        vm_print(true, "Did you mean '%s%s%s'?\n", plain ? "(+/-)" : "", flag_name(best), plain ? "" : "=<value>");
    }
    return false;
}

/* JDK 25 adds a second line to what is wrong with a known flag that cannot be used. */
static bool unusable_flag(struct option_reader *r, const char *text) {
    if (r->o->library == 25) vm_print(true, "Improperly specified VM option '%s'\n", text);
    return false;
}

static bool debug_flag(struct option_reader *r, const char *text, size_t len, const char *kind) {
    if (r->ignore) return true;
    options_fail(r, OPTIONS_INVALID, "Error: VM option '%.*s' is %s and is available only in debug version of VM.",
                 (int)len, text, kind);
    return unusable_flag(r, text);
}

static bool locked_flag(struct option_reader *r, const char *text, const char *name, const char *lock) {
    bool experimental = *lock == 'e';
    options_fail(r, OPTIONS_INVALID,
                 "Error: VM option '%s' is %s and must be enabled via -XX:+Unlock%sVMOptions.\n"
                 "Error: The unlock option must precede '%s'.",
                 name, lock, experimental ? "Experimental" : "Diagnostic", name);
    return unusable_flag(r, text);
}

/* ---- Consequences --------------------------------------------------------------------------------------------- */

/* What goes to one of the two does not go to the other: the last such option counts. */
static void switch_off_opposite(struct option_reader *r, int flag) {
    static const struct { int flag, opposite; } pairs[] = {
        {FLAG_ID_DisplayVMOutputToStderr, FLAG_ID_DisplayVMOutputToStdout},
        {FLAG_ID_DisplayVMOutputToStdout, FLAG_ID_DisplayVMOutputToStderr},
        {FLAG_ID_ErrorFileToStderr, FLAG_ID_ErrorFileToStdout},
        {FLAG_ID_ErrorFileToStdout, FLAG_ID_ErrorFileToStderr},
    };
    char *why = NULL;
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        if (pairs[i].flag == flag) (void)flag_set_text(r->o, pairs[i].opposite, "false", r->origin, &why);
    mem_free(why);
}

static void follow_up(struct option_reader *r, int flag, bool on) {
    const struct vm_flags *f = &r->o->flags;
    if (on) switch_off_opposite(r, flag);
    if (flag == FLAG_ID_DisplayVMOutput || flag == FLAG_ID_DisplayVMOutputToStderr ||
        flag == FLAG_ID_DisplayVMOutputToStdout || flag == FLAG_ID_PrintWarnings)
        vm_print_configure(f->DisplayVMOutput, f->DisplayVMOutputToStderr, f->DisplayVMOutputToStdout,
                           f->PrintWarnings);
    if (!on) return;
    if (flag == FLAG_ID_PrintGC) {
        log_warning(gc, "-XX:+PrintGC is deprecated. Will use -Xlog:gc instead.");
        log_configure_level("gc", LOG_INFO);
    } else if (flag == FLAG_ID_PrintGCDetails) {
        log_warning(gc, "-XX:+PrintGCDetails is deprecated. Will use -Xlog:gc* instead.");
        log_configure_level("gc*", LOG_INFO);
    } else if (flag == FLAG_ID_ManagementServer) {
        options_add_numbered_property(r->o, "jdk.module.addmods", "jdk.management.agent");
    }
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

bool options_read_flag(struct option_reader *r, const char *text) {
    char        sign = *text == '+' || *text == '-' ? *text : 0;
    const char *name = text + (sign != 0), *value = strchr(name, '=');
    size_t      len = value ? (size_t)(value - name) : strlen(name);

    const struct retired_row *old = retired(r->o, name, len);
    int flag = flag_find(r->o, name, len);
    if (old && old->kind == WAS_REMOVED) {
        vm_warning("Ignoring option %.*s; support was removed in %s", (int)len, name, old->version);
        return true;
    }
    if (old && old->kind == WAS_DEPRECATED) {
        warn_deprecated(name, len, old);
        if (*old->successor) flag = flag_find(r->o, old->successor, strlen(old->successor));
    }
    if (flag < 0 && old && old->kind == IN_DEVELOP) return debug_flag(r, name, len, "develop");
    if (flag < 0 && old && old->kind == IN_NOTPRODUCT) return debug_flag(r, name, len, "notproduct");
    if (flag < 0) return unknown_flag(r, name, len);

    const char *lock = flag_locked_by(r->o, flag);
    bool        is_bool = flag_type_of(flag) == FLAG_bool;
    if (lock) return locked_flag(r, name, flag_name(flag), lock);
    if (is_bool && !sign) return options_fail(r, OPTIONS_INVALID, "Missing +/- setting for VM option '%s'", name);
    if (!is_bool && sign) return options_fail(r, OPTIONS_INVALID, "Unexpected +/- setting in VM option '%s'", name);

    char       *why = NULL;
    const char *given = !sign ? (value ? value + 1 : NULL) : value ? NULL : sign == '+' ? "true" : "false";
    bool        ok = given && flag_set_text(r->o, flag, given, r->origin, &why);
    if (ok) {
        follow_up(r, flag, sign == '+');
    } else {
        if (why) vm_print(true, "%s\n", why);
        options_fail(r, OPTIONS_INVALID, "Improperly specified VM option '%s'", name);
    }
    mem_free(why);
    return ok;
}
