#!/usr/bin/env python3
"""Every symbol that a JDK's libraries and launcher want from libjvm.so is exported by ours, in the version node they
name, and nothing else leaves it. Usage: exports.py LIBJVM JDK [--check]
--check: LIBJVM is of the check build, which exports what its own tests call.
"""
import re
import subprocess
import sys
from pathlib import Path

NODE = "SUNWprivate_1.1"
OURS = re.compile(r"^(JVM_|JNI_|jio_)|^AsyncGetCallTrace$")
OF_CHECK_BUILD = {"JVM_CallBeforeStop"}
# Looked up by name: the launcher, embedders, and Java_ natives of the VM have no import record.
LOOKED_UP = {"JNI_CreateJavaVM", "JNI_GetDefaultJavaVMInitArgs", "JNI_GetCreatedJavaVMs", "JVM_FindClassFromBootLoader",
             "AsyncGetCallTrace"}


def dynamic_symbols(library, kind):
    listing = subprocess.run(["nm", "-D", "--with-symbol-versions", f"--{kind}-only", str(library)], check=True,
                             capture_output=True, text=True).stdout
    for line in listing.splitlines():
        yield line.split()[-2:]


def main():
    libjvm, jdk = Path(sys.argv[1]), Path(sys.argv[2])
    theirs = set() if "--check" in sys.argv else OF_CHECK_BUILD
    exported = {}
    for kind, symbol in dynamic_symbols(libjvm, "defined"):
        name, _, version = symbol.partition("@")
        exported[name] = version.lstrip("@")
    problems = []
    wanted = {name: ["dlsym"] for name in LOOKED_UP}
    for library in sorted((jdk / "lib").glob("*.so")):
        for kind, symbol in dynamic_symbols(library, "undefined"):
            name, _, version = symbol.partition("@")
            # libjava wraps jio_* without a version for the libraries that import them so.
            if re.match(r"JVM_|jio_", name) and (version.lstrip("@") == NODE or name.startswith("JVM_")):
                wanted.setdefault(name, []).append(library.name)
    for name, users in sorted(wanted.items()):
        if name not in exported:
            problems.append(f"missing: {name}, wanted by {', '.join(users)}")
        elif exported[name] != NODE:
            problems.append(f"{name} has version {exported[name] or '(none)'} instead of {NODE}")
    for name in sorted(exported):
        if name in theirs or not OURS.match(name) and name != NODE:
            problems.append(f"exported, but nobody's business: {name}")
    print("\n".join(problems) if problems else f"{len(wanted)} wanted symbols of {jdk} are there")
    sys.exit(1 if problems else 0)


main()
