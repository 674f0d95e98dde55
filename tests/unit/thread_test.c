/* The thread room without a heap: monitors, waits, stops, handshakes, suspension, parking, handles. Objects are plain memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/os.h"
#include "thread/handle.h"
#include "thread/monitor.h"
#include "thread/thread.h"

static struct vm test_vm;
static struct vm_options test_options;
static struct os_thread *self;

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

/* ---- monitors ----------------------------------------------------------------------------------------------------------- */

struct counting { struct object *lock; long count; int rounds; };

static void count_up(struct os_thread *me, void *arg) {
    struct counting *c = arg;
    for (int i = 0; i < c->rounds; i++) {
        if (!monitor_enter_fast(me, c->lock, NULL)) monitor_enter(me, c->lock, NULL);
        bool again = i % 3 == 0;
        if (again) monitor_enter(me, c->lock, NULL);
        c->count++;
        if (again) monitor_exit(me, c->lock);
        if (!monitor_exit_fast(me, c->lock) && !monitor_exit(me, c->lock)) abort();
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

/* ---- stops -------------------------------------------------------------------------------------------------------------- */

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

/* What a thread does at a stop: it runs foreign code, waits, or has not begun. One that is coming in shows IN_VM for as long as it takes to
 * find out that it may not; one that really runs would count r.work on. */
static enum thread_state resting_state(struct os_thread *t) {
    enum thread_state s = t->state;
    if (s != THREAD_IN_VM) return s;
    assert_true(t->poll & POLL_SAFEPOINT);
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

/* Between two stops, one right behind the other, every thread that polls gets on: unless the machine has given it no processor, which the
 * second stop has then waited for as long as it may. */
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
    for (int i = 0; i < 2000; i++) assert_true(thread_handshake(self, all[i % n], look, &looks));
    assert_int_equal(looks, 2000);
    r.stop = true;
    assert_int_equal(write(r.pipe[1], "a", 1), 1);
    threads_wait_for_users(self);
    assert_false(thread_handshake(self, all[0] == self->java ? all[1] : all[0], look, &looks));
}

struct mutual { struct java_thread *threads[4]; _Atomic int ready; int rounds; _Atomic long looks; };

static void mutual_look(void *arg, struct java_thread *t) { (void)t; ((struct mutual *)arg)->looks++; }

static void mutual_body(struct os_thread *me, void *arg) {
    struct mutual *m = arg;
    int mine = m->ready++;
    m->threads[mine] = me->java;
    while (m->ready < 4) { thread_poll(me); os_yield(); }
    for (int i = 0; i < m->rounds; i++) {
        thread_handshake(me, m->threads[(mine + 1 + i % 3) % 4], mutual_look, m);
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
        assert_int_equal(thread_suspend(self, other[i % 3]), SUSPEND_DONE);
        assert_int_equal(thread_suspend(self, other[i % 3]), SUSPEND_ALREADY);
        if (!monitor_owned_by(r.lock, other[i % 3])) {
            long before = r.work;
            AWAIT(r.work > before + 10);       /* the other two go on */
        }
        assert_int_equal(thread_suspend(self, other[(i + 1) % 3]), SUSPEND_DONE);
        assert_int_equal(thread_suspend(self, other[(i + 2) % 3]), SUSPEND_DONE);
        long before = r.work;
        usleep(100);
        assert_int_equal(r.work, before);
        for (int k = 0; k < 3; k++) assert_true(thread_resume(self, other[k]));
        AWAIT(r.work > before);
    }
    assert_false(thread_resume(self, other[0]));
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

/* ---- handles ------------------------------------------------------------------------------------------------------------ */

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
        cmocka_unit_test_setup_teardown(handles_hold_their_objects, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
