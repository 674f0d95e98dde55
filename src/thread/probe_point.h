/* probe_point.h: what the engine calls where something happens: probe_<name>() for every row of probes.def.
 *
 * It stands in the lowest room that has a mask to test, so that every room fires its events itself. A probe that nobody
 * wants costs one load and one test. What becomes of one that somebody wants is the business of probe/: who subscribes,
 * in which order, with what around the callback. No internal lock is held, and no exception is pending unless the event
 * says so. */
#ifndef VITRINE_THREAD_PROBE_POINT_H
#define VITRINE_THREAD_PROBE_POINT_H

#include "thread/thread.h"
#include "vm/vm.h"

struct class;
struct class_file_hook;
struct code_report;
struct field;
struct frame;
struct method;
struct method_code;

enum {
    PROBE_FIRST = 50,
#define PROBE(scope, interface, name, number, parameters, arguments) PROBE_##name = (number),
#include "thread/probes.def"
#undef PROBE
};
#define PROBE_MASK(number) (UINT64_C(1) << ((number) - PROBE_FIRST))

/* Does anybody want these events of this thread? The same test as in probe_<name>(), for what only prepares
 * an event. */
static inline bool probe_wanted(const struct os_thread *self, unsigned number) {
    return self->java != NULL && __builtin_expect((atomic_load_explicit(&self->java->event_mask, memory_order_relaxed) &
                                                   PROBE_MASK(number)) != 0,
                                                  0);
}
/* Of any thread, or of none. */
static inline bool probe_wanted_by_world(unsigned number) {
    return __builtin_expect((atomic_load_explicit(&vm->event_mask, memory_order_relaxed) & PROBE_MASK(number)) != 0, 0);
}

/* Where what is fired goes (vm->probe_receivers), filled by probe/: to the only subscriber, or to all of them. */
struct probe_receivers {
#define PROBE(scope, interface, name, number, parameters, arguments) void (*_Atomic name) parameters;
#include "thread/probes.def"
#undef PROBE
};

/* probe_class_load(self, c) and so on test the mask; probe_fire_class_load(self, c) does not. */
#define PROBE_WANTED_THREAD(number) probe_wanted(self, number)
#define PROBE_WANTED_WORLD(number) probe_wanted_by_world(number)
#define PROBE(scope, interface, name, number, parameters, arguments)                                                   \
    static inline void probe_fire_##name parameters {                                                                  \
        atomic_load_explicit(&vm->probe_receivers->name, memory_order_relaxed) arguments;                              \
    }                                                                                                                  \
    static inline void probe_##name parameters {                                                                       \
        if (PROBE_WANTED_##scope(number)) probe_fire_##name arguments;                                                 \
    }
#include "thread/probes.def"
#undef PROBE

#endif
