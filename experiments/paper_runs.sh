#!/usr/bin/env bash
# Phase 1 with the paper's settings, ten runs: seeds 1 to 10, on five draws of 5,000 positions in turn,
# all scored on the same 10,000 held out. Prints each run, then mean and standard deviation.
#
#   experiments/paper_runs.sh [DIRECTORY]     where the runs go (default runs/paper); those that are there
#                                       are resumed, which for a finished run only reads it
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
runs=${1:-$root/runs/paper}
mkdir -p "$runs"
for seed in 1 2 3 4 5 6 7 8 9 10; do
    run=$runs/paper-seed$seed.db
    train=$root/data/train-$(((seed - 1) % 5 + 1)).epd
    if [ -f "$run" ]; then
        "$grayling" resume "$run" >&2
    else
        "$grayling" evolve "$root/params/recipes/paper.yaml" -o "$run" \
            --set seed=$seed --set "data.train=$train" >&2
    fi
    "$grayling" score "$run" "$train" | awk -v s=$seed 'END {print s, "train", $2, 5000}'
    "$grayling" score "$run" "$root/data/held-out.epd" | awk -v s=$seed 'END {print s, "held-out", $2, 10000}'
done | awk '
    {
        share = 100 * $3 / $4
        printf "seed %d  %-8s  %5d of %5d  %.2f %%\n", $1, $2, $3, $4, share
        n[$2]++; sum[$2] += share; square[$2] += share * share
    }
    END {
        for (set in n) {
            mean = sum[set] / n[set]
            sd = sqrt((square[set] - n[set] * mean * mean) / (n[set] - 1))
            printf "mean of %d runs  %-8s  %.2f %%, standard deviation %.2f\n", n[set], set, mean, sd
        }
    }'
