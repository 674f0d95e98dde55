#!/usr/bin/env python3
"""Mends and checks of the VM that tests must hold: each is taken out in turn, in a copy of the tree, and the tests
named for it must turn red.

Usage: mutations.py [--work DIR] [--only REGEX] [--check] [--list]

--work   where the copy is made and built, and left for the next time (default: build/mutations)
--only   those whose name matches
--check  builds nothing: does each substitution still match the source, once? (lint.mutations)

A mutation is a substitution in one file. A test that is red without it shows nothing: the tests of the mutations chosen
run first on the copy as it is. Ends with 1 if a substitution does not match, a mutation survives, or does not compile.
"""
import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MODES = {"release": ("build", []), "check": ("build-check", ["CHECK=1"]), "fuzz": ("build-fuzz", ["FUZZ=1"])}
SECONDS = 1800                               # for the tests of one mutation


class Mutation(NamedTuple):
    name: str
    path: str
    old: str
    new: str
    tests: str                               # a pattern of ctest; both libraries where a test has them
    mode: str = "release"


def on_both(*names):
    """Patterns of tests that both libraries have: command.<name>, diff.<theme>.<Program>."""
    kinds = (name.split(".", 1) for name in names)
    return "^(%s)$" % "|".join(rf"{kind}\.[0-9]+\.{re.escape(rest)}" for kind, rest in kinds)


MUTATIONS = [
    # What compiled code has in place of the library's own
    Mutation("known-results-are-narrowed", "src/jit/optimising/known.c",
             "(int32_t)narrowed_result(g->c->code->method->return_type,",
             "(int32_t)narrowed_result(T_INT,",
             on_both("diff.bytecode.KnownResults")),
    Mutation("compiled-additions-replace", "src/jit/optimising/emit_access.c",
             "    if (raw_part(n).is_strong) asm_exchange_add(",
             "    if (n->in[0] == 0) asm_exchange_add(",
             on_both("diff.concurrent.CountedTogether")),
    Mutation("exchanges-go-unreported", "src/exec/intrinsic_atomic.c",
             "INTRINSIC_IF(name, !vm->exec->accesses_reported)",
             "INTRINSIC_IF(name, true)",
             on_both("command.jvmti_extensions")),
    Mutation("watching-is-asked-once", "src/jit/optimising/gvn.c",
             "    bool is_recent = t->watch != 0 && last->memory == t->polls;",
             "    bool is_recent = t->watch != 0;",
             on_both("command.inlining")),
    # Steps
    Mutation("resolution-is-not-stepped", "src/exec/engine.h",
             "    if (t->steps_hidden != 0) return true;\n", "",
             on_both("command.generated_events", "command.jvmti")),
    # Thread dumps
    Mutation("dumps-name-the-awaited-class", "src/link/init.c",
             "        thread_awaits_class(self, c);\n",
             "",
             on_both("command.diagnostic_commands")),
    Mutation("deadlocks-among-locks-of-the-library", "src/jdk/thread_dump.c",
             "    deadlocks_find(true, put_deadlock, &r);",
             "    deadlocks_find(false, put_deadlock, &r);",
             on_both("command.diagnostic_commands")),
    # The verifier
    Mutation("protected-members-unchecked", "src/verify/instructions.c",
             "    if (elsewhere == VERIFY_NO) return true;\n    if (is_method && holder",
             "    if (elsewhere != VERIFY_THREW) return true;\n    if (is_method && holder",
             on_both("diff.crafted.ProtectedMembers")),
    Mutation("chop-frames-keep-this-uninit", "src/verify/stackmap.c",
             "        f->flags = 0;\n        for (int32_t i = 0; i < size; i++)",
             "        for (int32_t i = 0; i < size; i++)",
             on_both("diff.crafted.StackMapFrames", "diff.crafted.UninitializedObjects")),
    Mutation("handlers-lose-this-uninit", "src/verify/method.c",
             "        at_handler.flags |= this_uninit ? FLAG_THIS_UNINIT : 0;",
             "        at_handler.flags = 0;",
             on_both("diff.crafted.StackMapFrames", "diff.crafted.UninitializedObjects")),
    # Linking
    Mutation("constraints-never-recorded", "src/link/loader.c",
             "    struct class *ca = dictionary_find(a, name), *cb = dictionary_find(b, name);\n",
             "    if (name != NULL) return true;\n"
             "    struct class *ca = dictionary_find(a, name), *cb = dictionary_find(b, name);\n",
             on_both("diff.crafted.LoaderConstraints")),
    Mutation("refused-constraint-does-not-stick", "src/link/loader.c",
             "*other = known == NULL ? constraint_conflict(l, c) : NULL;",
             "*other = NULL;",
             on_both("diff.crafted.LoaderConstraints")),
    Mutation("protected-receiver-unchecked", "src/link/access.c",
             "    return flags & ACC_STATIC || from == resolved || class_is_subtype(from, resolved) ||\n"
             "           class_is_subtype(resolved, from);",
             "    return resolved != NULL;",
             on_both("diff.crafted.ProtectedMembers", "diff.crafted.AccessOfMembers")),
    # Redefinition
    Mutation("private-methods-that-tables-may-have-come-and-go", "src/link/redefine_compare.c",
             "           m->access_flags & (ACC_STATIC | ACC_FINAL);", "           m->access_flags != 0;",
             on_both("command.redefine_methods")),
    Mutation("calls-of-deleted-methods-stay-resolved", "src/link/redefine.c",
             "    if (k->deletes) link_hooks.methods_deleted(c);\n", "",
             on_both("command.redefine_methods")),
    Mutation("compiled-callers-of-deleted-methods-stay", "src/exec/patch.c",
             "        changed = true;\n        put_opcode(code, bci, original);",
             "        put_opcode(code, bci, original);",
             on_both("command.redefine_methods")),
    Mutation("added-methods-stay-missing-for-those-who-asked", "src/link/redefine.c",
             "    if (k->adds) class_walk_all(forget_method_errors, NULL);\n", "    (void)forget_method_errors;\n",
             on_both("command.redefine_methods")),
    # Threads
    Mutation("suspended-thread-swallows-wake-up", "src/thread/monitor.c",
             "    while (n && n->suspended) n = n->next;\n", "",
             r"^command\.25\.jvmti$"),               # which hangs then, until its time is over
    Mutation("exhausted-without-threads-flag", "src/jdk/java_lang_Thread.c",
             "EXHAUSTED_ERROR | EXHAUSTED_THREADS", "EXHAUSTED_ERROR",
             on_both("command.jvmti")),
    Mutation("segments-of-unwound-threads-stay", "src/thread/unwound.c",
             "    if (has_segments) drop_segments(self);", "    if (has_segments && false) drop_segments(self);",
             on_both("command.unwinding"), "check"),
    Mutation("global-handles-searched-for", "src/thread/handle.c",
             "    struct handle_chunk *c = ptr_table_get(&set->known, (const void *)page);\n",
             "    struct handle_chunk *c = set->chunks;\n"
             "    while (c && ALIGN_DOWN((uintptr_t)c->slots, (uintptr_t)CHUNK_PAGE) != page) c = c->next;\n",
             "^unit.thread_test$"),
    # What tools look at
    Mutation("sum-of-slot-overflows", "src/inspect/local.c",
             "slot >= code->max_locals - (kind == 'J' || kind == 'D')",
             "(int)((unsigned)slot + (kind == 'J' || kind == 'D')) >= code->max_locals",
             on_both("command.jvmti_every_call")),
    Mutation("locals-without-a-value", "src/inspect/local.c",
             "    if (!bit(held, slot)) return LOCAL_NO_SLOT;\n", "    (void)held;\n",
             on_both("command.jvmti")),
    Mutation("appendix-not-reported", "src/inspect/stack.c",
             "    bool hidden = live > operands; ", "    bool hidden = live > operands + 1; ",
             "^unit.inspect_stack_test$"),
    Mutation("errors-thrown-again-as-they-were", "src/link/throw.c",
             "    if (class_of(e)->loader != vm->boot_loader) return e;",
             "    if (class_of(e)->loader != NULL) return e;",
             r"^diff\.(17|25)\.exceptions\.ErrorsAgain$"),
    Mutation("arrays-of-primitives-boot-loaders-alone", "src/jvmti/class.c",
             "    bool initiated = class_is_primitive(element) || element->loader",
             "    bool initiated = (class_is_primitive(element) && l->loader->is_boot) || element->loader",
             on_both("command.jvmti")),
    Mutation("frame-pop-asked-for-at-the-exit-dropped", "src/exec/engine.h",
             "    if (filter == NULL || f->flags & FRAME_POP_EVENT ||\n"
             "        filter->filters->method_exit(filter->storage, method_code_id(f->code), by_exception))\n"
             "        probe_method_exit(self, f, by_exception, *value);\n"
             "    end_method_exit(",
             "    bool pops = f->flags & FRAME_POP_EVENT;\n"
             "    if (filter == NULL || pops ||\n"
             "        filter->filters->method_exit(filter->storage, method_code_id(f->code), by_exception))\n"
             "        probe_method_exit(self, f, by_exception, *value);\n"
             "    if (!pops) f->flags &= ~(uint32_t)FRAME_EXITING;\n"
             "    else end_method_exit(",
             on_both("command.jvmti")),
    Mutation("steps-begin-at-the-handler", "src/exec/ops_tools.inc",
             "        if (!step_is_left_out(self, frame)) probe_single_step(self, frame);",
             "        (void)step_is_left_out(self, frame);\n        probe_single_step(self, frame);",
             on_both("command.jvmti")),
    Mutation("variables-of-running-threads-refused-by-17", "src/jvmti/local_variable.c",
             "    return vm->library == LIBRARY_17 ? JVMTI_ERROR_NONE : jvmti_frame_error(t, self);",
             "    return jvmti_frame_error(t, self);",
             r"^command\.17\.jvmti$"),
    Mutation("objects-looked-at-in-their-turn", "spec/gen_jvmti.py",
             "    return early + late\n",
             "    return late + early\n",
             on_both("command.jvmti")),
    Mutation("receivers-of-unresolved-calls-unnoted", "src/jit/call_sites.c",
             "    note_receiver(a, RECEIVER);\n    asm_bind(a, &not_noted);", "    asm_bind(a, &not_noted);",
             on_both("command.guesses")),
    Mutation("hashes-of-another-secret", "src/jit/optimising/emit_intrinsic.c",
             "(int32_t)heap_hash_secret());", "(int32_t)heap_hash_secret() + 1);",
             on_both("diff.bytecode.OptimisedHashes")),
    Mutation("values-of-what-is-filtered-out", "src/jvmti/heap.c",
             "    if (!reported(rep, wc, tag_of(rep, o), class_tag(rep, wc))) return true;\n    if (rep->",
             "    if (rep->", on_both("command.jvmti")),
    Mutation("callers-handles-are-the-youngests", "src/inspect/heap_roots.c",
             "    l->stack.depth = is_found ? depth : 0;", "    l->stack.depth = 0;",
             on_both("command.jvmti")),
    Mutation("objects-of-lambdas-untold", "src/probe/probe.c",
             " | ALL_ALLOCATIONS | PROBE_MASK(PROBE_vm_object_alloc));", " | ALL_ALLOCATIONS);",
             on_both("command.dependencies")),
    Mutation("older-wishes-about-allocations-win", "src/probe/probe.c",
             '    safepoint_begin(self, "allocation events");\n    uint64_t events = allocation_events();\n',
             '    uint64_t events = allocation_events();\n    safepoint_begin(self, "allocation events");\n',
             on_both("command.switches")),
    Mutation("catch-told-behind-its-handler", "src/exec/events.c",
             "probe_exception(self, f, e, catcher, bci);", "probe_exception(self, f, e, catcher, bci + 1);",
             on_both("command.generated_events")),
    Mutation("watched-fields-stay-in-optimised-code", "src/jit/optimising/support.c",
             "if (is_watched(c)) return at_event(", "if (is_watched(c) && op == OP_getstatic) return at_event(",
             on_both("command.generated_events")),
    Mutation("exits-of-compiled-frames-without-a-value", "src/jit/run.c",
             "        report_method_exit(self, f, false, &on->value);",
             "        uint64_t none = 0;\n        report_method_exit(self, f, false, &none);",
             on_both("command.generated_events")),
    Mutation("entered-frames-stay-in-old-code", "src/jit/method_events.c",
             "    test_flags(a, FRAME_LEAVES);\n    asm_branch(a, COND_NOT_EQUAL, &ended);\n", "",
             on_both("command.jvmti")),
    Mutation("callers-of-reported-exits-stay-in-old-code", "src/jit/method_events.c",
             "    test_flags(a, FRAME_POP_EVENT | FRAME_CALLER_LEAVES);\n", "    test_flags(a, FRAME_POP_EVENT);\n",
             on_both("command.jvmti")),
    Mutation("results-are-no-operands-at-reported-exits", "src/jit/method_events.c",
             "    push_result(a, value);\n", "    (void)push_result;\n",
             on_both("command.jvmti"), "check"),
    Mutation("breakpoint-location-not-looked-up-again", "src/jvmti/breakpoint.c",
             "    return breakpoint_is_location(*out, location) ? JVMTI_ERROR_NONE",
             "    return location >= 0 ? JVMTI_ERROR_NONE",
             on_both("command.stale_ids"), "check"),
    Mutation("filters-of-a-disposed-environment", "src/jvmti/event_filter.c",
             "    bool gone = jvmti_env_is_gone(env);", "    bool gone = false;",
             on_both("command.stale_ids"), "check"),
    # The process
    Mutation("agents-text-not-flushed", "src/vm/invocation.c",
             "    fflush(stdout);                      /* what agents", "    /* what agents",
             on_both("command.invocation")),
    # What comes from outside
    Mutation("jar-extra-field-overruns", "src/base/zip.c",
             "        if (n > left - 4) return;\n", "",
             r"^fuzz\.zip_fuzz$", "fuzz"),
    Mutation("jar-entry-overruns", "src/base/zip.c",
             "at > size || e->compressed_size > size - at", "at > size",
             r"^fuzz\.zip_fuzz$", "fuzz"),
    Mutation("image-resource-overruns", "src/base/jimage.c",
             "if (offset > j->resources_size || stored > j->resources_size - offset) return false;",
             "if (offset > j->resources_size || stored == UINT64_MAX) return false;",
             r"^fuzz\.jimage_fuzz$", "fuzz"),
    Mutation("image-constant-overruns", "src/base/jimage.c",
             "    if ((size_t)(c->end - c->p) < n) {", "    if (n > 65537) {",
             r"^fuzz\.jimage_fuzz$", "fuzz"),
    Mutation("second-requests-refused", "src/jdk/attach_request.c",
             "    while (r->name != NULL && r->length < limit)", "    while (r->name != NULL && r->length <= limit)",
             r"^fuzz\.attach_fuzz$", "fuzz"),
    Mutation("option-refused-without-a-reason", "src/base/options_flag.c",
             "    options_fail(r, OPTIONS_INVALID, \"Unrecognized VM option '%s'\", text);\n"
             "    if (r->o->library != 25)",
             "    r->result = OPTIONS_INVALID;\n"
             "    if (r->o->library != 25)",
             r"^fuzz\.options_fuzz$", "fuzz"),
    Mutation("long-instance-inside-a-segment", "src/hprof/heap_record.c",
             "    heap_writer_flush(w);\n    begin_segment(w, head_size + body_size);",
             "    begin_segment(w, head_size + body_size);",
             r"^fuzz\.heap_record_fuzz$", "fuzz"),
    # The heap
    Mutation("marking-threads-cost-nothing", "src/heap/collect.c",
             "(double)h->last.nanos * h->active_workers * h->config.time_ratio",
             "(double)h->last.nanos * h->config.time_ratio",
             "^unit.heap_test$"),
    Mutation("holes-for-the-smallest-alone", "src/heap/allocate.c",
             "take_medium_hole(h, hole_kind(size), &low, &high)",
             "take_medium_hole(h, hole_kind(size) == 0 ? 0 : HOLE_KINDS, &low, &high)",
             on_both("command.lambda_factories")),
    # Intrinsics
    Mutation("large-exponents-are-ordinary", "src/exec/intrinsic_elementary.c",
             "magnitude_of(y) < HIGH_TWO_TO_31;",
             "true;",
             on_both("diff.arithmetic.ElementaryFunctions")),
    # Compiled code
    Mutation("others-get-what-most-have", "src/jit/optimising/emit.c",
             "branch(e, COND_EQUAL, successor(e->g, p, 0), successor(e->g, p, 1));",
             "branch(e, COND_NOT_EQUAL, successor(e->g, p, 0), successor(e->g, p, 1));",
             on_both("diff.invoke.ReceiversOfSeveralClasses")),
    Mutation("rare-receivers-are-inlined", "src/jit/optimising/callee.c",
             "2 * most < seen->first_calls + seen->other_calls + seen->more_calls",
             "most == 0",
             on_both("command.guesses")),
    Mutation("receivers-outlive-their-class", "src/vm/hooks.c",
             "    jit_class_ids_retired();\n",
             "",
             on_both("command.guesses")),
    Mutation("inlined-monitors-are-the-callers", "src/jit/monitors.c",
             "enter_for(a, HOLDER, &slow);",
             "enter_for(a, REG_FRAME, &slow);",
             on_both("diff.bytecode.InlinedMonitors")),
    Mutation("own-monitor-is-not-missed", "src/jit/run.c",
             "if (locks || code->uncommon & CODE_SYNCHRONIZED) f->flags",
             "if (locks) f->flags",
             on_both("diff.bytecode.InlinedMonitors")),
    Mutation("what-c-was-to-enter-is-not", "src/jit/run.c",
             "bool enters = by_c && !self->no_room;",
             "bool enters = by_c && !self->no_room && false;",
             on_both("diff.bytecode.InlinedMonitors")),
    Mutation("call-sites-keep-their-target", "src/jit/compiled.c",
             "take_stale_away(j, relies_on, site);", "(void)relies_on;",
             on_both("command.inlining")),
    Mutation("finals-that-jni-assigns-stay", "src/jni/field.c",
             "if (stays && f->holder != known_class(java_lang_System)) jit_final_assigned(self, f);",
             "if (stays && f->holder != known_class(java_lang_System)) (void)self;",
             on_both("command.dependencies")),
    Mutation("handles-are-not-followed", "src/jit/optimising/callee.c",
             "if (m->entry == ENTRY_INVOKE_BASIC) return entry_of_handle(g, bci);",
             "if (m->entry == ENTRY_INVOKE_BASIC) return (entry_of_handle(g, bci), (struct callee){0});",
             on_both("command.inlining")),
    Mutation("private-methods-of-interfaces-are-called", "src/jit/optimising/callee.c",
             "return (struct callee){.method = m, .interface = has_it ? NULL : m->holder};",
             "return (struct callee){.method = has_it ? m : NULL, .interface = NULL};",
             on_both("command.inlining")),
    Mutation("receivers-need-no-interface", "src/jit/optimising/inline.c",
             "if (s->interface != NULL && ir_goes_on(g)) {",
             "if (s->interface != NULL && ir_goes_on(g) && g->calls && !g->calls) {",
             on_both("diff.invoke.WrongReceivers")),
    Mutation("called-receivers-need-no-interface", "src/jit/baseline/call.c",
             "asm_branch_short(&c->a, COND_NOT_EQUAL, &lacks_it);",
             "asm_branch_short(&c->a, COND_OVERFLOW, &lacks_it);",
             on_both("diff.invoke.WrongReceivers")),
    Mutation("reciprocals-are-one-less", "src/jit/optimising/divide.c",
             "(uint64_t)(power / d) + 1, shift}", "(uint64_t)(power / d), shift}",
             on_both("diff.bytecode.DividedByConstants")),
    Mutation("shifts-round-down", "src/jit/optimising/divide.c",
             "if (is_not_negative(b->g, x)) return build_constant(b, type, 0);",
             "if (true || is_not_negative(b->g, x)) return build_constant(b, type, 0);",
             on_both("diff.bytecode.DividedByConstants")),
    Mutation("copied-elements-are-not-looked-at", "src/exec/intrinsic_object.c",
             "if (o != NULL && !object_is_instance(o, component)) return false;",
             "if (o != NULL && !object_is_instance(o, component) && component == NULL) return false;",
             on_both("diff.arithmetic.Intrinsics")),
    Mutation("indexes-may-be-the-length", "src/jit/optimising/range.c",
             "return y->imm >= 0 && y->imm < n->imm;", "return y->imm >= 0 && y->imm <= n->imm;",
             on_both("diff.bytecode.KnownArrays")),
    Mutation("arrays-of-two-lengths-are-equal", "src/jit/optimising/emit_leaf.c",
             "asm_constant(a, REG_RESULT, 0);", "asm_constant(a, REG_RESULT, 1);",
             on_both("diff.bytecode.KnownArrays")),
    Mutation("first-way-says-what-is-known", "src/jit/optimising/known.c",
             "if (!is_same((*met)[i], s->known[i])) (*met)[i] = known_nothing();",
             "if (!is_same((*met)[i], s->known[i])) continue;",
             on_both("diff.invoke.InlinedMethodHandles")),
    Mutation("ways-that-come-later-are-forgotten", "src/jit/optimising/inline.c",
             "bool is_met = !p->is_entry && !has_unseen_entry_before(s, bci);",
             "bool is_met = !p->is_entry && (true || has_unseen_entry_before(s, bci));",
             on_both("diff.bytecode.ConditionBehindLoop")),
    Mutation("passed-arguments-are-elsewhere", "src/jit/optimising/emit.c",
             "return slot != NOT_PASSED ? outgoing(e, slot) : steady_place(e, id);",
             "return steady_place(e, slot != NOT_PASSED ? id : id);",
             on_both("diff.bytecode.OptimisedLeaves")),
    Mutation("no-monitor-is-left-out", "src/jit/optimising/escape.c",
             "is_told = g->elides_monitors && has_monitors_in_order(e);",
             "is_told = !has_monitors_in_order(e) && g->elides_monitors && false;",
             on_both("command.escape")),
    Mutation("short-copies-write-records", "src/jit/optimising/emit_leaf.c",
             "if (copies) memcpy(e->written, written, sizeof written);", "(void)written;",
             on_both("diff.bytecode.OptimisedCopies")),
    Mutation("copies-beyond-the-bounds", "src/jit/copy.c",
             "asm_alu(a, ALU_CMP, W64, SUM, LENGTH);", "asm_alu(a, ALU_CMP, W32, SUM, LENGTH);",
             on_both("diff.bytecode.OptimisedCopies")),
    Mutation("copying-stub-has-no-frame", "src/jit/compiled.c",
             "stub == s->copy ||", "(stub == s->copy && false) ||", on_both("command.inlining")),
    Mutation("reserve-is-anybodys", "src/heap/heap.c",
             "MIN(h->blocks / 32, (size_t)MOST_RESERVED_BLOCKS);",
             "MIN(h->blocks / 32, (size_t)MOST_RESERVED_BLOCKS) * 0;",
             "^unit.heap_test$|" + on_both("command.escape")),
    Mutation("running-handler-is-unmapped", "src/jvmti/agent.c",
             "if (handles_signals(a)) os_library_stays",
             "if (handles_signals(a) && a->handle == NULL) os_library_stays",
             on_both("command.embedding")),
    Mutation("callers-monitor-is-left", "src/thread/monitor.h",
             "e->object == o && e->frame == frame;",
             "e->object == o && (frame != NULL || e->frame == frame);",
             on_both("diff.bytecode.MonitorInstructions")),
    Mutation("compiled-callers-monitor-is-left", "src/jit/monitors.c",
             "    asm_branch(a, COND_NOT_EQUAL, slow);\n    leave(a, slow);",
             "    leave(a, slow);",
             on_both("diff.bytecode.InlinedMonitors")),
    Mutation("loops-have-the-callers-old-state", "src/jit/optimising/loop.c",
             "b->outer != 0 ? b->outer : scope->state",
             "scope->state",
             on_both("diff.bytecode.OptimisedEscape")),
    Mutation("asked-is-wrong", "src/jit/compiled.c",
             "is_handler ? CATCHES : IS_ASKED",
             "CATCHES",
             on_both("command.unreached")),
    Mutation("c-saves-a-dead-register", "src/jit/stubs.c",
             "    asm_zero(a, REG_KEPT);  ",
             "    ",
             r"^diff\.25\.memory\.LargeArraysInTurn$"),        # what is in r14 there is chance
]


def problems():
    for m in MUTATIONS:
        found = (ROOT / m.path).read_text().count(m.old) if (ROOT / m.path).exists() else 0
        if found != 1:
            yield f"{m.name}: what is to be replaced stands {found} times in {m.path}"
        if m.old == m.new:
            yield f"{m.name}: changes nothing"
    names = [m.name for m in MUTATIONS]
    yield from (f"{name}: two of one name" for name in sorted({n for n in names if names.count(n) > 1}))


class Copy:
    """A copy of what git knows of the tree, and its builds."""

    def __init__(self, work):
        self.root = work / "tree"
        for name in subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True,
                                   text=True).stdout.split("\0"):
            if name and (ROOT / name).is_file():
                self.take(name)

    def take(self, name):
        """Only what differs, so that the next time little is built."""
        source, target = ROOT / name, self.root / name
        if target.exists() and target.read_bytes() == source.read_bytes():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)

    def build(self, mode):
        launcher = ["CMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        made = subprocess.run(["make", *MODES[mode][1], *launcher, "tests", "image"], cwd=self.root,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode != 0:
            print(made.stdout[-3000:])
        return made.returncode == 0

    def red(self, mode, tests):
        """The tests of that pattern that fail; None if there is none of that name."""
        try:
            ran = subprocess.run(["ctest", "--test-dir", self.root / MODES[mode][0], "-R", tests, "--timeout", "600",
                                  "--no-tests=error"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return ["no end"]
        if "No tests were found" in ran.stdout:
            return None
        return re.findall(r"^\s*\d+/\d+ Test +#\d+: (\S+) \.*\s*\*\*\*", ran.stdout, re.M)

    def outcome(self, m):
        """What came of it, and is it as it must be?"""
        path = self.root / m.path
        path.write_text(path.read_text().replace(m.old, m.new))
        try:
            if not self.build(m.mode):
                return "does not compile", False
            red = self.red(m.mode, m.tests)
            return (f"red: {', '.join(red)}", True) if red else ("SURVIVED", False)
        finally:
            path.unlink()
            self.take(m.path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, default=ROOT / "build/mutations")
    parser.add_argument("--only", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    wrong = list(problems())
    if wrong or args.check:
        print("\n".join(wrong) or f"{len(MUTATIONS)} mutations")
        sys.exit(1 if wrong else 0)
    chosen = [m for m in MUTATIONS if re.search(args.only, m.name)]
    if args.list:
        print("\n".join(f"{m.name}: {m.path}, {m.mode}, {m.tests}" for m in chosen))
        return
    copy, bad = Copy(args.work.resolve()), []
    for mode in MODES:
        patterns = sorted({m.tests for m in chosen if m.mode == mode})
        if patterns and not copy.build(mode):
            sys.exit("the tree does not build")
        for tests in patterns:
            red = copy.red(mode, tests)
            if red is None or red:
                sys.exit(f"{mode}, {tests}: without a mutation: {red or 'no such test'}")
        for m in (m for m in chosen if m.mode == mode):
            text, good = copy.outcome(m)
            print(f"{m.name}: {text}", flush=True)
            if not good:
                bad.append(m.name)
    print(f"{len(chosen)} mutations, not as they must be: {', '.join(bad) or 'none'}")
    sys.exit(1 if bad else 0)


main()
