#!/usr/bin/env python3
"""State that may change hangs on struct vm (vm/vm.h), so that a VM that is created again begins with none. What may
stand at file scope all the same is named here, with the reason; everything in vm/ may.

Usage: globals.py LIBRARY      checks the writable sections of libjvm.so
       globals.py --self-test  shows that each kind of violation is found
"""
import re
import subprocess
import sys

PROCESS = "belongs to the process, not to a VM: "
EXCEPTIONS = [
    (PROCESS + "the end of it", {
        "fatal.c": "reporting registered_abort",
        "crash_report.c": "reporter failed_signal next_step steps_end file out installed e"}),
    (PROCESS + "signal dispositions, which come back to what the process had", {
        "os_signal.c": "installed signal_lock ours previous at_start noted unblocked",
        "jdk_internal_misc_Signal.c": "handling"}),
    (PROCESS + "what gdb looks for by this name", {"unwind_table.c": "__jit_debug_descriptor"}),
    (PROCESS + "its mappings, libraries, threads' kernel ids, memory in use", {
        "os_memory.c": "registry_lock registry size peak_committed",
        "memory.c": "text_low text_high arenas blocks all_blocks site_pieces shards overhead site_lock site_buckets "
                    "early site_count",
        "libjvm": "memory_tracking", "os_process.c": "libraries_lock libraries",
        "os_thread.c": "state id",
        "alloc.c": "fails_in all_arenas watched"}),
    (PROCESS + "its log; log_shutdown puts it back", {
        "log.c": "in_print_hook print_hidden out_is_stderr err_is_stdout warnings_hidden print_hook start_stamp "
                 "start_ns host_name "
                 "log_lock log_outputs log_levels log_library"}),
    (PROCESS + "symbols and class ids, which outlive a VM: a stale id must not mean another class", {
        "symbol.c": "stripes",
        "class_id.c": "class_ids_end free_rows free_count first_free generations dead_rows rows_with_places "
                      "next_class_id shape_table vtable_table"}),
    (PROCESS + "records that foreign code may hold longer than a VM lives, and must still be recognised in the next", {
        "env.c": "chunks_lock spares spare_first spare_last chunks jvmti_first_chunk",
        "raw_monitor.c": "chunks slab_lock free_list",
        "interface.c": "interface"}),
    (PROCESS + "threads that come and go while a VM is made or ends", {
        "exited.c": "key has_key", "end.c": "guards never", "safepoint.c": "suspend_lock",
        "transition.c": "stop_counts"}),
    ("of one thread", {"thread.c": "current_thread_tls", "class_load_hook.c": "lent", "agent.c": "starting",
                      "cost.c": "measured", "events.c": "tells_of_allocation",
                      "lock.c": "held", "contract.c": "promises allowances"}),
    ("computed once, the same in every VM", {
        "interpreter.c": "trap_table thread_dispatch_fast thread_dispatch_trap",
        "digest.c": "sha_instructions", "intrinsic_checksum.c": "ieee castagnoli",
        "transition.c": "thread_dispatch_fast thread_dispatch_trap"}),
    ("read by every allocation or reference store, where a load more would be felt; heap_create sets it", {
        "heap.c": "heap_start_bits heap_low heap_bytes heap_units heap_cards"}),
    ("emptied with the room's state, and too large or too early to hang on it", {
        "stack_map.c": "cache cache_used", "old_verifier.c": "old_verifier", "native_library.c": "unloaded"}),
]


def writable(library):
    """(source file, variable) for each object in a writable section; the file of a global one is the empty string."""
    sections = {}
    for line in subprocess.run(["readelf", "-SW", library], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        found = re.match(r"\s*\[\s*(\d+)\]\s+(\S+)", line)
        if found:
            sections[found[1]] = found[2]
    source = ""
    for line in subprocess.run(["readelf", "-sW", library], capture_output=True, text=True,
                               check=True).stdout.splitlines():
        columns = line.split()
        if len(columns) < 7 or not columns[0][:-1].isdigit():
            continue
        if columns[3] == "FILE":
            source = columns[7] if len(columns) > 7 else ""
        elif columns[3] in ("OBJECT", "TLS") and sections.get(columns[6]) in (".data", ".bss", ".tdata", ".tbss"):
            yield source, columns[7]


def violations(found, own):
    by_file = {(source, name) for _, files in EXCEPTIONS for source, names in files.items() for name in names.split()}
    names = {name for _, name in by_file}
    for source, variable in found:
        name = re.sub(r"\.\d+$", "", variable)         # of a function: the compiler numbers it
        local = source in own or source.endswith(".c")
        if name.startswith(("__", "completed")) or source in own["vm"] or name in own["globals"]:
            continue
        if (source, name) not in by_file and not (source not in own["all"] and name in names):
            yield f"{source if local else 'libjvm'}: {name} may change and does not hang on struct vm"


OWN = {"vm": {"startup.c", "invocation.c", "hooks.c", "library_resources.c"}, "globals": {"vm"}}


def self_test():
    own = dict(OWN, all={"a.c", "fatal.c", "startup.c", "stack_map.c"})
    cases = [(("fatal.c", "reporting"), False), (("a.c", "reporting"), True), (("a.c", "counter"), True),
             (("a.c", "counter.3"), True),
             (("startup.c", "record"), False), (("crtstuff.c", "vm"), False),
             (("crtstuff.c", "heap_start_bits"), False),
             (("crtstuff.c", "heap_hook"), True), (("stack_map.c", "cache_used"), False),
             (("crtstuff.c", "__dso_handle"), False)]
    for found, bad in cases:
        if bool(list(violations([found], own))) != bad:
            sys.exit(f"self-test: {found}: expected {'a violation' if bad else 'none'}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    found = list(writable(sys.argv[1]))
    sources = {source for source, _ in found if source.endswith(".c") and source != "crtstuff.c"}
    faults = list(violations(found, dict(OWN, all=sources)))
    print("\n".join(faults) if faults else f"{len(found)} variables at file scope, each with its reason")
    sys.exit(1 if faults else 0)


main()
