#!/usr/bin/env bash
# Is a method of the search worth keeping? A match at equal nodes between a search with these parameters and
# the same search without, ended by the sequential test of 0 against 5 Elo.
#
#   experiments/search_method.sh NAME 'PARAMETER: VALUE' ... [-- OPTION OF grayling match ...]
#
# The games go to NAME.pgn; the same command continues an interrupted match. BASE is the search without the
# method, params/default-search.yaml unless it is set; NODES are the nodes a move, 20,000 unless set. Engines that
# play by nodes have two different games for each opening, so GAMES, 3,000 unless set, is twice the openings of the
# book. A larger one: grayling book GAMES.pgn --count 20000 --plies 16 --nodes 2000 -o book.epd, and then
# GAMES=40000 experiments/search_method.sh ... -- --openings book.epd
set -euo pipefail
name=${1:?NAME, then the parameters of the method}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
base=${BASE:-$root/params/default-search.yaml}
cp "$base" "$name.yaml"
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    sed -i "/^  ${1%%:*}:/d" "$name.yaml"
    echo "  $1" >>"$name.yaml"
    shift
done
[ $# -eq 0 ] || shift
resume=
[ ! -f "$name.pgn" ] || resume=--resume
"$root/build/tools/grayling" match "$name.yaml" "$base" --nodes "${NODES:-20000}" --games "${GAMES:-3000}" --sprt 0,5 \
    -o "$name.pgn" $resume "$@"
