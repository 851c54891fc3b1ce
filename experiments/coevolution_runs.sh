#!/usr/bin/env bash
# Three coevolutions of the ten winners that experiments/paper_runs.sh gives, and what each is worth in games
# with an evolved search: against EVOL0, the winner with the best held-out score, and against the paper's
# published values with that search and with the paper's own; then all three together, each weighted by
# its interval. Runs and games are kept; what is there is not done again.
#
#   experiments/coevolution_runs.sh RUNS [RECIPE [SEARCH]]     (some hours)
#
# RECIPE: params/recipes/coevolution-strong.yaml; SEARCH: docs/runs/search-seed1.db.zst, evolved with the
# paper's settings.
set -euo pipefail
runs=${1:?where to keep the runs}
root=$(cd "$(dirname "$0")/.." && pwd)
recipe=${2:-$root/params/recipes/coevolution-strong.yaml}
search=${3:-$root/docs/runs/search-seed1.db.zst}
grayling=$root/build/tools/grayling
name=$(basename "$recipe" .yaml)
mkdir -p "$runs"
printed=$(mktemp -d)
trap 'rm -rf "$printed"' EXIT

# The ten winners; EVOL0 is the one with the best held-out score.
"$root/experiments/paper_runs.sh" "$runs" >&2
seeds=
best=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
    run=$runs/paper-seed$seed.db
    held_out=$(sqlite3 "$run" 'SELECT held_out FROM generation ORDER BY idx DESC LIMIT 1')
    [ "$held_out" -le "$best" ] || { best=$held_out; evol0=$run; }
    seeds=${seeds:+$seeds, }$run
done
echo "EVOL0: $evol0, $best of 10,000 held-out moves"

# A match that is kept, and goes on where it was interrupted; prints its counts and Elo.
play() {
    "$grayling" match "$1" "$2" --nodes 5000 --games 1000 -o "$3" --resume 2>/dev/null ||
        "$grayling" match "$1" "$2" --nodes 5000 --games 1000 -o "$3"
}

# The Elo of several matches together, each weighted by its interval: reads what they printed.
pool() {
    awk -v against="$1" '
        /^Elo: / { gsub(",", ""); w = 1 / ($4 * $4); sum += w * $2; weight += w; n++ }
        END { printf "EVOL* - %s, %d matches together: Elo %+.1f +/- %.1f\n", against, n, sum / weight, sqrt(1 / weight) }'
}

for seed in 1 2 3; do
    run=$runs/$name-seed$seed.db
    if [ -f "$run.zst" ]; then
        run=$run.zst
    elif [ ! -f "$run" ]; then
        "$grayling" evolve "$recipe" -o "$run" --set seed=$seed --set "ga.seeds=[$seeds]" \
            --set fitness.pairs=no >&2 # as the published ones
    else
        "$grayling" resume "$run" >&2
    fi
    play "$run,$search" "$evol0,$search" "$runs/$name-seed$seed-evol0.pgn" | tee -a "$printed/evol0"
    play "$run,$search" "$root/params/paper-eval.yaml,$search" "$runs/$name-seed$seed-paper-eval.pgn" |
        tee -a "$printed/paper-eval"
    play "$run,$search" "$root/params/paper-eval.yaml,$root/params/paper-search.yaml" \
        "$runs/$name-seed$seed-paper.pgn" | tee -a "$printed/paper"
done
pool EVOL0 <"$printed/evol0"
pool "the paper's evaluation" <"$printed/paper-eval"
pool "the paper's parameters" <"$printed/paper"
