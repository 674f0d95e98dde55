"""jcmd VM.events: the logs, their names and refusals are HotSpot's, and what a program did stands in them."""
import os
import re
import subprocess
import sys
from pathlib import Path

import asked
import harness
from failures import check, failed
from refused_calls import refuse

OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES, IS_17 = WORK / "classes", os.environ["LIBRARY"] == "17"
UNLOCK = "-XX:+UnlockDiagnosticVMOptions"
DONE = ("hot 60000", "redefine 2", "threads 3", "classes 2", "warm 20000", "collect", "throw 2", "forget", "collect")
THREAD = r"Thread 0x\w{16}"
# What the program has done (what_happened): the log, the text, and how often at least.
ROWS = [("Classes loaded", r"Loading class java/lang/instrument/ClassDefinition$", 1),
        ("Classes loaded", r"Loading class java/lang/instrument/ClassDefinition done$", 1),
        ("Classes redefined", THREAD + r" redefined class name=Measured\$Copied, count=[12]$", 2),
        ("Classes unloaded", r".*Unloading class 0x\w+ 'Measured\$Copied'", 2),
        ("Compilation events", THREAD + r" +\d+ [ %]  [ b]  \d       Measured\$Copied::hot \(8 bytes\)$", 1),
        ("Compilation events", THREAD + r" nmethod \d+ 0x\w{16} code \[0x\w{16}, 0x\w{16}\]$", 1),
        ("Dll operation events", r"Loaded shared library /.*/libjava.so$", 1),
        ("Internal exceptions", THREAD + r" Exception <a 'java/lang/NegativeArraySizeException'\{0x\w+\}: -[12]>", 2),
        ("Events", THREAD + r" Thread added: 0x\w+", 4),
        ("VM Operations", r"Executing .*VM operation: .* done", 2)]
# HotSpot tells of those alone that its boot loader finds, and of what happens to code elsewhere.
OWN_ROWS = [("Classes loaded", r"Loading class Measured\$Copied$", 1),
            ("Classes loaded", r"Loading class Measured\$Copied done$", 1),
            ("Deoptimization events", THREAD + r" marked for deoptimization: nmethod \d+ Measured\$Copied::hot$", 1),
            ("Nmethod flushes", r".*flushing  nmethod 0x\w{16}$", 1)]


def pair(*options):
    return [asked.Asked(home, home == OURS, "Measured", [UNLOCK, *options], CLASSES, WORK)
            for home in (asked.HOTSPOT, OURS)]


def redefining_agent():
    manifest = WORK / "manifest"
    manifest.write_text("Premain-Class: Measured\nCan-Redefine-Classes: true\n")
    subprocess.run([asked.HOTSPOT / "bin/jar", "--create", "--file", WORK / "agent.jar", "--manifest", manifest],
                   check=True)
    return f"-javaagent:{WORK}/agent.jar"


def logs(text):
    """{title: its events}"""
    return {m[1]: m[2] for m in re.finditer(r"(?ms)^([A-Z][\w ]+) \(\d+ events\):\n(.*?)\n\n", text + "\n")}


def ended(vms):
    for vm in vms:
        code, _, err = vm.end()
        check(code == 0, "it ends", err)


def what_happened():
    vms = pair("-XX:LogEventsBufferEntries=1000", "-Xbatch", "-Xshare:off", redefining_agent())
    for vm in vms:
        for line in DONE:
            check(vm.tell(line) == "done", line)
    texts = [vm.jcmd("VM.events") for vm in vms]
    theirs, ours = map(logs, texts)
    check(list(theirs) == list(ours), "the logs", list(theirs), list(ours))
    for text, name in zip((theirs, ours), ("HotSpot", "ours")):
        collections = text["GC Heap History" if IS_17 else "GC Heap Usage History"]
        for title, pattern, least in ROWS + OWN_ROWS * (name == "ours"):
            found = len(re.findall(rf"(?m)^Event: \d+\.\d\d\d {pattern}", text[title]))
            check(found >= least, f"{name}: {title}: {pattern}", found, text[title])
        for when in ("before GC invocations=0 (full 0):", "after GC invocations=1 (full 1):"):
            said = when if IS_17 else when[0].upper() + when[1:]
            check(said in collections, f"{name}: {said}", collections)
    for line in ("log=nothing", "max=x", *("log=EXC", "log=redef") * IS_17):
        texts = [re.sub(r"Event:.*\n?.*", "E", vm.jcmd("VM.events", *line.split())) for vm in vms]
        check(texts[0] == texts[1] or line == "log=EXC", ["VM.events", line], *texts)
    short = vms[1].jcmd("VM.events", "log=exc", "max=1")
    check(short.count("Event: ") == 1 and "...(skipped)\n" in short, "max", short)
    check("Classes unloaded (" in vms[1].jcmd("VM.info"), "VM.info")
    ended(vms)


def few():
    vms = pair("-XX:LogEventsBufferEntries=3")
    for vm in vms:
        vm.tell("throw 7")
        text = vm.jcmd("VM.events", "log=exc")
        check(re.findall(r": (-\d)>", text) == ["-5", "-6", "-7"] and "(3 events)" in text, "the last three", text)
    ended(vms)
    vms = pair("-XX:-LogEvents")
    texts = [vm.jcmd("VM.events") for vm in vms]
    check(texts[0] == texts[1], "off", *texts)
    ended(vms)


def one_view():
    """Where memory may not be mapped a second time the code cache has one mapping, whose pages are executable or
    writable."""
    vm = asked.Asked(OURS, True, "Measured", [], CLASSES, WORK, refuse(["mremap"]))
    text = logs(vm.jcmd("VM.events"))["Memory protections"]
    modes = re.findall(r"(?m)^Event: \d+\.\d\d\d Protecting memory \[0x\w{16},0x\w{16}\] with protection modes (\d)$",
                       text)
    check({"3", "5"} == set(modes), "memory protections", text)
    ended([vm])


asked.compile_tools(CLASSES, "Measured")
what_happened()
few()
one_view()
sys.exit(1 if failed else 0)
