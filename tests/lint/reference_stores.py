#!/usr/bin/env python3
"""References are stored into objects by heap/heap.h alone, and its functions are given the object that holds the slot:
nobody else makes a compressed reference, takes the address of a slot, or passes an address within an object for the
object.

Usage: reference_stores.py SRC           checks a source tree
       reference_stores.py --self-test   shows that each kind of violation is found
"""
import re

import source_lint

# The layer itself, and how a reference is compressed.
HEAP = re.compile(r"heap/")
# Reads references, and keeps them compressed in a list of its own.
WALKS = {"inspect/heap_walk.c", "inspect/heap_walk_internal.h"}
# Elements of primitive arrays, which can lie farther from the array than an offset reaches.
ELEMENTS = {"jdk/java_lang_reflect_Array.c"}

# Makes the machine code that does what heap_store_ref does.
COMPILED = {"jit/baseline/memory.c"}

STORE = r"\b(?:heap_(?:store_ref\w*|cas_ref|exchange_ref|array_set)|field_store)\s*\(\s*"
RULES = [
    ("makes a compressed reference", re.compile(r"\bref_encode\s*\("), WALKS),
    ("takes the address of a reference's slot",
     re.compile(r"\bheap_ref_slot\s*\(|\b_Atomic\s*\(?\s*ref_t\b|\((?:(?!const\b)\w+ )*ref_t \*\)"), set()),
    ("passes an address for the object that holds the slot", re.compile(STORE + r"\(\s*struct object \*\s*\)"), set()),
    ("passes an address for the object that holds the slot", re.compile(STORE + r"\w+_address\b"), ELEMENTS),
    ("marks cards, which storing does", re.compile(r"\bheap_mark_card\b|\bheap_cards\b"), COMPILED),
    ("copies memory between objects", re.compile(r"\bmem(?:cpy|move)\s*\([^;]*array_data\s*\([^;]*array_data\s*\("),
     set()),
]


def violations(src):
    for source, path, number, line in source_lint.lines(src):
        for what, pattern, allowed in RULES:
            if not HEAP.match(path) and path not in allowed and pattern.search(line):
                yield f"{source}:{number}: {what}: store with the functions of heap/heap.h, into the object itself"


CASES = [("exec/a.c", "*(ref_t *)p = 0;", True), ("jni/a.c", "x = ref_encode(v);", True),
         ("heap/copy.c", "x = ref_encode(v);", False),
         ("inspect/heap_walk.c", "list[n++] = ref_encode(o);", False),
         ("jdk/a.c", "atomic_store((_Atomic ref_t *)p, 0);", True),
         ("jdk/a.c", "_Atomic ref_t *slot;", True), ("inspect/a.c", "const ref_t *p = (const ref_t *)from;", False),
         ("jni/a.c", "*heap_ref_slot(o, offset) = 0;", True),
         ("jni/a.c", "ref_t *p = (ref_t *)array_data(a);", True),
         ("exec/a.inc", "heap_store_ref((struct object *)(address), 0, v);", True),
         ("exec/a.c", "heap_store_ref(o, offset, v);", False),
         ("exec/a.c", "heap_cas_ref( (struct object *) slot, 0, e, v);", True),
         ("link/a.c", "field_store(c->statics, f->offset, t, v);", False),
         ("link/a.c", "field_store((struct object *)p, 0, t, v);", True),
         ("jdk/a.c", "field_store(element_address(a, i), 0, t, v);", True),
         ("jdk/java_lang_reflect_Array.c", "field_store(element_address(a, i), 0, t, v);", False),
         ("exec/a.c", "/* *(ref_t *)p */ x = 1;", False), ("exec/a.c", 'puts("ref_encode(");', False),
         ("jni/a.c", "heap_mark_card(o, 8);", True), ("jdk/a.c", "memcpy(array_data(b), array_data(a), n);", True),
         ("jdk/a.c", "memcpy(array_data(b), bytes, n);", False),
         ("exec/a.c", "o = heap_load_ref((struct object *)p, 0);", False)]

source_lint.main(violations, CASES, "references are stored by heap/heap.h alone")
