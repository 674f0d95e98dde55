#!/bin/sh
# fuzz.sh TARGET WORK SEEDS LENGTH: a fixed number of executions from a fixed seed and an empty corpus of its own, so
# that a run can be repeated. No input is longer than LENGTH bytes. SEEDS.dict, if there is one, has words that inputs
# are made of. FUZZ_RUNS=n runs longer. An input that fails stays in WORK; so does one for which as much memory is
# asked for at once as no file of that length can need.
set -eu
target=$1 work=$2 seeds=$3 length=$4
rm -rf "$work"
mkdir -p "$work/corpus"
cd "$work"
words=
if [ -f "$seeds.dict" ]; then words=-dict=$seeds.dict; fi
exec "$target" -runs="${FUZZ_RUNS:-100000}" -seed=1 -max_len="$length" -rss_limit_mb=2048 \
    -malloc_limit_mb=256 -detect_leaks=0 -timeout=120 -print_final_stats=1 \
    -verbosity=0 ${words:+"$words"} corpus "$seeds"
