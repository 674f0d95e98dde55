"""Bad input ends with HotSpot's exit code and a message that contains the offending word; nothing crashes, nothing
hangs."""
import os
import shutil
import sys
from pathlib import Path

import harness

HOTSPOT, BUILD = Path(os.environ["HOTSPOT"]), Path(os.environ["BUILD"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
ZIP = HOTSPOT / "lib/libzip.so"                       # a library, but no agent

# arguments of java, the word
OPTIONS = [
    (["-XX:+NoSuchFlag"], "NoSuchFlag"),
    (["-XX:NoSuchFlag=3"], "NoSuchFlag"),
    (["-XX:MaxHeapSize=lots"], "MaxHeapSize"),
    (["-XX:+MaxHeapSize"], "MaxHeapSize"),
    (["-XX:UseSerialGC=1"], "UseSerialGC"),
    (["-Xnonsense"], "-Xnonsense"),
    (["-Xmx"], "-Xmx"),
    (["-Xmx12q"], "-Xmx12q"),
    (["-Xmx1k"], "heap"),
    (["-Xms2g", "-Xmx1g"], "heap"),
    (["-Xss1"], "stack"),
    (["-Xss1x"], "-Xss1x"),
    (["-XX:MaxRAMPercentage=200"], "MaxRAMPercentage"),
    (["-XX:VMOptionsFile=missing.options"], "missing.options"),
    (["-XX:Flags=missing.flags"], "missing.flags"),
    (["-Xlog:nosuchtag"], "nosuchtag"),
    (["-Xlog:gc=nosuchlevel"], "nosuchlevel"),
    (["-agentlib:nosuchagent"], "nosuchagent"),
    (["-agentpath:/no/such/agent.so"], "/no/such/agent.so"),
    ([f"-agentpath:{ZIP}"], "libzip"),
    ([f"-agentpath:{BUILD}/libhistogram.so=frobnicate"], "frobnicate"),
    (["-javaagent:missing.jar"], "missing.jar"),
    (["--add-modules=no.such.module"], "no.such.module"),
    (["--limit-modules=no.such.module"], "no.such.module"),
    (["--patch-module=java.base"], "patch-module"),
    (["--add-reads=nonsense"], "nonsense"),
    (["-ea:...:"], "..."),
]
PROGRAM_CASES = [
    (["-cp", "nowhere", "NoSuchClass"], "NoSuchClass"),
    (["-jar", "missing.jar"], "missing.jar"),
    (["-jar", "corrupt.jar"], "corrupt.jar"),
    (["-cp", "corrupt.jar", "NoSuchClass"], "NoSuchClass"),
    (["-cp", ".", "Broken"], "Broken"),
    (["-cp", ".", "TooNew"], "TooNew"),
]


def java(home, arguments, ours, extra=None):
    return harness.run([*harness.java(home), *arguments], WORK, 300 * harness.time_scale(), ours=ours, extra_env=extra)


def judge(what, ours, word, code):
    """1 when ours did not end with `code` and a message with `word`."""
    text = (ours.out + ours.err).decode(errors="replace")
    if not ours.timed_out and ours.code == code and word in text:
        return 0
    print(f"=== {what}: expected exit {code} and '{word}', got: {ours.ended()}\n{text[-600:]}")
    return 1


def compared(arguments, word):
    theirs, ours = java(HOTSPOT, arguments, False), java(OURS, arguments, True)
    if theirs.code < 0:                                # HotSpot 25 crashes on an agent library without entry points
        return judge(" ".join(map(str, arguments)), ours, word, 1)
    if word not in (theirs.out + theirs.err).decode(errors="replace") and theirs.code != 0:
        print(f"note: HotSpot's message for {arguments} has no '{word}': {(theirs.out + theirs.err).decode()[:200]}")
    return judge(" ".join(map(str, arguments)), ours, word if theirs.code else "", theirs.code)


def broken_images():
    """Images whose run-time image or release file is no good. HotSpot ends with 1 for all of these."""
    modules = (HOTSPOT / "lib/modules").resolve()
    bad = 0
    for name, word in (("missing", "modules"), ("truncated", "modules"), ("empty", "modules"), ("garbage", "modules"),
                       ("fifo", "modules"), ("version", "21"),
                       ("release", "release file")):
        image = WORK / f"image-{name}"
        shutil.copytree(OURS, image, symlinks=True)
        if name == "version":
            text = (OURS / "release").read_text()
            (image / "release").unlink()
            (image / "release").write_text(text.replace('JAVA_VERSION="' + os.environ["LIBRARY"], 'JAVA_VERSION="21'))
        elif name == "release":
            (image / "release").unlink()
            os.mkfifo(image / "release")               # nobody ever writes to it
        else:
            (image / "lib/modules").unlink()
        if name == "truncated":
            with open(modules, "rb") as source:
                (image / "lib/modules").write_bytes(source.read(1 << 20))
        elif name == "fifo":
            os.mkfifo(image / "lib/modules")
        elif name == "empty":
            (image / "lib/modules").write_bytes(b"")
        elif name == "garbage":
            (image / "lib/modules").write_bytes(bytes(range(256)) * 64)
        bad += judge(f"image with {name} lib/modules or release", java(image, ["-version"], True), word, 1)
        shutil.rmtree(image)
    return bad


def main():
    harness.fresh_directory(WORK)
    (WORK / "corrupt.jar").write_bytes(b"PK\3\4" + bytes(100))
    (WORK / "Broken.class").write_bytes(b"\xca\xfe\xba\xbe\0\0\0\x34\0\x10\1")
    (WORK / "TooNew.class").write_bytes(b"\xca\xfe\xba\xbe\0\0\0\xff\0\1")
    bad = sum(compared([*options, "-version"], word) for options, word in OPTIONS)
    bad += sum(compared(arguments, word) for arguments, word in PROGRAM_CASES)
    if "JVM_UNDER_TEST" not in os.environ:
        bad += broken_images()
    print(f"{bad} problems")
    sys.exit(1 if bad else 0)


main()
