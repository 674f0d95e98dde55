"""jcmd VM.events: the logs, their names and refusals are HotSpot's, and what a program did stands in them."""
import os
import re
import sys
from pathlib import Path

import asked
import harness

OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES, IS_17 = WORK / "classes", os.environ["LIBRARY"] == "17"
UNLOCK = "-XX:+UnlockDiagnosticVMOptions"
failed = []


def check(good, what, *details):
    if not good:
        failed.append(what)
        print(f"FAILED {what}", *details, sep="\n")


def pair(*options):
    return [asked.Asked(home, home == OURS, "Measured", [UNLOCK, *options], CLASSES, WORK)
            for home in (asked.HOTSPOT, OURS)]


def logs(text):
    """{title: its events}"""
    return {m[1]: m[2] for m in re.finditer(r"(?ms)^([A-Z][\w ]+) \(\d+ events\):\n(.*?)\n\n", text + "\n")}


def ended(vms):
    for vm in vms:
        code, _, err = vm.end()
        check(code == 0, "it ends", err)


def what_happened():
    vms = pair("-XX:LogEventsBufferEntries=100")
    for vm in vms:
        for line in ("threads 3", "classes 2", "collect", "throw 2", "forget", "collect"):
            vm.tell(line)
    texts = [vm.jcmd("VM.events") for vm in vms]
    theirs, ours = map(logs, texts)
    check(list(theirs) == list(ours), "the logs", list(theirs), list(ours))
    for text, name in zip((theirs, ours), ("HotSpot", "ours")):
        collections = text["GC Heap History" if IS_17 else "GC Heap Usage History"]
        for title, pattern, least in (("Classes unloaded", r"Unloading class 0x\w+ 'Measured\$Copied'", 2),
                                      ("Internal exceptions", r"NegativeArraySizeException'\{0x\w+\}: -[12]>", 2),
                                      ("Events", r"Thread 0x\w+ Thread added: 0x\w+", 4),
                                      ("VM Operations", r"Executing .*VM operation: .* done", 2)):
            found = len(re.findall(rf"(?m)^Event: \d+\.\d\d\d .*{pattern}", text[title]))
            check(found >= least, f"{name}: {title}", found, text[title])
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


asked.compile_tools(CLASSES, "Measured")
what_happened()
few()
sys.exit(1 if failed else 0)
