"""The limit of class metadata: errors, options and beans as HotSpot's; a collection unloads classes before anybody is
refused, and when MetaspaceSize asks for one."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT = Path(os.environ["HOTSPOT"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])

METHOD = '    static int method{0}(int a, String s) {{ return s.length() * {0} + a + "text {0}".length(); }}'
METHODS = "\n".join(METHOD.format(i) for i in range(150))
SOURCES = {
    "Template": "public class Template {\n" + METHODS + "\n    static String name() { return \"alive\"; }\n}",
    "Fill": """
        import java.lang.management.*;
        import java.util.*;
        public class Fill {
            static byte[] bytes;
            static class Loader extends ClassLoader {
                Class<?> define() { return defineClass("Template", bytes, 0, bytes.length); }
            }
            static String use(Class<?> c) throws Exception {
                var m = c.getDeclaredMethod("name");
                m.setAccessible(true);
                return (String) m.invoke(null);
            }
            static int until(int most, Collection<Object> kept) throws Exception {
                for (int i = 0; i < most; i++) {
                    Class<?> c = new Loader().define();
                    use(c);
                    if (kept != null) kept.add(c);
                }
                return most;
            }
            static MemoryUsage metadata() {
                for (MemoryPoolMXBean b : ManagementFactory.getMemoryPoolMXBeans())
                    if (b.getName().equals("Metaspace")) return b.getUsage();
                return null;
            }
            public static void main(String[] arguments) throws Exception {
                bytes = Fill.class.getResourceAsStream("Template.class").readAllBytes();
                int most = Integer.parseInt(arguments[1]);
                if (arguments[0].equals("churn")) System.out.println("defined " + until(most, null));
                if (arguments[0].equals("fill")) {
                    List<Object> kept = new ArrayList<>();
                    metadata();
                    try {
                        System.out.println("not refused: " + until(most, kept));
                    } catch (OutOfMemoryError e) {
                        kept = null;
                        System.out.println("caught " + e.getMessage());
                    }
                    System.out.println(use(new Loader().define()));
                    MemoryUsage u = metadata();
                    System.out.println("max " + u.getMax() + ", used up to it " + (u.getUsed() <= u.getMax()));
                }
                if (arguments[0].equals("soft")) {
                    List<Object> kept = new ArrayList<>();
                    for (int i = 0; i < most; i++) {
                        Class<?> c = new Loader().define();
                        use(c);
                        kept.add(new java.lang.ref.SoftReference<>(c));
                    }
                    System.out.println("soft references went");
                }
                System.out.println("unlimited " + (metadata().getMax() == -1));
            }
        }""",
}
TELL = ["-XX:OnOutOfMemoryError=echo told"]
CASES = [                           # options, arguments, what must be among the output of both
    (["-XX:MaxMetaspaceSize=24m"], ["fill", "2000"], "caught Metaspace\nalive\nmax 25165824, used up to it true"),
    (["-XX:MaxMetaspaceSize=24m", "-XX:+ExitOnOutOfMemoryError"], ["fill", "2000"],
     "Terminating due to java.lang.OutOfMemoryError: Metaspace"),
    (["-XX:MaxMetaspaceSize=24m", *TELL], ["fill", "2000"], "told"),
    (["-XX:MaxMetaspaceSize=24m"], ["churn", "1000"], "defined 1000"),
    (["-XX:MaxMetaspaceSize=24m", "-XX:SoftRefLRUPolicyMSPerMB=1000000"], ["soft", "500"], "soft references went"),
    ([], ["churn", "10"], "defined 10\nunlimited true"),
    (["-XX:MaxMetaspaceSize=0"], ["churn", "1"],
     "Error occurred during initialization of VM\nOutOfMemoryError: Metaspace\nexit 1"),
]
FLAGS = [["-XX:MetaspaceSize=64m", "-XX:MaxMetaspaceSize=20m"], ["-XX:MetaspaceSize=3000001"], []]
failed = []


def run(java, options, program):
    ours = java == OURS
    own = harness.vm_options() if ours else ["-XX:+UseSerialGC", "-Xshare:off"]
    return harness.run([*harness.java(java), *own, *options, *program], WORK, 300 * harness.time_scale(), ours)


def text_of(outcome):
    return (outcome.out + outcome.err).decode(errors="replace") + outcome.ended() + "\n"


def same_ends():
    for options, arguments, wanted in CASES:
        expected, actual = (text_of(run(java, options, ["-cp", "classes", "Fill", *arguments]))
                            for java in (HOTSPOT, OURS))
        print(" ".join(options + arguments), "->", actual.replace("\n", " | "))
        if expected != actual or wanted not in actual:
            failed.append(f"{' '.join(options + arguments)}\nHotSpot:\n{expected}\nours:\n{actual}")


def collections():
    """MetaspaceSize asks for a collection, and by default there is none for so few classes; the metadata of the boot
    loader's classes alone is more than 1 MB in both."""
    for options, wanted in (["-XX:MetaspaceSize=1m"], True), (["-XX:MetaspaceSize=200m"], False):
        for java in (HOTSPOT, OURS):
            text = text_of(run(java, [*options, "-Xlog:gc"], ["-cp", "classes", "Fill", "churn", "100"]))
            if ("(Metadata GC Threshold)" in text) != wanted:
                failed.append(f"{' '.join(options)}: {java}: a collection is wanted: {wanted}\n{text[-2000:]}")


def shares():
    """The larger the part of it that is to be free, the fewer collections for the sake of metadata that goes again."""
    for java in (HOTSPOT, OURS):
        counts = [text_of(run(java, ["-XX:MetaspaceSize=1m", f"-XX:MinMetaspaceFreeRatio={share}", "-Xlog:gc"],
                              ["-cp", "classes", "Fill", "churn", "400"])).count("(Metadata GC Threshold)")
                  for share in (1, 70)]
        if counts[0] <= counts[1]:
            failed.append(f"MinMetaspaceFreeRatio: {java}: {counts} collections")


def flags():
    for options in FLAGS:
        found = []
        for java in (HOTSPOT, OURS):
            text = run(java, [*options, "-XX:+PrintFlagsFinal"], ["-version"]).out.decode()
            found.append(re.findall(r"\b(M\w*MetaspaceSize|MetaspaceSize)\s+=\s+(\d+)", text))
        if found[0] != found[1] or len(found[0]) < 2:
            failed.append(f"{' '.join(options)}: HotSpot has {found[0]}, ours {found[1]}")


def main():
    harness.fresh_directory(WORK)
    for name, source in SOURCES.items():
        (WORK / f"{name}.java").write_text(source)
    subprocess.run([*harness.javac(HOTSPOT), "-d", "classes", *(f"{n}.java" for n in SOURCES)], cwd=WORK, check=True)
    same_ends()
    if not any("CollectEvery" in option for option in harness.vm_options()):      # which comes before any threshold
        collections()
        shares()
    flags()
    print("\n".join(failed))
    sys.exit(1 if failed else 0)


main()
