#!/usr/bin/env python3
"""Makes docs/visualvm.png: VisualVM, on the JDK's own VM, attached to a program on ours, under Xvfb.

usage: visualvm_picture.py IMAGE HOTSPOT OUT.png

Needs Debian's visualvm, xvfb, xdotool and imagemagick; the places to click are those of VisualVM 2.1.
"""
import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = """
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
public class Work {
    static void fill(int seed) {
        var random = new Random(seed);
        Map<Integer, String> map = new HashMap<>();
        for (int round = 0;; round++) {
            for (int i = 0; i < 20000; i++) map.put(random.nextInt(100000), "value " + i);
            try {
                Thread.sleep(30 + seed * 10);
            } catch (InterruptedException e) {
                return;
            }
            if (round % 50 == 49) map.clear();
        }
    }
    public static void main(String[] arguments) throws Exception {
        for (int n = 0; n < 3; n++) {
            int seed = n;
            var thread = new Thread(() -> fill(seed), "worker " + n);
            thread.setDaemon(true);
            thread.start();
        }
        System.in.read();
    }
}
"""
MONITOR = 452, 98                       # its tab
WIDTH, HEIGHT = 900, 590


def main():
    options = argparse.ArgumentParser()
    options.add_argument("image", type=Path)
    options.add_argument("hotspot", type=Path)
    options.add_argument("out", type=Path)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        (work / "Work.java").write_text(PROGRAM)
        subprocess.run([options.hotspot / "bin/javac", "-d", work, work / "Work.java"], check=True)
        started = []

        def start(*words, **more):
            started.append(subprocess.Popen([str(w) for w in words], start_new_session=True, **more))
            return started[-1]

        read, write = os.pipe()
        start("Xvfb", "-displayfd", write, "-screen", "0", f"{WIDTH}x{HEIGHT}x24", pass_fds=[write],
              stderr=subprocess.DEVNULL)
        env = {**os.environ, "DISPLAY": ":" + os.read(read, 20).decode().strip(), "HOME": str(work)}

        def x(*words):
            return subprocess.run([str(w) for w in words], env=env, check=True, capture_output=True, text=True).stdout

        try:
            program = start(options.image / "bin/java", "-Xmx128m", "-cp", work, "Work", stdin=subprocess.PIPE)
            start("visualvm", "--nosplash", "--userdir", work / "user", "--cachedir", work / "cache", "--jdkhome",
                  options.hotspot, "--openpid", program.pid, env=env, stdout=subprocess.DEVNULL,
                  stderr=subprocess.DEVNULL)
            licence = x("xdotool", "search", "--sync", "--onlyvisible", "--name", "License").split()[-1]
            time.sleep(3)                                                   # until it draws its buttons
            x("xdotool", "mousemove", "--window", licence, 445, 571, "click", 1)
            window = x("xdotool", "search", "--sync", "--onlyvisible", "--name", "^VisualVM 2").split()[-1]
            time.sleep(15)                                                  # until it is attached
            x("xdotool", "windowmove", window, 0, 0, "windowsize", window, WIDTH, HEIGHT)
            time.sleep(2)
            x("xdotool", "mousemove", *MONITOR, "click", 1)
            time.sleep(50)                                                  # what there is to see
            x("import", "-window", "root", "-crop", "624x504+274+60", "+repage", "+dither", "-colors", "64",
              options.out)
        finally:
            for process in reversed(started):
                os.killpg(process.pid, 9)
                process.wait()


main()
