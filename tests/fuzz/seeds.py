#!/usr/bin/env python3
"""seeds.py DIRECTORY: what the fuzzers of jar files, run-time images, options and requests begin with, in
DIRECTORY/<target>, and the words of options in DIRECTORY/options_fuzz.dict. All of it is made, none of it copied.
"""
import io
import re
import struct
import sys
import zipfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def jars():
    def jar(fill, prefix=b""):
        file = io.BytesIO()
        file.write(prefix)
        with zipfile.ZipFile(file, "a") as z:
            fill(z)
        return file.getvalue()

    def usual(z):
        z.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n", zipfile.ZIP_STORED)
        z.writestr("p/", "")
        z.writestr("p/A.class", b"\xca\xfe\xba\xbe" * 30, zipfile.ZIP_DEFLATED)
        z.writestr("empty", b"", zipfile.ZIP_DEFLATED)
        z.comment = b"a comment PK\5\6"

    def large(z):
        with z.open("large", "w", force_zip64=True) as entry:
            entry.write(b"as if it were")

    # a stored entry whose content would be longer than the file
    cut = jar(usual).replace(struct.pack("<II", 22, 22), struct.pack("<II", 5000, 5000))
    return {"usual": jar(usual), "cut": cut, "behind_a_script": jar(usual, b"#!/bin/sh\nexec true\n"),
            "zip64": jar(large), "no_entry": jar(lambda z: None)}


SEED = 0x01000193


def hash_of(name, seed=SEED):
    for byte in name.encode():
        seed = (seed * SEED ^ byte) & 0xffffffff
    return seed & 0x7fffffff


class Image:
    """A run-time image: the parts of base/jimage.c, with resources that may be compressed."""

    def __init__(self):
        self.strings, self.places, self.resources, self.locations = b"\0", {"": 0}, b"", {}

    def string(self, text):
        if text not in self.places:
            self.places[text] = len(self.strings)
            self.strings += text.encode() + b"\0"
        return self.places[text]

    def layer(self, method, packed, size):
        return struct.pack("<IQQIIB", 0xCAFEFAFA, len(packed), size, self.string(method), 0, 1) + packed

    def add(self, module, parent, base, extension, content, stored=None):
        rest = (parent + "/" if parent else "") + base + ("." + extension if extension else "")
        numbers = [self.string(text) for text in (module, parent, base, extension)]
        numbers += [len(self.resources), len(stored) if stored is not None else 0, len(content)]
        self.resources += stored if stored is not None else content
        location = b""
        for kind, number in enumerate(numbers, 1):
            if number:
                text = number.to_bytes((number.bit_length() + 7) // 8, "big")
                location += bytes([kind << 3 | len(text) - 1]) + text
        self.locations["/" + module + "/" + rest] = location + b"\0"

    def bytes(self):
        names = list(self.locations)
        n = len(names)
        slots, redirect, free = {}, [0] * n, set(range(n))
        buckets = {}
        for name in names:
            buckets.setdefault(hash_of(name) % n, []).append(name)
        for bucket, held in sorted(buckets.items(), key=lambda b: -len(b[1])):
            if len(held) == 1:
                slots[held[0]] = free.pop()
                redirect[bucket] = -1 - slots[held[0]]
                continue
            seed = next(s for s in range(1, 1 << 20)
                        if len({hash_of(name, s) % n for name in held} & free) == len(held))
            redirect[bucket] = seed
            for name in held:
                slots[name] = hash_of(name, seed) % n
                free.remove(slots[name])
        table, offsets = b"", [0] * n
        for name in names:
            offsets[slots[name]] = len(table)
            table += self.locations[name]
        return (struct.pack("<7I", 0xCAFEDADA, 1 << 16, 0, n, n, len(table), len(self.strings))
                + struct.pack(f"<{n}i", *redirect) + struct.pack(f"<{n}I", *offsets) + table + self.strings
                + self.resources)


def images():
    text = b"a resource that is longer when it is not compressed: " * 4
    plain = Image()
    plain.add("java.base", "java/lang", "Object", "class", b"\xca\xfe\xba\xbe" + bytes(12))
    plain.add("java.base", "", "module-info", "class", b"\xca\xfe\xba\xbe")
    plain.add("a.module", "p", "text", "txt", text)
    plain.add("packages", "", "java.lang", "", struct.pack("<2I", 0, plain.string("java.base")))
    packed = Image()
    zipped = packed.layer("zip", zlib.compress(text), len(text))
    packed.add("a.module", "p", "text", "txt", text, zipped)
    # of a class file: constants 1 "name" and 2 "(Lp/A;I)V", which lie in the image's strings, an int, and "text"
    utf8 = [b"name", b"(Lp/A;I)V"]
    head = b"\xca\xfe\xba\xbe\0\0\0\x45\0\x05"
    tail = b"\x03\0\0\0\x07" + b"\x01\0\x04text" + bytes(6)
    whole = head + b"".join(b"\x01" + struct.pack(">H", len(u)) + u for u in utf8) + tail

    def compact(number):
        return bytes([0x80 | 1 << 5 | number]) if number < 32 else bytes([0x80 | 2 << 5 | number >> 8, number & 255])

    types = compact(packed.string("p")) + compact(packed.string("A"))
    small = (head + b"\x17" + compact(packed.string("name")) + b"\x19" + compact(packed.string("(L;I)V"))
             + compact(len(types)) + types + tail)
    inner = packed.layer("compact-cp", small, len(whole))
    packed.add("a.module", "p", "A", "class", whole, inner)
    packed.add("a.module", "p", "B", "class", whole, packed.layer("zip", zlib.compress(inner), len(inner)))
    return {"plain": plain.bytes(), "compressed": packed.bytes()}


def options():
    lines = ["-Xmx64m -Xms8m -Xss512k -XX:MaxMetaspaceSize=30m", "-Dp.q=v -ea:p... -da:p.C -esa -Xcheck:jni",
             "-agentlib:jdwp=server=y,suspend=n -agentpath:/x.so=y -javaagent:a.jar=b -Xrunhprof:heap=sites",
             "-Xlog:gc*=debug,safepoint+x:stdout:uptime,level,tags -verbose:class,gc -Xlog:disable -Xlog:all=off",
             "-XX:+UnlockDiagnosticVMOptions -XX:+PrintFlagsFinal -XX:-UseTLAB -XX:CompileCommand=inline,p/A.m*",
             "--add-modules=a,b --patch-module=m=x --add-opens=m/p=n --enable-preview --module-path=x",
             "-XX:Flags=x -XX:VMOptionsFile=y -XX:+IgnoreUnrecognizedVMOptions -XX:Nonsense=1 -Xnonsense",
             "-Xbootclasspath/a:x -Xint -Xcomp -Xbatch -Xshare:on -Xverify:none -Xloggc:x exit abort"]
    return {str(n): bytes([n]) + line.replace(" ", "\n").encode() for n, line in enumerate(lines)}


def requests():
    first = [["jcmd", "help", "", ""], ["load", "instrument", "false", "a.jar=x"], ["inspectheap", "-live", "", "2"],
             ["threaddump", "-l -e", "", ""]]
    found = {str(n): b"1\0" + b"".join(word.encode() + b"\0" for word in row) for n, row in enumerate(first)}
    for name, row in (("second", ["jcmd", "Thread.print -l"]), ("no_argument", ["getversion"]), ("many", ["x"] * 30)):
        body = b"".join(word.encode() + b"\0" for word in row)
        found[name] = b"2\0" + str(len(body)).encode() + b"\0" + body
    return found


def main():
    to = Path(sys.argv[1])
    for target, made in (("zip_fuzz", jars()), ("jimage_fuzz", images()), ("options_fuzz", options()),
                         ("attach_fuzz", requests()),
                         ("heap_record_fuzz", {"all": bytes(range(256)) * 2, "few": bytes(range(100, 140))})):
        directory = to / target
        directory.mkdir(parents=True, exist_ok=True)
        for name, content in made.items():
            (directory / name).write_bytes(content)
    words = set(re.findall(r"^FLAG\(\w+, *(\w+)", (ROOT / "src/base/flags.def").read_text(), re.M))
    words |= set(re.findall(r'"(-[^"\\]+)"', (ROOT / "src/base/xoptions.def").read_text()))
    words |= {"-XX:", "-XX:+", "-XX:-", "-Xlog:", "=", ":", ",", "...", "18446744073709551615", "1e9", "0x"}
    (to / "options_fuzz.dict").write_text("".join(f'"{word}"\n' for word in sorted(words)))


main()
