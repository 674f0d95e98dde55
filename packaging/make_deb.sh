#!/bin/sh
# make_deb.sh BUILD: writes BUILD/vitrine_<version>_<architecture>.deb from what BUILD holds.
set -eu
here=$(dirname "$(readlink -f "$0")")
build=$1
command -v dpkg-deb >/dev/null || { echo "make deb needs dpkg-deb, which Debian has" >&2; exit 1; }

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
DESTDIR=$root cmake --install "$build" --prefix /usr --strip >/dev/null
rm -f "$build/install_manifest.txt"      # of no installation that `make uninstall` could remove

find "$root/usr/share/man" -type f -exec gzip -9n {} +
find "$root/usr/share/doc" -name '*.md' -size +4k -exec gzip -9n {} +
mv "$root/usr/share/doc/vitrine/LICENSE" "$root/usr/share/doc/vitrine/copyright"

# The newest version of the C library that a symbol of ours asks for.
libc=$(find "$root/usr/lib/vitrine" -name '*.so' -exec objdump -T {} + | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' |
    sort -Vu | tail -1)
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: vitrine
Version: $version
Architecture: $architecture
Maintainer: The Vitrine developers <vitrine@localhost>
Section: java
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: libc6 (>= $libc), zlib1g, python3
Recommends: openjdk-17-jdk-headless | openjdk-25-jdk-headless
Suggests: java-common, gdb, libcapstone4
Description: Java virtual machine made for debuggers and profilers
 Vitrine is a libjvm.so that runs the unmodified class libraries of OpenJDK 17
 and 25. It implements JVM TI, JVMPI and JNI such that watching a program costs
 next to nothing, and brings the profiler HPROF and a class histogram.
 .
 It becomes a further VM (java -vitrine) of each JDK 17 or 25 in /usr/lib/jvm,
 and an alternative of its own (vitrine-17, vitrine-25) that
 update-java-alternatives can choose.
END
echo "interest-noawait /usr/lib/jvm" >"$root/DEBIAN/triggers"
cp "$here/postinst" "$here/prerm" "$root/DEBIAN/"
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
(cd "$root" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
package=$build/vitrine_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
