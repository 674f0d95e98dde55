"""jcmd: every command that HotSpot lists is there with HotSpot's help, or says in one line why not; answers, layouts
and refusals are compared with HotSpot's, and so is what DiagnosticCommandMBean tells of the commands."""
import json
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import asked
import commands
import harness
from failures import check, failed

HOTSPOT, BUILD = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
IS_17 = os.environ["LIBRARY"] == "17"
LIMIT = 300 * harness.time_scale()


class Running(asked.Asked):
    def __init__(self, home, *options, main="Commanded"):
        super().__init__(home, home == OURS, main, options, CLASSES, WORK)

    def end(self):
        code, out, err = super().end()
        check(code == 0, "it ends", err)
        return out


def shape(text):
    """Numbers and the names of hidden classes do not count."""
    return re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?", "N", text)


def helps(vms):
    lists = [set(re.findall(r"(?m)^[A-Z]\w+\.\w+$", vm.jcmd("help"))) for vm in vms]
    check(not lists[0] - lists[1] and lists[1] - lists[0] == commands.OWN, "names", *map(sorted, lists))
    for name in sorted(lists[0] & lists[1] | {"help"}):
        texts = [vm.jcmd("help", name) for vm in vms]
        if name not in commands.DECLINED:
            check(texts[0] == texts[1], f"help {name}", *texts)
            continue
        why = vms[1].jcmd(name, "x=y")
        check(why.count("\n") == 1 and texts[1].endswith(f"\n\n{why}") and
              re.split("Syntax|Options", texts[0])[0] == texts[1][:-len(why)], f"{name} is declined", *texts, why)
    texts = [vm.jcmd("help", "-all").split("\n\n") for vm in vms]
    own = [block for block in texts[1] if block.split("\n")[0] not in commands.OWN]
    check(texts[0] == own and len(texts[1]) == len(own) + len(commands.OWN), "help -all", *texts)


def refusals(vms):
    for line in ("VM.uptime -date=x", "VM.uptime -date=", "VM.version x", "GC.class_histogram -all -all", "VM.set_flag",
                 "Thread.print foo", "GC.heap_dump", "GC.heap_dump -gz=x f", "VM.nothing", "help VM.nothing",
                 "help a b",
                 "VM.set_flag A B C", "VM.set_flag UsePerfData false", "VM.set_flag NoSuch 1",
                 "VM.set_flag MinHeapFreeRatio",
                 "VM.set_flag MinHeapFreeRatio x", "VM.set_flag MinHeapFreeRatio 200",
                 "VM.set_flag MinHeapFreeRatio -1", "VM.set_flag MinHeapFreeRatio 99999999999999999999999",
                 "VM.set_flag MaxHeapFreeRatio 101x", "VM.set_flag MaxHeapFreeRatio 72.5",
                 "VM.set_flag MinHeapFreeRatio 30",
                 "VM.set_flag HeapDumpOnOutOfMemoryError 1", "VM.set_flag HeapDumpOnOutOfMemoryError yes", "VM.log",
                 "VM.log what=foo", "VM.log rotate", "VM.class_hierarchy NoSuch", "ManagementAgent.status",
                 "ManagementAgent.stop", "ManagementAgent.start jmxremote.port=x", "ManagementAgent.start nothing=1",
                 "GC.finalizer_info", "GC.class_histogram -parallel=-1", "JVMTI.agent_load"):
        texts = [re.sub(r"(\S+T\S+: )?[\d.]+ s\n", "N s\n", vm.jcmd(*line.split())) for vm in vms]
        check(texts[0] == texts[1], line, *texts)
    check("MinHeapFreeRatio=30" in vms[1].jcmd("VM.flags"), "the flag is set")


def classes(vms):
    for line in (["-i", "-s", "Commanded$Square"], ["Commanded$Cube"], ["-i", "Commanded$Cube"],
                 ["-s", "java.util.AbstractList"]):
        texts = [sorted(shape(vm.jcmd("VM.class_hierarchy", *line)).split("\n")) for vm in vms]
        check(texts[0] == texts[1] and len(texts[1]) > 2, ["VM.class_hierarchy", *line], *texts)
    whole = vms[1].jcmd("VM.class_hierarchy")
    check(whole.startswith("java.lang.Object/null\n") and re.search(r"\|--Commanded\$Shape/0x\w+ \(intf\)\n", whole)
          and len(set(re.findall(r"(?m)^\|  \|--Commanded\$Cube/(0x\w+)$", whole))) == 2, "the hierarchy", whole[:500])
    texts = [vm.jcmd("VM.classloaders") for vm in vms]
    check(texts[0] == texts[1] and '"of mine", Commanded$Loader' in texts[1], "VM.classloaders", *texts)
    texts = [shape(vm.jcmd("VM.classloaders", "verbose")) for vm in vms]
    check(texts[0] == texts[1], "VM.classloaders verbose", *texts)
    texts = [vm.jcmd("VM.classloaders", "show-classes") for vm in vms]
    mine = [re.search(r'"of mine".*?\(\d+ class\w*\)', text, re.S)[0] for text in texts]
    check(mine[0] == mine[1] and mine[1].endswith("(1 class)"), "classes of a loader", *mine)
    texts = [vm.jcmd("VM.classloader_stats") for vm in vms]
    for pattern in (r"(?m)^ClassLoader .*$", r" (\d+) +\d+ +\d+  Commanded\$Loader", r"(?m)^ChunkSz: .*$",
                    r"(?m)^BlockSz: .*$"):
        found = [re.findall(pattern, text) for text in texts]
        check(found[0] == found[1] and found[1], ["VM.classloader_stats", pattern], *texts)
    rows = re.findall(r"(?m)^(?:0x\w+  ){3} +(\d+) +(\d+) +(\d+)  |^ {58} +(\d+) +(\d+) +(\d+) +\+ hidden", texts[1])
    total = re.search(r"(?m)^Total = (\d+) +(\d+) +(\d+) +(\d+)", texts[1])
    sums = [sum(int(row[i] or row[i + 3]) for row in rows) for i in range(3)]
    check(total and int(total[1]) == sum(bool(row[0]) for row in rows) and sums == [int(total[i]) for i in (2, 3, 4)],
          "sums", texts[1], sums)
    if not IS_17:
        texts = [vm.jcmd("VM.classes") for vm in vms]
        rows = [re.findall(r"(?m)^0x\w+ +\d+  (\w*) .*?(Commanded\S*)", text) for text in texts]
        states = [{name: state for state, name in row} for row in rows]
        own = [{name: state for name, state in s.items() if "0x" not in name} for s in states]
        check(texts[0].split("\n")[0] == texts[1].split("\n")[0] and own[0] == own[1] and "Commanded$Cube" in own[1],
              "VM.classes", *own)
        letters = [flags(text) for text in texts]
        both = letters[0].keys() & letters[1].keys()
        differ = {name: [one[name] for one in letters] for name in both if letters[0][name] != letters[1][name]}
        check(not differ and letters[1]["java.lang.Thread"] == "f" and len(both) > 100, "flags of classes", differ)
        details(vms)


def flags(text):
    """The flags of the classes that say something of the class file."""
    rows = re.findall(r"(?m)^0x\w+ +\d+  fully_initialized     (\S*)W?S? +((?:Commanded|java\.lang\.)[\w.$]*)  $", text)
    return {name: re.sub("[WS]", "", letters) for letters, name in rows}


def details(vms):
    """What -verbose says of a class: the lines that name no table of HotSpot's own, and say nothing of its layout."""
    same = re.compile(r" - (?:access|state|name|super|nof implementors|arrays|class loader data|source file|"
                      r"generic signature|java mirror): .*| - (?!injected|-)[a-z ]*'.*|   '.*'| - implementor: *")
    found = []
    for text in (vm.jcmd("VM.classes", "-verbose") for vm in vms):
        classes = {}
        for part in re.split(r"(?m)^(?=\S+ \{0x\w+\}$)", text)[1:]:
            lines = [shape(re.sub(r" @\d+ $", "", line)) for line in part.splitlines() if same.fullmatch(line)]
            name = part.split(" ")[0]
            if name.startswith("Commanded"):
                lines += re.search(r" - sub: +(.*)", part)[1].split("   ")
            else:                               # who has arrays depends on what HotSpot's archive loads
                lines = [line for line in lines if " - arrays:" not in line]
            classes[name] = sorted(lines)
        found.append(classes)
    for name in ("Commanded", "Commanded$Shape", "Commanded$Square", "Commanded$Loader", "java.lang.Comparable",
                 "java.lang.ref.Reference", "java.util.AbstractMap", "java.lang.Enum"):
        check(found[0][name] == found[1][name] and len(found[1][name]) > 8, ["VM.classes -verbose", name],
              found[0][name], found[1][name])


def tables(vms):
    for line, title in (("VM.stringtable", "StringTable"), ("VM.symboltable", "SymbolTable"),
                        ("VM.systemdictionary", "System Dictionary for 'bootstrap' class loader")):
        pattern = rf"(?m)^{title} statistics:\n(?:.*\n)*?Maximum bucket size .*\n"
        texts = [re.search(pattern, vm.jcmd(line))[0] for vm in vms]
        labels = [{row.split(":")[0].split("=")[0] for row in text.splitlines()} - {"Number of literals      "}
                  for text in texts]
        entries = int(re.search(r"Number of entries +: +(\d+)", texts[1])[1])
        check(labels[0] == labels[1] and entries > 300, line, *texts)
    check(re.search(r"(?m)^4: true$", vms[1].jcmd("VM.stringtable", "-verbose")), "strings")
    for table, text in (("VM.stringtable", r"escaped\\t"), ("VM.symboltable", r"escaped\\x")):
        lines = [re.findall(rf"(?m)^(\d+)(?: \d+)?(: {text}.*)$", vm.jcmd(table, "-verbose")) for vm in vms]
        check(lines[0] == lines[1] and len(lines[1]) == 1, f"{table} escapes", *lines)
    check(re.search(r"(?m)^16 \d+: Commanded\$Square$", vms[1].jcmd("VM.symboltable", "-verbose")), "symbols")
    dictionaries(vms)
    metaspace(vms)


def metaspace(vms):
    """The loaders are the same; of HotSpot's lines on memory ours has some, and these add up."""
    loaders = []
    for vm in vms:
        text = vm.jcmd("VM.metaspace", "show-loaders", "scale=1")
        loaders.append({line for line in re.findall(r'(?m)^ +\d+: CLD 0x\w+: (.*), \d+ class(?:es)?$', text)
                        if "<hidden class>" not in line and "DelegatingClassLoader" not in line})
    check(loaders[0] <= loaders[1] and '"of mine" instance of Commanded$Loader' in loaders[1], "VM.metaspace", *loaders)
    rows = [[int(n) for n in re.findall(r"(\d+) bytes", line)] for line in text.split("\n") if " chunk" in line]
    usages = [r for r in rows if len(r) == 6]
    check(len(usages) == text.count(": CLD ") + 1 and all(r[0] == r[1] == r[2] + r[3] + r[4] for r in usages),
          "VM.metaspace: used, free and waste make all", text)
    check([sum(column) for column in zip(*usages[:-1])] == usages[-1], "VM.metaspace: the total", text)


def dictionaries(vms):
    """Which classes of the program each of its loaders knows, and who defined them."""
    found = []
    for vm in vms:
        known = set()
        for part in vm.jcmd("VM.systemdictionary", "-verbose").strip().split("\n\n"):
            head = re.match(r"Dictionary for loader data: 0x\w+ (?:for instance a '(.*)'{\w+}|of 'bootstrap')\n", part)
            if head is None:
                continue                                 # HotSpot shows loader constraints, too
            loader = head[1]
            rows = re.findall(r"(?m)^ *(?:\d+: )?([ ^])([^\s,]+)(?:, loader data: 0x\w+ "
                              r"(?:for instance a '(.*)'|of ).*)?$", part)
            count = int(re.search(r"classes=(\d+)", part)[1])
            check(vm is vms[0] or len(rows) == count, f"classes of {loader}", part)
            known |= {(loader, mark, name, definer) for mark, name, definer in rows if "Commanded" in name}
        found.append(known)
    check(found[0] == found[1] and len(found[1]) == 7, "VM.systemdictionary -verbose", *map(sorted, found))


def owned(text):
    """{thread: classes of the ownable synchronizers it owns}, of those that own some."""
    found = {}
    for part in re.split(r'(?m)^(?=")', text):
        name, listed = re.match(r'"(.*?)"|', part)[1], part.partition("Locked ownable synchronizers:\n")[2]
        if re.search(r"(?m)^\t- <0x\w+> ", listed):
            found[name] = re.findall(r"(?m)^\t- <0x\w+> \(a java\.util\.concurrent\.locks\.(\S+)\)$", listed)
    return found


def threads(vms):
    texts = [vm.jcmd("Thread.print", "-e", "-l") for vm in vms]
    mains = [re.search(r'(?m)^"main" .*$', text)[0] for text in texts]
    shapes = [shape(re.sub(r"\d[BKMG] ", "0U ", line)) for line in mains]
    check(shapes[0] == shapes[1], "extended", *mains)
    check(int(re.search(r"defined_classes=(\d+)", mains[1])[1]) > 3, "classes defined by main", mains[1])
    locks = [owned(text) for text in texts]
    wanted = {"main": ["ReentrantLock$NonfairSync"], "writer": ["ReentrantReadWriteLock$NonfairSync"]}
    check(locks[0] == locks[1] == wanted, "who owns which ownable synchronizers", *locks)
    own = {"Signal Dispatcher", "Finalizer", "Reference Handler", "main", "Common-Cleaner", "Attach Listener"}
    names = [[n for n in re.findall(r'(?m)^"(.*?)" #', text) if n in own] for text in texts]
    check(names[0] == names[1] and len(names[1]) == len(own), "the order of threads", *names)
    if IS_17:
        return
    for line, kind in (([], "plain"), (["-format=json"], "json")):
        files = [WORK / f"threads-{i}.{kind}" for i in range(2)]
        for file in files:
            file.unlink(missing_ok=True)
        for i in range(3):
            more = ["-overwrite"] if i == 2 else []
            texts = [vm.jcmd("Thread.dump_to_file", *line, *more, file).replace(str(file), "FILE")
                     for vm, file in zip(vms, files)]
            check(texts[0] == texts[1], ["Thread.dump_to_file", kind, i], *texts)
        contents = [file.read_text() for file in files]
        if kind == "json":
            stacks = [next(t["stack"] for c in json.loads(text)["threadDump"]["threadContainers"] for t in c["threads"]
                           if t["name"] == "main") for text in contents]
            check(stacks[0] == stacks[1] and stacks[1][-1].startswith("Commanded.main"), "the stack in JSON", *stacks)
        else:
            check(all(re.search(r'#\d+ "main".*\n(?: .*\n)*? +at Commanded\.main\(', text) for text in contents),
                  "the text", *contents)
    for line in ("Thread.vthread_scheduler", "Thread.vthread_pollers"):
        check("java.base" not in vms[1].jcmd(line) and vms[1].jcmd(line).strip(), line)


# What VM.info says, in this order; @STATE@ is whether the VM compiles.
NUMBER = r"(?:\d+k?|infinity)"
INFORMATION = ["# Java VM: ", "-+  S U M M A R Y -+$", "Command Line: ", "Host: ", "Time: .* elapsed time: ",
               "-+  P R O C E S S  -+$", "Heap address: ", "Heap:\n", r" total_blobs=\d+,? nmethods=\d+,? adapters=\d+",
               " compilation: @STATE@$" if IS_17 else "Compilation: @STATE@, stopped_count=0, restarted_count=0$",
               "Compilation events \\(", "Events \\(",
               "Dynamic libraries:$", *([] if IS_17 else ["Total number of mappings: \\d+\n\nJVMTI agents: none$"]),
               "VM Arguments:\njvm_args: .*\njava_command: .*\njava_class_path \\(initial\\): .*\nLauncher Type: \\w+$",
               "Logging:\nAvailable log levels: off, trace, debug, info, warning, error\n",
               r"Log output configuration:\n #0: stdout all=warning uptime,level,tags",
               *([] if IS_17 else ['Release file:\n(?:.*\n)*JAVA_VERSION="25']),
               "Environment Variables:\nPATH=|Environment Variables:\n(?:[A-Z_]+=.*\n)+PATH=",
               r"Active Locale:\nLC_ALL=\S+\nLC_COLLATE=\S+\n", "Signal Handlers:$",
               "-+  S Y S T E M  -+$", "OS:$", "uname: ",
               r"OS uptime: \d+ days \d+:\d\d hours$", r"libc: glibc [\d.]+",
               r"rlimit \(soft/hard\): " + " , ".join(f"{name} {NUMBER}/{NUMBER}" for name in (
                   "STACK", "CORE", "NPROC", "NOFILE", "AS", "CPU", "DATA", "FSIZE", "MEMLOCK")) + "$",
               r"load average: \d+\.\d\d \d+\.\d\d \d+\.\d\d$", "/proc/meminfo:$",
               r"Process Memory:\nVirtual Size: \d+K \(peak: \d+K\)\nResident Set Size: \d+K \(peak: \d+K\) "
               r"\(anon: \d+K, file: \d+K, shmem: \d+K\)$", r"/proc/sys/kernel/threads-max \(.*\): \d+$",
               "container ", r"CPU: total \d+ \(initial active \d+\).*\nCPU Model and flags from /proc/cpuinfo:\n"
               r"model name\t: .*\nflags\t\t: .*\n\nOnline cpus: ",
               r"Memory: 4k page, physical \d+k\(\d+k free\), swap \d+k\(\d+k free\)$", "vm_info: ", r"END\.$"]


def process(vms):
    if not IS_17:
        xml.etree.ElementTree.fromstring(vms[1].jcmd("System.native_heap_info"))
    if "System.trim_native_heap" in vms[0].jcmd("help"):
        texts = [re.sub(r"\d+[BKMG]", "NK", vm.jcmd("System.trim_native_heap")) for vm in vms]
        check(texts[0].replace("+NK", "-NK") == texts[1].replace("+NK", "-NK"), "System.trim_native_heap", *texts)
    if not IS_17:
        memory_map(vms)
    for vm in vms:
        text = vm.jcmd("VM.info")
        interprets = vm is vms[1] and "-Xint" in harness.vm_options()
        state = r"disabled \(interpreter mode\)" if interprets else "enabled"
        at = [re.search(rf"(?m)^{part.replace('@STATE@', state)}", text) for part in INFORMATION]
        check(all(at) and [a.start() for a in at] == sorted(a.start() for a in at), "VM.info",
              [part for part, a in zip(INFORMATION, at) if a is None], text)
    check("fatal error" not in text and "Java Threads:" not in text, "VM.info", text)
    check(re.search(r"\ADynamic libraries:\n(.*\n)*.*libjvm\.so\n", vms[1].jcmd("VM.dynlibs")), "VM.dynlibs")
    for vm in vms:
        vm.jcmd("ManagementAgent.start_local")
    texts = [re.sub(r"(?m)^URL .*$", "URL", vm.jcmd("ManagementAgent.status")) for vm in vms]
    check(sorted(texts[0].split("\n")) == sorted(texts[1].split("\n")) and "Agent: enabled" in texts[1],
          "ManagementAgent.status", *texts)


def memory_map(vms):
    """Each mapping of the kernel's own list, in HotSpot's columns; heap, code and stacks are named."""
    texts = [vm.jcmd("System.map") for vm in vms]
    row = re.compile(r"(?m)^0x\w{16}-0x\w{16} +\d+ [-rwxps]{4} +\d+ +\d+ \d+K +[a-z,-]+ +(\S.{36,}?) (\S.*)$")
    for pattern in (r"(?m)^from .* file$", r"(?m)^=+$"):
        found = [re.findall(pattern, text) for text in texts]
        check(found[0] == found[1] and len(found[1]) == 1, ["System.map", pattern], *found)
    rows = [row.findall(text) for text in texts]
    counts = [int(re.search(r"(?m)^Number of mappings: (\d+)$", text)[1]) for text in texts]
    check([len(r) for r in rows] == counts and counts[1] > 30, "mappings", counts, texts[1])
    labels = [re.findall(r"(?m)^ *([a-z ]+): \d+ \(\d+[BKMG]\)$", text) for text in texts]
    check(labels[0] == labels[1] and len(labels[1]) == 7, "totals", *labels)
    names = {info.rstrip() for info, _ in rows[1]}
    check("JAVAHEAP" in names and any(n.startswith("STACK-") and n.endswith("-main") for n in names)
          and ("CODE" in names or "-Xint" in harness.vm_options()), "what the VM knows", names)
    check(any(file.endswith("/libjvm.so") for _, file in rows[1]), "files")
    file = WORK / "map.txt"
    answer = vms[1].jcmd("System.dump_map", f"-F={file}")
    check(answer == f'Memory map dumped to "{file}".\n' and len(row.findall(file.read_text())) > 30, "System.dump_map",
          answer)


def log(vms):
    lists = [vm.jcmd("VM.log", "list") for vm in vms]
    labels = [[line.split(":")[0] for line in text.splitlines()] for text in lists]
    check(labels[0] == labels[1], "VM.log list", *lists)
    file = WORK / "gc.log"
    file.unlink(missing_ok=True)
    vms[1].jcmd("VM.log", f"output={file}", "what=gc", "decorators=none")
    vms[1].jcmd("GC.run")
    vms[1].jcmd("VM.log", "disable")
    vms[1].jcmd("GC.run")
    check(file.read_text().count("Pause Full (Diagnostic Command)") == 1, "the log", file.read_text())


def bean():
    """Lines that HotSpot has of commands that are there, and refusals."""
    texts = []
    for home in (HOTSPOT, OURS):
        mode = harness.vm_options() if home == OURS else []
        command = [*harness.java(home), *mode, "-cp", CLASSES, "Commanded", "bean"]
        outcome = harness.run(command, WORK, LIMIT, home == OURS)
        texts.append(outcome.out.decode() + outcome.err.decode())
    blocks = [dict(re.findall(r"(?ms)^operation (\w+): (.*?)(?=^operation |^GC\.run$)", text)) for text in texts]

    def operation(command):
        """VM.class_hierarchy is vmClassHierarchy, Thread.print threadPrint."""
        group, name = command.split(".")
        capitals = re.match("[A-Z]+(?![a-z])|[A-Z]", group)[0]
        return capitals.lower() + group[len(capitals):] + "".join(p[0].upper() + p[1:] for p in name.split("_"))
    skipped = {operation(name) for name in commands.DECLINED}
    check(len(blocks[1]) > 25, "operations", texts[1][:2000])
    for name, block in blocks[0].items():
        if name not in skipped:
            check(blocks[1].get(name) == block, f"operation {name}", block, blocks[1].get(name))
    tails = [text[text.rindex("operation vmVersion"):].split("\nGC.run\n")[-1] for text in texts]
    tails = [" ".join(re.sub(r"\s+,", ",", tail).split()) for tail in tails]    # 17 ends some messages with a newline
    check(tails[0] == tails[1] and "IllegalArgumentException" in tails[1], "invocations", *tails)


def agents():
    vm = Running(OURS, f"-agentpath:{harness.agent_library(BUILD, 'histogram', True)}=top=1,file={WORK}/histogram")
    text = vm.jcmd("Vitrine.agents")
    for pattern in (r"\AAgents:\n  \S*libhistogram.so\n",
                    rf"Environment 0: version {os.environ['LIBRARY']}.0.0, made by libhistogram.so\n",
                    "Capabilities:  none\n", r"Events: +VMInit VMDeath DataDumpRequest\n", r"Breakpoints: +0\n",
                    r"Field watches: +0 on access, 0 on modification\n", r"Tags: +0 objects, 0 bytes\n"):
        check(re.search(pattern, text), ["Vitrine.agents", pattern], text)
    check("Measured:" not in text, "not measured", text)
    begun = vm.jcmd("Vitrine.agents", "measure=true")
    vm.jcmd("JVMTI.data_dump")
    text = vm.jcmd("Vitrine.agents", "measure=false")
    check("Measured:" in begun and re.search(r"Callbacks ran: +1, ", text) and
          re.search(r"(?m)^ +DataDumpRequest +1 +\d+\.\d+ ms$", text) and
          re.search(r"Functions ran: +[1-9]", text) and ", ended" in text, "what agents cost", begun, text)
    vm.jcmd("JVMTI.data_dump")
    check(re.search(r"(?m)^ +DataDumpRequest +1 ", vm.jcmd("Vitrine.agents")), "not measured any more")
    vm.end()


def debugging():
    """17 can begin to debug a program that has been prepared for it; no list has the command."""
    agent = "-agentlib:jdwp=transport=dt_socket,address=127.0.0.1:0,server=y,suspend=n"
    for options in ([], [agent], [agent + ",onjcmd=y"] if IS_17 else []):
        seen = []
        for home in (HOTSPOT, OURS):
            vm = Running(home, *options)
            seen.append([vm.jcmd(*line) for line in (["help", "VM.start_java_debugging"], ["VM.start_java_debugging"],
                                                     ["VM.start_java_debugging"], ["VM.start_java_debugging", "x"])])
            seen[-1].append(re.sub(r"\d+", "N", vm.end()))
        check(seen[0] == seen[1], ["VM.start_java_debugging", *options], *seen)


def numbered(text):
    """Addresses are the same where they stand for the same; the numbers of lambdas do not count."""
    found = {}
    text = re.sub(r"Lambda\$\d+/", "Lambda/", text)
    return re.sub(r"0x[0-9a-f]+", lambda a: f"address {found.setdefault(a[0], len(found))}", text)


def waiting():
    """What a dump says of each way to wait. When a thread has come to wait for a class nobody but a dump knows."""
    dumps = []
    for home in (HOTSPOT, OURS):
        vm, until = Running(home, main="Waiting"), time.monotonic() + LIMIT / 5
        while True:
            text = vm.jcmd("Thread.print", "-l")
            blocks = {name: block for block, name in re.findall(r'(?ms)^("waiting: (.*?)" .*?^$.*?^$)', text)}
            all_wait = (text.count("- waiting on the Class initialization monitor for ") == 3
                        and "- waiting to re-lock in wait() " in text)
            if all_wait or time.monotonic() > until:
                break
        dumps.append({name: shape(block.split("\n")[0]) + "\n" + numbered(block.partition("\n")[2])
                      for name, block in blocks.items()})
        vm.end()
    for name, theirs in dumps[0].items():
        check(dumps[1].get(name) == theirs, f"a thread that waits: {name}", theirs, dumps[1].get(name))
    check(all_wait and len(dumps[1]) == 21, "threads that wait", text)


def deadlocks():
    """Who waits for whom: in the stacks of a dump, in what it says of deadlocks, and for ThreadMXBean."""
    texts, beans = [], []
    for home in (HOTSPOT, OURS):
        vm = Running(home, main="Deadlocked")
        text = vm.jcmd("Thread.print")
        names = re.findall(r'(?m)^"(\w+ (?:\d|them))" #', text)
        stacks = [re.search(rf'(?ms)^"{name}" #.*?^$', text)[0] for name in names]
        heads = [shape(stack.split("\n")[0]) for stack in stacks]
        frames = "\n".join(stack.partition("\n")[2] for stack in stacks)
        texts.append([names, heads, numbered(frames), numbered(text[text.index("\nFound one Java-level"):])])
        beans.append(vm.before)
        vm.end()
    for theirs, ours in zip(*texts):
        check(theirs == ours, "deadlocks", theirs, ours)
    check(len(names) == 10 and texts[1][3].endswith("\n\nFound 4 deadlocks.\n\n"), "all deadlocks", names, texts[1][3])
    check(beans[0] == beans[1] and len(beans[1]) == 13, "ThreadMXBean", *beans)
    vm = Running(OURS, "-Dafter.wait=true", main="Deadlocked")
    text = vm.jcmd("Thread.print")
    found = re.findall(r'(?m)^"(\w+)":\n  waiting to lock monitor .*\n  which is held by "(\w+)"', text)
    check(found == [("waits", "notifies"), ("notifies", "waits")], "a deadlock behind Object.wait", found)
    vm.end()


asked.compile_tools(CLASSES, "Commanded", "Deadlocked", "Waiting")
pair = Running(HOTSPOT, "-XX:+UseSerialGC", "-Xshare:off"), Running(OURS)
for part in (helps, refusals, classes, tables, threads, process, log):
    part(pair)
for one in pair:
    one.end()
bean()
deadlocks()
waiting()
debugging()
agents()
sys.exit(1 if failed else 0)
