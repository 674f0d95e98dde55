/* The thread room without a heap: monitors, waits, stops, handshakes, suspension, parking, handles. Objects are plain
 * memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "thread/handle.h"
#include "thread/hooks.h"
#include "thread/identity.h"
#include "thread/monitor.h"
#include "thread/thread_internal.h"

static struct vm test_vm;
static struct vm_options test_options;
static struct os_thread *self;

/* ---- what the room asks of those above it: nothing happens there ------------------------------------------------- */

static _Atomic int freed[EXT_COUNT];
static void free_probe(void *record) { freed[EXT_PROBE]++; mem_free(record); }
static void free_jvmti(void *record) { freed[EXT_JVMTI]++; mem_free(record); }
static void free_jvmpi(void *record) { freed[EXT_JVMPI]++; mem_free(record); }

static void no_frames(struct heap_visitor *v, struct java_thread *t) { (void)v, (void)t; }
static void ignore_thread(struct os_thread *t) { (void)t; }
static void ignore_end(void) {}
static bool never_interrupted(struct java_thread *t, bool clear) { (void)t, (void)clear; return false; }
static void ignore_status(struct java_thread *t, int32_t status) { (void)t, (void)status; }
static void ignore_message(struct os_thread *me, const char *message) { (void)me, (void)message; }

const struct thread_hooks thread_hooks = {
    .visit_frames = no_frames,
    .stack_goes = ignore_thread,
    .exited = ignore_thread,
    .ends = ignore_thread,
    .free_extension = {[EXT_PROBE] = free_probe, [EXT_JVMTI] = free_jvmti, [EXT_JVMPI] = free_jvmpi},
    .wake = ignore_end,
    .read_interrupted = never_interrupted,
    .set_status = ignore_status,
    .out_of_memory = ignore_message,
    .memory_fault = ignore_thread,
};

static struct object *new_object(void) { return calloc(1, 16); }

static int set_up(void **state) {
    (void)state;
    vm = &test_vm;
    test_options.thread_stack_size = 256 * KIB;
    vm->options = &test_options;
    if (!threads_create() || !monitors_create()) return -1;
    handles_create();
    self = thread_attach_current((uintptr_t)__builtin_frame_address(0) + (64 << 10), 0, false);
    return self ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    thread_detach_current(self);
    monitors_destroy();
    handles_destroy();
    threads_destroy();
    vm = NULL;
    return 0;
}

static void start(void (*body)(struct os_thread *, void *), void *arg) {
    assert_true(thread_start(self, NULL, 0, false, THREAD_SHOWN, "worker", NULL, body, arg));
}

/* ---- monitors ---------------------------------------------------------------------------------------------------- */

struct counting { struct object *lock; long count; int rounds; };

static void count_up(struct os_thread *me, void *arg) {
    struct counting *c = arg;
    for (int i = 0; i < c->rounds; i++) {
        if (!monitor_enter_fast(me, c->lock, NULL)) monitor_enter(me, c->lock, NULL);
        bool again = i % 3 == 0;
        if (again) monitor_enter(me, c->lock, NULL);
        c->count++;
        if (again) monitor_exit(me, c->lock);
        if (!monitor_exit_fast(me, c->lock, NULL) && !monitor_exit(me, c->lock)) abort();
        thread_poll(me);
    }
}

static void contended_counts_are_exact(void **state) {
    (void)state;
    struct counting c = { new_object(), 0, 400 };
    for (int i = 0; i < 500; i++) start(count_up, &c);
    threads_wait_for_users(self);
    assert_int_equal(c.count, 500 * 400);
    assert_int_equal(threads_count(NULL, NULL, NULL), 1);
}

static bool everything_lives(struct object *o) { (void)o; return true; }

static void recursion_and_deflation(void **state) {
    (void)state;
    struct object *o = new_object();
    struct frame *frame = (struct frame *)&o;
    uint32_t entries;
    for (int i = 0; i < 600; i++) assert_true(monitor_enter(self, o, frame));
    assert_true((o->monitor & MONITOR_FAT) != 0);
    assert_ptr_equal(monitor_owner(o, &entries), self->java);
    assert_int_equal(entries, 600);
    assert_int_equal(self->java->lock_count, 600);
    for (int i = 0; i < 599; i++) assert_true(monitor_exit(self, o));
    assert_true(monitor_owned_by(o, self->java));
    monitors_sweep(everything_lives);
    assert_true((o->monitor & MONITOR_FAT) != 0);
    assert_int_equal(monitor_exit_frame(self, frame), 1);
    assert_false(monitor_exit(self, o));
    assert_int_equal(monitor_wait(self, o, 0, 0), WAIT_NOT_OWNER);
    assert_false(monitor_notify(self, o, true));
    monitors_sweep(everything_lives);
    assert_int_equal(o->monitor, 0);
    assert_null(monitor_owner(o, &entries));
}

struct pingpong { struct object *lock; int turn, rounds, waits; };

static void pingpong_body(struct os_thread *me, void *arg) {
    struct pingpong *p = arg;
    monitor_enter(me, p->lock, NULL);
    for (int i = 0; i < p->rounds; i++) {
        while (p->turn != 1) { monitor_wait(me, p->lock, 0, 0); p->waits++; }
        p->turn = 0;
        monitor_notify(me, p->lock, true);
    }
    monitor_exit(me, p->lock);
}

static void wait_and_notify_alternate(void **state) {
    (void)state;
    struct pingpong p = { new_object(), 0, 5000, 0 };
    start(pingpong_body, &p);
    monitor_enter(self, p.lock, NULL);
    for (int i = 0; i < p.rounds; i++) {
        while (p.turn != 0) monitor_wait(self, p.lock, 60000, 0);
        p.turn = 1;
        monitor_notify(self, p.lock, false);
    }
    monitor_exit(self, p.lock);
    threads_wait_for_users(self);
    assert_int_equal(p.turn, 0);
}

struct queue { struct object *lock; int items, taken, want; };

static void consumer(struct os_thread *me, void *arg) {
    struct queue *q = arg;
    for (int i = 0; i < q->want; i++) {
        monitor_enter(me, q->lock, NULL);
        while (q->items == 0) monitor_wait(me, q->lock, 10000, 0);
        q->items--;
        q->taken++;
        monitor_exit(me, q->lock);
    }
}

static void every_notification_counts(void **state) {
    (void)state;
    struct queue q = { new_object(), 0, 0, 200 };
    for (int i = 0; i < 50; i++) start(consumer, &q);
    for (int i = 0; i < 50 * q.want; i++) {
        monitor_enter(self, q.lock, NULL);
        q.items++;
        monitor_notify(self, q.lock, i % 7 == 0);
        monitor_exit(self, q.lock);
    }
    threads_wait_for_users(self);
    assert_int_equal(q.items, 0);
    assert_int_equal(q.taken, 50 * q.want);
}

static void waits_end_in_time_or_by_interrupt(void **state) {
    (void)state;
    struct object *o = new_object();
    monitor_enter(self, o, NULL);
    int64_t began = os_nanotime();
    assert_int_equal(monitor_wait(self, o, 20, 0), WAIT_TIMED_OUT);
    assert_true(os_nanotime() - began >= 20000000);
    thread_interrupt(self->java);
    assert_int_equal(monitor_wait(self, o, 0, 0), WAIT_INTERRUPTED);
    assert_false(thread_is_interrupted(self->java, false));
    assert_true(monitor_owned_by(o, self->java));
    assert_true(monitor_exit(self, o));
    thread_park(self, false, 0);       /* the interrupt left a permit */
    began = os_nanotime();
    thread_park(self, false, 10000000);
    assert_true(os_nanotime() - began >= 10000000);
    thread_interrupt(self->java);
    assert_false(thread_sleep(self, 60 * 1000000000ll));
    assert_true(thread_is_interrupted(self->java, true));
    assert_true(thread_sleep(self, 1000000));
}

static void sleeper(struct os_thread *me, void *arg) {
    struct counting *c = arg;
    monitor_enter(me, c->lock, NULL);
    enum wait_result r = monitor_wait(me, c->lock, 0, 0);
    if (r == WAIT_INTERRUPTED) c->count++;
    monitor_exit(me, c->lock);
    thread_park(me, false, 0);
    monitor_enter(me, c->lock, NULL);
    c->rounds++;
    monitor_exit(me, c->lock);
}

/* Waits for a condition without a deadline of its own: the other side must make progress. */
#define AWAIT(condition) while (!(condition)) { thread_poll(self); os_yield(); }

static void interrupts_reach_waiting_threads(void **state) {
    (void)state;
    struct counting c = { new_object(), 0, 0 };
    enum { N = 20 };
    for (int i = 0; i < N; i++) start(sleeper, &c);
    struct java_thread *waiting[N + 1];
    AWAIT(monitor_waiting(c.lock, waiting, N) == N);
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t; t = t->next)
        if (t != self->java) { thread_interrupt(t); thread_interrupt(t); }
    threads_unlock(self);
    threads_wait_for_users(self);
    assert_int_equal(c.count, N);
    assert_int_equal(c.rounds, N);
}

/* ---- stops ------------------------------------------------------------------------------------------------------- */

struct runner { _Atomic bool stop; _Atomic long work; int pipe[2]; struct object *lock; };

static void run_and_poll(struct os_thread *me, void *arg) {
    struct runner *r = arg;
    while (!r->stop) { r->work++; thread_poll(me); }
}

static void in_native(struct os_thread *me, void *arg) {
    struct runner *r = arg;
    char c;
    thread_to_native(me);
    if (read(r->pipe[0], &c, 1) != 1) abort();
    thread_from_native(me);
    r->work++;
}

static void native_storm(struct os_thread *me, void *arg) {
    struct runner *r = arg;
    while (!r->stop) {
        r->work++;
        thread_to_native(me);
        thread_from_native(me);
        struct c_segment segment;
        thread_to_native(me);
        thread_enter_vm(me, &segment);
        r->work++;
        thread_exit_vm(me, &segment);
        thread_from_native(me);
    }
}

static void contend(struct os_thread *me, void *arg) {
    struct runner *r = arg;
    while (!r->stop) {
        monitor_enter(me, r->lock, NULL);
        r->work++;
        monitor_exit(me, r->lock);
        thread_poll(me);
    }
}

static void churn_body(struct os_thread *me, void *arg) {
    (void)me;
    ((struct runner *)arg)->work++;
}

static void churn(struct os_thread *me, void *arg) {
    struct runner *r = arg;
    while (!r->stop) {
        if (!thread_start(me, NULL, 0, false, THREAD_SHOWN, "short", NULL, churn_body, r)) abort();
        thread_poll(me);
    }
}

static void runner_init(struct runner *r) {
    memset(r, 0, sizeof *r);
    assert_int_equal(pipe(r->pipe), 0);
    r->lock = new_object();
}

/* What a thread does at a stop: it runs foreign code, waits, or has not begun. One that is coming in shows IN_VM for as
 * long as it takes to find out that it may not; one that really runs would count r.work on. */
static enum thread_state resting_state(struct os_thread *t) {
    enum thread_state s = t->state;
    if (s != THREAD_IN_VM) return s;
    assert_true(t->attention & POLL_SAFEPOINT);
    while ((s = t->state) == THREAD_IN_VM) os_yield();
    return s;
}

static void the_world_stands_in_a_stop(void **state) {
    (void)state;
    struct runner r;
    runner_init(&r);
    for (int i = 0; i < 3; i++) {
        start(run_and_poll, &r);
        start(native_storm, &r);
        start(contend, &r);
        start(in_native, &r);
    }
    start(churn, &r);
    for (int i = 0; i < 300; i++) {
        safepoint_begin(self, "test");
        assert_true(safepoint_active());
        long before = r.work;
        safepoint_begin(self, "nested");
        safepoint_end(self);
        for (struct java_thread *t = threads_first(); t; t = t->next)
            if (t != self->java) {
                enum thread_state s = resting_state(t->carrier);
                assert_true(s == THREAD_IN_NATIVE || s == THREAD_BLOCKED || s == THREAD_NEW);
                for (struct c_segment *seg = t->carrier->segment; seg; seg = seg->previous)
                    assert_true(seg->exit != 0 && seg->exit < seg->base);
            }
        if (i % 10 == 0) usleep(200);
        assert_int_equal(r.work, before);
        safepoint_end(self);
        AWAIT(r.work != before);
    }
    r.stop = true;
    assert_int_equal(write(r.pipe[1], "abc", 3), 3);
    threads_wait_for_users(self);
}

struct counter { _Atomic long count; _Atomic bool stop; };

static void count_and_poll(struct os_thread *me, void *arg) {
    struct counter *c = arg;
    while (!c->stop) {
        c->count++;
        thread_poll(me);
    }
}

/* Between two stops, one right behind the other, every thread that polls gets on: unless the machine has given it no
 * processor, which the second stop has then waited for as long as it may. */
static void stops_let_others_go_on(void **state) {
    (void)state;
    enum { STOPS = 300, THREADS = 2 };
    struct counter counters[THREADS] = {{0}};
    long before[THREADS] = {0};
    int got_on = 0;
    for (int t = 0; t < THREADS; t++) {
        start(count_and_poll, &counters[t]);
        AWAIT(counters[t].count > 0);
    }
    for (int i = 0; i < STOPS; i++) {
        int64_t asked = os_nanotime();
        safepoint_begin(self, "test");
        bool was_patient = os_nanotime() - asked >= STOP_PATIENCE_NS;
        for (int t = 0; t < THREADS; t++) {
            long now = counters[t].count;
            assert_true(now > before[t] || was_patient);
            got_on += now > before[t];
            before[t] = now;
        }
        safepoint_end(self);
    }
    print_message("%d times of %d a thread got on between two stops\n", got_on, THREADS * STOPS);
    for (int t = 0; t < THREADS; t++) counters[t].stop = true;
    threads_wait_for_users(self);
}

static void two_stoppers(struct os_thread *me, void *arg) {
    struct counting *c = arg;
    for (int i = 0; i < c->rounds; i++) {
        safepoint_begin(me, "test");
        c->count++;
        safepoint_end(me);
    }
}

static void stops_exclude_each_other(void **state) {
    (void)state;
    struct counting c = { NULL, 0, 300 };
    for (int i = 0; i < 8; i++) start(two_stoppers, &c);
    two_stoppers(self, &c);
    threads_wait_for_users(self);
    assert_int_equal(c.count, 9 * 300);
}

static void look(void *arg, struct java_thread *t) {
    (void)t;
    (*(long *)arg)++;
}

static void handshakes_reach_every_state(void **state) {
    (void)state;
    struct runner r;
    runner_init(&r);
    start(run_and_poll, &r);
    start(native_storm, &r);
    start(in_native, &r);
    start(contend, &r);
    start(contend, &r);
    long looks = 0;
    struct java_thread *all[8];
    unsigned n = 0;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t; t = t->next) all[n++] = t;
    threads_unlock(self);
    assert_int_equal(n, 6);
    for (int i = 0; i < 2000; i++) assert_true(thread_handshake(self, all[i % n], NULL, look, &looks));
    assert_int_equal(looks, 2000);
    r.stop = true;
    assert_int_equal(write(r.pipe[1], "a", 1), 1);
    threads_wait_for_users(self);
    assert_false(thread_handshake(self, all[0] == self->java ? all[1] : all[0], NULL, look, &looks));
}

struct mutual { struct java_thread *threads[4]; _Atomic int ready; int rounds; _Atomic long looks; };

static void mutual_look(void *arg, struct java_thread *t) { (void)t; ((struct mutual *)arg)->looks++; }

static void mutual_body(struct os_thread *me, void *arg) {
    struct mutual *m = arg;
    int mine = m->ready++;
    m->threads[mine] = me->java;
    while (m->ready < 4) { thread_poll(me); os_yield(); }
    for (int i = 0; i < m->rounds; i++) {
        thread_handshake(me, m->threads[(mine + 1 + i % 3) % 4], NULL, mutual_look, m);
        if (i % 50 == 0) { safepoint_begin(me, "test"); safepoint_end(me); }
    }
}

static void threads_shake_hands_mutually(void **state) {
    (void)state;
    struct mutual m = { .rounds = 2000 };
    for (int i = 0; i < 4; i++) start(mutual_body, &m);
    threads_wait_for_users(self);
    assert_true(m.looks > 0);
}

static void suspended_threads_rest(void **state) {
    (void)state;
    struct runner r;
    runner_init(&r);
    start(contend, &r);
    start(contend, &r);
    start(contend, &r);
    struct java_thread *other[3];
    unsigned n = 0;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t; t = t->next)
        if (t != self->java) other[n++] = t;
    threads_unlock(self);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(thread_suspend(self, other[i % 3], NULL), SUSPEND_DONE);
        assert_int_equal(thread_suspend(self, other[i % 3], NULL), SUSPEND_ALREADY);
        if (!monitor_owned_by(r.lock, other[i % 3])) {
            long before = r.work;
            AWAIT(r.work > before + 10);       /* the other two go on */
        }
        assert_int_equal(thread_suspend(self, other[(i + 1) % 3], NULL), SUSPEND_DONE);
        assert_int_equal(thread_suspend(self, other[(i + 2) % 3], NULL), SUSPEND_DONE);
        long before = r.work;
        usleep(100);
        assert_int_equal(r.work, before);
        for (int k = 0; k < 3; k++) assert_true(thread_resume(self, other[k], NULL));
        AWAIT(r.work > before);
    }
    assert_false(thread_resume(self, other[0], NULL));
    r.stop = true;
    threads_wait_for_users(self);
}

struct parking { struct java_thread *t; _Atomic bool parked_out; _Atomic long count; long rounds; };

static void parker(struct os_thread *me, void *arg) {
    struct parking *p = arg;
    p->t = me->java;
    for (long i = 0; i < p->rounds; i++) {
        while (p->count <= i) thread_park(me, false, 0);
        p->parked_out = true;
    }
}

static void no_permit_is_lost(void **state) {
    (void)state;
    struct parking p = { .rounds = 20000 };
    start(parker, &p);
    AWAIT(*(struct java_thread *volatile *)&p.t);
    for (long i = 0; i < p.rounds; i++) { p.count++; thread_unpark(p.t); }
    threads_wait_for_users(self);
}

/* ---- identity ---------------------------------------------------------------------------------------------------- */

enum stage { STAGE_RUN, STAGE_FOREIGN, STAGE_PARK, STAGE_END, STAGE_GO };
struct stages { _Atomic(struct java_thread *) t; _Atomic int stage; int pipe[2]; };

static enum thread_activity activity_before_start;
static int tid_before_start;
static bool ended_before_start;

static void look_before_start(struct java_thread *t) {
    activity_before_start = thread_activity(t);
    tid_before_start = thread_tid(t);
    ended_before_start = thread_has_ended(t);
}

static void run_until(struct os_thread *me, struct stages *s, enum stage stage) {
    while (s->stage < (int)stage) { thread_poll(me); os_yield(); }
}

static void live_by_stages(struct os_thread *me, void *arg) {
    struct stages *s = arg;
    char c;
    s->t = me->java;
    run_until(me, s, STAGE_FOREIGN);
    thread_to_native(me);
    if (read(s->pipe[0], &c, 1) != 1) abort();
    thread_from_native(me);
    while (s->stage < STAGE_END) thread_park(me, false, 0);
    thread_mark_ended(me->java);
    run_until(me, s, STAGE_GO);
}

static void count_root(void *arg, enum thread_root kind, struct object *o) {
    (void)kind;
    *(unsigned *)arg += o != NULL;
}

/* What each question answers of a thread that runs. */
static void check_executed(struct java_thread *t) {
    uintptr_t low = 0, high = 0;
    threads_lock(self);
    JNIEnv *env = thread_jni_env(t);
    assert_true(thread_tid(t) != 0 && thread_tid(t) != thread_tid(self->java));
    assert_true(thread_cpu_ns(t, false) >= 0);
    assert_non_null(env);
    assert_ptr_equal(thread_of_env(env), t);
    assert_ptr_equal(thread_tlab(t), &thread_from_env(env)->tlab);
    assert_true(thread_c_stack(t, &low, &high) && low < high);
    assert_false(thread_has_ended(t));
    threads_unlock(self);
}

/* t waits in the VM. No thread is unmounted yet: the test takes its carrier away, and gives it back. */
static void check_unmounted(struct java_thread *t) {
    uintptr_t low, high;
    unsigned roots = 0;
    long looks = 0;
    struct object *o = new_object();
    safepoint_begin(self, "test");
    struct os_thread *carrier = t->carrier;
    t->carrier = NULL;
    t->scoped_cache = o;
    assert_int_equal(thread_activity(t), ACTIVITY_UNMOUNTED);
    assert_false(thread_has_ended(t));
    assert_int_equal(thread_tid(t), 0);
    assert_int_equal(thread_cpu_ns(t, false), -1);
    assert_false(thread_c_stack(t, &low, &high));
    assert_null(thread_jni_env(t));
    assert_null(thread_tlab(t));
    thread_each_root(t, count_root, &roots);
    assert_int_equal(roots, 1);
    thread_ask(t, POLL_SINGLE_STEP);
    thread_set_watch(t, WATCH_STEPS);
    assert_int_equal(thread_asked(t), POLL_SINGLE_STEP | WATCH_STEPS);
    thread_unask(t, POLL_SINGLE_STEP);
    thread_set_watch(t, 0);
    safepoint_end(self);

    struct object *of_a_dead_thread = (struct object *)&looks;       /* whose record t has now */
    assert_false(thread_handshake(self, t, of_a_dead_thread, look, &looks));
    assert_int_equal(thread_suspend(self, t, of_a_dead_thread), SUSPEND_ENDED);
    assert_true(thread_handshake(self, t, NULL, look, &looks));
    assert_int_equal(looks, 1);
    assert_int_equal(thread_suspend(self, t, NULL), SUSPEND_DONE);
    assert_int_equal(thread_suspend(self, t, NULL), SUSPEND_ALREADY);
    assert_int_equal(t->asked, POLL_SUSPEND);
    assert_false(thread_resume(self, t, of_a_dead_thread));
    assert_true(thread_resume(self, t, NULL));
    assert_int_equal(t->asked, 0);

    safepoint_begin(self, "test");
    assert_int_equal(carrier->attention & (POLL_SUSPEND | POLL_SINGLE_STEP | WATCH_ANY), 0);
    t->scoped_cache = NULL;
    t->carrier = carrier;
    assert_int_equal(thread_activity(t), ACTIVITY_WAITS);
    safepoint_end(self);
}

static void a_thread_answers_through_all_its_life(void **state) {
    (void)state;
    struct stages s = { .stage = STAGE_RUN };
    long looks = 0;
    assert_int_equal(pipe(s.pipe), 0);
    assert_true(thread_start(self, NULL, 0, false, THREAD_SHOWN, "stages", look_before_start, live_by_stages, &s));
    assert_int_equal(activity_before_start, ACTIVITY_STARTING);
    assert_int_equal(tid_before_start, 0);
    assert_false(ended_before_start);
    AWAIT(s.t);
    struct java_thread *t = s.t;
    assert_int_equal(thread_activity(t), ACTIVITY_RUNS);
    check_executed(t);
    s.stage = STAGE_FOREIGN;
    AWAIT(thread_activity(t) == ACTIVITY_FOREIGN);
    check_executed(t);
    s.stage = STAGE_PARK;
    assert_int_equal(write(s.pipe[1], "a", 1), 1);
    AWAIT(thread_activity(t) == ACTIVITY_WAITS);
    check_executed(t);
    check_unmounted(t);
    s.stage = STAGE_END;
    threads_lock(self);
    thread_unpark(t);
    threads_unlock(self);
    AWAIT(thread_has_ended(t));
    assert_int_equal(thread_activity(t), ACTIVITY_ENDED);
    assert_true(thread_handshake(self, t, NULL, look, &looks));       /* its last acts run */
    s.stage = STAGE_GO;
    threads_wait_for_users(self);
    assert_false(thread_handshake(self, t, NULL, look, &looks));
    assert_int_equal(looks, 1);
}

/* ---- extension records ------------------------------------------------------------------------------------------- */

struct keeping { _Atomic int ready; _Atomic bool go; struct java_thread *t; void *record[4]; };

/* All at once for the same thread: one record comes of it. */
static void extend_another(struct os_thread *me, void *arg) {
    struct keeping *k = arg;
    int mine = k->ready++;
    while (!k->go) { thread_poll(me); os_yield(); }
    k->record[mine] = thread_extend(k->t, EXT_JVMPI, 64);
}

static void extend_oneself(struct os_thread *me, void *arg) {
    (void)arg;
    thread_extend(me->java, EXT_PROBE, 8);
    thread_extension_set(me->java, EXT_JVMTI, mem_zalloc(8));
}

static void extension_records_go_with_their_thread(void **state) {
    (void)state;
    struct keeping k = { .t = self->java };
    for (int i = 0; i < EXT_COUNT; i++) {
        freed[i] = 0;
        assert_null(thread_extension(self->java, (enum thread_room)i));
    }
    for (int i = 0; i < 4; i++) start(extend_another, &k);
    AWAIT(k.ready == 4);
    k.go = true;
    threads_wait_for_users(self);
    const char zeros[64] = "";
    assert_memory_equal(k.record[0], zeros, sizeof zeros);
    for (int i = 0; i < 4; i++) assert_ptr_equal(k.record[i], thread_extension(self->java, EXT_JVMPI));
    assert_int_equal(freed[EXT_JVMPI], 0);

    for (int i = 0; i < 5; i++) start(extend_oneself, NULL);
    threads_wait_for_users(self);
    assert_int_equal(freed[EXT_PROBE], 5);
    assert_int_equal(freed[EXT_JVMTI], 5);
    assert_int_equal(freed[EXT_JVMPI], 0);
    thread_detach_current(self);
    assert_int_equal(freed[EXT_JVMPI], 1);
    self = thread_attach_current((uintptr_t)__builtin_frame_address(0) + (64 << 10), 0, false);
    assert_non_null(self);
    assert_null(thread_extension(self->java, EXT_JVMPI));
}

/* ---- ranks ------------------------------------------------------------------------------------------------------- */

#ifdef VITRINE_CHECK
/* Does `act` end a child process, with these words? */
static bool dies(void (*act)(void *arg), void *arg, const char *words) {
    int out[2], status = 0;
    char text[1024] = "";
    assert_int_equal(pipe(out), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(out[1], STDERR_FILENO);
        act(arg);
        _exit(0);
    }
    close(out[1]);
    for (ssize_t n, used = 0; (n = read(out[0], text + used, sizeof text - 1 - (size_t)used)) > 0;) used += n;
    close(out[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(text, words));
    return true;
}

static void take_both(void *arg) {
    struct lock **locks = arg;
    lock_acquire(locks[0]);
    lock_acquire(locks[1]);
    lock_release(locks[1]);
    lock_release(locks[0]);
}
static bool dies_of(struct lock *first, struct lock *second) {
    return dies(take_both, (struct lock *[]){first, second}, "taken while holding");
}
#endif

static void stops_and_handshakes_are_ranked(void **state) {
    (void)state;
#ifdef VITRINE_CHECK
    struct thread_list *list = thread_list();
    struct lock *hold = &self->java->hold, another_hold, service;
    lock_init(&another_hold, "another handshake", LOCK_RANK_HANDSHAKE);
    lock_init(&service, "service", LOCK_RANK_SERVICE);
    assert_true(dies_of(hold, &list->stop_lock));
    assert_true(dies_of(hold, &another_hold));
    assert_true(dies_of(&service, &list->stop_lock));
    assert_true(dies_of(&service, hold));
    assert_true(dies_of(&list->lock, &list->stop_lock));
    assert_true(dies_of(&list->lock, hold));
    assert_false(dies_of(&list->stop_lock, hold));
    assert_false(dies_of(&list->stop_lock, &list->lock));
    assert_false(dies_of(hold, &service));
    assert_false(dies_of(hold, &list->lock));

    assert_null(lock_held_below(LOCK_RANK_SAFEPOINT));
    safepoint_begin(self, "test");
    assert_string_equal(lock_innermost_name(), list->stop_lock.name);
    assert_null(lock_held_below(LOCK_RANK_SAFEPOINT));
    threads_lock(self);
    assert_string_equal(lock_held_below(LOCK_RANK_SAFEPOINT), list->lock.name);
    threads_unlock(self);
    safepoint_end(self);
    assert_null(lock_innermost_name());
#else
    skip();                              /* ranks are the CHECK build's */
#endif
}

/* ---- contracts --------------------------------------------------------------------------------------------------- */

#ifdef VITRINE_CHECK
static void demand_still(void *t) { REQUIRES_STILL((struct java_thread *)t); }
static bool may_run(struct java_thread *t) { return dies(demand_still, t, "a thread that does not run"); }

static void still_in_handshake(void *arg, struct java_thread *t) { *(bool *)arg = !may_run(t); }
#endif

/* With a carrier and without: what another thread's frames are worth depends on who keeps it from running. */
static void only_a_thread_that_is_kept_stands_still(void **state) {
    (void)state;
#ifdef VITRINE_CHECK
    struct stages s = { .stage = STAGE_PARK };
    assert_int_equal(pipe(s.pipe), 0);
    assert_int_equal(write(s.pipe[1], "a", 1), 1);
    assert_true(thread_start(self, NULL, 0, false, THREAD_SHOWN, "stages", look_before_start, live_by_stages, &s));
    AWAIT(s.t);
    struct java_thread *t = s.t;
    AWAIT(thread_activity(t) == ACTIVITY_WAITS);
    struct os_thread *carrier = t->carrier;
    assert_false(may_run(self->java));
    for (int round = 0; round < 2; round++) {
        bool still = false;
        assert_true(may_run(t));
        self->pinned = t;                /* its records stay; it need not stand */
        assert_true(may_run(t));
        self->pinned = NULL;
        assert_true(thread_handshake(self, t, NULL, still_in_handshake, &still));
        assert_true(still);
        safepoint_begin(self, "test");
        assert_false(may_run(t));
        t->carrier = round == 0 ? NULL : carrier;
        assert_false(may_run(t));
        safepoint_end(self);
    }
    s.stage = STAGE_GO;
    threads_lock(self);
    thread_unpark(t);
    threads_unlock(self);
    threads_wait_for_users(self);
#else
    skip();                              /* contracts are the CHECK build's */
#endif
}

/* ---- handles ----------------------------------------------------------------------------------------------------- */

static struct object *dying;
static bool not_dying(struct object *o) { return o != dying; }

static void handles_hold_their_objects(void **state) {
    (void)state;
    struct object *o = new_object(), *p = new_object();
    assert_null(handle_local(self, NULL));
    assert_true(handle_frame_push(self, 0, false));
    jobject first = handle_local(self, o);
    assert_ptr_equal(handle_get(first), o);
    assert_int_equal(handle_type(self, first), JNILocalRefType);
    assert_true(handle_frame_push(self, 16, true));
    jobject many[5000];
    for (int i = 0; i < 5000; i++) many[i] = handle_local(self, i % 2 ? o : p);
    for (int i = 0; i < 5000; i++) assert_ptr_equal(handle_get(many[i]), i % 2 ? o : p);
    handle_local_delete(self, many[7]);
    assert_int_equal(handle_type(self, many[7]), JNIInvalidRefType);
    assert_true(handle_frame_pop_jni(self));
    assert_false(handle_frame_pop_jni(self));
    assert_ptr_equal(handle_get(first), o);
    for (int i = 0; i < 100000; i++) handle_local_delete(self, handle_local(self, p));
    handle_frame_push(self, 0, true);
    handle_frame_pop(self);
    assert_null(self->handles);

    jobject g = handle_global(o);
    jweak w = handle_weak(p);
    assert_int_equal(handle_type(self, g), JNIGlobalRefType);
    assert_int_equal(handle_type(self, w), JNIWeakGlobalRefType);
    assert_ptr_equal(handle_get(w), p);
    dying = p;
    handles_clear_weak(not_dying);
    assert_null(handle_get(w));
    assert_int_equal(handle_type(self, w), JNIWeakGlobalRefType);
    handle_weak_delete(w);
    assert_int_equal(handle_type(self, w), JNIInvalidRefType);
    jobject globals[3000];
    for (int i = 0; i < 3000; i++) globals[i] = handle_global(p);
    for (int i = 0; i < 3000; i++) handle_global_delete(globals[i]);
    assert_ptr_equal(handle_get(g), o);
    handle_global_delete(g);
    handle_global_delete(g);
    assert_int_equal(handle_type(self, g), JNIInvalidRefType);
}

/* Processor time for one making and deleting, the least of some tries, among those that are there. */
static int64_t global_ns(struct object *o) {
    enum { TRIES = 20, AT_ONCE = 1000 };
    static jobject globals[AT_ONCE];
    int64_t best = INT64_MAX;
    for (int try = 0; try < TRIES; try++) {
        int64_t start = os_thread_cpu_ns();
        for (int i = 0; i < AT_ONCE; i++) globals[i] = handle_global(o);
        for (int i = 0; i < AT_ONCE; i++) handle_global_delete(globals[i]);
        int64_t took = (os_thread_cpu_ns() - start) / AT_ONCE;
        if (took < best) best = took;
    }
    return best;
}

/* However many global references there are, one more costs the same; a search through their chunks took a thousand
 * times as long. */
static void global_handles_take_constant_time(void **state) {
    (void)state;
    enum { MANY = 200000, MOST_TIMES = 20, MOST_NS = 400 };
    struct object *o = new_object();
    static jobject many[MANY];
    int64_t few = global_ns(o);
    for (int i = 0; i < MANY; i++) many[i] = handle_global(o);
    int64_t full = global_ns(o);
    if (full > MOST_NS && full > few * MOST_TIMES)
        fail_msg("%lld ns among few, %lld among %d", (long long)few, (long long)full, MANY);
    for (int i = MANY - 1; i >= 0; i--) handle_global_delete(many[i]);
    for (int i = 0; i < MANY; i++) assert_int_equal(handle_type(self, many[i]), JNIInvalidRefType);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(contended_counts_are_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(recursion_and_deflation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wait_and_notify_alternate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_notification_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waits_end_in_time_or_by_interrupt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interrupts_reach_waiting_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_world_stands_in_a_stop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stops_let_others_go_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stops_exclude_each_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(handshakes_reach_every_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_shake_hands_mutually, set_up, tear_down),
        cmocka_unit_test_setup_teardown(suspended_threads_rest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_permit_is_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_thread_answers_through_all_its_life, set_up, tear_down),
        cmocka_unit_test_setup_teardown(extension_records_go_with_their_thread, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stops_and_handshakes_are_ranked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_a_thread_that_is_kept_stands_still, set_up, tear_down),
        cmocka_unit_test_setup_teardown(handles_hold_their_objects, set_up, tear_down),
        cmocka_unit_test_setup_teardown(global_handles_take_constant_time, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
