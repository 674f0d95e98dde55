#!/usr/bin/env python3
"""Frames are walked through the cursor of exec/frame_cursor.h alone: nobody else follows a frame's caller, reads its
position or slots from the record, or orders frames by their addresses.

Usage: frame_walks.py SRC           checks a source tree
       frame_walks.py --self-test   shows that each kind of violation is found
"""
import re

import source_lint

# The cursor, and the engine that makes and leaves frames.
OWNERS = {"exec/frame.h", "exec/frame_cursor.h", "exec/frame_cursor.c", "exec/interpreter.c", "exec/ops_returns.inc",
          "exec/ops_invokes.inc", "exec/invoke.c", "exec/unwind.c", "exec/compiled_frame.c", "jit/run.c"}
# Code that the engine calls while it executes, in the frame it executes. Rooms below it know nothing of the record.
ENGINE = re.compile(r"exec/|verify/|link/|heap/|thread/|classfile/|base/|hprof/")
# The room below exec/ knows where a thread's frames begin.
ADDRESSES = {"thread/thread.h"}

FRAME = r"(?:\w+(?:->|\.))*(?:f|frame|caller|callee|youngest)"
POINTER = r"\((?:uintptr_t|(?:const )?(?:uint64_t|char|uint8_t|void) \*)\)"
ORDER = r"\s*(?:<=?|>=?)\s*"
PLACE = rf"(?:{POINTER}\s*{FRAME}\b|{FRAME}->(?:locals|sp)\b|frame_locals\(\w+\))(?!->|\[)"
RULES = [
    ("follows a frame's caller", re.compile(r"->\s*caller\b"), OWNERS, None),
    ("orders frames by their addresses", re.compile(rf"{PLACE}{ORDER}[\w(]|[\w)\]]{ORDER}{PLACE}"), OWNERS | ADDRESSES,
     None),
    ("reads a frame's record",
     re.compile(r"\b(?:f|frame|callee|youngest)->(?:locals|sp|pc|call_length)\b|\bframe_(?:stack|locals)\s*\("), OWNERS,
     ENGINE),
]


def violations(src):
    for source, path, number, line in source_lint.lines(src):
        for what, pattern, allowed, exempt in RULES:
            if path not in allowed and not (exempt and exempt.match(path)) and pattern.search(line):
                yield f"{source}:{number}: {what}: use exec/frame_cursor.h"


CASES = [("jdk/a.c", "f = f->caller;", True), ("inspect/a.c", "for (; f; f = f -> caller) n++;", True),
         ("exec/backtrace.c", "f = t->frame->caller;", True),
         ("exec/frame_cursor.h", "c->frame = c->frame->caller;", False),
         ("exec/invoke.c", "frame->caller = jt->frame;", False), ("jdk/a.c", "/* f->caller */ x = 1;", False),
         ("jdk/a.c", 'puts("f->caller");', False), ("jdk/a.c", "end = callee->locals < f->sp ? 1 : 2;", True),
         ("exec/frame_roots.c", "end = frame_locals(f) < end ? 1 : 2;", True),
         ("inspect/a.c", "x = frame_locals(f)[0];", True),
         ("exec/frame_roots.c", "end = f->locals < f->sp ? 1 : 2;", True),
         ("inspect/a.c", "if (top <= (uintptr_t)t->frame) return;", True),
         ("exec/frame_roots.c", "if ((uint64_t *)callee > end) return;", True),
         ("thread/handle.c", "slot < (uint64_t *)t->frame", True),
         ("thread/thread.h", "slot < (const uint64_t *)t->frame", False), ("jni/a.c", "x = f->locals[0];", True),
         ("jvmpi/a.c", "key = f->sp[-1];", True), ("exec/patch.c", "value = frame->sp - 1;", False),
         ("exec/interpreter.c", "x = frame_stack(frame) + 1;", False),
         ("inspect/a.c", "x = frame_stack(f) + 1;", True),
         ("jvmti/a.c", "id = method_code_id(f->code);", False), ("verify/a.c", "f->locals[index] = t;", False),
         ("jdk/a.c", "struct class *caller = code->caller_class;", False),
         ("inspect/a.c", "if (t->locks[i].frame == f) n++;", False),
         ("jdk/a.c", "bci = frame->pc - frame->code->code;", True)]

source_lint.main(violations, CASES, "frames are walked through the cursor alone")
