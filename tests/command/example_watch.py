"""The example of the README: an agent that watches a field of a running program (examples/watch). It reports the same
on both VMs, and with ours the code of the method that only loads the field is the same as without a watch."""
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, TESTS = Path(os.environ["HOTSPOT"]), Path(os.environ["TESTS"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
SOURCE = TESTS.parent / "examples/watch"


def build():
    """As the agent's first lines say."""
    harness.fresh_directory(WORK)
    head = (SOURCE / "field_watch.c").read_text()
    command = shlex.split(re.search(r"^ \* +(cc .*)$", head, re.M).group(1).replace("<jdk>", str(HOTSPOT)))
    subprocess.run([*command[:-1], SOURCE / command[-1]], cwd=WORK, check=True)
    subprocess.run([*harness.javac(HOTSPOT), "-d", WORK, SOURCE / "Orders.java"], check=True)


def run(java, seconds, *options):
    """What was said of the field, how often the program said something else, how it ended; machine code of take."""
    ours = java == OURS
    log = ["-Xlog:jit=debug:file=jit.log"] if ours else []
    outcome = harness.run([*harness.java(java), *log, *options, "-cp", WORK, "Orders", str(seconds)], WORK,
                          60 * harness.time_scale(), ours)
    out, err = outcome.out.decode().splitlines(), outcome.err.decode().splitlines()
    reported = [line for line in out if " becomes " in line]
    told = [line for line in out if re.fullmatch(r"second \d+: [\d,]+\.\d million orders", line)]
    sizes = re.findall(r"Orders\.take\(I\)V: \d+ bytes of bytecode, (\d+) of machine code",
                       (WORK / "jit.log").read_text()) if ours else []
    return (reported, len(told), len(out) - len(reported) - len(told), err, outcome.ended()), sizes


def attached():
    """The first change that an agent sees which comes into the running program. The program ends with the test."""
    process = subprocess.Popen([*harness.java(OURS), *harness.vm_options(), "-cp", WORK, "Orders", "100000"],
                               stdout=subprocess.PIPE, text=True, env=harness.environment(True))
    try:
        process.stdout.readline()
        subprocess.run([OURS / "bin/jcmd", str(process.pid), "JVMTI.agent_load", WORK / "libfield_watch.so",
                        "Orders.price"], check=True, stdout=subprocess.DEVNULL, env=harness.environment(True))
        return next((line for line in process.stdout if " becomes " in line), "")
    finally:
        process.kill()
        process.wait()


def main():
    build()
    failed = []
    rows = {}
    for option in "Orders.price", "Orders.nothing", "Orders":
        agent = f"-agentpath:{WORK}/libfield_watch.so={option}"
        (expected, _), (actual, rows[option]) = run(HOTSPOT, 2, agent), run(OURS, 2, agent)
        # HotSpot and ours say in their own words which agent has failed.
        if (actual[:3], actual[3][:1], actual[4]) != (expected[:3], expected[3][:1], expected[4]):
            failed.append(option)
            harness.show_difference(option, "\n".join(map(str, expected)), "\n".join(map(str, actual)))
        if option == "Orders.price" and len(expected[0]) != 2:
            failed.append("nothing was watched")
    _, plain = run(OURS, 1)
    # -Xint compiles nothing.
    if "-Xint" not in harness.vm_options() and (not plain or set(rows["Orders.price"]) != set(plain)):
        failed.append("code")
        print("machine code of Orders.take, with and without watch:", rows["Orders.price"], plain)
    seen = attached()
    prices = re.fullmatch(r"price: (\d+) becomes (\d+) in raisePrice, line 14\n", seen)
    if not prices or int(prices[2]) != int(prices[1]) + 5:
        failed.append("attached")
        print("seen by an agent that was attached:", seen)
    print("failed:", *failed) if failed else print("the same on both")
    sys.exit(1 if failed else 0)


main()
