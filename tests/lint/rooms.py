#!/usr/bin/env python3
"""A room includes only headers of rooms below it, of its own level, and the common ground.

Usage: rooms.py SRC           checks a source tree
       rooms.py --self-test   shows that each kind of violation is found
"""
import re

import source_lint

LEVELS = [["hprof"], ["base"], ["classfile"], ["thread"], ["heap"], ["verify"], ["link"], ["exec"], ["jit"],
          ["inspect", "probe"],
          ["jdk"], ["jvmti", "jvmpi"], ["jni"], ["vm"]]
LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
COMMON_GROUND = {"vm/vm.h", "heap/object.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def target_room(source, name, src):
    """The room and path that an include names, or None for headers from elsewhere (generated, public)."""
    for candidate in (src / name, source.parent / name):
        if candidate.exists() and src in candidate.resolve().parents:
            path = candidate.resolve().relative_to(src)
            return (path.parts[0] if len(path.parts) > 1 else ""), path.as_posix()
    room = name.split("/")[0]
    return (room, name) if room in LEVEL else None


def violations(src):
    for source, path in source_lint.files(src):
        room, slash, _ = path.partition("/")
        if not slash:
            continue
        if room not in LEVEL:
            yield f"{source}: room {room} is not in the list of rooms (tests/lint/rooms.py, docs/architecture.md)"
            continue
        for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
            found = INCLUDE.match(line)
            target = found and target_room(source, found.group(1), src)
            if not target:
                continue
            other, path = target
            if path in COMMON_GROUND or other == room or other == "":
                continue
            if LEVEL[other] > LEVEL[room]:
                yield f"{source}:{number}: {room}/ includes {path}, of a room above it"
            elif path.endswith("_internal.h"):
                yield f"{source}:{number}: {room}/ includes {path}, which is internal to {other}/"


CASES = [("base/a.c", '#include "heap/heap.h"', True), ("heap/a.c", '#include "thread/thread.h"', False),
         ("thread/a.c", '#include "heap/object.h"', False), ("base/a.c", '#include "vm/vm.h"', False),
         ("link/a.h", '#  include "exec/exec.h"', True), ("probe/a.c", '#include "inspect/walk.h"', False),
         ("exec/a.c", '#include "jvmti/env.h"', True), ("jni/a.c", '#include "heap/heap_internal.h"', True),
         ("heap/a.c", '#include "heap/heap_internal.h"', False), ("cellar/a.c", "", True),
         ({"exec/jit/a.c": '#include "../../jdk/jdk.h"', "jdk/jdk.h": ""}, True),
         ("jdk/a.c", '#include "jvmti/tools.h"', True),
         ("jvmti/a.c", '#include "jdk/boot.h"', False), ("jvmti/a.c", '#include "jni/jni_room.h"', True),
         ("jni/a.c", '#include "jvmpi/jvmpi.h"', False), ("jvmti/a.c", '#include "jvmpi/jvmpi.h"', False),
         ("jni/a.c", '#include "vm/startup.h"', True)]

source_lint.main(violations, CASES, "no room includes a room above it")
