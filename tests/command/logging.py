"""-Xlog and -verbose: where HotSpot prints a line about the program it is the same line, times, addresses and sizes
aside; and the beans that can be verbose are so with the same options."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness

LIBRARY, HOTSPOT = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])

# The program's own collection is the first one, but where each so many allocations bring one.
FIRST = r"\d+" if any("CollectEvery" in option for option in harness.vm_options()) else "0"

SOURCE = """
    public class Logged {
        static class Helper { static int count = 1; }
        static class Previewed { }
        static class Unloaded { }
        static class Loader extends ClassLoader {
            void define() throws Exception {
                byte[] bytes = Logged.class.getResourceAsStream("/Logged$Unloaded.class").readAllBytes();
                defineClass("Logged$Unloaded", bytes, 0, bytes.length);
            }
        }
        public static void main(String[] arguments) throws Exception {
            System.out.println("count " + Helper.count);
            try { throw new IllegalStateException("as asked"); } catch (IllegalStateException expected) { }
            try { Class.forName("no.such.Name"); } catch (ClassNotFoundException expected) { }
            Thread worker = new Thread(() -> System.out.println("working"), "worker");
            worker.start();
            worker.join();
            if (Boolean.getBoolean("unloads")) new Loader().define();
            synchronized (Helper.class) {
                Helper.class.wait(1);
            }
            System.gc();
            if (Boolean.getBoolean("previewed")) Class.forName("Logged$Previewed");
            if (arguments.length != 0) beans();
        }
        static void beans() {
            var memory = java.lang.management.ManagementFactory.getMemoryMXBean();
            var classes = java.lang.management.ManagementFactory.getClassLoadingMXBean();
            for (int i = 0; i < 5; i++) {
                System.out.println("verbose " + i + ": " + memory.isVerbose() + " " + classes.isVerbose());
                if (i == 0 || i == 2) memory.setVerbose(i == 0);
                else classes.setVerbose(i == 1);
            }
        }
    }"""

# What is the machine's: time and size of anything, addresses, thread ids, the number of the class among those
# initialised.
MADE_EQUAL = [(r"0x[0-9a-f]+", "0x"), (r"\d+M->\d+M\(\d+M\)", "M"), (r"\d+\.\d+ms", "ms"), (r"\b\d+ ns\b", "ns"),
              (r"\d+ runnable, \d+ total", "threads"),
              (r"^\[class,init\] \d+ ", "[class,init] "), (r"\$\$Lambda(\$\d+)?/0x", "$$Lambda"),
              (r"\(tid: \d+", "(tid"), (r"GC\(\d+\)", "GC")]

# name, options, pattern of the lines that are compared, what is printed must have this many of them: a feature that is
# silent on both sides would compare equal
COMPARED = [
    ("classes loaded", ["-Xlog:class+load:stdout:tags"], r"^\[class,load\] Logged", 3),
    ("-verbose:class", ["-verbose:class"], r"\bLogged\S* source:", 3),
    ("classes unloaded", ["-Dunloads=true", "-Xlog:class+unload:stdout:tags"], r"^\[class,unload\] .*Logged", 1),
    ("modules", ["-Xshare:off", "-Xlog:module+load:stdout:tags"], r"^\[module,load\] java\.base ", 1),
    ("classes initialised", ["-Xlog:class+init:stdout:tags"], r"^\[class,init\] .*Initializing 'Logged", 3),
    ("collections", ["-Xlog:gc:stdout:tags"], r"^\[gc\] GC\(\d+\) Pause Full \(System", 1),
    ("-verbose:gc", ["-verbose:gc"], r"Pause Full \(System", 1),
    ("a level", ["-Xlog:gc=warning:stdout:level", "-Xlog:class+load=info:stdout:level"], r"^\[info *\] (Logged |GC)",
     1),
    ("exceptions of the program", ["-Xlog:exceptions:stdout:none"], r"IllegalStateException", 2),
    ("-verbose:jni", ["-verbose:jni"], r"java.lang.System.registerNatives ", 1),
    ("arguments", ["-Dkey=value", "-Xlog:arguments:stdout:none"],
     r"^(jvm_args|java_command|java_class_path|Launcher Type)", 4),
    ("the configuration", ["-Xlog:logging:stdout:tags"], r"^\[logging\] (?!Available log tags)", 8),
    ("previews", ["--enable-preview", "-Dpreviewed=true", "-Xlog:class+preview:stdout:tags"],
     r"^\[class,preview\] .*Logged\$Previewed ", 1),
    ("everything off", ["-Xlog:disable", "-Xlog:gc:stdout:none"], r"Pause Full \(System", 1),
    ("standard error", ["-Xlog:gc:stderr:tags"], r"^ERR \[gc\] GC\(\d+\) Pause Full \(System", 1),
]

# Ours alone, or with the collector's own names: name, options, patterns that must each be found in one line
OURS_ONLY = [
    ("safepoints", ["-Xlog:safepoint:stdout:tags"],
     [r'^\[safepoint\] Safepoint "System\.gc\(\)", Time since last: \d+ ns, Reaching safepoint: \d+ ns, At safepoint: '
      r'\d+ ns, Leaving safepoint: \d+ ns, '
      r"Total: \d+ ns, Threads: \d+ runnable, \d+ total$"]),
    ("threads", ["-Xlog:thread:stdout:tags"], [r'^\[thread\] Thread "worker" started \(tid: \d+\)\.$',
                                               r'^\[thread\] Thread "worker" ended \(tid: \d+\)\.$']),
    ("exceptions of the VM", ["-Xlog:exceptions:stdout:none"],
     [r"^Exception <a 'java/lang/ClassNotFoundException'\{0x[0-9a-f]{16}\}: no\.such\.Name> thrown ",
      r"'main' '\(\[Ljava/lang/String;\)V' in 'Logged'> at bci \d+ for thread 0x"]),
    ("jni", ["-Xlog:jni=trace:stdout:none"], [r'^GetStaticMethodID\(class=.* class Logged, name="main"']),
    ("jvmti", ["-Xlog:jvmti=debug:stdout:none", "-agentlib:histogram=top=1"],
     [r'agent histogram: Agent_OnLoad\("top=1"\)', r"environment 0: created"]),
    ("events", ["-Xlog:jvmti+event=debug:stdout:tags", "-agentlib:histogram=top=1"],
     [r"^\[jvmti,event\] VMDeath to environment \d+$"]),
    ("the heap", ["-Xms20m", "-Xmx100m", "-Xlog:gc+init:stdout:none"],
     [r"^Heap address: 0x[0-9a-f]{16}, size: 100 MB, Compressed Oops mode: Zero based, ",
      r"^Heap Initial Capacity: 20M$", r"^Heap Max Capacity: 100M$", r"^Parallel Workers: \d+$"]),
    ("parts of a collection", ["-Xlog:gc+start,gc+ref=debug,gc+phases=debug:stdout:tags"],
     [rf"^\[gc,start *\] GC\({FIRST}\) Pause Full \(System\.gc\(\)\)$",
      r"^\[gc,ref *\] Discovered: soft \d+, weak \d+, final \d+, phantom \d+; pending \d+$",
      rf"^\[gc,phases\] GC\({FIRST}\) Mark \d+\.\d{{3}}ms, References [\d.]+ms, Weak [\d.]+ms, Sweep [\d.]+ms; "
      r"\d+ workers$"]),
    ("monitors", ["-Xlog:monitorinflation=trace:stdout:none"],
     [r"^inflated 0x[0-9a-f]+: monitor \d+$", r"^deflated \d+ monitors, \d+ in use$"]),
    ("startup", ["-Xlog:startuptime:stdout:tags"], [r"^\[startuptime\] .*\d"]),
    ("arguments without effect", ["-XX:+UseSerialGC", "-Xlog:arguments:stdout:none"],
     [r"^Flag UseSerialGC=true is accepted without effect$"]),
]

# What decides whether the beans are verbose at the start: the level on standard output of one tag set, and of all those
# that are of classes being loaded.
BEANS = ["", "-Xlog:gc", "-Xlog:gc=debug", "-Xlog:gc:file=beans.log", "-Xlog:gc*:stderr", "-Xlog:gc+heap=debug",
         "-Xlog:gc=warning", "-verbose:gc", "-verbose:class", "-Xlog:class+load", "-Xlog:class+load*",
         "-Xlog:class+load*:file=beans.log", "-Xlog:all=info:file=beans.log", "-Xlog:gc*,class*:stdout:tags",
         "-Xlog:disable -Xlog:gc:file=beans.log"]

failed = []


def run(java, options, *arguments):
    ours = java == OURS
    outcome = harness.run([*harness.java(java), *(harness.vm_options() if ours else ["-XX:+UseSerialGC", "-Xint"]),
                           *options, "-cp", "classes", "Logged", *arguments], WORK,
                          300 * harness.time_scale(), ours)
    text = outcome.out.decode(errors="replace") + "".join("ERR " + line
                                                      for line in outcome.err.decode(errors="replace").splitlines(True))
    if outcome.code != 0 or "count 1" not in text:
        failed.append(f"{java}: {outcome.ended()}\n{text[-2000:]}")
    # HotSpot's lines of several parts
    return re.sub(r"\n(\[ +\])? +(thrown in|at bci)", r" \2", text).splitlines()


def made_equal(lines, pattern):
    found = []
    for line in lines:
        if not re.search(pattern, line):
            continue
        for what, instead in MADE_EQUAL:
            line = re.sub(what, instead, line)
        found.append(re.sub(r"^\[[\d.]+s\](\[\w+ *\]\[[\w,]+ *\])", r"\1", line).rstrip())
    return found


def differs(name, expected, actual, count):
    if name == "arguments":           # each VM has options of its own; 17 prints nothing under this tag
        expected = [line.replace("-XX:+UseSerialGC -Xint ", "") for line in expected]
        actual = [line.replace("".join(f"{option} " for option in harness.vm_options()), "") for line in actual]
        expected = expected if LIBRARY != "17" else actual
    if name == "exceptions of the program" and LIBRARY == "17":
        expected, actual = [re.sub(r"0x( \(main\))?$", "0x", e)
                            for e in expected[:1]], [re.sub(r"0x( \(main\))?$", "0x", a) for a in actual[:1]]
        count = 1                     # 17 names neither the thread nor the handler
    if name == "classes initialised" and LIBRARY == "17":
        actual = [a.replace(' by thread "main"', "") for a in actual]
    return expected != actual or len(actual) != count


def compare():
    for name, options, pattern, count in COMPARED:
        expected, actual = made_equal(run(HOTSPOT, options), pattern), made_equal(run(OURS, options), pattern)
        if differs(name, expected, actual, count):
            failed.append(f"{name}: {count} lines wanted\nHotSpot: " + "\n".join(expected) + "\nours: "
                          + "\n".join(actual))


def beans():
    for options in BEANS:
        expected, actual = [[line for line in run(java, options.split(), "beans") if line.startswith("verbose ")]
                            for java in (HOTSPOT, OURS)]
        if expected != actual or len(actual) != 5:
            failed.append(f"beans with {options}\nHotSpot: {expected}\nours: {actual}")


def ours_only():
    for name, options, patterns in OURS_ONLY:
        lines = run(OURS, options)
        for pattern in patterns:
            if not any(re.search(pattern, line) for line in lines):
                failed.append(f"{name}: nothing like {pattern} in\n" + "\n".join(lines[-20:]))


def files():
    """A file, its decorations, and HotSpot's placeholders in its name."""
    for java in (HOTSPOT, OURS):
        for old in WORK.glob("log-*"):
            old.unlink()
        lines = run(java, ["-Xlog:class+load:file=log-%p.txt:uptime,pid,tid,level,tags"])
        found = list(WORK.glob("log-*.txt"))
        if any("class,load" in line for line in lines) or len(found) != 1 or not re.fullmatch(r"log-(pid)?\d+\.txt",
                                                                                              found[0].name):
            failed.append(f"{java}: the log went to {found}")
            continue
        pid = re.search(r"\d+", found[0].name)[0]
        wanted = re.compile(r"\[\d+\.\d{3}s\]\[" + pid + r"\]\[\d+\]\[info *\]\[class,load *\] Logged source: file:")
        if not any(wanted.match(line) for line in found[0].read_text().splitlines()):
            failed.append(f"{java}: {found[0].read_text()[-500:]}")


def archives():
    """A file of an earlier run takes the place of the oldest archived one, wherever that is."""
    log = WORK / "kept.log"
    for oldest in range(3):
        found = []
        for java in (HOTSPOT, OURS):
            log.write_text("of the last run\n")
            for i in range(3):
                file = WORK / f"kept.log.{i}"
                file.write_text(f"archived {i}\n")
                os.utime(file, (1_000_000, 1_000_000 + (i - oldest) % 3))
            run(java, ["-Xlog:class+load:file=kept.log::filecount=3"])
            found.append([(WORK / f"kept.log.{i}").read_text() for i in range(3)])
        wanted = ["of the last run\n" if i == oldest else f"archived {i}\n" for i in range(3)]
        if not found[0] == found[1] == wanted:
            failed.append(f"archive {oldest} is the oldest:\nHotSpot: {found[0]}\nours: {found[1]}")


(WORK / "classes").mkdir(parents=True, exist_ok=True)
(WORK / "Logged.java").write_text(SOURCE)
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK / "classes", WORK / "Logged.java"], check=True)
previewed = WORK / "classes/Logged$Previewed.class"
content = previewed.read_bytes()
previewed.write_bytes(content[:4] + b"\xff\xff" + content[6:])
compare()
beans()
ours_only()
files()
archives()
for text in failed:
    print(text)
sys.exit(1 if failed else 0)
