#!/usr/bin/env bash
# What the winners of a comparison of searches need on positions that none of them has seen: for each
# stage the mean and standard deviation over its runs of the nodes to solution, and of the positions solved.
#   experiments/compare_held_out.sh [COMPARISON.db[.zst] [SUITE.epd]]
# GRAYLING names the program (build/tools/grayling).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
runs=${1:-$root/docs/runs/compare-optimisers.db.zst}
suite=${2:-$root/data/tactics-held-out.epd}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"$grayling" status "$runs" | awk '/^stages/ { listed = 1; next } listed && /^  / && $2 != "waiting" { print $1 }' | sort -V |
    while read -r run; do
        csv=$("$grayling" solve "$suite" --nodes 20000 --eval "$root/params/moves-eval.yaml" \
            --params "$runs#$run" --format csv 2>"$said") || {
            cat "$said" >&2
            exit 1
        }
        sed -n "s/^# .*, first: \([0-9]*\) of [0-9]* solved, \([0-9]*\) nodes.*/$run \2 \1/p" <<<"$csv"
    done | awk '
    {
        sub(/-[0-9]+$/, "", $1)
        if (!n[$1]++)
            order[++stages] = $1
        sum[$1] += $2; square[$1] += $2 * $2; solved[$1] += $3
    }
    END {
        for (i = 1; i <= stages; i++) {
            s = order[i]
            sd = n[s] > 1 ? sqrt((square[s] - sum[s] * sum[s] / n[s]) / (n[s] - 1)) : 0
            printf "%-14s  %2d runs  %10.0f nodes, standard deviation %8.0f  %.1f solved\n", \
                s, n[s], sum[s] / n[s], sd, solved[s] / n[s]
        }
    }'
