#!/bin/sh
# Installs what is missing, builds, and runs the tests.
set -eu
cd "$(dirname "$0")"
scripts/install.sh tests
exec make test
