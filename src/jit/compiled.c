/* compiled.c — which methods have compiled code, from the first compilation to the end of the last of it. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/options.h"
#include "base/os.h"
#include "base/perf_data.h"
#include "exec/exec.h"
#include "exec/hooks.h"
#include "exec/native_call.h"
#include "heap/heap.h"
#include "jit/background.h"
#include "jit/compilation.h"
#include "jit/compiled.h"
#include "jit/inlined.h"
#include "jit/listing.h"
#include "jit/natives.h"
#include "jit/pcs.h"

static bool free_guesses(uint64_t code UNUSED, uint64_t guesses, void *arg UNUSED) {
    mem_free((void *)(uintptr_t)guesses);
    return true;
}

static void dump_stubs(struct jit_state *j, const stub_callers_list *stubs) {
    perf_dump_begin(&j->dump);
    for (size_t i = 0; i < stubs->count; i++) perf_dump_add(&j->dump, stubs->data[i].blob, &stubs->data[i].callers);
}

/* What method.compiled_entry is without compiled code, and method.enter with it. */
static void set_entries(struct jit_state *j) {
    for (unsigned i = 0; i < ENTRY_LIMIT; i++) j->entries[i] = j->stubs.call;
    j->entries[ENTRY_NATIVE] = j->stubs.call_native;
    j->entries[ENTRY_INTRINSIC] = j->stubs.call_intrinsic;
    j->entries[ENTRY_INVOKE_BASIC] = j->stubs.invoke_basic;
    j->entries[ENTRY_LINK_TO_STATIC] = j->stubs.link_to_static;
    j->entries[ENTRY_LINK_TO_SPECIAL] = j->stubs.link_to_special;
    j->entries[ENTRY_LINK_TO_VIRTUAL] = j->stubs.link_to_virtual;
    j->entries[ENTRY_LINK_TO_INTERFACE] = j->stubs.link_to_interface;
    exec_set_entry_of_compiled((method_entry_function *)(uintptr_t)j->stubs.enter);
}

/* Memory for code, and the stubs; false: why not has been said. */
static bool start(struct jit_state *j) {
    if (!code_cache_create(&j->cache, vm->options->flags.ReservedCodeCacheSize)) {
        log_warning(jit, "The system allows no memory for compiled code: everything is interpreted");
        return false;
    }
    atomic_store_explicit(&j->has_cache, true, memory_order_release);
    stub_callers_list callers = {.data = NULL};
    if (vm->options->flags.DumpPerfJit) j->cache.behind = PERF_DUMP_BEHIND;
    bool made = stubs_make(&j->cache, &j->stubs, &callers) && (j->compiler = baseline_create(&j->stubs)) != NULL;
    if (made) set_entries(j);
    if (made) code_cache_keep(&j->cache, NATIVE_STUB_GRAINS);
    if (made) j->unwind = unwind_table_create(&j->cache, &callers);
    else log_warning(jit, "The stubs of compiled code could not be made: everything is interpreted");
    if (made && vm->options->flags.DumpPerfJit) dump_stubs(j, &callers);
    vec_free(&callers);
    return made;
}

/* The baseline compiler stands for levels 1 to 3. */
static bool is_wanted(const struct vm_options *o) {
    enum { INTERPRETED = 0 };
    bool interprets = o->flags.TieredCompilation && o->flags.TieredStopAtLevel == INTERPRETED;
    return o->mode == VM_MODE_COMP || (o->mode == VM_MODE_MIXED && !interprets);
}

bool jit_create(void) {
    vm->jit = mem_zalloc(sizeof *vm->jit);
    if (vm->jit == NULL) return false;
    vm->jit->watched = SIZE_MAX;
    lock_init(&vm->jit->lock, "compiled code", LOCK_RANK_CODE);
    code_queue_init(&vm->jit->queue);
    compile_queue_init(&vm->jit->requests, background_workers());
    vm->jit->used = is_wanted(vm->options) && start(vm->jit);
    vm->jit->stopped = !vm->jit->used;
    return true;
}

void jit_destroy(void) {
    struct jit_state *j = vm->jit;
    if (j == NULL) return;
    vm->jit = NULL;
    unwind_table_destroy(j->unwind);
    baseline_destroy(j->compiler);
    if (j->has_cache) code_cache_destroy(&j->cache);
    ptr_table_free(&j->blobs);
    int_table_iterate(&j->guesses.map, free_guesses, NULL);
    ptr_table_free(&j->guesses);
    left_free(&j->left);
    receivers_free(&j->receivers);
    site_targets_free(&j->sites);
    vec_free(&j->superseded);
    vec_free(&j->retired);
    vec_free(&j->inliners);
    policy_destroy(&j->policy);
    perf_dump_end(&j->dump);
    disassembler_close(&j->disassembler);
    code_queue_free(&j->queue);
    compile_queue_free(&j->requests);
    mem_free(j);
}

bool jit_read_policy(void) { return policy_create(&vm->jit->policy); }

const struct stubs *jit_stubs(void) { return &vm->jit->stubs; }

const void *jit_compiled_entry(enum method_entry entry) { return vm->jit->entries[entry]; }

const void *jit_leaf_entry(void) { return vm->jit->stubs.call_leaf; }

const struct code_blob *jit_blob_at(const void *pc) {
    struct jit_state *j = vm->jit;
    if (j == NULL || !atomic_load_explicit(&j->has_cache, memory_order_acquire)) return NULL;
    return code_cache_find(&j->cache, pc);
}

const struct code_blob *jit_next_blob(const struct code_blob *b) {
    const struct jit_state *j = vm->jit;
    return atomic_load_explicit(&j->has_cache, memory_order_acquire) ? code_cache_next(&j->cache, b) : NULL;
}

struct code_queue *jit_queue(void) { return &vm->jit->queue; }

bool jit_is_used(void) { return vm->jit != NULL && vm->jit->used; }

const char *jit_mode(void) {
    return !jit_is_used() ? "interpreted mode" : vm->options->mode == VM_MODE_COMP ? "compiled mode" : "mixed mode";
}

int64_t jit_compilation_nanos(void) { return atomic_load(&vm->jit->nanos); }

/* Those too that other code of the same method has superseded. */
static size_t methods_in(const struct jit_state *j) { return ptr_table_count(&j->blobs) + j->superseded.count; }

struct cache_figures jit_cache_figures(void) {
    struct jit_state *j = vm->jit;
    const struct code_cache *c = &j->cache;
    lock_acquire(&j->lock);
    struct cache_figures f = {.begin = c->runs, .size = c->size, .used = c->used, .most_used = c->most_used,
                              .blobs = c->blobs, .methods = (uint32_t)methods_in(j),
                              .full = j->used && j->stopped};
    lock_release(&j->lock);
    return f;
}

size_t jit_code_bytes(void) { return atomic_load_explicit(&vm->jit->cache.used, memory_order_relaxed); }

void jit_watch_code(size_t bytes, struct java_thread *t) {
    atomic_store(&vm->jit->watcher, t);
    atomic_store(&vm->jit->watched, bytes);
}

void code_made(struct jit_state *j, const struct code_blob *b) {
    code_queue_made(&j->queue, b);
    if (LIKELY(jit_code_bytes() < atomic_load_explicit(&j->watched, memory_order_relaxed))) return;
    if (atomic_exchange(&j->watched, SIZE_MAX) != SIZE_MAX) thread_unpark(atomic_load(&j->watcher));
}

/* ---- compiling: under the lock ----------------------------------------------------------------------------------- */

static void say_full(const struct jit_state *j) {
    const struct code_cache *c = &j->cache;
    static const char what[] = "CodeCache is full. Compiler has been disabled.",
                      remedy[] = "Try increasing the code cache size using -XX:ReservedCodeCacheSize=";
    log_warning(codecache, "%s", what);
    log_warning(codecache, "%s", remedy);
    vm_warning("%s", what);
    vm_warning("%s", remedy);
    const uint8_t *end = c->runs + c->size;
    vm_print(false,
             "CodeCache: size=%zuKb used=%zuKb max_used=%zuKb free=%zuKb\n"
             " bounds [0x%016" PRIxPTR ", 0x%016" PRIxPTR ", 0x%016" PRIxPTR "]\n",
             c->size / KIB, c->used / KIB, c->most_used / KIB, (c->size - c->used) / KIB, (uintptr_t)c->runs,
             (uintptr_t)end, (uintptr_t)end);
    const char *figures = vm->library == LIBRARY_17
                              ? " total_blobs=%u nmethods=%zu adapters=0\n"
                                " compilation: disabled (not enough contiguous free space left)\n"
                                "              stopped_count=0, restarted_count=0\n full_count=1\n"
                              : " total_blobs=%u, nmethods=%zu, adapters=0, full_count=1\n"
                                "Compilation: disabled (not enough contiguous free space left), stopped_count=0, "
                                "restarted_count=0\n";
    vm_print(false, figures, c->blobs, methods_in(j));
}

/* b has inlined methods; there is room for it in the list. Whoever changes what it relies on finds it. */
static void add_inliner(struct jit_state *j, const struct code_blob *b) {
    struct inlined_reader r = inlined_read(b);
    for (struct inlined_method m; inlined_next_method(&r, &m);) {
        m.code->owner->class->is_inlined = true;
        if (m.receiver != NULL) m.receiver->is_inlined = true;
    }
    j->inliners.data[j->inliners.count++] = b;
}

/* A blob of what the compiler has made. NULL: the cache has no room for it. */
static const struct code_blob *install(struct jit_state *j, const struct compilation *k) {
    const struct baseline_code *made = &k->made;
    struct code_blob header = {.method = k->code, .length = made->length, .pcs = made->pcs, .entries = made->entries,
                               .exits = made->exits, .id = k->id, .level = k->level & 0xf,
                               .allocations = made->allocations & 3,
                               .leaves_at_events = made->leaves_at_events,
                               .inlined = made->inlined & 0x1ffffff};
    struct code_blob *b = vec_reserve(&j->inliners, j->inliners.count + 1) ? code_cache_take(&j->cache, &header) : NULL;
    if (b == NULL) return NULL;
    baseline_move(made, &j->stubs, code_blob_begin(b), code_cache_writable(&j->cache, code_blob_begin(b)));
    if (!code_cache_publish(&j->cache, b)) return NULL;
    if (b->inlined != 0) add_inliner(j, b);
    return b;
}

static void say_compiled(const struct method_code *code, uint32_t level, const char *why_not,
                         const struct baseline_code *made, int64_t nanos) {
    const struct method *m = code->method;
    if (why_not == NULL)
        log_debug(jit, "%s.%s%s: %u bytes of bytecode, %u of machine code, %u of tables, %" PRId64 " ns%s",
                  m->holder->name->bytes, m->name->bytes, m->desc->bytes, code_source(code)->code_length, made->pcs,
                  made->length - made->pcs, nanos, level == LEVEL_OPTIMISED ? ", optimised" : "");
    else
        log_debug(jit, "%s.%s%s is %s: %s", m->holder->name->bytes, m->name->bytes, m->desc->bytes,
                  level == LEVEL_OPTIMISED ? "not optimised" : "interpreted", why_not);
}

enum { TYPE_STANDARD = 1 };    /* jstat's number: the whole method, entered at its beginning */

/* For jstat -compiler and -printcompilation. */
static void count_compilation(const struct method_code *code, const char *why_not, const struct baseline_code *made,
                              int64_t nanos) {
    const struct method *m = code->method;
    char name[256];
    snprintf(name, sizeof name, "%s %s", m->holder->name->bytes, m->name->bytes);
    perf_add(PERF_COMPILE_TIME, nanos);
    if (why_not != NULL) {
        perf_add(PERF_COMPILE_BAILOUTS, 1);
        perf_set(PERF_COMPILE_FAILED_TYPE, TYPE_STANDARD);
        perf_set_text(PERF_COMPILE_FAILED_METHOD, name);
        return;
    }
    perf_add(PERF_COMPILES, 1);
    perf_add(PERF_COMPILES_STANDARD, 1);
    perf_add(PERF_COMPILE_STANDARD_BYTES, code_source(code)->code_length);
    perf_add(PERF_COMPILE_STANDARD_TIME, nanos);
    perf_add(PERF_COMPILED_SIZE, made->length);
    perf_add(PERF_COMPILED_CODE_SIZE, made->pcs);
    perf_set(PERF_COMPILE_LAST_TYPE, TYPE_STANDARD);
    perf_set(PERF_COMPILE_LAST_SIZE, code_source(code)->code_length);
    perf_set_text(PERF_COMPILE_LAST_METHOD, name);
}

struct guesses *guesses_of(struct jit_state *j, const struct method_code *code) {
    struct guesses *g = ptr_table_get(&j->guesses, code);
    if (g != NULL) return g;
    g = mem_zalloc(sizeof *g);
    if (g == NULL || ptr_table_put(&j->guesses, code, g)) return g;
    mem_free(g);
    return NULL;
}

static void forget_guesses(struct jit_state *j, const struct method_code *code) {
    mem_free(ptr_table_remove(&j->guesses, code));
}

bool may_be_optimised(struct jit_state *j, const struct method_code *code) {
    if (!vm->options->optimises) return false;
    const struct guesses *g = ptr_table_get(&j->guesses, code);
    return g == NULL || (!g->declined && g->wrong < MOST_WRONG);
}

uint32_t watched_here(void) {
    return atomic_load_explicit(&current_thread_tls->attention, memory_order_relaxed) & (WATCH_ANY | POLL_LIBRARY);
}
static bool is_watched(void) { return watched_here() != 0; }

/* -XX:+PrintIR: of methods that CompileCommand=print names, or of all. */
static bool prints_nodes(const struct jit_state *j, const struct method_code *code) {
    const struct compile_commands *c = &j->policy.commands;
    return vm->options->flags.PrintIR &&
           (!c->given[COMMAND_print] || command_says(c, COMMAND_print, code->method));
}

/* Has the method, or would it have soon, optimised code of its own? Where all are compiled before they run nobody
 * knows. */
bool is_hot(const struct method_code *code) {
    const struct guesses *g = ptr_table_get(&vm->jit->guesses, code);
    return vm->options->mode == VM_MODE_COMP || atomic_load(&code->optimised) ||
           (g != NULL && (g->declined || g->until_optimised < vm->options->optimising_budget / 2));
}

bool has_left_often(const struct method_code *code, uint32_t bci) { return left_often(&vm->jit->left, code, bci); }

struct object *target_of_site(struct object *site) {
    return site_rely(&vm->jit->sites, site) ? heap_load_ref_acquire(site, known_offset(CallSite_target)) : NULL;
}

struct receivers_seen receivers_at(const struct method_code *code, uint32_t bci) {
    return receivers_seen_at(&vm->jit->receivers, code, bci);
}

static struct lookups lookups_here(void) {
    const struct lookup_cache *cache = current_thread()->lookup_cache;
    return cache != NULL ? (struct lookups){cache->entries, ARRAY_LEN(cache->entries)} : (struct lookups){NULL, 0};
}

static bool elides_objects(void) {
    const struct vm_flags *flags = &vm->options->flags;
    return flags->DoEscapeAnalysis && flags->EliminateAllocations;
}

struct optimising_options options_of(struct jit_state *j, struct guesses *g, struct compilation *k, bool is_seen,
                                     struct lookups lookups) {
    g->left = GUESSES;
    g->was_optimised = g->learns = g->is_asked = false;
    bool reports = listing_wants_inlining(&j->policy.commands, k->code->method);
    return (struct optimising_options){.hoists_checks = g->wrong == 0, .is_watched = is_seen,
                                       .inlines = !is_seen && g->wrong + 1 < MOST_WRONG,
                                       .elides = elides_objects(),
                                       .elides_monitors = vm->options->flags.EliminateLocks,
                                       .enters_all = g->enters_all,
                                       .leaves_at_events = !g->has_events,
                                       .allocations_watched = j->allocations_watched, .is_hot = is_hot,
                                       .has_left_often = has_left_often, .receivers_at = receivers_at,
                                       .target_of = target_of_site,
                                       .lookups = lookups,
                                       .prints = prints_nodes(j, k->code), .commands = &j->policy.commands,
                                       .report = reports ? &k->report : NULL};
}

/* What has been hot will soon be again, unless a tool is busy with its frames. */
static int32_t budget_of(const struct guesses *g) {
    enum { SOONER = 16 };
    if (g->is_asked) return budget_again();
    return g->was_optimised ? vm->options->optimising_budget / SOONER + 1 : vm->options->optimising_budget;
}

static const char *compile_at(struct jit_state *j, struct compilation *k) {
    bool counts = may_be_optimised(j, k->code), is_known = ptr_table_get(&j->guesses, k->code) != NULL;
    struct guesses *g = counts ? guesses_of(j, k->code) : NULL;
    if (g != NULL) g->until_optimised = budget_of(g);
    if (k->level == LEVEL_BASELINE) {
        struct receivers *receivers = g != NULL ? receivers_of(&j->receivers, k->code) : NULL;
        const char *why_not = baseline_compile(j->compiler, k->code, g != NULL ? &g->until_optimised : NULL, receivers,
                                               &k->made);
        if (!k->made.counts && !is_known) forget_guesses(j, k->code);
        return why_not;
    }
    if (g == NULL) return "out of memory";
    struct optimising_options how = options_of(j, g, k, is_watched(), lookups_here());
    return optimising_compile(j->compiler, k->code, how, &k->made);
}

static void say_made(struct jit_state *j, const struct compilation *k, const struct code_blob *b) {
    perf_dump_add(&j->dump, b, NULL);
    listing_compiled(&j->policy.commands,
                     &(struct code_blob){.method = k->code, .id = k->id, .level = k->level & 0xf}, k->waits,
                     k->why_not);
    if (k->why_not == NULL) listing_installed(b);
    listing_inlining(&k->report);
    assembly_print(&j->disassembler, &j->policy.commands, b);
}

/* What cannot be compiled gets code that goes back to the interpreter; what has code already, or cannot be optimised,
 * none. */
static const struct code_blob *make_blob(struct jit_state *j, struct compilation *k, bool *is_full) {
    struct method_code *code = k->code;
    atomic_fetch_add(&j->nanos, k->nanos);
    say_compiled(code, k->level, k->why_not, &k->made, k->nanos);
    count_compilation(code, k->why_not, &k->made, k->nanos);
    if (k->why_not != NULL && (k->level == LEVEL_OPTIMISED || code->compiled)) return NULL;
    vm_assert(k->why_not != NULL || !code->compiled || code->entered == k->made.entered - ENTERED_FROM_C,
              "what runs the code's entry meanwhile finds another");
    code->entered = (uint8_t)(k->made.entered - ENTERED_FROM_C);
    if (k->level == LEVEL_OPTIMISED) atomic_store(&code->optimised, true);
    const struct code_blob *b = k->why_not == NULL ? install(j, k) : stubs_make_bounce(&j->cache, &j->stubs, code);
    *is_full = b == NULL;
    if (b != NULL) say_made(j, k, b);
    return b;
}

/* Room in `retired` for all code that there is, and one more. */
static bool has_room(struct jit_state *j) {
    return vec_reserve(&j->retired, j->retired.count + j->superseded.count + ptr_table_count(&j->blobs) + 1) &&
           vec_reserve(&j->superseded, j->superseded.count + 1);
}

static void forget_inliner(struct jit_state *j, const struct code_blob *b) {
    for (size_t i = 0; i < j->inliners.count && b->inlined != 0; i++)
        if (j->inliners.data[i] == b) j->inliners.data[i--] = vec_pop(&j->inliners);
}

/* Does the method's entry lead to code of this version of it? */
static bool is_entered(const struct method_code *code) {
    const struct code_blob *b = jit_blob_at(atomic_load(&code->method->compiled_entry));
    return b != NULL && b->method == code;
}

/* From now on the method is entered there. NULL: it has no room. */
static const struct code_blob *enter_there(struct jit_state *j, struct method_code *code, const struct code_blob *b) {
    const struct code_blob *before = ptr_table_get(&j->blobs, code);
    if (!has_room(j) || !ptr_table_put(&j->blobs, code, b)) {
        forget_inliner(j, b);
        code_cache_drop(&j->cache, b);
        return NULL;
    }
    if (before != NULL) {
        j->superseded.data[j->superseded.count++] = before;
        listing_not_entrant(&j->policy.commands, before, "not used");
    }
    if (b->pcs != 0)
        atomic_store_explicit(&code->compiled, code_blob_begin(b) + ENTERED_FROM_C, memory_order_release);
    if (before != NULL && is_entered(code))
        atomic_store_explicit(&code->method->compiled_entry, code_blob_begin(b), memory_order_release);
    return b;
}

const struct code_blob *end_compilation(struct jit_state *j, struct compilation *k) {
    bool is_full = false;
    const struct code_blob *b = make_blob(j, k, &is_full);
    if (is_full) {
        j->stopped = true;
        say_full(j);
    }
    vec_free(&k->report.lines);
    return b != NULL ? enter_there(j, k->code, b) : NULL;
}

const struct code_blob *compile_here(struct jit_state *j, struct method_code *code, uint32_t level) {
    struct compilation k = {.code = code, .level = level, .id = ++j->last_id, .waits = true};
    int64_t begin = os_nanotime();
    k.why_not = compile_at(j, &k);
    k.nanos = os_nanotime() - begin;
    if (k.why_not != NULL && (level == LEVEL_OPTIMISED || code->compiled)) j->last_id--;
    return end_compilation(j, &k);
}

/* Before it runs for the first time: by the best compiler that takes it. */
static const struct code_blob *compile_first(struct jit_state *j, struct method_code *code) {
    bool at_once = vm->options->mode == VM_MODE_COMP && may_be_optimised(j, code);
    const struct code_blob *b = at_once ? compile_here(j, code, LEVEL_OPTIMISED) : NULL;
    return b == NULL && !j->stopped ? compile_here(j, code, LEVEL_BASELINE) : b;
}

/* The method's entry, if it is `expected`, leads to b from now on. Under the lock: b is still its newest code. */
static method_entry_function *lead_to(struct jit_state *j, struct method *m, const struct code_blob *b,
                                      method_entry_function *expected) {
    const uint8_t *begin = code_blob_begin(b), *called = b->pcs != 0 ? begin : begin + BOUNCE_CALLED;
    method_entry_function *enter = (method_entry_function *)(uintptr_t)(b->pcs != 0 ? j->stubs.enter : begin);
    if (atomic_compare_exchange_strong(&m->enter, &expected, enter))
        atomic_store_explicit(&m->compiled_entry, called, memory_order_release);
    return enter;
}

method_entry_function *jit_compile(struct method_code *code, method_entry_function *expected) {
    PROMISES_NO_SAFEPOINT();
    struct jit_state *j = vm->jit;
    if (!atomic_load(&j->has_cache)) return NULL;
    lock_acquire(&j->lock);
    const struct code_blob *before = ptr_table_get(&j->blobs, code), *b = before;
    if (b == NULL && !j->stopped && policy_allows(&j->policy, code)) b = compile_first(j, code);
    method_entry_function *enter = b != NULL ? lead_to(j, code->method, b, expected) : NULL;
    lock_release(&j->lock);
    if (b != before) code_made(j, b);
    return enter;
}

bool jit_make_native_stub(struct method *m) {
    PROMISES_NO_SAFEPOINT();
    struct jit_state *j = vm->jit;
    if (atomic_load_explicit(&j->natives_full, memory_order_relaxed)) return false;
    struct native_signature *s = __atomic_load_n(&m->native_data, __ATOMIC_ACQUIRE);
    bool made;
    lock_acquire(&j->lock);
    const struct code_blob *b = native_stub_of(&j->cache, &j->stubs, m, s, &made);
    if (b == NULL) atomic_store(&j->natives_full, true);
    else if (made) perf_dump_add(&j->dump, b, &unwind_in_native_stub);
    lock_release(&j->lock);
    if (b == NULL) return false;
    if (made) code_made(j, b);
    atomic_store_explicit(&s->stub, code_blob_begin(b), memory_order_release);
    return true;
}

/* It is hot: optimised code, or code that does not count any more. What tools watch may be asked again. */
static const struct code_blob *optimise(struct jit_state *j, struct method_code *code) {
    const struct code_blob *b = may_be_optimised(j, code) ? compile_here(j, code, LEVEL_OPTIMISED) : NULL;
    if (b != NULL || j->stopped || is_watched()) return b;
    struct guesses *g = guesses_of(j, code);
    if (g != NULL) g->declined = true;
    return g != NULL ? compile_here(j, code, LEVEL_BASELINE) : NULL;
}

/* What the code was taken not to do; the last of these is a tool's doing. */
enum wrong_guess { LEAVES, LEAVES_FOR_GOOD, CATCHES, IS_ASKED };

/* Code that leaves too often where it was taken not to, or for good, is made anew, once there is more to know. If it
 * leaves for events those are taken for the cause, and nothing was guessed wrong: the next does not. Nor was anything
 * where the next has an entry at a handler that this one was without, or does not guess at a place where this one has
 * left often. Nor is anything that a tool asks frames for: the code may be as it was, later. */
static const struct code_blob *guess_again(struct jit_state *j, struct method_code *code, const struct code_blob *b,
                                           enum wrong_guess what) {
    struct guesses *g = guesses_of(j, code);
    if (g == NULL || (what != LEAVES_FOR_GOOD && g->left > 0 && --g->left > 0)) return NULL;
    if (what == IS_ASKED) {
        g->is_asked = true;
    } else if (b->leaves_at_events) {
        g->has_events = true;
    } else if (what == LEAVES && g->learns && g->learnt < MOST_LEARNT) {
        g->learnt++;
        g->wrong = 0;                    /* a guess that a loop checked before it may have been this one            */
        g->was_optimised = true;
    } else {
        if (!is_watched() && (what != CATCHES || g->enters_all)) g->wrong++;
        g->enters_all |= what == CATCHES;
    }
    return compile_here(j, code, LEVEL_BASELINE);
}

/* The youngest frame is the interpreter's, who goes on in it. */
static void note_place(struct jit_state *j, struct guesses *g) {
    const struct frame *f = current_thread()->java->frame;
    if (g != NULL && left_note(&j->left, f->code, frame_bci(f))) g->learns = true;
}

bool jit_code_lacks(struct method_code *code) {
    PROMISES_NO_SAFEPOINT();
    struct jit_state *j = vm->jit;
    const struct code_blob *b = jit_blob_at(atomic_load(&code->compiled));
    if (b == NULL || b->level == LEVEL_BASELINE) return false;
    lock_acquire(&j->lock);
    b = !j->stopped && ptr_table_get(&j->blobs, code) == b ? guess_again(j, code, b, LEAVES_FOR_GOOD) : NULL;
    lock_release(&j->lock);
    if (b != NULL) code_made(j, b);
    return b != NULL;
}

int32_t budget_again(void) {
    enum { LATER = 16 };
    return vm->options->optimising_budget <= INT32_MAX / LATER ? LATER * vm->options->optimising_budget : INT32_MAX;
}

/* ---- what running code asks for ---------------------------------------------------------------------------------- */

/* The method is hot, or its code guessed wrong. True: a worker is to be started, whose place is taken. */
static bool count(struct method_code *code, const struct code_blob *running, enum wrong_guess what) {
    PROMISES_NO_SAFEPOINT();
    struct jit_state *j = vm->jit;
    const struct code_blob *b = NULL;
    bool starts = false;
    lock_acquire(&j->lock);
    bool is_newest = ptr_table_get(&j->blobs, code) == running;
    bool leaves = !j->stopped && is_newest && running->level != LEVEL_BASELINE;
    if (leaves && what == LEAVES && !running->leaves_at_events) note_place(j, guesses_of(j, code));
    if (leaves) b = guess_again(j, code, running, what);
    else if (!j->stopped && is_newest && waits_for_code(j, code)) b = optimise(j, code);
    else if (!j->stopped && is_newest) starts = request_code(j, code, running);
    struct guesses *g = ptr_table_get(&j->guesses, code);
    if (b == NULL && is_newest && g != NULL && running->level == LEVEL_BASELINE) g->until_optimised = budget_again();
    lock_release(&j->lock);
    if (b != NULL) code_made(j, b);
    return starts;
}

void jit_entry_lacks(struct method_code *code, bool is_handler) {
    const struct code_blob *b = jit_blob_at(atomic_load(&code->compiled));
    if (b != NULL && b->level == LEVEL_OPTIMISED) (void)count(code, b, is_handler ? CATCHES : IS_ASKED);
}

void jit_code_counts(struct method_code *code, const struct code_blob *running, bool for_good) {
    REQUIRES(IN_VM | MAY_STOP);
    if (count(code, running, for_good ? LEAVES_FOR_GOOD : LEAVES)) start_worker(vm->jit, current_thread());
}

const uint8_t *jit_entry_at(const struct frame *f) {
    PROMISES_NO_SAFEPOINT();
    const struct code_blob *b = jit_blob_at(atomic_load(&f->code->compiled));
    if (b == NULL || b->entries == 0) return NULL;
    const uint8_t *begin = code_blob_begin(b);
    int64_t offset = pcs_offset_of(begin + b->entries, begin + b->exits, frame_bci(f));
    return offset >= 0 ? begin + offset : NULL;
}

/* ---- code that is made anew: breakpoints and accesses to watched fields are compiled in ------------------------- */

static void for_each_frame(void (*visit)(struct frame_cursor *c, const void *arg), const void *arg) {
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c)) visit(&c, arg);
}

static void leave_frame(struct frame_cursor *c, const void *code) {
    if (cursor_code(c) == code) cursor_leave_compiled(c);
}

/* The retired blobs that the frame may run go before all that no frame has been found for. */
static void keep_run(struct frame_cursor *c, const void *arg UNUSED) {
    struct jit_state *j = vm->jit;
    if (!cursor_leaves_compiled(c)) return;
    for (size_t i = j->kept; i < j->retired.count; i++) {
        const struct code_blob *b = j->retired.data[i];
        if (b->method != cursor_code(c)) continue;
        j->retired.data[i] = j->retired.data[j->kept];
        j->retired.data[j->kept++] = b;
    }
}

static void release(struct jit_state *j, const struct code_blob *b) {
    forget_inliner(j, b);
    code_cache_hide(&j->cache, b);
    listing_gone(b);
    if (!code_queue_goes(&j->queue, b)) code_cache_give_back(&j->cache, b);
}

/* Code that no frame runs any more goes. */
static void release_retired(struct jit_state *j) {
    j->kept = 0;
    for_each_frame(keep_run, NULL);
    while (j->retired.count > j->kept) release(j, vec_pop(&j->retired));
}

static void retire(struct jit_state *j, const struct code_blob *b) {
    enum { AT_LEAST = 16 };
    vm_assert(j->retired.count < j->retired.capacity, "no room for retired code");
    if (j->retired.count >= 2 * j->kept + AT_LEAST) release_retired(j);
    j->retired.data[j->retired.count++] = b;
    forget_inliner(j, b);
}

static void retire_superseded(struct jit_state *j, const struct method_code *code) {
    size_t kept = 0;
    for (size_t i = 0; i < j->superseded.count; i++) {
        const struct code_blob *b = j->superseded.data[i];
        if (b->method == code) retire(j, b);
        else j->superseded.data[kept++] = b;
    }
    j->superseded.count = kept;
}

/* All code of the method goes: frames that run it leave. */
static void take_away(struct jit_state *j, struct method_code *code) {
    if (!atomic_load(&code->compiled)) return;
    struct method *m = code->method;
    bool entered = is_entered(code);     /* code that is retired may be gone                                        */
    for_each_frame(leave_frame, code);
    lock_acquire(&j->lock);
    const struct code_blob *b = ptr_table_remove(&j->blobs, code);
    retire(j, b);
    retire_superseded(j, code);
    struct guesses *g = ptr_table_get(&j->guesses, code);
    if (g != NULL) {                     /* what kept it from being optimised may be gone                          */
        g->wrong = g->declined = 0;
        g->was_optimised |= atomic_load(&code->optimised);
        g->has_events = false;
    }
    atomic_store(&code->optimised, false);               /* all frames of it leave                                   */
    drop_requests_for(j, code);
    lock_release(&j->lock);
    atomic_store(&code->compiled, NULL);
    code->budget = LOOP_COST;            /* loops that run are entered in the new code */
    if (entered) {
        atomic_store(&m->compiled_entry, j->stubs.call);
        atomic_store(&m->enter, entry_compiling);
    }
    vm_assert(atomic_load(&m->code) != code ||
              atomic_load(&m->enter) != (method_entry_function *)(uintptr_t)j->stubs.enter, "its entry needs the code");
}

typedef bool stale_function(const struct inlined_method *m, const void *arg);

static bool has_stale(const struct code_blob *b, stale_function *is_stale, const void *arg) {
    struct inlined_reader r = inlined_read(b);
    for (struct inlined_method m; inlined_next_method(&r, &m);)
        if (is_stale(&m, arg)) return true;
    return false;
}

/* World stopped: nobody else changes the list. */
static void take_stale_away(struct jit_state *j, stale_function *is_stale, const void *arg) {
    for (size_t i = 0; i < j->inliners.count;) {
        const struct code_blob *b = j->inliners.data[i];
        if (!has_stale(b, is_stale, arg)) {
            i++;
            continue;
        }
        listing_not_entrant(&j->policy.commands, b, "marked for deoptimization");
        take_away(j, b->method);
        i = 0;
    }
}

/* What has inlined something of the class that is not to run any more goes. */
static void take_inliners_away(struct jit_state *j, const struct class *c, stale_function *is_stale, const void *arg) {
    if (c->is_inlined) take_stale_away(j, is_stale, arg);
}

static bool relies_on(const struct inlined_method *m, const void *site) { return m->site == site; }
static bool is_received(const struct inlined_method *m, const void *class) { return m->receiver == class; }
static bool is_code(const struct inlined_method *m, const void *code) { return m->code == code; }
static bool is_of_version(const struct inlined_method *m, const void *version) { return m->code->owner == version; }
static bool is_replaced(const struct inlined_method *m, const void *class) {
    const struct method *method = m->code->method;
    return method->holder == class && atomic_load(&method->code) != m->code;
}

/* What is made anew has inlined a constructor, at least that of Object, or it would not be worth it. */
void jit_watch_allocations(bool on) {
    REQUIRES(STOPPED);
    struct jit_state *j = vm->jit;
    if (atomic_load(&j->allocations_watched) == on) return;
    atomic_store(&j->allocations_watched, on);
    for (size_t i = 0; i < j->inliners.count;) {
        const struct code_blob *b = j->inliners.data[i];
        if (b->allocations != (on ? ALLOCATIONS_ELIDED : ALLOCATIONS_WATCHED)) {
            i++;
            continue;
        }
        listing_not_entrant(&j->policy.commands, b, "marked for deoptimization");
        take_away(j, b->method);
        i = 0;
    }
}

static bool find_optimised(uint64_t code, uint64_t blob UNUSED, void *found) {
    struct method_code *m = (struct method_code *)(uintptr_t)code;
    if (!atomic_load(&m->optimised)) return true;
    *(struct method_code **)found = m;
    return false;
}

/* Which constants came from it nobody knows; it is rare enough. It keeps its value until that code has gone, which
 * would use another object as if it were that one. */
void jit_final_assigned(struct os_thread *self, struct field *f) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jit_state *j = vm->jit;
    safepoint_begin(self, "final field");
    atomic_fetch_or(&f->watch, FIELD_ASSIGNED);
    for (;;) {
        struct method_code *code = NULL;
        int_table_iterate(&j->blobs.map, find_optimised, &code);
        if (code == NULL) break;
        listing_not_entrant(&j->policy.commands, ptr_table_get(&j->blobs, code), "marked for deoptimization");
        take_away(j, code);
    }
    for (size_t i = 0; i < j->superseded.count;) {       /* which frames run yet                                    */
        struct method_code *code = j->superseded.data[i]->method;
        bool is_left = atomic_load(&code->compiled) != NULL;
        if (is_left) take_away(j, code);
        i = is_left ? 0 : i + 1;
    }
    safepoint_end(self);
}

/* Where nobody relies on the old one it is set under the lock: whoever begins to sees the new one. Else in the stop,
 * since frames that leave there have the old one. */
void jit_set_target(struct os_thread *self, struct object *site, struct object *target) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jit_state *j = vm->jit;
    lock_acquire(&j->lock);
    bool is_relied_on = site_is_relied_on(&j->sites, site);
    if (!is_relied_on) heap_store_ref_volatile(site, known_offset(CallSite_target), target);
    lock_release(&j->lock);
    if (!is_relied_on) return;
    safepoint_begin(self, "call site target");
    if (site_is_relied_on(&j->sites, site)) site_changed(&j->sites, site);
    heap_store_ref_volatile(site, known_offset(CallSite_target), target);
    take_stale_away(j, relies_on, site);
    safepoint_end(self);
}

void jit_clear_weak(bool (*is_live)(struct object *o)) {
    REQUIRES(STOPPED);
    site_targets_clear_weak(&vm->jit->sites, is_live);
}

/* Methods whose code had inlined it, and left too often for its events, are among the inliners by that code. */
void jit_code_changed(struct method_code *code) {
    REQUIRES(STOPPED);
    take_inliners_away(vm->jit, code->owner->class, is_code, code);
    take_away(vm->jit, code);
}

/* ---- where a thread is ------------------------------------------------------------------------------------------- */

/* Does the stub leave its caller's return address on top? */
static bool is_called_plainly(const uint8_t *stub) {
    const struct stubs *s = &vm->jit->stubs;
    return stub == s->subtype || stub == s->allocate || stub == s->allocate_beside_floats || stub == s->copy ||
           stub == s->try_enter || stub == s->leaves_synchronized || stub == s->leaves_monitors ||
           stub == s->frame_enters || stub == s->frame_exits || stub == s->frame_exits_own || stub == s->frame_holds ||
           stub == s->back;
}

/* Does it leave the youngest frame in REG_FRAME as long as it runs itself? */
static bool passes_frame_on(const uint8_t *stub) {
    const struct stubs *s = &vm->jit->stubs;
    return stub == s->call_site || stub == s->call_interface || stub == s->call_virtual ||
           stub == s->call_noted_interface || stub == s->call_noted_virtual || stub == s->call_noted_site ||
           stub == s->call_leaf ||
           stub == s->leaf || stub == s->invoke_basic || stub == s->link_to_static || stub == s->link_to_special ||
           stub == s->link_to_virtual || stub == s->link_to_interface || stub == s->monitorenter ||
           stub == s->monitorexit || stub == s->entered_synchronized;
}

/* Is its first instruction store_youngest? */
static bool stores_frame(const uint8_t *stub) {
    const struct stubs *s = &vm->jit->stubs;
    return stub == s->call || stub == s->call_interpreted || stub == s->interpret || stub == s->call_native_by_c ||
           stub == s->call_native || stub == s->call_intrinsic || stub == s->invoke || stub == s->runtime ||
           stub == s->breakpoint || stub == s->entered || stub == s->attention || stub == s->returns ||
           stub == s->leave;
}

bool jit_frame_is_in_register(const void *pc) {
    const struct code_blob *b = jit_blob_at(pc);
    if (b == NULL) return false;
    const struct stubs *s = &vm->jit->stubs;
    const uint8_t *begin = code_blob_begin(b);
    if (b->pcs != 0) return true;
    if (b->method != NULL) return (const uint8_t *)pc >= begin + BOUNCE_CALLED;
    return is_called_plainly(begin) || passes_frame_on(begin) || (pc == begin && stores_frame(begin)) ||
           pc == s->enter_returned || pc == s->enter_loop_returned;
}

int32_t jit_bci_in(const struct code_blob *b, const uint8_t *pc) {
    const uint8_t *begin = code_blob_begin(b);
    if (b->pcs == 0) return is_called_plainly(begin) ? PCS_CALLED : PCS_NO_FRAME;
    return pcs_find(begin + b->pcs, begin + b->entries, (uint32_t)(pc - begin));
}

/* What the youngest frame runs at pc, and where; *bci: as jit_bci_in has it. NULL: no compiled code. */
static const struct code_blob *running_at(const struct os_thread *self, const void **pc, const void *sp, int32_t *bci) {
    if (self->leaving != NULL) *pc = self->leaving - 1;
    const struct code_blob *b = jit_blob_at(*pc);
    if (b == NULL) return NULL;
    *bci = jit_bci_in(b, *pc);
    if (*bci != PCS_CALLED) return b;
    const void *caller = *(const uint8_t *const *)sp - 1;
    const struct code_blob *called = jit_blob_at(caller);
    *bci = called != NULL ? jit_bci_in(called, caller) : PCS_NO_FRAME;
    if (called != NULL) *pc = caller;
    return called != NULL ? called : b;
}

int32_t jit_bci_at(const struct os_thread *self, const struct method_code *running, const void *pc, const void *sp) {
    int32_t bci = PCS_NO_FRAME;
    const struct code_blob *b = running_at(self, &pc, sp, &bci);
    if (b == NULL) return COMPILED_BCI_NOT_HERE;
    return bci >= 0 && b->method == running ? bci : COMPILED_BCI_RECORD;
}

_Static_assert((int)INLINED_POSITIONS == (int)INLINED_LEVELS, "jit_inlined_at fills what its caller has");

uint32_t jit_inlined_at(const struct os_thread *self, const struct method_code *running, const void *pc, const void *sp,
                        struct inlined_position *out) {
    int32_t bci = PCS_NO_FRAME;
    const struct code_blob *b = running_at(self, &pc, sp, &bci);
    struct inlined_place place;
    if (b == NULL || bci < 0 || b->method != running || b->inlined == 0) return 0;
    inlined_find(b, pc, &place);
    for (uint32_t i = 0; i < place.count; i++)
        out[i] = (struct inlined_position){place.frames[i].method.code, (int32_t)place.frames[i].bci};
    return place.count;
}

/* ---- the end of compiled code: world stopped --------------------------------------------------------------------- */

static void release_older_of(struct jit_state *j, const struct class_version *v) {
    size_t kept = 0;
    for (size_t i = 0; i < j->superseded.count; i++) {
        const struct code_blob *b = j->superseded.data[i];
        if (b->method->owner == v) release(j, b);
        else j->superseded.data[kept++] = b;
    }
    j->superseded.count = kept;
    kept = 0;
    for (size_t i = 0; i < j->retired.count; i++) {
        const struct code_blob *b = j->retired.data[i];
        if (b->method->owner == v) release(j, b);
        else j->retired.data[kept++] = b;
    }
    j->retired.count = kept;
}

void jit_version_unloads(struct class_version *v) {
    struct jit_state *j = vm->jit;
    take_inliners_away(j, v->class, is_of_version, v);
    size_t known = ptr_table_count(&j->blobs) + j->retired.count + ptr_table_count(&j->left.map) +
                   ptr_table_count(&j->receivers.map);
    if (known == 0 && ptr_table_count(&j->policy.excluded) == 0) return;
    lock_acquire(&j->lock);
    drop_requests_of_version(j, v);
    for (uint32_t i = 0; i < v->code_count; i++) {
        policy_forgets(&j->policy, &v->codes[i]);
        forget_guesses(j, &v->codes[i]);
        left_forget(&j->left, &v->codes[i]);
        receivers_forget(&j->receivers, &v->codes[i]);
        const struct code_blob *b = ptr_table_remove(&j->blobs, &v->codes[i]);
        if (b != NULL) release(j, b);
    }
    release_older_of(j, v);
    lock_release(&j->lock);
}

void jit_give_back(const struct code_blob *b) {
    struct jit_state *j = vm->jit;
    lock_acquire(&j->lock);
    code_cache_give_back(&j->cache, b);
    lock_release(&j->lock);
}

/* Threads forget what calls of interfaces have selected in them in a stop in which classes go (exec_class_ids_retired),
 * and with them those who have asked: they ask again. */
void jit_class_unloads(struct class *c) {
    struct jit_state *j = vm->jit;
    lock_acquire(&j->lock);
    drop_all_requests(j);
    lock_release(&j->lock);
    take_inliners_away(j, c, is_received, c);
    for (struct class_version *v = c->version; v != NULL; v = v->older) jit_version_unloads(v);
}

void jit_class_ids_retired(void) { receivers_forget_classes(&vm->jit->receivers); }

void jit_class_redefined(struct class *c) {
    struct jit_state *j = vm->jit;
    take_inliners_away(j, c, is_replaced, c);
    lock_acquire(&j->lock);
    drop_requests_of_old(j, c);
    lock_release(&j->lock);
    for (struct method *m = NULL; (m = class_next_method(c, m)) != NULL;) {
        const struct code_blob *b = jit_blob_at(atomic_load(&m->compiled_entry));
        if (b == NULL || b->method == NULL || b->method == atomic_load(&m->code)) continue;
        if (b->id != 0) listing_not_entrant(&j->policy.commands, b, "marked for deoptimization");
        listing_deoptimised(b);
        method_set_entry(m, m->entry);
    }
}
