"""The JDK's own regression tests by jtreg, of the directories, files and groups that JDK_TESTS names.

The harness and javac run on HotSpot, the tests on the VM under test. What a test may require of a VM (@requires vm.*)
the suite asks of HotSpot's WhiteBox; here it is the same for both VMs: no collector, compiler or archive by name, so
tests that ask for one of these are not chosen. What is known to differ stands in docs/differences.md, with HotSpot's
verdict, ours and the reason.
"""
import os
import re
from pathlib import Path

from program import Program

DEFAULT = "java/util/Optional com/sun/jdi/BreakpointTest.java com/sun/jdi/FieldWatchpoints.java"
DIFFERENCES = Path(__file__).resolve().parents[2] / "docs/differences.md"
HOURS = 12

REQUIRES = """
package requires;
import java.util.*;
import java.util.concurrent.Callable;

public class AnyVM implements Callable<Map<String, String>> {
    public Map<String, String> call() {
        Map<String, String> all = new HashMap<>();
        for (String name : "NAMES".split(" ")) all.put(name, String.valueOf(name.equals("vm.flagless")));
        return all;
    }
}
"""


def without_white_box(suite):
    """Lets the suite ask AnyVM instead of HotSpot; it may have been done before."""
    root = suite / "TEST.ROOT"
    text = re.sub(r"(?m)^requires\.extraPropDefns(?:.*\\\n)*.*\n", "", root.read_text())
    names = re.search(r"(?m)^requires\.properties *=((?:.*\\\n)*.*)", text)[1].replace("\\", " ").split()
    root.write_text(text + "requires.extraPropDefns = ../jtreg-ext/requires/AnyVM.java\n")
    ours = " ".join(n for n in names if n.startswith(("vm.", "container.", "jdk.", "release.")))
    (suite / "../jtreg-ext/requires/AnyVM.java").write_text(REQUIRES.replace("NAMES", ours))


def known():
    """test -> (HotSpot's verdict, ours)"""
    rows = re.findall(r"(?m)^\| `([\w/.#-]+\.(?:java|sh)\S*)` \| (\w+) \| (\w+) \|", DIFFERENCES.read_text())
    return {test: (theirs, ours) for test, theirs, ours in rows}


def jtreg(r):
    suite = next((r.sources / "openjdk-17").glob("*/")) / "test/jdk"
    without_white_box(suite)
    del r.env["JAVA_TOOL_OPTIONS"]       # the tests read what their VMs write
    r.env["JT_JAVA"] = str(r.hotspot)
    said = r.command(["jtreg", "-agentvm", "-verbose:summary", "-ignore:quiet", "-automatic", "-timeoutFactor:8",
               "-k:!headful&!sound&!printer&!multimon", f"-exclude:{suite}/ProblemList.txt",
               f"-compilejdk:{r.hotspot}", f"-testjdk:{r.home}", f"-w:{r.work}/JTwork", f"-r:{r.work}/JTreport",
               f"-dir:{suite}", *os.environ.get("JDK_TESTS", DEFAULT).split()], quiet=True, limit=HOURS * 3600)
    if not (r.work / "JTreport/text/summary.txt").exists():
        r.note(f"jtreg ran nothing: {said}")
    summary = r.work / "JTreport/text/summary.txt"
    differences = known()
    counts = {}
    for line in sorted(summary.read_text().splitlines() if summary.exists() else []):
        test, verdict = re.match(r"(\S+)\s+(\w+)", line).groups()
        counts[verdict] = counts.get(verdict, 0) + 1
        if differences.get(test, ())[r.ours:][:1] == (verdict,):
            verdict = "differs, as docs/differences.md says"
        r.note(f"{test} {verdict}")
    r.note("some passed" if counts.get("Passed") else "none passed")
    if r.ours and any(f"testJDK={r.home}" in re.sub(r"\\(.)", r"\1", f.read_text(errors="replace"))
                      for f in (r.work / "JTwork").rglob("*.jtr")):
        (r.work / "vms/jtreg").write_text(str(counts))


PROGRAMS = [
    Program("jtreg", f"the JDK's own tests, verdict by verdict: {DEFAULT}", jtreg, "some passed",
            ["jtreg7", "openjdk-17-jdk-headless"], sources=["openjdk-17"], libraries=("17",)),
]
