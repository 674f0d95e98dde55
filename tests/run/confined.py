"""Beginnings of commands that confine what comes behind them: few threads, a small disk. None, with a line that says
why, where a container does not allow it."""
import os
import subprocess
import time
from pathlib import Path

# Starts as many processes as it can, and says how often it did; the file must be readable to it. They end with its
# input.
PROBE = """
cat "$1" >/dev/null || exit 9
exec 3<&0
i=0
while [ $i -lt 200 ]; do cat <&3 >/dev/null 2>&1 & i=$((i+1)); echo; done
"""


def left_out(what, why):
    print(f"left out: {what}: {str(why).strip()}", flush=True)


def users():
    """Whose processes there are."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            found.add(int(status.read_text().split("\nUid:")[1].split()[0]))
        except (OSError, IndexError):
            pass                                                    # it has ended
    return found


def few_threads(most, readable):
    """The limit binds no root: as root the program runs as a user that has no other processes, otherwise in a user
    namespace, where nobody has any. `readable`: a file that the program needs."""
    uid = None
    if os.geteuid() == 0:
        uid = min(set(range(30_000 + os.getpid() % 20_000, 60_000)) - users())     # which a container has, too
        command = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    else:
        command = ["unshare", "--user"]
    command += ["prlimit", f"--nproc={most}"]
    try:
        with subprocess.Popen([*command, "sh", "-c", PROBE, "sh", readable], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as probe:
            started, why = probe.stdout.read().count("\n"), probe.stderr.read()
    except OSError as e:
        return left_out("few threads", e)
    while uid in users():                                           # the probe's processes
        time.sleep(0.01)
    if 0 < started < most:
        return command
    return left_out("few threads", f"{started} processes with a limit of {most}; {why}")


def small_disk(directory, size):
    """A tmpfs of its own on `directory`."""
    options = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]
    command = ["unshare", *options, "sh", "-c", f'mount -t tmpfs -o size={size} none "$0" && exec "$@"', directory]
    try:
        found = subprocess.run([*command, "true"], capture_output=True, text=True)
    except OSError as e:
        return left_out("a small disk", e)
    return command if found.returncode == 0 else left_out("a small disk", found.stderr)
