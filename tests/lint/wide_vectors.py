#!/usr/bin/env python3
"""A function that uses vectors of 32 bytes and more clears their upper halves before it returns (vzeroupper). Where it
does not, every later change between the two kinds of vector instructions takes a hundred cycles, on some processors in
code that has nothing to do with it: compiled floating-point code, and the C library's mathematics. Compilers do not see
to it in every function.

Usage: wide_vectors.py LIBRARY      looks through the machine code of libjvm.so
       wide_vectors.py --self-test  shows that a violation is found
"""
import re
import subprocess
import sys


def leaves(line, name):
    """It returns, or ends in a call of another function."""
    to = re.search(r"\sjmp\s.*<([^+>]+)", line)
    return to[1] != name if to else re.search(r"\sret", line)


def violations(lines):
    """Of the lines of `objdump -d` the functions that return with upper halves in use, for all that can be seen."""
    name, dirty = None, False
    for line in lines:
        begin = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if begin:
            name, dirty = begin[1], False
        elif "vzeroupper" in line or "vzeroall" in line:
            dirty = False
        elif re.search(r"%[yz]mm\d", line):
            dirty = True
        elif dirty and leaves(line, name):
            yield name
            dirty = False


def self_test():
    wide, narrow = "  1: vpaddd %ymm0,%ymm1,%ymm2", "  2: vpaddd %xmm0,%xmm1,%xmm2"
    clear, end, on, other = "  3: vzeroupper", "  4: ret", "  5: jmp 1 <function+0x1>", "  6: jmp 9 <other>"
    cases = [([wide, clear, end], False), ([wide, end], True), ([wide.replace("y", "z"), end], True),
             ([narrow, end], False), ([clear, wide, end], True), ([wide, clear, end, wide, end], True), ([wide], False),
             ([wide, on, clear, end], False), ([wide, other], True), ([wide, clear, other], False)]
    for code, bad in cases:
        if bool(list(violations(["0001 <function>:", *code]))) != bad:
            sys.exit(f"self-test: {code}: expected {'a violation' if bad else 'none'}")
    print(f"{len(cases)} cases judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    command = ["objdump", "-d", "--no-show-raw-insn", sys.argv[1]]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    faults = sorted(set(violations(text.splitlines())))
    print("\n".join(f"{name} returns without vzeroupper" for name in faults or ["no function"]))
    sys.exit(1 if faults else 0)


main()
