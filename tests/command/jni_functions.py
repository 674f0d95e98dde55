"""Every family of JNI functions answers and throws as on HotSpot (tests/jni/JniFunctions.java,
tests/agents/jni_functions.c)."""
import os
import subprocess
import sys
from pathlib import Path

import harness

HOTSPOT, IMAGE, BUILD, TESTS, WORK = (Path(os.environ[k]) for k in ("HOTSPOT", "IMAGE", "BUILD", "TESTS", "WORK"))
WORK.mkdir(parents=True, exist_ok=True)
library = BUILD / "tests" / "agents" / "libjni_functions.so"
subprocess.run([*harness.javac(HOTSPOT), "-encoding", "UTF-8", "-d", WORK, TESTS / "jni/JniFunctions.java"], check=True)
outcomes = []
for java, ours in ((HOTSPOT, False), (harness.vm_under_test(IMAGE), True)):
    options = harness.vm_options() if ours else []
    native = ["--enable-native-access=ALL-UNNAMED"] if os.environ["LIBRARY"] != "17" else []
    outcomes.append(harness.run([*harness.java(java), *options, *native, "-Xlog:all=warning:stdout:none", "-cp", WORK,
                                 "JniFunctions", library], WORK, 300 * harness.time_scale(), ours=ours))
hotspot, ours = outcomes
lines = [o.out.decode(errors="replace").splitlines() for o in outcomes]
failed = hotspot.code != ours.code
if failed:
    print(f"HotSpot: {hotspot.ended()}, ours: {ours.ended()}\n{ours.err.decode(errors='replace')}")
for i in range(max(map(len, lines))):
    pair = [x[i] if i < len(x) else "(nothing)" for x in lines]
    if pair[0] != pair[1]:
        failed = True
        print(f"HotSpot: {pair[0]}\nours:    {pair[1]}")
sys.exit(1 if failed else 0)
