#!/bin/sh
# vitrine: makes JDKs run on the installed VM. The manual page vitrine(1) describes the commands.
set -eu

library=${VITRINE_LIBRARY:-$(dirname "$(readlink -f "$0")")/../lib/vitrine}
jvms=${VITRINE_JVM_DIRECTORY:-/usr/lib/jvm}
line="-vitrine KNOWN"
priority=100                             # below any JDK of the distribution: chosen by hand only

usage() {
    cat <<END
usage: vitrine image JDK DIRECTORY   lays out a JDK that runs on Vitrine, of links into JDK
       vitrine add JDK               makes Vitrine a further VM of JDK: java -vitrine
       vitrine remove JDK            takes it out again
       vitrine list                  JDKs that Vitrine can serve, and those that have it
       vitrine register              add and an image in $jvms for each of them, as an alternative
       vitrine unregister            takes all that back
END
}
fail() { echo "vitrine: $*" >&2; exit 1; }

[ -f "$library/libjvm.so" ] ||
    fail "there is no $library/libjvm.so: install Vitrine, or name its directory in VITRINE_LIBRARY"
library=$(readlink -f "$library")

check_jdk() {
    [ -f "$1/release" ] && [ -f "$1/lib/modules" ] || fail "$1 is not a JDK"
    [ ! -e "$1/lib/server/vitrine" ] || fail "$1 is an image of Vitrine's, made from $(cat "$1/lib/server/vitrine")"
    grep -Eq '^JAVA_VERSION="(17|25)[."]' "$1/release" || fail "$1: only JDK 17 and JDK 25 are served"
    [ -f "$1/lib/jvm.cfg" ] || fail "$1 has no lib/jvm.cfg"
}

# jvm.cfg may be a link into /etc: its file is rewritten, not replaced.
write_config() { # file, filter
    changed=$(mktemp)
    "$2" <"$1" >"$changed"
    cmp -s "$changed" "$1" || cat "$changed" >"$1"
    rm -f "$changed"
}
with_line() { cat; grep -qx -e "$line" "$config" || echo "$line"; }
without_line() { grep -vx -e "$line" || true; }

add() {
    check_jdk "$1"
    mkdir -p "$1/lib/vitrine"
    ln -sfn "$library/libjvm.so" "$1/lib/vitrine/libjvm.so"
    config=$1/lib/jvm.cfg
    write_config "$config" with_line
}

remove() {
    [ ! -e "$1/lib/jvm.cfg" ] || write_config "$1/lib/jvm.cfg" without_line
    [ ! -L "$1/lib/vitrine/libjvm.so" ] || rm "$1/lib/vitrine/libjvm.so"
    [ ! -d "$1/lib/vitrine" ] || rmdir "$1/lib/vitrine"
}

jdks() { for d in "$jvms"/*; do
    if [ ! -L "$d" ] && [ ! -e "$d/lib/server/vitrine" ] && [ -f "$d/lib/jvm.cfg" ] && [ -f "$d/release" ] &&
        grep -Eqs '^JAVA_VERSION="(17|25)[."]' "$d/release"; then echo "$d"; fi; done; }
images() { for d in "$jvms"/vitrine-*; do if [ -e "$d/lib/server/vitrine" ]; then echo "$d"; fi; done; }

list() {
    for jdk in $(jdks); do
        if [ -e "$jdk/lib/vitrine/libjvm.so" ]; then echo "$jdk: java -vitrine"; else echo "$jdk"; fi
    done
    for image in $(images); do echo "$image: made from $(cat "$image/lib/server/vitrine")"; done
}

alternatives() { # image
    name=${1##*/}
    info=$jvms/.$name.jinfo
    printf 'name=%s\nalias=%s\npriority=%s\nsection=main\n\n' "$name" "$name" "$priority" >"$info"
    for tool in "$1"/bin/*; do
        kind=jdkhl
        case ${tool##*/} in java|keytool|rmiregistry|jpackage) kind=hl ;; esac
        echo "$kind ${tool##*/} $tool" >>"$info"
        ! command -v update-alternatives >/dev/null ||
            update-alternatives --quiet --install "/usr/bin/${tool##*/}" "${tool##*/}" "$tool" "$priority"
    done
}

forget() { # image
    ! command -v update-alternatives >/dev/null || for tool in "$1"/bin/*; do
        update-alternatives --quiet --remove "${tool##*/}" "$tool"
    done
    rm -rf "$1" "$jvms/.${1##*/}.jinfo"
}

# The image for JDK 17 is vitrine-17, of the first one found; one whose JDK has gone goes.
register() {
    for image in $(images); do
        [ -e "$(cat "$image/lib/server/vitrine")/release" ] || forget "$image"
    done
    for jdk in $(jdks); do
        add "$jdk"
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
        image=$jvms/vitrine-$version
        [ ! -e "$image" ] || [ "$(cat "$image/lib/server/vitrine")" = "$(readlink -f "$jdk")" ] || continue
        [ -x "$jdk/bin/java" ] || continue
        "$library/make_image.sh" "$jdk" "$library" "$image"
        alternatives "$image"
    done
}

unregister() {
    for image in $(images); do forget "$image"; done
    for jdk in $(jdks); do remove "$jdk"; done
}

command=${1:-help}
[ $# -eq 0 ] || shift
case $command:$# in
    image:2) check_jdk "$1"; "$library/make_image.sh" "$1" "$library" "$2" ;;
    add:1|remove:1) "$command" "$(readlink -f "$1")" ;;
    list:0|register:0|unregister:0) "$command" ;;
    help:0|-h:0|--help:0) usage ;;
    *) usage >&2; exit 2 ;;
esac
