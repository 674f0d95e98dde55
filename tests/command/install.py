"""`make install` and `make uninstall` into a directory of our own, with what embedders find there; the Debian package,
installed and removed in an overlay of the file system, which needs root: a further VM of the JDK, an alternative, and
afterwards not a trace."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT, BUILD = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"]).resolve(), Path(os.environ["BUILD"])
WORK, ROOT = Path(os.environ["WORK"]), Path(os.environ["TESTS"]).parent
OURS = "Vitrine 64-Bit VM"
failed = []


def check(good, what, *more):
    if not good:
        failed.append(what)
        print("FAILED:", what, *more)


def sh(*command, env=None, cwd=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, cwd=cwd or WORK,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout + done.stderr


def files(directory):
    return sorted(str(p.relative_to(directory)) for p in directory.rglob("*") if not p.is_dir() or p.is_symlink())


def fake_jvms():
    """/usr/lib/jvm with one JDK, of links, whose lib/ can be written."""
    jvms, jdk = WORK / "jvm", WORK / "jvm/jdk"
    (jdk / "lib").mkdir(parents=True)
    for entry in HOTSPOT.iterdir():
        if entry.name == "bin":
            shutil.copytree(entry, jdk / "bin")
        elif entry.name != "lib":
            (jdk / entry.name).symlink_to(entry)
    for entry in (HOTSPOT / "lib").iterdir():
        if entry.name == "server":       # the launcher's JDK is where its libjvm.so is
            shutil.copytree(entry, jdk / "lib/server", ignore=shutil.ignore_patterns("*.jsa"))
        elif entry.name not in ("jvm.cfg", "vitrine"):
            (jdk / "lib" / entry.name).symlink_to(entry)
    (WORK / "etc.cfg").write_text("".join(line + "\n" for line in (HOTSPOT / "lib/jvm.cfg").read_text().splitlines()
                                          if line != "-vitrine KNOWN"))
    (jdk / "lib/jvm.cfg").symlink_to(WORK / "etc.cfg")
    return jvms, jdk


def installed(prefix):
    code, text = sh(prefix / "bin/vitrine")
    check(code == 0 and "vitrine image JDK DIRECTORY" in text, "usage", text)
    check(sh(prefix / "bin/vitrine", "none")[0] == 2, "an unknown command")
    for wrong in ("image", WORK, WORK / "x"), ("add", WORK / "nowhere"):
        code, text = sh(prefix / "bin/vitrine", *wrong)
        check(code == 1 and "is not a JDK" in text, f"{wrong}", text)
    code, text = sh(prefix / "bin/vitrine", "image", HOTSPOT, WORK / "image")
    code, text = sh(WORK / "image/bin/java", "-agentlib:histogram=top=1", "-version")
    check(code == 0 and OURS in text and "Total" in text, "an image of the installed VM", text)
    for page in "man1/vitrine.1", "man7/vitrine-hprof.7", "man7/vitrine-histogram.7":
        path = prefix / "share/man" / page
        check(path.exists(), f"no {page}")
        if shutil.which("man"):
            code, text = sh("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", path, env={"MANWIDTH": "80"})
            check(code == 0 and "warning" not in text and "Vitrine" in text, f"{page}", text[:400])


def embedders(prefix):
    for name, command, env, program in (
            ("cmake", "cmake -S . -B build && cmake --build build", {"CMAKE_PREFIX_PATH": prefix}, "build/embed"),
            ("pkg-config", "make", {"PKG_CONFIG_PATH": prefix / "lib/pkgconfig"}, "embed")):
        if name == "pkg-config" and not shutil.which(name):
            continue
        shutil.copytree(prefix / "share/doc/vitrine/examples/embed", WORK / name)
        env = {key: str(value) for key, value in env.items()}
        if name == "pkg-config":
            command += f" PKG_CONFIG_PATH={env['PKG_CONFIG_PATH']}"
        code, text = sh("sh", "-c", command, env=env, cwd=WORK / name)
        check(code == 0, f"{name} builds", text)
        code, text = sh(WORK / name / program, HOTSPOT, cwd=WORK / name)
        lines, mapped = text.splitlines(), sh("ldd", WORK / name / program)[1]
        check(code == 0 and len(lines) > 0 and str(prefix.resolve()) in os.path.realpath(
            mapped.split("libjvm.so => ")[-1].split()[0]), f"{name} runs", text, mapped)


def further_vm(prefix):
    jvms, jdk = fake_jvms()
    env = {"VITRINE_JVM_DIRECTORY": str(jvms), "PATH": f"{WORK / 'tools'}:{os.environ['PATH']}"}
    (WORK / "tools").mkdir()
    (WORK / "tools/update-alternatives").write_text(f'#!/bin/sh\necho "$@" >>{WORK}/alternatives\n')
    (WORK / "tools/update-alternatives").chmod(0o755)
    before, config = files(jvms), (WORK / "etc.cfg").read_text()
    for _ in 1, 2:                       # twice is as once
        code, text = sh(prefix / "bin/vitrine", "register", env=env)
        check(code == 0, "register", text)
    check((WORK / "etc.cfg").read_text() == config + "-vitrine KNOWN\n", "jvm.cfg", (WORK / "etc.cfg").read_text())
    check((jdk / "lib/jvm.cfg").is_symlink(), "jvm.cfg is no link any more")
    code, text = sh(jdk / "bin/java", "-vitrine", "-agentlib:histogram=top=1", "-version")
    check(code == 0 and OURS in text and "Total" in text, "java -vitrine", text)
    code, text = sh(jdk / "bin/java", "-version")
    check(code == 0 and "OpenJDK 64-Bit Server VM" in text, "the JDK's own VM stays the first", text)
    image = jvms / f"vitrine-{LIBRARY}"
    check(OURS in sh(image / "bin/java", "-version")[1], "the image")
    info = (jvms / f".vitrine-{LIBRARY}.jinfo").read_text()
    check(f"name=vitrine-{LIBRARY}\n" in info and f"jdkhl javac {image}/bin/javac\n" in info, "jinfo", info)
    told = (WORK / "alternatives").read_text()
    check(f"--install /usr/bin/java java {image}/bin/java" in told, "alternatives", told)
    code, text = sh(prefix / "bin/vitrine", "list", env=env)
    check(f"{jdk}: java -vitrine" in text and f"{image}: made from {jdk}" in text, "list", text)
    code, text = sh(prefix / "bin/vitrine", "unregister", env=env)
    check(code == 0 and files(jvms) == before and (WORK / "etc.cfg").read_text() == config, "unregister", text,
          set(files(jvms)) ^ set(before))
    told = (WORK / "alternatives").read_text()
    check(told.count("--install") // 2 == told.count("--remove"), "alternatives are taken back", told)


IN_OVERLAY = r"""
set -e
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=overlay root
mount -t proc proc root/proc && mount --bind /dev root/dev
cat >root/run.sh <<'END'
set -e
cd /
dpkg -s vitrine >/dev/null 2>&1 && exit 77
dpkg -i --force-depends /vitrine.deb
vitrine list
JDK/bin/java -vitrine -agentlib:histogram=top=1 -version 2>&1
JDK/bin/java -version 2>&1 | tail -1
update-java-alternatives -l
update-java-alternatives -s vitrine-VERSION 2>&1
java -version 2>&1
dpkg -r vitrine
java -version 2>&1 | tail -1
echo removed
END
chroot root sh /run.sh
"""


def package():
    if os.getuid() != 0 or not shutil.which("unshare") or not shutil.which("dpkg"):
        print("the package is not installed: that needs root, unshare and dpkg")
        return
    for name in "upper", "overlay", "root":
        (WORK / name).mkdir()
    shutil.copy(next(BUILD.glob("vitrine_*.deb")), WORK / "upper/vitrine.deb")
    script = IN_OVERLAY.replace("JDK", str(HOTSPOT)).replace("VERSION", LIBRARY)
    code, text = sh("unshare", "-m", "sh", "-c", script)
    no_overlay = "overlay" in text and code == 32 or "unshare" in text and code == 1
    if code == 77 or no_overlay:
        print(f"the package is not installed: {text}")
        return
    java = f"/usr/lib/jvm/vitrine-{LIBRARY}"
    check(code == 0 and text.endswith("removed\n"), "the package", text)
    check(f"{HOTSPOT}: java -vitrine" in text and f"{java}: made from" in text, "JDKs of the package", text)
    check(text.count(OURS) == 2 and f"vitrine-{LIBRARY}" in text, "the package's VM", text)
    # What the file system has beyond the one below: logs and states of dpkg, and whatever has been made equal again.
    left = [f for f in files(WORK / "upper") if "vitrine" in f and not (WORK / "upper" / f).is_char_device()]
    check(left == ["vitrine.deb"], "left of the package", left)
    jvm = WORK / "upper/usr/lib/jvm"
    left = [f for f in files(jvm) if not (jvm / f).is_char_device()] if jvm.exists() else []
    for f in left:
        check((jvm / f).is_symlink() or (jvm / f).read_bytes() == (Path("/usr/lib/jvm") / f).read_bytes(),
              f"{f} is not as before")


def main():
    if harness.environment(True).get("LD_PRELOAD"):
        sys.exit(77)                     # what is installed runs without the sanitizer
    harness.fresh_directory(WORK)
    prefix = WORK / "prefix"
    make = ["make", "-s", "-C", ROOT, f"BUILD={BUILD}"]
    code, text = sh(*make, "install", f"PREFIX={prefix}")
    check(code == 0, "make install", text)
    shutil.move(prefix, WORK / "moved")  # everything finds the rest from its own place
    installed(WORK / "moved")
    embedders(WORK / "moved")
    further_vm(WORK / "moved")
    shutil.move(WORK / "moved", prefix)
    (prefix / "other").write_text("not ours")
    code, text = sh(*make, "uninstall", f"PREFIX={WORK}/elsewhere")
    check(code != 0 and "installation elsewhere" in text and (prefix / "bin/vitrine").exists(), "a wrong prefix", text)
    code, text = sh(*make, "uninstall", f"PREFIX={prefix}")
    check(code == 0 and [p.name for p in prefix.rglob("*")] == ["other"], "make uninstall", text, files(prefix))
    code, text = sh(*make, "install", "PREFIX=/usr", f"DESTDIR={WORK}/staged")
    check(code == 0 and (WORK / "staged/usr/bin/vitrine").exists(), "DESTDIR", text)
    code, text = sh(*make, "uninstall", "PREFIX=/usr", f"DESTDIR={WORK}/staged")
    check(code == 0 and files(WORK / "staged") == [], "DESTDIR, removed", text)
    if shutil.which("dpkg-deb"):
        code, text = sh(*make, "deb")
        check(code == 0, "make deb", text)
        package()
    if not failed:
        shutil.rmtree(WORK)
    sys.exit(1 if failed else 0)


main()
