"""What jlink, jpackage and jmod of an image make runs on our VM: the tools' own output, and what a program prints, are
HotSpot's. The files that jlink takes for ours are ours; a file that has changed since is still found out."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT, BUILD = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"]), Path(os.environ["BUILD"])
OURS, WORK, TESTS = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"]), Path(os.environ["TESTS"])
SOURCES = {
    "module-info.java": "module hello { requires java.logging; exports hello; }",
    "hello/Hello.java": """
        package hello;
        public class Hello {
            public static void main(String[] arguments) {
                System.out.println(String.join(",", arguments) + " key=" + System.getProperty("key"));
                System.out.println(ModuleLayer.boot().modules().stream().map(Module::getName).sorted().toList());
                System.out.println(System.getProperty("java.home") + " " + Hello.class.getModule());
                System.err.println(System.getProperty("java.vm.name"));
            }
        }""",
}
failed = []


def check(good, what, *more):
    if not good:
        failed.append(what)
        print("FAILED:", what, *more)


def run(ours, command, cwd=None):
    return harness.run([str(c) for c in command], cwd or WORK, 600 * harness.time_scale(), ours=ours)


def tool(home, name, *arguments, cwd=None):
    ours = home == OURS
    own = [f"-J{o}" for o in harness.vm_options()] if ours else []
    return run(ours, [home / "bin" / name, *own, *arguments], cwd)


def compare(what, make):
    """make(home, directory) in a directory for each VM. The same output, and the VM's name from stderr."""
    found = []
    for home in HOTSPOT, OURS:
        directory = WORK / f"{what}-{'ours' if home == OURS else 'theirs'}"
        directory.mkdir()
        outcomes = make(home, directory)
        places = [(directory, "<HERE>"), (home, "<JDK>"), (home.resolve(), "<JDK>")]
        found.append([harness.normalise(o.out, places) + o.ended() for o in outcomes])
        names = re.findall(r"^.* VM$", outcomes[-1].err.decode(), re.M)
        check(names == (["Vitrine 64-Bit VM"] if home == OURS else ["OpenJDK 64-Bit Server VM"]),
              f"{what}: the program ran on {names}", *(o.out + o.err for o in outcomes))
    check(found[0] == found[1], f"{what} differs", f"\nHotSpot: {found[0]}\nours: {found[1]}")


def linked(home, directory):
    yield tool(home, "jlink", "--module-path", WORK / "mods", "--add-modules", "hello", "--launcher",
               "say=hello/hello.Hello", "--output", directory / "image", "--strip-debug", "--no-header-files",
               "--no-man-pages")
    java = directory / "image/bin/java"
    yield run(home == OURS, [java, "--list-modules"])
    yield run(home == OURS, [directory / "image/bin/say", "one", "two"])


def packaged(home, directory):
    yield tool(home, "jpackage", "--type", "app-image", "--name", "say", "--module-path", WORK / "mods", "--module",
               "hello/hello.Hello", "--java-options", "-Dkey=value", "--dest", directory)
    yield run(home == OURS, [directory / "say/bin/say", "three"])


def jmods(home, directory):
    yield tool(home, "jmod", "create", "--class-path", WORK / "classes", "--main-class", "hello.Hello",
               "--module-version", "1.0", "--libs", WORK / "libs", directory / "hello.jmod")
    yield tool(home, "jmod", "describe", directory / "hello.jmod")
    yield tool(home, "jmod", "list", directory / "hello.jmod")
    yield tool(home, "jmod", "extract", "--dir", directory / "extracted", directory / "hello.jmod")
    yield tool(home, "jlink", "--module-path", directory / "hello.jmod", "--add-modules", "hello", "--output",
               directory / "image")
    yield run(home == OURS, [directory / "image/bin/java", "-m", "hello", "four"])


def same_file(a, b):
    return a.read_bytes() == b.read_bytes()


def our_files():
    """The linked image has the image's VM and agents; java.base.jmod too, where there is one."""
    agents = sorted(p.name for p in BUILD.glob("lib*.so") if p.name != "libjvm.so")
    files = ["server/libjvm.so", *agents]
    # what --strip-debug may have changed, jlink without it has not
    for file in files:
        check(same_file(OURS / "lib" / file, WORK / "jmods-ours/image/lib" / file), f"{file} of the linked image")
    jmod = OURS / "jmods/java.base.jmod"
    if jmod.exists():
        for home in HOTSPOT, OURS:
            text = tool(home, "jmod", "describe", HOTSPOT / "jmods/java.base.jmod").out
            check(text and text == tool(home, "jmod", "describe", jmod).out, "java.base.jmod is described otherwise")
        names = [set(tool(HOTSPOT, "jmod", "list", home / "jmods/java.base.jmod").out.decode().split())
                 for home in (HOTSPOT, OURS)]
        check(names[1] - names[0] == {f"lib/{a}" for a in agents} and not names[0] - names[1],
              f"java.base.jmod: {names[0] ^ names[1]}")


def again():
    """An image laid out again over another one, with another library: the list is that of the new one."""
    if not (OURS / "lib/server/vitrine").exists() or harness.environment(True).get("LD_PRELOAD"):
        return
    make, other = TESTS.parent / "scripts/make_image.sh", WORK / "other"
    other.mkdir()
    shutil.copy(OURS / "lib/server/libjvm.so", other)
    shutil.copy(OURS / "lib/libhprof.so", other)
    for change in b"", b"\0" * 64:
        with open(other / "libjvm.so", "ab") as library:
            library.write(change)
        os.utime(other / "libjvm.so")
        subprocess.run([make, HOTSPOT, other, WORK / "again"], check=True)
    outcome = run(True, [WORK / "again/bin/jlink", "--add-modules", "java.base", "--output", WORK / "linked-again"])
    check(outcome.code == 0 and same_file(other / "libjvm.so", WORK / "linked-again/lib/server/libjvm.so"),
          "an image laid out again", outcome.out + outcome.err)
    if not (OURS / "jmods").exists():
        conf = WORK / "again/conf"
        conf.unlink()
        shutil.copytree(HOTSPOT / "conf", conf)
        with open(conf / "net.properties", "a") as file:
            file.write("# changed\n")
        outcome = run(True, [WORK / "again/bin/jlink", "--add-modules", "java.base", "--output", WORK / "changed"])
        check(outcome.code != 0 and "net.properties" in (outcome.out + outcome.err).decode(),
              "a changed file is taken for the JDK's own", outcome.out + outcome.err)


def main():
    harness.fresh_directory(WORK)
    for name, text in SOURCES.items():
        (WORK / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (WORK / "src" / name).write_text(text)
    (WORK / "libs").mkdir()
    (WORK / "libs/libnothing.so").write_bytes(b"nothing")
    subprocess.run([*harness.javac(HOTSPOT), "-d", "classes", *(f"src/{n}" for n in SOURCES)], cwd=WORK, check=True)
    (WORK / "mods").mkdir()
    subprocess.run([HOTSPOT / "bin/jar", "--create", "--file", "mods/hello.jar", "-C", "classes", "."], cwd=WORK,
                   check=True)
    for what, make in ("jlink", linked), ("jpackage", packaged), ("jmods", jmods):
        compare(what, lambda home, directory: list(make(home, directory)))
    our_files()
    again()
    for directory in WORK.iterdir():     # some 600 MB
        if directory.is_dir() and not failed:
            shutil.rmtree(directory)
    sys.exit(1 if failed else 0)


main()
