#!/usr/bin/env bash
# Fits an evaluation to its own games: plays, draws positions, searches them, fits what the searches say by Texel's
# method, and plays again with what was fitted.
#
#   experiments/games_fit.sh DIRECTORY [ROUNDS]
#
# START is the evaluation to begin with, params/games-eval.yaml unless it is set; weights that it has at 0 stay so.
# DIRECTORY/eval-N.yaml is the result of round N (2 rounds unless given). In each round two searches play GAMES games
# (3,000) at each of NODES nodes a move, so that no two games are the same, and each position drawn is searched with
# LABEL nodes (8,000; 0: the results of the games count instead). The fit learns from the positions of all rounds. It
# keeps SCALE, the K of START (476), because the margins of the search are in the unit of the evaluation.
# An interrupted command goes on where it was.
set -euo pipefail
directory=${1:?DIRECTORY}
rounds=${2:-2}
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
start=${START:-$root/params/games-eval.yaml}
games=${GAMES:-3000}
label=${LABEL:-8000}
mkdir -p "$directory"
[ -f "$directory/space.yaml" ] || "$grayling" space "$start" -o "$directory/space.yaml"

# Plays all openings at NODES nodes a move with EVAL, to a file.
play() {
    local file=$1 eval=$2 nodes=$3 resume=
    [ ! -f "$file" ] || resume=--resume
    "$grayling" match "$root/params/games-search.yaml" "$root/docs/runs/search-games-first.yaml" \
        --eval "$eval" --nodes "$nodes" --games "$games" --seed "$nodes" --hash 4 \
        --win-score 1500 --draw-score 5 -o "$file" $resume
}

# Searches the positions of a file with EVAL.
search() {
    local positions=$1 eval=$2 out=$3
    printf 'kind: uci\ncommand: %s-uci\nparameters:\n  EvalFile: %s\n' "$grayling" "$(realpath "$eval")" \
        >"$directory/engine.yaml"
    "$grayling" label "$positions" --engine "$directory/engine.yaml" --trust --nodes "$label" --hash 8 \
        --force -o "$out"
}

eval=$start
positions=
share=
[ "$label" = 0 ] || share='--scores 100'
for round in $(seq "$rounds"); do
    fitted=$directory/eval-$round.yaml
    drawn=$directory/positions-$round.epd
    if [ ! -f "$fitted" ]; then # written whole, when the round was over
        for nodes in ${NODES:-1000 1250}; do
            play "$directory/round-$round-$nodes.pgn" "$eval" "$nodes"
        done
        count=$(cat "$directory"/round-"$round"-*.pgn | grep -c '^\[Event ')
        "$grayling" sample "$directory"/round-"$round"-*.pgn --results --first-ply 16 --per-game 45 \
            --count $((count * 33)) --seed "$round" --force -o "$drawn"
        [ "$label" = 0 ] || { search "$drawn" "$eval" "$drawn.scored" && mv "$drawn.scored" "$drawn"; }
        "$grayling" regress $positions "$drawn" --method texel --space "$directory/space.yaml" --from "$eval" \
            --prior 1500 --scale "${SCALE:-476}" --batch 8192 --steps 1500 $share --force -o "$fitted"
    fi
    positions="$positions $drawn"
    eval=$fitted
done
