#!/bin/sh
# Installs with apt what the build and the tests need and this machine lacks; says so when it may not.
# Prints nothing when nothing is missing. With the word "tests" also a browser, which is wanted, not needed: the test
# that misses it says so.
set -eu
here=$(dirname "$0")
missing=
wanted=

need() { # package, test
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
header() { echo "#include <$1>" | "${CC:-cc}" -E -x c - ; }
cmocka_header() {
    printf '#include <%s.h>\n' stdarg stddef stdint setjmp cmocka | "${CC:-cc}" -E -x c -
}
source_of_17() { # Debian ships src.zip in a package of its own
    jdk=$("$here/find_jdks.sh" | sed -n 's/^17 //p')
    [ -z "$jdk" ] || [ -e "$jdk/lib/src.zip" ]
}
clang_sanitizer() {
    [ -e "$(clang -print-file-name=libclang_rt.fuzzer-x86_64.a)" ] ||
        ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a
}

need gcc               command -v gcc
need libc6-dev         header stdio.h
need make              command -v make
need binutils          command -v nm
need cmake             command -v cmake
need ninja-build       command -v ninja
need python3           command -v python3
need libffi-dev        header ffi.h
need zlib1g-dev        header zlib.h
need libcmocka-dev     cmocka_header
need clang             command -v clang
need libclang-rt-dev   clang_sanitizer
need libjacoco-java    ls /usr/share/java/org.jacoco.agent.rt.jar
need libaspectj-java   ls /usr/share/java/aspectjweaver.jar
need libbyte-buddy-java ls /usr/share/java/byte-buddy-agent.jar
need strace            command -v strace
need gdb               command -v gdb

jdks=$("$here/find_jdks.sh")
if [ -z "$jdks" ]; then
    missing="$missing openjdk-17-jdk openjdk-17-source"
elif ! source_of_17; then
    missing="$missing openjdk-17-source"
fi
# Debian's is 120 MB to load; elsewhere the name stands for a package that installs something else.
if [ "${1:-}" = tests ] && ! command -v chromium >/dev/null 2>&1 && grep -qs '^ID=debian' /etc/os-release; then
    wanted=chromium
fi
# The independent reader of heap dumps.
if [ "${1:-}" = tests ] && ! ls /usr/share/visualvm/visualvm/modules/*jfluid-heap.jar >/dev/null 2>&1 &&
    grep -qs '^ID=debian' /etc/os-release; then
    wanted="${wanted:+$wanted }visualvm"
fi
[ -n "$missing$wanted" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    fi
fi
if ! command -v apt-get >/dev/null 2>&1 || { [ "$(id -u)" != 0 ] && [ -z "$as_root" ]; }; then
    [ -n "$missing" ] || exit 0
    echo "Missing:$missing" >&2
    echo "Install them as root: apt-get update && apt-get install$missing" >&2
    exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "Installing:$missing${wanted:+ $wanted}"
if ! $as_root apt-get update -qq; then
    [ -z "$missing" ] || exit 1
    echo "Without $wanted: packages cannot be listed" >&2
    exit 0
fi
# A release that no longer has 17 has 25.
if ! apt-cache show openjdk-17-jdk >/dev/null 2>&1; then
    missing=$(echo "$missing" | sed 's/openjdk-17-/openjdk-25-/g')
fi
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086
    $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
for package in $wanted; do
    $as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 ||
        echo "Without $package: it cannot be installed" >&2
done
