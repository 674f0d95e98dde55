"""Unit tests of Debian's source packages against Debian's jars, verdict by verdict."""
import re
import shutil

from program import Program, jars

VERDICTS = r"""
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import org.junit.platform.engine.*;
import org.junit.platform.engine.discovery.*;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;

/** Runs the test classes below a directory whose names match; a line for each test: verdict, name, what it threw. */
public class Verdicts {
    public static void main(String[] a) throws Exception {
        PrintStream out = System.out;
        Path root = Path.of(a[0]);
        Pattern names = Pattern.compile(a[1]);
        List<DiscoverySelector> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.map(f -> root.relativize(f).toString())
                 .filter(n -> n.endsWith(".class"))
                 .map(n -> n.substring(0, n.length() - 6).replace('/', '.'))
                 .filter(n -> names.matcher(n).matches()).sorted()
                 .forEach(n -> classes.add(DiscoverySelectors.selectClass(n)));
        }
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Map<String, Integer> sums = Collections.synchronizedMap(new TreeMap<>());
        TestExecutionListener listener = new TestExecutionListener() {
            void verdict(TestIdentifier t, String verdict, String why) {
                if (t.isTest()) sums.merge(verdict, 1, Integer::sum);
                if (t.isTest() || !verdict.equals("SUCCESSFUL")) lines.add(verdict + " " + t.getUniqueId() + " " + why);
            }
            public void executionSkipped(TestIdentifier t, String reason) { verdict(t, "SKIPPED", reason); }
            public void executionFinished(TestIdentifier t, TestExecutionResult r) {
                verdict(t, r.getStatus().toString(), r.getThrowable().map(e -> e.toString().lines().findFirst()
                                                                              .orElse("")).orElse(""));
            }
        };
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(classes).build(),
                                         listener);
        Collections.sort(lines);
        lines.forEach(out::println);
        out.println("classes " + classes.size() + ", tests " + sums);
        System.exit(0);
    }
}
"""
JUNIT = jars("junit-platform-console-standalone", "junit4", "hamcrest", "easymock", "objenesis")
PACKAGES = ["junit5", "junit4", "libhamcrest-java", "libeasymock-java", "libobjenesis-java"]
# What needs a library that Debian does not have.
FOREIGN = re.compile(r"import (static )?(org\.junitpioneer|org\.openjdk\.jmh)\.")


def tests(library, path="", only=".*(Test|TestCase)", leave="", options="", javac="", drop=()):
    """library: the jar under test; path: what its tests need beside it; leave: classes that are not run; drop: sources
    that do not compile without what FOREIGN names."""
    def run(r):
        source = r.work / "source"
        shutil.copytree(next((r.sources / r.entry.sources[0]).glob("*/")), source, symlinks=True)
        files = [f for f in sorted((source / "src/test/java").rglob("*.java"))
                 if f.name not in drop and not FOREIGN.search(f.read_text(errors="replace"))]
        (r.work / "files").write_text("\n".join(map(str, files)))
        classes = f"{r.work}:{r.work}/tests:{source}/src/test/resources:{jars(library)}:{JUNIT}:{path}"
        r.command(f"javac -nowarn -Xlint:-options -proc:none -encoding UTF-8 {javac} -cp {classes} -d tests @files "
                  "2>&1 | grep -v ^Note")
        r.command(f"javac -cp {classes} Verdicts.java")
        names = f"(?!{leave}$){only}" if leave else only
        r.command(f"cd source && java -Dfile.encoding=UTF-8 {options} -cp {classes} Verdicts {r.work}/tests '{names}'")
    return run


def entry(name, what, source, packages, run, changing=()):
    return Program(name, what, run, "SUCCESSFUL=", [*packages, *PACKAGES], files={"Verdicts.java": VERDICTS},
                   sources=[source], changing=list(changing))


OPENS = " ".join(f"--add-opens java.base/{p}=ALL-UNNAMED" for p in ("java.lang", "java.util", "java.time",
                                                                 "java.util.concurrent", "java.util.stream"))
PROGRAMS = [
    entry("commons-collections", "its unit tests, 70,000", "libcommons-collections4-java",
          ["libcommons-collections4-java", "libcommons-lang3-java"],
          tests("commons-collections4", jars("commons-lang3"), javac="--release 8")),
    # Without the slowest classes: they took two thirds of the time.
    entry("commons-codec", "its unit tests, but for the slowest classes", "libcommons-codec-java",
          ["libcommons-codec-java", "libcommons-lang3-java"],
          tests("commons-codec", jars("commons-lang3"),
                leave=r".*\.(.*PerformanceTest|MessageDigestAlgorithmsTest|Base64Test)")),
    # Without those whose verdict hangs on waiting times.
    entry("commons-io", "its unit tests, but for those that wait for times", "commons-io",
          ["libcommons-io-java", "libcommons-lang3-java", "libmockito-java", "libjimfs-java", "libguava-java",
           "libbyte-buddy-java"],
          tests("commons-io", jars("commons-lang3", "mockito-core", "jimfs", "guava", "byte-buddy"),
                leave=r".*\.(TailerTest|FileAlteration.*|ThreadMonitor.*|FileClean.*)"),
          [(r"/tmp/junit\d+", "/tmp/junit<n>")]),
    # Without what tries every locale or waits for times, and without what is random.
    entry("commons-lang", "its unit tests, but for those of dates, times and concurrency", "libcommons-lang3-java",
          ["libcommons-lang3-java", "libcommons-io-java", "libjsr305-java"],
          tests("commons-lang3", jars("commons-io", "jsr305"), options=OPENS,
                leave=r".*\.(time|concurrent)\..*|.*\.(ThreadUtils|Random(String)?Utils|ExtendedMessageFormat|.*Fuzz"
                      r"|ToStringStyleConcurrency)Test",
                drop=["FastDateFormat_PrinterTest.java"])),
    # Of the packages that compute: the optimisers and integrators alone take minutes.
    entry("commons-math", "its unit tests of numbers, matrices and special functions", "commons-math3",
          ["libcommons-math3-java"],
          tests("commons-math3", only=r".*\.(complex|fraction|primes|dfp|linear|special)\..*Test")),
]
