#!/usr/bin/env python3
"""Makes an image such that what jlink, jpackage and jmod make of it has our libraries.

usage: make_linkable.py JDK IMAGE [LIBRARY...]     LIBRARY: a file of the image, such as lib/server/libjvm.so

jlink takes its files from one of two places, and each JDK has at least one of them:
* jmods/java.base.jmod: a zip behind four bytes. The image gets a copy in which our libraries stand.
* the run-time image itself (JEP 493): a list in the module jdk.jlink of what belongs to each module, with sums
  (SHA-512) that jlink compares. The image gets a copy of lib/modules whose list for java.base has ours.
Whoever wants neither has links, as for everything else.
"""
import hashlib
import os
import shutil
import struct
import sys
import zipfile
from pathlib import Path

LIST = ("jdk.jlink", "jdk/tools/jlink/internal/runtimelink", "fs_java", "base_files")    # parts of its name, as stored
JVM = "lib/server/libjvm.so"


# ---- jmods/java.base.jmod -------------------------------------------------------------------------------------------

def copy_raw(source, entry, out):
    """An entry as it is, not unpacked and packed again."""
    source.fp.seek(entry.header_offset)
    header = source.fp.read(30)
    name, extra = struct.unpack("<HH", header[26:30])
    source.fp.seek(entry.header_offset + 30 + name + extra)
    data = source.fp.read(entry.compress_size)
    entry.header_offset = out.fp.tell()
    entry.flag_bits &= ~8                # sizes stand in front, not behind
    out.fp.write(entry.FileHeader())
    out.fp.write(data)
    out.filelist.append(entry)
    out.NameToInfo[entry.filename] = entry


def make_jmod(old, new, image, libraries):
    with zipfile.ZipFile(old) as source, open(new, "wb") as file:
        file.write(b"JM\1\0")
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
            for entry in source.infolist():
                if entry.filename not in libraries:
                    copy_raw(source, entry, out)
            out.start_dir = out.fp.tell()
            for name in libraries:
                out.write(image / name, name)


def link_jmods(jdk, image, libraries):
    directory = image / "jmods"
    if directory.is_symlink():
        directory.unlink()
    directory.mkdir(exist_ok=True)
    for path in (jdk / "jmods").iterdir():
        if path.name == "java.base.jmod":
            make_jmod(path, directory / path.name, image, libraries)
        elif not (directory / path.name).is_symlink():
            (directory / path.name).symlink_to(path)


# ---- lib/modules ----------------------------------------------------------------------------------------------------

MAGIC, HEADER = 0xCAFEDADA, struct.Struct("<7I")
END, MODULE, PARENT, BASE, EXTENSION, OFFSET, COMPRESSED, UNCOMPRESSED = range(8)


class JImage:
    """The index of a run-time image, and where one resource lies."""

    def __init__(self, file):
        self.file = file
        file.seek(0)
        magic, _, _, _, self.length, self.locations_size, self.strings_size = HEADER.unpack(file.read(HEADER.size))
        if magic != MAGIC:
            raise ValueError("not a run-time image of this machine")
        file.seek(HEADER.size + 4 * self.length)
        self.offsets = struct.unpack(f"<{self.length}I", file.read(4 * self.length))
        self.locations_at = file.tell()
        self.locations = file.read(self.locations_size)
        self.strings = file.read(self.strings_size)
        self.index_size = file.tell()

    def string(self, at):
        return self.strings[at:self.strings.index(0, at)].decode()

    def attributes(self, at):
        """kind -> (value, where it stands in the file, bytes it takes)"""
        found = {}
        while self.locations[at] >> 3 != END:
            kind, n = self.locations[at] >> 3, (self.locations[at] & 7) + 1
            found[kind] = (int.from_bytes(self.locations[at + 1:at + 1 + n], "big"), self.locations_at + at + 1, n)
            at += 1 + n
        return found

    def find(self, *name):
        """name: module, package, base, extension"""
        parts = dict(zip((EXTENSION, BASE, PARENT, MODULE), reversed(name)))
        for at in self.offsets:
            a = self.attributes(at)
            if all(self.string(a[k][0] if k in a else 0) == text for k, text in parts.items()):
                return a
        return None

    def read(self, a):
        if COMPRESSED in a and a[COMPRESSED][0] != 0:
            raise ValueError("the list of files is compressed")
        self.file.seek(self.index_size + a.get(OFFSET, (0,))[0])
        return self.file.read(a[UNCOMPRESSED][0])

    def put(self, a, kind, value):
        _, at, n = a[kind]
        self.file.seek(at)
        self.file.write(value.to_bytes(n, "big"))

    def replace(self, a, content):
        """In the same place if it has the same length, else at the end."""
        if len(content) == a[UNCOMPRESSED][0]:
            self.file.seek(self.index_size + a[OFFSET][0])
        else:
            end = self.file.seek(0, os.SEEK_END)
            self.put(a, OFFSET, end - self.index_size)
            self.put(a, UNCOMPRESSED, len(content))
            self.file.seek(end)
        self.file.write(content)


def find_list(path):
    with open(path, "rb") as file:
        return JImage(file).find(*LIST) is not None


def with_libraries(text, image, libraries):
    """A line: type|is it a symbolic link|sum|file."""
    lines = {line.rsplit("|", 1)[1]: line for line in text.splitlines()}
    kind = lines[JVM].split("|")[0]
    for name in libraries:
        lines[name] = f"{kind}|0|{hashlib.sha512((image / name).read_bytes()).hexdigest()}|{name}"
    return "".join(line + "\n" for line in lines.values())


def make_modules(jdk, image, libraries):
    old, new = (jdk / "lib/modules").resolve(), image / "lib/modules"
    stamp = (old.stat().st_mtime_ns, old.stat().st_mtime_ns)
    # The copy of an earlier image serves again: the new list stands in the place of the list before.
    if new.is_symlink() or not new.exists() or new.stat().st_mtime_ns != stamp[0]:
        new.unlink(missing_ok=True)
        shutil.copyfile(old, new)
    with open(new, "r+b") as file:
        modules = JImage(file)
        found = modules.find(*LIST)
        modules.replace(found, with_libraries(modules.read(found).decode(), image, libraries).encode())
    os.utime(new, ns=stamp)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    jdk, image, libraries = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    if (jdk / "jmods/java.base.jmod").is_file():
        link_jmods(jdk, image, libraries)
    if find_list(jdk / "lib/modules"):
        try:
            make_modules(jdk, image, libraries)
        except (ValueError, OverflowError, KeyError) as reason:
            sys.exit(f"make_linkable: {jdk}/lib/modules: {reason}")


main()
