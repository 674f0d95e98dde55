"""Nothing sleeps, yields or polls on the way in and out: system calls by strace."""
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import harness

HOTSPOT, OURS, WORK = Path(os.environ["HOTSPOT"]), harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])

SOURCE = """
    public class Meets {
        public static void main(String[] arguments) throws Exception {
            Object lock = new Object();
            boolean[] there = new boolean[1];
            Thread other = new Thread(() -> { synchronized (lock) { there[0] = true; lock.notifyAll(); } });
            synchronized (lock) {
                other.start();
                while (!there[0]) lock.wait();
            }
            other.join();
            System.gc();
            System.out.println("met");
        }
    }"""
SLEEPS = "nanosleep,clock_nanosleep,sched_yield,select,pselect6,poll,ppoll,epoll_wait,epoll_pwait,rt_sigtimedwait"

(WORK / "classes").mkdir(parents=True, exist_ok=True)
(WORK / "Meets.java").write_text(SOURCE)
subprocess.run([*harness.javac(HOTSPOT), "-d", WORK / "classes", WORK / "Meets.java"], check=True)
trace = WORK / "trace"
since_boot = time.time() - time.monotonic()            # between the two clocks that a limit may be given in
outcome = subprocess.run(["strace", "-f", "-ttt", "-o", trace, "-e", f"trace={SLEEPS},futex,execve", OURS / "bin/java",
                          "-cp", "classes", "Meets"], cwd=WORK,
                         env=harness.environment(True), capture_output=True, timeout=300)
calls = trace.read_text(errors="replace").splitlines()
failed = [line for line in calls if re.search(rf"\b({SLEEPS.replace(',', '|')})\(", line)]
# The library of 17 has jstat read a clock that the VM writes at intervals (PerfDataSamplingInterval).
if os.environ["LIBRARY"] == "17":
    failed = [line for line in failed if not re.search(r" poll\(\[\{fd=\d+, events=POLLIN\}\], 1, 50\b", line)]
# A wait with a short time limit is a look whether something has changed. Library threads wait for a minute.
for line in calls:
    limit = re.search(r" (\d+\.\d+) futex\(\S+ FUTEX_WAIT(_BITSET)?(_PRIVATE)?(\|FUTEX_CLOCK_REALTIME)?, \S+ "
                      r"\{tv_sec=(\d+)", line)
    if limit and int(limit[5]) - (0 if not limit[2] else float(limit[1]) - (0 if limit[4] else since_boot)) < 5:
        failed.append(line)
if outcome.returncode != 0 or outcome.stdout != b"met\n" or not any("execve" in line
                                                                    for line in calls) or not any("futex" in line
                                                                                                  for line in calls):
    failed.append(f"exit {outcome.returncode}\n{outcome.stdout.decode()}{outcome.stderr.decode()}")
for line in failed:
    print(line)
sys.exit(1 if failed else 0)
