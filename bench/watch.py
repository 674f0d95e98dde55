"""What watching costs: what is held or set and not used, and what an event, a look, a redefinition adds."""
import re
import shutil
import statistics
import sys

from part import SHORT_ROUNDS, Measured, Part

UNUSED_BAR, INSTRUCTIONS_BAR = 1.05, 1.02    # in time (the median), in instructions
UNUSED_RUNS, UNUSED_RUNS_HOTSPOT = 11, 3     # HotSpot's figures decide nothing there
COUNTED_TURNS = 8000                         # for instructions
UNUSED = ("field-unused", "breakpoint-unused", "breakpoint-unrelated", "pop-unused", "pop-elsewhere",
          "methods-elsewhere", "step-elsewhere")
# What an event adds: at most this share of what it adds on HotSpot in the same run; where HotSpot has none,
# nanoseconds.
EVENTS = {"methods": 0.15, "step": 0.2, "breakpoint": 0.18, "access": 0.18, "modification": 0.09, "exceptions": 0.01,
          "pop": 0.0125, "vm-alloc": 50, "sampled-alloc": 0.25}
# A look's bar is the ratio of two figures: ours, and the range that HotSpot 17 and 25 needed when the bar was set.
# None: no bar but HotSpot itself. Rows by how they begin.
LOOKS = {"FollowReferences": (40, (16, 18)), "tagged histogram": (15, (1.0, 1.5)),
         "IterateThroughHeap": (100, (35, 40)), "strings": None,
         "tag all": None, "untag all": None, "SetTag": (30, (174, 218)), "GetTag": (25, (70, 260)), "scattered": None,
         "bytes per tag": (12, (60, 68)),
         "GetObjectsWithTags": (2, (6, 39)), "GetStackTrace": (30, (160, 160)), "GetFrameCount": (10, (160, 160)),
         "stack of a running thread": (20, (100, 100)), "GetLocalInt": (2, (100, 100)), "SetLocalInt": (2, (100, 100)),
         "GetBytecodes": (0.5, (2, 2)), "GetAllStackTraces": (0.4, (1, 1)), "RedefineClasses, one": (0.2, (1, 1)),
         "suspended and resumed": None,
         "RetransformClasses, one": (0.2, (1, 1)), "RedefineClasses, 500": (50, (50, 80)),
         "RetransformClasses, 500": (50, (50, 80))}
EARLY_HOOK_BAR = 1.15
# Agents that watch everything (tests/agents/under_watch.c). Compiled code is to take no longer under them than the
# interpreter, which was all that there was before.
AGENTS, AGENT_BAR = ("steps", "methods", "fields", "retransform", "suspend", "references", "samples"), 1.05


def allowed(bar):
    """The ends of the range in which the ratio of a row with that bar has to be at most, or at least."""
    if bar is None:
        return [1.0, 1.0]
    return sorted(bar[0] / end for end in bar[1]) if isinstance(bar, tuple) else [bar, bar]


class Watch(Part):
    def run(self):
        self.instructions()
        self.unused_capabilities()
        self.unused()
        print("added by one event with an empty callback (exceptions, frame pops: by the pair): nanoseconds of thread "
              "CPU time")
        for row, bar in EVENTS.items():
            self.against(row, lambda what: bar)
        print("looked at: as each row says")
        for row in ("heap", "tags", "stack", "classes"):
            self.against(row, lambda what: next(bar for start, bar in LOOKS.items() if what.startswith(start)))
        self.early_hook()
        self.under_agents()

    def under_agents(self):
        print("a program (kernel json) under an agent that watches everything: processor seconds, against our -Xint")
        library, record = self.build / "tests/agents/libunder_watch.so", self.work / "watched"
        for kind in AGENTS:
            agent = f"-agentpath:{library}={kind},{record}"
            found = self.least([self.java(self.image, [*options, agent], "Kernels", "json")
                                for options in ([], ["-Xint"])])
            if not found:
                self.missed.append(f"under {kind}")
                continue
            ours, interpreted = found
            print(f"  {kind:38} ours {ours:10.3f}  -Xint   {interpreted:10.3f}  ratio {ours / interpreted:6.3f}  "
                  + self.verdict(f"under {kind}", ours / interpreted <= AGENT_BAR, f"at most {AGENT_BAR}"), flush=True)

    def unused(self):
        """What is set and not used: the medians of the runs' ratios. Of ours many runs, since a process may be a little
        slower than another."""
        print("set and not used: nanoseconds of thread CPU time for a turn of ordinary code; with it / without it, "
              "after it / before it")
        for row in UNUSED:
            ours = [self.watch_figures(self.image, row) for _ in range(UNUSED_RUNS)]
            theirs = [self.watch_figures(self.hotspot, row) for _ in range(UNUSED_RUNS_HOTSPOT)]
            for what in ours[0]:
                for name, figure in ((what, 1), ("  switched off again", 2)):
                    (turn, ratio), (turn2, ratio2) = ((statistics.median(r[what][figure] for r in runs),
                                                       statistics.median(r[what][figure] / r[what][0] for r in runs))
                                                       for runs in (ours, theirs))
                    self.watch_row(name, turn, turn2, ratio, ratio <= UNUSED_BAR, f"at most {UNUSED_BAR}",
                                   f"HotSpot {ratio2:.2f}", what)

    def watch_row(self, what, ours, theirs, ratio, good, bar, more="", of=""):
        verdict = self.verdict(f"{of}, {what.strip()}" if what.startswith(" ") else what, good, bar)
        print(f"  {what:38} ours {ours:10.3f}  HotSpot {theirs:10.3f}  ratio {ratio:6.3f}  {verdict}  {more}".rstrip(),
              flush=True)

    def against(self, row, bar_of):
        """A row's figures on both VMs, the best of the rounds, and the ratio against the bar; more is better where the
        unit is a rate."""
        rounds = [[self.watch_figures(home, row) for home in (self.image, self.hotspot)]
                  for _ in range(max(SHORT_ROUNDS, self.args.rounds))]
        for what in rounds[0][0]:
            figures = [[r[vm][what][0] for r in rounds if r[vm].get(what, [None])[0] is not None] for vm in (0, 1)]
            bar, rate = bar_of(what), re.search(r"/s$", what) is not None
            best = max if rate else min
            if not figures[1]:
                ours = best(figures[0])
                print(f"  {what:38} ours {ours:10.3f}  HotSpot       none                "
                      + self.verdict(what, ours <= bar, f"at most {bar} ns"))
                self.off_again(what, rounds)
                continue
            ours, theirs = map(best, figures)
            ratio = ours / theirs
            ends = allowed(bar)
            between = f"{ends[0]:.3g}" if ends[0] == ends[1] else f"{ends[0]:.3g}..{ends[1]:.3g}"
            good = ratio >= ends[0] if rate else ratio <= ends[1]
            self.watch_row(what, ours, theirs, ratio, good, f"at {'least' if rate else 'most'} {between}")
            self.off_again(what, rounds)

    def off_again(self, what, rounds):
        """Where a row has figures for it: the time of a turn after the event was switched off, over that before."""
        if len(rounds[0][0][what]) == 1:
            return
        after = [statistics.median(r[vm][what][2] for r in rounds) for vm in (0, 1)]
        ratios = [statistics.median(r[vm][what][2] / r[vm][what][1] for r in rounds) for vm in (0, 1)]
        self.watch_row("  switched off again", *after, ratios[0], ratios[0] <= UNUSED_BAR, f"at most {UNUSED_BAR}",
                       f"HotSpot {ratios[1]:.2f}", what)

    def watch_command(self, home, row, library, *rest, options=()):
        native = ["--enable-native-access=ALL-UNNAMED"] if self.args.jdk != "17" else []
        agent = [] if row == "nothing" else [f"-agentpath:{library}={row}"]
        return self.java(home, [*native, *options, "-Xms1g", "-Xmx1g", *agent], "Watch", library, row, *map(str, rest))

    def watch_figures(self, home, row):
        """What one run of Watch says: {row's name: its figures}, None for a figure that there is not."""
        run = Measured(self.watch_command(home, row, self.build / "bench-native/libbench_watch.so"), self.work)
        found = {what: [None if f == "none" else float(f) for f in figures.split("\t")]
                 for what, figures in re.findall(r"^([^\t\n]+)\t([-\d.Ee\tno]+)$", run.text, re.M)}
        if run.code != 0 or not found:
            sys.exit(f"  exit {run.code}: {home}: {row}\n{run.text[-1500:]}")
        return found

    def unused_capabilities(self):
        """Every kernel without an agent and with one that holds every capability: the median of the ratios of runs in
        turn."""
        print("every potential capability, no event: nanoseconds of thread CPU time for a turn of the kernel; with "
              "the agent / without")
        runs = [[[self.watch_figures(home, row) for row in ("nothing", "everything")] for _ in range(count)]
                for home, count in ((self.image, UNUSED_RUNS), (self.hotspot, UNUSED_RUNS_HOTSPOT))]
        for what in runs[0][0][0]:
            ours, theirs = (statistics.median(held[what][0] for _, held in pairs) for pairs in runs)
            ratio, ratio2 = (statistics.median(held[what][0] / none[what][0] for none, held in pairs) for pairs in runs)
            self.watch_row(what, ours, theirs, ratio, ratio <= UNUSED_BAR, f"at most {UNUSED_BAR}",
                           f"HotSpot {ratio2:.2f}")

    def instructions(self):
        """The same without a clock: what our VM executes for a fixed number of turns of code that has been
        optimised."""
        if not shutil.which("valgrind"):
            print("instructions: no valgrind, not counted")
            return
        print("instructions of our VM for a turn (valgrind); with what is held or set / without it")
        names, held = self.instructions_of("everything")
        for name, on, off in zip(names, held, self.instructions_of("nothing")[1]):
            self.instructions_row(f"every capability, {name}", on, off)
        for row in UNUSED:
            (name,), (before, on, after) = self.instructions_of(row)
            self.instructions_row(name, on, before)
            self.instructions_row("  switched off again", after, before, name)

    def instructions_row(self, what, on, off, of=""):
        verdict = self.verdict(f"instructions, {of}{what}", on / off <= INSTRUCTIONS_BAR, f"at most {INSTRUCTIONS_BAR}")
        print(f"  {what:38} with {on:9.2f}  without {off:9.2f}  ratio {on / off:6.3f}  {verdict}", flush=True)

    def instructions_of(self, row):
        """Names of what a row runs, and for each call of Watch.counted the instructions of a turn."""
        counts = self.work / "callgrind"
        for old in self.work.glob("callgrind.*"):
            old.unlink()
        command = self.watch_command(self.image, row, self.build / "bench-native/libbench_watch.so", COUNTED_TURNS,
                                     options=["-Xbatch"])
        # Compiled code is written by another mapping than it runs in, which only this option notices.
        run = Measured(["valgrind", "--tool=callgrind", "--smc-check=all", f"--callgrind-out-file={counts}",
                        "--toggle-collect=Java_Watch_counted",
                        "--dump-after=Java_Watch_counted", *command], self.work)
        found = [re.search(r"^totals: (\d+)", part.read_text(), re.M) for part in
                 sorted(self.work.glob("callgrind.*"), key=lambda part: int(part.suffix[1:]))]
        if run.code != 0 or not found or None in found:
            sys.exit(f"  exit {run.code}: {row}\n{run.text[-1500:]}")
        return re.findall(r"^([^\t\n=]+)\t[-\d.Ee\t]+$", run.text, re.M), [int(f[1]) / COUNTED_TURNS for f in found]

    def early_hook(self):
        """Start-up with a class file load hook that sees every class and changes none."""
        library = self.build / "bench-native/libbench_watch.so"
        commands = [self.java(home, [f"-agentpath:{library}=early-hook"] if agent else [], "Hello")
                    for home in (self.image, self.hotspot) for agent in (False, True)]
        runs = self.median(commands, lambda r: r.cpu, UNUSED_RUNS)
        print("early class file load hook, every class passing through: CPU milliseconds of Hello World; with the "
              "agent / without")
        if not runs:
            self.missed.append("early hook")
            return
        without, ours, theirs_without, theirs = (1000 * r.cpu for r in runs)
        self.watch_row("start-up", ours, theirs, ours / without, ours / without <= EARLY_HOOK_BAR,
                       f"at most {EARLY_HOOK_BAR}",
                       f"HotSpot {theirs / theirs_without:.2f}")
