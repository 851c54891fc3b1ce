#!/usr/bin/env bash
# The paper's 35 parameters learn the scores of another engine, their mentor (david-2014, section II-B): how far they
# come, how many moves of masters they match then, and how they play. Ten minutes of a core, most of them games.
#
#     experiments/mentor_table.sh GRAYLING [ENGINE]        toga2
#
# The mentor scores the 5,000 positions of train-1 at depth 1, and the first 2,000 of held-out. Three seeds each of the
# paper's genetic algorithm and of CMA-ES, 20,000 evaluations each. Games: 300 each at 3,000 nodes a move.
set -eu
grayling=$(realpath "${1:?usage: mentor_table.sh GRAYLING [ENGINE]}")
engine=${2:-toga2}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

head -n 2000 "$root/data/held-out.epd" >first.epd
"$grayling" label "$root/data/train-1.epd" --engine "$engine" --depth 1 -o train.epd >log 2>&1
"$grayling" label first.epd --engine "$engine" --depth 1 -o held-out.epd >>log 2>&1
cat >recipe.yaml <<'END'
name: mentor
phase: evaluation
data: {train: train.epd, held_out: held-out.epd}
fitness: {measure: mentor, clip: 1000}
ga:
  population: 100
  generations: 200
  elitism: 1
  selection: {kind: proportional}
  crossover: {kind: uniform, rate: 0.75}
  mutation: {rate: 0.005}
END

# The distance of the best organism of a generation, in training or held out: a column of the history and its size.
distance() {
    "$grayling" history "$1" --format csv | awk -F, -v g="$2" -v of="$3" '$1 == g { printf "%.1f", $of / $(of + 1) }'
}

elo() {
    "$grayling" match "$1" "$root/params/$2" --nodes 3000 --games 300 --seed 5 --hash 4 --win-score 1000 --draw-score 10 2>log |
        sed -n 's/^Elo: \(.*\), nElo.*/\1/p'
}

echo '| optimiser, seed | centipawns a position, generation 0 | 100 | 200 | held out | moves matched, held out | Elo to `default-eval` | to `moves-eval` |'
echo '|---|---|---|---|---|---|---|---|'
for kind in genetic cma-es; do
    for seed in 1 2 3; do
        run=$kind-$seed
        "$grayling" evolve recipe.yaml --set "seed=$seed" --set "optimiser.kind=$kind" -o "$run.db" >log 2>&1
        echo "| $kind, $seed | $(distance "$run.db" 0 3) | $(distance "$run.db" 100 3) |" \
            "$(distance "$run.db" 200 3) | $(distance "$run.db" 200 5) |" \
            "$("$grayling" score "$run.yaml" "$root/data/held-out.epd" | awk '$1 ~ /yaml/ { print $3 " %" }') |" \
            "$(elo "$run.yaml" default-eval.yaml) | $(elo "$run.yaml" moves-eval.yaml) |"
    done
done
