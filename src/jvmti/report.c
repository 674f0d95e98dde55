/* report.c — jcmd's Vitrine.agents: who watches, what, and what of its cost is known.
 *
 * What has to be counted while agents run is counted when somebody asks for it (cost.h). */
#include <inttypes.h>
#include <stdio.h>

#include "jvmti/cost.h"
#include "jvmti/post.h"
#include "jvmti/tools.h"
#include "thread/identity.h"

/* The names of the bits that are set, in lines of the page's width; `name_of` NULL for a bit without a name. */
static void put_bits(FILE *out, const char *title, uint64_t bits, const char *(*name_of)(unsigned bit)) {
    enum { WIDTH = 110, INDENT = 16 };
    int column = fprintf(out, "  %-14s", title);
    bool any = false;
    for (unsigned i = 0; i < 64; i++) {
        const char *name = bits >> i & 1 ? name_of(i) : NULL;
        if (name == NULL) continue;
        if (column + (int)strlen(name) + 1 > WIDTH) column = fprintf(out, "\n%*s", INDENT, "") - 1;
        column += fprintf(out, " %s", name);
        any = true;
    }
    fputs(any ? "\n" : " none\n", out);
}

static const char *capability_name(unsigned bit) {
    return bit < JVMTI_CAPABILITY_COUNT ? jvmti_capability_names[bit] : NULL;
}

static const char *event_name(unsigned bit) {
    return bit <= JVMTI_EVENT_LAST - JVMTI_EVENT_FIRST ? jvmti_event_rows[bit].name : NULL;
}

static bool count_tagged(void *arg, struct object *o, int64_t tag) {
    (void)o, (void)tag;
    ++*(size_t *)arg;
    return true;
}

/* World stopped. */
static void put_environment(FILE *out, struct jvmti_env *env) {
    uint32_t v = (uint32_t)env->version;
    fprintf(out, "Environment %d: version %u.%u.%u%s%s\n", env->index, v >> 16 & 0xfff, v >> 8 & 0xff, v & 0xff,
            env->agent[0] ? ", made by " : "", env->agent);
    put_bits(out, "Capabilities:", atomic_load(&env->capabilities), capability_name);
    put_bits(out, "Events:", atomic_load(&env->enabled), event_name);
    put_bits(out, "of threads:", atomic_load(&env->enabled_somewhere) & ~atomic_load(&env->enabled), event_name);
    put_bits(out, "Callbacks:", atomic_load(&env->has_callback), event_name);
    fprintf(out, "  Breakpoints:    %zu\n  Field watches:  %zu on access, %zu on modification\n",
            env->breakpoints.count, env->access_watches.count, env->modification_watches.count);
    struct tag_table *tags = atomic_load(&env->tags);
    size_t tagged = 0;
    if (tags != NULL) heap_tags_walk(tags, NULL, count_tagged, &tagged);
    fprintf(out, "  Tags:           %zu objects, %zu bytes\n", tagged, tags != NULL ? heap_tags_bytes(tags) : 0);
    jvmti_cost_report(env, out);
}

static void put_agent_thread(FILE *out, const struct java_thread *t) {
    int64_t cpu = thread_cpu_ns(t, false);
    fprintf(out, "  \"%s\": %.2f ms of processor time\n", t->name, cpu > 0 ? (double)cpu / 1e6 : 0.0);
}

static void put_library(void *out, const char *name) { fprintf(out, "  %s\n", name); }

void agents_report(struct os_thread *self, FILE *out, enum agents_measure measure) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (measure != AGENTS_MEASURE_AS_BEFORE) jvmti_measure(self, measure == AGENTS_MEASURE_ON);
    safepoint_begin(self, "Agents");
    MAY_ALLOCATE("the report says less");
    fprintf(out, "Agents:\n");
    if (vm->jvmti->agents == NULL) fprintf(out, "  none\n");
    agents_visit(put_library, out);
    for (struct jvmti_env *env = jvmti_first_env(); env != NULL; env = atomic_load(&env->next))
        if (!atomic_load(&env->disposed)) put_environment(out, env);
    bool any = false;
    for (const struct java_thread *t = threads_first(); t != NULL; t = t->next) {
        if (!t->of_tool) continue;
        if (!any) fprintf(out, "Threads of agents:\n");
        put_agent_thread(out, t);
        any = true;
    }
    if (!atomic_load(&vm->jvmti->measures))
        fprintf(out, "Calls and callbacks are counted and timed from measure=true to measure=false.\n");
    safepoint_end(self);
}
