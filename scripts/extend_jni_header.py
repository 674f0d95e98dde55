#!/usr/bin/env python3
"""extend_jni_header.py JNI_H OUT: the jni.h of an older JDK with what JDK 25's has beyond it.

libjvm.so serves both libraries with one function table, so it is compiled against the newest interface even where only
JDK 17 is installed. Fails when the header does not look as expected.
"""
import re
import sys
from pathlib import Path

VERSIONS = {"JNI_VERSION_19": 0x00130000, "JNI_VERSION_20": 0x00140000, "JNI_VERSION_21": 0x00150000,
            "JNI_VERSION_24": 0x00180000}
# The slots behind GetModule, the last of JNI_VERSION_9.
SLOTS = {"IsVirtualThread": "jboolean (JNICALL *IsVirtualThread)(JNIEnv *env, jobject obj);",
         "GetStringUTFLengthAsLong": "jlong (JNICALL *GetStringUTFLengthAsLong)(JNIEnv *env, jstring str);"}


def main():
    text = Path(sys.argv[1]).read_text()
    struct = re.search(r"struct JNINativeInterface_ \{.*?\n\};", text, re.S)
    version = re.search(r"#define JNI_VERSION_10 +0x000a0000\n", text)
    if not struct or not version:
        sys.exit(f"{sys.argv[1]}: not a jni.h as known")
    slots = "".join(f"    {declaration}\n" for name, declaration in SLOTS.items() if name not in struct[0])
    defines = "".join(f"#define {name} {value:#010x}\n" for name, value in VERSIONS.items() if name not in text)
    text = text[:struct.end() - 2] + slots + text[struct.end() - 2:]
    text = text[:version.end()] + defines + text[version.end():]
    out = Path(sys.argv[2])
    if not out.exists() or out.read_text() != text:
        out.write_text(text)


main()
