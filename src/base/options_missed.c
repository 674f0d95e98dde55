/* Options that are accepted without effect although somebody would miss what they ask for: a warning for each that is
 * given, an error where the program was not to run at all. */
#include "base/log.h"
#include "base/options_internal.h"

enum missed_reason {
    RECORDER, ARCHIVES, JVMCI, PROBES, LOG_JVMTI, DIRECTIVES, COMPILATIONS, DUMPS, HISTOGRAM, HEAP_FILE, METHOD_DATA,
    VM_OUTPUT, NOTHING
};

static const char *const missed_reasons[] = {
    [RECORDER] = ": it has no Flight Recorder; -agentlib:hprof=help names what the profiler does",
    [ARCHIVES] = ": it neither reads nor writes archives of classes or compiled code",
    [JVMCI] = ": its compilers are part of it",
    [PROBES] = ": it has no DTrace probes; -agentlib:hprof=help names what the profiler does",
    [LOG_JVMTI] = ": -Xlog:jvmti=trace shows the calls and events of tools",
    [DIRECTIVES] = ": -XX:CompileCommand says the same of one method",
    [COMPILATIONS] = ": -XX:+PrintCompilation and -Xlog:jit=debug show what is compiled",
    [DUMPS] = ": jcmd <pid> GC.heap_dump writes a heap dump at any time",
    [HISTOGRAM] = ": jcmd <pid> GC.class_histogram prints the histogram at any time",
    [HEAP_FILE] = ": the heap lies in anonymous memory",
    [METHOD_DATA] = ": -XX:+PrintMethodData shows how much each method has run",
    [VM_OUTPUT] = ": -Xlog:<tags>:file=<name> writes a log file",
    [NOTHING] = "",
};

static const struct missed { int flag; enum missed_reason why; } missed[] = {
#define MISSED(flag, why) { FLAG_ID_##flag, why },
#include "base/missed_flags.def"
#undef MISSED
};

static bool archive_mode_is(struct vm_options *o, const char *mode) {
    const char *value = *(const char **)flag_address(o, FLAG_ID_AOTMode);
    return value != NULL && strcmp(value, mode) == 0;
}

/* Given, and with a value that asks for it. */
static bool asks(struct vm_options *o, int flag) {
    enum flag_origin origin = flag_origin_of(o, flag);
    if (!flag_exists(o, flag) || origin == FLAG_DEFAULT || origin == FLAG_ERGONOMIC) return false;
    if (flag == FLAG_ID_AOTMode) return !archive_mode_is(o, "off") && !archive_mode_is(o, "auto");
    switch (flag_type_of(flag)) {
    case FLAG_ccstr: case FLAG_ccstrlist: return true;
    case FLAG_bool: return *(bool *)flag_address(o, flag);
    default: return *(uint64_t *)flag_address(o, flag) != 0;       /* of an integer as of a double */
    }
}

bool options_warn_of_missed(struct option_reader *r) {
    struct vm_options *o = r->o;
    if (flag_exists(o, FLAG_ID_AOTMode) && archive_mode_is(o, "create"))
        return options_fail(r, OPTIONS_ERROR, "-XX:AOTMode=create: class data archives are not written by this VM.");
    if (flag_exists(o, FLAG_ID_DumpSharedSpaces) && asks(o, FLAG_ID_DumpSharedSpaces))
        return options_fail(r, OPTIONS_ERROR, "-XX:+DumpSharedSpaces: class data archives are not written by this VM.");
    if (o->xshare_on) vm_warning("-Xshare:on is not supported in this VM%s", missed_reasons[ARCHIVES]);
    for (size_t i = 0; i < ARRAY_LEN(missed); i++)
        if (asks(o, missed[i].flag))
            vm_warning("-XX:%s%s is not supported in this VM%s", flag_type_of(missed[i].flag) == FLAG_bool ? "+" : "",
                       flag_name(missed[i].flag), missed_reasons[missed[i].why]);
    return true;
}
