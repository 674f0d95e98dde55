#!/usr/bin/env python3
"""Which carrier executes a Java thread only thread/ knows: the other rooms ask thread/identity.h. What such a room
keeps for a thread is in its extension record: a field of struct java_thread is one that thread/ itself uses.

Usage: thread_identity.py SRC           checks a source tree
       thread_identity.py --self-test   shows that each kind of violation is found
"""
import re

import source_lint

HEADER = "thread/thread.h"
# Words that the engine reads too often to look for them in a record of their room.
HOT = {"method_filter",                  # at every entry and exit of a method that a tool watches
       "step_frame", "step_pc",          # at every single step
       "c_caller"}                       # when C calls Java
CARRIER = re.compile(r"(?:->|\.)\s*carrier\b")


def fields(header):
    """The names of struct java_thread's fields."""
    found = re.search(r"struct java_thread\s*\{(.*?)\n\};", header, re.S)
    body = re.sub(r"\{[^{}]*\}", " ", found.group(1)) if found else ""
    for declaration in body.split(";"):
        for part in re.sub(r"\[[^]]*\]|_Atomic\s*\(.*?\)", "", declaration).split(","):
            name = re.search(r"(\w+)\s*$", part)
            if name:
                yield name.group(1)


def foreign_fields(src):
    texts = {path: source_lint.bare(source) for source, path in source_lint.files(src) if path.startswith("thread/")}
    used = set(re.findall(r"(?:->|\.)\s*(\w+)", "\n".join(texts.values())))
    for name in fields(texts.get(HEADER, "")):
        if name not in used and name not in HOT:
            yield (f"{src / HEADER}: struct java_thread's {name} is another room's: keep it in the room's "
                   f"thread_extension")


def violations(src):
    yield from foreign_fields(src)
    for source, path, number, line in source_lint.lines(src):
        if not path.startswith("thread/") and CARRIER.search(line):
            yield f"{source}:{number}: looks for a thread's carrier: use thread/identity.h"


RECORD = """struct java_thread {
    struct object *a, *_Atomic b;        /* x */
    struct inner { _Atomic int hidden; } inner;
    _Atomic(struct x *) c;
    struct event_filter *_Atomic method_filter;
};"""


CASES = [({"jvmti/a.c": "t->carrier->tid;"}, True), ({"exec/a.inc": "if (t -> carrier) x();"}, True),
         ({"jdk/a.c": "x = thread.carrier;"}, True), ({"thread/a.c": "t->carrier->tid;"}, False),
         ({"jdk/a.c": "/* t->carrier */ x = carrier;"}, False), ({"jdk/a.c": 'puts("t->carrier");'}, False),
         ({"jdk/a.c": "t->carrier_thread = 1;"}, False),
         ({"thread/thread.h": RECORD, "thread/a.c": "x(t->a, t->b, t->inner, t->c);"}, False),
         ({"thread/thread.h": RECORD, "thread/a.c": "x(t->a, t->b, t->inner);"}, True),
         ({"thread/thread.h": RECORD, "thread/a.c": "x(t->a, t->inner, t->c);", "jdk/a.c": "t->b = 1;"}, True),
         ({"thread/thread.h": RECORD, "thread/a.c": "x(t->a, t->b, t->c);"}, True)]

source_lint.main(violations, CASES, "threads are asked through thread/identity.h alone")
