/* run.c — what becomes of frames of compiled code where it cannot just go on: calls into other engines, exceptions,
 * tools' requests, exits to the interpreter.
 *
 * An activation of compiled code has one word on the C stack for each of its frames, the address to which it returns;
 * the oldest frame, an entry frame, returns to the stub that C entered by. Records are complete while something else
 * runs, so that any frame can be the interpreter's at any time:
 *
 *      Java stack (youngest first)          C stack
 *      frame 2                              return address into frame 1's code     <- frame 2's own word
 *      frame 1                              return address into frame 0's code
 *      frame 0, FRAME_ENTRY                 return address into `enter`
 *                                           registers of C, result pointer
 *
 * A frame that leaves is run by an activation of the interpreter above it, and what it returns is given to its caller,
 * which is still compiled. An entry frame that leaves has no compiled caller: its activation ends, and C goes on with
 * the frame. So do all frames of an activation when the C stack is used up.
 *
 * A frame that is inlined in its caller has no word: where it is the youngest, `sp` below is the word of the nearest
 * older one that has. When it leaves, so do those that it is inlined in, since the code behind the call is theirs. */
#include "jit/run.h"

#include "base/options.h"
#include "classfile/opcodes.h"
#include "exec/unwind.h"
#include "heap/heap.h"
#include "jit/compiled.h"
#include "jit/inlined.h"
#include "link/link.h"
#include "thread/monitor.h"

static bool is_watched_for(const struct os_thread *self, uint32_t attention) {
    return atomic_load_explicit(&self->attention, memory_order_relaxed) & attention;
}

static bool must_leave_for(const struct os_thread *self, const struct frame *f, uint32_t attention) {
    return f->flags & FRAME_LEAVES || is_watched_for(self, attention);
}

/* It does not go on in compiled code, but from its record: the interpreter polls, and steps. */
static bool must_leave(const struct os_thread *self, const struct frame *f) {
    return must_leave_for(self, f, WATCH_STEPS | POLL_ANY);
}

/* A tool may have taken the receiver away, which compiled code never looks for. */
static bool has_receiver(const struct frame *f) {
    return frame_method(f)->access_flags & ACC_STATIC || frame_locals(f)[0] != 0;
}

/* Where compiled code goes on with the frame; NULL: nowhere. */
static const uint8_t *entry_of(const struct frame *f) { return has_receiver(f) ? jit_entry_at(f) : NULL; }

static const struct stubs *stubs(void) { return jit_stubs(); }

static void set_way(struct way_on *on, const uint8_t *address, uint64_t *sp, const void *value) {
    *on = (struct way_on){address, sp, (uintptr_t)value};
}

/* What an unwinder has answered, who has left frames with that many words. sp: the word of the one that was the
 * youngest before, and then of the one that is now. False: the activation has ended, *on. */
static bool has_unwound(enum resumption how, uint32_t left, uint64_t value, uint64_t **sp, struct way_on *on) {
    *sp += left;
    switch (how) {
    case RESUME_FRAME: return true;
    case RESUME_RETURNED: *on = (struct way_on){stubs()->give, *sp - 1, value}; return false;
    case RESUME_THROWN: set_way(on, stubs()->ended, *sp - 1, NULL); return false;
    default: set_way(on, stubs()->ended, *sp - 1, &method_popped); return false;
    }
}

static bool unwinds(struct os_thread *self, bool catches, uint64_t **sp, struct way_on *on) {
    uint32_t left = 0;
    uint64_t value = 0;
    enum resumption how = catches ? unwind(self, &value, &left) : unwind_entered(self, &value, &left);
    return has_unwound(how, left, value, sp, on);
}

/* The interpreter goes on with the youngest frame. What C functions have on the stack down to here is no object: the
 * collector does not look at it, since this may last for as long as the program. */
static NOINLINE enum resumption interpret_below(struct os_thread *self, bool begun, uint64_t *value) {
    struct c_segment *segment = self->segment;
    uintptr_t base = segment->base;
    segment->base = thread_stack_pointer();
    thread_clean_stack(self, true);
    enum resumption how = exec_interpret(self, begun, value);
    segment->base = base;
    return how;
}

/* A distance of `every` on average: 1 is each time. */
static int32_t draw(struct os_thread *self, uint64_t every) {
    self->switch_seed = self->switch_seed * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)(1 + (self->switch_seed >> 33) % (2 * every - 1));
}

/* Draws how many branches and returns compiled code has before it leaves for no reason. */
static void draw_switch(struct os_thread *self) {
    uint64_t every = vm->options->flags.SwitchTierEvery;
    if (every != 0) self->until_switch = draw(self, every);
}

/* ... and how many checks. Has one of these just left for no reason? */
static bool draw_deoptimization(struct os_thread *self) {
    uint64_t every = vm->options->flags.DeoptimizeEvery;
    if (every == 0 || self->until_deoptimize > 0) return false;
    self->until_deoptimize = draw(self, every);
    return true;
}

/* f has left: what it returns is not for the code that called it. */
static void callers_leave(struct frame *f) {
    for (; f->flags & FRAME_INLINED; f = f->caller) f->caller->flags |= FRAME_LEAVES;
}

/* How a frame goes on from its record: not in compiled code, since it has left that by an exit, which has been counted,
 * or for another reason; in compiled code if it has an entry there; the same, in a handler. */
enum going { EXITS, LEAVES, GOES_ON, CATCHES };

/* The youngest frame, whose word is at sp. */
static void go_on(struct os_thread *self, enum going going, uint64_t *sp, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct java_thread *jt = self->java;
    /* Its callers' code has no entries behind calls, either, and polls are nobody's doing. */
    bool counted = going == EXITS || is_watched_for(self, POLL_ANY);
    for (;;) {
        struct frame *f = jt->frame;
        uint32_t words = frame_words(f);
        bool stays = going >= GOES_ON && words != 0 && !is_watched_for(self, WATCH_STEPS | POLL_ANY) &&
                     !self->stack_is_stale;
        const uint8_t *address = stays ? entry_of(f) : NULL;
        if (stays && address == NULL && (going == CATCHES || !counted)) jit_entry_lacks(f->code, going == CATCHES);
        if (address != NULL) {
            f->flags &= ~(uint32_t)FRAME_LEAVES;         /* the code that it was to leave is not where it goes on   */
            compiled_frame_stops(f);
            set_way(on, stubs()->resume, sp, address);
            return;
        }
        draw_switch(self);
        if (f->flags & FRAME_ENTRY || thread_c_stack_is_used_up(self)) {
            uint32_t all = compiled_frames_left(f);
            set_way(on, stubs()->ended, sp + all - 1, frame_method(f));
            return;
        }
        enum basic_type type = frame_method(f)->return_type;
        uint64_t value = 0;
        callers_leave(f);
        compiled_frame_left(f);
        f->flags |= FRAME_ENTRY;
        enum resumption how = interpret_below(self, true, &value);
        if (how == RESUME_RETURNED) {
            if (!must_leave(self, jt->frame)) {
                *on = (struct way_on){stubs()->give, sp, value};
                return;
            }
            frame_give(jt->frame, type, value);
        }
        sp += words;
        going = how == RESUME_THROWN ? CATCHES : GOES_ON;
        if (going == CATCHES && !unwinds(self, true, &sp, on)) return;
    }
}

static NOINLINE void throw_on(struct os_thread *self, bool catches, uint64_t *sp, struct way_on *on) {
    if (unwinds(self, catches, &sp, on)) go_on(self, CATCHES, sp, on);
}

/* The youngest frame, whose word is at sp, is to be popped or to return. */
static void honour_request(struct os_thread *self, uint64_t *sp, struct way_on *on) {
    uint32_t left = 0;
    uint64_t value = 0;
    enum resumption how = frame_honour_request(self, &value, &left);
    if (has_unwound(how, left, value, &sp, on)) go_on(self, GOES_ON, sp, on);
}

/* ---- exits ------------------------------------------------------------------------------------------------------- */

/* What f has run until then: mostly what new calls run. */
static const struct code_blob *blob_of(const struct frame *f, const uint8_t *pc) {
    const uint8_t *newest = atomic_load_explicit(&f->code->compiled, memory_order_relaxed);
    if (newest == NULL) return jit_blob_at(pc);
    const struct code_blob *b = (const struct code_blob *)(newest - ENTERED_FROM_C) - 1;
    return (uintptr_t)pc - (uintptr_t)newest < b->length ? b : jit_blob_at(pc);
}

/* That of self->leaving, which lies in b. */
static const struct known_exit *find_exit(struct os_thread *self, const struct code_blob *b) {
    struct known_exit *known = &self->last_exit;
    if (LIKELY(known->end == self->leaving && known->compilation == b->id)) return known;
    const uint8_t *begin = code_blob_begin(b);
    struct exit_row row = exits_find(begin + b->exits, begin + b->length - b->inlined,
                                     (uint32_t)(self->leaving - begin));
    *known = (struct known_exit){self->leaving, row.operands, b->id, jit_bci_in(b, self->leaving - 1),
                                 row.depth,     row.kind};
    return known;
}

/* What has been read of an exit that is EXIT_WHOLE. */
struct whole_exit {
    const uint8_t *end;                  /* as of struct known_exit; NULL: nothing has been read yet                */
    uint32_t compilation;
    struct exit_values values;
    struct inlined_place place;          /* if it is EXIT_INLINED                                                   */
};

static struct whole_exit *unread(struct whole_exit *w) {
    if (w != NULL) w->end = NULL;
    return w;
}

/* The thread's own, which keeps what was read last; NULL: there is no memory for it. */
static struct whole_exit *own_whole_exit(struct os_thread *self) {
    if (UNLIKELY(self->whole_exit == NULL)) self->whole_exit = unread(mem_alloc(sizeof *self->whole_exit));
    return self->whole_exit;
}

void jit_thread_ends(struct os_thread *t) {
    mem_free(t->whole_exit);
    t->whole_exit = NULL;
}

/* f leaves by the exit. */
static void read_whole(struct whole_exit *w, const struct frame *f, const struct known_exit *exit) {
    if (LIKELY(w->end == exit->end && w->compilation == exit->compilation)) return;
    w->values.count = w->values.slot_count = w->values.words = 0;
    w->values.in_order = true;
    if (exit->operands != NULL) exits_read_whole(exit->operands, exit->kind, &w->values);
    if (exit->kind & EXIT_INLINED) inlined_find(blob_of(f, exit->end), exit->end - 1, &w->place);
    w->end = exit->end;
    w->compilation = exit->compilation;
}

/* The frame of an inlined method: its locals and operands are there already. `caller` is in the call of it. It may have
 * entered monitors, if the thread has. */
static struct frame *make_frame(struct frame *caller, const struct inlined_frame *i, uint64_t *locals, bool locks) {
    struct method_code *code = i->method.code;
    struct frame *f = (struct frame *)(locals + code->max_locals);
    caller->sp = locals;
    *f = (struct frame){.code = code, .caller = caller, .pc = code->code + i->bci,
                        .flags = FRAME_COMPILED | FRAME_INLINED};
    if (locks || code->uncommon & CODE_SYNCHRONIZED) f->flags |= FRAME_HOLDS_LOCKS;
    return f;
}

/* Where f leaves in what it has inlined: what the interpreter would have there, on top of it. */
static struct frame *make_frames(struct frame *f, const struct inlined_place *place, bool locks) {
    uint64_t *first = frame_locals(f);
    vm_assert(place->count != 0, "nothing is inlined there");
    for (uint32_t i = place->count; i-- > 0;)
        f = make_frame(f, &place->frames[i], first + place->frames[i].method.base, locks);
    return f;
}

/* The records of f, the youngest frame, and of what is inlined in it there, become current; operands are at home. */
static ALWAYS_INLINE void complete_records(struct os_thread *self, struct frame *f, const struct known_exit *exit,
                                           const struct inlined_place *place) {
    f->pc = f->code->code + exit->bci;
    struct frame *youngest = place != NULL ? make_frames(f, place, self->java->lock_count != 0) : f;
    youngest->sp = frame_stack(youngest) + exit->depth;
    atomic_signal_fence(memory_order_seq_cst);
    if (place != NULL) frame_enter(self->java, youngest);
    atomic_signal_fence(memory_order_seq_cst);           /* until here os_thread.leaving says where it is           */
    self->leaving = NULL;
}

/* f, the youngest frame, leaves by the exit, which is EXIT_WHOLE: all goes home. */
static void complete_whole(struct os_thread *self, struct frame *f, const struct known_exit *exit,
                           const struct whole_exit *w, const struct exit_registers *registers) {
    exits_go_home_whole(&w->values, registers, frame_locals(f));
    complete_records(self, f, exit, exit->kind & EXIT_INLINED ? &w->place : NULL);
}

static NOINLINE void leave_whole(struct os_thread *self, struct frame *f, const struct known_exit *exit,
                                 const struct exit_registers *registers) {
    struct whole_exit *w = own_whole_exit(self);
    if (UNLIKELY(w == NULL)) w = unread(__builtin_alloca(sizeof *w));
    read_whole(w, f, exit);
    complete_whole(self, f, exit, w, registers);
}

static ALWAYS_INLINE void leave(struct os_thread *self, struct frame *f, const struct known_exit *exit,
                                const struct exit_registers *registers) {
    if (exit->kind & EXIT_WHOLE) {
        leave_whole(self, f, exit, registers);
        return;
    }
    if (exit->operands != NULL) exits_go_home(exit->operands, registers, frame_stack(f), frame_locals(f));
    complete_records(self, f, exit, NULL);
}

/* The frame stands at an instruction that has been done. */
static void step_over(struct frame *f) {
    const struct cf_code *source = code_source(f->code);
    f->pc += opcode_length(source->code, (uint32_t)frame_bci(f), source->code_length);
}

/* What C does in the place of compiled code: the instruction at which the youngest frame stands, or, of a synchronized
 * method that is inlined, what comes before its first one, or what comes first when it returns. */
enum by_c { BY_C_INSTRUCTION, BY_C_ENTRY, BY_C_RETURN };

static bool holds_monitor(const struct java_thread *jt, const struct frame *f) {
    for (uint32_t i = jt->lock_count; i-- > 0;)
        if (jt->locks[i].frame == f) return true;
    return false;
}

/* An empty method returns where it begins. */
static enum by_c asked_of_c(const struct os_thread *self, const struct frame *f) {
    const uint8_t op = code_source(f->code)->code[frame_bci(f)];
    if (!(f->flags & FRAME_INLINED && f->code->uncommon & CODE_SYNCHRONIZED)) return BY_C_INSTRUCTION;
    if (op >= OP_ireturn && op <= OP_return)
        return frame_bci(f) != 0 || holds_monitor(self->java, f) ? BY_C_RETURN : BY_C_ENTRY;
    return frame_bci(f) == 0 ? BY_C_ENTRY : BY_C_INSTRUCTION;
}

/* What comes before a method's first instruction. False: its monitor has not been entered; otherwise an exception may
 * be pending as well. */
static bool begins(struct os_thread *self, struct frame *f) {
    bool entered = LIKELY(f->code->uncommon == 0) || exec_enter_uncommon(self, f);
    if (entered && thread_watches_methods(self)) report_method_entry(self, f);
    return entered;
}

/* The frame stands where C has done what it was asked for, or where that has thrown. */
static NOINLINE void leaves_behind(struct os_thread *self, struct frame *f, enum by_c what, struct way_on *on) {
    REQUIRES(IN_VM | MAY_STOP);
    if (self->exception != NULL) {
        throw_on(self, what != BY_C_ENTRY || holds_monitor(self->java, f), on->sp, on);
    } else if (frame_is_requested(self, f)) {
        honour_request(self, on->sp, on);
    } else {
        if (what == BY_C_INSTRUCTION) step_over(f);
        go_on(self, LEAVES, on->sp, on);
    }
}

/* An object of the class with that id becomes an operand of f, in the place of an array's length, or of what
 * Unsafe.allocateInstance is called with. */
static bool allocates(struct os_thread *self, struct frame *f, uint32_t class_id) {
    struct class *c = (struct class *)shape_table[class_id];
    const uint8_t op = code_source(f->code)->code[frame_bci(f)];
    struct object *o = class_is_array(c) ? runtime_new_array(self, f, c)
                                         : heap_alloc_slow(self, &c->shape, c->shape.instance_size);
    if (UNLIKELY(o == NULL)) return false;
    if (op == OP_invokevirtual) f->sp -= 2;
    *f->sp++ = slot_ref(o);
    return true;
}

static NOINLINE bool does(struct os_thread *self, struct frame *f, enum by_c what) {
    if (what == BY_C_RETURN) return frame_gives_back_locks(self, f);
    if (what == BY_C_ENTRY) {
        begins(self, f);
        return self->exception == NULL;
    }
    switch (code_source(f->code)->code[frame_bci(f)]) {
    case OP_multianewarray: return runtime_multianewarray(self, f);
    case OP_monitorenter: return runtime_monitorenter(self, f);
    default:
        vm_assert(code_source(f->code)->code[frame_bci(f)] == OP_monitorexit, "an instruction that is not C's");
        return runtime_monitorexit(self, f);
    }
}

/* The code at `leaving`, which f runs, the youngest frame, has C do something, and goes on with what that gives behind
 * it: the stub `allocate` had no room, or it is C's to do. If a tool has set a local meanwhile, which a register may
 * still have as it was, the frame leaves (inspect/local.c); and so does one that returns, if a tool is to be told. */
static ALWAYS_INLINE int goes_on_behind(struct os_thread *self, struct frame *f, uint32_t class_id,
                                        const uint8_t *behind, struct way_on *on) {
    int floats = self->floats_are_free ? ALLOCATED_BESIDE_WORDS : ALLOCATED;
    bool no_room = self->no_room;
    self->floats_are_free = self->no_room = false;
    compiled_frame_stops(f);
    enum by_c what = no_room ? BY_C_INSTRUCTION : asked_of_c(self, f);
    bool done = no_room ? allocates(self, f, class_id) : does(self, f, what);
    bool is_told = what == BY_C_RETURN && thread_watches_methods(self);
    if (UNLIKELY(!done) || UNLIKELY(must_leave(self, f)) || UNLIKELY(is_told)) {
        leaves_behind(self, f, what, on);
        return false;
    }
    *on = (struct way_on){behind, on->sp, f->sp[-1]};
    return floats;
}

/* ... where locals and operands are in registers, and others of its values in their homes: the code goes on at the end
 * of the exit, and finds its own again. The collector sees those meanwhile, and nothing that other registers and slots
 * still hold. What is inlined there has frames as long. */
static NOINLINE int whole_goes_on_behind(struct os_thread *self, struct frame *f, const struct known_exit *exit,
                                         const struct exit_registers *registers, struct way_on *on) {
    uint64_t *locals = frame_locals(f);
    struct whole_exit *w = own_whole_exit(self);
    if (UNLIKELY(w == NULL)) w = unread(__builtin_alloca(sizeof *w));
    read_whole(w, f, exit);
    vm_assert(exit->kind & EXIT_BACK, "an exit that compiled code goes on behind");
    /* Those alone: what other slots, and those behind them, have held before would keep objects alive. The thread may
     * read another exit meanwhile. */
    struct kept { uint64_t value, slot; } *kept;
    uint32_t count = w->values.slot_count, n = count;
    kept = __builtin_alloca((count + (uint32_t)__builtin_popcount(w->values.words) + 1) * sizeof *kept);
    for (uint32_t i = 0; i < count; i++) kept[i] = (struct kept){locals[w->values.slots[i]], w->values.slots[i]};
    for (uint32_t words = w->values.words; words != 0; words &= words - 1)
        kept[n++] = (struct kept){registers->words[__builtin_ctz(words)], 0};
    const uint8_t *left_at = exit->end;  /* others may leave meanwhile                                              */
    complete_whole(self, f, exit, w, registers);
    int done = goes_on_behind(self, self->java->frame, (uint32_t)registers->words[REG_C1], left_at, on);
    thread_keep_all(kept);
    if (!done) return false;
    self->leaving = left_at;             /* the stub `back` ends that                                               */
    frame_leave(self->java, f);
    for (uint32_t i = 0; i < count; i++) locals[kept[i].slot] = kept[i].value;
    return done;
}

/* ---- exits with objects that are to be made ---------------------------------------------------------------------- */

struct to_make { uint32_t objects, fields, monitors; };

static struct to_make count_objects(const uint8_t *operands) {
    struct to_make n = {0, 0, 0};
    for (struct exit_objects o = exits_objects(operands); exits_next_object(&o); n.objects++) {
        n.fields += o.fields;
        n.monitors += o.monitors;
    }
    return n;
}

/* Before anything goes home: values lie where frames are made. */
static void read_fields(const uint8_t *operands, const struct exit_registers *registers, const uint64_t *locals,
                        uint64_t *values) {
    struct exit_field f;
    for (struct exit_objects o = exits_objects(operands); exits_next_object(&o);)
        while (exits_next_field(&o, &f)) *values++ = exits_field_value(&f, registers, locals);
}

static void set_field(struct object *o, uint32_t offset, char kind, uint64_t value) {
    void *at = (char *)o + offset;
    switch (kind) {
    case 'L': heap_store_ref(o, offset, (struct object *)(uintptr_t)value); break;
    case 'J': case 'D': memcpy(at, &value, 8); break;
    case 'I': case 'F': memcpy(at, &value, 4); break;
    case 'S': case 'C': memcpy(at, &value, 2); break;
    default: memcpy(at, &value, 1); break;
    }
}

/* `made` gets the addresses; the collector sees it, and the values, on this stack. No event is sent: the bytecode has
 * allocated them long ago. */
static bool make_objects(struct os_thread *self, const uint8_t *operands, const uint64_t *values, uint64_t *made) {
    struct exit_field f;
    uint32_t n = 0;
    for (struct exit_objects o = exits_objects(operands); exits_next_object(&o); n++) {
        struct object *new = heap_alloc_reserved(self, &o.class->shape);
        if (UNLIKELY(new == NULL)) {
            throw_out_of_memory(self, "Java heap space");
            return false;
        }
        made[n] = (uintptr_t)new;
        for (; exits_next_field(&o, &f); values++)
            set_field(new, f.value.index, f.kind, f.value.place == EXIT_OBJECT ? made[f.value.local] : *values);
    }
    return true;
}

/* A monitor that is to be entered, and the object that has it. */
struct to_enter { struct exit_monitor monitor; uint64_t object; };

/* The code has been holding them, for frames that are there by now: in the order in which it came to do so. */
static bool enter_monitors(struct os_thread *self, struct frame *f, const uint8_t *operands, const uint64_t *made,
                           struct to_enter *sorted) {
    struct to_enter next;
    uint32_t n = 0;
    for (struct exit_objects o = exits_objects(operands); exits_next_object(&o); made++)
        while (next.object = *made, exits_next_monitor(&o, &next.monitor)) {
            uint32_t i = n++;
            for (; i > 0 && sorted[i - 1].monitor.order > next.monitor.order; i--) sorted[i] = sorted[i - 1];
            sorted[i] = next;
        }
    for (uint32_t i = 0; i < n; i++) {
        struct frame *of = (struct frame *)(frame_locals(f) + sorted[i].monitor.frame);
        if (!monitor_enter_older(self, slot_object(sorted[i].object), of)) return false;
        of->flags |= FRAME_HOLDS_LOCKS;
    }
    return true;
}

/* There is no memory for f's objects: it ends, with what is inlined in it. No handler there is to see locals without
 * them. */
static void end_without_objects(struct os_thread *self, struct frame *f, struct way_on *on) {
    for (struct frame *inlined = self->java->frame; inlined != f; inlined = inlined->caller)
        monitor_exit_frame(self, inlined);
    frame_leave(self->java, f);
    throw_on(self, false, on->sp, on);
}

/* The frame gets its objects, and so do those that are inlined there. Where C was to do something (by_c) the
 * interpreter goes on from there, and nothing comes back: the code would know nothing of the objects. Without memory
 * for them f ends with the OutOfMemoryError. */
static NOINLINE void leaves_with_objects(struct os_thread *self, struct frame *f, const struct known_exit *known,
                                         const struct exit_registers *registers, bool by_c, struct way_on *on) {
    const struct known_exit exit = *known;
    struct to_make n = count_objects(exit.operands);
    uint64_t *values = __builtin_alloca((n.fields + 1) * sizeof *values);
    uint64_t *made = __builtin_alloca((n.objects + 1) * sizeof *made);
    struct to_enter *monitors = __builtin_alloca((n.monitors + 1) * sizeof *monitors);
    bool enters = by_c && !self->no_room;
    read_fields(exit.operands, registers, frame_locals(f), values);
    memset(made, 0, (n.objects + 1) * sizeof *made);
    self->floats_are_free = self->no_room = false;
    leave(self, f, &exit, registers);
    struct frame *youngest = self->java->frame;
    compiled_frame_stops(youngest);
    if (UNLIKELY(!make_objects(self, exit.operands, values, made)) ||
        UNLIKELY(!enter_monitors(self, f, exit.operands, made, monitors))) {
        end_without_objects(self, f, on);
        return;
    }
    exits_put_objects(exit.operands, made, frame_locals(f));
    const struct code_blob *b = jit_blob_at(exit.end);   /* NULL: it has been taken away meanwhile                  */
    if (exit.kind & EXIT_COUNTS && !draw_deoptimization(self) && b != NULL)
        jit_code_counts(f->code, b, exit.kind & EXIT_FOR_GOOD);
    enters = enters && asked_of_c(self, youngest) == BY_C_ENTRY;
    if (!enters || (begins(self, youngest) && self->exception == NULL && !frame_is_requested(self, youngest)))
        go_on(self, EXITS, on->sp, on);
    else
        leaves_behind(self, youngest, BY_C_ENTRY, on);
}

/* Where there is room for the object an event is due, and no collection: then now and then will do. */
static bool may_collect(struct os_thread *self, uint32_t class_id) {
    enum { EACH = 16 };
    if (!self->no_room) return true;
    const struct class *c = (const struct class *)shape_table[class_id];
    return class_is_array(c) || self->tlab.limit - self->tlab.top < c->shape.instance_size ||
           self->allocations_by_c++ % EACH == 0;
}

/* What earlier calls, those of stubs among them, have left on the C stack, where those that follow leave room, would
 * keep objects alive as long as the loop runs that comes here each time. */
static NOINLINE void forget_below(void) {
    uint64_t words[192];
    explicit_bzero(words, sizeof words);
}

int run_left(struct os_thread *self, const struct exit_registers *registers, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame *f = self->java->frame;
    const struct known_exit *exit = find_exit(self, blob_of(f, self->leaving));
    const uint8_t *behind = self->allocating;
    self->allocating = NULL;
    if (behind != NULL && may_collect(self, (uint32_t)registers->words[REG_C1])) forget_below();
    if (UNLIKELY(exit->kind & EXIT_OBJECTS)) {
        leaves_with_objects(self, f, exit, registers, behind != NULL, on);
        return false;
    }
    if (behind != NULL && exit->kind & EXIT_WHOLE) return whole_goes_on_behind(self, f, exit, registers, on);
    uint32_t kind = exit->kind;
    const uint8_t *end = exit->end;
    leave(self, f, exit, registers);
    if (behind != NULL) return goes_on_behind(self, f, (uint32_t)registers->words[REG_C1], behind, on);
    if (kind & EXIT_BEHIND_EVENTS) f->flags |= FRAME_EVENTS_SENT;
    if (kind & EXIT_COUNTS && !draw_deoptimization(self))
        jit_code_counts(f->code, jit_blob_at(end), kind & EXIT_FOR_GOOD);
    go_on(self, EXITS, on->sp, on);
    return false;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* Interprets what f has called: the frames that compiled code of it has left, or `callee` from its begin. Nonzero: it
 * has returned *value; else *on. */
static int has_called(struct os_thread *self, struct frame *f, struct method *callee, uint64_t *args, uint64_t *value,
                      struct way_on *on) {
    struct java_thread *jt = self->java;
    bool begun = jt->frame != f;
    enum resumption how = RESUME_THROWN;
    f->sp = args;
    if (begun || exec_push_entry(self, callee, args)) how = interpret_below(self, begun, value);
    if (how == RESUME_THROWN) throw_on(self, true, on->sp + 1, on);
    if (how == RESUME_POPPED) go_on(self, GOES_ON, on->sp + 1, on);
    return how == RESUME_RETURNED;
}

static int returns(struct os_thread *self, struct frame *f, const struct method *m, uint64_t value,
                   struct way_on *on) {
    if (LIKELY(!must_leave(self, f))) {
        on->value = value;
        return true;
    }
    frame_give(f, m->return_type, value);
    go_on(self, LEAVES, on->sp + 1, on);
    return false;
}

static bool c_stack_lasts(struct os_thread *self, struct way_on *on) {
    if (LIKELY(!thread_c_stack_is_used_up(self))) return true;
    throw_stack_overflow(self);
    throw_on(self, true, on->sp + 1, on);
    return false;
}

int run_interpreted(struct os_thread *self, struct method *m, uint64_t *args, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame *f = self->java->frame;
    uint64_t value = 0;
    return c_stack_lasts(self, on) && has_called(self, f, m, args, &value, on) && returns(self, f, m, value, on);
}

int run_call(struct os_thread *self, struct method *m, uint64_t *args, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    method_entry_function *enter = atomic_load_explicit(&m->enter, memory_order_acquire);
    struct frame *f = self->java->frame;
    uint64_t value = 0;
    f->sp = args + m->arg_slots;
    compiled_frame_stops(f);
    if (enter == NULL) return run_interpreted(self, m, args, on);
    if (!c_stack_lasts(self, on)) return false;
    struct method *callee = enter(self, m, args, &value);
    if (callee == &method_popped) {
        go_on(self, GOES_ON, on->sp + 1, on);
        return false;
    }
    f->sp = args;
    if (callee != NULL && !has_called(self, f, callee, args, &value, on)) return false;
    if (LIKELY(self->exception == NULL)) return returns(self, f, m, value, on);
    throw_on(self, true, on->sp + 1, on);
    return false;
}

int run_native_ended(struct os_thread *self, struct native_way_on *way) {
    REQUIRES(IN_VM | MAY_STOP);
    struct frame *f = self->java->frame;
    struct way_on *on = &way->on;
    f->sp -= way->callee->arg_slots;
    if (self->exception == NULL) return returns(self, f, way->callee, on->value, on);
    throw_on(self, true, on->sp + 1, on);
    return false;
}

int run_function_ended(struct os_thread *self, struct native_way_on *way) {
    REQUIRES(IN_VM | MAY_STOP);
    way->callee = frame_method(self->java->frame);
    native_function_ends(self, &way->on.value);
    return run_native_ended(self, way);
}

int run_intrinsic_ended(struct os_thread *self, struct native_way_on *way) {
    REQUIRES(IN_VM | MAY_STOP);
    way->callee = frame_method(self->java->frame);
    native_ends(self, &way->on.value);
    return run_native_ended(self, way);
}

struct method *run_invoke(struct os_thread *self, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame *f = self->java->frame;
    compiled_frame_stops(f);
    struct method *m = select_callee(self, f);
    if (m == NULL) {
        throw_on(self, true, on->sp + 1, on);
        return NULL;
    }
    f->sp -= m->arg_slots;
    on->value = (uintptr_t)f->sp;
    return m;
}

/* ---- entries and returns under watch ----------------------------------------------------------------------------- */

/* f, which has its monitor if it is `entered`, goes on with its first instruction. Polls come last: that none is there
 * says that no request is, either. */
static int goes_on_entered(struct os_thread *self, struct frame *f, bool entered, struct way_on *on) {
    if (UNLIKELY(self->exception != NULL)) throw_on(self, entered, on->sp + 1, on);
    else if (LIKELY(!must_leave(self, f))) return true;
    else if (frame_is_requested(self, f)) honour_request(self, on->sp + 1, on);
    else go_on(self, LEAVES, on->sp + 1, on);
    return false;
}

int run_entered(struct os_thread *self, struct frame *f, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    f->sp = frame_stack(f);
    compiled_frame_stops(f);
    return goes_on_entered(self, f, begins(self, f), on);
}

int run_entry_reported(struct os_thread *self, struct frame *f, struct way_on *on) {
    REQUIRES(IN_VM | MAY_STOP);
    steps_begin_behind(self, f, false);
    return goes_on_entered(self, f, true, on);
}

/* What is not just a return: f's exit has been reported. */
static NOINLINE int returns_elsewhere(struct os_thread *self, struct frame *f, struct way_on *on) {
    REQUIRES(IN_VM | MAY_STOP);
    struct frame *caller = f->caller;
    if (self->exception != NULL) {
        throw_on(self, true, on->sp + 1, on);
    } else if (frame_is_requested(self, f)) {
        honour_request(self, on->sp + 1, on);
    } else {
        bool is_entry = f->flags & FRAME_ENTRY;
        frame_leave(self->java, caller);
        if (is_entry || !must_leave(self, caller)) return true;
        frame_give(caller, frame_method(f)->return_type, on->value);
        go_on(self, LEAVES, on->sp + 2, on);
    }
    return false;
}

/* f's exit has been reported, where that is wanted. */
static int has_returned(struct os_thread *self, struct frame *f, struct way_on *on) {
    if (UNLIKELY(self->exception != NULL) || UNLIKELY(is_watched_for(self, WATCH_STEPS | POLL_ANY)) ||
        UNLIKELY(f->flags & FRAME_CALLER_LEAVES))
        return returns_elsewhere(self, f, on);
    frame_leave(self->java, f->caller);
    return true;
}

/* Where the frame is stepped, or has other code, the interpreter does the return; polls can wait. */
int run_return(struct os_thread *self, struct frame *f, uint64_t value, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    f->sp = frame_stack(f);
    frame_push(f, frame_method(f)->return_type, value);
    compiled_frame_stops(f);
    on->value = value;
    uint32_t watched = atomic_load_explicit(&self->attention, memory_order_relaxed);
    if (UNLIKELY(f->flags & (FRAME_LEAVES | FRAME_HOLDS_LOCKS | FRAME_POP_EVENT)) || UNLIKELY(watched & WATCH_STEPS)) {
        if (must_leave_for(self, f, WATCH_STEPS)) {
            go_on(self, LEAVES, on->sp + 1, on);
            return false;
        }
        (void)frame_return(self, f, &on->value);
    } else if (watched & WATCH_METHODS) {
        report_method_exit(self, f, false, &on->value);
    }
    return has_returned(self, f, on);
}

int run_exit_reported(struct os_thread *self, struct frame *f, struct way_on *on) {
    REQUIRES(IN_VM | MAY_STOP);
    end_method_exit(self, f, false);
    return has_returned(self, f, on);
}

#ifdef VITRINE_CHECK
void run_report_entry(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    compiled_frame_stops(f);
    probe_fire_method_entry(self, f);
}

void run_report_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t value) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    compiled_frame_stops(f);
    probe_fire_method_exit(self, f, by_exception, value);
}
#endif

/* ---- single instructions ----------------------------------------------------------------------------------------- */

/* An instruction has been done, but for frame->pc. */
int run_runtime(struct os_thread *self, runtime_function *f, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame *frame = self->java->frame;
    compiled_frame_stops(frame);
    if (UNLIKELY(!f(self, frame))) {
        throw_on(self, true, on->sp + 1, on);
    } else if (LIKELY(!must_leave(self, frame))) {
        return true;
    } else if (frame_is_requested(self, frame)) {
        honour_request(self, on->sp + 1, on);
    } else {
        step_over(frame);
        go_on(self, LEAVES, on->sp + 1, on);
    }
    return false;
}

/* The events have been sent, but the instruction has not been done: polls can wait for it. */
int run_breakpoint(struct os_thread *self, struct frame *f, struct way_on *on) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    compiled_frame_stops(f);
    probe_breakpoint(self, f);
    if (UNLIKELY(self->exception != NULL)) {
        throw_on(self, true, on->sp + 1, on);
    } else if (frame_is_requested(self, f)) {
        honour_request(self, on->sp + 1, on);
    } else if (UNLIKELY(must_leave_for(self, f, WATCH_STEPS))) {
        f->flags |= FRAME_EVENTS_SENT;
        go_on(self, LEAVES, on->sp + 1, on);
    } else {
        return true;
    }
    return false;
}

/* ---- frames that the interpreter has begun ----------------------------------------------------------------------- */

enum resumption jit_run_compiled(struct os_thread *self, struct frame *frame, bool catches, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    /* Where what is caught says that the C stack is used up, it is not to grow.                                  */
    bool stays = catches && thread_c_stack_is_used_up(self);
    const uint8_t *address = !stays ? entry_of(frame) : NULL;
    if (address == NULL && !stays && catches) jit_entry_lacks(frame->code, true);
    if (address == NULL && !catches && has_receiver(frame) && jit_code_lacks(frame->code)) address = entry_of(frame);
    frame->flags |= FRAME_ENTRY;
    if (address == NULL) return RESUME_FRAME;
    compiled_frame_stops(frame);
    frame->flags |= FRAME_COMPILED;
    enter_loop_function *enter = (enter_loop_function *)(uintptr_t)stubs()->enter_loop;
    struct method *answer = enter(self, frame, address, result);
    if (answer == &method_popped) return RESUME_POPPED;
    if (answer != NULL) return RESUME_FRAME;
    return self->exception != NULL ? RESUME_THROWN : RESUME_RETURNED;
}
