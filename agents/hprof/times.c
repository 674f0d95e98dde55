/* times.c: calls and times of methods.
 *
 * Each thread has a stack of the calls it is in, and nodes: a node stands for a trace (the innermost depth= methods).
 * Which node a call leads to depends on the node it is made in and on the method alone, so a call costs a look at the
 * node called last from there, or else one look-up in the thread's own table, without a lock; only a new node needs the
 * shared tables. Events were chosen over rewriting bytecode: they count native methods and exits by exception exactly,
 * change nothing in the program's classes, and cost little on our VM, whose event filters do everything for a call
 * whose node is known. */
#include "times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "hprof.h"
#include "report.h"

enum { NO_NODE = UINT32_MAX, ROOT_NODE = NO_NODE - 1 };

struct node {
    jmethodID method;
    struct node *last_child;                         /* the one called last from here; never NULL         */
    uint32_t number, trace;
    _Atomic uint64_t calls, self, whole;             /* written by the owner, read by reports             */
};

struct call { struct node *node; uint64_t start, inner; };

/* (node, method) or (NO_NODE, trace) -> node */
struct edge { uint32_t from; uint32_t to; uint64_t key; };

struct call_stack {
    struct call *top;                                /* the present call; at the bottom there is one of the root */
    struct call *calls, *end;
    struct overhead_turns turns;
    struct node **nodes;
    uint32_t node_count, node_capacity;
    struct edge *edges;                              /* open addressing; to == NO_NODE: empty             */
    uint32_t edge_count, edge_capacity;              /* capacity: a power of two                          */
    uint32_t thread;                                 /* serial                                            */
    struct node root;                                /* has no method and is in no report                 */
};

struct times {
    struct stable ended;                             /* struct spent by trace: of threads that are gone   */
    uint64_t first_tick;
    int64_t first_time;
};

static _Atomic(struct hprof *) profile;
static struct node no_node;                          /* no child: has no method, and is never changed     */

/* This thread's stack in the profile that has the number: a thread may outlive one, and meet the next. */
static _Thread_local struct { uint32_t profile; struct call_stack *stack; } own;

/* ---- the clock --------------------------------------------------------------------------------------------------- */

static bool has_steady_counter;                      /* the processor's, of a constant rate whatever its state */

static bool find_steady_counter(void) {
#ifdef __x86_64__
    unsigned a, b, c, d;
    enum { POWER_MANAGEMENT = 0x80000007, INVARIANT = 1 << 8 };
    return __get_cpuid((unsigned)POWER_MANAGEMENT, &a, &b, &c, &d) && d & INVARIANT;
#else
    return false;
#endif
}

static inline uint64_t ticks(void) {
#ifdef __x86_64__
    if (__builtin_expect(has_steady_counter, 1)) return __builtin_ia32_rdtsc();
#endif
    return (uint64_t)hprof_now();
}

/* Nanoseconds of a tick, measured over the whole run. */
static double tick_length(const struct times *t) {
    uint64_t passed = ticks() - t->first_tick;
    return passed > 0 ? (double)(hprof_now() - t->first_time) / (double)passed : 0;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static uint32_t slot_of(const struct call_stack *s, uint32_t from, uint64_t key) {
    uint64_t hash = (key ^ (uint64_t)from << 32 ^ from) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 32) & (s->edge_capacity - 1);
    while (s->edges[at].to != NO_NODE && (s->edges[at].from != from || s->edges[at].key != key))
        at = (at + 1) & (s->edge_capacity - 1);
    return at;
}

static bool grow_edges(struct call_stack *s) {
    struct edge *old = s->edges;
    uint32_t old_capacity = s->edge_capacity, capacity = old_capacity > 0 ? old_capacity * 2 : 1024;
    struct edge *fresh = malloc(capacity * sizeof *fresh);
    if (fresh == NULL) return false;
    for (uint32_t i = 0; i < capacity; i++) fresh[i].to = NO_NODE;
    s->edges = fresh;
    s->edge_capacity = capacity;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].to != NO_NODE) fresh[slot_of(s, old[i].from, old[i].key)] = old[i];
    free(old);
    return true;
}

static bool add_edge(struct call_stack *s, uint32_t from, uint64_t key, uint32_t to) {
    if ((s->edge_count + 1) * 2 > s->edge_capacity && !grow_edges(s)) return false;
    s->edges[slot_of(s, from, key)] = (struct edge){from, to, key};
    s->edge_count++;
    return true;
}

/* Lock held, since reports read the list of nodes. NULL: no memory. */
static struct node *add_node(struct call_stack *s, jmethodID method, uint32_t trace) {
    if (s->node_count == s->node_capacity) {
        uint32_t capacity = s->node_capacity > 0 ? s->node_capacity * 2 : 256;
        struct node **grown = realloc(s->nodes, capacity * sizeof *grown);
        if (grown == NULL) return NULL;
        s->nodes = grown;
        s->node_capacity = capacity;
    }
    struct node *n = calloc(1, sizeof *n);
    if (n == NULL) return NULL;
    *n = (struct node){.method = method, .last_child = &no_node, .number = s->node_count, .trace = trace};
    return s->nodes[s->node_count++] = n;
}

/* The node that an edge leads to; NULL: there is none. */
static struct node *follow(const struct call_stack *s, uint32_t from, uint64_t key) {
    uint32_t to = s->edge_capacity > 0 ? s->edges[slot_of(s, from, key)].to : NO_NODE;
    return to != NO_NODE ? s->nodes[to] : NULL;
}

/* The trace of a call of `method` in the present stack. */
static uint32_t trace_of_call(struct hprof *h, JNIEnv *jni, const struct call_stack *s, jmethodID method) {
    uint32_t depth = h->options.cpu == CPU_OLD ? 2 : (uint32_t)h->options.depth, count = 0;
    jmethodID *methods = depth > 0 ? malloc(depth * sizeof *methods) : NULL;
    if (methods == NULL) return 0;
    methods[count++] = method;
    for (const struct call *c = s->top; c > s->calls && count < depth; c--) methods[count++] = c->node->method;
    uint32_t trace = trace_put_methods(h, jni, methods, count, s->thread);
    free(methods);
    return trace;
}

/* The node of a call that leads to a new one, or has not yet led to it from here. NULL: no memory. */
static struct node *find_node(struct hprof *h, JNIEnv *jni, struct call_stack *s, jmethodID method) {
    hprof_lock(h);
    /* With depth=0 all methods share a trace, but not the node that says which method is left. */
    uint32_t trace = trace_of_call(h, jni, s, method);
    bool shared = trace != 0;
    struct node *to = shared ? follow(s, NO_NODE, trace) : NULL;
    if (to == NULL) {
        to = add_node(s, method, trace);
        if (to != NULL && shared && !add_edge(s, NO_NODE, trace, to->number)) to = NULL;
    }
    if (to != NULL && !add_edge(s, s->top->node->number, (uint64_t)(uintptr_t)method, to->number)) to = NULL;
    hprof_unlock(h);
    return to;
}

/* ---- a thread's stack -------------------------------------------------------------------------------------------- */

static bool grow_calls(struct call_stack *s) {
    size_t depth = (size_t)(s->top - s->calls), capacity = s->calls != NULL ? (size_t)(s->end - s->calls) * 2 : 256;
    struct call *grown = realloc(s->calls, capacity * sizeof *grown);
    if (grown == NULL) return false;
    s->calls = grown;
    s->top = grown + depth;
    s->end = grown + capacity;
    return true;
}

static void stack_free(struct call_stack *s) {
    for (uint32_t i = 0; i < s->node_count; i++) free(s->nodes[i]);
    free(s->nodes);
    free(s->calls);
    free(s->edges);
    free(s);
}

static struct call_stack *stack_new(uint32_t thread) {
    struct call_stack *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->thread = thread;
    s->root = (struct node){.last_child = &no_node, .number = ROOT_NODE};
    if (grow_calls(s)) {
        *s->top = (struct call){.node = &s->root};
        return s;
    }
    stack_free(s);
    return NULL;
}

/* The current thread's; NULL: no memory, or it has ended. */
static struct call_stack *stack_of(struct hprof *h, JNIEnv *jni, jthread thread) {
    if (own.profile == h->number) return own.stack;
    hprof_lock(h);
    struct thread_info *t = thread_of(h, jni, thread);
    if (t != NULL && t->calls == NULL && !t->ended) t->calls = stack_new(t->serial);
    struct call_stack *s = t != NULL ? t->calls : NULL;
    hprof_unlock(h);
    if (s != NULL) own.stack = s, own.profile = h->number;
    return s;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static inline void add(_Atomic uint64_t *counter, uint64_t n) {
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + n, memory_order_relaxed);
}

static inline void push(struct call_stack *s, struct node *n) {
    struct call *c = ++s->top;
    add(&n->calls, 1);
    c->node = n;
    c->inner = 0;
    c->start = ticks();
}

/* Where a call leads that has been made from here before; NULL: none has. */
static inline struct node *known_node(struct call_stack *s, jmethodID method) {
    struct node *caller = s->top->node;
    if (__builtin_expect(caller->last_child->method == method, 1)) return caller->last_child;
    struct node *n = follow(s, caller->number, (uint64_t)(uintptr_t)method);
    if (n != NULL) caller->last_child = n;
    return n;
}

static inline void leave(struct call_stack *s, uint64_t now) {
    struct call *c = s->top--;
    uint64_t whole = now - c->start;
    add(&c->node->whole, whole);
    add(&c->node->self, whole > c->inner ? whole - c->inner : 0);
    s->top->inner += whole;
}

static inline void leave_method(struct call_stack *s, jmethodID method, uint64_t now) {
    if (__builtin_expect(s->top->node->method == method, 1)) {
        leave(s, now);
        return;
    }
    /* A method that was entered before collecting began; or calls inside it whose exit was not reported. */
    struct call *c = s->top;
    while (c > s->calls && c->node->method != method) c--;
    while (c > s->calls && s->top >= c) leave(s, now);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

void JNICALL times_on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method) {
    (void)env;
    struct hprof *h = atomic_load_explicit(&profile, memory_order_relaxed);
    if (h == NULL || hprof_inside > 0) return;
    struct call_stack *s = stack_of(h, jni, thread);
    if (s == NULL) return;
    struct overhead_mark mark = overhead_begin_turn(&s->turns);
    struct node *n = known_node(s, method);
    if (n == NULL) n = find_node(h, jni, s, method);
    if (n != NULL && (s->top + 1 < s->end || grow_calls(s))) push(s, n);
    if (mark.weight > 0) overhead_end(h, mark);
}

void JNICALL times_on_exit(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean by_exception,
                           jvalue value) {
    (void)env, (void)jni, (void)thread, (void)by_exception, (void)value;
    struct hprof *h = atomic_load_explicit(&profile, memory_order_relaxed);
    if (h == NULL || own.profile != h->number || hprof_inside > 0) return;
    uint64_t now = ticks();
    struct overhead_mark mark = overhead_begin_turn(&own.stack->turns);
    leave_method(own.stack, method, now);
    if (mark.weight > 0) overhead_end(h, mark);
}

/* The filters leave to the events what takes more than the thread's own tables. */
static inline struct call_stack *stack_kept(const struct thread_info *t) { return t != NULL ? t->calls : NULL; }

jboolean JNICALL times_ask_entry(void *storage, jmethodID method) {
    struct call_stack *s = stack_kept(storage);
    if (hprof_inside > 0) return JNI_FALSE;
    if (s == NULL) return JNI_TRUE;
    struct overhead_mark mark = overhead_begin_turn(&s->turns);
    struct node *n = s->top + 1 < s->end ? known_node(s, method) : NULL;
    if (n != NULL) push(s, n);
    if (mark.weight > 0) overhead_end(atomic_load(&profile), mark);
    return n == NULL;
}

jboolean JNICALL times_ask_exit(void *storage, jmethodID method, jboolean by_exception) {
    (void)by_exception;
    uint64_t now = ticks();
    struct call_stack *s = stack_kept(storage);
    if (hprof_inside > 0) return JNI_FALSE;
    if (s == NULL) return JNI_TRUE;
    struct overhead_mark mark = overhead_begin_turn(&s->turns);
    leave_method(s, method, now);
    if (mark.weight > 0) overhead_end(atomic_load(&profile), mark);
    return JNI_FALSE;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static void add_to(struct spent *to, const struct node *n) {
    to->calls += atomic_load_explicit(&n->calls, memory_order_relaxed);
    to->self += atomic_load_explicit(&n->self, memory_order_relaxed);
    to->whole += atomic_load_explicit(&n->whole, memory_order_relaxed);
}

void times_thread_end(struct hprof *h, struct thread_info *t) {
    struct call_stack *s = t->calls;
    t->calls = NULL;
    own.profile = 0;
    if (s == NULL) return;
    uint64_t now = ticks();
    while (s->top > s->calls) leave(s, now);
    for (uint32_t i = 0; i < s->node_count; i++) {
        struct spent *to = stable_make(&h->times->ended, s->nodes[i]->trace);
        if (to != NULL) add_to(to, s->nodes[i]);
    }
    stack_free(s);
}

struct spent *times_sum(struct hprof *h) {
    uint32_t count = trace_count(h);
    struct spent *sums = calloc(count, sizeof *sums);
    if (sums == NULL) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct spent *ended = stable_make(&h->times->ended, i);
        if (ended != NULL) sums[i] = *ended;
    }
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        const struct known *k = known_by_tag(h, id);
        const struct call_stack *s = k != NULL && k->kind == KNOWN_THREAD ? ((const struct thread_info *)k)->calls
                                                                          : NULL;
        for (uint32_t i = 0; s != NULL && i < s->node_count; i++) add_to(&sums[s->nodes[i]->trace], s->nodes[i]);
    }
    double length = tick_length(h->times);
    for (uint32_t i = 0; i < count; i++) {
        sums[i].self = (uint64_t)((double)sums[i].self * length);
        sums[i].whole = (uint64_t)((double)sums[i].whole * length);
    }
    return sums;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void write_old(struct hprof *h, const struct spent *sums) {
    output_format(h->out, "count callee caller time\n");
    for (uint32_t i = 1; i < trace_count(h); i++) {
        if (sums[i].calls == 0) continue;
        const struct trace *t = trace_get(h, i);
        const struct method_info *callee = trace_method(h, t, 0, NULL),
                                 *caller = t->frame_count > 1 ? trace_method(h, t, 1, NULL) : NULL;
        output_format(h->out, "%llu %s.%s%s ", (unsigned long long)sums[i].calls, callee->class->name, callee->name,
                      callee->signature);
        if (caller != NULL) output_format(h->out, "%s.%s%s", caller->class->name, caller->name, caller->signature);
        else output_format(h->out, "<unknown caller>");
        output_format(h->out, " %llu\n", (unsigned long long)sums[i].whole / 1000000);
    }
    output_commit(h->out);
}

static void write_ranked(struct hprof *h, const struct spent *sums) {
    uint32_t count = 0;
    uint64_t total = 0;
    char date[32];
    struct rank_row *rows = malloc(trace_count(h) * sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < trace_count(h); i++) {
        if (sums[i].calls == 0) continue;
        total += sums[i].self;
        rows[count++] = (struct rank_row){sums[i].self, sums[i].calls, i, NULL};
    }
    output_format(h->out, "CPU TIME (ms) BEGIN (total = %llu) %s\n", (unsigned long long)total / 1000000,
                  hprof_date(date));
    if (rows != NULL) report_ranked(h, rows, count, total, "method");
    output_format(h->out, "CPU TIME (ms) END\n");
    output_commit(h->out);
    free(rows);
}

void times_write(struct hprof *h) {
    struct spent *sums = times_sum(h);
    if (sums == NULL) {
        fprintf(stderr, "hprof: out of memory for the times\n");
        return;
    }
    if (h->options.cpu == CPU_OLD) {
        write_old(h, sums);
    } else {
        traces_write(h);
        write_ranked(h, sums);
    }
    free(sums);
}

bool times_start(struct hprof *h) {
    h->times = calloc(1, sizeof *h->times);
    if (h->times == NULL) return false;
    h->times->ended.size = sizeof(struct spent);
    has_steady_counter = find_steady_counter();
    h->times->first_tick = ticks();
    h->times->first_time = hprof_now();
    atomic_store(&profile, h);
    return true;
}

void times_free(struct hprof *h) {
    if (h->times == NULL) return;
    atomic_store(&profile, NULL);
    stable_free(&h->times->ended);
    free(h->times);
    h->times = NULL;
}
