/* What the machine decides once all options are known: heap and stack sizes, flags set by ergonomics; then
 * the reports. */
#include <stdio.h>

#include "base/log.h"
#include "base/options_internal.h"
#include "base/os.h"

/* ---- Machine -------------------------------------------------------------------------------------------------- */

static bool is_default(const struct vm_options *o, int flag) { return o->origin[flag] == FLAG_DEFAULT; }

static uint64_t usable_memory(const struct vm_options *o) {
    uint64_t memory = o->flags.UseContainerSupport ? os_physical_memory() : os_host_memory();
    return o->flags.MaxRAM ? MIN(memory, o->flags.MaxRAM) : memory;
}

static uint64_t share_of(uint64_t memory, double percent) { return (uint64_t)((double)memory * percent / 100); }

/* The *RAMFraction flags of 17 are the older way to say the percentages. */
static void apply_fractions(struct vm_options *o) {
    const struct { int fraction, percentage; uint64_t value; double *out; } pairs[] = {
        { FLAG_ID_MaxRAMFraction, FLAG_ID_MaxRAMPercentage, o->flags.MaxRAMFraction, &o->flags.MaxRAMPercentage },
        { FLAG_ID_MinRAMFraction, FLAG_ID_MinRAMPercentage, o->flags.MinRAMFraction, &o->flags.MinRAMPercentage },
        { FLAG_ID_InitialRAMFraction, FLAG_ID_InitialRAMPercentage, o->flags.InitialRAMFraction,
          &o->flags.InitialRAMPercentage },
    };
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        if (!is_default(o, pairs[i].fraction) && is_default(o, pairs[i].percentage) && pairs[i].value)
            *pairs[i].out = 100.0 / (double)pairs[i].value;
}

/* ---- Heap ----------------------------------------------------------------------------------------------------- */

#define SMALL_MACHINE_HEAP ((uint64_t)130862280)     /* HotSpot's default MaxHeapSize before it looks at the machine */
#define LEAST_INITIAL_HEAP (8 * MIB)
#define LEAST_HEAP_GIVEN   MIB
#define LEAST_MAX_GIVEN    (2 * MIB)
#define COMPRESSED_LIMIT   (32 * GIB - 64 * MIB)     /* what 32-bit references reach, less room below the heap */
#define HEAP_ROUNDING      MIB

/* As HotSpot: a quarter of the memory, half of it on a small machine. */
static uint64_t default_max_heap(const struct vm_options *o, uint64_t memory) {
    uint64_t most = share_of(memory, o->flags.MaxRAMPercentage), least = share_of(memory, o->flags.MinRAMPercentage);
    uint64_t size = least < SMALL_MACHINE_HEAP ? least : MAX(most, SMALL_MACHINE_HEAP);
    if (size > COMPRESSED_LIMIT) size = COMPRESSED_LIMIT;
    if (!is_default(o, FLAG_ID_InitialHeapSize)) size = MAX(size, o->flags.InitialHeapSize);
    if (!is_default(o, FLAG_ID_MinHeapSize)) size = MAX(size, o->flags.MinHeapSize);
    return size;
}

static bool check_heap(struct option_reader *r) {
    const struct vm_flags *f = &r->o->flags;
    bool max_given = !is_default(r->o, FLAG_ID_MaxHeapSize);
    bool min_given = !is_default(r->o, FLAG_ID_MinHeapSize) && f->MinHeapSize != 0;
    bool initial_given = !is_default(r->o, FLAG_ID_InitialHeapSize) && f->InitialHeapSize != 0;
    if (max_given && f->MaxHeapSize < LEAST_MAX_GIVEN) return options_fail_init(r, "Too small maximum heap");
    if ((initial_given && f->InitialHeapSize < LEAST_HEAP_GIVEN) || (min_given && f->MinHeapSize < LEAST_HEAP_GIVEN))
        return options_fail_init(r, "Too small initial heap");
    if (max_given && initial_given && f->InitialHeapSize > f->MaxHeapSize)
        return options_fail_init(r, "Initial heap size set to a larger value than the maximum heap size");
    if (max_given && min_given && f->MinHeapSize > f->MaxHeapSize)
        return options_fail_init(r, "Incompatible minimum and maximum heap sizes specified");
    if (initial_given && min_given && f->InitialHeapSize < f->MinHeapSize)
        return options_fail_init(r, "Incompatible minimum and initial heap sizes specified");
    return true;
}

static bool settle_heap(struct option_reader *r) {
    struct vm_options *o = r->o;
    if (!check_heap(r)) return false;
    uint64_t memory = usable_memory(o);
    o->max_heap_explicit = !is_default(o, FLAG_ID_MaxHeapSize);
    o->max_heap = ALIGN_UP(o->max_heap_explicit ? o->flags.MaxHeapSize : default_max_heap(o, memory), HEAP_ROUNDING);
    if (o->max_heap < o->flags.MaxHeapSize && o->max_heap_explicit)
        return options_fail_init(r, "Could not reserve enough space for %" PRIu64 "%sKB object heap",
                                 o->flags.MaxHeapSize / 1024, o->library == 25 ? " " : "");

    o->min_heap = o->flags.MinHeapSize ? o->flags.MinHeapSize : MIN(LEAST_INITIAL_HEAP, o->max_heap);
    o->initial_heap =
        o->flags.InitialHeapSize ? o->flags.InitialHeapSize : share_of(memory, o->flags.InitialRAMPercentage);
    o->initial_heap = MIN(MAX(o->initial_heap, o->min_heap), o->max_heap);

    const struct { int flag; uint64_t value;
    } sizes[] = {
        { FLAG_ID_MaxHeapSize, o->max_heap },
        { FLAG_ID_InitialHeapSize, o->initial_heap },
        { FLAG_ID_MinHeapSize, o->min_heap },
    };
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        bool given = !is_default(o, sizes[i].flag) && *(uint64_t *)flag_address(o, sizes[i].flag) != 0;
        flag_set_number(o, sizes[i].flag, sizes[i].value, given ? flag_origin_of(o, sizes[i].flag) : FLAG_ERGONOMIC);
    }
    if (is_default(o, FLAG_ID_SoftMaxHeapSize))
        flag_set_number(o, FLAG_ID_SoftMaxHeapSize, o->max_heap, FLAG_ERGONOMIC);
    return true;
}

/* ---- Class metadata --------------------------------------------------------------------------------------------- */

#define METASPACE_ROUNDING (64 * KIB)

static void settle_metaspace(struct vm_options *o) {
    uint64_t size = ALIGN_DOWN(MIN(o->flags.MetaspaceSize, o->flags.MaxMetaspaceSize), METASPACE_ROUNDING);
    flag_set_number(o, FLAG_ID_MetaspaceSize, size, flag_origin_of(o, FLAG_ID_MetaspaceSize));
}

/* ---- Stacks --------------------------------------------------------------------------------------------------- */

#define DEFAULT_STACK_KIB 1024
#define LEAST_STACK_KIB   136                        /* HotSpot's on this platform: programs are tuned to it */

size_t options_default_stack_size(void) { return DEFAULT_STACK_KIB * KIB; }

static bool settle_stack(struct option_reader *r) {
    struct vm_options *o = r->o;
    int64_t kib = o->flags.ThreadStackSize ? o->flags.ThreadStackSize : DEFAULT_STACK_KIB;
    if (kib < LEAST_STACK_KIB) {
        vm_print(false, "\nThe Java thread stack size specified is too small. Specify at least %dk\n", LEAST_STACK_KIB);
        r->result = OPTIONS_ERROR;
        return false;
    }
    o->thread_stack_size = (uint64_t)kib * KIB;
    return true;
}

/* ---- Compiled code -------------------------------------------------------------------------------------------- */

#define LEAST_CODE_CACHE_KIB 400u
#define MOST_CODE_CACHE_MIB  2048u                   /* what a call within it reaches */

static bool check_code_cache(struct option_reader *r) {
    uint64_t size = r->o->flags.ReservedCodeCacheSize, initial = r->o->flags.InitialCodeCacheSize;
    if (size < initial)
        return options_fail(r, OPTIONS_INVALID,
                            "Invalid ReservedCodeCacheSize: %" PRIu64 "K. "
                            "Must be at least InitialCodeCacheSize=%" PRIu64 "K.",
                            size / KIB, initial / KIB);
    if (size < LEAST_CODE_CACHE_KIB * KIB)
        return options_fail(r, OPTIONS_INVALID, "Invalid ReservedCodeCacheSize=%" PRIu64 "K. Must be at least %uK.",
                            size / KIB, LEAST_CODE_CACHE_KIB);
    if (size > MOST_CODE_CACHE_MIB * MIB)
        return options_fail(r, OPTIONS_INVALID, "Invalid ReservedCodeCacheSize=%" PRIu64 "M. Must be at most %uM.",
                            size / MIB, MOST_CODE_CACHE_MIB);
    return true;
}

/* ---- When methods are compiled -------------------------------------------------------------------------------- */

#define MOST_COMPILE_THRESHOLD INT64_C(1073741823)

/* HotSpot has threads for two compilers by default, and one where one of them makes everything. */
static bool check_compiler_count(struct option_reader *r) {
    const struct vm_options *o = r->o;
    bool one = !o->flags.TieredCompilation || o->flags.TieredStopAtLevel < 4;
    int least = o->mode == VM_MODE_INT ? 0 : one ? 1 : 2;
    if (is_default(o, FLAG_ID_CICompilerCount) || *(int64_t *)flag_address(r->o, FLAG_ID_CICompilerCount) >= least)
        return true;
    return options_fail(r, OPTIONS_INVALID, "CICompilerCount (%" PRId64 ") must be at least %d ",
                        *(int64_t *)flag_address(r->o, FLAG_ID_CICompilerCount), least);
}

/* As many as HotSpot has, by the number of processors. */
static void settle_compiler_count(struct vm_options *o) {
    int64_t processors = o->flags.ActiveProcessorCount > 0 ? o->flags.ActiveProcessorCount : os_cpu_count();
    bool interprets = o->mode == VM_MODE_INT || (o->flags.TieredCompilation && o->flags.TieredStopAtLevel == 0);
    bool one = !o->flags.TieredCompilation || o->flags.TieredStopAtLevel < 4;
    if (!is_default(o, FLAG_ID_CICompilerCount) || (interprets && o->library == 17)) return;
    int log = 0, log_of_log = 0;
    while (processors >> (log + 1) > 0) log++;
    while (log >> (log_of_log + 1) > 0) log_of_log++;
    int count = MAX(log * log_of_log * 3 / 2, one && o->library != 17 ? 1 : 2);
    flag_set_number(o, FLAG_ID_CICompilerCount, interprets ? 0 : (uint64_t)count, FLAG_ERGONOMIC);
}

static bool check_thresholds(struct option_reader *r) {
    int64_t threshold = r->o->flags.CompileThreshold;
    if (threshold >= 0 && threshold <= MOST_COMPILE_THRESHOLD) return true;
    return options_fail(r, OPTIONS_INVALID,
                        "OnStackReplacePercentage cannot be validated because CompileThreshold value is invalid\n"
                        "CompileThreshold (%" PRId64 ") must be between 0 and %" PRId64,
                        threshold, MOST_COMPILE_THRESHOLD);
}

static int32_t scaled(const struct vm_options *o, int64_t threshold) {
    return (int32_t)MAX(MIN((double)threshold * o->flags.CompileThresholdScaling, (double)INT32_MAX), 1.0);
}

/* Branches alone, or with calls, are enough at the compile threshold, and branches at theirs; calls alone at the
 * invocation threshold, if that is less. */
static bool settle_thresholds(struct option_reader *r) {
    struct vm_options *o = r->o;
    if (!check_compiler_count(r) || !check_thresholds(r)) return false;
    if (o->flags.CompileThresholdScaling == 0) o->mode = VM_MODE_INT;
    settle_compiler_count(o);
    int64_t calls = o->flags.CompileThreshold, together = calls;
    if (o->flags.TieredCompilation) {
        calls = o->flags.Tier3InvocationThreshold;
        together = MIN(o->flags.Tier3CompileThreshold, o->flags.Tier3BackEdgeThreshold);
    }
    o->first_budget = scaled(o, together);
    o->call_cost = MAX(o->first_budget / scaled(o, calls), 1);
    enum { OPTIMISED = 4 };
    o->optimises = !o->flags.TieredCompilation || o->flags.TieredStopAtLevel >= OPTIMISED;
    o->optimising_budget = scaled(o, o->flags.Tier4BackEdgeThreshold);
    o->optimising_call_cost = MAX(o->optimising_budget / scaled(o, o->flags.Tier4InvocationThreshold), 1);
    return true;
}

/* ---- Everything else ------------------------------------------------------------------------------------------ */

static bool check_free_ratios(struct option_reader *r) {
    uint64_t least = r->o->flags.MinHeapFreeRatio, most = r->o->flags.MaxHeapFreeRatio;
    return least <= most || options_fail(r, OPTIONS_INVALID,
        "MinHeapFreeRatio (%" PRIu64 ") must be less than or equal to MaxHeapFreeRatio (%" PRIu64 ")\n"
        "MaxHeapFreeRatio (%" PRIu64 ") must be greater than or equal to MinHeapFreeRatio (%" PRIu64 ")",
        least, most, most, least);
}

static bool check_collectors(struct option_reader *r) {
    const struct vm_flags *f = &r->o->flags;
    int chosen = f->UseSerialGC + f->UseParallelGC + f->UseG1GC + f->UseZGC + f->UseShenandoahGC + f->UseEpsilonGC;
    return chosen <= 1 || options_fail_init(r, "Multiple garbage collectors selected");
}

static void copy_switches(struct vm_options *o) {
    o->reduce_signals = o->flags.ReduceSignalUsage;
    o->check_jni = o->flags.CheckJNICalls;
    o->verify_local = o->flags.BytecodeVerificationLocal;
    if (o->verify_local) o->flags.BytecodeVerificationRemote = true; /* never the boot loader's classes alone */
    o->verify_remote = o->flags.BytecodeVerificationRemote;
    o->disable_attach = o->flags.DisableAttachMechanism;
    if (is_default(o, FLAG_ID_UseCompressedOops)) flag_set_bool(o, FLAG_ID_UseCompressedOops, true, FLAG_ERGONOMIC);
}

/* Absent unless the option is given; 0 means that the library chooses. */
static bool publish_direct_memory(struct option_reader *r) {
    struct vm_options *o = r->o;
    if (is_default(o, FLAG_ID_MaxDirectMemorySize)) return true;
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, o->flags.MaxDirectMemorySize);
    return options_set_property(o, "sun.nio.MaxDirectMemorySize", text, true, false) || options_no_memory(r);
}

static void log_arguments(const struct vm_options *o) {
    log_info(arguments, "VM Arguments:");
    if (o->jvm_flags) log_info(arguments, "jvm_flags: %s", o->jvm_flags);
    if (o->jvm_args) log_info(arguments, "jvm_args: %s", o->jvm_args);
    log_info(arguments, "java_command: %s", o->java_command ? o->java_command : "<unknown>");
    const char *class_path = options_property(o, "java.class.path");
    log_info(arguments, "java_class_path (initial): %s", class_path && *class_path ? class_path : "<not set>");
    const char *launcher = options_property(o, "sun.java.launcher");
    log_info(arguments, "Launcher Type: %s", launcher ? launcher : "generic");
}

void options_warn_without_effect(const struct vm_options *o) {
    if (!log_enabled(LOG_arguments, LOG_INFO)) return;
    for (int i = 0; i < FLAG_COUNT; i++) {
        enum flag_origin origin = flag_origin_of(o, i);
        if (!flag_exists(o, i) || flag_has_effect(i) || origin == FLAG_DEFAULT || origin == FLAG_ERGONOMIC) continue;
        char *value = flag_value_text(o, i);
        log_info(arguments, "Flag %s=%s is accepted without effect", flag_name(i), value ? value : "");
        mem_free(value);
    }
    for (size_t i = 0; i < o->jvm_arg_list.count; i++)
        if (strncmp(o->jvm_arg_list.data[i], "-XX:", 4) != 0 && !options_x_has_effect(o, o->jvm_arg_list.data[i]))
            log_info(arguments, "Option %s is accepted without effect", o->jvm_arg_list.data[i]);
}

static void print_reports(struct vm_options *o) {
    if (o->flags.PrintCommandLineFlags) {
        char *text = options_flags_text(o, true);
        vm_print(false, "%s\n", text ? text : "");
        mem_free(text);
    }
    if (o->flags.PrintFlagsRanges) options_print_flags(o, true);
    else if (o->flags.PrintFlagsFinal) options_print_flags(o, false);
}

enum options_result options_settle(struct vm_options *o) {
    struct option_reader r = { .o = o, .origin = FLAG_ERGONOMIC, .result = OPTIONS_OK };
    apply_fractions(o);
    if (check_collectors(&r) && check_code_cache(&r) && settle_thresholds(&r) && check_free_ratios(&r) &&
        settle_stack(&r) && settle_heap(&r) && publish_direct_memory(&r) && options_warn_of_missed(&r)) {
        settle_metaspace(o);
        copy_switches(o);
        log_arguments(o);
        options_warn_without_effect(o);
        print_reports(o);
    }
    return r.result;
}
