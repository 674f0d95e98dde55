/* site_targets.h — the call sites (java.lang.invoke.CallSite) whose targets compiled code takes for constants, and how
 * often those have changed nevertheless. Under the lock of compiled code. */
#ifndef VITRINE_JIT_SITE_TARGETS_H
#define VITRINE_JIT_SITE_TARGETS_H

#include "base/table.h"

struct object;

/* By call site: whether code relies on its target, and how often it has changed while code did. */
struct site_targets { struct ptr_table map; };

/* Code is about to rely on the site's target. False: that changes too often, or there is no memory. */
bool site_rely(struct site_targets *t, const struct object *site);
bool site_is_relied_on(const struct site_targets *t, const struct object *site);
/* The target changes; no code relies on it any more. */
void site_changed(struct site_targets *t, const struct object *site);
/* World stopped: sites that are not live are forgotten. */
void site_targets_clear_weak(struct site_targets *t, bool (*is_live)(struct object *o));
void site_targets_free(struct site_targets *t);

#endif
