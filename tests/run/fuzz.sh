#!/bin/sh
# fuzz.sh TARGET WORK SEEDS: a fixed number of executions from a fixed seed and an empty corpus of its own, so that a
# run can be repeated.
# FUZZ_RUNS=n runs longer. An input that fails stays in WORK.
set -eu
target=$1 work=$2 seeds=$3
rm -rf "$work"
mkdir -p "$work/corpus"
cd "$work"
exec "$target" -runs="${FUZZ_RUNS:-100000}" -seed=1 -max_len=65536 -rss_limit_mb=2048 \
    -detect_leaks=0 -timeout=20 -print_final_stats=1 \
    -verbosity=0 corpus "$seeds"
