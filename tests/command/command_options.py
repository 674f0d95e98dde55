"""jcmd, option by option: which options and arguments a command has is read from HotSpot's own help. Each is given in
every way, good and bad; both VMs answer the same, and with the same outcome. Where an answer holds what only one VM can
know, each of its lines has one of the command's shapes, and both VMs' answers have the same ones."""
import os
import re
import sys
from pathlib import Path

import asked
import commands
import harness

HOTSPOT, TESTS = Path(os.environ["HOTSPOT"]), os.environ["TESTS"]
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
IS_17 = os.environ["LIBRARY"] == "17"
failed = []
asked_lines = []

# ---- what differs ----------------------------------------------------------------------------------------------------

# Lines, as expressions, whose answers rightly differ, and why. The answers must differ indeed.
DIFFERS = [
    (r"help all", "the help says that it shows the help for all commands; HotSpot knows no command 'all'"),
    (r'VM\.uptime a"b"', "HotSpot drops the first character of a word with a quote in it"),
    (r"VM\.uptime x{80}.*", "HotSpot cuts what it repeats of a long word"),
    (r"s|st", "HotSpot takes the beginning of 'stop' for 'stop'"),
    (r"VM\.log output=#1x .*", "HotSpot reads a number as far as there are digits"),
    (r"VM\.log what=gc\+heap\+exit\+cpu\+age", "tag sets are a VM's own; tags of HotSpot's are known"),
    (r"ManagementAgent\.start jmxremote\.port", "HotSpot gives the text (null) for no value"),
    (r"System\.dump_map( -F=(@D/map|\"@D/a map\"))?", "HotSpot says that it knows less without memory tracking"),
    (r"VM\.log what=" + ("workgang" if IS_17 else "fastlock"), "tag sets are a VM's own; tags of HotSpot's are known"),
]
if not IS_17:
    DIFFERS += [
        (r"VM\.uptime -date=x{80}.*", "HotSpot cuts what it repeats of a long word"),
        (r"GC\.run\u2424(# x\u2424)?VM\.uptime [xy]",
         "HotSpot has begun to answer, and that is success; here nothing is streamed"),
    ]

# HotSpot has compiled code; ours has none with this option of the mode.
if "-Xint" in harness.vm_options():
    DIFFERS.append((r"Compiler\.(codecache|codelist|queue)", "nothing is compiled here"))

# Commands whose answers have another layout here, and why; what is refused is compared all the same.
OWN_LAYOUT = {
    "System.map": "the legend says what this VM's names mean",
    "Thread.vthread_pollers": "pollers are platform threads, as there are no continuations",
    "VM.info": "sections on HotSpot's own structures are not there (diagnostic_commands.py looks at the others)",
}

ADDRESS = r"0x[0-9a-f]{16}"
LOADER = rf"loader data: {ADDRESS} (?:of 'bootstrap'|for instance a '\S+'{{{ADDRESS}}})"
INVOKES = r"\(invokes: .*\)"                                         # behind an accessor's name, with 17
SIZE = r" *[\d.]+ (?:bytes|KB|MB|GB)"
PART = SIZE + r" \( *(?:[<>]?\d+|\?)%\)"
BOUNDS = rf"\[{ADDRESS}, {ADDRESS}, (?:{ADDRESS}, )?{ADDRESS}\)"
USED = r"used +\d+K, committed +\d+K, reserved +\d+K"
# Of HotSpot's generations the older is one space, as the heap is here. Class metadata has no space of its own for
# classes, as HotSpot's without compressed class pointers.
HEAP = [rf" *(?:Tenured|tenured generation|mark-region heap) +total \d+K, used \d+K {BOUNDS}",
        rf" *the +space \d+K, [ \d]{{3}}% used {BOUNDS}",
        *([rf" Metaspace +{USED}"] if IS_17 else []), rf"?  class space +{USED}",
        rf"? *(?:DefNew|def new generation) +total \d+K, used \d+K {BOUNDS}",
        rf"? *(?:eden|from|to  ) space \d+K, [ \d]{{3}}% used {BOUNDS}"]
METASPACE_HEAD = [r"", *([] if IS_17 else [rf"Metaspace +{USED}"]), rf"? class space +{USED}"]
USAGE = (rf"{SIZE} capacity, {PART} committed, {PART} used, {PART} free, {PART} waste , deallocated: \d+ blocks with "
         + SIZE)
# HotSpot reserves memory for spaces, and tells of it.
METASPACE_END = [
    rf"MaxMetaspaceSize: (?:unlimited|{SIZE})", rf"Initial GC threshold:{SIZE}", rf"Current GC threshold:{SIZE}",
    r"CDS: off", r"?No class space", rf"?CompressedClassSpaceSize:{SIZE}", r"?MetaspaceReclaimPolicy: \w+",
    r"? - \w+: \d+\.", r"?Virtual space:", r"? *(?:Non-class space|Class space|Both): .* committed.*",
    r"?Chunk freelists?:", rf"? *(?:Non-Class|Class|Both):(?:{SIZE})?", r"? *\d+[km]: .*", r"?Total word size: .*",
    r"?chunk header pool: .*", r"?Internal statistics:", r"?num_\w+: \d+\.", r"?UseCompressedClassPointers .*",
    r"?Narrow klass .*", r"?(?:Encoding|Klass|Klass ID) Range: .*", r"?No protection zone\.|Protection zone .*"]
METASPACE = METASPACE_HEAD + [
    r"Total Usage - \d+ loaders?, \d+ classes:", rf"(?: +Both:)? +\d+ chunks?, {USAGE}",
    rf"? +(?:Non-Class|Class): +\d+ chunks?, {USAGE}",
    rf"Waste \(unused committed space\): ?\(percentages refer to total committed size{SIZE}\):",
    rf" +Waste in chunks in use: {PART}", rf" +Free in chunks in use: {PART}", rf" +-total-: {PART}",
    rf"? +In free chunks: {PART}", rf"?Deallocated from chunks in use: {PART} .*", r"Settings:"] + METASPACE_END
# The lines that a command's answer may have. "?": one VM may have it and the other not.
SHAPES = {
    "Compiler.codelist": [rf"\d+ \d \d \S+\(\S*\)\S+ \[{ADDRESS}, {ADDRESS} - {ADDRESS}\]"],
    "Compiler.queue": [r"Current compiles: ", r"", r"\w+ compile queue:", r"?Empty", r"?.*\d+ .*"],
    "GC.heap_info": HEAP,
    "GC.class_histogram": [r" num     #instances         #bytes  class name \(module\)", r"-{55}",
                           r"[ \d]{4}: [ \d]{13} [ \d]{14}  \S+ \(\S+@\S+\)",
                           r"?[ \d]{4}: [ \d]{13} [ \d]{14}  \S+(?: \(\S+\))?",
                           r"Total [ \d]{13} [ \d]{14}"],
    "System.native_heap_info": [r"</?malloc.*>", r"<heap nr=\"\d+\">", r"</?sizes>", r" +<size .*/>",
                                r"? +<unsorted .*/>", r"<total .*/>", r"<system .*/>", r"<aspace .*/>", r"</heap>",
                                r""],
    "System.trim_native_heap": [r"Trim native heap: RSS\+Swap: \d+[KM]->\d+[KM] \([+-]\d+[BKM]\)"],
    "Thread.print": [
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", r"Full thread dump .* \(.*\):", r"",
        r"?Threads class SMR info:", rf"?_java_thread_list={ADDRESS}, length=\d+, elements={{", rf"?(?:{ADDRESS},? ?)+",
        r"?}", r'?"[^"]*" os_prio=.*',                              # HotSpot's list, and threads that are its own
        r'"[^"]*" #\d+ ' + ("" if IS_17 else r"\[\d+\] ") + r"(?:daemon )?prio=\d+ os_prio=\d+ cpu=\d+\.\d\dms "
        r"elapsed=\d+\.\d\ds (?:allocated=\d+[BKMG] defined_classes=\d+ )?"
        rf"tid={ADDRESS} nid={'0x[0-9a-f]+' if IS_17 else '[0-9]+'} [\w .()]+  \[{ADDRESS}\]",
        r"   java\.lang\.Thread\.State: [A-Z_]+", r"   java\.lang\.Thread\.State: [A-Z_]+ \([\w ]+\)",
        r"\tat \S+\(.*\)", rf"\t- locked <{ADDRESS}> \(a \S+\)", rf"\t- waiting on <{ADDRESS}> \(a \S+\)",
        rf"?\t- parking to wait for  <{ADDRESS}> \(a \S+\)", rf"?\t- <{ADDRESS}> \(a \S+\)",
        r"?   No compile task", r"?   Compiling: .*",
        r"   Locked ownable synchronizers:", r"\t- None", r"JNI global refs: \d+, weak refs: \d+"],
    "VM.class_hierarchy": [r"java\.lang\.Object/null",
                           rf"(?:\|  )*\|--\S+/(?:null|{ADDRESS})(?: \(intf\))?", rf"?(?:\|  )*\|--\S+ {INVOKES}",
                           rf"(?:\|  )*implements \S+/(?:null|{ADDRESS}) \((?:declared|inherited) intf\)"],
    "VM.classes": [r"KlassAddr           Size  State                 Flags    ClassName  ",
                   rf"{ADDRESS}  [ \d]{{4,}}  [\w ]{{20}}  [\w ]{{7}}  (?!\S{{1,4}}  $)\S+ *  "],
    "VM.classloader_stats": [
        r"ClassLoader         Parent              CLD\*               Classes   ChunkSz   BlockSz  Type",
        rf"{ADDRESS}  {ADDRESS}  {ADDRESS}  [ \d]{{6}}  [ \d]{{8}}  [ \d]{{8}}  \S.*",
        r" {58}  [ \d]{6}  [ \d]{8}  [ \d]{8}   \+ hidden classes",
        r"Total = \d+ +\d+ +\d+ +\d+  ", r"ChunkSz: .*", r"BlockSz: .*"],
    "VM.dynlibs": [r"Dynamic libraries:", r"[0-9a-f]+-[0-9a-f]+ [-rwxps]{4} [0-9a-f]+ \S+ \d+ *(?:[/\[].*)?", r"",
                   *([] if IS_17 else [r"Total number of mappings: \d+"])],
    "VM.events": [r"[A-Z][\w ]+ \(\d+ events\):", r"?Event: \d+\.\d{3} .*", r"?No events", r"?\.\.\.\(skipped\)", r"",
                  r"?.*"],                                          # what happened to the heap takes several lines
    "VM.metaspace": METASPACE,
    "VM.flags": [r"(?:-XX:(?:[+-]\w+|\w+=\S*) )+"],
    "VM.system_properties": [r"#\w{3} \w{3} .*", r"[^=]+=.*"],
}
ROW_OF_TABLE = [r"[A-Z][\w' @.$]+ statistics:", r"(?:Number|Average|Variance|Std|Maximum|Total) ?[\w. ]+: [ \d.=,a-z]+"]
for table in ("VM.stringtable", "VM.symboltable", "VM.systemdictionary"):
    SHAPES[table] = ROW_OF_TABLE
# Of one option, which gives the answer other lines.
SHAPES_WITH = {
    ("VM.classes", "-verbose"): None,                               # the fields of HotSpot's own structures
    ("VM.classloaders", "show-classes"): [r"(?:[| ] {5})*\+-- .*", r"[| ]*", r"[| ]+(?:Loader \w+|Loader Data): .*",
                                          rf"[| ]+Classes: \S+(?: {INVOKES})?", r"[| ]+Hidden Classes: \S+",
                                          rf"[| ]+ {{18}}\S+(?: {INVOKES})?",
                                          r"[| ]+\(\d+ (?:hidden )?class(?:es)?\)"],
    ("VM.flags", "-all"): [r"\[Global flags\]",
                           r" *(?:bool|ccstr|ccstrlist|double|int|intx|size_t|uint|uint64_t|uintx) [A-Za-z0-9_]+ += "
                           r"(?:.* )? *\{[A-Za-z0-9_ ]+\} \{[a-z ]+\}"],
    ("VM.metaspace", "basic"): METASPACE_HEAD + [r"Usage:", rf"(?: +Both:)? +{SIZE} used\.",
                                                 rf"? +(?:Non-class|Class): +{SIZE} used\."] + METASPACE_END,
    ("VM.metaspace", "show-loaders"): METASPACE + [
        r"Usage per loader:", rf" +\d+: CLD {ADDRESS}: (?:\"[^\"]+\" ?)?(?:instance of \S+)?, \d+ class(?:es)?",
        r"? +\d+: CLD .* <hidden class>, .*"],
    ("VM.metaspace", "by-chunktype|by-spacetype|vslist|chunkfreelist"): None,   # of spaces, which are not there
    ("VM.stringtable", "-verbose"): [r"VERSION: 1\.1", r"\d+: .*"],
    ("VM.symboltable", "-verbose"): [r"VERSION: 1\.1", r"\d+ \d+: .*"],
    ("VM.systemdictionary", "-verbose"): None if IS_17 else [       # 17 tells in which bucket a class is
        rf"Dictionary for {LOADER}", r"Java dictionary \(table_size=\d+, classes=\d+\)", r"\^ indicates .*", r"",
        rf" [ ^]\S+, {LOADER}, ", r"  [^ ,]+",
        r"?(?:Placeholder table|Java loader constraints|Symbol:|    loader data:) .*"],    # tables of HotSpot's own
}
# The lines in any order, as it is that of the VM's own tables.
UNORDERED = {"VM.class_hierarchy"}

REFUSED = "java.lang.IllegalArgumentException: "

# ---- comparing -------------------------------------------------------------------------------------------------------


def fail(what, *details):
    failed.append(what)
    print(f"FAILED {what}", *details, sep="\n")


def plain(text, vm):
    """Without what is this run's."""
    text = text.replace(str(vm.place), "DIR")
    text = re.sub(r"service:jmx:\S+", "service:jmx:URL", text)
    text = re.sub(r"(?m)^jvm_args: .*$", "jvm_args: ARGS", text)
    text = re.sub(r"(?m)^\S+ 64-Bit (?:Server )?VM version .*$", "VM version", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\S+: ", "DATE: ", text)
    text = re.sub(r"\d+ bytes in [\d.]+ secs", "N bytes in N secs", text)
    text = re.sub(r"(?m)^[\d.]+ s$", "N s", text)
    if vm.is_ours:
        text = re.sub(r"(?m)^(Available log tags: .*), jvmpi, probe, tools$", r"\1", text)
        for name in commands.OWN:
            text = re.sub(rf"(?m)^{name}\n(?:\t.*\n\n)?", "", text)
    return text


def shape(text):
    """Hash codes first: some have no letter."""
    text = re.sub(r"@[0-9a-f]+\b", "@HASH", re.sub(r"0x[0-9a-f]+", "ADDRESS", text))
    return re.sub(r"\b\d+(\.\d+)?(?=\b|Kb)", "N", text)


def shapes_of(command, words):
    for (name, option), rows in SHAPES_WITH.items():
        if name == command and any(re.fullmatch(rf'"?(?:{option})"?(=(true|TRUE|))?', w) for w in words):
            return rows
    return SHAPES.get(command, ())


def used(rows, text):
    """(The shapes that lines have, but for those that may be missing; the lines without one)."""
    rows = [(re.compile(row.lstrip("?")), row[:1] == "?") for row in rows]
    found, strange = set(), []
    for line in text.removesuffix("\n").split("\n"):
        at = next((i for i, (row, _) in enumerate(rows) if row.fullmatch(line)), None)
        if at is None:
            strange.append(line)
        elif not rows[at][1]:
            found.add(rows[at][0].pattern)
    return found, strange


def compare(vms, line):
    """The line says @D for the directory of the VM's own."""
    asked_lines.append(line)
    answers = [vm.ask(line.replace("@D", str(vm.place))) for vm in vms]
    done = [answer[0] for answer in answers]
    as_they_are = [plain(answer[1], vm) for answer, vm in zip(answers, vms)]
    texts = [harness.without_pid(text, vm.pid) for text, vm in zip(as_they_are, vms)]
    command, *words = line.split() or [""]
    why = next((reason for row, reason in DIFFERS if re.fullmatch(row, line)), None)
    if why is not None:
        if texts[0] == texts[1] and done[0] == done[1]:
            fail(f"{line}: does not differ any more ({why})", texts[0])
        return
    if done[0] != done[1]:
        fail(f"{line}: outcome", done, *texts)
    if texts[0] == texts[1] or (command in OWN_LAYOUT and not any(text.startswith(REFUSED) for text in texts)):
        return
    rows = shapes_of(command, words)
    if rows is None:
        return
    if rows:
        found = [used(rows, text) for text in as_they_are]
        if found[0] != found[1] or found[1][1]:
            fail(f"{line}: layout", *(f"{sorted(f[0] - g[0])} without shape: {f[1][:10]}"
                                      for f, g in (found, found[::-1])))
        return
    texts = [shape(text).split("\n") for text in texts]
    if command in UNORDERED:
        texts = [sorted(text) for text in texts]
    if texts[0] != texts[1]:
        fail(line)
        harness.show_difference(line, *("\n".join(text) for text in texts))


# ---- lines from HotSpot's help ---------------------------------------------------------------------------------------


class Parameter:
    def __init__(self, row):
        self.name, self.optional, self.type = row[0], bool(row[1]), row[2]


def parameters(text, title):
    """Of "Arguments" or "Options"."""
    part = re.search(rf"(?s)\n{title}:.*?(?=\n\n|\Z)", text)
    rows = re.findall(r"(?m)^\t(.+?) : (\[optional\])? .*\(([A-Z ]+), [^()]*\)$", part[0]) if part else []
    return [Parameter(row) for row in rows]


def bad_usage(name, options, arguments):
    """What is refused before anything is done."""
    filled = "x " * len(arguments)
    yield f"{name} {filled}no_such"
    yield f"{name} {filled}no_such=1 -other"
    yield f'{name} "open'
    yield f"{name} 'open"
    if any(not a.optional for a in arguments):
        yield name
        yield f'{name} "" x'
    if not arguments and options:
        yield f"{name} \t{options[0].name}"
    for o in options:
        value = {"INT": "1", "BOOLEAN": "true"}.get(o.type, "a")
        yield f"{name} {o.name}={value} {o.name}={value} {filled}"
        yield f'{name} {o.name}="open {filled}'
        if o.type == "BOOLEAN":
            yield from (f"{name} {filled}{o.name}={v}" for v in ("maybe", "1", "yes", '"true "', "tru"))
        if o.type == "INT":
            yield from (f"{name} {filled}{o.name}{v}" for v in ("", "=", "=x", "=1x", "=1.5", "=1k", '=""', "=0x1"))


# What a command needs besides the option in question.
GIVEN = {"GC.heap_dump": "-overwrite @D/dump", "Thread.dump_to_file": "-overwrite @D/threads",
         "VM.class_hierarchy": "java.lang.Number", "Compiler.perfmap": "@D/perf.map"}
# Not tried with what is made up from the help: what they do is in the lines below.
BY_HAND = {"JVMTI.agent_load", "ManagementAgent.start", "ManagementAgent.start_local", "System.dump_map", "VM.log",
           "VM.native_memory", "VM.set_flag", "help"}


def good_usage(name, options):
    given = " ".join(w for w in GIVEN.get(name, "").split())
    yield f"{name} {given}".rstrip()
    for o in options:
        rest = " ".join(w for w in given.split() if w != o.name)
        if o.type == "BOOLEAN":
            more = () if o.name == "-verbose" else (f"{o.name}=TRUE", f"{o.name}=", f'"{o.name}"')    # long answers
            for text in (o.name, f"{o.name}=false", *more):
                yield f"{name} {text} {rest}".rstrip()
        elif o.type == "INT":
            for value in ("1", '"2"', "+3"):
                yield f"{name} {o.name}={value} {rest}".rstrip()


# ---- lines by hand ---------------------------------------------------------------------------------------------------

# Here '%' stands for a tab, '$' for the end of a line, '*' for much text.
MARKS = {ord("%"): "\t", ord("$"): "\u2424", ord("*"): "x" * 100}
LINES = r"""
help nothing
help ""
help "GC.run"
help a b
help "a b"
help help
help all
HELP
gc.run
"GC.run"
GC.run;x
GC.run=1
GC
s
stop
stop VM.uptime
  VM.uptime
VM.uptime%-date
%VM.uptime -x
VM.uptime -date%x
VM.uptime =x y
VM.uptime "" y
VM.uptime -date="true"-date
VM.uptime "-date"=true
VM.uptime -date='false'
VM.uptime "-date=true"
VM.uptime a=b=c
VM.uptime "a b"
VM.uptime "a\"b"
VM.uptime 'a"b'
VM.uptime a"b"
VM.uptime \
# a comment
   # another
GC.run$VM.uptime x
GC.run$GC.run
VM.uptime x$VM.version
$VM.uptime x
GC.run$$GC.run
GC.run$stop$VM.uptime x
GC.run$# x$VM.uptime y
GC.run$
VM.uptime *
VM.uptime -date=*
"""

FILES = r"""
GC.heap_dump @D/first
GC.heap_dump @D/first
GC.heap_dump -overwrite=false @D/first
GC.heap_dump -overwrite @D/first
GC.heap_dump @D
GC.heap_dump -overwrite @D
GC.heap_dump /no/such/dump
GC.heap_dump /proc/dump
GC.heap_dump "@D/a blank"
GC.heap_dump '@D/a blank'
GC.heap_dump @D/second=x
GC.heap_dump @D/second
GC.heap_dump "@D/third=x"
GC.heap_dump filename
GC.heap_dump @D/of-%p
GC.heap_dump @D/of-%p
GC.heap_dump @D/a b
GC.heap_dump -gz=0 @D/none
GC.heap_dump -gz=10 @D/none
GC.heap_dump -gz=-1 @D/none
GC.heap_dump -gz=99999999999999999999 @D/none
GC.heap_dump -gz=" 1" @D/fourth
Compiler.perfmap /no/such/map
Compiler.perfmap @D
Compiler.perfmap ""
Compiler.perfmap @D/of-%p.map
Compiler.perfmap @D/a b
System.dump_map
System.dump_map -F=@D/map
System.dump_map -F=@D/map
System.dump_map -F="@D/a map"
System.dump_map -F=/no/such/map
System.dump_map -F=@D
System.dump_map -F
System.dump_map -F=
System.dump_map map
Thread.dump_to_file @D/plain
Thread.dump_to_file @D/plain
Thread.dump_to_file -format=json @D/plain
Thread.dump_to_file -format=json -overwrite @D/plain
Thread.dump_to_file -format=other @D/other
Thread.dump_to_file -format @D/again
Thread.dump_to_file -format= -overwrite @D/again
Thread.dump_to_file @D
Thread.dump_to_file -overwrite @D
Thread.dump_to_file /no/such/threads
Thread.dump_to_file /proc/threads
Thread.dump_to_file relative
Thread.dump_to_file "@D/a blank"
"""

CLASSES_AND_TABLES = r"""
VM.class_hierarchy
VM.class_hierarchy java.lang.Integer
VM.class_hierarchy -i java.lang.Integer
VM.class_hierarchy -i -s Commanded$Square
VM.class_hierarchy java/lang/Number
VM.class_hierarchy NoSuch
VM.class_hierarchy [I
VM.class_hierarchy int
VM.class_hierarchy java.lang.Comparable
VM.class_hierarchy java.lang.Object
VM.class_hierarchy ""
VM.class_hierarchy a b
GC.class_histogram -parallel=-1
GC.class_histogram -all -parallel=2
VM.events log
VM.events log=
VM.events log=nothing
VM.events log=gc
VM.events log="Events"
VM.events log=EXC
VM.events max
VM.events max=
VM.events max=0
VM.events max=1
VM.events max=x
VM.events max=-1
VM.events log=exc max=1
VM.native_memory
VM.native_memory summary
VM.native_memory scale=x
VM.native_memory baseline
VM.native_memory summary detail
VM.metaspace scale
"""

LOG = r"""
VM.log
VM.log list
VM.log list=false
VM.log what=nothing
VM.log what=gc
VM.log list
VM.log what=gc=nothing
VM.log what=gc=debug,nothing
VM.log what=gc=inf
VM.log what=gc=
VM.log what==info
VM.log what=gc**
VM.log what=gc*+heap
VM.log what=gc+gc
VM.log what=gc+
VM.log what=,
VM.log what=*
VM.log what=all*
VM.log what=ALL=info
VM.log what=GC=Info
VM.log what=gc+heap+exit+cpu+age
VM.log what=gc+heap+exit+cpu+age+ref
VM.log what=fooo
VM.log what=biasedlocking=warning
VM.log what=workgang
VM.log what=fastlock
VM.log what=aot=warning
VM.log list
VM.log what=
VM.log what
VM.log list
VM.log output=
VM.log output
VM.log output=stdout what=all=warning
VM.log list
VM.log output=/no/such/log what=gc
VM.log output=@D what=gc
VM.log output=file=@D/one.log what=gc decorators=none
VM.log list
VM.log output=@D/one.log decorators=nothing
VM.log output=@D/one.log decorators=uptime,nothing
VM.log output=@D/one.log decorators=,
VM.log output=@D/one.log decorators=none,uptime
VM.log output=@D/one.log what=gc decorators=
VM.log output=@D/one.log what=gc decorators
VM.log output=@D/one.log what=gc decorators=t,TAGS
VM.log list
VM.log output=@D/one.log what=gc output_options=filecount=2
VM.log output=@D/one.log what=gc output_options=nothing
VM.log output=stderr what=gc output_options=foldmultilines=true
VM.log output=#1 what=gc*
VM.log list
VM.log output=#9 what=gc
VM.log output=#x what=gc
VM.log output=# what=gc
VM.log output=#-1 what=gc
VM.log output=#1x what=gc
VM.log output=@D/two.log what=gc output_options=filecount=3,filesize=1k
VM.log output=@D/three.log what=gc output_options=filecount=x
VM.log output=@D/three.log what=gc output_options=filecount=1001
VM.log output=@D/three.log what=gc output_options=filecount
VM.log output=@D/three.log what=gc output_options=filesize=x
VM.log output=@D/three.log what=gc output_options=nothing
VM.log output=@D/three.log what=gc output_options=nothing=1
VM.log output=@D/three.log what=gc output_options=foldmultilines=x
VM.log output=@D/three.log what=gc output_options=,
VM.log output=@D/three.log what=gc output_options=filesize=1t
VM.log output="@D/a blank.log" what="gc" output_options=
VM.log list
VM.log output=#2 what=all=off
VM.log output=@D/four.log what=all=off
VM.log list
VM.log output_options=filecount=1
VM.log rotate
VM.log rotate=false
VM.log rotate list
VM.log disable=false
VM.log list
VM.log disable what=gc
VM.log disable list
"""

FLAGS = r"""
VM.set_flag NoSuch
VM.set_flag NoSuch 1
VM.set_flag "" 1
VM.set_flag MinHeapFreeRatio
VM.set_flag MinHeapFreeRatio ""
VM.set_flag MinHeapFreeRatio=30
VM.set_flag MinHeapFreeRatio x
VM.set_flag MinHeapFreeRatio 20x
VM.set_flag MinHeapFreeRatio 1k
VM.set_flag MinHeapFreeRatio -1
VM.set_flag MinHeapFreeRatio 99999999999999999999
VM.set_flag MinHeapFreeRatio 101
VM.set_flag MinHeapFreeRatio 35
VM.set_flag MaxHeapFreeRatio 20
VM.set_flag MaxHeapFreeRatio 90
VM.set_flag MaxHeapSize 1
VM.set_flag UseSerialGC true
VM.set_flag HeapDumpPath "a b"
VM.set_flag HeapDumpPath ""
VM.set_flag HeapDumpOnOutOfMemoryError
VM.set_flag HeapDumpOnOutOfMemoryError TRUE
VM.set_flag HeapDumpOnOutOfMemoryError False
VM.set_flag HeapDumpOnOutOfMemoryError 0
VM.set_flag HeapDumpOnOutOfMemoryError 2
VM.set_flag HeapDumpOnOutOfMemoryError yes
VM.set_flag heapdumponoutofmemoryerror true
VM.set_flag +HeapDumpOnOutOfMemoryError
VM.set_flag HeapDumpAfterFullGC false
VM.set_flag a b c
"""

AGENTS = r"""
JVMTI.agent_load ""
JVMTI.agent_load /no/such.so
JVMTI.agent_load /no/such.so "a b"
JVMTI.agent_load /no/such.so=x
JVMTI.agent_load /no/such.so x y
JVMTI.agent_load nosuch
JVMTI.agent_load @D
JVMTI.agent_load /etc/passwd
JVMTI.agent_load /no/such.jar
JVMTI.agent_load /no/such.jar=x
JVMTI.data_dump
ManagementAgent.status
ManagementAgent.stop
ManagementAgent.start
ManagementAgent.start jmxremote.port
ManagementAgent.start jmxremote.port=
ManagementAgent.start jmxremote.port=x
ManagementAgent.start jmxremote.port=-1
ManagementAgent.start jmxremote.port=99999999
ManagementAgent.start jdp.port=x
ManagementAgent.start nothing=1
ManagementAgent.start config.file=/no/such
ManagementAgent.start jmxremote.port=0 jmxremote.password.file=/no/such
ManagementAgent.start jmxremote.port=0 jmxremote.ssl=false jmxremote.authenticate=true
ManagementAgent.start jmxremote.port=0 jmxremote.ssl=false jmxremote.authenticate=false
ManagementAgent.start jmxremote.port=0 jmxremote.ssl=false jmxremote.authenticate=false
ManagementAgent.status
ManagementAgent.stop
ManagementAgent.stop
ManagementAgent.start_local
ManagementAgent.start_local
ManagementAgent.status
"""

# ---- the test --------------------------------------------------------------------------------------------------------


def start(home, name, *options):
    place = harness.fresh_directory(WORK / name)
    vm = asked.Asked(home, home == OURS, "Commanded", options, CLASSES, place)
    vm.place, vm.is_ours = place, home == OURS
    return vm


def from_help(vms):
    names = re.findall(r"(?m)^[A-Z]\w+\.\w+$|^help$", vms[0].jcmd("help"))
    for name in names:
        if name in commands.DECLINED:
            continue
        text = vms[0].jcmd("help", name)
        options, arguments = parameters(text, "Options"), parameters(text, "Arguments")
        if len(options) + len(arguments) != text.count("\n\t"):
            fail(f"help {name} is not understood", text)
        for line in bad_usage(name, options, arguments):
            compare(vms, line)
        if name not in BY_HAND:
            for line in good_usage(name, options):
                compare(vms, line)


def by_hand(vms, lines):
    names = set(re.findall(r"(?m)^[A-Z]\w+\.\w+$", vms[0].jcmd("help")))
    for line in lines.strip("\n").split("\n"):
        command = line.split()[0].lstrip("%")
        if re.fullmatch(r"[A-Z]\w+\.\w+", command) and command not in names:
            continue                                                # the other library's
        compare(vms, line.translate(MARKS) if lines is LINES else line)


def long_path(vms):
    """The protocol of 17 carries no such line. HotSpot cuts its answer."""
    for command in ("GC.heap_dump", "Thread.dump_to_file", "Compiler.perfmap", "System.dump_map -F="):
        line = f"{command} /tmp/{5000 * 'x'}".replace("= ", "=")
        texts = [vm.ask(line)[1][:100] for vm in vms]
        if texts[0] != texts[1] or "too long" not in texts[1]:
            fail(command, *texts)


def main():
    missing = commands.without_reason(TESTS)
    if missing:
        fail("declined without a reason in docs/declined.md", missing)
    asked.compile_tools(CLASSES, "Commanded")
    vms = (start(HOTSPOT, "hotspot", "-XX:+UseSerialGC", "-Xshare:off", "-XX:-SegmentedCodeCache"),
           start(OURS, "ours"))
    from_help(vms)
    for lines in (LINES, FILES, CLASSES_AND_TABLES, FLAGS, AGENTS, LOG):
        by_hand(vms, lines)
    if not IS_17:
        long_path(vms)
    for row, reason in DIFFERS:
        if not any(re.fullmatch(row, line) for line in asked_lines) and not (IS_17 and row.startswith("System")):
            fail(f"no line for the row {row} ({reason})")
    print(f"{len(asked_lines)} lines")
    for vm in vms:
        code, _, err = vm.end()
        if code != 0:
            fail("it ends", code, err)


main()
sys.exit(1 if failed else 0)
