"""The virtual machine's records as gdb shows them: objects, classes, methods, frames and threads in Java's terms.

    (gdb) source scripts/gdb.py

Pointers to such records are then printed with what they stand for (print, bt, info locals), a backtrace says which
methods' compiled code it goes through, and there are the commands java-threads, java-stack, java-object, java-class and
java-method, and the functions $java_local and $java_field.
Nothing of the process is called: core files are read in the same way. Needs the debugging information that the build
leaves in libjvm.so.
"""
import gdb
import gdb.FrameDecorator

ACC_STATIC, FRAME_NATIVE = 0x0008, 2
ARRAY_DATA, ARRAY_LENGTH = 16, 8
# enum basic_type -> type that a value is read with
PRIMITIVES = {"Z": "unsigned char", "C": "unsigned short", "F": "float", "D": "double", "B": "signed char",
              "S": "short", "I": "int", "J": "long"}
SHOWN_ELEMENTS = 20


def pointer_to(name):
    return gdb.lookup_type(name).pointer()


def read(address, c_type):
    return gdb.Value(int(address)).cast(gdb.lookup_type(c_type).pointer()).dereference()


def atomic(value):
    """The value of an _Atomic member; gdb sees through the qualifier, not always through typeof."""
    return value.cast(value.type.strip_typedefs().unqualified())


def symbol_text(symbol):
    if int(symbol) == 0:
        return "?"
    return symbol["bytes"].address.cast(pointer_to("char")).string("utf-8", "replace", int(symbol["length"]))


def class_name(c):
    """As Class.getName, with arrays as in source text."""
    if int(c) == 0:
        return "(no class)"
    return external(symbol_text(c["name"]))


def external(name):
    dimensions = len(name) - len(name.lstrip("["))
    if dimensions:
        name = name[dimensions:]
        name = name[1:-1] if name.startswith("L") else dict(
            zip("ZCFDBSIJ", ("boolean", "char", "float", "double", "byte", "short", "int", "long")))[name]
    return name.replace("/", ".").replace("+0x", "/0x") + "[]" * dimensions


def class_of(address):
    number = int(read(address, "uint32_t"))
    shape = gdb.parse_and_eval("shape_table")[number]
    return shape.cast(pointer_to("struct class"))


def reference(address):
    """The object that a reference in the heap names: its address, 0 for null."""
    return int(read(address, "uint32_t")) << 3


def fields_of(c, static=False):
    """(field, where it is declared), superclasses' first."""
    chain = []
    while int(c):
        chain.insert(0, c)
        c = gdb.Value(0).cast(c.type) if static else c["super"]
    for declaring in chain:
        for i in range(int(declaring["field_count"])):
            f = declaring["fields"][i]
            if bool(int(f["access_flags"]) & ACC_STATIC) == static:
                yield f, declaring


def field_text(base, f):
    desc, at = symbol_text(f["desc"]), base + int(f["offset"])
    return value_text(desc, at)


def value_text(desc, at):
    if desc[0] in "L[":
        return object_text(reference(at))
    value = read(at, PRIMITIVES[desc])
    if desc == "Z":
        return "true" if int(value) else "false"
    if desc == "C":
        return repr(chr(int(value)))
    return str(float(value)) if desc in "FD" else str(int(value))


def named_field(address, c, name):
    for f, _ in fields_of(c):
        if symbol_text(f["name"]) == name:
            return address + int(f["offset"])
    return None


def string_text(address, c):
    array = reference(named_field(address, c, "value"))
    if array == 0:
        return "String without a value"
    length = int(read(array + ARRAY_LENGTH, "int"))
    data = bytes(gdb.selected_inferior().read_memory(array + ARRAY_DATA, min(length, 4096)))
    wide = int(read(named_field(address, c, "coder"), "unsigned char"))
    text = data.decode("utf-16-le" if wide else "latin-1", "replace")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def object_text(address):
    """One line for an object."""
    if address == 0:
        return "null"
    c = class_of(address)
    name = class_name(c)
    if symbol_text(c["name"]).startswith("["):
        return f"{name[:name.index('[')]}[{int(read(address + ARRAY_LENGTH, 'int'))}]{name[name.index('[') + 2:]} " \
               f"@ {address:#x}"
    if name == "java.lang.String":
        return string_text(address, c)
    return f"{name} @ {address:#x}"


def method_text(m):
    if int(m) == 0:
        return "(no method)"
    return f"{class_name(m['holder'])}.{symbol_text(m['name'])}{symbol_text(m['desc'])}"


def line_of(code, bci):
    """Line number of a bytecode index (JVMS 4.7.12); None where the class file has none."""
    member = code["member"]
    if int(member) == 0 or int(member["code"]) == 0 or int(member["code"]["line_numbers"]) == 0:
        return None
    table = int(code["owner"]["cf"]["bytes"]) + int(member["code"]["line_numbers"])
    u2 = lambda at: int.from_bytes(bytes(gdb.selected_inferior().read_memory(at, 2)), "big")
    rows = ((u2(table + 2 + 4 * i), u2(table + 4 + 4 * i)) for i in range(u2(table)))
    before = [row for row in rows if row[0] <= bci]
    return max(before)[1] if before else None


def source_of(code):
    cf = code["owner"]["cf"]
    index = int(cf["source_file"])
    if index == 0:
        return None
    offsets = int(cf["cp"]["offsets"])
    at = int(cf["bytes"]) + int(read(offsets + 4 * index, "uint32_t") if cf["cp"]["wide"] else
                                read(offsets + 2 * index, "uint16_t"))
    length = int.from_bytes(bytes(gdb.selected_inferior().read_memory(at, 2)), "big")
    return bytes(gdb.selected_inferior().read_memory(at + 2, length)).decode("utf-8", "replace")


def frame_text(f):
    """As a line of a Throwable's stack trace, with the bytecode index."""
    code = f["code"]
    m = code["method"]
    where = f"{class_name(m['holder'])}.{symbol_text(m['name'])}"
    if int(f["flags"]) & FRAME_NATIVE:
        return f"{where}(Native Method)"
    bci = int(f["pc"]) - int(code["code"])
    line = line_of(code, bci)
    at = (source_of(code) or "Unknown Source") + (f":{line}" if line is not None else "")
    return f"{where}({at}) bci {bci}"


def java_threads():
    t = gdb.parse_and_eval("vm")["threads"]["java"]
    while int(t):
        yield t
        t = t["next"]


def thread_name(t):
    return t["name"].string("utf-8", "replace") or "(unnamed)"


def thread_text(t):
    carrier = t["carrier"]
    if int(carrier) == 0:
        return f'"{thread_name(t)}" without a carrier'
    state = str(atomic(carrier["state"]).cast(gdb.lookup_type("enum thread_state")))
    return f'"{thread_name(t)}" tid {int(carrier["tid"])} {state}'


# ---- compiled code -------------------------------------------------------------------------------------------------

def blob_at(pc):
    """What lies there in the code cache (jit/cache.h); None: nothing."""
    if int(gdb.parse_and_eval("vm")) == 0 or int(gdb.parse_and_eval("vm")["jit"]) == 0:
        return None
    cache = gdb.parse_and_eval("vm")["jit"]["cache"]
    first = int(cache["runs"]) + int(cache["first"])
    at = pc - first
    if not 0 <= at < int(cache["size"]):
        return None
    grain = int(cache["grain"])
    for i in range(at // grain, -1, -1):
        if int(read(int(cache["begins"]) + i // 8, "unsigned char")) >> i % 8 & 1:
            return gdb.Value(first + i * grain).cast(pointer_to("struct code_blob"))
    return None


def bci_at(blob, pc):
    """By the table behind the code (jit/pcs.h, in chunks as jit/rows.h has it); negative: there is no frame yet, or
    none any more."""
    begin = int(blob) + blob.dereference().type.sizeof
    first, end = int(blob["pcs"]), int(blob["entries"])
    table = bytes(gdb.selected_inferior().read_memory(begin + first, end - first))
    at = 0

    def number():
        nonlocal at
        shift = value = 0
        while table[at] >= 0x80:
            value, shift, at = value | (table[at] & 0x7f) << shift, shift + 7, at + 1
        value, at = value | table[at] << shift, at + 1
        return value

    offset = chunk = chunk_end = bci = found = 0
    while at < len(table):
        if at >= chunk_end:
            chunk += number()
            length = number()
            offset, chunk_end, bci = chunk, at + length if length != 0 else len(table), 0
        else:
            offset += number()
        if offset > pc - begin:
            break
        change = number()
        bci += -(change >> 1) if change & 1 else change >> 1
        found = bci
    return found


def compiled_text(pc):
    """Method, source and bytecode index of compiled code; None: it is none."""
    blob = blob_at(pc)
    if blob is None or int(blob["method"]) == 0 or int(blob["pcs"]) == 0:
        return None
    code, bci = blob["method"], bci_at(blob, pc)
    m = code["method"]
    text = f"{class_name(m['holder'])}.{symbol_text(m['name'])}"
    line = line_of(code, bci) if bci >= 0 else None
    at = (source_of(code) or "Unknown Source") + (f":{line}" if line is not None else "")
    return f"{text}({at})" + (f" bci {bci}" if bci >= 0 else "")


def youngest_frame(t):
    """Where compiled code runs a register has it, elsewhere the thread's record: exec/signal_bci.c."""
    tid = int(t["carrier"]["tid"]) if int(t["carrier"]) else 0
    selected = gdb.selected_thread()
    for thread in (x for x in gdb.selected_inferior().threads() if x.ptid[1] == tid):
        if thread != selected:
            thread.switch()
        newest = gdb.newest_frame()
        blob = blob_at(newest.pc())
        youngest = newest.read_register("rbx") if blob is not None and int(blob["pcs"]) != 0 else t["frame"]
        if thread != selected and selected:
            selected.switch()
        return youngest.cast(t["frame"].type)
    return t["frame"]


class CompiledFrame(gdb.FrameDecorator.FrameDecorator):
    def function(self):
        frame = self.inferior_frame()
        pc = frame.pc()
        if frame.name() != "compiled_method":
            return super().function()
        return compiled_text(pc if frame.level() == 0 else pc - 1) or super().function()


class CompiledFrames:
    """A filter: frames of compiled code have the method's name."""
    name, priority, enabled = "vitrine-compiled", 100, True

    def filter(self, frames):
        return (CompiledFrame(f) for f in frames)


# ---- printers ------------------------------------------------------------------------------------------------------

class Pointer:
    """A pointer printed as gdb does, followed by what it stands for."""

    def __init__(self, value, text):
        self.value, self.text = value, text

    def to_string(self):
        address = int(self.value)
        if address == 0:
            return "0x0"
        try:
            return f"{address:#x} <{self.text(self.value)}>"
        except (gdb.error, KeyError, ValueError):
            return f"{address:#x} <not readable>"


PRINTERS = {
    "object": lambda p: object_text(int(p)),
    "class": class_name,
    "method": method_text,
    "field": lambda p: f"{class_name(p['holder'])}.{symbol_text(p['name'])} {symbol_text(p['desc'])}",
    "method_code": lambda p: method_text(p["method"]),
    "frame": frame_text,
    "symbol": symbol_text,
    "java_thread": thread_text,
    "os_thread": lambda p: thread_text(p["java"]) if int(p["java"]) else f"VM thread, tid {int(p['tid'])}",
}


def printer_for(value):
    kind = value.type.strip_typedefs()
    if kind.code != gdb.TYPE_CODE_PTR:
        return None
    target = kind.target().strip_typedefs().unqualified()
    if target.code == gdb.TYPE_CODE_STRUCT and target.tag in PRINTERS:
        return Pointer(value, PRINTERS[target.tag])
    return None


# ---- commands ------------------------------------------------------------------------------------------------------

def evaluated(argument, struct):
    """What an expression means as a pointer to `struct`."""
    value = gdb.parse_and_eval(argument)
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
        value = value.address
    return gdb.Value(int(value)).cast(pointer_to("struct " + struct))


class Command(gdb.Command):
    def __init__(self):
        super().__init__(self.NAME, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if int(gdb.parse_and_eval("vm")) == 0:
            raise gdb.GdbError("There is no virtual machine in this process (any more).")
        self.run(argument.strip())


class JavaThreads(Command):
    """java-threads: the Java threads, in the order in which they came."""
    NAME = "java-threads"

    def run(self, argument):
        for t in java_threads():
            print(f"{int(t):#x} {thread_text(t)}")


class JavaStack(Command):
    """java-stack [THREAD | "name" | all]: Java frames of a thread, youngest first; without an argument the selected
    one's.

    THREAD is an expression for a struct java_thread *."""
    NAME = "java-stack"

    def run(self, argument):
        threads = list(java_threads())
        if argument.startswith('"'):
            wanted = [t for t in threads if thread_name(t) == argument.strip('"')]
            if not wanted:
                raise gdb.GdbError(f"There is no Java thread called {argument}: java-threads lists them.")
        elif argument == "all":
            wanted = threads
        elif argument:
            wanted = [evaluated(argument, "java_thread")]
        else:
            selected = gdb.selected_thread()
            wanted = [t for t in threads if selected and int(t["carrier"])
                      and int(t["carrier"]["tid"]) == selected.ptid[1]]
            if not wanted:
                raise gdb.GdbError("The selected thread is no Java thread: java-threads lists them.")
        for t in wanted:
            print(thread_text(t))
            f, n = youngest_frame(t), 0
            while int(f):
                print(f"  #{n:<3} {frame_text(f)}")
                f, n = f["caller"], n + 1


class JavaObject(Command):
    """java-object EXPRESSION: the object at an address, with its fields or elements."""
    NAME = "java-object"

    def run(self, argument):
        if not argument:
            raise gdb.GdbError("java-object needs an expression: the address of an object.")
        address = int(gdb.parse_and_eval(argument))
        print(object_text(address))
        if address == 0:
            return
        c = class_of(address)
        desc = symbol_text(c["name"])
        if desc.startswith("["):
            length, size = int(read(address + ARRAY_LENGTH, "int")), 1 << int(c["shape"]["element_shift"])
            for i in range(min(length, SHOWN_ELEMENTS)):
                print(f"  [{i}] = {value_text(desc[1:], address + ARRAY_DATA + i * size)}")
            if length > SHOWN_ELEMENTS:
                print(f"  ... {length - SHOWN_ELEMENTS} more")
            return
        for f, declaring in fields_of(c):
            print(f"  {class_name(declaring)}.{symbol_text(f['name'])} = {field_text(address, f)}")


def method_at(c, slot):
    """class_method_at of link/class.h."""
    added = c["added_methods"]
    if not int(added) or slot < int(added["first"]):
        return c["methods"][slot]
    n, smallest = slot - int(added["first"]), int(gdb.parse_and_eval("FIRST_ADDED_METHODS"))
    block = (n // smallest + 1).bit_length() - 1
    return added["blocks"][block][n - smallest * ((1 << block) - 1)]


class JavaClass(Command):
    """java-class NAME | EXPRESSION: a class, its static fields and its methods. NAME as in Java: java.lang.String."""
    NAME = "java-class"

    def run(self, argument):
        if not argument:
            raise gdb.GdbError("java-class needs a name, or an expression for a struct class *.")
        for c in self.wanted(argument):
            print(f"{class_name(c)} @ {int(c):#x}, superclass {class_name(c['super']) if int(c['super']) else 'none'}")
            for f, _ in fields_of(c, static=True):
                print(f"  static {symbol_text(f['name'])} = {field_text(int(c['statics']), f)}")
            for m in (method_at(c, slot) for slot in range(int(c["method_count"]))):
                if int(m["entry"]) == int(gdb.parse_and_eval("ENTRY_DELETED")):
                    continue
                print(f"  {m.address.cast(pointer_to('void'))} {symbol_text(m['name'])}{symbol_text(m['desc'])}")

    @staticmethod
    def wanted(argument):
        if argument.startswith(("(", "$", "0x")):
            return [evaluated(argument, "class")]
        table, found = gdb.parse_and_eval("shape_table"), []
        statics = gdb.parse_and_eval("SHAPE_STATICS")
        for i in range(1, int(atomic(gdb.parse_and_eval("next_class_id")))):
            if int(table[i]) and int(table[i]["kind"]) != int(statics):
                c = table[i].cast(pointer_to("struct class"))
                if class_name(c) == argument:
                    found.append(c)
        if not found:
            raise gdb.GdbError(f"No class called {argument} has been loaded.")
        return found


class JavaMethod(Command):
    """java-method EXPRESSION: a struct method * in full: how it is entered and where its code is."""
    NAME = "java-method"

    def run(self, argument):
        m = evaluated(argument, "method")
        code = atomic(m["code"])
        print(method_text(m))
        print(f"  entry {m['entry'].cast(gdb.lookup_type('enum method_entry'))}, code version "
              f"{int(code['owner']['number']) if int(code) and int(code['owner']) else 'none'}")
        if int(code) and int(code["member"]) and int(code["member"]["code"]):
            print(f"  bytecode at {int(code['code']):#x}, {int(code['member']['code']['code_length'])} bytes, "
                  f"{int(code['max_locals'])} locals, operand stack {int(code['max_stack'])}")


class JavaLocal(gdb.Function):
    """$java_local(FRAME, N): slot N of a frame's local variables. Not looked at is whether it holds a value there."""

    def __init__(self):
        super().__init__("java_local")

    def invoke(self, f, n):
        if not 0 <= int(n) < int(f["code"]["max_locals"]):
            raise gdb.GdbError(f"The frame has {int(f['code']['max_locals'])} local variables.")
        return read(int(f) + 8 * (int(n) - int(f["code"]["max_locals"])), "uint64_t")


class JavaField(gdb.Function):
    """$java_field(OBJECT, NAME): the object that an object's field of that name refers to: its address, 0 for null."""

    def __init__(self):
        super().__init__("java_field")

    def invoke(self, address, name):
        at = named_field(int(address), class_of(int(address)), name.string())
        if at is None:
            raise gdb.GdbError(f"{object_text(int(address))} has no field {name}.")
        return reference(at)


JavaLocal()
JavaField()
for command in (JavaThreads, JavaStack, JavaObject, JavaClass, JavaMethod):
    command()
gdb.pretty_printers.append(printer_for)
gdb.frame_filters[CompiledFrames.name] = CompiledFrames()
