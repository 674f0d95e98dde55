"""The commands and launcher options of a JDK work through the image as they do on HotSpot: same output, error text and
exit code (IA-052: options of modules, JDK_JAVA_OPTIONS)."""
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import harness
import rows

LIBRARY, HOTSPOT, BUILD = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"]), Path(os.environ["BUILD"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])

SOURCES = {
    "Show.java": """
        public class Show {
            public static void main(String[] args) {
                boolean asserts = false;
                assert asserts = true;
                System.out.println(String.join("|", args) + " asserts=" + asserts + " key=" + System.getProperty("key")
                                   + " home=" + System.getProperty("java.home")
                                   + " class.path=" + System.getProperty("java.class.path"));
            }
        }""",
    "boot/Extra.java": "package boot; public class Extra { public static String where() { return \"\" + "
                       "Extra.class.getClassLoader(); } }",
    "UseExtra.java": "public class UseExtra { public static void main(String[] a) { "
                     "System.out.println(boot.Extra.where()); } }",
    "mod/module-info.java": "module mod { exports mod.api; }",
    "mod/mod/api/Main.java": """
        package mod.api;
        public class Main {
            public static void main(String[] a) {
                Module m = Main.class.getModule();
                System.out.println(m + " " + m.getDescriptor().exports());
            }
        }""",
    "Open.java": """
        public class Open {
            public static void main(String[] a) throws Exception {
                var f = String.class.getDeclaredField("value");
                f.setAccessible(true);
                System.out.println(((byte[]) f.get("abc")).length);
            }
        }""",
    "patch/java/util/Patched.java": "package java.util; public class Patched { public static String text() { return "
                                    "\"patched\"; } }",
    "object/java/lang/Object.java": "package java.lang; public class Object { void a() {} void b() {} void c() {} }",
    "UsePatched.java": """
        public class UsePatched {
            public static void main(String[] a) throws Exception {
                System.out.println(Class.forName("java.util.Patched").getMethod("text").invoke(null));
            }
        }""",
    "Single.java": "record Point(int x, int y) {} public class Single { public static void main(String[] a) { "
                   "System.out.println(new Point(1, a.length)); } }",
    "Export.java": """
        public class Export {
            public static void main(String[] a) throws Exception {
                Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
                System.out.println(unsafe.getMethod("getUnsafe").invoke(null) != null);
            }
        }""",
}

# name, command after the JDK's bin/ (words; "java" first), environment
CASES = [
    ("class path", "java -cp classes Show one 'two words'", {}),
    ("properties and assertions", "java -ea -Dkey=value -cp classes Show", {}),
    ("assertions per class", "java -ea:Other -da:Show -cp classes Show", {}),
    ("jar", "java -jar show.jar in jar", {}),
    ("jar with options", "java -Dkey=k -ea -jar show.jar", {}),
    ("class path with wildcard", "java -cp 'jars/*' Show star", {}),
    ("CLASSPATH", "java Show", {"CLASSPATH": "classes"}),
    ("module", "java -p modules -m mod/mod.api.Main", {}),
    ("module jar", "java -p mod.jar -m mod/mod.api.Main", {}),
    ("argument file", "java @arguments tail", {}),
    ("single file", "java Single.java x y z", {}),
    ("boot class path", "java -Xbootclasspath/a:bootclasses -cp classes UseExtra", {}),
    ("patch module", "java --patch-module java.base=patched --add-opens java.base/java.util=ALL-UNNAMED -cp classes "
                     "UsePatched", {}),
    ("patched Object", "java --patch-module java.base=objects -version", {}),
    ("no opens", "java -cp classes Open", {}),
    ("add opens", "java --add-opens java.base/java.lang=ALL-UNNAMED -cp classes Open", {}),
    ("no exports", "java -cp classes Export", {}),
    ("add exports", "java --add-exports java.base/jdk.internal.misc=ALL-UNNAMED -cp classes Export", {}),
    ("add modules", "java --add-modules java.sql,jdk.httpserver -cp classes Show", {}),
    ("limit modules", "java --limit-modules java.base --list-modules", {}),
    ("enable preview", "java --enable-preview -cp classes Show", {}),
    ("JAVA_TOOL_OPTIONS", "java -cp classes Show", {"JAVA_TOOL_OPTIONS": "-Dkey=tool -ea"}),
    ("_JAVA_OPTIONS", "java -Dkey=line -cp classes Show", {"_JAVA_OPTIONS": "-Dkey=late"}),
    ("JDK_JAVA_OPTIONS", "java -cp classes Show", {"JDK_JAVA_OPTIONS": "-Dkey=jdk"}),
    ("VM options file", "java -XX:VMOptionsFile=vmoptions -cp classes Show", {}),
    ("flags file", "java -XX:Flags=flags -cp classes Show", {}),
    ("flags file that prints", "java -XX:Flags=printing -cp classes Show", {}),
    ("list modules", "java --list-modules", {}),
    ("describe module", "java --describe-module jdk.zipfs", {}),
    ("dry run", "java --dry-run -cp classes Show", {}),
    ("help", "java -help", {}),
    ("help of extra options", "java -X", {}),
    ("logging off", "java -Xlog:disable -cp classes Show", {}),
    ("javac", "javac -d javac.out Show.java", {}),
    ("javac with an error", "javac -d javac.out Wrong.java", {}),
    ("javap", "javap -v -p -cp classes Show", {}),
    ("jar list", "jar --list --file show.jar", {}),
    ("jar describe module", "jar --describe-module --file mod.jar", {}),
    ("jdeps", "jdeps -s show.jar", {}),
    ("no such class", "java -cp classes NoSuchClass", {}),
    ("no main", "java -cp bootclasses boot.Extra", {}),
    ("no such jar", "java -jar missing.jar", {}),
    ("no such module", "java -p modules -m none/none.Main", {}),
    ("no such option", "java -XX:+NoSuchFlagAnywhere -cp classes Show", {}),
    ("directories of none", "java -Djava.ext.dirs= -Djava.endorsed.dirs= -cp classes Show", {}),
    ("a directory of extensions", "java -Djava.ext.dirs=classes -cp classes Show", {}),
    ("a directory of endorsed classes", "java -Djava.endorsed.dirs=classes -cp classes Show", {}),
    ("a value besides a sign", "java -XX:+PrintWarnings=8 -version", {}),
    ("a sign and a number", "java -XX:-MaxRAMPercentage=1 -version", {}),
    ("no such launcher option", "java --no-such-option Show", {}),
    ("corrupt jar", "java -jar corrupt.jar", {}),
]


def prepare():
    harness.fresh_directory(WORK)
    for name, text in {**SOURCES, "Wrong.java": "class Wrong { int x = y; }"}.items():
        path = WORK / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    javac = lambda *a: subprocess.run([*harness.javac(HOTSPOT), *a], cwd=WORK, check=True)
    javac("-d", "bootclasses", "boot/Extra.java")
    javac("-d", "classes", "-cp", "bootclasses", "Show.java", "UseExtra.java", "Open.java", "UsePatched.java",
          "Export.java")
    javac("-d", "modules/mod", "mod/module-info.java", "mod/mod/api/Main.java")
    javac("-d", "patched", "--patch-module", "java.base=patch", "patch/java/util/Patched.java")
    javac("-d", "objects", "--patch-module", "java.base=object", "object/java/lang/Object.java")
    jar = lambda *a: subprocess.run([HOTSPOT / "bin/jar", *a], cwd=WORK, check=True)
    jar("--create", "--file", "show.jar", "--main-class", "Show", "-C", "classes", "Show.class")
    jar("--create", "--file", "mod.jar", "-C", "modules/mod", ".")
    (WORK / "jars").mkdir()
    shutil.copy(WORK / "show.jar", WORK / "jars")
    (WORK / "arguments").write_text("-Dkey=file\n-cp classes # comment\nShow \"from file\"\n")
    (WORK / "vmoptions").write_text("-Dkey=options\n-ea\n")
    (WORK / "flags").write_text("+UseSerialGC\nMaxHeapSize=64m\n")
    (WORK / "printing").write_text("-UseSerialGC +PrintVMOptions -IgnoreUnrecognizedVMOptions\nMaxHeapSize=64m\n")
    (WORK / "corrupt.jar").write_bytes((WORK / "show.jar").read_bytes()[:200])


def run(home, command, extra, ours):
    words = shlex.split(command)
    shutil.rmtree(WORK / "javac.out", ignore_errors=True)
    options = [option if words[0] == "java" else "-J" + option for option in harness.vm_options()] if ours else []
    outcome = harness.run([home / "bin" / words[0], *options, *words[1:]], WORK, 300 * harness.time_scale(), ours=ours,
                          extra_env=extra)
    for option in options:                   # which -XX:+PrintVMOptions prints, too
        outcome.out = outcome.out.replace(f"VM option '{option.removeprefix('-XX:')}'\n".encode(), b"")
    places = [(home, "<JDK>"), (home.resolve(), "<JDK>"), (WORK, "<WORK>")]
    return {"out": harness.normalise(outcome.out, places), "err": harness.normalise(outcome.err, places),
            "ended": outcome.ended()}


def altjvm():
    """An untouched JDK with -XXaltjvm= runs on our library."""
    command = [HOTSPOT / "bin/java", f"-XXaltjvm={BUILD}", "-XshowSettings:properties", "-cp", WORK / "classes", "Show"]
    outcome = harness.run(command, WORK, 300 * harness.time_scale(), ours=True)
    text = (outcome.out + outcome.err).decode(errors="replace")
    if outcome.code != 0 or "Vitrine" not in text or f"java.home = {HOTSPOT}" not in text:
        print(f"-XXaltjvm={BUILD}: {outcome.ended()}\n{text[-1500:]}")
        return 1
    return 0


def image_of_a_named_jdk():
    """make_image.sh takes any 17 or 25 and refuses what is none."""
    script = Path(os.environ["TESTS"]).parent / "scripts/make_image.sh"
    made = subprocess.run([script, HOTSPOT, BUILD, WORK / "image"], capture_output=True, text=True)
    bad = 0
    if made.returncode != 0 or not (WORK / "image/lib/server/libjvm.so").samefile(BUILD / "libjvm.so"):
        print(f"make_image.sh {HOTSPOT}: {made.stderr}")
        bad += 1
    fake = WORK / "jdk-21"
    (fake / "lib").mkdir(parents=True)
    (fake / "release").write_text('JAVA_VERSION="21.0.1"\n')
    for jdk, word in ((fake, "21"), (WORK / "nowhere", "nowhere"), (WORK / "image", "image"), (WORK, "release")):
        refused = subprocess.run([script, jdk, BUILD, WORK / "refused"], capture_output=True, text=True)
        if refused.returncode == 0 or word not in refused.stderr or (WORK / "refused").exists():
            print(f"make_image.sh {jdk}: exit {refused.returncode}, {refused.stderr}")
            bad += 1
    return bad


def main():
    prepare()
    bad = 0
    shown = rows.Shown("launching")
    for name, command, extra in CASES:
        shown.add([name])
        expected, actual = run(HOTSPOT, command, extra, False), run(OURS, command, extra, True)
        if expected == actual:
            continue
        bad += 1
        print(f"=== {name}: {command} {extra or ''}")
        for part in expected:
            if expected[part] != actual[part]:
                harness.show_difference(part, expected[part], actual[part], 30)
    if "JVM_UNDER_TEST" not in os.environ:
        bad += altjvm() + image_of_a_named_jdk()
    for row in shown.missing():
        bad += 1
        print(row)
    print(f"{len(CASES)} commands, {bad} problems")
    sys.exit(1 if bad else 0)


main()
