"""Vitrine.agents measure=: the events, functions and memory of an agent are counted exactly, from true to false, and
the switch may be thrown while threads call functions and environments come and go (tests/agents/costs.c)."""
import os
import re
import sys
from pathlib import Path

import asked
import harness
from failures import check, failed

OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
AGENT = harness.agent_library(os.environ["BUILD"], "costs", True)
CLASSES = WORK / "classes"
SWITCHES = 30
FUNCTIONS = "Allocate", "GetEnvironmentLocalStorage", "Deallocate"


def running(agent_options, *options):
    return asked.Asked(OURS, True, "Measured", [f"-agentpath:{AGENT}{agent_options}", *options], CLASSES, WORK)


def ended(vm):
    code, out, err = vm.end()
    err = re.sub(r"(?m)^WARNING:.*Unsafe.*\n|^WARNING: Please consider.*\n", "", err)     # what 25 says of Measured
    check(code == 0 and not err and "FAILED" not in out, "it ends", code, out, err)


def figures(text):
    """{environment: {what: (count, milliseconds)}}; the blocks of memory as (count, bytes)."""
    all_of_them = {}
    for part in re.split(r"(?m)^Environment ", text)[1:]:
        rows = {name: (int(count), float(ms)) for name, count, ms in
                re.findall(r"(?m)^    ([\w ]+?) +(\d+) +(\d+\.\d+) ms$", part)}
        for title, count, ms in re.findall(r"(?m)^  (\w+ ran): +(\d+), (\d+\.\d+) ms$", part):
            rows[title] = int(count), float(ms)
        if found := re.search(r"(?m)^  Memory: +given (\d+) bytes in (\d+) blocks, taken back (\d+) in (\d+)$", part):
            given, blocks, taken_back, blocks_back = map(int, found.groups())
            rows |= {"given": (blocks, given), "taken back": (blocks_back, taken_back)}
        all_of_them[int(part.split(":")[0])] = rows
    return all_of_them


def exact(*options):
    vm = running("", *options)
    vm.tell("poke 30")
    check("Measured:" not in vm.jcmd("Vitrine.agents"), "not measured")
    for stores in (5000, 7):
        begun = figures(vm.jcmd("Vitrine.agents", "measure=true"))[0]
        check(begun["Callbacks ran"][0] == begun["Functions ran"][0] == 0, "from zero", begun)
        vm.tell(f"poke {stores}")
        text = vm.jcmd("Vitrine.agents")
        got = figures(text)[0]
        for name in ("FieldModification", *FUNCTIONS, "given", "taken back"):
            check(got[name][0] == stores, f"{stores} stores: {name}", got)
        check(got["Callbacks ran"][0] == stores and got["Functions ran"][0] == 3 * stores, "sums", got)
        check(got["given"][1] == got["taken back"][1] >= 104 * stores, "bytes", got)
        check(got["FieldModification"][1] > 0 and (got["Allocate"][1] > 0 or stores < 100), "time", got)
        check(got["FieldModification"][1] >= got["Functions ran"][1] * 0.99, "callbacks call the functions", got)
        ended_text = vm.jcmd("Vitrine.agents", "measure=false")
        vm.tell("poke 30")
        after = vm.jcmd("Vitrine.agents")
        check(figures(after)[0] == figures(ended_text)[0] == got and ", ended" in after and ", ended" not in text,
              "what was measured stays", text, after)
    ended(vm)


def switched():
    vm = running("=storm")
    for i in range(SWITCHES):
        vm.tell("poke 50")
        text = vm.jcmd("Vitrine.agents", "measure=true")
        check("Measured:" in text, "begun", text)
        vm.tell("poke 50")
        got = figures(vm.jcmd("Vitrine.agents", "measure=false"))[0]
        check(got["FieldModification"][0] == 50 and got["Allocate"][0] >= 50, f"switch {i}", got)
    vm.jcmd("Vitrine.agents", "measure=true")
    while "SetEnvironmentLocalStorage" not in figures(vm.jcmd("Vitrine.agents"))[0]:
        pass                                             # the storm's threads come to run
    ended(vm)


asked.compile_tools(CLASSES, "Measured")
exact()
exact(f"-Xlog:jvmti=trace:file={WORK}/trace.txt")
switched()
sys.exit(1 if failed else 0)
