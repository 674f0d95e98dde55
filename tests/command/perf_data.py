"""What tools of other processes read of the VM without asking it: the performance-data file, by jps, jstat and jinfo of
the JDK's own VM and of ours. Figures are compared with what the program's own beans say."""
import os
import re
import signal
import struct
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

LIBRARY, HOTSPOT, TESTS = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"]), Path(os.environ["TESTS"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
LIMIT = 300 * harness.time_scale()
OPTIONS = ("class", "compiler", "gc", "gccapacity", "gccause", "gcmetacapacity", "gcnew", "gcnewcapacity", "gcold",
           "gcoldcapacity", "gcutil", "printcompilation")
DIRECTORY = Path("/tmp") / f"hsperfdata_{__import__('pwd').getpwuid(os.geteuid()).pw_name}"


def tool(home, name, *arguments):
    command = [home / f"bin/{name}", "-J-XX:-UsePerfData", *arguments]
    if name == "jinfo":
        command.insert(1, "-J" + harness.ATTACH_PATIENCE)
    outcome = harness.run(command, WORK, LIMIT, ours=home == OURS)
    return outcome.out.decode() + outcome.err.decode()


class Running:
    """The program, which does what it is told."""

    def __init__(self, home, *options):
        mode = harness.vm_options() if home == OURS else []
        command = [home / "bin/java", *mode, *options, "-cp", CLASSES, "Counted", "one", "two words"]
        self.process = subprocess.Popen([str(a) for a in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=WORK,
                                        env=harness.environment(home == OURS))
        self.pid, self.file = str(self.process.pid), DIRECTORY / str(self.process.pid)

    def say(self, word):
        """What the beans know afterwards."""
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        fields = self.process.stdout.readline().split()
        names = ("classes", "all_classes", "threads", "daemons", "peak", "started", "collections", "used")
        return dict(zip(names, map(int, fields[1:])))

    def end(self, word=None):
        self.process.communicate(word, timeout=LIMIT)
        return self.process.returncode


def entries(content, kinds=None, size=32768):
    """{name: value} of a performance-data buffer, read as its layout says; `kinds`: {name: what the entry says of it}.
    """
    magic, order, major, minor, accessible = struct.unpack_from(">IBBBB", content)
    used, overflow, _, at, count = struct.unpack_from("<iiqii", content, 8)
    check((magic, order, major, minor, accessible) == (0xcafec0c0, 1, 2, 0, 1), "head of the buffer")
    found = {}
    for _ in range(count):
        length, name, vector, kind, flags, units, variability, data = struct.unpack_from("<iiiBBBBi", content, at)
        text = content[at + name:content.index(0, at + name)].decode()
        check(name >= 20 and data >= name + len(text) + 1 and text not in found, "an entry", text)
        if kinds is not None:
            kinds[text] = chr(kind), flags, units, variability
        if kind == ord("J"):
            found[text] = struct.unpack_from("<q", content, at + data)[0]
        else:
            found[text] = content[at + data:at + data + vector].split(b"\0")[0].decode()
        at += length
    check(at == used and overflow == 0 and len(content) == size, "the buffer's length", at, used)
    return found


def column(text, name):
    """The value under a heading of jstat."""
    head, values = (line.split() for line in text.splitlines()[:2])
    return values[head.index(name)]


def jps(theirs, ours):
    """The same line but for the number of the process."""
    for home in (HOTSPOT, OURS):
        for options in ("-lvm", "-l", "-q", "-V", "-mlvV"):
            lines = tool(home, "jps", options).splitlines()
            shown = [[line[len(vm.pid):] for line in lines if line.split()[0] == vm.pid] for vm in (theirs, ours)]
            mode = " " + " ".join(harness.vm_options()) if harness.vm_options() else ""
            check(len(shown[1]) == 1 and shown[0] == [shown[1][0].replace(mode, "")], f"jps {options}", *lines)


def jstat(theirs, ours):
    """Headings as HotSpot's; figures as the beans', which nothing changes meanwhile."""
    beans = ours.say("look")
    for option in OPTIONS:
        for home in (HOTSPOT, OURS):
            texts = [tool(home, "jstat", f"-{option}", "-t", vm.pid) for vm in (theirs, ours)]
            lines = [text.splitlines() for text in texts]
            check(lines[0][:1] == lines[1][:1] and len(lines[1]) == 2, f"jstat -{option}", *texts)
            check(0 < float(column(texts[1], "Timestamp")) < 3600, f"jstat -{option} -t", texts[1])
    content = entries(ours.file.read_bytes())
    check(content["java.threads.live"] == beans["threads"] and content["java.threads.daemon"] == beans["daemons"]
          and content["java.threads.started"] == beans["started"] and content["java.threads.livePeak"] == beans["peak"],
          "threads", beans, content)
    check(content["java.cls.loadedClasses"] == beans["all_classes"] == int(column(tool(OURS, "jstat", "-class",
          ours.pid), "Loaded")), "classes", beans, content)
    check(content["sun.gc.collector.1.invocations"] == beans["collections"], "collections", beans, content)
    ours.say("classes")
    for content in (entries(ours.file.read_bytes()), entries(theirs.file.read_bytes())):
        for place in ("sun.gc.metaspace.", "sun.gc.compressedclassspace."):
            least, most, now, used = (content[place + what] for what in ("minCapacity", "maxCapacity", "capacity",
                                                                         "used"))
            check(0 <= least <= now <= most and used <= now, place, content)
    for home in (HOTSPOT, OURS):
        text = tool(home, "jstat", "-gcmetacapacity", ours.pid)
        check(0 < float(column(text, "MC")) <= float(column(text, "MCMX")) and
              float(column(text, "CCSC")) <= float(column(text, "CCSMX")), "jstat -gcmetacapacity", text)
    for _ in range(3):
        after = ours.say("gc")
    text = tool(HOTSPOT, "jstat", "-gccause", ours.pid)
    check(int(column(text, "FGC")) == after["collections"] >= beans["collections"] + 3
          and float(column(text, "FGCT")) == float(column(text, "GCT")) > 0 and
          ("System.gc()" in text or "Stress" in text and "CollectEvery" in " ".join(harness.vm_options())),
          "jstat -gccause", text)
    before = float(column(tool(HOTSPOT, "jstat", "-gc", ours.pid), "OU"))
    beans = ours.say("fill")
    text = tool(HOTSPOT, "jstat", "-gc", ours.pid)
    used, capacity = float(column(text, "OU")), float(column(text, "OC"))
    check(used >= before + 65536 and abs(used - beans["used"] / 1024) < 2048 and used <= capacity, "used", text, beans)
    check(float(column(tool(HOTSPOT, "jstat", "-gcutil", ours.pid), "O")) == round(100 * used / capacity, 2), "-gcutil")
    compiled = tool(HOTSPOT, "jstat", "-compiler", ours.pid)
    shown = tool(HOTSPOT, "jstat", "-printcompilation", ours.pid)
    if "-Xint" not in harness.vm_options():
        check(int(column(compiled, "Compiled")) > 0 and re.search(r"\n +\d+ +\d+ +1 \S+/\S+ \S+\n", shown),
              "jstat -compiler, -printcompilation", compiled, shown)
    first = ours.say("thread")
    check(entries(ours.file.read_bytes())["java.threads.live"] == first["threads"] and
          ours.say("thread")["threads"] == first["threads"] + 1, "a thread more", first)


def names(theirs, ours):
    """Every counter has HotSpot's name, units and kind; texts are the same, but for those that name the VM."""
    my_kinds, other_kinds = {}, {}
    mine, other = entries(ours.file.read_bytes(), my_kinds), entries(theirs.file.read_bytes(), other_kinds)
    differ = {name: (kind, other_kinds.get(name)) for name, kind in my_kinds.items() if other_kinds.get(name) != kind}
    check(not differ, "names and kinds", differ)
    own = ("java.property.java.vm.", "java.property.java.home", "java.property.java.library.path", "sun.property",
           "java.rt.vmArgs", "sun.gc", "sun.ci", "sun.rt.internalVersion")
    for name, value in mine.items():
        if isinstance(value, str) and not name.startswith(own):
            check(other[name] == value, name, value, other[name])
    check(mine["java.property.java.vm.name"].startswith("Vitrine"), "java.vm.name", mine)
    at = mine["sun.rt.createVmBeginTime"]
    check(abs(at / 1000 - Path(f"/proc/{ours.pid}").stat().st_ctime) < 600 and
          at <= mine["sun.rt.vmInitDoneTime"] <= mine["sun.rt.createVmEndTime"], "times", mine)


def jinfo(theirs, ours):
    check(re.search(r"(?m)^java\.vm\.name=Vitrine", tool(HOTSPOT, "jinfo", "-sysprops", ours.pid)), "jinfo -sysprops")
    for what in (["-flag", "MinHeapFreeRatio"], ["-flag", "+HeapDumpOnOutOfMemoryError"],
                 ["-flag", "HeapDumpOnOutOfMemoryError"], ["-flag", "-HeapDumpOnOutOfMemoryError"],
                 ["-flag", "HeapDumpOnOutOfMemoryError"], ["-flag", "HeapDumpPath=/x"], ["-flag", "HeapDumpPath"],
                 ["-flag", "Nothing"], ["-flag", "+UsePerfData"], ["-flag", "UsePerfData"],
                 ["-flag", "MinHeapFreeRatio=x"], ["-flag", "MinHeapFreeRatio=90"], ["-flag", "MaxHeapFreeRatio=10"],
                 ["-flag", "MinHeapFreeRatio=70"], ["-flag", "MinHeapFreeRatio"]):
        for home in (HOTSPOT, OURS):
            texts = [harness.without_pid(tool(home, "jinfo", *what, vm.pid), vm.pid) for vm in (theirs, ours)]
            check(texts[0] == texts[1], ["jinfo", *what], *texts)
    text = tool(HOTSPOT, "jinfo", "-flags", ours.pid)
    check(text.startswith("VM Flags:\n") and "-XX:" in text, "jinfo -flags", text)
    text = tool(HOTSPOT, "jinfo", ours.pid)
    check("Java System Properties:" in text and "VM Flags:" in text and "VM Arguments:" in text, "jinfo", text)


def file_of(theirs, ours):
    modes = [vm.file.stat().st_mode & 0o7777 for vm in (theirs, ours)]
    check(modes == [0o600, 0o600], "who may read", modes)
    check(ours.end() == 0 and not ours.file.exists() and theirs.end() == 0, "the file goes at the end")


def endings():
    """The file goes however the process ends, but for SIGKILL; then it goes with the next start."""
    for home in (HOTSPOT, OURS):
        for word, code in (("halt", 3), ("crash", -signal.SIGABRT)):
            vm = Running(home, "-XX:-CreateCoredumpOnCrash", f"-XX:ErrorFile={WORK}/report")
            vm.say("look")
            was = vm.file.exists()
            ended = vm.end(word)
            check(was and not vm.file.exists() and (ended == code or word == "crash"), f"{home}: {word}", ended)
        vm = Running(home)
        vm.say("look")
        vm.process.terminate()
        check(vm.process.wait(LIMIT) == 128 + signal.SIGTERM and not vm.file.exists(), f"{home}: SIGTERM")
    killed = Running(OURS)
    killed.say("look")
    killed.process.kill()
    killed.end()
    was = killed.file.exists()
    Running(OURS).end()
    check(was and not killed.file.exists(), "what a killed process left")


def options():
    """Flags mean what they mean in HotSpot."""
    for given in (["-XX:-UsePerfData"], ["-XX:+PerfDisableSharedMem"]):
        vm = Running(OURS, *given)
        beans = vm.say("look")
        check(beans and not vm.file.exists() and vm.end() == 0, given, beans)
    sizes = []
    for home in (HOTSPOT, OURS):
        saved = WORK / f"saved-{home.name}"
        vm = Running(home, "-XX:+PerfDataSaveToFile", f"-XX:PerfDataSaveFile={saved}-%p",
                     "-XX:PerfDataMemorySize=70000")
        vm.say("look")
        size = vm.file.stat().st_size
        vm.end()
        file = Path(f"{saved}-{vm.pid}")
        sizes.append((size, file.exists() and file.stat().st_size))
        check(entries(file.read_bytes(), size=size)["sun.rt.javaCommand"] == "Counted one two words", "what was saved")
    check(sizes[0] == sizes[1], "sizes", *sizes)
    vm = Running(OURS, "-XX:+PerfDataSaveToFile", "-XX:PerfDataMemorySize=4096", "-XX:PerfMaxStringConstLength=32")
    vm.say("look")
    content = vm.file.read_bytes()
    check(len(content) == 4096 and struct.unpack_from("<i", content, 12)[0] > 0, "a buffer that is too small")
    vm.end()
    check((WORK / f"hsperfdata_{vm.pid}").exists(), "the file's usual name")
    vm = Running(OURS, "-XX:PerfMaxStringConstLength=32")
    vm.say("look")
    mine = entries(vm.file.read_bytes())
    check(mine["sun.rt.javaCommand"] == "Counted one two words"[:32] and
          len(mine["java.property.java.library.path"]) == 32, "PerfMaxStringConstLength", mine)
    vm.end()


CLASSES.mkdir(parents=True, exist_ok=True)
subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-XDignore.symbol.file", "-d", CLASSES,
                TESTS / "tools/Counted.java"], check=True)
pair = Running(HOTSPOT, "-Xmx256m", "-Dwith=some words"), Running(OURS, "-Xmx256m", "-Dwith=some words")
for vm in pair:
    vm.say("look")
jps(*pair)
jstat(*pair)
names(*pair)
jinfo(*pair)
file_of(*pair)
endings()
options()
sys.exit(1 if failed else 0)
