/* receivers.h — which classes the receivers of a method's calls have had while its baseline code counted. What is
 * inlined at a call is what such a class has for it (optimising/inline.c): the code asks, so what is noted need not be
 * all. The table is under the lock of compiled code; running code notes without one (jit/call_sites.h). */
#ifndef VITRINE_JIT_RECEIVERS_H
#define VITRINE_JIT_RECEIVERS_H

#include <stdatomic.h>

#include "base/table.h"

struct method;
struct method_code;

/* An invokevirtual or invokeinterface, which may be quick. */
struct receiver_site {
    const struct method *named;          /* the method in the cell; of both it is set when code is made for the call */
    uint32_t vtable_offset;              /* ... its place in vtables, bytes; of an interface's method nothing        */
    uint32_t site, bci;                  /* for the stub call_site, while it is not known what is named             */
    _Atomic uint32_t first, other;       /* class ids: the first, and one more; 0: there has been none               */
    _Atomic uint32_t first_calls, other_calls, more_calls;       /* of theirs and of further classes' objects, about */
};
enum { MOST_CALLS_COUNTED = 1 << 16 };   /* of each kind: threads share the site                                     */
struct receivers {
    uint32_t count;
    struct receiver_site sites[];        /* by bci                                                                  */
};

/* By struct method_code. */
struct receiver_tables { struct ptr_table map; };

/* The same for all code of the version, until it is forgotten. NULL: it calls nothing of the kind, or no memory. */
struct receivers *receivers_of(struct receiver_tables *t, const struct method_code *code);
/* NULL: there is none. */
struct receiver_site *receivers_site(struct receivers *r, uint32_t bci);

/* What has been noted of a call: see struct receiver_site. */
struct receivers_seen { uint32_t first, other, first_calls, other_calls, more_calls; };
struct receivers_seen receivers_seen_at(const struct receiver_tables *t, const struct method_code *code, uint32_t bci);

void receivers_forget(struct receiver_tables *t, const struct method_code *code);
/* Ids of classes that are gone are forgotten before they are given again. World stopped. */
void receivers_forget_classes(const struct receiver_tables *t);
void receivers_free(struct receiver_tables *t);

#endif
