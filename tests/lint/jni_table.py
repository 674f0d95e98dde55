#!/usr/bin/env python3
"""spec/jni.def lists exactly the functions of jni.h, and the JNI test library has a case `good` for every one.

Usage: jni_table.py SOURCE COMPILER JNI_H...    the C sources are preprocessed, with the include directories of each
header
       jni_table.py --self-test                 shows that a missing case is found
"""
import re
import subprocess
import sys
from pathlib import Path


def functions_of(header):
    """In the order of struct JNINativeInterface_."""
    table = re.search(r"struct JNINativeInterface_ \{(.*?)^\};", header, re.S | re.M)[1]
    return re.findall(r"\(JNICALL \*(\w+)\)", table)


def cases_of(preprocessed):
    return set(re.findall(r"static void (\w+)_good\(struct fixture \*f\);", preprocessed))


def check(rows, headers, preprocessed):
    newest = max(headers, key=len)
    for name in newest:
        if name not in rows:
            yield f"spec/jni.def lacks {name}"
        if name not in cases_of(preprocessed):
            yield f"tests/jni/ has no CASE({name}, good)"
    for name in rows:
        if name not in newest:
            yield f"spec/jni.def: jni.h has no {name}"


def self_test():
    header = ("struct JNINativeInterface_ {\n jint (JNICALL *GetVersion)(JNIEnv *env);\n jclass (JNICALL "
              "*FindClass)\n (JNIEnv *env);\n};\n")
    assert functions_of(header) == ["GetVersion", "FindClass"]
    good = "static void GetVersion_good(struct fixture *f); static void FindClass_good(struct fixture *f);"
    assert not list(check(["GetVersion", "FindClass"], [functions_of(header)], good))
    assert len(list(check(["GetVersion"], [functions_of(header)], good))) == 1
    assert len(list(check(["GetVersion", "FindClass"], [functions_of(header)], good[:50]))) == 1
    assert len(list(check(["GetVersion", "FindClass", "Other"], [functions_of(header)], good))) == 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    source, compiler, *headers = sys.argv[1:]
    source = Path(source)
    sys.path.insert(0, str(source / "spec"))
    import gen_jni
    newest = max(headers, key=lambda h: len(functions_of(Path(h).read_text())))
    include = Path(newest).parent
    preprocessed = "".join(subprocess.run([compiler, "-E", "-std=gnu17", f"-I{include}", f"-I{include}/linux", path],
                                          check=True, capture_output=True,
                                         text=True).stdout for path in sorted((source / "tests/jni").glob("cases_*.c")))
    found = list(check([f.name for f in gen_jni.read(source / "spec/jni.def")],
                       [functions_of(Path(h).read_text()) for h in headers], preprocessed))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
