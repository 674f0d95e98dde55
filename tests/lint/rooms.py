#!/usr/bin/env python3
"""A room includes only headers of rooms below it, of its own level, and the common ground.

Usage: rooms.py SRC           checks a source tree
       rooms.py --self-test   shows that each kind of violation is found
"""
import re
import sys
import tempfile
from pathlib import Path

LEVELS = [["hprof"], ["base"], ["classfile"], ["thread"], ["heap"], ["verify"], ["link"], ["exec"], ["inspect", "probe"],
          ["jvmti", "jvmpi", "jni", "jdk"]]
LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
COMMON_GROUND = {"vm.h", "heap/object.h"}
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
    src = src.resolve()
    for source in sorted(src.rglob("*")):
        if source.suffix not in (".c", ".h", ".S", ".def", ".inc"):
            continue
        parts = source.relative_to(src).parts
        if len(parts) == 1:
            continue
        room = parts[0]
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


def self_test():
    cases = [("base/a.c", '#include "heap/heap.h"', True), ("heap/a.c", '#include "thread/thread.h"', False),
             ("thread/a.c", '#include "heap/object.h"', False), ("base/a.c", '#include "vm.h"', False),
             ("link/a.h", '#  include "exec/exec.h"', True), ("probe/a.c", '#include "inspect/walk.h"', False),
             ("exec/a.c", '#include "jvmti/env.h"', True), ("jni/a.c", '#include "heap/heap_internal.h"', True),
             ("heap/a.c", '#include "heap/heap_internal.h"', False), ("cellar/a.c", "", True),
             ("exec/jit/a.c", '#include "../../jdk/jdk.h"', True)]
    for path, text, bad in cases:
        with tempfile.TemporaryDirectory() as directory:
            src = Path(directory)
            for name in (path, "jdk/jdk.h"):
                (src / name).parent.mkdir(parents=True, exist_ok=True)
            (src / "jdk/jdk.h").write_text("")
            (src / path).write_text(text + "\n")
            found = list(violations(src))
            if bool(found) != bad:
                sys.exit(f"self-test: {path} with {text!r}: expected {'a violation' if bad else 'none'}, got {found}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    found = list(violations(Path(sys.argv[1])))
    print("\n".join(found) if found else "no room includes a room above it")
    sys.exit(1 if found else 0)


main()
