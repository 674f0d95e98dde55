#!/bin/sh
# Installs what is missing, builds, and does the main job: javac on our VM, watched by the class histogram.
set -eu
cd "$(dirname "$0")"
scripts/install.sh
exec make run
