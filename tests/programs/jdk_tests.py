"""The JDK's own regression tests by jtreg: test/jdk (JDK_TESTS) and HotSpot's test/hotspot/jtreg (VM_TESTS), of which
the variables name directories, files or groups.

The harness and javac run on HotSpot, the tests on the VM under test. The options are those of the JDK's make
(make/RunTests.gmk), its problem lists are respected, and the native libraries of the chosen directories are compiled as
make/common/TestFilesCompilation.gmk does. Ours runs everything; what it does not pass is asked of HotSpot afterwards,
and what HotSpot passes once more of ours. What differs then fails, but for what docs/differences.md knows, with
HotSpot's verdict, ours and the reason. `verdicts.md` in the working directory has all that did not simply pass.

What a test may require of a VM (@requires vm.*) the suites ask of HotSpot's WhiteBox; here it is the same for both VMs:
no collector, compiler or archive by name, so tests that ask for one of these are not chosen. Neither are those that use
the WhiteBox themselves.
"""
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from program import Program

# program -> directory of the suite, variable, tests without it
SUITES = {
    "jtreg": ("test/jdk", "JDK_TESTS",
              "java/util/Optional com/sun/jdi/BreakpointTest.java com/sun/jdi/FieldWatchpoints.java"),
    "nsk": ("test/hotspot/jtreg", "VM_TESTS",
            "vmTestbase/nsk/jdwp/VirtualMachine/Version vmTestbase/nsk/jvmti/GetVersionNumber "
            "vmTestbase/nsk/jvmti/GetFieldName"),
}
DIFFERENCES = Path(__file__).resolve().parents[2] / "docs/differences.md"
HOURS = 12
JOBS = 2
OPTIONS = f"-concurrency:{JOBS} -timeoutFactor:4"
KEYWORDS = {"jtreg": "!headful&!sound&!printer&!multimon", "nsk": "!headful&!stress"}
# Directories with native sources that tests elsewhere use.
SHARED = {"share", "shared", "sharedAgents", "testlibrary"}
LINK = {"libtest-rwx": ["-z", "execstack"]}

REQUIRES = """
package requires;
import java.util.*;
import java.util.concurrent.Callable;

public class AnyVM implements Callable<Map<String, String>> {
    public Map<String, String> call() {
        Map<String, String> all = new HashMap<>();
        for (String name : "NAMES".split(" ")) all.put(name, "false");
        all.putAll(Map.of("vm.flagless", "true", "vm.jvmti", "true", "vm.bits", "64", "vm.simpleArch", "x64",
                          "vm.pageSize", "4096"));
        for (String name : "ClassUnloading ClassUnloadingWithConcurrentMark UseCompressedOops".split(" "))
            all.put("vm.opt.final." + name, "true");
        return all;
    }
}
"""


def source_tree(r):
    return next((r.sources / "openjdk-17").glob("*/"))


def without_white_box(tree, suite):
    """Lets the suite ask AnyVM instead of HotSpot; it may have been done before."""
    root, extension = suite / "TEST.ROOT", tree / "test/jtreg-ext/requires/AnyVM.java"
    text = re.sub(r"(?m)^requires\.extraPropDefns(?:.*\\\n)*.*\n", "", root.read_text())
    names = re.search(r"(?m)^requires\.properties *=((?:.*\\\n)*.*)", text)[1].replace("\\", " ").split()
    root.write_text(f"{text}requires.extraPropDefns = {os.path.relpath(extension, suite)}\n")
    ours = " ".join(n for n in names if n.startswith(("vm.", "container.", "jdk.", "release.")))
    extension.write_text(REQUIRES.replace("NAMES", ours))


def white_box_tests(suite, file):
    """Writes a problem list of the tests that use the WhiteBox."""
    lines = []
    for path in sorted([*suite.rglob("*.java"), *suite.rglob("*.sh")]):
        text = path.read_text(errors="replace")
        if "WhiteBoxAPI" in text and "@test" in text:
            name = path.relative_to(suite)
            ids = re.findall(r"@test +id=(\S+)", text) + [f"id{n}" for n in range(text.count("@test"))]
            lines += [f"{name}{i} 0 generic-all\n" for i in ("", *(f"#{i}" for i in ids))]
    file.write_text("".join(lines))


def compile_natives(r, tree, suite, chosen):
    """The directory of the libraries and programs (lib*.c, exe*.cpp) that lie in the chosen directories or in shared
    ones. They stay for the next run."""
    directory = r.sources.parent / "native" / suite.name
    directory.mkdir(parents=True, exist_ok=True)
    places = [p if p.is_dir() else p.parent for p in (suite / c.split("#")[0] for c in chosen if c[0] != ":")]
    everything = any(c[0] == ":" for c in chosen)
    rules = (tree / "make/test/JtregNativeHotspot.gmk").read_text()
    headers = [r.hotspot / "include", r.hotspot / "include/linux",
               *(tree / f"src/java.base/{system}/native/{library}" for library in ("libjava", "libjli", "include")
                 for system in ("share", "unix", "linux"))]
    headers += [tree / path.replace("$(VM_TESTBASE_DIR)", "test/hotspot/jtreg/vmTestbase").replace("$(TOPDIR)/", "")
                for path in sorted(set(re.findall(r"-I(\$\((?:VM_TESTBASE_DIR|TOPDIR)\)/\S+)", rules)))]
    common = ["-w", "-g", "-O1", "-fomit-frame-pointer", "-fPIC", "-pthread", "-D_GNU_SOURCE", "-DLINUX",
              "-D_LP64=1", "-D__STDC_FORMAT_MACROS", "-D__STDC_LIMIT_MACROS", "-D__STDC_CONSTANT_MACROS",
              *(f"-I{h}" for h in headers)]
    link = ["-Wl,--as-needed,-rpath,$ORIGIN", f"-L{r.hotspot}/lib", f"-L{r.hotspot}/lib/server", "-ljava", "-ljli",
            "-ljvm", "-ldl"]

    def compile_one(source):
        library = source.name.startswith("lib")
        target = directory / (f"{source.stem}.so" if library else source.stem.removeprefix("exe"))
        if not target.exists():
            subprocess.run(["g++" if source.suffix == ".cpp" else "gcc", *common, *(["-shared"] if library else []),
                            source, "-o", target, *link, *LINK.get(source.stem, [])], capture_output=True)

    sources = [p for p in sorted(suite.rglob("*")) if re.fullmatch(r"(lib|exe).*\.(c|cpp)", p.name) and
               (everything or SHARED & set(p.parts) or any(place in p.parents for place in places))]
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(compile_one, sources))
    return directory


def known():
    """test -> (HotSpot's verdict, ours)"""
    rows = re.findall(r"(?m)^\| `([\w/.#-]+\.(?:java|sh)\S*)` \| (\w+) \| (\w+) \|", DIFFERENCES.read_text())
    return {test: (theirs, ours) for test, theirs, ours in rows}


class Runner:
    def __init__(self, r, name):
        directory, variable, default = SUITES[name]
        self.r, self.name = r, name
        self.chosen = os.environ.get(variable, default).split()
        tree = source_tree(r)
        self.suite = tree / directory
        without_white_box(tree, self.suite)
        white_box_tests(self.suite, r.work / "white-box.txt")
        self.natives = compile_natives(r, tree, self.suite, self.chosen)
        del r.env["JAVA_TOOL_OPTIONS"]       # the tests read what their VMs write
        r.env["JT_JAVA"] = str(r.hotspot)
        (r.work / "tmp").mkdir()

    def verdicts(self, home, tests, place):
        """test -> verdict of all of them on one VM. `place`: the directory for what they leave."""
        r, work = self.r, self.r.work / place
        said = r.command(["jtreg", "-agentvm", "-verbose:summary", "-ignore:quiet", "-automatic", "-ea", "-esa",
                          "-retain:fail,error", f"-k:{KEYWORDS[self.name]}",
                          f"-vmoption:-XX:MaxRAMPercentage={25 / JOBS}", "-vmoption:-Xmx768m",
                          f"-vmoption:-Djava.io.tmpdir={r.work}/tmp", f"-nativepath:{self.natives}",
                          f"-exclude:{self.suite}/ProblemList.txt", f"-exclude:{r.work}/white-box.txt",
                          f"-compilejdk:{r.hotspot}", f"-testjdk:{home}", f"-w:{work}", f"-r:{work}/report",
                          f"-dir:{self.suite}", *os.environ.get("JTREG_OPTIONS", OPTIONS).split(), *tests],
                         quiet=True, limit=HOURS * 3600)
        summary = work / "report/text/summary.txt"
        if not summary.exists():
            r.note(f"jtreg ran nothing: {said}")
            return {}
        return dict(re.match(r"(\S+)\s+(\w+)", line).groups() for line in summary.read_text().splitlines())

    def run(self):
        """Asks ours, then HotSpot, then ours again, each what was not passed; answers (rows of a table, tests that
        ours passed at once, differences)."""
        r = self.r
        ours = self.verdicts(r.home, self.chosen, "ours")
        rest = sorted(test for test, verdict in ours.items() if verdict != "Passed")
        theirs = self.verdicts(r.hotspot, rest, "theirs") if rest else {}
        differ = [test for test in rest if theirs.get(test) == "Passed"]
        again = self.verdicts(r.home, differ, "again") if differ else {}
        rows, differences, listed = [], [], known()
        for test in rest:
            mine = again.get(test, ours[test])
            if theirs.get(test) != "Passed":
                said = "failed on both"
            elif mine == "Passed":
                said = "passed on the second run"
            elif listed.get(test) == (theirs[test], mine):
                said = "differs, as docs/differences.md says"
            else:
                said = "differs"
                differences.append(f"{test}: HotSpot {theirs[test]}, ours {mine}")
            rows.append((test, theirs.get(test, "-"), mine, said))
        return rows, len(ours) - len(rest), differences


def run_tests(name):
    def run(r):
        if not r.ours:                       # it is asked afterwards, what ours did not pass
            r.note("some passed")
            return
        runner = Runner(r, name)
        rows, passed, differences = runner.run()
        counts = {"passed on ours at once": passed}
        for row in rows:
            counts[row[3]] = counts.get(row[3], 0) + 1
        table = ["| verdict | tests |", "|---|---|", *(f"| {what} | {n} |" for what, n in counts.items()), "",
                 "| test | HotSpot | here | |", "|---|---|---|---|", *(f"| `{t}` | {a} | {b} | {c} |"
                                                                     for t, a, b, c in rows)]
        (r.work / "verdicts.md").write_text("\n".join(table) + "\n")
        print("\n".join(table), flush=True)
        for line in differences:
            r.note(line)
        r.note("some passed" if passed else "none passed")
        if any(f"testJDK={r.home}" in re.sub(r"\\(.)", r"\1", f.read_text(errors="replace"))
               for f in (r.work / "ours").rglob("*.jtr")):
            (r.work / "vms/jtreg").write_text(str(counts))
    return run


PROGRAMS = [
    Program(name, f"{what}: {SUITES[name][2]}", run_tests(name), "some passed",
            ["jtreg7", "openjdk-17-jdk-headless"], sources=["openjdk-17"], libraries=("17",))
    for name, what in [("jtreg", "the JDK's own tests, verdict by verdict"), ("nsk", "HotSpot's own tests likewise")]
]
