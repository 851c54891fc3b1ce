#!/usr/bin/env bash
# Fits an evaluation to the results of its own games: plays, draws positions, fits the results by Texel's method,
# and plays again with what was fitted.
#
#   experiments/games_fit.sh DIRECTORY [ROUNDS]
#
# START is the evaluation to begin with, params/modern-eval.yaml unless it is set; weights that it has at 0
# stay so. DIRECTORY/eval-N.yaml is the result of round N (2 rounds unless given). In each round two searches
# play all openings with both colours at several numbers of nodes, so that no two games are the same, and the
# fit learns from the games of all rounds. GAMES is how many games each of these matches has, 3,000 unless set.
# An interrupted command goes on where it was.
set -euo pipefail
directory=${1:?DIRECTORY}
rounds=${2:-2}
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
start=${START:-$root/params/modern-eval.yaml}
games=${GAMES:-3000}
mkdir -p "$directory"
[ -f "$directory/space.yaml" ] || "$grayling" space "$start" -o "$directory/space.yaml"

# Plays all openings at NODES nodes a move with EVAL, to a file.
play() {
    local file=$1 eval=$2 nodes=$3 resume=
    [ ! -f "$file" ] || resume=--resume
    "$grayling" match "$root/params/games-search.yaml" "$root/docs/runs/search-modern-games.yaml" \
        --eval "$eval" --nodes "$nodes" --games "$games" --seed "$nodes" --hash 4 \
        --win-score 1500 --draw-score 5 -o "$file" $resume
}

eval=$start
for round in $(seq "$rounds"); do
    fitted=$directory/eval-$round.yaml
    if [ -f "$fitted" ]; then # written whole, when the round was over
        eval=$fitted
        continue
    fi
    for nodes in 1500 2000 2500 3000; do
        play "$directory/round-$round-$nodes.pgn" "$eval" "$nodes"
    done
    for past in $(seq "$round"); do
        cat "$directory"/round-"$past"-*.pgn
    done >"$directory/games.pgn"
    "$grayling" sample "$directory/games.pgn" --results --first-ply 24 --per-game 30 --force \
        --count $((round * 66 * games)) -o "$directory/results.epd"
    "$grayling" regress "$directory/results.epd" --method texel --space "$directory/space.yaml" --from "$eval" \
        --prior 1500 --batch 8192 --steps 600 --force -o "$fitted"
    eval=$fitted
done
