"""What the test drivers share: which VM is under test, how a Java command is run, how outputs are made comparable."""
import ctypes
import difflib
import os
import re
import resource
import shutil
import signal
import subprocess
from pathlib import Path

# The launcher and the VM would read these; a developer's shell must not change what is tested.
VARIABLES_OF_THE_VM = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_HOME", "CLASSPATH",
                       "JDK_ALTERNATE_VM", "_JAVA_LAUNCHER_DEBUG")


# For the JDK's attach tools: how long they wait until a VM listens, in milliseconds; they give up after ten seconds
# otherwise.
ATTACH_PATIENCE = "-Dsun.tools.attach.attachTimeout=200000"


def vm_under_test(image):
    """The JDK directory whose VM is tested: the image, or what JVM_UNDER_TEST names (to try the harness itself)."""
    return Path(os.environ.get("JVM_UNDER_TEST") or image)


def vm_options():
    """Options of the mode that the tests run in (stress, for instance), for our VM only."""
    return os.environ.get("VITRINE_TEST_VM_OPTIONS", "").split()


def time_scale():
    """How much slower than a release build the mode may be."""
    return float(os.environ.get("VITRINE_TEST_TIME_SCALE", "1"))


def fix_addresses():
    """Programs begin with the same addresses each time, where the system allows it. AddressSanitizer leaves halves of
    stack addresses in the frames of C functions, and the collector would take some of them for an object's, now and
    then: a heap that a program fills to the brim has no room for what they keep."""
    addr_no_randomize = 0x0040000
    ctypes.CDLL(None).personality(addr_no_randomize)


def environment(ours):
    env = {k: v for k, v in os.environ.items() if k not in VARIABLES_OF_THE_VM}
    env.update(LANG="C.UTF-8", LC_ALL="C.UTF-8", TZ="UTC")
    preload = os.environ.get("VITRINE_TEST_PRELOAD")
    if ours and preload:
        fix_addresses()
        env["LD_PRELOAD"] = preload
        # Leaks: the process ends while daemon threads run, and the JDK's libraries never free what they keep. Use after
        # return: clang would put C variables beside the stack, where the collector does not look for objects.
        # Too much memory asked for is refused, as without the sanitizer.
        env.setdefault("ASAN_OPTIONS",
                       "allocator_may_return_null=1:detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0:"
                       "allow_user_segv_handler=1:use_sigaltstack=0")
        env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1")
    return env


def agent_library(build, name, ours):
    """The library of a test agent, or of the histogram, for our VM or for HotSpot, which runs without the sanitizer
    even in that mode."""
    if os.environ.get("VITRINE_TEST_PRELOAD") and not ours:
        return f"{build}/tests/agents_plain/lib{name}.so"
    return f"{build}/libhistogram.so" if name == "histogram" else f"{build}/tests/agents/lib{name}.so"


def java(home):
    """The launcher of a JDK: how a command begins. HotSpot shares a directory in /tmp with every other process of its
    kind; when two start at the same moment, one may write a warning of that to its standard output."""
    return [f"{home}/bin/java", "-XX:-UsePerfData"]


def javac(home):
    """The compiler of a JDK, on its own VM: how a command begins. It has little to do; C2 and G1 would cost more than
    that."""
    return [f"{home}/bin/javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]


class Outcome:
    """What a process left behind. `ended` says how, in words."""

    def __init__(self, out, err, code, timed_out=False):
        self.out, self.err, self.code, self.timed_out = out, err, code, timed_out

    def ended(self):
        if self.timed_out:
            return "no end within the time limit"
        if self.code < 0:
            return f"killed by {signal.Signals(-self.code).name}"
        return f"exit {self.code}"


def run(command, cwd, timeout, ours=False, stdin=b"", extra_env=None):
    """Runs a command in its own process group. At the time limit: SIGQUIT first, so that the VM shows its threads."""
    env = environment(ours)
    env.update(extra_env or {})

    def no_core():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    process = subprocess.Popen([str(c) for c in command], cwd=cwd, env=env, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True, preexec_fn=no_core)
    try:
        out, err = process.communicate(stdin, timeout=timeout)
        return Outcome(out, err, process.returncode)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGQUIT)
        try:
            process.communicate(timeout=3)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        out, err = process.communicate()
        return Outcome(out, err, process.returncode, timed_out=True)


# What may differ between two runs of one VM, or names the VM itself.
RULES = [(re.compile(pattern), replacement) for pattern, replacement in (
    (r"((?<=[\w\];)>])|(?<=unnamed module ))@[0-9a-f]{1,8}\b", "@#"),   # Object.toString: identity hash
    (r"\b0x[0-9a-f]{8,16}\b", "0x#"),                                # names of hidden classes, addresses
    (r"(\$\$Lambda)(\$\d+)?/", r"\1/"),                              # 17 numbers its lambdas
    (r"(OpenJDK|Vitrine|Java HotSpot\(TM\)) 64-Bit( Server)? VM", "<VM>"),
    (r"\bVitrine( Server)?( VM)?\b", "<VM>"),
)]


def normalise(text, places):
    """`places`: (path, name) pairs, replaced longest path first."""
    text = text.decode("utf-8", "backslashreplace")
    for path, name in sorted(places, key=lambda p: -len(str(p[0]))):
        text = text.replace(str(path), name)
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text


def without_pid(text, pid):
    """PID for the process id, only where one stands: ids come round, and then are as short as any other number."""
    return re.sub(rf"(?im)(^(?={pid}:$)|pid\W{{0,3}}|/proc/){pid}(?!\d)", r"\1PID", text)


def show_difference(what, expected, actual, limit=80):
    lines = list(difflib.unified_diff(expected.splitlines(), actual.splitlines(), f"{what} of HotSpot",
                                      f"{what} of ours",
                                      lineterm="", n=2))
    for line in lines[:limit]:
        print("   ", line)
    if len(lines) > limit:
        print(f"    ... {len(lines) - limit} more lines differ")


def fresh_directory(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def show_crash_reports(directory, limit=40):
    for report in sorted(Path(directory).glob("hs_err_pid*.log")):
        print(f"--- {report}")
        print("\n".join(report.read_text(errors="replace").splitlines()[:limit]))
