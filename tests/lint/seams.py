#!/usr/bin/env python3
"""Rooms call up through tables of hooks and through probes alone.

* A room's hooks are `struct <room>_hooks` in <room>/hooks.h, `extern const struct <room>_hooks <room>_hooks`;
  vm/hooks.c defines each once, and nobody writes to one.
* No other variable at file scope holds a pointer to a function that may change, and nobody keeps one that is
  registered with him.
* Hooks and probes are called, not tested: no comparison with NULL.

Usage: seams.py SRC           checks a source tree
       seams.py --self-test   shows that each kind of violation is found
"""
import re

import source_lint

# Functions of the embedder, given with the options of JNI_CreateJavaVM.
EMBEDDER = {"registered_abort", "print_hook", "base_set_abort_hook", "log_set_vfprintf_hook"}

POINTER = re.compile(r"^(?!typedef|struct \w+ \{)[a-z_][\w ]*?[\w*] "
                     r"?\**\(\*\s*(?:_Atomic\s+)?(?!const\b)(\w+)(?:\[\w*\])?\)\s*\([^;{}=]*\)?\s*(?:=|;)")
ATOMIC_POINTER = re.compile(r"^(?:static |extern )*_Atomic\(\w+ \(\*\)\([^)]*\)\)\s+(\w+)")
NAMED_TYPE = re.compile(r"^(?:static |extern )*(?:_Atomic[( "
                        r"])?\w+_(?:hook|function|callback)\)?\s+(?!const\b)\*?(\w+)(?:\[\w*\])?\s*[;=]")
REGISTERS = re.compile(r"\bvoid (\w+(?:_register|_set_\w*hook)\w*|(?:\w+_)?register_\w+)\([^;{]*\(\*")
TABLE = re.compile(r"^(?P<storage>(?:static |extern |WEAK )*)(?P<const>const )?struct "
                   r"(?P<name>(?P<room>\w+)_hooks)\s+(?P<star>\*?)(?P<variable>\w+)\s*(?P<end>[;=])")
TESTED = re.compile(r"\b\w+_hooks\.\w+(?!\w*\()\s*(?:[!=]=\s*NULL|&&|\?|\))|\bif \(\w+_hooks\.\w+\)")
WRITTEN = re.compile(r"\b(\w+_hooks)(?:\.\w+)?\s*=(?!=)")
PER_CALL = {"verify_hooks"}              # handed to each call by the caller, not kept


def table_faults(path, line, rooms):
    m = TABLE.match(line)
    if not m or m["name"] in PER_CALL:
        return
    if m["room"] not in rooms:
        yield f"struct {m['name']} is no room's"
    if not m["const"] or m["star"]:
        yield f"{m['variable']} is not a constant table"
    if "extern" in m["storage"] and path != f"{m['room']}/hooks.h":
        yield f"{m['variable']} is declared outside {m['room']}/hooks.h"
    if "extern" not in m["storage"] and path != "vm/hooks.c":
        yield f"{m['variable']} is defined outside vm/hooks.c"


def violations(src):
    rooms = {p.name for p in src.iterdir() if p.is_dir()}
    for source, path, number, line in source_lint.lines(src):
        found = list(table_faults(path, line, rooms))
        for pattern in (POINTER, ATOMIC_POINTER, NAMED_TYPE):
            m = pattern.match(line)
            if m and m.group(1) not in EMBEDDER:
                found.append(f"{m.group(1)} is a pointer to a function that may change")
                break
        m = REGISTERS.search(line)
        if m and m.group(1) not in EMBEDDER:
            found.append(f"{m.group(1)} takes a function to keep")
        if TESTED.search(line):
            found.append("a hook is called, not tested")
        m = WRITTEN.search(line)
        if m and not TABLE.match(line) and m.group(1) not in PER_CALL and "struct verify_hooks" not in line:
            found.append(f"{m.group(1)} is written to")
        for what in found:
            yield f"{source}:{number}: {what} (see docs/architecture.md, \"Where a room calls up\")"


CASES = [("thread/a.c", "void (*thread_exited)(struct os_thread *self);", True),
         ("thread/a.h", "extern bool (*f)(int a);", True),
         ("thread/a.c", "static void (*_Atomic watcher)(void);", True),
         ("base/a.c", "static _Atomic(void (*)(void)) f;", True),
         ("base/a.c", "static _Atomic(crash_hook)   registered_hook;", True),
         ("base/a.c", "static crash_function f = NULL;", True),
         ("exec/a.c", "static void (*handlers[8])(int a);", True),
         ("exec/a.c", "static void (*const handlers[8])(int a) = {f};", False),
         ("exec/a.c", "static int each(bool (*visit)(void *arg), void *arg) {", False),
         ("exec/a.c", "typedef void (*visitor)(int a);", False),
         ("exec/a.c", "    void (*f)(void *) = g;", False),
         ("thread/a.h", "void thread_register_end(void (*function)(int a));", True),
         ("base/a.h", "void base_set_abort_hook(void (*hook)(void));", False),
         ("heap/a.h", "void heap_set_hook(void (*hook)(void));", True),
         ("heap/hooks.h", "extern const struct heap_hooks heap_hooks;", False),
         ("heap/heap.h", "extern const struct heap_hooks heap_hooks;", True),
         ("heap/hooks.h", "extern struct heap_hooks heap_hooks;", True),
         ("heap/hooks.h", "extern const struct heap_hooks *heap_hooks;", True),
         ({"vm/hooks.c": "WEAK const struct heap_hooks heap_hooks = {", "heap/heap.h": ""}, False),
         ("jdk/a.c", "const struct heap_hooks heap_hooks = {", True),
         ("heap/a.c", "if (heap_hooks.unload != NULL) heap_hooks.unload();", True),
         ("heap/a.c", "heap_hooks.unload();", False),
         ("heap/a.c", "if (heap_hooks.unload) x();", True),
         ("heap/a.c", "return heap_hooks.wanted(a) && b;", False),
         ("jdk/a.c", "heap_hooks.unload = f;", True), ("heap/a.c", "/* void (*f)(void); */", False),
         ("heap/hooks.h", "extern const struct cellar_hooks cellar_hooks;", True)]

source_lint.main(violations, CASES, "rooms call up through hooks and probes alone")
