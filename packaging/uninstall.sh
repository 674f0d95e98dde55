#!/bin/sh
# uninstall.sh MANIFEST PREFIX: removes what MANIFEST lists below DESTDIR and PREFIX, and directories left empty.
set -eu
[ -f "$1" ] || { echo "nothing has been installed from here: there is no $1" >&2; exit 1; }
prefix=$(readlink -m "$2")
while read -r file || [ -n "$file" ]; do
    case $file in
        "$prefix"/*) rm -f "${DESTDIR:-}$file" ;;
        *) echo "$1 is of an installation elsewhere: $file is not below $prefix" >&2; exit 1 ;;
    esac
done <"$1"
sed 's,/[^/]*$,,' "$1" | sort -ru | while read -r directory; do
    while [ "$directory" != "$prefix" ] && rmdir "${DESTDIR:-}$directory" 2>/dev/null; do
        directory=${directory%/*}
    done
done
rm -f "$1"
