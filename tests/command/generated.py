"""Random programs: what each does, told by one checksum, is the same interpreted, compiled (-Xcomp), by both in turn
(SwitchTierEvery), and on HotSpot.

Most are bytecode of shapes that javac does not write (tests/generated/Program.java), one of TEXTS is Java source,
compiled by the library's own javac (tests/generated/SourceProgram.java). GENERATED_PROGRAMS, GENERATED_SEED and
GENERATED_FIRST choose others than the fixed ones, GENERATED_THREADS lets our VM run so many at a time, and
GENERATED_SECONDS is what one process may take before it shows its threads and is ended. HotSpot refuses none of the
programs, whichever verifier sees them. With GENERATED_EVENTS=all what tools are told of them is compared, too
(generated_events.py), with GENERATED_EVENTS=lasting all but breakpoints.

Where something differs the test prints how to run the program alone, how to write its class files for javap, and how
to generate it anew."""
import collections
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, TESTS, BUILD, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "TESTS", "BUILD", "WORK"))
LIBRARY = int(os.environ["LIBRARY"])
OURS = harness.vm_under_test(os.environ["IMAGE"])
PROGRAMS = max(20, int(int(os.environ.get("GENERATED_PROGRAMS", "1000")) / harness.time_scale()))
SEED = os.environ.get("GENERATED_SEED", "20241123")
FIRST = int(os.environ.get("GENERATED_FIRST", "0"))
THREADS = os.environ.get("GENERATED_THREADS", "1")
EVENTS = os.environ.get("GENERATED_EVENTS")
TEXTS = int(os.environ.get("GENERATED_TEXTS", "10"))  # one program of so many is Java source
COUNTED = max(300, PROGRAMS // 5)          # programs whose instructions are counted
PIECE = 2000                               # programs in one file, run by one process
SECONDS = int(os.environ.get("GENERATED_SECONDS", (60 + PIECE / 10) * harness.time_scale()))    # of one process
SHOWN = 10
# What HotSpot's C1 makes of these programs says something else: a checkcast whose class C1 finds loaded leaves the
# constant pool's entry unresolved, and then the message of the ClassCastException does not say where that class comes
# from. So what generates the programs and sums them up is compiled, they themselves, whose classes' names begin with P
# or S, are not. After many exceptions of a kind HotSpot would throw one without a message. And where its interpreter
# has made one instruction of two (aload_0 and getfield), an exception has the line of the first.
HOTSPOT_OPTIONS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-OmitStackTraceInFastThrow",
                   "-XX:-RewriteFrequentPairs",
                   "-XX:CompileCommand=quiet", "-XX:CompileCommand=exclude,P*.*", "-XX:CompileCommand=exclude,S*.*"]
# Compiled code of HotSpot's does not tell tools everything: with events all is interpreted.
ORACLE_OPTIONS = [*HOTSPOT_OPTIONS, *(["-Xint"] if EVENTS else [])]
# In the last one methods are optimised when they have run some times, and their names are resolved.
MODES = [["-Xint"], ["-Xcomp"], ["-Xcomp", "-XX:SwitchTierEvery=10"],
         ["-XX:CompileThresholdScaling=0.001", "-XX:SwitchTierEvery=100", "-XX:DeoptimizeEvery=100"]]
THROWN = ["ArithmeticException", "ArrayIndexOutOfBoundsException", "ArrayStoreException", "ClassCastException",
          "IllegalStateException", "NegativeArraySizeException", "NullPointerException"]
# In fewer programs than this chance may leave out an instruction or an exception, and seldom in so many: of programs
# that no test names nobody asks (GENERATED_COUNTS=0).
ENOUGH = 500
COUNTS = os.environ.get("GENERATED_COUNTS", "1") == "1"
CLASSES = WORK / "classes"


def compile_generator():
    sources = [TESTS / "differential/ClassAssembler.java", *sorted((TESTS / "generated").glob("*.java"))]
    subprocess.run([*harness.javac(HOTSPOT), "-Xlint:-options", "-d", CLASSES, *sources], check=True)
    digest = hashlib.sha256((HOTSPOT / "release").read_bytes())
    for source in [*sources, TESTS / "agents/event_stream.c"]:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def of_agent(ours):
    """Options for the agent that sums up events."""
    library = harness.agent_library(BUILD, "event_stream", ours)
    return [f"-agentpath:{library}={EVENTS}", "-Dgenerated.events=true"] if EVENTS else []


def lines(text):
    """The line of each program, by its number, and how often each exception came out of a method."""
    if "FAILED" in text:                   # so says the agent
        sys.exit(f"a function of JVM TI fails:\n{text[-3000:]}")
    found, thrown = {}, collections.Counter()
    for line in text.splitlines():
        number, _, rest = line.partition(" ")
        if number.isdigit():
            found[int(number)] = rest
        elif number == "thrown":
            name, count = rest.split()
            thrown[name] += int(count)
    return found, thrown


class Piece:
    """Some programs: their file, and what HotSpot says of them, from the cache if they are known."""

    def __init__(self, first, count, generator):
        self.first, self.count = first, count
        self.file = WORK / f"{'counted' if generator is None else 'programs'}-{first}.bin"
        self.command = [*harness.java(HOTSPOT), *HOTSPOT_OPTIONS, "-cp", CLASSES, "Generate", self.file, SEED, first,
                        count, TEXTS, LIBRARY]
        if generator is not None:
            self.ask(generator)

    def ask(self, generator):
        key = f"{generator} {SEED} {self.first} {self.count} {TEXTS} {ORACLE_OPTIONS} {EVENTS}"
        kept = BUILD / f"tests/oracle/generated.{LIBRARY}.{hashlib.sha256(key.encode()).hexdigest()[:16]}.json"
        subprocess.run([str(c) for c in self.command], check=True)
        content = hashlib.sha256(self.file.read_bytes()).hexdigest()
        record = json.loads(kept.read_text()) if kept.exists() else {}
        if record.get("content") != content:
            record = {"content": content, "out": self.of_hotspot()}
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(record))
        self.expected, self.thrown = lines(record["out"])

    def of_hotspot(self):
        """Its lines. Behind a program that it dies of the others go on; the run fails at its end for want of that."""
        text, first, died = "", self.first, 0
        while first < self.first + self.count:
            outcome = self.run(HOTSPOT, ORACLE_OPTIONS, False, first, self.first + self.count - 1)
            text += outcome.out.decode()
            if outcome.code == 0:
                break
            died, first = died + 1, max(lines(text)[0], default=first - 1) + 2
            report = f"HotSpot: {outcome.ended()} in program {first - 1} of seed {SEED}"
            if died == SHOWN or first > self.first + self.count:
                sys.exit(f"{report}\n{outcome.err.decode(errors='replace')[-3000:]}")
            print(report, flush=True)
        return text

    def run(self, java, options, ours, *arguments):
        return harness.run(self.alone(java, options, *arguments), WORK, SECONDS, ours=ours)

    def alone(self, java, options, *arguments):
        return [*harness.java(java), *options, *of_agent(java == OURS), "-Xmx256m", "-cp", CLASSES, "RunPrograms",
                self.file, *arguments]

    def refused(self):
        return [f"program {n} is none: HotSpot says {line}" for n, line in self.expected.items()
                if re.search(r"\.(VerifyError|\w*Linkage\w*|ClassFormatError|IncompatibleClassChangeError|"
                             r"NoSuch\w+Error|BootstrapMethodError|NoClassDefFoundError)", line)]

    def differences(self, mode):
        """Numbers of programs that end differently; behind one that ends the process the others go on."""
        options, found, first = [*harness.vm_options(), *mode], [], self.first
        while first < self.first + self.count and len(found) < SHOWN:
            outcome = self.run(OURS, options, True, first, self.first + self.count - 1, THREADS)
            actual, _ = lines(outcome.out.decode(errors="replace"))
            last = max(actual, default=first - 1)
            for number in sorted(actual):
                if number in self.expected and actual[number] != self.expected[number]:
                    found.append(number)
                    self.show(number, options, actual[number])
            if outcome.code == 0 and last == self.first + self.count - 1:
                break
            first = last + 2
            found.append(last + 1)
            threads = re.sub(rb"(?m)^(\d+|thrown) .*\n", b"", outcome.out) if outcome.timed_out else b""
            self.show(last + 1, options,
                      outcome.ended() + "\n" + (threads[:6000] + outcome.err[-2000:]).decode(errors="replace"))
            harness.show_crash_reports(WORK)
        return found

    def show(self, number, options, actual):
        alone = shlex.join(map(str, self.alone(OURS, options, number, number)))
        dump = shlex.join(map(str, [*harness.java(HOTSPOT), "-cp", CLASSES, "ProgramFile", self.file, number,
                                    WORK / f"program-{number}"]))
        generate = shlex.join(map(str, [*self.command[:-5], SEED, number, 1, TEXTS, LIBRARY]))
        print(f"program {number} of seed {SEED}, {' '.join(options)}:\n  HotSpot  {self.expected.get(number)}\n"
              f"  ours     {actual}\n  alone:   {alone}\n  javap:   {dump}\n  anew:    {generate}", flush=True)


def executed():
    """How often HotSpot executes each instruction in the first programs, which are generated to count them."""
    counted = Piece(FIRST, COUNTED, None)
    subprocess.run([str(c) for c in [*counted.command[:-2], "0", LIBRARY, "counted"]], check=True)
    out = counted.run(HOTSPOT, HOTSPOT_OPTIONS, False).out.decode()
    return {name: int(count) for name, count in re.findall(r"^executed (\w+) (\d+)$", out, re.M)}


def main():
    harness.fresh_directory(WORK)
    generator = compile_generator()
    failed, expected, thrown = [], {}, collections.Counter()
    for first in range(FIRST, FIRST + PROGRAMS, PIECE):
        piece = Piece(first, min(PIECE, FIRST + PROGRAMS - first), generator)
        expected.update(piece.expected)
        thrown += piece.thrown
        failed += piece.refused()
        for mode in MODES:
            different = piece.differences(mode)
            if different:
                failed.append(f"{' '.join(mode)}: programs {different}")
    if len(expected) != PROGRAMS:
        failed.append(f"HotSpot ran {len(expected)} programs of {PROGRAMS}")
    told = [int(found[1]) for found in map(re.compile(r"\w+ (\d+) events ").match, expected.values()) if found]
    if EVENTS and (len(told) != PROGRAMS or sum(told) < 500 * PROGRAMS):
        failed.append(f"{sum(told)} events of {len(told)} programs")
    normal = sum(line.endswith(" normally") for line in expected.values())
    print(f"{len(expected)} programs, {normal} end normally; out of methods came {dict(thrown)}")
    if PROGRAMS >= ENOUGH and COUNTS:
        counts = executed()
        failed += [f"no program executes {name}" for name, count in counts.items() if count == 0]
        if len(counts) < 200:
            failed.append(f"{len(counts)} instructions are counted")
        failed += [f"no method throws {name}" for name in THROWN if not thrown["java.lang." + name]]
        if not 0.5 < normal / PROGRAMS < 0.98:
            failed.append(f"{normal} of {PROGRAMS} end normally")
    print("\n".join(failed))
    sys.exit(1 if failed else 0)


main()
