"""Management by JMX, with the local agent and with the remote one that asks for a password: a client, on either VM,
sees of a program on our VM what it sees of one on HotSpot: beans, attributes, operations, notifications, and figures
that are true by what the program did. See tests/tools/Manages.java."""
import os
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

LIBRARY, HOTSPOT, TESTS = os.environ["LIBRARY"], Path(os.environ["HOTSPOT"]), Path(os.environ["TESTS"])
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"
LIMIT = 300 * harness.time_scale()
EXPORTS = ["--add-exports", "jdk.attach/sun.tools.attach=ALL-UNNAMED"]
REMOTE = "-Dcom.sun.management.jmxremote."


def agent_options():
    """Of a remote agent at some free port."""
    for name, text in (("access", "writer readwrite\nreader readonly\n"),
                       ("password", "writer secret\nreader known\n")):
        (WORK / name).write_text(text)
        (WORK / name).chmod(0o600)
    return [REMOTE + "port=0", REMOTE + "ssl=false", REMOTE + "host=127.0.0.1",
            REMOTE + f"password.file={WORK}/password", REMOTE + f"access.file={WORK}/access"]


def managed(program, client, way, *options):
    """What the client prints of the program's VM."""
    mode = harness.vm_options() if program == OURS else []
    more = agent_options() if way == "remote" else []
    # HotSpot's serial collector leaves dead objects where they lie at the beginning of the old generation: 5 % of it
    heap = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:MarkSweepDeadRatio=0"]
    command = [*harness.java(program), *mode, *heap, "-Dmanaged=yes", *options, *more, "-cp", CLASSES, "Managed"]
    process = subprocess.Popen([str(a) for a in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=WORK, env=harness.environment(program == OURS))
    if process.stdout.readline() != "ready\n":
        sys.exit(f"{program}: the program does not start: {process.communicate()}")
    mode = harness.vm_options() if client == OURS else []
    seen = harness.run([*harness.java(client), *mode, harness.ATTACH_PATIENCE, *EXPORTS, "-cp", CLASSES, "Manages",
                        way, process.pid], WORK, LIMIT, ours=client == OURS)
    out, err = process.communicate(timeout=LIMIT)
    what = f"{program.name}, client {client.name}, {way} {' '.join(options)}"
    check(seen.code == 0 and not seen.err, f"{what}: the client ends", seen.ended(), seen.err.decode())
    check(process.returncode == 0, f"{what}: the program ends", process.returncode, err)
    return what, seen.out.decode()


def agents_that_do_not_start():
    """Whatever the agent cannot do ends the VM, and it says why."""
    for options in (["com.sun.management.config.file=/no/such/file"], ["com.sun.management.agent.class="],
                    ["com.sun.management.agent.class=NoSuch"], ["com.sun.management.jmxremote.port=x"],
                    ["com.sun.management.jmxremote.port=0",
                     "com.sun.management.jmxremote.password.file=/no/such/file"],
                    ["com.sun.management.not.known=1"]):
        seen = []
        for home in HOTSPOT, OURS:
            mode = harness.vm_options() if home == OURS else []
            outcome = harness.run([*harness.java(home), *mode, *("-D" + o for o in options), "-cp", CLASSES,
                                   "Managed"], WORK, LIMIT, ours=home == OURS)
            seen.append((outcome.ended(), outcome.out, harness.normalise(outcome.err, [])))
        check(seen[0] == seen[1], options, *seen)


def flag():
    """-XX:+ManagementServer starts it, too; the properties turn it on, and what comes later on the command line off."""
    for options in (["-XX:+ManagementServer"], ["-XX:-ManagementServer", REMOTE + "ssl=false"],
                    [REMOTE + "ssl=false", "-XX:-ManagementServer"]):
        seen = []
        for home in HOTSPOT, OURS:
            mode = harness.vm_options() if home == OURS else []
            outcome = harness.run([*harness.java(home), *mode, *options, "-XX:+PrintFlagsFinal",
                                   "-Xlog:class+load:file=loaded", "-version"], WORK, LIMIT, ours=home == OURS)
            row = next(line for line in outcome.out.decode().splitlines() if " ManagementServer " in line)
            seen.append((row.split(), " jdk.internal.agent.Agent " in (WORK / "loaded").read_text()))
        check(seen[0] == seen[1], options, *seen)


def main():
    harness.fresh_directory(WORK)
    sources = [TESTS / "tools" / name for name in ("ManagedWork.java", "Managed.java", "Manages.java")]
    subprocess.run([*harness.javac(HOTSPOT), *EXPORTS, "-d", CLASSES, *sources], check=True)
    agents_that_do_not_start()
    flag()
    for way, options, pairs in (("local", [], [(OURS, HOTSPOT)]), ("remote", [], [(OURS, OURS)]),
                                ("local", ["-Xint"], [(OURS, HOTSPOT)])):
        _, expected = managed(HOTSPOT, HOTSPOT, way, *options)
        check(expected.count("\n") > 200, "HotSpot is seen", expected)
        for program, client in pairs:
            what, seen = managed(program, client, way, *options)
            if seen != expected:
                failed.append(what)
                print(f"FAILED {what}")
                harness.show_difference("what is seen", expected, seen)
    sys.exit(bool(failed))


main()
