#!/usr/bin/env python3
"""The main job: the newest JDK's own compiler runs on our VM and compiles its own sources, while the histogram agent
watches.

Usage: main_job.py BUILD. Prints what ran and the class histogram at the compiler's height: every source attributed,
nothing generated yet. Exit code 0 only if that whole job ran.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/run"))
import sources  # noqa: E402

MODULE = "jdk.compiler"
# The first method body that is generated needs this; by then the whole tree is attributed (policy "simple").
HEIGHT = "com.sun.tools.javac.jvm.Code$State"
HELLO = ('public class Hello { public static void main(String[] a) { System.out.println("Hello from " + '
         'System.getProperty("java.vm.name")); } }\n')
LIMIT = 900


def run(command):
    start = time.monotonic()
    try:
        code = subprocess.run([str(c) for c in command], timeout=LIMIT).returncode
    except subprocess.TimeoutExpired:
        print(f"no end within {LIMIT} s", file=sys.stderr)
        code = 1
    return code, time.monotonic() - start


def release(jdk):
    lines = (jdk / "release").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["JAVA_VERSION"].strip('"')


def javac(image, work, files, options):
    out = work / "classes"
    arguments = work / "arguments"
    arguments.write_text("\n".join([f"--patch-module={MODULE}={work / 'src' / MODULE}", "-nowarn", "-Xlint:none",
                                    "-proc:none",
                                    "-XDcompilePolicy=simple", "-d", str(out), *files]))
    code, seconds = run([image / "bin/javac", "-J-Xmx512m", *options, f"@{arguments}"])
    return code, seconds, len(list(out.rglob("*.class"))) if out.exists() else 0


def main():
    build = Path(sys.argv[1]).resolve()
    image = build / "image"
    jdk = Path((image / "lib/server/vitrine").read_text().strip())
    work = build / "run"
    subprocess.run(["rm", "-rf", work], check=True)
    work.mkdir(parents=True)
    os.chdir(work)
    files = sources.extract(jdk, work / "src", {MODULE: None})[MODULE]

    print(f"Vitrine with the class library of JDK {release(jdk)}: javac compiles itself "
          f"({len(files)} files of {MODULE} from src.zip), watched by libhistogram.so", flush=True)
    watch = f"-J-agentlib:histogram=at={HEIGHT},gc,time,top=40"
    code, seconds, classes = javac(image, work, files, [watch])
    if code == 0 and classes:
        print(f"{classes} class files in {seconds:.1f} s")
        return 0
    print(f"The main job failed (exit {code}). The largest program that works instead:", file=sys.stderr, flush=True)
    code, seconds, classes = javac(image, work, files, [])
    if code == 0 and classes:
        print(f"javac without the agent: {classes} class files in {seconds:.1f} s")
        return 1
    (work / "Hello.java").write_text(HELLO)
    code, seconds = run([image / "bin/javac", "-d", work / "hello", work / "Hello.java"])
    if code == 0:
        code, _ = run([image / "bin/java", "-cp", work / "hello", "Hello"])
        print(f"javac of one file in {seconds:.1f} s, and java, exit {code}")
        return 1
    run([jdk / "bin/javac", "-d", work / "hello", work / "Hello.java"])
    code, seconds = run([image / "bin/java", "-cp", work / "hello", "Hello"])
    print(f"Hello, compiled by HotSpot's javac: exit {code} after {seconds:.1f} s")
    return 1


sys.exit(main())
