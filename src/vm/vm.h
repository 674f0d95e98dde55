/* vm.h — the one record that holds the state of the virtual machine, common ground of all rooms. */
#ifndef VITRINE_VM_VM_H
#define VITRINE_VM_VM_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct heap;          /* heap/   */
struct thread_list;   /* thread/ */
struct vm_options;    /* base/options.h */
struct loader;        /* link/   */
struct os_thread;
struct java_thread;
struct object;
struct perf_data;     /* base/perf_data.h */
struct events;        /* base/events.c */
struct method;
struct class;

/* The class library that this VM runs on; decided once at start-up. */
enum library { LIBRARY_17 = 17, LIBRARY_25 = 25 };

/* JVM TI phases, in the encoding of the specification. */
enum vm_phase { PHASE_ONLOAD = 1, PHASE_PRIMORDIAL = 2, PHASE_LIVE = 4, PHASE_START = 6, PHASE_DEAD = 8 };

/* All mutable state of a virtual machine. There is at most one per loaded copy of this library, so `vm` below
 * is the list of VMs; a second VM at once needs a second copy of the library and thereby of this pointer. */
struct vm {
    JavaVM jni;                         /* first: a JavaVM* is the address of this record   */
    enum library library;
    char *java_home;                    /* owned                                            */
    struct vm_options *options;
    _Atomic int phase;                  /* enum vm_phase                                    */
    int64_t start_nanos;                /* os_nanotime at creation                          */
    int64_t start_millis;               /* wall clock at creation                           */
    _Atomic bool exiting;               /* no new Java threads; System.exit or Destroy runs */
    _Atomic uint64_t event_mask;        /* probes that somebody wants of any thread or none */

    _Atomic bool contention_timed;      /* ThreadMXBean.setThreadContentionMonitoringEnabled */
    const struct JNINativeInterface_ *_Atomic jni_functions; /* what new threads get; set by jni/ */

    struct perf_data *perf;             /* performance counters; NULL before there are any  */
    struct events *events;              /* what has happened last; NULL: it is not kept     */
    struct heap *heap;
    struct thread_list *threads;
    struct loader *boot_loader;
    struct link_state *link;            /* known classes, symbols, string table, modules    */
    struct exec_state *exec;
    struct jit_state *jit;
    struct jni_state *jni_state;
    struct jdk_state *jdk;
    struct probe_state *probes;
    struct probe_receivers *probe_receivers; /* ... where events go: thread/probe_point.h */
    struct jvmti_state *jvmti;
    struct jvmpi_state *jvmpi;
    struct object *main_thread_group;   /* roots: visited by link/                          */
    struct object *system_thread_group;
};

extern struct vm *vm;                   /* NULL while no VM lives */
/* The JavaVM of this copy of the library, whether it lives or not. */
extern JavaVM *const vm_java_vm;

#endif
