#!/bin/sh
# make_image.sh JDK BUILD IMAGE: lays out IMAGE, a JDK directory that runs on BUILD/libjvm.so.
#
# Everything is a link into JDK, except
#   bin/*                  copies: the launcher finds its JDK through its own resolved path
#   lib/server/libjvm.so   ours (a hard link where the file system allows it)
#   lib/lib<name>.so       our agents, so that -agentlib:<name> finds them, and our libraries of libs/
#   lib/modules and jmods/java.base.jmod   copies that jlink takes our libraries from, where the JDK has them
#                                          (make_linkable.py); a copy of an earlier image is taken over
# The file lib/server/vitrine names the JDK and tells the image from a JDK.
set -eu

usage() { echo "usage: $0 JDK BUILD IMAGE" >&2; exit 2; }
[ $# -eq 3 ] || usage
jdk=$(readlink -f "$1") || { echo "make_image: no such directory: $1" >&2; exit 1; }
build=$2
image=$3

fail() { echo "make_image: $*" >&2; exit 1; }
[ -f "$jdk/release" ] || fail "$jdk is not a JDK (no file 'release')"
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")
case $version in
    17|25) ;;
    *) fail "$jdk is a JDK ${version:-of unknown version}; only 17 and 25 are served" ;;
esac
[ -f "$jdk/lib/modules" ] || fail "$jdk has no run-time image (lib/modules)"
[ ! -e "$jdk/lib/server/vitrine" ] ||
    fail "$jdk is itself an image; name the JDK it was made from: $(cat "$jdk/lib/server/vitrine")"
[ -f "$build/libjvm.so" ] || fail "$build/libjvm.so is not built"

# Built beside the old one and swapped in, so that a reader never finds a half-made image.
new=$image.new.$$
trap 'rm -rf "$new"' EXIT
rm -rf "$new"
mkdir -p "$new/bin" "$new/lib/server"

cp -pL "$jdk"/bin/* "$new/bin/"
for entry in "$jdk"/*; do
    case ${entry##*/} in
        bin|lib) ;;
        *) set -- "$@" "$entry" ;;
    esac
done
shift 3
ln -s "$@" "$new/"
set --
for entry in "$jdk"/lib/*; do
    [ "${entry##*/}" = server ] || set -- "$@" "$entry"
done
ln -s "$@" "$new/lib/"
for entry in "$jdk"/lib/server/*; do
    case ${entry##*/} in
        libjvm.so|*.jsa) ;;
        *) ln -s "$entry" "$new/lib/server/" ;;
    esac
done

place() { ln -f "$1" "$2" 2>/dev/null || cp -f "$1" "$2"; }
place "$build/libjvm.so" "$new/lib/server/libjvm.so"
set -- lib/server/libjvm.so
for agent in "$build"/lib*.so; do
    [ "$agent" != "$build/libjvm.so" ] || continue
    place "$agent" "$new/lib/${agent##*/}"
    set -- "$@" "lib/${agent##*/}"
done
if [ -f "$image/lib/modules" ] && [ ! -L "$image/lib/modules" ]; then
    ln -f "$image/lib/modules" "$new/lib/modules"
fi
python3 "$(dirname "$0")/make_linkable.py" "$jdk" "$new" "$@"
echo "$jdk" >"$new/lib/server/vitrine"

rm -rf "$image.old.$$"
[ ! -e "$image" ] || mv "$image" "$image.old.$$"
mv "$new" "$image"
rm -rf "$image.old.$$"
