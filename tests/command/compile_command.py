"""-XX:CompileCommand, CompileOnly and CompileCommandFile: what is understood, said and refused as by HotSpot; that what
is excluded is not compiled, and the rest is."""
import os
import re
import subprocess
import sys
from pathlib import Path

import harness
from failures import check, failed

HOTSPOT, BUILD, TESTS = (Path(os.environ[k]) for k in ("HOTSPOT", "BUILD", "TESTS"))
OURS, WORK = harness.vm_under_test(os.environ["IMAGE"]), Path(os.environ["WORK"])
CLASSES = WORK / "classes"

# One command line has them all: what is wrong with one is said, and the next is read.
COMMANDS = """
exclude,H.f|exclude H.f(I)I|exclude,H.f,(I)I|exclude,H.f ()|exclude,H.f(I|exclude, H.f|exclude,,H.f|exclude H.f,
exclude,H .f|exclude,H . f|exclude,H :: f|exclude,H f|exclude,H,f|EXCLUDE,H.f|exclude\tH.f\t(I)I|exclude,H.f|#exclude
exclude,java/lang/String.length|exclude,java.lang.String::length|exclude,java.lang.String.length
exclude,java/lang/String::length|exclude,java/lang.String.length|exclude,java/lang.String::length|exclude,H.f/g
exclude,java/*.*|exclude,*.*|exclude,*ang/Strin*.*engt*|compileonly,*::f|exclude,*|exclude,ja*va/lang/String.length
exclude,java/lang/String.le*th|exclude,**.f|exclude,H.<init>|exclude,H.<clinit>|exclude,H.<init>*|exclude,H.<init
exclude,H.in<it>|exclude,H.*nit>|exclude,H<.f|exclude,*init>.f|exclude,H.f(*)I|exclude,H.f(I)I|exclude,H.f(I)Ixx yy
exclude|exclude,|exclude,.|exclude,H|exclude,H.|exclude,H::|exclude,.f|exclude,[.f|exclude,H:f|exclude,H(.f
exclude,H:x.f
exclude,H=x.f|exclude,H.f[
exclude,H.f)|exclude,H$Inner.f$1|exclude,H-f.g|exclude,java.lang.H+x::f|exclude,H.f::g
exclude,H::f::g|exclude,H::f a::b|exclude,H.f H.g|exclude,H.f,H.g|exclude,H.f;exclude,H.g|exclude,H.f a/b
exclude,H bool|exclude,H bool true|exclude,H.f(I)I.x|exclude,java/lang/String.equals(Ljava/lang/Object;)Z
exclude,H.f,false|exclude,H.f,TRUE|exclude,H.f,true1|exclude,H.f true extra|exclude,H.f,abc|exclude,H.f,1
exclude,H.f(I)I,false|exclude,H.f;x true|exclude,H.f,java/lang/String.x
bogus|bogus,H.f|unknown,H.f|exc-lude,H.f|quietly|helpme|TestOptionInt,H.f,1
MaxNodeLimit,H.f|MaxNodeLimit,H.f,12|MaxNodeLimit,H.f,-5|MaxNodeLimit,H.f,0x10|MaxNodeLimit,H.f,abc
MaxNodeLimit,H.f,99999999999999999999|MaxNodeLimit H.f 0.5|VectorizeDebug,H.f,1|PrintIdeal,H.f|IGVPrintLevel,H.f,2
CompileThresholdScaling,H.f,0.5|CompileThresholdScaling,H.f,5|CompileThresholdScaling,H.f,x
CompileThresholdScaling,H.f,0.5.5|CompileThresholdScaling,H.f,1.75x|CompileThresholdScaling,java.lang.H::f 0.25
CompileThresholdScaling java.lang.H::f(Ljava/x;)I 0.5|CompileThresholdScaling,H.f
DisableIntrinsic,H.f,_dsin|ControlIntrinsic,H.f,+_dsin,-_dcos|PrintInlining,H.f|PrintInlining,H|PrintInlining,H.f,bogus
PrintInlining|RepeatCompilation,H.f,3|BackgroundCompilation,H.f|blackhole,H.f|inline,H.f|dontinline,H.f|break,H.f
BreakAtExecute,H.f|log,H.f|MemStat,H.f,collect|MemStat,H.f|MemStat,H.f,bogus|MemLimit,H.f,1m|MemLimit,H.f,2k~crash
MemLimit,H.f,3k~stop|MemLimit,H.f,bogus|NoRTMLockEliding,H.f|PrintCompilation,X.f|option|option,H|option,H.f
option,H.f,PrintInlining|option,H.f,exclude|option H.f bool exclude false|option,H.f,bool,exclude,bogus
option,H.f,bool,Vectorize,true|option,H.f,bool,exclude,false,bool,inline,true|option,H.f,exclude,inline
option,H.f,intx,MaxNodeLimit,5|option,H.f,intx,MaxNodeLimit|option,H.f,intx,exclude,5|option,H.f,MaxNodeLimit
option,H.f,bogus|option,H.f,bool|option,H.f,bool,bogus,true|option,H.f,-x|option,H,bool,Vectorize,true
"""
UNLOCK = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"]
# Patterns of -XX:CompileOnly that both libraries' HotSpots read without losing parts of them.
ONLY = ["H.f", "H.f,H.g", "H::f,H::g", "java.lang.String::length", "java/lang/String.length", "*.f", "java/lang/*",
        "java/lang/String", ".length", "::length", "H,java.lang.String::length", "java.lang.String", "a.b.c", "H.f(I)I",
        "java.lang.*::length", "java/lang/String.*", "*", "", "a::,b", "H.f,bogus", "H"]


def run(java, *arguments):
    """Standard output, the VM's own lines of standard error, exit code."""
    command = [str(a) for a in (*harness.java(java), *arguments)]
    process = subprocess.run(command, cwd=WORK, env=harness.environment(java == OURS), capture_output=True, text=True,
                             timeout=300 * harness.time_scale())
    return process.stdout, re.sub(r"(?m)^.* VM warning", "VM warning", process.stderr), process.returncode


def compare(what, *options):
    """Interpreted, so that nothing is said of methods that are excluded when they are hot."""
    theirs, ours = (run(java, "-Xint", *options, "-cp", CLASSES, "Listed", "nothing") for java in (HOTSPOT, OURS))
    if theirs != ours:
        lines = [(a, b) for a, b in zip(theirs[0].splitlines(), ours[0].splitlines()) if a != b][:4]
        check(False, what, *lines, theirs[1:], ours[1:])


def syntax():
    commands = [f"-XX:CompileCommand={c}" for c in COMMANDS.replace("\n", "|").split("|") if c]
    check(len(commands) > 140, "there are commands", len(commands))
    compare("commands", *commands)
    compare("unlocked commands", *UNLOCK, *commands)
    compare("quiet", "-XX:CompileCommand=quiet", *commands[:20], "-XX:CompileCommand=log,H.f", "-XX:CompileOnly=H.f")
    compare("quiet later", *commands[:3], "-XX:CompileCommand=quiet", *commands[3:6])
    compare("quiet with something behind it", "-XX:CompileCommand=quiet,H.f", "-XX:CompileCommand=exclude,H.f")
    compare("nothing", "-XX:CompileCommand=")
    compare("no sign", "-XX:+CompileCommand")
    compare("no value", "-XX:CompileCommand")
    compare("logged", *UNLOCK, "-XX:-PrintWarnings", "-XX:+LogCompilation", f"-XX:LogFile={WORK}/log.xml",
            "-XX:CompileCommand=log,X.f")
    for pattern in ONLY:
        compare(f"only {pattern}", f"-XX:CompileOnly={pattern}")


def files():
    file = WORK / "commands"
    for text in ("exclude H.f\n# comment\n\nprint,X.g\ncompileonly java/lang/String.length", "quiet\nexclude H.f\n",
                 "exclude H.f\nbogus H.g\nexclude H.h\nexclude X\n", "exclude H.f\n"):
        file.write_text(text)
        compare(f"file {text!r}", f"-XX:CompileCommandFile={file}", "-XX:CompileCommand=exclude,A.b",
                "-XX:CompileOnly=C.d")
    compare("no file", f"-XX:CompileCommandFile={WORK}/none")
    ignored = WORK / ".hotspot_compiler"
    ignored.write_text("exclude H.f\n")
    compare("a file that is not asked for")
    compare("that file", f"-XX:CompileCommandFile={ignored}")
    ignored.unlink()


def helps():
    """The options of the library, with their types."""
    lists = []
    for java in (HOTSPOT, OURS):
        out, err, code = run(java, "-XX:CompileCommand=help", "-cp", CLASSES, "Listed", "nothing")
        check(code == 0 and not err and out.endswith("nothing\n"), "help", out, err)
        lists.append(re.findall(r"^    (\w+ \(\w+\))", out.partition("options:\n")[2], re.M))
    check(lists[0] == lists[1] and len(lists[0]) > 30, "list of options", *lists)


def compiled(*options):
    """(which of Listed's methods are compiled, what is said of those that are not)"""
    out, err, code = run(OURS, "-XX:TieredStopAtLevel=1", "-Xlog:jit=debug", *options, "-cp", CLASSES, "Listed")
    check(code == 0 and not err and "3637300" in out, f"{options}", out[-2000:], err)
    return (set(re.findall(r"Listed\.(\w+)\(.*: \d+ bytes of bytecode", out)),
            re.findall(r"### Excluding compile: .*\n(?:made not .*\n)?", out))


def excluded():
    every = {"plain", "locked", "catching", "looping", "member"}
    for commands, expected in (
            ([], every), (["exclude,Listed.plain"], every - {"plain"}),
            (["exclude,Listed::plain(I)I"], every - {"plain"}),
            (["exclude,Listed.plain(J"], every), (["exclude,Listed.*l*"], {"catching"} | {"member"}),
            (["exclude,*sted.*ing"], every - {"catching", "looping"}), (["exclude,List*.m*"], every - {"member"}),
            (["exclude,Listed.plain", "exclude,Listed.plain,false"], every),
            (["exclude,Listed.plain,false", "exclude,*.plain"], every - {"plain"}),
            (["compileonly,Listed.plain", "compileonly,Listed.member"], {"plain", "member"}),
            (["compileonly,Listed.*", "exclude,Listed.plain"], every - {"plain"}),
            (["compileonly,Other.*"], set()), (["exclude,other/Listed.*"], every)):
        found, _ = compiled(*(f"-XX:CompileCommand={c}" for c in commands))
        check(found & every == expected, f"excluded by {commands}", found)
    found, _ = compiled("-XX:CompileOnly=Listed.plain,Listed.locked")
    check(found == {"plain", "locked"}, "only", found)
    _, said = compiled("-XX:CompileCommand=exclude,Listed.plain", "-XX:CompileCommand=exclude,Listed.member")
    check(sorted(said) == ["### Excluding compile: Listed::member\n", "### Excluding compile: static Listed::plain\n"],
          "what is said", said)
    _, said = compiled("-XX:CompileCommand=exclude,Listed.plain", "-XX:+PrintCompilation")
    check(said == ["### Excluding compile: static Listed::plain\n"
                   "made not compilable on level 1  Listed::plain (4 bytes)   excluded by CompileCommand\n"],
          "what is listed", said)
    _, said = compiled("-XX:CompileCommand=quiet", "-XX:CompileCommand=exclude,Listed.plain")
    check(said == [], "what is not said", said)


def main():
    harness.fresh_directory(CLASSES)
    subprocess.run([*harness.javac(HOTSPOT), "-nowarn", "-d", CLASSES, TESTS / "jvmti/Listed.java"], check=True)
    for part in (syntax, files, helps, excluded):
        part()
    sys.exit(1 if failed else 0)


main()
