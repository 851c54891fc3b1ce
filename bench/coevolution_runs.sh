#!/bin/sh
# Three coevolutions of the ten winners that bench/paper_runs.sh and five more seeds gave, and what each
# is worth in games with an evolved search: against EVOL0, the winner with the best held-out score, and
# against the paper's published values with that search and with the paper's own. Runs and games are
# kept; what is there is not done again.
#
#   bench/coevolution_runs.sh RUNS [RECIPE [SEARCH]]     (some hours)
#
# RECIPE: params/recipes/coevolution-strong.yaml; SEARCH: docs/runs/search-seed1.db, evolved with the
# paper's settings.
set -eu
runs=${1:?where to keep the runs}
root=$(cd "$(dirname "$0")/.." && pwd)
recipe=${2:-$root/params/recipes/coevolution-strong.yaml}
search=${3:-$root/docs/runs/search-seed1.db}
grayling=$root/build/tools/grayling
name=$(basename "$recipe" .yaml)
mkdir -p "$runs"

# The ten winners: seeds 1 to 10, on the five draws of training positions in turn.
seeds=
best=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
    run=$runs/paper-seed$seed.db
    [ -f "$run" ] || "$grayling" evolve "$root/params/recipes/paper.yaml" -o "$run" \
        --set seed=$seed --set "data.train=$root/data/train-$(((seed - 1) % 5 + 1)).epd" >&2
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

for seed in 1 2 3; do
    run=$runs/$name-seed$seed.db
    if [ ! -f "$run" ]; then
        "$grayling" evolve "$recipe" -o "$run" --set seed=$seed --set "ga.seeds=[$seeds]" >&2
    else
        "$grayling" resume "$run" >&2
    fi
    play "$run,$search" "$evol0,$search" "$runs/$name-seed$seed-evol0.pgn"
    play "$run,$search" "$root/params/paper-eval.yaml,$search" "$runs/$name-seed$seed-paper-eval.pgn"
    play "$run,$search" "$root/params/paper-eval.yaml,$root/params/paper-search.yaml" \
        "$runs/$name-seed$seed-paper.pgn"
done
