"""jcmd VM.native_memory and -XX:+PrintNMTStatistics: messages and layouts are HotSpot's, sums agree, and what a program
takes on purpose is what the differences show."""
import os
import re
import sys
from pathlib import Path

import asked
import harness
from failures import check, failed

OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES, IS_17 = WORK / "classes", os.environ["LIBRARY"] == "17"
OWN = {"Class Library"}                                 # categories that HotSpot has not
SMALL = ("Internal", "Symbol", "Native Memory Tracking")
CATEGORIES = {"Java Heap", "Class", "Thread", "Code", "GC", *SMALL, "Compiler", "Other", "Logging", "Arguments",
              "Module", "Serviceability", "Object Monitors"}       # HotSpot's; ours may be big where its own is small
MIB = 1 << 20
STACK = 1 << 20


def running(home, *options):
    return asked.Asked(home, home == OURS, "Measured", ["-Xmx64m", f"-Xss{STACK >> 10}k", *options], CLASSES, WORK)


def ended(vm):
    code, out, err = vm.end()
    check(code == 0, "it ends", code, err)
    return out


def categories(text):
    """{name: its lines} of a summary."""
    return {m[1]: m[0].strip().split("\n") for m in re.finditer(r"(?m)^- +(.*?) \(reserved=.*\n(?: {25}.*\n)*", text)}


def numbers(line):
    """{what: bytes or blocks} of one line in bytes."""
    return {k: int(v) for k, v in re.findall(r"([a-z# ]+?)[=:# ]+(\d+)", line)}


def shape(line):
    """Without numbers, units, changes and peaks."""
    line = re.sub(r" [+-]\d+([KMG]B)?", "", line.rstrip())
    line = re.sub(r"\d+(\.\d+)?([KMG]B)?", "N", line)
    return re.sub(r",? ?\(?(peak=[^,)]*|at peak)( #N)?\)?", "", line)


def refuse(vms, *lines):
    for line in lines:
        texts = [vm.jcmd("VM.native_memory", *line.split()) for vm in vms]
        check(texts[0] == texts[1], ["VM.native_memory", line], *texts)


def off():
    vms = [running(home) for home in (asked.HOTSPOT, OURS)]
    refuse(vms, "", "summary", "detail", "baseline", "summary.diff", "scale=x", "baseline detail", "nothing",
           "shutdown")
    for vm in vms:
        ended(vm)


known = set()                                           # shapes of lines that HotSpot has written


def same_layout(texts, name):
    heads = [re.split(r"(?m)^- ", text)[0] for text in texts]
    check(len({shape(head) for head in heads}) == 1, f"{name}: head", *heads)
    theirs, ours = map(categories, texts)
    check(set(ours) - OWN <= CATEGORIES, f"{name}: categories", sorted(ours), sorted(theirs))
    known.update(shape(line).replace(category, "C") for category, lines in theirs.items() for line in lines[1:])
    for category, lines in ours.items():
        for line in lines[1:]:
            check(shape(line).replace(category, "C") in known, f"{name}: {category}", line, sorted(known))
    for needed in ("Java Heap", "Class", "Thread", "Code", "GC") + SMALL * ("MB" not in name):
        check(needed in ours, f"{name}: {needed}", texts[1])


def sums(text):
    """The figures of a summary in bytes agree with each other; answers {category: reserved}."""
    head = text.split("\nTotal: ")[1].split("\n")[0]
    total = {k: int(v) for k, v in re.findall(r"(reserved|committed)=(\d+)", head)}
    malloc = int(re.search(r"malloc: (\d+)", text)[1])
    mapped = {k: int(v) for k, v in re.findall(r"(reserved|committed)=(\d+)",
                                               re.search(r"mmap:   (.*)", text)[1])}
    check(total["reserved"] == malloc + mapped["reserved"] and total["committed"] == malloc + mapped["committed"],
          "total", text[:500])
    parts = {"reserved": 0, "committed": 0}
    for name, lines in categories(text).items():
        own = {k: int(v) for k, v in re.findall(r"(reserved|committed)=(\d+)", lines[0])}
        inside = dict.fromkeys(parts, 0)
        for line in lines[1:]:
            if found := re.search(r"\((?:malloc|arena|tracking overhead)=(\d+)", line):
                for k in inside:
                    inside[k] += int(found[1])
            elif found := re.search(r"\((?:mmap|stack): reserved=(\d+), committed=(\d+)", line):
                inside["reserved"] += int(found[1])
                inside["committed"] += int(found[2])
        check(own == inside, f"the parts of {name}", own, inside, *lines)
        for k in parts:
            parts[k] += own[k]
    check(parts == total, "the sum of all categories", parts, total)
    return {name: int(re.search(r"reserved=(\d+)", lines[0])[1]) for name, lines in categories(text).items()}


def change(vm, category, pattern, scale="1"):
    """What the first group of the pattern finds in a category of summary.diff."""
    lines = categories(vm.jcmd("VM.native_memory", "summary.diff", f"scale={scale}")).get(category, [])
    found = [m for line in lines if (m := re.search(pattern, line))]
    return found[0].groups() if found else (category, pattern, lines)


def differences(vm, name):
    vm.jcmd("VM.native_memory", "baseline")
    vm.tell("take 5000000")
    got = change(vm, "Other", r"\(malloc=\d+(?: type=Other)? \+(\d+) #\d+ \+(\d+)\)")
    exact = "5000000" if name == "ours" else got[0]      # HotSpot counts what else its threads do, too
    check(got[0] == exact and int(got[0]) >= 5000000 and got[1] == "1", f"{name}: a block of Unsafe", got)
    vm.tell("give")
    vm.tell(f"buffer {8 * MIB}")
    got = change(vm, "Other", r"\(malloc=\d+ \+(\d+) #\d+ \+(\d+)\)")
    check(8 * MIB <= int(got[0]) <= 8 * MIB + 65536, f"{name}: a direct buffer", got)
    vm.tell("threads 20")
    got = change(vm, "Thread", r"\(threads? #\d+ \+(\d+)\)")
    check(got[0] == "20", f"{name}: threads", got)
    got = change(vm, "Thread", r"\(stack: reserved=\d+ \+(\d+), committed=\d+ \+(\d+)\)")
    check(20 * STACK <= int(got[0]) <= 20 * 3 * STACK and 0 < int(got[1]) < int(got[0]), f"{name}: stacks", got)
    vm.tell("classes 100")
    got = change(vm, "Class", r"instance classes #\d+ \+(\d+)")
    check(100 <= int(got[0]) <= 110, f"{name}: classes", got)    # reflection and concatenation may bring some


def on():
    vms = [running(home, "-XX:NativeMemoryTracking=summary") for home in (asked.HOTSPOT, OURS)]
    refuse(vms, "summary.diff", "detail", "detail.diff", "baseline detail", "scale=x", "scale=2", "scale=tb",
           "shutdown", *["statistics"] * IS_17, "baseline")
    for line in ("summary", "", "summary scale=MB", "summary scale=b", "summary.diff", "summary.diff scale=1"):
        same_layout([vm.jcmd("VM.native_memory", *line.split()) for vm in vms], line)
    for unit, size in (("KB", 1024), ("MB", MIB), ("1", 1)):
        text = vms[1].jcmd("VM.native_memory", f"scale={unit}")
        shown = f"Java Heap (reserved={64 * MIB // size}{unit if size > 1 else ''}, "
        check(shown in text, f"the heap in {unit}", text)
    reserved = sums(vms[1].jcmd("VM.native_memory", "summary", "scale=1"))
    check(reserved["Java Heap"] == 64 * MIB, "the heap", reserved)
    for vm, name in zip(vms, ("HotSpot", "ours")):
        differences(vm, name)
    sums(vms[1].jcmd("VM.native_memory", "scale=1"))
    for vm in vms:
        ended(vm)


def detail():
    vms = [running(home, "-XX:NativeMemoryTracking=detail") for home in (asked.HOTSPOT, OURS)]
    refuse(vms, "detail.diff", "baseline")
    for vm in vms:
        vm.tell("take 7000000")
    texts = [vm.jcmd("VM.native_memory", "detail.diff") for vm in vms]
    for text, name in zip(texts, ("HotSpot", "ours")):
        site = re.search(r"(?m)((?:^\[0x\w+\].*\n)+) +\(malloc=\d+KB type=Other \+6836KB #\d+ \+1\)", text)
        # HotSpot may have compiled the caller, which then has no name.
        check(site and (name != "ours" or "allocateMemory" in site[1]), f"{name}: the site of a block",
              text[-3000:])
    texts = [vm.jcmd("VM.native_memory", "detail") for vm in vms]
    same_layout([text.split("Virtual memory map")[0] for text in texts], "detail")
    forms = [{re.sub(r"\d+KB", "NKB", re.sub(r"0x\w+", "A", re.sub(r"for [A-Z][\w ]*?( from)?$", "for C from", line)))
              for line in text.split("Virtual memory map:")[1].split("Details:")[0].split("\n") if "reserved" in line
              or "committed" in line} for text in texts]
    check(forms[1] <= forms[0], "the map", *map(sorted, forms))
    for text in texts:
        check(re.search(r"(?m)^\[0x\w+ - 0x\w+\] reserved (and committed )?65536KB for Java Heap from\n", text),
              "the heap's mapping", text[text.find("Virtual memory map"):][:2000])
    sites = [re.findall(r"(?m)^ +(\(+malloc=\d+KB (?:type|tag)=[\w ]+ #\d+\) \(at peak\)+)$", text) for text in texts]
    check({re.sub(r"\d+", "N", s.replace(re.search(r"=([A-Z][\w ]+) #", s)[1], "C")) for s in sites[1]} <=
          {re.sub(r"\d+", "N", s.replace(re.search(r"=([A-Z][\w ]+) #", s)[1], "C")) for s in sites[0]} and sites[1],
          "sites", sites[1][:5], sites[0][:5])
    check(texts[1].count("libjvm.so") == 0 and re.search(r"\] ?\w+\+0x", texts[1]), "names of functions")
    statistics = vms[1].jcmd("VM.native_memory", "statistics")
    check(re.search(r"State: detail\n(?s:.*)\t4: [1-9]", statistics), "statistics", statistics)
    for vm in vms:
        ended(vm)


def at_exit():
    unlock = "-XX:+UnlockDiagnosticVMOptions"
    outs = [ended(running(home, unlock, "-XX:NativeMemoryTracking=summary", "-XX:+PrintNMTStatistics"))
            for home in (asked.HOTSPOT, OURS)]
    same_layout(outs, "at exit")
    sums(outs[1])
    vms = [running(home, unlock, "-XX:+PrintNMTStatistics") for home in (asked.HOTSPOT, OURS)]
    warnings = ["".join(vm.before) for vm in vms]
    outs = [vm.end() for vm in vms]
    warnings = [re.sub(r".*? warning", "warning", before + err) for before, (_, _, err) in zip(warnings, outs)]
    check(warnings[0] == warnings[1] and "PrintNMTStatistics is disabled" in warnings[1], "off at exit", *warnings)
    for mode in ("foo", "", "SUMMARY"):
        option = f"-XX:NativeMemoryTracking={mode}"
        texts = [harness.run([*harness.java(home), option, "-version"], WORK, asked.LIMIT, home == OURS)
                 for home in (asked.HOTSPOT, OURS)]
        errors = [text.err.decode().replace("]Error", "]\nError") for text in texts]     # 17 ends no line there
        check(texts[1].code != 0 and errors[0] == errors[1], ["a level that there is not", mode], *errors)


asked.compile_tools(CLASSES, "Measured")
for part in (off, on, detail, at_exit):
    part()
sys.exit(1 if failed else 0)
