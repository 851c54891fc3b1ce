#!/bin/sh
# `grayling regress` as a user meets it: exit codes, messages, and what is left on the disk. TAP.
#   regress_command.sh GRAYLING SOURCE
. "$(dirname "$0")/../helpers/tap.sh"
source=$(realpath "$2")
begin regress "$1"

head -n 120 "$source/data/train-1.epd" > moves.epd
gzip -dc "$source/data/results-train.epd.gz" | head -n 400 > results.epd
gzip -dc "$source/data/results-held-out.epd.gz" | head -n 200 > unseen.epd
one_line() {
    [ "$(wc -l < err)" = 1 ]
}
has() {
    grep -qF -e "$1" out
}

# ---- fits ----

check 'fits moves' 0 '' moves.epd --steps 20 -o soft.yaml
expect 'says of what' has '120 positions from'
expect 'with their checksum' has "moves.epd, SHA-256 $(sha256sum moves.epd | cut -c 1-64)"
expect 'the loss' has 'nats a move, 95 % interval in parentheses:'
expect 'the moves' grep -q '^  train  *[0-9]* of 120 ' out
expect 'a parameter file' "$grayling" export soft.yaml --format csv -o soft.csv
expect 'with its origin' grep -q '^# Fitted by grayling .*: softmax, 20 steps from initial values' soft.yaml
check 'fits results' 0 '' results.epd --method texel --steps 20 --held-out unseen.epd \
    --held-out moves.epd -o texel.yaml --threads 1
expect 'K' grep -q '^K [0-9.]* centipawns' out
expect 'the loss of what was not seen' grep -q '^  unseen.epd  *0\.[0-9]*  (0\.' out
expect 'moves where there are no results' grep -q '^  moves.epd  *[0-9]* of 120 ' out
check 'the same with three threads' 0 '' results.epd --method texel --steps 20 --held-out unseen.epd \
    --held-out moves.epd -o three.yaml --threads 3
expect 'to the byte' cmp -s texel.yaml three.yaml
check 'cross-entropy' 0 '' results.epd --method texel-entropy --steps 5
expect 'in nats' has 'nats a result'
check 'random values' 0 '' results.epd --method texel --from random --seed 7 --steps 5 -o -
mv out random.yaml
expect 'on standard output, nothing else' "$grayling" export random.yaml --format csv -o random.csv
check 'goes on from a file' 0 '' results.epd --method texel --from texel.yaml --steps 0
expect 'where it was' grep -qF "$(sed -n 's/^# \(K [0-9.]* centipawns\)\./\1/p' texel.yaml)" out
check 'a scale that is given' 0 '' results.epd --method texel --scale 333 --steps 2
expect 'is kept' has 'K 333.0 centipawns, as given'

# ---- positions that can be read once ----

cat moves.epd | "$grayling" regress - --steps 20 -o piped.yaml > out 2> err
expect 'positions from standard input' [ $? = 0 ]
expect 'with the checksum of the positions' grep -q '^  -, SHA-256 of the positions [0-9a-f]\{64\}$' out
expect 'the same values as from the file' sh -c 'grep -v "^#" piped.yaml > a; grep -v "^#" soft.yaml | cmp -s a -'
mkfifo pipe.epd
cat moves.epd > pipe.epd &
check 'positions from a pipe' 0 '' pipe.epd --steps 20 -o named.yaml
expect 'the same' sh -c 'grep -v "^#" named.yaml | cmp -s a -'
expect 'the same checksum' [ "$(sed -n 's/.*of the positions //p' named.yaml)" = \
    "$(sed -n 's/.*of the positions //p' piped.yaml)" ]
sed '2s/bm [^;]*;//' moves.epd | "$grayling" regress moves.epd --steps 1 --held-out - > out 2> err
expect 'a held-out pipe with some moves' [ $? = 2 ]
expect 'says how many' grep -qF -e '-: 119 of 120 positions have a best move; expected all, or none' err

# ---- pruning ----

check 'prunes' 0 '' moves.epd --steps 20 --prune 20,8 -o 'left-%d.yaml'
expect 'tells how many weights are left' grep -q '^[5-8] weights\.' out
for keep in 20 8; do
    expect "writes a file with $keep" sh -c \
        "[ \"\$(grep -c '^  [A-Z].*: *[1-9]' left-$keep.yaml)\" -le $((keep + 1)) ]"
done
expect 'which can be read' "$grayling" export left-8.yaml --format csv -o left.csv
check 'a table of what weights are worth' 0 '' moves.epd --from soft.yaml --steps 0 --saliency worth.csv
expect 'the pieces matter' awk -F, '$1 == "QUEEN_VALUE" { q = $3 } $1 == "ROOK_CONNECTED" { r = $3 }
    END { exit !(q > 10 * r && q > 0) }' worth.csv
check 'one file for the table and the values' 2 'must be two files' moves.epd --steps 0 \
    --saliency ./twice.yaml -o twice.yaml
check 'the table is none of what is pruned' 2 'must be two files' moves.epd --steps 0 --prune 20,8 \
    --saliency left-8.yaml -o 'left-%d.yaml'
check 'batches' 0 '' moves.epd --from soft.yaml --steps 5 --batch 50 --seed 3
expect 'which it tells' has '5 steps of 50 positions from soft.yaml values, seed 3'
check 'moves missed, from a fit' 0 '' moves.epd --method softmax-misses --from soft.yaml --scale 10 --steps 5
expect 'the loss is named' grep -q '^misses a move' out
check 'a prior, and likely moves only' 0 '' moves.epd --from soft.yaml --steps 5 --prior 50 --likely 100 \
    -o likely.yaml
"$grayling" score likely.yaml moves.epd > scored
expect 'matches are counted among all moves' [ "$(awk '/^  train .* of 120/ { print $2 }' out)" = \
    "$(awk 'END { print $2 }' scored)" ]
expect 'the loss says that it is over the likely ones' grep -q '^  train (likely moves)  *[0-9.]*  (' out
expect 'the progress of the compiler' grep -q 'position .* of 240:  likely moves, in two rounds' err

# ---- labels ----

# The same positions with their results as labels of other kinds.
sed 's/^\([^ ]* [^ ]* [^ ]* [^ ]*\) .*c9 "\([^"]*\)".*/\1 \2/' results.epd > plain.txt
awk '{ r = $5 == "1-0" ? "1.0" : $5 == "0-1" ? "0.0" : "0.5"; f = $1 " " $2 " " $3 " " $4
       if (NR % 4 == 0) print f " 0 1 [" r "]"; else if (NR % 4 == 1) print f "; [" $5 "]"
       else if (NR % 4 == 2) print f " | -35 | " r; else print f " c9 \"" r "\";" }' plain.txt > labels.epd
awk '{ print $1, $2, $3, $4, "c9 \"" $5 "\";" }' plain.txt > c9.epd
check 'fits labelled positions' 0 '' labels.epd --method texel --steps 5 -o labels.yaml
check 'fits the same with c9' 0 '' c9.epd --method texel --steps 5 -o c9.yaml
expect 'the same values' sh -c 'grep -v "^#" labels.yaml > a; grep -v "^#" c9.yaml | cmp -s a -'

# ---- an evaluation that ends when the fit is measured ----

sed "s/^    for line in sys.stdin:/&\\n        if 'QQQQ' in line:\\n            sys.exit(1)/" \
    "$source/examples/trace/psqt.py" > dies.py
head -n 30 moves.epd > few.epd
"$grayling" trace --check 'python3 dies.py' few.epd -o dies.yaml > checked
expect 'its space' [ -s dies.yaml ]
echo '4k3/8/8/8/8/8/QQQQ4/4K3 w - - bm Qb8;' > queens.epd
check 'what cannot be measured is said' 1 'queens.epd: ' few.epd --space dies.yaml --steps 2 \
    --held-out queens.epd -o kept.yaml
expect 'and what was fitted is kept' grep -q '^# not measured: queens.epd: ' kept.yaml
expect 'and can be read' "$grayling" export kept.yaml --format csv -o kept.csv

# ---- refusals ----

refuses() {
    check "$@"
    expect 'in one line' one_line
}
refuses 'an output that exists' 2 'soft.yaml exists; choose another name or give --force' moves.epd \
    -o soft.yaml
sed '3s/c9 "[^"]*"/c9 "won"/' results.epd > bad.epd
column=$(sed -n 3p bad.epd | awk '{print index($0, "won\"")}')
refuses 'a c9 that is no result' 2 "bad.epd:3: column $column: expected a result as c9" bad.epd \
    --method texel
sed '3s/.*/4k3\/8\/8\/8\/8\/8\/8\/4K2R w K - 0 1 [won]/' labels.epd > won.epd
refuses 'a label that is no result' 2 "won.epd:3: column 33: expected a result, 1.0, 0.5, 0.0, 1-0, " \
    won.epd --method texel
refuses 'the same held out' 2 "bad.epd:3: column $column: " results.epd --method texel --held-out bad.epd
refuses 'positions without results' 2 'moves.epd:1: no result; expected c9' moves.epd --method texel
sed 's/bm [^;]*;//' results.epd > still.epd
refuses 'positions without moves' 2 'still.epd:1: no best move' still.epd
refuses 'nothing to measure' 2 'still.epd: nothing to measure' moves.epd --held-out still.epd
grep 'c9 "1/2' results.epd > drawn.epd
check 'draws alone' 2 'results are draws; wins and losses are required' drawn.epd --method texel
: > empty.epd
refuses 'an empty file' 2 'empty.epd: no positions' empty.epd
refuses 'a file that is missing' 2 'none.epd: ' none.epd
refuses 'a start that is none' 2 'none.yaml' moves.epd --from none.yaml
refuses 'no positions' 2 "no positions are given; see 'grayling regress --help'"
refuses 'a method that is none' 2 '--method takes softmax, softmax-misses, texel or' moves.epd --method svm
refuses 'a scale that is none' 2 '--scale takes a number from 1 to 100000' moves.epd --scale 0
refuses 'a prior that is none' 2 '--prior takes a number from 1 to 100000' moves.epd \
    --prior 0
refuses 'a batch that is none' 2 '--batch takes a whole number' moves.epd --batch 0
refuses 'numbers that rise' 2 '--prune takes up to 16 falling numbers' moves.epd --prune 8,20
sed -E '/(KNIGHT_VALUE|ROOK_CONNECTED):/s/min: 0/min: 5/' "$source/params/eval-space.yaml" > tight.yaml
refuses 'fewer weights than must stay' 2 '--prune: cannot prune to 1: 2 weights must stay' moves.epd \
    --space tight.yaml --prune 20,1
refuses 'one name for two results' 2 '-o takes a name with %d' moves.epd --prune 20,8 -o one.yaml
refuses 'moves missed without a temperature' 2 'softmax-misses needs --scale' moves.epd --method softmax-misses
refuses 'pruning by moves missed' 2 'need a likelihood' moves.epd --method softmax-misses --scale 10 --prune 20
refuses 'pruning by squared errors' 2 'need a likelihood' results.epd --method texel --prune 20
refuses 'likely results' 2 '--likely is for methods that compare moves' results.epd --method texel --likely 100
refuses 'a folder that is missing' 2 'cannot write none/p.yaml' moves.epd --steps 1 -o none/p.yaml

# ---- interruption ----

rm err # or what the last check left there would be taken for this one's, until the shell opens it anew
"$grayling" regress results.epd --method texel --steps 1000000 -o never.yaml > out 2> err &
pid=$!
while kill -0 $pid 2> /dev/null && ! grep -qs 'step 1 of' err; do sleep 0.05; done
kill -TERM $pid
wait $pid
expect 'exit code of an interruption' [ $? = 130 ]
expect 'says so' grep -qF 'grayling: interrupted; nothing is written' err
expect 'nothing is written' sh -c '[ "$(echo never*)" = "never*" ] && [ ! -s out ]'
echo "1..$number"
