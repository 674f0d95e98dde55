#!/bin/sh
# Prints one line "VERSION DIRECTORY" for each class library we serve that this machine has, oldest first.
# Looks at JDK_17 and JDK_25, JAVA_HOME, then /usr/lib/jvm. Our own images are not JDKs to start from.
set -u

feature_version() { # directory -> 17, 25, or nothing
    [ -f "$1/release" ] && [ -f "$1/lib/modules" ] && [ -f "$1/lib/server/libjvm.so" ] &&
        [ -x "$1/bin/javac" ] || return
    [ -e "$1/lib/server/vitrine" ] && return
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

for version in 17 25; do
    eval "named=\${JDK_$version:-}"
    for dir in "$named" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        [ -n "$dir" ] && [ -d "$dir" ] || continue
        dir=$(readlink -f "$dir")
        if [ "$(feature_version "$dir")" = "$version" ]; then
            echo "$version $dir"
            break
        fi
    done
done
