/* perf_counters.c — see perf_counters.h. */
#include "jdk/perf_counters.h"

#include <limits.h>

#include "base/options.h"
#include "base/os.h"
#include "base/perf_data.h"
#include "heap/heap.h"
#include "jdk/jvm.h"
#include "link/link.h"

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* HotSpot's choice. */
static const char *const properties[] = {
    "java.vm.specification.version", "java.vm.specification.name", "java.vm.specification.vendor", "java.vm.version",
    "java.vm.name", "java.vm.vendor", "java.vm.info", "jdk.debug", "java.library.path", "java.class.path",
    "java.home",
};

static void name_property(const char *prefix, const char *key) {
    const char *value = options_property(vm->options, key);
    char name[64];
    snprintf(name, sizeof name, "%s.%s", prefix, key);
    perf_new_constant(name, value != NULL ? value : "");
}

/* Position 0: tools may attach; 1: to a VM in the kernel's sense, which every one is. */
static void name_capabilities(void) {
    char text[65];
    memset(text, '0', sizeof text - 1);
    text[64] = '\0';
    text[0] = vm->options->flags.DisableAttachMechanism ? '0' : '1';
    text[1] = '1';
    perf_new_constant("sun.rt.jvmCapabilities", text);
}

static void name_texts(void) {
    const struct vm_options *o = vm->options;
    const char *name = options_property(o, "java.vm.name"), *version = options_property(o, "java.vm.version");
    char internal[256];
    snprintf(internal, sizeof internal, "%s (%s) for linux-amd64", name != NULL ? name : "",
             version != NULL ? version : "");
    for (size_t i = 0; i < ARRAY_LEN(properties); i++) name_property("java.property", properties[i]);
    name_property("sun.property", "sun.boot.library.path");
    perf_new_constant("java.rt.vmFlags", o->jvm_flags != NULL ? o->jvm_flags : "");
    perf_new_constant("java.rt.vmArgs", o->jvm_args != NULL ? o->jvm_args : "");
    perf_new_constant("sun.rt.javaCommand", o->java_command != NULL ? o->java_command : "");
    perf_new_constant("sun.rt.internalVersion", internal);
    name_capabilities();
    perf_new_constant("sun.gc.policy.name", "MarkRegion");
    perf_new_constant("sun.gc.collector.1.name", "MarkRegion");
    perf_new_constant("sun.gc.generation.1.name", "heap");
    perf_new_constant("sun.gc.generation.1.space.0.name", "heap");
    perf_set_text(PERF_GC_CAUSE, "No GC");
    perf_set_text(PERF_GC_LAST_CAUSE, "No GC");
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

static void show_heap(void) {
    struct heap_stats s;
    heap_stats(&s);
    perf_set(PERF_HEAP_CAPACITY, (int64_t)s.committed);
    perf_set(PERF_SPACE_CAPACITY, (int64_t)s.committed);
    perf_set(PERF_SPACE_USED, (int64_t)s.used);
    metadata_show();
}

static void set_constants(void) {
    enum { VERSION_SHIFT = 24 };
    struct heap_stats s;
    heap_stats(&s);
    perf_set(PERF_TICKS_FREQUENCY, INT64_C(1000000000));
    perf_set(PERF_CREATE_BEGIN, vm->start_millis);
    perf_set(PERF_JVM_VERSION, (int64_t)vm->library << VERSION_SHIFT);
    perf_set(PERF_GC_POLICY_COLLECTORS, 1);
    perf_set(PERF_GC_POLICY_GENERATIONS, 1);
    perf_set(PERF_HEAP_SPACES, 1);
    perf_set(PERF_HEAP_MIN, (int64_t)s.initial);
    perf_set(PERF_HEAP_MAX, (int64_t)s.max);
    perf_set(PERF_SPACE_INITIAL, (int64_t)s.initial);
    perf_set(PERF_SPACE_MAX, (int64_t)s.max);
}

void perf_counters_name(void) {
    name_texts();
    set_constants();
}

void perf_counters_started(void) {
    show_heap();
    perf_new_constant("java.property.java.version", known_class(java_lang_Object)->module->version->bytes);
    perf_set(PERF_INIT_DONE, os_wall_millis());
    perf_set(PERF_CREATE_END, os_wall_millis());
    perf_counters_tick();
    perf_data_show();
}

void perf_counters_collected(const struct heap_collection *c) {
    show_heap();
    perf_set_text(PERF_GC_LAST_CAUSE, c->cause);
    perf_set_text(PERF_GC_CAUSE, "No GC");
    perf_add(PERF_GC_COUNT, 1);
    perf_add(PERF_GC_TIME, c->nanos);
    perf_set(PERF_GC_LAST_ENTRY, c->began - vm->start_nanos);
    perf_set(PERF_GC_LAST_EXIT, c->ended - vm->start_nanos);
}

int perf_counters_interval(void) {
    const struct vm_flags *flags = &vm->options->flags;
    if (vm->library != LIBRARY_17 || !flags->UsePerfData) return -1;
    return (int)MIN(flags->PerfDataSamplingInterval, (int64_t)INT_MAX);
}

void perf_counters_tick(void) { perf_set(PERF_TICKS, os_nanotime() - vm->start_nanos); }
